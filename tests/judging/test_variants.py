"""Random positions on maps with rules of their own (DATC 2.4, 7 to 10): the engines agree, and the laws hold there too.

A few hundred of them in the suite, thousands with `HYPOTHESIS_PROFILE=deep`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from test_compiler import assert_as_stated
from test_engines import assert_same, assert_satisfied
from test_laws import told

from satjudge.bulk.random_boards.boards import Flavour, random_board, random_phase
from satjudge.judging.equations.situation import CanalDecision, MoveDecision, Situation
from satjudge.judging.judge import judge, read_situation
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine, adjudicate
from satjudge.world.board import Board, Season, Unit
from satjudge.world.geography import Power, UnitKind, load_map, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Named, Permission
from satjudge.world.rules import load_rulebook

Orders = dict[Power, list[MovementOrder | Permission]]

MAPS = ("colonial", "colonial-otaru", "loeb9", "loeb9-10d", "loeb9-10f", "standard-9-both", "standard-cape", "chaos")
DATC_2 = load_rulebook("datc-2")
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
BOARDS = 1000 if DEEP else 40
BRUTE_DECISIONS = 18 if DEEP else 9
SIZES = ((2, 5), (3, 7), (4, 9), (6, 14))


def positions(name: str, illegal: float = 0.0, boards: int = BOARDS) -> Iterator[tuple[Board, Orders]]:
    """Positions on a map, most of them full of what it has of its own."""
    for number in range(boards):
        random = Random(f"{name} {number}")
        flavour = random.choice((*[Flavour.VARIANT] * 7, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.GENERAL))
        yield random_phase(random, flavour, random.choice(SIZES), illegal=illegal, game_map=load_map(name))


@cache
def outcomes(name: str) -> list[tuple[Board, Orders, Outcome]]:
    return [(board, orders, judge(board, orders, rulebook=DATC_2)) for board, orders in positions(name, illegal=0.1)]


@pytest.mark.parametrize("name", MAPS)
def test_positions_are_possible_and_orders_legal(name: str) -> None:
    for board, orders in positions(name):
        assert board.problems() == []
        docket = make_docket(board, orders, DATC_2)
        illegal = [entry for entries in docket.entries.values() for entry in entries if entry.reason]
        assert [entry.reason for entry in illegal if not isinstance(entry.order, Permission)] == []


def test_positions_are_full_of_what_the_map_has_of_its_own() -> None:
    found = Counter[str]()
    for name in MAPS:
        for board, _, outcome in outcomes(name):
            situation = outcome.adjudication.situation
            found["trains"] += len(situation.trains)
            found["trains that move"] += len(outcome.rides)
            found["canals that are open to a fleet"] += sum(isinstance(one, CanalDecision) for one in situation.decisions)
            found["moves over difficult borders"] += sum(move.difficult for move in situation.moves)
            found["moves at half strength"] += sum(move.halved for move in situation.moves)
            coasts = board.map.convoying - board.map.seas
            found["convoys by fleets in coasts"] += sum(
                bool(situation.places[code].convoys) for code in coasts & board.unit_at.keys()
            )
            found["positions in fall"] += bool(board.turn and board.turn.season is Season.FALL)
            found.update(f"ruled by {ruling.rule}" for ruling in outcome.adjudication.rulings)
    wanted = (
        "trains",
        "trains that move",
        "canals that are open to a fleet",
        "moves over difficult borders",
        "moves at half strength",
    )
    assert min(found[what] for what in (*wanted, "convoys by fleets in coasts", "positions in fall")) >= 10, found
    assert min(found["ruled by circular"], found["ruled by szykman"], found["ruled by canal"]) > 0, found


@pytest.mark.parametrize("name", MAPS)
def test_engines_agree_and_satisfy_the_equations(name: str) -> None:
    for board, orders in positions(name, illegal=0.05):
        situation = read_situation(board, orders, rulebook=DATC_2)
        by_stages = adjudicate(situation, Engine.STAGED)
        assert_satisfied(by_stages)
        assert_same(by_stages, adjudicate(situation, Engine.FULL))
        if len(situation.decisions) <= BRUTE_DECISIONS:
            assert_same(by_stages, adjudicate(situation, Engine.BRUTE))


@pytest.mark.parametrize("name", MAPS)
def test_compiled_equations_say_what_the_statement_says(name: str) -> None:
    random = Random(name)
    for _, _, outcome in outcomes(name):
        situation = outcome.adjudication.situation
        lowest = [random.random() < 0.4 for _ in situation.decisions]
        assert_as_stated(situation, [value or random.random() < 0.5 for value in lowest], lowest)


# Laws.


@pytest.mark.parametrize("name", MAPS)
def test_units_are_neither_lost_nor_stacked(name: str) -> None:
    for board, _, outcome in outcomes(name):
        after = outcome.retreat_board
        assert after.problems() == []
        dislodged = [entry.unit for entry in after.dislodged]
        assert len(after.units) + len(dislodged) == len(board.units)
        assert set(dislodged) <= set(board.units)
        for power in {unit.power for unit in board.units}:
            kinds = sorted(unit.kind for unit in board.units if unit.power == power)
            assert sorted(unit.kind for unit in (*after.units, *dislodged) if unit.power == power) == kinds


@pytest.mark.parametrize("name", MAPS)
def test_dislodged_units_were_attacked_by_others_and_retreat_to_free_places(name: str) -> None:
    for board, _, outcome in outcomes(name):
        occupied = {unit.province for unit in outcome.units}
        for entry in outcome.retreat_board.dislodged:
            attacker = outcome.dislodgements[entry.unit.province].attacker
            assert attacker.power != entry.unit.power
            assert isinstance(_decision_of(outcome.adjudication.situation, attacker), MoveDecision)  # trains dislodge nobody
            assert set(entry.retreats) <= board.open_map.exits(entry.unit.kind, entry.unit.location)
            assert not occupied & set(map(province_of, entry.retreats))


def _decision_of(situation: Situation, unit: Unit) -> MoveDecision | None:
    return next((move for move in situation.moves if move.province == unit.province), None)


@pytest.mark.parametrize("name", MAPS)
def test_order_of_orders_and_units_does_not_matter(name: str) -> None:
    random = Random(name)
    for board, orders, outcome in outcomes(name):
        shuffled = {
            power: random.sample(orders[power], len(orders[power])) for power in random.sample(sorted(orders), len(orders))
        }
        units = tuple(random.sample(board.units, len(board.units)))
        assert told(judge(replace(board, units=units), shuffled, rulebook=DATC_2)) == told(outcome)


@pytest.mark.parametrize("name", MAPS)
def test_units_without_orders_hold(name: str) -> None:
    for board, orders, outcome in outcomes(name):
        given: Orders = {power: [*own] for power, own in orders.items()}
        for unit in board.units:
            if unit.province not in outcome.docket.orders:
                given.setdefault(unit.power, []).append(Hold(Named(unit.kind, unit.location)))
        after = told(judge(board, given, rulebook=DATC_2))
        assert replace(after, verdicts=frozenset()) == replace(told(outcome), verdicts=frozenset())


# What random positions found.


def test_a_support_for_a_train_hangs_on_whose_army_it_is() -> None:
    """Legality is remembered from board to board: the same support counts for Russia's army only."""
    game_map = load_map("colonial")
    for power, verdict in (("TURKEY", "illegal"), ("RUSSIA", "given"), ("TURKEY", "illegal")):
        units = (Unit("TURKEY", UnitKind.ARMY, "IRK"), Unit(power, UnitKind.ARMY, "PRM"))
        orders = {"TURKEY": ["A IRK S A PRM - VLA"], **({"RUSSIA": ["A PRM - TSR - VLA"]} if power == "RUSSIA" else {})}
        assert judge(Board(units, map=game_map), orders, rulebook=DATC_2).results["TURKEY"] == [verdict]


def test_a_train_that_comes_through_or_in_is_settled_before_the_cores() -> None:
    """Whether the army in Omsk stays or leaves, the train passes: no core has to say so."""
    game_map = load_map("colonial")
    places = (("CHINA", "MOS"), ("RUSSIA", "PRM"), ("RUSSIA", "OMS"), ("RUSSIA", "KRA"))
    board = Board(
        tuple(Unit(power, UnitKind.ARMY, place) for power, place in places),
        centers={"OMS": "RUSSIA", "VLA": "FRANCE"},
        map=game_map,
    )
    orders = {"RUSSIA": ["A PRM - TSR - VLA", "A OMS - KRA", "A KRA - IRK"], "CHINA": ["A MOS - PRM"]}
    situation = read_situation(board, orders, rulebook=DATC_2)
    engines = [adjudicate(situation, engine) for engine in Engine]
    assert engines[0].rulings
    for one in engines:
        assert_same(engines[0], one)
        assert "A PRM - TSR - VLA, into OMS" not in {str(d) for ruling in one.rulings for d in ruling.core}


def test_boards_without_permissions_have_orders_to_units_only() -> None:
    for seed in range(20):
        _, orders = random_board(Random(seed), Flavour.VARIANT, (3, 9), game_map=load_map("colonial"))
        assert all(not isinstance(order, Permission) for given in orders.values() for order in given)
        assert all(order.railroad in ("", "TSR") for given in orders.values() for order in given if isinstance(order, Move))
