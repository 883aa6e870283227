"""Whether a dislodged unit has nowhere to go, said of a copy that is the final resolution.

What a retreat hangs on (`satjudge.outcome`) is a function of the final values of moves, supports and convoys, so the literal
holds just where the judge finds no retreat.
"""

from __future__ import annotations

from collections.abc import Sequence

from satjudge.equations.situation import MoveDecision
from satjudge.geography import ProvinceCode, province_of
from satjudge.research.search.copies import Copy
from satjudge.research.search.model import OrderModel
from satjudge.rules import RetreatToOrigin
from satjudge.solve.clauses import FALSE, TRUE, Literal


def has_no_retreat(orders: OrderModel, copy: Copy, place: ProvinceCode) -> Literal:
    """Whatever unit stands in the place, all provinces that it could go to are barred to it."""

    def barred(province: ProvinceCode) -> Literal:
        ways = (_occupied_afterwards(copy, province), _contested(copy, province), _attacked_from(copy, place, province))
        return copy.any_of(ways)

    stranded = []
    for spot in orders.universe.spots_in.get(place, ()):
        exits = sorted({province_of(location) for location in orders.universe.map.exits(*spot)})
        stranded.append(copy.all_of((orders.stands[spot], *map(barred, exits))))
    return copy.any_of(stranded)


def _occupied_afterwards(copy: Copy, province: ProvinceCode) -> Literal:
    """A unit stays there, or arrives."""
    return copy.any_of((copy.stays(province), copy.entered(province)))


def _contested(copy: Copy, province: ProvinceCode) -> Literal:
    """A move there fails whose PREVENT is above 0 (DATC 6.H.6, 6.H.9)."""
    fails = ((copy.chosen(m), -copy.move(m), next(iter(copy.prevent(m)), FALSE)) for m in _moves_into(copy, province))
    return copy.any_of(map(copy.all_of, fails))


def _attacked_from(copy: Copy, province: ProvinceCode, origin: ProvinceCode) -> Literal:
    """The unit that dislodges came from there; not by convoy, where that leaves the way back free (4.A.5)."""
    attacks = (move for move in _moves_into(copy, province) if move.origin.province == origin)
    return copy.any_of(
        copy.all_of((copy.move(m), TRUE if m.rules.retreat_to_origin is not RetreatToOrigin.ALLOWED else -copy.convoyed(m)))
        for m in attacks
    )


def _moves_into(copy: Copy, province: ProvinceCode) -> Sequence[MoveDecision]:
    place = copy.orders.situation.places.get(province)
    return place.moves_in if place else ()
