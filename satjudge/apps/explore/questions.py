"""Answers the questions of the page, with a class for each question; only opened maps are kept between questions.

The page sends the same questions to the server on the user's machine (`server.py`) or to satjudge in the browser (`site.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, product
from typing import Annotated, Any, Literal, Union

import msgspec

from satjudge.apps.explore.files import CenterChart, FileContent, Step, find_cases, format_file, make_centre_chart, make_game
from satjudge.apps.explore.gallery import Shelf, list_shelves, open_case
from satjudge.apps.explore.wire import (
    Fault,
    OpenedPhase,
    Rules,
    WirePosition,
    get_page_map,
    list_page_maps,
    make_fault,
    make_wire_position,
    replace_order,
)
from satjudge.base.errors import InputError, NotFoundError, SatjudgeError, UnresolvedError
from satjudge.explain.changes import Change, what_if
from satjudge.explain.contradictions import Contradiction, WhyNot, why_no_resolution, why_not
from satjudge.explain.counterfactuals import format_lines, what_would_change
from satjudge.explain.documents import OfPower, Settlement, list_retreats, make_settlement
from satjudge.explain.explanation import Explanation
from satjudge.explain.phases import adjustment_explanations, retreat_explanations, why
from satjudge.explain.words.player_text import spoken_words
from satjudge.game.game import Game
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, Situation, SupportDecision
from satjudge.judging.judge import AnyOutcome, iter_outcomes, judge_phase
from satjudge.judging.legal_orders import has_too_many_orders, orderable
from satjudge.judging.order_review import find_missing_orders
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve.cores import find_mentions
from satjudge.judging.solve.result import Core
from satjudge.notation.documents import describe_rules, encode_document
from satjudge.notation.messages.reader import PartialOrders, read_partial_orders
from satjudge.notation.sheets import SheetOrder
from satjudge.show.pictures import LARGEST_MARKS, SMALLEST_MARKS, Labels, Look, Pieces, Scene, picture, position, scene_of
from satjudge.show.pictures.composition import map_power_colours
from satjudge.show.pictures.map_geometry import find_geometry
from satjudge.show.pictures.scene import BAD, VOID, make_unresolved_scene
from satjudge.world.board import Board, Phase, by_power, starting_board
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Convoy, Move, Order, Permission, SupportHold, SupportMove, places_named
from satjudge.world.rules import load_rulebook, options, preset_names
from satjudge.world.verdicts import JudgedOrder, Verdict

MOST_PAIRS = 1_000
"""The maximum number of pairs of orders to try if one order is not enough; in a browser this takes seconds."""
_NO_MOVEMENT = "only movement phases have resolutions"


class PageQuestion(msgspec.Struct, tag_field="ask", forbid_unknown_fields=True, kw_only=True):
    """A question that the page asks; `answer` raises `SatjudgeError` if there is no answer."""

    def answer(self) -> Any:  # noqa: ANN401  # each question has its own type of answer
        """Return the answer to the question, a struct or plain data."""
        raise NotImplementedError


class OrdersQuestion(PageQuestion, kw_only=True):
    """A question about a position with orders under a rulebook."""

    position: WirePosition
    sheet: str = ""
    """The orders on the page's sheet: lines such as `FRANCE:`, each with the power's orders below."""
    rules: Rules = Rules()

    def read_sheet(self, board: Board) -> PartialOrders:
        """Parse the orders on the page's sheet; return them with the errors in unreadable ones."""
        return read_partial_orders(self.sheet, board)

    def parse_position(self) -> Position:
        """Return the position with the orders that can be read."""
        board = self.position.make_board()
        return Position(board, self.read_sheet(board).by_power)

    def judge(self) -> AnyOutcome:
        """Judge the orders that can be read, and return the outcome."""
        return self.parse_position().judge(self.rules.load_rulebook())

    def judge_movement(self) -> Outcome:
        """Judge the orders of a movement phase, and return the outcome; raise `InputError` for another phase."""
        outcome = self.judge()
        if not isinstance(outcome, Outcome):
            raise InputError(_NO_MOVEMENT)
        return outcome


# ---- the start ----


class ProvinceDetails(msgspec.Struct):
    """A province of a map, for the page."""

    name: str
    terrain: str
    centre: bool
    coasts: list[str]
    at: tuple[float, float]
    """The place of a unit on the map, in the map's coordinates."""
    coastal: Mapping[str, tuple[float, float]]
    """The place of a fleet, by coast."""
    beside: tuple[float, float]
    """The place of a dislodged unit."""


class Start(PageQuestion, tag="start"):
    """A question for the opening position of a map, its provinces and powers, and the maps and rulebooks to choose from."""

    map: str = "standard"

    def answer(self) -> Any:  # noqa: ANN401
        """Return a map's opening position, provinces, powers and colours, and the available maps, rulebooks and options."""
        game_map = get_page_map(self.map)
        geometry = find_geometry(game_map)
        books = [load_rulebook(name) for name in preset_names()]
        return {
            "position": make_wire_position(starting_board(game_map)),
            "provinces": {
                code: ProvinceDetails(
                    province.name,
                    str(province.terrain),
                    province.center,
                    [*province.coasts],
                    shape.unit,
                    shape.coasts,
                    shape.dislodged,
                )
                for code, province in game_map.provinces.items()
                for shape in (geometry.provinces[code],)
            },
            "powers": {power: game_map.name_of(power) for power in game_map.powers},
            "colours": map_power_colours(game_map),
            "maps": list(list_page_maps()),
            "rulebooks": [*map(describe_rules, books)],
            "options": options(),
        }


# ---- outcomes ----


class OrderDetails(msgspec.Struct):
    """An order on the sheet, with its verdict."""

    power: str
    order: str
    line: int
    province: str | None
    """The province of the ordered unit."""
    places: list[str]
    """The provinces that the order names."""
    verdict: str
    sign: str
    """`void` if the order is illegal or invalid, `bad` if it failed or its unit was dislodged, else empty."""
    illegal: str | None
    """Why the order is illegal."""


class CoreDetails(msgspec.Struct):
    """A core as a graph: its decisions and their provinces, the edges between them, and the core's resolutions."""

    kind: str
    decisions: list[str]
    provinces: list[str]
    edges: list[tuple[int, int]]
    resolutions: list[Sequence[bool]]
    ways: list[str]
    """The meaning of each edge: its first decision `needs` the second or is `stopped` by it; empty if that varies."""
    words: list[tuple[str, str]]
    """The words for each decision if it is true and if it is false, such as `given` and `cut`."""
    ruled: list[bool | None]
    """The values of the decisions under the rulebook."""


class PageOutcome(msgspec.Struct):
    """The outcome of the orders in one resolution."""

    orders: list[OrderDetails]
    dislodged: dict[str, OfPower]
    units: OfPower
    """The units of each power afterwards."""


class PageJudgement(PageOutcome, kw_only=True):
    """The outcome of the orders, or the reason why there is none."""

    errors: list[Fault]
    """The errors in unreadable orders; the other orders are judged."""
    headings: Mapping[str, int]
    """The line of the sheet at which the orders of each power begin."""
    missing: OfPower
    """What each power has not ordered."""
    resolutions: int | None
    """The number of consistent resolutions of a movement phase."""
    rulings: list[Settlement]
    cores: list[CoreDetails]
    unresolved: str | None
    """Why the rulebook has no answer."""


class Judge(OrdersQuestion, tag="judge"):
    """A question for the outcome of the orders."""

    def answer(self) -> PageJudgement:
        """Judge the orders; return verdicts in the order of the sheet, the outcome or why there is none, and errors in orders.

        Raises `InputError`.
        """
        board = self.position.make_board()
        sheet_orders = self.read_sheet(board)
        orders = sheet_orders.by_power
        judgement = PageJudgement(
            errors=[make_fault(error) for error in sheet_orders.errors],
            orders=[],
            headings=sheet_orders.headings,
            missing=find_missing_orders(board, orders),
            dislodged={},
            units=by_power(board.units),
            resolutions=None,
            rulings=[],
            cores=[],
            unresolved=None,
        )
        try:
            outcome = judge_phase(board, orders, rulebook=self.rules.load_rulebook())
        except UnresolvedError as error:
            judgement.orders = [_describe_order(entry, None) for entry in sheet_orders.orders]
            judgement.unresolved = str(error)
            if error.core:
                judgement.resolutions = error.resolutions.count
                judgement.cores = [_describe_core(error.resolutions.situation, error.core, error.values)]
            return judgement
        judgement.orders = _describe_orders(sheet_orders, outcome)
        judgement.units = by_power(outcome.units)
        if isinstance(outcome, Outcome):
            adjudication = outcome.adjudication
            judgement.dislodged = list_retreats(outcome.dislodgements.values())
            judgement.resolutions = adjudication.resolutions.count
            judgement.rulings = [make_settlement(ruling, adjudication.situation) for ruling in adjudication.rulings]
            judgement.cores = [_describe_core(adjudication.situation, core, adjudication.values) for core in adjudication.cores]
        return judgement


def _describe_order(entry: SheetOrder, judged_order: JudgedOrder | None) -> OrderDetails:
    places = [province_of(place) for place in places_named(entry.order)]
    verdict, reason = (str(judged_order.verdict), judged_order.reason) if judged_order else ("no answer", None)
    text = str(judged_order.order if judged_order else entry.order)
    sign = choose_sign(judged_order.verdict) if judged_order else ""
    return OrderDetails(entry.power, text, entry.line, places[0] if places else None, places, verdict, sign, reason)


def choose_sign(verdict: Verdict) -> str:
    """Return the page's sign for a verdict: `void`, `bad` or "" (see `OrderDetails.sign`)."""
    return "void" if verdict.word in VOID else "bad" if verdict.word in BAD or verdict.unit is not None else ""


def _describe_orders(sheet_orders: PartialOrders, outcome: AnyOutcome) -> list[OrderDetails]:
    """List the orders in the order of the sheet, each with its verdict."""
    judged = {power: iter(judged_orders) for power, judged_orders in outcome.judged.items()}
    return [_describe_order(entry, next(judged[entry.power], None)) for entry in sheet_orders.orders]


def _describe_core(situation: Situation, core: Core, values: Sequence[bool | None]) -> CoreDetails:
    """Return a core as a graph; `values` are the values of all decisions on the board."""
    indices = [decision.index for decision in core.decisions]
    outside = [None if index in indices else value for index, value in enumerate(values)]
    mentions = find_mentions(situation, outside, core.decisions)
    edges = [(target, indices.index(other)) for target, index in enumerate(indices) for other in sorted(mentions[index])]
    names = [str(decision) for decision in core.decisions]
    ways = [_find_influence(core, values, *edge) for edge in edges]
    return CoreDetails(
        str(core.kind), names, [decision.province for decision in core.decisions], edges, list(core.resolutions), ways,
        [_WORDS.get(type(decision), ("yes", "no")) for decision in core.decisions], [values[index] for index in indices],
    )  # fmt: skip


_WORDS: Mapping[type, tuple[str, str]] = {
    MoveDecision: ("succeeds", "fails"),
    SupportDecision: ("given", "cut"),
    ConvoyDecision: ("holds", "disrupted"),
}
"""The words for true and false decisions."""


_MOST_READ = 7
"""The maximum number of decisions of a core for which all combinations are tried."""


def _find_influence(core: Core, values: Sequence[bool | None], target: int, source: int) -> str:
    """Return "needs" if a core's decision `target` needs `source`, "stopped" if that stops it, "" if it varies or is open."""
    indices = [decision.index for decision in core.decisions]
    if len(indices) > _MOST_READ or any(value is None for index, value in enumerate(values) if index not in indices):
        return ""
    found = set()
    for combination in product((False, True), repeat=len(indices)):
        if not combination[source]:
            results = []
            for chosen in (False, True):
                trial = [bool(value) for value in values]
                for index, value in zip(indices, combination, strict=True):
                    trial[index] = value
                trial[indices[source]] = chosen
                results.append(statement.decision(Reading(trial), core.decisions[target]))
            if results[0] != results[1]:
                found.add("needs" if results[1] else "stopped")
    return found.pop() if len(found) == 1 else ""


class See(OrdersQuestion, tag="see"):
    """A question for the outcome of one resolution, before any backup rule is applied."""

    resolution: Annotated[int, msgspec.Meta(ge=1)]

    def answer(self) -> PageOutcome:
        """Return the verdicts, dislodged units and units afterwards; raise `NotFoundError` if there is no such resolution."""
        orders, outcome = self.read_sheet(self.position.make_board()), find_resolution(self, self.resolution)
        dislodged = list_retreats(outcome.dislodgements.values())
        return PageOutcome(_describe_orders(orders, outcome), dislodged, by_power(outcome.units))


class ResolutionDifference(msgspec.Struct):
    """How a resolution differs from the others."""

    number: int
    says: str
    """The difference in a few words: `London's support is given`."""
    orders: list[tuple[Power, str]]
    """The orders whose verdicts differ between resolutions."""


class Differences(OrdersQuestion, tag="differences"):
    """A question about the differences between the consistent resolutions."""

    most: Annotated[int, msgspec.Meta(ge=1, le=50)] = 12
    """The maximum number of resolutions to describe."""

    def answer(self) -> list[ResolutionDifference]:
        """Return a short description of each of the first `most` resolutions; raise `InputError` for a phase without moves."""
        given = self.parse_position()
        if given.board.phase is not Phase.MOVEMENT:
            raise InputError(_NO_MOVEMENT)
        found = given.resolutions(self.rules.load_rulebook())
        values = [found.pick(number) for number in range(min(found.count, self.most))]
        outcomes = [[*chain.from_iterable(one.judged.values())] for one in iter_outcomes(found, given.orders, values)]
        by_order = list(zip(*outcomes, strict=True)) if len(outcomes) > 1 else []
        differing = [orders for orders in by_order if len({str(order.verdict) for order in orders}) > 1]
        return [_describe_difference(number, differing, given.board) for number in range(len(outcomes))]


def _describe_difference(number: int, differing_orders: Sequence[Sequence[JudgedOrder]], board: Board) -> ResolutionDifference:
    """Describe resolution `number` (from 0) by an order that succeeds in few others; each entry has an order's verdicts."""

    def rank(orders: Sequence[JudgedOrder]) -> tuple[bool, int, bool, bool]:
        fails = [order.verdict.word in BAD for order in orders]
        order = orders[number].order
        return (
            fails[number],
            fails.count(False),
            not isinstance(order, SupportHold | SupportMove),
            not isinstance(order, Convoy),
        )

    says = _format_verdict(min(differing_orders, key=rank)[number], board) if differing_orders else ""
    texts = [(orders[number].power, str(orders[number].order)) for orders in differing_orders]
    return ResolutionDifference(number + 1, says, texts)


def _format_verdict(judged_order: JudgedOrder, board: Board) -> str:
    """Return the verdict on an order in a few words, with province names: `London's support is given`."""
    order, places = judged_order.order, places_named(judged_order.order)
    name, *others = [board.map.provinces[province_of(place)].name for place in places]
    if isinstance(order, Move) and others:
        return f"{name} to {others[0]} {judged_order.verdict.word}"
    if isinstance(order, Convoy) and judged_order.verdict.word not in BAD:
        return f"{name}'s convoy holds"
    kind = {SupportHold: "'s support is", SupportMove: "'s support is", Convoy: "'s convoy is"}.get(type(order), "'s unit")
    return f"{name}{kind} {judged_order.verdict.word}"


def find_resolution(question: OrdersQuestion, number: int) -> Outcome:
    """Return the outcome of a question's orders in resolution `number` (from 1); raise `NotFoundError` if there is none."""
    given = question.parse_position()
    if given.board.phase is not Phase.MOVEMENT:
        raise NotFoundError(_NO_MOVEMENT)
    found = given.resolutions(question.rules.load_rulebook())
    if number > found.count:
        known = f"there are {'' if found.complete else 'at least '}{found.count}"
        raise NotFoundError(f"there is no resolution {number}", suggestion=known)
    return next(iter_outcomes(found, given.orders, [found.pick(number - 1)]))


class Draw(OrdersQuestion, tag="draw"):
    """A question for a picture: of the orders as ruled or in one resolution, or of the board before or after them."""

    shows: Literal["ruled", "before", "after"] | Annotated[int, msgspec.Meta(ge=1)] = "ruled"
    """What to draw; a number means a resolution, from 1."""
    theme: Literal["auto", "light", "dark"] = "auto"
    width: Annotated[int, msgspec.Meta(ge=100, le=4000)] = 1200
    marks: Annotated[float, msgspec.Meta(ge=SMALLEST_MARKS, le=LARGEST_MARKS)] = 1.0
    """The size of units, arrows and letters on the map, relative to the usual size."""
    pieces: Pieces = "letters"
    labels: Labels = "codes"

    def answer(self) -> str:
        """Return a picture of what `shows` names, on the whole map, as SVG text; raise `NotFoundError` for a bad resolution."""
        return str(picture([self._make_scene()], look=self._make_look(whole=True)))

    def draw_crop(self) -> str:
        """Return a picture of the part of the map that has units, as SVG text."""
        return str(picture([self._make_scene()], look=self._make_look(whole=False)))

    def _make_look(self, *, whole: bool) -> Look:
        return Look(self.theme, self.width, whole, False, marks=self.marks, pieces=self.pieces, labels=self.labels)

    def _make_scene(self) -> Scene:
        if self.shows == "before":
            return position(self.position.make_board())
        if self.shows == "after":
            return position(self.judge().next_board)
        if self.shows != "ruled":
            return scene_of(find_resolution(self, self.shows))
        try:
            return scene_of(self.judge())
        except UnresolvedError as error:
            return make_unresolved_scene(self.parse_position(), self.rules.load_rulebook(), error)


# ---- reasons ----


class OrderQuestion(OrdersQuestion, kw_only=True):
    """A question about one order."""

    power: str
    order: str


class PageExplanation(Explanation, kw_only=True, frozen=True):
    """An explanation, with a sentence in plain words if the unit bounced."""

    plain: str
    """The sentence in plain words; empty for other results."""


class Explain(OrderQuestion, tag="explain"):
    """A question about why an order has its verdict, as ruled or in one resolution."""

    resolution: Annotated[int, msgspec.Meta(ge=1)] | None = None

    def answer(self) -> PageExplanation:
        """Return the explanation of the order's verdict, also for retreats and adjustments; raise `NotFoundError`."""
        outcome = self.judge() if self.resolution is None else find_resolution(self, self.resolution)
        found = self._find_explanation(outcome)
        key = (found.power, found.order, "bounced")
        bounces = (f"Bounced{one.rest}." for one in spoken_words(outcome) if (one.power, one.order, one.head) == key)
        return PageExplanation(**msgspec.structs.asdict(found), plain=next(bounces, ""))

    def _find_explanation(self, outcome: AnyOutcome) -> Explanation:
        if isinstance(outcome, Outcome):
            return why(outcome, self.order, self.power)
        explained = (
            retreat_explanations(outcome, rulebook=self.rules.load_rulebook())
            if isinstance(outcome, RetreatOutcome)
            else adjustment_explanations(outcome, rulebook=self.rules.load_rulebook())
        )
        for one in explained:
            if (one.power, one.order) == (self.power, self.order):
                return one
        raise NotFoundError(f"{self.power} has no order {self.order}")


class WhyNotQuestion(OrderQuestion, tag="why-not"):
    """A question about whether an order could have succeeded, or what prevents it."""

    def answer(self) -> WhyNot:
        """Return a resolution in which the order succeeds, or the equations that prevent it; raise `NotFoundError`."""
        return why_not(self.judge_movement(), self.order, self.power)


class WhatWouldChangeQuestion(OrderQuestion, tag="what-would-change"):
    """A question for orders of other units that would change the result of an order."""

    def answer(self) -> list[str]:
        """Return lines of text on orders that would change the result; indented lines name the units and their orders.

        Raises `NotFoundError`, `UnresolvedError`, `RequestError`.
        """
        given = self.parse_position()
        found = what_would_change(given, self.order, self.power, rulebook=self.rules.load_rulebook(), most_pairs=MOST_PAIRS)
        return list(format_lines(found, given.board.map.name_of))


class WhatIf(OrderQuestion, tag="what-if"):
    """A question about what would change without an order."""

    def answer(self) -> Change:
        """Return what changes if the order is left out; raise `NotFoundError` or `UnresolvedError`."""
        return what_if(self.parse_position(), without=[self.order], rulebook=self.rules.load_rulebook())


class NoResolution(OrdersQuestion, tag="no-resolution"):
    """A question about why cores have no resolution."""

    def answer(self) -> list[Contradiction]:
        """Return, for each core without a resolution, a smallest set of equations that contradict each other."""
        return why_no_resolution(self.judge_movement())


class Names(OrdersQuestion, tag="names"):
    """A question for the names of the cores in the literature."""

    def answer(self) -> list[str]:
        """Return the names of the cores, in the order of `PageJudgement.cores`."""
        from satjudge.explain.cores import classify_cores

        return [core.name for core in classify_cores(self.judge_movement().adjudication)]


# ---- giving orders ----


class Choice(msgspec.Struct):
    """A legal order, and the provinces that the user presses, after the unit, to give it."""

    order: str
    kind: str
    presses: list[str]


class Orderable(msgspec.Struct, omit_defaults=True):
    """A unit, dislodged unit, centre to build in or canal (on the map, its keeper's province) that can be given an order."""

    power: str
    what: str
    province: str
    choices: list[Choice]
    more: bool = False
    """True if only the first choice is listed; `Choices.of` requests the others."""


class Choices(OrdersQuestion, tag="choices"):
    """A question for all legal orders, or for those of one unit or centre.

    On a board with too many orders, lists each unit with its first order only.
    """

    of: str = ""
    """The unit or centre, as in `Orderable.what`; empty for all."""

    def answer(self) -> list[Orderable]:
        """Return what can get an order (or only `of`): units, centres, canals, each with its legal orders (one if too many)."""
        board = self.position.make_board()
        keepers = {canal.name: canal.keeper for canal in board.map.canals}
        first_only = not self.of and has_too_many_orders(board)
        return [
            Orderable(
                power,
                subject,
                keepers.get(subject) or province_of(subject.split()[-1]),
                [_make_choice(order) for order in (orders[:1] if first_only else orders)],
                first_only,
            )
            for power, legal in orderable(board, self.rules.load_rulebook()).items()
            for subject, orders in legal.items()
            if self.of in ("", subject)
        ]


def _make_choice(order: Order) -> Choice:
    """Return an order with the provinces that the user presses after its unit's; to hold, the unit is pressed again."""
    kind = type(order).__name__.lower()
    if isinstance(order, Permission):
        return Choice(str(order), kind, [province_of(place) for place in places_named(order)])
    _, *places = [province_of(place) for place in places_named(order)] or [""]
    return Choice(str(order), kind, [*places, places[-1]] if isinstance(order, SupportHold) else places)


class Give(OrdersQuestion, tag="give"):
    """A question for the sheet with the order of one unit replaced, added or removed."""

    power: str
    what: str
    """The unit or the centre, as in `Orderable`."""
    order: str = ""
    """The order, or an empty text to remove the unit's order."""

    def answer(self) -> str:
        """Return the text of the sheet with the order of one unit, centre or canal replaced, added or removed."""
        board = self.position.make_board()
        return replace_order(self.sheet, self.read_sheet(board), self.power, province_of(self.what.split()[-1]), self.order)


class GoOn(OrdersQuestion, tag="next"):
    """A question for the next phase in which a power can act."""

    victory: Annotated[int, msgspec.Meta(ge=1)] | None = None

    def answer(self) -> Any:  # noqa: ANN401
        """Judge the orders; return a dict with the next `position`, and with how the game `ended` (None if it goes on).

        Raises `UnresolvedError` if the rulebook has no answer.
        """
        given = self.parse_position()
        game = Game.from_phases([(given.board, given.texts)], self.rules.load_rulebook(), victory=self.victory)
        game.next()
        return {"position": make_wire_position(game.board), "ended": str(game.ending) if game.ending else None}


# ---- whole games and files ----


class Check(PageQuestion, tag="check"):
    """A question about whether the positions and the rulebook in a link are possible."""

    positions: list[WirePosition]
    rules: Rules

    def answer(self) -> None:
        """Return None if the positions and the rulebook are possible; otherwise raise `InputError`."""
        self.rules.load_rulebook()
        for wire_position in self.positions:
            wire_position.make_board()


class Chart(PageQuestion, tag="chart"):
    """A question for each power's number of centres at the end of every year, and for the winner."""

    positions: Annotated[list[WirePosition], msgspec.Meta(min_length=1)]
    victory: Annotated[int, msgspec.Meta(ge=1)] | None = None

    def answer(self) -> CenterChart:
        """Return the centre chart by year, and how the game ended; raise `InputError`."""
        return make_centre_chart(self.positions, self.victory)


class Write(PageQuestion, tag="write"):
    """A question for a file of the current phase, or of the game up to it."""

    format: Literal["sheet", "game", "report.md", "report.txt"]
    line: Annotated[list[Step], msgspec.Meta(min_length=1)]
    """The phases from the first of the game to the current one."""
    rules: Rules
    name: Annotated[str, msgspec.Meta(max_length=300)] = "game"
    victory: Annotated[int, msgspec.Meta(ge=1)] | None = None

    def answer(self) -> str:
        """Return the text of the file in the requested format.

        Raises `InputError` for a game that the format cannot express, and `UnresolvedError`.
        """
        return format_file(make_game(self.line, self.rules, name=self.name, victory=self.victory), self.format)


class Read(PageQuestion, tag="read"):
    """A question for the content of a file of any kind."""

    data: bytes
    """The bytes of the file; base64 in JSON."""
    name: str = "the text"
    number: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """The number of one case in the file, from 0."""

    def answer(self) -> FileContent:
        """Return the phases in the file to open, or its cases to choose from; raise `InputError`."""
        return find_cases(self.data, self.name, self.number)


class Gallery(PageQuestion, tag="gallery"):
    """A question for the list of shipped cases."""

    def answer(self) -> list[Shelf]:
        """Return all shipped cases, by collection and file."""
        return list_shelves()


class CaseQuestion(PageQuestion, tag="case"):
    """A question for a shipped case."""

    file: str
    identity: str

    def answer(self) -> list[OpenedPhase]:
        """Return the phases of the case to open; raise `NotFoundError`."""
        return open_case(self.file, self.identity)


QUESTIONS: tuple[type[PageQuestion], ...] = (
    Start, Judge, See, Differences, Draw, Explain, WhyNotQuestion, WhatWouldChangeQuestion, WhatIf, NoResolution, Names,
    Choices, Give, GoOn, Check, Chart, Write, Read, Gallery, CaseQuestion,
)  # fmt: skip
"""All questions of the page; the server on the user's machine also runs tasks (`server.py`)."""

_read = msgspec.json.Decoder(Union[QUESTIONS]).decode  # noqa: UP007


class FaultAnswer(msgspec.Struct):
    """The response to a question that has no answer."""

    fault: Fault


def answer_question(question: bytes | str) -> bytes:
    """Answer a JSON question with JSON: `{"answer": …}` or, if satjudge raises an error, `{"fault": …}`."""
    try:
        return encode_document({"answer": _read(question).answer()})
    except InputError as error:
        return msgspec.json.encode(FaultAnswer(make_fault(error)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return msgspec.json.encode(FaultAnswer(Fault(f"this is not a question: {error}")))
    except SatjudgeError as error:
        return msgspec.json.encode(FaultAnswer(Fault(str(error))))
