"""Finds which coasts fleets connect, and by which routes, on a graph of the numbered waters of a map.

A set of waters is the bits of an integer. `adjacent` has, for each water, the set of waters that touch it. `area` is the
set of waters within which a path must stay. A *shore* is the set of waters that touch a coast.

A *proper* route is a chordless path: it has no superfluous fleet (DATC 4.E.1, 6.G.19). Any chain of fleets contains one, so
whether there is a route is a question of reachability. Whether one leads through a certain fleet is NP-complete; the answer
comes from a witness, a refutation, or a bounded search (`is_on_proper_route`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from satjudge.world.geography import Map, ProvinceCode

MOST_STEPS = 2_000
"""The number of steps after which the search for a route through a fleet gives up."""


Levels = dict[tuple[int, int], list[int]]
"""The sets of fleets at each distance from a shore, by the shore and the area."""


class Waters(Struct, frozen=True):
    """The convoying provinces of a map by number, the neighbours of each, and the set that touches each coast."""

    number: dict[ProvinceCode, int]
    codes: tuple[ProvinceCode, ...]
    near: tuple[int, ...]
    shores: dict[ProvinceCode, int]
    levels: Levels = {}
    pockets: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"<Waters: {len(self.codes)} provinces>"


def number_waters(game_map: Map) -> Waters:
    """Return the numbered waters of a map, with the neighbours of each; the result is cached with the map."""
    found: Waters | None = game_map.cache.get(number_waters)
    if found is None:
        codes = tuple(sorted(game_map.convoying))
        number = {code: index for index, code in enumerate(codes)}
        near = tuple([bit_set(number[other] for other in game_map.fleet.get(code, ()) if other in number) for code in codes])
        shores = {coast: bit_set(number[code] for code in touched) for coast, touched in game_map.shores.items()}
        found = game_map.cache[number_waters] = Waters(number, codes, near, shores)
    return found


def bit_set(numbers: Iterable[int]) -> int:
    """Return the set of these numbers as an integer that has a bit for each."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def iter_members(numbers: int) -> Iterator[int]:
    """Yield the numbers in a set of bits, in ascending order."""
    while numbers:
        low = numbers & -numbers
        yield low.bit_length() - 1
        numbers ^= low


def find_touching(adjacent: tuple[int, ...], seas: int) -> int:
    """Return the set of all waters that touch a member of the set `seas`."""
    found = 0
    while seas:
        low = seas & -seas
        found |= adjacent[low.bit_length() - 1]
        seas ^= low
    return found


def has_path(adjacent: tuple[int, ...], first: int, goal: int, area: int) -> bool:
    """Return whether a chain of waters within `area` leads from a member of the set `first` to one of the set `goal`."""
    edge = first & area
    while edge:
        if edge & goal:
            return True
        area &= ~edge
        edge = find_touching(adjacent, edge) & area
    return False


def find_reachable(adjacent: tuple[int, ...], first: int, area: int) -> int:
    """Return the set of waters that chains within `area` reach from the members of `first` in it, including these."""
    edge = seen = first & area
    while edge:
        edge = find_touching(adjacent, edge) & area & ~seen
        seen |= edge
    return seen


def split_parts(adjacent: tuple[int, ...], area: int) -> tuple[int, ...]:
    """Return the connected parts of a set of waters, each as a set."""
    found = []
    while area:
        found.append(find_reachable(adjacent, area & -area, area))
        area &= ~found[-1]
    return tuple(found)


def find_shortest_path(adjacent: tuple[int, ...], first: int, goal: int, area: int) -> tuple[int, ...] | None:
    """Return a shortest chain within `area` from a member of `first` to one of `goal`, as numbers; None if there is none."""
    levels = []
    edge, left = goal & area, area
    while edge and not edge & first:
        levels.append(edge)
        left &= ~edge
        edge = find_touching(adjacent, edge) & left
    if not edge:
        return None
    here = next(iter_members(edge & first))
    found = [here]
    for level in reversed(levels):
        here = next(iter_members(adjacent[here] & level))
        found.append(here)
    return tuple(found)


def iter_proper_routes(adjacent: tuple[int, ...], start: int, goal: int, area: int) -> Iterator[tuple[int, ...]]:
    """Yield, sorted, the chordless paths within `area` from the shore `start` to the shore `goal`, as numbers."""
    start &= area
    unfinished: list[tuple[tuple[int, ...], int]] = [((first,), area & ~start) for first in reversed([*iter_members(start)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
            continue
        onward = adjacent[route[-1]] & left
        left &= ~onward
        ahead = [sea for sea in iter_members(onward) if goal >> sea & 1 or has_path(adjacent, adjacent[sea], goal, left)]
        unfinished += [((*route, sea), left) for sea in reversed(ahead)]


def iter_simple_routes(adjacent: tuple[int, ...], start: int, goal: int, area: int) -> Iterator[tuple[int, ...]]:
    """Yield, sorted, the paths within `area` from one shore to the other that pass no fleet twice, as numbers."""
    unfinished: list[tuple[tuple[int, ...], int]] = []
    unfinished += [((first,), area & ~(1 << first)) for first in reversed([*iter_members(start & area)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
        if has_path(adjacent, adjacent[route[-1]], goal, left):
            unfinished += [((*route, sea), left & ~(1 << sea)) for sea in reversed([*iter_members(adjacent[route[-1]] & left)])]


def is_on_simple_route(adjacent: tuple[int, ...], start: int, goal: int, area: int, fleet: int) -> bool:
    """Return whether a path within `area` from shore to shore that passes no fleet twice leads through the number `fleet`.

    Such a path consists of two disjoint arms from the fleet to the shores. There is none if and only if all arms share another
    fleet, without which the fleet would be cut off from both shores (Menger).
    """
    here = 1 << fleet
    if not here & area or not has_path(adjacent, here, start, area) or not has_path(adjacent, here, goal, area):
        return False
    arm = find_shortest_path(adjacent, here, start | goal, area) or ()
    return all(has_path(adjacent, here, start | goal, area & ~(1 << sea)) for sea in arm[1:])


_KEPT_LEVELS = 1_000


def is_on_proper_route(adjacent: tuple[int, ...], start: int, goal: int, area: int, fleet: int, levels: Levels) -> bool | None:
    """Return whether a chordless path within `area` from shore to shore passes the number `fleet`; None if undecided.

    Distances from shores are cached in `levels`.
    """
    found = find_route_half(adjacent, start & area, goal & area, area, fleet, levels)
    return None if found is None else bool(found)


def find_route_half(adjacent: tuple[int, ...], start: int, goal: int, area: int, fleet: int, levels: Levels) -> int | None:
    """Return a chordless route's fleets from the start to the number `fleet`, as a set; 0 if none passes it, None if undecided.

    Returns None if this is not decided within `MOST_STEPS`.
    """
    here = 1 << fleet
    if not here & area:
        return 0
    if here & start:
        return here if here & goal or has_path(adjacent, adjacent[fleet], goal, area & ~start) else 0
    if here & goal:
        arm = find_shortest_path(adjacent, adjacent[fleet], start, area & ~goal)
        return 0 if arm is None else here | bit_set(arm)
    if len(levels) >= _KEPT_LEVELS:
        levels.clear()
    arms = _RouteHalves(adjacent, start, goal, area & ~here, fleet)
    sides = (start, area & ~goal), (goal, area & ~start)
    for side, (shore, left) in enumerate(sides):
        arm = _descend_levels(adjacent, find_levels(adjacent, shore, left, levels), fleet)
        if arm is None:
            return 0
        if found := arms.match_half(side, bit_set(arm)):
            return here | found
    if witness := arms.find_matching_half():
        return here | witness
    if arms.is_refuted() or arms.find_pocket(fleet):
        return 0
    other = arms.search(MOST_STEPS)
    return other and here | other


def find_levels(adjacent: tuple[int, ...], shore: int, area: int, cache: Levels) -> list[int]:
    """Return the sets of fleets at each distance from a shore, the nearest first, and store them in `cache`."""
    found = cache.get((shore, area))
    if found is None:
        found = cache[shore, area] = []
        edge, left = shore & area, area
        while edge:
            found.append(edge)
            left &= ~edge
            edge = find_touching(adjacent, edge) & left
    return found


def _descend_levels(adjacent: tuple[int, ...], levels: list[int], sea: int) -> tuple[int, ...] | None:
    """Return a shortest chain from the fleet `sea` to the shore, without `sea` itself; None if the levels lack it."""
    distance = next((index for index, level in enumerate(levels) if level >> sea & 1), None)
    if distance is None:
        return None
    found = []
    for level in reversed(levels[:distance]):
        beside = adjacent[sea] & level
        sea = (beside & -beside).bit_length() - 1
        found.append(sea)
    return tuple(found)


class _RouteHalves:
    """Two halves of a convoy route from a fleet that is at neither shore, one to each shore, which touch only at the fleet.

    The half to the start avoids the goal, and the half to the goal avoids the start. Side 0 is the start, side 1 the goal.
    """

    def __init__(self, adjacent: tuple[int, ...], start: int, goal: int, area: int, fleet: int) -> None:
        self.near = adjacent
        self.ends = start, goal
        self.free = area & ~goal, area & ~start
        """The fleets through which each half may lead."""
        self.firsts = adjacent[fleet], adjacent[fleet]
        """The fleets with which each half may begin or continue."""
        self.begun = 0
        """The fleets through which the half to the start already leads."""

    def is_refuted(self) -> bool:
        """Return whether there certainly are no such halves; close fleets to one half that touch fleets the other must pass.

        Closed fleets remain closed for the rest of the search.
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
        """Return the set of fleets that every half to the shore of this side passes; None if there is no such half.

        On a shortest half, a fleet is forced if no detour leads around it.
        """
        adjacent, first, end, area = self.near, self.firsts[side], self.ends[side], self.free[side]
        arm = find_shortest_path(adjacent, first, end, area)
        if arm is None:
            return None
        place = {sea: index for index, sea in enumerate(arm)}
        beside = area & ~bit_set(arm)
        seen = found = farthest = 0
        onward = first & area
        for at in range(len(arm) + 1):
            fresh = find_reachable(adjacent, onward, beside & ~seen)
            seen |= fresh
            met = (onward | find_touching(adjacent, fresh)) & area & ~beside
            farthest = len(arm) if seen & end else max([farthest, *(place[sea] for sea in iter_members(met))])
            if at == len(arm) or farthest == len(arm):
                break
            found |= 1 << arm[at] if farthest == at else 0
            onward = adjacent[arm[at]] & area
            if end >> arm[at] & 1:
                farthest = len(arm)
        return found

    def find_pocket(self, fleet: int) -> int:
        """Return the fleets that a clique of two or three others cuts off from both shores with `fleet`; 0 if there is none.

        Each half would have to pass the clique, whose fleets touch each other.
        """
        adjacent, here, ends, area = self.near, 1 << fleet, self.ends[0] | self.ends[1], self.free[0] | self.free[1]
        for first in find_shortest_path(adjacent, adjacent[fleet], ends, area) or ():
            for second in iter_members(adjacent[first] & area):
                both = 1 << first | 1 << second
                beside = adjacent[first] & adjacent[second] & area
                for clique in [both | 1 << third for third in iter_members(beside)] or [both]:
                    if not has_path(adjacent, here, ends, (area | here) & ~clique):
                        return find_reachable(adjacent, here, (area | here) & ~clique)
        return 0

    def find_matching_half(self) -> int:
        """Return the half to the start, as a set, of two halves that do not touch, one of them a shortest; 0 if none."""
        for side in (0, 1):
            for first in iter_members(self.firsts[side] & self.free[side]):
                rest = self.free[side] & ~self.firsts[side] | 1 << first
                arm = find_shortest_path(self.near, 1 << first, self.ends[side], rest)
                if arm is not None and (found := self.match_half(side, bit_set(arm))):
                    return found
        return 0

    def match_half(self, side: int, arm: int) -> int:
        """Return the half to the start, as a set, if the half `arm` of this side and some other half do not touch; else 0."""
        left = self.free[1 - side] & ~(arm | find_touching(self.near, arm))
        if side == 0:
            return self.begun | arm if has_path(self.near, self.firsts[1], self.ends[1], left) else 0
        other = find_shortest_path(self.near, self.firsts[0], self.ends[0], left)
        return 0 if other is None else self.begun | bit_set(other)

    def search(self, steps: int) -> int | None:
        """Return a half to the start that matches a half to the goal, as a set; 0 if there is none, None after `steps`."""
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
        """Yield copies in which one half is a fleet longer: the half with fewer possible next fleets.

        A half passes only one of the fleets that touch its head. If that one were at the shore, a route would have been found
        before.
        """
        from copy import copy  # few questions get this far

        ways = [(self.firsts[side] & self.free[side]).bit_count() for side in (0, 1)]
        side = 0 if ways[0] <= ways[1] else 1
        own, other = self.free[side] & ~self.firsts[side], self.free[1 - side]
        for sea in iter_members(self.firsts[side] & self.free[side] & ~self.ends[side]):
            arms = copy(self)
            remaining, firsts = other & ~(1 << sea | self.near[sea]), self.near[sea]
            if side == 0:
                arms.begun, arms.free, arms.firsts = self.begun | 1 << sea, (own, remaining), (firsts, self.firsts[1])
            else:
                arms.free, arms.firsts = (remaining, own), (self.firsts[0], firsts)
            yield arms


class Sweep:
    """Decides to which shores routes lead from one shore through a fleet; the result for one shore may settle others."""

    def __init__(self, waters: Waters, start: int, area: int, fleet: int) -> None:
        self.near, self.start, self.free, self.through = waters.near, start & area, area, fleet
        self.levels = waters.levels
        self.kept_pockets = waters.pockets
        self.pockets: list[int] | None = None
        """The minimal pockets that contain the fleet; None before they are needed."""
        self.arms: list[tuple[int, int]] = []
        """Halves to the start, each with all waters that the other half can reach without touching it."""

    def has_route_to(self, goal: int) -> bool | None:
        """Return whether a proper route leads through the fleet to the shore `goal`; None if undecided."""
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
        """Return the minimal pockets that contain the fleet; no route passes through a pocket that touches neither shore."""
        if self.pockets is None:
            self.pockets = []
            if self.free not in self.kept_pockets:
                self.kept_pockets[self.free] = find_pockets(self.near, self.free)
            for pocket in self.kept_pockets[self.free]:
                if pocket >> self.through & 1 and not any(pocket & less == less for less in self.pockets):
                    self.pockets.append(pocket)
        return self.pockets


def find_pockets(adjacent: tuple[int, ...], area: int) -> tuple[int, ...]:
    """Return the pockets: the parts of the area that one to three mutually touching fleets separate, the smallest first.

    A path into such a part and out again passes two of those fleets. As these touch, the path has a chord.
    """
    found: set[int] = set()
    for clique in iter_cliques(adjacent, area):
        rim = find_touching(adjacent, clique) & area & ~clique
        if find_reachable(adjacent, rim & -rim, rim) == rim:  # they separate nothing
            continue
        parted = split_parts(adjacent, area & ~clique)
        found |= {*parted} if len(parted) > 1 else set()
    return tuple(sorted(found, key=int.bit_count))


def iter_cliques(adjacent: tuple[int, ...], area: int) -> Iterator[int]:
    """Yield each set of one, two or three fleets in the area that all touch each other."""
    for first in iter_members(area):
        yield 1 << first
        for second in iter_members(adjacent[first] & area & -1 << first + 1):
            yield 1 << first | 1 << second
            for third in iter_members(adjacent[first] & adjacent[second] & area & -1 << second + 1):
                yield 1 << first | 1 << second | 1 << third
