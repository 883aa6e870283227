"""Verifies certificates for `satjudge verify`.

It shares no rule with the code that it checks, and imports no solver (pyproject.toml's contracts).
"""
