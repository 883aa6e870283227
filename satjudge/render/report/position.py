"""The page about one position: picture, orders with reasons, all resolutions, cores, and what other rulebooks say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Phase
from satjudge.errors import SheetError, UnresolvedError
from satjudge.explain import Explanation, adjustment_explanations, explanations, retreat_explanations
from satjudge.judge import judge_phase
from satjudge.legality import sort_out
from satjudge.notation.sheets import Sheet
from satjudge.outcome import Outcome
from satjudge.render.pictures import Look, Scene, position
from satjudge.render.pictures.composition import OnPage, document, legend_keys, map_alone
from satjudge.render.pictures.scene import (
    Panels,
    ShownOrder,
    case_panels,
    comparison_notes,
    marks,
    reference,
    resolution_panels,
)
from satjudge.render.report.html import Content, Section, figure, hidden, node, page, scrolling, table, verdict
from satjudge.render.report.orders import OrderList, View
from satjudge.research.compare import Comparison, compare
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.solve import Engine
from satjudge.solve.result import Adjudication

_MAP = "the-map"
_LOOK = Look(legend=False)
AFTERWARDS = "Afterwards"
"""The name of the view of the position that the phase leaves."""
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
    return PositionReport(sheet, rulebook, tuple(compared), engine).page(made)


@dataclass(frozen=True)
class PositionReport:
    """What the page tells, section by section."""

    sheet: Sheet
    rulebook: Rulebook
    compared: tuple[Rulebook, ...] = ()
    engine: Engine = Engine.STAGED

    def page(self, made: str = "") -> str:
        """The page; `made` says at its foot how it was made. Raises `SheetError` for a retreat phase."""
        judged = f"Judged by {self.rulebook.name}: {self.rulebook.title}."
        return page(self.sheet.heading, self.sections(), subtitle=judged, made=made, beside=2)

    def sections(self) -> Iterator[Section]:
        """All that there is to tell."""
        yield Section("The position", list(self._pictures()), "position")
        yield Section("Orders", list(self.order_list.elements()), "orders")
        if self.sheet.has_retreats and len(self.panels.scenes) > 1:
            scene = self.panels.scenes[1]
            retreats = OrderList(scene, [View("", self.retreats)])
            yield Section("Retreats", [_figure(scene, "retreat-view"), *retreats.elements()], "retreats")
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
        """The pictures with orders: the ruling, then the consistent resolutions."""
        several = self.resolutions.scenes[:-1] if self.resolutions else ()
        first = "No ruling" if not self.panels.resolved else "The ruling" if several else "The orders"
        return [(first, self.panels.scenes[0]), *((scene.caption, scene) for scene in several)]

    @cached_property
    def switched(self) -> list[tuple[str, Scene]]:
        """The pictures that one can switch between: those with orders, then the position that the phase leaves."""
        return self.views if self.outcome is None else [*self.views, (AFTERWARDS, position(self.outcome.next_board))]

    @cached_property
    def order_list(self) -> OrderList:
        """The orders of the phase, explained in every view."""
        names = [name for name, _ in self.views]
        told = [View(name, explained) for name, explained in zip(names, self._explained(), strict=True)]
        afterwards = [View("", told[0].explained)] * (len(self.switched) - len(told))
        return OrderList(self.panels.scenes[0], [*told, *afterwards])

    def _explained(self) -> Iterator[list[Explanation]]:
        """Why, in each view with orders."""
        if isinstance(self.outcome, AdjustmentOutcome):
            yield adjustment_explanations(self.outcome, rulebook=self.rulebook)
            return
        orders = self.panels.scenes[0].orders
        yield explanations(self.outcome) if self.outcome else [_unexplained(shown) for shown in orders]
        if self.resolutions:
            yield from map(explanations, self._supposed())

    def _supposed(self) -> Iterator[Outcome]:
        """What would become of the position by each of its resolutions that are shown."""
        assert isinstance(self.judged, Outcome | UnresolvedError)
        found = self.judged.adjudication.resolutions if isinstance(self.judged, Outcome) else self.judged.resolutions
        docket = sort_out(self.sheet.board, self.sheet.orders_by_power(), self.rulebook)
        for values in found.first(SHOWN):
            yield Outcome(self.sheet.board, docket, Adjudication(found.situation, tuple(values), (), found))

    @cached_property
    def judged(self) -> Outcome | AdjustmentOutcome | UnresolvedError:
        """What became of the first phase, or why the rulebook has no answer. Raises `SheetError` for a retreat phase."""
        if self.sheet.phase is Phase.RETREAT:
            message = f"{self.sheet.heading} is a retreat phase, of which no page is made"
            hint = "`satjudge judge`, `explain` and `render` take it"
            raise SheetError(message, source=self.sheet.source_file, line=self.sheet.line, suggestion=hint)
        try:
            outcome = judge_phase(self.sheet.board, self.sheet.orders_by_power(), rulebook=self.rulebook, engine=self.engine)
        except UnresolvedError as error:
            return error
        assert isinstance(outcome, Outcome | AdjustmentOutcome)
        return outcome

    @property
    def outcome(self) -> Outcome | AdjustmentOutcome | None:
        """What became of the first phase; nothing where the rulebook has no answer."""
        return None if isinstance(self.judged, UnresolvedError) else self.judged

    @property
    def retreats(self) -> list[Explanation]:
        """Why the retreats went as they did."""
        assert isinstance(self.outcome, Outcome)
        judged = judge_retreats(self.outcome.retreat_board, self.sheet.retreats_by_power(), rulebook=self.rulebook)
        return retreat_explanations(judged, rulebook=self.rulebook, movement=self.outcome)

    # How it is told.

    def _pictures(self) -> Iterator[Content]:
        yield from (node("p", note) for note in (self.resolutions or self.panels).notes)
        drawn = [*(scene for _, scene in self.switched), *self.panels.scenes]
        yield map_alone(drawn, _MAP, _LOOK)
        if len(self.switched) > 1:
            yield self._switch()
        for number, (name, scene) in enumerate(self.switched):
            captioned = replace(scene, caption=name)  # all or none: or the map would move up and down
            alike = [other for _, other in self.switched]
            yield _figure(captioned, f"view-{number}", alike, data_view=number, hidden=hidden(number > 0))
        yield node("ul", *(node("li", key, word) for key, word in legend_keys(drawn, _LOOK)), class_="legend")
        if self.order_list.explained:
            yield node("p", "Select a unit or an order in the picture to read why.", class_="faint screen")

    def _switch(self) -> Element:
        """Radio buttons: the arrow keys work, and a screen reader says which one is chosen."""
        buttons = [
            node(
                "label",
                node("input", type="radio", name="view", value=number, checked=None if number else ""),
                node("span", name),
            )
            for number, (name, _) in enumerate(self.switched)
        ]
        return node("fieldset", node("legend", "Show"), *buttons, class_="switch")

    def _side_by_side(self) -> Element:
        names, scenes = zip(*self.views, strict=True)
        rows = [
            (self.order_list.name(same[0].power), same[0].text, *(verdict(str(shown.verdict)) for shown in same))
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


def _figure(scene: Scene, name: str, alike: Sequence[Scene] = (), **attributes: object) -> Element:
    drawing = document([scene], look=_LOOK, page=OnPage(name, _MAP, alike))
    drawing.set("role", "group")  # what is in an image is hidden from screen readers, but here units can be pressed
    return figure(drawing, **attributes)


def _unexplained(shown: ShownOrder) -> Explanation:
    """An order to which the rulebook has no answer."""
    return Explanation(shown.power, shown.text, shown.verdict, ())


def _column(found: Comparison, column: Sequence[str]) -> Iterator[Element]:
    """What some rulebooks say, with marks where that differs."""
    for word, differs in zip(column, marks(found, column), strict=True):
        yield node("span", verdict(word), class_="differs" if differs else None)


def _core_elements(adjudication: Adjudication) -> Iterator[Element]:
    from satjudge.cores import classify, cycle_in_words
    from satjudge.render.graphs import cycle_svg

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
