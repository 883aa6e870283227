"""Holds the goals that two rulebooks have different outcomes for the same orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from satjudge.base.errors import InputError
from satjudge.judging.equations.situation import OrderDecision
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve.clauses import FALSE, Literal
from satjudge.search.goals.equivalence import MOVEMENT, Step, why_alike
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged import Judged, illegal_under
from satjudge.search.goals.outcomes import VERDICTS, barred, has_no_retreat, has_result
from satjudge.search.unknown.encoding import Encoding
from satjudge.search.unknown.question import Question
from satjudge.search.unknown.universe import meaning
from satjudge.world.geography import Map, ProvinceCode, province_of
from satjudge.world.rules import Rulebook, load_rulebook


class Aspect(StrEnum):
    """The aspect of the outcome in which two rulebooks are to differ."""

    POSITION = "position"
    """The units that stand afterwards and their places, and the dislodged ones."""
    UNITS = "units"
    """The units that stand afterwards and their places; dislodged ones stand nowhere."""
    DISLODGEMENTS = "dislodgements"
    """The units that are dislodged."""
    VERDICTS = "verdicts"
    """The verdict on some order, in words: `fails`, `given, dislodged`."""
    RETREATS = "retreats"
    """The retreats of a unit that is dislodged under both."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of judging a movement phase that lead to the aspect."""
        return (*MOVEMENT, Step.RETREATS) if self in (Aspect.VERDICTS, Aspect.RETREATS) else MOVEMENT


@dataclass(frozen=True)
class Differs(Goal):
    """The goal that two rulebooks leave different positions, dislodged units included, or differ in another aspect.

    Each decides by itself which orders are legal, and what becomes of those that are not. `legal`: all orders are legal
    under both.
    """

    name = "differs"
    form = "differs:RULEBOOK,RULEBOOK"

    one: Rulebook
    other: Rulebook
    legal: bool = False
    names: tuple[str, ...] = field(default=(), compare=False)
    """The names under which the rulebooks were asked for; a file of the user's own by its path."""
    aspect: Aspect = Aspect.POSITION

    def __str__(self) -> str:
        aspect = "" if self.aspect is Aspect.POSITION else f"={self.aspect}"
        return f"differs{'-legal' * self.legal}:{self.one.name},{self.other.name}{aspect}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        names, equals, told = argument.partition("=")
        one, comma, other = names.partition(",")
        if not comma:
            raise InputError("two rulebooks are needed", suggestion="write differs:1982,datc-3")
        if equals and told not in list(Aspect):
            raise InputError(f"rulebooks do not differ in {told!r}", suggestion=f"write one of {', '.join(Aspect)}")
        aspect = Aspect(told) if equals else Aspect.POSITION
        books = load_rulebook(one), load_rulebook(other)
        return Differs(*books, legal=cls is DiffersLegal, names=(one, other), aspect=aspect)

    def holds(self, judged: Judged) -> bool:
        one, other = (judged.under(rulebook).outcome for rulebook in self.compares())
        return self.has_answer(judged) and one is not None and other is not None and differ(self.aspect, one, other)

    def has_answer(self, judged: Judged) -> bool:
        answered = all(judged.under(rulebook).outcome for rulebook in self.compares())
        return answered and not (self.legal and any(illegal_under(judged.proposal, book) for book in self.compares()))

    def require(self, question: Question) -> None:
        """Ask for something that tells the two outcomes apart in this aspect."""
        one, other = (question.outcome(book) for book in self.compares())
        differing = {
            Aspect.DISLODGEMENTS: _dislodgements,
            Aspect.VERDICTS: _verdicts,
            Aspect.RETREATS: _retreats,
        }.get(self.aspect, _moves)
        question.formula.require(*differing(one, other))
        for rulebook in self.compares() if self.legal else ():
            question.orders.choices.require_legal(rulebook)

    def impossible(self) -> str | None:
        return why_alike(self.one, self.other, self.aspect.steps)

    def compares(self) -> tuple[Rulebook, ...]:
        return self.one, self.other


class DiffersLegal(Differs):
    """The goal that two rulebooks differ, as in `Differs`, and that all orders are legal under both."""

    name = "differs-legal"
    form = "differs-legal:RULEBOOK,RULEBOOK"


def differ(aspect: Aspect, one: Outcome, other: Outcome) -> bool:
    """Tell whether two outcomes of the same orders differ in an aspect."""
    lost, also_lost = one.dislodgements, other.dislodgements
    match aspect:
        case Aspect.POSITION:
            return set(one.units) != set(other.units) or lost.keys() != also_lost.keys()
        case Aspect.UNITS:
            return set(one.units) != set(other.units)
        case Aspect.DISLODGEMENTS:
            return lost.keys() != also_lost.keys()
        case Aspect.VERDICTS:
            return one.results != other.results
        case Aspect.RETREATS:
            return any(lost[place].retreats != also_lost[place].retreats for place in lost.keys() & also_lost.keys())


# What tells two outcomes apart: one of these literals at least.


def _moves(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """List the literals that a move succeeds under one rulebook only, without which units end up alike."""
    first, second = ({move.order: encoding.move(move) for move in encoding.orders.situation.moves} for encoding in (one, other))
    for move in dict.fromkeys((*first, *second)):
        yield one.formula.xor(first.get(move, FALSE), second.get(move, FALSE))


def _dislodgements(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """List the literals that a unit is dislodged under one rulebook only."""
    for province in one.orders.occupied:
        yield one.formula.xor(one.dislodged(province), other.dislodged(province))


def _verdicts(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """List the literals that an order has a result, or its unit a fate, under one rulebook only."""
    first, second = (dict(_decisions(encoding)) for encoding in (one, other))
    for order in dict.fromkeys((*first, *second)):
        kind = type((first.get(order) or second[order]).order)
        for result in VERDICTS[kind]:
            told = (has_result(encoding, found[order], result) if order in found else FALSE
                    for encoding, found in ((one, first), (other, second)))  # fmt: skip
            yield one.formula.xor(*told)
    yield from _dislodgements(one, other)
    for province in one.orders.occupied:
        lost = (
            encoding.all_of((encoding.dislodged(province), has_no_retreat(encoding, province))) for encoding in (one, other)
        )
        yield one.formula.xor(*lost)


def _decisions(encoding: Encoding) -> Iterator[tuple[object, OrderDecision]]:
    """List the decision about each order, with the key that tells the order from others as it is given."""
    for decision, said in zip(encoding.orders.situation.order_decisions, encoding.orders.said, strict=True):
        yield meaning(said), decision


def _retreats(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """List the literals that a unit dislodged under both may retreat somewhere under one rulebook only."""
    for province in one.orders.occupied:
        exits = {province_of(location) for spot, _ in one.orders.units_in(province) for location in one.orders.map.exits(*spot)}
        yield one.formula.all_of((
            one.dislodged(province),
            other.dislodged(province),
            one.formula.any_of(_opened(one, other, province, place) for place in sorted(exits)),
        ))  # fmt: skip


def _opened(one: Encoding, other: Encoding, province: ProvinceCode, place: ProvinceCode) -> Literal:
    return one.formula.xor(barred(one, province, place), barred(other, province, place))
