"""What the equations speak of: places, and one decision for every legal move, support and convoy order.

A situation may hold several candidate orders for one unit (then a logic says which are chosen); in an adjudication every
order is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.board import Board, Unit
from satjudge.geography import Location, Power, ProvinceCode, province_of
from satjudge.legality import Docket, convoy_routes, simple_routes
from satjudge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from satjudge.rules import AttackOrigin, ConvoyIntent, ConvoyPaths, Rulebook, SuperfluousConvoy, SupportCoast


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
    convoys: list[ConvoyDecision] = field(default_factory=list)
    """Convoy orders of the fleet in it."""
    supportable: bool = True
    """Whether the unit in it can be supported in place at all (DATC 4.D.9, 4.E.1)."""

    def __str__(self) -> str:
        return self.province


Route: TypeAlias = "tuple[ConvoyDecision, ...]"
"""The convoy orders of one route, in order."""


@dataclass(slots=True, eq=False)
class MoveDecision:
    """Does this move succeed?"""

    index: int
    rules: Rulebook
    order: Move
    power: Power
    origin: Place
    destination: Place
    by_land: bool
    """Whether the unit could go there directly."""
    convoys: list[ConvoyDecision] = field(default_factory=list)
    """Convoy orders for this move, whatever route they are on."""
    routes: list[Route] = field(default_factory=list)
    """The proper routes made of these convoy orders."""
    waters: list[tuple[Place, ...]] = field(default_factory=list)
    """The routes of all fleets that are there, ordered to convoy it or not."""
    supports: list[SupportDecision] = field(default_factory=list)
    opposed: list[MoveDecision] = field(default_factory=list)
    """Moves in the opposite direction; under Brannan's rule also out of the destination at the last fleet of a route."""

    @property
    def might_be_convoyed(self) -> bool:
        """Whether anything speaks for a convoy: the destination, its own words, or a fleet that is ordered to convoy it."""
        return not self.by_land or self.order.via_convoy or bool(self.convoys)

    def __str__(self) -> str:
        return str(self.order)


@dataclass(slots=True, eq=False)
class SupportDecision:
    """Is this support given (and not cut)?"""

    index: int
    rules: Rulebook
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
    rules: Rulebook
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


def situate(board: Board, docket: Docket, rulebook: Rulebook) -> Situation:
    """The situation in which each unit has its legal order (or none: it holds)."""
    units = board.unit_at
    candidates = [(units[province], order) for province, order in docket.orders.items()]
    situation = situate_candidates(board, candidates, rulebook)
    for province in docket.unsupportable:
        situation.places[province].supportable = False
    return situation


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
        move = MoveDecision(index, situation.rulebook, order, unit.power, here, there, by_land)
        here.moves_out.append(move)
        there.moves_in.append(move)
        situation.decisions.append(move)
    elif isinstance(order, SupportHold):
        supported = _place(situation, order.supported.location)
        support = SupportDecision(index, situation.rulebook, order, unit.power, here, supported, supported)
        supported.hold_supports.append(support)
        situation.decisions.append(support)
    elif isinstance(order, SupportMove):
        supported, target = _place(situation, order.supported.location), _place(situation, order.destination)
        situation.decisions.append(
            SupportDecision(index, situation.rulebook, order, unit.power, here, supported, target)
        )
    elif isinstance(order, Convoy):
        convoy = ConvoyDecision(index, situation.rulebook, order, unit.power, here)
        here.convoys.append(convoy)
        situation.decisions.append(convoy)


def _connect(situation: Situation) -> None:
    """Tie supports and convoys to the moves that they match, and moves to those in the opposite direction."""
    for decision in situation.decisions:
        if isinstance(decision, SupportDecision):
            if isinstance(decision.order, SupportMove):
                decision.matches = [
                    move
                    for move in decision.supported.moves_out
                    if _supports(decision.order, move, situation.rulebook.support_coast)
                ]
                for move in decision.matches:
                    move.supports.append(decision)
        elif isinstance(decision, ConvoyDecision):
            army, target = decision.order.convoyed.province, province_of(decision.order.destination)
            for move in situation.places[army].moves_out:
                if move.destination.province == target and not _says_by_land(move):
                    decision.matches.append(move)
                    move.convoys.append(decision)
        else:
            decision.opposed = [move for move in decision.destination.moves_out if move.destination is decision.origin]
    for move in situation.moves:
        _lay_routes(situation, move)
        if move.routes and situation.rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
            _meet_at_sea(move)


def _supports(order: SupportMove, move: MoveDecision, coasts: SupportCoast) -> bool:
    """A support that names a coast matches only a move to that coast, one that does not matches either (4.B.4)."""
    if coasts is SupportCoast.IGNORED:
        return province_of(order.destination) == move.destination.province
    return order.destination in (move.order.destination, move.destination.province)


def _says_by_land(move: MoveDecision) -> bool:
    """Whether a move that could go by land asks for no convoy, where it would have to: then none matches it (6.G.2)."""
    explicit = move.rules.convoy_intent is ConvoyIntent.EXPLICIT
    return explicit and move.by_land and not move.order.via_convoy


def _meet_at_sea(move: MoveDecision) -> None:
    """Brannan's rule: a convoyed attack comes from the last fleet, so whoever attacks that fleet from there meets it."""
    last = {route[-1].place.province for route in move.routes}
    for other in move.destination.moves_out:
        if other.destination.province in last:
            move.opposed.append(other)
            other.opposed.append(move)


def _lay_routes(situation: Situation, move: MoveDecision) -> None:
    """List the routes that a move may take: all, or just the one that it names (4.A.6)."""
    board = situation.board
    if not move.by_land or move.order.via_convoy or move.convoys:
        origin, destination = move.origin.province, move.destination.province
        routes_there = convoy_routes(board.map, origin, destination, board.fleets_at_sea)
        move.waters = [tuple(_place(situation, province) for province in route) for route in routes_there]
    paths = move.rules.convoy_paths
    if not move.convoys or (paths is ConvoyPaths.REQUIRED and not move.order.route):
        return
    by_province: dict[ProvinceCode, list[ConvoyDecision]] = {}
    for convoy in move.convoys:
        by_province.setdefault(convoy.place.province, []).append(convoy)
    fleets = frozenset(by_province)
    routes: Iterable[tuple[ProvinceCode, ...]]
    if move.order.route:  # only a rulebook that heeds written paths leaves one in a legal order
        routes = [move.order.route] if fleets.issuperset(move.order.route) else []
    else:
        superfluous = move.rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        find_routes = simple_routes if superfluous else convoy_routes
        routes = find_routes(board.map, move.origin.province, move.destination.province, fleets)
    for route in routes:
        chains: list[tuple[ConvoyDecision, ...]] = [()]
        for province in route:
            chains = [(*chain, convoy) for chain in chains for convoy in by_province[province]]
        move.routes.extend(chains)
