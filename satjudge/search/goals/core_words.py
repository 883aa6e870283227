"""All cores that there can be, as words: docs/cores.md proves that a core is one ring, and that these are its links.

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
    """What the unit where an army lands has to do with the convoying fleet of the next link."""

    ATTACK = "a"
    """It supports the attack on it (DATC 6.F.14)."""
    HOLD = "h"
    """It supports it in place, against an attack (6.F.18)."""
    RIVAL = "r"
    """It supports a rival of its attacker, so that the two bounce (6.F.17)."""


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """One link of a paradox. `dislodging`: the army is strong enough to dislodge the unit where it lands."""

    hand: Hand
    dislodging: bool = False

    def __str__(self) -> str:
        return self.hand.upper() if self.dislodging else str(self.hand)

    @property
    def units(self) -> int:
        """The units that it cannot do without: fleet, army, where that lands, and attacker; and who helps these."""
        return {Hand.ATTACK: 4, Hand.HOLD: 5, Hand.RIVAL: 6}[self.hand] + self.dislodging


LINKS = tuple(Link(hand, dislodging) for hand in Hand for dislodging in (False, True))
T = TypeVar("T")


@dataclass(frozen=True)
class Paradox:
    """A core with convoys: its links, each with a hand in the fate of the next, the last one in that of the first."""

    links: tuple[Link, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.links))

    @classmethod
    def read(cls, word: str) -> Paradox:
        """The paradox that is written so: a letter for each link, a capital where the army dislodges."""
        return cls(tuple(Link(Hand(letter.lower()), letter.isupper()) for letter in word))

    @property
    def resolutions(self) -> int:
        """How many its core has: a ring with an odd number of changes of sign has none."""
        return 0 if sum(link.hand is not Hand.ATTACK for link in self.links) % 2 else 2

    @property
    def least_units(self) -> int:
        """Fewer cannot do it, anywhere."""
        return sum(link.units for link in self.links)

    @property
    def graph(self) -> networkx.DiGraph:
        """Who looks at whom, as `satjudge.explain.cores` has it for a core on a board."""
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
        """The name of its shape."""
        order = len(self.links)
        moves = order + sum(link.dislodging for link in self.links)
        return f"{order}C{moves}M{order}S-{self.resolutions}r-{graph_digest(self.graph)}"


@dataclass(frozen=True)
class Ring:
    """Circular movement: for each of its moves in turn whether it goes by convoy."""

    by_convoy: tuple[bool, ...]

    def __str__(self) -> str:
        return "".join("c" if convoyed else "l" for convoyed in self.by_convoy)

    @property
    def resolutions(self) -> int:
        """All moves succeed, or all fail."""
        return 2

    @property
    def least_units(self) -> int:
        """Every move has a unit, and every convoy a fleet."""
        return len(self.by_convoy) + sum(self.by_convoy)

    @property
    def graph(self) -> networkx.DiGraph:
        """Each move looks at the next."""
        graph = networkx.DiGraph()
        for number, convoyed in enumerate(self.by_convoy):
            graph.add_node(number, label="convoyed move" if convoyed else "move")
            graph.add_edge(number, (number + 1) % len(self.by_convoy), sign="+")
        return graph

    @property
    def shape(self) -> str:
        """The name of its shape."""
        return f"{len(self.by_convoy)}M-2r-{graph_digest(self.graph)}"


def paradoxes(order: int) -> Iterator[Paradox]:
    """All of an order, each once: words that differ by where the ring begins are one."""
    return (Paradox(links) for links in necklaces(LINKS, order))


def rings(length: int) -> Iterator[Ring]:
    """All of a length, each once. Two units cannot change places but by a convoy (DATC 6.C.4)."""
    return (Ring(word) for word in necklaces((False, True), length) if length > 2 or (length == 2 and any(word)))


def necklaces(letters: Sequence[T], length: int) -> Iterator[tuple[T, ...]]:
    """The words of a length over some letters in order, of those that are the same but for where they begin the first."""
    rank = range(len(letters))
    for word in product(rank, repeat=length):
        if length and all(word <= word[turn:] + word[:turn] for turn in range(1, length)):
            yield tuple(letters[place] for place in word)


_HIGHEST_ORDER = 6
"""Shapes of up to so many convoys are told by their names: of order 6 there are 7,826."""


@cache
def of_shape(shape: str) -> Paradox | Ring | None:
    """The core that has a shape of this name, if there is one of no more than six convoys, or twelve moves without."""
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
    """Whether a core on a board is one of these."""
    found = of_shape(core.shape)
    return found is not None and len(core.core.resolutions) == found.resolutions and same_graph(core.graph, found.graph)
