"""Reads the shapes of a map's provinces, and the points for units and marks in them, from `models/maps/NAME.geo.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import ceil, cos, fsum, pi, sin, sqrt
from typing import Any, NamedTuple

import msgspec

from satjudge.base.errors import NotFoundError
from satjudge.base.resources import data_file
from satjudge.base.values import brief
from satjudge.world.geography import Location, ProvinceCode, province_of


class Point(NamedTuple):
    """A point in a picture, with x to the right and y down."""

    x: float
    y: float

    def distance_to(self, other: Point) -> float:
        """Return the distance to another point."""
        x, y = other.x - self.x, other.y - self.y
        return sqrt(x * x + y * y)

    def move_towards(self, other: Point, part: float) -> Point:
        """Return the point on the straight line to another point, after this part (0 to 1) of the way."""
        return Point(self.x + part * (other.x - self.x), self.y + part * (other.y - self.y))


def measure_length(x: float, y: float) -> float:
    """Return the length of a vector, with the same bits on all systems, which `math.hypot` does not promise."""
    return sqrt(x * x + y * y)


class Box(NamedTuple):
    """A rectangle with horizontal and vertical sides."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The distance from the left side to the right one."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The distance from the top to the bottom."""
        return self.bottom - self.top

    def overlaps(self, other: Box) -> bool:
        """Return whether this box and another one have an area in common, not just an edge."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom

    def contains(self, other: Box) -> bool:
        """Return whether another box is inside this one; common edges are allowed."""
        return self.left <= other.left and other.right <= self.right and self.top <= other.top and other.bottom <= self.bottom


def make_box(points: Iterable[Point], margin: float = 0.0) -> Box:
    """Return the smallest box that contains all points, extended by the margin on all sides."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


def measure_line(points: Iterable[Point]) -> float:
    """Return the length of the line that joins these points in sequence."""
    return fsum(one.distance_to(other) for one, other in pairwise(points))


_SQUARE = 5.0
_BORDER_POINTS = 16
"""The maximum number of points that are kept of a border, enough to locate it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An area: the closed lines around it and around its holes, as points and as SVG path data, and the box around it."""

    rings: Sequence[Sequence[Point]]
    path: str
    box: Box

    __repr__ = brief

    def __hash__(self) -> int:
        return hash(self.path)

    @lru_cache(maxsize=20_000)  # noqa: B019  # labels are tried at the same places in every picture
    def contains(self, place: Point) -> bool:
        """Return whether a point is in the area, and not in one of its holes.

        A point is in the area if a line from it to the right crosses the outline an odd number of times.
        """
        edges = ((a, b) for ring in self.rings for a, b in pairwise((*ring, ring[0])) if (a.y > place.y) != (b.y > place.y))
        return sum(place.x < a.x + (place.y - a.y) * (b.x - a.x) / (b.y - a.y) for a, b in edges) % 2 == 1


@dataclass(frozen=True, slots=True)
class ProvinceShape:
    """The shape of a province, and the points for its label, its centre's mark, its unit and a dislodged unit."""

    code: ProvinceCode
    name: str
    terrain: str
    shape: Shape
    label: Point
    unit: Point
    dislodged: Point
    center: Point | None
    coasts: Mapping[Location, Point]

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two provinces: a border for an `army`, a `fleet` or `both`, or the way of a `railroad` or `canal`."""

    kind: str
    start: Point
    end: Point
    title: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A sign for a special place: `difficult` or `halved` (borders), `convoying`, `shut`, or `coast` for a named coast.

    A `convoying` coast is one that fleets convoy from; a `shut` province cannot be entered in a season.
    """

    kind: str
    at: Point
    title: str


@dataclass(frozen=True, slots=True)
class Geometry:
    """The shapes of a map's provinces and borders, on a sheet of `width` x `height`."""

    width: float
    height: float
    provinces: Mapping[ProvinceCode, ProvinceShape]
    decorations: Sequence[Shape]
    """The shapes of land that nobody can enter."""
    borders: Mapping[frozenset[ProvinceCode], Sequence[Point]]
    """Points of the border that two provinces share."""
    ground: Mapping[tuple[int, int], ProvinceCode]
    """The province at the middle of each square of `_SQUARE` x `_SQUARE`, by column and row; empty for a schematic."""
    links: Sequence[Link] = ()
    ways: Sequence[Link] = ()
    """Lines that lie above the areas of provinces: straits, railroads and canals."""
    """The borders of a schematic, as lines."""
    features: Sequence[Feature] = ()

    __repr__ = brief

    def __hash__(self) -> int:
        """Return a hash of the size only, which is fast, and different enough for caches of results for a geometry."""
        return hash((self.width, self.height))

    def find_provinces(self, places: Iterable[tuple[float, float]]) -> list[ProvinceCode | None]:
        """Return the province at each point, approximately; None outside of all provinces, and everywhere on a schematic."""
        ground = self.ground.get
        return [ground((int(x // _SQUARE), int(y // _SQUARE))) for x, y in places]

    @property
    def box(self) -> Box:
        """The box of the whole sheet (0, 0, width, height)."""
        return Box(0, 0, self.width, self.height)

    def find_unit_point(self, location: Location) -> Point:
        """Return the point at which a unit at this location is drawn."""
        province = self.provinces[province_of(location)]
        return province.coasts.get(location, province.unit)

    def find_waiting_point(self, location: Location) -> Point:
        """Return the point at which a dislodged unit is drawn while another unit is in its province.

        The point is near the unit's own coast, if it has one.
        """
        province, at = self.provinces[province_of(location)], self.find_unit_point(location)
        return Point(at.x + province.dislodged.x - province.unit.x, at.y + province.dislodged.y - province.unit.y)

    def list_border_points(self, one: Location, other: Location) -> Sequence[Point]:
        """Return points on the border between the provinces of two locations; empty if they do not touch."""
        return self.borders.get(frozenset((province_of(one), province_of(other))), ())


def shrink_geometry(geometry: Geometry, factor: float) -> Geometry:
    """Return a geometry divided by a factor, so that units and letters, whose size is fixed, appear larger on it."""

    def scale_point(place: Point) -> Point:
        return Point(round(place.x / factor, 1), round(place.y / factor, 1))

    def scale_shape(area: Shape) -> Shape:
        return make_shape([[scale_point(point) for point in ring] for ring in area.rings])

    def scale_links(links: Iterable[Link]) -> tuple[Link, ...]:
        return tuple(replace(link, start=scale_point(link.start), end=scale_point(link.end)) for link in links)

    provinces = {
        code: replace(
            one,
            shape=scale_shape(one.shape),
            label=scale_point(one.label),
            unit=scale_point(one.unit),
            dislodged=_push_from_unit(scale_point(one.unit), scale_point(one.dislodged)),
            center=one.center and _push_from_unit(scale_point(one.unit), scale_point(one.center)),
            coasts={location: scale_point(at) for location, at in one.coasts.items()},
        )
        for code, one in geometry.provinces.items()
    }
    units = [place for one in provinces.values() for place in (one.unit, *one.coasts.values())]
    provinces = {code: replace(one, center=one.center and _clear_centre(one, units)) for code, one in provinces.items()}
    return Geometry(
        width=geometry.width / factor,
        height=geometry.height / factor,
        provinces=provinces,
        decorations=tuple(map(scale_shape, geometry.decorations)),
        borders={pair: tuple(map(scale_point, points)) for pair, points in geometry.borders.items()},
        ground=map_squares(provinces) if geometry.ground else {},
        links=scale_links(geometry.links),
        ways=scale_links(geometry.ways),
        features=tuple(replace(feature, at=scale_point(feature.at)) for feature in geometry.features),
    )


_APART = 17.0
"""The distance at which a unit does not hide a dislodged unit or the mark of a centre."""


def _push_from_unit(unit: Point, waiting: Point) -> Point:
    """Return the point `waiting`, moved straight away from the unit until the unit does not hide it."""
    now = unit.distance_to(waiting)
    return waiting if now >= _APART else unit.move_towards(waiting, _APART / now) if now else Point(unit.x + _APART, unit.y)


_AWAY_X, _AWAY_Y = 19.0, 15.0
"""The horizontal and vertical distance at which the mark of a centre does not touch a unit."""
_TURNS, _STEPS = 24, (15.0, 17.0, 19.0, 21.0, 23.0)
"""The number of directions, and the distances from the unit, that are tried for the mark of a centre."""


def _clear_centre(province: ProvinceShape, units: Sequence[Point]) -> Point | None:
    """Return the point for the centre's mark nearest to the usual one and, if possible, clear of units; None if no centre."""
    usual, (x, y) = province.center, province.unit
    if usual is None:
        return None
    turns = [2 * pi * turn / _TURNS for turn in range(_TURNS)]
    around = (_round_point(x + step * cos(turn), y + step * sin(turn)) for step in _STEPS for turn in turns)
    for place in (usual, *sorted(around, key=usual.distance_to)):
        free = all(abs(place.x - unit.x) >= _AWAY_X or abs(place.y - unit.y) >= _AWAY_Y for unit in units)
        if free and province.shape.contains(place):
            return place
    return usual


HALF_WIDTH, HALF_HEIGHT = 32.0, 24.0
"""Half the width and half the height of a province in a schematic."""
_WIDER = 1.16
"""The factor by which an ellipse is larger than a rectangle with the same room."""


def iter_node_outline(terrain: str, center: Point, size: float = 1.0) -> Iterator[Point]:
    """Yield the outline of a schematic's province around a centre: a rectangle, with waves for a coast; an ellipse for sea."""
    wide, high = size * HALF_WIDTH, size * HALF_HEIGHT
    if terrain == "sea":
        turns = (2 * pi * step / 36 for step in range(36))
        yield from (_round_point(center.x + _WIDER * wide * cos(turn), center.y + _WIDER * high * sin(turn)) for turn in turns)
        return
    left, right, top, foot = center.x - wide, center.x + wide, center.y - high, center.y + high
    yield from (_round_point(left, top), _round_point(right, top), _round_point(right, foot))
    if terrain == "coast":
        waves = max(2, round(4 * size))
        steps = range(1, 6 * waves)
        down = (2.4 * max(size, 0.6) * sin(pi * step / 3) for step in steps)
        yield from (_round_point(right - wide * step / (3 * waves), foot + dip) for step, dip in zip(steps, down, strict=True))
    yield _round_point(left, foot)


def _round_point(x: float, y: float) -> Point:
    return Point(round(x, 1), round(y, 1))


@cache
def load_geometry(name: str) -> Geometry:
    """Load the geometry of the shipped map of this name from its file.

    Raises `NotFoundError` for a map that has none.
    """
    try:
        path = data_file("models", "maps", f"{name}.geo.json")
    except NotFoundError as error:
        error.message = f"the map {name!r} cannot be drawn: there is no file models/maps/{name}.geo.json"
        error.suggestion = "satjudge judge, explain, resolutions and equations show the same as text"
        raise
    return read_geometry(msgspec.json.decode(path.read_bytes()))


def read_geometry(data: Mapping[str, Any]) -> Geometry:
    """Make the geometry from the decoded GeoJSON of a `.geo.json` file."""
    provinces: dict[ProvinceCode, ProvinceShape] = {}
    decorations: list[Shape] = []
    touching: dict[Point, list[ProvinceCode]] = {}
    for feature in data["features"]:
        rings, about = _read_rings(feature["geometry"]), feature["properties"]
        shape = make_shape(rings)
        if "id" not in about:
            decorations.append(shape)
            continue
        provinces[about["id"]] = _make_province(about, shape)
        for point in {point for ring in rings for point in ring}:
            touching.setdefault(point, []).append(about["id"])
    return Geometry(
        data["width"], data["height"], provinces, tuple(decorations), _choose_border_points(touching), map_squares(provinces)
    )


def map_squares(provinces: Mapping[ProvinceCode, ProvinceShape]) -> dict[tuple[int, int], ProvinceCode]:
    """Return the province at the middle of each square (`_SQUARE` wide) of the sheet, by column and row."""
    return {square: code for code, province in provinces.items() for square in _iter_squares(province.shape)}


def make_shape(rings: Sequence[Sequence[Point]]) -> Shape:
    """Make the shape whose outline and holes are these closed lines."""
    return Shape(rings, "".join(map(_format_ring, rings)), make_box(point for ring in rings for point in ring))


def find_square_borders(squares: Mapping[tuple[int, int], ProvinceCode]) -> dict[frozenset[ProvinceCode], list[Point]]:
    """Return approximate points on each border, from the squares, for maps whose outlines have no points in common."""
    found: dict[frozenset[ProvinceCode], list[Point]] = {}
    for (column, row), code in squares.items():
        for across, down in ((1, 0), (0, 1), (2, 0), (0, 2)):
            other = squares.get((column + across, row + down))
            if other is not None and other != code:
                middle = Point((column + (1 + across) / 2) * _SQUARE, (row + (1 + down) / 2) * _SQUARE)
                found.setdefault(frozenset((code, other)), []).append(middle)
    return {pair: points[:: 1 + len(points) // _BORDER_POINTS] for pair, points in found.items()}


def _iter_squares(shape: Shape) -> Iterator[tuple[int, int]]:
    """Yield the column and row of each square whose middle is in a shape, row by row.

    In each row, these squares are between the first and second crossing of the outline, the third and fourth, and so on.
    """
    outlines: dict[int, list[float]] = {}
    for ring in shape.rings:
        for a, b in pairwise((*ring, ring[0])):
            low, high = sorted((a.y, b.y))
            for row in range(ceil(low / _SQUARE - 0.5), ceil(high / _SQUARE - 0.5)):
                outlines.setdefault(row, []).append(a.x + ((row + 0.5) * _SQUARE - a.y) * (b.x - a.x) / (b.y - a.y))
    for row, crossings in outlines.items():
        ordered = sorted(crossings)
        for left, right in zip(ordered[::2], ordered[1::2], strict=True):
            yield from ((column, row) for column in range(ceil(left / _SQUARE - 0.5), ceil(right / _SQUARE - 0.5)))


def _choose_border_points(touching: Mapping[Point, Sequence[ProvinceCode]]) -> dict[frozenset[ProvinceCode], list[Point]]:
    """Return some points that each pair of provinces shares, from the provinces that touch each point."""
    borders: dict[frozenset[ProvinceCode], list[Point]] = {}
    for point, codes in touching.items():
        for pair in combinations(codes, 2):
            borders.setdefault(frozenset(pair), []).append(point)
    return {pair: points[:: 1 + len(points) // _BORDER_POINTS] for pair, points in borders.items()}


def _make_province(about: Mapping[str, Any], shape: Shape) -> ProvinceShape:
    return ProvinceShape(
        code=about["id"],
        name=about["name"],
        terrain=about["terrain"],
        shape=shape,
        label=Point(*about["label"]),
        unit=Point(*about["unit"]),
        dislodged=Point(*about["dislodged"]),
        center=Point(*about["center"]) if about.get("center") else None,
        coasts={location: Point(*place) for location, place in about.get("coasts", {}).items()},
    )


def _read_rings(geometry: Mapping[str, Any]) -> list[list[Point]]:
    """Return the closed lines around an area and its holes, from a polygon or multipolygon of GeoJSON."""
    polygons = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
    return [[Point(round(x, 1), round(y, 1)) for x, y in ring] for polygon in polygons for ring in polygon]


def _format_ring(points: Sequence[Point]) -> str:
    """Return a closed line as SVG path data with relative coordinates, which are the shortest."""
    start, *others = points[:-1] if points[0] == points[-1] else points
    steps = []
    before = start
    for point in others:
        steps.append(f"{format_number(point.x - before.x)},{format_number(point.y - before.y)}")
        before = point
    return f"M{format_number(start.x)},{format_number(start.y)}l{' '.join(steps)}z"


def format_number(value: float) -> str:
    """Write a coordinate with at most one decimal: `12`, `-3.5`."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
