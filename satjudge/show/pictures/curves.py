"""Computes curves that stay clear of obstacles such as units, and finds places for signs on these curves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, fsum, inf, sqrt
from typing import NamedTuple, Protocol

from satjudge.show.pictures.geometry import Box, Point, format_number, make_box, measure_length, measure_line

UNIT_WIDTH, UNIT_HEIGHT = 27.0, 18.0
"""The width and height of a unit's symbol."""
CLEARANCE = 19.0
"""The minimum distance of an arrow from the middle of a unit that it passes."""
_APART = 32.0
"""The distance between the middles of opposite arrows, so that there is room for their signs."""
ASTRAY = 9.0
"""The distance by which an arrow may miss the border that it should cross."""
_FAR_ASTRAY = 10.0
"""The distance beyond which a border no longer matters, so that curves make no long detours."""
_BENDS = (0.0, 0.16, -0.16, 0.32, -0.32, 0.5, -0.5)
"""The bends that an arrow may have to the left of its straight way, as parts of its length."""
_CLOSE_BENDS = (0.5, -0.5, 0.75, -0.75, 1.05, -1.05)
"""The bends between close neighbours, where an arrow may be an arc, since the symbols leave little room."""
CLOSE = 68.0
_FREE, _FREE_BETWEEN = 20.0, 32.0
"""The minimum visible length of an arrow (head, and shaft with room for a sign) to an empty place, and between units."""
_BARRED = 0.75
"""The cost of each of `_PARTS` points of a curve that is in a barred place."""
_STEPS = 12
_PARTS = 48
"""The number of pieces of a curve that are examined to find where it reaches a distance."""
_KEPT = 20_000
"""The maximum number of curves, and of pairs of places, that are cached."""
Places = list[tuple[float, float]]
Weights = tuple[float, float, float]
"""The weights of the start, the control point and the end of a curve in one of its points."""


def _compute_weights(t: float) -> Weights:
    """Return the weights of a quadratic curve's start, control point and end at the parameter t, from 0 to 1."""
    return (1 - t) * (1 - t), 2 * t * (1 - t), t * t


_IN_STEPS = tuple(_compute_weights(step / _STEPS) for step in range(1, _STEPS))
_IN_PARTS = tuple(_compute_weights(step / _PARTS) for step in range(_PARTS + 1))


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic Bézier curve."""

    start: Point
    control: Point
    end: Point

    def find_point(self, t: float) -> Point:
        """Return the point of the curve at the parameter t, from 0 (start) to 1 (end)."""
        (a, b, c), (ax, ay), (bx, by), (cx, cy) = _compute_weights(t), self.start, self.control, self.end
        return Point(a * ax + b * bx + c * cx, a * ay + b * by + c * cy)

    def list_points(self, weights: Iterable[Weights]) -> Places:
        """Return the curve's points for these weights (`_compute_weights`), faster than `find_point` does."""
        (ax, ay), (bx, by), (cx, cy) = self.start, self.control, self.end
        return [(a * ax + b * bx + c * cx, a * ay + b * by + c * cy) for a, b, c in weights]

    def find_direction(self, t: float) -> Point:
        """Return the unit vector along the curve at the parameter t, from 0 (start) to 1 (end)."""
        x = (1 - t) * (self.control.x - self.start.x) + t * (self.end.x - self.control.x)
        y = (1 - t) * (self.control.y - self.start.y) + t * (self.end.y - self.control.y)
        length = measure_length(x, y) or 1.0
        return Point(x / length, y / length)

    def cut_part(self, first: float, last: float) -> Curve:
        """Return the part of the curve between two parameters from 0 to 1 as a curve (de Casteljau)."""
        start, end = self.find_point(first), self.find_point(last)
        a, b = (1 - first) * (1 - last), first * (1 - last) + last * (1 - first)
        c = first * last
        x = a * self.start.x + b * self.control.x + c * self.end.x
        y = a * self.start.y + b * self.control.y + c * self.end.y
        return Curve(start, Point(x, y), end)

    def trim_ends(self, first: float, last: float) -> Curve:
        """Return the curve without parts of these lengths at its start and end, but always with its middle."""
        low, high = self._find_parameter(first), 1 - self.reverse_curve._find_parameter(last)
        return self.cut_part(low, high) if low < high else self.cut_part(0.4, 0.6)

    def _find_parameter(self, distance: float) -> float:
        """Return the first parameter (0 to 1) at which the curve is at this distance from its start; 0.5 if it never is."""
        ax, ay = self.start
        far = (step for step, (x, y) in enumerate(self.list_points(_IN_PARTS)) if measure_length(ax - x, ay - y) >= distance)
        high = next((step / _PARTS for step in far), None)
        if not high:
            return 0.5 if high is None else 0.0
        low = high - 1 / _PARTS
        for _ in range(6):
            middle = (low + high) / 2
            low, high = (low, middle) if self.find_point(middle).distance_to(self.start) >= distance else (middle, high)
        return high

    @property
    def reverse_curve(self) -> Curve:
        """The curve in the opposite direction, from its end to its start."""
        return Curve(self.end, self.control, self.start)

    @property
    def line(self) -> tuple[Point, ...]:
        """Points along the curve, including its start and end."""
        return (self.start, *self.points, self.end)

    @property
    def path(self) -> str:
        """The curve as SVG path data."""
        start, control, end = (f"{format_number(x)},{format_number(y)}" for x, y in (self.start, self.control, self.end))
        return f"M{start}Q{control} {end}"

    @property
    def points(self) -> list[Point]:
        """Points along the curve, without its start and end."""
        return [Point(x, y) for x, y in self.list_points(_IN_STEPS)]

    def measure_distances(self, places: Iterable[Point]) -> list[float]:
        """Return the approximate distance of each point, in their order, from the curve."""
        points = self.list_points(_IN_STEPS)
        return [sqrt(min([(px - x) * (px - x) + (py - y) * (py - y) for x, y in points])) for px, py in places]


def make_bent_curve(start: Point, end: Point, bend: float) -> Curve:
    """Return a curve whose control point is to the left of the middle, at a distance of `bend` times the length."""
    x, y = end.x - start.x, end.y - start.y
    return Curve(start, Point((start.x + end.x) / 2 + bend * y, (start.y + end.y) / 2 - bend * x), end)


def make_rounded_corners(places: Sequence[Point], radius: float = 14.0) -> list[Curve]:
    """Return curves that join places in sequence by straight lines with corners of this radius."""
    curves, start = [], places[0]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        last, first = (corner.move_towards(end, min(0.4, radius / (corner.distance_to(end) or 1.0))) for end in (before, after))
        curves += [make_bent_curve(start, last, 0.0), Curve(last, corner, first)]
        start = first
    return [*curves, make_bent_curve(start, places[-1], 0.0)]


def format_chain(curves: Sequence[Curve]) -> str:
    """Return curves, each of which begins at the end of the previous one, as one SVG path."""
    first, *others = (curve.path for curve in curves)
    return first + "".join(path[path.index("Q") :] for path in others)


def _measure_rim(direction: Point, gap: float) -> float:
    """Return the distance from a unit's middle to the rim of its symbol in this direction, plus the gap."""
    across = (UNIT_WIDTH / 2) / abs(direction.x) if direction.x else 99.0
    along = (UNIT_HEIGHT / 2) / abs(direction.y) if direction.y else 99.0
    return min(across, along, measure_length(UNIT_WIDTH, UNIT_HEIGHT) / 2) + gap


@lru_cache(maxsize=_KEPT)
def measure_exit(curve: Curve, gap: float = 3.0) -> float:
    """Return the distance from a curve's start at which it leaves the symbol of a unit there, plus the gap."""
    distance = _measure_rim(curve.find_direction(0), gap)
    for _ in range(2):  # a bent curve leaves the symbol in another direction than it starts
        x, y = (b - a for a, b in zip(curve.start, curve.find_point(curve._find_parameter(distance)), strict=True))
        distance = _measure_rim(Point(x / (measure_length(x, y) or 1.0), y / (measure_length(x, y) or 1.0)), gap)
    return distance


def find_clear_curve(
    start: Point,
    end: Point,
    obstacles: Iterable[Point],
    border: Sequence[Point] = (),
    *,
    both_ways: bool = False,
    barred: BarredArea | None = None,
) -> Curve:
    """Return the straightest curve, if possible across the border, clear of obstacles and `barred`; bent left if `both_ways`.

    `border` contains points of the border, and `barred` the land that ships must avoid. If another line goes in the opposite
    direction (`both_ways`), both bend to their own left. Between close neighbours, the curve is an arc that remains visible.
    """
    obstacles = list(obstacles)
    reach, middle = start.distance_to(end) / 2 + CLEARANCE, Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    near = [point for point in obstacles if point not in (start, end) and middle.distance_to(point) < reach]
    candidates = _list_candidates(start, end, tuple(border), both_ways, end in obstacles, barred)
    best, *faults = candidates[0]
    least = inf if near or any(faults) else 0.0
    for curve, lost, led_astray in candidates:
        if lost + led_astray < least:  # else the curve cannot be better
            cost = _rate_nuisance(curve, near) + lost + led_astray
            if cost < least:
                best, least = curve, cost
    return best


@lru_cache(maxsize=_KEPT)
def _list_candidates(
    start: Point, end: Point, border: tuple[Point, ...], both_ways: bool, unit_at_end: bool, barred: BarredArea | None
) -> list[tuple[Curve, float, float]]:
    """Return curves, the straightest first, each with costs for hidden length and missed borders, and for barred places."""
    distance = start.distance_to(end)
    bends: tuple[float, ...] = _BENDS
    if both_ways:
        least = max(_BENDS[1], _APART / (distance or 1.0))
        bends = (least, 1.5 * least, 2 * least)
    elif distance < CLOSE:
        bends = (*_BENDS[:5], *_CLOSE_BENDS) if unit_at_end else _BENDS[:5]
        border = () if barred is None else border  # between neighbours on land, a short arrow is clear, but a hook is not
    curves = [make_bent_curve(start, end, bend) for bend in bends]
    if border and not both_ways:  # two opposite arrows would both lead through the strait, one on top of the other
        strait = min(border, key=Point((start.x + end.x) / 2, (start.y + end.y) / 2).distance_to)
        curves += _iter_around_capes(start, strait, end) if barred else [_fit_curve(start, strait, end)]
    return [
        (
            curve,
            _measure_border_miss(curve, border) + 2 * _measure_hidden_length(curve, unit_at_end),
            _BARRED * count_trespass(curve, barred),
        )
        for curve in curves
    ]


class BarredArea(Hashable, Protocol):
    """An area that a curve must avoid; equal areas contain the same places."""

    def count_barred(self, places: Places) -> int:
        """Count the points that lie in this area."""
        ...


def count_trespass(curve: Curve, barred: BarredArea | None) -> int:
    """Count how many of `_PARTS` points along a curve are in the `barred` area; 0 if that is None."""
    return barred.count_barred(curve.list_points(_IN_PARTS[1:-1])) if barred else 0


def _fit_curve(start: Point, place: Point, end: Point, t: float = 0.5) -> Curve:
    """Return the quadratic curve from start to end that passes through a place at the parameter t, from 0 to 1."""
    a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
    return Curve(start, Point((place.x - a * start.x - c * end.x) / b, (place.y - a * start.y - c * end.y) / b), end)


def _iter_around_capes(start: Point, strait: Point, end: Point) -> Iterator[Curve]:
    """Yield curves through a strait, or near it, so that one may clear the capes before and after it."""
    x, y = end.x - start.x, end.y - start.y
    away = measure_length(x, y) or 1.0
    for side in (0, 10, -10, 20, -20):
        beside = Point(strait.x + side * y / away, strait.y - side * x / away)
        yield from (_fit_curve(start, beside, end, t) for t in (0.5, 0.4, 0.6, 0.3, 0.7))


def _rate_nuisance(curve: Curve, obstacles: Sequence[Point]) -> float:
    """Return a cost that grows if a curve comes near obstacles, and with its bend."""
    swerve = curve.find_point(0.5).distance_to(Point((curve.start.x + curve.end.x) / 2, (curve.start.y + curve.end.y) / 2))
    hits = fsum(max(0.0, CLEARANCE - distance) for distance in curve.measure_distances(obstacles))
    return hits + 24 * swerve / (curve.start.distance_to(curve.end) or 1.0)


def _measure_border_miss(curve: Curve, border: Sequence[Point]) -> float:
    """Return the distance by which a curve misses the border, above a tolerance and up to a limit; 0 without a border."""
    if not border:
        return 0.0
    away = min(curve.measure_distances(border)) - ASTRAY
    return min(max(0.0, away), _FAR_ASTRAY)


def _measure_hidden_length(curve: Curve, unit_at_end: bool) -> float:
    """Return how much too short the visible part of a short curve is, with a unit at its start and perhaps at its end."""
    if curve.start.distance_to(curve.end) >= CLOSE:
        return 0.0
    seen = curve.trim_ends(measure_exit(curve), measure_exit(curve.reverse_curve) if unit_at_end else 0.0)
    return max(0.0, (_FREE_BETWEEN if unit_at_end else _FREE) - measure_line(seen.line))


def format_wave(curve: Curve, size: float = 3.0, length: float = 7.0) -> str:
    """Return a wavy line along a curve as SVG path data, with waves of this height (`size`) and length."""
    count = max(
        2,
        ceil(curve.start.distance_to(curve.find_point(0.5)) / length)
        + ceil(curve.end.distance_to(curve.find_point(0.5)) / length),
    )
    parts = [f"M{format_number(curve.start.x)},{format_number(curve.start.y)}"]
    for step in range(count):
        t = (step + 0.5) / count
        middle, along, knot = curve.find_point(t), curve.find_direction(t), curve.find_point((step + 1) / count)
        side = 2 * size if step % 2 else -2 * size
        crest = Point(middle.x - side * along.y, middle.y + side * along.x)
        parts.append(f"Q{format_number(crest.x)},{format_number(crest.y)} {format_number(knot.x)},{format_number(knot.y)}")
    return "".join(parts)


def format_arrowhead(tip: Point, direction: Point, size: float = 11.0) -> str:
    """Return an arrowhead with this tip, direction (a unit vector) and length (`size`) as SVG path data."""
    back = Point(tip.x - size * direction.x, tip.y - size * direction.y)
    side = Point(-direction.y * size * 0.48, direction.x * size * 0.48)
    corners = (tip, Point(back.x + side.x, back.y + side.y), Point(back.x - side.x, back.y - side.y))
    return "M" + "L".join(f"{format_number(x)},{format_number(y)}" for x, y in corners) + "z"


# ---- signs of failed orders: on the line of the order, where they hide nothing important ----

SIGN, SMALL_SIGN = 7.5, 5.4
"""The usual radius of a sign, and that of a sign on a short line."""
HEAD, DOT, RING = 6.0, 4.0, 4.0
"""The radii of arrowheads, of dots where supports end, and of rings at possible retreats."""
APART = 30.0
"""The preferred distance between signs."""
_CHOICE = 24
"""The number of places along a line that are tried."""
_AIR = 1.0


class Disc(NamedTuple):
    """A round shape that no sign should hide."""

    middle: Point
    radius: float


def find_sign_place(
    points: Sequence[Point],
    wanted_part: float,
    sign_radius: float,
    units: Iterable[Point],
    discs: Iterable[Disc],
    signs: Iterable[Point] = (),
    other_points: Iterable[Point] = (),
) -> Point:
    """Return a point for a sign near `wanted_part` (0 to 1) of a line, as clear as possible of units, discs, signs and lines.

    The discs are arrowheads and dots. Other lines are given by their points: it must be clear to which line a sign belongs.
    """
    near = make_box(points, sign_radius + APART)
    units, discs = [unit for unit in units if _is_inside(unit, near)], [disc for disc in discs if _is_inside(disc.middle, near)]
    signs = [sign for sign in signs if _is_inside(sign, near)]
    other_points = [other for other in other_points if _is_inside(other, near)]

    def nuisance(place: tuple[float, Point]) -> float:
        part, point = place
        hidden = fsum(max(0.0, sign_radius + disc.radius + _AIR - point.distance_to(disc.middle)) for disc in discs)
        hidden += fsum(max(0.0, sign_radius - _measure_unit_gap(point, unit)) for unit in units)
        crowd = fsum(max(0.0, 1 - point.distance_to(sign) / APART) for sign in signs)
        crossed = max(0.0, sign_radius + 2 - min([point.distance_to(other) for other in other_points], default=inf))
        return hidden + 8 * crowd + crossed / 2 + 6 * abs(part - wanted_part)

    return min(_spread_places(points), key=nuisance)[1]


def _spread_places(points: Sequence[Point]) -> list[tuple[float, Point]]:
    """Return pairs of a part (0 to 1) and a point, evenly spread over a line."""
    steps = [one.distance_to(other) for one, other in pairwise(points)]
    whole, found, before, number = fsum(steps), [], 0.0, 1
    for (one, other), step in zip(pairwise(points), steps, strict=True):
        while number < _CHOICE and number * whole / _CHOICE <= before + step:
            t = (number * whole / _CHOICE - before) / (step or 1.0)
            found.append((number / _CHOICE, one.move_towards(other, t)))
            number += 1
        before += step
    return found or [(0.5, points[len(points) // 2])]


def _is_inside(point: Point, box: Box) -> bool:
    return box.left < point.x < box.right and box.top < point.y < box.bottom


def _measure_unit_gap(point: Point, unit: Point) -> float:
    """Return the distance from a point to the symbol of a unit around `unit`; 0 inside it."""
    return measure_length(max(0.0, abs(point.x - unit.x) - UNIT_WIDTH / 2), max(0.0, abs(point.y - unit.y) - UNIT_HEIGHT / 2))
