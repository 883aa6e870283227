"""Finds routes of fleets that could carry an army from one coast to another."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.world.geography import Map, ProvinceCode, Terrain

Route = tuple[ProvinceCode, ...]
"""The sea provinces that a convoyed army passes, in order."""

_CACHED_ROUTES = 100_000


def convoy_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """List all proper routes from one coastal province to another through these fleets, in a stable order.

    In a proper route no fleet can be left out: none touches an earlier one but its predecessor, only the first touches
    the origin and only the last the destination (DATC 4.E.1, 6.G.19). Any chain of fleets contains a proper route.
    """
    cache: dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], tuple[Route, ...]]
    cache = game_map.cache.setdefault(convoy_routes, {})
    key = (origin, destination, fleets)
    routes = cache.get(key)
    if routes is None:
        if len(cache) >= _CACHED_ROUTES:
            cache.clear()
        routes = cache[key] = tuple(sorted(_proper_routes(game_map, origin, destination, fleets)))
    return routes


def simple_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield all routes that pass no fleet twice, proper or roundabout; there may be many."""
    goal = game_map.shores.get(destination, frozenset())
    if origin == destination or not convoy_routes(game_map, origin, destination, fleets):
        return
    fleets -= {origin, destination}
    unfinished: list[Route] = [(first,) for first in sorted(game_map.shores[origin] & fleets, reverse=True)]
    while unfinished:
        route = unfinished.pop()
        if route[-1] in goal:
            yield route
        onward = game_map.fleet[route[-1]] & fleets
        unfinished.extend((*route, sea) for sea in sorted(onward, reverse=True) if sea not in route)


def _proper_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    start = game_map.shores.get(origin, frozenset()) & fleets
    goal = game_map.shores.get(destination, frozenset())
    if origin == destination or game_map.provinces[destination].terrain is not Terrain.COAST:
        return
    fleets -= {origin, destination}  # a fleet in a coast that convoys could stand there (DATC 2.4, 9.A)
    start &= fleets
    unfinished: list[tuple[Route, frozenset[ProvinceCode]]] = [((first,), fleets - start) for first in start]
    while unfinished:
        route, free = unfinished.pop()
        if route[-1] in goal:
            yield route
            continue
        onward = game_map.fleet[route[-1]] & free
        unfinished.extend(((*route, sea), free - onward) for sea in onward)
