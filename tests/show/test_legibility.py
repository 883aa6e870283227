"""Pictures can be read by colour-blind readers, at 600 pixels, and where much crosses. The figures are printed (`pytest -rP`).

What docs/guides/pictures.md promises of colours, contrasts and sizes is held here, on pictures that are drawn and read back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise, product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy
import pytest
from helpers.boards import board_of
from helpers.pictures import EYES, Lab, having, lab, shipped

from satjudge import Board, Game, judge, judge_phase, load_map, load_rulebook, render, starting_board
from satjudge.apps.cli import run
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.show.pictures import Look, Scene, picture, position, scene_of
from satjudge.show.pictures.arrows import ArrowPlan, DrawnOrder
from satjudge.show.pictures.drawing import add_element, choose_texture_scale, define_textures, format_texture_id
from satjudge.show.pictures.geometry import Box, Point, load_geometry
from satjudge.show.pictures.labels import measure_label, place_labels
from satjudge.show.pictures.palette import (
    DARK,
    LIGHT,
    PowerStyle,
    Theme,
    choose_power_styles,
    choose_texture,
    choose_tint,
    compute_contrast,
    compute_luminance,
    format_stylesheet,
)
from satjudge.show.pictures.scene import make_case_panels

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
APART = 10.0
"""CIEDE2000: colours that differ by this are told apart at a glance (2.3 is just noticeable)."""
TINTS_APART = 7.0
"""What the colours of whole provinces differ by, which are seen side by side in large areas."""
ALIKE = 0.7
"""The largest correlation of the light of two textures, wherever they are laid on each other."""
LEGIBLE = 8.0
"""Pixels that letters on a map have at least."""
GEOMETRY = load_geometry("standard")


def documented(name: str) -> Scene:
    """The scene of a picture of the documentation."""
    (sheet,) = load_sheets(PICTURES / f"{name}.txt")
    return make_case_panels(sheet, load_rulebook()).scenes[0]


def scene_named(name: str) -> Scene:
    """Of a picture of the documentation, of a map's beginning, or of a case."""
    if name in ("opening", "midgame"):
        return documented(name)
    return position(starting_board(load_map(name))) if name == "loeb9" else shipped(name)


def drawn(scene: Scene, width: int | None = None) -> Element:
    return ElementTree.fromstring(picture([scene], title="A title", look=Look("light", width)))


def styles() -> list[PowerStyle]:
    game_map = load_map()
    return list(choose_power_styles(game_map.powers, game_map.power_names).values())


# ---- powers, told apart without colour ----

Array = numpy.ndarray[Any, numpy.dtype[numpy.float64]]


def ciede2000(one: Lab, other: Lab) -> float:
    """The difference of two colours (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * sqrt(chroma**7 / (chroma**7 + 25**7))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = degrees(atan2(b1, stretch * a1)) % 360, degrees(atan2(b2, stretch * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, colour, tone = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    sl, sc, sh = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2), 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rotation = -2 * sqrt(cm**7 / (cm**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    parts = light / sl, colour / sc, tone / sh
    return sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ],
)
def test_the_measure_of_colours_is_that_of_its_authors(one: Lab, other: Lab, expected: float) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


class Marks(NamedTuple):
    """What tells a power from others in a picture where colour does not."""

    texture: str
    centre: str
    letters: str


def marks_of(root: Element, powers: int = 7) -> dict[int, Marks]:
    """By the number of the power: what is drawn on its provinces, its centres and its units."""
    found = {}
    for number in range(powers):
        (pattern,) = (part for part in having(root, f"p{number}") if part.tag == f"{SVG}pattern")
        provinces = having(root, "province", "owned", f"p{number}")
        assert provinces
        assert all(area.get("style") == f"fill:url(#{pattern.get('id')})" for area in provinces)
        (texture,) = having(pattern, "texture")
        centres = {mark.text or "" for mark in having(root, "mark", f"p{number}")}
        letters = {text.text for unit in having(root, "unit", f"p{number}") for text in having(unit, "letters")}
        assert len(letters) == 1
        assert len(centres) <= 1
        found[number] = Marks(texture.get("d", ""), "".join(centres), str(*letters))
    return found


@THEMES
@pytest.mark.parametrize("width", [600, 1200])
def test_whoever_cannot_tell_colours_tells_the_powers_by_texture_and_letters(width: int, theme: Theme) -> None:
    """Units and owned provinces of every two powers differ in colour for every eye, and their units, centres or provinces in a
    mark; nor is an owned province taken for land or sea.
    """
    marks = marks_of(drawn(documented("midgame"), width))
    print(f"{theme.name}, {width} pixels: the smallest CIEDE2000 between two powers, on units and on provinces")
    for eye in EYES:
        nearest = {"units": (999.0, ""), "provinces": (999.0, "")}
        for one, other in combinations(styles(), 2):
            mine, yours = marks[one.number], marks[other.number]
            pair = f"{one.name} and {other.name}"
            units = ciede2000(lab(one.colour, eye), lab(other.colour, eye))
            tints = ciede2000(lab(choose_tint(one, theme), eye), lab(choose_tint(other, theme), eye))
            assert mine.letters != yours.letters, f"units of {pair}"
            assert mine.texture != yours.texture, f"provinces of {pair}, and centres, which lie on them"
            assert width < 1200 or mine.centre != yours.centre, f"centres of {pair}"
            nearest = {"units": min(nearest["units"], (units, pair)), "provinces": min(nearest["provinces"], (tints, pair))}
        for one, (name, ground) in product(styles(), {"land": theme.land, "sea": theme.sea}.items()):
            tints = ciede2000(lab(choose_tint(one, theme), eye), lab(ground, eye))
            nearest["provinces"] = min(nearest["provinces"], (tints, f"{one.name} and free {name}"))
        assert nearest["units"][0] >= APART, (eye, nearest["units"])
        assert nearest["provinces"][0] >= TINTS_APART, (eye, nearest["provinces"])
        print(f"  {eye:13}" + "; ".join(f"{what} {least:.1f} ({pair})" for what, (least, pair) in nearest.items()))


def light_of(style: PowerStyle, theme: Theme, scale: float) -> Array:
    """The lightness (CIE L*) of the pixels of a province of a power, on a map of that scale."""
    root = Element("svg", {"xmlns": SVG[1:-1], "class": f"satjudge {theme.name}", "width": "64", "height": "64"})
    add_element(root, "style").text = format_stylesheet(theme.name, [style])
    define_textures(add_element(root, "defs"), "t", [style], choose_texture_scale(scale))
    area = add_element(add_element(root, "g", transform=f"scale({scale})"), "rect", width=64 / scale, height=64 / scale)
    area.set("style", f"fill:url(#{format_texture_id('t', style)})")
    light: Array = 116 * numpy.cbrt(luminances(ElementTree.tostring(root, encoding="unicode"))) - 16
    return light


def luminances(svg: str) -> Array:
    """Of the pixels of a picture (WCAG 2)."""
    from matplotlib.image import imread

    found = imread(BytesIO(render.to_png(svg)))[..., :3]
    linear = numpy.where(found <= 0.04045, found / 12.92, ((found + 0.055) / 1.055) ** 2.4)
    light: Array = linear @ numpy.array([0.2126, 0.7152, 0.0722])
    return light


def correlation(one: Array, other: Array) -> float:
    """Of a piece of one texture with any piece of the other, of which a tile has less than 14 pixels."""
    piece = one[16:48, 16:48]
    pieces = (other[y : y + 32, x : x + 32] for x in range(0, 14, 2) for y in range(0, 14, 2))
    return max(float(numpy.corrcoef(piece.ravel(), laid.ravel())[0, 1]) for laid in pieces)


@THEMES
@pytest.mark.parametrize("scale", [0.483, 0.983], ids=["600", "1200"])
def test_textures_tell_the_powers_apart_in_black_and_white(scale: float, theme: Theme) -> None:
    """Drawn in one colour for all, at the sizes that they have on the whole map 600 and 1200 pixels wide."""
    grey = [replace(style, colour="#808080", tints={}) for style in styles()]
    drawn_in_grey = {style.name: light_of(style, theme, scale) for style in grey}
    assert all(light.std() > 3 for light in drawn_in_grey.values())
    found = {pair: correlation(*(drawn_in_grey[name] for name in pair)) for pair in combinations(drawn_in_grey, 2)}
    nearest = max(found, key=lambda pair: found[pair])
    print(f"{theme.name}, scale {scale}: the textures of {' and '.join(nearest)} correlate by {found[nearest]:.2f} at most")
    assert found[nearest] <= ALIKE


def test_every_power_has_marks_of_its_own() -> None:
    """In every pair, not only where colours fail: a picture may be printed in black and white."""
    large, small = (list(marks_of(drawn(documented("midgame"), width)).values()) for width in (1200, 600))
    assert [marks.centre for marks in large] == [marks.letters for marks in small] == list("AEFGIRT")
    for marks in (large, small):
        assert len({one.texture for one in marks}) == len({one.letters for one in marks}) == 7
    assert len({style.mark for style in choose_power_styles([f"Power {n}" for n in range(12)], {}).values()}) == 12


def test_powers_of_a_map_with_nine_have_marks_of_their_own() -> None:
    game_map = load_map("loeb9")
    root = ElementTree.fromstring(render.svg(starting_board(game_map), theme="light"))
    marks = marks_of(root, len(game_map.powers)).values()
    assert [len(set(one)) for one in zip(*marks, strict=True)] == [9, 9, 9]


# ---- contrasts ----


@THEMES
def test_borders_textures_and_letters_stand_out(theme: Theme) -> None:
    tints = {style.name: choose_tint(style, theme) for style in styles()}
    textures = {style.name: compute_contrast(choose_texture(style, theme), choose_tint(style, theme)) for style in styles()}
    borders = {"sea": compute_contrast(theme.sea_border, theme.sea), "land": compute_contrast(theme.border, theme.land)}
    borders |= {name: compute_contrast(theme.border, tint) for name, tint in tints.items()}
    letters = {
        name: compute_contrast(theme.label, ground) for name, ground in {**tints, "sea": theme.sea, "land": theme.land}.items()
    }
    signs = {name: compute_contrast(colour, theme.paper) for name, colour in (("red", theme.bad), ("green", theme.good))}
    links = {"by land": compute_contrast(theme.faint, theme.paper), "by sea": compute_contrast(theme.sea_border, theme.paper)}
    measured = (("borders", borders, 3), ("textures", textures, 2), ("labels", letters, 4.5), ("signs", signs, 4.5))
    for what, found, least in (*measured, ("borders of schematics", links, 3)):
        print(f"{theme.name}: {what} at " + ", ".join(f"{value:.2f} ({name})" for name, value in found.items()))
        assert min(found.values()) >= least, what
    assert all(compute_contrast(style.colour, style.ink) >= 4.5 for style in styles())


@THEMES
def test_borders_at_sea_stand_out_in_the_pixels_of_a_small_picture(theme: Theme) -> None:
    """A line thinner than a pixel would have half the contrast of its colour."""
    svg = render.svg(Board(()), theme=theme.name, width=600, whole=True)
    root, light = ElementTree.fromstring(svg), luminances(svg)
    (panel,) = having(root, "panel")
    left, top = (pixels_of_sheet(root) * float(panel.get(side, "")) for side in ("x", "y"))
    for pair in (("NTH", "NWG"), ("NAO", "MAO"), ("WES", "LYO"), ("BAL", "BOT")):
        found = []
        for x, y in GEOMETRY.list_border_points(*pair):
            column, row = int(left + x * pixels(root)), int(top + y * pixels(root))
            near = light[row - 1 : row + 2, column - 1 : column + 2].ravel()
            found.append(max(contrast_of(float(pixel), compute_luminance(theme.sea)) for pixel in near))
        print(f"{theme.name}: the border of {' and '.join(pair)} at {median(found):.2f}, {min(found):.2f} at least")
        assert median(found) >= 3


def contrast_of(one: float, other: float) -> float:
    """Of two luminances (WCAG 2)."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_what_marks_a_fate_has_a_ground() -> None:
    """Red on the orange of Austria, or on the blue of England, could hardly be seen."""
    scene = documented("midgame")
    root = drawn(scene)
    units = [unit for layer in having(root, "units") for unit in layer if having(unit, "fate")]
    options = [option for layer in having(root, "options") for option in layer]
    assert len(units) == 5
    assert len(options) == sum(len(figure.retreats) for figure in scene.figures) > 5
    for group, sort in (*((unit, "fate") for unit in units), *((option, "line") for option in options)):
        names = [part.get("class", "").partition(" ")[0] for part in group]
        assert names.count("ground") == names.count(sort) > 0
        assert max(n for n, name in enumerate(names) if name == "ground") < names.index(sort)


# ---- sizes ----


def pixels(root: Element) -> float:
    """How many pixels a unit of the map is."""
    (panel,) = having(root, "panel")
    return pixels_of_sheet(root) * float(panel.get("width", "")) / float(panel.get("viewBox", "").split()[2])


def pixels_of_sheet(root: Element) -> float:
    """How many pixels a unit of the whole picture is."""
    return float(root.get("width", "")) / float(root.get("viewBox", "").split()[2])


@pytest.mark.parametrize(
    ("name", "width"),
    [*product(("opening", "midgame", "6.F.28", "6.F.14", "6.G.4"), (600, 900, 1200, 2400)), ("loeb9", 600)],
)
def test_letters_on_a_map_are_legible(name: str, width: int) -> None:
    root = drawn(scene_named(name), width)
    scale = pixels(root)
    (names,) = having(root, "names")
    units = {float(text.get("font-size", "")) for group in having(root, "units") for text in having(group, "letters")}
    marks = {float(text.get("font-size", "")) for text in having(root, "mark")}
    coasts = {float(text.get("font-size", "")) for group in having(root, "areas") for text in group.iter(f"{SVG}text")}
    found = {"labels": {float(names.get("font-size", ""))}, "units": units, "centres": marks, "coasts": coasts}
    sizes = {what: min(sizes) * scale for what, sizes in found.items() if sizes}
    print(f"{name} at {width} pixels: " + ", ".join(f"{what} {size:.1f}" for what, size in sizes.items()))
    assert {"labels", "units"} <= sizes.keys()
    assert min(sizes.values()) >= LEGIBLE - 0.05


@pytest.mark.parametrize(("name", "width"), [("opening", 600), ("opening", 1200), ("loeb9", 600), ("6.F.14", 300)])
def test_thin_lines_are_a_pixel_wide(name: str, width: int) -> None:
    """Where a line is thinner than a pixel its colour is mixed with what is below it, and its contrast is less than stated."""
    root = drawn(scene_named(name), width)
    (areas,) = having(root, "areas")
    options = [part for option in having(having(root, "options")[0], "option") for part in option if part.get("stroke-width")]
    assert (name == "6.F.14") == bool(options)
    for part in (areas, *options):
        assert float(part.get("stroke-width", "")) * pixels(root) >= 1


@pytest.mark.parametrize("name", ["opening", "midgame"])
def test_labels_without_room_are_left_out_and_those_with_room_are_not(name: str) -> None:
    """At 600 pixels nothing of a label is hidden, and nine in ten are there; at 1200 all of them."""
    assert len(having(drawn(documented(name), 1200), "label")) == 75
    scene = documented(name)
    size = float(having(drawn(scene, 600), "names")[0].get("font-size", ""))
    labels = place_labels(ArrowPlan(GEOMETRY, scene), GEOMETRY.box, size)
    boxes = {code: measure_label(at, code, size) for code, at in labels.items()}
    assert len(having(drawn(scene, 600), "label")) == len(labels) >= 68
    assert not [pair for pair in combinations(boxes, 2) if boxes[pair[0]].overlaps(boxes[pair[1]])]


@pytest.mark.parametrize(("width", "most"), [(600, 0.22), (900, 0.12), (1200, 0.09)])
@pytest.mark.parametrize("name", ["opening", "midgame", "6.F.28", "6.H.15", "6.G.4"])
def test_the_legend_is_a_small_part_of_the_picture(name: str, width: int, most: float) -> None:
    root = drawn(scene_named(name), width)
    height = float(root.get("viewBox", "").split()[3])
    (frame,) = having(root, "frame")
    share = 1 - (float(frame.get("y", "")) + float(frame.get("height", ""))) / height
    print(f"{name} at {width} pixels: the legend takes {share:.0%}")
    assert share <= most


# ---- the piece of the map ----


def view(svg: str) -> list[float]:
    (panel,) = having(ElementTree.fromstring(svg), "panel")
    return [float(part) for part in panel.get("viewBox", "").split()]


def test_a_full_board_is_shown_whole() -> None:
    whole = [0, 0, GEOMETRY.width, GEOMETRY.height]
    board = starting_board()
    assert view(render.svg(board)) == whole
    assert view(render.svg(Board(board.units))) == whole  # also if nobody says who owns what
    assert view(render.svg(Board(board.units[:3], centers=board.centers))) == whole
    assert view(picture([documented("opening")])) == whole
    assert view(render.svg(Board(board.units[:3]))) != whole


def test_pictures_of_a_game_can_show_the_same_piece_of_the_map() -> None:
    first = board_of(FRANCE="A PAR", GERMANY="A MUN")
    outcome = judge(first, {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - TYR"]})
    later = judge(outcome.next_board, {"GERMANY": ["A TYR - VIE"]})
    crop = render.common_crop([outcome, later, later.next_board])
    views = [view(render.svg(one, crop=crop)) for one in (outcome, later, later.next_board)]
    assert views[0] == views[1] == views[2] == [crop.left, crop.top, crop.width, crop.height]
    assert len({tuple(view(render.svg(one))) for one in (outcome, later)}) == 2
    for place in ("PAR", "VIE"):
        at = GEOMETRY.find_unit_point(place)
        assert crop.contains(Box(at.x - 20, at.y - 20, at.x + 20, at.y + 20))
    with pytest.raises(ValueError, match="at least one"):
        render.common_crop([])


@pytest.fixture(scope="module")
def small_game() -> Game:
    """A game with so few units that each phase by itself would be shown in a corner of the map of its own."""
    game = Game.new(board=board_of(FRANCE="A PAR", GERMANY="A MUN"))
    for orders in (["A MUN - TYR"], ["A TYR - VIE"], []):
        game.set_orders("GERMANY", orders)
        game.next()
    return game


def test_all_pictures_of_a_game_show_the_same_piece_of_the_map(small_game: Game) -> None:
    crop = render.common_crop(small_game)
    seen = [crop.left, crop.top, crop.width, crop.height]
    assert seen != [0, 0, GEOMETRY.width, GEOMETRY.height]
    assert len({tuple(view(render.svg(played))) for played in small_game.history}) > 1
    assert all(view(render.svg(played, crop=small_game)) == seen for played in small_game.history)
    assert all(view(render.svg(played.outcome, crop=crop)) == seen for played in small_game.history)
    assert view(render.svg(small_game)) == seen
    assert view(render.svg(small_game, whole=True)) == view(render.svg(Game.new())) == [0, 0, GEOMETRY.width, GEOMETRY.height]


def test_a_phase_without_an_answer_is_drawn_with_its_orders() -> None:
    sheet = find_bundled_case("6.F.14")
    game = Game.new(board=replace(sheet.board, turn=None), rulebook=load_rulebook().with_settings(["4.A.2=none"]))
    for power, orders in sheet.orders_by_power().items():
        game.set_orders(power, orders)
    assert "no answer" in render.svg(game.at())


def test_a_picture_of_a_saved_phase_shows_what_those_of_the_others_show(
    small_game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`render` and `report` of single phases of a game; a phase that cannot be read spoils nothing."""
    document = small_game.document()
    last = document["phases"][-1]
    document["phases"].append({**last, "name": "F1903M", "state": {**last["state"], "units": {"FRANCE": ["A ATLANTIS"]}}})
    saved, drawn = tmp_path / "game.json", tmp_path / "phase.svg"
    saved.write_text(json.dumps(document), encoding="utf-8")
    known = small_game.history
    views = []
    for played in known:
        assert run(["render", str(saved), "--case", played.phase_name, "-o", str(drawn)]) == 0
        views.append(view(drawn.read_text(encoding="utf-8")))
        assert run(["report", str(saved), "--case", played.phase_name, "-o", str(tmp_path / "x.html")]) == 0
        assert 'viewBox="' + " ".join(f"{part:g}" for part in views[0]) in (tmp_path / "x.html").read_text(encoding="utf-8")
    crop = render.common_crop(known)
    assert views == [[crop.left, crop.top, crop.width, crop.height]] * len(known)
    assert run(["render", str(saved), "--case", "S1901M", "--whole", "-o", str(drawn)]) == 0
    assert view(drawn.read_text(encoding="utf-8")) == [0, 0, GEOMETRY.width, GEOMETRY.height]


# ---- what crosses what ----


@pytest.mark.parametrize("name", ["opening", "midgame"])
@pytest.mark.parametrize("size", [11.0, 13.0, 16.6])
def test_names_of_land_lie_on_land(name: str, size: float) -> None:
    """The name of Greece was in the Aegean: of a label of land neither end is more than its last letter out at sea."""
    scene = documented(name)
    labels = place_labels(ArrowPlan(GEOMETRY, scene), GEOMETRY.box, size)
    land = [code for code in labels if GEOMETRY.provinces[code].terrain != "sea"]
    wet = {code: round(share, 2) for code in land if (share := at_sea(measure_label(labels[code], code, size))) > 0.5}
    assert wet == {}
    assert at_sea(measure_label(labels["GRE"], "GRE", size)) < 0.34


def at_sea(box: Box) -> float:
    """How much of a box lies in seas."""
    points = [Point(box.left + box.width * x / 8, box.top + box.height * y / 4) for x in range(9) for y in range(5)]
    found = GEOMETRY.find_provinces(points)
    return sum(code is not None and GEOMETRY.provinces[code].terrain == "sea" for code in found) / len(points)


@pytest.mark.parametrize("name", ["opening", "midgame", "6.F.28", "6.F.29"])
def test_no_two_signs_are_beside_each_other(name: str) -> None:
    """Two crosses side by side, as in Munich and the Ruhr, would leave open which is whose."""
    found = ArrowPlan(GEOMETRY, scene_named(name)).orders
    pairs = combinations([one for one in found if one.sign], 2)
    near = {
        (one.shown.text, other.shown.text): a.distance_to(b) for one, other in pairs if (a := one.sign) and (b := other.sign)
    }
    assert {pair: round(apart, 1) for pair, apart in near.items() if apart < 26} == {}


def over(one: DrawnOrder, code: str) -> float:
    """How much of the lines of an order runs over a province."""
    points = [point for line in one.lines for point in between(line.points)]
    return sum(map(GEOMETRY.provinces[code].shape.contains, points)) / len(points)


def between(points: Sequence[Point]) -> Iterator[Point]:
    for a, b in pairwise(points):
        yield from (Point(a.x + t / 8 * (b.x - a.x), a.y + t / 8 * (b.y - a.y)) for t in range(8))


@pytest.mark.parametrize("identity", ["6.F.28", "6.F.29", "6.H.15"])
def test_no_line_of_others_runs_over_portugal(identity: str) -> None:
    """A convoy from North Africa goes around it; a support of an attack on it comes from without."""
    involved = {"6.H.15": ("SPA/SC",)}.get(identity, ("POR", "SPA/NC"))
    crossing = [one.shown.text for one in ArrowPlan(GEOMETRY, shipped(identity)).orders if over(one, "POR")]
    named = [one.shown.text for one in ArrowPlan(GEOMETRY, shipped(identity)).orders if one.shown.origin in involved]
    assert set(crossing) <= set(named)


@pytest.mark.parametrize(("origin", "sea"), [("NAF", "MAO"), ("MAO", "WES"), ("WES", "MAO"), ("NTH", "NWG"), ("ION", "AEG")])
def test_ships_keep_off_land_that_they_only_pass(origin: str, sea: str) -> None:
    outcome = judge(board_of(ENGLAND=f"F {origin}"), {"ENGLAND": [f"F {origin} - {sea}"]})
    (one,) = ArrowPlan(GEOMETRY, scene_of(outcome)).orders
    lands = [code for code, shape in GEOMETRY.provinces.items() if shape.terrain != "sea" and code != origin]
    assert {code: share for code in lands if (share := over(one, code)) > 0.1} == {}  # a cape may be cut
    assert over(one, "POR") == 0


# ---- retreats, and names under the pointer ----


def test_places_to_retreat_to_are_drawn() -> None:
    scene = shipped("6.F.14")
    root = drawn(scene)
    (layer,) = having(root, "options")
    titles = {option.findtext(f"{SVG}title") for option in layer}
    there = ("Belgium", "Irish Sea", "Mid-Atlantic Ocean", "North Sea", "Picardy")
    assert titles == {f"France: F English Channel may retreat to {place}" for place in there}
    assert "possible retreat" in [word.text for word in having(root, "word")]
    outcome = judge(scene.board, find_bundled_case("6.F.14").orders_by_power())
    waiting = ElementTree.fromstring(render.svg(outcome.next_board))
    assert {option.findtext(f"{SVG}title") for group in having(waiting, "options") for option in group} == titles
    ordered = ElementTree.fromstring(render.svg(judge_phase(outcome.next_board, {"FRANCE": ["F ENG R BEL"]})))
    assert not having(ordered, "option")  # the choice is made


def test_a_ring_marks_each_place_to_retreat_to() -> None:
    (layer,) = having(drawn(shipped("6.F.14")), "options")
    rings = [Point(float(ring.get("cx", "")), float(ring.get("cy", ""))) for ring in having(layer, "line") if ring.get("cx")]
    assert sorted(rings) == sorted(GEOMETRY.find_unit_point(place) for place in ("BEL", "IRI", "MAO", "NTH", "PIC"))


def test_everything_has_its_full_name_under_the_pointer() -> None:
    root = drawn(documented("midgame"))

    def titles(parts: Iterable[Element]) -> list[str]:
        found = [part.findtext(f"{SVG}title") or "" for part in parts]
        assert all(found)
        return found

    layers = {name: [part for layer in having(root, name) for part in layer] for name in ("names", "units", "orders")}
    assert {"North Africa", "Greece (Turkey)", "Skagerrak"} <= set(titles(layers["names"]))
    units = titles(layers["units"])
    assert {"England: A Norway", "Turkey: F Ionian Sea", "Italy: F Tyrrhenian Sea, dislodged"} <= set(units)
    assert len(units) == 34
    assert "England: A Norway - St Petersburg (succeeds)" in titles(layers["orders"])
    assert {"Kiel (Germany)", "Tunis (France)"} <= set(titles(having(root, "centre")))


# ---- units that hold, and units without an order ----


STANDING = """\
Germany owns A Kiel
Russia owns A Warsaw
Austria owns A Galicia
England:
  F North Sea - Denmark
  F Helgoland Bight S F North Sea - Denmark
Germany:
  F Denmark H
  A Berlin H
Russia:
  A Ukraine - Galicia
  A Rumania S A Ukraine - Galicia
"""


def test_units_that_hold_and_units_without_an_order_are_told_apart_without_colours() -> None:
    (sheet,) = read_sheets(STANDING)
    scene = make_case_panels(sheet, load_rulebook()).scenes[0]
    stands = {figure.unit.province: figure.standing for figure in scene.figures if figure.standing}
    assert stands == {"DEN": "holds", "BER": "holds", "KIE": "unordered", "WAR": "unordered", "GAL": "unordered"}
    root = drawn(scene)
    bars = {
        unit.get("data-province"): bar for layer in having(root, "units") for unit in layer for bar in having(unit, "standing")
    }
    assert {province: (bar.get("class") or "").split()[1] for province, bar in bars.items()} == stands
    for bar in bars.values():
        ghosts = ["ghost" in (path.get("class") or "") for path in bar.iter(f"{SVG}path")]
        assert ghosts == [bar.get("class") == "standing unordered"] * 2  # ghosts are dotted, whatever their colour is
    assert ".ghost.shaft{stroke-dasharray" in format_stylesheet("light", [])
    words = {line.text for line in root.iter(f"{SVG}text")}
    assert {"ordered to hold", "no order: holds"} <= words


def test_without_any_orders_no_unit_is_marked() -> None:
    assert not any(figure.standing for figure in position(starting_board()).figures)
    assert not any(figure.standing for figure in scene_of(judge(starting_board(), {})).figures)


@pytest.mark.parametrize("name", ["midgame", "opening"])
def test_nothing_hides_the_bar_of_a_unit(name: str) -> None:
    plan = ArrowPlan(GEOMETRY, documented(name))
    bars = [bar for bar in plan.bars if bar]
    assert bars
    view = Box(0, 0, GEOMETRY.width, GEOMETRY.height)
    labels = [measure_label(at, code) for code, at in place_labels(plan, view).items()]
    centres = [
        Box(at.x - 4, at.y - 4, at.x + 4, at.y + 4) for at in (shape.center for shape in GEOMETRY.provinces.values()) if at
    ]
    for bar in bars:
        assert not [box for box in (*labels, *centres) if box.overlaps(bar)]
