"""The page about one position: picture, orders with reasons, all resolutions, cores, and what other rulebooks say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Phase
from satjudge.errors import UnresolvedError
from satjudge.explain import Explanation, adjustment_explanations, explanations, retreat_explanations
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Sheet
from satjudge.outcome import Outcome
from satjudge.render.pictures import Look, Scene
from satjudge.render.pictures.composition import OnPage, document, legend_keys, map_alone
from satjudge.render.pictures.panels import Panels, case_panels, comparison_notes, marks, reference, resolution_panels
from satjudge.render.report.html import Content, Section, hidden, node, page, scrolling, table, verdict
from satjudge.render.report.orders import OrderList
from satjudge.research.compare import Comparison, compare
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.solve import Engine
from satjudge.solve.result import Adjudication

_MAP = "the-map"
_LOOK = Look(width=1100, legend=False)
SHOWN = 12
"""How many resolutions a page shows."""


def position_page(
    sheet: Sheet,
    rulebook: Rulebook,
    compared: Sequence[Rulebook] = (),
    *,
    engine: Engine = Engine.STAGED,
    made: str = "",
) -> str:
    """A self-contained HTML page about a case, judged by one rulebook and compared under others. Raises `InputError`."""
    report = _Report(sheet, rulebook, tuple(compared), engine)
    return page(sheet.heading, report.sections(), subtitle=f"Judged by {rulebook.name}: {rulebook.title}.", made=made)


@dataclass(frozen=True)
class _Report:
    """What the page tells, section by section."""

    sheet: Sheet
    rulebook: Rulebook
    compared: tuple[Rulebook, ...]
    engine: Engine

    def sections(self) -> Iterator[Section]:
        yield Section("The position", list(self._pictures()), "position")
        yield Section("Orders", list(self.order_list.elements(self.explained)), "orders")
        if self.sheet.has_retreats and len(self.panels.scenes) > 1:
            retreats = OrderList(self.panels.scenes[1:])
            figure = self._figure(self.panels.scenes[1], "retreat-view")
            yield Section("Retreats", [figure, *retreats.elements(self.retreats)], "retreats")
        if len(self.views) > 1:
            yield Section("Resolutions side by side", [self._side_by_side()], "resolutions")
        if cores := list(self._cores()):
            yield Section("Cores", cores, "cores")
        if len(self.compared) > 1:
            yield Section("Rulebooks", list(self._comparison()), "rulebooks")
        if notes := [node("p", f"{kind}: {note}") for kind, told in self.sheet.notes.items() for note in told]:
            yield Section("Notes", notes, "notes")

    # What is to be told.

    @cached_property
    def panels(self) -> Panels:
        """What the judge says: the moves, and perhaps the retreats; or the adjustments."""
        return case_panels(self.sheet, self.rulebook, self.engine)

    @cached_property
    def resolutions(self) -> Panels | None:
        """The consistent resolutions and then the ruling, if there is more to see than one resolution."""
        if self.sheet.phase is not Phase.MOVEMENT:
            return None
        found = resolution_panels(self.sheet, self.rulebook, self.engine, SHOWN)
        return found if len(found.scenes) > 1 else None

    @cached_property
    def views(self) -> list[tuple[str, Scene]]:
        """The pictures that one can switch between: the ruling, then the consistent resolutions."""
        several = self.resolutions.scenes[:-1] if self.resolutions else ()
        first = "The ruling" if self.panels.resolved else "No ruling"
        return [(first, self.panels.scenes[0]), *((scene.caption, scene) for scene in several)]

    @cached_property
    def order_list(self) -> OrderList:
        return OrderList([scene for _, scene in self.views])

    @cached_property
    def outcome(self) -> Outcome | AdjustmentOutcome | None:
        """What became of the first phase; nothing where the rulebook has no answer."""
        try:
            outcome = judge_phase(self.sheet.board, self.sheet.orders_by_power(), rulebook=self.rulebook, engine=self.engine)
        except UnresolvedError:
            return None
        assert isinstance(outcome, Outcome | AdjustmentOutcome)  # no sheet begins with retreats
        return outcome

    @cached_property
    def explained(self) -> list[Explanation]:
        if isinstance(self.outcome, AdjustmentOutcome):
            return adjustment_explanations(self.outcome, self.sheet.orders_by_power(), rulebook=self.rulebook)
        return explanations(self.outcome) if self.outcome else []

    @property
    def retreats(self) -> list[Explanation]:
        assert isinstance(self.outcome, Outcome)
        given = self.sheet.retreats_by_power()
        judged = judge_retreats(self.outcome.next_board, given, rulebook=self.rulebook)
        return retreat_explanations(judged, given, rulebook=self.rulebook, movement=self.outcome)

    # How it is told.

    def _pictures(self) -> Iterator[Content]:
        yield from (node("p", note) for note in (self.resolutions or self.panels).notes)
        yield map_alone([*(scene for _, scene in self.views), *self.panels.scenes], _MAP, _LOOK)
        if len(self.views) > 1:
            yield self._switch()
        for number, (_, scene) in enumerate(self.views):
            yield self._figure(scene, f"view-{number}", data_view=number, hidden=hidden(number > 0))
        drawn = [*(scene for _, scene in self.views), *self.panels.scenes]
        yield node("ul", *(node("li", key, word) for key, word in legend_keys(drawn, _LOOK)), class_="legend")
        if self.explained:
            yield node("p", "Select a unit or an order in the picture to read why.", class_="faint screen")

    def _figure(self, scene: Scene, name: str, **attributes: object) -> Element:
        return node("figure", document([scene], look=_LOOK, page=OnPage(name, _MAP)), **attributes)

    def _switch(self) -> Element:
        """Radio buttons: the arrow keys work, and a screen reader says which one is chosen."""
        buttons = [
            node(
                "label",
                node("input", type="radio", name="view", value=number, checked=None if number else ""),
                node("span", name),
            )
            for number, (name, _) in enumerate(self.views)
        ]
        return node("fieldset", node("legend", "Show"), *buttons, class_="switch")

    def _side_by_side(self) -> Element:
        names, scenes = zip(*self.views, strict=True)
        rows = [
            (self.order_list.name(same[0].power), same[0].text, *(verdict(shown.verdict or "unresolved") for shown in same))
            for same in zip(*(scene.orders for scene in scenes), strict=True)
        ]
        return table(["Power", "Order", *names], rows, "All resolutions side by side")

    def _cores(self) -> Iterator[Content]:
        adjudication = self.outcome.adjudication if isinstance(self.outcome, Outcome) else None
        if adjudication and adjudication.cores:  # only then networkx is needed
            yield from _core_elements(adjudication)

    def _comparison(self) -> Iterator[Content]:
        sheet = self.sheet
        found = compare(
            sheet.board, sheet.orders_by_power(), self.compared, retreats=sheet.retreats_by_power(), engine=self.engine
        )
        names = [", ".join(rulebook.name for rulebook in alike) for alike in found.groups.values()]
        told = zip(found.orders, *(_column(found, column) for column in found.groups), strict=True)
        rows = [(self.order_list.name(power), order, *cells) for (power, order), *cells in told]
        yield table(["Power", "Order", *names], rows, "What the rulebooks say")
        if not found.agrees:
            yield node("p", f"Marked: what differs from {names[[*found.groups].index(reference(found))]}.", class_="faint")
        yield node("ul", *(node("li", note) for note in comparison_notes(found)))


def _column(found: Comparison, column: Sequence[str]) -> Iterator[Element]:
    """What some rulebooks say, with marks where that differs."""
    for word, differs in zip(column, marks(found, column), strict=True):
        yield node("span", verdict(word), class_="differs" if differs else None)


def _core_elements(adjudication: Adjudication) -> Iterator[Element]:
    from satjudge.research.cores import classify, cycle_in_words, cycle_svg

    for number, core in enumerate(classify(adjudication), start=1):
        yield node("h3", f"Core {number}: {core.name}")
        yield node("ul", *(node("li", line) for line in cycle_in_words(core)))
        graph = _unqualified(ElementTree.fromstring(cycle_svg(core)), f"core-{number}")
        yield scrolling(graph, f"The graph of core {number}", "graph")


def _unqualified(svg: Element, prefix: str) -> Element:
    """A drawing that was read back, as it is written in HTML: no namespaces, and ids of its own."""
    for part in svg.iter():
        part.tag = part.tag.rpartition("}")[2]
        if "id" in part.attrib:
            part.set("id", f"{prefix}-{part.attrib['id']}")
        for name, value in part.attrib.items():
            part.set(name, value.replace("url(#", f"url(#{prefix}-"))
    return svg
