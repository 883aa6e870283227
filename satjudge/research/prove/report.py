"""All that was asked about one line, and how it is told: in sentences, as plain data and as order sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from satjudge.board import Unit, by_power
from satjudge.notation.sheet_writer import file_name
from satjudge.notation.sheets import Sheet
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.examine import Finding, examine, redundant, smallest
from satjudge.research.prove.line import Line
from satjudge.research.prove.repair import repair
from satjudge.research.prove.sheets import attack_sheet, line_sheet
from satjudge.words import number_of


@dataclass(frozen=True)
class Report:
    """What was found of a line. What was not asked, or makes no sense for what was found, is None.

    `stated` is what the sheet says was found of this line; None if it says nothing, or another question was asked.
    `repaired` is False where no further units can make the line hold. `moot` says what was asked but made no sense.
    """

    sheet: Sheet
    finding: Finding
    stated: str | None = None
    spare: list[Unit] | None = None
    smallest: Line | None = None
    repaired: Line | Literal[False] | None = None
    moot: tuple[str, ...] = ()

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
        moot = tuple(_moot(finding.holds, cheapest=cheapest, thin=thin, mend=mend))
        return cls(sheet, finding, stated, spare, least, mended, moot)

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
        yield from self._question()
        size = self.finding.size
        asked = (
            f"{number_of(size.questions, 'question')} with {size.orders:,} possible orders of enemies, "
            f"{size.variables:,} variables and {size.clauses:,} clauses"
        )
        if self.attack is None:
            yield f"Holds, now and in every turn with these orders: no such enemies can enter. Proved: {asked}."
        else:
            enemies = number_of(len(self.attack.orders), "enemy", "enemies")
            yield f"Breaks: an attack of {enemies} enters {_listed(self.attack.entered)}. Found: {asked}."
        yield from self._more()
        yield from (f"Note: {remark}." for remark in (*self.line.remarks, *self.moot))
        if self.stated and not self.expected:
            yield f"The sheet states otherwise: finding: {self.stated}."
        if self.attack is not None:
            yield "The attack, judged:"

    def _question(self) -> Iterator[str]:
        """What is protected, against whom."""
        line = self.line
        units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "province")
        protect, them = ("protects", "it") if len(line.board.units) == 1 else ("protect", "them")
        yield f"{units} {protect} {provinces}; behind {them}: {_listed(sorted(line.behind))}."
        without = f", without {_listed(line.missing)}" if line.missing else ""
        yield (
            f"Enemies: at most {number_of(line.enemies, 'unit')}, armies or fleets, anywhere else{without}; {self._limit()}. "
            "None stands behind the line or is built there."
        )

    def _limit(self) -> str:
        line = self.line
        centers, units = len(line.board.map.centers), len(line.board.units)
        if line.enemies >= centers - units:
            more = "no more" if line.enemies == centers - units else f"no more than {centers - units}"
            return f"there can be {more}, as there are {centers} supply centres and the line has {number_of(units, 'unit')}"
        return "the proof is for no more than these"

    def _more(self) -> Iterator[str]:
        if self.spare is not None:
            yield f"Redundant, each by itself: {_listed(self.spare)}."
        if self.smallest is not None:
            gone = [unit for unit in self.line.board.units if unit not in self.smallest.board.units]
            units = number_of(len(self.smallest.board.units), "unit")
            yield f"Smallest part that holds: {units}; without {_listed(gone)}."
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
            "remarks": [*line.remarks, *self.moot],
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

    @property
    def name(self) -> str:
        """What the line is called, and its sheets are called after."""
        return self.sheet.identity or file_name(Path(self.sheet.source_file).stem)

    def sheets(self, name: str) -> dict[str, str]:
        """As order sheets, by the names that their files are to have. What is the line itself is no sheet of its own."""
        title = self.sheet.title
        found = {name: line_sheet(self.line, self.verdict, name, title, self.sheet.notes)}
        if self.attack:
            found[f"{name}-attack"] = attack_sheet(self.attack, f"{name}-attack", _titled(title, "the attack"))
        if self.smallest is not None and len(self.smallest.board.units) < len(self.line.board.units):
            part = _titled(title, "the smallest part")
            found[f"{name}-smallest"] = line_sheet(self.smallest, "holds", f"{name}-smallest", part)
        if isinstance(self.repaired, Line):
            found[f"{name}-repaired"] = line_sheet(self.repaired, "holds", f"{name}-repaired", _titled(title, "repaired"))
        return found


def _moot(holds: bool, *, cheapest: bool, thin: bool, mend: bool) -> Iterator[str]:
    """Why something was asked in vain."""
    if holds and cheapest:
        yield "there is no cheapest attack: the line holds"
    if holds and mend:
        yield "there is nothing to repair: the line holds"
    if thin and not holds:
        yield "no unit is redundant: the line breaks as it is"


def _titled(title: str, part: str) -> str:
    return f"{title}: {part}" if title else part


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things)) or "none"
