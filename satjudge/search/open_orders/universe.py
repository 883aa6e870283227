"""Defines a universe: the units and orders that a question about unknown orders covers.

Some units are on the board, and others may be; all stay in a region. The *candidates* follow from these units: all orders that
may be legal, with their conditions (DATC 3.2, 4.E.1). The conditions are the unit to which an order is given, and the other
units that it needs, such as the fleets of a route. Candidates with the same meaning in the equations are merged: a support
names only the province of a unit, and a coast only if that makes a difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from satjudge.base.errors import BoardError, InputError
from satjudge.base.values import brief, replace
from satjudge.judging.legality import Route, iter_simple_routes, list_routes, make_docket
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import AttackOrigin, ConvoyPaths, LandFallback, Mistake, SuperfluousConvoy

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
LONGEST_ROUTE = 3


class Spot(NamedTuple):
    """A unit of a certain kind at a certain location, of any power."""

    kind: UnitKind
    location: Location

    @property
    def province(self) -> ProvinceCode:
        """The province that the unit stands in."""
        return province_of(self.location)

    @property
    def unit_name(self) -> Named:
        """The unit as orders name it, by kind and location."""
        return Named(self.kind, self.location)


class Need(NamedTuple):
    """Units that must be on the board for an order to be legal; if `own`, the first must be of the ordered unit's power."""

    spots: tuple[Spot, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An order that may be given to any unit in `given_to`, if the units of one of its needs are on the board.

    `legal` is the order as the rulebook completes it, if that is different.
    """

    order: MovementOrder
    given_to: tuple[Spot, ...]
    needs: tuple[Need, ...] = (Need(()),)
    legal: MovementOrder | None = None

    __repr__ = brief


class SupportWords(NamedTuple):
    """How a supporter may write a move: the destination that it states, and the one that the rulebook takes it to mean."""

    stated: Location
    legal: Location
    kind: UnitKind | None = None
    """The kind of the moving unit, if armies and fleets must be distinguished."""


def meaning_key(order: MovementOrder) -> object:
    """Return a key equal for orders with the same meaning: a support's provinces and mover's kind, or the order itself."""
    match order:
        case SupportHold():
            return SupportHold, order.unit.province, order.supported.province
        case SupportMove():
            return SupportMove, order.unit.province, order.supported.province, order.supported.kind, order.destination
    return order


@dataclass(frozen=True)
class Universe:
    """Units that stand and units that may stand, in a region, with the orders that some of them are given.

    `units` are on the board, with their powers. `spots` are further units of any power that may be on it, at most one in a
    province. Convoys use at most `longest_route` fleets. With `foreign`, each further unit is foreign to every other unit. With
    further rulebooks in `beside`, an order only needs to be legal under one of them, and orders count as different if they
    differ under any of them. Units in the provinces of `orders` have the orders stated there. All other units may have any
    legal order within the `region` (default: the whole map).

    Raises `InputError` for a universe that searches do not support.
    """

    rulebook: Rulebook
    units: tuple[Unit, ...] = ()
    spots: frozenset[Spot] = frozenset()
    region: frozenset[ProvinceCode] = frozenset()
    longest_route: int = LONGEST_ROUTE
    foreign: bool = False
    beside: tuple[Rulebook, ...] = ()
    map: Map = field(default_factory=load_map, repr=False)
    orders: Mapping[ProvinceCode, MovementOrder] = field(default_factory=dict)

    __repr__ = brief

    def __post_init__(self) -> None:
        Board(self.units, map=self.map).ensure_possible()
        check_map(self.map)
        for rulebook in self.rulebooks:
            _check_rulebook(rulebook)
        occupied = {unit.province for unit in self.units} & {spot.province for spot in self.spots}
        if occupied:
            raise BoardError([f"{province} already has a unit" for province in sorted(occupied)])

    @property
    def rulebooks(self) -> tuple[Rulebook, ...]:
        """The rulebook that judges, followed by those that are compared with it."""
        return (self.rulebook, *self.beside)

    @property
    def all_free(self) -> bool:
        """True if no units or orders are fixed, and units may be of any power."""
        return not (self.units or self.orders or self.foreign)

    @property
    def must_convoy(self) -> bool:
        """True if some rulebook makes `via convoy` illegal without fleets, even for an army that could go by land (4.A.3)."""
        return any(rulebook.land_fallback is LandFallback.NEVER for rulebook in self.rulebooks)

    @cached_property
    def provinces(self) -> frozenset[ProvinceCode]:
        """The provinces where units stand and move: the region, by default the whole map."""
        return self.region or frozenset(self.map.provinces)

    @cached_property
    def standing(self) -> dict[Spot, Power | None]:
        """The units that are on the board, each with its power, followed by those that may be, each with None."""
        fixed: dict[Spot, Power | None] = {Spot(unit.kind, unit.location): unit.power for unit in self.units}
        return fixed | dict.fromkeys(sorted(self.spots))

    @cached_property
    def spots_in(self) -> dict[ProvinceCode, list[Spot]]:
        """By province, the units that are or may be there."""
        return group_pairs((spot.province, spot) for spot in self.standing)

    @cached_property
    def fleet_seas(self) -> frozenset[ProvinceCode]:
        """The seas where a fleet is or may be."""
        return self.map.seas.intersection(self.spots_in)

    @cached_property
    def routes(self) -> dict[tuple[ProvinceCode, ProvinceCode], list[Route]]:
        """The legal routes of at most `longest_route` possible fleets, by origin and destination; roundabout ones if legal."""
        roundabout = self.rulebook.superfluous_convoy is SuperfluousConvoy.LEGAL
        find_routes = iter_simple_routes if roundabout else list_routes
        coasts = [code for code in sorted(self.provinces) if self.map.provinces[code].terrain is Terrain.COAST]
        return group_pairs(
            ((origin, destination), route)
            for origin in coasts
            for route in self._iter_fleet_chains(origin)
            for destination in coasts
            if route[-1] in self.map.shores[destination]
            and route in find_routes(self.map, origin, destination, frozenset(route))
        )

    def _iter_fleet_chains(self, origin: ProvinceCode) -> Iterator[Route]:
        """Yield chains of at most `longest_route` adjacent seas with possible fleets from `origin` on, without repeats."""
        starts = sorted(self.map.shores[origin] & self.fleet_seas) if self.longest_route else []
        routes: list[Route] = [(sea,) for sea in starts]
        for route in routes:
            yield route
            if len(route) < self.longest_route:
                routes += [(*route, sea) for sea in sorted(self.map.fleet[route[-1]] & self.fleet_seas) if sea not in route]

    def iter_routes(
        self, game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
    ) -> Iterator[Route]:
        """Yield the routes from origin to destination whose fleets are all in `fleets`; the map is not used."""
        return (route for route in self.routes.get((origin, destination), ()) if fleets.issuperset(route))

    def get_reading(self, rulebook: Rulebook) -> Universe:
        """Return the same universe with another of its rulebooks as the one that judges."""
        if rulebook not in self._readings:
            others = tuple(book for book in self.rulebooks if book != rulebook)
            reading = self._readings[rulebook] = replace(self, rulebook=rulebook, beside=others)
            vars(reading)["_readings"] = self._readings  # so that expensive properties are computed only once
        return self._readings[rulebook]

    @cached_property
    def _readings(self) -> dict[Rulebook, Universe]:
        return {self.rulebook: self}

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidate orders, without holds, that may be legal under the rulebook and agree with the given orders."""
        if not self.orders:
            return self._all_candidates
        readings = (self.get_reading(rulebook) for rulebook in self.rulebooks)
        meanings = {meaning_key(candidate.order) for reading in readings for candidate in reading._all_candidates}
        given = {province: self._normalize_order(order, meanings) for province, order in self.orders.items()}
        return tuple(candidate for candidate in self._all_candidates if self._is_open(candidate, given))

    @cached_property
    def _all_candidates(self) -> tuple[Candidate, ...]:
        return tuple(chain(_iter_moves(self), _iter_hold_supports(self), _iter_move_supports(self), _iter_convoys(self)))

    def _normalize_order(self, given_order: MovementOrder, meanings: Collection[object]) -> MovementOrder:
        """Return a given order as candidates write it: a supported move has no coast unless some candidate names that coast."""
        if isinstance(given_order, SupportMove):
            fleets = self.spots_in.get(given_order.supported.province, ())
            in_full = replace(given_order, supported=Named(FLEET, given_order.supported.location))
            if meaning_key(in_full) not in meanings and any(
                given_order.destination in self.map.exits(*spot) for spot in fleets
            ):
                return replace(given_order, destination=province_of(given_order.destination))
        return given_order

    def _is_open(self, candidate: Candidate, given_orders: Mapping[ProvinceCode, MovementOrder]) -> bool:
        """Return whether the candidate agrees with the order that `given_orders` has for its unit, if any."""
        given = given_orders.get(candidate.order.unit.province)
        if isinstance(given, Move) and isinstance(candidate.order, Move):
            if given.via_convoy and candidate.given_to[0].kind is FLEET and self.rulebook.impossible_via is Mistake.ILLEGAL:
                return False
            same_way = self._asks_for_convoy(given, candidate.given_to[0]) is candidate.order.via_convoy
            return same_way and fits_place(given.destination, candidate.order.destination)
        return given is None or is_same_order(drop_unit_name(given), candidate.order)

    def _asks_for_convoy(self, move: Move, spot: Spot) -> bool:
        """Return whether `via convoy` has an effect on a move: for an army that could go by land, if a convoy may exist."""
        by_land = move.destination in self.map.exits(*spot)
        possible = (spot.province, move.destination) in self.routes or self.must_convoy
        return move.via_convoy and spot.kind is ARMY and by_land and possible


# Comparing orders with wanted ones


def fits_place(place: Location, location: Location) -> bool:
    """Return whether `location` is at `place`: the same coast if `place` is a coast, else anywhere in the province."""
    return place in (location, province_of(location))


def is_same_order(wanted_order: MovementOrder, given_order: Order) -> bool:
    """Return whether a given order is the wanted one; `via convoy` and coasts matter only if the wanted order has them."""
    if (
        not isinstance(given_order, MovementOrder)
        or type(wanted_order) is not type(given_order)
        or not is_same_unit(wanted_order.unit, given_order.unit)
    ):
        return False
    if isinstance(wanted_order, Move) and isinstance(given_order, Move):
        return (
            fits_place(wanted_order.destination, given_order.destination) and wanted_order.via_convoy <= given_order.via_convoy
        )
    if isinstance(wanted_order, SupportMove) and isinstance(given_order, SupportMove):
        return wanted_order.supported.province == given_order.supported.province and fits_place(
            wanted_order.destination, given_order.destination
        )
    if isinstance(wanted_order, Convoy) and isinstance(given_order, Convoy):
        return (
            wanted_order.convoyed.province == given_order.convoyed.province
            and wanted_order.destination == given_order.destination
        )
    supported = [getattr(order, "supported", wanted_order.unit).province for order in (wanted_order, given_order)]
    return supported[0] == supported[1]


def drop_unit_name(order: MovementOrder) -> MovementOrder:
    """Return the order with the ordered unit named only by its province, without kind and coast."""
    return replace(order, unit=Named(None, order.unit.province))


def is_same_unit(wanted_unit: Named, given_unit: Named | Spot) -> bool:
    """Return whether a given unit is the wanted one; kind and coast matter only if the wanted unit states them."""
    return wanted_unit.kind in (None, given_unit.kind) and fits_place(wanted_unit.location, given_unit.location)


def _check_rulebook(rulebook: Rulebook) -> None:
    """Raise `InputError` for a rulebook that searches do not support."""
    if rulebook.convoy_paths is not ConvoyPaths.IGNORED:
        raise InputError(
            f"{rulebook.name} follows written convoy paths, which searches do not support", suggestion="add --set 4.A.6=ignored"
        )
    if rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
        raise InputError(
            f"under {rulebook.name} a convoyed attack comes from its last fleet, which searches do not support",
            suggestion="add --set 4.A.4.1=start",
        )


_NOT_SEARCHED = frozenset({"7.B", "7.C", "10"})
"""The chapters of DATC 2.4 with rules that searches do not support."""


def check_map(game_map: Map) -> None:
    """Raise `InputError` for a map with rules that searches do not support."""
    for rule_name, chapter in game_map.own_rules.items():
        if not chapter or chapter in _NOT_SEARCHED:
            cited = f" (DATC 2.4, {chapter})" if chapter else ""
            raise InputError(f"the map {game_map.name} has {rule_name}{cited}, which searches do not support")


def check_board(board: Board) -> None:
    """Raise `InputError` for a board on a map, or in a season, with rules that searches do not support."""
    check_map(board.map)
    if board.turn and board.open_map is not board.map:
        message = f"searches do not support provinces that are closed in {board.turn.season}, as on the map {board.map.name}"
        raise InputError(message, suggestion="leave out the season, so that all provinces are open")


def spots_of(game_map: Map, provinces: Iterable[ProvinceCode]) -> frozenset[Spot]:
    """Return all units that the map allows in these provinces, with a separate fleet for each coast."""
    places = {place for code in provinces for place in (code, *game_map.provinces[code].locations)}
    everywhere = (Spot(kind, place) for place in places for kind in UnitKind)
    return frozenset(spot for spot in everywhere if game_map.problem_with(*spot) is None)


# ---- every order that could be legal ----


def _iter_moves(universe: Universe) -> Iterator[Candidate]:
    for spot in universe.standing:
        exits = universe.map.exits(*spot)
        for destination in sorted(exits):
            if province_of(destination) in universe.provinces:
                yield Candidate(Move(spot.unit_name, destination), (spot,))
        if spot.kind is ARMY:
            yield from _iter_convoyed_moves(universe, spot, exits)


def _iter_convoyed_moves(universe: Universe, army: Spot, exits: frozenset[Location]) -> Iterator[Candidate]:
    """Yield an army's moves for which a convoy is possible; those that could also go by land have `via convoy`.

    A `via convoy` without a route has no effect, unless some rulebook makes it illegal.
    """
    may_be_needless = universe.rulebook.land_fallback is not LandFallback.NEVER
    if may_be_needless and universe.must_convoy:
        by_sea = {destination for origin, destination in universe.routes if origin == army.province}
        for destination in sorted((exits & universe.provinces) - by_sea):
            yield Candidate(Move(army.unit_name, destination, via_convoy=True), (army,))
    for (origin, destination), routes in universe.routes.items():
        if origin == army.province:
            by_land = destination in exits
            needs = (Need(()),) if by_land and may_be_needless else tuple(_make_route_need(army, route) for route in routes)
            yield Candidate(Move(army.unit_name, destination, via_convoy=by_land), (army,), needs)


def _find_reach(universe: Universe, spot: Spot) -> frozenset[ProvinceCode]:
    """Return the provinces into which a unit can support, that is, those to which it could move without a convoy (6.A.10)."""
    return frozenset(map(province_of, universe.map.exits(*spot)))


def _iter_supporters(universe: Universe) -> Iterator[tuple[ProvinceCode, tuple[Spot, ...]]]:
    """Yield pairs of a province and the possible units, all in one other province, that can support into it."""
    for spots in universe.spots_in.values():
        reach = frozenset[ProvinceCode]().union(*(_find_reach(universe, spot) for spot in spots))
        for target in sorted(reach & universe.provinces):
            yield target, tuple(spot for spot in spots if target in _find_reach(universe, spot))


def _iter_hold_supports(universe: Universe) -> Iterator[Candidate]:
    for target, helpers in _iter_supporters(universe):
        if supported := universe.spots_in.get(target):
            order = SupportHold(helpers[0].unit_name, supported[0].unit_name)
            yield Candidate(order, helpers, tuple(Need((spot,)) for spot in supported))


def _iter_move_supports(universe: Universe) -> Iterator[Candidate]:
    origins = _map_origins(universe)
    for target, helpers in _iter_supporters(universe):
        for origin in origins[target]:
            if origin == helpers[0].province:
                continue
            movers = universe.spots_in[origin]
            needs = group_pairs(
                chain.from_iterable(_iter_support_words(universe, helpers[0], mover, target) for mover in movers)
            )
            for words, ways in needs.items():
                supported = Named(words.kind, origin) if words.kind else Named(None, origin)
                order = SupportMove(helpers[0].unit_name, supported, words.stated)
                yield Candidate(order, helpers, tuple(ways), replace(order, destination=words.legal))


def _map_origins(universe: Universe) -> dict[ProvinceCode, tuple[ProvinceCode, ...]]:
    """Return, by province, the provinces from which a unit could move there, also by convoy."""
    found: dict[ProvinceCode, dict[ProvinceCode, None]] = {code: {} for code in universe.provinces}
    for candidate in _iter_moves(universe):
        assert isinstance(candidate.order, Move)
        found[province_of(candidate.order.destination)][candidate.order.unit.province] = None
    return {code: tuple(origins) for code, origins in found.items()}


def _iter_support_words(
    universe: Universe, helper: Spot, mover: Spot, target: ProvinceCode
) -> Iterator[tuple[SupportWords, Need]]:
    """Yield the ways in which `helper` can write a support of `mover`'s move to `target`, each with the units needed."""
    coasts = bool(universe.map.provinces[target].coasts)
    words = SupportWords(target, target, mover.kind if coasts else None)
    if target in _find_reach(universe, mover):
        if coasts and mover.kind is FLEET:
            yield from _iter_coast_words(universe, helper, mover, target)
        else:
            yield words, Need((mover,))
    elif mover.kind is ARMY:  # a fleet cannot support the move that it alone could make possible (6.D.31)
        for route in universe.routes.get((mover.province, target), ()):
            if helper.province not in route:
                yield words, _make_route_need(mover, route)


def _iter_coast_words(
    universe: Universe, helper: Spot, mover: Spot, target: ProvinceCode
) -> Iterator[tuple[SupportWords, Need]]:
    """Yield the ways to write the support of a fleet's move to a province with coasts, once for each meaning (4.B.4)."""
    meanings: set[tuple[object, ...]] = set()
    reachable = universe.map.fleet_reach[mover.location][target]
    books = sorted(universe.rulebooks, key=lambda book: book.name)
    for own in (False, True):
        for location in (target, *universe.map.provinces[target].locations):
            legal = {book.name: _read_destination(universe, book, helper, mover, location, is_own=own) for book in books}
            meaning = tuple(words and frozenset(to for to in reachable if words in (to, target)) for words in legal.values())
            words = legal[universe.rulebook.name]
            if words and meaning not in meanings:
                meanings.add(meaning)
                yield SupportWords(location, words, FLEET), Need((mover,), own)


def _read_destination(
    universe: Universe, rulebook: Rulebook, helper: Spot, mover: Spot, stated: Location, *, is_own: bool
) -> Location | None:
    """Return the destination that a rulebook reads if a support of a fleet (`is_own`: of one power) names `stated`, or None."""
    units = (Unit("ONE", *helper), Unit("ONE" if is_own else "OTHER", *mover))
    order = SupportMove(helper.unit_name, Named(*mover, units[1].power), stated)
    legal = make_docket(Board(units, map=universe.map), {"ONE": [order]}, rulebook).orders.get(helper.province)
    return legal.destination if isinstance(legal, SupportMove) else None


def _iter_convoys(universe: Universe) -> Iterator[Candidate]:
    needs = group_pairs(
        ((Spot(FLEET, sea), army, destination), _make_route_need(army, (other for other in route if other != sea)))
        for (origin, destination), routes in universe.routes.items()
        if (army := Spot(ARMY, origin)) in universe.standing
        for route in routes
        for sea in route
    )
    for (fleet, army, destination), ways in needs.items():
        yield Candidate(Convoy(fleet.unit_name, army.unit_name, destination), (fleet,), tuple(ways))


def _make_route_need(army: Spot, route: Iterable[ProvinceCode]) -> Need:
    return Need((army, *(Spot(FLEET, sea) for sea in route)))
