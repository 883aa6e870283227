"""Enumerates assignments of open decisions without a solver: lets one decision succeed, propagates, then lets it fail.

The bounds (DATC 5.E) show what follows, so on real boards few suppositions are wasted. Loading and setting up the solver takes
longer than solving a core of a dozen orders this way. It also lets satjudge judge where ortools is not available, as in a
browser.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import NamedTuple

from satjudge.base.errors import EngineLimitError
from satjudge.judging.equations.situation import Decision, Situation
from satjudge.judging.solve.bounds import Values, find_equation, narrow_bounds
from satjudge.judging.solve.cores import find_certain_value, find_mentions
from satjudge.judging.solve.result import Assignment, Limits

MOST_SUPPOSITIONS = 64
"""The number of suppositions after which the solver is faster."""
MOST_WITHOUT_SOLVER = 200_000
"""The number of suppositions, about ten seconds' worth, after which the search gives up if there is no solver."""


@cache
def is_solver_installed() -> bool:
    """Return whether ortools, the solver for large searches, is installed."""
    return find_spec("ortools") is not None


class FoundAssignments(NamedTuple):
    """Assignments that satisfy the equations, successes first, and whether these are all such assignments."""

    assignments: list[Assignment]
    complete: bool


def enumerate_assignments(
    situation: Situation, values: Values, indices: Sequence[int], limit: int = Limits().count
) -> FoundAssignments | None:
    """List up to `limit` assignments of these decisions that satisfy their equations; None if the solver should do it.

    Other decisions must have a value, or must not matter to these. Without a solver, the result may be incomplete.
    """
    search = _Search(situation, indices, indices, limit)
    search.start_search([None if index in search.equations else bool(value) for index, value in enumerate(values)])
    if is_solver_installed() and not search.is_complete:
        return None
    return FoundAssignments(sorted(search.found, reverse=True)[:limit], search.is_complete)


def is_satisfiable(situation: Situation, values: Values, wanted: Mapping[int, bool], equations: Collection[int]) -> bool | None:
    """Return whether these equations can all hold with the `wanted` values; None if the solver should decide.

    Decisions whose index is not in `equations` may have any value. Raises `EngineLimitError` if no solver is installed.
    """
    search = _Search(situation, (), equations, 0)
    search.start_search(values, wanted)
    if search.found:
        return True
    if search.is_complete:
        return False
    if is_solver_installed():
        return None
    raise EngineLimitError("the position is too large without the solver ortools, which is not installed (pip install ortools)")


class _Search:
    """A search for values of the decisions at `indices` under which the equations of the decisions in `equations` hold."""

    def __init__(self, situation: Situation, indices: Sequence[int], equations: Collection[int], limit: int) -> None:
        self.situation = situation
        self.holds = find_equation(situation)
        self.indices = indices
        self.equations = frozenset(equations)
        self.most = limit
        self.found: list[Assignment] = []
        self.suppositions = 0
        self.allowed = MOST_SUPPOSITIONS if is_solver_installed() else MOST_WITHOUT_SOLVER

    @property
    def is_complete(self) -> bool:
        """True unless the search stopped at a limit."""
        return self.suppositions <= self.allowed and len(self.found) <= self.most

    def start_search(self, values: Values, wanted: Mapping[int, bool] = MappingProxyType({})) -> None:
        """Store in `found` the assignments, up to a limit, with the `wanted` values, and these `values` of other decisions."""
        known = [wanted.get(index, value) for index, value in enumerate(values)]
        highest = [value is not False for value in known]
        lowest = [value is True for value in known]
        subjects = [self.situation.decisions[index] for index in sorted(self.equations)]
        supposed = tuple([subject for subject in subjects if subject.index in wanted])
        self.extend_bounds(highest, lowest, [subject for subject in subjects if subject.index not in wanted], supposed)

    def extend_bounds(
        self, highest: list[bool], lowest: list[bool], undecided: list[Decision], supposed: tuple[Decision, ...]
    ) -> None:
        """Store in `found` the assignments within these bounds, up to a limit; `supposed` decisions have assumed values."""
        still_open = narrow_bounds(self.holds, highest, lowest, undecided).still_open
        # Narrowed decisions always satisfy their equations; supposed ones may not.
        outcomes = {subject: find_certain_value(self.holds, subject, highest, lowest) for subject in supposed}
        if any(value is (not lowest[subject.index]) for subject, value in outcomes.items()):
            return
        doubtful = [subject for subject, value in outcomes.items() if value is None]
        if not still_open and not doubtful:
            self.found.append(tuple([lowest[index] for index in self.indices]))
            return
        subject = still_open[0] if still_open else self._find_mentioned(doubtful[0], highest, lowest)
        rest = [other for other in still_open if other is not subject]
        for value in (True, False):
            self.suppositions += 1
            if not self.is_complete:
                return
            high, low = list(highest), list(lowest)
            high[subject.index] = low[subject.index] = value
            self.extend_bounds(high, low, rest, (*supposed, subject) if subject.index in self.equations else supposed)

    def _find_mentioned(self, subject: Decision, highest: Sequence[bool], lowest: Sequence[bool]) -> Decision:
        """Return the first open decision that the equation of `subject` mentions."""
        values = [high if high is low else None for high, low in zip(highest, lowest, strict=True)]
        return self.situation.decisions[min(find_mentions(self.situation, values, [subject])[subject.index])]
