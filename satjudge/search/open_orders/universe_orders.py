"""States a universe as a formula: the units, the orders given to them, and resolutions of these orders.

    orders = UniverseOrders(universe)
    one, other = orders.encode_resolution(), orders.encode_resolution()    # two resolutions of the same unknown orders
    orders.formula.require(...)
    answer = Solver(orders.formula).decide()
    proposal = orders.read_proposal(answer)                                # a board with orders

Every assignment of the formula is a board with orders that are legal under at least one rulebook of the universe, and each
encoding is a consistent resolution of it. Every such board in the universe is an assignment. Clauses are added when the
literals of `same_power` are not an equivalence (`read_proposal`), or when a convoy's route is too long (`forbid_long_routes`).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from itertools import chain

from satjudge.base.errors import InputError
from satjudge.judging.equations.situation import Situation, build_candidate_situation
from satjudge.judging.legality import is_connected
from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer
from satjudge.search.open_orders.encoding import UnknownOrders
from satjudge.search.open_orders.proposal import Proposal, complete_order, make_hold
from satjudge.search.open_orders.same_power import UnknownPowers, join_by_key, require_one_per_key
from satjudge.search.open_orders.universe import Candidate, Need, Spot, Universe, meaning_key
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import IllegalOrders, ImplicitOrders


class NeverLegalError(InputError):
    """The error raised for a given order that is never legal, whatever other units of the universe are on the board."""

    def __init__(self, order: MovementOrder) -> None:
        hint = "leave the order out to allow any order for the unit"
        super().__init__(f"the order {order} is not legal here, whatever the other units are", suggestion=hint)
        self.order = order


class OrderLiterals:
    """Literals for units and orders, before a rulebook decides which orders count.

    `stands`: by unit, whether it is on the board. `occupied`: by province, whether it has a unit. `literals`: by meaning key,
    whether the order is given. `ordered`: by province, whether its unit has an order other than a hold. An order may be given
    if it is legal under one of the universe's rulebooks, and does not count under those that consider it illegal.
    """

    def __init__(self, universe: Universe, formula: Formula) -> None:
        self.universe = universe
        self.formula = formula
        self.stands: dict[Spot, Literal] = {
            spot: TRUE if power is not None else formula.add_variable(f"{spot.kind} {spot.location}")
            for spot, power in universe.standing.items()
        }
        self.powers = UnknownPowers(formula, universe, self.stands)
        self.occupied = self.powers.occupied
        self.orders: dict[object, MovementOrder] = {}
        self._readings: dict[object, dict[Rulebook, Candidate]] = {}
        for rulebook in universe.rulebooks:
            formula.tick()
            for number, candidate in enumerate(universe.get_reading(rulebook).candidates):
                if number % 1000 == 0:
                    formula.tick()
                key = meaning_key(candidate.order)
                self.orders.setdefault(key, candidate.order)
                self._readings.setdefault(key, {})[rulebook] = candidate
        self.literals: dict[object, Literal] = {key: formula.add_variable(str(order)) for key, order in self.orders.items()}
        self._legal: dict[tuple[Rulebook, object], Literal] = {}
        """The literals that hold if an order is given and legal under a rulebook; orders that are never legal have none."""
        for key, found in self._readings.items():
            self._add_readings(key, found)
        self._require_one_each()

    def legal_literal(self, rulebook: Rulebook, key: object) -> Literal:
        """Return the literal that holds if the order with this meaning key is given and legal under the rulebook."""
        return self._legal.get((rulebook, key), FALSE)

    def remove_unit(self, province: ProvinceCode) -> OrderLiterals:
        """Return the same orders on the board without the unit in a province; orders that need the unit become illegal."""
        fewer = copy(self)
        fewer.stands = {spot: FALSE if spot.province == province else literal for spot, literal in self.stands.items()}
        fewer.powers = self.powers.remove_unit(province)
        fewer.occupied = fewer.powers.occupied
        fewer.ordered = self.ordered | {province: FALSE}
        removed = {key: FALSE for key, order in self.orders.items() if order.unit.province == province}
        fewer.literals = self.literals | removed
        fewer._legal = {
            (rulebook, key): fewer._make_still_legal(rulebook, key, literal, province)
            for (rulebook, key), literal in self._legal.items()
            if key not in removed
        }
        return fewer

    def _make_still_legal(self, rulebook: Rulebook, key: object, literal: Literal, province: ProvinceCode) -> Literal:
        """Return the literal that holds if `literal` (the order is legal) does and the order does not need the lost unit."""
        candidate = self._readings[key][rulebook]
        spoken_of = chain(candidate.given_to, *(need.spots for need in candidate.needs))
        if all(spot.province != province for spot in spoken_of):
            return literal
        return self.formula.all_of((literal, *self._make_conditions(candidate)))

    def require_legal(self, rulebook: Rulebook) -> None:
        """Require that all given orders are legal under the rulebook."""
        for key, literal in self.literals.items():
            self.formula.require(-literal, self.legal_literal(rulebook, key))

    def _add_readings(self, key: object, readings: Mapping[Rulebook, Candidate]) -> None:
        """Require that an order, if given, is legal under some rulebook; store its literal for each of its readings."""
        literal, rulebooks = self.literals[key], self.universe.rulebooks
        first, *others = readings.values()
        are_same = all((other.given_to, other.needs) == (first.given_to, first.needs) for other in others)
        if len(readings) == len(rulebooks) and are_same:
            for condition in self._make_conditions(first):
                self.formula.require(-literal, condition)
            self._legal |= {(rulebook, key): literal for rulebook in rulebooks}
            return
        for rulebook, candidate in readings.items():
            self._legal[rulebook, key] = self.formula.all_of((literal, *self._make_conditions(candidate)))
        self.formula.require(-literal, *(self.legal_literal(rulebook, key) for rulebook in rulebooks))

    def _make_conditions(self, candidate: Candidate) -> tuple[Literal, Literal]:
        """Return two literals: one holds if a unit that can have the order stands there, the other if its needs are met."""
        stands = self.formula.any_of(self.stands[spot] for spot in candidate.given_to)
        return stands, self.formula.any_of(self._need_literal(candidate, need) for need in candidate.needs)

    def _need_literal(self, candidate: Candidate, need: Need) -> Literal:
        parts = [self.stands.get(spot, FALSE) for spot in need.spots]
        if need.own:
            parts.append(self.powers.have_same_power(candidate.order.unit.province, need.spots[0].province))
        return self.formula.all_of(parts)

    def _require_one_each(self) -> None:
        """Require at most one unit in each province, at most one order for it, and the universe's orders; set `ordered`."""
        literals = group_pairs((order.unit.province, self.literals[key]) for key, order in self.orders.items())
        require_one_per_key(self.formula, ((spot.province, literal) for spot, literal in self.stands.items()))
        for alternatives in literals.values():
            self.formula.require_at_most_one(alternatives)
        self.ordered = {province: self.formula.any_of(literals.get(province, ())) for province in self.occupied}
        for province, order in self.universe.orders.items():
            if not isinstance(order, Hold):
                if province not in literals:
                    raise NeverLegalError(order)
                self.formula.require(-self.occupied[province], *literals[province])


class UniverseOrders(UnknownOrders):
    """The orders of a universe as one of its rulebooks reads them: which ones count, and the decisions about them.

    `most_units` is the largest number of units, which the caller must enforce. `formula` is the formula to extend. With
    `beside`, the given orders are the same as there, but another of the universe's rulebooks reads them.
    """

    def __init__(
        self,
        universe: Universe,
        most_units: int | None = None,
        *,
        formula: Formula | None = None,
        beside: UniverseOrders | None = None,
    ) -> None:
        self.universe = universe
        self.choices: OrderLiterals = beside.choices if beside else OrderLiterals(universe, formula or Formula())
        candidates = [(Unit("", *c.given_to[0]), c.legal or c.order) for c in universe.candidates]
        fleets = tuple(Unit("", UnitKind.FLEET, sea) for sea in sorted(universe.fleet_seas))
        board = Board(fleets, map=universe.map)
        situation: Situation = build_candidate_situation(board, candidates, universe.rulebook, universe.iter_routes)
        self.choices.formula.tick()
        super().__init__(
            self.choices.formula,
            situation,
            self._list_guards(),
            [c.order for c in universe.candidates],
            self.choices.stands,
            self.choices.powers,
            most_units=most_units,
            unsupportable=self._find_unsupportable(),
        )

    def _list_guards(self) -> list[Literal]:
        """List, for the candidates in turn, the literal that holds if the candidate is given and legal under the rulebook."""
        return [self.choices.legal_literal(self.universe.rulebook, meaning_key(c.order)) for c in self.universe.candidates]

    def remove_unit(self, province: ProvinceCode) -> UniverseOrders:
        """Return the same orders on the board without the unit in a province.

        Raises `InputError` if the rulebook lets a unit move whose order becomes illegal (4.E.3).
        """
        if self.universe.rulebook.implicit_orders is ImplicitOrders.ALLOWED:
            raise InputError(
                f"under {self.universe.rulebook.name} a unit with an illegal order may move instead of holding (4.E.3)",
                suggestion="choose 4.E.3=ignored",
            )
        fewer = copy(self)
        fewer.choices = self.choices.remove_unit(province)
        fewer.stands, fewer.powers, fewer.occupied = fewer.choices.stands, fewer.choices.powers, fewer.choices.occupied
        fewer.guards, fewer.unsupportable = fewer._list_guards(), fewer._find_unsupportable()
        return fewer

    def list_order_literals(self) -> list[tuple[MovementOrder, Literal]]:
        """List every possible order except holds, legal or not, with the literal that holds if it is given."""
        return [(order, self.choices.literals[key]) for key, order in self.choices.orders.items()]

    def group_literals_by_kind(self) -> dict[str, list[Literal]]:
        """Return, by kind such as `A moves` or `supports`, literals for the provinces whose unit has such an order."""
        kinds = {Move: "{} moves", SupportHold: "supports", SupportMove: "supports", Convoy: "convoys"}
        given = (((kinds[type(o)].format(o.unit.kind), o.unit.province), literal) for o, literal in self.list_order_literals())
        return group_pairs((kind, literal) for (kind, _), literal in join_by_key(self.formula, given).items())

    def order_literal(self, province: ProvinceCode) -> Literal:
        """Return the literal that holds if the unit in a province is given any order except a hold."""
        return self.choices.ordered.get(province, FALSE)

    def _find_unsupportable(self) -> dict[ProvinceCode, Literal]:
        """Return, by province, the literal that holds if an illegal move of its unit rules out support in place (4.E.1)."""
        rulebook, choices = self.universe.rulebook, self.choices
        rule, formula = rulebook.illegal_orders, choices.formula
        if rule is IllegalOrders.IGNORED:
            return {}
        illegal = (
            (order.unit.province, formula.all_of((choices.literals[key], -choices.legal_literal(rulebook, key))))
            for key, order in choices.orders.items()
            if isinstance(order, Move) and (rule is IllegalOrders.HOLD or self._is_possible_with_fleets(order))
        )
        return join_by_key(formula, illegal)

    def _is_possible_with_fleets(self, order: Move) -> bool:
        """Return whether an army's move would be possible by convoy if every sea had a fleet."""
        origin, destination, game_map = order.unit.province, province_of(order.destination), self.universe.map
        return order.unit.kind is UnitKind.ARMY and is_connected(game_map, origin, destination, game_map.seas)

    # Reading boards from assignments

    def read_proposal(self, answer: Answer) -> Proposal | None:
        """Return the assignment's board with orders; if no powers fit, add a clause and return None, so that you solve again.

        Returns None if no powers fit the `same_power` literals. In that case this method has added a clause, and you must
        solve the formula again.
        """
        powers = self.choices.powers.assign_powers(answer.holds)
        if powers is None:
            return None
        fixed = {unit.province: unit.power for unit in self.universe.units}
        spots = [spot for spot, literal in self.stands.items() if answer.holds(literal)]
        units = (Unit((fixed | powers)[spot.province], *spot) for spot in spots)
        board = Board(tuple(sorted(units, key=lambda unit: (unit.power, unit.location))), map=self.universe.map)
        chosen: dict[ProvinceCode, object] = {}
        orders: dict[ProvinceCode, MovementOrder] = {unit.province: make_hold(unit) for unit in board.units}
        for key, order in self.choices.orders.items():
            if answer.holds(self.choices.literals[key]):
                chosen[order.unit.province] = key
                orders[order.unit.province] = complete_order(order, board, *self.universe.rulebooks)
        return Proposal(board, orders, chosen)

    # Exclusions, each as one clause

    def forbid_proposal(self, proposal: Proposal) -> None:
        """Require that units, orders or powers differ from the proposal's; does nothing if they must differ anyway."""
        known = self._list_proposal_literals(proposal)
        if known is not None:
            units = proposal.board.unit_at
            known += [-literal for province, literal in self.occupied.items() if province not in units]
            known += [-self.order_literal(province) for province in units if isinstance(proposal.by_province[province], Hold)]
            self.formula.require(*(-literal for literal in known))

    def forbid_placement(self, proposal: Proposal) -> None:
        """Require that units or orders differ from the proposal's, whatever the powers of the units are."""
        units, literals = proposal.board.unit_at, self.choices.literals
        conditions = [self.stands[Spot(unit.kind, unit.location)] for unit in proposal.board.units]
        conditions += [literals[order] for order in proposal.chosen.values()]
        conditions += [-literal for province, literal in self.occupied.items() if province not in units]
        conditions += [-self.order_literal(province) for province in units if province not in proposal.chosen]
        self.formula.require(*(-literal for literal in conditions))

    def forbid_supersets(self, proposal: Proposal) -> None:
        """Forbid every board that contains the proposal's units, with their powers and orders, possibly among others."""
        literals = self._list_proposal_literals(proposal)
        if literals is not None:
            self.formula.require(*(-literal for literal in literals))

    def _list_proposal_literals(self, proposal: Proposal) -> list[Literal] | None:
        """List literals that together hold if the board has the proposal's units, powers and orders; None if it cannot."""
        units, spots = proposal.board.unit_at, [Spot(unit.kind, unit.location) for unit in proposal.board.units]
        literals = self.choices.literals
        if not (literals.keys() >= set(proposal.chosen.values()) and self.stands.keys() >= set(spots)):
            return None
        conditions = [self.stands[spot] for spot in spots] + [literals[order] for order in proposal.chosen.values()]
        return conditions + self.choices.powers.list_power_literals({province: unit.power for province, unit in units.items()})

    def forbid_long_routes(self, situation: Situation) -> None:
        """Forbid the combinations of convoy orders in the situation that form a longer route than the universe allows."""
        for move in situation.moves:
            for route in move.routes:
                if len(route) > self.universe.longest_route:
                    self.formula.require(*(-self.choices.literals[convoy.order] for convoy in route))
