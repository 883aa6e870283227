"""Reads the position of a certificate, and has the second encoder write its equations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from satjudge.board import Board
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import Power, ProvinceCode, load_map
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.orders import Hold, MovementOrder, Named
from satjudge.rules import Rulebook
from satjudge.verify.certificate import Position
from satjudge.verify.named_clauses import Group, NamedClauses
from satjudge.verify.second_encoder import Cnf, of_orders

DEFINED_SECOND = "definitions of the second encoder"
EQUATIONS = "equations of the second encoder (DATC 5.B)"


def rulebook_of(stated: Rules) -> Rulebook:
    """A rulebook, with all its settings. Raises `InputError` if there is none of them."""
    rulebook = stated.rulebook()
    if rulebook.settings() != stated.settings:
        raise InputError(f"the settings are not those of any rulebook like {rulebook.name}")
    return rulebook


@dataclass(frozen=True)
class ReadPosition:
    """A position as values. Raises `InputError` for what is none."""

    position: Position

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook, with all its settings."""
        return rulebook_of(self.position.rulebook)

    @cached_property
    def board(self) -> Board:
        """The units."""
        game_map = load_map(self.position.map)
        if game_map.railroads or game_map.canals:  # permissions would have to be stated
            raise InputError(f"positions on the map {game_map.name} cannot be verified: it has railroads or canals")
        units = self.position.units.items()
        return Board(tuple(parse_unit(text, power, game_map) for power, texts in units for text in texts), map=game_map)

    @cached_property
    def orders(self) -> dict[Power, list[MovementOrder]]:
        """The orders of each power."""
        return {power: list(self._orders_of(power, texts)) for power, texts in self.position.orders.items()}

    def _orders_of(self, power: Power, texts: list[str]) -> Iterator[MovementOrder]:
        for text in texts:
            order = parse_order(text, self.board.map)
            if not isinstance(order, MovementOrder) or order.unit not in self._units_of(power):
                raise InputError(f"“{text}” of {power} is no order to a unit of the position")
            yield order

    def _units_of(self, power: Power) -> set[Named]:
        return {unit.named for unit in self.board.units if unit.power == power}

    @cached_property
    def by_province(self) -> dict[ProvinceCode, MovementOrder]:
        """The orders by the unit that has them. Raises `InputError` if a unit has two."""
        found: dict[ProvinceCode, MovementOrder] = {}
        for orders in self.orders.values():
            for order in orders:
                if found.setdefault(order.unit.province, order) is not order:
                    raise InputError(f"there are two orders for the unit in {order.unit.province}")
        return found

    @cached_property
    def second(self) -> tuple[NamedClauses, dict[str, int]]:
        """The equations as the second encoder writes them, and the literal of each order that is not to hold."""
        orders = {province: order for province, order in self.by_province.items() if not isinstance(order, Hold)}
        cnf, encoded = of_orders(self.board, orders, self.rulebook, no_hold_support=self.position.unsupportable)
        literals = {**encoded.moves, **encoded.supports, **encoded.convoys}
        return named(cnf), {str(candidate.order): literal for candidate, literal in literals.items()}


def named(cnf: Cnf) -> NamedClauses:
    """What the second encoder wrote, in groups."""
    groups = (Group(DEFINED_SECOND, cnf.definitions), Group(EQUATIONS, cnf.requirements))
    return NamedClauses(cnf.number_of_variables, cnf.names, groups)
