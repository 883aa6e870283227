"""Compares the verdicts that an order sheet expects with those of a rulebook: `satjudge.check.check(sheet, rulebook)`."""

from satjudge.judging.check import CheckedCase, Unmet, check, check_under

__all__ = ["CheckedCase", "Unmet", "check", "check_under"]
