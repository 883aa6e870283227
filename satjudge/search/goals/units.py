"""Holds goals about the unit in a province: its power before the moves, and the verdict on its order, whatever that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satjudge.base.errors import NotationError
from satjudge.judging.solve.clauses import Literal
from satjudge.notation.parse import parse_power
from satjudge.search.goals.goal import Goal, OutcomeGoal
from satjudge.search.goals.judged import Judged
from satjudge.search.goals.outcomes import (
    VERDICTS,
    about_unit,
    has_fate,
    has_result,
    read_place,
    read_verdict,
    stands_at,
    unit_at,
)
from satjudge.search.unknown.encoding import Encoding
from satjudge.search.unknown.universe import Universe, fits
from satjudge.world.geography import Location, Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Hold, Named
from satjudge.world.verdicts import Fate, OrderResult
from satjudge.world.verdicts import Verdict as Told


@dataclass(frozen=True, slots=True)
class Stands(OutcomeGoal):
    """The goal that a unit, of a named power or coast if any, stands in the province before the moves."""

    name = "unit"
    form = "unit:PROVINCE=POWER"

    place: Location
    power: Power | None = None

    def __str__(self) -> str:
        return f"unit:{self.place}" + (f"={self.power}" if self.power else "")

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, equals, power = argument.partition("=")
        return cls(read_place(place, game_map), parse_power(power, game_map) if equals else None)

    def holds(self, judged: Judged) -> bool:
        unit = judged.proposal.board.unit_at.get(province_of(self.place)) if judged.outcome else None
        return unit is not None and fits(self.place, unit.location) and self.power in (None, unit.power)

    def literal(self, encoding: Encoding) -> Literal:
        there = unit_at(encoding, self.place)
        if self.power is None:
            return there
        return encoding.all_of((there, encoding.orders.powers.of(province_of(self.place), self.power)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(Named(None, self.place), universe)


@dataclass(frozen=True, slots=True)
class Fares(OutcomeGoal):
    """The goal that the order of the unit in the province, or on a named coast, has a verdict, whatever the order is."""

    name = "order"
    form = "order:PROVINCE=VERDICT"

    place: Location
    verdict: Told

    def __str__(self) -> str:
        text = str(self.verdict)
        return f"order:{self.place}=" + (f'"{text}"' if " " in text else text)

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, _, words = argument.partition("=")
        told, known = read_verdict(words), dict.fromkeys(word for some in VERDICTS.values() for word in some)
        if told is None or told.order not in (None, *known):
            raise NotationError(f"{words or 'nothing'} is no verdict", suggestion=f"verdicts are {', '.join((*known, *Fate))}")
        return cls(read_place(place, game_map), told)

    @property
    def province(self) -> ProvinceCode:
        """The province, whatever the coast."""
        return province_of(self.place)

    def holds(self, judged: Judged) -> bool:
        found = judged.verdict_in(self.province) if stands_at(judged, self.place) else None
        return found is not None and set(self.verdict.words) <= set(found.words)

    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that an order of the unit is given and has the result, or it holds; and the unit has the fate."""
        orders, result = encoding.orders, self.verdict.order
        fate = has_fate(encoding, self.province, self.verdict)
        stands = unit_at(encoding, self.place)
        if result is None:
            return encoding.all_of((stands, fate))
        if result is OrderResult.STANDS:
            return encoding.all_of((stands, -orders.ordered(self.province), fate))
        kinds = tuple(kind for kind, results in VERDICTS.items() if result in results and kind is not Hold)
        decisions = (d for d in orders.situation.order_decisions if d.province == self.province and isinstance(d.order, kinds))
        given = [has_result(encoding, d, result) for d in decisions]
        return encoding.all_of((stands, encoding.any_of(given), fate))

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(Named(None, self.place), universe)
