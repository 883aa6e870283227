"""Candidates: every order that could be legal among some places, with what must stand for that.

A *candidate* is one order with the conditions under which it is legal (DATC 3.2, 4.E.1): which unit must stand there, and
which other units, for instance the fleets of some route. Candidates that mean the same to the equations are one: a support
speaks of a province, whichever unit stands there, and of a coast only where that makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from satjudge.board import Board, Unit
from satjudge.geography import Location, ProvinceCode, UnitKind, province_of
from satjudge.legality import sort_out
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.rules import LandFallback, Rulebook
from satjudge.unknown.places import ARMY, FLEET, Places, Spot


class Need(NamedTuple):
    """Units that must stand for an order to be legal; `own`: and the ordered and the first of them must be of one power."""

    spots: tuple[Spot, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """An order that may be given to any of some units, if what one of its needs says stands on the board.

    `legal` is what the rulebook makes of it, if that is not the order as it stands.
    """

    order: MovementOrder
    given_to: tuple[Spot, ...]
    needs: tuple[Need, ...] = (Need(()),)
    legal: MovementOrder | None = None


class Words(NamedTuple):
    """How a supporter calls a move: where it is said to go, and what the rulebook makes of that."""

    said: Location
    legal: Location
    kind: UnitKind | None = None
    """What moves, where armies and fleets are not called alike."""


def meaning(order: MovementOrder) -> object:
    """What tells candidates apart: not how they name the units, but for the kind of a supported one where that matters."""
    match order:
        case SupportHold():
            return SupportHold, order.unit.province, order.supported.province
        case SupportMove():
            return SupportMove, order.unit.province, order.supported.province, order.supported.kind, order.destination
    return order


def every_candidate(places: Places) -> tuple[Candidate, ...]:
    """Every order but holding that could be legal for some unit of the places, whatever is given."""
    moves, supports = _moves(places), (*_supports_to_hold(places), *_supports_of_moves(places))
    return (*moves, *supports, *_convoys(places))


def _moves(places: Places) -> Iterator[Candidate]:
    for spot in places.standing:
        exits = places.map.exits(*spot)
        for destination in sorted(exits):
            if province_of(destination) in places.provinces:
                yield Candidate(Move(spot.named, destination), (spot,))
        if spot.kind is ARMY:
            yield from _convoyed_moves(places, spot, exits)


def _convoyed_moves(places: Places, army: Spot, exits: frozenset[Location]) -> Iterator[Candidate]:
    """Moves that need a convoy, and those by land that ask for one.

    A needless `via convoy` where there is no route says nothing, unless there is a rulebook that makes it illegal.
    """
    may_be_needless = places.rulebook.land_fallback is not LandFallback.NEVER
    if may_be_needless and places.must_convoy:
        by_sea = {destination for origin, destination in places.routes if origin == army.province}
        for destination in sorted((exits & places.provinces) - by_sea):
            yield Candidate(Move(army.named, destination, via_convoy=True), (army,))
    for (origin, destination), routes in places.routes.items():
        if origin == army.province:
            by_land = destination in exits
            needs = (Need(()),) if by_land and may_be_needless else tuple(_through(army, route) for route in routes)
            yield Candidate(Move(army.named, destination, via_convoy=by_land), (army,), needs)


def _reach(places: Places, spot: Spot) -> frozenset[ProvinceCode]:
    """The provinces into which a unit can support: where it could move to directly (6.A.10)."""
    return frozenset(map(province_of, places.map.exits(*spot)))


def _supporters(places: Places) -> Iterator[tuple[ProvinceCode, tuple[Spot, ...]]]:
    """For each province that can be supported into from somewhere: the units there that can."""
    for spots in places.spots_in.values():
        reach = frozenset[ProvinceCode]().union(*(_reach(places, spot) for spot in spots))
        for target in sorted(reach & places.provinces):
            yield target, tuple(spot for spot in spots if target in _reach(places, spot))


def _supports_to_hold(places: Places) -> Iterator[Candidate]:
    for target, helpers in _supporters(places):
        if supported := places.spots_in.get(target):
            order = SupportHold(helpers[0].named, supported[0].named)
            yield Candidate(order, helpers, tuple(Need((spot,)) for spot in supported))


def _supports_of_moves(places: Places) -> Iterator[Candidate]:
    origins = _origins(places)
    for target, helpers in _supporters(places):
        for origin in origins[target]:
            if origin == helpers[0].province:
                continue
            needs: dict[Words, list[Need]] = {}
            for mover in places.spots_in[origin]:
                for words, need in _ways_to_support(places, helpers[0], mover, target):
                    needs.setdefault(words, []).append(need)
            for words, ways in needs.items():
                supported = Named(words.kind, origin) if words.kind else Named(None, origin)
                order = SupportMove(helpers[0].named, supported, words.said)
                yield Candidate(order, helpers, tuple(ways), replace(order, destination=words.legal))


def _origins(places: Places) -> dict[ProvinceCode, tuple[ProvinceCode, ...]]:
    """From where a unit may be moved into each province."""
    found: dict[ProvinceCode, dict[ProvinceCode, None]] = {code: {} for code in places.provinces}
    for candidate in _moves(places):
        assert isinstance(candidate.order, Move)
        found[province_of(candidate.order.destination)][candidate.order.unit.province] = None
    return {code: tuple(origins) for code, origins in found.items()}


def _ways_to_support(places: Places, helper: Spot, mover: Spot, target: ProvinceCode) -> Iterator[tuple[Words, Need]]:
    """How a unit's move is to be called by a supporter, each with what must stand for that to be legal."""
    coasts = bool(places.map.provinces[target].coasts)
    words = Words(target, target, mover.kind if coasts else None)
    if target in _reach(places, mover):
        if coasts and mover.kind is FLEET:
            yield from _wordings(places, helper, mover, target)
        else:
            yield words, Need((mover,))
    elif mover.kind is ARMY:  # a fleet cannot support the move that it alone could make possible (6.D.31)
        for route in places.routes.get((mover.province, target), ()):
            if helper.province not in route:
                yield words, _through(mover, route)


def _wordings(places: Places, helper: Spot, mover: Spot, target: ProvinceCode) -> Iterator[tuple[Words, Need]]:
    """How to call a fleet's move where there are several coasts; of words that mean the same only the first (4.B.4)."""
    meanings: set[tuple[object, ...]] = set()
    reachable = places.map.fleet_reach[mover.location][target]
    books = sorted(places.rulebooks, key=lambda book: book.name)
    for own in (False, True):
        for said in (target, *places.map.provinces[target].locations):
            legal = {book.name: _read(places, book, helper, mover, said, own=own) for book in books}
            meaning = tuple(words and frozenset(to for to in reachable if words in (to, target)) for words in legal.values())
            words = legal[places.rulebook.name]
            if words and meaning not in meanings:
                meanings.add(meaning)
                yield Words(said, words, FLEET), Need((mover,), own)


def _read(places: Places, rulebook: Rulebook, helper: Spot, mover: Spot, said: Location, *, own: bool) -> Location | None:
    """Where a rulebook takes a supported fleet to be said to go; None if that is illegal."""
    units = (Unit("ONE", *helper), Unit("ONE" if own else "OTHER", *mover))
    order = SupportMove(helper.named, Named(*mover, units[1].power), said)
    legal = sort_out(Board(units, map=places.map), {"ONE": [order]}, rulebook).orders.get(helper.province)
    return legal.destination if isinstance(legal, SupportMove) else None


def _convoys(places: Places) -> Iterator[Candidate]:
    needs: dict[tuple[ProvinceCode, ProvinceCode, ProvinceCode], list[Need]] = {}
    for (origin, destination), routes in places.routes.items():
        army = Spot(ARMY, origin)
        for route in routes if army in places.standing else ():
            for sea in route:
                others = tuple(other for other in route if other != sea)
                needs.setdefault((sea, origin, destination), []).append(_through(army, others))
    for (sea, origin, destination), ways in needs.items():
        fleet = Spot(FLEET, sea)
        yield Candidate(Convoy(fleet.named, Named(ARMY, origin), destination), (fleet,), tuple(ways))


def _through(army: Spot, route: Iterable[ProvinceCode]) -> Need:
    return Need((army, *(Spot(FLEET, sea) for sea in route)))
