"""SVG building blocks: symbols of units, centres and signs around the point (0, 0), textures of owned provinces, text."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import east_asian_width
from xml.etree.ElementTree import Element, SubElement

from satjudge.render.palette import PowerStyle
from satjudge.render.pictures.curves import UNIT_HEIGHT, UNIT_WIDTH
from satjudge.render.pictures.geometry import Box, Point, number
from satjudge.render.pictures.scene import DISORDER

_HALF, _TALL = UNIT_WIDTH / 2, UNIT_HEIGHT / 2
_HULL = f"M{-_HALF},{-_TALL}h{UNIT_WIDTH}l-6.5,15.5q-1,2.5 -3.5,2.5h{20 - UNIT_WIDTH}q-2.5,0 -3.5,-2.5z"
"""A fleet seen from the side."""
_CROSS = "".join(f"M{20 * x},{14 * y}L{8 * x},{5 * y}" for x in (-1, 1) for y in (-1, 1))
"""Over a unit that is gone, its middle left out for the letters."""
LABEL, LETTERS, MARK = 11.0, 12.0, 9.0
"""How large the letters of labels (at least), units and owned centres are, in units of the map, if it is not drawn small."""
RING = 4.0
"""Of the ring at a place to retreat to."""
_LABEL_GAP = 2.5
"""Left and right of a label, so that two in a line do not read as one."""
_TILE = 14.0
_DOTS = "M3.5,3.5h.01M10.5,10.5h.01"
_TEXTURES = (
    "M0,9.5L3.5,4.5L7,9.5L10.5,4.5L14,9.5",  # chevrons
    "M0,3.5H14M0,10.5H14",  # lines across
    "M3.5,0V14M10.5,0V14",  # lines down
    "M0,0L14,14M14,0L0,14",  # a lattice
    _DOTS,
    "M-1,-1L15,15M-1,13L1,15M13,-1L15,1",  # slanting lines
    "M4.5,7a2.5,2.5 0 1 0 5,0a2.5,2.5 0 1 0 -5,0",  # rings
    "M7,3.5V10.5M3.5,7H10.5",  # plus signs
)
"""Each a tile of 14 x 14, that of a power by its number. Contested provinces slant the other way."""


def element(parent: Element, tag: str, classes: str = "", **attributes: object) -> Element:
    """A new child; underscores in names of attributes stand for hyphens."""
    named = {"class": classes} if classes else {}
    written = {name.replace("_", "-"): _value(value) for name, value in attributes.items()}
    return SubElement(parent, tag, named | written)


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def text(parent: Element, content: str, classes: str, at: Point, *, title: str = "", size: float | None = None) -> Element:
    """A line of text, which may have a title for the pointer and a size of its own."""
    line = element(parent, "text", classes, x=at.x, y=at.y)
    if size is not None:
        line.set("font-size", number(size))
    if title:
        named = element(line, "title")
        named.text, named.tail = title, content  # a title counts only where it comes first
    else:
        line.text = content
    return line


def label_box(at: Point, content: str, size: float = LABEL) -> Box:
    """The room that a label takes, generously."""
    half = text_width(content, size) / 2 + _LABEL_GAP
    return Box(at.x - half, at.y - 0.55 * size, at.x + half, at.y + 0.55 * size)


def text_width(content: str, size: float) -> float:
    """How wide a text is at most in the usual fonts without serifs."""
    return size * sum(map(_letter_width, content))


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return 1.05
    if letter in "MW@mw":
        return 0.96
    return 0.38 if letter in "iljt.,:;'|()[]/ " else 0.74 if letter.isupper() else 0.64


def unit_symbol(
    parent: Element, kind: str, letters: str = "", fate: str = "", margin: float = 3.5, size: float = LETTERS
) -> None:
    """An army is a box, a fleet a hull; the letters say whose it is, and nothing that marks its fate covers them."""
    if kind == "army":
        element(parent, "rect", "body", x=-_HALF, y=-_TALL, width=UNIT_WIDTH, height=UNIT_HEIGHT, rx=3.5)
    else:
        element(parent, "path", "body", d=_HULL)
    if fate:
        _fate_symbol(parent, fate, margin)
    if letters:
        down = 0.36 * size
        text(parent, letters, "letters", Point(0, down if kind == "army" else down - 0.8), size=size)


def centre_symbol(parent: Element, at: Point, code: str, title: str, owner: PowerStyle | None, *, lettered: bool) -> None:
    """A supply centre; that of a power is larger and may have its letter."""
    group = element(parent, "g", "centre")
    element(group, "title").text = title
    owned = f" p{owner.number}" if owner else ""
    element(group, "circle", f"center {code}{owned}".replace("  ", " "), r=6.0 if owner else 4.5, cx=at.x, cy=at.y)
    if owner and lettered:
        size = MARK if len(owner.mark) == 1 else 0.75 * MARK
        text(group, owner.mark, f"mark{owned}", Point(at.x, at.y + 0.36 * size), size=size)


def option_symbol(group: Element, path: str, end: Point) -> None:
    """A thin line to a ring: where a dislodged unit may retreat to."""
    element(group, "path", d=path)
    element(group, "circle", cx=end.x, cy=end.y, r=RING)


def frame(parent: Element, classes: str, margin: float) -> Element:
    """A box around a unit."""
    x, y = _HALF + margin, _TALL + margin
    return element(parent, "rect", classes, x=-x, y=-y, width=2 * x, height=2 * y, rx=2 + margin)


def _fate_symbol(parent: Element, fate: str, margin: float) -> None:
    """A dashed box around what is dislodged, a cross over what is gone, a box and a plus at what is new."""
    if fate in ("dislodged", "destroyed", DISORDER):
        frame(parent, f"fate {fate} dashed", margin)
    if fate in ("destroyed", "disbanded", "removed", DISORDER):
        element(parent, "path", f"fate {fate}", d=_CROSS)
    if fate == "built":
        frame(parent, "fate built", 3.5)
        element(parent, "path", "fate built", d=f"M{_HALF + 4},{-_TALL - 8}v9m-4.5,-4.5h9")


def sign_symbol(parent: Element, sign: str) -> None:
    """A cross in a disc for what failed (`bad`), a bar for what could not but come to nothing (`void`)."""
    group = element(parent, "g", "sign")
    element(group, "circle", r=6.5)
    element(group, "path", d="M-3.2,0H3.2" if sign == "void" else "M-2.6,-2.6L2.6,2.6M-2.6,2.6L2.6,-2.6")


# ---- textures of the provinces that a power owns: they tell the powers apart where colours do not ----


def texture_id(identity: str, style: PowerStyle) -> str:
    """What a picture's texture of a power is known by."""
    return f"{identity}-p{style.number}"


def define_textures(parent: Element, identity: str, styles: Iterable[PowerStyle], scale: float = 1.0) -> None:
    """The textures of these powers as patterns, this many times as large as usual."""
    for style in styles:
        size = {"width": _TILE, "height": _TILE, "patternUnits": "userSpaceOnUse"}
        pattern = element(parent, "pattern", f"p{style.number}", id=texture_id(identity, style), **size)
        if scale != 1:
            pattern.set("patternTransform", f"scale({scale:.2f})")
        element(pattern, "rect", "tint", width=_TILE, height=_TILE)
        path = _TEXTURES[style.number % len(_TEXTURES)]
        element(pattern, "path", "texture dots" if path == _DOTS else "texture", d=path)


def tint_area(area: Element, identity: str, style: PowerStyle) -> None:
    """Give an area the tint and texture of a power, where the style sheet would give it the colour of free land."""
    area.set("class", f"{area.get('class')} owned p{style.number}")
    area.set("style", f"fill:url(#{texture_id(identity, style)})")
