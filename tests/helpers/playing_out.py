"""Brute force for `prove` and `guarantee`: every placement and every order, each judged by `satjudge.judge`.

It shares nothing with what it checks but the judge: orders are all that can be written, and legal is what the judge does
not call illegal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, permutations, product
from math import prod
from random import Random
from typing import NamedTuple

from satjudge import Board, Game, Unit, judge, judge_phase
from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Phase, Season, Turn, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, map_from, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import Rulebook

POWERS = ("OURS", "FIRST", "SECOND", "THIRD", "FOURTH")
"""The line's power, and one for each enemy: they are all foreign to each other."""


def small_map(random: Random) -> Map:
    """A made-up map of six or seven provinces, with at least one sea in most; half of them are islands, mostly."""
    by_road = random.choice((1.0, 0.2))
    kinds = random.choices(["inland", "coast", "sea"], (3, 6, 3), k=random.randint(6, 7))
    codes = [f"{kind[0].upper()}{number:02}" for number, kind in enumerate(kinds)]
    touching = [pair for pair in combinations(range(len(codes)), 2) if random.random() < 0.55]
    army: dict[str, list[str]] = {code: [] for code in codes}
    fleet: dict[str, list[str]] = {code: [] for code in codes}
    for one, other in touching:
        between = {kinds[one], kinds[other]}
        by_land = "sea" not in between and random.random() < by_road
        by_water = "inland" not in between and ("sea" in between or random.random() < 0.6)
        for here, there in permutations((codes[one], codes[other])):
            if by_land:
                army[here].append(there)
            if by_water:
                fleet[here].append(there)
    provinces: dict[str, dict[str, object]] = {}
    for code, kind in zip(codes, kinds, strict=True):
        provinces[code] = {"name": code, "kind": kind, "center": True}
        if kind != "sea":
            provinces[code]["army"] = army[code]
        if kind != "inland":
            provinces[code]["fleet"] = fleet[code]
    names = {power: {"name": power.title(), "adjective": power.title()} for power in POWERS}
    return map_from({"name": "small", "title": "small", "powers": POWERS, "power": names, "province": provinces})


def writable_orders(board: Board, unit: Unit) -> Iterator[MovementOrder]:
    """All that can be written for a unit, with any place that some unit touches: no order can be about another."""
    me = Named(unit.kind, unit.location)
    near = {code for other in board.units for code in board.map.neighbours[other.province]}
    places = [place for place in sorted({*board.map.provinces, *board.map.fleet}) if province_of(place) in near]
    yield Hold(me)
    for place in places:
        yield Move(me, place)
        if unit.kind is UnitKind.ARMY:
            yield Move(me, place, via_convoy=True)
    for other in board.units:
        named = Named(other.kind, other.location)
        yield SupportHold(me, named)
        yield from (SupportMove(me, named, place) for place in places)
        if unit.kind is UnitKind.FLEET and other.kind is UnitKind.ARMY:
            yield from (Convoy(me, named, place) for place in places)


def legal_orders(board: Board, unit: Unit, rulebook: Rulebook | None = None) -> list[MovementOrder]:
    """What the judge does not call illegal, each once in the form in which the judge takes it."""
    found: dict[MovementOrder, None] = {}
    for order in writable_orders(board, unit):
        outcome = judge(board, {unit.power: [order]}, rulebook=rulebook)
        if "illegal" not in outcome.results[unit.power][0]:
            found.setdefault(outcome.docket.orders[unit.province])
    return list(found)


def played(board: Board, orders: Mapping[Unit, MovementOrder], rulebook: Rulebook | None = None) -> Outcome:
    """The judge's outcome of one order for each unit."""
    given: dict[Power, list[MovementOrder]] = {}
    for unit, order in orders.items():
        given.setdefault(unit.power, []).append(order)
    return judge(board, given, rulebook=rulebook)


def all_plays(board: Board, units: Sequence[Unit], rulebook: Rulebook | None = None) -> Iterator[dict[Unit, MovementOrder]]:
    """Every combination of legal orders of these units."""
    choices = [legal_orders(board, unit, rulebook) for unit in units]
    return (dict(zip(units, orders, strict=True)) for orders in product(*choices))


def breaking_attack(
    line: Board,
    orders: Mapping[Unit, MovementOrder],
    protected: Iterable[ProvinceCode],
    enemies: int,
    rulebook: Rulebook | None = None,
    *,
    fleets: int | None = None,
    possible: Collection[tuple[UnitKind, Location]] | None = None,
) -> Outcome | None:
    """Fewest enemies, each of a power of its own, that bring a unit into a protected province; None if so many cannot.

    At most so many of them are `fleets`, and all are such as are `possible`.
    """
    inside = set(protected)
    spots = [
        (kind, place)
        for place in sorted({*line.map.provinces, *line.map.fleet})
        for kind in UnitKind
        if place.partition("/")[0] not in inside and line.map.problem_with(kind, place) is None
        if possible is None or (kind, place) in possible
    ]
    sizes = (combinations(spots, size) for size in range(1, enemies + 1))
    for placement in chain.from_iterable(sizes):
        if len({place.partition("/")[0] for _, place in placement}) < len(placement):
            continue
        if fleets is not None and sum(kind is UnitKind.FLEET for kind, _ in placement) > fleets:
            continue
        hostile = [Unit(power, *spot) for power, spot in zip(POWERS[1:], placement, strict=False)]
        board = Board((*line.units, *hostile), map=line.map)
        for play in all_plays(board, hostile, rulebook):
            outcome = played(board, {**orders, **play}, rulebook)
            if any(
                move.power != POWERS[0] and move.destination.province in inside for move in outcome.successful_moves.values()
            ):
                return outcome
    return None


def guaranteeing_orders(
    board: Board, power: Power, goal: Callable[[Outcome], bool], rulebook: Rulebook | None = None
) -> Iterator[dict[Unit, MovementOrder]]:
    """All orders of a power after which the goal is met whatever the others order."""
    own = [unit for unit in board.units if unit.power == power]
    others = [unit for unit in board.units if unit.power != power]
    replies = list(all_plays(board, others, rulebook))
    for play in all_plays(board, own, rulebook):
        if all(goal(played(board, {**play, **reply}, rulebook)) for reply in replies):
            yield play


CORNERS = tuple(
    frozenset(codes.split())
    for codes in (
        "WAL LON YOR ENG BEL PIC BRE NTH",
        "TYS TUN NAP ROM APU ION TUS",
        "CON BUL GRE AEG SMY BLA ANK RUM SER",
        "NWY SWE DEN SKA NTH STP FIN",
        "POR SPA MAO GAS MAR WES LYO",
        "VIE BUD TRI TYR BOH GAL SER",
        "LVP CLY EDI NAO NWG IRI WAL",
    )
)
"""Parts of the standard map in which few units meet."""


def random_line(random: Random) -> tuple[Board, dict[Unit, MovementOrder], frozenset[ProvinceCode]]:
    """One to three units on a made-up map, with holds and mostly supports, and what lies behind them."""
    game_map = small_map(random)
    spots = [(kind, place) for place in sorted(game_map.provinces) for kind in UnitKind]
    random.shuffle(spots)
    units: dict[ProvinceCode, Unit] = {}
    for kind, place in spots:
        if game_map.problem_with(kind, place) is None and len(units) < random.choice((1, 2, 2, 3, 3)):
            units.setdefault(place, Unit(POWERS[0], kind, place))
    board = Board(tuple(units.values()), map=game_map)
    orders: dict[Unit, MovementOrder] = {}
    for unit in board.units:
        supports = [order for order in legal_orders(board, unit) if isinstance(order, SupportHold)]
        helps = bool(supports) and random.random() < 0.8
        orders[unit] = random.choice(supports) if helps else Hold(Named(unit.kind, unit.location))
    free = sorted(game_map.provinces.keys() - units.keys())
    return board, orders, frozenset(random.sample(free, random.choice((0, 0, 1))))


def random_wish(random: Random, most: int) -> tuple[Board, Power, str, Callable[[Outcome], bool]]:
    """A few units in a corner with at most so many order sets, one of their powers, and a wish of it with its meaning."""
    while True:
        corner = random.choice(CORNERS)
        flavour = random.choice((Flavour.CONVOYS, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.GENERAL))
        board, _ = random_board(random, flavour, (3, 5), powers=3, within=corner)
        powers = sorted({unit.power for unit in board.units})
        if len(powers) > 1 and prod(len(legal_orders(board, unit)) for unit in board.units) <= most:
            break
    power, province = random.choice(powers), random.choice(sorted(corner))
    own = next(unit.province for unit in board.units if unit.power == power)
    someone = random.choice(board.units).province

    def holders(outcome: Outcome, place: ProvinceCode) -> set[Power]:
        return {unit.power for unit in outcome.units if unit.province == place}

    wishes: dict[str, Callable[[Outcome], bool]] = {
        f"keep {province}": lambda outcome: holders(outcome, province) <= {power},
        f"take {province}": lambda outcome: power in holders(outcome, province),
        f"not take {province}": lambda outcome: power not in holders(outcome, province),
        "hold": lambda outcome: all(lost.unit.power != power for lost in outcome.dislodgements.values()),
        f"hold {own}": lambda outcome: own not in outcome.dislodgements,
        f"dislodged:{someone}": lambda outcome: someone in outcome.dislodgements,
        f"take {province} or keep {own}": lambda outcome: (
            power in holders(outcome, province) or holders(outcome, own) <= {power}
        ),
        f"hold and take {province}": lambda outcome: (
            power in holders(outcome, province) and all(lost.unit.power != power for lost in outcome.dislodgements.values())
        ),
    }
    text = random.choice(sorted(wishes))
    return board, power, text, wishes[text]


# Lines that move.


class Placed(NamedTuple):
    """Units of a line, and what each of them does, in one position."""

    board: Board
    orders: Mapping[Unit, MovementOrder]


def moving_line_breaks(
    positions: Sequence[Placed],
    protected: frozenset[ProvinceCode],
    outposts: frozenset[ProvinceCode],
    enemies: int,
    centers: frozenset[ProvinceCode] = frozenset(),
) -> tuple[Outcome | None, int]:
    """Orders that the line cannot bear, if there are any, and to how many positions it comes; every placement, every order.

    Positions with a turn follow those of the other season, and those of any; in Fall the line builds at home, in its centres.
    """
    known = {(season_of(one), frozenset(one.board.units)): one for one in positions}
    todo = list(positions)
    for place in todo:
        for outcome in all_replies(place, protected, enemies):
            after = comes_to(place, outcome, protected, outposts, known, centers)
            if after is None:
                return outcome, len(known)
            key = season_of(after), frozenset(after.board.units)
            if key not in known:
                known[key] = after
                todo.append(after)
    return None, len(known)


def season_of(place: Placed) -> Season | None:
    return place.board.turn.season if place.board.turn else None


def all_replies(place: Placed, protected: frozenset[ProvinceCode], enemies: int) -> Iterator[Outcome]:
    """The outcome of every order of at most so many enemies, wherever they may stand."""
    board = place.board
    inside = protected.union(board.unit_at)
    spots = [
        (kind, code)
        for code in sorted({*board.map.provinces, *board.map.fleet})
        for kind in UnitKind
        if code.partition("/")[0] not in inside and board.map.problem_with(kind, code) is None
    ]
    for placement in chain.from_iterable(combinations(spots, size) for size in range(enemies + 1)):
        if len({code.partition("/")[0] for _, code in placement}) == len(placement):
            hostile = [Unit(power, *spot) for power, spot in zip(POWERS[1:], placement, strict=False)]
            whole = replace(board, units=(*board.units, *hostile))
            for play in all_plays(whole, hostile):
                yield played(whole, {**place.orders, **play})


def comes_to(
    place: Placed,
    outcome: Outcome,
    protected: frozenset[ProvinceCode],
    outposts: frozenset[ProvinceCode],
    known: Mapping[tuple[Season | None, frozenset[Unit]], Placed],
    centers: frozenset[ProvinceCode],
) -> Placed | None:
    """The position that the line comes to, which may be a new one; None if it has lost."""
    own = POWERS[0]
    theirs = {province_of(way) for lost in outcome.dislodgements.values() if lost.unit.power != own for way in lost.retreats}
    stand = frozenset(unit for unit in outcome.units if unit.power == own)
    if any(unit.province in protected for unit in outcome.units if unit.power != own) or theirs & protected:
        return None
    lost = [one for one in outcome.dislodgements.values() if one.unit.power == own]
    now = season_of(place)
    for ways in product(*((None, *one.retreats) for one in lost)):
        gone = [way for way in ways if way is not None]
        if len({province_of(way) for way in gone}) < len(gone) or theirs.intersection(map(province_of, gone)):
            continue
        moved = {Unit(own, one.unit.kind, way) for one, way in zip(lost, ways, strict=True) if way is not None}
        for (then, units), other in known.items():
            fits = then is None or (now is not None and then is not now)
            new = units - stand - moved
            homes = {unit.province for unit in new} <= centers & place.board.map.homes(own) and now is Season.FALL
            if fits and stand | moved <= units and (not new or (homes and len(units) <= len(centers))):
                return other
    return None if lost else carried_on(place, outcome)


def carried_on(place: Placed, outcome: Outcome) -> Placed:
    """The position after moves of which some succeeded: these units hold now, and are supported where they are."""
    went = {origin: move.order.destination for origin, move in outcome.successful_moves.items()}
    arrived = set(map(province_of, went.values()))
    now = {unit: replace(unit, location=went.get(unit.province, unit.location)) for unit in place.board.units}
    turn = place.board.turn.next_turn if place.board.turn else None
    board = replace(place.board, units=tuple(now.values()), turn=turn)
    orders: dict[Unit, MovementOrder] = {}
    for before, unit in now.items():
        order, me = place.orders[before], Named(unit.kind, unit.location)
        if isinstance(order, Move):
            there = board.unit_at.get(province_of(order.destination))
            if unit != before:
                order = Hold(me)
            elif there is not None and not (there.province not in arrived and isinstance(place.orders[there], Move)):
                order = SupportHold(me, Named(there.kind, there.location))
        elif isinstance(order, SupportMove) and order.supported.province in went:
            there = board.unit_at[province_of(order.destination)]
            order = SupportHold(me, Named(there.kind, there.location))
        orders[unit] = order if order in legal_orders(board, unit) else Hold(me)
    return Placed(board, orders)


def random_moving_line(random: Random) -> tuple[list[Placed], frozenset[ProvinceCode], frozenset[ProvinceCode]]:
    """Positions of up to four units that mostly move or support moves, what they protect, and what they may lose."""
    while True:
        game_map = small_map(random)
        spots = [(kind, place) for place in sorted(game_map.provinces) for kind in UnitKind]
        random.shuffle(spots)
        units: dict[ProvinceCode, Unit] = {}
        for kind, place in spots:
            if game_map.problem_with(kind, place) is None and len(units) < random.choice((1, 2, 3, 3, 4)):
                units.setdefault(place, Unit(POWERS[0], kind, place))
        outposts = frozenset(random.sample(sorted(units), random.choice((0, 0, 1))))
        main = _moving(Board(tuple(units.values()), map=game_map), outposts, random)
        ways = {province_of(order.destination) for order in main.orders.values() if isinstance(order, Move)}
        if ways:
            break
    free = sorted(game_map.provinces.keys() - ways - units.keys())
    protected = ways.union(units, random.sample(free, max(0, len(free) - random.choice((1, 2, 2, 3))))) - outposts
    places = [main]
    for unit in (unit for unit in main.board.units if unit.province in outposts):
        rest = [other for other in main.board.units if other != unit]
        near = sorted(game_map.exits(unit.kind, unit.location) & protected - {other.province for other in rest})
        for way in (None, *near):
            if random.random() < 0.8:
                more = [] if way is None else [replace(unit, location=way)]
                places.append(_moving(replace(main.board, units=(*rest, *more)), outposts, random, within=protected))
    return places, frozenset(protected), outposts


def _moving(
    board: Board, outposts: frozenset[ProvinceCode], random: Random, within: Collection[ProvinceCode] | None = None
) -> Placed:
    """Orders for all units: mostly moves to what is no outpost, and supports of these."""
    legal = {unit: legal_orders(board, unit) for unit in board.units}
    orders: dict[Unit, MovementOrder] = {}
    for unit in board.units:
        moves = [
            order
            for order in legal[unit]
            if isinstance(order, Move) and order.destination not in outposts and not order.via_convoy
            if order.destination in board.map.exits(unit.kind, unit.location)
            if within is None or order.destination in within
        ]
        taken = {order.destination for order in orders.values() if isinstance(order, Move)}
        shared = [order for order in moves if order.destination in taken]
        if shared and random.random() < 0.5:
            moves = shared
        orders[unit] = random.choice(moves) if moves and random.random() < 0.6 else Hold(Named(unit.kind, unit.location))
    said = set(orders.values())
    for unit, order in list(orders.items()):
        helps: list[MovementOrder] = []
        for other in legal[unit]:
            move = isinstance(other, SupportMove) and Move(other.supported, other.destination) in said
            stays = isinstance(other, SupportHold) and not isinstance(orders[board.unit_at[other.supported.province]], Move)
            if move or stays:
                helps.append(other)
        if isinstance(order, Hold) and helps and random.random() < 0.8:
            orders[unit] = random.choice(helps)
    return Placed(board, orders)


# ---- several seasons ----

Journeys = dict[tuple[object, ...], bool]
"""Positions that were played out, and whether they are won."""


def sure_to_win(
    board: Board,
    powers: Collection[Power],
    goal: Callable[[Board, frozenset[Unit]], bool],
    seasons: int,
    rulebook: Rulebook | None = None,
    *,
    dislodged: frozenset[Unit] = frozenset(),
    known: Journeys,
) -> bool:
    """Whether these powers can bring it about in so many seasons: some play of theirs after which all replies leave it so.

    `goal` is asked of the board after the last season, and of all units that were dislodged. Everything is played.
    """
    if seasons == 0 and board.phase is not Phase.RETREAT:
        return goal(board, dislodged)
    retreating = frozenset((lost.unit, lost.retreats) for lost in board.dislodged)
    key = (frozenset(board.units), retreating, frozenset(board.centers.items()), board.phase, board.turn, seasons, dislodged)
    if key not in known:
        moves = board.phase is Phase.MOVEMENT
        plays = {own: list(phase_plays(board, powers, rulebook, own=own)) for own in (True, False)}

        def leads_on(play: Mapping[Power, list[Order]], reply: Mapping[Power, list[Order]]) -> bool:
            outcome = judge_phase(board, {**play, **reply}, rulebook=rulebook)
            lost = (one.unit for one in outcome.dislodgements.values()) if isinstance(outcome, Outcome) else ()
            now, left = dislodged.union(lost), seasons - moves
            return sure_to_win(outcome.next_board, powers, goal, left, rulebook, dislodged=now, known=known)

        known[key] = any(all(leads_on(play, reply) for reply in plays[False]) for play in plays[True])
    return known[key]


def phase_plays(
    board: Board, powers: Collection[Power], rulebook: Rulebook | None = None, *, own: bool
) -> Iterator[dict[Power, list[Order]]]:
    """Everything that these powers, or all others, can order in any phase."""
    if board.phase is Phase.ADJUSTMENT:
        everybody = sorted({*board.centers.values(), *(unit.power for unit in board.units)})
        mine = [power for power in everybody if (power in powers) is own]
        return (
            dict(zip(mine, chosen, strict=True)) for chosen in product(*(adjusting(board, power, rulebook) for power in mine))
        )
    standing = board.units if board.phase is Phase.MOVEMENT else [lost.unit for lost in board.dislodged]
    units = [unit for unit in standing if (unit.power in powers) is own]
    choices: list[list[Order]] = []
    for unit in units:
        if board.phase is Phase.MOVEMENT:
            choices.append([*legal_orders(board, unit, rulebook)])
        else:
            ways = next(lost.retreats for lost in board.dislodged if lost.unit == unit)
            choices.append([Disband(unit.named), *(Retreat(unit.named, place) for place in ways)])
    return (group_pairs((unit.power, order) for unit, order in zip(units, chosen, strict=True)) for chosen in product(*choices))


def adjusting(board: Board, power: Power, rulebook: Rulebook | None = None) -> list[list[Order]]:
    """Every list of builds and removals of a power that is legal as a whole and leaves no removal to civil disorder."""
    places = sorted({*board.map.provinces, *board.map.fleet})
    single: list[Order] = [Remove(unit.named) for unit in board.units if unit.power == power]
    single += [Build(Named(kind, place)) for kind in UnitKind for place in places]
    judged = partial(judge_phase, board, rulebook=rulebook)
    able = [order for order in single if "illegal" not in judged({power: [order]}).results[power][0]]
    lists = (list(chosen) for number in range(len(able) + 1) for chosen in combinations(able, number))
    outcomes = ((orders, judged({power: orders})) for orders in lists)
    return [
        orders
        for orders, outcome in outcomes
        if isinstance(outcome, AdjustmentOutcome) and "illegal" not in outcome.results[power] and power not in outcome.automatic
    ]


def random_ending(random: Random, most: int) -> tuple[Board, tuple[Power, ...], str, Callable[[Board, frozenset[Unit]], bool]]:
    """Three or four units of two or three powers in a corner, with at most so many order sets; a wish, and its meaning.

    It is Spring or Fall, or no season is said; some centres are owned.
    """
    while True:
        corner = frozenset(random.sample(sorted(random.choice(CORNERS)), random.randint(4, 6)))
        flavour = random.choice((Flavour.CONVOYS, Flavour.CIRCLES, Flavour.GENERAL))
        board, _ = random_board(random, flavour, (3, 4), powers=random.choice((2, 3, 3)), within=corner)
        board = replace(board, map=board.map.restrict_to_region(corner))
        there = sorted({unit.power for unit in board.units})
        if len(there) > 1 and prod(len(legal_orders(board, unit)) for unit in board.units) <= most:
            break
    season = random.choice((None, Season.SPRING, Season.FALL))
    centers = {code: random.choice(there) for code in sorted(corner & board.map.centers) if random.random() < 0.7}
    board = replace(board, turn=Turn(1905, season) if season else None, centers=centers)
    random.shuffle(there)
    powers = tuple(there[: 2 if len(there) > 2 and random.random() < 0.5 else 1])
    province = random.choice(sorted(corner))
    own = next(unit.province for unit in board.units if unit.power in powers)
    someone = random.choice(board.units).province

    def holders(after: Board, place: ProvinceCode) -> set[Power]:
        return {unit.power for unit in after.units if unit.province == place}

    wishes: dict[str, Callable[[Board, frozenset[Unit]], bool]] = {
        f"keep {province}": lambda after, lost: holders(after, province) <= {*powers},
        f"take {province}": lambda after, lost: bool(holders(after, province) & {*powers}),
        f"not take {someone}": lambda after, lost: not holders(after, someone) & {*powers},
        f"take {someone}": lambda after, lost: bool(holders(after, someone) & {*powers}),
        f"dislodged:{someone}": lambda after, lost: someone in {unit.province for unit in lost},
        f"take {province} and hold": lambda after, lost: (
            bool(holders(after, province) & {*powers}) and not any(unit.power in powers for unit in lost)
        ),
        "hold": lambda after, lost: not any(unit.power in powers for unit in lost),
        f"not dislodged:{own}": lambda after, lost: own not in {unit.province for unit in lost},
        f"take {province} or keep {own}": lambda after, lost: (
            bool(holders(after, province) & {*powers}) or holders(after, own) <= {*powers}
        ),
        f"count(take {own}, take {someone}, take {province}) >= 2": lambda after, lost: (
            sum(bool(holders(after, place) & {*powers}) for place in (own, someone, province)) >= 2
        ),
    }
    text = random.choice(sorted(wishes))
    return board, powers, text, wishes[text]


def random_orders(game: Game, random: Random) -> dict[Power, list[str]]:
    """Draw a legal order for most units that can be ordered, or for centres to build in."""
    board, found = game.board, dict[Power, list[str]]()
    owners = {lost.unit.province: lost.unit.power for lost in board.dislodged} or dict(board.centers)
    owners |= {} if board.dislodged else {unit.province: unit.power for unit in board.units}
    for what, orders in game.legal_orders().items():
        if orders and random.random() < 0.9:
            found.setdefault(owners[province_of(what.split()[-1])], []).append(random.choice(orders))
    return found


def play_random(seed: int, phases: int) -> Game:
    """Play a game from the opening, with random orders."""
    game, random = Game.new("standard"), Random(seed)
    for _ in range(phases):
        for power, orders in random_orders(game, random).items():
            game.order(power, *orders)
        game.next()
    return game
