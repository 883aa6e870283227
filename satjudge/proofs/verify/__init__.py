"""Verifies certificates for `satjudge verify`.

This code shares no rules with the code whose claims it checks, and imports no solver (see the contracts in pyproject.toml).
"""
