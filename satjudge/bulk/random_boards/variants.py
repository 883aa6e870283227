"""Draws random positions of variants: units and orders on maps with special rules.

Each scene is drawn around a railroad, a canal, a difficult or half-strength border, a convoying coast, or a province that is
closed in a season.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from satjudge.bulk.random_boards.drafts import ARMY, FLEET, Draft, Step
from satjudge.world.board import Unit
from satjudge.world.geography import Canal, ProvinceCode, Railroad, province_of
from satjudge.world.orders import Hold, Move, Named, Permission, SupportMove

Scene: TypeAlias = Callable[[Draft], None]


def draw_variant(draft: Draft) -> None:
    """Add one to three scenes for special rules of the draft's map, while there is room; do nothing if it has none."""
    scenes = _list_scenes(draft)
    for _ in range(draft.random.randint(1, 3) if scenes else 0):
        if draft.units_left > 1:
            draft.choose(scenes)(draft)


def _list_scenes(draft: Draft) -> list[Scene]:
    atlas = draft.atlas
    found: list[Scene] = [partial(_draw_railroad, railroad=line) for line in atlas.railroads for _ in range(2)]
    found += [partial(_draw_canal, canal=canal) for canal in atlas.canals for _ in range(2)]
    if atlas.crossings:
        found += [_draw_difficult_move, _draw_difficult_move, _draw_mutual_supports]
    if atlas.halved:
        found += [_draw_half_strength_move, _draw_half_strength_move]
    if atlas.convoying_coasts:
        found += [_draw_coastal_convoy, _draw_coastal_convoy, _draw_two_convoys]
    if atlas.shut:
        found.append(_draw_closed_province)
    return found


# Railroads (DATC 2.4, 7.B).


def _draw_railroad(draft: Draft, railroad: Railroad) -> None:
    """Add to a draft a move by railroad and units that affect it; if the line is used or full, only a chain of units."""
    line, power = railroad.line, railroad.power
    free = [place for place in line if place not in draft.units]
    if any(isinstance(order, Move) and order.railroad == railroad.name for order in draft.orders.values()) or not free:
        _draw_chain(draft, draft.choose(line), draft.choose(line))
        return
    if power not in draft.powers:
        draft.powers = (power, *draft.powers[1:])
    origin = draft.choose(free)
    destination = draft.choose([place for place in line if place != origin])
    train = Move(draft.put_unit(ARMY, origin, power).named, destination, railroad=railroad.name)
    draft.give_order(train)
    start, end = line.index(origin), line.index(destination)
    way = line[start + 1 : end + 1] if start < end else line[end:start][::-1]
    for place in line:
        if draft.atlas.map.provinces[place].center and draft.draw_chance(0.5):
            draft.centers[place] = power if draft.draw_chance(0.6) else draft.draw_power()
    if draft.draw_chance(0.2):
        _order_oncoming_move(draft, way[0], origin)
    if draft.draw_chance(0.6):
        _draw_chain(draft, draft.choose(way), draft.choose((origin, *way, *way)))
    for place in way:
        if draft.draw_chance(0.3):
            draft.find_or_put_unit(place, power if draft.draw_chance(0.7) else None)
        for _ in range(2):
            if draft.draw_chance(0.3):
                _order_rival(draft, place, origin)
    if draft.draw_chance(0.3):
        _order_rival(draft, origin, destination)
    if draft.draw_chance(0.4):
        draft.order_support(train)


def _order_oncoming_move(draft: Draft, first: ProvinceCode, origin: ProvinceCode) -> None:
    """If possible, order a unit in `first`, right after a railroad move's `origin`, to that origin, perhaps with support."""
    steps = [step for step in draft.atlas.steps_between.get((first, origin), ()) if draft.can_find_unit_for(step)]
    if steps:
        step = draft.choose(steps)
        move = Move(draft.find_unit_for(step, draft.draw_power()).named, step.destination)
        draft.give_order(move)
        if draft.draw_chance(0.5):
            draft.order_support(move)


def _order_rival(draft: Draft, place: ProvinceCode, avoid: ProvinceCode) -> None:
    """Order a unit, but not one in `avoid`, to move into `place` if possible, and perhaps another to support that move."""
    move = draft.order_move_into(place, avoid)
    if move and draft.draw_chance(0.4):
        draft.order_support(move, avoid)


def _draw_chain(draft: Draft, start: ProvinceCode, goal: ProvinceCode) -> None:
    """Add to a draft units that are ordered to follow each other from `start` to `goal`; nothing if no path is found."""
    standing = draft.units.get(start)
    if standing is None:
        path = draft.draw_path(start, goal, min(6, draft.units_left), min_length=3 if start == goal else 1)
    else:  # the unit in the first province leads the way
        steps = [step for step in draft.atlas.steps_from[standing.kind, standing.location] if start not in draft.orders]
        steps = [step for step in steps if step.there not in draft.units]
        if not steps:
            return
        step = draft.choose(steps)
        path = draft.draw_path(step.there, goal, min(5, draft.units_left), min_length=1)
        if path:
            draft.give_order(Move(standing.named, step.destination))
    moves: list[Move] = []
    for origin, target in pairwise(path):
        step = draft.choose(draft.atlas.steps_between[origin, target])
        moves.append(Move(draft.put_unit(step.kind, step.origin, draft.draw_power()).named, step.destination))
        draft.give_order(moves[-1])
    for move in moves:
        if draft.draw_chance(0.1):
            draft.order_support(move)


# Canals (DATC 2.4, 7.C).


def _draw_canal(draft: Draft, canal: Canal) -> None:
    """Add to a draft a fleet ordered to pass a canal, the canal's holder, perhaps permissions, and units on both sides."""
    near_sea, far_sea = canal.seas if draft.draw_chance(0.5) else canal.seas[::-1]
    keeper = draft.find_or_put_unit(canal.keeper)
    fleet = draft.find_or_put_unit(near_sea, keeper.power if keeper and draft.draw_chance(0.4) else None)
    if fleet is None or near_sea in draft.orders:
        return
    passing = Move(fleet.named, far_sea)
    draft.give_order(passing)
    across = draft.find_or_put_unit(far_sea) if draft.draw_chance(0.6) else None
    if across and far_sea not in draft.orders and draft.draw_chance(0.15):
        draft.give_order(Move(across.named, near_sea))
    if keeper and (keeper.power != fleet.power or draft.draw_chance(0.2)) and draft.draw_chance(0.85):
        draft.permissions.append((keeper.power, Permission(canal.name, Named(FLEET, near_sea), far_sea)))
    if keeper and draft.draw_chance(0.07):
        draft.permissions.append((keeper.power, Permission(canal.name, Named(FLEET, far_sea), near_sea)))
    if draft.draw_chance(0.04):
        draft.permissions.append((draft.draw_power(), Permission(canal.name, Named(FLEET, near_sea), far_sea)))
    if draft.draw_chance(0.4):
        draft.order_support(passing)
    if keeper and canal.keeper not in draft.orders:
        _order_canal_holder(draft, canal, near_sea, far_sea)
    if across and far_sea not in draft.orders:
        _order_fleet_across(draft, canal, far_sea)
    for place in canal.seas:
        if draft.draw_chance(0.25):
            _order_rival(draft, place, canal.keeper)


def _order_canal_holder(draft: Draft, canal: Canal, near_side: ProvinceCode, far_side: ProvinceCode) -> None:
    """Perhaps order the unit that holds a canal to leave, and perhaps order an attack on it."""
    keeper = draft.units[canal.keeper]
    steps = draft.atlas.steps_from[keeper.kind, keeper.location]
    if steps and draft.draw_chance(0.4):
        following = [step for step in steps if step.there in (near_side, far_side)]
        step = draft.choose(following if following and draft.draw_chance(0.5) else steps)
        move = Move(keeper.named, step.destination)
        draft.give_order(move)
        if draft.draw_chance(0.4):
            draft.order_support(move)
        if draft.draw_chance(0.4):
            _order_rival(draft, step.there, canal.keeper)
    if draft.draw_chance(0.6):
        _order_rival(draft, canal.keeper, near_side)


def _order_fleet_across(draft: Draft, canal: Canal, far_side: ProvinceCode) -> None:
    """Perhaps order the fleet beyond a canal to support or convoy an attack on the holder, or to go elsewhere."""
    fleet = draft.units[far_side]
    attacks = [move for move in draft.attacks.get(canal.keeper, ()) if move.unit.province != far_side]
    leaving = draft.orders.get(canal.keeper)
    if isinstance(leaving, Move):  # its rivals matter, too
        attacks += [move for move in draft.attacks[province_of(leaving.destination)] if move is not leaving]
    reach = {step.there for step in draft.atlas.steps_from[FLEET, fleet.location]}
    helped = [move for move in attacks if province_of(move.destination) in reach and move.unit.province != far_side]
    if helped and draft.draw_chance(0.6):
        draft.try_support_move(fleet, draft.choose(helped))
        return
    goals = [coast for coast in draft.atlas.coasts[far_side] if coast == canal.keeper or draft.draw_chance(0.3)]
    armies = [coast for coast in draft.atlas.coasts[far_side] if coast not in draft.units]
    if goals and armies and draft.units_left > 0 and draft.draw_chance(0.5):
        army = draft.put_unit(ARMY, draft.choose(armies), fleet.power if draft.draw_chance(0.6) else draft.draw_power())
        goal = draft.choose(goals)
        if goal != army.province:
            draft.order_convoy(army, goal, [fleet])
    elif draft.draw_chance(0.3):
        _draw_chain(draft, far_side, draft.choose((canal.keeper, *canal.seas)))


# Difficult borders (DATC 2.4, 10).


def _draw_difficult_move(draft: Draft) -> None:
    """Add to a draft, if possible, an army's move over a difficult border, perhaps by sea, and perhaps helpers and rivals."""
    step = draft.choose(draft.atlas.crossings)
    origin, destination = step.origin, step.destination
    army = draft.find_or_put_unit(origin, kind=ARMY)
    if army is None or army.kind is not ARMY or origin in draft.orders:
        return
    move = _order_by_convoy(draft, step) if draft.draw_chance(0.25) else None
    if move is None:
        move = Move(army.named, destination)
        draft.give_order(move)
    for _ in range(2):
        if draft.draw_chance(0.5):
            draft.order_support(move)
    if draft.draw_chance(0.6):
        met = draft.find_or_put_unit(destination)
        if met and destination not in draft.orders and met.kind is ARMY and draft.draw_chance(0.35):
            draft.give_order(Move(met.named, origin))
            if draft.draw_chance(0.3):
                draft.order_support(Move(met.named, origin))
    if draft.draw_chance(0.4):
        _order_rival(draft, destination, origin)
    if destination in draft.units and destination not in draft.orders and draft.draw_chance(0.6):
        _order_support_elsewhere(draft, destination, origin)


def _draw_half_strength_move(draft: Draft) -> None:
    """Add to a draft, if possible, a move over a half-strength border, perhaps by convoy, and perhaps helpers and rivals."""
    step = draft.choose(draft.atlas.halved)
    origin, target = step.here, step.there
    unit = draft.find_or_put_unit(origin, kind=step.kind)
    if unit is None or origin in draft.orders or (unit.kind, unit.location) != (step.kind, step.origin):
        return
    move = _put_convoyed_army(draft, unit, target) if origin in draft.atlas.seas and draft.draw_chance(0.4) else None
    if move is None:
        move = Move(unit.named, step.destination)
        draft.give_order(move)
    for _ in range(2):
        if draft.draw_chance(0.5):
            draft.order_support(move)
    if draft.draw_chance(0.6):
        met = draft.find_or_put_unit(target)
        if met and target not in draft.orders and draft.draw_chance(0.6):
            _order_support_elsewhere(draft, target, origin)
    if draft.draw_chance(0.5):
        _order_rival(draft, target, origin)


def _put_convoyed_army(draft: Draft, fleet: Unit, landing: ProvinceCode) -> Move | None:
    """Put a new army and order it to `landing`, order the fleet to convoy it, and return the move; None if impossible."""
    coasts = [code for code in draft.atlas.coasts[fleet.province] if code != landing and code not in draft.units]
    if not coasts or landing not in draft.atlas.coasts[fleet.province] or draft.units_left <= 0:
        return None
    army = draft.put_unit(ARMY, draft.choose(coasts), fleet.power if draft.draw_chance(0.6) else draft.draw_power())
    return draft.order_convoy(army, landing, [fleet])


def _order_by_convoy(draft: Draft, step: Step) -> Move | None:
    """Order the army at a step's origin to make the step by sea with a new fleet (10.M); return the move, or None."""
    straits = [sea for sea in draft.atlas.shores[step.origin] if sea in draft.atlas.shores[step.destination]]
    straits = [sea for sea in straits if sea not in draft.units]
    if not straits or draft.units_left <= 0:
        return None
    army = draft.units[step.origin]
    fleet = draft.put_unit(FLEET, draft.choose(straits), army.power if draft.draw_chance(0.6) else draft.draw_power())
    return draft.order_convoy(army, step.destination, [fleet])


def _order_support_elsewhere(draft: Draft, place: ProvinceCode, attacker: ProvinceCode) -> None:
    """Order the unit in `place` to support an attack, perhaps a new one, on a province other than its attacker's, if it can."""
    unit = draft.units[place]
    steps = [step for step in draft.atlas.steps_from[unit.kind, unit.location] if step.there != attacker]
    targets = [step for step in steps if not draft.atlas.map.hinders(unit.kind, place, step.destination)]
    if not targets:
        return
    target = province_of(draft.choose(targets).destination)
    attacks = [move for move in draft.attacks.get(target, ()) if move.unit.province != place]
    attack = draft.choose(attacks) if attacks else draft.order_move_into(target, place)
    if attack:
        draft.try_support_move(unit, attack)


def _draw_mutual_supports(draft: Draft) -> None:
    """Add to a draft two armies over difficult borders that each help to cut the other's support (10.F), or only one."""
    crossings = draft.atlas.crossings
    adjacent = [
        (one, other)
        for one in crossings
        for other in crossings
        if one.destination < other.destination
        and (one.destination, other.destination) in draft.atlas.steps_between
        and not draft.atlas.map.is_difficult(one.destination, other.destination)
        and not {one.origin, one.destination, other.origin, other.destination} & draft.units.keys()
    ]
    if not adjacent or draft.units_left < 4:
        _draw_difficult_move(draft)
        return
    pair = draft.choose(adjacent)
    moves = [Move(draft.put_unit(ARMY, step.origin, draft.draw_power()).named, step.destination) for step in pair]
    helpers = [draft.put_unit(ARMY, move.destination, draft.draw_power()) for move in moves]
    for move, helper in zip(moves, reversed(helpers), strict=True):
        draft.give_order(move)
        draft.give_order(SupportMove(helper.named, move.unit, move.destination))
        if draft.draw_chance(0.3):
            draft.order_support(move)


# Coasts that convoy (DATC 2.4, 9).


def _draw_coastal_convoy(draft: Draft) -> None:
    """Add to a draft a convoy from a convoying coast and perhaps attacks; if that is impossible, a move into the coast."""
    coast = draft.choose(draft.atlas.convoying_coasts)
    crossing = draft.put_convoy([coast])
    if crossing is None:
        _order_rival(draft, coast, coast)
        return
    move = draft.order_landing(crossing, draft.choose(crossing.landings))
    if draft.draw_chance(0.7):
        _order_rival(draft, coast, province_of(move.destination))
    if draft.draw_chance(0.4):
        draft.order_support(move)
    if draft.draw_chance(0.6):
        met = draft.find_or_put_unit(province_of(move.destination))
        if met and met.province not in draft.orders:
            _order_support_elsewhere(draft, met.province, crossing.army.province)


def _draw_two_convoys(draft: Draft) -> None:
    """Add to a draft two convoys that land, if they can, where the other has a fleet (9.D to 9.G); else only one."""
    one = draft.put_convoy(draft.atlas.convoying_coasts)
    nearby = [sea for fleet in one.fleets for sea in draft.atlas.seas_near[fleet.location]] if one else []
    other = draft.put_convoy([*nearby, *draft.atlas.convoying_coasts]) if one else None
    if one is None or other is None:
        _draw_coastal_convoy(draft)
        return
    plots: list[tuple[Move, ProvinceCode]] = []
    for crossing, against in ((one, other), (other, one)):
        fleets = {fleet.province for fleet in against.fleets}
        landings = [place for place in crossing.landings if place in fleets] or crossing.landings
        plots.append((draft.order_landing(crossing, draft.choose(landings)), crossing.army.province))
    for move, origin in plots:
        if draft.draw_chance(0.8):
            draft.order_support(move)
        met = draft.find_or_put_unit(province_of(move.destination), kind=FLEET) if draft.draw_chance(0.7) else None
        if met and met.province not in draft.orders:
            _order_support_elsewhere(draft, met.province, origin)


# Provinces that are shut (DATC 2.4, 8).


def _draw_closed_province(draft: Draft) -> None:
    """Add to a draft, by chance, units in and around a province closed in a season, and a move or an attack into it."""
    shut = draft.choose(draft.atlas.shut)
    around = sorted(draft.map.neighbours[shut] & frozenset(draft.atlas.provinces))
    if draft.draw_chance(0.6):
        draft.find_or_put_unit(shut)
    for place in around:
        if draft.draw_chance(0.5):
            unit: Named | None = getattr(draft.find_or_put_unit(place), "named", None)
            if unit and place not in draft.orders and draft.draw_chance(0.1):
                draft.give_order(Hold(unit))
    if draft.draw_chance(0.4):
        draft.order_attack(shut) if shut in draft.units else draft.order_move_into(shut)
