"""The full engine: the whole board in one CP-SAT model, and every question put to the solver.

All resolutions are enumerated. Where there is not exactly one, the cores are found from the model (which decisions the
solver can settle whatever the open ones are, and which can change which), ruled, and the rulings imposed on the
whole-board model, in place of these decisions' equations; until exactly one resolution is left.
"""

from __future__ import annotations

from dataclasses import replace

from satjudge.backup import Ruling
from satjudge.equations.situation import Situation
from satjudge.errors import UnresolvedError
from satjudge.solve.bounds import Values
from satjudge.solve.cores import Graph, parts
from satjudge.solve.cores import cores as find_cores
from satjudge.solve.cpsat import (
    Enumeration,
    Literal,
    Model,
    backbone,
    enumerate_all,
    looks_at,
    unchanging,
)
from satjudge.solve.result import Adjudication, Component, Core, Limits, Resolutions, settle_core

_LISTED = 256
"""From this many resolutions on, they are counted as a product over independent parts of the model, not listed."""


def adjudicate(situation: Situation, found: Resolutions) -> Adjudication:
    """Settle every decision by the whole board's resolutions; backup rules where there is not exactly one.

    Raises `UnresolvedError` where the rulebook has no rule for a core.
    """
    solutions = found.first(2) if found.complete or found.count > 1 else _with_rulings(situation, [])
    cores: list[Core] = []
    settled: Values = [None] * len(situation.decisions)
    while len(solutions) != 1:
        cores += _settle_cores(situation, settled)
        solutions = _with_rulings(situation, [core.ruling for core in cores if core.ruling])
    return Adjudication(situation, solutions[0], tuple(cores), replace(found, cores=tuple(cores)))


def resolutions(situation: Situation, limits: Limits) -> Resolutions:
    """Every consistent resolution of the whole board, before any backup rule."""
    unknown: Values = [None] * len(situation.decisions)
    model = Model(situation, unknown).posted()
    found = enumerate_all(model, limit=min(limits.count, _LISTED), timeout=limits.seconds)
    if found.complete or len(found.assignments) < _LISTED:
        return Resolutions(situation, unknown, (_component(found),))
    return _factored(situation, model, found, limits)


def _component(found: Enumeration) -> Component:
    return Component(found.indices, found.assignments, found.complete)


def _factored(situation: Situation, model: Model, found: Enumeration, limits: Limits) -> Resolutions:
    """Fix what is the same in every resolution; what is left of the model falls into independent parts."""
    values: Values = [None] * len(situation.decisions)
    firsts = found.assignments[0]
    same = {
        index: firsts[i]
        for i, index in enumerate(found.indices)
        if all(row[i] is firsts[i] for row in found.assignments)
    }
    for index, value in backbone(model, model.literals, same).items():
        values[index] = value
    reads: Graph = {index: set(read) for index, read in Model(situation, values).post().items()}
    components = (
        _component(
            enumerate_all(Model(situation, values, only=part).posted(), limit=limits.count, timeout=limits.seconds)
        )
        for part in parts(reads)
    )
    return Resolutions(situation, tuple(values), tuple(components))


def _with_rulings(situation: Situation, rulings: list[Ruling]) -> list[tuple[bool, ...]]:
    """Up to two resolutions of the whole-board model with the rulings imposed."""
    values: Values = [None] * len(situation.decisions)
    for ruling in rulings:
        for index, value in ruling.settled.items():
            values[index] = value
    found = enumerate_all(Model(situation, values).posted(), limit=2)
    component = _component(found)
    return Resolutions(situation, tuple(values), (component,)).first(2)


def _settle_cores(situation: Situation, settled: Values) -> list[Core]:
    """Settle the cores that there are now, by their one resolution or by a ruling; `settled` is brought up to date."""
    graph = _model_graph(situation, settled)
    if not graph:
        raise UnresolvedError("the whole-board model has no unique resolution, though every core is settled")
    found = []
    for decisions in find_cores(situation, graph, lambda subject, other: looks_at(situation, settled, subject, other)):
        only = frozenset(decision.index for decision in decisions)
        component = _component(enumerate_all(Model(situation, settled, only=only).posted()))
        found.append(settle_core(decisions, component.exhausted(), situation.rulebook, settled))
        for index, value in found[-1].settled.items():
            settled[index] = value
    return found


def _model_graph(situation: Situation, settled: Values) -> Graph:
    """Settle what comes out the same whatever the open decisions are; which of these is each other equation made of?"""
    while True:
        model = Model(situation, settled)
        truths = model.equations()
        literals = {index: truth for index, truth in truths.items() if isinstance(truth, Literal)}
        constants = {index: truth for index, truth in truths.items() if isinstance(truth, bool)}
        for index, value in (constants or unchanging(model, literals)).items():
            settled[index] = constants[index] = value
        if not constants:
            return {index: set(literal.reads) for index, literal in literals.items()}
