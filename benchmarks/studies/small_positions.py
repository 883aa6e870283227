"""Lists every kind of position with one or two units and legal orders, to prove that none detects a mutation.

Kinds are what the rules can see of a position. Of positions that are alike one stands for all. Two are alike if a renaming of
provinces and powers takes the situation of one to that of the other (`satjudge.judging.equations.situation`), with the ways out
of each unit to the provinces that it names. Equations, backup rules and verdicts read nothing else. So if a broken clause
judges none of these otherwise, no position on this map with so few units and legal orders tells it under this rulebook. A unit
that others cannot meet changes nothing for them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import combinations, permutations, product

from satjudge.engines.kit.parts import KitQuestion
from satjudge.judging.equations.situation import (
    ConvoyDecision,
    MoveDecision,
    Situation,
    SupportDecision,
    build_candidate_situation,
)
from satjudge.judging.legality import judge_orders_alone
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, ProvinceCode, UnitKind, coast_of, load_map, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove, places_named
from satjudge.world.rules import DEFAULT_RULES, load_rulebook

MOST_UNITS = 2
"""Most units of a position; with more there are too many positions to list them all."""


def positions_of(units: int, rules: str = DEFAULT_RULES, game_map: Map | None = None) -> list[KitQuestion]:
    """List one position of each kind with a number of units, at most `MOST_UNITS`, each with a legal order or none."""
    game_map = game_map or load_map()
    found: dict[Hashable, KitQuestion] = {}
    for board in _boards(units, game_map):
        for orders in _orders(board, rules):
            pairs = [(board.unit_at[order.unit.province], order) for order in orders]
            situation = build_candidate_situation(board, pairs, load_rulebook(rules))
            shape = _shape(situation)
            if shape not in found:
                given: dict[str, list[MovementOrder]] = {}
                for unit, order in pairs:
                    given.setdefault(unit.power, []).append(order)
                found[shape] = KitQuestion(f"{units} units, position {len(found) + 1}", board, given, rules)
    return list(found.values())


def _boards(units: int, game_map: Map) -> Iterator[Board]:
    """List boards with units so close that they can meet or help each other, of one power and of two."""
    spots = [
        (kind, place) for kind in UnitKind for place in sorted(game_map.locations) if not game_map.problem_with(kind, place)
    ]
    first, second = game_map.powers[:2]
    if units == 1:
        yield from (Board((Unit(first, *spot),), map=game_map) for spot in spots)
        return
    for one, other in combinations(spots, 2):
        here, there = province_of(one[1]), province_of(other[1])
        if here != there and (there in game_map.neighbours[here] or game_map.neighbours[here] & game_map.neighbours[there]):
            for power in (first, second):
                yield Board((Unit(first, *one), Unit(power, *other)), map=game_map)


def _orders(board: Board, rules: str) -> Iterator[list[MovementOrder]]:
    """List all combinations of legal orders, with one move for each unit to all places where no other unit can come or go."""
    rulebook = load_rulebook(rules)
    choices = []
    for unit in board.units:
        others = [other for other in board.units if other is not unit]
        proposed = list(_proposed(board, unit, others))
        entries = judge_orders_alone(board, unit.power, proposed, rulebook)
        legal = dict.fromkeys(entry.legal for entry in entries if entry.legal)
        near = {place for other in others for place in (other.province, *board.map.neighbours[other.province])}
        aside = [
            order
            for order in legal
            if isinstance(order, Move) and not order.via_convoy and not near & {province_of(order.destination)}
        ]
        choices.append([order for order in legal if order not in aside[1:]])
    return map(list, product(*choices))


def _proposed(board: Board, unit: Unit, others: Iterable[Unit]) -> Iterator[MovementOrder]:
    named, game_map = unit.named, board.map
    others = list(others)
    coasts = {coast for other in others if other.kind is UnitKind.FLEET for coast in game_map.neighbours[other.province]}
    yield Hold(named)
    for place in sorted(game_map.exits(unit.kind, unit.location) | (coasts if unit.kind is UnitKind.ARMY else set())):
        yield Move(named, place)
        if unit.kind is UnitKind.ARMY:
            yield Move(named, place, via_convoy=True)
    for other in others:
        yield SupportHold(named, other.named)
        exits = game_map.exits(other.kind, other.location)
        for place in sorted({*exits, *map(province_of, exits), *game_map.neighbours[unit.province]}):
            yield SupportMove(named, other.named, place)
            if unit.kind is UnitKind.FLEET:
                yield Convoy(named, other.named, place)


def _shape(situation: Situation) -> Hashable:
    """Return what the rules see of a position, in whichever order its units are listed."""
    board = situation.board
    return min(repr(_seen(situation, units)) for units in permutations(board.units))


def _seen(situation: Situation, units: tuple[Unit, ...]) -> tuple[object, ...]:
    board = situation.board
    order_of = {decision.province: decision for decision in situation.order_decisions}
    labels: dict[ProvinceCode, int] = {}
    for unit in units:
        labels.setdefault(unit.province, len(labels))
    for unit in units:
        if decision := order_of.get(unit.province):
            for named in places_named(decision.order):
                labels.setdefault(province_of(named), len(labels))
    powers: dict[str, int] = {}

    def place(location: str) -> tuple[int, str]:
        return labels[province_of(location)], coast_of(location)

    def one(unit: Unit) -> tuple[object, ...]:
        exits = sorted(place(way) for way in board.map.exits(unit.kind, unit.location) if province_of(way) in labels)
        decision = order_of.get(unit.province)
        told = _decision(decision, labels, place) if decision else ()
        return str(unit.kind), place(unit.location), powers.setdefault(unit.power, len(powers)), exits, told

    terrains = [str(board.map.provinces[code].terrain) for code in labels]
    return (*(one(unit) for unit in units), terrains, [situation.places[unit.province].supportable for unit in units])


def _decision(
    decision: MoveDecision | SupportDecision | ConvoyDecision,
    labels: Mapping[ProvinceCode, int],
    place: Callable[[str], tuple[int, str]],
) -> tuple[object, ...]:
    """Describe a decision by the labels of provinces."""
    named = [place(location) for location in places_named(decision.order)]
    if isinstance(decision, MoveDecision):
        routes = [[labels[convoy.province] for convoy in route] for route in decision.routes]
        waters = bool(decision.waters)
        met = [
            [labels[other.province] for other in others] for others in (decision.opposed, decision.supports, decision.convoys)
        ]
        by = decision.by_land, decision.might_be_convoyed, decision.order.via_convoy
        return "move", named, by, routes, waters, met
    return type(decision.order).__name__, named, [labels[move.province] for move in decision.matches]
