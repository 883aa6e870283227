"""An attack on a line: enemies with their orders, and what the judge makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from satjudge.board import Board, Unit
from satjudge.geography import Power, ProvinceCode
from satjudge.judge import judge
from satjudge.orders import MovementOrder
from satjudge.outcome import Outcome
from satjudge.research.prove.line import Line


@dataclass(frozen=True)
class Attack:
    """Enemies with their orders, and what the judge makes of them."""

    line: Line
    orders: Mapping[Unit, MovementOrder]

    @cached_property
    def board(self) -> Board:
        """The line and its enemies."""
        return replace(self.line.board, units=(*self.line.board.units, *self.orders))

    @cached_property
    def by_power(self) -> dict[Power, list[MovementOrder]]:
        """All orders, the line's first."""
        given: dict[Power, list[MovementOrder]] = {}
        for unit in self.board.units:
            order = self.orders.get(unit) or self.line.orders[unit.province]
            given.setdefault(unit.power, []).append(order)
        return given

    @cached_property
    def outcome(self) -> Outcome:
        """The judge's outcome."""
        return judge(self.board, self.by_power, rulebook=self.line.rulebook)

    @cached_property
    def entered(self) -> tuple[ProvinceCode, ...]:
        """The protected provinces that an enemy moves into."""
        arrived = (move for origin, move in self.outcome.moved.items() if origin not in self.line.protected)
        return tuple(sorted(move.destination.province for move in arrived if move.destination.province in self.line.protected))

    def against(self, line: Line) -> Attack:
        """The same attack on another line."""
        return Attack(line, self.orders)

    def trimmed(self) -> Attack:
        """This attack without the enemies that it can do without."""
        attack = self
        for unit in self.orders:
            rest = {other: order for other, order in attack.orders.items() if other != unit}
            smaller = Attack(self.line, rest)
            attack = smaller if smaller.entered else attack
        return attack
