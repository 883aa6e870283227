"""Plain evaluation: does an assignment of the decisions satisfy their equations, and what are the strengths in it?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.situation import Decision, MoveDecision, Situation


def violated(situation: Situation, values: Sequence[bool], overridden: Collection[int] = ()) -> list[Decision]:
    """The decisions whose value is not what their equation says, those overridden by a ruling left out."""
    reading = Reading(values)
    return [
        subject
        for subject in situation.decisions
        if subject.index not in overridden and statement.decision(reading, subject) != values[subject.index]
    ]


@dataclass(frozen=True, slots=True)
class Strengths:
    """PATH and the strengths of one move in a resolution (DATC 5.B.4 to 5.B.8)."""

    path: bool
    attack: int
    prevent: int
    defend: int
    opposition: int
    """What it must exceed at its destination: HOLD, or DEFEND in a head-to-head battle."""


def strengths(move: MoveDecision, values: Sequence[bool]) -> Strengths:
    """PATH and the strengths of a move where the decisions have these values."""
    reading = Reading(values)
    return Strengths(
        path=reading.path(move),
        attack=reading.attack(move),
        prevent=reading.prevent(move),
        defend=reading.defend(move),
        opposition=statement.opposition(reading, move),
    )


def hold_strengths(situation: Situation, values: Sequence[bool]) -> dict[str, int]:
    """HOLD of every place of a situation, by province."""
    reading = Reading(values)
    return {province: reading.hold(place) for province, place in situation.places.items()}
