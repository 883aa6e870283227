"""Random maps without a problem: islands, split coasts, ponds, and the rules that maps may have of their own.

`every_move` and `every_help` are the orders that can be read, legal or not; `some_orders` has one for each unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from math import hypot
from random import Random
from typing import Any

from satjudge.files.maps import make_map
from satjudge.files.maps.checks import list_faults
from satjudge.world.board import Board, Season, Turn, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove

Tables = dict[str, Any]
POWERS = ("NORTH", "SOUTH", "EAST")


def random_map(random: Random, provinces: int = 9) -> Map:
    """A map of so many provinces on which `maps check` finds no problem."""
    while True:
        found = make_map(_tables(random, provinces), "a random map")
        if not list_faults(found):
            return found


def _tables(random: Random, count: int) -> Tables:
    places = {f"P{number}": (random.random(), random.random()) for number in range(count)}
    kinds = {code: random.choice(("inland", "coast", "coast", "coast", "sea", "sea")) for code in places}
    entries: dict[ProvinceCode, Tables] = {code: {"name": f"Place {code}", "kind": kinds[code]} for code in places}
    near = [pair for pair in combinations(places, 2) if _distance(places, *pair) < 1.6 / count**0.5]
    by_land = [pair for pair in near if "sea" not in (kinds[pair[0]], kinds[pair[1]]) and random.random() < 0.6]
    by_water = [pair for pair in near if "inland" not in (kinds[pair[0]], kinds[pair[1]]) and random.random() < 0.8]
    split = {code for code in places if kinds[code] == "coast" and random.random() < 0.3}
    for one, other in by_land:
        _join(entries, "army", one, other)
    for one, other in by_water:
        _join_by_water(random, entries, split, one, other)
    for code in places:
        _furnish(random, entries[code], code in split)
    tables = {
        "name": "random",
        "title": "A random map",
        "powers": list(POWERS),
        "power": {power: {"name": power.title(), "adjective": f"{power.title()}ern"} for power in POWERS},
        "province": entries,
    }
    return tables | _own_rules(random, entries, by_land)


def _distance(places: Mapping[str, tuple[float, float]], one: str, other: str) -> float:
    (x, y), (across, down) = places[one], places[other]
    return hypot(x - across, y - down)


def _join(entries: Mapping[ProvinceCode, Tables], key: str, one: ProvinceCode, other: ProvinceCode) -> None:
    for here, there in ((one, other), (other, one)):
        entries[here].setdefault(key, []).append(there)


def _join_by_water(random: Random, entries: Mapping[ProvinceCode, Tables], split: set[str], one: str, other: str) -> None:
    """A border for fleets, between a coast of each where they have several."""
    ends = [f"{code}/{random.choice(('NC', 'SC'))}" if code in split else code for code in (one, other)]
    for here, there in (ends, ends[::-1]):
        code, _, coast = here.partition("/")
        exits = entries[code].setdefault("coasts", {}).setdefault(coast.lower(), []) if coast else None
        (exits if exits is not None else entries[code].setdefault("fleet", [])).append(there)


def _furnish(random: Random, entry: Tables, split: bool) -> None:
    """Centres, homes, and coasts that convoy."""
    if entry["kind"] != "sea" and random.random() < 0.6:
        entry["center"] = True
        if random.random() < 0.7:
            entry["home"] = random.choice(POWERS)
    if entry["kind"] == "coast" and not split and random.random() < 0.2:
        entry["convoys"] = True


def _own_rules(random: Random, entries: Mapping[ProvinceCode, Tables], by_land: list[tuple[str, str]]) -> Tables:
    """What the map has of its own (DATC 2.4, chapters 7, 8 and 10), mostly nothing."""
    found: Tables = {}
    if random.random() < 0.3:
        for one, other in by_land[::3]:
            _join(entries, "difficult", one, other)
    if random.random() < 0.2:
        found["closed"] = {"fall": [random.choice(sorted(entries))]}
    if by_land and random.random() < 0.2:
        found["railroad"] = {"TR": {"power": random.choice(POWERS), "line": list(random.choice(by_land))}}
    for code, entry in entries.items():
        seas = [there for there in entry.get("fleet", ()) if entries[there.partition("/")[0]]["kind"] == "sea"]
        if len(seas) > 1 and entry["kind"] == "coast" and random.random() < 0.2:
            found["canal"] = {"CC": {"keeper": code, "between": seas[:2]}}
    return found


def full_boards(game_map: Map, random: Random) -> Iterator[Board]:
    """Boards with a unit in every province, in spring or fall, until each kind of unit stood at each place."""
    spots = {code: list(_spots(game_map, code)) for code in game_map.provinces}
    for number in range(max(map(len, spots.values()))):
        units = [Unit(random.choice(game_map.powers), *possible[number % len(possible)]) for possible in spots.values()]
        turn = Turn(game_map.first_year, random.choice(list(Season)))
        yield Board(tuple(units), centers=dict(game_map.owners), map=game_map, turn=turn).ensure_possible()


def _spots(game_map: Map, code: ProvinceCode) -> Iterator[tuple[UnitKind, Location]]:
    """Which units can stand in a province."""
    for spot in product(UnitKind, dict.fromkeys((code, *game_map.provinces[code].locations))):
        if game_map.problem_with(*spot) is None:
            yield spot


def every_move(board: Board, unit: Unit) -> Iterator[MovementOrder]:
    """Every order to a unit by itself that can be read, legal or not: wherever to, by whatever way."""
    me = unit.named
    yield Hold(me)
    for place in sorted(board.map.locations):
        yield Move(me, place)
        yield Move(me, place, via_convoy=True)
        yield from (Move(me, place, railroad=line.name) for line in board.map.railroads)
        yield from (Move(me, place, via_convoy=True, route=(sea,)) for sea in sorted(board.map.convoying))


def every_help(board: Board, unit: Unit) -> Iterator[MovementOrder]:
    """Every support and convoy that can be ordered, legal or not: of whatever unit, wherever it is to go."""
    me, places = unit.named, sorted(board.map.locations)
    for other in (Named(kind, place) for kind in (None, *UnitKind) for place in places):
        yield SupportHold(me, other)
        for place in places:
            yield SupportMove(me, other, place)
            yield Convoy(me, other, place)


def some_orders(board: Board, random: Random) -> dict[Power, list[MovementOrder]]:
    """An order for each unit: near or far, legal or not."""
    given: dict[Power, list[MovementOrder]] = {}
    for unit in board.units:
        given.setdefault(unit.power, []).append(_some_order(board, unit, random))
    return given


def _some_order(board: Board, unit: Unit, random: Random) -> MovementOrder:
    me, other = unit.named, random.choice(board.units)
    places = sorted(board.map.exits(unit.kind, unit.location)) if random.random() < 0.6 else sorted(board.map.locations)
    place = random.choice(places or [unit.location])
    choices = (Move(me, place), Move(me, place, via_convoy=True), SupportHold(me, other.named),
               SupportMove(me, other.named, place), Convoy(me, other.named, place))  # fmt: skip
    return random.choice(choices)
