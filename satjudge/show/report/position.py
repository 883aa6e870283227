"""Makes the page about one position: pictures, orders with reasons, resolutions, cores, and verdicts of other rulebooks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from satjudge.base.errors import SheetError
from satjudge.explain.compare import compare
from satjudge.explain.cores import classify_cores, describe_cycle
from satjudge.explain.explanation import Explanation, Reason, format_rules
from satjudge.explain.phases import adjustment_explanations, explanations, retreat_explanations
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import Judgement, iter_outcomes, judge_case
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position, read_sheet_position
from satjudge.judging.solve import Engine
from satjudge.notation.sheets import Sheet
from satjudge.show.pictures import Look, Scene, position
from satjudge.show.pictures.composition import PagePlace, choose_styles, draw_document, draw_hidden_map, list_legend_keys
from satjudge.show.pictures.drawing import Styles
from satjudge.show.pictures.geometry import Box
from satjudge.show.pictures.scene import Panels, list_comparison_notes, make_case_panels, make_resolution_panels
from satjudge.show.report.html import (
    Content,
    Section,
    format_hidden,
    format_page,
    make_figure,
    make_node,
    make_scrolling_box,
    make_swatch,
    make_table,
    make_verdict,
)
from satjudge.world.board import Phase
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.rules import Rulebook

_MAP = "the-map"
_Same = TypeVar("_Same", bound=Hashable)
AFTERWARDS = "Afterwards"
"""The name of the view with the position after the phase."""
SHOWN = 12
"""The maximum number of resolutions on a page."""


def make_position_page(
    sheet: Sheet,
    rulebook: Rulebook,
    compared: Sequence[Rulebook] = (),
    *,
    engine: Engine = Engine.STAGED,
    footer: str = "",
) -> str:
    """Return a self-contained HTML page about a case, judged under `rulebook` and compared under the rulebooks `compared`.

    Raises `InputError`.
    """
    return PositionReport(sheet, rulebook, tuple(compared), engine).format_page(footer)


@dataclass(frozen=True)
class PositionReport:
    """The content of the page about a case, section by section."""

    sheet: Sheet
    rulebook: Rulebook
    compared: tuple[Rulebook, ...] = ()
    engine: Engine = Engine.STAGED
    crop: Box | None = None
    """The section of the map that all pictures show, if the case is one of several."""

    def format_page(self, footer: str = "") -> str:
        """Return the HTML page, with the text `footer` at its end.

        Raises `SheetError` for a retreat phase.
        """
        judged = f"Judged by {self.rulebook.name}: {self.rulebook.title}."
        return format_page(self.sheet.heading, self.iter_sections(), subtitle=judged, footer=footer, sticky_sections=2)

    def iter_sections(self) -> Iterator[Section]:
        """Yield the sections of the page in order; leave out those that would be empty."""
        yield Section("The position", list(self._iter_pictures()), "position")
        yield Section("Orders", list(self.order_list.iter_elements()), "orders")
        if self.sheet.has_retreats and len(self.panels.scenes) > 1:
            scene = self.panels.scenes[1]
            retreats = OrderList(scene, [View("", self.retreats)])
            yield Section("Retreats", [_make_figure(scene, "retreat-view", self.look), *retreats.iter_elements()], "retreats")
        if len(self.views) > 1:
            yield Section("Resolutions side by side", [self._make_side_by_side()], "resolutions")
        if cores := list(self._iter_cores()):
            yield Section("Cores", cores, "cores")
        if len(self.compared) > 1:
            yield Section("Rulebooks", list(self._iter_comparison()), "rulebooks")
        if notes := [make_node("p", f"{kind}: {note}") for kind, note_texts in self.sheet.notes.items() for note in note_texts]:
            yield Section("Notes", notes, "notes")

    # The content.

    @property
    def look(self) -> Look:
        """The look that all pictures on the page have."""
        return Look(legend=False, crop=self.crop)

    @cached_property
    def panels(self) -> Panels:
        """The scenes of the case's outcome: of the moves (or the unresolved core) and any retreats, or of the adjustments."""
        return make_case_panels(self.sheet, self.rulebook, self.engine)

    @cached_property
    def resolutions(self) -> Panels | None:
        """The scenes of the consistent resolutions, then of the ruling; None if there is only one, or no movement phase."""
        if self.sheet.phase is not Phase.MOVEMENT:
            return None
        found = make_resolution_panels(self.sheet, self.rulebook, self.engine, SHOWN)
        return found if len(found.scenes) > 1 else None

    @cached_property
    def views(self) -> list[tuple[str, Scene]]:
        """The names and scenes of the views with orders: the ruling first, then any consistent resolutions."""
        several = self.resolutions.scenes[:-1] if self.resolutions else ()
        first = "No ruling" if not self.panels.is_resolved else "The ruling" if several else "The orders"
        return [(first, self.panels.scenes[0]), *((scene.caption, scene) for scene in several)]

    @cached_property
    def all_views(self) -> list[tuple[str, Scene]]:
        """The names and scenes of all views: those with orders, then the position after the phase, if there is an outcome."""
        return (
            [*self.views, (AFTERWARDS, position(self.judgement.outcome.next_board))] if self.judgement.outcome else self.views
        )

    @cached_property
    def order_list(self) -> OrderList:
        """The orders of the phase with their explanations in each view."""
        views = [View(name, why) for (name, _), why in zip(self.views, self._iter_picture_explanations(), strict=True)]
        afterwards = [View("", views[0].explained)] * (len(self.all_views) - len(views))
        return OrderList(self.panels.scenes[0], [*views, *afterwards])

    def _iter_picture_explanations(self) -> Iterator[list[Explanation]]:
        """Yield, for each view with orders, the explanations of all orders: first for the ruling, then for each resolution."""
        outcome = self.judgement.outcome
        if isinstance(outcome, AdjustmentOutcome):
            yield adjustment_explanations(outcome, rulebook=self.rulebook)
        elif isinstance(outcome, Outcome):
            yield explanations(outcome)
        else:
            yield [Explanation.from_reasons(one.power, one.text, one.verdict, ()) for one in self.panels.scenes[0].orders]
        if self.resolutions:
            found = self.judgement.resolutions
            yield from map(explanations, iter_outcomes(found, self._position.orders, found.list_first(SHOWN)))

    @cached_property
    def _position(self) -> Position:
        return read_sheet_position(self.sheet)

    @cached_property
    def judgement(self) -> Judgement:
        """The judgement of the case under the rulebook.

        Raises `SheetError` for a retreat phase, and the engine's error if it gives no answer.
        """
        if self.sheet.phase is Phase.RETREAT:
            message = f"{self.sheet.heading} is a retreat phase: there are no pages about these"
            hint = "use `satjudge judge`, `explain` or `render` instead"
            raise SheetError(message, source=self.sheet.source_file, line=self.sheet.line, suggestion=hint)
        judged = judge_case(self.sheet, self.rulebook, self.engine)
        if not judged.unresolved_error:
            judged.require_outcome()
        return judged

    @property
    def retreats(self) -> list[Explanation]:
        """The explanations of the case's retreat orders."""
        assert self.judgement.retreats
        return retreat_explanations(self.judgement.retreats, rulebook=self.rulebook, movement=self.judgement.require_movement())

    # The form.

    def _iter_pictures(self) -> Iterator[Content]:
        yield from (make_node("p", note) for note in (self.resolutions or self.panels).notes)
        scenes = [*(scene for _, scene in self.all_views), *self.panels.scenes]
        yield draw_hidden_map(scenes, _MAP, self.look)
        if len(self.all_views) > 1:
            yield self._make_switch()
        for number, (name, scene) in enumerate(self.all_views):
            captioned = replace(scene, caption=name)  # all or none: or the map would move up and down
            alike = [other for _, other in self.all_views]
            yield _make_figure(
                captioned, f"view-{number}", self.look, alike, data_view=number, hidden=format_hidden(number > 0)
            )
        yield make_node(
            "ul", *(make_node("li", key, word) for key, word in list_legend_keys(scenes, self.look)), class_="legend"
        )
        if self.order_list.has_reasons:
            yield make_node("p", "Select a unit or an order in the picture to read the reasons.", class_="faint screen")

    def _make_switch(self) -> Element:
        """Make the radio buttons that switch between views."""
        buttons = []
        for number, (name, _) in enumerate(self.all_views):
            button = make_node("input", type="radio", name="view", value=number, checked=None if number else "")
            buttons.append(make_node("label", button, make_node("span", name)))
        return make_node("fieldset", make_node("legend", "Show"), *buttons, class_="switch")

    def _make_side_by_side(self) -> Element:
        names, scenes = zip(*self.views, strict=True)
        rows = [
            (self.order_list.get_power_name(same[0].power), same[0].text, *(make_verdict(shown.verdict) for shown in same))
            for same in zip(*(scene.orders for scene in scenes), strict=True)
        ]
        return make_table(["Power", "Order", *names], rows, "All resolutions side by side")

    def _iter_cores(self) -> Iterator[Element]:
        if self.judgement.adjudication is None or not self.judgement.adjudication.cores:
            return
        from satjudge.show.graphs import draw_cycle  # only now is networkx needed

        for number, core in enumerate(classify_cores(self.judgement.adjudication), start=1):
            yield make_node("h3", f"Core {number}: {core.name}")
            yield make_node("ul", *(make_node("li", line) for line in describe_cycle(core)))
            graph = _prepare_for_html(ElementTree.fromstring(draw_cycle(core)), f"core-{number}")
            yield make_scrolling_box(graph, f"The graph of core {number}", "graph")

    def _iter_comparison(self) -> Iterator[Content]:
        sheet = self.sheet
        found = compare(self._position, self.compared, retreats=sheet.retreats_by_power(), engine=self.engine)
        columns = (
            [
                make_node("span", make_verdict(verdict), class_="differs" if differs else None)
                for verdict, differs in zip(column, found.mark_differences(column), strict=True)
            ]
            for column in found.groups
        )
        rows = [
            (self.order_list.get_power_name(one.power), one.order, *verdicts)
            for one, *verdicts in zip(found.orders, *columns, strict=True)
        ]
        yield make_table(["Power", "Order", *found.names], rows, "What the rulebooks say")
        if not found.agrees:
            yield make_node(
                "p", f"Marked: what differs from {found.names[[*found.groups].index(found.reference)]}.", class_="faint"
            )
        yield make_node("ul", *(make_node("li", note) for note in list_comparison_notes(found)))


def _make_figure(scene: Scene, name: str, look: Look, alike: Sequence[Scene] = (), **attributes: object) -> Element:
    drawing = draw_document([scene], look=look, page=PagePlace(name, _MAP, alike))
    drawing.set("role", "group")  # screen readers skip the content of an image, but units can be pressed here
    return make_figure(drawing, **attributes)


def _prepare_for_html(svg: Element, prefix: str) -> Element:
    """Remove the namespaces from an SVG drawing, put the prefix before its ids to make them unique, and return it."""
    for part in svg.iter():
        part.tag = part.tag.rpartition("}")[2]
        if "id" in part.attrib:
            part.set("id", f"{prefix}-{part.attrib['id']}")
        for name, value in part.attrib.items():
            part.set(name, value.replace("url(#", f"url(#{prefix}-"))
    return svg


# ---- orders, power by power: each opens to show the reasons for its verdict in the chosen view ----


class View(NamedTuple):
    """The explanations of the orders in one view; the name is "" if they repeat another view's explanations."""

    name: str
    explained: Sequence[Explanation]


@dataclass(frozen=True)
class OrderList:
    """The orders of a scene with their results in each view; the first view is shown when the page opens."""

    scene: Scene
    views: Sequence[View]

    @cached_property
    def styles(self) -> Styles:
        """The style of each power in the scene."""
        return choose_styles([self.scene])

    def get_power_name(self, power: Power) -> str:
        """Return the full name of a power on the scene's map."""
        return self.scene.board.map.name_of(power)

    @property
    def has_reasons(self) -> bool:
        """True if any explanation of an order has reasons."""
        return any(entry.reasons for view in self.views for entry in view.explained)

    def iter_elements(self) -> Iterator[Content]:
        """Yield a heading for each power and an HTML element for each of its orders, with verdicts and reasons in all views."""
        orders: dict[Power, dict[Hashable, dict[int, Explanation]]] = {}
        for number, view in enumerate(self.views):
            before: Counter[tuple[Power, str]] = Counter()  # orders with the same text are distinguished by their number
            for entry in view.explained:
                same = (entry.power, entry.order)
                orders.setdefault(entry.power, {}).setdefault((same, before[same]), {})[number] = entry
                before[same] += 1
        for power, given in orders.items():
            yield self._make_heading(power)
            yield from map(self._make_order, given.values())

    def _make_heading(self, power: Power) -> Element:
        return make_node("h3", make_swatch(self.styles.get(power)), self.get_power_name(power), class_="power")

    def _make_order(self, explanations: Mapping[int, Explanation]) -> Element:
        """Make the HTML element for one order from its explanations, by the numbers of the views."""
        one = next(iter(explanations.values()))
        words = _group_views((number, entry.verdict) for number, entry in explanations.items())
        verdicts = (
            make_node("span", make_verdict(word), **_list_view_attributes(numbers, len(words) > 1))
            for word, numbers in words.items()
        )
        head: list[Content] = [make_node("span", one.order, class_="text"), " ", make_node("span", *verdicts, class_="outcome")]
        attributes = (
            {"data_view": _format_numbers(explanations), "hidden": format_hidden(0 not in explanations)}
            if len(explanations) < len(self.views)
            else {}
        )
        place = {"class_": "order", "data_province": self._find_province(one), **attributes}
        reasons = _group_views((number, entry.reasons) for number, entry in explanations.items())
        if not any(reasons):
            return make_node("div", *head, **place)
        why = (self._make_reasons(why, numbers, len(reasons) > 1) for why, numbers in reasons.items())
        return make_node("details", make_node("summary", *head), make_node("div", *why, class_="why"), **place)

    def _make_reasons(self, reasons: Sequence[Reason], numbers: Sequence[int], has_others: bool) -> Element:
        """Make the element with the reasons that apply in the views `numbers`; name these if there are other reasons."""
        names = " and ".join(name for number in numbers if (name := self.views[number].name))
        intro = make_node("p", f"{names}:", class_="faint") if has_others else None
        content = make_node("ul", *map(_make_reason, reasons)) if reasons else make_node("p", "The rulebook has no answer.")
        return make_node("div", intro, content, **_list_view_attributes(numbers, has_others))

    def _find_province(self, entry: Explanation) -> ProvinceCode | None:
        """Return the province of the unit that an explained order is for; None if the order is not drawn."""
        same = [shown for shown in self.scene.orders if (shown.power, shown.text) == (entry.power, entry.order)]
        for shown in (*(shown for shown in same if shown.verdict == entry.verdict), *same):
            return province_of(shown.origin)
        for drawn in self.scene.figures:
            if drawn.unit.power == entry.power and entry.order.startswith(f"{drawn.unit} "):
                return drawn.unit.province
        return None


def _group_views(contents: Iterable[tuple[int, _Same]]) -> dict[_Same, list[int]]:
    """Return, for each content, the numbers of the views that have it."""
    found: dict[_Same, list[int]] = {}
    for number, one in contents:
        found.setdefault(one, []).append(number)
    return found


def _list_view_attributes(numbers: Sequence[int], has_others: bool) -> dict[str, str | None]:
    """Return attributes that show an element only in the views `numbers`; {} if there are no others."""
    return {"data_view": _format_numbers(numbers), "hidden": format_hidden(0 not in numbers)} if has_others else {}


def _format_numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _make_reason(reason: Reason) -> Element:
    """Make the list item of a reason with its rules, and below it a list of the reasons for it."""
    rules = make_node("span", f" [{format_rules(reason.rules)}]", class_="rule") if reason.rules else None
    below = make_node("ul", *map(_make_reason, reason.because)) if reason.because else None
    return make_node("li", reason.text, rules, below)
