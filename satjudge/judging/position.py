"""Defines the position: a board with the orders of its phase, as one value that is judged, resolved and explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from satjudge.base.errors import InputError, NotationError, NotFoundError, RequestError
from satjudge.base.imports import load_hook
from satjudge.base.values import Displayable, one_line, replace
from satjudge.base.words import number_of
from satjudge.judging.judge import AnyOutcome, GivenOrders, find_rulebook, judge_parsed_orders, read_orders, resolutions
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Limits, Resolutions
from satjudge.notation.parse import parse_order, parse_power, parse_unit
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, ByPower, Phase, Turn, Unit, by_power
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, load_map
from satjudge.world.orders import Decline, Order, Orders, replace_orders
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook


@dataclass(frozen=True, init=False, repr=False)
class Position(Displayable):
    """A board with the orders of its phase, by power.

        >>> from satjudge import Position
        >>> position = Position.of({"France": ["A Par - Bur"], "Germany": ["A Mun - Bur", "A Ruh S A Mun - Bur"]})
        >>> position.judge().results
        {'FRANCE': ['fails'], 'GERMANY': ['succeeds', 'given']}

    Make one by `Position.of`, which places units where they are ordered from, by `Position.read`, which takes files, or by
    `Position(board, orders)`. The orders of each power may be values or texts in any notation, and the power may be spelt in
    any way; the position keeps values, by powers as the map names them. A position never changes: `order` and `without`
    return another one.

    Raises `NotationError` for orders and powers that cannot be read, and `BoardError` for an impossible board.
    """

    board: Board
    orders: Orders
    """The orders that are given, not the holds of units without orders."""
    name: str = field(default="", compare=False)
    """The name of the case in the file that it was read from, `6.F.14`."""
    rules: str = DEFAULT_RULES
    """The name of the default rulebook: that of the file, or `datc-3`."""

    def __init__(self, board: Board, orders: GivenOrders, *, name: str = "", rules: str = DEFAULT_RULES) -> None:
        values = {"board": board.ensure_possible(), "orders": ByPower(read_orders(board, orders)), "name": name, "rules": rules}
        for key, value in values.items():
            object.__setattr__(self, key, value)

    # ---- making one ----

    @classmethod
    def of(
        cls,
        orders: GivenOrders,
        *,
        units: Mapping[str, Sequence[str | Unit]] | None = None,
        centers: Mapping[ProvinceCode, Power] | None = None,
        map: Map | str = "standard",  # noqa: A002  # as `Game.new` has it
        turn: Turn | None = None,
    ) -> Position:
        """Return the position of a movement phase in which each unit stands where it is ordered, for the power that orders it.

        There are no other units, not even supported ones: `units` names those without orders, by power (`{"FRANCE": ["A
        PAR"]}`). An order must name its unit in full, unless that is among `units`. The map is a `Map`, or the name of one that
        comes with satjudge.

        Raises `NotationError` and `BoardError` as the class does, and `SheetError` if orders contradict each other about a
        unit, or say too little (`LON H`: an army or a fleet?).
        """
        game_map = map if isinstance(map, Map) else load_map(map)
        owned = [_parse_unit(text, power, game_map) for power, listed in _check_units(units or {}) for text in listed]
        given = read_orders(Board(tuple(owned), map=game_map), orders)
        lines = [SheetOrder(power, order, None, None, 0) for power, listed in given.items() for order in listed]
        sheet = Sheet("", owned=owned, centers=dict(centers or {}), orders=lines, map=game_map)
        try:
            return cls(replace(sheet.board, turn=turn), given)
        except InputError as error:  # a sheet would name its line
            error.line, error.source = None, None
            error.suggestion = error.suggestion and f"say what stands there: units={_format_example(given, game_map)}"
            raise

    @classmethod
    def read(
        cls,
        given: str | bytes | Path,
        *,
        case: str | None = None,
        map: Map | None = None,  # noqa: A002
        lenient: bool = False,
    ) -> Position:
        """Return the position in anything that a command takes as FILE, or in its text.

        Reads an order sheet, a phase of a saved game, a batch line, a case of jDip, or a shipped case (`datc:6.F.14`). A string
        with a line break, and `bytes`, are the text itself. `case` chooses one of several (`S1901M` of a saved game). Cases
        that name no map are on `map`, by default the standard one. If `lenient`, unreadable orders are illegal. Retreats below
        the orders are left out: `outcome.next_board` is the next phase.

        Raises `NotFoundError` for a file or case that is not there, `InputError` with the place for what cannot be read, and
        `SeveralCasesError`, with names, if one of several must be chosen.
        """
        found: Position = load_hook("read_position")(given, case, map, lenient=lenient)
        return found

    @classmethod
    def read_all(cls, given: str | bytes | Path, *, map: Map | None = None, lenient: bool = False) -> list[Position]:  # noqa: A002
        """Return all positions in a FILE or text, such as a section of the DATC (`datc:6.F`) or a saved game's phases.

        Raises what `read` raises.
        """
        found: list[Position] = load_hook("read_positions")(given, map, lenient=lenient)
        return found

    # ---- asking it ----

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook by which to judge unless another is given; raises `RulebookError` for an unknown one."""
        return load_rulebook(self.rules)

    def judge(self, rulebook: Rulebook | str | None = None, *, engine: Engine = Engine.STAGED) -> AnyOutcome:
        """Judge the phase, of any kind, by a rulebook or its name.

        Raises `RulebookError` for an unknown rulebook, and `UnresolvedError` for a core that the rulebook has no answer to.
        """
        return judge_parsed_orders(self.board, self.orders, find_rulebook(rulebook or self.rules), engine)

    def resolutions(
        self,
        rulebook: Rulebook | str | None = None,
        *,
        engine: Engine = Engine.STAGED,
        limits: Limits = Limits(),  # noqa: B008  # frozen
    ) -> Resolutions:
        """Return every consistent resolution before any backup rule, to iterate, count or test membership.

        `limits` bounds the number of resolutions and the seconds. Raises `RequestError` for a phase without
        moves, `RulebookError` for an unknown rulebook.
        """
        if self.board.phase is not Phase.MOVEMENT:
            raise RequestError(f"only movement phases have resolutions, and this is a phase of {self.board.phase}s")
        return resolutions(self.board, self.orders, rulebook=rulebook or self.rules, engine=engine, limits=limits)

    def explain(self, order: Order | str | None = None, rulebook: Rulebook | str | None = None) -> Any:  # noqa: ANN401
        """Return the explanation of the verdict on an order, or of all in a list (`satjudge.explain.Explanation`).

        A unit alone (`"F LON"`) stands for its order. Raises `NotFoundError` for an order that was not given, and what `judge`
        raises.
        """
        return load_hook("explained")(self.judge(rulebook), order, find_rulebook(rulebook or self.rules))

    def what_would_change(self, order: Order | str, rulebook: Rulebook | str | None = None) -> Any:  # noqa: ANN401
        """Find orders to other units that would change the result of an order, for instance make it succeed.

        Returns a `satjudge.explain.WhatWouldChange`, whose `str` lists these orders.

        A unit alone (`"F LON"`) stands for its order. Raises what `explain` raises, and `RequestError` for a phase without
        moves.
        """
        return load_hook("what_would_change")(self, order, rulebook=rulebook)

    def compare(self, rulebooks: Sequence[Rulebook | str]) -> Any:  # noqa: ANN401
        """Judge the position under several rulebooks; the printed result shows where they differ, and by which issue.

        Raises `RulebookError` for an unknown rulebook, and for a name by itself.
        """
        return load_hook("compare")(self, rulebooks)

    def legal_orders(self, rulebook: Rulebook | str | None = None) -> dict[str, list[str]]:
        """Return every legal order as text, by its unit or by the centre to build in, as `Board.legal_orders` does."""
        return self.board.legal_orders(rulebook or self.rules)

    # ---- changing it ----

    def order(self, power: str, *orders: Order | str) -> Position:
        """Return the position with new orders of a power, each in place of the earlier one to the same unit.

        It does not move or create units: an order to a missing unit is illegal. Raises `NotationError` for a power
        or an order that cannot be read.
        """
        ((whose, given),) = read_orders(self.board, {power: orders}).items()
        return self._replace_orders({**self.orders, whose: replace_orders(self.orders.get(whose, ()), given)})

    def without(self, *orders: Order | str) -> Position:
        """Return the position without these orders; their units stay on the board and hold.

        A unit alone (`"F LON"`) stands for its orders. Raises `NotFoundError` for an order that was not given.
        """
        left = {power: list(given) for power, given in self.orders.items()}
        for order in orders:
            meant = set(self._find_orders(order))
            left = {power: [one for one in given if one not in meant] for power, given in left.items()}
        return self._replace_orders(left)

    def _replace_orders(self, orders: Orders) -> Position:
        return Position(self.board, orders, name=self.name, rules=self.rules)

    def _find_orders(self, text: Order | str) -> list[Order]:
        """List the orders that equal this one, or that are for this unit; raises `NotFoundError`, `NotationError`."""
        sought, alone = parse_order_or_unit(self.board, text)
        given = [order for listed in self.orders.values() for order in listed]
        same_unit = [order for order in given if _find_province(order) == _find_province(sought) is not None]
        if found := [order for order in given if order == sought] or (same_unit if alone else []):
            return found
        near = "; ".join(map(str, same_unit or given))
        raise NotFoundError(f"there is no order {text}", suggestion=f"there is {near}" if near else "there are no orders")

    # ---- what it is ----

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
    """Return the first phase of a case as a position; raises `InputError` for an impossible one."""
    return Position(sheet.board, sheet.orders_by_power(), name=sheet.identity, rules=sheet.rules)


def make_position(board: Position | Board, orders: GivenOrders | None = None) -> Position:
    """Return the position of a board and its orders, or the given position itself; raises what `Position` raises."""
    return board if isinstance(board, Position) else Position(board, orders or {})


def parse_order_or_unit(board: Board, text: Order | str) -> tuple[Order, bool]:
    """Return the order that a text states, and whether it names only a unit; raises `NotationError`."""
    if not isinstance(text, str):
        return text, False
    try:
        return parse_order(text, board.map, board.phase), False
    except NotationError:
        with suppress(NotationError):
            return parse_order(f"{text} H", board.map), True
        raise


def _format_example(given: Orders, game_map: Map) -> str:
    """Return an example of `units` for the first unit whose order does not say which kind it is."""
    for power, orders in given.items():
        for order in orders:
            unit = None if isinstance(order, Decline) else order.unit
            if unit and unit.kind is None and unit.location:
                kind = next((kind for kind in UnitKind if game_map.problem_with(kind, unit.location) is None), UnitKind.ARMY)
                return f'{{"{power}": ["{kind} {unit.location}"]}}'
    return '{"ENGLAND": ["F LON"]}'


def _check_units(units: Mapping[str, Sequence[str | Unit]]) -> Iterable[tuple[str, Sequence[str | Unit]]]:
    """Return the units of each power as pairs; raises `NotationError` unless they are lists by power."""
    if not isinstance(units, Mapping):
        raise NotationError(f"units must be given by power, not as {units!r:.60}", suggestion='write {"FRANCE": ["A PAR"]}')
    for power, listed in units.items():
        if isinstance(listed, str):
            raise NotationError(f"the units of {power} must be a list", suggestion=f"write [{listed!r}]")
    return units.items()


def _parse_unit(text: str | Unit, power: str, game_map: Map) -> Unit:
    return parse_unit(text, parse_power(power, game_map), game_map) if isinstance(text, str) else text


def _find_province(order: Order) -> ProvinceCode | None:
    return None if isinstance(order, Decline) else order.unit.province
