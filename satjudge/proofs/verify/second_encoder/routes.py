"""Finds chains of fleets from one province to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TypeAlias

from satjudge.world.geography import Map, ProvinceCode, province_of

Route: TypeAlias = tuple[ProvinceCode, ...]
"""The provinces of a convoy's fleets, in order from the army's origin to its destination."""


def iter_simple_routes(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: Collection[ProvinceCode],
    max_fleets: int | None = None,
) -> Iterator[Route]:
    """Yield all chains of at most `max_fleets` of these fleets, each used once, that could convoy an army."""
    usable = [province for province in fleets if province not in (origin, destination)]

    def onward(route: Route) -> Iterator[Route]:
        if route[-1] in game_map.shores.get(destination, ()):
            yield route
        if max_fleets is not None and len(route) >= max_fleets:
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
    max_fleets: int | None = None,
) -> Iterator[Route]:
    """Yield the routes of at most `max_fleets` of these fleets in which only consecutive provinces are adjacent."""
    usable = [province for province in fleets if province not in (origin, destination)]
    start, landing = game_map.shores.get(origin, frozenset()), game_map.shores.get(destination, frozenset())

    def onward(route: Route, barred: frozenset[ProvinceCode]) -> Iterator[Route]:
        if route[-1] in landing:
            yield route
        elif max_fleets is None or len(route) < max_fleets:
            near = _map_adjacent(game_map).get(route[-1], frozenset())
            for province in usable:
                if province in near and province not in barred:
                    yield from onward((*route, province), barred | near)

    for first in usable:
        if first in start:
            yield from onward((first,), start | {first})


def _is_adjacent(game_map: Map, one: ProvinceCode, other: ProvinceCode) -> bool:
    """Return whether a fleet could move from one province to the other, whatever their coasts."""
    return other in _map_adjacent(game_map).get(one, ())


@lru_cache(maxsize=16)
def _map_adjacent(game_map: Map) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
    """Return, by province, the provinces to which a fleet on any of its coasts could move."""
    touching: dict[ProvinceCode, set[ProvinceCode]] = {}
    for origin, exits in game_map.fleet.items():
        touching.setdefault(province_of(origin), set()).update(map(province_of, exits))
    return {province: frozenset(provinces) for province, provinces in touching.items()}
