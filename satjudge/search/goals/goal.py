"""Defines what a goal is, and joins goals with *and*, *or* and *not*.

`holds` checks the goal on a judged position. For the solver, a goal about the outcome is a literal of the encoding of the final
resolution, and any other goal adds requirements to a question. Requirements must be *necessary* conditions, since the judge
checks whatever the solver finds.

A goal is split into *cases*, each of which becomes one or two questions to the solver (`list_search_cases`).
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
    """A board made without a search, or None; `at_least` is a proved lower bound on units (None: no such board exists)."""

    proposal: Proposal | None
    at_least: int | None


class Goal(ABC):
    """A property of boards with orders.

    Subclasses are values: frozen dataclasses whose `str` is their notation.
    """

    name: ClassVar[str] = ""
    """The word with which the goal begins."""
    form: ClassVar[str] = ""
    """The goal's notation, if it is more than the word, such as `dislodged:PROVINCE`."""
    about_resolutions: ClassVar[bool] = False
    """Whether the goal depends only on the resolutions of the equations (`satjudge.search.open_orders.question`)."""
    dislodges_a_convoy: ClassVar[bool] = False
    """Whether the goal can only hold if some convoying fleet is dislodged for some values of the convoys."""
    draws: ClassVar[bool] = False
    """Whether the goal can make boards without a search (`draw_board`)."""

    def __str__(self) -> str:
        return self.name or repr(self)

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        """Return the goal with this argument, the text after the colon in `dislodged:MUN`; by default, a goal takes none.

        Raises `InputError` if it cannot be parsed.
        """
        if argument:
            raise InputError(f"{cls.name} takes no argument", suggestion=f"write {cls.name}")
        return cls()

    @abstractmethod
    def holds(self, judged: Judged) -> bool:
        """Return whether a judged position meets the goal."""

    def has_answer(self, judged: Judged) -> bool:
        """Return whether a judged position (by default, any) decides the goal; if not, neither it nor its opposite holds."""
        return True

    def require(self, question: Question) -> None:
        """Add to a question conditions that hold for every board that meets the goal; by default none."""
        return

    def require_not(self, question: Question) -> None:
        """Add to a question conditions that hold for every board that does not meet the goal; by default none."""
        return

    @property
    def is_about_outcome(self) -> bool:
        """True if the goal depends only on the final outcome after backup rules, not on other resolutions."""
        return False

    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds exactly if the goal does in the final resolution; by default raises `TypeError`."""
        raise TypeError(f"{self} depends on more than the outcome")

    def find_general_refutation(self) -> str | None:
        """Return a sentence that proves that no board on any map can meet the goal; None (the default) without such a proof."""
        return None

    def find_refutation(self, rulebook: Rulebook, game_map: Map | None) -> str | None:
        """Return a sentence that proves that no board meets the goal under this rulebook and map (None: any map); else None."""
        return self.find_general_refutation()

    def hints(self, universe: Universe) -> Iterable[str]:
        """Return sentences with obvious reasons why no board of the universe can meet the goal, by default none."""
        return ()

    def least_units(self) -> int:
        """Return a lower bound (default: 0) on any answer's units, under the default rulebook and on maps without own rules."""
        return 0

    def draw_board(self, universe: Universe, time_left: Callable[[], float | None]) -> DrawnBoard | None:
        """Make a smallest board that meets the goal, without a search; None (the default) if this goal cannot do that.

        `time_left` returns the seconds left, and raises an error if there are none. Like `least_units`, this method assumes the
        default rulebook and a map without rules of its own. It also needs a universe in which all units and orders are free.
        """
        return None

    def list_compared_rulebooks(self) -> tuple[Rulebook, ...]:
        """Return the rulebooks that the goal compares; empty (the default) if the judging rulebook alone matters."""
        return ()

    # Combining goals

    implies: ClassVar[tuple[Goal, ...]] = ()
    """The goals that follow from this one."""
    excludes: ClassVar[tuple[Goal, ...]] = ()
    """The goals that this one excludes."""

    def iter_atoms(self) -> Iterator[Goal]:
        """Yield the elementary goals that are joined by `and`, `or` and `not` in this goal; by default, the goal itself."""
        yield self

    def to_normal_form(self) -> Goal:
        """Return an equal goal with `not` only before elementary goals and alternatives written as `or`, by default itself."""
        return self

    def to_negation(self) -> Goal:
        """Return the negation of the goal in normal form."""
        plain = self.to_normal_form()
        return Not(self) if plain is self else plain.to_negation()


class OutcomeGoal(Goal):
    """A goal about the outcome after backup rules; without an outcome, neither the goal nor its opposite holds."""

    @property
    def is_about_outcome(self) -> bool:
        return True

    @abstractmethod
    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if and only if the goal does, in the encoding of the final resolution."""

    def has_answer(self, judged: Judged) -> bool:
        return judged.aftermath is not None

    def require(self, question: Question) -> None:
        question.formula.require(self.literal(question.get_outcome()))

    def require_not(self, question: Question) -> None:
        question.formula.require(-self.literal(question.get_outcome()))


class StatedGoal(OutcomeGoal):
    """A goal about the outcome that is stated once for two logics: truth values of an outcome, or literals of an encoding."""

    @abstractmethod
    def stated(self, logic: Logic[B, Any], situation: Situation) -> B:
        """Return whether the goal holds in a situation, as a truth value or as a literal, depending on the logic."""

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
        question.formula.require(
            self.literal(question.get_outcome())
        )  # only if it is about the outcome; other goals are split into cases

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
    """The goal that at least one of two goals holds."""

    __slots__ = ()
    word = "or"
    opposite = Both

    def holds(self, judged: Judged) -> bool:
        return self.one.holds(judged) or self.other.holds(judged)

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.any_of((self.one.literal(encoding), self.other.literal(encoding)))


Both.opposite = Either


def list_hints(goal: Goal, universe: Universe) -> list[str]:
    """List sentences with reasons, from each elementary part of the goal, why a search in this universe can find nothing."""
    proofs = (atom.find_refutation(universe.rulebook, universe.map) for atom in goal.iter_atoms())
    hints = (hint for atom in goal.iter_atoms() for hint in atom.hints(universe))
    return list(dict.fromkeys(chain(filter(None, proofs), hints)))


def list_goal_rulebooks(goal: Goal, rulebook: Rulebook) -> tuple[Rulebook, ...]:
    """List the rulebooks that a goal compares; `rulebook` comes first if other parts of the goal depend on it."""
    found: dict[Rulebook, None] = {}
    for atom in sorted(goal.iter_atoms(), key=lambda atom: bool(atom.list_compared_rulebooks())):
        found |= dict.fromkeys(atom.list_compared_rulebooks() or (rulebook,))
    return tuple(found)


Case: TypeAlias = tuple[Goal, ...]
"""Goals that must all hold: elementary goals, their opposites, and any goals about the outcome alone."""

MOST_CASES = 256
"""The largest number of cases, each of which becomes one or two questions to the solver."""


def list_cases(goal: Goal) -> tuple[Case, ...]:
    """Split a goal into cases, tuples of goals that must all hold: the goal holds if and only if one of its cases does.

    Goals about the outcome alone are kept together as one part of a case. A case that contains all parts of another is dropped.
    Raises `InputError` if there are too many cases.
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


def _drop_redundant_cases(cases: list[_Parts]) -> list[_Parts]:
    """Return the cases without those that contain all parts of another case; raise `InputError` if too many are left."""
    left: list[_Parts] = []
    for case in sorted(cases, key=len):
        if len(left) <= MOST_CASES and not any(other.keys() <= case.keys() for other in left):
            left.append(case)
    if len(left) > MOST_CASES:
        raise InputError(
            f"the goal splits into more than {MOST_CASES} cases",
            suggestion="search for a part of it; goals about the outcome (dislodged, occupied, verdict) can be combined freely",
        )
    return [case for case in cases if any(case is other for other in left)]


@dataclass(frozen=True)
class SearchCase:
    """A case of a goal to search for; if `ruled`, only outcomes produced by a ruling on a paradox count."""

    case: Case
    ruled: bool

    def __str__(self) -> str:
        return " and ".join(map(str, self.case)) + (" (by a ruling on a paradox)" if self.ruled else "")


def list_search_cases(goal: Goal, rulebook: Rulebook, game_map: Map | None = None) -> list[SearchCase]:
    """List the cases of a goal that the rulebook and map (None: any) allow, also as `ruled` if it can rule on paradoxes."""
    found = []
    for whole in list_cases(goal):
        if any(part.find_refutation(rulebook, game_map) for part in whole):
            continue
        implied = {other for part in whole for other in part.implies}
        case = tuple(part for part in whole if part not in implied)
        if not any(other in case for part in case for other in (*part.excludes, Not(part))):
            may_rule = any(list_overridable_kinds(book) for book in list_case_rulebooks(case, rulebook))
            found += [SearchCase(case, ruled) for ruled in ((False, True) if may_rule else (False,))]
    return list(dict.fromkeys(found))


def list_case_rulebooks(case: Case, rulebook: Rulebook) -> list[Rulebook]:
    """List the rulebooks whose outcomes a case depends on; if `rulebook` is one of them, it comes first."""
    of_outcome = any(atom.is_about_outcome for part in case for atom in part.iter_atoms())
    compared = (book for goal in case for book in goal.list_compared_rulebooks())
    return list(dict.fromkeys((*([rulebook] if of_outcome else []), *compared)))


def count_least_units(goal: Goal, rulebook: Rulebook, game_map: Map) -> int:
    """Return a lower bound on the units of any board that meets a goal, computed from the cores that it names; 0 if unknown.

    The bound follows from the ring theorem (docs/papers/cores.md), so it is used only where the theorem holds.
    """
    if game_map.own_rules or rulebook.settings() != load_rulebook().settings():
        return 0
    return min((max((part.least_units() for part in case), default=0) for case in list_cases(goal)), default=0)
