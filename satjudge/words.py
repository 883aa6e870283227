"""Numbers of things in words, and values in a line."""

from __future__ import annotations


def number_of(number: int, noun: str, nouns: str = "") -> str:
    """So many of something: `1 board`, `1,200 boards`, `2 enemies` if the plural is given."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def one_line(kind: str, *facts: str) -> str:
    """A value as `repr` shows it where it has more in it than a line can hold: `<Resolutions: 2; datc-3>`."""
    return f"<{kind}: {'; '.join(fact for fact in facts if fact)}>"
