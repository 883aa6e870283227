"""Every map has a picture: the standard map's drawing, the outlines of a jDip package, or a schematic."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from itertools import combinations, pairwise
from math import cos, dist, hypot, sin, sqrt, tau
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import networkx
import pytest
from helpers.small_maps import lakes

from satjudge import Board, Unit, judge, load_map, load_rulebook, render
from satjudge.apps.cli import run
from satjudge.base.errors import MapError
from satjudge.base.values import replace
from satjudge.files.maps import drawings, read_map, shipped_maps, toml
from satjudge.files.maps.drawings import format_outlines
from satjudge.files.maps.packages import parse_xml
from satjudge.notation.bundled_cases import read_collection
from satjudge.show.pictures import Look, node_layout, picture, position
from satjudge.show.pictures.arrows import ArrowPlan
from satjudge.show.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.show.pictures.geometry import Box, Geometry, Point, load_geometry
from satjudge.show.pictures.labels import measure_label, place_labels
from satjudge.show.pictures.map_geometry import find_bearings, find_geometry, find_known_places, match_drawn_codes
from satjudge.show.pictures.scene import make_case_panels
from satjudge.show.pictures.schematic import make_layout, make_schematic
from satjudge.world.geography import Map, Province, Terrain, UnitKind

if TYPE_CHECKING:
    from satjudge.show.pictures.node_layout import Array

SVG = "{http://www.w3.org/2000/svg}"
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "maps"
SCHEMATIC = ("colonial", "loeb9")


def beginning(game_map: Map) -> Board:
    return Board(tuple(Unit(*start) for start in game_map.start), centers=dict(game_map.owners), map=game_map)


def unit_box(at: Point) -> Box:
    """A unit's symbol within its outline."""
    x, y = UNIT_WIDTH / 2 - 1, UNIT_HEIGHT / 2 - 1
    return Box(at.x - x, at.y - y, at.x + x, at.y + y)


def classes(svg: str) -> set[str]:
    return {word for part in ElementTree.fromstring(svg).iter() for word in part.get("class", "").split()}


# ---- every map ----


def check_legible(game_map: Map) -> None:
    """Every province is there with its label; labels overlap neither each other nor units nor what is special."""
    geometry, scene = find_geometry(game_map), position(beginning(game_map))
    assert set(geometry.provinces) == set(game_map.provinces)
    assert {code for code, shape in geometry.provinces.items() if shape.center} == game_map.centers
    plan = ArrowPlan(geometry, scene)
    labels = {code: measure_label(at, code) for code, at in place_labels(plan, geometry.box).items()}
    assert set(labels) == set(game_map.provinces)
    assert not [pair for pair in combinations(labels, 2) if labels[pair[0]].overlaps(labels[pair[1]])]
    units = [unit_box(at) for at in plan.units]
    assert not [code for code, box in labels.items() if any(box.overlaps(unit) for unit in units)]
    assert all(geometry.box.contains(unit) for unit in units)


@pytest.mark.parametrize("name", shipped_maps())
def test_every_map_that_comes_with_satjudge_is_drawn_and_legible(name: str) -> None:
    game_map = load_map(name)
    assert not find_geometry(game_map).links
    check_legible(game_map)
    found = classes(picture([position(beginning(game_map))], look=Look(whole=True)))
    assert set(game_map.provinces) <= found


def test_the_standard_map_is_drawn_as_ever() -> None:
    assert find_geometry(load_map()) is load_geometry("standard")
    assert not find_geometry(load_map()).ways
    assert "link" not in render.svg(beginning(load_map()))
    assert "feature" not in render.svg(beginning(load_map()))


@pytest.mark.skipif(not SHARED.exists(), reason="the maps of other programs are not on this machine")
@pytest.mark.parametrize("name", ["chaos", "loeb9", "milan#Milan", "modern#Modern", "sailho#Sail Ho!", "test#DATC_Loeb9"])
def test_packages_of_jdip_are_drawn_on_their_own_coordinates(name: str) -> None:
    game_map = read_map(str(SHARED / "jdip" / name))
    geometry, drawn = find_geometry(game_map), game_map.geometry
    assert drawn is not None
    assert not geometry.links
    assert set(geometry.provinces) == set(game_map.provinces)
    places = sorted(place for place in drawn.units if place in game_map.provinces)
    ours, theirs = [geometry.find_unit_point(place) for place in places], [Point(*drawn.units[place]) for place in places]
    scale = ours[0].distance_to(ours[-1]) / theirs[0].distance_to(theirs[-1])
    for one, other in pairwise(range(len(places))):
        assert ours[one].distance_to(ours[other]) == pytest.approx(scale * theirs[one].distance_to(theirs[other]), abs=1)
    assert set(game_map.provinces) <= classes(render.svg(beginning(game_map)))
    inside = [code for code, shape in geometry.provinces.items() if shape.shape.contains(shape.unit)]
    assert len(inside) >= 0.85 * len(places), "areas lie where units stand"
    labels = place_labels(ArrowPlan(geometry, position(beginning(game_map))), geometry.box)
    assert len(labels) >= 0.9 * len(geometry.provinces)


# ---- schematics ----


@cache
def sketched(name: str) -> Geometry:
    """The schematic of a map that has a drawing, as if it had none."""
    game_map = load_map(name)
    return make_schematic(game_map, find_known_places(game_map, match_drawn_codes(game_map)), find_bearings(game_map))


@pytest.mark.parametrize("name", SCHEMATIC)
def test_nodes_of_a_schematic_are_apart_and_told_apart_without_colour(name: str) -> None:
    game_map = load_map(name)
    shapes = sketched(name).provinces
    boxes = {code: shape.shape.box for code, shape in shapes.items()}
    assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]
    by_shape = {  # the points of an outline, which say what it looks like
        terrain: {len(shapes[code].shape.rings[0]) for code, one in game_map.provinces.items() if one.terrain is terrain}
        for terrain in Terrain
    }
    assert [len(counts) for counts in by_shape.values()] == [1, 1, 1]
    assert len(set.union(*by_shape.values())) == 3
    for province in game_map.provinces.values():
        places = [sketched(name).find_unit_point(location) for location in province.locations]
        assert len(set(places)) == len(places)
        assert all(shapes[province.code].shape.contains(place) for place in places)


def test_a_key_names_the_codes_of_what_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "paris.svg"
    keys = []
    for options in ([], ["--key"]):
        assert run(["render", "datc:6.D.1", "-o", str(path), *options]) == 0
        keys.append(
            " ".join(note.text or "" for note in ElementTree.parse(path).iter(f"{SVG}text") if note.get("class") == "note")
        )
    assert "VEN Venice" in keys[1]
    assert "VEN" not in keys[0]
    assert "SYR Syria" not in keys[1], "which is far away from what is shown"


def test_long_outlines_lose_points_that_nobody_sees(tmp_path: Path) -> None:
    """A circle of 20,000 points has fewer, none of which has moved, and all that are left out lie near its line."""
    around = [(500 + 400 * cos(k * tau / 20_000), 500 + 400 * sin(k * tau / 20_000)) for k in range(20_000)]
    drawn = " ".join(f"{x:.3f},{y:.3f}" for x, y in around)
    text = f"<svg><g id='MouseLayer'><polygon id='PAR' points='{drawn}'/><path id='LON' d='M0 0 9 0 9 9'/></g></svg>"
    found = drawings.read_outlines(parse_xml(text.encode(), "drawing"), lambda name: name)
    kept = [tuple(map(float, point.split(","))) for point in found["PAR"].split()]
    assert (len(kept) < 9_000, found["LON"]) == (True, "0,0 9,0 9,9")
    assert all(abs(hypot(x - 500, y - 500) - 400) < 0.1 for x, y in kept)
    longest = max(dist(one, other) for one, other in pairwise([*kept, kept[0]]))
    assert 400 - sqrt(400**2 - (longest / 2) ** 2) < 0.3, "how far the circle bulges beyond the line between two points"


def test_a_schematic_has_one_line_for_each_border() -> None:
    game_map, geometry = load_map("colonial"), sketched("colonial")
    ends: dict[Point, str] = {place: code for code, place in centres_of(geometry).items()}
    ends |= {at: location for shape in geometry.provinces.values() for location, at in shape.coasts.items()}
    found = {kind: set[frozenset[str]]() for kind in ("army", "fleet", "both", "railroad", "canal")}
    for link in geometry.links:
        pair = frozenset((ends[link.start], ends[link.end]))
        assert pair not in found[link.kind]
        found[link.kind].add(pair)
    by_land = {frozenset((one, other)) for one, others in game_map.army.items() for other in others}
    by_water = {frozenset((one, other)) for one, others in game_map.fleet.items() for other in others}
    assert found["army"] == by_land - by_water
    assert found["fleet"] == by_water - by_land
    assert found["both"] == by_water & by_land
    assert found["canal"] == {frozenset(("MED", "RED"))}
    assert found["railroad"] == {frozenset(pair) for pair in pairwise(game_map.railroads[0].line)}


def centres_of(geometry: Geometry) -> dict[str, Point]:
    """The middles of nodes, by way of what stands in them: units stand 8 below."""
    return {code: Point(shape.unit.x, shape.unit.y - 8) for code, shape in geometry.provinces.items()}


def test_a_schematic_is_the_same_every_time(tmp_path: Path) -> None:
    game_map = read_map(lakes(tmp_path))
    assert find_geometry(game_map).links
    assert find_geometry(replace(game_map, cache={})) == find_geometry(game_map)


def test_maps_that_come_with_satjudge_need_no_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes seconds, and numpy, which is not there in a browser."""
    monkeypatch.setattr("satjudge.show.pictures.schematic.make_layout", None)
    for name in shipped_maps():
        assert find_geometry(replace(load_map(name), cache={})).provinces


def test_north_is_up_in_a_schematic() -> None:
    """What lies well north or east of another place on the drawn map does so in a schematic that has only names to go by."""
    drawn, sketch = load_geometry("colonial"), sketched("colonial")
    wrong, pairs = 0, 0
    for axis, length in enumerate((drawn.width, drawn.height)):
        for one, other in combinations(drawn.provinces, 2):
            apart = drawn.find_unit_point(one)[axis] - drawn.find_unit_point(other)[axis]
            if abs(apart) > 0.4 * length:
                pairs += 1
                wrong += apart * (sketch.find_unit_point(one)[axis] - sketch.find_unit_point(other)[axis]) < 0
    assert pairs > 2000
    assert wrong < 0.02 * pairs


def test_a_layout_is_turned_to_the_bearings_or_mirrored() -> None:
    game_map = load_map("standard")
    places = {code: shape.unit for code, shape in load_geometry("standard").provinces.items()}
    upside_down = {code: Point(-at.x, -at.y) for code, at in places.items() if code in ("STP", "POR", "EDI", "SYR")}
    turned = make_layout(game_map, {}, upside_down).places
    assert turned["STP"].y > turned["SYR"].y
    assert turned["STP"].x < turned["POR"].x


def test_straits_railroads_and_canals_lie_above_the_areas_of_a_drawn_map() -> None:
    found = [(way.kind, way.title) for way in find_geometry(load_map("colonial")).ways]
    assert ("army", "Akita - Otaru: armies") in found
    assert ("canal", "SC, a canal that Egypt keeps") in found
    assert sum(kind == "railroad" for kind, _ in found) == 5
    assert [way.title for way in find_geometry(load_map("loeb9")).ways] == ["Cordoba - North Africa: armies"]


def test_provinces_of_the_standard_map_stand_in_a_schematic_as_there() -> None:
    geometry = sketched("loeb9")
    assert (
        geometry.find_unit_point("NWG").y
        < geometry.find_unit_point("NTH").y
        < geometry.find_unit_point("ENG").y
        < geometry.find_unit_point("MAR").y
        < geometry.find_unit_point("TUN").y
    )
    assert (
        geometry.find_unit_point("MAO").x
        < geometry.find_unit_point("PAR").x
        < geometry.find_unit_point("MUN").x
        < geometry.find_unit_point("WAR").x
        < geometry.find_unit_point("SEV").x
    )


def test_orders_are_drawn_on_a_schematic() -> None:
    board = Board((Unit("RUSSIA", UnitKind.ARMY, "MOS"), Unit("TURKEY", UnitKind.FLEET, "MED")), map=load_map("colonial"))
    outcome = judge(board, {"RUSSIA": ["A MOS - PRM"], "TURKEY": ["F MED - EGY"]})
    drawn = render.svg(outcome)
    assert {"order", "move", "link", "railroad"} <= classes(drawn)
    assert "border for armies" in drawn


@pytest.mark.parametrize("chapter", ["7.A", "7.B", "7.C", "7.D", "8", "9", "10"])
def test_cases_of_every_chapter_are_drawn(chapter: str) -> None:
    sheets = [sheet for sheet in read_collection("datc-2.4") if sheet.identity.startswith(f"2.4/{chapter}.")]
    assert sheets
    for sheet in sheets[:3]:
        rulebook = load_rulebook("datc-2")
        panels = make_case_panels(sheet, rulebook)
        assert {"unit", "panel"} <= classes(picture(panels.scenes, title=sheet.heading, notes=panels.notes))


# ---- what is special ----


@pytest.mark.parametrize(
    ("name", "kind", "places"),
    [
        ("loeb9", "difficult", ["Cordoba and North Africa", "Naples and Sicily"]),
        ("standard-cape", "halved", ["Mid-Atlantic Ocean and Smyrna", "Mid-Atlantic Ocean and Syria"]),
        ("loeb9", "shut", ["Arctic Ocean is closed in fall"]),
        ("standard-9-denmark", "convoying", ["fleets in Denmark can convoy"]),
        ("standard-9-both", "convoying", ["fleets in Denmark can convoy", "fleets in Sweden can convoy"]),
        ("chaos", "difficult", []),
    ],
)
def test_what_is_special_on_a_map_has_a_sign(name: str, kind: str, places: list[str]) -> None:
    titles = sorted(feature.title for feature in find_geometry(load_map(name)).features if feature.kind == kind)
    assert len(titles) == len(places)
    assert all(place in title for place, title in zip(places, titles, strict=True))
    drawn = picture([position(beginning(load_map(name)))])
    assert (kind in classes(drawn)) == bool(places)
    assert all(place in drawn for place in places)


def test_a_map_without_some_provinces_of_the_standard_map_leaves_them_blank(tmp_path: Path) -> None:
    path = tmp_path / "no-spain.toml"
    path.write_text('based_on = "standard"\nname = "no-spain"\ntitle = "Without Spain"\nremove = ["SPA"]\n', encoding="utf-8")
    geometry, standard = find_geometry(read_map(str(path))), load_geometry("standard")
    assert "SPA" not in geometry.provinces
    assert standard.provinces["SPA"].shape in geometry.decorations
    assert geometry.find_unit_point("PAR") == standard.find_unit_point("PAR")


def test_codes_and_centres_are_those_of_the_map(tmp_path: Path) -> None:
    """A map of the same provinces with other codes, and a centre more."""
    tables = toml.map_text(dict(_standard_tables()))
    path = tmp_path / "coded.toml"
    path.write_text(re.sub(r"\bNTH\b", "NSE", tables).replace('name = "Bohemia"', 'name = "Bohemia"\ncenter = true'), "utf-8")
    game_map = read_map(str(path))
    geometry = find_geometry(game_map)
    assert geometry.find_unit_point("NSE") == load_geometry("standard").find_unit_point("NTH")
    assert geometry.list_border_points("NSE", "LON") == load_geometry("standard").list_border_points("NTH", "LON")
    assert geometry.provinces["BOH"].center is not None
    check_legible(game_map)


def _standard_tables() -> dict[str, object]:
    from satjudge.files.maps import read_tables

    return dict(read_tables("standard"))


# ---- a package's drawing ----


DRAWN = """<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 300 200"
  onload="alert('hostile')"><style>@import url(http://evil.example/hostile.css); .land{{fill:url(#hostile)}}</style>
<script>alert("hostile")</script>
<image xlink:href="http://evil.example/hostile.png" width="9" height="9"/>
<foreignObject><iframe src="http://evil.example/hostile"/></foreignObject>
<g id="MouseLayer" transform="translate(-10,-20)">
  <path id="hil" onclick="alert('hostile')" style="fill:url(http://evil.example/hostile)" d="M10,20h100v100h-100z"/>
  <g id="fen" transform="translate(100 0)"><polygon points="10,20 110,20 110,120 10,120" class="hostile"/></g>
  <rect id="lak" x="210" y="20" width="100" height="100"/>
</g></svg>"""


def areas(text: str) -> dict[str, str]:
    return drawings.read_outlines(parse_xml(text.encode(), "drawing"), lambda name: name.upper() if len(name) == 3 else None)


def test_outlines_are_read_from_every_shape_and_nothing_but_numbers() -> None:
    found = areas(DRAWN)
    assert found == {
        "HIL": "0,0 100,0 100,100 0,100",
        "FEN": "100,0 200,0 200,100 100,100",
        "LAK": "200,0 300,0 300,100 200,100",
    }


def test_areas_of_coasts_are_parts_of_their_provinces() -> None:
    places = (("a", 0), ("a/nc", 7), ("a/sc", 50))
    whole, inside, beside = (f'<rect id="{name}" x="{x}" width="9" height="9"/>' for name, x in places)
    layer = f'<svg><g id="MouseLayer">{inside}{beside}{whole}</g></svg>'
    assert drawings.read_outlines(parse_xml(layer.encode(), "drawing"), str.upper) == {
        "A": "0,0 9,0 9,9 0,9; 50,0 59,0 59,9 50,9"
    }


@pytest.mark.parametrize(
    ("data", "ring"),
    [
        ("M0,0 L10,0 10,10 z", "0,0 10,0 10,10"),
        ("m5 5l10-5.5.5.5z", "5,5 15,-0.5 15.5,0"),
        ("M0,0H10V10H0z", "0,0 10,0 10,10 0,10"),
        ("M0,0h10v10h-10z", "0,0 10,0 10,10 0,10"),
        ("M0,0C0,8 8,8 8,0z", "0,0 1.2,4.5 4,6 6.8,4.5 8,0"),
        ("M0,0c0,8 8,8 8,0z", "0,0 1.2,4.5 4,6 6.8,4.5 8,0"),
        ("M0,0Q4,8 8,0z", "0,0 2,3 4,4 6,3 8,0"),
        ("M0,0C0,8 8,8 8,0S16,-8 16,0z", "0,0 1.2,4.5 4,6 6.8,4.5 8,0 9.2,-4.5 12,-6 14.8,-4.5 16,0"),
        ("M0,0Q4,8 8,0T16,0z", "0,0 2,3 4,4 6,3 8,0 10,-3 12,-4 14,-3 16,0"),
        ("M0,0A5,5 0 0 1 10,0L10,9z", "0,0 10,0 10,9"),
        ("M0,0L9,0L9,9zM20,20L29,20L29,29z", "0,0 9,0 9,9; 20,20 29,20 29,29"),
        ("M10,10l5,0l0,5zm20,0l5,0l0,5z", "10,10 15,10 15,15; 30,10 35,10 35,15"),
        ("M0,0 L9,0 9,9 nonsense 1 2", "0,0 9,0 9,9"),
    ],
)
def test_paths_are_read(data: str, ring: str) -> None:
    assert areas(f'<svg><g id="MouseLayer"><path id="hil" d="{data}"/></g></svg>') == {"HIL": ring}


@pytest.mark.parametrize("data", ["", "L9,9 1,1", "M0,0 1e9,0 0,1e9z", "z", "M", "9 9", "M0,0L1,1", "M0,0 L1e400,0 L0,1e400z"])
def test_paths_that_are_no_areas_are_left_out(data: str) -> None:
    assert areas(f'<svg><g id="MouseLayer"><path id="hil" d="{data}"/></g></svg>') == {}


def test_areas_that_are_turned_and_drawings_of_too_many_points_are_left_out() -> None:
    assert areas('<svg><g id="MouseLayer"><rect id="hil" width="9" height="9" transform="rotate(9)"/></g></svg>') == {}
    many = "L9,0 9,9" * 40_000
    assert areas(f'<svg><g id="MouseLayer"><path id="hil" d="M0,0{many}z"/></g></svg>') == {}


def package(folder: Path, drawing: str) -> str:
    """A package of three places in a row."""
    folder.mkdir()
    (folder / "row.svg").write_text(drawing, encoding="utf-8")
    (folder / "variants.xml").write_text(
        '<VARIANTS><MAP_DEFINITION id="row" URI="row.svg"/><VARIANT name="Row"><MAP adjacencyURI="row.xml">'
        '<MAP_GRAPHIC ref="row" default="true"/></MAP><POWER name="North" adjective="Northern"/>'
        '<SUPPLYCENTER province="hil" homepower="North" owner="North"/>'
        '<INITIALSTATE province="hil" power="North" unit="army"/></VARIANT></VARIANTS>',
        encoding="utf-8",
    )
    (folder / "row.xml").write_text(
        '<PROVINCES><PROVINCE shortname="hil" fullname="Hills"><ADJACENCY type="mv" refs="fen"/></PROVINCE>'
        '<PROVINCE shortname="fen" fullname="Fens"><ADJACENCY type="mv" refs="hil"/>'
        '<ADJACENCY type="xc" refs="lak"/></PROVINCE>'
        '<PROVINCE shortname="lak" fullname="Lake"><ADJACENCY type="xc" refs="fen"/></PROVINCE></PROVINCES>',
        encoding="utf-8",
    )
    return str(folder)


PLACES = "".join(
    f'<PROVINCE name="{name}"><UNIT x="{x}" y="50"/><SUPPLY_CENTER x="{x}" y="20"/></PROVINCE>'
    for name, x in (("hil", 50), ("fen", 150), ("lak", 250))
)


def test_a_hostile_drawing_does_nothing(tmp_path: Path) -> None:
    game_map = read_map(package(tmp_path / "row", DRAWN.replace("</svg>", f"{PLACES}</svg>")))
    geometry = find_geometry(game_map)
    assert not geometry.links, "it is drawn on its own outlines"
    assert geometry.find_provinces([geometry.find_unit_point("FEN")]) == ["FEN"]
    drawn = render.svg(beginning(game_map))
    for word in ("hostile", "evil", "script", "onload", "onclick", "iframe", "foreignObject", "<image", "@import"):
        assert word not in drawn, word
    assert set(re.findall(r"url\(([^)]*)\)", drawn)) <= {f"#{part}" for part in re.findall(r'id="([^"]*)"', drawn)}


def test_a_package_without_outlines_is_drawn_as_a_schematic(tmp_path: Path) -> None:
    drawing = f'<svg viewBox="0 0 300 200">{PLACES}</svg>'
    geometry = find_geometry(read_map(package(tmp_path / "row", drawing)))
    assert len(geometry.links) == 2
    assert geometry.find_unit_point("HIL").x < geometry.find_unit_point("FEN").x < geometry.find_unit_point("LAK").x, (
        "at the places of its units"
    )


def test_a_converted_map_keeps_its_outlines(tmp_path: Path) -> None:
    source = package(tmp_path / "row", DRAWN.replace("</svg>", f"{PLACES}</svg>"))
    path = tmp_path / "row.toml"
    assert run(["maps", "convert", source, "-o", str(path)]) == 0
    assert find_geometry(read_map(str(path))) == find_geometry(read_map(source))
    assert format_outlines([[(0, 0), (1.25, -3), (1e3, 2)]]) == "0,0 1.2,-3 1000,2"


@pytest.mark.parametrize("text", ["0,0 1,1", "0,0 1,1 2", "0,0 1,1 nan,2", "0,0 1,1 1e999,2", "<script>", "0,0 1,1 2,2;", ""])
def test_outlines_that_are_none_are_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    outline = f'[geometry]\nsize = [9, 9]\n[geometry.outlines]\nPAR = "{text}"\n'
    path.write_text(f'based_on = "standard"\nname = "bad"\n{outline}', encoding="utf-8")
    with pytest.raises(MapError, match=r"outlines"):
        read_map(str(path))


def ring_of(count: int) -> Map:
    """A map of places in a ring, for fleets."""
    codes = [f"P{number}" for number in range(count)]
    fleet = {code: frozenset((codes[at - 1], codes[(at + 1) % count])) for at, code in enumerate(codes)}
    provinces = {code: Province(code, code, Terrain.SEA) for code in codes}
    return Map("ring", "Ring", ("NORTH",), {"NORTH": "North"}, {}, provinces, {}, fleet, ())


def meadows(wide: int, high: int) -> Map:
    """A map of provinces in rows, each of which borders on those beside, above and below it."""
    codes = {(x, y): f"P{x}Q{y}" for x in range(wide) for y in range(high)}
    army = {
        codes[x, y]: frozenset(codes[at] for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if at in codes)
        for x, y in codes
    }
    provinces = {code: Province(code, f"Meadow {code}", Terrain.INLAND) for code in codes.values()}
    return Map("meadows", "Meadows", ("NORTH",), {"NORTH": "North"}, {}, provinces, army, {}, ())


def test_maps_of_one_place_and_of_few() -> None:
    for count in (1, 2, 3, 12):
        assert len(find_geometry(ring_of(count)).provinces) == count
    check_legible(ring_of(12))


def test_a_layout_is_the_same_to_the_last_bit_everywhere() -> None:
    """These maps look alike from several sides, so that the last bit of a sum would decide which side is up."""
    layouts = [make_layout(game_map, {}) for game_map in (ring_of(6), ring_of(12), meadows(4, 4), load_map("loeb9"))]
    assert (
        hashlib.sha256(repr(layouts).encode()).hexdigest() == "00720dc8c7c2a8ea3cbf069fac067ce5d17d686d36c2fbe6fa1728c48aa1b243"
    )


def test_a_large_map_is_laid_out_from_pivots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours are near, no nodes overlap, and distances are asked for as often as there are pivots."""
    asked: list[int] = []
    measured = node_layout.measure_path_lengths
    monkeypatch.setattr(node_layout, "_PIVOTS", 20)

    def counted(graph: networkx.Graph, node: int) -> Array:
        asked.append(node)
        return measured(graph, node)

    monkeypatch.setattr(node_layout, "measure_path_lengths", counted)
    game_map = meadows(12, 9)
    geometry = find_geometry(game_map)
    assert len(asked) == len(set(asked)) == 20
    at = centres_of(geometry)
    lengths = {pair: at[pair[0]].distance_to(at[pair[1]]) for pair in combinations(at, 2)}
    borders = [length for (one, other), length in lengths.items() if other in game_map.neighbours[one]]
    others = sorted(length for (one, other), length in lengths.items() if other not in game_map.neighbours[one])
    assert max(borders) < 2 * min(borders)
    assert sum(length < max(borders) for length in others) < 0.1 * len(others)
    check_legible(game_map)


def test_parts_that_nothing_joins_are_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_layout, "_PIVOTS", 5)
    provinces = {f"P{number}": Province(f"P{number}", f"Isle {number}", Terrain.COAST) for number in range(30)}
    check_legible(Map("isles", "Isles", ("NORTH",), {"NORTH": "North"}, {}, provinces, {}, {}, ()))


def test_provinces_with_the_same_neighbours_stand_apart() -> None:
    """They begin at one place, which nothing but chance would make them leave; here the solver ran away from there."""
    joined = {"A": "BCDEFG", "B": "AF", "C": "AFG", "D": "A", "E": "AF", "F": "ABCEG", "G": "ACF"}
    provinces = {code: Province(code, f"Name of {code}", Terrain.SEA) for code in joined}
    fleet = {code: frozenset(others) for code, others in joined.items()}
    check_legible(Map("twins", "Twins", ("NORTH",), {"NORTH": "North"}, {}, provinces, {}, fleet, ()))


@pytest.mark.parametrize("seed", range(3))
def test_points_of_cells_that_touch_are_found(seed: int) -> None:
    numpy = pytest.importorskip("numpy")
    random = numpy.random.default_rng(seed)
    points, others, cell = random.uniform(-50, 90, (40, 2)), random.uniform(-70, 60, (60, 2)), numpy.array([7.0, 11.0])
    near = {(a, b) for a in range(40) for b in range(60) if (abs(points[a] - others[b]) < cell).all()}
    found = list(zip(*map(list, node_layout._list_close_pairs(points, others, cell)), strict=True))
    assert near <= set(found)
    assert len(found) == len(set(found)) < 40 * 60 / 4


@pytest.mark.slow
def test_a_map_of_a_thousand_provinces_is_drawn_with_all_names() -> None:
    game_map = meadows(40, 25)
    began = process_time()
    drawn = render.svg(Board((), map=game_map))
    assert process_time() - began < 10, "two to four seconds of one core"
    labels = [part for part in ElementTree.fromstring(drawn).iter() if "label" in part.get("class", "").split()]
    assert len(labels) >= 990


@pytest.mark.parametrize("place", [(50.0, 50.0), (float("nan"), 0.0), (float("inf"), 0.0), (1e300, -1e300)])
def test_places_that_are_hostile_do_no_harm(place: tuple[float, float], tmp_path: Path) -> None:
    """Units all at one place, or nowhere."""
    game_map = read_map(package(tmp_path / "row", DRAWN.replace("</svg>", f"{PLACES}</svg>")))
    assert game_map.geometry is not None
    hostile = replace(game_map.geometry, units=dict.fromkeys(game_map.geometry.units, place))
    geometry = find_geometry(replace(game_map, geometry=hostile, cache={}))
    assert max(geometry.width, geometry.height) < 3100
    assert len(geometry.ground) < 400_000
    assert "nan" not in render.svg(beginning(replace(game_map, geometry=hostile, cache={})))


# ---- the command ----


@pytest.mark.parametrize(("name", "kind"), [("chaos", "svg"), ("loeb9", "svg"), ("1898", "png")])
def test_maps_draw_writes_a_picture(name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"map.{kind}"
    assert run(["maps", "draw", name, "-o", str(path)]) == 0
    data = path.read_bytes()
    if kind == "png":
        assert data.startswith(b"\x89PNG")
    else:
        assert {"owned", "letters"} <= classes(data.decode())
        assert run(["maps", "draw", name, "--empty", "-o", str(path)]) == 0
        assert not {"owned", "letters"} & classes(path.read_text(encoding="utf-8"))


def test_maps_draw_writes_no_other_kind_of_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["maps", "draw", "chaos", "-o", str(tmp_path / "map.gif")]) == 2
    assert "draw writes .svg or .png" in capsys.readouterr().err
