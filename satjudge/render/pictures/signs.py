"""Where the signs of orders that came to nothing go: on the line of the order, where they hide nothing that matters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from satjudge.render.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.render.pictures.geometry import Box, Point, around

SIGN, SMALL_SIGN = 7.5, 5.4
"""How far a sign reaches from its middle: the usual one, and that on a line with little room."""
HEAD, DOT = 6.0, 4.0
"""The same for arrowheads and for the dots where supports end."""
APART = 30.0
"""So far signs keep apart, if their lines are long enough."""
_CHOICE = 24
"""So many places along a line are looked at."""
_AIR = 1.0


class Disc(NamedTuple):
    """A round thing that no sign should hide."""

    middle: Point
    radius: float


def sign_place(
    points: Sequence[Point],
    wanted: float,
    size: float,
    units: Iterable[Point],
    discs: Iterable[Disc],
    signs: Iterable[Point] = (),
    others: Iterable[Point] = (),
) -> Point:
    """Near the wanted part of a line (0 to 1) for a sign of this size; farther off where units, heads, dots or signs are.

    It keeps a distance from the signs so far and from points of `other` lines: or nobody knows which sign is whose.
    """
    near = around(points, size + APART)
    units, discs = [unit for unit in units if _inside(unit, near)], [disc for disc in discs if _inside(disc.middle, near)]
    signs, others = [sign for sign in signs if _inside(sign, near)], [other for other in others if _inside(other, near)]

    def nuisance(place: tuple[float, Point]) -> float:
        part, point = place
        hidden = sum(max(0.0, size + disc.radius + _AIR - point.to(disc.middle)) for disc in discs)
        hidden += sum(max(0.0, size - _beside(point, unit)) for unit in units)
        crowd = sum(max(0.0, 1 - point.to(sign) / APART) for sign in signs)
        crossed = max((max(0.0, size + 2 - point.to(other)) for other in others), default=0.0)
        return hidden + 8 * crowd + crossed / 2 + 6 * abs(part - wanted)

    return min(_along(points), key=nuisance)[1]


def _along(points: Sequence[Point]) -> list[tuple[float, Point]]:
    """Places on a line, evenly spread, each with the part of the line that lies before it."""
    steps = [one.to(other) for one, other in pairwise(points)]
    whole, found, before, number = sum(steps), [], 0.0, 1
    for (one, other), step in zip(pairwise(points), steps, strict=True):
        while number < _CHOICE and number * whole / _CHOICE <= before + step:
            t = (number * whole / _CHOICE - before) / (step or 1.0)
            found.append((number / _CHOICE, Point(one.x + t * (other.x - one.x), one.y + t * (other.y - one.y))))
            number += 1
        before += step
    return found or [(0.5, points[len(points) // 2])]


def _inside(point: Point, box: Box) -> bool:
    return box.left < point.x < box.right and box.top < point.y < box.bottom


def _beside(point: Point, unit: Point) -> float:
    """How far a point is from the symbol of a unit; 0 inside."""
    return hypot(max(0.0, abs(point.x - unit.x) - UNIT_WIDTH / 2), max(0.0, abs(point.y - unit.y) - UNIT_HEIGHT / 2))
