"""The staged engine: partial information first, then core by core (DATC 5.B.9, 5.E).

Almost every board is settled by the bounds alone; ortools and networkx are imported only where something stays open.
"""

from __future__ import annotations

from dataclasses import replace

from satjudge.equations.situation import Decision, Situation
from satjudge.solve.bounds import Values, settle
from satjudge.solve.result import Adjudication, Component, Core, Limits, Resolutions, settle_core


def adjudicate(situation: Situation, found: Resolutions) -> Adjudication:
    """Settle every decision of a situation; backup rules where a core has no resolution, or several.

    Raises `UnresolvedError` where the rulebook has no rule for a core.
    """
    values: Values = list(found.settled)
    still_open = [decision for decision in situation.decisions if values[decision.index] is None]
    cores: list[Core] = []
    while still_open:
        cores += _settle_cores(situation, values, still_open)
        still_open = settle(situation, values)
    return Adjudication(
        situation, tuple(bool(value) for value in values), tuple(cores), replace(found, cores=tuple(cores))
    )


def resolutions(situation: Situation, limits: Limits) -> Resolutions:
    """All consistent resolutions before any backup rule: what partial information settles, the rest component by component."""
    values: Values = [None] * len(situation.decisions)
    still_open = settle(situation, values)
    settled = tuple(values)
    if not still_open:
        return Resolutions(situation, settled)
    import networkx

    from satjudge.solve.cores import mention_graph

    graph = mention_graph(situation, values, still_open)
    parts = sorted((sorted(part) for part in networkx.weakly_connected_components(graph)), key=min)
    return Resolutions(situation, settled, tuple(_component(situation, values, part, limits) for part in parts))


def _component(situation: Situation, values: Values, indices: list[int], limits: Limits = Limits()) -> Component:  # noqa: B008
    """Every assignment of these decisions that satisfies their equations; those outside must not matter to them."""
    from satjudge.solve.cpsat import Model, enumerate_all

    subset = frozenset(indices)
    model = Model(situation, values, only=subset).posted()
    found = enumerate_all(model, limit=limits.count, timeout=limits.seconds)
    return Component(found.indices, found.assignments, found.complete)


def _settle_cores(situation: Situation, values: Values, still_open: list[Decision]) -> list[Core]:
    """Settle the cores that there are now: by their one resolution, or by a ruling."""
    from satjudge.solve.cores import cores as find_cores
    from satjudge.solve.cores import looks_at_by_table, mention_graph

    graph = mention_graph(situation, values, still_open)
    settled = []
    for decisions in find_cores(situation, graph, looks_at_by_table(situation, values, graph)):
        found = _component(situation, values, [decision.index for decision in decisions])
        settled.append(settle_core(decisions, found.exhausted(), situation.rulebook, values))
        for index, value in settled[-1].settled.items():
            values[index] = value
    return settled
