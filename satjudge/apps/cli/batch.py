"""The command `batch`: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import Queue
from threading import Event
from typing import BinaryIO

from satjudge.apps.cli import EXIT_NOTHING_RAN, options
from satjudge.apps.cli.options import RulesOptions, argument, command, flag
from satjudge.apps.cli.output import write_text
from satjudge.base.errors import NotFoundError
from satjudge.bulk.batch import CHUNK, Answering, Settings, answer_lines, is_error, make_lost_line_answer
from satjudge.files.batch_lines import LONGEST_LINE
from satjudge.files.detect import Kind, detect
from satjudge.judging.solve import Engine
from satjudge.world.geography import Map
from satjudge.world.rules import DEFAULT_RULES

_AT_ONCE = 1 << 20
"""The maximum number of bytes to read at once."""
_TOO_LONG = LONGEST_LINE + len(BOM_UTF8) + len(b"\r\n")
"""The number of bytes without a line end after which a line is certainly too long."""


@command(
    epilog="Examples:  satjudge batch rows.jsonl > answers.jsonl  ·  satjudge export | satjudge batch -"
    "  ·  satjudge batch --jobs 4 million.jsonl > answers.jsonl"
)
def batch(
    file: str = argument(default="-"),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    jobs: int = options.jobs(1),
    allow_unknown: bool = flag("Ignore unknown keys instead of reporting them as errors."),
) -> int:
    """Judge positions in JSON Lines, and write one answer per line.

    The answers come in the order of the input, each as soon as it is ready. docs/reference/batch.md describes the format. If
    a line cannot be judged, its answer contains an `error`, and satjudge goes on with the next line. The exit status is then
    1.
    """
    chosen = Settings(rules.name or DEFAULT_RULES, rules.settings, engine, allow_unknown, game_map)
    chosen.rulebook(None)  # report a mistake in --rules or --set once, not for every line
    if file == "-":
        return _answer_rows(sys.stdin.buffer, chosen, jobs)
    try:
        rows = open(file, "rb")  # noqa: SIM115  # closed below, outside this `try`
    except OSError as error:
        raise NotFoundError(f"cannot read {file}: {error.strerror}") from None
    with rows:
        is_sheet = bool(begun := rows.peek().strip()) and detect(begun) is Kind.SHEET
        status = _answer_rows(rows, chosen, jobs)
    if status == 1 and is_sheet:
        write_text(f"satjudge: {file} has no JSON lines; if it is an order sheet, run `satjudge judge {file}`", err=True)
    return status


def _answer_rows(stream: BinaryIO, settings: Settings, jobs: int) -> int:
    lines, errors = _answer_in_process(stream, settings) if jobs == 1 else _answer_by_processes(stream, settings, jobs)
    if not lines:
        write_text("satjudge: nothing ran: the input is empty; write one JSON object per line", err=True)
        return EXIT_NOTHING_RAN
    return 1 if errors else 0


def _answer_in_process(stream: BinaryIO, settings: Settings) -> tuple[int, int]:
    """Judge the lines of the input in this process, write the answers, and return the numbers of lines and errors."""
    answering = Answering(settings)
    output = sys.stdout.buffer
    errors = 0
    for block in _iter_blocks(stream):
        for answer in answering.lines(block):
            output.write(_number_error(answer, answering.answered) + b"\n")
            output.flush()
            errors += is_error(answer)
    return answering.answered, errors


def _answer_by_processes(stream: BinaryIO, settings: Settings, jobs: int) -> tuple[int, int]:
    """Judge the lines of the input in `jobs` processes, write the answers, and return the numbers of lines and errors.

    The processes get a few blocks in advance. A thread writes the answers in order, even while the main thread waits for input.
    """
    from satjudge.base.processes import workers

    lines, failed = 0, Event()
    requests: Queue[Future[list[bytes]] | None] = Queue(3 * jobs)
    with workers(jobs, partial(answer_lines, settings), make_lost_line_answer) as crew, ThreadPoolExecutor(1) as thread:
        errors = thread.submit(_write_answers, requests, failed)
        try:
            for block in _iter_blocks(stream):
                if failed.is_set():
                    break
                lines += len(block)
                requests.put(crew.submit(block))
        except BaseException:
            failed.set()
            raise
        finally:
            requests.put(None)
        return lines, errors.result()


def _write_answers(answer_blocks: Queue[Future[list[bytes]] | None], failed: Event) -> int:
    """Write blocks until the queue yields None, and count errors; after a failure, set `failed`, drop the rest, then raise."""
    written, errors, failure = 0, 0, None
    while (block := answer_blocks.get()) is not None:
        if not failed.is_set():
            try:
                answers = block.result()
                numbered = enumerate(answers, start=written + 1)
                sys.stdout.buffer.writelines(_number_error(answer, number) + b"\n" for number, answer in numbered)
                sys.stdout.buffer.flush()
                written += len(answers)
                errors += sum(map(is_error, answers))
            except BaseException as error:
                failure = error
                failed.set()
    if failure is not None:
        raise failure
    return errors


def _number_error(answer: bytes, number: int) -> bytes:
    """Return an error whose line has no id with the line's number in its message; any other answer unchanged."""
    is_without_id = answer.startswith(b'{"id":null,"error":{')
    return answer.replace(b'"message":"', b'"message":"line %d: ' % number, 1) if is_without_id else answer


def _iter_blocks(stream: BinaryIO) -> Iterator[list[bytes]]:
    """Yield blocks of at most `CHUNK` lines of the input (overlong ones cut), without line ends, as soon as they arrive."""
    for lines in _iter_available(stream):
        for start in range(0, len(lines), CHUNK):
            yield lines[start : start + CHUNK]


def _iter_available(stream: BinaryIO) -> Iterator[list[bytes]]:
    """Yield the newly completed lines of the input, without line ends and cut if too long, whenever more input has arrived."""
    first, skipping, begun = True, False, b""
    while data := stream.read1(_AT_ONCE):  # type: ignore[attr-defined]  # every buffered reader has it
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
