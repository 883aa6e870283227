"""Holds what commands find of censuses and counts, as plain data (`satjudge.notation.documents`)."""
