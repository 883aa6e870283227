"""Holds the findings of commands about cases and maps, as plain data (`satjudge.notation.documents`)."""
