"""Writes the equations of DATC 5.B a second time, independently of the judge, as clauses over the same decisions.

`datc_5b` encodes boards with unknown orders, `known_orders` a board with known orders.
"""

from satjudge.proofs.verify.second_encoder.candidates import Candidate
from satjudge.proofs.verify.second_encoder.cnf import FALSE, TRUE, Clause, Cnf, Literal
from satjudge.proofs.verify.second_encoder.datc_5b import EncodedOutcome, Equations, Strength, encode_equations
from satjudge.proofs.verify.second_encoder.known_orders import encode_orders

__all__ = [
    "FALSE",
    "TRUE",
    "Candidate",
    "Clause",
    "Cnf",
    "EncodedOutcome",
    "Equations",
    "Literal",
    "Strength",
    "encode_equations",
    "encode_orders",
]
