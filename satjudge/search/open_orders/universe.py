"""Holds a universe: the units and orders that a question about unknown orders ranges over.

Some units stand, others may stand; all stay in a region. From these come *candidates*: every possibly legal order, with its
conditions (DATC 3.2, 4.E.1): the unit that it is given to, and the other units that it needs, for instance the fleets of some
route. Candidates with the same meaning to the equations are merged: a support names a province, regardless of the unit there,
and a coast only where that makes a difference.
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
    """A unit of some kind at some place, of any power."""

    kind: UnitKind
    location: Location

    @property
    def province(self) -> ProvinceCode:
        """The province that the unit stands in."""
        return province_of(self.location)

    @property
    def unit_name(self) -> Named:
        """The unit as an order names it."""
        return Named(self.kind, self.location)


class Need(NamedTuple):
    """Units that must stand for an order to be legal; `own`: the ordered and the first of them are of one power."""

    spots: tuple[Spot, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An order that may be given to any of some units, if the units of one of its needs stand on the board.

    `legal` is the rulebook's version of the order, if it differs.
    """

    order: MovementOrder
    given_to: tuple[Spot, ...]
    needs: tuple[Need, ...] = (Need(()),)
    legal: MovementOrder | None = None

    __repr__ = brief


class SupportWords(NamedTuple):
    """How a supporter may write the move: the destination that it states, and the one that the rulebook takes it to mean."""

    said: Location
    legal: Location
    kind: UnitKind | None = None
    """The kind of the moving unit, where armies and fleets are named differently."""


def meaning_key(order: MovementOrder) -> object:
    """Return a key that is equal for orders that mean the same: units by province, with a supported one's kind if needed."""
    match order:
        case SupportHold():
            return SupportHold, order.unit.province, order.supported.province
        case SupportMove():
            return SupportMove, order.unit.province, order.supported.province, order.supported.kind, order.destination
    return order


@dataclass(frozen=True)
class Universe:
    """Units that stand and units that may stand, in a region, with the orders that some of them are given.

    `units` stand, with their powers. `spots` are where further units of any power may stand, at most one in a province. Convoys
    use at most `longest_route` fleets. With `foreign`, each further unit is foreign to every other unit. With further rulebooks
    in `beside`, an order must be legal under one of them only, and orders count as different if they differ under any of them.
    Provinces in `orders` have the order given there, all other units any legal one that stays in the `region` (default: the
    whole map).

    Raises `InputError` for a universe that no search supports.
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
        taken = {unit.province for unit in self.units} & {spot.province for spot in self.spots}
        if taken:
            raise BoardError([f"{province} already has a unit" for province in sorted(taken)])

    @property
    def rulebooks(self) -> tuple[Rulebook, ...]:
        """The rulebook that judges, and those compared with it."""
        return (self.rulebook, *self.beside)

    @property
    def all_free(self) -> bool:
        """True if any units may be on the board, with any orders."""
        return not (self.units or self.orders or self.foreign)

    @property
    def must_convoy(self) -> bool:
        """True if `via convoy` may make an order illegal for an army that could go by land (4.A.3)."""
        return any(rulebook.land_fallback is LandFallback.NEVER for rulebook in self.rulebooks)

    @cached_property
    def provinces(self) -> frozenset[ProvinceCode]:
        """The provinces where units stand and move: the region, by default the whole map."""
        return self.region or frozenset(self.map.provinces)

    @cached_property
    def standing(self) -> dict[Spot, Power | None]:
        """The units that stand, each with its power, and those that may stand, each with None."""
        fixed: dict[Spot, Power | None] = {Spot(unit.kind, unit.location): unit.power for unit in self.units}
        return fixed | dict.fromkeys(sorted(self.spots))

    @cached_property
    def spots_in(self) -> dict[ProvinceCode, list[Spot]]:
        """The units that stand or may stand in each province."""
        return group_pairs((spot.province, spot) for spot in self.standing)

    @cached_property
    def fleet_seas(self) -> frozenset[ProvinceCode]:
        """The seas where a fleet stands or may stand."""
        return self.map.seas.intersection(self.spots_in)

    @cached_property
    def routes(self) -> dict[tuple[ProvinceCode, ProvinceCode], list[Route]]:
        """The legal convoy routes by pair of origin and destination, with roundabout ones if the rulebook allows those."""
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
        """Yield each chain of adjacent seas with possible fleets that begins next to a coast; no chain passes a sea twice."""
        starts = sorted(self.map.shores[origin] & self.fleet_seas) if self.longest_route else []
        routes: list[Route] = [(sea,) for sea in starts]
        for route in routes:
            yield route
            if len(route) < self.longest_route:
                routes += [(*route, sea) for sea in sorted(self.map.fleet[route[-1]] & self.fleet_seas) if sea not in route]

    def iter_routes(
        self, game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
    ) -> Iterator[Route]:
        """Yield the routes from origin to destination that pass only through seas of `fleets`."""
        return (route for route in self.routes.get((origin, destination), ()) if fleets.issuperset(route))

    def get_reading(self, rulebook: Rulebook) -> Universe:
        """Return the same universe under another of its rulebooks."""
        if rulebook not in self._readings:
            others = tuple(book for book in self.rulebooks if book != rulebook)
            reading = self._readings[rulebook] = replace(self, rulebook=rulebook, beside=others)
            vars(reading)["_readings"] = self._readings  # expensive properties are computed once
        return self._readings[rulebook]

    @cached_property
    def _readings(self) -> dict[Rulebook, Universe]:
        return {self.rulebook: self}

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The possible orders except holds: those that could be legal under the rulebook and agree with given orders."""
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
        """Return a given order as candidates write it: without the coast of a supported move where no candidate has that."""
        if isinstance(given_order, SupportMove):
            fleets = self.spots_in.get(given_order.supported.province, ())
            in_full = replace(given_order, supported=Named(FLEET, given_order.supported.location))
            if meaning_key(in_full) not in meanings and any(
                given_order.destination in self.map.exits(*spot) for spot in fleets
            ):
                return replace(given_order, destination=province_of(given_order.destination))
        return given_order

    def _is_open(self, candidate: Candidate, orders: Mapping[ProvinceCode, MovementOrder]) -> bool:
        """Return whether the orders that are given let the unit have this one."""
        given = orders.get(candidate.order.unit.province)
        if isinstance(given, Move) and isinstance(candidate.order, Move):
            if given.via_convoy and candidate.given_to[0].kind is FLEET and self.rulebook.impossible_via is Mistake.ILLEGAL:
                return False
            same_way = self._asks_for_convoy(given, candidate.given_to[0]) is candidate.order.via_convoy
            return same_way and fits_place(given.destination, candidate.order.destination)
        return given is None or is_same_order(drop_unit_name(given), candidate.order)

    def _asks_for_convoy(self, move: Move, spot: Spot) -> bool:
        """Return whether a move goes by convoy because it says so: `via convoy` for an army that could go by land as well."""
        by_land = move.destination in self.map.exits(*spot)
        possible = (spot.province, move.destination) in self.routes or self.must_convoy
        return move.via_convoy and spot.kind is ARMY and by_land and possible


# Comparing orders with those asked about.


def fits_place(place: Location, location: Location) -> bool:
    """Return whether `location` is at `place`: the same coast if `place` is a coast, else anywhere in the province."""
    return place in (location, province_of(location))


def is_same_order(wanted_order: MovementOrder, given_order: Order) -> bool:
    """Return whether a given order is the wanted one; `via convoy` and coasts matter only if the wanted order states them."""
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
    """Return the order with its unit named by the province alone."""
    return replace(order, unit=Named(None, order.unit.province))


def is_same_unit(wanted_unit: Named, given_unit: Named | Spot) -> bool:
    """Return whether a given unit is the wanted one; kind and coast matter only if the wanted unit states them."""
    return wanted_unit.kind in (None, given_unit.kind) and fits_place(wanted_unit.location, given_unit.location)


def _check_rulebook(rulebook: Rulebook) -> None:
    """Raise `InputError` for a rulebook that no search supports."""
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
"""The chapters of the DATC 2.4 with rules that no search supports."""


def check_map(game_map: Map) -> None:
    """Raise `InputError` for a map with rules that no search supports."""
    for what, chapter in game_map.own_rules.items():
        if not chapter or chapter in _NOT_SEARCHED:
            cited = f" (DATC 2.4, {chapter})" if chapter else ""
            raise InputError(f"the map {game_map.name} has {what}{cited}, which searches do not support")


def check_board(board: Board) -> None:
    """Raise `InputError` for a board on a map, or in a season, with rules that no search supports."""
    check_map(board.map)
    if board.turn and board.open_map is not board.map:
        message = f"searches do not support provinces that are closed in {board.turn.season}, as on the map {board.map.name}"
        raise InputError(message, suggestion="leave out the season, so that all provinces are open")


def spots_of(game_map: Map, provinces: Iterable[ProvinceCode]) -> frozenset[Spot]:
    """Return all units that could stand in some provinces: armies and fleets, with one for every coast."""
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
    """Yield an army's moves that need a convoy, and its land moves with `via convoy`.

    A needless `via convoy` without a route has no effect, unless some rulebook makes it illegal.
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
    """Return the provinces into which a unit can support: those to which it could move directly (6.A.10)."""
    return frozenset(map(province_of, universe.map.exits(*spot)))


def _iter_supporters(universe: Universe) -> Iterator[tuple[ProvinceCode, tuple[Spot, ...]]]:
    """Yield pairs: a province, and the units in one other province that can support into it."""
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
                order = SupportMove(helpers[0].unit_name, supported, words.said)
                yield Candidate(order, helpers, tuple(ways), replace(order, destination=words.legal))


def _map_origins(universe: Universe) -> dict[ProvinceCode, tuple[ProvinceCode, ...]]:
    """Return a dict from each province to those from which a unit could move into it, by convoy as well."""
    found: dict[ProvinceCode, dict[ProvinceCode, None]] = {code: {} for code in universe.provinces}
    for candidate in _iter_moves(universe):
        assert isinstance(candidate.order, Move)
        found[province_of(candidate.order.destination)][candidate.order.unit.province] = None
    return {code: tuple(origins) for code, origins in found.items()}


def _iter_support_words(
    universe: Universe, helper: Spot, mover: Spot, target: ProvinceCode
) -> Iterator[tuple[SupportWords, Need]]:
    """Yield the ways in which `helper` may write the support of a move, each with the units needed to make it legal."""
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
    """Yield the ways to write the support of a fleet's move where coasts matter; of equal meanings only the first (4.B.4)."""
    meanings: set[tuple[object, ...]] = set()
    reachable = universe.map.fleet_reach[mover.location][target]
    books = sorted(universe.rulebooks, key=lambda book: book.name)
    for own in (False, True):
        for said in (target, *universe.map.provinces[target].locations):
            legal = {book.name: _read_destination(universe, book, helper, mover, said, is_own=own) for book in books}
            meaning = tuple(words and frozenset(to for to in reachable if words in (to, target)) for words in legal.values())
            words = legal[universe.rulebook.name]
            if words and meaning not in meanings:
                meanings.add(meaning)
                yield SupportWords(said, words, FLEET), Need((mover,), own)


def _read_destination(
    universe: Universe, rulebook: Rulebook, helper: Spot, mover: Spot, stated: Location, *, is_own: bool
) -> Location | None:
    """Return where a rulebook takes a supported fleet to go if the order states `stated`; None if that is illegal."""
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
