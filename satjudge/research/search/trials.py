"""Random searches that brute force can check, for tests and campaigns. The same random state gives the same trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from random import Random

from satjudge.board import Board
from satjudge.geography import Map, Power, ProvinceCode, load_map
from satjudge.notation.sheets import shipped_sheets
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.research.boards import Flavour, random_board
from satjudge.research.search import goals
from satjudge.research.search.brute import legal_orders
from satjudge.research.search.goals import Goal
from satjudge.research.search.searching import Objective
from satjudge.research.search.universe import Universe, spots_of
from satjudge.rules import load_rulebook

RULEBOOKS = ("datc-3", "datc-3", "datc-2", "1971", "1982", "2000", "guide-1998")
_PARADOXES = ("6.C.1", *(f"6.F.{number}" for number in (14, 15, 16, 16, 17, 17, 18, 18, 22, 23, 24)), "6.G.1", "6.G.5")
_ORDER_SETS = 3000
"""Brute force judges no more than about so many order sets."""


@dataclass(frozen=True)
class Trial:
    """A search: where, what for, and of what there should be as little as possible."""

    universe: Universe
    goal: Goal
    objective: Objective
    most_units: int


def random_trial(random: Random, game_map: Map | None = None) -> Trial:
    """A small search: some of the orders of a random board are open, or those of a paradox, or a few units anywhere."""
    game_map = game_map or load_map()
    kind = random.choice(("board", "paradox", "paradox", "free"))
    rulebook = load_rulebook(random.choice(("datc-3", "datc-2", "guide-1998") if kind == "paradox" else RULEBOOKS))
    if kind == "free":
        region = _region(random, game_map, random.randint(2, 4))
        universe = Universe(rulebook, spots=spots_of(game_map, region), region=region, map=game_map)
        return Trial(universe, _goal(random, universe, (*_OUTCOMES, "differs")), Objective.UNITS, 2)
    board, orders = _paradox(random) if kind == "paradox" else _board(random, game_map)
    region = _around(random, board)
    most_open = random.randint(1, 2) if kind == "paradox" else len(board.units)
    universe = _opened(random, Universe(rulebook, board.units, region=region, map=game_map), orders, most_open)
    objective = random.choice((Objective.ORDERS, Objective.ORDERS, Objective.FLEETS))
    kinds = (*_OUTCOMES, "differs") if kind == "board" else (*_OUTCOMES, *_STRUCTURES, *_STRUCTURES)
    return Trial(universe, _goal(random, universe, kinds), objective, len(board.units))


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


def _paradox(random: Random) -> tuple[Board, Mapping[ProvinceCode, MovementOrder]]:
    """The board and orders of a case of the DATC with no resolution, or with several."""
    sheet = {sheet.identity: sheet for sheet in shipped_sheets()}[random.choice(_PARADOXES)]
    orders = {power: [o for o in given if isinstance(o, MovementOrder)] for power, given in sheet.orders_by_power().items()}
    return sheet.board, _by_province(orders)


def _by_province(orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[ProvinceCode, MovementOrder]:
    return {order.unit.province: order for given in orders.values() for order in given}


def _around(random: Random, board: Board) -> frozenset[ProvinceCode]:
    """The provinces of the units and some of their neighbours."""
    region = set(board.unit_at)
    near = sorted(frozenset[ProvinceCode]().union(*(board.map.neighbours[code] for code in region)) - region)
    return frozenset((*region, *random.sample(near, min(3, len(near)))))


def _opened(
    random: Random, universe: Universe, orders: Mapping[ProvinceCode, MovementOrder], most_open: int
) -> Universe:
    """The orders of so many units left open, if brute force can go through them, the others given."""
    board = Board(universe.units, map=universe.map)
    choices = {unit.province: legal_orders(universe, board, unit) for unit in board.units}
    given: dict[ProvinceCode, MovementOrder] = {}
    for province in random.sample(sorted(choices), len(choices)):
        left = [found for place, found in choices.items() if place not in given]
        if len(left) > most_open or prod(map(len, left)) > _ORDER_SETS:
            holding = [order for order in choices[province] if isinstance(order, Hold)]
            given[province] = ([o for o in choices[province] if str(o) == str(orders.get(province))] or holding)[0]
    return replace(universe, orders=given)


def _goal(random: Random, universe: Universe, kinds: Sequence[str]) -> Goal:
    """A goal, mostly one that is met by some order sets and not by others."""
    goal = _atom(random, universe, random.choice(kinds))
    if random.random() < 0.25:
        other = _atom(random, universe, random.choice(kinds))
        goal = random.choice((goals.Both, goals.Either))(goal, goals.Not(other) if random.random() < 0.5 else other)
    return goals.Not(goal) if random.random() < 0.1 else goal


_OUTCOMES = ("dislodged", "occupied", "verdict", "verdict")
_STRUCTURES = ("several", "none", "paradox", "differs")


def _atom(random: Random, universe: Universe, kind: str) -> Goal:
    standing = sorted(spot.province for spot in universe.standing)
    match kind:
        case "several":
            return goals.Several()
        case "none":
            return goals.NoResolution()
        case "paradox":
            return goals.SIMPLE["paradox"]
        case "differs":
            return goals.Differs(*map(load_rulebook, random.sample(sorted(set(RULEBOOKS)), 2)))
        case "dislodged":
            return goals.Dislodged(random.choice(standing))
        case "occupied":
            powers = sorted({unit.power for unit in universe.units}) or universe.map.powers
            return goals.Occupied(random.choice(sorted(universe.provinces)), random.choice((None, *powers)))
    open_orders = [c.order for c in universe.candidates if c.order.unit.province not in universe.orders]
    orders = [*open_orders, *universe.orders.values()] or [Hold(next(iter(universe.standing)).named)]
    order = random.choice(orders)
    return goals.Verdict(order, random.choice(_VERDICTS[type(order)]))


_VERDICTS = {
    Hold: ("stands", "dislodged"),
    Move: ("succeeds", "fails", "fails, dislodged"),
    SupportHold: ("given", "cut", "cut, dislodged"),
    SupportMove: ("given", "cut", "invalid"),
    Convoy: ("available", "disrupted", "invalid"),
}
