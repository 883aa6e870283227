"""Few open decisions are enumerated by hand: suppose one succeeds, see what follows, then suppose that it fails.

What follows is what the bounds say (DATC 5.E), so that on real boards hardly anything is supposed in vain. It spares the
solver, which takes longer to load and to set up than a core of a dozen orders takes this way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from satjudge.equations.situation import Decision, Situation
from satjudge.solve.bounds import Values, equation, narrow
from satjudge.solve.result import Assignment

MOST_SUPPOSITIONS = 64
"""After so many the solver is the better choice."""


def assignments(situation: Situation, values: Values, indices: Sequence[int]) -> list[Assignment] | None:
    """Every assignment of these decisions that satisfies their equations, successes first; None if there are too many.

    Decisions outside must have a value or not matter to them.
    """
    search = _Search(situation, indices)
    highest = [value is not False for value in values]
    lowest = [value is True for value in values]
    search.extend(highest, lowest, [situation.decisions[index] for index in indices], ())
    return sorted(search.found, reverse=True) if search.suppositions <= MOST_SUPPOSITIONS else None


class _Search:
    def __init__(self, situation: Situation, indices: Collection[int]) -> None:
        self.holds = equation(situation)
        self.indices = indices
        self.found: list[Assignment] = []
        self.suppositions = 0

    def extend(
        self, highest: list[bool], lowest: list[bool], undecided: list[Decision], supposed: tuple[Decision, ...]
    ) -> None:
        """Find every assignment between these bounds."""
        still_open = narrow(self.holds, highest, lowest, undecided).still_open
        if not all(self._possible(decision, highest, lowest) for decision in supposed):
            return
        if not still_open:
            # What was narrowed down satisfies its equation whatever else; what was supposed may not.
            if all(bool(self.holds(lowest, lowest, decision)) is lowest[decision.index] for decision in supposed):
                self.found.append(tuple(lowest[index] for index in self.indices))
            return
        subject, *rest = still_open
        for value in (True, False):
            self.suppositions += 1
            if self.suppositions > MOST_SUPPOSITIONS:
                return
            high, low = list(highest), list(lowest)
            high[subject.index] = low[subject.index] = value
            self.extend(high, low, rest, (*supposed, subject))

    def _possible(self, decision: Decision, highest: list[bool], lowest: list[bool]) -> bool:
        """Whether the equation of a decision that was supposed to succeed or fail can still agree."""
        if lowest[decision.index]:
            return bool(self.holds(highest, lowest, decision))
        return not self.holds(lowest, highest, decision)
