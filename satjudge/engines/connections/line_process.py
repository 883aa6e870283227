"""Runs a child process that answers questions line by line.

Separate threads read its output and its errors, so that neither side ever waits for a full pipe. A process that it started may
outlive it and keep the pipes open: no thread waits for that, and nobody waits for the threads.
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
"""The most bytes of an answer; a longer line is invalid."""
_QUOTED = 80
_LAST_LINES = 5
"""The number of last lines on standard error that are reported."""
_ERROR_LINES = 60
"""The number of last lines on standard error that are kept: the error may be above a traceback."""
_REASON = re.compile(rb"(Error|Exception)\b|\bpanic|\bfatal\b", re.IGNORECASE)
"""The words that mark a line as an error."""
_ERROR_LENGTH = 4096
_PIECE = 4096
"""The number of bytes written at a time: a pipe with room accepts at least this."""
_LOOKS = 0.2
"""The time in seconds after which a waiting thread checks whether the process has ended."""
_LOOKS_AT_MEMORY = 0.02
"""The time in seconds after which a waiting thread checks memory use, if it is limited."""

DIED, SLOW, LONG, LARGE, UNASKED = "died", "timed out", "too long", "too much memory", "spoke unasked"
"""Kinds of `OracleError`."""


class LineProcess:
    """One child process with its pipes."""

    def __init__(self, command: Sequence[str], memory: int | None = None) -> None:
        """Start a process with a limit, in MiB, on its memory and that of its children."""
        self._memory = memory
        try:
            self._process = Child(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            raise OracleError(DIED, f"it cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._questions: Queue[bytes | None] = Queue()
        self._answers: Queue[bytes | None] = Queue(maxsize=16)  # a flooding process has to wait
        self._errors: deque[bytes] = deque(maxlen=_ERROR_LINES)
        self._end, self._ended = os.pipe()  # closed at the end, which threads that wait for another pipe notice
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
        """Wait some seconds, and raise `OracleError` if the process writes anything meanwhile."""
        with suppress(Empty):
            line = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            if line is None:
                raise self._make_exit_error()
            raise OracleError(UNASKED, f"it wrote something before the first question: {quote_line(line)}")

    def send_line(self, question: bytes) -> None:
        """Queue a question, without a line end, for the process, and do not wait for the answer."""
        self._questions.put(question + b"\n")

    def read_line(self, timeout: float) -> bytes:
        """Return the next line that the process writes, waiting at most `timeout` seconds.

        Raises `OracleError`.
        """
        line = self._wait_for_line(timeout)
        if line is None:
            raise self._make_exit_error()
        if len(line) > LONGEST_ANSWER:
            raise OracleError(LONG, f"the answer has more than {LONGEST_ANSWER:,} bytes: {quote_line(line)}")
        return line

    def _wait_for_line(self, timeout: float) -> bytes | None:
        """Wait for the next line, at most some seconds; None if the process ended, even if a child keeps its pipe open."""
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
        """Raise `OracleError` if the process uses more memory than it may."""
        if self._memory is not None and (used := self._process.kin.memory()) > self._memory:
            raise OracleError(LARGE, f"it uses {used:,} MiB of memory, but the limit is {self._memory:,}{self._last_errors()}")

    def _make_exit_error(self) -> OracleError:
        """Make the error that describes how the process ended."""
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
        while self._threads[1].is_alive() and monotonic() < until:  # it may wait for room
            with suppress(Empty):
                self._answers.get(timeout=0.05)
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))
        if any(thread.is_alive() for thread in self._threads):  # only where pipes cannot be waited for: leave them
            return
        os.close(self._end)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _wait_until_ready(pipe: int, end: int, event: int) -> bool:
    """Wait for a pipe to become ready for an event; return False if the pipe `end` becomes readable first or with it."""
    if not pipes_can_be_waited_for():
        return True
    with selectors.DefaultSelector() as waiting:
        waiting.register(pipe, event)
        waiting.register(end, selectors.EVENT_READ)
        return all(key.fd != end for key, _ in waiting.select())


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


def _iter_lines(pipe: int, end: int, longest: int) -> Iterator[bytes]:
    """Yield the lines that come through a pipe; those over `longest` bytes come in pieces."""
    held = bytearray()
    with suppress(OSError):
        while _wait_until_ready(pipe, end, selectors.EVENT_READ) and (data := os.read(pipe, 65536)):
            seen = len(held)
            held += data
            while (found := held.find(b"\n", seen, longest)) >= 0 or len(held) >= longest:
                length = found + 1 if found >= 0 else longest
                yield bytes(held[:length])
                del held[:length]
                seen = 0
    if held:
        yield bytes(held)


def quote_line(line: bytes) -> str:
    """Return the beginning of a line in quotation marks."""
    text = line.decode("utf-8", "replace").strip()
    return f"{text[:_QUOTED]!r}…" if len(text) > _QUOTED else repr(text)


def _name_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
