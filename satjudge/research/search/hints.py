"""Why a search that found nothing could not find anything: what its goal asks for that is nowhere in what was searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from satjudge.notation.sheets import shipped_sheets
from satjudge.orders import Hold, MovementOrder, Named
from satjudge.research.search import goals
from satjudge.research.search.candidates import Candidate, Spot
from satjudge.research.search.goals import Atom, Goal, atoms
from satjudge.research.search.judging import same_order
from satjudge.research.search.shapes import catalogued, least_units_of
from satjudge.research.search.universe import Universe


def hints(goal: Goal, universe: Universe) -> list[str]:
    """What no board of the universe can have, goal by goal; empty where that cannot be told at a glance."""
    return list(dict.fromkeys(hint for atom in atoms(goal) for hint in _hints(atom, universe)))


def _hints(atom: Atom, universe: Universe) -> Iterator[str]:
    match atom:
        case goals.Differs(one, other):
            if one.settings() == other.settings():
                yield f"{one.name} and {other.name} are the same rulebook"
        case goals.CoreShape(shape):
            yield from _about_shape(shape, universe)
        case goals.Dislodged():
            yield from _about_unit(Named(None, atom.place), universe)
        case goals.Occupied():
            yield from _about_visitors(atom, universe)
        case goals.Verdict(order):
            about_unit = list(_about_unit(order.unit, universe))
            yield from about_unit or _about_order(order, universe)


def _about_shape(shape: str, universe: Universe) -> Iterator[str]:
    if catalogued(shape) is None:
        known = [sheet.identity.removeprefix("catalogue-") for sheet in shipped_sheets("catalogue")]
        close = get_close_matches(shape, known, 1)
        yield f"the catalogue has no shape {shape}" + (f" (the nearest is {close[0]})" if close else "")
    least = least_units_of(goals.CoreShape(shape), universe.rulebook)
    if least > len(universe.spots_in):
        yield f"{shape} takes at least {least} units, and there is room for {len(universe.spots_in)}"


def _about_visitors(goal: goals.Occupied, universe: Universe) -> Iterator[str]:
    if goal.province not in universe.provinces:
        yield f"{goal.province} is outside the region"
    elif goal.power and not universe.spots and all(unit.power != goal.power for unit in universe.units):
        yield f"no unit of {universe.map.name_of(goal.power)} is on the board"


def _none_stands(named: Named, universe: Universe) -> bool:
    return not any(_fits(named, spot) for spot in universe.standing)


def _fits(named: Named, spot: Spot) -> bool:
    return named.kind in (None, spot.kind) and goals.fits(named.location, spot.location)


def _about_unit(named: Named, universe: Universe) -> Iterator[str]:
    if named.province not in universe.provinces:
        yield f"{named.province} is outside the region"
    elif _none_stands(named, universe):
        yield f"there is no {named}" if named.kind else f"no unit stands in {named.location}"


def _about_order(order: MovementOrder, universe: Universe) -> Iterator[str]:
    given = universe.orders.get(order.unit.province)
    if given is not None and not same_order(order, given):
        yield f"another order is given: {given}"
    elif not isinstance(order, Hold) and not any(_is_like(order, candidate) for candidate in universe.candidates):
        yield f"{order} is never legal where was searched"


def _is_like(order: MovementOrder, candidate: Candidate) -> bool:
    asked = replace(order, unit=Named(None, order.unit.province))
    return same_order(asked, candidate.order) and any(_fits(order.unit, spot) for spot in candidate.given_to)
