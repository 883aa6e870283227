"""Holds families of sets as decision diagrams, in which many similar sets take little room and are counted at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable


class Families:
    """Families of sets as zero-suppressed decision diagrams (Minato): equal families are one node, a number.

    A node has the number of a thing that sets may hold, the family of the sets without it, and of those with it, less it.
    Things are numbered in the order in which they are named: things that go together should stand together.
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

    def _rebuilt(self, family: int, change: Callable[[float, int, int, Callable[[int], int]], int]) -> int:
        """Rebuild a family node by node, each node once; `change` gets a function that rebuilds the part below a node."""
        known: dict[int, int] = {}

        def below(node: int) -> int:
            if node not in known:
                known[node] = change(*self._nodes[node], below) if node > 1 else change(float("inf"), node, node, below)
            return known[node]

        return below(family)

    def without(self, family: int, things: Iterable[Hashable]) -> int:
        """Return the sets of a family that hold none of the things."""
        numbers = {self._number[thing] for thing in things}

        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return lacking
            return self._node(number, below(lacking), self.NONE if number in numbers else below(holding))

        return self._rebuilt(family, change)

    def added(self, family: int, things: Iterable[Hashable]) -> int:
        """Add things, which no set of a family holds, to all of its sets."""
        for thing in things:
            family = self._added(family, self._number[thing])
        return family

    def _added(self, family: int, new: int) -> int:
        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return self._node(new, self.NONE, lacking)
            if number > new:
                return self._node(new, self.NONE, self._node(number, lacking, holding))
            return self._node(number, below(lacking), below(holding))

        return self._rebuilt(family, change)

    def forgotten(self, family: int, things: Iterable[Hashable]) -> int:
        """Take things out of all sets of a family; sets that differ in these things alone become one."""
        for thing in things:
            family = self._forgotten(family, self._number[thing])
        return family

    def _forgotten(self, family: int, gone: int) -> int:
        def change(number: float, lacking: int, holding: int, below: Callable[[int], int]) -> int:
            if number == float("inf"):
                return lacking
            if number >= gone:
                return self.union(lacking, holding) if number == gone else self._node(number, lacking, holding)
            return self._node(number, below(lacking), below(holding))

        return self._rebuilt(family, change)

    def union(self, one: int, other: int) -> int:
        """Return the sets of both families."""
        known: dict[tuple[int, int], int] = {}

        def joined(one: int, other: int) -> int:
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
                known[one, other] = self._node(number, joined(lacking, also_lacking), joined(holding, also_holding))
            return known[one, other]

        return joined(one, other)

    def size(self, family: int) -> int:
        """Count the sets of a family."""
        known = {self.NONE: 0, self.EMPTY_SET: 1}

        def counted(node: int) -> int:
            if node not in known:
                _, lacking, holding = self._nodes[node]
                known[node] = counted(lacking) + counted(holding)
            return known[node]

        return counted(family)
