"""Defines quantities of a judged position, and goals that compare them: `hold:BUR >= 3`, `count(…) > count(…)`.

If a quantity depends on the outcome, the encoding of the final resolution has a literal that states whether the quantity is at
least a given number. For any other quantity, the formula gets conditions that are necessary for it to be at least, or at most,
a number.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from satjudge.base.errors import InputError
from satjudge.judging.equations.logic import Logic, convert_strength
from satjudge.judging.equations.situation import MoveDecision, Place, Situation
from satjudge.notation.parse import parse_order, parse_power
from satjudge.search.formulas.clauses import FALSE, TRUE, Literal, Thresholds
from satjudge.search.goals.goal import DrawnBoard, Goal, StatedGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.outcomes import OccupiedGoal, iter_unit_hints, read_province, shorten_order
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.question import Question
from satjudge.search.open_orders.universe import Universe, drop_unit_name, is_same_order, is_same_unit
from satjudge.world.board import Season
from satjudge.world.geography import Location, Map, Power, ProvinceCode
from satjudge.world.orders import Move, Named
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.seasons import adjustments_due, counted_centers


class Quantity(ABC):
    """A number that can be computed for a judged position.

    Subclasses are values: frozen dataclasses whose `str` is their notation.
    """

    name: ClassVar[str] = ""
    """The word with which the quantity begins."""
    form: ClassVar[str] = ""
    """The quantity's notation, if it is more than the word."""
    of_outcome: ClassVar[bool] = True
    """Whether the quantity depends on the outcome alone, after backup rules."""
    about_resolutions: ClassVar[bool] = False
    """Whether the quantity depends only on the resolutions of the equations (`Goal.about_resolutions`)."""

    def __str__(self) -> str:
        return self.name

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        """Return the quantity with this argument, the text after the colon in `hold:MUN`; by default, the argument is ignored.

        Raises `InputError` if it cannot be parsed.
        """
        return cls()

    @abstractmethod
    def value(self, judged: Judged) -> int | None:
        """Return the value for a judged position; None if there is none, so that no comparison holds."""

    def has_answer(self, judged: Judged) -> bool:
        """Return whether the judged position decides the quantity's value, or that it has none; by default, any does."""
        return True

    def least_units(self, least: int) -> int:
        """Return a lower bound (default: 0) on units if the quantity is at least `least` (see `Goal.least_units`)."""
        return 0

    draws: ClassVar[bool] = False
    """Whether the quantity can make boards without a search (`draw_board`)."""

    def draw_board(
        self, universe: Universe, least: int, max_value: int | None, time_left: Callable[[], float | None]
    ) -> DrawnBoard | None:
        """Make a smallest board with the quantity from `least` to `max_value` (None: no limit); by default return None."""
        return None

    # For quantities of the outcome

    def has_value(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if and only if the quantity has a value, by default `TRUE`."""
        return TRUE

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        """Return the literal that the quantity is at least `least`, if it has a value; by default raises `TypeError`.

        `least` is positive.
        """
        raise TypeError(f"{self} depends on more than the outcome, but only the outcome can be used here")

    def highest(self, encoding: Encoding) -> int:
        """Return an upper bound on the quantity, under the encoding's possible orders; by default raises `TypeError`."""
        raise TypeError(f"{self} depends on more than the outcome, but only the outcome can be used here")

    # For all other quantities

    def require(self, question: Question, least: int, max_value: int | None) -> None:
        """Add what holds if the quantity is from `least` to `max_value` (None: no limit) to a question; by default nothing."""
        return

    def hints(self, universe: Universe) -> Iterator[str]:
        """Yield sentences with reasons why the quantity has no value on any board of the universe, by default none."""
        return iter(())

    theorem: ClassVar[str] = ""
    """The theorem of docs/papers/cores.md, in words, that restricts the quantity's values, under rulebooks where it holds."""

    def list_possible_values(self, max_value: int) -> Collection[int] | None:
        """Return the values that `theorem` allows, up to the first above `max_value`; None (the default) if it allows all."""
        return None


@dataclass(frozen=True, slots=True)
class Number(Quantity):
    """A number written in the goal."""

    number: int

    def __str__(self) -> str:
        return str(self.number)

    def value(self, judged: Judged) -> int:
        return self.number

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        return TRUE if self.number >= least else FALSE

    def highest(self, encoding: Encoding) -> int:
        return self.number


RELATIONS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "=": operator.eq,
    "!=": operator.ne,
}
_OPPOSITES = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "=": "!=", "!=": "="}


@dataclass(frozen=True)
class QuantityComparison(Goal):
    """The goal that a relation such as `>=` holds between two quantities; false if one of them has no value."""

    one: Quantity
    relation: str
    other: Quantity

    def __str__(self) -> str:
        return f"{self.one} {self.relation} {self.other}"

    def holds(self, judged: Judged) -> bool:
        if not self.has_answer(judged):
            return False
        one, other = self.one.value(judged), self.other.value(judged)
        return one is not None and other is not None and RELATIONS[self.relation](one, other)

    @property
    def is_about_outcome(self) -> bool:
        return self.one.of_outcome and self.other.of_outcome

    @property
    def about_resolutions(self) -> bool:  # type: ignore[override]  # that of the quantity
        """True if the comparison depends only on the resolutions of the equations."""
        return not self.is_about_outcome and self.one.about_resolutions

    def has_answer(self, judged: Judged) -> bool:
        answered = judged.aftermath is not None or not self.is_about_outcome
        return answered and self.one.has_answer(judged) and self.other.has_answer(judged)

    def literal(self, encoding: Encoding) -> Literal:
        one, other = self.one, self.other
        have_values = (one.has_value(encoding), other.has_value(encoding))
        match self.relation:
            case ">" | "<=":
                related = _is_above(encoding, one, other)
            case "<" | ">=":
                related = _is_above(encoding, other, one)
            case _:
                related = encoding.any_of((_is_above(encoding, one, other), _is_above(encoding, other, one)))
        return encoding.all_of((*have_values, related if self.relation in (">", "<", "!=") else -related))

    def require(self, question: Question) -> None:
        if self.is_about_outcome:
            question.formula.require(self.literal(question.get_outcome()))
        else:
            self._require_relation(question, self.relation)

    def require_not(self, question: Question) -> None:
        if self.is_about_outcome:
            question.formula.require(-self.literal(question.get_outcome()))
        else:
            self._require_relation(question, _OPPOSITES[self.relation])

    def _require_relation(self, question: Question, relation: str) -> None:
        """Require what the relation of the first quantity to the second, a number, implies; `!=` implies nothing."""
        least, most = self._get_bounds(relation)
        if relation != "!=":
            self.one.require(question, least, most)

    def _get_bounds(self, relation: str) -> tuple[int, int | None]:
        """Return the least and the largest value that the relation allows: 0 or None if it sets no such bound."""
        assert isinstance(self.other, Number)
        number = self.other.number
        least = {">=": number, "=": number, ">": number + 1}.get(relation, 0)
        return least, {"<=": number, "=": number, "<": number - 1}.get(relation)

    @property
    def draws(self) -> bool:  # type: ignore[override]  # that of the quantity
        """True if the first quantity can make boards that meet the comparison, without a search."""
        return self.one.draws and not self.is_about_outcome

    def least_units(self) -> int:
        return 0 if self.is_about_outcome else self.one.least_units(self._get_bounds(self.relation)[0])

    def draw_board(self, universe: Universe, time_left: Callable[[], float | None]) -> DrawnBoard | None:
        return None if self.is_about_outcome else self.one.draw_board(universe, *self._get_bounds(self.relation), time_left)

    def find_refutation(self, rulebook: Rulebook, game_map: Map | None) -> str | None:
        if self.is_about_outcome or game_map is None or game_map.own_rules or rulebook.settings() != load_rulebook().settings():
            return None
        assert isinstance(self.other, Number)
        values, related = self.one.list_possible_values(self.other.number), RELATIONS[self.relation]
        none = values is not None and not any(related(value, self.other.number) for value in values)
        return f"{self.one.theorem} (docs/papers/cores.md)" if none else None

    def hints(self, universe: Universe) -> Iterator[str]:
        yield from self.one.hints(universe)
        yield from self.other.hints(universe)


def _is_above(encoding: Encoding, one: Quantity, other: Quantity) -> Literal:
    """Return the literal that holds if the first quantity is greater than the second."""
    if isinstance(other, Number):
        return TRUE if other.number < 0 else one.at_least(encoding, other.number + 1)
    if isinstance(one, Number):
        return -other.at_least(encoding, one.number) if one.number > 0 else FALSE
    reached = ((TRUE, 0), *((other.at_least(encoding, n), n) for n in range(1, other.highest(encoding) + 1)))
    return encoding.all_of(encoding.any_of((-literal, one.at_least(encoding, n + 1))) for literal, n in reached)


# ---- strengths in the outcome, and the goal of a beleaguered garrison, which compares them ----
#
# One statement serves for the equations with their final values (`Reading`) and with unknown ones (`Encoding`).

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
        return convert_strength(judged.reading.hold(place), place.rules) if place else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        place = encoding.orders.situation.places.get(self.province)
        if place is None:  # no order affects it
            return encoding.orders.occupied.get(self.province, FALSE) if least == 1 else FALSE
        return reaches_value(encoding.hold(place), least)

    def highest(self, encoding: Encoding) -> int:
        place = encoding.orders.situation.places.get(self.province)
        return len(encoding.hold(place)) if place else 1

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.province), universe)


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
            raise InputError(f"{order} is not a move", suggestion=f'write {cls.name}:"A PAR - BUR"')
        short = shorten_order(order, game_map)
        assert isinstance(short, Move)
        return cls(short)

    def _compute_strength(self, logic: Logic[Any, N], move: MoveDecision) -> N:
        """Return the move's strength, computed by the logic's method of the same name as the quantity (such as `attack`)."""
        strength: N = getattr(logic, self.name)(move)
        return strength

    def value(self, judged: Judged) -> int | None:
        found = (m for m in judged.situation.moves if is_same_order(self.order, m.order))
        return next((convert_strength(self._compute_strength(judged.reading, m), m.rules) for m in found), None)

    def has_value(self, encoding: Encoding) -> Literal:
        return encoding.any_of(given for _, given in self._iter_moves(encoding))

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        found = ((given, reaches_value(self._compute_strength(encoding, m), least)) for m, given in self._iter_moves(encoding))
        return encoding.any_of(map(encoding.all_of, found))

    def highest(self, encoding: Encoding) -> int:
        return max((len(self._compute_strength(encoding, m)) for m, _ in self._iter_moves(encoding)), default=0)

    def _iter_moves(self, encoding: Encoding) -> Iterator[tuple[MoveDecision, Literal]]:
        """Yield the moves that match the quantity's order, each with the literal that holds if its unit is given that order."""
        orders, unit = encoding.orders, self.order.unit
        units = orders.iter_units(unit.province)
        stands = encoding.any_of(literal for spot, literal in units if is_same_unit(unit, spot.unit_name))
        wanted = drop_unit_name(self.order)
        for decision, order in zip(orders.situation.order_decisions, orders.written_orders, strict=True):
            if isinstance(decision, MoveDecision) and is_same_order(wanted, order):
                yield decision, encoding.all_of((stands, encoding.is_chosen(decision)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(self.order.unit, universe)


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


def reaches_value(strength: Thresholds, least: int) -> Literal:
    """Return the literal that holds if a strength is at least `least`, which is positive."""
    return strength[least - 1] if least <= len(strength) else FALSE


@dataclass(frozen=True, slots=True)
class BeleagueredGoal(StatedGoal):
    """The goal that a unit is a beleaguered garrison: several moves each exceed its HOLD, and all fail (DATC 6.E)."""

    name = "beleaguered"
    form = "beleaguered:PROVINCE"

    place: Location

    def __str__(self) -> str:
        return f"beleaguered:{self.place}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return cls(read_province(argument, game_map, cls.name))

    def stated(self, logic: Logic[B, Any], situation: Situation) -> B:
        return logic.any_of(_is_beleaguered(logic, place) for place in [situation.places.get(self.place)] if place)

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.place), universe)


def _is_beleaguered(logic: Logic[B, Any], place: Place) -> B:
    """Return whether the unit in a place is a beleaguered garrison, as a truth value or a literal, depending on the logic."""
    outdoing = (logic.all_of((logic.is_chosen(m), logic.exceeds(logic.attack(m), logic.hold(place)))) for m in place.moves_in)
    at_least_two = logic.exceeds(logic.total(0, outdoing), logic.total(1, ()))
    return logic.all_of(
        (logic.is_occupied(place), logic.none_of(map(logic.move, (*place.moves_in, *place.moves_out))), at_least_two)
    )


# ---- supply centres that a power owns after the season, and units that it may build ----
#
# In Fall, units take the centres where they stand. In Spring, no centre changes hands and nothing is built
# (`satjudge.world.seasons`).


@dataclass(frozen=True, slots=True)
class _PowerQuantity(Quantity):
    power: Power

    def __str__(self) -> str:
        return f"{self.name}:{self.power}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        return cls(parse_power(argument, game_map))

    def has_answer(self, judged: Judged) -> bool:
        return judged.aftermath is not None


class Centers(_PowerQuantity):
    """The number of supply centres that count for a power when the season is over."""

    __slots__ = ()
    name = "centers"
    form = "centers:POWER"

    def value(self, judged: Judged) -> int:
        after = judged.board_afterwards
        return counted_centers(after, self.power) if after else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        owned = dict(iter_owned_centers(encoding, self.power))
        provinces = encoding.orders.map.provinces
        counted = (literal for code, literal in owned.items() if self.power not in provinces[code].not_counted)
        return encoding.formula.at_least(least, counted)

    def highest(self, encoding: Encoding) -> int:
        return sum(literal != FALSE for _, literal in iter_owned_centers(encoding, self.power))


class Builds(_PowerQuantity):
    """The number of units that a power may build after Fall; none after Spring."""

    __slots__ = ()
    name = "builds"
    form = "builds:POWER"

    def value(self, judged: Judged) -> int:
        after = judged.board_afterwards
        return max(0, adjustments_due(after).get(self.power, 0)) if after and judged.ends_in_fall else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        """Return the literal that holds if a power may build `least` units after Fall, if none of its units is dislodged."""
        board = encoding.orders.situation.board
        if not _is_fall(encoding):
            return FALSE
        units = sum(unit.power == self.power for unit in board.units)
        homes = board.map.build_centers(self.power)
        sites = (
            encoding.all_of((literal, -OccupiedGoal(code).literal(encoding)))
            for code, literal in iter_owned_centers(encoding, self.power)
            if code in homes
        )
        surplus = Centers(self.power).at_least(encoding, least + units)
        return encoding.all_of((surplus, encoding.formula.at_least(least, sites)))

    def highest(self, encoding: Encoding) -> int:
        return len(encoding.orders.map.centers)


def iter_owned_centers(encoding: Encoding, power: Power) -> Iterator[tuple[ProvinceCode, Literal]]:
    """Yield each supply centre, sorted by code, with the literal that holds if the power owns it after the season."""
    board = encoding.orders.situation.board
    for code in sorted(board.map.centers):
        had = TRUE if board.centers.get(code) == power else FALSE
        if not _is_fall(encoding):
            yield code, had
        else:
            is_kept = encoding.all_of((had, -OccupiedGoal(code).literal(encoding)))
            yield code, encoding.any_of((OccupiedGoal(code, power).literal(encoding), is_kept))


def _is_fall(encoding: Encoding) -> bool:
    turn = encoding.orders.situation.board.turn
    return turn is not None and turn.season is Season.FALL
