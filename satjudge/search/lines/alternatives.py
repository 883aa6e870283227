"""Reads lines that leave open where a unit stands (`A BUD or VIE`) or whether it is an army or a fleet (`U PIE`).

The sheet orders the first alternative, and a note `either` names them all (satjudge/notation/sheet_reader.py). Each place makes
a separate line. The kind of a unit does not: armies and fleets have the same effect when they hold or support, and when they
are attacked. So one proof covers both kinds, if both can be given the order.
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
    """Alternative units, exactly one of which is on the board; the orders of the sheet name the first."""

    units: tuple[Standing, ...]
    text: str
    line: int
    column: int

    @property
    def province(self) -> ProvinceCode:
        """The province where the first alternative stands."""
        return province_of(self.units[0][1])

    @property
    def is_kind_choice(self) -> bool:
        """Return whether the alternatives differ in kind, not in place."""
        return len({province_of(place) for _, place in self.units}) == 1


def list_variants(sheet: Sheet) -> list[Sheet]:
    """Return a sheet for each combination of the sheet's alternative places; only the sheet itself if it has none."""
    found = [either for either in _parse_unit_choices(sheet) if not either.is_kind_choice]
    moving = any(isinstance(entry.order, Move | SupportMove) for entry in sheet.orders) or "then" in sheet.notes
    for either in _parse_unit_choices(sheet) if moving else ():
        hint = "write a separate case for each; in further positions (then:), name the unit that stands there"
        problem = f"{either.text}: a line that moves cannot have alternative units"
        raise SheetError(problem, source=sheet.source_file, line=either.line, column=either.column, suggestion=hint)
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


def parse_either_kind(sheet: Sheet, rulebook: Rulebook, parse_line: Callable[[Sheet, Rulebook], Line]) -> Line:
    """Parse the line of a sheet, after checking that units of either kind (`U PIE`) can be both, and add remarks on these.

    Raises `InputError` if one of these units can only be an army, or only a fleet.
    """
    found = [either for either in _parse_unit_choices(sheet) if either.is_kind_choice]
    for either in found:
        able, problems = [], []
        for unit in either.units:
            try:
                parse_line(_replace_unit(sheet, either.province, *unit), rulebook)
                able.append(unit[0])
            except InputError as error:
                problems.append(error)
        if len(able) == 1:
            only = f"only {'an army' if able[0] is UnitKind.ARMY else 'a fleet'} can do this: {problems[0].message}"
            hint = f"write {able[0]} {either.text.split()[1]}"
            raise SheetError(only, source=sheet.source_file, line=either.line, column=either.column, suggestion=hint)
        if not able:
            raise problems[-1]
    line = parse_line(sheet, rulebook)
    remarks = tuple(f"{either.province}: army or fleet makes no difference" for either in found)
    return replace(line, remarks=(*line.remarks, *remarks))


def _list_either_notes(sheet: Sheet) -> tuple[list[str], list[tuple[int, int]]]:
    return sheet.notes.get("either", []), sheet.note_lines.get("either", [])


def _parse_unit_choices(sheet: Sheet) -> Iterator[_UnitChoice]:
    """Yield the alternatives in each note `either` of a sheet; raises `InputError`."""
    for text, (line, column) in zip(*_list_either_notes(sheet), strict=True):
        with locate_errors(sheet.source_file, line, offset=column - 1):
            yield _UnitChoice(tuple(_parse_units(text, sheet.map)), text, line, column)


def _parse_units(text: str, game_map: Map) -> Iterator[Standing]:
    """Yield the units in a text such as `U PIE` (an army, then a fleet) or `A BUD or VIE or RUM`."""
    match = re.fullmatch(r"(?P<kind>[UAF])\w*\s+(?P<places>\w.*)", text.strip(), re.IGNORECASE)
    places = re.split(r"(?<!\s)\s+or\s+", match["places"]) if match else []
    if not match or (len(places) == 1) != (match["kind"].upper() == "U"):
        raise SheetError(
            f"{text[:60]!r} does not name alternative units", suggestion="write alternatives as in U PIE, or in A BUD or VIE"
        )
    for place in places:
        location = parse_location(place, game_map)
        kinds = UnitKind if match["kind"].upper() == "U" else (_KINDS[match["kind"].lower()],)
        yield from ((kind, province_of(location) if kind is UnitKind.ARMY else location) for kind in kinds)


def _replace_unit(sheet: Sheet, province: ProvinceCode, kind: UnitKind, place: Location) -> Sheet:
    """Return the sheet with the unit in `province` replaced by one of this kind at `place`; both provinces are protected."""

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
