"""Shapes of cores that the catalogue has a board of, and what follows from a shape about the boards that have it."""

from __future__ import annotations

from functools import cache

from satjudge.judge import judge
from satjudge.notation.sheets import shipped_sheets
from satjudge.research.cores import ClassifiedCore, classify
from satjudge.research.search import goals
from satjudge.research.search.counting import least_units
from satjudge.research.search.goals import CoreShape, Goal
from satjudge.rules import Rulebook, load_rulebook


@cache
def catalogued(shape: str) -> ClassifiedCore | None:
    """The core on the catalogue's board of that shape; None if it has none."""
    for sheet in shipped_sheets("catalogue", section=shape):
        cores = classify(judge(sheet.board, sheet.orders_by_power()).adjudication)
        return next(core for core in cores if core.shape == shape)
    return None


def is_of_shape(core: ClassifiedCore, shape: str) -> bool:
    """Whether a core has the shape of that name: in the catalogue, where it has one, not just the same digits."""
    listed = catalogued(shape) if core.shape == shape else None
    return core.shape == shape and (listed is None or core.same_shape(listed))


def least_units_of(goal: Goal, rulebook: Rulebook) -> int:
    """Fewer units than so many cannot meet the goal, by what is counted from the shapes that it names; 0 if it names none.

    The count is held to boards under the default rulebook, so that it is used under no other.
    """
    if rulebook.settings() != load_rulebook().settings():
        return 0
    return min((max(map(_least, case), default=0) for case in goals.cases(goal)), default=0)


def _least(goal: goals.Part) -> int:
    core = catalogued(goal.shape) if isinstance(goal, CoreShape) else None
    return least_units(core) if core else 0
