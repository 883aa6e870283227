"""Boards where many fleets are to convoy few armies over waters of any shape, under rulebooks that differ on convoys."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from satjudge.base.values import replace
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, Terrain, UnitKind, map_from
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import (
    AttackOrigin,
    ConvoyingFleet,
    ConvoyIntent,
    LandFallback,
    MultiRoute,
    ParadoxRule,
    SuperfluousConvoy,
)

POWERS = ("NORTH", "SOUTH")


def waters(random: Random, seas: int, coasts: int = 4) -> Map:
    """A map of seas that touch where they lie near each other, with coasts among them; a few of these convoy themselves."""
    codes = [*(f"S{number:02}" for number in range(seas)), *(f"C{number}" for number in range(coasts))]
    long = random.choice((1, 1, 5))  # in long waters most fleets are on some way through
    points = {code: (long * random.random(), random.random()) for code in codes}
    reach = random.uniform(1.2, 2.4) * (long / len(codes)) ** 0.5
    entries: dict[ProvinceCode, dict[str, Any]] = {}
    for code in codes:
        entries[code] = {"name": f"Place {code}", "kind": "sea" if code[0] == "S" else "coast", "fleet": []}
        if code[0] == "C":
            entries[code] |= {"army": [], "center": True, "convoys": random.random() < 0.15}
    for one, other in combinations(codes, 2):
        if sum((a - b) ** 2 for a, b in zip(points[one], points[other], strict=True)) < reach**2:
            for here, there in ((one, other), (other, one)):
                entries[here]["fleet"].append(there)
                if one[0] == other[0] == "C":
                    entries[here]["army"].append(there)
    powers = {power: {"name": power.title(), "adjective": f"{power.title()}ern"} for power in POWERS}
    tables: dict[str, Any] = {"name": "waters", "title": "Waters", "powers": [*POWERS], "power": powers, "province": entries}
    return map_from(tables)


def crowded_board(random: Random, seas: int, coasts: int = 4) -> tuple[Board, dict[Power, list[MovementOrder]]]:
    """A board with armies on the coasts and fleets in most seas, and orders: mostly convoys."""
    game_map = waters(random, seas, coasts)
    units = []
    for code, province in game_map.provinces.items():
        afloat = province.terrain is Terrain.SEA or (province.convoys and random.random() < 0.5)
        if random.random() < 0.85:
            units.append(Unit(random.choice(POWERS), UnitKind.FLEET if afloat else UnitKind.ARMY, code))
    board = Board(tuple(units), map=game_map)
    shores = [code for code, province in game_map.provinces.items() if province.terrain is Terrain.COAST]
    armies = [unit for unit in units if unit.kind is UnitKind.ARMY]
    beyond = {army: [shore for shore in shores if shore != army.province] for army in armies}
    going = {army: Move(army.named, random.choice(beyond[army]), via_convoy=random.random() < 0.5) for army in armies}
    orders: dict[Power, list[MovementOrder]] = {power: [] for power in POWERS}
    for unit in units:
        orders[unit.power].append(_order(random, board, unit, going))
    return board, orders


def _order(random: Random, board: Board, unit: Unit, going: dict[Unit, Move]) -> MovementOrder:
    if unit in going:
        return going[unit] if random.random() < 0.85 else Hold(unit.named)
    if going and random.random() < 0.7:
        move = random.choice([*going.values()][:2])
        return Convoy(unit.named, move.unit, move.destination)
    near = random.choice(sorted(board.map.fleet[unit.location]) or [unit.location])
    helped = random.choice(board.units).named
    ways = (Move(unit.named, near), SupportHold(unit.named, helped), SupportMove(unit.named, helped, near))
    return random.choice((*ways, Move(unit.named, near)))


def any_rulebook(random: Random) -> Rulebook:
    """A rulebook with any choice on what convoys read."""
    intent = random.choice([*ConvoyIntent])
    by_circumstances = intent in (ConvoyIntent.ALWAYS, ConvoyIntent.OPPOSITE)  # then armies must be able to fall back
    return replace(
        load_rulebook("datc-3"),
        multi_route=random.choice([*MultiRoute]),
        paradox=random.choice([*ParadoxRule]),
        convoying_fleet=random.choice([*ConvoyingFleet]),
        land_fallback=random.choice([fallback for fallback in LandFallback if fallback != "never" or not by_circumstances]),
        convoy_intent=intent,
        superfluous_convoy=random.choice([*SuperfluousConvoy]),
        support_origin=random.choice([*AttackOrigin]),
        paradox_origin=random.choice([*AttackOrigin]),
        head_to_head_origin=random.choice([*AttackOrigin]),
    )


def strait(width: int, length: int) -> tuple[Board, dict[Power, list[str]]]:
    """Fleets in a wide strait with one narrow in the middle convoy an army, whose enemy attacks the narrow."""
    narrow = (length // 2, 0)
    cells = [(x, y) for x in range(length) for y in range(width) if x != narrow[0] or y == 0]
    code = {cell: f"S{number:03}" for number, cell in enumerate(cells)}
    steps = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))
    fleet = {code[x, y]: [code[x + a, y + b] for a, b in steps if (x + a, y + b) in code] for x, y in cells}
    shores = {"HOM": [code[0, y] for y in range(width)], "AWY": [code[length - 1, y] for y in range(width)]}
    shores = {"HOM": shores["HOM"], "AWY": [*shores["AWY"], code[narrow]], "SID": [code[narrow]]}
    for coast, seas in shores.items():
        for sea in seas:
            fleet[sea].append(coast)
    entries: dict[ProvinceCode, dict[str, Any]] = {
        sea: {"name": sea, "kind": "sea", "fleet": near} for sea, near in fleet.items()
    }
    entries |= {coast: {"name": coast, "kind": "coast", "fleet": seas, "army": []} for coast, seas in shores.items()}
    powers = {power: {"name": power.title(), "adjective": f"{power.title()}ern"} for power in POWERS}
    tables: dict[str, Any] = {"name": "strait", "title": "A strait", "powers": [*POWERS], "power": powers, "province": entries}
    units = [Unit("NORTH", UnitKind.FLEET, sea) for sea in fleet]
    units += [Unit("NORTH", UnitKind.ARMY, "HOM"), Unit("SOUTH", UnitKind.FLEET, "AWY"), Unit("SOUTH", UnitKind.FLEET, "SID")]
    convoys = [f"F {sea} C A HOM - AWY" for sea in fleet]
    attack = [f"F AWY S F SID - {code[narrow]}", f"F SID - {code[narrow]}"]
    return Board(tuple(units), map=map_from(tables)), {"NORTH": ["A HOM - AWY", *convoys], "SOUTH": attack}
