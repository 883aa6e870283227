"""What pictures are made of: curves that keep clear, colours that can be told apart, text that fits."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import dist

import pytest
from helpers.pictures import EYES, lab
from hypothesis import given
from hypothesis import strategies as st

from satjudge import load_map
from satjudge.show.pictures.curves import find_clear_curve, format_chain, format_wave, make_bent_curve, make_rounded_corners
from satjudge.show.pictures.geometry import Point, format_number, load_geometry, shrink_geometry
from satjudge.show.pictures.palette import (
    DARK,
    LIGHT,
    PowerStyle,
    Theme,
    choose_power_styles,
    choose_tint,
    compute_contrast,
    compute_luminance,
    format_stylesheet,
)

# ---- arrows ----

points = st.builds(Point, st.floats(0, 1200), st.floats(0, 1000))


@given(points, points, st.floats(-0.5, 0.5), st.floats(0, 30), st.floats(0, 30))
def test_a_shortened_curve_lies_on_the_curve(start: Point, end: Point, bend: float, first: float, last: float) -> None:
    curve = make_bent_curve(start, end, bend)
    short = curve.trim_ends(first, last)
    along = [curve.find_point(step / 400) for step in range(401)]
    coarse = 1.5 * max((one.distance_to(other) for one, other in pairwise(along)), default=0) + 0.01
    for point in (short.start, short.find_point(0.5), short.end):
        assert min(map(point.distance_to, along)) <= coarse
    if start.distance_to(end) > 4 * (first + last) + 1:
        assert short.start.distance_to(start) >= first - 0.01
        assert short.end.distance_to(end) >= last - 0.01


@given(points, points)
def test_opposite_arrows_do_not_lie_on_each_other(start: Point, end: Point) -> None:
    there, back = find_clear_curve(start, end, (), both_ways=True), find_clear_curve(end, start, (), both_ways=True)
    assert there.find_point(0.5).distance_to(back.find_point(0.5)) >= 0.15 * start.distance_to(end) - 0.01


def test_an_arrow_goes_around_a_unit() -> None:
    start, unit, end = Point(0, 0), Point(100, 2), Point(200, 0)
    assert min(map(unit.distance_to, make_bent_curve(start, end, 0).points)) < 3
    assert min(map(unit.distance_to, find_clear_curve(start, end, [unit]).points)) > 15


def test_an_arrow_crosses_the_border_that_it_is_to_cross() -> None:
    """From the Mid-Atlantic to the Western Mediterranean by Gibraltar and not through Spain."""
    geometry = load_geometry("standard")
    start, end, strait = (
        geometry.find_unit_point("MAO"),
        geometry.find_unit_point("WES"),
        geometry.list_border_points("MAO", "WES"),
    )
    assert min(point.distance_to(other) for point in make_bent_curve(start, end, 0).points for other in strait) > 30
    assert min(point.distance_to(other) for point in find_clear_curve(start, end, [], strait).points for other in strait) < 12


def test_an_arrow_to_an_empty_neighbour_is_no_hook() -> None:
    """With marks as large as the page to play with has them, from every land to every other beside it."""
    geometry, game_map = shrink_geometry(load_geometry("standard"), 1.7), load_map("standard")
    pairs = [(str(one), str(other)) for one, others in game_map.army.items() for other in sorted(others)]
    assert len(pairs) > 200
    for one, other in pairs:
        start, end = geometry.find_unit_point(one), geometry.find_unit_point(other)
        curve = find_clear_curve(start, end, [start], geometry.list_border_points(one, other))
        straight = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
        if start.distance_to(end) < 68:
            assert curve.find_point(0.5).distance_to(straight) <= 0.17 * start.distance_to(end), (one, other)


@pytest.mark.parametrize("times", [1.5, 1.7, 2.0])
def test_no_unit_hides_the_mark_of_a_centre_however_large_marks_are(times: float) -> None:
    """Nor does a mark leave its province to be clear of the unit, its rim and the units of neighbours."""
    provinces = shrink_geometry(load_geometry("standard"), times).provinces.values()
    units = [place for one in provinces for place in (one.unit, *one.coasts.values())]
    centres = [(one, one.center) for one in provinces if one.center]
    assert len(centres) == 34
    for one, at in centres:
        assert one.shape.contains(at), one.code
        assert not [unit for unit in units if abs(unit.x - at.x) < 19 and abs(unit.y - at.y) < 15], one.code


def test_what_came_to_nothing_is_pale() -> None:
    """An arrow of a move that fails has the colour of its power's provinces, one of a move that succeeds that of its units."""
    (style, *_) = choose_power_styles(["FRANCE"], {"FRANCE": "France"}).values()
    sheet = format_stylesheet("light", [style])
    own = f".satjudge.light .p{style.number}"
    assert f"{own} .shaft{{stroke:{style.colour}}}" in sheet
    assert re.search(re.escape(own) + r"\.fails \.shaft[^{]*{stroke:" + choose_tint(style, LIGHT), sheet)


@given(points, points)
def test_a_wave_begins_and_ends_where_it_should(start: Point, end: Point) -> None:
    numbers = [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", format_wave(make_bent_curve(start, end, 0)))]
    assert Point(numbers[0], numbers[1]).distance_to(start) < 0.1
    assert Point(numbers[-2], numbers[-1]).distance_to(end) < 0.1


@given(st.lists(points, min_size=2, max_size=6))
def test_a_way_with_rounded_corners_is_one_line_that_passes_near_them(places: list[Point]) -> None:
    curves = make_rounded_corners(places)
    assert (curves[0].start, curves[-1].end) == (places[0], places[-1])
    assert all(one.end == other.start for one, other in pairwise(curves))
    along = [curve.find_point(step / 20) for curve in curves for step in range(21)]
    assert all(min(map(place.distance_to, along)) < 11 for place in places)
    assert format_chain(curves).count("M") == 1


@given(st.floats(-5000, 5000))
def test_numbers_are_short_and_right(value: float) -> None:
    assert abs(float(format_number(value)) - value) <= 0.0501
    assert not format_number(value).endswith(".0")
    assert format_number(value) != "-0"


# ---- colours and letters ----


@pytest.mark.parametrize("eye", EYES)
def test_the_powers_can_be_told_apart(eye: str) -> None:
    """A difference of 10 is plain to see side by side; letters tell the rest."""
    colours = {style.name: lab(style.colour, eye) for style in standard_styles().values()}
    for (one, a), (other, b) in combinations(colours.items(), 2):
        assert dist(a, b) > 10, f"{one} and {other}"


def test_the_powers_of_a_large_map_have_colours_of_their_own() -> None:
    """Those of 27 powers, none of them on the standard map: letters and textures tell those apart that are near."""
    styles = choose_power_styles([f"POWER {n}" for n in range(27)], {})
    colours = [lab(style.colour, "normal") for style in styles.values()]
    assert min(dist(one, other) for one, other in combinations(colours, 2)) > 18


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_owned_provinces_can_be_told_from_sea_and_free_land(theme: Theme) -> None:
    def apart(one: str, other: str) -> float:
        return dist(lab(one, "normal"), lab(other, "normal"))

    assert apart(theme.sea, theme.land) > 10
    for style in standard_styles().values():
        tint = choose_tint(style, theme)
        assert apart(tint, theme.sea) > 14, style.name
        assert apart(tint, theme.land) > 10, style.name


def standard_styles() -> dict[str, PowerStyle]:
    game_map = load_map()
    return choose_power_styles(game_map.powers, game_map.power_names)


def test_letters_can_be_read_on_every_colour() -> None:
    assert [style.letters for style in standard_styles().values()] == ["Au", "En", "Fr", "Ge", "It", "Ru", "Tu"]
    for style in choose_power_styles([f"POWER {n}" for n in range(8)], load_map().power_names).values():
        assert compute_contrast(style.colour, style.ink) >= 4.5
    for theme in (LIGHT, DARK):
        assert compute_contrast(theme.ink, theme.paper) >= 7
        assert compute_contrast(theme.label, theme.land) >= 4.5
        assert compute_contrast(theme.label, theme.sea) >= 4.5
    assert compute_luminance("#ffffff") == pytest.approx(1)


@given(st.sets(st.text(min_size=1, max_size=12), max_size=12))
def test_powers_that_no_map_knows_get_letters_of_their_own(names: set[str]) -> None:
    styles = choose_power_styles(names, load_map().power_names)
    assert set(styles) == names | set(load_map().powers)
    assert len({style.letters for style in styles.values()}) == len(styles)
    assert styles == choose_power_styles(sorted(names, reverse=True), load_map().power_names)
    assert all(style.colour == standard_styles()[power].colour for power, style in styles.items() if power in load_map().powers)
