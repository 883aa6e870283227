"""Finds places for the labels of provinces: where the geometry puts them or, if something is there, next to the unit.

A label without room is left out; the pointer shows the name of every province anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from math import ceil, fsum, inf
from unicodedata import east_asian_width

from satjudge.show.pictures.arrows import ArrowPlan, DrawnOrder
from satjudge.show.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.show.pictures.geometry import Box, Point, ProvinceShape
from satjudge.world.geography import ProvinceCode

LABEL = 11.0
"""The minimum font size of labels, in units of the map."""
_LABEL_GAP = 2.5
"""The room at the left and right of a label, so that two labels in a row do not look like one."""
_CELL = 5.0
"""The side of the squares by which lines are indexed."""
_SQUARE = 60.0
"""The side of the squares by which boxes are indexed, a few times as large as a box."""
_MARK = 6.5
"""The room around the middle of a centre mark."""
_FRAME, _WIDER = 4.0, 2.0
"""The room around a unit, and the additional room around a unit whose fate is marked."""
_TOUCH, _CENTRE = -1.0, 4.0
"""The distances from a unit, and from the middle of a centre mark, at which a label hides something."""
_FEATURE = 6.0
"""The room around the middle of a sign for a special place on the map."""
_ABROAD = 2
"""The cost of a label that ends in another province, in squares of lines under a label."""
Cell = tuple[int, int]


def place_labels(
    plan: ArrowPlan, view: Box, size: float = LABEL, texts: Mapping[ProvinceCode, str] | None = None
) -> dict[ProvinceCode, Point]:
    """Return the middle of each province's label that has room in the view; by default, the label's text is the code.

    Labels have this font size. Those of provinces without a unit are placed last.
    """
    figures, drawn = plan.scene.figures, plan.orders
    busy = _Lines(drawn)
    units = list(_iter_unit_boxes(plan, _FRAME))
    signs = [_make_square(one.sign, _MARK) for one in drawn if one.sign]
    signs += [_make_square(end.middle, _MARK) for one in drawn for line in one.lines for end in line.iter_ends()]
    solid = _Boxes((*(box for box, figure in zip(units, figures, strict=True) if figure.fate), *signs))
    occupied = {figure.unit.province for figure in figures}
    seen = [shape for shape in plan.geometry.provinces.values() if shape.shape.box.overlaps(view)]
    texts = {shape.code: shape.code for shape in seen} if texts is None else texts
    seen = [shape for shape in seen if shape.code in texts]
    centres = [shape.center for shape in seen if shape.center]
    marks = [_make_square(center, _MARK) for center in centres]
    boxes = _Boxes(
        (*_iter_unit_boxes(plan, _TOUCH), *filter(None, plan.bars), *signs, *(_make_square(at, _CENTRE) for at in centres))
    )
    for feature in plan.geometry.features:
        if feature.kind != "coast":
            boxes.add(_make_square(feature.at, _FEATURE))
    labels = _Boxes(())
    usual = {
        shape.code: labels.add(measure_label(shape.label, texts[shape.code], size)) for shape in seen if shape.code in occupied
    }
    standing = _Boxes((*units, *marks))
    places: dict[ProvinceCode, Point] = {}
    for shape in sorted(seen, key=lambda shape: shape.code not in occupied):
        if shape.code in usual:
            labels.remove(usual[shape.code])
        search = _LabelSearch(shape, texts[shape.code], busy, (solid, labels), standing, (boxes, labels), view, size)
        if place := search.find_place():
            places[shape.code] = place
            labels.add(measure_label(place, texts[shape.code], size))
    return places


class _Lines:
    """The squares of the map through which lines pass: for each row of squares, an integer with a bit for each column."""

    def __init__(self, drawn_orders: Iterable[DrawnOrder]) -> None:
        cells = set(_iter_line_cells(drawn_orders))
        self._first = min((x for x, _ in cells), default=0)
        self._rows: dict[int, int] = {}
        for x, y in cells:
            self._rows[y] = self._rows.get(y, 0) | 1 << x - self._first

    def count_squares(self, box: Box) -> int:
        """Count the squares in a box through which any line passes."""
        (left, top), (right, bottom) = _find_cell(box.left, box.top, _CELL), _find_cell(box.right, box.bottom, _CELL)
        if right < self._first:
            return 0
        columns = (1 << right - self._first + 1) - (1 << max(left - self._first, 0))
        return sum((self._rows.get(y, 0) & columns).bit_count() for y in range(top, bottom + 1))


class _Boxes:
    """Boxes, indexed by the squares of the map that they touch, so that overlaps are found fast."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._boxes: list[Box] = []
        self._in: dict[Cell, set[int]] = {}
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> int:
        """Add a box, and return its number, by which `remove` removes it."""
        for cell in _iter_box_cells(box, _SQUARE):
            self._in.setdefault(cell, set()).add(len(self._boxes))
        self._boxes.append(box)
        return len(self._boxes) - 1

    def remove(self, number: int) -> None:
        """Remove the box with that number."""
        for cell in _iter_box_cells(self._boxes[number], _SQUARE):
            self._in[cell].remove(number)

    def count_overlaps(self, box: Box) -> int:
        """Count the added boxes that overlap a box."""
        near = set[int]().union(*(self._in.get(cell, ()) for cell in _iter_box_cells(box, _SQUARE)))
        return sum([self._boxes[number].overlaps(box) for number in near])


@dataclass(frozen=True, slots=True)
class _LabelSearch:
    """The search for a place for one label."""

    shape: ProvinceShape
    said: str
    busy: _Lines
    solid: Sequence[_Boxes]
    standing: _Boxes
    """Boxes around units and centre marks, which do not count at the label's usual place."""
    taken: Sequence[_Boxes]
    """Boxes that no label may touch."""
    view: Box
    size: float

    def find_place(self) -> Point | None:
        """Return the place where the label hides least, by preference the usual one; None if no place is free."""
        best, least = None, inf
        for place in chain((self.shape.label,), self._iter_other_places()):
            hidden = self._rate_nuisance(place, self.solid if best is None and least == inf else [*self.solid, self.standing])
            if hidden < least and self._is_free(place):
                hidden += self._rate_overhang(place)
                if hidden < least:
                    best, least = place, hidden
            if not least:
                break
        return best

    def _is_free(self, place: Point) -> bool:
        """Return whether a label at a place is in the view, with its middle in its province, and touches no taken box."""
        box = self._make_box(place)
        free = self.view.contains(box) and not any(boxes.count_overlaps(box) for boxes in self.taken)
        return free and (place == self.shape.label or self.shape.shape.contains(place))

    def _rate_overhang(self, place: Point) -> int:
        """Return a cost for each end of a label at a place that is outside its province."""
        box = self._make_box(place)
        ends = (Point(box.left + self.size / 2, place.y), Point(box.right - self.size / 2, place.y))
        return _ABROAD * sum(not self.shape.shape.contains(end) for end in ends)

    def _make_box(self, place: Point) -> Box:
        return measure_label(place, self.said, self.size)

    def _rate_nuisance(self, place: Point, obstacles: Sequence[_Boxes]) -> int:
        """Return a cost for the obstacles and lines that a label at a place would overlap; obstacles count more."""
        box = self._make_box(place)
        return 9 * sum(boxes.count_overlaps(box) for boxes in obstacles) + self.busy.count_squares(box)

    def _iter_other_places(self) -> Iterator[Point]:
        """Yield other places for the label, the nearest first: around the unit, then around the usual place."""
        x, y = self.shape.unit
        for away in (1.0, 1.3, 1.7, 2.2):
            across, along = away * (UNIT_WIDTH + 4), away * (UNIT_HEIGHT - 1)
            yield from (Point(x, y + along), Point(x, y - along), Point(x + across, y), Point(x - across, y))
            yield from (Point(x + dx, y + dy) for dx in (across, -across) for dy in (along, -along))
        x, y = self.shape.label
        for away in (1, 2, 3):
            aside = (-8 * away, 0, 8 * away)
            yield from (Point(x + dx, y + dy) for dy in (6 * away, 0, -6 * away) for dx in aside if dx or dy)


def _iter_unit_boxes(plan: ArrowPlan, frame: float) -> Iterator[Box]:
    for figure, at in zip(plan.scene.figures, plan.units, strict=True):
        margin = frame + _WIDER * bool(figure.fate)
        x, y = UNIT_WIDTH / 2 + margin, UNIT_HEIGHT / 2 + margin
        yield Box(at.x - x, at.y - y, at.x + x, at.y + y)


def _make_square(center: Point, half: float) -> Box:
    return Box(center.x - half, center.y - half, center.x + half, center.y + half)


def _iter_line_cells(drawn_orders: Iterable[DrawnOrder]) -> Iterator[Cell]:
    for one in drawn_orders:
        for line in one.lines:
            for start, end in pairwise(line.points):
                steps = ceil(start.distance_to(end) / _CELL) or 1
                for step in range(steps + 1):
                    yield _find_cell(*start.move_towards(end, step / steps), _CELL)


def _find_cell(x: float, y: float, side: float) -> Cell:
    return int(x // side), int(y // side)


def _iter_box_cells(box: Box, side: float) -> Iterator[Cell]:
    (left, top), (right, bottom) = _find_cell(box.left, box.top, side), _find_cell(box.right, box.bottom, side)
    return ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1))


def measure_label(middle: Point, content: str, size: float = LABEL) -> Box:
    """Return the box that a label of this font size covers around its middle; the estimate is rather too large."""
    half = measure_text(content, size) / 2 + _LABEL_GAP
    return Box(middle.x - half, middle.y - 0.55 * size, middle.x + half, middle.y + 0.55 * size)


@lru_cache(maxsize=10_000)
def measure_text(content: str, size: float) -> float:
    """Return an estimate of the width of a text of this font size, in the widest of the usual sans-serif fonts."""
    return size * fsum(map(_measure_letter, content))


def _measure_letter(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.05
    if letter in "MW@mw":
        return 0.96
    return 0.38 if letter in "iljt.,:;'|()[]/ " else 0.74 if letter.isupper() else 0.64
