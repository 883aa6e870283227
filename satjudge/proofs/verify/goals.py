"""Turns goals of searches into literals, such as `occupied:PAR=FRANCE`, `some(dislodged:UNIT)` and `differs:1982,datc-3`.

The goals are those of docs/reference/goals.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from satjudge.base.errors import InputError
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, EncodedOutcome, Literal
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Move, MovementOrder, Named
from satjudge.world.rules.rulebook import RetreatToOrigin

if TYPE_CHECKING:
    from satjudge.proofs.verify.searches import OpenFormula, Wanted

Wish: TypeAlias = Callable[["OpenFormula", EncodedOutcome], Literal]
_WORD = re.compile(r"[()]|[^\s()]+")


@dataclass
class WishParser:
    """Parses a wish: elementary goals joined with `and`, `or`, `not` and parentheses.

    Raises `InputError` for anything else. Goals that name a power need a known `board`.
    """

    text: str
    map: Map
    board: Board | None = None

    def __post_init__(self) -> None:
        self.words = _WORD.findall(self.text)

    def parse_wish(self) -> Wish:
        """Parse the text; return a function that makes, for an outcome, the literal that is true if the wish is fulfilled."""
        try:
            found = self._parse_disjunction()
        except RecursionError:
            raise InputError("the goal is nested too deeply") from None
        if self.words:
            raise self._make_error(self.words[0])
        return found

    def _make_error(self, word: str) -> InputError:
        return InputError(f"certificates do not support “{word}” in “{self.text}”")

    def _take_word(self, word: str) -> bool:
        """Remove the next word of the text if it is `word`, and return whether it was."""
        if self.words[:1] != [word]:
            return False
        self.words.pop(0)
        return True

    def _parse_disjunction(self) -> Wish:
        parts = [self._parse_conjunction()]
        while self._take_word("or"):
            parts.append(self._parse_conjunction())
        return lambda question, found: question.cnf.any_of(part(question, found) for part in parts)

    def _parse_conjunction(self) -> Wish:
        parts = [self._parse_term()]
        while self._take_word("and"):
            parts.append(self._parse_term())
        return lambda question, found: question.cnf.all_of(part(question, found) for part in parts)

    def _parse_term(self) -> Wish:
        if self._take_word("not"):
            denied = self._parse_term()
            return lambda question, found: -denied(question, found)
        if self.words[:4] == ["some", "(", "dislodged:UNIT", ")"]:
            del self.words[:4]
            return lambda question, found: question.cnf.any_of(
                question.is_dislodged(found, province) for province in question.boards.occupancy
            )
        if self._take_word("("):
            inner = self._parse_disjunction()
            if not self._take_word(")"):
                raise InputError(f"a parenthesis is not closed in “{self.text}”")
            return inner
        return self._parse_atom(self.words.pop(0) if self.words else "")

    def _parse_atom(self, word: str) -> Wish:
        name, _, argument = word.partition(":")
        place, equals, power = argument.partition("=")
        if province_of(place) not in self.map.provinces or place not in self.map.locations:
            raise self._make_error(word)
        if name == "dislodged" and not equals:
            return lambda question, found: question.is_dislodged(found, place)
        if name != "occupied":
            raise self._make_error(word)
        if not equals and place in self.map.provinces:
            return lambda question, found: self._is_occupied(question, found, place)
        powers = {power} if equals else {unit.power for unit in self._list_units()}
        if not self.board or not powers <= {*self.map.powers, *(unit.power for unit in self._list_units())}:
            raise self._make_error(word)
        return lambda question, found: self._stands_literal(question, found, place, frozenset(powers))

    def _list_units(self) -> Sequence[Unit]:
        return self.board.units if self.board else ()

    @staticmethod
    def _is_occupied(question: OpenFormula, outcome: EncodedOutcome, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a unit stands undislodged in a province after the moves of the outcome."""
        stays = question.cnf.all_of(
            (question.boards.occupancy.get(province, FALSE), -question.has_departure(outcome, province))
        )
        return question.cnf.any_of((question.has_arrival(outcome, province), stays))

    def _stands_literal(
        self, question: OpenFormula, outcome: EncodedOutcome, place: Location, powers: frozenset[Power]
    ) -> Literal:
        """Return the literal that is true if a unit of one of the powers stands undislodged in a place after the moves."""
        province, units = province_of(place), {unit.province: unit for unit in self._list_units()}
        arrive = []
        for move in outcome.equations.moves_to[province]:
            assert isinstance(move.order, Move)
            if units[move.province].power in powers and place in (province, move.order.destination):
                arrive.append(outcome.moves[move])
        standing_unit = units.get(province)
        if standing_unit and standing_unit.power in powers and place in (province, standing_unit.location):
            arrive.append(
                question.cnf.all_of((-question.has_departure(outcome, province), -question.has_arrival(outcome, province)))
            )
        return question.cnf.any_of(arrive)


# ---- `differs`: literals that are true if the outcomes under two rulebooks differ in an aspect ----
#
# Written from DATC 3.2 (4.A.5, 4.E.2, 5.B and the cases of 6.H) and docs/background/search.md alone.


def has_move_difference(question: OpenFormula, outcomes: Sequence[EncodedOutcome]) -> Literal:
    """Return the literal that is true if some move succeeds in only one of the two outcomes."""
    one, other = ({move.order: literal for move, literal in outcome.moves.items()} for outcome in outcomes)
    return question.cnf.any_of(
        question.has_difference(one.get(move, FALSE), other.get(move, FALSE)) for move in {**one, **other}
    )


def has_dislodgement_difference(question: OpenFormula, outcomes: Sequence[EncodedOutcome]) -> Literal:
    """Return the literal that is true if some unit is dislodged in only one of the two outcomes."""
    one, other = outcomes
    return question.cnf.any_of(
        question.has_difference(question.is_dislodged(one, province), question.is_dislodged(other, province))
        for province in question.boards.units_in
    )


def has_verdict_difference(question: OpenFormula, outcomes: Sequence[EncodedOutcome]) -> Literal:
    """Return the literal that is true if an order's verdict differs, or a unit is destroyed in only one of the two outcomes.

    If a unit is dislodged in only one outcome, some move succeeds in only one, and its verdict shows the difference. So for
    units and their holds, it is enough to compare whether they are destroyed.
    """
    one, other = (Results(question, outcome).of_orders for outcome in outcomes)
    not_given = (FALSE, FALSE, FALSE)
    orders = (
        question.has_difference(*results)
        for order in {**one, **other}
        for results in zip(one.get(order, not_given), other.get(order, not_given), strict=True)
    )
    before, after = (Retreats(question, outcome) for outcome in outcomes)
    destroyed = (
        question.has_difference(before.is_destroyed(unit), after.is_destroyed(unit)) for unit in question.boards.stands
    )
    return question.cnf.any_of((*orders, *destroyed))


def has_retreat_difference(question: OpenFormula, outcomes: Sequence[EncodedOutcome]) -> Literal:
    """Return the literal that a unit dislodged in both outcomes may retreat to some province of the region in only one."""
    one, other = (Retreats(question, outcome) for outcome in outcomes)
    found = []
    for unit in question.boards.stands:
        dislodged = (question.is_dislodged(outcome, unit.location) for outcome in outcomes)
        places = [place for place in one.list_places(unit) if place in question.bounds.region]
        differ = question.cnf.any_of(
            question.has_difference(one.is_open(unit.province, place), other.is_open(unit.province, place)) for place in places
        )
        found.append(question.cnf.all_of((question.boards.stands[unit], *dislodged, differ)))
    return question.cnf.any_of(found)


@dataclass(frozen=True)
class Results:
    """The results of orders in an outcome."""

    question: OpenFormula
    outcome: EncodedOutcome

    @cached_property
    def of_orders(self) -> Mapping[MovementOrder, tuple[Literal, Literal, Literal]]:
        """Three literals for each possible order but holds: true if it is given and counts, if also valid, if also successful.

        The literals can have four combinations of values, one for each verdict of DATC 4.E.2 and 5.B on a given order:
        illegal, invalid, and the words for success and failure of its kind.
        """
        return dict(self._iter_results())

    def _iter_results(self) -> Iterator[tuple[MovementOrder, tuple[Literal, Literal, Literal]]]:
        all_of, outcome = self.question.cnf.all_of, self.outcome
        for candidate, succeeds in {**outcome.moves, **outcome.supports, **outcome.convoys}.items():
            valid = all_of((candidate.given, outcome.equations.is_valid(candidate)))
            yield candidate.order, (candidate.given, valid, all_of((valid, succeeds)))


@dataclass(frozen=True)
class Retreats:
    """The retreats of dislodged units in an outcome."""

    question: OpenFormula
    outcome: EncodedOutcome

    def is_destroyed(self, unit: Named) -> Literal:
        """Return the literal that is true if the unit is there, dislodged, and without a retreat in the region or out of it.

        Retreats out of the region are always possible.
        """
        places = self.list_places(unit)
        if any(place not in self.question.bounds.region for place in places):
            return FALSE
        dislodged = self.question.is_dislodged(self.outcome, unit.location)
        barred = (-self.is_open(unit.province, place) for place in places)
        return self.question.cnf.all_of((self.question.boards.stands[unit], dislodged, *barred))

    def list_places(self, unit: Named) -> Sequence[ProvinceCode]:
        """List the provinces to which a unit could retreat, by land or water, on an empty board (6.H.3, 6.H.15)."""
        assert unit.kind is not None
        return sorted({province_of(place) for place in self.question.bounds.map.exits(unit.kind, unit.location)})

    def is_open(self, origin: ProvinceCode, place: ProvinceCode) -> Literal:
        """Return the literal that is true if a unit dislodged in `origin` may retreat to `place`, which is not barred (6.H).

        If the attacker came by convoy, the rulebook's choice for 4.A.5 decides whether its origin is barred.
        """
        allowed = self.outcome.equations.rules.retreat_to_origin is RetreatToOrigin.ALLOWED
        attackers = (
            self.question.cnf.all_of((self.outcome.moves[move], -self.outcome.equations.is_convoyed(move) if allowed else TRUE))
            for move in self.outcome.equations.moves_from[place]
            if move.destination == origin
        )
        return self.question.cnf.all_of((*(-bar for bar in self.list_bars(place)), *(-attacker for attacker in attackers)))

    def list_bars(self, place: ProvinceCode) -> tuple[Literal, Literal, Literal]:
        """Return three literals: the unit in a province stays, one arrives, or a move there fails but may keep others out.

        A failed move counts only if its PREVENT is above 0, so that it could have kept others out (6.H.6, 6.H.16).
        """
        question, equations = self.question, self.outcome.equations
        occupied = question.boards.occupancy.get(place, FALSE)
        stays = question.cnf.all_of((occupied, -question.has_departure(self.outcome, place)))
        contested = question.cnf.any_of(
            question.cnf.all_of((-self.outcome.moves[move], equations.prevent(move)[0])) for move in equations.moves_to[place]
        )
        return stays, question.has_arrival(self.outcome, place), contested


DIFFERENCES: Mapping[str, tuple[str, Wanted]] = {
    "": ("some move succeeds under one rulebook only", has_move_difference),
    "units": ("some move succeeds under one rulebook only", has_move_difference),
    "dislodgements": ("some unit is dislodged under one rulebook only", has_dislodgement_difference),
    "verdicts": ("the verdict on some order is different under each rulebook", has_verdict_difference),
    "retreats": (
        "some unit is dislodged under both rulebooks and may retreat somewhere under one only",
        has_retreat_difference,
    ),
}
"""The aspects in which rulebooks may differ, each with its meaning and the function that makes its literal."""
