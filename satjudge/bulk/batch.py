"""Answers requests of the batch format: one JSON line in, one JSON line out (contract: docs/batch.md).

`answer_line` never raises for bad input: the answer then holds an `error`, and the run goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from satjudge.base.errors import NotationError, SatjudgeError, kind_and_message
from satjudge.explain.documents.positions import batch_answer
from satjudge.files.batch_lines import LONGEST_LINE, RequestReader, check_keys, check_known
from satjudge.files.batch_lines import Request as Request
from satjudge.judging.judge import judge_at_length
from satjudge.judging.solve import Engine
from satjudge.world.geography import Map, map_called
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook

if TYPE_CHECKING:
    from satjudge.bulk.answers import Answerer
    from satjudge.bulk.wasm.lines import LineAnswerer

CHUNK = 256
"""The number of requests that are answered together, where there are many."""
_FEW = 4
"""The least number of movement phases that are worth the compiled path."""
_KEPT_RULES = 100
COMPILING = 25
"""The factor by which more requests must be there for compiling to pay than for loading compiled code."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of all lines: rulebook and map where a line names none, options settled in every rulebook, and the engine.

    With `allow_unknown` keys that no request has are ignored; else they are an error.
    """

    rules: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()
    engine: Engine = Engine.STAGED
    allow_unknown: bool = False
    map: Map | None = None

    def rulebook(self, named: str | None) -> Rulebook:
        """Load the rulebook of a line by the name in it, else the rulebook of the settings.

        Raises `RulebookError`.
        """
        rulebook = load_preset(named) if named else load_rulebook(self.rules)
        return rulebook.with_settings(self.settings)


class _Rules(NamedTuple):
    """The names of rulebook and map in a request."""

    rulebook: str | None
    map: str | None


_decode = msgspec.json.Decoder(Request).decode
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def answer_line(line: bytes, settings: Settings | None = None) -> bytes:
    """Answer one line; the answer is without the line end."""
    settings = settings or Settings()
    request = _read_line(line, settings)
    return _encoded(answer(request, settings) if isinstance(request, Request) else request)


def is_error(answer: bytes) -> bool:
    """Tell whether an answer line reports an error."""
    return b'"error":{' in answer and "error" in msgspec.json.decode(answer)


def _read_line(line: bytes, settings: Settings) -> Request | dict[str, Any]:
    """Read the request in a line, or return the answer to a line that holds none."""
    if len(line) > LONGEST_LINE:
        return _error(None, "too-long", f"the line has more than {LONGEST_LINE:,} bytes; write one position per line")
    if not line.strip():
        return _error(None, "request", "the line is empty; write one JSON object per line")
    identity = None
    try:
        request = _decode(line)
        identity = request.id
        check_keys(line, request, allow_unknown=settings.allow_unknown)
    except msgspec.ValidationError as error:
        return _misshapen(line, error)
    except _NOT_JSON as error:
        return _error(None, "json", f"not a JSON object: {error}")
    except Exception as error:
        return _failed(identity, error)
    return request


def _misshapen(line: bytes, complaint: msgspec.ValidationError) -> dict[str, Any]:
    """Answer JSON that is no request, with its id (the complaint may have come before the end of the line was read)."""
    identity = None
    try:
        identity = _identity(msgspec.json.decode(line))
    except msgspec.ValidationError:  # a number that is out of range
        pass
    except _NOT_JSON as error:
        return _error(None, "json", f"not a JSON object: {error}")
    return _error(identity, "request", f"not a batch request: {complaint}")


def _read_row(row: Mapping[str, Any], settings: Settings) -> Request | dict[str, Any]:
    """Read the request in a row, or return the answer to a row that holds none."""
    try:
        request = msgspec.convert(row, Request)
        if not settings.allow_unknown:
            check_known(row)
    except msgspec.ValidationError as error:
        return _error(_identity(row), "request", f"not a batch request: {error}")
    except Exception as error:
        return _failed(_identity(row), error)
    return request


def _identity(row: object) -> object:
    return row.get("id") if isinstance(row, Mapping) else None


def answer(request: Request, settings: Settings | None = None) -> dict[str, Any]:
    """Answer one request, as the batch format writes answers.

    Whatever judging raises becomes an `error`.
    """
    try:
        return _judged(request, settings or Settings())
    except Exception as error:
        return _failed(request.id, error)


def _judged(request: Request, settings: Settings) -> dict[str, Any]:
    rulebook = settings.rulebook(request.rules)
    reader = RequestReader(request, settings.map)
    board = reader.board()
    orders, problems = reader.told_orders()
    answer = batch_answer(judge_at_length(board, orders, rulebook, settings.engine), request.id, reader.spelling)
    return answer | _error(request.id, NotationError.kind, "; ".join(problems)) if problems else answer


def _failed(identity: object, error: Exception) -> dict[str, Any]:
    return _error(identity, *kind_and_message(error))


def _error(identity: object, kind: str, message: str) -> dict[str, Any]:
    return {"id": identity, "error": {"kind": kind, "message": message}}


def _encoded(answer: Mapping[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(answer)
    except Exception as error:
        return msgspec.json.encode(_failed(None, error))


class Answering:
    """Answers many lines or requests under the same settings, as `answer_line` and `answer` do.

    After the first `plain_first` of them, lines that name neither a rulebook nor a map are answered by the kernel that comes
    compiled, if wasmtime is installed and nothing in a line is out of the ordinary.
    After as many of the others under a rulebook and on a map, movement boards are judged many at a time over arrays
    (`satjudge.bulk`), where that is installed and compiled code is kept; where it must be compiled, after `COMPILING` times as
    many. No more rulebooks and maps are judged so than there are rulebooks that come with satjudge.
    """

    def __init__(self, settings: Settings | None = None, plain_first: int = 2_000) -> None:
        self.settings = settings or Settings()
        self.plain_first = plain_first
        self.answered = 0
        self.plain_only = False
        """Whether the compiled path has failed."""
        self._counts: Counter[_Rules] = Counter()
        self._answerers: dict[_Rules, Answerer | None] = {}
        self._line_answerer: list[LineAnswerer | None] = []
        """What answers lines that name neither a rulebook nor a map, once it was asked for."""

    def lines(self, lines: Sequence[bytes]) -> Iterator[bytes]:
        """Answer lines, in order."""
        ordinary = self._sandboxed(lines)
        self.answered += len(ordinary)
        rest = [_read_line(line, self.settings) for number, line in enumerate(lines) if number not in ordinary]
        others = map(_encoded, self.requests(rest))
        return (ordinary.get(number) or next(others) for number in range(len(lines)))

    def _sandboxed(self, lines: Sequence[bytes]) -> dict[int, bytes]:
        """Answer ordinary lines by the kernel that comes compiled, where that is there and pays, by their index."""
        if self.answered < self.plain_first or self.plain_only or self.settings.engine is not Engine.STAGED:
            return {}
        from satjudge.bulk import available

        try:
            if not self._line_answerer:
                rulebook = self.settings.rulebook(None)
                self._line_answerer.append(self._tried(available.line_answerer(self.settings.map, rulebook)))
            found = self._line_answerer[0]
            answers = ((number, found.answer(line)) for number, line in enumerate(lines)) if found else ()
            return {number: answer for number, answer in answers if answer is not None}
        except SatjudgeError:  # of the rulebook's name, as every line is told
            return {}
        except Exception as error:
            self._line_answerer[:] = [None]
            available.tell_failure(error)
            return {}

    def _tried(self, found: LineAnswerer | None) -> LineAnswerer | None:
        """Return what answers lines after a trial.

        Raises `RuntimeError` where the plain path answers otherwise.
        """
        if found and found.answer(found.trial) != answer_line(found.trial, self.settings):
            raise RuntimeError(f"the compiled kernel is wrong: {found.trial.decode()}")
        return found

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Answer requests that are given as dictionaries, in order."""
        return self.requests([_read_row(row, self.settings) for row in rows])

    def requests(self, requests: Sequence[Request | dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Answer requests, in order; answers among the requests are passed on."""
        self.answered += len(requests)
        rules = [_rules_of(request) if isinstance(request, Request) else None for request in requests]
        found = {
            chosen: self._compiled(chosen, [request for request, own in zip(requests, rules, strict=True) if own == chosen])
            for chosen in dict.fromkeys(rules)
            if chosen is not None
        }
        for request, chosen in zip(requests, rules, strict=True):
            if not isinstance(request, Request):
                yield request
                continue
            known = None if chosen is None else next(found[chosen])
            yield answer(request, self.settings) if known is None else known

    def _compiled(self, rules: _Rules, requests: Sequence[Any]) -> Iterator[dict[str, Any] | None]:
        """Answer requests by the compiled path, if that is there and pays; None for a request left to the plain path."""
        if len(self._counts) > _KEPT_RULES:
            self._counts.clear()
        self._counts[rules] += len(requests)
        few = self._counts[rules] <= self.plain_first or len(requests) < _FEW
        if not (few or self.plain_only or self.settings.engine is not Engine.STAGED):
            from satjudge.bulk import available

            try:
                if compiled := self._answerer(rules):
                    yield from compiled.answers(requests)
            except Exception as error:
                self.plain_only = True
                available.tell_failure(error)
        yield from repeat(None)

    def _answerer(self, rules: _Rules) -> Answerer | None:
        """Find the answerer for a rulebook and a map; None where their names are wrong, or where compiled code does not pay."""
        from satjudge.bulk import available

        if rules in self._answerers or len(self._answerers) == available.MOST_ANSWERERS:
            return self._answerers.get(rules)
        try:
            rulebook, game_map = self.settings.rulebook(rules.rulebook), map_called(rules.map, self.settings.map)
        except SatjudgeError:
            return None
        if self._counts[rules] > COMPILING * self.plain_first or available.is_compiled(game_map, rulebook):
            self._answerers[rules] = available.answerer(game_map, rulebook)
        return self._answerers.get(rules)


def _rules_of(request: Request) -> _Rules | None:
    """Read the rulebook and map of a request that compiled code may know: a movement phase without a season."""
    return _Rules(request.rules, request.map) if request.phase == "movement" and request.season is None else None


def judge_many(
    rows: Iterable[Mapping[str, Any]], settings: Settings | None = None, *, jobs: int = 1
) -> Iterator[dict[str, Any]]:
    """Answer many requests given as dictionaries, lazily and in order.

    A row that cannot be judged yields an `error` whatever it is, and does not take others with it. Rows are taken one at a
    time at first, later in chunks. With several jobs, processes work on chunks, a few at a time. Raises `WorkerLostError` if
    no process can be started.
    """
    settings = settings or Settings()
    waiting = iter(rows)
    if jobs > 1:
        from satjudge.base.processes import in_order, workers

        chunks = iter(lambda: list(islice(waiting, CHUNK)), [])
        with workers(jobs, partial(_answer_rows, settings), _lost_row) as crew:
            for answers in in_order(crew.submit, chunks, ahead=2 * jobs):
                yield from answers
        return
    answering = Answering(settings)
    while chunk := list(islice(waiting, CHUNK if answering.answered >= answering.plain_first else 1)):
        yield from answering.rows(chunk)


def _answer_rows(settings: Settings, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return list(_answering(settings).rows(rows))


def answer_lines(settings: Settings, lines: Sequence[bytes]) -> list[bytes]:
    """Answer lines with the answerers that the process keeps between calls."""
    return list(_answering(settings).lines(lines))


def lost_line(line: bytes) -> bytes:
    """Write the answer to a line that ended the process that worked on it."""
    try:
        identity = msgspec.json.decode(line)["id"]
    except Exception:
        identity = None
    return _encoded(_lost(identity))


def _lost_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return _lost(_identity(row))


def _lost(identity: object) -> dict[str, Any]:
    return _error(identity, "internal", "the process that was to judge it ended, each time that it was tried")


@lru_cache(maxsize=1)
def _answering(settings: Settings) -> Answering:
    return Answering(settings)
