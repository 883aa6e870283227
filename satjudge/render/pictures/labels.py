"""Where the names of provinces go: where the geometry has them or, if lines run there, at another side of the unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    solid = [box for box, figure in zip(units, scene.figures, strict=True) if figure.fate]
    solid += [_square(one.sign) for one in drawn if one.sign]
    solid += [_square(end.middle) for one in drawn for line in one.lines for end in line.ends()]
    occupied = {figure.unit.province for figure in scene.figures}
    seen = [shape for shape in geometry.provinces.values() if shape.shape.box.meets(view)]
    marks = [_square(shape.center) for shape in seen if shape.center]
    labels = {shape.code: label_box(shape.label, shape.code, size) for shape in seen if shape.code in occupied}
    places: dict[ProvinceCode, Point] = {}
    for shape in sorted(seen, key=lambda shape: shape.code not in occupied):
        others = [box for code, box in labels.items() if code != shape.code]
        place = _Search(shape, busy, [*solid, *others], [*units, *marks], view, size).place()
        if view.holds(box := label_box(place, shape.code, size)):
            places[shape.code], labels[shape.code] = place, box
    return places


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for the place of one label."""

    shape: ProvinceShape
    busy: set[Cell]
    solid: Sequence[Box]
    standing: Sequence[Box]
    """Units and centre marks, which are not in the way at the usual place."""
    view: Box
    size: float

    def place(self) -> Point:
        """The usual place if nothing is in its way; else the first other one that is free, or that hides least."""
        best, least = self.shape.label, self._nuisance(self.shape.label, self.solid)
        for place in self._other_places() if least else ():
            if self.view.holds(self._box(place)):
                hidden = self._nuisance(place, [*self.solid, *self.standing])
                if hidden < least and self.shape.shape.contains(place):
                    best, least = place, hidden
                    if not least:
                        break
        return best

    def _box(self, place: Point) -> Box:
        return label_box(place, self.shape.code, self.size)

    def _nuisance(self, place: Point, boxes: Sequence[Box]) -> int:
        """How much a label would hide there, or be hidden by: what is solid counts more than a line."""
        box = self._box(place)
        return 9 * sum(box.meets(other) for other in boxes) + sum(cell in self.busy for cell in _cells_of_box(box))

    def _other_places(self) -> Iterator[Point]:
        """Around the place of the unit, nearer ones first; then around the usual place."""
        x, y = self.shape.unit
        for away in (1.0, 1.3, 1.7, 2.2):
            across, along = away * (UNIT_WIDTH + 4), away * (UNIT_HEIGHT - 1)
            yield from (Point(x, y + along), Point(x, y - along), Point(x + across, y), Point(x - across, y))
            yield from (Point(x + dx, y + dy) for dx in (across, -across) for dy in (along, -along))
        x, y = self.shape.label
        for away in (1, 2, 3):
            aside = (-8 * away, 0, 8 * away)
            yield from (Point(x + dx, y + dy) for dy in (6 * away, 0, -6 * away) for dx in aside if dx or dy)


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
