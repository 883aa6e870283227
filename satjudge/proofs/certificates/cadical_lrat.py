"""Runs CaDiCaL as a program that writes its proofs in LRAT, of one formula after the other.

    python cadical_lrat.py

A formula is read from standard input: its clauses in DIMACS, and then `proof FILE`, where the proof is to be written. Of each
one it prints `satisfiable` or `unsatisfiable`. CaDiCaL 1.9.5, as python-sat brings it, writes LRAT if its option `lrat` is set
before the proof is begun. python-sat itself begins a proof before options can be set, so that the file is handed over here.
It is a process of its own for the reasons of `satjudge.search.formulas.cadical`.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable

import pysolvers
from pysat.solvers import Cadical195


def main() -> None:
    """Read formulas, solve them, and print the answer to each."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # whoever asks ends it
    clauses: list[list[int]] = []
    for line in sys.stdin:
        if line.startswith("proof "):
            sys.stdout.write("unsatisfiable\n" if refute_clauses(clauses, line[len("proof ") : -1]) else "satisfiable\n")
            sys.stdout.flush()
            clauses = []
        elif not line.startswith(("p", "c")):
            clauses.append([int(literal) for literal in line.split()[:-1]])


def refute_clauses(clauses: Iterable[list[int]], proof: str) -> bool:
    """Tell whether the clauses cannot all hold; then the proof is in the file."""
    with open(proof, "w+b") as file, Cadical195() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        solver.prfile, solver.prfp = file, pysolvers.cadical195_tracepr(solver.cadical, file)
        for clause in clauses:
            solver.add_clause(clause)
        found = solver.solve() is False
        pysolvers.flushpr(solver.prfp)
        return found


if __name__ == "__main__":
    main()
