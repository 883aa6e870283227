"""Answers one batch line of a movement phase: reads its bytes, has its board judged, and writes the answer (docs/batch.md).

These functions are in the subset of `satjudge.bulk.kernel`, with which they are printed as C, and so are those of
`satjudge.bulk.later_kernel` for the other phases. What a text means they look up in a table that the plain path fills in; what
is not there yet they note as wanted. Whatever is out of the ordinary is odd, and left to the plain path: escapes, keys that are
none of the phase, mistakes. The phase stands before the orders.
"""

# what the functions of `kernel` and the equations are, is there when this is printed
# mypy: ignore-errors

from __future__ import annotations

from satjudge.bulk.arrays import *

# ---- JSON ----


@compiled
def skipped(line, length, start):
    """Return the place of the next byte that is no white space."""
    place = start
    while place < length and (line[place] == SPACE or line[place] == TAB or line[place] == FEED or line[place] == RETURN):
        place += 1
    return place


@compiled
def past(line, length, start, sign):
    """Return the place behind a sign that comes next but for white space; -1 if another comes, or if there was none before."""
    if start < 0:
        return NONE
    place = skipped(line, length, start)
    return place + 1 if place < length and line[place] == sign else NONE


@compiled
def text_end(line, length, start):
    """Find the end of a text that is written as it is, without escapes; -1 for any other."""
    if start < 0:
        return NONE
    place = start
    while place < length and line[place] != QUOTE:
        if line[place] < SPACE or line[place] > TILDE or line[place] == BACKSLASH:
            return NONE
        place += 1
    return place if place < length else NONE


@compiled
def identity_end(line, length, start):
    """Find the end of an id: a text, or a whole number; -1 for any other."""
    place = start
    if place < length and line[place] == QUOTE:
        end = text_end(line, length, place + 1)
        return end + 1 if end >= 0 else NONE
    while place < length and line[place] >= ZERO and line[place] < ZERO + 10:
        place += 1
    if place == start or place > start + MOST_DIGITS or (line[start] == ZERO and place > start + 1):
        return NONE
    return place


# ---- what texts mean ----


@compiled
def meaning(texts, pool, line, start, end, key, kind, wanted, counters):
    """Look up the number of a text of a kind; UNREADABLE, or MISSING, which is noted as wanted."""
    slot = find(texts, key)
    if slot == NONE:
        want(wanted, counters, TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | kind)
        return MISSING
    first = texts[slot, 1]
    if texts[slot, 2] != end - start:
        return UNREADABLE
    for place in range(start, end):
        if pool[first + place - start] != line[place]:
            return UNREADABLE
    return texts[slot, 3]


@called
def read_text(line, length, start, texts, pool, kind, wanted, counters):
    """Read a text that is written as it is, without escapes: its end, its number (`meaning`) and its key; -1 for any other."""
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
    return place, meaning(texts, pool, line, start, place, key, kind, wanted, counters), key


@compiled
def named(line, request, power, start, end):
    """Note where the name of a power stands; false if the line spells it otherwise elsewhere."""
    if power >= request.shape[1]:
        return False
    if request[NAME_END, power] == 0:
        request[NAME, power] = start
        request[NAME_END, power] = end
        if request[ABOUT, ABOUT_POWERS] <= power:
            request[ABOUT, ABOUT_POWERS] = power + 1
        return True
    before = request[NAME, power]
    if request[NAME_END, power] - before != end - start:
        return False
    for place in range(end - start):
        if line[start + place] != line[before + place]:
            return False
    return True


@called
def read_group(line, length, place, texts, pool, request, rows, groups, wanted, counters):
    """Read the name of a power, with the colon behind it, as a group of a request, and return the place behind it.

    -1 if something is odd. The power may be MISSING.
    """
    name = past(line, length, place, QUOTE)
    end, power, key = read_text(line, length, name, texts, pool, OF_POWERS, wanted, counters)
    if end < 0 or groups == request.shape[1]:
        return NONE
    if power == UNREADABLE or (power >= 0 and not named(line, request, power, name, end)):
        return NONE
    for other in range(groups):
        if power >= 0 and request[rows + GROUP_POWER, other] == power:
            return NONE
    request[rows + GROUP_POWER, groups] = power
    return past(line, length, end + 1, COLON)


@called
def read_powers(line, length, start, texts, pool, request, rows, kind, wanted, counters):
    """Read the texts of each power into rows of a request, and return the place behind them; -1 if something is odd."""
    groups = 0
    count = 0
    place = past(line, length, start, OPEN_BRACE)
    more = place >= 0 and past(line, length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(line, length, place, texts, pool, request, rows, groups, wanted, counters)
        place = past(line, length, place, OPEN_BRACKET)
        before = count
        inside = place >= 0 and past(line, length, place, CLOSE_BRACKET) < 0
        while inside:
            text = past(line, length, place, QUOTE)
            place, number, key = read_text(line, length, text, texts, pool, kind, wanted, counters)
            if place < 0 or count == request.shape[1]:
                return NONE
            if number == UNREADABLE:
                return NONE
            request[rows + TEXT_NUMBER, count] = number
            request[rows + TEXT_POWER, count] = request[rows + GROUP_POWER, groups]
            count += 1
            place += 1
            inside = past(line, length, place, COMMA) >= 0
            if inside:
                place = past(line, length, place, COMMA)
        place = past(line, length, place, CLOSE_BRACKET)
        if place < 0:
            return NONE
        request[rows + GROUP_SIZE, groups] = count - before
        groups += 1
        more = past(line, length, place, COMMA) >= 0
        if more:
            place = past(line, length, place, COMMA)
    request[rows + GROUPS, 0] = groups
    request[rows + GROUPS, 1] = count
    return past(line, length, place, CLOSE_BRACE)


@called
def read_lost(line, length, start, texts, pool, request, retreats, wanted, counters):
    """Read the dislodged units of each power and where each may retreat; the place behind them, -1 if something is odd."""
    groups = 0
    count = 0
    place = past(line, length, start, OPEN_BRACE)
    more = place >= 0 and past(line, length, place, CLOSE_BRACE) < 0
    while more:
        place = read_group(line, length, place, texts, pool, request, LOST_ROWS, groups, wanted, counters)
        place = past(line, length, place, OPEN_BRACE)
        before = count
        inside = place >= 0 and past(line, length, place, CLOSE_BRACE) < 0
        while inside:
            text = past(line, length, place, QUOTE)
            place, number, key = read_text(line, length, text, texts, pool, OF_UNITS, wanted, counters)
            if place < 0 or count == retreats.shape[0]:
                return NONE
            if number == UNREADABLE:
                return NONE
            request[LOST_ROWS + TEXT_NUMBER, count] = number
            request[LOST_ROWS + TEXT_POWER, count] = request[LOST_ROWS + GROUP_POWER, groups]
            place = past(line, length, past(line, length, place + 1, COLON), OPEN_BRACKET)
            for location in range(retreats.shape[1]):
                retreats[count, location] = False
            further = place >= 0 and past(line, length, place, CLOSE_BRACKET) < 0
            while further:
                text = past(line, length, place, QUOTE)
                place, location, key = read_text(line, length, text, texts, pool, OF_LOCATIONS, wanted, counters)
                if place < 0:
                    return NONE
                if location == UNREADABLE:
                    return NONE
                if location >= 0:
                    retreats[count, location] = True
                place += 1
                further = past(line, length, place, COMMA) >= 0
                if further:
                    place = past(line, length, place, COMMA)
            place = past(line, length, place, CLOSE_BRACKET)
            if place < 0:
                return NONE
            count += 1
            inside = past(line, length, place, COMMA) >= 0
            if inside:
                place = past(line, length, place, COMMA)
        place = past(line, length, place, CLOSE_BRACE)
        if place < 0:
            return NONE
        request[LOST_ROWS + GROUP_SIZE, groups] = count - before
        groups += 1
        more = past(line, length, place, COMMA) >= 0
        if more:
            place = past(line, length, place, COMMA)
    request[LOST_ROWS + GROUPS, 0] = groups
    request[LOST_ROWS + GROUPS, 1] = count
    return past(line, length, place, CLOSE_BRACE)


@compiled
def begin_request(request):
    """Clear what was read of the line before."""
    for power in range(request[ABOUT, ABOUT_POWERS]):
        request[NAME_END, power] = 0
    request[ABOUT, ABOUT_POWERS] = 0
    request[ABOUT, ABOUT_ID] = request[ABOUT, ABOUT_ID_END] = 0
    request[ABOUT, ABOUT_PHASE] = OF_MOVEMENT
    for rows in range(4):
        request[rows * ORDER_ROWS + GROUPS, 0] = request[rows * ORDER_ROWS + GROUPS, 1] = 0


@called
def read_line(length, line, texts, pool, request, retreats, wanted, counters):
    """Read a line into the rows of a request, and tell whether it is an ordinary phase."""
    seen = 0
    begin_request(request)
    place = past(line, length, 0, OPEN_BRACE)
    more = place >= 0
    while more:
        text = past(line, length, place, QUOTE)
        end, what, key = read_text(line, length, text, texts, pool, OF_KEYS, wanted, counters)
        if end < 0:
            return False
        if what < 0 or seen >> what & 1:
            return False
        seen |= 1 << what
        place = past(line, length, end + 1, COLON)
        if what == KEY_ID:
            if place < 0:
                return False
            start = skipped(line, length, place)
            place = identity_end(line, length, start)
            request[ABOUT, ABOUT_ID] = start
            request[ABOUT, ABOUT_ID_END] = place
        elif what == KEY_UNITS:
            place = read_powers(line, length, place, texts, pool, request, UNIT_ROWS, OF_UNITS, wanted, counters)
        elif what == KEY_ORDERS:
            kind = OF_ORDERS + request[ABOUT, ABOUT_PHASE]
            place = read_powers(line, length, place, texts, pool, request, ORDER_ROWS, kind, wanted, counters)
        elif what == KEY_DISLODGED:
            place = read_lost(line, length, place, texts, pool, request, retreats, wanted, counters)
        elif what == KEY_CENTERS:
            place = read_powers(line, length, place, texts, pool, request, CENTER_ROWS, OF_LOCATIONS, wanted, counters)
        else:
            text = past(line, length, place, QUOTE)
            place, phase, key = read_text(line, length, text, texts, pool, OF_PHASES, wanted, counters)
            if place < 0:
                return False
            if phase < 0 or (phase != OF_MOVEMENT and seen >> KEY_ORDERS & 1):
                return False
            request[ABOUT, ABOUT_PHASE] = phase
            place += 1
        if place < 0:
            return False
        more = past(line, length, place, COMMA) >= 0
        if more:
            place = past(line, length, place, COMMA)
    place = past(line, length, place, CLOSE_BRACE)
    if place < 0 or seen >> KEY_UNITS & 1 == 0:
        return False
    if seen >> KEY_DISLODGED & 1 and request[ABOUT, ABOUT_PHASE] != OF_RETREAT:
        return False
    if seen >> KEY_CENTERS & 1 and request[ABOUT, ABOUT_PHASE] != OF_ADJUSTMENT:
        return False
    return skipped(line, length, place) == length


# ---- the board ----


@called
def seat(spots, entries, request, units, powers, orders, provinces):
    """Give each unit a column, and each order that of its unit; false for what is odd (`satjudge.bulk.answers`)."""
    for place in range(provinces):
        request[SEAT, place] = NONE
    for column in range(units.shape[1]):
        units[0, column] = powers[0, column] = orders[0, column] = NONE
    if request[UNIT_ROWS + GROUPS, 1] > units.shape[1]:
        return False
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        units[0, column] = request[UNIT_ROWS + TEXT_NUMBER, column]
        powers[0, column] = request[UNIT_ROWS + TEXT_POWER, column]
        place = spots[PLACE_OF_UNIT, units[0, column]]
        if request[SEAT, place] != NONE:
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
                return False
        elif orders[0, column] != NONE:
            request[ABOUT, ABOUT_SEVERAL] = 1
        else:
            orders[0, column] = order
            request[COUNTING, column] = number
        request[ORDER_COLUMN, number] = column
        request[FORM, number] = order
    return True


@called
def choose(spots, entries, aliases, ways, request, units, powers, orders, provinces, choices, at, wanted, counters):
    """Choose the order that counts of several for a unit (4.D.3); false where the plain path has to say what they come to."""
    clear(at, provinces)
    fleets = place_units(spots, entries, at, units, powers, orders, 0)
    count = request[ORDER_ROWS + GROUPS, 1]
    for number in range(count):
        column = request[ORDER_COLUMN, number]
        request[FORM, number] = NO_FORM
        if column != NONE:
            order = request[ORDER_ROWS + TEXT_NUMBER, number]
            place = spots[PLACE_OF_UNIT, units[0, column]]
            form = in_full(entries, aliases, ways, at, place, fleets, order, wanted, counters)
            if form == LEAVE:
                return False
            if form >= 0:
                request[FORM, number] = form
            elif form == ILLEGAL_MOVE:
                request[FORM, number] = ILLEGAL_FORM - order
    for number in range(count):
        column = request[ORDER_COLUMN, number]
        if column != NONE and request[COUNTING, column] == number:
            counting = chosen(request[ORDER_COLUMN], request[FORM], column, count, choices[SEVERAL_ORDERS])
            if counting == NONE:
                orders[0, column] = without_order(request, column, count)
            else:
                orders[0, column] = request[ORDER_ROWS + TEXT_NUMBER, counting]
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        counting = chosen(request[ORDER_COLUMN], request[FORM], column, count, choices[SEVERAL_ORDERS])
        request[COUNTING, column] = NONE
        for number in range(count):  # the first of those that come to the same
            same = counting != NONE and request[ORDER_COLUMN, number] == column
            if same and request[COUNTING, column] == NONE and request[FORM, number] == request[FORM, counting]:
                request[COUNTING, column] = number
    return True


@compiled
def without_order(request, column, count):
    """Return the order that stands for those of a unit of which none counts: one that counts as a move, if any (4.E.1)."""
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
def begin(status, told, contested, counters):
    """Clear what was told of the board before."""
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
def copy(written, end, line, start, stop):
    """Copy bytes of the line to the answer, and return where it ends then."""
    for place in range(start, stop):
        written[end + place - start] = line[place]
    return end + stop - start


@called
def say(written, end, said, said_from, number):
    """Write a text by its number, and return where the answer ends then."""
    for place in range(said_from[number], said_from[number + 1]):
        written[end] = said[place]
        end += 1
    return end


@compiled
def sign(written, end, byte):
    """Write one byte."""
    written[end] = byte
    return end + 1


@compiled
def say_name(written, end, line, request, power):
    """Write the name of a power as the line spells it, with a colon."""
    end = copy(written, end, line, request[NAME, power] - 1, request[NAME_END, power] + 1)
    return sign(written, end, COLON)


@compiled
def nobody_told(request):
    """Note that no power was told yet."""
    for power in range(request[ABOUT, ABOUT_POWERS]):
        request[POWER_TOLD, power] = 0


@called
def say_listed(written, end, line, said, said_from, request, first, last):
    """Write units of the rows TOLD_UNIT and TOLD_POWER by their powers."""
    nobody_told(request)
    some = False
    for number in range(first, last):
        power = request[TOLD_POWER, number]
        if request[POWER_TOLD, power] == 1:
            continue
        request[POWER_TOLD, power] = 1
        if some:
            end = sign(written, end, COMMA)
        some = True
        end = sign(written, say_name(written, end, line, request, power), OPEN_BRACKET)
        for other in range(number, last):
            if request[TOLD_POWER, other] == power:
                if other > number:
                    end = sign(written, end, COMMA)
                end = say(written, end, said, said_from, SAY_UNIT + request[TOLD_UNIT, other])
        end = sign(written, end, CLOSE_BRACKET)
    return end


@called
def say_number(written, end, number):
    """Write a number that is not negative."""
    size = 1
    while number >= size * 10:
        size *= 10
    while size:
        end = sign(written, end, ZERO + number // size % 10)
        size //= 10
    return end


@compiled
def counts(request, number):
    """Tell whether an order of a unit counts: it comes to the same as the one that counts."""
    counting = request[COUNTING, request[ORDER_COLUMN, number]]
    return counting != NONE and request[FORM, counting] == request[FORM, number]


@compiled
def verdict_of(request, told, number):
    """Return the number of the verdict on an order: of one that does not count just that it is illegal (`outcome._verdict`)."""
    column = request[ORDER_COLUMN, number]
    if column == NONE:
        return SAY_ILLEGAL
    if counts(request, number):
        return SAY_VERDICT + told[RESULT, 0, column] * FATES_OF_VERDICT + told[FATE, 0, column]
    fate = told[FATE, 0, column] if told[COUNTED, 0, column] == NONE else 0
    return SAY_VERDICT + RESULT_TABLE[HOLD, 1] * FATES_OF_VERDICT + fate


@called
def say_results(written, end, line, said, said_from, request, told, phase):
    """Write the verdicts on the orders of each power that gave some."""
    number = 0
    some = False
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        if request[ORDER_ROWS + GROUP_SIZE, group] == 0:
            continue
        if some:
            end = sign(written, end, COMMA)
        some = True
        end = say_name(written, end, line, request, request[ORDER_ROWS + GROUP_POWER, group])
        end = sign(written, end, OPEN_BRACKET)
        for position in range(request[ORDER_ROWS + GROUP_SIZE, group]):
            if position:
                end = sign(written, end, COMMA)
            verdict = verdict_of(request, told, number) if phase == OF_MOVEMENT else request[DONE, number]
            end = say(written, end, said, said_from, verdict)
            number += 1
        end = sign(written, end, CLOSE_BRACKET)
    return end


@called
def say_lost(written, end, said, said_from, ranked, units, dislodged, retreats, lost, column):
    """Write a dislodged unit with the locations to which it may retreat."""
    end = say(written, end, said, said_from, SAY_UNIT + units[0, column])
    end = sign(written, end, COLON)
    end = sign(written, end, OPEN_BRACKET)
    some = False
    for row in range(lost):
        if dislodged[row, 1] == column:
            for position in range(ranked.shape[0]):
                if retreats[row, ranked[position]]:
                    if some:
                        end = sign(written, end, COMMA)
                    some = True
                    end = say(written, end, said, said_from, SAY_LOCATION + ranked[position])
    return sign(written, end, CLOSE_BRACKET)


@compiled
def victim(request, told, dislodged, lost, number):
    """Find the column of the unit that an order's unit dislodged; -1 for none."""
    attacker = request[ORDER_COLUMN, number]
    if attacker == NONE or request[COUNTING, attacker] != number:
        return NONE
    for row in range(lost):
        if told[ATTACKER, 0, dislodged[row, 1]] == attacker:
            return numpy.int64(dislodged[row, 1])
    return NONE


@called
def say_dislodged(written, end, line, said, said_from, ranked, request, units, powers, told, dislodged, retreats, lost):
    """Write the dislodged units of each power, in the order of the orders that dislodged them."""
    nobody_told(request)
    some = False
    for number in range(request[ORDER_ROWS + GROUPS, 1] if lost > 0 else 0):
        column = victim(request, told, dislodged, lost, number)
        if column == NONE or request[POWER_TOLD, powers[0, column]] == 1:
            continue
        power = powers[0, column]
        request[POWER_TOLD, power] = 1
        if some:
            end = sign(written, end, COMMA)
        some = True
        end = sign(written, say_name(written, end, line, request, power), OPEN_BRACE)
        several = False
        for later in range(number, request[ORDER_ROWS + GROUPS, 1]):
            column = victim(request, told, dislodged, lost, later)
            if column != NONE and powers[0, column] == power:
                if several:
                    end = sign(written, end, COMMA)
                several = True
                end = say_lost(written, end, said, said_from, ranked, units, dislodged, retreats, lost, column)
        end = sign(written, end, CLOSE_BRACE)
    return end


@called
def say_units(written, end, line, said, said_from, request, units, powers, told):
    """Write where the units of each power are that still has some."""
    count = 0
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if told[AFTER, 0, column] != NONE:
            request[TOLD_UNIT, count] = told[AFTER, 0, column]
            request[TOLD_POWER, count] = powers[0, column]
            count += 1
    return say_listed(written, end, line, said, said_from, request, 0, count)


@compiled
def first_of_core(request, core):
    """Find the first order, by its number, whose unit is in a core."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        column = request[ORDER_COLUMN, number]
        if column != NONE and request[COUNTING, column] == number and core >> column & 1:
            return number
    return NONE


@called
def say_rulings(written, end, pool, named_from, said, said_from, request, told, cores, count):
    """Write the rulings in the order in which they were made, with the orders of each core."""
    turn = numpy.int64(-1)
    first = numpy.int64(-1)
    for told_before in range(count):  # the next one by its round and its first order
        some = told_before > 0
        best = numpy.int64(-1)
        for core in range(count):
            if cores[core, 1] != NONE:
                this, order = cores[core, 2], first_of_core(request, cores[core, 3])
                behind = this > turn or (this == turn and order > first)
                if behind and (
                    best == NONE
                    or this < cores[best, 2]
                    or (this == cores[best, 2] and order < first_of_core(request, cores[best, 3]))
                ):
                    best = numpy.int64(core)
        if best == NONE:
            return end
        turn, first = cores[best, 2], first_of_core(request, cores[best, 3])
        if some:
            end = sign(written, end, COMMA)
        end = say(written, end, said, said_from, SAY_RULE)
        end = say(written, end, said, said_from, SAY_RULES + cores[best, 1])
        end = say(written, end, said, said_from, SAY_CORE)
        several = False
        for number in range(first, request[ORDER_ROWS + GROUPS, 1]):
            column = request[ORDER_COLUMN, number]
            if column != NONE and request[COUNTING, column] == number and cores[best, 3] >> column & 1:
                if several:
                    end = sign(written, end, COMMA)
                several = True
                order = told[COUNTED, 0, column]
                end = sign(written, end, QUOTE)
                end = copy(written, end, pool, named_from[order], named_from[order + 1])
                end = sign(written, end, QUOTE)
        end = sign(written, sign(written, end, CLOSE_BRACKET), CLOSE_BRACE)
    return end


@called
def answer_moves(
    length, line, written, texts, pool, said, said_from, ranked, request, named_from, choices,
    spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested, resolutions,
    dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
):  # fmt: skip
    """Answer a line of a movement phase that was read."""
    if not seat(spots, entries, request, units, powers, orders, contested.shape[1]):
        return ODD
    if request[ABOUT, ABOUT_SEVERAL] == 1 and not choose(
        spots, entries, aliases, ways, request, units, powers, orders, contested.shape[1], choices, at, wanted, counters
    ):  # fmt: skip
        return ODD
    if counters[WANTS] > 0:
        return MISSING
    judge_boards(
        spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested,
        resolutions, dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
    )  # fmt: skip
    if counters[WANTS] > 0:
        return MISSING
    if status[0] != SETTLED and status[0] != WITH_CORES:
        return ODD
    end = say_head(written, line, said, said_from, request)
    end = say_results(written, end, line, said, said_from, request, told, OF_MOVEMENT)
    end = say(written, end, said, said_from, SAY_DISLODGED)
    end = say_dislodged(
        written, end, line, said, said_from, ranked, request, units, powers, told, dislodged, retreats, counters[LOST]
    )  # fmt: skip
    end = say(written, end, said, said_from, SAY_UNITS)
    end = say_units(written, end, line, said, said_from, request, units, powers, told)
    end = say(written, end, said, said_from, SAY_RESOLUTIONS)
    end = say_number(written, end, resolutions[0])
    end = say(written, end, said, said_from, SAY_RULINGS)
    end = say_rulings(written, end, pool, named_from, said, said_from, request, told, cores, counters[CORES])
    return say(written, end, said, said_from, SAY_END)


@compiled
def say_head(written, line, said, said_from, request):
    """Write the id of a line, and what stands before the verdicts."""
    end = say(written, 0, said, said_from, SAY_ID)
    if request[ABOUT, ABOUT_ID_END] > 0:
        end = copy(written, end, line, request[ABOUT, ABOUT_ID], request[ABOUT, ABOUT_ID_END])
    else:
        end = say(written, end, said, said_from, SAY_NULL)
    return say(written, end, said, said_from, SAY_RESULTS)


@called
def answer_line(
    length, line, written, texts, pool, said, said_from, ranked, request, named_from, choices, duties, comings, of_powers, away,
    alphabet, spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested,
    resolutions, dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
):  # fmt: skip
    """Answer a line, and return the number of bytes of the answer; ODD for the plain path, MISSING if something is wanted."""
    begin(status, told, contested, counters)
    if not read_line(length, line, texts, pool, request, retreats, wanted, counters):
        return ODD
    if counters[WANTS] > 0:
        return MISSING
    if request[ABOUT, ABOUT_PHASE] == OF_RETREAT:
        return answer_retreats(
            line, written, said, said_from, request, choices, duties, comings, spots, told, retreats, wanted, counters
        )  # fmt: skip
    if request[ABOUT, ABOUT_PHASE] == OF_ADJUSTMENT:
        return answer_adjustments(
            line, written, said, said_from, request, choices, duties, comings, of_powers, away, alphabet, spots, told, wanted,
            counters
        )  # fmt: skip
    return answer_moves(
        length, line, written, texts, pool, said, said_from, ranked, request, named_from, choices,
        spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested, resolutions,
        dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
    )  # fmt: skip
