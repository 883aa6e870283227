"""Reads the orders of a turn on maps that bring rules of their own: what is legal, and what belongs to what.

Source: Lucas B. Kruijswijk, DATC 2.4: chapter 4 with the preferences of its author, and chapters 7 to 10. With satjudge this
shares the map's data, the board and the orders as they were given, but not what is legal.

A `Turn` holds what every unit does: its legal order, or hold. The orders are those of `datc_turn`, but for what a move may be
here. How they come out is for `decisions` and `cores` to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.board import Board, Unit
from satjudge.crosscheck.oracles import datc_turn
from satjudge.crosscheck.oracles.datc_turn import ConvoyOrder, HoldOrder, Order, SupportOrder, match_support
from satjudge.geography import Canal, Location, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Permission, SupportHold, SupportMove

Given: TypeAlias = MovementOrder | Permission
"""An order as a power gives it."""

# ---------------------------------------------------------------- orders that can be followed


@dataclass(eq=False, slots=True)
class MoveOrder(datc_turn.MoveOrder):
    """The unit moves to a location: directly, with a convoy, through a canal, or by railroad."""

    via_convoy: bool = False
    stages: tuple[ProvinceCode, ...] = ()
    """The provinces that a train comes to, one after the other; empty for any other move."""
    canal: Canal | None = None
    permitted: bool = field(default=False, init=False)
    """Whether it may pass the canal, as far as the orders say."""
    difficult: bool = field(default=False, init=False)
    """Whether it crosses a difficult border (DATC 2.4, 10)."""


@dataclass(eq=False, slots=True)
class PermitOrder:
    """Who holds a canal permits a fleet to pass it."""

    canal: Canal
    fleet: Unit
    destination: Location


@dataclass(slots=True)
class Entry:
    """An order as it was given: the unit, if the power owns it, and what it comes to, if it is legal."""

    unit: Unit | None
    order: Order | PermitOrder | None


class Turn:
    """The orders as they were given, and those that are followed, one for every unit."""

    def __init__(self, board: Board, orders: Mapping[Power, Sequence[Given]]) -> None:
        self.board = board
        self.ways = Ways(board)
        self.entries = {power: [self._read(power, order) for order in given] for power, given in orders.items()}
        self._drop_contradictions()
        self._drop_second_trains()
        followed = {entry.order.unit.province: entry.order for entry in self._all() if isinstance(entry.order, Order)}
        self.order_at: dict[ProvinceCode, Order] = {
            unit.province: followed.get(unit.province) or HoldOrder(unit) for unit in board.units
        }
        self.moves = [order for order in self.order_at.values() if isinstance(order, MoveOrder)]
        self.trains = [move for move in self.moves if move.stages]
        self.supports = [order for order in self.order_at.values() if isinstance(order, SupportOrder)]
        self.convoys = [order for order in self.order_at.values() if isinstance(order, ConvoyOrder)]
        self.moves_to: dict[ProvinceCode, list[MoveOrder]] = {}
        """The moves to each province, without trains."""
        self.hold_supports: dict[ProvinceCode, list[SupportOrder]] = {}
        self._merge_repetitions()
        for move in self.moves:
            self._prepare_move(move)
        for support in self.supports:
            match_support(support, self.order_at[support.supported.province], self.hold_supports)
        for canal in board.map.canals:
            self._permit(canal)

    def _all(self) -> Iterator[Entry]:
        return (entry for entries in self.entries.values() for entry in entries)

    # -------- which orders are followed

    def _drop_contradictions(self) -> None:
        """Of several different legal orders to a unit none counts (4.D.3, choice c)."""
        said: dict[Unit, set[tuple[object, ...]]] = {}
        for entry in self._all():
            if isinstance(entry.order, Order):
                said.setdefault(entry.order.unit, set()).add(entry.order.says())
        for entry in self._all():
            if isinstance(entry.order, Order) and len(said[entry.order.unit]) > 1:
                entry.order = None

    def _drop_second_trains(self) -> None:
        """Where two units are to use the railroad, neither does (chapter 7, additional assumptions; 7.B.33)."""
        trains = [entry for entry in self._all() if isinstance(entry.order, MoveOrder) and entry.order.stages]
        if len({entry.unit for entry in trains}) > 1:
            for entry in trains:
                entry.order = None

    def _merge_repetitions(self) -> None:
        """The same order given twice is one order."""
        for entry in self._all():
            if isinstance(entry.order, Order):
                entry.order = self.order_at[entry.order.unit.province]

    # -------- what belongs to what

    def _prepare_move(self, move: MoveOrder) -> None:
        if move.stages:
            return
        self.moves_to.setdefault(move.province, []).append(move)
        origin = move.unit.province
        convoys = {
            order.unit.province: order for order in self.convoys if order.army is move.unit and order.province == move.province
        }
        for convoy in convoys.values():
            convoy.matched = True
        if move.unit.kind is UnitKind.ARMY:
            routes = self.ways.routes(convoys.keys(), origin, move.province, spare=False)
            move.chains = [[convoys[sea] for sea in route] for route in routes]
        # 4.A.3, choice d: by land after all if no route is ordered.
        intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())
        direct = move.province in self.ways.provinces(move.unit)
        move.convoyed = not move.canal and (not direct or (intended and bool(move.chains)))
        move.difficult = not move.convoyed and self.ways.is_difficult(move.unit, move.province)

    def _permit(self, canal: Canal) -> None:
        """Which one fleet may pass: that of an explicit permission, else the only own one (7, assumptions; 7.C.3 to 7.C.5)."""
        keeper = self.board.unit_at.get(canal.keeper)
        passing = [move for move in self.moves if move.canal == canal]
        permits = [entry.order for entry in self._all() if isinstance(entry.order, PermitOrder) and entry.order.canal == canal]
        if len({permit.fleet for permit in permits}) > 1:
            for entry in self._all():
                if entry.order in permits:
                    entry.order = None
            permits = []
        if permits:
            meant = [move for move in passing if move.unit is permits[0].fleet]
        else:
            meant = [move for move in passing if keeper and move.unit.power == keeper.power]
        if len(meant) == 1:
            meant[0].permitted = True

    def head_to_head(self, move: MoveOrder) -> MoveOrder | None:
        """The move in the opposite direction, if neither is convoyed or through a canal (7.C.6).

        A train is there as a move to its first province (7, assumptions; 7.B.26 to 7.B.29).
        """
        opposing = self.order_at.get(first_province(move))
        if not isinstance(opposing, MoveOrder) or first_province(opposing) != move.unit.province:
            return None
        if move.convoyed or opposing.convoyed or move.canal or opposing.canal:
            return None
        return opposing

    # -------- what is legal (4.E.1, choice d: what can be valid in the current situation)

    def _read(self, power: Power, order: Given) -> Entry:
        if isinstance(order, Permission):
            return Entry(None, self._legal_permission(power, order))
        unit = self.board.unit_at.get(order.unit.province)
        if unit is None or unit.power != power:
            return Entry(None, None)
        return Entry(unit, self._legal_order(unit, order))

    def _legal_order(self, unit: Unit, order: MovementOrder) -> Order | None:
        match order:
            case Hold():
                return HoldOrder(unit)
            case Move(railroad=""):
                return self._legal_move(unit, order)
            case Move():
                return self._legal_train(unit, order)
            case SupportHold():
                supported = self.board.unit_at.get(order.supported.province)
                return self._legal_support(unit, supported, order.supported.province, None)
            case SupportMove():
                supported = self.board.unit_at.get(order.supported.province)
                return self._legal_support(unit, supported, province_of(order.destination), order.destination)
            case Convoy():
                return self._legal_convoy(unit, order)

    def _legal_move(self, unit: Unit, order: Move) -> MoveOrder | None:
        canal = self.ways.canal(unit, order.destination)
        if canal and not order.via_convoy:
            return MoveOrder(unit, order.destination, canal=canal)
        destinations = self.ways.destinations(unit, order.destination)
        if len(destinations) != 1 or (order.via_convoy and unit.kind is UnitKind.FLEET):
            return None
        return MoveOrder(unit, destinations[0], order.via_convoy)

    def _legal_train(self, unit: Unit, order: Move) -> MoveOrder | None:
        """Only its own power uses a railroad (9.21; 7.B.34)."""
        stages = self.ways.stages(unit, province_of(order.destination), order.railroad)
        return MoveOrder(unit, stages[-1], stages=stages) if stages and not order.via_convoy else None

    def _legal_support(
        self, unit: Unit, supported: Unit | None, province: ProvinceCode, destination: Location | None
    ) -> SupportOrder | None:
        """A support in a province that its unit could move to, but not over a difficult border (10.E)."""
        if supported is None or supported is unit or province not in self.ways.provinces(unit):
            return None
        if self.ways.is_difficult(unit, province):
            return None
        if destination is None:
            return SupportOrder(unit, supported, province)
        destinations = self.ways.destinations(supported, destination, without=unit.province)
        if self.ways.canal(supported, destination):
            destinations = (destination,)
        if self.ways.stages(supported, province):
            destinations = (province,)
        return SupportOrder(unit, supported, province, destinations) if destinations else None

    def _legal_convoy(self, unit: Unit, order: Convoy) -> ConvoyOrder | None:
        """A convoy by a fleet on some route of the fleets on the board; superfluous ones may be on it (4.A.3 d)."""
        army, province = self.board.unit_at.get(order.convoyed.province), province_of(order.destination)
        if army is None or army.kind is not UnitKind.ARMY or unit.province not in self.ways.convoyers:
            return None
        routes = self.ways.routes(self.ways.convoyers, army.province, province, spare=True)
        return ConvoyOrder(unit, army, province) if any(unit.province in route for route in routes) else None

    def _legal_permission(self, power: Power, order: Permission) -> PermitOrder | None:
        """Whoever stands in the keeping province permits a fleet that could pass."""
        canal = next((canal for canal in self.board.map.canals if canal.name == order.canal), None)
        fleet = self.board.unit_at.get(order.unit.province)
        keeper = self.board.unit_at.get(canal.keeper) if canal else None
        if canal is None or fleet is None or keeper is None or keeper.power != power:
            return None
        return PermitOrder(canal, fleet, order.destination) if self.ways.canal(fleet, order.destination) == canal else None


def first_province(move: MoveOrder) -> ProvinceCode:
    """Where the move goes, or a train comes to first."""
    return move.stages[0] if move.stages else move.province


# ---------------------------------------------------------------- the map as it is in the season


class Ways:
    """Where the units of a board can go, without what is shut (DATC 2.4, 8)."""

    def __init__(self, board: Board) -> None:
        self.board, self.map = board, board.map
        self.shut: Set[ProvinceCode] = board.map.closed.get(board.turn.season, frozenset()) if board.turn else frozenset()
        """The provinces that nothing enters, leaves, or supports or convoys from."""
        self.convoyers = {
            unit.province
            for unit in board.units
            if unit.kind is UnitKind.FLEET and self.map.provinces[unit.province].convoys and unit.province not in self.shut
        }
        self.touching: dict[ProvinceCode, set[ProvinceCode]] = {}
        """Which provinces are next to each other for fleets, from any coast."""
        for here, exits in board.map.fleet.items():
            for there in exits:
                self.touching.setdefault(province_of(here), set()).add(province_of(there))
                self.touching.setdefault(province_of(there), set()).add(province_of(here))

    def exits(self, unit: Unit) -> list[Location]:
        """The locations that the unit can move to directly."""
        if unit.province in self.shut:
            return []
        exits = (self.map.army if unit.kind is UnitKind.ARMY else self.map.fleet).get(unit.location, ())
        return sorted(there for there in exits if province_of(there) not in self.shut)

    def provinces(self, unit: Unit) -> Set[ProvinceCode]:
        """The provinces that the unit can move to directly."""
        return {province_of(location) for location in self.exits(unit)}

    def is_difficult(self, unit: Unit, province: ProvinceCode) -> bool:
        """Whether an army has a difficult border before it there (DATC 2.4, 10)."""
        return unit.kind is UnitKind.ARMY and province in self.map.difficult.get(unit.province, ())

    def canal(self, unit: Unit, destination: Location) -> Canal | None:
        """The canal through which the fleet could go there."""
        ends = {unit.location, destination}
        usable = len(ends) == 2 and not ends & self.shut
        canals = (canal for canal in self.map.canals if usable and ends == set(canal.seas))
        return next(canals, None) if unit.kind is UnitKind.FLEET else None

    def stages(self, unit: Unit, destination: ProvinceCode, name: str | None = None) -> tuple[ProvinceCode, ...]:
        """The provinces that the army would come to by a railroad, perhaps that of a name; empty if it cannot use one."""
        for railroad in self.map.railroads:
            line, ends = list(railroad.line), (unit.province, destination)
            usable = unit.power == railroad.power and unit.kind is UnitKind.ARMY and ends[0] != ends[1]
            if not usable or self.shut & set(ends) or not set(ends) <= set(line) or name not in (None, railroad.name):
                continue
            here, there = line.index(ends[0]), line.index(ends[1])
            return tuple(line[here + 1 : there + 1] if here < there else reversed(line[there:here]))
        return ()

    def destinations(self, unit: Unit, destination: Location, without: ProvinceCode | None = None) -> tuple[Location, ...]:
        """The locations that the unit may be meant to move to, directly or by a convoy without the fleet in one province."""
        province = self.map.provinces.get(province_of(destination))
        if province is None:
            return ()
        if unit.kind is UnitKind.ARMY:
            possible = province.code in self.provinces(unit) or any(
                True for _ in self.routes(self.convoyers - {without}, unit.province, province.code, spare=False)
            )
            return (province.code,) if possible else ()
        reached = [location for location in self.exits(unit) if province_of(location) == province.code]
        if coast_of(destination) in province.coasts:
            return tuple(location for location in reached if location == destination)
        return tuple(reached)

    def routes(
        self, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode, *, spare: bool
    ) -> Iterator[tuple[ProvinceCode, ...]]:
        """The routes of an army over these fleets, never through where it starts or goes (9.B).

        Routes that a fleet could be left out of are among them if it may be `spare`.
        """
        province = self.map.provinces.get(destination)
        if province is None or province.terrain is not Terrain.COAST or origin == destination:
            return
        if origin in self.shut or destination in self.shut:
            return
        carrying = fleets - {origin, destination}
        near: Callable[[ProvinceCode], Set[ProvinceCode]] = lambda code: self.touching.get(code, set()) & carrying  # noqa: E731
        landing = near(destination)

        def extended(route: tuple[ProvinceCode, ...], barred: Set[ProvinceCode]) -> Iterator[tuple[ProvinceCode, ...]]:
            arrived = bool(route) and route[-1] in landing
            if arrived:
                yield route
            if arrived and not spare:
                return
            onward = near(route[-1] if route else origin)
            for sea in sorted(onward - barred):
                yield from extended((*route, sea), barred | {sea} if spare else barred | onward)

        yield from extended((), frozenset())
