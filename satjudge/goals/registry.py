"""The goals that `satjudge search` knows by name: a new one is a class in a file of its own, and a line here."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module

from satjudge.errors import NotFoundError
from satjudge.geography import Map
from satjudge.goals.core_shape import CoreShape
from satjudge.goals.differs import Differs, DiffersLegal
from satjudge.goals.goal import Goal
from satjudge.goals.grammar import GoalReader
from satjudge.goals.positions import Dislodged, Occupied
from satjudge.goals.resolutions import NoResolution, Paradox, Several
from satjudge.goals.verdict import Verdict

GOALS: tuple[type[Goal], ...] = (
    Several,
    NoResolution,
    Paradox,
    CoreShape,
    Differs,
    DiffersLegal,
    Dislodged,
    Occupied,
    Verdict,
)


def parse_goal(text: str, game_map: Map, *, own: bool = False) -> Goal:
    """Read a goal. Raises `InputError` with the column of what cannot be read.

    `own`: a goal may also be a class of the user's own, written `module:Class` or `module:Class=ARGUMENT`. Its module is run.
    """
    reader = _WithOwn if own else GoalReader
    return reader(text, game_map, {goal.name: goal for goal in GOALS}).whole()


class _WithOwn(GoalReader):
    """Reads goals of the user's own as well."""

    def reading(self, name: str, argument: str) -> Callable[[], Goal] | None:
        """What reads the class of that name in the module of that name, if there is no other goal of the name."""
        written, _, rest = argument.partition("=")
        goal = own_goal(name, written) if name not in self.goals and written.isidentifier() else None
        return partial(goal.read, rest, self.map) if goal else super().reading(name, argument)


def own_goal(module: str, name: str) -> type[Goal] | None:
    """A goal of the user's own; None if there is no such module. Modules of the working directory are found as well.

    Raises `NotFoundError` if there is no such class in it.
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        return None
    if not isinstance(found, type) or not issubclass(found, Goal):
        hint = "goals are subclasses of satjudge.goals.Goal (docs/goals.md)"
        raise NotFoundError(f"there is no goal {name} in {module}", suggestion=hint)
    return found
