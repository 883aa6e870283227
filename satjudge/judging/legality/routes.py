"""Finds routes of fleets that could carry an army from one coast to another, and tells whether there are any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from satjudge.base.errors import EngineLimitError
from satjudge.judging.legality import waters
from satjudge.judging.legality.waters import Sweep, Waters, bits, on_proper_route, on_simple_route, parts, waters_of
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
    """Tell whether some route leads from one coastal province to another through these fleets, but for one.

    The connected parts of the waters are kept for each set of fleets.
    """
    answers: _Connected = game_map.cache.setdefault(is_connected, {})
    key = (origin, destination, fleets, without)
    found = answers.get(key)
    if found is None:
        if len(answers) >= _CACHED_ROUTES:
            answers.clear()
        found = answers[key] = _is_connected(game_map, *key)
    return found


_Connected = dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode], ProvinceCode | None], bool]


def _is_connected(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    without: ProvinceCode | None,
) -> bool:
    if not _may_be_convoyed(game_map, origin, destination):
        return False
    there = waters_of(game_map)
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    free = _free(game_map, there, fleets, *ends_of(origin, destination), without)
    if start & goal & free:  # as with most convoys: one fleet touches both coasts
        return True
    if not start & free or not goal & free:
        return False
    return any(part & start and part & goal for part in _parts(game_map, there, free))


def _parts(game_map: Map, there: Waters, free: int) -> tuple[int, ...]:
    """Split waters with fleets into their connected parts."""
    cache: dict[int, tuple[int, ...]] = game_map.cache.setdefault(_parts, {})
    found = cache.get(free)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[free] = parts(there.near, free)
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
    """Tell whether a proper route from coast to coast leads through one of these fleets; or, `roundabout`, any route.

    Raises `EngineLimitError` where that stays undecided: it is an NP-complete question.
    """
    answers: _Answers = game_map.cache.setdefault(is_on_route, {})
    key = (origin, destination, _free(game_map, waters_of(game_map), fleets), through, roundabout)
    found = answers.get(key)
    if found is None:
        if len(answers) >= _CACHED_ROUTES:
            answers.clear()
        found = answers[key] = _is_on_route(game_map, *key)
    if found is None:
        raise EngineLimitError(
            f"it stays undecided whether the fleet in {through} is on a proper route from {origin} to {destination} "
            f"(4.E.1, 6.G.19): there are {len(fleets)} fleets, and too many ways through them"
        )
    return found


_Answers = dict[tuple[ProvinceCode, ProvinceCode, int, ProvinceCode, bool], bool | None]
"""By the coasts, all fleets as a number, the one fleet, and whether roundabout: keys that no collection of garbage follows."""


def coasts_by(
    game_map: Map,
    origin: ProvinceCode,
    coasts: Iterable[ProvinceCode],
    fleets: frozenset[ProvinceCode],
    through: ProvinceCode,
    *,
    roundabout: bool = False,
) -> Iterator[ProvinceCode]:
    """Yield the coasts to which a route leads through a fleet, as `is_on_route` tells for each."""
    there, answers = waters_of(game_map), game_map.cache.setdefault(is_on_route, {})
    standing = _free(game_map, there, fleets)
    around = () if roundabout or origin in fleets else _parts(game_map, there, standing)
    free = next((part for part in around if part >> there.number[through] & 1), 0)
    if len(there.pockets) >= _CACHED_PARTS:
        there.pockets.clear()
    sweep = Sweep(there, there.shores.get(origin, 0), free, there.number[through])
    for coast in coasts:
        if free and coast not in fleets and _may_be_convoyed(game_map, origin, coast):
            key = (origin, coast, standing, through, roundabout)
            if key not in answers:
                answers[key] = sweep.leads_to(there.shores.get(coast, 0))
        if is_on_route(game_map, origin, coast, fleets, through, roundabout=roundabout):
            yield coast


def coasts_around(game_map: Map, province: ProvinceCode, fleets: frozenset[ProvinceCode]) -> list[ProvinceCode]:
    """List the coasts of the waters with fleets that touch a province, its own excepted."""
    there = waters_of(game_map)
    shore = there.shores.get(province, 0)
    passed = sum(part for part in _parts(game_map, there, _free(game_map, there, fleets)) if part & shore)
    return [coast for coast in _coasts_of(game_map, there, passed) if coast != province]


def _coasts_of(game_map: Map, there: Waters, some: int) -> list[ProvinceCode]:
    """List the coasts that touch some waters."""
    cache: dict[int, list[ProvinceCode]] = game_map.cache.setdefault(_coasts_of, {})
    found = cache.get(some)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        touching = (coast for coast, touched in there.shores.items() if touched & some)
        found = cache[some] = sorted(c for c in touching if game_map.provinces[c].terrain is Terrain.COAST)
    return found


def _is_on_route(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    standing: int,
    through: ProvinceCode,
    roundabout: bool,
) -> bool | None:
    there = waters_of(game_map)
    number = there.number.get(through)
    if number is None or not standing >> number & 1 or not _may_be_convoyed(game_map, origin, destination):
        return False
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    around = _parts(game_map, there, _without(there, standing, ends_of(origin, destination)))
    free = next((part for part in around if part >> number & 1), 0)
    if roundabout:
        return on_simple_route(there.near, start, goal, free, number)
    return on_proper_route(there.near, start, goal, free, number, there.levels)


def ends_of(origin: ProvinceCode, destination: ProvinceCode) -> tuple[ProvinceCode, ProvinceCode]:
    """Give the provinces that no route passes."""
    return (origin, destination)  # a fleet in a coast that convoys could stand there (DATC 2.4, 9.A)


def _free(game_map: Map, there: Waters, fleets: frozenset[ProvinceCode], *absent: ProvinceCode | None) -> int:
    """Collect the fleets in waters, without those in some provinces; what is collected of each set of fleets is kept."""
    cache: dict[frozenset[ProvinceCode], int] = game_map.cache.setdefault(_free, {})
    found = cache.get(fleets)
    if found is None:
        if len(cache) >= _CACHED_PARTS:
            cache.clear()
        found = cache[fleets] = bits([there.number[code] for code in fleets if code in there.number])
    return _without(there, found, absent)


def _without(there: Waters, free: int, absent: Iterable[ProvinceCode | None]) -> int:
    """Leave out the fleets in some provinces."""
    for code in absent:
        if code in there.number:
            free &= ~(1 << there.number[code])
    return free


def _may_be_convoyed(game_map: Map, origin: ProvinceCode, destination: ProvinceCode) -> bool:
    return origin != destination and game_map.provinces[destination].terrain is Terrain.COAST


def some_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield the proper routes from one coastal province to another through these fleets one by one, sorted.

    In a proper route no fleet can be left out: none touches an earlier one but its predecessor, only the first touches
    the origin and only the last the destination (DATC 4.E.1, 6.G.19). Any chain of fleets contains a proper route.
    """
    if _may_be_convoyed(game_map, origin, destination):
        yield from _named(game_map, origin, destination, fleets, waters.proper_routes)


def _named(
    game_map: Map,
    origin: ProvinceCode,
    destination: ProvinceCode,
    fleets: frozenset[ProvinceCode],
    find_routes: Callable[[tuple[int, ...], int, int, int], Iterator[tuple[int, ...]]],
) -> Iterator[Route]:
    there = waters_of(game_map)
    start, goal = there.shores.get(origin, 0), there.shores.get(destination, 0)
    for route in find_routes(there.near, start, goal, _free(game_map, there, fleets, *ends_of(origin, destination))):
        yield tuple([there.codes[number] for number in route])


def convoy_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """List all proper routes, and keep them; where there are many fleets they may be very many."""
    cache: dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], tuple[Route, ...]]
    cache = game_map.cache.setdefault(convoy_routes, {})
    key = (origin, destination, fleets)
    routes = cache.get(key)
    if routes is None:
        if len(cache) >= _CACHED_ROUTES:
            cache.clear()
        routes = cache[key] = tuple(some_routes(game_map, origin, destination, fleets))
    return routes


def simple_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """Yield all routes that pass no fleet twice, proper or roundabout; there may be many."""
    if is_connected(game_map, origin, destination, fleets):
        yield from _named(game_map, origin, destination, fleets, waters.simple_routes)
