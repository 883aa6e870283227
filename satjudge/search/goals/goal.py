"""States what a goal is, and joins goals by *and*, *or* and *not*.

`holds` checks the goal on a judged position. For the solver, a goal about the outcome is a literal over the encoding of the
final resolution; any other goal adds requirements to a question. Requirements must be *necessary* conditions; the judge has the
last word on what the solver finds.

A goal is a choice of *cases*, each of which is one or two questions to the solver (`list_search_cases`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, TypeAlias, TypeVar

from satjudge.base.errors import InputError
from satjudge.judging.backup import list_overridable_kinds
from satjudge.judging.equations.logic import Logic
from satjudge.judging.equations.situation import Situation
from satjudge.search.formulas.clauses import Literal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.proposal import Proposal
from satjudge.search.open_orders.question import Question
from satjudge.search.open_orders.universe import Universe
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook, load_rulebook

B = TypeVar("B")


@dataclass(frozen=True)
class DrawnBoard:
    """A board that a goal constructed without a search; `at_least` is a proved lower bound on the units of such boards."""

    proposal: Proposal | None
    at_least: int | None


class Goal(ABC):
    """A property of boards with orders.

    Subclasses are values: frozen dataclasses that print as they are written.
    """

    name: ClassVar[str] = ""
    """The word that the goal begins with."""
    form: ClassVar[str] = ""
    """The form in which the goal is written, if it is more than the word: `dislodged:PROVINCE`."""
    about_resolutions: ClassVar[bool] = False
    """Whether the goal depends only on the resolutions of the equations (`satjudge.search.open_orders.question`)."""
    dislodges_a_convoy: ClassVar[bool] = False
    """Whether some convoying fleet is dislodged, for some values of the convoys, where the goal holds."""
    draws: ClassVar[bool] = False
    """Whether the goal can make boards by itself (`drawn`)."""

    def __str__(self) -> str:
        return self.name or repr(self)

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        """Parse the goal's argument, which is the text after the colon in `dislodged:MUN`.

        Raises `InputError`.
        """
        if argument:
            raise InputError(f"{cls.name} has no argument", suggestion=f"write {cls.name}")
        return cls()

    @abstractmethod
    def holds(self, judged: Judged) -> bool:
        """Return whether the goal holds of a judged position."""

    def has_answer(self, judged: Judged) -> bool:
        """Return whether a judged position shows if the goal is true; if not, neither the goal nor its opposite holds."""
        return True

    def require(self, question: Question) -> None:
        """Require of a question's boards what follows from the goal; by default nothing: then only the judge refuses boards."""
        return

    def require_not(self, question: Question) -> None:
        """Require of a question's boards what follows if the goal does not hold."""
        return

    @property
    def is_about_outcome(self) -> bool:
        """True if the goal depends only on the final outcome, after backup rules, not on other resolutions."""
        return False

    def literal(self, encoding: Encoding) -> Literal:
        """Return a literal that holds exactly where the goal does, if the encoding is the final resolution."""
        raise TypeError(f"{self} depends on more than the outcome")

    def find_general_refutation(self) -> str | None:
        """Return why no board on any map can meet the goal, as a proof without search, or None."""
        return None

    def find_refutation(self, rulebook: Rulebook, game_map: Map | None) -> str | None:
        """Return why no board can meet the goal under a rulebook and map, as a proof without search, or None."""
        return self.find_general_refutation()

    def hints(self, universe: Universe) -> Iterable[str]:
        """List obvious reasons, each as a sentence, why no board of a universe can meet the goal."""
        return ()

    def least_units(self) -> int:
        """Return a lower bound on the number of units of any board that meets the goal, by the default rules and map rules."""
        return 0

    def draw_board(self, universe: Universe, time_left: Callable[[], float | None]) -> DrawnBoard | None:
        """Construct a board that meets the goal without a search; None if this kind of goal cannot do that.

        `time_left` returns the seconds that are left, and raises an error if there are none. Like `least_units`, this assumes
        the default rulebook and a map without rules of its own, and also a universe where all is free.
        """
        return None

    def list_compared_rulebooks(self) -> tuple[Rulebook, ...]:
        """Return the rulebooks that the goal compares, or none if it is about the rulebook that judges."""
        return ()

    # Combining goals.

    implies: ClassVar[tuple[Goal, ...]] = ()
    """The goals that follow from this one."""
    excludes: ClassVar[tuple[Goal, ...]] = ()
    """The goals that this one excludes."""

    def iter_atoms(self) -> Iterator[Goal]:
        """Yield the elementary goals from which `and`, `or` and `not` make this goal."""
        yield self

    def to_normal_form(self) -> Goal:
        """Return an equivalent goal with `not` only before elementary goals; those that are choices become an `or`."""
        return self

    def to_negation(self) -> Goal:
        """Return the negation of the goal in normal form."""
        plain = self.to_normal_form()
        return Not(self) if plain is self else plain.to_negation()


class OutcomeGoal(Goal):
    """A goal about the outcome after the backup rules; if there is no outcome, neither it nor its opposite holds."""

    @property
    def is_about_outcome(self) -> bool:
        return True

    @abstractmethod
    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if and only if the goal does, where the encoding is the final resolution."""

    def has_answer(self, judged: Judged) -> bool:
        return judged.aftermath is not None

    def require(self, question: Question) -> None:
        question.formula.require(self.literal(question.get_outcome()))

    def require_not(self, question: Question) -> None:
        question.formula.require(-self.literal(question.get_outcome()))


class StatedGoal(OutcomeGoal):
    """A goal about the outcome that is stated once, for any logic: values of the outcome, or literals for them."""

    @abstractmethod
    def stated(self, logic: Logic[B, Any], situation: Situation) -> B:
        """Express the goal in a logic (truth values or literals) about the given or possible orders of a situation."""

    def holds(self, judged: Judged) -> bool:
        return judged.outcome is not None and self.stated(judged.reading, judged.situation)

    def literal(self, encoding: Encoding) -> Literal:
        return self.stated(encoding, encoding.orders.situation)


@dataclass(frozen=True, slots=True)
class Not(Goal):
    """The goal that another goal does not hold."""

    goal: Goal

    def __str__(self) -> str:
        return f"not {self.goal}"

    def holds(self, judged: Judged) -> bool:
        return self.goal.has_answer(judged) and not self.goal.holds(judged)

    def has_answer(self, judged: Judged) -> bool:
        return self.goal.has_answer(judged)

    def require(self, question: Question) -> None:
        self.goal.require_not(question)

    @property
    def is_about_outcome(self) -> bool:
        return self.goal.is_about_outcome

    def literal(self, encoding: Encoding) -> Literal:
        return -self.goal.literal(encoding)

    def iter_atoms(self) -> Iterator[Goal]:
        return self.goal.iter_atoms()

    def to_normal_form(self) -> Goal:
        return self.goal.to_negation()

    def to_negation(self) -> Goal:
        return self.goal.to_normal_form()


@dataclass(frozen=True, slots=True)
class _JoinedGoal(Goal):
    """Two goals, and the word that joins them."""

    one: Goal
    other: Goal
    word: ClassVar[str]
    opposite: ClassVar[type[_JoinedGoal]]

    def __str__(self) -> str:
        return f"({self.one} {self.word} {self.other})"

    def has_answer(self, judged: Judged) -> bool:
        return self.one.has_answer(judged) and self.other.has_answer(judged)

    def require(self, question: Question) -> None:
        question.formula.require(self.literal(question.get_outcome()))  # of the outcome alone; else it is a choice of cases

    @property
    def is_about_outcome(self) -> bool:
        return self.one.is_about_outcome and self.other.is_about_outcome

    def iter_atoms(self) -> Iterator[Goal]:
        yield from self.one.iter_atoms()
        yield from self.other.iter_atoms()

    def to_normal_form(self) -> Goal:
        return type(self)(self.one.to_normal_form(), self.other.to_normal_form())

    def to_negation(self) -> Goal:
        return self.opposite(self.one.to_negation(), self.other.to_negation())


class Both(_JoinedGoal):
    """The goal that both goals hold."""

    __slots__ = ()
    word = "and"

    def holds(self, judged: Judged) -> bool:
        return self.one.holds(judged) and self.other.holds(judged)

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.all_of((self.one.literal(encoding), self.other.literal(encoding)))


class Either(_JoinedGoal):
    """The goal that one of the goals holds, or both."""

    __slots__ = ()
    word = "or"
    opposite = Both

    def holds(self, judged: Judged) -> bool:
        return self.one.holds(judged) or self.other.holds(judged)

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.any_of((self.one.literal(encoding), self.other.literal(encoding)))


Both.opposite = Either


def list_hints(goal: Goal, universe: Universe) -> list[str]:
    """List the hints of each part of a goal: sentences that say why a search in this universe could not find anything."""
    proofs = (atom.find_refutation(universe.rulebook, universe.map) for atom in goal.iter_atoms())
    told = (hint for atom in goal.iter_atoms() for hint in atom.hints(universe))
    return list(dict.fromkeys(chain(filter(None, proofs), told)))


def list_goal_rulebooks(goal: Goal, rulebook: Rulebook) -> tuple[Rulebook, ...]:
    """List the rulebooks that a goal compares, with `rulebook` first if other parts of the goal need it."""
    found: dict[Rulebook, None] = {}
    for atom in sorted(goal.iter_atoms(), key=lambda atom: bool(atom.list_compared_rulebooks())):
        found |= dict.fromkeys(atom.list_compared_rulebooks() or (rulebook,))
    return tuple(found)


Case: TypeAlias = tuple[Goal, ...]
"""Goals that must all hold: elementary goals, their opposites, and choices about the outcome alone."""

MOST_CASES = 256
"""The largest number of cases, each of which is one or two questions to the solver."""


def list_cases(goal: Goal) -> tuple[Case, ...]:
    """Rewrite a goal as cases, each a tuple of parts that must all hold: the goal holds if one of the cases does.

    Goals about the outcome alone stay together as one part of a case. A case that contains all parts of another is dropped.
    Raises `InputError` for too many cases.
    """
    return tuple(tuple(case) for case in _list_cases(goal.to_normal_form()))


_Parts: TypeAlias = dict[Goal, None]
"""The parts of a case, in order."""


def _list_cases(goal: Goal) -> list[_Parts]:
    if isinstance(goal, Both):
        firsts, seconds = _list_cases(goal.one), _list_cases(goal.other)
        return _drop_redundant_cases([first | second for first in firsts for second in seconds])
    if isinstance(goal, Either) and not goal.is_about_outcome:
        return _drop_redundant_cases([*_list_cases(goal.one), *_list_cases(goal.other)])
    return [{goal: None}]


def _drop_redundant_cases(found: list[_Parts]) -> list[_Parts]:
    """Return the cases except those that contain all parts of another case. Raises `InputError` if too many are left."""
    left: list[_Parts] = []
    for case in sorted(found, key=len):
        if len(left) <= MOST_CASES and not any(other.keys() <= case.keys() for other in left):
            left.append(case)
    if len(left) > MOST_CASES:
        raise InputError(
            f"the goal is a choice of more than {MOST_CASES} cases",
            suggestion="ask for a part of it; goals about the outcome (dislodged, occupied, verdict) can be combined freely",
        )
    return [case for case in found if any(case is other for other in left)]


@dataclass(frozen=True)
class SearchCase:
    """A case of a goal to search for, and whether a paradox ruling produces its outcomes (`ruled`)."""

    case: Case
    ruled: bool

    def __str__(self) -> str:
        return " and ".join(map(str, self.case)) + (" (by a ruling on a paradox)" if self.ruled else "")


def list_search_cases(goal: Goal, rulebook: Rulebook, game_map: Map | None = None) -> list[SearchCase]:
    """List the cases of a goal that are possible under the rulebook and map: a board meets the goal only if it meets one."""
    found = []
    for whole in list_cases(goal):
        if any(part.find_refutation(rulebook, game_map) for part in whole):
            continue
        implied = {other for part in whole for other in part.implies}
        case = tuple(part for part in whole if part not in implied)
        if not any(other in case for part in case for other in (*part.excludes, Not(part))):  # which no board can meet
            may_rule = any(list_overridable_kinds(book) for book in list_case_rulebooks(case, rulebook))
            found += [SearchCase(case, ruled) for ruled in ((False, True) if may_rule else (False,))]
    return list(dict.fromkeys(found))


def list_case_rulebooks(case: Case, rulebook: Rulebook) -> list[Rulebook]:
    """List the rulebooks whose outcomes a case depends on; if `rulebook` is among them, it comes first."""
    of_outcome = any(atom.is_about_outcome for part in case for atom in part.iter_atoms())
    compared = (book for goal in case for book in goal.list_compared_rulebooks())
    return list(dict.fromkeys((*([rulebook] if of_outcome else []), *compared)))


def count_least_units(goal: Goal, rulebook: Rulebook, game_map: Map) -> int:
    """Return a lower bound on the units of any board that meets a goal, from the cores that it names; 0 if unknown.

    The ring theorem (docs/papers/cores.md) gives the count, so it is used only where the theorem holds.
    """
    if game_map.own_rules or rulebook.settings() != load_rulebook().settings():
        return 0
    return min((max((part.least_units() for part in case), default=0) for case in list_cases(goal)), default=0)
