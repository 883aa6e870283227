"""Reads the orders of a turn for the oracles that follow the DATC, and builds their answer once the orders are resolved.

Source: Lucas B. Kruijswijk, DATC 3.2: 4.A.3, 4.A.5 and 4.B to 4.E with the preferences of its author. This module shares the
map, the board and the given orders with satjudge, but not the rules of legality.

A `Turn` contains the order that every unit follows: its first legal order, or a hold. An oracle resolves these orders. Then
`build_answer` returns the verdicts, the dislodged units with their retreats, and the positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TypeAlias, TypeVar

from satjudge.oracles.oracle import Answer, format_verdict
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Canal, Location, Map, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Permission, SupportHold, SupportMove

K = TypeVar("K")
Given: TypeAlias = MovementOrder | Permission
"""An order as given by a power."""

# ---------------------------------------------------------------- orders that can be followed


@dataclass(eq=False, slots=True)
class Order:
    """A legal order to a unit, with its resolution."""

    unit: Unit
    resolved: bool = field(default=False, init=False)
    resolution: bool = field(default=False, init=False)
    """Whether the order succeeds, which is final if `resolved` is true."""
    visited: bool = field(default=False, init=False)
    """Whether the recursion of a Kruijswijk algorithm is at this order (DATC 5.E, 5.F)."""

    def comparison_key(self) -> tuple[object, ...]:
        """Return the type and content of the order without its resolution; two orders with equal keys are the same order."""
        return (type(self), *(getattr(self, entry.name) for entry in fields(self) if entry.init))


@dataclass(eq=False, slots=True)
class HoldOrder(Order):
    """An order to stay in place."""


@dataclass(eq=False, slots=True)
class MoveOrder(Order):
    """An order to move to a location: directly, by convoy, through a canal, or by railroad."""

    destination: Location
    via_convoy: bool = False
    stages: tuple[ProvinceCode, ...] = ()
    """The provinces along a train's way, in sequence; empty for other moves."""
    canal: Canal | None = None
    permitted: bool = field(default=False, init=False)
    """Whether the orders permit the unit to pass the canal."""
    difficult: bool = field(default=False, init=False)
    """Whether the move crosses a difficult border (DATC 2.4, 10)."""
    stop: Location | None = field(default=None, init=False)
    """The location where a train's move ends."""
    convoyed: bool = field(default=False, init=False)
    chains: list[list[ConvoyOrder]] = field(default_factory=list, init=False)
    """The routes on which every fleet has a matching convoy order."""
    supports: list[SupportOrder] = field(default_factory=list, init=False)

    @property
    def province(self) -> ProvinceCode:
        """The province to which the unit moves."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class SupportOrder(Order):
    """An order to support another unit, to hold or to move."""

    supported: Unit
    province: ProvinceCode
    """The province in which the support counts: a move's destination, or the place of a unit that holds."""
    destinations: tuple[Location, ...] = ()
    """The destinations of matching moves: all coasts if none is named (DATC 4.B.4). Empty for a support to hold."""
    matched: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class ConvoyOrder(Order):
    """An order to a fleet to convoy an army."""

    army: Unit
    province: ProvinceCode
    """The army's destination."""
    matched: bool = field(default=False, init=False)


@dataclass(slots=True)
class Entry:
    """A given order: its unit, or None if the power has none there, and the order if it is legal and followed."""

    unit: Unit | None
    order: Order | None
    permits: Permission | None = None
    """The permission that the order gives, if it is legal and no other permission contradicts it."""


class Turn:
    """The given orders of a movement phase, and the order that each unit follows."""

    superfluous_convoys = False
    """Whether a convoy order is legal for a fleet that the army's convoy does not need (DATC 2.4, 4.A.3 d)."""

    def __init__(self, board: Board, orders: Mapping[Power, Sequence[Given]]) -> None:
        self.board, self.ways = board, BoardRoutes(board)
        self.entries = {power: [self._read_order(power, order) for order in given] for power, given in orders.items()}
        self._choose_orders()
        followed = {order.unit.province: order for _, order in self._iter_legal_orders()}
        self.order_at: dict[ProvinceCode, Order] = {
            unit.province: followed.get(unit.province) or HoldOrder(unit) for unit in board.units
        }
        for entry, order in self._iter_legal_orders():  # repeated orders are the same object
            entry.order = self.order_at[order.unit.province]
        self.orders = list(self.order_at.values())
        self.moves = [order for order in self.orders if isinstance(order, MoveOrder)]
        self.supports = [order for order in self.orders if isinstance(order, SupportOrder)]
        self.convoys = [order for order in self.orders if isinstance(order, ConvoyOrder)]
        self.moves_to: dict[ProvinceCode, list[MoveOrder]] = {}
        """The moves to each province, except by railroad."""
        self.hold_supports: dict[ProvinceCode, list[SupportOrder]] = {}
        for move in self.moves:
            if not move.stages:
                self._prepare_move(move)
        for support in self.supports:
            match_support(support, self.order_at[support.supported.province], self.hold_supports)

    @property
    def decisions(self) -> list[Order]:
        """The orders that can succeed or fail: moves, and those supports and convoys that match the other unit's order."""
        helping: list[SupportOrder | ConvoyOrder] = [*self.supports, *self.convoys]
        return [*self.moves, *(order for order in helping if order.matched)]

    def _iter_legal_orders(self) -> Iterator[tuple[Entry, Order]]:
        """Yield each entry with a legal order that is followed, and this order."""
        return ((entry, entry.order) for given in self.entries.values() for entry in given if entry.order)

    def _choose_orders(self) -> None:
        """Remove from the entries all legal orders to a unit that differ from its first one (DATC 4.D.3)."""
        first: dict[ProvinceCode, Order] = {}
        for _, order in self._iter_legal_orders():
            first.setdefault(order.unit.province, order)
        for entry, order in self._iter_legal_orders():
            if order.comparison_key() != first[order.unit.province].comparison_key():
                entry.order = None

    def _prepare_move(self, move: MoveOrder) -> None:
        self.moves_to.setdefault(move.province, []).append(move)
        convoys = {
            order.unit.province: order for order in self.convoys if order.army is move.unit and order.province == move.province
        }
        for convoy in convoys.values():
            convoy.matched = True
        if move.unit.kind is UnitKind.ARMY:
            routes = self.ways.iter_routes(convoys.keys(), move.unit.province, move.province)
            move.chains = [[convoys[sea] for sea in route] for route in routes]
        # DATC 4.A.3: "via convoy", or a fleet of the same power, even if it is not on the route (6.G.6).
        intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())
        move.convoyed = self._is_convoyed(move, intended)

    def _is_convoyed(self, move: MoveOrder, intended: bool) -> bool:
        return intended or move.province not in self.ways.list_provinces(move.unit)

    def find_head_to_head(self, move: MoveOrder) -> MoveOrder | None:
        """Return the move in the opposite direction, or None if there is none or either is convoyed."""
        opposing = self.order_at.get(move.province)
        if not isinstance(opposing, MoveOrder) or opposing.province != move.unit.province:
            return None
        return None if move.convoyed or opposing.convoyed else opposing

    # -------- legality (DATC 4.E.1)

    def _read_order(self, power: Power, order: Given) -> Entry:
        """Return the entry of an order; it has no unit and no order if the power has no unit there. Ignores the unit's kind."""
        unit = self.board.unit_at.get(order.unit.province)
        if unit is None or unit.power != power:  # DATC 6.A.6
            return Entry(None, None)
        return Entry(unit, self._make_legal_order(unit, order))

    def _make_legal_order(self, unit: Unit, order: Given) -> Order | None:
        """Return the order that the unit would follow, or None if the given order is illegal (DATC 4.E.1)."""
        match order:
            case Hold():
                return HoldOrder(unit)
            case Move():
                return self._make_legal_move(unit, order)
            case SupportHold():
                supported = self.board.unit_at.get(order.supported.province)
                return self._make_legal_support(unit, supported, order.supported.province)
            case SupportMove():
                supported = self.board.unit_at.get(order.supported.province)
                return self._make_legal_support(unit, supported, province_of(order.destination), order.destination)
            case Convoy():
                return self._make_legal_convoy(unit, order)
        return None

    def _make_legal_move(self, unit: Unit, order: Move) -> Order | None:
        destinations = self.ways.list_destinations(unit, order.destination)
        if len(destinations) != 1:  # DATC 4.B.1: the order does not state which of two coasts
            return None
        possible = unit.kind is UnitKind.ARMY and self.ways.can_be_convoyed(unit, destinations[0])
        if order.via_convoy and not possible:  # DATC 6.A.7: a fleet cannot be convoyed
            return None
        return MoveOrder(unit, destinations[0], order.via_convoy)

    def _make_legal_support(
        self, unit: Unit, supported: Unit | None, province: ProvinceCode, destination: Location | None = None
    ) -> SupportOrder | None:
        """Return a support in a province (of a move if `destination` is given), or None if it is illegal.

        The supporting unit must be able to move there, but not over a difficult border (DATC 2.4, 10.E).
        """
        if supported is None or supported is unit or province not in self.ways.list_provinces(unit):
            return None
        if self.ways.is_difficult(unit, province):
            return None
        if destination is None:
            return SupportOrder(unit, supported, province)
        # DATC 6.D.31: a fleet cannot support an army and convoy it as well.
        destinations = self.ways.list_destinations(supported, destination, excluded_fleet=unit.province)
        if self.ways.find_canal(supported, destination):
            destinations = (destination,)
        if self.ways.list_stages(supported, province):
            destinations = (province,)
        return SupportOrder(unit, supported, province, destinations) if destinations else None

    def _make_legal_convoy(self, unit: Unit, order: Convoy) -> ConvoyOrder | None:
        """Return a convoy order if the fleet is on a possible route of the board's fleets, whatever their orders; else None."""
        army, province = self.board.unit_at.get(order.convoyed.province), province_of(order.destination)
        if army is None or army.kind is not UnitKind.ARMY:  # DATC 6.A.7
            return None
        routes = self.ways.iter_routes(self.ways.convoyers, army.province, province, allow_spare=self.superfluous_convoys)
        return ConvoyOrder(unit, army, province) if any(unit.province in route for route in routes) else None


def match_support(support: SupportOrder, order: Order, hold_supports: dict[ProvinceCode, list[SupportOrder]]) -> None:
    """Set whether a support matches the supported unit's order; if so, add it to the move's supports or to `hold_supports`.

    A unit that is ordered to move cannot be supported to hold (DATC 6.D.8).
    """
    if isinstance(order, MoveOrder):
        support.matched = order.destination in support.destinations  # DATC 4.B.4
        supports = order.supports
    else:
        support.matched = not support.destinations
        supports = hold_supports.setdefault(support.supported.province, [])
    if support.matched:
        supports.append(support)


def find_all_dependencies(start: K, dependencies: Mapping[K, Set[K]]) -> set[K]:
    """Return all keys on which `start` depends, directly or indirectly (DATC 5.B.9); it includes `start` only in a cycle."""
    found: set[K] = set()
    waiting = [start]
    while waiting:
        fresh = dependencies[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


# ---------------------------------------------------------------- the map as it is in the season


class BoardRoutes:
    """The ways that a board's units can take, without provinces that are closed in the season (DATC 2.4, 8)."""

    def __init__(self, board: Board) -> None:
        self.map = board.map
        self.shut: Set[ProvinceCode] = board.map.closed.get(board.turn.season, frozenset()) if board.turn else frozenset()
        """The closed provinces, which no unit can enter or leave, and from which none can support or convoy."""
        self.convoyers = {
            unit.province
            for unit in board.units
            if unit.kind is UnitKind.FLEET and self.map.provinces[unit.province].convoys and unit.province not in self.shut
        }
        self.touching = _find_adjacent_provinces(board.map)

    def list_exits(self, unit: Unit) -> list[Location]:
        """List the locations to which a unit can move without a convoy, but no closed ones; [] from a closed province."""
        if unit.province in self.shut:
            return []
        exits = (self.map.army if unit.kind is UnitKind.ARMY else self.map.fleet).get(unit.location, ())
        return sorted(exit_ for exit_ in exits if province_of(exit_) not in self.shut)

    def list_provinces(self, unit: Unit) -> Set[ProvinceCode]:
        """Return the provinces to which a unit can move without a convoy, but no closed ones."""
        return {province_of(location) for location in self.list_exits(unit)}

    def is_difficult(self, unit: Unit, province: ProvinceCode) -> bool:
        """Return whether a unit's border to a province is difficult for it, which is so only for armies (DATC 2.4, 10)."""
        return unit.kind is UnitKind.ARMY and province in self.map.difficult.get(unit.province, ())

    def find_canal(self, unit: Unit, destination: Location) -> Canal | None:
        """Return the canal through which a unit, if it is a fleet, could move to a destination, or None."""
        ends = {unit.location, destination}
        usable = len(ends) == 2 and not ends & self.shut
        canals = (canal for canal in self.map.canals if usable and ends == set(canal.seas))
        return next(canals, None) if unit.kind is UnitKind.FLEET else None

    def list_stages(self, unit: Unit, destination: ProvinceCode, railroad_name: str | None = None) -> tuple[ProvinceCode, ...]:
        """Return the provinces that an army enters along a railroad (or along the one named) to a destination, or ()."""
        for railroad in self.map.railroads:
            line, ends = list(railroad.line), (unit.province, destination)
            usable = unit.power == railroad.power and unit.kind is UnitKind.ARMY and ends[0] != ends[1]
            if not usable or self.shut & set(ends) or not set(ends) <= set(line) or railroad_name not in (None, railroad.name):
                continue
            start_index, end = line.index(ends[0]), line.index(ends[1])
            return tuple(line[start_index + 1 : end + 1] if start_index < end else reversed(line[end:start_index]))
        return ()

    def list_destinations(
        self, unit: Unit, destination: Location, excluded_fleet: ProvinceCode | None = None
    ) -> tuple[Location, ...]:
        """Return the locations that a destination can mean, which the unit could reach without convoy by `excluded_fleet`."""
        province = self.map.provinces.get(province_of(destination))
        if province is None:
            return ()
        if unit.kind is UnitKind.ARMY:  # DATC 4.B.6: coasts do not matter to armies
            possible = province.code in self.list_provinces(unit) or self.can_be_convoyed(unit, province.code, excluded_fleet)
            return (province.code,) if possible else ()
        reached = [location for location in self.list_exits(unit) if province_of(location) == province.code]  # DATC 4.B.2
        if coast_of(destination) in province.coasts:  # DATC 4.B.3: the named coast
            return tuple(location for location in reached if location == destination)
        return tuple(reached)

    def can_be_convoyed(self, unit: Unit, destination: ProvinceCode, excluded_fleet: ProvinceCode | None = None) -> bool:
        """Return whether fleets on the board, except `excluded_fleet`, could convoy an army to a destination."""
        return any(True for _ in self.iter_routes(self.convoyers - {excluded_fleet}, unit.province, destination))

    def iter_routes(
        self, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode, *, allow_spare: bool = False
    ) -> Iterator[tuple[ProvinceCode, ...]]:
        """Yield the convoy routes of an army over these fleets, never through its origin or destination (DATC 2.4, 9.B).

        Unless `allow_spare` is true, routes have no unnecessary fleets: none is adjacent to one before its predecessor (4.E.1).
        """
        province = self.map.provinces.get(destination)
        if province is None or province.terrain is not Terrain.COAST or origin == destination:
            return
        if origin in self.shut or destination in self.shut:
            return
        carrying = fleets - {origin, destination}

        def find_adjacent_fleets(code: ProvinceCode) -> Set[ProvinceCode]:
            return self.touching.get(code, frozenset()) & carrying

        landing = find_adjacent_fleets(destination)

        def extend_route(route: tuple[ProvinceCode, ...], barred: Set[ProvinceCode]) -> Iterator[tuple[ProvinceCode, ...]]:
            arrived = bool(route) and route[-1] in landing
            if arrived:
                yield route
            if arrived and not allow_spare:
                return
            onward = find_adjacent_fleets(route[-1] if route else origin)
            for sea in sorted(onward - barred):
                yield from extend_route((*route, sea), barred | {sea} if allow_spare else barred | onward)

        yield from extend_route((), frozenset())


@lru_cache(maxsize=16)
def _find_adjacent_provinces(game_map: Map) -> dict[ProvinceCode, Set[ProvinceCode]]:
    """Map each province to the provinces that are adjacent to it for fleets, on any coasts."""
    found: dict[ProvinceCode, set[ProvinceCode]] = {}
    for place, exits in game_map.fleet.items():
        for neighbour in map(province_of, exits):
            found.setdefault(province_of(place), set()).add(neighbour)
            found.setdefault(neighbour, set()).add(province_of(place))
    return {code: frozenset(near) for code, near in found.items()}


# ---------------------------------------------------------------- the answer, once every order is resolved


def build_answer(turn: Turn, contested: Set[ProvinceCode]) -> Answer:
    """Return the answer for a resolved turn; units may not retreat to the contested provinces."""
    attackers = {unit: move for unit in turn.board.units if (move := _find_attacker(turn, unit))}
    standing = [_move_unit(turn, unit) for unit in turn.board.units if unit not in attackers]
    closed = {unit.province for unit in standing} | contested
    retreats = {unit: _list_retreats(turn.ways, unit, attacker, closed) for unit, attacker in attackers.items()}
    legal = {entry.order.unit for entries in turn.entries.values() for entry in entries if entry.order}
    verdicts = {
        power: [_format_entry_verdict(entry, legal, retreats) for entry in entries] for power, entries in turn.entries.items()
    }
    return Answer.from_verdicts(verdicts, retreats, standing)


def _find_attacker(turn: Turn, unit: Unit) -> MoveOrder | None:
    """Return the move that dislodges a unit, or None."""
    order = turn.order_at[unit.province]
    if isinstance(order, MoveOrder) and order.resolution:
        return None
    return next((move for move in turn.moves_to.get(unit.province, ()) if move.resolution), None)


def _move_unit(turn: Turn, unit: Unit) -> Unit:
    order = turn.order_at[unit.province]
    if isinstance(order, MoveOrder) and order.resolution:
        return Unit(unit.power, unit.kind, order.stop or order.destination)
    return unit


def _list_retreats(ways: BoardRoutes, unit: Unit, attacker: MoveOrder, closed: Set[ProvinceCode]) -> list[Location]:
    # DATC 4.A.5: a convoyed attacker did not cross the border.
    barred = closed if attacker.convoyed else closed | {attacker.unit.province}
    return [location for location in ways.list_exits(unit) if province_of(location) not in barred]


def _format_entry_verdict(entry: Entry, legal: Set[Unit], retreats: Mapping[Unit, list[Location]]) -> str:
    """Return the verdict on a given order, with its unit's fate (DATC 4.E.2); `legal` has the units with a legal order."""
    unit, order = entry.unit, entry.order
    if entry.permits:
        return "granted"  # even if the fleet does not use it, because a permission needs no matching order
    if unit is None:
        return "illegal"
    if order is None:  # illegal, or not the first (DATC 4.D.3)
        return "illegal" if unit in legal else format_verdict("illegal", retreats.get(unit))
    return format_verdict(_format_result(order), retreats.get(unit))


def _format_result(order: Order) -> str:
    """Return the DATC's word for the result of an order, without its unit's fate."""
    match order:
        case HoldOrder():
            return "stands"
        case MoveOrder():
            if not order.resolution:
                return "invalid" if order.convoyed and not order.chains else "fails"
            return "succeeds" if order.stop in (None, order.destination) else "stops"
        case SupportOrder(matched=True):
            return "given" if order.resolution else "cut"
        case ConvoyOrder(matched=True):
            return "available" if order.resolution else "disrupted"
        case _:
            return "invalid"
