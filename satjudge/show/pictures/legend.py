"""Writes the legend of a picture, and the alternative text for readers who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satjudge.notation.write import format_prose, format_unit
from satjudge.show.palette import PowerStyle
from satjudge.show.pictures.curves import arrowhead, bent_curve, wave
from satjudge.show.pictures.drawing import (
    STANDING,
    Drawing,
    Styles,
    element,
    feature_symbol,
    link_symbol,
    node_symbol,
    option_symbol,
    sign_symbol,
    standing_symbol,
    text,
    tint_area,
    unit_symbol,
)
from satjudge.show.pictures.geometry import Feature, Geometry, Link, Point
from satjudge.show.pictures.labels import text_width
from satjudge.show.pictures.scene import DISORDER, Scene, ShownOrder
from satjudge.world.geography import Map, province_of
from satjudge.world.orders import Convoy, Move, SupportMove
from satjudge.world.verdicts import NoVerdict

SIZE = 13.0
"""The size of the letters of a legend."""
LINE = 23.0
"""The height of a row of a legend."""
_LETTERS = 13.0
_SAMPLE = 44.0
_OWNED = 34.0
"""The room for a sample of a province that a power owns, beside its unit."""
_GAP = 10.0

_LINES = ("move", "convoyed", "support", "convoy", "permission", "retreat")
_FATES = ("dislodged", "destroyed", "disbanded", "removed", DISORDER, "built", "illegal")
_EXPLAINED = {
    "destroyed": "destroyed (no retreat)",
    "illegal": "may not be built",
    "convoyed": "move by convoy",
    "permission": "may pass the canal",
}
"""The words for fates and lines whose names by themselves would not do."""

_NODES = {"land": "inland", "coast": "coast", "sea": "sea"}
_LINKS = {
    "army": "border for armies",
    "fleet": "for fleets",
    "both": "for both",
    "railroad": "railroad",
    "canal": "canal",
}
_FEATURES = {
    "difficult": "difficult border",
    "halved": "border at half strength",
    "convoying": "fleets convoy from the coast",
    "shut": "shut in a season",
}


class Item(NamedTuple):
    """One entry of a legend: the sort of its sample, which sample, and its word."""

    sort: str
    sample: str
    word: str

    @property
    def width(self) -> float:
        """The width of the entry in a row."""
        return self.indent + text_width(self.word, SIZE) + _GAP

    @property
    def indent(self) -> float:
        """The distance from the left edge of the entry to its word."""
        return _SAMPLE + _OWNED * (self.sort == "owner")


def items(scenes: Sequence[Scene], styles: Styles, geometry: Geometry | None = None) -> list[Item]:
    """List the entries that the legend of these scenes needs, and those for special features of the map."""
    owners = {owner for scene in scenes for owner in scene.board.centers.values()}
    owning = {style.number for power, style in styles.items() if power in owners}
    powers = sorted(styles.values(), key=lambda style: style.number)
    named = (Item("owner" if style.number in owning else "power", str(style.number), style.name) for style in powers)
    return [*named, *_signs(scenes), *(_of_map(geometry) if geometry else ())]


def _has_ghosts(scene: Scene) -> bool:
    """Return whether an order names an action that nobody takes: a move not ordered, or a convoy that carries no army."""
    moves = {
        (province_of(shown.origin), province_of(shown.order.destination)): shown
        for shown in scene.orders
        if isinstance(shown.order, Move)
    }

    def is_ghostly(shown: ShownOrder) -> bool:
        match shown.order:
            case SupportMove(supported=named, destination=there):
                return (province_of(named.location), province_of(there)) not in moves
            case Convoy(convoyed=named, destination=there):
                sea, to = province_of(shown.origin), province_of(there)
                move = moves.get((province_of(named.location), to))
                last = to in scene.board.map.neighbours[sea]
                return not shown.chain or (last and move is not None and bool(move.chain) and sea not in move.chain)
        return False

    return any(map(is_ghostly, scene.orders))


def _of_map(geometry: Geometry) -> Iterator[Item]:
    """List the entries for the nodes and lines of a schematic, and for the signs of features."""
    if geometry.links:
        terrains = {shape.terrain for shape in geometry.provinces.values()}
        yield from (Item("node", terrain, word) for terrain, word in _NODES.items() if terrain in terrains)
    kinds = {link.kind for link in (*geometry.links, *geometry.ways)} | {feature.kind for feature in geometry.features}
    yield from (Item("link", kind, word) for kind, word in _LINKS.items() if kind in kinds)
    yield from (Item("feature", kind, word) for kind, word in _FEATURES.items() if kind in kinds)


def _signs(scenes: Sequence[Scene]) -> Iterator[Item]:
    figures = [figure for scene in scenes for figure in scene.figures]
    orders = [order for scene in scenes for order in scene.orders]
    kinds = {str(figure.unit.kind) for figure in figures}
    yield from (Item("unit", kind, word) for kind, word in (("A", "army"), ("F", "fleet")) if kind in kinds)
    used = {order.line for order in orders if order.kind != "permission" or not order.sign}
    yield from (Item("line", kind, _EXPLAINED.get(kind, kind)) for kind in _LINES if kind in used)
    if any(order.verdict is NoVerdict.UNRESOLVED for order in orders):
        yield Item("line", NoVerdict.UNRESOLVED, "no answer")
    if any(order.ride and not order.ride.has_arrived for order in orders):
        yield Item("line", "rest", "rest of the way by railroad")
    if any(map(_has_ghosts, scenes)):
        yield Item("line", "ghost", "nobody does that")
    if any(order.sign == "bad" for order in orders):
        yield Item("sign", "bad", "fails, cut or disrupted")
    if any(order.sign == "void" for order in orders):
        yield Item("sign", "void", "illegal or invalid")
    fates = {figure.fate for figure in figures}
    yield from (Item("fate", fate, _EXPLAINED.get(fate, fate)) for fate in _FATES if fate in fates)
    standing = {figure.standing for figure in figures}
    yield from (Item("standing", kind, word) for kind, word in STANDING.items() if kind in standing)
    yield Item("center", "", "supply centre")
    if owned := [owner for scene in scenes for owner in scene.board.centers.values()]:
        yield Item("center", owned[0], "owned centre")
    if any(scene.contested for scene in scenes):
        yield Item("area", "contested", "contested: standoff, no retreat there")
    if any(scene.options for scene in scenes):
        yield Item("option", "retreat", "may retreat there")
    marks = {order.highlight for order in orders}
    if "core" in marks:
        yield Item("highlight", "core", "core: waits for itself")
    if "differs" in marks or any(figure.highlight for figure in figures):
        yield Item("highlight", "differs", "differs")


def rows(entries: Sequence[Item], width: float) -> list[list[Item]]:
    """Break the entries of a legend into rows that are no wider than this."""
    found: list[list[Item]] = []
    room = 0.0
    for entry in entries:
        if not found or entry.width > room:
            found.append([])
            room = width
        found[-1].append(entry)
        room -= entry.width
    return found


def draw_legend(parent: Element, drawing: Drawing, entries: Sequence[list[Item]], at: Point) -> None:
    """Draw the rows of a legend from this corner on."""
    legend = element(parent, "g", "legend")
    for number, row in enumerate(entries):
        left, middle = at.x, at.y + LINE * number + LINE / 2
        for entry in row:
            key = element(legend, "g", f"key key-{entry.sort}", transform=f"translate({left:.1f},{middle:.1f})")
            sample(key, drawing, entry)
            text(key, entry.word, "word", Point(entry.indent - 5, 4.5))
            left += entry.width


def sample(key: Element, drawing: Drawing, entry: Item) -> None:
    """Draw the sample of an entry, around a point 16 to the right of the corner."""
    group = element(key, "g", "sample", transform="translate(16,0)")
    match entry.sort:
        case "power" | "owner":
            style = next(style for style in drawing.styles.values() if str(style.number) == entry.sample)
            letters, size = drawing.letters(style)
            unit_symbol(element(group, "g", f"unit army p{entry.sample}"), "army", letters, size=min(size, _LETTERS))
            if entry.sort == "owner":
                _centre(group, drawing, 33, style)
        case "unit":
            unit_symbol(element(group, "g", "unit plain"), "army" if entry.sample == "A" else "fleet")
        case "line":
            _line(element(group, "g", f"order {entry.sample} plain"), entry.sample)
        case "sign":
            sign_symbol(element(group, "g", entry.sample), entry.sample)
        case "fate":
            unit = element(group, "g", f"unit plain {entry.sample}", transform="scale(.8)")
            unit_symbol(unit, "army", fate=entry.sample)
        case "standing":
            unit = element(group, "g", f"unit plain {entry.sample}", transform="translate(0,-3) scale(.8)")
            standing_symbol(unit, entry.sample, 15.0)
            unit_symbol(unit, "army")
        case "center":
            _centre(group, drawing, 3, drawing.styles.get(entry.sample))
        case "option":
            option_symbol(element(group, "g", "option"), "M-13,0H9", Point(13, 0))
        case "node":
            element(group, "path", f"province {entry.sample}", d=node_symbol(entry.sample))
        case "link":
            link_symbol(group, Link(entry.sample, Point(-13, 0), Point(19, 0), entry.word))
        case "feature":
            feature_symbol(group, Feature(entry.sample, Point(3, 0), entry.word))
        case "area":
            fill = f"url(#{drawing.identity}-hatch)"
            element(group, "rect", "contested", x=-11, y=-8, width=28, height=16, fill=fill)
        case _:
            mark = element(group, "g", f"highlight {entry.sample}")
            element(mark, "rect", "halo", x=-11, y=-8, width=28, height=16, rx=8)


def _line(group: Element, kind: str) -> None:
    start, end = Point(-13, 0), Point(12 if kind == "permission" else 17, 0)
    last = end if kind in ("support", "convoy", "permission") else Point(end.x - 8, 0)
    path = wave(bent_curve(start, last, 0.0)) if kind in ("convoy", "convoyed") else f"M{start.x},0H{last.x}"
    ghost = {"rest": " ghost rest", "ghost": " ghost"}.get(kind, "")
    element(group, "path", f"casing{ghost}", d=path)
    element(group, "path", f"shaft{ghost}", d=path)
    if kind == "support":
        element(group, "circle", "dot", cx=17, cy=0, r=3.6)
    elif kind == "permission":
        sign_symbol(element(group, "g", "good", transform="translate(12,0)"), "good")
    elif kind != "convoy":
        element(group, "path", "head ghost" if ghost else "head", d=arrowhead(end, Point(1, 0)))


def _centre(group: Element, drawing: Drawing, at: float, owner: PowerStyle | None) -> None:
    """Draw a centre on a piece of land, as its owner has it if it has one."""
    land = element(group, "rect", "province land", x=at - 15, y=-9, width=_OWNED - 4, height=18)
    if owner:
        tint_area(land, drawing.identity, owner)
    drawing.centre(group, Point(at, 0), "", "owned" if owner else "free", owner)


def broken_lines(content: str, width: float, size: float) -> list[str]:
    """Break a text into lines that are no wider than this; words that are wider are broken, too."""
    lines: list[str] = []
    for piece in (piece for word in content.split() for piece in _pieces(word, width, size)):
        if lines and text_width(f"{lines[-1]} {piece}", size) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines


def _pieces(word: str, width: float, size: float) -> Iterator[str]:
    """Break a word into parts that are no wider than this, each with a letter at least."""
    piece = ""
    for letter in word:
        if piece and text_width(piece + letter, size) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


# ---- the alternative text, with the whole position ----


def scene_in_words(scene: Scene) -> str:
    """Describe a scene in sentences, as the alternative text of its picture."""
    return " ".join(_sentences(scene))


def _sentences(scene: Scene) -> Iterator[str]:
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
            yield f"May not be built: {', '.join(refused)}."
    if scene.contested:
        yield f"Contested: {_names(scene.contested, game_map)}."
    if core := [str(shown.order) for shown in scene.orders if shown.highlight == "core"]:
        yield f"Core: {'; '.join(core)}."
    differing = [str(shown.order) for shown in scene.orders if shown.highlight == "differs"]
    if differing := differing + [f"the fate of {figure.unit}" for figure in scene.figures if figure.highlight]:
        yield f"Different: {'; '.join(differing)}."
    if scene.unseen:
        yield f"Not drawn: {'; '.join(scene.unseen)}."
    for power in sorted(set(scene.board.centers.values())):
        owned = [province for province, owner in scene.board.centers.items() if owner == power]
        yield f"{game_map.name_of(power)} owns {_names(owned, game_map)}."


def _names(provinces: frozenset[str] | list[str], game_map: Map) -> str:
    return ", ".join(sorted(game_map.provinces[province].name for province in provinces))
