"""Holds the results of campaigns and of the kit as plain data (`satjudge.notation.documents`)."""
