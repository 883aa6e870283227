"""What the equations speak of: places, and one decision for every legal move, support and convoy order.

A situation may hold several candidate orders for one unit (then a logic says which are chosen); in an adjudication every
order is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from satjudge.board import Board, Unit
from satjudge.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.legality import Docket, convoy_routes, simple_routes
from satjudge.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from satjudge.rules import AttackOrigin, ConvoyIntent, ConvoyPaths, LandFallback, Rulebook, SuperfluousConvoy, SupportCoast
from satjudge.words import number_of, one_line


@dataclass(slots=True, eq=False)
class Place:
    """A province that some order or unit is about."""

    province: ProvinceCode
    unit: Unit | None
    rules: Rulebook
    moves_in: tuple[MoveDecision, ...] = ()
    """Moves that are ordered into it."""
    moves_out: tuple[MoveDecision, ...] = ()
    """Moves that the unit in it is ordered to make."""
    hold_supports: tuple[SupportDecision, ...] = ()
    convoys: tuple[ConvoyDecision, ...] = ()
    """Convoy orders of the fleet in it."""
    supportable: bool = True
    """Whether the unit in it can be supported in place at all (DATC 4.D.9, 4.E.1)."""

    def __repr__(self) -> str:
        return one_line("Place", self.province, str(self.unit or ""))

    def __str__(self) -> str:
        return self.province


RouteFinder: TypeAlias = Callable[
    [Map, ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], Iterable[tuple[ProvinceCode, ...]]
]
"""From a map, two provinces and the seas with fleets to the routes between them: `satjudge.legality.convoy_routes` is one."""

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
    might_be_convoyed: bool
    """Whether anything speaks for a convoy: the destination, its own words, or a fleet that is ordered to convoy it."""
    convoys: tuple[ConvoyDecision, ...] = ()
    """Convoy orders for this move, whatever route they are on."""
    routes: tuple[Route, ...] = ()
    """The proper routes made of these convoy orders."""
    waters: tuple[tuple[Place, ...], ...] = ()
    """The routes of all fleets that are there, ordered to convoy it or not; empty where the rulebook does not ask (4.A.3)."""
    supports: tuple[SupportDecision, ...] = ()
    difficult: bool = False
    """Whether it would go by land over a difficult border (DATC 2.4, 10)."""
    opposed: tuple[MoveDecision, ...] = ()
    """Moves in the opposite direction; under Brannan's rule also out of the destination at the last fleet of a route."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.origin.province

    def __repr__(self) -> str:
        return one_line("MoveDecision", str(self.index), f"{self.order} of {self.power}")

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
    supports_hold: bool
    """Whether it supports a unit where it stands."""
    matches: tuple[MoveDecision, ...] = ()
    """The moves that it supports; for a hold support none."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.place.province

    def __repr__(self) -> str:
        return one_line("SupportDecision", str(self.index), f"{self.order} of {self.power}")

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
    matches: tuple[MoveDecision, ...] = ()
    """The moves that it convoys."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.place.province

    def __repr__(self) -> str:
        return one_line("ConvoyDecision", str(self.index), f"{self.order} of {self.power}")

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

    def __repr__(self) -> str:
        decisions, units = number_of(len(self.decisions), "decision"), number_of(len(self.board.units), "unit")
        return one_line("Situation", self.rulebook.name, units, decisions)

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
    board: Board,
    candidates: Iterable[tuple[Unit, MovementOrder]],
    rulebook: Rulebook,
    find_routes: RouteFinder | None = None,
) -> Situation:
    """The situation in which units have any number of candidate orders, each legal and in full.

    Convoys go by the routes that `find_routes` finds through some fleets; by all that are legal if there is none.
    """
    rulebook = rulebook.on(board.map)
    places = {province: Place(province, unit, rulebook) for province, unit in board.unit_at.items()}
    situation = Situation(board, rulebook, places, [])
    for unit, order in candidates:
        _add(situation, unit, order)
    _connect(situation, find_routes)
    return situation


def _place(situation: Situation, location: Location) -> Place:
    province = province_of(location)
    place = situation.places.get(province)
    if place is None:
        place = situation.places[province] = Place(province, None, situation.rulebook)
    return place


def _add(situation: Situation, unit: Unit, order: MovementOrder) -> None:
    index, rules = len(situation.decisions), situation.rulebook
    here = _place(situation, unit.location)
    if isinstance(order, Move):
        there = _place(situation, order.destination)
        by_land = order.destination in situation.board.map.exits(unit.kind, unit.location)
        might_be_convoyed = not by_land or order.via_convoy
        move = MoveDecision(index, rules, order, unit.power, here, there, by_land, might_be_convoyed)
        if rules.difficult_borders and by_land and unit.kind is UnitKind.ARMY:
            move.difficult = situation.board.map.is_difficult(here.province, there.province)
        here.moves_out += (move,)
        there.moves_in += (move,)
        situation.decisions.append(move)
    elif isinstance(order, SupportMove):
        supported, target = _place(situation, order.supported.location), _place(situation, order.destination)
        situation.decisions.append(SupportDecision(index, rules, order, unit.power, here, supported, target, False))
    elif isinstance(order, SupportHold):
        supported = _place(situation, order.supported.location)
        support = SupportDecision(index, rules, order, unit.power, here, supported, supported, True)
        supported.hold_supports += (support,)
        situation.decisions.append(support)
    elif isinstance(order, Convoy):
        convoy = ConvoyDecision(index, rules, order, unit.power, here)
        here.convoys += (convoy,)
        situation.decisions.append(convoy)


def _connect(situation: Situation, find_routes: RouteFinder | None) -> None:
    """Tie supports and convoys to the moves that they match, and moves to those in the opposite direction."""
    moves: list[MoveDecision] = []
    for decision in situation.decisions:
        if isinstance(decision, MoveDecision):
            moves.append(decision)
            if opposite := decision.destination.moves_out:
                decision.opposed = tuple([move for move in opposite if move.destination is decision.origin])
        elif isinstance(decision, SupportDecision):
            if not decision.supports_hold and decision.supported.moves_out:
                _match_support(decision)
        else:
            _match_convoy(situation, decision)
    for move in moves:
        if move.might_be_convoyed:
            _lay_routes(situation, move, find_routes or convoy_routes)
    if situation.rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
        for move in moves:
            _meet_at_sea(move)


def _match_support(support: SupportDecision) -> None:
    """A support that names a coast matches only a move to that coast, one that does not matches either (4.B.4)."""
    coasts_count = support.rules.support_coast is not SupportCoast.IGNORED
    wanted = None if isinstance(support.order, SupportHold) else support.order.destination
    for move in support.supported.moves_out:
        if move.destination is support.directed_at and (
            not coasts_count or wanted in (move.order.destination, move.destination.province)
        ):
            support.matches += (move,)
            move.supports += (support,)


def _match_convoy(situation: Situation, convoy: ConvoyDecision) -> None:
    """A convoy matches by origin and destination."""
    army, target = convoy.order.convoyed.province, province_of(convoy.order.destination)
    for move in _place(situation, army).moves_out:
        if move.destination.province == target and _may_board(move):
            convoy.matches += (move,)
            move.convoys += (convoy,)
            move.might_be_convoyed = True


def _may_board(move: MoveDecision) -> bool:
    """Whether a convoy matches it: an army's move, unless it must ask for a convoy that it can do without (6.G.2)."""
    explicit = move.rules.convoy_intent is ConvoyIntent.EXPLICIT
    says_by_land = explicit and move.by_land and not move.order.via_convoy
    return move.order.unit.kind is UnitKind.ARMY and not says_by_land


def _meet_at_sea(move: MoveDecision) -> None:
    """Brannan's rule: a convoyed attack comes from the last fleet, so whoever attacks that fleet from there meets it."""
    last = {route[-1].place.province for route in move.routes}
    for other in move.destination.moves_out:
        if other.destination.province in last:
            move.opposed += (other,)
            other.opposed += (move,)


def _lay_routes(situation: Situation, move: MoveDecision, find_routes: RouteFinder) -> None:
    """List the routes that a move may take: all, or just the one that it names (4.A.6)."""
    board = situation.board
    origin, destination = move.origin.province, move.destination.province
    if move.rules.land_fallback is LandFallback.IMPOSSIBLE:
        routes_there = find_routes(board.map, origin, destination, board.convoyers)
        move.waters = tuple(tuple(_place(situation, province) for province in route) for route in routes_there)
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
        if find_routes is convoy_routes and move.rules.superfluous_convoy is SuperfluousConvoy.LEGAL:
            find_routes = simple_routes
        routes = find_routes(board.map, origin, destination, fleets)
    move.routes = tuple(chain for route in routes for chain in product(*(by_province[province] for province in route)))
