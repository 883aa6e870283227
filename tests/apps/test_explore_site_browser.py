"""The page as a site that judges in the browser, from a plain file server and without any other network."""

from __future__ import annotations

import shutil
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.browsing import Browser, requested
from helpers.exploring import ON_SITE, FileServer, Page, file_server

from satjudge.apps.explore import questions
from satjudge.apps.explore.questions import answer

pytestmark = pytest.mark.browser

PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "phase": "S1905M"}
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
const {ask} = await connect();
const found = [];
for (const question of questions) found.push(await ask(question).then(answer => ({answer}), error => ({fault: error.fault})));
return found;
"""
NO_ANSWER = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} };"


def here(question: dict[str, Any]) -> Any:  # noqa: ANN401
    """What satjudge answers as a program."""
    return msgspec.json.decode(answer(msgspec.json.encode(question)))


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


@ON_SITE
def test_the_map_is_there_before_python_is(browser: Browser, served: str) -> None:
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_ANSWER})
    try:
        browser.get("about:blank")
        browser.get(served)
        page = Page(browser, served)
        page.wait_for("derived.start && derived.judged && derived.picture && derived.choices.length")
        assert "starting" in page.find("#status").text
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


@ON_SITE
def test_a_link_opened_before_python_is_there_says_so_on_the_map(browser: Browser, page: Page, served: str) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.wait_for("location.hash.length > 2")
    link = page.run("return location.href;")
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NO_ANSWER})
    try:
        browser.get("about:blank")
        browser.get(link)
        page.wait_for("derived.start && document.querySelector('#map [role=status]')?.textContent === 'satjudge is starting…'")
        assert not any(button.is_enabled() for button in page.find_all("#timeline .going button"))
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


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
    assert "this is no question" in told[0]["fault"]["message"]
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
