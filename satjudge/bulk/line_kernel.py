"""Answers one batch line: reads its bytes, has its board judged, and writes the bytes of the answer (docs/batch.md).

These functions are in the subset of `satjudge.bulk.kernel`, with which they are printed as C. What a text means they look up in
a table that the plain path fills in; what is not there yet they note as wanted. Whatever is out of the ordinary is odd, and
left to the plain path: escapes, keys that are none of a movement phase, mistakes, several orders for a unit, rulings.
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


@called
def meaning(texts, pool, line, start, end, kind, wanted, counters):
    """Look up the number of a text of a kind; UNREADABLE, or MISSING, which is noted as wanted."""
    key = numpy.int64(kind)
    for place in range(start, end):
        key = mixed_in(key, numpy.int64(line[place]))
    slot = find(texts, key)
    if slot == NONE:
        want(wanted, counters, TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | kind)
        return MISSING
    first = texts[1, slot]
    if texts[2, slot] != end - start:
        return UNREADABLE
    for place in range(start, end):
        if pool[first + place - start] != line[place]:
            return UNREADABLE
    return texts[3, slot]


@called
def read_powers(line, length, start, texts, pool, request, rows, kind, wanted, counters):
    """Read the texts of each power into rows of a request, and return the place behind them; -1 if something is odd."""
    groups = 0
    count = 0
    place = past(line, length, start, OPEN_BRACE)
    more = place >= 0 and past(line, length, place, CLOSE_BRACE) < 0
    while more:
        name = past(line, length, place, QUOTE)
        end = text_end(line, length, name)
        if end < 0 or groups == request.shape[1]:
            return NONE
        power = meaning(texts, pool, line, name, end, OF_POWERS, wanted, counters)
        for other in range(groups):
            if power >= 0 and request[rows + GROUP_POWER, other] == power:
                return NONE
        place = past(line, length, past(line, length, end + 1, COLON), OPEN_BRACKET)
        before = count
        inside = place >= 0 and past(line, length, place, CLOSE_BRACKET) < 0
        while inside:
            text = past(line, length, place, QUOTE)
            place = text_end(line, length, text)
            if place < 0 or count == request.shape[1]:
                return NONE
            number = meaning(texts, pool, line, text, place, kind, wanted, counters)
            if number == UNREADABLE:
                return NONE
            request[rows + TEXT_NUMBER, count] = number
            request[rows + TEXT_POWER, count] = power
            count += 1
            place += 1
            inside = past(line, length, place, COMMA) >= 0
            if inside:
                place = past(line, length, place, COMMA)
        place = past(line, length, place, CLOSE_BRACKET)
        if place < 0 or power == UNREADABLE:
            return NONE
        request[rows + GROUP_NAME, groups] = name
        request[rows + GROUP_NAME_END, groups] = end
        request[rows + GROUP_POWER, groups] = power
        request[rows + GROUP_SIZE, groups] = count - before
        groups += 1
        more = past(line, length, place, COMMA) >= 0
        if more:
            place = past(line, length, place, COMMA)
    request[rows + GROUPS, 0] = groups
    request[rows + GROUPS, 1] = count
    return past(line, length, place, CLOSE_BRACE)


@compiled
def same_spelling(line, request):
    """Tell whether a power that has both units and orders is spelt alike in both."""
    for ours in range(request[UNIT_ROWS + GROUPS, 0]):
        for theirs in range(request[ORDER_ROWS + GROUPS, 0]):
            if request[UNIT_ROWS + GROUP_POWER, ours] == request[ORDER_ROWS + GROUP_POWER, theirs]:
                start, end = request[UNIT_ROWS + GROUP_NAME, ours], request[UNIT_ROWS + GROUP_NAME_END, ours]
                other = request[ORDER_ROWS + GROUP_NAME, theirs]
                if request[ORDER_ROWS + GROUP_NAME_END, theirs] - other != end - start:
                    return False
                for place in range(end - start):
                    if line[start + place] != line[other + place]:
                        return False
    return True


@called
def read_line(length, line, texts, pool, request, wanted, counters):
    """Read a line into the rows of a request, and tell whether it is an ordinary movement phase."""
    seen = 0
    request[IDENTITY, 0] = request[IDENTITY, 1] = 0
    place = past(line, length, 0, OPEN_BRACE)
    more = place >= 0
    while more:
        key = past(line, length, place, QUOTE)
        end = text_end(line, length, key)
        if end < 0:
            return False
        what = meaning(texts, pool, line, key, end, OF_KEYS, wanted, counters)
        if what < 0 or seen >> what & 1:
            return False
        seen |= 1 << what
        place = past(line, length, end + 1, COLON)
        if what == KEY_ID:
            if place < 0:
                return False
            request[IDENTITY, 0] = skipped(line, length, place)
            place = identity_end(line, length, request[IDENTITY, 0])
            request[IDENTITY, 1] = place
        elif what == KEY_UNITS:
            place = read_powers(line, length, place, texts, pool, request, UNIT_ROWS, OF_UNITS, wanted, counters)
        elif what == KEY_ORDERS:
            place = read_powers(line, length, place, texts, pool, request, ORDER_ROWS, OF_ORDERS, wanted, counters)
        else:
            text = past(line, length, place, QUOTE)
            place = text_end(line, length, text)
            if place < 0 or meaning(texts, pool, line, text, place, OF_PHASES, wanted, counters) < 0:
                return False
            place += 1
        if place < 0:
            return False
        more = past(line, length, place, COMMA) >= 0
        if more:
            place = past(line, length, place, COMMA)
    place = past(line, length, place, CLOSE_BRACE)
    if place < 0 or seen >> KEY_UNITS & 1 == 0 or seen >> KEY_ORDERS & 1 == 0:
        return False
    return skipped(line, length, place) == length


# ---- the board ----


@called
def seat(spots, entries, request, units, powers, orders):
    """Give each unit a column, and each order that of its unit; false for what is odd (`satjudge.bulk.answers`)."""
    for place in range(request.shape[1]):
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
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        order = request[ORDER_ROWS + TEXT_NUMBER, number]
        place = entries[order, OWN_PLACE]
        column = NONE
        if place != NONE:
            column = request[SEAT, place]
            if column != NONE and powers[0, column] != request[ORDER_ROWS + TEXT_POWER, number]:
                column = NONE
        if column == NONE:
            if place == NONE or DISBANDED_IN_DISORDER:  # they count though no unit of the power has them
                return False
        elif orders[0, column] != NONE:
            return False
        else:
            orders[0, column] = order
        request[ORDER_COLUMN, number] = column
    return True


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
def say_name(written, end, line, request, rows, group):
    """Write the name of a power as the line spells it, with a colon."""
    start, stop = request[rows + GROUP_NAME, group], request[rows + GROUP_NAME_END, group]
    end = copy(written, end, line, start - 1, stop + 1)
    return sign(written, end, COLON)


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


@called
def say_results(written, end, line, said, said_from, request, told):
    """Write the verdicts on the orders of each power that gave some."""
    number = 0
    some = False
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        if request[ORDER_ROWS + GROUP_SIZE, group] == 0:
            continue
        if some:
            end = sign(written, end, COMMA)
        some = True
        end = say_name(written, end, line, request, ORDER_ROWS, group)
        end = sign(written, end, OPEN_BRACKET)
        for position in range(request[ORDER_ROWS + GROUP_SIZE, group]):
            if position:
                end = sign(written, end, COMMA)
            column = request[ORDER_COLUMN, number]
            verdict = SAY_NO_UNIT
            if column != NONE:
                verdict = SAY_VERDICT + told[RESULT, 0, column] * FATES_OF_VERDICT + told[FATE, 0, column]
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
def victim(request, told, units, number):
    """Find the column of the unit that an order's unit dislodged; -1 for none."""
    attacker = request[ORDER_COLUMN, number]
    for column in range(units.shape[1]):
        if attacker != NONE and told[ATTACKER, 0, column] == attacker:
            return column
    return NONE


@compiled
def group_of(request, column):
    """Find the group of texts that the unit of a column is in."""
    first = 0
    for group in range(request[UNIT_ROWS + GROUPS, 0]):
        first += request[UNIT_ROWS + GROUP_SIZE, group]
        if column < first:
            return group
    return NONE


@called
def say_dislodged(written, end, line, said, said_from, ranked, request, units, told, dislodged, retreats, lost):
    """Write the dislodged units of each power, in the order of the orders that dislodged them."""
    some = False
    for group in range(request[UNIT_ROWS + GROUPS, 0]):
        request[GROUP_TOLD, group] = 0
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        column = victim(request, told, units, number)
        if column == NONE:
            continue
        group = group_of(request, column)
        if request[GROUP_TOLD, group] == 1:
            continue
        request[GROUP_TOLD, group] = 1
        if some:
            end = sign(written, end, COMMA)
        some = True
        end = say_name(written, end, line, request, UNIT_ROWS, group)
        end = sign(written, end, OPEN_BRACE)
        several = False
        for later in range(number, request[ORDER_ROWS + GROUPS, 1]):
            column = victim(request, told, units, later)
            if column != NONE and group_of(request, column) == group:
                if several:
                    end = sign(written, end, COMMA)
                several = True
                end = say_lost(written, end, said, said_from, ranked, units, dislodged, retreats, lost, column)
        end = sign(written, end, CLOSE_BRACE)
    return end


@called
def say_units(written, end, line, said, said_from, request, told):
    """Write where the units of each power are that still has some."""
    first = 0
    some = False
    for group in range(request[UNIT_ROWS + GROUPS, 0]):
        left = False
        for column in range(first, first + request[UNIT_ROWS + GROUP_SIZE, group]):
            if told[AFTER, 0, column] != NONE:
                if left:
                    end = sign(written, end, COMMA)
                else:
                    if some:
                        end = sign(written, end, COMMA)
                    some = True
                    end = say_name(written, end, line, request, UNIT_ROWS, group)
                    end = sign(written, end, OPEN_BRACKET)
                left = True
                end = say(written, end, said, said_from, SAY_UNIT + told[AFTER, 0, column])
        first += request[UNIT_ROWS + GROUP_SIZE, group]
        if left:
            end = sign(written, end, CLOSE_BRACKET)
    return end


@called
def answer_line(
    length, line, written, texts, pool, said, said_from, ranked, request,
    spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested, resolutions,
    dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
):  # fmt: skip
    """Answer a line, and return the number of bytes of the answer; ODD for the plain path, MISSING if something is wanted."""
    begin(status, told, contested, counters)
    if not read_line(length, line, texts, pool, request, wanted, counters):
        return ODD
    if counters[WANTS] > 0:
        return MISSING
    if not same_spelling(line, request) or not seat(spots, entries, request, units, powers, orders):
        return ODD
    judge_boards(
        spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested,
        resolutions, dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
    )  # fmt: skip
    if counters[WANTS] > 0:
        return MISSING
    if status[0] != SETTLED and status[0] != WITH_CORES:
        return ODD
    for core in range(counters[CORES]):
        if cores[core, 1] != NONE:
            return ODD
    end = say(written, 0, said, said_from, SAY_ID)
    if request[IDENTITY, 1] > 0:
        end = copy(written, end, line, request[IDENTITY, 0], request[IDENTITY, 1])
    else:
        end = say(written, end, said, said_from, SAY_NULL)
    end = say(written, end, said, said_from, SAY_RESULTS)
    end = say_results(written, end, line, said, said_from, request, told)
    end = say(written, end, said, said_from, SAY_DISLODGED)
    end = say_dislodged(
        written, end, line, said, said_from, ranked, request, units, told, dislodged, retreats, counters[LOST]
    )  # fmt: skip
    end = say(written, end, said, said_from, SAY_UNITS)
    end = say_units(written, end, line, said, said_from, request, told)
    end = say(written, end, said, said_from, SAY_RESOLUTIONS)
    end = say_number(written, end, resolutions[0])
    return say(written, end, said, said_from, SAY_END)
