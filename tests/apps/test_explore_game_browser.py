"""The lines of play of the page, its links, files and gallery, in a real browser."""

from __future__ import annotations

import gzip
import json
import struct
import time
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.exploring import DESKTOP, DROP, PHONE, Page, opened
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from satjudge.game.game import Game
from satjudge.notation.sheet_reader import read_sheets

pytestmark = pytest.mark.browser

BURGUNDY = "FRANCE:\nA PAR - BUR\n"
PICARDY = "FRANCE:\nA PAR - PIC\n"
MADE = "({rules: state.rules, nodes: state.nodes, at: state.at, view: state.view, mode: state.mode, victory: state.victory})"


def press(page: Page, name: str) -> None:
    """Press the button of that name, which a menu may hide from the mouse."""
    page.run("[...document.querySelectorAll('button')].find(one => one.textContent === name).click();", name=name)


def go_on(page: Page) -> None:
    """Go on to the next phase."""
    before = page.run("return state.at;")
    press(page, "Next phase")
    page.wait_for(f"state.at !== {before}")


def phases(page: Page) -> list[list[str]]:
    """The lines of play as they are shown."""
    return [one.text.split() for one in page.find_all("#timeline .phases")]


def made(page: Page) -> Any:  # noqa: ANN401
    """All that the player made."""
    return page.run(f"return {MADE};")


def link(shared: object, *, version: int = 1) -> str:
    """A link as anybody may make one."""
    data = shared if isinstance(shared, bytes) else json.dumps(shared).encode()
    return f"#{version}." + urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


# ---- lines of play ----


def test_changing_what_was_played_begins_a_branch(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    go_on(page)
    page.find("#timeline [data-node='2']").click()
    page.type_sheet(PICARDY)
    assert phases(page) == [["S1901M", "F1901M", "S1902M"], ["F1901M"]]
    go_on(page)
    assert phases(page) == [["S1901M", "F1901M", "S1902M"], ["F1901M", "S1902M"]]
    assert page.run("return node().position.units.FRANCE;") == ["F BRE", "A MAR", "A BUR"], (
        "a unit that is not there stays away"
    )


def test_a_branch_that_is_no_other_any_more_is_gone(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    page.find("#timeline [data-node='1']").click()
    page.type_sheet(PICARDY)
    assert len(phases(page)) == 2
    page.type_sheet(BURGUNDY)
    assert phases(page) == [["S1901M", "F1901M"]]
    go_on(page)
    assert phases(page) == [["S1901M", "F1901M"]], "it was played already"


def test_branches_are_named_and_removed(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    page.find("#timeline [data-node='1']").click()
    page.type_sheet(PICARDY)
    field = page.find("#timeline .at-hand .name")
    field.send_keys("to the sea", Keys.ENTER)
    page.wait_for("node().name === 'to the sea'")
    assert page.active().accessible_name == "Name of to the sea", "the focus stays"
    page.named("Remove line 1").send_keys(Keys.ENTER)
    assert page.active().text == "S1901M"
    assert phases(page) == [["S1901M"]]
    assert page.run("return node().sheet;") == PICARDY
    press(page, "Undo")
    assert phases(page) == [["S1901M", "F1901M"], ["S1901M"]]


def test_the_lines_are_walked_by_arrow_keys(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    go_on(page)
    page.find("#timeline [aria-current]").send_keys(Keys.ARROW_LEFT)
    assert page.active().accessible_name == "F1901M, Fall 1901, moves"
    page.type_sheet(PICARDY)
    page.find("#timeline [aria-current]").send_keys(Keys.HOME)
    page.press(Keys.END)
    assert page.run("return node().position.phase;") == "F1901M"
    page.press(Keys.ARROW_UP)
    assert page.run("return node().id;") == 2
    page.press(Keys.ARROW_RIGHT)
    assert page.run("return node().position.phase;") == "S1902M"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_next_phase_is_in_sight_without_scrolling(page: Page, size: tuple[int, int]) -> None:
    page.resized(size)
    assert page.in_sight("#timeline .next")
    assert page.run("return document.documentElement.scrollHeight <= innerHeight;"), "nothing is below the window"
    page.run("for (let i = 0; i < 30; i += 1) addNode(node().position);")
    before = "const lines = document.querySelector('#timeline .lines').getBoundingClientRect();"
    after = "const next = document.querySelector('#timeline .next').getBoundingClientRect();"
    assert page.run(before + after + "return lines.right <= next.left && next.right <= innerWidth;")


def test_undo_and_redo_by_keys(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.named("Next phase").send_keys(Keys.ENTER)
    page.wait_for("state.at === 2")
    assert page.active().text == "Next phase", "the focus stays"
    page.show_text()
    page.find("#sheet textarea").send_keys(Keys.CONTROL, "z")
    assert page.run("return [state.nodes.length, node().sheet];") == [1, BURGUNDY]
    page.find("#sheet textarea").send_keys(Keys.CONTROL, "z")
    assert page.run("return node().sheet;") == ""
    page.find("#sheet textarea").send_keys(Keys.CONTROL, Keys.SHIFT, "z")
    page.find("#sheet textarea").send_keys(Keys.CONTROL, "y")
    assert page.run("return [state.nodes.length, state.at];") == [2, 2]
    assert not page.named("Redo").is_enabled()


def test_a_game_ends(page: Page) -> None:
    position = {"units": {"GERMANY": ["F KIE"]}, "centers": {"GERMANY": ["KIE", "BER", "MUN"]}, "phase": "F1901M"}
    page.run("change({victory: 4}); addNode(position, {parent: null});", position=position)
    page.type_sheet("GERMANY:\nF KIE - DEN\n")
    press(page, "Next phase")
    page.wait_for("document.querySelector('#timeline .ended').textContent !== ''")
    assert page.find("#timeline .ended").text == "Over: Germany has won"
    assert not page.named("Next phase").is_enabled()
    press(page, "Undo")
    page.wait_for("!document.querySelector('#timeline .next').disabled")


def test_the_chart_is_in_step_with_the_phases(page: Page) -> None:
    page.run("addNode({...node().position, phase: 'F1901M'}, {parent: null});")
    page.type_sheet("GERMANY:\nF KIE - DEN\n")
    go_on(page)
    page.wait_for("document.querySelectorAll('.chart thead th').length === 3")
    row = page.find(".chart tbody tr:nth-child(4)")
    assert row.text.split() == ["Germany", "3", "4", "+1"]
    assert page.find(".chart [aria-current]").text == "1901"
    page.named("1900").click()
    assert page.run("return node().position.phase;") == "F1901M"
    page.wait_for("document.querySelector('.chart [aria-current]').textContent === '1900'")


# ---- links ----


def test_a_link_restores_everything(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    page.find("#timeline [data-node='1']").click()
    page.type_sheet(PICARDY)
    page.run("change({rules: {name: '1982', settings: ['4.A.2=szykman']}, mode: 'position', victory: 20});")
    before = made(page)
    address = kept(page)
    with opened(page.browser, address) as other:
        assert made(other) == before
        assert other.find("#rulebook select").get_attribute("value") == "1982"
        assert other.run("return location.href;") == address


def kept(page: Page) -> str:
    """The address once it holds all that there is."""
    page.run("const {fragmentOf} = await import(new URL('link.js', document.baseURI)); window.whole = await fragmentOf(state);")
    page.wait_for("location.hash === window.whole")
    address: str = page.run("return location.href;")
    return address


def test_another_link_in_the_same_page_is_opened_and_can_be_undone(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    shared = {**made(page), "nodes": [{**made(page)["nodes"][0], "sheet": PICARDY}]}
    page.run("location.hash = hash;", hash=link(shared))
    page.wait_for(f"node().sheet === {json.dumps(PICARDY)}")
    page.show_text()
    page.find("#sheet textarea").send_keys(Keys.CONTROL, "z")
    page.wait_for(f"node().sheet === {json.dumps(BURGUNDY)}")


# The link comes while the page packs what was typed before, to put that into the address.
LINK_COMES_WHILE_PACKING = """
const Packing = CompressionStream;
window.CompressionStream = function (format) {
  window.CompressionStream = Packing;
  location.hash = hash;
  return new Packing(format);
};
change({victory: 7});
"""


def test_a_link_that_comes_in_the_pause_after_typing_is_opened(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    kept(page)
    shared = {**made(page), "nodes": [{**made(page)["nodes"][0], "sheet": PICARDY}]}
    page.run(LINK_COMES_WHILE_PACKING, hash=link(shared))
    page.wait_for(f"node().sheet === {json.dumps(PICARDY)}")
    assert page.run("return state.victory;") is None, "all of the link is opened"
    kept(page)


def hostile(shared: dict[str, Any]) -> dict[str, str]:
    """Links that nobody's page has made, from one that a page has."""

    def with_node(**fields: object) -> str:
        return link({**shared, "nodes": [{**shared["nodes"][0], **fields}]})

    def with_position(**fields: object) -> str:
        return with_node(position={**shared["nodes"][0]["position"], **fields})

    whole = link(shared)
    return {
        "cut off": whole[:-20],
        "damaged": whole[:40] + ("A" if whole[40] != "A" else "B") + whole[41:],
        "of another version": link(shared, version=2),
        "none": "#map",
        "no base64": "#1.<script>alert(1)</script>",
        "empty": "#1.",
        "a bomb": link(b"[" * 60_000_000),
        "too long": "#1." + "A" * 500_001,
        "no JSON": link(b"\xff\xfe"),
        "deep": link(b"[" * 100_000 + b"]" * 100_000),
        "a list": link([]),
        "without a field": link({key: value for key, value in shared.items() if key != "rules"}),
        "with another field": link({**shared, "address": "https://example.org"}),
        "with a cycle": with_node(parent=1),
        "with no phase": link({**shared, "nodes": []}),
        "at no phase": link({**shared, "at": 7}),
        "with ids twice": link({**shared, "nodes": shared["nodes"] * 2}),
        "with a view": link({**shared, "view": "<img src=x onerror=alert(1)>"}),
        "with a prototype": link(json.dumps(shared).replace('"FRANCE"', '"__proto__"', 1).encode()),
        "with a constructor": with_position(units={"constructor": ["A PAR"]}),
        "with a number for a sheet": with_node(sheet=1),
        "with a huge sheet": with_node(sheet="#" * 100_001),
        "on a map of elsewhere": with_position(map="/etc/passwd"),
        "with a position that cannot be": with_position(units={"FRANCE": ["F PAR"]}),
        "with a rulebook of elsewhere": link({**shared, "rules": {"name": "../x.toml", "settings": []}}),
    }


def test_links_that_cannot_be_opened_are_told_and_do_nothing(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    before = made(page)
    for what, fragment in hostile(before).items():
        page.run("tell({notice: ''}); location.hash = hash;", hash=fragment)
        page.wait_for("derived.notice !== ''")
        assert page.find("#status").text.startswith("The link cannot be opened: "), what
        assert made(page) == before, what
        assert page.run("return ({}).polluted ?? null;") is None


def test_a_damaged_link_begins_with_the_opening_and_stays_in_the_address(page: Page) -> None:
    with opened(page.browser, f"{page.address}#1.damaged") as other:
        assert "damaged" in other.find("#status").text
        assert other.run("return node().position.phase;") == "S1901M"
        time.sleep(0.6)  # longer than the page takes to put a link into its address
        assert other.run("return location.hash;") == "#1.damaged"
        other.type_sheet(BURGUNDY)
        kept(other)


def test_text_of_a_link_is_never_markup(page: Page) -> None:
    shared = made(page)
    bad = "<img src=x onerror='window.ran = true'>"
    node = {**shared["nodes"][0], "sheet": f"FRANCE:\n{bad}\n", "name": bad, "about": bad}
    with opened(page.browser, page.address + link({**shared, "nodes": [node]})) as other:
        other.wait_for("derived.judged.errors.length > 0")
        assert other.find("#selected .about").text == bad
        assert other.run("return [window.ran ?? null, document.querySelectorAll('img:not(.example img)').length];") == [None, 0]


def test_the_link_is_copied(page: Page) -> None:
    origin = page.address.rstrip("/")
    page.browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    page.type_sheet(BURGUNDY)
    press(page, "Share")
    page.wait_for("derived.notice.startsWith('The link has been copied')")
    assert page.run("return [await navigator.clipboard.readText(), location.href];") == [kept(page)] * 2
    page.wait_for("!derived.notice")  # by itself


def test_where_a_page_may_not_copy_the_link_is_selected(page: Page) -> None:
    page.run("Object.defineProperty(navigator, 'clipboard', {value: undefined});")
    press(page, "Share")
    page.wait_for("derived.notice.includes('selected')")
    field = page.active()
    assert field.get_attribute("value") == kept(page)
    assert page.run("const f = document.activeElement; return f.selectionEnd - f.selectionStart === f.value.length;")


# ---- files ----


@pytest.fixture
def saved(page: Page, tmp_path: Path) -> Callable[[str], bytes]:
    """Saves by the button of that name, and gives what the browser has written."""
    page.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})

    def save(name: str) -> bytes:
        press(page, name)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            found = [
                path for path in tmp_path.iterdir() if not path.name.endswith(".crdownload") and not path.name.startswith(".")
            ]
            if found and found[0].stat().st_size:
                data = found[0].read_bytes()
                found[0].unlink()
                return data
            time.sleep(0.05)
        raise AssertionError(f"{name}: nothing was saved")

    return save


def test_pictures_and_files_are_saved(page: Page, saved: Callable[[str], bytes]) -> None:
    page.type_sheet(BURGUNDY)
    go_on(page)
    page.type_sheet("FRANCE:\nA BUR - MUN\n")
    page.wait_for("derived.picture.includes('MUN')")
    assert saved("Picture as SVG").decode().lstrip().startswith(("<svg", "<?xml"))
    png = saved("Picture as PNG")
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">I", png[16:20]) == (2400,)
    (sheet,) = read_sheets(saved("Order sheet").decode())
    assert [str(entry.order) for entry in sheet.orders] == ["A BUR - MUN"]
    game = Game.from_saved(saved("Saved game"))
    assert [played.phase_name for played in game.history] == ["S1901M"]
    assert game.orders == {"FRANCE": ["A BUR - MUN"]}
    assert b"# game: results of Fall 1901, moves" in saved("Report as Markdown")
    assert b"results of Fall 1901, moves" in saved("Report as text")


def test_what_cannot_be_saved_is_told(page: Page) -> None:
    position = {"units": {}, "phase": "S1901R", "dislodged": {"FRANCE": {"A BUR": ["PAR"]}}}
    page.run("addNode(position, {parent: null});", position=position)
    press(page, "Save")
    press(page, "Order sheet")
    page.wait_for("document.querySelector('.save .fault').textContent !== ''")
    assert "cannot begin with a retreat phase" in page.find(".save .fault").text


def test_a_saved_game_becomes_a_line_of_play(page: Page, tmp_path: Path) -> None:
    game = Game.new(rulebook="1982", name="ours")
    game.order("FRANCE", "A PAR - BUR")
    game.next()
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(game.document()))
    page.type_sheet(PICARDY)
    for name in (path, tmp_path / "ours.json.gz"):
        name.write_bytes(path.read_bytes() if name == path else gzip.compress(path.read_bytes()))
        before = page.run("return state.nodes.length;")
        press(page, "Open")
        page.find("dialog.open input[type=file]").send_keys(str(name))
        page.wait_for(f"state.nodes.length === {before + 2}")
        assert page.run("return [node().name, node().sheet, state.rules.name];") == ["ours", BURGUNDY, "1982"]
    assert phases(page) == [["S1901M"], ["S1901M", "F1901M"], ["S1901M", "F1901M"]], "nothing is lost"


def test_a_pasted_text_is_opened_and_a_case_chosen(page: Page) -> None:
    text = Path("datc_cases/datc-3.2/6.F.txt").read_text(encoding="utf-8")
    press(page, "Open")
    page.run("document.querySelector('dialog.open textarea').value = text;", text=text)
    press(page, "Open the text")
    page.wait_for("document.querySelectorAll('dialog.open .cases button').length === 30")
    page.find_all("dialog.open .cases button")[13].send_keys(Keys.ENTER)
    page.wait_for("node().name === '6.F.14: Simple convoy paradox'")
    page.wait_for("derived.judged?.resolutions === 2")
    assert phases(page) == [["S1901M"]], "it takes the place of an opening that nobody touched"


def test_a_file_is_dropped_onto_the_page(page: Page) -> None:
    page.run(DROP, text=PICARDY)
    page.wait_for(f"node().sheet === {json.dumps(PICARDY)}")


def test_files_that_cannot_be_opened_are_told_and_nothing_is_lost(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    before = made(page)
    bad = {"<html><script>alert(1)</script>": "no order sheet", "x" * 1_000_001: "more than 1,000,000 bytes", "": "orders"}
    for text, told in bad.items():
        page.run(DROP, text=text)
        page.wait_for("document.querySelector('dialog.open .fault').textContent !== ''")
        assert told in page.find("dialog.open .fault").text
        assert made(page) == before
        page.run(
            "document.querySelector('dialog.open').close(); document.querySelector('dialog.open .fault').textContent = '';"
        )


# ---- the gallery ----


def test_a_case_of_the_gallery_is_found_and_opened_by_keys(page: Page) -> None:
    page.type_sheet(BURGUNDY)
    page.named("Gallery").send_keys(Keys.ENTER)
    page.wait_for("document.querySelectorAll('.gallery .case').length > 600")
    page.press("sample game fall 1902")
    page.wait_for("document.querySelectorAll('.gallery .case:not([hidden])').length < 20")
    shown = [one for one in page.find_all(".gallery .case button") if one.is_displayed()]
    shown[0].send_keys(Keys.ENTER)
    page.wait_for("state.nodes.length > 1 && derived.judged")
    assert page.run("return [state.rules.name, node().name.startsWith('1982/'), document.querySelector('dialog[open]')];") == [
        "1982",
        True,
        None,
    ]
    assert "1982 rulebook" in page.find("#selected .about").text


def test_an_opening_that_nobody_touched_shows_examples(page: Page) -> None:
    page.wait_for("document.querySelectorAll('#selected .example img').length === 4")
    page.wait_for("[...document.querySelectorAll('#selected .example img')].every(one => one.naturalWidth > 100)")
    page.find("#selected .example").click()
    page.wait_for("derived.judged?.resolutions === 2")
    assert phases(page) == [["S1901M"]], "in place of the opening"
    assert not page.find("#selected .examples").is_displayed()
    page.named("Gallery").click()
    page.find_all(".gallery .example")[1].click()
    page.wait_for("state.nodes.length === 2 && !document.querySelector('dialog[open]')")
    assert page.run("return node().position.units;") == {"TURKEY": ["F ANK", "A CON", "A SMY"]}


def test_a_phone_shows_one_line_of_play_and_lets_others_be_chosen(page: Page) -> None:
    page.resized(PHONE)
    page.type_sheet(BURGUNDY)
    go_on(page)
    page.run("change({at: 1});")
    page.type_sheet(PICARDY)
    assert [one.text.split() for one in page.find_all("#timeline .phases") if one.is_displayed()] == [["S1901M"]]
    Select(page.named("Line of play", "select")).select_by_index(0)
    assert [one.text.split() for one in page.find_all("#timeline .phases") if one.is_displayed()] == [["S1901M", "F1901M"]]
    assert page.run("return node().position.phase;") == "F1901M"


def test_it_fits_a_phone(page: Page) -> None:
    page.resized(PHONE)
    page.run("for (let i = 0; i < 30; i += 1) addNode(node().position);")
    page.named("Details").click()
    for name in ("Gallery", "Open", "Save"):
        press(page, name)
        page.wait_for("document.querySelector('dialog[open]')")
        assert page.run(
            "return [document.documentElement.scrollWidth, document.querySelector('dialog[open]').scrollWidth <= 390];"
        ) == [
            390,
            True,
        ]
        page.press(Keys.ESCAPE)
        assert page.run("return document.querySelector('dialog[open]');") is None
