"""Judges boards one by one in the scratch matrix of `bulk.arrays`: which orders count, what is settled, what becomes of it.

These functions are compiled once for each rulebook, with its equations (`satjudge.bulk.compiling`). What they know of orders
is in tables that the plain path filled in (`satjudge.bulk.known`); what is not there yet they note as wanted, and leave the
board.
"""

# the equations, and `compiled`, are there when this is compiled
# mypy: ignore-errors

from __future__ import annotations

from satjudge.bulk.arrays import *

# ---- tables ----


@compiled
def find(table, key):
    """Where a key stands in a hash table; -1 if it does not."""
    mask = table.shape[1] - 1
    slot = (key ^ (key >> 15) ^ (key >> 31) ^ (key >> 47)) & mask
    while table[0, slot] != key:
        if table[0, slot] == NONE:
            return NONE
        slot = (slot + 1) & mask
    return slot


@called
def want(wanted, counters, what, key):
    """Note what is wanted, if there is room."""
    count = counters[2]
    if count < wanted.shape[0]:
        wanted[count, 0] = what
        wanted[count, 1] = key
        counters[2] = count + 1


@compiled
def answer(first_way, ways, question, fleets):
    """Whether fleets stand in all waters of some way."""
    for way in range(first_way[question], first_way[question + 1]):
        if ways[way] & ~fleets == 0:
            return True
    return False


# ---- the situation ----


@compiled
def clear(at, provinces):
    """Forget the board before."""
    for row in range(OF_PLACES):
        for place in range(provinces):
            at[row, place] = NONE


@compiled
def place_units(of_units, fleet_bits, at, units, powers, board):
    """Put the units of a board in their places; the bits of those that could convoy, or -1 if two stand in one place."""
    fleets = 0
    for column in range(units.shape[1]):
        unit = units[board, column]
        if unit >= 0:
            place = of_units[unit]
            if at[OWNER, place] != NONE:
                return NONE
            at[OWNER, place] = powers[board, column]
            at[STATE, place] = unit
            at[COLUMN, place] = column
            fleets |= fleet_bits[unit]
    return fleets


@compiled
def in_full(entries, aliases, first_way, ways, at, place, fleets, order, wanted, counters):
    """The number of an order in full where it is legal; ILLEGAL, LEAVE or WANTED."""
    unit, other = at[STATE, place], entries[order, OTHER_PLACE]
    own = 1 if other != NONE and at[OWNER, other] == at[OWNER, place] else 0
    helped = NONE if other == NONE else at[STATE, other]
    if entries[order, OWN_UNIT] == unit and entries[order, OTHER_UNIT] == helped:
        when, legal = entries[order, LEGAL + own], entries[order, IN_FULL]
        if when == UNASKED:
            want(wanted, counters, ENTRIES, order)
            return WANTED
    else:
        key = ((numpy.int64(order) * 512 + unit) * 512 + helped + 1) * 2 + own
        slot = find(aliases, key)
        if slot == NONE:
            want(wanted, counters, ALIASES, key)
            return WANTED
        when, legal = aliases[1, slot], aliases[2, slot]
    if when == ALWAYS or (when >= 0 and answer(first_way, ways, when, fleets)):
        return legal
    doubtful = SUPERFLUOUS_CONVOYS and when >= 0 and entries[legal, ORDER_KIND] == CONVOY  # `ways` are proper routes alone
    return LEAVE if when == PLAINLY or doubtful else ILLEGAL


@compiled
def decide(entries, at, order, place, d):
    """A decision about an order in full, its unit in this place."""
    kind, target, other = entries[order, ORDER_KIND], entries[order, ORDER_TARGET], entries[order, OTHER_PLACE]
    at[KIND, d] = kind
    at[ORDER, d] = order
    at[PLACE, d] = place
    at[UNIT_COLUMN, d] = at[COLUMN, place]
    at[DESTINATION, d] = target
    at[SUPPORTED, d] = other
    at[DIRECTED_AT, d] = target
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
            if links[1, slot] & 1:
                at[MATCH, d] = move
                if at[KIND, d] == CONVOY:
                    at[NEXT_CONVOY, d] = at[FIRST_CONVOY, move]
                    at[FIRST_CONVOY, move] = d
                else:
                    at[NEXT_SUPPORT, d] = at[FIRST_SUPPORT, move]
                    at[FIRST_SUPPORT, move] = d
            if links[1, slot] & 2:
                at[MIGHT_BE_CONVOYED, move] = 1
    return True


@compiled
def lay_routes(routes, first_leg, legs, fleet_bits, at, last, wanted, counters):
    """List the routes of each move: their number, -1 if they are not known yet, or LEAVE if there are too many."""
    route = 0
    at[FIRST_LEG, 0] = 0
    for d in range(last):
        at[FIRST_ROUTE, d] = route
        if at[KIND, d] != MOVE or at[FIRST_CONVOY, d] == NONE:
            continue
        fleets = 0
        convoy = at[FIRST_CONVOY, d]
        while convoy != NONE:
            fleets |= fleet_bits[at[STATE, at[PLACE, convoy]]]
            convoy = at[NEXT_CONVOY, convoy]
        key = fleets << 14 | (at[PLACE, d] << 7 | at[DESTINATION, d])
        slot = find(routes, key)
        if slot == NONE:
            want(wanted, counters, ROUTES, key)
            return NONE
        for number in range(routes[1, slot], routes[2, slot]):
            leg = at[FIRST_LEG, route]
            if route + 1 > MOST_ROUTES or leg + first_leg[number + 1] - first_leg[number] > MOST_LEGS:
                return LEAVE
            for step in range(first_leg[number], first_leg[number + 1]):
                at[LEG, leg] = at[DECIDED, legs[step]]
                leg += 1
            route += 1
            at[FIRST_LEG, route] = leg
    at[FIRST_ROUTE, last] = route
    return route


# ---- settling by partial information (DATC 5.E) ----


@called
def settle(at, highest, lowest, last):
    """Settle what can be settled; the number of decisions that are left, which are listed in the row OPEN."""
    still_open = 0
    for moves in range(2):  # supports and convoys first: moves hang on them
        for d in range(last):
            if highest[d] != lowest[d] and (at[KIND, d] == MOVE) == (moves == 1):
                at[OPEN, still_open] = d
                still_open += 1
    progress = True
    while progress and still_open:
        rest = 0
        for position in range(still_open):
            d = at[OPEN, position]
            if not decision(at, highest, lowest, d):
                highest[d] = False
            elif decision(at, lowest, highest, d):
                lowest[d] = True
            else:
                at[OPEN, rest] = d
                rest += 1
        progress = rest < still_open
        still_open = rest
    return still_open


# ---- cores (DATC 5.B.9): truth tables of the equations of open decisions, by what they read ----


@called
def tabulate(at, tried, inputs, tables, still_open, position):
    """Fill in the truth table of an open decision by the open ones that its equation reads; whether they are few enough.

    Evaluations note in the row READ what they read; whatever the table depends on is read under some values of the others.
    """
    d = at[OPEN, position]
    count = 0
    assignment = 0
    while assignment < 1 << count:
        for number in range(count):
            tried[at[OPEN, inputs[position, 1 + number]]] = assignment >> number & 1 == 1
        for other in range(still_open):
            at[READ, at[OPEN, other]] = 0
        tables[position, assignment] = 1 if decision_noting(at, tried, tried, d) else 0
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
        tried[at[OPEN, inputs[position, 1 + number]]] = False
    inputs[position, 0] = count
    return True


@compiled
def looked_at(inputs, tables, position):
    """The bits of the open decisions that this one looks at: by which its table changes."""
    found = 0
    for number in range(inputs[position, 0]):
        for assignment in range(1 << inputs[position, 0]):
            if tables[position, assignment] != tables[position, assignment ^ (1 << number)]:
                found |= 1 << inputs[position, 1 + number]
    return found


@compiled
def holds(inputs, tables, position, values):
    """Whether the equation of an open decision holds under these values of all open ones."""
    assignment = 0
    for number in range(inputs[position, 0]):
        assignment |= (values >> inputs[position, 1 + number] & 1) << number
    return tables[position, assignment] == values >> position & 1


@called
def resolve(inputs, tables, graph, members, found, stack):
    """Find all resolutions of some open decisions that look at no others, successes first; -1 if that takes long."""
    count = depth = size = steps = 0
    for position in range(MOST_OPEN):
        if members >> position & 1:
            stack[0, size] = position
            size += 1
    for number in range(size):  # when the equation can be checked: as soon as everything it looks at has a value
        stack[1, number] = number
        for other in range(size):
            if graph[stack[0, number]] >> stack[0, other] & 1 and other > stack[1, number]:
                stack[1, number] = other
    values = 0
    stack[2, 0] = 0
    while depth >= 0:
        steps += 1
        if steps > MOST_STEPS:
            return NONE
        if depth == size:
            if count < found.shape[0]:
                found[count] = values
            count += 1
            depth -= 1
            continue
        position = stack[0, depth]
        stack[2, depth] += 1
        if stack[2, depth] == 1:
            values |= 1 << position
        elif stack[2, depth] == 2:
            values &= ~(1 << position)
        else:
            depth -= 1
            continue
        fine = True
        for number in range(depth + 1):
            if stack[1, number] == depth and not holds(inputs, tables, stack[0, number], values):
                fine = False
        if fine:
            depth += 1
            if depth < size:
                stack[2, depth] = 0
    return count


@compiled
def reach(graph, reached, still_open):
    """What is looked at from each open decision, step by step, itself included."""
    for position in range(still_open):
        reached[position] = graph[position] | 1 << position
    for through in range(still_open):
        for position in range(still_open):
            if reached[position] >> through & 1:
                reached[position] |= reached[through]


@compiled
def count_resolutions(inputs, tables, graph, reached, still_open, found, stack):
    """The number of resolutions of all open decisions: the product over parts that do not look at each other."""
    total = 1
    done = 0
    for position in range(still_open):
        if done >> position & 1 == 0:
            part = reached[position]
            grown = True
            while grown:
                grown = False
                for other in range(still_open):
                    if part & reached[other] and part | reached[other] != part:
                        part |= reached[other]
                        grown = True
            done |= part
            count = resolve(inputs, tables, graph, part, found, stack)
            if count == NONE:
                return NONE
            total *= count
            if total > 10_000:
                return NONE
    return total


@compiled
def key_of_ruling(at, core, found, count):
    """A core as the plain path's rulings see it: the kinds of its decisions, and its resolutions; -1 if it is too large."""
    size = 0
    kinds = 0
    for position in range(MOST_OPEN):
        if core >> position & 1:
            kinds |= numpy.int64(at[KIND, at[OPEN, position]]) << (2 * size)
            size += 1
    if count > 7 or 7 + size * (2 + count) > KEY_BITS:
        return numpy.int64(NONE)
    key = numpy.int64(kinds)
    width = 2 * size
    for number in range(count):
        for position in range(MOST_OPEN):
            if core >> position & 1:
                key |= (numpy.int64(found[number]) >> position & 1) << width
                width += 1
    return key << 7 | (count << 4 | size)


@compiled
def mixed(number):
    """Another number that says as much, with its bits all over the place (SplitMix64)."""
    number = (number + 1) * numpy.int64(-7046029254386353131)
    number = (number ^ number >> 30) * numpy.int64(-4658895280553007687)
    number = (number ^ number >> 27) * numpy.int64(-7723592293110705685)
    return number ^ number >> 31


@compiled
def rank(at, core, still_open, position):
    """How many members of a core come before an open decision, in the order of decisions."""
    count = 0
    for other in range(still_open):
        if core >> other & 1 and at[OPEN, other] < at[OPEN, position]:
            count += 1
    return count


@called
def signature_of(at, values, inputs, tables, core, still_open, salt):
    """A number that cores share if their decisions are of the same kinds, have the same equations and meet in the same places.

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
        if at[KIND, d] == MOVE and convoyed(at, values, values, d):
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


@called
def settle_cores(
    rulings, at, highest, lowest, tried, inputs, tables, graph, reached, found, stack, last, still_open, board, wanted,
    counters, told
):  # fmt: skip
    """Settle core after core; the number of resolutions that there were before any ruling.

    LEAVE what is too large, NO_ANSWER where the rulebook has none. `told` gets the cores: of a board, the rule of the ruling,
    the round, the columns of the units in the core as bits, and its signature.
    """
    total = numpy.int64(NONE)
    turn = 0
    while still_open:
        if still_open > MOST_OPEN:
            return numpy.int64(LEAVE)
        for d in range(last):
            tried[d] = lowest[d]
        for position in range(still_open):
            if not tabulate(at, tried, inputs, tables, still_open, position):
                return numpy.int64(LEAVE)
            graph[position] = looked_at(inputs, tables, position)
        reach(graph, reached, still_open)
        if total == NONE:
            total = numpy.int64(count_resolutions(inputs, tables, graph, reached, still_open, found, stack))
            if total == NONE:
                return numpy.int64(LEAVE)
        settled = False
        done = 0
        for position in range(still_open):
            core = reached[position]
            sink = done >> position & 1 == 0
            for other in range(still_open):
                if core >> other & 1 and reached[other] != core:
                    sink = False
            if not sink:
                continue
            done |= core
            count = resolve(inputs, tables, graph, core, found, stack)
            if count == NONE or count > found.shape[0]:
                return numpy.int64(LEAVE)
            which, values, rule = core, found[0], numpy.int64(NONE)
            if count != 1:
                key = key_of_ruling(at, core, found, count)
                if key == NONE:
                    return numpy.int64(LEAVE)
                slot = find(rulings, key)
                if slot == NONE:
                    want(wanted, counters, RULINGS, key)
                    return numpy.int64(WANTED)
                if rulings[3, slot] == NONE:
                    return numpy.int64(NO_ANSWER)
                rule = rulings[3, slot]
                which = numpy.int64(0)
                values = numpy.int64(0)
                member = 0
                for other in range(still_open):
                    if core >> other & 1:
                        which |= (rulings[1, slot] >> member & 1) << other
                        values |= (rulings[2, slot] >> member & 1) << other
                        member += 1
            if counters[1] == told.shape[0]:
                return numpy.int64(LEAVE)
            told[counters[1], 0] = board
            told[counters[1], 1] = rule
            told[counters[1], 2] = turn
            told[counters[1], 3] = 0
            for other in range(still_open):
                if core >> other & 1:
                    told[counters[1], 3] |= numpy.int64(1) << at[UNIT_COLUMN, at[OPEN, other]]
            for part in range(2):
                told[counters[1], 4 + part] = signature_of(at, lowest, inputs, tables, core, still_open, 1 + part)
            counters[1] += 1
            for other in range(still_open):
                if which >> other & 1:
                    d = at[OPEN, other]
                    highest[d] = lowest[d] = values >> other & 1 == 1
                    settled = True
        if not settled:
            return numpy.int64(LEAVE)
        still_open = settle(at, highest, lowest, last)
        turn += 1
    return total


# ---- outcomes: what settled decisions make of orders and units ----


@compiled
def result_of(at, values, d):
    """What became of a legal order: the column in the table `satjudge.outcome.RESULTS` of its kind."""
    if at[KIND, d] == CONVOY and at[MATCH, d] == NONE:
        return 0
    if values[d]:
        return 2
    if at[KIND, d] == MOVE:
        return 1 if at[FIRST_ROUTE, d] < at[FIRST_ROUTE, d + 1] or not convoyed(at, values, values, d) else 0
    if at[KIND, d] == CONVOY:
        return 1
    return 1 if matched(at, values, values, d) else 0


@compiled
def find_retreats(of_locations, first_exit, exits, at, unit, barred, retreats, row):
    """Where a dislodged unit may go (DATC 4.A.5); whether anywhere."""
    anywhere = False
    for number in range(first_exit[unit], first_exit[unit + 1]):
        location = exits[number]
        place = of_locations[location]
        if place != barred and at[CONTESTED, place] == NONE and at[OCCUPIED, place] == NONE:
            retreats[row, location] = True
            anywhere = True
    return anywhere


@called
def tell(
    entries, of_units, of_locations, first_exit, exits, result_table, at, values, last, board, units, orders,
    results, fates, attackers, after, counted, contested, lost, retreats, counters
):  # fmt: skip
    """Write down what became of a board."""
    for column in range(units.shape[1]):
        unit = units[board, column]
        if unit < 0:
            continue
        place = of_units[unit]
        d = at[DECIDED, place]
        after[board, column] = unit
        if d >= 0:
            counted[board, column] = at[ORDER, d]
            results[board, column] = result_table[at[KIND, d], result_of(at, values, d)]
            if at[KIND, d] == MOVE:
                if values[d]:
                    place = at[DESTINATION, d]
                    after[board, column] = entries[at[ORDER, d], UNIT_AFTER]
                elif prevent(at, values, values, d) > 0:
                    at[CONTESTED, at[DESTINATION, d]] = 1
                    contested[board, at[DESTINATION, d]] = True
        elif d <= HELD:
            counted[board, column] = HELD - d
            results[board, column] = result_table[HOLD, 0]
        elif orders[board, column] != NONE:
            results[board, column] = result_table[HOLD, 1]
        at[OCCUPIED, place] = 1
    for move in range(last):
        place = at[DESTINATION, move]
        if at[KIND, move] != MOVE or not values[move] or at[OWNER, place] == NONE:
            continue
        leaving = at[MOVE_OUT, place]
        if leaving == NONE or not values[leaving]:
            column = at[COLUMN, place]
            row = counters[0]
            counters[0] = row + 1
            lost[row, 0] = board
            lost[row, 1] = column
            attackers[board, column] = at[UNIT_COLUMN, move]
            after[board, column] = NONE
            free = FREE_AFTER_CONVOY and convoyed(at, values, values, move)
            barred = NONE if free else at[PLACE, move]
            disbanded = False
            if DISBANDED_IN_DISORDER:
                disbanded = True
                for other in range(units.shape[1]):
                    if units[board, other] >= 0 and orders[board, other] != NONE:
                        if at[OWNER, of_units[units[board, other]]] == at[OWNER, place]:
                            disbanded = False
            anywhere = False
            if not disbanded:
                anywhere = find_retreats(of_locations, first_exit, exits, at, at[STATE, place], barred, retreats, row)
            fates[board, column] = 1 if anywhere else 2


# ---- all boards ----


@called
def list_legal_orders(
    of_units, fleet_bits, entries, aliases, first_way, ways, first_order, units, powers, status, legal, wanted, counters, at
):  # fmt: skip
    """Find the orders that each unit may be given, as they stand in the vocabulary."""
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        clear(at, at.shape[1])
        fleets = place_units(of_units, fleet_bits, at, units, powers, board)
        if fleets == NONE:
            status[board] = MISTAKEN
            continue
        state = SETTLED
        for column in range(units.shape[1]):
            unit = units[board, column]
            if unit < 0:
                continue
            place = of_units[unit]
            for order in range(first_order[unit], first_order[unit + 1]):
                other = entries[order, OTHER_PLACE]
                if other != NONE and at[STATE, other] != entries[order, OTHER_UNIT]:
                    continue
                found = in_full(entries, aliases, first_way, ways, at, place, fleets, order, wanted, counters)
                legal[board, order] = found == order
                if found == WANTED:
                    state = PENDING
                elif found == LEAVE and state == SETTLED:
                    state = LEFT
        status[board] = state


@called
def judge_boards(
    of_units, fleet_bits, of_locations, first_exit, exits, entries, aliases, links, routes, first_leg, legs, first_way, ways,
    rulings, result_table, units, powers, orders, status, results, fates, attackers, after, counted, contested, resolutions,
    lost, retreats, told, wanted, counters, at, highest, lowest, tried, inputs, tables, graph, reached, found, stack
):  # fmt: skip
    """Judge every board that is pending."""
    provinces = contested.shape[1]
    for board in range(units.shape[0]):
        if status[board] != PENDING:
            continue
        clear(at, provinces)
        fleets = place_units(of_units, fleet_bits, at, units, powers, board)
        if fleets == NONE:
            status[board] = MISTAKEN
            continue
        last = 0
        state = PENDING
        ready = True
        for column in range(units.shape[1]):
            order = orders[board, column]
            if order < 0:
                continue
            unit = units[board, column]
            if unit < 0 or entries[order, OWN_PLACE] != of_units[unit]:
                state = MISTAKEN
                break
            place = of_units[unit]
            legal = in_full(entries, aliases, first_way, ways, at, place, fleets, order, wanted, counters)
            if legal >= 0:
                if entries[legal, ORDER_KIND] == HOLD:
                    at[DECIDED, place] = HELD - legal
                else:
                    decide(entries, at, legal, place, last)
                    at[DECIDED, place] = last
                    last += 1
            elif legal == WANTED:
                ready = False
            elif legal == LEAVE:
                state = LEFT
        if state != PENDING or not ready:
            status[board] = state
            continue
        if not connect(links, at, last, wanted, counters):
            continue
        laid = lay_routes(routes, first_leg, legs, fleet_bits, at, last, wanted, counters)
        if laid == NONE:
            continue
        if laid == LEAVE:
            status[board] = LEFT
            continue
        for d in range(last):
            highest[d] = True
            lowest[d] = False
        still_open = settle(at, highest, lowest, last)
        total = numpy.int64(1)
        if still_open:
            rulings_before = counters[1]
            total = settle_cores(
                rulings, at, highest, lowest, tried, inputs, tables, graph, reached, found, stack, last, still_open, board,
                wanted, counters, told
            )  # fmt: skip
            if total < 0:
                counters[1] = rulings_before
                if total != WANTED:
                    status[board] = UNRESOLVED if total == NO_ANSWER else LEFT
                continue
        resolutions[board] = total
        status[board] = WITH_CORES if still_open else SETTLED
        tell(
            entries, of_units, of_locations, first_exit, exits, result_table, at, lowest, last, board, units, orders, results,
            fates, attackers, after, counted, contested, lost, retreats, counters
        )  # fmt: skip
