"""Contains saved games, phase data and words for results, like the package's folder of the same name."""

from satjudge.compat.diplomacy.utils.sorted_dict import PriorityDict

__all__ = ["PriorityDict"]
