"""Puts explanations in words: reasons, verdicts as tables show them, and results as players say them."""
