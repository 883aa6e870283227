"""Colours, by day and by night: how powers are told apart, and the style sheet of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

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
        styles[power] = PowerStyle(number, name, colour, ink_on(colour), letters, letters)
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
    shares = (theme.tint * step / 20 for step in range(20, 0, -1))
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
"""The first is what PNG files are written with (`satjudge.render.png`); a browser takes the first that it has."""

# A picture shrinks with a page or notebook. Renderers that are no browsers take such a height to be nothing, and draw nothing.
_SHAPE = f"""
@media screen{{{{{{0}}{{{{max-width:100%;height:auto}}}}}}}}
{{0}}{{{{font-family:{FONT}}}}}
{{0}} path{{{{stroke-linejoin:round}}}}
{{0}} text{{{{text-anchor:middle}}}}
{{0}} .title,{{0}} .note,{{0}} .caption,{{0}} .word{{{{text-anchor:start}}}}
{{0}} .title{{{{font-size:19px;font-weight:bold}}}}
{{0}} .note,{{0}} .word{{{{font-size:13px}}}}
{{0}} .caption{{{{font-size:14px;font-weight:bold}}}}
{{0}} .label{{{{letter-spacing:.4px;paint-order:stroke;stroke-width:3;stroke-linejoin:round}}}}
{{0}} .letters,{{0}} .mark{{{{font-weight:bold}}}}
{{0}} .province,{{0}} .waste{{{{fill-rule:evenodd;stroke-width:.9}}}}
{{0}} .province.sea{{{{stroke-width:1}}}}
{{0}} .texture{{{{fill:none;stroke-width:1;stroke-linecap:round}}}}
{{0}} .texture.dots{{{{stroke-width:3}}}}
{{0}} .order path,{{0}} .highlight path,{{0}} .hatch path{{{{fill:none}}}}
{{0}} .casing{{{{stroke-width:5.4}}}}
{{0}} .shaft{{{{stroke-width:3.4}}}}
{{0}} .support .casing,{{0}} .convoy .casing{{{{stroke-width:4.2}}}}
{{0}} .support .shaft,{{0}} .convoy .shaft{{{{stroke-width:2.4}}}}
{{0}} .support .casing,{{0}} .support .shaft{{{{stroke-dasharray:6 3.5}}}}
{{0}} .retreat .casing,{{0}} .retreat .shaft{{{{stroke-dasharray:9 3}}}}
{{0}} .illegal .casing,{{0}} .illegal .shaft,{{0}} .ghost.casing,{{0}} .ghost.shaft{{{{stroke-dasharray:1.5 4}}}}
{{0}} .unresolved .casing,{{0}} .unresolved .shaft{{{{stroke-dasharray:.1 6;stroke-linecap:round}}}}
{{0}} .highlight path{{{{stroke-width:13;stroke-linecap:round}}}}
{{0}} .sign circle{{{{stroke-width:1.6}}}}
{{0}} .sign path{{{{stroke-width:2.4;stroke-linecap:round}}}}
{{0}} .army .body,{{0}} .fleet .body{{{{stroke-width:1.5}}}}
{{0}} .unit.illegal .body{{{{stroke-dasharray:3 2;fill-opacity:.65}}}}
{{0}} .fate{{{{fill:none;stroke-width:2.6}}}}
{{0}} .dashed{{{{stroke-dasharray:5 2.5}}}}
{{0}} .center{{{{stroke-width:1.2}}}}
{{0}} .frame{{{{fill:none;stroke-width:1.2}}}}
{{0}} .option path,{{0}} .option circle{{{{fill:none;stroke-width:1.3}}}}
{{0}} .option path{{{{stroke-dasharray:1.5 3.5}}}}
"""


def stylesheet(theme: str, styles: Iterable[PowerStyle]) -> str:
    """The rules for a picture of class `satjudge` and the theme's name, so that pictures on one page do not mix."""
    powers = list(styles)
    base, *others = THEMES[theme]
    root = f".satjudge.{theme}"
    rules = [_SHAPE.strip().format(root), *_colour_rules(root, base, powers)]
    for other in others:
        inner = "\n".join(_colour_rules(root, other, powers))
        rules.append(f"@media (prefers-color-scheme:{other.name}){{\n{inner}\n}}")
    return "\n".join(rules)


def _colour_rules(root: str, theme: Theme, styles: Iterable[PowerStyle]) -> Iterator[str]:
    """The rules that depend on light and dark."""
    rules = {
        ".paper": f"fill:{theme.paper}",
        "text": f"fill:{theme.ink}",
        ".label": f"fill:{theme.label};stroke:{theme.land};stroke-opacity:.8",
        ".label.sea": f"stroke:{theme.sea}",
        ".province.sea": f"fill:{theme.sea};stroke:{theme.sea_border}",
        ".province.land,.province.coast": f"fill:{theme.land};stroke:{theme.border}",
        ".waste": f"fill:{theme.waste};stroke:{theme.border}",
        ".casing": f"stroke:{theme.ink}",
        ".order .head,.order .dot": f"stroke:{theme.ink}",
        ".body": f"fill:{theme.paper};stroke:{theme.ink}",
        ".center": f"fill:{theme.paper};stroke:{theme.ink}",
        ".frame": f"stroke:{theme.faint}",
        ".option path,.option circle": f"stroke:{theme.bad}",
        ".hatch path": f"stroke:{theme.bad};stroke-opacity:.45",
        ".contested": f"stroke:{theme.bad};stroke-opacity:.5",
        ".highlight path": f"stroke:{theme.core};stroke-opacity:.75",
        ".highlight .halo": f"fill:{theme.core};fill-opacity:.75;stroke:none",
        ".sign circle": f"fill:{theme.paper};stroke:{theme.bad}",
        ".sign path": f"stroke:{theme.bad}",
        ".void .sign circle": f"stroke:{theme.faint}",
        ".void .sign path": f"stroke:{theme.faint}",
        ".fate": f"stroke:{theme.bad}",
        ".fate.built": f"stroke:{theme.good}",
    }
    for selectors, body in rules.items():
        yield f"{_within(root, selectors)}{{{body}}}"
    for style in styles:
        yield from _power_rules(root, theme, style)
    yield f"{root} .void .shaft,{root} .void .ghost{{stroke:{theme.faint}}}"
    yield f"{root} .void .head,{root} .void .dot,{root} .ghost.head{{fill:{theme.faint}}}"


def _power_rules(root: str, theme: Theme, style: PowerStyle) -> Iterator[str]:
    own = f".p{style.number}"
    yield f"{_within(root, f'{own} .body,{own} .head,{own} .dot,.center{own}')}{{fill:{style.colour}}}"
    yield f"{root} {own} .shaft{{stroke:{style.colour}}}"
    yield f"{root} {own} .letters,{root} .mark{own}{{fill:{style.ink}}}"
    yield f"{root} {own} .tint{{fill:{tint_of(style, theme)}}}"
    yield f"{root} {own} .texture{{stroke:{texture_of(style, theme)}}}"


def _within(root: str, selectors: str) -> str:
    return ",".join(f"{root} {selector}" for selector in selectors.split(","))
