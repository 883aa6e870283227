"""Which orders count: orders x board x rulebook -> what each unit is really ordered to do, and why the rest was rejected.

Legality is as strict as DATC 3.2 has it (4.E.1): an order is legal if it is possible on this board, whatever the other
orders are. An illegal order is ignored; the first legal order for a unit counts (4.D.3); a unit without one holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satjudge.board import Board, Unit
from satjudge.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Named, Order, SupportHold, SupportMove
from satjudge.rules import Rulebook

Route = tuple[ProvinceCode, ...]
"""The sea provinces that a convoyed army passes, in order."""

_CACHED_ROUTES = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One order as it was handed in. `reason` says why it is illegal, and is None for the order that counts."""

    power: Power
    order: Order
    reason: str | None
    province: ProvinceCode | None
    """The province of the ordered unit, None if the power has no unit there."""


@dataclass(frozen=True, slots=True)
class Docket:
    """All orders handed in, and for each unit with a legal order that order in full (true kind, location and coast)."""

    entries: Mapping[Power, Sequence[Entry]]
    orders: Mapping[ProvinceCode, MovementOrder]
    unsupportable: frozenset[ProvinceCode] = frozenset()
    """Where a unit stands that cannot be supported in place, whoever would (4.D.9, 4.E.1)."""


class _IllegalOrder(Exception):  # noqa: N818  # illegal orders are no errors
    """Carries the reason."""


def sort_out(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> Docket:
    """Decide which orders count, power by power in the order given."""
    legal: dict[ProvinceCode, MovementOrder] = {}
    entries: dict[Power, list[Entry]] = {}
    for power, handed_in in orders.items():
        entries[power] = [_enter(board, power, order, legal) for order in handed_in]
    return Docket(entries, legal)


def _enter(board: Board, power: Power, order: Order, legal: dict[ProvinceCode, MovementOrder]) -> Entry:
    unit: Unit | None = None
    reason = None
    try:
        if not isinstance(order, MovementOrder):
            raise _IllegalOrder("only hold, move, support and convoy orders are given in a movement phase")
        unit = _ordered_unit(board, power, order)
        counted = _LEGAL_FORM[type(order)](board, unit, order)
        if unit.province in legal:
            raise _IllegalOrder(f"{unit} has a legal order already: {legal[unit.province]} (4.D.3)")
        legal[unit.province] = counted
    except _IllegalOrder as illegal:
        reason = str(illegal)
    return Entry(power, order, reason, unit.province if unit else None)


def _ordered_unit(board: Board, power: Power, order: MovementOrder) -> Unit:
    """The unit that is ordered; its stated kind and coast are forgiven (4.B.5, 4.C.2), its owner is not (6.A.6)."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None:
        raise _IllegalOrder(f"there is no unit in {order.unit.province}")
    if unit.power != power:
        raise _IllegalOrder(f"{unit} belongs to {unit.power} (6.A.6)")
    return unit


def _named(unit: Unit) -> Named:
    return Named(unit.kind, unit.location)


def _legal_hold(board: Board, unit: Unit, order: Hold) -> Hold:
    return Hold(_named(unit))


def _legal_move(board: Board, unit: Unit, order: Move) -> Move:
    if unit.kind is UnitKind.FLEET:
        return Move(_named(unit), fleet_destination(board.map, unit.location, order.destination))
    destination = province_of(order.destination)  # coasts mean nothing to an army (4.B.6, 6.B.12)
    _check_army_move(board, unit, destination, board.fleets_at_sea, must_convoy=order.via_convoy)
    return Move(_named(unit), destination, order.via_convoy)


def _check_army_move(
    board: Board, army: Unit, destination: ProvinceCode, fleets: frozenset[ProvinceCode], *, must_convoy: bool = False
) -> None:
    """Raise unless the army can move there by land or through some of these fleets, ordered to convoy it or not."""
    origin = army.province
    if destination in board.map.army[origin] and not must_convoy:
        return
    if destination == origin:
        raise _IllegalOrder(f"{army} is in {destination} already (6.A.4)")
    if board.map.provinces[destination].terrain is not Terrain.COAST:
        raise _IllegalOrder(f"an army cannot move from {origin} to {destination} (6.A.1, 6.A.2)")
    if not convoy_routes(board.map, origin, destination, fleets):
        raise _IllegalOrder(f"no fleets are there that could convoy an army from {origin} to {destination} (4.E.1, 6.D.32)")


def fleet_destination(game_map: Map, origin: Location, destination: Location) -> Location:
    """The location that a fleet ordered to `destination` moves to, its coast filled in where only one is possible.

    Raises (as illegal) where none is possible, two are (4.B.1), or the named coast is not (4.B.3). A coast that the
    province does not have is ignored (4.B.6).
    """
    province = game_map.provinces[province_of(destination)]
    reachable = game_map.fleet_reach[origin].get(province.code, ())
    if not reachable:
        raise _IllegalOrder(f"a fleet cannot move from {origin} to {destination} (6.A.3, 6.A.9)")
    if coast_of(destination) in province.coasts:
        if destination not in reachable:
            raise _IllegalOrder(f"a fleet in {origin} can reach {' '.join(reachable)}, not {destination} (4.B.3)")
        return destination
    if len(reachable) > 1:
        raise _IllegalOrder(f"the coast must be named: {' or '.join(reachable)} (4.B.1)")
    return reachable[0]


def _check_reach(board: Board, unit: Unit, province: ProvinceCode) -> None:
    """Raise unless the unit could move directly into the province, on whatever coast (6.A.10, 6.B.4)."""
    if province == unit.province:
        raise _IllegalOrder(f"{unit} cannot support into its own province (6.A.8, 6.D.34)")
    if unit.kind is UnitKind.ARMY:
        reachable = province in board.map.army[unit.province]
    else:
        reachable = province in board.map.fleet_reach[unit.location]
    if not reachable:
        raise _IllegalOrder(f"{unit} cannot support into {province}: it could not move there (6.A.10)")


def _supported_unit(board: Board, named: Named) -> Unit:
    """The unit to be supported; kind, coast and nationality are forgiven (4.B.5, 4.C.2, 4.C.6)."""
    unit = board.unit_at.get(named.province)
    if unit is None:
        raise _IllegalOrder(f"there is no unit in {named.province} to support")
    return unit


def _legal_support_hold(board: Board, unit: Unit, order: SupportHold) -> SupportHold:
    _check_reach(board, unit, order.supported.province)
    return SupportHold(_named(unit), _named(_supported_unit(board, order.supported)))


def _legal_support_move(board: Board, unit: Unit, order: SupportMove) -> SupportMove:
    supported = _supported_unit(board, order.supported)
    destination = province_of(order.destination)
    _check_reach(board, unit, destination)
    if supported.kind is UnitKind.ARMY:
        # A fleet cannot support the move that it alone could make possible as a convoyer (6.D.31).
        _check_army_move(board, supported, destination, board.fleets_at_sea - {unit.province})
        return SupportMove(_named(unit), _named(supported), destination)
    return SupportMove(_named(unit), _named(supported), _supported_destination(board.map, supported, order.destination))


def _supported_destination(game_map: Map, supported: Unit, destination: Location) -> Location:
    """Where the supported fleet is to go: with a coast if the support names one, else to any it can reach (4.B.4)."""
    province = game_map.provinces[province_of(destination)]
    reachable = game_map.fleet_reach[supported.location].get(province.code, ())
    named = destination if coast_of(destination) in province.coasts else province.code
    if not reachable or (named != province.code and named not in reachable):
        raise _IllegalOrder(f"{supported} cannot move to {named} (6.D.22, 6.D.23)")
    return named


def _legal_convoy(board: Board, unit: Unit, order: Convoy) -> Convoy:
    if unit.kind is not UnitKind.FLEET or unit.province not in board.map.seas:
        raise _IllegalOrder(f"only a fleet at sea can convoy, not {unit} (6.F.1)")
    army = board.unit_at.get(order.convoyed.province)
    if army is None or army.kind is not UnitKind.ARMY:
        raise _IllegalOrder(f"there is no army in {order.convoyed.province} to convoy (6.A.7)")
    destination = province_of(order.destination)
    routes = convoy_routes(board.map, army.province, destination, board.fleets_at_sea)
    if not any(unit.province in route for route in routes):
        raise _IllegalOrder(f"{unit} is on no proper route from {army.province} to {destination} (4.E.1, 6.G.19)")
    return Convoy(_named(unit), _named(army), destination)


_LEGAL_FORM: dict[type[MovementOrder], Callable[[Board, Unit, Any], MovementOrder]] = {
    Hold: _legal_hold,
    Move: _legal_move,
    SupportHold: _legal_support_hold,
    SupportMove: _legal_support_move,
    Convoy: _legal_convoy,
}


def convoy_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """All proper routes from one coastal province to another through these fleets, in a stable order.

    In a proper route no fleet can be left out: none touches an earlier one but its predecessor, only the first touches
    the origin and only the last the destination (DATC 4.E.1, 6.G.19). Any chain of fleets contains a proper route.
    """
    cache: dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], tuple[Route, ...]]
    cache = game_map.cache.setdefault(convoy_routes, {})
    key = (origin, destination, fleets)
    routes = cache.get(key)
    if routes is None:
        if len(cache) >= _CACHED_ROUTES:
            cache.clear()
        routes = cache[key] = tuple(sorted(_proper_routes(game_map, origin, destination, fleets)))
    return routes


def _proper_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    start = game_map.shores.get(origin, frozenset()) & fleets
    goal = game_map.shores.get(destination, frozenset())
    if origin == destination or game_map.provinces[destination].terrain is not Terrain.COAST:
        return
    unfinished: list[tuple[Route, frozenset[ProvinceCode]]] = [((first,), fleets - start) for first in start]
    while unfinished:
        route, free = unfinished.pop()
        if route[-1] in goal:
            yield route
            continue
        onward = game_map.fleet[route[-1]] & free
        unfinished.extend(((*route, sea), free - onward) for sea in onward)
