"""Certificates of what satjudge claims: a claim as data, formulas that say it, and proofs that `satjudge verify` checks."""
