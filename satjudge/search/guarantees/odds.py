"""Computes the probability with which a wish can be fulfilled some seasons ahead, if no orders guarantee it.

    odds = Odds(Wish(powers, goal, rulebook))
    chances = odds.solve(PositionAhead(board, seasons=2))
    chances.value                        # 1/2: the wish is fulfilled with at least this probability
    chances.rows                         # the orders that ensure this, each with its probability
    chances.columns                      # the other powers' orders that prevent a higher one, each with its probability

Both sides give orders at the same time, so each phase is a matrix game whose entries are the values of the next positions.
Positions are cached. All other powers count as one side with a common mixed strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from satjudge.base.errors import UnresolvedError
from satjudge.search.guarantees.lookahead import Lookahead, PositionAhead, Wish, list_plays
from satjudge.search.guarantees.one_season import OrderSet, OutOfTimeError, TimeLeft, WishTable, check_time
from satjudge.search.guarantees.playout import has_vain_help, is_assumption_met
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder, Order, Orders

# ---- matrix games, in which two sides choose a row and a column at the same time, solved exactly ----
#
#     solution = solve([[1, 0], [0, 1]])
#     solution.value, solution.rows, solution.columns      # 1/2, [1/2, 1/2], [1/2, 1/2]
#
# An entry is the gain of the row player and the loss of the column player. By von Neumann's theorem the game has a value: the
# row player gains at least this much on average by choosing rows with certain probabilities, and the column player can ensure
# that it is no more. The simplex method finds the value as a fraction; Bland's rule ensures that it ends.

R = TypeVar("R")
C = TypeVar("C")


@dataclass(frozen=True)
class Solution:
    """The value of a game, with optimal probabilities of its rows and of its columns."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve_matrix_game(matrix: Sequence[Sequence[Fraction | int]]) -> Solution:
    """Return the value of a matrix game and optimal probabilities of rows and columns; entries are the row player's gains."""
    shift = 1 - min(min(row) for row in matrix)  # so that all entries, and the value, are positive
    count, width = len(matrix), len(matrix[0])
    # Maximise the sum of y under (matrix + shift) y <= 1: y holds column probabilities over the value. Slacks come first.
    tableau = [
        [*(Fraction(entry) + shift for entry in row), *(Fraction(int(other == number)) for other in range(count)), Fraction(1)]
        for number, row in enumerate(matrix)
    ]
    goal = [*[Fraction(-1)] * width, *[Fraction(0)] * (count + 1)]
    basis = list(range(width, width + count))
    while (entering := next((column for column, entry in enumerate(goal[:-1]) if entry < 0), None)) is not None:
        able = [row for row in range(count) if tableau[row][entering] > 0]
        leaving = min(able, key=lambda row: (tableau[row][-1] / tableau[row][entering], basis[row]))
        pivot = tableau[leaving][entering]
        tableau[leaving] = [entry / pivot for entry in tableau[leaving]]
        for row in range(count):
            if row != leaving and tableau[row][entering]:
                tableau[row] = _subtract_multiple(tableau[row], tableau[row][entering], tableau[leaving])
        goal = _subtract_multiple(goal, goal[entering], tableau[leaving])
        basis[leaving] = entering
    found = dict(zip(basis, (row[-1] for row in tableau), strict=True))
    value = 1 / goal[-1]
    columns = tuple(found.get(column, Fraction(0)) * value for column in range(width))
    rows = tuple(goal[width + row] * value for row in range(count))  # the reduced costs of the slacks
    return Solution(value - shift, rows, columns)


def _subtract_multiple(row: list[Fraction], times: Fraction, other: list[Fraction]) -> list[Fraction]:
    return [entry - times * taken for entry, taken in zip(row, other, strict=True)]


@dataclass(frozen=True)
class MixedStrategies(Generic[R, C]):
    """The value of a game, and a mixed strategy for each side: rows, and columns, with their probabilities."""

    value: Fraction
    rows: tuple[tuple[R, Fraction], ...]
    columns: tuple[tuple[C, Fraction], ...]


def solve_by_double_oracle(
    rows: Sequence[R], columns: Sequence[C], payoff: Callable[[R, C], Fraction]
) -> MixedStrategies[R, C]:
    """Return the value and optimal strategies of a large game, computed from a few of its rows and columns.

    `payoff` returns the row player's gain. The game is solved for some rows and columns. Then any row that does better against
    the chosen columns is added, and likewise any column, until none does (McMahan, Gordon and Blum 2003).
    """
    some_rows, some_columns = [rows[0]], [columns[0]]
    while True:
        solution = solve_matrix_game([[payoff(row, column) for column in some_columns] for row in some_rows])
        chosen_rows = tuple((row, share) for row, share in zip(some_rows, solution.rows, strict=True) if share)
        chosen_columns = tuple((column, share) for column, share in zip(some_columns, solution.columns, strict=True) if share)

        def rate_row(row: R, against: tuple[tuple[C, Fraction], ...] = chosen_columns) -> Fraction:
            return sum((share * payoff(row, column) for column, share in against), Fraction(0))

        def rate_column(column: C, against: tuple[tuple[R, Fraction], ...] = chosen_rows) -> Fraction:
            return sum((share * payoff(row, column) for row, share in against), Fraction(0))

        best_row, best_column = max(rows, key=rate_row), min(columns, key=rate_column)
        better = rate_row(best_row) > solution.value
        worse = rate_column(best_column) < solution.value
        if not better and not worse:
            return MixedStrategies(solution.value, chosen_rows, chosen_columns)
        some_rows += [best_row] if better else []
        some_columns += [best_column] if worse else []


# ---- the odds ----

Chances = MixedStrategies[Orders, Orders]
"""The probability with which a wish is fulfilled, and the orders of both sides with their probabilities."""


@dataclass
class Odds:
    """The chances of the positions on the way to a wish, each computed once.

    Raises `OutOfTimeError` if the time is up.
    """

    wish: Wish
    time_left: TimeLeft = lambda: None
    on_position: Callable[[], None] = lambda: None
    solved: dict[object, tuple[PositionAhead, Chances]] = field(default_factory=dict)

    def solve(self, position: PositionAhead, kept_orders: OrderSet | None = None) -> Chances:
        """Return the probability of the wish from a position under best play, and both sides' strategies; results are cached.

        Units in `kept_orders` must have these orders in this phase.
        """
        if position.is_over:
            return MixedStrategies(Fraction(int(self.wish.is_met(position.board, position.dislodged))), (), ())
        known = self.solved.get(position.key)
        if known is None:
            known = self.solved[position.key] = position, self._compute_chances(position, kept_orders or {})
            self.on_position()
        return known[1]

    def _compute_chances(self, position: PositionAhead, kept_orders: OrderSet) -> Chances:
        own, others = self.wish.get_sides(position.board)
        rows = [play for play in self._list_plays(position.board, own, kept_orders) if _has_kept_orders(play, kept_orders)]
        columns = [play for play in self._list_plays(position.board, others) if self._is_assumed_play(position.board, play)]
        if not columns:  # no orders of the others meet the assumption
            return MixedStrategies(Fraction(1), ((rows[0], Fraction(1)),), ())
        values: dict[tuple[int, int], Fraction] = {}

        def payoff(row: int, column: int) -> Fraction:
            if (row, column) not in values:
                check_time(self.time_left)
                values[row, column] = self._compute_value(position, {**rows[row], **columns[column]})
            return values[row, column]

        mixed = solve_by_double_oracle(range(len(rows)), range(len(columns)), payoff)
        return MixedStrategies(
            mixed.value,
            tuple((rows[row], share) for row, share in mixed.rows),
            tuple((columns[column], share) for column, share in mixed.columns),
        )

    def _compute_value(self, position: PositionAhead, orders: Orders) -> Fraction:
        """Return the probability of the wish after these orders of both sides; 0 if the rulebook has no answer."""
        try:
            return self.solve(position.apply_orders(orders, self.wish)).value
        except UnresolvedError:
            return Fraction(0)

    def _list_plays(
        self, board: Board, powers: Sequence[Power], kept_orders: OrderSet | None = None
    ) -> Iterable[dict[Power, list[Order]]]:
        """Return these powers' ways to give orders, without free units' useless help unless an assumption may concern it.

        Leaves out useless help between units of a side, unless an assumption is made, which may be about such orders.
        """
        found = list_plays(board, powers, self.wish.rulebook)
        if board.phase is not Phase.MOVEMENT or (self.wish.assumed is not None and not set(powers) & {*self.wish.powers}):
            return found
        free = {unit.province for unit in board.units if unit not in (kept_orders or {})}
        return (play for play in found if not has_vain_help(_list_moves(play), free))

    def _is_assumed_play(self, board: Board, play: Mapping[Power, Sequence[Order]]) -> bool:
        if self.wish.assumed is None or board.phase is not Phase.MOVEMENT:
            return True
        given = {board.unit_at[order.unit.province]: order for order in _list_moves(play)}
        return is_assumption_met(self.wish.assumed, board, given, self.wish.rulebook)


def compute_odds(lookahead: Lookahead, table: WishTable, seasons: int) -> Chances | None:
    """Compute the chances of the wish from the table's board within `seasons` seasons; return None if the time is up.

    The table's kept orders apply to the first season.
    """
    try:
        return Odds(lookahead.wish, lookahead.time_left, lookahead.on_position).solve(
            PositionAhead(table.board, seasons), table.kept_orders
        )
    except OutOfTimeError:
        return None


def _list_moves(play: Mapping[Power, Sequence[Order]]) -> list[MovementOrder]:
    return [order for orders in play.values() for order in orders if isinstance(order, MovementOrder)]


def _has_kept_orders(play: Mapping[Power, Sequence[Order]], kept_orders: OrderSet) -> bool:
    return all(order in play.get(unit.power, ()) for unit, order in kept_orders.items())
