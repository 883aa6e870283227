"""Draws random retreat and adjustment phases, in which units get in each other's way.

The phases have no moves before them: an engine may be asked about any position, not only about one that satjudge's own
judgement of a movement phase leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from satjudge.world.board import Board, DislodgedUnit, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import AdjustmentOrder, Build, Decline, Disband, Named, Remove, Retreat, RetreatOrder
from satjudge.world.seasons import build_sites, surplus

LaterOrders = dict[Power, list[RetreatOrder | AdjustmentOrder]]
_NEAR = 2
"""Steps between the province where all begins and those where units are dislodged."""
_LOST = (1, 6)
"""Fewest and most units that are dislodged."""
_SHUT = 0.2
"""The share of free neighbours that are shut to a dislodged unit: its attacker came from there, or a standoff was there."""
_ILLEGAL = 0.1
_LEFT_OUT = 0.15
"""The share of orders that are due but not given."""
_MOST_TOO_MANY = 3
"""Most units that a power has too many or too few."""


def random_later_phase(random: Random, phase: Phase, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw a retreat or an adjustment phase with its orders.

    The same random state gives the same phase.
    """
    return _retreats(random, game_map) if phase is Phase.RETREAT else _adjustments(random, game_map)


# ---- retreats ----


def _retreats(random: Random, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw units that are dislodged close to each other, so that several may retreat to one place."""
    nearby = {random.choice(sorted(game_map.neighbours))}
    for _ in range(_NEAR):
        nearby |= {other for code in nearby for other in game_map.neighbours[code]}
    places = random.sample(sorted(nearby), min(len(nearby), random.randint(*_LOST)))
    beaten = [_unit(random, game_map, code) for code in places]
    others = [code for code in sorted(nearby) if code not in places and random.random() < _SHUT]
    winners = [_unit(random, game_map, code, unlike=unit.power) for code, unit in zip(places, beaten, strict=True)]
    standing = (*winners, *(_unit(random, game_map, code) for code in others))
    occupied = {unit.province for unit in standing}
    dislodged = []
    for unit in beaten:
        free = [place for place in sorted(game_map.exits(unit.kind, unit.location)) if province_of(place) not in occupied]
        shut = {province_of(place) for place in free if random.random() < _SHUT}
        dislodged.append(DislodgedUnit(unit, tuple(place for place in free if province_of(place) not in shut)))
    board = Board(standing, tuple(dislodged), phase=Phase.RETREAT, map=game_map)
    return board, _by_power((lost.unit.power, order) for lost in dislodged for order in _retreat(random, board, lost))


def _retreat(random: Random, board: Board, lost: DislodgedUnit) -> Iterator[RetreatOrder]:
    """Draw the order for a dislodged unit: mostly to a place where other units may go as well."""
    chance = random.random()
    if chance < _LEFT_OUT:
        return
    named = lost.unit.named
    anywhere = sorted(board.map.exits(lost.unit.kind, lost.unit.location))
    if chance > 1 - _ILLEGAL and anywhere:
        yield Retreat(named, random.choice(anywhere))
    elif not lost.retreats or chance > 1 - 2 * _ILLEGAL:
        yield Disband(named)
    else:
        others = {province_of(place) for other in board.dislodged if other is not lost for place in other.retreats}
        wanted = [place for place in lost.retreats if province_of(place) in others]
        yield Retreat(named, random.choice(wanted or lost.retreats))


# ---- adjustments ----


def _adjustments(random: Random, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw powers with too many or too few units; their orders are now and then too many, too few or illegal."""
    powers = random.sample(game_map.powers, random.randint(1, len(game_map.powers)))
    centers = {code: random.choice((game_map.provinces[code].home or "", *powers)) for code in sorted(game_map.centers)}
    owned = {code: power for code, power in centers.items() if power in powers}
    free = sorted(game_map.provinces)
    random.shuffle(free)
    units: list[Unit] = []
    for power in powers:
        due = sum(owner == power for owner in owned.values())
        for _ in range(max(0, due + random.randint(-_MOST_TOO_MANY, _MOST_TOO_MANY))):
            if free:
                units.append(_unit(random, game_map, free.pop(), power))
    board = Board(tuple(units), centers=owned, phase=Phase.ADJUSTMENT, map=game_map)
    return board, _by_power((power, order) for power in powers for order in _adjust(random, board, power))


def _adjust(random: Random, board: Board, power: Power) -> Iterator[AdjustmentOrder]:
    """Draw as many orders as are due to a power, now and then one more, and leave some out."""
    due = surplus(board, power)
    own = [unit for unit in board.units if unit.power == power]
    sites = build_sites(board, power)
    random.shuffle(own)
    random.shuffle(sites)
    for _ in range(abs(due) + (random.random() < _ILLEGAL)):
        chance = random.random()
        if chance < _LEFT_OUT:
            continue
        wrong = chance > 1 - _ILLEGAL
        if due < 0 and own:
            yield Remove((random.choice(board.units) if wrong else own.pop()).named)
        elif wrong:
            yield Build(_spot(random, board.map, random.choice(sorted(board.map.centers))))
        elif sites:
            yield Build(_spot(random, board.map, sites.pop()))
        else:
            yield Decline()


# ---- units ----


def _spots(game_map: Map, code: ProvinceCode) -> list[tuple[UnitKind, Location]]:
    """List the kinds of units that can stand in a province, each with where it can stand."""
    places = dict.fromkeys((code, *game_map.provinces[code].locations))
    return [(kind, place) for kind in UnitKind for place in places if game_map.problem_with(kind, place) is None]


def _spot(random: Random, game_map: Map, code: ProvinceCode) -> Named:
    return Named(*random.choice(_spots(game_map, code)))


def _unit(random: Random, game_map: Map, code: ProvinceCode, power: Power = "", *, unlike: Power = "") -> Unit:
    others = [one for one in game_map.powers if one != unlike]
    spot = random.choice(_spots(game_map, code))
    return Unit(power or random.choice(others), *spot)


def _by_power(given: Iterable[tuple[Power, RetreatOrder | AdjustmentOrder]]) -> LaterOrders:
    orders: LaterOrders = {}
    for power, order in given:
        orders.setdefault(power, []).append(order)
    return orders
