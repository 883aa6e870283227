"""The geometries of maps that are drawn: what is seen to touch is what is adjacent, and everything has room.

The straits that armies cross are bridged in `standard.seeds.toml`, each with its reason. On other maps armies may cross where
fleets pass: such straits stand under `[strait]` in the seeds.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely.geometry import Point, shape
from shapely.geometry.base import BaseGeometry

from satjudge.base.resources import data_file
from satjudge.world.geography import Map, ProvinceCode, Terrain, load_map, province_of

WORKSHOP = Path(__file__).parents[2] / "docs" / "map"
SHORTEST = 2.5
"""Pixels: the shortest border that a reader can see at 1200 pixels. A point in common is no border."""
INSIDE = {"standard": 0.85, "loeb9": 0.85, "colonial": 0.4}
"""How much of what stands in a province must lie in it."""
TINY = {"HON", "POR", "SIN"}
"""Provinces of Colonial without room for a dislodged unit beside a unit, a centre and a name: there some of them overlap."""
OFF = {"standard": 4.0, "loeb9": 4.0, "colonial": 0.0}
"""Pixels between a fleet at sea and the coast: the Persian Gulf is narrow."""
SIZES = {"unit": (26.0, 18.0), "dislodged": (26.0, 18.0), "coast": (26.0, 18.0), "center": (12.0, 12.0), "label": (24.0, 11.0)}
LETTER, LINE = 5.2, 10.0
"""Width and height of a letter of a full name."""

Box = tuple[str, BaseGeometry]


@pytest.fixture(scope="module", params=["standard", "loeb9", "colonial"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def game_map(name: str) -> Map:
    return load_map(name)


@pytest.fixture(scope="module")
def data(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(data_file("models", "maps", f"{name}.geo.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def plan(name: str) -> dict[str, Any]:
    planned: dict[str, Any] = runpy.run_path(str(WORKSHOP / "plans.py"))["planned"](name)
    return planned


@pytest.fixture(scope="module")
def straits(plan: dict[str, Any]) -> set[frozenset[ProvinceCode]]:
    """The provinces that armies go between though water parts them."""
    return {frozenset(name.split("-")) for name in plan.get("strait", {})}


@pytest.fixture(scope="module")
def properties(data: dict[str, Any]) -> dict[ProvinceCode, dict[str, Any]]:
    return {feature["properties"]["id"]: feature["properties"] for feature in data["features"] if "id" in feature["properties"]}


@pytest.fixture(scope="module")
def shapes(data: dict[str, Any]) -> dict[ProvinceCode, BaseGeometry]:
    return {
        feature["properties"]["id"]: shape(feature["geometry"]) for feature in data["features"] if "id" in feature["properties"]
    }


@pytest.fixture(scope="module")
def borders(shapes: dict[ProvinceCode, BaseGeometry]) -> dict[frozenset[ProvinceCode], float]:
    """The length in pixels of what each two provinces have in common; nothing for those that are apart or meet in points."""
    lengths = {
        frozenset((one, other)): shapes[one].boundary.intersection(shapes[other].boundary).length
        for one, other in combinations(shapes, 2)
    }
    return {pair: length for pair, length in lengths.items() if length > 0}


# ---- the sheet ----


def test_every_province_is_drawn_once_and_as_what_it_is(data: dict[str, Any], game_map: Map) -> None:
    drawn = [feature["properties"] for feature in data["features"] if "id" in feature["properties"]]
    assert sorted(about["id"] for about in drawn) == sorted(game_map.provinces)
    terrains = {Terrain.INLAND: "land", Terrain.COAST: "coast", Terrain.SEA: "sea"}
    for about in drawn:
        province = game_map.provinces[about["id"]]
        assert (about["name"], about["terrain"]) == (province.name, terrains[province.terrain])
        assert (about["center"] is not None) == province.center
        assert tuple(about["coasts"]) == (province.locations if province.coasts else ())


def test_the_pieces_fit_and_fill_the_sheet(data: dict[str, Any]) -> None:
    pieces = [shape(feature["geometry"]) for feature in data["features"]]
    assert all(piece.is_valid for piece in pieces)
    assert shapely.coverage_is_valid(pieces)
    assert sum(piece.area for piece in pieces) == pytest.approx(data["width"] * data["height"])
    assert {feature["properties"].get("decoration") for feature in data["features"]} == {None, "impassable"}


def test_the_file_is_small_enough_to_load_at_once(name: str) -> None:
    assert data_file("models", "maps", f"{name}.geo.json").stat().st_size < 250_000


# ---- borders ----


def test_provinces_with_a_border_are_those_adjacent(
    borders: dict[frozenset[ProvinceCode], float], game_map: Map, straits: set[frozenset[ProvinceCode]]
) -> None:
    adjacent = {frozenset((one, other)) for one in game_map.neighbours for other in game_map.neighbours[one]}
    assert set(borders) == adjacent - straits
    assert straits <= adjacent
    assert {pair: length for pair, length in borders.items() if length < SHORTEST} == {}


def test_armies_cross_the_borders_on_land(
    borders: dict[frozenset[ProvinceCode], float], game_map: Map, straits: set[frozenset[ProvinceCode]]
) -> None:
    on_land = {pair for pair in {*borders, *straits} if not pair & game_map.seas}
    assert on_land == {frozenset((one, other)) for one in game_map.army for other in game_map.army[one]}


def shores(code: ProvinceCode, shapes: dict[ProvinceCode, BaseGeometry], game_map: Map) -> list[BaseGeometry]:
    """The shoreline of a province: its pieces, each unbroken, islands and lagoons being pieces of their own."""
    water = shapely.union_all([shapes[sea] for sea in game_map.seas])
    line = shapely.line_merge(shapes[code].boundary.intersection(water.boundary))
    return [part for part in shapely.get_parts(line) if part.length > 0]


def along(shore: BaseGeometry, code: ProvinceCode, shapes: dict[ProvinceCode, BaseGeometry]) -> set[ProvinceCode]:
    """The provinces that a piece of shoreline touches, if only with its end."""
    return {other for other, area in shapes.items() if other != code and area.intersects(shore)}


def test_fleets_follow_the_shoreline(
    name: str,
    shapes: dict[ProvinceCode, BaseGeometry],
    game_map: Map,
    plan: dict[str, Any],
    straits: set[frozenset[ProvinceCode]],
) -> None:
    """A fleet moves where the coast it lies on leads: to the seas along it and to the provinces at its ends.

    But for a bridge that only armies cross, and for straits.
    """
    bridges = {frozenset(name.split("-")) for name in plan["bridge"] if "-" in name}
    for code, province in game_map.provinces.items():
        if province.terrain is Terrain.COAST:
            seen = set().union(*(along(shore, code, shapes) for shore in shores(code, shapes, game_map)))
            told = {province_of(to) for location in province.locations for to in game_map.fleet[location]}
            bridged = {other for other in seen - told if frozenset((code, other)) in bridges}
            across = {other for other in told - seen if frozenset((code, other)) in straits}
            # On Colonial Constantinople ends where the Black Sea begins, and is not adjacent to it.
            assert seen | across == told | bridged or (name == "colonial" and told <= seen | across), code


def test_seas_that_meet_are_those_adjacent(borders: dict[frozenset[ProvinceCode], float], game_map: Map) -> None:
    at_sea = {pair for pair in borders if pair <= game_map.seas}
    assert at_sea == {frozenset((one, str(other))) for one in game_map.seas for other in game_map.fleet[one] & game_map.seas}


def test_each_of_two_coasts_has_its_own_neighbours(
    shapes: dict[ProvinceCode, BaseGeometry], properties: dict[ProvinceCode, dict[str, Any]], game_map: Map
) -> None:
    """The fleet stands by the piece of shoreline whose neighbours are those of its coast (DATC 6.B)."""
    coasts = {location: code for code, one in game_map.provinces.items() if one.coasts for location in one.locations}
    assert len(coasts) >= 4
    for location, code in coasts.items():
        mainland = [shore for shore in shores(code, shapes, game_map) if not shore.is_closed]
        assert len(mainland) == 2
        here = min(mainland, key=Point(properties[code]["coasts"][location]).distance)
        assert along(here, code, shapes) == {province_of(to) for to in game_map.fleet[location]}, location


# ---- room for units, marks and names ----


def boxes(about: dict[str, Any]) -> Iterator[Box]:
    """Everything that can stand in a province, with the room it takes."""
    things = [(kind, about[kind]) for kind in ("unit", "dislodged", "label", "center") if about[kind]]
    for kind, (x, y) in [*things, *(("coast", at) for at in about["coasts"].values())]:
        width, height = SIZES[kind]
        yield f"{kind} of {about['id']}", shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    if "name_lines" in about:
        (x, y), lines = about["name_at"], about["name_lines"]
        width, height = LETTER * max(map(len, lines)), LINE * len(lines)
        yield f"name of {about['id']}", shapely.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def test_nothing_overlaps(properties: dict[ProvinceCode, dict[str, Any]]) -> None:
    """Not even with a unit and a dislodged one in every province at once."""
    everything = [box for about in properties.values() for box in boxes(about)]
    assert len(everything) > len(properties) * 3 + 34
    pairs = [pair for pair in combinations(everything, 2) if pair[0][1].intersection(pair[1][1]).area > 0]
    overlaps = [(one[0], other[0]) for one, other in pairs if not {one[0][-3:], other[0][-3:]} <= TINY]
    assert overlaps == []


def test_everything_lies_on_the_sheet(data: dict[str, Any], properties: dict[ProvinceCode, dict[str, Any]]) -> None:
    sheet = shapely.box(0, 0, data["width"], data["height"])
    assert [name for about in properties.values() for name, box in boxes(about) if not sheet.contains(box)] == []


def test_things_stand_in_their_own_province(
    name: str, properties: dict[ProvinceCode, dict[str, Any]], shapes: dict[ProvinceCode, BaseGeometry]
) -> None:
    """With nearly all of their area: small provinces may let a corner hang over."""
    shares = {
        what: box.intersection(shapes[code]).area / box.area for code, about in properties.items() for what, box in boxes(about)
    }
    afloat = {"coast of BAN"} if name == "colonial" else set[str]()  # the land is too narrow there
    little = {what: round(share, 2) for what, share in shares.items() if share < INSIDE[name] and what[-3:] not in TINY}
    assert set(little) == afloat, little


def test_fleets_in_seas_keep_off_the_coast(
    name: str, data: dict[str, Any], properties: dict[ProvinceCode, dict[str, Any]]
) -> None:
    """Nothing of a fleet touches land; in the Irish Sea not even the frame around one that is dislodged."""
    land = shapely.union_all([shape(one["geometry"]) for one in data["features"] if one["properties"].get("terrain") != "sea"])
    seas = {code: about["unit"] for code, about in properties.items() if about["terrain"] == "sea"}
    off = {code: land.distance(shapely.box(x - 13.5, y - 9, x + 13.5, y + 9)) for code, (x, y) in seas.items()}
    assert {code: round(away, 1) for code, away in off.items() if away < (6.5 if code == "IRI" else OFF[name])} == {}


# ---- the seeds ----


def test_each_seed_lies_in_the_province_it_names(plan: dict[str, Any], shapes: dict[ProvinceCode, BaseGeometry]) -> None:
    """So the file was made from these seeds, and by this projection."""
    projection = runpy.run_path(str(WORKSHOP / "projection.py"))
    view = projection["View"](plan["view"], plan["swell"])
    assert set(plan["seeds"]) == set(shapes)
    outside = {code for code, seeds in plan["seeds"].items() for seed in view(seeds) if not shapes[code].contains(Point(seed))}
    assert outside == set()


def test_borders_by_hand_are_named_for_the_provinces_they_part(plan: dict[str, Any], game_map: Map) -> None:
    for kind in ("land", "sea"):
        for name in plan[kind]:
            one, other = name.split(",")[0].split(" ")[0].split("-")
            assert {one, other} & set(plan["neutral"]) or other in game_map.neighbours[one], name
