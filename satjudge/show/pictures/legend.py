"""Writes the legend of a picture, and its alternative text for readers who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satjudge.notation.write import format_prose, format_unit
from satjudge.show.pictures.curves import format_arrowhead, format_wave, make_bent_curve
from satjudge.show.pictures.drawing import (
    STANDING,
    MapDrawing,
    Styles,
    add_element,
    add_text,
    draw_feature,
    draw_link,
    draw_option,
    draw_sign,
    draw_standing_bar,
    draw_unit,
    format_node,
    tint_area,
)
from satjudge.show.pictures.geometry import Feature, Geometry, Link, Point
from satjudge.show.pictures.labels import measure_text
from satjudge.show.pictures.palette import PowerStyle
from satjudge.show.pictures.scene import DISORDER, Scene, ShownOrder
from satjudge.world.geography import Map, province_of
from satjudge.world.orders import Convoy, Move, SupportMove
from satjudge.world.verdicts import NoVerdict

SIZE = 13.0
"""The font size of a legend."""
LINE = 23.0
"""The height of a row of a legend."""
_LETTERS = 13.0
_SAMPLE = 44.0
_OWNED = 34.0
"""The width of the sample of an owned province, next to a sample of the power's unit."""
_GAP = 10.0

_LINES = ("move", "convoyed", "support", "convoy", "permission", "retreat")
_FATES = ("dislodged", "destroyed", "disbanded", "removed", DISORDER, "built", "illegal")
_EXPLAINED = {
    "destroyed": "destroyed (no retreat)",
    "illegal": "illegal build",
    "convoyed": "move by convoy",
    "permission": "may pass the canal",
}
"""The descriptions of fates and lines whose names would not be clear."""

_NODES = {"land": "inland", "coast": "coast", "sea": "sea"}
_LINKS = {
    "army": "border for armies",
    "fleet": "border for fleets",
    "both": "border for both",
    "railroad": "railroad",
    "canal": "canal",
}
_FEATURES = {
    "difficult": "difficult border",
    "halved": "border at half strength",
    "convoying": "fleets can convoy from this coast",
    "shut": "closed in a season",
}


class LegendItem(NamedTuple):
    """An entry of a legend: the sort of its sample, the sample of that sort, and the description."""

    sort: str
    sample: str
    word: str

    @property
    def width(self) -> float:
        """The width of the entry in a row, including the gap after it."""
        return self.indent + measure_text(self.word, SIZE) + _GAP

    @property
    def indent(self) -> float:
        """The distance from the left edge of the entry to its description."""
        return _SAMPLE + _OWNED * (self.sort == "owner")


def list_items(scenes: Sequence[Scene], styles: Styles, geometry: Geometry | None = None) -> list[LegendItem]:
    """List the entries that the legend of these scenes needs: powers, signs and, if `geometry` is given, map features."""
    owners = {owner for scene in scenes for owner in scene.board.centers.values()}
    owning = {style.number for power, style in styles.items() if power in owners}
    powers = sorted(styles.values(), key=lambda style: style.number)
    items = (LegendItem("owner" if style.number in owning else "power", str(style.number), style.name) for style in powers)
    return [*items, *_iter_sign_items(scenes), *(_iter_map_items(geometry) if geometry else ())]


def _has_ghosts(scene: Scene) -> bool:
    """Return whether any order has a faint line: a support of a move that was not ordered, or a convoy that no army uses."""
    moves = {
        (province_of(shown.origin), province_of(shown.order.destination)): shown
        for shown in scene.orders
        if isinstance(shown.order, Move)
    }

    def is_ghostly(shown_order: ShownOrder) -> bool:
        match shown_order.order:
            case SupportMove(supported=named, destination=there):
                return (province_of(named.location), province_of(there)) not in moves
            case Convoy(convoyed=named, destination=there):
                sea, to = province_of(shown_order.origin), province_of(there)
                move = moves.get((province_of(named.location), to))
                last = to in scene.board.map.neighbours[sea]
                return not shown_order.chain or (last and move is not None and bool(move.chain) and sea not in move.chain)
        return False

    return any(map(is_ghostly, scene.orders))


def _iter_map_items(geometry: Geometry) -> Iterator[LegendItem]:
    """Yield the entries for a schematic's nodes and lines, and for signs of the map's special places."""
    if geometry.links:
        terrains = {shape.terrain for shape in geometry.provinces.values()}
        yield from (LegendItem("node", terrain, word) for terrain, word in _NODES.items() if terrain in terrains)
    kinds = {link.kind for link in (*geometry.links, *geometry.ways)} | {feature.kind for feature in geometry.features}
    yield from (LegendItem("link", kind, word) for kind, word in _LINKS.items() if kind in kinds)
    yield from (LegendItem("feature", kind, word) for kind, word in _FEATURES.items() if kind in kinds)


def _iter_sign_items(scenes: Sequence[Scene]) -> Iterator[LegendItem]:
    figures = [figure for scene in scenes for figure in scene.figures]
    orders = [order for scene in scenes for order in scene.orders]
    kinds = {str(figure.unit.kind) for figure in figures}
    yield from (LegendItem("unit", kind, word) for kind, word in (("A", "army"), ("F", "fleet")) if kind in kinds)
    used = {order.line for order in orders if order.kind != "permission" or not order.sign}
    yield from (LegendItem("line", kind, _EXPLAINED.get(kind, kind)) for kind in _LINES if kind in used)
    if any(order.verdict is NoVerdict.UNRESOLVED for order in orders):
        yield LegendItem("line", NoVerdict.UNRESOLVED, "no answer")
    if any(order.ride and not order.ride.has_arrived for order in orders):
        yield LegendItem("line", "rest", "rest of the railroad move")
    if any(map(_has_ghosts, scenes)):
        yield LegendItem("line", "ghost", "not ordered")
    if any(order.sign == "bad" for order in orders):
        yield LegendItem("sign", "bad", "fails, cut or disrupted")
    if any(order.sign == "void" for order in orders):
        yield LegendItem("sign", "void", "illegal or invalid")
    fates = {figure.fate for figure in figures}
    yield from (LegendItem("fate", fate, _EXPLAINED.get(fate, fate)) for fate in _FATES if fate in fates)
    standing = {figure.standing for figure in figures}
    yield from (LegendItem("standing", kind, word) for kind, word in STANDING.items() if kind in standing)
    yield LegendItem("center", "", "supply centre")
    if owned := [owner for scene in scenes for owner in scene.board.centers.values()]:
        yield LegendItem("center", owned[0], "owned centre")
    if any(scene.contested for scene in scenes):
        yield LegendItem("area", "contested", "contested: no retreat there")
    if any(scene.has_options for scene in scenes):
        yield LegendItem("option", "retreat", "possible retreat")
    marks = {order.highlight for order in orders}
    if "core" in marks:
        yield LegendItem("highlight", "core", "core: depends on itself")
    if "differs" in marks or any(figure.highlight for figure in figures):
        yield LegendItem("highlight", "differs", "differs")


def break_rows(entries: Sequence[LegendItem], width: float) -> list[list[LegendItem]]:
    """Arrange the entries of a legend in rows that are no wider than `width`, unless a single entry is wider."""
    found: list[list[LegendItem]] = []
    room = 0.0
    for entry in entries:
        if not found or entry.width > room:
            found.append([])
            room = width
        found[-1].append(entry)
        room -= entry.width
    return found


def draw_legend(parent: Element, drawing: MapDrawing, entries: Sequence[list[LegendItem]], corner: Point) -> None:
    """Draw the rows of a legend (`entries`), with its upper left corner at this point."""
    legend = add_element(parent, "g", "legend")
    for number, row in enumerate(entries):
        left, middle = corner.x, corner.y + LINE * number + LINE / 2
        for entry in row:
            key = add_element(legend, "g", f"key key-{entry.sort}", transform=f"translate({left:.1f},{middle:.1f})")
            draw_sample(key, drawing, entry)
            add_text(key, entry.word, "word", Point(entry.indent - 5, 4.5))
            left += entry.width


def draw_sample(key: Element, drawing: MapDrawing, entry: LegendItem) -> None:
    """Draw the sample of a legend's entry into the element `key`, 16 to the right of its origin."""
    group = add_element(key, "g", "sample", transform="translate(16,0)")
    match entry.sort:
        case "power" | "owner":
            style = next(style for style in drawing.styles.values() if str(style.number) == entry.sample)
            letters, size = drawing.choose_letters(style)
            draw_unit(add_element(group, "g", f"unit army p{entry.sample}"), "army", letters, font_size=min(size, _LETTERS))
            if entry.sort == "owner":
                _draw_centre(group, drawing, 33, style)
        case "unit":
            draw_unit(add_element(group, "g", "unit plain"), "army" if entry.sample == "A" else "fleet")
        case "line":
            _draw_line(add_element(group, "g", f"order {entry.sample} plain"), entry.sample)
        case "sign":
            draw_sign(add_element(group, "g", entry.sample), entry.sample)
        case "fate":
            unit = add_element(group, "g", f"unit plain {entry.sample}", transform="scale(.8)")
            draw_unit(unit, "army", fate=entry.sample)
        case "standing":
            unit = add_element(group, "g", f"unit plain {entry.sample}", transform="translate(0,-3) scale(.8)")
            draw_standing_bar(unit, entry.sample, 15.0)
            draw_unit(unit, "army")
        case "center":
            _draw_centre(group, drawing, 3, drawing.styles.get(entry.sample))
        case "option":
            draw_option(add_element(group, "g", "option"), "M-13,0H9", Point(13, 0))
        case "node":
            add_element(group, "path", f"province {entry.sample}", d=format_node(entry.sample))
        case "link":
            draw_link(group, Link(entry.sample, Point(-13, 0), Point(19, 0), entry.word))
        case "feature":
            draw_feature(group, Feature(entry.sample, Point(3, 0), entry.word))
        case "area":
            fill = f"url(#{drawing.identity}-hatch)"
            add_element(group, "rect", "contested", x=-11, y=-8, width=28, height=16, fill=fill)
        case _:
            mark = add_element(group, "g", f"highlight {entry.sample}")
            add_element(mark, "rect", "halo", x=-11, y=-8, width=28, height=16, rx=8)


def _draw_line(group: Element, kind: str) -> None:
    start, end = Point(-13, 0), Point(12 if kind == "permission" else 17, 0)
    last = end if kind in ("support", "convoy", "permission") else Point(end.x - 8, 0)
    path = format_wave(make_bent_curve(start, last, 0.0)) if kind in ("convoy", "convoyed") else f"M{start.x},0H{last.x}"
    ghost = {"rest": " ghost rest", "ghost": " ghost"}.get(kind, "")
    add_element(group, "path", f"casing{ghost}", d=path)
    add_element(group, "path", f"shaft{ghost}", d=path)
    if kind == "support":
        add_element(group, "circle", "dot", cx=17, cy=0, r=3.6)
    elif kind == "permission":
        draw_sign(add_element(group, "g", "good", transform="translate(12,0)"), "good")
    elif kind != "convoy":
        add_element(group, "path", "head ghost" if ghost else "head", d=format_arrowhead(end, Point(1, 0)))


def _draw_centre(group: Element, drawing: MapDrawing, x: float, owner: PowerStyle | None) -> None:
    """Draw a supply centre at this x on a piece of land, in the colours of its owner, if any."""
    land = add_element(group, "rect", "province land", x=x - 15, y=-9, width=_OWNED - 4, height=18)
    if owner:
        tint_area(land, drawing.identity, owner)
    drawing.draw_centre(group, Point(x, 0), "", "owned" if owner else "free", owner)


def break_lines(content: str, width: float, size: float) -> list[str]:
    """Break a text of this font size into lines that are no wider than `width`; wider words are broken, too."""
    lines: list[str] = []
    for piece in (piece for word in content.split() for piece in _iter_pieces(word, width, size)):
        if lines and measure_text(f"{lines[-1]} {piece}", size) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines


def _iter_pieces(word: str, width: float, size: float) -> Iterator[str]:
    """Break a word of this font size into parts that are no wider than `width`, but have at least one letter."""
    piece = ""
    for letter in word:
        if piece and measure_text(piece + letter, size) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


# ---- the alternative text, with the whole position ----


def describe_scene(scene: Scene) -> str:
    """Return the alternative text of a scene's picture: sentences on the units, orders and results, and owned centres."""
    return " ".join(_iter_sentences(scene))


def _iter_sentences(scene: Scene) -> Iterator[str]:
    game_map = scene.board.map
    if scene.caption:
        yield f"{scene.caption}."
    for power in scene.powers:
        figures = [figure for figure in scene.figures if figure.unit.power == power and figure.fate != "illegal"]
        refused = [format_unit(f.unit, game_map) for f in scene.figures if f.unit.power == power and f.fate == "illegal"]
        orders = [order for order in scene.orders if order.power == power]
        units = ", ".join(format_unit(f.unit, game_map) + f" ({f.fate})" * bool(f.fate) for f in figures) or "no units"
        given = "; ".join(f"{format_prose(shown.order, game_map)} ({shown.verdict})" for shown in orders)
        yield f"{game_map.name_of(power)}: {units}." + f" Orders: {given}." * bool(given)
        if refused:
            yield f"Illegal builds: {', '.join(refused)}."
    if scene.contested:
        yield f"Contested provinces: {_format_names(scene.contested, game_map)}."
    if core := [str(shown.order) for shown in scene.orders if shown.highlight == "core"]:
        yield f"Orders in cores: {'; '.join(core)}."
    differing = [str(shown.order) for shown in scene.orders if shown.highlight == "differs"]
    if differing := differing + [f"the fate of {figure.unit}" for figure in scene.figures if figure.highlight]:
        yield f"Differences: {'; '.join(differing)}."
    if scene.unseen:
        yield f"Not drawn: {'; '.join(scene.unseen)}."
    for power in sorted(set(scene.board.centers.values())):
        owned = [province for province, owner in scene.board.centers.items() if owner == power]
        yield f"{game_map.name_of(power)} owns {_format_names(owned, game_map)}."


def _format_names(provinces: frozenset[str] | list[str], game_map: Map) -> str:
    return ", ".join(sorted(game_map.provinces[province].name for province in provinces))
