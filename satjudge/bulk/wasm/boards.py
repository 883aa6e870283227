"""Judges movement phases one by one in a sandbox, from boards and orders to results as in `Outcome`.

It also lists the legal orders of boards.

A board is left to Python if anything on it is not in the tables. After enough such boards, the missing facts are added to the
tables.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import compress, pairwise
from threading import Lock
from typing import NamedTuple

from satjudge.base.errors import NotationError
from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.reading import Host
from satjudge.bulk.wasm.loading import Supply
from satjudge.judging.outcome import Dislodgement, KernelOutcome, find_disbanding_reason
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board, Phase, Unit, unit_of
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind
from satjudge.world.orders import Move, Named, Order
from satjudge.world.rules.rulebook import DisorderRetreats
from satjudge.world.verdicts import OrderResult, Verdict

LEARN_AFTER = 1_000
"""The number of boards left to Python after which their missing facts are learnt; it doubles each time."""
_MOST_KEPT = 200_000
"""The largest number of orders and units that are kept."""
_VERDICTS = [Verdict.from_result(result, fate).text for result in RESULTS for fate in FATES]
_RESULTS, _FATES, _ATTACKERS, _AFTER = (row * MOST_BOARD_UNITS for row in (RESULT, FATE, ATTACKER, AFTER))
"""The indices at which the rows of results begin."""
_NO_NUMBERS = array("i", [NONE] * MOST_BOARD_UNITS)
_NO_UNIT = Verdict.from_result(OrderResult.ILLEGAL).text

OrdersByPower = Mapping[Power, Sequence[Order | str]]


class _ArrayColumns(NamedTuple):
    """The columns of the kernel's arrays into which the units and orders of a board were written."""

    units: list[int]
    """The number of the unit in each column."""
    orders: list[int]
    """The column of the unit of each order; -1 if the power has no such unit."""


class BoardJudge:
    """Judges boards on one map under one rulebook."""

    def __init__(self, supply: Supply) -> None:
        self.supply, self.map = supply, supply.map
        self._lock = Lock()
        self._values: dict[int, Order] = {}
        self._powers, self._centers = frozenset(self.map.power_names), self.map.centers
        self._disorder = supply.rulebook.disorder_retreats is DisorderRetreats.REFUSED
        self._missed, self._patience = 0, LEARN_AFTER
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Make a new instance of the kernel from the current tables, and forget all numbers that were looked up."""
        self._spots: dict[Unit, tuple[int, int]] = {}
        """The number of each unit, and of its province."""
        self._moved: dict[tuple[Power, int], Unit] = {}
        """The units by power and number."""
        self._orders: dict[Order | str, tuple[int, int] | None] = {}
        """The number of each order, as a value or as a text, and of the province of its unit; None if it is in no table."""
        self._facts: set[tuple[int, int]] = set()
        self._texts: set[tuple[int, str]] = set()
        self._impossible: list[str] = []
        """The board's orders that nobody could carry out."""
        self._filled = 0
        """The number of columns that the last board filled."""
        self._host = host = self.supply.make_host()
        functions = host.header.functions
        self._call = host.sandbox.prepare_call(functions["judge_board"], ())
        listing = functions.get("list_board")
        self._list = host.sandbox.prepare_call(listing, ()) if listing else None
        self._number_of = (
            host.sandbox.prepare_call(functions["number_of"], (0, OF_ORDERS)),
            host.sandbox.prepare_call(functions["number_of"], (0, OF_UNITS)),
        )
        self._boards = [host.view_array(name) for name in ("units", "powers", "orders")]
        for view in self._boards:
            view[:] = _NO_NUMBERS
        self._line, self._entries, self._places = host.view_array("line"), host.view_array("entries"), host.view_array("spots")
        self._counters, self._wants, self._told = (
            host.view_array("counters"),
            host.view_array("wanted"),
            host.view_array("told"),
        )
        self._listing, self._slots, self._order_texts = (
            host.view_array("listing"),
            host.view_array("slot_list"),
            _OrderTexts(host),
        )
        self._contested, self._dislodged, self._retreats = (
            host.view_array("contested"),
            host.view_array("dislodged"),
            host.view_array("retreats"),
        )
        self._last_kept = host.header.arrays["entries"].shape[0] - MOST_IMPOSSIBLE - 1
        count, self._provinces = host.header.arrays["retreats"].shape[1], host.header.arrays["contested"].shape[1]
        self._locations = [self._read_text(SAY_LOCATION + number) for number in range(count)]

    def _read_text(self, text_number: int) -> str:
        """Return the text of answers with this number, without its quotes."""
        first, behind = self._host.view_array("said_from")[text_number : text_number + 2]
        return bytes(self._host.view_array("said")[first + 1 : behind - 1]).decode()

    def judge_board(self, board: Board, orders: OrdersByPower) -> KernelOutcome | None:
        """Return the outcome of a board; None if Python must judge it, or if another thread is using the kernel.

        Raises `SandboxError` if the compiled code stops.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            seats = self._write_board(board, orders)
            if seats is None or not self._run():
                self._count_miss()
                return None
            return self._read_out(board, orders, seats)
        except BaseException:  # after any stop its state is of no further use
            self._begin_anew()
            raise
        finally:
            self._lock.release()

    def legal_texts(self, board: Board) -> list[list[str]] | None:
        """Return each unit's legal orders as texts, unit by unit; None if Python must list them or the kernel is busy.

        Raises the errors of `judge_board`.
        """
        found, texts = self._list_orders(board), self._order_texts
        return None if found is None else [[texts[number] for number in numbers] for numbers in found]

    def legal_values(self, board: Board) -> list[list[Order]] | None:
        """Return each unit's legal orders as values, unit by unit; None if Python must list them or the kernel is busy."""
        found, values = self._list_orders(board), self._values
        if found is None:
            return None
        try:
            return [[values[number] for number in numbers] for numbers in found]
        except KeyError:
            texts = self._order_texts
            for number in {number for numbers in found for number in numbers} - values.keys():
                values[number] = parse_order(texts[number], self.map, Phase.MOVEMENT)
            return [[values[number] for number in numbers] for numbers in found]

    def _list_orders(self, board: Board) -> list[list[int]] | None:
        """Return each unit's legal orders as numbers, unit by unit; None if Python must list them or the kernel is busy."""
        if self._list is None or not self._lock.acquire(blocking=False):
            return None
        try:
            if self._write_board(board, {}) is None or self._list() != SETTLED:
                self._count_miss()
                return None
            count, orders = len(board.units), self._counters[LISTED]
            order_texts = self._listing[:orders].tolist()
            starts = [*self._slots[SLOT_FIRST : count * OF_SLOT : OF_SLOT].tolist(), orders]
            return [order_texts[first:behind] for first, behind in pairwise(starts)]
        except BaseException:
            self._begin_anew()
            raise
        finally:
            self._lock.release()

    def is_right(self) -> bool:
        """Judge a simple move as a trial, and return whether the kernel's result is right."""
        power = next(iter(self.map.power_names))
        start = min(place for place, ways in self.map.army.items() if ways)
        board = Board((unit_of(power, UnitKind.ARMY, start),), map=self.map)
        move = Move(Named(UnitKind.ARMY, start), min(self.map.army[start]))
        expected = (
            {power: [Verdict.from_result(OrderResult.SUCCEEDS).text]},
            (unit_of(power, UnitKind.ARMY, move.destination),),
        )
        for _ in range(3):
            if found := self.judge_board(board, {power: [move]}):
                return (found.results, found.units) == expected
            self._learn()
        return False

    # Boards in.

    def _write_board(self, board: Board, orders: OrdersByPower) -> _ArrayColumns | None:
        """Write a board into the kernel's arrays, and return the columns used; None if Python must judge it."""
        if len(board.units) > MOST_BOARD_UNITS or board.dislodged or not self._powers.issuperset(orders):
            return None
        self._impossible.clear()
        at: dict[int, int] = {}
        owners: list[int] = []
        units: list[int] = []
        powers: dict[Power, int] = {}
        spots, known = self._spots, self._orders
        for column, unit in enumerate(board.units):
            number, place = spots.get(unit) or self._find_spot(unit)
            units.append(number)
            at[place] = column
            owners.append(powers.setdefault(unit.power, len(powers)))
        if len(at) < len(units) or NONE in at or not self._centers.issuperset(board.centers):  # an impossible board
            return None
        given, seats, whole = [NONE] * len(units), list[int](), True
        for power, power_orders in orders.items():
            if type(power_orders) is not list and type(power_orders) is not tuple:
                return None
            owner = powers.get(power, NONE)
            for order in power_orders:
                try:
                    met = known[order]
                except (KeyError, TypeError):
                    met = self._number_order(order)
                if met is None:  # look up the other orders, too
                    whole = False
                    continue
                number, place = met
                column = at.get(place, NONE)
                if column == NONE or owners[column] != owner:
                    if self._disorder:  # such an order still shows that its power is not in disorder
                        return None
                    column = NONE
                elif given[column] != NONE:  # several orders for a unit
                    return None
                else:
                    given[column] = number
                seats.append(column)
        if not whole:
            return None
        self._write(units, owners, given)
        return _ArrayColumns(units, seats)

    def _find_spot(self, unit: Unit) -> tuple[int, int]:
        if len(self._spots) > _MOST_KEPT:  # powers may have any name
            self._spots.clear()
        number = self._look_up(str(unit.named), 1)
        is_impossible = number < 0 or self.map.problem_with_power(unit.power) is not None
        found = (NONE, NONE) if is_impossible else (number, self._places[number])
        self._spots[unit] = found
        return found

    def _look_up(self, text: str, function_index: int) -> int:
        """Return the number of an order (index 0) or a unit (1) with this text; below 0 if the text is in no table."""
        data = text.encode()
        if len(data) > len(self._line):
            return MISSING
        self._line[: len(data)] = data
        return self._number_of[function_index](len(data))

    def _number_order(self, order: Order | str) -> tuple[int, int] | None:
        """Return the numbers of a new order and of its unit's province, and keep them; None if the order is unknown."""
        if len(self._orders) > _MOST_KEPT:
            self._orders.clear()
        try:
            text = order if isinstance(order, str) else str(order)
            number = self._look_up(text, 0)
            if number < 0 and isinstance(order, str):
                text = str(parse_order(order, self.map, Phase.MOVEMENT))
                number = self._look_up(text, 0)
            found = None if number < 0 else (number, self._entries[number * COLUMNS + OWN_PLACE])
            if number > self._last_kept:  # impossible, with a number only for this board
                self._impossible.append(text)
                return found
            if found is None:
                self._texts.add((OF_ORDERS, text))
            elif found[1] == NONE:  # of another phase
                found = None
            self._orders[order] = found
        except (NotationError, TypeError, AttributeError):  # not an order
            return None
        return found

    def _write(self, units: list[int], owners: list[int], orders: list[int]) -> None:
        count, rest = len(units), _NO_NUMBERS[len(units) : max(self._filled, len(units))]
        for where, numbers in zip(self._boards, (units, owners, orders), strict=True):
            where[:count] = array("i", numbers)
            if rest:
                where[count : self._filled] = rest
        self._filled = count

    # Judging.

    def _run(self) -> bool:
        """Judge the board in the arrays; return whether it is settled, and if it is not, keep the facts that are missing."""
        if self._call():
            return True
        rows = self._wants[: 2 * self._counters[WANTS]].tolist()
        self._facts.update(zip(rows[::2], rows[1::2], strict=True))
        self._texts.update((OF_ORDERS, text) for text in self._impossible)  # for units that they do not name
        return False

    def _count_miss(self) -> None:
        """Count a board that is left to Python; after enough of them, look up the facts that were missing."""
        self._missed += 1
        if self._missed >= self._patience and (self._facts or self._texts):
            self._learn()

    def _learn(self) -> None:
        self._missed, self._patience = 0, 2 * self._patience
        self.supply.learn(self._facts, self._texts)
        self._begin_anew()

    # Outcomes out.

    def _read_out(self, board: Board, orders: OrdersByPower, seats: _ArrayColumns) -> KernelOutcome:
        count, output, lost = len(board.units), self._told, self._counters[LOST]
        results, after = output[_RESULTS : _RESULTS + count].tolist(), output[_AFTER : _AFTER + count].tolist()
        texts = [_VERDICTS[len(FATES) * result] for result in results]
        dislodged: dict[ProvinceCode, Dislodgement] = {}
        if lost:
            rows = {self._dislodged[2 * row + 1]: row for row in range(lost)}
            for column in rows:
                texts[column] = _VERDICTS[len(FATES) * results[column] + output[_FATES + column]]
            dislodged = self._list_dislodgements(board, orders, seats, rows)
        verdicts = [texts[column] if column != NONE else _NO_UNIT for column in seats.orders]
        by_power, first = {}, 0
        for power, power_orders in orders.items():
            by_power[power] = verdicts[first : first + len(power_orders)]
            first += len(power_orders)
        moved, units = self._moved, list[Unit]()
        for unit, before, now in zip(board.units, seats.units, after, strict=True):
            if now == before:
                units.append(unit)
            elif now != NONE:
                units.append(moved.get((unit.power, now)) or self._find_moved_unit(unit, now))
        flags = self._contested.tobytes()
        contested = frozenset(compress(self._locations[: self._provinces], flags)) if 1 in flags else _NONE
        return KernelOutcome(by_power, dislodged, tuple(units), contested)

    def _find_moved_unit(self, unit: Unit, number: int) -> Unit:
        if len(self._moved) > _MOST_KEPT:
            self._moved.clear()
        found = self._moved[unit.power, number] = unit_of(unit.power, unit.kind, self._read_text(SAY_UNIT + number)[2:])
        return found

    def _list_dislodgements(
        self, board: Board, orders: OrdersByPower, columns: _ArrayColumns, rows: dict[int, int]
    ) -> dict[ProvinceCode, Dislodgement]:
        """Return the dislodged units by province, in the same sequence as the orders that dislodged them."""
        victims = {self._told[_ATTACKERS + column]: column for column in rows}
        found = {}
        for column in columns.orders:
            if column in victims:
                unit, attacker = board.units[victims[column]], board.units[column]
                ordered = bool(orders.get(unit.power))
                reason = find_disbanding_reason(board.map, unit.power, self.supply.rulebook, ordered=ordered)
                found[unit.province] = Dislodgement(unit, attacker, self._list_retreats(rows[victims[column]]), reason)
        return found

    def _list_retreats(self, row: int) -> tuple[Location, ...]:
        locations = self._locations
        flags = self._retreats[row * len(locations) : (row + 1) * len(locations)].tobytes()
        return tuple(sorted(compress(locations, flags)))


class _OrderTexts(dict[int, str]):
    """The texts of a map's orders by number; each is read from the kernel when it is first needed."""

    def __init__(self, host: Host) -> None:
        self._first, self._pool = host.view_array("named_from"), host.view_array("pool")

    def __missing__(self, number: int) -> str:
        text = self[number] = bytes(self._pool[self._first[number] : self._first[number + 1]]).decode()
        return text


_NONE: frozenset[ProvinceCode] = frozenset()
