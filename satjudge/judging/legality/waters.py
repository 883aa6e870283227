"""Finds which coasts fleets connect, and by which routes, on the waters of a map as a graph of numbers.

Sets of waters are the bits of an integer.

A *proper* route is a chordless path: none of its fleets can be left out (DATC 4.E.1, 6.G.19). Any chain of fleets contains
one, so whether there is a route at all is reachability. Whether one leads through a certain fleet is NP-complete; it is
answered by a witness, by a refutation, or by a search that is bounded (`is_on_proper_route`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from satjudge.world.geography import Map, ProvinceCode

MOST_STEPS = 2_000
"""The number of steps after which the search for a route through a fleet is given up."""


Levels = dict[tuple[int, int], list[int]]
"""The fleets at each distance from a shore, by the shore and the free waters."""


class Waters(Struct, frozen=True):
    """The convoying provinces of a map by number, which of them touch, and which touch each coast."""

    number: dict[ProvinceCode, int]
    codes: tuple[ProvinceCode, ...]
    near: tuple[int, ...]
    shores: dict[ProvinceCode, int]
    levels: Levels = {}
    pockets: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"<Waters: {len(self.codes)} provinces>"


def number_waters(game_map: Map) -> Waters:
    """Return the waters of a map with their numbers and what each touches, cached with the map."""
    found: Waters | None = game_map.cache.get(number_waters)
    if found is None:
        codes = tuple(sorted(game_map.convoying))
        number = {code: at for at, code in enumerate(codes)}
        near = tuple([bit_set(number[other] for other in game_map.fleet.get(code, ()) if other in number) for code in codes])
        shores = {coast: bit_set(number[code] for code in touched) for coast, touched in game_map.shores.items()}
        found = game_map.cache[number_waters] = Waters(number, codes, near, shores)
    return found


def bit_set(numbers: Iterable[int]) -> int:
    """Return the set of these numbers as an integer, with a bit for each."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def iter_members(numbers: int) -> Iterator[int]:
    """Yield the numbers in a set of bits, least first."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


def find_touching(near: tuple[int, ...], seas: int) -> int:
    """Return the set of all waters that touch a member of the set `seas`; `near` has the neighbours of each water."""
    found = 0
    while seas:
        low = seas & -seas
        found |= near[low.bit_length() - 1]
        seas ^= low
    return found


def has_path(near: tuple[int, ...], first: int, goal: int, free: int) -> bool:
    """Return whether a chain of waters in `free` leads from a member of `first` to a member of `goal`."""
    edge = first & free
    while edge:
        if edge & goal:
            return True
        free &= ~edge
        edge = find_touching(near, edge) & free
    return False


def find_reachable(near: tuple[int, ...], first: int, free: int) -> int:
    """Return the set of waters that chains within `free` reach from a member of `first`, with those in `first`."""
    edge = seen = first & free
    while edge:
        edge = find_touching(near, edge) & free & ~seen
        seen |= edge
    return seen


def split_parts(near: tuple[int, ...], free: int) -> tuple[int, ...]:
    """Return the connected parts of the set `free`, as sets."""
    found = []
    while free:
        found.append(find_reachable(near, free & -free, free))
        free &= ~found[-1]
    return tuple(found)


def find_shortest_path(near: tuple[int, ...], first: int, goal: int, free: int) -> tuple[int, ...] | None:
    """Return a shortest chain within `free` from `first` to `goal`, of the least numbers; None if there is none."""
    levels = []
    edge, left = goal & free, free
    while edge and not edge & first:
        levels.append(edge)
        left &= ~edge
        edge = find_touching(near, edge) & left
    if not edge:
        return None
    here = next(iter_members(edge & first))
    found = [here]
    for level in reversed(levels):
        here = next(iter_members(near[here] & level))
        found.append(here)
    return tuple(found)


def iter_proper_routes(near: tuple[int, ...], start: int, goal: int, free: int) -> Iterator[tuple[int, ...]]:
    """Yield the chordless paths within `free` from one shore to the other, sorted."""
    start &= free
    unfinished: list[tuple[tuple[int, ...], int]] = [((first,), free & ~start) for first in reversed([*iter_members(start)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
            continue
        onward = near[route[-1]] & left
        left &= ~onward
        ahead = [sea for sea in iter_members(onward) if goal >> sea & 1 or has_path(near, near[sea], goal, left)]
        unfinished += [((*route, sea), left) for sea in reversed(ahead)]


def iter_simple_routes(near: tuple[int, ...], start: int, goal: int, free: int) -> Iterator[tuple[int, ...]]:
    """Yield the paths within `free` from one shore to the other that pass no fleet twice, sorted."""
    unfinished: list[tuple[tuple[int, ...], int]] = []
    unfinished += [((first,), free & ~(1 << first)) for first in reversed([*iter_members(start & free)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
        if has_path(near, near[route[-1]], goal, left):
            unfinished += [((*route, sea), left & ~(1 << sea)) for sea in reversed([*iter_members(near[route[-1]] & left)])]


def is_on_simple_route(near: tuple[int, ...], start: int, goal: int, free: int, through: int) -> bool:
    """Return whether a path from shore to shore that passes no fleet twice leads through the fleet `through`.

    Such a path consists of two arms from the fleet to the shores that share no fleet. None exists exactly if the loss of one
    fleet, which is on every arm, would separate it from both shores (Menger).
    """
    here = 1 << through
    if not here & free or not has_path(near, here, start, free) or not has_path(near, here, goal, free):
        return False
    arm = find_shortest_path(near, here, start | goal, free) or ()
    return all(has_path(near, here, start | goal, free & ~(1 << sea)) for sea in arm[1:])


_KEPT_LEVELS = 1_000


def is_on_proper_route(near: tuple[int, ...], start: int, goal: int, free: int, through: int, levels: Levels) -> bool | None:
    """Return whether a chordless path from shore to shore leads through the fleet `through`; None if undecided.

    Distances from shores are cached in `levels`.
    """
    found = find_route_half(near, start & free, goal & free, free, through, levels)
    return None if found is None else bool(found)


def find_route_half(near: tuple[int, ...], start: int, goal: int, free: int, through: int, levels: Levels) -> int | None:
    """Return the fleets of a chordless route from the start up to and with a fleet, as a set; 0 if there is none.

    Returns None if this cannot be decided.
    """
    here = 1 << through
    if not here & free:
        return 0
    if here & start:
        return here if here & goal or has_path(near, near[through], goal, free & ~start) else 0
    if here & goal:
        arm = find_shortest_path(near, near[through], start, free & ~goal)
        return 0 if arm is None else here | bit_set(arm)
    if len(levels) >= _KEPT_LEVELS:
        levels.clear()
    arms = _RouteHalves(near, start, goal, free & ~here, through)
    sides = (start, free & ~goal), (goal, free & ~start)
    for side, (shore, left) in enumerate(sides):
        arm = _descend_levels(near, find_levels(near, shore, left, levels), through)
        if arm is None:
            return 0
        if found := arms.match_half(side, bit_set(arm)):
            return here | found
    if witness := arms.find_matching_half():
        return here | witness
    if arms.is_refuted() or arms.find_pocket(through):
        return 0
    other = arms.search(MOST_STEPS)
    return other and here | other


def find_levels(near: tuple[int, ...], shore: int, free: int, cache: Levels) -> list[int]:
    """Return the sets of fleets at each distance from a shore, the nearest first; they are cached."""
    found = cache.get((shore, free))
    if found is None:
        found = cache[shore, free] = []
        edge, left = shore & free, free
        while edge:
            found.append(edge)
            left &= ~edge
            edge = find_touching(near, edge) & left
    return found


def _descend_levels(near: tuple[int, ...], levels: list[int], sea: int) -> tuple[int, ...] | None:
    """Return a shortest chain from a fleet's neighbour to the shore, without the fleet; None if there is none."""
    distance = next((at for at, level in enumerate(levels) if level >> sea & 1), None)
    if distance is None:
        return None
    found = []
    for level in reversed(levels[:distance]):
        beside = near[sea] & level
        sea = (beside & -beside).bit_length() - 1
        found.append(sea)
    return tuple(found)


class _RouteHalves:
    """Two partial convoy routes from a fleet at neither shore, one to each shore, that touch only at the fleet.

    The one to the start keeps clear of the goal, and the one to the goal of the start.
    """

    def __init__(self, near: tuple[int, ...], start: int, goal: int, free: int, through: int) -> None:
        self.near = near
        self.ends = start, goal
        self.free = free & ~goal, free & ~start
        """The fleets that each arm may pass."""
        self.firsts = near[through], near[through]
        """The fleets with which each arm may begin or continue."""
        self.begun = 0
        """The fleets that the arm to the start has passed already."""

    def is_refuted(self) -> bool:
        """Return whether no such routes are left, after closing fleets that forced ones touch to the other half.

        Closed fleets stay closed for the rest of the search.
        """
        changed = True
        while changed:
            changed = False
            for side in (0, 1):
                forced = self._find_forced(side)
                if forced is None:
                    return True
                other = self.free[1 - side]
                left = other & ~(forced | find_touching(self.near, forced))
                if left != other:
                    self.free = (self.free[0], left) if side == 0 else (left, self.free[1])
                    changed = True
        return False

    def _find_forced(self, side: int) -> int | None:
        """Return the set of fleets that every partial route to one shore passes; None if there is no such route.

        On a shortest arm, a fleet is forced if no detour leads from before it to beyond it.
        """
        near, first, end, free = self.near, self.firsts[side], self.ends[side], self.free[side]
        arm = find_shortest_path(near, first, end, free)
        if arm is None:
            return None
        place = {sea: at for at, sea in enumerate(arm)}
        beside = free & ~bit_set(arm)
        seen = found = farthest = 0
        onward = first & free
        for at in range(len(arm) + 1):
            fresh = find_reachable(near, onward, beside & ~seen)
            seen |= fresh
            met = (onward | find_touching(near, fresh)) & free & ~beside
            farthest = len(arm) if seen & end else max([farthest, *(place[one] for one in iter_members(met))])
            if at == len(arm) or farthest == len(arm):
                break
            found |= 1 << arm[at] if farthest == at else 0
            onward = near[arm[at]] & free
            if end >> arm[at] & 1:
                farthest = len(arm)
        return found

    def find_pocket(self, through: int) -> int:
        """Return the fleets that a clique of two or three cuts off from both shores with this one; 0 if none does.

        Both arms would have to pass two fleets of the clique.
        """
        near, here, ends, free = self.near, 1 << through, self.ends[0] | self.ends[1], self.free[0] | self.free[1]
        for one in find_shortest_path(near, near[through], ends, free) or ():
            for other in iter_members(near[one] & free):
                both = 1 << one | 1 << other
                beside = near[one] & near[other] & free
                for clique in [both | 1 << third for third in iter_members(beside)] or [both]:
                    if not has_path(near, here, ends, (free | here) & ~clique):
                        return find_reachable(near, here, (free | here) & ~clique)
        return 0

    def find_matching_half(self) -> int:
        """Return a half to the start, as a set, that fits a half to the goal; 0 if the shortest ones have none."""
        for side in (0, 1):
            for first in iter_members(self.firsts[side] & self.free[side]):
                rest = self.free[side] & ~self.firsts[side] | 1 << first
                arm = find_shortest_path(self.near, 1 << first, self.ends[side], rest)
                if arm is not None and (found := self.match_half(side, bit_set(arm))):
                    return found
        return 0

    def match_half(self, side: int, arm: int) -> int:
        """Return the half to the start, as a set, if `arm` and a half to the other shore do not touch; else 0."""
        left = self.free[1 - side] & ~(arm | find_touching(self.near, arm))
        if side == 0:
            return self.begun | arm if has_path(self.near, self.firsts[1], self.ends[1], left) else 0
        other = find_shortest_path(self.near, self.firsts[0], self.ends[0], left)
        return 0 if other is None else self.begun | bit_set(other)

    def search(self, steps: int) -> int | None:
        """Return a half to the start that fits a half to the goal, by extending both; 0 if none does, None after `steps`."""
        unfinished = [self]
        for _ in range(steps):
            if not unfinished:
                return 0
            arms = unfinished.pop()
            if not arms.is_refuted():
                if found := arms.find_matching_half():
                    return found
                unfinished += arms.iter_extensions()
        return None

    def iter_extensions(self) -> Iterator[_RouteHalves]:
        """Yield each pair of partial routes of which one is a fleet longer: the one with fewer possible next fleets.

        Of the fleets that touch its head it passes only one. If that one were at the shore, a route would have been found
        before.
        """
        from copy import copy  # few questions come so far

        ways = [(self.firsts[side] & self.free[side]).bit_count() for side in (0, 1)]
        side = 0 if ways[0] <= ways[1] else 1
        own, other = self.free[side] & ~self.firsts[side], self.free[1 - side]
        for sea in iter_members(self.firsts[side] & self.free[side] & ~self.ends[side]):
            arms = copy(self)
            kept, going = other & ~(1 << sea | self.near[sea]), self.near[sea]
            if side == 0:
                arms.begun, arms.free, arms.firsts = self.begun | 1 << sea, (own, kept), (going, self.firsts[1])
            else:
                arms.free, arms.firsts = (kept, own), (self.firsts[0], going)
            yield arms


class Sweep:
    """Asks for routes through one fleet from one shore to many others: a result for one may settle others."""

    def __init__(self, waters: Waters, start: int, free: int, through: int) -> None:
        self.near, self.start, self.free, self.through = waters.near, start & free, free, through
        self.levels = waters.levels
        self.kept_pockets = waters.pockets
        self.pockets: list[int] | None = None
        """The least pockets that contain the fleet, once they are needed."""
        self.arms: list[tuple[int, int]] = []
        """Arms to the start, each with all waters that an arm on the other side can reach beside it."""

    def has_route_to(self, goal: int) -> bool | None:
        """Return whether a proper route leads through the fleet to a shore; None if undecided."""
        goal &= self.free
        ends = self.start | goal
        inner = not ends >> self.through & 1
        if inner and any(beyond & goal and not arm & goal for arm, beyond in self.arms):
            return True
        if inner and any(not pocket & ends for pocket in self._pockets()):
            return False
        found = find_route_half(self.near, self.start, goal, self.free, self.through, self.levels)
        if found and not goal >> self.through & 1:
            self._keep_arm(found & ~(1 << self.through))
        return None if found is None else bool(found)

    def _keep_arm(self, arm: int) -> None:
        inner = self.free & ~self.start & ~(1 << self.through)
        beyond = find_reachable(self.near, self.near[self.through], inner & ~arm & ~find_touching(self.near, arm))
        self.arms.append((arm, beyond))

    def _pockets(self) -> list[int]:
        """Return the least pockets that the fleet is in; routes cannot pass through one that touches neither shore."""
        if self.pockets is None:
            self.pockets = []
            if self.free not in self.kept_pockets:
                self.kept_pockets[self.free] = find_pockets(self.near, self.free)
            for pocket in self.kept_pockets[self.free]:
                if pocket >> self.through & 1 and not any(pocket & less == less for less in self.pockets):
                    self.pockets.append(pocket)
        return self.pockets


def find_pockets(near: tuple[int, ...], free: int) -> tuple[int, ...]:
    """Return the parts into which up to three fleets that all touch each other divide the waters, the smallest first.

    A path into such a part and out again passes two of those fleets, which touch: it has a chord.
    """
    found: set[int] = set()
    for clique in iter_cliques(near, free):
        rim = find_touching(near, clique) & free & ~clique
        if find_reachable(near, rim & -rim, rim) == rim:  # they part nothing
            continue
        parted = split_parts(near, free & ~clique)
        found |= {*parted} if len(parted) > 1 else set()
    return tuple(sorted(found, key=int.bit_count))


def iter_cliques(near: tuple[int, ...], free: int) -> Iterator[int]:
    """Yield each set of one, two or three fleets that all touch each other."""
    for one in iter_members(free):
        yield 1 << one
        for other in iter_members(near[one] & free & -1 << one + 1):
            yield 1 << one | 1 << other
            for third in iter_members(near[one] & near[other] & free & -1 << other + 1):
                yield 1 << one | 1 << other | 1 << third
