"""Stations (docs/papers/cores.md): a unit that supports or convoys, and every way in which moves can meet it there.

A station is made of places and decisions alone, without a map, so that all of them can be gone through: who attacks, of which
power, with how many supports of which powers, by land or by convoy. One order for the station comes from outside and is left
open; everything else is settled. The equations are those of `satjudge.judging.equations.statement`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, count, product

from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, Situation, SupportDecision
from satjudge.judging.solve.bounds import find_equation, narrow_bounds
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Convoy, Move, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

OWN, FOREIGN = "ONE", "OTHER"
"""The power of the unit that stays, and any other: the equations ask of no other difference."""


@dataclass(frozen=True, order=True)
class Attack:
    """A move to the station: whose it is, and how many settled supports it has of each side."""

    own: bool
    foreign_supports: int
    own_supports: int


ATTACKS = tuple(Attack(*parts) for parts in product((False, True), range(3), range(2)))


@dataclass
class Station:
    """The unit there, and what is known. `order` is its order, `open` the order from outside that is not settled."""

    rules: Rulebook
    situation: Situation = field(init=False)
    order: SupportDecision | ConvoyDecision = field(init=False)
    open: SupportDecision | ConvoyDecision = field(init=False)
    here: Place = field(init=False)
    there: Place = field(init=False)
    """Where the order of the station is directed at."""

    def __post_init__(self) -> None:
        self._numbers = count()
        self.situation = Situation(Board(()), self.rules, {})
        self.here, self.there = self._place(OWN, UnitKind.FLEET), self._place(FOREIGN, UnitKind.FLEET)

    def _place(self, power: str, kind: UnitKind) -> Place:
        name = f"P{next(self._numbers)}"
        place = self.situation.places[name] = Place(name, Unit(power, kind, name), self.rules)
        return place

    def _added(self, decision: Decision) -> None:
        self.situation.decisions.append(decision)
        if isinstance(decision, MoveDecision):
            self.situation.moves.append(decision)

    @property
    def _index(self) -> int:
        return len(self.situation.decisions)

    def supports(self) -> None:
        """The unit supports the one where it is directed at, which stays."""
        unit, other = _named(self.here), _named(self.there)
        self.order = SupportDecision(
            self._index, self.rules, SupportHold(unit, other), OWN, self.here, self.there, self.there, supports_hold=True
        )
        self._added(self.order)

    def convoys(self) -> None:
        """The unit convoys an army."""
        army = self._place(OWN, UnitKind.ARMY)
        self.order = ConvoyDecision(self._index, self.rules, Convoy(_named(self.here), _named(army), "P"), OWN, self.here)
        self.here.convoys += (self.order,)
        self._added(self.order)

    def attacked(self, attack: Attack) -> MoveDecision:
        """By land, from a place of its own."""
        origin = self._place(OWN if attack.own else FOREIGN, UnitKind.ARMY)
        assert origin.unit
        order = Move(_named(origin), self.here.province)
        move = MoveDecision(self._index, self.rules, order, origin.unit.power, origin, self.here, True, False)
        origin.moves_out += (move,)
        self.here.moves_in += (move,)
        self._added(move)
        for power, number in ((FOREIGN, attack.foreign_supports), (OWN, attack.own_supports)):
            for _ in range(number):
                self.helped(move, power)
        return move

    def helped(self, move: MoveDecision, power: str) -> SupportDecision:
        """The move has one more support."""
        place = self._place(power, UnitKind.FLEET)
        order = SupportMove(_named(place), move.order.unit, self.here.province)
        support = SupportDecision(
            self._index, self.rules, order, power, place, move.origin, self.here, supports_hold=False, matches=(move,)
        )
        move.supports += (support,)
        self._added(support)
        return support

    def held(self, power: str = FOREIGN) -> SupportDecision:
        """The unit has one more support to hold."""
        place = self._place(power, UnitKind.FLEET)
        order = SupportHold(_named(place), _named(self.here))
        support = SupportDecision(self._index, self.rules, order, power, place, self.here, self.here, supports_hold=True)
        self.here.hold_supports += (support,)
        self._added(support)
        return support

    def carried(self, move: MoveDecision, *, from_there: bool, other_route: bool, more_fleets: bool, by_land: bool) -> None:
        """The move goes by convoy, over a fleet that is left open: perhaps the one where the station's order is directed at.

        There may be more fleets on its route, and another route; `by_land`: it could go by land, and asks for the convoy.
        """
        fleet = self._convoy(move, self.there if from_there else self._place(FOREIGN, UnitKind.FLEET))
        self.open = fleet
        move.by_land, move.might_be_convoyed = by_land, True
        move.order = Move(move.order.unit, self.here.province, via_convoy=by_land)
        route = (self._convoy(move), fleet) if more_fleets else (fleet,)
        move.listed_routes = (route, (self._convoy(move),)) if other_route else (route,)

    def _convoy(self, move: MoveDecision, place: Place | None = None) -> ConvoyDecision:
        place = place or self._place(FOREIGN, UnitKind.FLEET)
        order = Convoy(_named(place), move.order.unit, self.here.province)
        convoy = ConvoyDecision(self._index, self.rules, order, FOREIGN, place, (move,))
        place.convoys += (convoy,)
        move.convoys += (convoy,)
        self._added(convoy)
        return convoy

    # What becomes of it.

    @cached_property
    def open_inside(self) -> list[Decision]:
        """What partial information leaves open here, the open order aside: moves to the station, and its own order."""
        highest = [True for _ in self.situation.decisions]
        lowest = [decision not in self._inside and decision is not self.open for decision in self.situation.decisions]
        return narrow_bounds(find_equation(self.situation), highest, lowest, list(self._inside)).still_open

    @property
    def sign(self) -> str:
        """What the order of the station makes of the open one.

        `+` if it is given where that one is, `-` if where that one is not, `constant` if it is the same in any case though
        partial information does not see it, and nothing if partial information settles it.
        """
        if self.order not in self.open_inside:
            return ""
        return {(True, False): "+", (False, True): "-"}.get((self._value(True), self._value(False)), "constant")

    def _value(self, given: bool) -> bool:
        values = [True for _ in self.situation.decisions]
        values[self.open.index] = given
        reading = Reading(values)
        for move in self.here.moves_in:  # they look at nothing but what is settled and the open order
            values[move.index] = statement.move(reading, move)
        return statement.decision(reading, self.order)

    @property
    def _inside(self) -> tuple[Decision, ...]:
        return (*self.here.moves_in, self.order)


def _named(place: Place) -> Named:
    assert place.unit
    return place.unit.named


def groups(most: int) -> Iterator[tuple[Attack, ...]]:
    """Up to so many attacks, in no order."""
    for number in range(1, most + 1):
        yield from combinations_with_replacement(ATTACKS, number)


def at_sea(rules: Rulebook, most: int) -> Iterator[tuple[Station, str]]:
    """A convoying fleet with up to so many attackers by sea; the open order is a support, for the fleet or for one of them."""
    for attacks, held in product(groups(most), range(3)):
        for helped in range(-1, len(attacks)):
            for power in (FOREIGN, OWN) if helped >= 0 else (FOREIGN,):
                station = Station(rules)
                station.convoys()
                moves = [station.attacked(attack) for attack in attacks]
                for _ in range(held):
                    station.held()
                station.open = station.helped(moves[helped], power) if helped >= 0 else station.held()
                yield station, "attack" if helped >= 0 else "hold"


def at_a_coast(rules: Rulebook, most: int, *, convoying: bool = False) -> Iterator[tuple[Station, str]]:
    """A unit that supports, or convoys, where an army may land; the open order is a convoy of that army."""
    kinds = product((False, True), repeat=4)
    for attacks, held, (from_there, other_route, more_fleets, by_land) in product(groups(most), range(2), kinds):
        for landing in range(len(attacks)):
            if landing and attacks[landing] == attacks[landing - 1]:
                continue
            station = Station(rules)
            if convoying:
                station.convoys()
            else:
                station.supports()
            moves = [station.attacked(attack) for attack in attacks]
            for _ in range(held):
                station.held()
            station.carried(
                moves[landing], from_there=from_there, other_route=other_route, more_fleets=more_fleets, by_land=by_land
            )
            yield station, "convoy"
