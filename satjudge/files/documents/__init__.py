"""Holds what commands find of cases and maps, as plain data (`satjudge.notation.documents`)."""
