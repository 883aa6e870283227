"""The style sheet of a picture. Every element has classes, so that a page may restyle it; nothing is coloured but here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satjudge.render.palette import THEMES, PowerStyle, Theme, texture_of, tint_of

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
    rules = [_SHAPE.strip().format(root), *_colours(root, base, powers)]
    for other in others:
        inner = "\n".join(_colours(root, other, powers))
        rules.append(f"@media (prefers-color-scheme:{other.name}){{\n{inner}\n}}")
    return "\n".join(rules)


def _colours(root: str, theme: Theme, styles: Iterable[PowerStyle]) -> Iterator[str]:
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
        yield from _power(root, theme, style)
    yield f"{root} .void .shaft,{root} .void .ghost{{stroke:{theme.faint}}}"
    yield f"{root} .void .head,{root} .void .dot,{root} .ghost.head{{fill:{theme.faint}}}"


def _power(root: str, theme: Theme, style: PowerStyle) -> Iterator[str]:
    own = f".p{style.number}"
    yield f"{_within(root, f'{own} .body,{own} .head,{own} .dot,.center{own}')}{{fill:{style.colour}}}"
    yield f"{root} {own} .shaft{{stroke:{style.colour}}}"
    yield f"{root} {own} .letters,{root} .mark{own}{{fill:{style.ink}}}"
    yield f"{root} {own} .tint{{fill:{tint_of(style, theme)}}}"
    yield f"{root} {own} .texture{{stroke:{texture_of(style, theme)}}}"


def _within(root: str, selectors: str) -> str:
    return ",".join(f"{root} {selector}" for selector in selectors.split(","))
