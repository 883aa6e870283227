"""Holds goals of searches: how each is written, whether a judged position has it, and what the solver is asked.

    goal = parse_goal("dislodged:PAR and not paradox", load_map())

Goals of one's own are subclasses of `StatedGoal`, `OutcomeGoal` or `Goal` (docs/reference/goals.md).
"""

from satjudge.search.goals.goal import Goal, OutcomeGoal, StatedGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal

__all__ = ["Goal", "Judged", "OutcomeGoal", "StatedGoal", "parse_goal"]
