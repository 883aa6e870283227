"""Represents the fleets that are ordered to convoy a move as a graph of adjacent waters.

PATH depends on whether fleets that convoy connect two coasts. The statement defines this by routes. Since there may be many of
them, all logics for given orders follow the fleets in this graph instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from satjudge.base.errors import EngineLimitError
from satjudge.judging.legality.waters import (
    Levels,
    Waters,
    bit_set,
    find_reachable,
    find_shortest_path,
    find_touching,
    has_path,
    is_on_proper_route,
    is_on_simple_route,
    iter_members,
    iter_proper_routes,
    iter_simple_routes,
    split_parts,
)
from satjudge.world.geography import ProvinceCode

T = TypeVar("T")


class ConvoyGraph(Struct, eq=False):
    """The fleets ordered to convoy an army, as numbers of their waters; a set of fleets is the bits of an integer."""

    waters: Waters
    start: int
    """The waters that touch the origin."""
    goal: int
    """The waters that touch the destination."""
    fleets: int
    """The fleets that are ordered to convoy the army."""
    own: int
    """Those of these fleets that belong to the army's power."""
    numbers: tuple[int, ...] = ()
    """The fleets in the order of the convoy orders, including fleets at the ends of the move, which carry the army nowhere."""
    legs: tuple[tuple[int, int], ...] = ()
    """For each of `numbers`, the set of that fleet alone (0 for fleets at the ends) and the index of its convoy decision."""
    roundabout: bool = False
    """True if routes need not be proper (4.E.1.convoy=legal)."""
    known_links: dict[tuple[int, int], bool] = {}
    """Cached answers of `has_route`, by its two arguments."""

    def __repr__(self) -> str:
        return f"<Crossing: {self.fleets.bit_count()} fleets>"

    def has_route(self, area: int, *, not_last: int = 0) -> bool:
        """Return whether fleets in the set `area` alone form a route whose last fleet is not in the set `not_last`."""
        found = self.known_links.get((area, not_last))
        if found is None:
            goal = self.goal & ~not_last
            left = area if self.roundabout else area & ~(not_last & self.goal)  # they could only be last
            found = self.known_links[area, not_last] = has_path(self.waters.near, self.start, goal, left)
        return found

    def is_on_route(self, number: int, *, own_only: bool = False) -> bool:
        """Return whether the fleet `number` is on a route of ordered fleets (own ones if `own_only`); raise if undecided."""
        free = self.own if own_only else self.fleets
        if self.roundabout:
            return is_on_simple_route(self.waters.near, self.start, self.goal, free, number)
        found = is_on_proper_route(self.waters.near, self.start, self.goal, free, number, self.waters.levels)
        if found is None:
            raise EngineLimitError(f"it cannot be decided whether a proper route leads through {self.waters.codes[number]}")
        return found

    def find_last_fleets(self) -> int:
        """Return the set of fleets that are the last one of some route of ordered fleets."""
        shore = self.goal & self.fleets
        if self.roundabout:
            return shore & find_reachable(self.waters.near, self.start, self.fleets)
        inner = self.fleets & ~shore
        return bit_set(sea for sea in iter_members(shore) if has_path(self.waters.near, self.start, 1 << sea, inner | 1 << sea))

    def find_bit(self, province: ProvinceCode) -> int:
        """Return the set that has only the fleet in this province; 0 if the province is not a convoying one."""
        number = self.waters.number.get(province)
        return 0 if number is None else 1 << number

    def iter_routes(self, area: int) -> Iterator[tuple[int, ...]]:
        """Yield the routes through fleets in the set `area`, each as the numbers of its fleets in order."""
        find_routes = iter_simple_routes if self.roundabout else iter_proper_routes
        return find_routes(self.waters.near, self.start, self.goal, area)

    def list_provinces(self, fleets: int) -> list[ProvinceCode]:
        """List the provinces of the fleets in a set."""
        return [self.waters.codes[number] for number in iter_members(fleets)]

    def find_shortest_route(self, area: int, *, not_last: int = 0) -> tuple[int, ...] | None:
        """Return a shortest route of fleets in `area`, as numbers, whose last one is not in `not_last`; None if none is."""
        left = area if self.roundabout else area & ~(not_last & self.goal)
        return find_shortest_path(self.waters.near, self.start, self.goal & ~not_last, left)

    def list_cuts(self, available: int, ordered: int, *, not_last: int = 0) -> list[int]:
        """List some sets of fleets outside `available` that each cut every route of `ordered` fleets; [0] if there is no route.

        The sets are each single fleet that does so, and the sets nearest to either coast, reduced until every fleet is needed.
        """
        broken, near = ordered & ~available, self.waters.near
        alone = [1 << fleet for fleet in iter_members(broken) if not self.has_route(ordered & ~(1 << fleet), not_last=not_last)]
        if not self.has_route(ordered, not_last=not_last):
            return [0]  # there is no route to be cut
        fronts = []
        for coast in (self.start, self.goal):
            front = broken & (coast | find_touching(near, find_reachable(near, coast, available)))
            for fleet in iter_members(front):
                if not self.has_route(ordered & ~(front ^ 1 << fleet), not_last=not_last):
                    front ^= 1 << fleet
            fronts.append(front)
        return [*alone, *(front for front in fronts if front not in alone)]


class ResidualGraph(Struct, eq=False):
    """A convoy graph of open fleets, in which those that certainly convoy have been contracted."""

    near: tuple[int, ...]
    start: int
    goal: int
    still_open: int
    levels: Levels = {}

    def list_routes(self, limit: int) -> list[tuple[int, ...]] | None:
        """Return the minimal sets of open fleets that connect the coasts; None if there are more than `limit`."""
        found = list(islice(iter_proper_routes(self.near, self.start, self.goal, self.still_open), limit + 1))
        return found if len(found) <= limit else None

    def is_relevant(self, number: int) -> bool:
        """Return whether the open fleet `number` is in a minimal set that connects the coasts; True also if undecided."""
        return is_on_proper_route(self.near, self.start, self.goal, self.still_open, number, self.levels) is not False


def find_residual(graph: ConvoyGraph, sure: int, still_open: int, not_last: int = 0) -> ResidualGraph | bool:
    """Return True if `sure` fleets connect the coasts, False if even open ones do not help, else the graph of the open ones."""
    if graph.has_route(sure, not_last=not_last):
        return True
    if not graph.has_route(sure | still_open, not_last=not_last):
        return False
    goal = graph.goal & ~not_last
    if not graph.roundabout:
        sure, still_open = sure & ~(not_last & graph.goal), still_open & ~(not_last & graph.goal)
    near, start = list(graph.waters.near), graph.start
    for part in split_parts(graph.waters.near, sure):
        beside = find_touching(graph.waters.near, part) & still_open
        for number in iter_members(beside):
            near[number] |= beside & ~(1 << number)
        start |= beside if part & graph.start else 0
        goal |= beside if part & goal else 0
    return ResidualGraph(tuple(near), start, goal, still_open)


def split_fleets(truths: Mapping[int, T | bool]) -> tuple[int, dict[int, T]]:
    """Return the set of fleets whose truth value is True, and the open ones, which have no constant value, with theirs."""
    sure = bit_set(number for number, truth in truths.items() if truth is True)
    return sure, {number: truth for number, truth in truths.items() if not isinstance(truth, bool)}
