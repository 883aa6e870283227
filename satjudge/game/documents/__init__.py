"""Holds the findings of commands about games, as plain data (`satjudge.notation.documents`)."""
