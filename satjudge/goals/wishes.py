"""Wishes of a power, read from text: goals of `satjudge search` that speak of the outcome, three words more, and counts.

    keep VIE    no foreign unit stands in Vienna after the moves        not occupied:VIE or occupied:VIE=AUSTRIA
    take BUD    a unit of the power stands in Budapest after the moves  occupied:BUD=AUSTRIA
    hold VIE    the unit in Vienna is not dislodged                     not dislodged:VIE
    hold        no unit of the power is dislodged
    count(take BUD, take SER, take TRI) >= 2

`take STP/NC` is to have a fleet on that coast, `hold STP/NC` speaks of the fleet that is there; one keeps provinces.

A wish speaks of the position after the moves and before any retreat.
"""

from __future__ import annotations

from functools import reduce
from typing import cast

from satjudge.board import Board, Unit
from satjudge.errors import InputError, located
from satjudge.geography import Location, Power, province_of
from satjudge.goals.counts import Count
from satjudge.goals.goal import Both, Either, Goal, Not
from satjudge.goals.outcomes import Dislodged, Occupied, existing
from satjudge.goals.registry import GOALS, GoalReader
from satjudge.unknown.universe import fits

_WORDS = ("keep", "take", "hold")
FORMS = {
    **{word: f"{word} PROVINCE" for word in _WORDS},
    **{goal.name: goal.form for goal in (Dislodged, Occupied)},
    Count.name: "count(WISH, …) >= 2",
}
_END_OF_PLACE = (*_WORDS, "and", "or", "not", "(", ")", ",")


def parse_wish(text: str, board: Board, power: Power) -> Goal:
    """Read a wish. Raises `InputError` for what cannot be read, and for goals that do not speak of the outcome."""
    return WishReader(text, board, power).whole()


def own_units(board: Board, power: Power) -> tuple[Unit, ...]:
    """The units of the power. Raises `InputError` if it has none."""
    own = tuple(unit for unit in board.units if unit.power == power)
    if not own:
        there = dict.fromkeys(board.map.name_of(unit.power) for unit in board.units)
        raise InputError(f"{board.map.name_of(power)} has no units on this board", suggestion=f"units have {', '.join(there)}")
    return own


class WishReader(GoalReader):
    """Reads a wish; `remarks` are what the power may not have meant."""

    def __init__(self, text: str, board: Board, power: Power) -> None:
        super().__init__(text, board.map, {goal.name: goal for goal in GOALS})
        self.quantities = {Count.name: Count}
        self.board = board
        self.power = power
        self.own = own_units(board, power)
        self.remarks: list[str] = []

    def forms(self) -> dict[str, str]:
        """The wishes without parts that there are, and how each is written."""
        return FORMS

    def atom(self, word: str, column: int) -> Goal:
        """A wish without parts."""
        name = word.casefold()
        if name in _WORDS:
            return self._wish(name, self._place(), column)
        goal = super().atom(word, column)
        if not isinstance(goal, Dislodged | Occupied):
            raise self.complaint(f"{word} cannot be guaranteed", column)
        return goal

    def without(self) -> Goal:
        """A wish speaks of the board as it is."""
        word, column = self.tokens[0]
        raise self.complaint(f"{word} cannot be guaranteed", column)

    def _place(self) -> tuple[Location, int] | None:
        """The province or coast that is named next, if one is, and the column at which it is."""
        words = []
        while self.tokens and self.tokens[0][0].casefold() not in _END_OF_PLACE:
            words.append(self.tokens.pop(0))
        if not words:
            return None
        _, first = words[0]
        with located(f"goal {self.text!r}", offset=first - 1):
            return existing(" ".join(word for word, _ in words), self.map), first

    def _wish(self, word: str, place: tuple[Location, int] | None, column: int) -> Goal:
        if place is None and word == "hold":
            first, *others = (Not(Dislodged(unit.province)) for unit in self.own)
            return reduce(Both, others, cast(Goal, first))
        if place is None:
            raise self.complaint(f"{word} what?", column, f"write {word} {self.own[0].province}")
        location, where = place
        if word == "hold":
            places = [unit.location for unit in self.own]
            if not any(fits(location, place) for place in places):
                message = f"no unit of {self.map.name_of(self.power)} stands in {location} that could hold it"
                raise self.complaint(message, where, f"its units stand in {', '.join(places)}; there is also take {location}")
            return Not(Dislodged(location))
        taken = Occupied(location, self.power)
        if word == "take":
            return taken
        province = province_of(location)
        if province != location:
            raise self.complaint(f"{province} is kept as a whole, whatever the coast", where, f"write keep {province}")
        if not any(unit.province == province for unit in self.own):
            name = self.map.name_of(self.power)
            self.remarks.append(f"no unit of {name} stands in {province}; keep {province} is to have no foreign one there")
        return Either(taken, Not(Occupied(province)))
