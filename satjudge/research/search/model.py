"""A universe as a formula: who stands where, who is given what, and copies of the resolutions that the orders have.

    model = OrderModel(universe)
    one, other = model.copy(), model.copy()     # two resolutions of the same unknown orders
    model.formula.require(...)                   # what is asked of them
    answer = Solver(model.formula).decide()
    proposal = model.decode(answer)              # a board with orders

Every assignment of the formula is a board with legal orders, each copy a consistent resolution of it, and every board with
legal orders in the universe is an assignment; save that, for `same_power` literals to be an equivalence, and for convoys to
have no route but those of the universe, cuts may have to be added (`cut`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from satjudge.board import Board, Unit
from satjudge.equations import statement
from satjudge.equations.situation import (
    ConvoyDecision,
    Decision,
    MoveDecision,
    Place,
    Situation,
    SupportDecision,
    situate_candidates,
)
from satjudge.errors import InputError
from satjudge.geography import ProvinceCode, UnitKind
from satjudge.orders import Hold, MovementOrder
from satjudge.research.search.parties import Parties
from satjudge.research.search.proposals import Proposal, holding, in_full
from satjudge.research.search.universe import Candidate, Need, Spot, Universe, meaning
from satjudge.solve.clauses import FALSE, TRUE, Clausal, Formula, Literal, Thresholds
from satjudge.solve.cpsat import Answer


class UnknownOrders(Protocol):
    """What a copy reads: a situation, which of its orders are chosen, and where units of which powers stand."""

    @property
    def formula(self) -> Formula:
        """The formula that the copy writes into."""
        ...

    @property
    def situation(self) -> Situation:
        """All orders that may be chosen."""
        ...

    @property
    def guards(self) -> Sequence[Literal]:
        """Whether each is, by the index of its decision; also simply true or false."""
        ...

    @property
    def occupied(self) -> Mapping[ProvinceCode, Literal]:
        """Whether a unit stands in a province; none does in those left out."""
        ...

    @property
    def most_units(self) -> int | None:
        """How many units there may be, if that is known: no strength is greater."""
        ...

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Units of one power stand at both."""
        ...


class OrderModel:
    """Units and orders as literals, under the conditions that make them a board with legal orders.

    `stands` has a literal for every unit, `occupied` for every province, `guards` for every decision of the situation, by
    index. `most_units` is how many units there may be: no strength is greater. It is for whoever asks to bound them.

    `formula` is one to add to. A model `beside` another one speaks of the same units and orders under another rulebook;
    only what is legal under both can be chosen.
    """

    def __init__(
        self,
        universe: Universe,
        most_units: int | None = None,
        *,
        formula: Formula | None = None,
        beside: OrderModel | None = None,
    ) -> None:
        self.universe = universe
        self.formula: Formula = beside.formula if beside else formula or Formula()
        self.most_units = most_units
        self.stands: dict[Spot, Literal] = (
            beside.stands if beside else {spot: self._unit(spot) for spot in universe.standing}
        )
        self.occupied = {
            province: self.formula.any_of(self.stands[spot] for spot in spots) for province, spots in universe.spots_in.items()
        }
        self.parties: Parties = beside.parties if beside else Parties(self.formula, universe, self.occupied)
        candidates = [(Unit("", *c.given_to[0]), c.legal or c.order) for c in universe.candidates]
        fleets = tuple(Unit("", UnitKind.FLEET, sea) for sea in sorted(universe.fleets))
        self.situation = situate_candidates(
            Board(fleets, map=universe.map), candidates, universe.rulebook, universe.find_routes
        )
        shared = beside.guard_of if beside else None
        self.guards = [self._guard(candidate, shared) for candidate in universe.candidates]
        self.guard_of: dict[object, Literal] = {
            meaning(candidate.order): guard for candidate, guard in zip(universe.candidates, self.guards, strict=True)
        }
        for order in shared or ():
            if shared and order not in self.guard_of:
                self.formula.require(-shared[order])
        self._choose_one_each()

    def copy(self, name: str = "", *, may_fail: Collection[type[Decision]] = ()) -> Copy:
        """A consistent resolution of the orders, in variables of its own. Decisions of some kinds may fail at will."""
        return Copy(self, name, may_fail=may_fail).posted()

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Units of one power stand at both."""
        return self.parties.same(one, other)

    # Units and orders.

    def _unit(self, spot: Spot) -> Literal:
        fixed = self.universe.standing[spot] is not None
        return TRUE if fixed else self.formula.new(f"{spot.kind} {spot.location}")

    def _guard(self, candidate: Candidate, shared: Mapping[object, Literal] | None) -> Literal:
        """Whether the order is chosen: then a unit that it can be given to stands there, and what else it needs."""
        guard = self.formula.new(str(candidate.order)) if shared is None else shared.get(meaning(candidate.order), FALSE)
        self.formula.require(-guard, *(self.stands[spot] for spot in candidate.given_to))
        self.formula.require(-guard, self.formula.any_of(self._met(candidate, need) for need in candidate.needs))
        return guard

    def _met(self, candidate: Candidate, need: Need) -> Literal:
        parts = [self.stands.get(spot, FALSE) for spot in need.spots]
        if need.own:
            parts.append(self.parties.same(candidate.order.unit.province, need.spots[0].province))
        return self.formula.all_of(parts)

    def _choose_one_each(self) -> None:
        """At most one unit in a province, and at most one order for it; just the one that is given, if one is."""
        guards: dict[ProvinceCode, list[Literal]] = {}
        for candidate, guard in zip(self.universe.candidates, self.guards, strict=True):
            guards.setdefault(candidate.order.unit.province, []).append(guard)
        for spots in self.universe.spots_in.values():
            self.formula.require_one_at_most(self.stands[spot] for spot in spots)
        for literals in guards.values():
            self.formula.require_one_at_most(literals)
        self.ordered = {province: self.formula.any_of(guards.get(province, ())) for province in self.occupied}
        for province, order in self.universe.orders.items():
            if not isinstance(order, Hold):
                if province not in guards:
                    raise InputError(f"the order {order} is not legal here, whatever the other units are")
                self.formula.require(-self.occupied[province], *guards[province])

    # Making a board of an assignment.

    def decode(self, answer: Answer) -> Proposal | None:
        """The board with orders that the solver found.

        None if its `same_power` literals are those of no powers: then a cut was added to the formula, and it must be
        solved again.
        """
        powers = self.parties.assign(answer.holds)
        if powers is None:
            return None
        fixed = {unit.province: unit.power for unit in self.universe.units}
        spots = [spot for spot, literal in self.stands.items() if answer.holds(literal)]
        units = (Unit((fixed | powers)[spot.province], *spot) for spot in spots)
        board = Board(tuple(sorted(units, key=lambda unit: (unit.power, unit.location))), map=self.universe.map)
        chosen = tuple(index for index, guard in enumerate(self.guards) if answer.holds(guard))
        orders: dict[ProvinceCode, MovementOrder] = {unit.province: holding(unit) for unit in board.units}
        for index in chosen:
            order = self.universe.candidates[index].order
            orders[order.unit.province] = in_full(order, board, self.universe.rulebook)
        return Proposal(board, orders, tuple(meaning(self.universe.candidates[index].order) for index in chosen))


class Copy(Clausal):
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
        """Whether each convoy is available, where that is not for the equations to say."""
        subjects = orders.situation.decisions
        self.fails = {d.index: self.formula.new(f"{name} FAILS[{d}]") for d in subjects if isinstance(d, tuple(may_fail))}
        """Whether a decision fails whatever its equation says."""
        self._moves = {
            d.index: self.formula.new(f"{name} MOVE[{d}]") for d in subjects if isinstance(d, MoveDecision)
        }
        self._truths: dict[tuple[str, int], Literal] = {}
        self._strengths: dict[tuple[str, int | str], Thresholds] = {}

    def posted(self) -> Copy:
        """This copy with the equation of every move."""
        for subject in self.orders.situation.decisions:
            if isinstance(subject, MoveDecision):
                self.formula.equate(self._moves[subject.index], self._granted(subject, statement.move(self, subject)))
            else:
                self.value(subject)  # now, so that an answer has a value for it
        return self

    def value(self, subject: Decision) -> Literal:
        """The literal of a decision."""
        if isinstance(subject, MoveDecision):
            return self.move(subject)
        return self.support(subject) if isinstance(subject, SupportDecision) else self.convoy(subject)

    def _granted(self, subject: Decision, truth: Literal) -> Literal:
        """What the equation says, unless the decision fails at will: it would hold, and does not."""
        fails = self.fails.get(subject.index, FALSE)
        self.formula.require(-fails, truth)
        return self.formula.all_of((truth, -fails))

    # What is given.

    def chosen(self, decision: Decision) -> Literal:
        """Its guard."""
        return self.orders.guards[decision.index]

    def occupied(self, place: Place) -> Literal:
        """Whether any unit stands there."""
        return self.orders.occupied.get(place.province, FALSE)

    def same_power(self, one: Place, other: Place) -> Literal:
        """Whether units of one power do."""
        return self.orders.same_power(one.province, other.province)

    # The decisions.

    def move(self, move: MoveDecision) -> Literal:
        """Its variable."""
        return self._moves[move.index]

    def support(self, support: SupportDecision) -> Literal:
        """What its equation says."""
        key = ("SUPPORT", support.index)
        if key not in self._truths:
            self._truths[key] = self._granted(support, statement.support(self, support))
        return self._truths[key]

    def convoy(self, convoy: ConvoyDecision) -> Literal:
        """What its equation says, or what it is told to be."""
        if self.inputs is not None:
            return self.inputs[convoy.index]
        return self._granted(convoy, self.computed(convoy))

    def computed(self, convoy: ConvoyDecision) -> Literal:
        """What the equation of a convoy says, whatever it is told to be."""
        key = ("CONVOY", convoy.index)
        if key not in self._truths:
            self._truths[key] = statement.convoy(self, convoy)
        return self._truths[key]

    # The derived terms are worked out once each.

    def path(self, move: MoveDecision) -> Literal:
        """PATH."""
        key = ("PATH", move.index)
        if key not in self._truths:
            self._truths[key] = statement.path(self, move)
        return self._truths[key]

    def hold(self, place: Place) -> Thresholds:
        """HOLD."""
        key = ("HOLD", place.province)
        if key not in self._strengths:
            self._strengths[key] = statement.hold(self, place)
        return self._strengths[key]

    def attack(self, move: MoveDecision) -> Thresholds:
        """ATTACK."""
        key = ("ATTACK", move.index)
        if key not in self._strengths:
            self._strengths[key] = statement.attack(self, move)
        return self._strengths[key]

    def prevent(self, move: MoveDecision) -> Thresholds:
        """PREVENT."""
        key = ("PREVENT", move.index)
        if key not in self._strengths:
            self._strengths[key] = statement.prevent(self, move)
        return self._strengths[key]

    # What is asked about.

    def entered(self, province: ProvinceCode) -> Literal:
        """Some move into the province succeeds."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_in) if place else FALSE

    def left(self, province: ProvinceCode) -> Literal:
        """The unit in the province leaves."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_out) if place else FALSE

    def dislodged(self, province: ProvinceCode) -> Literal:
        """The unit in the province is dislodged."""
        stays = self.formula.all_of((self.orders.occupied.get(province, FALSE), -self.left(province)))
        return self.formula.all_of((stays, self.entered(province)))
