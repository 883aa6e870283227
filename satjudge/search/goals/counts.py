"""Defines *some*, *every* and counts of goals: goals listed one by one, or one goal for each unit, province or power.

`some(dislodged:UNIT)`, `count(occupied:PROVINCE=FRANCE) >= 3`, `count(dislodged:PAR, dislodged:BUR) >= 2`. The reader
(`satjudge.search.goals.registry`) replaces UNIT, PROVINCE or POWER with each name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from satjudge.search.formulas.clauses import FALSE, Literal
from satjudge.search.goals.goal import Goal, OutcomeGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.quantities import Quantity, QuantityComparison
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.universe import Universe
from satjudge.world.geography import ProvinceCode


@dataclass(frozen=True, slots=True)
class Instance:
    """One goal of a list; if `unit` is set, the goal counts only if a unit stands in that province before the moves."""

    goal: Goal
    unit: ProvinceCode | None = None


@dataclass(frozen=True, slots=True)
class GoalList:
    """A list of goals, with the text as which it was written."""

    text: str
    instances: tuple[Instance, ...]

    def __str__(self) -> str:
        return self.text

    def evaluate_goals(self, judged: Judged) -> Iterator[bool]:
        """Yield whether each goal of the list holds, leaving out goals about units in provinces without a unit."""
        units = judged.proposal.board.unit_at
        return (one.goal.holds(judged) for one in self.instances if one.unit is None or one.unit in units)

    def has_answer(self, judged: Judged) -> bool:
        """Return whether the judged position decides every goal of the list."""
        return all(one.goal.has_answer(judged) for one in self.instances)

    def iter_literals(self, encoding: Encoding) -> Iterator[tuple[Literal, Literal]]:
        """Yield two literals for each goal that may count: that it does (its unit exists), and that the goal is met."""
        for one in self.instances:
            counts = encoding.constant(True) if one.unit is None else encoding.orders.occupied.get(one.unit, FALSE)
            if counts != FALSE:
                yield counts, one.goal.literal(encoding)

    def hints(self, universe: Universe) -> Iterator[str]:
        """Yield the hints of the goal if the list has only one; nothing for longer lists."""
        return chain.from_iterable(one.goal.hints(universe) for one in self.instances if len(self.instances) == 1)


@dataclass(frozen=True, slots=True)
class _QuantifiedGoal(OutcomeGoal):
    listed: GoalList

    def __str__(self) -> str:
        return f"{self.name}{self.listed}"

    def has_answer(self, judged: Judged) -> bool:
        return judged.aftermath is not None and self.listed.has_answer(judged)

    def hints(self, universe: Universe) -> Iterator[str]:
        return self.listed.hints(universe)


class SomeGoal(_QuantifiedGoal):
    """The goal that at least one of the listed goals holds."""

    __slots__ = ()
    name = "some"
    form = "some(GOAL)"

    def holds(self, judged: Judged) -> bool:
        return self.has_answer(judged) and any(self.listed.evaluate_goals(judged))

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.any_of(map(encoding.all_of, self.listed.iter_literals(encoding)))


class EveryGoal(_QuantifiedGoal):
    """The goal that all of the listed goals hold."""

    __slots__ = ()
    name = "every"
    form = "every(GOAL)"

    def holds(self, judged: Judged) -> bool:
        return self.has_answer(judged) and all(self.listed.evaluate_goals(judged))

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.all_of(encoding.any_of((-counts, holds)) for counts, holds in self.listed.iter_literals(encoding))


def find_vacuous_parts(goal: Goal, judged: Judged) -> Iterator[EveryGoal]:
    """Yield the `every (…)` parts of a goal that hold only because no goal of their list counts on the board."""
    return (atom for atom in goal.iter_atoms() if isinstance(atom, EveryGoal) and not [*atom.listed.evaluate_goals(judged)])


@dataclass(frozen=True, slots=True)
class Count(Quantity):
    """The number of listed goals that hold."""

    name = "count"
    form = "count(GOAL, …)"

    listed: GoalList

    def __str__(self) -> str:
        return f"count{self.listed}"

    def value(self, judged: Judged) -> int:
        return sum(self.listed.evaluate_goals(judged))

    def has_answer(self, judged: Judged) -> bool:
        return self.listed.has_answer(judged)

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        return encoding.formula.at_least(least, self._list_literals(encoding))

    def highest(self, encoding: Encoding) -> int:
        return sum(literal != FALSE for literal in self._list_literals(encoding))

    def _list_literals(self, encoding: Encoding) -> list[Literal]:
        return [encoding.all_of(pair) for pair in self.listed.iter_literals(encoding)]

    def hints(self, universe: Universe) -> Iterator[str]:
        return self.listed.hints(universe)


def iter_elementary_goals(goal: Goal) -> Iterator[Goal]:
    """Yield the elementary goals in a goal, including those in lists of *some*, *every* and counts."""
    for atom in goal.iter_atoms():
        quantities = (atom.one, atom.other) if isinstance(atom, QuantityComparison) else ()
        lists = (
            [atom.listed] if isinstance(atom, _QuantifiedGoal) else [one.listed for one in quantities if isinstance(one, Count)]
        )
        if not lists:
            yield atom
        for instance_list in lists:
            yield from chain.from_iterable(iter_elementary_goals(one.goal) for one in instance_list.instances)


QUANTIFIERS: tuple[type[_QuantifiedGoal], ...] = (SomeGoal, EveryGoal)
