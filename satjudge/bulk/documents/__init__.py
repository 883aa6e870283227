"""Holds the documents of censuses and counts, as plain data (`satjudge.notation.documents`)."""
