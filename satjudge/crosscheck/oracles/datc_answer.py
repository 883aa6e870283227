"""The answer of oracles to a resolved turn: verdicts in the DATC's words, dislodged units and their retreats, positions.

Source: Lucas B. Kruijswijk, DATC 3.2: 4.A.5, 4.E.2 and the test cases of 6.H.
"""

from __future__ import annotations

from collections.abc import Set

from satjudge.board import Unit, by_power
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.oracles.datc_orders import ConvoyOrder, Entry, HoldOrder, MoveOrder, Order, SupportOrder, Turn
from satjudge.geography import Location, Power, ProvinceCode, province_of


def answer(turn: Turn, contested: Set[ProvinceCode]) -> Answer:
    """The answer to a turn whose orders are resolved. No unit may retreat to a contested province."""
    return _Outcome(turn, contested).answer()


class _Outcome:
    """What becomes of the units, once every order is resolved."""

    def __init__(self, turn: Turn, contested: Set[ProvinceCode]) -> None:
        self.turn = turn
        self.attackers = {unit: move for unit in turn.board.units if (move := self._attacker_of(unit))}
        self.units = [self._moved(unit) for unit in turn.board.units if unit not in self.attackers]
        closed = {unit.province for unit in self.units} | contested
        self.retreats = {unit: self._retreats(unit, closed) for unit in self.attackers}

    def _attacker_of(self, unit: Unit) -> MoveOrder | None:
        """The move that dislodges the unit."""
        order = self.turn.order_at[unit.province]
        if isinstance(order, MoveOrder) and order.resolution:
            return None
        return next((move for move in self.turn.moves_to.get(unit.province, ()) if move.resolution), None)

    def _moved(self, unit: Unit) -> Unit:
        order = self.turn.order_at[unit.province]
        if isinstance(order, MoveOrder) and order.resolution:
            return Unit(unit.power, unit.kind, order.destination)
        return unit

    def _retreats(self, unit: Unit, closed: Set[ProvinceCode]) -> list[Location]:
        attacker = self.attackers[unit]
        # DATC 4.A.5: a convoyed attacker did not come over the border.
        barred = closed if attacker.convoyed else closed | {attacker.unit.province}
        exits = self.turn.board.map.exits(unit.kind, unit.location)
        return sorted(location for location in exits if province_of(location) not in barred)

    def answer(self) -> Answer:
        """The answer in the form that is compared."""
        given = self.turn.given
        legal = {entry.order.unit for entries in given.values() for entry in entries if entry.order}
        dislodged: dict[Power, dict[str, list[Location]]] = {}
        for unit, retreats in self.retreats.items():
            dislodged.setdefault(unit.power, {})[str(unit)] = retreats
        return Answer(
            verdicts={power: [self._verdict(entry, legal) for entry in entries] for power, entries in given.items()},
            dislodged=dislodged,
            units={power: sorted(units) for power, units in by_power(self.units).items()},
        )

    def _verdict(self, entry: Entry, legal: Set[Unit]) -> str:
        """The words for one order (DATC 4.E.2)."""
        unit, order = entry.unit, entry.order
        if unit is None:
            return "illegal"
        if order is None or order is not self.turn.order_at[unit.province]:  # illegal, or not the first (DATC 4.D.3)
            return "illegal" if unit in legal else self._tagged("illegal", unit)
        if isinstance(order, HoldOrder):
            return self._tag(unit) or "stands"
        return self._tagged(_resolution(order), unit)

    def _tagged(self, word: str, unit: Unit) -> str:
        tag = self._tag(unit)
        return f"{word}, {tag}" if tag else word

    def _tag(self, unit: Unit) -> str | None:
        if unit not in self.attackers:
            return None
        return "dislodged" if self.retreats[unit] else "destroyed"


def _resolution(order: Order) -> str:
    """The word for a move, support or convoy, without what happens to the unit."""
    match order:
        case MoveOrder():
            failed = "invalid" if order.convoyed and not order.chains else "fails"
            return "succeeds" if order.resolution else failed
        case SupportOrder(matched=True):
            return "given" if order.resolution else "cut"
        case ConvoyOrder(matched=True):
            return "available" if order.resolution else "disrupted"
        case _:
            return "invalid"
