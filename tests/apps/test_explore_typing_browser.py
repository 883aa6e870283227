"""Typing into the order sheet of the page, key by key, in a real browser: no letter is lost, and the caret stays."""

from __future__ import annotations

import pytest
from helpers.exploring import ON_SERVER, Page
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser

PHASE = """\
France:
A Par-Bur
A Mar S A Par-Bur
F Bre-MAO

Germany:
A Mun-Ruh
F Kie-Den
"""
VERDICTS = {
    "A PAR - BUR": "succeeds", "A MAR S A PAR - BUR": "given", "F BRE - MAO": "succeeds",
    "A MUN - RUH": "succeeds", "F KIE - DEN": "succeeds",
}  # fmt: skip
AT_ALL_SPEEDS = pytest.mark.parametrize("pause", [0, 60, 120], ids=["at-once", "60-ms", "120-ms"])
SHOWN = "const text = document.querySelector('#sheet textarea');"


def type_keys(page: Page, keys: str, pause: int = 0) -> None:
    """Press keys one after the other with so many milliseconds in between; a line end is Enter."""
    pressed = ActionChains(page.browser, duration=0)
    for key in keys:
        pressed.send_keys(Keys.ENTER if key == "\n" else key)
        if pause:
            pressed.pause(pause / 1000)
    pressed.perform()


def begin_at(page: Page, line: str) -> None:
    """Put the caret behind this text in the sheet."""
    page.show_text()
    page.run(
        f"{SHOWN} text.focus(); const at = text.value.indexOf(line) + line.length; text.setSelectionRange(at, at);", line=line
    )


def sheet(page: Page) -> str:
    """What the sheet shows, with `|` where the caret is; it is what the page knows, too."""
    value, start, end, known = page.run(f"{SHOWN} return [text.value, text.selectionStart, text.selectionEnd, node().sheet];")
    assert (known, end) == (value, start)
    return f"{value[:start]}|{value[start:]}"


def settled(page: Page) -> dict[str, str]:
    """The verdicts once all is judged."""
    page.wait_for("!derived.judging && derived.judged.sheet === node().sheet")
    return page.verdicts()


@AT_ALL_SPEEDS
def test_a_phase_is_typed_key_by_key(page: Page, pause: int) -> None:
    begin_at(page, "")
    type_keys(page, PHASE, pause)
    assert sheet(page) == f"{PHASE}|"
    assert settled(page) == VERDICTS
    assert sheet(page) == f"{PHASE}|"


@AT_ALL_SPEEDS
def test_orders_are_typed_in_the_middle(page: Page, pause: int) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\nF BRE - MAO\n")
    begin_at(page, "A PAR - BUR")
    type_keys(page, "\nA MAR H\n# and", pause)
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR H\n# and|\nF BRE - MAO\n"
    assert settled(page) == {"A PAR - BUR": "succeeds", "A MAR H": "stands", "F BRE - MAO": "succeeds"}
    begin_at(page, "A MAR")
    type_keys(page, f" - SPA\n#{Keys.LEFT}\n", pause)
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR - SPA\n\n|# H\n# and\nF BRE - MAO\n"


def test_lines_are_joined_split_and_pasted_while_answers_come(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n# and\nA MAR H\n")
    begin_at(page, "# and\n")
    type_keys(page, Keys.BACKSPACE * 6, 60)
    assert sheet(page) == "FRANCE:\nA PAR - BUR\n|A MAR H\n"
    type_keys(page, Keys.BACKSPACE + "\n\n" + Keys.BACKSPACE + Keys.DELETE, 60)
    assert sheet(page) == "FRANCE:\nA PAR - BUR\n| MAR H\n"
    page.browser.execute_cdp_cmd("Input.insertText", {"text": "F BRE - MAO\nA"})
    type_keys(page, f"{Keys.HOME}{Keys.LEFT}\n# then", 60)
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nF BRE - MAO\n# then|\nA MAR H\n"
    assert settled(page) == {"A PAR - BUR": "succeeds", "F BRE - MAO": "succeeds", "A MAR H": "stands"}


def test_typing_is_taken_back_line_by_line(page: Page) -> None:
    begin_at(page, "")
    type_keys(page, "FRANCE:\nA PAR - BUR\nA MAR H", 60)
    seen = []
    for key in "zzzzyyy":
        ActionChains(page.browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()
        seen.append(sheet(page))
    assert seen == [
        "FRANCE:\nA PAR - BUR|", "FRANCE:|", "|", "|", "FRANCE:|", "FRANCE:\nA PAR - BUR|", "FRANCE:\nA PAR - BUR\nA MAR H|",
    ]  # fmt: skip
    type_keys(page, "\n# on")
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR H\n# on|"


def test_a_branch_begins_with_the_first_letter_and_has_all_others(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.named("Next phase").click()
    page.wait_for("state.at === 2")
    page.run("change({at: 1});")
    begin_at(page, "A PAR - BUR")
    type_keys(page, f"{Keys.BACKSPACE}R\n{Keys.BACKSPACE}\nA MAR H", 60)  # twice it is what was played
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR H|\n"
    assert page.run("return state.nodes.map(one => one.sheet);") == [
        "FRANCE:\nA PAR - BUR\n", "", "FRANCE:\nA PAR - BUR\nA MAR H\n",
    ]  # fmt: skip
    page.run("change({nodes: state.nodes.map(one => one.id === state.at ? {...one, name: 'mine'} : one)});")
    type_keys(page, Keys.BACKSPACE * len("\nA MAR H"))
    assert page.run("return [node().name, state.nodes.length];") == ["mine", 3], "what has a name stays"
    assert settled(page) == {"A PAR - BUR": "succeeds"}


LATE = """
const real = window.fetch;
const held = window.held = [];
window.fetch = (address, options) => address !== 'ask' ? real(address, options)
  : new Promise(resolve => held.push(resolve)).then(() => real(address, {...options, signal: undefined}));
window.release = () => { for (const resolve of held.splice(0).reverse()) resolve(); };
"""
"""Holds back what is asked of the server, and then asks the last first."""


@ON_SERVER
def test_late_answers_change_nothing_that_is_typed(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n\nITALY:\n")
    page.run(LATE)
    for province in ("MAR", "SPA"):
        page.find(f"#map .spot[data-press={province}]").send_keys(Keys.ENTER)
    page.wait_for("window.held.length > 0")
    begin_at(page, "ITALY:\n")
    for line in ("A VEN H\n", "A ROM H\n"):
        type_keys(page, line, 60)
        page.wait_for("window.held.length > 1")
        page.run("window.release();")
    type_keys(page, "F NAP H", 60)
    page.run("setInterval(window.release, 20);")
    page.wait_for("node().sheet.includes('A MAR - SPA')")
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR - SPA\n\nITALY:\nA VEN H\nA ROM H\nF NAP H|"
    assert settled(page) == dict.fromkeys(("A VEN H", "A ROM H", "F NAP H"), "stands") | dict.fromkeys(
        ("A PAR - BUR", "A MAR - SPA"), "succeeds"
    )


@ON_SERVER
def test_who_types_on_is_not_taken_to_the_next_phase(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.run(LATE)
    page.named("Next phase").click()
    page.wait_for("window.held.length === 1")
    begin_at(page, "A PAR - BUR\n")
    type_keys(page, "A MAR H")
    page.run("setInterval(window.release, 20);")
    page.wait_for("derived.notice.includes('Choose “Next phase” again')")
    assert sheet(page) == "FRANCE:\nA PAR - BUR\nA MAR H|"
    assert page.run("return state.nodes.length;") == 1
    assert settled(page) == {"A PAR - BUR": "succeeds", "A MAR H": "stands"}
    page.named("Next phase").click()
    page.wait_for("state.at === 2")
