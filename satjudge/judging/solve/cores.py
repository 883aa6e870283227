"""Finds cores: sets of open decisions that depend on each other.

One decision *looks at* a second one if a change of the second can change the first, for some values of the remaining open
decisions. These links form a graph. A core is a strongly connected component of it that has no links to decisions outside
(DATC 5.B.9, 5.D).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from satjudge.judging.equations import statement
from satjudge.judging.equations.convoy_graph import ConvoyGraph, find_residual, split_fleets
from satjudge.judging.equations.logic import Adjudication
from satjudge.judging.equations.situation import Decision, MoveDecision, Situation
from satjudge.judging.legality.waters import bit_set
from satjudge.judging.solve.bounds import Holds, Values, find_equation

if TYPE_CHECKING:
    import networkx

Truth: TypeAlias = bool | frozenset[int]
"""A constant, or the indices of the open decisions on which a truth value depends."""
Strength: TypeAlias = tuple[int, int, frozenset[int]]
"""The least and the greatest value of a strength, and the open decisions on which it depends."""

_NOTHING: frozenset[int] = frozenset()

LooksAt: TypeAlias = Callable[[Decision, int], bool]


class Mentions(Adjudication[Truth, Strength]):
    """A logic that collects the open decisions that an equation mentions after constants have been simplified away."""

    def __init__(self, values: Sequence[bool | None]) -> None:
        self.values = values

    def constant(self, value: bool) -> Truth:
        """Return the value itself, which depends on no decision."""
        return value

    def all_of(self, parts: Iterable[Truth]) -> Truth:
        """Return False if a part is false, else all decisions that the open parts mention, or True if none is open."""
        return _fold(parts, neutral=True)

    def any_of(self, parts: Iterable[Truth]) -> Truth:
        """Return True if a part is true, else all decisions that the open parts mention, or False if none is open."""
        return _fold(parts, neutral=False)

    def none_of(self, parts: Iterable[Truth]) -> Truth:
        """Return False if a part is true, else all decisions that the open parts mention, or True if none is open."""
        truth = _fold(parts, neutral=False)
        return not truth if isinstance(truth, bool) else truth

    def total(self, base: int, parts: Iterable[Truth]) -> Strength:
        """Return the least and greatest value of a sum, with the decisions that its open parts mention."""
        low, high, mentioned = base, base, _NOTHING
        for part in parts:
            if isinstance(part, bool):
                low, high = low + part, high + part
            else:
                high, mentioned = high + 1, mentioned | part
        return low, high, mentioned

    def exceeds(self, one: Strength, other: Strength) -> Truth:
        """Return whether one strength exceeds the other if their bounds decide it, else all decisions that they mention."""
        if one[0] > other[1]:
            return True
        return False if one[1] <= other[0] else one[2] | other[2]

    def choose(self, condition: Truth, larger: Strength, smaller: Strength) -> Strength:
        """Return a strength with the bounds of both strengths, and with all decisions that they or the condition mention."""
        if isinstance(condition, bool):
            return larger if condition else smaller
        mentioned = condition | larger[2] | smaller[2]
        return min(larger[0], smaller[0]), max(larger[1], smaller[1]), mentioned

    def value_of(self, decision: Decision) -> Truth:
        """Return the value of a decision, or the set of its index if it is open."""
        value = self.values[decision.index]
        return frozenset((decision.index,)) if value is None else value

    def connects_coasts(self, move: MoveDecision, graph: ConvoyGraph, truths: dict[int, Truth], not_last: int = 0) -> Truth:
        """Return whether these fleets connect the coasts, or the open decisions on which that depends."""
        sure, still_open = split_fleets(truths)
        residual = find_residual(graph, sure, bit_set(still_open), not_last)
        if isinstance(residual, bool):
            return residual
        return _NOTHING.union(*(mentioned for number, mentioned in still_open.items() if residual.is_relevant(number)))


def _fold(parts: Iterable[Truth], *, neutral: bool) -> Truth:
    mentioned = _NOTHING
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return part
        else:
            mentioned |= part
    return mentioned or neutral


Graph: TypeAlias = dict[int, set[int]]
"""For each open decision, by index, the decisions that its equation mentions or looks at."""


def find_mentions(situation: Situation, values: Values, open_decisions: Iterable[Decision]) -> Graph:
    """Map the index of each of these decisions to the indices of the open decisions that its equation mentions."""
    reader = Mentions(values)
    found: Graph = {}
    for subject in open_decisions:
        mentioned = statement.decision(reader, subject)
        found[subject.index] = set() if isinstance(mentioned, bool) else set(mentioned)
    return found


def build_mention_graph(situation: Situation, values: Values, open_decisions: Iterable[Decision]) -> networkx.DiGraph:
    """Return a networkx graph whose nodes are open decisions (indices), with an edge to each one that an equation mentions."""
    import networkx

    graph = networkx.DiGraph()
    for index, mentioned in find_mentions(situation, values, open_decisions).items():
        graph.add_node(index)
        graph.add_edges_from((index, other) for other in sorted(mentioned))
    return graph


def find_cores(situation: Situation, graph: Graph, looks_at: LooksAt) -> list[list[Decision]]:
    """List the cores in a graph of mentions, each as its decisions; `looks_at` decides whether a mention can matter.

    A mention that cannot matter could join two cores into one, so such edges are removed first.
    """
    reached = _find_reachable(graph)
    refined = {
        index: {
            other
            for other in mentioned
            if len(mentioned) == 1
            or index not in reached[other]  # no cycle leads through it
            or looks_at(situation.decisions[index], other)
        }
        for index, mentioned in graph.items()
    }
    if refined != graph:
        reached = _find_reachable(refined)
    sinks = {frozenset(found) for found in reached.values() if all(reached[other] == found for other in found)}
    return [[situation.decisions[index] for index in sorted(sink)] for sink in sorted(sinks, key=min)]


def split_parts(graph: Graph) -> list[list[int]]:
    """Split the decisions of a graph into parts that do not mention each other, each a sorted list, and sort the parts."""
    found: list[set[int]] = []
    for index, mentioned in graph.items():
        joined = {index, *mentioned}
        others = [part for part in found if part.isdisjoint(joined)]
        found = [*others, joined.union(*(part for part in found if not part.isdisjoint(joined)))]
    return sorted(map(sorted, found), key=min)


def find_cyclic_components(graph: Graph) -> list[set[int]]:
    """Return the strongly connected components that have a cycle, as sets of indices, sorted by their least index."""
    on_cycles = graph
    while len(left := {index: mentioned & on_cycles.keys() for index, mentioned in on_cycles.items()}) and (
        ends := {index for index, mentioned in left.items() if not mentioned}
    ):
        on_cycles = {index: mentioned for index, mentioned in left.items() if index not in ends}
    reached = _find_reachable(left)
    found: dict[int, set[int]] = {}
    for index in left:
        if index not in found and any(index in reached[other] for other in left[index]):
            component = {other for other in reached[index] if index in reached[other]}
            found |= dict.fromkeys(component, component)
    return [component for index, component in sorted(found.items()) if index == min(component)]


def _find_reachable(graph: Graph) -> dict[int, set[int]]:
    """Map each decision to all decisions that can be reached from it along edges of the graph, including itself."""
    reached: dict[int, set[int]] = {}
    for start in graph:
        found, waiting = {start}, [start]
        while waiting:
            new = graph[waiting.pop()] - found
            found |= new
            waiting += new
        reached[start] = found
    return reached


def make_dependence_test(situation: Situation, values: Values, graph: Graph) -> LooksAt:
    """Return a function of a decision and an index: whether the decision's equation depends on the other decision."""
    holds = find_equation(situation)

    def looks_at(subject: Decision, other: int) -> bool:
        inputs = [index for index in sorted(graph[subject.index]) if index != other]
        views = [_open_bounds(values, inputs), _open_bounds(values, inputs)]
        for value, (highest, lowest) in zip((True, False), views, strict=True):
            highest[other] = lowest[other] = value
        return any(first is not second for first, second in _iter_outcomes(holds, subject, views, inputs))

    return looks_at


def find_constant(situation: Situation, values: Values, subject: Decision) -> bool | None:
    """Return the value of a decision's equation if it is the same for all values of the open decisions, else None."""
    mentioned = statement.decision(Mentions(values), subject)
    if isinstance(mentioned, bool):
        return mentioned
    found: set[bool] = set()
    inputs = sorted(mentioned)
    for (value,) in _iter_outcomes(find_equation(situation), subject, [_open_bounds(values, inputs)], inputs):
        found.add(value)
        if len(found) > 1:
            return None
    return found.pop()


Bounds: TypeAlias = tuple[list[bool], list[bool]]
"""The highest and the lowest value of each decision, by index."""


def _open_bounds(values: Values, inputs: Iterable[int]) -> Bounds:
    """Return bounds (highest, lowest) in which only the decisions `inputs` are open; other open decisions count as false."""
    highest = [value is True for value in values]
    lowest = list(highest)
    for index in inputs:
        highest[index] = True
    return highest, lowest


def _iter_outcomes(
    holds: Holds, subject: Decision, views: Sequence[Bounds], inputs: Sequence[int]
) -> Iterator[tuple[bool, ...]]:
    """For all values of `inputs`, yield the value of the subject's equation within each of the bounds `views`, as a tuple.

    Values that the bounds (DATC 5.E) already settle are yielded only once for many rows of the truth table.
    """
    outcomes = [find_certain_value(holds, subject, *view) for view in views]
    known = tuple(value for value in outcomes if value is not None)
    if len(known) == len(views):
        yield known
        return
    first, *rest = inputs
    for value in (True, False):
        for highest, lowest in views:
            highest[first] = lowest[first] = value
        yield from _iter_outcomes(holds, subject, views, rest)
    for highest, lowest in views:
        highest[first], lowest[first] = True, False


def find_certain_value(holds: Holds, subject: Decision, highest: Sequence[bool], lowest: Sequence[bool]) -> bool | None:
    """Return the value of the subject's equation if these bounds settle it, else None."""
    if not holds(highest, lowest, subject):
        return False
    return True if holds(lowest, highest, subject) else None
