"""Writes a formula for other solvers: as DIMACS, OPB, MiniZinc or SMT-LIB.

Variables are numbered as in the formula; what they mean, where they are not auxiliary, stands in comments. Counts are written
as clauses in DIMACS (`satjudge.judging.solve.dimacs`), as a sum in the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from satjudge.judging.solve.clauses import Formula, Literal
from satjudge.judging.solve.dimacs import clauses_of


def dimacs(formula: Formula) -> Iterator[str]:
    """Write the lines of a DIMACS file, for SAT solvers.

    Variables beyond those of the formula count.
    """
    yield from (f"c {variable} {name}" for variable, name in formula.names.items())
    yield from clauses_of(formula).text()


def opb(formula: Formula) -> Iterator[str]:
    """Write the lines of an OPB file, for pseudo-Boolean solvers: a count is two inequalities."""
    rows = list(_inequalities(formula))
    yield f"* #variable= {formula.size} #constraint= {len(rows)}"
    yield from (f"* x{variable} {name}" for variable, name in formula.names.items())
    for weights, least in rows:
        terms: Counter[int] = Counter()
        for literal, weight in weights:
            terms[abs(literal)] += weight if literal > 0 else -weight  # not x is 1 - x
            least -= 0 if literal > 0 else weight
        yield f"{' '.join(f'{weight:+d} x{variable}' for variable, weight in terms.items())} >= {least} ;"


_Inequality = tuple[list[tuple[Literal, int]], int]
"""Literals with positive weights; the weights of those that hold come to at least the number."""


def _inequalities(formula: Formula) -> Iterator[_Inequality]:
    for clause in formula.clauses:
        yield [(literal, 1) for literal in clause], 1
    for count in formula.counts:
        fewer = len(count.literals) - count.least + 1
        """So many do not hold, if there are too few."""
        yield [(-count.result, count.least), *((literal, 1) for literal in count.literals)], count.least
        yield [(count.result, fewer), *((-literal, 1) for literal in count.literals)], fewer
    for literals in formula.exclusive:
        yield [(-literal, 1) for literal in literals], len(literals) - 1


def minizinc(formula: Formula) -> Iterator[str]:
    """Write the lines of a MiniZinc model."""

    def named(literal: Literal) -> str:
        return f"x{literal}" if literal > 0 else f"not x{-literal}"

    def total(literals: Iterable[Literal]) -> str:
        return f"sum([{', '.join(f'bool2int({named(literal)})' for literal in literals)}])"

    for variable in range(1, formula.size + 1):
        yield f"var bool: x{variable};" + _comment("%", formula, variable)
    for clause in formula.clauses:
        yield "constraint " + " \\/ ".join(map(named, clause)) + ";"
    for count in formula.counts:
        yield f"constraint ({named(count.result)}) <-> ({total(count.literals)} >= {count.least});"
    for literals in formula.exclusive:
        yield f"constraint {total(literals)} <= 1;"
    yield "solve satisfy;"


def smt_lib(formula: Formula) -> Iterator[str]:
    """Write the lines of an SMT-LIB script (version 2.6, logic QF_LIA: counts are sums of integers)."""

    def named(literal: Literal) -> str:
        return f"x{literal}" if literal > 0 else f"(not x{-literal})"

    def total(literals: Iterable[Literal]) -> str:
        return f"(+ 0 {' '.join(f'(ite {named(literal)} 1 0)' for literal in literals)})"

    yield "(set-logic QF_LIA)"
    for variable in range(1, formula.size + 1):
        yield f"(declare-const x{variable} Bool)" + _comment(";", formula, variable)
    for clause in formula.clauses:
        yield f"(assert (or false {' '.join(map(named, clause))}))"
    for count in formula.counts:
        yield f"(assert (= {named(count.result)} (>= {total(count.literals)} {count.least})))"
    for literals in formula.exclusive:
        yield f"(assert (<= {total(literals)} 1))"
    yield from ("(check-sat)", "(get-model)")


def _comment(mark: str, formula: Formula, variable: int) -> str:
    name = formula.names.get(variable)
    return f" {mark} {name}" if name else ""


WRITERS: dict[str, Callable[[Formula], Iterator[str]]] = {"cnf": dimacs, "opb": opb, "mzn": minizinc, "smt2": smt_lib}
"""The function that writes a formula, by the ending of the file."""
