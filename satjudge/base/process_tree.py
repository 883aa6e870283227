"""Starts child processes that end with this process, and ends a child process with all its descendants.

A killed process can no longer clean up. So a process with children also has a watcher, which runs this module as a program: it
reads the list of children from a pipe, and when the pipe ends with its writer, the watcher ends the children that are left.

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
"""The variable of the environment that holds the marks of a process: those of its ancestors, and its own."""


class Kin:
    """A child process that is about to be started, with all processes that the child will start."""

    def __init__(self) -> None:
        self.mark = token_hex(8)
        self.child = 0
        """The number of its process."""
        _notify_watcher(self.mark)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables for the child process, with a mark that its descendants inherit."""
        return {**os.environ, MARK: f"{os.environ.get(MARK, '')} {self.mark}".lstrip()}

    def began(self, child: int) -> None:
        """Record the number of the child process after its start, here and in the watcher."""
        self.child = child
        _notify_watcher(self.mark, child)

    def end(self, *, is_child: bool = True) -> None:
        """Kill the child process and all its descendants at once, and have the watcher forget them.

        `is_child` means that nobody has waited for the process yet, so its number is still the child's.
        """
        _kill_family(self.mark, self.child, is_child)
        _notify_watcher(self.mark, -1)

    def memory(self) -> int:
        """Return the memory of the child and its descendants in MiB, without those that left its session."""
        from psutil import Error

        used = 0
        for process in _list_descendants(self.child, True):
            with suppress(Error):
                used += process.memory_info().rss
        return int(used) >> 20


class Child(subprocess.Popen[bytes]):
    """A child process that ends with this process, however this one ends.

    It leaves Ctrl-C to this process.
    """

    def __init__(self, command: Sequence[str], **pipes: Any) -> None:  # noqa: ANN401  # as `Popen`
        """Start the command with these pipes and a mark for its descendants. Raises `OSError`."""
        self.kin = Kin()
        try:
            super().__init__(command, env=self.kin.environment, **detached_options(), **pipes)
        except BaseException:
            self.kin.end(is_child=False)
            raise
        self.kin.began(self.pid)

    def end(self) -> None:
        """Kill the child process and all its descendants, and wait until the child has ended."""
        self.kin.end(is_child=self.returncode is None)
        self.wait()


def ignore_ends() -> None:
    """Let this process ignore Ctrl-C and the signals that end programs; its parent process will end it."""
    for number in (signal.SIGINT, *ending_signals()):
        signal.signal(number, signal.SIG_IGN)


# ---- who belongs to a child ----


def _kill_family(mark: str, child: int, is_child: bool) -> None:
    """Kill a child process and all that it started, by the mark in their environments, until none is left."""
    from psutil import Error

    ended: set[Process] = set()
    while found := _list_family(mark, child, is_child) - ended:
        for process in found:
            with suppress(Error):
                process.kill()
        ended |= found


def _list_family(mark: str, child: int, is_child: bool) -> set[Process]:
    """Return the child process, its descendants, and all processes with its mark in their environments."""
    from psutil import Error, process_iter

    found = _list_descendants(child, is_child) if child else set()
    for process in process_iter():
        with suppress(Error, OSError):  # it has ended, or is another user's
            if mark in process.environ().get(MARK, "").split():
                found.add(process)
    return found


def _list_descendants(child: int, is_child: bool) -> set[Process]:
    """Return a child, its descendants, and the processes in its session; without the child if its number may be reused."""
    from psutil import Error, Process, pid_exists, process_iter

    found: set[Process] = set()
    with suppress(Error):
        if is_child:
            leader = Process(child)
            found = {leader, *leader.children(recursive=True)}
    if is_child or not pid_exists(child):  # else the number is another process's by now
        found |= {process for process in process_iter() if session_of(process.pid) == child}
    return found


# ---- the watcher ----


_BESIDE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder from which the package was imported."""
_telling = Lock()
_living = set[str]()
"""The marks of the living children."""


def _notify_watcher(mark: str, child: int = 0) -> None:
    """Send the watcher a child's mark and number: 0 before its start, -1 after its end. Keep which children live."""
    with _telling, suppress(OSError, ValueError):  # somebody killed the watcher, or this process ends
        _living.add(mark) if child >= 0 else _living.discard(mark)
        pipe = _open_watcher(os.getpid())
        pipe.write(f"{mark} {child}\n".encode())
        pipe.flush()


@cache
def _open_watcher(process: int) -> IO[bytes]:
    """Start the watcher of this `process`, once, and return the pipe to it."""
    nowhere = subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if name != MARK}
    program = f"import sys; sys.path.insert(0, {_BESIDE!r}); from {__name__} import watch_pipe; watch_pipe()"
    command = [sys.executable, "-P", "-c", program]
    watcher = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, env=environment, **detached_options()
    )
    assert watcher.stdin is not None
    atexit.register(_dismiss_watcher, watcher, process)
    return watcher.stdin


def _dismiss_watcher(watcher: subprocess.Popen[bytes], process: int) -> None:
    """At the end of this `process`, let the watcher end the remaining children, then itself."""
    if process == os.getpid():
        with suppress(OSError, KeyboardInterrupt):
            if not _living:  # then there is nothing to wait for
                watcher.kill()
            watcher.communicate()


def watch(lines: Iterable[bytes]) -> None:
    """Read lines with the mark and number of each child, until they end; then kill all children that are left."""
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
