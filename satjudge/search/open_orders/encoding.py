"""Encodes resolutions of unknown orders: writes the equations as clauses.

    encoding = orders.encode_resolution()   # one consistent resolution, for any orders
    orders.formula.require(encoding.dislodged("PAR"))

The encodings in one formula share the units and orders. Each has its own literals for moves, supports and convoys.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import (
    ConvoyDecision,
    Decision,
    MoveDecision,
    Place,
    Situation,
    SupportDecision,
    build_candidate_situation,
    choose_route_finder,
)
from satjudge.search.formulas.clauses import FALSE, ClauseLogic, Formula, Literal, Thresholds
from satjudge.search.open_orders.same_power import KnownPowers, UnknownPowers
from satjudge.search.open_orders.universe import Spot
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode
from satjudge.world.orders import Hold, MovementOrder
from satjudge.world.rules import Rulebook

V = TypeVar("V")
S = TypeVar("S")
Choice: TypeAlias = tuple[tuple[Unit, MovementOrder], Literal]
"""A unit and an order that it may be given, with the literal that holds if it is given."""


@dataclass(eq=False)
class UnknownOrders:
    """Unknown orders on a board: a situation with all possible orders, and their literals.

    `guards`: by decision index, the literal that holds if the order is given and legal. `written_orders`: by decision index,
    the order as given, before the rulebook completes it. `stands`: by unit, the literal that holds if it is on the board.
    `powers`: the units' powers. `most_units`: the largest number of units, if known, which no strength exceeds.
    `unsupportable`: by province, the literal that holds if the unit there cannot be supported in place.
    """

    formula: Formula
    situation: Situation
    guards: Sequence[Literal]
    written_orders: Sequence[MovementOrder]
    stands: Mapping[Spot, Literal]
    powers: KnownPowers | UnknownPowers
    most_units: int | None = None
    unsupportable: Mapping[ProvinceCode, Literal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.occupied = self.powers.occupied

    @property
    def map(self) -> Map:
        """The map of the board."""
        return self.situation.board.map

    def iter_units(self, province: ProvinceCode) -> Iterator[tuple[Spot, Literal]]:
        """Yield every unit that may be in the province, with the literal that holds if it is."""
        return ((spot, literal) for spot, literal in self.stands.items() if spot.province == province)

    def list_order_literals(self) -> Iterable[tuple[MovementOrder, Literal]]:
        """Return every possible order except holds, legal or not, with the literal that holds if it is given."""
        return zip(self.written_orders, self.guards, strict=True)

    def order_literal(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in a province is given any order except a hold."""
        return self.formula.any_of(literal for order, literal in self.list_order_literals() if order.unit.province == province)

    def encode_resolution(self, name: str = "", *, may_fail: Collection[type[Decision]] = ()) -> Encoding:
        """Add a consistent resolution of the orders, except decisions that `may_fail`, with variables named with `name`.

        Decisions of the kinds in `may_fail` may fail even if their equations hold.
        """
        return Encoding(self, name, may_fail=may_fail).post_equations()


def make_known_powers(
    board: Board,
    choices: Iterable[Choice],
    rulebook: Rulebook,
    formula: Formula,
    *,
    units: Mapping[Spot, Literal],
    powers: Mapping[ProvinceCode, Power],
    most_units: int | None = None,
) -> UnknownOrders:
    """Make unknown orders of units with known powers from choices: possible orders, each with its literal; holds are left out.

    `units`: by unit, the literal that holds if it is on the board. `powers`: the powers by province; a unit without one is
    foreign to all others.
    """
    deciding = [(choice, guard) for choice, guard in choices if not isinstance(choice[1], Hold)]
    situation = build_candidate_situation(board, [choice for choice, _ in deciding], rulebook, choose_route_finder(rulebook))
    guards, decided_orders = [guard for _, guard in deciding], [order for (_, order), _ in deciding]
    known = KnownPowers(formula, units, powers)
    return UnknownOrders(formula, situation, guards, decided_orders, units, known, most_units=most_units)


class Encoding(ClauseLogic):
    """One consistent resolution of unknown orders, as a logic that reads the equations.

    Every MOVE is a variable; SUPPORT, CONVOY and everything else are functions of the moves. Orders that are not given fail.
    """

    def __init__(
        self,
        orders: UnknownOrders,
        name: str = "",
        *,
        may_fail: Collection[type[Decision]] = (),
        convoys: Mapping[int, Literal] | None = None,
    ) -> None:
        super().__init__(orders.formula, orders.most_units)
        self.orders = orders
        self.name = name
        self.inputs = convoys
        """By decision index, literals that set the convoys instead of their equations, or None."""
        subjects = orders.situation.decisions
        self.fails = {
            d.index: self.formula.add_variable(f"{name} FAILS[{d}]") for d in subjects if isinstance(d, tuple(may_fail))
        }
        """By decision index, the literal that holds if the decision fails despite its equation."""
        self._moves = {d.index: self.formula.add_variable(f"{name} MOVE[{d}]") for d in subjects if isinstance(d, MoveDecision)}
        self._truths: dict[object, Literal] = {}
        self._strengths: dict[object, Thresholds] = {}
        self.missing: Callable[[ProvinceCode], Encoding] | None = None
        """For an outcome, a function that encodes the outcome without the unit in a province."""

    def post_equations(self) -> Encoding:
        """Add the equations of all moves to the formula, and return this encoding."""
        for subject in self.orders.situation.decisions:
            if isinstance(subject, MoveDecision):
                self.formula.equate(self._moves[subject.index], self._allow_failure(subject, statement.move(self, subject)))
            else:
                self.value_of(subject)  # so that every assignment has a value for it
        return self

    def suppose_moves(self, moves: Iterable[MoveDecision]) -> Encoding:
        """Return an encoding in which these moves succeed if they are ordered, while supports and convoys stay the same."""
        supposed = copy(self)
        supposed._moves = self._moves | {move.index: self.is_chosen(move) for move in moves}
        supposed._strengths = {}
        return supposed

    def value_of(self, decision: Decision) -> Literal:
        """Return the literal that holds if a decision is true: a move succeeds, a support is given, or a convoy is available.

        Decisions on railroads and canals do not occur, since `Universe` refuses maps with these.
        """
        if isinstance(decision, MoveDecision):
            return self.move(decision)
        if isinstance(decision, SupportDecision):
            return self.support(decision)
        assert isinstance(decision, ConvoyDecision)
        return self.convoy(decision)

    def _allow_failure(self, subject: Decision, equation_value: Literal) -> Literal:
        """Let a decision fail by override only if `equation_value` holds; return the literal that it holds without override."""
        fails = self.fails.get(subject.index, FALSE)
        self.formula.require(-fails, equation_value)
        return self.formula.all_of((equation_value, -fails))

    # Given orders

    def is_chosen(self, decision: Decision) -> Literal:
        """Return the literal that holds if the decision's order is given and legal."""
        return self.orders.guards[decision.index]

    def is_occupied(self, place: Place) -> Literal:
        """Return the literal that holds if a unit stands at the place."""
        return self.orders.occupied.get(place.province, FALSE)

    def supportable(self, place: Place) -> Literal:
        """Return the literal that holds if the unit at a place can be supported in place."""
        return -self.orders.unsupportable.get(place.province, FALSE)

    def same_power(self, one: Place, other: Place) -> Literal:
        """Return the literal that holds if units of the same power stand at both places."""
        return self.orders.powers.have_same_power(one.province, other.province)

    # The decisions

    def move(self, move: MoveDecision) -> Literal:
        """Return the literal that holds if the move succeeds."""
        return self._moves[move.index]

    def support(self, support: SupportDecision) -> Literal:
        """Return the literal that holds if the support is given, according to its equation."""
        return self._cache_term(self._truths, Encoding._encode_support, support)

    def _encode_support(self, support: SupportDecision) -> Literal:
        return self._allow_failure(support, statement.support(self, support))

    def convoy(self, convoy: ConvoyDecision) -> Literal:
        """Return the literal that holds if the convoy is available, according to `inputs` or else to its equation."""
        if self.inputs is not None:
            return self.inputs[convoy.index]
        return self._allow_failure(convoy, self.convoy_equation(convoy))

    def convoy_equation(self, convoy: ConvoyDecision) -> Literal:
        """Return the literal that holds if the convoy is available according to its equation, even if `inputs` sets it."""
        return self._cache_term(self._truths, statement.convoy, convoy)

    # Derived terms, each computed once

    def path(self, move: MoveDecision) -> Literal:
        """Return the literal that holds if the move has a path (PATH, 5.B.4)."""
        return self._cache_term(self._truths, statement.path, move)

    def hold(self, place: Place) -> Thresholds:
        """Return the HOLD strength of the place (5.B.5): its n-th literal holds if it is at least n."""
        return self._cache_term(self._strengths, statement.hold, place)

    def attack(self, move: MoveDecision) -> Thresholds:
        """Return the ATTACK strength of the move (5.B.8): its n-th literal holds if it is at least n."""
        return self._cache_term(self._strengths, statement.attack, move)

    def prevent(self, move: MoveDecision) -> Thresholds:
        """Return the PREVENT strength of the move (5.B.6): its n-th literal holds if it is at least n."""
        return self._cache_term(self._strengths, statement.prevent, move)

    def _cache_term(self, cache: dict[object, V], term: Callable[[Any, S], V], subject: S) -> V:
        """Return `term(self, subject)`, which is computed only once and kept in `cache`."""
        if (term, subject) not in cache:
            cache[term, subject] = term(self, subject)
        return cache[term, subject]

    # Derived literals

    def is_entered(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if some move into the province succeeds."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_in) if place else FALSE

    def is_left(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in the province moves out."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_out) if place else FALSE

    def stays(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if a unit stands in the province and does not move out; it may be dislodged."""
        return self.formula.all_of((self.orders.occupied.get(province, FALSE), -self.is_left(province)))

    def dislodged(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in the province is dislodged."""
        return self.formula.all_of((self.stays(province), self.is_entered(province)))
