"""Running a census: over processes, in chunks, and with a state file that an interrupted run goes on from.

The state file is JSON Lines. The first line says what the census is of. Each other line is a finished chunk: from which
board (included) to which (excluded), what was counted, and a checksum over both. Lines come in the order in which chunks
were finished. A line that is torn or damaged does not count, and its boards are counted again; boards that a line before it
holds already are not counted twice.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from io import BufferedRandom
from itertools import islice
from multiprocessing import connection
from pathlib import Path

import msgspec

from satjudge import __version__
from satjudge.errors import RequestError
from satjudge.research.census import Plan, Tally, tally_boards

CHUNK = 250
"""Boards; a second or two of work."""

Chunk = tuple[int, int]
"""From this board to before that one."""


@dataclass
class _Line:
    """A finished chunk in the state file."""

    chunk: Chunk
    sha256: str
    tally: msgspec.Raw


@dataclass
class StateFile:
    """The chunks that are finished, kept on disk. Use as a context; raises `RequestError` where the file is of no use."""

    path: Path
    plan: Plan
    done: list[Chunk] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    """What the finished chunks come to."""
    damaged: int = 0
    """Lines that did not count."""
    _file: BufferedRandom | None = None

    def __enter__(self) -> StateFile:
        try:
            self._file = open(self.path, "r+b" if self.path.exists() else "w+b")  # closed by __exit__
        except OSError as error:
            raise RequestError(f"cannot keep the state of the census: {error.strerror}", source=str(self.path)) from None
        try:
            _lock(self._file, self.path)
            self._read(self._file)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        if self._file is not None:
            self._file.close()

    def _read(self, file: BufferedRandom) -> None:
        """Count what is there, and leave the file so that the next line can follow."""
        head = _head(self.plan)
        first = file.readline()
        if first != head:
            if not head.startswith(first):  # a torn first line is as good as none
                raise RequestError(_other_state(first, head), source=str(self.path), suggestion="name another --state file")
            file.seek(0)
            file.truncate()
            self._write(head)
            return
        end = file.tell()
        for line in file:
            chunk_and_tally = _decoded(line)
            if chunk_and_tally is None:
                self.damaged += 1
            elif not any(_overlap(chunk_and_tally[0], other) for other in self.done):
                self.done.append(chunk_and_tally[0])
                self.tally.add(chunk_and_tally[1])
            if line.endswith(b"\n"):
                end = file.tell()
        file.seek(end)
        file.truncate()

    def append(self, chunk: Chunk, tally: Tally) -> None:
        """Keep a finished chunk."""
        encoded = msgspec.json.encode(tally, order="deterministic")
        self._write(msgspec.json.encode(_Line(chunk, _checksum(chunk, encoded), msgspec.Raw(encoded))) + b"\n")
        self.done.append(chunk)

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())


def _lock(file: BufferedRandom, path: Path) -> None:
    """Keep other censuses out, where the system can."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RequestError("another census is at work on this file", source=str(path)) from None


def _head(plan: Plan) -> bytes:
    return msgspec.json.encode({"census": plan.described(), "satjudge": __version__}, order="deterministic") + b"\n"


def _other_state(found: bytes, head: bytes) -> str:
    """What is wrong with the first line of a state file."""
    try:
        theirs, ours = msgspec.json.decode(found), msgspec.json.decode(head)
        differing = [key for key, value in ours["census"].items() if theirs["census"].get(key) != value]
        if theirs["satjudge"] != ours["satjudge"]:
            differing.append("satjudge")
    except (msgspec.DecodeError, AttributeError, KeyError, TypeError):
        return "this is no state file of a census"
    return f"this is the state of another census: {', '.join(differing)} differ"


def _checksum(chunk: Chunk, tally: bytes) -> str:
    return hashlib.sha256(msgspec.json.encode(chunk) + tally).hexdigest()[:16]


def _decoded(line: bytes) -> tuple[Chunk, Tally] | None:
    """A finished chunk, or None for a line that is torn or damaged."""
    if not line.endswith(b"\n"):
        return None
    try:
        read = msgspec.json.decode(line, type=_Line)
        if read.sha256 != _checksum(read.chunk, bytes(read.tally)):
            return None
        return read.chunk, msgspec.json.decode(read.tally, type=Tally)
    except msgspec.DecodeError:
        return None


def _overlap(one: Chunk, other: Chunk) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def left_over(boards: int, done: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """The boards that are not done yet, in chunks of at most this size."""
    start = 0
    for begin, end in (*sorted(done), (boards, boards)):
        while start < begin:
            stop = min(start + size, begin)
            yield start, stop
            start = stop
        start = max(start, end)


def run_census(
    plan: Plan,
    boards: int,
    *,
    jobs: int = 1,
    state: Path | None = None,
    chunk: int = CHUNK,
    on_start: Callable[[int, int], None] = lambda done, damaged: None,
    on_progress: Callable[[int], None] = lambda boards: None,
) -> Tally:
    """A census of the boards 0 to `boards` - 1 in so many processes.

    `on_start` is told how many boards a state file had already, and how many of its lines were damaged; `on_progress` the
    number of boards of each chunk as it is finished. Raises `RequestError` for a state file that is of no use.
    """
    with ExitStack() as stack:
        saved = stack.enter_context(StateFile(state, plan)) if state is not None else None
        done = saved.done if saved else []
        tally = saved.tally if saved else Tally()
        if max((end for _, end in done), default=0) > boards:
            raise RequestError(f"it holds more than {boards:,} boards", source=str(state), suggestion="ask for more boards")
        on_start(tally.boards, saved.damaged if saved else 0)
        chunks = list(left_over(boards, done, chunk))
        counted = stack.enter_context(closing(_counted(plan, chunks, min(jobs, len(chunks)))))
        for finished, found in counted:
            if saved:
                saved.append(finished, found)
            tally.add(found)
            on_progress(finished[1] - finished[0])
    return tally


def _counted(plan: Plan, chunks: list[Chunk], jobs: int) -> Generator[tuple[Chunk, Tally], None, None]:
    if jobs > 1:
        yield from _counted_in_processes(plan, chunks, jobs)
    else:
        yield from (_count(plan, chunk) for chunk in chunks)


def _count(plan: Plan, chunk: Chunk) -> tuple[Chunk, Tally]:
    return chunk, tally_boards(plan, range(*chunk))


def _counted_in_processes(plan: Plan, chunks: list[Chunk], jobs: int) -> Iterator[tuple[Chunk, Tally]]:
    waiting = iter(chunks)
    pending: set[Future[tuple[Chunk, Tally]]] = set()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker) as pool:
        try:
            pending = {pool.submit(_count, plan, chunk) for chunk in islice(waiting, 2 * jobs)}
            while pending:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= {pool.submit(_count, plan, chunk) for chunk in islice(waiting, len(finished))}
                yield from (future.result() for future in finished)
        finally:
            for future in pending:  # after an interrupt; what is being worked on is finished and forgotten
                future.cancel()


def _start_worker() -> None:
    """Leave interrupts to the parent process, and go when it goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_go_with, args=(parent.sentinel,), daemon=True).start()


def _go_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
