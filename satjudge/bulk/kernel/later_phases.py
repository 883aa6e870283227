"""Answers batch lines of retreat and adjustment phases that `satjudge.bulk.kernel.lines` has read.

What an order means for one unit is in a table that Python fills (`satjudge.bulk.tables.later_facts`). The functions here decide
what depends on the board. `bounces` handles two retreats to one province, and `choose_order` several orders to one unit; the
judge in Python calls these two functions, too.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the functions of the other modules are defined only when this file is printed as C
# mypy: ignore-errors


# ---- both phases ----


@compiled
def place_standing_units():
    """Enter the line's units by province; return false, with the cause recorded, if two are in one province."""
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
def find_coming(order_number, unit):
    """Return the row of `comings` on what a later phase's order means for a unit; -1, with the fact requested, if none."""
    key = numpy.int64(order_number) * 512 + unit
    slot = find_slot(comings, key)
    if slot == NONE:
        note_wanted(COMINGS, key)
    return slot


# ---- retreats ----


@compiled
def can_retreat(dislodged_index):
    """Return whether all retreats that the line lists for a dislodged unit are possible, as far as the board shows."""
    unit = request[LOST_ROWS + TEXT_NUMBER, dislodged_index]
    count = 0
    for location in range(retreats.shape[1]):
        if retreats[dislodged_index, location]:
            count += 1
            if request[SEAT, spots[PLACE_OF_LOCATION, location]] != NONE:
                return False
    for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
        if retreats[dislodged_index, spots[EXIT, number]]:
            count -= 1
    return count == 0


@compiled
def place_dislodged_units():
    """Enter the line's dislodged units by province; return false, recording why, if two share one or a retreat is wrong."""
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
def find_retreat_duty(line_length, order_index):
    """Return the number of the order that a retreat order in no table means (NO_DUTY's: illegal), or MISSING (text requested).

    A retreat to a province that is not open is illegal for every unit. If it is open and the rulebook ignores such mistakes,
    the order may name a coast that does not exist, or call the unit by a wrong name.
    """
    missing_duty, no_duty = numpy.int64(MISSING), numpy.int64(duties.shape[0] - 1)
    way = request[ORDER_ROWS + TEXT_NUMBER, order_index] - duties.shape[0]
    lost = request[LOST_SEAT, way // alphabet.shape[0]]
    if lost == NONE or request[LOST_ROWS + TEXT_POWER, lost] != request[ORDER_ROWS + TEXT_POWER, order_index]:
        return no_duty
    is_open = False
    for location in range(retreats.shape[1]):
        if retreats[lost, location] and spots[PLACE_OF_LOCATION, location] == way % alphabet.shape[0]:
            is_open = True
    if not is_open:
        return no_duty
    start, end = request[ORDER_ROWS + BEGINS, order_index], request[ORDER_ROWS + ENDS, order_index]
    unit, behind = request[LOST_ROWS + TEXT_NUMBER, lost], find_name_end(start, end)
    found = numpy.int64(NONE)
    ignored = find_unit(start, behind) == unit or choices[NAMES_IGNORED] == 1
    if ignored and line_length + end - start + LONGEST_ORDER <= line.shape[0]:
        named_to = put_name(line_length, unit)
        written_to = put_text(named_to, behind, end)
        line[named_to + 1] = LETTER_R
        found = look_up_duty(line_length, written_to, OF_RETREATS)
    if found != NONE:
        return found
    note_wanted(TEXTS, numpy.int64(start) << 32 | numpy.int64(end) << 4 | OF_RETREATS)
    return missing_duty


@called
def find_retreat_duties(line_length):
    """Number the retreat orders on the line that are in no table; return false if Python must look one up."""
    for number in range(request[ORDER_ROWS + GROUPS, 1]):
        if request[ORDER_ROWS + TEXT_NUMBER, number] >= duties.shape[0]:
            duty = find_retreat_duty(line_length, number)
            if duty == MISSING:
                note_odd_text(IN_NO_TABLE, ORDER_ROWS, number)
                return False
            request[ORDER_ROWS + TEXT_NUMBER, number] = duty
    return True


@compiled
def enter_retreats():
    """Enter what each retreat order means, judged alone: a location, DISBANDED, or NO_FORM if it is illegal."""
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
def answer_retreats(line_length):
    """Answer a line, already read, about a retreat phase; return its end, ODD (for Python) or MISSING (facts to look up)."""
    if not place_standing_units() or not place_dislodged_units():
        return ODD
    if not find_retreat_duties(line_length):
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
    """Enter the owners of supply centres on the line; return false, with the cause recorded, if one is no centre or has two."""
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
def list_more_powers(first_row, power_count):
    """Append the powers of the texts in the rows from `first_row` to the list of powers, each once; return its new length."""
    for number in range(request[first_row + GROUPS, 1]):
        power = request[first_row + TEXT_POWER, number]
        if request[POWER_TOLD, power] == 0:
            request[POWER_TOLD, power] = 1
            request[ACCOUNT, power_count] = power
            power_count += 1
    return power_count


@compiled
def list_accounts():
    """List the powers to adjust: those with orders first, then others with units, then with centres; return their number."""
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
def count_surplus(power, province_count):
    """Return the number of supply centres that count for a power, less its number of units."""
    found = 0
    row = power_row(power)
    for place in range(province_count):
        if request[OWNED_BY, place] == power and of_powers[row, place] & MATTERS:
            found += 1
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if request[UNIT_ROWS + TEXT_POWER, column] == power:
            found -= 1
    return found


@compiled
def is_site(power, province):
    """Return whether a power can build in a province: its own empty home centre or, if the map allows it, own empty centre."""
    if request[OWNED_BY, province] != power or request[SEAT, province] != NONE:
        return False
    return choices[BUILDS_ANYWHERE] == 1 or of_powers[power_row(power), province] & HOME != 0


@compiled
def enter_adjustments(power, surplus, start, stop):
    """Enter which of a power's orders, `start` to `stop` - 1, are possible builds, removals or waivers, each judged alone."""
    for number in range(start, stop):
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
def count_places(kind_of, place_of, kind, start, stop):
    """Return the number of different provinces (`place_of`) of orders `start` to `stop` - 1 whose `kind_of` is `kind`."""
    found = 0
    for number in range(start, stop):
        new = kind_of[number] == kind
        for other in range(start, number):
            if kind_of[other] == kind and place_of[other] == place_of[number]:
                new = False
        if new:
            found += 1
    return found


@compiled
def is_refused(kind_of, place_of, surplus, order_index, start, stop):
    """Return whether an order is illegal since its power's orders, `start` to `stop` - 1, are too many (4.D.4 to 4.D.6)."""
    kind = kind_of[order_index]
    if kind == REMOVE:
        return choices[TOO_MANY_REMOVALS] == NONE_COUNTS and count_places(kind_of, place_of, REMOVE, start, stop) > -surplus
    if kind != BUILD:
        return False
    before = False
    behind = False
    for other in range(start, stop):
        if kind_of[other] == BUILD and place_of[other] == place_of[order_index]:
            before = before or other < order_index
            behind = behind or other > order_index
    if (before and choices[BUILDS_IN_ONE] != LAST_COUNTS) or (behind and choices[BUILDS_IN_ONE] != FIRST_COUNTS):
        return True
    has_too_many = surplus > 0 and count_places(kind_of, place_of, BUILD, start, stop) > surplus
    return choices[TOO_MANY_BUILDS] == NONE_COUNTS and has_too_many


@called
def carry_out_orders(kind_of, place_of, turn_of, surplus, start, stop):
    """Carry out a power's orders `start` to `stop` - 1, with their turns in `turn_of` (0: illegal); return the surplus left.

    Declined builds count, too. All three arrays are by order.
    """
    left = surplus
    turn = 0
    backwards = choices[TOO_MANY_BUILDS if surplus > 0 else TOO_MANY_REMOVALS] == LAST_COUNTS
    for number in range(start, stop):
        turn_of[number] = 0
    for step in range(stop - start):
        number = stop - 1 - step if backwards else start + step
        fine = kind_of[number] != NO_DUTY and not is_refused(kind_of, place_of, surplus, number, start, stop)
        if kind_of[number] == REMOVE:
            fine = fine and left < 0
        else:
            fine = fine and left > 0
        if kind_of[number] == DECLINE and choices[MAY_DECLINE] == 0:
            fine = False
        for other in range(start, stop):
            if turn_of[other] > 0 and kind_of[other] == kind_of[number] and kind_of[number] != DECLINE:
                fine = fine and place_of[other] != place_of[number]
        if fine:
            turn += 1
            turn_of[number] = turn
            left = left + 1 if kind_of[number] == REMOVE else left - 1
    return left


@compiled
def count_steps_home(power, unit, province_count):
    """Return the steps to a unit from its power's nearest home or, if the rulebook says so, owned centre; FAR if none."""
    if choices[FROM_CENTERS] == 0:
        return numpy.int64(away[power_row(power), unit])
    found = numpy.int64(FAR)
    for place in range(province_count):
        if request[OWNED_BY, place] == power:
            found = min(found, numpy.int64(away[place, unit]))
    return found


@called
def find_next_removal(power, province_count):
    """Return the column of the unit that civil disorder removes next: the farthest, fleets first, then by name (4.D.8)."""
    best = numpy.int64(NONE)
    best_rank = numpy.int64(0)
    for column in range(request[UNIT_ROWS + GROUPS, 1]):
        if request[UNIT_ROWS + TEXT_POWER, column] == power and request[GONE, column] == 0:
            unit = request[UNIT_ROWS + TEXT_NUMBER, column]
            steps = count_steps_home(power, unit, province_count)
            rank = ((FAR - steps) * 2 + 1 - away[away.shape[0] - 1, unit]) * 1024 + alphabet[spots[PLACE_OF_UNIT, unit]]
            if best == NONE or rank < best_rank:
                best = numpy.int64(column)
                best_rank = rank
    return best


@called
def adjust_power(power, start, stop, removed_count):
    """Adjust a power: mark removed units, list those removed by civil disorder; return the new `removed_count`, -1 for Python.

    Returns -1 if builds are missing though the rulebook forbids to decline them (4.D.7), so that it has no answer, or if civil
    disorder depends on which fleets are on the board.
    """
    provinces = alphabet.shape[0]
    surplus = count_surplus(power, provinces)
    enter_adjustments(power, surplus, start, stop)
    left = carry_out_orders(request[DUTY], request[DUTY_PLACE], request[DONE], surplus, start, stop)
    sites = 0
    for place in range(provinces):
        if is_site(power, place):
            sites += 1
    for number in range(start, stop):
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
        request[TOLD_UNIT, removed_count] = request[UNIT_ROWS + TEXT_NUMBER, column]
        request[TOLD_POWER, removed_count] = power
        removed_count += 1
        left += 1
    return removed_count


@called
def answer_adjustments():
    """Answer a line, already read, about an adjustment phase; return its end, ODD (for Python) or MISSING (a fact)."""
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
