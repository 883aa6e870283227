"""Plays many games phase by phase: lists legal orders, draws some of them at random, and makes the next position.

`judge_boards` judges movement. The functions that answer lines of the other phases (`satjudge.bulk.kernel.later_phases`) judge
retreats and adjustments; they read a game from the rows of a request. Phases follow each other as in `satjudge.world.seasons`
and `Game.next`.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the functions of the other modules are defined only when this file is printed as C
# mypy: ignore-errors


# ---- legal orders ----


@compiled
def find_reached_waters(province, fleet_bits):
    """Return, as bits, the waters with fleets over which an army in a province could be convoyed."""
    reached = spots[SHORES, province] & fleet_bits
    ahead = reached
    while ahead:
        ahead = waters_around(ahead) & fleet_bits & ~reached
        reached |= ahead
    return reached


@compiled
def open_slot(game, column_or_text, power, province):
    """Begin a slot, the list of orders of a unit or site, under its column of orders or, for lines, the number of its text."""
    slot = counters[SLOTS]
    slot_list[slot, SLOT_GAME] = game
    slot_list[slot, SLOT_COLUMN] = column_or_text
    slot_list[slot, SLOT_POWER] = power
    slot_list[slot, SLOT_PLACE] = province
    slot_list[slot, SLOT_FIRST] = counters[LISTED]
    counters[SLOTS] += 1


@compiled
def add_order(order):
    """Add an order to the slot that was opened last."""
    listing[counters[LISTED]] = order
    counters[LISTED] += 1


@called
def enter_units(game, province_count):
    """Enter a game's units and waters that can carry each; return as bits all waters with fleets, -1 for a shared province."""
    clear_places(province_count)
    fleets = numpy.int64(0)
    for column in range(units.shape[1]):
        unit = units[game, column]
        if unit >= 0:
            place = spots[PLACE_OF_UNIT, unit]
            if at[OWNER, place] != NONE:
                return numpy.int64(NONE)
            at[OWNER, place] = powers[game, column]
            at[STATE, place] = unit
            fleets |= spots[FLEET_BIT, unit]
    for column in range(units.shape[1]):
        if units[game, column] >= 0:
            place = spots[PLACE_OF_UNIT, units[game, column]]
            reaches[place] = find_reached_waters(place, fleets)
    return fleets


@called
def list_candidates(province, army_province, fleet_bits, start, stop):
    """List a unit's legal orders of `helping[start:stop]`, army in `army_province`; return 0, LEAVE (Python) or WANTED (facts).

    Orders that move an army only by sea, or with `VIA`, are examined only if fleets could convoy it, even where they are legal
    without fleets (`satjudge.judging.legal_orders`). Returns 0, or else the LEAVE or WANTED of an order.
    """
    trouble = numpy.int64(0)
    for number in range(start, stop):
        target = helping[BY_SEA_TO, number]
        if target != NONE and reaches[army_province] & spots[SHORES, target] == 0:
            continue
        order = helping[CANDIDATE, number]
        found = find_full_order(province, fleet_bits, order)
        if found == order:
            listing[counters[LISTED]] = order
            counters[LISTED] += 1
        elif found == LEAVE or found == WANTED:
            trouble = min(trouble, found)
    return trouble


@called
def sort_listed(start):
    """Sort the listed orders from the index `start` to the end, so that supports to hold precede supports of moves."""
    holds = start
    moves = counters[LISTED]
    for number in range(start, counters[LISTED]):
        order = listing[number]
        if entries[order, ORDER_SUPPORTS_HOLD] == 1:
            listing[holds] = order
            holds += 1
        else:
            listing[moves] = order
            moves += 1
    for number in range(counters[LISTED] - holds):
        listing[holds + number] = listing[counters[LISTED] + number]


@called
def list_movement(game, province_count):
    """List a game's legal movement orders; return SETTLED, PENDING (facts missing), LEFT (to Python) or MISTAKEN (bad board).

    Each unit's orders are sorted by the column of the unit that they help, with supports to hold first and convoys last.
    Returns SETTLED, PENDING if facts are missing, LEFT if Python must list them, or MISTAKEN for two units in a province.
    """
    fleets = enter_units(game, province_count)
    if fleets == NONE:
        return numpy.int64(MISTAKEN)
    trouble = numpy.int64(0)
    for column in range(units.shape[1]):
        unit = units[game, column]
        if unit < 0:
            continue
        place = spots[PLACE_OF_UNIT, unit]
        open_slot(game, column, powers[game, column], place)
        found = list_candidates(place, place, fleets, first_help[unit, 0], first_help[unit, HELPS])
        trouble = min(trouble, found)
        helping_from = counters[LISTED]
        for other in range(units.shape[1]):
            helped = units[game, other]
            if helped >= 0:
                first = first_help[unit, (helped + 1) * HELPS]
                behind = first_help[unit, (helped + 1) * HELPS + CONVOYS]
                if first < behind:
                    found = list_candidates(place, spots[PLACE_OF_UNIT, helped], fleets, first, behind)
                    trouble = min(trouble, found)
        sort_listed(helping_from)
        fleet = spots[FLEET_BIT, unit]
        for other in range(units.shape[1] if fleet else 0):
            helped = units[game, other]
            if helped >= 0 and reaches[spots[PLACE_OF_UNIT, helped]] & fleet:
                first, behind = first_help[unit, (helped + 1) * HELPS + CONVOYS], first_help[unit, (helped + 2) * HELPS]
                found = list_candidates(place, spots[PLACE_OF_UNIT, helped], fleets, first, behind)
                trouble = min(trouble, found)
    if trouble == WANTED:
        return numpy.int64(PENDING)
    return numpy.int64(LEFT if trouble == LEAVE else SETTLED)


@called
def list_retreats(game):
    """List the legal orders of each dislodged unit in a game: to disband, or to retreat to an open location."""
    for column in range(lost_units.shape[1]):
        unit = lost_units[game, column]
        if unit < 0:
            continue
        open_slot(game, column, lost_powers[game, column], spots[PLACE_OF_UNIT, unit])
        add_order(later_orders[DISBAND_UNIT, unit])
        first = spots[FIRST_EXIT, unit]
        for number in range(first, spots[FIRST_EXIT, unit + 1]):
            if ways_out[game, column] >> (number - first) & 1:
                add_order(later_orders[RETREAT_TO, number])


@compiled
def list_builds(province):
    """Add the orders to build a unit in a province to the slot that was opened last."""
    for number in range(later_orders[FIRST_BUILD, province], later_orders[FIRST_BUILD, province + 1]):
        add_order(later_orders[BUILD_UNIT, number])


@called
def list_adjustments(game):
    """List a game's possible builds, by power and province, and the removals of powers that must remove units."""
    enter_position(game)
    provinces = owners.shape[1]
    column = 0
    for power in range(of_powers.shape[0] - 1):
        if due[game, power] > 0:
            for place in range(provinces):
                if is_site(power, place):
                    open_slot(game, column, power, place)
                    column += 1
                    list_builds(place)
        elif due[game, power] < 0:
            for place in range(provinces):
                if request[SEAT, place] != NONE and request[UNIT_ROWS + TEXT_POWER, request[SEAT, place]] == power:
                    open_slot(game, column, power, place)
                    column += 1
                    unit = request[UNIT_ROWS + TEXT_NUMBER, request[SEAT, place]]
                    add_order(later_orders[REMOVE_UNIT, unit])


@called
def list_games():
    """List the legal orders of each pending game, as far as there is room, and set its status.

    When `listing` has no room for another game, the remaining games stay pending, and no facts are requested for them.
    """
    for game in range(units.shape[0]):
        if status[game] != PENDING:
            continue
        if moments[game, ENDED] != GOES_ON:
            status[game] = SETTLED
            continue
        slots_before, listed_before = counters[SLOTS], counters[LISTED]
        if listing.shape[0] - listed_before < MOST_LISTED or slot_list.shape[0] - slots_before < 2 * units.shape[1]:
            return
        state = numpy.int64(SETTLED)
        if moments[game, PHASE] == OF_MOVEMENT:
            state = list_movement(game, owners.shape[1])
        elif moments[game, PHASE] == OF_RETREAT:
            list_retreats(game)
        else:
            list_adjustments(game)
        if state != SETTLED:
            counters[SLOTS] = slots_before
            counters[LISTED] = listed_before
        status[game] = state


# ---- random orders ----


@called
def draw_move(game, column, fleet_bits, seed):
    """Draw a unit's orders until one is legal; return it, LEAVE (for Python) or WANTED (facts), the new seed, and the failures.

    In place of the order, it returns LEAVE if only Python can find a legal order, or WANTED if facts are missing.
    """
    unit = units[game, column]
    place = spots[PLACE_OF_UNIT, unit]
    count = first_help[unit, HELPS] - first_help[unit, 0]
    for other in range(units.shape[1]):
        if units[game, other] >= 0:
            count += first_help[unit, (units[game, other] + 2) * HELPS] - first_help[unit, (units[game, other] + 1) * HELPS]
    for tried in range(MOST_TRIES):
        seed = mix_bits(seed)
        number = (seed >> 32 & 0x7FFFFFFF) * count >> 31
        army = numpy.int64(place)
        here = first_help[unit, HELPS] - first_help[unit, 0]
        first = first_help[unit, 0]
        other = 0
        while number >= here:
            number -= here
            helped = units[game, other]
            here = numpy.int64(0)
            if helped >= 0:
                army = numpy.int64(spots[PLACE_OF_UNIT, helped])
                first = first_help[unit, (helped + 1) * HELPS]
                here = first_help[unit, (helped + 2) * HELPS] - first
            other += 1
        order = helping[CANDIDATE, first + number]
        target = helping[BY_SEA_TO, first + number]
        if target != NONE and reaches[army] & spots[SHORES, target] == 0:
            continue
        found = find_full_order(place, fleet_bits, order)
        if found == order or found == LEAVE or found == WANTED:
            return numpy.int64(found), numpy.int64(seed), numpy.int64(tried)
    return numpy.int64(LEAVE), numpy.int64(seed), numpy.int64(MOST_TRIES)


@called
def draw_moves():
    """Draw a legal order for each unit of every pending game, all equally likely, into `asked`; set the games' status."""
    for game in range(units.shape[0]):
        if status[game] != PENDING:
            continue
        fleets = enter_units(game, owners.shape[1])
        if fleets == NONE:
            status[game] = MISTAKEN
            continue
        state = SETTLED
        seed = seeds[game]
        for column in range(units.shape[1]):
            if units[game, column] >= 0:
                order, seed, tried = draw_move(game, column, fleets, seed)
                if order == WANTED:
                    state = PENDING
                elif order == LEAVE and state == SETTLED:
                    state = LEFT
                asked[game, column] = order
        status[game] = state
        if state == SETTLED:
            seeds[game] = seed


@called
def draw_listed():
    """Draw random orders for every game from its lists of legal orders, and enter them in `asked`.

    A unit's legal orders are equally likely. In an adjustment phase, all sets of sites or units that have the required size are
    equally likely, and so are the units to build on each site. No build is declined.
    """
    slot = 0
    while slot < counters[SLOTS]:
        game, power = slot_list[slot, SLOT_GAME], slot_list[slot, SLOT_POWER]
        last = slot
        while last < counters[SLOTS] and slot_list[last, SLOT_GAME] == game and slot_list[last, SLOT_POWER] == power:
            last += 1
        left = last - slot
        if moments[game, PHASE] == OF_ADJUSTMENT:
            left = due[game, power] if due[game, power] > 0 else -due[game, power]
        while slot < last:
            seeds[game] = mix_bits(seeds[game])
            first = slot_list[slot, SLOT_FIRST]
            count = (slot_list[slot + 1, SLOT_FIRST] if slot + 1 < counters[SLOTS] else counters[LISTED]) - first
            if (seeds[game] & 0x7FFFFFFF) * (last - slot) >> 31 < left:
                asked[game, slot_list[slot, SLOT_COLUMN]] = listing[first + ((seeds[game] >> 32 & 0x7FFFFFFF) * count >> 31)]
                left -= 1
            slot += 1


# ---- the next position ----


@called
def enter_position(game):
    """Enter a game's position into the rows of a request; the row COUNTING gets each unit's column in the game."""
    count = 0
    for place in range(owners.shape[1]):
        request[SEAT, place] = request[LOST_SEAT, place] = NONE
        request[OWNED_BY, place] = owners[game, place]
    for column in range(units.shape[1]):
        if units[game, column] >= 0:
            request[UNIT_ROWS + TEXT_NUMBER, count] = units[game, column]
            request[UNIT_ROWS + TEXT_POWER, count] = powers[game, column]
            request[SEAT, spots[PLACE_OF_UNIT, units[game, column]]] = count
            request[COUNTING, count] = column
            request[GONE, count] = 0
            count += 1
    request[UNIT_ROWS + GROUPS, 1] = count


@compiled
def free_column(game):
    """Return the first column of a game without a unit; -1 if all have one."""
    for column in range(units.shape[1]):
        if units[game, column] == NONE:
            return column
    return NONE


@called
def carry_out_retreats(game):
    """Carry out the retreats of a game; return false if no column is free for a retreating unit."""
    for place in range(request.shape[1]):
        request[LOST_SEAT, place] = NONE
    count = 0
    for column in range(lost_units.shape[1]):
        unit = lost_units[game, column]
        if unit < 0:
            continue
        request[LOST_ROWS + TEXT_NUMBER, count] = unit
        request[LOST_ROWS + TEXT_POWER, count] = lost_powers[game, column]
        request[LOST_SEAT, spots[PLACE_OF_UNIT, unit]] = count
        request[COUNTING, count] = request[GOING, count] = request[ARRIVED, count] = NONE
        request[YIELDING, count] = 0
        for location in range(retreats.shape[1]):
            retreats[count, location] = False
        first = spots[FIRST_EXIT, unit]
        for number in range(first, spots[FIRST_EXIT, unit + 1]):
            if ways_out[game, column] >> (number - first) & 1:
                retreats[count, spots[EXIT, number]] = True
        count += 1
    request[LOST_ROWS + GROUPS, 1] = count
    given = 0
    for slot in range(asked.shape[1]):
        duty = asked[game, slot] - aims[FIRST_DUTY]
        if duty < 0 or duty >= duties.shape[0]:
            continue
        column = request[LOST_SEAT, duties[duty, DUTY_AT]] if duties[duty, DUTY_KIND] == RETREATS else numpy.int64(NONE)
        if column != NONE:
            request[ORDER_ROWS + TEXT_NUMBER, given] = duty
            request[ORDER_ROWS + TEXT_POWER, given] = request[LOST_ROWS + TEXT_POWER, column]
            given += 1
    request[ORDER_ROWS + GROUPS, 1] = given
    enter_retreats()
    choose_retreats()
    for number in range(count):
        if request[GOING, number] != NONE and not bounces(request[GOING], request[YIELDING], number, count):
            column = free_column(game)
            if column == NONE:
                return False
            units[game, column] = request[ARRIVED, number]
            powers[game, column] = request[LOST_ROWS + TEXT_POWER, number]
    return True


@called
def enter_duties(game, power, order_count):
    """Append a power's builds and removals to the `order_count` orders in the rows of a request; return the new count."""
    for slot in range(asked.shape[1]):
        duty = asked[game, slot] - aims[FIRST_DUTY]
        if duty < 0 or duty >= duties.shape[0]:
            continue
        kind, place = duties[duty, DUTY_KIND], duties[duty, DUTY_AT]
        giver = numpy.int64(NONE)
        if kind == BUILD:
            giver = numpy.int64(request[OWNED_BY, place])
        elif kind == REMOVE and request[SEAT, place] != NONE:
            giver = numpy.int64(request[UNIT_ROWS + TEXT_POWER, request[SEAT, place]])
        if giver == power:
            request[ORDER_ROWS + TEXT_NUMBER, order_count] = duty
            request[ORDER_ROWS + TEXT_POWER, order_count] = power
            order_count += 1
    return order_count


@called
def adjust_game(game):
    """Carry out a game's builds and removals; return SETTLED, LEFT (to Python), or MISTAKEN if no column is free."""
    enter_position(game)
    first = 0
    count = 0
    for power in range(of_powers.shape[0] - 1):
        last = enter_duties(game, power, first)
        count = adjust_power(power, first, last, count)
        if count == NONE:
            return LEFT
        first = last
    for number in range(request[UNIT_ROWS + GROUPS, 1]):
        if request[GONE, number] == 1:
            units[game, request[COUNTING, number]] = NONE
            powers[game, request[COUNTING, number]] = NONE
    for number in range(first):
        if request[DONE, number] > 0 and request[DUTY, number] == BUILD:
            column = free_column(game)
            if column == NONE:
                return MISTAKEN
            units[game, column] = duties[request[ORDER_ROWS + TEXT_NUMBER, number], DUTY_BUILDS]
            powers[game, column] = request[ORDER_ROWS + TEXT_POWER, number]
    return SETTLED


@called
def count_due(game):
    """Enter the number of builds due to each power (negative: removals) in `due`, and return whether any are due."""
    enter_position(game)
    some = False
    for power in range(of_powers.shape[0] - 1):
        most = count_surplus(power, owners.shape[1])
        if most > 0:
            sites = 0
            for place in range(owners.shape[1]):
                if is_site(power, place):
                    sites += 1
            most = min(most, sites)
        due[game, power] = most
        some = some or most != 0
    return some


@called
def winner_of(game):
    """Return the power that has won a game; -1 if none has (as `satjudge.world.seasons.winner_of` does)."""
    most = 0
    leader = numpy.int64(NONE)
    alone = 0
    special = 0
    for power in range(of_powers.shape[0] - 1):
        count = 0
        for place in range(owners.shape[1]):
            if owners[game, place] == power and of_powers[power, place] & MATTERS:
                count += 1
        least = aims[LEASTS + power]
        if least >= 0 and count >= least:
            if special == 0:
                leader = numpy.int64(power)
            special += 1
        if special == 0:
            if count > most:
                leader = numpy.int64(power)
                alone = 1
                most = count
            elif count == most and count > 0:
                alone += 1
    if special > 1 or (special == 0 and (alone != 1 or most < aims[NEEDED])):
        return NONE
    for place in range(owners.shape[1]):
        if of_powers[0, place] & NEEDED_TO_WIN and owners[game, place] != leader:
            return NONE
    return leader


@called
def end_turn(game):
    """End a phase that no retreats follow: after Fall, update owners and record a victory; enter the next phase with orders."""
    for power in range(due.shape[1]):
        due[game, power] = 0
    if moments[game, FALL] == 1 and moments[game, PHASE] != OF_ADJUSTMENT:
        for column in range(units.shape[1]):
            if units[game, column] >= 0:
                place = spots[PLACE_OF_UNIT, units[game, column]]
                if of_powers[0, place] & IS_CENTER:
                    owners[game, place] = powers[game, column]
        winner = winner_of(game)
        if winner != NONE:
            moments[game, ENDED] = IN_VICTORY
            moments[game, WINNER] = winner
        if count_due(game):
            moments[game, PHASE] = OF_ADJUSTMENT
            return
    moments[game, PHASE] = OF_MOVEMENT
    moments[game, YEAR] += moments[game, FALL]
    moments[game, FALL] = 1 - moments[game, FALL]


@compiled
def note_lost(dislodged_row):
    """Enter a dislodged unit with its possible retreats into its game's arrays, unless it has none and is destroyed."""
    game, column = dislodged[dislodged_row, 0], dislodged[dislodged_row, 1]
    unit = units[game, column]
    first = spots[FIRST_EXIT, unit]
    found = numpy.int64(0)
    for number in range(first, spots[FIRST_EXIT, unit + 1]):
        if retreats[dislodged_row, spots[EXIT, number]]:
            found |= numpy.int64(1) << (number - first)
    if found != 0:
        lost_units[game, column] = unit
        lost_powers[game, column] = powers[game, column]
        ways_out[game, column] = found


@called
def go_on():
    """Apply the orders of each pending game, advance it to its next phase, and set its status.

    Moves must have been judged: `arrived` has each unit's location after them, and `dislodged` lists the dislodged units.
    """
    for game in range(units.shape[0]):
        if moments[game, PHASE] == OF_MOVEMENT and status[game] == PENDING:
            for column in range(lost_units.shape[1]):
                lost_units[game, column] = lost_powers[game, column] = NONE
                ways_out[game, column] = 0
    for row in range(counters[LOST]):
        if status[dislodged[row, 0]] == PENDING:
            note_lost(row)
    for game in range(units.shape[0]):
        if status[game] != PENDING:
            continue
        some = False
        state = SETTLED
        if moments[game, PHASE] == OF_MOVEMENT:
            for column in range(units.shape[1]):
                units[game, column] = arrived[game, column]
                if arrived[game, column] == NONE:
                    powers[game, column] = NONE
                some = some or lost_units[game, column] != NONE
        elif moments[game, PHASE] == OF_RETREAT:
            if not carry_out_retreats(game):
                state = MISTAKEN
            for column in range(lost_units.shape[1]):
                lost_units[game, column] = lost_powers[game, column] = NONE
                ways_out[game, column] = 0
        else:
            state = adjust_game(game)
        if state == SETTLED:
            if some:
                moments[game, PHASE] = OF_RETREAT
            else:
                end_turn(game)
        status[game] = state


@called
def begin_games():
    """Enter the builds and removals due in pending games that begin with adjustments, and settle all pending games."""
    for game in range(units.shape[0]):
        if status[game] == PENDING:
            for power in range(due.shape[1]):
                due[game, power] = 0
            if moments[game, PHASE] == OF_ADJUSTMENT:
                count_due(game)
            status[game] = SETTLED
