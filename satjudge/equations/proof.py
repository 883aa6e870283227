"""Proofs: why an equation says what it says, read off the equations themselves.

`Proof` is one more reader of the equations. Its truth values are facts that know which other facts they rest on, its
strengths amounts that know what lifts them to their value and what keeps them from more. Over a resolution a proof tells
why a decision is as it is; over bounds (`proofs_of_bounds`) why it must be so whatever the open decisions are (DATC 5.E).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import TypeAlias

from satjudge.equations.logic import Adjudication
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, SupportDecision
from satjudge.geography import Power


class Term(StrEnum):
    """What facts and amounts are called."""

    DECISION = "decision"
    OCCUPIED = "occupied"
    OWNED = "owned"
    PATH = "path"
    CONVOYED = "convoyed"
    HEAD_TO_HEAD = "head-to-head"
    HOLD = "hold"
    ATTACK = "attack"
    PREVENT = "prevent"
    DEFEND = "defend"


About: TypeAlias = Decision | Place | None


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A truth value with the facts that it rests on: on all `parts`, or, where one suffices, on any of them."""

    value: bool
    parts: tuple[Fact, ...] = ()
    one_suffices: bool = False
    term: Term | None = None
    about: About = None

    def reduced(self, choose: Callable[[Sequence[Fact]], Fact]) -> Iterator[Fact]:
        """The facts that it rests on, itself included, with the choice made wherever one suffices."""
        yield self
        rest = (choose(self.parts),) if self.one_suffices and self.parts else self.parts
        for part in rest:
            yield from part.reduced(choose)

    def decisions(self) -> frozenset[Decision]:
        """A small set of decisions whose values make it so, whatever all others are."""
        return frozenset(
            fact.about
            for fact in self.reduced(fewest_decisions)
            if fact.term is Term.DECISION and not isinstance(fact.about, Place | None)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Fact):
    """Whether one strength exceeds another."""

    one: Amount | None = None
    other: Amount | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """A strength: it is no less because of `floor`, no more because of `ceiling`, and made of these supports."""

    value: int
    floor: tuple[Fact, ...] = ()
    ceiling: tuple[Fact, ...] = ()
    supports: tuple[SupportDecision, ...] = ()
    term: Term | None = None
    about: About = None


def fewest_decisions(parts: Sequence[Fact]) -> Fact:
    """The fact that rests on the fewest decisions."""
    return min(parts, key=lambda part: len(part.decisions()))


class Proof(Adjudication[Fact, Amount]):
    """Facts and amounts over given values of the decisions."""

    def __init__(self, values: Sequence[bool]) -> None:
        self.values = values
        self.opposing = self

    def __invert__(self) -> Proof:
        return self.opposing

    def all_of(self, parts: Iterable[Fact]) -> Fact:
        """True because of all parts, false because of any false one."""
        return _combined(parts, neutral=True)

    def any_of(self, parts: Iterable[Fact]) -> Fact:
        """True because of any true part, false because of all."""
        return _combined(parts, neutral=False)

    def none_of(self, parts: Iterable[Fact]) -> Fact:
        """False because of any true part, true because of all."""
        some = _combined(parts, neutral=False)
        return replace(some, value=not some.value)

    def total(self, base: int, parts: Iterable[Fact]) -> Amount:
        """Lifted by the parts that hold, kept down by the others."""
        all_parts = tuple(parts)
        counted = tuple(part for part in all_parts if part.value)
        supports = (s for part in counted for s in part.decisions() if isinstance(s, SupportDecision))
        missing = tuple(part for part in all_parts if not part.value)
        return Amount(base + len(counted), counted, missing, tuple(supports))

    def exceeds(self, one: Amount, other: Amount) -> Fact:
        """True because the one is no less and the other no more, or false the other way round."""
        value = one.value > other.value
        parts = (*one.floor, *other.ceiling) if value else (*one.ceiling, *other.floor)
        return Comparison(value, parts, one=one, other=other)

    def choose(self, condition: Fact, larger: Amount, smaller: Amount) -> Amount:
        """The larger is no less because of the condition; it is no more anyway, as the smaller is never greater."""
        if condition.value:
            return replace(larger, floor=(condition, *larger.floor))
        return replace(smaller, ceiling=(condition, *smaller.ceiling))

    def constant(self, value: bool) -> Fact:
        """A fact that rests on nothing."""
        return Fact(value)

    def occupied(self, place: Place) -> Fact:
        """As the board says."""
        return Fact(place.unit is not None, term=Term.OCCUPIED, about=place)

    def owned(self, place: Place, power: Power) -> Fact:
        """As the board says."""
        return Fact(place.unit is not None and place.unit.power == power, term=Term.OWNED, about=place)

    def move(self, move: MoveDecision) -> Fact:
        """The value it is given."""
        return Fact(self.values[move.index], term=Term.DECISION, about=move)

    def support(self, support: SupportDecision) -> Fact:
        """The value it is given."""
        return Fact(self.values[support.index], term=Term.DECISION, about=support)

    def convoy(self, convoy: ConvoyDecision) -> Fact:
        """The value it is given."""
        return Fact(self.values[convoy.index], term=Term.DECISION, about=convoy)

    def convoyed(self, move: MoveDecision) -> Fact:
        """By name."""
        return replace(super().convoyed(move), term=Term.CONVOYED, about=move)

    def head_to_head(self, move: MoveDecision, other: MoveDecision) -> Fact:
        """By name."""
        return replace(super().head_to_head(move, other), term=Term.HEAD_TO_HEAD, about=other)

    def path(self, move: MoveDecision) -> Fact:
        """By name."""
        return replace(super().path(move), term=Term.PATH, about=move)

    def hold(self, place: Place) -> Amount:
        """By name."""
        return replace(super().hold(place), term=Term.HOLD, about=place)

    def attack(self, move: MoveDecision) -> Amount:
        """By name."""
        return replace(super().attack(move), term=Term.ATTACK, about=move)

    def prevent(self, move: MoveDecision) -> Amount:
        """By name."""
        return replace(super().prevent(move), term=Term.PREVENT, about=move)

    def defend(self, move: MoveDecision) -> Amount:
        """By name."""
        return replace(super().defend(move), term=Term.DEFEND, about=move)


def _combined(parts: Iterable[Fact], *, neutral: bool) -> Fact:
    all_parts = tuple(parts)
    deciding = tuple(part for part in all_parts if part.value is not neutral)
    return Fact(not neutral, deciding, one_suffices=True) if deciding else Fact(neutral, all_parts)


def proofs_of_bounds(values: Sequence[bool | None]) -> tuple[Proof, Proof]:
    """The optimist's and the pessimist's proofs where some decisions are open (None).

    What the optimist denies, and what the pessimist grants, rests on settled decisions only.
    """
    optimist = Proof([value is not False for value in values])
    pessimist = Proof([value is True for value in values])
    optimist.opposing, pessimist.opposing = pessimist, optimist
    return optimist, pessimist


def comparisons(fact: Fact, choose: Callable[[Sequence[Fact]], Fact] = lambda parts: parts[0]) -> list[Comparison]:
    """The comparisons that a fact rests on, outermost first, none of those inside another one."""
    if isinstance(fact, Comparison):
        return [fact]
    rest = (choose(fact.parts),) if fact.one_suffices and fact.parts else fact.parts
    return list(chain.from_iterable(comparisons(part, choose) for part in rest))
