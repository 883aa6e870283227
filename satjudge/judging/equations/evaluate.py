"""Evaluates equations and strengths under an assignment of the decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import Decision, MoveDecision, Situation
from satjudge.world.rules import Rulebook


def violated(situation: Situation, values: Sequence[bool], overridden: Collection[int] = ()) -> list[Decision]:
    """List the decisions whose value is not that of their equation, without those overridden by a ruling."""
    reading = Reading(values)
    return [
        subject
        for subject in situation.decisions
        if subject.index not in overridden and statement.decision(reading, subject) != values[subject.index]
    ]


class Strengths(Struct, frozen=True):
    """PATH and the strengths of one move in a resolution (DATC 5.B.4 to 5.B.8)."""

    path: bool
    attack: int
    prevent: int
    defend: int
    opposition: int
    """The strength that ATTACK must exceed at the destination: HOLD, or DEFEND in a head-to-head battle."""


def counted(strength: int, rules: Rulebook) -> int:
    """Convert a strength of the equations to that of the rules: where a map has difficult borders the equations count one more.

    There nothing at all and a move over such a border without support are both 0 (DATC 2.4, 10): `statement.ahead` tells
    them apart.
    """
    return max(0, strength - rules.difficult_borders)


def strengths(move: MoveDecision, values: Sequence[bool]) -> Strengths:
    """Compute PATH and the strengths of a move where the decisions have these values."""
    reading, rules = Reading(values), move.rules
    return Strengths(
        path=reading.path(move),
        attack=counted(reading.attack(move), rules),
        prevent=counted(reading.prevent(move), rules),
        defend=counted(reading.defend(move), rules),
        opposition=counted(statement.opposition(reading, move), rules),
    )


def hold_strengths(situation: Situation, values: Sequence[bool]) -> dict[str, int]:
    """Compute HOLD of every place of a situation, by province."""
    reading = Reading(values)
    return {province: counted(reading.hold(place), place.rules) for province, place in situation.places.items()}
