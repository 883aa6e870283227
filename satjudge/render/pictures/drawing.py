"""The drawing itself, as SVG elements: the map, and on it the units and orders of a scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from satjudge.geography import Power, UnitKind, province_of
from satjudge.render.palette import PowerStyle
from satjudge.render.pictures.arrows import Drawn, Line, arrow_plan, unit_places
from satjudge.render.pictures.geometry import Box, Geometry, Point, ProvinceShape, number
from satjudge.render.pictures.labels import label_places
from satjudge.render.pictures.scene import VOID, Figure, Scene, ShownOrder
from satjudge.render.pictures.symbols import LABEL, SMALL_LABEL, element, frame, sign_symbol, text, unit_symbol

Styles = Mapping[Power, PowerStyle]


@dataclass(frozen=True)
class Drawing:
    """Draws on one map, as much of it as the view shows."""

    geometry: Geometry
    styles: Styles
    view: Box
    identity: str
    """What the names of elements begin with, so that they are unique on a page."""
    small: bool = False
    """Whether the map is drawn so small that its letters are enlarged."""

    def areas(self, parent: Element, owners: Mapping[str, Power]) -> None:
        """The provinces: seas below land, owned centres tinted."""
        for province in sorted(self._seen, key=lambda shape: shape.terrain != "sea"):
            self._area(parent, province, owners.get(province.code))
        for waste in self.geometry.decorations:
            if waste.box.meets(self.view):
                element(parent, "path", "waste", d=waste.path)

    def marks(self, parent: Element, scene: Scene, drawn: Sequence[Drawn]) -> None:
        """Labels and centre marks, which lie above the orders."""
        places = label_places(self.geometry, scene, drawn, self.view, SMALL_LABEL if self.small else LABEL)
        for province in self._seen:
            if place := places.get(province.code):
                classes = f"label {province.terrain} {province.code}"
                text(parent, province.code, classes, Point(place.x, place.y + 4))
            if province.center:
                owner = scene.board.centers.get(province.code)
                owned = f" p{self.styles[owner].number}" if owner else ""
                at = {"cx": province.center.x, "cy": province.center.y}
                element(parent, "circle", f"center {province.code}{owned}", r=4.5, **at)

    @property
    def _seen(self) -> list[ProvinceShape]:
        """The provinces that the view shows something of."""
        return [shape for shape in self.geometry.provinces.values() if shape.shape.box.meets(self.view)]

    def _area(self, parent: Element, province: ProvinceShape, owner: Power | None) -> None:
        owned = f" owned p{self.styles[owner].number}" if owner else ""
        area = element(parent, "path", f"province {province.terrain} {province.code}{owned}", d=province.shape.path)
        element(area, "title").text = f"{province.name} ({self.styles[owner].name})" if owner else province.name

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
        verdict = f" ({shown.verdict})" if shown.verdict else ""
        element(group, "title").text = f"{self.styles[shown.power].name}: {shown.order}{verdict}"
        return group

    def order_classes(self, shown: ShownOrder) -> str:
        """Kind, verdict, power and province of an order: `order move fails p2 PAR`."""
        words = ["order", shown.kind, *shown.verdict.replace(",", "").split()]
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
        element(group, "title").text = f"{style.name}: {unit}{fate}"
        unit_symbol(group, kind, style.letters, figure.fate, 2.5 if figure.waiting else 3.5)
