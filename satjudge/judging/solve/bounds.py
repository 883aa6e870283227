"""Evaluates every decision optimistically and pessimistically until no more are settled: partial information (DATC 5.E).

Where the optimist and the pessimist agree, the decision is settled, for all values of the open ones. An equation
reads each other decision only for or only against its own, so that these bounds are exact for one equation. PASS alone, of
trains, reads some both ways: an army of one's own lets a train through if it stays, and in if it leaves (DATC 2.4, 7.B).
So where the bounds settle no more of these, a truth table is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from satjudge.judging.equations import compiler
from satjudge.judging.equations.situation import Decision, PassDecision, Situation

Values = list[bool | None]
"""One value for each decision of a situation, by index; None where it is still open."""

Holds: TypeAlias = Callable[[Sequence[bool], Sequence[bool], Decision], Any]
"""An equation as `if` takes it, from the values that speak for the decision and those that speak against it."""


def find_equation(situation: Situation) -> Holds:
    """Return the compiled function that evaluates the equation of any decision of the situation."""
    return compiler.compile_equations(situation.rulebook)["decision"]


class BoundsResult(NamedTuple):
    """The decisions that partial information settles, and those that it leaves open."""

    settled: list[Decision]
    """The settled decisions in order: each follows from those before it."""
    still_open: list[Decision]


def settle(situation: Situation, values: Values) -> BoundsResult:
    """Enter in `values` what partial information settles, and return which decisions it settles and which stay open.

    Decisions with a value keep it, even if it contradicts their equations, since a ruling may have settled them.
    """
    highest, lowest, undecided = [True] * len(values), [False] * len(values), situation.decisions
    if values.count(None) < len(values):
        highest = [value is not False for value in values]
        lowest = [value is True for value in values]
        undecided = [decision for decision in undecided if values[decision.index] is None]
    holds = find_equation(situation)
    found = narrow_bounds(holds, highest, lowest, undecided)
    while situation.trains and (learnt := _find_constant_passes(situation, highest, lowest, found.still_open)):
        for decision, value in learnt.items():
            highest[decision.index] = lowest[decision.index] = value
        rest = narrow_bounds(holds, highest, lowest, [decision for decision in found.still_open if decision not in learnt])
        found = BoundsResult([*found.settled, *learnt, *rest.settled], rest.still_open)
    values[:] = lowest
    for decision in found.still_open:
        values[decision.index] = None
    return found


def _find_constant_passes(
    situation: Situation, highest: Sequence[bool], lowest: Sequence[bool], still_open: Sequence[Decision]
) -> dict[Decision, bool]:
    """Map each open PASS decision that is the same for all values of the other open ones to that value."""
    from satjudge.judging.solve.cores import find_constant  # which reads bounds

    values = [high if high is low else None for high, low in zip(highest, lowest, strict=True)]
    passes = [decision for decision in still_open if isinstance(decision, PassDecision)]
    found = {decision: find_constant(situation, values, decision) for decision in passes}
    return {decision: value for decision, value in found.items() if value is not None}


def narrow_bounds(holds: Holds, highest: list[bool], lowest: list[bool], undecided: list[Decision]) -> BoundsResult:
    """Narrow the bounds `highest` and `lowest` in place until partial information settles no more; return what it settled."""
    settled: list[Decision] = []
    progress = True
    while progress and undecided:
        rest = []
        for subject in undecided:
            if holds(lowest, highest, subject):  # the pessimist, who is asked first as most orders have their way
                lowest[subject.index] = True
                settled.append(subject)
            elif not holds(highest, lowest, subject):  # the optimist: what speaks for it is true wherever it may be
                highest[subject.index] = False
                settled.append(subject)
            else:
                rest.append(subject)
        progress = len(rest) < len(undecided)
        undecided = rest
    return BoundsResult(settled, undecided)
