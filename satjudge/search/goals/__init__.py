"""Defines goals of searches: how each goal is written, how the judge checks it, and what the solver must find.

    goal = parse_goal("dislodged:PAR and not paradox", load_map())

To write your own goal, subclass `StatedGoal`, `OutcomeGoal` or `Goal` (docs/reference/goals.md).
"""

from satjudge.search.goals.goal import Goal, OutcomeGoal, StatedGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal

__all__ = ["Goal", "Judged", "OutcomeGoal", "StatedGoal", "parse_goal"]
