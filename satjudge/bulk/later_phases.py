"""Judges retreats and adjustments in arrays; the Python code judges each unit or power, and its answers are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.base.errors import BoardError, NotationError
from satjudge.bulk import argument_checks
from satjudge.bulk.kernel.memory import NONE, Flags, Numbers
from satjudge.bulk.tables.order_facts import RESULT_NUMBERS
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.judging.adjustments import judge_adjustments
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, DislodgedUnit, Phase, group_pairs
from satjudge.world.geography import province_of
from satjudge.world.orders import AdjustmentOrder, Build, Disband, Order, Retreat, RetreatOrder
from satjudge.world.rules import Rulebook
from satjudge.world.seasons import build_sites, counted_centers
from satjudge.world.verdicts import OrderResult

if TYPE_CHECKING:
    from satjudge.bulk.judge import Outcomes

_KEPT = 100_000
"""The largest number of answers about the orders of a power that are kept."""


@dataclass(frozen=True, slots=True)
class RetreatOutcomes:
    """The outcomes of many retreat phases."""

    results: Numbers
    """The result of each dislodged unit's order, a number in `RESULTS`; -1 without an order."""
    units: Numbers
    """The units after the retreats, boards × units, in the columns of the movement phase; -1 for disbanded units."""


@dataclass(frozen=True, slots=True)
class AdjustmentOutcomes:
    """The outcomes of many adjustment phases."""

    results: Numbers
    """The result of each order, boards × orders, a number in `RESULTS`; -1 without an order."""
    units: Numbers
    """The units afterwards, boards × units: old units in their columns, new ones in free columns, and -1 for none.

    Columns are added only if a board needs them.
    """
    powers: Numbers
    """The powers of the units afterwards, boards × units."""


class Retreats:
    """Judges retreats on a map under a rulebook.

    The Python code judges each single order once, and every board on which two units retreat to the same province.
    """

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.rulebook = vocabulary, rulebook
        self.known: dict[int, tuple[int, int]] = {}
        """The result of an order if all exits are open, and the unit afterwards, by a number for the unit and the order."""
        self.listed: dict[tuple[int, int], list[int]] = {}
        """The legal orders of a unit, by the unit and a location to which it may retreat, or -1."""
        self.place_of_unit = numpy.array([vocabulary.location_numbers[unit.location] for unit in vocabulary.units])
        provinces = [vocabulary.location_numbers[province_of(place)] for place in vocabulary.locations]
        self.province_of_place = numpy.array(provinces)

    def judge(self, outcomes: Outcomes, orders: ArrayLike) -> RetreatOutcomes:
        """Return retreat outcomes; `orders` has an order or -1 per row of `outcomes.dislodged`; raise errors for wrong ones."""
        argument_checks.check_vocabulary(self.vocabulary, outcomes.vocabulary)
        numbers, vocabulary = argument_checks.check_retreats(self.vocabulary, orders), self.vocabulary
        if numbers.shape != (len(outcomes.dislodged),):
            raise BoardError([f"orders must be {len(outcomes.dislodged)}, one for each dislodged unit, not {numbers.shape}"])
        boards, columns = outcomes.dislodged.T
        pairs = outcomes.units_before[boards, columns] * numpy.int64(len(vocabulary)) + numbers
        results, arrived = numpy.full((2, len(numbers)), NONE, numpy.int32)
        for row in numpy.flatnonzero(numbers != NONE).tolist():
            if (pair := int(pairs[row])) not in self.known:
                self.known[pair] = self._ask_plain_path(
                    int(outcomes.units_before[boards[row], columns[row]]), int(numbers[row]), row
                )
            results[row], arrived[row] = self.known[pair]
        going = numpy.flatnonzero(arrived != NONE)
        places = self.place_of_unit[arrived[going]]
        shut = ~outcomes.retreats[going, places]
        results[going[shut]] = RESULT_NUMBERS[OrderResult.ILLEGAL]
        units = outcomes.units.copy()
        going, places = going[~shut], self.province_of_place[places[~shut]]
        units[boards[going], columns[going]] = arrived[going]
        met, counts = numpy.unique(boards[going] * len(vocabulary.provinces) + places, return_counts=True)
        for board in set((met[counts > 1] // len(vocabulary.provinces)).tolist()):
            rows = numpy.flatnonzero(boards == board).tolist()
            results[rows], units[board, columns[rows]] = self._judge_board(outcomes, rows, numbers)
        return RetreatOutcomes(results, units)

    def _ask_plain_path(self, unit: int, order_number: int, dislodged_row: int) -> tuple[int, int]:
        """Judge an order in Python as if all exits were open; return its result and the unit then, or raise `NotationError`."""
        order = self.vocabulary.orders[order_number]
        owned = self.vocabulary.unit_of_power(unit, 0)
        if not isinstance(order, RetreatOrder) or order.unit.province != owned.province:
            raise NotationError(f"dislodged unit {dislodged_row}: {order} is not a retreat for {owned}")
        exits = tuple(sorted(self.vocabulary.map.exits(owned.kind, owned.location)))
        return self._judge_plainly([DislodgedUnit(owned, exits)], [order])[0]

    def _judge_board(
        self, outcomes: Outcomes, dislodged_rows: Sequence[int], order_numbers: NDArray[numpy.integer]
    ) -> NDArray[numpy.int64]:
        """Judge the dislodged units of one board in Python; return a row of their results and one of the units afterwards."""
        dislodged = [_make_dislodged_unit(outcomes, row) for row in dislodged_rows]
        orders = [None if order_numbers[row] == NONE else self.vocabulary.orders[order_numbers[row]] for row in dislodged_rows]
        return numpy.array(self._judge_plainly(dislodged, orders)).T

    def find_legal_orders(self, outcomes: Outcomes) -> Flags:
        """Return which orders are legal for each dislodged unit: flags, dislodged units × the vocabulary."""
        argument_checks.check_vocabulary(self.vocabulary, outcomes.vocabulary)
        legal = numpy.zeros((len(outcomes.dislodged), len(self.vocabulary)), numpy.bool_)
        units = outcomes.units_before[*outcomes.dislodged.T]
        nowhere = [(row, NONE) for row in range(len(units))]
        for row, place in (*nowhere, *numpy.argwhere(outcomes.retreats).tolist()):
            unit = int(units[row])
            if (unit, place) not in self.listed:
                retreats = () if place == NONE else (self.vocabulary.locations[place],)
                lost = DislodgedUnit(self.vocabulary.unit_of_power(unit, 0), retreats)
                board = Board((), (lost,), phase=Phase.RETREAT, map=self.vocabulary.map)
                self.listed[unit, place] = _list_legal_orders(self.vocabulary, board, self.rulebook)
            legal[row, self.listed[unit, place]] = True
        return legal

    def _judge_plainly(self, dislodged: Sequence[DislodgedUnit], orders: Sequence[Order | None]) -> list[tuple[int, int]]:
        """Judge an order to each of these units in Python; return each one's result and the unit afterwards (-1 for none)."""
        board = Board((), tuple(dislodged), phase=Phase.RETREAT, map=self.vocabulary.map)
        given = group_pairs((lost.unit.power, order) for lost, order in zip(dislodged, orders, strict=True) if order)
        outcome = judge_retreats(board, given, rulebook=self.rulebook)
        verdicts = {judged.province: judged for of_power in outcome.judged.values() for judged in of_power}
        numbers, places = self.vocabulary.unit_numbers, {unit.province: unit.named for unit in outcome.units}
        pairs = []
        for lost in dislodged:
            judged = verdicts.get(lost.unit.province)
            result = NONE if judged is None else RESULT_NUMBERS[judged.verdict.order or OrderResult.STANDS]
            order = judged.order if judged and judged.verdict.order is OrderResult.SUCCEEDS else None
            pairs.append((result, numbers[places[province_of(order.destination)]] if isinstance(order, Retreat) else NONE))
        return pairs


def _make_dislodged_unit(outcomes: Outcomes, row: int) -> DislodgedUnit:
    """Return the unit in a row of `outcomes.dislodged`, with its retreats, as a `DislodgedUnit`."""
    at, vocabulary = tuple(outcomes.dislodged[row]), outcomes.vocabulary
    retreats = tuple(sorted(vocabulary.locations[place] for place in numpy.flatnonzero(outcomes.retreats[row]).tolist()))
    return DislodgedUnit(vocabulary.unit_of_power(int(outcomes.units_before[at]), int(outcomes.powers[at])), retreats)


class _Boards(NamedTuple):
    """Positions of adjustment phases."""

    units: Numbers
    powers: Numbers
    centers: Numbers

    @property
    def powers_present(self) -> Numbers:
        """The powers of the units, boards × units; -1 where there is no unit."""
        return numpy.where(self.units == NONE, NONE, self.powers)

    def select(self, board: int, power: int, orders: tuple[int, ...] = ()) -> _PowerAdjustment:
        """Return the adjustments of one power on one board, with its orders as numbers."""
        return _PowerAdjustment(power, self.units[board], self.powers[board], self.centers[board], orders)


class _PowerAdjustment(NamedTuple):
    """The adjustments of a power on a board of many, with its orders."""

    power: int
    units: Numbers
    """All units of the board; then their powers, and the owners of all centres."""
    owners: Numbers
    centers: Numbers
    orders: tuple[int, ...]


class _PowerOutcome(NamedTuple):
    """The outcome of one power's orders: the result of each, the unit that each built or -1, and the removed units."""

    results: list[int]
    built: list[int]
    removed: frozenset[int]


class Adjustments:
    """Judges adjustments on a map under a rulebook.

    The Python code judges a power's orders once, since their results depend only on its number of builds or removals, and on
    its places to build in or its units. Civil disorder may also depend on the fleets of others, so it is judged each time.
    """

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.rulebook = vocabulary, rulebook
        self.known: dict[tuple[int, int, object, tuple[int, ...]], _PowerOutcome | None] = {}
        """The outcomes of a power's orders, by the facts that they depend on; None in civil disorder."""
        self.listed: dict[tuple[int, int], list[int]] = {}
        """The legal orders, by a power and the bits of the centres where it can build, or by -1 and a unit to remove."""
        self.accounts: dict[int, tuple[Flags, Flags]] = {}
        centers = {code: number for number, code in enumerate(vocabulary.centers)}
        self.province_of_unit = numpy.array([vocabulary.location_numbers[unit.province] for unit in vocabulary.units])
        self.center_of_unit = numpy.array([centers.get(unit.province, NONE) for unit in vocabulary.units])

    def judge(
        self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike, orders: ArrayLike, givers: ArrayLike
    ) -> AdjustmentOutcomes:
        """Return the outcomes of adjustments; `givers` has the power that gives each order; raise errors for wrong numbers."""
        boards = self._check_boards(units, powers, centers)
        order_numbers, order_powers = argument_checks.check_adjustments(self.vocabulary, boards.units, orders, givers)
        for number in numpy.unique(order_numbers[order_numbers != NONE]).tolist():
            if not isinstance(order := self.vocabulary.orders[number], AdjustmentOrder):
                board, column = numpy.argwhere(order_numbers == number)[0]
                problem = f"board {board}, order {column}: number {number}, {order}, is not an order of an adjustment phase"
                removal = f"the removal with this text has another number: vocabulary.order('{order}', Phase.ADJUSTMENT)"
                raise NotationError(problem, suggestion=removal if isinstance(order, Disband) else None)
        results, built = (numpy.full(order_numbers.shape, NONE, numpy.int32) for _ in range(2))
        left, theirs = boards.units.copy(), numpy.where(boards.units == NONE, NONE, boards.powers)
        for board, power, surplus, sites, columns in self._list_powers(boards, order_numbers, order_powers):
            due = boards.select(board, power, tuple(order_numbers[board, columns].tolist()))
            power_outcome = self._judge_power(due, surplus, sites)
            results[board, columns], built[board, columns] = power_outcome.results, power_outcome.built
            for unit in power_outcome.removed:
                column = boards.units[board].tolist().index(unit)
                left[board, column] = theirs[board, column] = NONE
        return AdjustmentOutcomes(results, *_seat_built_units(left, theirs, built, order_powers))

    def find_legal_orders(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Flags:
        """Return which orders are legal for the power with the unit or the centre: flags, boards × the vocabulary."""
        boards = self._check_boards(units, powers, centers)
        legal = numpy.zeros((len(boards.units), len(self.vocabulary)), numpy.bool_)
        for power, surplus, sites in self._compute_accounts(boards):
            for board, column in numpy.argwhere((boards.powers_present == power) & (surplus < 0)[:, None]).tolist():
                legal[board, self._list_removals(int(boards.units[board, column]))] = True
            for board, bits in enumerate(_pack_bits(sites).tolist()):
                if surplus[board] > 0 and bits:
                    legal[board, self._list_builds(boards.select(board, power), bits)] = True
        return legal

    def count_due(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Numbers:
        """Return the number of builds that each power may make (negative: of removals), as boards × powers."""
        boards = self._check_boards(units, powers, centers)
        powers_there = 1 + max(boards.powers_present.max(initial=NONE), boards.centers.max(initial=NONE))
        due = numpy.zeros((len(boards.units), max(powers_there, len(self.vocabulary.powers))), numpy.int32)
        for power, surplus, sites in self._compute_accounts(boards):
            due[:, power] = numpy.minimum(surplus, sites.sum(axis=1), where=surplus > 0, out=surplus)
        return due

    def centers_after_fall(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Numbers:
        """Return the owner of each supply centre after a Fall turn, as boards × centres (see `satjudge.world.seasons`)."""
        boards = self._check_boards(units, powers, centers)
        at = numpy.where(boards.units == NONE, NONE, self.center_of_unit[boards.units])
        rows, columns = numpy.nonzero(at != NONE)
        owned = boards.centers.copy()
        owned[rows, at[rows, columns]] = boards.powers[rows, columns]
        return owned

    def _check_boards(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> _Boards:
        """Return checked arrays of positions; raise `BoardError` for numbers out of range or two units in one province."""
        standing, owners = argument_checks.check_positions(self.vocabulary, units, powers)
        places = numpy.where(standing == NONE, -1 - numpy.arange(standing.shape[1]), self.province_of_unit[standing])
        places.sort(axis=1)
        for board in numpy.flatnonzero((places[:, 1:] == places[:, :-1]).any(axis=1)).tolist():
            argument_checks.refuse_board(self.vocabulary, board, standing, numpy.full_like(standing, NONE))
        return _Boards(standing, owners, argument_checks.check_owners(self.vocabulary, standing, centers))

    def _compute_accounts(self, boards: _Boards, more_powers: Iterable[int] = ()) -> Iterator[tuple[int, Numbers, Flags]]:
        """Yield each power on a board or in `more_powers`, by board its centres less its units, and flags for its sites."""
        full = numpy.zeros((len(boards.units), len(self.vocabulary.centers) + 1), numpy.bool_)
        at = numpy.where(boards.units == NONE, NONE, self.center_of_unit[boards.units])
        full[numpy.arange(len(full))[:, None], at] = True
        for power in sorted(
            {*numpy.unique(boards.powers_present).tolist(), *numpy.unique(boards.centers).tolist(), *more_powers} - {NONE}
        ):
            counted, buildable = self._find_sites(power)
            mine = boards.centers == power
            surplus = (mine & counted).sum(axis=1) - (boards.powers_present == power).sum(axis=1)
            yield power, surplus, mine & buildable & ~full[:, :-1]

    def _list_powers(
        self, boards: _Boards, order_numbers: Numbers, givers: Numbers
    ) -> Iterator[tuple[int, int, int, int, list[int]]]:
        """Yield a board, a power that adjusts or orders there, its surplus, its sites (as bits) and its orders' columns."""
        orders: dict[int, dict[int, list[int]]] = {}
        for board, column in numpy.argwhere(order_numbers != NONE).tolist():
            orders.setdefault(int(givers[board, column]), {}).setdefault(board, []).append(column)
        for power, surplus, sites in self._compute_accounts(boards, orders):
            bits, ordered = _pack_bits(sites), orders.get(power, {})
            for board in sorted({*numpy.flatnonzero(surplus).tolist(), *ordered}):
                yield board, power, int(surplus[board]), int(bits[board]), ordered.get(board, [])

    def _list_removals(self, unit: int) -> list[int]:
        """Return the numbers of the legal orders to remove a unit; they are cached."""
        if (NONE, unit) not in self.listed:
            board = Board((self.vocabulary.unit_of_power(unit, 0),), phase=Phase.ADJUSTMENT, map=self.vocabulary.map)
            self.listed[NONE, unit] = _list_legal_orders(self.vocabulary, board, self.rulebook)
        return self.listed[NONE, unit]

    def _list_builds(self, adjustment: _PowerAdjustment, sites: int) -> list[int]:
        """Return the numbers of the legal build orders of a power that may build on these sites (bits); they are cached."""
        if (adjustment.power, sites) not in self.listed:
            if len(self.listed) >= _KEPT:
                self.listed.clear()
            self.listed[adjustment.power, sites] = _list_legal_orders(
                self.vocabulary, self._make_board(self._keep_relevant_units(adjustment)), self.rulebook, adjustment.power
            )
        return self.listed[adjustment.power, sites]

    def _find_sites(self, power: int) -> tuple[Flags, Flags]:
        """Return flags by centre, whoever owns it: whether it would count for a power, and whether it could build there."""
        if power not in self.accounts:
            name = self.vocabulary.power(power)
            boards = [Board((), centers={code: name}, map=self.vocabulary.map) for code in self.vocabulary.centers]
            flags = [[bool(count(board, name)) for board in boards] for count in (counted_centers, build_sites)]
            self.accounts[power] = numpy.array(flags[0]), numpy.array(flags[1])
        return self.accounts[power]

    def _judge_power(self, adjustment: _PowerAdjustment, surplus: int, sites: int) -> _PowerOutcome:
        """Return the outcome of a power's orders, cached from an earlier call or judged in Python."""
        hangs_on: object = sites
        if surplus < 0:
            hangs_on = tuple(
                sorted(adjustment.units[(adjustment.owners == adjustment.power) & (adjustment.units != NONE)].tolist())
            )
        key = adjustment.power, surplus, hangs_on, adjustment.orders
        if key not in self.known:
            if len(self.known) >= _KEPT:
                self.known.clear()
            alone, disorder = self._ask_plain_path(self._keep_relevant_units(adjustment))
            self.known[key] = None if disorder else alone
        return self.known[key] or self._ask_plain_path(adjustment)[0]

    def _keep_relevant_units(self, adjustment: _PowerAdjustment) -> _PowerAdjustment:
        """Return an adjustment without the units that are neither the power's nor on its centres."""
        near = (adjustment.owners == adjustment.power) | (
            adjustment.centers[self.center_of_unit[adjustment.units]] == adjustment.power
        )
        return adjustment._replace(units=numpy.where(near, adjustment.units, NONE))

    def _make_board(self, adjustment: _PowerAdjustment) -> Board:
        """Return the `Board` of an adjustment, on which only this power owns centres."""
        vocabulary, power = self.vocabulary, self.vocabulary.power(adjustment.power)
        placed = zip(adjustment.units.tolist(), adjustment.owners.tolist(), strict=True)
        units = tuple(vocabulary.unit_of_power(unit, owner) for unit, owner in placed if unit != NONE)
        centers = {
            code: power for code, owner in zip(vocabulary.centers, adjustment.centers, strict=True) if owner == adjustment.power
        }
        return Board(units, centers=centers, phase=Phase.ADJUSTMENT, map=vocabulary.map)

    def _ask_plain_path(self, adjustment: _PowerAdjustment) -> tuple[_PowerOutcome, bool]:
        """Judge a power's orders in Python; return the outcome, and whether civil disorder removes units."""
        vocabulary, power = self.vocabulary, self.vocabulary.power(adjustment.power)
        board = self._make_board(adjustment)
        orders = [order for number in adjustment.orders if isinstance(order := vocabulary.orders[number], AdjustmentOrder)]
        outcome = judge_adjustments(board, {power: orders}, rulebook=self.rulebook)
        left = {unit.province: vocabulary.unit_numbers[unit.named] for unit in outcome.units if unit.power == power}
        results, built = [], []
        for judged in outcome.judged[power]:
            results.append(RESULT_NUMBERS[judged.verdict.order or OrderResult.STANDS])
            successful_order = judged.order if judged.verdict.order is OrderResult.SUCCEEDS else None
            built.append(left[successful_order.unit.province] if isinstance(successful_order, Build) else NONE)
        removed_units = {
            vocabulary.unit_numbers[unit.named] for unit in board.units if unit.power == power and unit.province not in left
        }
        return _PowerOutcome(results, built, frozenset(removed_units)), bool(outcome.automatic.get(power))


def _seat_built_units(units: Numbers, powers: Numbers, built: Numbers, givers: Numbers) -> tuple[Numbers, Numbers]:
    """Return units and powers, boards × columns, with built units in free columns; columns are added if a board has too few."""
    more = max(0, ((built != NONE).sum(axis=1) - (units == NONE).sum(axis=1)).max(initial=0))
    after, theirs = (numpy.pad(array, ((0, 0), (0, more)), constant_values=NONE) for array in (units, powers))
    free = numpy.argsort(after != NONE, axis=1, kind="stable")
    boards, orders = numpy.nonzero(built != NONE)
    columns = free[boards, (built != NONE).cumsum(axis=1)[boards, orders] - 1]
    after[boards, columns], theirs[boards, columns] = built[boards, orders], givers[boards, orders]
    return after, theirs


def _pack_bits(flags: Flags) -> NDArray[numpy.int64]:
    """Return each row of flags as one number, with flag n as its bit n."""
    return flags @ (1 << numpy.arange(flags.shape[1], dtype=numpy.int64))


def _list_legal_orders(vocabulary: Vocabulary, board: Board, rulebook: Rulebook, power: int = 0) -> list[int]:
    """Return the numbers of a power's legal orders on a board, without orders that have no number."""
    orders = chain.from_iterable(legal_orders(board, rulebook).get(vocabulary.power(power), {}).values())
    return [number for order in orders if (number := vocabulary.order_numbers.get(order)) is not None]
