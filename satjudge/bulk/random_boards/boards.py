"""Draws random positions with legal orders, for campaigns and tests.

The same random state gives the same position in every process, so a seed is enough to repeat it. Units are placed where they
meet, and supports and convoys mostly match, since uniformly drawn positions hardly ever contain a paradox.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from random import Random

from satjudge.bulk.random_boards.drafts import Crossing, Draft, load_atlas
from satjudge.bulk.random_boards.variants import draw_variant
from satjudge.world.board import Board, Season
from satjudge.world.geography import Map, Power, ProvinceCode, load_map, province_of
from satjudge.world.orders import Move, MovementOrder, Permission, SupportHold


class Flavour(StrEnum):
    """The kind of scene that fills a random position."""

    GENERAL = "general"
    """Units anywhere, with all kinds of orders."""
    CONVOYS = "convoys"
    """Convoys, attacks on the convoying fleets, supports for both sides, and armies that land on the supporters."""
    CIRCLES = "circles"
    """Rings of moves, some by convoy, with and without supports and attacks from outside."""
    DENSE = "dense"
    """The number of units in a game."""
    VARIANT = "variant"
    """Scenes around map rules: railroads, canals, difficult borders, half strength, convoying coasts, closed provinces."""


MIX = (*[Flavour.CONVOYS] * 6, *[Flavour.CIRCLES] * 2, Flavour.GENERAL, Flavour.DENSE)
"""The flavours from which random boards are drawn by default: mostly convoys, since other boards contain few paradoxes."""
SIZES = ((4, 9), (4, 14), (10, 22), (16, 34))
"""The ranges of the number of units from which random boards are drawn by default."""


def random_board(
    random: Random,
    flavour: Flavour,
    units: tuple[int, int] = (4, 34),
    powers: int = 7,
    via: float = 0.5,
    illegal: float = 0.0,
    *,
    within: frozenset[ProvinceCode] | None = None,
    game_map: Map | None = None,
) -> tuple[Board, dict[Power, list[MovementOrder]]]:
    """Draw a position with at most one order for each unit; return the board and the orders by power.

    The position has from `units[0]` to `units[1]` units (fewer if `within`, the provinces to use, is full) of at most `powers`
    powers. A convoyed move has `VIA` with probability `via`. Orders are legal, but each is replaced with probability `illegal`
    by another readable order, which is usually illegal. If the map closes provinces, the season is spring or fall. The orders
    contain no permissions to pass canals; see `random_phase`.
    """
    return _draw_draft(random, flavour, units, powers, via, within, game_map).finish(illegal)


def random_phase(
    random: Random,
    flavour: Flavour = Flavour.VARIANT,
    units: tuple[int, int] = (4, 34),
    powers: int = 7,
    via: float = 0.5,
    illegal: float = 0.0,
    *,
    game_map: Map | None = None,
) -> tuple[Board, dict[Power, list[MovementOrder | Permission]]]:
    """Draw a position as `random_board` does, with orders and permissions to pass canals (DATC 2.4, 7.C)."""
    draft = _draw_draft(random, flavour, units, powers, via, None, game_map)
    board, ordered = draft.finish(illegal)
    orders: dict[Power, list[MovementOrder | Permission]] = {power: [*given] for power, given in ordered.items()}
    for power, permission in draft.permissions:
        orders.setdefault(power, []).append(permission)
    return board, orders


def _draw_draft(
    random: Random,
    flavour: Flavour,
    units: tuple[int, int],
    powers: int,
    via: float,
    within: frozenset[ProvinceCode] | None,
    game_map: Map | None,
) -> Draft:
    """Draw and return a draft with all its units and orders, from the arguments of `random_board`."""
    game_map = game_map or load_map()
    least, most = units
    if flavour is Flavour.DENSE:
        least = max(least, min(28, most))
    season = random.choice(tuple(Season)) if game_map.closed else None
    draft = Draft(
        random, load_atlas(game_map.in_season(season) if season else game_map, within), random.randint(least, most), via
    )
    draft.map, draft.season = game_map, season
    draft.powers = game_map.powers[: random.randint(min(2, powers), powers)]
    if flavour is Flavour.CONVOYS:
        _draw_convoys(draft)
    elif flavour is Flavour.CIRCLES:
        _draw_circles(draft)
    elif flavour is Flavour.VARIANT:
        draw_variant(draft)
    draft.fill_up()
    draft.order_other_units()
    return draft


def _draw_convoys(draft: Draft) -> None:
    """Add tangles of convoys to a draft, up to four, until most of its units are placed."""
    for _ in range(4):
        if draft.units_left > max(3, draft.size * 0.3):
            _draw_tangle(draft)


def _draw_tangle(draft: Draft) -> None:
    """Add to a draft up to three convoys close to each other that may disturb each other, and units that help or attack."""
    crossings: list[Crossing] = []
    for _ in range(draft.choose((1, 1, 2, 2, 2, 3))):
        nearby = [other for one in crossings for fleet in one.fleets for other in draft.atlas.seas_near[fleet.location]]
        spared = 2 * len(crossings)  # room for units that interfere with these crossings
        crossing = draft.put_convoy(nearby or draft.atlas.seas) if draft.units_left >= spared + 4 else None
        if crossing is not None:
            crossings.append(crossing)
    plots: list[tuple[Move, ProvinceCode]] = []
    for crossing in crossings:
        landing, sea = _choose_landing(draft, crossing, crossings)
        plots.append((draft.order_landing(crossing, landing), sea))
    for army, sea in plots:
        if draft.draw_chance(0.75):
            _support_at_landing(draft, army, sea)
    for army, sea in plots:
        if draft.draw_chance(0.1):
            draft.order_attack(sea)
        if draft.draw_chance(0.1):
            draft.order_support(army)


def _choose_landing(draft: Draft, crossing: Crossing, crossings: Sequence[Crossing]) -> tuple[ProvinceCode, ProvinceCode]:
    """Draw where an army lands, and the province of a convoying fleet near it, so that two convoys may threaten each other."""
    others = [other for other in crossings if other is not crossing or len(crossings) == 1 or draft.draw_chance(0.2)]
    free = [coast for coast in crossing.landings if coast not in draft.units and coast not in draft.attacks]
    seas = [fleet.location for other in others for fleet in other.fleets]
    plots = [(landing, sea) for sea in seas for landing in free if landing in draft.atlas.near[sea]]
    return draft.choose(plots or [(landing, crossing.fleets[-1].location) for landing in crossing.landings])


def _support_at_landing(draft: Draft, army: Move, sea: ProvinceCode) -> None:
    """If possible, order a unit where an army lands to support an attack, perhaps new, on the fleet at `sea`, or that fleet."""
    landing = army.destination
    steps = [step for step in draft.helpers_by_new_units(sea) if step.here == landing]
    if not steps:
        return
    meddler = draft.find_unit_for(draft.choose(steps), draft.draw_power(unlike=draft.units[army.unit.province].power))
    attack = _attack_from_elsewhere(draft, sea, landing)
    if not attack:
        return
    if draft.draw_chance(0.55):
        draft.try_support_move(meddler, attack)
        return
    draft.order_support(attack, avoid=landing)
    if draft.draw_chance(0.7) or not (rival := _attack_from_elsewhere(draft, sea, landing, is_new=True)):
        draft.give_order(SupportHold(meddler.named, draft.units[sea].named))
    else:
        draft.try_support_move(meddler, rival)


def _attack_from_elsewhere(draft: Draft, target: ProvinceCode, landing: ProvinceCode, *, is_new: bool = False) -> Move | None:
    """Return an attack on a unit from outside the landing; order one if there is none or if `is_new`; None if impossible."""
    attacks = [] if is_new else [move for move in draft.attacks.get(target, ()) if move.unit.province != landing]
    return draft.choose(attacks) if attacks else draft.order_attack(target, avoid=landing)


def _draw_circles(draft: Draft) -> None:
    """Add rings of moves to a draft, up to four, until most of its units are placed, and perhaps a tangle of convoys."""
    for _ in range(4):
        if draft.units_left > max(2, draft.size * 0.4):
            _draw_ring(draft)
    if draft.units_left > 6 and draft.draw_chance(0.3):
        _draw_tangle(draft)


def _draw_ring(draft: Draft) -> None:
    power = draft.draw_power()
    mixed = draft.draw_chance(0.7)
    moves: list[Move] = []
    start = draft.choose([code for code in draft.atlas.provinces if code not in draft.units])
    longest = min(draft.units_left, draft.random.randint(2, 6))
    if draft.draw_chance(0.3) and (crossing := draft.put_convoy(draft.atlas.seas)):
        moves.append(draft.order_landing(crossing, draft.choose(crossing.landings)))
        start = province_of(moves[0].destination)
        path = draft.draw_path(start, crossing.army.province, min(longest, draft.units_left), min_length=1)
    else:
        path = draft.draw_path(start, start, longest, min_length=3)
    for origin, destination in pairwise(path):
        step = draft.choose(draft.atlas.steps_between[origin, destination])
        unit = draft.put_unit(step.kind, step.origin, draft.draw_power() if mixed else power)
        moves.append(Move(unit.named, step.destination))
        draft.give_order(moves[-1])
    for move in moves:
        if draft.draw_chance(0.15):
            draft.order_support(move)
        if draft.draw_chance(0.1) and province_of(move.destination) in draft.units:
            draft.order_attack(province_of(move.destination))
