"""Parses wishes of a power: goals of `satjudge search` about the outcome, three further words, and counts.

    keep VIE    no foreign unit stands in Vienna after the moves        not occupied:VIE or occupied:VIE=AUSTRIA
    take BUD    a unit of the power stands in Budapest after the moves  occupied:BUD=AUSTRIA
    hold VIE    the unit in Vienna is not dislodged                     not dislodged:VIE
    hold        no unit of the power is dislodged
    centers:AUSTRIA >= 5, builds:AUSTRIA >= 2, when a season is over
    count(take BUD, take SER, take TRI) >= 2, at least 2 of (take BUD, take SER, take TRI)

`take STP/NC` asks for a fleet on that coast, and `hold STP/NC` is about the fleet there. `keep` needs a province, not a coast.

A wish is about the position after the moves and before retreats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import cast

from satjudge.base.errors import InputError, locate_errors
from satjudge.notation.parse import parse_power
from satjudge.search.formulas.clauses import Literal
from satjudge.search.goals.counts import Count, iter_elementary_goals
from satjudge.search.goals.goal import Both, Either, Goal, Not, OutcomeGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.order_goals import ORDER_GOALS, AttackGoal, OrderGoal
from satjudge.search.goals.outcomes import DislodgedGoal, OccupiedGoal, read_place
from satjudge.search.goals.quantities import Builds, Centers, Number, QuantityComparison
from satjudge.search.goals.registry import GOALS, GoalReader
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.universe import fits_place
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Power, province_of

_WORDS = ("keep", "take", "hold")
FORMS = {
    **{word: f"{word} PROVINCE" for word in _WORDS},
    **{goal.name: goal.form for goal in (DislodgedGoal, OccupiedGoal)},
    Count.name: "count(WISH, …) >= 2",
}
OWNED: tuple[type[Centers] | type[Builds], ...] = (Centers, Builds)
_OWNED = tuple(one.name for one in OWNED)
_END_OF_PLACE = (*_WORDS, "and", "or", "not", "(", ")", ",")


def parse_wish(text: str, board: Board, power: Power) -> Goal:
    """Parse the text of a power's wish about a board.

    Raises `InputError` for text that cannot be parsed, and for goals that are not about the outcome.
    """
    return WishReader(text, board, power).parse_text()


def list_own_units(board: Board, *powers: Power) -> tuple[Unit, ...]:
    """Return the units on a board that belong to these powers; raises `InputError` if a power has none."""
    names = dict.fromkeys(board.map.name_of(unit.power) for unit in board.units)
    for power in powers:
        if all(unit.power != power for unit in board.units):
            message = f"{board.map.name_of(power)} has no units on this board"
            raise InputError(message, suggestion=f"these powers have units: {', '.join(names)}")
    return tuple(unit for unit in board.units if unit.power in powers)


def is_about_dislodgement(goal: Goal) -> bool:
    """Return whether a goal depends on which units are dislodged."""
    return any(isinstance(atom, DislodgedGoal | PowerDislodgedGoal) for atom in iter_elementary_goals(goal))


@dataclass(frozen=True, slots=True)
class PowerDislodgedGoal(OutcomeGoal):
    """The goal that some unit of these powers is dislodged, wherever it stands."""

    powers: tuple[Power, ...]

    def __str__(self) -> str:
        return f"dislodged:{','.join(self.powers)}"

    def holds(self, judged: Judged) -> bool:
        lost = judged.aftermath.dislodgements.values() if judged.aftermath else ()
        return any(one.unit.power in self.powers for one in lost)

    def literal(self, encoding: Encoding) -> Literal:
        orders = encoding.orders
        return encoding.any_of(
            encoding.all_of((orders.powers.has_unit_of(province, power), encoding.dislodged(province)))
            for province in orders.occupied
            for power in self.powers
        )


class WishReader(GoalReader):
    """Parses a wish of a power and its `allies`; `remarks` warn of words that may not mean what was intended.

    With `seasons`, the wish is about the position after several seasons and all dislodgements during them.
    """

    def __init__(self, text: str, board: Board, power: Power, allies: tuple[Power, ...] = (), *, seasons: bool = False) -> None:
        super().__init__(text, board.map, {goal.name: goal for goal in GOALS})
        self.quantities = {Count.name: Count, **({one.name: one for one in OWNED} if seasons else {})}
        self.board = board
        self.power = power
        self.powers = (power, *allies)
        self.seasons = seasons
        self.own = list_own_units(board, *self.powers)
        self.remarks: list[str] = []

    @property
    def joined_power_names(self) -> str:
        """The names of the power and its allies, joined by "and"."""
        return " and ".join(self.map.name_of(power) for power in self.powers)

    def list_forms(self) -> dict[str, str]:
        """Return the notation of each elementary wish, such as `keep PROVINCE`, by its first word."""
        return FORMS | ({one.name: f"{one.form} >= 2" for one in OWNED} if self.seasons else {})

    def parse_single_goal(self) -> Goal:
        """Parse one wish, which may also be a count such as `at least 2 of (…)`."""
        words = [word.casefold() for word, _ in self.tokens[:5]]
        if words[:2] != ["at", "least"]:
            name = words[0].partition(":")[0] if words else ""
            if name in _OWNED and not self.seasons:
                raise self.make_error(f"{name} are only known at the end of a season", self.tokens[0][1], "add --seasons 1")
            return super().parse_single_goal()
        column = self.tokens[0][1]
        if len(words) < 5 or not words[2].isdecimal() or words[3:] != ["of", "("]:
            raise self.make_error("expected a number and a list", column, "write at least 2 of (take SER, take GRE)")
        del self.tokens[:4]
        return QuantityComparison(Count(self.parse_goal_list(column)), ">=", Number(int(words[2])))

    def parse_atom(self, word: str, column: int) -> Goal:
        """Parse an elementary wish from its word and, after `keep`, `take` or `hold`, a place from the next tokens."""
        name = word.casefold()
        if name in _WORDS:
            return self._build_wish(name, self._parse_place(), column)
        goal = super().parse_atom(word, column)
        if not isinstance(goal, DislodgedGoal | OccupiedGoal):
            raise self.make_error(f"{word} cannot be part of a wish", column)
        return goal

    def parse_without_unit(self) -> Goal:
        """Raise `InputError`, since a wish cannot be about the board without a unit."""
        word, column = self.tokens[0]
        raise self.make_error(f"{word} cannot be part of a wish", column)

    def _parse_place(self) -> tuple[Location, int] | None:
        """Parse the name of a province or coast from the next tokens; return it with its column, or None if no name follows."""
        words = []
        while self.tokens and self.tokens[0][0].casefold() not in _END_OF_PLACE:
            words.append(self.tokens.pop(0))
        if not words:
            return None
        _, first = words[0]
        with locate_errors(f"goal {self.text!r}", offset=first - 1):
            return read_place(" ".join(word for word, _ in words), self.map), first

    def _build_wish(self, word: str, place: tuple[Location, int] | None, column: int) -> Goal:
        if place is None and word == "hold":
            if self.seasons:
                return Not(PowerDislodgedGoal(self.powers))
            first, *others = (Not(DislodgedGoal(unit.province)) for unit in self.own)
            return reduce(Both, others, cast(Goal, first))
        if place is None:
            raise self.make_error(f"expected a province after {word}", column, f"write {word} {self.own[0].province}")
        location, where = place
        if word == "hold":
            places = [unit.location for unit in self.own]
            if not any(fits_place(location, place) for place in places):
                message = f"no unit of {self.joined_power_names} is in {location} to hold it"
                raise self.make_error(
                    message, where, f"its units are in {', '.join(places)}; to take a province, write take {location}"
                )
            return Not(DislodgedGoal(location))
        one, *more = (OccupiedGoal(location, power) for power in self.powers)
        wish = reduce(Either, more, cast(Goal, one))
        if word == "take":
            return wish
        province = province_of(location)
        if province != location:
            raise self.make_error("`keep` needs a province without a coast", where, f"write keep {province}")
        if not any(unit.province == province for unit in self.own):
            self.remarks.append(
                f"no unit of {self.joined_power_names} stands in {province}; keep {province} means that no foreign unit does"
            )
        return Either(wish, Not(OccupiedGoal(province)))


class AssumptionReader(GoalReader):
    """Parses assumptions about other powers' orders: `not order:"A UKR - GAL"`, `holds:RUSSIA`, `not attacks:GAL=RUSSIA`.

    The last example can also be written `Russia does not attack GAL`. `remarks` warn of assumptions without effect on the
    board.
    """

    def __init__(self, text: str, board: Board, powers: tuple[Power, ...]) -> None:
        super().__init__(text, board.map, {goal.name: goal for goal in ORDER_GOALS})
        self.quantities = {Count.name: Count}
        self.powers = powers
        self.units = [unit for unit in board.units if unit.power not in powers]
        self.remarks: list[str] = []
        present_powers = dict.fromkeys((*(unit.power for unit in board.units), *board.centers.values()))
        self.others = tuple(power for power in present_powers if power not in powers)

    def list_forms(self) -> dict[str, str]:
        """Return the notation of each goal that may be assumed, by its name."""
        return {goal.name: goal.form for goal in ORDER_GOALS} | {"does not attack": "POWER does not attack PROVINCE"}

    def parse_atom(self, word: str, column: int) -> Goal:
        """Parse an assumption about others' orders from its word and, for one, `does not attack PROVINCE` in the tokens."""
        if [token.casefold() for token, _ in self.tokens[:3]] == ["does", "not", "attack"] and len(self.tokens) > 3:
            with locate_errors(f"goal {self.text!r}", offset=column - 1):
                power = parse_power(word, self.map)
            place, where = self.tokens[3]
            del self.tokens[:4]
            with locate_errors(f"goal {self.text!r}", offset=where - 1):
                return Not(self._restrict_to_others(AttackGoal((power,), read_place(place, self.map)), column))
        goal = super().parse_atom(word, column)
        if not isinstance(goal, OrderGoal):
            raise self.make_error(f"{word} is not about orders", column)
        return self._restrict_to_others(goal, column)

    def parse_without_unit(self) -> Goal:
        """Raise `InputError`, since an assumption cannot be about the board without a unit."""
        word, column = self.tokens[0]
        raise self.make_error(f"{word} is not about orders", column)

    def _restrict_to_others(self, goal: OrderGoal, column: int) -> Goal:
        """Return the goal about the other powers' units only, remarking if it affects none; raise an error for own powers."""
        own = [power for power in goal.powers if power in self.powers]
        if own:
            message = f"{self.map.name_of(own[0])} is one of the powers whose wish this is, so its orders cannot be assumed"
            raise self.make_error(message, column, "write its orders on the sheet, and use --keep-orders")
        theirs = goal.restrict_to_powers(*self.others)
        if not any(map(theirs.is_about_unit, self.units)):
            units = ", ".join(f"{unit} ({self.map.name_of(unit.power)})" for unit in self.units) or "none"
            self.remarks.append(f"{goal} applies to no unit of the other powers on this board, which are {units}")
        return theirs
