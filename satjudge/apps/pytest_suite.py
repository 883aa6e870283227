"""Holds the tests that `pytest --satjudge-engine` runs if no test of the user has questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satjudge.apps.pytest_plugin import KitCheck


def test_kit(satjudge_question: KitCheck) -> None:
    """Check that the engine answers the question as satjudge does."""
    satjudge_question.check()
