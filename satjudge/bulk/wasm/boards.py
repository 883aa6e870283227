"""Judges movement phases one by one in a sandbox: boards and orders in, what became of them out, as `Outcome` has it.

Nothing is asked of the plain path meanwhile. A board that speaks of anything that is not known yet is left to the plain path,
and what it spoke of is learnt when there is enough of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, compress
from threading import Lock
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from satjudge.base.errors import NotationError
from satjudge.bulk.arrays import *
from satjudge.bulk.judge import FATES, MOST_COLUMNS, RESULTS
from satjudge.bulk.known import Known
from satjudge.bulk.wasm.kernel import describe, lay_out, view
from satjudge.bulk.wasm.sandbox import Sandbox
from satjudge.judging.outcome import Dislodgement, Told, disbanded_by
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board, Phase, Unit, unit_of
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind
from satjudge.world.orders import Move, Order
from satjudge.world.rules.rulebook import DisorderRetreats
from satjudge.world.verdicts import OrderResult, Verdict

LEARN_AFTER = 20
"""The number of boards left to the plain path after which what they spoke of is learnt: it takes as long as judging so many."""
_GROWING = 1 << 18
"""The least room for a table, in bytes."""
_MOST_KEPT = 200_000
"""The largest number of orders and units that are kept."""
_MOST_WANTED = 1024
_ALIGNED = 64
_VERDICTS = [Verdict.of(result, fate).text for result in RESULTS for fate in FATES]
_RESULTS, _FATES, _ATTACKERS, _AFTER = (row * MOST_COLUMNS for row in (RESULT, FATE, ATTACKER, AFTER))
"""Where the rows of what is told begin."""
_NO_NUMBERS = array("i", [NONE] * MOST_COLUMNS)
_NO_UNIT = Verdict.of(OrderResult.ILLEGAL).text

Given = Mapping[Power, Sequence[Order | str]]


class _Seats(NamedTuple):
    """Where units and orders stand in the arrays."""

    units: list[int]
    """The number of the unit in each column."""
    orders: list[int]
    """The column of the unit that each order is given to, in the order of the orders; -1 where the power has no such unit."""


class BoardJudge:
    """Judges boards for one map and rulebook."""

    def __init__(self, code: bytes, names: Mapping[str, str], known: Known) -> None:
        self.known, self.vocabulary = known, known.vocabulary
        self._code, self._name = code, names["judge_boards"]
        self._lock = Lock()
        self._powers, self._centers = frozenset(self.vocabulary.map.power_names), self.vocabulary.map.centers
        self._disorder = known.rulebook.disorder_retreats is DisorderRetreats.REFUSED
        self._wanted: set[tuple[int, int]] = set()
        self._missed = 0
        self._filled = 0
        """The number of columns that the last board took."""
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget all texts and units."""
        self._spots: dict[Unit, tuple[int, int]] = {}
        """The number of each unit, and of its province."""
        self._moved: dict[tuple[Power, int], Unit] = {}
        """The units by power and number."""
        self._orders: dict[Order | str, tuple[int, int]] = {}
        """The number of each order, as a value or as a text, and of the province of its unit."""
        self._coming: dict[Order | str, tuple[int, int]] = {}
        """The orders that were first met since tables were laid out."""
        self._lay_out()

    def told(self, board: Board, orders: Given) -> Told | None:
        """Tell what becomes of a board; None for one that is left to the plain path, and while another thread judges.

        Raises `SandboxError` where the compiled code stops.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            seats = self._set_out(board, orders)
            if seats is None or not self._run():
                self._miss()
                return None
            return self._read_out(board, orders, seats)
        finally:
            self._lock.release()

    def is_right(self) -> bool:
        """Tell whether the compiled code judges an army that goes by land as it should, to try it out."""
        game_map, power = self.vocabulary.map, self.vocabulary.powers[0]
        armies = (unit for unit in self.vocabulary.units if unit.kind is UnitKind.ARMY and game_map.army.get(unit.location))
        army = next(armies)
        board = Board((unit_of(power, UnitKind.ARMY, army.location),), map=game_map)
        move = Move(army, min(game_map.army[army.location]))
        expected = ({power: [Verdict.of(OrderResult.SUCCEEDS).text]}, (unit_of(power, UnitKind.ARMY, move.destination),))
        for _ in range(3 * LEARN_AFTER):
            if found := self.told(board, {power: [move]}):
                return (found.results, found.units) == expected
        return False

    # Boards in.

    def _set_out(self, board: Board, orders: Given) -> _Seats | None:
        """Write a board into the arrays; None for what is odd (`line_kernel`) or not known yet."""
        if len(board.units) > MOST_COLUMNS or board.dislodged or not self._powers.issuperset(orders):
            return None
        at: dict[int, int] = {}
        owners: list[int] = []
        units: list[int] = []
        powers: dict[Power, int] = {}
        spots, known = self._spots, self._orders
        for column, unit in enumerate(board.units):
            number, place = spots.get(unit) or self._spot(unit)
            units.append(number)
            at[place] = column
            owners.append(powers.setdefault(unit.power, len(powers)))
        if len(at) < len(units) or NONE in at or not self._centers.issuperset(board.centers):  # an impossible board
            return None
        given, seats, whole = [NONE] * len(units), list[int](), True
        for power, some in orders.items():
            if type(some) is not list and type(some) is not tuple:
                return None
            owner = powers.get(power, NONE)
            for order in some:
                try:
                    number, place = known[order]
                except (KeyError, TypeError):
                    met = self._meet(order)
                    if met is None:  # the others are met, too
                        whole = False
                        continue
                    number, place = met
                column = at.get(place, NONE)
                if column == NONE or owners[column] != owner:
                    if self._disorder:  # they count though no unit of the power has them
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
        return _Seats(units, seats)

    def _spot(self, unit: Unit) -> tuple[int, int]:
        if len(self._spots) > _MOST_KEPT:  # powers may have any name
            self._spots.clear()
        number = self.vocabulary.unit_numbers.get(unit.named, NONE)
        if number == NONE:  # an impossible unit
            return NONE, NONE
        found = self._spots[unit] = number, int(self.known.of_units[number])
        return found

    def _meet(self, order: Order | str) -> tuple[int, int] | None:
        """Number an order that comes for the first time; None for one that is not known yet, or of which nothing is known."""
        try:
            value = parse_order(order, self.vocabulary.map, Phase.MOVEMENT) if isinstance(order, str) else order
            number = self.known.number(value)
        except (NotationError, KeyError, TypeError, AttributeError):  # of what is no order, or names no province of the map
            return None
        found = number, int(self.known.entries[number, OWN_PLACE])
        if found[1] == NONE:
            return None
        if number >= self._laid_out:
            self._coming[order] = found
            return None
        self._orders[order] = found
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
        """Judge the board in the arrays, and tell whether it is settled."""
        for where, blank in self._blank:
            where[:] = blank
        try:
            self._call()
        except BaseException:  # whatever has stopped it, what it was at is in no state to go on from
            self._lay_out()
            raise
        if self._counters[WANTS]:
            rows = self._wants[: 2 * self._counters[WANTS]].tolist()
            self._wanted.update(zip(rows[::2], rows[1::2], strict=True))
            return False
        return self._status[0] in (SETTLED, WITH_CORES)

    def _miss(self) -> None:
        """Learn what is wanted once enough boards were left to the plain path for it."""
        if len(self._orders) + len(self._coming) > _MOST_KEPT or self.known.too_large:
            self.known.begin_anew()
            self._begin_anew()
        self._missed += 1
        if self._missed >= LEARN_AFTER:
            self._missed = 0
            if self._wanted:
                self.known.learn(numpy.array(sorted(self._wanted), numpy.int64))
                self._wanted.clear()
            if self._version != self.known.version:
                self._orders |= self._coming
                self._coming.clear()
                self._refresh()

    def _lay_out(self) -> None:
        """Lay out all arrays for one board, and behind them what is known, in the memory of a new instance."""
        columns = MOST_COLUMNS
        arrays: dict[str, NDArray[Any]] = {
            **{name: numpy.full((1, columns), NONE, numpy.int32) for name in ("units", "powers", "orders")},
            **one_board(columns, len(self.vocabulary.provinces), len(self.vocabulary.locations)),
        }
        room = {name: _room(table) for name, table in self.known.tables().items()}
        self._sandbox = sandbox = Sandbox(self._code)
        self._places, end = lay_out(sandbox, arrays, sandbox.call("first_free"))
        self._rooms = dict(zip(room, accumulate(room.values(), initial=end), strict=False)), room
        sandbox.need(end + sum(room.values()))
        views = {name: _view(sandbox, self._places[name], arrays[name]) for name in arrays}
        self._boards = [views[name] for name in ("units", "powers", "orders")]
        self._filled = 0
        blank = ("status", "told", "contested", "counters")
        self._blank = [(views[name], array(views[name].format, arrays[name].tobytes())) for name in blank]
        self._status, self._counters, self._wants = views["status"], views["counters"], views["wanted"]
        self._told, self._contested = views["told"], views["contested"]
        self._dislodged, self._retreats = views["dislodged"], views["retreats"]
        self._refresh()

    def _refresh(self) -> None:
        """Copy what is known into the memory, where there is room for what has grown."""
        tables, (starts, room) = self.known.tables(), self._rooms
        if any(table.nbytes > room[name] for name, table in tables.items()):
            self._lay_out()
            return
        for name, table in tables.items():
            self._places[name] = starts[name], *table.shape
            view(self._sandbox, self._places[name], table)[...] = table
        describe(self._sandbox, self._places)
        self._call = self._sandbox.prepared(self._name, ())
        self._version, self._laid_out = self.known.version, len(self.known.orders)

    # Outcomes out.

    def _read_out(self, board: Board, orders: Given, seats: _Seats) -> Told:
        count, told, lost = len(board.units), self._told, self._counters[LOST]
        results, after = told[_RESULTS : _RESULTS + count].tolist(), told[_AFTER : _AFTER + count].tolist()
        texts = [_VERDICTS[len(FATES) * result] for result in results]
        dislodged: dict[ProvinceCode, Dislodgement] = {}
        if lost:
            rows = {self._dislodged[2 * row + 1]: row for row in range(lost)}
            for column in rows:
                texts[column] = _VERDICTS[len(FATES) * results[column] + told[_FATES + column]]
            dislodged = self._lost(board, orders, seats, rows)
        verdicts = [texts[column] if column != NONE else _NO_UNIT for column in seats.orders]
        by_power, first = {}, 0
        for power, some in orders.items():
            by_power[power] = verdicts[first : first + len(some)]
            first += len(some)
        moved, units = self._moved, list[Unit]()
        for unit, before, now in zip(board.units, seats.units, after, strict=True):
            if now == before:
                units.append(unit)
            elif now != NONE:
                units.append(moved.get((unit.power, now)) or self._move(unit, now))
        flags = self._contested.tobytes()
        contested = frozenset(compress(self.vocabulary.provinces, flags)) if 1 in flags else _NONE
        return Told(by_power, dislodged, tuple(units), contested)

    def _move(self, unit: Unit, number: int) -> Unit:
        if len(self._moved) > _MOST_KEPT:
            self._moved.clear()
        found = self._moved[unit.power, number] = unit_of(unit.power, unit.kind, self.vocabulary.units[number].location)
        return found

    def _lost(self, board: Board, orders: Given, seats: _Seats, rows: dict[int, int]) -> dict[ProvinceCode, Dislodgement]:
        """The dislodged units, in the order of the orders that dislodged them."""
        victims = {self._told[_ATTACKERS + column]: column for column in rows}
        found = {}
        for column in seats.orders:
            if column in victims:
                unit, attacker = board.units[victims[column]], board.units[column]
                reason = disbanded_by(board.map, unit.power, self.known.rulebook, ordered=bool(orders.get(unit.power)))
                found[unit.province] = Dislodgement(unit, attacker, self._ways_out(rows[victims[column]]), reason)
        return found

    def _ways_out(self, row: int) -> tuple[Location, ...]:
        locations = self.vocabulary.locations
        flags = self._retreats[row * len(locations) : (row + 1) * len(locations)].tobytes()
        return tuple(sorted(compress(locations, flags)))


_NONE: frozenset[ProvinceCode] = frozenset()


def one_board(columns: int, provinces: int, locations: int) -> dict[str, NDArray[Any]]:
    """Make the arrays for one board that the kernel writes, and its scratch, as they are before it is judged."""
    told = numpy.full((TOLD, 1, columns), NONE, numpy.int32)
    told[FATE] = 0
    return {
        "status": numpy.full(1, PENDING, numpy.int8),
        "told": told,
        "contested": numpy.zeros((1, provinces), numpy.bool_),
        "resolutions": numpy.zeros(1, numpy.int64),
        "dislodged": numpy.zeros((columns, 2), numpy.int32),
        "retreats": numpy.zeros((columns, locations), numpy.bool_),
        "cores": numpy.zeros((64, 6), numpy.int64),
        "wanted": numpy.zeros((_MOST_WANTED, 2), numpy.int64),
        "counters": numpy.zeros(3, numpy.int64),
        "at": numpy.zeros(PITCH * max(provinces, columns + 1), numpy.int32),
        "inputs": numpy.zeros((MOST_OPEN, 1 + MOST_INPUTS), numpy.int32),
        "tables": numpy.zeros((MOST_OPEN, 1 << MOST_INPUTS), numpy.int8),
        "bits": numpy.zeros((6, 64), numpy.int64),
    }


def _view(sandbox: Sandbox, place: tuple[int, ...], like: NDArray[Any]) -> memoryview:
    """Return an array in the memory as one row of numbers."""
    part = sandbox.memory[place[0] : place[0] + like.nbytes]
    return part.cast("b") if like.itemsize == 1 else part.cast("i") if like.itemsize == 4 else part.cast("q")


def _room(table: NDArray[Any]) -> int:
    """Return how much room a table gets, so that it can grow."""
    return max(_GROWING, table.nbytes + table.nbytes // 4 & -_ALIGNED)
