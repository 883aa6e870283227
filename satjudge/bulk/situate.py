"""Situations of a whole batch: which orders count, which decisions there are, and what the equations read of them.

The same as `satjudge.legality.sort_out` and `satjudge.equations.situation.situate`, over `satjudge.bulk.arrays`.
"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import (
    BY_LAND,
    CONVOY,
    DECIDED,
    DESTINATION,
    DIRECTED_AT,
    FIRST_CONVOY,
    FIRST_DECISION,
    FIRST_HOLD_SUPPORT,
    FIRST_LEG,
    FIRST_MOVE_IN,
    FIRST_ORDER,
    FIRST_ROUTE,
    FIRST_SUPPORT,
    FIRST_UNIT,
    FORM,
    KIND,
    LEG,
    LOCATION,
    MATCH,
    MIGHT_BE_CONVOYED,
    MOVE,
    MOVE_OUT,
    NEXT_CONVOY,
    NEXT_MOVE_IN,
    NEXT_SUPPORT,
    NONE,
    ODD,
    OPPOSED,
    ORDER_DECISION,
    ORDER_PLACE,
    ORDER_POWER,
    ORDER_TEXT,
    OWNER,
    PLACE,
    STATE,
    SUPPORTED,
    SUPPORTS_HOLD,
    UNIT,
    UNIT_POWER,
    UNIT_STATE,
    VIA_CONVOY,
    Numbers,
    compiled,
)
from satjudge.bulk.tables import (
    ALWAYS,
    ANOTHER_ROUTE,
    FIRST_KNOWN_LEG,
    FIRST_KNOWN_ROUTE,
    FORM_BY_LAND,
    FORM_DESTINATION,
    FORM_KIND,
    FORM_OTHER,
    FORM_SUPPORTS_HOLD,
    FORM_VIA_CONVOY,
    FORM_WHEN,
    HOLD,
    ILLEGAL,
    KNOWN_LEG,
    KNOWN_ROUTE,
    ON_ROUTE,
    OTHER_PROVINCE,
    OWN_PROVINCE,
    PROVINCE_OF_LOCATION,
    PROVINCE_OF_STATE,
    SEA,
)

HOLDS, IGNORED = -1, -2
"""In place of a decision: a hold that counts; no order that counts."""

Known = NDArray[numpy.int64]


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
