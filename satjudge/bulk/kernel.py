"""Judges boards one by one in the scratch matrix of `bulk.arrays`: legality, decisions, cores and outcomes.

These functions are compiled once for each rulebook, with its equations (`satjudge.bulk.compiling`). What they know of orders
is in tables that the plain path filled in (`satjudge.bulk.known`); what is not there yet they note as wanted, and leave the
board.
"""

# the equations, and `compiled`, are there when this is compiled
# mypy: ignore-errors

from __future__ import annotations

from satjudge.bulk.arrays import *

# ---- tables ----

slot_of = compiled(slot_of)


@compiled
def find(table, key):
    """Find the slot of a key in a hash table; -1 if the table does not hold it."""
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
def want(wanted, counters, what, key):
    """Note a fact that is wanted of the plain path, if there is room."""
    count = counters[WANTS]
    if count < wanted.shape[0]:
        wanted[count, 0] = what
        wanted[count, 1] = key
        counters[WANTS] = count + 1


@compiled
def answer(ways, question, fleets):
    """Tell whether fleets stand in all waters of some way."""
    for way in range(ways[0, question], ways[0, question + 1]):
        if ways[1, way] & ~fleets == 0:
            return True
    return False


# ---- the situation ----


@compiled
def clear(at, provinces):
    """Clear the places of the board before."""
    for place in range(provinces):
        for row in range(OF_PLACES):
            at[row, place] = NONE


@compiled
def place_units(spots, entries, at, units, powers, orders, board):
    """Put the units of a board in their places, and return the bits of fleets that could convoy, or -1 for a misplaced unit."""
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
def in_full(entries, aliases, ways, at, place, fleets, order, wanted, counters):
    """Return the number of an order in full if it is legal; else ILLEGAL_MOVE, ILLEGAL, LEAVE or WANTED."""
    unit, other = at[STATE, place], entries[order, OTHER_PLACE]
    own, helped = 0, numpy.int64(NONE)
    if other != NONE:
        own = 1 if at[OWNER, other] == at[OWNER, place] else 0
        helped = numpy.int64(at[STATE, other])
    if entries[order, OWN_UNIT] == unit and entries[order, OTHER_UNIT] == helped:
        when, legal = numpy.int64(entries[order, LEGAL + own]), numpy.int64(entries[order, IN_FULL])
        counts = numpy.int64(entries[order, COUNTS_AS_MOVE])
        if when == UNASKED:
            want(wanted, counters, ENTRIES, order)
            return WANTED
    else:
        key = ((numpy.int64(order) * 512 + unit) * 512 + helped + 1) * 2 + own
        slot = find(aliases, key)
        if slot == NONE:
            want(wanted, counters, ALIASES, key)
            return WANTED
        when, legal, counts = aliases[slot, 1], aliases[slot, 2], aliases[slot, 3]
    if when == ALWAYS or (when >= 0 and answer(ways, when, fleets)):
        return legal
    doubtful = SUPERFLUOUS_CONVOYS and when >= 0 and entries[legal, ORDER_KIND] == CONVOY  # `ways` are proper routes alone
    if when == PLAINLY or doubtful:
        return LEAVE
    return ILLEGAL_MOVE if counts == 1 else ILLEGAL


@compiled
def decide(entries, at, order, place, d):
    """Enter a decision about an order in full, with its unit in this place."""
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
def connect(links, at, last, wanted, counters):
    """Tie supports and convoys to the moves that they match, and moves to those in the opposite direction."""
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
            slot = find(links, key)
            if slot == NONE:
                want(wanted, counters, LINKS, key)
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


@compiled
def lay_routes(spots, crossings, legs, at, last, wanted, counters):
    """List the routes of each move; WANTED if some are not known yet, LEAVE if there are too many."""
    route = 0
    at[FIRST_LEG, 0] = 0
    for d in range(last):
        at[FIRST_ROUTE, d] = route
        if at[KIND, d] != MOVE or at[FIRST_CONVOY, d] == NONE:
            continue
        fleets = 0
        convoy = at[FIRST_CONVOY, d]
        while convoy != NONE:
            fleets |= spots[FLEET_BIT, at[STATE, at[PLACE, convoy]]]
            convoy = at[NEXT_CONVOY, convoy]
        key = fleets << 14 | (at[PLACE, d] << 7 | at[DESTINATION, d])
        slot = find(crossings, key)
        if slot == NONE:
            want(wanted, counters, ROUTES, key)
            return WANTED
        for number in range(crossings[slot, 1], crossings[slot, 2]):
            leg = at[FIRST_LEG, route]
            if route + 1 > MOST_ROUTES or leg + legs[0, number + 1] - legs[0, number] > MOST_LEGS:
                return LEAVE
            for step in range(legs[0, number], legs[0, number + 1]):
                at[LEG, leg] = at[DECIDED, legs[1, step]]
                leg += 1
            route += 1
            at[FIRST_LEG, route] = leg
    at[FIRST_ROUTE, last] = route
    return SETTLED


@compiled
def has_no_order(spots, at, units, orders, board, owner):
    """Tell whether nobody gives an order for this power."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0 and orders[board, column] != NONE:
            if at[OWNER, spots[PLACE_OF_UNIT, units[board, column]]] == owner:
                return False
    return True


@compiled
def leave_unsupported(spots, at, units, orders, board):
    """Mark the units of powers that give no order, which cannot be supported (4.D.9)."""
    for column in range(units.shape[1]):
        if units[board, column] >= 0:
            place = spots[PLACE_OF_UNIT, units[board, column]]
            if has_no_order(spots, at, units, orders, board, at[OWNER, place]):
                at[UNSUPPORTABLE, place] = 1


@compiled
def pose(
    spots, entries, aliases, links, crossings, legs, ways, at, units, powers, orders, board, provinces, wanted, counters
):  # fmt: skip
    """Make the situation of a board, and return its number of decisions; else MISTAKE, LEAVE or WANTED."""
    clear(at, provinces)
    fleets = place_units(spots, entries, at, units, powers, orders, board)
    if fleets == NONE:
        return MISTAKE
    if UNSUPPORTED_IN_DISORDER:
        leave_unsupported(spots, at, units, orders, board)
    last = 0
    trouble = 0
    for column in range(units.shape[1]):
        order = orders[board, column]
        if order < 0:
            continue
        place = spots[PLACE_OF_UNIT, units[board, column]]
        legal = in_full(entries, aliases, ways, at, place, fleets, order, wanted, counters)
        if legal == ILLEGAL_MOVE:
            at[UNSUPPORTABLE, place] = 1
        elif legal < 0:
            trouble = min(trouble, legal)
        elif entries[legal, ORDER_KIND] == HOLD:
            at[DECIDED, place] = HELD - legal
        else:
            decide(entries, at, legal, place, last)
            last += 1
    if trouble < ILLEGAL:
        return trouble
    if not connect(links, at, last, wanted, counters):
        return WANTED
    laid = lay_routes(spots, crossings, legs, at, last, wanted, counters)
    return last if laid == SETTLED else laid


# ---- settling by partial information (DATC 5.E) ----


@called
def settle(at, last):
    """Settle decisions by bounds, list the open ones in the row OPEN, and return their number."""
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
            if decision(at, LOWEST, HIGHEST, d):  # more succeed than fail
                at[LOWEST, d] = 1
            elif not decision(at, HIGHEST, LOWEST, d):
                at[HIGHEST, d] = 0
            else:
                at[OPEN, rest] = d
                rest += 1
        progress = rest < still_open
        still_open = rest
    return still_open


# ---- cores (DATC 5.B.9): truth tables of the equations of open decisions, by what they read ----


@called
def tabulate(at, inputs, tables, still_open, position):
    """Fill in the truth table of an open decision by the open decisions that it reads; false if these are too many.

    Evaluations note in the row READ what they read; whatever the table depends on is read under some values of the others.
    """
    d = at[OPEN, position]
    count = 0
    assignment = 0
    while assignment < 1 << count:
        for number in range(count):
            at[TRIED, at[OPEN, inputs[position, 1 + number]]] = assignment >> number & 1
        for other in range(still_open):
            at[READ, at[OPEN, other]] = 0
        tables[position, assignment] = 1 if decision_noting(at, TRIED, TRIED, d) else 0
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
def looked_at(inputs, tables, position):
    """Return the bits of the open decisions that this one looks at: those that change its table."""
    found = 0
    for number in range(inputs[position, 0]):
        for assignment in range(1 << inputs[position, 0]):
            if tables[position, assignment] != tables[position, assignment ^ (1 << number)]:
                found |= 1 << inputs[position, 1 + number]
    return found


@compiled
def holds(inputs, tables, position, values):
    """Tell whether the equation of an open decision holds under these values of all open ones."""
    assignment = 0
    for number in range(inputs[position, 0]):
        assignment |= (values >> inputs[position, 1 + number] & 1) << number
    return tables[position, assignment] == values >> position & 1


@called
def resolve(inputs, tables, bits, members):
    """Find all resolutions of some open decisions that look at no others, successes first; -1 if that takes long."""
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
            if bits[CHECKED, number] == depth and not holds(inputs, tables, bits[MEMBER, number], values):
                fine = False
        if fine:
            depth += 1
            if depth < size:
                bits[TRIES, depth] = 0
    return count


@compiled
def reach(bits, still_open):
    """Find all open decisions that can be reached from each by looking at others, itself included."""
    for position in range(still_open):
        bits[REACHED, position] = bits[GRAPH, position] | 1 << position
    for through in range(still_open):
        for position in range(still_open):
            if bits[REACHED, position] >> through & 1:
                bits[REACHED, position] |= bits[REACHED, through]


@compiled
def count_resolutions(inputs, tables, bits, still_open):
    """Count the resolutions of all open decisions: the product over parts that do not look at each other."""
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
            count = resolve(inputs, tables, bits, part)
            if count == NONE:
                return NONE
            total *= count
            if total > 10_000:
                return NONE
    return total


@compiled
def mixed(number):
    """Mix the bits of a number, one to one (SplitMix64)."""
    number = (number + 1) * numpy.int64(-7046029254386353131)
    number = (number ^ number >> 30) * numpy.int64(-4658895280553007687)
    number = (number ^ number >> 27) * numpy.int64(-7723592293110705685)
    return number ^ number >> 31


@compiled
def rank(at, core, still_open, position):
    """Count the members of a core that come before an open decision, in the order of decisions."""
    count = 0
    for other in range(still_open):
        if core >> other & 1 and at[OPEN, other] < at[OPEN, position]:
            count += 1
    return count


@called
def signature_of(at, inputs, tables, core, still_open, salt):
    """Compute a number that cores share if they have the same kinds of decisions, equations and meetings of places.

    Two numbers, for two salts, are shared by no others.
    """
    total = mixed(salt)
    for position in range(still_open):
        if core >> position & 1 == 0:
            continue
        d = at[OPEN, position]
        me = mixed(salt + 1 + rank(at, core, still_open, position))
        facts = at[KIND, d]
        if at[SUPPORTS_HOLD, d] == 1:
            facts |= 4
        if at[KIND, d] == MOVE and convoyed(at, LOWEST, LOWEST, d):
            facts |= 8
        total += mixed(me + facts)
        for other in range(still_open):
            if core >> other & 1:
                e, them = at[OPEN, other], 8 * (1 + rank(at, core, still_open, other))
                if at[DESTINATION, d] == at[PLACE, e]:
                    total += mixed(me ^ mixed(them + 1))
                if at[SUPPORTED, d] == at[PLACE, e]:
                    total += mixed(me ^ mixed(them + 2))
                if at[MATCH, d] == e:
                    total += mixed(me ^ mixed(them + 3))
        for assignment in range(1 << inputs[position, 0]):
            chosen = numpy.int64(0)
            inside = tables[position, assignment] == 1
            for number in range(inputs[position, 0]):
                if assignment >> number & 1:
                    inside = inside and core >> inputs[position, 1 + number] & 1 == 1
                    chosen |= numpy.int64(1) << rank(at, core, still_open, inputs[position, 1 + number])
            if inside:
                total += mixed(me ^ mixed(8 * chosen + 4))
    return total


@compiled
def is_closed(bits, still_open, position):
    """Tell whether an open decision is in a core: every decision that can be reached from it reaches it too."""
    for other in range(still_open):
        if bits[REACHED, position] >> other & 1 and bits[REACHED, other] != bits[REACHED, position]:
            return False
    return True


@compiled
def of_kind(at, core, still_open, kind):
    """Return the bits of the members of a core that are decisions of a kind."""
    found = numpy.int64(0)
    for position in range(still_open):
        if core >> position & 1 and at[KIND, at[OPEN, position]] == kind:
            found |= numpy.int64(1) << position
    return found


@compiled
def rule_on(at, bits, core, still_open, count):
    """Find what becomes of a core with so many resolutions: the rule, the decisions that get values, and these values.

    It is `satjudge.judging.backup.rule_on` of cores without trains and canals. In place of the rule there is NONE if the core
    needs none; or LEAVE, NO_ANSWER.
    """
    nothing = numpy.int64(0)
    if count == 1:
        return numpy.int64(NONE), core, bits[FOUND, 0]
    if count == NONE:
        return numpy.int64(LEAVE), nothing, nothing
    moves, convoys = of_kind(at, core, still_open, MOVE), of_kind(at, core, still_open, CONVOY)
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
def note_core(at, inputs, tables, core, still_open, board, rule, turn, counters, cores):
    """Write a core down: its board, the rule, the round, the columns of its units as bits, and its signature."""
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
        cores[row, 4 + part] = signature_of(at, inputs, tables, core, still_open, 1 + part)


@called
def settle_cores(at, inputs, tables, bits, last, still_open, board, counters, cores):
    """Settle core after core, and return the number of resolutions before any ruling.

    LEAVE what is too large, NO_ANSWER where the rulebook has none.
    """
    total = numpy.int64(NONE)
    turn = 0
    while still_open:
        if still_open > MOST_OPEN:
            return numpy.int64(LEAVE)
        for d in range(last):
            at[TRIED, d] = at[LOWEST, d]
        for position in range(still_open):
            if not tabulate(at, inputs, tables, still_open, position):
                return numpy.int64(LEAVE)
            bits[GRAPH, position] = looked_at(inputs, tables, position)
        reach(bits, still_open)
        if total == NONE:
            total = numpy.int64(count_resolutions(inputs, tables, bits, still_open))
            if total == NONE:
                return numpy.int64(LEAVE)
        settled = False
        done = 0
        for position in range(still_open):
            core = bits[REACHED, position]
            if done >> position & 1 or not is_closed(bits, still_open, position):
                continue
            done |= core
            count = resolve(inputs, tables, bits, core)
            rule, which, values = rule_on(at, bits, core, still_open, count)
            if rule < NONE:
                return rule
            if counters[CORES] == cores.shape[0]:
                return numpy.int64(LEAVE)
            note_core(at, inputs, tables, core, still_open, board, rule, turn, counters, cores)
            for other in range(still_open):
                if which >> other & 1:
                    d = at[OPEN, other]
                    at[HIGHEST, d] = at[LOWEST, d] = values >> other & 1
                    settled = True
        if not settled:
            return numpy.int64(LEAVE)
        still_open = settle(at, last)
        turn += 1
    return total


# ---- outcomes: what settled decisions make of orders and units ----


@compiled
def result_of(at, d):
    """Return the result of a legal order: the column in the table `satjudge.judging.outcome.RESULTS` of its kind."""
    if at[KIND, d] == CONVOY and at[MATCH, d] == NONE:
        return 0
    if at[LOWEST, d] == 1:
        return 2
    if at[KIND, d] == MOVE:
        return 1 if at[FIRST_ROUTE, d] < at[FIRST_ROUTE, d + 1] or not convoyed(at, LOWEST, LOWEST, d) else 0
    if at[KIND, d] == CONVOY:
        return 1
    return 1 if matched(at, LOWEST, LOWEST, d) else 0


@compiled
def tell_orders(spots, entries, at, units, orders, board, told, contested):
    """Write down the results of the orders of a board, where its units are, and where nobody may retreat.

    The number of moves that dislodge a unit, which are listed in the row OPEN.
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
            told[RESULT, board, column] = RESULT_TABLE[at[KIND, d], result_of(at, d)]
            if at[KIND, d] == MOVE:
                if at[LOWEST, d] == 1:
                    place = at[DESTINATION, d]
                    after = entries[at[ORDER, d], UNIT_AFTER]
                    leaving = at[MOVE_OUT, place]
                    if at[OWNER, place] != NONE and (leaving == NONE or at[LOWEST, leaving] == 0):
                        at[OPEN, count] = d
                        count += 1
                elif prevent(at, LOWEST, LOWEST, d) > 0:
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
def find_retreats(spots, at, unit, barred, retreats, row):
    """Mark the locations to which a dislodged unit may retreat (DATC 4.A.5), and tell whether there are any."""
    anywhere = False
    for number in range(spots[FIRST_EXIT, unit], spots[FIRST_EXIT, unit + 1]):
        location = spots[EXIT, number]
        place = spots[PLACE_OF_LOCATION, location]
        if place != barred and at[CONTESTED, place] == NONE and at[OCCUPIED, place] == NONE:
            retreats[row, location] = True
            anywhere = True
    return anywhere


@called
def tell(spots, entries, at, board, units, orders, told, contested, dislodged, retreats, counters):
    """Write down the outcome of a board."""
    for position in range(tell_orders(spots, entries, at, units, orders, board, told, contested)):
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
        free = FREE_AFTER_CONVOY and convoyed(at, LOWEST, LOWEST, move)
        barred = NONE if free else at[PLACE, move]
        if not (DISBANDED_IN_DISORDER and has_no_order(spots, at, units, orders, board, at[OWNER, place])):
            if find_retreats(spots, at, at[STATE, place], barred, retreats, row):
                told[FATE, board, column] = 1


# ---- all boards ----


@called
def list_legal_orders(
    spots, entries, aliases, ways, first_order, units, powers, orders, status, listed, wanted, counters, at
):  # fmt: skip
    """Mark the legal orders of each unit, as they stand in the vocabulary."""
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        clear(at, at.shape[0] // PITCH)
        fleets = place_units(spots, entries, at, units, powers, orders, board)
        if fleets == NONE:
            status[board] = MISTAKEN
            continue
        state = SETTLED
        for column in range(units.shape[1]):
            unit = units[board, column]
            if unit < 0:
                continue
            for order in range(first_order[unit], first_order[unit + 1]):
                other = entries[order, OTHER_PLACE]
                if other != NONE and at[STATE, other] != entries[order, OTHER_UNIT]:
                    continue
                place = spots[PLACE_OF_UNIT, unit]
                found = in_full(entries, aliases, ways, at, place, fleets, order, wanted, counters)
                listed[board, order] = found == order
                if found == WANTED:
                    state = PENDING
                elif found == LEAVE and state == SETTLED:
                    state = LEFT
        status[board] = state


@called
def draw_order(spots, entries, aliases, ways, first_order, at, fleets, unit, seed, wanted, counters):
    """Draw a legal order of a unit by trying any until one is legal: the order or WANTED, and the seed from then on.

    An order `VIA` that is legal wherever fleets are is none that is listed (`Judge.legal_orders`).
    """
    first, count = numpy.int64(first_order[unit]), numpy.int64(first_order[unit + 1] - first_order[unit])
    for tried in range(MOST_TRIES):
        seed += 1
        order = first + ((mixed(seed) >> 32 & 0x7FFFFFFF) * count >> 31)
        other = entries[order, OTHER_PLACE]
        if other != NONE and at[STATE, other] != entries[order, OTHER_UNIT]:
            continue
        idle = entries[order, ORDER_VIA] == 1 and entries[order, LEGAL] == ALWAYS
        found = in_full(entries, aliases, ways, at, spots[PLACE_OF_UNIT, unit], fleets, order, wanted, counters)
        if found == WANTED:
            return numpy.int64(WANTED), numpy.int64(seed), numpy.int64(tried)
        if found == order and not idle:
            return numpy.int64(order), numpy.int64(seed), numpy.int64(tried)
    return numpy.int64(NONE), numpy.int64(seed), numpy.int64(MOST_TRIES)


@called
def draw_orders(
    spots, entries, aliases, ways, first_order, units, powers, orders, status, drawn, seeds, wanted, counters, at
):  # fmt: skip
    """Draw an order for each unit of every board that is pending, evenly among its legal ones."""
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        clear(at, at.shape[0] // PITCH)
        fleets = place_units(spots, entries, at, units, powers, orders, board)
        if fleets == NONE:
            status[board] = MISTAKEN
            continue
        seed = mixed(seeds[board])
        state = SETTLED
        for column in range(units.shape[1]):
            if units[board, column] >= 0:
                order, seed, tried = draw_order(
                    spots, entries, aliases, ways, first_order, at, fleets, units[board, column], seed, wanted, counters
                )  # fmt: skip
                if order == WANTED:
                    state = PENDING
                drawn[board, column] = order
        status[board] = state


@called
def judge_boards(
    spots, entries, aliases, links, crossings, legs, ways, units, powers, orders, status, told, contested, resolutions,
    dislodged, retreats, cores, wanted, counters, at, inputs, tables, bits
):  # fmt: skip
    """Judge every board that is pending."""
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        cores_before = counters[CORES]
        total = numpy.int64(1)
        still_open = 0
        last = pose(
            spots, entries, aliases, links, crossings, legs, ways, at, units, powers, orders, board, contested.shape[1], wanted,
            counters
        )  # fmt: skip
        if last < 0:
            total = numpy.int64(last)
        else:
            still_open = settle(at, last)
            if still_open:
                total = settle_cores(at, inputs, tables, bits, last, still_open, board, counters, cores)
        if total >= 0:
            resolutions[board] = total
            status[board] = WITH_CORES if still_open else SETTLED
            tell(spots, entries, at, board, units, orders, told, contested, dislodged, retreats, counters)
            continue
        counters[CORES] = cores_before
        if total != WANTED:
            status[board] = LEFT if total == LEAVE else UNRESOLVED if total == NO_ANSWER else MISTAKEN
