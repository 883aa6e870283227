"""Holds what commands find of searches and proofs, as plain data (`satjudge.notation.documents`)."""
