"""CP-SAT: the only package that imports ortools.

`model` reads the equations of a board with orders, `questions` are what is asked about it; `formula` solves questions about
unknown orders, which come as clauses (`satjudge.judging.solve.clauses`).
"""

from satjudge.judging.solve.cpsat.formula import Answer, Solver
from satjudge.judging.solve.cpsat.model import Linear, Literal, Model, Strength, Truth
from satjudge.judging.solve.cpsat.questions import (
    Enumeration,
    GuardedEquations,
    backbone,
    constant,
    enumerate_all,
    looks_at,
    new_solver,
    solution,
    unchanging,
)

__all__ = [
    "Answer",
    "Enumeration",
    "GuardedEquations",
    "Linear",
    "Literal",
    "Model",
    "Solver",
    "Strength",
    "Truth",
    "backbone",
    "constant",
    "enumerate_all",
    "looks_at",
    "new_solver",
    "solution",
    "unchanging",
]
