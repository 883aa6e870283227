"""The staged engine: partial information first, then core by core (DATC 5.B.9, 5.E).

Almost every board is settled by the bounds alone; ortools and networkx are imported only where something stays open.
"""

from __future__ import annotations

from satjudge.equations.situation import Decision, Situation
from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication, Component, Core, Resolutions, settle_core


def adjudicate(situation: Situation) -> Adjudication:
    """Settle every decision of a situation; backup rules where a core has no resolution, or several.

    Raises `UnresolvedError` where the rulebook has no rule for a core.
    """
    values: Values = [None] * len(situation.decisions)
    still_open = settle(situation, values)
    resolutions = _resolutions(situation, values, still_open)
    cores: list[Core] = []
    while still_open:
        cores += _settle_cores(situation, values, still_open)
        still_open = settle(situation, values)
    return Adjudication(situation, tuple(bool(value) for value in values), tuple(cores), resolutions)


def _resolutions(situation: Situation, values: Values, still_open: list[Decision]) -> Resolutions:
    """All consistent resolutions, component by component."""
    settled = tuple(values)
    if not still_open:
        return Resolutions(situation, settled)
    import networkx

    from satjudge.solve.cores import mention_graph

    graph = mention_graph(situation, values, still_open)
    parts = sorted((sorted(part) for part in networkx.weakly_connected_components(graph)), key=min)
    return Resolutions(situation, settled, tuple(_component(situation, values, part) for part in parts))


def _component(situation: Situation, values: Values, indices: list[int]) -> Component:
    """Every assignment of these decisions that satisfies their equations; those outside must not matter to them."""
    from satjudge.solve.cpsat import Model, enumerate_all

    subset = frozenset(indices)
    found = enumerate_all(Model(situation, values, only=subset).posted())
    return Component(found.indices, found.assignments, found.complete)


def _settle_cores(situation: Situation, values: Values, still_open: list[Decision]) -> list[Core]:
    """Settle the cores that there are now: by their one resolution, or by a ruling."""
    from satjudge.solve.cores import cores, looks_at_by_table, mention_graph

    graph = mention_graph(situation, values, still_open)
    settled = []
    for decisions in cores(situation, graph, looks_at_by_table(situation, values, graph)):
        found = _component(situation, values, [decision.index for decision in decisions])
        settled.append(settle_core(decisions, found.exhausted(), situation.rulebook))
        for index, value in settled[-1].settled.items():
            values[index] = value
    return settled
