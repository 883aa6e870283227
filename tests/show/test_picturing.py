"""Pictures are legible where much happens in little room, and the command says what it does not do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from helpers.boards import board_of
from helpers.pictures import having, shipped

from satjudge import Board, Unit, judge, judge_phase, load_map, parse_unit, render, starting_board
from satjudge.apps.cli import run
from satjudge.base.errors import RequestError
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.show.pictures import Look, Scene, picture, scene_of
from satjudge.show.pictures.arrows import ArrowPlan, DrawnOrder
from satjudge.show.pictures.curves import SMALL_SIGN, UNIT_HEIGHT, UNIT_WIDTH, Disc, find_sign_place
from satjudge.show.pictures.geometry import Box, Point, load_geometry
from satjudge.show.pictures.labels import measure_label, place_labels
from satjudge.show.pictures.scene import Panels, make_case_panels, make_comparison_panels, make_resolution_panels
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Convoy, SupportMove
from satjudge.world.rules import load_rulebook

MIDGAME = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "midgame.txt"
SVG = "{http://www.w3.org/2000/svg}"
SHEET = """
case coast: A dislodged fleet on each side of Spain
France:
  F MAO - SPA/SC
  F WES S F MAO - SPA/SC
  A PIE H
England:
  F SPA/NC H
  F BAR - STP/NC
  A NWY S F BAR - STP
Russia:
  F STP/NC H
Germany:
  A MUN - BUR
Austria:
  A MAR - BUR
retreats
England:
  F SPA/NC R GAS
Russia:
  F STP/NC R FIN
"""


def panels_of(text: str) -> Panels:
    (sheet,) = read_sheets(text)
    return make_case_panels(sheet, load_rulebook())


def midgame() -> Scene:
    (sheet,) = load_sheets(MIDGAME)
    return make_case_panels(sheet, load_rulebook()).scenes[0]


def plan(scene: Scene) -> list[DrawnOrder]:
    return ArrowPlan(load_geometry("standard"), scene).orders


# ---- places of units ----


def test_a_dislodged_fleet_waits_on_its_own_coast() -> None:
    geometry = load_geometry("standard")
    _, scene = panels_of(SHEET).scenes
    places = {str(f.unit): at for f, at in zip(scene.figures, ArrowPlan(geometry, scene).units, strict=True) if f.waiting}
    assert places["F SPA/NC"] == geometry.find_unit_point("SPA/NC")  # nobody else is there: the attacker is on the south coast
    assert UNIT_HEIGHT < places["F STP/NC"].distance_to(geometry.find_unit_point("STP/NC")) < 2 * UNIT_WIDTH
    (retreat,) = (one for one in plan(scene) if one.shown.origin == "SPA/NC")
    assert retreat.lines[0].points[0].distance_to(geometry.find_unit_point("SPA/NC")) < 20


def test_a_fleet_that_may_not_be_built_is_drawn_on_its_coast() -> None:
    geometry = load_geometry("standard")
    (standing,) = board_of(RUSSIA="A STP").units
    board = Board((standing,), centers={"STP": "RUSSIA", "MOS": "RUSSIA"}, phase=find_bundled_case("6.I.1").board.phase)
    scene = scene_of(judge_phase(board, {"RUSSIA": ["F STP/NC B"]}))
    assert [figure.fate for figure in scene.figures] == ["", "illegal"]
    assert ArrowPlan(geometry, scene).units[1] == geometry.find_unit_point("STP/NC")


# ---- lines, dots and signs in little room ----


def seen_of(one: DrawnOrder, places: list[Point]) -> float:
    """How much of a line no unit hides."""
    points = one.lines[-1].points
    boxes = [Box(at.x - UNIT_WIDTH / 2, at.y - UNIT_HEIGHT / 2, at.x + UNIT_WIDTH / 2, at.y + UNIT_HEIGHT / 2) for at in places]
    steps = [(a, b) for a, b in pairwise(points) if not any(box.contains(Box(*b, *b)) for box in boxes)]
    return sum(a.distance_to(b) for a, b in steps)


def test_of_every_move_between_neighbours_something_is_seen() -> None:
    """Berlin and Kiel, Piedmont and Venice, Clyde and Edinburgh, the Ruhr and Holland are close."""
    game_map, geometry = load_map(), load_geometry("standard")
    armies = [province.code for province in game_map.provinces.values() if "A" in game_map_kinds(province.code)]
    pairs = [
        (a, b)
        for a in armies
        for b in game_map.exits(UnitKind.ARMY, a)
        if geometry.find_unit_point(a).distance_to(geometry.find_unit_point(b)) < 80
    ]
    assert {("BER", "KIE"), ("PIE", "VEN"), ("CLY", "EDI"), ("RUH", "HOL")} <= set(pairs)
    for origin, destination in pairs:
        board = Board((Unit("ITALY", UnitKind.ARMY, origin), Unit("FRANCE", UnitKind.ARMY, destination)))
        scene = scene_of(judge(board, {"ITALY": [f"A {origin} - {destination}"]}))
        (one,) = plan(scene)
        assert seen_of(one, ArrowPlan(geometry, scene).units) > 26, f"{origin} - {destination}"


def game_map_kinds(province: str) -> str:
    """What may stand in a province."""
    game_map = load_map()
    return "".join(str(kind) for kind in UnitKind if game_map.problem_with(kind, province) is None)


@pytest.mark.parametrize("scene", [*map(shipped, ("6.E.15", "6.D.34", "6.D.33", "6.F.28")), midgame()], ids=range(5))
def test_no_sign_hides_an_arrowhead_or_a_dot(scene: Scene) -> None:
    drawn = plan(scene)
    ends = [end for one in drawn for line in one.lines for end in line.iter_ends()]
    signs = [one.sign for one in drawn if one.sign and one.lines]
    assert signs
    assert all(sign.distance_to(end.middle) > SMALL_SIGN + 1 for sign in signs for end in ends)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_no_sign_hides_the_letters_of_a_unit(step: int) -> None:
    """In 6.A.5 an army moves to where it stands: the sign is at its corner."""
    for sheet in (sheet for path in list_case_files() if "datc-3.2" in str(path) for sheet in load_sheets(path)[::step]):
        for scene in make_case_panels(sheet, load_rulebook()).scenes:
            places = ArrowPlan(load_geometry("standard"), scene).units
            signs = [one.sign for one in plan(scene) if one.sign]
            hidden = [at for at in places for sign in signs if abs(at.x - sign.x) < 11 and abs(at.y - sign.y) < 8]
            assert not hidden, sheet.identity


def test_two_supports_of_one_move_are_seen_to_end_there() -> None:
    """Else those of Greece and Rumania, on both sides of the arrow, would look like one that leads from unit to unit."""
    board = board_of(AUSTRIA="A SER, A RUM, F GRE")
    outcome = judge(board, {"AUSTRIA": ["A SER - BUL", "A RUM S A SER - BUL", "F GRE S A SER - BUL"]})
    dots = [line.dot for one in plan(scene_of(outcome)) if isinstance(one.shown.order, SupportMove) for line in one.lines]
    one, other = dots
    assert one is not None
    assert other is not None
    assert one.distance_to(other) > 8


def test_a_sign_gives_way_and_goes_where_it_is_wanted_if_it_can() -> None:
    line = (Point(0, 0), Point(100, 0))
    assert find_sign_place(line, 0.5, 7, (), ()) == Point(50, 0)
    aside = find_sign_place(line, 0.5, 7, (), [Disc(Point(50, 0), 4)])
    assert 11 < abs(aside.x - 50) < 20
    assert UNIT_WIDTH / 2 + 5 < abs(find_sign_place(line, 0.5, 7, [Point(50, 0)], ()).x - 50) < 30
    assert find_sign_place((Point(1, 1), Point(1, 1)), 0.5, 7, (), ()) == Point(1, 1)


def test_an_arrowhead_is_at_the_end_of_its_shaft_however_long_it_is() -> None:
    board = board_of(TURKEY="A SYR")
    (one,) = plan(scene_of(judge(board, {"TURKEY": ["A SYR - EDI"]})))
    x, y = map(float, re.findall(r"[\d.]+", one.lines[0].path)[-2:])
    assert Point(x, y).distance_to(one.lines[0].points[-1]) < 9


def test_a_route_that_does_not_hold_is_drawn_to_its_end_faintly() -> None:
    """6.F.9: the fleet in the Channel is dislodged; the army arrives over the North Sea."""
    scene = shipped("6.F.9")
    (lost,) = (one for one in plan(scene) if isinstance(one.shown.order, Convoy) and one.shown.origin == "ENG")
    assert [line.ghost for line in lost.lines] == [False, True]
    assert lost.lines[1].points[-1].distance_to(load_geometry("standard").find_unit_point("BEL")) < 12
    (used,) = (one for one in plan(scene) if isinstance(one.shown.order, Convoy) and one.shown.origin == "NTH")
    assert [line.ghost for line in used.lines] == [False]


@pytest.mark.parametrize("identity", ["6.A.5", "6.C.7", "6.D.5", "6.E.15", "6.F.14", "6.F.19"])
def test_labels_keep_clear_of_signs_and_lines(identity: str) -> None:
    scene, geometry = shipped(identity), load_geometry("standard")
    drawn = plan(scene)
    boxes = {code: measure_label(at, code) for code, at in place_labels(ArrowPlan(geometry, scene), geometry.box).items()}
    points = [point for one in drawn for line in one.lines for point in line.points]
    signs = [Box(one.sign.x - 5, one.sign.y - 5, one.sign.x + 5, one.sign.y + 5) for one in drawn if one.sign]
    assert not [code for code, box in boxes.items() if any(box.contains(Box(*point, *point)) for point in points)]
    assert not [code for code, box in boxes.items() if any(box.overlaps(sign) for sign in signs)]
    assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]


# ---- what is contested ----


def test_only_what_a_stand_off_left_empty_is_hatched_and_so_it_is_among_the_retreats() -> None:
    moves, retreats = panels_of(SHEET).scenes
    assert moves.contested == retreats.contested == {"BUR"}
    beleaguered = judge(board_of(ITALY="A TYR", AUSTRIA="A VIE", RUSSIA="A BOH"), {"ITALY": ["A TYR - BOH"]})
    assert beleaguered.contested == {"BOH"}
    assert scene_of(beleaguered).contested == frozenset()
    root = ElementTree.fromstring(picture([moves, retreats]))
    assert len(having(root, "contested", "BUR")) == 2
    assert "contested: no retreat there" in [word.text for word in having(root, "word")]


# ---- the whole ----


def test_renderers_that_are_no_browsers_find_a_root_with_a_size() -> None:
    """CairoSVG draws nothing where a style sets the height of the root to `auto`."""
    root = ElementTree.fromstring(render.svg(starting_board()))
    rules = root.findtext(f"{SVG}style") or ""
    assert "style" not in root.attrib
    assert "@media screen{.satjudge.auto{max-width:100%;height:auto}}" in rules
    assert not re.search(r"^\.satjudge\.auto\{[^}]*(width|height)", rules, re.MULTILINE)


@pytest.mark.parametrize("title", ["Donaudampfschifffahrtsgesellschaftskapitän" * 3, "棋" * 80], ids=["long", "wide"])
def test_a_title_without_blanks_is_broken(title: str) -> None:
    root = ElementTree.fromstring(render.svg(board_of(FRANCE="A PAR"), title=title))
    lines = [line.text or "" for line in having(root, "title")]
    assert "".join(lines) == title
    assert len(lines) > 2


def test_panels_of_the_whole_map_lie_below_each_other() -> None:
    scene = replace(midgame(), caption="Moves")
    root = ElementTree.fromstring(picture([scene, scene]))
    one, other = having(root, "panel")
    assert one.get("x") == other.get("x")
    assert float(one.get("width", "")) > 1000
    side_by_side = ElementTree.fromstring(picture([scene, scene], look=Look(width=2400)))
    assert len({panel.get("x") for panel in having(side_by_side, "panel")}) == 2


@pytest.mark.parametrize("width", [600, 900, 1200])
def test_one_unit_is_not_blown_up_to_fill_a_wide_picture(width: int) -> None:
    root = ElementTree.fromstring(render.svg(board_of(FRANCE="A PAR"), width=width))
    (panel,) = having(root, "panel")
    shown = float(panel.get("viewBox", "").split()[2])
    scale = width / float(root.get("viewBox", "").split()[2])
    assert scale * float(panel.get("width", "")) / shown < 2


def test_several_cores_are_numbered() -> None:
    orders = {"AUSTRIA": ["A TRI - TYR", "A TYR - VIE", "A VIE - TRI"], "FRANCE": ["A PAR - BUR", "A BUR - GAS", "A GAS - PAR"]}
    text = "\n".join(f"{power.title()}:\n  " + "\n  ".join(given) for power, given in orders.items())
    (sheet,) = read_sheets(text)
    notes = make_resolution_panels(sheet, load_rulebook()).notes
    assert notes == (
        "Core 1 (A TRI - TYR, A TYR - VIE, A VIE - TRI) has 2 resolutions; the rule for circular movement decides.",
        "Core 2 (A PAR - BUR, A BUR - GAS, A GAS - PAR) has 2 resolutions; the rule for circular movement decides.",
    )


def test_orders_that_cannot_be_drawn_stand_below_the_map() -> None:
    outcome = judge(board_of(ITALY="A VEN", FRANCE="A PAR"), {"ITALY": ["A PAR - BUR", "A ROM - NAP"]})
    root = ElementTree.fromstring(render.svg(outcome))
    notes = having(root, "note")
    told = " ".join(note.text or "" for note in notes)
    assert told == "Not drawn: A PAR - BUR of Italy (illegal); A ROM - NAP of Italy (illegal)."
    (panel,) = having(root, "panel")
    assert float(notes[0].get("y", "")) > float(panel.get("y", "")) + float(panel.get("height", ""))


def test_a_unit_whose_retreats_differ_is_marked() -> None:
    """6.F.9: under 1971 the army does not arrive in Belgium, and the fleet from the Channel may go there."""
    rulebooks = [load_rulebook(name) for name in ("datc-3", "1971")]
    panels = make_comparison_panels(find_bundled_case("6.F.9"), rulebooks)
    marked = [[str(figure.unit) for figure in scene.figures if figure.highlight] for scene in panels.scenes]
    assert marked == [[], ["F ENG"]]
    root = ElementTree.fromstring(picture(panels.scenes))
    assert len(having(root, "highlight", "differs")) == 1 + 2 + 1  # the line and both units; and one in the legend
    assert "Differences: A LON - BEL; the fate of F ENG." in (root.findtext(f"{SVG}desc") or "")


def test_units_that_may_not_be_built_are_not_told_as_units() -> None:
    description = ElementTree.fromstring(picture([shipped("6.I.2")])).findtext(f"{SVG}desc") or ""
    assert description.startswith("Russia: no units. Orders: Build F Moscow (illegal). Illegal builds: F Moscow.")


# ---- what a page finds the parts of a picture by ----


def known_by(root: Element, name: str, *attributes: str) -> list[tuple[str | None, ...]]:
    """The attributes of the parts of that class; those of the legend have none."""
    found = [tuple(part.get(f"data-{attribute}") for attribute in attributes) for part in having(root, name)]
    return [values for values in found if any(values)]


def test_a_page_finds_provinces_units_and_orders() -> None:
    sheet = find_bundled_case("6.D.3")
    root = ElementTree.fromstring(picture([make_case_panels(sheet, load_rulebook()).scenes[0]], look=Look(whole=True)))
    assert sorted(known_by(root, "province", "province")) == sorted((code,) for code in load_map().provinces)
    assert {code for (code,) in known_by(root, "label", "province")} == set(load_map().provinces)
    assert sorted(known_by(root, "centre", "province")) == sorted((code,) for code in load_map().centers)
    assert sorted(known_by(root, "unit", "power", "unit", "province"), key=str)[:2] == [
        ("AUSTRIA", "A TRI", "TRI"),
        ("AUSTRIA", "F ADR", "ADR"),
    ]
    orders = known_by(root, "order", "power", "province", "order", "verdict")
    assert set(orders) == {
        ("AUSTRIA", "ADR", "F ADR S A TRI - VEN", "cut"),
        ("AUSTRIA", "TRI", "A TRI - VEN", "fails"),
        ("ITALY", "ION", "F ION - ADR", "fails"),
    }
    crossed = {part.get("data-order") for layer in having(root, "signs") for part in layer}
    assert crossed == {"F ADR S A TRI - VEN", "A TRI - VEN", "F ION - ADR"}
    assert known_by(root, "panel", "map", "phase") == [("standard", "movement")]


def test_a_page_finds_retreats_builds_and_coasts() -> None:
    root = ElementTree.fromstring(picture([shipped("6.F.14")]))
    assert ("FRANCE", "F ENG", "ENG", "BEL") in known_by(root, "option", "power", "unit", "province", "to")
    assert {part.get("data-order") for part in having(root, "highlight", "core") if part.get("data-order")} == {
        "F LON S F WAL - ENG",
        "F WAL - ENG",
        "F ENG C A BRE - LON",
    }
    coasts = board_of(RUSSIA="F STP/SC")
    root = ElementTree.fromstring(render.svg(judge(coasts, {"RUSSIA": ["F STP/SC - BOT"]})))
    assert known_by(root, "unit", "unit", "province") == [("F STP/SC", "STP")]
    built = ElementTree.fromstring(picture([shipped("6.I.2")]))
    assert known_by(built, "unit", "power", "unit") == [("RUSSIA", "F MOS")]


def test_names_of_powers_stay_names_in_attributes() -> None:
    hostile = '"><script>alert(1)</script>'
    root = ElementTree.fromstring(render.svg(Board((parse_unit("A PAR", hostile, load_map()),))))
    assert known_by(root, "unit", "power") == [(hostile,)]


# ---- Python and the command ----


def test_what_cannot_be_drawn_is_refused() -> None:
    outcome = judge(starting_board(), {"FRANCE": ["A PAR - BUR"]})
    svg: Callable[..., str] = render.svg
    wrong: list[tuple[Any, ...]] = [("foo",), (None,), (starting_board(), "foo"), (outcome, starting_board())]
    for arguments in wrong:
        with pytest.raises(TypeError, match="svg draws a Board, a Position, or a result"):
            svg(*arguments)
    with pytest.raises(RequestError, match=r"another position .*with its own board"):
        render.svg(board_of(FRANCE="A PAR"), outcome)
    assert render.svg(outcome.board, outcome) == render.svg(outcome)


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What the command says on standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, code: int) -> str:
        assert run(["render", *arguments]) == code
        return " ".join(capsys.readouterr().err.split())

    return call


def test_the_command_says_why_it_draws_nothing(told: Callable[..., str]) -> None:
    assert "cannot write sub/dir/x.svg: there is no directory sub/dir" in told("datc:6.C.1", "-o", "sub/dir/x.svg", code=2)
    assert not list(Path().iterdir())


def test_the_command_says_why_it_fails_though_it_draws(told: Callable[..., str]) -> None:
    said = told("datc:6.F.18", "--rules", "2000", "-o", "x.svg", code=1)
    assert "Unresolved: 2000 has no answer to this core" in said
    assert "1971, 2000 have no answer" in told("datc:6.F.24", "--compare", "1971,2000,1982", "-o", "x.svg", code=1)
    assert Path("x.svg").exists()


def test_the_orders_of_one_power_alone_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The units of the others stand where they are, even where only their orders say so."""
    sheet, drawn = tmp_path / "s.txt", str(tmp_path / "a.svg")
    sheet.write_text("France: A PAR - BUR\nGermany: A MUN - BUR\nItaly: A VEN H")
    assert run(["render", str(sheet), "-o", drawn, "--power", "france", "--power", "Italy", "--json"]) == 0
    (text,) = json.loads(capsys.readouterr().out)["text"]
    orders = ["France: A Paris. Orders: A Paris - Burgundy (succeeds).", "Italy: A Venice. Orders: A Venice Holds (stands)."]
    assert text == f"{orders[0]} Germany: A Munich. {orders[1]}"


def test_the_python_of_the_page_about_pictures_works() -> None:
    page = (MIDGAME.parents[1] / "guides" / "pictures.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["text"].startswith("<svg")
    assert names["png"].startswith(b"\x89PNG")
