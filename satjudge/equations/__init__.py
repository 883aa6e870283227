"""The equations of DATC 5.B, each stated exactly once. Nothing here knows of a solver.

`situation` says what the equations speak of, `logic` what they are written in, `statement` is the equations themselves;
`evaluate` and `printing` are two of their readers (the others are `satjudge.solve.bounds` and `satjudge.solve.cpsat`).
"""
