"""Solves a board by partial information first, then core by core (DATC 5.B.9, 5.E).

The bounds alone settle almost every board, and small cores need no solver; ortools is imported only for large ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from satjudge.base.values import replace
from satjudge.judging.equations.situation import Situation
from satjudge.judging.solve.bounds import Values, settle
from satjudge.judging.solve.case_splitting import enumerate_assignments
from satjudge.judging.solve.cores import Graph, find_cores, find_mentions, make_dependence_test, split_parts
from satjudge.judging.solve.result import Adjudication, Component, Core, Limits, Resolutions, settle_core


def adjudicate(situation: Situation, all_resolutions: Resolutions) -> Adjudication:
    """Settle every decision, by backup rules in cores with no or several resolutions, and return the adjudication.

    Raises `UnresolvedError` if the rulebook has no rule for a core.
    """
    if not all_resolutions.components:
        return Adjudication(situation, tuple(all_resolutions.settled), (), all_resolutions)  # type: ignore[arg-type]  # all have a value
    values: Values = list(all_resolutions.settled)
    settled = _settle_cores(situation, values, dict(all_resolutions.mentions), all_resolutions.components)
    while still_open := settle(situation, values).still_open:
        settled += _settle_cores(situation, values, find_mentions(situation, values, still_open))
    return Adjudication(
        situation, tuple([value is True for value in values]), tuple(settled), replace(all_resolutions, cores=tuple(settled))
    )


def resolutions(situation: Situation, limits: Limits) -> Resolutions:
    """Return all consistent resolutions before any backup rule, as settled values and independent components."""
    values: Values = [None] * len(situation.decisions)
    still_open = settle(situation, values).still_open
    settled = tuple(values)
    if not still_open:
        return Resolutions(situation, settled)
    graph = find_mentions(situation, values, still_open)
    components = tuple([_solve_component(situation, values, part, limits) for part in split_parts(graph)])
    return Resolutions(situation, settled, components, mentions=graph)


def _solve_component(situation: Situation, values: Values, indices: list[int], limits: Limits = Limits()) -> Component:  # noqa: B008
    """Return all assignments of these decisions, within limits, that satisfy their equations; no other open one may matter."""
    found = enumerate_assignments(situation, values, indices, limits.count)
    if found is not None:
        return Component(tuple(indices), *found)
    from satjudge.judging.solve.cpsat_model import Model, enumerate_all

    model = Model(situation, values, open_indices=frozenset(indices)).with_equations()
    enumerated = enumerate_all(model, limit=limits.count, timeout=limits.seconds)
    return Component(enumerated.indices, enumerated.assignments, enumerated.complete)


def _settle_cores(situation: Situation, values: Values, graph: Graph, solved: Sequence[Component] = ()) -> list[Core]:
    """Settle the cores in `graph`, enter their values in `values`, and return them; `solved` components need no search."""
    enumerated = {component.indices: component for component in solved if component.complete}
    settled = []
    for decisions in find_cores(situation, graph, make_dependence_test(situation, values, graph)):
        indices = [decision.index for decision in decisions]
        found = enumerated.get(tuple(indices)) or _solve_component(situation, values, indices)
        settled.append(settle_core(decisions, found.require_all(), situation.rulebook, values))
        for index, value in settled[-1].settled_values.items():
            values[index] = value
    return settled
