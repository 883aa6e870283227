"""Textures of the provinces that a power owns: they tell the powers apart where colours do not."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from satjudge.render.palette import PowerStyle
from satjudge.render.pictures.symbols import element

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


def own(area: Element, identity: str, style: PowerStyle) -> None:
    """Give an area the tint and texture of a power, where the style sheet would give it the colour of free land."""
    area.set("class", f"{area.get('class')} owned p{style.number}")
    area.set("style", f"fill:url(#{texture_id(identity, style)})")
