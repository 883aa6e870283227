"""Finds routes of fleets that could carry an army from one coast to another, or decides that there are none."""

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
"""The provinces of the fleets that carry an army, in order."""

_CACHED_ROUTES = 100_000
_CACHED_PARTS = 4_096


def is_connected(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    without: ProvinceCode | None = None,
) -> bool:
    """Return whether these fleets, except the one in `without`, could carry an army from one coastal province to another.

    Answers, and the connected parts of each set of fleets, are cached.
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
    graph = number_waters(game_map)
    start, goal = graph.shores.get(origin, 0), graph.shores.get(destination, 0)
    free = _collect_fleets(game_map, graph, fleets, *route_ends(origin, destination), without)
    if start & goal & free:  # the usual case: one fleet touches both coasts
        return True
    if not start & free or not goal & free:
        return False
    return any(part & start and part & goal for part in _split_waters(game_map, graph, free))


def _split_waters(game_map: Map, graph: Waters, area: int) -> tuple[int, ...]:
    """Return the connected parts of a set of waters; sets are the bits of integers, and the answers are cached."""
    cache: dict[int, tuple[int, ...]] = game_map.cache.setdefault(_split_waters, {})
    found = cache.get(area)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[area] = split_parts(graph.near, area)
    return found


def is_on_route(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    fleet: ProvinceCode,
    *,
    roundabout: bool = False,
) -> bool:
    """Return whether a proper route (any if `roundabout`) through these fleets passes the one in `fleet`; raise if undecided.

    Raises `EngineLimitError` if this cannot be decided: the question is NP-complete.
    """
    answers: _Answers = game_map.cache.setdefault(is_on_route, {})
    key = (origin, destination, _collect_fleets(game_map, number_waters(game_map), fleets), fleet, roundabout)
    found = answers.get(key)
    if found is None:
        if len(answers) >= _CACHED_ROUTES:
            answers.clear()
        found = answers[key] = _decide_on_route(game_map, *key)
    if found is None:
        raise EngineLimitError(
            f"it cannot be decided whether the fleet in {fleet} is on a proper route from {origin} to {destination} "
            f"(4.E.1, 6.G.19): there are too many ways through the {len(fleets)} fleets"
        )
    return found


_Answers = dict[tuple[ProvinceCode, ProvinceCode, int, ProvinceCode, bool], bool | None]
"""The key has the coasts, all fleets as a number, the one fleet, and `roundabout`: values that the garbage collector skips."""


def iter_coasts_through(
    game_map: Map,
    origin: ProvinceCode,
    coasts: Iterable[ProvinceCode],
    fleets: frozenset[ProvinceCode],
    fleet: ProvinceCode,
    *,
    roundabout: bool = False,
) -> Iterator[ProvinceCode]:
    """Yield those of the coasts to which a route from the origin passes the fleet in `fleet`, as `is_on_route` decides."""
    graph, answers = number_waters(game_map), game_map.cache.setdefault(is_on_route, {})
    standing = _collect_fleets(game_map, graph, fleets)
    around = () if roundabout or origin in fleets else _split_waters(game_map, graph, standing)
    free = next((part for part in around if part >> graph.number[fleet] & 1), 0)
    if len(graph.pockets) >= _CACHED_PARTS:
        graph.pockets.clear()
    sweep = Sweep(graph, graph.shores.get(origin, 0), free, graph.number[fleet])
    for coast in coasts:
        if free and coast not in fleets and _can_be_convoyed(game_map, origin, coast):
            key = (origin, coast, standing, fleet, roundabout)
            if key not in answers:
                answers[key] = sweep.has_route_to(graph.shores.get(coast, 0))
        if is_on_route(game_map, origin, coast, fleets, fleet, roundabout=roundabout):
            yield coast


def list_convoy_coasts(game_map: Map, province: ProvinceCode, fleets: frozenset[ProvinceCode]) -> list[ProvinceCode]:
    """List the other coastal provinces, sorted, to which these fleets could carry an army from a province."""
    graph = number_waters(game_map)
    shore = graph.shores.get(province, 0)
    passed = sum(part for part in _split_waters(game_map, graph, _collect_fleets(game_map, graph, fleets)) if part & shore)
    return [coast for coast in _list_touching_coasts(game_map, graph, passed) if coast != province]


def _list_touching_coasts(game_map: Map, graph: Waters, sea_set: int) -> list[ProvinceCode]:
    """List the coastal provinces, sorted, that touch any of the waters in a set."""
    cache: dict[int, list[ProvinceCode]] = game_map.cache.setdefault(_list_touching_coasts, {})
    found = cache.get(sea_set)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        touching = (coast for coast, touched in graph.shores.items() if touched & sea_set)
        found = cache[sea_set] = sorted(c for c in touching if game_map.provinces[c].terrain is Terrain.COAST)
    return found


def _decide_on_route(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    standing: int,
    fleet: ProvinceCode,
    roundabout: bool,
) -> bool | None:
    graph = number_waters(game_map)
    number = graph.number.get(fleet)
    if number is None or not standing >> number & 1 or not _can_be_convoyed(game_map, origin, destination):
        return False
    start, goal = graph.shores.get(origin, 0), graph.shores.get(destination, 0)
    around = _split_waters(game_map, graph, _remove_provinces(graph, standing, route_ends(origin, destination)))
    free = next((part for part in around if part >> number & 1), 0)
    if roundabout:
        return is_on_simple_route(graph.near, start, goal, free, number)
    return is_on_proper_route(graph.near, start, goal, free, number, graph.levels)


def route_ends(origin: ProvinceCode, destination: ProvinceCode) -> tuple[ProvinceCode, ProvinceCode]:
    """Return the origin and the destination, through which no route may lead."""
    return (origin, destination)  # a fleet that can convoy from a coast could be there (DATC 2.4, 9.A)


def _collect_fleets(game_map: Map, graph: Waters, fleets: frozenset[ProvinceCode], *absent: ProvinceCode | None) -> int:
    """Return the waters with these fleets as a set of bits, without those in the `absent` provinces."""
    cache: dict[frozenset[ProvinceCode], int] = game_map.cache.setdefault(_collect_fleets, {})
    found = cache.get(fleets)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[fleets] = bit_set([graph.number[code] for code in fleets if code in graph.number])
    return _remove_provinces(graph, found, absent)


def _remove_provinces(graph: Waters, area: int, absent: Iterable[ProvinceCode | None]) -> int:
    """Return a set of waters, as bits, without those in the `absent` provinces."""
    for code in absent:
        if code in graph.number:
            area &= ~(1 << graph.number[code])
    return area


def _can_be_convoyed(game_map: Map, origin: ProvinceCode, destination: ProvinceCode) -> bool:
    return origin != destination and game_map.provinces[destination].terrain is Terrain.COAST


def iter_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield, sorted, the proper routes from one coastal province to another through these fleets.

    A proper route has no superfluous fleet: each touches only its predecessor among the earlier ones, only the first touches
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
    graph = number_waters(game_map)
    start, goal = graph.shores.get(origin, 0), graph.shores.get(destination, 0)
    for route in find_routes(
        graph.near, start, goal, _collect_fleets(game_map, graph, fleets, *route_ends(origin, destination))
    ):
        yield tuple([graph.codes[number] for number in route])


def list_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """Return all routes that `iter_routes` yields, of which there may be very many; the result is cached."""
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
    """Yield, sorted, all routes that pass no fleet twice, proper or not; there may be very many."""
    if is_connected(game_map, origin, destination, fleets):
        yield from _iter_named_routes(game_map, origin, destination, fleets, waters.iter_simple_routes)
