"""Holds the documents of searches and proofs, as plain data (`satjudge.notation.documents`)."""
