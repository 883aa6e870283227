"""Plane geometry for arrows: bent lines, shortened at both ends, that keep clear of what stands in their way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, hypot

from satjudge.render.pictures.geometry import Point, number

UNIT_WIDTH, UNIT_HEIGHT = 27.0, 18.0
"""A unit's symbol."""
CLEARANCE = 19.0
"""How far an arrow should keep from the middle of a unit that it passes."""
_APART = 32.0
"""How far opposite arrows should be from each other in the middle, so that there is room for their signs."""
ASTRAY = 9.0
"""How far an arrow may pass by the border that it crosses."""
_FAR_ASTRAY = 10.0
"""Farther than this beyond that counts no more: a border that is far from the straight way is not worth a long way round."""
_BENDS = (0.0, 0.16, -0.16, 0.32, -0.32, 0.5, -0.5)
"""How far to the left of its straight way an arrow may swerve, in parts of its length."""
_STEPS = 12


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bézier curve."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at a parameter between 0 and 1."""
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        return Point(
            a * self.start.x + b * self.control.x + c * self.end.x, a * self.start.y + b * self.control.y + c * self.end.y
        )

    def direction(self, t: float) -> Point:
        """The unit vector along the curve there."""
        x = (1 - t) * (self.control.x - self.start.x) + t * (self.end.x - self.control.x)
        y = (1 - t) * (self.control.y - self.start.y) + t * (self.end.y - self.control.y)
        length = hypot(x, y) or 1.0
        return Point(x / length, y / length)

    def part(self, first: float, last: float) -> Curve:
        """What lies between two parameters, as a curve of its own (de Casteljau)."""
        start, end = self.at(first), self.at(last)
        a, b = (1 - first) * (1 - last), first * (1 - last) + last * (1 - first)
        c = first * last
        x = a * self.start.x + b * self.control.x + c * self.end.x
        y = a * self.start.y + b * self.control.y + c * self.end.y
        return Curve(start, Point(x, y), end)

    def shortened(self, first: float, last: float) -> Curve:
        """The curve without what is nearer to its ends than this; at least its middle is left."""
        ts = [step / 48 for step in range(49)]
        low = next((t for t in ts if self.at(t).to(self.start) >= first), 0.5)
        high = next((t for t in reversed(ts) if self.at(t).to(self.end) >= last), 0.5)
        return self.part(low, high) if low < high else self.part(0.4, 0.6)

    @property
    def path(self) -> str:
        """As SVG path data."""
        start, control, end = (f"{number(x)},{number(y)}" for x, y in (self.start, self.control, self.end))
        return f"M{start}Q{control} {end}"

    @property
    def points(self) -> list[Point]:
        """Points along it, its ends left out."""
        return [self.at(step / _STEPS) for step in range(1, _STEPS)]


def bent(start: Point, end: Point, bend: float) -> Curve:
    """A curve that swerves to the left of the straight way by so much of its length."""
    x, y = end.x - start.x, end.y - start.y
    return Curve(start, Point((start.x + end.x) / 2 + bend * y, (start.y + end.y) / 2 - bend * x), end)


def rim(direction: Point, gap: float = 3.0) -> float:
    """How far from its middle a unit's symbol ends in that direction, and a gap."""
    across = (UNIT_WIDTH / 2) / abs(direction.x) if direction.x else 99.0
    along = (UNIT_HEIGHT / 2) / abs(direction.y) if direction.y else 99.0
    return min(across, along, hypot(UNIT_WIDTH, UNIT_HEIGHT) / 2) + gap


def clear_curve(
    start: Point, end: Point, obstacles: Iterable[Point], border: Sequence[Point] = (), *, both_ways: bool = False
) -> Curve:
    """The straightest curve that keeps clear of the obstacles and crosses the border that it is to cross, as well as may be.

    Where something is drawn in the opposite direction too, both swerve to their own left.
    """
    reach = start.to(end) / 2 + CLEARANCE
    middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    near = [point for point in obstacles if point not in (start, end) and middle.to(point) < reach]
    bends: tuple[float, ...] = _BENDS
    if both_ways:
        least = max(_BENDS[1], _APART / (start.to(end) or 1.0))
        bends = (least, 1.5 * least, 2 * least)
    straightest = bent(start, end, bends[0])
    if not near and _astray(straightest, border) == 0:
        return straightest
    curves = [straightest, *(bent(start, end, bend) for bend in bends[1:])]
    if border and not both_ways:  # of two opposite arrows, both would lead through there, one on top of the other
        curves.append(_through(start, min(border, key=middle.to), end))
    return min(curves, key=lambda curve: _nuisance(curve, near) + _astray(curve, border))


def _through(start: Point, middle: Point, end: Point) -> Curve:
    """The curve with that middle."""
    return Curve(start, Point(2 * middle.x - (start.x + end.x) / 2, 2 * middle.y - (start.y + end.y) / 2), end)


def _nuisance(curve: Curve, obstacles: Sequence[Point]) -> float:
    """How much a curve gets in the way of others, and out of its own."""
    swerve = curve.at(0.5).to(Point((curve.start.x + curve.end.x) / 2, (curve.start.y + curve.end.y) / 2))
    points = curve.points
    hits = sum(max(0.0, CLEARANCE - min(map(point.to, points))) for point in obstacles)
    return hits + 24 * swerve / (curve.start.to(curve.end) or 1.0)


def _astray(curve: Curve, border: Sequence[Point]) -> float:
    """How far a curve passes by the border, up to a limit."""
    if not border:
        return 0.0
    away = min(point.to(other) for point in curve.points for other in border) - ASTRAY
    return min(max(0.0, away), _FAR_ASTRAY)


def wave(curve: Curve, size: float = 3.0, length: float = 7.0) -> str:
    """A wavy line along a curve as SVG path data."""
    count = max(2, ceil(curve.start.to(curve.at(0.5)) / length) + ceil(curve.end.to(curve.at(0.5)) / length))
    parts = [f"M{number(curve.start.x)},{number(curve.start.y)}"]
    for step in range(count):
        t = (step + 0.5) / count
        middle, along, knot = curve.at(t), curve.direction(t), curve.at((step + 1) / count)
        side = 2 * size if step % 2 else -2 * size
        crest = Point(middle.x - side * along.y, middle.y + side * along.x)
        parts.append(f"Q{number(crest.x)},{number(crest.y)} {number(knot.x)},{number(knot.y)}")
    return "".join(parts)


def arrowhead(tip: Point, direction: Point, size: float = 11.0) -> str:
    """A filled arrowhead as SVG path data."""
    back = Point(tip.x - size * direction.x, tip.y - size * direction.y)
    side = Point(-direction.y * size * 0.48, direction.x * size * 0.48)
    corners = (tip, Point(back.x + side.x, back.y + side.y), Point(back.x - side.x, back.y - side.y))
    return "M" + "L".join(f"{number(x)},{number(y)}" for x, y in corners) + "z"
