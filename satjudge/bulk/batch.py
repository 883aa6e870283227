"""Answers requests of the batch format: one JSON line in, one JSON line out (contract: docs/reference/batch.md).

`answer_line` never raises an exception for bad input: the answer contains an `error` instead, and the run continues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from satjudge.base.errors import NotationError, SatjudgeError, kind_and_message
from satjudge.bulk.wasm import loading
from satjudge.explain.documents import make_batch_answer
from satjudge.files.batch_lines import LONGEST_LINE, RequestReader, check_keys, check_known_keys, format_decode_error
from satjudge.files.batch_lines import Request as Request
from satjudge.judging.fast_path import MOST_LOADED, KernelChoice
from satjudge.judging.judge import judge_without_kernel
from satjudge.judging.solve import Engine
from satjudge.world.geography import Map, map_called
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook

if TYPE_CHECKING:
    from satjudge.bulk.wasm.lines import LineAnswerer

CHUNK = 256
"""The number of requests that a process gets at a time."""
_KEPT_RULES = 100


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings for all lines: the rulebook and map of lines that name none, changed options of all rulebooks, and the engine.

    With `allow_unknown`, unknown keys are ignored; otherwise they are an error.
    """

    rules: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()
    engine: Engine = Engine.STAGED
    allow_unknown: bool = False
    map: Map | None = None

    def rulebook(self, name: str | None) -> Rulebook:
        """Return the preset with this name (None: the settings' own rulebook), changed by `settings`; raise `RulebookError`."""
        rulebook = load_preset(name) if name else load_rulebook(self.rules)
        return rulebook.with_settings(self.settings)


class _Rules(NamedTuple):
    """The names of rulebook and map in a request."""

    rulebook: str | None
    map: str | None


_decode = msgspec.json.Decoder(Request).decode
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def answer_line(line: bytes, settings: Settings | None = None) -> bytes:
    """Return the answer to one batch line, judged in Python, as JSON without a newline at its end; it may be an `error`."""
    settings = settings or Settings()
    request = _read_line(line, settings)
    return _encode_answer(answer(request, settings) if isinstance(request, Request) else request)


def is_error(answer: bytes) -> bool:
    """Return whether an answer line reports an error."""
    return b'"error":{' in answer and "error" in msgspec.json.decode(answer)


def _read_line(line: bytes, settings: Settings) -> Request | dict[str, Any]:
    """Return the request in a line, or an answer with an `error` if the line is not a valid request."""
    if len(line) > LONGEST_LINE:
        return _write_error(None, "too-long", f"the line has more than {LONGEST_LINE:,} bytes; write one position per line")
    if not line.strip():
        return _write_error(None, "request", "the line is empty; write one JSON object per line")
    identity = None
    try:
        request = _decode(line)
        identity = request.id
        check_keys(line, request, allow_unknown=settings.allow_unknown)
    except msgspec.ValidationError as error:
        return _refuse_shape(line, error)
    except _NOT_JSON as error:
        return _write_error(None, "json", f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}")
    except Exception as error:
        return _error_answer(identity, error)
    return request


def _refuse_shape(line: bytes, shape_error: msgspec.ValidationError) -> dict[str, Any]:
    """Return the answer that refuses a line that is not a request: with the line's id, or null if it is not even JSON."""
    row = None
    try:
        row = msgspec.json.decode(line)
    except msgspec.ValidationError:  # a number that is out of range
        pass
    except _NOT_JSON as error:
        return _write_error(None, "json", f"not valid JSON: {str(error).removeprefix('JSON is malformed: ')}")
    return _write_error(_id_of(row), "request", f"not a batch request: {format_decode_error(shape_error, row)}")


def _read_row(row: Mapping[str, Any], settings: Settings) -> Request | dict[str, Any]:
    """Return the request in a dictionary, or an answer with an `error` if it is not a valid request."""
    try:
        request = msgspec.convert(row, Request)
        if not settings.allow_unknown:
            check_known_keys(row)
    except msgspec.ValidationError as error:
        return _write_error(_id_of(row), "request", f"not a batch request: {format_decode_error(error, row)}")
    except Exception as error:
        return _error_answer(_id_of(row), error)
    return request


def _id_of(row: object) -> object:
    return row.get("id") if isinstance(row, Mapping) else None


def answer(request: Request, settings: Settings | None = None) -> dict[str, Any]:
    """Return the answer to one request in the batch format; an exception becomes an `error`.

    This applies to any error in judging.
    """
    try:
        return judge_request(request, settings or Settings())
    except Exception as error:
        return _error_answer(request.id, error)


def judge_request(request: Request, settings: Settings) -> dict[str, Any]:
    """Return the answer to a request, judged in Python; unreadable orders become an `error` in it, other errors are raised."""
    rulebook = settings.rulebook(request.rules)
    reader = RequestReader(request, settings.map)
    board = reader.board()
    orders, problems = reader.read_orders()
    answer = make_batch_answer(judge_without_kernel(board, orders, rulebook, settings.engine), request.id, reader.spelling)
    return answer | _write_error(request.id, NotationError.kind, "; ".join(problems)) if problems else answer


def _error_answer(identity: object, error: Exception) -> dict[str, Any]:
    return _write_error(identity, *kind_and_message(error))


def _write_error(identity: object, kind: str, message: str) -> dict[str, Any]:
    return {"id": identity, "error": {"kind": kind, "message": message}}


def _encode_answer(answer: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(answer)
    except Exception as error:
        return msgspec.json.encode(_error_answer(None, error))


class Answering:
    """Answers many lines or requests under the same settings, as `answer_line` and `answer` do.

    The compiled kernel answers ordinary lines as soon as `satjudge.judging.fast_path.KernelChoice` allows that.
    """

    def __init__(self, settings: Settings | None = None, plain_first: int | None = None) -> None:
        self.settings = settings or Settings()
        self.plain_first = plain_first
        self.answered = 0
        self._choices: dict[_Rules, KernelChoice[LineAnswerer]] = {}

    def lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the answer to each line, in order."""
        return map(self._answer_line, lines)

    def _answer_line(self, line: bytes) -> bytes:
        self.answered += 1
        choice = self._find_choice(_OF_SETTINGS)
        if choice.kernel and (kernel_answer := self._answer_by_kernel(choice, line)) is not None:
            return kernel_answer
        request = _read_line(line, self.settings)
        if not isinstance(request, Request):
            return _encode_answer(request)
        return self._ask_kernel(request, request.id) or _encode_answer(answer(request, self.settings))

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the answer to each request, given as a dictionary, in order."""
        return map(self._answer_row, rows)

    def _answer_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        self.answered += 1
        request = _read_row(row, self.settings)
        if not isinstance(request, Request):
            return request
        kernel_answer = self._ask_kernel(request, None)
        if kernel_answer is None:
            return answer(request, self.settings)
        fields: dict[str, Any] = msgspec.json.decode(kernel_answer)
        return fields | {"id": request.id}

    def _ask_kernel(self, request: Request, identity: object) -> bytes | None:
        """Return the kernel's answer to a request, with `identity` as the answer's id; None if Python must answer it."""
        rules = _read_rules(request)
        choice = self._find_choice(rules) if rules else None
        if choice is None or choice.choose_kernel() is None:
            return None
        alone = msgspec.structs.replace(request, id=identity, rules=None, map=None)
        return self._answer_by_kernel(choice, msgspec.json.encode(alone))

    def _find_choice(self, rules: _Rules) -> KernelChoice[LineAnswerer]:
        """Return the cached choice between kernel and Python for the lines that name this rulebook and map."""
        found = self._choices.get(rules)
        if found is None:
            if len(self._choices) >= _KEPT_RULES:
                self._choices = {rules: choice for rules, choice in self._choices.items() if choice.kernel}
            found = self._choices[rules] = KernelChoice(partial(self._load_kernel, rules), self.plain_first)
        return found

    def _answer_by_kernel(self, choice: KernelChoice[LineAnswerer], line: bytes) -> bytes | None:
        """Return a kernel's answer to a line, or None for Python (for another map, for example); drop a kernel that fails."""
        try:
            return choice.kernel.answer(line) if choice.kernel else None
        except Exception as error:
            choice.kernel = None
            loading.report_failure(error)
            return None

    def _load_kernel(self, rules: _Rules, make_tables: bool) -> LineAnswerer | None:
        """Load the kernel for a rulebook and map, with new tables if `make_tables`; None if unusable or too many are loaded."""
        loaded = sum(choice.kernel is not None for choice in self._choices.values())
        if self.settings.engine is not Engine.STAGED or loaded >= MOST_LOADED:
            return None
        try:
            game_map, rulebook = map_called(rules.map, self.settings.map), self.settings.rulebook(rules.rulebook)
        except SatjudgeError:  # a wrong name, which the answer to each line reports
            return None
        try:
            return loading.load_line_answerer(game_map, rulebook, make_tables=make_tables)
        except Exception as error:
            loading.report_failure(error)
            return None


_OF_SETTINGS = _Rules(None, None)
"""The key for requests that name neither rulebook nor map."""


def _read_rules(request: Request) -> _Rules | None:
    """Return the names of rulebook and map in a request; None if it names a season, since legality depends on it."""
    return _Rules(request.rules, request.map) if request.season is None else None


def judge_many(
    rows: Iterable[Mapping[str, Any]], settings: Settings | None = None, *, jobs: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each request, a dictionary, in order, judged when needed or, in `jobs` processes, a little earlier.

    A row that cannot be judged, for any reason, gets an `error` and does not affect others. With several jobs, processes work
    on chunks, a few at a time. Raises `WorkerLostError` if no process can be started.
    """
    settings = settings or Settings()
    waiting = iter(rows)
    if jobs > 1:
        from satjudge.base.processes import in_order, workers

        chunks = iter(lambda: list(islice(waiting, CHUNK)), [])
        with workers(jobs, partial(_answer_rows, settings), _lost_row) as crew:
            for answers in in_order(crew.submit, chunks, max_pending=2 * jobs):
                yield from answers
        return
    yield from Answering(settings).rows(waiting)


def _answer_rows(settings: Settings, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return list(_load_answering(settings).rows(rows))


def answer_lines(settings: Settings, lines: Sequence[bytes]) -> list[bytes]:
    """Return the answers to lines, in order; the process keeps the answerer for these settings between calls."""
    return list(_load_answering(settings).lines(lines))


def make_lost_line_answer(line: bytes) -> bytes:
    """Return the answer with an `error` to a line whose worker process ended each time that it tried the line."""
    try:
        row = msgspec.json.decode(line)
    except Exception:
        row = None
    return _encode_answer(_lost_row(row))


def _lost_row(row: object) -> dict[str, Any]:
    return _write_error(_id_of(row), "internal", "the process that was judging this line ended, each time that it tried")


@lru_cache(maxsize=1)
def _load_answering(settings: Settings) -> Answering:
    return Answering(settings)
