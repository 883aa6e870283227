"""Partial information (DATC 5.E): every decision evaluated optimistically and pessimistically, until nothing new is learnt.

Where the optimist and the pessimist agree, the decision is settled, whatever the open ones turn out to be. An equation
reads each other decision only for or only against its own, so that these bounds are exact for one equation.
"""

from __future__ import annotations

from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.situation import Decision, Situation

Values = list[bool | None]
"""One value for each decision of a situation, by index; None where it is still open."""


class _View(Reading):
    """The optimist or the pessimist; `~view` is the other."""

    __slots__ = ("opposing",)

    opposing: _View

    def __invert__(self) -> _View:
        return self.opposing


def settle(situation: Situation, values: Values) -> list[Decision]:
    """Settle in `values` what partial information settles, and return the decisions that stay open.

    Decisions that have a value keep it, whatever their equations say: a ruling may have settled them.
    """
    highest = [value is not False for value in values]
    lowest = [value is True for value in values]
    optimist, pessimist = _View(highest), _View(lowest)
    optimist.opposing, pessimist.opposing = pessimist, optimist
    undecided = [decision for decision in situation.decisions if values[decision.index] is None]
    progress = True
    while progress and undecided:
        rest = []
        for subject in undecided:
            index = subject.index
            if not statement.decision(optimist, subject):
                values[index] = highest[index] = False
            elif statement.decision(pessimist, subject):
                values[index] = lowest[index] = True
            else:
                rest.append(subject)
        progress = len(rest) < len(undecided)
        undecided = rest
    return undecided
