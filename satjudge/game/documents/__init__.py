"""Holds what commands find of games, as plain data (`satjudge.notation.documents`)."""
