"""Draws a scene as SVG elements: symbols of units, centres and signs, the map, and the units and orders on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, SubElement

from satjudge.notation.write import format_location, format_prose, format_unit
from satjudge.show.pictures.arrows import WAITING, ArrowPlan, DrawnOrder, Line
from satjudge.show.pictures.curves import RING, UNIT_HEIGHT, UNIT_WIDTH
from satjudge.show.pictures.geometry import (
    Box,
    Feature,
    Geometry,
    Link,
    Point,
    ProvinceShape,
    format_number,
    iter_node_outline,
    make_box,
    make_shape,
)
from satjudge.show.pictures.labels import LABEL, place_labels
from satjudge.show.pictures.palette import PowerStyle
from satjudge.show.pictures.scene import DISORDER, VOID, Figure, ShownOrder
from satjudge.world.board import Unit
from satjudge.world.geography import Map, Power, UnitKind, province_of

_HALF, _TALL = UNIT_WIDTH / 2, UNIT_HEIGHT / 2
_HULL = f"M{-_HALF},{-_TALL}h{UNIT_WIDTH}l-6.5,15.5q-1,2.5 -3.5,2.5h{20 - UNIT_WIDTH}q-2.5,0 -3.5,-2.5z"
"""The outline of a fleet, seen from the side."""
_CROSS = "".join(f"M{20 * x},{14 * y}L{8 * x},{5 * y}" for x in (-1, 1) for y in (-1, 1))
"""The cross over a unit that is destroyed or removed, with room for the letters in the middle."""
LETTERS, MARK = 12.0, 9.0
"""The font sizes of the letters on units and on owned centres, in units of the map, unless the map is drawn small."""
COAST, _MOST_COAST = 9.0, 18.0
"""The minimum and maximum font size in the tab of a coast."""
BORDER, OPTION = 1.1, 1.3
"""The widths of borders, and of lines to possible retreats."""
_SHEET, _LARGER = 1200.0, 1.35
"""The width of the standard map's sheet, and the maximum factor by which marks are larger on wider sheets."""
_TILE = 14.0
_DOTS = "M3.5,3.5h.01M10.5,10.5h.01"
_TEXTURES = (
    "M0,9.5L3.5,4.5L7,9.5L10.5,4.5L14,9.5",  # chevrons
    "M0,3.5H14M0,10.5H14",  # lines across
    "M3.5,0V14M10.5,0V14",  # lines down
    "M7,2L12,7L7,12L2,7Z",  # diamonds
    _DOTS,
    "M-1,-1L15,15M-1,13L1,15M13,-1L15,1",  # slanting lines
    "M4.5,7a2.5,2.5 0 1 0 5,0a2.5,2.5 0 1 0 -5,0",  # rings
    "M7,3.5V10.5M3.5,7H10.5",  # plus signs
    "M3,3H11V11H3Z",  # squares
    "M3,11L7,3L11,11Z",  # triangles
    "M4.5,0L9.5,3.5L4.5,7L9.5,10.5L4.5,14",  # chevrons on end
)
"""The textures of powers, each a tile of 14 x 14, chosen by the power's number.

The hatching of contested provinces slants the other way.
"""
_FEATURES = {
    "difficult": "M-8,4L-3,-4L1,2L4,-2L8,4",
    "halved": "M-5,-5A7,7 0 0 0 5,5ZM-7,7L7,-7",
    "convoying": "M-13,0q3.2,-4.5 6.5,0t6.5,0t6.5,0t6.5,0",
    "shut": "M0,-5V5M-4.3,-2.5L4.3,2.5M-4.3,2.5L4.3,-2.5",
}
"""The paths of the signs of features, relative to their places."""
_SIGNS = {"bad": "M-2.6,-2.6L2.6,2.6M-2.6,2.6L2.6,-2.6", "void": "M-3.2,0H3.2", "good": "M-3.2,.2L-1,2.6L3.2,-2.4"}
STANDING = {"holds": "ordered to hold", "unordered": "no order: holds"}
"""The meanings of the bars below units."""
Styles = Mapping[Power, PowerStyle]
Pieces = Literal["letters", "wood", "symbols"]
"""The look of units: boxes and hulls with their power's letters, wooden pieces, or a star and a ship."""
Labels = Literal["codes", "full", "none"]
"""The text of labels on provinces: their codes, their names, or nothing."""
_PIECES: Mapping[tuple[str, str], Sequence[tuple[str, str]]] = {
    ("wood", "army"): (
        ("shadow", "M-8.5,-6.5h18.5q2,0 2,2v12.5q0,2 -2,2h-16.5q-2,0 -2,-2z"),
        ("body", "M-10,-7q0,-2 2,-2h16q2,0 2,2v14q0,2 -2,2h-16q-2,0 -2,-2z"),
        ("shine", "M-9.2,-8.2H9.2L5.6,-4.2H-5.6z"),
        ("shade", "M-9.2,8.2H9.2L5.6,4.2H-5.6z"),
    ),
    ("wood", "fleet"): (
        ("shadow", "M-11,0h25q-1.4,8.4 -7.4,10h-11q-6,-1.6 -6.6,-10z"),
        ("body", "M-13.5,-2H-6.2V-7.6q0,-1.4 1.4,-1.4H2.8q1,0 1.6,.9L8.4,-2H13.5"
                 "q-1.4,8.6 -7.2,10.2H-6.3q-5.8,-1.6 -7.2,-10.2z"),
        ("shine", "M-12.6,-1.2H12.6l-.5,2H-12.1z"),
        ("shine", "M-5.2,-8H2.6l.8,1.2H-5.2z"),
        ("shade", "M-10.8,4.4H10.8q-1.8,2.6 -4.6,3.1H-6.2q-2.8,-.5 -4.6,-3.1z"),
    ),
    ("symbols", "army"): (
        ("body", "M-9,0a9,9 0 1 0 18,0a9,9 0 1 0 -18,0z"),
        ("hub", "M0.0,-5.8L1.5,-2.0L5.5,-1.8L2.4,0.8L3.4,4.7L0.0,2.5L-3.4,4.7L-2.4,0.8L-5.5,-1.8L-1.5,-2.0z"),
    ),
    ("symbols", "fleet"): (
        ("body", "M-13.3,3H-1.2V1.6H-9.6Q-3.4,-2 -2.4,-9H1.2V-8Q8.6,-5 10,1.6H1.2V3H13.3L10.4,7.4Q9.4,9 7.5,9H-7.5Q-9.4,9 "
                 "-10.4,7.4z"),
    ),
}  # fmt: skip
"""The classes and paths of each piece, by the look and the kind of unit, from the lowest to the highest."""
LEGIBLE, _USUAL = 8.0, 13.0
"""The minimum font size on a map in pixels, and the font size of labels on a map of its natural size."""


# ---- building blocks ----


def add_element(parent: Element, tag: str, classes: str = "", **attributes: object) -> Element:
    """Add a child element with these CSS classes and attributes (with hyphens for underscores), and return it."""
    named = {"class": classes} if classes else {}
    written = {name.replace("_", "-"): _format_value(value) for name, value in attributes.items()}
    return SubElement(parent, tag, named | written)


def _format_value(value: object) -> str:
    return format_number(value) if isinstance(value, float) else str(value)


def add_text(parent: Element, text: str, classes: str, point: Point, *, title: str = "", size: float | None = None) -> Element:
    """Add a line of text at a point, with a tooltip (`title`) and a font size if given, and return the element."""
    line = add_element(parent, "text", classes, x=point.x, y=point.y)
    if size is not None:
        line.set("font-size", format_number(size))
    if title:
        title_element = add_element(line, "title")
        title_element.text, title_element.tail = title, text  # a title counts only as the first child
    else:
        line.text = text
    return line


def draw_unit(
    parent: Element,
    kind: str,
    letters: str = "",
    fate: str = "",
    margin: float = 3.5,
    font_size: float = LETTERS,
    pieces: Pieces = "letters",
) -> None:
    """Draw a unit around the origin: a box (`army`) or hull (`fleet`) with letters, or its piece; and its fate's mark, if any.

    The letters have this `font_size`; other `pieces` have none. `margin` is the distance of a frame around the unit.
    """
    if pieces != "letters":
        paths = _PIECES[pieces, kind]
        add_element(parent, "path", "rim", d=next(path for classes, path in paths if classes == "body"))
        for classes, path in paths:
            add_element(parent, "path", classes, d=path)
        if fate:
            _draw_fate(parent, fate, margin)
        return
    if kind == "army":
        add_element(parent, "rect", "body", x=-_HALF, y=-_TALL, width=UNIT_WIDTH, height=UNIT_HEIGHT, rx=3.5)
    else:
        add_element(parent, "path", "body", d=_HULL)
    if fate:
        _draw_fate(parent, fate, margin)
    if letters:
        down = 0.36 * font_size
        add_text(parent, letters, "letters", Point(0, down if kind == "army" else down - 0.8), size=font_size)


def draw_standing_bar(parent: Element, standing: str, offset: float) -> None:
    """Draw the bar that marks a holding unit, `offset` below its middle: solid if ordered to hold, dotted if unordered."""
    group = add_element(parent, "g", f"standing {standing}")
    add_element(group, "title").text = STANDING[standing]
    for classes in ("casing", "shaft"):
        ghost = " ghost" * (standing == "unordered")
        add_element(group, "path", f"{classes}{ghost}", d=f"M{-_HALF + 2},{format_number(offset)}H{_HALF - 2}")


def draw_option(group: Element, path: str, end: Point, width: float = OPTION) -> None:
    """Draw a possible retreat: a thin line along a path, and a ring around its end."""
    for classes, wide in (("ground", 2 * width), ("line", width)):
        add_element(group, "path", classes, d=path, stroke_width=wide)
        add_element(group, "circle", classes, cx=end.x, cy=end.y, r=RING, stroke_width=wide)


def draw_frame(parent: Element, classes: str, margin: float) -> Element:
    """Add a frame around a unit at the origin, at a distance of `margin`, and return it."""
    x, y = _HALF + margin, _TALL + margin
    return add_element(parent, "rect", classes, x=-x, y=-y, width=2 * x, height=2 * y, rx=2 + margin)


def _draw_fate(parent: Element, fate: str, margin: float) -> None:
    """Draw a fate's mark: dashed frame if dislodged, cross if removed, both if destroyed or in disorder, framed plus if built.

    All marks have a lighter background, without which they would hardly be visible on the provinces of some powers.
    """
    for classes in ("ground", f"fate {fate}"):
        if fate in ("dislodged", "destroyed", DISORDER):
            draw_frame(parent, classes if classes == "ground" else f"{classes} dashed", margin)
        if fate in ("destroyed", "disbanded", "removed", DISORDER):
            add_element(parent, "path", classes, d=_CROSS)
        if fate == "built":
            draw_frame(parent, classes, 3.5)
            add_element(parent, "path", classes, d=f"M{_HALF + 4},{-_TALL - 8}v9m-4.5,-4.5h9")


def draw_sign(parent: Element, sign: str) -> None:
    """Draw an order's sign at the origin: a cross for `bad` (failed), a bar for `void` (illegal or invalid), or a tick."""
    group = add_element(parent, "g", "sign")
    add_element(group, "circle", r=6.5)
    add_element(group, "path", d=_SIGNS[sign])


def draw_link(parent: Element, link: Link) -> None:
    """Draw a border of a schematic, or a part of a railroad or canal.

    A border is a thin line for armies, dots for fleets, and both for both. A railroad has sleepers, and a canal has banks.
    """
    group = add_element(parent, "g", f"link {link.kind}")
    add_element(group, "title").text = link.title
    path = (
        f"M{format_number(link.start.x)},{format_number(link.start.y)}L{format_number(link.end.x)},{format_number(link.end.y)}"
    )
    for part in ("under", "over"):
        add_element(group, "path", part, d=path)


def format_node(terrain: str) -> str:
    """Return the outline of a schematic's province with this terrain, in the size of a legend, as SVG path data."""
    return make_shape([list(iter_node_outline(terrain, Point(3, 0), 0.36))]).path


def draw_feature(parent: Element, feature: Feature, font_size: float = COAST) -> None:
    """Draw the sign of a special place, such as a difficult border, or a coast's name unless the `font_size` is too large.

    If the `font_size` for the name of a coast is too large, the name is left out.
    """
    group = add_element(
        parent,
        "g",
        f"feature {feature.kind}",
        transform=f"translate({format_number(feature.at.x)},{format_number(feature.at.y)})",
    )
    add_element(group, "title").text = feature.title
    if feature.kind == "coast":
        if font_size <= _MOST_COAST:
            add_text(group, feature.title.rpartition(" ")[2], "coast", Point(0, 0.38 * font_size), size=font_size)
    else:
        add_element(group, "path", "under", d=_FEATURES[feature.kind])
        add_element(group, "path", "over", d=_FEATURES[feature.kind])


# ---- textures of owned provinces, which distinguish powers for readers who cannot see the colours ----


def format_texture_id(identity: str, style: PowerStyle) -> str:
    """Return the id of a power's texture in the document named `identity`: `s1a2b-p3`."""
    return f"{identity}-p{style.number}"


def define_textures(parent: Element, identity: str, styles: Iterable[PowerStyle], scale: float = 1.0) -> None:
    """Add the textures of these powers to an SVG element as patterns, enlarged by the factor `scale`."""
    for style in styles:
        size = {"width": _TILE, "height": _TILE, "patternUnits": "userSpaceOnUse"}
        pattern = add_element(parent, "pattern", f"p{style.number}", id=format_texture_id(identity, style), **size)
        if scale != 1:
            pattern.set("patternTransform", f"scale({scale:.2f})")
        add_element(pattern, "rect", "tint", width=_TILE, height=_TILE)
        path = _TEXTURES[style.number % len(_TEXTURES)]
        add_element(pattern, "path", "texture dots" if path == _DOTS else "texture", d=path)


def choose_texture_scale(scale: float) -> float:
    """Return the factor for textures on a map of this scale (pixels for each unit), as small ones would look grey."""
    return max(1.0, 0.75 / scale)


def tint_area(area: Element, identity: str, style: PowerStyle) -> None:
    """Set the class and style of an area so that it has the tint and texture of a power."""
    area.set("class", f"{area.get('class')} owned p{style.number}")
    area.set("style", f"fill:url(#{format_texture_id(identity, style)})")


# ---- a scene on its map ----


@dataclass(frozen=True)
class MapDrawing:
    """A drawing of scenes on one map, of which the section `view` is visible."""

    map: Map
    geometry: Geometry
    styles: Styles
    view: Box
    identity: str
    """The beginning of the ids of elements, so that these are unique on a page."""
    scale: float = 1.0
    """The number of pixels for a unit of the map."""
    pieces: Pieces = "letters"
    labels: Labels = "codes"

    def widen_thin_line(self, width: float) -> float:
        """Return a line's width in units of the map, enlarged on a small map so that it is at least `width` pixels."""
        return max(width, width / self.scale)

    @property
    def label_size(self) -> float:
        """The font size of labels in units of the map, equal to at least `LEGIBLE` pixels."""
        return max(LABEL, min(_USUAL, _USUAL / self.scale), LEGIBLE / self.scale)

    @property
    def mark_size(self) -> float:
        """The font size of the letters on owned centres, which is larger on a wide map."""
        return MARK * max(1.0, min(_LARGER, self.geometry.width / _SHEET))

    def draw_centre(self, parent: Element, point: Point, code: str, title: str, owner: PowerStyle | None) -> None:
        """Draw a supply centre's mark with a tooltip (`title`); if owned, it is larger, with the owner's letter if legible."""
        group, mark = add_element(parent, "g", "centre", **({"data_province": code} if title else {})), self.mark_size
        add_element(group, "title").text = title
        owned = f" p{owner.number}" if owner else ""
        radius = 6.0 * mark / MARK if owner else 4.5
        add_element(group, "circle", f"center {code}{owned}".replace("  ", " "), r=radius, cx=point.x, cy=point.y)
        if owner and self.scale * mark >= LEGIBLE:
            size = mark if len(owner.mark) == 1 else 0.75 * mark
            add_text(group, owner.mark, f"mark{owned}", Point(point.x, point.y + 0.36 * size), size=size)

    def choose_letters(self, style: PowerStyle) -> tuple[str, float]:
        """Return the letters for a power's units (its mark on a small map) and their font size, if possible legible."""
        if self.scale * LETTERS >= LEGIBLE:
            return style.letters, LETTERS  # on a smaller map there is room for one letter only
        return style.mark, min(LEGIBLE / self.scale, UNIT_HEIGHT if len(style.mark) == 1 else LETTERS)

    def draw_areas(self, parent: Element, owners: Mapping[str, Power]) -> None:
        """Draw the map below the orders: provinces with their centre's owner's tint and texture, railroads and features."""
        owning = [style for power, style in self.styles.items() if power in owners.values()]
        parent.set("stroke-width", format_number(self.widen_thin_line(BORDER)))
        define_textures(add_element(parent, "defs"), self.identity, owning, choose_texture_scale(self.scale))
        for link in self.geometry.links:
            if make_box((link.start, link.end)).overlaps(self.view):
                draw_link(parent, link)
        for province in sorted(self._visible_provinces, key=lambda shape: shape.terrain != "sea"):
            self._draw_area(parent, province, owners.get(province.code))
        for waste in self.geometry.decorations:
            if waste.box.overlaps(self.view):
                add_element(parent, "path", "waste", d=waste.path)
        for way in self.geometry.ways:
            if make_box((way.start, way.end)).overlaps(self.view):
                draw_link(parent, way)
        for feature in self.geometry.features:
            if make_box((feature.at,), 1).overlaps(self.view):
                draw_feature(parent, feature, max(COAST, LEGIBLE / self.scale))

    def draw_marks(self, parent: Element, plan: ArrowPlan) -> None:
        """Draw the labels of provinces and the marks of centres, in a layer above the orders."""
        size = self.label_size
        if self.labels == "none":
            labels = {}
        else:
            labels = {one.code: one.name if self.labels == "full" else one.code for one in self._visible_provinces}
        places = place_labels(plan, self.view, size, labels)
        names = add_element(parent, "g", "names", font_size=size)
        for province in self._visible_provinces:
            owner = plan.scene.board.centers.get(province.code)
            label_text = province.name if owner is None else f"{province.name} ({self.styles[owner].name})"
            if place := places.get(province.code):
                classes = f"label {province.terrain} {province.code}"
                label = add_text(names, labels[province.code], classes, Point(place.x, place.y + 0.36 * size), title=label_text)
                label.set("data-province", province.code)
            if province.center:
                self.draw_centre(parent, province.center, province.code, label_text, self.styles[owner] if owner else None)

    @property
    def _visible_provinces(self) -> list[ProvinceShape]:
        """The provinces whose bounding boxes overlap the view."""
        return [shape for shape in self.geometry.provinces.values() if shape.shape.box.overlaps(self.view)]

    def _draw_area(self, parent: Element, province: ProvinceShape, owner: Power | None) -> None:
        classes = f"province {province.terrain} {province.code}"
        area = add_element(parent, "path", classes, d=province.shape.path, data_province=province.code)
        add_element(area, "title").text = f"{province.name} ({self.styles[owner].name})" if owner else province.name
        if owner:
            tint_area(area, self.identity, self.styles[owner])

    def define_hatch(self, parent: Element) -> None:
        """Add the pattern for contested provinces to an SVG element."""
        pattern = add_element(parent, "pattern", "hatch", id=f"{self.identity}-hatch", width=9, height=9)
        pattern.set("patternUnits", "userSpaceOnUse")
        add_element(pattern, "path", d="M-1,10L10,-1M-1,1L1,-1M8,10L10,8", stroke_width=1.6)

    def draw_orders(self, parent: Element, plan: ArrowPlan) -> None:
        """Draw a plan's contested provinces, above them highlights and possible retreats, and above these the orders' lines."""
        for province in sorted(plan.scene.contested):
            area = self.geometry.provinces[province]
            pattern = {"fill_rule": "evenodd", "fill": f"url(#{self.identity}-hatch)"}
            contested = add_element(
                parent, "path", f"contested {province}", d=area.shape.path, **pattern, data_province=province
            )
            add_element(contested, "title").text = f"{area.name} is contested"
        self._draw_highlights(add_element(parent, "g", "highlights"), plan)
        self._draw_options(add_element(parent, "g", "options"), plan)
        group = add_element(parent, "g", "orders")
        for one in plan.orders:
            self._draw_lines(group, one.shown, one.lines)

    def draw_units(self, parent: Element, plan: ArrowPlan) -> None:
        """Draw a plan's ends of lines, above them the units, and above these the signs on orders."""
        ends = add_element(parent, "g", "ends")
        for one in plan.orders:
            self._draw_ends(ends, one.shown, one.lines)
        group = add_element(parent, "g", "units")
        for figure, place, bar in zip(plan.scene.figures, plan.units, plan.bars, strict=True):
            self._draw_figure(group, figure, place, bar)
        signs = add_element(parent, "g", "signs")
        for one in plan.orders:
            if one.sign:
                self._draw_sign(signs, one, one.sign)

    def _draw_highlights(self, parent: Element, plan: ArrowPlan) -> None:
        """Draw halos along the lines and around the units of highlighted orders, and around highlighted units."""
        for one in plan.orders:
            if one.shown.highlight:
                group = add_element(parent, "g", f"highlight {one.shown.highlight}", **_list_order_attributes(one.shown))
                for line in one.lines:
                    if not line.ghost or one.shown.ride:
                        places = "L".join(f"{format_number(x)},{format_number(y)}" for x, y in line.points)
                        add_element(group, "path", d=f"M{places}")
        standing = zip(plan.scene.figures, plan.units, strict=True)
        halos = {at: figure.highlight for figure, at in standing if figure.highlight}
        halos |= {
            self.geometry.find_unit_point(shown.origin): shown.highlight for shown in plan.scene.orders if shown.highlight
        }
        for at, highlight in halos.items():
            place = f"translate({format_number(at.x)},{format_number(at.y)})"
            draw_frame(add_element(parent, "g", f"highlight {highlight}", transform=place), "halo", 7.5)

    def _draw_options(self, parent: Element, plan: ArrowPlan) -> None:
        """Draw a line to each possible retreat of each dislodged unit."""
        for figure, location, path, ring in plan.options:
            style = self.styles[figure.unit.power]
            about = {**_list_unit_attributes(figure.unit), "data_to": location}
            group = add_element(parent, "g", f"option p{style.number} {figure.unit.province}", **about)
            place_text = format_location(location, self.map)
            add_element(group, "title").text = f"{style.name}: {format_unit(figure.unit, self.map)} may retreat to {place_text}"
            draw_option(group, path, ring, self.widen_thin_line(OPTION))

    def _draw_lines(self, parent: Element, shown_order: ShownOrder, lines: Sequence[Line]) -> None:
        group = self._add_order_group(parent, shown_order)
        rest = " rest" if shown_order.ride else ""
        for line in lines:
            ghost = f" ghost{rest}" if line.ghost else ""
            add_element(group, "path", f"casing{ghost}", d=line.path)
            add_element(group, "path", f"shaft{ghost}", d=line.path)

    def _draw_ends(self, parent: Element, shown_order: ShownOrder, lines: Sequence[Line]) -> None:
        """Draw the arrowheads and dots at the ends of an order's lines."""
        if any(line.head or line.dot for line in lines):
            group = self._add_order_group(parent, shown_order)
            for line in lines:
                if line.head:
                    add_element(group, "path", "head ghost" if line.ghost else "head", d=line.head)
                if line.dot and shown_order.kind == "permission" and not shown_order.sign:
                    place = f"translate({format_number(line.dot.x)},{format_number(line.dot.y)})"
                    draw_sign(add_element(group, "g", "good", transform=place), "good")
                elif line.dot:
                    add_element(group, "circle", "dot", cx=line.dot.x, cy=line.dot.y, r=3.6)

    def _add_order_group(self, parent: Element, shown_order: ShownOrder) -> Element:
        """Add an SVG group for an order, with CSS classes (`order move fails p2 PAR`) and a tooltip, and return it."""
        style, void = self.styles[shown_order.power], ["void"] if shown_order.word in VOID else []
        words = [
            "order",
            shown_order.kind,
            *shown_order.verdict.words,
            *void,
            f"p{style.number}",
            province_of(shown_order.origin),
        ]
        group = add_element(parent, "g", " ".join(words), **_list_order_attributes(shown_order))
        add_element(group, "title").text = f"{style.name}: {format_prose(shown_order.order, self.map)} ({shown_order.verdict})"
        return group

    def _draw_sign(self, parent: Element, order: DrawnOrder, point: Point) -> None:
        sign = order.shown.sign
        size = "scale(.72)" if order.is_short else ""
        place = f"translate({format_number(point.x)},{format_number(point.y)}){size}"
        draw_sign(add_element(parent, "g", sign, transform=place, **_list_order_attributes(order.shown)), sign)

    def _draw_figure(self, parent: Element, figure: Figure, point: Point, bar: Box | None) -> None:
        unit = figure.unit
        kind = "army" if unit.kind is UnitKind.ARMY else "fleet"
        style = self.styles[unit.power]
        words = ["unit", kind, figure.fate, f"p{style.number}", unit.province]
        size = f"scale({WAITING:g})" if figure.waiting else ""  # two units share the province
        place = f"translate({format_number(point.x)},{format_number(point.y)}){size}"
        group = add_element(parent, "g", " ".join(filter(None, words)), transform=place, **_list_unit_attributes(unit))
        fate = f", {figure.fate}" if figure.fate else ""
        add_element(group, "title").text = f"{style.name}: {format_unit(unit, self.map)}{fate}"
        letters, large = self.choose_letters(style)
        if bar:
            draw_standing_bar(group, figure.standing, (bar.top + bar.bottom) / 2 - point.y)
        draw_unit(group, kind, letters, figure.fate, 2.5 if figure.waiting else 3.5, large, self.pieces)


# ---- the attributes by which a page finds the parts of a picture ----


def _list_order_attributes(shown_order: ShownOrder) -> dict[str, str]:
    """Return the data attributes of an order's elements: its power, its unit's province, its text and its verdict."""
    about = {"data_power": shown_order.power, "data_province": province_of(shown_order.origin)}
    return about | {"data_order": shown_order.text, "data_verdict": str(shown_order.verdict)}


def _list_unit_attributes(unit: Unit) -> dict[str, str]:
    return {"data_power": unit.power, "data_province": unit.province, "data_unit": str(unit)}
