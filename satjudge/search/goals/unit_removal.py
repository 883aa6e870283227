"""Defines goals about the board without a unit: another goal would hold, or a number of verdicts would change.

The unit and its order are removed; all other orders stay the same. Orders that become illegal, such as supports of the missing
unit, are treated as the rulebook treats illegal orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satjudge.search.formulas.clauses import FALSE, Literal
from satjudge.search.goals.goal import Goal, OutcomeGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.outcomes import (
    VERDICTS,
    OrderVerdictGoal,
    has_unit_at,
    has_unit_literal,
    iter_unit_hints,
    read_place,
)
from satjudge.search.goals.quantities import Quantity
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.universe import Universe
from satjudge.world.geography import Location, Map, ProvinceCode, province_of
from satjudge.world.orders import Named
from satjudge.world.verdicts import Fate, Verdict


@dataclass(frozen=True, slots=True)
class WithoutUnitGoal(OutcomeGoal):
    """The goal that a unit stands in a place, and that another goal would hold without this unit."""

    name = "without"
    form = "without:PROVINCE(GOAL)"

    place: Location
    goal: Goal

    def __str__(self) -> str:
        return f"without:{self.place}({self.goal})"

    def holds(self, judged: Judged) -> bool:
        fewer = self._judge_without_unit(judged)
        return judged.outcome is not None and fewer is not None and self.goal.holds(fewer)

    def has_answer(self, judged: Judged) -> bool:
        """Return whether the rulebook settles the board and, if the unit is there, the other goal has an answer without it."""
        fewer = self._judge_without_unit(judged)
        return judged.outcome is not None and (fewer is None or self.goal.has_answer(fewer))

    def _judge_without_unit(self, judged: Judged) -> Judged | None:
        """Judge the board without the unit in the place; return None if there is none."""
        return judged.judge_without_unit(province_of(self.place)) if has_unit_at(judged, self.place) else None

    def literal(self, encoding: Encoding) -> Literal:
        has_unit = has_unit_literal(encoding, self.place)
        return (
            FALSE
            if has_unit == FALSE
            else encoding.all_of((has_unit, self.goal.literal(encode_without_unit(encoding, province_of(self.place)))))
        )

    def hints(self, universe: Universe) -> Iterator[str]:
        yield from iter_unit_hints(Named(None, self.place), universe)
        yield from self.goal.hints(universe)


@dataclass(frozen=True, slots=True)
class ChangedVerdicts(Quantity):
    """The number of verdicts on other units' orders that would change without a unit; no value if there is no such unit."""

    name = "changes"
    form = "changes:PROVINCE"

    place: Location

    def __str__(self) -> str:
        return f"changes:{self.place}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        return cls(read_place(argument, game_map))

    @property
    def province(self) -> ProvinceCode:
        """The province, ignoring the coast."""
        return province_of(self.place)

    def has_answer(self, judged: Judged) -> bool:
        """Return whether the rulebook settles the board without the unit; true if there is no such unit."""
        return not has_unit_at(judged, self.place) or judged.judge_without_unit(self.province).outcome is not None

    def value(self, judged: Judged) -> int | None:
        units = judged.proposal.board.unit_at
        if not has_unit_at(judged, self.place):
            return None
        fewer = judged.judge_without_unit(self.province)
        return sum(judged.verdict_in(other) != fewer.verdict_in(other) for other in units if other != self.province)

    def has_value(self, encoding: Encoding) -> Literal:
        return has_unit_literal(encoding, self.place)

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        return encoding.formula.at_least(least, self._list_verdict_changes(encoding))

    def highest(self, encoding: Encoding) -> int:
        return len(self._list_verdict_changes(encoding))

    def _list_verdict_changes(self, encoding: Encoding) -> list[Literal]:
        """List, for the other units, the literals that hold if the verdict on the unit's order changes without this unit."""
        if self.has_value(encoding) == FALSE:
            return []
        fewer = encode_without_unit(encoding, self.province)
        others = (other for other in encoding.orders.occupied if other != self.province)
        found = (
            encoding.any_of(
                encoding.formula.xor(fares.literal(encoding), fares.literal(fewer)) for fares in _iter_verdict_goals(other)
            )
            for other in others
        )
        return [literal for literal in found if literal != FALSE]

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.place), universe)


def _iter_verdict_goals(province: ProvinceCode) -> Iterator[OrderVerdictGoal]:
    """Yield a goal for each result and each fate that the order to a unit in the province may have, except illegality."""
    words = dict.fromkeys(str(word) for group in (*VERDICTS.values(), tuple(Fate)) for word in group)
    return (OrderVerdictGoal(province, Verdict.read(word)) for word in words)


def encode_without_unit(encoding: Encoding, province: ProvinceCode) -> Encoding:
    """Return the encoding of the outcome of the same orders on the board without the unit in a province.

    Raises `TypeError` unless the encoding is the outcome of a question.
    """
    if encoding.missing is None:
        raise TypeError("a question without a unit can be encoded only if it is about the outcome")
    return encoding.missing(province)
