"""Verifies certificates for `satjudge verify`.

It shares no rule with what it checks, and imports no solver (pyproject.toml's contracts).
"""
