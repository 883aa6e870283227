"""Numbers of things in words."""

from __future__ import annotations


def number_of(number: int, noun: str, nouns: str = "") -> str:
    """So many of something: `1 board`, `1,200 boards`, `2 enemies` if the plural is given."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"
