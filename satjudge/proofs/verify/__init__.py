"""Verifies certificates for `satjudge verify`.

The code shares no rules with what it checks and imports no solver (see the contracts in pyproject.toml).
"""
