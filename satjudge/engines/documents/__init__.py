"""Holds what commands find of campaigns and the kit, as plain data (`satjudge.notation.documents`)."""
