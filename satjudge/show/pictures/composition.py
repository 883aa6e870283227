"""Composes a whole picture (title, notes, maps side by side, legend) as an SVG document with an alternative text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2s
from math import ceil
from typing import Literal, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from satjudge.base.errors import RequestError
from satjudge.base.values import one_line
from satjudge.show.pictures.arrows import ArrowPlan
from satjudge.show.pictures.drawing import Labels, MapDrawing, Pieces, Styles, add_element, add_text, define_textures
from satjudge.show.pictures.geometry import Box, Geometry, Point, make_box, shrink_geometry
from satjudge.show.pictures.legend import (
    LINE,
    SIZE,
    break_lines,
    break_rows,
    describe_scene,
    draw_legend,
    draw_sample,
    list_items,
)
from satjudge.show.pictures.map_geometry import find_geometry
from satjudge.show.pictures.palette import THEMES, choose_power_styles, format_stylesheet
from satjudge.show.pictures.scene import Scene
from satjudge.world.board import Board
from satjudge.world.geography import Map, normal, province_of
from satjudge.world.orders import places_named

WIDTH = 1200
"""The maximum width of a picture in pixels, unless a width is requested."""
NARROWEST, WIDEST = 300, 10_000
SMALLEST_MARKS = 0.2
"""The smallest factor by which marks on the map can be scaled."""
LARGEST_MARKS = 8.0
"""The largest factor by which marks on the map can be scaled."""
_LEGIBLE = 0.5
"""The smallest scale, in pixels for a unit of the map, at which names have room in the nodes of a schematic."""
_MARGIN, _GAP = 10.0, 14.0
_TITLE_SIZE, _CAPTION_SIZE = 19.0, 14.0
_TITLE, _NOTE, _CAPTION = 30.0, 20.0, 18.0
_ROOM = 55.0
"""The width of the strip of map that is shown around the action."""
_SMALLEST = 270.0
"""The sides of the smallest section of a map that is shown."""
_LARGEST_SCALE, _TALLEST = 1.9, 1200.0
"""The maximum scale of a section of a map, and the maximum height to which it is enlarged."""
_MOST_COLUMNS = 4
_NARROW, _NARROW_MAP = 260.0, 0.55
"""The minimum width of a panel, and its minimum scale, as long as panels can be put below each other."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class Picture(str):
    """An SVG document as text, which notebooks show as a picture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return one_line("Picture", f"SVG, {len(self):,} characters")

    def _repr_svg_(self) -> str:
        return str(self)


class PagePlace(NamedTuple):
    """A picture's place on a page: a name that is unique there, and the id of the hidden map that it reuses."""

    name: str
    borrowed: str
    alike: Sequence[Scene] = ()
    """Scenes that show the same section of the map, so that a reader can switch between them."""


@dataclass(frozen=True, slots=True)
class Look:
    """The settings for the look of a picture."""

    theme: str = "auto"
    width: int | None = None
    """The width of the picture in pixels, to which the drawing is scaled; None means as wide as needed."""
    whole: bool = False
    """True to show the whole map, even if the action is in a corner."""
    legend: bool = True
    crop: Box | None = None
    """The section of the map to show, regardless of the action."""
    key: bool = field(default=False, repr=False)
    """True to list the codes and names of the visible provinces below the picture."""
    marks: float = field(default=1.0, repr=False)
    """The factor by which units, arrows and letters on the map are enlarged."""
    pieces: Pieces = field(default="letters", repr=False)
    labels: Labels = field(default="codes", repr=False)

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            raise RequestError(f"there is no theme {self.theme!r}", suggestion=f"choose from {', '.join(THEMES)}")
        if not SMALLEST_MARKS <= self.marks <= LARGEST_MARKS:
            raise RequestError(
                f"marks cannot be enlarged {self.marks:g} times", suggestion=f"{SMALLEST_MARKS:g} to {LARGEST_MARKS:g}"
            )
        if self.width is not None and not NARROWEST <= self.width <= WIDEST:
            raise RequestError(f"a picture cannot be {self.width} pixels wide", suggestion=f"choose {NARROWEST} to {WIDEST}")

    @property
    def classes(self) -> str:
        """The CSS classes of a drawing, by which the style sheet applies to it."""
        return f"satjudge {self.theme}"


def picture(scenes: Sequence[Scene], *, title: str = "", notes: Iterable[str] = (), look: Look = Look()) -> Picture:
    """Draw scenes side by side, in rows if needed, with the same section of the map, as an SVG with a title and notes."""
    return Picture(format_element(draw_document(scenes, title=title, notes=notes, look=look), "xml"))


def format_element(root: Element, method: Literal["xml", "html"]) -> str:
    """Return an element as XML or HTML text, with U+FFFD in place of characters that XML cannot contain."""
    return _NOT_XML.sub("\ufffd", ElementTree.tostring(root, encoding="unicode", method=method))


def draw_document(
    scenes: Sequence[Scene], *, title: str = "", notes: Iterable[str] = (), look: Look = Look(), page: PagePlace | None = None
) -> Element:
    """Draw scenes as `picture` does, but return the SVG element; `page` describes its place on a page with other pictures."""
    name, borrowed, alike = page or (None, None, ())
    notes = list(notes)
    drawing = _make_drawing(scenes, look, title, *notes, name=name, alike=alike)
    return _Layout(drawing, scenes, title, notes, look, borrowed).draw_document()


def draw_hidden_map(scenes: Sequence[Scene], map_id: str, look: Look = Look()) -> Element:
    """Return a hidden SVG element that defines the scenes' map, with this id, so that other pictures can refer to it."""
    drawing = _make_drawing(scenes, look)
    root = Element("svg", {"class": "defs", "aria-hidden": "true"})
    _define_map(root, drawing, scenes[0], map_id, look)
    return root


def _define_map(root: Element, drawing: MapDrawing, scene: Scene, map_id: str, look: Look) -> None:
    """Add a scene's map, with this id, to the definitions of an SVG element, so that `<use>` can draw it."""
    drawing.draw_areas(add_element(add_element(root, "defs"), "g", look.classes, id=map_id), scene.board.centers)


def _make_drawing(
    scenes: Sequence[Scene], look: Look, *texts: str, name: str | None = None, alike: Sequence[Scene] = ()
) -> MapDrawing:
    """Make the drawing of the map section that shows these scenes and those `alike`; its default name depends on `texts`.

    By default, the drawing's name, which must be unique on a page, is a hash of the texts and scenes.
    """
    geometry = _find_geometry(scenes[0].board.map, look.marks)
    unusual = (
        [] if (look.marks, look.pieces, look.labels) == (1, "letters", "codes") else [look.marks, look.pieces, look.labels]
    )
    content = " ".join((*texts, *map(describe_scene, scenes), str(look), *map(str, unusual)))
    identity = name or "s" + blake2s(content.encode("utf-8", "replace"), digest_size=4).hexdigest()
    view = find_view(geometry, [*scenes, *alike], look)
    return MapDrawing(
        scenes[0].board.map, geometry, choose_styles(scenes), view, identity, pieces=look.pieces, labels=look.labels
    )


def _find_geometry(game_map: Map, scale: float) -> Geometry:
    """Return the geometry of a map, shrunk so that units and letters appear larger by the factor `scale`."""
    if scale == 1:
        return find_geometry(game_map)
    known: dict[float, Geometry] = game_map.cache.setdefault(_find_geometry, {})
    if scale not in known:
        known[scale] = shrink_geometry(find_geometry(game_map), scale)
    return known[scale]


def choose_styles(scenes: Iterable[Scene]) -> Styles:
    """Return the style of each power in the scenes; powers of the map have the same styles in all pictures."""
    scenes = list(scenes)
    game_map = scenes[0].board.map
    powers = {power for scene in scenes for power in scene.powers}
    every = choose_power_styles(powers, game_map.power_names, game_map.colours)
    return {power: style for power, style in every.items() if power in powers}


def map_power_colours(game_map: Map) -> dict[str, str]:
    """Return the colour of each power's units on a map."""
    return {
        power: style.colour
        for power, style in choose_power_styles(game_map.powers, game_map.power_names, game_map.colours).items()
    }


def find_common_view(boards: Sequence[Board], scenes: Iterable[Scene]) -> Box:
    """Return the section of the map that shows all scenes of a series; the whole map if any of their boards is full."""
    geometry = find_geometry(boards[0].map)
    return geometry.box if any(map(is_full_board, boards)) else find_view(geometry, scenes, Look())


def find_view(geometry: Geometry, scenes: Iterable[Scene], look: Look) -> Box:
    """Return the section of the map to show: that of `look`, the whole map for a full board, or the scenes' action with room.

    If a section is almost as wide or as high as the map, it is extended to all of that side. A full board is shown whole. A
    wide picture shows more of the map, not larger units.
    """
    scenes = list(scenes)
    if look.crop:
        return look.crop
    places = [point for scene in scenes for point in _iter_places(geometry, scene)]
    if look.whole or not places or any(is_full_board(scene.board) for scene in scenes):
        return geometry.box
    box = make_box(places, _ROOM)
    wide = min(look.width or 0, WIDTH) / min(len(scenes), _MOST_COLUMNS)
    width, height = max(box.width, _SMALLEST, wide / _LARGEST_SCALE), max(box.height, _SMALLEST)
    width, height = max(width, 0.8 * height), max(height, 0.62 * width)
    width = width if width < 0.8 * geometry.width else geometry.width
    height = height if height < 0.8 * geometry.height else geometry.height
    left = min(max(0.0, (box.left + box.right - width) / 2), geometry.width - width)
    top = min(max(0.0, (box.top + box.bottom - height) / 2), geometry.height - height)
    return Box(round(left), round(top), round(left + width), round(top + height))


def is_full_board(board: Board) -> bool:
    """Return whether a board has units, or owned centres, for at least half of its supply centres, as boards of games have."""
    return 2 * max(len(board.units) + len(board.dislodged), len(board.centers)) >= len(board.map.centers)


def _iter_places(geometry: Geometry, scene: Scene) -> Iterable[Point]:
    """Yield the unit's point and the label's point for each location with a unit, order, retreat or owned centre in a scene."""
    named = [location for shown in scene.orders for location in (shown.origin, *places_named(shown.order))]
    standing = [location for figure in scene.figures for location in (figure.unit.location, *figure.retreats)]
    for location in (*named, *standing, *scene.board.centers):
        yield geometry.find_unit_point(location)
        yield geometry.provinces[province_of(location)].label


def list_legend_keys(scenes: Sequence[Scene], look: Look = Look()) -> list[tuple[Element, str]]:
    """Return the entries of the scenes' legend: for each, a small SVG drawing of a sign, and its description."""
    drawing = _make_drawing(scenes, look, "legend")
    keys = []
    for entry in list_items(scenes, drawing.styles, drawing.geometry):
        width = f"{entry.indent - 4:g}"
        key = Element("svg", {"class": look.classes, "viewBox": f"0 -15 {width} 30", "width": width, "height": "30"})
        key.set("aria-hidden", "true")
        if entry.sort == "area":
            drawing.define_hatch(key)
        if entry.sort == "owner":
            define_textures(key, drawing.identity, [one for one in drawing.styles.values() if str(one.number) == entry.sample])
        draw_sample(key, drawing, entry)
        keys.append((key, entry.word))
    return keys


@dataclass(frozen=True)
class _Layout:
    """The layout of one picture, from top to bottom."""

    drawing: MapDrawing
    scenes: Sequence[Scene]
    title: str
    notes: Sequence[str]
    look: Look
    borrowed: str | None

    def draw_document(self) -> Element:
        columns = self._choose_columns()
        gaps = _GAP * (columns - 1)
        view = self.drawing.view
        tallest = max(_TALLEST, min(WIDEST, _LEGIBLE * view.height))
        wide = min((self._inner_width - gaps) / columns, view.width * min(_LARGEST_SCALE, tallest / view.height))
        width = columns * wide + gaps + 2 * _MARGIN
        layout = replace(self, drawing=replace(self.drawing, scale=(self.look.width or width) / width * wide / view.width))
        return layout._draw_document(width, wide, columns)

    def _draw_document(self, width: float, map_width: float, columns: int) -> Element:
        """Return the SVG document, `width` wide, with maps that are each `map_width` wide, in this number of columns."""
        root = self._make_root()
        top = self._draw_heading(root, _MARGIN, width - 2 * _MARGIN)
        bottom = self._draw_panels(root, top, map_width, columns) + 4
        if unseen := dict.fromkeys(order for scene in self.scenes for order in scene.unseen):
            bottom = self._draw_note(root, f"Not drawn: {'; '.join(unseen)}.", bottom, width - 2 * _MARGIN, 4.0)
        if self.look.legend:
            entries = break_rows(list_items(self.scenes, self.drawing.styles, self.drawing.geometry), width - 2 * _MARGIN)
            draw_legend(root, self.drawing, entries, Point(_MARGIN, bottom))
            bottom += LINE * len(entries)
        if self.look.key:
            bottom = self._draw_note(root, ", ".join(self._iter_code_names()), bottom, width - 2 * _MARGIN, 4.0)
        height, scale = bottom + _MARGIN, (self.look.width or width) / width
        root.set("width", f"{scale * width:.0f}")  # as wide as requested
        root.set("height", f"{scale * height:.0f}")
        root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")
        return root

    def _iter_code_names(self) -> Iterator[str]:
        """Yield the code and the name of each visible province (`PAR Paris`), unless they are the same."""
        for code, shape in sorted(self.drawing.geometry.provinces.items()):
            if shape.shape.box.overlaps(self.drawing.view) and normal(code) != normal(shape.name):
                yield f"{code} {shape.name}"

    @property
    def _inner_width(self) -> float:
        """The maximum width between the margins; larger for a schematic with very many provinces, so that names have room."""
        return (self.look.width or max(WIDTH, min(WIDEST, _LEGIBLE * self.drawing.view.width))) - 2 * _MARGIN

    def _choose_columns(self) -> int:
        """Return the number of maps to put side by side, so that they are not tiny."""
        narrowest = max(_NARROW, _NARROW_MAP * self.drawing.view.width)
        fitting = max(1, min(_MOST_COLUMNS, int((self._inner_width + _GAP) / (narrowest + _GAP))))
        return 2 if len(self.scenes) == 4 and fitting == 3 else min(len(self.scenes), fitting)

    def _make_root(self) -> Element:
        identity = self.drawing.identity
        root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": self.look.classes, "role": "img"})
        root.set("aria-labelledby", f"{identity}-title {identity}-desc")
        add_element(root, "title", id=f"{identity}-title").text = self.title or "Diplomacy position"
        add_element(root, "desc", id=f"{identity}-desc").text = " ".join((*self.notes, *map(describe_scene, self.scenes)))
        powers = sorted(self.drawing.styles.values(), key=lambda style: style.number)
        special = bool(self.drawing.geometry.links or self.drawing.geometry.ways or self.drawing.geometry.features)
        add_element(root, "style").text = format_stylesheet(
            self.look.theme, powers, features=special, pieces=self.look.pieces != "letters"
        )
        self.drawing.define_hatch(add_element(root, "defs"))
        add_element(root, "rect", "paper", width="100%", height="100%")
        return root

    def _draw_heading(self, root: Element, top: float, width: float) -> float:
        """Draw the title and notes, from `top` down, and return the y coordinate of their end."""
        for line in break_lines(self.title, width, _TITLE_SIZE):
            top += _TITLE - 4
            add_text(root, line, "title", Point(_MARGIN, top - 6))
        for note in self.notes:
            top = self._draw_note(root, note, top, width)
        return top

    def _draw_note(self, root: Element, note: str, top: float, width: float, above: float = 6.0) -> float:
        for line in break_lines(note, width, SIZE):
            top += _NOTE
            add_text(root, line, "note", Point(_MARGIN, top - above))
        return top

    def _draw_panels(self, root: Element, top: float, map_width: float, columns: int) -> float:
        """Draw all maps with their captions, row by row, from `top` down, and return the y coordinate of their end."""
        high = map_width * self.drawing.view.height / self.drawing.view.width
        captions = [break_lines(scene.caption, map_width, _CAPTION_SIZE) for scene in self.scenes]
        above = _CAPTION * max(map(len, captions)) + 6 * any(captions)
        shared = self.borrowed
        if not shared and len(self.scenes) > 1:  # the map once for all panels
            shared = f"{self.drawing.identity}-map"
            _define_map(root, self.drawing, self.scenes[0], shared, self.look)
        for number, (scene, caption) in enumerate(zip(self.scenes, captions, strict=True)):
            row, column = divmod(number, columns)
            corner = Point(_MARGIN + column * (map_width + _GAP), top + row * (above + high + _GAP) + above)
            for line, words in enumerate(reversed(caption)):
                add_text(root, words, "caption", Point(corner.x, corner.y - 7 - _CAPTION * line))
            self._draw_panel(root, scene, corner, (map_width, high), shared)
        return top + ceil(len(self.scenes) / columns) * (above + high + _GAP) - _GAP

    def _draw_panel(self, root: Element, scene: Scene, corner: Point, size: tuple[float, float], shared: str | None) -> None:
        drawing, view = self.drawing, self.drawing.view
        box = {"x": corner.x, "y": corner.y, "width": size[0], "height": size[1]}
        seen = " ".join(f"{value:g}" for value in (view.left, view.top, view.width, view.height))
        about = {"data_marks": f"{self.look.marks:g}"} if self.look.marks != 1 else {}
        about |= {"data_map": drawing.map.name, "data_phase": scene.board.phase_name or scene.board.phase}
        panel = add_element(root, "svg", "panel", viewBox=seen, **box, **about)
        plan = ArrowPlan(drawing.geometry, scene)
        if shared:
            add_element(panel, "use", href=f"#{shared}")
        else:
            drawing.draw_areas(add_element(panel, "g", "areas"), scene.board.centers)
        drawing.draw_orders(panel, plan)
        drawing.draw_marks(add_element(panel, "g", "marks"), plan)
        drawing.draw_units(panel, plan)
        add_element(root, "rect", "frame", **box)
