"""Hypotheses about how an engine judges: a rulebook with settings, or whatever else gives answers to positions.

Hypotheses with broken clauses of the equations are made in `satjudge.conformance`, and handed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from satjudge.crosscheck.comparison import answer_of
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Position
from satjudge.crosscheck.standing import Told
from satjudge.errors import RulebookError
from satjudge.judge import judge_phase
from satjudge.rules import Rulebook, load_preset, options, preset_names


class Hypothesis(Protocol):
    """What an engine may do. It can be sent to another process."""

    def could_give(self, told: Sequence[Told | None]) -> list[bool]:
        """Which of these answers it could give, as far as a quick look shows; None is an answer that cannot be looked at."""
        ...

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What such an engine says of each position, None where it has no answer. Many at once take less time."""
        ...


def answer_by(position: Position, rulebook: Rulebook) -> Answer | None:
    """What satjudge says of a position by a rulebook; None if it has no answer, as of a core that the rulebook leaves open."""
    try:
        return answer_of(judge_phase(position.board, position.orders, rulebook=rulebook))
    except Exception:  # a broken clause can break anything
        return None


@dataclass(frozen=True)
class OtherRules:
    """The engine plays another rulebook, or settles issues otherwise."""

    rulebook: Rulebook

    def could_give(self, told: Sequence[Told | None]) -> list[bool]:
        """It takes no time to judge by another rulebook."""
        return [True] * len(told)

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What satjudge says by that rulebook."""
        return [answer_by(position, self.rulebook) for position in positions]


def other_rules(rulebook: Rulebook) -> Iterator[tuple[str, OtherRules]]:
    """Every way to settle one issue otherwise, and every other rulebook that comes with satjudge, by name."""
    chosen = rulebook.settings()
    for option in options():
        for value in option.values:
            if value != chosen[option.issue]:
                setting = f"{option.issue}={value}"
                try:
                    yield setting, OtherRules(rulebook.with_settings([setting]))
                except RulebookError:  # choices that do not go together
                    continue
    for name in preset_names():
        if (other := load_preset(name)).settings() != chosen:
            yield f"rulebook {name}", OtherRules(other)
