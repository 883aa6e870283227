"""Reads a line from an order sheet: units that hold or support each other, provinces behind them, and possible enemies.

The line is a position with orders for one side. Notes in the sheet add everything else: `behind: PAR MAR` (or `none`),
`outside: POR`, `centers: Turkey, SPA`, `without: F VEN, F Mediterranean`, `out: Italy`, `fleets: 3`, `enemies: A MUN, F BAL`,
`outposts: BUR`, `then: A PAR S A GAS; A GAS H` (another position of the line, with orders) and `finding: holds` (the finding
that `satjudge prove` should reach; docs/reference/lines.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

from satjudge.base.errors import InputError, SheetError, locate_errors
from satjudge.base.values import brief
from satjudge.base.words import number_of
from satjudge.judging.legality import make_docket
from satjudge.notation.parse import parse_location, parse_orders, parse_power, parse_unit
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.notation.text_around_orders import find_end_of_list
from satjudge.search.open_orders.universe import check_board
from satjudge.search.task import LineTask
from satjudge.world.board import Board, Season, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, normal, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import Rulebook


@dataclass(frozen=True, slots=True)
class MissingUnits:
    """Enemy units that cannot exist: `"F VEN"`, `"VEN"` (no unit there), `"F"` (no fleet anywhere) or `"F baltic"`."""

    kind: UnitKind | None
    place: str | None
    """A location, or the name of a group of provinces."""
    locations: frozenset[Location] = frozenset()
    """The locations that `place` stands for."""
    coasts: frozenset[Location] = frozenset()
    """The coasts where no fleet can be, because only missing fleets could get there."""

    def covers(self, kind: UnitKind, location: Location) -> bool:
        """Return whether this rules out a unit of that kind at that location; a province stands for all its coasts."""
        if self.kind not in (None, kind):
            return False
        fits_place = self.place is None or not self.locations.isdisjoint((location, province_of(location)))
        return fits_place or (kind is UnitKind.FLEET and location in self.coasts)

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.place) if part)


EnemyUnit: TypeAlias = tuple[UnitKind, Location]


class Limit(NamedTuple):
    """A limit: at most `most` of the enemy units in `units` can exist at a time."""

    units: frozenset[EnemyUnit]
    most: int


@dataclass(frozen=True)
class Line:
    """Units with the orders that they repeat every turn, and the enemies that may attack them.

    `board` contains only the units of the line, and `orders` a legal hold or support to hold for each. No enemy stands in a
    protected province, and none may enter one. `enemies` is the largest number of enemy units, and `fleets` of enemy fleets
    (None: no limit). Powers in `out` have no units; then only enemies in `possible` count, which the other powers can build and
    bring up (None: any). `centers` are the supply centres that the side owns (None: not stated). `limits` restrict the number
    of some enemies. `remarks` are comments on the sheet for the user.

    In a *moving* line, orders may also be moves into protected provinces and supports for them. `then` contains further
    positions that it may reach, each with orders. `outposts` are provinces that it may lose, which are not protected
    (`satjudge.search.lines.moving_lines`).
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    rulebook: Rulebook
    behind: frozenset[ProvinceCode]
    missing: tuple[MissingUnits, ...] = ()
    enemies: int = 34
    remarks: tuple[str, ...] = ()
    centers: frozenset[ProvinceCode] | None = None
    fleets: int | None = None
    out: tuple[Power, ...] | None = None
    possible: frozenset[EnemyUnit] | None = None
    limits: tuple[Limit, ...] = ()
    outposts: frozenset[ProvinceCode] = frozenset()
    then: tuple[Line, ...] = ()

    __repr__ = brief

    @cached_property
    def protected_provinces(self) -> frozenset[ProvinceCode]:
        """The provinces where units of the line stand and those behind them, except outposts."""
        return self.behind.union(self.board.unit_at) - self.outposts

    @cached_property
    def reached_provinces(self) -> frozenset[ProvinceCode]:
        """The provinces without a unit of the line to which its units move, or where they stand in further positions."""
        orders = chain(self.orders.values(), *(part.orders.values() for part in self.then))
        places = (order.destination if isinstance(order, Move) else order.unit.province for order in orders)
        return frozenset(map(province_of, places)) - self.board.unit_at.keys()

    @property
    def is_moving(self) -> bool:
        """Return whether units of the line may stand in other provinces after a turn."""
        return bool(self.outposts or self.then) or not all(
            isinstance(order, Hold | SupportHold) for order in self.orders.values()
        )

    @cached_property
    def enemy_units(self) -> tuple[EnemyUnit, ...]:
        """Every unit that an enemy may have outside the line, as pairs of kind and location in a fixed order."""
        return tuple(
            (kind, place)
            for kind, place in list_all_units(self.board.map)
            if province_of(place) not in self.protected_provinces
            and province_of(place) not in self.board.unit_at
            and not any(missing.covers(kind, place) for missing in self.missing)
            and not (kind is UnitKind.FLEET and self.fleets == 0)
            and (self.possible is None or (kind, place) in self.possible)
        )

    @cached_property
    def most_enemies(self) -> int:
        """The largest number of enemy units: all centres but those that the line owns or, if not stated, needs for units."""
        return max(0, len(self.board.map.centers) - (len(self.board.units) if self.centers is None else len(self.centers)))

    def change_position(self, board: Board, orders: Mapping[ProvinceCode, MovementOrder]) -> Line:
        """Return the line with the units of another board and with other orders by province, protecting the same provinces."""
        behind = self.protected_provinces.difference(board.unit_at)
        return replace(self, board=board, orders=orders, behind=behind, remarks=(), then=())

    def keep_units(self, provinces: Iterable[ProvinceCode]) -> Line:
        """Return the line without its units outside these provinces, protecting as much; supports for those become holds.

        The protected provinces and the number of enemies stay the same. A unit that supported a removed unit holds instead.
        """
        stays = frozenset(provinces)
        units = tuple(unit for unit in self.board.units if unit.province in stays)
        orders = {
            province: Hold(order.unit) if isinstance(order, SupportHold) and order.supported.province not in stays else order
            for province, order in self.orders.items()
            if province in stays
        }
        return replace(self, board=replace(self.board, units=units), orders=orders, behind=self.protected_provinces - stays)

    def add_units(self, units: Mapping[Unit, MovementOrder]) -> Line:
        """Return the line with these units and their orders added; their provinces become protected."""
        board = replace(self.board, units=(*self.board.units, *units))
        orders = {**self.orders, **{unit.province: order for unit, order in units.items()}}
        return replace(self, board=board, orders=orders, behind=self.protected_provinces - frozenset(board.unit_at))


def list_all_units(game_map: Map) -> list[EnemyUnit]:
    """List every unit that the map allows, as pairs of kind and location in a fixed order."""
    places = sorted({*game_map.provinces, *game_map.fleet})
    return [(kind, place) for place in places for kind in UnitKind if game_map.problem_with(kind, place) is None]


def find_cut_off(
    game_map: Map, standing: frozenset[ProvinceCode], outside: frozenset[ProvinceCode] = frozenset()
) -> frozenset[ProvinceCode]:
    """Return the provinces that units in `standing` cut off from those `outside`, by default from the map's largest part."""
    parts = find_connected_parts(game_map, set(game_map.provinces) - standing)
    beyond = [part for part in parts if outside & part] or parts[:1]
    return frozenset(chain.from_iterable(part for part in parts if part not in beyond))


def find_connected_parts(game_map: Map, provinces: Collection[ProvinceCode]) -> list[frozenset[ProvinceCode]]:
    """Divide provinces into the parts that are connected by land or water, and return these, the largest first."""
    unseen = set(provinces)
    parts: list[frozenset[ProvinceCode]] = []
    while unseen:
        part, edge = set[ProvinceCode](), {min(unseen)}
        while edge:
            part |= edge
            edge = {near for code in edge for near in game_map.neighbours[code]}.intersection(unseen) - part
        parts.append(frozenset(part))
        unseen -= part
    return sorted(parts, key=lambda part: (-len(part), min(part)))


def find_units_from_homes(
    game_map: Map, allowed: Collection[EnemyUnit], homes: Collection[ProvinceCode]
) -> frozenset[EnemyUnit]:
    """Return those of the `allowed` units that can be in these home centres, or get elsewhere from there.

    Fleets go by water. Armies go by land or are convoyed by such fleets. No unit passes a place where it is not allowed.
    """
    return find_reachable_units(game_map, allowed, (unit for unit in allowed if province_of(unit[1]) in homes))


def find_reachable_units(game_map: Map, allowed: Collection[EnemyUnit], units: Iterable[EnemyUnit]) -> frozenset[EnemyUnit]:
    """Return `units`, and those of the `allowed` units that they can become by moving or by convoy."""
    found = set(units)
    while True:
        afloat = _find_convoy_places(game_map, found)
        landing = {
            (UnitKind.ARMY, code) for code, seas in game_map.shores.items() if not seas.isdisjoint(afloat)
        }  # where a fleet that carries armies can land one
        steps = {(kind, way) for kind, place in found for way in iter_destinations(game_map, kind, place)}
        more = (steps | landing).intersection(allowed) - found
        if not more:
            return frozenset(found)
        found |= more


def iter_destinations(game_map: Map, kind: UnitKind, place: Location) -> Iterator[Location]:
    """Yield the locations to which a unit can move without a convoy, if all canals are open to it."""
    yield from game_map.exits(kind, place)
    if kind is UnitKind.FLEET:
        yield from (sea for canal in game_map.canals if place in canal.seas for sea in canal.seas)


def _find_convoy_places(game_map: Map, units: Collection[EnemyUnit]) -> set[ProvinceCode]:
    """Return the seas over which the fleets among these units can convoy the armies among them."""
    fleets = {province_of(place) for kind, place in units if kind is UnitKind.FLEET}.intersection(game_map.convoying)
    boarding = (game_map.shores.get(place, frozenset()) for kind, place in units if kind is UnitKind.ARMY)
    afloat, edge = set[ProvinceCode](), fleets.intersection(chain.from_iterable(boarding))
    while edge:
        afloat |= edge
        edge = fleets.intersection(chain.from_iterable(game_map.shores.get(sea, frozenset()) for sea in edge)) - afloat
    return afloat


# Lines in order sheets

T = TypeVar("T")
Reader: TypeAlias = Callable[[str, Map], Iterable[T]]
"""A parser for the text of a note such as `behind:` or `without:`."""


AS_STATED = LineTask()


def read_line(sheet: Sheet, rulebook: Rulebook, task: LineTask = AS_STATED) -> Line:
    """Parse the stalemate line that a sheet describes; the task's options replace the sheet's notes (`without` adds to them).

    By default, provinces are behind the line if it and the provinces it moves to cut them off from the largest part of the map,
    or from every part that contains a province listed as `outside`. Every supply centre on the map that the line does not
    use, for itself or for a unit, allows one enemy. Raises `InputError` if the sheet describes no line.
    """
    outposts = frozenset(_parse_notes(sheet, "outposts", parse_provinces) or ())
    main, *others = positions = [_read_position(one, rulebook, outposts) for one in (sheet, *_parse_further_positions(sheet))]
    standing = frozenset(chain.from_iterable(map(_iter_line_provinces, positions))) - outposts
    behind, beyond = _parse_behind_and_outside(sheet, task.behind, task.outside)
    if beyond:
        _check_outside(beyond, standing, outposts, sheet if task.outside is None else None)
    rear = find_cut_off(main.board.map, standing | outposts, beyond) if behind is None else frozenset(behind) - standing
    owned = _parse_option_or_notes(sheet, "centers", _parse_centers, task.centers)
    most = _parse_option_or_notes(sheet, "fleets", _parse_number, None)
    missing = (*(_parse_notes(sheet, "without", _parse_missing) or ()), *parse_missing_units(task.without, main.board.map))
    line = replace(
        main,
        behind=(rear | standing) - main.board.unit_at.keys() - outposts,
        missing=tuple(dict.fromkeys(missing)),
        centers=None if owned is None else frozenset(owned),
        fleets=task.fleets if task.fleets is not None or most is None else min(most),
    )
    line = replace(line, enemies=line.most_enemies)
    excluded = _parse_option_or_notes(sheet, "out", parse_powers, task.out)
    if excluded is not None:
        with locate_errors(sheet.source_file if task.out is None else "--out", sheet.line if task.out is None else None):
            line = exclude_powers(line, tuple(dict.fromkeys(excluded)))
    line = _limit_enemies(line, _parse_notes(sheet, "enemies", _parse_enemies))
    line = line if task.enemies is None else replace(line, enemies=task.enemies)
    remarks = (
        *_iter_remarks(sheet, frozenset(main.board.unit_at).intersection(behind or ())),
        *_iter_line_remarks(line, behind is not None),
    )
    return replace(line, remarks=remarks, then=tuple(line.change_position(other.board, other.orders) for other in others))


def _parse_behind_and_outside(
    sheet: Sheet, behind: str | None, outside: str | None
) -> tuple[list[ProvinceCode] | None, frozenset[ProvinceCode]]:
    """Parse the two options, or else the sheet's notes; return the provinces behind the line (None: not stated) and outside."""
    if behind is not None and outside is not None:
        raise InputError("--behind and --outside both set the protected provinces", suggestion="leave one of them out")
    if behind is None and outside is None and {"behind", "outside"} <= sheet.notes.keys():
        problem, line = "behind: and outside: both set the protected provinces", sheet.note_lines["outside"][0][0]
        raise SheetError(problem, source=sheet.source_file, line=line, suggestion="leave one of them out")
    told = _parse_option_or_notes(sheet, "behind", parse_provinces, behind) if outside is None else None
    return told, frozenset((_parse_option_or_notes(sheet, "outside", parse_provinces, outside) or ()) if behind is None else ())


def _check_outside(
    outside: frozenset[ProvinceCode], standing: frozenset[ProvinceCode], outposts: frozenset[ProvinceCode], sheet: Sheet | None
) -> None:
    """Raise `InputError` if a province stated to be outside has a unit, is moved to by one, or is an outpost."""
    where, line = (sheet.source_file, sheet.note_lines["outside"][0][0]) if sheet else ("--outside", None)
    if both := ", ".join(sorted(outside & standing)):
        problem = f"{both} cannot be outside: the line protects the provinces where its units stand or move"
        raise SheetError(problem, source=where, line=line, suggestion="to let the line lose a province, write outposts: SEV")
    if lost := ", ".join(sorted(outside & outposts)):
        problem = f"{lost} cannot be listed as outside: outposts are not protected anyway"
        raise SheetError(problem, source=where, line=line, suggestion="name provinces beyond the line")


def _parse_further_positions(sheet: Sheet) -> Iterator[Sheet]:
    """Yield a sheet for each further position that the sheet's `then` notes describe; raises `InputError`."""
    positions = sheet.notes.get("then", ())
    powers = {unit.power for unit in sheet.board.units}
    if positions and len(powers) != 1:
        problem = f"further positions (then:) need a line of one power, but this line has units of {len(powers)}"
        raise SheetError(problem, source=sheet.source_file, line=sheet.line)
    for text, (line, column) in zip(positions, sheet.note_lines.get("then", ()), strict=True):
        season = re.match(r"\s*(\w+)\s*:", text)
        begin = season.end() if season else 0
        with locate_errors(sheet.source_file, line, offset=column - 1):
            if season and season[1].lower() not in list(Season):
                raise SheetError(f"there is no season {season[1]!r}", column=1, suggestion=f"seasons: {', '.join(Season)}")
        with locate_errors(sheet.source_file, line, offset=column - 1 + begin):
            orders = parse_orders(text[begin:], sheet.map)
        given = [SheetOrder(next(iter(powers)), order, None, None, line) for order in orders]
        yield replace(
            sheet,
            orders=given,
            owned=[],
            line=line,
            season=Season(season[1].lower()) if season else None,
            notes={},
            note_lines={},
        )


def _read_position(sheet: Sheet, rulebook: Rulebook, outposts: frozenset[ProvinceCode]) -> Line:
    """Parse only the units of a sheet and their orders, into a line with nothing behind it."""
    board = sheet.board
    with locate_errors(sheet.source_file, sheet.line):
        check_board(board)
        return Line(board, _read_orders(sheet, board, rulebook), rulebook, frozenset(), outposts=outposts)


def _iter_line_provinces(position: Line) -> Iterator[ProvinceCode]:
    """Yield the provinces where the units of a line stand, then those to which they move."""
    yield from position.board.unit_at
    yield from (province_of(order.destination) for order in position.orders.values() if isinstance(order, Move))


def _limit_enemies(line: Line, stated_enemies: list[int | EnemyUnit] | None) -> Line:
    """Return the line with at most the stated number of enemies, or with only the stated units and what they can become."""
    given = [unit for unit in stated_enemies or () if not isinstance(unit, int)]
    numbers = [number for number in stated_enemies or () if isinstance(number, int)]
    if given:
        if shut := [f"{kind} {place}" for kind, place in given if (kind, place) not in line.enemy_units]:
            raise SheetError(f"the enemy {shut[0]} cannot exist: the line stands there or rules it out")
        game_map, allowed = line.board.map, _list_allowed_enemies(line)
        possible = find_reachable_units(game_map, allowed, given)
        fleets = {unit for unit in possible if unit[0] is UnitKind.FLEET}
        whither = [
            frozenset(unit for unit in find_reachable_units(game_map, allowed, {start, *fleets}) if unit[0] is UnitKind.ARMY)
            if start[0] is UnitKind.ARMY
            else find_reachable_units(game_map, allowed, {start})
            for start in given
        ]
        limits = tuple(Limit(part, sum(not part.isdisjoint(other) for other in whither)) for part in dict.fromkeys(whither))
        line = replace(line, possible=possible, limits=limits, enemies=min(line.enemies, len(given)))
    return replace(line, enemies=min((line.enemies, *numbers)))


def exclude_powers(line: Line, excluded: tuple[Power, ...]) -> Line:
    """Return the line with only those enemies that powers other than its own and the excluded ones can build and bring up."""
    game_map, ours = line.board.map, {unit.power for unit in line.board.units}
    if both := ", ".join(game_map.name_of(power) for power in excluded if power in ours):
        raise SheetError(f"{both} cannot be out: it has units in this line")
    left = set(game_map.powers) - {*excluded, *ours}
    homes = frozenset(chain.from_iterable(map(game_map.build_centers, sorted(left))))
    possible = (
        find_units_from_homes(game_map, _list_allowed_enemies(line), homes - line.protected_provinces)
        if left
        else frozenset[EnemyUnit]()
    )
    return replace(line, out=excluded, possible=possible)


def _list_allowed_enemies(line: Line) -> tuple[EnemyUnit, ...]:
    """List every unit that an enemy may ever have, also where the line now has a unit in an outpost that it may lose."""
    return replace(line, board=replace(line.board, units=()), behind=line.protected_provinces).enemy_units


def _parse_option_or_notes(sheet: Sheet, key: str, parse_text: Reader[T], option: str | None) -> list[T] | None:
    """Parse the value of an option, or without one the sheet's notes with this key; None if there are none either."""
    return _parse_notes(sheet, key, parse_text) if option is None else _parse_options(key, [option], parse_text, sheet.map)


def _parse_notes(sheet: Sheet, key: str, parse_text: Reader[T]) -> list[T] | None:
    """Parse all notes of a sheet with this key into one list; None if there are none."""
    if key not in sheet.notes:
        return None
    found: list[T] = []
    for text, (line, column) in zip(sheet.notes[key], sheet.note_lines[key], strict=True):
        with locate_errors(sheet.source_file, line, offset=column - 1):
            found += parse_text(text, sheet.map)
    return found


def _parse_options(name: str, texts: Iterable[str], parse_text: Reader[T], game_map: Map) -> list[T]:
    """Parse all texts of a repeatable option into one list."""
    with locate_errors(f"--{name}"):
        return [thing for text in texts for thing in parse_text(text, game_map)]


def _iter_remarks(sheet: Sheet, occupied_behind: Iterable[ProvinceCode]) -> Iterator[str]:
    """Yield a sentence on each probable mistake in a sheet; `occupied_behind` has its units' provinces among those behind."""
    powers = list(dict.fromkeys(unit.power for unit in sheet.board.units))
    if len(powers) > 1:
        yield f"units of {' and '.join(map(sheet.map.name_of, powers))} stand in this line: they count as one side"
    if places := ", ".join(sorted(occupied_behind)):
        yield f"{places} need not be listed as behind the line: its own units stand there"
    if any(entry.expected not in (None, "stands", "given") for entry in sheet.orders if not isinstance(entry.order, Move)):
        yield "the verdicts on this sheet are ignored; use satjudge check to compare them"


def _iter_line_remarks(line: Line, is_behind_stated: bool) -> Iterator[str]:
    """Yield a sentence on each oddity of a line: too few centres, centres that it does not protect, or an open rear."""
    if line.centers is not None:
        if len(line.centers) < len(line.board.units):
            owned, units = len(line.centers), len(line.board.units)
            yield f"{number_of(owned, 'centre')} cannot feed {number_of(units, 'unit')}: the line starves"
        if places := ", ".join(sorted(line.centers - line.protected_provinces)):
            yield f"the line owns but does not protect {places}"
    if line.out is not None and not line.enemy_units:
        yield "no enemies are left that could attack"
    for province in sorted(line.behind) if is_behind_stated and not line.is_moving else ():
        doors = ((province_of(place), line.board.map.exits(kind, place)) for kind, place in line.enemy_units)
        if near := sorted({door for door, ways in doors if province in map(province_of, ways)}):
            yield f"enemies could enter {province} unopposed from {', '.join(near)}, which is not protected"


def read_stated_finding(sheet: Sheet) -> str | None:
    """Return `holds` or `breaks`, as the sheet's note `finding` states it; None without such a note.

    Raises `SheetError` for any other finding.
    """
    findings = [finding.lower() for finding in sheet.notes.get("finding", ())]
    if findings and set(findings) not in ({"holds"}, {"breaks"}):
        hint = "write finding: holds or finding: breaks"
        raise SheetError(
            f"{', '.join(findings)} is not a valid finding", source=sheet.source_file, line=sheet.line, suggestion=hint
        )
    return findings[0] if findings else None


def _read_orders(sheet: Sheet, board: Board, rulebook: Rulebook) -> dict[ProvinceCode, MovementOrder]:
    """Return the orders of the line by province, checked; a unit without an order holds."""
    if {unit.power for unit in board.units}.issuperset(board.map.powers):
        raise SheetError("every power has units in this line, so it has no enemies")
    if sheet.has_retreats:
        raise SheetError("a line has no retreats", line=sheet.retreats_line)
    if not board.units:
        raise SheetError("the line has no units", suggestion="write a power and its orders, such as France: A PAR H")
    for row in sheet.orders:
        if not isinstance(row.order, Hold | SupportHold | Move | SupportMove) or getattr(row.order, "via_convoy", False):
            hint = "units of a line can only hold, move, or support each other"
            raise SheetError(f"{row.order} is impossible in a line", line=row.line, suggestion=hint)
    docket = make_docket(board, sheet.orders_by_power(), rulebook)
    for power, entries in docket.entries.items():
        given = (row for row in sheet.orders if row.power == power)
        for row, entry in zip(given, entries, strict=True):
            if entry.reason is not None:
                raise SheetError(f"{row.order} is illegal: {entry.reason}", line=row.line)
    if docket.unsupportable:
        alone = ", ".join(sorted(docket.unsupportable))
        raise SheetError(f"under {rulebook.name}, units without orders cannot be supported: order {alone} to hold")
    orders = {unit.province: docket.orders.get(unit.province, Hold(unit.named)) for unit in board.units}
    for row in sheet.orders:
        order = orders.get(row.order.unit.province) if isinstance(row.order, MovementOrder) else None
        if isinstance(order, Move) and order.destination not in board.map.exits(*find_spot(board, order)):
            raise SheetError(
                f"{row.order} is impossible in a line", line=row.line, suggestion="units of a line cannot go by convoy"
            )
        if isinstance(order, SupportMove) and not _is_move(orders.get(order.supported.province), order.destination):
            hint = "units of a line can only support what its own units do"
            raise SheetError(f"{row.order} supports nothing here", line=row.line, suggestion=hint)
    return orders


def find_spot(board: Board, order: MovementOrder) -> EnemyUnit:
    """Return the kind and the location of the unit on the board that an order is for."""
    unit = board.unit_at[order.unit.province]
    return unit.kind, unit.location


def _is_move(order: MovementOrder | None, destination: Location) -> bool:
    return isinstance(order, Move) and province_of(order.destination) == province_of(destination)


def _iter_items(text: str) -> Iterator[re.Match[str]]:
    """Yield the items of a list, separated by commas or, without any, by blanks, as matches; leave out a final number."""
    return re.compile(r"[^\s,][^,]*" if "," in text else r"\S+").finditer(text, 0, find_end_of_list(text).end)


def parse_provinces(text: str, game_map: Map, offset: int = 0) -> Iterator[ProvinceCode]:
    """Yield the provinces in `POR SPA`, `Portugal, Spain` or `Iberia`; `offset` is the text's position, for errors.

    Raises `InputError` for an unknown province or group.
    """
    if text.strip().lower() != "none":
        for match in _iter_items(text):
            group, place = _find_group(match[0], game_map), offset + match.start()
            yield from sorted(group or {province_of(_parse_location(match[0], place, game_map))})


def parse_missing_units(texts: Iterable[str], game_map: Map) -> tuple[MissingUnits, ...]:
    """Parse the texts of the repeatable option `--without`, such as `F VEN, BLA`.

    Raises `InputError` for a unit that cannot exist anyway.
    """
    return tuple(_parse_options("without", texts, _parse_missing, game_map))


def _parse_centers(text: str, game_map: Map) -> Iterator[ProvinceCode]:
    """Yield the centres in `Turkey, Balkans, TUN. (8)`: a power stands for its homes, and the number must match the count."""
    found: list[ProvinceCode] = []
    for match in _iter_items(text) if text.strip().lower() != "none" else ():
        power = game_map.power_aliases.get(normal(match[0]))
        places = (power and game_map.homes(power)) or _find_group(match[0], game_map)
        if not (centers := game_map.centers & (places or {province_of(_parse_location(match[0], match.start(), game_map))})):
            raise SheetError(f"{match[0].strip()} is not a supply centre", column=match.start() + 1)
        found += sorted(centers)
    stated_count = find_end_of_list(text)
    if stated_count.number is not None and stated_count.number != len(set(found)):
        problem = f"these are {number_of(len(set(found)), 'centre')}, not {stated_count.number}"
        raise SheetError(problem, column=stated_count.column, suggestion=", ".join(sorted(set(found))))
    yield from found


def parse_powers(text: str, game_map: Map) -> Iterator[Power]:
    """Yield the powers in a list such as `Russia, Italy`; none for `nobody` or `none`."""
    if normal(text) not in ("nobody", "none"):
        for match in _iter_items(text):
            with locate_errors(offset=match.start()):
                yield parse_power(match[0].strip(), game_map)


def _parse_number(text: str, game_map: Map) -> Iterator[int]:
    """Yield the number of fleets that the text states."""
    if not re.fullmatch(r"\d{1,4}", text.strip()):
        raise SheetError(f"{text.strip()[:60]!r} is not a number of fleets", column=1)
    yield int(text)


def _parse_enemies(text: str, game_map: Map) -> Iterator[int | EnemyUnit]:
    """Yield the number of enemies in a text such as `5`, or the enemy units in one such as `A MUN, F STP/NC`."""
    if re.fullmatch(r"\s*\d{1,4}\s*", text):
        yield int(text)
        return
    for match in _iter_items(text if "," in text else f"{text},"):
        with locate_errors(offset=match.start()):
            unit = parse_unit(match[0].strip(), "", game_map)
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise SheetError(
                problem,
                column=match.start() + 1,
                suggestion="write units or a number, such as enemies: A MUN, F BAL or enemies: 5",
            )
        yield unit.kind, unit.location


def _parse_missing(text: str, game_map: Map) -> Iterator[MissingUnits]:
    """Yield the missing units in a text such as `F VEN, BLA, A, F Mediterranean`."""
    for match in re.finditer(r"(?=[^\s,])(?:(?P<kind>[AF])(?:\s+|(?=,)|$))?(?P<place>[^,]*)", text, re.IGNORECASE):
        kind = UnitKind(match["kind"].upper()) if match["kind"] else None
        missing = _make_missing_unit(kind, match["place"], match.start("place"), game_map)
        if not any(missing.covers(*standing) for standing in list_all_units(game_map)):
            hint, column = "write F VEN, VEN or F", match.start() + 1
            raise SheetError(
                f"no unit {match[0]} is possible on this map, so it need not be excluded", column=column, suggestion=hint
            )
        yield missing


def _make_missing_unit(kind: UnitKind | None, place: str, offset: int, game_map: Map) -> MissingUnits:
    """Return the units of a kind (None: both kinds) at the named place or group (empty: anywhere), as missing.

    If a group contains every sea next to a coast, no fleet can be on that coast either.
    """
    if not place.strip():
        return MissingUnits(kind, None)
    if (group := _find_group(place, game_map)) is None:
        location = _parse_location(place, offset, game_map)
        return MissingUnits(kind, location, frozenset((location,)))
    touched = {place: ways & game_map.seas for place, ways in game_map.fleet.items() if province_of(place) not in game_map.seas}
    coasts = frozenset(coast for coast, seas in touched.items() if seas and seas <= group)
    return MissingUnits(kind, normal(place).removeprefix("the "), group, coasts)


def _find_group(name: str, game_map: Map) -> frozenset[ProvinceCode] | None:
    """Return the provinces of a group that the map names, such as `Iberia`; None if it has no such group."""
    return game_map.groups.get(normal(name).removeprefix("the "))


def _parse_location(text: str, offset: int, game_map: Map) -> Location:
    """Parse the name of a location; `offset` is the position of the text in its line, for errors."""
    try:
        with locate_errors(offset=offset):
            return parse_location(text, game_map)
    except InputError as error:
        if game_map.groups:
            groups = f"groups of provinces: {', '.join(sorted(game_map.groups))}"
            error.suggestion = f"{error.suggestion}; {groups}" if error.suggestion else groups
        raise
