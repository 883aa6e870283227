"""Writes parts of Markdown, in which the text of others is never read as Markdown or HTML and stays in its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape


def table_rows(heading: Sequence[str], content: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> Iterator[str]:
    """Write the rows of a table; the columns `numbers` are set to the right."""
    ruler = ["--:" if column in numbers else "---" for column in range(len(heading))]
    for cells in (heading, ruler, *content):
        yield f"| {' | '.join(cell if cells is ruler else escaped_text(cell) for cell in cells)} |"


def escaped_text(text: str) -> str:
    """Escape the signs of a text that mean something in Markdown or HTML."""
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", escape(" ".join(text.split()), quote=False))


def code_span(text: str) -> str:
    """Write a text as code in a line, also if the text holds backticks."""
    ticks = "`" * (1 + longest_ticks(text))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"`{text}`"


def longest_ticks(text: str) -> int:
    """Count the backticks in the longest row of backticks in a text."""
    return max(map(len, re.findall("`+", text)), default=0)
