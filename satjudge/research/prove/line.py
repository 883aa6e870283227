"""A line of units that hold and support each other, what lies behind it, and which enemies there may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from satjudge.board import Board, Unit
from satjudge.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.orders import Hold, MovementOrder, SupportHold
from satjudge.rules import Rulebook


@dataclass(frozen=True, slots=True)
class Missing:
    """A kind of enemy unit that cannot exist: `"F VEN"`, `"VEN"` (no unit there) or `"F"` (no fleet anywhere)."""

    kind: UnitKind | None
    location: Location | None

    def covers(self, kind: UnitKind, location: Location) -> bool:
        """Whether such a unit is meant; a province means all its coasts."""
        return self.kind in (None, kind) and self.location in (None, location, province_of(location))

    def __str__(self) -> str:
        return " ".join(part for part in (self.kind, self.location) if part)


@dataclass(frozen=True)
class Line:
    """Units with the orders that they repeat every turn, and who may attack them.

    `board` holds the units of the line alone, `orders` a legal hold or support to hold for each. No enemy stands in a
    `protected` province, and none is to enter one. `enemies` is how many enemy units there may be at most,
    `remarks` what was noticed when the line was read.
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    rulebook: Rulebook
    behind: frozenset[ProvinceCode]
    missing: tuple[Missing, ...] = ()
    enemies: int = 34
    remarks: tuple[str, ...] = ()

    @cached_property
    def protected(self) -> frozenset[ProvinceCode]:
        """The provinces of the line, and those behind it."""
        return self.behind.union(self.board.unit_at)

    @cached_property
    def enemy_units(self) -> tuple[tuple[UnitKind, Location], ...]:
        """Every unit that an enemy may have, in a stable order."""
        return tuple(
            (kind, place)
            for kind, place in all_units(self.board.map)
            if province_of(place) not in self.protected and not any(missing.covers(kind, place) for missing in self.missing)
        )

    def keeping(self, provinces: Iterable[ProvinceCode]) -> Line:
        """The same line with just the units in these provinces. What was protected still is, against as many enemies.

        A unit whose support has lost its object holds.
        """
        kept = frozenset(provinces)
        units = tuple(unit for unit in self.board.units if unit.province in kept)
        orders = {
            province: order if _stands(order, kept) else Hold(order.unit)
            for province, order in self.orders.items()
            if province in kept
        }
        return replace(self, board=replace(self.board, units=units), orders=orders, behind=self.protected - kept)

    def extended(self, units: Mapping[Unit, MovementOrder]) -> Line:
        """The same line with more units, wherever they stand; their provinces are protected as well."""
        board = replace(self.board, units=(*self.board.units, *units))
        orders = {**self.orders, **{unit.province: order for unit, order in units.items()}}
        return replace(self, board=board, orders=orders, behind=self.protected - frozenset(board.unit_at))


def all_units(game_map: Map) -> list[tuple[UnitKind, Location]]:
    """Every kind of unit in every location where it can be, in a stable order."""
    places = sorted({*game_map.provinces, *game_map.fleet})
    return [(kind, place) for place in places for kind in UnitKind if game_map.problem_with(kind, place) is None]


def _stands(order: MovementOrder, provinces: frozenset[ProvinceCode]) -> bool:
    return not isinstance(order, SupportHold) or order.supported.province in provinces


def cut_off(game_map: Map, line: frozenset[ProvinceCode]) -> frozenset[ProvinceCode]:
    """What units in these provinces cut off from the largest part of the map, by land and by water."""
    unseen = set(game_map.provinces) - line
    parts: list[set[ProvinceCode]] = []
    while unseen:
        part, edge = set[ProvinceCode](), {min(unseen)}
        while edge:
            part |= edge
            edge = {near for code in edge for near in game_map.neighbours[code]} - line - part
        parts.append(part)
        unseen -= part
    parts.sort(key=lambda part: (-len(part), min(part)))
    return frozenset(chain.from_iterable(parts[1:]))
