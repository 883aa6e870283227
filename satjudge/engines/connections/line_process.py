"""Runs a child process that answers questions line by line.

Separate threads read the child's output and errors, so that neither process ever waits for a full pipe. A process started by
the child may outlive it and keep the pipes open: no thread waits for that, and nothing waits for the threads.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from time import monotonic

from satjudge.base.errors import OracleError
from satjudge.base.platforms import pipes_can_be_waited_for
from satjudge.base.process_tree import Child

LONGEST_ANSWER = 1_000_000
"""The largest number of bytes in an answer; a longer line is invalid."""
_QUOTED = 80
_LAST_LINES = 5
"""The number of last lines on standard error that are reported."""
_ERROR_LINES = 60
"""The number of last lines on standard error that are kept, because the error message may precede a traceback."""
_REASON = re.compile(rb"(Error|Exception)\b|\bpanic|\bfatal\b", re.IGNORECASE)
"""The words that mark a line as an error message."""
_ERROR_LENGTH = 4096
_PIECE = 4096
"""The number of bytes written at a time, which a pipe that is ready accepts."""
_LOOKS = 0.2
"""The time in seconds after which a waiting thread checks whether the process has ended."""
_LOOKS_AT_MEMORY = 0.02
"""The time in seconds after which a waiting thread checks memory use, if it is limited."""

DIED, SLOW, LONG, LARGE, UNASKED = "died", "timed out", "too long", "too much memory", "spoke unasked"
"""Kinds of `OracleError`."""


class LineProcess:
    """A child process with its pipes."""

    def __init__(self, command: Sequence[str], memory: int | None = None) -> None:
        """Start a process; `memory` limits its memory use, including its children's, in MiB."""
        self._memory = memory
        try:
            self._process = Child(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise OracleError(DIED, f"it cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._questions: Queue[bytes | None] = Queue()
        self._answers: Queue[bytes | None] = Queue(maxsize=16)  # a process that writes too much has to wait
        self._errors: deque[bytes] = deque(maxlen=_ERROR_LINES)
        self._end, self._ended = os.pipe()  # closing it stops threads that wait for other pipes
        self._threads = [
            threading.Thread(target=target, args=(pipe.fileno(), self._end, queue), daemon=True)
            for target, pipe, queue in (
                (_write_lines, self._process.stdin, self._questions),
                (_read_lines, self._process.stdout, self._answers),
                (_read_errors, self._process.stderr, self._errors),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def status(self) -> int | None:
        """The exit status of the process; None while it runs."""
        return self._process.poll()

    def expect_silence(self, seconds: float) -> None:
        """Wait some seconds, and raise `OracleError` if the process writes anything or ends in this time."""
        with suppress(Empty):
            line = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            if line is None:
                raise self._make_exit_error()
            raise OracleError(UNASKED, f"it wrote something before the first question: {quote_line(line)}")

    def send_line(self, question: bytes) -> None:
        """Queue a question (a line without its end) for the process, without waiting for the answer."""
        self._questions.put(question + b"\n")

    def read_line(self, timeout: float) -> bytes:
        """Wait for the next line that the process writes, at most `timeout` seconds, and return it.

        Raises `OracleError`.
        """
        line = self._wait_for_line(timeout)
        if line is None:
            raise self._make_exit_error()
        if len(line) > LONGEST_ANSWER:
            raise OracleError(LONG, f"the answer has more than {LONGEST_ANSWER:,} bytes: {quote_line(line)}")
        return line

    def _wait_for_line(self, timeout: float) -> bytes | None:
        """Wait for the next line and return it; None if the process has ended, even if a child keeps its pipe open."""
        until, looks = monotonic() + timeout, _LOOKS if self._memory is None else _LOOKS_AT_MEMORY
        while True:
            ended = self.status is not None
            with suppress(Empty):
                return self._answers.get(timeout=max(0.0, min(looks, until - monotonic())))
            self._check_memory()
            if ended:
                return None
            if monotonic() >= until:
                raise OracleError(
                    SLOW, f"there is no answer after {timeout:g} second{'' if timeout == 1 else 's'}{self._last_errors()}"
                )

    def _check_memory(self) -> None:
        """Raise `OracleError` if the process and its children use more memory than the limit, if there is one."""
        if self._memory is not None and (used := self._process.kin.memory()) > self._memory:
            raise OracleError(LARGE, f"it uses {used:,} MiB of memory, but the limit is {self._memory:,}{self._last_errors()}")

    def _make_exit_error(self) -> OracleError:
        """Make an error that describes how the process ended, with its last messages."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._threads[2].join(_LOOKS)
        status = self._process.poll()
        if status is None:
            how = "it closed its output"
        elif status < 0:
            how = f"it was ended by signal {-status} ({_name_signal(-status)})"
        else:
            how = f"it ended with exit status {status}"
        return OracleError(DIED, how + self._last_errors())

    def _last_errors(self) -> str:
        kept = [line for line in tuple(self._errors) if line.strip()]
        last = kept[-_LAST_LINES:]
        if not any(map(_REASON.search, last)):
            last = [line for line in kept[:-_LAST_LINES] if _REASON.search(line)][-1:] + last
        lines = [quote_line(line) for line in last]
        return f"; its last words: {' / '.join(lines)}" if lines else ""

    def end(self) -> None:
        """End the process and all processes that it started."""
        self._questions.put(None)
        self._process.end()
        os.close(self._ended)
        until = monotonic() + 1.0
        while self._threads[1].is_alive() and monotonic() < until:  # the reading thread may wait for room in the queue
            with suppress(Empty):
                self._answers.get(timeout=0.05)
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))
        if any(thread.is_alive() for thread in self._threads):  # only on systems without select for pipes: leave the threads
            return
        os.close(self._end)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _wait_until_ready(pipe: int, stop_pipe: int, event: int) -> bool:
    """Wait until a pipe is ready for an event; return False if `stop_pipe` becomes readable by then."""
    if not pipes_can_be_waited_for():
        return True
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, event)
        waiting.register(stop_pipe, selectors.EVENT_READ)
        return all(key.fd != stop_pipe for key, _ in waiting.select())


def _write_lines(pipe: int, end: int, questions: Queue[bytes | None]) -> None:
    with suppress(OSError):  # the reader notices its end
        while (question := questions.get()) is not None:
            while question:
                if not _wait_until_ready(pipe, end, selectors.EVENT_WRITE):
                    return
                question = question[os.write(pipe, question[:_PIECE]) :]


def _read_lines(pipe: int, end: int, answers: Queue[bytes | None]) -> None:
    for line in _iter_lines(pipe, end, LONGEST_ANSWER + 1):
        answers.put(line)
    answers.put(None)


def _read_errors(pipe: int, end: int, errors: deque[bytes]) -> None:
    errors.extend(_iter_lines(pipe, end, _ERROR_LENGTH))


def _iter_lines(pipe: int, stop_pipe: int, max_length: int) -> Iterator[bytes]:
    """Yield the lines read from a pipe until it or `stop_pipe` ends; lines over `max_length` bytes come in pieces."""
    held = bytearray()
    with suppress(OSError):
        while _wait_until_ready(pipe, stop_pipe, selectors.EVENT_READ) and (data := os.read(pipe, 65536)):
            seen = len(held)
            held += data
            while (found := held.find(b"\n", seen, max_length)) >= 0 or len(held) >= max_length:
                length = found + 1 if found >= 0 else max_length
                yield bytes(held[:length])
                del held[:length]
                seen = 0
    if held:
        yield bytes(held)


def quote_line(line: bytes) -> str:
    """Return a line as text in quotation marks, shortened if it is long."""
    text = line.decode("utf-8", "replace").strip()
    return f"{text[:_QUOTED]!r}…" if len(text) > _QUOTED else repr(text)


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
