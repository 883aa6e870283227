"""Writes how an engine does on the kit, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from satjudge.documents.conformance import Conformance, PartAsked

_SHOWN = 10
"""Findings of a part that are shown."""


def conformance_text(found: Conformance) -> Iterator[RenderableType]:
    """The numbers of each part, and the first findings of each."""
    title = f"satjudge conformance against {found.against}, rulebook {found.rulebook.name}"
    numbers = Table(title=title, title_justify="left")
    numbers.add_column("Part")
    for heading in ("asked", "agree", "explained", "no answer by the rulebook", "skipped", "not asked", "differ"):
        numbers.add_column(heading, justify="right")
    for name, *row in found.rows:
        numbers.add_row(name, *(f"{number:,}" for number in row))
    yield numbers
    for part in found.parts:
        if part.findings:
            yield from ("", _findings(part))
    for one in found.contradicting:
        yield from ("", f"{one.question}, {one.how}: {one.said}")
    yield from ("", found.summary)


def _findings(part: PartAsked) -> Table:
    rest = len(part.findings) - _SHOWN
    more = f"the first {_SHOWN} of {len(part.findings):,}; --json tells them all" if rest > 0 else ""
    table = Table("Question", "", "satjudge", "the other", title=f"Part {part.part}", caption=more, title_justify="left")
    for finding in part.findings[:_SHOWN]:
        first = finding.differences[0]
        table.add_row(Text(finding.question, no_wrap=True), first.whose, first.ours, first.theirs)
    return table
