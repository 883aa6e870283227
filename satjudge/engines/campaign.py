"""Runs a campaign: satjudge and an oracle judge many positions, and agreements and differences are counted.

Counts are sums and lists of board numbers, so the result does not depend on how the boards are divided among chunks,
processes and interrupted runs. Differing boards are shrunk afterwards, one by one (`satjudge.engines.findings`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from math import inf
from time import monotonic

from satjudge.base.errors import EngineLimitError, OracleError, OracleLostError, OracleSkipError, RequestError, UnresolvedError
from satjudge.base.values import brief
from satjudge.base.words import escape_controls
from satjudge.bulk.chunked_runs import Count
from satjudge.bulk.tallies import BoardTally, Example, add_by_name
from satjudge.engines.comparison import (
    ComparedPosition,
    Depth,
    Difference,
    PhaseOrders,
    answer_from_outcome,
    compare_answers,
    describe_first_difference,
    iter_rewritten_positions,
)
from satjudge.engines.conformance.hypotheses import TOGETHER, Hypothesis
from satjudge.engines.connections.registry import ORACLES, TIMEOUT, Contact, is_shipped
from satjudge.engines.known_differences import KnownDifference, load_known_differences, match_known_differences
from satjudge.engines.positions import AskedPosition, Fuzz, Source
from satjudge.files.dialects import OURS, load_dialect
from satjudge.judging.judge import judge_phase
from satjudge.judging.legality import make_docket
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import SHAPE, Answer
from satjudge.world.board import Board, Phase
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook

CHUNK = 1_000
"""The number of boards that are compared and saved in a checkpoint at a time."""
AHEAD = 4
"""The largest number of questions sent to a process before it has answered the first of them."""
BLOCK = 1.0
"""The time in seconds after which part of a chunk is saved, so that little is lost with a slow engine."""
EVERY_SO_MANY_OTHERWISE = 20
"""One in this many agreeing boards is also asked about in other forms."""
VARYING = "otherwise when "
"""The prefix of differences between two answers of the same engine."""


@dataclass(frozen=True)
class Campaign:
    """A comparison of two engines: everything that its result depends on, except the number of boards."""

    contact: Contact
    source: Source
    rules: str = DEFAULT_RULES
    """The rulebook under which both sides judge: a preset or a TOML file."""
    settings: tuple[str, ...] = ()
    """Settings that replace those of the rulebook: `4.A.2=all-hold`."""
    depth: Depth = Depth.VERDICTS
    engine: Engine = Engine.FULL
    known: tuple[KnownDifference, ...] = ()
    """The known differences that explain boards."""
    legal_only: bool = False
    """Whether illegal orders are removed before the engines are asked."""

    __repr__ = brief

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings, under which both engines are to judge."""
        return self.contact.rulebook

    def list_parameters(self) -> dict[str, object]:
        """Return all parameters that the result of the campaign depends on, by name, as plain data.

        Campaigns with equal parameters have the same result on the same boards.
        """
        return {
            "against": self.contact.against,
            "dialect": self.contact.dialect,
            "timeout": self.contact.timeout,
            **{key: value for key in ("startup_timeout", "memory") if (value := getattr(self.contact, key)) is not None},
            "depth": self.depth,
            "engine": self.engine,
            "rules": self.rulebook.name,
            "settings": self.rulebook.settings(),
            "known": [one.name for one in self.known],
            **({"legal_only": True} if self.legal_only else {}),
            **self.source.list_parameters(),
        }

    @property
    def count(self) -> Count[Tally]:
        """The campaign as a `Count` of boards, which can be run in chunks and resumed."""
        return Count(
            "crosscheck",
            self.list_parameters() | {"program": self.contact.fingerprint},
            Tally,
            partial(tally_boards, self, seconds=BLOCK),
        )

    def compare(self, position: AskedPosition) -> ComparedPosition:
        """Ask both engines about a position; return it with both answers and all differences, or only with the oracle's error.

        With `legal_only` the position is compared without its illegal orders.

        Raises `UnresolvedError` if the rulebook has no answer, `OracleSkipError` if the oracle does not judge such positions,
        and `OracleLostError`.
        """
        position = self.drop_illegal_orders(position)
        try:
            theirs = self._ask_oracle(position)
        except OracleLostError:
            raise
        except OracleError as error:
            return self.make_single_difference(position, escape_controls(error.kind), "an answer", escape_controls(str(error)))
        ours = answer_from_outcome(judge_phase(position.board, position.orders, rulebook=self.rulebook, engine=self.engine))
        return self._compare_answers(position, ours, theirs)

    def drop_illegal_orders(self, position: AskedPosition) -> AskedPosition:
        """Return the position as the oracle gets it: without illegal orders if `legal_only` is set, otherwise unchanged."""
        if not self.legal_only:
            return position
        board, orders = position.board, position.orders
        if board.phase is Phase.MOVEMENT:
            entries = make_docket(board, orders, self.rulebook).entries
            legal = {power: [entry.reason is None for entry in given] for power, given in entries.items()}
        else:
            judged = judge_phase(board, orders, rulebook=self.rulebook).judged
            legal = {power: [entry.reason is None for entry in given] for power, given in judged.items()}
        return AskedPosition(
            board, {power: list(compress(given, legal[power])) for power, given in orders.items()}, position.name
        )

    def ask_oracle(self, position: AskedPosition) -> Answer:
        """Return the oracle's answer to a position, from which illegal orders are removed first if `legal_only` is set.

        Raises `OracleError`, `OracleSkipError` and `OracleLostError`.
        """
        return self._ask_oracle(self.drop_illegal_orders(position))

    def make_single_difference(self, position: AskedPosition, kind: str, ours: str, theirs: str) -> ComparedPosition:
        """Return the position as compared, without answers and with one difference, given by its kind and both sides' words."""
        return ComparedPosition(position, (Difference(kind, "", self.contact.against, ours, theirs),))

    def find_contradiction(self, position: AskedPosition, usual_answer: Answer | None = None) -> Difference | None:
        """Ask an external oracle again, also with orders and powers rearranged or renamed; return a contradiction, or None.

        Returns None for the oracles that come with satjudge. If the usual answer is not passed, the oracle is asked for it.
        Raises `OracleLostError`.
        """
        if self.contact.is_ours:
            return None
        position = self.drop_illegal_orders(position)
        try:
            usual_answer = usual_answer or self._ask_oracle(position)
        except OracleLostError:
            raise
        except (OracleError, OracleSkipError):
            return None
        for otherwise in iter_rewritten_positions(position):
            try:
                text = describe_first_difference(position, usual_answer, otherwise.read(self._ask_oracle(otherwise.position)))
            except OracleLostError:
                raise
            except (OracleError, OracleSkipError) as error:
                text = f"an answer, otherwise {escape_controls(str(error))}"
            if text:
                return Difference(f"{VARYING}{otherwise.how}", "", self.contact.against, "the same answer", text)
        return None

    def compare_with_hypothesis(self, compared: ComparedPosition, hypothesis: Hypothesis) -> ComparedPosition:
        """Return the position with the differences between a hypothesis's answer, instead of satjudge's, and the oracle's.

        Raises `UnresolvedError` if the hypothesis predicts no answer.
        """
        (supposed,) = hypothesis.list_answers([compared.position])
        if supposed is None or compared.theirs is None:
            raise UnresolvedError("the hypothesis has no answer")
        return self._compare_answers(compared.position, supposed, compared.theirs)

    def _compare_answers(self, position: AskedPosition, ours: Answer, theirs: Answer) -> ComparedPosition:
        differences = compare_answers(ours, theirs, position.orders, self.depth, self.contact.words)
        return ComparedPosition(position, tuple(differences), ours, theirs)

    def _ask_oracle(self, position: AskedPosition) -> Answer:
        answer = self.contact.ask(position.board, position.orders)
        if self.depth.compares_results and not answer.verdicts and any(position.orders.values()):
            raise OracleError(SHAPE, "it has no verdicts")
        return answer if position.board.phase is Phase.MOVEMENT else replace(answer, dislodged={})

    def find_explanation(self, compared: ComparedPosition) -> tuple[str, ...] | None:
        """Return the names of the known differences that explain how a position's answers differ; None if they cannot."""
        return match_known_differences(compared, self.known, partial(self.compare_with_hypothesis, compared))

    def format_explanation(self, compared: ComparedPosition) -> str | None:
        """Return the names of the known differences that explain a position, joined by ` + `; None if they cannot."""
        names = self.find_explanation(compared)
        return None if names is None else TOGETHER.join(names)


# ---- counts: plain data that can be added up in any order ----


@dataclass(frozen=True, order=True)
class DifferingBoard(Example):
    """A board on which the two engines differ without a known reason."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, order=True)
class FailedBoard:
    """A board on which satjudge itself failed, with its error."""

    board: int
    error: str


@dataclass
class Tally:
    """The numbers of boards on which two engines agree, differ and so on."""

    boards: int = 0
    agreed: int = 0
    unresolved: int = 0
    """Boards to which the rulebook has no answer; they are not compared."""
    skipped: int = 0
    """Boards that the oracle declines to judge; they are not compared either."""
    too_large: int = 0
    """Boards that are too large for satjudge's chosen engine; they are not compared either."""
    explained: dict[str, BoardTally] = field(default_factory=dict)
    """The boards on which known differences explain every difference."""
    differing: list[DifferingBoard] = field(default_factory=list)
    failed: list[FailedBoard] = field(default_factory=list)
    """Boards on which satjudge itself failed; they are not compared."""

    __repr__ = brief

    def add(self, other: Tally) -> None:
        """Add the counts of another tally to this one."""
        add_by_name(vars(self), vars(other))


def make_campaign(
    against: str,
    source: Source,
    *,
    rules: str | None = None,
    settings: tuple[str, ...] = (),
    depth: Depth | None = None,
    engine: Engine = Engine.FULL,
    dialect: str = OURS,
    timeout: float = TIMEOUT,
    restarts: int = 100,
    startup_timeout: float | None = None,
    memory: int | None = None,
    known: Sequence[str] = (),
    legal_only: bool = False,
) -> Campaign:
    """Test an oracle; make a campaign that compares satjudge with it, by default under its rulebook and in all it reports.

    `known` are files of known differences, or hypotheses. The oracle is tested first. Raises `InputError` if it cannot be used
    at all, at this depth or in this dialect.
    """
    if dialect != OURS and is_shipped(against):
        raise RequestError(f"{against} comes with satjudge and needs no dialect", suggestion="leave out --dialect")
    rules = rules or (ORACLES[against].rules if against in ORACLES else DEFAULT_RULES)
    contact = Contact(
        against, load_rulebook(rules).with_settings(settings), dialect, timeout, restarts, startup_timeout, memory
    )
    load_dialect(dialect, source.maps)  # before any board is compared
    contact.check_maps(source.maps)
    contact.check_phases(source.phases if isinstance(source, Fuzz) else ())
    deepest = contact.probe_depth(min(source.maps, key=lambda game_map: game_map.exact_name))
    if depth is not None and not deepest.includes(depth):
        raise RequestError(f"{against} does not report {depth}", suggestion=f"--depth {deepest}")
    explained = load_known_differences(against, known, contact.rulebook)
    return Campaign(contact, source, rules, settings, depth or deepest, engine, explained, legal_only)


def tally_boards(campaign: Campaign, numbers: Iterable[int], seconds: float = inf) -> Tally:
    """Compare the boards with these numbers and return the counts; after `seconds` no further board is begun.

    Raises `OracleLostError`.
    """
    tally = Tally()
    for number, position in _iter_boards_sent_ahead(campaign, _iter_numbers_in_time(numbers, seconds)):
        try:
            tally.add(tally_board(campaign, number, position))
        except OracleLostError as error:
            error.counted = tally
            raise
    return tally


def _iter_numbers_in_time(numbers: Iterable[int], seconds: float) -> Iterator[int]:
    """Yield the numbers until `seconds` have passed; the first number is always yielded."""
    began = monotonic()
    for number in numbers:
        yield number
        if monotonic() - began > seconds:
            break


def _iter_boards_sent_ahead(campaign: Campaign, numbers: Iterable[int]) -> Iterator[tuple[int, AskedPosition | None]]:
    """Yield each number with its board (None: not drawn yet); an engine that can queue questions gets some in advance."""
    expect: Callable[[Board, PhaseOrders], None] | None = getattr(campaign.contact.connect(), "send_ahead", None)
    if expect is None or campaign.legal_only:
        yield from ((number, None) for number in numbers)
        return
    waiting = deque[tuple[int, AskedPosition | None]]()
    for number in numbers:
        position = None
        with suppress(Exception):  # the error occurs again later, and is reported then
            position = campaign.source.get_position(number)
            expect(position.board, position.orders)
        waiting.append((number, position))
        if len(waiting) > AHEAD:
            yield waiting.popleft()
    yield from waiting


def tally_board(campaign: Campaign, number: int, position: AskedPosition | None = None) -> Tally:
    """Compare one board and return its counts, including satjudge's own failure; the board is drawn if it is not given.

    Raises `OracleLostError`.
    """
    try:
        return _tally_position(campaign, position or campaign.source.get_position(number), number)
    except OracleLostError:
        raise
    except Exception as error:  # an error in satjudge; an oracle's error is a difference
        return Tally(1, failed=[FailedBoard(number, format_failure(error))])


def format_failure(error: Exception) -> str:
    """Format an unexpected error of satjudge itself as one line, `KeyError: …`."""
    return escape_controls(f"{type(error).__name__}: {error}")


def _tally_position(campaign: Campaign, position: AskedPosition, number: int) -> Tally:
    size = len(position.board.units) + len(position.board.dislodged)
    try:
        compared = campaign.compare(position)
        if not compared.differences:
            again = (number + 1) % EVERY_SO_MANY_OTHERWISE == 0
            varying = campaign.find_contradiction(position, compared.theirs) if again else None
            return Tally(1, differing=[DifferingBoard(size, number, (varying.kind,))]) if varying else Tally(1, agreed=1)
        explained_by = campaign.format_explanation(compared)
    except UnresolvedError:
        return Tally(1, unresolved=1)
    except OracleSkipError:
        return Tally(1, skipped=1)
    except EngineLimitError:
        return Tally(1, too_large=1)
    except OracleLostError as error:
        error.position = position.name
        raise
    if explained_by is None:
        return Tally(1, differing=[DifferingBoard(size, number, tuple(sorted(compared.kinds)))])
    return Tally(1, explained={explained_by: BoardTally(1, Example(size, number))})
