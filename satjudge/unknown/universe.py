"""A universe: what a question about unknown orders ranges over, and which of the candidate orders are open in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from satjudge.geography import Location, ProvinceCode, province_of
from satjudge.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.rules import Mistake, Rulebook
from satjudge.unknown.candidates import Candidate, every_candidate, meaning
from satjudge.unknown.places import ARMY, FLEET, Places, Spot


@dataclass(frozen=True)
class Universe(Places):
    """Places with the orders that are given there; whatever is left open ranges over all legal orders.

    Provinces in `orders` have the order given there, all other units any legal one that stays in the region.
    """

    orders: Mapping[ProvinceCode, MovementOrder] = field(default_factory=dict)

    def under(self, rulebook: Rulebook) -> Universe:
        """The same as another of its rulebooks reads it."""
        if rulebook not in self._readings:
            others = tuple(book for book in self.rulebooks if book != rulebook)
            reading = self._readings[rulebook] = replace(self, rulebook=rulebook, beside=others)
            vars(reading)["_readings"] = self._readings  # what takes long to work out is worked out once for all
        return self._readings[rulebook]

    @cached_property
    def _readings(self) -> dict[Rulebook, Universe]:
        return {self.rulebook: self}

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every order but holding that could be legal under the rulebook, or that is given and could be."""
        if not self.orders:
            return self._everything
        readings = (self.under(rulebook) for rulebook in self.rulebooks)
        meanings = {meaning(candidate.order) for reading in readings for candidate in reading._everything}
        given = {province: self._in_words_of(order, meanings) for province, order in self.orders.items()}
        return tuple(candidate for candidate in self._everything if self._is_open(candidate, given))

    @cached_property
    def _everything(self) -> tuple[Candidate, ...]:
        return every_candidate(self)

    def _in_words_of(self, given: MovementOrder, meanings: Collection[object]) -> MovementOrder:
        """A given order as a candidate says it: without the coast of a supported move that can go to no other."""
        if isinstance(given, SupportMove):
            fleets = self.spots_in.get(given.supported.province, ())
            in_full = replace(given, supported=Named(FLEET, given.supported.location))
            if meaning(in_full) not in meanings and any(given.destination in self.map.exits(*spot) for spot in fleets):
                return replace(given, destination=province_of(given.destination))
        return given

    def _is_open(self, candidate: Candidate, orders: Mapping[ProvinceCode, MovementOrder]) -> bool:
        """Whether the unit is free to be given this order."""
        given = orders.get(candidate.order.unit.province)
        if isinstance(given, Move) and isinstance(candidate.order, Move):
            if given.via_convoy and candidate.given_to[0].kind is FLEET and self.rulebook.impossible_via is Mistake.ILLEGAL:
                return False
            same_way = self._asks_for_convoy(given, candidate.given_to[0]) is candidate.order.via_convoy
            return same_way and _same_place(given.destination, candidate.order.destination)
        return given is None or _same(given, candidate.order)

    def _asks_for_convoy(self, move: Move, spot: Spot) -> bool:
        """Whether the words `via convoy` mean anything: not to a fleet, nor where there is no other way, or no convoy."""
        by_land = move.destination in self.map.exits(*spot)
        possible = (spot.province, move.destination) in self.routes or self.must_convoy
        return move.via_convoy and spot.kind is ARMY and by_land and possible


def _same(given: MovementOrder, order: MovementOrder) -> bool:
    """Whether a candidate is what was given, in full or short of a coast."""
    match given, order:
        case (SupportHold(), SupportHold()):
            return given.supported.province == order.supported.province
        case (SupportMove(), SupportMove()):
            same_unit = given.supported.province == order.supported.province
            return same_unit and _same_place(given.destination, order.destination)
        case (Convoy(), Convoy()):
            return given.convoyed.province == order.convoyed.province and given.destination == order.destination
    return False


def _same_place(given: Location, location: Location) -> bool:
    return given == location or (given == province_of(location) != location)
