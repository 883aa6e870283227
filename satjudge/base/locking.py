"""Locks a file so that one process at a time changes it, on every system.

Beside a file `g.json` stands `.g.json.lock` meanwhile, which the system locks (filelock). It says which process holds it, and
is removed afterwards. One that a process left which was killed locks nobody out: the system lets go of it with the process.
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
"""Seconds to wait for a lock by a caller that changes the file quickly."""
_MOMENT = 1.0
"""Seconds until it is told for whom somebody waits."""
_LOCKED = 1
"""Bytes at the beginning that nobody else can read on Windows."""
_LONGEST = 200
_LOG = logging.getLogger("satjudge")


class HeldError(InputError):
    """An error for a file that another process keeps locked for longer than was waited.

    `holder` says which process, as far as is known.
    """

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"it is in use by {holder}", source=str(path), suggestion="try again when that is done")
        self.holder = holder


@contextmanager
def hold_lock(path: Path, wait: float = WAIT, *, again: bool = False) -> Iterator[None]:
    """Lock a file, which need not exist yet, against all other processes.

    Its holder may lock it `again`, if that is said.

    After a moment it is told by `logging` for whom it waits. Raises `HeldError` after so many seconds, and `OSError` where the
    lock cannot be written.
    """
    from filelock import FileLock

    target = Path(os.path.realpath(path))  # by whatever link it is reached
    if not target.parent.is_dir():  # filelock would make it
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    lock = FileLock(target.with_name(f".{target.name}.lock"), mode=0o666, is_singleton=True)
    if lock.is_locked and again:
        yield
        return
    _acquire(lock, path, wait)
    try:
        _sign(lock)
        yield
    finally:
        _release(lock)


def _acquire(lock: BaseFileLock, path: Path, wait: float) -> None:
    """Wait for a lock, and tell for whom if that takes longer than a moment. Raises `HeldError`."""
    from filelock import Timeout

    if lock.is_locked:  # by this very thread, which would wait for itself
        raise HeldError(path, _holder(lock))
    with suppress(Timeout):
        lock.acquire(timeout=min(wait, _MOMENT))
        return
    if wait > _MOMENT:
        _LOG.warning(
            "satjudge: %s", escape_controls(f"{path} is in use by {_holder(lock)}: waiting for up to {wait:.0f} seconds")
        )
        with suppress(Timeout):
            lock.acquire(timeout=wait - _MOMENT)
            return
    raise HeldError(path, _holder(lock))


def _sign(lock: BaseFileLock) -> None:
    """Say in a lock who holds it."""
    from filelock import FileLock

    if isinstance(lock, FileLock):  # where the system locks no files, what it holds is filelock's
        with suppress(OSError), open(lock.lock_file, "r+b") as file:
            file.seek(_LOCKED)
            file.write(f"process {os.getpid()} on {platform.node()}".encode())
            file.truncate()


def _holder(lock: BaseFileLock) -> str:
    """Read which process holds a lock."""
    with suppress(OSError), open(lock.lock_file, "rb", buffering=0) as file:
        file.seek(_LOCKED)
        told = file.read(_LONGEST).decode(errors="replace")
        return told if told.startswith("process ") else "another process"
    return "another process"


def _release(lock: BaseFileLock) -> None:
    """Let go of a lock, without a trace: whoever waits for what is removed notices that, and makes another one."""
    from filelock import FileLock

    if isinstance(lock, FileLock):
        with suppress(OSError):  # Windows keeps a file that is open; filelock removes it there
            os.unlink(lock.lock_file)
    lock.release()
