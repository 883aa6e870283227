"""Partial information (DATC 5.E): every decision evaluated optimistically and pessimistically, until nothing new is learnt.

Where the optimist and the pessimist agree, the decision is settled, whatever the open ones turn out to be. An equation
reads each other decision only for or only against its own, so that these bounds are exact for one equation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from satjudge.equations import compiled
from satjudge.equations.situation import Decision, Situation

Values = list[bool | None]
"""One value for each decision of a situation, by index; None where it is still open."""

Holds: TypeAlias = Callable[[Sequence[bool], Sequence[bool], Decision], Any]
"""An equation as `if` takes it, from the values that speak for the decision and those that speak against it."""


def equation(situation: Situation) -> Holds:
    """The equation of any decision of the situation, for evaluation."""
    return compiled.equations(situation.rulebook)["decision"]


def settle(situation: Situation, values: Values) -> list[Decision]:
    """Settle in `values` what partial information settles, and return the decisions that stay open.

    Decisions that have a value keep it, whatever their equations say: a ruling may have settled them.
    """
    highest = [value is not False for value in values]
    lowest = [value is True for value in values]
    undecided = [decision for decision in situation.decisions if values[decision.index] is None]
    still_open = narrow(equation(situation), highest, lowest, undecided)
    for decision in undecided:
        if highest[decision.index] is lowest[decision.index]:
            values[decision.index] = lowest[decision.index]
    return still_open


def narrow(holds: Holds, highest: list[bool], lowest: list[bool], undecided: list[Decision]) -> list[Decision]:
    """Bring the two bounds of the undecided as close together as partial information can; return those that stay open."""
    progress = True
    while progress and undecided:
        rest = []
        for subject in undecided:
            if not holds(highest, lowest, subject):  # the optimist: what speaks for it is true wherever it may be
                highest[subject.index] = False
            elif holds(lowest, highest, subject):  # the pessimist
                lowest[subject.index] = True
            else:
                rest.append(subject)
        progress = len(rest) < len(undecided)
        undecided = rest
    return undecided
