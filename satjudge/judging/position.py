"""Defines the position: a board with the orders of its phase, as one value that can be judged, resolved and explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from satjudge.base.errors import InputError, NotationError, NotFoundError, RequestError, locate_errors
from satjudge.base.imports import load_hook
from satjudge.base.values import Displayable, one_line, replace
from satjudge.base.words import number_of
from satjudge.judging.judge import AnyOutcome, GivenOrders, find_rulebook, judge_parsed_orders, read_orders, resolutions
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Limits, Resolutions
from satjudge.notation.parse import parse_location, parse_order, parse_power, parse_unit
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, ByPower, Phase, Turn, Unit, by_power
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Decline, Named, Order, Orders, replace_orders
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook


@dataclass(frozen=True, init=False, repr=False)
class Position(Displayable):
    """A board with the orders of its phase, by power.

        >>> from satjudge import Position
        >>> position = Position.of({"France": ["A Par - Bur"], "Germany": ["A Mun - Bur", "A Ruh S A Mun - Bur"]})
        >>> position.judge().results
        {'FRANCE': ['fails'], 'GERMANY': ['succeeds', 'given']}

    You can make one with `Position.of`, which places each unit where it is ordered, with `Position.read`, which reads files, or
    with `Position(board, orders)`. The orders may be values or texts in any notation, and the powers may be spelt in any way.
    The position stores values under the map's names of the powers. A position never changes: `order` and `without` return
    new ones.

    Raises `NotationError` for orders and powers that cannot be read, and `BoardError` for an impossible board.
    """

    board: Board
    orders: Orders
    """The orders given by the powers; units without orders have none here."""
    name: str = field(default="", compare=False)
    """The name of the case in the file from which the position was read, such as `6.F.14`."""
    rules: str = DEFAULT_RULES
    """The name of the default rulebook, from the file, or else `datc-3`."""

    def __init__(self, board: Board, orders: GivenOrders, *, name: str = "", rules: str = DEFAULT_RULES) -> None:
        values = {"board": board.ensure_possible(), "orders": ByPower(read_orders(board, orders)), "name": name, "rules": rules}
        for key, value in values.items():
            object.__setattr__(self, key, value)

    # ---- making a position ----

    @classmethod
    def of(
        cls,
        orders: GivenOrders,
        *,
        units: Mapping[str, Sequence[str | Unit]] | None = None,
        centers: Mapping[str, str] | None = None,
        map: Map | str = "standard",  # noqa: A002  # as `Game.new` has it
        turn: Turn | None = None,
    ) -> Position:
        """Return the position of a movement phase in which each power has the units that it orders, where it orders them.

        There are no other units, not even supported ones, unless `units` lists them by power (`{"FRANCE": ["A PAR"]}`). An
        order must name its unit in full, unless the unit is in `units`. `centers` has the owner of each owned supply centre
        (`{"PAR": "FRANCE"}`). The map is a `Map`, or the name of one that comes
        with satjudge.

        Raises `NotationError` and `BoardError` as the class does, and `SheetError` if orders contradict each other about a
        unit, or do not name its kind (`LON H`: an army or a fleet?).
        """
        game_map = map if isinstance(map, Map) else load_map(map)
        owned = _read_units(units or {}, game_map)
        given = read_orders(Board(tuple(owned), map=game_map), orders)
        lines = [SheetOrder(power, order, None, None, 0) for power, texts in given.items() for order in texts]
        sheet = Sheet("", owned=owned, centers=_read_centers(centers or {}, game_map), orders=lines, map=game_map)
        try:
            return cls(replace(sheet.board, turn=turn), given)
        except InputError as error:  # these are places in a sheet, which does not exist here
            error.line, error.source = None, None
            error.suggestion = error.suggestion and f"state what is there: units={_format_example(given, game_map)}"
            raise

    @classmethod
    def read(
        cls,
        source: str | bytes | Path,
        *,
        case: str | None = None,
        map: Map | None = None,  # noqa: A002
        lenient: bool = False,
    ) -> Position:
        """Return the position in `source`: a path, a shipped case's name (`datc:6.F.14`) or a text; `map` is for one without.

        A file is an order sheet, a saved game, a batch line or a jDip case. A string with a line break, and `bytes`, are
        text. `case` chooses one of several cases or phases (`S1901M` of a saved game). A case that names no map is on `map`, by
        default the standard map. If `lenient`, unreadable orders are illegal. Retreats below the orders are left out:
        `outcome.next_board` is the next phase.

        Raises `NotFoundError` for a file or case that does not exist, `InputError` with the place of anything that cannot be
        read, and `SeveralCasesError`, with the names to choose from, if there are several cases.
        """
        found: Position = load_hook("read_position")(source, case, map, lenient=lenient)
        return found

    @classmethod
    def read_all(cls, source: str | bytes | Path, *, map: Map | None = None, lenient: bool = False) -> list[Position]:  # noqa: A002
        """Return all positions in `source`: a path, a name (`datc:6.F`) or a text; `map` is for those that name none.

        Raises what `read` raises.
        """
        found: list[Position] = load_hook("read_positions")(source, map, lenient=lenient)
        return found

    # ---- judging and explaining a position ----

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook by which the position is judged by default; raises `RulebookError` for an unknown one."""
        return load_rulebook(self.rules)

    def judge(self, rulebook: Rulebook | str | None = None, *, engine: Engine = Engine.STAGED) -> AnyOutcome:
        """Judge the phase, of any kind, by a rulebook, its name or `.toml` file, by default the position's; return the outcome.

        Raises `RulebookError` for an unknown rulebook, and `UnresolvedError` for a core that it does not settle.
        """
        return judge_parsed_orders(self.board, self.orders, find_rulebook(rulebook or self.rules), engine)

    def resolutions(
        self,
        rulebook: Rulebook | str | None = None,
        *,
        engine: Engine = Engine.STAGED,
        limits: Limits = Limits(),  # noqa: B008  # frozen
    ) -> Resolutions:
        """Return all consistent resolutions before any backup rule, which you can iterate over and count.

        `limits` bounds the number of resolutions and the time in seconds. Raises `RequestError` for a phase without
        moves, `RulebookError` for an unknown rulebook.
        """
        if self.board.phase is not Phase.MOVEMENT:
            raise RequestError(f"only movement phases have resolutions, not {self.board.phase} phases")
        return resolutions(self.board, self.orders, rulebook=rulebook or self.rules, engine=engine, limits=limits)

    def explain(self, order: Order | str | None = None, rulebook: Rulebook | str | None = None) -> Any:  # noqa: ANN401
        """Explain the verdict on an order, as a `satjudge.explain.Explanation`; without an order, explain all, as a list.

        You can name an order by its unit alone (`"F LON"`). Raises `NotFoundError` for an order that was not given, and what
        `judge` raises.
        """
        return load_hook("explained")(self.judge(rulebook), order, find_rulebook(rulebook or self.rules))

    def what_would_change(self, order: Order | str, rulebook: Rulebook | str | None = None) -> Any:  # noqa: ANN401
        """Find orders to other units that would change the result of an order, for instance make it succeed.

        Returns a `satjudge.explain.WhatWouldChange`, whose `str` lists these orders.

        You can name an order by its unit alone (`"F LON"`). Raises what `explain` raises, and `RequestError` for a phase
        without moves.
        """
        return load_hook("what_would_change")(self, order, rulebook=rulebook)

    def compare(self, rulebooks: Sequence[Rulebook | str]) -> Any:  # noqa: ANN401
        """Judge the position under several rulebooks; if you print the result, it shows where they differ, and by which issue.

        Raises `RulebookError` for an unknown rulebook, and for a single name in place of a list.
        """
        return load_hook("compare")(self, rulebooks)

    def legal_orders(self, rulebook: Rulebook | str | None = None) -> dict[str, list[str]]:
        """Return every legal order as text, by its unit or by the centre to build in, like `Board.legal_orders`."""
        return self.board.legal_orders(rulebook or self.rules)

    # ---- changing a position ----

    def order(self, power: str, *orders: Order | str) -> Position:
        """Return the position with these orders of a power, each in place of an earlier order to the same unit.

        This does not create units: an order to a missing unit is illegal. Raises `NotationError` for a power
        or an order that cannot be read.
        """
        ((name, given),) = read_orders(self.board, {power: orders}).items()
        return self._replace_orders({**self.orders, name: replace_orders(self.orders.get(name, ()), given)})

    def without(self, *orders: Order | str) -> Position:
        """Return the position without these orders; their units stay on the board and hold.

        You can name an order by its unit alone (`"F LON"`). Raises `NotFoundError` for an order that was not given.
        """
        left = {power: list(given) for power, given in self.orders.items()}
        for order in orders:
            dropped = set(self._find_orders(order))
            left = {power: [order for order in given if order not in dropped] for power, given in left.items()}
        return self._replace_orders(left)

    def _replace_orders(self, orders: Orders) -> Position:
        return Position(self.board, orders, name=self.name, rules=self.rules)

    def _find_orders(self, text: Order | str) -> list[Order]:
        """List the orders that equal this one or, for a text that names only a unit, that are for this unit."""
        wanted, alone = parse_order_or_unit(self.board, text)
        given = [order for texts in self.orders.values() for order in texts]
        same_unit = [order for order in given if _find_province(order) == _find_province(wanted) is not None]
        if found := [order for order in given if order == wanted] or (same_unit if alone else []):
            return found
        near = "; ".join(map(str, same_unit or given))
        raise NotFoundError(f"there is no order {text}", suggestion=f"there is {near}" if near else "there are no orders")

    # ---- reading and showing a position ----

    @property
    def texts(self) -> dict[Power, list[str]]:
        """The orders of each power as text in the compact notation: `{"FRANCE": ["A PAR - BUR"]}`."""
        return ByPower({power: [str(order) for order in given] for power, given in self.orders.items()})

    def __iter__(self) -> Iterator[Any]:
        """Yield the board, then the orders, for `judge(*position)`."""
        return iter((self.board, self.orders))

    def __hash__(self) -> int:
        return hash((self.board, tuple((power, tuple(given)) for power, given in self.orders.items()), self.rules))

    def __repr__(self) -> str:
        standing = "; ".join(f"{power} {', '.join(units)}" for power, units in by_power(self.board.units).items())
        counted = number_of(sum(map(len, self.orders.values())), "order")
        return one_line("Position", self.name, self.board.phase, counted, standing)


def read_sheet_position(sheet: Sheet) -> Position:
    """Return the first phase of a case as a position; raises `InputError` for an impossible position."""
    return Position(sheet.board, sheet.orders_by_power(), name=sheet.identity, rules=sheet.rules)


def make_position(board: Position | Board, orders: GivenOrders | None = None) -> Position:
    """Return the position of a board and its orders, or a given position itself; raises what `Position` raises."""
    return board if isinstance(board, Position) else Position(board, orders or {})


def parse_order_or_unit(board: Board, text: Order | str) -> tuple[Order, bool]:
    """Return the order that a text states, and whether the text names only a unit (then the order is a hold)."""
    if not isinstance(text, str):
        return text, False
    try:
        return parse_order(text, board.map, board.phase), False
    except NotationError:
        with suppress(NotationError):
            return parse_order(f"{text} H", board.map), True
        raise


def _format_example(orders_by_power: Orders, game_map: Map) -> str:
    """Return an example value for the argument `units`: the first ordered unit whose kind no order names, or else the first."""
    units = [
        (power, order.unit)
        for power, orders in orders_by_power.items()
        for order in orders
        if not isinstance(order, Decline) and order.unit.location
    ]
    power, unit = min(units, key=lambda entry: entry[1].kind is not None, default=("ENGLAND", Named(UnitKind.FLEET, "LON")))
    kinds = (kind for kind in UnitKind if game_map.problem_with(kind, unit.location) is None)
    return f'{{"{power}": ["{unit.kind or next(kinds, UnitKind.ARMY)} {unit.location}"]}}'


def _read_units(units: Mapping[str, Sequence[str | Unit]], game_map: Map) -> list[Unit]:
    """Return the units of all powers; raises `NotationError` unless they are in lists by power and can be read."""
    if not isinstance(units, Mapping):
        raise NotationError(f"units must be given by power, not as {units!r:.60}", suggestion='write {"FRANCE": ["A PAR"]}')
    found: list[Unit] = []
    for name, given in units.items():
        if isinstance(given, str):
            raise NotationError(f"the units of {name} must be a list", suggestion=f"write [{given!r}]")
        power = parse_power(name, game_map)
        found += [parse_unit(unit, power, game_map) if isinstance(unit, str) else unit for unit in given]
    return found


def _read_centers(centers: Mapping[str, str], game_map: Map) -> dict[ProvinceCode, Power]:
    """Return the owner of each centre by its code; raises `NotationError` for a name that cannot be read, or two owners."""
    if not isinstance(centers, Mapping):
        raise NotationError(f"centers must give each centre's owner, not {centers!r:.60}", suggestion='write {"PAR": "FRANCE"}')
    owners: dict[ProvinceCode, Power] = {}
    for place, name in centers.items():
        with locate_errors(f"centers, {place!r:.60}"):
            province = province_of(parse_location(str(place), game_map))
            owner = parse_power(str(name), game_map, column=None)
        if owners.setdefault(province, owner) != owner:
            raise NotationError(f"{province} is a centre of both {owners[province]} and {owner}")
    return owners


def _find_province(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Decline) else order.unit.province
