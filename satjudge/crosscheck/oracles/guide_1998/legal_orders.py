"""Which orders are legal by the 1998 guide (its chapters VI, VII, IX and XII)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from satjudge.board import Board, Unit
from satjudge.crosscheck.oracles.guide_1998.turn import (
    GuideConvoy,
    GuideHold,
    GuideMove,
    GuideOrder,
    GuideSupport,
    Status,
    Turn,
)
from satjudge.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove


@dataclass(frozen=True, slots=True)
class Entry:
    """An order as it was given: the unit it is for (None if the power has none there) and, if it is legal, its meaning."""

    unit: Unit | None
    moves: bool
    order: GuideOrder | None


def read_orders(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[Power, list[Entry]]:
    """What the orders say, in the order given."""
    return {power: [_read(board, power, order) for order in entries] for power, entries in orders.items()}


def _read(board: Board, power: Power, order: MovementOrder) -> Entry:
    """What an order says. The space alone tells which unit is meant: there is only one there."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None or unit.power != power:
        return Entry(None, False, None)
    return Entry(unit, isinstance(order, Move), _legal(board, unit, order))


def _legal(board: Board, unit: Unit, order: MovementOrder) -> GuideOrder | None:
    """The order if it is legal, viewed individually (Step 1): possible whatever the other units are ordered to do."""
    match order:
        case Hold():
            return GuideHold(unit)
        case Move():
            return _legal_move(board, unit, order)
        case SupportHold():
            return _legal_support(board, unit, order.supported.province, order.supported.province)
        case SupportMove():
            if _could_move(board, order.supported.province, province_of(order.destination)):
                return _legal_support(board, unit, order.supported.province, province_of(order.destination))
        case Convoy():
            return _legal_convoy(board, unit, order.convoyed.province, province_of(order.destination))
    return None


def _legal_move(board: Board, unit: Unit, order: Move) -> GuideMove | None:
    """VII and XII: a direct move goes to an adjacent space; a move by convoy must say so if the target is adjacent."""
    says_so = order.via_convoy or bool(order.route)
    if unit.kind is UnitKind.FLEET:
        location = _fleet_target(board.map, unit.location, order.destination)
        return None if says_so or location is None else GuideMove(unit, location, by_convoy=False)
    target = province_of(order.destination)  # armies do not care about coasts (VI)
    if target in board.map.exits(unit.kind, unit.location) and not says_so:
        return GuideMove(unit, target, by_convoy=False)
    return GuideMove(unit, target, by_convoy=True) if convoy_fleets(board, unit.province, target) else None


def _fleet_target(game_map: Map, origin: Location, destination: Location) -> Location | None:
    """Where a fleet would sail; of two coasts that it could reach it must name one (VI, VII)."""
    province = province_of(destination)
    reachable = game_map.fleet_reach.get(origin, {}).get(province, ())
    if coast_of(destination) and game_map.provinces[province].coasts:
        return destination if destination in reachable else None
    return reachable[0] if len(reachable) == 1 else None


def _legal_support(board: Board, unit: Unit, supported: ProvinceCode, target: ProvinceCode) -> GuideSupport | None:
    """IX: a supporter must be able to move to the target space without convoy, coasts aside; none supports itself."""
    reach = {province_of(location) for location in board.map.exits(unit.kind, unit.location)}
    possible = target in reach and supported in board.unit_at and supported != unit.province
    return GuideSupport(unit, supported, target) if possible else None


def _could_move(board: Board, origin: ProvinceCode, target: ProvinceCode) -> bool:
    """IX: "One cannot legally order a unit to support an illegal move." Directly or by convoy, to any coast."""
    unit = board.unit_at.get(origin)
    if unit is None or target == origin:
        return False
    direct = any(province_of(location) == target for location in board.map.exits(unit.kind, unit.location))
    return direct or (unit.kind is UnitKind.ARMY and bool(convoy_fleets(board, origin, target)))


def _legal_convoy(board: Board, unit: Unit, army: ProvinceCode, target: ProvinceCode) -> GuideConvoy | None:
    """XII: only fleets in bodies of water convoy, and only where a possible chain has a place for the fleet."""
    convoyed = board.unit_at.get(army)
    if convoyed is None or convoyed.kind is not UnitKind.ARMY:
        return None
    return GuideConvoy(unit, army, target) if unit.province in convoy_fleets(board, army, target) else None


def convoy_fleets(board: Board, army: ProvinceCode, target: ProvinceCode) -> frozenset[ProvinceCode]:
    """The bodies of water with fleets in them that could take part in a convoy, whatever the fleets' orders (XII)."""
    return on_routes(board.map, army, target, board.convoyers)


@lru_cache(maxsize=100_000)
def on_routes(
    game_map: Map, start: ProvinceCode, target: ProvinceCode, waters: frozenset[ProvinceCode]
) -> frozenset[ProvinceCode]:
    """Those of the waters that lie on an unbroken route which passes through none of them twice (Step 1, XII)."""
    if start == target or target in game_map.seas:
        return frozenset()
    shore = game_map.shores.get(target, frozenset())
    found: set[ProvinceCode] = set()

    def sail(route: tuple[ProvinceCode, ...]) -> None:
        if route[-1] in shore:
            found.update(route)
        for water in game_map.fleet[route[-1]] & waters:
            if water not in route:
                sail((*route, water))

    for water in game_map.shores.get(start, frozenset()) & waters:
        sail((water,))
    return frozenset(found)


def turn_of(board: Board, given: Mapping[Power, Sequence[Entry]]) -> Turn:
    """Every unit with the first legal order it was given. Without any it holds, after an illegal move as such (VII)."""
    order_at: dict[ProvinceCode, GuideOrder] = {}
    entries = [entry for power_entries in given.values() for entry in power_entries]
    for entry in entries:
        if entry.order is not None:
            order_at.setdefault(entry.order.space, entry.order)
    for entry in entries:
        if entry.unit is not None and entry.moves and entry.unit.province not in order_at:
            illegal = GuideMove(entry.unit, entry.unit.location, by_convoy=False)
            illegal.status = Status.ILLEGAL
            order_at[entry.unit.province] = illegal
    for unit in board.units:
        order_at.setdefault(unit.province, GuideHold(unit))
    return Turn(board, order_at)
