"""How a game goes on: the position that follows each outcome, when centres change hands, what is left out, on any map."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from helpers.playing_out import small_map

from satjudge import judge_phase, parse_unit, starting_board
from satjudge.world.board import Board, Phase, Season, Turn, Unit, by_power
from satjudge.world.geography import Map, UnitKind, load_map, map_from
from satjudge.world.seasons import adjustments_due, build_sites, centers_after_fall

MAP = load_map()
FALL = Turn(1901, Season.FALL)


def position(
    units: Mapping[str, str], centers: Mapping[str, str], phase: Phase = Phase.MOVEMENT, turn: Turn | None = FALL
) -> Board:
    """Units divided by commas, centres by blanks."""
    standing = tuple(parse_unit(text.strip(), power, MAP) for power, texts in units.items() for text in texts.split(","))
    owners = {center: power for power, text in centers.items() for center in text.split()}
    return Board(standing, (), owners, phase, turn=turn)


def after(board: Board, **orders: list[str]) -> Board:
    return judge_phase(board, orders).next_board


def test_a_year_of_a_game() -> None:
    """Spring, Fall, retreats, adjustments, Spring: centres change hands once, after the retreats of Fall."""
    spring = starting_board()
    assert spring.phase_name == "S1901M"
    fall = after(spring, FRANCE=["F BRE - MAO", "A MAR - SPA"], ITALY=["A VEN - TRI"], AUSTRIA=["F TRI - ADR"])
    assert (fall.phase_name, fall.phase, fall.centers) == ("F1901M", Phase.MOVEMENT, spring.centers)
    retreats = after(fall, AUSTRIA=["F ADR - VEN", "A VIE - TRI", "A BUD S A VIE - TRI"], FRANCE=["F MAO - POR"])
    assert (retreats.phase_name, retreats.phase, retreats.centers) == ("F1901R", Phase.RETREAT, spring.centers)
    assert [str(lost.unit) for lost in retreats.dislodged] == ["A TRI"]
    winter = after(retreats, ITALY=["A TRI R SER"])
    assert (winter.phase_name, winter.phase, winter.dislodged) == ("W1901A", Phase.ADJUSTMENT, ())
    taken = {"SPA": "FRANCE", "POR": "FRANCE", "SER": "ITALY", "VEN": "AUSTRIA"}
    assert winter.centers == {**spring.centers, **taken}
    assert adjustments_due(winter) == {"FRANCE": 2, "AUSTRIA": 1}  # Italy lost Venice and won Serbia
    board = after(winter, FRANCE=["A MAR B", "F BRE B"])  # Austria waives its build
    assert (board.phase_name, board.phase, board.centers) == ("S1902M", Phase.MOVEMENT, winter.centers)
    assert by_power(board.units)["FRANCE"] == ["F POR", "A SPA", "A PAR", "A MAR", "F BRE"]


def test_centres_change_hands_after_fall_without_retreats() -> None:
    board = after(position({"FRANCE": "F MAO"}, {"FRANCE": "PAR"}), FRANCE=["F MAO - POR"])
    assert (board.phase_name, board.centers) == ("W1901A", {"PAR": "FRANCE", "POR": "FRANCE"})
    assert adjustments_due(board) == {"FRANCE": 1}


@pytest.mark.parametrize(
    ("units", "centers"),
    [
        ({"FRANCE": "A PAR, A BUR"}, {"FRANCE": "PAR BRE"}),  # as many as there should be
        ({"FRANCE": "A PAR"}, {"FRANCE": "PAR BEL"}),  # one too few, but no home centre to build in
        ({"FRANCE": "A PAR"}, {"FRANCE": "PAR", "GERMANY": "BEL"}),  # nor has Germany any
    ],
)
def test_adjustments_that_nobody_has_are_left_out(units: Mapping[str, str], centers: Mapping[str, str]) -> None:
    assert after(position(units, centers)).phase_name == "S1902M"


def test_whoever_has_a_unit_too_many_must_adjust_whether_on_the_map_or_not() -> None:
    board = after(position({"Carthage": "A TUN, A NAF"}, {}))
    assert (board.phase_name, adjustments_due(board)) == ("W1901A", {"Carthage": -1})
    assert after(board, Carthage=["A NAF D"]).phase_name == "S1902M"


@pytest.mark.parametrize(("season", "name"), [(Season.SPRING, "F1901M"), (Season.FALL, "W1901A")])
def test_retreats_that_nobody_has_are_left_out(season: Season, name: str) -> None:
    """The army in Tunis is destroyed; after Fall France must remove its fleets."""
    board = position(
        {"FRANCE": "A TUN, F TYS, F ION", "TURKEY": "F NAF, F WES"}, {"TURKEY": "TUN SMY"}, turn=Turn(1901, season)
    )
    found = after(board, TURKEY=["F WES - TUN", "F NAF S F WES - TUN"])
    assert (found.dislodged, found.centers) == ((), {"TUN": "TURKEY", "SMY": "TURKEY"})
    assert found.phase_name == name


def test_spring_takes_no_centres() -> None:
    board = position({"FRANCE": "A BEL"}, {"GERMANY": "BEL"}, turn=Turn(1905, Season.SPRING))
    assert (after(board).phase_name, after(board).centers) == ("F1905M", {"BEL": "GERMANY"})


def test_a_position_by_itself_is_followed_by_moves() -> None:
    """Nothing tells whether Fall is over."""
    board = after(position({"FRANCE": "A BEL"}, {"GERMANY": "BEL"}, turn=None))
    assert (board.phase_name, board.phase, board.centers) == ("", Phase.MOVEMENT, {"BEL": "GERMANY"})
    adjusted = after(position({"FRANCE": "A BEL"}, {}, Phase.ADJUSTMENT, None))
    assert (adjusted.phase, adjusted.units) == (Phase.MOVEMENT, ())


def tiny_map() -> Map:
    """Two powers that begin in 2201, on three provinces that are all centres."""
    names = {power: {"name": power.title(), "adjective": power.title()} for power in ("RED", "BLUE")}
    land = {"kind": "inland", "center": True}
    provinces = {
        "AAA": land | {"name": "Aa", "home": "RED", "unit": "A", "army": ["BBB"]},
        "BBB": land | {"name": "Bee", "army": ["AAA", "CCC"]},
        "CCC": land | {"name": "Cee", "home": "BLUE", "unit": "A", "army": ["BBB"]},
    }
    data = {"name": "tiny", "title": "Tiny", "first_year": 2201, "powers": ["RED", "BLUE"], "power": names}
    return map_from(data | {"province": provinces})


def test_another_map() -> None:
    tiny = tiny_map()
    assert (MAP.first_year, tiny.first_year) == (1901, 2201)
    units = tuple(Unit(*entry) for entry in tiny.start)
    board = Board(units, (), {"AAA": "RED", "CCC": "BLUE"}, map=tiny, turn=Turn(tiny.first_year, Season.SPRING))
    fall = after(board, RED=["A AAA - BBB"])
    winter = after(fall)
    assert (fall.phase_name, winter.phase_name) == ("F2201M", "W2201A")
    assert (adjustments_due(winter), build_sites(winter, "RED")) == ({"RED": 1}, ["AAA"])
    assert by_power(after(winter, RED=["A AAA B"]).units) == {"RED": ["A BBB", "A AAA"], "BLUE": ["A CCC"]}


@pytest.mark.parametrize("seed", range(20))
def test_no_position_of_a_game_is_impossible_or_stands_still(seed: int) -> None:
    """On made-up maps, with units that nobody orders and random moves: the turn goes on, and every board can be."""
    random = Random(seed)
    game_map = small_map(random)
    places = [place for place in sorted(game_map.provinces) if game_map.problem_with(UnitKind.ARMY, place) is None]
    units = tuple(Unit(random.choice(game_map.powers), UnitKind.ARMY, place) for place in places[:4])
    board = Board(units, map=game_map, turn=Turn(1901, Season.SPRING))
    for _ in range(20):
        orders: dict[str, list[str]] = {}
        for unit in board.units if board.phase is Phase.MOVEMENT else ():
            if exits := sorted(game_map.exits(unit.kind, unit.location)):
                orders.setdefault(unit.power, []).append(f"A {unit.location} - {random.choice(exits)}")
        found = after(board, **orders)
        assert found.problems() == []
        assert found.turn is not None
        assert board.turn is not None
        assert found.turn == board.turn or found.turn == board.turn.next_turn
        assert found.phase is not Phase.RETREAT or any(lost.retreats for lost in found.dislodged)
        assert found.phase is not Phase.ADJUSTMENT or adjustments_due(found)
        assert (found.turn, found.phase) != (board.turn, board.phase)
        board = found


def test_centres_go_to_the_units_in_them() -> None:
    board = position({"FRANCE": "A BEL, A BUR, F NTH", "GERMANY": "A PAR, F SPA/SC"}, {"FRANCE": "PAR BRE", "ENGLAND": "BEL"})
    assert centers_after_fall(board) == {"PAR": "GERMANY", "BRE": "FRANCE", "BEL": "FRANCE", "SPA": "GERMANY"}
    assert board.centers["PAR"] == "FRANCE", "the board itself stays as it was"


def test_the_centres_of_the_first_year_are_those_of_the_units() -> None:
    board = starting_board()
    assert centers_after_fall(board) == board.centers
    assert len(board.centers) == 22
