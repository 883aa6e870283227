"""The drawing itself, as SVG elements: the map, and on it the units and orders of a scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from satjudge.geography import Map, Power, UnitKind, province_of
from satjudge.notation.write import prose, prose_location, prose_unit
from satjudge.render.palette import PowerStyle
from satjudge.render.pictures.arrows import Drawn, Line, arrow_plan, option_plan, unit_places
from satjudge.render.pictures.curves import UNIT_HEIGHT
from satjudge.render.pictures.geometry import Box, Geometry, Point, ProvinceShape, number
from satjudge.render.pictures.labels import label_places
from satjudge.render.pictures.scene import VOID, Figure, Scene, ShownOrder
from satjudge.render.pictures.symbols import (
    LABEL,
    LETTERS,
    MARK,
    centre_symbol,
    define_textures,
    element,
    frame,
    option_symbol,
    sign_symbol,
    text,
    tint_area,
    unit_symbol,
)

Styles = Mapping[Power, PowerStyle]
LEGIBLE, _USUAL = 8.0, 13.0
"""Pixels: no letters on a map are smaller than the first; those of labels are the second on a map at its natural size."""


@dataclass(frozen=True)
class Drawing:
    """Draws on one map, as much of it as the view shows."""

    map: Map
    geometry: Geometry
    styles: Styles
    view: Box
    identity: str
    """What the names of elements begin with, so that they are unique on a page."""
    scale: float = 1.0
    """How many pixels a unit of the map is drawn."""

    @property
    def label_size(self) -> float:
        """How large labels are on the map: `_USUAL` pixels unless that is too much there, at least `LEGIBLE`."""
        return max(LABEL, min(_USUAL, _USUAL / self.scale), LEGIBLE / self.scale)

    @property
    def small(self) -> bool:
        """Whether the map is drawn so small that a unit has room for one letter only."""
        return self.scale * LETTERS < LEGIBLE

    def centre(self, parent: Element, at: Point, code: str, title: str, owner: PowerStyle | None) -> None:
        """The mark of a centre, with the letter of its owner where that can be read."""
        centre_symbol(parent, at, code, title, owner, lettered=self.scale * MARK >= LEGIBLE)

    def letters(self, style: PowerStyle) -> tuple[str, float]:
        """What stands on a unit of a power, and how large it is on the map: at least `LEGIBLE` pixels, if there is room."""
        if not self.small:
            return style.letters, LETTERS
        return style.mark, min(LEGIBLE / self.scale, UNIT_HEIGHT if len(style.mark) == 1 else LETTERS)

    def areas(self, parent: Element, owners: Mapping[str, Power]) -> None:
        """The provinces: seas below land; those with owned centres have the tint and the texture of their owner."""
        owning = [style for power, style in self.styles.items() if power in owners.values()]
        define_textures(element(parent, "defs"), self.identity, owning, max(1.0, 0.75 / self.scale))
        for province in sorted(self._seen, key=lambda shape: shape.terrain != "sea"):
            self._area(parent, province, owners.get(province.code))
        for waste in self.geometry.decorations:
            if waste.box.meets(self.view):
                element(parent, "path", "waste", d=waste.path)

    def marks(self, parent: Element, scene: Scene, drawn: Sequence[Drawn]) -> None:
        """Labels and centre marks, which lie above the orders."""
        size = self.label_size
        places = label_places(self.geometry, scene, drawn, self.view, size)
        names = element(parent, "g", "names", font_size=size)
        for province in self._seen:
            owner = scene.board.centers.get(province.code)
            named = province.name if owner is None else f"{province.name} ({self.styles[owner].name})"
            if place := places.get(province.code):
                classes = f"label {province.terrain} {province.code}"
                text(names, province.code, classes, Point(place.x, place.y + 0.36 * size), title=named)
            if province.center:
                self.centre(parent, province.center, province.code, named, self.styles[owner] if owner else None)

    @property
    def _seen(self) -> list[ProvinceShape]:
        """The provinces that the view shows something of."""
        return [shape for shape in self.geometry.provinces.values() if shape.shape.box.meets(self.view)]

    def _area(self, parent: Element, province: ProvinceShape, owner: Power | None) -> None:
        area = element(parent, "path", f"province {province.terrain} {province.code}", d=province.shape.path)
        element(area, "title").text = f"{province.name} ({self.styles[owner].name})" if owner else province.name
        if owner:
            tint_area(area, self.identity, self.styles[owner])

    def hatch(self, parent: Element) -> None:
        """The pattern of contested provinces."""
        pattern = element(parent, "pattern", "hatch", id=f"{self.identity}-hatch", width=9, height=9)
        pattern.set("patternUnits", "userSpaceOnUse")
        element(pattern, "path", d="M-1,10L10,-1M-1,1L1,-1M8,10L10,8", stroke_width=1.6)

    def orders(self, parent: Element, scene: Scene, drawn: Sequence[Drawn]) -> None:
        """What lies on the provinces, from the bottom up: contested ones, highlights, the lines of orders."""
        for province in sorted(scene.contested):
            area = self.geometry.provinces[province]
            contested = element(parent, "path", f"contested {province}", d=area.shape.path, fill_rule="evenodd")
            contested.set("fill", f"url(#{self.identity}-hatch)")
            element(contested, "title").text = f"{area.name} is contested"
        self._highlights(element(parent, "g", "highlights"), scene, drawn)
        self._options(element(parent, "g", "options"), scene)
        group = element(parent, "g", "orders")
        for one in drawn:
            self._lines(group, one.shown, one.lines)

    def units(self, parent: Element, scene: Scene, drawn: Sequence[Drawn]) -> None:
        """What lies on top: the ends of arrows, the units, and the signs of orders that came to nothing."""
        ends = element(parent, "g", "ends")
        for one in drawn:
            self._ends(ends, one.shown, one.lines)
        group = element(parent, "g", "units")
        for figure, place in zip(scene.figures, unit_places(self.geometry, scene), strict=True):
            self._figure(group, figure, place)
        signs = element(parent, "g", "signs")
        for one in drawn:
            if one.sign:
                self._sign(signs, one, one.sign)

    def plan(self, scene: Scene) -> list[Drawn]:
        """Where the lines of its orders run."""
        return arrow_plan(self.geometry, scene)

    def _highlights(self, parent: Element, scene: Scene, drawn: Sequence[Drawn]) -> None:
        """What is behind the orders of a core, or behind those that differ."""
        for one in drawn:
            if one.shown.highlight:
                group = element(parent, "g", f"highlight {one.shown.highlight}")
                for line in one.lines:
                    if not line.ghost:
                        places = "L".join(f"{number(x)},{number(y)}" for x, y in line.points)
                        element(group, "path", d=f"M{places}")
        standing = zip(scene.figures, unit_places(self.geometry, scene), strict=True)
        halos = {at: figure.highlight for figure, at in standing if figure.highlight}
        halos |= {self.geometry.at(shown.origin): shown.highlight for shown in scene.orders if shown.highlight}
        for at, highlight in halos.items():
            place = f"translate({number(at.x)},{number(at.y)})"
            frame(element(parent, "g", f"highlight {highlight}", transform=place), "halo", 7.5)

    def _options(self, parent: Element, scene: Scene) -> None:
        """Where dislodged units may retreat to."""
        for figure, location, path, ring in option_plan(self.geometry, scene):
            style = self.styles[figure.unit.power]
            group = element(parent, "g", f"option p{style.number} {figure.unit.province}")
            there = prose_location(location, self.map)
            element(group, "title").text = f"{style.name}: {prose_unit(figure.unit, self.map)} may retreat to {there}"
            option_symbol(group, path, ring)

    def _lines(self, parent: Element, shown: ShownOrder, lines: Sequence[Line]) -> None:
        group = self._order(parent, shown)
        for line in lines:
            ghost = " ghost" if line.ghost else ""
            element(group, "path", f"casing{ghost}", d=line.path)
            element(group, "path", f"shaft{ghost}", d=line.path)

    def _ends(self, parent: Element, shown: ShownOrder, lines: Sequence[Line]) -> None:
        """Arrowheads and dots, which no label may hide."""
        if any(line.head or line.dot for line in lines):
            group = self._order(parent, shown)
            for line in lines:
                if line.head:
                    element(group, "path", "head ghost" if line.ghost else "head", d=line.head)
                if line.dot:
                    element(group, "circle", "dot", cx=line.dot.x, cy=line.dot.y, r=3.6)

    def _order(self, parent: Element, shown: ShownOrder) -> Element:
        """A group for what is drawn of an order."""
        group = element(parent, "g", self.order_classes(shown))
        told = f"{prose(shown.order, self.map)} ({shown.verdict})"
        element(group, "title").text = f"{self.styles[shown.power].name}: {told}"
        return group

    def order_classes(self, shown: ShownOrder) -> str:
        """Kind, verdict, power and province of an order: `order move fails p2 PAR`."""
        words = ["order", shown.kind, *shown.verdict.words]
        words += ["void"] if shown.word in VOID else []
        return " ".join([*words, f"p{self.styles[shown.power].number}", province_of(shown.origin)])

    def _sign(self, parent: Element, one: Drawn, at: Point) -> None:
        sign = "void" if one.shown.word in VOID else "bad"
        size = "scale(.72)" if one.short else ""
        sign_symbol(element(parent, "g", sign, transform=f"translate({number(at.x)},{number(at.y)}){size}"), sign)

    def _figure(self, parent: Element, figure: Figure, at: Point) -> None:
        unit = figure.unit
        kind = "army" if unit.kind is UnitKind.ARMY else "fleet"
        style = self.styles[unit.power]
        words = ["unit", kind, figure.fate, f"p{style.number}", unit.province]
        size = "scale(.85)" if figure.waiting else ""  # two units share the province
        place = f"translate({number(at.x)},{number(at.y)}){size}"
        group = element(parent, "g", " ".join(filter(None, words)), transform=place)
        fate = f", {figure.fate}" if figure.fate else ""
        element(group, "title").text = f"{style.name}: {prose_unit(unit, self.map)}{fate}"
        letters, large = self.letters(style)
        unit_symbol(group, kind, letters, figure.fate, 2.5 if figure.waiting else 3.5, large)
