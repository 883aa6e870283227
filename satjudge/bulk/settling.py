"""Settling a batch of boards by partial information (DATC 5.E), as `satjudge.solve.bounds` does it for one."""

from __future__ import annotations

from satjudge.bulk.arrays import (
    CONTESTED,
    CONVOYED,
    DESTINATION,
    FIRST_DECISION,
    KIND,
    MATCHED,
    MOVE,
    ODD,
    SETTLED,
    SUPPORT,
    Flags,
    Numbers,
    compiled,
)
from satjudge.bulk.equations import convoyed, decision, matched, prevent


@compiled
def settle(at: Numbers, highest: Flags, lowest: Flags, first: int, last: int) -> bool:
    """Settle what can be settled of the decisions from `first` to before `last`: was it all?"""
    progress = True
    settled = False
    while progress:
        progress = False
        settled = True
        for d in range(first, last):
            if highest[d] != lowest[d]:
                if not decision(at, highest, lowest, d):
                    highest[d] = False
                    progress = True
                elif decision(at, lowest, highest, d):
                    lowest[d] = True
                    progress = True
                else:
                    settled = False
    return settled


@compiled
def say_besides(at: Numbers, values: Flags, first: int, last: int) -> None:
    """What the equations say of settled decisions besides their values."""
    for d in range(first, last):
        if at[KIND, d] == MOVE:
            at[CONVOYED, d] = convoyed(at, values, values, d)
            if not values[d] and prevent(at, values, values, d) > 0:
                at[CONTESTED, at[DESTINATION, d]] = 1
        elif at[KIND, d] == SUPPORT:
            at[MATCHED, d] = matched(at, values, values, d)


@compiled
def settle_boards(at: Numbers, highest: Flags, lowest: Flags, boards: int) -> None:
    """Settle board after board. At first all is possible and nothing certain; `lowest` ends as the values of the decisions."""
    for board in range(boards):
        first, last = at[FIRST_DECISION, board], at[FIRST_DECISION, board + 1]
        settled = at[ODD, board] != 1 and settle(at, highest, lowest, first, last)
        at[SETTLED, board] = settled
        if settled:
            say_besides(at, lowest, first, last)
