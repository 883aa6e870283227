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
    around,
    bits,
    meets,
    members,
    on_proper_route,
    on_simple_route,
    parts,
    proper_routes,
    shortest,
    simple_routes,
    spread,
)
from satjudge.world.geography import ProvinceCode

T = TypeVar("T")


class Crossing(Struct, eq=False):
    """Where an army may cross: fleets are numbers of the waters, sets of them the bits of an integer."""

    waters: Waters
    start: int
    """What touches the origin."""
    goal: int
    """What touches the destination."""
    fleets: int
    """The fleets that are ordered to convoy the army."""
    own: int
    """Those of them that are of its power."""
    numbers: tuple[int, ...] = ()
    """The fleets in the order of the convoys; also those that stand at its ends, and so carry it nowhere."""
    legs: tuple[tuple[int, int], ...] = ()
    """The same as sets of one, empty for those at its ends; with the indices of the convoys."""
    roundabout: bool = False
    """Whether routes need not be proper (4.E.1.convoy=legal)."""
    known: dict[tuple[int, int], bool] = {}
    """What connects the shores, by the fleets that convoy and the last ones that do not count."""

    def __repr__(self) -> str:
        return f"<Crossing: {self.fleets.bit_count()} fleets>"

    def links(self, free: int, *, not_last: int = 0) -> bool:
        """Tell whether a route leads through some of these fleets, the last one of which is none of those others."""
        found = self.known.get((free, not_last))
        if found is None:
            goal = self.goal & ~not_last
            left = free if self.roundabout else free & ~(not_last & self.goal)  # which would be the last in any proper route
            found = self.known[free, not_last] = meets(self.waters.near, self.start, goal, left)
        return found

    def passes(self, number: int, *, own: bool = False) -> bool:
        """Tell whether a route of ordered fleets, or of own fleets alone, leads through a fleet."""
        free = self.own if own else self.fleets
        if self.roundabout:
            return on_simple_route(self.waters.near, self.start, self.goal, free, number)
        found = on_proper_route(self.waters.near, self.start, self.goal, free, number, self.waters.levels)
        if found is None:
            raise EngineLimitError(f"it stays undecided whether a proper route leads through {self.waters.codes[number]}")
        return found

    def last(self) -> int:
        """Collect the fleets that some route of ordered ones ends with."""
        shore = self.goal & self.fleets
        if self.roundabout:
            return shore & spread(self.waters.near, self.start, self.fleets)
        inner = self.fleets & ~shore
        return bits(one for one in members(shore) if meets(self.waters.near, self.start, 1 << one, inner | 1 << one))

    def bit_of(self, province: ProvinceCode) -> int:
        """Make a set of a province; an empty one if it is no water."""
        number = self.waters.number.get(province)
        return 0 if number is None else 1 << number

    def routes(self, free: int) -> Iterator[tuple[int, ...]]:
        """Yield the routes of some of the fleets."""
        find_routes = simple_routes if self.roundabout else proper_routes
        return find_routes(self.waters.near, self.start, self.goal, free)

    def codes(self, some: int) -> list[ProvinceCode]:
        """Name the provinces of a set."""
        return [self.waters.codes[number] for number in members(some)]

    def route(self, free: int, *, not_last: int = 0) -> tuple[int, ...] | None:
        """Find a shortest route through some of these fleets, the last one of which is none of those others."""
        left = free if self.roundabout else free & ~(not_last & self.goal)
        return shortest(self.waters.near, self.start, self.goal & ~not_last, left)

    def cuts(self, whole: int, ordered: int, *, not_last: int = 0) -> list[int]:
        """List sets of broken fleets (ordered, and not in `whole`), each of which parts the coasts.

        Any fleet that does so alone, and those nearest to either coast, none of which can be left out.
        """
        broken, near = ordered & ~whole, self.waters.near
        alone = [1 << one for one in members(broken) if not self.links(ordered & ~(1 << one), not_last=not_last)]
        if not self.links(ordered, not_last=not_last):
            return [0]  # there is no route to be cut
        fronts = []
        for coast in (self.start, self.goal):
            front = broken & (coast | around(near, spread(near, coast, whole)))
            for one in members(front):
                if not self.links(ordered & ~(front ^ 1 << one), not_last=not_last):
                    front ^= 1 << one
            fronts.append(front)
        return [*alone, *(front for front in fronts if front not in alone)]


class Residue(Struct, eq=False):
    """What is left of a crossing where some fleets convoy for sure, which are contracted, and others are open."""

    near: tuple[int, ...]
    start: int
    goal: int
    still_open: int
    levels: Levels = {}

    def routes(self, most: int) -> list[tuple[int, ...]] | None:
        """List the least sets of open fleets that connect the coasts; None if they are more than so many."""
        found = list(islice(proper_routes(self.near, self.start, self.goal, self.still_open), most + 1))
        return found if len(found) <= most else None

    def matters(self, number: int) -> bool:
        """Tell whether an open fleet is in any of these sets; where that stays undecided, that it is."""
        return on_proper_route(self.near, self.start, self.goal, self.still_open, number, self.levels) is not False


def residue(crossing: Crossing, sure: int, still_open: int, not_last: int = 0) -> Residue | bool:
    """Work out what is left to be known, or whether the coasts are connected if that is known."""
    if crossing.links(sure, not_last=not_last):
        return True
    if not crossing.links(sure | still_open, not_last=not_last):
        return False
    goal = crossing.goal & ~not_last
    if not crossing.roundabout:
        sure, still_open = sure & ~(not_last & crossing.goal), still_open & ~(not_last & crossing.goal)
    near, start = list(crossing.waters.near), crossing.start
    for part in parts(crossing.waters.near, sure):
        beside = around(crossing.waters.near, part) & still_open
        for number in members(beside):
            near[number] |= beside & ~(1 << number)
        start |= beside if part & crossing.start else 0
        goal |= beside if part & goal else 0
    return Residue(tuple(near), start, goal, still_open)


def sorted_out(truths: Mapping[int, T | bool]) -> tuple[int, dict[int, T]]:
    """Part the fleets that are sure to convoy, as a set, from those that are open."""
    sure = bits(number for number, truth in truths.items() if truth is True)
    return sure, {number: truth for number, truth in truths.items() if not isinstance(truth, bool)}
