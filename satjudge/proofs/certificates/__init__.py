"""Writes certificates: a claim as data, formulas that state it, and proofs that `satjudge verify` checks."""
