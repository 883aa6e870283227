"""What values show of themselves in a notebook: short lines, tables and pictures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from inspect import signature
from xml.etree import ElementTree

import msgspec
import pytest
from helpers.scripted_game import SCRIPT, scripted
from test_showing import full_board

import satjudge
from satjudge import Game, judge, load_map, load_rulebook, resolutions, starting_board
from satjudge.base.errors import NotationError
from satjudge.base.values import Displayable
from satjudge.bulk.census import Plan, tally_boards
from satjudge.engines.campaign import make_campaign
from satjudge.engines.campaign import tally_boards as tally_campaign
from satjudge.engines.positions import Fuzz
from satjudge.engines.replaying import replay
from satjudge.explain.changes import what_if
from satjudge.explain.compare import compare
from satjudge.explain.contradictions import why_no_resolution, why_not
from satjudge.explain.cores import classify_cores
from satjudge.files.diplomacy_package import read_games
from satjudge.files.documents import described_map
from satjudge.files.maps import make_map, read_tables
from satjudge.game.documents import make_game_document, make_phase_document
from satjudge.judging.check import check
from satjudge.judging.position import read_sheet_position
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.search.goals.registry import parse_goal
from satjudge.search.goals.wishes import parse_wish
from satjudge.search.guarantees.one_season import WishTable, find_guarantee
from satjudge.search.lines.line import read_line
from satjudge.search.lines.prove import examine_line
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search
from satjudge.show.pictures.map_geometry import find_geometry
from satjudge.show.pictures.scene import scene_of

MOST = 20
"""Entries of a collection that are looked at."""
LONGEST = 300
"""Characters that a value may show of itself in a line."""


def values() -> Iterator[object]:
    """One value or more of whatever users get from the package."""
    game, rules = scripted(), load_rulebook("1971")
    yield from (game, make_game_document(game), make_phase_document(game, game.at("S1902M")), game.resolutions("S1902M"), rules)
    for phase in SCRIPT:
        yield from (game.at(phase), game.judge(phase), *game.explanations(phase))
    yield from read_games(msgspec.json.encode(game.document()))
    yield from replay(read_games(msgspec.json.encode(game.document()))[0], rules)
    for name in ("colonial", "chaos", "1898"):
        yield from (starting_board(name), load_map(name), described_map(load_map(name)))
    board, orders = full_board()
    yield from (judge(board, orders), resolutions(board, orders), satjudge.render.svg(board), find_geometry(board.map))
    sheet = find_bundled_case("6.F.14")
    paradox = judge(sheet.board, {power: list(map(str, given)) for power, given in sheet.orders_by_power().items()})
    yield from (sheet, check(sheet, rules), scene_of(paradox), *classify_cores(paradox.adjudication))
    yield from (
        why_not(paradox, "A BRE"),
        what_if(sheet.board, paradox.orders, without=["F WAL - ENG"]),
        *why_no_resolution(paradox),
    )
    yield compare(read_sheet_position(sheet), [load_rulebook(), rules])
    region = frozenset(("LON", "WAL", "ENG"))
    universe = Universe(rules, spots=spots_of(sheet.map, region), region=region)
    yield Search(universe, parse_goal("dislodged:LON", sheet.map), Objective.UNITS).run()
    yield examine_line(read_line(find_bundled_case("walker-1", "line"), load_rulebook()))
    yield find_guarantee(WishTable(sheet.board, "ENGLAND", parse_wish("take ENG", sheet.board, "ENGLAND"), load_rulebook()))
    yield from (plan := Plan(), tally_boards(plan, range(3)))
    yield from (campaign := make_campaign("kruijswijk-guess", Fuzz(1, 3)), tally_campaign(campaign, range(3)))


def held(value: object) -> Iterator[object]:
    """What a value is made of: its fields, and what was worked out about it."""
    if isinstance(value, Mapping):
        for key in list(value)[:MOST]:
            yield from (key, value[key])
    elif isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        yield from list(value)[:MOST]
    elif type(value).__module__.startswith("satjudge."):
        fields = *getattr(value, "__slots__", ()), *getattr(value, "__struct_fields__", ()), *getattr(value, "__dict__", ())
        yield from (getattr(value, name) for name in fields if hasattr(value, name))


def test_every_value_shows_itself_in_one_short_line() -> None:
    waiting, seen, told = [*values()], set(), dict[str, str]()
    kept = []
    while waiting:
        value = waiting.pop()
        if id(value) in seen or (isinstance(value, str | int | float | None | type) and type(value).__module__ == "builtins"):
            continue
        seen.add(id(value))
        kept.append(value)  # so that no other value gets its id
        if type(value).__module__.startswith("satjudge."):
            told[type(value).__name__] = max(told.get(type(value).__name__, ""), repr(value), key=len)
        waiting.extend(held(value))
    assert len(told) > 100
    assert {kind: len(line) for kind, line in told.items() if len(line) > LONGEST or "\n" in line} == {}


@cache
def shown_values() -> dict[str, tuple[Displayable, str]]:
    """A value of each kind that has a table, with words of the table."""
    game = scripted()
    board = game.at("S1902M").board
    return {
        "Game": (game, "No orders have been given yet."),
        "Played": (game.at("S1902M"), "disrupted, dislodged"),
        "Board": (board, "A TRI"),
        "Outcome": (game.judge("S1902M"), "disrupted, dislodged"),
        "RetreatOutcome": (game.judge("S1902R"), "F ENG R IRI"),
        "AdjustmentOutcome": (game.judge("W1902A"), "England in civil disorder loses F ENG."),
        "Resolutions": (game.resolutions("S1902M"), "Consistent resolutions: 2."),
        "Map": (load_map("1898"), "St Petersburg"),
    }


KINDS = ["Game", "Played", "Board", "Outcome", "RetreatOutcome", "AdjustmentOutcome", "Resolutions", "Map"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_a_picture_and_the_table_of_the_command(kind: str) -> None:
    value, words = shown_values()[kind]
    page = ElementTree.fromstring(value._repr_html_())
    assert type(value).__name__ == kind
    assert page[0].tag == "{http://www.w3.org/2000/svg}svg"
    assert page.findall("table")
    told = " ".join(text for part in page[1:] for text in part.itertext())
    assert words in told
    assert {*str(value).split()} <= {*told.split()}  # `print` shows the same


def test_names_of_strangers_are_text() -> None:
    hostile = {**read_tables("standard"), "name": "<script>alert(1)</script>", "title": "<img src=x onerror=alert(1)>"}
    board = replace(starting_board(make_map(hostile, "a map")), centers={"PAR": "<b>"})
    for value in (board, board.map, Game.new(board=board)):
        page = value._repr_html_()
        assert "<script" not in page
        assert "<img" not in page
        assert "&lt;" in page


def test_a_phase_without_an_answer_shows_the_position_and_why() -> None:
    sheet = find_bundled_case("6.F.14")
    orders = {power: list(map(str, given)) for power, given in sheet.orders_by_power().items()}
    game = Game.new(board=sheet.board, rulebook=load_rulebook().with_settings(["4.A.2=none"]))
    for power, given in orders.items():
        game.set_orders(power, given)
    assert "Unresolved: " in str(game.at())
    assert "<svg" in game.at()._repr_html_()


def test_values_are_shown_without_the_renderer_until_they_are_asked() -> None:
    program = (
        "import sys; from satjudge import Game; game = Game.new(); game.next(); repr([game, *game.history, game.map])\n"
        "print([name for name in ('rich', 'satjudge.render', 'satjudge.notation.documents') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "[]"


def test_a_notebook_shows_of_an_error_the_line_that_called_and_the_message() -> None:
    with pytest.raises(NotationError) as caught:
        Game.new().order("FRANCE", "A PAR - BRU")
    line, message = caught.value._render_traceback_()
    assert __file__ in line
    assert line.endswith('    Game.new().order("FRANCE", "A PAR - BRU")\n')
    assert message == f"NotationError: {caught.value}"
    assert message.endswith("(did you mean Burgundy (BUR)?)")
    assert NotationError("never raised")._render_traceback_() == ["NotationError: never raised"]


def test_a_phase_is_what_a_slider_shows() -> None:
    """`ipywidgets.interact(game.at, phase=…)`, as docs/guides/notebooks.md has it, calls it with a phase and shows that."""
    game = scripted()
    assert list(signature(game.at).parameters) == ["phase"]
    assert "<svg" in game.at(phase=game.history[3].phase_name)._repr_html_()
