"""Reads the orders of a turn for the oracles that follow the DATC, and builds their answer from the resolved turn.

Source: Lucas B. Kruijswijk, DATC 3.2: 4.A.3, 4.A.5 and 4.B to 4.E with the preferences of its author. It shares with satjudge
the map, the board and the orders as given, but not legality.

A `Turn` holds what every unit does: its first legal order, or hold. An oracle resolves the orders; then `build_answer` lists
the verdicts, the dislodged units with their retreats, and the positions.
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
"""An order as a power gives it."""

# ---------------------------------------------------------------- orders that can be followed


@dataclass(eq=False, slots=True)
class Order:
    """A legal order to a unit, with its resolution."""

    unit: Unit
    resolved: bool = field(default=False, init=False)
    resolution: bool = field(default=False, init=False)
    """Whether the order succeeds; final once `resolved`."""
    visited: bool = field(default=False, init=False)
    """Whether the recursion of a Kruijswijk algorithm is visiting the order (DATC 5.E, 5.F)."""

    def comparison_key(self) -> tuple[object, ...]:
        """Return the content of the order, to compare with that of another order."""
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
    """The provinces on a train's way, in order; empty for any other move."""
    canal: Canal | None = None
    permitted: bool = field(default=False, init=False)
    """Whether the orders permit the unit to pass the canal."""
    difficult: bool = field(default=False, init=False)
    """Whether the move crosses a difficult border (DATC 2.4, 10)."""
    stop: Location | None = field(default=None, init=False)
    """The location at which a train that moves ends."""
    convoyed: bool = field(default=False, init=False)
    chains: list[list[ConvoyOrder]] = field(default_factory=list, init=False)
    """The proper routes on which every fleet was ordered to convoy the unit."""
    supports: list[SupportOrder] = field(default_factory=list, init=False)

    @property
    def province(self) -> ProvinceCode:
        """The province that the unit moves to."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class SupportOrder(Order):
    """An order to support another unit, to hold or to move."""

    supported: Unit
    province: ProvinceCode
    """The province in which the support counts: the destination of a move, the place of a unit that holds."""
    destinations: tuple[Location, ...] = ()
    """The destinations of matching moves; without a coast all of the province (DATC 4.B.4). Empty for a support to hold."""
    matched: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class ConvoyOrder(Order):
    """An order to a fleet to convoy an army."""

    army: Unit
    province: ProvinceCode
    """The province that the army goes to."""
    matched: bool = field(default=False, init=False)


@dataclass(slots=True)
class Entry:
    """An order as it was given: the unit, if the power owns it, and the order, if it is legal and followed."""

    unit: Unit | None
    order: Order | None
    permits: Permission | None = None
    """The permission that the order gives, if it is legal and no other one contradicts it."""


class Turn:
    """The orders of a movement phase as given, and the matched order that each unit follows."""

    superfluous_convoys = False
    """Whether a fleet may be ordered to convoy an army that reaches its destination without the fleet (DATC 2.4, 4.A.3 d)."""

    def __init__(self, board: Board, orders: Mapping[Power, Sequence[Given]]) -> None:
        self.board, self.ways = board, BoardRoutes(board)
        self.entries = {power: [self._read_order(power, order) for order in given] for power, given in orders.items()}
        self._choose_orders()
        followed = {order.unit.province: order for _, order in self._iter_legal_orders()}
        self.order_at: dict[ProvinceCode, Order] = {
            unit.province: followed.get(unit.province) or HoldOrder(unit) for unit in board.units
        }
        for entry, order in self._iter_legal_orders():  # the same order given twice is one order
            entry.order = self.order_at[order.unit.province]
        self.orders = list(self.order_at.values())
        self.moves = [order for order in self.orders if isinstance(order, MoveOrder)]
        self.supports = [order for order in self.orders if isinstance(order, SupportOrder)]
        self.convoys = [order for order in self.orders if isinstance(order, ConvoyOrder)]
        self.moves_to: dict[ProvinceCode, list[MoveOrder]] = {}
        """The moves to each province, without trains."""
        self.hold_supports: dict[ProvinceCode, list[SupportOrder]] = {}
        for move in self.moves:
            if not move.stages:
                self._prepare_move(move)
        for support in self.supports:
            match_support(support, self.order_at[support.supported.province], self.hold_supports)

    @property
    def decisions(self) -> list[Order]:
        """The orders that can succeed or fail."""
        helping: list[SupportOrder | ConvoyOrder] = [*self.supports, *self.convoys]
        return [*self.moves, *(order for order in helping if order.matched)]

    def _iter_legal_orders(self) -> Iterator[tuple[Entry, Order]]:
        """Yield each entry whose order is legal and followed, with the order."""
        return ((entry, entry.order) for given in self.entries.values() for entry in given if entry.order)

    def _choose_orders(self) -> None:
        """Drop all legal orders to a unit that differ from its first one (DATC 4.D.3)."""
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
        # DATC 4.A.3: "via convoy", or a fleet of the same power, even off the route that is taken (6.G.6).
        intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())
        move.convoyed = self._is_convoyed(move, intended)

    def _is_convoyed(self, move: MoveOrder, intended: bool) -> bool:
        return intended or move.province not in self.ways.list_provinces(move.unit)

    def find_head_to_head(self, move: MoveOrder) -> MoveOrder | None:
        """Return the move in the opposite direction if neither is convoyed, else None."""
        opposing = self.order_at.get(move.province)
        if not isinstance(opposing, MoveOrder) or opposing.province != move.unit.province:
            return None
        return None if move.convoyed or opposing.convoyed else opposing

    # -------- legality (DATC 4.E.1)

    def _read_order(self, power: Power, order: Given) -> Entry:
        """Return an order with its unit; both are None if the power has none there. Wrong kinds are forgiven (DATC 4.C)."""
        unit = self.board.unit_at.get(order.unit.province)
        if unit is None or unit.power != power:  # DATC 6.A.6
            return Entry(None, None)
        return Entry(unit, self._make_legal_order(unit, order))

    def _make_legal_order(self, unit: Unit, order: Given) -> Order | None:
        """Return the order to the unit, or None if it is illegal (DATC 4.E.1)."""
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
        if len(destinations) != 1:  # DATC 4.B.1: which of two coasts is not stated
            return None
        possible = unit.kind is UnitKind.ARMY and self.ways.can_be_convoyed(unit, destinations[0])
        if order.via_convoy and not possible:  # DATC 6.A.7: a fleet cannot be convoyed
            return None
        return MoveOrder(unit, destinations[0], order.via_convoy)

    def _make_legal_support(
        self, unit: Unit, supported: Unit | None, province: ProvinceCode, destination: Location | None = None
    ) -> SupportOrder | None:
        """Return a support where its unit could move to, for a unit that could hold or move there; None if it is illegal.

        A unit cannot support over a difficult border (DATC 2.4, 10.E).
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
        """Return a convoy by a fleet on some route of the board's fleets, whatever their orders; None if it is illegal."""
        army, province = self.board.unit_at.get(order.convoyed.province), province_of(order.destination)
        if army is None or army.kind is not UnitKind.ARMY:  # DATC 6.A.7
            return None
        routes = self.ways.iter_routes(self.ways.convoyers, army.province, province, spare=self.superfluous_convoys)
        return ConvoyOrder(unit, army, province) if any(unit.province in route for route in routes) else None


def match_support(support: SupportOrder, order: Order, hold_supports: dict[ProvinceCode, list[SupportOrder]]) -> None:
    """Mark whether a support matches the order of the supported unit, and if so, list it with what it supports.

    A unit ordered to move cannot be supported to hold (DATC 6.D.8).
    """
    if isinstance(order, MoveOrder):
        support.matched = order.destination in support.destinations  # DATC 4.B.4
        supports = order.supports
    else:
        support.matched = not support.destinations
        supports = hold_supports.setdefault(support.supported.province, [])
    if support.matched:
        supports.append(support)


def find_all_dependencies(start: K, reads: Mapping[K, Set[K]]) -> set[K]:
    """Return everything that a decision depends on, directly or not (DATC 5.B.9); itself only in a cycle."""
    found: set[K] = set()
    waiting = [start]
    while waiting:
        fresh = reads[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


# ---------------------------------------------------------------- the map as it is in the season


class BoardRoutes:
    """The ways that units of a board can go, without provinces that are shut (DATC 2.4, 8)."""

    def __init__(self, board: Board) -> None:
        self.map = board.map
        self.shut: Set[ProvinceCode] = board.map.closed.get(board.turn.season, frozenset()) if board.turn else frozenset()
        """The provinces that nothing enters, leaves, or supports or convoys from."""
        self.convoyers = {
            unit.province
            for unit in board.units
            if unit.kind is UnitKind.FLEET and self.map.provinces[unit.province].convoys and unit.province not in self.shut
        }
        self.touching = _find_adjacent_provinces(board.map)

    def list_exits(self, unit: Unit) -> list[Location]:
        """List the locations to which the unit can move without convoy; none from a shut province."""
        if unit.province in self.shut:
            return []
        exits = (self.map.army if unit.kind is UnitKind.ARMY else self.map.fleet).get(unit.location, ())
        return sorted(there for there in exits if province_of(there) not in self.shut)

    def list_provinces(self, unit: Unit) -> Set[ProvinceCode]:
        """Return the provinces to which the unit can move without convoy."""
        return {province_of(location) for location in self.list_exits(unit)}

    def is_difficult(self, unit: Unit, province: ProvinceCode) -> bool:
        """Return whether the unit is an army, and the border to the province is difficult (DATC 2.4, 10)."""
        return unit.kind is UnitKind.ARMY and province in self.map.difficult.get(unit.province, ())

    def find_canal(self, unit: Unit, destination: Location) -> Canal | None:
        """Return the canal through which a fleet could go to the destination, or None."""
        ends = {unit.location, destination}
        usable = len(ends) == 2 and not ends & self.shut
        canals = (canal for canal in self.map.canals if usable and ends == set(canal.seas))
        return next(canals, None) if unit.kind is UnitKind.FLEET else None

    def list_stages(self, unit: Unit, destination: ProvinceCode, name: str | None = None) -> tuple[ProvinceCode, ...]:
        """List the provinces after its own that an army would pass on a railroad to a destination; () if it cannot use one."""
        for railroad in self.map.railroads:
            line, ends = list(railroad.line), (unit.province, destination)
            usable = unit.power == railroad.power and unit.kind is UnitKind.ARMY and ends[0] != ends[1]
            if not usable or self.shut & set(ends) or not set(ends) <= set(line) or name not in (None, railroad.name):
                continue
            here, there = line.index(ends[0]), line.index(ends[1])
            return tuple(line[here + 1 : there + 1] if here < there else reversed(line[there:here]))
        return ()

    def list_destinations(
        self, unit: Unit, destination: Location, excluded_fleet: ProvinceCode | None = None
    ) -> tuple[Location, ...]:
        """List the locations that a destination may mean: those that the unit could reach, without the excluded fleet."""
        province = self.map.provinces.get(province_of(destination))
        if province is None:
            return ()
        if unit.kind is UnitKind.ARMY:  # DATC 4.B.6: coasts do not matter to armies
            possible = province.code in self.list_provinces(unit) or self.can_be_convoyed(unit, province.code, excluded_fleet)
            return (province.code,) if possible else ()
        reached = [location for location in self.list_exits(unit) if province_of(location) == province.code]  # DATC 4.B.2
        if coast_of(destination) in province.coasts:  # DATC 4.B.3: a named coast is meant
            return tuple(location for location in reached if location == destination)
        return tuple(reached)

    def can_be_convoyed(self, unit: Unit, destination: ProvinceCode, excluded_fleet: ProvinceCode | None = None) -> bool:
        """Return whether fleets on the board could convoy an army to a destination, without the excluded one."""
        return any(True for _ in self.iter_routes(self.convoyers - {excluded_fleet}, unit.province, destination))

    def iter_routes(
        self, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode, *, spare: bool = False
    ) -> Iterator[tuple[ProvinceCode, ...]]:
        """Yield the routes of an army over these fleets, never through its origin or destination (DATC 2.4, 9.B).

        Routes never jump to a province within reach of an earlier one (DATC 4.E.1), unless fleets may be `spare`.
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
            if arrived and not spare:
                return
            onward = find_adjacent_fleets(route[-1] if route else origin)
            for sea in sorted(onward - barred):
                yield from extend_route((*route, sea), barred | {sea} if spare else barred | onward)

        yield from extend_route((), frozenset())


@lru_cache(maxsize=16)
def _find_adjacent_provinces(game_map: Map) -> dict[ProvinceCode, Set[ProvinceCode]]:
    """Map each province to those that are adjacent for fleets, from any of its coasts."""
    found: dict[ProvinceCode, set[ProvinceCode]] = {}
    for here, exits in game_map.fleet.items():
        for there in map(province_of, exits):
            found.setdefault(province_of(here), set()).add(there)
            found.setdefault(there, set()).add(province_of(here))
    return {code: frozenset(near) for code, near in found.items()}


# ---------------------------------------------------------------- the answer, once every order is resolved


def build_answer(turn: Turn, contested: Set[ProvinceCode]) -> Answer:
    """Return the verdicts, retreats and units of a resolved turn; no unit may retreat to a contested province."""
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
    """Return the move that dislodges the unit, or None."""
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
    # DATC 4.A.5: a convoyed attacker did not come over the border.
    barred = closed if attacker.convoyed else closed | {attacker.unit.province}
    return [location for location in ways.list_exits(unit) if province_of(location) not in barred]


def _format_entry_verdict(entry: Entry, legal: Set[Unit], retreats: Mapping[Unit, list[Location]]) -> str:
    """Return the verdict on one order given, with the fate of its unit (DATC 4.E.2)."""
    unit, order = entry.unit, entry.order
    if entry.permits:
        return "granted"  # even if the fleet does not use it: a permission needs no other order
    if unit is None:
        return "illegal"
    if order is None:  # illegal, or not the first (DATC 4.D.3)
        return "illegal" if unit in legal else format_verdict("illegal", retreats.get(unit))
    return format_verdict(_format_result(order), retreats.get(unit))


def _format_result(order: Order) -> str:
    """Return the result of an order as a word, without the fate of its unit."""
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
