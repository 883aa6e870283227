"""Search, prove, lines and guarantee on the page to play with, and hostile positions there, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browsing import Browser, logged, requested
from helpers.exploring import PHONE, Page, opened, serving
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

pytestmark = pytest.mark.browser
on_the_server = pytest.mark.parametrize("served", ["server"], indirect=True)
PARADOX = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}, "map": "standard", "phase": "S1905M"}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\n\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"
HOSTILE = "<script>caught = 1</script><img src=x onerror=caught=1><svg onload=caught=1>javascript:caught=1"


@pytest.fixture
def panel(page: Page) -> Page:
    """The page with a paradox at hand and the tasks unfolded."""
    page.run("addNode(position, {sheet, parent: null});", position=PARADOX, sheet=SHEET)
    page.wait_for("derived.judged?.resolutions === 2")
    page.find("#tasks summary").send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('#task-wishes')")
    return page


def choose(page: Page, kind: str) -> WebElement:
    """The form of this kind."""
    page.at_rest(f"#tasks input[value={kind}]").click()
    return page.find(f"#tasks form[data-task={kind}]")


def fill(page: Page, label: str, text: str) -> None:
    """Type into a field that is shown, or choose in it."""
    control = page.named(label, "#tasks :is(input, select)")
    if control.tag_name == "input":
        control.clear()
    control.send_keys(text)


def ended(page: Page, selector: str = ".headline, .fault") -> str:
    """What the task on top came to."""
    told: str = page.wait_for(f"document.querySelector('#tasks .task:first-child :is({selector})')?.textContent")
    return told


@on_the_server
def test_a_search_is_asked_by_keyboard_alone_and_its_answer_opens(panel: Page) -> None:
    kinds = panel.find("#tasks input[type=radio]")
    panel.browser.execute_script("arguments[0].focus()", kinds)
    panel.press(Keys.TAB, "paradox", Keys.TAB, Keys.TAB, Keys.TAB, "BRE ENG LON WAL", Keys.ENTER)
    assert ended(panel).startswith("4 units: proved minimal.")
    assert "consistent resolutions: 2" in panel.find("#tasks .card").text
    roots = panel.run("return state.nodes.length;")
    button = panel.named("Open on the map: Answer 1: simple paradox")
    panel.browser.execute_script("arguments[0].focus()", button)
    panel.press(Keys.ENTER)
    panel.wait_for(f"state.nodes.length === {roots + 1} && derived.judged?.resolutions === 2")
    assert panel.run("return node().parent;") is None
    assert len(panel.verdicts()) == 4


@on_the_server
def test_progress_is_shown_and_the_stop_button_ends_it(panel: Page) -> None:
    choose(panel, "search")
    fill(panel, "Goal", "paradox and core:1C1M1S-2r-21451013 and dislodged:STP")
    fill(panel, "Time limit in seconds", "600" + Keys.ENTER)
    panel.wait_for("/searching|variables/.test(document.querySelector('#tasks .working [role=status]')?.textContent)")
    panel.named("Stop").click()
    assert ended(panel).startswith("Interrupted: none found so far, bound ")
    assert not [one for one in panel.find_all("#tasks .task button") if one.text == "Stop"]
    panel.named("Close search paradox and core:1C1M1S-2r-21451013 and dislodged:STP").click()
    assert panel.find_all("#tasks .task") == []


@on_the_server
def test_a_line_that_breaks_shows_its_attack_and_its_repair(panel: Page) -> None:
    choose(panel, "prove")
    fill(panel, "Line", "beshera-1")
    panel.named("If it breaks, find the fewest units that repair it", "#tasks input").click()
    panel.find("#tasks form[data-task=prove] .begin").click()
    assert ended(panel).startswith("Breaks: an attack of ")
    assert [card.text.splitlines()[0] for card in panel.find_all("#tasks .card")] == ["The attack", "The line, repaired"]
    panel.named("Open on the map: The attack").click()
    panel.wait_for("Object.values(derived.judged?.dislodged ?? {}).length === 1")


@on_the_server
def test_a_line_of_the_units_at_hand_is_proved(panel: Page) -> None:
    position = {**PARADOX, "units": {"FRANCE": ["F POR", "A SPA"], "GERMANY": ["A BUR"]}}
    sheet = "FRANCE:\nF POR S A SPA\nA SPA H\n"
    panel.run("addNode(position, {sheet, parent: null});", position=position, sheet=sheet)
    choose(panel, "prove")
    fill(panel, "Whose units", "France")
    fill(panel, "Maximum number of enemy units", "2")
    panel.find("#tasks form[data-task=prove] .begin").click()
    assert ended(panel) == "Holds: if the line repeats these orders, no enemy can ever enter."
    assert "Enemies: at most 2 units, armies or fleets" in panel.find("#tasks .notes").text


@on_the_server
def test_the_fewest_units_that_hold_some_centres_are_found_and_open(panel: Page) -> None:
    choose(panel, "lines")
    fill(panel, "Protect", "centers=3")
    fill(panel, "Maximum number of lines", "2" + Keys.ENTER)
    units = int(ended(panel).split()[0])
    assert " proved: no line that stands still has fewer" in ended(panel)
    assert "protects 3 supply centres" in panel.find("#tasks .card").text
    panel.named("Open on the map: Line 1").click()
    panel.wait_for(f"Object.values(node().position.units).flat().length === {units} && derived.judged")


@on_the_server
def test_lines_that_contradict_themselves_are_refused(panel: Page) -> None:
    choose(panel, "lines")
    fill(panel, "Protect", "protect:NAP and outside:NAP" + Keys.ENTER)
    assert ended(panel, ".fault").startswith("NAP cannot be both protected and outside")


@on_the_server
def test_a_wish_is_guaranteed_or_refuted(panel: Page) -> None:
    choose(panel, "guarantee")
    fill(panel, "Wish", "take ENG" + Keys.ENTER)
    assert ended(panel).startswith("Guaranteed by these orders, whatever the others order")
    panel.named("Open on the map: The orders").click()
    panel.wait_for("node().sheet.startsWith('ENGLAND:\\nF LON S F WAL - ENG')")
    fill(panel, "Wish", "take PAR" + Keys.ENTER)
    panel.wait_for("document.querySelectorAll('#tasks .task').length === 2")
    assert ended(panel).startswith("Refuted: ")
    assert "Defeat 1" in panel.find("#tasks .card").text


@on_the_server
def test_orders_that_guarantee_name_the_units_that_hold(panel: Page) -> None:
    position = {"units": {"ENGLAND": ["F LON", "A WAL"], "FRANCE": ["F BRE"]}, "map": "standard", "phase": "S1901M"}
    panel.run("addNode(position, {parent: null});", position={**position, "centers": {}, "dislodged": {}, "attackers": {}})
    choose(panel, "guarantee")
    fill(panel, "Wish", "keep LON" + Keys.ENTER)
    assert ended(panel).startswith("Guaranteed by these orders, whatever the others order")
    assert panel.in_sight("#tasks .task")
    assert "F LON H" in panel.find("#tasks .card").text
    panel.named("Open on the map: The orders").click()
    panel.wait_for("node().sheet.includes('F LON H')")


@on_the_server
def test_what_cannot_be_asked_is_told(panel: Page) -> None:
    choose(panel, "search")
    fill(panel, "Goal", "paradise" + Keys.ENTER)
    assert ended(panel) == "there is no goal 'paradise' (did you mean paradox?)"


@pytest.mark.parametrize("served", ["site"], indirect=True)
def test_where_there_are_no_long_tasks_the_page_says_why(page: Page) -> None:
    assert "need a solver that does not run in a browser" in page.find("#tasks").text
    assert page.find_all("#tasks form") == []


@on_the_server
def test_the_tasks_fit_on_a_phone(panel: Page) -> None:
    panel.resized(PHONE)
    panel.named("Details").click()
    for kind in ("search", "prove", "lines", "guarantee"):
        choose(panel, kind)
        assert panel.run("return document.documentElement.scrollWidth;") <= PHONE[0]


# ---- hostile input ----


@pytest.fixture
def hostile(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page on a hostile file."""
    path = tmp_path / "hostile.jsonl"
    case = {"id": HOSTILE, "title": HOSTILE, "units": {HOSTILE: ["A PAR", "A MAR"]}, "orders": {HOSTILE: ["A PAR - BUR"]}}
    path.write_text(json.dumps(case), encoding="utf-8")
    with serving(str(path)) as address:
        logged(browser, "performance")
        with opened(browser, address) as page:
            yield page
            assert page.run("return typeof caught;") == "undefined"
            assert [url for url in requested(browser) if not url.startswith((address, "blob:", "data:", "about:"))] == []


def test_a_hostile_file_runs_nothing_and_reaches_nothing(hostile: Page) -> None:
    hostile.wait_for("document.body.innerText.includes('there is no power')")
    assert "there is no power '<script>" in hostile.find("body").text  # beside the list of orders


def test_hostile_names_are_text_everywhere(hostile: Page) -> None:
    position = {"units": {HOSTILE: ["A PAR"], "javascript:caught=1": ["A MAR"], '"><svg onload=caught=1>': ["F BRE"]}}
    hostile.run(
        "addNode(position, {parent: null, sheet: ''});", position={**PARADOX, **position, "centers": {HOSTILE: ["PAR"]}}
    )
    hostile.wait_for("derived.judged && derived.picture?.includes('svg')")
    hostile.type_sheet(f"{HOSTILE}\n<svg onload=caught=1>:\nA PAR - <script>caught=1</script>\n")
    hostile.find("#tasks summary").click()
    choose(hostile, "guarantee")
    fill(hostile, "Wish", "<svg onload=caught=1>" + Keys.ENTER)
    assert "there is no power" in ended(hostile)


@on_the_server
@pytest.mark.parametrize(
    "question",
    [
        {"ask": "draw", "width": 10**30, "sheet": "", "position": PARADOX},
        {"ask": "judge", "sheet": "", "position": {"units": {"X": ["A PAR"] * 20_000}}},
        {"ask": "judge", "sheet": "A" * 500_000, "position": PARADOX},
        {"ask": "judge", "sheet": "", "position": {**PARADOX, "phase": "S99999999999M"}},
        {"ask": "judge", "sheet": "", "position": json.loads("[" * 500 + "]" * 500)},
    ],
    ids=["width", "units", "sheet", "year", "deep"],
)
def test_enormous_things_are_answered_all_the_same(page: Page, question: object) -> None:
    told = page.run(
        "const response = await fetch('ask', {method: 'POST', headers: {'content-type': 'application/json'}, "
        "body: JSON.stringify(question)}); return (await response.text()).slice(0, 30000);",
        question=question,
    )
    assert told.startswith(('{"fault"', '{"answer"'))
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    assert page.verdicts() == {"A PAR - BUR": "succeeds"}


@on_the_server
def test_no_script_but_its_own_runs_in_the_page(page: Page) -> None:
    """The policy forbids scripts that some part of the page would let in; the browser says so."""
    page.browser.execute_script(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x: onerror=\"window.caught=1\">');"
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.caught = 1'}));"
    )
    page.wait_for("true")
    assert page.run("return typeof caught;") == "undefined"
    told = [entry["message"] for entry in logged(page.browser, "browser")]
    assert told
    assert all("Content Security Policy" in message or "ERR_UNKNOWN_URL_SCHEME" in message for message in told)
