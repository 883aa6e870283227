"""Solves games of two sides that choose at once, one of rows and one of columns, exactly.

    solution = solve([[1, 0], [0, 1]])
    solution.value, solution.rows, solution.columns      # 1/2, [1/2, 1/2], [1/2, 1/2]

An entry is what the side that chooses the row gets, and the other side loses. By von Neumann's theorem there is a number, the
value: one side gets at least so much on average if it chooses rows with certain probabilities, whatever the other does, and
the other sees to it that it gets no more. It is found by the simplex method in fractions, with Bland's rule, so that it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

R = TypeVar("R")
C = TypeVar("C")


@dataclass(frozen=True)
class Solution:
    """The value of a game, with the frequency with which each row and each column is chosen."""

    value: Fraction
    rows: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]


def solve(matrix: Sequence[Sequence[Fraction | int]]) -> Solution:
    """Solve a game with at least one row and one column."""
    shift = 1 - min(min(row) for row in matrix)  # so that all entries are positive, and so is the value
    count, width = len(matrix), len(matrix[0])
    # Maximise the sum of y under (matrix + shift) y <= 1: y is what the columns get, divided by the value. Slacks come first.
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
                tableau[row] = _less(tableau[row], tableau[row][entering], tableau[leaving])
        goal = _less(goal, goal[entering], tableau[leaving])
        basis[leaving] = entering
    found = dict(zip(basis, (row[-1] for row in tableau), strict=True))
    value = 1 / goal[-1]
    columns = tuple(found.get(column, Fraction(0)) * value for column in range(width))
    rows = tuple(goal[width + row] * value for row in range(count))  # what the slacks cost
    return Solution(value - shift, rows, columns)


def _less(row: list[Fraction], times: Fraction, other: list[Fraction]) -> list[Fraction]:
    return [entry - times * taken for entry, taken in zip(row, other, strict=True)]


@dataclass(frozen=True)
class Mixed(Generic[R, C]):
    """The value of a game, and the rows and columns that are chosen, each with its probability."""

    value: Fraction
    rows: tuple[tuple[R, Fraction], ...]
    columns: tuple[tuple[C, Fraction], ...]


def double_oracle(rows: Sequence[R], columns: Sequence[C], payoff: Callable[[R, C], Fraction]) -> Mixed[R, C]:
    """Solve a large game by few of its rows and columns (McMahan, Gordon and Blum 2003).

    The game of some rows and columns is solved. If some other row does better against the columns that are chosen there, or
    some other column against the rows, it is added; if none does, no side can gain by what was left out.
    """
    some_rows, some_columns = [rows[0]], [columns[0]]
    while True:
        solution = solve([[payoff(row, column) for column in some_columns] for row in some_rows])
        chosen_rows = tuple((row, share) for row, share in zip(some_rows, solution.rows, strict=True) if share)
        chosen_columns = tuple((column, share) for column, share in zip(some_columns, solution.columns, strict=True) if share)

        def of_row(row: R, against: tuple[tuple[C, Fraction], ...] = chosen_columns) -> Fraction:
            return sum((share * payoff(row, column) for column, share in against), Fraction(0))

        def of_column(column: C, against: tuple[tuple[R, Fraction], ...] = chosen_rows) -> Fraction:
            return sum((share * payoff(row, column) for row, share in against), Fraction(0))

        best_row, best_column = max(rows, key=of_row), min(columns, key=of_column)
        better = of_row(best_row) > solution.value
        worse = of_column(best_column) < solution.value
        if not better and not worse:
            return Mixed(solution.value, chosen_rows, chosen_columns)
        some_rows += [best_row] if better else []
        some_columns += [best_column] if worse else []
