"""Holds the fleets that are ordered to convoy a move, as a graph of what touches.

PATH asks whether fleets that convoy connect two coasts. The statement says so by routes; all readers that have the orders
follow the fleets instead, for there may be very many routes.
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
    """The fleets that may carry an army, as numbers of the waters; sets of fleets are the bits of an integer."""

    waters: Waters
    start: int
    """The waters that touch the origin."""
    goal: int
    """The waters that touch the destination."""
    fleets: int
    """The fleets that are ordered to convoy the army."""
    own: int
    """Those of them that are of its power."""
    numbers: tuple[int, ...] = ()
    """The fleets in the order of the convoys; also those that stand at its ends, and so carry it nowhere."""
    legs: tuple[tuple[int, int], ...] = ()
    """The same fleets as sets of one, which are empty for fleets at the ends, each with the index of its convoy."""
    roundabout: bool = False
    """Whether routes need not be proper (4.E.1.convoy=legal)."""
    known_links: dict[tuple[int, int], bool] = {}
    """Whether the shores are connected, by the fleets that convoy and the last fleets that do not count."""

    def __repr__(self) -> str:
        return f"<Crossing: {self.fleets.bit_count()} fleets>"

    def has_route(self, free: int, *, not_last: int = 0) -> bool:
        """Return whether a route leads through fleets of the set `free` alone, with a last fleet outside `not_last`."""
        found = self.known_links.get((free, not_last))
        if found is None:
            goal = self.goal & ~not_last
            left = free if self.roundabout else free & ~(not_last & self.goal)  # which would be the last in any proper route
            found = self.known_links[free, not_last] = has_path(self.waters.near, self.start, goal, left)
        return found

    def is_on_route(self, number: int, *, own: bool = False) -> bool:
        """Return whether a route of ordered fleets, or of own fleets alone, leads through the fleet of this number."""
        free = self.own if own else self.fleets
        if self.roundabout:
            return is_on_simple_route(self.waters.near, self.start, self.goal, free, number)
        found = is_on_proper_route(self.waters.near, self.start, self.goal, free, number, self.waters.levels)
        if found is None:
            raise EngineLimitError(f"it stays undecided whether a proper route leads through {self.waters.codes[number]}")
        return found

    def find_last_fleets(self) -> int:
        """Return the set of fleets with which some route of ordered ones ends."""
        shore = self.goal & self.fleets
        if self.roundabout:
            return shore & find_reachable(self.waters.near, self.start, self.fleets)
        inner = self.fleets & ~shore
        return bit_set(one for one in iter_members(shore) if has_path(self.waters.near, self.start, 1 << one, inner | 1 << one))

    def find_bit(self, province: ProvinceCode) -> int:
        """Return the set that consists of one province; 0 if it is not a convoying province."""
        number = self.waters.number.get(province)
        return 0 if number is None else 1 << number

    def iter_routes(self, free: int) -> Iterator[tuple[int, ...]]:
        """Yield the routes through fleets of the set `free`, each as their numbers in order."""
        find_routes = iter_simple_routes if self.roundabout else iter_proper_routes
        return find_routes(self.waters.near, self.start, self.goal, free)

    def list_provinces(self, fleets: int) -> list[ProvinceCode]:
        """List the provinces of a set of fleets."""
        return [self.waters.codes[number] for number in iter_members(fleets)]

    def find_shortest_route(self, free: int, *, not_last: int = 0) -> tuple[int, ...] | None:
        """Return a shortest route through fleets in `free` with a last fleet outside `not_last`, or None."""
        left = free if self.roundabout else free & ~(not_last & self.goal)
        return find_shortest_path(self.waters.near, self.start, self.goal & ~not_last, left)

    def list_cuts(self, whole: int, ordered: int, *, not_last: int = 0) -> list[int]:
        """List sets of broken fleets (ordered, and not in `whole`), each of which alone separates the coasts.

        They are each single fleet that does so, and the sets nearest to either coast, from which no fleet can be left out.
        """
        broken, near = ordered & ~whole, self.waters.near
        alone = [1 << one for one in iter_members(broken) if not self.has_route(ordered & ~(1 << one), not_last=not_last)]
        if not self.has_route(ordered, not_last=not_last):
            return [0]  # there is no route to be cut
        fronts = []
        for coast in (self.start, self.goal):
            front = broken & (coast | find_touching(near, find_reachable(near, coast, whole)))
            for one in iter_members(front):
                if not self.has_route(ordered & ~(front ^ 1 << one), not_last=not_last):
                    front ^= 1 << one
            fronts.append(front)
        return [*alone, *(front for front in fronts if front not in alone)]


class ResidualGraph(Struct, eq=False):
    """A convoy graph without the fleets that convoy for sure, which are contracted; others are open."""

    near: tuple[int, ...]
    start: int
    goal: int
    still_open: int
    levels: Levels = {}

    def list_routes(self, most: int) -> list[tuple[int, ...]] | None:
        """Return the least sets of open fleets that connect the coasts; None if there are more than `most`."""
        found = list(islice(iter_proper_routes(self.near, self.start, self.goal, self.still_open), most + 1))
        return found if len(found) <= most else None

    def is_relevant(self, number: int) -> bool:
        """Return whether an open fleet is in any of these least sets; True also if that is undecided."""
        return is_on_proper_route(self.near, self.start, self.goal, self.still_open, number, self.levels) is not False


def find_residual(graph: ConvoyGraph, sure: int, still_open: int, not_last: int = 0) -> ResidualGraph | bool:
    """Return the graph of open fleets without those that surely convoy; True or False if these settle the connection."""
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
    """Return the fleets that convoy for sure, as a set, and those that are open, with their truth values."""
    sure = bit_set(number for number, truth in truths.items() if truth is True)
    return sure, {number: truth for number, truth in truths.items() if not isinstance(truth, bool)}
