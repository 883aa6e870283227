"""Hypotheses for the findings of `satjudge crosscheck`: every clause of the equations, broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satjudge.conformance.mutations import MUTATIONS, SURVIVORS, broken
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Position
from satjudge.crosscheck.supposed import Hypothesis, answer_by, other_rules
from satjudge.rules import Rulebook


@dataclass(frozen=True)
class BrokenClause:
    """The engine plays a rulebook, but with one clause of the equations broken."""

    name: str
    rulebook: Rulebook

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What the broken statement says."""
        with broken(self.name):
            return [answer_by(position, self.rulebook) for position in positions]


def hypotheses(rulebook: Rulebook) -> dict[str, Hypothesis]:
    """All that is supposed of an engine that is compared under a rulebook, by name: other choices, then broken clauses."""
    clauses = {name: BrokenClause(name, rulebook) for name in MUTATIONS if name not in SURVIVORS}
    return {**dict(other_rules(rulebook)), **clauses}
