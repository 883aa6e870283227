"""Makes literals that hold if the units in two provinces belong to the same power.

If powers are unknown, only pairs that an equation reads get a literal. The formula does not require that the relation is an
equivalence with at most as many classes as powers. Violations are excluded when they occur, which is sound and rarely needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import chain, combinations, count, pairwise
from typing import TypeVar

import networkx

from satjudge.search.formulas.clauses import FALSE, TRUE, Formula, Literal
from satjudge.search.open_orders.universe import Spot, Universe
from satjudge.world.board import group_pairs
from satjudge.world.geography import Power, ProvinceCode

K = TypeVar("K")
_OWNER = "of "
"""The prefix that distinguishes a power from a province among the parties."""


def join_by_key(formula: Formula, pairs: Iterable[tuple[K, Literal]]) -> dict[K, Literal]:
    """Return, by key, the literal that holds if at least one of the literals paired with the key holds."""
    return {key: formula.any_of(literals) for key, literals in group_pairs(pairs).items()}


def require_one_per_key(formula: Formula, pairs: Iterable[tuple[object, Literal]]) -> None:
    """Require for each key that at most one of the literals paired with it holds."""
    for literals in group_pairs(pairs).values():
        formula.require_at_most_one(literals)


def make_occupancy(formula: Formula, stands: Mapping[Spot, Literal]) -> dict[ProvinceCode, Literal]:
    """Return, by province, the literal that holds if a unit stands there; provinces that are missing are empty."""
    return join_by_key(formula, ((spot.province, literal) for spot, literal in stands.items()))


class KnownPowers:
    """Relations between units with known powers; a unit without a known power is foreign to all others."""

    def __init__(self, formula: Formula, stands: Mapping[Spot, Literal], powers: Mapping[ProvinceCode, Power]) -> None:
        self.formula = formula
        self.occupied = make_occupancy(formula, stands)
        self._powers = powers

    def have_same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Return the literal that holds if units of the same power stand in both provinces."""
        if one not in self._powers or self._powers[one] != self._powers.get(other):
            return FALSE
        return self.formula.all_of(self.occupied.get(province, FALSE) for province in (one, other))

    def has_unit_of(self, province: ProvinceCode, power: Power) -> Literal:
        """Return the literal that holds if a unit of that power stands in a province."""
        return self.occupied.get(province, FALSE) if self._powers.get(province) == power else FALSE


class UnknownPowers:
    """Relations between units of which some may be of any power.

    A *party* is a province with such a unit, or a power.
    """

    def __init__(self, formula: Formula, universe: Universe, stands: Mapping[Spot, Literal]) -> None:
        self.formula = formula
        self.universe = universe
        self.occupied = make_occupancy(formula, stands)
        self._owner = {unit.province: _OWNER + unit.power for unit in universe.units}
        self._pairs: dict[tuple[str, str], Literal] = {}

    def have_same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Return the literal that holds if units of the same power stand in both provinces."""
        if FALSE in (self.occupied.get(one, FALSE), self.occupied.get(other, FALSE)):
            return FALSE
        return self._relation_literal(self._owner.get(one, one), self._owner.get(other, other))

    def remove_unit(self, province: ProvinceCode) -> UnknownPowers:
        """Return the same relations on the board without the unit in a province."""
        fewer = copy(self)
        fewer.occupied = self.occupied | {province: FALSE}
        return fewer

    def has_unit_of(self, province: ProvinceCode, power: Power) -> Literal:
        """Return the literal that holds if a unit of that power stands in a province."""
        if self.occupied.get(province, FALSE) == FALSE:
            return FALSE
        return self._relation_literal(self._owner.get(province, province), _OWNER + power)

    def _relation_literal(self, one: str, other: str) -> Literal:
        if one == other:
            return self.occupied.get(one, TRUE)
        free = [party for party in (one, other) if not party.startswith(_OWNER)]
        if not free or self.universe.foreign:
            return FALSE
        pair = (min(one, other), max(one, other))
        if pair not in self._pairs:
            literal = self._pairs[pair] = self.formula.add_variable(f"{pair[0]} and {pair[1]} of one power")
            for party in free:
                self.formula.require(-literal, self.occupied[party])
        return self._pairs[pair]

    def list_power_literals(self, powers: Mapping[ProvinceCode, Power]) -> list[Literal]:
        """List literals that together hold if units share a power exactly where `powers` gives their provinces the same one."""
        owners = {self._owner.get(province, province): power for province, power in powers.items()}
        owners |= {party: party.removeprefix(_OWNER) for pair in self._pairs for party in pair if party.startswith(_OWNER)}
        return [
            literal if owners[one] == owners[other] else -literal
            for (one, other), literal in self._pairs.items()
            if one in owners and other in owners
        ]

    # Assigning powers

    def assign_powers(self, holds: Callable[[Literal], bool]) -> dict[ProvinceCode, Power] | None:
        """Return a power for each free unit's province, by the assignment; if impossible, add a clause and return None."""
        if self.universe.foreign:
            return self._assign_different_powers(holds)
        groups = self._group_parties(holds)
        foreign = [
            (one, other, literal)
            for (one, other), literal in self._pairs.items()
            if one in groups and other in groups and not holds(literal)
        ]
        owners = sorted(party for party in groups if party.startswith(_OWNER))
        foreign += [(one, other, FALSE) for one, other in combinations(owners, 2)]
        for one, other, literal in foreign:
            if groups[one] == groups[other]:
                self._cut_path(holds, one, other, literal)
                return None
        conflicts = networkx.Graph()
        conflicts.add_nodes_from(groups.values())
        conflicts.add_edges_from((groups[one], groups[other]) for one, other, _ in foreign)
        fixed = {group: group.removeprefix(_OWNER) for group in set(groups.values()) if group.startswith(_OWNER)}
        open_groups = sorted(set(groups.values()) - set(fixed), key=lambda group: (-conflicts.degree(group), group))
        colours = _colour_groups(open_groups, fixed, self.universe.map.powers, conflicts)
        if colours is None:
            self._exclude_relations(holds, groups)
            return None
        return {party: colours[group] for party, group in groups.items() if not party.startswith(_OWNER)}

    def _assign_different_powers(self, holds: Callable[[Literal], bool]) -> dict[ProvinceCode, Power]:
        """Return a different power for the province of each unit whose power is free; if the map has too few, make some up."""
        standing = {unit.power for unit in self.universe.units}
        powers = chain((p for p in self.universe.map.powers if p not in standing), (f"POWER {n}" for n in count(1)))
        return dict(zip(self._list_free_provinces(holds), powers, strict=False))

    def _list_free_provinces(self, holds: Callable[[Literal], bool]) -> list[ProvinceCode]:
        """List the provinces with a unit in the assignment whose power is free."""
        return [province for province, literal in self.occupied.items() if province not in self._owner and holds(literal)]

    def _group_parties(self, holds: Callable[[Literal], bool]) -> dict[str, str]:
        """Return, for each party (a province or a power), the first party that has the same power in the assignment."""
        graph = networkx.Graph()
        owner_parties = (party for pair in self._pairs for party in pair if party.startswith(_OWNER))
        graph.add_nodes_from((*self._list_free_provinces(holds), *self._owner.values(), *owner_parties))
        graph.add_edges_from(pair for pair, literal in self._pairs.items() if holds(literal))
        groups = (
            sorted(group, key=lambda party: (not party.startswith(_OWNER), party))
            for group in networkx.connected_components(graph)
        )
        return {party: group[0] for group in groups for party in group}

    def _cut_path(self, holds: Callable[[Literal], bool], one: str, other: str, literal: Literal) -> None:
        """Add a clause: if all relations on a path between two parties hold, `literal` must hold as well."""
        graph = networkx.Graph(pair for pair, related in self._pairs.items() if holds(related))
        equals = networkx.shortest_path(graph, one, other)
        links = (self._relation_literal(first, second) for first, second in pairwise(equals))
        self.formula.require(literal, *(-link for link in links))

    def _exclude_relations(self, holds: Callable[[Literal], bool], groups: Mapping[str, str]) -> None:
        """Exclude the parties in `groups` with their present relations, which would need more powers than the map has."""
        pairs = (
            literal if not holds(literal) else -literal
            for (one, other), literal in self._pairs.items()
            if one in groups and other in groups
        )
        units = (-self.occupied[party] for party in groups if not party.startswith(_OWNER))
        self.formula.require(*pairs, *units)


def _colour_groups(
    groups: Sequence[str], powers_by_group: dict[str, Power], powers: tuple[Power, ...], conflicts: networkx.Graph
) -> dict[str, Power] | None:
    """Return `powers_by_group` with a power for each of `groups`, different ones in conflict, unused first; None if too few."""
    if not groups:
        return powers_by_group
    group, *others = groups
    barred = {powers_by_group[other] for other in conflicts[group] if other in powers_by_group}
    for power in sorted(powers, key=set(powers_by_group.values()).__contains__):
        if power not in barred:
            found = _colour_groups(others, {**powers_by_group, group: power}, powers, conflicts)
            if found is not None:
                return found
    return None
