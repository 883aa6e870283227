"""Writes the numbers that `count` found, as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.bulk.documents.counts import Counted
from satjudge.show.layout import Column, Listing, Part
from satjudge.world.geography import Map


def counted_lines(found: Counted, game_map: Map) -> Iterator[Part]:
    """Write the numbers of order sets and positions, of each power and of all together."""
    name = ": ".join(filter(None, (found.id, found.title)))
    totals = {
        "Power": "all",
        "Units": f"{sum(len(power.units) for power in found.powers.values())}",
        "Moves and holds": _number(found.plain_order_sets),
        "All legal orders": _number(found.order_sets),
        "Positions": _number(found.positions),
    }
    columns = [Column(heading, right=heading != "Power", total=total) for heading, total in totals.items()]
    table = Listing(columns, f"{name}  [{found.rulebook.name}]", lined=True)
    for power, own in found.powers.items():
        numbers = (own.plain_order_sets, own.order_sets, own.positions)
        table.add_row(game_map.name_of(power), str(len(own.units)), *map(_number, numbers))
    yield table
    yield "Moves and holds: order sets of moves by land or sea and holds; a power's positions: were it alone on the board."
    if found.positions is None:
        yield "Positions are not counted here: the map's own rules say more of moves."
        return
    yield f"Positions where units of one power and kind are told apart: {_number(found.positions_told_apart)}."
    if found.more_by_help:
        yield f"These are the positions that moves by land or sea lead to; there may be more, as {found.more_by_help}."
    else:
        yield "No other orders lead to more: nothing can be convoyed or dislodged."
    if found.counted_twice:
        yield "Counted in two ways, which agree."


def _number(told: str | None) -> str:
    return "-" if told is None else f"{int(told):,}"
