"""Cuts the page into provinces: coast and borders enclose faces, and the seed inside a face names it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy
import shapely
from atlas import Atlas, parts
from cells import between
from projection import Points, View
from shapely import LineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

WINDOW = (-60.0, 10.0, 85.0, 84.0)
"""The part of the world that is looked at, where a plan names no other: west, south, east, north in degrees."""
BRIDGE = 3.0
"""The width of a bridge in pixels."""
SLIVER = 30.0
"""Square pixels: a smaller face without a seed, where a line missed another by a little, goes to its neighbour."""
GRID = 0.1
"""Pixels: all points lie on a grid of this width, so that the file can round them without harm."""
LOOSE = 1.0
"""Pixels by which a border may reach beyond the coast, so that it surely ends there."""


class Cut:
    """The faces of the page by name: provinces and neutral land."""

    def __init__(self, atlas: Atlas, view: View, plan: Mapping[str, Any]) -> None:
        self.view, self.plan = view, plan
        self.frame = box(0, 0, view.width, view.height)
        self.seeds: dict[str, list[Point]] = {
            name: [Point(point) for point in view(numpy.array(points))]
            for group in ("seeds", "neutral")
            for name, points in plan[group].items()
        }
        self.faces = self._named(self._cut(self._land(atlas), atlas))

    def _land(self, atlas: Atlas) -> BaseGeometry:
        """All land in the picture, joined by the bridges; islands without a seed are left out."""
        window = tuple(self.plan["view"].get("window", WINDOW))
        pieces = [self._projected(part) for _, piece in atlas.polygons(window) for part in parts(piece)]
        bridges = [line.buffer(BRIDGE / 2, cap_style="flat") for line in self._lines(self.plan["bridge"].values())]
        land = shapely.union_all([*pieces, *bridges], grid_size=GRID).intersection(self.frame)
        seeds = [point for points in self.seeds.values() for point in points]
        return MultiPolygon([part for part in parts(land) if any(part.contains(seed) for seed in seeds)])

    def _projected(self, polygon: Polygon) -> BaseGeometry:
        return shapely.make_valid(shapely.transform(shapely.segmentize(polygon, 1.0), self.view))

    def _lines(self, lines: Iterable[Sequence[Sequence[float]]]) -> list[LineString]:
        return [LineString(_rounded(self.view(numpy.array(line)))) for line in lines]

    def _today(self, atlas: Atlas) -> list[LineString]:
        borders = (arc for one, other in self.plan["today"]["borders"] for arc in atlas.border(one, other))
        return [LineString(_longer(self.view(arc))) for arc in borders]

    def _cut(self, land: BaseGeometry, atlas: Atlas) -> list[Polygon]:
        """The pieces of the page, all lines noded together: neighbours have the points of their border in common."""
        sea = self.frame.difference(land)
        ashore = [*self._lines(self.plan["land"].values()), *self._today(atlas), *self._halfway(land)]
        afloat = [*self._lines(self.plan["sea"].values()), *self._halfway(sea)]
        cuts = [line.intersection(side.buffer(LOOSE)) for side, lines in ((land, ashore), (sea, afloat)) for line in lines]
        return list(polygonize(shapely.union_all([self.frame.boundary, land.boundary, *cuts], grid_size=GRID)))

    def _halfway(self, side: BaseGeometry) -> list[LineString]:
        """Borders half-way between the seeds on one side of the coast, where the plan wants them."""
        if "cells" not in self.plan["view"]:
            return []
        shapely.prepare(side)
        here = {name: [point for point in points if side.contains(point)] for name, points in self.seeds.items()}
        return between(here, self.frame)

    def _named(self, faces: Sequence[Polygon]) -> dict[str, MultiPolygon]:
        """The faces by the names of the seeds in them.

        Raises `ValueError` for two names in a face, a large face without a name and a seed in no face.
        """
        pieces: dict[str, list[Polygon]] = defaultdict(list)
        nameless = []
        for face in faces:
            names = {name for name, points in self.seeds.items() if any(face.contains(point) for point in points)}
            if len(names) > 1:
                raise ValueError(f"no line parts {' and '.join(sorted(names))}")
            if names:
                pieces[names.pop()].append(face)
            else:
                nameless.append(face)
        for name, points in self.seeds.items():
            if any(not any(piece.contains(point) for piece in pieces[name]) for point in points):
                raise ValueError(f"a seed of {name} lies outside of the picture or on a line")
        for face in sorted(nameless, key=lambda face: -face.area):
            if face.area > self.plan["view"].get("sliver", SLIVER):
                raise ValueError(f"a face of {face.area:.0f} square pixels around {face.representative_point()} has no seed")
            pieces[_closest(face, pieces)].append(face)
        return {name: MultiPolygon(parts(shapely.union_all(polygons))) for name, polygons in pieces.items()}


def _closest(face: Polygon, pieces: Mapping[str, Sequence[Polygon]]) -> str:
    """The name whose pieces share the longest border with a face."""
    return max(pieces, key=lambda name: sum(face.intersection(piece).length for piece in pieces[name]))


def _longer(points: Points) -> Points:
    """A line with `LOOSE` pixels more at both ends."""
    start, end = (LOOSE * (one - other) / numpy.hypot(*(one - other)) for one, other in (points[:2], points[:-3:-1]))
    return numpy.concatenate([points[:1] + start, points, points[-1:] + end])


def _rounded(points: Points, rounds: int = 2) -> Points:
    """A line with its corners cut (Chaikin's scheme), its ends in place: borders bend, they do not break."""
    for _ in range(rounds if len(points) > 2 else 0):
        before, after = points[:-1], points[1:]
        cut = numpy.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=1).reshape(-1, 2)
        points = numpy.concatenate([points[:1], cut[1:-1], points[-1:]])
    return points


def simplified(faces: Mapping[str, BaseGeometry], tolerance: float) -> dict[str, BaseGeometry]:
    """The faces with fewer points.

    A border is simplified once for both its sides, so that they still fit. Holes run the other way round than outlines, so
    that they stay holes under every fill rule.
    """
    smooth = shapely.coverage_simplify(list(faces.values()), tolerance)
    return dict(zip(faces, shapely.orient_polygons(smooth), strict=True))
