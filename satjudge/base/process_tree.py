"""Starts child processes that end with this process, and kills a child process with all its descendants.

A killed process can no longer clean up. So a process with children also has a watcher, which runs this module as a program. The
watcher reads the list of children from a pipe. When the process ends, the pipe closes, and the watcher kills its children.

Descendants of a child are found by a mark in their environment, even if their parent has ended; by their session, since
environments are not readable everywhere; and by their parents.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from secrets import token_hex
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

from satjudge.base.platforms import detached_options, ending_signals, session_of

if TYPE_CHECKING:
    from psutil import Process

MARK = "SATJUDGE_CHILD"
"""The environment variable that holds the marks of a process: those of its ancestors and its own."""


class Kin:
    """A child process, created before its start, together with all processes that it will start."""

    def __init__(self) -> None:
        self.mark = token_hex(8)
        self.child = 0
        """The process number of the child; 0 before its start."""
        _notify_watcher(self.mark)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for the child process, with the mark by which its descendants are found."""
        return {**os.environ, MARK: f"{os.environ.get(MARK, '')} {self.mark}".lstrip()}

    def record_start(self, child: int) -> None:
        """Record the process number of the child after its start, here and in the watcher."""
        self.child = child
        _notify_watcher(self.mark, child)

    def end(self, *, owns_number: bool = True) -> None:
        """Kill the child, if it still `owns_number`, and all its descendants, and remove it from the watcher's list.

        `owns_number` means that the process has not been waited for yet, so its number cannot have been reused.
        """
        _kill_family(self.mark, self.child, owns_number)
        _notify_watcher(self.mark, -1)

    def memory(self) -> int:
        """Return the memory in MiB that the child, its descendants and its session's processes use; 0 before its start."""
        from psutil import Error

        total = 0
        for process in _list_child_processes(self.child, True) if self.child else ():
            with suppress(Error):
                total += process.memory_info().rss
        return int(total) >> 20


class Child(subprocess.Popen[bytes]):
    """A child process that ends when this process ends, in whatever way.

    Ctrl-C at the terminal does not reach the child.
    """

    def __init__(self, command: Sequence[str], **pipes: Any) -> None:  # noqa: ANN401  # as `Popen`
        """Start the command with these pipes and a mark for its descendants. Raises `OSError`."""
        self.kin = Kin()
        try:
            super().__init__(command, env=self.kin.environment, **detached_options(), **pipes)
        except BaseException:
            self.kin.end(owns_number=False)
            raise
        self.kin.record_start(self.pid)

    def end(self) -> None:
        """Kill the child process and all its descendants, and wait until the child has ended."""
        self.kin.end(owns_number=self.returncode is None)
        self.wait()


def ignore_ends() -> None:
    """Make this process ignore Ctrl-C and the signals that end programs, since its parent process will end it."""
    for number in (signal.SIGINT, *ending_signals()):
        signal.signal(number, signal.SIG_IGN)


# ---- who belongs to a child ----


def _kill_family(mark: str, child: int, owns_number: bool) -> None:
    """Kill a child, if it still has its number, and all processes that it started, which inherit `mark`, until none is left."""
    from psutil import Error

    ended: set[Process] = set()
    while found := _list_family(mark, child, owns_number) - ended:
        for process in found:
            with suppress(Error):
                process.kill()
        ended |= found


def _list_family(mark: str, child: int, owns_number: bool) -> set[Process]:
    """Return the processes with `mark` in their environments, the child (0: none), its descendants and its session."""
    from psutil import Error, process_iter

    found = _list_child_processes(child, owns_number) if child else set()
    for process in process_iter():
        with suppress(Error, OSError):  # it has ended, or is another user's
            if mark in process.environ().get(MARK, "").split():
                found.add(process)
    return found


def _list_child_processes(child: int, owns_number: bool) -> set[Process]:
    """Return a child, its descendants and its session; if not `owns_number`, only its session, or none if it is reused."""
    from psutil import Error, Process, pid_exists, process_iter

    found: set[Process] = set()
    with suppress(Error):
        if owns_number:
            leader = Process(child)
            found = {leader, *leader.children(recursive=True)}
    if owns_number or not pid_exists(child):  # otherwise another process has this number by now
        found |= {process for process in process_iter() if session_of(process.pid) == child}
    return found


# ---- the watcher ----


_IMPORT_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder from which the package was imported."""
_writing = Lock()
_living = set[str]()
"""The marks of the living children."""


def _notify_watcher(mark: str, child: int = 0) -> None:
    """Send the watcher a child's mark and number (0 before its start, -1 after its end), and update `_living`."""
    with _writing, suppress(OSError, ValueError):  # the watcher was killed, or this process ends
        _living.add(mark) if child >= 0 else _living.discard(mark)
        pipe = _open_watcher(os.getpid())
        pipe.write(f"{mark} {child}\n".encode())
        pipe.flush()


@cache
def _open_watcher(own_number: int) -> IO[bytes]:
    """Start this process's watcher on the first call with its number (`own_number`), and return the pipe to the watcher."""
    devnull = subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    program = f"import sys; sys.path.insert(0, {_IMPORT_FOLDER!r}); from {__name__} import watch_pipe; watch_pipe()"
    command = [sys.executable, "-P", "-c", program]
    watcher = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=devnull, stderr=devnull, env=environment, **detached_options()
    )
    assert watcher.stdin is not None
    atexit.register(_dismiss_watcher, watcher, own_number)
    return watcher.stdin


def _dismiss_watcher(watcher: subprocess.Popen[bytes], own_number: int) -> None:
    """At the end of the process `own_number`, let its watcher kill the remaining children and end; do nothing in its forks."""
    if own_number == os.getpid():
        with suppress(OSError, KeyboardInterrupt):
            if not _living:  # then there is nothing to wait for
                watcher.kill()
            watcher.communicate()


def watch(lines: Iterable[bytes]) -> None:
    """Read lines of a child's mark and number, as sent by `_notify_watcher`; at their end kill all children that are left."""
    import psutil

    children: dict[str, Process | None] = {}
    for line in lines:
        mark, number = line.decode().split()
        children[mark] = None
        if int(number) < 0:
            del children[mark]
        elif int(number):
            with suppress(psutil.Error):
                children[mark] = psutil.Process(int(number))
    for mark, child in children.items():
        _kill_family(mark, child.pid if child else 0, child is not None and child.is_running())


def watch_pipe() -> None:
    """Run as the watcher, a separate program that reads the marks and numbers of children from standard input."""
    ignore_ends()
    watch(sys.stdin.buffer)
