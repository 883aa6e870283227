"""Answers one batch line of a movement phase: reads its bytes, judges it, and writes the answer (docs/reference/batch.md).

`satjudge.bulk.kernel.later_phases` has the functions for the other phases. The functions look up the meanings of texts in a
table that Python fills, and request texts that are missing. A line that is unusual in any way is left to Python (ODD): one with
escapes, mistakes, keys of another phase, or orders before the phase.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the equations and the functions of the other modules are defined only when this file is printed as C
# mypy: ignore-errors


# ---- why a line is left to Python ----


@called
def note_odd(cause_number, text_start, text_end):
    """Record why the kernel leaves a line to Python and where in the line, unless a cause is already recorded; return ODD."""
    if cause[CAUSE] == NONE:
        cause[CAUSE] = cause_number
        cause[CAUSE_KEY] = request[ABOUT, AT_KEY]
        cause[CAUSE_GROUP] = request[ABOUT, AT_GROUP]
        cause[CAUSE_INDEX] = request[ABOUT, AT_INDEX]
        cause[CAUSE_BEGINS] = text_start
        cause[CAUSE_ENDS] = text_end
    return numpy.int64(ODD)


@compiled
def note_key(key_number):
    """Record which key of the line is being read; -1 for none."""
    request[ABOUT, AT_KEY] = key_number
    request[ABOUT, AT_GROUP] = request[ABOUT, AT_INDEX] = NONE


@called
def note_odd_text(cause_number, first_row, text_index):
    """Record that a line is left to Python because of one of the texts in the rows from `first_row`; return ODD."""
    note_key(
        KEY_UNITS
        if first_row == UNIT_ROWS
        else KEY_ORDERS
        if first_row == ORDER_ROWS
        else KEY_DISLODGED
        if first_row == LOST_ROWS
        else KEY_CENTERS
    )
    group = 0
    first = numpy.int64(0)
    while first + request[first_row + GROUP_SIZE, group] <= text_index:
        first += request[first_row + GROUP_SIZE, group]
        group += 1
    request[ABOUT, AT_GROUP] = group
    request[ABOUT, AT_INDEX] = text_index - first
    return note_odd(cause_number, request[first_row + BEGINS, text_index], request[first_row + ENDS, text_index])


@called
def note_odd_line(cause_number):
    """Record that a line is left to Python because of the line as a whole; return ODD."""
    note_key(NONE)
    return note_odd(cause_number, NONE, NONE)


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
def skip_space(line_length, position):
    """Return the next position of the line, from `position` on, that is not white space."""
    place = position
    while place < line_length and (line[place] == SPACE or line[place] == TAB or line[place] == FEED or line[place] == RETURN):
        place += 1
    return place


@compiled
def skip_sign(line_length, position, sign):
    """Return the position after the next character if it is `sign`, ignoring white space; -1 if not, or if `position` is -1."""
    if position < 0:
        return NONE
    place = skip_space(line_length, position)
    return place + 1 if place < line_length and line[place] == sign else NONE


@compiled
def find_text_end(line_length, text_start):
    """Return the position of the quote that ends a JSON text; -1 if there is none, or for escapes or bytes other than ASCII."""
    if text_start < 0:
        return NONE
    place = text_start
    while place < line_length and line[place] != QUOTE:
        if line[place] < SPACE or line[place] > TILDE or line[place] == BACKSLASH:
            return NONE
        place += 1
    return place if place < line_length else NONE


@compiled
def are_same(first_start, second_start, byte_count):
    """Return whether two parts of the line, both `byte_count` long, have the same bytes."""
    for place in range(byte_count):
        if line[first_start + place] != line[second_start + place]:
            return False
    return True


@compiled
def find_identity_end(line_length, start):
    """Return the position after the line's id, a text or a whole number, which begins at `start`; -1 for anything else."""
    place = start
    if place < line_length and line[place] == QUOTE:
        end = find_text_end(line_length, place + 1)
        return end + 1 if end >= 0 else NONE
    while place < line_length and line[place] >= ZERO and line[place] < ZERO + 10:
        place += 1
    if place == start or place > start + MOST_DIGITS or (line[start] == ZERO and place > start + 1):
        return NONE
    return place


# ---- the meanings of texts ----


@compiled
def look_up_text(text_start, text_end, key, text_kind):
    """Return what a text means, by table or, for an order, by its parts; UNREADABLE if nothing, MISSING if to be looked up."""
    slot = find_slot(texts, key)
    if slot == NONE:
        order = numpy.int64(NONE)
        if text_kind == OF_ORDERS:
            order = enter_order_by_parts(text_start, text_end)
        elif text_kind == OF_RETREATS or text_kind == OF_ADJUSTMENTS:
            order = find_duty_by_parts(text_start, text_end, text_kind)
        if order != NONE:
            return order
        note_wanted(TEXTS, numpy.int64(text_start) << 32 | numpy.int64(text_end) << 4 | text_kind)
        return MISSING
    first = texts[slot, 1]
    if texts[slot, 2] != text_end - text_start:
        return UNREADABLE
    for place in range(text_start, text_end):
        if pool[first + place - text_start] != line[place]:
            return UNREADABLE
    return texts[slot, 3]


# ---- orders that are in no table, parsed by their parts: impossible ones, and those that call a unit by a wrong name ----


@compiled
def look_up_without(text_start, gap_start, gap_end, text_end, text_kind):
    """Return the number that a text of a kind means without its part from `gap_start` to `gap_end`; -1 if it is unknown."""
    key = numpy.int64(text_kind)
    for place in range(text_start, gap_start):
        key = mixed_in(key, numpy.int64(line[place]))
    for place in range(gap_end, text_end):
        key = mixed_in(key, numpy.int64(line[place]))
    slot = find_slot(texts, key & TEXT_KEYS)
    if slot == NONE or texts[slot, 2] != text_end - gap_end + gap_start - text_start:
        return NONE
    for place in range(text_start, gap_start):
        if pool[texts[slot, 1] + place - text_start] != line[place]:
            return NONE
    for place in range(gap_end, text_end):
        if pool[texts[slot, 1] + place - gap_end + gap_start - text_start] != line[place]:
            return NONE
    return texts[slot, 3]


@compiled
def look_up_number(text_start, text_end, text_kind):
    """Return the number that a text of a kind means; -1 if it is unknown."""
    return look_up_without(text_start, text_end, text_end, text_end, text_kind)


@compiled
def find_location(name_start, name_end):
    """Return the location whose name, in satjudge's own notation, is at these positions of the line; -1 for other texts."""
    location = look_up_number(name_start, name_end, OF_LOCATIONS)
    if location == NONE:
        return NONE
    first = said_from[SAY_LOCATION + location] + 1
    if said_from[SAY_LOCATION + location + 1] - 1 - first != name_end - name_start:
        return NONE
    for place in range(name_start, name_end):
        if said[first + place - name_start] != line[place]:
            return NONE
    return location


@compiled
def find_word_end(word_start, text_end):
    """Return the position of the next blank after `word_start`, or `text_end` if there is none."""
    place = word_start
    while place < text_end and line[place] != SPACE:
        place += 1
    return place


@compiled
def has_kind(start, end):
    """Return whether the name of a unit, between two positions, begins with its kind and a blank."""
    return start + 1 < end and line[start + 1] == SPACE and (line[start] == LETTER_A or line[start] == LETTER_F)


@compiled
def find_name_end(name_start, text_end):
    """Return the position after a unit's name: a place, with or without the kind before it."""
    return find_word_end(name_start + 2 if has_kind(name_start, text_end) else name_start, text_end)


@compiled
def find_place(name_start, name_end):
    """Return the province in a unit's name, which may include the kind of unit; -1 if there is none."""
    location = find_location(name_start + 2 if has_kind(name_start, name_end) else name_start, name_end)
    return NONE if location == NONE else spots[PLACE_OF_LOCATION, location]


@compiled
def find_unit(name_start, name_end):
    """Return the number of the unit with this name; NAMELESS if no unit has it."""
    unit = look_up_number(name_start, name_end, OF_UNITS)
    return NAMELESS if unit == NONE else unit


@compiled
def is_word(start, end, first, second, third):
    """Return whether the bytes `first`, `second` and `third` are at the position `start` of the line and before `end`."""
    return start + 3 <= end and line[start] == first and line[start + 1] == second and line[start + 2] == third


@compiled
def find_province_end(code_start, text_end):
    """Return the position after a province's code, where a coast or `VIA` may follow."""
    place = code_start
    while place < text_end and line[place] != SLASH and line[place] != SPACE:
        place += 1
    return place


@compiled
def goes_by_convoy(start, end):
    """Return whether the rest of an order, from `start` to `end`, is a blank and `VIA`."""
    return start + 4 == end and line[start] == SPACE and is_word(start + 1, end, LETTER_V, LETTER_I, LETTER_A)


@compiled
def same_text(order, text_start, text_end):
    """Return whether an order that was entered because it is in no table has this text."""
    first = entries[order, TEXT_BEGINS]
    return entries[order, TEXT_ENDS] - first == text_end - text_start and are_same(first, text_start, text_end - text_start)


@compiled
def enter_order(text_start, text_end):
    """Return the number of an order that is in no table, and enter it if it is new."""
    for number in range(counters[MET]):
        if same_text(entries.shape[0] - 1 - number, text_start, text_end):
            return entries.shape[0] - 1 - number
    order = entries.shape[0] - 1 - counters[MET]
    counters[MET] += 1
    for column in range(entries.shape[1]):
        entries[order, column] = NONE
    entries[order, LEGAL] = entries[order, LEGAL_OWN] = IMPOSSIBLE
    entries[order, TEXT_BEGINS] = text_start
    entries[order, TEXT_ENDS] = text_end
    return order


@compiled
def is_target(place_start, province_end, order_end, is_move):
    """Return whether the rest of an order is a place, perhaps with a coast and, for a move, `VIA`."""
    after = find_word_end(place_start, order_end)
    if find_location(place_start, province_end) == NONE or find_location(place_start, after) == NONE:
        return False
    return after == order_end or (is_move and goes_by_convoy(after, order_end))


@called
def enter_order_by_parts(start, end):
    """Parse an order in satjudge's notation with known places, enter it, and return its number; -1 for other texts.

    All orders that could ever be legal are in the table of texts, with and without coasts. Therefore this order is never legal
    for the units that it names, but it may call them by wrong names (`rename_units`). An order that would be known without its
    coast or `VIA` is not entered.
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
def names_coast(position, word_end):
    """Return whether a part of the line is the name of a coast, such as `/NC`, whether or not that coast exists."""
    if position + 3 != word_end or line[position] != SLASH or line[position + 2] != LETTER_C:
        return False
    side = line[position + 1]
    return side == LETTER_N or side == LETTER_S or side == LETTER_E or side == LETTER_W


@called
def find_unknown_coast(order_start, order_end):
    """Return the position in an order of a coast that does not exist; -1 if there is none."""
    first = order_start
    for place in range(order_start, order_end):
        if line[place] == SPACE:
            first = place + 1
        after = place + 3
        if after <= order_end and names_coast(place, after) and (after == order_end or line[after] == SPACE):
            no_coast = find_province_end(first, order_end) == place and find_location(first, place) != NONE
            if no_coast and find_location(first, after) == NONE:
                return numpy.int64(place)
    return numpy.int64(NONE)


@called
def look_up_duty(order_start, order_end, text_kind):
    """Return a later phase's order's number; -1 if unknown, NO_DUTY's (no legal order) if it has a wrong coast that matters."""
    gap = find_unknown_coast(order_start, order_end)
    if gap == NONE:
        return numpy.int64(look_up_number(order_start, order_end, text_kind))
    found = numpy.int64(look_up_without(order_start, gap, gap + 3, order_end, text_kind))
    return found if found == NONE or choices[COASTS_IGNORED] == 1 else numpy.int64(duties.shape[0] - 1)


@called
def find_duty_by_parts(start, end, text_kind):
    """Parse a later phase's order that is in no table; return its number (of a retreat, a code of its way), -1 for other texts.

    The number of an order of another phase is that of NO_DUTY, the last row of `duties`. A retreat gets a larger number, which
    encodes its origin and destination, since its result depends on the unit at the origin (`find_retreat_duty`).
    """
    none, no_duty = numpy.int64(NONE), numpy.int64(duties.shape[0] - 1)
    known = look_up_duty(start, end, text_kind)
    if known != NONE:
        return known
    behind = find_name_end(start, end)
    place, first = find_place(start, behind), behind + 3
    goes = is_word(behind, end, SPACE, DASH, SPACE) and text_kind == OF_RETREATS
    if goes or is_word(behind, end, SPACE, LETTER_R, SPACE):
        stop, after = find_province_end(first, end), find_word_end(first, end)
        there = find_location(first, stop)
        whole = (stop == after or names_coast(stop, after)) and (after == end or goes_by_convoy(after, end))
        if place == NONE or there == NONE or not whole:
            return none
        way = place * alphabet.shape[0] + spots[PLACE_OF_LOCATION, there]
        return no_duty + 1 + way if text_kind == OF_RETREATS else no_duty
    if look_up_number(start, end, OF_ORDERS) == NONE and enter_order_by_parts(start, end) == NONE:
        return none
    return no_duty


@compiled
def put_name(line_end, unit):
    """Append the name of a unit to the line, as scratch text behind its end, and return the new end."""
    for place in range(said_from[SAY_UNIT + unit] + 1, said_from[SAY_UNIT + unit + 1] - 1):
        line[line_end] = said[place]
        line_end += 1
    return line_end


@compiled
def put_text(line_end, text_start, text_end):
    """Append a copy of a part of the line to it, as scratch text behind its end, and return the new end."""
    for place in range(text_start, text_end):
        line[line_end + place - text_start] = line[place]
    return line_end + text_end - text_start


@called
def rename_units(line_length, order_index, unit, helped_unit):
    """Return the number that an order means once its units are named correctly; UNREADABLE if none, or MISSING (to look up).

    Returns UNREADABLE if the renamed order has no meaning, or MISSING and requests the text if Python must look it up.
    """
    start, end = request[ORDER_ROWS + BEGINS, order_index], request[ORDER_ROWS + ENDS, order_index]
    wants = counters[WANTS]
    found = numpy.int64(MISSING)
    if line_length + end - start + LONGEST_ORDER <= line.shape[0]:
        behind = find_name_end(start, end)
        written_to = put_name(line_length, unit)
        if helped_unit != NONE:
            written_to = put_text(written_to, behind, behind + 3)
            behind = find_name_end(behind + 3, end)
            written_to = put_name(written_to, helped_unit)
        written_to = put_text(written_to, behind, end)
        key = numpy.int64(OF_ORDERS)
        for place in range(line_length, written_to):
            key = mixed_in(key, numpy.int64(line[place]))
        found = numpy.int64(look_up_text(line_length, written_to, key & TEXT_KEYS, OF_ORDERS))
    if found >= 0 and entries[found, LEGAL] == IMPOSSIBLE:  # the renamed text is overwritten later
        entries[found, TEXT_BEGINS] = start
        entries[found, TEXT_ENDS] = end
    if found == MISSING:
        counters[WANTS] = wants
        note_wanted(TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | OF_ORDERS)
    return found


@compiled
def is_known_to(order, unit, helped_unit, helps_own_unit):
    """Return whether the tables have the meaning of an order that is given to `unit` and helps `helped_unit`."""
    if entries[order, OWN_UNIT] == unit and entries[order, OTHER_UNIT] == helped_unit:
        return True
    key = ((numpy.int64(order) * 512 + unit) * 512 + helped_unit + 1) * 2 + helps_own_unit
    return entries[order, LEGAL] != IMPOSSIBLE and find_slot(aliases, key) != NONE


@called
def find_meant_order(line_length, order_index, unit_column):
    """Return the number of an order to its unit, renamed if names do not matter; perhaps UNREADABLE or MISSING (a fact)."""
    order = request[ORDER_ROWS + TEXT_NUMBER, order_index]
    unit, there = units[0, unit_column], entries[order, OTHER_PLACE]
    helped = numpy.int64(NONE)
    own = 0
    if there != NONE:
        other = request[SEAT, there]
        if other == NONE:
            return order
        helped = numpy.int64(units[0, other])
        own = 1 if powers[0, other] == powers[0, unit_column] else 0
    if choices[NAMES_IGNORED] == 0 or is_known_to(order, unit, helped, own):
        return order
    request[ABOUT, ABOUT_RENAMED] = 1
    return rename_units(line_length, order_index, unit, helped)


@called
def read_text(line_length, text_start, text_kind):
    """Return a JSON text's end, what it means (`look_up_text`), and its table key; three times -1 unless it is plain ASCII."""
    none, key = numpy.int64(NONE), numpy.int64(text_kind)
    if text_start < 0:
        return none, none, none
    place = text_start
    while place < line_length and line[place] != QUOTE:
        if line[place] < SPACE or line[place] > TILDE or line[place] == BACKSLASH:
            return none, none, none
        key = mixed_in(key, numpy.int64(line[place]))
        place += 1
    if place >= line_length:
        return none, none, none
    key &= TEXT_KEYS
    return place, look_up_text(text_start, place, key, text_kind), key


@compiled
def note_power_name(power, name_start, name_end):
    """Record where the name of a power is; return false if the line spells it otherwise elsewhere or has too many powers."""
    if power >= request.shape[1]:
        note_odd(TOO_MANY, name_start, name_end)
        return False
    if request[NAME_END, power] == 0:
        request[NAME, power] = name_start
        request[NAME_END, power] = name_end
        if request[ABOUT, ABOUT_POWERS] <= power:
            request[ABOUT, ABOUT_POWERS] = power + 1
        return True
    before = request[NAME, power]
    same = request[NAME_END, power] - before == name_end - name_start and are_same(before, name_start, name_end - name_start)
    if not same:
        note_odd(SPELT_OTHERWISE, name_start, name_end)
    return same


@called
def read_group(line_length, position, first_row, group_index):
    """Read a power's name and a colon into the rows from `first_row`, as a group; return the position after, or -1 for Python.

    The power may be MISSING.
    """
    request[ABOUT, AT_GROUP] = group_index
    request[ABOUT, AT_INDEX] = NONE
    name = skip_sign(line_length, position, QUOTE)
    end, power, key = read_text(line_length, name, OF_POWERS)
    if end < 0:
        return NONE
    if group_index == request.shape[1]:
        return note_odd(TOO_MANY, name, end)
    if power < 0:
        note_odd(IN_NO_TABLE if power == MISSING else CANNOT_BE_READ, name, end)
    if power == UNREADABLE or (power >= 0 and not note_power_name(power, name, end)):
        return NONE
    for other in range(group_index):
        if power >= 0 and request[first_row + GROUP_POWER, other] == power:
            return note_odd(TWICE, name, end)
    request[first_row + GROUP_POWER, group_index] = power
    return skip_sign(line_length, end + 1, COLON)


@called
def read_powers(line_length, position, first_row, text_kind):
    """Read an object with each power's texts into the rows from `first_row`; return the position after it, or -1 for Python."""
    groups = 0
    count = 0
    place = skip_sign(line_length, position, OPEN_BRACE)
    more = place >= 0 and skip_sign(line_length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(line_length, place, first_row, groups)
        place = skip_sign(line_length, place, OPEN_BRACKET)
        before = count
        inside = place >= 0 and skip_sign(line_length, place, CLOSE_BRACKET) < 0
        while inside:
            request[ABOUT, AT_INDEX] = count - before
            text = skip_sign(line_length, place, QUOTE)
            place, number, key = read_text(line_length, text, text_kind)
            if place < 0:
                return NONE
            if count == request.shape[1]:
                return note_odd(TOO_MANY, text, place)
            if number < 0:
                note_odd(IN_NO_TABLE if number == MISSING else CANNOT_BE_READ, text, place)
            if number == UNREADABLE:
                return NONE
            request[first_row + TEXT_NUMBER, count] = number
            request[first_row + TEXT_POWER, count] = request[first_row + GROUP_POWER, groups]
            request[first_row + BEGINS, count] = text
            request[first_row + ENDS, count] = place
            count += 1
            place += 1
            inside = skip_sign(line_length, place, COMMA) >= 0
            if inside:
                place = skip_sign(line_length, place, COMMA)
        place = skip_sign(line_length, place, CLOSE_BRACKET)
        if place < 0:
            return NONE
        request[first_row + GROUP_SIZE, groups] = count - before
        groups += 1
        more = skip_sign(line_length, place, COMMA) >= 0
        if more:
            place = skip_sign(line_length, place, COMMA)
    request[first_row + GROUPS, 0] = groups
    request[first_row + GROUPS, 1] = count
    return skip_sign(line_length, place, CLOSE_BRACE)


@called
def read_lost(line_length, position):
    """Read an object with each power's dislodged units and their retreats; return the position after it, or -1 for Python."""
    groups = 0
    count = 0
    place = skip_sign(line_length, position, OPEN_BRACE)
    more = place >= 0 and skip_sign(line_length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(line_length, place, LOST_ROWS, groups)
        place = skip_sign(line_length, place, OPEN_BRACE)
        before = count
        inside = place >= 0 and skip_sign(line_length, place, CLOSE_BRACE) < 0
        while inside:
            text = skip_sign(line_length, place, QUOTE)
            request[ABOUT, AT_INDEX] = count - before
            place, number, key = read_text(line_length, text, OF_UNITS)
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
            place = skip_sign(line_length, skip_sign(line_length, place + 1, COLON), OPEN_BRACKET)
            for location in range(retreats.shape[1]):
                retreats[count, location] = False
            further = place >= 0 and skip_sign(line_length, place, CLOSE_BRACKET) < 0
            while further:
                text = skip_sign(line_length, place, QUOTE)
                place, location, key = read_text(line_length, text, OF_LOCATIONS)
                if place < 0:
                    return NONE
                if location < 0:
                    note_odd(IN_NO_TABLE if location == MISSING else CANNOT_BE_READ, text, place)
                if location == UNREADABLE:
                    return NONE
                if location >= 0:
                    retreats[count, location] = True
                place += 1
                further = skip_sign(line_length, place, COMMA) >= 0
                if further:
                    place = skip_sign(line_length, place, COMMA)
            place = skip_sign(line_length, place, CLOSE_BRACKET)
            if place < 0:
                return NONE
            count += 1
            inside = skip_sign(line_length, place, COMMA) >= 0
            if inside:
                place = skip_sign(line_length, place, COMMA)
        place = skip_sign(line_length, place, CLOSE_BRACE)
        if place < 0:
            return NONE
        request[LOST_ROWS + GROUP_SIZE, groups] = count - before
        groups += 1
        more = skip_sign(line_length, place, COMMA) >= 0
        if more:
            place = skip_sign(line_length, place, COMMA)
    request[LOST_ROWS + GROUPS, 0] = groups
    request[LOST_ROWS + GROUPS, 1] = count
    return skip_sign(line_length, place, CLOSE_BRACE)


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
def read_name(line_length, position, text_kind, expected_number):
    """Read a map's or rulebook's name; return the position after it, or -1 if it is known and the tables are for another."""
    text = skip_sign(line_length, position, QUOTE)
    end, number, key = read_text(line_length, text, text_kind)
    if end >= 0 and number != expected_number:
        note_odd(OTHER_TABLES, text, end)
    return end + 1 if end >= 0 and (number == expected_number or number == MISSING) else NONE


@compiled
def read_phase(line_length, position):
    """Read the name of a phase into the request; return the position after it, or -1 to leave the line to Python."""
    text = skip_sign(line_length, position, QUOTE)
    end, phase, key = read_text(line_length, text, OF_PHASES)
    if end < 0:
        return NONE
    if phase < 0:
        return note_odd(UNKNOWN_PHASE, text, end)
    request[ABOUT, ABOUT_PHASE] = phase
    return end + 1


@called
def read_line(line_length):
    """Read a line into the rows of a request, and return whether its form is one that the kernel can judge."""
    begin_request()
    return read_keys(line_length, TO_JUDGE)


@called
def read_value(line_length, position, key_number, purpose):
    """Read the value of a key into the request; return the position after it, or -1 to leave the line to Python."""
    if position < 0:
        return NONE
    if key_number == KEY_UNITS:
        return read_powers(line_length, position, UNIT_ROWS, OF_UNITS)
    if key_number == KEY_ORDERS:
        return read_powers(line_length, position, ORDER_ROWS, OF_ORDERS + request[ABOUT, ABOUT_PHASE])
    if key_number == KEY_DISLODGED:
        return read_lost(line_length, position)
    if key_number == KEY_CENTERS:
        return read_powers(line_length, position, CENTER_ROWS, OF_LOCATIONS)
    if key_number == KEY_MAP:
        return read_name(line_length, position, OF_MAPS, 0)
    if key_number == KEY_RULES:
        return read_name(line_length, position, OF_RULES, choices[NAMED_RULES])
    if key_number == KEY_ID:
        place = skip_space(line_length, position)
        end = find_identity_end(line_length, place)
        request[ABOUT, ABOUT_ID] = place
        request[ABOUT, ABOUT_ID_END] = end
        return end
    if purpose == TO_PLAY:
        return read_game_key(line_length, position, key_number)
    return read_phase(line_length, position) if key_number == KEY_PHASE else note_odd(OF_ANOTHER_PHASE, NONE, NONE)


@called
def read_keys(line_length, purpose):
    """Read all keys of a line with their values; return whether they are well-formed and allowed (to judge or to play)."""
    note_key(NONE)
    seen = 0
    place = skip_sign(line_length, 0, OPEN_BRACE)
    more = place >= 0
    while more:
        text = skip_sign(line_length, place, QUOTE)
        end, what, key = read_text(line_length, text, OF_KEYS)
        if end < 0:
            return is_usual(NONE)
        if what < 0 or seen >> what & 1:
            return is_usual(note_odd(UNKNOWN_KEY if what < 0 else TWICE, text, end))
        seen |= 1 << what
        note_key(what)
        place = read_value(line_length, skip_sign(line_length, end + 1, COLON), what, purpose)
        if what == KEY_PHASE and request[ABOUT, ABOUT_PHASE] != OF_MOVEMENT and seen >> KEY_ORDERS & 1:
            return is_usual(note_odd(PHASE_BEHIND, text, end))
        if place < 0:
            return is_usual(NONE)
        note_key(NONE)
        more = skip_sign(line_length, place, COMMA) >= 0
        if more:
            place = skip_sign(line_length, place, COMMA)
    place = skip_sign(line_length, place, CLOSE_BRACE)
    if place < 0 or skip_space(line_length, place) != line_length:
        return is_usual(NONE)
    return are_of_phase(seen, purpose)


@compiled
def is_usual(position):
    """Return whether a position is not -1; if it is, record that the line has an unusual form."""
    if position < 0:
        note_odd(NOT_AS_USUAL, NONE, NONE)
    return position >= 0


@called
def are_of_phase(key_bits, purpose):
    """Return whether the keys (bits) are those that the phase needs and allows, and powers known; record the cause if not."""
    phase = request[ABOUT, ABOUT_PHASE]
    if key_bits >> KEY_UNITS & 1 == 0:
        note_key(KEY_UNITS)
        return is_usual(note_odd(NO_UNITS, NONE, NONE))
    if phase == OF_ADJUSTMENT and key_bits >> KEY_CENTERS & 1 == 0:
        note_key(KEY_CENTERS)
        return is_usual(note_odd(NO_CENTERS, NONE, NONE))
    if key_bits >> KEY_DISLODGED & 1 and phase != OF_RETREAT:
        note_key(KEY_DISLODGED)
        return is_usual(note_odd(OF_ANOTHER_PHASE, NONE, NONE))
    if key_bits >> KEY_CENTERS & 1 and phase != OF_ADJUSTMENT and purpose == TO_JUDGE:
        note_key(KEY_CENTERS)
        return is_usual(note_odd(OF_ANOTHER_PHASE, NONE, NONE))
    return are_powers()


@compiled
def is_among(power, first_row):
    """Return whether a power has a group of texts in the rows from `first_row`."""
    for group in range(request[first_row + GROUPS, 0]):
        if request[first_row + GROUP_POWER, group] == power:
            return True
    return False


@called
def are_powers():
    """Return whether each power with orders is on the map or has units or centres; if not, record it as unknown."""
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
def seat_units(province_count, line_length):
    """Give each unit of the line a column, and each order its unit's column; return false if Python must judge the line."""
    for place in range(province_count):
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
            if DISBANDED_IN_DISORDER or UNSUPPORTED_IN_DISORDER:  # such an order still shows that its power is not in disorder
                note_odd_text(TO_NO_UNIT, ORDER_ROWS, number)
                return False
        else:
            order = find_meant_order(line_length, number, column)
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
def are_told_apart(order_count):
    """Return whether illegal moves of one unit mean the same only if their texts are equal (4.D.3); if not, record why."""
    for number in range(order_count):
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
def choose_orders(province_count):
    """Choose, for each unit with several orders, which counts (4.D.3); return false if Python must decide."""
    clear_places(province_count)
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
        for number in range(count):  # the first of the orders with the same meaning
            same = counting != NONE and request[ORDER_COLUMN, number] == column
            if same and request[COUNTING, column] == NONE and request[FORM, number] == request[FORM, counting]:
                request[COUNTING, column] = number
    return True


@compiled
def substitute_order(unit_column, order_count):
    """Return an order for a unit of whose orders none counts: one counting as a move, REJECTED if any is legal, or another."""
    found = numpy.int64(NONE)
    for number in range(order_count):
        if request[ORDER_COLUMN, number] == unit_column:
            if request[FORM, number] <= ILLEGAL_FORM:
                return ILLEGAL_FORM - request[FORM, number]
            if request[FORM, number] >= 0:
                found = numpy.int64(REJECTED)
            elif found == NONE:
                found = numpy.int64(request[ORDER_ROWS + TEXT_NUMBER, number])
    return found


@compiled
def clear_outcome():
    """Clear the previous board's outcome and all counters, and mark the board as pending."""
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
def copy_text(answer_end, source, source_start, source_end):
    """Append the bytes of an array, `source`, from `source_start` up to `source_end`; return the answer's new end."""
    for place in range(source_start, source_end):
        written[answer_end + place - source_start] = source[place]
    return answer_end + source_end - source_start


@called
def write_text(answer_end, text_number):
    """Append the text of answers with this number (SAY_…) to the answer, and return the answer's new end."""
    for place in range(said_from[text_number], said_from[text_number + 1]):
        written[answer_end] = said[place]
        answer_end += 1
    return answer_end


@compiled
def write_byte(answer_end, byte):
    """Append one byte to the answer, and return the answer's new end."""
    written[answer_end] = byte
    return answer_end + 1


@compiled
def write_power(answer_end, power):
    """Append a power's name, as on the line or, in a next position, on the map, and a colon; return the answer's new end."""
    if request[ABOUT, ABOUT_NEXT] == 1:
        return write_byte(write_text(answer_end, SAY_POWER + power), COLON)
    answer_end = copy_text(answer_end, line, request[NAME, power] - 1, request[NAME_END, power] + 1)
    return write_byte(answer_end, COLON)


@compiled
def clear_told_powers():
    """Mark all powers as not yet written in this part of the answer."""
    for power in range(request[ABOUT, ABOUT_POWERS]):
        request[POWER_TOLD, power] = 0


@called
def write_by_power(answer_end, start, stop, first_text):
    """Append by power the units or locations in TOLD_UNIT, whose texts begin at `first_text`; return the answer's new end."""
    clear_told_powers()
    some = False
    for number in range(start, stop):
        power = request[TOLD_POWER, number]
        if request[POWER_TOLD, power] == 1:
            continue
        request[POWER_TOLD, power] = 1
        if some:
            answer_end = write_byte(answer_end, COMMA)
        some = True
        answer_end = write_byte(write_power(answer_end, power), OPEN_BRACKET)
        for other in range(number, stop):
            if request[TOLD_POWER, other] == power:
                if other > number:
                    answer_end = write_byte(answer_end, COMMA)
                answer_end = write_text(answer_end, first_text + request[TOLD_UNIT, other])
        answer_end = write_byte(answer_end, CLOSE_BRACKET)
    return answer_end


@compiled
def write_units_left(answer_end, start, stop):
    """Append the remaining units by power and record where they are listed; return the answer's new end."""
    request[ABOUT, ABOUT_TOLD] = start
    request[ABOUT, ABOUT_TOLD_END] = stop
    return write_by_power(answer_end, start, stop, SAY_UNIT)


@compiled
def write_order(answer_end, order):
    """Append the text of an order of the vocabulary, in quotes, and return the answer's new end."""
    answer_end = write_byte(answer_end, QUOTE)
    return write_byte(copy_text(answer_end, pool, named_from[order], named_from[order + 1]), QUOTE)


@called
def write_number(answer_end, number):
    """Append a number that is not negative, and return the answer's new end."""
    size = 1
    while number >= size * 10:
        size *= 10
    while size:
        answer_end = write_byte(answer_end, ZERO + number // size % 10)
        size //= 10
    return answer_end


@compiled
def is_counting(order_index):
    """Return whether an order counts for its unit: it has the same meaning as the one that was chosen."""
    counting = request[COUNTING, request[ORDER_COLUMN, order_index]]
    return counting != NONE and request[FORM, counting] == request[FORM, order_index]


@compiled
def verdict_of(order_index):
    """Return the number of the text for the verdict on an order; an order that does not count is illegal."""
    column = request[ORDER_COLUMN, order_index]
    if column == NONE:
        return SAY_ILLEGAL
    if is_counting(order_index):
        return SAY_VERDICT + told[RESULT, 0, column] * FATES_OF_VERDICT + told[FATE, 0, column]
    fate = told[FATE, 0, column] if told[COUNTED, 0, column] == NONE else 0
    return SAY_VERDICT + RESULT_TABLE[HOLD, 1] * FATES_OF_VERDICT + fate


@called
def write_results(answer_end, phase):
    """Append the verdicts on each power's orders in a phase of this kind, and return the answer's new end."""
    number = 0
    some = False
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        if request[ORDER_ROWS + GROUP_SIZE, group] == 0:
            continue
        if some:
            answer_end = write_byte(answer_end, COMMA)
        some = True
        answer_end = write_power(answer_end, request[ORDER_ROWS + GROUP_POWER, group])
        answer_end = write_byte(answer_end, OPEN_BRACKET)
        for position in range(request[ORDER_ROWS + GROUP_SIZE, group]):
            if position:
                answer_end = write_byte(answer_end, COMMA)
            verdict = verdict_of(number) if phase == OF_MOVEMENT else request[DONE, number]
            answer_end = write_text(answer_end, verdict)
            number += 1
        answer_end = write_byte(answer_end, CLOSE_BRACKET)
    return answer_end


@called
def write_dislodged_unit(answer_end, dislodged_count, unit_column):
    """Append the dislodged unit in a column with the locations to which it may retreat; return the answer's new end."""
    answer_end = write_text(answer_end, SAY_UNIT + units[0, unit_column])
    answer_end = write_byte(answer_end, COLON)
    answer_end = write_byte(answer_end, OPEN_BRACKET)
    some = False
    for row in range(dislodged_count):
        if dislodged[row, 1] == unit_column:
            for position in range(ranked.shape[0]):
                if retreats[row, ranked[position]]:
                    if some:
                        answer_end = write_byte(answer_end, COMMA)
                    some = True
                    answer_end = write_text(answer_end, SAY_LOCATION + ranked[position])
    return write_byte(answer_end, CLOSE_BRACKET)


@compiled
def may_retreat(dislodged_row):
    """Return whether the dislodged unit in a row has a retreat."""
    for location in range(retreats.shape[1]):
        if retreats[dislodged_row, location]:
            return True
    return False


@compiled
def find_victim(dislodged_count, order_index):
    """Return the column of the unit that an order dislodged; -1 if none, or if it is destroyed and not to be written."""
    attacker = request[ORDER_COLUMN, order_index]
    if attacker == NONE or request[COUNTING, attacker] != order_index:
        return NONE
    for row in range(dislodged_count):
        if told[ATTACKER, 0, dislodged[row, 1]] == attacker and (request[ABOUT, ABOUT_NEXT] == 0 or may_retreat(row)):
            return numpy.int64(dislodged[row, 1])
    return NONE


@called
def write_dislodged(answer_end, dislodged_count):
    """Append the dislodged units by power, in the sequence of the orders that dislodged them; return the answer's new end."""
    clear_told_powers()
    some = False
    for number in range(request[ORDER_ROWS + GROUPS, 1] if dislodged_count > 0 else 0):
        column = find_victim(dislodged_count, number)
        if column == NONE or request[POWER_TOLD, powers[0, column]] == 1:
            continue
        power = powers[0, column]
        request[POWER_TOLD, power] = 1
        if some:
            answer_end = write_byte(answer_end, COMMA)
        some = True
        answer_end = write_byte(write_power(answer_end, power), OPEN_BRACE)
        several = False
        for later in range(number, request[ORDER_ROWS + GROUPS, 1]):
            column = find_victim(dislodged_count, later)
            if column != NONE and powers[0, column] == power:
                if several:
                    answer_end = write_byte(answer_end, COMMA)
                several = True
                answer_end = write_dislodged_unit(answer_end, dislodged_count, column)
        answer_end = write_byte(answer_end, CLOSE_BRACE)
    return answer_end


@called
def write_units(answer_end):
    """Append the units of each power after the moves, and return the answer's new end."""
    count = 0
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if told[AFTER, 0, column] != NONE:
            request[TOLD_UNIT, count] = told[AFTER, 0, column]
            request[TOLD_POWER, count] = powers[0, column]
            count += 1
    return write_units_left(answer_end, 0, count)


@compiled
def find_first_of_core(core_columns):
    """Return the index of the first order whose unit is in a core (its columns as bits); -1 if there is none."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        column = request[ORDER_COLUMN, number]
        if column != NONE and request[COUNTING, column] == number and core_columns >> column & 1:
            return number
    return NONE


@called
def write_rulings(answer_end, core_count):
    """Append the rulings in the sequence in which they were made, with the orders of each core; return the answer's new end."""
    turn = numpy.int64(-1)
    first = numpy.int64(-1)
    for told_before in range(core_count):  # the next ruling by its round and its first order
        some = told_before > 0
        best = numpy.int64(-1)
        for core in range(core_count):
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
            return answer_end
        turn, first = cores[best, 2], find_first_of_core(cores[best, 3])
        if some:
            answer_end = write_byte(answer_end, COMMA)
        answer_end = write_text(answer_end, SAY_RULE)
        answer_end = write_text(answer_end, SAY_RULES + cores[best, 1])
        answer_end = write_text(answer_end, SAY_CORE)
        several = False
        for number in range(first, request[ORDER_ROWS + GROUPS, 1]):
            column = request[ORDER_COLUMN, number]
            if column != NONE and request[COUNTING, column] == number and cores[best, 3] >> column & 1:
                if several:
                    answer_end = write_byte(answer_end, COMMA)
                several = True
                answer_end = write_order(answer_end, told[COUNTED, 0, column])
        answer_end = write_byte(write_byte(answer_end, CLOSE_BRACKET), CLOSE_BRACE)
    return answer_end


@called
def answer_moves(line_length):
    """Answer a line, already read, about a movement phase; return its end, ODD (for Python) or MISSING (facts to look up)."""
    if not seat_units(contested.shape[1], line_length):
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
def write_identity(answer_end):
    """Append the beginning of an answer: a brace and the line's id, if it has one; return the answer's new end."""
    if request[ABOUT, ABOUT_ID_END] == 0:
        return write_byte(answer_end, OPEN_BRACE)
    answer_end = copy_text(write_text(answer_end, SAY_ID), line, request[ABOUT, ABOUT_ID], request[ABOUT, ABOUT_ID_END])
    return write_byte(answer_end, COMMA)


@compiled
def write_head():
    """Write the part of the answer before the verdicts, with the line's id or null; return the answer's end."""
    begun = request[ABOUT, ABOUT_BEGUN]
    end = write_text(begun, SAY_NO_ID) if request[ABOUT, ABOUT_ID_END] == 0 else write_identity(begun)
    return write_text(end, SAY_RESULTS)


@called
def answer_line(line_length):
    """Answer a line; return the answer's end, ODD if Python must answer it, or MISSING if a fact must be looked up."""
    clear_outcome()
    if not read_line(line_length):
        return ODD
    return note_missing() if counters[WANTS] > 0 else answer_phase(line_length)


@called
def answer_phase(line_length):
    """Answer a line, already read, by its phase; return its end, ODD (left to Python) or MISSING (facts to look up)."""
    if request[ABOUT, ABOUT_PHASE] == OF_RETREAT:
        return answer_retreats(line_length)
    if request[ABOUT, ABOUT_PHASE] == OF_ADJUSTMENT:
        return answer_adjustments()
    return answer_moves(line_length)


# ---- other functions for hosts ----


@called
def number_of(line_length, text_kind):
    """Return the number of the text that is all of the line; UNREADABLE if it has no meaning, or MISSING (to look up)."""
    key = numpy.int64(text_kind)
    for place in range(line_length):
        key = mixed_in(key, numpy.int64(line[place]))
    key &= TEXT_KEYS
    return look_up_text(0, line_length, key, text_kind)


@called
def judge_board():
    """Judge the board in the arrays; return 1 if no facts were missing and it is settled, else 0."""
    clear_outcome()
    judge_boards()
    return 1 if counters[WANTS] == 0 and (status[0] == SETTLED or status[0] == WITH_CORES) else 0
