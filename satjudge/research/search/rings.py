"""Rings that turn: what the rule for circular movement says of an outcome, so that it need not be found out board by board.

Any resolution could be the outcome as far as a copy goes, and a ring of moves has two: all succeed, or none does. There are
thousands of rings on a map, and the judge would refuse each. So an outcome must not hold a ring that *waits*: moves that fail
although each has a path and is the only one into its province, as the next one, which it does not meet on the way, fails too.
Were they to succeed, all equations would hold as well, and of the solutions for onward moves the outcome has the greatest
(docs/search.md).

There is no such ring if every province has a height, and a unit that waits stands higher than the one that it waits for.
"""

from __future__ import annotations

from itertools import pairwise, zip_longest

from satjudge.equations.situation import MoveDecision
from satjudge.research.search.copies import Copy
from satjudge.solve.clauses import FALSE, TRUE, Literal


def turn_rings(copy: Copy) -> None:
    """Ask that no ring waits in a copy that stands for an outcome."""
    most = copy.orders.most_units or len(copy.orders.occupied)
    heights = {province: _height(copy, most) for province in copy.orders.situation.places}
    for move in copy.orders.situation.moves:
        waits = _waits(copy, move)
        below, above = heights[move.destination.province], heights[move.origin.province]
        for reached, next_one in zip_longest((TRUE, *below), above, fillvalue=FALSE):
            copy.formula.require(-waits, -reached, next_one)


def _height(copy: Copy, most: int) -> list[Literal]:
    """Whether a height is at least 1, 2, …: fewer than there are units."""
    row = [copy.formula.new() for _ in range(1, most)]
    for lower, higher in pairwise(row):
        copy.formula.require(-higher, lower)
    return row


def _waits(copy: Copy, move: MoveDecision) -> Literal:
    """A move fails, and nothing hinders it but a unit that is ordered to leave and does not."""
    place = move.destination
    rivals = (copy.chosen(other) for other in place.moves_in if other is not move)
    opposite = (copy.head_to_head(move, other) for other in place.moves_out if other.destination is move.origin)
    leaving = copy.any_of(copy.chosen(other) for other in place.moves_out)
    return copy.all_of((copy.path(move), -copy.move(move), leaving, copy.none_of(rivals), copy.none_of(opposite)))
