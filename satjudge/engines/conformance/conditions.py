"""Says in which cases a fault applies, by circumstances of the units, orders and places that a rule is about.

A circumstance is a clause such as `the moving unit is convoyed`. A fault with some is written `FAULT, if ONE and OTHER`, and
applies where all of them are true. What is true is read off the values that a function of the rules is given: whichever
function a fault breaks, its circumstances are in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from satjudge.engines.conformance.circumstances import Scene, find_circumstances, make_scene
from satjudge.world.board import Board
from satjudge.world.geography import Power

IF, AND = ", if ", " and "
Condition = tuple[str, ...]
"""Circumstances that must all be true, sorted; none if a fault applies always."""


def split_fault(name: str) -> tuple[str, Condition]:
    """Split the name of a fault into the name of the broken rule and the circumstances in which it is broken."""
    base, _, condition = name.partition(IF)
    return base, tuple(sorted(condition.split(AND))) if condition else ()


def name_conditional_fault(base: str, condition: Iterable[str]) -> str:
    """Name a fault that applies only in some circumstances."""
    told = AND.join(sorted(condition))
    return f"{base}{IF}{told}" if told else base


WHEN, APPLIES = "when", "_applies"
"""The name by which an edit asks for conditions itself, `when(m, s)`, and that by which changed modules do."""


def is_conditional(fault: str) -> bool:
    """Return whether a fault applies only in some circumstances."""
    return IF in fault


ALWAYS, NEVER = 1, 2
"""The bits of what is true at every use of a rule, and at none."""
_BITS: dict[str, int] = {"": ALWAYS, "nowhere": NEVER}
"""The bit of each circumstance that was met so far."""


def make_mask(circumstances: Iterable[str]) -> int:
    """Return a number with the bits of some circumstances."""
    mask = 0
    for one in circumstances:
        mask |= _BITS.get(one) or _BITS.setdefault(one, 1 << len(_BITS))
    return mask


@lru_cache(maxsize=100_000)
def list_circumstances(mask: int) -> tuple[str, ...]:
    """List the circumstances whose bits are set in a number."""
    return tuple([one for one, bit in _BITS.items() if mask & bit & ~ALWAYS])


class JudgedBoard(NamedTuple):
    """A board that is judged, with the circumstances found so far for values of the rules, by their identities."""

    scene: Scene
    seen: dict[tuple[int, ...], tuple[int, tuple[object, ...]]]


class Circumstances:
    """Decides at each use of a broken rule whether its fault applies, on the board that is being judged.

    Circumstances are bits of a number, so that a use and a condition are compared at once (`mask_of`).
    """

    def __init__(self, conditions: Mapping[int, Sequence[Condition]] = MappingProxyType({})) -> None:
        self._judging: JudgedBoard | None = None
        self.uses: dict[int, set[int]] = {}
        """What is true at each use of a fault with a condition so far, by the number of the fault."""
        self.set_conditions({number: [make_mask(one) for one in several] for number, several in conditions.items()})

    def set_conditions(self, conditions: Mapping[int, Sequence[int]]) -> None:
        """Set which faults apply, by number, each under any of some conditions; without a condition always."""
        self.conditions = conditions
        self.are_limited = any(one for several in conditions.values() for one in several)

    def begin_board(self, board: Board, orders: Mapping[Power, Sequence[Any]]) -> None:
        """Begin with another board and its orders."""
        self.resume_board(JudgedBoard(make_scene(board, orders), {}))

    def resume_board(self, judging: JudgedBoard) -> None:
        """Return to a board for which the circumstances of some values are known."""
        self._judging = judging
        self.uses.clear()

    def are_true(self, number: int | None, *values: object) -> bool:
        """Return whether the circumstances of a fault, if it has any, are true of a function's arguments."""
        conditions = self.conditions.get(number) if number is not None else None
        if number is None or not conditions:
            return True
        found = self.find_mask(values)
        self.uses.setdefault(number, set()).add(found)
        return any(found & condition == condition for condition in conditions)

    def find_mask(self, values: tuple[object, ...]) -> int:
        """Return the bits of all circumstances that are true of some values; they are cached with the values.

        Of a power's account of builds and removals they are read each time.
        """
        if self._judging is None:
            return 0
        scene, seen = self._judging
        if any(type(value).__name__ == "_Account" for value in values):  # what a power has built and removed grows
            return make_mask(find_circumstances(values, scene)) | ALWAYS
        key = tuple(map(id, values))
        found = seen.get(key)
        if found is None:
            found = seen[key] = make_mask(find_circumstances(values, scene)) | ALWAYS, values
        return found[0]
