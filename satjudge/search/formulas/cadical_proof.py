"""Runs CaDiCaL as a program: clauses in DIMACS on standard input, the answer on standard output.

    python cadical_proof.py SOLVER [--proof] < formula.cnf

The first line is `satisfiable` or `unsatisfiable`; the lines of the DRAT proof follow, if one is asked for. It is a process
of its own, since `python-sat` turns Ctrl-C into errors of several kinds, and cannot be stopped otherwise.
"""

from __future__ import annotations

import signal
import sys

from pysat.solvers import Solver


def main() -> None:
    """Read a formula, solve it, and write the answer."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # whoever asks ends it
    with_proof = "--proof" in sys.argv[2:]
    with Solver(name=sys.argv[1], with_proof=with_proof) as solver:
        for line in sys.stdin:
            if not line.startswith(("p", "c")):
                solver.add_clause([int(literal) for literal in line.split()[:-1]])
        unsatisfiable = solver.solve() is False
        proof = solver.get_proof() if with_proof and unsatisfiable else None
    sys.stdout.write("unsatisfiable\n" if unsatisfiable else "satisfiable\n")
    sys.stdout.writelines(f"{line}\n" for line in proof or ())


if __name__ == "__main__":
    main()
