"""The orders of a page, power by power: each opens to show why its verdict is what it is, in the view that is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar
from xml.etree.ElementTree import Element

from satjudge.explain import Explanation, Reason
from satjudge.explain.explanation import cited
from satjudge.geography import Power, ProvinceCode, province_of
from satjudge.render.pictures import Scene
from satjudge.render.pictures.composition import styles_of
from satjudge.render.pictures.drawing import Styles
from satjudge.render.report.html import Content, hidden, node, verdict

_Same = TypeVar("_Same", bound=Hashable)


class View(NamedTuple):
    """What one view says of the orders; one without a name says what another one says."""

    name: str
    explained: Sequence[Explanation]


@dataclass(frozen=True)
class OrderList:
    """The orders of a scene, with what became of them in each view; the first view is the one that is shown at first."""

    scene: Scene
    views: Sequence[View]

    @cached_property
    def styles(self) -> Styles:
        """How the powers are drawn."""
        return styles_of([self.scene])

    def name(self, power: Power) -> str:
        """A power by its name."""
        return self.scene.board.map.name_of(power)

    @property
    def explained(self) -> bool:
        """Whether there are reasons to read."""
        return any(entry.reasons for view in self.views for entry in view.explained)

    def elements(self) -> Iterator[Content]:
        """The orders with their reasons; just the orders where nothing is explained."""
        orders: dict[Hashable, dict[int, Explanation]] = {}
        for number, view in enumerate(self.views):
            for key, entry in _keyed(view.explained):
                orders.setdefault(key, {})[number] = entry
        powers: dict[Power, list[Mapping[int, Explanation]]] = {}
        for told in orders.values():
            powers.setdefault(_any(told).power, []).append(told)
        for power, given in powers.items():
            yield self._heading(power)
            yield from map(self._order, given)

    def _heading(self, power: Power) -> Element:
        if style := self.styles.get(power):
            colours = f"background:{style.colour};color:{style.ink}"
            return node("h3", node("span", style.letters, class_="swatch", style=colours), self.name(power), class_="power")
        return node("h3", self.name(power), class_="power")

    def _order(self, told: Mapping[int, Explanation]) -> Element:
        """One order, by the numbers of the views that tell of it."""
        words = _alike((number, entry.verdict) for number, entry in told.items())
        verdicts = (node("span", verdict(str(word)), **_only(numbers, len(words) > 1)) for word, numbers in words.items())
        head: list[Content] = [node("span", _any(told).order, class_="text"), " ", node("span", *verdicts, class_="outcome")]
        some = {"data_view": _numbers(told), "hidden": hidden(0 not in told)} if len(told) < len(self.views) else {}
        place = {"class_": "order", "data_province": self._province(_any(told)), **some}
        reasons = _alike((number, entry.reasons) for number, entry in told.items())
        if not any(reasons):
            return node("div", *head, **place)
        why = (self._why(why, numbers, len(reasons) > 1) for why, numbers in reasons.items())
        return node("details", node("summary", *head), node("div", *why, class_="why"), **place)

    def _why(self, reasons: Sequence[Reason], numbers: Sequence[int], others: bool) -> Element:
        """The reasons in these views, which are named if others give other reasons."""
        names = " and ".join(name for number in numbers if (name := self.views[number].name))
        intro = node("p", f"{names}:", class_="faint") if others else None
        told = node("ul", *map(_reason, reasons)) if reasons else node("p", "The rulebook has no answer.")
        return node("div", intro, told, **_only(numbers, others))

    def _province(self, entry: Explanation) -> ProvinceCode | None:
        """Where the ordered unit stands; that ties the order to the picture."""
        same = [shown for shown in self.scene.orders if (shown.power, shown.text) == (entry.power, entry.order)]
        for shown in (*(shown for shown in same if shown.verdict == entry.verdict), *same):
            return province_of(shown.origin)
        for figure in self.scene.figures:
            if figure.unit.power == entry.power and entry.order.startswith(f"{figure.unit} "):
                return figure.unit.province
        return None


def _keyed(explained: Iterable[Explanation]) -> Iterator[tuple[Hashable, Explanation]]:
    """Each order with what it is known by in every view: its power and text, and how many like it came before."""
    before: Counter[Hashable] = Counter()
    for entry in explained:
        same = (entry.power, entry.order)
        yield (same, before[same]), entry
        before[same] += 1


def _any(told: Mapping[int, Explanation]) -> Explanation:
    return next(iter(told.values()))


def _alike(said: Iterable[tuple[int, _Same]]) -> dict[_Same, list[int]]:
    """What is said, each with the numbers of the views that say it."""
    found: dict[_Same, list[int]] = {}
    for number, one in said:
        found.setdefault(one, []).append(number)
    return found


def _only(numbers: Sequence[int], others: bool) -> dict[str, str | None]:
    """The attributes of what is to be seen in these views only, if others say something else."""
    return {"data_view": _numbers(numbers), "hidden": hidden(0 not in numbers)} if others else {}


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _reason(reason: Reason) -> Element:
    """A reason with its rules; what it takes for granted is farther in."""
    rules = node("span", f" [{cited(reason.rules)}]", class_="rule") if reason.rules else None
    below = node("ul", *map(_reason, reason.nested)) if reason.nested else None
    return node("li", reason.text, rules, below)
