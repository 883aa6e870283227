"""Tells what `satjudge lines` found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from satjudge.render.findings import proved_anew_lines
from satjudge.words import number_of

if TYPE_CHECKING:
    from satjudge.documents.lines import FoundLine, LinesDocument


def found_lines(document: LinesDocument) -> Iterator[RenderableType]:
    """How few units do it, and each line that was found."""
    yield Text(f"{document.goal}  [{document.map}]", style="bold")
    yield from (f"Only {restriction}." for restriction in document.restrictions)
    yield _finding(document)
    for number, line in enumerate(document.lines, start=1):
        yield from _line(line, f"{number}. " if len(document.lines) > 1 else "")
    yield from proved_anew_lines(document.second_opinions, document.proofs)
    yield f"{document.seconds:.2f} s"


def _finding(document: LinesDocument) -> str:
    if document.units is None:
        if document.proved:
            return "No line protects this, whatever its units. Proved."
        return "Undecided: time was up before a line was found."
    units = number_of(document.units, "unit")
    if not document.proved:
        return f"{units} hold; no line has fewer than {document.bound}: time was up before more was proved."
    if document.complete:
        places = "these provinces" if len(document.lines) == 1 else f"these {len(document.lines)} sets of provinces"
        return f"{units}, proved to be the fewest; with so few it can be done in {places} only."
    return f"{units}, proved to be the fewest. There may be as small ones in other provinces (--all)."


def _line(line: FoundLine, number: str) -> Iterator[str]:
    yield f"{number}{'; '.join(line.orders)}"
    indent = " " * len(number)
    yield f"{indent}  protects {number_of(len(line.centers), 'supply centre')}: {' '.join(line.centers) or 'none'}"
    yield f"{indent}  behind it: {' '.join(line.behind) or 'nothing'}"
