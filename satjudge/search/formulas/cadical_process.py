"""Runs CaDiCaL as a process: reads clauses and assumptions from standard input, writes assignments to standard output.

    python cadical_process.py SEED

Every question is a pickled triple: the clauses that are new, one after the other with a 0 behind each, what is assumed (nothing
at all, if not even that is to be decided), and None. The answer is pickled, too: for each variable whether it holds, or None if
there is no assignment.

In the place of None may stand the format of a proof, `drat` or `lrat`, and the file that it is to be written to. Then the
clauses are a question by themselves. CaDiCaL 1.9.5, as python-sat brings it, writes LRAT if its option `lrat` is set before the
proof is begun. python-sat itself begins a proof before options can be set, so that the file is handed over here.

It is a process of its own for the reasons of `satjudge.search.formulas.cadical`.
"""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Iterable, Iterator

import pysolvers
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
                clauses, assumptions, proof = pickle.load(asked)
            except EOFError:
                return
            if proof:
                model = None if refute_clauses(clauses, *proof) else b""
            else:
                for clause in _split_clauses(clauses):
                    solver.add_clause(clause)
                model = bytes(literal > 0 for literal in solver.get_model()) if solver.solve(assumptions) else None
            pickle.dump(model, answers)
            answers.flush()


def refute_clauses(clauses: Iterable[int], style: str, proof: str) -> bool:
    """Return whether the clauses cannot all hold; if so, the proof is in the file."""
    with open(proof, "w+b") as file, Cadical195() as solver:
        solver.configure({"lrat": int(style == "lrat"), "binary": 0})
        solver.prfile, solver.prfp = file, pysolvers.cadical195_tracepr(solver.cadical, file)
        for clause in _split_clauses(clauses):
            solver.add_clause(clause)
        found = solver.solve() is False
        pysolvers.flushpr(solver.prfp)
        return found


def _split_clauses(literals: Iterable[int]) -> Iterator[list[int]]:
    clause: list[int] = []
    for literal in literals:
        if literal:
            clause.append(literal)
        else:
            yield clause
            clause = []


if __name__ == "__main__":
    main()
