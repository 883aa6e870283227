"""Retreats and adjustments as arrays, by what the plain path says: nothing in them depends on itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.adjustments import judge_adjustments
from satjudge.board import Board, DislodgedUnit, Phase, grouped
from satjudge.bulk.arrays import NONE, Flags, Numbers
from satjudge.bulk.known import RESULT_NUMBERS
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.errors import BoardError, NotationError
from satjudge.geography import Power, province_of
from satjudge.legal_orders import legal_orders
from satjudge.orders import AdjustmentOrder, Build, Order, Retreat, RetreatOrder
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.verdicts import JudgedOrder, OrderResult

if TYPE_CHECKING:
    from satjudge.bulk.judge import Outcomes


@dataclass(frozen=True, slots=True)
class Retreated:
    """What became of many retreat phases."""

    results: Numbers
    """By dislodged unit: what became of its order, a number in `RESULTS`; -1 without an order."""
    units: Numbers
    """Boards × units: the units after the retreats, in the columns in which they came to the moves; -1 for disbanded ones."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What became of many adjustment phases."""

    results: Numbers
    """Boards × orders: what became of each, a number in `RESULTS`; -1 without an order."""
    units: Numbers
    """Boards × (units and orders): the units afterwards in their columns, then in each order's what it built; else -1."""
    powers: Numbers
    """The same: whose they are."""


class Retreats:
    """Judges retreats on a map under a rulebook.

    What an order comes to by itself is asked of the plain path once; a board on which two units are to retreat to one province
    is judged there each time.
    """

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.rulebook = vocabulary, rulebook
        self.known: dict[int, tuple[int, int]] = {}
        """By a unit and an order, as one number: the result where all exits are open, and the unit afterwards."""
        self.place_of_unit = numpy.array([vocabulary.location_numbers[unit.location] for unit in vocabulary.units])
        provinces = [vocabulary.location_numbers[province_of(place)] for place in vocabulary.locations]
        self.province_of_place = numpy.array(provinces)

    def judge(self, outcomes: Outcomes, orders: ArrayLike) -> Retreated:
        """What becomes of the dislodged units of movement phases, with an order for each row of `outcomes.dislodged`."""
        asked, vocabulary = numpy.asarray(orders), self.vocabulary
        if asked.shape != (len(outcomes.dislodged),):
            raise BoardError([f"orders are one for each of the {len(outcomes.dislodged)} dislodged units, not {asked.shape}"])
        boards, columns = outcomes.dislodged.T
        pairs = outcomes.units_before[boards, columns] * numpy.int64(len(vocabulary)) + asked
        results, arrived = numpy.full((2, len(asked)), NONE, numpy.int32)
        for row in numpy.flatnonzero(asked != NONE).tolist():
            if (pair := int(pairs[row])) not in self.known:
                self.known[pair] = self._asked(int(outcomes.units_before[boards[row], columns[row]]), int(asked[row]), row)
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
            results[rows], units[board, columns[rows]] = self._plainly(outcomes, rows, asked)
        return Retreated(results, units)

    def _asked(self, unit: int, number: int, row: int) -> tuple[int, int]:
        """What the plain path says of an order to a unit that may retreat wherever it could."""
        order = _order(self.vocabulary, number, f"dislodged unit {row}")
        owned = self.vocabulary.owned(unit, 0)
        if not isinstance(order, RetreatOrder) or order.unit.province != owned.province:
            raise NotationError(f"dislodged unit {row}: {order} is no order for {owned} to retreat")
        exits = tuple(sorted(self.vocabulary.map.exits(owned.kind, owned.location)))
        return self._told([DislodgedUnit(owned, exits)], [order])[0]

    def _plainly(self, outcomes: Outcomes, rows: Sequence[int], asked: NDArray[numpy.integer]) -> NDArray[numpy.int64]:
        """What the plain path says of these dislodged units of a board: their results, and the units afterwards."""
        dislodged = [_dislodged(outcomes, row) for row in rows]
        orders = [_order(self.vocabulary, asked[row], f"dislodged unit {row}") for row in rows]
        return numpy.array(self._told(dislodged, orders)).T

    def _told(self, dislodged: Sequence[DislodgedUnit], orders: Sequence[Order | None]) -> list[tuple[int, int]]:
        """The results of orders to these units, and the units afterwards."""
        board = Board((), tuple(dislodged), phase=Phase.RETREAT, map=self.vocabulary.map)
        given = grouped((lost.unit.power, order) for lost, order in zip(dislodged, orders, strict=True) if order)
        outcome = judge_retreats(board, given, rulebook=self.rulebook)
        verdicts = {judged.province: judged for of_power in outcome.judged.values() for judged in of_power}
        numbers, there = self.vocabulary.unit_numbers, {unit.province: unit.named for unit in outcome.units}
        told = []
        for lost in dislodged:
            judged = verdicts.get(lost.unit.province)
            result = NONE if judged is None else RESULT_NUMBERS[judged.verdict.order or OrderResult.STANDS]
            order = judged.order if judged and judged.verdict.order is OrderResult.SUCCEEDS else None
            told.append((result, numbers[there[province_of(order.destination)]] if isinstance(order, Retreat) else NONE))
        return told


def legal_retreats(rulebook: Rulebook, outcomes: Outcomes) -> Flags:
    """Dislodged units × the vocabulary: the legal orders of each."""
    vocabulary = outcomes.vocabulary
    legal = numpy.zeros((len(outcomes.dislodged), len(vocabulary)), numpy.bool_)
    for rows, board in _retreat_boards(outcomes):
        row_of = {lost.unit.province: row for row, lost in zip(rows, board.dislodged, strict=True)}
        for order in _listed(board, rulebook):
            if isinstance(order, RetreatOrder) and order in vocabulary.order_numbers:
                legal[row_of[order.unit.province], vocabulary.order_numbers[order]] = True
    return legal


def _retreat_boards(outcomes: Outcomes) -> Iterator[tuple[list[int], Board]]:
    """Every board with dislodged units, and nothing else on it, with the rows of these."""
    vocabulary, by_board = outcomes.vocabulary, dict[int, list[int]]()
    for row, board in enumerate(outcomes.dislodged[:, 0].tolist()):
        by_board.setdefault(board, []).append(row)
    for rows in by_board.values():
        yield rows, Board((), tuple(_dislodged(outcomes, row) for row in rows), phase=Phase.RETREAT, map=vocabulary.map)


def _dislodged(outcomes: Outcomes, row: int) -> DislodgedUnit:
    """A row of `outcomes.dislodged`, as the plain path takes it."""
    at, vocabulary = tuple(outcomes.dislodged[row]), outcomes.vocabulary
    retreats = tuple(sorted(vocabulary.locations[place] for place in numpy.flatnonzero(outcomes.retreats[row]).tolist()))
    return DislodgedUnit(vocabulary.owned(int(outcomes.units_before[at]), int(outcomes.powers[at])), retreats)


def adjust(
    vocabulary: Vocabulary, rulebook: Rulebook, units: ArrayLike, powers: ArrayLike, centers: ArrayLike, orders: ArrayLike,
    givers: ArrayLike,
) -> Adjusted:  # fmt: skip
    """What becomes of adjustment phases."""
    standing, owners, asked, whose = (numpy.asarray(one, numpy.int32) for one in (units, powers, orders, givers))
    columns, given_columns = standing.shape[1], asked.shape[1]
    results = numpy.full(asked.shape, NONE, numpy.int32)
    after = numpy.full((len(standing), columns + given_columns), NONE, numpy.int32)
    theirs = numpy.full_like(after, NONE)
    for number, board in enumerate(_adjustment_boards(vocabulary, standing, owners, centers)):
        given: dict[Power, list[Order]] = {}
        of: dict[Power, list[int]] = {}
        for column in range(given_columns):
            order = _order(vocabulary, asked[number, column], f"board {number}, order {column}")
            if order is not None:
                if not isinstance(order, AdjustmentOrder):
                    raise NotationError(f"board {number}, order {column}: {order} is no order of an adjustment phase")
                power = vocabulary.power(int(whose[number, column]))
                given.setdefault(power, []).append(order)
                of.setdefault(power, []).append(column)
        outcome = judge_adjustments(board, given, rulebook=rulebook)
        left = {unit.province: unit for unit in outcome.units}
        for column in numpy.flatnonzero(standing[number] != NONE).tolist():
            if vocabulary.units[standing[number, column]].province in left:
                after[number, column], theirs[number, column] = standing[number, column], owners[number, column]
        for column, judged in _with_numbers(of, outcome.judged):
            results[number, column] = RESULT_NUMBERS[judged.verdict.order or OrderResult.STANDS]
            if judged.verdict.order is OrderResult.SUCCEEDS and isinstance(judged.order, Build):
                built = left[judged.order.unit.province].named
                after[number, columns + column] = vocabulary.unit_numbers[built]
                theirs[number, columns + column] = whose[number, column]
    return Adjusted(results, after, theirs)


def legal_adjustments(
    vocabulary: Vocabulary, rulebook: Rulebook, units: ArrayLike, powers: ArrayLike, centers: ArrayLike
) -> Flags:
    """Boards × the vocabulary: the orders of an adjustment phase that are legal for the power whose unit or centre it is."""
    standing, owners = numpy.asarray(units, numpy.int32), numpy.asarray(powers, numpy.int32)
    legal = numpy.zeros((len(standing), len(vocabulary)), numpy.bool_)
    for number, board in enumerate(_adjustment_boards(vocabulary, standing, owners, centers)):
        legal[number, [vocabulary.order_numbers[order] for order in _listed(board, rulebook)]] = True
    return legal


def _adjustment_boards(vocabulary: Vocabulary, units: Numbers, powers: Numbers, centers: ArrayLike) -> Iterator[Board]:
    owned = numpy.asarray(centers, numpy.int32)
    if owned.shape != (len(units), len(vocabulary.centers)):
        wanted = (len(units), len(vocabulary.centers))
        raise BoardError([f"centers are an array of boards × supply centres, {wanted}, not {owned.shape}"])
    for standing, owners, row in zip(units, powers, owned, strict=True):
        on_board = tuple(
            vocabulary.owned(unit, power)
            for unit, power in zip(standing.tolist(), owners.tolist(), strict=True)
            if unit != NONE
        )
        held = {
            code: vocabulary.power(power) for code, power in zip(vocabulary.centers, row.tolist(), strict=True) if power != NONE
        }
        yield Board(on_board, centers=held, phase=Phase.ADJUSTMENT, map=vocabulary.map).checked()


def _order(vocabulary: Vocabulary, number: int, where: str) -> Order | None:
    if not NONE <= number < len(vocabulary):
        raise NotationError(f"{where}: there is no order {number}")
    return None if number == NONE else vocabulary.orders[number]


def _listed(board: Board, rulebook: Rulebook) -> Iterable[Order]:
    return (order for of_power in legal_orders(board, rulebook).values() for orders in of_power.values() for order in orders)


def _with_numbers(
    numbers: Mapping[Power, list[int]], judged: Mapping[Power, list[JudgedOrder]]
) -> Iterator[tuple[int, JudgedOrder]]:
    """Orders with their verdicts, and where they came from."""
    for power, given in judged.items():
        yield from zip(numbers[power], given, strict=True)
