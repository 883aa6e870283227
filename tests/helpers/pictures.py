"""Elements and scenes of pictures, and their colours as eyes see them."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.show.pictures.scene import Scene, make_case_panels
from satjudge.world.rules import load_rulebook

# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
Lab = tuple[float, float, float]


def lab(colour: str, eye: str) -> Lab:
    """The colour in CIE L*a*b* (D65), as that eye sees it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    red, green, blue = (min(1, max(0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in EYES[eye])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def having(root: Element, *names: str) -> list[Element]:
    """The elements that have all these classes."""
    return [part for part in root.iter() if set(part.get("class", "").split()).issuperset(names)]


def shipped(identity: str) -> Scene:
    """The first scene of a shipped case."""
    return make_case_panels(find_bundled_case(identity), load_rulebook()).scenes[0]
