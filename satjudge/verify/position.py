"""Reads the position of a certificate, and has the second encoder write its equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from satjudge.board import Board, Turn
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import Power, ProvinceCode, load_map
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.orders import Hold, MovementOrder, Named, Permission
from satjudge.rules import Rulebook
from satjudge.verify.certificate import Position, Resolution
from satjudge.verify.named_clauses import Clause, Group, NamedClauses
from satjudge.verify.second_encoder import FALSE, Cnf, Encoded, Literal, of_orders

DEFINED_SECOND = "definitions of the second encoder"
EQUATIONS = "equations of the second encoder (DATC 5.B)"
EXCLUDED = "the resolutions that are listed are excluded"


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
        units = self.position.units.items()
        standing = tuple(parse_unit(text, power, game_map) for power, texts in units for text in texts)
        season = self.position.season
        turn = Turn(game_map.first_year, season) if season else None
        return Board(standing, map=game_map, centers=self.position.centers, turn=turn)

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
    def permissions(self) -> list[Permission]:
        """Which fleets may pass a canal. Raises `InputError` for what says nothing of that."""
        found = [parse_order(text, self.board.map) for text in self.position.permissions]
        if others := [order for order in found if not isinstance(order, Permission)]:
            raise InputError(f"“{others[0]}” permits no fleet to pass a canal")
        return [order for order in found if isinstance(order, Permission)]

    @cached_property
    def second(self) -> tuple[Cnf, Encoded]:
        """The equations as the second encoder writes them."""
        orders = {province: order for province, order in self.by_province.items() if not isinstance(order, Hold)}
        return of_orders(
            self.board,
            orders,
            self.rulebook,
            no_hold_support=self.position.unsupportable,
            permissions=self.permissions,
        )

    @cached_property
    def literals(self) -> Mapping[str, Literal]:
        """The literal of each order that is not to hold: whether it succeeds."""
        _, encoded = self.second
        decided = {**encoded.moves, **encoded.supports, **encoded.convoys}
        return {str(candidate.order): literal for candidate, literal in decided.items()}

    def solution(self, succeeds: Mapping[str, bool]) -> set[Literal] | None:
        """The literals that are true where these orders succeed, or do not: units follow, until every clause of the equations
        is satisfied. None if some clause is not.
        """
        true = {self.literals[order] if value else -self.literals[order] for order, value in succeeds.items()}
        if any(-literal in true for literal in true):  # one literal may stand for several orders
            return None
        cnf, _ = self.second
        left = [*cnf.definitions, *cnf.requirements]
        while left:
            before, still = len(true), []
            for clause in left:
                if not true.isdisjoint(clause):
                    continue
                undecided = [literal for literal in clause if -literal not in true]
                if not undecided:
                    return None
                if len(undecided) == 1:
                    true.add(undecided[0])
                else:
                    still.append(clause)
            if len(true) == before:
                return None if still else true
            left = still
        return true

    def without(self, resolutions: Iterable[Resolution]) -> NamedClauses:
        """What no further resolution could satisfy but it: the equations, and that some order ends otherwise than in each.

        Raises `InputError` for what cannot be a resolution, since orders that are one decision end differently.
        """
        cnf, _ = self.second
        excluded = [_otherwise(self.literals, one.succeeds) for one in resolutions]
        groups = (
            Group(DEFINED_SECOND, cnf.definitions),
            Group(EQUATIONS, cnf.requirements),
            Group(EXCLUDED, excluded),
        )
        return NamedClauses(cnf.number_of_variables, cnf.names, groups)


def _otherwise(literals: Mapping[str, Literal], succeeds: Mapping[str, bool]) -> Clause:
    """A clause that says that some order ends otherwise."""
    differing = {-literal if succeeds[order] else literal for order, literal in literals.items()} - {FALSE}
    if any(-literal in differing for literal in differing):
        raise InputError("a resolution is not consistent: orders that are one decision end differently")
    return tuple(sorted(differing, key=abs)) or (FALSE,)
