"""The orders of a page, power by power: each opens to show why its verdict is what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element

from satjudge.explain import Explanation, Reason
from satjudge.geography import Power, ProvinceCode, province_of
from satjudge.render.pictures import Scene
from satjudge.render.pictures.composition import styles_of
from satjudge.render.pictures.drawing import Styles
from satjudge.render.pictures.scene import ShownOrder
from satjudge.render.report.html import Content, hidden, node, verdict


@dataclass(frozen=True)
class OrderList:
    """The orders in these views of one position; the first view is the one that is explained."""

    views: Sequence[Scene]

    @cached_property
    def styles(self) -> Styles:
        """How the powers are drawn."""
        return styles_of(self.views)

    def name(self, power: Power) -> str:
        """A power by its name."""
        return self.views[0].board.map.name_of(power)

    def elements(self, explained: Sequence[Explanation]) -> Iterator[Content]:
        """The orders with their reasons; just the orders where the rulebook has no answer and so nothing is explained."""
        power = None
        for entry in explained or [Explanation(one.power, one.text, "unresolved", ()) for one in self.views[0].orders]:
            if entry.power != power:
                power = entry.power
                yield self._heading(power)
            yield self._order(entry)

    def _heading(self, power: Power) -> Element:
        if style := self.styles.get(power):
            colours = f"background:{style.colour};color:{style.ink}"
            return node("h3", node("span", style.letters, class_="swatch", style=colours), self.name(power), class_="power")
        return node("h3", self.name(power), class_="power")

    def _order(self, entry: Explanation) -> Element:
        head: list[Content] = [
            node("span", entry.order, class_="text"),
            " ",
            node("span", *self._verdicts(entry), class_="outcome"),
        ]
        province = self._province(entry)
        if not entry.reasons:
            return node("div", *head, class_="order", data_province=province)
        intro = node("p", "In the ruling:", class_="faint") if len(self.views) > 1 else None
        why = node("div", intro, node("ul", *map(_reason, entry.reasons)), class_="why")
        return node("details", node("summary", *head), why, class_="order", data_province=province)

    def _verdicts(self, entry: Explanation) -> Iterator[Element]:
        """The verdict in every view, hidden but for the first; once, if all say the same."""
        words = [shown.verdict if (shown := _shown(view, entry)) else entry.verdict for view in self.views]
        if len(set(words)) == 1:
            yield verdict(entry.verdict)
            return
        for number, word in enumerate(words):
            yield node("span", verdict(word or "unresolved"), data_view=number, hidden=hidden(number > 0))

    def _province(self, entry: Explanation) -> ProvinceCode | None:
        """Where the ordered unit stands; that ties the order to the picture."""
        for view in self.views:
            if shown := _shown(view, entry):
                return province_of(shown.origin)
            for figure in view.figures:
                if figure.unit.power == entry.power and entry.order.startswith(f"{figure.unit} "):
                    return figure.unit.province
        return None


def _shown(view: Scene, entry: Explanation) -> ShownOrder | None:
    """The order in a view that an explanation is about."""
    same = [shown for shown in view.orders if (shown.power, shown.text) == (entry.power, entry.order)]
    return next((shown for shown in same if shown.verdict == entry.verdict), same[0] if same else None)


def _reason(reason: Reason) -> Element:
    """A reason with its rules; what it takes for granted is farther in."""
    rules = node("span", f" [{', '.join(reason.rules)}]", class_="rule") if reason.rules else None
    below = node("ul", *map(_reason, reason.nested)) if reason.nested else None
    return node("li", reason.text, rules, below)
