"""States the equations of DATC 5.B, each exactly once, without knowing a solver.

`situation` says what the equations speak of, `logic` what they are written in, `statement` is the equations themselves;
`printing` and `proof` are two of their readers (another is `satjudge.judging.solve.cpsat_model`). `compiler` turns their
source into plain functions, for the bounds; `generator` and `formulas` are how.
"""
