"""Defines the subjects of the equations: places, and a decision for every legal move, support and convoy order.

A situation may have several candidate orders for one unit, of which a logic chooses one. In an adjudication every order is
chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, repeat
from typing import Any, TypeAlias

from msgspec import Struct

from satjudge.base.values import one_line
from satjudge.base.words import number_of
from satjudge.judging.equations.convoy_graph import ConvoyGraph
from satjudge.judging.legality import Docket, iter_routes, iter_simple_routes, list_routes
from satjudge.judging.legality.routes import route_ends
from satjudge.judging.legality.waters import number_waters
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Permission, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import AttackOrigin, ConvoyIntent, ConvoyPaths, LandFallback, SuperfluousConvoy, SupportCoast


class _Node(Struct, eq=False):
    """A part of a situation. As parts refer to each other, a part is pickled before the parts to which it refers."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _make_blank, (type(self),), (None, {name: getattr(self, name) for name in self.__struct_fields__})


def _make_blank(kind: type[_Node]) -> _Node:
    return kind(*(None for _ in kind.__struct_fields__))


class Place(_Node):
    """A province with a unit, or one that an order names."""

    province: ProvinceCode
    unit: Unit | None
    rules: Rulebook
    moves_in: tuple[MoveDecision, ...] = ()
    """The moves that are ordered into the province."""
    moves_out: tuple[MoveDecision, ...] = ()
    """The moves that the unit in the province is ordered to make."""
    hold_supports: tuple[SupportDecision, ...] = ()
    convoys: tuple[ConvoyDecision, ...] = ()
    """The convoy orders of the fleet in the province."""
    stages_in: tuple[Stage, ...] = ()
    """The stages of trains that end in the province."""
    trains_out: tuple[Train, ...] = ()
    """The move by railroad that the army in the province is ordered to make."""
    supportable: bool = True
    """True if the rules allow hold support for the unit in the province (DATC 4.D.9, 4.E.1)."""

    def __repr__(self) -> str:
        return one_line("Place", self.province, str(self.unit or ""))

    def __str__(self) -> str:
        return self.province


RouteFinder: TypeAlias = Callable[
    [Map, ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], Iterable[tuple[ProvinceCode, ...]]
]
"""A function that finds the routes between two provinces of a map through seas with fleets, like `legality.list_routes`.
"""

Route: TypeAlias = "tuple[ConvoyDecision, ...]"
"""The convoy orders of one route, in order."""


class MoveDecision(_Node):
    """The decision whether a move succeeds."""

    index: int
    rules: Rulebook
    order: Move
    power: Power
    origin: Place
    destination: Place
    by_land: bool
    """True if the unit could move to the destination without a convoy."""
    might_be_convoyed: bool
    """True if the move may go by convoy: because of its destination, its wording, or a fleet that is ordered to convoy the
    army."""
    convoys: tuple[ConvoyDecision, ...] = ()
    """The convoy orders for this move, whether or not they are part of a route."""
    convoy_graph: ConvoyGraph | None = None
    """The fleets of these orders as a graph; None if the routes are listed, or if there are no convoy orders."""
    listed_routes: tuple[Route, ...] | None = ()
    """The routes that consist of these convoy orders; if there is a convoy graph, None until they are needed."""
    waters: tuple[tuple[Place, ...], ...] = ()
    """The routes through all fleets on the board, whatever they are ordered; empty if the rulebook does not need them (4.A.3).
    If all orders are given, only one of these routes."""
    supports: tuple[SupportDecision, ...] = ()
    by_canal: bool = False
    """True if the move goes through a canal (DATC 2.4, 7.C)."""
    canals: tuple[CanalDecision, ...] = ()
    """The canal, if the move may pass it; otherwise empty."""
    difficult: bool = False
    """True if the move would go by land over a difficult border (DATC 2.4, 10)."""
    halved: bool = False
    """True if the move would go directly over a border at half strength (*1900*)."""
    halved_from: Place | None = None
    """The sea from which a convoy would arrive over such a border."""
    opposed: tuple[MoveDecision, ...] = ()
    """The moves in the opposite direction; under Brannan's rule also from the destination to the last fleet of a route."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.origin.province

    @property
    def routes(self) -> tuple[Route, ...]:
        """All routes of convoy orders for the move, perhaps very many: proper ones, or any with 4.E.1.convoy=legal."""
        if self.listed_routes is None:
            self.listed_routes = tuple(self.iter_routes())
        return self.listed_routes

    def iter_routes(self, values: Sequence[bool] | None = None) -> Iterator[Route]:
        """Yield the routes of convoy orders for the move; if `values` are given, only those whose fleets all convoy."""
        if self.convoy_graph is None:
            yield from (route for route in self.listed_routes or () if values is None or all(values[c.index] for c in route))
            return
        convoys = dict(zip(self.convoy_graph.numbers, self.convoys, strict=True))
        free = (
            self.convoy_graph.fleets if values is None else sum(bit for bit, index in self.convoy_graph.legs if values[index])
        )
        for route in self.convoy_graph.iter_routes(free):
            yield tuple([convoys[number] for number in route])

    def count_routes(self, limit: int) -> int:
        """Return the number of routes, or `limit` + 1 if there are more than `limit`."""
        return sum(1 for _ in islice(self.iter_routes(), limit + 1))

    @property
    def last_places(self) -> tuple[Place, ...]:
        """The places of the last fleets of all routes."""
        if self.convoy_graph is None:
            return tuple(dict.fromkeys(route[-1].place for route in self.listed_routes or ()))
        last = self.convoy_graph.find_last_fleets()
        return tuple(
            [convoy.place for (bit, _), convoy in zip(self.convoy_graph.legs, self.convoys, strict=True) if bit & last]
        )

    # Questions of the equations about the routes, if all orders are given.

    @property
    def has_route(self) -> bool:
        """True if the convoy orders for the move contain a route."""
        return self.has_ordered_route(False)

    def has_ordered_route(self, own_only: bool) -> bool:
        """Return whether the convoy orders for the move contain a route; if `own_only`, a route of its own power's fleets."""
        if self.convoy_graph is None:
            return any(self._is_own(route) or not own_only for route in self.listed_routes or ())
        return self.convoy_graph.has_route(self.convoy_graph.own if own_only else self.convoy_graph.fleets)

    def is_on_ordered_route(self, convoy: ConvoyDecision, own_only: bool) -> bool:
        """Return whether a convoy is on a route of convoy orders for the move; if `own_only`, of its own power's fleets."""
        if self.convoy_graph is None:
            return any(convoy in route and (self._is_own(route) or not own_only) for route in self.listed_routes or ())
        numbers = zip(self.convoy_graph.numbers, self.convoys, strict=True)
        return any(self.convoy_graph.is_on_route(number, own_only=own_only) for number, other in numbers if other is convoy)

    def _is_own(self, route: Route) -> bool:
        return all(convoy.power == self.power for convoy in route)

    def has_open_route(
        self,
        values: Sequence[bool],
        spared: Place | None = None,
        last: Place | None = None,
        avoided: Place | None = None,
    ) -> bool:
        """Return whether all fleets of a route convoy or are at `spared`; skip routes with `last` last or with `avoided`."""
        crossing = self.convoy_graph
        if crossing is None:
            return bool(self.listed_routes) and self._has_open_listed_route(values, spared, last, avoided)
        free = 0 if spared is None else crossing.fleets & crossing.find_bit(spared.province)
        for bit, index in crossing.legs:
            if values[index]:
                free |= bit
        if avoided is not None:
            free &= ~crossing.find_bit(avoided.province)
        if last is not None:
            return crossing.has_route(free, not_last=crossing.find_bit(last.province))
        edge = free & crossing.start
        if not edge or edge & crossing.goal:  # the usual case: no fleet, or one that touches both coasts
            return bool(edge)
        return crossing.has_route(free)

    def _has_open_listed_route(
        self, values: Sequence[bool], spared: Place | None, last: Place | None, avoided: Place | None
    ) -> bool:
        return any(
            route[-1].place is not last
            and all((values[c.index] or c.place is spared) and c.place is not avoided for c in route)
            for route in self.listed_routes or ()
        )

    def __repr__(self) -> str:
        return one_line("MoveDecision", str(self.index), f"{self.order} of {self.power}")

    def __str__(self) -> str:
        return str(self.order)


class SupportDecision(_Node):
    """The decision whether a support is given, and not cut."""

    index: int
    rules: Rulebook
    order: SupportHold | SupportMove
    power: Power
    place: Place
    supported: Place
    """The place of the supported unit."""
    directed_at: Place
    """The place into which support is given: an attack from there does not cut it (DATC 6.D.15)."""
    supports_hold: bool
    """True if the order supports a unit to hold."""
    matches: tuple[MoveDecision, ...] = ()
    """The moves that the order supports; for a hold support none."""
    trains: tuple[Train, ...] = ()
    """The moves by railroad that the order supports."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.place.province

    def __repr__(self) -> str:
        return one_line("SupportDecision", str(self.index), f"{self.order} of {self.power}")

    def __str__(self) -> str:
        return str(self.order)


class ConvoyDecision(_Node):
    """The decision whether a convoying fleet is available, and not disrupted."""

    index: int
    rules: Rulebook
    order: Convoy
    power: Power
    place: Place
    matches: tuple[MoveDecision, ...] = ()
    """The moves that the fleet convoys."""

    @property
    def province(self) -> ProvinceCode:
        """The province of the unit that is ordered."""
        return self.place.province

    def __repr__(self) -> str:
        return one_line("ConvoyDecision", str(self.index), f"{self.order} of {self.power}")

    def __str__(self) -> str:
        return str(self.order)


class Train(_Node):
    """An army's move by railroad, which goes through its stages one by one, as far as it gets (DATC 2.4, 7.B)."""

    order: Move
    power: Power
    origin: Place
    rules: Rulebook
    stages: tuple[Stage, ...] = ()

    def __repr__(self) -> str:
        return one_line("Train", f"{self.order} of {self.power}")


class Stage(_Node):
    """One step of a train (move by railroad), from a province of the line to the next."""

    train: Train
    place: Place
    """The place where the stage ends."""
    origin: Place
    """The place where the train starts."""
    rules: Rulebook
    last: bool
    """True if the stage is the last one of the train's order."""
    previous: Stage | None
    unowned: bool
    """True if the stage ends in a supply centre that the train's power does not own, where the train stops if it can
    (7.B.18)."""
    reaching: ReachDecision
    passing: PassDecision
    opposed: tuple[MoveDecision, ...] = ()
    """The move from the first stage's province to the train's origin, which meets the train head-to-head."""
    supports: tuple[SupportDecision, ...] = ()
    """The supports for the move to the train's destination; only the last stage has any."""

    def __repr__(self) -> str:
        return one_line("Stage", f"{self.train.order}, into {self.place.province}")

    def __str__(self) -> str:
        return f"{self.train.order} at {self.place}"


class ReachDecision(_Node):
    """The decision whether a train (move by railroad) tries to enter the province of a stage."""

    index: int
    rules: Rulebook
    order: Move
    power: Power
    province: ProvinceCode
    """The province of the army that is ordered."""
    stage: Stage = None  # type: ignore[assignment]  # set when the stage exists, which needs this decision

    def __repr__(self) -> str:
        return one_line("ReachDecision", str(self.index), str(self))

    def __str__(self) -> str:
        return f"{self.order}, to {self.stage.place}"


class PassDecision(_Node):
    """The decision whether a train (move by railroad) gets into the province of a stage, or through it."""

    index: int
    rules: Rulebook
    order: Move
    power: Power
    province: ProvinceCode
    """The province of the army that is ordered."""
    stage: Stage = None  # type: ignore[assignment]  # set when the stage exists, which needs this decision

    def __repr__(self) -> str:
        return one_line("PassDecision", str(self.index), str(self))

    def __str__(self) -> str:
        return f"{self.order}, into {self.stage.place}"


class CanalDecision(_Node):
    """The decision whether a canal is open to the fleet that may pass it.

    The canal is open as long as the unit that holds it stays (7.C.8, 7.C.10).
    """

    index: int
    rules: Rulebook
    order: Move
    power: Power
    """The power that holds the canal."""
    place: Place
    """The place of the unit that holds the canal."""
    name: str

    @property
    def province(self) -> ProvinceCode:
        """The province of the fleet that may pass."""
        return self.order.unit.province

    def __repr__(self) -> str:
        return one_line("CanalDecision", str(self.index), str(self))

    def __str__(self) -> str:
        return f"{self.name} {self.order}"


OrderDecision: TypeAlias = MoveDecision | SupportDecision | ConvoyDecision
"""A decision about a single order; maps without railroads and canals have no other decisions."""
Decision: TypeAlias = OrderDecision | ReachDecision | PassDecision | CanalDecision


class _Places(dict[Location, Place]):
    """The places by province. Looking up a coast returns the place of its province, which is created if it is missing."""

    def __init__(self, board: Board, rules: Rulebook) -> None:
        units = board.unit_at
        super().__init__(zip(units, map(Place, units, units.values(), repeat(rules)), strict=True))
        self.rules = rules

    def __repr__(self) -> str:
        return one_line("Places", ", ".join(self))

    def __missing__(self, location: Location) -> Place:
        province = province_of(location)
        if province not in self:
            self[province] = Place(province, None, self.rules)
        return self[province]


class Situation(Struct, eq=False):
    """A board with orders, as places and decisions; `decisions[i].index` is `i`."""

    board: Board
    rulebook: Rulebook
    places: dict[ProvinceCode, Place]
    decisions: list[Decision] = []
    moves: list[MoveDecision] = []
    """The decisions that are about moves."""
    trains: list[Train] = []

    def __repr__(self) -> str:
        decisions, units = number_of(len(self.decisions), "decision"), number_of(len(self.board.units), "unit")
        return one_line("Situation", self.rulebook.name, units, decisions)

    @property
    def order_decisions(self) -> list[OrderDecision]:
        """The decisions about moves, supports and convoys: all of them, unless there are railroads or canals."""
        return [decision for decision in self.decisions if isinstance(decision, OrderDecision)]


def build_situation(board: Board, docket: Docket, rulebook: Rulebook) -> Situation:
    """Return the situation in which each unit has the order that counts in the docket, or else holds."""
    units = map(board.unit_at.__getitem__, docket.orders)
    situation = build_candidate_situation(board, zip(units, docket.orders.values(), strict=True), rulebook)
    for province in docket.unsupportable:
        situation.places[province].supportable = False
    if board.map.canals:
        _add_canals(situation, docket.permissions)
    return situation


def _add_canals(situation: Situation, permissions: Mapping[str, Permission]) -> None:
    """Add a decision for each canal that one fleet may pass: one permitted by the canal's holder, or of the holder's power.

    `permissions` has the holder's permission, if any, by the name of the canal. Without a permission, a fleet of the holder's
    power may pass, if it is the only such fleet that wants to (DATC 2.4, 7.C).
    """
    for canal in situation.board.map.canals:
        keeper = situation.board.unit_at.get(canal.keeper)
        if keeper is None:
            continue
        passing = [
            move
            for move in situation.moves
            if move.by_canal and {move.origin.province, move.destination.province} == set(canal.seas)
        ]
        permitted = permissions.get(canal.name)
        if permitted:
            found = [move for move in passing if move.origin.province == permitted.unit.province]
        else:
            found = [move for move in passing if move.power == keeper.power]
        if len(found) == 1:
            index, place = len(situation.decisions), situation.places[canal.keeper]
            opened = CanalDecision(index, situation.rulebook, found[0].order, keeper.power, place, canal.name)
            situation.decisions.append(opened)
            found[0].canals = (opened,)


def build_candidate_situation(
    board: Board,
    candidates: Iterable[tuple[Unit, MovementOrder]],
    rulebook: Rulebook,
    find_routes: RouteFinder | None = None,
) -> Situation:
    """Return the situation of candidate orders (any number for a unit, legal, in full), with convoy routes by `find_routes`.

    Convoyed moves have the routes that `find_routes` finds through the ordered fleets, by default all legal ones.
    """
    rulebook = rulebook.with_map_rules(board.map)
    situation = Situation(board, rulebook, _Places(board, rulebook))
    for unit, order in candidates:
        if add := _ADD.get(type(order)):  # a hold has no decision
            add(situation, unit, order)
    _link_decisions(situation, find_routes)
    return situation


def _add_move(situation: Situation, unit: Unit, order: Move) -> None:
    if order.railroad:
        _add_train(situation, unit, order)
        return
    rules, places, game_map = situation.rulebook, situation.places, situation.board.map
    here, there, index = places[unit.location], places[order.destination], len(situation.decisions)
    by_land = order.destination in game_map.exits(unit.kind, unit.location)
    move = MoveDecision(index, rules, order, unit.power, here, there, by_land, not by_land or order.via_convoy)
    if rules.difficult_borders and by_land and unit.kind is UnitKind.ARMY:
        move.difficult = game_map.is_difficult(here.province, there.province)
    if rules.half_strength:
        move.halved = by_land and game_map.is_at_half(here.province, there.province)
        if unit.kind is UnitKind.ARMY and (sea := game_map.sea_at_half(there.province)):
            move.halved_from = places[sea]
    if rules.canals and not by_land and game_map.canal_between(unit.location, order.destination):
        move.by_land, move.by_canal, move.might_be_convoyed = True, True, False
    here.moves_out += (move,)
    there.moves_in += (move,)
    situation.decisions.append(move)
    situation.moves.append(move)


def _add_support_move(situation: Situation, unit: Unit, order: SupportMove) -> None:
    places, index = situation.places, len(situation.decisions)
    here, supported, target = places[unit.location], places[order.supported.location], places[order.destination]
    situation.decisions.append(SupportDecision(index, situation.rulebook, order, unit.power, here, supported, target, False))


def _add_support_hold(situation: Situation, unit: Unit, order: SupportHold) -> None:
    here, supported = situation.places[unit.location], situation.places[order.supported.location]
    index = len(situation.decisions)
    support = SupportDecision(index, situation.rulebook, order, unit.power, here, supported, supported, True)
    supported.hold_supports += (support,)
    situation.decisions.append(support)


def _add_convoy(situation: Situation, unit: Unit, order: Convoy) -> None:
    here = situation.places[unit.location]
    convoy = ConvoyDecision(len(situation.decisions), situation.rulebook, order, unit.power, here)
    here.convoys += (convoy,)
    situation.decisions.append(convoy)


def _add_train(situation: Situation, unit: Unit, order: Move) -> None:
    """Add the decisions about a move by railroad, REACH and PASS for each of its stages; its army cannot get hold support."""
    here, rules, board = situation.places[unit.location], situation.rulebook, situation.board
    railroad = next(railroad for railroad in board.map.railroads if railroad.name == order.railroad)
    ahead = railroad.way(here.province, province_of(order.destination))
    train = Train(order, unit.power, here, rules)
    stage: Stage | None = None
    for province in ahead:
        index, place = len(situation.decisions), situation.places[province]
        reaching = ReachDecision(index, rules, order, unit.power, here.province)
        passing = PassDecision(index + 1, rules, order, unit.power, here.province)
        owner = board.centers.get(province, board.map.owners.get(province))
        unowned = province in board.map.centers and owner != unit.power
        stage = Stage(train, place, here, rules, province == ahead[-1], stage, unowned, reaching, passing)
        reaching.stage = passing.stage = stage
        train.stages += (stage,)
        place.stages_in += (stage,)
        situation.decisions += [reaching, passing]
    here.trains_out += (train,)
    here.supportable = False  # since it is ordered to move
    situation.trains.append(train)


def _link_decisions(situation: Situation, find_routes: RouteFinder | None) -> None:
    """Link supports and convoys to the moves that they match, and opposite moves; set the routes of convoyed moves."""
    moves = situation.moves
    for move in moves:
        if move.destination.moves_out:
            move.opposed = _find_opposed(move)
    for decision in situation.decisions:
        if isinstance(decision, SupportDecision):
            if not decision.supports_hold and decision.supported.moves_out:
                _match_support(decision)
            elif decision.supported.trains_out:
                _match_train(decision)
        elif isinstance(decision, ConvoyDecision):
            _match_convoy(situation, decision)
    for train in situation.trains:
        first = train.stages[0]
        first.opposed = tuple([move for move in first.place.moves_out if move.destination is train.origin])
    if _is_exchange_intent(situation.rulebook):
        for move in moves:
            move.might_be_convoyed |= bool(move.opposed) and move.order.unit.kind is UnitKind.ARMY
    for move in moves:
        if move.might_be_convoyed:
            _add_routes(situation, move, find_routes)
    if situation.rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
        for move in moves:
            _meet_at_sea(move)


def _find_opposed(move: MoveDecision) -> tuple[MoveDecision, ...]:
    """Return the moves from a move's destination to its origin, except moves through a canal (7.C.6)."""
    origin = move.origin
    return tuple([other for other in move.destination.moves_out if other.destination is origin and not other.by_canal])


def _match_support(support: SupportDecision) -> None:
    """Link a support to the moves that it supports; a named coast must be the move's, unless the rules ignore it (4.B.4)."""
    assert isinstance(support.order, SupportMove)
    wanted, target = support.order.destination, support.directed_at
    for move in support.supported.moves_out:
        if move.destination is target and (
            wanted in (move.order.destination, target.province) or support.rules.support_coast is SupportCoast.IGNORED
        ):
            support.matches += (move,)
            move.supports += (support,)


def _match_train(support: SupportDecision) -> None:
    """Link a support to the move by railroad to the same destination; it helps only in the last stage (DATC 2.4, 7.B.15)."""
    for train in support.supported.trains_out:
        last = train.stages[-1]
        if last.place is support.directed_at and not support.supports_hold:
            support.trains += (train,)
            last.supports += (support,)


def _match_convoy(situation: Situation, convoy: ConvoyDecision) -> None:
    """Link a convoy to the moves of its army to its destination that may go by convoy, and mark them as perhaps convoyed."""
    army, target = convoy.order.convoyed.province, province_of(convoy.order.destination)
    for move in situation.places[army].moves_out:
        if move.destination.province == target and _can_board(move):
            convoy.matches += (move,)
            move.convoys += (convoy,)
            move.might_be_convoyed = True


def _can_board(move: MoveDecision) -> bool:
    """Return whether a convoy may match a move: only an army's, which must ask for a convoy if the rules say so (6.G.2)."""
    explicit = move.rules.convoy_intent is ConvoyIntent.EXPLICIT
    says_by_land = explicit and move.by_land and not move.order.via_convoy
    return move.order.unit.kind is UnitKind.ARMY and not says_by_land


def _meet_at_sea(move: MoveDecision) -> None:
    """Link a convoyed move with the moves from its destination to its last fleet, as opposed moves (Brannan's rule)."""
    last = {place.province for place in move.last_places}
    for other in move.destination.moves_out:
        if other.destination.province in last:
            move.opposed += (other,)
            other.opposed += (move,)


def _is_exchange_intent(rules: Rulebook) -> bool:
    """Return whether two units that exchange places are taken to intend a convoy, even without a convoy order.

    This combines the first reading of “could arrive” (4.A.3 c) with an intent that the opposite move shows (a, b).
    """
    by_exchange = rules.convoy_intent in (ConvoyIntent.OPPOSITE, ConvoyIntent.INTENT_1982)
    return by_exchange and rules.land_fallback is LandFallback.IMPOSSIBLE


def _add_routes(situation: Situation, move: MoveDecision, find_routes: RouteFinder | None) -> None:
    """Set a move's routes: all of its convoy orders, or only the one that it names (4.A.6); set `waters` if rules need them.

    Routes are listed if `find_routes` is given; otherwise the move usually gets a graph of the fleets.
    """
    board = situation.board
    origin, destination = move.origin.province, move.destination.province
    if move.rules.land_fallback is LandFallback.IMPOSSIBLE:
        find = find_routes or _find_one_route
        routes_there = find(board.map, origin, destination, board.convoyers)
        move.waters = tuple(tuple(situation.places[province] for province in route) for route in routes_there)
    paths = move.rules.convoy_paths
    if not move.convoys or (paths is ConvoyPaths.REQUIRED and not move.order.route):
        return
    by_province: dict[ProvinceCode, list[ConvoyDecision]] = {}
    for convoy in move.convoys:
        by_province.setdefault(convoy.place.province, []).append(convoy)
    fleets = frozenset(by_province)
    routes: Iterable[tuple[ProvinceCode, ...]]
    if move.order.route:  # only rulebooks that heed written paths leave one in a legal order
        routes = [move.order.route] if fleets.issuperset(move.order.route) else []
    elif find_routes is None and len(by_province) == len(move.convoys):
        _add_convoy_graph(board, move)
        return
    else:
        routes = (find_routes or choose_route_finder(move.rules))(board.map, origin, destination, fleets)
    move.listed_routes = tuple(chain for route in routes for chain in product(*(by_province[province] for province in route)))


def choose_route_finder(rulebook: Rulebook) -> RouteFinder:
    """Return the function that finds the routes that are legal under a rulebook: all simple routes, or only proper ones."""
    return iter_simple_routes if rulebook.superfluous_convoy is SuperfluousConvoy.LEGAL else list_routes


def _find_one_route(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterable[tuple[ProvinceCode, ...]]:
    return islice(iter_routes(game_map, origin, destination, fleets), 1)


def _add_convoy_graph(board: Board, move: MoveDecision) -> None:
    """Set the graph of fleets ordered to convoy a move to another coast, without those at its ends (DATC 2.4, 9.A)."""
    origin, destination = move.origin.province, move.destination.province
    if origin == destination or board.map.provinces[destination].terrain is not Terrain.COAST:
        return
    waters, ends = number_waters(board.map), route_ends(origin, destination)
    numbers, legs, fleets, own = [], [], 0, 0
    for convoy in move.convoys:
        province = convoy.place.province
        number = waters.number[province]
        bit = 0 if province in ends else 1 << number
        numbers.append(number)
        legs.append((bit, convoy.index))
        fleets |= bit
        own |= bit if convoy.power == move.power else 0
    start, goal = waters.shores.get(origin, 0), waters.shores.get(destination, 0)
    roundabout = move.rules.superfluous_convoy is SuperfluousConvoy.LEGAL
    move.convoy_graph = ConvoyGraph(waters, start, goal, fleets, own, tuple(numbers), tuple(legs), roundabout)
    move.listed_routes = None


_ADD: dict[type[MovementOrder], Callable[[Situation, Unit, Any], None]] = {
    Move: _add_move,
    SupportMove: _add_support_move,
    SupportHold: _add_support_hold,
    Convoy: _add_convoy,
}
