"""Adjudicates a movement phase on maps with special rules (DATC 2.4, 7 to 10).

It covers provinces that are closed in a season, coasts that convoy, difficult borders, the Trans-Siberian Railroad and the Suez
Canal. Its only source is DATC 2.4. `turn` reads the orders, `decisions` contains the equations, and `cores` solves them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.oracles.datc_turn import Given, build_answer
from satjudge.oracles.kruijswijk_variants.cores import resolve_turn
from satjudge.oracles.kruijswijk_variants.decisions import Equations, Kind
from satjudge.oracles.kruijswijk_variants.turn import Turn
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.geography import Power


def judge(board: Board, orders: Mapping[Power, Sequence[Given]]) -> Answer:
    """Adjudicate a movement phase with the preferences of the author of DATC 2.4, and return the answer."""
    turn = Turn(board, orders)
    equations = Equations(turn)
    values = resolve_turn(equations)
    for decision, value in values.items():
        if decision.kind in (Kind.MOVE, Kind.SUPPORT, Kind.CONVOY):
            decision.order.resolution = value
    for train in turn.trains:
        train.stop = equations.find_end(train, values.__getitem__)
    return build_answer(turn, equations.find_contested_provinces(values.__getitem__))
