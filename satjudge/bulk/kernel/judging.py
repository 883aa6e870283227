"""Judges boards one by one in the scratch matrix of `kernel.memory`: legality, decisions, cores and outcomes.

These functions are printed once for each rulebook, together with its equations (`release/kernel`). They use the arrays by name
(`kernel.memory.ARRAYS`). Their facts about orders are in tables that Python filled (`satjudge.bulk.tables.order_facts`). If a
fact is missing, they request it and leave the board undecided.
"""

from __future__ import annotations

from satjudge.bulk.kernel.memory import *

# the equations and `compiled` are defined only when this file is printed as C
# mypy: ignore-errors


# ---- tables ----

slot_of = compiled(slot_of)


@compiled
def find_slot(table, key):
    """Return the row of a hash table that holds a key; -1 if the table does not contain the key."""
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
def note_wanted(fact_kind, key):
    """Record the kind and key of a fact that Python must look up for the kernel; do nothing if the list is full."""
    count = counters[WANTS]
    if count < wanted.shape[0]:
        wanted[count, 0] = fact_kind
        wanted[count, 1] = key
        counters[WANTS] = count + 1


# ---- waters: what fleets connect (`satjudge.judging.legality.waters`) ----


@compiled
def waters_around(water_bits):
    """Return, as bits, all waters adjacent to any of the given waters, which are bits, too."""
    found = numpy.int64(0)
    sea = 0
    while water_bits >> sea:
        if water_bits >> sea & 1:
            found |= spots[NEAR, sea]
        sea += 1
    return found


@compiled
def are_connected(start_bits, goal_bits, fleet_bits):
    """Return whether a chain of adjacent fleets leads from a start to a goal (all three arguments are bits of waters)."""
    edge = start_bits & fleet_bits
    while edge:
        if edge & goal_bits:
            return True
        fleet_bits &= ~edge
        edge = waters_around(edge) & fleet_bits
    return False


@called
def on_proper_route(start_bits, goal_bits, fleets, fleet):
    """Return 1 if a route of `fleets`, none superfluous, leads through `fleet` (bits of waters), else 0; LEAVE if undecided."""
    if start_bits & goal_bits & fleets & fleet:
        return 1
    bits[AHEAD, 0] = start_bits & fleets
    bits[BEYOND, 0] = fleets & ~start_bits
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
        passed = 1 if here == fleet else bits[PASSED, depth]
        if here & goal_bits:
            if passed:
                return 1
            continue
        onward = waters_around(here) & bits[BEYOND, depth]
        beyond = bits[BEYOND, depth] & ~onward
        if are_connected(onward, goal_bits if passed else fleet, onward | beyond):
            depth += 1
            bits[AHEAD, depth] = onward
            bits[BEYOND, depth] = beyond
            bits[PASSED, depth] = passed
    return 0


@compiled
def on_simple_route(start_bits, goal_bits, fleets, fleet):
    """Return 1 if a convoy route of `fleets` that passes none twice leads through `fleet` (all are bits of waters), else 0."""
    if fleet & fleets == 0 or not are_connected(fleet, start_bits, fleets) or not are_connected(fleet, goal_bits, fleets):
        return 0
    sea = 0
    while fleets >> sea:
        if fleets & ~fleet & 1 << sea and not are_connected(fleet, start_bits | goal_bits, fleets & ~(1 << sea)):
            return 0
        sea += 1
    return 1


@compiled
def on_route(start_bits, goal_bits, fleets, fleet):
    """Return 1 if a legal convoy route (4.E.1) of `fleets` leads through `fleet` (bits of waters), else 0; LEAVE if unknown."""
    if SUPERFLUOUS_CONVOYS:
        return on_simple_route(start_bits, goal_bits, fleets, fleet)
    return on_proper_route(start_bits, goal_bits, fleets, fleet)


@called
def answer_question(question_number, fleet_bits):
    """Return 1 if a board's fleets (bits) can convoy as the `ConvoyQuestion` with a number asks, else 0; LEAVE if unknown."""
    origin, destination = questions[question_number, ASKED_FROM], questions[question_number, ASKED_TO]
    if origin == destination:
        return 0
    free = fleet_bits & ~(spots[WATER_BIT, origin] | spots[WATER_BIT, destination])
    if questions[question_number, ASKED_WITHOUT] != NONE:
        free &= ~spots[WATER_BIT, questions[question_number, ASKED_WITHOUT]]
    start, goal = spots[SHORES, origin], spots[SHORES, destination]
    if questions[question_number, ASKED_THROUGH] == NONE:
        return 1 if are_connected(start, goal, free) else 0
    return on_route(start, goal, free, spots[WATER_BIT, questions[question_number, ASKED_THROUGH]])


# ---- the situation ----


@compiled
def clear_places(province_count):
    """Clear the rows of the scratch matrix that describe the provinces of the previous board."""
    for place in range(province_count):
        for row in range(OF_PLACES):
            at[row, place] = NONE


@compiled
def place_units(board):
    """Enter a board's units by province; return as bits the waters with fleets, -1 if two share one or an order has no unit."""
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
def find_full_order(province, fleet_bits, order):
    """Return the full form of an order to a province's unit; or ILLEGAL_MOVE, ILLEGAL, LEAVE (to Python), WANTED (facts)."""
    unit, other = at[STATE, province], entries[order, OTHER_PLACE]
    own, helped = 0, numpy.int64(NONE)
    if other != NONE:
        own = 1 if at[OWNER, other] == at[OWNER, province] else 0
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
    elif entries[order, LEGAL] == IMPOSSIBLE:  # an order to other units: the meaning of its text is requested
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
        found = answer_question(when, fleet_bits)
        when = PLAINLY if found == LEAVE else ALWAYS if found else NEVER
    if when == ALWAYS:
        return legal
    if when == PLAINLY:
        return LEAVE
    return ILLEGAL_MOVE if counts == 1 else ILLEGAL


@compiled
def enter_decision(order, province, decision_number):
    """Enter the facts of a decision into the scratch matrix: `order`, in full form, is given to the unit in `province`."""
    kind, target = entries[order, ORDER_KIND], entries[order, ORDER_TARGET]
    at[DECIDED, province] = decision_number
    at[HIGHEST, decision_number] = 1
    at[LOWEST, decision_number] = 0
    at[KIND, decision_number] = kind
    at[ORDER, decision_number] = order
    at[PLACE, decision_number] = province
    at[DESTINATION, decision_number] = target
    at[SUPPORTED, decision_number] = entries[order, OTHER_PLACE]
    at[BY_LAND, decision_number] = entries[order, ORDER_BY_LAND]
    at[VIA_CONVOY, decision_number] = entries[order, ORDER_VIA]
    at[MIGHT_BE_CONVOYED, decision_number] = entries[order, ORDER_MIGHT]
    at[SUPPORTS_HOLD, decision_number] = entries[order, ORDER_SUPPORTS_HOLD]
    flags = entries[order, ORDER_FLAGS]
    at[DIFFICULT, decision_number] = flags & 1
    at[OF_FLEET, decision_number] = flags >> 1 & 1
    at[HELPS_FLEET, decision_number] = flags >> 2 & 1
    at[MATCH, decision_number] = NONE
    at[OPPOSED, decision_number] = NONE
    at[FIRST_SUPPORT, decision_number] = NONE
    at[FIRST_CONVOY, decision_number] = NONE
    if kind == MOVE:
        at[MOVE_OUT, province] = decision_number
        at[NEXT_MOVE_IN, decision_number] = at[FIRST_MOVE_IN, target]
        at[FIRST_MOVE_IN, target] = decision_number
    elif kind == CONVOY:
        at[CONVOY_AT, province] = decision_number


@compiled
def match_orders(decision_count):
    """Link supports and convoys to the moves that they match, and opposite moves; return false if facts are missing."""
    for d in range(decision_count):
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


# ---- convoys: what the equations need to know about a move's fleets (`satjudge.judging.equations.convoy_graph`) ----


@compiled
def carrying_bit(move, convoy):
    """Return the bit of a convoying fleet's water; 0 if the move starts or ends there (both arguments are decision numbers)."""
    place = at[PLACE, convoy]
    return 0 if place == at[DESTINATION, move] or place == at[PLACE, move] else spots[WATER_BIT, place]


@compiled
def ordered_fleets(move, only_own_power):
    """Return, as bits, the fleets ordered to convoy a move (a decision number), or only those of its own power."""
    found = numpy.int64(0)
    convoy = at[FIRST_CONVOY, move]
    while convoy >= 0:
        if not only_own_power or at[OWNER, at[PLACE, convoy]] == at[OWNER, at[PLACE, move]]:
            found |= carrying_bit(move, convoy)
        convoy = at[NEXT_CONVOY, convoy]
    return found


@compiled
def find_crossing(move):
    """Enter whether the fleets ordered to convoy a move join its coasts, and which are on a route; return false if unknown."""
    start, goal = spots[SHORES, at[PLACE, move]], spots[SHORES, at[DESTINATION, move]]
    fleets, own = ordered_fleets(move, 0), ordered_fleets(move, 1)
    at[SAILS, move] = are_connected(start, goal, fleets)
    at[SAILS_OWN, move] = are_connected(start, goal, own)
    convoy = at[FIRST_CONVOY, move]
    while PASSING_MATTERS and convoy >= 0:
        here = carrying_bit(move, convoy)
        by_any, by_own = on_route(start, goal, fleets, here), on_route(start, goal, own, here)
        if by_any == LEAVE or by_own == LEAVE:
            return False
        at[PASSES, convoy] = by_any
        at[PASSES_OWN, convoy] = by_own
        convoy = at[NEXT_CONVOY, convoy]
    return True


@compiled
def find_crossings(decision_count):
    """Enter, for each move, whether the fleets ordered to convoy it connect its coasts; return false if any is unknown."""
    fine = True
    for d in range(decision_count):
        at[SAILS, d] = at[SAILS_OWN, d] = at[PASSES, d] = at[PASSES_OWN, d] = 0
    for d in range(decision_count):
        if at[KIND, d] == MOVE and at[FIRST_CONVOY, d] != NONE:
            fine = fine and find_crossing(d)
    return fine


@compiled
def has_convoy_route(value_row, move, safe_province, forbidden_end, avoided_province, records_reads):
    """Return whether a route of convoying fleets (those with 1 in `value_row`, or in `safe_province`) joins a move's coasts.

    The route must not end with the fleet in the province `forbidden_end`, and must avoid the one in `avoided_province`. With
    `records_reads`, the row READ marks the decisions on which the answer may depend.
    """
    goal, fleets = spots[SHORES, at[DESTINATION, move]], ordered_fleets(move, 0)
    if avoided_province != NONE:
        fleets &= ~spots[WATER_BIT, avoided_province]
    if forbidden_end != NONE:
        fleets &= ~(0 if SUPERFLUOUS_CONVOYS else spots[WATER_BIT, forbidden_end] & goal)  # it ends every proper route
        goal &= ~spots[WATER_BIT, forbidden_end]
    edge = spots[SHORES, at[PLACE, move]] & fleets
    while edge:
        fleets &= ~edge
        onward = numpy.int64(0)
        convoy = at[FIRST_CONVOY, move]
        while convoy >= 0:
            here = carrying_bit(move, convoy)
            if edge & here:
                if records_reads and at[PLACE, convoy] != safe_province:
                    at[READ, convoy] = 1
                if at[PLACE, convoy] == safe_province or at[value_row, convoy] == 1:
                    if here & goal:
                        return True
                    onward |= waters_around(here)
            convoy = at[NEXT_CONVOY, convoy]
        edge = onward & fleets
    return False


@compiled
def has_no_order(board, power):
    """Return whether no unit of a power has an order on a board."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0 and orders[board, column] != NONE:
            if at[OWNER, spots[PLACE_OF_UNIT, units[board, column]]] == power:
                return False
    return True


@compiled
def mark_unsupported(board):
    """Mark the units of powers that have given no order on a board, which cannot be supported (4.D.9)."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0:
            place = spots[PLACE_OF_UNIT, units[board, column]]
            if has_no_order(board, at[OWNER, place]):
                at[UNSUPPORTABLE, place] = 1


@compiled
def make_situation(board, province_count):
    """Enter a board's decisions and return their number; or MISTAKE (impossible board), LEAVE (to Python) or WANTED (facts)."""
    clear_places(province_count)
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
def settle_decisions(decision_count):
    """Settle decisions as far as bounds do; list the open ones in the row OPEN, and return their number."""
    still_open = 0
    for moves in range(2):  # supports and convoys first, since moves depend on them
        for d in range(decision_count):
            if at[HIGHEST, d] != at[LOWEST, d] and (at[KIND, d] == MOVE) == (moves == 1):
                at[OPEN, still_open] = d
                still_open += 1
    progress = True
    while progress and still_open:
        rest = 0
        for position in range(still_open):
            d = at[OPEN, position]
            if decision(LOWEST, HIGHEST, d):  # tested first, as most decisions succeed
                at[LOWEST, d] = 1
            elif not decision(HIGHEST, LOWEST, d):
                at[HIGHEST, d] = 0
            else:
                at[OPEN, rest] = d
                rest += 1
        progress = rest < still_open
        still_open = rest
    return still_open


# ---- cores (DATC 5.B.9): truth tables of open decisions over the open decisions that they read ----


@called
def fill_truth_table(open_count, open_index):
    """Enter an open decision's truth table over the open decisions that it reads; return false if it reads too many.

    Evaluations mark the decisions that they read in the row READ. Every decision on which the table depends is read for some
    values of the others.
    """
    d = at[OPEN, open_index]
    count = 0
    assignment = 0
    while assignment < 1 << count:
        for number in range(count):
            at[TRIED, at[OPEN, inputs[open_index, 1 + number]]] = assignment >> number & 1
        for other in range(open_count):
            at[READ, at[OPEN, other]] = 0
        tables[open_index, assignment] = 1 if decision_noting(TRIED, TRIED, d) else 0
        known = count
        for other in range(open_count):
            if at[READ, at[OPEN, other]] == 1:
                new = True
                for number in range(count):
                    new = new and inputs[open_index, 1 + number] != other
                if new:
                    if count == MOST_INPUTS:
                        return False
                    inputs[open_index, 1 + count] = other
                    count += 1
        assignment = assignment + 1 if count == known else 0
    for number in range(count):
        at[TRIED, at[OPEN, inputs[open_index, 1 + number]]] = 0
    inputs[open_index, 0] = count
    return True


@compiled
def read_decisions(open_index):
    """Return, as bits, the open decisions on which the truth table of an open decision depends."""
    found = 0
    for number in range(inputs[open_index, 0]):
        for assignment in range(1 << inputs[open_index, 0]):
            if tables[open_index, assignment] != tables[open_index, assignment ^ (1 << number)]:
                found |= 1 << inputs[open_index, 1 + number]
    return found


@compiled
def equation_holds(open_index, value_bits):
    """Return whether the values of all open decisions, as bits, satisfy the equation of one of them."""
    assignment = 0
    for number in range(inputs[open_index, 0]):
        assignment |= (value_bits >> inputs[open_index, 1 + number] & 1) << number
    return tables[open_index, assignment] == value_bits >> open_index & 1


@called
def find_resolutions(member_bits):
    """Enter resolutions of the open decisions `member_bits`, which read no others; return how many, -1 if it takes too long."""
    count = depth = size = steps = 0
    for position in range(MOST_OPEN):
        if member_bits >> position & 1:
            bits[MEMBER, size] = position
            size += 1
    for number in range(size):  # an equation can be checked as soon as all that it reads have values
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
def find_reachable(open_count):
    """Enter for each open decision, as bits, all open decisions on which it depends directly or indirectly, and itself."""
    for position in range(open_count):
        bits[REACHED, position] = bits[GRAPH, position] | 1 << position
    for through in range(open_count):
        for position in range(open_count):
            if bits[REACHED, position] >> through & 1:
                bits[REACHED, position] |= bits[REACHED, through]


@compiled
def count_resolutions(open_count):
    """Return the number of resolutions of all open decisions, multiplied over independent groups; -1 if there are too many."""
    total = 1
    done = 0
    for position in range(open_count):
        if done >> position & 1 == 0:
            part = bits[REACHED, position]
            grown = True
            while grown:
                grown = False
                for other in range(open_count):
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
    """Return a number scrambled by a one-to-one function (SplitMix64)."""
    number = (number + 1) * numpy.int64(-7046029254386353131)
    number = (number ^ number >> 30) * numpy.int64(-4658895280553007687)
    number = (number ^ number >> 27) * numpy.int64(-7723592293110705685)
    return number ^ number >> 31


@compiled
def rank_in_core(core_bits, open_count, open_index):
    """Return how many members of a core precede one open decision in the sequence of decision numbers."""
    count = 0
    for other in range(open_count):
        if core_bits >> other & 1 and at[OPEN, other] < at[OPEN, open_index]:
            count += 1
    return count


@called
def signature_of(core_bits, open_count, salt):
    """Return a hash, varied by `salt`, that is equal for cores with alike decisions, equations and shared provinces.

    Together, the hashes for two values of `salt` distinguish all other cores.
    """
    total = mix_bits(salt)
    for position in range(open_count):
        if core_bits >> position & 1 == 0:
            continue
        d = at[OPEN, position]
        me = mix_bits(salt + 1 + rank_in_core(core_bits, open_count, position))
        facts = at[KIND, d]
        if at[SUPPORTS_HOLD, d] == 1:
            facts |= 4
        if at[KIND, d] == MOVE and is_convoyed(LOWEST, LOWEST, d):
            facts |= 8
        total += mix_bits(me + facts)
        for other in range(open_count):
            if core_bits >> other & 1:
                e, them = at[OPEN, other], 8 * (1 + rank_in_core(core_bits, open_count, other))
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
                    inside = inside and core_bits >> inputs[position, 1 + number] & 1 == 1
                    chosen |= numpy.int64(1) << rank_in_core(core_bits, open_count, inputs[position, 1 + number])
            if inside:
                total += mix_bits(me ^ mix_bits(8 * chosen + 4))
    return total


@compiled
def is_in_core(open_count, open_index):
    """Return whether an open decision is in a core: every open decision on which it depends also depends on it."""
    for other in range(open_count):
        if bits[REACHED, open_index] >> other & 1 and bits[REACHED, other] != bits[REACHED, open_index]:
            return False
    return True


@compiled
def members_of_kind(core_bits, open_count, order_kind):
    """Return, as bits, the members of a core whose orders are of a kind; bit n is the open decision with index n."""
    found = numpy.int64(0)
    for position in range(open_count):
        if core_bits >> position & 1 and at[KIND, at[OPEN, position]] == order_kind:
            found |= numpy.int64(1) << position
    return found


@compiled
def rule_on(core_bits, open_count, resolution_count):
    """Return a core's rule (NONE: not needed; LEAVE: for Python; NO_ANSWER) and, as bits, decisions settled and their values.

    This is `satjudge.judging.backup.rule_on` for cores without trains and canals. In place of the rule, it returns NONE if the
    core needs no rule, LEAVE if Python must decide, or NO_ANSWER if the rulebook has no answer.
    """
    nothing = numpy.int64(0)
    if resolution_count == 1:
        return numpy.int64(NONE), core_bits, bits[FOUND, 0]
    if resolution_count == NONE:
        return numpy.int64(LEAVE), nothing, nothing
    moves, convoys = members_of_kind(core_bits, open_count, MOVE), members_of_kind(core_bits, open_count, CONVOY)
    supports = core_bits & ~moves & ~convoys
    if moves == core_bits:
        return numpy.int64(BY_CIRCLE), core_bits, core_bits
    if convoys != 0:
        if CONVOYS_FAIL:
            return numpy.int64(BY_PARADOX), convoys, nothing
        if WITHOUT_CONVOYS and resolution_count == 2 and (bits[FOUND, 0] & convoys == 0) != (bits[FOUND, 1] & convoys == 0):
            values = bits[FOUND, 0] if bits[FOUND, 0] & convoys == 0 else bits[FOUND, 1]
            return numpy.int64(BY_PARADOX), core_bits, values
        if ALL_HOLD:
            return numpy.int64(BY_PARADOX), moves | convoys, nothing
        return numpy.int64(NO_ANSWER), nothing, nothing
    if SUPPORTS_ALIKE:
        return numpy.int64(BY_SUPPORTS), supports, supports if SUPPORTS_GIVEN else nothing
    if OTHERS_FAIL:
        return numpy.int64(BY_FAILURE), moves | supports, nothing
    return numpy.int64(NO_ANSWER), nothing, nothing


@called
def note_core(core_bits, open_count, board, rule, round_number):
    """Append a core to `cores`: its board, backup rule and round, the columns of its units as bits, and its signature."""
    row = counters[CORES]
    counters[CORES] += 1
    cores[row, 0] = board
    cores[row, 1] = rule
    cores[row, 2] = round_number
    cores[row, 3] = 0
    for other in range(open_count):
        if core_bits >> other & 1:
            cores[row, 3] |= numpy.int64(1) << at[COLUMN, at[PLACE, at[OPEN, other]]]
    for part in range(2):
        cores[row, 4 + part] = signature_of(core_bits, open_count, 1 + part)


@called
def settle_cores(decision_count, open_count, board):
    """Settle a board's cores in turn; return its number of resolutions before any rule, LEAVE (too complex) or NO_ANSWER.

    Returns LEAVE if the board is too complex for the kernel, and NO_ANSWER if the rulebook has no answer.
    """
    total = numpy.int64(NONE)
    turn = 0
    while open_count:
        if open_count > MOST_OPEN:
            return numpy.int64(LEAVE)
        for d in range(decision_count):
            at[TRIED, d] = at[LOWEST, d]
        for position in range(open_count):
            if not fill_truth_table(open_count, position):
                return numpy.int64(LEAVE)
            bits[GRAPH, position] = read_decisions(position)
        find_reachable(open_count)
        if total == NONE:
            total = numpy.int64(count_resolutions(open_count))
            if total == NONE:
                return numpy.int64(LEAVE)
        settled = False
        done = 0
        for position in range(open_count):
            core = bits[REACHED, position]
            if done >> position & 1 or not is_in_core(open_count, position):
                continue
            done |= core
            count = find_resolutions(core)
            rule, which, values = rule_on(core, open_count, count)
            if rule < NONE:
                return rule
            if counters[CORES] == cores.shape[0]:
                return numpy.int64(LEAVE)
            note_core(core, open_count, board, rule, turn)
            for other in range(open_count):
                if which >> other & 1:
                    d = at[OPEN, other]
                    at[HIGHEST, d] = at[LOWEST, d] = values >> other & 1
                    settled = True
        if not settled:
            return numpy.int64(LEAVE)
        open_count = settle_decisions(decision_count)
        turn += 1
    return total


# ---- outcomes: results of orders and places of units, from settled decisions ----


@compiled
def result_of(decision_number):
    """Return the result of a decision's legal order, as a column (0 to 2) of `satjudge.judging.outcome.RESULTS`."""
    if at[KIND, decision_number] == CONVOY and at[MATCH, decision_number] == NONE:
        return 0
    if at[LOWEST, decision_number] == 1:
        return 2
    if at[KIND, decision_number] == MOVE:
        return 1 if at[SAILS, decision_number] == 1 or not is_convoyed(LOWEST, LOWEST, decision_number) else 0
    if at[KIND, decision_number] == CONVOY:
        return 1
    return 1 if is_matched(LOWEST, LOWEST, decision_number) else 0


@compiled
def record_orders(board):
    """Record a board's results, units afterwards and contested provinces; list in OPEN moves that dislodge; return how many.

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
def find_retreats(unit, barred_province, retreat_row):
    """Mark in a row of `retreats` where a unit may retreat (DATC 4.A.5), except `barred_province`; return whether anywhere."""
    anywhere = False
    for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
        location = spots[EXIT, number]
        place = spots[PLACE_OF_LOCATION, location]
        if place != barred_province and at[CONTESTED, place] == NONE and at[OCCUPIED, place] == NONE:
            retreats[retreat_row, location] = True
            anywhere = True
    return anywhere


@called
def record_outcome(board):
    """Record the outcome of a board in the arrays: results, dislodged units and their retreats."""
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
    """Judge every pending board, and record its outcome and status; a board that lacks facts stays pending."""
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
