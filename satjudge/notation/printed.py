"""Restores the orders in what satjudge printed of a phase: tables of its commands, and reports of a game, as text or Markdown.

A table is known by its head, `Power  Order  Result`, and cut where the head has its columns. Every line stays where it was, so
that errors name the right one; what says nothing of orders becomes empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from satjudge.world.rules import DEFAULT_RULES

_CELL = re.compile(r"\S+(?: \S+)*")
_TITLE = re.compile(r"(?P<named>\S.*?)(?:  \[(?:[^\[\]]+, )?(?P<rules>[^\[\], ]+)\])?")
_CASE = re.compile(r"(?P<identity>[^\s:]+): (?P<title>\S.*)")
_GAME = re.compile(r".+: (?P<phase>[SFW]\d{1,9}[MRA])\b.*")
_REPORT = re.compile(r"(?:# )?.+: results of (?P<phase>\S.*)")
_FOOT = re.compile(r"Judged by satjudge \S+, rulebook ")
_SECTION = re.compile(r"## (\S.*)")
_POWER = re.compile(r"### (\S.*)")
_ENTRY = re.compile(r"- `+ ?(?P<order>[^`]+?) ?`+: \*\*(?P<said>.*)")
_RESULTS, _RETREATS, _AFTERWARDS = "Results", "Retreats", "Afterwards"
_NONE = ("No orders.", "No orders: all units hold.")
"""What stands in the place of a table without rows."""
_SILENT = ("no order", "not ordered")
"""What is said of a unit that was given none."""
_INDENT, _BROKEN = "  ", "      "
"""Before an order in a report, and before the second line of one that is longer than others."""


class _Head(NamedTuple):
    """The head of a table: where the power stands, and where its order or orders begin and end."""

    power: int
    order: int
    end: int | None
    several: bool = False

    def cells(self, row: str) -> tuple[str, str, str] | None:
        """Return the power, the order and what is said of it; None for a line that is no row."""
        if row[max(self.order - 2, 0) : self.order].strip():
            return None
        said = row[self.end :] if self.end is not None else ""
        return row[self.power : self.order].partition("  ")[0].strip(), row[self.order : self.end].strip(), said


def restored_orders(text: str) -> str:
    """Restore the orders of what satjudge printed, as the lines of a sheet; a text that it did not print stays as it is."""
    lines = text.splitlines()
    if not any(_head_of(line) or _REPORT.fullmatch(line.rstrip()) for line in lines):
        return text
    return "\n".join(_Printed(lines).restored())


def _head_of(line: str) -> _Head | None:
    if line in _NONE:
        return _Head(0, 0, 0)
    cells = {cell[0]: cell.start() for cell in _CELL.finditer(line)}
    named = next((name for name in ("Order", "Orders") if name in cells), "")
    if not named or "Power" not in cells or cells["Power"] > cells[named] or "  " not in line.strip():
        return None
    end = min((start for start in cells.values() if start > cells[named]), default=None)
    return _Head(cells["Power"], cells[named], end, named == "Orders")


class _Printed:
    """The lines of what was printed, restored one by one."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.found = [""] * len(lines)
        self.head: _Head | None = None
        self.below = False
        """Whether the rows are those of the position afterwards."""
        self.row = 0
        """Where the row begins that is cut."""
        self.tables = 0

    def restored(self) -> list[str]:
        """Restore all lines."""
        in_report, section = False, ""
        for number, line in enumerate(self.lines):
            line = line.rstrip()
            if head := _head_of(line):
                self._begin_table(number, head)
            elif self.head and line:
                self.below = self.below or line.startswith(_AFTERWARDS)
                self._row(number, line)
            elif self.head:
                self.head = None
            elif report := _REPORT.fullmatch(line):
                in_report, self.found[number] = True, report["phase"].replace(" and ", " ")
            elif in_report:
                in_report = _FOOT.match(line) is None
                section = self._section(number, line) or section
                if section == _RESULTS:
                    self._reported(number, line)
            else:
                self.found[number] = line
        return self.found

    # ---- tables ----

    def _begin_table(self, number: int, head: _Head) -> None:
        self.head, self.below, self.row = head, not head.order, number
        above = self.lines[number - 1].rstrip() if number else ""
        if above == _RETREATS:
            self.found[number - 1] = _RETREATS.lower()
            return
        self.tables += 1
        title = _TITLE.fullmatch(above)
        if title is None:
            return
        self.found[number - 1] = self._heading(title["named"]) if head.order else ""
        if title["rules"] not in (None, DEFAULT_RULES) and head.order and not head.several:
            self.found[number] = f"rules: {title['rules']}"

    def _heading(self, named: str) -> str:
        """The line that begins a case, or names the phase of a game; empty for the name of a file."""
        if game := _GAME.fullmatch(named):
            return game["phase"]
        if case := _CASE.fullmatch(named):
            return f"case {case['identity']}: {case['title']}"
        return f"case {self.tables}: {named}" if self.tables > 1 else ""

    def _row(self, number: int, line: str) -> None:
        assert self.head is not None
        cells = self.head.cells(line)
        if self.below or cells is None or not cells[1]:
            return
        power, order, said = cells
        if self.head.several and not power:  # the row before goes on
            self.found[self.row] += f" {order}"
            return
        self.row = number
        self.found[number] = _line(power, order, said)

    # ---- reports ----

    def _section(self, number: int, line: str) -> str:
        """The section of a report that begins there, if one does."""
        marked = _SECTION.fullmatch(line)
        below = self.lines[number + 1].rstrip() if number + 1 < len(self.lines) else ""
        return marked[1] if marked else line if below and set(below) == {"-"} else ""

    def _reported(self, number: int, line: str) -> None:
        if entry := _ENTRY.match(line):
            self.found[number] = _line("", entry["order"], entry["said"])
        elif power := _POWER.fullmatch(line):
            self.found[number] = f"{power[1]}:"
        elif line.startswith(_BROKEN) and not line[len(_BROKEN)].isspace() and self.found[number - 1].startswith(_INDENT):
            self.found[self.row] += f" {line.strip()}"
        elif line.startswith(_INDENT) and not line[len(_INDENT)].isspace():
            order, _, said = line.strip().partition("  ")
            self.row, self.found[number] = number, f"{_INDENT}{_line('', order, said)}"
        elif line and line[0].isalnum() and line != _RESULTS:
            self.found[number] = f"{line}:"


def _line(power: str, order: str, said: str) -> str:
    """The line of a sheet for an order of a power, which is named with its first one."""
    silent = f" {_SILENT[0]}" if said.strip().startswith(_SILENT) else ""
    return f"{f'{power}: ' * bool(power)}{order}{silent}".rstrip()
