"""Handles each difference between Linux, macOS and Windows in one place.

`docs/reference/systems.md` lists the differences. Other modules call these functions and never check for a system.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM = sys.platform
"""Python's name of the system: `linux`, `darwin`, `win32` or that of another Unix."""
PROGRESS = "SATJUDGE_PROGRESS"
"""The environment variable that holds a mark: commands report progress on standard error as lines that begin with this mark."""
PATIENCE = 2.0
"""How many seconds to keep trying to replace a file that another program reads."""
_PAUSE = 0.01
_MOST_TRIES = 100


def is_windows() -> bool:
    """Return whether this Python runs on Windows."""
    return SYSTEM == "win32"


# ---- signals and child processes ----


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals by which the system ends a program: SIGTERM, and SIGHUP except on Windows."""
    return tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def detached_options() -> Mapping[str, Any]:
    """Return the arguments of `Popen` that keep Ctrl-C at the terminal from reaching the child."""
    if is_windows():
        return {"creationflags": 0x200}  # subprocess.CREATE_NEW_PROCESS_GROUP, which is not defined elsewhere
    return {"start_new_session": True}


def session_of(process: int) -> int | None:
    """Return the session ID of a process; None if the system has no sessions or no such process exists."""
    with suppress(OSError, AttributeError):
        return os.getsid(process)
    return None


def pipes_can_be_waited_for() -> bool:
    """Return whether `select` can wait for pipes; on Windows it cannot."""
    return not is_windows()


def processors() -> int:
    """Return the number of processors that this process may use, or of all processors on macOS and Windows."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- files ----


def new_file(folder: Path, name: str) -> tuple[int, Path]:
    """Create a file for writing under an unused name that begins with `name`; return its descriptor and path.

    The system's umask applies. This function does not read the umask, since reading it would briefly change it for other
    threads. Raises `OSError`.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    for _ in range(_MOST_TRIES):
        path = folder / f"{name}{os.urandom(6).hex()}"
        with suppress(FileExistsError):
            return os.open(path, flags, 0o666), path
    raise FileExistsError(f"all names that begin with {folder / name} are taken")


def keep_permissions(path: Path, source: Path) -> None:
    """Give the file `path` the permissions of the file `source`, or do nothing on Windows; raises `OSError`."""
    if not is_windows():
        os.chmod(path, source.stat().st_mode & 0o777)


def replace_file(new: Path, path: Path) -> None:
    """Move the file `new` to `path` in one step, replacing the file there; on Windows, try for a while if that is open.

    Windows refuses to replace a file while another program, such as a virus scanner, has it open. Raises `OSError`.
    """
    from time import monotonic, sleep

    until = monotonic() + PATIENCE
    while True:
        try:
            os.replace(new, path)
        except PermissionError:
            if not is_windows() or monotonic() >= until:
                raise
            sleep(_PAUSE)
        else:
            return


_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))))


def is_device(stem: str) -> bool:
    """Return whether Windows treats this file name, with or without a suffix, as a device such as `con`."""
    return stem.partition(".")[0].rstrip(" ").lower() in _DEVICES


def user_cache() -> Path:
    """Return the path of satjudge's cache folder for this user; it need not exist."""
    from pathlib import Path

    if is_windows():
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "satjudge"
    if SYSTEM == "darwin":
        return Path.home() / "Library" / "Caches" / "satjudge"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "satjudge"


def is_mine_alone(path: Path) -> bool:
    """Return whether a path is no link and only its owner, this user, can write to it (assumed on Windows); raises `OSError`.

    On Windows anything but a link is accepted, since users own everything in their folders.
    """
    from stat import S_ISLNK

    status = path.lstat()
    return not S_ISLNK(status.st_mode) and (is_windows() or (status.st_uid == os.getuid() and not status.st_mode & 0o022))


# ---- command lines and terminals ----


def words_of(command: str) -> list[str]:
    r"""Split a command line into words as the system's shell does; on Windows backslashes stay, as in `C:\engine.exe`.

    Raises `ValueError` for a quotation mark that is never closed.
    """
    import shlex

    lexer = shlex.shlex(command, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if is_windows():
        lexer.escape, lexer.quotes = "", '"'
    return list(lexer)


def command_of(words: Sequence[str]) -> str:
    """Join words into one command line, quoted for the system's shell."""
    if is_windows():
        from subprocess import list2cmdline

        return list2cmdline(words)
    import shlex

    return shlex.join(words)


def terminal_width() -> int:
    """Return the number of columns of the terminal, less one on Windows, where a full line begins a new one."""
    from shutil import get_terminal_size

    return get_terminal_size().columns - is_windows()
