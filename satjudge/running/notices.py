"""What a run tells once on standard error, whichever of its processes finds it."""

from __future__ import annotations

import logging
from typing import Protocol

from satjudge.terminal import shown

_LOG = logging.getLogger("satjudge")


class Token(Protocol):
    """What only one can take: a semaphore of threads or of processes."""

    def acquire(self, *, block: bool = True) -> bool:
        """Take it, if it is there."""
        ...


class _Token:
    """The token of a process by itself."""

    def __init__(self) -> None:
        self._there = True

    def acquire(self, *, block: bool = True) -> bool:
        """Take it, if it is there."""
        there, self._there = self._there, False
        return there


_token: Token = _Token()


def share(token: Token) -> None:
    """From now on, tell something only if this process is the first to take the token."""
    global _token
    _token = token


def tell_once(message: str) -> None:
    """Tell it, if nothing was told before: as a warning of `logging`, which by default goes to standard error."""
    if _token.acquire(block=False):
        _LOG.warning("satjudge: %s", shown(message))
