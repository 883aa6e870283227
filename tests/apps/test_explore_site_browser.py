"""The page as a site that judges in the browser, from a plain file server and without any other network."""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import compress

import msgspec
import pytest
from helpers.browsing import Browser, requested, sized
from helpers.exploring import DESKTOP, ON_SITE, PHONE, FileServer, Page, file_server

from satjudge.apps.explore import questions
from satjudge.apps.explore.questions import answer_question

pytestmark = pytest.mark.browser

PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "phase": "S1905M"}
BATTLE = {"units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]}, "phase": "S1901M"}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"
ABOUT: dict[str, Any] = {"position": PARADOX, "sheet": SHEET}
ORDER: dict[str, Any] = {"power": "FRANCE", "order": "A BRE - LON"}
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"ask": "start", "map": "colonial"},
    {"ask": "judge", **ABOUT},
    {"ask": "judge", **ABOUT, "rules": {"name": "1971", "settings": []}},
    {"ask": "draw", **ABOUT, "shows": 2},
    {"ask": "choices", **ABOUT},
    {"ask": "explain", **ABOUT, **ORDER},
    {"ask": "why-not", **ABOUT, **ORDER},
    {"ask": "what-would-change", **ABOUT, **ORDER},
    {"ask": "what-if", **ABOUT, **ORDER},
    {"ask": "no-resolution", **ABOUT},
    {"ask": "names", **ABOUT},  # for which more is fetched
    {"ask": "next", **ABOUT},
    {"ask": "see", **ABOUT, "resolution": 2},
    {"ask": "differences", **ABOUT},
    {"ask": "give", **ABOUT, "power": "FRANCE", "what": "A BRE", "order": "A BRE H"},
    {"ask": "check", "positions": [PARADOX], "rules": {}},
    {"ask": "chart", "positions": [PARADOX]},
    *({"ask": "write", "format": kind, "line": [ABOUT], "rules": {}} for kind in ("sheet", "game", "report.md", "report.txt")),
    {"ask": "read", "data": b64encode(SHEET.encode()).decode()},
    {"ask": "read", "data": b64encode(b"{" * 100_000).decode()},
    {"ask": "gallery"},
    {"ask": "case", "file": "datc-3.2/6.F", "identity": "6.F.14"},
    {"ask": "judge", "position": {"units": {"X": ["A ZZZ"]}}},
    {"ask": "judge", "position": {"units": {}, "map": "/etc/passwd"}},
    {"ask": "nothing"},
)
ASK = """
const {connect} = await import(new URL('engine.js', document.baseURI));
const {ask, ready} = await connect();
await ready;
const found = [];
for (const question of questions) found.push(await ask(question).then(answer => ({answer}), error => ({fault: error.fault})));
return found;
"""
NO_ANSWER = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} };"


def here(question: dict[str, Any]) -> Any:  # noqa: ANN401
    """What satjudge answers as a program."""
    return msgspec.json.decode(answer_question(msgspec.json.encode(question)))


@ON_SITE
def test_the_browser_answers_as_satjudge_does(page: Page) -> None:
    assert {kind.__struct_config__.tag for kind in questions.QUESTIONS} <= {question["ask"] for question in QUESTIONS}
    told = page.run(ASK, questions=QUESTIONS)
    for question, found in zip(QUESTIONS, told, strict=True):
        assert found == here(question), question["ask"]


@ON_SITE
def test_a_paradox_is_judged_and_nothing_else_is_asked_of_any_server(browser: Browser, page: Page, served: str) -> None:
    page.run("addNode(position);", position={**PARADOX, "map": "standard", "centers": {}, "dislodged": {}, "attackers": {}})
    page.type_sheet(SHEET)
    assert page.verdicts()["A BRE - LON"] == here(QUESTIONS[1])["answer"]["orders"][2]["verdict"]
    assert [address for address in requested(browser) if not address.startswith((served, "data:", "blob:"))] == []


@ON_SITE
def test_no_file_is_there_in_vain_or_asked_for_in_vain(page: Page, site: FileServer) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.run(ASK, questions=[{"ask": "names", **ABOUT}])
    asked = {path.partition("?")[0] for path in site.asked}
    assert {path for path in asked if path.startswith("/a/site/")} == asked  # a site knows no address but its own
    for path in asked:
        assert path.endswith("/") or (site.folder / path[1:]).is_file()


@contextmanager
def without_python(browser: Browser) -> Iterator[None]:
    """Pages in which Python never starts."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_ANSWER})
    browser.get("about:blank")
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def link_to(page: Page, sheet: str, rules: dict[str, Any], **position: Any) -> str:  # noqa: ANN401
    """The address of a phase with its orders."""
    full = {"map": "standard", "centers": {}, "dislodged": {}, "attackers": {}, **position}
    state = {
        "rules": rules, "nodes": [{"id": 1, "parent": None, "position": full, "sheet": sheet}],
        "at": 1, "view": "ruled", "mode": "orders", "victory": None,
    }  # fmt: skip
    packed = b64encode(compress(msgspec.json.encode(state)), altchars=b"-_").decode().rstrip("=")
    return f"{page.address}#1.{packed}"


DATC: dict[str, Any] = {"name": "datc-3", "settings": []}


@ON_SITE
def test_orders_are_judged_before_python_is_there(browser: Browser, served: str) -> None:
    page = Page(browser, served)
    with without_python(browser):
        browser.get(served)
        page.wait_for("derived.start && derived.judged && derived.picture && derived.choices.length")
        assert "starting" in page.find("#status").text
        page.type_sheet("FRANCE:\nA PAR - BUR\nA MAR - BUR\n\nGERMANY:\nA MUN - RUH\n")
        assert page.verdicts() == {"A PAR - BUR": "fails", "A MAR - BUR": "fails", "A MUN - RUH": "succeeds"}
        assert page.run("return document.querySelectorAll('#map .over .lines path:not(.under)').length;") == 3
        for province in ("MUN", "BUR"):  # the map is played on
            page.run(f"document.querySelector('#map .spot[data-press={province}]').dispatchEvent("
                     "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));")  # fmt: skip
        page.wait_for("node().sheet.includes('A MUN - BUR') && derived.judged.orders.every(one => one.verdict === 'fails')")


@ON_SITE
def test_a_link_is_judged_before_python_is_there(browser: Browser, served: str) -> None:
    page = Page(browser, served)
    with without_python(browser):
        browser.get(link_to(page, SHEET, DATC, **PARADOX))
        page.wait_for("derived.judged && derived.picture")
        told = here(QUESTIONS[1])["answer"]
        assert page.verdicts() == {one["order"]: one["verdict"] for one in told["orders"]}
        assert page.run("return derived.judged.resolutions;") == 2
        assert {unit.get_attribute("data-unit") for unit in page.find_all("#map svg.panel .unit")} == {
            "F LON",
            "F WAL",
            "A BRE",
            "F ENG",
        }
        assert len(page.find_all("#tabs [role=tab]")) == 4


@ON_SITE
def test_retreats_and_builds_are_played_before_python_is_there(browser: Browser, served: str) -> None:
    page = Page(browser, served)
    units = {"FRANCE": ["A GAS", "A MAR"], "ITALY": ["A BUR"]}
    position = {"units": units, "phase": "F1901M", "centers": {"FRANCE": ["BRE", "MAR", "PAR"], "ITALY": ["ROM"]}}
    going_on = "document.querySelector('#timeline .next').click();"
    with without_python(browser):
        browser.get(link_to(page, "FRANCE:\nA GAS - BUR\nA MAR S A GAS - BUR\n", DATC, **position))
        page.wait_for("derived.judged && derived.choices.length && !document.querySelector('#timeline .next').disabled")
        page.run(going_on)
        page.wait_for("node().position.phase === 'F1901R' && derived.judged && derived.choices.length")
        assert page.run("return node().position.attackers;") == {"BUR": "GAS"}
        page.type_sheet("ITALY:\nA BUR R PAR\n")
        page.run(going_on)
        page.wait_for("node().position.phase === 'W1901A' && derived.judged && derived.choices.length")
        assert page.run("return derived.judged.missing;") == {"ITALY": ["1 build"]}
        assert page.run("return derived.choices.map(one => one.what);") == ["ROM"]


@ON_SITE
def test_a_link_that_only_python_can_open_says_so_on_the_map(browser: Browser, served: str) -> None:
    page = Page(browser, served)
    with without_python(browser):
        browser.get(link_to(page, SHEET, {"name": "datc-3", "settings": ["4.A.2=all-hold"]}, **PARADOX))
        page.wait_for("derived.start && document.querySelector('#map .starting')?.textContent.includes('is starting')")
        assert not any(button.is_enabled() for button in page.find_all("#timeline .going button"))


WATCH = """
const told = window.told = {shifts: []};
new PerformanceObserver(list => told.shifts.push(...list.getEntries().map(({value, startTime}) => ({value, startTime}))))
  .observe({type: 'layout-shift', buffered: true});
new MutationObserver(() => {
  if (document.querySelector('#map svg.panel')) told.map ??= performance.now();
  if (document.querySelector('#verdicts .order .verdict:not(.none)')) told.verdict ??= performance.now();
}).observe(document, {childList: true, subtree: true});
"""
PLACES = """
const units = [...document.querySelectorAll('#map svg.panel .unit')].map(one => one.getScreenCTM()).map(({e, f}) => [e, f]);
const orders = [...document.querySelectorAll('#verdicts .order')].map(one => one.getBoundingClientRect());
return [...units, ...orders.map(({left, top}) => [left, top])];
"""


@contextmanager
def watched(browser: Browser) -> Iterator[None]:
    """Pages that remember when what is there, and what jumps."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    browser.get("about:blank")
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@ON_SITE
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize(
    ("about", "least"),
    [
        ((SHEET, DATC, PARADOX), 0.02),  # what sets resolutions apart, and the name of the core, come beside what is there
        (("FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR\n\nGERMANY:\nA MUN - BUR\n", DATC, BATTLE), 0.0),
    ],
)
def test_nothing_jumps_when_python_is_there(
    browser: Browser, served: str, about: tuple[str, dict[str, Any], dict[str, Any]], least: float, size: tuple[int, int]
) -> None:
    page = Page(browser, served)
    sheet, rules, position = about
    sized(browser, size)
    with watched(browser):
        browser.get(link_to(page, sheet, rules, **position))
        page.wait_for("derived.judged?.early && derived.picture && new Promise(done => setTimeout(() => done(true), 400))")
        before, began = page.run(PLACES), page.run("return performance.now();")
        page.wait_for("derived.judged && !derived.judged.early && !derived.picture.includes('data-ground')")
        page.run("return new Promise(done => setTimeout(done, 400));")
        moved = [max(abs(a - b) for a, b in zip(*two, strict=True)) for two in zip(before, page.run(PLACES), strict=True)]
        assert max(moved) <= 3, "units and lines are where they were"
        shifts = [one["value"] for one in page.run("return told.shifts;") if one["startTime"] > began]
        assert sum(shifts) <= least


@ON_SITE
@pytest.mark.parametrize("sheet", [SHEET, SHEET.replace("- ", "to ").lower().replace(" s ", " supports ")])
def test_a_first_verdict_takes_less_than_a_second(browser: Browser, served: str, sheet: str) -> None:
    """The map in half a second, a verdict in one, from a file server with no other network, on a machine that is quiet."""
    page = Page(browser, served)
    slack = max(1.0, 1.5 * os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 4.0
    with watched(browser):
        browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        browser.get(served)
        page.wait_for("told.map")
        assert page.run("return told.map;") < 500 * slack
        browser.get("about:blank")
        browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        browser.get(link_to(page, sheet, DATC, **PARADOX))
        page.wait_for("told.verdict")
        assert page.run("return told.verdict;") < 1000 * slack


@ON_SITE
def test_a_second_start_takes_what_the_first_has_compiled(page: Page, site: FileServer) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    before = len(site.asked)
    page.browser.refresh()
    page.wait_for("derived.judged")
    page.type_sheet("FRANCE:\nA PAR - GAS\n")
    assert page.verdicts() == {"A PAR - GAS": "succeeds"}
    assert not [path for path in site.asked[before:] if path.endswith((".pack", ".zip"))]


@ON_SITE
def test_a_hostile_question_ends_nothing(page: Page) -> None:
    deep = "let position = []; for (let depth = 0; depth < 3000; depth++) position = [position];"
    told = page.run(f"{deep} const questions = [{{ask: 'judge', position}}, {{ask: 'start'}}]; {ASK}")
    assert "this is not a question" in told[0]["fault"]["message"]
    assert told[1] == here({"ask": "start"})


def test_a_site_without_its_runtime_says_so(browser: Browser, site: FileServer, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    shutil.copytree(site.folder / "a" / "site", broken)
    (broken / "runtime" / "pyodide.js").unlink()
    with file_server(tmp_path) as server:
        page = Page(browser, f"{server.address}/site/")
        browser.get(page.address)
        page.wait_for("document.querySelector('#status').textContent.startsWith('satjudge failed in this browser: ')")
        assert "pyodide.js" in page.find("#status").text
        browser.get_log("browser")  # type: ignore[no-untyped-call]
