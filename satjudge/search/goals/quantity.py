"""States what a quantity of a judged position is, and goals that compare them: `hold:BUR >= 3`, `count(…) > count(…)`.

A quantity of the outcome tells the solver, of any number, whether it is at least that, by a literal over the encoding of the
final resolution. Any other quantity tells what is necessary for it to be at least, or at most, so many.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import ClassVar

from satjudge.judging.solve.clauses import FALSE, TRUE, Literal
from satjudge.search.goals.goal import Drawn, Goal
from satjudge.search.goals.judged import Judged
from satjudge.search.unknown.encoding import Encoding
from satjudge.search.unknown.question import Question
from satjudge.search.unknown.universe import Universe
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook, load_rulebook


class Quantity(ABC):
    """A number that a judged position has.

    Subclasses are values: frozen dataclasses that print as they are written.
    """

    name: ClassVar[str] = ""
    """The word that the quantity begins with."""
    form: ClassVar[str] = ""
    """The form in which the quantity is written, if that is more than the word."""
    of_outcome: ClassVar[bool] = True
    """Whether the quantity speaks of the outcome alone, after backup rules."""
    about_resolutions: ClassVar[bool] = False
    """Whether the quantity depends only on the resolutions of the equations (`Goal.about_resolutions`)."""

    def __str__(self) -> str:
        return self.name

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        """Read the quantity from the text after the colon.

        Raises `InputError`.
        """
        return cls()

    @abstractmethod
    def value(self, judged: Judged) -> int | None:
        """Return the value; None where its subject is not there, so that no comparison holds."""

    def has_answer(self, judged: Judged) -> bool:
        """Tell whether it is known whether the quantity has a value; one of the outcome needs an outcome."""
        return True

    def least_units(self, least: int) -> int:
        """Return a number of units below which the quantity is less than `least` (`Goal.least_units`)."""
        return 0

    draws: ClassVar[bool] = False
    """Whether the quantity can make boards by itself (`drawn`)."""

    def drawn(self, universe: Universe, least: int, most: int | None, time_left: Callable[[], float | None]) -> Drawn | None:
        """Draw a board on which the quantity is at least `least` and, unless that is None, at most `most` (`Goal.drawn`)."""
        return None

    # Of the outcome.

    def there(self, encoding: Encoding) -> Literal:
        """Return a literal that holds exactly where the quantity has a value."""
        return TRUE

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        """Return a literal that holds exactly where the quantity is at least `least`, wherever it has a value.

        `least` is positive.
        """
        raise TypeError(f"{self} does not speak of the outcome alone")

    def highest(self, encoding: Encoding) -> int:
        """Return an upper bound of the quantity."""
        raise TypeError(f"{self} does not speak of the outcome alone")

    # Any other.

    def require(self, question: Question, least: int, most: int | None) -> None:
        """Ask for what holds wherever the quantity is at least `least` and, unless that is None, at most `most`."""
        return

    def hints(self, universe: Universe) -> Iterator[str]:
        """List reasons why the quantity has no value on any board of a universe."""
        return iter(())

    theorem: ClassVar[str] = ""
    """The theorem about the values of the quantity, where the ring theorem holds (docs/papers/cores.md)."""

    def by_theorem(self, most: int) -> Collection[int] | None:
        """Return the values up to the first above `most` that are possible where the ring theorem holds; None for any."""
        return None


@dataclass(frozen=True, slots=True)
class Number(Quantity):
    """A number that is written down."""

    number: int

    def __str__(self) -> str:
        return str(self.number)

    def value(self, judged: Judged) -> int:
        return self.number

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        return TRUE if self.number >= least else FALSE

    def highest(self, encoding: Encoding) -> int:
        return self.number


RELATIONS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}
_OPPOSITES = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class Compared(Goal):
    """The goal that two quantities are in a relation; it does not hold where one of them has no value."""

    one: Quantity
    relation: str
    other: Quantity

    def __str__(self) -> str:
        return f"{self.one} {self.relation} {self.other}"

    def holds(self, judged: Judged) -> bool:
        if not self.has_answer(judged):
            return False
        one, other = self.one.value(judged), self.other.value(judged)
        return one is not None and other is not None and RELATIONS[self.relation](one, other)

    @property
    def of_outcome(self) -> bool:
        return self.one.of_outcome and self.other.of_outcome

    @property
    def about_resolutions(self) -> bool:  # type: ignore[override]  # that of the quantity
        """True if both quantities depend only on the resolutions."""
        return not self.of_outcome and self.one.about_resolutions

    def has_answer(self, judged: Judged) -> bool:
        answered = judged.aftermath is not None or not self.of_outcome
        return answered and self.one.has_answer(judged) and self.other.has_answer(judged)

    def literal(self, encoding: Encoding) -> Literal:
        one, other = self.one, self.other
        there = (one.there(encoding), other.there(encoding))
        match self.relation:
            case ">" | "<=":
                related = _above(encoding, one, other)
            case "<" | ">=":
                related = _above(encoding, other, one)
            case _:
                related = encoding.any_of((_above(encoding, one, other), _above(encoding, other, one)))
        return encoding.all_of((*there, related if self.relation in (">", "<", "!=") else -related))

    def require(self, question: Question) -> None:
        if self.of_outcome:
            question.formula.require(self.literal(question.outcome()))
        else:
            self._require(question, self.relation)

    def require_not(self, question: Question) -> None:
        if self.of_outcome:
            question.formula.require(-self.literal(question.outcome()))
        else:
            self._require(question, _OPPOSITES[self.relation])

    def _require(self, question: Question, relation: str) -> None:
        """Ask for the relation of a quantity that is not of the outcome, and a number (`GoalReader` sees to it)."""
        least, most = self._bounds(relation)
        if relation != "!=":
            self.one.require(question, least, most)

    def _bounds(self, relation: str) -> tuple[int, int | None]:
        """Return the least value, and the largest if that is bounded; `!=` bounds nothing."""
        assert isinstance(self.other, Number)
        number = self.other.number
        least = {">=": number, "=": number, ">": number + 1}.get(relation, 0)
        return least, {"<=": number, "=": number, "<": number - 1}.get(relation)

    @property
    def draws(self) -> bool:  # type: ignore[override]  # that of the quantity
        """True if the quantity can make boards by itself."""
        return self.one.draws and not self.of_outcome

    def least_units(self) -> int:
        return 0 if self.of_outcome else self.one.least_units(self._bounds(self.relation)[0])

    def drawn(self, universe: Universe, time_left: Callable[[], float | None]) -> Drawn | None:
        return None if self.of_outcome else self.one.drawn(universe, *self._bounds(self.relation), time_left)

    def excluded(self, rulebook: Rulebook, game_map: Map | None) -> str | None:
        if self.of_outcome or game_map is None or game_map.own_rules or rulebook.settings() != load_rulebook().settings():
            return None
        assert isinstance(self.other, Number)
        values, related = self.one.by_theorem(self.other.number), RELATIONS[self.relation]
        none = values is not None and not any(related(value, self.other.number) for value in values)
        return f"{self.one.theorem} (docs/papers/cores.md)" if none else None

    def hints(self, universe: Universe) -> Iterator[str]:
        yield from self.one.hints(universe)
        yield from self.other.hints(universe)


def _above(encoding: Encoding, one: Quantity, other: Quantity) -> Literal:
    """Return the literal that one quantity is more than the other: whatever the other reaches, the one exceeds."""
    if isinstance(other, Number):
        return TRUE if other.number < 0 else one.at_least(encoding, other.number + 1)
    if isinstance(one, Number):
        return -other.at_least(encoding, one.number) if one.number > 0 else FALSE
    reached = ((TRUE, 0), *((other.at_least(encoding, n), n) for n in range(1, other.highest(encoding) + 1)))
    return encoding.all_of(encoding.any_of((-literal, one.at_least(encoding, n + 1))) for literal, n in reached)
