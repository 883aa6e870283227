"""Reads the orders of a turn for the oracles that follow the DATC, and makes an answer of what they resolve.

Source: Lucas B. Kruijswijk, DATC 3.2: 4.A.3, 4.A.5 and 4.B to 4.E with the preferences of its author. With satjudge this
shares the map, the board and the orders as they were given, but not what is legal.

A `Turn` holds what every unit does: its first legal order, or hold. How the orders come out is for an oracle to find; then
`answer` has the verdicts, the dislodged units with their retreats, and the positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from typing import TypeAlias, TypeVar

from satjudge.board import Board, Unit
from satjudge.crosscheck.oracle import Answer, verdict_of
from satjudge.geography import Location, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove

K = TypeVar("K")

# ---------------------------------------------------------------- orders that can be followed


@dataclass(eq=False, slots=True)
class Order:
    """A legal order to a unit, and what is known of its resolution."""

    unit: Unit
    resolved: bool = field(default=False, init=False)
    resolution: bool = field(default=False, init=False)
    """Whether it succeeds; final once `resolved`."""
    visited: bool = field(default=False, init=False)
    """Whether the recursion of a Kruijswijk algorithm is at it (DATC 5.E, 5.F)."""

    def says(self) -> tuple[object, ...]:
        """What the order orders, to tell whether another one says the same."""
        return (type(self), *(getattr(self, entry.name) for entry in fields(self) if entry.init))


@dataclass(eq=False, slots=True)
class HoldOrder(Order):
    """The unit stays where it is."""


@dataclass(eq=False, slots=True)
class MoveOrder(Order):
    """The unit moves to a location, directly or with a convoy."""

    destination: Location
    via_convoy: bool
    convoyed: bool = field(default=False, init=False)
    chains: list[list[ConvoyOrder]] = field(default_factory=list, init=False)
    """The proper routes on which every fleet was ordered to convoy it."""
    supports: list[SupportOrder] = field(default_factory=list, init=False)

    @property
    def province(self) -> ProvinceCode:
        """The province it moves to."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class SupportOrder(Order):
    """The unit supports another one, to hold or to move."""

    supported: Unit
    province: ProvinceCode
    """The province in which the support counts: the destination of a move, the place of a unit that holds."""
    destinations: tuple[Location, ...] = ()
    """Which moves it supports: without a coast those to either (DATC 4.B.4). None if it supports a unit to hold."""
    matched: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class ConvoyOrder(Order):
    """The fleet convoys an army."""

    army: Unit
    province: ProvinceCode
    """Where the army goes."""
    matched: bool = field(default=False, init=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An order as it was given: the unit, if the power owns it, and the order, if it is legal."""

    unit: Unit | None
    order: Order | None


Given: TypeAlias = Mapping[Power, Sequence[Entry]]


class Turn:
    """The orders of a movement phase as they were `given`, and those that are followed, one for every unit, with what
    they have to do with each other.
    """

    def __init__(self, board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> None:
        self.board = board
        given = {power: [_read(board, power, order) for order in entries] for power, entries in orders.items()}
        self.orders = _followed(board, given)
        self.order_at = {order.unit.province: order for order in self.orders}
        self.given: Given = {power: [self._merged(entry) for entry in entries] for power, entries in given.items()}
        self.moves = [order for order in self.orders if isinstance(order, MoveOrder)]
        self.supports = [order for order in self.orders if isinstance(order, SupportOrder)]
        self.convoys = [order for order in self.orders if isinstance(order, ConvoyOrder)]
        self.moves_to: dict[ProvinceCode, list[MoveOrder]] = {}
        self.hold_supports: dict[ProvinceCode, list[SupportOrder]] = {}
        for move in self.moves:
            self._prepare_move(move)
        for support in self.supports:
            match_support(support, self.order_at[support.supported.province], self.hold_supports)

    @property
    def decisions(self) -> list[Order]:
        """The orders that can succeed or fail."""
        helping: list[SupportOrder | ConvoyOrder] = [*self.supports, *self.convoys]
        return [*self.moves, *(order for order in helping if order.matched)]

    def _merged(self, entry: Entry) -> Entry:
        """The entry; if it says what its unit does anyway, with that very order (DATC 4.D.3: the same order twice)."""
        if entry.order is None:
            return entry
        followed = self.order_at[entry.order.unit.province]
        again = followed is not entry.order and followed.says() == entry.order.says()
        return Entry(entry.unit, followed) if again else entry

    def _prepare_move(self, move: MoveOrder) -> None:
        self.moves_to.setdefault(move.province, []).append(move)
        convoys = {
            order.unit.province: order for order in self.convoys if order.army is move.unit and order.province == move.province
        }
        for convoy in convoys.values():
            convoy.matched = True
        # DATC 4.A.3: "via convoy", or a fleet of the same power, even off the route that is taken (6.G.6).
        intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())
        move.convoyed = intended or move.province not in _direct_provinces(self.board, move.unit)
        if move.convoyed:
            routes = _proper_routes(self.board, convoys.keys(), move.unit.province, move.province)
            move.chains = [[convoys[sea] for sea in route] for route in routes]

    def head_to_head(self, move: MoveOrder) -> MoveOrder | None:
        """The move in the opposite direction, if neither is convoyed."""
        opposing = self.order_at.get(move.province)
        if not isinstance(opposing, MoveOrder) or opposing.province != move.unit.province:
            return None
        return None if move.convoyed or opposing.convoyed else opposing


def match_support(support: SupportOrder, order: Order, hold_supports: dict[ProvinceCode, list[SupportOrder]]) -> None:
    """Whether the supported unit was ordered so. Ordered to move it cannot be supported to hold (DATC 6.D.8)."""
    if isinstance(order, MoveOrder):
        support.matched = order.destination in support.destinations  # DATC 4.B.4
        supports = order.supports
    else:
        support.matched = not support.destinations
        supports = hold_supports.setdefault(support.supported.province, [])
    if support.matched:
        supports.append(support)


def reachable(start: K, reads: Mapping[K, Set[K]]) -> set[K]:
    """Everything that a decision depends on, directly or not (DATC 5.B.9)."""
    found: set[K] = set()
    waiting = [start]
    while waiting:
        fresh = reads[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def _followed(board: Board, given: Given) -> list[Order]:
    """What every unit does: its first legal order (DATC 4.D.3), or hold."""
    first: dict[ProvinceCode, Order] = {}
    for entries in given.values():
        for entry in entries:
            if entry.order is not None:
                first.setdefault(entry.order.unit.province, entry.order)
    return [first.get(unit.province) or HoldOrder(unit) for unit in board.units]


# ---------------------------------------------------------------- what is legal (DATC 4.E.1)


def _read(board: Board, power: Power, order: MovementOrder) -> Entry:
    """What the order of a power comes to. Stated kind, coast and power of a unit are forgiven (DATC 4.B.5, 4.C)."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None or unit.power != power:  # DATC 6.A.6
        return Entry(None, None)
    return Entry(unit, _legal_order(board, unit, order))


def _legal_order(board: Board, unit: Unit, order: MovementOrder) -> Order | None:
    """The order to the unit, or None if it is illegal (DATC 4.E.1)."""
    match order:
        case Hold():
            return HoldOrder(unit)
        case Move():
            return _legal_move(board, unit, order)
        case SupportHold():
            supported = board.unit_at.get(order.supported.province)
            return _legal_support(board, unit, supported, order.supported.province)
        case SupportMove():
            supported = board.unit_at.get(order.supported.province)
            return _legal_support(board, unit, supported, province_of(order.destination), order.destination)
        case Convoy():
            return _legal_convoy(board, unit, order)


def _legal_move(board: Board, unit: Unit, order: Move) -> MoveOrder | None:
    destinations = _destinations(board, unit, order.destination)
    if len(destinations) != 1:  # DATC 4.B.1: which of two coasts is not said
        return None
    possible = unit.kind is UnitKind.ARMY and _has_route(board, board.convoyers, unit.province, destinations[0])
    if order.via_convoy and not possible:  # DATC 6.A.7: a fleet cannot be convoyed
        return None
    return MoveOrder(unit, destinations[0], order.via_convoy)


def _legal_support(
    board: Board, unit: Unit, supported: Unit | None, province: ProvinceCode, destination: Location | None = None
) -> SupportOrder | None:
    """A support in a province that its unit could move to, for a unit that could hold or move there."""
    if supported is None or supported is unit or province not in _direct_provinces(board, unit):
        return None
    if destination is None:
        return SupportOrder(unit, supported, province)
    # DATC 6.D.31: a fleet cannot support an army and convoy it as well.
    destinations = _destinations(board, supported, destination, without=unit.province)
    return SupportOrder(unit, supported, province, destinations) if destinations else None


def _legal_convoy(board: Board, unit: Unit, order: Convoy) -> ConvoyOrder | None:
    """A convoy by a fleet on some proper route of the fleets on the board, whether these were ordered so or not."""
    army, province = board.unit_at.get(order.convoyed.province), province_of(order.destination)
    if army is None or army.kind is not UnitKind.ARMY:  # DATC 6.A.7
        return None
    routes = _proper_routes(board, board.convoyers, army.province, province)
    return ConvoyOrder(unit, army, province) if any(unit.province in route for route in routes) else None


def _direct_provinces(board: Board, unit: Unit) -> Set[ProvinceCode]:
    """The provinces that the unit can move to without a convoy."""
    return {province_of(location) for location in board.map.exits(unit.kind, unit.location)}


def _destinations(board: Board, unit: Unit, destination: Location, without: ProvinceCode | None = None) -> tuple[Location, ...]:
    """The locations that the unit may be meant to move to, if need be by convoy without the fleet in one province."""
    province = board.map.provinces.get(province_of(destination))
    if province is None:
        return ()
    if unit.kind is UnitKind.ARMY:  # DATC 4.B.6: coasts do not matter to armies
        possible = province.code in _direct_provinces(board, unit) or _has_route(
            board, board.convoyers - {without}, unit.province, province.code
        )
        return (province.code,) if possible else ()
    if coast_of(destination) in province.coasts:  # DATC 4.B.3: a coast that is named is meant
        return tuple({destination} & board.map.exits(unit.kind, unit.location))
    return board.map.fleet_reach.get(unit.location, {}).get(province.code, ())  # DATC 4.B.2


def _proper_routes(
    board: Board, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode
) -> Iterator[tuple[ProvinceCode, ...]]:
    """The routes of an army by sea that never jump to a province within reach of an earlier one (DATC 4.E.1)."""
    province = board.map.provinces.get(destination)
    if province is None or province.terrain is Terrain.SEA or origin == destination:
        return
    shores = board.map.shores

    def extended(route: tuple[ProvinceCode, ...], reached: Set[ProvinceCode]) -> Iterator[tuple[ProvinceCode, ...]]:
        if route and route[-1] in shores.get(destination, ()):
            yield route
            return
        within_reach = shores.get(route[-1] if route else origin, frozenset()) & fleets
        for sea in sorted(within_reach - reached):
            yield from extended((*route, sea), reached | within_reach)

    yield from extended((), frozenset())


def _has_route(board: Board, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode) -> bool:
    return any(True for _ in _proper_routes(board, fleets, origin, destination))


# ---------------------------------------------------------------- the answer, once every order is resolved


def answer(turn: Turn, contested: Set[ProvinceCode]) -> Answer:
    """The answer to a turn whose orders are resolved. No unit may retreat to a contested province."""
    attackers = {unit: move for unit in turn.board.units if (move := _attacker_of(turn, unit))}
    standing = [_moved(turn, unit) for unit in turn.board.units if unit not in attackers]
    closed = {unit.province for unit in standing} | contested
    retreats = {unit: _retreats(turn.board, unit, attacker, closed) for unit, attacker in attackers.items()}
    legal = {entry.order.unit for entries in turn.given.values() for entry in entries if entry.order}
    verdicts = {power: [_verdict(turn, entry, legal, retreats) for entry in entries] for power, entries in turn.given.items()}
    return Answer.of(verdicts, retreats, standing)


def _attacker_of(turn: Turn, unit: Unit) -> MoveOrder | None:
    """The move that dislodges the unit."""
    order = turn.order_at[unit.province]
    if isinstance(order, MoveOrder) and order.resolution:
        return None
    return next((move for move in turn.moves_to.get(unit.province, ()) if move.resolution), None)


def _moved(turn: Turn, unit: Unit) -> Unit:
    order = turn.order_at[unit.province]
    if isinstance(order, MoveOrder) and order.resolution:
        return Unit(unit.power, unit.kind, order.destination)
    return unit


def _retreats(board: Board, unit: Unit, attacker: MoveOrder, closed: Set[ProvinceCode]) -> list[Location]:
    # DATC 4.A.5: a convoyed attacker did not come over the border.
    barred = closed if attacker.convoyed else closed | {attacker.unit.province}
    return sorted(location for location in board.map.exits(unit.kind, unit.location) if province_of(location) not in barred)


def _verdict(turn: Turn, entry: Entry, legal: Set[Unit], retreats: Mapping[Unit, list[Location]]) -> str:
    """The words for one order (DATC 4.E.2)."""
    unit, order = entry.unit, entry.order
    if unit is None:
        return "illegal"
    if order is None or order is not turn.order_at[unit.province]:  # illegal, or not the first (DATC 4.D.3)
        return "illegal" if unit in legal else verdict_of("illegal", retreats.get(unit))
    return verdict_of(_resolution(order), retreats.get(unit))


def _resolution(order: Order) -> str:
    """The word for what became of an order, without what happens to its unit."""
    match order:
        case HoldOrder():
            return "stands"
        case MoveOrder():
            failed = "invalid" if order.convoyed and not order.chains else "fails"
            return "succeeds" if order.resolution else failed
        case SupportOrder(matched=True):
            return "given" if order.resolution else "cut"
        case ConvoyOrder(matched=True):
            return "available" if order.resolution else "disrupted"
        case _:
            return "invalid"
