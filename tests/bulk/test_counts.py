"""Counting order sets and positions: known numbers, two ways that agree, and brute force that judges every order set."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from pathlib import Path
from random import Random

import openings
import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.bulk.position_counts import Count, Families
from satjudge.judging.judge import judge
from satjudge.judging.legal_orders import legal_orders
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.search.open_orders.universe import Need, Spot, Universe, spots_of
from satjudge.world.board import Board, Phase, Unit, starting_board
from satjudge.world.geography import UnitKind, load_map
from satjudge.world.orders import Convoy, Hold, Move

MAP = load_map()
SPRING_1901 = Count(starting_board())


def test_the_order_sets_of_spring_1901() -> None:
    """Moves and holds as Christian Ankerstjerne counted them in 2011; England has 125 of them, Russia 672."""
    assert SPRING_1901.plain_order_sets == 5_080_320_000_000_000
    assert SPRING_1901.order_sets == 19_837_330_971_695_677_440_000
    plain = {power: prod(one.plain_orders for one in SPRING_1901.for_power(power).units.values()) for power in MAP.powers}
    assert plain == {
        "AUSTRIA": 144, "ENGLAND": 125, "FRANCE": 125, "GERMANY": 240, "ITALY": 175, "RUSSIA": 672, "TURKEY": 80,
    }  # fmt: skip


def test_the_positions_after_spring_1901() -> None:
    assert SPRING_1901.reason_for_more is None
    assert SPRING_1901.positions() == 67_804_242_146_058
    for told_apart, number in ((False, 67_804_242_146_058), (True, 171_431_223_675_180)):
        assert SPRING_1901.positions_by_power(told_apart=told_apart) == number


@pytest.mark.slow
def test_the_positions_in_which_units_that_are_alike_are_told_apart() -> None:
    assert SPRING_1901.positions(told_apart=True) == 171_431_223_675_180


def random_boards(count: int, units: int, seed: int) -> list[Board]:
    """Few units near each other, so that they bounce and are alike; of two powers."""
    random = Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        centre = random.choice(sorted(MAP.provinces))
        near = sorted({centre, *MAP.neighbours[centre]})
        spots = random.sample(sorted(spots_of(MAP, near)), min(units, len(near)))
        if len({spot.province for spot in spots}) == units:
            placed = (Unit(random.choice(("FRANCE", "ENGLAND")), *spot) for spot in spots)
            boards.append(Board(tuple(placed), map=MAP))
    return boards


def positions_judged(board: Board, *, plain: bool, told_apart: bool) -> set[object]:
    """Every position without a dislodged unit that order sets lead to, each judged."""
    listed = []
    for power, units in legal_orders(board).items():
        for orders in units.values():
            kept = [order for order in orders if not plain or is_plain(board, order)]
            listed.append([(power, order) for order in kept])
    found: set[object] = set()
    for row in product(*listed):
        given: dict[str, list[object]] = {}
        for power, order in row:
            given.setdefault(power, []).append(order)
        outcome = judge(board, given)  # type: ignore[arg-type]
        if told_apart:
            ends = {province: move.order.destination for province, move in outcome.successful_moves.items()}
            found.add(frozenset(ends.items()) if not outcome.dislodgements else "dislodged")
        else:
            found.add(frozenset(outcome.units) if not outcome.dislodgements else "dislodged")
    return found - {"dislodged"}


def is_plain(board: Board, order: object) -> bool:
    """Whether it is a hold, or a move without a convoy."""
    if isinstance(order, Move):
        unit = board.unit_at[order.unit.province]
        return not order.via_convoy and order.destination in board.map.exits(unit.kind, unit.location)
    return isinstance(order, Hold)


@pytest.mark.parametrize("told_apart", [False, True])
@pytest.mark.parametrize(("boards", "units", "seed"), [(4, 3, 1), pytest.param(40, 4, 2, marks=pytest.mark.slow)])
def test_two_ways_agree_with_every_order_set_judged(boards: int, units: int, seed: int, told_apart: bool) -> None:
    """Rings, standoffs, changes of places, coasts: each position that moves and holds lead to, and no other."""
    for board in random_boards(boards, units, seed):
        count = Count(board)
        judged = positions_judged(board, plain=True, told_apart=told_apart)
        assert count.positions(told_apart=told_apart) == len(judged), board.units
        assert count.positions_by_power(told_apart=told_apart) == len(judged), board.units


@pytest.mark.slow
def test_help_leads_to_no_more_where_it_is_said_so() -> None:
    """All legal orders judged: where nothing can be dislodged or convoyed, supports make no new position."""
    settled = 0
    for board in random_boards(60, 3, 3):
        count = Count(board)
        found = positions_judged(board, plain=False, told_apart=False)
        assert count.positions() <= len(found)
        if count.reason_for_more is None:
            settled += 1
            assert count.positions() == len(found), board.units
    assert settled > 10


def test_where_help_may_lead_to_more() -> None:
    assert Count(find_bundled_case("6.F.14").board).reason_for_more == "A BRE might be convoyed"
    owners = {"BUR": "FRANCE", "TYR": "ITALY", "MUN": "GERMANY"}
    armies = tuple(Unit(power, UnitKind.ARMY, place) for place, power in owners.items())
    assert Count(Board(armies, map=MAP)).reason_for_more == "A MUN might be dislodged"
    assert Count(Board(armies[1:], map=MAP)).reason_for_more is None


def test_a_ring_and_a_change_of_places() -> None:
    """Three armies go round; two cannot change places, and if they are alike nobody would see it."""
    armies = [Unit("FRANCE", UnitKind.ARMY, place) for place in ("PAR", "BUR")]
    count = Count(Board(tuple(armies), map=MAP))
    each = [1 + len(MAP.army[unit.location]) for unit in armies]
    both_in_one = len({"PAR", *MAP.army["PAR"]} & {"BUR", *MAP.army["BUR"]})
    assert count.positions(told_apart=True) == prod(each) - both_in_one - 1


def test_fleets_that_are_alike_cannot_change_places_to_get_to_another_coast() -> None:
    """F CON would stand in BUL/SC, where F BUL/EC cannot have gone: that does not look like holding."""
    fleets = tuple(Unit("FRANCE", UnitKind.FLEET, place) for place in ("BUL/EC", "CON"))
    board = Board(fleets, map=MAP)
    judged = positions_judged(board, plain=True, told_apart=False)
    assert Count(board).positions() == Count(board).positions_by_power() == len(judged)


@pytest.mark.parametrize("name", ["standard", "1898", pytest.param("chaos", marks=pytest.mark.slow)])
def test_the_candidates_of_searches_are_as_many(name: str) -> None:
    """The kernel of unknown orders lists the same orders from other code (but for coasts in supports)."""
    board = starting_board(name)
    universe = Universe(Count(board).rulebook, board.units, map=board.map)
    stands = set(universe.standing)

    def is_met(need: Need) -> bool:
        return stands.issuperset(need.spots)

    for unit, counted in Count(board).units.items():
        spot = Spot(unit.kind, unit.location)
        given = [one.order for one in universe.candidates if spot in one.given_to and any(map(is_met, one.needs))]
        assert len(given) + 1 == counted.all_orders, unit
        assert sum(isinstance(order, Move) and not order.via_convoy for order in given) == counted.moves
        assert sum(isinstance(order, Convoy) for order in given) == counted.convoys


def test_families_are_sets_of_sets() -> None:
    """Random families: every operation of the diagrams against Python's own sets."""
    random = Random(5)
    for _ in range(60):
        sets = Families("abcdef")
        number, model = Families.EMPTY_SET, {frozenset[str]()}
        for _ in range(6):
            thing = random.choice("abcdef")
            match random.randrange(3):
                case 0:
                    number, model = sets.exclude(number, thing), {one for one in model if thing not in one}
                case 1:
                    free = {one for one in model if thing not in one}
                    more = sets.add(sets.exclude(number, thing), thing)
                    number, model = sets.union(number, more), model | {one | {thing} for one in free}
                case _:
                    number, model = sets.forget(number, thing), {one - {thing} for one in model}
            assert sets.size(number) == len(model)


def test_a_map_with_rules_of_its_own_and_other_phases() -> None:
    with pytest.raises(InputError, match="colonial"):
        Count(starting_board("colonial")).positions()
    with pytest.raises(InputError, match="movement phases"):
        Count(Board(starting_board().units, phase=Phase.RETREAT, map=MAP))


def test_count_shows_the_beginning_of_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "--map", "1898", "--second-opinion"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The beginning of a game on the map 1898  [datc-3]\n")
    assert shown.count("63,000") == 4
    assert shown.endswith("A second way of counting gives the same numbers.\n")
    assert run(["count", "--map", "colonial"]) == 0
    assert "Positions are not counted, because" in capsys.readouterr().out
    assert run(["count", "--case", "1"]) == 2


@pytest.mark.slow
def test_openings_that_are_different_by_some_definition() -> None:
    """Conditions on pairs of orders: a third way to the positions in which all units are told apart."""
    every = openings.Among.ALL
    assert openings.openings(openings.Definition("none")) == SPRING_1901.plain_order_sets
    assert openings.openings(openings.Definition("none", False, every, every, every)) == 171_431_223_675_180
    kept = openings.KEPT.read_text(encoding="utf-8")
    assert not any(f"{openings.LOEB + near:,} " in kept for near in range(-10, 11))
    for definition in (openings.Definition("own moves", True), openings.Definition("all moves", False, every, every, every)):
        assert openings.line(definition, openings.openings(definition)) + "\n" in kept


GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "counts.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "shown"), re.findall(r"```console\n\$ satjudge (.*)\n((?s:.*?))```", GUIDE))
def test_the_guide_shows_what_is_told(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command.split()) == 0
    assert capsys.readouterr().out.strip() == shown.strip()
