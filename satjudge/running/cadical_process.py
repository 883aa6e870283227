"""CaDiCaL as a process: clauses and assumptions come on standard input, assignments go to standard output.

    python cadical_process.py SEED

Every question is a pickled pair: the clauses that are new, one after the other with a 0 behind each, and what is assumed
(nothing at all, if not even that is to be decided). The answer is pickled, too: for each variable whether it holds, or None if
there is no assignment. It is a process of its own for the reasons of `satjudge.running.cadical`; it looks from time to time
whether whoever asked is still there, and goes with him.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Iterator

from pysat.solvers import Cadical195

_SLICE = 5000
"""Conflicts between two looks."""


def main() -> None:
    """Answer questions until there are no more."""
    asked, answers, parent = sys.stdin.buffer, sys.stdout.buffer, os.getppid()
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
            found = None
            while found is None:
                solver.conf_budget(_SLICE)
                found = solver.solve_limited(assumptions)
                if os.getppid() != parent:
                    return
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
