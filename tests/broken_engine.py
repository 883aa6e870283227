"""An engine with seeded bugs, for the campaigns that must find them: as Python functions, and as a program.

    python tests/broken_engine.py ring_broken     # speaks the batch format on its standard streams

Each bug changes one rule of the oracle `kruijswijk-partial`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from unittest.mock import patch

from satjudge.board import Board
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.oracles import kruijswijk_partial as healthy
from satjudge.crosscheck.oracles.datc_turn import ConvoyOrder, MoveOrder, Order, SupportOrder, Turn, answer
from satjudge.crosscheck.positions import position_from
from satjudge.geography import Power
from satjudge.orders import MovementOrder

Orders = Mapping[Power, Sequence[MovementOrder]]


class _CutByOwnUnit(healthy._Adjudication):
    """An attack cuts a support of its own power (against DATC 6.D.20)."""

    def _cuts(self, move: MoveOrder, support: SupportOrder, optimistic: bool) -> bool:
        if move.unit.province == support.province:
            return super()._cuts(move, support, optimistic)
        return self._path(move, optimistic)


class _SelfDislodgement(healthy._Adjudication):
    """A unit may dislodge one of its own power, and others may help (against DATC 6.D.10, 6.D.12)."""

    def _attack_strength(self, move: MoveOrder, optimistic: bool) -> int:
        return 1 + len(self._given(move.supports, optimistic)) if self._path(move, optimistic) else 0


class _GarrisonDislodged(healthy._Adjudication):
    """Of two attacks of the same strength on a unit that stays, the first one wins (against DATC 6.E.7)."""

    def _move(self, move: MoveOrder, optimistic: bool) -> bool:
        rivals = self.moves_to[move.province]
        attacked = self.order_at.get(move.province)
        if attacked is None or isinstance(attacked, MoveOrder) or move is not rivals[0]:
            return super()._move(move, optimistic)
        attack = self._attack_strength(move, optimistic)
        return attack > self._hold_strength(move.province, not optimistic) and all(
            attack >= self._prevent_strength(rival, not optimistic) for rival in rivals[1:]
        )


def _judge(board: Board, orders: Orders, adjudication: type[healthy._Adjudication] = healthy._Adjudication) -> Answer:
    turn = Turn(board, orders)
    resolving = adjudication(turn)
    resolving.resolve_all()
    return answer(turn, resolving.contested())


def _judge_with(rule: Callable[[Sequence[Order]], None], board: Board, orders: Orders) -> Answer:
    """Judge with another backup rule."""
    with patch.object(healthy, "backup_rule", rule):
        return _judge(board, orders)


def support_cut_by_own_unit(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _CutByOwnUnit)


def convoy_protects_its_fleet(board: Board, orders: Orders) -> Answer:
    """The convoyed attack cuts the support that threatens its fleet (against DATC 6.F.14)."""

    def rule(cycle: Sequence[Order]) -> None:
        convoys = [order for order in cycle if isinstance(order, ConvoyOrder)]
        for convoy in convoys:
            healthy.settle(convoy, True)
        if not convoys:
            _HEALTHY_RULE(cycle)

    return _judge_with(rule, board, orders)


def ring_broken(board: Board, orders: Orders) -> Answer:
    """The units of a circular movement bounce (against DATC 6.C.1)."""

    def rule(cycle: Sequence[Order]) -> None:
        if any(isinstance(order, ConvoyOrder) for order in cycle):
            _HEALTHY_RULE(cycle)
        else:
            for order in cycle:
                healthy.settle(order, False)

    return _judge_with(rule, board, orders)


def self_dislodgement(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _SelfDislodgement)


def garrison_dislodged(board: Board, orders: Orders) -> Answer:
    return _judge(board, orders, _GarrisonDislodged)


_HEALTHY_RULE = healthy.backup_rule
BUGS = (support_cut_by_own_unit, convoy_protects_its_fleet, ring_broken, self_dislodgement, garrison_dislodged)


def main() -> None:
    """Answer batch lines until there are no more."""
    bugs = {bug.__name__: bug for bug in BUGS}
    for line in sys.stdin:
        request = json.loads(line)
        position = position_from(line.encode())
        found = bugs[sys.argv[1]](position.board, position.orders)
        reply = {"id": request["id"], "results": found.verdicts, "dislodged": found.dislodged, "units": found.units}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
