"""Draws the borders of a map half-way between seeds, where nobody has drawn them by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import shapely
from shapely import LineString, MultiLineString, MultiPoint, Point, STRtree
from shapely.geometry.base import BaseGeometry


def between(seeds: Mapping[str, Sequence[Point]], frame: BaseGeometry) -> list[LineString]:
    """The lines between the nearest seeds of different names (their Voronoi diagram), each from one corner to the next."""
    points = [(name, point) for name, of in seeds.items() for point in of]
    cells = list(shapely.voronoi_polygons(MultiPoint([point for _, point in points]), extend_to=frame).geoms)
    tree = STRtree([point for _, point in points])
    names = [points[int(tree.query_nearest(cell.representative_point(), all_matches=False)[0])][0] for cell in cells]
    for number, cell in enumerate(cells):
        inside = [name for name, point in points if cell.contains(point)]
        names[number] = inside[0] if inside else names[number]
    near = STRtree(cells).query(cells, predicate="intersects").T
    edges = [cells[one].intersection(cells[other]) for one, other in near if one < other and names[one] != names[other]]
    merged = shapely.line_merge(MultiLineString([line for edge in edges for line in _lines(edge)]))
    return _lines(merged)


def _lines(shape: BaseGeometry) -> list[LineString]:
    parts: Iterable[BaseGeometry] = getattr(shape, "geoms", [shape])
    return [part for part in parts if isinstance(part, LineString) and part.length > 0]
