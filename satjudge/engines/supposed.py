"""Defines what a hypothesis about an engine can do.

Hypotheses are made in `satjudge.engines.conformance`, and handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from satjudge.engines.comparison import answer_of
from satjudge.engines.positions import AskedPosition
from satjudge.engines.standing import ToldValues
from satjudge.judging.judge import AnyOutcome, GivenOrders, judge_phase
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.rules import Rulebook


class Hypothesis(Protocol):
    """A way in which an engine may judge.

    It can be sent to another process.
    """

    def joined(self, other: Hypothesis) -> Hypothesis | None:
        """Join two hypotheses into one; None if they exclude each other."""
        ...

    def could_give(self, told: Sequence[ToldValues | None]) -> list[bool]:
        """Tell quickly of each answer whether such an engine could give it.

        None among the answers is one without values. An answer that such an engine cannot give after all may pass.
        """
        ...

    def answers(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        """Answer each position as such an engine does; None where it has no answer.

        Many positions at once take less time.
        """
        ...


def joined_hypothesis(supposed: Iterable[Hypothesis | None]) -> Hypothesis | None:
    """Join several hypotheses into one; None if there are none, or if some exclude each other."""
    several = [one for one in supposed if one is not None]
    whole = several[0] if several else None
    for one in several[1:]:
        whole = whole.joined(one) if whole else None
    return whole


class JudgeFunction(Protocol):
    """A function that judges a phase: satjudge's, or that of a changed copy."""

    def __call__(self, board: Board, orders: GivenOrders, *, rulebook: Rulebook) -> AnyOutcome:
        """Judge whichever phase the board is in."""
        ...


def answer_by(position: AskedPosition, rulebook: Rulebook, judging: JudgeFunction = judge_phase) -> Answer | None:
    """Answer a position as satjudge does by a rulebook; None if it has no answer, as where the rulebook leaves a core open."""
    try:
        return answer_of(judging(position.board, position.orders, rulebook=rulebook))
    except Exception:  # a broken clause can break anything
        return None
