"""States the equations of DATC 5.B, each exactly once, without knowing a solver.

`situation` defines the subjects of the equations, `logic` their language, and `statement` the equations themselves;
`printing` and `proof` are two of their logics (another is `satjudge.judging.solve.cpsat_model`). `compiler` turns their
source into plain functions for the bounds, using `generator` and `formulas`.
"""
