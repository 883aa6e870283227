"""Defines the language in which the equations are written.

An equation is a function of a `Logic` and of what it is about. Every consumer (bounds, solver model, plain evaluation,
printed dump, dependencies) is a logic of its own, so that one statement serves them all. `B` is what the logic takes for
a truth value (a `bool`, a solver literal, a text …), `N` what it takes for a strength.

`~logic` is the opposing view: what speaks for an order is read in `logic`, what speaks against it in `~logic`. For bounds
the opposing view of the optimist is the pessimist (DATC 5.E); for every other logic it is the logic itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from satjudge.judging.equations import statement
from satjudge.judging.equations.convoy_graph import ConvoyGraph
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    Place,
    Situation,
    Stage,
    SupportDecision,
)
from satjudge.world.rules import Rulebook

B = TypeVar("B")
N = TypeVar("N")


class Logic(ABC, Generic[B, N]):
    """A reader of the equations: the operations in which they are written, which each reader provides.

    `path` to `head_to_head` are the derived terms; a logic that wants to name or share them overrides these methods.
    """

    def __invert__(self) -> Logic[B, N]:
        return self

    @abstractmethod
    def all_of(self, parts: Iterable[B]) -> B:
        """Return the truth that every part holds; true for no parts."""

    @abstractmethod
    def any_of(self, parts: Iterable[B]) -> B:
        """Return the truth that some part holds; false for no parts."""

    @abstractmethod
    def none_of(self, parts: Iterable[B]) -> B:
        """Return the truth that no part holds; true for no parts.

        The parts must be read in the opposing view.
        """

    @abstractmethod
    def total(self, base: int, parts: Iterable[B]) -> N:
        """Return the strength `base` plus one for each part that holds."""

    @abstractmethod
    def exceeds(self, one: N, other: N) -> B:
        """Return the truth that the first strength is greater than the other.

        The other strength must be read in the opposing view.
        """

    @abstractmethod
    def choose(self, condition: B, larger: N, smaller: N) -> N:
        """Return `larger` if the condition holds, else `smaller`, which is never greater."""

    def zero(self) -> N:
        """Return the strength 0."""
        return self.total(0, ())

    def constant(self, value: bool) -> B:
        """Return a constant truth value in this logic."""
        return self.all_of(()) if value else self.any_of(())

    def supportable(self, place: Place) -> B:
        """Return the truth that the unit at a place can be supported in place (DATC 4.D.9, 4.E.1)."""
        return self.constant(place.supportable)

    # Given facts: true in an adjudication, unknown in searches for orders or units.

    @abstractmethod
    def is_chosen(self, decision: Decision) -> B:
        """Return the truth that a decision's order is the one that its unit was given."""

    @abstractmethod
    def is_occupied(self, place: Place) -> B:
        """Return the truth that a unit stands at a place before the moves."""

    @abstractmethod
    def same_power(self, one: Place, other: Place) -> B:
        """Return the truth that units of one power stand at both places before the moves."""

    # The decisions.

    @abstractmethod
    def value_of(self, decision: Decision) -> B:
        """Return the value of a decision."""

    def move(self, move: MoveDecision) -> B:
        """Return the value of MOVE: the move succeeds."""
        return self.value_of(move)

    def support(self, support: SupportDecision) -> B:
        """Return the value of SUPPORT: the support is given, not cut."""
        return self.value_of(support)

    def convoy(self, convoy: ConvoyDecision) -> B:
        """Return the value of CONVOY: the convoying fleet is available, not dislodged."""
        return self.value_of(convoy)

    def reach(self, stage: Stage) -> B:
        """Return the value of REACH: a train (move by railroad) tries to enter the stage's province (DATC 2.4, 7.B)."""
        return self.value_of(stage.reaching)

    def passing(self, stage: Stage) -> B:
        """Return the value of PASS: a train (move by railroad) comes into the stage's province, or through it."""
        return self.value_of(stage.passing)

    def canal(self, canal: CanalDecision) -> B:
        """Return the value of CANAL: the canal is open to the fleet with permission (DATC 2.4, 7.C)."""
        return self.value_of(canal)

    # What follows from them.

    def is_convoyed(self, move: MoveDecision) -> B:
        """Return the truth that a move goes by convoy."""
        return statement.is_convoyed(self, move)

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> B:
        """Return the truth that convoying fleets of the move connect the coasts; a spared fleet counts as convoying."""
        return statement.has_open_route(self, move, spared)

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> B:
        """Return the truth that convoying fleets of the move connect the coasts with a last fleet other than `last`."""
        return statement.has_open_route_elsewhere(self, move, spared, last)

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> B:
        """Return the truth that convoying fleets of the move connect the coasts by a route that avoids a place."""
        return statement.has_open_route_around(self, move, avoided)

    def has_ordered_route(self, move: MoveDecision, own: bool) -> B:
        """Return the truth that fleets ordered to convoy the move connect the coasts; with `own`, own fleets alone."""
        return statement.has_ordered_route(self, move, own)

    def is_on_ordered_route(self, move: MoveDecision, convoy: ConvoyDecision, own: bool) -> B:
        """Return the truth that a fleet is on a route of fleets ordered to convoy the move, or of own fleets."""
        return statement.is_on_ordered_route(self, move, convoy, own)

    def head_to_head(self, move: MoveDecision, other: MoveDecision) -> B:
        """Return the truth that two opposite moves meet in a head-to-head battle."""
        return statement.head_to_head(self, move, other)

    def path(self, move: MoveDecision) -> B:
        """Return the truth of PATH: the move can arrive, by land or by its convoy."""
        return statement.path(self, move)

    def hold(self, place: Place) -> N:
        """Return the strength HOLD of a place."""
        return statement.hold(self, place)

    def attack(self, move: MoveDecision) -> N:
        """Return the strength ATTACK of a move."""
        return statement.attack(self, move)

    def prevent(self, move: MoveDecision) -> N:
        """Return the strength PREVENT of a move."""
        return statement.prevent(self, move)

    def defend(self, move: MoveDecision) -> N:
        """Return the strength DEFEND of a move."""
        return statement.defend(self, move)

    def train_strength(self, stage: Stage) -> N:
        """Return the strength DEFEND, at a stage, of a train (army that moves by railroad; DATC 2.4, 7.B)."""
        return statement.train_strength(self, stage)

    def train_prevent(self, stage: Stage) -> N:
        """Return the strength PREVENT, at a stage, of a train (army that moves by railroad)."""
        return statement.train_prevent(self, stage)

    def exceeds_rivals(self, move: MoveDecision, strength: N) -> Iterable[B]:
        """Yield truths, in any number, that together mean that a strength exceeds PREVENT of every rival."""
        return statement.exceeds_rivals(self, move, strength)


class Adjudication(Logic[B, N]):
    """A logic in which units and orders are given, so that the side conditions of the equations are constants."""

    def is_chosen(self, decision: Decision) -> B:
        """Return true, since in an adjudication every order was given."""
        return self.constant(True)

    def is_occupied(self, place: Place) -> B:
        """Return whether a unit stands at a place, as the board has it."""
        return self.constant(place.unit is not None)

    def same_power(self, one: Place, other: Place) -> B:
        """Return whether units of one power stand at both places, as the board has it."""
        return self.constant(one.unit is not None and other.unit is not None and one.unit.power == other.unit.power)

    def has_ordered_route(self, move: MoveDecision, own: bool) -> B:
        """Return whether fleets ordered to convoy the move connect the coasts; with `own`, own fleets alone."""
        return self.constant(move.has_ordered_route(own))

    def is_on_ordered_route(self, move: MoveDecision, convoy: ConvoyDecision, own: bool) -> B:
        """Return whether a fleet is on a route that is ordered for the move."""
        return self.constant(move.is_on_ordered_route(convoy, own))

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> B:
        """Return the truth that convoying fleets of the move connect the coasts; a spared fleet counts as convoying."""
        if move.convoy_graph is None:
            return super().has_open_route(move, spared)
        return self.connects_coasts(move, move.convoy_graph, self._find_standing(move, move.convoy_graph, spared))

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> B:
        """Return the truth that convoying fleets of the move connect the coasts with a last fleet other than `last`."""
        if move.convoy_graph is None:
            return super().has_open_route_elsewhere(move, spared, last)
        standing = self._find_standing(move, move.convoy_graph, spared)
        return self.connects_coasts(move, move.convoy_graph, standing, move.convoy_graph.find_bit(last.province))

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> B:
        """Return the truth that convoying fleets of the move connect the coasts by a route that avoids a place."""
        if move.convoy_graph is None:
            return super().has_open_route_around(move, avoided)
        standing = self._find_standing(move, move.convoy_graph, None)
        standing.pop(move.convoy_graph.waters.number.get(avoided.province, -1), None)
        return self.connects_coasts(move, move.convoy_graph, standing)

    def _find_standing(self, move: MoveDecision, crossing: ConvoyGraph, spared: Place | None) -> dict[int, B]:
        """Return the truth that each fleet of a convoy graph convoys, by the fleet's number."""
        legs = zip(crossing.numbers, crossing.legs, move.convoys, strict=True)
        return {number: statement.fleet_stands(self, convoy, spared) for number, (bit, _), convoy in legs if bit}

    def connects_coasts(self, move: MoveDecision, crossing: ConvoyGraph, standing: dict[int, B], not_last: int = 0) -> B:
        """Return the truth that fleets with these truths connect the coasts, the last one not in `not_last`."""
        routes = (
            route
            for route in crossing.iter_routes(crossing.fleets)
            if standing.keys() >= {*route} and not not_last >> route[-1] & 1
        )
        return self.any_of(self.all_of(standing[number] for number in route) for route in routes)


class Reading(Adjudication[bool, int]):
    """An adjudication in plain Python, over given values of the decisions."""

    __slots__ = ("values",)

    all_of = staticmethod(all)  # type: ignore[assignment]  # the builtins do just this, and fast
    any_of = staticmethod(any)  # type: ignore[assignment]

    def __init__(self, values: Sequence[bool]) -> None:
        self.values = values

    @staticmethod
    def none_of(parts: Iterable[bool]) -> bool:
        """Return whether no part holds."""
        return not any(parts)

    @staticmethod
    def total(base: int, parts: Iterable[bool]) -> int:
        """Return `base` plus the number of parts that hold."""
        return base + sum(parts)

    @staticmethod
    def exceeds(one: int, other: int) -> bool:
        """Return whether the first strength is greater than the other."""
        return one > other

    @staticmethod
    def choose(condition: bool, larger: int, smaller: int) -> int:
        """Return `larger` if the condition holds, else `smaller`."""
        return larger if condition else smaller

    @staticmethod
    def constant(value: bool) -> bool:
        """Return the truth value itself."""
        return value

    @staticmethod
    def zero() -> int:
        """Return the strength 0."""
        return 0

    def is_chosen(self, decision: Decision) -> bool:
        """Return true, since in an adjudication every order is given."""
        return True

    def is_occupied(self, place: Place) -> bool:
        """Return whether a unit stands at a place, as the board has it."""
        return place.unit is not None

    def same_power(self, one: Place, other: Place) -> bool:
        """Return whether units of one power stand at both places, as the board has it."""
        return one.unit is not None and other.unit is not None and one.unit.power == other.unit.power

    def value_of(self, decision: Decision) -> bool:
        """Return the decision's value among those given."""
        return self.values[decision.index]

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> bool:
        """Return whether the move has an open route."""
        return move.has_open_route(self.values, spared)

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> bool:
        """Return whether the move has an open route with another last fleet."""
        return move.has_open_route(self.values, spared, last)

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> bool:
        """Return whether the move has an open route that avoids a place."""
        return move.has_open_route(self.values, None, None, avoided)


# ---- equations and strengths under an assignment of the decisions ----


def find_violated(situation: Situation, values: Sequence[bool], overridden: Collection[int] = ()) -> list[Decision]:
    """List the decisions whose value differs from that of their equation, except those overridden by a ruling."""
    reading = Reading(values)
    return [
        subject
        for subject in situation.decisions
        if subject.index not in overridden and statement.decision(reading, subject) != values[subject.index]
    ]


class Strengths(Struct, frozen=True):
    """PATH and the strengths of one move in a resolution (DATC 5.B.4 to 5.B.8)."""

    path: bool
    attack: int
    prevent: int
    defend: int
    opposition: int
    """The strength that ATTACK must exceed at the destination: HOLD, or DEFEND in a head-to-head battle."""


def convert_strength(strength: int, rules: Rulebook) -> int:
    """Return the rules' value of a strength; on maps with difficult borders the equations count one more.

    In the rules, no strength and a move over such a border without support are both 0 (DATC 2.4, 10):
    `statement.extra_strength` distinguishes them.
    """
    return max(0, strength - rules.difficult_borders)


def compute_strengths(move: MoveDecision, values: Sequence[bool]) -> Strengths:
    """Return PATH and the strengths of a move if the decisions have these values."""
    reading, rules = Reading(values), move.rules
    return Strengths(
        path=reading.path(move),
        attack=convert_strength(reading.attack(move), rules),
        prevent=convert_strength(reading.prevent(move), rules),
        defend=convert_strength(reading.defend(move), rules),
        opposition=convert_strength(statement.opposition(reading, move), rules),
    )


def compute_hold_strengths(situation: Situation, values: Sequence[bool]) -> dict[str, int]:
    """Return HOLD of every place of a situation, by province, if the decisions have these values."""
    reading = Reading(values)
    return {province: convert_strength(reading.hold(place), place.rules) for province, place in situation.places.items()}
