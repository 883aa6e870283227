"""A line of units that hold and support each other, what lies behind it, which enemies there may be; read from order sheets.

The line is a position with orders for one side; three lines of text say what a sheet cannot otherwise: `behind: PAR MAR` (or
`none`), `without: F VEN, F BLA` and `finding: holds` (what `satjudge prove` is to find; docs/prove.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TypeAlias, TypeVar

from satjudge.board import Board, Unit
from satjudge.errors import SheetError, located
from satjudge.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.legality import sort_out
from satjudge.notation.parse import parse_location
from satjudge.notation.sheets import Sheet
from satjudge.orders import Hold, MovementOrder, SupportHold
from satjudge.rules import Rulebook
from satjudge.unknown.universe import check_board
from satjudge.words import brief


@dataclass(frozen=True, slots=True)
class Missing:
    """A kind of enemy unit that cannot exist: `"F VEN"`, `"VEN"` (no unit there) or `"F"` (no fleet anywhere)."""

    kind: UnitKind | None
    location: Location | None

    def covers(self, kind: UnitKind, location: Location) -> bool:
        """Whether such a unit is meant; a province means all its coasts."""
        return self.kind in (None, kind) and self.location in (None, location, province_of(location))

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.location) if part)


@dataclass(frozen=True)
class Line:
    """Units with the orders that they repeat every turn, and who may attack them.

    `board` holds the units of the line alone, `orders` a legal hold or support to hold for each. No enemy stands in a
    `protected` province, and none is to enter one. `enemies` is how many enemy units there may be at most,
    `remarks` what was noticed when the line was read.
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    rulebook: Rulebook
    behind: frozenset[ProvinceCode]
    missing: tuple[Missing, ...] = ()
    enemies: int = 34
    remarks: tuple[str, ...] = ()

    __repr__ = brief

    @cached_property
    def protected(self) -> frozenset[ProvinceCode]:
        """The provinces of the line, and those behind it."""
        return self.behind.union(self.board.unit_at)

    @cached_property
    def enemy_units(self) -> tuple[tuple[UnitKind, Location], ...]:
        """Every unit that an enemy may have, in a stable order."""
        return tuple(
            (kind, place)
            for kind, place in all_units(self.board.map)
            if province_of(place) not in self.protected and not any(missing.covers(kind, place) for missing in self.missing)
        )

    def keeping(self, provinces: Iterable[ProvinceCode]) -> Line:
        """The same line with just the units in these provinces. What was protected still is, against as many enemies.

        A unit whose support has lost its object holds.
        """
        kept = frozenset(provinces)
        units = tuple(unit for unit in self.board.units if unit.province in kept)
        orders = {
            province: Hold(order.unit) if isinstance(order, SupportHold) and order.supported.province not in kept else order
            for province, order in self.orders.items()
            if province in kept
        }
        return replace(self, board=replace(self.board, units=units), orders=orders, behind=self.protected - kept)

    def extended(self, units: Mapping[Unit, MovementOrder]) -> Line:
        """The same line with more units, wherever they stand; their provinces are protected as well."""
        board = replace(self.board, units=(*self.board.units, *units))
        orders = {**self.orders, **{unit.province: order for unit, order in units.items()}}
        return replace(self, board=board, orders=orders, behind=self.protected - frozenset(board.unit_at))


def all_units(game_map: Map) -> list[tuple[UnitKind, Location]]:
    """Every kind of unit in every location where it can be, in a stable order."""
    places = sorted({*game_map.provinces, *game_map.fleet})
    return [(kind, place) for place in places for kind in UnitKind if game_map.problem_with(kind, place) is None]


def cut_off(game_map: Map, line: frozenset[ProvinceCode]) -> frozenset[ProvinceCode]:
    """What units in these provinces cut off from the largest part of the map, by land and by water."""
    unseen = set(game_map.provinces) - line
    parts: list[set[ProvinceCode]] = []
    while unseen:
        part, edge = set[ProvinceCode](), {min(unseen)}
        while edge:
            part |= edge
            edge = {near for code in edge for near in game_map.neighbours[code]} - line - part
        parts.append(part)
        unseen -= part
    parts.sort(key=lambda part: (-len(part), min(part)))
    return frozenset(chain.from_iterable(parts[1:]))


# Lines as sheets describe them.

T = TypeVar("T")
Reader: TypeAlias = Callable[[str, Map], Iterable[T]]
"""Reads what is written behind `behind:` or `without:`."""


def line_from(
    sheet: Sheet, rulebook: Rulebook, *, behind: str | None = None, without: Iterable[str] = (), enemies: int | None = None
) -> Line:
    """The line that a sheet describes; arguments go before (`behind`) or add to (`without`) what the sheet says.

    Without either, what lies behind is every part of the map that the line cuts off from the largest part. There may be
    as many enemies as the map has supply centres beyond one for each unit of the line: no more units can exist than
    centres. Raises `InputError` for what is no line.
    """
    board = sheet.board
    with located(sheet.source_file, sheet.line):
        check_board(board)
        orders = _orders(sheet, board, rulebook)
    protected = frozenset(board.unit_at)
    told = _of_sheet(sheet, "behind", provinces_in)
    if behind is not None:
        told = _of_options("behind", [behind], provinces_in, board.map)
    rear = cut_off(board.map, protected) if told is None else frozenset(told) - protected
    missing = (*(_of_sheet(sheet, "without", _missing) or ()), *missing_units(without, board.map))
    most = max(0, len(board.map.centers) - len(board.units))
    remarks = tuple(_remarks(sheet, protected.intersection(told or ())))
    return Line(board, orders, rulebook, rear, tuple(dict.fromkeys(missing)), most if enemies is None else enemies, remarks)


def _of_sheet(sheet: Sheet, key: str, read: Reader[T]) -> list[T] | None:
    """What the lines `key:` of a sheet say; None if there are none."""
    if key not in sheet.notes:
        return None
    found: list[T] = []
    for text, (line, column) in zip(sheet.notes[key], sheet.note_lines[key], strict=True):
        with located(sheet.source_file, line, offset=column - 1):
            found += read(text, sheet.map)
    return found


def _of_options(name: str, texts: Iterable[str], read: Reader[T], game_map: Map) -> list[T]:
    """What an option says, however often it is given."""
    with located(f"--{name}"):
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
    return {unit.province: docket.orders.get(unit.province, Hold(unit.named)) for unit in board.units}


def provinces_in(text: str, game_map: Map, offset: int = 0) -> Iterator[ProvinceCode]:
    """Read `POR SPA`, or `Portugal, Spain`, which stands so far to the right. Raises `InputError`."""
    if text.strip().lower() != "none":
        for match in re.finditer(r"[^\s,][^,]*" if "," in text else r"\S+", text):
            yield province_of(_location(match[0], offset + match.start(), game_map))


def missing_units(texts: Iterable[str], game_map: Map) -> tuple[Missing, ...]:
    """What `--without "F VEN, BLA"` says, however often it is given. Raises `InputError`."""
    return tuple(_of_options("without", texts, _missing, game_map))


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
    with located(offset=offset):
        return parse_location(text, game_map)
