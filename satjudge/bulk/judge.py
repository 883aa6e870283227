"""Judges many movement phases at once, and takes and returns them as arrays.

The Python code judges the boards that the compiled code does not settle (`kernel.memory.LEFT`), one by one, so that the
returned arrays are complete. The array `Outcomes.plainly` marks these boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.base.errors import UnresolvedError
from satjudge.base.processes import warn_once
from satjudge.base.values import one_line
from satjudge.bulk import argument_checks, later_phases
from satjudge.bulk.kernel.memory import *
from satjudge.bulk.later_phases import AdjustmentOutcomes, RetreatOutcomes
from satjudge.bulk.tables.later_facts import list_orders_by_unit
from satjudge.bulk.tables.order_facts import RESULT_NUMBERS, OrderFacts
from satjudge.bulk.vocabulary import Vocabulary, explain_size, find_uncompiled_rule
from satjudge.bulk.wasm.array_kernel import ArrayKernel, Play, draw_orders, list_orders, load_array_kernel, make_scratch_arrays
from satjudge.bulk.wasm.sandbox import SandboxError
from satjudge.judging.judge import judge_without_kernel
from satjudge.judging.legal_orders import orderable
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind
from satjudge.world.orders import Move, Named, Order
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook
from satjudge.world.verdicts import OrderResult, Verdict

FEWEST_SHARED = 64
"""The smallest number of boards in a call that are divided among threads."""


@dataclass(slots=True)
class Outcomes:
    """The outcomes of many movement phases, in arrays of boards × units with the columns of the input.

    -1 means none: no unit, no order, or not dislodged.
    """

    vocabulary: Vocabulary
    units_before: Numbers
    """The units of the input, boards × units."""
    powers: Numbers
    """The powers of the units, boards × units."""
    results: Numbers
    """The result of each unit's order, boards × units, as a number in `RESULTS`; -1 without an order."""
    fates: Numbers
    """The fate of each unit, boards × units: 0, or a number in `FATES` if the unit was dislodged."""
    attackers: Numbers
    """The column of the unit that dislodged each unit, boards × units."""
    units: Numbers
    """The units after the moves, boards × units, by the vocabulary; -1 for dislodged units."""
    orders: Numbers
    """The legal orders in full, boards × units, by the vocabulary."""
    contested: Flags
    """Whether nobody may retreat to a province because of a stand-off, boards × provinces."""
    dislodged: Numbers
    """The dislodged units, each as a row with its board and its column, sorted by board."""
    retreats: Flags
    """Whether each dislodged unit may retreat to a location, dislodged units × locations."""
    resolutions: LongNumbers
    """The number of resolutions of each board before any backup rule: not 1 if it has a paradox or a circular movement."""
    cores: LongNumbers
    """Cores that compiled code settled: rows as in `rulings` (-1 for no rule), with two more numbers, the core's signature.

    Cores with the same signature have the same equations among the same kinds of orders.
    """
    rulings: LongNumbers
    """Rulings, each as a row: the board, an index in `rules`, the round, and the columns of the core's units as bits."""
    rules: tuple[str, ...]
    """The names of the backup rules."""
    status: NDArray[numpy.int8]

    @property
    def plainly(self) -> Flags:
        """True for each board that the Python code judged."""
        return self.status == LEFT  # type: ignore[no-any-return]

    @property
    def unresolved(self) -> Flags:
        """True for each board to which the rulebook has no answer; such a board has no other results."""
        return self.status == UNRESOLVED  # type: ignore[no-any-return]

    def verdict(self, board: int, column: int) -> Verdict | None:
        """Return the verdict on the order of the unit in a column of a board; None if the unit has no order."""
        result, fate = int(self.results[board, column]), int(self.fates[board, column])
        return None if result == NONE else Verdict.from_result(RESULTS[result], FATES[fate])


class Judge:
    """Judges many phases on one map, under one rulebook, and in one season if the map closes provinces.

    Pass the map, its name or file, or its vocabulary; and the rulebook, or its name as in batch lines: `datc-3 with
    4.A.2=all-hold`. A judge learns facts about orders from the Python code, and later judges the same orders faster. With
    `plainly`, the Python code judges all boards; several `threads` divide the boards of a call. Raises `InputError` for unknown
    names and for a missing season, and `MissingPackageError` and `SandboxError` if the kernel cannot run.
    """

    def __init__(
        self,
        game_map: Map | Vocabulary | str | Path | None = None,
        rulebook: Rulebook | str | None = None,
        season: str | None = None,
        *,
        plainly: bool = False,
        threads: int = 1,
    ) -> None:
        self.vocabulary = game_map if isinstance(game_map, Vocabulary) else Vocabulary(game_map)
        self.rulebook = rulebook if isinstance(rulebook, Rulebook) else _find_rulebook(rulebook or DEFAULT_RULES)
        self.season = season
        self.facts = OrderFacts(self.vocabulary.in_season(season), self.rulebook)
        self.retreats = later_phases.Retreats(self.vocabulary, self.rulebook)
        self.adjustments = later_phases.Adjustments(self.vocabulary, self.rulebook)
        self.obstacle = None if plainly else explain_size(self.vocabulary)
        """The reason why compiled code cannot judge, so that all boards are judged one by one; None if it can."""
        self.kernels: list[ArrayKernel] = []
        """An instance of the compiled kernel for each thread; none for a map that is too large."""
        if not (plainly or self.obstacle):
            self.kernels = [load_array_kernel(self.facts) for _ in range(threads)]
            self.obstacle = self._find_obstacle()
            if not self.obstacle:
                self._try_out()

    def _find_obstacle(self) -> str | None:
        """Return why the kernel cannot judge under this rulebook; None if it can."""
        if "judge_boards" in self.kernels[0].names:
            return None
        if rule := find_uncompiled_rule(self.facts.rulebook):
            return f"{self.rulebook.name} on the map {self.vocabulary.map.name}: {rule}"
        return f"the equations of {self.rulebook.name} are not compiled"

    def __repr__(self) -> str:
        plain = "plain path only" if self.obstacle else ""
        return one_line("Judge", self.vocabulary.map.name, self.rulebook.name, self.season or "", plain)

    def _try_out(self) -> None:
        """Judge an army's move by land as a trial; raise `SandboxError` if the kernel's result is wrong."""
        vocabulary = self.facts.vocabulary
        unit = next(unit for unit in vocabulary.units if unit.kind is UnitKind.ARMY and vocabulary.map.army.get(unit.location))
        move = Move(unit, min(vocabulary.map.army[unit.location]))
        numbers = (vocabulary.unit_numbers[unit], 0, vocabulary.order_numbers[move])
        found = self.judge_compiled(*(numpy.array([[number]], numpy.int32) for number in numbers))
        if found.verdict(0, 0) != Verdict.from_result(OrderResult.SUCCEEDS):
            raise SandboxError(f"the compiled kernel gives a wrong result: {move} {found.verdict(0, 0)}")

    def judge(self, units: ArrayLike, powers: ArrayLike, orders: ArrayLike) -> Outcomes:
        """Judge boards, given as arrays of boards × units with the numbers of units, of their powers and of their orders.

        -1 means no unit or no order; powers without a unit are ignored. Any number from 0 can be a power; the first numbers are
        those of `Vocabulary.powers`. Raises `BoardError` and `NotationError`, with board and column, for wrong numbers.
        """
        standing, theirs, asked = argument_checks.check_positions(self.vocabulary, units, powers, orders)
        if why := self.obstacle or _width_warning(standing.shape[1]):
            warn_once(f"boards are judged one by one, which takes longer: {why}")
        found = self.judge_compiled(standing, theirs, asked)
        if numpy.any(found.status == MISTAKEN):
            argument_checks.refuse_board(self.vocabulary, int(numpy.flatnonzero(found.status == MISTAKEN)[0]), standing, asked)
        self._judge_left_boards(found, standing, theirs, asked)
        return found

    def legal_orders(self, units: ArrayLike, powers: ArrayLike) -> Flags:
        """Return which orders are legal, in full form, in a movement phase of each board: flags, boards × the vocabulary.

        Raises the errors of `judge`.
        """
        units, powers = argument_checks.check_positions(self.vocabulary, units, powers)
        vocabulary, legal = self.vocabulary, numpy.zeros((len(units), len(self.vocabulary)), numpy.bool_)
        status = self._make_status(units)
        rows, listing = map(
            numpy.concatenate, list_orders(self._make_caller(units, powers), self.facts, status, units.shape[1])
        )
        legal[numpy.repeat(rows[:, SLOT_GAME], numpy.diff(rows[:, SLOT_FIRST], append=len(listing))), listing] = True
        for board in self._list_left_boards(status, units):
            position = RowPosition.from_rows(
                self.facts.vocabulary, units[board], powers[board], numpy.full_like(units[board], NONE)
            )
            listed = orderable(position.board, self.rulebook).values()
            numbers = (vocabulary.order_numbers.get(order) for group in listed for orders in group.values() for order in orders)
            legal[board, [number for number in numbers if number is not None]] = True
        return legal

    def draw_orders(self, units: ArrayLike, powers: ArrayLike, seed: int) -> Numbers:
        """Draw a legal order of a movement phase for each unit, and return them as boards × units; -1 for no unit.

        Each unit's legal orders (`legal_orders`) are equally likely, except for a bias below one in a million, and independent
        of other units. The same seed gives the same orders. Raises the errors of `judge`.
        """
        units, powers = argument_checks.check_positions(self.vocabulary, units, powers)
        chosen, status = numpy.full_like(units, NONE), self._make_status(units)
        seeds = (numpy.arange(len(units), dtype=numpy.int64) << 32) + (seed & 0xFFFFFFFF)
        draw_orders(self._make_caller(units, powers), self.facts, status, seeds, chosen)
        for board in self._list_left_boards(status, units):
            legal = self.legal_orders(units[board : board + 1], powers[board : board + 1])[0]
            for column in numpy.flatnonzero(units[board] != NONE).tolist():
                first, last = self.vocabulary.first_order[units[board, column] : units[board, column] + 2]
                legal_numbers = numpy.flatnonzero(legal[first:last])
                picked = sha256(f"{seed} {board} {column}".encode()).digest()
                chosen[board, column] = first + legal_numbers[int.from_bytes(picked[:8], "big") % len(legal_numbers)]
        return chosen

    def _make_status(self, units: Numbers) -> NDArray[numpy.int8]:
        """Return each board's initial status: PENDING if the kernel knows which orders are legal, else LEFT (to Python)."""
        return numpy.full(len(units), PENDING if self.kernels and self.kernels[0].knows_moves else LEFT, numpy.int8)

    def _list_left_boards(self, status: NDArray[numpy.int8], units: Numbers) -> list[int]:
        """Return the indices of boards that the kernel left to Python; raise `BoardError` for two units in one province."""
        left = numpy.flatnonzero((status == LEFT) | (status == MISTAKEN)).tolist()
        for board in left:
            argument_checks.refuse_board(self.vocabulary, board, units, numpy.full_like(units, NONE))
        return left

    @cached_property
    def _lists(self) -> dict[str, NDArray[Any]]:
        return list_orders_by_unit(self.facts.vocabulary)

    def _make_caller(self, units: Numbers, powers: Numbers) -> Play:
        """Return a function that calls a kernel function by name, and adds these units in a movement phase to its arrays."""
        provinces = len(self.vocabulary.provinces)
        moments, owners = (
            numpy.zeros((len(units), OF_MOMENT), numpy.int32),
            numpy.full((len(units), provinces), NONE, numpy.int32),
        )

        def call(function: str, arrays: dict[str, NDArray[Any]], outputs: tuple[str, ...]) -> None:
            state = {"units": units, "powers": powers, "owners": owners, "moments": moments}
            given = {**make_scratch_arrays(provinces), **self.facts.tables(), **self._lists, **state, **arrays}
            self.kernels[0].call(function, given, outputs)

        return call

    def retreat(self, outcomes: Outcomes, orders: ArrayLike) -> RetreatOutcomes:
        """Judge the retreats after movement phases; `orders` has an order, or -1, for each row of `Outcomes.dislodged`.

        Raises `NotationError` for an order to another unit.
        """
        return self.retreats.judge(outcomes, orders)

    def legal_retreats(self, outcomes: Outcomes) -> Flags:
        """Return which orders of a retreat phase are legal: flags, rows of `Outcomes.dislodged` × the vocabulary."""
        return self.retreats.find_legal_orders(outcomes)

    def centers_after_fall(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Numbers:
        """Return the owner of each supply centre after a Fall turn left these units, as boards × centres; -1 for nobody."""
        return self.adjustments.centers_after_fall(units, powers, centers)

    def adjustments_due(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Numbers:
        """Return the number of builds (negative: removals) due to each power, as boards × powers.

        The array has one column for each power of the map, and more if a larger number is a power.
        """
        return self.adjustments.count_due(units, powers, centers)

    def adjust(
        self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike, orders: ArrayLike, givers: ArrayLike
    ) -> AdjustmentOutcomes:
        """Judge adjustment phases: builds and removals, on boards × units with the owners of supply centres.

        `units` and `powers` are boards × units; `centers` contains the owner of each supply centre (`Vocabulary.centers`) or
        -1, boards × centres; `orders` contains the orders in sequence, and `givers` the powers that give them, boards × orders.

        A power that removes too few units loses others by civil disorder, and builds that are not ordered are not made. Raises
        `BoardError` and `NotationError` for numbers out of range, and `UnresolvedError` if the rulebook has no answer.
        """
        return self.adjustments.judge(units, powers, centers, orders, givers)

    def legal_adjustments(self, units: ArrayLike, powers: ArrayLike, centers: ArrayLike) -> Flags:
        """Return which orders of an adjustment phase are legal for any power: flags, boards × the vocabulary."""
        return self.adjustments.find_legal_orders(units, powers, centers)

    def _judge_left_boards(self, outcomes: Outcomes, units: Numbers, powers: Numbers, orders: Numbers) -> None:
        """Judge with the Python code the boards that the kernel left, and enter their results in `outcomes`."""
        rest = numpy.flatnonzero(outcomes.status == LEFT).tolist()
        rules, dislodged, retreats, rulings = [*outcomes.rules], [outcomes.dislodged], [outcomes.retreats], [outcomes.rulings]
        for board in rest:
            argument_checks.refuse_board(self.vocabulary, board, units, orders)
            position = RowPosition.from_rows(self.facts.vocabulary, units[board], powers[board], orders[board])
            try:
                outcome = judge_without_kernel(position.board, position.orders, self.rulebook)
            except UnresolvedError:
                outcomes.status[board] = UNRESOLVED
                continue
            assert isinstance(outcome, Outcome)
            position.write_outcome(outcome, outcomes, board)
            for lost in outcome.dislodgements.values():
                dislodged.append(numpy.array([[board, position.columns[lost.unit.province]]], numpy.int32))
                row = numpy.zeros((1, len(self.vocabulary.locations)), numpy.bool_)
                row[0, [self.vocabulary.location_numbers[place] for place in lost.retreats]] = True
                retreats.append(row)
            for turn, ruling in enumerate(outcome.adjudication.rulings):
                if ruling.rule not in rules:
                    rules.append(ruling.rule)
                bits = sum(1 << column for column in {position.columns[decision.province] for decision in ruling.core})
                rulings.append(numpy.array([[board, rules.index(ruling.rule), turn, bits]], numpy.int64))
        if rest:
            outcomes.rules = tuple(rules)
            outcomes.dislodged, outcomes.retreats = _join_by_board(dislodged, retreats)
            (outcomes.rulings,) = _join_by_board(rulings)

    def judge_compiled(self, units: Numbers, powers: Numbers, orders: Numbers) -> Outcomes:
        """Judge boards with the kernel, looking up missing facts; boards that it leaves to Python have no results."""
        compiled = self.kernels and not self.obstacle and units.shape[1] <= MOST_BOARD_UNITS
        count = len(self.kernels) if compiled and len(units) >= FEWEST_SHARED else 1
        ends = [len(units) * number // count for number in range(count + 1)]
        shares = [_Share(self.vocabulary, *(array[a:b] for array in (units, powers, orders))) for a, b in pairwise(ends)]
        if not compiled:
            shares[0].status[:] = LEFT
            return self._join_outcomes(shares, units, powers)
        waiting = list(zip(self.kernels, shares, strict=False))
        while waiting:
            self._run(waiting)
            waiting = [(kernel, share) for kernel, share in waiting if len(share.missing)]
            for _, share in waiting:
                self.facts.learn(share.missing)
        return self._join_outcomes(shares, units, powers)

    def _run(self, pending_shares: Sequence[tuple[ArrayKernel, _Share]]) -> None:
        """Judge the pending boards of each share with its kernel, in parallel threads if there are several shares."""
        if len(pending_shares) == 1:
            ((kernel, share),) = pending_shares
            share.judge(kernel, self.facts)
            return
        with ThreadPoolExecutor(len(pending_shares)) as threads:
            for finished in [threads.submit(share.judge, kernel, self.facts) for kernel, share in pending_shares]:
                finished.result()

    def _join_outcomes(self, shares: Sequence[_Share], units: Numbers, powers: Numbers) -> Outcomes:
        """Return the outcomes of all shares joined in their sequence, as if one kernel had judged all boards."""
        begin = 0
        for share in shares:
            share.dislodged[:, 0] += begin
            share.cores[:, 0] += begin
            begin += len(share.status)
        arrays = _join_arrays([share.told for share in shares], axis=1)
        status, contested, resolutions = (
            _join_arrays([getattr(share, name) for share in shares]) for name in ("status", "contested", "resolutions")
        )
        dislodged, retreats = _join_by_board([share.dislodged for share in shares], [share.retreats for share in shares])
        (cores,) = _join_by_board([share.cores for share in shares])
        results, fates, attackers, after, counted = arrays
        rulings = cores[cores[:, 1] != NONE, :4]
        return Outcomes(
            self.vocabulary, units, powers, results, fates, attackers, after, counted, contested, dislodged, retreats,
            resolutions, cores, rulings, tuple(self.facts.rules), status,
        )  # fmt: skip


class _Share:
    """A part of the boards in a call, which one kernel judges, with the arrays that it fills (`kernel.memory.ARRAYS`)."""

    def __init__(self, vocabulary: Vocabulary, units: Numbers, powers: Numbers, orders: Numbers) -> None:
        (boards, columns), places, locations = units.shape, len(vocabulary.provinces), len(vocabulary.locations)
        self.told = numpy.full((TOLD, boards, columns), NONE, numpy.int32)
        self.told[FATE] = 0
        self.status, self.resolutions = numpy.zeros(boards, numpy.int8), numpy.zeros(boards, numpy.int64)
        self.contested = numpy.zeros((boards, places), numpy.bool_)
        self.counters, self._wanted = numpy.zeros(3, numpy.int64), numpy.empty((4 * boards + 256, 2), numpy.int64)
        self._dislodged = numpy.empty((boards * columns, 2), numpy.int32)
        self._retreats = numpy.empty((boards * columns, locations), numpy.bool_)
        self._cores = numpy.empty((4 * boards + 16, 6), numpy.int64)
        self._given: dict[str, NDArray[Any]] = {
            "units": units, "powers": powers, "orders": orders, "status": self.status, "told": self.told,
            "contested": self.contested, "resolutions": self.resolutions, "dislodged": self._dislodged,
            "retreats": self._retreats, "cores": self._cores, "wanted": self._wanted, "counters": self.counters,
            "at": numpy.zeros(PITCH * max(places, columns + 1), numpy.int32),
            "inputs": numpy.zeros((MOST_OPEN, 1 + MOST_INPUTS), numpy.int32),
            "tables": numpy.zeros((MOST_OPEN, 1 << MOST_INPUTS), numpy.int8), "bits": numpy.zeros((6, 64), numpy.int64),
        }  # fmt: skip

    def judge(self, kernel: ArrayKernel, facts: OrderFacts) -> None:
        """Judge all pending boards of the share; afterwards, `missing` has the facts that the kernel lacks."""
        self.counters[WANTS] = 0
        kernel.call("judge_boards", facts.tables() | self._given)

    @property
    def missing(self) -> LongNumbers:
        """The facts that the kernel lacks for the pending boards, each as a row with its kind and key."""
        return self._wanted[: self.counters[WANTS]]

    @property
    def dislodged(self) -> Numbers:
        """The dislodged units, each as a row with its board and its column."""
        return self._dislodged[: self.counters[LOST]]

    @property
    def retreats(self) -> Flags:
        """Whether each dislodged unit may retreat to each location, dislodged units × locations."""
        return self._retreats[: self.counters[LOST]]

    @property
    def cores(self) -> LongNumbers:
        """The cores that were settled, in the form of `Outcomes.cores`."""
        return self._cores[: self.counters[CORES]]


@dataclass(slots=True)
class RowPosition:
    """The position in one row of arrays of boards, in the form that Python judges."""

    vocabulary: Vocabulary
    board: Board
    orders: dict[Power, list[Order]]
    columns: dict[ProvinceCode, int]
    """The column of each province's unit in the arrays."""

    @classmethod
    def from_rows(cls, vocabulary: Vocabulary, units: Numbers, powers: Numbers, orders: Numbers) -> RowPosition:
        """Make the position of one board from its rows of units, powers and orders."""
        standing: list[Unit] = []
        given: dict[Power, list[Order]] = {}
        columns: dict[ProvinceCode, int] = {}
        for column, (unit, number, order) in enumerate(zip(units.tolist(), powers.tolist(), orders.tolist(), strict=True)):
            if unit != NONE:
                owned = vocabulary.unit_of_power(unit, number)
                standing.append(owned)
                columns[owned.province] = column
                if order != NONE:
                    given.setdefault(owned.power, []).append(vocabulary.orders[order])
        return cls(vocabulary, Board(tuple(standing), map=vocabulary.map), given, columns)

    def write_outcome(self, outcome: Outcome, outcomes: Outcomes, board_index: int) -> None:
        """Write the outcome into row `board_index` of `outcomes`, except dislodged units, retreats, cores and rulings."""
        numbers = self.vocabulary.unit_numbers
        for judged in chain.from_iterable(outcome.judged.values()):
            column = self.columns[judged.province or ""]
            verdict = judged.verdict
            outcomes.results[board_index, column] = RESULT_NUMBERS[verdict.order or OrderResult.STANDS]
            if (legal := outcome.docket.orders.get(judged.province or "")) is not None and judged.reason is None:
                outcomes.orders[board_index, column] = self.vocabulary.order_numbers.get(legal, NONE)
        for unit in self.board.units:
            column = self.columns[unit.province]
            if (lost := outcome.dislodgements.get(unit.province)) is not None:
                outcomes.fates[board_index, column] = FATES.index(lost.fate)
                outcomes.attackers[board_index, column] = self.columns[lost.attacker.province]
                continue
            move = outcome.successful_moves.get(unit.province)
            destination = move.order.destination if move else outcome.rides.get(unit.province, unit.location)
            outcomes.units[board_index, column] = numbers[Named(unit.kind, destination)]
        places = self.vocabulary.location_numbers
        outcomes.contested[board_index, [places[code] for code in outcome.contested]] = True
        outcomes.resolutions[board_index] = outcome.adjudication.resolutions.count


def _width_warning(columns: int) -> str:
    """Return a warning if arrays have more columns than compiled code accepts; "" if they have not."""
    return (
        f"compiled code accepts {MOST_BOARD_UNITS} columns, not {columns}: remove columns without units"
        if columns > MOST_BOARD_UNITS
        else ""
    )


def _find_rulebook(name: str) -> Rulebook:
    """Load a rulebook by name or file, or by a name with settings as in batch lines; raise `RulebookError`."""
    return load_preset(name) if " with " in name else load_rulebook(name)


def _join_arrays(parts: list[NDArray[Any]], axis: int = 0) -> NDArray[Any]:
    """Return arrays concatenated along an axis; a single array is returned without a copy."""
    return parts[0] if len(parts) == 1 else numpy.concatenate(parts, axis)


def _join_by_board(*array_lists: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Concatenate each list of arrays; sort the rows of all results by the board in the first column of the first one."""
    arrays = [_join_arrays(parts) for parts in array_lists]
    order = numpy.argsort(arrays[0][:, 0], kind="stable")
    return [array[order] for array in arrays]
