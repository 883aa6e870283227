"""Candidates: every order that could be legal in a universe, with what must stand for that.

A *candidate* is one order with the conditions under which it is legal (DATC 3.2, 4.E.1): which unit must stand there, and
which other units, for instance the fleets of some route. Candidates that mean the same to the equations are one: a support
speaks of a province, whichever unit stands there, and of a coast only where that makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from satjudge.board import Board, Unit
from satjudge.geography import Location, ProvinceCode, UnitKind, province_of
from satjudge.legality import sort_out
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.rules import LandFallback, Rulebook

if TYPE_CHECKING:
    from satjudge.research.search.universe import Universe

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Spot(NamedTuple):
    """A unit of some kind at some place, whosever it is."""

    kind: UnitKind
    location: Location

    @property
    def province(self) -> ProvinceCode:
        """The province it stands in."""
        return province_of(self.location)

    @property
    def named(self) -> Named:
        """How an order names it."""
        return Named(self.kind, self.location)


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


def every_candidate(universe: Universe) -> tuple[Candidate, ...]:
    """Every order but holding that could be legal for some unit of the universe, whatever is given."""
    moves, supports = _moves(universe), (*_supports_to_hold(universe), *_supports_of_moves(universe))
    return (*moves, *supports, *_convoys(universe))


def _moves(universe: Universe) -> Iterator[Candidate]:
    for spot in universe.standing:
        exits = universe.map.exits(*spot)
        for destination in sorted(exits):
            if province_of(destination) in universe.provinces:
                yield Candidate(Move(spot.named, destination), (spot,))
        if spot.kind is ARMY:
            yield from _convoyed_moves(universe, spot, exits)


def _convoyed_moves(universe: Universe, army: Spot, exits: frozenset[Location]) -> Iterator[Candidate]:
    """Moves that need a convoy, and those by land that ask for one.

    A needless `via convoy` where there is no route says nothing, unless there is a rulebook that makes it illegal.
    """
    may_be_needless = universe.rulebook.land_fallback is not LandFallback.NEVER
    if may_be_needless and universe.must_convoy:
        by_sea = {destination for origin, destination in universe.routes if origin == army.province}
        for destination in sorted((exits & universe.provinces) - by_sea):
            yield Candidate(Move(army.named, destination, via_convoy=True), (army,))
    for (origin, destination), routes in universe.routes.items():
        if origin == army.province:
            by_land = destination in exits
            needs = (Need(()),) if by_land and may_be_needless else tuple(_through(army, route) for route in routes)
            yield Candidate(Move(army.named, destination, via_convoy=by_land), (army,), needs)


def _reach(universe: Universe, spot: Spot) -> frozenset[ProvinceCode]:
    """The provinces into which a unit can support: where it could move to directly (6.A.10)."""
    return frozenset(map(province_of, universe.map.exits(*spot)))


def _supporters(universe: Universe) -> Iterator[tuple[ProvinceCode, tuple[Spot, ...]]]:
    """For each province that can be supported into from somewhere: the units there that can."""
    for spots in universe.spots_in.values():
        reach = frozenset[ProvinceCode]().union(*(_reach(universe, spot) for spot in spots))
        for target in sorted(reach & universe.provinces):
            yield target, tuple(spot for spot in spots if target in _reach(universe, spot))


def _supports_to_hold(universe: Universe) -> Iterator[Candidate]:
    for target, helpers in _supporters(universe):
        if supported := universe.spots_in.get(target):
            order = SupportHold(helpers[0].named, supported[0].named)
            yield Candidate(order, helpers, tuple(Need((spot,)) for spot in supported))


def _supports_of_moves(universe: Universe) -> Iterator[Candidate]:
    origins = _origins(universe)
    for target, helpers in _supporters(universe):
        for origin in origins[target]:
            if origin == helpers[0].province:
                continue
            needs: dict[Words, list[Need]] = {}
            for mover in universe.spots_in[origin]:
                for words, need in _ways_to_support(universe, helpers[0], mover, target):
                    needs.setdefault(words, []).append(need)
            for words, ways in needs.items():
                supported = Named(words.kind, origin) if words.kind else Named(None, origin)
                order = SupportMove(helpers[0].named, supported, words.said)
                yield Candidate(order, helpers, tuple(ways), replace(order, destination=words.legal))


def _origins(universe: Universe) -> dict[ProvinceCode, tuple[ProvinceCode, ...]]:
    """From where a unit may be moved into each province."""
    found: dict[ProvinceCode, dict[ProvinceCode, None]] = {code: {} for code in universe.provinces}
    for candidate in _moves(universe):
        assert isinstance(candidate.order, Move)
        found[province_of(candidate.order.destination)][candidate.order.unit.province] = None
    return {code: tuple(origins) for code, origins in found.items()}


def _ways_to_support(universe: Universe, helper: Spot, mover: Spot, target: ProvinceCode) -> Iterator[tuple[Words, Need]]:
    """How a unit's move is to be called by a supporter, each with what must stand for that to be legal."""
    coasts = bool(universe.map.provinces[target].coasts)
    words = Words(target, target, mover.kind if coasts else None)
    if target in _reach(universe, mover):
        if coasts and mover.kind is FLEET:
            yield from _wordings(universe, helper, mover, target)
        else:
            yield words, Need((mover,))
    elif mover.kind is ARMY:  # a fleet cannot support the move that it alone could make possible (6.D.31)
        for route in universe.routes.get((mover.province, target), ()):
            if helper.province not in route:
                yield words, _through(mover, route)


def _wordings(universe: Universe, helper: Spot, mover: Spot, target: ProvinceCode) -> Iterator[tuple[Words, Need]]:
    """How to call a fleet's move where there are several coasts; of words that mean the same only the first (4.B.4)."""
    meanings: set[tuple[object, ...]] = set()
    reachable = universe.map.fleet_reach[mover.location][target]
    books = sorted(universe.rulebooks, key=lambda book: book.name)
    for own in (False, True):
        for said in (target, *universe.map.provinces[target].locations):
            legal = {book.name: _read(universe, book, helper, mover, said, own=own) for book in books}
            meaning = tuple(words and frozenset(to for to in reachable if words in (to, target)) for words in legal.values())
            words = legal[universe.rulebook.name]
            if words and meaning not in meanings:
                meanings.add(meaning)
                yield Words(said, words, FLEET), Need((mover,), own)


def _read(universe: Universe, rulebook: Rulebook, helper: Spot, mover: Spot, said: Location, *, own: bool) -> Location | None:
    """Where a rulebook takes a supported fleet to be said to go; None if that is illegal."""
    units = (Unit("ONE", *helper), Unit("ONE" if own else "OTHER", *mover))
    order = SupportMove(helper.named, Named(*mover, units[1].power), said)
    legal = sort_out(Board(units, map=universe.map), {"ONE": [order]}, rulebook).orders.get(helper.province)
    return legal.destination if isinstance(legal, SupportMove) else None


def _convoys(universe: Universe) -> Iterator[Candidate]:
    needs: dict[tuple[ProvinceCode, ProvinceCode, ProvinceCode], list[Need]] = {}
    for (origin, destination), routes in universe.routes.items():
        army = Spot(ARMY, origin)
        for route in routes if army in universe.standing else ():
            for sea in route:
                others = tuple(other for other in route if other != sea)
                needs.setdefault((sea, origin, destination), []).append(_through(army, others))
    for (sea, origin, destination), ways in needs.items():
        fleet = Spot(FLEET, sea)
        yield Candidate(Convoy(fleet.named, Named(ARMY, origin), destination), (fleet,), tuple(ways))


def _through(army: Spot, route: Iterable[ProvinceCode]) -> Need:
    return Need((army, *(Spot(FLEET, sea) for sea in route)))
