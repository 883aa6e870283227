"""Answers one batch line of a movement phase: reads its bytes, asks for verdicts, writes the answer (docs/reference/batch.md).

`satjudge.bulk.kernel.later_phases` has the functions for the other phases. The functions look up what a text means in a
table that the plain path fills, and request texts that are missing. Whatever is out of the ordinary is odd, and left to the
plain path: escapes, keys that are not of the phase, mistakes. The phase must precede the orders.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# what the functions of `kernel` and the equations are, is there when this is printed
# mypy: ignore-errors


# ---- why a line is refused ----


@called
def note_odd(cause_of_it, start, end):
    """Record why the kernel leaves a line to Python and where in the line, unless a cause is already recorded; return ODD."""
    if cause[CAUSE] == NONE:
        cause[CAUSE] = cause_of_it
        cause[CAUSE_KEY] = request[ABOUT, AT_KEY]
        cause[CAUSE_GROUP] = request[ABOUT, AT_GROUP]
        cause[CAUSE_INDEX] = request[ABOUT, AT_INDEX]
        cause[CAUSE_BEGINS] = start
        cause[CAUSE_ENDS] = end
    return numpy.int64(ODD)


@compiled
def note_key(key):
    """Record which key of the line is being read; -1 for none."""
    request[ABOUT, AT_KEY] = key
    request[ABOUT, AT_GROUP] = request[ABOUT, AT_INDEX] = NONE


@compiled
def find_key(rows):
    """Return the key of the line whose texts are in these rows."""
    if rows == UNIT_ROWS:
        return KEY_UNITS
    if rows == ORDER_ROWS:
        return KEY_ORDERS
    return KEY_DISLODGED if rows == LOST_ROWS else KEY_CENTERS


@called
def note_odd_text(cause_of_it, rows, number):
    """Record that the kernel leaves a line to Python because of the text with this number in some rows; return ODD."""
    note_key(
        KEY_UNITS
        if rows == UNIT_ROWS
        else KEY_ORDERS
        if rows == ORDER_ROWS
        else KEY_DISLODGED
        if rows == LOST_ROWS
        else KEY_CENTERS
    )
    group = 0
    first = numpy.int64(0)
    while first + request[rows + GROUP_SIZE, group] <= number:
        first += request[rows + GROUP_SIZE, group]
        group += 1
    request[ABOUT, AT_GROUP] = group
    request[ABOUT, AT_INDEX] = number - first
    return note_odd(cause_of_it, request[rows + BEGINS, number], request[rows + ENDS, number])


@called
def note_odd_line(cause_of_it):
    """Record that the kernel leaves a line to Python as a whole; return ODD."""
    note_key(NONE)
    return note_odd(cause_of_it, NONE, NONE)


@called
def note_missing():
    """Record which order of the line needs a fact that Python must look up, unless a cause is recorded; return MISSING."""
    if cause[CAUSE] == NONE:
        what, key = wanted[0, 0], wanted[0, 1]
        order = key >> 19 if what == ALIASES else key >> 24 if what == LINKS else key
        for number in range(request[ORDER_ROWS + GROUPS, 1]):
            if request[ORDER_ROWS + TEXT_NUMBER, number] == order:
                note_odd_text(IN_NO_TABLE, ORDER_ROWS, number)
        if cause[CAUSE] == NONE:
            note_odd_line(IN_NO_TABLE)
    return numpy.int64(MISSING)


# ---- JSON ----


@compiled
def skip_space(length, start):
    """Return the position of the next byte of the line that is not white space."""
    place = start
    while place < length and (line[place] == SPACE or line[place] == TAB or line[place] == FEED or line[place] == RETURN):
        place += 1
    return place


@compiled
def skip_sign(length, start, sign):
    """Return the position after this sign, which must be next after any white space; -1 otherwise, or if `start` is -1."""
    if start < 0:
        return NONE
    place = skip_space(length, start)
    return place + 1 if place < length and line[place] == sign else NONE


@compiled
def find_text_end(length, start):
    """Return the position of the quote that ends a JSON text; -1 if the text has escapes or bytes other than ASCII."""
    if start < 0:
        return NONE
    place = start
    while place < length and line[place] != QUOTE:
        if line[place] < SPACE or line[place] > TILDE or line[place] == BACKSLASH:
            return NONE
        place += 1
    return place if place < length else NONE


@compiled
def are_same(first, second, length):
    """Return whether two parts of the line, of the same length, have the same bytes."""
    for place in range(length):
        if line[first + place] != line[second + place]:
            return False
    return True


@compiled
def find_identity_end(length, start):
    """Return the position after a line's id, a text or a whole number; -1 for anything else."""
    place = start
    if place < length and line[place] == QUOTE:
        end = find_text_end(length, place + 1)
        return end + 1 if end >= 0 else NONE
    while place < length and line[place] >= ZERO and line[place] < ZERO + 10:
        place += 1
    if place == start or place > start + MOST_DIGITS or (line[start] == ZERO and place > start + 1):
        return NONE
    return place


# ---- what texts mean ----


@compiled
def look_up_text(start, end, key, kind):
    """Return the number of a text of a kind; UNREADABLE, or MISSING, with the text requested, if Python must look it up."""
    slot = find_slot(texts, key)
    if slot == NONE:
        order = numpy.int64(NONE)
        if kind == OF_ORDERS:
            order = enter_order_by_parts(start, end)
        elif kind == OF_RETREATS or kind == OF_ADJUSTMENTS:
            order = find_duty_by_parts(start, end, kind)
        if order != NONE:
            return order
        note_wanted(TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | kind)
        return MISSING
    first = texts[slot, 1]
    if texts[slot, 2] != end - start:
        return UNREADABLE
    for place in range(start, end):
        if pool[first + place - start] != line[place]:
            return UNREADABLE
    return texts[slot, 3]


# ---- orders in no table, by their parts: what nobody could carry out, and units by other names than their own ----


@compiled
def look_up_without(start, stop, after, end, kind):
    """Return the number of a text of a kind without its part from `stop` to `after`; -1 if it is unknown."""
    key = numpy.int64(kind)
    for place in range(start, stop):
        key = mixed_in(key, numpy.int64(line[place]))
    for place in range(after, end):
        key = mixed_in(key, numpy.int64(line[place]))
    slot = find_slot(texts, key & TEXT_KEYS)
    if slot == NONE or texts[slot, 2] != end - after + stop - start:
        return NONE
    for place in range(start, stop):
        if pool[texts[slot, 1] + place - start] != line[place]:
            return NONE
    for place in range(after, end):
        if pool[texts[slot, 1] + place - after + stop - start] != line[place]:
            return NONE
    return texts[slot, 3]


@compiled
def look_up_number(start, end, kind):
    """Return the number of a text of a kind; -1 if it is unknown."""
    return look_up_without(start, end, end, end, kind)


@compiled
def find_location(start, end):
    """Return the location with this name in satjudge's notation; -1 for other spellings."""
    location = look_up_number(start, end, OF_LOCATIONS)
    if location == NONE:
        return NONE
    first = said_from[SAY_LOCATION + location] + 1
    if said_from[SAY_LOCATION + location + 1] - 1 - first != end - start:
        return NONE
    for place in range(start, end):
        if said[first + place - start] != line[place]:
            return NONE
    return location


@compiled
def find_word_end(start, end):
    """Return the position of the blank after a word, or `end`."""
    place = start
    while place < end and line[place] != SPACE:
        place += 1
    return place


@compiled
def has_kind(start, end):
    """Return whether the name of a unit begins with its kind and a blank."""
    return start + 1 < end and line[start + 1] == SPACE and (line[start] == LETTER_A or line[start] == LETTER_F)


@compiled
def find_name_end(start, end):
    """Return the position after a unit's name: a place, with or without the kind before it."""
    return find_word_end(start + 2 if has_kind(start, end) else start, end)


@compiled
def find_place(start, end):
    """Return the province of the unit with this name; -1 if there is none."""
    location = find_location(start + 2 if has_kind(start, end) else start, end)
    return NONE if location == NONE else spots[PLACE_OF_LOCATION, location]


@compiled
def find_unit(start, end):
    """Return the number of the unit with this name; NAMELESS if there is none."""
    unit = look_up_number(start, end, OF_UNITS)
    return NAMELESS if unit == NONE else unit


@compiled
def is_word(start, end, first, second, third):
    """Return whether these three bytes are at a position of the line."""
    return start + 3 <= end and line[start] == first and line[start + 1] == second and line[start + 2] == third


@compiled
def find_province_end(start, end):
    """Return the position after a province's code, where a coast or `VIA` may follow."""
    place = start
    while place < end and line[place] != SLASH and line[place] != SPACE:
        place += 1
    return place


@compiled
def goes_by_convoy(start, end):
    """Return whether the rest of an order, after its place, is `VIA`."""
    return start + 4 == end and line[start] == SPACE and is_word(start + 1, end, LETTER_V, LETTER_I, LETTER_A)


@compiled
def same_text(order, start, end):
    """Return whether an order that was entered, as it is in no table, has this text."""
    first = entries[order, TEXT_BEGINS]
    return entries[order, TEXT_ENDS] - first == end - start and are_same(first, start, end - start)


@compiled
def enter_order(start, end):
    """Return the number of an order that is in no table, and enter it if it is new."""
    for number in range(counters[MET]):
        if same_text(entries.shape[0] - 1 - number, start, end):
            return entries.shape[0] - 1 - number
    order = entries.shape[0] - 1 - counters[MET]
    counters[MET] += 1
    for column in range(entries.shape[1]):
        entries[order, column] = NONE
    entries[order, LEGAL] = entries[order, LEGAL_OWN] = IMPOSSIBLE
    entries[order, TEXT_BEGINS] = start
    entries[order, TEXT_ENDS] = end
    return order


@compiled
def is_target(start, behind, end, moves):
    """Return whether the rest of an order is a place, with or without `VIA` (only if it `moves`)."""
    after = find_word_end(start, end)
    if find_location(start, behind) == NONE or find_location(start, after) == NONE:
        return False
    return after == end or (moves and goes_by_convoy(after, end))


@called
def enter_order_by_parts(start, end):
    """Parse an order in satjudge's notation with known places, enter it, and return its number; -1 for other texts.

    All orders that could ever be legal are in the table of texts, with and without coasts. So this one is never legal for the
    units that it names; but it may name units differently (`rename_units`). An order that is known except for its coast or
    `VIA` is not entered.
    """
    none = numpy.int64(NONE)
    behind = find_name_end(start, end)
    unit, place = find_unit(start, behind), find_place(start, behind)
    if place == NONE or counters[MET] == MOST_IMPOSSIBLE:
        return none
    other = there = numpy.int64(NONE)
    moves = is_word(behind, end, SPACE, DASH, SPACE)
    holds = behind + 2 == end and line[behind] == SPACE and line[behind + 1] == LETTER_H
    if not moves and not holds:
        convoys = is_word(behind, end, SPACE, LETTER_C, SPACE)
        if not convoys and not is_word(behind, end, SPACE, LETTER_S, SPACE):
            return none
        first = behind + 3
        behind = find_name_end(first, end)
        other, there = find_unit(first, behind), find_place(first, behind)
        if there == NONE or (behind == end and convoys) or (behind < end and not is_word(behind, end, SPACE, DASH, SPACE)):
            return none
    exact = unit != NAMELESS and other != NAMELESS
    counts = numpy.int64(0)
    if behind < end and not holds:
        first = behind + 3
        behind = find_province_end(first, end)
        if not is_target(first, behind, end, moves) or (exact and look_up_number(start, behind, OF_ORDERS) != NONE):
            return none
        if moves and exact:
            counts = numpy.int64(impossible[unit, find_location(first, behind)])
    if counts == PLAINLY:
        return none
    order = enter_order(start, end)
    entries[order, OWN_PLACE] = place
    entries[order, OWN_UNIT] = unit
    entries[order, OTHER_PLACE] = there
    entries[order, OTHER_UNIT] = other
    entries[order, COUNTS_AS_MOVE] = counts
    return order


@compiled
def names_coast(start, end):
    """Return whether a province is followed by the name of a coast, existing or not."""
    if start + 3 != end or line[start] != SLASH or line[start + 2] != LETTER_C:
        return False
    side = line[start + 1]
    return side == LETTER_N or side == LETTER_S or side == LETTER_E or side == LETTER_W


@called
def find_unknown_coast(start, end):
    """Return the position in an order of a coast that does not exist; -1 if there is none."""
    first = start
    for place in range(start, end):
        if line[place] == SPACE:
            first = place + 1
        after = place + 3
        if after <= end and names_coast(place, after) and (after == end or line[after] == SPACE):
            no_coast = find_province_end(first, end) == place and find_location(first, place) != NONE
            if no_coast and find_location(first, after) == NONE:
                return numpy.int64(place)
    return numpy.int64(NONE)


@called
def look_up_duty(start, end, kind):
    """Return the number of a retreat, build or removal; NO_DUTY's if it names an unknown coast that counts, -1 if unknown."""
    gap = find_unknown_coast(start, end)
    if gap == NONE:
        return numpy.int64(look_up_number(start, end, kind))
    found = numpy.int64(look_up_without(start, gap, gap + 3, end, kind))
    return found if found == NONE or choices[COASTS_IGNORED] == 1 else numpy.int64(duties.shape[0] - 1)


@called
def find_duty_by_parts(start, end, kind):
    """Parse a retreat, build or removal in satjudge's notation that is in no table, and return its number; -1 otherwise.

    An order of another phase is the last of the duties, NO_DUTY. The number of a retreat is larger than all of them, and says
    from which place to which it leads: its result depends on the unit that is there (`find_retreat_duty`).
    """
    none, no_duty = numpy.int64(NONE), numpy.int64(duties.shape[0] - 1)
    known = look_up_duty(start, end, kind)
    if known != NONE:
        return known
    behind = find_name_end(start, end)
    place, first = find_place(start, behind), behind + 3
    goes = is_word(behind, end, SPACE, DASH, SPACE) and kind == OF_RETREATS
    if goes or is_word(behind, end, SPACE, LETTER_R, SPACE):
        stop, after = find_province_end(first, end), find_word_end(first, end)
        there = find_location(first, stop)
        whole = (stop == after or names_coast(stop, after)) and (after == end or goes_by_convoy(after, end))
        if place == NONE or there == NONE or not whole:
            return none
        way = place * alphabet.shape[0] + spots[PLACE_OF_LOCATION, there]
        return no_duty + 1 + way if kind == OF_RETREATS else no_duty
    if look_up_number(start, end, OF_ORDERS) == NONE and enter_order_by_parts(start, end) == NONE:
        return none
    return no_duty


@compiled
def put_name(end, unit):
    """Write the name of a unit after the end of the line, and return the new end."""
    for place in range(said_from[SAY_UNIT + unit] + 1, said_from[SAY_UNIT + unit + 1] - 1):
        line[end] = said[place]
        end += 1
    return end


@compiled
def put_text(end, start, stop):
    """Copy a part of the line after its end, and return the new end."""
    for place in range(start, stop):
        line[end + place - start] = line[place]
    return end + stop - start


@called
def rename_units(length, number, unit, helped):
    """Return the number of an order with its units named correctly, for rulebooks that ignore how units are named.

    Returns UNREADABLE, or MISSING, with the text requested, if Python must look it up.
    """
    start, end = request[ORDER_ROWS + BEGINS, number], request[ORDER_ROWS + ENDS, number]
    wants = counters[WANTS]
    found = numpy.int64(MISSING)
    if length + end - start + LONGEST_ORDER <= line.shape[0]:
        behind = find_name_end(start, end)
        written_to = put_name(length, unit)
        if helped != NONE:
            written_to = put_text(written_to, behind, behind + 3)
            behind = find_name_end(behind + 3, end)
            written_to = put_name(written_to, helped)
        written_to = put_text(written_to, behind, end)
        key = numpy.int64(OF_ORDERS)
        for place in range(length, written_to):
            key = mixed_in(key, numpy.int64(line[place]))
        found = numpy.int64(look_up_text(length, written_to, key & TEXT_KEYS, OF_ORDERS))
    if found >= 0 and entries[found, LEGAL] == IMPOSSIBLE:  # what it was written over
        entries[found, TEXT_BEGINS] = start
        entries[found, TEXT_ENDS] = end
    if found == MISSING:
        counters[WANTS] = wants
        note_wanted(TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | OF_ORDERS)
    return found


@compiled
def is_known_to(order, unit, helped, own):
    """Return whether the tables have the meaning of an order for these units."""
    if entries[order, OWN_UNIT] == unit and entries[order, OTHER_UNIT] == helped:
        return True
    key = ((numpy.int64(order) * 512 + unit) * 512 + helped + 1) * 2 + own
    return entries[order, LEGAL] != IMPOSSIBLE and find_slot(aliases, key) != NONE


@called
def find_meant_order(length, number, column):
    """Return the number of an order to the unit in a column, with its units named correctly if that matters."""
    order = request[ORDER_ROWS + TEXT_NUMBER, number]
    unit, there = units[0, column], entries[order, OTHER_PLACE]
    helped = numpy.int64(NONE)
    own = 0
    if there != NONE:
        other = request[SEAT, there]
        if other == NONE:
            return order
        helped = numpy.int64(units[0, other])
        own = 1 if powers[0, other] == powers[0, column] else 0
    if choices[NAMES_IGNORED] == 0 or is_known_to(order, unit, helped, own):
        return order
    request[ABOUT, ABOUT_RENAMED] = 1
    return rename_units(length, number, unit, helped)


@called
def read_text(length, start, kind):
    """Read a text; return its end, its number (`look_up_text`) and its key, or -1 three times if it has escapes."""
    none, key = numpy.int64(NONE), numpy.int64(kind)
    if start < 0:
        return none, none, none
    place = start
    while place < length and line[place] != QUOTE:
        if line[place] < SPACE or line[place] > TILDE or line[place] == BACKSLASH:
            return none, none, none
        key = mixed_in(key, numpy.int64(line[place]))
        place += 1
    if place >= length:
        return none, none, none
    key &= TEXT_KEYS
    return place, look_up_text(start, place, key, kind), key


@compiled
def note_power_name(power, start, end):
    """Record where the name of a power is; return false if the line spells it differently elsewhere."""
    if power >= request.shape[1]:
        note_odd(TOO_MANY, start, end)
        return False
    if request[NAME_END, power] == 0:
        request[NAME, power] = start
        request[NAME_END, power] = end
        if request[ABOUT, ABOUT_POWERS] <= power:
            request[ABOUT, ABOUT_POWERS] = power + 1
        return True
    before = request[NAME, power]
    same = request[NAME_END, power] - before == end - start and are_same(before, start, end - start)
    if not same:
        note_odd(SPELT_OTHERWISE, start, end)
    return same


@called
def read_group(length, place, rows, groups):
    """Read the name of a power and a colon as the group number `groups`, and return the position after them.

    Returns -1 if something is odd. The power may be MISSING.
    """
    request[ABOUT, AT_GROUP] = groups
    request[ABOUT, AT_INDEX] = NONE
    name = skip_sign(length, place, QUOTE)
    end, power, key = read_text(length, name, OF_POWERS)
    if end < 0:
        return NONE
    if groups == request.shape[1]:
        return note_odd(TOO_MANY, name, end)
    if power < 0:
        note_odd(IN_NO_TABLE if power == MISSING else CANNOT_BE_READ, name, end)
    if power == UNREADABLE or (power >= 0 and not note_power_name(power, name, end)):
        return NONE
    for other in range(groups):
        if power >= 0 and request[rows + GROUP_POWER, other] == power:
            return note_odd(TWICE, name, end)
    request[rows + GROUP_POWER, groups] = power
    return skip_sign(length, end + 1, COLON)


@called
def read_powers(length, start, rows, kind):
    """Read each power's texts of a kind into rows of a request; return the position after them, or -1 for Python."""
    groups = 0
    count = 0
    place = skip_sign(length, start, OPEN_BRACE)
    more = place >= 0 and skip_sign(length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(length, place, rows, groups)
        place = skip_sign(length, place, OPEN_BRACKET)
        before = count
        inside = place >= 0 and skip_sign(length, place, CLOSE_BRACKET) < 0
        while inside:
            request[ABOUT, AT_INDEX] = count - before
            text = skip_sign(length, place, QUOTE)
            place, number, key = read_text(length, text, kind)
            if place < 0:
                return NONE
            if count == request.shape[1]:
                return note_odd(TOO_MANY, text, place)
            if number < 0:
                note_odd(IN_NO_TABLE if number == MISSING else CANNOT_BE_READ, text, place)
            if number == UNREADABLE:
                return NONE
            request[rows + TEXT_NUMBER, count] = number
            request[rows + TEXT_POWER, count] = request[rows + GROUP_POWER, groups]
            request[rows + BEGINS, count] = text
            request[rows + ENDS, count] = place
            count += 1
            place += 1
            inside = skip_sign(length, place, COMMA) >= 0
            if inside:
                place = skip_sign(length, place, COMMA)
        place = skip_sign(length, place, CLOSE_BRACKET)
        if place < 0:
            return NONE
        request[rows + GROUP_SIZE, groups] = count - before
        groups += 1
        more = skip_sign(length, place, COMMA) >= 0
        if more:
            place = skip_sign(length, place, COMMA)
    request[rows + GROUPS, 0] = groups
    request[rows + GROUPS, 1] = count
    return skip_sign(length, place, CLOSE_BRACE)


@called
def read_lost(length, start):
    """Read each power's dislodged units and their retreats; return the position after them, or -1 for Python."""
    groups = 0
    count = 0
    place = skip_sign(length, start, OPEN_BRACE)
    more = place >= 0 and skip_sign(length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(length, place, LOST_ROWS, groups)
        place = skip_sign(length, place, OPEN_BRACE)
        before = count
        inside = place >= 0 and skip_sign(length, place, CLOSE_BRACE) < 0
        while inside:
            text = skip_sign(length, place, QUOTE)
            request[ABOUT, AT_INDEX] = count - before
            place, number, key = read_text(length, text, OF_UNITS)
            if place < 0:
                return NONE
            if count == retreats.shape[0]:
                return note_odd(TOO_MANY, text, place)
            if number < 0:
                note_odd(IN_NO_TABLE if number == MISSING else CANNOT_BE_READ, text, place)
            if number == UNREADABLE:
                return NONE
            request[LOST_ROWS + TEXT_NUMBER, count] = number
            request[LOST_ROWS + TEXT_POWER, count] = request[LOST_ROWS + GROUP_POWER, groups]
            request[LOST_ROWS + BEGINS, count] = text
            request[LOST_ROWS + ENDS, count] = place
            place = skip_sign(length, skip_sign(length, place + 1, COLON), OPEN_BRACKET)
            for location in range(retreats.shape[1]):
                retreats[count, location] = False
            further = place >= 0 and skip_sign(length, place, CLOSE_BRACKET) < 0
            while further:
                text = skip_sign(length, place, QUOTE)
                place, location, key = read_text(length, text, OF_LOCATIONS)
                if place < 0:
                    return NONE
                if location < 0:
                    note_odd(IN_NO_TABLE if location == MISSING else CANNOT_BE_READ, text, place)
                if location == UNREADABLE:
                    return NONE
                if location >= 0:
                    retreats[count, location] = True
                place += 1
                further = skip_sign(length, place, COMMA) >= 0
                if further:
                    place = skip_sign(length, place, COMMA)
            place = skip_sign(length, place, CLOSE_BRACKET)
            if place < 0:
                return NONE
            count += 1
            inside = skip_sign(length, place, COMMA) >= 0
            if inside:
                place = skip_sign(length, place, COMMA)
        place = skip_sign(length, place, CLOSE_BRACE)
        if place < 0:
            return NONE
        request[LOST_ROWS + GROUP_SIZE, groups] = count - before
        groups += 1
        more = skip_sign(length, place, COMMA) >= 0
        if more:
            place = skip_sign(length, place, COMMA)
    request[LOST_ROWS + GROUPS, 0] = groups
    request[LOST_ROWS + GROUPS, 1] = count
    return skip_sign(length, place, CLOSE_BRACE)


@compiled
def begin_request():
    """Clear what was read from the previous line."""
    for power in range(request[ABOUT, ABOUT_POWERS]):
        request[NAME_END, power] = 0
    request[ABOUT, ABOUT_POWERS] = 0
    for about in range(ABOUT_ID, ABOUT_OF_ALL):
        request[ABOUT, about] = 0
    cause[CAUSE] = NONE
    for rows in range(4):
        request[rows * ORDER_ROWS + GROUPS, 0] = request[rows * ORDER_ROWS + GROUPS, 1] = 0


@compiled
def read_name(length, start, kind, expected):
    """Read a name, and return the position after it; -1 if it is not the expected map or rulebook."""
    text = skip_sign(length, start, QUOTE)
    end, number, key = read_text(length, text, kind)
    if end >= 0 and number != expected:
        note_odd(OTHER_TABLES, text, end)
    return end + 1 if end >= 0 and (number == expected or number == MISSING) else NONE


@compiled
def read_phase(length, start):
    """Read the name of a phase; return the position after it, or -1 to leave the line to Python."""
    text = skip_sign(length, start, QUOTE)
    end, phase, key = read_text(length, text, OF_PHASES)
    if end < 0:
        return NONE
    if phase < 0:
        return note_odd(UNKNOWN_PHASE, text, end)
    request[ABOUT, ABOUT_PHASE] = phase
    return end + 1


@called
def read_line(length):
    """Read a line into the rows of a request, and return whether the kernel can judge it."""
    begin_request()
    return read_keys(length, TO_JUDGE)


@called
def read_value(length, start, what, purpose):
    """Read the value of the key `what`; return the position after it, or -1 to leave the line to Python."""
    if start < 0:
        return NONE
    if what == KEY_UNITS:
        return read_powers(length, start, UNIT_ROWS, OF_UNITS)
    if what == KEY_ORDERS:
        return read_powers(length, start, ORDER_ROWS, OF_ORDERS + request[ABOUT, ABOUT_PHASE])
    if what == KEY_DISLODGED:
        return read_lost(length, start)
    if what == KEY_CENTERS:
        return read_powers(length, start, CENTER_ROWS, OF_LOCATIONS)
    if what == KEY_MAP:
        return read_name(length, start, OF_MAPS, 0)
    if what == KEY_RULES:
        return read_name(length, start, OF_RULES, choices[NAMED_RULES])
    if what == KEY_ID:
        place = skip_space(length, start)
        end = find_identity_end(length, place)
        request[ABOUT, ABOUT_ID] = place
        request[ABOUT, ABOUT_ID_END] = end
        return end
    if purpose == TO_PLAY:
        return read_game_key(length, start, what)
    return read_phase(length, start) if what == KEY_PHASE else note_odd(OF_ANOTHER_PHASE, NONE, NONE)


@called
def read_keys(length, purpose):
    """Read all keys of a line with their values; return whether they are well-formed and allowed for this purpose."""
    note_key(NONE)
    seen = 0
    place = skip_sign(length, 0, OPEN_BRACE)
    more = place >= 0
    while more:
        text = skip_sign(length, place, QUOTE)
        end, what, key = read_text(length, text, OF_KEYS)
        if end < 0:
            return is_usual(NONE)
        if what < 0 or seen >> what & 1:
            return is_usual(note_odd(UNKNOWN_KEY if what < 0 else TWICE, text, end))
        seen |= 1 << what
        note_key(what)
        place = read_value(length, skip_sign(length, end + 1, COLON), what, purpose)
        if what == KEY_PHASE and request[ABOUT, ABOUT_PHASE] != OF_MOVEMENT and seen >> KEY_ORDERS & 1:
            return is_usual(note_odd(PHASE_BEHIND, text, end))
        if place < 0:
            return is_usual(NONE)
        note_key(NONE)
        more = skip_sign(length, place, COMMA) >= 0
        if more:
            place = skip_sign(length, place, COMMA)
    place = skip_sign(length, place, CLOSE_BRACE)
    if place < 0 or skip_space(length, place) != length:
        return is_usual(NONE)
    return are_of_phase(seen, purpose)


@compiled
def is_usual(place):
    """Return whether a position is not -1; if it is, record that the line has an unusual form."""
    if place < 0:
        note_odd(NOT_AS_USUAL, NONE, NONE)
    return place >= 0


@called
def are_of_phase(seen, purpose):
    """Return whether the keys that were seen (bits) are those of the line's phase; record the reason if not."""
    phase = request[ABOUT, ABOUT_PHASE]
    if seen >> KEY_UNITS & 1 == 0:
        note_key(KEY_UNITS)
        return is_usual(note_odd(NO_UNITS, NONE, NONE))
    if phase == OF_ADJUSTMENT and seen >> KEY_CENTERS & 1 == 0:
        note_key(KEY_CENTERS)
        return is_usual(note_odd(NO_CENTERS, NONE, NONE))
    if seen >> KEY_DISLODGED & 1 and phase != OF_RETREAT:
        note_key(KEY_DISLODGED)
        return is_usual(note_odd(OF_ANOTHER_PHASE, NONE, NONE))
    if seen >> KEY_CENTERS & 1 and phase != OF_ADJUSTMENT and purpose == TO_JUDGE:
        note_key(KEY_CENTERS)
        return is_usual(note_odd(OF_ANOTHER_PHASE, NONE, NONE))
    return are_powers()


@compiled
def is_among(power, rows):
    """Return whether a power has a group in these rows."""
    for group in range(request[rows + GROUPS, 0]):
        if request[rows + GROUP_POWER, group] == power:
            return True
    return False


@called
def are_powers():
    """Return whether each power with orders is on the map or has units or centres; others may be misspelt."""
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        power = request[ORDER_ROWS + GROUP_POWER, group]
        if power >= of_powers.shape[0] - 1 and not (
            is_among(power, UNIT_ROWS) or is_among(power, LOST_ROWS) or is_among(power, CENTER_ROWS)
        ):
            note_key(KEY_ORDERS)
            request[ABOUT, AT_GROUP] = group
            return is_usual(note_odd(UNKNOWN_POWER, request[NAME, power], request[NAME_END, power]))
    return True


# ---- the board ----


@called
def seat_units(provinces, length):
    """Give each unit of the line a column, and each order that of its unit; return false if Python must judge the line."""
    for place in range(provinces):
        request[SEAT, place] = NONE
    for column in range(units.shape[1]):
        units[0, column] = powers[0, column] = orders[0, column] = NONE
    if request[UNIT_ROWS + GROUPS, 1] > units.shape[1]:
        note_odd_text(TOO_MANY, UNIT_ROWS, units.shape[1])
        return False
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        units[0, column] = request[UNIT_ROWS + TEXT_NUMBER, column]
        powers[0, column] = request[UNIT_ROWS + TEXT_POWER, column]
        place = spots[PLACE_OF_UNIT, units[0, column]]
        if request[SEAT, place] != NONE:
            note_odd_text(SHARED_PLACE, UNIT_ROWS, column)
            return False
        request[SEAT, place] = column
        request[COUNTING, column] = NONE
    request[ABOUT, ABOUT_SEVERAL] = 0
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        order = request[ORDER_ROWS + TEXT_NUMBER, number]
        place = entries[order, OWN_PLACE]
        column = NONE
        if place != NONE:
            column = request[SEAT, place]
            if column != NONE and powers[0, column] != request[ORDER_ROWS + TEXT_POWER, number]:
                column = NONE
        if column == NONE:
            if DISBANDED_IN_DISORDER or UNSUPPORTED_IN_DISORDER:  # they count though no unit of the power has them
                note_odd_text(TO_NO_UNIT, ORDER_ROWS, number)
                return False
        else:
            order = find_meant_order(length, number, column)
            if order < 0:
                note_odd_text(IN_NO_TABLE if order == MISSING else CANNOT_BE_READ, ORDER_ROWS, number)
            if order == UNREADABLE:
                return False
            request[ORDER_ROWS + TEXT_NUMBER, number] = order
            if orders[0, column] != NONE:
                request[ABOUT, ABOUT_SEVERAL] = 1
            elif order >= 0:
                orders[0, column] = order
                request[COUNTING, column] = number
        request[ORDER_COLUMN, number] = column
        request[FORM, number] = order
    return True


@called
def are_told_apart(count):
    """Return whether one unit's illegal moves have the same meaning only if they have the same text (4.D.3)."""
    for number in range(count):
        for other in range(number):
            both = request[FORM, number] <= ILLEGAL_FORM and request[FORM, other] <= ILLEGAL_FORM
            if both and request[ORDER_COLUMN, other] == request[ORDER_COLUMN, number]:
                first, second = request[ORDER_ROWS + BEGINS, other], request[ORDER_ROWS + BEGINS, number]
                length = request[ORDER_ROWS + ENDS, number] - second
                same = request[ORDER_ROWS + ENDS, other] - first == length and are_same(first, second, length)
                if same != (request[FORM, other] == request[FORM, number]):
                    note_odd_text(SEVERAL_LEFT, ORDER_ROWS, number)
                    return False
    return True


@called
def choose_orders(provinces):
    """Choose, for each unit with several orders, which counts (4.D.3); return false if Python must decide."""
    clear_places(provinces)
    fleets = place_units(0)
    count = request[ORDER_ROWS + GROUPS, 1]
    for number in range(count):
        column = request[ORDER_COLUMN, number]
        request[FORM, number] = NO_FORM
        if column != NONE:
            order = request[ORDER_ROWS + TEXT_NUMBER, number]
            place = spots[PLACE_OF_UNIT, units[0, column]]
            form = find_full_order(place, fleets, order)
            if form == LEAVE:
                note_odd_text(UNDECIDED, ORDER_ROWS, number)
                return False
            if form >= 0:
                request[FORM, number] = form
            elif form == ILLEGAL_MOVE:
                request[FORM, number] = ILLEGAL_FORM - order
    if request[ABOUT, ABOUT_RENAMED] == 1 and not are_told_apart(count):
        return False
    for number in range(count):
        column = request[ORDER_COLUMN, number]
        if column != NONE and request[COUNTING, column] == number:
            counting = choose_order(request[ORDER_COLUMN], request[FORM], column, count, choices[SEVERAL_ORDERS])
            if counting == NONE:
                orders[0, column] = substitute_order(column, count)
            else:
                orders[0, column] = request[ORDER_ROWS + TEXT_NUMBER, counting]
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        counting = choose_order(request[ORDER_COLUMN], request[FORM], column, count, choices[SEVERAL_ORDERS])
        request[COUNTING, column] = NONE
        for number in range(count):  # the first of those that come to the same
            same = counting != NONE and request[ORDER_COLUMN, number] == column
            if same and request[COUNTING, column] == NONE and request[FORM, number] == request[FORM, counting]:
                request[COUNTING, column] = number
    return True


@compiled
def substitute_order(column, count):
    """Return the order to use for a unit none of whose orders counts: one that counts as a move, if any (4.E.1)."""
    found = numpy.int64(NONE)
    for number in range(count):
        if request[ORDER_COLUMN, number] == column:
            if request[FORM, number] <= ILLEGAL_FORM:
                return ILLEGAL_FORM - request[FORM, number]
            if request[FORM, number] >= 0:
                found = numpy.int64(REJECTED)
            elif found == NONE:
                found = numpy.int64(request[ORDER_ROWS + TEXT_NUMBER, number])
    return found


@compiled
def clear_outcome():
    """Clear the arrays in which the previous board's outcome is."""
    status[0] = PENDING
    for counter in range(counters.shape[0]):
        counters[counter] = 0
    for what in range(told.shape[0]):
        for column in range(told.shape[2]):
            told[what, 0, column] = 0 if what == FATE else NONE
    for place in range(contested.shape[1]):
        contested[0, place] = False


# ---- the answer ----


@called
def copy_text(end, source, start, stop):
    """Copy the bytes from `start` to `stop` of a source to the answer, and return the answer's new end."""
    for place in range(start, stop):
        written[end + place - start] = source[place]
    return end + stop - start


@called
def write_text(end, number):
    """Write the text with a number, and return the answer's new end."""
    for place in range(said_from[number], said_from[number + 1]):
        written[end] = said[place]
        end += 1
    return end


@compiled
def write_byte(end, byte):
    """Write one byte, and return the answer's new end."""
    written[end] = byte
    return end + 1


@compiled
def write_power(end, power):
    """Write a power's name, as on the line or, in a next position, on the map, and a colon; return the answer's new end."""
    if request[ABOUT, ABOUT_NEXT] == 1:
        return write_byte(write_text(end, SAY_POWER + power), COLON)
    end = copy_text(end, line, request[NAME, power] - 1, request[NAME_END, power] + 1)
    return write_byte(end, COLON)


@compiled
def clear_told_powers():
    """Mark all powers as not written yet."""
    for power in range(request[ABOUT, ABOUT_POWERS]):
        request[POWER_TOLD, power] = 0


@called
def write_by_power(end, first, last, kind):
    """Write the units or locations in the rows TOLD_UNIT and TOLD_POWER by power, and return the answer's new end."""
    clear_told_powers()
    some = False
    for number in range(first, last):
        power = request[TOLD_POWER, number]
        if request[POWER_TOLD, power] == 1:
            continue
        request[POWER_TOLD, power] = 1
        if some:
            end = write_byte(end, COMMA)
        some = True
        end = write_byte(write_power(end, power), OPEN_BRACKET)
        for other in range(number, last):
            if request[TOLD_POWER, other] == power:
                if other > number:
                    end = write_byte(end, COMMA)
                end = write_text(end, kind + request[TOLD_UNIT, other])
        end = write_byte(end, CLOSE_BRACKET)
    return end


@compiled
def write_units_left(end, first, last):
    """Write the remaining units by power, record their rows, and return the answer's new end."""
    request[ABOUT, ABOUT_TOLD] = first
    request[ABOUT, ABOUT_TOLD_END] = last
    return write_by_power(end, first, last, SAY_UNIT)


@compiled
def write_order(end, order):
    """Write the text of an order of the vocabulary in quotes, and return the answer's new end."""
    end = write_byte(end, QUOTE)
    return write_byte(copy_text(end, pool, named_from[order], named_from[order + 1]), QUOTE)


@called
def write_number(end, number):
    """Write a number that is not negative, and return the answer's new end."""
    size = 1
    while number >= size * 10:
        size *= 10
    while size:
        end = write_byte(end, ZERO + number // size % 10)
        size //= 10
    return end


@compiled
def is_counting(number):
    """Return whether an order counts for its unit: it has the same meaning as the one that was chosen."""
    counting = request[COUNTING, request[ORDER_COLUMN, number]]
    return counting != NONE and request[FORM, counting] == request[FORM, number]


@compiled
def verdict_of(number):
    """Return the number of the text of the verdict on an order; one that does not count is illegal."""
    column = request[ORDER_COLUMN, number]
    if column == NONE:
        return SAY_ILLEGAL
    if is_counting(number):
        return SAY_VERDICT + told[RESULT, 0, column] * FATES_OF_VERDICT + told[FATE, 0, column]
    fate = told[FATE, 0, column] if told[COUNTED, 0, column] == NONE else 0
    return SAY_VERDICT + RESULT_TABLE[HOLD, 1] * FATES_OF_VERDICT + fate


@called
def write_results(end, phase):
    """Write the verdicts on the orders of each power, and return the answer's new end."""
    number = 0
    some = False
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        if request[ORDER_ROWS + GROUP_SIZE, group] == 0:
            continue
        if some:
            end = write_byte(end, COMMA)
        some = True
        end = write_power(end, request[ORDER_ROWS + GROUP_POWER, group])
        end = write_byte(end, OPEN_BRACKET)
        for position in range(request[ORDER_ROWS + GROUP_SIZE, group]):
            if position:
                end = write_byte(end, COMMA)
            verdict = verdict_of(number) if phase == OF_MOVEMENT else request[DONE, number]
            end = write_text(end, verdict)
            number += 1
        end = write_byte(end, CLOSE_BRACKET)
    return end


@called
def write_dislodged_unit(end, lost, column):
    """Write a dislodged unit with the locations to which it may retreat, and return the answer's new end."""
    end = write_text(end, SAY_UNIT + units[0, column])
    end = write_byte(end, COLON)
    end = write_byte(end, OPEN_BRACKET)
    some = False
    for row in range(lost):
        if dislodged[row, 1] == column:
            for position in range(ranked.shape[0]):
                if retreats[row, ranked[position]]:
                    if some:
                        end = write_byte(end, COMMA)
                    some = True
                    end = write_text(end, SAY_LOCATION + ranked[position])
    return write_byte(end, CLOSE_BRACKET)


@compiled
def may_retreat(row):
    """Return whether the dislodged unit in a row has a retreat."""
    for location in range(retreats.shape[1]):
        if retreats[row, location]:
            return True
    return False


@compiled
def find_victim(lost, number):
    """Return the column of the unit that an order's unit dislodged; -1 if none, or if a next position lacks it as destroyed."""
    attacker = request[ORDER_COLUMN, number]
    if attacker == NONE or request[COUNTING, attacker] != number:
        return NONE
    for row in range(lost):
        if told[ATTACKER, 0, dislodged[row, 1]] == attacker and (request[ABOUT, ABOUT_NEXT] == 0 or may_retreat(row)):
            return numpy.int64(dislodged[row, 1])
    return NONE


@called
def write_dislodged(end, lost):
    """Write the dislodged units by power, in the sequence of the orders that dislodged them; return the answer's new end."""
    clear_told_powers()
    some = False
    for number in range(request[ORDER_ROWS + GROUPS, 1] if lost > 0 else 0):
        column = find_victim(lost, number)
        if column == NONE or request[POWER_TOLD, powers[0, column]] == 1:
            continue
        power = powers[0, column]
        request[POWER_TOLD, power] = 1
        if some:
            end = write_byte(end, COMMA)
        some = True
        end = write_byte(write_power(end, power), OPEN_BRACE)
        several = False
        for later in range(number, request[ORDER_ROWS + GROUPS, 1]):
            column = find_victim(lost, later)
            if column != NONE and powers[0, column] == power:
                if several:
                    end = write_byte(end, COMMA)
                several = True
                end = write_dislodged_unit(end, lost, column)
        end = write_byte(end, CLOSE_BRACE)
    return end


@called
def write_units(end):
    """Write the units of each power after the moves, and return the answer's new end."""
    count = 0
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if told[AFTER, 0, column] != NONE:
            request[TOLD_UNIT, count] = told[AFTER, 0, column]
            request[TOLD_POWER, count] = powers[0, column]
            count += 1
    return write_units_left(end, 0, count)


@compiled
def find_first_of_core(core):
    """Return the number of the first order whose unit is in a core; -1 if there is none."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        column = request[ORDER_COLUMN, number]
        if column != NONE and request[COUNTING, column] == number and core >> column & 1:
            return number
    return NONE


@called
def write_rulings(end, count):
    """Write the rulings in the sequence in which they were made, with the orders of each core; return the answer's new end."""
    turn = numpy.int64(-1)
    first = numpy.int64(-1)
    for told_before in range(count):  # the next one by its round and its first order
        some = told_before > 0
        best = numpy.int64(-1)
        for core in range(count):
            if cores[core, 1] != NONE:
                this, order = cores[core, 2], find_first_of_core(cores[core, 3])
                behind = this > turn or (this == turn and order > first)
                if behind and (
                    best == NONE
                    or this < cores[best, 2]
                    or (this == cores[best, 2] and order < find_first_of_core(cores[best, 3]))
                ):
                    best = numpy.int64(core)
        if best == NONE:
            return end
        turn, first = cores[best, 2], find_first_of_core(cores[best, 3])
        if some:
            end = write_byte(end, COMMA)
        end = write_text(end, SAY_RULE)
        end = write_text(end, SAY_RULES + cores[best, 1])
        end = write_text(end, SAY_CORE)
        several = False
        for number in range(first, request[ORDER_ROWS + GROUPS, 1]):
            column = request[ORDER_COLUMN, number]
            if column != NONE and request[COUNTING, column] == number and cores[best, 3] >> column & 1:
                if several:
                    end = write_byte(end, COMMA)
                several = True
                end = write_order(end, told[COUNTED, 0, column])
        end = write_byte(write_byte(end, CLOSE_BRACKET), CLOSE_BRACE)
    return end


@called
def answer_moves(length):
    """Answer the line about a movement phase after it was read; return the answer's end, ODD or MISSING."""
    if not seat_units(contested.shape[1], length):
        return ODD
    if counters[WANTS] > 0:
        return note_missing()
    if request[ABOUT, ABOUT_SEVERAL] == 1 and not choose_orders(contested.shape[1]):
        return ODD
    if counters[WANTS] > 0:
        return note_missing()
    judge_boards()
    if counters[WANTS] > 0:
        return note_missing()
    if status[0] != SETTLED and status[0] != WITH_CORES:
        return note_odd_line(UNDECIDED)
    end = write_head()
    end = write_results(end, OF_MOVEMENT)
    end = write_text(end, SAY_DISLODGED)
    end = write_dislodged(end, counters[LOST])
    end = write_text(end, SAY_UNITS)
    end = write_units(end)
    end = write_text(end, SAY_RESOLUTIONS)
    end = write_number(end, resolutions[0])
    end = write_text(end, SAY_RULINGS)
    end = write_rulings(end, counters[CORES])
    return write_text(end, SAY_END)


@compiled
def write_identity(end):
    """Write the beginning of an answer: a brace and the line's id, if it has one; return the answer's new end."""
    if request[ABOUT, ABOUT_ID_END] == 0:
        return write_byte(end, OPEN_BRACE)
    end = copy_text(write_text(end, SAY_ID), line, request[ABOUT, ABOUT_ID], request[ABOUT, ABOUT_ID_END])
    return write_byte(end, COMMA)


@compiled
def write_head():
    """Write the part of the answer before the verdicts, with the line's id or null; return the answer's new end."""
    begun = request[ABOUT, ABOUT_BEGUN]
    end = write_text(begun, SAY_NO_ID) if request[ABOUT, ABOUT_ID_END] == 0 else write_identity(begun)
    return write_text(end, SAY_RESULTS)


@called
def answer_line(length):
    """Answer the line; return the answer's length, ODD if Python must answer it, or MISSING if a fact must be looked up."""
    clear_outcome()
    if not read_line(length):
        return ODD
    return note_missing() if counters[WANTS] > 0 else answer_phase(length)


@called
def answer_phase(length):
    """Answer the line about a phase after it was read; return the answer's end, ODD or MISSING."""
    if request[ABOUT, ABOUT_PHASE] == OF_RETREAT:
        return answer_retreats(length)
    if request[ABOUT, ABOUT_PHASE] == OF_ADJUSTMENT:
        return answer_adjustments()
    return answer_moves(length)


# ---- what hosts ask besides lines ----


@called
def number_of(length, kind):
    """Return the number of the text of a kind that stands alone on the line; MISSING if it is in no table."""
    key = numpy.int64(kind)
    for place in range(length):
        key = mixed_in(key, numpy.int64(line[place]))
    key &= TEXT_KEYS
    return look_up_text(0, length, key, kind)


@called
def judge_board():
    """Judge the board in the arrays; return 1 if no facts were missing and it is settled, else 0."""
    clear_outcome()
    judge_boards()
    return 1 if counters[WANTS] == 0 and (status[0] == SETTLED or status[0] == WITH_CORES) else 0
