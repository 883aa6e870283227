"""The order sheet, the verdicts, the cores and the rulebook of the page, in a real browser."""

from __future__ import annotations

import json

import pytest
from helpers.exploring import ON_SERVER, PHONE, Page
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.browser

BURGUNDY = "FRANCE:\nA PAR - BUR\nA MAR S A PAR - BUR\nGERMANY:\nA MUN - BUR\n"
UNITS = {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
PARADOX = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"


def paradox(page: Page) -> None:
    """Go to DATC 6.F.14."""
    page.run("addNode({units, phase: 'S1905M'}, {sheet});", units=UNITS, sheet=PARADOX)
    page.wait_for("derived.judged?.cores.length === 1")


def test_verdicts_stand_beside_the_lines_and_in_the_list(page: Page) -> None:
    page.type_sheet(BURGUNDY + "F KIE - DEX\n")
    page.show_text()
    assert [mark.text.strip() for mark in page.find_all(".gutter .mark")[:7]] == ["", "✓", "✓", "", "✗", "!", ""]
    assert page.find("#faults button").text.startswith("line 6:")
    page.find("#faults button").click()
    selected = page.run("const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionEnd);")
    assert selected == "DEX"
    page.find("#orders-head [data-side=list]").click()
    assert page.find('#verdicts [data-order="A MUN - BUR"] .verdict').text == "fails"


def test_pressing_an_order_shows_why_and_lights_its_culprits(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.find('#verdicts [data-order="A MUN - BUR"]').send_keys(Keys.ENTER)
    page.wait_for("derived.shown !== null && document.querySelector('.why .reasons')")
    assert "does not exceed prevent 2" in page.find(".why").text
    assert page.run("return derived.shown.provinces;") == [
        {"province": "PAR", "number": 1},
        {"province": "MAR", "number": 2},
    ]
    page.named("Why not?").click()
    page.wait_for("document.querySelector('.why .steps')")
    assert "no consistent resolution has it" in page.find(".why .steps").text


def test_what_would_change_an_order(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.find('#verdicts [data-order="A MUN - BUR"]').send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('.why .more')")
    page.named("What would change it?").click()
    page.wait_for("document.querySelector('.why .turned')")
    told = page.find(".why .answer").text
    assert "A MUN - BUR succeeds if one of these units has another order:" in told
    assert "France A PAR: anything but - BUR" in " ".join(told.split())
    assert "other legal orders of other units were tried" in told


def test_what_would_be_without_an_order(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.find('#verdicts [data-order="A MAR S A PAR - BUR"]').send_keys(Keys.ENTER)
    page.wait_for("document.querySelector('.why .more')")
    page.named("What happens without it?").click()
    page.wait_for("document.querySelector('.why .answer')")
    assert "FRANCE A PAR - BUR: fails (was: succeeds)" in page.find(".why .answer").text


def test_a_paradox_is_broken_open(page: Page) -> None:
    paradox(page)
    page.wait_for("document.querySelector('#cores h3')?.textContent === 'simple paradox'")
    assert "2 consistent resolutions; decided by" in page.find(".headline").text
    assert len(page.find_all("#cores .graph .decision")) == 3
    page.find("[role=tab]:nth-child(2)").click()
    page.wait_for("derived.seen?.number === 1")
    ruled = page.verdicts()
    one = {each["order"]: each["verdict"] for each in page.run("return derived.seen.orders;")}
    page.find("[role=tab]:nth-child(3)").click()
    page.wait_for("derived.seen?.number === 2")
    two = {each["order"]: each["verdict"] for each in page.run("return derived.seen.orders;")}
    assert one != two
    assert ruled != one or ruled != two
    assert page.find_all(".order.differs")


def test_reasons_are_those_of_the_resolution_in_sight(page: Page) -> None:
    paradox(page)
    page.find('#verdicts [data-order="F ENG C A BRE - LON"]').send_keys(Keys.ENTER)
    told = (
        ("Ruled: Szykman rule", "by the Szykman rule", "What happens without it?"),
        ("Resolution 1 of 2: London's support is given", "dislodged by F WAL - ENG", "What happens without it, as ruled?"),
        ("Resolution 2 of 2: English Channel's convoy holds", "no move to ENG succeeds", "What happens without it, as ruled?"),
        ("Ruled: Szykman rule", "by the Szykman rule", "What happens without it?"),
    )
    page.wait_for("document.querySelector('#tabs .resolution')?.textContent.includes('London')")
    for tab, reason, label in told:
        page.named(tab, "[role=tab]").click()
        page.wait_for(f"document.querySelector('.why .reasons')?.textContent.includes({json.dumps(reason)})")
        change = label.replace("What happens without", "What would change")
        assert [one.text for one in page.find_all(".why .more")] == [change, "Why not?", label]


def test_tabs_by_keyboard(page: Page) -> None:
    paradox(page)
    page.find("[role=tab]").send_keys(Keys.ARROW_RIGHT)
    assert page.run("return state.view;") == 1
    page.active().send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.run("return state.view;") == "after"


def test_a_change_of_rulebook_turns_amber_what_it_changes(page: Page) -> None:
    paradox(page)
    page.run("change({rules: {name: 'datc-3', settings: ['4.A.2=all-hold']}});")
    page.wait_for("derived.before !== null")
    assert page.find(".order.amber .beside").text == "was: succeeds"
    assert "verdict" in page.find("#rulebook .told").text
    page.find("#rulebook summary").click()
    page.find("#rulebook .setting").click()
    page.wait_for("state.rules.settings.length === 0")
    page.type_sheet(PARADOX + "\n")
    assert page.find_all(".order.amber") == []


def test_options_can_be_searched_and_settled(page: Page) -> None:
    page.find("#rulebook summary").click()
    page.find("#rulebook input[type=search]").send_keys("paradox")
    shown = [one for one in page.find_all("#rulebook .option") if one.is_displayed()]
    assert 0 < len(shown) < len(page.find_all("#rulebook .option"))
    assert all("paradox" in one.text.lower() for one in shown)


def test_units_without_an_order_are_let_hold(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    page.named("All others hold").click()
    page.wait_for("Object.keys(derived.judged.missing).length === 0")
    assert str(page.find("textarea").get_property("value")).startswith("FRANCE:\nA PAR - BUR\nF BRE H\nA MAR H\n")


def test_nothing_is_wider_than_a_phone(page: Page) -> None:
    page.resized(PHONE)
    page.type_sheet(BURGUNDY)
    page.find("#rulebook summary").click()
    assert page.run("return document.documentElement.scrollWidth <= innerWidth;")


ASKED = """
const real = window.fetch;
window.asked = [];
window.fetch = (address, options) => {
  if (address !== 'ask') return real(address, options);
  const one = {question: JSON.parse(options.body), aborted: false};
  options.signal?.addEventListener('abort', () => { one.aborted = true; });
  window.asked.push(one);
  const late = new Promise(resolve => { window.release = resolve; if (!window.held) resolve(); });
  return late.then(() => real(address, options));
};
"""
"""Notes what is asked of the server, and holds it back while `held`."""


@ON_SERVER
def test_typing_is_judged_after_a_pause_and_marks_are_old_till_then(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\nA MAR - SPA\n")
    page.show_text()
    page.wait_for("derived.picture.includes('A MAR - SPA')")  # a slow one is asked for after a pause
    page.run(ASKED + "window.held = true;")
    page.run(
        """
        const text = document.querySelector('#sheet textarea');
        for (const more of ['F', 'F ', 'F B', 'F BR', 'F BRE H']) {
          text.value = `FRANCE:\\nA PAR - BUR\\n${more}\\nA MAR - SPA\\n`;
          text.dispatchEvent(new Event('input', {bubbles: true}));
        }
        """
    )
    assert page.run("return window.asked.length;") == 0
    page.wait_for("window.asked.length > 1")  # a picture waits where the last one took long
    assert page.run("return window.asked.map(one => one.question.ask).sort();") == ["draw", "judge"]
    assert [mark.text.strip() for mark in page.find_all(".gutter .mark")] == ["", "✓", "", "✓", ""]
    assert page.find(".gutter").get_attribute("aria-busy") == "true"
    assert page.find("#verdicts .powers").get_attribute("aria-busy") == "true"
    page.find("textarea").send_keys(Keys.END, "H")
    page.wait_for("window.asked.some(one => one.question.ask === 'judge' && one.aborted)")
    page.run("window.held = false; window.release(); change({nodes: [{...node(), sheet: 'FRANCE:\\nF BRE H\\n'}]});")
    page.wait_for("!derived.judging && derived.judged.orders.length === 1")
    assert page.find(".gutter").get_attribute("aria-busy") == "false"


@ON_SERVER
def test_what_is_typed_counts_before_anything_else_is_done(page: Page) -> None:
    page.run(
        """
        const text = document.querySelector('#sheet textarea');
        document.querySelector('#orders-head [data-side=text]').click();
        text.focus();
        text.value = 'FRANCE:\\nA PAR - BUR';
        text.dispatchEvent(new Event('input', {bubbles: true}));
        [...document.querySelectorAll('button')].find(one => one.textContent === 'Next phase').click();
        """
    )
    page.wait_for("state.nodes.length === 2")
    assert page.run("return [state.nodes[0].sheet, state.nodes[1].position.units.FRANCE.includes('A BUR')];") == [
        "FRANCE:\nA PAR - BUR",
        True,
    ]


@ON_SERVER
def test_marks_stand_at_their_lines_at_the_end_of_a_wide_sheet(page: Page) -> None:
    page.type_sheet("FRANCE:\n" + "# " + "wide " * 80 + "\n" + "A PAR - BUR\n" * 60 + "A MAR H")
    page.show_text()
    page.run("const text = document.querySelector('#sheet textarea'); text.scrollTop = text.scrollHeight;")
    page.wait_for("document.querySelector('#sheet textarea').scrollTop > 0")
    off = """(() => {
      const text = document.querySelector('#sheet textarea'), last = document.querySelector('.gutter .mark:last-of-type');
      const below = text.getBoundingClientRect().top + text.clientTop + text.scrollHeight - text.scrollTop;
      return below - parseFloat(getComputedStyle(text).paddingBottom) - last.getBoundingClientRect().bottom;
    })()"""
    page.wait_for(f"Math.abs({off}) < 2")


@ON_SERVER
def test_a_text_that_is_too_long_is_refused_whole(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.show_text()
    page.run("document.querySelector('#sheet textarea').focus();")
    page.browser.execute_cdp_cmd("Input.insertText", {"text": "# far too much\n" * 4000})
    assert "at most 50,000 characters" in page.find("#faults").text
    assert page.run("return [document.querySelector('#sheet textarea').value, node().sheet];") == [BURGUNDY, BURGUNDY]
    page.find("#sheet textarea").send_keys("#")
    assert page.find("#faults").text == ""
