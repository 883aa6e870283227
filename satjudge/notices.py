"""What a run tells once on standard error, whichever of its processes finds it."""

from __future__ import annotations

import sys
import threading
from typing import Protocol


class Token(Protocol):
    """What only one can take: a semaphore of threads or of processes."""

    def acquire(self, *, block: bool = True) -> bool:
        """Take it, if it is there."""
        ...


class _Token:
    """The token of a process by itself."""

    def __init__(self) -> None:
        self._semaphore = threading.Semaphore()

    def acquire(self, *, block: bool = True) -> bool:
        """Take it, if it is there."""
        return self._semaphore.acquire(blocking=block)


_token: Token = _Token()


def share(token: Token) -> None:
    """From now on, tell something only if this process is the first to take the token."""
    global _token
    _token = token


def tell_once(message: str) -> None:
    """Tell it, if nothing was told before."""
    if _token.acquire(block=False) and sys.stderr is not None:
        print(f"satjudge: {message}", file=sys.stderr, flush=True)
