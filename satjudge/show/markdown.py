"""Writes parts of Markdown. What others wrote is text there, never Markdown or HTML, and stays in its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape


def table_rows(heading: Sequence[str], content: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> Iterator[str]:
    """A table; the columns `numbers` are set to the right."""
    ruler = ["--:" if column in numbers else "---" for column in range(len(heading))]
    for cells in (heading, ruler, *content):
        yield f"| {' | '.join(cell if cells is ruler else escaped(cell) for cell in cells)} |"


def escaped(text: str) -> str:
    """A text as Markdown shows it: signs that mean something there, or in HTML, mean themselves."""
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", escape(" ".join(text.split()), quote=False))


def code(text: str) -> str:
    """A text as code in a line; backticks that it holds do not end it."""
    ticks = "`" * (1 + longest_ticks(text))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"`{text}`"


def longest_ticks(text: str) -> int:
    """How many backticks a text has in a row."""
    return max(map(len, re.findall("`+", text)), default=0)
