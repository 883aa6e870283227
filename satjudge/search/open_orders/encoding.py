"""Encodes a resolution: the equations as clauses over orders that are unknown.

    encoding = orders.encode_resolution()   # one consistent resolution, for any orders
    orders.formula.require(encoding.dislodged("PAR"))

Encodings in one formula share the units and orders; each has moves, supports and convoys of its own.
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
"""An order that may be given to a unit, and the literal that it is given."""


@dataclass(eq=False)
class UnknownOrders:
    """Orders on a board as unknowns: a situation with all possible orders, and their literals.

    `guards` has a literal for every decision of the situation, by index: the order is given, and legal. `said` has the orders
    as given, before the rulebook completes them. `stands` has a literal for every unit. `powers` has the units' powers.
    `most_units` is the largest number of units, if known: no strength exceeds it. Units in `unsupportable` provinces cannot be
    supported in place.
    """

    formula: Formula
    situation: Situation
    guards: Sequence[Literal]
    said: Sequence[MovementOrder]
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
        """Yield every unit that stands or may stand in a province, with the literal that holds if it does."""
        return ((spot, literal) for spot, literal in self.stands.items() if spot.province == province)

    def list_order_literals(self) -> Iterable[tuple[MovementOrder, Literal]]:
        """Return every possible order except to hold, legal or not, with the literal that holds if it is given."""
        return zip(self.said, self.guards, strict=True)

    def order_literal(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in a province is given any order except to hold."""
        return self.formula.any_of(literal for order, literal in self.list_order_literals() if order.unit.province == province)

    def encode_resolution(self, name: str = "", *, may_fail: Collection[type[Decision]] = ()) -> Encoding:
        """Encode a consistent resolution of the orders, with variables of its own, into the formula.

        Decisions of the kinds in `may_fail` may fail although their equations hold.
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
    """Make the unknown orders of units with known powers from possible orders and their literals; holds are left out.

    `units` are the literals of units, `powers` their powers; a unit that is not named is foreign to all others.
    """
    deciding = [(choice, guard) for choice, guard in choices if not isinstance(choice[1], Hold)]
    situation = build_candidate_situation(board, [choice for choice, _ in deciding], rulebook, choose_route_finder(rulebook))
    guards, said = [guard for _, guard in deciding], [order for (_, order), _ in deciding]
    known = KnownPowers(formula, units, powers)
    return UnknownOrders(formula, situation, guards, said, units, known, most_units=most_units)


class Encoding(ClauseLogic):
    """One consistent resolution of the unknown orders: a reader of the equations.

    Every MOVE is a variable; SUPPORT, CONVOY and the rest are functions of these. Orders that are not chosen fail.
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
        """The literals that each convoy is available, if the equations do not decide that."""
        subjects = orders.situation.decisions
        self.fails = {
            d.index: self.formula.add_variable(f"{name} FAILS[{d}]") for d in subjects if isinstance(d, tuple(may_fail))
        }
        """The literals that a decision fails despite its equation."""
        self._moves = {d.index: self.formula.add_variable(f"{name} MOVE[{d}]") for d in subjects if isinstance(d, MoveDecision)}
        self._truths: dict[object, Literal] = {}
        self._strengths: dict[object, Thresholds] = {}
        self.missing: Callable[[ProvinceCode], Encoding] | None = None
        """The function from a province to the outcome without the unit there, if the encoding is an outcome."""

    def post_equations(self) -> Encoding:
        """Add the equation of every move to the formula, and return this same encoding."""
        for subject in self.orders.situation.decisions:
            if isinstance(subject, MoveDecision):
                self.formula.equate(self._moves[subject.index], self._allow_failure(subject, statement.move(self, subject)))
            else:
                self.value_of(subject)  # now, so that an answer has a value for it
        return self

    def suppose_moves(self, moves: Iterable[MoveDecision]) -> Encoding:
        """Return the resolution as if these moves succeeded where they are ordered; supports and convoys stay as they are."""
        supposed = copy(self)
        supposed._moves = self._moves | {move.index: self.is_chosen(move) for move in moves}
        supposed._strengths = {}
        return supposed

    def value_of(self, decision: Decision) -> Literal:
        """Return the literal that holds if a decision is true: a move succeeds, a support is given or a convoy available.

        Railroads and canals do not occur: `Universe` refuses maps with them.
        """
        if isinstance(decision, MoveDecision):
            return self.move(decision)
        if isinstance(decision, SupportDecision):
            return self.support(decision)
        assert isinstance(decision, ConvoyDecision)
        return self.convoy(decision)

    def _allow_failure(self, subject: Decision, truth: Literal) -> Literal:
        """Return the literal that holds if `truth` does and the decision is not overridden to fail, where that is allowed."""
        fails = self.fails.get(subject.index, FALSE)
        self.formula.require(-fails, truth)
        return self.formula.all_of((truth, -fails))

    # Given orders.

    def is_chosen(self, decision: Decision) -> Literal:
        """Return the literal that holds if the decision's order is given and legal."""
        return self.orders.guards[decision.index]

    def is_occupied(self, place: Place) -> Literal:
        """Return the literal that holds if any unit stands at the place."""
        return self.orders.occupied.get(place.province, FALSE)

    def supportable(self, place: Place) -> Literal:
        """Return the literal that holds if the unit at a place can be supported in place."""
        return -self.orders.unsupportable.get(place.province, FALSE)

    def same_power(self, one: Place, other: Place) -> Literal:
        """Return the literal that holds if units of one power stand at both places."""
        return self.orders.powers.have_same_power(one.province, other.province)

    # The decisions.

    def move(self, move: MoveDecision) -> Literal:
        """Return the literal that holds if the move succeeds."""
        return self._moves[move.index]

    def support(self, support: SupportDecision) -> Literal:
        """Return the literal that holds if the support is given, by its equation."""
        return self._cache_term(self._truths, Encoding._encode_support, support)

    def _encode_support(self, support: SupportDecision) -> Literal:
        return self._allow_failure(support, statement.support(self, support))

    def convoy(self, convoy: ConvoyDecision) -> Literal:
        """Return the literal that holds if the convoy is available, by its equation or by the inputs."""
        if self.inputs is not None:
            return self.inputs[convoy.index]
        return self._allow_failure(convoy, self.convoy_equation(convoy))

    def convoy_equation(self, convoy: ConvoyDecision) -> Literal:
        """Return the literal that holds if the convoy's equation makes it available, even where an input sets the convoy."""
        return self._cache_term(self._truths, statement.convoy, convoy)

    # The derived terms are each computed once.

    def path(self, move: MoveDecision) -> Literal:
        """Return the literal that holds if the move has a path (PATH, 5.B.4)."""
        return self._cache_term(self._truths, statement.path, move)

    def hold(self, place: Place) -> Thresholds:
        """Return the HOLD strength of the place (5.B.5), as a literal for each value that it may reach."""
        return self._cache_term(self._strengths, statement.hold, place)

    def attack(self, move: MoveDecision) -> Thresholds:
        """Return the ATTACK strength of the move (5.B.8), as a literal for each value that it may reach."""
        return self._cache_term(self._strengths, statement.attack, move)

    def prevent(self, move: MoveDecision) -> Thresholds:
        """Return the PREVENT strength of the move (5.B.6), as a literal for each value that it may reach."""
        return self._cache_term(self._strengths, statement.prevent, move)

    def _cache_term(self, cache: dict[object, V], term: Callable[[Any, S], V], subject: S) -> V:
        """Return `term` of this encoding and the subject, computed on first use and then kept in the cache."""
        if (term, subject) not in cache:
            cache[term, subject] = term(self, subject)
        return cache[term, subject]

    # Derived literals.

    def is_entered(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if some move into the province succeeds."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_in) if place else FALSE

    def is_left(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in the province moves out of it."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_out) if place else FALSE

    def stays(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if a unit stands in the province before the moves and does not move out of it."""
        return self.formula.all_of((self.orders.occupied.get(province, FALSE), -self.is_left(province)))

    def dislodged(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in the province is dislodged."""
        return self.formula.all_of((self.stays(province), self.is_entered(province)))
