"""An adjudicator for the movement phase on maps with rules of their own (DATC 2.4, 7 to 10).

Seasons in which provinces are shut, coasts that convoy, difficult borders, the Trans-Siberian Railroad and the Suez Canal. Its
source is the DATC 2.4 alone: `turn` reads the orders, `decisions` has the equations, `cores` decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from satjudge.board import Board, Unit
from satjudge.crosscheck.oracle import Answer, verdict_of
from satjudge.crosscheck.oracles.datc_turn import ConvoyOrder, Entry, Given, HoldOrder, MoveOrder, Order, SupportOrder
from satjudge.crosscheck.oracles.kruijswijk_variants.cores import Values, resolve
from satjudge.crosscheck.oracles.kruijswijk_variants.decisions import Decision, Equations, Kind, move_of
from satjudge.crosscheck.oracles.kruijswijk_variants.turn import Permitting, Turn
from satjudge.geography import Location, Power, ProvinceCode, province_of


def judge(board: Board, orders: Mapping[Power, Sequence[Given]]) -> Answer:
    """Adjudicate a movement phase by the preferences of the author of DATC 2.4."""
    turn = Turn(board, orders)
    equations = Equations(turn)
    return _Answering(turn, equations, resolve(equations)).answer()


class _Answering:
    """Makes an answer of what is decided."""

    def __init__(self, turn: Turn, equations: Equations, values: Values) -> None:
        self.turn, self.equations, self.values = turn, equations, values

    def answer(self) -> Answer:
        """The verdicts, the dislodged units with their retreats, and the units that stand."""
        orders = self.turn.order_at.values()
        after = {order.unit: self.equations.location_after(order, self._told) for order in orders}
        attackers = {unit: self._attacker(unit) for unit, location in after.items() if location is None}
        dislodged = {unit: attacker for unit, attacker in attackers.items() if attacker}
        standing = [
            Unit(unit.power, unit.kind, after[unit] or unit.location) for unit in self.turn.board.units if unit not in dislodged
        ]
        closed = {unit.province for unit in standing} | self.equations.contested(self._told)
        retreats = {unit: self._retreats(unit, attacker, closed) for unit, attacker in dislodged.items()}
        verdicts = {power: [self._verdict(entry, retreats) for entry in given] for power, given in self.turn.entries.items()}
        return Answer.of(verdicts, retreats, standing)

    def _told(self, decision: Decision) -> bool:
        return self.values[decision]

    def _attacker(self, unit: Unit) -> MoveOrder | None:
        """The move that enters the unit's province. Trains dislodge nobody."""
        return next((move for move in self.turn.moves_to.get(unit.province, ()) if self._told(move_of(move))), None)

    def _retreats(self, unit: Unit, attacker: MoveOrder, closed: Set[ProvinceCode]) -> list[Location]:
        barred = closed if attacker.convoyed else closed | {attacker.unit.province}  # 4.A.5, choice b
        return [location for location in self.turn.ways.exits(unit) if province_of(location) not in barred]

    def _verdict(self, entry: Entry, retreats: Mapping[Unit, list[Location]]) -> str:
        if isinstance(entry, Permitting) and entry.permit:
            return "given"  # also if the fleet makes no use of it: a permission needs no other order
        if entry.order is None:
            return verdict_of("illegal", retreats.get(entry.unit)) if entry.unit else "illegal"
        return verdict_of(self._word(entry.order), retreats.get(entry.order.unit))

    def _word(self, order: Order) -> str:
        match order:
            case HoldOrder():
                return "stands"
            case MoveOrder():
                return self._word_of_move(order)
            case SupportOrder(matched=True):
                return "given" if self._told(Decision(Kind.SUPPORT, order)) else "cut"
            case ConvoyOrder(matched=True):
                return "available" if self._told(Decision(Kind.CONVOY, order)) else "disrupted"
            case _:
                return "invalid"

    def _word_of_move(self, move: MoveOrder) -> str:
        after = self.equations.location_after(move, self._told)
        if after is None:
            return "invalid" if move.convoyed and not move.chains else "fails"
        return "succeeds" if after == move.destination else "stops"
