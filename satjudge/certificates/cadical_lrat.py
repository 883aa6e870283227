"""CaDiCaL as a program that writes its proof in LRAT: clauses in DIMACS on standard input, the proof in a file.

    python cadical_lrat.py PROOF.lrat < formula.cnf

It prints `satisfiable` or `unsatisfiable`. CaDiCaL 1.9.5, as python-sat brings it, writes LRAT if its option `lrat` is set
before the proof is begun. python-sat itself begins a proof before options can be set, so that the file is handed over here.
It is a process of its own for the reasons of `satjudge.research.cadical`.
"""

from __future__ import annotations

import sys

import pysolvers
from pysat.solvers import Cadical195


def main() -> None:
    """Read a formula, solve it, and say what came of it."""
    file = open(sys.argv[1], "w+b")  # noqa: SIM115  # the last of the proof is written to it when the process ends
    with Cadical195() as solver:
        solver.configure({"lrat": 1, "binary": 0})
        solver.prfile, solver.prfp = file, pysolvers.cadical195_tracepr(solver.cadical, file)
        for line in sys.stdin:
            if not line.startswith(("p", "c")):
                solver.add_clause([int(literal) for literal in line.split()[:-1]])
        unsatisfiable = solver.solve() is False
    sys.stdout.write("unsatisfiable\n" if unsatisfiable else "satisfiable\n")


if __name__ == "__main__":
    main()
