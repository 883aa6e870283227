"""Where the units of a search may stand, of whom, and the routes by which they convoy: what candidate orders are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from satjudge.board import Board, Unit
from satjudge.errors import BoardError, InputError
from satjudge.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, load_map, province_of
from satjudge.legality import Route, convoy_routes, simple_routes
from satjudge.orders import Named
from satjudge.rules import AttackOrigin, ConvoyPaths, LandFallback, Rulebook, SuperfluousConvoy

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
LONGEST_ROUTE = 3


class Spot(NamedTuple):
    """A unit of some kind at some place, whosever it is."""

    kind: UnitKind
    location: Location

    @property
    def province(self) -> ProvinceCode:
        """The province it stands in."""
        return province_of(self.location)

    @property
    def named(self) -> Named:
        """How an order names it."""
        return Named(self.kind, self.location)


@dataclass(frozen=True)
class Places:
    """Units that stand and units that may stand; all of them stay in `region`.

    `units` stand, of the powers that they have. `spots` are where further units may stand, of any powers; no two in one
    province. Convoys go over at most `longest_route` fleets. Under `foreign` each further unit is foreign to every other
    unit. Where there are rulebooks `beside` the one, an order need be legal under one of them all only; orders are told
    apart that differ in meaning under any of them.

    Raises `InputError` for what no search can range over.
    """

    rulebook: Rulebook
    units: tuple[Unit, ...] = ()
    spots: frozenset[Spot] = frozenset()
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

    @property
    def must_convoy(self) -> bool:
        """Whether `via convoy` may make an order illegal to an army that could go by land (4.A.3)."""
        return any(rulebook.land_fallback is LandFallback.NEVER for rulebook in self.rulebooks)

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


def spots_of(game_map: Map, provinces: Iterable[ProvinceCode]) -> frozenset[Spot]:
    """Everything that could stand in some provinces: armies and fleets, on every coast."""
    everywhere = (Spot(kind, place) for code in provinces for kind in UnitKind for place in _locations(game_map, code))
    return frozenset(spot for spot in everywhere if game_map.problem_with(*spot) is None)


def _locations(game_map: Map, code: ProvinceCode) -> tuple[Location, ...]:
    return tuple(dict.fromkeys((code, *game_map.provinces[code].locations)))
