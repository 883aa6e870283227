"""Holds what commands find of positions and their reasons, as plain data (`satjudge.notation.documents`)."""
