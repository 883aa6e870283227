"""Finds chains of fleets from one province to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TypeAlias

from satjudge.world.geography import Map, ProvinceCode, province_of

Route: TypeAlias = tuple[ProvinceCode, ...]
"""The provinces of the fleets of a convoy, from the army's origin to its destination."""


def iter_simple_routes(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: Collection[ProvinceCode],
    longest: int | None = None,
) -> Iterator[Route]:
    """Yield all chains of these fleets by which an army can be convoyed; none passes a fleet twice.

    None has more than `longest` fleets, if given.
    """
    usable = [province for province in fleets if province not in (origin, destination)]

    def onward(route: Route) -> Iterator[Route]:
        if route[-1] in game_map.shores.get(destination, ()):
            yield route
        if longest is not None and len(route) >= longest:
            return
        for province in usable:
            if province not in route and _is_adjacent(game_map, route[-1], province):
                yield from onward((*route, province))

    for first in usable:
        if first in game_map.shores.get(origin, ()):
            yield from onward((first,))


def iter_proper_routes(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: Collection[ProvinceCode],
    longest: int | None = None,
) -> Iterator[Route]:
    """Yield the chains in which no fleet is adjacent to an earlier one but the one before it (proper routes)."""
    usable = [province for province in fleets if province not in (origin, destination)]
    start, landing = game_map.shores.get(origin, frozenset()), game_map.shores.get(destination, frozenset())

    def onward(route: Route, barred: frozenset[ProvinceCode]) -> Iterator[Route]:
        if route[-1] in landing:
            yield route
        elif longest is None or len(route) < longest:
            near = _map_adjacent(game_map).get(route[-1], frozenset())
            for province in usable:
                if province in near and province not in barred:
                    yield from onward((*route, province), barred | near)

    for first in usable:
        if first in start:
            yield from onward((first,), start | {first})


def _is_adjacent(game_map: Map, one: ProvinceCode, other: ProvinceCode) -> bool:
    """Return whether a fleet could go from one province to another, from or to any coast."""
    return other in _map_adjacent(game_map).get(one, ())


@lru_cache(maxsize=16)
def _map_adjacent(game_map: Map) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
    """Return for each province those that a fleet on any of its coasts could go to."""
    touching: dict[ProvinceCode, set[ProvinceCode]] = {}
    for origin, exits in game_map.fleet.items():
        touching.setdefault(province_of(origin), set()).update(map(province_of, exits))
    return {province: frozenset(provinces) for province, provinces in touching.items()}
