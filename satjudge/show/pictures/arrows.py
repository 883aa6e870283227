"""Plans the lines of orders: arrows for moves, lines from supports to the unit or arrow that they help, waves for convoys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import atan2, cos, fsum, pi, sin
from typing import NamedTuple

from satjudge.show.pictures.curves import (
    CLEARANCE,
    CLOSE,
    DOT,
    HEAD,
    RING,
    SIGN,
    SMALL_SIGN,
    UNIT_HEIGHT,
    UNIT_WIDTH,
    Curve,
    Disc,
    Places,
    count_trespass,
    find_clear_curve,
    find_sign_place,
    format_arrowhead,
    format_chain,
    format_wave,
    make_bent_curve,
    make_rounded_corners,
    measure_exit,
)
from satjudge.show.pictures.geometry import Box, Geometry, Point, make_box, measure_line
from satjudge.show.pictures.scene import Figure, Scene, ShownOrder, TrainRide
from satjudge.world.geography import Location, ProvinceCode, province_of
from satjudge.world.orders import Build, Convoy, Move, Permission, Retreat, SupportHold, SupportMove
from satjudge.world.verdicts import OrderResult

_SUPPORTED_AT = (0.5, 0.38, 0.62, 0.26)
"""The positions on a supported arrow, from 0 to 1, at which a support may end."""
_PERMITTED_AT = (0.3, 0.7)
"""The positions on a fleet's arrow at which a permission to pass a canal may end, which differ from those of supports."""
_DOTS_APART = 10.0
_SHORT = 46.0
"""The length of the shortest line with room for a sign of the usual size."""
_BAR, _BAR_BESIDE, _BAR_LONG = 5.5, 8.0, 11.5
"""The distances of a bar from the unit above it, and from the unit's frame, and half the length of the bar."""
_CENTRE = 6.0
"""The room around the middle of a centre mark."""
WAITING = 0.85
"""The scale of a dislodged unit that waits next to another unit."""
_ASIDE = Point((1 + WAITING) * UNIT_WIDTH / 2 + 5.0, (1 + WAITING) * UNIT_HEIGHT / 2 + 5.0)
"""The distances of a waiting unit from its neighbour, across or down, at which they do not touch."""
_TURNS = (0.0, 0.9, -0.9, 1.8, -1.8, pi)
"""The angles, from the direction in the geometry, at which a waiting unit may stand."""
_EMPTY = 5.0
"""The distance from the middle of an empty province at which an arrow ends."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line drawn for an order, perhaps with an arrowhead (as path data) or a dot at its end."""

    path: str
    points: tuple[Point, ...]
    """Points along the line."""
    head: str = ""
    dot: Point | None = None
    wavy: bool = False
    ghost: bool = False
    """True if the action was not ordered, or if the line is the part of a route that was not reached."""

    @property
    def length(self) -> float:
        """The approximate length of the line, in units of the map."""
        return measure_line(self.points)

    def iter_ends(self) -> Iterator[Disc]:
        """Yield the disc that the arrowhead covers, and the disc that the dot covers, if the line has them."""
        if self.head:
            before, tip = self.points[-2:]
            yield Disc(tip.move_towards(before, HEAD / (before.distance_to(tip) or 1.0)), HEAD)
        if self.dot:
            yield Disc(self.dot, DOT)


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order with its lines, and the point of the sign that marks it as failed or illegal."""

    shown: ShownOrder
    lines: tuple[Line, ...]
    sign: Point | None = None

    @property
    def is_short(self) -> bool:
        """True if the order has no line, or one so short that a sign of the usual size would hide it."""
        return not self.lines or _find_signed_line(self.lines).length < _SHORT


class RetreatOption(NamedTuple):
    """A place that a dislodged unit may retreat to: a line from the unit, and the ring at its end."""

    figure: Figure
    location: Location
    path: str
    ring: Point


class BarredLand(NamedTuple):
    """The land of a map, except for some provinces; a curve over the sea must avoid it."""

    geometry: Geometry
    codes: frozenset[ProvinceCode]

    def count_barred(self, places: Places) -> int:
        """Count the points that lie on this land, outside the provinces `codes`."""
        seas = (code for code, province in self.geometry.provinces.items() if province.terrain == "sea")
        open_to_ships = {*self.codes, *seas}
        return sum(code not in open_to_ships for code in self.geometry.find_provinces(places))


@dataclass(frozen=True)
class ArrowPlan:
    """The points where the units of a scene are drawn on the map, and the lines of its orders."""

    geometry: Geometry
    scene: Scene
    dots: list[Point] = field(default_factory=list)
    """The points at which earlier supports of moves end, which the next one avoids."""

    @cached_property
    def units(self) -> list[Point]:
        """The middle of each unit's symbol, in the order of the scene's figures.

        A waiting unit is moved aside only if another unit is in exactly the same place.
        """
        locations = [figure.unit.location for figure in self.scene.figures if not figure.waiting]
        where = [(figure.unit.location, figure.waiting) for figure in self.scene.figures]
        return [
            self._find_waiting_point(at, locations) if waiting and at in locations else self.geometry.find_unit_point(at)
            for at, waiting in where
        ]

    def _find_waiting_point(self, location: Location, avoided: Sequence[Location]) -> Point:
        """Return the point for a dislodged unit beside its place, if possible clear of units at `avoided` and of centres."""
        at, beside = self.geometry.find_unit_point(location), self.geometry.find_waiting_point(location)
        angle = atan2(beside.y - at.y, beside.x - at.x)
        centers = [shape.center for shape in self.geometry.provinces.values() if shape.center]
        rooms = [self._measure_room(self.geometry.find_unit_point(other)) for other in avoided] + [
            make_box((center,), _CENTRE) for center in centers
        ]

        def shift_point(turn: float) -> Point:
            x, y = cos(angle + turn), sin(angle + turn)
            far = min(_ASIDE.x / max(abs(x), 1e-9), _ASIDE.y / max(abs(y), 1e-9))
            return Point(at.x + far * x, at.y + far * y)

        return min(
            map(shift_point, _TURNS), key=lambda place: sum(self._measure_room(place, WAITING).overlaps(room) for room in rooms)
        )

    @staticmethod
    def _measure_room(center: Point, size: float = 1.0) -> Box:
        """Return the box that a unit's symbol and frame cover, around its centre, if it is scaled by `size`."""
        x, y = size * UNIT_WIDTH / 2 + 2, size * UNIT_HEIGHT / 2 + 2
        return Box(center.x - x, center.y - y, center.x + x, center.y + y)

    @cached_property
    def bars(self) -> list[Box | None]:
        """The box of the bar that marks each figure's unit as holding: below it, or above if a centre is below; or None."""
        centers = [shape.center for shape in self.geometry.provinces.values() if shape.center]

        def bar(figure: Figure, point: Point) -> Box | None:
            if not figure.standing:
                return None
            away = UNIT_HEIGHT / 2 + (_BAR_BESIDE if figure.fate else _BAR)
            below, above = (
                make_box((Point(point.x - _BAR_LONG, point.y + y), Point(point.x + _BAR_LONG, point.y + y)), 2.7)
                for y in (away, -away)
            )
            return above if any(below.overlaps(make_box((center,), _CENTRE)) for center in centers) else below

        return [bar(figure, at) for figure, at in zip(self.scene.figures, self.units, strict=True)]

    @cached_property
    def ways(self) -> set[tuple[Point, Point]]:
        """The pairs of a start and an end point of the lines of moves, supports of holds, and convoys."""
        at = self.geometry.find_unit_point
        return {(at(start), at(end)) for shown in self.scene.orders for start, end in self._iter_ways(shown)}

    def _iter_ways(self, shown_order: ShownOrder) -> Iterator[tuple[Location, Location]]:
        """Yield the start and end locations of the lines of a move, hold support or convoy; nothing for other orders."""
        match shown_order.order:
            case Move() if shown_order.ride:
                yield from pairwise((shown_order.origin, *shown_order.ride.way))
            case Move(destination=destination):
                yield from ((place, destination) for place in shown_order.chain or (shown_order.origin,))
            case SupportHold(supported=supported):
                yield shown_order.origin, self._find_unit_location(supported.location)
            case Convoy():
                yield from ((self._find_unit_location(place), shown_order.origin) for place in shown_order.chain)

    @cached_property
    def legs(self) -> dict[ShownOrder, list[Curve]]:
        """The curves of each move: one, or one from the last fleet of each convoy route, or one for each part of a railroad."""
        return {
            shown: self._list_stages(shown, shown.ride)
            if shown.ride
            else [self._make_curve(origin, shown.order.destination) for origin in shown.chain or (shown.origin,)]
            for shown in self.scene.orders
            if isinstance(shown.order, Move)
        }

    def _list_stages(self, shown_order: ShownOrder, ride: TrainRide) -> list[Curve]:
        """Return the curves of a railroad move from province to province, which pass beside units on the way."""
        places = [self.geometry.find_unit_point(place) for place in (shown_order.origin, *ride.way)]
        return [make_bent_curve(start, end, 0.0) for start, end in pairwise(self._iter_clear_points(places, ride.way))]

    def _iter_clear_points(self, points: Sequence[Point], provinces: Sequence[ProvinceCode]) -> Iterator[Point]:
        """Yield the points of a railroad move; for one with a unit, a point beside it, away from the province's label."""
        yield points[0]
        for before, at, after, province in zip(points, points[1:], points[2:], provinces, strict=False):
            across = make_bent_curve(before, after, 0.0).find_direction(0.5)
            beside = (Point(at.x + side * across.y, at.y - side * across.x) for side in (CLEARANCE, -CLEARANCE))
            yield max(beside, key=self.geometry.provinces[province].label.distance_to) if at in self.units else at
        yield points[-1]

    @cached_property
    def moves(self) -> dict[tuple[ProvinceCode, ProvinceCode], Curve]:
        """The last curve of each move that is not illegal, by the origin and destination provinces."""
        return {
            (province_of(shown.origin), province_of(shown.order.destination)): curves[-1]  # type: ignore[union-attr]
            for shown, curves in self.legs.items()
            if shown.word is not OrderResult.ILLEGAL
        }

    def _find_unit_location(self, named_place: Location) -> Location:
        """Return the location of the unit in a named place's province, or the named place itself if no unit is there."""
        unit = self.scene.board.unit_at.get(province_of(named_place))
        return unit.location if unit else named_place

    @cached_property
    def waiting(self) -> dict[Location, Point]:
        """The points where dislodged units are drawn, by the locations from which they were dislodged."""
        places = zip(self.scene.figures, self.units, strict=True)
        return {figure.unit.location: place for figure, place in places if figure.waiting}

    def _make_curve(self, origin: Location, destination: Location, *, from_waiting: bool = False) -> Curve:
        """Return a curve between two locations across their border; with `from_waiting`, it starts at the dislodged unit."""
        start, end = self.geometry.find_unit_point(origin), self.geometry.find_unit_point(destination)
        start = self.waiting.get(origin, start) if from_waiting else start
        border = self.geometry.list_border_points(origin, destination)
        barred = self._find_barred_land(origin, destination) if border else None
        return find_clear_curve(start, end, self.units, border, both_ways=(end, start) in self.ways, barred=barred)

    def _find_barred_land(self, *places: Location) -> BarredLand | None:
        """Return the land, except these places' provinces, that a line over the sea must avoid; None on land or a schematic.

        Returns None if no sea is involved, or on a schematic, which has room between its nodes.
        """
        codes, provinces = frozenset(map(province_of, places)), self.geometry.provinces
        involved = self.geometry.ground and any(provinces[code].terrain == "sea" for code in codes)
        return BarredLand(self.geometry, codes) if involved else None

    @cached_property
    def orders(self) -> list[DrawnOrder]:
        """The orders that have lines or a sign, in the scene's sequence, with their signs clear of arrowheads and dots."""
        planned = [
            DrawnOrder(one, tuple(line for line in self._iter_lines(one) if line.length > 1)) for one in self.scene.orders
        ]
        discs = [disc for one in planned for line in one.lines for disc in line.iter_ends()]
        signs: list[Point] = []
        found = []
        for one in planned:
            if one.shown.sign:
                others = [point for other in planned if other is not one for line in other.lines for point in line.points]
                sign = self._place_sign(one, discs, signs, others)
                discs.append(Disc(sign, SMALL_SIGN if one.is_short else SIGN))
                signs.append(sign)
                one = replace(one, sign=sign)
            if one.lines or one.sign:
                found.append(one)
        return found

    @property
    def options(self) -> Iterator[RetreatOption]:
        """The retreats from which dislodged units can choose, with lines that end before any unit drawn at their end."""
        for figure in self.scene.figures:
            for location in figure.retreats:
                curve = self._make_curve(figure.unit.location, location, from_waiting=figure.waiting)
                line = curve.trim_ends(
                    measure_exit(curve), measure_exit(curve.reverse_curve, 5.0) if curve.end in self.units else 0.0
                )
                yield RetreatOption(figure, location, line.trim_ends(0.0, RING).path, line.end)

    def _place_sign(
        self, order: DrawnOrder, taken_discs: Sequence[Disc], signs: Sequence[Point], others: Sequence[Point]
    ) -> Point:
        """Return the point for an order's sign: near an arrow's head, halfway on other lines, or at the unit if no line."""
        if not order.lines:
            return self._find_corner(order.shown)
        line = _find_signed_line(order.lines)
        if (ride := order.shown.ride) and ride.bounced:
            stage = self.legs[order.shown][ride.way.index(ride.bounced)]
            return find_sign_place(stage.line, 0.8, SIGN, self.units, taken_discs, signs, others)
        size = SMALL_SIGN if order.is_short else SIGN
        return find_sign_place(line.points, 0.62 if line.head else 0.5, size, self.units, taken_discs, signs, others)

    def _find_corner(self, shown_order: ShownOrder) -> Point:
        """Return the upper right corner of the unit that an order without a line is for, even if the unit may not be built."""
        for figure, place in zip(self.scene.figures, self.units, strict=True):
            ordered = figure.fate == "illegal" if isinstance(shown_order.order, Build) else not figure.waiting
            if ordered and figure.unit.location == shown_order.origin:
                return Point(place.x + UNIT_WIDTH / 2, place.y - UNIT_HEIGHT / 2)
        return self.geometry.find_unit_point(shown_order.origin)

    def _iter_lines(self, shown_order: ShownOrder) -> Iterator[Line]:
        match shown_order.order:
            case Move() if shown_order.ride:
                yield from self._iter_train_lines(shown_order, shown_order.ride)
            case Move():
                *others, last = self.legs[shown_order]
                yield from map(self._make_wave, others)  # only one arrowhead, as there is only one attacker
                yield self._make_arrow(last, wavy=bool(shown_order.chain))
            case Retreat():
                yield self._make_arrow(self._make_curve(shown_order.origin, shown_order.order.destination, from_waiting=True))
            case SupportHold():
                supported = self._find_unit_location(shown_order.order.supported.location)
                yield self._make_support(self._make_curve(shown_order.origin, supported), to_unit=True)
            case SupportMove():
                yield from self._iter_move_support(
                    shown_order, shown_order.order.supported.location, shown_order.order.destination, _SUPPORTED_AT
                )
            case Permission():
                yield from self._iter_move_support(
                    shown_order, shown_order.order.unit.location, shown_order.order.destination, _PERMITTED_AT
                )
            case Convoy():
                yield from self._iter_convoy_lines(shown_order, shown_order.order)

    def _trim_to_rims(self, curve: Curve) -> Curve:
        """Return a curve that ends just outside the symbols of units at its ends, or a little before an empty place."""
        gap = 3.0 if curve.start.distance_to(curve.end) > CLOSE else 2.0
        first = measure_exit(curve, gap) if curve.start in self.units else 0.0
        empty = _EMPTY if gap > 2 else 0.0
        last = measure_exit(curve.reverse_curve, gap) if curve.end in self.units else empty
        return curve.trim_ends(first, last)

    def _make_arrow(self, curve: Curve, *, wavy: bool = False, ghost: bool = False) -> Line:
        trimmed = self._trim_to_rims(curve)
        shaft = trimmed.trim_ends(0.0, 8.0)
        head = format_arrowhead(trimmed.end, trimmed.find_direction(1))
        path = format_wave(shaft) if wavy else shaft.path
        return Line(path, trimmed.line, head, wavy=wavy, ghost=ghost)

    def _iter_train_lines(self, shown_order: ShownOrder, ride: TrainRide) -> Iterator[Line]:
        """Yield an arrow along a railroad to where the army stopped, and a faint one for the rest of its way."""
        stages, ended = self.legs[shown_order], self.geometry.find_unit_point((shown_order.origin, *ride.way)[ride.came])
        if ride.came:
            yield self._make_track([*stages[: ride.came - 1], make_bent_curve(stages[ride.came - 1].start, ended, 0.0)])
        if not ride.has_arrived:
            yield self._make_track([make_bent_curve(ended, stages[ride.came].end, 0.0), *stages[ride.came + 1 :]], ghost=True)

    def _make_track(self, stages: Sequence[Curve], *, ghost: bool = False) -> Line:
        """Return an arrow along several curves in sequence, from the rim of the first unit's symbol to that of the last."""
        first, last = stages[0], stages[-1]
        start = first.trim_ends(measure_exit(first) if first.start in self.units else 0.0, 0.0).start
        end = self._trim_to_rims(last).end
        places = [start, *(stage.end for stage in stages[:-1]), end]
        head = format_arrowhead(end, last.find_direction(1))
        curves = make_rounded_corners(places)
        shaft = [*curves[:-1], curves[-1].trim_ends(0.0, 8.0)]
        points = (point for curve in curves for point in (curve.start, *curve.points))
        return Line(format_chain(shaft), (*points, end), head, ghost=ghost)

    def _make_wave(self, curve: Curve, *, ghost: bool = False) -> Line:
        trimmed = self._trim_to_rims(curve)
        return Line(format_wave(trimmed), trimmed.line, wavy=True, ghost=ghost)

    def _make_support(self, curve: Curve, *, to_unit: bool) -> Line:
        trimmed = curve.trim_ends(measure_exit(curve), measure_exit(curve.reverse_curve) if to_unit else 0.0)
        return Line(trimmed.path, trimmed.line, dot=trimmed.end)

    def _iter_move_support(
        self, shown_order: ShownOrder, helped_place: Location, destination: Location, possible_ends: Sequence[float]
    ) -> Iterator[Line]:
        """Yield a line to the arrow of the helped move, after a faint arrow if that was not ordered; add its end to `dots`.

        The line may end at any of the `possible_ends` on the arrow, from 0 to 1.
        """
        supported = self._find_unit_location(helped_place)
        start = self.geometry.find_unit_point(shown_order.origin)
        arrow = self.moves.get((province_of(supported), province_of(destination)))
        if arrow is None:
            arrow = self._make_curve(supported, destination)
            yield self._make_arrow(arrow, ghost=True)
        helped = self._trim_to_rims(arrow)
        barred = self._find_barred_land(
            shown_order.origin, supported
        )  # the support's line must not cross the arrow's destination
        curves = [find_clear_curve(start, helped.find_point(t), self.units, barred=barred) for t in possible_ends]
        support = self._make_support(min(curves, key=lambda curve: self._rate_support_line(curve, barred)), to_unit=False)
        self.dots.append(support.points[-1])
        yield support

    def _rate_support_line(self, curve: Curve, barred: BarredLand | None) -> float:
        """Return the cost of a support's line: for its length, units and barred points on it, and dots near its end."""
        over = sum(distance < 14 for distance in curve.measure_distances(point for point in self.units if point != curve.start))
        crowd = fsum(max(0.0, _DOTS_APART - dot.distance_to(curve.end)) for dot in self.dots)
        return curve.start.distance_to(curve.find_point(0.5)) + 60 * over + 3 * crowd + 2 * count_trespass(curve, barred)

    def _iter_convoy_lines(self, shown_order: ShownOrder, order: Convoy) -> Iterator[Line]:
        """Yield waves to a fleet from each place before it on its routes, or faint ones to and from it if none is used."""
        for place in shown_order.chain:
            yield self._make_wave(self._make_curve(self._find_unit_location(place), shown_order.origin))
        if not shown_order.chain:
            yield self._make_wave(
                self._make_curve(self._find_unit_location(order.convoyed.location), shown_order.origin), ghost=True
            )
        if not shown_order.chain or self._is_route_end(shown_order, order):
            yield self._make_wave(self._make_curve(shown_order.origin, order.destination), ghost=True)

    def _is_route_end(self, shown_order: ShownOrder, order: Convoy) -> bool:
        """Return whether the order's fleet was the last on a disrupted route, while the army used another route."""
        if not self.geometry.list_border_points(shown_order.origin, order.destination):
            return False
        ends = province_of(order.convoyed.location), province_of(order.destination)
        return any(
            move.chain and province_of(shown_order.origin) not in move.chain
            for move in self.legs
            if (province_of(move.origin), province_of(move.order.destination)) == ends  # type: ignore[union-attr]
        )


def _find_signed_line(lines: Sequence[Line]) -> Line:
    """Return the line on which an order's sign is drawn: the last one that is not faint, or else the last one."""
    return next((line for line in reversed(lines) if not line.ghost), lines[-1])
