"""Answers lines that ask about a game: what is legal, what comes after a phase, and how orders are in full.

Lines are those of `satjudge.bulk.kernel.lines`, whose phase may have its full name, `F1901R`. What is legal and what comes next
is found as for many games (`satjudge.bulk.kernel.games`), of which there is one here.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# what the functions of the other modules are, is there when this is printed
# mypy: ignore-errors


# ---- what is asked ----


@compiled
def is_digit(byte):
    """Return whether a byte is an ASCII digit."""
    return byte >= ZERO and byte < ZERO + 10


@compiled
def read_moment(length, start):
    """Read the full name of a phase (`F1901R`) into the request; return the position after it, or -1 for Python."""
    season, year, place = line[start], 0, start + 1
    while place < length and place <= start + MOST_YEAR_DIGITS and is_digit(line[place]):
        year = year * 10 + line[place] - ZERO
        place += 1
    if place == start + 1 or place + 1 >= length or line[place + 1] != QUOTE:
        return NONE
    kind = line[place]
    if kind != LETTER_M and kind != LETTER_R and kind != LETTER_A:
        return NONE
    request[ABOUT, ABOUT_PHASE] = OF_MOVEMENT if kind == LETTER_M else OF_RETREAT if kind == LETTER_R else OF_ADJUSTMENT
    request[ABOUT, ABOUT_NAMED] = 1
    moments[0, YEAR] = year
    moments[0, FALL] = 0 if season == LETTER_S else 1
    return place + 2


@called
def read_game_key(length, start, what):
    """Read the value of a key of lines about games; return the position after it, or -1 to leave the line to Python."""
    place = skip_sign(length, start, QUOTE)
    if what == KEY_PHASE:
        named = (
            place >= 0 and place < length and (line[place] == LETTER_S or line[place] == LETTER_F or line[place] == LETTER_W)
        )
        end = read_moment(length, place) if named else read_phase(length, start)
        if end < 0 and find_text_end(length, place) >= 0:
            note_odd(UNKNOWN_PHASE, place, find_text_end(length, place))
        return end
    if what == KEY_OF:
        end = find_text_end(length, place)
        if end < 0:
            return NONE
        request[ABOUT, ABOUT_OF] = place
        request[ABOUT, ABOUT_OF_END] = end
        return end + 1
    if what != KEY_VICTORY:
        return NONE
    place = skip_space(length, start)
    if place >= length or line[place] == ZERO:
        return NONE
    first = place
    while place < length and place < first + MOST_YEAR_DIGITS and is_digit(line[place]):
        request[ABOUT, ABOUT_VICTORY] = request[ABOUT, ABOUT_VICTORY] * 10 + line[place] - ZERO
        place += 1
    return place if place > first else NONE


@called
def read_game(length):
    """Read a line about a game into the arrays of the request and the game; return SETTLED, ODD or MISSING."""
    clear_outcome()
    begin_request()
    if not read_keys(length, TO_PLAY):
        return ODD
    if counters[WANTS] > 0:
        return note_missing()
    phase, known = request[ABOUT, ABOUT_PHASE], of_powers.shape[0] - 1
    if request[ABOUT, ABOUT_POWERS] > known:
        note_key(NONE)
        return note_odd(UNKNOWN_POWER, request[NAME, known], request[NAME_END, known])
    if request[UNIT_ROWS + GROUPS, 1] > units.shape[1]:
        return note_odd_text(TOO_MANY, UNIT_ROWS, units.shape[1])
    if not place_standing_units() or not enter_owners():
        return ODD
    if phase == OF_RETREAT and not place_dislodged_units():
        return ODD
    moments[0, PHASE] = phase
    if request[ABOUT, ABOUT_NAMED] == 0:
        moments[0, YEAR] = aims[FIRST_YEAR]
        moments[0, FALL] = 1 if phase == OF_ADJUSTMENT else 0
    moments[0, ENDED] = GOES_ON
    moments[0, WINNER] = NONE
    aims[NEEDED] = request[ABOUT, ABOUT_VICTORY] if request[ABOUT, ABOUT_VICTORY] > 0 else aims[USUAL]
    for place in range(owners.shape[1]):
        owners[0, place] = request[OWNED_BY, place]
    return SETTLED


# ---- what comes next ----


@called
def enter_remaining_units():
    """Make the units left by a phase the game's units; return false if there are too many."""
    first = request[ABOUT, ABOUT_TOLD]
    count = request[ABOUT, ABOUT_TOLD_END] - first
    if count > units.shape[1]:
        return False
    for column in range(units.shape[1]):
        units[0, column] = request[TOLD_UNIT, first + column] if column < count else NONE
        powers[0, column] = request[TOLD_POWER, first + column] if column < count else NONE
    return True


@compiled
def can_any_retreat():
    """Return whether the line's phase was a movement phase after which a dislodged unit may retreat."""
    if moments[0, PHASE] != OF_MOVEMENT:
        return False
    for row in range(counters[LOST]):
        if may_retreat(row):
            return True
    return False


@compiled
def write_moment(end):
    """Write the full name of the game's phase, and return the answer's new end."""
    phase = moments[0, PHASE]
    end = write_byte(end, LETTER_W if phase == OF_ADJUSTMENT else LETTER_F if moments[0, FALL] == 1 else LETTER_S)
    end = write_number(end, moments[0, YEAR])
    return write_byte(end, LETTER_A if phase == OF_ADJUSTMENT else LETTER_R if phase == OF_RETREAT else LETTER_M)


@called
def write_owners(end):
    """Write the owners of supply centres, if there are any or the phase needs them; return the answer's new end."""
    count = 0
    for place in range(owners.shape[1]):
        if owners[0, place] != NONE:
            request[TOLD_UNIT, count] = place
            request[TOLD_POWER, count] = owners[0, place]
            count += 1
    if count == 0 and moments[0, PHASE] != OF_ADJUSTMENT:
        return end
    return write_byte(write_by_power(write_text(end, SAY_NEXT_CENTERS), 0, count, SAY_LOCATION), CLOSE_BRACE)


@called
def write_next(end, retreating):
    """Write the next position and how the game ended, or null; return the answer's new end."""
    request[ABOUT, ABOUT_NEXT] = 1
    request[ABOUT, ABOUT_POWERS] = of_powers.shape[0] - 1
    end = write_moment(write_text(end, SAY_NEXT))
    end = write_text(end, SAY_NEXT_UNITS)
    end = write_byte(write_by_power(end, request[ABOUT, ABOUT_TOLD], request[ABOUT, ABOUT_TOLD_END], SAY_UNIT), CLOSE_BRACE)
    end = write_owners(end)
    if retreating:
        end = write_byte(write_dislodged(write_text(end, SAY_NEXT_DISLODGED), counters[LOST]), CLOSE_BRACE)
    end = write_text(end, SAY_NAMES)
    end = write_text(end, SAY_WON + moments[0, WINNER] if moments[0, WINNER] != NONE else SAY_NULL)
    return write_byte(end, CLOSE_BRACE)


@called
def next_line(length):
    """Answer the line with its outcome and the next phase with orders to give; return the answer's end, ODD or MISSING."""
    state = read_game(length)
    if state != SETTLED:
        return state
    request[ABOUT, ABOUT_BEGUN] = write_text(0, SAY_JUDGED)
    end = answer_phase(length)
    if end < 0:
        return end
    retreating = can_any_retreat()
    if retreating:
        moments[0, PHASE] = OF_RETREAT
    else:
        if not enter_remaining_units():
            return note_odd_line(TOO_MANY)
        end_turn(0)
    return write_next(end, retreating)


# ---- what is legal ----


@called
def list_board():
    """List the legal orders of the board in the arrays; return SETTLED, or why Python must do it (see `list_movement`)."""
    clear_outcome()
    return list_movement(0, contested.shape[1])


@called
def list_units():
    """List the legal orders of the units of a line; return the state as `list_movement` does."""
    for column in range(units.shape[1]):
        there = column < request[UNIT_ROWS + GROUPS, 1]
        units[0, column] = request[UNIT_ROWS + TEXT_NUMBER, column] if there else NONE
        powers[0, column] = request[UNIT_ROWS + TEXT_POWER, column] if there else NONE
    state = list_movement(0, contested.shape[1])
    for slot in range(counters[SLOTS]):
        slot_list[slot, SLOT_COLUMN] = SAY_UNIT + units[0, slot_list[slot, SLOT_COLUMN]]
    return state


@called
def list_open_retreats():
    """List the legal orders of the dislodged units of a line."""
    for lost in range(request[LOST_ROWS + GROUPS, 1]):
        unit = request[LOST_ROWS + TEXT_NUMBER, lost]
        open_slot(0, SAY_UNIT + unit, request[LOST_ROWS + TEXT_POWER, lost], spots[PLACE_OF_UNIT, unit])
        for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
            if retreats[lost, spots[EXIT, number]]:
                add_order(later_orders[RETREAT_TO, number])
        add_order(later_orders[DISBAND_UNIT, unit])


@called
def list_power_adjustments(power):
    """List the units that a power may build in each place, or each unit that it may remove."""
    most = count_surplus(power, owners.shape[1])
    for place in range(owners.shape[1] if most > 0 else 0):
        if is_site(power, place):
            open_slot(0, SAY_LOCATION + place, power, place)
            list_builds(place)
            if choices[MAY_DECLINE] == 1:
                add_order(named_from.shape[0] - 2)  # declining is the last order of the vocabulary
    for column in range(request[UNIT_ROWS + GROUPS, 1] if most < 0 else 0):
        if request[UNIT_ROWS + TEXT_POWER, column] == power:
            unit = request[UNIT_ROWS + TEXT_NUMBER, column]
            open_slot(0, SAY_UNIT + unit, power, spots[PLACE_OF_UNIT, unit])
            add_order(later_orders[REMOVE_UNIT, unit])


@compiled
def is_asked_slot(slot):
    """Return whether the line asks for the orders of a slot: it asks for all, or names this unit or place."""
    first, count = request[ABOUT, ABOUT_OF], request[ABOUT, ABOUT_OF_END] - request[ABOUT, ABOUT_OF]
    if count == 0:
        return True
    text = said_from[slot_list[slot, SLOT_COLUMN]]
    if said_from[slot_list[slot, SLOT_COLUMN] + 1] - text != count + 2:
        return False
    for place in range(count):
        if said[text + 1 + place] != line[first + place]:
            return False
    return True


@called
def write_slot(end, slot):
    """Write the unit or place of a slot with its legal orders; return the answer's new end, or ODD if there is no room."""
    last = slot_list[slot + 1, SLOT_FIRST] if slot + 1 < counters[SLOTS] else counters[LISTED]
    end = write_byte(write_byte(write_text(end, slot_list[slot, SLOT_COLUMN]), COLON), OPEN_BRACKET)
    for number in range(slot_list[slot, SLOT_FIRST], last):
        if end + LONGEST_ORDER > written.shape[0]:
            return ODD
        if number > slot_list[slot, SLOT_FIRST]:
            end = write_byte(end, COMMA)
        end = write_order(end, listing[number])
    return write_byte(end, CLOSE_BRACKET)


@called
def write_slots(end, power, first):
    """Write the slots of a power from the slot `first` on; return the answer's new end, or ODD if there is no room."""
    several = False
    end = write_byte(write_power(end, power), OPEN_BRACE)
    for slot in range(first, counters[SLOTS]):
        if slot_list[slot, SLOT_POWER] == power and is_asked_slot(slot):
            end = write_slot(write_byte(end, COMMA) if several else end, slot)
            if end < 0:
                return ODD
            several = True
    return write_byte(end, CLOSE_BRACE)


@called
def write_legal():
    """Write the requested slots by power; return the answer's end, or ODD if there is no room or no such slot."""
    request[ABOUT, ABOUT_NEXT] = 1
    request[ABOUT, ABOUT_POWERS] = of_powers.shape[0] - 1
    clear_told_powers()
    some = False
    end = write_text(write_identity(0), SAY_LEGAL)
    for slot in range(counters[SLOTS]):
        power = slot_list[slot, SLOT_POWER]
        if request[POWER_TOLD, power] == 0 and is_asked_slot(slot):
            request[POWER_TOLD, power] = 1
            end = write_slots(write_byte(end, COMMA) if some else end, power, slot)
            if end < 0:
                return note_odd_line(NO_ROOM)
            some = True
    if not some and request[ABOUT, ABOUT_OF_END] > 0:
        note_key(KEY_OF)
        return note_odd(NOTHING_OF_IT, request[ABOUT, ABOUT_OF], request[ABOUT, ABOUT_OF_END])
    return write_byte(write_byte(end, CLOSE_BRACE), CLOSE_BRACE)


@called
def legal_line(length):
    """Answer the line with the legal orders of its phase; return the answer's end, or ODD or MISSING if Python must answer."""
    state = read_game(length)
    if state != SETTLED:
        return state
    if moments[0, PHASE] == OF_MOVEMENT:
        state = list_units()
        if state != SETTLED:
            return note_missing() if state == PENDING else note_odd_line(UNDECIDED)
    elif moments[0, PHASE] == OF_RETREAT:
        list_open_retreats()
    else:
        for power in range(of_powers.shape[0] - 1):
            list_power_adjustments(power)
    return write_legal()


# ---- orders in full ----


@called
def find_forms(length):
    """Find the full form of each movement order on the line, judged alone; return SETTLED, ODD or MISSING."""
    if not seat_units(contested.shape[1], length):
        return ODD
    if counters[WANTS] > 0:
        return note_missing()
    clear_places(contested.shape[1])
    fleets = place_units(0)
    if fleets == NONE:
        return note_odd_line(UNDECIDED)
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        column = request[ORDER_COLUMN, number]
        request[FORM, number] = NO_FORM
        if column != NONE:
            form = find_full_order(spots[PLACE_OF_UNIT, units[0, column]], fleets, request[ORDER_ROWS + TEXT_NUMBER, number])
            if form == LEAVE or form + 1 >= named_from.shape[0]:
                return note_odd_text(UNDECIDED, ORDER_ROWS, number)
            request[FORM, number] = form
    return note_missing() if counters[WANTS] > 0 else SETTLED


@called
def write_forms(end):
    """Write the orders of each power, legal ones in full and others as on the line; return the answer's new end."""
    number = 0
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        if group:
            end = write_byte(end, COMMA)
        end = write_byte(write_power(end, request[ORDER_ROWS + GROUP_POWER, group]), OPEN_BRACKET)
        for position in range(request[ORDER_ROWS + GROUP_SIZE, group]):
            if position:
                end = write_byte(end, COMMA)
            if moments[0, PHASE] == OF_MOVEMENT and request[FORM, number] >= 0:
                end = write_order(end, request[FORM, number])
            else:
                end = copy_text(end, line, request[ORDER_ROWS + BEGINS, number] - 1, request[ORDER_ROWS + ENDS, number] + 1)
            number += 1
        end = write_byte(end, CLOSE_BRACKET)
    return end


@called
def orders_line(length):
    """Answer the line with its own orders, the legal ones in full; return the answer's end, ODD or MISSING."""
    state = read_game(length)
    if state == SETTLED and moments[0, PHASE] == OF_MOVEMENT:
        state = find_forms(length)
    if state != SETTLED:
        return state
    end = write_forms(write_text(write_identity(0), SAY_ORDERS))
    return write_byte(write_byte(end, CLOSE_BRACE), CLOSE_BRACE)
