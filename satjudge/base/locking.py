"""Locks a file so that only one process at a time changes it, on every system.

While `g.json` is locked, a file `.g.json.lock` next to it is locked by the system (filelock) and names the process that holds
it. If that process is killed, the system releases its lock.
"""

from __future__ import annotations

import errno
import logging
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from satjudge.base.errors import InputError
from satjudge.base.words import escape_controls

if TYPE_CHECKING:
    from filelock import BaseFileLock

WAIT = 60.0
"""How many seconds to wait for a lock that its holder needs only briefly."""
_MOMENT = 1.0
"""How many seconds to wait before logging which process holds the lock."""
_LOCKED = 1
"""The number of bytes at the beginning that no other process can read on Windows."""
_LONGEST = 200
_LOG = logging.getLogger("satjudge")


class HeldError(InputError):
    """An error for a file that another process kept locked for too long.

    `holder` names the process, if known.
    """

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"in use by {holder}", source=str(path), suggestion="try again when that process has finished")
        self.holder = holder


@contextmanager
def hold_lock(path: Path, wait: float = WAIT, *, is_reentrant: bool = False) -> Iterator[None]:
    """Hold a file's lock in this context or raise `HeldError` after `wait` seconds; `is_reentrant`: this process may hold it.

    The file need not exist yet. If `is_reentrant`, this process may already hold the lock. After a second, `logging` reports
    who holds it. Raises `OSError` if the lock cannot be written.
    """
    from filelock import FileLock

    target = Path(os.path.realpath(path))  # the same lock for every link to the file
    if not target.parent.is_dir():  # filelock would create it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    lock = FileLock(target.with_name(f".{target.name}.lock"), mode=0o666, is_singleton=True)
    if lock.is_locked and is_reentrant:
        yield
        return
    _acquire(lock, path, wait)
    try:
        _write_holder(lock)
        yield
    finally:
        _release(lock)


def _acquire(lock: BaseFileLock, path: Path, wait: float) -> None:
    """Acquire a lock, or raise `HeldError`: after `wait` seconds, or at once if this thread holds it; log long waits."""
    from filelock import Timeout

    if lock.is_locked:  # held by this thread, which would wait for itself
        raise HeldError(path, _read_holder(lock))
    with suppress(Timeout):
        lock.acquire(timeout=min(wait, _MOMENT))
        return
    if wait > _MOMENT:
        _LOG.warning(
            "satjudge: %s", escape_controls(f"{path} is in use by {_read_holder(lock)}: waiting for up to {wait:.0f} seconds")
        )
        with suppress(Timeout):
            lock.acquire(timeout=wait - _MOMENT)
            return
    raise HeldError(path, _read_holder(lock))


def _write_holder(lock: BaseFileLock) -> None:
    """Write the number of this process and the name of its machine into the lock file, if possible."""
    from filelock import FileLock

    if isinstance(lock, FileLock):  # where the system cannot lock files, filelock has its own lock
        with suppress(OSError), open(lock.lock_file, "r+b") as file:
            file.seek(_LOCKED)
            file.write(f"process {os.getpid()} on {platform.node()}".encode())
            file.truncate()


def _read_holder(lock: BaseFileLock) -> str:
    """Return which process holds a lock: its number and machine, or "another process" if that is not known."""
    with suppress(OSError), open(lock.lock_file, "rb", buffering=0) as file:
        file.seek(_LOCKED)
        holder = file.read(_LONGEST).decode(errors="replace")
        return holder if holder.startswith("process ") else "another process"
    return "another process"


def _release(lock: BaseFileLock) -> None:
    """Release a lock and remove its file; processes that wait for the removed file notice this and create another."""
    from filelock import FileLock

    if isinstance(lock, FileLock):
        with suppress(OSError):  # Windows keeps open files, so filelock removes it there
            os.unlink(lock.lock_file)
    lock.release()
