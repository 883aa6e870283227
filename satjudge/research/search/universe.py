"""What a search ranges over: which units may stand where, of whom, and which of the candidate orders are open to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from satjudge.board import Board, Unit
from satjudge.errors import BoardError, InputError
from satjudge.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, load_map, province_of
from satjudge.legality import Route, convoy_routes, simple_routes
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.research.search.candidates import ARMY, FLEET, Candidate, Spot, every_candidate, meaning
from satjudge.rules import AttackOrigin, ConvoyPaths, LandFallback, Mistake, Rulebook, SuperfluousConvoy

LONGEST_ROUTE = 3


@dataclass(frozen=True)
class Universe:
    """Units that stand, units that may stand, and the orders that are given; whatever is left open ranges over all.

    `units` stand, of the powers that they have. `spots` are where further units may stand, of any powers; no two in one
    province. Provinces in `orders` have the order given there, all other units any legal one that stays in `region`.
    Convoys go over at most `longest_route` fleets. Under `foreign` each further unit is foreign to every other unit.
    Where there are rulebooks `beside` the one, an order need be legal under one of them all only; orders are told apart
    that differ in meaning under any of them.

    Raises `InputError` for what no search can range over.
    """

    rulebook: Rulebook
    units: tuple[Unit, ...] = ()
    spots: frozenset[Spot] = frozenset()
    orders: Mapping[ProvinceCode, MovementOrder] = field(default_factory=dict)
    region: frozenset[ProvinceCode] = frozenset()
    longest_route: int = LONGEST_ROUTE
    foreign: bool = False
    beside: tuple[Rulebook, ...] = ()
    map: Map = field(default_factory=load_map, repr=False)

    def __post_init__(self) -> None:
        Board(self.units, map=self.map).checked()
        for rulebook in self.rulebooks:
            _check(rulebook)
        taken = {unit.province for unit in self.units} & {spot.province for spot in self.spots}
        if taken:
            raise BoardError([f"a unit stands in {province} already" for province in sorted(taken)])

    @property
    def rulebooks(self) -> tuple[Rulebook, ...]:
        """The rulebook and those beside it."""
        return (self.rulebook, *self.beside)

    def under(self, rulebook: Rulebook) -> Universe:
        """The same as another of its rulebooks reads it."""
        if rulebook not in self._readings:
            others = tuple(book for book in self.rulebooks if book != rulebook)
            reading = self._readings[rulebook] = replace(self, rulebook=rulebook, beside=others)
            vars(reading)["_readings"] = self._readings  # what takes long to work out is worked out once for all
        return self._readings[rulebook]

    @cached_property
    def _readings(self) -> dict[Rulebook, Universe]:
        return {self.rulebook: self}

    @cached_property
    def provinces(self) -> frozenset[ProvinceCode]:
        """Where units stand and move: the region, or the whole map if none is named."""
        return self.region or frozenset(self.map.provinces)

    @cached_property
    def standing(self) -> dict[Spot, Power | None]:
        """Every unit that stands or may stand; the power is that of a unit that stands."""
        fixed: dict[Spot, Power | None] = {Spot(unit.kind, unit.location): unit.power for unit in self.units}
        return fixed | dict.fromkeys(sorted(self.spots))

    @cached_property
    def spots_in(self) -> dict[ProvinceCode, tuple[Spot, ...]]:
        """The same by province."""
        found: dict[ProvinceCode, tuple[Spot, ...]] = {}
        for spot in self.standing:
            found[spot.province] = (*found.get(spot.province, ()), spot)
        return found

    @cached_property
    def fleets(self) -> frozenset[ProvinceCode]:
        """The seas where a fleet stands or may stand."""
        return self.map.seas.intersection(self.spots_in)

    @cached_property
    def routes(self) -> dict[tuple[ProvinceCode, ProvinceCode], tuple[Route, ...]]:
        """From origin and destination to every route that a convoy can take."""
        coasts = [code for code in sorted(self.provinces) if self.map.provinces[code].terrain is Terrain.COAST]
        found: dict[tuple[ProvinceCode, ProvinceCode], list[Route]] = {}
        for origin in coasts:
            for route in self._chains(origin):
                for destination in coasts:
                    if route[-1] in self.map.shores[destination] and self._is_route(origin, destination, route):
                        found.setdefault((origin, destination), []).append(route)
        return {pair: tuple(routes) for pair, routes in found.items()}

    def _chains(self, origin: ProvinceCode) -> Iterator[Route]:
        """Chains of fleets from a coast, none twice."""
        starts = sorted(self.map.shores[origin] & self.fleets) if self.longest_route else []
        chains: list[Route] = [(sea,) for sea in starts]
        for chain in chains:
            yield chain
            if len(chain) < self.longest_route:
                chains += [(*chain, sea) for sea in sorted(self.map.fleet[chain[-1]] & self.fleets) if sea not in chain]

    def _is_route(self, origin: ProvinceCode, destination: ProvinceCode, route: Route) -> bool:
        """Whether legality takes it for a route: a proper one, or a roundabout one where these are legal (4.E.1)."""
        roundabout = self.rulebook.superfluous_convoy is SuperfluousConvoy.LEGAL
        find_routes = simple_routes if roundabout else convoy_routes
        return route in find_routes(self.map, origin, destination, frozenset(route))

    def find_routes(
        self, game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
    ) -> Iterator[Route]:
        """The routes through some of the fleets."""
        return (route for route in self.routes.get((origin, destination), ()) if fleets.issuperset(route))

    # Candidates.

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every order but holding that could be legal under the rulebook, or that is given and could be."""
        if not self.orders:
            return self._everything
        readings = (self.under(rulebook) for rulebook in self.rulebooks)
        meanings = {meaning(candidate.order) for reading in readings for candidate in reading._everything}
        given = {province: self._in_words_of(order, meanings) for province, order in self.orders.items()}
        return tuple(candidate for candidate in self._everything if self._is_open(candidate, given))

    @cached_property
    def _everything(self) -> tuple[Candidate, ...]:
        return every_candidate(self)

    @property
    def must_convoy(self) -> bool:
        """Whether `via convoy` may make an order illegal to an army that could go by land (4.A.3)."""
        return any(rulebook.land_fallback is LandFallback.NEVER for rulebook in self.rulebooks)

    def _in_words_of(self, given: MovementOrder, meanings: Collection[object]) -> MovementOrder:
        """A given order as a candidate says it: without the coast of a supported move that can go to no other."""
        if isinstance(given, SupportMove):
            fleets = self.spots_in.get(given.supported.province, ())
            in_full = replace(given, supported=Named(FLEET, given.supported.location))
            if meaning(in_full) not in meanings and any(given.destination in self.map.exits(*spot) for spot in fleets):
                return replace(given, destination=province_of(given.destination))
        return given

    def _is_open(self, candidate: Candidate, orders: Mapping[ProvinceCode, MovementOrder]) -> bool:
        """Whether the unit is free to be given this order."""
        given = orders.get(candidate.order.unit.province)
        if isinstance(given, Move) and isinstance(candidate.order, Move):
            if given.via_convoy and candidate.given_to[0].kind is FLEET and self.rulebook.impossible_via is Mistake.ILLEGAL:
                return False
            same_way = self._asks_for_convoy(given, candidate.given_to[0]) is candidate.order.via_convoy
            return same_way and _same_place(given.destination, candidate.order.destination)
        return given is None or _same(given, candidate.order)

    def _asks_for_convoy(self, move: Move, spot: Spot) -> bool:
        """Whether the words `via convoy` mean anything: not to a fleet, nor where there is no other way, or no convoy."""
        by_land = move.destination in self.map.exits(*spot)
        possible = (spot.province, move.destination) in self.routes or self.must_convoy
        return move.via_convoy and spot.kind is ARMY and by_land and possible


def _check(rulebook: Rulebook) -> None:
    """Raises `InputError` for a rulebook that no search can ask about."""
    if rulebook.convoy_paths is not ConvoyPaths.IGNORED:
        raise InputError(
            f"{rulebook.name} heeds written convoy paths, which no search ranges over",
            suggestion="add --set 4.A.6=ignored",
        )
    if rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
        raise InputError(
            f"under {rulebook.name} a convoyed attack comes from its last fleet, which no search ranges over",
            suggestion="add --set 4.A.4.1=start",
        )


def _same(given: MovementOrder, order: MovementOrder) -> bool:
    """Whether a candidate is what was given, in full or short of a coast."""
    match given, order:
        case (SupportHold(), SupportHold()):
            return given.supported.province == order.supported.province
        case (SupportMove(), SupportMove()):
            same_unit = given.supported.province == order.supported.province
            return same_unit and _same_place(given.destination, order.destination)
        case (Convoy(), Convoy()):
            return given.convoyed.province == order.convoyed.province and given.destination == order.destination
    return False


def _same_place(given: Location, location: Location) -> bool:
    return given == location or (given == province_of(location) != location)


def spots_of(game_map: Map, provinces: Iterable[ProvinceCode]) -> frozenset[Spot]:
    """Everything that could stand in some provinces: armies and fleets, on every coast."""
    everywhere = (Spot(kind, place) for code in provinces for kind in UnitKind for place in _locations(game_map, code))
    return frozenset(spot for spot in everywhere if game_map.problem_with(*spot) is None)


def _locations(game_map: Map, code: ProvinceCode) -> tuple[Location, ...]:
    return tuple(dict.fromkeys((code, *game_map.provinces[code].locations)))
