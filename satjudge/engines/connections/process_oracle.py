"""Asks an engine in any language that runs as a child process and answers each batch line with a line.

A process that fails, is too slow or sends an impossible answer is ended, and a new one is started for the next question.
"""

from __future__ import annotations

import atexit
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeVar, cast

import msgspec

from satjudge.base.errors import InputError, OracleError, OracleLostError, OracleSkipError
from satjudge.base.words import number_of
from satjudge.engines.comparison import Depth, PhaseOrders
from satjudge.engines.connections.line_process import DIED, LineProcess, quote_line
from satjudge.engines.documents.campaigns import LOST
from satjudge.files.batch_lines import make_position_fields
from satjudge.files.dialects import Dialect
from satjudge.notation.parse import parse_location, parse_order, parse_unit
from satjudge.oracles.oracle import SHAPE, Answer, check_answer
from satjudge.world.board import Board, Phase, Unit, by_power
from satjudge.world.geography import Map, Power, UnitKind, load_map
from satjudge.world.orders import Hold, Move

QUICK = 0.1
"""Questions are sent ahead only if the last answer took less than this time in seconds."""
SILENCE = 0.2
"""The time in seconds for which a new process must not write anything before it is asked."""
_LONGEST_ERROR = 200
T = TypeVar("T")
LATE, NOT_JSON, REFUSED = "wrong id", "not JSON", "refused"
"""Kinds of `OracleError`, in addition to `LOST` and those of a `LineProcess`."""


class _Reply(msgspec.Struct):
    """The keys of an answer line that are read."""

    id: Any = None
    results: dict[str, list[str]] | None = None
    dislodged: dict[str, dict[str, list[str]]] | None = None
    units: dict[str, list[str]] | None = None
    error: Any = None
    skip: Any = None
    """True, or a reason, if the process declines to judge the position."""


@dataclass(eq=False, slots=True)
class _Question:
    """A question for the process."""

    board: Board
    orders: PhaseOrders
    number: int
    line: bytes
    is_sent: bool = False
    said: bytes | OracleError | None = None
    """The process's answer, if it was read before it was needed."""


class ProcessOracle:
    """An oracle that runs as a child process.

    Several threads may use it; questions are asked one after the other.
    """

    def __init__(
        self,
        command: Sequence[str],
        dialect: Dialect,
        *,
        rules: str,
        timeout: float,
        restarts: int,
        startup_timeout: float | None = None,
        memory: int | None = None,
    ) -> None:
        self.command = command
        self.dialect = dialect
        self.rules = rules
        self.timeout = timeout
        self.startup_timeout = timeout if startup_timeout is None else startup_timeout
        self.memory = memory
        """MiB."""
        self.restarts = restarts
        self.failures = 0
        """The number of failures since the last correct answer."""
        self._asked = 0
        self._child: LineProcess | None = None
        self._new = True
        """Whether the process has not been asked anything yet."""
        self._ahead: list[_Question] = []
        """The questions that were sent ahead, in the sequence of sending."""
        self._takes_several = True
        """Whether a process answers more than one question."""
        self._quick = False
        """Whether the last answer took less than `QUICK` seconds."""
        self._lock = threading.Lock()
        atexit.register(self._close_at_exit)

    def __call__(self, board: Board, orders: PhaseOrders, /) -> Answer:
        """Ask the process about a position, and return its checked answer.

        Raises `OracleError` if it does not answer correctly.
        """
        return self._read_answer(self._reply(board, orders), board.map, orders)

    def send_ahead(self, board: Board, orders: PhaseOrders, /) -> None:
        """Send a question that will be asked soon, if the process is quick, so that it can work on it in advance."""
        with self._lock:
            if self._child is not None and not self._new and self._takes_several and self._quick:
                self._ahead.append(self._make_question(board, orders))
                self._ahead[-1].is_sent = True
                self._child.send_line(self._ahead[-1].line)

    def probe_depth(self, game_map: Map | None = None) -> Depth:
        """Ask about a first position on a map (by default the standard map), and return how much the process reports.

        On the standard map the position has events of many kinds, so that an answer of the wrong form is noticed at once.
        Raises `OracleError`.
        """
        (board, orders), simple = list_first_positions(game_map or load_map())
        with self._lock:
            self._ensure_process().expect_silence(SILENCE)
        try:
            reply = self._reply(board, orders)
        except OracleSkipError:
            board, orders = simple
            reply = self._reply(board, orders)
        _check_units(self._read_answer(reply, board.map, orders), board)
        if reply.dislodged is None:
            return Depth.POSITIONS if reply.results is None else Depth.RESULTS
        return Depth.DISLODGEMENTS if reply.results is None else Depth.VERDICTS

    def start_anew(self) -> None:
        """End the process, and clear its failures and questions; the next question starts a new process."""
        with self._lock:
            self.failures = self._asked = 0
            self.close()
            self._ahead.clear()

    def close(self) -> None:
        """End the process; unanswered questions that were sent ahead are sent again when they are asked."""
        for question in self._ahead:
            question.is_sent = False
        if self._child is not None:
            self._child.end()
            self._child = None

    def _close_at_exit(self) -> None:
        """End the process when Python exits, ignoring Ctrl-C."""
        with suppress(KeyboardInterrupt):
            self.close()

    def _reply(self, board: Board, orders: PhaseOrders) -> _Reply:
        with self._lock:
            if self.failures >= self.restarts:
                raise OracleLostError(LOST, f"it failed {number_of(self.failures, 'time')} in a row")
            try:
                reply = self._ask(board, orders)
            except OracleError as error:
                self.failures += 1
                self.close()
                if self.failures >= self.restarts:
                    message = f"it failed {number_of(self.failures, 'time')} in a row; the last time it {error}"
                    raise OracleLostError(LOST, message) from None
                raise
            self.failures = 0
        if reply.skip not in (None, False):
            raise OracleSkipError(quote_line(str(reply.skip).encode()))
        if reply.error is not None:
            error_text = reply.error if isinstance(reply.error, str) else msgspec.json.encode(reply.error).decode()
            raise OracleError(REFUSED, f"it answered with an error: {_shorten_text(error_text)}")
        return reply

    def _ensure_process(self) -> LineProcess:
        if self._child is None or self._child.status is not None:
            self.close()
            self._child = LineProcess(self.command, self.memory)
            self._new = True
        return self._child

    def _ask(self, board: Board, orders: PhaseOrders) -> _Reply:
        question = self._take_question(board, orders)
        line = self._read_answer_line(question)
        try:
            reply = msgspec.json.decode(line, type=_Reply)
        except msgspec.ValidationError as error:
            raise OracleError(SHAPE, f"{error}, in {quote_line(line)}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise OracleError(NOT_JSON, f"it answered {quote_line(line)}") from None
        if reply.id != question.number:
            raise OracleError(LATE, f"it answered {reply.id!r} instead of {question.number}")
        return reply

    def _make_question(self, board: Board, orders: PhaseOrders) -> _Question:
        self._asked += 1
        return _Question(board, orders, self._asked, msgspec.json.encode(self._format_request(board, orders)))

    def _take_question(self, board: Board, orders: PhaseOrders) -> _Question:
        """Take the question about a position from those sent ahead, or make it, after reading the answers to earlier ones."""
        matching_places = (place for place, sent in enumerate(self._ahead) if sent.board is board and sent.orders is orders)
        place = next(matching_places, len(self._ahead))
        before, matches = self._ahead[:place], self._ahead[place : place + 1]
        for question in before:
            self._read_early_answer(question)
        if not matches:
            return self._make_question(board, orders)
        self._ahead = [question for question in self._ahead if question not in (*before, *matches)]
        return matches[0]

    def _read_early_answer(self, question: _Question) -> None:
        """Read the answer to a question that was sent ahead, and store it, or its error, until the question is asked."""
        if question.is_sent and question.said is None:
            try:
                question.said = self._send_and_read(question)
            except OracleError as error:
                question.said = None if self._has_ended_normally(error) else error
                self.close()

    def _read_answer_line(self, question: _Question) -> bytes:
        """Return the answer line to a question, starting a new process if the old one ends normally after each answer."""
        if isinstance(question.said, OracleError):
            raise question.said
        if question.said is not None:
            return question.said
        fresh = self._child is None
        try:
            return self._send_and_read(question)
        except OracleError as error:
            if fresh or not self._has_ended_normally(error):
                raise
        self.close()
        question.is_sent = False
        return self._send_and_read(question)

    def _has_ended_normally(self, error: OracleError) -> bool:
        """Return whether the process ended with status 0; if so, stop sending it questions ahead."""
        ended = error.kind == DIED and self._child is not None and self._child.status == 0
        self._takes_several &= not ended
        return ended

    def _send_and_read(self, question: _Question) -> bytes:
        """Send a question, unless it was sent ahead, and return its answer line."""
        sent_to = self._child if question.is_sent else None  # it may have ended in the meantime
        child = sent_to or self._ensure_process()
        timeout, began = self.startup_timeout if self._new else self.timeout, monotonic()
        if not question.is_sent:
            child.expect_silence(0)
            self._new = False
            child.send_line(question.line)
        answer = child.read_line(timeout)
        self._quick = monotonic() - began < QUICK
        return answer

    def _format_request(self, board: Board, orders: PhaseOrders) -> dict[str, object]:
        """Return the data of the batch line for a position, with powers and notation in the engine's dialect."""

        def translate_texts(texts: Mapping[Power, Sequence[object]]) -> dict[str, list[str]]:
            return {
                self.dialect.format_power(power, board.map): [
                    self.dialect.format_notation(str(text), board.map) for text in given
                ]
                for power, given in texts.items()
            }

        phase = {"id": self._asked, "phase": board.phase, "rules": self.rules, **make_position_fields(board)}
        if board.phase is Phase.RETREAT:
            phase["dislodged"] = {
                self.dialect.format_power(power, board.map): {
                    self.dialect.format_notation(unit, board.map): [
                        self.dialect.format_notation(place, board.map) for place in places
                    ]
                    for unit, places in lost.items()
                }
                for power, lost in phase["dislodged"].items()
            }
        if "centers" in phase:
            phase["centers"] = translate_texts(phase["centers"])
        return {**phase, "units": translate_texts(by_power(board.units)), "orders": translate_texts(orders)}

    def _read_answer(self, reply: _Reply, game_map: Map, orders: PhaseOrders) -> Answer:
        """Convert the engine's reply to an answer, translating its dialect and checking that it fits the orders.

        Raises `OracleError` for a reply of the wrong shape.
        """

        def read(parse: Callable[..., object], text: str, *context: object) -> str:
            try:
                return str(parse(self.dialect.parse_notation(text, game_map), *context, game_map))
            except InputError as error:
                raise OracleError(SHAPE, f"{quote_line(text.encode())} cannot be read: {error}") from None

        def read_powers(entries: Mapping[str, T] | None) -> Iterator[tuple[Power, T]]:
            return ((self.dialect.parse_power(name, game_map), entry) for name, entry in (entries or {}).items())

        if reply.units is None:
            raise OracleError(SHAPE, "the answer has no `units`")
        nothing: dict[Power, list[str]] = {} if reply.results is None else {power: [] for power in orders}
        dislodged = {
            power: {
                read(parse_unit, unit, power): sorted(read(parse_location, retreat) for retreat in retreats)
                for unit, retreats in lost.items()
            }
            for power, lost in read_powers(reply.dislodged)
        }
        units = {power: sorted(read(parse_unit, text, power) for text in texts) for power, texts in read_powers(reply.units)}
        return check_answer(Answer(nothing | dict(read_powers(reply.results)), dislodged, units), orders)


_FIRST_UNITS = {
    "ENGLAND": ("A YOR", "F NTH", "F LON", "F WAL"),
    "FRANCE": ("F ENG", "A GAS"),
    "RUSSIA": ("F STP/SC",),
}
_FIRST_ORDERS = {
    "ENGLAND": ("A YOR - NWY VIA", "F NTH C A YOR - NWY", "F LON S F WAL - ENG", "F WAL - ENG"),
    "FRANCE": ("F ENG H", "A GAS - SPA"),
    "RUSSIA": ("F STP/SC - BOT",),
}


def list_first_positions(game_map: Map) -> list[tuple[Board, PhaseOrders]]:
    """Return the first two questions to an engine, which show whether and how it answers; the second is for one that skips.

    On the standard map the first has a dislodgement, a convoy and a fleet on a coast; otherwise both are the simple position.
    """
    simple = _make_simple_position(game_map)
    if not game_map.is_standard:
        return [simple, simple]
    units = (parse_unit(text, power, game_map) for power, texts in _FIRST_UNITS.items() for text in texts)
    orders = {power: [parse_order(text, game_map) for text in texts] for power, texts in _FIRST_ORDERS.items()}
    return [(Board(tuple(units), map=game_map), cast("PhaseOrders", orders)), simple]


def _check_units(answer: Answer, board: Board) -> None:
    """Raise `OracleError` if an answer has units that are impossible after moves from this board."""
    before = {power: len(units) for power, units in by_power(board.units).items()}
    dislodged = {unit for units in answer.dislodged.values() for unit in units} - set(map(str, board.units))
    if dislodged:
        raise OracleError(SHAPE, f"{min(dislodged)} is among the `dislodged`: name them as they were before the moves")
    for power, units in answer.units.items():
        count = len(units) + len(answer.dislodged.get(power, ()))
        if count > before.get(power, 0):
            message = f"{power} has {number_of(before.get(power, 0), 'unit')}, but {count} in the answer: {', '.join(units)}"
            raise OracleError(SHAPE, f"{message}; `units` must be the units after the moves, without dislodged ones")
    standing_units = [parse_unit(text, power, board.map) for power, units in answer.units.items() for text in units]
    for unit in standing_units:
        if problem := board.map.problem_with(unit.kind, unit.location):
            raise OracleError(SHAPE, f"{unit} of {unit.power}: {problem}")
    standing = Counter(unit.province for unit in standing_units)
    if (twice := max(standing, key=standing.__getitem__, default="")) and standing[twice] > 1:
        message = f"two units stand in {twice}; `units` must be the units after the moves, without dislodged ones"
        raise OracleError(SHAPE, message)


def _make_simple_position(game_map: Map) -> tuple[Board, PhaseOrders]:
    """Return a position with a unit that moves and, if possible, a foreign one that holds, from the map's starting units."""
    starts = [Unit(*start) for start in game_map.start]
    anywhere = (Unit(game_map.powers[0], UnitKind.ARMY, code) for code in sorted(game_map.army))
    mover = next(unit for unit in (*starts, *anywhere) if game_map.exits(unit.kind, unit.location))
    holder = next((unit for unit in starts if unit.power != mover.power and unit.province != mover.province), None)
    orders: PhaseOrders = {mover.power: [Move(mover.named, min(game_map.exits(mover.kind, mover.location)))]}
    if holder is None:
        return Board((mover,), map=game_map), orders
    return Board((mover, holder), map=game_map), {**orders, holder.power: [Hold(holder.named)]}


def _shorten_text(text: str) -> str:
    """Return a text on one line, shortened to 200 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}…"
