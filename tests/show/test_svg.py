"""Pictures: all that is on the board is in them, and only that; they are well formed, legible and the same every time."""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy
import pytest
from helpers.boards import board_of
from helpers.pictures import having
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread
from numpy.typing import NDArray
from resvg_py import svg_to_bytes

import satjudge
from satjudge import Board, Position, Unit, judge, judge_phase, load_map, render, starting_board
from satjudge.apps.cli import run
from satjudge.base.errors import NotFoundError, RequestError
from satjudge.base.values import Displayable
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import format_prose, format_unit
from satjudge.show.pictures import Look, Scene, picture, position, scene_of
from satjudge.show.pictures.arrows import ArrowPlan, DrawnOrder, Line
from satjudge.show.pictures.composition import choose_styles
from satjudge.show.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.show.pictures.geometry import Box, Geometry, Point, load_geometry
from satjudge.show.pictures.labels import LABEL, measure_label, measure_text, place_labels
from satjudge.show.pictures.legend import LegendItem, break_lines, break_rows, list_items
from satjudge.show.pictures.map_geometry import find_geometry
from satjudge.show.pictures.palette import DARK, LIGHT
from satjudge.show.pictures.scene import make_case_panels, make_comparison_panels, make_resolution_panels
from satjudge.show.rendering import to_png
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Convoy, Move, SupportHold, SupportMove
from satjudge.world.rules import load_rulebook

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
FILES = {path.relative_to(ROOT / "datc_cases").as_posix(): path for path in list_case_files()}


def read(text: str) -> Element:
    return ElementTree.fromstring(text)


def classes(element: Element) -> set[str]:
    return set(element.get("class", "").split())


def legend_words(root: Element) -> list[str | None]:
    """What the legend explains."""
    return [word.text for word in having(root, "word")]


def layer(root: Element, name: str) -> list[Element]:
    """What is in the layers of that name, panel by panel."""
    return [element for group in root.iter(f"{SVG}g") if group.get("class") == name for element in group]


def drawn(identity: str, *, whole: bool = False) -> Element:
    """A shipped case as a picture that was read back."""
    panels = make_case_panels(find_bundled_case(identity), load_rulebook())
    return read(picture(panels.scenes, title=identity, notes=panels.notes, look=Look(whole=whole)))


# ---- every case is drawn, and nothing of it is missing ----


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (not name.startswith("datc-3.2/"))) for name in FILES]
)
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_case_is_drawn_whole(name: str, step: int) -> None:
    for sheet in load_sheets(FILES[name])[::step]:
        check_case(sheet)


def check_case(sheet: Sheet) -> None:
    panels = make_case_panels(sheet, load_rulebook(sheet.rules))
    root = read(picture(panels.scenes, title=sheet.title, notes=panels.notes))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)), sheet.identity
    figures = [figure for scene in panels.scenes for figure in scene.figures]
    assert len(layer(root, "units")) == len(figures), sheet.identity
    assert {unit for scene in panels.scenes[:1] for unit in scene.board.units} <= {figure.unit for figure in figures}
    description = root.findtext(f"{SVG}desc") or ""
    for figure in figures:
        assert format_unit(figure.unit, sheet.map) in description
    if panels.is_resolved:
        check_orders(sheet, root, description)


def check_orders(sheet: Sheet, root: Element, description: str) -> None:
    """Every order that counts has its line with its verdict, whoever else has the same one; all are told in words."""
    outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))
    if not isinstance(outcome, Outcome):
        return
    kinds: dict[type, str] = {Move: "move", SupportHold: "support", SupportMove: "support", Convoy: "convoy"}
    expected = Counter(
        (kinds[type(entry.legal)], entry.province, *verdict.replace(",", "").split())
        for power, entries in outcome.docket.entries.items()
        for entry, verdict in zip(entries, outcome.results[power], strict=True)
        if entry.reason is None and type(entry.legal) in kinds
    )
    orders = [group.get("class", "").split() for group in layer(root, "orders") if "illegal" not in group.get("class", "")]
    found = Counter((kind, province, *words) for _, kind, *words, _, province in orders)
    found = Counter({key: count for key, count in plain(found).items() if key in expected})
    assert found == expected, sheet.identity
    for entries in outcome.docket.entries.values():
        for entry in entries:
            assert format_prose(entry.legal or entry.order, sheet.map) in description or str(entry.order) in description


def plain(counted: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Without the class that invalid orders have besides their verdict."""
    return Counter({tuple(word for word in key if word != "void"): count for key, count in counted.items()})


@pytest.mark.slow
def test_resolutions_of_every_movement_case_are_drawn() -> None:
    for path in FILES.values():
        for sheet in load_sheets(path):
            if sheet.phase == "movement" and "datc-3.2" in str(path):
                panels = make_resolution_panels(sheet, load_rulebook(), most_shown=2)
                assert len(having(read(picture(panels.scenes)), "panel")) == len(panels.scenes)


# ---- what is seen of a verdict ----


def test_a_paradox_with_its_core() -> None:
    root = drawn("6.F.14")
    assert [group.get("class") for group in layer(root, "orders")] == [
        "order support given p1 LON",
        "order move succeeds p1 WAL",
        "order move fails p2 BRE",
        "order convoy disrupted dislodged p2 ENG",
    ]
    assert [group.get("class") for group in layer(root, "units")] == [
        "unit fleet p1 LON", "unit fleet p1 WAL", "unit army p2 BRE", "unit fleet dislodged p2 ENG",
    ]  # fmt: skip
    assert len(having(root, "halo")) == 3 + 1  # LON, WAL, ENG; and one in the legend
    assert [group.get("class") for group in layer(root, "signs")] == ["bad", "bad"]
    assert not having(root, "contested")
    assert root.findtext(f"{SVG}title") == "6.F.14"
    description = root.findtext(f"{SVG}desc") or ""
    assert "France: A Brest, F English Channel (dislodged)." in description
    assert "F English Channel Convoys A Brest - London (disrupted, dislodged)" in description
    assert "Orders in cores: F LON S F WAL - ENG; F WAL - ENG; F ENG C A BRE - LON." in description


def test_contested_provinces_are_hatched() -> None:
    board = board_of({"ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]})
    outcome = judge(board, {"ITALY": ["A VEN - TYR"], "AUSTRIA": ["A VIE - TYR"]})
    root = read(render.svg(outcome.board, outcome))
    (area,) = having(root, "contested", "TYR")
    pattern = having(root, "hatch")[0]
    assert area.get("fill") == f"url(#{pattern.get('id')})"
    assert "Contested provinces: Tyrolia." in (root.findtext(f"{SVG}desc") or "")


def test_an_illegal_order_is_drawn_faintly_and_one_without_a_unit_is_told() -> None:
    orders = {"ITALY": ["A VEN - MOS", "A ROM - NAP"]}
    outcome = judge(board_of({"ITALY": ["A VEN"]}), orders)
    root = read(render.svg(outcome.board, outcome))
    assert [group.get("class") for group in layer(root, "orders")] == ["order move illegal void p4 VEN"]
    assert [group.get("class") for group in layer(root, "signs")] == ["void"]
    assert "Not drawn: A ROM - NAP of Italy (illegal)." in (root.findtext(f"{SVG}desc") or "")


def test_an_order_that_cannot_be_read_has_a_sign_at_its_unit() -> None:
    outcome = judge(board_of({"FRANCE": ["A PAR"]}), {"FRANCE": ["A PAR goes to sleep"]}, lenient=True)
    root = read(picture([scene_of(outcome)]))
    assert len(having(root, "sign")) == 2  # and that in the legend
    assert "A PAR goes to sleep (illegal)" in (root.findtext(f"{SVG}desc") or "")


def test_a_support_ends_on_the_arrow_that_it_helps_or_at_the_unit() -> None:
    units = {"FRANCE": ["A PAR", "A MAR", "A GAS"]}
    outcome = judge(board_of(units), {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS S A MAR"]})
    geometry = load_geometry("standard")
    move, for_move, for_unit = ArrowPlan(geometry, scene_of(outcome)).orders
    (arrow,), (to_move,), (to_unit,) = move.lines, for_move.lines, for_unit.lines
    assert to_move.dot is not None
    assert min(to_move.dot.distance_to(point) for point in arrow.points) < 4
    assert to_unit.dot is not None
    assert to_unit.dot.distance_to(geometry.find_unit_point("MAR")) < UNIT_WIDTH


def test_a_convoy_leads_from_sea_to_sea() -> None:
    """6.F.8-like: two fleets on one route; the army's arrow leaves from the last."""
    board = board_of({"ENGLAND": ["A LON", "F NTH", "F NWG"]})
    orders = {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY", "F NWG H"]}
    chains = [shown.chain for shown in scene_of(judge(board, orders)).orders]
    assert chains == [("NTH",), ("LON",), ()]
    board = board_of({"ENGLAND": ["A LON", "F ENG", "F MAO"]})
    orders = {"ENGLAND": ["A LON - POR", "F ENG C A LON - POR", "F MAO C A LON - POR"]}
    chains = [shown.chain for shown in scene_of(judge(board, orders)).orders]
    assert chains == [("MAO",), ("LON",), ("ENG",)]


def test_an_army_that_is_convoyed_is_a_wave_with_one_arrowhead() -> None:
    """Of two routes both waves lead on, but it is one attacker."""
    board = board_of({"ENGLAND": ["A LON", "F NTH", "F ENG", "A YOR"]})
    orders = {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG C A LON - BEL", "A YOR - EDI"]}
    outcome = judge(board, orders)
    army, *_, other = ArrowPlan(load_geometry("standard"), scene_of(outcome)).orders
    assert [line.wavy for line in army.lines] == [True, True]
    assert [bool(line.head) for line in army.lines] == [False, True]
    assert [(line.wavy, bool(line.head)) for line in other.lines] == [(False, True)]
    assert {"move", "move by convoy"} <= set(legend_words(read(render.svg(outcome))))
    assert "move by convoy" not in legend_words(drawn("6.C.1"))


@pytest.mark.parametrize(
    ("orders", "ghosts"),
    [
        ({"FRANCE": ["A MAR S A PAR - BUR", "A PAR H"]}, True),
        ({"FRANCE": ["A MAR S A PAR - BUR", "A PAR - BUR"]}, False),
        ({"ENGLAND": ["F NTH C A LON - BEL", "A LON H"]}, True),
        ({"ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL"]}, False),
    ],
)
def test_the_legend_explains_what_nobody_does(orders: dict[str, list[str]], ghosts: bool) -> None:
    root = read(render.svg(Position.of(orders).judge()))
    assert ("not ordered" in legend_words(root)) is ghosts
    assert bool(having(root, "ghost", "shaft")) is ghosts


@pytest.mark.parametrize(
    ("units", "orders"),
    [
        (["A BUR", "A MUN"], ["A BUR - MUN", "A MUN - BUR"]),
        (["A NWY", "F BAR", "F STP/NC"], ["A NWY - STP", "F STP/NC - NWY", "F BAR H"]),
        (["F SKA", "F SWE", "A DEN"], ["A DEN - SWE", "F SWE S F SKA", "F SKA C A DEN - SWE"]),  # a convoyed army's last leg
    ],
)
def test_what_leads_in_opposite_directions_is_bent_apart(units: list[str], orders: list[str]) -> None:
    plan = ArrowPlan(load_geometry("standard"), scene_of(judge(board_of({"ITALY": units}), {"ITALY": orders}))).orders
    one, other = (drawn.lines[-1].points for drawn in plan[:2])
    assert one[len(one) // 2].distance_to(other[len(other) // 2]) > 20


def test_a_long_arrow_goes_straight_if_no_unit_is_in_its_way() -> None:
    """Norway and St Petersburg touch far in the north."""
    geometry = load_geometry("standard")
    outcome = judge(board_of({"ENGLAND": ["A NWY"]}), {"ENGLAND": ["A NWY - STP"]})
    (one,) = ArrowPlan(geometry, scene_of(outcome)).orders
    start, end = geometry.find_unit_point("NWY"), geometry.find_unit_point("STP")
    assert max(point.distance_to(start) + point.distance_to(end) for point in one.lines[0].points) < 1.05 * start.distance_to(
        end
    )


def railway(identity: str) -> tuple[Geometry, list[DrawnOrder]]:
    """The lines of a case on the Colonial map, and where its provinces are."""
    sheet = find_bundled_case(identity)
    geometry = find_geometry(sheet.map)
    (scene,) = make_case_panels(sheet, load_rulebook("datc-2")).scenes
    return geometry, ArrowPlan(geometry, scene).orders


def near(line: Line, place: Point) -> float:
    """How near a line comes to a place."""
    return min(
        place.distance_to(one.move_towards(other, step / 8)) for one, other in pairwise(line.points) for step in range(9)
    )


def test_a_train_is_drawn_along_its_line_to_where_it_ended_and_faintly_from_there_on() -> None:
    """It bounces in Krasnoyarsk, and is back in Perm: in Omsk there is an army, which both lines pass by."""
    geometry, (train, *_) = railway("2.4/7.B.5")
    gone, rest = train.lines
    assert (gone.ghost, bool(gone.head)) == (False, True)
    assert gone.points[0].distance_to(geometry.find_unit_point("MOS")) < UNIT_WIDTH
    assert gone.points[-1].distance_to(geometry.find_unit_point("PRM")) < 6
    assert (rest.ghost, bool(rest.head)) == (True, True)
    assert rest.points[0].distance_to(geometry.find_unit_point("PRM")) < 6
    assert UNIT_HEIGHT / 2 < near(rest, geometry.find_unit_point("OMS")) < UNIT_WIDTH
    assert all(near(rest, geometry.find_unit_point(place)) < 6 for place in ("KRA", "IRK"))
    assert rest.points[-1].distance_to(geometry.find_unit_point("VLA")) < 6
    assert train.sign is not None
    assert train.sign.distance_to(geometry.find_unit_point("KRA")) < train.sign.distance_to(geometry.find_unit_point("OMS"))


@pytest.mark.parametrize(
    ("identity", "solid", "bounced"),
    [
        ("2.4/7.B.3", [True], False),  # it arrives
        ("2.4/7.B.12", [False], True),  # it does not come out of Moscow
        ("2.4/7.B.18", [True, False], False),  # it stops by itself, in a supply centre
    ],
)
def test_of_a_train_is_solid_what_it_has_behind_it(identity: str, solid: list[bool], bounced: bool) -> None:
    geometry, (train, *_) = railway(identity)
    assert [not line.ghost for line in train.lines] == solid
    assert (train.sign is not None) == bounced
    assert train.shown.ride is not None
    assert all(
        min(near(line, geometry.find_unit_point(place)) for line in train.lines) < UNIT_WIDTH for place in train.shown.ride.way
    )


def test_before_judging_the_whole_way_of_a_train_is_solid() -> None:
    """Beside a convoy paradox without an answer."""
    rulebook = load_rulebook("datc-2").with_settings(["4.A.2=none", "4.A.2.fallback=unresolved"])
    orders = "A Akita - Vladivostok\nF Sea of Japan C A Akita - Vladivostok\nChina:\nF Yellow Sea - Sea of Japan\n"
    orders += "F Vladivostok S F Yellow Sea - Sea of Japan\nRussia:\nA Moscow - TSR - Irkutsk\n"
    (sheet,) = read_sheets(f"map: colonial\nJapan:\n{orders}")
    panels = make_case_panels(sheet, rulebook)
    assert not panels.is_resolved
    *_, train = ArrowPlan(find_geometry(sheet.map), panels.scenes[0]).orders
    assert [line.ghost for line in train.lines] == [False]
    assert all(
        near(train.lines[0], find_geometry(sheet.map).find_unit_point(place)) < 6 for place in ("PRM", "OMS", "KRA", "IRK")
    )
    assert train.sign is None


def test_the_rest_of_a_train_is_explained_and_its_sign_too() -> None:
    words = legend_words(drawn("2.4/7.B.5"))
    assert {"rest of the railroad move", "fails, cut or disrupted"} <= set(words)
    assert "rest of the railroad move" not in legend_words(drawn("2.4/7.B.3"))


def test_a_support_of_a_train_ends_on_its_last_stage() -> None:
    geometry, (train, support, *_) = railway("2.4/7.B.8")
    (line,) = support.lines
    assert line.dot is not None
    assert near(train.lines[-1], line.dot) < 4
    assert near(train.lines[0], line.dot) > 20
    assert line.dot.distance_to(geometry.find_unit_point("VLA")) < geometry.find_unit_point("IRK").distance_to(
        geometry.find_unit_point("VLA")
    )


def test_a_permission_leads_from_the_keeper_of_the_canal_to_the_fleet_that_may_pass() -> None:
    geometry, (permission, fleet) = railway("2.4/7.C.2")
    (line,), (arrow,) = permission.lines, fleet.lines
    assert line.points[0].distance_to(geometry.find_unit_point("EGY")) < UNIT_WIDTH
    assert line.dot is not None
    assert near(arrow, line.dot) < 4
    root = drawn("2.4/7.C.2")
    assert len(having(root, "order", "permission", "granted", "EGY")) == 2  # the line, and its end
    assert "may pass the canal" in legend_words(root)
    assert "Not drawn" not in "".join(root.itertext())


def test_a_fleet_without_permission_has_the_sign_of_failure() -> None:
    _, (fleet,) = railway("2.4/7.C.1")
    assert fleet.sign is not None
    assert "may pass the canal" not in legend_words(drawn("2.4/7.C.1"))


def test_a_permission_that_does_not_count_has_the_sign_of_what_is_illegal() -> None:
    units = (Unit("TURKEY", UnitKind.ARMY, "EGY"), Unit("RUSSIA", UnitKind.FLEET, "MED"))
    board = Board(units, map=load_map("colonial"))
    orders = {"TURKEY": ["SC F MED - EGY"], "RUSSIA": ["F MED - RED"]}
    root = read(picture([scene_of(judge(board, orders, rulebook="datc-2"))]))
    assert len(having(root, "permission", "illegal", "EGY")) == 2
    assert not having(root, "good")
    assert len(having(root, "signs")[0]) == 2


def test_of_two_routes_only_the_whole_one_leads_on() -> None:
    """6.F.9: the fleet in the Channel is dislodged, the one in the North Sea convoys."""
    sheet = find_bundled_case("6.F.9")
    scene = scene_of(judge(sheet.board, sheet.orders_by_power()))
    assert next(shown.chain for shown in scene.orders if isinstance(shown.order, Move) and shown.origin == "LON") == ("NTH",)


def test_retreats_and_adjustments() -> None:
    retreats = drawn("6.H.11")
    assert [element.text for element in having(retreats, "caption")] == ["Moves", "Retreats"]
    assert having(retreats, "order", "retreat", "succeeds", "MAR")
    assert having(retreats, "unit", "dislodged", "MAR")
    disorder = drawn("6.J.3")
    assert having(disorder, "unit", "removed", "disorder", "PRU")
    assert "removed by civil disorder" in legend_words(disorder)


@pytest.mark.parametrize(("identity", "where"), [("6.I.1", "WAR"), ("6.I.3", "BER"), ("6.I.4", "STP"), ("6.I.7", "MOS")])
def test_what_may_not_be_built_is_drawn_with_a_sign(identity: str, where: str) -> None:
    root = drawn(identity)
    assert having(root, "unit", "illegal", where)
    assert [sign.get("class") for sign in layer(root, "signs")].count("void") >= 1
    assert {"illegal or invalid", "illegal build"} <= set(legend_words(root))
    legal = drawn("6.H.11")
    assert not {"illegal or invalid", "illegal build"} & set(legend_words(legal))


def test_centres_are_explained_where_they_are() -> None:
    assert "supply centre" in legend_words(drawn("6.C.1"))
    assert "owned centre" not in legend_words(drawn("6.C.1"))
    assert "owned centre" in legend_words(drawn("6.J.3"))


def test_a_build_is_drawn_as_a_new_unit() -> None:
    board = Board((), centers={"PAR": "FRANCE"}, phase=satjudge.Phase.ADJUSTMENT)
    outcome = judge_phase(board, {"FRANCE": ["A PAR B"]})
    root = read(render.svg(board, outcome))
    assert having(root, "unit", "army", "built", "PAR")
    assert having(root, "province", "owned", "PAR")
    assert having(root, "center", "PAR")


def test_a_dislodged_unit_that_is_not_ordered_is_disbanded() -> None:
    outcome = judge(
        board_of({"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"]}), {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]}
    )
    waiting = outcome.next_board
    alone = read(render.svg(waiting))
    assert having(alone, "unit", "dislodged", "TRI")
    retreats = judge_phase(waiting, {})
    assert having(read(render.svg(waiting, retreats)), "unit", "disbanded", "TRI")


def test_what_differs_between_rulebooks_is_marked() -> None:
    rulebooks = [load_rulebook(name) for name in ("datc-3", "1971", "1982")]
    panels = make_comparison_panels(find_bundled_case("6.F.9"), rulebooks)
    assert [scene.caption for scene in panels.scenes] == ["datc-3, 1982", "1971"]
    marked = [[shown.text for shown in scene.orders if shown.highlight] for scene in panels.scenes]
    assert marked == [[], ["A LON - BEL"]]
    assert panels.notes == ("1971: 4.A.1 (When is a convoy with several routes disrupted?)",)


def test_resolutions_side_by_side_and_the_ruling() -> None:
    panels = make_resolution_panels(find_bundled_case("6.F.14"), load_rulebook())
    assert [scene.caption for scene in panels.scenes] == ["Resolution 1 of 2", "Resolution 2 of 2", "Ruled by datc-3"]
    assert [scene.orders[0].word for scene in panels.scenes] == ["given", "cut", "given"]
    assert panels.notes == ("The core of 3 orders has 2 resolutions; the Szykman rule decides.",)
    none = make_resolution_panels(find_bundled_case("6.F.17"), load_rulebook())
    assert none.notes[0] == "There is no consistent resolution."
    many = make_resolution_panels(find_bundled_case("6.F.14"), load_rulebook(), most_shown=1)
    assert many.notes[0] == "The first 1 of 2 consistent resolutions."


def test_a_core_without_an_answer_is_drawn_with_its_orders() -> None:
    rulebook = load_rulebook().with_settings(["4.A.2=none", "4.A.2.fallback=unresolved"])
    panels = make_case_panels(find_bundled_case("6.F.14"), rulebook)
    assert not panels.is_resolved
    assert [shown.highlight for shown in panels.scenes[0].orders] == ["core", "core", "", "core"]
    assert [str(shown.verdict) for shown in panels.scenes[0].orders] == ["unresolved"] * 4
    assert panels.scenes[0].caption == f"{rulebook.name}: no answer"
    root = read(picture(panels.scenes))
    assert len([group for group in layer(root, "orders") if "unresolved" in classes(group)]) == 4
    assert "no answer" in legend_words(root)
    assert "no answer" not in legend_words(drawn("6.F.14"))
    assert not make_resolution_panels(find_bundled_case("6.F.14"), rulebook).is_resolved


def test_rulebooks_without_an_answer_say_so_and_mark_nothing() -> None:
    """6.F.24 under 1971 has none: the others are compared with the first that has one."""
    rulebooks = [load_rulebook(name) for name in ("1971", "datc-3", "1982", "2000")]
    panels = make_comparison_panels(find_bundled_case("6.F.24"), rulebooks)
    assert [scene.caption for scene in panels.scenes] == ["1971, 2000: no answer", "datc-3", "1982"]
    marked = [[shown.text for shown in scene.orders if shown.highlight] for scene in panels.scenes]
    assert marked == [[], [], ["F ENG C A BRE - LON"]]
    assert {shown.word for shown in panels.scenes[0].orders} == {"unresolved"}


# ---- nothing hides anything ----


def symbols(scene: Scene) -> dict[Unit, Box]:
    """Where the units are drawn."""
    places = ArrowPlan(load_geometry("standard"), scene).units
    x, y = UNIT_WIDTH / 2, UNIT_HEIGHT / 2
    boxes = (Box(at.x - x, at.y - y, at.x + x, at.y + y) for at in places)
    return {figure.unit: box for figure, box in zip(scene.figures, boxes, strict=True)}


@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_no_line_runs_over_units_or_labels_and_no_sign_lies_on_another(name: str) -> None:
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / f"{name}.txt")
    (scene,) = make_case_panels(sheet, load_rulebook()).scenes
    plan, boxes = ArrowPlan(load_geometry("standard"), scene).orders, symbols(scene)
    for one in plan:
        for line in one.lines:
            for point in line.points:
                pen = Box(point.x - 1, point.y - 1, point.x + 1, point.y + 1)
                over = [str(unit) for unit, box in boxes.items() if box.overlaps(pen)]
                assert not over, f"{one.shown.text} runs over {over}"
    labels = place_labels(ArrowPlan(load_geometry("standard"), scene), load_geometry("standard").box)
    lines = [point for one in plan for line in one.lines for point in line.points]
    hidden = [
        code for code, at in labels.items() if any(measure_label(at, code).contains(Box(*point, *point)) for point in lines)
    ]
    assert len(labels) == 75
    assert len(hidden) <= 2, hidden
    signs = [one.sign for one in plan if one.sign]
    assert all(one.distance_to(other) > 12 for one, other in combinations(signs, 2))


@pytest.mark.parametrize("size", [LABEL, 13.0])
@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_no_label_touches_another(name: str, size: float) -> None:
    """Small and large letters; in the midgame the name of Holland gives way to lines, and that of the Ruhr to Holland's."""
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / f"{name}.txt")
    (scene,) = make_case_panels(sheet, load_rulebook()).scenes
    geometry = load_geometry("standard")
    labels = place_labels(ArrowPlan(geometry, scene), geometry.box, size)
    boxes = {code: measure_label(at, code, size) for code, at in labels.items()}
    assert len(boxes) == 75
    assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]


def test_no_label_lies_under_the_frame_of_a_dislodged_unit() -> None:
    (sheet,) = load_sheets(ROOT / "docs" / "pictures" / "midgame.txt")
    (scene,) = make_case_panels(sheet, load_rulebook()).scenes
    geometry = load_geometry("standard")
    labels = place_labels(ArrowPlan(geometry, scene), geometry.box)
    framed = [box for figure, box in zip(scene.figures, symbols(scene).values(), strict=True) if figure.fate]
    assert len(framed) > 3
    for box in framed:
        frame = Box(box.left - 4, box.top - 4, box.right + 4, box.bottom + 4)
        assert not [code for code, at in labels.items() if measure_label(at, code).overlaps(frame)]


def test_no_label_lies_under_a_sign_at_the_corner_of_a_unit() -> None:
    """6.J.1: an army in Paris that may not be removed."""
    (scene,) = make_case_panels(find_bundled_case("6.J.1"), load_rulebook()).scenes
    geometry = load_geometry("standard")
    plan = ArrowPlan(geometry, scene).orders
    (sign,) = (one.sign for one in plan if one.sign)
    labels = place_labels(ArrowPlan(geometry, scene), geometry.box)
    disc = Box(sign.x - 6, sign.y - 6, sign.x + 6, sign.y + 6)
    assert not [code for code, at in labels.items() if measure_label(at, code).overlaps(disc)]


@pytest.mark.parametrize("identity", ["6.D.34", "6.E.2", "6.E.15", "6.F.1"])
def test_signs_keep_their_distance_on_short_arrows(identity: str) -> None:
    (scene,) = make_case_panels(find_bundled_case(identity), load_rulebook()).scenes
    signs = [one.sign for one in ArrowPlan(load_geometry("standard"), scene).orders if one.sign]
    assert len(signs) > 1
    assert all(one.distance_to(other) > 12 for one, other in combinations(signs, 2))


@settings(max_examples=40)
@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4, unique=True), st.text(max_size=40))
def test_whatever_names_hold_the_picture_is_well_formed(powers: list[str], title: str) -> None:
    places = ("PAR", "BUR", "MUN", "BOH")
    board = Board(tuple(Unit(power, UnitKind.ARMY, place) for power, place in zip(powers, places, strict=False)))
    root = read(render.svg(board, title=title))
    assert len(layer(root, "units")) == len(powers)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "pattern", "g", "path", "rect", "circle", "text",
    }  # fmt: skip


# ---- layout ----


def test_the_view_holds_what_happens_and_is_the_whole_map_when_asked() -> None:
    near, whole = drawn("6.F.14"), drawn("6.F.14", whole=True)
    boxes = [[float(part) for part in having(root, "panel")[0].get("viewBox", "").split()] for root in (near, whole)]
    geometry = load_geometry("standard")
    assert boxes[1] == [0, 0, geometry.width, geometry.height]
    left, top, width, height = boxes[0]
    for location in ("LON", "WAL", "ENG", "BRE"):
        at = geometry.find_unit_point(location)
        assert left + 20 < at.x < left + width - 20
        assert top + 20 < at.y < top + height - 20
    assert width < geometry.width / 2
    provinces = [[area for area in layer(root, "areas") if "province" in classes(area)] for root in (near, whole)]
    assert len(provinces[0]) < len(provinces[1]) == 75


@pytest.mark.parametrize("width", [300, *(pytest.param(width, marks=pytest.mark.slow) for width in (600, 1200)), 4000])
@pytest.mark.parametrize("identity", ["6.F.14", "6.F.28"])
def test_a_picture_is_as_wide_as_was_asked_for(identity: str, width: int) -> None:
    panels = make_resolution_panels(find_bundled_case(identity), load_rulebook())
    root = read(picture(panels.scenes, title=40 * "long ", look=Look(width=width)))
    assert root.get("width") == str(width)
    _, _, inner_width, inner_height = (float(part) for part in root.get("viewBox", "").split())
    assert float(root.get("height", "")) == pytest.approx(width * inner_height / inner_width, abs=1)
    panels_wide = [float(panel.get("x", "")) + float(panel.get("width", "")) for panel in having(root, "panel")]
    assert max(panels_wide) <= inner_width


def test_a_long_title_is_broken_and_does_not_widen_the_picture() -> None:
    scenes = make_case_panels(find_bundled_case("6.F.14"), load_rulebook()).scenes
    short, long = (read(picture(scenes, title=title)) for title in ("short", 60 * "long "))
    assert short.get("width") == long.get("width")
    assert len(having(long, "title")) > 3


@pytest.mark.parametrize(
    ("identity", "width", "crop", "columns"),
    [
        ("6.F.28", 1200, None, 1),  # the whole map
        ("6.F.28", 1200, Box(0, 0, 1037, 1055), 2),
        ("6.F.28", 600, None, 1),
        ("6.F.14", 1200, None, 3),
    ],
)
def test_maps_side_by_side_do_not_become_tiny(identity: str, width: int, crop: Box | None, columns: int) -> None:
    panels = make_resolution_panels(find_bundled_case(identity), load_rulebook())
    root = read(picture(panels.scenes, look=Look(width=width, crop=crop)))
    assert len(panels.scenes) == 3
    assert len({panel.get("x") for panel in having(root, "panel")}) == columns


def test_captions_are_broken() -> None:
    (scene,) = make_case_panels(find_bundled_case("6.F.14"), load_rulebook()).scenes
    scenes = [replace(scene, caption=caption) for caption in ("short", 20 * "long ")]
    root = read(picture(scenes, look=Look(width=600)))
    lines = [float(line.get("y", "")) for line in having(root, "caption")]
    assert len(lines) > 3
    assert max(lines) < min(float(panel.get("y", "")) for panel in having(root, "panel"))


@pytest.fixture(scope="module")
def legend() -> list[LegendItem]:
    """What the legend of a large paradox holds."""
    scene = make_case_panels(find_bundled_case("6.F.28"), load_rulebook()).scenes[0]
    return list_items([scene], choose_styles([scene]))


@given(st.integers(300, 2000))
def test_the_legend_fits_into_the_picture(legend: list[LegendItem], width: int) -> None:
    placed = break_rows(legend, width)
    assert [entry for row in placed for entry in row] == legend
    assert all(sum(entry.width for entry in row) <= width or len(row) == 1 for row in placed)


@given(st.text(max_size=200), st.floats(50, 1000))
def test_text_is_broken_without_loss(text: str, width: float) -> None:
    lines = break_lines(text, width, 13)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(measure_text(line, 13) <= width or len(line) == 1 for line in lines)
    if all(measure_text(word, 13) <= width for word in text.split()):
        assert " ".join(lines).split() == text.split()


def test_a_picture_is_the_same_every_time_and_ids_differ_between_pictures() -> None:
    board = starting_board()
    assert render.svg(board) == render.svg(starting_board())
    one, other = read(render.svg(board)), read(render.svg(replace(board, units=board.units[1:])))
    assert not {e.get("id") for e in one.iter() if e.get("id")} & {e.get("id") for e in other.iter() if e.get("id")}
    assert one.get("aria-labelledby", "").split() == [e.get("id") for e in list(one)[:2]]
    assert one.get("role") == "img"


def test_light_dark_and_auto() -> None:
    board = starting_board()
    light, dark, auto = (render.svg(board, theme=theme) for theme in ("light", "dark", "auto"))
    assert "prefers-color-scheme" not in light + dark
    assert "prefers-color-scheme:dark" in auto
    assert LIGHT.sea in light
    assert DARK.sea not in light
    assert DARK.sea in dark
    with pytest.raises(RequestError, match=r"there is no theme 'pink' .*auto, light, dark"):
        render.svg(board, theme="pink")
    with pytest.raises(RequestError, match="299 pixels wide"):
        render.svg(board, width=299)


def drawn_by(value: Displayable) -> str | None:
    """The picture in what a notebook shows of a value."""
    found = re.search(r"<svg.*</svg>", value._repr_html_(), re.DOTALL)
    return found and found[0]


def test_notebooks_show_boards_and_outcomes() -> None:
    board = starting_board()
    assert drawn_by(board) == render.svg(board, width=900)
    outcome = judge(board, {"FRANCE": ["A PAR - BUR"]})
    shown = drawn_by(outcome)
    assert shown is not None
    assert having(read(shown), "order", "move", "succeeds", "PAR")
    there = board_of({"ITALY": ["A VEN", "A TYR"], "AUSTRIA": ["A TRI"]})
    driven_out = judge(there, {"ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]})
    retreats = drawn_by(judge_phase(driven_out.next_board, {"AUSTRIA": ["A TRI R BUD"]}))
    assert retreats is not None
    assert having(read(retreats), "order", "retreat", "succeeds", "TRI")
    home = Board((), centers={"PAR": "FRANCE"}, phase=satjudge.Phase.ADJUSTMENT)
    builds = drawn_by(judge_phase(home, {"FRANCE": ["A PAR B"]}))
    assert builds is not None
    assert having(read(builds), "unit", "army", "built", "PAR")
    assert render.svg(board)._repr_svg_() == render.svg(board)
    assert render.svg(outcome) == render.svg(board, outcome)
    assert drawn_by(Board((), map=load_map("loeb9"))) is not None


def test_a_geometry_that_is_not_there_is_told() -> None:
    told = r"'elsewhere' cannot be drawn: there is no file models/maps/elsewhere.geo.json"
    with pytest.raises(NotFoundError, match=told) as refusal:
        load_geometry("elsewhere")
    assert refusal.value.suggestion == "satjudge judge, explain, resolutions and equations show the same as text"


def test_every_location_has_a_place_and_fleets_stand_on_their_coasts() -> None:
    game_map, geometry = load_map(), load_geometry("standard")
    assert set(geometry.provinces) == set(game_map.provinces)
    for province in game_map.provinces.values():
        places = [geometry.find_unit_point(location) for location in province.locations]
        assert len(set(places)) == len(places), f"the coasts of {province.code}"
        assert (geometry.provinces[province.code].center is not None) == province.center


# ---- PNG ----


def test_a_png_shows_the_colours_of_the_style_sheet() -> None:
    """The library must read selectors as browsers do: a unit is as blue as England, the sea as the sea."""
    board = board_of({"ENGLAND": ["F ENG"]})
    svg = render.svg(board, theme="light", width=800, whole=True)
    root, image = read(svg), imread(io.BytesIO(to_png(svg)))
    assert image.shape[1::-1] == (int(root.get("width", "")), int(root.get("height", "")))
    panel = having(root, "panel")[0]
    scale = float(panel.get("width", "")) / load_geometry("standard").width

    def colour(at: Point) -> str:
        x, y = float(panel.get("x", "")) + at.x * scale, float(panel.get("y", "")) + at.y * scale
        return "#" + "".join(f"{round(255 * channel):02x}" for channel in image[round(y), round(x), :3])

    unit = load_geometry("standard").find_unit_point("ENG")
    above_its_n = Point(unit.x + 8, unit.y - 6)
    assert colour(above_its_n) == choose_styles([position(board)])["ENGLAND"].colour
    nao = load_geometry("standard").find_unit_point("NAO")
    assert colour(nao) == LIGHT.sea


def ink(svg: str) -> NDArray[numpy.bool_]:
    """The pixels that differ from those of the picture without its texts."""
    bare = read(svg)
    for parent in list(bare.iter()):
        for child in parent.findall(f"{SVG}text"):
            parent.remove(child)
    with_text, without = (imread(io.BytesIO(to_png(drawn))) for drawn in (svg, ElementTree.tostring(bare, "unicode")))
    differing: NDArray[numpy.bool_] = numpy.any(with_text != without, axis=2)
    return differing


def test_a_png_is_written_with_the_font_that_comes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No font of the machine is read, so that a machine without any writes the same."""
    asked: list[dict[str, Any]] = []

    def noting(**options: Any) -> bytes:  # noqa: ANN401
        asked.append(options)
        return bytes(svg_to_bytes(**options))

    monkeypatch.setattr("resvg_py.svg_to_bytes", noting)
    board = board_of({"ENGLAND": ["F ENG"], "FRANCE": ["A PAR"]})
    root = read(svg := str(render.svg(board, title="Größe – Ελλάς – Москва", theme="light")))
    written = ink(svg)
    assert [options["skip_system_fonts"] for options in asked] == [True, True]
    title, *_ = having(root, "title")
    x, y, long = float(title.get("x", "")), float(title.get("y", "")), measure_text(title.text or "", 19)
    assert written[round(y - 14) : round(y), round(x) : round(x + long)].sum() > 500
    assert written.sum() > 2 * written[: round(y) + 5].sum()
    assert [Path(file).name for file in asked[0]["font_files"]] == ["OpenSans-Regular.ttf", "OpenSans-Bold.ttf"]


def test_other_letters_of_a_png_are_drawn_with_the_fonts_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def noting(*, skip_system_fonts: bool, **_: object) -> bytes:
        asked.append(skip_system_fonts)
        return b""

    monkeypatch.setattr("resvg_py.svg_to_bytes", noting)
    to_png("<svg><text>Łódź</text></svg>")
    to_png("<svg><text>外交</text></svg>")
    assert asked == [True, False]


def test_a_png_needs_the_library_and_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    hint = r"\(pip install resvg-py ttf-opensans, or write an .svg\)"
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "ttf_opensans", None)
        with pytest.raises(RequestError, match=f"need the font Open Sans {hint}"):
            to_png("<svg/>")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(RequestError, match=f"need the library resvg-py {hint}"):
        to_png("<svg/>")


# ---- the command ----


@pytest.fixture
def rendered(tmp_path: Path) -> Callable[..., Path]:
    def call(file: str, *arguments: str, suffix: str = ".svg", code: int = 0) -> Path:
        path = tmp_path / f"picture{suffix}"
        assert run(["render", file, "-o", str(path), *arguments]) == code
        return path

    return call


def test_the_command_writes_svg_and_png(rendered: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    root = read(rendered("datc:6.C.1").read_text(encoding="utf-8"))
    assert root.findtext(f"{SVG}title") == "6.C.1: Three army circular movement"
    assert "wrote " in capsys.readouterr().err
    assert rendered("datc:6.C.1", suffix=".png").read_bytes().startswith(b"\x89PNG\r\n")
    panels = having(read(rendered("datc:6.F.14", "--resolutions").read_text(encoding="utf-8")), "panel")
    assert len(panels) == 3
    compared = read(rendered("datc:6.F.9", "--compare", "datc-3,1971").read_text(encoding="utf-8"))
    assert having(compared, "highlight", "differs")
    plain = read(rendered("datc:6.C.1", "--legend", "no", "--title", "A circle").read_text(encoding="utf-8"))
    assert not having(plain, "legend")
    assert plain.findtext(f"{SVG}title") == "A circle"


def test_the_command_tells_how_it_came_about(rendered: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    rendered("datc:6.F.14", "--set", "4.A.2=all-hold", "--json")
    told = capsys.readouterr().out
    assert '"4.A.2": "all-hold"' in told
    assert satjudge.__version__ in told
    assert "F English Channel" in told


def test_a_rulebook_without_an_answer_is_no_reason_to_draw_nothing(rendered: Callable[..., Path]) -> None:
    silent = ("--set", "4.A.2=none", "--set", "4.A.2.fallback=unresolved")
    root = read(rendered("datc:6.F.14", *silent, code=1).read_text(encoding="utf-8"))
    assert "has no answer to this core" in (root.findtext(f"{SVG}desc") or "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["datc:6.C.1", "-o", "x.gif"], "render writes .svg or .png, not .gif"),
        (["datc:6.C.1", "-o", "x.svg", "--resolutions", "--compare", "all"], "choose one"),
        (["datc:6.C.1", "-o", "x.svg", "--theme", "pink"], "there is no theme 'pink'"),
        (["datc:6.C.1", "-o", "x.svg", "--width", "10"], "choose 300 to 10000"),
        (["datc:6.C.1", "-o", "nowhere/x.svg"], "nowhere/x.svg"),
        (["datc:6.I.1", "-o", "x.svg", "--resolutions"], "only movement phases have resolutions"),
        ([str(FILES["datc-3.2/6.C.txt"]), "-o", "x.svg"], "choose one with --case ID (the IDs are 6.C.1, 6.C.2"),
        ([str(FILES["datc-3.2/6.C.txt"]), "-o", "x.svg", "--case", "6.C.99"], "there is no case 6.C.99"),
    ],
)
def test_bad_usage_is_told(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["render", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_drawn_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.svg"
    sheet.write_text("France:\n  A PAR - BUR\n", encoding="utf-8")
    assert run(["render", str(sheet), "-o", f"{tmp_path}/../{tmp_path.name}/sheet.svg"]) == 2
    assert "is FILE itself" in capsys.readouterr().err
    assert sheet.read_text(encoding="utf-8") == "France:\n  A PAR - BUR\n"


def test_a_case_of_a_file_can_be_chosen(rendered: Callable[..., Path]) -> None:
    root = read(rendered(str(FILES["datc-3.2/6.C.txt"]), "--case", "6.C.2").read_text(encoding="utf-8"))
    assert (root.findtext(f"{SVG}title") or "").startswith("6.C.2")


# ---- the pictures of the documentation ----


def test_the_pictures_of_the_documentation_are_those_that_are_drawn_now(tmp_path: Path) -> None:
    """`make generated` writes them anew."""
    maker: dict[str, object] = {"__file__": str(ROOT / "docs" / "pictures" / "make_pictures.py"), "__name__": "maker"}
    exec(compile(Path(str(maker["__file__"])).read_text(encoding="utf-8"), str(maker["__file__"]), "exec"), maker)
    assert maker["make"](tmp_path) == 0  # type: ignore[operator]
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    del kept["rooms.svg"]  # `make_rooms.py` draws it (tests/house/test_architecture.py)
    assert sorted(made) == sorted(kept)
    assert [name for name in made if made[name] != kept[name]] == [], "run `make generated`"
