"""Makes timestamps and random identifiers for messages and games."""

from __future__ import annotations

import secrets
import time


def timestamp_microseconds() -> int:
    """Return the current time in microseconds since 1970."""
    return time.time_ns() // 1000


def generate_token(n_bytes: int = 12) -> str:
    """Return a random URL-safe text that encodes `n_bytes` random bytes."""
    return secrets.token_urlsafe(n_bytes)
