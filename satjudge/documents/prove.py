"""All that was asked about a line by `satjudge prove`, and how it is told: as a document, in sentences and as order sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.board import Unit, by_power
from satjudge.documents import Made, made_by
from satjudge.geography import Power
from satjudge.judge import judge
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import file_name, sheet_text
from satjudge.orders import MovementOrder
from satjudge.research.lines import Line
from satjudge.research.prove import Attack, Finding, Size, examine, redundant, repair, smallest


class AttackDocument(msgspec.Struct):
    """Enemies with their orders, the protected provinces that they enter, and the whole position with its verdicts."""

    orders: list[str]
    entered: list[str]
    units: Mapping[Power, Sequence[str]]
    results: Mapping[Power, Sequence[str]]


class ProveCase(Made, kw_only=True):
    """What was found of a line; parts that were not asked for are left out. `repaired` is null where nothing can mend it."""

    id: str | None
    title: str
    line: list[str]
    behind: list[str]
    enemies: int
    without: list[str]
    finding: str
    """`holds` or `breaks`."""
    as_expected: bool
    size: Size
    remarks: list[str]
    attack: AttackDocument | UnsetType = UNSET
    redundant: list[str] | UnsetType = UNSET
    smallest: list[str] | UnsetType = UNSET
    repaired: list[str] | UnsetType | None = UNSET


class ProveDocument(msgspec.Struct):
    """One for each line of a file."""

    cases: list[ProveCase]


def _texts(line: Line) -> list[str]:
    return list(map(str, line.orders.values()))


def _attack(attack: Attack) -> AttackDocument:
    units, orders = by_power(attack.board.units), list(map(str, attack.orders.values()))
    return AttackDocument(orders, list(attack.entered), units, attack.outcome.results)


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

    def document(self) -> ProveCase:
        """As a document."""
        line, found = self.line, self.finding
        return ProveCase(
            **made_by(line.rulebook),
            id=self.sheet.identity or None,
            title=self.sheet.title,
            line=_texts(line),
            behind=sorted(line.behind),
            enemies=line.enemies,
            without=list(map(str, line.missing)),
            finding=self.verdict,
            as_expected=self.expected,
            size=found.size,
            remarks=[*line.remarks, *self.moot],
            attack=_attack(found.attack) if found.attack else UNSET,
            redundant=UNSET if self.spare is None else list(map(str, self.spare)),
            smallest=UNSET if self.smallest is None else _texts(self.smallest),
            repaired=UNSET if self.repaired is None else (_texts(self.repaired) if self.repaired else None),
        )

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


# Sheets, which `satjudge check` and `satjudge prove` read again.


def line_sheet(line: Line, finding: str, identity: str, title: str, notes: Mapping[str, Sequence[str]] | None = None) -> str:
    """A line with what lies behind it and what was found of it."""
    told = {"behind": [" ".join(sorted(line.behind)) or "none"]}
    if line.missing:
        told["without"] = [", ".join(map(str, line.missing))]
    orders: dict[Power, list[MovementOrder]] = {}
    for unit in line.board.units:
        orders.setdefault(unit.power, []).append(line.orders[unit.province])
    return sheet_text(
        line.board,
        orders,
        identity=identity,
        title=title,
        rules=line.rulebook.name,
        notes={**(notes or {}), **told, "finding": [finding]},
        expected=judge(line.board, orders, rulebook=line.rulebook).results,
    )


def attack_sheet(attack: Attack, identity: str, title: str, notes: Mapping[str, Sequence[str]] | None = None) -> str:
    """An attack on a line, with the judge's verdicts."""
    return sheet_text(
        attack.board,
        attack.by_power,
        identity=identity,
        title=title,
        rules=attack.line.rulebook.name,
        notes=notes,
        expected=attack.outcome.results,
    )
