"""Circular movement: what the rule for it (DATC 6.C) says of an outcome, so that it need not be found out board by board.

Any consistent resolution could be the outcome as far as an encoding goes, and moves in a ring have two: all succeed, or none
does. So an outcome must not hold a ring that *waits*: moves that fail although each would succeed if the unit at its
destination left as it is ordered to, which is the next move of the ring. Were all of them to succeed, all equations would hold
as well, and of the solutions for moves after units that leave the outcome has the greatest (docs/search.md).

There is no such ring if every province has a height, and a unit that waits stands higher than the one that it waits for.
"""

from __future__ import annotations

from itertools import pairwise, zip_longest

import networkx

from satjudge.equations import statement
from satjudge.equations.situation import Place
from satjudge.geography import ProvinceCode
from satjudge.solve.clauses import FALSE, TRUE, Literal
from satjudge.unknown.encoding import Encoding


def require_circular_movement(encoding: Encoding) -> None:
    """Ask that no ring waits in an encoding that stands for an outcome."""
    orders = encoding.orders
    graph = networkx.DiGraph((move.origin.province, move.destination.province) for move in orders.situation.moves)
    for component in networkx.strongly_connected_components(graph):
        most = min(len(component), orders.most_units or len(component))
        heights = {province: _height(encoding, most) for province in sorted(component)} if most > 1 else {}
        for province in heights:
            _stand_higher(encoding, orders.situation.places[province], heights)


def _height(encoding: Encoding, most: int) -> list[Literal]:
    """Whether a height is at least 1, 2, …: fewer than there are units in the ring."""
    row = [encoding.formula.new() for _ in range(1, most)]
    for lower, higher in pairwise(row):
        encoding.formula.require(-higher, lower)
    return row


def _stand_higher(encoding: Encoding, place: Place, heights: dict[ProvinceCode, list[Literal]]) -> None:
    """Units of a ring that wait for the unit in a place stand higher than it.

    The success of a move after it hangs on no move but those out of the place: they leave it empty, and beat the rivals that
    come from where they go (docs/search.md).
    """
    left = encoding.supposing(place.moves_out)
    leaving = encoding.any_of(map(encoding.chosen, place.moves_out))
    for move in place.moves_in:
        if move.origin.province in heights:
            would = encoding.all_of((encoding.chosen(move), leaving, -encoding.move(move), statement.move(left, move)))
            above = heights[move.origin.province]
            for reached, next_one in zip_longest((TRUE, *heights[place.province]), above, fillvalue=FALSE):
                encoding.formula.require(-would, -reached, next_one)
