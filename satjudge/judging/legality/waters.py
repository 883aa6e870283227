"""Finds which coasts fleets connect, and by which routes, on the waters of a map as a graph of numbers.

Sets of waters are the bits of an integer.

A *proper* route is a chordless path: none of its fleets can be left out (DATC 4.E.1, 6.G.19). Any chain of fleets contains
one, so whether there is a route at all is reachability. Whether one leads through a certain fleet is NP-complete; it is
answered by a witness, by a refutation, or by a search that is bounded (`on_proper_route`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from satjudge.world.geography import Map, ProvinceCode

MOST_STEPS = 5_000
"""The number of steps after which the search for a route through a fleet is given up."""


Levels = dict[tuple[int, int], list[int]]
"""By a shore and what is free: the fleets at each distance from it."""


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


def waters_of(game_map: Map) -> Waters:
    """Number the waters of a map, once."""
    found: Waters | None = game_map.cache.get(waters_of)
    if found is None:
        codes = tuple(sorted(game_map.convoying))
        number = {code: at for at, code in enumerate(codes)}
        near = tuple([bits(number[other] for other in game_map.fleet.get(code, ()) if other in number) for code in codes])
        shores = {coast: bits(number[code] for code in touched) for coast, touched in game_map.shores.items()}
        found = game_map.cache[waters_of] = Waters(number, codes, near, shores)
    return found


def bits(numbers: Iterable[int]) -> int:
    """Make the set of these numbers."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def members(some: int) -> Iterator[int]:
    """Yield the numbers in a set, least first."""
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


def around(near: tuple[int, ...], some: int) -> int:
    """Collect what touches any of these."""
    found = 0
    while some:
        low = some & -some
        found |= near[low.bit_length() - 1]
        some ^= low
    return found


def meets(near: tuple[int, ...], first: int, goal: int, free: int) -> bool:
    """Tell whether a chain within `free` leads from one of the first to one of the goal."""
    edge = first & free
    while edge:
        if edge & goal:
            return True
        free &= ~edge
        edge = around(near, edge) & free
    return False


def spread(near: tuple[int, ...], first: int, free: int) -> int:
    """Collect all that chains within `free` lead to from one of the first."""
    edge = seen = first & free
    while edge:
        edge = around(near, edge) & free & ~seen
        seen |= edge
    return seen


def parts(near: tuple[int, ...], free: int) -> tuple[int, ...]:
    """Split a set into its connected parts."""
    found = []
    while free:
        found.append(spread(near, free & -free, free))
        free &= ~found[-1]
    return tuple(found)


def shortest(near: tuple[int, ...], first: int, goal: int, free: int) -> tuple[int, ...] | None:
    """Find a shortest chain within `free` from one of the first to one of the goal, by the least numbers."""
    levels = []
    edge, left = goal & free, free
    while edge and not edge & first:
        levels.append(edge)
        left &= ~edge
        edge = around(near, edge) & left
    if not edge:
        return None
    here = next(members(edge & first))
    found = [here]
    for level in reversed(levels):
        here = next(members(near[here] & level))
        found.append(here)
    return tuple(found)


def proper_routes(near: tuple[int, ...], start: int, goal: int, free: int) -> Iterator[tuple[int, ...]]:
    """Yield the chordless paths from the one shore to the other in order; none is begun that leads nowhere."""
    start &= free
    unfinished: list[tuple[tuple[int, ...], int]] = [((first,), free & ~start) for first in reversed([*members(start)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
            continue
        onward = near[route[-1]] & left
        left &= ~onward
        ahead = [sea for sea in members(onward) if goal >> sea & 1 or meets(near, near[sea], goal, left)]
        unfinished += [((*route, sea), left) for sea in reversed(ahead)]


def simple_routes(near: tuple[int, ...], start: int, goal: int, free: int) -> Iterator[tuple[int, ...]]:
    """Yield the paths from the one shore to the other that pass no fleet twice, in order."""
    unfinished: list[tuple[tuple[int, ...], int]] = []
    unfinished += [((first,), free & ~(1 << first)) for first in reversed([*members(start & free)])]
    while unfinished:
        route, left = unfinished.pop()
        if goal >> route[-1] & 1:
            yield route
        if meets(near, near[route[-1]], goal, left):
            unfinished += [((*route, sea), left & ~(1 << sea)) for sea in reversed([*members(near[route[-1]] & left)])]


def on_simple_route(near: tuple[int, ...], start: int, goal: int, free: int, through: int) -> bool:
    """Tell whether a path that passes no fleet twice leads through a fleet.

    It is two arms from the fleet, to the two shores, that share nothing. There are none just where
    the loss of one fleet would part it from both shores (Menger): a fleet of any arm.
    """
    here = 1 << through
    if not here & free or not meets(near, here, start, free) or not meets(near, here, goal, free):
        return False
    arm = shortest(near, here, start | goal, free) or ()
    return all(meets(near, here, start | goal, free & ~(1 << sea)) for sea in arm[1:])


_KEPT_LEVELS = 1_000


def on_proper_route(near: tuple[int, ...], start: int, goal: int, free: int, through: int, kept: Levels) -> bool | None:
    """Tell whether a chordless path from the one shore to the other leads through a fleet; None if undecided.

    Distances from shores are kept from one question to the next.
    """
    found = arm_of_route(near, start & free, goal & free, free, through, kept)
    return None if found is None else bool(found)


def arm_of_route(near: tuple[int, ...], start: int, goal: int, free: int, through: int, kept: Levels) -> int | None:
    """Collect what a chordless path passes from the one shore up to a fleet; nothing if none leads through it.

    None if that stays undecided.
    """
    here = 1 << through
    if not here & free:
        return 0
    if here & start:
        return here if here & goal or meets(near, near[through], goal, free & ~start) else 0
    if here & goal:
        arm = shortest(near, near[through], start, free & ~goal)
        return 0 if arm is None else here | bits(arm)
    if len(kept) >= _KEPT_LEVELS:
        kept.clear()
    arms = _Arms(near, start, goal, free & ~here, through)
    sides = (start, free & ~goal), (goal, free & ~start)
    for side, (shore, left) in enumerate(sides):
        arm = _descent(near, levels_of(near, shore, left, kept), through)
        if arm is None:
            return 0
        if found := arms.beside(side, bits(arm)):
            return here | found
    witness = arms.witnessed() or arms.searched(MOST_STEPS)
    return witness and here | witness


def levels_of(near: tuple[int, ...], shore: int, free: int, kept: Levels) -> list[int]:
    """List the fleets at each distance from a shore."""
    found = kept.get((shore, free))
    if found is None:
        found = kept[shore, free] = []
        edge, left = shore & free, free
        while edge:
            found.append(edge)
            left &= ~edge
            edge = around(near, edge) & left
    return found


def _descent(near: tuple[int, ...], levels: list[int], sea: int) -> tuple[int, ...] | None:
    """Find a shortest chain from the neighbours of a fleet to the shore; None if there is none."""
    distance = next((at for at, level in enumerate(levels) if level >> sea & 1), None)
    if distance is None:
        return None
    found = []
    for level in reversed(levels[:distance]):
        beside = near[sea] & level
        sea = (beside & -beside).bit_length() - 1
        found.append(sea)
    return tuple(found)


class _Arms:
    """Two arms from a fleet that lies at neither shore, one to each shore, that do not touch but at the fleet.

    The one to the start keeps clear of the goal, and the one to the goal of the start.
    """

    def __init__(self, near: tuple[int, ...], start: int, goal: int, free: int, through: int) -> None:
        self.near = near
        self.ends = start, goal
        self.free = free & ~goal, free & ~start
        """What each arm may pass."""
        self.firsts = near[through], near[through]
        """Where each arm begins, or goes on."""
        self.begun = 0
        """What the arm to the start passes already."""

    def refuted(self) -> bool:
        """Tell whether there are none: what touches a fleet that one arm must pass is closed to the other.

        What is closed stays closed for the rest.
        """
        changed = True
        while changed:
            changed = False
            for side in (0, 1):
                forced = self._forced(side)
                if forced is None:
                    return True
                other = self.free[1 - side]
                left = other & ~(forced | around(self.near, forced))
                if left != other:
                    self.free = (self.free[0], left) if side == 0 else (left, self.free[1])
                    changed = True
        return False

    def _forced(self, side: int) -> int | None:
        """Collect the fleets that every such arm passes; None if there is no such arm.

        Along a shortest arm each fleet is forced from before which no detour leads beyond it.
        """
        near, first, end, free = self.near, self.firsts[side], self.ends[side], self.free[side]
        arm = shortest(near, first, end, free)
        if arm is None:
            return None
        place = {sea: at for at, sea in enumerate(arm)}
        beside = free & ~bits(arm)
        seen = found = farthest = 0
        onward = first & free
        for at in range(len(arm) + 1):
            fresh = spread(near, onward, beside & ~seen)
            seen |= fresh
            met = (onward | around(near, fresh)) & free & ~beside
            farthest = len(arm) if seen & end else max([farthest, *(place[one] for one in members(met))])
            if at == len(arm) or farthest == len(arm):
                break
            found |= 1 << arm[at] if farthest == at else 0
            onward = near[arm[at]] & free
            if end >> arm[at] & 1:
                farthest = len(arm)
        return found

    def witnessed(self) -> int:
        """Find an arm to the start beside which there is another one, if either is a shortest one by some first fleet."""
        for side in (0, 1):
            for first in members(self.firsts[side] & self.free[side]):
                rest = self.free[side] & ~self.firsts[side] | 1 << first
                arm = shortest(self.near, 1 << first, self.ends[side], rest)
                if arm is not None and (found := self.beside(side, bits(arm))):
                    return found
        return 0

    def beside(self, side: int, arm: int) -> int:
        """Give the arm to the start, if there is one on the other side that does not touch this one; else nothing."""
        left = self.free[1 - side] & ~(arm | around(self.near, arm))
        if side == 0:
            return self.begun | arm if meets(self.near, self.firsts[1], self.ends[1], left) else 0
        other = shortest(self.near, self.firsts[0], self.ends[0], left)
        return 0 if other is None else self.begun | bits(other)

    def searched(self, steps: int) -> int | None:
        """Find an arm to the start beside which there is another one, by letting either go on in every way."""
        unfinished = [self]
        for _ in range(steps):
            if not unfinished:
                return 0
            arms = unfinished.pop()
            if not arms.refuted():
                if found := arms.witnessed():
                    return found
                unfinished += arms.going_on()
        return None

    def going_on(self) -> Iterator[_Arms]:
        """Yield each way in which the arm with fewer ways goes on.

        Of what touches its head it passes one fleet alone. Where that is at the shore, a witness would have been found.
        """
        from copy import copy  # few questions come so far

        ways = [(self.firsts[side] & self.free[side]).bit_count() for side in (0, 1)]
        side = 0 if ways[0] <= ways[1] else 1
        own, other = self.free[side] & ~self.firsts[side], self.free[1 - side]
        for sea in members(self.firsts[side] & self.free[side] & ~self.ends[side]):
            arms = copy(self)
            kept, going = other & ~(1 << sea | self.near[sea]), self.near[sea]
            if side == 0:
                arms.begun, arms.free, arms.firsts = self.begun | 1 << sea, (own, kept), (going, self.firsts[1])
            else:
                arms.free, arms.firsts = (kept, own), (self.firsts[0], going)
            yield arms


class Sweep:
    """Asks for routes through one fleet from one shore to many others: what is found for one of them may settle others."""

    def __init__(self, waters: Waters, start: int, free: int, through: int) -> None:
        self.near, self.start, self.free, self.through = waters.near, start & free, free, through
        self.levels = waters.levels
        self.kept_pockets = waters.pockets
        self.pockets: list[int] | None = None
        """The least sets with the fleet that few part from all else, once they are asked for."""
        self.arms: list[tuple[int, int]] = []
        """Arms to the start, and all that an arm on the other side may come to beside each."""

    def leads_to(self, goal: int) -> bool | None:
        """Tell whether a proper route leads through the fleet to a shore; None if undecided."""
        goal &= self.free
        ends = self.start | goal
        inner = not ends >> self.through & 1
        if inner and any(beyond & goal and not arm & goal for arm, beyond in self.arms):
            return True
        if inner and any(not pocket & ends for pocket in self._pockets()):
            return False
        found = arm_of_route(self.near, self.start, goal, self.free, self.through, self.levels)
        if found and not goal >> self.through & 1:
            self._keep_arm(found & ~(1 << self.through))
        return None if found is None else bool(found)

    def _keep_arm(self, arm: int) -> None:
        inner = self.free & ~self.start & ~(1 << self.through)
        beyond = spread(self.near, self.near[self.through], inner & ~arm & ~around(self.near, arm))
        self.arms.append((arm, beyond))

    def _pockets(self) -> list[int]:
        """List the least pockets that the fleet is in; no route leads into one that touches neither shore, and out again."""
        if self.pockets is None:
            self.pockets = []
            if self.free not in self.kept_pockets:
                self.kept_pockets[self.free] = pockets(self.near, self.free)
            for pocket in self.kept_pockets[self.free]:
                if pocket >> self.through & 1 and not any(pocket & less == less for less in self.pockets):
                    self.pockets.append(pocket)
        return self.pockets


def pockets(near: tuple[int, ...], free: int) -> tuple[int, ...]:
    """List what up to three fleets that all touch each other part from each other, the smallest first.

    A path into such a part and out again passes two of those fleets, which touch: it has a chord.
    """
    found: set[int] = set()
    for clique in cliques(near, free):
        rim = around(near, clique) & free & ~clique
        if spread(near, rim & -rim, rim) == rim:  # they part nothing
            continue
        parted = parts(near, free & ~clique)
        found |= {*parted} if len(parted) > 1 else set()
    return tuple(sorted(found, key=int.bit_count))


def cliques(near: tuple[int, ...], free: int) -> Iterator[int]:
    """Yield each set of one, two or three fleets that all touch each other."""
    for one in members(free):
        yield 1 << one
        for other in members(near[one] & free & -1 << one + 1):
            yield 1 << one | 1 << other
            for third in members(near[one] & near[other] & free & -1 << other + 1):
                yield 1 << one | 1 << other | 1 << third
