"""What a search for boards asks, as the second encoder says it: written from docs/search.md alone.

A goal is a choice of cases, each of which takes a formula: if none of these has a solution, no board has the goal. What a
formula says beyond that is weaker than the case and follows from it, by equivalence or by an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from satjudge.errors import InputError
from satjudge.orders import Convoy, Move
from satjudge.verify.assumptions import SETTINGS
from satjudge.verify.named_clauses import Group, NamedClauses
from satjudge.verify.open_boards import Bounds, OpenBoards
from satjudge.verify.position import DEFINED_SECOND, EQUATIONS
from satjudge.verify.second_encoder import FALSE, Candidate, Cnf, Encoded, Literal
from satjudge.verify.second_encoder.candidates import is_convoy_of

LEGAL = "units, legal orders, and how many there may be (DATC 3.2, 4.E.1)"
ROUNDS = 3
"""How often the equations of convoys are asked what they say of a setting."""

Requirement: TypeAlias = Callable[["Question"], None]


@dataclass(frozen=True)
class Case:
    """One case of a goal: in words, what it requires, and the assumptions by which that is necessary."""

    text: str
    require: Requirement
    assumptions: tuple[str, ...] = ()


class Question:
    """A formula under construction: boards, and resolutions of their orders."""

    def __init__(self, bounds: Bounds) -> None:
        self.cnf = Cnf()
        self.boards = OpenBoards(self.cnf, bounds)
        self.copies = 0

    def resolution(self, convoys: Mapping[Candidate, Literal] | None = None) -> Encoded:
        """One more resolution of the same orders."""
        self.copies += 1
        return self.boards.resolution(str(self.copies), convoys)

    def differ(self, one: Literal, other: Literal) -> Literal:
        """Whether two literals differ."""
        return self.cnf.any_of((self.cnf.all_of((one, -other)), self.cnf.all_of((-one, other))))


def require_none(question: Question) -> None:
    """No consistent resolution. Convoys are first set to be disrupted, then to what their equations say of that, and so on.

    The other equations have a solution each time; if the equations of convoys then said what was set, this were a resolution.
    """
    convoys = [candidate for candidate in question.boards.candidates if isinstance(candidate.order, Convoy)]
    settings = dict.fromkeys(convoys, FALSE)
    for _ in range(ROUNDS):
        resolved = question.resolution(settings).equations
        says = {convoy: resolved.convoy_equation(convoy) for convoy in convoys}
        question.cnf.require(*(question.differ(says[convoy], settings[convoy]) for convoy in convoys))
        settings = says


def require_several(question: Question) -> None:
    """Two consistent resolutions: a move succeeds in the first and fails in the second, for all else is a function of moves."""
    one, other = question.resolution(), question.resolution()
    moves = zip(one.moves.values(), other.moves.values(), strict=True)
    question.cnf.require(*(question.cnf.all_of((first, -second)) for first, second in moves))


def require_differing_convoys(question: Question) -> None:
    """Two consistent resolutions: a convoy that some move is ordered to take is available in the first only."""
    one, other = question.resolution(), question.resolution()
    moves = [candidate for candidate in question.boards.candidates if isinstance(candidate.order, Move)]
    found = []
    for convoy in one.convoys:
        taken = question.cnf.any_of(move.given for move in moves if is_convoy_of(convoy, move))
        found.append(question.cnf.all_of((taken, one.convoys[convoy], -other.convoys[convoy])))
    question.cnf.require(*found)


NONE = Case("the orders have no consistent resolution", require_none, (SETTINGS,))
SEVERAL = Case("the orders have two consistent resolutions", require_several)
DIFFERING_CONVOYS = Case(
    "two consistent resolutions differ about a convoy that some move is ordered to take", require_differing_convoys
)

GOALS: Mapping[str, tuple[Case, ...]] = {
    "no-resolution": (NONE,),
    "several-resolutions": (SEVERAL,),
    "paradox": (NONE, DIFFERING_CONVOYS),
    "paradox and several-resolutions": (DIFFERING_CONVOYS,),
}
"""The goals that certificates know, with their cases. What has several resolutions has one: so the last is one case."""


def cases_of(goal: str) -> tuple[Case, ...]:
    """The cases of a goal. Raises `InputError` for one that certificates do not know."""
    if goal not in GOALS:
        raise InputError(
            f"no certificate can be written or verified of the goal {goal}", suggestion=f"known are {', '.join(GOALS)}"
        )
    return GOALS[goal]


def formula(bounds: Bounds, case: Case) -> NamedClauses:
    """What a board within the bounds satisfies if it has the case of a goal."""
    question = Question(bounds)
    case.require(question)
    asked = len(question.cnf.requirements)
    question.boards.require_legal()
    requirements = question.cnf.requirements
    groups = (
        Group(DEFINED_SECOND, question.cnf.definitions),
        Group(f"{EQUATIONS}; {case.text}", requirements[:asked]),
        Group(LEGAL, requirements[asked:]),
    )
    return NamedClauses(question.cnf.number_of_variables, question.cnf.names, groups)
