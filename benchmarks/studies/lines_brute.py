"""Plays small lines of docs/papers/lines.md out against every enemy order, judged by an oracle that follows the DATC.

    python benchmarks/studies/lines_brute.py                 # all of them; the block of the page about them is written anew
    python benchmarks/studies/lines_brute.py fewest-32       # one of them

It knows no theory of lines, and shares no rule with satjudge: orders are made from the map alone, and the algorithm of DATC 5.E
(`satjudge.oracles.kruijswijk_partial`) judges them. In *every* province outside the line there is nothing, an army
or a fleet on any coast, in every combination; the units are all of one power, or each of its own; and each has every order:
to hold, to move to any province that it touches, to support any unit, also one of the line, to hold or to move. What is
left out does nothing by the rules as they stand: a support for what is not ordered, and a move over fleets that do not convoy.

Where nearly the whole map is outside (`fewest-3`), enemies are those that touch the line. They hold, move into the
line, or support another one that does; no fleet of theirs touches a coast of the line, so that none can come by convoy.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time

from satjudge.notation.bundled_cases import read_collection
from satjudge.oracles.kruijswijk_partial import judge
from satjudge.search.lines.line import Line, list_all_units, read_line
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import load_rulebook

ROOT = Path(__file__).parents[2]
PAGE, KEPT = ROOT / "docs" / "papers" / "lines.md", ROOT / "docs" / "papers" / "lines" / "brute.jsonl"
POWERS = ("turkey", "austria", "england", "france", "germany", "italy")
NAMES = ("fewest-33", "fewest-32", "fewest-31", *(f"around-{power}" for power in POWERS), "fewest-3")
FEW = 4
"""The most provinces outside for which enemies stand everywhere, with every order."""


@dataclass(frozen=True)
class Played:
    """How many boards of enemies there were, how many sets of orders, and one that brings an enemy into the line."""

    boards: int
    plays: int
    attack: Sequence[str] | None


def played(line: Line) -> Played:
    """Every set of orders of every enemies, until one breaks the line."""
    outside = set(line.board.map.provinces) - line.protected_provinces
    near = {code for code in outside if line.board.map.neighbours[code] & line.protected_provinces}
    everything = len(outside) <= FEW
    boards = plays = 0
    for board in placements(line, outside if everything else near, empty=everything):
        boards += 1
        ours = [line.orders[unit.province] for unit in line.board.units]
        for orders in all_orders(line, board, everything=everything):
            plays += 1
            given: dict[Power, list[MovementOrder]] = {line.board.units[0].power: ours}
            for unit, order in orders.items():
                given.setdefault(unit.power, []).append(order)
            answer = judge(board, given)
            standing = (province_of(unit.split()[1]) for power in given if power != board.units[0].power
                        for unit in answer.units.get(power, ()))  # fmt: skip
            if not line.protected_provinces.isdisjoint(standing):
                return Played(boards, plays, [*map(str, orders.values())])
    return Played(boards, plays, None)


def placements(line: Line, provinces: set[ProvinceCode], *, empty: bool) -> Iterator[Board]:
    """The line with a unit of every kind, or none, in each of these provinces: of one power, or each of its own.

    With more units than there are powers, some share one.
    """
    powers = [power for power in line.board.map.powers if power != line.board.units[0].power]
    there = {place: [spot for spot in list_all_units(line.board.map) if province_of(spot[1]) == place] for place in provinces}
    for spots in product(*([*([None] if empty else []), *there[place]] for place in sorted(provinces))):
        standing = [spot for spot in spots if spot is not None]
        for by in {tuple(powers[:1] * len(standing)), tuple(powers[number % len(powers)] for number in range(len(standing)))}:
            enemies = (Unit(power, *spot) for power, spot in zip(by, standing, strict=True))
            yield Board((*line.board.units, *enemies), map=line.board.map)


def all_orders(line: Line, board: Board, *, everything: bool) -> Iterator[dict[Unit, MovementOrder]]:
    """Every order of each enemy in which every support is for something that is ordered."""
    ours = line.board.unit_at
    enemies = [unit for unit in board.units if unit.province not in ours]
    game_map = board.map

    def goals(unit: Unit) -> set[ProvinceCode]:
        found = {province_of(way) for way in game_map.exits(unit.kind, unit.location)}
        return found if everything else found & line.protected_provinces

    def choices(unit: Unit) -> Iterator[MovementOrder]:
        me, reached = unit.named, {province_of(way) for way in game_map.exits(unit.kind, unit.location)}
        yield Hold(me)
        yield from (
            Move(me, way) for way in sorted(game_map.exits(unit.kind, unit.location)) if province_of(way) in goals(unit)
        )
        for other in board.units:
            if other != unit and everything and other.province in reached:
                yield SupportHold(me, other.named)
            if other != unit and other in enemies:
                yield from (SupportMove(me, other.named, goal) for goal in sorted(goals(other) & reached))

    for chosen in product(*map(choices, enemies)):
        orders = dict(zip(enemies, chosen, strict=True))
        if all(matched(order, orders, ours) for order in chosen):
            yield orders


def matched(order: MovementOrder, orders: Mapping[Unit, MovementOrder], ours: Mapping[ProvinceCode, Unit]) -> bool:
    """Whether what it supports, if it is a support, is ordered."""
    if not isinstance(order, SupportHold | SupportMove) or order.supported.province in ours:
        return True
    other = next(given for unit, given in orders.items() if unit.province == order.supported.province)
    if isinstance(order, SupportHold):
        return not isinstance(other, Move)
    return isinstance(other, Move) and province_of(other.destination) == province_of(order.destination)


def line_of(name: str) -> Line:
    """The line of a case."""
    return read_line(next(sheet for sheet in read_collection("lines") if sheet.identity == name), load_rulebook("datc-3"))


def without_one(line: Line) -> Line:
    """The same without its first unit that is supported, or that holds: brute force must break it."""
    supported = {order.supported.province for order in line.orders.values() if isinstance(order, SupportHold)}
    gone = min(supported or line.board.unit_at.keys())
    return line.keep_units(line.board.unit_at.keys() - {gone})


def main(names: Sequence[str]) -> int:
    """Play out the lines, keep what came of it, and write the block of the page."""
    rows = {row["name"]: row for row in map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())} if KEPT.exists() else {}
    for name in names or NAMES:
        line, began = line_of(name), process_time()
        found, broken = played(line), played(without_one(line))
        rows[name] = {
            "name": name,
            "units": len(line.board.units),
            "boards": found.boards,
            "plays": found.plays,
            "attack": found.attack,
            "attack_without_one": broken.attack,
            "seconds": round(process_time() - began, 1),
        }
        print(json.dumps(rows[name]), flush=True)
        KEPT.write_text("".join(f"{json.dumps(rows[name])}\n" for name in NAMES if name in rows), encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return int(any(row["attack"] or not row["attack_without_one"] for row in rows.values()))


def filled(text: str) -> str:
    """Return the page with its block rewritten."""
    told = [
        "| line | units | boards of enemies | sets of orders | an enemy enters | with one unit fewer | CPU s |",
        "|" + "---|" * 7,
    ]
    for row in map(json.loads, KEPT.read_text(encoding="utf-8").splitlines()):
        attack, broken = "; ".join(row["attack"] or ["never"]), "; ".join(row["attack_without_one"] or ["never"])
        counts = f"{row['units']} | {row['boards']:,} | {row['plays']:,}"
        told.append(f"| `{row['name']}` | {counts} | {attack} | {broken} | {row['seconds']} |")
    block = re.compile(r"(<!-- found: brute -->\n).*?(?=<!-- end -->)", re.DOTALL)
    return block.sub(lambda found: found[1] + "\n".join(told) + "\n", text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
