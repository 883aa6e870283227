"""Defines the values of order sheets: cases with positions, orders and expectations (docs/reference/order-sheets.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from satjudge.base.errors import BoardError, InputError, RefusedOrderError, SheetError
from satjudge.base.values import brief, replace
from satjudge.notation.suggestions import find_nearest
from satjudge.world.board import Board, Phase, Season, Turn, Unit, group_pairs
from satjudge.world.geography import Map, Power, ProvinceCode, load_map, normal, province_of
from satjudge.world.orders import Build, Decline, Move, Order, Permission, Unreadable
from satjudge.world.rules import DEFAULT_RULES

_ABBREVIATED = 3
"""The number of letters in people's abbreviations of province names."""


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """An order on a sheet, its expected verdict, and the wrong verdict that its source prints instead, if any."""

    power: Power
    order: Order
    expected: str | None
    printed: str | None
    line: int


@dataclass(slots=True)
class Expectations:
    """An `under` block: verdicts that differ from the main ones under other rulebooks or settings."""

    rulebooks: tuple[str, ...]
    settings: tuple[str, ...]
    unresolved: bool = False
    """True if the rulebook is expected to have no answer."""
    orders: list[SheetOrder] = field(default_factory=list)
    retreats: list[SheetOrder] = field(default_factory=list)
    automatic: list[Unit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    line: int = 0
    automatic_lines: dict[Unit, int] = field(default_factory=dict)
    standing: dict[Power, list[Unit]] = field(default_factory=dict)

    __repr__ = brief


@dataclass(slots=True)
class Sheet:
    """One case: a position, its orders, and the expected verdicts and units."""

    source_file: str
    identity: str = ""
    title: str = ""
    rules: str = DEFAULT_RULES
    phase: Phase = Phase.MOVEMENT
    notes: dict[str, list[str]] = field(default_factory=dict)
    """The lines `source`, `note` and `erratum`, and notes about a line of units (`behind`, `without`, `finding`)."""
    owned: list[Unit] = field(default_factory=list)
    centers: dict[ProvinceCode, Power] = field(default_factory=dict)
    orders: list[SheetOrder] = field(default_factory=list)
    retreats: list[SheetOrder] = field(default_factory=list)
    automatic: list[Unit] = field(default_factory=list)
    under: list[Expectations] = field(default_factory=list)
    map: Map = field(default_factory=load_map)
    line: int = 1
    owned_lines: dict[Unit | ProvinceCode, int] = field(default_factory=dict)
    """The line that states the owner of a unit or a supply centre, or the last such line."""
    heading_lines: dict[Power, int] = field(default_factory=dict)
    """The line at which the orders of each power begin."""
    automatic_lines: dict[Unit, int] = field(default_factory=dict)
    retreats_line: int | None = None
    """The number of the line `retreats`, which a sheet may have without orders below it."""
    note_lines: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """The line and column at which each text in `notes` begins."""
    position: str = ""
    """The word of a line `position`: after `opening` or `complete`, orders do not place units."""
    given: Board | None = None
    """The whole position, if it comes from a file of another kind (satjudge/files/cases.py)."""
    afterwards: tuple[Unit, ...] | None = None
    """The units after the phase, if such a file lists them."""
    season: Season | None = None
    """The season, if the sheet names it; it may close provinces (DATC 2.4, 8)."""
    year: int | None = None
    """The year, if the sheet names it; otherwise it is the map's first year."""
    standing: dict[Power, list[Unit]] = field(default_factory=dict)
    """All units after the phase, for each power with an `afterwards` line."""
    counts: dict[Power, int] = field(default_factory=dict)
    """The number of centres that count for a power, as a `counts` line expects."""
    victory: int | None = None
    """The number of centres needed to win, if it differs from the map's."""
    winner: Power | None = None
    """The power that is expected to have won; "" for nobody, None if the sheet does not state it."""
    passed_over: list[tuple[int, str]] = field(default_factory=list)
    """The skipped lines, with their numbers, such as seasons and the beginnings and ends of letters."""
    read_as: list[tuple[int, str, str]] = field(default_factory=list)
    """The lines that were read in their only possible meaning (DATC 2.4, 4.E.2 d), with that meaning."""
    refused: list[RefusedOrderError] = field(default_factory=list)
    """The refused orders for a game, such as orders of another phase, each as an error with its line."""
    setting_lines: dict[str, int] = field(default_factory=dict)
    """The lines of `map`, `season`, `victory`, `counts` and `winner`."""

    __repr__ = brief

    @property
    def heading(self) -> str:
        """The name of the case in output for people: its ID and title, or else its file."""
        return ": ".join(part for part in (self.identity, self.title) if part) or self.source_file

    def of_powers(self, powers: Collection[Power]) -> Sheet:
        """Return a copy of the case with only the orders of these powers, on the same board.

        Raises `BoardError`, `SheetError`.
        """
        orders, retreats = ([line for line in lines if line.power in powers] for lines in (self.orders, self.retreats))
        return replace(self, given=self.board, orders=orders, retreats=retreats)

    @property
    def board(self) -> Board:
        """The position: `given`, or the units with stated owners and, in a movement phase without `position:`, those of orders.

        Raises `BoardError`, `SheetError`.
        """
        if self.given is not None:
            return self.given
        implied = self._find_implied_units() if self.phase is Phase.MOVEMENT and not self.position else {}
        try:
            turn = Turn(self.year or self.map.first_year, self.season) if self.season else None
            return Board((*self.owned, *implied), (), self.centers, self.phase, self.map, turn).ensure_possible()
        except BoardError as error:
            raise self._place_error(error, implied) from None

    def _place_error(self, error: BoardError, implied: Mapping[Unit, int]) -> InputError:
        """Return the error for an impossible position, at the first line with a problem; its message lists all problems."""
        problems = sorted(self._list_problems(implied), key=lambda found: found[0])
        if not problems:
            return error.add_place(source=self.source_file, line=self.line)
        last = first = problems[0][0]
        problem_texts = []
        for line, problem in problems:
            problem_texts.append(problem if line == last else f"line {line}: {problem}")
            last = line
        return BoardError(problem_texts).add_place(source=self.source_file, line=first)

    def _list_problems(self, implied: Mapping[Unit, int]) -> Iterator[tuple[int, str]]:
        """Yield each problem of the position, with the number of the line that causes it."""
        lines = dict(self.owned_lines)
        lines.update(implied.items())
        standing: dict[ProvinceCode, Unit] = {}
        for unit in (*self.owned, *implied):
            present_units = (standing[unit.province],) if unit.province in standing else ()
            problems = Board((*present_units, unit), map=self.map).problems()
            yield from ((lines.get(unit, self.line), problem) for problem in problems)
            if not problems:
                standing[unit.province] = unit
        for province, power in self.centers.items():
            for problem in Board((), centers={province: power}, map=self.map).problems():
                yield lines.get(province, self.line), problem

    def _find_implied_units(self) -> dict[Unit, int]:
        """Return units that only orders place, with the line of each order; raise `SheetError` for unclear or clashing ones."""
        owned = {unit.province for unit in self.owned}
        implied: dict[ProvinceCode, Unit] = {}
        lines: dict[Unit, int] = {}
        for entry in self.orders:
            if isinstance(entry.order, Decline | Build | Permission) or entry.order.unit.province in owned:
                continue
            named = entry.order.unit
            if isinstance(entry.order, Unreadable) and not (named.kind and named.location):
                continue
            if named.kind is None and named.province in implied:
                continue
            if named.kind is None:
                hint = f"write A {named.location} or F {named.location}, or say who owns it: X owns F {named.location}"
                question = f"is {named} an army or a fleet?"
                raise SheetError(question, source=self.source_file, line=entry.line, suggestion=hint)
            unit = Unit(entry.power, named.kind, named.location)
            other = implied.setdefault(unit.province, unit)
            lines.setdefault(other, entry.line)
            if (other.power, other.kind) != (unit.power, unit.kind):
                raise SheetError(
                    f"two units in {unit.province}: {other} of {other.power} and {unit} of {unit.power}",
                    source=self.source_file,
                    line=entry.line,
                    suggestion=f"say which one is there: {self.map.power_names[other.power]} owns {other}",
                )
        return lines

    @property
    def units_from_orders(self) -> list[Unit]:
        """The units that only their orders place, if the sheet has moves and also lists units with orders; otherwise none.

        A sheet of this kind seems to list all units, so these units may come from typos. If the sheet lists only units without
        orders, the orders are meant to place the other units, and the result is empty.
        """
        if self.phase is not Phase.MOVEMENT or self.position or self.given is not None:
            return []
        places = {unit.province for unit in self.owned}
        ordered = (entry.order for entry in self.orders if not isinstance(entry.order, Decline | Permission))
        return [*self._find_implied_units()] if any(order.unit.province in places for order in ordered) else []

    def find_missing_units(self) -> Iterator[SheetError]:
        """Yield an error, with a hint, for each movement order to a unit that the sheet does not list, as it may be a typo."""
        places = {unit.province for unit in self.owned}
        for entry in self.orders if self.phase is Phase.MOVEMENT and self.given is None else ():
            if isinstance(entry.order, Decline | Build | Permission | Unreadable) or not entry.power:
                continue
            if entry.order.unit.province in places:
                continue
            named = entry.order.unit
            problem = f"there is no unit in {self.map.provinces[named.province].name}: {entry.order}"
            own = [unit for unit in self.owned if unit.power == entry.power]
            hint = suggest_unit(entry.order, own, self.map) or (
                f"{self.map.name_of(entry.power)} has {', '.join(map(str, own))}"
                if own
                else f"write above it `position: opening` or {self.map.name_of(entry.power)} owns {named}"
            )
            yield SheetError(problem, source=self.source_file, line=entry.line, suggestion=hint)

    @property
    def has_retreats(self) -> bool:
        """True if the sheet has a section with retreats.

        In a section without orders, all dislodged units are disbanded.
        """
        return bool(self.retreats) or self.retreats_line is not None

    def orders_by_power(self) -> dict[Power, list[Order]]:
        """Return the orders of the first phase by power, in the order of the lines."""
        return group_pairs((entry.power, entry.order) for entry in self.orders)

    def retreats_by_power(self) -> dict[Power, list[Order]]:
        """Return the orders of the retreat phase by power, in the order of the lines."""
        return group_pairs((entry.power, entry.order) for entry in self.retreats)


def suggest_unit(order: Order, units: Sequence[Unit], game_map: Map) -> str | None:
    """Return `did you mean …?` with the units that have a similar name or could make the same move; None if none do."""
    code = "" if isinstance(order, Decline) else order.unit.province.lower()
    goal = order.destination if isinstance(order, Move) else ""
    able = [one for one in units if goal and province_of(goal) in map(province_of, game_map.exits(one.kind, one.location))]
    found = find_nearest(code, {unit.province.lower(): unit for unit in units}, able) or able
    return f"did you mean {' or '.join(map(str, found))}?" if found else None


def suggest_destination(order: Order, unit: Unit, game_map: Map) -> str | None:
    """Return `did you mean …?` with provinces in reach whose names begin like a move's too distant destination, or None."""
    reach = {province_of(place) for place in game_map.exits(unit.kind, unit.location)}
    written = province_of(order.destination) if isinstance(order, Move) else ""
    if written in reach or written not in game_map.provinces:
        return None
    names = {code: game_map.provinces[code].name for code in (*reach, written)}
    begins = normal(names[written])[:_ABBREVIATED]
    found = sorted(code for code in reach if normal(names[code]).startswith(begins))
    return f"did you mean {' or '.join(f'{code}, {names[code]}' for code in found)}?" if found else None
