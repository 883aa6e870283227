"""Defines the language in which the equations are written.

An equation is a function of a `Logic` and of a subject, such as a move. Every use of the equations (bounds, solver model,
plain evaluation, printed equations, dependencies) has a logic of its own, so that one statement serves them all. `B` is the
type that a logic uses for truth values (a `bool`, a solver literal, a text …), and `N` its type for strengths.

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
    """The operations in which the equations are written, which each logic defines in its own way.

    Methods that return a `B` return a truth value of the logic, those that return an `N` a strength. A logic that names or
    shares derived terms, such as `path` or `hold`, overrides their methods.
    """

    def __invert__(self) -> Logic[B, N]:
        return self

    @abstractmethod
    def all_of(self, parts: Iterable[B]) -> B:
        """Return whether every part holds; true if there are no parts."""

    @abstractmethod
    def any_of(self, parts: Iterable[B]) -> B:
        """Return whether some part holds; false if there are no parts."""

    @abstractmethod
    def none_of(self, parts: Iterable[B]) -> B:
        """Return whether no part holds; true if there are no parts.

        The parts must be read in the opposing view.
        """

    @abstractmethod
    def total(self, base: int, parts: Iterable[B]) -> N:
        """Return the strength `base` plus one for each part that holds."""

    @abstractmethod
    def exceeds(self, one: N, other: N) -> B:
        """Return whether the strength `one` is greater than the strength `other`.

        The other strength must be read in the opposing view.
        """

    @abstractmethod
    def choose(self, condition: B, larger: N, smaller: N) -> N:
        """Return `larger` if the condition holds, else `smaller`, which must never be greater than `larger`."""

    def zero(self) -> N:
        """Return the strength 0."""
        return self.total(0, ())

    def constant(self, value: bool) -> B:
        """Return this logic's truth value for True or False."""
        return self.all_of(()) if value else self.any_of(())

    def supportable(self, place: Place) -> B:
        """Return whether rules let a unit get hold support, perhaps not after an illegal move or no orders (4.D.9, 4.E.1)."""
        return self.constant(place.supportable)

    # Facts that an adjudication knows, and that searches for orders or units do not.

    @abstractmethod
    def is_chosen(self, decision: Decision) -> B:
        """Return whether the order of this decision is the one that its unit is given."""

    @abstractmethod
    def is_occupied(self, place: Place) -> B:
        """Return whether there is a unit at a place before the moves."""

    @abstractmethod
    def same_power(self, one: Place, other: Place) -> B:
        """Return whether there are units at both places before the moves, and they belong to the same power."""

    # The decisions.

    @abstractmethod
    def value_of(self, decision: Decision) -> B:
        """Return the value of a decision: whether it succeeds."""

    def move(self, move: MoveDecision) -> B:
        """Return the value of MOVE: whether the move succeeds."""
        return self.value_of(move)

    def support(self, support: SupportDecision) -> B:
        """Return the value of SUPPORT: whether the support is given and not cut."""
        return self.value_of(support)

    def convoy(self, convoy: ConvoyDecision) -> B:
        """Return the value of CONVOY: whether the convoying fleet is available, that is, not dislodged."""
        return self.value_of(convoy)

    def reach(self, stage: Stage) -> B:
        """Return the value of REACH: whether a train (move by railroad) tries to enter the stage's province (DATC 2.4, 7.B)."""
        return self.value_of(stage.reaching)

    def passing(self, stage: Stage) -> B:
        """Return the value of PASS: whether a train (move by railroad) gets into the stage's province, or through it."""
        return self.value_of(stage.passing)

    def canal(self, canal: CanalDecision) -> B:
        """Return the value of CANAL: whether the canal is open to the fleet that may pass (DATC 2.4, 7.C)."""
        return self.value_of(canal)

    # Terms that are derived from the decisions.

    def is_convoyed(self, move: MoveDecision) -> B:
        """Return whether a move goes by convoy."""
        return statement.is_convoyed(self, move)

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> B:
        """Return whether the fleets that convoy the move connect the coasts; a fleet at `spared` always counts as convoying."""
        return statement.has_open_route(self, move, spared)

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> B:
        """Return what `has_open_route` does, but only count routes whose last fleet is not at `last`."""
        return statement.has_open_route_elsewhere(self, move, spared, last)

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> B:
        """Return whether the fleets that convoy the move connect the coasts by a route that avoids the place `avoided`."""
        return statement.has_open_route_around(self, move, avoided)

    def has_ordered_route(self, move: MoveDecision, own_only: bool) -> B:
        """Return whether fleets ordered to convoy the move form a route; if `own_only`, only the mover's own fleets count."""
        return statement.has_ordered_route(self, move, own_only)

    def is_on_ordered_route(self, move: MoveDecision, convoy: ConvoyDecision, own_only: bool) -> B:
        """Return whether a convoy is on a route of fleets ordered to convoy the move; if `own_only`, of the mover's fleets."""
        return statement.is_on_ordered_route(self, move, convoy, own_only)

    def head_to_head(self, move: MoveDecision, other: MoveDecision) -> B:
        """Return whether two moves, opposite ones or by Brannan's rule ones that meet at sea, are in a head-to-head battle."""
        return statement.head_to_head(self, move, other)

    def path(self, move: MoveDecision) -> B:
        """Return PATH: whether the move can arrive, by land or by its convoy."""
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
        """Return the strength DEFEND of a train (an army that moves by railroad) at a stage (DATC 2.4, 7.B)."""
        return statement.train_strength(self, stage)

    def train_prevent(self, stage: Stage) -> N:
        """Return the strength PREVENT of a train (an army that moves by railroad) at a stage."""
        return statement.train_prevent(self, stage)

    def exceeds_rivals(self, move: MoveDecision, strength: N) -> Iterable[B]:
        """Yield truth values that all hold if and only if the strength exceeds PREVENT of every rival of the move."""
        return statement.exceeds_rivals(self, move, strength)


class Adjudication(Logic[B, N]):
    """A logic for a board with given units and orders, on which the side conditions of the equations are constants."""

    def is_chosen(self, decision: Decision) -> B:
        """Return true, since in an adjudication every order is given."""
        return self.constant(True)

    def is_occupied(self, place: Place) -> B:
        """Return whether the board has a unit at a place."""
        return self.constant(place.unit is not None)

    def same_power(self, one: Place, other: Place) -> B:
        """Return whether the board has units of the same power at both places."""
        return self.constant(one.unit is not None and other.unit is not None and one.unit.power == other.unit.power)

    def has_ordered_route(self, move: MoveDecision, own_only: bool) -> B:
        """Return whether fleets ordered to convoy the move form a route; if `own_only`, only the mover's own fleets count."""
        return self.constant(move.has_ordered_route(own_only))

    def is_on_ordered_route(self, move: MoveDecision, convoy: ConvoyDecision, own_only: bool) -> B:
        """Return whether a convoy is on a route of fleets ordered to convoy the move; if `own_only`, of the mover's fleets."""
        return self.constant(move.is_on_ordered_route(convoy, own_only))

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> B:
        """Return whether the fleets that convoy the move connect the coasts; a fleet at `spared` always counts as convoying."""
        if move.convoy_graph is None:
            return super().has_open_route(move, spared)
        return self.connects_coasts(move, move.convoy_graph, self._find_fleet_truths(move, move.convoy_graph, spared))

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> B:
        """Return what `has_open_route` does, but only count routes whose last fleet is not at `last`."""
        if move.convoy_graph is None:
            return super().has_open_route_elsewhere(move, spared, last)
        standing = self._find_fleet_truths(move, move.convoy_graph, spared)
        return self.connects_coasts(move, move.convoy_graph, standing, move.convoy_graph.find_bit(last.province))

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> B:
        """Return whether the fleets that convoy the move connect the coasts by a route that avoids the place `avoided`."""
        if move.convoy_graph is None:
            return super().has_open_route_around(move, avoided)
        standing = self._find_fleet_truths(move, move.convoy_graph, None)
        standing.pop(move.convoy_graph.waters.number.get(avoided.province, -1), None)
        return self.connects_coasts(move, move.convoy_graph, standing)

    def _find_fleet_truths(self, move: MoveDecision, graph: ConvoyGraph, spared: Place | None) -> dict[int, B]:
        """Map the number of each fleet in a convoy graph to whether it convoys; a fleet at `spared` always does."""
        legs = zip(graph.numbers, graph.legs, move.convoys, strict=True)
        return {number: statement.fleet_stands(self, convoy, spared) for number, (bit, _), convoy in legs if bit}

    def connects_coasts(self, move: MoveDecision, graph: ConvoyGraph, truths: dict[int, B], not_last: int = 0) -> B:
        """Return whether fleets with these truth values, by number, connect the coasts, with a last one not in `not_last`."""
        routes = (
            route for route in graph.iter_routes(graph.fleets) if truths.keys() >= {*route} and not not_last >> route[-1] & 1
        )
        return self.any_of(self.all_of(truths[number] for number in route) for route in routes)


class Reading(Adjudication[bool, int]):
    """An adjudication in plain Python, with given values of the decisions."""

    __slots__ = ("values",)

    all_of = staticmethod(all)  # type: ignore[assignment]  # the builtins do exactly this, and fast
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
        """Return whether the strength `one` is greater than the strength `other`."""
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
        """Return whether the board has a unit at a place."""
        return place.unit is not None

    def same_power(self, one: Place, other: Place) -> bool:
        """Return whether the board has units of the same power at both places."""
        return one.unit is not None and other.unit is not None and one.unit.power == other.unit.power

    def value_of(self, decision: Decision) -> bool:
        """Return the given value of a decision."""
        return self.values[decision.index]

    def has_open_route(self, move: MoveDecision, spared: Place | None) -> bool:
        """Return whether the fleets that convoy the move connect the coasts; a fleet at `spared` always counts as convoying."""
        return move.has_open_route(self.values, spared)

    def has_open_route_elsewhere(self, move: MoveDecision, spared: Place | None, last: Place) -> bool:
        """Return what `has_open_route` does, but only count routes whose last fleet is not at `last`."""
        return move.has_open_route(self.values, spared, last)

    def has_open_route_around(self, move: MoveDecision, avoided: Place) -> bool:
        """Return whether the fleets that convoy the move connect the coasts by a route that avoids the place `avoided`."""
        return move.has_open_route(self.values, None, None, avoided)


# ---- equations and strengths for given values of the decisions ----


def find_violated(situation: Situation, values: Sequence[bool], overridden: Collection[int] = ()) -> list[Decision]:
    """List the decisions whose value differs from that of their equation, except those with an index in `overridden`."""
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
    """Return a strength of the equations as the rules count it: one less on maps with difficult borders, but at least 0.

    By the rules, having no strength and moving over such a border without support both count 0 (DATC 2.4, 10). The equations
    distinguish them (`statement.extra_strength`).
    """
    return max(0, strength - rules.difficult_borders)


def compute_strengths(move: MoveDecision, values: Sequence[bool]) -> Strengths:
    """Return PATH and the strengths of a move, given these values of the decisions."""
    reading, rules = Reading(values), move.rules
    return Strengths(
        path=reading.path(move),
        attack=convert_strength(reading.attack(move), rules),
        prevent=convert_strength(reading.prevent(move), rules),
        defend=convert_strength(reading.defend(move), rules),
        opposition=convert_strength(statement.opposition(reading, move), rules),
    )


def compute_hold_strengths(situation: Situation, values: Sequence[bool]) -> dict[str, int]:
    """Map the province of each place in a situation to its HOLD, given these values of the decisions."""
    reading = Reading(values)
    return {province: convert_strength(reading.hold(place), place.rules) for province, place in situation.places.items()}
