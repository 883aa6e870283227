"""A universe as a formula: who stands where, who is given what, and copies of the resolutions that the orders have.

    model = OrderModel(universe)
    one, other = model.copy(), model.copy()     # two resolutions of the same unknown orders
    model.formula.require(...)                   # what is asked of them
    answer = Solver(model.formula).decide()
    proposal = model.decode(answer)              # a board with orders

Every assignment of the formula is a board with legal orders (legal under one rulebook of the universe at least), each copy a
consistent resolution of it, and every such board in the universe is an assignment; save that, for `same_power` literals to be
an equivalence, and for convoys to have no route but those of the universe, cuts may have to be added (`cut`).
"""

from __future__ import annotations

from collections.abc import Collection

from satjudge.board import Board, Unit
from satjudge.equations.situation import Decision, situate_candidates
from satjudge.geography import ProvinceCode, UnitKind, province_of
from satjudge.legality import convoy_routes
from satjudge.orders import Move, MovementOrder
from satjudge.research.search.candidates import meaning
from satjudge.research.search.copies import Copy
from satjudge.research.search.given import GivenOrders
from satjudge.research.search.proposals import Proposal, holding, in_full
from satjudge.research.search.universe import Universe
from satjudge.rules import IllegalOrders
from satjudge.solve.clauses import Formula, Literal
from satjudge.solve.cpsat import Answer


class OrderModel:
    """Given orders as a rulebook reads them, in a universe: which of them count, and the decisions that they come to.

    `guards` has a literal for every decision of the situation, by index: the order is given, and legal under the rulebook.
    `most_units` is how many units there may be: no strength is greater. It is for whoever asks to bound them.

    `formula` is one to add to. A model `beside` another one reads the same given orders under another of its rulebooks.
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
        self.given: GivenOrders = beside.given if beside else GivenOrders(universe, formula or Formula())
        self.formula = self.given.formula
        self.most_units = most_units
        self.stands, self.occupied, self.parties = self.given.stands, self.given.occupied, self.given.parties
        candidates = [(Unit("", *c.given_to[0]), c.legal or c.order) for c in universe.candidates]
        fleets = tuple(Unit("", UnitKind.FLEET, sea) for sea in sorted(universe.fleets))
        self.situation = situate_candidates(
            Board(fleets, map=universe.map), candidates, universe.rulebook, universe.find_routes
        )
        self.formula.tick()
        self.guards = [self.given.legal(universe.rulebook, meaning(c.order)) for c in universe.candidates]
        self.unsupportable = self._unsupportable()

    def copy(self, name: str = "", *, may_fail: Collection[type[Decision]] = ()) -> Copy:
        """A consistent resolution of the orders, in variables of its own. Decisions of some kinds may fail at will."""
        return Copy(self, name, may_fail=may_fail).posted()

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Units of one power stand at both."""
        return self.parties.same(one, other)

    def _unsupportable(self) -> dict[ProvinceCode, Literal]:
        """Where an illegal order to move leaves a unit that cannot be supported in place, as the rulebook has it (4.E.1)."""
        rule, found = self.universe.rulebook.illegal_orders, dict[ProvinceCode, list[Literal]]()
        for key, order in self.given.orders.items() if rule is not IllegalOrders.IGNORED else ():
            if isinstance(order, Move) and (rule is IllegalOrders.HOLD or self._possible_elsewhere(order)):
                illegal = self.formula.all_of((self.given.literals[key], -self.given.legal(self.universe.rulebook, key)))
                found.setdefault(order.unit.province, []).append(illegal)
        return {province: self.formula.any_of(illegal) for province, illegal in found.items()}

    def _possible_elsewhere(self, order: Move) -> bool:
        """Whether an army could be convoyed there if there were fleets on every sea."""
        here, there, game_map = order.unit.province, province_of(order.destination), self.universe.map
        return order.unit.kind is UnitKind.ARMY and bool(convoy_routes(game_map, here, there, game_map.seas))

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
        for key, order in self.given.orders.items():
            if answer.holds(self.given.literals[key]):
                chosen[order.unit.province] = key
                orders[order.unit.province] = in_full(order, board, *self.universe.rulebooks)
        return Proposal(board, orders, chosen)
