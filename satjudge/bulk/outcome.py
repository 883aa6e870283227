"""Outcomes of a whole batch: what settled decisions make of orders and units, as `satjudge.outcome` does it for one board."""

from __future__ import annotations

from satjudge.bulk.arrays import (
    CONTESTED,
    CONVOY,
    CONVOYED,
    DECIDED,
    DESTINATION,
    DISLODGED,
    FATE,
    FIRST_DECISION,
    FIRST_DISLODGED,
    FIRST_ORDER,
    FIRST_ROUTE,
    FIRST_UNIT,
    KIND,
    LOCATION,
    MATCH,
    MATCHED,
    MOVE,
    MOVE_OUT,
    NONE,
    OCCUPIED,
    ORDER_DECISION,
    ORDER_PLACE,
    OWNER,
    PLACE,
    SETTLED,
    STATE,
    STATE_AFTER,
    UNIT,
    UNIT_STATE,
    VERDICT,
    Flags,
    Numbers,
    compiled,
)
from satjudge.bulk.situate import HOLDS, IGNORED, Known
from satjudge.bulk.tables import AFTER_MOVE, EXIT, FIRST_EXIT, PROVINCE_OF_LOCATION, PROVINCE_OF_STATE

STANDS, SUCCEEDS, FAILS, INVALID, GIVEN, CUT, AVAILABLE, DISRUPTED, NOT_LEGAL = range(9)
STAYS, IS_DISLODGED, IS_DESTROYED = range(3)
_WORDS = ("stands", "succeeds", "fails", "invalid", "given", "cut", "available", "disrupted", "illegal")
_FATES = ("dislodged", "destroyed")
VERDICTS = tuple(
    text for word in _WORDS for text in (word, *(fate if word == "stands" else f"{word}, {fate}" for fate in _FATES))
)
"""By three times the verdict and what became of the unit (DATC 4.E.2)."""


@compiled
def verdict_of(at: Numbers, values: Flags, d: int) -> int:
    """What became of a legal order (`satjudge.outcome.Outcome.verdict`)."""
    value = values[d]
    if at[KIND, d] == MOVE:
        invalid = at[CONVOYED, d] == 1 and at[FIRST_ROUTE, d] == at[FIRST_ROUTE, d + 1]
        return SUCCEEDS if value else INVALID if invalid else FAILS
    if at[KIND, d] == CONVOY:
        return INVALID if at[MATCH, d] == NONE else AVAILABLE if value else DISRUPTED
    return GIVEN if value else CUT if at[MATCHED, d] == 1 else INVALID


@compiled
def after_moves(known: Known, at: Numbers, values: Flags, board: int, base: int, locations: int) -> None:
    """Where the units of a board are after the moves, the dislodged among them where they were."""
    for unit in range(at[FIRST_UNIT, board], at[FIRST_UNIT, board + 1]):
        state = at[UNIT_STATE, unit]
        place = base + known[PROVINCE_OF_STATE, state]
        move = at[MOVE_OUT, place]
        if move != NONE and values[move]:
            at[OCCUPIED, at[DESTINATION, move]] = 1
            at[STATE_AFTER, unit] = known[AFTER_MOVE, state * locations + at[LOCATION, move]]
        else:
            at[OCCUPIED, place] = 1
            at[STATE_AFTER, unit] = state


@compiled
def find_retreats(known: Known, at: Numbers, retreats: Numbers, move: int, base: int, count: int) -> int:
    """List where the unit that a move dislodged may go (DATC 4.A.5), ended by -1; returns the number of entries so far."""
    state = at[STATE, at[DESTINATION, move]]
    barred = NONE if at[CONVOYED, move] == 1 else at[PLACE, move]
    for number in range(known[FIRST_EXIT, state], known[FIRST_EXIT, state + 1]):
        location = known[EXIT, number]
        place = base + known[PROVINCE_OF_LOCATION, location]
        if place != barred and at[CONTESTED, place] != 1 and at[OCCUPIED, place] != 1:
            retreats[count] = location
            count += 1
    retreats[count] = NONE
    return count + 1


@compiled
def tell_verdicts(at: Numbers, values: Flags, board: int) -> None:
    """The verdict of every order of a board, and what became of its unit."""
    for order in range(at[FIRST_ORDER, board], at[FIRST_ORDER, board + 1]):
        place, d = at[ORDER_PLACE, order], at[ORDER_DECISION, order]
        verdict = NOT_LEGAL if d == IGNORED else STANDS if d == HOLDS else verdict_of(at, values, d)
        fate = STAYS
        if place != NONE and (d != IGNORED or at[DECIDED, place] == IGNORED) and at[FATE, place] != NONE:
            fate = at[FATE, place]
        at[VERDICT, order] = 3 * verdict + fate


@compiled
def tell_boards(
    known: Known, at: Numbers, values: Flags, retreats: Numbers, boards: int, provinces: int, locations: int
) -> None:
    """Work out the outcome of every board that is settled.

    `retreats` gets the retreats of each dislodged unit, -1 behind each, in the order of the row DISLODGED.
    """
    dislodged = count = 0
    for board in range(boards):
        at[FIRST_DISLODGED, board] = dislodged
        if at[SETTLED, board] != 1:
            continue
        base = board * provinces
        after_moves(known, at, values, board, base, locations)
        for move in range(at[FIRST_DECISION, board], at[FIRST_DECISION, board + 1]):
            place = at[DESTINATION, move]
            if at[KIND, move] != MOVE or not values[move] or at[OWNER, place] == NONE:
                continue
            leaving = at[MOVE_OUT, place]
            if leaving == NONE or not values[leaving]:
                start = count
                count = find_retreats(known, at, retreats, move, base, count)
                at[FATE, place] = IS_DISLODGED if count > start + 1 else IS_DESTROYED
                at[DISLODGED, dislodged] = at[UNIT, place]
                at[STATE_AFTER, at[UNIT, place]] = NONE
                dislodged += 1
        tell_verdicts(at, values, board)
    at[FIRST_DISLODGED, boards] = dislodged
