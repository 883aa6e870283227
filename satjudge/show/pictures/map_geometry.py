"""Finds the geometry of a map: in its geometry file, in the package from which it was read, or else as a schematic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from statistics import median

from satjudge.show.pictures.geometry import (
    Box,
    Feature,
    Geometry,
    Link,
    Point,
    ProvinceShape,
    find_square_borders,
    load_geometry,
    make_box,
    make_shape,
    map_squares,
)
from satjudge.show.pictures.schematic import TERRAIN, iter_ways, make_schematic
from satjudge.world.geography import Map, MapGeometry, ProvinceCode, Terrain, coast_of, load_map, normal, province_of

DRAWN = "standard"
"""The map whose geometry most other maps use."""
_DRAWINGS = (DRAWN, "loeb9", "colonial")
"""The maps that come with a geometry file."""
_NEAREST = 66.0
"""The median distance from a unit to the nearest other one, which gives symbols and labels room."""
_LARGEST = 3000.0
"""The maximum side of a sheet: if many units are at the same place, no scale gives them room."""
_FARTHEST = 1e6
_MARGIN = 24.0
_WAITING, _CENTRE = 16.0, 21.0
"""The minimum distances from a unit to a dislodged unit and to a centre's mark."""
_BELOW = 14.0
_BESIDE = 26.0
"""The distances from a unit to the sign of a coast that convoys, and of a border that the picture does not show."""


def find_geometry(game_map: Map) -> Geometry:
    """Return the geometry of a map, from a drawing or else as a schematic, and cache it with the map."""
    found: Geometry | None = game_map.cache.get(find_geometry)
    if found is None:
        found = game_map.cache[find_geometry] = _make_geometry(game_map)
    return found


def _make_geometry(game_map: Map) -> Geometry:
    if game_map.geometry is not None and _is_complete(game_map, game_map.geometry):
        geometry = _make_package_geometry(game_map, game_map.geometry)
    elif (drawing := find_drawn_map(game_map)) is not None:
        geometry = _adapt_geometry(game_map, drawing)
    else:
        geometry = make_schematic(game_map, find_known_places(game_map, match_drawn_codes(game_map)), find_bearings(game_map))
    features = tuple(_iter_features(game_map, geometry))
    return replace(geometry, features=(*geometry.features, *features)) if features else geometry


def find_known_places(game_map: Map, standard_codes: Mapping[ProvinceCode, ProvinceCode]) -> dict[ProvinceCode, Point]:
    """Return the known points of provinces: in the map's package, or else of their `standard_codes` on the standard map."""
    shipped = load_geometry(DRAWN).provinces
    known = {code: shipped[other].unit for code, other in standard_codes.items()}
    stated = game_map.geometry.units.items() if game_map.geometry else ()
    return known | {code: Point(*at) for code, at in stated if code in game_map.provinces and _is_usable_point(at)}


def find_bearings(game_map: Map) -> dict[ProvinceCode, Point]:
    """Return the unit points of the map's provinces on the shipped drawing that has most of them, by name."""
    found: dict[ProvinceCode, Point] = {}
    for drawing in _DRAWINGS:
        names, shapes = load_map(drawing).names, load_geometry(drawing).provinces
        codes = {code: names.get(normal(province.name)) for code, province in game_map.provinces.items()}
        places = {code: shapes[other].unit for code, other in codes.items() if other}
        found = max(found, places, key=len)
    return found


def find_drawn_map(game_map: Map) -> str | None:
    """Return the name of the shipped drawing that has all provinces of a map, by name and terrain; None if none has."""
    whole = len(game_map.provinces)
    return next((name for name in _DRAWINGS if len(match_drawn_codes(game_map, name)) == whole), None)


def match_drawn_codes(game_map: Map, drawing: str = DRAWN) -> dict[ProvinceCode, ProvinceCode]:
    """Return a shipped drawing's codes for the provinces of a map, by name and terrain; {} unless most of it matches."""
    drawing_map = load_map(drawing)
    found: dict[ProvinceCode, ProvinceCode] = {}
    for code, province in game_map.provinces.items():
        other = drawing_map.names.get(normal(province.name))
        if other and drawing_map.provinces[other].terrain is province.terrain:
            found[code] = other
    unique = len(set(found.values())) == len(found)
    return found if unique and 2 * len(found) > len(drawing_map.provinces) else {}


# ---- on a map that comes with a geometry file ----


def _adapt_geometry(game_map: Map, drawing: str) -> Geometry:
    """Return a shipped drawing's geometry with a map's codes and centres; provinces that the map lacks become impassable."""
    drawn, same = load_geometry(drawing), match_drawn_codes(game_map, drawing)
    if same == {code: code for code in drawn.provinces} and _has_centres(game_map, drawn):
        return _add_ways(game_map, drawn)
    provinces = {code: _rename_province(drawn.provinces[other], code, game_map) for code, other in same.items()}
    rest = [shape.shape for code, shape in drawn.provinces.items() if code not in same.values()]
    codes = {other: code for code, other in same.items()}
    borders = {
        frozenset(codes[other] for other in pair): points for pair, points in drawn.borders.items() if pair <= codes.keys()
    }
    found = replace(
        drawn, provinces=provinces, decorations=(*drawn.decorations, *rest), borders=borders, ground=map_squares(provinces)
    )
    return _add_ways(game_map, found)


def _add_ways(game_map: Map, geometry: Geometry) -> Geometry:
    """Return a geometry with lines for railroads, canals, and army borders between provinces whose areas do not touch."""
    pairs = sorted({tuple(sorted((one, other))) for one, others in game_map.army.items() for other in others})
    straits = (
        Link(
            "army",
            geometry.find_unit_point(one),
            geometry.find_unit_point(other),
            f"{game_map.provinces[one].name} - {game_map.provinces[other].name}: armies",
        )
        for one, other in pairs
        if frozenset((one, other)) not in geometry.borders
    )
    at = {code: geometry.find_unit_point(code) for code in geometry.provinces}
    lines = (*straits, *iter_ways(game_map, at))
    return replace(geometry, ways=lines) if lines else geometry


def _has_centres(game_map: Map, geometry: Geometry) -> bool:
    return game_map.centers == {code for code, shape in geometry.provinces.items() if shape.center}


def _rename_province(shape: ProvinceShape, code: ProvinceCode, game_map: Map) -> ProvinceShape:
    province = game_map.provinces[code]
    center = shape.center or Point(shape.unit.x - 21, shape.unit.y)
    coasts = {f"{code}/{coast_of(location)}": place for location, place in shape.coasts.items()}
    return replace(shape, code=code, name=province.name, center=center if province.center else None, coasts=coasts)


# ---- from a package's drawing ----


def _is_complete(game_map: Map, drawing: MapGeometry) -> bool:
    """Return whether a package's drawing has an area and a unit's place for every province, and only usable coordinates."""
    places = {province_of(location) for location in drawing.units}
    stated = (drawing.units, drawing.dislodged, drawing.centers, drawing.labels)
    whole = all(code in drawing.outlines and code in places for code in game_map.provinces)
    return whole and all(_is_usable_point(at) for group in stated for at in group.values())


def _is_usable_point(point: tuple[float, float]) -> bool:
    """Return whether the coordinates of a point from another program's file are small enough for a picture."""
    return all(abs(part) < _FARTHEST for part in point)


def _make_package_geometry(game_map: Map, drawing: MapGeometry) -> Geometry:
    """Make the geometry of a map from its package's drawing, scaled so that units and centres have room."""
    units = {location: Point(*place) for location, place in drawing.units.items()}
    middles = {province_of(location): place for location, place in units.items()}
    middles |= {code: units[code] for code in middles if code in units}
    nearest = [
        min((place.distance_to(other) for code, other in middles.items() if code != own_code), default=_NEAREST)
        for own_code, place in middles.items()
    ]
    box = _find_sheet(drawing)
    scale = min(_NEAREST / (median(nearest) or 1.0), _LARGEST / max(box.width, box.height, 1.0))

    def place_on_sheet(place: tuple[float, float]) -> Point:
        x, y = place
        return Point(round((x - box.left) * scale + _MARGIN, 1), round((y - box.top) * scale + _MARGIN, 1))

    provinces = {
        code: _make_province_shape(game_map, code, drawing, place_on_sheet, middles[code]) for code in game_map.provinces
    }
    ground = map_squares(provinces)
    width, height = box.width * scale + 2 * _MARGIN, box.height * scale + 2 * _MARGIN
    return Geometry(round(width), round(height), provinces, (), find_square_borders(ground), ground)


def _find_sheet(drawing: MapGeometry) -> Box:
    """Return the smallest box that contains all outlines and unit places of a drawing."""
    areas = (point for rings in drawing.outlines.values() for ring in rings for point in ring)
    return make_box(Point(*place) for place in (*areas, *drawing.units.values()))


def _make_province_shape(
    game_map: Map,
    code: ProvinceCode,
    drawing: MapGeometry,
    place_on_sheet: Callable[[tuple[float, float]], Point],
    middle: Point,
) -> ProvinceShape:
    """Make the shape of a province with its unit at `middle`; its centre and dislodged unit move away if too close."""
    province, unit = game_map.provinces[code], place_on_sheet(middle)
    label, waiting, center = drawing.labels.get(code), drawing.dislodged.get(code), drawing.centers.get(code)
    return ProvinceShape(
        code=code,
        name=province.name,
        terrain=TERRAIN[province.terrain],
        shape=make_shape([list(map(place_on_sheet, ring)) for ring in drawing.outlines[code]]),
        label=place_on_sheet(label) if label else Point(unit.x, unit.y + 16),
        unit=unit,
        dislodged=_push_from_unit(unit, place_on_sheet(waiting) if waiting else unit, _WAITING),
        center=_push_from_unit(unit, place_on_sheet(center) if center else unit, _CENTRE) if province.center else None,
        coasts={
            place: place_on_sheet(at) for place, at in drawing.units.items() if province_of(place) == code and coast_of(place)
        },
    )


def _push_from_unit(unit: Point, other: Point, distance: float) -> Point:
    """Return the point `other`, moved straight away from the unit until it is at least at this distance."""
    now = unit.distance_to(other)
    if now >= distance:
        return other
    return unit.move_towards(other, distance / now) if now > 1 else Point(unit.x + 0.9 * distance, unit.y + 0.44 * distance)


# ---- signs for special rules ----


def _iter_features(game_map: Map, geometry: Geometry) -> Iterator[Feature]:
    """Yield signs for a map's special rules at the places where they apply (DATC 2.4, 8 to 10, and *1900*)."""
    at = geometry.find_unit_point
    kinds = (
        ("difficult", game_map.difficult, "is difficult"),
        ("halved", game_map.half_strength, "is crossed at half strength"),
    )
    for kind, borders, description in kinds:
        for code, other in ((one, other) for one in sorted(borders) for other in sorted(borders[one]) if one < other):
            far, near = sorted((code, other), key=lambda one: game_map.provinces[one].terrain is not Terrain.SEA)
            middle = at(code).move_towards(at(other), 0.5)
            elsewhere = at(near).move_towards(
                at(far), _BESIDE / max(at(near).distance_to(at(far)), _BESIDE)
            )  # a border across the edge of the map
            place = min(
                geometry.list_border_points(code, other),
                key=middle.distance_to,
                default=elsewhere if kind == "halved" else middle,
            )
            names = " and ".join(game_map.provinces[one].name for one in (code, other))
            yield Feature(kind, place, f"the border of {names} {description}")
    for code in sorted(game_map.provinces):
        province, unit = game_map.provinces[code], at(code)
        if province.convoys and province.terrain is not Terrain.SEA:
            yield Feature("convoying", Point(unit.x, unit.y + _BELOW), f"fleets in {province.name} can convoy")
        if seasons := [season for season, shut in game_map.closed.items() if code in shut]:
            yield Feature("shut", Point(unit.x + 19, unit.y + 4), f"{province.name} is closed in {' and in '.join(seasons)}")
