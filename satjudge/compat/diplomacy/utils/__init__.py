"""Holds saved games, data of phases and words for results, as the package's folder of that name does."""
