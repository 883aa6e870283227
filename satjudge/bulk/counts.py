"""Counts exactly how many legal order sets a position has, and how many positions its moves can lead to.

Legal orders are legal by themselves, so order sets are a product. Positions are not: units bounce, and units that are alike may
stand in for each other. What moves and holds lead to has a short description, though. Say where each unit is to stand
afterwards, where it stood or in a province that it can move to. Units end up so if and only if no two are in one province and
no two have changed places: order those to move that are elsewhere, and the others to hold, and each move finds its destination
empty or being left (rings of three and more go round). The other way round, units that moved by themselves stand so.

They are counted in two ways that share nothing but this description (`positions`, `positions_by_power`).

*Supports and convoys add nothing* to these where no unit can be dislodged and no army convoyed (`more_by_help`): a support that
wins a standoff brings a unit to where it could have gone if nobody else had. So it is in Spring 1901.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple, TypeAlias

from satjudge.base.errors import InputError
from satjudge.bulk.families import Families
from satjudge.judging.legal_orders import legal_orders
from satjudge.notation.documents import Document
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook, load_rulebook


class UnitCounted(Document):
    """The number of legal orders of a unit; moves that need or ask for a convoy count as `convoyed`, not as `moves`."""

    unit: str
    holds: int
    moves: int
    convoyed: int
    supports: int
    convoys: int

    @property
    def plain(self) -> int:
        """The number of holds and of moves by land or sea."""
        return self.holds + self.moves

    @property
    def all(self) -> int:
        """The number of orders of all kinds."""
        return self.plain + self.convoyed + self.supports + self.convoys


class Count:
    """Counts the order sets of a movement phase, and the positions that its moves lead to.

    Raises `InputError` for a position of another phase.
    """

    def __init__(self, board: Board, rulebook: Rulebook | None = None) -> None:
        if board.phase != "movement":
            raise InputError("only orders of movement phases are counted")
        self.board = board
        self.rulebook = rulebook or load_rulebook()
        self._legal = legal_orders(board, self.rulebook)

    @cached_property
    def units(self) -> dict[Unit, UnitCounted]:
        """The numbers of legal orders of each unit."""
        return {unit: self._counted(unit) for unit in self.board.units}

    def _counted(self, unit: Unit) -> UnitCounted:
        orders = self._orders(unit)
        direct = self._destinations(unit)
        moves = [order for order in orders if isinstance(order, Move)]
        return UnitCounted(
            str(unit),
            sum(isinstance(order, Hold) for order in orders),
            len(direct),
            len(moves) - len(direct),
            sum(isinstance(order, SupportHold | SupportMove) for order in orders),
            sum(isinstance(order, Convoy) for order in orders),
        )

    def _orders(self, unit: Unit) -> Sequence[Order]:
        return self._legal[unit.power][str(unit)]

    def _destinations(self, unit: Unit) -> list[Location]:
        """List the locations that a unit may move to without a convoy."""
        exits = self.board.map.exits(unit.kind, unit.location)
        moves = (
            order for order in self._orders(unit) if isinstance(order, Move) and not order.via_convoy and not order.railroad
        )
        return [move.destination for move in moves if move.destination in exits]

    @property
    def plain_order_sets(self) -> int:
        """The number of order sets of holds and of moves by land or sea alone."""
        return prod(unit.plain for unit in self.units.values())

    @property
    def order_sets(self) -> int:
        """The number of order sets of orders of all kinds."""
        return prod(unit.all for unit in self.units.values())

    @property
    def more_by_help(self) -> str | None:
        """A reason why supports or convoys might lead to more positions than moves and holds; None if they cannot."""
        carried = next((unit for unit in self.units.values() if unit.convoyed), None)
        if carried is not None:
            return f"{carried.unit} might be convoyed"
        reach = {unit: {province_of(place) for place in self._destinations(unit)} for unit in self.board.units}
        for victim in self.board.units:
            enemies = [unit for unit in self.board.units if victim.province in reach[unit] and unit.power != victim.power]
            if len(enemies) > 1:
                return f"{victim} might be dislodged"
        return None

    def of(self, power: Power) -> Count:
        """Return a count for the same board with the units of one power alone."""
        own = tuple(unit for unit in self.board.units if unit.power == power)
        return Count(replace(self.board, units=own), self.rulebook)

    # Positions.

    @cached_property
    def places(self) -> Mapping[Unit, list[Location]]:
        """The locations in which each unit may stand afterwards, near units one after the other.

        Raises `InputError` for maps with trains, canals or difficult borders.
        """
        if self.board.open_map.has_rules:
            raise InputError(f"positions are not counted on the map {self.board.map.name}: its own rules say more of moves")
        places = {unit: [unit.location, *self._destinations(unit)] for unit in self.board.units}
        left, found, near = list(self.board.units), list[Unit](), set[ProvinceCode]()
        while left:
            left.sort(key=lambda unit: (-len(near.intersection(map(province_of, places[unit]))), unit.province))
            found.append(left.pop(0))
            near.update(map(province_of, places[found[-1]]))
        return {unit: places[unit] for unit in found}

    @cached_property
    def _swaps(self) -> list[tuple[Unit, Unit]]:
        """The pairs of units that could change places, the earlier one first."""
        ends = {unit: set(map(province_of, places)) for unit, places in self.places.items()}
        pairs = combinations(self.places, 2)
        return [(one, other) for one, other in pairs if other.province in ends[one] and one.province in ends[other]]

    def _looks_like_holding(self, one: Unit, other: Unit) -> bool:
        """Tell whether two units look the same after changing places: alike in power and kind, and in the coasts afterwards."""
        there = {place for place in self.places[one] if province_of(place) == other.province}
        here = {place for place in self.places[other] if province_of(place) == one.province}
        alike = (one.power, one.kind) == (other.power, other.kind)
        return alike and there == {other.location} and here == {one.location}

    def positions(self, *, told_apart: bool = False) -> int:
        """Count the positions that moves and holds lead to, by a decision diagram that grows unit by unit.

        A position is the set of what stands where. Units of a power and a kind are alike, unless they are `told_apart`. Raises
        `InputError` for maps with trains, canals or difficult borders.
        """
        # That units which are alike change places need not be forbidden where it looks like holding.
        swaps = [pair for pair in self._swaps if told_apart or not self._looks_like_holding(*pair)]
        standing = [_seen(unit, place, told_apart) for unit, places in self.places.items() for place in places]
        there = group_pairs((province_of(seen.place), seen) for seen in dict.fromkeys(standing))
        sets = Families((*standing, *swaps))
        family = Families.EMPTY_SET
        for unit, places in self.places.items():
            before = [pair for pair in swaps if pair[1] == unit]
            found = Families.NONE
            for place in places:
                province = province_of(place)
                gone = [pair for pair in swaps if pair[0] == unit and pair[1].province == province]
                come = [pair for pair in before if pair[0].province == province]
                free = sets.without(family, (*there[province], *come))
                found = sets.union(found, sets.added(free, (_seen(unit, place, told_apart), *gone)))
            family = sets.forgotten(found, before)
        return sets.size(family)

    def positions_by_power(self, *, told_apart: bool = False) -> int:
        """Count the positions that moves and holds lead to in a second way, power by power.

        Of those before it a power needs to know only which provinces are taken, and which moves must not be met.
        """
        powers = list(dict.fromkeys(unit.power for unit in self.places))
        listed = {power: self._placements(power, told_apart) for power in powers}
        joined: dict[tuple[frozenset[ProvinceCode], Ways], int] = {(frozenset(), frozenset((frozenset(),))): 1}
        for number, power in enumerate(powers):
            later = [unit for unit in self.places if unit.power in powers[number + 1 :]]
            wanted = {province_of(place) for unit in later for place in self.places[unit]}
            met = {
                (one.province, other.province) for pair in self._swaps for one, other in permutations(pair) if other in later
            }
            after: Counter[tuple[frozenset[ProvinceCode], Ways]] = Counter()
            for (taken, ways), times in joined.items():
                for position, own_ways in listed[power].items():
                    provinces = {province_of(seen.place) for seen in position}
                    both = {way | own for way in ways for own in own_ways if not any((b, a) in way for a, b in own)}
                    if both and taken.isdisjoint(provinces):
                        after[(taken | provinces) & wanted, _least(way & met for way in both)] += times
            joined = after
        return sum(joined.values())

    def _placements(self, power: Power, told_apart: bool) -> dict[frozenset[Seen], Ways]:
        """List every position of the units of a power, each with the moves to provinces where foreign units stood."""
        own = [unit for unit in self.places if unit.power == power]
        pairs = (swap for pair in self._swaps for swap in permutations(pair))
        may_be_met = {(one.province, other.province) for one, other in pairs if one in own and other not in own}
        found: dict[frozenset[Seen], set[frozenset[Step]]] = {frozenset(): {frozenset()}}
        for unit in own:
            grown: dict[frozenset[Seen], set[frozenset[Step]]] = {}
            for position, ways in found.items():
                taken = {province_of(seen.place) for seen in position}
                for place in self.places[unit]:
                    if province_of(place) not in taken:
                        step = (unit.province, province_of(place))
                        grown.setdefault(position | {_seen(unit, place, told_apart)}, set()).update(
                            way | {step} for way in ways
                        )
            found = grown
        provinces = {unit.province for unit in own}
        kept = {}
        for position, ways in found.items():
            possible = [way for way in ways if not any(a != b and b in provinces and (b, a) in way for a, b in way)]
            if possible:
                kept[position] = _least(way & may_be_met for way in possible)
        return kept


class Seen(NamedTuple):
    """A unit as seen afterwards; `origin` is set only where units that are alike are told apart."""

    power: Power
    kind: UnitKind
    origin: Location
    place: Location


Step: TypeAlias = tuple[ProvinceCode, ProvinceCode]
Ways: TypeAlias = frozenset[frozenset[Step]]
"""The sets of moves that may have led to a position, the least ones, since fewer moves meet fewer others."""


def _least(ways: Iterable[frozenset[Step]]) -> Ways:
    found = set(ways)
    return frozenset(way for way in found if not any(other < way for other in found))


def _seen(unit: Unit, place: Location, told_apart: bool) -> Seen:
    return Seen(unit.power, unit.kind, unit.location if told_apart else "", place)
