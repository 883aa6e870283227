"""Runs and asks other adjudicators: programs that answer batch lines, and oracles by name."""
