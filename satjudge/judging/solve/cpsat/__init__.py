"""Asks CP-SAT, and is the only package that imports ortools, when a solver is asked something.

`model` reads the equations of a board with orders, `questions` are what is asked about it; `formula` solves questions about
unknown orders, which come as clauses (`satjudge.judging.solve.clauses`). Only that is imported here: the others
import ortools.
"""

from satjudge.judging.solve.cpsat.formula import Answer, Solver

__all__ = ["Answer", "Solver"]
