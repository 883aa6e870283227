"""Reads coastlines and country borders from the TopoJSON of the npm package `world-atlas` (Natural Earth, public domain)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
from projection import Points
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry


class Atlas:
    """The countries of the world in degrees; a border between two of them is made of arcs that both share."""

    def __init__(self, path: Path) -> None:
        topology = json.loads(path.read_text(encoding="utf-8"))
        scale, translate = topology["transform"]["scale"], topology["transform"]["translate"]
        # Arcs are delta-encoded integers: https://github.com/topojson/topojson-specification, 2.1.4.
        self.arcs = [numpy.cumsum(arc, axis=0) * scale + translate for arc in topology["arcs"]]
        self.countries: dict[str, list[list[list[int]]]] = {
            entry["properties"]["name"]: _polygons(entry) for entry in topology["objects"]["countries"]["geometries"]
        }

    def polygons(self, frame: tuple[float, float, float, float]) -> Iterator[tuple[str, BaseGeometry]]:
        """Every country's polygons that reach into a frame (west, south, east, north), cut to it."""
        window = box(*frame)
        for name, polygons in self.countries.items():
            for rings in polygons:
                outer, *holes = (self._ring(ring) for ring in rings)
                polygon = Polygon(outer, holes)
                if polygon.intersects(window):
                    yield name, polygon.intersection(window)

    def border(self, one: str, other: str) -> list[Points]:
        """The arcs that two countries share. Raises `ValueError` if there are none."""
        shared = self._arcs_of(one) & self._arcs_of(other)
        if not shared:
            raise ValueError(f"{one} and {other} share no border in this atlas")
        return [self.arcs[arc] for arc in sorted(shared)]

    def _arcs_of(self, name: str) -> set[int]:
        if name not in self.countries:
            raise ValueError(f"there is no country {name!r} in this atlas; there are {', '.join(sorted(self.countries))}")
        return {_index(arc) for rings in self.countries[name] for ring in rings for arc in ring}

    def _ring(self, arcs: list[int]) -> Points:
        """The points of a ring: a negative arc is read backwards, and each arc begins where the last one ended."""
        pieces = [self.arcs[arc] if arc >= 0 else self.arcs[~arc][::-1] for arc in arcs]
        points = numpy.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])
        return numpy.stack([numpy.unwrap(points[:, 0], period=360), points[:, 1]], axis=1)  # Russia reaches beyond 180°


def _index(arc: int) -> int:
    return arc if arc >= 0 else ~arc


def _polygons(entry: dict[str, Any]) -> list[list[list[int]]]:
    """The arcs of a geometry as polygons of rings."""
    arcs: list[Any] = entry.get("arcs", [])
    return [arcs] if entry["type"] == "Polygon" else arcs


def parts(geometry: BaseGeometry) -> list[Polygon]:
    """The polygons of a geometry."""
    if isinstance(geometry, Polygon):
        return [] if geometry.is_empty else [geometry]
    return [part for part in getattr(geometry, "geoms", ()) if isinstance(part, Polygon)]
