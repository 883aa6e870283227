"""A line of units that hold and support each other, what lies behind it, and which enemies there may be.

On an order sheet the line is a position with orders for one side; three lines of text say what a sheet cannot otherwise:
`behind: PAR MAR` (or `none`), `without: F VEN, F BLA` and `finding: holds` (what `satjudge prove` is to find; docs/prove.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from satjudge.board import Board, Unit
from satjudge.errors import BoardError, InputError, SheetError
from satjudge.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.legality import sort_out
from satjudge.notation.parse import parse_location
from satjudge.notation.sheets import Sheet
from satjudge.orders import Hold, MovementOrder, Named, SupportHold
from satjudge.rules import Rulebook


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
    `protected` province, and none is to enter one. `enemies` is how many enemy units there may be at most.
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    rulebook: Rulebook
    behind: frozenset[ProvinceCode]
    missing: tuple[Missing, ...] = ()
    enemies: int = 34

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
            province: order if _stands(order, kept) else Hold(order.unit)
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


def _stands(order: MovementOrder, provinces: frozenset[ProvinceCode]) -> bool:
    return not isinstance(order, SupportHold) or order.supported.province in provinces


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
    try:
        board = sheet.board
        orders = _orders(sheet, board, rulebook)
        protected = frozenset(board.unit_at)
        told = behind if behind is not None else " ".join(sheet.notes.get("behind", ())) or None
        rear = cut_off(board.map, protected) if told is None else _provinces(told, board.map) - protected
        missing = _missing(", ".join((*sheet.notes.get("without", ()), *without)), board.map)
    except BoardError:
        raise
    except InputError as error:
        raise error.at(source=error.source or sheet.source_file, line=error.line or sheet.line) from None
    most = max(0, len(board.map.centers) - len(board.units))
    return Line(board, orders, rulebook, rear, missing, most if enemies is None else enemies)


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


def _provinces(text: str, game_map: Map) -> frozenset[ProvinceCode]:
    names = text.split("," if "," in text else None) if text.strip().lower() != "none" else ()
    return frozenset(province_of(parse_location(name.strip(), game_map)) for name in names if name.strip())


def _missing(text: str, game_map: Map) -> tuple[Missing, ...]:
    """Read `F VEN, BLA, A`."""
    found = []
    for name in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(?:(?P<kind>[AF])(?:\s+|$))?(?P<place>.*)", name, re.IGNORECASE)
        assert match is not None  # everything can be left out
        kind = UnitKind(match["kind"].upper()) if match["kind"] else None
        location = parse_location(match["place"], game_map) if match["place"] else None
        missing = Missing(kind, location)
        if not any(missing.covers(*standing) for standing in all_units(game_map)):
            raise SheetError(f"there is no unit {name} that could be missing", suggestion="write F VEN, or VEN, or F")
        found.append(missing)
    return tuple(dict.fromkeys(found))
