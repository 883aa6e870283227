"""Finds routes of fleets that could carry an army from one coast to another, or decides that none exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from satjudge.base.errors import EngineLimitError
from satjudge.judging.legality import waters
from satjudge.judging.legality.waters import (
    Sweep,
    Waters,
    bit_set,
    is_on_proper_route,
    is_on_simple_route,
    number_waters,
    split_parts,
)
from satjudge.world.geography import Map, ProvinceCode, Terrain

Route = tuple[ProvinceCode, ...]
"""The sea provinces that a convoyed army passes, in order."""

_CACHED_ROUTES = 100_000
_CACHED_PARTS = 4_096


def is_connected(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    without: ProvinceCode | None = None,
) -> bool:
    """Return whether a convoy route of these fleets, without one of them, leads from one coastal province to another.

    The connected parts of each set of fleets are cached.
    """
    answers: _Connected = game_map.cache.setdefault(is_connected, {})
    key = (origin, destination, fleets, without)
    found = answers.get(key)
    if found is None:
        if len(answers) >= _CACHED_ROUTES:
            answers.clear()
        found = answers[key] = _find_connection(game_map, *key)
    return found


_Connected = dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode], ProvinceCode | None], bool]


def _find_connection(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    without: ProvinceCode | None,
) -> bool:
    if not _can_be_convoyed(game_map, origin, destination):
        return False
    there = number_waters(game_map)
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    free = _collect_fleets(game_map, there, fleets, *route_ends(origin, destination), without)
    if start & goal & free:  # as with most convoys: one fleet touches both coasts
        return True
    if not start & free or not goal & free:
        return False
    return any(part & start and part & goal for part in _split_waters(game_map, there, free))


def _split_waters(game_map: Map, there: Waters, free: int) -> tuple[int, ...]:
    """Return the connected parts of a set of waters; all sets are the bits of integers."""
    cache: dict[int, tuple[int, ...]] = game_map.cache.setdefault(_split_waters, {})
    found = cache.get(free)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[free] = split_parts(there.near, free)
    return found


def is_on_route(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    through: ProvinceCode,
    *,
    roundabout: bool = False,
) -> bool:
    """Return whether a proper route from coast to coast leads through one of these fleets; if `roundabout`, any route.

    Raises `EngineLimitError` if this cannot be decided: the question is NP-complete.
    """
    answers: _Answers = game_map.cache.setdefault(is_on_route, {})
    key = (origin, destination, _collect_fleets(game_map, number_waters(game_map), fleets), through, roundabout)
    found = answers.get(key)
    if found is None:
        if len(answers) >= _CACHED_ROUTES:
            answers.clear()
        found = answers[key] = _decide_on_route(game_map, *key)
    if found is None:
        raise EngineLimitError(
            f"it stays undecided whether the fleet in {through} is on a proper route from {origin} to {destination} "
            f"(4.E.1, 6.G.19): there are {len(fleets)} fleets, and too many ways through them"
        )
    return found


_Answers = dict[tuple[ProvinceCode, ProvinceCode, int, ProvinceCode, bool], bool | None]
"""By the coasts, all fleets as a number, the one fleet, and whether roundabout: keys that no collection of garbage follows."""


def iter_coasts_through(
    game_map: Map,
    origin: ProvinceCode,
    coasts: Iterable[ProvinceCode],
    fleets: frozenset[ProvinceCode],
    through: ProvinceCode,
    *,
    roundabout: bool = False,
) -> Iterator[ProvinceCode]:
    """Yield those of the coasts to which a route from the origin leads through a fleet, as `is_on_route` decides."""
    there, answers = number_waters(game_map), game_map.cache.setdefault(is_on_route, {})
    standing = _collect_fleets(game_map, there, fleets)
    around = () if roundabout or origin in fleets else _split_waters(game_map, there, standing)
    free = next((part for part in around if part >> there.number[through] & 1), 0)
    if len(there.pockets) >= _CACHED_PARTS:
        there.pockets.clear()
    sweep = Sweep(there, there.shores.get(origin, 0), free, there.number[through])
    for coast in coasts:
        if free and coast not in fleets and _can_be_convoyed(game_map, origin, coast):
            key = (origin, coast, standing, through, roundabout)
            if key not in answers:
                answers[key] = sweep.has_route_to(there.shores.get(coast, 0))
        if is_on_route(game_map, origin, coast, fleets, through, roundabout=roundabout):
            yield coast


def list_convoy_coasts(game_map: Map, province: ProvinceCode, fleets: frozenset[ProvinceCode]) -> list[ProvinceCode]:
    """List the other coastal provinces to which these fleets could carry an army from a province."""
    there = number_waters(game_map)
    shore = there.shores.get(province, 0)
    passed = sum(part for part in _split_waters(game_map, there, _collect_fleets(game_map, there, fleets)) if part & shore)
    return [coast for coast in _list_touching_coasts(game_map, there, passed) if coast != province]


def _list_touching_coasts(game_map: Map, there: Waters, sea_set: int) -> list[ProvinceCode]:
    """Return the coastal provinces, sorted, that touch any water of a set."""
    cache: dict[int, list[ProvinceCode]] = game_map.cache.setdefault(_list_touching_coasts, {})
    found = cache.get(sea_set)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        touching = (coast for coast, touched in there.shores.items() if touched & sea_set)
        found = cache[sea_set] = sorted(c for c in touching if game_map.provinces[c].terrain is Terrain.COAST)
    return found


def _decide_on_route(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    standing: int,
    through: ProvinceCode,
    roundabout: bool,
) -> bool | None:
    there = number_waters(game_map)
    number = there.number.get(through)
    if number is None or not standing >> number & 1 or not _can_be_convoyed(game_map, origin, destination):
        return False
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    around = _split_waters(game_map, there, _remove_provinces(there, standing, route_ends(origin, destination)))
    free = next((part for part in around if part >> number & 1), 0)
    if roundabout:
        return is_on_simple_route(there.near, start, goal, free, number)
    return is_on_proper_route(there.near, start, goal, free, number, there.levels)


def route_ends(origin: ProvinceCode, destination: ProvinceCode) -> tuple[ProvinceCode, ProvinceCode]:
    """Return the provinces that no route passes: where it begins and ends."""
    return (origin, destination)  # a fleet in a coast that convoys could stand there (DATC 2.4, 9.A)


def _collect_fleets(game_map: Map, there: Waters, fleets: frozenset[ProvinceCode], *absent: ProvinceCode | None) -> int:
    """Return the waters with these fleets as the bits of an integer, without those in the `absent` provinces."""
    cache: dict[frozenset[ProvinceCode], int] = game_map.cache.setdefault(_collect_fleets, {})
    found = cache.get(fleets)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[fleets] = bit_set([there.number[code] for code in fleets if code in there.number])
    return _remove_provinces(there, found, absent)


def _remove_provinces(there: Waters, free: int, absent: Iterable[ProvinceCode | None]) -> int:
    """Return a set of waters, as bits, without these provinces."""
    for code in absent:
        if code in there.number:
            free &= ~(1 << there.number[code])
    return free


def _can_be_convoyed(game_map: Map, origin: ProvinceCode, destination: ProvinceCode) -> bool:
    return origin != destination and game_map.provinces[destination].terrain is Terrain.COAST


def iter_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield the proper routes from one coastal province to another through these fleets one by one, sorted.

    In a proper route no fleet can be left out: none touches an earlier one but its predecessor, only the first touches
    the origin and only the last the destination (DATC 4.E.1, 6.G.19). Any chain of fleets contains a proper route.
    """
    if _can_be_convoyed(game_map, origin, destination):
        yield from _iter_named_routes(game_map, origin, destination, fleets, waters.iter_proper_routes)


def _iter_named_routes(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    find_routes: Callable[[tuple[int, ...], int, int, int], Iterator[tuple[int, ...]]],
) -> Iterator[Route]:
    there = number_waters(game_map)
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    for route in find_routes(
        there.near, start, goal, _collect_fleets(game_map, there, fleets, *route_ends(origin, destination))
    ):
        yield tuple([there.codes[number] for number in route])


def list_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """Return all proper routes, which are cached; with many fleets there may be very many."""
    cache: dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], tuple[Route, ...]]
    cache = game_map.cache.setdefault(list_routes, {})
    key = (origin, destination, fleets)
    routes = cache.get(key)
    if routes is None:
        if len(cache) >= _CACHED_ROUTES:
            cache.clear()
        routes = cache[key] = tuple(iter_routes(game_map, origin, destination, fleets))
    return routes


def iter_simple_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield all routes that pass no fleet twice, proper or roundabout; there may be very many."""
    if is_connected(game_map, origin, destination, fleets):
        yield from _iter_named_routes(game_map, origin, destination, fleets, waters.iter_simple_routes)
