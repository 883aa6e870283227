"""A map that nobody has drawn, as a schematic: provinces as nodes, borders as lines between them.

Provinces that the standard map has too stand as they do there. On a map of others, distances are those in borders, as well as
may be: the layout is the one of Kamada and Kawai (1989), found by majorization (Gansner, Koren and North, 2004), since that of
networkx needs scipy. It begins with classical scaling, so that there is no chance in it. At last nodes that overlap move apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec.json import decode as read_json

from satjudge.base.errors import RequestError
from satjudge.base.resources import data_file
from satjudge.show.pictures.geometry import (
    HALF_HEIGHT,
    HALF_WIDTH,
    Feature,
    Geometry,
    Link,
    Point,
    ProvinceShape,
    node_outline,
    shape_of,
)
from satjudge.world.geography import Location, Map, ProvinceCode, Terrain, coast_of, province_of

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

TERRAIN = {Terrain.INLAND: "land", Terrain.COAST: "coast", Terrain.SEA: "sea"}
_UNIT, _LABEL, _LABEL_BY_CENTRE, _CENTRE = Point(0, 8), Point(0, -13), Point(-9, -13), Point(19, -13)
"""Where things stand in a node, from its middle."""
_WAITING = Point(21, 17)
_TAB_WIDTH, _TAB_HEIGHT = 32.0, 24.0
_TABS = (
    Point(-HALF_WIDTH - _TAB_WIDTH / 2, 6),
    Point(HALF_WIDTH + _TAB_WIDTH / 2, 6),
    Point(0, HALF_HEIGHT + _TAB_HEIGHT / 2 + 2),
)
"""Where a node has room for a coast of its own: left, right, below."""
_LINK = 118.0
"""How long a border is drawn, the median."""
_GAP = 20.0
"""Between nodes."""
_PAST = 12.0
"""Between a node and a border that is not its own."""
_MARGIN = 16.0
_MOST = 500
"""Provinces."""
_ROUNDS, _CLEARING = 300, 150


def schematic(game_map: Map, known: Mapping[ProvinceCode, Point]) -> Geometry:
    """The geometry of a schematic; `known` are places that provinces have on another map.

    Raises `RequestError` for a map that is too large to be read as one.
    """
    if len(game_map.provinces) > _MOST:
        problem = f"the map {game_map.name} has {len(game_map.provinces):,} provinces: more than {_MOST} make no schematic"
        raise RequestError(problem, suggestion="judge, explain, resolutions and equations tell the same in words")
    places, width, height = _stored(game_map) or layout(game_map, known)
    coasts = {code: dict(_coasts(game_map, code, places)) for code in game_map.provinces}
    at = {location: place for found in coasts.values() for location, place in found.items()} | places
    links = tuple(_links(game_map, at))
    touching = sorted((code, other) for code, others in game_map.neighbours.items() for other in others if code < other)
    borders = {frozenset(pair): [_middle([places[code] for code in pair])] for pair in touching}
    provinces = {code: _node(game_map, code, place, coasts[code]) for code, place in places.items()}
    names = tuple(
        Feature("coast", place, f"{game_map.provinces[province_of(location)].name}, {coast_of(location)}")
        for found in coasts.values()
        for location, place in found.items()
    )
    return Geometry(width, height, provinces, (), borders, {}, links, names)


# ---- nodes ----


def _node(game_map: Map, code: ProvinceCode, at: Point, coasts: Mapping[Location, Point]) -> ProvinceShape:
    province = game_map.provinces[code]
    rings = [
        list(node_outline(TERRAIN[province.terrain], at)),
        *(list(_box(place, _TAB_WIDTH, _TAB_HEIGHT)) for place in coasts.values()),
    ]
    return ProvinceShape(
        code=code,
        name=province.name,
        terrain=TERRAIN[province.terrain],
        shape=shape_of(rings),
        label=_moved(at, _LABEL_BY_CENTRE if province.center else _LABEL),
        unit=_moved(at, _UNIT),
        dislodged=_moved(at, _UNIT, _WAITING),
        center=_moved(at, _CENTRE) if province.center else None,
        coasts=coasts,
    )


def _box(at: Point, width: float, height: float) -> Iterator[Point]:
    x, y = width / 2, height / 2
    yield from (Point(round(at.x + dx, 1), round(at.y + dy, 1)) for dx, dy in ((-x, -y), (x, -y), (x, y), (-x, y)))


def _moved(at: Point, *by: Point) -> Point:
    return Point(at.x + sum(one.x for one in by), at.y + sum(one.y for one in by))


def _coasts(game_map: Map, code: ProvinceCode, places: Mapping[ProvinceCode, Point]) -> Iterator[tuple[Location, Point]]:
    """The place of each coast that a province has of its own, on the side of what it touches."""
    province, at = game_map.provinces[code], places[code]
    free = list(_TABS)
    for location in province.locations if province.coasts else ():
        others = [places[province_of(other)] for other in game_map.fleet.get(location, ())]
        middle = _middle(others) if others else at
        side = min(free or _TABS, key=lambda tab: (_moved(at, tab, tab).to(middle), tab))
        free = [tab for tab in free if tab != side]
        yield location, _moved(at, side)


# ---- borders ----


def _links(game_map: Map, at: Mapping[Location, Point]) -> Iterator[Link]:
    """A line for every border, and for every part of a railroad and of a canal."""
    by_land = {frozenset((one, other)) for one, others in game_map.army.items() for other in others}
    by_water = {frozenset((one, other)) for one, others in game_map.fleet.items() for other in others}
    for railroad in game_map.railroads:
        for one, other in zip(railroad.line, railroad.line[1:], strict=False):
            yield Link("railroad", at[one], at[other], f"{railroad.name}, a railroad of {game_map.name_of(railroad.power)}")
    for canal in game_map.canals:
        keeper = game_map.provinces[canal.keeper].name
        yield Link("canal", at[canal.seas[0]], at[canal.seas[1]], f"{canal.name}, a canal that {keeper} keeps")
    kinds = dict.fromkeys(by_land, "army") | {pair: "both" if pair in by_land else "fleet" for pair in by_water}
    told = {"army": "armies", "fleet": "fleets", "both": "armies and fleets"}
    for one, other, kind in sorted((*sorted(pair), kind) for pair, kind in kinds.items() if len(pair) == 2):
        names = " - ".join(game_map.provinces[province_of(place)].name for place in (one, other))
        yield Link(kind, at[one], at[other], f"{names}: {told[kind]}")


# ---- the layout ----


class Layout(NamedTuple):
    """The middle of every node, and the size of the sheet."""

    places: dict[ProvinceCode, Point]
    width: float
    height: float


@cache
def _layouts() -> dict[str, Any]:
    found: dict[str, Any] = read_json(data_file("models", "maps", "layouts.json").read_bytes())
    return found


def _stored(game_map: Map) -> Layout | None:
    """The layout that comes with satjudge, since making it takes seconds and numpy; none of a map that is only called so."""
    found = _layouts().get(game_map.name)
    if found is None or found["of"] != fingerprint(game_map):
        return None
    return Layout({code: Point(*at) for code, at in found["places"].items()}, found["width"], found["height"])


def fingerprint(game_map: Map) -> str:
    """What a layout rests on, as a hash: provinces with their coasts and borders."""
    lines = (
        f"{code} {len(province.coasts)} {' '.join(sorted(game_map.neighbours.get(code, ())))}"
        for code, province in sorted(game_map.provinces.items())
    )
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


def layout(game_map: Map, known: Mapping[ProvinceCode, Point]) -> Layout:
    """The layout of a map; `known` are places that provinces have on another map."""
    import numpy

    codes = sorted(game_map.provinces)
    row = {code: number for number, code in enumerate(codes)}
    edges = sorted({(min(row[a], row[b]), max(row[a], row[b])) for a, others in game_map.neighbours.items() for b in others})
    edges = [(a, b) for a, b in edges if a != b]
    distances = _distances(len(codes), edges)
    start = numpy.array([known.get(code, (numpy.nan, numpy.nan)) for code in codes], dtype=float)
    places = _between_known(start.reshape(-1, 2), distances) if 2 * len(known) > len(codes) else _majorized(distances)
    pairs = numpy.array(edges, dtype=int).reshape(-1, 2)
    lengths = numpy.hypot(*(places[pairs[:, 0]] - places[pairs[:, 1]]).T)
    places *= _LINK / (float(numpy.median(lengths)) if len(edges) else 1.0)
    halves = numpy.array([_half_sizes(len(game_map.provinces[code].coasts)) for code in codes])
    places = _spread(places, halves, pairs)
    low, high = (places - halves).min(axis=0) - _MARGIN, (places + halves).max(axis=0) + _MARGIN
    places = places - low
    width, height = (float(length) for length in high - low)
    found = {code: Point(float(round(places[number][0])), float(round(places[number][1]))) for code, number in row.items()}
    return Layout(found, float(round(width)), float(round(height)))


def _half_sizes(coasts: int) -> tuple[float, float]:
    return (1.16 * HALF_WIDTH + (_TAB_WIDTH if coasts else 0), 1.16 * HALF_HEIGHT + (_TAB_HEIGHT if coasts > 2 else 0))


def _distances(count: int, edges: Iterable[tuple[int, int]]) -> Array:
    """How far apart any two provinces are, in borders; where many borders meet they are longer, for all must find room."""
    import networkx
    import numpy

    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    for one, other in graph.edges:
        graph.edges[one, other]["length"] = 0.7 + 0.12 * (graph.degree[one] * graph.degree[other]) ** 0.5
    found = numpy.full((count, count), numpy.nan)
    for one, others in networkx.all_pairs_dijkstra_path_length(graph, weight="length"):
        for other, length in others.items():
            found[one, other] = length
    apart = float(numpy.nanmax(found)) + 2  # what nothing leads to
    symmetric: Array = numpy.nan_to_num((found + found.T) / 2, nan=apart)
    return symmetric


def _between_known(start: Array, distances: Array) -> Array:
    """The known places, and the others between their neighbours."""
    import numpy

    known = ~numpy.isnan(start[:, 0])
    near = numpy.exp(-2 * distances)
    numpy.fill_diagonal(near, 0)
    places = numpy.where(known[:, None], start, numpy.nanmean(start, axis=0))
    for _ in range(60):
        places = numpy.where(known[:, None], start, near @ places / near.sum(axis=1)[:, None])
    apart: Array = places + numpy.arange(len(places))[:, None] * 1e-3  # no two at the same place
    return apart


def _scaled(distances: Array) -> Array:
    """Places by classical scaling: the two directions in which a map is widest."""
    import numpy

    count = len(distances)
    centring = numpy.eye(count) - 1 / count
    values, vectors = numpy.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    vectors = vectors[:, ::-1][:, :2]
    vectors = vectors * numpy.sign(vectors[numpy.abs(vectors).argmax(axis=0), range(vectors.shape[1])])
    found: Array = vectors * numpy.sqrt(numpy.maximum(values[::-1][:2], 1e-6))
    return found


def _majorized(distances: Array) -> Array:
    """Places whose distances are those given as well as may be, near ones above all."""
    import numpy

    count = len(distances)
    if count < 3:
        return numpy.array([[float(number), 0.0] for number in range(count)])
    weights = 1 / numpy.maximum(distances, 1e-9) ** 2
    numpy.fill_diagonal(weights, 0)
    laplacian = numpy.diag(weights.sum(axis=1)) - weights
    inverse = numpy.linalg.inv(laplacian + 1 / count) - 1 / count
    places = _scaled(distances)
    for _ in range(_ROUNDS):
        now = numpy.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
        ratios = -weights * distances / numpy.maximum(now, 1e-9)
        numpy.fill_diagonal(ratios, 0)
        numpy.fill_diagonal(ratios, -ratios.sum(axis=1))
        places = inverse @ (ratios @ places)
    return places


def _spread(places: Array, halves: Array, pairs: Array) -> Array:
    """The places moved apart until no two nodes overlap; away from borders of others as long as that does no harm."""
    import numpy

    count = len(places)
    upper = numpy.triu(numpy.ones((count, count), dtype=bool), 1)
    room = halves[:, None] + halves[None] + _GAP
    for turn in range(2 * _ROUNDS):
        if turn < _CLEARING:
            places = places + 0.3 * _away_from_borders(places, halves, pairs)
        apart = places[:, None] - places[None]
        lacking = room - numpy.abs(apart)
        overlap = (lacking > 0).all(axis=2) & upper
        if turn >= _CLEARING and not overlap.any():
            break
        across = lacking[:, :, 0] < lacking[:, :, 1]
        axis = numpy.stack([across, ~across], axis=2) & overlap[:, :, None]
        push = numpy.where(axis, 0.5 * (lacking + 0.5) * numpy.where(apart < 0, -1, 1), 0)
        places = places + 0.6 * (push.sum(axis=1) - push.sum(axis=0))
    return places


def _away_from_borders(places: Array, halves: Array, pairs: Array) -> Array:
    """How each node should move to leave free the borders that are not its own and run through it."""
    import numpy

    start, end = places[pairs[:, 0]], places[pairs[:, 1]]
    way = end - start
    squared = numpy.maximum((way**2).sum(axis=1), 1e-9)
    part = ((places[:, None] - start[None]) * way[None]).sum(axis=2) / squared
    nearest = start[None] + numpy.clip(part, 0, 1)[:, :, None] * way[None]
    apart = places[:, None] - nearest
    distance = numpy.hypot(apart[:, :, 0], apart[:, :, 1])
    lacking = halves.min(axis=1)[:, None] + _PAST - distance
    own = (pairs[None, :, 0] == numpy.arange(len(places))[:, None]) | (pairs[None, :, 1] == numpy.arange(len(places))[:, None])
    hit = (lacking > 0) & ~own & (part > 0) & (part < 1)
    move: Array = (numpy.where(hit, lacking / numpy.maximum(distance, 1.0), 0)[:, :, None] * apart).sum(axis=1)
    return numpy.clip(move, -20, 20)


def _middle(points: Sequence[Point]) -> Point:
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))
