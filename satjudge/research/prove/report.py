"""All that was asked about one line, and how it is told: in sentences, as plain data and as order sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from satjudge.board import Unit, by_power
from satjudge.notation.sheets import Sheet
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.examine import Finding, examine, redundant, smallest
from satjudge.research.prove.line import Line
from satjudge.research.prove.repair import repair
from satjudge.research.prove.sheets import attack_sheet, line_sheet


@dataclass(frozen=True)
class Report:
    """What was found of a line. What was not asked, or makes no sense for what was found, is None.

    `stated` is what the sheet says was found of this line; None if it says nothing, or another question was asked.
    `repaired` is False where no further units can make the line hold.
    """

    sheet: Sheet
    finding: Finding
    stated: str | None = None
    spare: list[Unit] | None = None
    smallest: Line | None = None
    repaired: Line | Literal[False] | None = None

    @classmethod
    def on(
        cls,
        sheet: Sheet,
        line: Line,
        stated: str | None,
        *,
        cheapest: bool = False,
        thin: bool = False,
        mend: bool = False,
        on_step: Callable[[], None] = lambda: None,
    ) -> Report:
        """Ask the questions: which units can a line that holds do without, which does one that breaks lack?"""
        finding = examine(line, cheapest=cheapest, on_province=on_step)
        spare, least = (redundant(line, on_step), smallest(line, on_step)) if thin and finding.holds else (None, None)
        mended: Line | Literal[False] | None = None
        if mend and not finding.holds:
            mended = repair(line, on_step) or False
        return cls(sheet, finding, stated, spare, least, mended)

    @property
    def line(self) -> Line:
        """The line."""
        return self.finding.line

    @property
    def attack(self) -> Attack | None:
        """The attack that breaks it."""
        return self.finding.attack

    @property
    def verdict(self) -> str:
        """In one word."""
        return "holds" if self.finding.holds else "breaks"

    @property
    def expected(self) -> bool:
        """Whether this is what the sheet states; if it states nothing, whether the line holds."""
        return self.verdict == (self.stated or "holds")

    # Telling.

    def text(self) -> Iterator[str]:
        """In sentences; the attack itself is shown as a table below them."""
        line, size = self.line, self.finding.size
        behind = _listed(sorted(line.behind))
        yield f"{len(line.board.units)} units protect {len(line.protected)} provinces; behind them: {behind}."
        without = f", without {_listed(line.missing)}" if line.missing else ""
        yield (
            f"Enemies: at most {line.enemies} units, armies or fleets, anywhere else{without}; {self._limit()}. None stands "
            "behind the line or is built there."
        )
        asked = (
            f"{size.questions} questions with {size.orders:,} possible orders of enemies, {size.variables:,} variables and "
            f"{size.clauses:,} clauses"
        )
        if self.attack is None:
            yield f"Holds, now and in every turn with these orders: no such enemies can enter. Proved: {asked}."
        else:
            yield f"Breaks: {len(self.attack.orders)} enemies enter {_listed(self.attack.entered)}. Found: {asked}."
        yield from self._more()
        if self.stated and not self.expected:
            yield f"The sheet states otherwise: finding: {self.stated}."
        if self.attack is not None:
            yield "The attack, judged:"

    def _limit(self) -> str:
        line = self.line
        centers = len(line.board.map.centers)
        if line.enemies >= centers - len(line.board.units):
            return f"there can be no more, as there are {centers} supply centres and the line has {len(line.board.units)} units"
        return "the proof is for no more than these"

    def _more(self) -> Iterator[str]:
        if self.spare is not None:
            yield f"Redundant, each by itself: {_listed(self.spare)}."
        if self.smallest is not None:
            gone = [unit for unit in self.line.board.units if unit not in self.smallest.board.units]
            yield f"Smallest part that holds: {len(self.smallest.board.units)} units; without {_listed(gone)}."
        if self.repaired is False:
            yield "No units more, behind the line or next to it, can make it hold."
        elif isinstance(self.repaired, Line):
            added = [order for place, order in self.repaired.orders.items() if place not in self.line.orders]
            yield f"Fewest units more that make it hold: {len(added)}: {'; '.join(map(str, added))}."

    def document(self) -> dict[str, Any]:
        """As plain data."""
        line = self.line
        found: dict[str, Any] = {
            "id": self.sheet.identity or None,
            "title": self.sheet.title,
            "line": [str(order) for order in line.orders.values()],
            "behind": sorted(line.behind),
            "enemies": line.enemies,
            "without": [str(missing) for missing in line.missing],
            "finding": self.verdict,
            "as_expected": self.expected,
            "size": asdict(self.finding.size),
        }
        if self.attack:
            found["attack"] = {
                "orders": [str(order) for order in self.attack.orders.values()],
                "entered": list(self.attack.entered),
                "units": by_power(self.attack.board.units),
                "results": self.attack.outcome.results,
            }
        if self.spare is not None:
            found["redundant"] = [str(unit) for unit in self.spare]
        if self.smallest is not None:
            found["smallest"] = [str(order) for order in self.smallest.orders.values()]
        if self.repaired is not None:
            found["repaired"] = [str(order) for order in self.repaired.orders.values()] if self.repaired else None
        return found

    def sheets(self) -> dict[str, str]:
        """As order sheets, by the names that their files are to have."""
        name = self.sheet.identity or "line"
        title = self.sheet.title
        found = {name: line_sheet(self.line, self.verdict, name, title, self.sheet.notes)}
        if self.attack:
            found[f"{name}-attack"] = attack_sheet(self.attack, f"{name}-attack", f"{title}: the attack")
        if self.smallest is not None:
            found[f"{name}-smallest"] = line_sheet(self.smallest, "holds", f"{name}-smallest", f"{title}: the smallest part")
        if isinstance(self.repaired, Line):
            found[f"{name}-repaired"] = line_sheet(self.repaired, "holds", f"{name}-repaired", f"{title}: repaired")
        return found


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things)) or "none"
