"""Restores the orders in results that satjudge printed: tables of its commands, and reports of games, as text or Markdown.

A table is recognised by its head, `Power Order Result`, and cut at the columns of the head; a report is recognised by its title
and its sections. Every line keeps its number, so that errors name the right line. Lines without orders become empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from satjudge.world.rules import DEFAULT_RULES

_CELL = re.compile(r"\S+(?: \S+)*")
_NONE = ("No orders.", "No orders: all units hold.")
"""The texts that are printed instead of a table without rows."""
_TITLE = re.compile(r"(?P<named>\S.*?)(?:  \[(?:[^\[\]]+, )?(?P<rules>[^\[\], ]+)\])?")
_CASE, _GAME = re.compile(r"([^\s:]+): (\S.*)"), re.compile(r".+: ([SFW]\d{1,9}[MRA])\b.*")
_REPORT = re.compile(r"(?:# )?.+: results of (\S.*)")
_RESULT = re.compile(r"(?:  |- `+ ?)(?P<order>\S.*?)(?:(?:  +| ?`+: \*\*)(?P<said>.*)|)")
"""An order in a report, ` A PAR H held`, or in Markdown, `- `A PAR H`: **held**`; a long order continues on another line."""
_BROKEN = re.compile(r" {6}(\S.*)")
_SILENT = ("no order", "not ordered")
"""Remarks on a unit that got no order."""


class _TableHead(NamedTuple):
    """The head of a table: the column of the power, and the columns where its order or orders begin and end."""

    power: int
    order: int
    end: int | None = None
    several: bool = False

    def cells(self, row: str) -> tuple[str, str, str]:
        """Return the power, the order and the remark in a table row; three empty strings if the line is not a row."""
        if row[max(self.order - 2, 0) : self.order].strip():
            return "", "", ""
        result = row[self.end :] if self.end is not None else ""
        return row[self.power : self.order].partition("  ")[0].strip(), row[self.order : self.end].strip(), result


def _read_table_head(line: str) -> _TableHead | None:
    if line in _NONE:
        return _TableHead(0, 0, 0)
    cells = {cell[0]: cell.start() for cell in _CELL.finditer(line)}
    begin = cells.get("Order", cells.get("Orders", -1))
    if not 0 <= cells.get("Power", -1) < begin:
        return None
    return _TableHead(cells["Power"], begin, min((at for at in cells.values() if at > begin), default=None), "Orders" in cells)


def restore_orders(text: str) -> str:
    """Return the orders in a table or report that satjudge printed, as the text of a sheet; any other text unchanged."""
    lines = [line.rstrip() for line in text.splitlines()]
    if not any(_read_table_head(line) or _REPORT.fullmatch(line) for line in lines):
        return text
    found, number, tables = [""] * len(lines), 0, 0
    while number < len(lines):
        if head := _read_table_head(lines[number]):
            tables += lines[number - 1] != "Retreats"
            above = _restore_heading(lines[number - 1], head, tables) if number else ("", "")
            found[max(number - 1, 0)], found[number] = above
            end = next((at for at in range(number + 1, len(lines)) if not lines[at] or _read_table_head(lines[at])), len(lines))
            for at, line in _iter_rows(lines, number + 1, end, head):
                found[at] += line
            number = end - 1
        elif report := _REPORT.fullmatch(lines[number]):
            found[number] = report[1].replace(" and ", " ")
            end = next((at for at in range(number, len(lines)) if lines[at].startswith("Judged by satjudge ")), len(lines))
            for at, line in _iter_report(lines, number + 1, end):
                found[at] += line
            number = end
        else:
            found[number] = lines[number]
        number += 1
    return "\n".join(found)


def _restore_heading(line_above: str, head: _TableHead, table_count: int) -> tuple[str, str]:
    """Return the sheet's lines for the case or phase, and for the rulebook, from the line above a table; "" for none."""
    title = _TITLE.fullmatch(line_above)
    if line_above == "Retreats" or title is None or not head.order:
        return line_above.lower() if line_above == "Retreats" else "", ""
    rules = title["rules"] if title["rules"] not in (None, DEFAULT_RULES) and not head.several else ""
    if game := _GAME.fullmatch(title["named"]):
        named = game[1]
    elif case := _CASE.fullmatch(title["named"]):
        named = f"case {case[1]}: {case[2]}"
    else:
        named = f"case {table_count}: {title['named']}" if table_count > 1 else ""
    return named, f"rules: {rules}" if rules else ""


def _iter_rows(lines: Sequence[str], start: int, end: int, head: _TableHead) -> Iterator[tuple[int, str]]:
    """Yield the text of each order in a table with its line's index; parts of a continued row have the first line's index."""
    row = start
    for number in range(start, end if head.order else start):
        power, order, result = head.cells(lines[number])
        if lines[number].startswith("Afterwards"):
            return
        if order and head.several and not power:
            yield row, f" {order}"
        elif order:
            row = number
            yield number, f"{f'{power}: ' * bool(power)}{_restore_order(order, result)}"


def _iter_report(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield each power's heading and each order in a report's section `Results`, with the index of its line."""
    section, row, last = "", start, start
    for number in range(start, end):
        line, below = lines[number], lines[number + 1] if number + 1 < end else ""
        if line.startswith("## ") or (line and set(below) == {"-"}):
            section = line.removeprefix("## ")
        elif section == "Results" and (broken := _BROKEN.fullmatch(line)) and last == number - 1:
            last = number
            yield row, f" {broken[1]}"
        elif section == "Results" and (result := _RESULT.fullmatch(line)):
            row = last = number
            yield number, _restore_order(result["order"], result["said"] or "")
        elif section == "Results" and line and line[0] not in " -":
            yield number, f"{line.removeprefix('### ')}:"


def _restore_order(order: str, remark: str) -> str:
    """Return an order as a sheet has it; if the remark says that there was none, the unit and "no order"."""
    return f"{order} {_SILENT[0]}" if remark.strip().startswith(_SILENT) else order
