"""Defines goals about the orders themselves: an order is given, units hold, or a unit attacks a province.

order:"A UKR - GAL"        the order is given
holds:RUSSIA, holds:UKR    all units of the power hold, or the unit in the place holds
attacks:GAL=RUSSIA         some unit of the power is ordered to move to the province; without a power, any unit
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from satjudge.base.errors import InputError
from satjudge.notation.parse import parse_order, parse_power
from satjudge.search.formulas.clauses import FALSE, Literal
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.outcomes import has_unit_literal, iter_unit_hints, read_place, shorten_order
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.question import Question
from satjudge.search.open_orders.universe import Universe, drop_unit_name, fits_place, is_same_order, is_same_unit
from satjudge.world.board import Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Hold, Move, MovementOrder


@dataclass(frozen=True)
class OrderGoal(Goal):
    """A goal about orders.

    If there are `powers`, the goal is only about their units.
    """

    powers: tuple[Power, ...] = ()

    @property
    def is_about_outcome(self) -> bool:
        return True

    def require(self, question: Question) -> None:
        question.formula.require(self.literal(question.get_outcome()))

    def require_not(self, question: Question) -> None:
        question.formula.require(-self.literal(question.get_outcome()))

    def restrict_to_powers(self, *powers: Power) -> OrderGoal:
        """Return the same goal about units of these powers only; a goal whose notation names a power may stay unchanged."""
        return replace(self, powers=powers)

    def is_about_unit(self, unit: Unit) -> bool:
        """Return whether the goal depends on the order to this unit: by default, if it names no powers or the unit's power."""
        return not self.powers or unit.power in self.powers

    def _iter_orders(self, judged: Judged) -> Iterator[tuple[Unit, MovementOrder]]:
        """Yield each unit of the goal's powers (every unit if it names none), with its order."""
        board = judged.proposal.board
        units = (unit for unit in board.units if OrderGoal.is_about_unit(self, unit))
        return ((unit, judged.proposal.by_province[unit.province]) for unit in units)

    def _has_subject_unit(self, encoding: Encoding, province: ProvinceCode) -> Literal:
        """Return the literal that holds if a unit stands in the province whose power the goal allows."""
        orders = encoding.orders
        if not self.powers:
            return orders.occupied.get(province, FALSE)
        return encoding.any_of(orders.powers.has_unit_of(province, power) for power in self.powers)


@dataclass(frozen=True)
class OrderGivenGoal(OrderGoal):
    """The goal that an order is given."""

    name = "order"
    form = 'order:"ORDER"'

    order: MovementOrder | None = None

    def __str__(self) -> str:
        return f'order:"{self.order}"'

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        match = re.fullmatch(r'"([^"]*)"', argument)
        order = parse_order(match[1], game_map) if match else None
        if not isinstance(order, MovementOrder):
            raise InputError("expected an order in quotation marks", suggestion='write order:"A UKR - GAL"')
        return cls(order=shorten_order(order, game_map))

    @property
    def required_order(self) -> MovementOrder:
        """The order that must be given."""
        assert self.order is not None
        return self.order

    def is_about_unit(self, unit: Unit) -> bool:
        return super().is_about_unit(unit) and is_same_unit(self.required_order.unit, unit.named)

    def holds(self, judged: Judged) -> bool:
        return any(is_same_order(self.required_order, order) for _, order in self._iter_orders(judged))

    def literal(self, encoding: Encoding) -> Literal:
        place = self.required_order.unit.province
        theirs = self._has_subject_unit(encoding, place)
        if isinstance(self.required_order, Hold):
            return encoding.all_of((theirs, -encoding.orders.order_literal(place)))
        wanted = drop_unit_name(self.required_order)
        given = (literal for order, literal in encoding.orders.list_order_literals() if is_same_order(wanted, order))
        return encoding.all_of((theirs, encoding.any_of(given)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(self.required_order.unit, universe)


@dataclass(frozen=True)
class UnitsHoldGoal(OrderGoal):
    """The goal that all units of the powers hold, or that the unit in a certain place holds."""

    name = "holds"
    form = "holds:POWER"

    place: Location = ""

    def __str__(self) -> str:
        return f"holds:{self.place or ','.join(self.powers)}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        try:
            return cls((parse_power(argument, game_map),))
        except InputError:
            return cls(place=read_place(argument, game_map))

    def restrict_to_powers(self, *powers: Power) -> OrderGoal:
        return super().restrict_to_powers(*powers) if self.place else self

    def is_about_unit(self, unit: Unit) -> bool:
        return super().is_about_unit(unit) and (not self.place or fits_place(self.place, unit.location))

    def holds(self, judged: Judged) -> bool:
        given = {unit.location: order for unit, order in self._iter_orders(judged)}
        if self.place:
            return any(fits_place(self.place, location) and isinstance(order, Hold) for location, order in given.items())
        return all(isinstance(order, Hold) for order in given.values())

    def literal(self, encoding: Encoding) -> Literal:
        ordered = encoding.orders.order_literal
        if self.place:
            province = province_of(self.place)
            has_units = (has_unit_literal(encoding, self.place), self._has_subject_unit(encoding, province))
            return encoding.all_of((*has_units, -ordered(province)))
        return encoding.none_of(
            encoding.all_of((self._has_subject_unit(encoding, province), ordered(province)))
            for province in encoding.orders.occupied
        )


@dataclass(frozen=True)
class AttackGoal(OrderGoal):
    """The goal that some unit is ordered to move to a certain province or coast."""

    name = "attacks"
    form = "attacks:PROVINCE=POWER"

    place: Location = ""

    def __str__(self) -> str:
        return f"attacks:{self.place}" + (f"={self.powers[0]}" if len(self.powers) == 1 else "")

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, equals, power = argument.partition("=")
        return cls((parse_power(power, game_map),) if equals else (), read_place(place, game_map))

    def restrict_to_powers(self, *powers: Power) -> OrderGoal:
        return self if self.powers else super().restrict_to_powers(*powers)

    def holds(self, judged: Judged) -> bool:
        return any(
            isinstance(order, Move) and fits_place(self.place, order.destination) for _, order in self._iter_orders(judged)
        )

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.any_of(
            encoding.all_of((literal, self._has_subject_unit(encoding, order.unit.province)))
            for order, literal in encoding.orders.list_order_literals()
            if isinstance(order, Move) and fits_place(self.place, order.destination)
        )

    def hints(self, universe: Universe) -> Iterator[str]:
        if province_of(self.place) not in universe.provinces:
            yield f"{self.place} is outside the region"


ORDER_GOALS: tuple[type[OrderGoal], ...] = (OrderGivenGoal, UnitsHoldGoal, AttackGoal)
