"""Answers the questions of the service; a class for each question is the strictly checked body of its request.

Nothing is kept between questions: each body contains everything on which its answer depends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from satjudge.base.errors import NotationError, NotFoundError, RequestError, UnresolvedError
from satjudge.base.imports import cached_property
from satjudge.base.values import replace
from satjudge.bulk.batch import Settings, judge_request
from satjudge.explain.contradictions import why_not
from satjudge.explain.counterfactuals import what_would_change
from satjudge.explain.documents import (
    BatchAnswer,
    OfPower,
    ResolvedCase,
    list_retreats,
    make_batch_answer,
    make_resolved_case,
)
from satjudge.explain.phases import explain_phase
from satjudge.files.batch_lines import Request, RequestReader, read_request
from satjudge.files.cases import list_entries
from satjudge.files.diplomacy_package import centers_by_power, parse_phase
from satjudge.files.documents import DescribedMap, ExplainedCase, ListedMaps, described_map, listed_maps
from satjudge.files.mail import read_letter
from satjudge.game.game import Game
from satjudge.game.readings import Reading
from satjudge.judging.judge import AnyOutcome, judge_case
from satjudge.judging.legal_orders import legal_orders, orderable
from satjudge.judging.position import Position, read_sheet_position
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Limits
from satjudge.notation.documents import Document, Problem, case_origin, encode_document
from satjudge.notation.parse import find_power
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, Phase, Season, Turn, by_power, starting_board
from satjudge.world.geography import Power, load_map, map_called, shipped_maps
from satjudge.world.orders import Order
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook, nearest_preset, preset_names
from satjudge.world.seasons import adjustments_due

MOST_PHASES = 1_000
"""The maximum number of phases to read from one text."""
MOST_PAIRS = 1_000
"""The maximum number of pairs of orders to try if no single order would change the result."""
MOST_RESOLUTIONS = 1_000
"""The maximum number of resolutions to find."""


class Content(msgspec.Struct):
    """The content of an answer, with its media type."""

    content: bytes
    media_type: str = "application/json"


EXAMPLE = {
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "A RUH"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
}
"""A phase with its orders, as an example."""


class PhaseAsked(Request, kw_only=True, dict=True):
    """A position with its orders, as in the batch format, except that `phase` can be a full name."""

    phase: Annotated[
        str, Meta(description="The name of the phase, such as `S1901M`, or its kind: `movement`, `retreat` or `adjustment`.")
    ] = "movement"  # type: ignore[assignment]  # the batch format has no full names

    path: ClassVar[str]
    """The path of the endpoint; without the slash, the name of the tool."""
    answers: ClassVar[Any]
    """The type of the answer, for the description of the service."""
    example: ClassVar[dict[str, Any]]
    """The body of an example question."""

    def answer(self) -> Content:
        """Return the answer to the question, or raise `SatjudgeError`."""
        raise NotImplementedError

    # ---- the subject of the question ----

    @cached_property
    def request(self) -> Request:
        """The request in the batch format: with the phase's kind, the season, and one spelling of each power's name."""
        phase, turn = _parse_phase(self.phase)
        season = str(turn.season) if turn and map_called(self.map).closed else self.season
        fields = {name: getattr(self, name) for name in Request.__struct_fields__}
        game_map, spelling = RequestReader(self).map, dict[Power, str]()
        for key in ("units", "dislodged", "centers", "orders"):
            of_powers = fields[key] or {}
            unified = {spelling.setdefault(find_power(name, game_map) or name, name): part for name, part in of_powers.items()}
            fields[key] = unified if len(unified) == len(of_powers) > 0 else fields[key]
        return Request(**fields | {"phase": str(phase), "season": season})

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook that the request names; raises `RulebookError`."""
        return load_preset(self.rules or DEFAULT_RULES)

    @cached_property
    def reader(self) -> RequestReader:
        """A reader of the fields that a request shares with a line of the batch format."""
        return RequestReader(self.request, of_a_game=True)

    @property
    def board(self) -> Board:
        """The board of the request, with its turn; raises `InputError`."""
        _, turn = _parse_phase(self.phase)
        board = self.reader.board()
        return replace(board, turn=turn or board.turn or _find_first_turn(board))

    def position(self) -> Position:
        """Return the position with its orders; an unreadable order counts as illegal, as for `/judge`.

        Raises `InputError`.
        """
        orders, _ = self.reader.read_orders()
        return Position(self.board, orders)


def _parse_phase(name: str) -> tuple[Phase, Turn | None]:
    """Return the phase and turn of a name such as `S1901M`; for a name without a turn, such as `movement`, the turn is None."""
    return (Phase(name), None) if name in [*Phase] else parse_phase(name)


def _find_first_turn(board: Board) -> Turn:
    """Return the first turn of a game that has the phase of a board, whose own turn is not known."""
    return Turn(board.map.first_year, Season.FALL if board.phase is Phase.ADJUSTMENT else Season.SPRING)


class PhaseTold(Document, kw_only=True, omit_defaults=True):
    """A position in the form that the endpoints accept, without empty fields."""

    phase: str
    units: OfPower
    centers: OfPower | UnsetType = UNSET
    dislodged: dict[str, OfPower] = field(default_factory=dict)
    """The dislodged units of each power with the places that they may retreat to."""
    orders: OfPower = field(default_factory=dict)
    map: str
    rules: str


def describe_phase(board: Board, rulebook: Rulebook, orders: OfPower | None = None) -> PhaseTold:
    """Return a position with its orders in the form of a question."""
    name, otherwise = nearest_preset(rulebook)
    return PhaseTold(
        phase=(board.turn or _find_first_turn(board)).name_of(board.phase),
        units=by_power(board.units),
        centers=centers_by_power(board.centers) if board.centers or board.phase is Phase.ADJUSTMENT else UNSET,
        dislodged=list_retreats(board.dislodged),
        orders=orders or {},
        map=board.map.name,
        rules=name + (f" with {', '.join(otherwise)}" if otherwise else ""),
    )


Victory = Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="Centres needed to win. By default, the map decides.")]


class Start(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Return the position at the start of a game, in the form that the other endpoints accept."""

    path: ClassVar[str] = "/start"
    answers: ClassVar[Any] = PhaseTold
    example: ClassVar[dict[str, Any]] = {"map": "standard"}

    map: Annotated[str, Meta(description="The name of an included map.")] = "standard"
    rules: Annotated[str, Meta(description="The name of an included rulebook, such as `1971`.")] = DEFAULT_RULES

    def answer(self) -> Content:
        """Return the first phase of a game on the map, as JSON in the form of a question."""
        return Content(encode_document(describe_phase(starting_board(map_called(self.map)), load_preset(self.rules))))


# ---- questions about a phase ----

Reasons = dict[str, dict[str, str]]
"""Why orders are illegal, by power and order."""


def list_reasons(outcome: AnyOutcome, spelling: Mapping[Power, str]) -> Reasons:
    """Return why orders are illegal, by power and order; powers are spelled as in `spelling`."""
    by_order = {power: {str(one.order): one.reason for one in judged if one.reason} for power, judged in outcome.judged.items()}
    return {spelling.get(power, power): reasons for power, reasons in by_order.items() if reasons}


class JudgedPhase(BatchAnswer, kw_only=True):
    """The outcome of a phase."""

    reasons: Reasons | UnsetType = UNSET
    """With `details`: why orders are illegal, by power and order."""


class Judge(PhaseAsked, kw_only=True):
    """Judge the orders of a phase.

    The answer contains a verdict for each order (`succeeds`, `fails`, `cut` and so on), in the same sequence as the orders. It
    also contains dislodged units with their retreats, and the units afterwards. If the service cannot read an order, it treats
    the order as illegal and lists it in `error`.
    """

    path: ClassVar[str] = "/judge"
    answers: ClassVar[Any] = JudgedPhase
    example: ClassVar[dict[str, Any]] = EXAMPLE

    details: Annotated[bool, Meta(description="If true, the answer explains why orders are illegal.")] = False

    def answer(self) -> Content:
        """Judge the request, and return the document of `satjudge batch` for it, with `details` also why orders are illegal."""
        judged = judge_request(self.request, Settings())
        if self.details:
            judged["reasons"] = list_reasons(self.position().judge(self.rulebook), self.reader.spelling)
        return Content(encode_document(judged))


class LegalOrders(Document):
    """The legal orders of each power, for each unit, or for each centre to build in."""

    legal: dict[str, OfPower]
    due: dict[str, int] | UnsetType = UNSET
    """With `details`, in an adjustment phase: the builds of each power, or with a minus its removals."""


class Legal(PhaseAsked, kw_only=True):
    """List the legal orders of each unit or, in an adjustment phase, the builds in each centre."""

    path: ClassVar[str] = "/legal"
    answers: ClassVar[Any] = LegalOrders
    example: ClassVar[dict[str, Any]] = {"units": EXAMPLE["units"], "of": "A PAR"}

    of: Annotated[
        str, Meta(description="A unit or centre, such as `A PAR`. If the board has too many orders, you must name one.")
    ] = ""
    power: Annotated[str, Meta(description="A power. If it is empty, list the orders of all powers.")] = ""
    details: Annotated[bool, Meta(description="If true, add the number of builds or removals.")] = False

    def answer(self) -> Content:
        """Return JSON with the legal orders of all units and centres, or of `power` or `of`; with `details` also due builds."""
        board = self.position().board
        legal: Mapping[Power, Mapping[str, Sequence[Order]]]
        legal = (orderable if self.of or self.power else legal_orders)(board, self.rulebook)
        if self.power:
            power = find_power(self.power, board.map) or self.power
            legal = {power: legal.get(power, {})}
        if self.of:
            names = [subject for group in legal.values() for subject in group]
            legal = {power: {self.of: group[self.of]} for power, group in legal.items() if self.of in group}
            if not legal:
                hint = f"{', '.join(names) or 'nothing'} can be ordered"
                raise NotFoundError(f"{self.of!r:.40} has no legal orders here", suggestion=hint)
        found = {power: {subject: [*map(str, orders)] for subject, orders in group.items()} for power, group in legal.items()}
        due = adjustments_due(board) if self.details and board.phase is Phase.ADJUSTMENT else UNSET
        return Content(encode_document(LegalOrders(found, due)))


class Resolutions(PhaseAsked, kw_only=True):
    """Find all consistent resolutions of a movement phase, before a backup rule settles any paradox."""

    path: ClassVar[str] = "/resolutions"
    answers: ClassVar[Any] = ResolvedCase
    example: ClassVar[dict[str, Any]] = EXAMPLE

    def answer(self) -> Content:
        """Return the document of `satjudge resolutions --json` for one case; raise `RequestError` unless it is of moves."""
        position = self.position()
        if position.board.phase is not Phase.MOVEMENT:
            raise RequestError("only movement phases have resolutions")
        found = judge_case(_make_case(position), self.rulebook, limits=Limits(count=MOST_RESOLUTIONS))
        return Content(encode_document(make_resolved_case(found)))


def _make_case(position: Position) -> Sheet:
    """Return a position with its orders as a sheet without a name, for documents that describe cases."""
    orders = [SheetOrder(power, order, None, None, 0) for power, given in position.orders.items() for order in given]
    return Sheet("", orders=orders, map=position.board.map, given=position.board)


class Explain(PhaseAsked, kw_only=True):
    """Explain verdicts, find orders that would change a result, or show why an order cannot succeed."""

    path: ClassVar[str] = "/explain"
    answers: ClassVar[Any] = ExplainedCase
    example: ClassVar[dict[str, Any]] = {**EXAMPLE, "order": "A PAR"}

    order: Annotated[str, Meta(description="An order or its unit. If it is empty, explain all orders.")] = ""
    what_would_change: Annotated[
        bool, Meta(description="If true, find other orders that would change the result of `order`.")
    ] = False
    why_not: Annotated[bool, Meta(description="If true, explain why `order` cannot succeed.")] = False

    def answer(self) -> Content:
        """Return JSON with the explanations, or with the answer to `what_would_change` or `why_not`."""
        position = self.position()
        outcome = position.judge(self.rulebook)
        case = ExplainedCase(**case_origin(_make_case(position), self.rulebook), engine=Engine.STAGED)
        if self.what_would_change or self.why_not:
            self._check_single_question(of_moves=outcome.phase is Phase.MOVEMENT)
        if self.why_not and outcome.phase is Phase.MOVEMENT:
            case.why_not = [why_not(outcome, self.order)]
        elif self.what_would_change:
            case.what_would_change = what_would_change(position, self.order, rulebook=self.rulebook, most_pairs=MOST_PAIRS)
        else:
            reasons = explain_phase(outcome, self.order or None, self.rulebook)
            case.orders = reasons if isinstance(reasons, list) else [reasons]
        return Content(encode_document(case))

    def _check_single_question(self, *, of_moves: bool) -> None:
        """Raise `RequestError` unless the request asks one question about one order of a movement phase (`of_moves`)."""
        if self.what_would_change and self.why_not:
            raise RequestError("`what_would_change` and `why_not` are separate questions: ask one at a time")
        if not (self.order and of_moves):
            name = "why_not" if self.why_not else "what_would_change"
            hint = 'name it: "order": "A PAR - BUR"'
            raise RequestError(f"`{name}` asks about one order of a movement phase", suggestion=hint)


class NextPhase(Document, kw_only=True):
    """The outcome of a phase, and the next phase in which a power has something to do."""

    judged: BatchAnswer
    """The answer of `/judge`."""
    next: PhaseTold
    ended: str | None
    """How the game ended, or null."""
    reasons: Reasons | UnsetType = UNSET
    """With `details`: why orders are illegal, by power and order."""
    due: dict[str, int] | UnsetType = UNSET
    """With `details`, if `next` is an adjustment phase: the builds of each power, or with a minus its removals."""


class Next(PhaseAsked, kw_only=True):
    """Judge a phase and return the next one.

    To continue the game, add orders to the answer's `next`, and send that back.
    """

    path: ClassVar[str] = "/next"
    answers: ClassVar[Any] = NextPhase
    example: ClassVar[dict[str, Any]] = {**EXAMPLE, "phase": "S1901M"}

    victory: Victory = None
    details: Annotated[bool, Meta(description="If true, explain illegal orders, and count builds or removals.")] = False

    def answer(self) -> Content:
        """Judge the phase; return JSON with its outcome, the next position and how the game ended; with `details` reasons."""
        orders, problems = self.reader.read_orders()
        texts = {power: [*map(str, given)] for power, given in orders.items()}
        game = Game.from_phases([(self.board, texts)], self.rulebook, victory=self.victory)
        outcome = game.next()
        judged: Any = make_batch_answer(outcome, self.id, self.reader.spelling)
        if problems:
            judged["error"] = Problem(NotationError.kind, "; ".join(problems))
        ended = str(game.ending) if game.ending else None
        next_phase = NextPhase(judged=judged, next=describe_phase(game.board, self.rulebook), ended=ended)
        if self.details:
            next_phase.reasons = list_reasons(outcome, self.reader.spelling)
            next_phase.due = adjustments_due(game.board) if game.board.phase is Phase.ADJUSTMENT else UNSET
        return Content(encode_document(next_phase))


class Draw(PhaseAsked, kw_only=True):
    """Draw the orders of a phase with their results, or the position before or after the phase."""

    path: ClassVar[str] = "/draw"
    answers: ClassVar[Any] = "image/svg+xml", "image/png"
    example: ClassVar[dict[str, Any]] = {**EXAMPLE, "format": "png"}

    shows: Annotated[Literal["orders", "before", "after"], Meta(description="Orders with results, or a position.")] = "orders"
    format: Annotated[Literal["svg", "png"], Meta(description="Language models can see only `png`.")] = "svg"
    theme: Annotated[Literal["auto", "light", "dark"], Meta(description="`auto` follows the reader's settings.")] = "light"
    width: Annotated[int, Meta(ge=100, le=4000, description="The width of the picture, in pixels.")] = 1200
    whole: Annotated[bool, Meta(description="If false, draw only the part that contains units.")] = True

    def answer(self) -> Content:
        """Return the picture that `shows` names (orders, or a position before or after) as SVG or PNG, as `format` says."""
        from satjudge.show.pictures import Look, picture, position, scene_of
        from satjudge.show.pictures.scene import make_unresolved_scene

        asked_position = self.position()
        if self.shows == "before":
            scene = position(asked_position.board)
        else:
            try:
                outcome = asked_position.judge(self.rulebook)
                scene = scene_of(outcome) if self.shows == "orders" else position(outcome.next_board)
            except UnresolvedError as error:
                scene = make_unresolved_scene(asked_position, self.rulebook, error)
        svg = str(picture([scene], look=Look(self.theme, self.width, self.whole, legend=False)))
        if self.format == "svg":
            return Content(svg.encode(), "image/svg+xml")
        from satjudge.show.rendering import to_png

        return Content(to_png(svg), "image/png")


class Report(PhaseAsked, kw_only=True):
    """Judge a phase and write the game master's report."""

    path: ClassVar[str] = "/report"
    answers: ClassVar[Any] = "text/plain", "text/markdown", "text/html"
    example: ClassVar[dict[str, Any]] = {**EXAMPLE, "format": "markdown"}

    format: Annotated[Literal["text", "markdown", "html"], Meta(description="The format of the report.")] = "text"
    name: Annotated[str, Meta(max_length=300, description="The name of the game, for the heading.")] = "game"
    deadline: Annotated[
        str, Meta(max_length=300, description="The deadline for the next orders, for example `Sunday 20:00`.")
    ] = ""
    victory: Victory = None

    def answer(self) -> Content:
        """Judge the phase, and return the game master's report in the requested format."""
        position = self.position()
        game = Game.from_phases([(position.board, position.texts)], self.rulebook, name=self.name, victory=self.victory)
        game.next()
        kind = "plain" if self.format == "text" else self.format
        return Content(game.report(self.format, deadline=self.deadline or None).encode(), f"text/{kind}; charset=utf-8")


# ---- texts ----


class TextRead(Document, kw_only=True, omit_defaults=True):
    """The phases of an order sheet or a saved game, or the orders in a player's email, with remarks."""

    phases: list[PhaseTold] = field(default_factory=list)
    orders: OfPower = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """A remark on each line that was ignored, refused or corrected."""


class Read(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Read the phases of an order sheet or a saved game, or the orders in a player's email."""

    path: ClassVar[str] = "/read"
    answers: ClassVar[Any] = TextRead
    example: ClassVar[dict[str, Any]] = {"text": "A Par - Bur\nGood luck!", "phase": EXAMPLE, "power": "FRANCE"}

    text: Annotated[str, Meta(description="The whole text of an order sheet, a saved game or a mail.")]
    phase: Annotated[
        PhaseAsked | None, Meta(description="The phase for which a mail contains orders. Omit it for other texts.")
    ] = None
    power: Annotated[str | None, Meta(description="The sender of the mail. If omitted, the mail needs headings.")] = None

    def answer(self) -> Content:
        """Return JSON with the phases in the text or, if `phase` is given, with the orders for that phase."""
        return Content(encode_document(self._read_phases() if self.phase is None else self._read_orders(self.phase)))

    def _read_phases(self) -> TextRead:
        entries = list_entries(self.text.encode(), "the text", lenient=True)
        if len(entries) > MOST_PHASES:
            raise RequestError(
                f"the text has {len(entries):,} phases, but at most {MOST_PHASES:,} are read", suggestion="send it in parts"
            )
        sheets = [entry.read() for entry in entries]
        found = [(read_sheet_position(sheet), load_preset(sheet.rules)) for sheet in sheets]
        return TextRead(phases=[describe_phase(position.board, rulebook, position.texts) for position, rulebook in found])

    def _read_orders(self, phase: PhaseAsked) -> TextRead:
        letter = read_letter(self.text.encode(), "the text")
        game = Game.from_phases([(phase.board, {})], phase.rulebook)
        read: Reading
        if self.power is not None:
            read = game.read_message(self.power, letter.text, source="the text")
        else:
            read = game.read_sheet(
                letter.text, source="the text", unreadable="refuse" if letter.is_mail else "raise"
            ).ensure_read()
        illegal = [f"illegal: {order}: {why}" for orders in game.illegal_orders.values() for order, why in orders.items()]
        return TextRead(orders=game.orders, told=[*letter.remarks, *read.remarks, *illegal])


Q = TypeVar("Q", bound=PhaseAsked | Start | Read)
QUESTIONS: tuple[type[PhaseAsked] | type[Start] | type[Read], ...] = (
    Start,
    Judge,
    Legal,
    Resolutions,
    Explain,
    Next,
    Draw,
    Report,
    Read,
)
"""All questions that have a body."""


def answer_path(path: str, body: bytes) -> Content:
    """Return the answer to the question at a path of the service, or raise `SatjudgeError`."""
    kind = _KINDS[path]
    return _draw_cached(body) if kind is Draw else _read_question(body, kind).answer()


def _read_question(body: bytes, question_type: type[Q]) -> Q:
    """Parse the body of a question; raise `RequestError`, with an example of such a question unless there is a better hint."""
    try:
        if issubclass(question_type, PhaseAsked):
            return read_request(body, question_type, "request for this service")
        return msgspec.json.decode(body, type=question_type)
    except (RequestError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        found = error if isinstance(error, RequestError) else RequestError(f"not a request for this service: {error}")
        found.suggestion = found.suggestion or f"for example: {json.dumps(question_type.example)}"
        raise found from None


@lru_cache(maxsize=32)
def _draw_cached(body: bytes) -> Content:
    """Return the picture for the body of a `/draw` question, cached because all players of a site see the same phase."""
    return _read_question(body, Draw).answer()


_KINDS = {kind.path: kind for kind in QUESTIONS}


# ---- rulebooks and maps ----


class ListedRulebook(Document):
    """A rulebook, with its choice on each issue."""

    name: str
    title: str
    settings: dict[str, str]


class ListedRulebooks(Document):
    """The shipped rulebooks."""

    rulebooks: list[ListedRulebook]


def list_rulebooks() -> ListedRulebooks:
    """List the shipped rulebooks with their choices."""
    books = map(load_rulebook, preset_names())
    return ListedRulebooks([ListedRulebook(book.name, book.title, book.settings()) for book in books])


def list_maps() -> ListedMaps:
    """List the shipped maps."""
    return listed_maps([load_map(name) for name in shipped_maps()])


def describe_map(name: str) -> DescribedMap:
    """Describe the shipped map `name`, or raise `NotFoundError`."""
    return described_map(map_called(name))
