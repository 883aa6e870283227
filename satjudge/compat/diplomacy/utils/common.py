"""Reads the clock and draws identities, for messages and games."""

from __future__ import annotations

import secrets
import time


def timestamp_microseconds() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


def generate_token(n_bytes: int = 12) -> str:
    """Return a random token of `n_bytes` bytes in hexadecimal digits."""
    return secrets.token_urlsafe(n_bytes)
