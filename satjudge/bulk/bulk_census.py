"""Judges the boards of a census in arrays, and examines each kind of core only once.

Compiled code judges boards, and gives each core a signature. Cores with the same signature have the same equations among the
same kinds of orders that meet in the same places, so the Python code classifies one of them for all. The Python code also
counts the boards that the compiled code does not settle. The result is the same as that of `census.tally_board`, board by
board.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy

from satjudge.bulk import census
from satjudge.bulk.census import CoreClass
from satjudge.bulk.judge import Judge, Outcomes
from satjudge.bulk.kernel.memory import NONE, SETTLED, WITH_CORES, Numbers
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.tallies import ClaimTally, Example, Tally, add_by_name, test_core_claims
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.explain.cores import classify_cores
from satjudge.judging.equations.situation import build_situation
from satjudge.judging.legality import make_docket
from satjudge.world.board import Board, Unit
from satjudge.world.orders import MovementOrders
from satjudge.world.rules import Rulebook, load_rulebook

BLOCK = 4_000
"""The largest number of boards in memory at a time."""

Signature = tuple[int, int]
DrawnBoards = Sequence[tuple[Flavour, Board, MovementOrders]]
Rows = tuple[Numbers, Numbers, Numbers]
"""Units, powers and orders as `satjudge.bulk.judge.Judge` takes them: boards × units, by the numbers of the vocabulary."""


@lru_cache(maxsize=1)
def make_counter(plan: census.Plan) -> Counter:
    """Return the counter for a plan; the next call with the same plan returns the same one, since it learns while counting."""
    return Counter(plan)


class Counter:
    """Counts the boards of a census plan."""

    def __init__(self, plan: census.Plan) -> None:
        self.plan = plan
        self.vocabulary = Vocabulary(plan.map)
        self.judge = Judge(self.vocabulary, plan.rulebook)
        self.classes: dict[Signature, tuple[CoreClass, tuple[str, ...]] | None] = {}
        """The class of all cores with a signature, and the claims that hold; None if a claim fails, and each is examined."""
        self.judges: dict[Rulebook, Judge] = {plan.rulebook: self.judge}
        self._units: dict[Unit, tuple[int, int]] = {}

    def tally(self, indices: Sequence[int]) -> Tally:
        """Return the counts of cores, resolutions and differences between rulebooks on the boards with these numbers."""
        tally = Tally()
        for begin in range(0, len(indices), BLOCK):
            self._count(tally, indices[begin : begin + BLOCK])
        return tally

    def _count(self, tally: Tally, indices: Sequence[int]) -> None:
        boards = [self.plan.draw(index) for index in indices]
        rows = self._lay_out_boards(boards)
        found = self.judge.judge_compiled(*rows)
        cores = self._find_cores(boards, rows[0], found)
        answered = numpy.isin(found.status, (SETTLED, WITH_CORES)).tolist()
        counted = [is_answered and None not in cores.get(board, ()) for board, is_answered in enumerate(answered)]
        after = self._find_units_after(
            rows, [board for board, index in enumerate(indices) if counted[board] and self.plan.is_compared(index)]
        )
        resolutions = found.resolutions.tolist()
        for number, (index, (flavour, board, orders)) in enumerate(zip(indices, boards, strict=True)):
            if not counted[number]:
                tally.add(census.tally_board(self.plan, index))
                continue
            example, classes = Example(len(board.units), index), [core for core in cores.get(number, ()) if core]
            tally.boards += 1
            add_by_name(tally.resolutions, {flavour: {str(resolutions[number]): 1}})
            census.count_cores(tally, [core for core, _ in classes], example)
            for claim in (claim for _, claims in classes for claim in claims):
                add_by_name(tally.claims, {claim: ClaimTally(tested=1)})
            if number in after:
                census.count_differences(tally, after[number], example)
                situation = build_situation(board, make_docket(board, orders, self.plan.rulebook), self.plan.rulebook)
                census.count_dependencies(tally, situation, None, example)

    def _lay_out_boards(self, drawn_boards: DrawnBoards) -> Rows:
        """Return the units, powers and orders of boards as arrays of the vocabulary's numbers, boards × columns, or -1."""
        most, numbers, known = max(len(board.units) for _, board, _ in drawn_boards), self._units, self.vocabulary.order_numbers
        rows: list[list[int]] = []
        for _, board, given in drawn_boards:
            ordered = {order.unit.province: known[order] for unit_orders in given.values() for order in unit_orders}
            rest = [NONE] * (most - len(board.units))
            of_units = [numbers.get(unit) or self._number_unit(unit) for unit in board.units]
            rows.append([number for number, _ in of_units] + rest)
            rows.append([power for _, power in of_units] + rest)
            rows.append([ordered.get(unit.province, NONE) for unit in board.units] + rest)
        arrays = numpy.array(rows, numpy.int32).reshape(len(drawn_boards), 3, most)
        units, powers, orders = (numpy.ascontiguousarray(arrays[:, part]) for part in range(3))
        return units, powers, orders

    def _number_unit(self, unit: Unit) -> tuple[int, int]:
        """Return the vocabulary's numbers of a unit and of its power, and keep them for later calls."""
        found = self.vocabulary.unit_numbers[unit.named], self.vocabulary.powers.index(unit.power)
        self._units[unit] = found
        return found

    def _find_cores(
        self, drawn_boards: DrawnBoards, units: Numbers, outcomes: Outcomes
    ) -> dict[int, list[tuple[CoreClass, tuple[str, ...]] | None]]:
        """Return the class and passed claims of each core (None: examine it in Python), in the order of settling, by board."""
        boards, turns, columns = outcomes.cores[:, 0], outcomes.cores[:, 2], outcomes.cores[:, 3]
        cores: dict[int, list[tuple[CoreClass, tuple[str, ...]] | None]] = {}
        for row in outcomes.cores[numpy.lexsort((columns & -columns, turns, boards))].tolist():
            board, signature = row[0], (row[4], row[5])
            if signature not in self.classes:
                standing = (unit for column, unit in enumerate(units[board].tolist()) if row[3] >> column & 1)
                self.classes[signature] = self._classify_core(
                    drawn_boards[board], {self.vocabulary.units[unit].province for unit in standing}
                )
            cores.setdefault(board, []).append(self.classes[signature])
        return cores

    def _classify_core(
        self, drawn_board: tuple[Flavour, Board, MovementOrders], provinces: set[str]
    ) -> tuple[CoreClass, tuple[str, ...]] | None:
        """Return the class, and the claims that hold, of the core in these provinces; None if one fails or none is found."""
        _, adjudication, _ = census.judge_drawn_board(*drawn_board[1:], self.plan.rulebook)
        for core in classify_cores(adjudication) if adjudication else ():
            if {decision.province for decision in core.core.decisions} == provinces:
                claims = dict(test_core_claims(core.core))
                if all(claims.values()):
                    return CoreClass.from_core(core), tuple(claims)
        return None

    def _find_units_after(self, rows: Rows, board_indices: Sequence[int]) -> dict[int, dict[str, bytes | None]]:
        """Return the units after the moves as bytes, by board index and preset rulebook; None if the rulebook has no answer."""
        after: dict[int, dict[str, bytes | None]] = {board: {} for board in board_indices}
        for name in census.list_presets() if board_indices else ():
            rulebook = load_rulebook(name)
            judge = self.judges.get(rulebook) or self.judges.setdefault(rulebook, Judge(self.vocabulary, rulebook))
            found = judge.judge(*(array[board_indices] for array in rows))
            for board, units, unresolved in zip(board_indices, found.units, found.unresolved.tolist(), strict=True):
                after[board][name] = None if unresolved else units.tobytes()
        return after
