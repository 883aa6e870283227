"""Chooses the colours of pictures in the light and the dark theme: the styles that distinguish powers, and the style sheet."""

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
"""The colours of Okabe and Ito, each similar to the power's traditional colour, with grey instead of black for Germany."""
_TINTS: Mapping[Power, Mapping[str, float]] = {
    "AUSTRIA": {"light": 0.60, "dark": 0.44},
    "ENGLAND": {"light": 0.56, "dark": 0.53},
    "FRANCE": {"light": 0.66, "dark": 0.15},
    "GERMANY": {"light": 0.54, "dark": 0.75},
    "ITALY": {"light": 0.30, "dark": 0.66},
    "RUSSIA": {"light": 0.60, "dark": 0.78},
    "TURKEY": {"light": 0.44, "dark": 0.37},
}
"""The strength, from 0 to 1, with which each colour tints its provinces, instead of the theme's `tint`.

With the same strength for all, some would look alike to colour-blind readers. With these, any two differ for every eye, also
from land and sea (tests/show/test_legibility.py).
"""
_OTHERS = (
    "#e69f00", "#7f5ca8", "#8c564b", "#9acd32", "#c7c7c7", "#005f56", "#ff9da7", "#1f3b73", "#e10f4b", "#4b5a00", "#3cf087",
    "#c30f96", "#001e96", "#1e78ff", "#5ae1e1", "#87003c", "#c3a55a", "#c378ff", "#0f8700", "#d2c3ff", "#5a005a", "#690f00",
    "#87b469", "#3c2d0f", "#4b1e2d", "#ff5a96", "#780f96",
)  # fmt: skip
"""The colours for powers that are not on the standard map.

From the ninth on, each colour is the one that differs most from all colours before it, for normal and green-blind vision.
"""


READABLE = 4.5
"""The minimum contrast of letters (WCAG 2, AA)."""
_TEXTURE = 0.45
"""The share of ink in the colour of a texture: visible on every tint, but weaker than the letters of labels."""


@dataclass(frozen=True, slots=True)
class PowerStyle:
    """The style of a power in pictures: its colour, a legible ink for that, and letters for readers who see no colours."""

    number: int
    """The number of the power from 0, which names the CSS class `p0` and chooses the texture of its provinces."""
    name: str
    colour: str
    ink: str
    letters: str
    """The two letters of the power's name on its units."""
    mark: str
    """The first letter, or both if another power has the same one, for centres and for units that are drawn small."""
    tints: Mapping[str, float]
    """The strength with which the power's colour tints its provinces, by the theme's name, where it is not the theme's."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of everything in a picture that does not belong to a power."""

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
    """The strength, from 0 to 1, with which the owner of a centre tints its province, unless its style defines it."""


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


def choose_power_styles(
    powers: Iterable[Power], names: Mapping[Power, str], stated_colours: Mapping[Power, str] | None = None
) -> dict[Power, PowerStyle]:
    """Return a style for each power in `powers` or `names`; the colours are `stated_colours` if complete and all different.

    Powers of the map have the same styles in all pictures; other powers get styles in alphabetical order.
    """
    own = (
        stated_colours
        if stated_colours and len(set(stated_colours.values())) == len(stated_colours) and stated_colours.keys() >= names.keys()
        else {}
    )
    known = [power for power in _COLOURS if power in names]
    ordered = [*known, *sorted({*powers, *names} - {*known})]
    styles: dict[Power, PowerStyle] = {}
    used_letters: set[str] = set()
    for number, power in enumerate(ordered):
        usual = _COLOURS[power] if power in known else _OTHERS[(number - len(known)) % len(_OTHERS)]
        colour = own.get(power, usual)
        name = names.get(power, power)
        letters = _choose_letters(name, used_letters)
        used_letters.add(letters)
        styles[power] = PowerStyle(
            number, name, colour, choose_ink(colour), letters, letters, {} if own else _TINTS.get(power, {})
        )
    initials = Counter(style.letters[0] for style in styles.values())
    return {
        power: replace(style, mark=style.letters[0]) if initials[style.letters[0]] == 1 else style
        for power, style in styles.items()
    }


def _choose_letters(name: str, used_letters: set[str]) -> str:
    """Return a pair of letters of a name, or else its first letter and a number, that is not in `used_letters`."""
    word = "".join(letter for letter in name if letter.isalnum()) or "?"
    pairs = [word[0].upper() + letter.lower() for letter in word[1:]] or [word[0].upper()]
    pairs += [word[0].upper() + str(number) for number in range(2, 100)]
    return next((pair for pair in pairs if pair not in used_letters), pairs[0])


def choose_tint(style: PowerStyle, theme: Theme) -> str:
    """Return the colour for a power's provinces: its tint in the theme, weakened until labels on it are readable."""
    strength = style.tints.get(theme.name, theme.tint)
    shares = (strength * step / 20 for step in range(20, 0, -1))
    tints = (mix_colours(style.colour, theme.land, share) for share in shares)
    return next((tint for tint in tints if compute_contrast(theme.label, tint) >= READABLE), theme.land)


def choose_texture(style: PowerStyle, theme: Theme) -> str:
    """Return the colour of the texture on a power's provinces in a theme."""
    return mix_colours(theme.ink, choose_tint(style, theme), _TEXTURE)


def compute_luminance(colour: str) -> float:
    """Compute the relative luminance of a colour such as `#d55e00`, from 0 (black) to 1 (white), as WCAG 2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    lighter, darker = sorted((compute_luminance(one), compute_luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def choose_ink(colour: str) -> str:
    """Return black or white, whichever has the better contrast with a colour."""
    return max("#000000", "#ffffff", key=lambda ink: compute_contrast(colour, ink))


def mix_colours(first: str, second: str, share: float) -> str:
    """Return the mixture of two colours, with `share` (0 to 1) of the first and the rest of the second."""
    parts = [
        round(share * int(first[start : start + 2], 16) + (1 - share) * int(second[start : start + 2], 16))
        for start in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


# ---- the style sheet, which sets all colours; every element has classes, so that a page can restyle it ----

FONT = "'Open Sans', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
"""The fonts of pictures: PNG files use the first one, and a browser uses the first one that it has."""

_SHAPE, _THEME, _FEATURES, _PIECES = (
    Template(Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip())
    for name in ("picture.css", "picture_theme.css", "picture_features.css", "picture_pieces.css")
)
"""The rules for all themes, for one theme, for features of some maps, and for units that are not drawn as boxes."""
_POWER = Template("""\
$root $own .body,$root $own .head,$root $own .dot,$root .center$own{fill:$colour}
$root $own .shaft{stroke:$colour}
$root $own.fails .shaft,$root $own.cut .shaft,$root $own.disrupted .shaft{stroke:$tint}
$root $own.fails .head,$root $own.cut .dot,$root $own.disrupted .head{fill:$tint}
$root $own .letters,$root .mark$own{fill:$letters}
$root $own .tint{fill:$tint}
$root $own .texture{stroke:$texture}""")


def format_stylesheet(theme: str, styles: Iterable[PowerStyle], *, features: bool = False, pieces: bool = False) -> str:
    """Return a theme's style sheet for pictures with these powers, perhaps with rules for `features` and for units as `pieces`.

    `features` adds rules for signs of special places and a schematic's borders, and `pieces` those for units drawn as pieces.
    """
    powers = list(styles)
    base, *others = THEMES[theme]
    root = f".satjudge.{theme}"
    rules = [_SHAPE.substitute(root=root, font=FONT), _format_colours(root, base, powers, features)]
    if pieces:
        rules.insert(1, _PIECES.substitute(root=root))
    for other in others:
        rules.append(f"@media (prefers-color-scheme:{other.name}){{\n{_format_colours(root, other, powers, features)}\n}}")
    return "\n".join(rules)


def _format_colours(root: str, theme: Theme, styles: Iterable[PowerStyle], features: bool) -> str:
    """Return the rules of a style sheet that depend on the colours of the theme and the powers, for elements in `root`."""
    powers = (
        _POWER.substitute(
            root=root,
            own=f".p{style.number}",
            colour=style.colour,
            letters=style.ink,
            tint=choose_tint(style, theme),
            texture=choose_texture(style, theme),
        )
        for style in styles
    )
    special = "\n" + _FEATURES.substitute(asdict(theme), root=root) if features else ""
    return _THEME.substitute(asdict(theme), root=root, powers="\n".join(powers)) + special
