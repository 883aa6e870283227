"""Runs CaDiCaL as a process: reads clauses and assumptions from standard input, and writes assignments to standard output.

    python cadical_process.py SEED

Every question is a pickled triple: the new clauses as numbers, with a 0 after each clause; the assumptions; and None. The
answer is also pickled: for each variable, whether it is true; or None if there is no assignment.

The third item can also be a proof format, `drat` or `lrat`, with the file for the proof. In that case the clauses are a
separate question. CaDiCaL 1.9.5, as shipped with python-sat, writes LRAT if its option `lrat` is set before the proof begins.
Since python-sat begins a proof before options can be set, this module passes on the file itself.

`satjudge.search.formulas.cadical` explains why this is a separate process.
"""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Iterable, Iterator

import pysolvers
from pysat.solvers import Cadical195


def main() -> None:
    """Read pickled questions from standard input and write the solver's pickled answers, until the input ends."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the parent process ends this one
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    with Cadical195() as solver:
        # Few of very many possible orders are given, so try false first.
        solver.configure({"phase": 0, "seed": int(sys.argv[1])})
        while True:
            try:
                clauses, assumptions, proof = pickle.load(requests)
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
    """Return whether the clauses cannot all hold, and write the solver's proof in the format `style` to the file `proof`."""
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
