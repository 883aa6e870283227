"""Runs CaDiCaL as a process: reads clauses and assumptions from standard input, writes assignments to standard output.

    python cadical_process.py SEED

Every question is a pickled pair: the clauses that are new, one after the other with a 0 behind each, and what is assumed
(nothing at all, if not even that is to be decided). The answer is pickled, too: for each variable whether it holds, or None if
there is no assignment. It is a process of its own for the reasons of `satjudge.search.formulas.cadical`.
"""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Iterable, Iterator

from pysat.solvers import Cadical195


def main() -> None:
    """Answer questions until the input ends."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # whoever asks ends it
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    with Cadical195() as solver:
        # Of very many orders few are given: to begin with, nothing is.
        solver.configure({"phase": 0, "seed": int(sys.argv[1])})
        while True:
            try:
                clauses, assumptions = pickle.load(asked)
            except EOFError:
                return
            for clause in _split(clauses):
                solver.add_clause(clause)
            found = solver.solve(assumptions)
            model = bytes(literal > 0 for literal in solver.get_model()) if found else None
            pickle.dump(model, answers)
            answers.flush()


def _split(literals: Iterable[int]) -> Iterator[list[int]]:
    clause: list[int] = []
    for literal in literals:
        if literal:
            clause.append(literal)
        else:
            yield clause
            clause = []


if __name__ == "__main__":
    main()
