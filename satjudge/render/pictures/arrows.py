"""Where the lines of orders run: moves as arrows, supports to the unit or arrow that they help, convoys from sea to sea."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from satjudge.geography import Location, ProvinceCode, province_of
from satjudge.orders import Build, Convoy, Move, Retreat, SupportHold, SupportMove
from satjudge.render.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH, Curve, arrowhead, clear_curve, rim, wave
from satjudge.render.pictures.geometry import Geometry, Point
from satjudge.render.pictures.scene import BAD, VOID, Scene, ShownOrder

_SUPPORTED_AT = (0.5, 0.38, 0.62)
"""Where on the arrow that it helps a support may end."""
_SIGN = 15.0
"""How far a sign should be from others, and from the middle of a unit."""
_SHORT = 34.0
"""A line that is too short for a sign of the usual size."""
_EMPTY = 5.0
"""How far before the middle of an empty province an arrow ends."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an order, perhaps with an arrowhead (as path data) or a dot at its end."""

    path: str
    points: tuple[Point, ...]
    """Points along it."""
    head: str = ""
    dot: Point | None = None
    wavy: bool = False
    ghost: bool = False
    """Whether it stands for something that was not ordered so."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An order with its lines, and the place of the sign that says that it came to nothing."""

    shown: ShownOrder
    lines: tuple[Line, ...]
    sign: Point | None = None

    @property
    def short(self) -> bool:
        """Whether a sign of the usual size would hide the line; a unit's corner has no room for such a one either."""
        points = self.lines[-1].points if self.lines else ()
        return sum(one.to(other) for one, other in pairwise(points)) < _SHORT


def arrow_plan(geometry: Geometry, scene: Scene) -> list[Drawn]:
    """The lines of all orders that have any, in the order of the scene."""
    return list(_Plan(geometry, scene).drawn())


def unit_places(geometry: Geometry, scene: Scene) -> list[Point]:
    """The middles of all units, figure by figure."""
    return [(geometry.beside if figure.waiting else geometry.at)(figure.unit.location) for figure in scene.figures]


@dataclass(frozen=True)
class _Plan:
    geometry: Geometry
    scene: Scene

    @cached_property
    def obstacles(self) -> list[Point]:
        """The middles of all units."""
        return unit_places(self.geometry, self.scene)

    @cached_property
    def ways(self) -> set[tuple[Point, Point]]:
        """The ways from point to point that lines take."""
        at = self.geometry.at
        return {(at(start), at(end)) for shown in self.scene.orders for start, end in self._ways(shown)}

    def _ways(self, shown: ShownOrder) -> Iterator[tuple[Location, Location]]:
        """From where to where an order's lines lead, but for supports of moves."""
        match shown.order:
            case Move(destination=destination):
                yield from ((place, destination) for place in shown.chain or (shown.origin,))
            case SupportHold(supported=supported):
                yield shown.origin, self._standing(supported.location)
            case Convoy():
                yield from ((self._standing(place), shown.origin) for place in shown.chain)

    @cached_property
    def legs(self) -> dict[ShownOrder, list[Curve]]:
        """The curves of every move: one, or one from each sea at the end of its convoys."""
        return {
            shown: [self._curve(origin, shown.order.destination) for origin in shown.chain or (shown.origin,)]
            for shown in self.scene.orders
            if isinstance(shown.order, Move)
        }

    @cached_property
    def moves(self) -> dict[tuple[ProvinceCode, ProvinceCode], Curve]:
        """The last curve of each legal move by origin and destination."""
        return {
            (province_of(shown.origin), province_of(shown.order.destination)): curves[-1]  # type: ignore[union-attr]
            for shown, curves in self.legs.items()
            if shown.word != "illegal"
        }

    def _standing(self, named: Location) -> Location:
        """Where the unit really is that an order names."""
        unit = self.scene.board.unit_at.get(province_of(named))
        return unit.location if unit else named

    def _curve(self, origin: Location, destination: Location, *, waiting: bool = False) -> Curve:
        """From unit to unit, across their common border."""
        start, end = (self.geometry.beside if waiting else self.geometry.at)(origin), self.geometry.at(destination)
        border = self.geometry.border(origin, destination)
        return clear_curve(start, end, self.obstacles, border, both_ways=(end, start) in self.ways)

    def drawn(self) -> Iterator[Drawn]:
        """Every order that has lines or a sign."""
        taken = list(self.obstacles)
        for shown in self.scene.orders:
            lines = [line for line in self._lines(shown) if line.points[0] != line.points[-1]]
            sign = None
            if shown.word in BAD | VOID:
                sign = _sign(lines[-1], taken) if lines else self._corner(shown)
                taken.append(sign)
            if lines or sign:
                yield Drawn(shown, tuple(lines), sign)

    def _corner(self, shown: ShownOrder) -> Point:
        """The corner of the unit of an order without a line; of that which may not be built, if that is the order."""
        for figure, place in zip(self.scene.figures, self.obstacles, strict=True):
            ordered = figure.fate == "illegal" if isinstance(shown.order, Build) else not figure.waiting
            if ordered and figure.unit.location == shown.origin:
                return Point(place.x + UNIT_WIDTH / 2, place.y - UNIT_HEIGHT / 2)
        return self.geometry.at(shown.origin)

    def _lines(self, shown: ShownOrder) -> Iterator[Line]:
        match shown.order:
            case Move():
                *others, last = self.legs[shown]
                yield from (self._wavy(self._trimmed(curve)) for curve in others)  # one head: it is one attacker
                yield self._arrow(last, wavy=bool(shown.chain))
            case Retreat():
                yield self._arrow(self._curve(shown.origin, shown.order.destination, waiting=True))
            case SupportHold():
                supported = self._standing(shown.order.supported.location)
                yield self._support(self._curve(shown.origin, supported), to_unit=True)
            case SupportMove():
                yield from self._move_support(shown, shown.order)
            case Convoy():
                yield from self._convoy(shown, shown.order)

    def _trimmed(self, curve: Curve) -> Curve:
        """The curve from rim to rim of the units that stand at its ends."""
        gap = 3.0 if curve.start.to(curve.end) > 2 * _SHORT else 1.0
        first = rim(curve.direction(0), gap) if curve.start in self.obstacles else 0.0
        last = rim(curve.direction(1), gap) if curve.end in self.obstacles else _EMPTY
        return curve.shortened(first, last)

    def _arrow(self, curve: Curve, *, wavy: bool = False, ghost: bool = False) -> Line:
        trimmed = self._trimmed(curve)
        shaft = trimmed.shortened(0.0, 8.0)
        head = arrowhead(trimmed.end, trimmed.direction(1))
        path = wave(shaft) if wavy else shaft.path
        return Line(path, (trimmed.start, *trimmed.points, trimmed.end), head, wavy=wavy, ghost=ghost)

    def _wavy(self, trimmed: Curve, *, ghost: bool = False) -> Line:
        return Line(wave(trimmed), (trimmed.start, *trimmed.points, trimmed.end), wavy=True, ghost=ghost)

    def _support(self, curve: Curve, *, to_unit: bool) -> Line:
        first = rim(curve.direction(0))
        trimmed = curve.shortened(first, rim(curve.direction(1)) if to_unit else 0.0)
        return Line(trimmed.path, (trimmed.start, *trimmed.points, trimmed.end), dot=trimmed.end)

    def _move_support(self, shown: ShownOrder, order: SupportMove) -> Iterator[Line]:
        """A line to the arrow that is supported; to a faint one if no such move was ordered."""
        supported = self._standing(order.supported.location)
        start = self.geometry.at(shown.origin)
        arrow = self.moves.get((province_of(supported), province_of(order.destination)))
        if arrow is None:
            arrow = self._curve(supported, order.destination)
            yield self._arrow(arrow, ghost=True)
        helped = self._trimmed(arrow)
        curves = [clear_curve(start, helped.at(t), self.obstacles) for t in _SUPPORTED_AT]
        yield self._support(min(curves, key=self._roundabout), to_unit=False)

    def _roundabout(self, curve: Curve) -> float:
        """How long a support is, with a penalty for each unit that it runs over."""
        over = sum(min(map(point.to, curve.points)) < 14 for point in self.obstacles if point != curve.start)
        return curve.start.to(curve.at(0.5)) + 60 * over

    def _convoy(self, shown: ShownOrder, order: Convoy) -> Iterator[Line]:
        """Waves from what comes before the fleet; on no route that is used, from the army and on to its destination."""
        for place in shown.chain:
            yield self._wave(self._standing(place), shown.origin)
        if not shown.chain:
            yield self._wave(self._standing(order.convoyed.location), shown.origin, ghost=True)
            yield self._wave(shown.origin, order.destination, ghost=True)

    def _wave(self, origin: Location, destination: Location, *, ghost: bool = False) -> Line:
        return self._wavy(self._trimmed(self._curve(origin, destination)), ghost=ghost)


def _sign(line: Line, taken: Sequence[Point]) -> Point:
    """On a move near its head, on other lines in the middle; farther off where units or other signs are in the way."""
    points = line.points
    wanted = round((0.68 if line.head else 0.5) * (len(points) - 1))
    choice = sorted(points[2:-2], key=lambda point: abs(points.index(point) - wanted))
    roomy = (point for point in choice if all(point.to(other) > _SIGN for other in taken))
    return next(roomy, points[wanted])
