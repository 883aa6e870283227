"""Makes shapes of cores from their names, as docs/papers/cores.md lists them, with which decision looks at which.

A core is a ring of links, each with a convoy and a letter, or a ring of moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.shapes import digest

Node: TypeAlias = str
"""A decision of a core, such as `convoy 0` of the first link."""

CONVOY, MOVE, CONVOYED_MOVE, MOVE_SUPPORT, HOLD_SUPPORT = "convoy", "move", "convoyed move", "move support", "hold support"

_LETTERS = {"C": (CONVOY,), "M": (MOVE, CONVOYED_MOVE), "S": (MOVE_SUPPORT, HOLD_SUPPORT)}
"""The kinds of decisions that each letter of a name counts."""

LONGEST = 7
"""The number of moves, or links, of the longest ring that is known by its name."""

_NAME = re.compile(r"(?:([0-9]{1,3})C)?([0-9]{1,3})M(?:[0-9]{1,3}S)?-([02])r-[0-9a-f]{8}")


@dataclass(frozen=True)
class CoreShape:
    """The kinds of decisions in a core, and the signs of looking at others: `+` if one holds rather where the other holds."""

    kinds: Mapping[Node, str]
    signs: Mapping[tuple[Node, Node], str]

    def name(self, resolutions: int) -> str:
        """Return the name, as the shape of a core with so many resolutions."""
        counts = ((letter, sum(map(kinds.__contains__, self.kinds.values()))) for letter, kinds in _LETTERS.items())
        return f"{''.join(f'{count}{letter}' for letter, count in counts if count)}-{resolutions}r-{self.digest}"

    @property
    def digest(self) -> str:
        """The digits of the name."""
        looks_at: dict[Node, dict[Node, str]] = {}
        for (one, other), sign in self.signs.items():
            looks_at.setdefault(one, {})[other] = sign
        return digest(self.kinds, looks_at)


def ring_of_moves(by_convoy: Sequence[bool]) -> CoreShape:
    """Make the ring in which each move goes where the next one comes from."""
    moves = [f"move {place}" for place in range(len(by_convoy))]
    kinds = {move: CONVOYED_MOVE if convoyed else MOVE for move, convoyed in zip(moves, by_convoy, strict=True)}
    return CoreShape(kinds, dict.fromkeys(zip(moves, [*moves[1:], moves[0]], strict=True), "+"))


def ring_of_links(word: str) -> CoreShape:
    """Make a ring of links, from a word with a letter for each.

    A convoy is stopped by the move that attacks its fleet. This looks at the support of the unit where the army of the link
    before lands, which is cut where that one's convoy holds; a capital says that the army may dislodge that unit as well.
    """
    kinds: dict[Node, str] = {}
    signs: dict[tuple[Node, Node], str] = {}
    for place, letter in enumerate(word):
        convoy, support, army = (f"{what} {place}" for what in ("convoy", "support", "army"))
        attack, following = f"attack {(place + 1) % len(word)}", f"convoy {(place + 1) % len(word)}"
        kinds |= {convoy: CONVOY, support: HOLD_SUPPORT if letter in "hH" else MOVE_SUPPORT, attack: MOVE}
        signs |= {(support, convoy): "-", (attack, support): "+" if letter in "aA" else "-", (following, attack): "-"}
        if letter.isupper():
            kinds[army] = CONVOYED_MOVE
            signs |= {(support, army): "-", (army, convoy): "+"}
    return CoreShape(kinds, signs)


@cache
def shape_of(name: str) -> CoreShape:
    """Find the shape with a name.

    Raises `InputError` if docs/papers/cores.md has none with that name.
    """
    found = _NAME.fullmatch(name)
    if found:
        convoys, moves, resolutions = (int(number or 0) for number in found.groups())
        for shape in _rings(convoys, moves, resolutions) if max(convoys, moves - convoys) <= LONGEST else ():
            if name == shape.name(resolutions):
                return shape
    raise InputError(
        f"certificates do not know the core {name}", suggestion="they know the rings of docs/papers/cores.md, by their names"
    )


def _rings(convoys: int, moves: int, resolutions: int) -> Iterator[CoreShape]:
    """List the rings with so many convoys, moves and resolutions, each beginning where its word is first in the alphabet."""
    if not convoys:
        if resolutions == 2:
            yield from (ring_of_moves([letter == "c" for letter in word]) for word in _words("cm", moves))
        return
    for word in _words("AHRahr", convoys):
        dislodging, changes = sum(map(str.isupper, word)), sum(letter not in "aA" for letter in word)
        if (moves, resolutions) == (convoys + dislodging, 0 if changes % 2 else 2):
            yield ring_of_links(word)


def _words(letters: str, length: int) -> Iterator[str]:
    """List words of so many letters, of rotations of one word the first in the alphabet."""
    for word in map("".join, product(letters, repeat=length)):
        if word == min(word[place:] + word[:place] for place in range(length)):
            yield word
