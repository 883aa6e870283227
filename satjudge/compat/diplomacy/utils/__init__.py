"""Holds saved games, data of phases and words for results, as the package's folder of that name does."""

from satjudge.compat.diplomacy.utils.sorted_dict import PriorityDict

__all__ = ["PriorityDict"]
