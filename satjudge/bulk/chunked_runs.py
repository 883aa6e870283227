"""Counts boards in chunks, with any executor, and keeps a state file from which an interrupted run continues.

The state file is JSON Lines. The first line describes the count. Every other line is a finished chunk: its first board, the
board after its last, the counts, and a checksum of all these; the lines are in the order in which chunks finished. Boards of an
incomplete or damaged line are counted again, but boards in an earlier line are not counted twice.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from satjudge.base.errors import RequestError, reason_of
from satjudge.base.locking import HeldError, hold_lock
from satjudge.base.processes import as_completed
from satjudge.base.version import __version__

CHUNK = 250
"""The number of boards in a chunk: a second or two of work."""

_FINER = 4
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
Chunk = tuple[int, int]
"""A range of boards: the first one, and the one after the last."""


class Countable(Protocol):
    """Counts that JSON can hold and that add up to the same in any order and grouping."""

    boards: int

    def add(self, other: Any, /) -> None:  # noqa: ANN401  # another of its own kind
        """Add the counts of other boards to these."""
        ...


T = TypeVar("T", bound=Countable)


@dataclass(frozen=True)
class Count(Generic[T]):
    """A description of the boards to count, and of how to count them, which can be sent to another process."""

    name: str
    """The name of the work, such as `census`."""
    described: Mapping[str, object]
    """All settings on which the result depends, except the number of boards."""
    kind: type[T]
    """The class of the counts; called without arguments, it makes the counts of no boards."""
    count_range: Callable[[range], T]
    """The function that counts a range of boards, or only its first ones (at least one) if that takes long."""

    def chunk(self, chunk: Chunk) -> tuple[Chunk, T]:
        """Count the boards of a chunk; return the part of the chunk that was counted, and the counts."""
        tally = self.count_range(range(*chunk))
        return (chunk[0], chunk[0] + tally.boards), tally


@dataclass
class _Line:
    """A finished chunk in the state file."""

    chunk: Chunk
    sha256: str
    tally: msgspec.Raw


class StateFile(Generic[T]):
    """A file with the chunks that are finished.

    Use it as a context manager; it raises `RequestError` if the file cannot be used.
    """

    def __init__(self, path: Path, count: Count[T]) -> None:
        self.path = path
        self.count = count
        self.done: list[Chunk] = []
        self.damaged = 0
        """The number of damaged lines."""
        self.tally = count.kind()
        """The sum of the finished chunks."""

    def __enter__(self) -> StateFile[T]:
        if self.path.exists() and not self.path.is_file():  # a device may have no end
            raise self._error(f"the state of the {self.count.name} can only be kept in a regular file")
        with ExitStack() as stack:
            try:
                stack.enter_context(hold_lock(self.path, wait=0))
                self._file = stack.enter_context(open(self.path, "r+b" if self.path.exists() else "w+b"))
            except HeldError as error:
                raise self._error(f"another {self.count.name} is using this file: {error.holder}") from None
            except OSError as error:
                raise self._error(f"cannot keep the state of the {self.count.name}: {reason_of(error)}") from None
            self._read()
            self._open = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def _error(self, message: str, suggestion: str | None = None) -> RequestError:
        return RequestError(message, source=str(self.path), suggestion=suggestion)

    def _read(self) -> None:
        """Read finished chunks, count damaged lines, cut off an unfinished one, or begin the file; raise `RequestError`."""
        file, name = self._file, self.count.name
        head = msgspec.json.encode({name: self.count.described, "satjudge": __version__}, order="deterministic") + b"\n"
        first = file.readline()
        if first != head:
            if not head.startswith(first):  # an incomplete first line is replaced
                raise self._error(_describe_other_state(first, head, name), "name another file")
            file.seek(0)
            file.truncate()
            self._write(head)
            return
        end = file.tell()
        for line in file:
            chunk_and_tally = _decode_chunk(line, self.count.kind)
            if chunk_and_tally is None:
                self.damaged += 1
            elif not any(_overlap(chunk_and_tally[0], other) for other in self.done):
                self.done.append(chunk_and_tally[0])
                self.tally.add(chunk_and_tally[1])
            if line.endswith(b"\n"):
                end = file.tell()
        file.seek(end)
        file.truncate()

    def append_chunk(self, chunk: Chunk, tally: T) -> None:
        """Write a finished chunk and its counts to the state file at once, without adding them to `tally`."""
        encoded = msgspec.json.encode(tally, order="deterministic")
        self._write(msgspec.json.encode(_Line(chunk, _checksum(chunk, encoded), msgspec.Raw(encoded))) + b"\n")
        self.done.append(chunk)

    def _write(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())


def _describe_other_state(first_line: bytes, expected_line: bytes, count_name: str) -> str:
    """Return a message on how a state file's first line differs from this count's, or that the file is none for such counts."""
    try:
        theirs, ours = msgspec.json.decode(first_line), msgspec.json.decode(expected_line)
        differing = [key for key, value in ours[count_name].items() if theirs[count_name].get(key) != value]
        if theirs["satjudge"] != ours["satjudge"]:
            differing.append("satjudge")
    except (*_UNREADABLE, AttributeError, KeyError, TypeError):
        return f"this is not a state file of a {count_name}"
    return f"this is the state of another {count_name}: {', '.join(differing)} differ"


def _checksum(chunk: Chunk, tally: bytes) -> str:
    return hashlib.sha256(msgspec.json.encode(chunk) + tally).hexdigest()[:16]


def _decode_chunk(line: bytes, kind: type[T]) -> tuple[Chunk, T] | None:
    """Return a finished chunk and its counts, of the class `kind`, from a line of the state file; None if it is damaged."""
    try:
        read = msgspec.json.decode(line, type=_Line)
        if line.endswith(b"\n") and read.sha256 == _checksum(read.chunk, bytes(read.tally)):
            return read.chunk, msgspec.json.decode(read.tally, type=kind)
    except _UNREADABLE:
        pass
    return None


def _overlap(one: Chunk, other: Chunk) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def iter_remaining_chunks(boards: int, finished: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """Yield the ranges of boards below `boards` that are not finished yet, each of at most `size` boards."""
    start = 0
    for begin, end in (*sorted(finished), (boards, boards)):
        while start < begin:
            stop = min(start + size, begin)
            yield start, stop
            start = stop
        start = max(start, end)


def run_count(
    count: Count[T],
    boards: int,
    executor: Executor | None = None,
    *,
    pending: int = 1,
    state_path: Path | None = None,
    chunk: int = CHUNK,
    into: T | None = None,
    on_start: Callable[[int, int], None] = lambda done, damaged: None,
    on_progress: Callable[[int], None] = lambda boards: None,
) -> T:
    """Count boards 0 to `boards` - 1, except those that the state file has, and return the tally of all.

    An executor, if there is one, gets `pending` chunks at a time. Counts are added to the tally `into`, if there is one, so
    that an error does not lose them. `on_start` receives the number of boards in the state file and that of its damaged lines,
    `on_progress` the number of boards in each finished chunk. Raises `RequestError` for an unusable state file.
    """
    tally = count.kind() if into is None else into
    with ExitStack() as stack:
        saved = stack.enter_context(StateFile(state_path, count)) if state_path is not None else None
        done = list(saved.done) if saved else []
        if saved:
            tally.add(saved.tally)
        if max((end for _, end in done), default=0) > boards:
            raise RequestError(
                f"the file counts more than {boards:,} boards", source=str(state_path), suggestion="request more boards"
            )
        on_start(tally.boards, saved.damaged if saved else 0)
        while tally.boards < boards:
            remaining = iter_remaining_chunks(boards, done, chunk)
            with closing(as_completed(count.chunk, remaining, executor, pending)) as counted:
                for finished, found in counted:
                    if saved:
                        saved.append_chunk(finished, found)
                    done.append(finished)
                    tally.add(found)
                    on_progress(finished[1] - finished[0])
            chunk = max(1, chunk // _FINER)  # distribute slow boards among all workers again
    return tally
