"""Draws small random positions for the kit (docs/papers/kit-coverage.md): any order that can be written, retreats, adjustments.

Those of movement phases have few units close together, and orders to them, to each other and to empty places, most of which are
illegal: what counts of them is asked. Who draws the same kind again gets the same positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random

from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.engines.kit.parts import KitQuestion
from satjudge.engines.positions import draw_later_phase
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Decline,
    Hold,
    Move,
    MovementOrder,
    Named,
    Remove,
    Retreat,
    RetreatOrder,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import DEFAULT_RULES, preset_names

LaterOrder = RetreatOrder | AdjustmentOrder
HOW_MANY: Mapping[str, int] = {"legality": 20_000, "dislodgements": 4_000, "retreats": 2_000, "adjustments": 4_000}
"""Positions that are drawn at most for a mutation of these rooms (`satjudge.engines.conformance.mutations.ROOMS`)."""
_ON_COLONIAL, _CLASHES = 0.2, 0.2
_FOREIGN, _TWICE, _NOBODY, _AS_IT_STANDS = 0.05, 0.1, 0.05, 0.9
"""How often a foreign unit is ordered, a unit twice, or an empty place; and how often a unit is named as it stands."""


def drawn(room: str, numbers: Iterable[int], game_map: Map | None = None) -> Iterator[KitQuestion]:
    """Yield positions that may detect mutations of a room, most under the default rulebook."""
    game_map = game_map or load_map()
    for number in numbers:
        random, name = Random(f"{room} {number}"), f"{room}, drawn board {number}"
        if room in ("retreats", "adjustments"):
            phase = Phase.RETREAT if room == "retreats" else Phase.ADJUSTMENT
            rules = random.choice((DEFAULT_RULES, DEFAULT_RULES, *preset_names()))
            yield KitQuestion(name, *_with_more_orders(random, *draw_later_phase(random, phase, game_map)), rules)
        elif room == "dislodgements":
            yield _crowded(random, name, game_map)
        else:
            yield KitQuestion(name, *_any_orders(random, game_map))


def _crowded(random: Random, name: str, game_map: Map) -> KitQuestion:
    """Many units close together, so that some are dislodged with few places to go; some on a map with railroads."""
    if random.random() < _ON_COLONIAL:
        colonial = load_map("colonial")
        return KitQuestion(name, *random_board(random, Flavour.VARIANT, (4, 14), game_map=colonial), "datc-2")
    if random.random() < _CLASHES:
        return KitQuestion(name, *_clash(random, game_map))
    within = _nearby(random, game_map)
    flavour = random.choice((Flavour.GENERAL, Flavour.CONVOYS))
    return KitQuestion(name, *random_board(random, flavour, (4, 11), 3, within=within, game_map=game_map))


def _clash(random: Random, game_map: Map) -> tuple[Board, Mapping[Power, list[MovementOrder]]]:
    """Two armies that want to go to one province, each attacked from behind with support."""
    army = {code: sorted(there) for code, there in game_map.army.items() if len(there) > 1}
    goal = random.choice(sorted(army))
    units: dict[ProvinceCode, Unit] = {}
    orders: dict[Power, list[MovementOrder]] = {}

    def put(code: ProvinceCode, power: Power, order: Callable[[Named], MovementOrder]) -> None:
        if code not in units and code != goal:
            units[code] = Unit(power, UnitKind.ARMY, code)
            orders.setdefault(power, []).append(order(units[code].named))

    for beaten, power in zip(random.sample(army[goal], 2), random.sample(game_map.powers, 2), strict=True):
        put(beaten, power, partial(_move_to, goal))
        other = random.choice([one for one in game_map.powers if one != power])
        behind = random.sample(army.get(beaten, []), min(2, len(army.get(beaten, []))))
        if len(behind) == 2:
            attacker, supporter = behind
            put(attacker, other, partial(_move_to, beaten))
            put(supporter, other, partial(_support_of, Named(UnitKind.ARMY, attacker), beaten))
    return Board(tuple(units.values()), map=game_map), orders


def _move_to(destination: Location, named: Named) -> Move:
    return Move(named, destination)


def _support_of(supported: Named, destination: Location, named: Named) -> SupportMove:
    return SupportMove(named, supported, destination)


def _nearby(random: Random, game_map: Map) -> frozenset[ProvinceCode]:
    """Return a province and all others up to two steps from it."""
    nearby = {random.choice(sorted(game_map.provinces))}
    for _ in range(2):
        nearby |= {other for code in nearby for other in game_map.neighbours[code]}
    return frozenset(nearby)


def _any_orders(random: Random, game_map: Map) -> tuple[Board, Mapping[Power, list[MovementOrder]]]:
    """One to four units close together, with orders of all kinds."""
    nearby = _nearby(random, game_map)
    powers = game_map.powers[: random.randint(1, 2)]
    spots = [(kind, place) for code in sorted(nearby) for kind, place in spots_in(game_map, code)]
    units: dict[str, Unit] = {}
    for _ in range(random.randint(1, 4)):
        unit = Unit(random.choice(powers), *random.choice(spots))
        units.setdefault(unit.province, unit)
    board = Board(tuple(units.values()), map=game_map)
    places = sorted({place for _, place in spots} | nearby)
    orders: dict[Power, list[MovementOrder]] = {}
    for unit in board.units:
        for _ in range(2 if random.random() < _TWICE else 1):
            power = random.choice(game_map.powers[:2]) if random.random() < _FOREIGN else unit.power
            orders.setdefault(power, []).append(_any_order(random, board, unit.named, places))
    return board, orders


def _any_order(random: Random, board: Board, named: Named, places: list[Location]) -> MovementOrder:
    if random.random() < _NOBODY:
        named = replace(named, location=random.choice(places))
    other = random.choice(board.units).named
    if random.random() > _AS_IT_STANDS:
        other = replace(other, location=random.choice(places))
    destination = random.choice(places)
    wanted = [place for place in places if place in board.map.exits(other.kind or UnitKind.ARMY, other.location)]
    helped = random.choice(wanted) if wanted and random.random() < 0.5 else destination
    reach = [place for place in places if place in board.map.exits(named.kind or UnitKind.ARMY, named.location)]
    moved = random.choice(reach) if reach and random.random() < 0.5 else destination
    return random.choice(
        (
            Hold(named),
            Move(named, moved),
            Move(named, moved, via_convoy=random.random() < 0.3),
            SupportHold(named, other),
            SupportMove(named, other, helped),
            Convoy(named, other, helped),
        )
    )


def _with_more_orders(
    random: Random, board: Board, orders: Mapping[Power, Sequence[LaterOrder]]
) -> tuple[Board, Mapping[Power, Sequence[LaterOrder]]]:
    """The phase with orders that are given twice, or by another power, or to a unit that has another one."""
    board = replace(board, centers={code: power for code, power in board.centers.items() if random.random() > _TWICE})
    given = {power: list(one) for power, one in orders.items()}
    for power in list(given):
        for order in list(given[power]):
            if random.random() < _TWICE:
                foreign = random.random() < _TWICE
                to = given.setdefault(random.choice(board.map.powers), []) if foreign else given[power]
                to.insert(random.randint(0, len(to)), _another(random, board, order))
    for unit in board.units if board.phase is Phase.ADJUSTMENT else ():
        if random.random() < _FOREIGN:
            given.setdefault(unit.power, []).append(Remove(unit.named))
    return board, given


def _another(random: Random, board: Board, order: LaterOrder) -> LaterOrder:
    """An order that is much like this one."""
    if isinstance(order, Retreat):
        return replace(order, destination=random.choice(sorted(board.map.neighbours[order.unit.province])))
    if isinstance(order, Build):
        place = random.choice((order.unit.location, *sorted(board.map.centers)))
        spot = random.choice(((random.choice(list(UnitKind)), place), *spots_in(board.map, province_of(place))))
        return random.choice((order, Decline(), Build(Named(*spot))))
    return order


def spots_in(game_map: Map, code: ProvinceCode) -> list[tuple[UnitKind, Location]]:
    """What can stand in a province, and where there."""
    places = dict.fromkeys((code, *game_map.provinces[code].locations))
    return [(kind, place) for kind in UnitKind for place in places if game_map.problem_with(kind, place) is None]
