"""What is supposed of how an engine judges. Hypotheses are made in `satjudge.engines.conformance`, and handed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from satjudge.engines.comparison import answer_of
from satjudge.engines.positions import Position
from satjudge.engines.standing import Told
from satjudge.judging.judge import AnyOutcome, Orders, judge_phase
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.rules import Rulebook


class Hypothesis(Protocol):
    """What an engine may do. It can be sent to another process."""

    def joined(self, other: Hypothesis) -> Hypothesis | None:
        """What both suppose; None if the two do not go together."""
        ...

    def could_give(self, told: Sequence[Told | None]) -> list[bool]:
        """Which of these answers it could give, as far as a quick look shows; None is an answer that cannot be looked at."""
        ...

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What such an engine says of each position, None where it has no answer. Many at once take less time."""
        ...


def together(supposed: Iterable[Hypothesis | None]) -> Hypothesis | None:
    """All of these in one; None if there are none, or if they do not go together."""
    several = [one for one in supposed if one is not None]
    whole = several[0] if several else None
    for one in several[1:]:
        whole = whole.joined(one) if whole else None
    return whole


class Judging(Protocol):
    """Who judges: satjudge, or a changed one."""

    def __call__(self, board: Board, orders: Orders, *, rulebook: Rulebook) -> AnyOutcome:
        """Judge whichever phase the board is in."""
        ...


def answer_by(position: Position, rulebook: Rulebook, judging: Judging = judge_phase) -> Answer | None:
    """What satjudge says of a position by a rulebook; None if it has no answer, as of a core that the rulebook leaves open."""
    try:
        return answer_of(judging(position.board, position.orders, rulebook=rulebook))
    except Exception:  # a broken clause can break anything
        return None
