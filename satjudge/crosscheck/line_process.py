"""A child process that is asked and answers line by line.

Its output and its errors are read by threads of their own, so that neither side ever waits for a full pipe.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from typing import BinaryIO

from satjudge.errors import OracleError

LONGEST_ANSWER = 1_000_000
"""Bytes; a line without an end after so many is no answer."""
_QUOTED = 80
_ERROR_LINES = 5

DIED, SLOW, LONG, UNASKED = "died", "timed out", "too long", "spoke unasked"
"""Kinds of `OracleError`."""


class LineProcess:
    """One child process with its pipes."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            with _starting:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
                )
                _running.add(self._process)
        except OSError as error:
            raise OracleError(DIED, f"it cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._questions: Queue[bytes | None] = Queue()
        self._answers: Queue[bytes | None] = Queue(maxsize=16)  # a process that floods us waits
        self._errors: deque[bytes] = deque(maxlen=_ERROR_LINES)
        self._threads = [
            threading.Thread(target=target, args=arguments, daemon=True)
            for target, *arguments in (
                (_write, self._process.stdin, self._questions),
                (_read_lines, self._process.stdout, self._answers),
                (_read_errors, self._process.stderr, self._errors),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def status(self) -> int | None:
        """The status that it ended with; None while it runs."""
        return self._process.poll()

    def expect_silence(self, seconds: float) -> None:
        """Raise `OracleError` if it says something meanwhile."""
        with suppress(Empty):
            line = self._answers.get(timeout=seconds) if seconds else self._answers.get_nowait()
            if line is None:
                raise self._died()
            raise OracleError(UNASKED, f"before it is asked it says {shown(line)}")

    def asked(self, question: bytes, timeout: float) -> bytes:
        """The line that it says to the question. Raises `OracleError`."""
        self._questions.put(question + b"\n")
        try:
            line = self._answers.get(timeout=timeout)
        except Empty:
            raise OracleError(SLOW, f"there is no answer after {timeout:g} seconds{self._last_errors()}") from None
        if line is None:
            raise self._died()
        if len(line) > LONGEST_ANSWER:
            raise OracleError(LONG, f"the answer has more than {LONGEST_ANSWER:,} bytes: {shown(line)}")
        return line

    def _died(self) -> OracleError:
        """How it ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._threads[2].join(1.0)
        status = self._process.poll()
        if status is None:
            how = "it closed its output"
        elif status < 0:
            how = f"it was ended by signal {-status} ({_signal_name(-status)})"
        else:
            how = f"it ended with exit status {status}"
        return OracleError(DIED, how + self._last_errors())

    def _last_errors(self) -> str:
        lines = [shown(line) for line in self._errors if line.strip()]
        return f"; its last words: {' / '.join(lines)}" if lines else ""

    def end(self) -> None:
        """End it, with whatever it has started."""
        self._questions.put(None)
        _kill(self._process)
        self._process.wait()
        _running.discard(self._process)
        while self._threads[1].is_alive():  # it may wait for room
            with suppress(Empty):
                if self._answers.get(timeout=0.05) is None:
                    break
        for thread in self._threads:
            thread.join(1.0)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


_starting = threading.Lock()
_running: set[subprocess.Popen[bytes]] = set()


def end_all() -> None:
    """End every child, and let none be started any more: what a process does before it ends itself."""
    _starting.acquire()
    for process in tuple(_running):
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _write(pipe: BinaryIO, questions: Queue[bytes | None]) -> None:
    with suppress(OSError):  # its end is noticed where it is read
        while (question := questions.get()) is not None:
            pipe.write(question)
            pipe.flush()


def _read_lines(pipe: BinaryIO, answers: Queue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        while line := pipe.readline(LONGEST_ANSWER + 1):
            answers.put(line)
    answers.put(None)


def _read_errors(pipe: BinaryIO, errors: deque[bytes]) -> None:
    with suppress(OSError, ValueError):
        while line := pipe.readline(4096):
            errors.append(line)


def shown(line: bytes) -> str:
    """The beginning of a line, quoted."""
    text = line.decode("utf-8", "replace").strip()
    return f"{text[:_QUOTED]!r}…" if len(text) > _QUOTED else repr(text)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
