"""`Position`: a board with the orders of its phase as one value."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import satjudge
from satjudge import Position, judge, judge_phase, load_map, parse_order, parse_unit, resolutions, starting_board
from satjudge.base.errors import (
    BoardError,
    InputError,
    NotationError,
    NotFoundError,
    RequestError,
    RulebookError,
    SheetError,
    UnresolvedError,
)
from satjudge.files.cases import SeveralCasesError
from satjudge.judging.retreats import RetreatOutcome
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.write import write_sheet
from satjudge.world.board import Phase, Season, Turn

PARADOX = {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]}
SHEET = "France:\n  A Par - Bur\nGermany:\n  A Mun - Bur\n"


def sheet_by(rules: str, identity: str) -> str:
    """A case of the DATC as a sheet that names its rulebook."""
    heading, _, rest = write_sheet(find_bundled_case(identity)).partition("\n")
    return f"{heading}\nrules: {rules}\n{rest}"


@pytest.fixture
def paradox() -> Position:
    return Position.of(PARADOX)


def test_units_stand_where_they_are_ordered_from(paradox: Position) -> None:
    units = [(power, order.split()[0], order.split()[1]) for power, listed in PARADOX.items() for order in listed]
    assert [(unit.power, str(unit.kind), unit.location) for unit in paradox.board.units] == units
    assert paradox.texts == PARADOX


def test_a_position_says_what_judge_says_of_its_board_and_orders(paradox: Position) -> None:
    assert paradox.judge().results == judge(paradox.board, PARADOX).results == judge(*paradox).results
    assert list(paradox.resolutions()) == list(resolutions(paradox.board, PARADOX))
    assert paradox.judge("1971").results == judge(paradox.board, PARADOX, rulebook="1971").results
    assert paradox.legal_orders() == paradox.board.legal_orders()


def test_orders_and_powers_are_taken_in_any_form() -> None:
    order = parse_order("A MUN - BUR", load_map())
    given = {"France": ["army paris to burgundy"], "germany": (order,)}
    assert Position.of(given) == Position.of({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})


def test_units_without_orders_are_named_beside_the_orders() -> None:
    loeb9 = load_map("loeb9")
    spain = Position.of(
        {"SPAIN": ["A Madrid - Navarre"]}, units={"SPAIN": ["A London"]}, map="loeb9", turn=Turn(1901, Season.FALL)
    )
    assert spain.board.units == (parse_unit("A London", "SPAIN", loeb9), parse_unit("A Madrid", "SPAIN", loeb9))
    assert (spain.board.map, spain.board.phase_name) == (loeb9, "F1901M")
    ordered_in_short = Position.of({"ENGLAND": ["LON H"]}, units={"ENGLAND": ["F LON"]}, centers={"LON": "ENGLAND"})
    assert (str(ordered_in_short.board.units[0]), ordered_in_short.board.centers) == ("F LON", {"LON": "ENGLAND"})


def test_centers_are_read_as_units_and_orders_are() -> None:
    for place, name in (("PAR", "France"), ("Paris", "FRENCH"), ("par", "Frankreich")):
        position = Position.of({}, units={name: ["A Mar"]}, centers={place: name})
        assert (position.board.units[0].power, position.board.centers) == ("FRANCE", {"PAR": "FRANCE"})


def test_a_rulebook_is_found_by_a_year_or_a_path(tmp_path: Path) -> None:
    book: Any
    (tmp_path / "club.toml").write_text('based_on = "1971"\ntitle = "Ours"\n', encoding="utf-8")
    for book in (1971, tmp_path / "club.toml"):
        assert Position.of(PARADOX).judge(book).results


@pytest.mark.parametrize(
    ("given", "error", "told"),
    [
        ({"FRANCE": ["LON H"]}, SheetError, "^is LON an army or a fleet\\? \\(state what is there: units="),
        ({"FRANCE": ["PAR H"]}, SheetError, r'^is PAR an army .* what is there: units={"FRANCE": \["A PAR"\]}\)$'),
        ({"FRANCE": ["A LON H"], "ENGLAND": ["F LON H"]}, SheetError, r'^two units in LON: .*units={"FRANCE": \["A LON"\]}\)$'),
        ({"FRANCE": ["A ENG H"]}, BoardError, "^A ENG of FRANCE: an army cannot be at sea"),
        ({"Fraence": ["A PAR H"]}, NotationError, "did you mean France"),
        ({"FRANCE": ["A PAR - PCI"]}, NotationError, "^order 1 of FRANCE, column 9: .*did you mean Picardy"),
        ({"FRANCE": "A PAR H"}, NotationError, "must be a list"),
        ({"units": ["A MAR"]}, NotationError, r"^units must be given by power, not as \['A MAR'\] \(write"),
        ({"units": {"France": "A MAR"}}, NotationError, r"^the units of France must be a list \(write \['A MAR'\]\)$"),
        ({"centers": {"PAR": "Fraence"}}, NotationError, r"^centers, 'PAR': there is no power 'Fraence' \(did you mean France"),
        ({"centers": {"Pairs": "France"}}, NotationError, r"^centers, 'Pairs', column 1: .*\(did you mean Paris"),
        ({"centers": {"PAR": "France", "Paris": "Italy"}}, NotationError, "^PAR is a centre of both FRANCE and ITALY"),
        ({"centers": {"BUR": "France"}}, BoardError, "^FRANCE owns BUR: Burgundy has no supply centre"),
        ({"centers": ["PAR"]}, NotationError, "^centers must give each centre's owner"),
        ({"turn": "F1901M"}, BoardError, r"^the turn must be a Turn, such as Turn\(1901, Season.FALL\), not 'F1901M'$"),
    ],
)
def test_what_cannot_be_placed_is_told_without_a_line(given: dict[str, Any], error: type[InputError], told: str) -> None:
    options = given if {"units", "centers", "turn"}.intersection(given) else {"orders": given}
    with pytest.raises(error, match=told) as raised:
        Position.of(**{"orders": {}, **options})
    assert raised.value.line is None


@pytest.mark.parametrize("name", ["datc:6.F.14", "line:walker-1"])
def test_files_of_every_kind_are_read(name: str, tmp_path: Path) -> None:
    position = Position.read(name)
    prefix, _, identity = name.partition(":")
    sheet = find_bundled_case(identity, prefix)
    assert (position.board, position.name, position.rules) == (sheet.board, sheet.identity, sheet.rules)
    text = write_sheet(sheet)
    file = tmp_path / "sheet.txt"
    file.write_text(text)
    assert Position.read(text) == Position.read(text.encode()) == Position.read(file) == Position.read(str(file)) == position


def test_a_file_is_judged_by_its_own_rulebook() -> None:
    position = Position.read(sheet_by("1971", "6.F.9"))
    assert position.judge().results == position.judge("1971").results != position.judge("datc-3").results
    assert list(position.resolutions()) == list(position.resolutions("1971"))
    explained = {one.verdict for one in position.explain()} - {one.verdict for one in position.explain(rulebook="datc-3")}
    assert explained


def test_one_of_several_cases_is_chosen(tmp_path: Path) -> None:
    assert len(Position.read_all("datc:6.F")) == 30
    assert Position.read("datc:6.F", case="6.F.14") == Position.read("datc:6.F.14")
    with pytest.raises(SeveralCasesError, match=r"contains 30 cases \(choose one of 6\.F\.1, ") as caught:
        Position.read("datc:6.F")
    assert str(caught.value).endswith(', as in Position.read(…, case="6.F.1"))')
    with pytest.raises(NotFoundError, match=r"there is no case 6\.G\.1 in datc:6\.F"):
        Position.read("datc:6.F", case="6.G.1")
    with pytest.raises(NotFoundError, match=r"there is no file France: A Par - Bur \(end a text with a line break\)"):
        Position.read("France: A Par - Bur")
    with pytest.raises(NotFoundError, match="shipped cases are named like"):
        Position.read(tmp_path / "none.txt")


def test_a_fault_in_a_text_is_told_with_its_line_or_read_leniently() -> None:
    text = SHEET.replace("A Par - Bur", "A Par - Pci")
    with pytest.raises(NotationError, match=r"the text:2:\d+: expected a province"):
        Position.read(text)
    assert Position.read(text, lenient=True).judge().results == {"FRANCE": ["illegal"], "GERMANY": ["succeeds"]}
    (leniently,) = Position.read_all(text, lenient=True)
    assert leniently.texts["GERMANY"] == ["A MUN - BUR"]


def test_a_sheet_on_a_map_of_its_own() -> None:
    assert Position.read("Spain:\n  A Madrid - Navarre\n", map=load_map("loeb9")).judge().results == {"SPAIN": ["succeeds"]}


def test_an_order_takes_the_place_of_that_to_the_same_unit(paradox: Position) -> None:
    changed = paradox.order("England", "Lon - Nth", "F Wal H")
    assert changed.texts["ENGLAND"] == ["LON - NTH", "F WAL H"]
    assert (changed.board, paradox.texts) == (paradox.board, PARADOX)
    assert paradox.order("Austria", "A Vie H").judge().results["AUSTRIA"] == ["illegal"]


def test_orders_are_left_out_by_text_value_or_unit(paradox: Position) -> None:
    support = paradox.orders["ENGLAND"][0]
    for said in ("F Lon S F Wal - Eng", "F LON", "lon", support):
        assert paradox.without(said).texts == PARADOX | {"ENGLAND": ["F WAL - ENG"]}
    assert paradox.without("F LON", "F WAL").judge().results == {"FRANCE": ["fails", "available"], "ENGLAND": []}
    with pytest.raises(NotFoundError, match=r"there is no order A PAR \(there is A BRE"):
        paradox.without("A PAR")


def test_one_verdict_or_all_are_explained(paradox: Position) -> None:
    assert "4.A.2=szykman" in paradox.explain("F ENG").rules
    assert [one.order for one in paradox.explain()] == [order for given in PARADOX.values() for order in given]
    with pytest.raises(NotFoundError, match=r"there is no order A PAR \("):
        paradox.explain("A PAR")


def test_later_phases_are_positions_too(paradox: Position) -> None:
    retreat = Position(paradox.judge().next_board, {"France": ["F Eng - Iri"]})
    assert isinstance(retreat.judge(), RetreatOutcome)
    assert retreat.judge().results == {"FRANCE": ["succeeds"]}
    assert retreat.explain("F ENG").rules == ("6.H.7",)
    assert [one.order for one in retreat.explain()] == ["F ENG R IRI"]
    assert retreat.without("F ENG").texts == {"FRANCE": []}
    with pytest.raises(RequestError, match="only movement phases have resolutions"):
        retreat.resolutions()
    winter = satjudge.Board((), centers={"PAR": "FRANCE", "MAR": "FRANCE"}, phase=Phase.ADJUSTMENT)
    built = Position(winter, {"FRANCE": ["A PAR B"]}).order("France", "A Mar B")
    assert built.judge().results == {"FRANCE": ["succeeds", "succeeds"]}
    assert "6.I" in built.explain("A MAR B").rules


@pytest.mark.parametrize(
    "ask", [Position.judge, Position.resolutions, lambda position, name: position.explain(rulebook=name), Position.legal_orders]
)
def test_an_unknown_rulebook_is_told(ask: Callable[[Position, str], object], paradox: Position) -> None:
    with pytest.raises(RulebookError, match="there is no rulebook 'x'"):
        ask(paradox, "x")
    with pytest.raises(RulebookError, match=r"write legal_orders\(\)\['A BRE'\]"):
        paradox.legal_orders("A BRE")


def test_positions_are_values(paradox: Position) -> None:
    same = Position.of(PARADOX)
    assert {paradox: 1}[same] == 1
    assert pickle.loads(pickle.dumps(paradox)) == paradox
    assert paradox.without("F LON") != paradox
    assert repr(paradox) == "<Position: movement; 4 orders; FRANCE A BRE, F ENG; ENGLAND F LON, F WAL>"


def test_a_position_shows_itself(paradox: Position) -> None:
    assert str(paradox).splitlines()[0] == "Movement phase, 4 units"
    assert [line.split(maxsplit=1) for line in str(paradox).splitlines()][-4] == ["France", "A BRE - LON"]
    assert satjudge.render.svg(paradox, width=900) == satjudge.render.svg(paradox.judge(), width=900)
    assert satjudge.render.svg(paradox, width=900) in paradox._repr_html_()


def test_a_position_without_an_answer_is_drawn_all_the_same() -> None:
    unruled = Position.read(sheet_by("1971", "6.F.18"))
    with pytest.raises(UnresolvedError):
        unruled.judge()
    assert satjudge.render.svg(unruled).startswith("<svg")


def test_a_full_board_is_a_position_but_not_an_impossible_one(paradox: Position) -> None:
    assert Position(starting_board(), {}).judge().results == {}
    with pytest.raises(BoardError, match="two units in BRE"):
        Position(satjudge.Board((*paradox.board.units, paradox.board.units[0])), {})


def test_a_position_is_explained_by_another_rulebook_as_it_is_judged_by_it() -> None:
    position = Position.read("datc:6.F.17")
    assert position.explain("A BRE - LON", "1971").verdict == "succeeds" == position.judge("1971").results["FRANCE"][0]
    assert str(position.what_would_change("A BRE - LON", "1971")).startswith("A BRE - LON fails if ")


@pytest.mark.parametrize("ask", [judge, judge_phase, resolutions])
def test_units_by_power_are_no_board_and_are_told_what_makes_one(ask: Callable[[Any, dict[str, list[str]]], object]) -> None:
    with pytest.raises(RequestError, match=r"expected a Board, not dict \(`Position\.of\("):
        ask({"FRANCE": ["A PAR"]}, {"FRANCE": ["A PAR - BUR"]})
