"""Writes all cores that there can be as words: docs/papers/cores.md proves that a core is a ring of these links.

A *link* of a paradox is a convoying fleet, its army, the unit where the army lands, and what that unit's support has to do with
the convoying fleet of the next link: it helps to attack it, helps it to hold, or helps a rival of its attacker. The army may
be strong enough to dislodge the unit where it lands, and then its move is in the core too. That makes six links, and a core
with a convoy is a ring of such links; as each but the support for the attack turns *available* into *disrupted* and back, an
even number of the others leaves two resolutions, and an odd number none.

Circular movement is a ring of moves, each by land or by convoy.

Under the default rulebook, on maps without railroads, canals, difficult borders and coasts that convoy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from typing import TypeVar

import networkx

from satjudge.base.shapes import graph_digest
from satjudge.explain.cores import ClassifiedCore, same_graph


class Hand(StrEnum):
    """The effect of the unit where an army lands on the convoying fleet of the next link."""

    ATTACK = "a"
    """A support of the attack on the fleet (DATC 6.F.14)."""
    HOLD = "h"
    """A support of the fleet in place, against an attack (6.F.18)."""
    RIVAL = "r"
    """A support of a rival of the fleet's attacker, so that the two bounce (6.F.17)."""


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """One link of a paradox; in a `dislodging` link the army is strong enough to dislodge the unit where it lands."""

    hand: Hand
    dislodging: bool = False

    def __str__(self) -> str:
        return self.hand.upper() if self.dislodging else str(self.hand)

    @property
    def units(self) -> int:
        """The least number of units of the link: fleet, army, unit where that lands, attacker, and their helpers."""
        return {Hand.ATTACK: 4, Hand.HOLD: 5, Hand.RIVAL: 6}[self.hand] + self.dislodging


LINKS = tuple(Link(hand, dislodging) for hand in Hand for dislodging in (False, True))
T = TypeVar("T")


@dataclass(frozen=True)
class Paradox:
    """A core with convoys: its links, each with an effect on the next, and the last one on the first."""

    links: tuple[Link, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.links))

    @classmethod
    def read(cls, word: str) -> Paradox:
        """Read a paradox from a word: a letter for each link, a capital where the army dislodges."""
        return cls(tuple(Link(Hand(letter.lower()), letter.isupper()) for letter in word))

    @property
    def resolutions(self) -> int:
        """The number of resolutions: none for a ring with an odd number of changes of sign, else two."""
        return 0 if sum(link.hand is not Hand.ATTACK for link in self.links) % 2 else 2

    @property
    def least_units(self) -> int:
        """The least number of units on any board with the core."""
        return sum(link.units for link in self.links)

    @property
    def graph(self) -> networkx.DiGraph:
        """The graph of which decision looks at which, as `satjudge.explain.cores` has it for a core on a board."""
        graph = networkx.DiGraph()
        for number, link in enumerate(self.links):
            following = (number + 1) % len(self.links)
            graph.add_node(("convoy", number), label="convoy")
            graph.add_node(("move", number), label="move")
            graph.add_node(("support", number), label="hold support" if link.hand is Hand.HOLD else "move support")
            graph.add_edge(("convoy", number), ("move", number), sign="-")
            graph.add_edge(("move", following), ("support", number), sign="+" if link.hand is Hand.ATTACK else "-")
            graph.add_edge(("support", number), ("convoy", number), sign="-")
            if link.dislodging:
                graph.add_node(("army", number), label="convoyed move")
                graph.add_edge(("support", number), ("army", number), sign="-")
                graph.add_edge(("army", number), ("convoy", number), sign="+")
        return graph

    @property
    def shape(self) -> str:
        """The name of the core's shape."""
        order = len(self.links)
        moves = order + sum(link.dislodging for link in self.links)
        return f"{order}C{moves}M{order}S-{self.resolutions}r-{graph_digest(self.graph)}"


@dataclass(frozen=True)
class Ring:
    """A circular movement: for each of its moves in turn, whether it goes by convoy."""

    by_convoy: tuple[bool, ...]

    def __str__(self) -> str:
        return "".join("c" if convoyed else "l" for convoyed in self.by_convoy)

    @property
    def resolutions(self) -> int:
        """The number of resolutions: all moves succeed, or all fail."""
        return 2

    @property
    def least_units(self) -> int:
        """The least number of units: one for every move, and a fleet for every convoy."""
        return len(self.by_convoy) + sum(self.by_convoy)

    @property
    def graph(self) -> networkx.DiGraph:
        """The graph in which each move looks at the next."""
        graph = networkx.DiGraph()
        for number, convoyed in enumerate(self.by_convoy):
            graph.add_node(number, label="convoyed move" if convoyed else "move")
            graph.add_edge(number, (number + 1) % len(self.by_convoy), sign="+")
        return graph

    @property
    def shape(self) -> str:
        """The name of the core's shape."""
        return f"{len(self.by_convoy)}M-2r-{graph_digest(self.graph)}"


def paradoxes(order: int) -> Iterator[Paradox]:
    """List all paradoxes of an order, each once: words that differ by where the ring begins are one."""
    return (Paradox(links) for links in necklaces(LINKS, order))


def rings(length: int) -> Iterator[Ring]:
    """List all circular movements of a length, each once.

    Two units cannot change places but by a convoy (DATC 6.C.4).
    """
    return (Ring(word) for word in necklaces((False, True), length) if length > 2 or (length == 2 and any(word)))


def necklaces(letters: Sequence[T], length: int) -> Iterator[tuple[T, ...]]:
    """List words of a length over some letters in order, of rotations of one word the first."""
    rank = range(len(letters))
    for word in product(rank, repeat=length):
        if length and all(word <= word[turn:] + word[:turn] for turn in range(1, length)):
            yield tuple(letters[place] for place in word)


_HIGHEST_ORDER = 6
"""The largest number of convoys for which shapes are known by name: of order 6 there are 7,826."""


@cache
def of_shape(shape: str) -> Paradox | Ring | None:
    """Find the core with a shape of this name, if it has no more than six convoys, or twelve moves without convoys."""
    counts, resolutions, _ = shape.split("-")
    convoys, _, members = counts.rpartition("C")
    moves = int(members.partition("M")[0] or 0)
    if not convoys:
        candidates: Iterator[Paradox | Ring] = rings(moves) if moves <= 2 * _HIGHEST_ORDER else iter(())
    else:
        order = int(convoys)
        candidates = (
            paradox
            for paradox in (paradoxes(order) if order <= _HIGHEST_ORDER else ())
            if f"{paradox.resolutions}r" == resolutions and order + sum(link.dislodging for link in paradox.links) == moves
        )
    return next((core for core in candidates if core.shape == shape), None)


def is_one(core: ClassifiedCore) -> bool:
    """Tell whether a core on a board is one of these."""
    found = of_shape(core.shape)
    return found is not None and len(core.core.resolutions) == found.resolutions and same_graph(core.graph, found.graph)
