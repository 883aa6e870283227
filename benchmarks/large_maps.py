"""Made-up maps of hundreds of provinces: with fleets in their seas and convoys ordered, or with armies alone."""

from __future__ import annotations

from math import sin
from random import Random
from typing import Any

from satjudge.judging.legal_orders import coasts_beyond
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, Terrain, UnitKind, map_from

POWERS = ("NORTH", "SOUTH", "EAST", "WEST")


def made_up_map(seed: int, provinces: int, seas: int) -> Map:
    """Make a map with this number of provinces: cells of a grid that touch by their sides and by one diagonal."""
    random = Random(seed)
    width = round(provinces**0.5)
    cells = [(number % width, number // width) for number in range(provinces)]
    there = set(cells)
    steps = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))
    near = {(x, y): [(x + dx, y + dy) for dx, dy in steps if (x + dx, y + dy) in there] for x, y in cells}
    land = _lands(random, cells, provinces - seas)
    code = {cell: f"{'L' if cell in land else 'S'}{number:03}" for number, cell in enumerate(cells)}
    entries: dict[str, Any] = {}
    for cell in cells:
        coastal = any(other not in land for other in near[cell])
        kind = "sea" if cell not in land else "coast" if coastal else "inland"
        entry: dict[str, Any] = {"name": f"Place {code[cell]}", "kind": kind}
        entries[code[cell]] = entry
        if kind != "sea":
            entry |= {"army": [code[other] for other in near[cell] if other in land], "center": True}
        if kind != "inland":
            entry["fleet"] = [code[other] for other in near[cell] if _fleets_pass(cell, other, land, near)]
    return map_from({
        "name": f"made-up-{provinces}-{seas}-{seed}",
        "title": "A made-up map",
        "powers": list(POWERS),
        "power": {power: {"name": power.title(), "adjective": f"{power.title()}ern"} for power in POWERS},
        "province": entries,
    })  # fmt: skip


def _lands(random: Random, cells: list[tuple[int, int]], count: int) -> set[tuple[int, int]]:
    """Make this number of cells: continents and islands, where some waves run high."""
    waves = [(random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(0, 7)) for _ in range(8)]
    height = {(x, y): sum(sin(a * x + b * y + c) for a, b, c in waves) for x, y in cells}
    return set(sorted(cells, key=height.__getitem__)[:count])


def _fleets_pass(
    one: tuple[int, int], other: tuple[int, int], land: set[tuple[int, int]], near: dict[tuple[int, int], list[tuple[int, int]]]
) -> bool:
    """Whether a fleet goes from the one to the other: over the sea, or along a coast that they share."""
    if one not in land or other not in land:
        return any(cell not in land or any(there not in land for there in near[cell]) for cell in (one, other))
    return any(cell not in land for cell in near[one] if cell in near[other])


def convoying_board(game_map: Map, seed: int, share: float = 1.0, armies: int = 30) -> tuple[Board, dict[Power, list[str]]]:
    """A board with fleets in such a share of the seas, and armies that they are to convoy; a tenth of them attack others."""
    random = Random(seed)
    fleets = random.sample(sorted(game_map.seas), round(share * len(game_map.seas)))
    coasts = sorted(code for code, province in game_map.provinces.items() if province.terrain is Terrain.COAST)
    units = [Unit(random.choice(POWERS), UnitKind.FLEET, sea) for sea in fleets]
    units += [Unit(random.choice(POWERS), UnitKind.ARMY, coast) for coast in random.sample(coasts, min(armies, len(coasts)))]
    board = Board(tuple(units), map=game_map)
    return board, _orders(board, random)


def _orders(board: Board, random: Random) -> dict[Power, list[str]]:
    """Every army goes to some coast; every fleet convoys one of those that come near it, or attacks."""
    found: dict[Power, list[str]] = {power: [] for power in POWERS}
    armies = [unit for unit in board.units if unit.kind is UnitKind.ARMY]
    beyond = {army: coasts_beyond(board.map, army.province, board.convoyers) for army in armies}
    going = {army: random.choice(ways) for army, ways in beyond.items() if ways}
    for army in armies:
        found[army.power].append(f"{army} - {going[army]} VIA" if army in going else f"{army} H")
    way = {army: _detours(board, army.province, target) for army, target in going.items()}
    for fleet in (unit for unit in board.units if unit.kind is UnitKind.FLEET):
        near = sorted(
            (found_way[fleet.province], str(army), army) for army, found_way in way.items() if fleet.province in found_way
        )
        if random.random() < 0.1 or not near:
            found[fleet.power].append(f"{fleet} - {random.choice(sorted(board.map.fleet[fleet.location]))}")
        else:
            _, _, army = random.choice(near[:3])
            found[fleet.power].append(f"{fleet} C {army} - {going[army]}")
    return found


def _detours(board: Board, origin: ProvinceCode, target: ProvinceCode) -> dict[ProvinceCode, int]:
    """How long the shortest way from coast to coast through each fleet is."""
    ends = [_distances(board, province) for province in (origin, target)]
    return {sea: ends[0][sea] + ends[1][sea] for sea in ends[0].keys() & ends[1].keys()}


def _distances(board: Board, coast: ProvinceCode) -> dict[ProvinceCode, int]:
    found = dict.fromkeys(sorted(board.map.shores[coast] & board.convoyers), 1)
    queue = list(found)
    for sea in queue:
        fresh = [there for there in sorted(board.map.fleet[sea]) if there in board.convoyers and there not in found]
        found |= dict.fromkeys(fresh, found[sea] + 1)
        queue += fresh
    return found


def crowd_on_land(game_map: Map, seed: int, share: float = 1 / 3) -> tuple[Board, dict[Power, list[str]]]:
    """A board with armies in such a share of the provinces; most move, the others support one that moves or holds near by."""
    random = Random(seed)
    places = random.sample(sorted(game_map.provinces), round(share * len(game_map.provinces)))
    units = [Unit(random.choice(POWERS), UnitKind.ARMY, place) for place in places]
    standing = {unit.province: unit for unit in units}
    near = {place: sorted(game_map.army[place]) for place in game_map.provinces}
    going = {place: random.choice(near[place]) for place in places if random.random() < 0.6}
    found: dict[Power, list[str]] = {power: [] for power in POWERS}
    for place, unit in standing.items():
        others = {other: standing[other] for there in near[place] for other in (there, *near[there]) if other in standing}
        moving = [f"{mover} - {going[other]}" for other, mover in others.items() if going.get(other) in near[place]]
        holding = [str(holder) for other, holder in others.items() if other in near[place] and other not in going]
        helped = [text for text in moving or holding if not text.startswith(str(unit))]
        order = f"- {going[place]}" if place in going else f"S {random.choice(helped)}" if helped else "H"
        found[unit.power].append(f"{unit} {order}")
    return Board(tuple(units), map=game_map), found


SIZES = ((342, 228), (842, 272))
LANDS = (256, 1024)
