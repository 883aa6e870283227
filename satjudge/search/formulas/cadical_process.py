"""Runs CaDiCaL as a process: reads clauses and assumptions from standard input, writes assignments to standard output.

    python cadical_process.py SEED

Every question is a pickled triple: the new clauses, one after the other with a 0 after each; the assumptions (none at all to
add clauses without solving); and None. The answer is also pickled: for each variable whether it holds, or None if there is no
assignment.

The third item may instead be a proof format, `drat` or `lrat`, with the file for the proof. The clauses are then a separate
question. CaDiCaL 1.9.5, as shipped with python-sat, writes LRAT if its option `lrat` is set before the proof begins. Since
python-sat begins a proof before options can be set, this module hands over the file itself.

It runs as a separate process for the reasons given in `satjudge.search.formulas.cadical`.
"""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Iterable, Iterator

import pysolvers
from pysat.solvers import Cadical195


def main() -> None:
    """Read questions (clauses and assumptions) from the input and write the solver's answers, until the input ends."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the asking process ends it
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    with Cadical195() as solver:
        # Of very many orders few are given, so try false first.
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
    """Return whether the clauses cannot all hold, and write the solver's proof of that to the file `proof`."""
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
