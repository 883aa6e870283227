"""What the equations speak of: places, and one decision for every legal move, support and convoy order.

A situation may hold several candidate orders for one unit (then a logic says which are chosen); in an adjudication every
order is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.board import Board, Unit
from satjudge.geography import Location, Power, ProvinceCode, province_of
from satjudge.legality import convoy_routes
from satjudge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from satjudge.rules import Rulebook


@dataclass(slots=True, eq=False)
class Place:
    """A province that some order or unit is about."""

    province: ProvinceCode
    unit: Unit | None
    moves_in: list[MoveDecision] = field(default_factory=list)
    """Moves that are ordered into it."""
    moves_out: list[MoveDecision] = field(default_factory=list)
    """Moves that the unit in it is ordered to make."""
    hold_supports: list[SupportDecision] = field(default_factory=list)

    def __str__(self) -> str:
        return self.province


@dataclass(slots=True, eq=False)
class MoveDecision:
    """Does this move succeed?"""

    index: int
    order: Move
    power: Power
    origin: Place
    destination: Place
    by_land: bool
    """Whether the unit could go there directly."""
    convoys: list[ConvoyDecision] = field(default_factory=list)
    """Convoy orders for this move, whatever route they are on."""
    routes: list[tuple[ConvoyDecision, ...]] = field(default_factory=list)
    """The proper routes made of these convoy orders."""
    supports: list[SupportDecision] = field(default_factory=list)
    opposed: list[MoveDecision] = field(default_factory=list)
    """Moves in the opposite direction."""

    def __str__(self) -> str:
        return str(self.order)


@dataclass(slots=True, eq=False)
class SupportDecision:
    """Is this support given (and not cut)?"""

    index: int
    order: SupportHold | SupportMove
    power: Power
    place: Place
    supported: Place
    """Where the supported unit stands."""
    directed_at: Place
    """The province into which support is given: an attack from there does not cut it (DATC 6.D.15)."""
    matches: list[MoveDecision] = field(default_factory=list)
    """The moves that it supports; for a hold support none."""

    @property
    def supports_hold(self) -> bool:
        """Whether it supports a unit where it stands."""
        return isinstance(self.order, SupportHold)

    def __str__(self) -> str:
        return str(self.order)


@dataclass(slots=True, eq=False)
class ConvoyDecision:
    """Is this convoying fleet available, or disrupted?"""

    index: int
    order: Convoy
    power: Power
    place: Place
    matches: list[MoveDecision] = field(default_factory=list)
    """The moves that it convoys."""

    def __str__(self) -> str:
        return str(self.order)


Decision: TypeAlias = MoveDecision | SupportDecision | ConvoyDecision


@dataclass(slots=True, eq=False)
class Situation:
    """All places and decisions of a board with orders. `decisions[i].index == i`."""

    board: Board
    rulebook: Rulebook
    places: dict[ProvinceCode, Place]
    decisions: list[Decision]

    @property
    def moves(self) -> list[MoveDecision]:
        """The decisions about moves."""
        return [decision for decision in self.decisions if isinstance(decision, MoveDecision)]


def situate(board: Board, orders: Mapping[ProvinceCode, MovementOrder], rulebook: Rulebook) -> Situation:
    """The situation in which each unit has the given legal order (or none: it holds)."""
    units = board.unit_at
    return situate_candidates(board, [(units[province], order) for province, order in orders.items()], rulebook)


def situate_candidates(
    board: Board, candidates: Iterable[tuple[Unit, MovementOrder]], rulebook: Rulebook
) -> Situation:
    """The situation in which units have any number of candidate orders, each legal and in full."""
    places = {province: Place(province, unit) for province, unit in board.unit_at.items()}
    situation = Situation(board, rulebook, places, [])
    for unit, order in candidates:
        _add(situation, unit, order)
    _connect(situation)
    return situation


def _place(situation: Situation, location: Location) -> Place:
    province = province_of(location)
    place = situation.places.get(province)
    if place is None:
        place = situation.places[province] = Place(province, None)
    return place


def _add(situation: Situation, unit: Unit, order: MovementOrder) -> None:
    index = len(situation.decisions)
    here = _place(situation, unit.location)
    if isinstance(order, Move):
        there = _place(situation, order.destination)
        by_land = order.destination in situation.board.map.exits(unit.kind, unit.location)
        move = MoveDecision(index, order, unit.power, here, there, by_land)
        here.moves_out.append(move)
        there.moves_in.append(move)
        situation.decisions.append(move)
    elif isinstance(order, SupportHold):
        supported = _place(situation, order.supported.location)
        support = SupportDecision(index, order, unit.power, here, supported, supported)
        supported.hold_supports.append(support)
        situation.decisions.append(support)
    elif isinstance(order, SupportMove):
        supported, target = _place(situation, order.supported.location), _place(situation, order.destination)
        situation.decisions.append(SupportDecision(index, order, unit.power, here, supported, target))
    elif isinstance(order, Convoy):
        situation.decisions.append(ConvoyDecision(index, order, unit.power, here))


def _connect(situation: Situation) -> None:
    """Tie supports and convoys to the moves that they match, and moves to those in the opposite direction."""
    for decision in situation.decisions:
        if isinstance(decision, SupportDecision):
            if isinstance(decision.order, SupportMove):
                decision.matches = [move for move in decision.supported.moves_out if _supports(decision.order, move)]
                for move in decision.matches:
                    move.supports.append(decision)
        elif isinstance(decision, ConvoyDecision):
            army, target = decision.order.convoyed.province, province_of(decision.order.destination)
            for move in situation.places[army].moves_out:
                if move.destination.province == target:
                    decision.matches.append(move)
                    move.convoys.append(decision)
        else:
            decision.opposed = [move for move in decision.destination.moves_out if move.destination is decision.origin]
    for move in situation.moves:
        if move.convoys:
            _lay_routes(situation.board, move)


def _supports(order: SupportMove, move: MoveDecision) -> bool:
    """A support that names a coast matches only a move to that coast, one that does not matches either (4.B.4)."""
    return order.destination in (move.order.destination, move.destination.province)


def _lay_routes(board: Board, move: MoveDecision) -> None:
    by_province: dict[ProvinceCode, list[ConvoyDecision]] = {}
    for convoy in move.convoys:
        by_province.setdefault(convoy.place.province, []).append(convoy)
    fleets = frozenset(by_province)
    for route in convoy_routes(board.map, move.origin.province, move.destination.province, fleets):
        chains: list[tuple[ConvoyDecision, ...]] = [()]
        for province in route:
            chains = [(*chain, convoy) for chain in chains for convoy in by_province[province]]
        move.routes.extend(chains)
