"""Makes `models/maps/NAME.geo.json`: `python docs/map/make_geometry.py countries-50m.json [NAME]` (see its README.md)."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy
import shapely
from atlas import Atlas, parts
from cutting import Cut, simplified
from numpy.typing import ArrayLike
from placing import LABEL, LETTER, LINE, UNIT, Layout, Room, Taken, layout, name_place
from plans import planned
from projection import Points, View
from shapely.geometry.base import BaseGeometry

from satjudge.world.geography import Location, Map, Province, Terrain, load_map

HERE = Path(__file__).resolve().parent
MAPS = HERE.parents[1] / "models" / "maps"
TOLERANCE = 0.9
"""Pixels: how much detail of the coast is given up."""
MARGIN = 3
"""Pixels along the edge of the picture that stay empty."""


def main(atlas: Path, name: str = "standard") -> None:
    """Reads the seeds, writes the geometry."""
    plan = planned(name)
    view = View(plan["view"], plan["swell"])
    faces = simplified(Cut(Atlas(atlas), view, plan).faces, TOLERANCE)
    collection = geojson(load_map(name), faces, plan, view)
    target = MAPS / f"{name}.geo.json"
    lines = ",\n".join(json.dumps(feature, separators=(",", ":")) for feature in collection.pop("features"))
    target.write_text(json.dumps(collection)[:-1] + f', "features": [\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{target}: {target.stat().st_size / 1000:.0f} kB")


def geojson(game_map: Map, faces: Mapping[str, BaseGeometry], plan: Mapping[str, Any], view: View) -> dict[str, Any]:
    """The feature collection: decorations first, then the provinces as the map lists them."""
    neutral = [feature({"decoration": "impassable", "name": name}, faces[name]) for name in plan["neutral"]]
    wanted = {name: view(numpy.array([at]))[0] for group in ("coasts", "stand") for name, at in plan[group].items()}
    places = placed(game_map, faces, wanted)
    provinces = [feature(places[code], faces[code]) for code in game_map.provinces]
    return {
        "type": "FeatureCollection",
        "source": "Natural Earth (public domain) by npm world-atlas; cut by docs/map/make_geometry.py",
        "width": view.width,
        "height": view.height,
        "boxes": {"unit": UNIT, "label": LABEL, "name": [LETTER, LINE]},
        "features": [*neutral, *provinces],
    }


def placed(game_map: Map, faces: Mapping[str, BaseGeometry], wanted: Mapping[Location, Points]) -> dict[str, dict[str, Any]]:
    """The properties of each province; its units go near the place that is wanted, if one is.

    The smallest choose first: what they cannot hold hangs over into others, which have room to avoid it.
    """
    page = shapely.box(*shapely.total_bounds(list(faces.values()))).buffer(-MARGIN)
    regions = {code: max(parts(faces[code].intersection(page)), key=lambda part: part.area) for code in game_map.provinces}
    smallest_first = [game_map.provinces[code] for code in sorted(regions, key=lambda code: regions[code].area)]
    taken: Taken = []
    found: dict[str, dict[str, Any]] = {}
    for province in smallest_first:
        fleets = {}
        for coast in province.locations if province.coasts else ():
            ashore = faces[province.code].contains(shapely.Point(wanted[coast]))
            fleets[coast] = Room(regions[province.code], taken).best(UNIT, wanted[coast])[1] if ashore else wanted[coast]
            taken.append((fleets[coast], UNIT))
        here = layout(Room(regions[province.code], taken, wanted.get(province.code)), province.center)
        taken += here.boxes()
        found[province.code] = properties(province, here, fleets)
    for province in smallest_first:
        if named := name_place(Room(regions[province.code], taken), province.name, numpy.array(found[province.code]["label"])):
            found[province.code] |= {"name_lines": named[0], "name_at": rounded(named[1])}
    return found


def properties(province: Province, here: Layout, fleets: Mapping[Location, Points]) -> dict[str, Any]:
    """Return the properties of a province besides its shape."""
    return {
        "id": province.code,
        "name": province.name,
        "terrain": "land" if province.terrain is Terrain.INLAND else str(province.terrain),
        "label": rounded(here.label),
        "unit": rounded(here.unit),
        "coasts": {location: rounded(point) for location, point in fleets.items()},
        "center": None if here.center is None else rounded(here.center),
        "dislodged": rounded(here.dislodged),
    }


def feature(properties: dict[str, Any], face: BaseGeometry) -> dict[str, Any]:
    """One feature; points to a tenth of a pixel, the same for both sides of a border."""
    polygons = [[rounded(ring.coords) for ring in (part.exterior, *part.interiors)] for part in parts(face)]
    kind, coordinates = ("Polygon", polygons[0]) if len(polygons) == 1 else ("MultiPolygon", polygons)
    return {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}}


def rounded(points: ArrayLike) -> list[Any]:
    """Coordinates to a tenth of a pixel."""
    numbers: list[Any] = numpy.round(numpy.asarray(points, dtype=float), 1).tolist()
    return numbers


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
