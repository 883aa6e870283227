"""Reads lines in which a unit may stand in one of several places, or be of either kind: `A BUD or VIE`, `U PIE`.

A sheet orders the first of them, and a note `either` names all (satjudge/notation/sheet_reader.py). Each place makes a separate
line. The kind of a unit makes none: holds and supports count the same from an army or a fleet, and enemies ignore the kind of
what they attack; so one proof covers both, if both may be ordered so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from satjudge.base.errors import InputError, SheetError, locate_errors
from satjudge.notation.parse import parse_location
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.search.lines.line import Line
from satjudge.world.board import Unit
from satjudge.world.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, Move, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

_KINDS = {"a": UnitKind.ARMY, "f": UnitKind.FLEET}
Standing = tuple[UnitKind, Location]


@dataclass(frozen=True, slots=True)
class _UnitChoice:
    """A choice of units, exactly one of which stands there; the orders of the sheet name the first."""

    units: tuple[Standing, ...]
    text: str
    line: int
    column: int

    @property
    def province(self) -> ProvinceCode:
        """The province where the first unit stands."""
        return province_of(self.units[0][1])

    @property
    def is_kind_choice(self) -> bool:
        """Return whether the units differ by kind, not by place."""
        return len({province_of(place) for _, place in self.units}) == 1


def list_variants(sheet: Sheet) -> list[Sheet]:
    """List the sheets that a sheet with choices of places stands for, one for each choice; else the sheet itself."""
    found = [either for either in _parse_unit_choices(sheet) if not either.is_kind_choice]
    moving = any(isinstance(told.order, Move | SupportMove) for told in sheet.orders) or "then" in sheet.notes
    for either in _parse_unit_choices(sheet) if moving else ():
        hint = "write a case for each; in further positions (then:) the unit is the one that is there"
        what = f"{either.text}: in a line that moves, each of them is a separate question"
        raise SheetError(what, source=sheet.source_file, line=either.line, column=either.column, suggestion=hint)
    if not found:
        return [sheet]
    notes = [note for note in zip(*_list_either_notes(sheet), strict=True) if note[0] not in [either.text for either in found]]
    lines = []
    for choice in product(*(either.units for either in found)):
        chosen = sheet
        for either, unit in zip(found, choice, strict=True):
            chosen = _replace_unit(chosen, either.province, *unit)
        names = [f"{kind} {place}" for kind, place in choice]
        codes = "-".join(place.lower().replace("/", "-") for _, place in choice)
        lines.append(
            replace(
                chosen,
                identity=f"{sheet.identity}-{codes}" if sheet.identity else codes,
                title=f"{sheet.title} ({', '.join(names)})".strip(),
                notes={**chosen.notes, "either": [text for text, _ in notes]},
                note_lines={**chosen.note_lines, "either": [place for _, place in notes]},
            )
        )
    return lines


def parse_either_kind(sheet: Sheet, rulebook: Rulebook, read: Callable[[Sheet, Rulebook], Line]) -> Line:
    """Parse the line of a sheet; raise `InputError` if a unit that may be army or fleet can only be one of them.

    Raises `InputError` if a unit of either kind can only be of one.
    """
    found = [either for either in _parse_unit_choices(sheet) if either.is_kind_choice]
    for either in found:
        able, problems = [], []
        for unit in either.units:
            try:
                read(_replace_unit(sheet, either.province, *unit), rulebook)
                able.append(unit[0])
            except InputError as error:
                problems.append(error)
        if len(able) == 1:
            only = f"only {'an army' if able[0] is UnitKind.ARMY else 'a fleet'} can do this: {problems[0].message}"
            hint = f"write {able[0]} {either.text.split()[1]}"
            raise SheetError(only, source=sheet.source_file, line=either.line, column=either.column, suggestion=hint)
        if not able:
            raise problems[-1]
    line = read(sheet, rulebook)
    told = tuple(f"{either.province}: army or fleet, it makes no difference" for either in found)
    return replace(line, remarks=(*line.remarks, *told))


def _list_either_notes(sheet: Sheet) -> tuple[list[str], list[tuple[int, int]]]:
    return sheet.notes.get("either", []), sheet.note_lines.get("either", [])


def _parse_unit_choices(sheet: Sheet) -> Iterator[_UnitChoice]:
    """Yield the choices of units in the notes `either` of a sheet; raises `InputError`."""
    for text, (line, column) in zip(*_list_either_notes(sheet), strict=True):
        with locate_errors(sheet.source_file, line, offset=column - 1):
            yield _UnitChoice(tuple(_parse_units(text, sheet.map)), text, line, column)


def _parse_units(text: str, game_map: Map) -> Iterator[Standing]:
    """Yield the units in `U PIE` (an army or a fleet), or in `A BUD or VIE or RUM`."""
    match = re.fullmatch(r"(?P<kind>[UAF])\w*\s+(?P<places>\w.*)", text.strip(), re.IGNORECASE)
    places = re.split(r"(?<!\s)\s+or\s+", match["places"]) if match else []
    if not match or (len(places) == 1) != (match["kind"].upper() == "U"):
        raise SheetError(f"{text[:60]!r} does not name alternative units", suggestion="write U PIE, or A BUD or VIE")
    for place in places:
        location = parse_location(place, game_map)
        kinds = UnitKind if match["kind"].upper() == "U" else (_KINDS[match["kind"].lower()],)
        yield from ((kind, province_of(location) if kind is UnitKind.ARMY else location) for kind in kinds)


def _replace_unit(sheet: Sheet, province: ProvinceCode, kind: UnitKind, place: Location) -> Sheet:
    """Return the sheet with a unit of this kind and place in a province, which stays protected if the unit leaves it."""

    def rename_unit(unit_name: Named) -> Named:
        return Named(unit_name.kind and kind, place, unit_name.power) if unit_name.province == province else unit_name

    def rewrite_order(sheet_order: SheetOrder) -> SheetOrder:
        match sheet_order.order:
            case Hold(unit):
                return replace(sheet_order, order=Hold(rename_unit(unit)))
            case SupportHold(unit, supported):
                return replace(sheet_order, order=SupportHold(rename_unit(unit), rename_unit(supported)))
        return sheet_order

    owned = [Unit(unit.power, kind, place) if unit.province == province else unit for unit in sheet.owned]
    notes, lines = dict(sheet.notes), dict(sheet.note_lines)
    if "behind" in notes and province != province_of(place):
        notes["behind"], lines["behind"] = [*notes["behind"], province], [*lines["behind"], lines["behind"][-1]]
    return replace(sheet, orders=[*map(rewrite_order, sheet.orders)], owned=owned, notes=notes, note_lines=lines)
