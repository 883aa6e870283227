"""The page to play with as a whole, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.browsing import Browser
from helpers.exploring import DROP, Page, opened, serving
from helpers.own_maps import OWN

pytestmark = pytest.mark.browser


def test_it_plays_on_a_map_in_a_file(browser: Browser, tmp_path: Path) -> None:
    own = tmp_path / "isles.toml"
    own.write_text(OWN, encoding="utf-8")
    with serving("--map", str(own)) as address, opened(browser, address) as page:
        page.wait_for("derived.start.position.map === 'two-isles' && document.querySelector('#map .spot[data-press=AAA]')")
        page.type_sheet("NORTH:\nA AAA - BBB\n")
        assert page.verdicts() == {"A AAA - BBB": "illegal"}
        page.run("change({mode: 'position'});")
        offered = page.run("return [...document.querySelectorAll('select[aria-label=Map] option')].map(one => one.value);")
        assert {"two-isles", "standard", "colonial"} <= {*offered}
    with serving() as address, opened(browser, address) as page:
        page.run(DROP, text=OWN)
        page.wait_for("derived.start.position.map === 'two-isles' && document.querySelector('#map .spot[data-press=AAA]')")


def test_it_begins_on_the_map_and_by_the_rules_that_are_named(browser: Browser) -> None:
    with serving("--map", "colonial", "--rules", "1982") as address, opened(browser, address) as page:
        page.wait_for("derived.start.position.map === 'colonial' && document.querySelector('#map .spot[data-press=TOK]')")
        assert page.run("return [node().position.map, state.rules.name, state.nodes.length];") == ["colonial", "1982", 1]
        page.type_sheet("JAPAN:\nF TOK H\n")
        assert page.verdicts() == {"F TOK H": "stands"}
        page.type_sheet("")
        page.run("addOpened([{position: node().position, sheet: '# it', rules: state.rules, title: 'a case', about: ''}]);")
        assert page.run("return state.nodes.map(one => one.name);") == ["a case"], "the opening was not touched"


def test_the_page_judges_what_is_typed(page: Page) -> None:
    page.type_sheet("FRANCE:\nA PAR - BUR\nA MAR - BUR\n")
    assert page.verdicts() == {"A PAR - BUR": "fails", "A MAR - BUR": "fails"}
    page.type_sheet("FRANCE:\nA PAR - BUR\n")
    assert page.verdicts() == {"A PAR - BUR": "succeeds"}
