"""Enumerates assignments of open decisions without a solver: supposes one succeeds, propagates, then supposes it fails.

What follows is what the bounds say (DATC 5.E), so that on real boards hardly anything is supposed in vain. It spares the
solver, which takes longer to load and to set up than a core of a dozen orders takes this way; and it needs none, so that
satjudge judges where ortools cannot be had, as in a browser.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

from satjudge.base.errors import EngineLimitError
from satjudge.judging.equations.situation import Decision, Situation
from satjudge.judging.solve.bounds import Values, equation, narrow
from satjudge.judging.solve.cores import certain, mentions
from satjudge.judging.solve.result import Assignment, Limits

MOST_SUPPOSITIONS = 64
"""The number of suppositions after which the solver is the better choice."""
MOST_WITHOUT_SOLVER = 200_000
"""The number of suppositions, about ten seconds, after which the search is given up where there is no solver."""


@cache
def solver_installed() -> bool:
    """Tell whether ortools is there to leave a large search to."""
    return find_spec("ortools") is not None


class Enumerated(NamedTuple):
    """Assignments that satisfy the equations, successes first, and whether these are all."""

    assignments: list[Assignment]
    complete: bool


def assignments(situation: Situation, values: Values, indices: Sequence[int], most: int = Limits().count) -> Enumerated | None:
    """List the assignments of these decisions that satisfy their equations, at most `most`; None to have the solver asked.

    Decisions outside must have a value or not matter to them.
    """
    search = _Search(situation, indices, indices, most)
    search.begin([None if index in search.equations else bool(value) for index, value in enumerate(values)])
    if solver_installed() and not search.complete:
        return None
    return Enumerated(sorted(search.found, reverse=True), search.complete)


def satisfiable(situation: Situation, values: Values, wanted: Mapping[int, bool], equations: Collection[int]) -> bool | None:
    """Tell whether these equations can all hold where others have the values wanted; None to have the solver asked.

    Decisions without an equation here may be anything. Raises `EngineLimitError` if there is no solver to ask.
    """
    search = _Search(situation, (), equations, 0)
    search.begin(values, wanted)
    if search.found:
        return True
    if search.complete:
        return False
    if solver_installed():
        return None
    raise EngineLimitError("this is too large without ortools, the solver, which is not installed here (pip install ortools)")


class _Search:
    """A search for values of decisions under which their equations hold."""

    def __init__(self, situation: Situation, indices: Sequence[int], equations: Collection[int], most: int) -> None:
        self.situation = situation
        self.holds = equation(situation)
        self.indices = indices
        self.equations = frozenset(equations)
        self.most = most
        self.found: list[Assignment] = []
        self.suppositions = 0
        self.allowed = MOST_SUPPOSITIONS if solver_installed() else MOST_WITHOUT_SOLVER

    @property
    def complete(self) -> bool:
        """Whether nothing was left out."""
        return self.suppositions <= self.allowed and len(self.found) <= self.most

    def begin(self, values: Values, wanted: Mapping[int, bool] = MappingProxyType({})) -> None:
        """Search where these values are given, and those wanted besides."""
        known = [wanted.get(index, value) for index, value in enumerate(values)]
        highest = [value is not False for value in known]
        lowest = [value is True for value in known]
        subjects = [self.situation.decisions[index] for index in sorted(self.equations)]
        supposed = tuple([subject for subject in subjects if subject.index in wanted])
        self.extend(highest, lowest, [subject for subject in subjects if subject.index not in wanted], supposed)

    def extend(
        self, highest: list[bool], lowest: list[bool], undecided: list[Decision], supposed: tuple[Decision, ...]
    ) -> None:
        """Find every assignment between these bounds."""
        still_open = narrow(self.holds, highest, lowest, undecided).still_open
        # What was narrowed down satisfies its equation whatever else; what was supposed may not.
        outcomes = {subject: certain(self.holds, subject, highest, lowest) for subject in supposed}
        if any(value is (not lowest[subject.index]) for subject, value in outcomes.items()):
            return
        doubtful = [subject for subject, value in outcomes.items() if value is None]
        if not still_open and not doubtful:
            self.found.append(tuple([lowest[index] for index in self.indices]))
            return
        subject = still_open[0] if still_open else self._mentioned(doubtful[0], highest, lowest)
        rest = [other for other in still_open if other is not subject]
        for value in (True, False):
            self.suppositions += 1
            if not self.complete:
                return
            high, low = list(highest), list(lowest)
            high[subject.index] = low[subject.index] = value
            self.extend(high, low, rest, (*supposed, subject) if subject.index in self.equations else supposed)

    def _mentioned(self, subject: Decision, highest: Sequence[bool], lowest: Sequence[bool]) -> Decision:
        """An open decision that the equation of this one mentions."""
        values = [high if high is low else None for high, low in zip(highest, lowest, strict=True)]
        return self.situation.decisions[min(mentions(self.situation, values, [subject])[subject.index])]
