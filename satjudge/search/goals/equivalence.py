"""Decides whether two rulebooks can differ about moves at all, by comparing what a movement phase reads of each.

A movement phase is judged in four steps, and each reads a rulebook in its own way (`READINGS`). *Legality* reads options by
name: those that its source mentions. The *equations* are compared as they are compiled for each rulebook
(`satjudge.judging.equations.compiled`): with what it settles put in and folded away, so that an option that a choice elsewhere
makes idle does not show. The *rulings* are the rules for cores that `satjudge.judging.backup` comes down to. *Retreats* read
options again. What two rulebooks read alike in all steps that lead to a result is the same function of board and orders under
both of them, on every map. The reverse does not hold: where something is read otherwise, a search tells whether it ever
matters.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cache
from itertools import product
from types import ModuleType
from typing import TypeAlias

from satjudge.base.replacing import replace
from satjudge.judging import outcome
from satjudge.judging.backup import rulings
from satjudge.judging.equations import compiled, situation
from satjudge.judging.legality import cache as legality_cache
from satjudge.judging.legality import naming, routes, single, sorting, tracked_reads, waters
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import option_fields


class Step(StrEnum):
    """A step from orders to the outcome that players see."""

    LEGALITY = "what is legal"
    EQUATIONS = "the equations"
    RULINGS = "the rulings on cores"
    RETREATS = "retreats"


MOVEMENT = (Step.LEGALITY, Step.EQUATIONS, Step.RULINGS)
"""The steps that settle which moves succeed."""

MODULES: dict[Step, tuple[ModuleType, ...]] = {
    Step.LEGALITY: (single, naming, sorting, tracked_reads, routes, waters, legality_cache, situation),
    Step.RETREATS: (outcome,),
}
"""The modules of each step that reads options by name."""


@cache
def options_read(step: Step) -> frozenset[str]:
    """Find the issues that the source of a step mentions."""
    names = {
        node.attr
        for module in MODULES[step]
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Attribute)
    }
    return frozenset(issue for issue, field in option_fields().items() if field in names)


Reading: TypeAlias = Callable[[Rulebook], Iterator[object]]
"""A function that reads parts of a rulebook one by one."""


def _choices(step: Step) -> Reading:
    def read(rulebook: Rulebook) -> Iterator[object]:
        settings = rulebook.settings()
        yield from (settings[issue] for issue in sorted(options_read(step)))

    return read


def _equations(rulebook: Rulebook) -> Iterator[object]:
    """Read the equations as compiled for every kind of map: with difficult borders, railroads and canals, or without."""
    maps = product((False, True), repeat=3)
    on_maps = (replace(rulebook, difficult_borders=one, railroads=two, canals=three) for one, two, three in maps)
    return map(compiled.source, on_maps)


def _rulings(rulebook: Rulebook) -> Iterator[object]:
    return iter(rulings(rulebook))


READINGS: dict[Step, Reading] = {
    Step.LEGALITY: _choices(Step.LEGALITY),
    Step.EQUATIONS: _equations,
    Step.RULINGS: _rulings,
    Step.RETREATS: _choices(Step.RETREATS),
}
"""The reading of each step: a step does the same under all rulebooks of which its reading is the same."""


def steps_that_differ(one: Rulebook, other: Rulebook, steps: Iterable[Step] = tuple(Step)) -> list[Step]:
    """List the steps that read something else of two rulebooks.

    If there are none, the steps do the same on every board.
    """
    parts = {step: zip(READINGS[step](one), READINGS[step](other), strict=True) for step in steps}
    return [step for step, pairs in parts.items() if any(first != second for first, second in pairs)]


def why_alike(one: Rulebook, other: Rulebook, steps: Iterable[Step]) -> str | None:
    """Write why two rulebooks cannot differ in the outcome of some steps; None if the steps read them differently."""
    steps = tuple(steps)
    if steps_that_differ(one, other, steps):
        return None
    settled, otherwise = one.settings(), other.settings()
    apart = [issue for issue in settled if settled[issue] != otherwise[issue]]
    if not apart:
        return f"{one.name} and {other.name} are the same rulebook"
    listed = ", ".join(steps[:-1])
    return f"{one.name} and {other.name} part in {', '.join(apart)} alone; on no board does that change {listed} or {steps[-1]}"
