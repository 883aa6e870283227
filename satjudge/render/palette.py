"""Colours: those of the powers, which colour-blind readers can tell apart, and those of paper and ink, by day and by night."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from satjudge.geography import Power

_COLOURS = {
    "AUSTRIA": "#d55e00",
    "ENGLAND": "#0072b2",
    "FRANCE": "#56b4e9",
    "GERMANY": "#666666",
    "ITALY": "#009e73",
    "RUSSIA": "#cc79a7",
    "TURKEY": "#f0e442",
}
"""The colours of Okabe and Ito, each near the one that players know, with a grey for Germany in place of black."""
_OTHERS = ("#e69f00", "#7f5ca8", "#8c564b", "#9acd32", "#c7c7c7", "#005f56", "#ff9da7", "#1f3b73")
"""For powers that are not on the standard map."""


@dataclass(frozen=True, slots=True)
class PowerStyle:
    """How a power is drawn: its colour, the ink that can be read on it, and two letters that stand for its name."""

    number: int
    """From 0; names the CSS class `p0` and the pattern of its provinces."""
    name: str
    colour: str
    ink: str
    letters: str


@dataclass(frozen=True, slots=True)
class Theme:
    """Everything that is not a power's."""

    name: str
    paper: str
    ink: str
    faint: str
    sea: str
    land: str
    waste: str
    border: str
    sea_border: str
    label: str
    good: str
    bad: str
    core: str
    tint: float
    """How strongly the owner of a centre colours its province, 0 to 1."""


LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#1b1f23",
    faint="#8a9097",
    sea="#e3eef4",
    land="#f7f3e8",
    waste="#d9d6cd",
    border="#6f7377",
    sea_border="#a9c3d1",
    label="#3d4247",
    good="#1a7f37",
    bad="#c0162c",
    core="#ffb000",
    tint=0.46,
)
DARK = Theme(
    name="dark",
    paper="#14181c",
    ink="#e8eaed",
    faint="#7d858d",
    sea="#14273a",
    land="#2e3236",
    waste="#1f2326",
    border="#8b9198",
    sea_border="#3c5362",
    label="#c3c8cd",
    good="#4cc26a",
    bad="#ff5c6c",
    core="#c98a00",
    tint=0.45,
)
THEMES: Mapping[str, tuple[Theme, ...]] = {"auto": (LIGHT, DARK), "light": (LIGHT,), "dark": (DARK,)}
"""By name; `auto` is light unless the reader prefers dark."""


def power_styles(powers: Iterable[Power], names: Mapping[Power, str]) -> dict[Power, PowerStyle]:
    """A style for each power. Those of the standard map keep theirs in every picture; others get theirs by alphabet."""
    known = [power for power in _COLOURS if power in names]
    ordered = [*known, *sorted({*powers} - {*known})]
    styles: dict[Power, PowerStyle] = {}
    taken: set[str] = set()
    for number, power in enumerate(ordered):
        colour = _COLOURS[power] if power in known else _OTHERS[(number - len(known)) % len(_OTHERS)]
        name = names.get(power, power)
        letters = _letters(name, taken)
        taken.add(letters)
        styles[power] = PowerStyle(number, name, colour, ink_on(colour), letters)
    return styles


def _letters(name: str, taken: set[str]) -> str:
    """Two letters of the name that no other power has; a number where there are none left."""
    word = "".join(letter for letter in name if letter.isalnum()) or "?"
    pairs = [word[0].upper() + letter.lower() for letter in word[1:]] or [word[0].upper()]
    pairs += [word[0].upper() + str(number) for number in range(2, 100)]
    return next((pair for pair in pairs if pair not in taken), pairs[0])


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as `#d55e00`, from 0 (black) to 1 (white), as WCAG 2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on a colour."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(colour, ink))


def mixed(one: str, other: str, share: float) -> str:
    """A colour that is `share` the first and the rest the other."""
    parts = [
        round(share * int(one[start : start + 2], 16) + (1 - share) * int(other[start : start + 2], 16)) for start in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)
