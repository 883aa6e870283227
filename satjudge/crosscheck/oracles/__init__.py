"""Adjudicators that share with satjudge the map, the board and the orders as given, and nothing else."""
