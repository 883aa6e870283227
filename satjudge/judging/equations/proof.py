"""Derives from the equations themselves why an equation has its value.

`Proof` is a logic for the equations. Its truth values are facts, each with the facts on which it rests. Its strengths are
amounts, each with the facts that raise it to its value and those that keep it from being greater. With a resolution's values, a
proof explains a decision; with bounds (`make_bound_proofs`), it explains why open decisions cannot change it (DATC 5.E).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, combinations, islice
from typing import Any, TypeAlias

from satjudge.judging.equations.convoy_graph import ConvoyGraph
from satjudge.judging.equations.logic import Adjudication, convert_strength
from satjudge.judging.equations.situation import Decision, MoveDecision, Place, Stage, SupportDecision
from satjudge.judging.legality.waters import bit_set, iter_members


class Term(StrEnum):
    """A name of a fact or an amount."""

    DECISION = "decision"
    OCCUPIED = "occupied"
    SAME_POWER = "same power"
    PATH = "path"
    CONVOYED = "convoyed"
    HEAD_TO_HEAD = "head-to-head"
    HOLD = "hold"
    ATTACK = "attack"
    PREVENT = "prevent"
    DEFEND = "defend"


About: TypeAlias = Decision | Place | Stage | None


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A truth value that rests on all the facts `parts` or, if `one_suffices`, on any one of them."""

    value: bool
    parts: tuple[Fact, ...] = ()
    one_suffices: bool = False
    term: Term | None = None
    about: About = None

    def decisions(self, prefer: Preference = len) -> frozenset[Decision]:
        """Return a set of decisions whose values suffice to prove the fact; of several, the least by the key `prefer`."""
        if self.term is Term.DECISION and not isinstance(self.about, Place | Stage | None):
            return frozenset((self.about,))
        sets = [part.decisions(prefer) for part in self.parts]
        return min(sets, key=prefer) if self.one_suffices and sets else frozenset(chain.from_iterable(sets))


Preference: TypeAlias = Callable[[frozenset[Decision]], Any]
"""A sort key of sets of decisions; the set with the least key is preferred."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Fact):
    """A fact that one strength exceeds another, or does not."""

    one: Amount | None = None
    other: Amount | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """A strength: a sum (`base` plus one for each of the `parts` that holds), or a choice between two others."""

    value: int
    supports: tuple[SupportDecision, ...] = ()
    """The supports that count in the strength."""
    base: int = 0
    parts: tuple[Fact, ...] = ()
    choice: tuple[Fact, Amount, Amount] | None = None
    term: Term | None = None
    about: About = None

    @property
    def counted_value(self) -> int:
        """The strength as the rules count it, which can be one less than the equations do."""
        return self.value if self.about is None else convert_strength(self.value, self.about.rules)

    def at_most(self, bound: int) -> Fact:
        """Return the fact that the strength is at most `bound`, which must be the case."""
        if self.choice is None:
            missing = [part for part in self.parts if not part.value]
            return _choose_facts(missing, self.base + len(self.parts) - bound)
        condition, larger, smaller = self.choice
        ways = [larger.at_most(bound)] if larger.value <= bound else []
        if not condition.value:
            ways.append(Fact(True, (condition, smaller.at_most(bound))))
        return Fact(True, tuple(ways), one_suffices=True)

    def at_least(self, bound: int) -> Fact:
        """Return the fact that the strength is at least `bound`, which must be the case."""
        if self.choice is None:
            return _choose_facts([part for part in self.parts if part.value], bound - self.base)
        condition, larger, smaller = self.choice
        ways = [smaller.at_least(bound)] if smaller.value >= bound else []
        if condition.value:
            ways.append(Fact(True, (condition, larger.at_least(bound))))
        return Fact(True, tuple(ways), one_suffices=True)


_WAYS = 40


def _choose_facts(facts: Sequence[Fact], count: int) -> Fact:
    """Return the fact that at least `count` of these facts hold, which rests on any `count` of them."""
    if count <= 0:
        return Fact(True)
    ways = [Fact(True, chosen) for chosen in islice(combinations(facts, count), _WAYS)]
    return ways[0] if len(ways) == 1 else Fact(True, tuple(ways), one_suffices=True)


class Proof(Adjudication[Fact, Amount]):
    """A logic of facts and amounts, with given values of the decisions."""

    def __init__(self, values: Sequence[bool]) -> None:
        self.values = values
        self.opposing = self

    def __invert__(self) -> Proof:
        return self.opposing

    def all_of(self, parts: Iterable[Fact]) -> Fact:
        """Return whether all parts hold, as a fact: true because of all of them, or false because of any false one."""
        return _combine_facts(parts, neutral=True)

    def any_of(self, parts: Iterable[Fact]) -> Fact:
        """Return whether some part holds, as a fact: true because of any true one, or false because all are false."""
        return _combine_facts(parts, neutral=False)

    def none_of(self, parts: Iterable[Fact]) -> Fact:
        """Return whether no part holds, as a fact: false because of any true one, or true because all are false."""
        disjunction = _combine_facts(parts, neutral=False)
        return replace(disjunction, value=not disjunction.value)

    def total(self, base: int, parts: Iterable[Fact]) -> Amount:
        """Return `base` plus the number of parts that hold, as an amount that keeps the parts."""
        given = tuple(parts)
        facts = tuple(part for part in given if part.parts or part.term)
        base += sum(part.value for part in given if not (part.parts or part.term))  # constants
        counted = [part for part in facts if part.value]
        supports = (s for part in counted for s in part.decisions() if isinstance(s, SupportDecision))
        return Amount(base + len(counted), tuple(supports), base, facts)

    def exceeds(self, one: Amount, other: Amount) -> Fact:
        """Return whether one strength exceeds the other, as a fact that rests on bounds of both."""
        value = one.value > other.value
        if value:
            ways = [(one.at_least(bound + 1), other.at_most(bound)) for bound in range(other.value, one.value)]
        else:
            ways = [(one.at_most(bound), other.at_least(bound)) for bound in range(one.value, other.value + 1)]
        return Comparison(value, tuple(Fact(True, way) for way in ways), one_suffices=True, one=one, other=other)

    def choose(self, condition: Fact, larger: Amount, smaller: Amount) -> Amount:
        """Return the strength that the condition chooses, as an amount that keeps the condition and both strengths."""
        chosen = larger if condition.value else smaller
        return Amount(chosen.value, chosen.supports, choice=(condition, larger, smaller))

    def constant(self, value: bool) -> Fact:
        """Return a fact that rests on nothing else."""
        return Fact(value)

    def is_occupied(self, place: Place) -> Fact:
        """Return, as a fact, whether there is a unit at a place."""
        return Fact(place.unit is not None, term=Term.OCCUPIED, about=place)

    def same_power(self, one: Place, other: Place) -> Fact:
        """Return, as a fact, whether there are units of the same power at both places."""
        same = one.unit is not None and other.unit is not None and one.unit.power == other.unit.power
        return Fact(same, term=Term.SAME_POWER, about=one)

    def value_of(self, decision: Decision) -> Fact:
        """Return the given value of a decision, as a fact that rests on nothing else."""
        return Fact(self.values[decision.index], term=Term.DECISION, about=decision)

    def is_convoyed(self, move: MoveDecision) -> Fact:
        """Return, as a fact labelled `CONVOYED`, whether a move goes by convoy."""
        return replace(super().is_convoyed(move), term=Term.CONVOYED, about=move)

    def head_to_head(self, move: MoveDecision, other: MoveDecision) -> Fact:
        """Return, as a fact labelled `HEAD_TO_HEAD`, whether two moves meet in a head-to-head battle."""
        return replace(super().head_to_head(move, other), term=Term.HEAD_TO_HEAD, about=other)

    def path(self, move: MoveDecision) -> Fact:
        """Return PATH of a move, as a fact labelled with that name."""
        return replace(super().path(move), term=Term.PATH, about=move)

    def hold(self, place: Place) -> Amount:
        """Return HOLD of a place, as an amount labelled with that name."""
        return replace(super().hold(place), term=Term.HOLD, about=place)

    def attack(self, move: MoveDecision) -> Amount:
        """Return ATTACK of a move, as an amount labelled with that name."""
        return replace(super().attack(move), term=Term.ATTACK, about=move)

    def prevent(self, move: MoveDecision) -> Amount:
        """Return PREVENT of a move, as an amount labelled with that name."""
        return replace(super().prevent(move), term=Term.PREVENT, about=move)

    def defend(self, move: MoveDecision) -> Amount:
        """Return DEFEND of a move, as an amount labelled with that name."""
        return replace(super().defend(move), term=Term.DEFEND, about=move)

    def train_strength(self, stage: Stage) -> Amount:
        """Return DEFEND of a train (move by railroad) at a stage, as an amount labelled with that name."""
        return replace(super().train_strength(stage), term=Term.DEFEND, about=stage)

    def train_prevent(self, stage: Stage) -> Amount:
        """Return PREVENT of a train (move by railroad) at a stage, as an amount labelled with that name."""
        return replace(super().train_prevent(stage), term=Term.PREVENT, about=stage)

    def connects_coasts(self, move: MoveDecision, graph: ConvoyGraph, truths: dict[int, Fact], not_last: int = 0) -> Fact:
        """Return, as a fact, whether fleets connect the coasts: because of all fleets of a route, or not because of a cut."""
        available = bit_set(number for number, fact in truths.items() if fact.value)
        route = graph.find_shortest_route(available, not_last=not_last)
        if route is not None:
            return Fact(True, tuple([truths[number] for number in route]))
        cuts = graph.list_cuts(available, bit_set(truths), not_last=not_last)
        return Fact(False, tuple([Fact(False, tuple([truths[number] for number in iter_members(cut)])) for cut in cuts]), True)


def _combine_facts(parts: Iterable[Fact], *, neutral: bool) -> Fact:
    all_parts = tuple(parts)
    deciding = tuple(part for part in all_parts if part.value is not neutral)
    return Fact(not neutral, deciding, one_suffices=True) if deciding else Fact(neutral, all_parts)


def make_bound_proofs(values: Sequence[bool | None]) -> tuple[Proof, Proof]:
    """Return an optimist's and a pessimist's proof, who count open values (None) as true and as false.

    What the optimist finds false, or the pessimist finds true, depends only on settled decisions.
    """
    optimist = Proof([value is not False for value in values])
    pessimist = Proof([value is True for value in values])
    optimist.opposing, pessimist.opposing = pessimist, optimist
    return optimist, pessimist


def find_comparisons(fact: Fact) -> list[Comparison]:
    """List the outermost comparisons on which a fact rests; if one of several parts suffices, only those of the first part."""
    if isinstance(fact, Comparison):
        return [fact]
    return list(chain.from_iterable(find_comparisons(part) for part in (fact.parts[:1] if fact.one_suffices else fact.parts)))
