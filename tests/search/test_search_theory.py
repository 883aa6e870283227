"""What docs/background/search.md proves of boards and cores, held to boards that were not made for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest
from core_units import count_core_units

from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import classify_cores
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading, find_violated
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, Situation, SupportDecision
from satjudge.judging.judge import judge, read_situation
from satjudge.judging.solve import Engine
from satjudge.search import search as searching
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal
from satjudge.search.open_orders.proposal import Proposal, make_hold
from satjudge.search.open_orders.rulings import has_self_dependent_convoy
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.open_orders.universe_orders import UniverseOrders
from satjudge.search.search import Objective, Search
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Terrain, UnitKind, load_map
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook

MAP = load_map()


def solutions(situation: Situation, convoys: dict[int, bool]) -> Iterator[list[bool]]:
    """The values with which every equation but those of convoys holds, if the convoys are set so."""
    others = [d.index for d in situation.decisions if d.index not in convoys]
    for row in product((True, False), repeat=len(others)):
        values = convoys | dict(zip(others, row, strict=True))
        assignment = [values[index] for index in range(len(situation.decisions))]
        if not find_violated(situation, assignment, list(convoys)):
            yield assignment


def settled_by_convoys(situation: Situation, values: list[bool]) -> list[bool]:
    """Everything but the moves into provinces whose unit moves itself: supports, other moves, what convoys should be."""
    movers = {move.origin.province for move in situation.moves}
    return [
        statement.convoy(Reading(values), d) if isinstance(d, ConvoyDecision) else values[d.index]
        for d in situation.decisions
        if not (isinstance(d, MoveDecision) and d.destination.province in movers)
    ]


@pytest.mark.parametrize(
    ("rules", "setting"),
    [(rules, "") for rules in ("datc-3", "datc-2", "1971", "1982", "2000", "guide-1998")]
    + [("datc-3", setting) for setting in ("4.A.7=never", "4.A.4.2=last-fleet", "4.A.1=any-route", "4.A.3.fallback=disrupted")],
)
def test_convoys_settle_everything_but_who_moves_on(rules: str, setting: str) -> None:
    """Set as one likes, they leave at least one solution, and supports, dislodgements and convoys are one in all of them."""
    rulebook = load_rulebook(rules).with_settings([setting] if setting else [])
    ways, several = 0, 0
    for seed in range(14):
        board, orders = random_board(Random(seed), (Flavour.CONVOYS, Flavour.CIRCLES)[seed % 2], (5, 9))
        situation = read_situation(board, orders, rulebook=rulebook)
        convoys = [d.index for d in situation.decisions if isinstance(d, ConvoyDecision)]
        if len(situation.decisions) > 9:
            continue
        for settings in product((True, False), repeat=len(convoys)):
            inputs = dict(zip(convoys, settings, strict=True))
            found = [settled_by_convoys(situation, values) for values in solutions(situation, inputs)]
            assert found
            assert all(values == found[0] for values in found)
            ways, several = ways + 1, several + (len(found) > 1)
    assert ways > 8
    assert several


_WITH_CONVOYS = (
    "4.A.1=any-route",
    "4.A.3=explicit",
    "4.A.3.fallback=disrupted",
    "4.A.4.5=last-fleet",
    "4.A.7=never",
    "5.B.8=against-rivals",
)


@pytest.mark.parametrize(
    ("setting", "boards"), [("", 30), *(pytest.param(setting, 150, marks=pytest.mark.slow) for setting in _WITH_CONVOYS)]
)
def test_with_few_units_a_convoy_hangs_on_itself(setting: str, boards: int) -> None:
    """Against itself if there is no resolution, and else where two differ about a convoy: on such boards few others do."""
    rulebook = load_rulebook("datc-3").with_settings([setting] if setting else [])
    found: Counter[tuple[str, bool]] = Counter()
    for seed in range(boards):
        board, orders = random_board(Random(f"{setting}{seed}"), Flavour.CONVOYS, (5, 7))
        judged = _judged(board, orders, rulebook)
        kind = "none" if judged.resolutions.count == 0 else "several" if judged.has_differing_convoys else ""
        for against in (True, False):
            question = UniverseOrders(Universe(rulebook, board.units, orders=judged.proposal.by_province), most_units=7)
            question.formula.require(has_self_dependent_convoy(question, against=against))
            hangs = not Solver(question.formula).decide().is_unsatisfiable
            assert hangs or kind != ("none" if against else "several"), orders
            found[kind, hangs] += 1
    assert found["none", True] > boards // 10
    assert found["several", True] > boards // 10
    assert found["", False] > boards // 10


def _judged(board: Board, orders: dict[str, list[MovementOrder]], rulebook: Rulebook) -> Judged:
    given = {order.unit.province: order for some in orders.values() for order in some}
    in_full = {unit.province: given.get(unit.province) or make_hold(unit) for unit in board.units}
    return Judged(Proposal(board, in_full, {}), rulebook)


def test_cores_with_a_convoy_and_rings_do_not_mix() -> None:
    """Moves of a core with a convoy go to units that stay, those of any other core to units that move; and the count."""
    seen = set()
    for seed in range(300):
        board, orders = random_board(Random(seed), (Flavour.CONVOYS, Flavour.CIRCLES)[seed % 2], (6, 16))
        adjudication = judge(board, orders).adjudication
        movers = {move.origin.province for move in adjudication.situation.moves}
        for core in classify_cores(adjudication):
            seen.add(core.shape)
            assert count_core_units(core) <= len(board.units)
            into_movers = [d.destination.province in movers for d in core.core.decisions if isinstance(d, MoveDecision)]
            assert into_movers
            assert all(into_movers) if not core.order else not any(into_movers)
    assert len(seen) > 8


@pytest.mark.parametrize(
    ("goal", "region", "most"),
    [
        ("no-resolution", "BRE ENG LON WAL BEL", 5),
        ("paradox", "BRE ENG LON WAL", 5),
        ("several-resolutions", "BOT LVN STP", 4),
        ("core:1C1M1S-2r-21451013", "AEG CON ION GRE", 4),
        ("core:2M-2r-8f8dc5ac", "BOT LVN STP", 4),
    ],
)
def test_tidy_answers_are_as_small_as_any(goal: str, region: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    provinces = frozenset(region.split())
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(MAP, provinces), region=provinces)
    tidy = Search(universe, parse_goal(goal, MAP), Objective.UNITS, most, workers=1).run().value
    monkeypatch.setattr(searching, "can_be_tidy", lambda universe: False)
    assert Search(universe, parse_goal(goal, MAP), Objective.UNITS, most, workers=1).run().value == tidy


def _near_difficult_borders(random: Random) -> tuple[Board, dict[str, list[str]]]:
    """Armies and fleets about Tunis and Sicily on a map where those borders are difficult, with moves and supports."""
    game_map = load_map("loeb9-10f")
    near = ("SIC", "TUN", "NAF", "COR", "NAP", "WES", "TYS", "ION")
    powers = ("ITALY", "SPAIN", "TURKEY")
    units = [
        Unit(random.choice(powers), UnitKind.FLEET if game_map.provinces[code].terrain is Terrain.SEA else UnitKind.ARMY, code)
        for code in near
        if random.random() < 0.95
    ]
    ways = {unit: [code for code in sorted(game_map.exits(unit.kind, unit.location)) if code in near] for unit in units}
    hard = {unit: [there for there in ways[unit] if game_map.is_difficult(unit.province, there)] for unit in units}
    moves = {unit: random.choice(hard[unit] or exits) for unit, exits in ways.items() if exits and random.random() < 0.5}
    orders: dict[str, list[str]] = {}
    for unit in units:
        others = [other for other, there in moves.items() if there in ways[unit] and other is not unit]
        order = f"{unit} - {moves[unit]}" if unit in moves else f"{unit} H"
        if unit not in moves and others:
            supported = random.choice([other for other in others if hard[other]] or others)
            order = f"{unit} S {supported} - {moves[supported]}"
        orders.setdefault(unit.power, []).append(order)
    return Board(tuple(units), map=game_map), orders


def test_cores_near_difficult_borders() -> None:
    """Without a convoy they are moves alone, or supports alone, each for a move over such a border; all kernels are found."""
    random, kinds = Random("difficult borders"), Counter[str]()
    for _ in range(3000):
        board, orders = _near_difficult_borders(random)
        for core in judge(board, orders, rulebook="datc-2", engine=Engine.STAGED).adjudication.cores:
            if all(isinstance(decision, MoveDecision) for decision in core.decisions):
                kinds["moves"] += 1
                continue
            supports = [decision for decision in core.decisions if isinstance(decision, SupportDecision)]
            assert len(supports) == len(core.decisions), orders
            assert all(move.difficult for support in supports for move in support.matches), orders
            kinds["supports"] += 1
            arrows = {one: {other for other in supports if _cuts(other, one)} for one in supports}
            kernels = {
                tuple(one in chosen for one in supports)
                for size in range(len(supports) + 1)
                for chosen in map(set, combinations(supports, size))
                if all((one in chosen) is not bool(arrows[one] & chosen) for one in supports)
            }
            assert kernels == set(core.resolutions), orders
    assert kinds["supports"] >= 5, kinds


def _cuts(other: SupportDecision, one: SupportDecision) -> bool:
    """Whether the other is for a move over a difficult border to where the one comes from, and counts against its unit."""
    assert other.place.unit
    assert one.place.unit
    moves = [move for move in other.matches if move.difficult and move.destination is one.place]
    return any(move.power != one.power and other.place.unit.power != one.place.unit.power for move in moves)
