"""Holds quantities of wishes: how many supply centres a power owns after the season, and how many units it may build.

In Fall the units that stand take the centres; in Spring nothing changes hands, and nothing is built (`satjudge.world.seasons`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satjudge.judging.solve.clauses import FALSE, TRUE, Literal
from satjudge.notation.parse import parse_power
from satjudge.search.goals.judged import Judged
from satjudge.search.goals.outcomes import Occupied
from satjudge.search.goals.quantity import Quantity
from satjudge.search.unknown.encoding import Encoding
from satjudge.world.board import Season
from satjudge.world.geography import Map, Power, ProvinceCode
from satjudge.world.seasons import adjustments_due, counted_centers


@dataclass(frozen=True, slots=True)
class _OfPower(Quantity):
    power: Power

    def __str__(self) -> str:
        return f"{self.name}:{self.power}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Quantity:
        return cls(parse_power(argument, game_map))

    def has_answer(self, judged: Judged) -> bool:
        return judged.aftermath is not None


class Centers(_OfPower):
    """The number of supply centres that count for a power when the season is over."""

    __slots__ = ()
    name = "centers"
    form = "centers:POWER"

    def value(self, judged: Judged) -> int:
        after = judged.afterwards
        return counted_centers(after, self.power) if after else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        owned = dict(owned_afterwards(encoding, self.power))
        provinces = encoding.orders.map.provinces
        counted = (literal for code, literal in owned.items() if self.power not in provinces[code].not_counted)
        return encoding.formula.at_least(least, counted)

    def highest(self, encoding: Encoding) -> int:
        return sum(literal != FALSE for _, literal in owned_afterwards(encoding, self.power))


class Builds(_OfPower):
    """The number of units that a power may build after Fall; none after Spring."""

    __slots__ = ()
    name = "builds"
    form = "builds:POWER"

    def value(self, judged: Judged) -> int:
        after = judged.afterwards
        return max(0, adjustments_due(after).get(self.power, 0)) if after and judged.ends_in_fall else 0

    def at_least(self, encoding: Encoding, least: int) -> Literal:
        """Return the literal for when no unit is dislodged: so many centres more than units, and so many empty homes."""
        board = encoding.orders.situation.board
        if not _is_fall(encoding):
            return FALSE
        units = sum(unit.power == self.power for unit in board.units)
        homes = board.map.build_centers(self.power)
        sites = (
            encoding.all_of((literal, -Occupied(code).literal(encoding)))
            for code, literal in owned_afterwards(encoding, self.power)
            if code in homes
        )
        surplus = Centers(self.power).at_least(encoding, least + units)
        return encoding.all_of((surplus, encoding.formula.at_least(least, sites)))

    def highest(self, encoding: Encoding) -> int:
        return len(encoding.orders.map.centers)


def owned_afterwards(encoding: Encoding, power: Power) -> Iterator[tuple[ProvinceCode, Literal]]:
    """List supply centres, each with the literal that the power owns it after the season, if no dislodged unit takes any."""
    board = encoding.orders.situation.board
    for code in sorted(board.map.centers):
        had = TRUE if board.centers.get(code) == power else FALSE
        if not _is_fall(encoding):
            yield code, had
        else:
            kept = encoding.all_of((had, -Occupied(code).literal(encoding)))
            yield code, encoding.any_of((Occupied(code, power).literal(encoding), kept))


def _is_fall(encoding: Encoding) -> bool:
    turn = encoding.orders.situation.board.turn
    return turn is not None and turn.season is Season.FALL
