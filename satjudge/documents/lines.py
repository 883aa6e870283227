"""Tells what `satjudge lines` found, as a document and as order sheets that `satjudge prove` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from satjudge.documents import Document, Made, made_by
from satjudge.documents.proofs import line_sheet
from satjudge.notation.write import file_name
from satjudge.research.line_search import Found
from satjudge.research.lines import Line
from satjudge.research.second_opinion import Proof, SecondOpinion
from satjudge.words import number_of


class FoundLine(Document):
    """A line: its orders, the supply centres that it protects, and the provinces behind it."""

    orders: list[str]
    centers: list[str]
    behind: list[str]

    @classmethod
    def of(cls, line: Line) -> Self:
        """Tell a line."""
        orders = [str(order) for _, order in sorted(line.orders.items())]
        return cls(orders, sorted(line.protected & set(line.board.map.centers)), sorted(line.behind))


class LinesDocument(Made, kw_only=True):
    """The lines with the fewest units that protect what is wanted.

    `units` is null if none was found. `proved`: no line that does has fewer; `bound`: none has fewer than this.
    `complete`: so few units do it in no other provinces than these.
    """

    goal: str
    map: str
    restrictions: list[str]
    seconds: float
    units: int | None
    bound: int
    proved: bool
    complete: bool
    lines: list[FoundLine]
    second_opinions: list[SecondOpinion]
    proofs: list[Proof]

    @classmethod
    def of(
        cls,
        found: Found,
        goal: str,
        seconds: float,
        second_opinions: Sequence[SecondOpinion] = (),
        proofs: Sequence[Proof] = (),
    ) -> Self:
        """What was found in so many seconds, and what the second solver says of it."""
        return cls(
            **made_by(found.rulebook),
            goal=goal,
            map=found.wanted.map.name,
            restrictions=_restrictions(found),
            seconds=round(seconds, 2),
            units=found.units,
            bound=found.bound,
            proved=found.proved,
            complete=found.complete,
            lines=list(map(FoundLine.of, found.lines)),
            second_opinions=list(second_opinions),
            proofs=list(proofs),
        )


def _restrictions(found: Found) -> list[str]:
    """What holds of these lines only."""
    wanted, told = found.wanted, []
    if wanted.region is not None:
        told.append(f"units and protected provinces in {' '.join(sorted(wanted.region))} only")
    if wanted.missing:
        told.append(f"without enemy units {', '.join(map(str, wanted.missing))}")
    if wanted.out is not None:
        told.append(f"no enemy units of {', '.join(map(wanted.map.name_of, wanted.out))}, of others as they can come")
    if wanted.feeds:
        told.append("no more units than supply centres protected")
    if not wanted.pockets:
        told.append("no enemies cut off from the others")
    return told


def line_sheets(found: Found, goal: str) -> dict[str, str]:
    """The lines as order sheets, by the names that their files are to have."""
    named = file_name(goal.replace(">=", " at least ").replace("<=", " at most "))
    names = [named if len(found.lines) == 1 else f"{named}-{number}" for number in range(1, len(found.lines) + 1)]
    title = f"{number_of(found.units or 0, 'unit')} for {goal}"
    return {name: line_sheet(line, "holds", name, title) for name, line in zip(names, found.lines, strict=True)}
