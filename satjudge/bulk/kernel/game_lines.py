"""Answers lines that ask about a game: for its legal orders, its next phase, or the full form of orders.

The lines have the form of `satjudge.bulk.kernel.lines`, but their phase may have its full name, `F1901R`. Legal orders and next
positions are found by the functions for many games (`satjudge.bulk.kernel.games`), here with a single game.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the functions of the other modules are defined only when this file is printed as C
# mypy: ignore-errors


# ---- reading the line ----


@compiled
def is_digit(byte):
    """Return whether a byte is an ASCII digit."""
    return byte >= ZERO and byte < ZERO + 10


@compiled
def read_moment(line_length, position):
    """Read a phase's full name (`F1901R`) into the game's state; return the position after its quote, or -1 (for Python)."""
    season, year, place = line[position], 0, position + 1
    while place < line_length and place <= position + MOST_YEAR_DIGITS and is_digit(line[place]):
        year = year * 10 + line[place] - ZERO
        place += 1
    if place == position + 1 or place + 1 >= line_length or line[place + 1] != QUOTE:
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
def read_game_key(line_length, position, key_number):
    """Read the value of the key `phase`, `of` or `victory` into the request; return the position after it, or -1 for Python."""
    place = skip_sign(line_length, position, QUOTE)
    if key_number == KEY_PHASE:
        season = line[place] if place >= 0 and place < line_length else 0
        named = season == LETTER_S or season == LETTER_F or season == LETTER_W
        end = read_moment(line_length, place) if named else read_phase(line_length, position)
        if end < 0 and find_text_end(line_length, place) >= 0:
            note_odd(UNKNOWN_PHASE, place, find_text_end(line_length, place))
        return end
    if key_number == KEY_OF:
        end = find_text_end(line_length, place)
        if end < 0:
            return NONE
        request[ABOUT, ABOUT_OF] = place
        request[ABOUT, ABOUT_OF_END] = end
        return end + 1
    if key_number != KEY_VICTORY:
        return NONE
    place = skip_space(line_length, position)
    if place >= line_length or line[place] == ZERO:
        return NONE
    first = place
    while place < line_length and place < first + MOST_YEAR_DIGITS and is_digit(line[place]):
        request[ABOUT, ABOUT_VICTORY] = request[ABOUT, ABOUT_VICTORY] * 10 + line[place] - ZERO
        place += 1
    return place if place > first else NONE


@called
def read_game(line_length):
    """Read a line about a game into the arrays; return SETTLED, ODD (left to Python) or MISSING (facts to look up)."""
    clear_outcome()
    begin_request()
    if not read_keys(line_length, TO_PLAY):
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


# ---- the next position ----


@called
def enter_remaining_units():
    """Make the units that remain after a phase the game's units; return false if there are too many."""
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
def write_moment(answer_end):
    """Append the full name of the game's phase to the answer, and return the answer's new end."""
    phase = moments[0, PHASE]
    answer_end = write_byte(answer_end, LETTER_W if phase == OF_ADJUSTMENT else LETTER_F if moments[0, FALL] == 1 else LETTER_S)
    answer_end = write_number(answer_end, moments[0, YEAR])
    return write_byte(answer_end, LETTER_A if phase == OF_ADJUSTMENT else LETTER_R if phase == OF_RETREAT else LETTER_M)


@called
def write_owners(answer_end):
    """Append the owners of supply centres, unless there are none and it is no adjustment phase; return the answer's new end."""
    count = 0
    for place in range(owners.shape[1]):
        if owners[0, place] != NONE:
            request[TOLD_UNIT, count] = place
            request[TOLD_POWER, count] = owners[0, place]
            count += 1
    if count == 0 and moments[0, PHASE] != OF_ADJUSTMENT:
        return answer_end
    return write_byte(write_by_power(write_text(answer_end, SAY_NEXT_CENTERS), 0, count, SAY_LOCATION), CLOSE_BRACE)


@called
def write_next(end, has_retreats):
    """Append the next position (`has_retreats`: with dislodged units) and who has won or null at `end`; return the new end."""
    request[ABOUT, ABOUT_NEXT] = 1
    request[ABOUT, ABOUT_POWERS] = of_powers.shape[0] - 1
    end = write_moment(write_text(end, SAY_NEXT))
    end = write_text(end, SAY_NEXT_UNITS)
    end = write_byte(write_by_power(end, request[ABOUT, ABOUT_TOLD], request[ABOUT, ABOUT_TOLD_END], SAY_UNIT), CLOSE_BRACE)
    end = write_owners(end)
    if has_retreats:
        end = write_byte(write_dislodged(write_text(end, SAY_NEXT_DISLODGED), counters[LOST]), CLOSE_BRACE)
    end = write_text(end, SAY_NAMES)
    end = write_text(end, SAY_WON + moments[0, WINNER] if moments[0, WINNER] != NONE else SAY_NULL)
    return write_byte(end, CLOSE_BRACE)


@called
def next_line(line_length):
    """Answer a line with results and the next position that needs orders; return its end, ODD (to Python), MISSING (a fact)."""
    state = read_game(line_length)
    if state != SETTLED:
        return state
    request[ABOUT, ABOUT_BEGUN] = write_text(0, SAY_JUDGED)
    end = answer_phase(line_length)
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


# ---- legal orders ----


@called
def list_board():
    """List the legal orders of the board in the arrays; return SETTLED, PENDING (facts missing), LEFT (to Python), MISTAKEN."""
    clear_outcome()
    return list_movement(0, contested.shape[1])


@called
def list_units():
    """List the legal movement orders of the line's units; return SETTLED, PENDING (facts missing) or LEFT (to Python)."""
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
    """Add the legal retreats and disbandments of the dislodged units on the line to the kernel's lists of orders."""
    for lost in range(request[LOST_ROWS + GROUPS, 1]):
        unit = request[LOST_ROWS + TEXT_NUMBER, lost]
        open_slot(0, SAY_UNIT + unit, request[LOST_ROWS + TEXT_POWER, lost], spots[PLACE_OF_UNIT, unit])
        for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
            if retreats[lost, spots[EXIT, number]]:
                add_order(later_orders[RETREAT_TO, number])
        add_order(later_orders[DISBAND_UNIT, unit])


@called
def list_power_adjustments(power):
    """List what a power may build or decline at each of its sites, or the removal of each unit if it must remove some."""
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
    """Return whether the line asks for the orders of a slot: it names its unit or place, or asks for all slots."""
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
def write_slot(answer_end, slot):
    """Append the name of a slot's unit or place and its legal orders; return the answer's new end, or ODD without room."""
    last = slot_list[slot + 1, SLOT_FIRST] if slot + 1 < counters[SLOTS] else counters[LISTED]
    answer_end = write_byte(write_byte(write_text(answer_end, slot_list[slot, SLOT_COLUMN]), COLON), OPEN_BRACKET)
    for number in range(slot_list[slot, SLOT_FIRST], last):
        if answer_end + LONGEST_ORDER > written.shape[0]:
            return ODD
        if number > slot_list[slot, SLOT_FIRST]:
            answer_end = write_byte(answer_end, COMMA)
        answer_end = write_order(answer_end, listing[number])
    return write_byte(answer_end, CLOSE_BRACKET)


@called
def write_slots(answer_end, power, first_slot):
    """Append a power's requested slots from `first_slot` on, with their orders; return the answer's new end, or ODD if full."""
    several = False
    answer_end = write_byte(write_power(answer_end, power), OPEN_BRACE)
    for slot in range(first_slot, counters[SLOTS]):
        if slot_list[slot, SLOT_POWER] == power and is_asked_slot(slot):
            answer_end = write_slot(write_byte(answer_end, COMMA) if several else answer_end, slot)
            if answer_end < 0:
                return ODD
            several = True
    return write_byte(answer_end, CLOSE_BRACE)


@called
def write_legal():
    """Write the legal orders of requested units and places by power; return the answer's end, or ODD for no match or room."""
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
def legal_line(line_length):
    """Answer a line with the legal orders of its phase; return the end, ODD (left to Python) or MISSING (facts to look up)."""
    state = read_game(line_length)
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
def find_forms(line_length):
    """Find the full forms of the movement orders on a line; return SETTLED, ODD (left to Python) or MISSING (a fact)."""
    if not seat_units(contested.shape[1], line_length):
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
    """Append each power's orders, legal movement orders in full and others as on the line; return the answer's new end."""
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
def orders_line(line_length):
    """Answer a line with its orders, legal movement orders in full; return its end, ODD (for Python) or MISSING (a fact)."""
    state = read_game(line_length)
    if state == SETTLED and moments[0, PHASE] == OF_MOVEMENT:
        state = find_forms(line_length)
    if state != SETTLED:
        return state
    end = write_forms(write_text(write_identity(0), SAY_ORDERS))
    return write_byte(write_byte(end, CLOSE_BRACE), CLOSE_BRACE)
