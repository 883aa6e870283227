"""Which of the orders on a table could make a core: decisions that wait for each other in a circle (DATC 5.B.9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx

from satjudge.equations import statement
from satjudge.equations.situation import Decision, Situation
from satjudge.solve.clauses import Formula, Literal
from satjudge.solve.cores import Mentions, Truth

_CHOICE = -1
"""Stands for what depends on which orders are chosen."""


class _MightMention(Mentions):
    """Reads what an equation mentions, whichever orders are chosen."""

    def chosen(self, decision: Decision) -> Truth:
        """Open."""
        return frozenset((_CHOICE,))


def might_mention(situation: Situation) -> networkx.DiGraph:
    """The decisions by index, with an edge from each to those that its equation mentions if all of these are chosen."""
    reader = _MightMention([None] * len(situation.decisions))
    graph = networkx.DiGraph()
    for subject in situation.decisions:
        graph.add_node(subject.index)
        mentioned = statement.decision(reader, subject)
        if not isinstance(mentioned, bool):
            graph.add_edges_from((subject.index, other) for other in mentioned if other != _CHOICE)
    return graph


def require_cycles(
    formula: Formula, situation: Situation, guards: Sequence[Literal], exceptional: dict[int, Literal]
) -> None:
    """What is exceptional about a decision needs a cycle of chosen orders that it is part of.

    Every order of the cycle is chosen, mentions one in it, and is mentioned by one. This a core always has; that it is one
    cycle and not several is not demanded.
    """
    graph = might_mention(situation)
    for component in networkx.strongly_connected_components(graph):
        affected = [index for index in component if index in exceptional]
        if len(component) == 1:
            for index in affected:
                formula.require(-exceptional[index])
        elif affected:
            part = graph.subgraph(component)
            on = {index: formula.new() for index in sorted(component)}
            for index, literal in on.items():
                formula.require(-literal, guards[index])
                formula.require(-literal, *_literals(on, part.successors(index)))
                formula.require(-literal, *_literals(on, part.predecessors(index)))
            for index in affected:
                formula.require(-exceptional[index], on[index])


def _literals(on: dict[int, Literal], indices: Iterable[int]) -> list[Literal]:
    return [on[index] for index in indices]
