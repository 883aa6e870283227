"""The command `batch`: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator
from functools import partial
from threading import Lock, Semaphore
from typing import TYPE_CHECKING, BinaryIO

import click

from satjudge.batch import CHUNK, LONGEST_LINE, Answering, Settings, answer_lines, is_error, lost_line
from satjudge.cli.common import engine_option, rules_options, tell
from satjudge.errors import NotFoundError
from satjudge.rules import DEFAULT_RULES
from satjudge.solve import Engine

if TYPE_CHECKING:
    from concurrent.futures import Future

    from satjudge.running.processes import Workers

EXIT_NOTHING_RAN = 5
_AT_ONCE = 1 << 20
"""Bytes that are read at once, if there are so many."""
_TOO_LONG = LONGEST_LINE + len(BOM_UTF8) + len(b"\r\n")
"""Bytes without a line end that are certainly too long a line."""


@click.command(
    epilog="Examples:  satjudge batch rows.jsonl > answers.jsonl  ·  satjudge export | satjudge batch -"
    "  ·  satjudge batch --jobs 4 million.jsonl > answers.jsonl"
)
@click.argument("file", default="-")
@rules_options
@engine_option(Engine.STAGED)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N", help="Processes.")
@click.option("--allow-unknown", is_flag=True, help="Ignore keys that no request has; without this they are an error.")
def batch(file: str, rules: str | None, settings: tuple[str, ...], engine: str, jobs: int, allow_unknown: bool) -> int:
    """Judge positions from JSON Lines, one answer per line.

    The answers come in input order (format: docs/batch.md), each as soon as it and those before it are there. A line that
    cannot be judged yields an `error` and the run goes on; the exit status is then 1.
    """
    chosen = Settings(rules or DEFAULT_RULES, settings, Engine(engine), allow_unknown)
    chosen.rulebook(None)  # a mistake in --rules or --set is worth one message, not one per line
    if file == "-":
        return _run(sys.stdin.buffer, chosen, jobs)
    try:
        rows = open(file, "rb")  # noqa: SIM115  # closed below, where an error is not one of opening it
    except OSError as error:
        raise NotFoundError(f"cannot read {file}: {error.strerror}") from None
    with rows:
        return _run(rows, chosen, jobs)


def _run(rows: BinaryIO, settings: Settings, jobs: int) -> int:
    lines, errors = (_one_by_one if jobs == 1 else _by_processes)(rows, settings, jobs)
    if not lines:
        tell("satjudge: nothing ran: the input is empty; write one JSON object per line", err=True)
        return EXIT_NOTHING_RAN
    return 1 if errors else 0


def _one_by_one(rows: BinaryIO, settings: Settings, jobs: int) -> tuple[int, int]:
    """Answer here; how many lines there were, and how many errors."""
    answering = Answering(settings)
    output = sys.stdout.buffer
    errors = 0
    for block in _blocks(rows):
        for answer in answering.lines(block):
            output.write(answer + b"\n")
            output.flush()
            errors += is_error(answer)
    return answering.answered, errors


def _by_processes(rows: BinaryIO, settings: Settings, jobs: int) -> tuple[int, int]:
    """Answer in so many processes, which are given a few blocks ahead; how many lines there were, and how many errors."""
    from satjudge.running.processes import workers

    lines = 0
    with workers(jobs, partial(answer_lines, settings), lost_line) as crew:
        answers = _Answers(crew, ahead=3 * jobs)
        for block in _blocks(rows):
            lines += len(block)
            answers.await_room()
            answers.ask(block)
        answers.finish()
    return lines, answers.errors


class _Answers:
    """Blocks of lines on their way through processes. Whoever has an answer writes all that are due, in order.

    So answers are written while this process waits for input that does not come.
    """

    def __init__(self, crew: Workers[bytes, bytes], ahead: int) -> None:
        self.crew = crew
        self.ahead = ahead
        self.room = Semaphore(ahead)
        self.lock = Lock()
        self.waiting: deque[Future[list[bytes]]] = deque()
        self.errors = 0
        self.failure: BaseException | None = None

    def await_room(self) -> None:
        """Wait until another block may be asked. Raises what went wrong with one before."""
        self.room.acquire()
        if self.failure is not None:
            raise self.failure

    def ask(self, block: list[bytes]) -> None:
        """Have a block answered."""
        future = self.crew.submit(block)
        with self.lock:
            self.waiting.append(future)
        future.add_done_callback(self._write_what_is_due)

    def finish(self) -> None:
        """Wait until all is written. Raises what went wrong."""
        for _ in range(self.ahead):
            self.await_room()

    def _write_what_is_due(self, _: Future[list[bytes]]) -> None:
        with self.lock:
            while self.waiting and self.waiting[0].done():
                future = self.waiting.popleft()
                try:
                    if self.failure is None:
                        answers = future.result()
                        sys.stdout.buffer.writelines(answer + b"\n" for answer in answers)
                        sys.stdout.buffer.flush()
                        self.errors += sum(map(is_error, answers))
                except BaseException as failure:  # a callback has nobody to raise it to
                    self.failure = failure
                finally:
                    self.room.release()


def _blocks(rows: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that are there, without their ends, up to so many at a time; what is slow in coming is not waited for.

    The rest of a line that is too long is passed over unread.
    """
    for lines in _available(rows):
        for start in range(0, len(lines), CHUNK):
            yield lines[start : start + CHUNK]


def _available(rows: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that have ended, whenever more of the input is there."""
    first, skipping, begun = True, False, b""
    while data := _read(rows):
        *lines, begun = (begun + data).split(b"\n")
        if skipping and not lines:
            begun = b""
            continue
        if skipping:
            del lines[0]
        skipping = len(begun) > _TOO_LONG
        if skipping:
            lines.append(begun)
            begun = b""
        if first and lines:
            lines[0] = lines[0].removeprefix(BOM_UTF8)
            first = False
        if lines:
            yield [line.removesuffix(b"\r") for line in lines]
    if first:
        begun = begun.removeprefix(BOM_UTF8)
    if begun:
        yield [begun.removesuffix(b"\r")]


def _read(rows: BinaryIO) -> bytes:
    """What is there; empty at the end."""
    return rows.read1(_AT_ONCE)  # type: ignore[attr-defined,no-any-return]  # every buffered reader has it
