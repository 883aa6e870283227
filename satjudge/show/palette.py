"""Chooses the colours of pictures, by day and by night: how powers are told apart, and the style sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from string import Template

from satjudge.world.geography import Power

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
_TINTS: Mapping[Power, Mapping[str, float]] = {
    "AUSTRIA": {"light": 0.60, "dark": 0.44},
    "ENGLAND": {"light": 0.56, "dark": 0.68},
    "FRANCE": {"light": 0.66, "dark": 0.24},
    "GERMANY": {"light": 0.54, "dark": 0.54},
    "ITALY": {"light": 0.30, "dark": 0.66},
    "RUSSIA": {"light": 0.60, "dark": 0.58},
    "TURKEY": {"light": 0.44, "dark": 0.32},
}
"""How strongly each colours its provinces, 0 to 1, in place of the theme's `tint`. Under one strength for all, colour-blind
readers see several as one; under these any two differ, also from land and sea, for every eye
(tests/show/test_legibility.py)."""
_OTHERS = ("#e69f00", "#7f5ca8", "#8c564b", "#9acd32", "#c7c7c7", "#005f56", "#ff9da7", "#1f3b73")
"""For powers that are not on the standard map."""


READABLE = 4.5
"""The contrast that letters need (WCAG 2, AA)."""
_TEXTURE = 0.45
"""How much ink a texture has: enough to be seen on every tint, less than the letters of labels."""


@dataclass(frozen=True, slots=True)
class PowerStyle:
    """How a power is drawn: its colour, the ink that can be read on it, and what tells it from others without colour."""

    number: int
    """From 0; names the CSS class `p0` and chooses the texture of its provinces."""
    name: str
    colour: str
    ink: str
    letters: str
    """Two letters that stand for its name, on its units."""
    mark: str
    """The shortest beginning of its letters that no other power has: on its centres, and on units that are drawn small."""
    tints: Mapping[str, float]
    """How strongly it colours its provinces, by the name of the theme; as the theme says where nothing is said here."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of everything that does not belong to a power."""

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
    """How strongly the owner of a centre colours its province, 0 to 1, if its style says nothing else."""


LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#1b1f23",
    faint="#8a9097",
    sea="#e3eef4",
    land="#f7f3e8",
    waste="#d9d6cd",
    border="#4d5256",
    sea_border="#6286a0",
    label="#2b3035",
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
    border="#c4cad0",
    sea_border="#66869b",
    label="#eceef0",
    good="#4cc26a",
    bad="#ff5c6c",
    core="#c98a00",
    tint=0.42,
)
THEMES: Mapping[str, tuple[Theme, ...]] = {"auto": (LIGHT, DARK), "light": (LIGHT,), "dark": (DARK,)}
"""The themes by name; `auto` is light unless the reader prefers dark."""


def power_styles(powers: Iterable[Power], names: Mapping[Power, str]) -> dict[Power, PowerStyle]:
    """A style for each power. Those of the map keep theirs in every picture; others get theirs by alphabet."""
    known = [power for power in _COLOURS if power in names]
    ordered = [*known, *sorted({*powers, *names} - {*known})]
    styles: dict[Power, PowerStyle] = {}
    taken: set[str] = set()
    for number, power in enumerate(ordered):
        colour = _COLOURS[power] if power in known else _OTHERS[(number - len(known)) % len(_OTHERS)]
        name = names.get(power, power)
        letters = _letters(name, taken)
        taken.add(letters)
        styles[power] = PowerStyle(number, name, colour, ink_on(colour), letters, letters, _TINTS.get(power, {}))
    initials = Counter(style.letters[0] for style in styles.values())
    return {
        power: replace(style, mark=style.letters[0]) if initials[style.letters[0]] == 1 else style
        for power, style in styles.items()
    }


def _letters(name: str, taken: set[str]) -> str:
    """Two letters of the name that no other power has; a number where there are none left."""
    word = "".join(letter for letter in name if letter.isalnum()) or "?"
    pairs = [word[0].upper() + letter.lower() for letter in word[1:]] or [word[0].upper()]
    pairs += [word[0].upper() + str(number) for number in range(2, 100)]
    return next((pair for pair in pairs if pair not in taken), pairs[0])


def tint_of(style: PowerStyle, theme: Theme) -> str:
    """The colour of the provinces whose centres a power owns: as strong as the theme wants if labels can be read on it."""
    strength = style.tints.get(theme.name, theme.tint)
    shares = (strength * step / 20 for step in range(20, 0, -1))
    tints = (mixed(style.colour, theme.land, share) for share in shares)
    return next((tint for tint in tints if contrast(theme.label, tint) >= READABLE), theme.land)


def texture_of(style: PowerStyle, theme: Theme) -> str:
    """The colour of the texture on that tint."""
    return mixed(theme.ink, tint_of(style, theme), _TEXTURE)


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


# ---- the style sheet: every element has classes, so that a page may restyle it; nothing is coloured but here ----

FONT = "'Open Sans', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
"""The first is what PNG files are written with (`satjudge.show.png`); a browser takes the first that it has."""

_SHAPE, _THEME, _FEATURES = (
    Template(Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip())
    for name in ("picture.css", "picture_theme.css", "picture_features.css")
)
"""The rules that are the same in all colours, those for a theme, and those for what only some maps have."""
_POWER = Template("""\
$root $own .body,$root $own .head,$root $own .dot,$root .center$own{fill:$colour}
$root $own .shaft{stroke:$colour}
$root $own .letters,$root .mark$own{fill:$letters}
$root $own .tint{fill:$tint}
$root $own .texture{stroke:$texture}""")


def stylesheet(theme: str, styles: Iterable[PowerStyle], *, features: bool = False) -> str:
    """The rules for a picture of class `satjudge` and the theme's name, so that pictures on one page do not mix.

    Those for `features`, the signs of special places and the borders of a schematic, only where the map has any.
    """
    powers = list(styles)
    base, *others = THEMES[theme]
    root = f".satjudge.{theme}"
    rules = [_SHAPE.substitute(root=root, font=FONT), _colours(root, base, powers, features)]
    for other in others:
        rules.append(f"@media (prefers-color-scheme:{other.name}){{\n{_colours(root, other, powers, features)}\n}}")
    return "\n".join(rules)


def _colours(root: str, theme: Theme, styles: Iterable[PowerStyle], features: bool) -> str:
    """The rules that depend on light and dark."""
    powers = (
        _POWER.substitute(
            root=root,
            own=f".p{style.number}",
            colour=style.colour,
            letters=style.ink,
            tint=tint_of(style, theme),
            texture=texture_of(style, theme),
        )
        for style in styles
    )
    special = "\n" + _FEATURES.substitute(asdict(theme), root=root) if features else ""
    return _THEME.substitute(asdict(theme), root=root, powers="\n".join(powers)) + special
