"""A third adjudicator for the movement phase: the procedure of the Diplomacy Player's Technical Guide.

Source: K. Black, T. Black (ed.) et al., "The Diplomacy Player's Technical Guide", October 1998: chapter VIII, whose twenty
steps are the functions `step_1` to `step_18_to_20` of `convoys` and `battles`, with chapters VI, VII, IX and XII for what a
legal order is, XI for retreats and XIII for removals. It shares with satjudge the map, the board and the orders as they were
given, and nothing else: not what is legal, and not one equation.

The procedure goes once through the orders of a `Turn` and changes their `Status` as it cuts, cancels and advances. Nothing is
tried out or taken back, but for the two questions of Step 10.

Words for what the guide only calls "cancelled": a support or convoy is `invalid` where the unit it names is not ordered so;
a fleet that Step 1 leaves out of a convoy although it cooperates is `available` all the same (`disrupted` if dislodged), and
so is a fleet whose convoy another fleet's dislodgement has disrupted. In a circle (Steps 12 and 13) the fleet through which
its convoy is subverted is `disrupted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.board import Board
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.oracles.guide_1998.answer import answer_of
from satjudge.crosscheck.oracles.guide_1998.battles import step_14, step_15, step_16, step_17, step_18_to_20
from satjudge.crosscheck.oracles.guide_1998.convoys import (
    step_1,
    step_2,
    step_3,
    step_4,
    step_9,
    step_10,
    step_11,
    step_12,
    step_13,
)
from satjudge.crosscheck.oracles.guide_1998.legal_orders import read_orders, turn_of
from satjudge.crosscheck.oracles.guide_1998.turn import Turn
from satjudge.geography import Power
from satjudge.orders import MovementOrder


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the guide's procedure."""
    given = read_orders(board, orders)
    turn = turn_of(board, given)
    run(turn)
    return answer_of(turn, given)


def run(turn: Turn) -> None:
    """All twenty steps of chapter VIII."""
    step_1(turn)
    step_2(turn)
    step_3(turn)
    step_4(turn)
    step_9(turn)
    if step_10(turn):
        step_11(turn)
    step_12(turn)
    step_13(turn)
    step_14(turn)
    battles = step_15(turn)
    step_16(turn, battles)
    step_17(turn, battles)
    step_18_to_20(turn)
