"""Uses the `diplomacy` package (PyPI) as an oracle, in a separate process because of its licence, the AGPL.

Its adjudicator does not use equations, but a sequence of steps like Ken Lowe's judge. It drops orders that it considers
illegal, so an order may be `not accepted`. Its result words are translated if they determine the DATC's verdict. Otherwise
the verdict is "":

- `void` means that an order matches no other order, but also that a support may not help to dislodge a unit of its own
  power, or that a convoy has no complete route;
- `no convoy` means that a move has no complete route, but also that its convoy was disrupted. The fleets and supports of
  both kinds of moves get this word, too.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from satjudge.engines.connections.process_oracle import ProcessOracle
from satjudge.files.dialects import OURS, load_dialect
from satjudge.oracles.oracle import NOT_ACCEPTED, Answer, format_verdict
from satjudge.world.board import Board
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, MovementOrders, SupportHold, SupportMove
from satjudge.world.rules import DEFAULT_RULES

_WORKER = Path(__file__).with_name("diplomacy_worker.py")
_SECONDS, _RESTARTS = 30.0, 3


class _Package:
    """The `diplomacy` package as an oracle."""

    def __call__(self, board: Board, orders: MovementOrders, /) -> Answer:
        """Let the package adjudicate a movement phase, and return its answer in the DATC's words.

        Raises `OracleError` if it cannot.
        """
        reply = _get_worker(os.getpid())(board, orders)
        return Answer(_Translation(board, orders, reply).translate_verdicts(), reply.dislodged, reply.units)

    def send_ahead(self, board: Board, orders: MovementOrders, /) -> None:
        """Send the package a question whose answer will be requested later, so that it can work on it in advance."""
        _get_worker(os.getpid()).send_ahead(board, orders)

    def start_anew(self) -> None:
        """End the package's process; the next question starts a new one."""
        _get_worker(os.getpid()).start_anew()


judge = _Package()


@cache
def _get_worker(process: int) -> ProcessOracle:
    """Return the package's worker process for satjudge's process with this ID, creating it on the first call."""
    return ProcessOracle(
        [sys.executable, str(_WORKER)], load_dialect(OURS), rules=DEFAULT_RULES, timeout=_SECONDS, restarts=_RESTARTS
    )


class _Translation:
    """Translates an answer of the package into the words of the DATC."""

    def __init__(self, board: Board, orders: MovementOrders, answer: Answer) -> None:
        self.board = board
        self.orders = orders
        self.said = {power: [set(filter(None, text.split(", "))) for text in texts] for power, texts in answer.verdicts.items()}
        self.retreats = {unit: retreats for units in answer.dislodged.values() for unit, retreats in units.items()}
        self.accepted: dict[ProvinceCode, MovementOrder] = {}
        self.words: dict[ProvinceCode, set[str]] = {}
        for power, given in orders.items():
            for order, words in zip(given, self.said[power], strict=True):
                if NOT_ACCEPTED not in words:
                    self.accepted[order.unit.province] = order
                    self.words[order.unit.province] = words

    def translate_verdicts(self) -> dict[Power, list[str]]:
        """Return the verdicts in the DATC's words ("" if uncertain), by power, in the same sequence as its orders."""
        return {power: [self._translate_verdict(power, order) for order in given] for power, given in self.orders.items()}

    def _translate_verdict(self, power: Power, order: MovementOrder) -> str:
        unit = self.board.unit_at.get(order.unit.province)
        followed = self.accepted.get(order.unit.province)
        retreats = self.retreats.get(str(unit)) if unit and unit.power == power and followed in (order, None) else None
        if followed is not order:
            word = NOT_ACCEPTED
        elif isinstance(order, Hold):
            word = "stands"
        else:
            word = self._translate_result(order, self.words[order.unit.province] - {"dislodged"}, retreats is not None)
        return format_verdict(word, retreats) if word else ""

    def _translate_result(self, order: MovementOrder, words: set[str], is_dislodged: bool) -> str:
        """Return the DATC's word for the result of an accepted order, without its unit's fate; "" if that is uncertain."""
        match order:
            case Move():
                return self._translate_move_result(order, words, is_dislodged)
            case Convoy():
                if words <= {"disrupted"}:
                    return "disrupted" if words or is_dislodged else "available"
            case _:
                if not words or "cut" in words:
                    return "cut" if words else "given"
        return "" if self._is_matched(order) else "invalid"

    def _translate_move_result(self, order: Move, words: set[str], is_dislodged: bool) -> str:
        if "no convoy" not in words:
            return "fails" if words or is_dislodged else "succeeds"
        return "fails" if any(self._is_disrupted(fleet) for fleet in self._list_convoying_fleets(order)) else ""

    def _list_convoying_fleets(self, move: Move) -> list[ProvinceCode]:
        """List the provinces of the fleets with an accepted order to convoy a move."""
        return [
            province
            for province, order in self.accepted.items()
            if isinstance(order, Convoy) and order.convoyed.province == move.unit.province and self._is_matched(order)
        ]

    def _is_disrupted(self, fleet: ProvinceCode) -> bool:
        """Return whether the convoy of the fleet in a province was disrupted."""
        words = self.words[fleet]
        return bool(words) and words <= {"disrupted", "dislodged"}

    def _is_matched(self, order: MovementOrder) -> bool:
        """Return whether a support or convoy matches the other unit's accepted order; True for orders of other kinds."""
        match order:
            case SupportHold():
                return not isinstance(self.accepted.get(order.supported.province), Move)
            case SupportMove(supported=unit) | Convoy(convoyed=unit):
                move = self.accepted.get(unit.province)
                return isinstance(move, Move) and province_of(move.destination) == province_of(order.destination)
            case _:
                return True
