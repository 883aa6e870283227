"""Where the names of provinces go: where the geometry has them or, if lines run there, at another side of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from satjudge.geography import ProvinceCode
from satjudge.render.pictures.arrows import Drawn, unit_places
from satjudge.render.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.render.pictures.geometry import Box, Geometry, Point, ProvinceShape
from satjudge.render.pictures.scene import Scene
from satjudge.render.pictures.symbols import LABEL, label_box

_CELL = 5.0
"""The map is looked at in squares of this size; a line is in some of them."""
_MARK = 6.5
"""Around the middle of a centre mark."""
_FRAME, _WIDE_FRAME = 4.0, 6.0
"""Around a unit, and around one whose fate is marked."""
Cell = tuple[int, int]


def label_places(
    geometry: Geometry, scene: Scene, drawn: Sequence[Drawn], view: Box, size: float = LABEL
) -> dict[ProvinceCode, Point]:
    """The middle of every label that the view holds, with letters of this size.

    Where there is no unit there is more room: those labels give way to the others.
    """
    busy = set(_cells_of_lines(drawn))
    units = list(_around_units(geometry, scene))
    framed = [box for box, figure in zip(units, scene.figures, strict=True) if figure.fate]
    framed += [_square(one.sign) for one in drawn if one.sign and not one.lines]  # at the corner of a unit
    occupied = {figure.unit.province for figure in scene.figures}
    seen = [shape for shape in geometry.provinces.values() if shape.shape.box.meets(view)]
    marks = [_square(shape.center) for shape in seen if shape.center]
    labels = {shape.code: label_box(shape.label, shape.code, size) for shape in seen if shape.code in occupied}
    places: dict[ProvinceCode, Point] = {}
    for shape in sorted(seen, key=lambda shape: shape.code not in occupied):
        others = [box for code, box in labels.items() if code != shape.code]
        place = _place(shape, busy, [*framed, *others], [*framed, *units, *marks, *others], view, size)
        if view.holds(box := label_box(place, shape.code, size)):
            places[shape.code], labels[shape.code] = place, box
    return places


def _place(shape: ProvinceShape, busy: set[Cell], solid: Sequence[Box], boxes: Sequence[Box], view: Box, size: float) -> Point:
    """The first place without lines; failing that, the usual one, which is clear of units and marks."""

    def free(place: Point) -> bool:
        box = label_box(place, shape.code, size)
        if not view.holds(box) or not shape.shape.contains(place) or any(box.meets(other) for other in boxes):
            return False
        return busy.isdisjoint(_cells_of_box(box))

    usual = label_box(shape.label, shape.code, size)
    if busy.isdisjoint(_cells_of_box(usual)) and not any(usual.meets(box) for box in solid):
        return shape.label
    return next(filter(free, _other_places(shape)), shape.label)


def _other_places(shape: ProvinceShape) -> Iterator[Point]:
    """Around the place of the unit, nearer ones first."""
    x, y = shape.unit
    for away in (1.0, 1.3, 1.7):
        across, along = away * (UNIT_WIDTH + 4), away * (UNIT_HEIGHT - 1)
        yield from (Point(x, y + along), Point(x, y - along), Point(x + across, y), Point(x - across, y))
        yield from (Point(x + dx, y + dy) for dx in (across, -across) for dy in (along, -along))


def _around_units(geometry: Geometry, scene: Scene) -> Iterator[Box]:
    for figure, at in zip(scene.figures, unit_places(geometry, scene), strict=True):
        margin = _WIDE_FRAME if figure.fate else _FRAME
        x, y = UNIT_WIDTH / 2 + margin, UNIT_HEIGHT / 2 + margin
        yield Box(at.x - x, at.y - y, at.x + x, at.y + y)


def _square(at: Point) -> Box:
    return Box(at.x - _MARK, at.y - _MARK, at.x + _MARK, at.y + _MARK)


def _cells_of_lines(drawn: Iterable[Drawn]) -> Iterator[Cell]:
    for one in drawn:
        for line in one.lines:
            for start, end in pairwise(line.points):
                steps = ceil(start.to(end) / _CELL) or 1
                for step in range(steps + 1):
                    t = step / steps
                    yield _cell(start.x + t * (end.x - start.x), start.y + t * (end.y - start.y))


def _cell(x: float, y: float) -> Cell:
    return int(x // _CELL), int(y // _CELL)


def _cells_of_box(box: Box) -> Iterator[Cell]:
    (left, top), (right, bottom) = _cell(box.left, box.top), _cell(box.right, box.bottom)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))
