"""Lines of units as order sheets describe them.

The line is a position with orders for one side; three lines of text say what a sheet cannot otherwise: `behind: PAR MAR` (or
`none`), `without: F VEN, F BLA` and `finding: holds` (what `satjudge prove` is to find; docs/prove.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from satjudge.board import Board
from satjudge.errors import InputError, SheetError
from satjudge.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.legality import sort_out
from satjudge.notation.parse import parse_location
from satjudge.notation.sheets import Sheet
from satjudge.orders import Hold, MovementOrder, Named, SupportHold
from satjudge.research.prove.line import Line, Missing, all_units, cut_off
from satjudge.rules import Rulebook

T = TypeVar("T")
Reader: TypeAlias = Callable[[str, Map], Iterable[T]]
"""Reads what is written behind `behind:` or `without:`."""


def line_from(
    sheet: Sheet,
    rulebook: Rulebook,
    *,
    behind: str | None = None,
    without: Iterable[str] = (),
    enemies: int | None = None,
) -> Line:
    """The line that a sheet describes; arguments go before (`behind`) or add to (`without`) what the sheet says.

    Without either, what lies behind is every part of the map that the line cuts off from the largest part. There may be
    as many enemies as the map has supply centres beyond one for each unit of the line: no more units can exist than
    centres. Raises `InputError` for what is no line.
    """
    board = sheet.board
    with _placed(sheet.source_file, sheet.line):
        orders = _orders(sheet, board, rulebook)
    protected = frozenset(board.unit_at)
    told = _of_sheet(sheet, "behind", _provinces)
    if behind is not None:
        told = _of_options("behind", [behind], _provinces, board.map)
    rear = cut_off(board.map, protected) if told is None else frozenset(told) - protected
    missing = (*(_of_sheet(sheet, "without", _missing) or ()), *_of_options("without", without, _missing, board.map))
    most = max(0, len(board.map.centers) - len(board.units))
    remarks = tuple(_remarks(sheet, protected.intersection(told or ())))
    return Line(board, orders, rulebook, rear, tuple(dict.fromkeys(missing)), most if enemies is None else enemies, remarks)


@contextmanager
def _placed(source: str, line: int | None = None, column: int = 1) -> Iterator[None]:
    """Tells errors where the text stands that is read: in a sheet, or in an option."""
    try:
        yield
    except InputError as error:
        raise error.at(source=error.source or source, line=error.line or line, offset=column - 1) from None


def _of_sheet(sheet: Sheet, key: str, read: Reader[T]) -> list[T] | None:
    """What the lines `key:` of a sheet say; None if there are none."""
    if key not in sheet.notes:
        return None
    found: list[T] = []
    for text, (line, column) in zip(sheet.notes[key], sheet.note_lines[key], strict=True):
        with _placed(sheet.source_file, line, column):
            found += read(text, sheet.map)
    return found


def _of_options(name: str, texts: Iterable[str], read: Reader[T], game_map: Map) -> list[T]:
    """What an option says, however often it is given."""
    with _placed(f"--{name}"):
        return [thing for text in texts for thing in read(text, game_map)]


def _remarks(sheet: Sheet, occupied: Iterable[ProvinceCode]) -> Iterator[str]:
    """What whoever wrote the sheet may not have meant."""
    if places := ", ".join(sorted(occupied)):
        yield f"{places} need not be named as behind the line: its own units stand there"
    if any(told.expected not in (None, "stands", "given") for told in sheet.orders):
        yield "verdicts on a sheet are not looked at here; satjudge check compares them"


def finding_of(sheet: Sheet) -> str | None:
    """What a sheet states of its line, if it does: that it holds, or breaks. Raises `SheetError` for anything else."""
    told = [finding.lower() for finding in sheet.notes.get("finding", ())]
    if told and set(told) not in ({"holds"}, {"breaks"}):
        hint = "write finding: holds, or finding: breaks"
        raise SheetError(f"{', '.join(told)} is no finding", source=sheet.source_file, line=sheet.line, suggestion=hint)
    return told[0] if told else None


def _orders(sheet: Sheet, board: Board, rulebook: Rulebook) -> dict[ProvinceCode, MovementOrder]:
    """What each unit does; one without an order holds."""
    if {unit.power for unit in board.units}.issuperset(board.map.powers):
        raise SheetError("every power has units in this line, so it has no enemies")
    if sheet.has_retreats:
        raise SheetError("a line has no retreats: it holds or breaks before", line=sheet.retreats_line)
    if not board.units:
        raise SheetError("there are no units to make a line", suggestion="write a power and its orders: France: A PAR H")
    for told in sheet.orders:
        if not isinstance(told.order, Hold | SupportHold):
            hint = "units of a line hold or support each other where they stand"
            raise SheetError(f"{told.order} is no order for a line", line=told.line, suggestion=hint)
    docket = sort_out(board, sheet.orders_by_power(), rulebook)
    for power, entries in docket.entries.items():
        given = (told for told in sheet.orders if told.power == power)
        for told, entry in zip(given, entries, strict=True):
            if entry.reason is not None:
                raise SheetError(f"{told.order} is illegal: {entry.reason}", line=told.line)
    if docket.unsupportable:
        alone = ", ".join(sorted(docket.unsupportable))
        raise SheetError(f"{rulebook.name} lets nobody support units without orders: order {alone} to hold")
    return {unit.province: docket.orders.get(unit.province, Hold(Named(unit.kind, unit.location))) for unit in board.units}


def _provinces(text: str, game_map: Map) -> Iterator[ProvinceCode]:
    """Read `POR SPA`, or `Portugal, Spain`."""
    if text.strip().lower() != "none":
        for match in re.finditer(r"[^\s,][^,]*" if "," in text else r"\S+", text):
            yield province_of(_location(match[0], match.start(), game_map))


def _missing(text: str, game_map: Map) -> Iterator[Missing]:
    """Read `F VEN, BLA, A`."""
    for match in re.finditer(r"(?=[^\s,])(?:(?P<kind>[AF])(?:\s+|(?=,)|$))?(?P<place>[^,]*)", text, re.IGNORECASE):
        kind = UnitKind(match["kind"].upper()) if match["kind"] else None
        missing = Missing(kind, _location(match["place"], match.start("place"), game_map) if match["place"].strip() else None)
        if not any(missing.covers(*standing) for standing in all_units(game_map)):
            hint, column = "write F VEN, or VEN, or F", match.start() + 1
            raise SheetError(f"there is no unit {match[0]} that could be missing", column=column, suggestion=hint)
        yield missing


def _location(text: str, offset: int, game_map: Map) -> Location:
    """A location that stands so far to the right."""
    with _placed("", column=offset + 1):
        return parse_location(text, game_map)
