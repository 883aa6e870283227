"""Counts exactly how many legal order sets a position has, and to how many positions its moves can lead.

Whether an order is legal does not depend on other orders, so the number of order sets is a product. The number of positions is
not, since units bounce, and equal units can replace each other. But the results of moves and holds can be described briefly.
Choose for each unit its origin or a province to which it can move. Units can end up in these provinces if and only if no two
are in one province and no two have swapped places: if units move there and the others hold, each destination is empty or being
left (and rings of three or more units rotate). Conversely, units that moved without help are always in such places.

The positions are counted in two ways that share only this description (`positions`, `positions_by_power`).

*Supports and convoys add nothing* to them if no unit can be dislodged and no army convoyed (`more_by_help`), as in Spring 1901:
a support that wins a standoff brings a unit to a place that it could have entered if nobody else had tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, permutations
from math import prod
from typing import NamedTuple, TypeAlias

from satjudge.base.errors import InputError
from satjudge.judging.legal_orders import legal_orders
from satjudge.notation.documents import CaseDocument, Document, case_origin
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook, load_rulebook


class UnitCounted(Document):
    """The number of legal orders of a unit; moves that need or request a convoy count as `convoyed`, not as `moves`."""

    unit: str
    holds: int
    moves: int
    convoyed: int
    supports: int
    convoys: int

    @property
    def plain_orders(self) -> int:
        """The number of holds and of direct moves, without a convoy or railroad."""
        return self.holds + self.moves

    @property
    def all_orders(self) -> int:
        """The number of orders of all kinds."""
        return self.plain_orders + self.convoyed + self.supports + self.convoys


class Count:
    """Counts the sets of orders of a movement phase, and the positions to which its moves lead.

    Raises `InputError` for a position of another phase.
    """

    def __init__(self, board: Board, rulebook: Rulebook | None = None) -> None:
        if board.phase != "movement":
            raise InputError("only orders of movement phases can be counted")
        self.board = board
        self.rulebook = rulebook or load_rulebook()
        self._legal = legal_orders(board, self.rulebook)

    @cached_property
    def units(self) -> dict[Unit, UnitCounted]:
        """The numbers of legal orders of each unit, by kind of order."""
        return {unit: self._count_orders(unit) for unit in self.board.units}

    def _count_orders(self, unit: Unit) -> UnitCounted:
        orders = self._list_orders(unit)
        direct = self._list_destinations(unit)
        moves = [order for order in orders if isinstance(order, Move)]
        return UnitCounted(
            str(unit),
            sum(isinstance(order, Hold) for order in orders),
            len(direct),
            len(moves) - len(direct),
            sum(isinstance(order, SupportHold | SupportMove) for order in orders),
            sum(isinstance(order, Convoy) for order in orders),
        )

    def _list_orders(self, unit: Unit) -> Sequence[Order]:
        return self._legal[unit.power][str(unit)]

    def _list_destinations(self, unit: Unit) -> list[Location]:
        """Return the locations to which a unit may move without a convoy or railroad."""
        exits = self.board.map.exits(unit.kind, unit.location)
        moves = (
            order
            for order in self._list_orders(unit)
            if isinstance(order, Move) and not order.via_convoy and not order.railroad
        )
        return [move.destination for move in moves if move.destination in exits]

    @property
    def plain_order_sets(self) -> int:
        """The number of sets of orders that are only holds and direct moves, without convoys and railroads."""
        return prod(unit.plain_orders for unit in self.units.values())

    @property
    def order_sets(self) -> int:
        """The number of sets of orders of all kinds."""
        return prod(unit.all_orders for unit in self.units.values())

    @property
    def reason_for_more(self) -> str | None:
        """A reason why supports or convoys might lead to more positions than moves and holds; None if they cannot."""
        carried = next((unit for unit in self.units.values() if unit.convoyed), None)
        if carried is not None:
            return f"{carried.unit} might be convoyed"
        reach = {unit: {province_of(place) for place in self._list_destinations(unit)} for unit in self.board.units}
        for victim in self.board.units:
            enemies = [unit for unit in self.board.units if victim.province in reach[unit] and unit.power != victim.power]
            if len(enemies) > 1:
                return f"{victim} might be dislodged"
        return None

    def for_power(self, power: Power) -> Count:
        """Return a count for the same board with the units of one power alone."""
        own = tuple(unit for unit in self.board.units if unit.power == power)
        return Count(replace(self.board, units=own), self.rulebook)

    # Positions.

    @cached_property
    def places(self) -> Mapping[Unit, list[Location]]:
        """The locations where each unit may be after its move; units close to each other follow each other.

        Raises `InputError` for maps with trains, canals or difficult borders.
        """
        if self.board.open_map.has_rules:
            raise InputError(f"positions cannot be counted on the map {self.board.map.name}: its special rules change moves")
        places = {unit: [unit.location, *self._list_destinations(unit)] for unit in self.board.units}
        left, found, near = list(self.board.units), list[Unit](), set[ProvinceCode]()
        while left:
            left.sort(key=lambda unit: (-len(near.intersection(map(province_of, places[unit]))), unit.province))
            found.append(left.pop(0))
            near.update(map(province_of, places[found[-1]]))
        return {unit: places[unit] for unit in found}

    @cached_property
    def _swapping_pairs(self) -> list[tuple[Unit, Unit]]:
        """The pairs of units that could swap provinces, since each may move to the other's; each in the order of `places`."""
        ends = {unit: set(map(province_of, places)) for unit, places in self.places.items()}
        pairs = combinations(self.places, 2)
        return [(one, other) for one, other in pairs if other.province in ends[one] and one.province in ends[other]]

    def _looks_unmoved(self, one: Unit, other: Unit) -> bool:
        """Return whether two units that swap provinces look as before: same power and kind, and no other coast."""
        one_at_other = {place for place in self.places[one] if province_of(place) == other.province}
        other_at_one = {place for place in self.places[other] if province_of(place) == one.province}
        alike = (one.power, one.kind) == (other.power, other.kind)
        return alike and one_at_other == {other.location} and other_at_one == {one.location}

    def positions(self, *, told_apart: bool = False) -> int:
        """Return to how many positions holds and direct moves can lead; `told_apart` distinguishes equal units.

        A position is a set of units in places. Units of the same power and kind count as equal unless `told_apart` is set.
        Raises `InputError` for maps with trains, canals or difficult borders.
        """
        # Equal units that swap places need not be excluded if the result looks like holding.
        swaps = [pair for pair in self._swapping_pairs if told_apart or not self._looks_unmoved(*pair)]
        standing = [_see_unit(unit, place, told_apart) for unit, places in self.places.items() for place in places]
        seen_by_province = group_pairs((province_of(seen.place), seen) for seen in dict.fromkeys(standing))
        sets = Families((*standing, *swaps))
        family = Families.EMPTY_SET
        for unit, places in self.places.items():
            before = [pair for pair in swaps if pair[1] == unit]
            found = Families.NONE
            for place in places:
                province = province_of(place)
                removed_pairs = [pair for pair in swaps if pair[0] == unit and pair[1].province == province]
                come = [pair for pair in before if pair[0].province == province]
                free = sets.exclude(family, (*seen_by_province[province], *come))
                found = sets.union(found, sets.add(free, (_see_unit(unit, place, told_apart), *removed_pairs)))
            family = sets.forget(found, before)
        return sets.size(family)

    def positions_by_power(self, *, told_apart: bool = False) -> int:
        """Return the number of positions as `positions` does, but counted in a second way: power by power.

        Two facts about earlier powers matter for a power: the occupied provinces, and the moves that it must not meet head-on.
        """
        powers = list(dict.fromkeys(unit.power for unit in self.places))
        placements = {power: self._list_placements(power, told_apart) for power in powers}
        joined: dict[tuple[frozenset[ProvinceCode], Ways], int] = {(frozenset(), frozenset((frozenset(),))): 1}
        for number, power in enumerate(powers):
            later = [unit for unit in self.places if unit.power in powers[number + 1 :]]
            wanted = {province_of(place) for unit in later for place in self.places[unit]}
            met = {
                (one.province, other.province)
                for pair in self._swapping_pairs
                for one, other in permutations(pair)
                if other in later
            }
            after: Counter[tuple[frozenset[ProvinceCode], Ways]] = Counter()
            for (occupied, ways), times in joined.items():
                for position, own_ways in placements[power].items():
                    provinces = {province_of(seen.place) for seen in position}
                    both = {way | own for way in ways for own in own_ways if not any((b, a) in way for a, b in own)}
                    if both and occupied.isdisjoint(provinces):
                        after[(occupied | provinces) & wanted, _least_moves(way & met for way in both)] += times
            joined = after
        return sum(joined.values())

    def _list_placements(self, power: Power, told_apart: bool) -> dict[frozenset[SeenUnit], Ways]:
        """Return each placement of a power's units, with the least sets of moves into foreign units' provinces for it."""
        own = [unit for unit in self.places if unit.power == power]
        pairs = (swap for pair in self._swapping_pairs for swap in permutations(pair))
        may_be_met = {(one.province, other.province) for one, other in pairs if one in own and other not in own}
        found: dict[frozenset[SeenUnit], set[frozenset[Step]]] = {frozenset(): {frozenset()}}
        for unit in own:
            grown: dict[frozenset[SeenUnit], set[frozenset[Step]]] = {}
            for position, ways in found.items():
                occupied = {province_of(seen.place) for seen in position}
                for place in self.places[unit]:
                    if province_of(place) not in occupied:
                        step = (unit.province, province_of(place))
                        grown.setdefault(position | {_see_unit(unit, place, told_apart)}, set()).update(
                            way | {step} for way in ways
                        )
            found = grown
        provinces = {unit.province for unit in own}
        placements = {}
        for position, ways in found.items():
            possible = [way for way in ways if not any(a != b and b in provinces and (b, a) in way for a, b in way)]
            if possible:
                placements[position] = _least_moves(way & may_be_met for way in possible)
        return placements


class SeenUnit(NamedTuple):
    """A unit as it appears after the moves; `origin` is "" unless units of the same power and kind are distinguished."""

    power: Power
    kind: UnitKind
    origin: Location
    place: Location


Step: TypeAlias = tuple[ProvinceCode, ProvinceCode]
Ways: TypeAlias = frozenset[frozenset[Step]]
"""The minimal sets of moves that may have led to a position, since fewer moves meet fewer others."""


def _least_moves(ways: Iterable[frozenset[Step]]) -> Ways:
    found = set(ways)
    return frozenset(way for way in found if not any(other < way for other in found))


def _see_unit(unit: Unit, place: Location, told_apart: bool) -> SeenUnit:
    return SeenUnit(unit.power, unit.kind, unit.location if told_apart else "", place)


# ---- families of sets as decision diagrams, which need little memory and are quick to count ----


class Families:
    """Families of sets as zero-suppressed decision diagrams (Minato); equal families have the same node, a number.

    A node holds the number of a possible member, the family of the sets without this member, and the family of the sets with
    it, from which it is removed. Members are numbered in the given sequence; related members should follow each other.
    """

    NONE, EMPTY_SET = 0, 1
    """The family without a set, and the family of the empty set alone."""

    def __init__(self, things: Iterable[Hashable]) -> None:
        self._number = {thing: number for number, thing in enumerate(dict.fromkeys(things))}
        self._nodes: list[tuple[float, int, int]] = [(float("inf"), 0, 0), (float("inf"), 1, 1)]
        self._numbers: dict[tuple[float, int, int], int] = {}

    def _node(self, number: float, without: int, with_it: int) -> int:
        if with_it == self.NONE:
            return without
        key = (number, without, with_it)
        if key not in self._numbers:
            self._numbers[key] = len(self._nodes)
            self._nodes.append(key)
        return self._numbers[key]

    def _rebuild(self, family: int, change: Callable[[float, int, int, Callable[[int], int]], int]) -> int:
        """Return a family with `change` applied to each node; it also gets a function that rebuilds the part below a node."""
        known: dict[int, int] = {}

        def rebuild_below(node: int) -> int:
            if node not in known:
                known[node] = (
                    change(*self._nodes[node], rebuild_below) if node > 1 else change(float("inf"), node, node, rebuild_below)
                )
            return known[node]

        return rebuild_below(family)

    def exclude(self, family: int, things: Iterable[Hashable]) -> int:
        """Return the family of the sets in a family that contain none of these things."""
        numbers = {self._number[thing] for thing in things}

        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return lacking
            return self._node(number, below(lacking), self.NONE if number in numbers else below(holding))

        return self._rebuild(family, change)

    def add(self, family: int, things: Iterable[Hashable]) -> int:
        """Return a family with these things added to all its sets, none of which may contain them."""
        for thing in things:
            family = self._add_one(family, self._number[thing])
        return family

    def _add_one(self, family: int, new: int) -> int:
        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return self._node(new, self.NONE, lacking)
            if number > new:
                return self._node(new, self.NONE, self._node(number, lacking, holding))
            return self._node(number, below(lacking), below(holding))

        return self._rebuild(family, change)

    def forget(self, family: int, things: Iterable[Hashable]) -> int:
        """Return a family with these things removed from all its sets; equal sets become one."""
        for thing in things:
            family = self._forget_one(family, self._number[thing])
        return family

    def _forget_one(self, family: int, gone: int) -> int:
        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return lacking
            if number >= gone:
                return self.union(lacking, holding) if number == gone else self._node(number, lacking, holding)
            return self._node(number, below(lacking), below(holding))

        return self._rebuild(family, change)

    def union(self, one: int, other: int) -> int:
        """Return the family of the sets that are in either family."""
        known: dict[tuple[int, int], int] = {}

        def join(one: int, other: int) -> int:
            if one == other or other == self.NONE:
                return one
            if one == self.NONE:
                return other
            if (one, other) not in known:
                (first, lacking, holding), (second, also_lacking, also_holding) = self._nodes[one], self._nodes[other]
                number = min(first, second)
                if first > number:
                    lacking, holding = one, self.NONE
                if second > number:
                    also_lacking, also_holding = other, self.NONE
                known[one, other] = self._node(number, join(lacking, also_lacking), join(holding, also_holding))
            return known[one, other]

        return join(one, other)

    def size(self, family: int) -> int:
        """Return the number of sets in a family."""
        known = {self.NONE: 0, self.EMPTY_SET: 1}

        def count(node: int) -> int:
            if node not in known:
                _, lacking, holding = self._nodes[node]
                known[node] = count(lacking) + count(holding)
            return known[node]

        return count(family)


# ---- the document of `satjudge count` ----
#
# Numbers are texts, since many are too large for JSON parsers.


class PowerCounted(Document):
    """The number of a power's order sets, and, in `positions`, of the positions to which its units alone lead."""

    units: list[UnitCounted]
    plain_order_sets: str
    order_sets: str
    positions: str | None


class Counted(CaseDocument, kw_only=True):
    """The document that `satjudge count --json` writes."""

    map: str
    powers: dict[Power, PowerCounted]
    plain_order_sets: str
    """The number of order sets of holds and of moves by land or sea."""
    order_sets: str
    """The number of order sets of all legal orders."""
    positions: str | None
    """The number of positions after holds and moves by land or sea; None on maps with special rules for moves."""
    positions_told_apart: str | None
    """The number of positions if units of the same power and kind are distinguished."""
    more_by_help: str | None
    """A reason why supports or convoys might lead to more positions; None if they cannot."""
    counted_twice: bool
    """Whether the positions were counted in two ways, which agree."""


def count_document(sheet: Sheet, rulebook: Rulebook, *, second_opinion: bool = False) -> Counted:
    """Count the order sets and positions of a sheet's board, in two ways if `second_opinion`, and return the document.

    Raises `ArithmeticError` if two ways to count disagree.
    """
    count = Count(sheet.board, rulebook)
    can_count = not sheet.board.open_map.has_rules
    positions = [count.positions(told_apart=told_apart) if can_count else None for told_apart in (False, True)]
    if second_opinion and can_count:
        again = [count.positions_by_power(told_apart=told_apart) for told_apart in (False, True)]
        if positions != again:
            raise ArithmeticError(f"two ways of counting disagree: {positions} and {again} positions")
    return Counted(
        **case_origin(sheet, rulebook),
        map=sheet.board.map.name,
        powers={
            power: _count_power(count, power, can_count) for power in dict.fromkeys(unit.power for unit in sheet.board.units)
        },
        plain_order_sets=str(count.plain_order_sets),
        order_sets=str(count.order_sets),
        positions=_format_number(positions[0]),
        positions_told_apart=_format_number(positions[1]),
        more_by_help=count.reason_for_more,
        counted_twice=second_opinion and can_count,
    )


def _count_power(count: Count, power: Power, can_count: bool) -> PowerCounted:
    own = [found for unit, found in count.units.items() if unit.power == power]
    return PowerCounted(
        own,
        str(prod(one.plain_orders for one in own)),
        str(prod(one.all_orders for one in own)),
        _format_number(count.for_power(power).positions() if can_count else None),
    )


def _format_number(number: int | None) -> str | None:
    return None if number is None else str(number)
