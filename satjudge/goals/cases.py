"""A goal as a choice of cases, each of which is one question to the solver, or two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from satjudge.backup import overridable
from satjudge.errors import InputError
from satjudge.goals.goal import Both, Either, Goal, Not
from satjudge.rules import Rulebook, load_rulebook

Case: TypeAlias = tuple[Goal, ...]
"""Goals that are all to hold: ones without parts, the opposites of such, and choices that speak of nothing but the outcome."""

MOST_CASES = 256
"""Each is a question to the solver, or two."""


def cases(goal: Goal) -> tuple[Case, ...]:
    """The goal as a choice of cases: it holds if one of them does.

    What speaks of the outcome alone is one part of a case, as it can be asked as it stands. Of two cases one of which says
    all that the other does, and more, only the other is left. Raises `InputError` for more cases than can be asked.
    """
    return tuple(tuple(case) for case in _cases(goal.plain()))


_Parts: TypeAlias = dict[Goal, None]
"""The parts of a case, in order."""


def _cases(goal: Goal) -> list[_Parts]:
    if isinstance(goal, Both):
        firsts, seconds = _cases(goal.one), _cases(goal.other)
        return _least([first | second for first in firsts for second in seconds])
    if isinstance(goal, Either) and not goal.of_outcome:
        return _least([*_cases(goal.one), *_cases(goal.other)])
    return [{goal: None}]


def _least(found: list[_Parts]) -> list[_Parts]:
    """The cases that do not say all that another one does. Raises `InputError` if too many are left."""
    left: list[_Parts] = []
    for case in sorted(found, key=len):
        if len(left) <= MOST_CASES and not any(other.keys() <= case.keys() for other in left):
            left.append(case)
    if len(left) > MOST_CASES:
        raise InputError(
            f"the goal is a choice of more than {MOST_CASES} cases",
            suggestion="ask for a part of it; goals about the outcome (dislodged, occupied, verdict) may be joined at will",
        )
    return [case for case in found if any(case is other for other in left)]


@dataclass(frozen=True)
class Asked:
    """A case of a goal; `ruled`: the outcomes that it speaks of come about by the backup rule for a paradox."""

    case: Case
    ruled: bool

    def __str__(self) -> str:
        return " and ".join(map(str, self.case)) + (" (by a ruling on a paradox)" if self.ruled else "")


def questions(goal: Goal, rulebook: Rulebook) -> list[Asked]:
    """What must be asked: the goal holds of a board only if one of these does."""
    found = []
    for case in map(_simplified, cases(goal)):
        if not _contradicts_itself(case):
            may_rule = any(overridable(book) for book in rulebooks_of(case, rulebook))
            found += [Asked(case, ruled) for ruled in ((False, True) if may_rule else (False,))]
    return list(dict.fromkeys(found))


def _simplified(case: Case) -> Case:
    """The case without what the rest of it says already."""
    implied = {goal for part in case for goal in part.implies}
    return tuple(goal for goal in case if goal not in implied)


def _contradicts_itself(case: Case) -> bool:
    """Whether no board can be like that, by the words alone."""
    return any(other in case for goal in case for other in (*goal.excludes, Not(goal)))


def rulebooks_of(case: Case, rulebook: Rulebook) -> list[Rulebook]:
    """The rulebooks whose outcomes a case speaks of: that of the search first, if it is among them."""
    of_outcome = any(atom.of_outcome for part in case for atom in part.atoms())
    compared = (book for goal in case for book in goal.compares())
    return list(dict.fromkeys((*([rulebook] if of_outcome else []), *compared)))


def least_units_of(goal: Goal, rulebook: Rulebook) -> int:
    """Fewer units than so many cannot meet the goal, by what is counted from the shapes that it names; 0 if it names none.

    The count is held to boards under the default rulebook, so that it is used under no other.
    """
    if rulebook.settings() != load_rulebook().settings():
        return 0
    return min((max((part.least_units() for part in case), default=0) for case in cases(goal)), default=0)
