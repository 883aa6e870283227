"""Random searches that brute force can check, for tests and campaigns. The same random state gives the same trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from random import Random

from helpers.brute_search import legal_orders
from satjudge.base.errors import RulebookError, UnresolvedError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import classify_cores
from satjudge.judging.judge import judge
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.search.goals.cores import CoreShape
from satjudge.search.goals.differences import RulebookDifference
from satjudge.search.goals.goal import Both, Either, Goal, Not
from satjudge.search.goals.outcomes import VERDICTS, DislodgedGoal, OccupiedGoal, VerdictGoal
from satjudge.search.goals.registry import parse_goal
from satjudge.search.goals.resolutions import NoResolution, ParadoxGoal, SeveralResolutions
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective
from satjudge.world.board import Board
from satjudge.world.geography import Map, Power, ProvinceCode, load_map
from satjudge.world.orders import Hold, Move, MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.verdicts import Fate
from satjudge.world.verdicts import Verdict as Told

PRESETS = ("datc-3", "datc-3", "datc-2", "1971", "1982", "2000", "guide-1998")
VARIANTS = (
    "4.A.1=any-route",
    "4.A.2=all-hold",
    "4.A.2=none",
    "4.A.3=explicit",
    "4.A.3.fallback=disrupted",
    "4.A.4.2=last-fleet",
    "4.A.4.5=last-fleet",
    "4.A.7=never",
)
"""What a rulebook is sometimes changed to."""
LEGALITY = (
    "4.A.1=any-route",
    "4.A.3.fallback=never",
    "4.A.3.fallback=unordered",
    "4.B.4=default-coast",
    "4.B.4=mandatory-if-two",
    "4.B.4=own-may-omit",
    "4.E.1=hold",
    "4.E.1=hold-if-possible",
    "4.E.1.convoy=legal",
)
"""What a rulebook that is compared is sometimes changed to: mostly what decides which orders are legal."""
_DATC = ("6.C.1", *(f"6.F.{number}" for number in (14, 15, 16, 16, 17, 17, 18, 18, 22, 23, 24)), "6.G.1", "6.G.5")
_RINGS = ("BOT LVN STP", "MAO NAF SPA", "EDI LVP YOR", "BAL BER KIE", "BUR GAS MAR", "EDI LVP NTH YOR", "BEL BUR PIC RUH")
"""Where few units can change places."""
_ORDER_SETS = 3000
"""Brute force judges no more than about so many order sets of a board whose units are given."""


def free(region: str, rules: str = "datc-3") -> Universe:
    """A region of the standard map where any units may stand."""
    provinces = frozenset(region.split())
    return Universe(load_rulebook(rules), spots=spots_of(load_map(), provinces), region=provinces)


@dataclass(frozen=True)
class Trial:
    """A search: where, what for, and of what there should be as little as possible."""

    universe: Universe
    goal: Goal
    objective: Objective
    most_units: int


def random_trial(random: Random, game_map: Map | None = None) -> Trial:
    """A small search: the orders of a random board are open, or those of a paradox, or there are a few units anywhere."""
    game_map = game_map or load_map()
    make = random.choice((_of_board, _of_paradox, _of_paradox, _of_free_units, _of_ring, _beside_a_board))
    return make(random, game_map)


def _of_board(random: Random, game_map: Map) -> Trial:
    """Some or all of the orders of a random board are open."""
    board, orders = _board(random, game_map)
    universe = Universe(_rulebook(random), board.units, region=_around(random, board), longest_route=9, map=game_map)
    universe = _opened(random, universe, orders, len(board.units))
    return Trial(universe, _goal(random, universe, (*_OUTCOMES, *_STRUCTURES)), _few_orders(random), len(board.units))


def _of_paradox(random: Random, game_map: Map) -> Trial:
    """One or two of the orders of a paradox are open, or all that brute force can go through, in its own provinces."""
    sheet = random.choice(_paradoxes())
    board, orders = sheet.board, _by_province(_movement_orders(sheet))
    most_open = random.choice((1, 2, 2, len(board.units)))
    region = frozenset(board.unit_at) if most_open > 2 else _around(random, board)
    universe = Universe(_rulebook(random), board.units, region=region, longest_route=9, map=game_map)
    universe = _opened(random, universe, orders, most_open)
    kinds = (*_OUTCOMES, *_STRUCTURES, *_STRUCTURES, *_STRUCTURES)
    goal = _goal(random, universe, kinds, _shapes_of(sheet))
    return Trial(universe, goal, _few_orders(random), len(board.units))


def _of_free_units(random: Random, game_map: Map) -> Trial:
    """Up to two units of anybody anywhere in a small region."""
    region = _region(random, game_map, random.randint(2, 4))
    universe = Universe(_rulebook(random), spots=spots_of(game_map, region), region=region, map=game_map)
    return Trial(universe, _goal(random, universe, (*_OUTCOMES, *_STRUCTURES)), random.choice(list(Objective)), 2)


def _of_ring(random: Random, game_map: Map) -> Trial:
    """Up to three units of anybody where they can change places."""
    region = frozenset(random.choice(_RINGS).split())
    spots = frozenset(random.sample(sorted(spots_of(game_map, region)), min(5, len(spots_of(game_map, region)))))
    universe = Universe(_rulebook(random), spots=spots, region=region, map=game_map)
    return Trial(universe, _goal(random, universe, _STRUCTURES, _RING_SHAPES), random.choice(list(Objective)), 3)


def _beside_a_board(random: Random, game_map: Map) -> Trial:
    """A paradox with the orders of all its units but one, which may stand elsewhere, or not at all."""
    sheet = random.choice([sheet for sheet in _paradoxes() if len(sheet.board.units) <= 6])
    orders = _by_province(_movement_orders(sheet))
    away = random.choice(sheet.board.units)
    units = tuple(unit for unit in sheet.board.units if unit != away)
    region = _around(random, sheet.board)
    free = random.sample(sorted(region - sheet.board.unit_at.keys()), 2)
    spots = spots_of(game_map, {away.province, *free})
    universe = Universe(_rulebook(random), units, spots, region=region, longest_route=9, map=game_map)
    legal = {unit.province: legal_orders(universe, sheet.board, unit) for unit in units}
    given = {place: _as_given(found, orders.get(place)) for place, found in legal.items()}
    universe = replace(universe, orders=given)
    goal = _goal(random, universe, (*_OUTCOMES, *_STRUCTURES, *_STRUCTURES), _shapes_of(sheet))
    return Trial(universe, goal, random.choice(list(Objective)), len(units) + 1)


def _differs(one: Rulebook, other: Rulebook, random: Random) -> Goal:
    """One of the two meanings, of these rulebooks, or of one of them and the same with something else about what is legal."""
    settings = random.sample(LEGALITY, 2)
    other = random.choice((other, _changed(other, settings[0]), _changed(one, settings[0])))
    return RulebookDifference(_changed(one, settings[1]) if random.random() < 0.25 else one, other, random.random() < 0.4)


def _changed(rulebook: Rulebook, setting: str) -> Rulebook:
    """The rulebook with another choice, if that goes with its others."""
    try:
        return rulebook.with_settings([setting])
    except RulebookError:
        return rulebook


def _rulebook(random: Random) -> Rulebook:
    rulebook = load_rulebook(random.choice(PRESETS))
    return rulebook.with_settings([random.choice(VARIANTS)]) if random.random() < 0.25 else rulebook


def _few_orders(random: Random) -> Objective:
    return random.choice((Objective.ORDERS, Objective.ORDERS, Objective.FLEETS))


def counting_trial(random: Random, game_map: Map | None = None) -> Trial:
    """A small search for a goal that counts, compares, or asks what would be without a unit."""
    trial = random_trial(random, game_map)
    goal = parse_goal(_counting_goal(random, trial.universe), trial.universe.map)
    if random.random() < 0.2:
        goal = Not(goal)
    return replace(trial, goal=goal)


def _counting_goal(random: Random, universe: Universe) -> str:
    """A goal in which provinces, orders, verdicts and numbers are drawn."""
    standing = sorted(spot.province for spot in universe.standing)
    here, there = random.choice(standing), random.choice(standing)
    told = random.choice(("succeeds", "fails", "given", "cut", "available", "disrupted", "dislodged", "destroyed", "stands"))
    compared = f"{random.choice(('>=', '=', '<', '!=', '<=', '>'))} {random.choice((0, 1, 1, 2, 2, 3))}"
    moves = [c.order for c in universe.candidates if isinstance(c.order, Move)]
    move = random.choice(moves) if moves else f"A {here} - {there}"
    power = random.choice(sorted({unit.power for unit in universe.units}) or universe.map.powers)
    return random.choice(
        (
            "some(dislodged:UNIT)",
            f"some(unit:UNIT={power} and order:UNIT={told})",
            f"every(not order:UNIT={told})",
            f"count(order:UNIT={told}) {compared}",
            f"count(order:UNIT={told}) > count(order:UNIT=succeeds)",
            f"count(occupied:PROVINCE={power}) {compared}",
            f"some POWER (count PROVINCE (occupied:PROVINCE=POWER) {compared})",
            f"hold:{here} {compared}",
            f'attack:"{move}" {compared}',
            f'attack:"{move}" > hold:{there}',
            f'prevent:"{move}" {compared}',
            f'defend:"{move}" <= hold:{there}',
            f"some(beleaguered:UNIT) or order:{here}={told}",
            f"without:{here} (order:{there}={told})",
            f"without:{here} (some(dislodged:UNIT)) and not dislodged:{there}",
            f"changes:{here} {compared}",
            f"count(changes:UNIT >= 1) {compared}",
            f"some(without:UNIT (order:{here}={told}) and not order:{here}={told})",
            f"resolutions {compared}",
            f"core-resolutions {compared}",
            f"core-order {compared}",
        )
    )


# Boards.


def _region(random: Random, game_map: Map, size: int) -> frozenset[ProvinceCode]:
    """Provinces that hang together, seas and their coasts mostly."""
    found = [random.choice(sorted(game_map.seas))]
    while len(found) < size:
        around = frozenset[ProvinceCode]().union(*(game_map.neighbours[code] for code in found))
        found.append(random.choice(sorted(around - set(found))))
    return frozenset(found)


def _board(random: Random, game_map: Map) -> tuple[Board, Mapping[ProvinceCode, MovementOrder]]:
    flavour = random.choice((Flavour.CONVOYS, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.GENERAL))
    within = _region(random, game_map, random.randint(5, 9))
    board, orders = random_board(random, flavour, (3, 6), within=within, game_map=game_map)
    return board, _by_province(orders)


@cache
def _paradoxes() -> list[Sheet]:
    """Cases of the DATC, and of the census, with no resolution or with several."""
    census = [sheet for sheet in read_collection("census") if sheet.identity[0].isdigit() and len(sheet.board.units) <= 9]
    by_identity = {sheet.identity: sheet for sheet in read_collection()}
    return [*(by_identity[identity] for identity in _DATC), *census]


def _movement_orders(sheet: Sheet) -> dict[Power, list[MovementOrder]]:
    return {
        power: [order for order in given if isinstance(order, MovementOrder)]
        for power, given in sheet.orders_by_power().items()
    }


def _shapes_of(sheet: Sheet) -> tuple[str, ...]:
    """The shapes of the cores of a case."""
    try:
        return tuple(core.shape for core in classify_cores(judge(sheet.board, _movement_orders(sheet)).adjudication))
    except UnresolvedError:
        return ()


def _by_province(orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[ProvinceCode, MovementOrder]:
    return {order.unit.province: order for given in orders.values() for order in given}


def _around(random: Random, board: Board) -> frozenset[ProvinceCode]:
    """The provinces of the units and some of their neighbours."""
    region = set(board.unit_at)
    near = sorted(frozenset[ProvinceCode]().union(*(board.map.neighbours[code] for code in region)) - region)
    return frozenset((*region, *random.sample(near, min(3, len(near)))))


def _opened(random: Random, universe: Universe, orders: Mapping[ProvinceCode, MovementOrder], most_open: int) -> Universe:
    """The orders of so many units left open, if brute force can go through them, the others given."""
    board = Board(universe.units, map=universe.map)
    choices = {unit.province: legal_orders(universe, board, unit) for unit in board.units}
    given: dict[ProvinceCode, MovementOrder] = {}
    for province in random.sample(sorted(choices), len(choices)):
        left = [found for place, found in choices.items() if place not in given]
        if len(left) > most_open or prod(map(len, left)) > _ORDER_SETS:
            given[province] = _as_given(choices[province], orders.get(province))
    return replace(universe, orders=given)


def _as_given(legal: Sequence[MovementOrder], order: MovementOrder | None) -> MovementOrder:
    """The legal order that reads like this one, else holding."""
    holding = [other for other in legal if isinstance(other, Hold)]
    return ([other for other in legal if str(other) == str(order)] or holding)[0]


# Goals.


def _goal(random: Random, universe: Universe, kinds: Sequence[str], shapes: Sequence[str] = ()) -> Goal:
    """A goal, mostly one that is met by some order sets and not by others."""
    goal = _atom(random, universe, random.choice(kinds), shapes)
    if random.random() < 0.25:
        other = _atom(random, universe, random.choice(kinds), shapes)
        goal = random.choice((Both, Either))(goal, Not(other) if random.random() < 0.5 else other)
    return Not(goal) if random.random() < 0.1 else goal


_OUTCOMES = ("dislodged", "occupied", "verdict", "verdict")
_STRUCTURES = ("several", "none", "paradox", "differs", "core")
_RING_SHAPES = ("2M-2r-8f8dc5ac", "3M-2r-f25cf801", "2M-2r-f384c711")
_PARADOX_SHAPES = ("1C1M1S-2r-21451013", "1C1M1S-0r-81281ad4", "1C1M1S-0r-de2bd8fd")


def _atom(random: Random, universe: Universe, kind: str, shapes: Sequence[str]) -> Goal:
    standing = sorted(spot.province for spot in universe.standing)
    match kind:
        case "several":
            return SeveralResolutions()
        case "none":
            return NoResolution()
        case "paradox":
            return ParadoxGoal()
        case "core":
            return CoreShape(random.choice((*shapes, *shapes, random.choice((*_RING_SHAPES, *_PARADOX_SHAPES)))))
        case "differs":
            one, other = map(load_rulebook, random.sample(sorted(set(PRESETS)), 2))
            return _differs(one, other, Random(f"{one.name} {other.name} {' '.join(standing)}"))
        case "dislodged":
            return DislodgedGoal(random.choice(standing))
        case "occupied":
            powers = sorted({unit.power for unit in universe.units}) or universe.map.powers
            return OccupiedGoal(random.choice(sorted(universe.provinces)), random.choice((None, *powers)))
    open_orders = [c.order for c in universe.candidates if c.order.unit.province not in universe.orders]
    orders = [*open_orders, *universe.orders.values()] or [Hold(next(iter(universe.standing)).unit_name)]
    order = random.choice((random.choice(orders), Hold(random.choice(list(universe.standing)).unit_name)))
    known = VERDICTS[type(order)]
    words = random.choice(((random.choice(known),), (random.choice(tuple(map(str, Fate))),), (known[-1], "dislodged")))
    return VerdictGoal(order, Told.read(", ".join(words[-1:] if isinstance(order, Hold) else words)))
