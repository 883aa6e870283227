"""Finds room in each province for its unit, a dislodged unit, the mark of its supply centre, its code and its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy
import shapely
from numpy.typing import NDArray
from projection import Points
from shapely.geometry.base import BaseGeometry

Size = tuple[float, float]
Taken = list[tuple[Points, Size]]
"""The boxes placed so far: middle and size of each."""

Merits = NDArray[numpy.float64]
"""A number for each of several places, the higher the better."""

UNIT: Size = (26.0, 18.0)
CENTER: Size = (12.0, 12.0)
LABEL: Size = (26.0, 11.0)
LETTER, LINE = 5.4, 10.5
"""Width and height of a letter of a full name, in pixels."""
GAP = 2.0
"""Pixels between any two boxes."""
AIR = 5.0
"""Pixels: a box this far from the border is as well placed as one further away."""
STEP = 2.0
"""Pixels from one place that is tried to the next, at the least."""
MOST_PLACES = 3000
"""How many places are tried at most."""
FAR = 15.0
"""Pixels: a box this much further from where it would best be counts as one pixel nearer to the border."""
TRIED = 100
"""How many places for unit and dislodged unit are looked at in full."""
BESIDE = [(15.0, 20.0), (-15.0, 20.0), (28.0, 0.0), (-28.0, 0.0), (0.0, 20.0), (0.0, -20.0), (15.0, -20.0), (-15.0, -20.0)]
"""Where a dislodged unit goes, in pixels from the unit; earlier ones are preferred."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand in one province, each by its middle, in pixels."""

    unit: Points
    dislodged: Points
    label: Points
    center: Points | None

    def boxes(self) -> Taken:
        """The boxes of all of them."""
        center: Taken = [] if self.center is None else [(self.center, CENTER)]
        return [(self.unit, UNIT), (self.dislodged, UNIT), (self.label, LABEL), *center]


class Room:
    """The space of one province, less what other things have taken."""

    def __init__(self, region: BaseGeometry, taken: Taken, middle: Points | None = None) -> None:
        self.region, self.taken = region, taken
        shapely.prepare(region)
        west, north, east, south = region.bounds
        step = max(STEP, ((east - west) * (south - north) / MOST_PLACES) ** 0.5)
        across, down = numpy.meshgrid(numpy.arange(west, east, step), numpy.arange(north, south, step))
        grid = numpy.stack([across.ravel(), down.ravel()], axis=1)
        self.places: Points = grid[shapely.contains_xy(region, *grid.T)]
        self.middle = numpy.array(shapely.maximum_inscribed_circle(region).coords[0]) if middle is None else middle
        self._fits: dict[Size, Merits] = {}

    def fit(self, points: Points, size: Size) -> Merits:
        """For a box around each point the pixels to the border, at most `AIR`.

        Where it hangs over, less than -3, the less the more of it does; where something is already, minus infinity.
        """
        half = numpy.array(size) / 2
        boxes = shapely.box(*(points - half).T, *(points + half).T)
        inside = shapely.contains(self.region, boxes)
        fits = numpy.minimum(shapely.distance(boxes, self.region.boundary), AIR)
        share = shapely.area(shapely.intersection(boxes[~inside], self.region)) / (size[0] * size[1])
        fits[~inside] = -13 + 10 * share
        return numpy.where(_free(points, size, self.taken), fits, -numpy.inf)

    def fits(self, size: Size) -> Merits:
        """The fit of a box of that size at every place."""
        if size not in self._fits:
            self._fits[size] = self.fit(self.places, size)
        return self._fits[size]

    def best(self, size: Size, near: Points, also: Sequence[tuple[Points, Size]] = ()) -> tuple[float, Points]:
        """The best free place for a box, within the province and near to a point, and its merit."""
        fits = numpy.where(_free(self.places, size, also), self.fits(size), -numpy.inf)
        merit = fits - numpy.hypot(*(self.places - near).T) / FAR
        place = int(numpy.argmax(merit))
        return float(merit[place]), self.places[place]


def _free(points: Points, size: Size, taken: Sequence[tuple[Points, Size]]) -> NDArray[numpy.bool_]:
    """Return which boxes around points overlap nothing placed so far."""
    free = numpy.ones(len(points), dtype=bool)
    for point, other in taken:
        free &= (numpy.abs(points - point) >= (numpy.array(size) + other) / 2 + GAP).any(axis=1)
    return free


def layout(room: Room, center: bool) -> Layout:
    """The best of many arrangements: the one whose worst placed box is placed best."""
    pairs = sorted(_pairs(room), key=lambda pair: -pair[0])[:TRIED]
    return max((_arranged(room, *pair, center) for pair in pairs), key=lambda found: found[0])[1]


def _pairs(room: Room) -> Iterator[tuple[float, Points, Points]]:
    """Yield places for a unit and for a dislodged one next to it, each pair with its merit."""
    inward = numpy.hypot(*(room.places - room.middle).T) / FAR
    for rank, offset in enumerate(BESIDE):
        others = room.places + offset
        merit = numpy.minimum(room.fits(UNIT), room.fit(others, UNIT)) - inward - rank / 4
        for place in numpy.argsort(-merit)[: TRIED // 2]:
            yield float(merit[place]), room.places[place], others[place]


def _arranged(room: Room, merit: float, unit: Points, other: Points, center: bool) -> tuple[float, Layout]:
    """A pair of units with label and mark where these fit best, and the merit of it all."""
    taken = [(unit, UNIT), (other, UNIT)]
    fit, label = room.best(LABEL, unit, taken)
    mark = None
    if center:
        mark_fit, mark = room.best(CENTER, unit, [*taken, (label, LABEL)])
        fit = min(fit, mark_fit)
    return 3 * min(merit, fit) + merit + fit, Layout(unit, other, label, mark)


def name_place(room: Room, name: str, near: Points) -> tuple[list[str], Points] | None:
    """The lines of a full name and the middle of them, or None if there is no room within the province."""
    for lines in _broken(name):
        size = (LETTER * max(map(len, lines)), LINE * len(lines))
        fit, place = room.best(size, near)
        if fit >= 1:
            room.taken.append((place, size))
            return lines, place
    return None


def _broken(name: str) -> list[list[str]]:
    """A name in one line, or broken once where that leaves it shortest."""
    words = name.split()
    halves = [[" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words))]
    return [[name], *sorted(halves, key=lambda lines: max(map(len, lines)))[:1]]
