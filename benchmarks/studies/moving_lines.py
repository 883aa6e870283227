"""Finds which shipped lines hold if units stand behind their places and move there each turn.

For docs/papers/published-lines.md.

    python benchmarks/studies/moving_lines.py [LINE ...]     # some minutes for all

A second unit that moves to the same place is one that may support it there: together they stand each other off. That is asked
where the first alone holds.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from satjudge.base.values import replace
from satjudge.notation.bundled_cases import read_collection
from satjudge.search.lines.line import Line, read_line
from satjudge.search.lines.moving_lines import MovingFinding, examine_moving_line
from satjudge.world.board import Unit
from satjudge.world.geography import Location, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import load_rulebook


def standing_back(line: Line, unit: Unit, back: Mapping[Unit, Location]) -> Line:
    """The line with units at other places, from which all move to the place of one of them; who supported it does so."""
    origin = replace(unit, location=back[unit])
    orders: dict[str, MovementOrder] = {}
    units = tuple(replace(one, location=back.get(one, one.location)) for one in line.board.units)
    for before, now in zip(line.board.units, units, strict=True):
        order = line.orders[before.province]
        if before in back:
            order = Move(now.named, unit.location)
        elif isinstance(order, SupportHold) and order.supported.province == unit.province:
            order = SupportMove(order.unit, origin.named, unit.location)
        elif isinstance(order, SupportHold) and order.supported.province not in {one.province for one in units}:
            order = Hold(order.unit)
        orders[now.province] = order
    return line.change_position(replace(line.board, units=units), orders)


def ways(line: Line) -> Iterator[tuple[str, MovingFinding]]:
    """Every unit that can stand behind its place; and with it every other one that could go to that place as well."""
    exits = line.board.map.exits
    for unit in line.board.units:
        for place in sorted(exits(unit.kind, unit.location)):
            if province_of(place) not in line.behind or unit.location not in exits(unit.kind, place):
                continue
            alone = examine_moving_line(standing_back(line, unit, {unit: place}))
            yield "alone", alone
            for other in line.board.units if alone.holds else ():
                if other != unit and unit.location in exits(other.kind, other.location):
                    both = {unit: place, other: other.location}
                    yield "self-standoff", examine_moving_line(standing_back(line, unit, both))


def main() -> None:
    """Print how many ways hold of each line, and of all."""
    rulebook, total = load_rulebook("datc-3"), Counter[tuple[str, bool]]()
    for sheet in read_collection("lines"):
        holds = sheet.notes.get("finding") == ["holds"] and Path(sheet.source_file).stem != "moving"
        if holds and (len(sys.argv) == 1 or sheet.identity in sys.argv[1:]):
            found = Counter((how, finding.holds) for how, finding in ways(read_line(sheet, rulebook)))
            total += found
            print(sheet.identity, told(found), flush=True)
    print("all", told(total))


def told(found: Counter[tuple[str, bool]]) -> str:
    """How many hold of how many."""
    return "; ".join(
        f"{how}: {found[how, True]} of {found[how, True] + found[how, False]}" for how in ("alone", "self-standoff")
    )


if __name__ == "__main__":
    main()
