"""What a goal asks: in which cases it may hold, and whether a backup rule for paradoxes has a part in that."""

from __future__ import annotations

from dataclasses import dataclass

from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision
from satjudge.research.search import goals
from satjudge.research.search.goals import Case, OfOutcome
from satjudge.rules import ParadoxFallback, ParadoxRule, Rulebook


@dataclass(frozen=True)
class Asked:
    """A case of a goal; `ruled`: the outcomes that it speaks of come about by the backup rule for a paradox."""

    case: Case
    ruled: bool

    def __str__(self) -> str:
        return " and ".join(map(str, self.case)) + (" (by a ruling on a paradox)" if self.ruled else "")


def questions(goal: goals.Goal, rulebook: Rulebook) -> list[Asked]:
    """What must be asked: the goal holds of a board only if one of these does."""
    found = []
    for case in map(_simplified, goals.cases(goal)):
        if not _contradicts_itself(case):
            may_rule = any(relaxed_kinds(book) for book in rulebooks_of(case, rulebook))
            found += [Asked(case, ruled) for ruled in ((False, True) if may_rule else (False,))]
    return list(dict.fromkeys(found))


def _simplified(case: Case) -> Case:
    """The case without what the rest of it says already."""
    implied = (goals.Several(),) if goals.DifferingConvoys() in case else ()
    return tuple(goal for goal in case if goal not in implied)


def _contradicts_itself(case: Case) -> bool:
    """Whether no board can be like that, by the words alone."""
    none_and_several = goals.NoResolution() in case and (goals.Several() in case or goals.DifferingConvoys() in case)
    return none_and_several or any(goals.Not(goal) in case for goal in case if not isinstance(goal, goals.Not))


def rulebooks_of(case: Case, rulebook: Rulebook) -> list[Rulebook]:
    """The rulebooks whose outcomes a case speaks of: that of the search first, if it is among them."""
    of_outcome = any(isinstance(atom, OfOutcome) for part in case for atom in goals.atoms(part))
    found = [rulebook] if of_outcome else []
    for goal in case:
        if isinstance(goal, goals.Differs):
            found += [book for book in (goal.one, goal.other) if book not in found]
    return found


def relaxed_kinds(rulebook: Rulebook) -> tuple[type[Decision], ...]:
    """The decisions that the rulebook's backup rule for paradoxes makes fail whatever their equations say (4.A.2)."""
    if rulebook.paradox is ParadoxRule.SZYKMAN:
        return (ConvoyDecision,)
    if rulebook.paradox in (ParadoxRule.ALL_HOLD, ParadoxRule.GUIDE):
        return (MoveDecision, ConvoyDecision)
    if rulebook.paradox is ParadoxRule.NONE or rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED:
        return ()
    return (ConvoyDecision,) if rulebook.paradox_fallback is ParadoxFallback.SZYKMAN else (MoveDecision, ConvoyDecision)
