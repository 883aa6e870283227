"""Holds the findings of commands about positions and their reasons, as plain data (`satjudge.notation.documents`)."""
