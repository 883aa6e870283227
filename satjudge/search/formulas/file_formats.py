"""Writes formulas in the formats of other solvers: plain clauses (DIMACS), OPB, MiniZinc and SMT-LIB.

In DIMACS, counts become sequential counters (Sinz 2005), defined in both directions so that the number of solutions stays the
same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal, is_tautology

Clause = tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Clauses:
    """Clauses over variables from 1 to `size`, of which the first are those of the formula.

    `required` contains the indices of required clauses; every other clause begins with a variable that it helps to define.
    """

    size: int
    clauses: Sequence[Clause]
    required: Sequence[int]

    def iter_lines(self) -> Iterator[str]:
        """Yield the lines of a DIMACS file with these clauses."""
        yield f"p cnf {self.size} {len(self.clauses)}"
        for clause in self.clauses:
            yield f"{' '.join(map(str, clause))} 0"


def make_clauses(formula: Formula) -> Clauses:
    """Convert a formula to plain clauses, with counts replaced by clauses over new variables."""
    written = Counters(formula.size, list(formula.clauses))
    for count in formula.counts:
        written.define(count.result, count.least, count.literals)
    required = list(formula.required)
    for literals in formula.exclusive:
        if written.require_at_most_one(literals):
            required.append(len(written.clauses) - 1)
    return Clauses(written.size, written.clauses, required)


class Counters:
    """A list of clauses that grows, over variables up to `size`, with new variables for counts of literals.

    Variable 1 is true.
    """

    def __init__(self, size: int, clauses: list[Clause] | None = None) -> None:
        self.size = size
        self.clauses: list[Clause] = clauses or []

    def define(self, result: Literal, least: int, literals: Sequence[Literal]) -> None:
        """Add clauses which state that `result` holds if and only if at least `least` of the literals hold."""
        reached = self.make_counter(literals, least)
        self.clauses += [(-result, reached), (result, -reached)]

    def require_at_most_one(self, literals: Sequence[Literal]) -> bool:
        """Add clauses which state that at most one of the literals holds; return False if none were needed."""
        if len(literals) > 1:
            self.clauses.append((-self.make_counter(literals, 2),))
        return len(literals) > 1

    def make_counter(self, literals: Sequence[Literal], least: int) -> Literal:
        """Return a literal that holds if and only if at least `least` of the literals hold; add the clauses that define it."""
        row = [TRUE, *[FALSE] * least]
        for literal in literals:
            row = [TRUE, *(self._make_step(row[n], row[n - 1], literal) for n in range(1, least + 1))]
        return row[least]

    def _make_step(self, already: Literal, one_less: Literal, literal: Literal) -> Literal:
        """Return a literal, with its clauses, that holds if and only if `already` does, or both `one_less` and `literal` do."""
        if one_less == FALSE:
            return already
        self.size += 1
        new = self.size
        both_ways = (new, -already), (new, -one_less, -literal), (-new, already, literal), (-new, already, one_less)
        self.clauses += (clause for clause in both_ways if not is_tautology(clause))
        return new


# ---- files for other solvers: DIMACS, OPB, MiniZinc or SMT-LIB ----
#
# Variables are numbered as in the formula, and comments give their meanings, unless they are auxiliary. Counts are written as
# clauses in DIMACS, and as sums in the other formats.


def format_dimacs(formula: Formula) -> Iterator[str]:
    """Yield the lines of a DIMACS file of the formula, for SAT solvers.

    Variables with higher numbers than those of the formula belong to its counts.
    """
    yield from (f"c {variable} {name}" for variable, name in formula.names.items())
    yield from make_clauses(formula).iter_lines()


def format_opb(formula: Formula) -> Iterator[str]:
    """Yield the lines of an OPB file of the formula, for pseudo-Boolean solvers; each count becomes two inequalities."""
    rows = list(_iter_inequalities(formula))
    yield f"* #variable= {formula.size} #constraint= {len(rows)}"
    yield from (f"* x{variable} {name}" for variable, name in formula.names.items())
    for weights, least in rows:
        terms: Counter[int] = Counter()
        for literal, weight in weights:
            terms[abs(literal)] += weight if literal > 0 else -weight  # not x is 1 - x
            least -= 0 if literal > 0 else weight
        yield f"{' '.join(f'{weight:+d} x{variable}' for variable, weight in terms.items())} >= {least} ;"


_Inequality = tuple[list[tuple[Literal, int]], int]
"""Literals with positive weights, and a number: the weights of the literals that hold add up to at least this number."""


def _iter_inequalities(formula: Formula) -> Iterator[_Inequality]:
    for clause in formula.clauses:
        yield [(literal, 1) for literal in clause], 1
    for count in formula.counts:
        fewer = len(count.literals) - count.least + 1
        """The number of literals that do not hold if fewer than `count.least` do."""
        yield [(-count.result, count.least), *((literal, 1) for literal in count.literals)], count.least
        yield [(count.result, fewer), *((-literal, 1) for literal in count.literals)], fewer
    for literals in formula.exclusive:
        yield [(-literal, 1) for literal in literals], len(literals) - 1


def format_minizinc(formula: Formula) -> Iterator[str]:
    """Yield the lines of a MiniZinc model of the formula."""

    def format_literal(literal: Literal) -> str:
        return f"x{literal}" if literal > 0 else f"not x{-literal}"

    def format_sum(literals: Iterable[Literal]) -> str:
        return f"sum([{', '.join(f'bool2int({format_literal(literal)})' for literal in literals)}])"

    for variable in range(1, formula.size + 1):
        yield f"var bool: x{variable};" + _format_comment("%", formula, variable)
    for clause in formula.clauses:
        yield "constraint " + " \\/ ".join(map(format_literal, clause)) + ";"
    for count in formula.counts:
        yield f"constraint ({format_literal(count.result)}) <-> ({format_sum(count.literals)} >= {count.least});"
    for literals in formula.exclusive:
        yield f"constraint {format_sum(literals)} <= 1;"
    yield "solve satisfy;"


def format_smt_lib(formula: Formula) -> Iterator[str]:
    """Yield the lines of an SMT-LIB script of the formula (version 2.6, logic QF_LIA), with counts as integer sums."""

    def format_literal(literal: Literal) -> str:
        return f"x{literal}" if literal > 0 else f"(not x{-literal})"

    def format_sum(literals: Iterable[Literal]) -> str:
        return f"(+ 0 {' '.join(f'(ite {format_literal(literal)} 1 0)' for literal in literals)})"

    yield "(set-logic QF_LIA)"
    for variable in range(1, formula.size + 1):
        yield f"(declare-const x{variable} Bool)" + _format_comment(";", formula, variable)
    for clause in formula.clauses:
        yield f"(assert (or false {' '.join(map(format_literal, clause))}))"
    for count in formula.counts:
        yield f"(assert (= {format_literal(count.result)} (>= {format_sum(count.literals)} {count.least})))"
    for literals in formula.exclusive:
        yield f"(assert (<= {format_sum(literals)} 1))"
    yield from ("(check-sat)", "(get-model)")


def _format_comment(mark: str, formula: Formula, variable: int) -> str:
    name = formula.names.get(variable)
    return f" {mark} {name}" if name else ""


WRITERS: dict[str, Callable[[Formula], Iterator[str]]] = {
    "cnf": format_dimacs,
    "opb": format_opb,
    "mzn": format_minizinc,
    "smt2": format_smt_lib,
}
"""The functions that write a formula, by file ending."""
