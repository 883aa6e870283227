"""Solves the whole board in one CP-SAT model; the solver answers every question.

All resolutions are enumerated. If there is not exactly one, the solver finds the cores: which decisions have the same value
whatever the open ones are, and which can change which. Backup rules settle the cores, and the settled values replace these
decisions' equations in the whole-board model, until exactly one resolution is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satjudge.base.errors import UnresolvedError
from satjudge.base.values import replace
from satjudge.judging.equations.situation import MoveDecision, Situation
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.cores import Graph, split_parts
from satjudge.judging.solve.cores import find_cores as find_cores
from satjudge.judging.solve.cpsat_model import (
    Enumeration,
    Literal,
    Model,
    enumerate_all,
    find_backbone,
    find_unchanging,
    looks_at,
)
from satjudge.judging.solve.result import Adjudication, Component, Core, Limits, Resolutions, settle_core

_LISTED = 256
"""The number of resolutions above which the model is split into independent parts, so that their product is only counted."""


def adjudicate(situation: Situation, all_resolutions: Resolutions) -> Adjudication:
    """Settle every decision, by backup rules if the whole board has not exactly one resolution; return the adjudication.

    Raises `UnresolvedError` if the rulebook has no rule for a core.
    """
    settled: Values = list(all_resolutions.settled)
    solutions = (
        all_resolutions.list_first(2)
        if all_resolutions.complete or all_resolutions.count > 1
        else _find_two_resolutions(situation, settled)
    )
    cores: list[Core] = []
    while len(solutions) != 1:
        cores += _settle_cores(situation, settled)
        solutions = _find_two_resolutions(situation, settled)
    return Adjudication(situation, solutions[0], tuple(cores), replace(all_resolutions, cores=tuple(cores)))


def resolutions(situation: Situation, limits: Limits) -> Resolutions:
    """Return all consistent resolutions of the whole board within the limits, before any backup rule."""
    settled: Values = [None] * len(situation.decisions)
    model = build_board_model(situation, settled)
    found = enumerate_all(model, limit=min(limits.count, _LISTED), timeout=limits.seconds)
    if found.complete or len(found.assignments) < _LISTED:
        return Resolutions(situation, tuple(settled), (_make_component(found),))
    return Resolutions(situation, tuple(settled), tuple(_split_components(model, found, limits)))


def build_board_model(situation: Situation, settled: Values) -> Model:
    """Return the model of the whole board in which `settled` values are constants; enter there what turns out constant, too."""
    model = Model(situation, settled)
    for index, equation in _fold_equations(model, model.variables).items():
        model.require_equation(index, equation)
    return model


def _make_component(enumeration: Enumeration) -> Component:
    return Component(enumeration.indices, enumeration.assignments, enumeration.complete)


def _split_components(model: Model, found: Enumeration, limits: Limits) -> Iterator[Component]:
    """Yield independent components of the model, where decisions that are the same in every resolution are constants."""
    firsts = found.assignments[0]
    same = {index: firsts[i] for i, index in enumerate(found.indices) if all(row[i] is firsts[i] for row in found.assignments)}
    fixed = find_backbone(model, model.literals, same)
    yield Component(tuple(fixed), [tuple(fixed.values())])
    situation, values = model.situation, list(model.values)
    for index, value in fixed.items():
        values[index] = value
    reads: Graph = {index: set(read) for index, read in Model(situation, values).post_equations().items()}
    for part in split_parts(reads):
        part_model = Model(situation, values, open_indices=part).with_equations()
        yield _make_component(enumerate_all(part_model, limit=limits.count, timeout=limits.seconds))


def _find_two_resolutions(situation: Situation, settled: Values) -> list[tuple[bool, ...]]:
    """Return at most two resolutions of the whole-board model in which these values are settled."""
    component = _make_component(enumerate_all(build_board_model(situation, settled), limit=2))
    return Resolutions(situation, tuple(settled), (component,)).list_first(2)


def _settle_cores(situation: Situation, settled: Values) -> list[Core]:
    """Settle the current cores by their one resolution or by backup rules, enter the values in `settled`, return the cores."""
    graph = _settle_constants(situation, settled)
    if not graph:
        raise UnresolvedError("the whole-board model has no unique resolution, although every core is settled")
    found = []
    for decisions in find_cores(situation, graph, lambda subject, other: looks_at(situation, settled, subject, other)):
        only = frozenset(decision.index for decision in decisions)
        component = _make_component(enumerate_all(Model(situation, settled, open_indices=only).with_equations()))
        found.append(settle_core(decisions, component.require_all(), situation.rulebook, settled))
        for index, value in found[-1].settled_values.items():
            settled[index] = value
    return found


def _settle_constants(situation: Situation, settled: Values) -> Graph:
    """Enter decisions with a constant equation in `settled`; map each other one to the decisions that its equation reads."""
    while True:
        model = Model(situation, settled)
        equations = _find_open_equations(model)
        constants = find_unchanging(model, equations)
        for index, value in constants.items():
            settled[index] = value
        if not constants:
            return {index: set(equation.reads) for index, equation in equations.items()}


def _find_open_equations(model: Model) -> dict[int, Literal]:
    """Return, by index, the literals of the equations that are not constant once all constant ones have been settled."""
    equations = _fold_equations(model, model.variables)
    while outdated := [index for index, equation in equations.items() if not equation.reads <= model.variables.keys()]:
        for index in outdated:
            del equations[index]
        equations |= _fold_equations(model, outdated)
    return equations


def _fold_equations(model: Model, indices: Iterable[int]) -> dict[int, Literal]:
    """Settle each of these decisions whose equation is constant; return the literals of the others' equations by index.

    Moves come last: they read supports and convoys, many of which are constant.
    """
    found = {}
    decisions = model.situation.decisions
    for index in sorted(indices, key=lambda index: isinstance(decisions[index], MoveDecision)):
        equation = model.read_equation(index)
        if isinstance(equation, Literal):
            found[index] = equation
        else:
            model.settle(index, equation)
    return found
