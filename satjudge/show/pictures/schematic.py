"""Lays out a map without a drawing as a schematic: provinces as nodes, borders as lines between them.

Provinces of the standard map keep their places. On other maps, distances are as close as possible to the numbers of borders in
between (`node_layout`), and the layout is turned to have north at the top, as far as places are known. Finally, nodes that
overlap are moved apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from satjudge.show.pictures.geometry import (
    HALF_HEIGHT,
    HALF_WIDTH,
    Feature,
    Geometry,
    Link,
    Point,
    ProvinceShape,
    iter_node_outline,
    make_shape,
)
from satjudge.show.pictures.node_layout import (
    find_majorized_places,
    make_border_graph,
    measure_lengths,
    measure_path_lengths,
    measure_pivot_distances,
    multiply,
    spread_places,
)
from satjudge.world.geography import Location, Map, ProvinceCode, Terrain, coast_of, province_of

if TYPE_CHECKING:
    import networkx
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

TERRAIN = {Terrain.INLAND: "land", Terrain.COAST: "coast", Terrain.SEA: "sea"}
_UNIT, _LABEL, _LABEL_BY_CENTRE, _CENTRE = Point(0, 8), Point(0, -13), Point(-9, -13), Point(19, -13)
"""The offsets of the unit, the label and the centre's mark from the middle of a node."""
_WAITING = Point(21, 17)
_TAB_WIDTH, _TAB_HEIGHT = 32.0, 24.0
_TABS = (
    Point(-HALF_WIDTH - _TAB_WIDTH / 2, 6),
    Point(HALF_WIDTH + _TAB_WIDTH / 2, 6),
    Point(0, HALF_HEIGHT + _TAB_HEIGHT / 2 + 2),
)
"""The offsets at which a node has room for a named coast: left, right and below."""
_LINK = 118.0
"""The median length of borders."""
_MARGIN = 16.0
_BEARINGS = 3
"""The minimum number of known places that show where north is, and whether a layout is mirrored."""


def make_schematic(
    game_map: Map, known: Mapping[ProvinceCode, Point], bearings: Mapping[ProvinceCode, Point] | None = None
) -> Geometry:
    """Return a map's geometry as a schematic: `known` provinces at their points if most are known, or north up by `bearings`.

    `bearings` are points of provinces on another map, by default those that are known; they show where north is.
    """
    places, width, height = make_layout(game_map, known, bearings)
    coasts = {code: dict(_iter_coasts(game_map, code, places)) for code in game_map.provinces}
    at = {location: place for found in coasts.values() for location, place in found.items()} | places
    links = tuple(_iter_links(game_map, at))
    touching = sorted((code, other) for code, others in game_map.neighbours.items() for other in others if code < other)
    borders = {frozenset(pair): [_find_middle([places[code] for code in pair])] for pair in touching}
    provinces = {code: _make_node(game_map, code, place, coasts[code]) for code, place in places.items()}
    names = tuple(
        Feature("coast", place, f"{game_map.provinces[province_of(location)].name}, {coast_of(location)}")
        for found in coasts.values()
        for location, place in found.items()
    )
    return Geometry(width, height, provinces, (), borders, {}, links, features=names)


# ---- nodes ----


def _make_node(game_map: Map, code: ProvinceCode, center: Point, coasts: Mapping[Location, Point]) -> ProvinceShape:
    province = game_map.provinces[code]
    rings = [
        list(iter_node_outline(TERRAIN[province.terrain], center)),
        *(list(_iter_box(place, _TAB_WIDTH, _TAB_HEIGHT)) for place in coasts.values()),
    ]
    return ProvinceShape(
        code=code,
        name=province.name,
        terrain=TERRAIN[province.terrain],
        shape=make_shape(rings),
        label=_shift_point(center, _LABEL_BY_CENTRE if province.center else _LABEL),
        unit=_shift_point(center, _UNIT),
        dislodged=_shift_point(center, _UNIT, _WAITING),
        center=_shift_point(center, _CENTRE) if province.center else None,
        coasts=coasts,
    )


def _iter_box(center: Point, width: float, height: float) -> Iterator[Point]:
    x, y = width / 2, height / 2
    yield from (Point(round(center.x + dx, 1), round(center.y + dy, 1)) for dx, dy in ((-x, -y), (x, -y), (x, y), (-x, y)))


def _shift_point(point: Point, *by: Point) -> Point:
    return Point(fsum((point.x, *(one.x for one in by))), fsum((point.y, *(one.y for one in by))))


def _iter_coasts(game_map: Map, code: ProvinceCode, places: Mapping[ProvinceCode, Point]) -> Iterator[tuple[Location, Point]]:
    """Yield each named coast of a province with its point, on the side of the provinces that it borders."""
    province, at = game_map.provinces[code], places[code]
    free = list(_TABS)
    for location in province.locations if province.coasts else ():
        others = [places[province_of(other)] for other in game_map.fleet.get(location, ())]
        middle = _find_middle(others) if others else at
        side = min(free or _TABS, key=lambda tab: (_shift_point(at, tab, tab).distance_to(middle), tab))
        free = [tab for tab in free if tab != side]
        yield location, _shift_point(at, side)


# ---- borders ----


def _iter_links(game_map: Map, points: Mapping[Location, Point]) -> Iterator[Link]:
    """Yield a line between the `points` of locations for every border, every part of a railroad, and every canal."""
    by_land = {frozenset((one, other)) for one, others in game_map.army.items() for other in others}
    by_water = {frozenset((one, other)) for one, others in game_map.fleet.items() for other in others}
    yield from iter_ways(game_map, points)
    kinds = dict.fromkeys(by_land, "army") | {pair: "both" if pair in by_land else "fleet" for pair in by_water}
    kind_names = {"army": "armies", "fleet": "fleets", "both": "armies and fleets"}
    for one, other, kind in sorted((*sorted(pair), kind) for pair, kind in kinds.items() if len(pair) == 2):
        names = " - ".join(game_map.provinces[province_of(place)].name for place in (one, other))
        yield Link(kind, points[one], points[other], f"{names}: {kind_names[kind]}")


def iter_ways(game_map: Map, points: Mapping[Location, Point]) -> Iterator[Link]:
    """Yield a line between the `points` of provinces for every part of a railroad, and for every canal."""
    for railroad in game_map.railroads:
        for one, other in zip(railroad.line, railroad.line[1:], strict=False):
            yield Link(
                "railroad", points[one], points[other], f"{railroad.name}, a railroad of {game_map.name_of(railroad.power)}"
            )
    for canal in game_map.canals:
        keeper = game_map.provinces[canal.keeper].name
        yield Link("canal", points[canal.seas[0]], points[canal.seas[1]], f"{canal.name}, a canal that {keeper} keeps")


# ---- the layout ----


class Layout(NamedTuple):
    """The middles of a schematic's nodes, and the size of the sheet."""

    places: dict[ProvinceCode, Point]
    width: float
    height: float


def make_layout(
    game_map: Map, known: Mapping[ProvinceCode, Point], bearings: Mapping[ProvinceCode, Point] | None = None
) -> Layout:
    """Compute the middles of a schematic's nodes and the size of its sheet from the arguments of `make_schematic`."""
    import numpy

    codes = sorted(game_map.provinces)
    row = {code: number for number, code in enumerate(codes)}
    edges = sorted({(min(row[a], row[b]), max(row[a], row[b])) for a, others in game_map.neighbours.items() for b in others})
    edges = [(a, b) for a, b in edges if a != b]
    graph = make_border_graph(len(codes), edges)
    if 2 * len(known) > len(codes):
        start = numpy.array([known.get(code, (numpy.nan, numpy.nan)) for code in codes], dtype=float)
        places = _place_unknown_nodes(start.reshape(-1, 2), graph)
    else:
        places = find_majorized_places(graph, measure_pivot_distances(graph))
        places = _turn_north_up(places, {row[code]: at for code, at in (bearings or known).items() if code in row})
    pairs = numpy.array(edges, dtype=int).reshape(-1, 2)
    lengths = measure_lengths(places[pairs[:, 0]] - places[pairs[:, 1]])
    places *= _LINK / (float(numpy.median(lengths)) if len(edges) else 1.0)
    halves = numpy.array([_choose_half_sizes(len(game_map.provinces[code].coasts)) for code in codes])
    places = spread_places(places, halves, pairs)
    low, high = (places - halves).min(axis=0) - _MARGIN, (places + halves).max(axis=0) + _MARGIN
    places = places - low
    width, height = (float(length) for length in high - low)
    found = {code: Point(float(round(places[number][0])), float(round(places[number][1]))) for code, number in row.items()}
    return Layout(found, float(round(width)), float(round(height)))


def _choose_half_sizes(coasts: int) -> tuple[float, float]:
    return (1.16 * HALF_WIDTH + (_TAB_WIDTH if coasts else 0), 1.16 * HALF_HEIGHT + (_TAB_HEIGHT if coasts > 2 else 0))


def _turn_north_up(places: Array, bearings: Mapping[int, Point]) -> Array:
    """Return places turned, perhaps mirrored, to fit nodes' points on another map (Procrustes); unchanged if under three."""
    import numpy

    if len(bearings) < _BEARINGS:
        return places
    positions, targets = places[list(bearings)], numpy.array(list(bearings.values()), dtype=float)
    (a, b), (c, d) = multiply((positions - positions.mean(axis=0)).T, targets - targets.mean(axis=0))
    turn, mirror = numpy.array([[a + d, b - c], [c - b, a + d]]), numpy.array([[a - d, b + c], [b + c, d - a]])
    turn, mirror = (matrix / max(float(measure_lengths(matrix[0])), 1e-9) for matrix in (turn, mirror))
    return multiply(places, max(turn, mirror, key=lambda matrix: float((matrix * [[a, b], [c, d]]).sum())))


def _place_unknown_nodes(start: Array, graph: networkx.Graph) -> Array:
    """Return places for all nodes: those in `start`, or, where that has NaN, a place between the node's neighbours."""
    import numpy

    unknown = numpy.flatnonzero(numpy.isnan(start[:, 0]))
    near = numpy.array([numpy.exp(-2 * measure_path_lengths(graph, int(node))).round(12) for node in unknown]).reshape(
        -1, len(start)
    )
    near[range(len(unknown)), unknown] = 0
    places = numpy.where(numpy.isnan(start), numpy.nanmean(start, axis=0), start)
    for _ in range(60):
        places[unknown] = multiply(near, places) / near.sum(axis=1)[:, None]
    apart: Array = places + numpy.arange(len(places))[:, None] * 1e-3  # no two at the same place
    return apart


def _find_middle(points: Sequence[Point]) -> Point:
    return Point(fsum(point.x for point in points) / len(points), fsum(point.y for point in points) / len(points))
