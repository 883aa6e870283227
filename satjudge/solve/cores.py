"""Cores: which open decisions wait for each other.

A decision *looks at* another one if changing the other can change it, for some values of the remaining open ones. A core
is a strongly connected component of that graph from which nothing else is looked at (DATC 5.B.9, 5.D).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeAlias

import networkx

from satjudge.equations import statement
from satjudge.equations.logic import Adjudication, Reading
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Situation, SupportDecision
from satjudge.solve.bounds import Values

Truth: TypeAlias = bool | frozenset[int]
"""A constant, or the open decisions that a truth value is made of."""
Strength: TypeAlias = tuple[int, int, frozenset[int]]
"""Least and greatest value, and the open decisions that it is made of."""

_NOTHING: frozenset[int] = frozenset()
_TABLE_INPUTS = 8
"""A truth table has at most 2 to the power of this many rows; larger questions go to the solver."""

LooksAt: TypeAlias = Callable[[Decision, int], bool]


class Mentions(Adjudication[Truth, Strength]):
    """Reads which open decisions an equation mentions, once everything constant is folded away."""

    def __init__(self, values: Sequence[bool | None]) -> None:
        self.values = values

    def all_of(self, parts: Iterable[Truth]) -> Truth:
        """What the open parts mention, unless a part is false."""
        return _fold(parts, neutral=True)

    def any_of(self, parts: Iterable[Truth]) -> Truth:
        """What the open parts mention, unless a part is true."""
        return _fold(parts, neutral=False)

    def none_of(self, parts: Iterable[Truth]) -> Truth:
        """What the open parts mention, unless a part is true."""
        truth = _fold(parts, neutral=False)
        return not truth if isinstance(truth, bool) else truth

    def total(self, base: int, parts: Iterable[Truth]) -> Strength:
        """The sum of what is certain, and of what is possible."""
        low, high, mentioned = base, base, _NOTHING
        for part in parts:
            if isinstance(part, bool):
                low, high = low + part, high + part
            else:
                high, mentioned = high + 1, mentioned | part
        return low, high, mentioned

    def exceeds(self, one: Strength, other: Strength) -> Truth:
        """Certain where the bounds do not overlap."""
        if one[0] > other[1]:
            return True
        return False if one[1] <= other[0] else one[2] | other[2]

    def choose(self, condition: Truth, larger: Strength, smaller: Strength) -> Strength:
        """Anything from the least to the greatest."""
        if isinstance(condition, bool):
            return larger if condition else smaller
        mentioned = condition | larger[2] | smaller[2]
        return min(larger[0], smaller[0]), max(larger[1], smaller[1]), mentioned

    def _decision(self, subject: Decision) -> Truth:
        value = self.values[subject.index]
        return frozenset((subject.index,)) if value is None else value

    def move(self, move: MoveDecision) -> Truth:
        """Its value, or itself."""
        return self._decision(move)

    def support(self, support: SupportDecision) -> Truth:
        """Its value, or itself."""
        return self._decision(support)

    def convoy(self, convoy: ConvoyDecision) -> Truth:
        """Its value, or itself."""
        return self._decision(convoy)


def _fold(parts: Iterable[Truth], *, neutral: bool) -> Truth:
    mentioned = _NOTHING
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return part
        else:
            mentioned |= part
    return mentioned or neutral


def mention_graph(situation: Situation, values: Values, open_decisions: Iterable[Decision]) -> networkx.DiGraph:
    """The open decisions by index, with an edge from each to those that its equation mentions."""
    reader = Mentions(values)
    graph = networkx.DiGraph()
    for subject in open_decisions:
        graph.add_node(subject.index)
        mentioned = statement.decision(reader, subject)
        if not isinstance(mentioned, bool):
            graph.add_edges_from((subject.index, other) for other in sorted(mentioned))
    return graph


def cores(situation: Situation, graph: networkx.DiGraph, looks_at: LooksAt) -> list[list[Decision]]:
    """The cores in a graph of mentions, in a stable order; `looks_at` says which mentions can matter.

    A mention that cannot matter could make one core of two, so the graph is refined before it is believed.
    """
    refined = graph
    for component in _knots(graph):
        for index in component:
            others = [other for other in graph.successors(index) if other in component]
            if len(list(graph.successors(index))) > 1:
                subject = situation.decisions[index]
                idle = [(index, other) for other in others if not looks_at(subject, other)]
                if idle and refined is graph:
                    refined = graph.copy()
                refined.remove_edges_from(idle)
    return [[situation.decisions[index] for index in sorted(component)] for component in _sinks(refined)]


def _knots(graph: networkx.DiGraph) -> list[set[int]]:
    return [component for component in networkx.strongly_connected_components(graph) if len(component) > 1]


def _sinks(graph: networkx.DiGraph) -> list[set[int]]:
    """The strongly connected components that look at nothing outside, the one with the earliest decision first."""
    components = list(networkx.strongly_connected_components(graph))
    home = {index: number for number, component in enumerate(components) for index in component}
    leaving = {home[one] for one, other in graph.edges if home[one] != home[other]}
    return sorted((component for number, component in enumerate(components) if number not in leaving), key=min)


def looks_at_by_table(situation: Situation, values: Values, graph: networkx.DiGraph) -> LooksAt:
    """Whether a decision looks at another one: by truth table, and by the solver where that would be long."""

    def looks_at(subject: Decision, other: int) -> bool:
        inputs = [index for index in graph.successors(subject.index) if index != other]
        if len(inputs) >= _TABLE_INPUTS:
            from satjudge.solve.cpsat import looks_at as ask_solver

            return ask_solver(situation, values, subject, other)
        trial: list[bool] = [bool(value) for value in values]
        reading = Reading(trial)
        for row in product((True, False), repeat=len(inputs)):
            for index, value in zip(inputs, row, strict=True):
                trial[index] = value
            trial[other] = True
            with_it = statement.decision(reading, subject)
            trial[other] = False
            if statement.decision(reading, subject) != with_it:
                return True
        return False

    return looks_at
