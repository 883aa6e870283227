"""The goal that two rulebooks leave different positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from satjudge.errors import InputError
from satjudge.geography import Map
from satjudge.goals.goal import Goal
from satjudge.goals.judged import Judged, illegal_under
from satjudge.rules import Rulebook, load_rulebook
from satjudge.solve.clauses import FALSE
from satjudge.unknown.question import Question
from satjudge.unknown.universe import Universe


@dataclass(frozen=True)
class Differs(Goal):
    """Two rulebooks leave different positions, dislodged units included.

    Each decides by itself which orders are legal, and what becomes of those that are not. `legal`: all orders are legal
    under both.
    """

    name = "differs"
    form = "differs:RULEBOOK,RULEBOOK"

    one: Rulebook
    other: Rulebook
    legal: bool = False
    names: tuple[str, ...] = field(default=(), compare=False)
    """What they were called when they were asked for; a file of the user's own by its path."""

    def __str__(self) -> str:
        return f"differs{'-legal' * self.legal}:{self.one.name},{self.other.name}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return cls(*_rulebooks(argument), names=tuple(argument.split(",", 1)))

    def holds(self, judged: Judged) -> bool:
        return self.has_answer(judged) and judged.under(self.one).position != judged.under(self.other).position

    def has_answer(self, judged: Judged) -> bool:
        answered = all(judged.under(rulebook).outcome for rulebook in self.compares())
        return answered and not (self.legal and any(illegal_under(judged.proposal, book) for book in self.compares()))

    def require(self, question: Question) -> None:
        """Some move succeeds under just one of the rulebooks: positions that differ do so because of a move."""
        one, other = (
            {move.order: question.outcome(book).move(move) for move in question.read_by(book).situation.moves}
            for book in self.compares()
        )
        formula = question.formula
        formula.require(*(formula.xor(one.get(m, FALSE), other.get(m, FALSE)) for m in dict.fromkeys((*one, *other))))
        for rulebook in self.compares() if self.legal else ():
            question.orders.choices.require_legal(rulebook)

    def hints(self, universe: Universe) -> Iterator[str]:
        if self.one.settings() == self.other.settings():
            yield f"{self.one.name} and {self.other.name} are the same rulebook"

    def compares(self) -> tuple[Rulebook, ...]:
        return self.one, self.other


class DiffersLegal(Differs):
    """The same, and all orders are legal under both: written in its own way, and otherwise `Differs`."""

    name = "differs-legal"
    form = "differs-legal:RULEBOOK,RULEBOOK"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return Differs(*_rulebooks(argument), legal=True, names=tuple(argument.split(",", 1)))


def _rulebooks(argument: str) -> tuple[Rulebook, Rulebook]:
    one, comma, other = argument.partition(",")
    if not comma:
        raise InputError("two rulebooks are needed", suggestion="write differs:1982,datc-3")
    return load_rulebook(one), load_rulebook(other)
