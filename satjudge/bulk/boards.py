"""Judges a whole batch of boards in the matrix of `bulk.arrays`: which orders count, what is settled, what becomes of it.

What `legality.sort_out`, `equations.situation.situate`, `solve.bounds` and `outcome` do for one board.
"""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk import arrays, translate
from satjudge.bulk.arrays import (
    BY_LAND, CONTESTED, CONVOY, CONVOYED, DECIDED, DESTINATION, DIRECTED_AT, DISLODGED, FATE, FIRST_CONVOY, FIRST_DECISION,
    FIRST_DISLODGED, FIRST_HOLD_SUPPORT, FIRST_LEG, FIRST_MOVE_IN, FIRST_ORDER, FIRST_ROUTE, FIRST_SUPPORT, FIRST_UNIT,
    FORM, KIND, LEG, LOCATION, MATCH, MATCHED, MIGHT_BE_CONVOYED, MOVE, MOVE_OUT, NEXT_CONVOY, NEXT_MOVE_IN, NEXT_SUPPORT,
    NONE, OCCUPIED, ODD, OPPOSED, ORDER_DECISION, ORDER_PLACE, ORDER_POWER, ORDER_TEXT, OWNER, PLACE, SETTLED, STATE,
    STATE_AFTER, SUPPORT, SUPPORTED, SUPPORTS_HOLD, UNIT, UNIT_POWER, UNIT_STATE, VERDICT, VIA_CONVOY, Flags, Numbers,
    compiled,
)  # fmt: skip
from satjudge.bulk.tables import (
    AFTER_MOVE, ALWAYS, ANOTHER_ROUTE, EXIT, FIRST_EXIT, FIRST_KNOWN_LEG, FIRST_KNOWN_ROUTE, FORM_BY_LAND, FORM_DESTINATION,
    FORM_KIND, FORM_OTHER, FORM_SUPPORTS_HOLD, FORM_VIA_CONVOY, FORM_WHEN, HOLD, ILLEGAL, KNOWN_LEG, KNOWN_ROUTE, ON_ROUTE,
    OTHER_PROVINCE, OWN_PROVINCE, PROVINCE_OF_LOCATION, PROVINCE_OF_STATE, SEA,
)  # fmt: skip

HOLDS, IGNORED = -1, -2
"""In place of a decision: a hold that counts; no order that counts."""

Known = NDArray[numpy.int64]

_equations: dict[str, Any] = dict(vars(arrays))
exec(compile(translate.source(), translate.__file__, "exec"), _equations)  # numba wants a file that is there
convoyed, decision, matched, prevent = (_equations[name] for name in ("convoyed", "decision", "matched", "prevent"))


@compiled
def form_of(forms: Known, key: int) -> int:
    """The form of a text with these units; -1 if it is not known yet."""
    mask = forms.shape[1] - 1
    slot = key & mask
    while forms[0, slot] != key:
        if forms[0, slot] == NONE:
            return NONE
        slot = (slot + 1) & mask
    return forms[1, slot]  # type: ignore[no-any-return]


@compiled
def is_legal(known: Known, forms: Numbers, form: int, own: int, fleets: int, provinces: int) -> bool:
    """Whether an order in this form is legal where these seas hold fleets (DATC 4.E.1)."""
    when = forms[form, FORM_WHEN]
    if forms[form, FORM_KIND] == ILLEGAL or when == ALWAYS:
        return forms[form, FORM_KIND] != ILLEGAL  # type: ignore[no-any-return]
    origin = own if forms[form, FORM_KIND] == MOVE else forms[form, FORM_OTHER]
    pair = origin * provinces + known[PROVINCE_OF_LOCATION, forms[form, FORM_DESTINATION]]
    usable = fleets & ~known[SEA, own] if when == ANOTHER_ROUTE else fleets
    for route in range(known[FIRST_KNOWN_ROUTE, pair], known[FIRST_KNOWN_ROUTE, pair + 1]):
        seas = known[KNOWN_ROUTE, route]
        if seas & ~usable == 0 and (when != ON_ROUTE or seas & known[SEA, own] != 0):
            return True
    return False


@compiled
def place_units(known: Known, at: Numbers, board: int, base: int) -> int:
    """Put the units of a board in their places; the bits of the seas with fleets, or -1 if two units stand in one place."""
    fleets = 0
    for unit in range(at[FIRST_UNIT, board], at[FIRST_UNIT, board + 1]):
        province = known[PROVINCE_OF_STATE, at[UNIT_STATE, unit]]
        place = base + province
        if at[OWNER, place] != NONE:
            return NONE
        at[OWNER, place] = at[UNIT_POWER, unit]
        at[STATE, place] = at[UNIT_STATE, unit]
        at[UNIT, place] = unit
        fleets |= known[SEA, province]
    return fleets


@compiled
def decide(known: Known, forms: Numbers, form: int, at: Numbers, place: int, base: int, d: int) -> None:
    """A decision about the order in this form, its unit in this place."""
    at[KIND, d] = forms[form, FORM_KIND]
    at[PLACE, d] = place
    at[LOCATION, d] = forms[form, FORM_DESTINATION]
    if forms[form, FORM_DESTINATION] != NONE:
        at[DESTINATION, d] = base + known[PROVINCE_OF_LOCATION, forms[form, FORM_DESTINATION]]
    if forms[form, FORM_OTHER] != NONE:
        at[SUPPORTED, d] = base + forms[form, FORM_OTHER]
    at[BY_LAND, d] = forms[form, FORM_BY_LAND]
    at[VIA_CONVOY, d] = forms[form, FORM_VIA_CONVOY]
    at[MIGHT_BE_CONVOYED, d] = forms[form, FORM_BY_LAND] != 1 or forms[form, FORM_VIA_CONVOY] == 1
    at[SUPPORTS_HOLD, d] = forms[form, FORM_SUPPORTS_HOLD]
    at[DIRECTED_AT, d] = at[SUPPORTED, d] if at[SUPPORTS_HOLD, d] == 1 else at[DESTINATION, d]
    if at[KIND, d] == MOVE:
        at[MOVE_OUT, place] = d
        at[NEXT_MOVE_IN, d] = at[FIRST_MOVE_IN, at[DESTINATION, d]]
        at[FIRST_MOVE_IN, at[DESTINATION, d]] = d


@compiled
def take_orders(
    known: Known, forms: Known, form_rows: Numbers, texts: Numbers, at: Numbers, missing: Known, place_of: tuple[int, int, int],
    states: int, d: int
) -> int:  # fmt: skip
    """Decide which orders count: the first legal one of each unit, however often it is given (4.D.3).

    Returns the number of decisions so far.
    """
    board, provinces, fleets = place_of
    base = board * provinces
    for order in range(at[FIRST_ORDER, board], at[FIRST_ORDER, board + 1]):
        at[ORDER_DECISION, order] = IGNORED
        text = at[ORDER_TEXT, order]
        own = texts[text, OWN_PROVINCE]
        place = base + own
        if own == NONE or at[OWNER, place] != at[ORDER_POWER, order]:
            continue
        at[ORDER_PLACE, order] = place
        other = texts[text, OTHER_PROVINCE]
        helped = states - 1 if other == NONE or at[STATE, base + other] == NONE else at[STATE, base + other]
        key = (text * states + at[STATE, place]) * states + helped
        number = form_of(forms, key)
        if number == NONE:
            missing[order] = key
        elif at[DECIDED, place] == IGNORED and is_legal(known, form_rows, number, own, fleets, provinces):
            at[DECIDED, place] = HOLDS
            at[FORM, place] = number
            if form_rows[number, FORM_KIND] != HOLD:
                decide(known, form_rows, number, at, place, base, d)
                at[DECIDED, place] = d
                d += 1
            at[ORDER_DECISION, order] = at[DECIDED, place]
        elif at[DECIDED, place] != IGNORED and at[FORM, place] == number:
            at[ORDER_DECISION, order] = at[DECIDED, place]
    return d


@compiled
def connect(at: Numbers, provinces: int, first: int, last: int) -> None:
    """Tie supports and convoys to the moves that they match, and moves to those in the opposite direction."""
    for d in range(first, last):
        if at[KIND, d] == MOVE:
            other = at[MOVE_OUT, at[DESTINATION, d]]
            if other != NONE and at[DESTINATION, other] == at[PLACE, d]:
                at[OPPOSED, d] = other
        elif at[SUPPORTS_HOLD, d] == 1:
            at[NEXT_SUPPORT, d] = at[FIRST_HOLD_SUPPORT, at[SUPPORTED, d]]
            at[FIRST_HOLD_SUPPORT, at[SUPPORTED, d]] = d
        else:
            move = at[MOVE_OUT, at[SUPPORTED, d]]
            if move == NONE or at[DESTINATION, move] != at[DESTINATION, d]:
                continue
            if at[KIND, d] == CONVOY:
                at[MATCH, d] = move
                at[NEXT_CONVOY, d] = at[FIRST_CONVOY, move]
                at[FIRST_CONVOY, move] = d
                at[MIGHT_BE_CONVOYED, move] = 1
            elif at[LOCATION, d] == at[LOCATION, move] or at[LOCATION, d] < provinces:  # it names that coast, or none
                at[MATCH, d] = move
                at[NEXT_SUPPORT, d] = at[FIRST_SUPPORT, move]
                at[FIRST_SUPPORT, move] = d


@compiled
def lay_routes(known: Known, at: Numbers, base: int, provinces: int, d: int, route: int) -> int:
    """List the proper routes that the convoy orders for a move make; returns the number of routes so far."""
    seas = 0
    convoy = at[FIRST_CONVOY, d]
    while convoy != NONE:
        seas |= known[SEA, at[PLACE, convoy] - base]
        convoy = at[NEXT_CONVOY, convoy]
    pair = (at[PLACE, d] - base) * provinces + at[DESTINATION, d] - base
    for number in range(known[FIRST_KNOWN_ROUTE, pair], known[FIRST_KNOWN_ROUTE, pair + 1]):
        if known[KNOWN_ROUTE, number] & ~seas == 0:
            leg = at[FIRST_LEG, route]
            for step in range(known[FIRST_KNOWN_LEG, number], known[FIRST_KNOWN_LEG, number + 1]):
                at[LEG, leg] = at[DECIDED, base + known[KNOWN_LEG, step]]
                leg += 1
            route += 1
            at[FIRST_LEG, route] = leg
    return route


@compiled
def situate_boards(
    known: Known, forms: Known, form_rows: Numbers, texts: Numbers, at: Numbers, missing: Known, boards: int, provinces: int,
    states: int
) -> None:  # fmt: skip
    """Fill the matrix, board after board; where a form is not known yet, `missing` has its key at that order."""
    d = route = 0
    at[FIRST_LEG, 0] = 0
    for board in range(boards):
        first = d
        base = board * provinces
        at[FIRST_DECISION, board] = first
        if at[ODD, board] == 1:
            continue
        for place in range(base, base + provinces):
            at[DECIDED, place] = IGNORED
        fleets = place_units(known, at, board, base)
        if fleets == NONE:
            at[ODD, board] = 1
            continue
        d = take_orders(known, forms, form_rows, texts, at, missing, (board, provinces, fleets), states, first)
        connect(at, provinces, first, d)
        for subject in range(first, d):
            at[FIRST_ROUTE, subject] = route
            if at[KIND, subject] == MOVE and at[FIRST_CONVOY, subject] != NONE:
                route = lay_routes(known, at, base, provinces, subject, route)
    at[FIRST_DECISION, boards] = d
    at[FIRST_ROUTE, d] = route


# ---- settling by partial information (DATC 5.E) ----


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
    """Fill in what the equations say of settled decisions besides their values."""
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


# ---- outcomes: what settled decisions make of orders and units ----

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
    """What became of a legal order, as `satjudge.outcome.Outcome.result` tells it."""
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
