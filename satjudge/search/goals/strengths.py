"""Holds quantities of strengths in the outcome, and the goal of a beleaguered garrison, which compares strengths.

The equations are read with the final values (`Reading`) or with unknown ones (`Encoding`): one statement serves both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from satjudge.base.errors import InputError
from satjudge.judging.equations.evaluate import counted
from satjudge.judging.equations.logic import Logic
from satjudge.judging.equations.situation import MoveDecision, Place, Situation
from satjudge.judging.solve.clauses import FALSE, Literal, Thresholds
from satjudge.notation.parse import parse_order
from satjudge.search.goals.goal import Goal, StatedGoal
from satjudge.search.goals.judged import Judged
from satjudge.search.goals.outcomes import about_unit, in_short, read_province
from satjudge.search.goals.quantity import Quantity
from satjudge.search.unknown.encoding import Encoding
from satjudge.search.unknown.universe import Universe, same_order, same_unit, unnamed
from satjudge.world.geography import Location, Map, ProvinceCode
from satjudge.world.orders import Move, Named

B = TypeVar("B")
N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class HoldStrength(Quantity):
    """The HOLD strength of a province (DATC 5.B.5): 0 if it is empty, or its unit leaves."""

    name = "hold"
    form = "hold:PROVINCE"

    province: ProvinceCode

    def __str__(self) -> str:
        return f"hold:{self.province}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        return cls(read_province(argument, game_map, cls.name))

    def value(self, judged: Judged) -> int:
        place = judged.situation.places.get(self.province)
        return counted(judged.reading.hold(place), place.rules) if place else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        place = encoding.orders.situation.places.get(self.province)
        if place is None:  # no order has to do with it
            return encoding.orders.occupied.get(self.province, FALSE) if least == 1 else FALSE
        return reaches(encoding.hold(place), least)

    def highest(self, encoding: Encoding) -> int:
        place = encoding.orders.situation.places.get(self.province)
        return len(encoding.hold(place)) if place else 1

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(Named(None, self.province), universe)


@dataclass(frozen=True, slots=True)
class _MoveStrength(Quantity):
    """A strength of a move, which has a value if the move is ordered and legal."""

    order: Move

    def __str__(self) -> str:
        return f'{self.name}:"{self.order}"'

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        order = parse_order(argument.strip('"'), game_map)
        if not isinstance(order, Move):
            raise InputError(f"{order} is no move", suggestion=f'write {cls.name}:"A PAR - BUR"')
        short = in_short(order, game_map)
        assert isinstance(short, Move)
        return cls(short)

    def _of(self, logic: Logic[Any, N], move: MoveDecision) -> N:
        """Return the strength, which a logic calls by the same name."""
        strength: N = getattr(logic, self.name)(move)
        return strength

    def value(self, judged: Judged) -> int | None:
        found = (m for m in judged.situation.moves if same_order(self.order, m.order))
        return next((counted(self._of(judged.reading, m), m.rules) for m in found), None)

    def there(self, encoding: Encoding) -> Literal:
        return encoding.any_of(given for _, given in self._moves(encoding))

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        found = ((given, reaches(self._of(encoding, m), least)) for m, given in self._moves(encoding))
        return encoding.any_of(map(encoding.all_of, found))

    def highest(self, encoding: Encoding) -> int:
        return max((len(self._of(encoding, m)) for m, _ in self._moves(encoding)), default=0)

    def _moves(self, encoding: Encoding) -> Iterator[tuple[MoveDecision, Literal]]:
        """List the decisions that the move may stand for, each with the literal that the order is given to its unit."""
        orders, named = encoding.orders, self.order.unit
        units = orders.units_in(named.province)
        stands = encoding.any_of(literal for spot, literal in units if same_unit(named, spot.named))
        asked = unnamed(self.order)
        for decision, order in zip(orders.situation.order_decisions, orders.said, strict=True):
            if isinstance(decision, MoveDecision) and same_order(asked, order):
                yield decision, encoding.all_of((stands, encoding.chosen(decision)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(self.order.unit, universe)


class AttackStrength(_MoveStrength):
    """The ATTACK strength of a move (DATC 5.B.8): 0 without a path."""

    __slots__ = ()
    name = "attack"
    form = 'attack:"MOVE"'


class PreventStrength(_MoveStrength):
    """The PREVENT strength of a move (DATC 5.B.6): 0 without a path, or if it lost a head-to-head battle."""

    __slots__ = ()
    name = "prevent"
    form = 'prevent:"MOVE"'


class DefendStrength(_MoveStrength):
    """The DEFEND strength of a move (DATC 5.B.7), which counts in a head-to-head battle."""

    __slots__ = ()
    name = "defend"
    form = 'defend:"MOVE"'


def reaches(strength: Thresholds, least: int) -> Literal:
    """Return the literal that a strength is at least `least`."""
    return strength[least - 1] if least <= len(strength) else FALSE


@dataclass(frozen=True, slots=True)
class Beleaguered(StatedGoal):
    """The goal that the unit is a beleaguered garrison: at least two moves each outdo its HOLD, and all fail (DATC 6.E)."""

    name = "beleaguered"
    form = "beleaguered:PROVINCE"

    place: Location

    def __str__(self) -> str:
        return f"beleaguered:{self.place}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return cls(read_province(argument, game_map, cls.name))

    def stated(self, logic: Logic[B, Any], situation: Situation) -> B:
        return logic.any_of(_beleaguered(logic, place) for place in [situation.places.get(self.place)] if place)

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(Named(None, self.place), universe)


def _beleaguered(logic: Logic[B, Any], place: Place) -> B:
    """State that a unit stands there, nothing leaves or enters, and two moves or more would dislodge it but for the others."""
    outdoing = (logic.all_of((logic.chosen(m), logic.exceeds(logic.attack(m), logic.hold(place)))) for m in place.moves_in)
    at_least_two = logic.exceeds(logic.total(0, outdoing), logic.total(1, ()))
    return logic.all_of(
        (logic.occupied(place), logic.none_of(map(logic.move, (*place.moves_in, *place.moves_out))), at_least_two)
    )
