"""Judges boards one by one in the scratch matrix of `kernel.memory`: legality, decisions, cores and outcomes.

These functions are printed once for each rulebook, with its equations (`release/kernel`). All of them know the arrays by name
(`kernel.memory.ARRAYS`). What they know of orders is in tables that the plain path filled in
(`satjudge.bulk.tables.order_facts`); they note facts that are missing as wanted, and leave the board.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the equations, and `compiled`, are there when this is compiled
# mypy: ignore-errors


# ---- tables ----

slot_of = compiled(slot_of)


@compiled
def find_slot(table, key):
    """Return the slot of a key in a hash table; -1 if the table does not contain it."""
    mask = table.shape[0] - 1
    first = slot_of(key, mask)
    for step in range(table.shape[0]):  # a damaged table may be full
        slot = (first + step) & mask
        if table[slot, 0] == key:
            return slot
        if table[slot, 0] == NONE:
            return NONE
    return NONE


@called
def note_wanted(what, key):
    """Record a fact, by its kind and key, that Python must look up for the kernel, if there is room for it."""
    count = counters[WANTS]
    if count < wanted.shape[0]:
        wanted[count, 0] = what
        wanted[count, 1] = key
        counters[WANTS] = count + 1


# ---- waters: what fleets connect (`satjudge.judging.legality.waters`) ----


@compiled
def waters_around(some):
    """Return, as bits, all waters adjacent to any of the waters `some`, which are bits too."""
    found = numpy.int64(0)
    sea = 0
    while some >> sea:
        if some >> sea & 1:
            found |= spots[NEAR, sea]
        sea += 1
    return found


@compiled
def are_connected(first, goal, free):
    """Return whether a chain of adjacent fleets leads from `first` to `goal` (all arguments are bits of waters)."""
    edge = first & free
    while edge:
        if edge & goal:
            return True
        free &= ~edge
        edge = waters_around(edge) & free
    return False


@called
def on_proper_route(start, goal, free, through):
    """Return 1 if a proper convoy route leads through a fleet, else 0, by trying all; LEAVE if that takes too long."""
    if start & goal & free & through:
        return 1
    bits[AHEAD, 0] = start & free
    bits[BEYOND, 0] = free & ~start
    bits[PASSED, 0] = 0
    depth = steps = 0
    while depth >= 0:
        ahead = bits[AHEAD, depth]
        if ahead == 0:
            depth -= 1
            continue
        steps += 1
        if steps > MOST_STEPS:
            return LEAVE
        here = ahead & -ahead
        bits[AHEAD, depth] = ahead ^ here
        passed = 1 if here == through else bits[PASSED, depth]
        if here & goal:
            if passed:
                return 1
            continue
        onward = waters_around(here) & bits[BEYOND, depth]
        beyond = bits[BEYOND, depth] & ~onward
        if are_connected(onward, goal if passed else through, onward | beyond):
            depth += 1
            bits[AHEAD, depth] = onward
            bits[BEYOND, depth] = beyond
            bits[PASSED, depth] = passed
    return 0


@compiled
def on_simple_route(start, goal, free, through):
    """Return 1 if a convoy route that passes no fleet twice leads through a fleet, else 0: no other fleet alone cuts it off."""
    if through & free == 0 or not are_connected(through, start, free) or not are_connected(through, goal, free):
        return 0
    sea = 0
    while free >> sea:
        if free & ~through & 1 << sea and not are_connected(through, start | goal, free & ~(1 << sea)):
            return 0
        sea += 1
    return 1


@compiled
def on_route(start, goal, free, through):
    """Return 1 if a legal convoy route leads through a fleet (4.E.1), else 0; LEAVE if that is not decided."""
    if SUPERFLUOUS_CONVOYS:
        return on_simple_route(start, goal, free, through)
    return on_proper_route(start, goal, free, through)


@called
def answer_question(question, fleets):
    """Return the answer (1 or 0) to a `ConvoyQuestion` about the fleets of a board; LEAVE if it is not decided."""
    origin, destination = questions[question, ASKED_FROM], questions[question, ASKED_TO]
    if origin == destination:
        return 0
    free = fleets & ~(spots[WATER_BIT, origin] | spots[WATER_BIT, destination])
    if questions[question, ASKED_WITHOUT] != NONE:
        free &= ~spots[WATER_BIT, questions[question, ASKED_WITHOUT]]
    start, goal = spots[SHORES, origin], spots[SHORES, destination]
    if questions[question, ASKED_THROUGH] == NONE:
        return 1 if are_connected(start, goal, free) else 0
    return on_route(start, goal, free, spots[WATER_BIT, questions[question, ASKED_THROUGH]])


# ---- the situation ----


@compiled
def clear_places(provinces):
    """Clear the rows about places that the previous board left."""
    for place in range(provinces):
        for row in range(OF_PLACES):
            at[row, place] = NONE


@compiled
def place_units(board):
    """Put a board's units in their places; return the fleets that could convoy, as bits, or -1 for an impossible board."""
    fleets = 0
    for column in range(units.shape[1]):
        unit, order = units[board, column], orders[board, column]
        if order >= 0 and (unit < 0 or entries[order, OWN_PLACE] != spots[PLACE_OF_UNIT, unit]):
            return NONE
        if unit >= 0:
            place = spots[PLACE_OF_UNIT, unit]
            if at[OWNER, place] != NONE:
                return NONE
            at[OWNER, place] = powers[board, column]
            at[STATE, place] = unit
            at[COLUMN, place] = column
            fleets |= spots[FLEET_BIT, unit]
    return fleets


@compiled
def find_full_order(place, fleets, order):
    """Return a legal order's number in full, or ILLEGAL_MOVE or ILLEGAL; LEAVE if not decided; WANTED if a fact is missing."""
    unit, other = at[STATE, place], entries[order, OTHER_PLACE]
    own, helped = 0, numpy.int64(NONE)
    if other != NONE:
        own = 1 if at[OWNER, other] == at[OWNER, place] else 0
        helped = numpy.int64(at[STATE, other])
        if helped == NONE:  # under every rulebook (`satjudge.judging.legality.order_legality`)
            return ILLEGAL
    if entries[order, OWN_UNIT] == unit and entries[order, OTHER_UNIT] == helped:
        when, legal = numpy.int64(entries[order, LEGAL + own]), numpy.int64(entries[order, IN_FULL])
        counts = numpy.int64(entries[order, COUNTS_AS_MOVE])
        if when == UNASKED:
            note_wanted(ENTRIES, order)
            return WANTED
        if when == IMPOSSIBLE:
            return ILLEGAL_MOVE if counts == 1 else ILLEGAL
    elif entries[order, LEGAL] == IMPOSSIBLE:  # to other units: what the text says is asked
        note_wanted(
            TEXTS, numpy.int64(entries[order, TEXT_BEGINS]) << 32 | numpy.int64(entries[order, TEXT_ENDS]) << 4 | OF_ORDERS
        )
        return WANTED
    else:
        key = ((numpy.int64(order) * 512 + unit) * 512 + helped + 1) * 2 + own
        slot = find_slot(aliases, key)
        if slot == NONE:
            note_wanted(ALIASES, key)
            return WANTED
        when, legal, counts = aliases[slot, 1], aliases[slot, 2], aliases[slot, 3]
    if when >= 0:
        found = answer_question(when, fleets)
        when = PLAINLY if found == LEAVE else ALWAYS if found else NEVER
    if when == ALWAYS:
        return legal
    if when == PLAINLY:
        return LEAVE
    return ILLEGAL_MOVE if counts == 1 else ILLEGAL


@compiled
def enter_decision(order, place, d):
    """Enter the decision number `d` about an order in full, which is given to the unit in a place."""
    kind, target = entries[order, ORDER_KIND], entries[order, ORDER_TARGET]
    at[DECIDED, place] = d
    at[HIGHEST, d] = 1
    at[LOWEST, d] = 0
    at[KIND, d] = kind
    at[ORDER, d] = order
    at[PLACE, d] = place
    at[DESTINATION, d] = target
    at[SUPPORTED, d] = entries[order, OTHER_PLACE]
    at[BY_LAND, d] = entries[order, ORDER_BY_LAND]
    at[VIA_CONVOY, d] = entries[order, ORDER_VIA]
    at[MIGHT_BE_CONVOYED, d] = entries[order, ORDER_MIGHT]
    at[SUPPORTS_HOLD, d] = entries[order, ORDER_SUPPORTS_HOLD]
    flags = entries[order, ORDER_FLAGS]
    at[DIFFICULT, d] = flags & 1
    at[OF_FLEET, d] = flags >> 1 & 1
    at[HELPS_FLEET, d] = flags >> 2 & 1
    at[MATCH, d] = NONE
    at[OPPOSED, d] = NONE
    at[FIRST_SUPPORT, d] = NONE
    at[FIRST_CONVOY, d] = NONE
    if kind == MOVE:
        at[MOVE_OUT, place] = d
        at[NEXT_MOVE_IN, d] = at[FIRST_MOVE_IN, target]
        at[FIRST_MOVE_IN, target] = d
    elif kind == CONVOY:
        at[CONVOY_AT, place] = d


@compiled
def match_orders(last):
    """Link supports and convoys to the moves that they match, and opposite moves; return false if facts are missing."""
    for d in range(last):
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
            key = numpy.int64(at[ORDER, d]) << 24 | at[ORDER, move]
            slot = find_slot(links, key)
            if slot == NONE:
                note_wanted(LINKS, key)
                return False
            if links[slot, 1] & 1:
                at[MATCH, d] = move
                if at[KIND, d] == CONVOY:
                    at[NEXT_CONVOY, d] = at[FIRST_CONVOY, move]
                    at[FIRST_CONVOY, move] = d
                else:
                    at[NEXT_SUPPORT, d] = at[FIRST_SUPPORT, move]
                    at[FIRST_SUPPORT, move] = d
            if links[slot, 1] & 2:
                at[MIGHT_BE_CONVOYED, move] = 1
    return True


# ---- convoys: what the equations ask of the fleets of a move (`satjudge.judging.equations.convoy_graph`) ----


@compiled
def carrying_bit(d, convoy):
    """Return the bit of a fleet that is ordered to convoy the move `d`; 0 if the fleet is at an end of that move."""
    place = at[PLACE, convoy]
    return 0 if place == at[DESTINATION, d] or place == at[PLACE, d] else spots[WATER_BIT, place]


@compiled
def ordered_fleets(d, own):
    """Return, as bits, the fleets ordered to convoy the move `d`, or only those of its own power."""
    found = numpy.int64(0)
    convoy = at[FIRST_CONVOY, d]
    while convoy >= 0:
        if not own or at[OWNER, at[PLACE, convoy]] == at[OWNER, at[PLACE, d]]:
            found |= carrying_bit(d, convoy)
        convoy = at[NEXT_CONVOY, convoy]
    return found


@compiled
def find_crossing(d):
    """Enter whether the fleets ordered to convoy the move `d` connect its coasts; return false if that is not decided."""
    start, goal = spots[SHORES, at[PLACE, d]], spots[SHORES, at[DESTINATION, d]]
    fleets, own = ordered_fleets(d, 0), ordered_fleets(d, 1)
    at[SAILS, d] = are_connected(start, goal, fleets)
    at[SAILS_OWN, d] = are_connected(start, goal, own)
    convoy = at[FIRST_CONVOY, d]
    while PASSING_MATTERS and convoy >= 0:
        here = carrying_bit(d, convoy)
        by_any, by_own = on_route(start, goal, fleets, here), on_route(start, goal, own, here)
        if by_any == LEAVE or by_own == LEAVE:
            return False
        at[PASSES, convoy] = by_any
        at[PASSES_OWN, convoy] = by_own
        convoy = at[NEXT_CONVOY, convoy]
    return True


@compiled
def find_crossings(last):
    """Enter, for each move, whether the fleets ordered to convoy it connect its coasts; return false if that is not decided."""
    fine = True
    for d in range(last):
        at[SAILS, d] = at[SAILS_OWN, d] = at[PASSES, d] = at[PASSES_OWN, d] = 0
    for d in range(last):
        if at[KIND, d] == MOVE and at[FIRST_CONVOY, d] != NONE:
            fine = fine and find_crossing(d)
    return fine


@compiled
def is_linked(view, d, spared, last, avoided, noting):
    """Return whether the fleets that convoy the move `d` under these bounds connect its coasts (`has_open_route`).

    The fleet in the place `spared` convoys in any case; the route must end with another fleet than the one in the place
    `last`, and avoid the place `avoided`. With `noting`, decisions that are read are recorded.
    """
    goal, fleets = spots[SHORES, at[DESTINATION, d]], ordered_fleets(d, 0)
    if avoided != NONE:
        fleets &= ~spots[WATER_BIT, avoided]
    if last != NONE:
        fleets &= ~(0 if SUPERFLUOUS_CONVOYS else spots[WATER_BIT, last] & goal)  # else the last in any proper route
        goal &= ~spots[WATER_BIT, last]
    edge = spots[SHORES, at[PLACE, d]] & fleets
    while edge:
        fleets &= ~edge
        onward = numpy.int64(0)
        convoy = at[FIRST_CONVOY, d]
        while convoy >= 0:
            here = carrying_bit(d, convoy)
            if edge & here:
                if noting and at[PLACE, convoy] != spared:
                    at[READ, convoy] = 1
                if at[PLACE, convoy] == spared or at[view, convoy] == 1:
                    if here & goal:
                        return True
                    onward |= waters_around(here)
            convoy = at[NEXT_CONVOY, convoy]
        edge = onward & fleets
    return False


@compiled
def has_no_order(board, owner):
    """Return whether a power has given no order on a board."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0 and orders[board, column] != NONE:
            if at[OWNER, spots[PLACE_OF_UNIT, units[board, column]]] == owner:
                return False
    return True


@compiled
def mark_unsupported(board):
    """Mark the units of powers that have given no order, which cannot be supported (4.D.9)."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0:
            place = spots[PLACE_OF_UNIT, units[board, column]]
            if has_no_order(board, at[OWNER, place]):
                at[UNSUPPORTABLE, place] = 1


@compiled
def make_situation(board, provinces):
    """Enter the decisions of a board, and return their number; otherwise MISTAKE, LEAVE or WANTED."""
    clear_places(provinces)
    fleets = place_units(board)
    if fleets == NONE:
        return MISTAKE
    if UNSUPPORTED_IN_DISORDER:
        mark_unsupported(board)
    last = 0
    trouble = 0
    for column in range(units.shape[1]):
        order = orders[board, column]
        if order < 0:
            continue
        place = spots[PLACE_OF_UNIT, units[board, column]]
        legal = find_full_order(place, fleets, order)
        if legal == ILLEGAL_MOVE:
            at[UNSUPPORTABLE, place] = 1
        elif legal < 0:
            trouble = min(trouble, legal)
        elif entries[legal, ORDER_KIND] == HOLD:
            at[DECIDED, place] = HELD - legal
        else:
            enter_decision(legal, place, last)
            last += 1
    if trouble < ILLEGAL:
        return trouble
    if not match_orders(last):
        return WANTED
    return last if find_crossings(last) else LEAVE


# ---- settling by partial information (DATC 5.E) ----


@called
def settle_decisions(last):
    """Settle the first `last` decisions as far as bounds do; list the open ones in the row OPEN, and return their number."""
    still_open = 0
    for moves in range(2):  # supports and convoys first: moves hang on them
        for d in range(last):
            if at[HIGHEST, d] != at[LOWEST, d] and (at[KIND, d] == MOVE) == (moves == 1):
                at[OPEN, still_open] = d
                still_open += 1
    progress = True
    while progress and still_open:
        rest = 0
        for position in range(still_open):
            d = at[OPEN, position]
            if decision(LOWEST, HIGHEST, d):  # more succeed than fail
                at[LOWEST, d] = 1
            elif not decision(HIGHEST, LOWEST, d):
                at[HIGHEST, d] = 0
            else:
                at[OPEN, rest] = d
                rest += 1
        progress = rest < still_open
        still_open = rest
    return still_open


# ---- cores (DATC 5.B.9): truth tables of the equations of open decisions, by what they read ----


@called
def fill_truth_table(still_open, position):
    """Enter an open decision's truth table over the open decisions that it reads; return false if there are too many.

    Evaluations record in the row READ what they read. A decision on which the table depends is read under some values of the
    others.
    """
    d = at[OPEN, position]
    count = 0
    assignment = 0
    while assignment < 1 << count:
        for number in range(count):
            at[TRIED, at[OPEN, inputs[position, 1 + number]]] = assignment >> number & 1
        for other in range(still_open):
            at[READ, at[OPEN, other]] = 0
        tables[position, assignment] = 1 if decision_noting(TRIED, TRIED, d) else 0
        known = count
        for other in range(still_open):
            if at[READ, at[OPEN, other]] == 1:
                new = True
                for number in range(count):
                    new = new and inputs[position, 1 + number] != other
                if new:
                    if count == MOST_INPUTS:
                        return False
                    inputs[position, 1 + count] = other
                    count += 1
        assignment = assignment + 1 if count == known else 0
    for number in range(count):
        at[TRIED, at[OPEN, inputs[position, 1 + number]]] = 0
    inputs[position, 0] = count
    return True


@compiled
def read_decisions(position):
    """Return, as bits, the open decisions that change the truth table of an open decision."""
    found = 0
    for number in range(inputs[position, 0]):
        for assignment in range(1 << inputs[position, 0]):
            if tables[position, assignment] != tables[position, assignment ^ (1 << number)]:
                found |= 1 << inputs[position, 1 + number]
    return found


@compiled
def equation_holds(position, values):
    """Return whether the values of all open decisions (bits) satisfy the equation of one of them."""
    assignment = 0
    for number in range(inputs[position, 0]):
        assignment |= (values >> inputs[position, 1 + number] & 1) << number
    return tables[position, assignment] == values >> position & 1


@called
def find_resolutions(members):
    """Enter all resolutions of open decisions that depend on no others, successes first; return their number or -1."""
    count = depth = size = steps = 0
    for position in range(MOST_OPEN):
        if members >> position & 1:
            bits[MEMBER, size] = position
            size += 1
    for number in range(size):  # when the equation can be checked: as soon as everything it looks at has a value
        bits[CHECKED, number] = number
        for other in range(size):
            if bits[GRAPH, bits[MEMBER, number]] >> bits[MEMBER, other] & 1 and other > bits[CHECKED, number]:
                bits[CHECKED, number] = other
    values = 0
    bits[TRIES, 0] = 0
    while depth >= 0:
        steps += 1
        if steps > MOST_STEPS:
            return NONE
        if depth == size:
            if count < bits.shape[1]:
                bits[FOUND, count] = values
            count += 1
            depth -= 1
            continue
        position = bits[MEMBER, depth]
        bits[TRIES, depth] += 1
        if bits[TRIES, depth] == 1:
            values |= 1 << position
        elif bits[TRIES, depth] == 2:
            values &= ~(1 << position)
        else:
            depth -= 1
            continue
        fine = True
        for number in range(depth + 1):
            if bits[CHECKED, number] == depth and not equation_holds(bits[MEMBER, number], values):
                fine = False
        if fine:
            depth += 1
            if depth < size:
                bits[TRIES, depth] = 0
    return count


@compiled
def find_reachable(still_open):
    """Enter, for each open decision, all open decisions on which it depends, directly or not, and itself."""
    for position in range(still_open):
        bits[REACHED, position] = bits[GRAPH, position] | 1 << position
    for through in range(still_open):
        for position in range(still_open):
            if bits[REACHED, position] >> through & 1:
                bits[REACHED, position] |= bits[REACHED, through]


@compiled
def count_resolutions(still_open):
    """Return the number of resolutions of all open decisions, as the product over independent parts; -1 if it is too large."""
    total = 1
    done = 0
    for position in range(still_open):
        if done >> position & 1 == 0:
            part = bits[REACHED, position]
            grown = True
            while grown:
                grown = False
                for other in range(still_open):
                    if part & bits[REACHED, other] and part | bits[REACHED, other] != part:
                        part |= bits[REACHED, other]
                        grown = True
            done |= part
            count = find_resolutions(part)
            if count == NONE:
                return NONE
            total *= count
            if total > 10_000:
                return NONE
    return total


@compiled
def mix_bits(number):
    """Return a number with its bits mixed, by a one-to-one function (SplitMix64)."""
    number = (number + 1) * numpy.int64(-7046029254386353131)
    number = (number ^ number >> 30) * numpy.int64(-4658895280553007687)
    number = (number ^ number >> 27) * numpy.int64(-7723592293110705685)
    return number ^ number >> 31


@compiled
def rank_in_core(core, still_open, position):
    """Return the number of members of a core that precede an open decision, in the sequence of decisions."""
    count = 0
    for other in range(still_open):
        if core >> other & 1 and at[OPEN, other] < at[OPEN, position]:
            count += 1
    return count


@called
def signature_of(core, still_open, salt):
    """Return a number that is the same for cores with the same kinds of decisions, equations and shared places.

    Together, the numbers for two salts distinguish all other cores.
    """
    total = mix_bits(salt)
    for position in range(still_open):
        if core >> position & 1 == 0:
            continue
        d = at[OPEN, position]
        me = mix_bits(salt + 1 + rank_in_core(core, still_open, position))
        facts = at[KIND, d]
        if at[SUPPORTS_HOLD, d] == 1:
            facts |= 4
        if at[KIND, d] == MOVE and is_convoyed(LOWEST, LOWEST, d):
            facts |= 8
        total += mix_bits(me + facts)
        for other in range(still_open):
            if core >> other & 1:
                e, them = at[OPEN, other], 8 * (1 + rank_in_core(core, still_open, other))
                if at[DESTINATION, d] == at[PLACE, e]:
                    total += mix_bits(me ^ mix_bits(them + 1))
                if at[SUPPORTED, d] == at[PLACE, e]:
                    total += mix_bits(me ^ mix_bits(them + 2))
                if at[MATCH, d] == e:
                    total += mix_bits(me ^ mix_bits(them + 3))
        for assignment in range(1 << inputs[position, 0]):
            chosen = numpy.int64(0)
            inside = tables[position, assignment] == 1
            for number in range(inputs[position, 0]):
                if assignment >> number & 1:
                    inside = inside and core >> inputs[position, 1 + number] & 1 == 1
                    chosen |= numpy.int64(1) << rank_in_core(core, still_open, inputs[position, 1 + number])
            if inside:
                total += mix_bits(me ^ mix_bits(8 * chosen + 4))
    return total


@compiled
def is_in_core(still_open, position):
    """Return whether an open decision is in a core: all decisions on which it depends also depend on it."""
    for other in range(still_open):
        if bits[REACHED, position] >> other & 1 and bits[REACHED, other] != bits[REACHED, position]:
            return False
    return True


@compiled
def members_of_kind(core, still_open, kind):
    """Return, as bits, the members of a core that are decisions of a kind; bit n is the open decision number n."""
    found = numpy.int64(0)
    for position in range(still_open):
        if core >> position & 1 and at[KIND, at[OPEN, position]] == kind:
            found |= numpy.int64(1) << position
    return found


@compiled
def rule_on(core, still_open, count):
    """Apply the backup rule to a core: return the rule, the decisions that it settles, and their values (both as bits).

    This is `satjudge.judging.backup.rule_on` for cores without trains and canals. In place of the rule, there is NONE if the
    core needs none, LEAVE, or NO_ANSWER.
    """
    nothing = numpy.int64(0)
    if count == 1:
        return numpy.int64(NONE), core, bits[FOUND, 0]
    if count == NONE:
        return numpy.int64(LEAVE), nothing, nothing
    moves, convoys = members_of_kind(core, still_open, MOVE), members_of_kind(core, still_open, CONVOY)
    supports = core & ~moves & ~convoys
    if moves == core:
        return numpy.int64(BY_CIRCLE), core, core
    if convoys != 0:
        if CONVOYS_FAIL:
            return numpy.int64(BY_PARADOX), convoys, nothing
        if WITHOUT_CONVOYS and count == 2 and (bits[FOUND, 0] & convoys == 0) != (bits[FOUND, 1] & convoys == 0):
            values = bits[FOUND, 0] if bits[FOUND, 0] & convoys == 0 else bits[FOUND, 1]
            return numpy.int64(BY_PARADOX), core, values
        if ALL_HOLD:
            return numpy.int64(BY_PARADOX), moves | convoys, nothing
        return numpy.int64(NO_ANSWER), nothing, nothing
    if SUPPORTS_ALIKE:
        return numpy.int64(BY_SUPPORTS), supports, supports if SUPPORTS_GIVEN else nothing
    if OTHERS_FAIL:
        return numpy.int64(BY_FAILURE), moves | supports, nothing
    return numpy.int64(NO_ANSWER), nothing, nothing


@called
def note_core(core, still_open, board, rule, turn):
    """Record a core: its board, the rule applied, the round, its units' columns as bits, and its signature."""
    row = counters[CORES]
    counters[CORES] += 1
    cores[row, 0] = board
    cores[row, 1] = rule
    cores[row, 2] = turn
    cores[row, 3] = 0
    for other in range(still_open):
        if core >> other & 1:
            cores[row, 3] |= numpy.int64(1) << at[COLUMN, at[PLACE, at[OPEN, other]]]
    for part in range(2):
        cores[row, 4 + part] = signature_of(core, still_open, 1 + part)


@called
def settle_cores(last, still_open, board):
    """Settle core after core, and return the number of resolutions that the board has before any backup rule.

    Returns LEAVE if there is too much to do, NO_ANSWER if the rulebook has no answer.
    """
    total = numpy.int64(NONE)
    turn = 0
    while still_open:
        if still_open > MOST_OPEN:
            return numpy.int64(LEAVE)
        for d in range(last):
            at[TRIED, d] = at[LOWEST, d]
        for position in range(still_open):
            if not fill_truth_table(still_open, position):
                return numpy.int64(LEAVE)
            bits[GRAPH, position] = read_decisions(position)
        find_reachable(still_open)
        if total == NONE:
            total = numpy.int64(count_resolutions(still_open))
            if total == NONE:
                return numpy.int64(LEAVE)
        settled = False
        done = 0
        for position in range(still_open):
            core = bits[REACHED, position]
            if done >> position & 1 or not is_in_core(still_open, position):
                continue
            done |= core
            count = find_resolutions(core)
            rule, which, values = rule_on(core, still_open, count)
            if rule < NONE:
                return rule
            if counters[CORES] == cores.shape[0]:
                return numpy.int64(LEAVE)
            note_core(core, still_open, board, rule, turn)
            for other in range(still_open):
                if which >> other & 1:
                    d = at[OPEN, other]
                    at[HIGHEST, d] = at[LOWEST, d] = values >> other & 1
                    settled = True
        if not settled:
            return numpy.int64(LEAVE)
        still_open = settle_decisions(last)
        turn += 1
    return total


# ---- outcomes: what settled decisions make of orders and units ----


@compiled
def result_of(d):
    """Return the result of the legal order of the decision `d`, as its column in `satjudge.judging.outcome.RESULTS`."""
    if at[KIND, d] == CONVOY and at[MATCH, d] == NONE:
        return 0
    if at[LOWEST, d] == 1:
        return 2
    if at[KIND, d] == MOVE:
        return 1 if at[SAILS, d] == 1 or not is_convoyed(LOWEST, LOWEST, d) else 0
    if at[KIND, d] == CONVOY:
        return 1
    return 1 if is_matched(LOWEST, LOWEST, d) else 0


@compiled
def record_orders(board):
    """Record the results of a board's orders, where its units are then, and the provinces closed to retreats.

    Returns the number of moves that dislodge a unit; they are listed in the row OPEN.
    """
    count = 0
    for column in range(units.shape[1]):
        unit = units[board, column]
        if unit < 0:
            continue
        place = spots[PLACE_OF_UNIT, unit]
        d = at[DECIDED, place]
        after = unit
        if d >= 0:
            told[COUNTED, board, column] = at[ORDER, d]
            told[RESULT, board, column] = RESULT_TABLE[at[KIND, d], result_of(d)]
            if at[KIND, d] == MOVE:
                if at[LOWEST, d] == 1:
                    place = at[DESTINATION, d]
                    after = entries[at[ORDER, d], UNIT_AFTER]
                    leaving = at[MOVE_OUT, place]
                    if at[OWNER, place] != NONE and (leaving == NONE or at[LOWEST, leaving] == 0):
                        at[OPEN, count] = d
                        count += 1
                elif prevent(LOWEST, LOWEST, d) > 0:
                    at[CONTESTED, at[DESTINATION, d]] = 1
                    contested[board, at[DESTINATION, d]] = True
        elif d <= HELD:
            told[COUNTED, board, column] = HELD - d
            told[RESULT, board, column] = RESULT_TABLE[HOLD, 0]
        elif orders[board, column] != NONE:
            told[RESULT, board, column] = RESULT_TABLE[HOLD, 1]
        told[AFTER, board, column] = after
        at[OCCUPIED, place] = 1
    return count


@compiled
def find_retreats(unit, barred, row):
    """Mark, in a row of `retreats`, where a unit may retreat (DATC 4.A.5) other than `barred`; return whether anywhere."""
    anywhere = False
    for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
        location = spots[EXIT, number]
        place = spots[PLACE_OF_LOCATION, location]
        if place != barred and at[CONTESTED, place] == NONE and at[OCCUPIED, place] == NONE:
            retreats[row, location] = True
            anywhere = True
    return anywhere


@called
def record_outcome(board):
    """Record the outcome of a board: results, dislodged units and their retreats."""
    for position in range(record_orders(board)):
        move = at[OPEN, position]
        place = at[DESTINATION, move]
        column, row = at[COLUMN, place], counters[LOST]
        counters[LOST] += 1
        dislodged[row, 0] = board
        dislodged[row, 1] = column
        for location in range(retreats.shape[1]):
            retreats[row, location] = False
        told[ATTACKER, board, column] = at[COLUMN, at[PLACE, move]]
        told[AFTER, board, column] = NONE
        told[FATE, board, column] = 2
        free = FREE_AFTER_CONVOY and is_convoyed(LOWEST, LOWEST, move)
        barred = NONE if free else at[PLACE, move]
        if not (DISBANDED_IN_DISORDER and has_no_order(board, at[OWNER, place])):
            if find_retreats(at[STATE, place], barred, row):
                told[FATE, board, column] = 1


# ---- all boards ----


@called
def judge_boards():
    """Judge every pending board, and set its status."""
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        cores_before = counters[CORES]
        total = numpy.int64(1)
        still_open = 0
        last = make_situation(board, contested.shape[1])
        if last < 0:
            total = numpy.int64(last)
        else:
            still_open = settle_decisions(last)
            if still_open:
                total = settle_cores(last, still_open, board)
        if total >= 0:
            resolutions[board] = total
            status[board] = WITH_CORES if still_open else SETTLED
            record_outcome(board)
            continue
        counters[CORES] = cores_before
        if total != WANTED:
            status[board] = LEFT if total == LEAVE else UNRESOLVED if total == NO_ANSWER else MISTAKEN
