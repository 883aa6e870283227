"""Solves situations as a reference engine: tries every assignment, and answers every question by truth table.

It follows the definitions literally, so it is slow; tests use it for boards with few decisions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

import networkx

from satjudge.base.errors import EngineLimitError
from satjudge.base.values import replace
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading, find_violated
from satjudge.judging.equations.situation import Decision, Situation
from satjudge.judging.solve.result import Adjudication, Assignment, Component, Core, Limits, Resolutions, settle_core

MOST_DECISIONS = 18


def resolutions(situation: Situation, limits: Limits) -> Resolutions:
    """Return all consistent resolutions, found by trying every assignment of values to the decisions; `limits` are ignored.

    Raises `EngineLimitError` for a situation with more than `MOST_DECISIONS` decisions.
    """
    count = len(situation.decisions)
    if count > MOST_DECISIONS:
        raise EngineLimitError(f"brute force supports at most {MOST_DECISIONS} decisions, not {count}")
    component = Component(tuple(range(count)), _list_consistent(situation, ()))
    return Resolutions(situation, (None,) * count, (component,))


def adjudicate(situation: Situation, resolutions: Resolutions) -> Adjudication:
    """Settle every decision and return the adjudication, or raise `UnresolvedError` if the rulebook does not settle a core."""
    found = list(resolutions)
    settled_cores: list[Core] = []
    settled: dict[int, bool] = {}
    while len(found) != 1:
        for core in _find_cores(situation, settled):  # at least one: without cores everything would be settled
            consistent = [tuple(row.values()) for row in _list_core_assignments(situation, settled, core)]
            settled_cores.append(settle_core(core, consistent, situation.rulebook))
            settled.update(settled_cores[-1].settled_values)
        forced = {index: value for ruled in settled_cores if ruled.ruling for index, value in ruled.settled_values.items()}
        found = [values for values in _list_consistent(situation, forced) if _is_compatible(values, forced)]
    resolutions = replace(resolutions, cores=tuple(settled_cores))
    return Adjudication(situation, found[0], tuple(settled_cores), resolutions)


def _list_consistent(situation: Situation, overridden: Collection[int]) -> list[Assignment]:
    rows = product((True, False), repeat=len(situation.decisions))
    return [values for values in rows if not find_violated(situation, values, overridden)]


def _is_compatible(values: Sequence[bool], forced: dict[int, bool]) -> bool:
    return all(values[index] == value for index, value in forced.items())


def _list_core_assignments(situation: Situation, settled: dict[int, bool], core: Sequence[Decision]) -> list[dict[int, bool]]:
    indices = [decision.index for decision in core]
    found = []
    for row in product((True, False), repeat=len(core)):
        trial = dict(zip(indices, row, strict=True))
        values = [trial.get(i, settled.get(i, False)) for i in range(len(situation.decisions))]
        reading = Reading(values)
        if all(statement.decision(reading, decision) == values[decision.index] for decision in core):
            found.append(trial)
    return found


def _find_cores(situation: Situation, settled: dict[int, bool]) -> list[list[Decision]]:
    """Enter in `settled` each decision whose truth table has only one value, and return the cores among the others."""
    progress = True
    tables: dict[int, dict[Assignment, bool]] = {}
    while progress:
        still_open = [decision for decision in situation.decisions if decision.index not in settled]
        indices = [decision.index for decision in still_open]
        tables = {decision.index: _build_table(situation, settled, indices, decision) for decision in still_open}
        constant = {index: next(iter(table.values())) for index, table in tables.items() if len(set(table.values())) == 1}
        settled.update(constant)
        progress = bool(constant)
    graph = networkx.DiGraph()
    graph.add_nodes_from(tables)
    for index, table in tables.items():
        for position, other in enumerate(tables):
            if any(table[row] != table[_flip_value(row, position)] for row in table):
                graph.add_edge(index, other)
    components = networkx.strongly_connected_components(graph)
    closed = [part for part in components if all(set(graph.successors(index)) <= part for index in part)]
    return [[situation.decisions[index] for index in sorted(part)] for part in sorted(closed, key=min)]


def _flip_value(row: Assignment, position: int) -> Assignment:
    return (*row[:position], not row[position], *row[position + 1 :])


def _build_table(
    situation: Situation, settled: dict[int, bool], indices: Sequence[int], subject: Decision
) -> dict[Assignment, bool]:
    """Return the subject's truth table: the value of its equation for each assignment of the decisions at these indices."""
    values = [settled.get(index, False) for index in range(len(situation.decisions))]
    reading = Reading(values)
    table = {}
    for row in product((True, False), repeat=len(indices)):
        for index, value in zip(indices, row, strict=True):
            values[index] = value
        table[row] = statement.decision(reading, subject)
    return table
