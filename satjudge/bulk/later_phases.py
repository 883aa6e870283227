"""Retreats and adjustments as arrays, by what the plain path says: nothing in them depends on itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.adjustments import judge_adjustments
from satjudge.board import Board, DislodgedUnit, Phase, grouped
from satjudge.bulk.arrays import NONE, Flags, Numbers
from satjudge.bulk.known import RESULT_NUMBERS
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.errors import BoardError, NotationError
from satjudge.geography import province_of
from satjudge.legal_orders import legal_orders
from satjudge.orders import AdjustmentOrder, Build, Order, Retreat, RetreatOrder
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.seasons import build_sites, counted_centers
from satjudge.verdicts import OrderResult

if TYPE_CHECKING:
    from satjudge.bulk.judge import Outcomes

_KEPT = 100_000
"""Answers about the orders of one power, at most."""


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


class _Power(NamedTuple):
    """What a power has to adjust on a board of many, and its orders."""

    power: int
    units: Numbers
    """All units of the board; their powers; who owns each centre."""
    owners: Numbers
    centers: Numbers
    orders: tuple[int, ...]


class _Adjusting(NamedTuple):
    """What becomes of the orders of one power: the result of each, the unit that each built or -1, and the units that go."""

    results: list[int]
    built: list[int]
    gone: frozenset[int]


class Adjustments:
    """Judges adjustments on a map under a rulebook.

    What the orders of a power come to is asked of the plain path once: it hangs on how many it has to build or to remove, and
    on where it can build or else on its units. Civil disorder may look at the fleets of others too, and is asked each time.
    """

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.rulebook = vocabulary, rulebook
        self.known: dict[tuple[int, int, object, tuple[int, ...]], _Adjusting | None] = {}
        """None where there is civil disorder."""
        self.accounts: dict[int, tuple[Flags, Flags]] = {}
        centers = {code: number for number, code in enumerate(vocabulary.centers)}
        self.province_of_unit = numpy.array([vocabulary.location_numbers[unit.province] for unit in vocabulary.units])
        self.center_of_unit = numpy.array([centers.get(unit.province, NONE) for unit in vocabulary.units])

    def judge(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike, orders: ArrayLike, givers: ArrayLike) -> Adjusted:
        """What becomes of adjustment phases."""
        standing, owners, asked, whose = (numpy.asarray(one, numpy.int32) for one in (units, powers, orders, givers))
        owned = _owned(self.vocabulary, standing, centers)
        self._check(standing, owners, owned)
        for number in numpy.unique(asked).tolist():
            board, column = numpy.argwhere(asked == number)[0]
            order = _order(self.vocabulary, number, where := f"board {board}, order {column}")
            if order is not None and not isinstance(order, AdjustmentOrder):
                raise NotationError(f"{where}: {order} is no order of an adjustment phase")
        results, built = (numpy.full(asked.shape, NONE, numpy.int32) for _ in range(2))
        left, theirs = standing.copy(), numpy.where(standing == NONE, NONE, owners)
        for board, power, surplus, sites, given in self._due(standing, owners, owned, asked, whose):
            due = _Power(power, standing[board], owners[board], owned[board], tuple(asked[board, given].tolist()))
            said = self._said(due, surplus, sites)
            results[board, given], built[board, given] = said.results, said.built
            for unit in said.gone:
                column = standing[board].tolist().index(unit)
                left[board, column] = theirs[board, column] = NONE
        after = numpy.concatenate((left, built), axis=1)
        return Adjusted(results, after, numpy.concatenate((theirs, numpy.where(built == NONE, NONE, whose)), axis=1))

    def _check(self, standing: Numbers, owners: Numbers, owned: Numbers) -> None:
        """Raises `BoardError` for the first board on which two units are in one province."""
        places = numpy.where(standing == NONE, -1 - numpy.arange(standing.shape[1]), self.province_of_unit[standing])
        places.sort(axis=1)
        for board in numpy.flatnonzero((places[:, 1:] == places[:, :-1]).any(axis=1)).tolist():
            _adjustment_board(self.vocabulary, standing[board], owners[board], owned[board])

    def _due(
        self, standing: Numbers, owners: Numbers, owned: Numbers, asked: Numbers, whose: Numbers
    ) -> Iterator[tuple[int, int, int, int, list[int]]]:
        """Who has something to adjust or gives orders: the board, the power, how many it may build or must remove, the bits of
        the centres where it can build, and the columns of its orders.
        """
        given: dict[int, dict[int, list[int]]] = {}
        for board, column in numpy.argwhere(asked != NONE).tolist():
            given.setdefault(int(whose[board, column]), {}).setdefault(board, []).append(column)
        full = numpy.zeros((len(standing), len(self.vocabulary.centers) + 1), numpy.bool_)
        full[numpy.arange(len(standing))[:, None], numpy.where(standing == NONE, NONE, self.center_of_unit[standing])] = True
        bits = 1 << numpy.arange(len(self.vocabulary.centers), dtype=numpy.int64)
        here = numpy.where(standing == NONE, NONE, owners)
        for power in {*numpy.unique(here).tolist(), *numpy.unique(owned).tolist(), *given} - {NONE}:
            counted, buildable = self._account(power)
            mine = owned == power
            surplus = (mine & counted).sum(axis=1) - (here == power).sum(axis=1)
            sites = (mine & buildable & ~full[:, :-1]) @ bits
            ordered = given.get(power, {})
            for board in sorted({*numpy.flatnonzero(surplus).tolist(), *ordered}):
                yield board, power, int(surplus[board]), int(sites[board]), ordered.get(board, [])

    def _account(self, power: int) -> tuple[Flags, Flags]:
        """Which centres count for a power, and where it can build."""
        if power not in self.accounts:
            name = self.vocabulary.power(power)
            boards = [Board((), centers={code: name}, map=self.vocabulary.map) for code in self.vocabulary.centers]
            flags = [[bool(said(board, name)) for board in boards] for said in (counted_centers, build_sites)]
            self.accounts[power] = numpy.array(flags[0]), numpy.array(flags[1])
        return self.accounts[power]

    def _said(self, due: _Power, surplus: int, sites: int) -> _Adjusting:
        """What the plain path says of a power's orders, now or before."""
        hangs_on: object = sites
        if surplus < 0:
            hangs_on = tuple(sorted(due.units[(due.owners == due.power) & (due.units != NONE)].tolist()))
        key = due.power, surplus, hangs_on, due.orders
        if key not in self.known:
            if len(self.known) >= _KEPT:
                self.known.clear()
            near = (due.owners == due.power) | (due.centers[self.center_of_unit[due.units]] == due.power)
            alone, disorder = self._asked(due._replace(units=numpy.where(near, due.units, NONE)))
            self.known[key] = None if disorder else alone
        return self.known[key] or self._asked(due)[0]

    def _asked(self, due: _Power) -> tuple[_Adjusting, bool]:
        """What the plain path says of a power's orders, and whether its units go by civil disorder too."""
        vocabulary, power = self.vocabulary, self.vocabulary.power(due.power)
        board = _adjustment_board(vocabulary, due.units, due.owners, numpy.where(due.centers == due.power, due.power, NONE))
        given = [order for number in due.orders if isinstance(order := vocabulary.orders[number], AdjustmentOrder)]
        outcome = judge_adjustments(board, {power: given}, rulebook=self.rulebook)
        left = {unit.province: vocabulary.unit_numbers[unit.named] for unit in outcome.units if unit.power == power}
        results, built = [], []
        for judged in outcome.judged[power]:
            results.append(RESULT_NUMBERS[judged.verdict.order or OrderResult.STANDS])
            made = judged.order if judged.verdict.order is OrderResult.SUCCEEDS else None
            built.append(left[made.unit.province] if isinstance(made, Build) else NONE)
        gone = {
            vocabulary.unit_numbers[unit.named] for unit in board.units if unit.power == power and unit.province not in left
        }
        return _Adjusting(results, built, frozenset(gone)), bool(outcome.automatic.get(power))


def legal_adjustments(
    vocabulary: Vocabulary, rulebook: Rulebook, units: ArrayLike, powers: ArrayLike, centers: ArrayLike
) -> Flags:
    """Boards × the vocabulary: the orders of an adjustment phase that are legal for the power whose unit or centre it is."""
    standing, owners = numpy.asarray(units, numpy.int32), numpy.asarray(powers, numpy.int32)
    legal = numpy.zeros((len(standing), len(vocabulary)), numpy.bool_)
    for number, row in enumerate(zip(standing, owners, _owned(vocabulary, standing, centers), strict=True)):
        board = _adjustment_board(vocabulary, *row)
        legal[number, [vocabulary.order_numbers[order] for order in _listed(board, rulebook)]] = True
    return legal


def _owned(vocabulary: Vocabulary, units: Numbers, centers: ArrayLike) -> Numbers:
    """Who owns each supply centre, by board."""
    owned = numpy.asarray(centers, numpy.int32)
    if owned.shape != (len(units), len(vocabulary.centers)):
        wanted = (len(units), len(vocabulary.centers))
        raise BoardError([f"centers are an array of boards × supply centres, {wanted}, not {owned.shape}"])
    return owned


def _adjustment_board(vocabulary: Vocabulary, units: Numbers, powers: Numbers, centers: Numbers) -> Board:
    """A board of many, as the plain path takes it."""
    placed = zip(units.tolist(), powers.tolist(), strict=True)
    on_board = tuple(vocabulary.owned(unit, power) for unit, power in placed if unit != NONE)
    owned = zip(vocabulary.centers, centers.tolist(), strict=True)
    held = {code: vocabulary.power(power) for code, power in owned if power != NONE}
    return Board(on_board, centers=held, phase=Phase.ADJUSTMENT, map=vocabulary.map).checked()


def _order(vocabulary: Vocabulary, number: int, where: str) -> Order | None:
    if not NONE <= number < len(vocabulary):
        raise NotationError(f"{where}: there is no order {number}")
    return None if number == NONE else vocabulary.orders[number]


def _listed(board: Board, rulebook: Rulebook) -> Iterable[Order]:
    return (order for of_power in legal_orders(board, rulebook).values() for orders in of_power.values() for order in orders)
