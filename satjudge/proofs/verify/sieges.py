"""Writes the formula of an attack that enters a province of a line, by the second encoder, from docs/background/lines.md alone.

The orders that are looked at are those of “Why it is enough to look at few orders”: that no other attack does better is the
assumption `SIEGE` (satjudge/proofs/verify/assumptions.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby

from satjudge.base.errors import InputError
from satjudge.proofs.verify.named_clauses import Group, NamedClauses
from satjudge.proofs.verify.position import DEFINED_SECOND, EQUATIONS
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, Literal, equations
from satjudge.world.board import Board
from satjudge.world.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

ORDER = "ORDER "
"""The prefix of the variables that say which orders the enemies give."""
ONE_ORDER = "no two orders for one province, no support without its move"
BOUNDS = "no more enemies than there can be"
ENTERS = "some move into the province succeeds"


@dataclass(frozen=True, slots=True)
class Bound:
    """A largest number of enemies among some units."""

    most: int
    enemies: frozenset[Named]


@dataclass(frozen=True)
class Line:
    """Units that hold and support each other where they stand, the provinces that they protect, and possible enemies.

    Raises `InputError` for a line of another kind.
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    protected: frozenset[ProvinceCode]
    enemies: Sequence[Named]
    bounds: Sequence[Bound]
    rulebook: Rulebook

    def __post_init__(self) -> None:
        game_map = self.board.map
        if game_map.own_rules:
            raise InputError(f"lines on a map with {', '.join(game_map.own_rules)} have no certificates")
        if unprotected := self.board.unit_at.keys() - self.protected:
            raise InputError(f"the line does not protect {min(unprotected)}, where it has a unit")
        for order in self.orders.values():
            self._check_order(order)
        if outside := set(self.enemies) - set(possible_enemies(game_map, self.protected)):
            raise InputError(f"no enemy can be {min(map(str, outside))}")

    def _check_order(self, order: MovementOrder) -> None:
        """Check that a unit of the line holds, or supports another one that it could move to (DATC 3.2, 4.D.4)."""
        unit = self.board.unit_at.get(order.unit.province)
        if unit is None or unit.named != order.unit:
            raise InputError(f"“{order}” is no order to a unit of the line")
        if isinstance(order, Hold):
            return
        if not isinstance(order, SupportHold):
            raise InputError(f"“{order}”: a line that stands holds and supports others to hold")
        there = order.supported.province
        if there not in self.board.unit_at or not _ways(self.board.map, order.unit, there):
            raise InputError(f"“{order}”: there is no such unit next to it")

    @cached_property
    def supporters(self) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
        """The provinces of the units that support the unit in each province."""
        supports = [order for order in self.orders.values() if isinstance(order, SupportHold)]
        return {
            province: frozenset(order.unit.province for order in supports if order.supported.province == province)
            for province in self.board.unit_at
        }

    def moves_into(self, provinces: Collection[ProvinceCode]) -> list[Move]:
        """List every move of an enemy by land or water into these provinces."""
        return [
            Move(enemy, there)
            for enemy in self.enemies
            for there in sorted(self.board.map.exits(_kind(enemy), enemy.location))
            if province_of(there) in provinces
        ]

    def supports_of(self, moves: Iterable[Move]) -> list[SupportMove]:
        """List every support of an enemy for these moves.

        Whoever supports a move could make it instead: so it is the move from the province that is first in the alphabet.
        """
        return [
            SupportMove(enemy, move.unit, move.destination)
            for move in moves
            for enemy in self.enemies
            if enemy.province > move.unit.province and _ways(self.board.map, enemy, province_of(move.destination))
        ]

    def orders_against(self, province: ProvinceCode) -> list[MovementOrder]:
        """List every order of an enemy that may have a part in entering a province; none if no enemy touches it."""
        attacks = self.moves_into({province})
        cuts = self.moves_into(self.supporters.get(province, frozenset())) if attacks else []
        return [*attacks, *cuts, *self.supports_of(attacks)]

    @cached_property
    def sieges(self) -> Mapping[ProvinceCode, NamedClauses]:
        """The formulas of attacks on each province that enemies touch."""
        found = ((province, self.siege(province)) for province in sorted(self.protected))
        return {province: formula for province, formula in found if formula is not None}

    def siege(self, province: ProvinceCode) -> NamedClauses | None:
        """Write the formula of an attack on a protected province; None if no enemy touches it."""
        orders = self.orders_against(province)
        if not orders:
            return None
        cnf = Cnf()
        given = {order: cnf.variable(f"{ORDER}{order}") for order in orders}
        candidates = {order: Candidate(order, literal) for order, literal in given.items()}
        own = [Candidate(order, TRUE) for order in self.orders.values() if not isinstance(order, Hold)]
        encoded = equations(
            cnf,
            [*own, *candidates.values()],
            game_map=self.board.map,
            rulebook=self.rulebook,
            occupied={**self._occupied(cnf, given), **dict.fromkeys(self.board.unit_at, TRUE)},
            same_power=lambda one, other: TRUE if {one, other} <= self.board.unit_at.keys() else FALSE,
        )
        parts = _Parts(cnf)
        parts.end(EQUATIONS)
        self._require_one_order(cnf, given)
        parts.end(ONE_ORDER)
        self._require_bounds(cnf, given)
        parts.end(BOUNDS)
        cnf.require(*(encoded.moves[candidates[move]] for move in self.moves_into({province})))
        parts.end(ENTERS)
        groups = (Group(DEFINED_SECOND, cnf.definitions), *parts.groups)
        return NamedClauses(cnf.number_of_variables, cnf.names, groups)

    def _occupied(self, cnf: Cnf, given: Mapping[MovementOrder, Literal]) -> Mapping[ProvinceCode, Literal]:
        """Return the literals that enemies stand in a province: where one of them has an order."""
        return {province: cnf.any_of(literals) for province, literals in _by_province(given).items()}

    def _require_one_order(self, cnf: Cnf, given: Mapping[MovementOrder, Literal]) -> None:
        for literals in _by_province(given).values():
            for one, other in combinations(literals, 2):
                cnf.require(-one, -other)
        for order, literal in given.items():
            if isinstance(order, SupportMove):
                cnf.require(-literal, given[Move(order.supported, order.destination)])

    def _require_bounds(self, cnf: Cnf, given: Mapping[MovementOrder, Literal]) -> None:
        """Require that no more enemies of each bound have orders."""
        for bound in self.bounds:
            bounded = {order: literal for order, literal in given.items() if order.unit in bound.enemies}
            there = [cnf.any_of(literals) for literals in _by_province(bounded).values()]
            cnf.require(-cnf.at_least(bound.most + 1, there))


class _Parts:
    """The requirements of a formula in groups, as they are added."""

    def __init__(self, cnf: Cnf) -> None:
        self.cnf = cnf
        self.groups: list[Group] = []
        self.ended = 0

    def end(self, meaning: str) -> None:
        """End a group with the requirements since the last group, with their meaning."""
        self.groups.append(Group(meaning, self.cnf.requirements[self.ended :]))
        self.ended = len(self.cnf.requirements)


def possible_enemies(game_map: Map, protected: Collection[ProvinceCode]) -> list[Named]:
    """List every unit that can be outside these provinces, fleets on any coast."""
    places: Sequence[Location] = sorted({*game_map.provinces, *game_map.fleet})
    return [
        Named(kind, place)
        for kind in UnitKind
        for place in places
        if province_of(place) not in protected and game_map.problem_with(kind, place) is None
    ]


def _kind(unit: Named) -> UnitKind:
    assert unit.kind is not None
    return unit.kind


def _ways(game_map: Map, unit: Named, province: ProvinceCode) -> list[Location]:
    """List the locations in a province to which a unit may move directly."""
    return [there for there in game_map.exits(_kind(unit), unit.location) if province_of(there) == province]


def _by_province(given: Mapping[MovementOrder, Literal]) -> dict[ProvinceCode, list[Literal]]:
    """Group the literals of orders by the province of their unit, sorted."""
    ordered = sorted(given.items(), key=lambda entry: entry[0].unit.province)
    return {
        province: [literal for _, literal in entries]
        for province, entries in groupby(ordered, key=lambda entry: entry[0].unit.province)
    }
