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

from collections.abc import Collection, Mapping

from satjudge.board import Board, Unit
from satjudge.equations.situation import Decision, situate_candidates
from satjudge.errors import InputError
from satjudge.geography import ProvinceCode, UnitKind
from satjudge.orders import Hold, MovementOrder
from satjudge.research.search.candidates import Candidate, Need, Spot, meaning
from satjudge.research.search.copies import Copy
from satjudge.research.search.parties import Parties
from satjudge.research.search.proposals import Proposal, holding, in_full
from satjudge.research.search.universe import Universe
from satjudge.solve.clauses import FALSE, TRUE, Formula, Literal
from satjudge.solve.cpsat import Answer


class NeverLegalError(InputError):
    """A given order that no other units of the universe make legal."""

    def __init__(self, order: MovementOrder) -> None:
        hint = "without it, any order for the unit is looked for"
        super().__init__(f"the order {order} is not legal here, whatever the other units are", suggestion=hint)
        self.order = order


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
        self.stands: dict[Spot, Literal] = beside.stands if beside else {spot: self._unit(spot) for spot in universe.standing}
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
                    raise NeverLegalError(order)
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
        chosen: dict[ProvinceCode, object] = {}
        orders: dict[ProvinceCode, MovementOrder] = {unit.province: holding(unit) for unit in board.units}
        for candidate, guard in zip(self.universe.candidates, self.guards, strict=True):
            if answer.holds(guard):
                order = candidate.order
                chosen[order.unit.province] = meaning(order)
                orders[order.unit.province] = in_full(order, board, self.universe.rulebook)
        return Proposal(board, orders, chosen)
