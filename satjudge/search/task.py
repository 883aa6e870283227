"""Defines tasks: values with everything that is asked of `search`, `prove`, `lines` or `guarantee`.

The command line makes a task from its options, and the explorer page sends one. A task becomes a universe, a line, conditions
or a wish table to search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

from satjudge.base.errors import InputError, RequestError, locate_errors
from satjudge.base.words import number_of
from satjudge.notation.parse import parse_location, parse_power
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, province_of
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    from satjudge.search.guarantees.lookahead import Wish
    from satjudge.search.guarantees.one_season import WishTable
    from satjudge.search.lines.line import Line
    from satjudge.search.lines.line_search import LineConditions
    from satjudge.search.open_orders.universe import Universe

Words: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[^-\x00-\x1f\x7f][^\x00-\x1f\x7f]*\Z")]
"""A text on one line that commands cannot mistake for an option."""
Count: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Limit: TypeAlias = Annotated[int, Meta(ge=0, le=200)]
"""The largest number of units, or of enemies."""
FEW_UNITS = 8
"""The default limit on units, for boards of free units."""
FREE_BESIDE = 2
"""The minimum number of free units that the default limit on units allows besides those of a board."""
_FLEETS_BESIDE = 8
"""The default number of extra fleets allowed for a drawn core, which costs little time: distant places need long convoys."""


class Task(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="task"):
    """A request about all boards and orders within limits.

    The fields are named after the command's options. None, empty and False mean that the option is absent.
    """

    keeps_time: ClassVar[bool] = True
    """True if the command enforces a time limit itself."""

    def iter_options(self) -> Iterator[str]:
        """Yield the command-line options that pose this task, without the goal, each as one word such as `--max-units=4`."""
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name == "goal" or value is None or value is False:
                continue
            values = value if isinstance(value, tuple) else (value,)
            yield from (_format_option(name) + ("" if one is True else f"={one}") for one in values)


def _format_option(name: str) -> str:
    return "--" + {"everything": "all", "assumed": "assume"}.get(name, name).replace("_", "-")


class SearchTask(Task, frozen=True, kw_only=True, tag="search"):
    """Find a position with a property, or prove there is none."""

    goal: Words
    free_units: bool = False
    """True if there may be more units than those of the board. Without a board, all units are free."""
    region: Words | None = None
    """The provinces in which free units stand; all units move only there and in the provinces of the board's units."""
    max_units: Annotated[int, Meta(ge=1, le=200)] | None = None
    minimise: Literal["units", "orders", "fleets"] | None = None
    count: Count = 1
    """The number of different answers to find."""
    everything: bool = False
    """True if all boards with orders should be counted."""
    longest_route: Count = 3
    """The largest number of fleets in a convoy."""

    def make_universe(self, sheet: Sheet | None, game_map: Map, rulebook: Rulebook) -> Universe:
        """Return the universe to search: the units and orders of the sheet, if there is one, and the spots of free units.

        Raises `InputError` for a region that cannot be read.
        """
        from satjudge.search.open_orders.universe import Universe, spots_of

        units = sheet.board.units if sheet else ()
        given: dict[ProvinceCode, MovementOrder] = {}
        for orders in (sheet.orders_by_power() if sheet else {}).values():
            for order in orders:
                if isinstance(order, MovementOrder):
                    given.setdefault(order.unit.province, order)
        standing = {unit.province for unit in units}
        provinces = frozenset[ProvinceCode]() if self.region is None else parse_region(self.region, game_map)
        free = (provinces or frozenset(game_map.provinces)) - standing if self.free_units or sheet is None else ()
        spots, region = spots_of(game_map, free), provinces and provinces | standing
        return Universe(rulebook, units, spots, orders=given, region=region, longest_route=self.longest_route, map=game_map)

    def get_most_units(self, universe: Universe, core_units: int, can_draw: bool) -> int | None:
        """Return the task's limit on units or, with free units, a default that fits the board and `core_units`; None: no limit.

        `core_units` is a lower bound for the goal's core (0: none), and `can_draw` states whether the goal can draw its board.
        Raises `RequestError` if the task allows too few units.
        """
        standing, most = len(universe.units), self.max_units
        if most is not None and most < standing:
            count_text = number_of(standing, "unit stands", "units stand")
            raise RequestError(f"--max-units {most}: {count_text} on the board already")
        if most is not None and most < core_units:
            proof = "to write a proof of that, use --certificate without --max-units"
            raise RequestError(
                f"--max-units {most}: its core takes at least {core_units} units (docs/papers/cores.md); {proof}"
            )
        beside = _FLEETS_BESIDE if can_draw and not standing else 0
        return most or max(FEW_UNITS, standing + FREE_BESIDE, core_units and core_units + beside) if universe.spots else most


class LineTask(Task, frozen=True, kw_only=True, tag="prove"):
    """Prove that a line of units holds, or break it."""

    behind: Words | None = None
    outside: Words | None = None
    without: tuple[Words, ...] = ()
    """Enemy units that cannot exist."""
    centers: Words | None = None
    out: Words | None = None
    enemies: Limit | None = None
    fleets: Limit | None = None
    cheapest: bool = False
    redundant: bool = False
    repair: bool = False
    reorder: bool = False
    keeps_time: ClassVar[bool] = False

    @property
    def as_stated(self) -> bool:
        """True if no option changes the protected provinces or the enemies that the sheet states."""
        conditions = (self.behind, self.outside, self.centers, self.out, self.enemies, self.fleets)
        return all(condition is None for condition in conditions) and not self.without

    def read_line(self, sheet: Sheet, rulebook: Rulebook) -> Line:
        """Parse the stalemate line of a sheet with this task's options; raises `InputError` if the sheet describes no line."""
        from satjudge.search.lines.line import read_line

        return read_line(sheet, rulebook, self)


class LinesTask(Task, frozen=True, kw_only=True, tag="lines"):
    """Find the fewest units that hold a number of supply centres without moving."""

    goal: Words
    region: Words | None = None
    """The provinces in which units may stand and which may be protected."""
    without: tuple[Words, ...] = ()
    out: Words | None = None
    feeds: bool = False
    no_pockets: bool = False
    count: Count = 1
    everything: bool = False

    def parse_conditions(self, game_map: Map) -> LineConditions:
        """Parse the goal and options into the conditions for lines; raises `InputError` that names the column."""
        from satjudge.search.lines.line_search import parse_conditions

        return parse_conditions(self, game_map)


class GuaranteeTask(Task, frozen=True, kw_only=True, tag="guarantee"):
    """Find orders that fulfil a wish whatever the other powers order."""

    goal: Words
    power: Words
    """The powers that share the wish, separated by commas."""
    keep_orders: bool = False
    assumed: Words | None = None
    """Assumptions about the orders of the other powers."""
    seasons: Annotated[int, Meta(ge=1, le=9)] | None = None
    region: Words | None = None
    """The provinces to which all units are confined."""
    odds: bool = False

    def read_guarantee(self, sheet: Sheet, rulebook: Rulebook) -> ParsedGuarantee:
        """Parse the task's wish, powers and assumptions for the board of a sheet; raises `InputError`."""
        from satjudge.search.goals.wishes import AssumptionReader, WishReader
        from satjudge.search.guarantees.lookahead import Wish
        from satjudge.search.guarantees.one_season import WishTable

        board = sheet.board if self.region is None else _restrict_board(sheet.board, self.region)
        first, *allies = powers = tuple(dict.fromkeys(_find_power(name.strip(), sheet) for name in self.power.split(",")))
        reader = WishReader(self.goal, board, first, tuple(allies), seasons=self.seasons is not None)
        whole = reader.parse_text()
        assumptions = None if self.assumed is None else AssumptionReader(self.assumed, board, powers)
        assumption = assumptions.parse_text() if assumptions else None
        kept_orders = _find_kept_orders(sheet, powers) if self.keep_orders else {}
        table = WishTable(board, first, whole, rulebook, tuple(allies), kept_orders, assumption)
        remarks = (tuple(reader.remarks), tuple(assumptions.remarks) if assumptions else ())
        return ParsedGuarantee(table, Wish(powers, whole, rulebook, assumption), *remarks)


@dataclass(frozen=True)
class ParsedGuarantee:
    """A guarantee to find: as a table for the first movement phase, as a wish for several seasons, and remarks on the wish."""

    table: WishTable
    wish: Wish
    remarks: tuple[str, ...]
    on_assumption: tuple[str, ...]
    """Remarks on the assumptions about the other powers."""


def parse_region(text: str, game_map: Map) -> frozenset[ProvinceCode]:
    """Parse provinces that are separated by blanks or commas; raises `InputError` that names the column for anything else."""
    source = f"--region {text!r}"
    found: set[ProvinceCode] = set()
    for name in re.finditer(r"[^\s,]+", text):
        try:
            location = parse_location(name[0], game_map)
        except InputError as error:
            raise error.add_place(source=source, offset=name.start()) from None
        province = province_of(location)
        if location != province:
            message, hint = f"{name[0]} is a coast, but a region consists of provinces", f"write {province}"
            raise InputError(message, source=source, column=name.start() + 1, suggestion=hint)
        found.add(province)
    if not found:
        raise InputError("--region needs a province", suggestion='write --region "BRE ENG LON WAL"')
    return frozenset(found)


def _restrict_board(board: Board, region: str) -> Board:
    """Return the board on a map restricted to the region; raises `InputError` for a unit outside the region."""
    inside = parse_region(region, board.map)
    for unit in board.units:
        if unit.province not in inside:
            raise InputError(f"{unit} is outside the region", source="--region", suggestion=f"add {unit.province}")
    return replace(board, map=board.map.restrict_to_region(inside))


def _find_kept_orders(sheet: Sheet, powers: tuple[Power, ...]) -> dict[Unit, MovementOrder]:
    """Return, by unit, the orders that the sheet gives to units of these powers."""
    given = (order for power, orders in sheet.orders_by_power().items() if power in powers for order in orders)
    units = sheet.board.unit_at
    return {units[order.unit.province]: order for order in given if isinstance(order, MovementOrder)}


def _find_power(name: str, sheet: Sheet) -> Power:
    """Return the power with this name; raises `InputError` that names the option --power."""
    with locate_errors("--power"):
        return parse_power(name, sheet.map, column=None)
