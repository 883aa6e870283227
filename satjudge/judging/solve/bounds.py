"""Evaluates every decision optimistically and pessimistically until no more are settled: partial information (DATC 5.E).

Where the optimist and the pessimist agree, the decision is settled, whatever the values of the open ones. In an equation, each
decision either only favours or only opposes the equation's own decision, so these bounds are exact for one equation. The
exception is PASS, which is about trains: an army of the same power lets a train through if it stays, and in if it leaves (DATC
2.4, 7.B). So where the bounds settle no more, these equations are evaluated for all values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from satjudge.judging.equations import compiler
from satjudge.judging.equations.situation import Decision, PassDecision, Situation

Values = list[bool | None]
"""The value of each decision of a situation, by index; None while it is open."""

Holds: TypeAlias = Callable[[Sequence[bool], Sequence[bool], Decision], Any]
"""Evaluates a decision's equation, with separate values for decisions that favour it and those that oppose it."""


def find_equation(situation: Situation) -> Holds:
    """Return the compiled function that evaluates the equation of any decision of the situation."""
    return compiler.compile_equations(situation.rulebook)["decision"]


class BoundsResult(NamedTuple):
    """The decisions that partial information settles, and those that it leaves open."""

    settled: list[Decision]
    """The settled decisions, each of which follows from those before it."""
    still_open: list[Decision]


def settle(situation: Situation, values: Values) -> BoundsResult:
    """Enter in `values` every value that partial information settles; return which decisions it settles and which stay open.

    Decisions with a value keep it, even if it contradicts their equations, since a ruling may have settled them.
    """
    highest, lowest, undecided = [True] * len(values), [False] * len(values), situation.decisions
    if values.count(None) < len(values):
        highest = [value is not False for value in values]
        lowest = [value is True for value in values]
        undecided = [decision for decision in undecided if values[decision.index] is None]
    holds = find_equation(situation)
    found = narrow_bounds(holds, highest, lowest, undecided)
    while situation.trains and (constant := _find_constant_passes(situation, highest, lowest, found.still_open)):
        for decision, value in constant.items():
            highest[decision.index] = lowest[decision.index] = value
        rest = narrow_bounds(holds, highest, lowest, [decision for decision in found.still_open if decision not in constant])
        found = BoundsResult([*found.settled, *constant, *rest.settled], rest.still_open)
    values[:] = lowest
    for decision in found.still_open:
        values[decision.index] = None
    return found


def _find_constant_passes(
    situation: Situation, highest: Sequence[bool], lowest: Sequence[bool], still_open: Sequence[Decision]
) -> dict[Decision, bool]:
    """Map each open PASS decision whose equation has the same value for all values of the open decisions to that value."""
    from satjudge.judging.solve.cores import find_constant  # which imports this module

    values = [high if high is low else None for high, low in zip(highest, lowest, strict=True)]
    passes = [decision for decision in still_open if isinstance(decision, PassDecision)]
    found = {decision: find_constant(situation, values, decision) for decision in passes}
    return {decision: value for decision, value in found.items() if value is not None}


def narrow_bounds(holds: Holds, highest: list[bool], lowest: list[bool], undecided: list[Decision]) -> BoundsResult:
    """Settle `undecided` decisions by narrowing `highest` and `lowest` in place until nothing more follows; return which."""
    settled: list[Decision] = []
    progress = True
    while progress and undecided:
        rest = []
        for subject in undecided:
            if holds(lowest, highest, subject):  # the pessimist, who comes first as most orders succeed
                lowest[subject.index] = True
                settled.append(subject)
            elif not holds(highest, lowest, subject):  # the optimist: all that may speak for the decision is true
                highest[subject.index] = False
                settled.append(subject)
            else:
                rest.append(subject)
        progress = len(rest) < len(undecided)
        undecided = rest
    return BoundsResult(settled, undecided)
