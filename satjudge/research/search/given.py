"""Who stands where, and which order each unit is given: as literals, before any rulebook says what counts.

An order may be given if it is legal under one of the rulebooks of the universe. Where there is but one rulebook, given orders
are legal orders; where there are several, each reads the same given orders, and those that it takes for illegal do not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from satjudge.errors import InputError
from satjudge.geography import ProvinceCode
from satjudge.orders import Hold, MovementOrder
from satjudge.research.search.candidates import Candidate, Need, Spot, meaning
from satjudge.research.search.parties import Parties
from satjudge.research.search.universe import Universe
from satjudge.rules import Rulebook
from satjudge.solve.clauses import FALSE, TRUE, Formula, Literal


class NeverLegalError(InputError):
    """A given order that no other units of the universe make legal."""

    def __init__(self, order: MovementOrder) -> None:
        hint = "without it, any order for the unit is looked for"
        super().__init__(f"the order {order} is not legal here, whatever the other units are", suggestion=hint)
        self.order = order


class GivenOrders:
    """Units and orders as literals, under the conditions that make them a board on which every order may be given.

    `stands` has a literal for every unit, `occupied` for every province, `literals` for every order, by its meaning, and
    `ordered` says of a province that its unit is given any but to hold.
    """

    def __init__(self, universe: Universe, formula: Formula) -> None:
        self.universe = universe
        self.formula = formula
        self.stands: dict[Spot, Literal] = {spot: self._unit(spot) for spot in universe.standing}
        self.occupied = {
            province: formula.any_of(self.stands[spot] for spot in spots) for province, spots in universe.spots_in.items()
        }
        self.parties = Parties(formula, universe, self.occupied)
        self.orders: dict[object, MovementOrder] = {}
        readings: dict[object, dict[Rulebook, Candidate]] = {}
        for rulebook in universe.rulebooks:
            formula.tick()
            for candidate in universe.under(rulebook).candidates:
                key = meaning(candidate.order)
                self.orders.setdefault(key, candidate.order)
                readings.setdefault(key, {})[rulebook] = candidate
        self.literals: dict[object, Literal] = {key: formula.new(str(order)) for key, order in self.orders.items()}
        self._legal: dict[tuple[Rulebook, object], Literal] = {}
        """Whether an order is given and legal under a rulebook; none that never is has one."""
        for key, found in readings.items():
            self._read(key, found)
        self._choose_one_each()

    def legal(self, rulebook: Rulebook, key: object) -> Literal:
        """An order of this meaning is given, and legal under the rulebook."""
        return self._legal.get((rulebook, key), FALSE)

    def require_legal(self, rulebook: Rulebook) -> None:
        """Ask that all given orders are legal under the rulebook."""
        for key, literal in self.literals.items():
            self.formula.require(-literal, self.legal(rulebook, key))

    def _unit(self, spot: Spot) -> Literal:
        fixed = self.universe.standing[spot] is not None
        return TRUE if fixed else self.formula.new(f"{spot.kind} {spot.location}")

    def _read(self, key: object, readings: Mapping[Rulebook, Candidate]) -> None:
        """What each rulebook makes of an order: it is legal under one of them. Mostly they agree when that is."""
        literal, rulebooks = self.literals[key], self.universe.rulebooks
        first, *others = readings.values()
        same = all((other.given_to, other.needs) == (first.given_to, first.needs) for other in others)
        if len(readings) == len(rulebooks) and same:
            for condition in self._conditions(first):
                self.formula.require(-literal, condition)
            self._legal |= {(rulebook, key): literal for rulebook in rulebooks}
            return
        for rulebook, candidate in readings.items():
            self._legal[rulebook, key] = self.formula.all_of((literal, *self._conditions(candidate)))
        self.formula.require(-literal, *(self.legal(rulebook, key) for rulebook in rulebooks))

    def _conditions(self, candidate: Candidate) -> tuple[Literal, Literal]:
        """A unit that it can be given to stands there, and so does what else it needs."""
        stands = self.formula.any_of(self.stands[spot] for spot in candidate.given_to)
        return stands, self.formula.any_of(self._met(candidate, need) for need in candidate.needs)

    def _met(self, candidate: Candidate, need: Need) -> Literal:
        parts = [self.stands.get(spot, FALSE) for spot in need.spots]
        if need.own:
            parts.append(self.parties.same(candidate.order.unit.province, need.spots[0].province))
        return self.formula.all_of(parts)

    def _choose_one_each(self) -> None:
        """At most one unit in a province, and at most one order for it; just the one that is given, if one is."""
        literals: dict[ProvinceCode, list[Literal]] = {}
        for key, order in self.orders.items():
            literals.setdefault(order.unit.province, []).append(self.literals[key])
        for spots in self.universe.spots_in.values():
            self.formula.require_one_at_most(self.stands[spot] for spot in spots)
        for alternatives in literals.values():
            self.formula.require_one_at_most(alternatives)
        self.ordered = {province: self.formula.any_of(literals.get(province, ())) for province in self.occupied}
        for province, order in self.universe.orders.items():
            if not isinstance(order, Hold):
                if province not in literals:
                    raise NeverLegalError(order)
                self.formula.require(-self.occupied[province], *literals[province])
