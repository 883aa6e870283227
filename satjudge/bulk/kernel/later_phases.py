"""Answers batch lines of retreat and adjustment phases that `satjudge.bulk.kernel.lines` has read.

What an order comes to for one unit is in a table that the plain path fills in (`satjudge.bulk.tables.later_facts`); what
depends on the board is here. Two retreats to one place and several orders for one unit are for `bounces` and `choose_order`,
which the judge calls, too.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# what the functions of the other modules are, is there when this is printed
# mypy: ignore-errors


# ---- what both phases have ----


@compiled
def place_standing_units():
    """Put the units of the line in their places; return false, with the reason recorded, if two are in one place."""
    for place in range(request.shape[1]):
        request[SEAT, place] = request[LOST_SEAT, place] = request[OWNED_BY, place] = NONE
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        place = spots[PLACE_OF_UNIT, request[UNIT_ROWS + TEXT_NUMBER, column]]
        if request[SEAT, place] != NONE:
            note_odd_text(SHARED_PLACE, UNIT_ROWS, column)
            return False
        request[SEAT, place] = column
    return True


@compiled
def find_coming(duty, unit):
    """Return the table slot with the meaning of an order for a unit; -1, with the fact requested, if there is none."""
    key = numpy.int64(duty) * 512 + unit
    slot = find_slot(comings, key)
    if slot == NONE:
        note_wanted(COMINGS, key)
    return slot


# ---- retreats ----


@compiled
def can_retreat(lost):
    """Return whether the line's retreats of a dislodged unit are possible, as far as the board shows (`Board.problems`)."""
    unit = request[LOST_ROWS + TEXT_NUMBER, lost]
    count = 0
    for location in range(retreats.shape[1]):
        if retreats[lost, location]:
            count += 1
            if request[SEAT, spots[PLACE_OF_LOCATION, location]] != NONE:
                return False
    for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
        if retreats[lost, spots[EXIT, number]]:
            count -= 1
    return count == 0


@compiled
def place_dislodged_units():
    """Put the dislodged units of the line in their places; return false, with the reason recorded, if that is impossible."""
    for lost in range(request[LOST_ROWS + GROUPS, 1]):
        place = spots[PLACE_OF_UNIT, request[LOST_ROWS + TEXT_NUMBER, lost]]
        if request[LOST_SEAT, place] != NONE or not can_retreat(lost):
            note_odd_text(SHARED_PLACE if request[LOST_SEAT, place] != NONE else NO_WAY, LOST_ROWS, lost)
            return False
        request[LOST_SEAT, place] = lost
        request[COUNTING, lost] = request[GOING, lost] = request[ARRIVED, lost] = NONE
        request[YIELDING, lost] = 0
    return True


@called
def find_retreat_duty(length, number):
    """Return the number of a retreat order that is in no table; MISSING if Python must look it up.

    A retreat to a province that is not open is nobody's duty. One that is open may be named with a coast that does not exist,
    and the unit with another name than its own, if the rulebook ignores that.
    """
    missing_duty, no_duty = numpy.int64(MISSING), numpy.int64(duties.shape[0] - 1)
    way = request[ORDER_ROWS + TEXT_NUMBER, number] - duties.shape[0]
    lost = request[LOST_SEAT, way // alphabet.shape[0]]
    if lost == NONE or request[LOST_ROWS + TEXT_POWER, lost] != request[ORDER_ROWS + TEXT_POWER, number]:
        return no_duty
    is_open = False
    for location in range(retreats.shape[1]):
        if retreats[lost, location] and spots[PLACE_OF_LOCATION, location] == way % alphabet.shape[0]:
            is_open = True
    if not is_open:
        return no_duty
    start, end = request[ORDER_ROWS + BEGINS, number], request[ORDER_ROWS + ENDS, number]
    unit, behind = request[LOST_ROWS + TEXT_NUMBER, lost], find_name_end(start, end)
    found = numpy.int64(NONE)
    ignored = find_unit(start, behind) == unit or choices[NAMES_IGNORED] == 1
    if ignored and length + end - start + LONGEST_ORDER <= line.shape[0]:
        named_to = put_name(length, unit)
        written_to = put_text(named_to, behind, end)
        line[named_to + 1] = LETTER_R
        found = look_up_duty(length, written_to, OF_RETREATS)
    if found != NONE:
        return found
    note_wanted(TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | OF_RETREATS)
    return missing_duty


@called
def find_retreat_duties(length):
    """Replace the numbers of retreat orders that are in no table; return false if Python must look one up."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        if request[ORDER_ROWS + TEXT_NUMBER, number] >= duties.shape[0]:
            duty = find_retreat_duty(length, number)
            if duty == MISSING:
                note_odd_text(IN_NO_TABLE, ORDER_ROWS, number)
                return False
            request[ORDER_ROWS + TEXT_NUMBER, number] = duty
    return True


@compiled
def enter_retreats():
    """Enter the meaning of each retreat order, judged alone: a location, DISBANDED or nothing."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        duty = request[ORDER_ROWS + TEXT_NUMBER, number]
        request[ORDER_COLUMN, number] = NONE
        request[FORM, number] = NO_FORM
        if duties[duty, DUTY_KIND] != RETREATS:
            continue
        lost = request[LOST_SEAT, duties[duty, DUTY_AT]]
        if lost == NONE or request[LOST_ROWS + TEXT_POWER, lost] != request[ORDER_ROWS + TEXT_POWER, number]:
            continue
        request[ORDER_COLUMN, number] = lost
        slot = find_coming(duty, request[LOST_ROWS + TEXT_NUMBER, lost])
        if slot == NONE:
            note_odd_text(IN_NO_TABLE, ORDER_ROWS, number)
        else:
            form = comings[slot, 1]
            if form == DISBANDED or (form >= 0 and retreats[lost, form]):
                request[FORM, number] = form


@compiled
def choose_retreats():
    """Choose the order that counts for each dislodged unit, and enter its destination."""
    for lost in range(request[LOST_ROWS + GROUPS, 1]):
        counting = choose_order(
            request[ORDER_COLUMN], request[FORM], lost, request[ORDER_ROWS + GROUPS, 1], choices[SEVERAL_ORDERS]
        )
        request[COUNTING, lost] = counting
        if counting != NONE and request[FORM, counting] != DISBANDED:
            duty, unit = request[ORDER_ROWS + TEXT_NUMBER, counting], request[LOST_ROWS + TEXT_NUMBER, lost]
            slot = find_coming(duty, unit)
            request[GOING, lost] = spots[PLACE_OF_LOCATION, request[FORM, counting]]
            request[ARRIVED, lost] = comings[slot, 2]
            request[YIELDING, lost] = comings[slot, 3]


@called
def answer_retreats(length):
    """Answer the line about a retreat phase after it was read; return the answer's end, ODD or MISSING."""
    if not place_standing_units() or not place_dislodged_units():
        return ODD
    if not find_retreat_duties(length):
        return note_missing()
    enter_retreats()
    if counters[WANTS] > 0:
        return note_missing()
    choose_retreats()
    count = request[UNIT_ROWS + GROUPS, 1]
    for column in range(count):
        request[TOLD_UNIT, column] = request[UNIT_ROWS + TEXT_NUMBER, column]
        request[TOLD_POWER, column] = request[UNIT_ROWS + TEXT_POWER, column]
    for lost in range(request[LOST_ROWS + GROUPS, 1]):
        if request[GOING, lost] != NONE and not bounces(
            request[GOING], request[YIELDING], lost, request[LOST_ROWS + GROUPS, 1]
        ):
            if count == request.shape[1]:
                return note_odd_line(TOO_MANY)
            request[TOLD_UNIT, count] = request[ARRIVED, lost]
            request[TOLD_POWER, count] = request[LOST_ROWS + TEXT_POWER, lost]
            count += 1
        elif request[GOING, lost] != NONE:
            request[ARRIVED, lost] = NONE
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        lost = request[ORDER_COLUMN, number]
        request[DONE, number] = SAY_ILLEGAL
        if lost != NONE and is_counting(number):
            stays = request[GOING, lost] != NONE and request[ARRIVED, lost] == NONE
            request[DONE, number] = SAY_FAILS if stays else SAY_SUCCEEDS
    end = write_head()
    end = write_results(end, OF_RETREAT)
    end = write_text(end, SAY_UNITS)
    end = write_units_left(end, 0, count)
    return write_text(end, SAY_CLOSED)


# ---- adjustments: builds, removals and civil disorder (`satjudge.judging.adjustments`) ----


@compiled
def enter_owners():
    """Enter the owners of supply centres; return false, with the reason recorded, if they are impossible."""
    for number in range(request[CENTER_ROWS + GROUPS, 1]):
        place = spots[PLACE_OF_LOCATION, request[CENTER_ROWS + TEXT_NUMBER, number]]
        power = request[CENTER_ROWS + TEXT_POWER, number]
        if of_powers[0, place] & IS_CENTER == 0:
            note_odd_text(NO_CENTER, CENTER_ROWS, number)
            return False
        if request[OWNED_BY, place] != NONE and request[OWNED_BY, place] != power:
            note_odd_text(TWO_OWNERS, CENTER_ROWS, number)
            return False
        request[OWNED_BY, place] = power
    return True


@compiled
def list_more_powers(rows, count):
    """Add the powers of the texts in some rows to the list of powers, each once, and return its new length."""
    for number in range(request[rows + GROUPS, 1]):
        power = request[rows + TEXT_POWER, number]
        if request[POWER_TOLD, power] == 0:
            request[POWER_TOLD, power] = 1
            request[ACCOUNT, count] = power
            count += 1
    return count


@compiled
def list_accounts():
    """List the powers whose centres and units are counted (with orders, then units, then centres); return their number."""
    clear_told_powers()
    count = 0
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        power = request[ORDER_ROWS + GROUP_POWER, group]
        request[POWER_TOLD, power] = 1
        request[ACCOUNT, count] = power
        count += 1
    count = list_more_powers(UNIT_ROWS, count)
    return list_more_powers(CENTER_ROWS, count)


@compiled
def power_row(power):
    """Return a power's row in the tables by power; the last row is for powers that the map does not know."""
    return power if power < of_powers.shape[0] - 1 else of_powers.shape[0] - 1


@compiled
def count_surplus(power, provinces):
    """Return how many more supply centres than units a power has."""
    found = 0
    row = power_row(power)
    for place in range(provinces):
        if request[OWNED_BY, place] == power and of_powers[row, place] & MATTERS:
            found += 1
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if request[UNIT_ROWS + TEXT_POWER, column] == power:
            found -= 1
    return found


@compiled
def is_site(power, place):
    """Return whether a power can build in a place: its empty home centre, or any of its empty centres if the map allows it."""
    if request[OWNED_BY, place] != power or request[SEAT, place] != NONE:
        return False
    return choices[BUILDS_ANYWHERE] == 1 or of_powers[power_row(power), place] & HOME != 0


@compiled
def enter_adjustments(power, surplus, first, last):
    """Enter which orders of a power (`first` to `last` - 1) are possible builds and removals, each judged alone."""
    for number in range(first, last):
        duty = request[ORDER_ROWS + TEXT_NUMBER, number]
        kind, place = duties[duty, DUTY_KIND], duties[duty, DUTY_AT]
        request[DUTY, number] = NO_DUTY
        request[DUTY_PLACE, number] = place
        if kind == DECLINE:
            request[DUTY, number] = DECLINE
        elif kind == BUILD:
            if duties[duty, DUTY_BUILDS] != NONE and is_site(power, place):
                request[DUTY, number] = BUILD
        elif kind == REMOVE and request[SEAT, place] != NONE:
            column = request[SEAT, place]
            if request[UNIT_ROWS + TEXT_POWER, column] == power:
                slot = find_coming(duty, request[UNIT_ROWS + TEXT_NUMBER, column])
                if slot == NONE:
                    note_odd_text(IN_NO_TABLE, ORDER_ROWS, number)
                elif comings[slot, 1] == 1 and surplus < 0:
                    request[DUTY, number] = REMOVE


@compiled
def count_places(kinds, places, kind, first, last):
    """Return the number of different places in a power's orders of one kind."""
    found = 0
    for number in range(first, last):
        new = kinds[number] == kind
        for other in range(first, number):
            if kinds[other] == kind and places[other] == places[number]:
                new = False
        if new:
            found += 1
    return found


@compiled
def is_refused(kinds, places, surplus, number, first, last):
    """Return whether an order is illegal because its power gave too many and the rulebook then refuses all (4.D.4 to 4.D.6)."""
    kind = kinds[number]
    if kind == REMOVE:
        return choices[TOO_MANY_REMOVALS] == NONE_COUNTS and count_places(kinds, places, REMOVE, first, last) > -surplus
    if kind != BUILD:
        return False
    before = False
    behind = False
    for other in range(first, last):
        if kinds[other] == BUILD and places[other] == places[number]:
            before = before or other < number
            behind = behind or other > number
    if (before and choices[BUILDS_IN_ONE] != LAST_COUNTS) or (behind and choices[BUILDS_IN_ONE] != FIRST_COUNTS):
        return True
    return choices[TOO_MANY_BUILDS] == NONE_COUNTS and count_places(kinds, places, BUILD, first, last) > surplus and surplus > 0


@called
def carry_out_orders(kinds, places, turns, surplus, first, last):
    """Carry out the orders of a power, and enter in `turns` the turn of each, from 1; 0 if it is illegal.

    Returns the number of builds that are left after built and declined ones.
    """
    left = surplus
    turn = 0
    backwards = choices[TOO_MANY_BUILDS if surplus > 0 else TOO_MANY_REMOVALS] == LAST_COUNTS
    for number in range(first, last):
        turns[number] = 0
    for step in range(last - first):
        number = last - 1 - step if backwards else first + step
        fine = kinds[number] != NO_DUTY and not is_refused(kinds, places, surplus, number, first, last)
        if kinds[number] == REMOVE:
            fine = fine and left < 0
        else:
            fine = fine and left > 0
        if kinds[number] == DECLINE and choices[MAY_DECLINE] == 0:
            fine = False
        for other in range(first, last):
            if turns[other] > 0 and kinds[other] == kinds[number] and kinds[number] != DECLINE:
                fine = fine and places[other] != places[number]
        if fine:
            turn += 1
            turns[number] = turn
            left = left + 1 if kinds[number] == REMOVE else left - 1
    return left


@compiled
def count_steps_home(power, unit, provinces):
    """Return the number of steps to a unit from the nearest home of its power, or from its nearest centre."""
    if choices[FROM_CENTERS] == 0:
        return numpy.int64(away[power_row(power), unit])
    found = numpy.int64(FAR)
    for place in range(provinces):
        if request[OWNED_BY, place] == power:
            found = min(found, numpy.int64(away[place, unit]))
    return found


@called
def find_next_removal(power, provinces):
    """Return the column of the unit that civil disorder removes next: the farthest, fleets first, then by name (4.D.8)."""
    best = numpy.int64(NONE)
    best_rank = numpy.int64(0)
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if request[UNIT_ROWS + TEXT_POWER, column] == power and request[GONE, column] == 0:
            unit = request[UNIT_ROWS + TEXT_NUMBER, column]
            steps = count_steps_home(power, unit, provinces)
            rank = ((FAR - steps) * 2 + 1 - away[away.shape[0] - 1, unit]) * 1024 + alphabet[spots[PLACE_OF_UNIT, unit]]
            if best == NONE or rank < best_rank:
                best = numpy.int64(column)
                best_rank = rank
    return best


@called
def adjust_power(power, first, last, count):
    """Adjust one power: mark removed units, list those of civil disorder from the row `count`, and return the next row.

    Returns -1 if the rulebook has no answer, as builds may not be declined and some are left out (4.D.7), or if civil disorder
    depends on which fleets there are.
    """
    provinces = alphabet.shape[0]
    surplus = count_surplus(power, provinces)
    enter_adjustments(power, surplus, first, last)
    left = carry_out_orders(request[DUTY], request[DUTY_PLACE], request[DONE], surplus, first, last)
    sites = 0
    for place in range(provinces):
        if is_site(power, place):
            sites += 1
    for number in range(first, last):
        if request[DONE, number] > 0 and request[DUTY, number] == BUILD:
            sites -= 1
        if request[DONE, number] > 0 and request[DUTY, number] == REMOVE:
            request[GONE, request[SEAT, request[DUTY_PLACE, number]]] = 1
    if choices[MAY_DECLINE] == 0 and left > 0 and sites > 0:
        return note_odd_line(MUST_BUILD)
    if left < 0 and away.shape[0] == 0:
        return note_odd_line(WITHOUT_STEPS)
    while left < 0:
        column = find_next_removal(power, provinces)
        request[GONE, column] = 1
        request[TOLD_UNIT, count] = request[UNIT_ROWS + TEXT_NUMBER, column]
        request[TOLD_POWER, count] = power
        count += 1
        left += 1
    return count


@called
def answer_adjustments():
    """Answer the line about an adjustment phase after it was read; return the answer's end, ODD or MISSING."""
    if not place_standing_units() or not enter_owners():
        return ODD
    standing, given = request[UNIT_ROWS + GROUPS, 1], request[ORDER_ROWS + GROUPS, 1]
    if 2 * standing + given > request.shape[1]:
        return note_odd_line(TOO_MANY)
    for column in range(standing):
        request[GONE, column] = 0
    count = 0
    first = 0
    for account in range(list_accounts()):
        power = request[ACCOUNT, account]
        last = first
        if account < request[ORDER_ROWS + GROUPS, 0]:
            last = first + request[ORDER_ROWS + GROUP_SIZE, account]
        count = adjust_power(power, first, last, count)
        if counters[WANTS] > 0:
            return note_missing()
        if count == NONE:
            return ODD
        first = last
    automatic = count
    for column in range(standing):
        if request[GONE, column] == 0:
            request[TOLD_UNIT, count] = request[UNIT_ROWS + TEXT_NUMBER, column]
            request[TOLD_POWER, count] = request[UNIT_ROWS + TEXT_POWER, column]
            count += 1
    first = 0
    for group in range(request[ORDER_ROWS + GROUPS, 0]):
        last = first + request[ORDER_ROWS + GROUP_SIZE, group]
        for turn in range(1, last - first + 1):
            for number in range(first, last):
                if request[DONE, number] == turn and request[DUTY, number] == BUILD:
                    request[TOLD_UNIT, count] = duties[request[ORDER_ROWS + TEXT_NUMBER, number], DUTY_BUILDS]
                    request[TOLD_POWER, count] = request[ORDER_ROWS + GROUP_POWER, group]
                    count += 1
        first = last
    for number in range(given):
        request[DONE, number] = SAY_SUCCEEDS if request[DONE, number] > 0 else SAY_ILLEGAL
    end = write_head()
    end = write_results(end, OF_ADJUSTMENT)
    end = write_text(end, SAY_UNITS)
    end = write_units_left(end, automatic, count)
    end = write_text(end, SAY_AUTOMATIC)
    end = write_by_power(end, 0, automatic, SAY_UNIT)
    return write_text(end, SAY_CLOSED)
