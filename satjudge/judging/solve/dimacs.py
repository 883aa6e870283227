"""Writes a formula as plain clauses (DIMACS) for any SAT solver: a second opinion beside CP-SAT's.

Counts are written as sequential counters (Sinz 2005), in both directions, so that the clauses have as many solutions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satjudge.judging.solve.clauses import FALSE, TRUE, Formula, Literal, is_tautology

Clause = tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses over variables from 1 to `size`; the first are those of the formula.

    `required` are the places of those that are asked for; each of the others begins with a variable that it helps to define.
    """

    size: int
    clauses: Sequence[Clause]
    required: Sequence[int]

    def text(self) -> Iterator[str]:
        """Write the lines of a DIMACS file."""
        yield f"p cnf {self.size} {len(self.clauses)}"
        for clause in self.clauses:
            yield f"{' '.join(map(str, clause))} 0"


def clauses_of(formula: Formula) -> Clauses:
    """Write a formula without counts."""
    written = Counters(formula.size, list(formula.clauses))
    for count in formula.counts:
        written.define(count.result, count.least, count.literals)
    required = list(formula.required)
    for literals in formula.exclusive:
        if written.one_at_most(literals):
            required.append(len(written.clauses) - 1)
    return Clauses(written.size, written.clauses, required)


class Counters:
    """A writer of clauses over variables up to `size` and the new variables that counts of literals need.

    The variable 1 is true.
    """

    def __init__(self, size: int, clauses: list[Clause] | None = None) -> None:
        self.size = size
        self.clauses: list[Clause] = clauses or []

    def define(self, result: Literal, least: int, literals: Sequence[Literal]) -> None:
        """Require that the result holds just where at least a number of the literals do."""
        reached = self.counter(literals, least)
        self.clauses += [(-result, reached), (result, -reached)]

    def one_at_most(self, literals: Sequence[Literal]) -> bool:
        """Require that no two literals hold, and tell whether that says anything."""
        if len(literals) > 1:
            self.clauses.append((-self.counter(literals, 2),))
        return len(literals) > 1

    def counter(self, literals: Sequence[Literal], least: int) -> Literal:
        """Make a literal that is equivalent to at least a number of the literals holding."""
        row = [TRUE, *[FALSE] * least]
        for literal in literals:
            row = [TRUE, *(self._step(row[n], row[n - 1], literal) for n in range(1, least + 1))]
        return row[least]

    def _step(self, already: Literal, one_less: Literal, literal: Literal) -> Literal:
        """Already so many, or one less and this one."""
        if one_less == FALSE:
            return already
        self.size += 1
        new = self.size
        both_ways = (new, -already), (new, -one_less, -literal), (-new, already, literal), (-new, already, one_less)
        self.clauses += (clause for clause in both_ways if not is_tautology(clause))
        return new
