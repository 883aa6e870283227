"""Draws boards over arrays: the compiled copy of `satjudge.research.boards` and `drafts`, draw for draw.

Every function is called as its pattern there and asks chance the same questions in the same order, so that a seed gives the
same board either way; a test holds that it does. It is for maps without railroads, canals and the like, and for legal orders.

Provinces, locations and units (a kind and a location) are numbers, and -1 is none. `known` is what an `Atlas` knows, `at` the
draft, `chance` the state of the random numbers, which are those of Python's `random`.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import NONE, Compiler
from satjudge.bulk.compiling import folder

compiled = Compiler(folder()).called

Known = NDArray[numpy.int32]
"""Lists one behind the other. Rows: where the lists of each relation begin among the starts; starts; values; and of steps,
which are a unit and a location, the location."""
At = NDArray[numpy.int32]
Chance = NDArray[numpy.int64]

RELATIONS, STARTS, VALUE, LOCATION = range(4)
# Relations, each from a province unless it says otherwise. Sets are lists of 0 or 1 for each province, and distances (to a
# goal) one number for each.
SPOTS, STEPS_FROM_UNIT, STEPS_INTO, STEPS_BETWEEN_PAIR, NEAR, SEAS_NEAR, SHORES, COASTS, IS_NEAR, IS_ON_SHORE, BY_LAND = range(
    11
)
DISTANCE, ALL_SEAS, PROVINCE_OF_LOCATION, PROVINCE_OF_UNIT, IS_FLEET, IS_SEA, ARMY_IN, FLEET_IN = range(11, 19)

# The rows of a draft. Of provinces: the unit, its power, and its order: the kind, where to, the other unit, whether by convoy.
UNIT, POWER, ORDER, TO, OTHER, VIA, ATTACKS = range(7)
OF_PROVINCES = 7
PLACED, FOUND, ALSO_FOUND, ROUTE, USABLE, PLOTS, MOVES, NUMBERS = range(7, 15)
"""Provinces in the order in which units were put; lists; and the numbers below."""
CROSSINGS = 15
"""Three rows, of new convoys: the army, the number of fleets, three of these, where it can land."""
ATTACKERS = 18
"""A row for each province: whence the moves come that are ordered into it."""
# Numbers: units that there are to be, that there are, powers.
SIZE, PUT, POWERS = range(3)
ARMY, FLEETS, FIRST_FLEET, LANDINGS, FIRST_LANDING = 0, 1, 2, 5, 6

HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY = range(5)
GENERAL, CONVOYS, CIRCLES, DENSE = range(4)

STATE, _SHIFT = 624, 397


# ---- the random numbers of Python: the Mersenne twister, as `random.Random` seeds and reads it ----


@compiled
def seed(chance: Chance, key: NDArray[numpy.uint32], length: int) -> None:
    """Begin anew from a key of so many words, as `Random.seed` does."""
    chance[0] = 19650218
    for i in range(1, STATE):
        chance[i] = (1812433253 * (chance[i - 1] ^ (chance[i - 1] >> 30)) + i) & 0xFFFFFFFF
    i, j = 1, 0
    for _ in range(max(STATE, length)):
        mixed = (chance[i - 1] ^ (chance[i - 1] >> 30)) * 1664525 & 0xFFFFFFFF
        chance[i] = ((chance[i] ^ mixed) + numpy.int64(key[j]) + j) & 0xFFFFFFFF
        i += 1
        j += 1
        if i >= STATE:
            chance[0] = chance[STATE - 1]
            i = 1
        if j >= length:
            j = 0
    for _ in range(STATE - 1):
        mixed = (chance[i - 1] ^ (chance[i - 1] >> 30)) * 1566083941 & 0xFFFFFFFF
        chance[i] = ((chance[i] ^ mixed) - i) & 0xFFFFFFFF
        i += 1
        if i >= STATE:
            chance[0] = chance[STATE - 1]
            i = 1
    chance[0] = 0x80000000
    chance[STATE] = STATE


@compiled
def word(chance: Chance) -> int:
    """32 random bits."""
    if chance[STATE] == STATE:
        for i in range(STATE):
            mixed = (chance[i] & 0x80000000) | (chance[(i + 1) % STATE] & 0x7FFFFFFF)
            chance[i] = chance[(i + _SHIFT) % STATE] ^ (mixed >> 1) ^ (0x9908B0DF if mixed & 1 else 0)
        chance[STATE] = 0
    bits = chance[chance[STATE]]
    chance[STATE] += 1
    bits ^= bits >> 11
    bits ^= bits << 7 & 0x9D2C5680
    bits ^= bits << 15 & 0xEFC60000
    return bits ^ bits >> 18


@compiled
def below(chance: Chance, count: int) -> int:
    """A number below that, all equally likely."""
    bits = 0
    while count >> bits:
        bits += 1
    number = word(chance) >> (32 - bits)
    while number >= count:
        number = word(chance) >> (32 - bits)
    return number


@compiled
def happens(chance: Chance, probability: float) -> bool:
    """Whether something happens that happens this often."""
    high = word(chance) >> 5
    low = word(chance) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0) < probability


# ---- what the map says ----


@compiled
def first(known: Known, relation: int, of: int) -> int:
    """Where a list begins; it ends where the next one begins."""
    return known[STARTS, known[RELATIONS, relation] + of]


@compiled
def value(known: Known, relation: int, of: int) -> int:
    """The only one of a list."""
    return known[VALUE, first(known, relation, of)]


@compiled
def says(known: Known, relation: int, of: int, number: int) -> bool:
    """Whether that province is in a set."""
    return known[VALUE, first(known, relation, of) + number] == 1


# ---- units and orders ----


@compiled
def room(at: At) -> int:
    """How many more units there may be."""
    return at[NUMBERS, SIZE] - at[NUMBERS, PUT]


@compiled
def any_power(at: At, chance: Chance, unlike: int) -> int:
    """A power, mostly another than that."""
    power = below(chance, at[NUMBERS, POWERS])
    return below(chance, at[NUMBERS, POWERS]) if power == unlike else power


@compiled
def put(known: Known, at: At, unit: int, power: int) -> int:
    """Put a new unit on the board; its province."""
    province = value(known, PROVINCE_OF_UNIT, unit)
    at[UNIT, province] = unit
    at[POWER, province] = power
    at[PLACED, at[NUMBERS, PUT]] = province
    at[NUMBERS, PUT] += 1
    return province


@compiled
def give(known: Known, at: At, province: int, order: int, to: int, other: int, via: int) -> None:
    """Order a unit that has no order yet."""
    at[ORDER, province] = order
    at[TO, province] = to
    at[OTHER, province] = other
    at[VIA, province] = via
    if order == MOVE:
        target = value(known, PROVINCE_OF_LOCATION, to)
        at[ATTACKERS + target, at[ATTACKS, target]] = province
        at[ATTACKS, target] += 1


@compiled
def steps_by_new_units(known: Known, at: At, target: int, barred: int, also_barred: int, only: int) -> int:
    """List the direct moves into a province by units that are new or wait for orders: where they stand among the steps."""
    count = 0
    for step in range(first(known, STEPS_INTO, target), first(known, STEPS_INTO, target + 1)):
        unit = known[VALUE, step]
        province = value(known, PROVINCE_OF_UNIT, unit)
        if province == barred or (only != NONE and province != only):
            continue
        if province == also_barred:
            continue
        waits = at[ORDER, province] == NONE and at[UNIT, province] == unit
        free = room(at) > 0 if at[UNIT, province] == NONE else waits
        if free:
            at[FOUND, count] = step
            count += 1
    return count


@compiled
def unit_for(known: Known, at: At, unit: int, power: int) -> int:
    """Where the unit is that is to take a step: put there, if it is new."""
    province = value(known, PROVINCE_OF_UNIT, unit)
    return put(known, at, unit, power) if at[UNIT, province] == NONE else province


# ---- convoys ----


@compiled
def find_route(known: Known, at: At, chance: Chance, origin: int, longest: int) -> int:
    """A proper route over the usable seas, in the row ROUTE; its length."""
    length = 0
    relation, of = SHORES, origin
    while length < longest:
        count = 0
        for number in range(first(known, relation, of), first(known, relation, of + 1)):
            sea = known[VALUE, number]
            if at[USABLE, sea] == 1:
                at[FOUND, count] = sea
                count += 1
        if count == 0:
            break
        for number in range(count):
            at[USABLE, at[FOUND, number]] = 0
        at[ROUTE, length] = at[FOUND, below(chance, count)]
        relation, of = SEAS_NEAR, at[ROUTE, length]
        length += 1
    return length


@compiled
def find_landings(known: Known, at: At, origin: int, length: int, row: int, begin: int) -> int:
    """List in that row where the army of the route can land: not where a shorter route would do."""
    count = 0
    last = at[ROUTE, length - 1]
    for number in range(first(known, COASTS, last), first(known, COASTS, last + 1)):
        coast = known[VALUE, number]
        fine = coast != origin
        for leg in range(length):
            fine = fine and coast != at[ROUTE, leg]
            if leg + 1 < length:
                fine = fine and not says(known, IS_ON_SHORE, coast, at[ROUTE, leg])
        if fine:
            at[row, begin + count] = coast
            count += 1
    return count


@compiled
def new_convoy(known: Known, at: At, chance: Chance, crossing: int, seas: int) -> bool:
    """A new army with new fleets, beginning in a sea of the row PLOTS: in that row of crossings; whether there is room."""
    count = 0
    for number in range(seas):
        sea = at[PLOTS, number]
        if at[UNIT, sea] == NONE:
            for place in range(first(known, COASTS, sea), first(known, COASTS, sea + 1)):
                if at[UNIT, known[VALUE, place]] == NONE:
                    at[FOUND, count] = known[VALUE, place]
                    count += 1
    if count == 0:
        return False
    origin = at[FOUND, below(chance, count)]
    longest = 1 + (1 if happens(chance, 0.35) else 0)
    longest += 1 if happens(chance, 0.2) else 0
    for number in range(first(known, ALL_SEAS, 0), first(known, ALL_SEAS, 1)):
        sea = known[VALUE, number]
        at[USABLE, sea] = 1 if at[UNIT, sea] == NONE and sea != origin else 0
    length = find_route(known, at, chance, origin, min(longest, room(at) - 1))
    if length == 0:
        return False
    at[crossing, LANDINGS] = find_landings(known, at, origin, length, crossing, FIRST_LANDING)
    if at[crossing, LANDINGS] == 0:
        return False
    power = any_power(at, chance, NONE)
    at[crossing, ARMY] = put(known, at, value(known, ARMY_IN, origin), power)
    at[crossing, FLEETS] = length
    for leg in range(length):
        fleet = value(known, FLEET_IN, at[ROUTE, leg])
        owner = power if happens(chance, 0.6) else any_power(at, chance, NONE)
        at[crossing, FIRST_FLEET + leg] = put(known, at, fleet, owner)
    return True


@compiled
def land(known: Known, at: At, chance: Chance, crossing: int, landing: int) -> None:
    """Order the army of a new convoy to land; perhaps by a second route, too."""
    army = at[crossing, ARMY]
    give(known, at, army, MOVE, landing, NONE, 1 if happens(chance, 0.5) else 0)
    for leg in range(at[crossing, FLEETS]):
        give(known, at, at[crossing, FIRST_FLEET + leg], CONVOY, landing, at[UNIT, army], 0)
    count = 0
    for number in range(first(known, SHORES, landing), first(known, SHORES, landing + 1)):
        if says(known, IS_ON_SHORE, army, known[VALUE, number]):
            at[FOUND, count] = known[VALUE, number]
            count += 1
    if count == 0 or room(at) <= 0 or not happens(chance, 0.25):
        return
    strait = at[FOUND, below(chance, count)]
    if at[UNIT, strait] == NONE:
        owner = at[POWER, army] if happens(chance, 0.6) else any_power(at, chance, NONE)
        give(known, at, put(known, at, value(known, FLEET_IN, strait), owner), CONVOY, landing, at[UNIT, army], 0)


# ---- attacks and supports; a move is the province of its unit ----


@compiled
def enter(known: Known, at: At, chance: Chance, target: int, avoid: int, unlike: int) -> int:
    """Order a unit to move into a province, but not from that other one, mostly not of that power; -1 if there is none."""
    count = steps_by_new_units(known, at, target, avoid, NONE, NONE)
    if count == 0:
        return NONE
    step = at[FOUND, below(chance, count)]
    power = any_power(at, chance, unlike)
    province = unit_for(known, at, known[VALUE, step], power)
    give(known, at, province, MOVE, known[LOCATION, step], NONE, 0)
    return province


@compiled
def attack(known: Known, at: At, chance: Chance, target: int, avoid: int) -> int:
    """Order a unit to attack the unit in a province, but not from that other province."""
    return enter(known, at, chance, target, avoid, at[POWER, target])


@compiled
def is_possible_without(known: Known, at: At, fleet: int, unit: int, target: int) -> bool:
    """A fleet cannot support a move that it alone could make possible as a convoyer (DATC 6.D.31)."""
    origin = value(known, PROVINCE_OF_UNIT, unit)
    convoyer = value(known, IS_FLEET, at[UNIT, fleet]) == 1 and value(known, IS_SEA, fleet) == 1
    if value(known, IS_FLEET, unit) == 1 or not convoyer or says(known, BY_LAND, origin, target):
        return True
    for number in range(first(known, ALL_SEAS, 0), first(known, ALL_SEAS, 1)):
        sea = known[VALUE, number]
        fleet_there = at[UNIT, sea] != NONE and value(known, IS_FLEET, at[UNIT, sea]) == 1
        at[USABLE, sea] = 1 if fleet_there and sea != fleet else 0
    ahead = 0
    for number in range(first(known, SHORES, origin), first(known, SHORES, origin + 1)):
        sea = known[VALUE, number]
        if at[USABLE, sea] == 1:
            at[USABLE, sea] = 0
            at[FOUND, ahead] = sea
            ahead += 1
    while ahead > 0:
        ahead -= 1
        here = at[FOUND, ahead]
        if says(known, IS_ON_SHORE, target, here):
            return True
        for number in range(first(known, SEAS_NEAR, here), first(known, SEAS_NEAR, here + 1)):
            sea = known[VALUE, number]
            if at[USABLE, sea] == 1:
                at[USABLE, sea] = 0
                at[FOUND, ahead] = sea
                ahead += 1
    return False


@compiled
def support_move(known: Known, at: At, chance: Chance, province: int, unit: int, to: int) -> bool:
    """Order a unit to support the move of another one, if that is legal."""
    target = value(known, PROVINCE_OF_LOCATION, to)
    if not is_possible_without(known, at, province, unit, target):
        return False
    give(known, at, province, SUPPORT_MOVE, to if happens(chance, 0.5) else target, unit, 0)
    return True


@compiled
def reinforce(known: Known, at: At, chance: Chance, move: int, avoid: int) -> None:
    """Order a unit to support a move, but not from that other province."""
    target = value(known, PROVINCE_OF_LOCATION, at[TO, move])
    count = steps_by_new_units(known, at, target, move, avoid, NONE)
    if count:
        unit = known[VALUE, at[FOUND, below(chance, count)]]
        power = at[POWER, move] if happens(chance, 0.5) else any_power(at, chance, NONE)
        support_move(known, at, chance, unit_for(known, at, unit, power), at[UNIT, move], at[TO, move])


# ---- tangles of convoys ----


@compiled
def tangle(known: Known, at: At, chance: Chance) -> None:
    """Convoys close to each other, and for each army a unit where it lands that has a hand in the fate of a convoy."""
    draws = below(chance, 6)
    crossings = 0
    for _ in range(1 if draws < 2 else 2 if draws < 5 else 3):
        if room(at) >= 2 * crossings + 4:
            count = 0
            for crossing in range(CROSSINGS, CROSSINGS + crossings):
                for leg in range(at[crossing, FLEETS]):
                    fleet = at[crossing, FIRST_FLEET + leg]
                    for number in range(first(known, SEAS_NEAR, fleet), first(known, SEAS_NEAR, fleet + 1)):
                        at[PLOTS, count] = known[VALUE, number]
                        count += 1
            if count == 0:
                count = all_seas(known, at)
            if new_convoy(known, at, chance, CROSSINGS + crossings, count):
                crossings += 1
    for crossing in range(CROSSINGS, CROSSINGS + crossings):
        landing = plot(known, at, chance, crossing, crossings)
        at[ALSO_FOUND, 2 * (crossing - CROSSINGS)] = landing
        land(known, at, chance, crossing, landing)
    for number in range(crossings):
        if happens(chance, 0.75):
            meddle(known, at, chance, at[CROSSINGS + number, ARMY], at[ALSO_FOUND, 2 * number + 1])
    for number in range(crossings):
        if happens(chance, 0.1):
            attack(known, at, chance, at[ALSO_FOUND, 2 * number + 1], NONE)
        if happens(chance, 0.1):
            reinforce(known, at, chance, at[CROSSINGS + number, ARMY], NONE)


@compiled
def all_seas(known: Known, at: At) -> int:
    """List all seas in the row PLOTS."""
    begin, end = first(known, ALL_SEAS, 0), first(known, ALL_SEAS, 1)
    for number in range(begin, end):
        at[PLOTS, number - begin] = known[VALUE, number]
    return end - begin


@compiled
def plot(known: Known, at: At, chance: Chance, crossing: int, crossings: int) -> int:
    """Where an army is to land; the sea of a fleet nearby is noted in ALSO_FOUND, behind the place for the landing."""
    count = 0
    for other in range(CROSSINGS, CROSSINGS + crossings):
        if other == crossing and crossings > 1 and not happens(chance, 0.2):
            continue
        for leg in range(at[other, FLEETS]):
            sea = at[other, FIRST_FLEET + leg]
            for number in range(at[crossing, LANDINGS]):
                landing = at[crossing, FIRST_LANDING + number]
                if at[UNIT, landing] == NONE and at[ATTACKS, landing] == 0 and says(known, IS_NEAR, sea, landing):
                    at[PLOTS, count] = landing
                    at[MOVES, count] = sea
                    count += 1
    if count == 0:
        for number in range(at[crossing, LANDINGS]):
            at[PLOTS, number] = at[crossing, FIRST_LANDING + number]
            at[MOVES, number] = at[crossing, FIRST_FLEET + at[crossing, FLEETS] - 1]
        count = at[crossing, LANDINGS]
    chosen = below(chance, count)
    at[ALSO_FOUND, 2 * (crossing - CROSSINGS) + 1] = at[MOVES, chosen]
    return at[PLOTS, chosen]


@compiled
def meddle(known: Known, at: At, chance: Chance, army: int, sea: int) -> None:
    """A fleet where an army lands supports one of the attacks on a convoying fleet, or that fleet against them."""
    landing = at[TO, army]
    count = steps_by_new_units(known, at, sea, NONE, NONE, landing)
    if count == 0:
        return
    unit = known[VALUE, at[FOUND, below(chance, count)]]
    meddler = unit_for(known, at, unit, any_power(at, chance, at[POWER, army]))
    attacker = attack_from_elsewhere(known, at, chance, sea, landing, False)
    if attacker == NONE:
        return
    if happens(chance, 0.55):
        support_move(known, at, chance, meddler, at[UNIT, attacker], at[TO, attacker])
        return
    reinforce(known, at, chance, attacker, landing)
    rival = NONE
    if not happens(chance, 0.7):
        rival = attack_from_elsewhere(known, at, chance, sea, landing, True)
    if rival == NONE:
        give(known, at, meddler, SUPPORT_HOLD, NONE, at[UNIT, sea], 0)
    else:
        support_move(known, at, chance, meddler, at[UNIT, rival], at[TO, rival])


@compiled
def attack_from_elsewhere(known: Known, at: At, chance: Chance, target: int, landing: int, new: bool) -> int:
    """An attack on a unit by another one than that where an army lands: one that is ordered, unless it must be new."""
    count = 0
    if not new:
        for number in range(at[ATTACKS, target]):
            if at[ATTACKERS + target, number] != landing:
                at[FOUND, count] = at[ATTACKERS + target, number]
                count += 1
    return at[FOUND, below(chance, count)] if count else attack(known, at, chance, target, landing)


# ---- rings ----


@compiled
def ring(known: Known, at: At, chance: Chance) -> None:
    """A ring of moves, perhaps one of them by convoy."""
    power = any_power(at, chance, NONE)
    mixed = happens(chance, 0.7)
    provinces = at.shape[0] - ATTACKERS
    count = 0
    for province in range(provinces):
        if at[UNIT, province] == NONE:
            at[FOUND, count] = province
            count += 1
    start = at[FOUND, below(chance, count)]
    longest = min(room(at), 2 + below(chance, 5))
    moves = 0
    convoyed = happens(chance, 0.3)
    if convoyed:
        convoyed = new_convoy(known, at, chance, CROSSINGS, all_seas(known, at))
    if convoyed:
        start = at[CROSSINGS, FIRST_LANDING + below(chance, at[CROSSINGS, LANDINGS])]
        land(known, at, chance, CROSSINGS, start)
        at[MOVES, 0] = at[CROSSINGS, ARMY]
        moves = 1
        length = find_path(known, at, chance, start, at[CROSSINGS, ARMY], min(longest, room(at)), 1)
    else:
        length = find_path(known, at, chance, start, start, longest, 3)
    for number in range(length - 1):
        pair = at[PLOTS, number] * provinces + at[PLOTS, number + 1]
        begin = first(known, STEPS_BETWEEN_PAIR, pair)
        step = begin + below(chance, first(known, STEPS_BETWEEN_PAIR, pair + 1) - begin)
        owner = any_power(at, chance, NONE) if mixed else power
        province = put(known, at, known[VALUE, step], owner)
        give(known, at, province, MOVE, known[LOCATION, step], NONE, 0)
        at[MOVES, moves] = province
        moves += 1
    for number in range(moves):
        move = at[MOVES, number]
        target = value(known, PROVINCE_OF_LOCATION, at[TO, move])
        if happens(chance, 0.15):
            reinforce(known, at, chance, move, NONE)
        if happens(chance, 0.1) and at[UNIT, target] != NONE:
            attack(known, at, chance, target, NONE)


@compiled
def find_path(known: Known, at: At, chance: Chance, origin: int, goal: int, longest: int, shortest: int) -> int:
    """Provinces without units from the origin to the goal, which may be the origin, in the row PLOTS; how many."""
    at[PLOTS, 0] = origin
    length = 1
    if at[UNIT, origin] != NONE or longest < shortest:
        return 0
    while at[PLOTS, length - 1] != goal or length == 1:
        left = longest - length
        here = at[PLOTS, length - 1]
        count = 0
        for number in range(first(known, NEAR, here), first(known, NEAR, here + 1)):
            code = known[VALUE, number]
            fine = at[UNIT, code] == NONE
            for passed in range(length):
                fine = fine and at[PLOTS, passed] != code
            distance = known[VALUE, first(known, DISTANCE, goal) + code]
            if (code == goal and length >= shortest) or (fine and distance != NONE and distance <= left):
                at[FOUND, count] = code
                count += 1
        if count == 0:
            return 0
        at[PLOTS, length] = at[FOUND, below(chance, count)]
        length += 1
    return length


# ---- all that is left ----


@compiled
def fill_up(known: Known, at: At, chance: Chance) -> None:
    """Put units next to others until there are enough of them."""
    while room(at) > 0:
        count = 0
        if at[NUMBERS, PUT] and happens(chance, 0.9):
            here = at[PLACED, below(chance, at[NUMBERS, PUT])]
            for number in range(first(known, NEAR, here), first(known, NEAR, here + 1)):
                if at[UNIT, known[VALUE, number]] == NONE:
                    at[FOUND, count] = known[VALUE, number]
                    count += 1
        if count == 0:
            for province in range(at.shape[0] - ATTACKERS):
                if at[UNIT, province] == NONE:
                    at[FOUND, count] = province
                    count += 1
        province = at[FOUND, below(chance, count)]
        begin = first(known, SPOTS, province)
        unit = known[VALUE, begin + below(chance, first(known, SPOTS, province + 1) - begin)]
        put(known, at, unit, any_power(at, chance, NONE))


@compiled
def order_the_rest(known: Known, at: At, chance: Chance) -> None:
    """Give orders to the units that have none: convoys first, then moves, then supports."""
    waiting = 0
    for number in range(at[NUMBERS, PUT]):
        if at[ORDER, at[PLACED, number]] == NONE:
            at[MOVES, waiting] = at[PLACED, number]
            waiting += 1
    for number in range(waiting):
        province = at[MOVES, number]
        on_shore = first(known, SHORES, province) < first(known, SHORES, province + 1)
        if value(known, IS_FLEET, at[UNIT, province]) == 0 and on_shore and happens(chance, 0.35):
            convoy_somewhere(known, at, chance, province)
    for number in range(waiting):
        province = at[MOVES, number]
        if at[ORDER, province] == NONE and happens(chance, 0.5):
            begin = first(known, STEPS_FROM_UNIT, at[UNIT, province])
            count = first(known, STEPS_FROM_UNIT, at[UNIT, province] + 1) - begin
            if count:
                give(known, at, province, MOVE, known[LOCATION, begin + below(chance, count)], NONE, 0)
    for number in range(waiting):
        province = at[MOVES, number]
        supports = at[ORDER, province] != NONE
        if not supports and happens(chance, 0.85):
            supports = support_something(known, at, chance, province)
        if not supports and happens(chance, 0.8):
            give(known, at, province, HOLD, NONE, NONE, 0)


@compiled
def convoy_somewhere(known: Known, at: At, chance: Chance, army: int) -> None:
    """Order fleets that are there to convoy an army, and mostly the army to go."""
    fleets = 0
    for number in range(first(known, ALL_SEAS, 0), first(known, ALL_SEAS, 1)):
        sea = known[VALUE, number]
        there = at[UNIT, sea] != NONE and value(known, IS_FLEET, at[UNIT, sea]) == 1
        at[USABLE, sea] = 1 if there and sea != army else 0
        fleets += there
    if fleets == 0:
        return
    longest = 1 + below(chance, 4)
    length = find_route(known, at, chance, army, longest)
    landings = find_landings(known, at, army, length, PLOTS, 0) if length else 0
    if landings == 0:
        return
    destination = at[PLOTS, below(chance, landings)]
    waiting = 0
    for leg in range(length):
        if at[ORDER, at[ROUTE, leg]] == NONE and happens(chance, 0.95):
            at[ROUTE, waiting] = at[ROUTE, leg]
            waiting += 1
    if happens(chance, 0.9):
        give(known, at, army, MOVE, destination, NONE, 1 if happens(chance, 0.5) else 0)
    for leg in range(waiting):
        give(known, at, at[ROUTE, leg], CONVOY, destination, at[UNIT, army], 0)


@compiled
def support_something(known: Known, at: At, chance: Chance, province: int) -> bool:
    """Order a support, of a move that is ordered or of a unit that stands if there is any; whether it could be."""
    unit = at[UNIT, province]
    targets = moves = neighbours = standing = 0
    for step in range(first(known, STEPS_FROM_UNIT, unit), first(known, STEPS_FROM_UNIT, unit + 1)):
        target = value(known, PROVINCE_OF_LOCATION, known[LOCATION, step])
        new = True
        for number in range(targets):
            new = new and at[PLOTS, number] != target
        if new:
            at[PLOTS, targets] = target
            targets += 1
    for number in range(targets):
        target = at[PLOTS, number]
        for attacker in range(at[ATTACKS, target]):
            at[FOUND, moves] = at[ATTACKERS + target, attacker]
            moves += 1
        if at[UNIT, target] != NONE:
            at[ALSO_FOUND, neighbours] = target
            neighbours += 1
    if moves and happens(chance, 0.7):
        move = at[FOUND, below(chance, moves)]
        if support_move(known, at, chance, province, at[UNIT, move], at[TO, move]):
            return True
    for number in range(neighbours):
        if at[ORDER, at[ALSO_FOUND, number]] != MOVE:
            at[FOUND, standing] = at[ALSO_FOUND, number]
            standing += 1
    chosen = NONE
    if (standing and happens(chance, 0.9)) or (neighbours and happens(chance, 0.3)):
        chosen = at[FOUND, below(chance, standing)] if standing else at[ALSO_FOUND, below(chance, neighbours)]
        give(known, at, province, SUPPORT_HOLD, NONE, at[UNIT, chosen], 0)
        return True
    return targets > 0 and support_nothing(known, at, chance, province, at[PLOTS, below(chance, targets)])


@compiled
def support_nothing(known: Known, at: At, chance: Chance, province: int, target: int) -> bool:
    """Order the support of a move that could be ordered, and perhaps is not."""
    count = 0
    for step in range(first(known, STEPS_INTO, target), first(known, STEPS_INTO, target + 1)):
        unit = known[VALUE, step]
        origin = value(known, PROVINCE_OF_UNIT, unit)
        if at[UNIT, origin] == unit and origin != province:
            at[FOUND, count] = step
            count += 1
    if count == 0:
        return False
    step = at[FOUND, below(chance, count)]
    return support_move(known, at, chance, province, known[VALUE, step], known[LOCATION, step])


# ---- boards ----


@compiled
def draw(known: Known, at: At, chance: Chance, flavour: int, least: int, most: int, powers: int) -> None:
    """All units of a position, each with its order."""
    provinces = at.shape[0] - ATTACKERS
    for province in range(provinces):
        at[UNIT, province] = NONE
        at[ORDER, province] = NONE
        at[ATTACKS, province] = 0
    if flavour == DENSE:
        least = max(least, min(28, most))
    at[NUMBERS, SIZE] = min(least + below(chance, most - least + 1), provinces)
    fewest = min(2, powers)
    at[NUMBERS, POWERS] = fewest + below(chance, powers - fewest + 1)
    at[NUMBERS, PUT] = 0
    size = at[NUMBERS, SIZE]
    if flavour == CONVOYS:
        for _ in range(4):
            if room(at) > max(3.0, size * 0.3):
                tangle(known, at, chance)
    elif flavour == CIRCLES:
        for _ in range(4):
            if room(at) > max(2.0, size * 0.4):
                ring(known, at, chance)
        if room(at) > 6 and happens(chance, 0.3):
            tangle(known, at, chance)
    fill_up(known, at, chance)
    order_the_rest(known, at, chance)


@compiled
def draw_boards(
    known: Known, at: At, chance: Chance, keys: NDArray[numpy.uint32], mix: Known, sizes: Known, powers: int, units: At,
    owners: At, orders: At, flavours: At
) -> None:  # fmt: skip
    """Draw a board for each key: units sorted by powers, with their orders.

    A key's first word is how many follow. Of an order there are kind, location, other unit and whether it goes by convoy.
    """
    for board in range(keys.shape[0]):
        seed(chance, keys[board, 1:], keys[board, 0])
        flavour = mix[0, below(chance, mix.shape[1])] if mix.shape[1] > 1 else mix[0, 0]
        size = below(chance, sizes.shape[0]) if sizes.shape[0] > 1 else 0
        draw(known, at, chance, flavour, sizes[size, 0], sizes[size, 1], powers)
        flavours[board] = flavour
        column = 0
        for power in range(at[NUMBERS, POWERS]):
            for number in range(at[NUMBERS, PUT]):
                province = at[PLACED, number]
                if at[POWER, province] == power:
                    units[board, column] = at[UNIT, province]
                    owners[board, column] = power
                    for part in range(4):
                        orders[board, column, part] = at[ORDER + part, province] if at[ORDER, province] != NONE else NONE
                    column += 1
