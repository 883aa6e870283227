"""What the engines hand back: every consistent resolution of a board, and the one that the backup rules leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod

from satjudge.backup import Ruling
from satjudge.equations.evaluate import violated
from satjudge.equations.situation import Situation

Assignment = tuple[bool, ...]
"""One value for each decision of a situation, by index."""


@dataclass(frozen=True, slots=True)
class Component:
    """Decisions that hang together, and every joint assignment of them that satisfies their equations."""

    indices: tuple[int, ...]
    assignments: Sequence[Assignment]
    complete: bool = True


@dataclass(frozen=True)
class Resolutions:
    """All consistent resolutions of a situation before any backup rule, as a view.

    Iterating is lazy and in a stable order; `count` multiplies over independent components and so never lists them. A
    resolution is an assignment of all decisions. If `complete` is false there may be more than were found.
    """

    situation: Situation
    settled: Sequence[bool | None]
    """The decisions that have one value in all of them; None for those in a component."""
    components: Sequence[Component] = field(default_factory=tuple)

    @property
    def complete(self) -> bool:
        """Whether the search was exhausted. One exhausted component without an assignment settles it for all."""
        none = any(part.complete and not part.assignments for part in self.components)
        return none or all(part.complete for part in self.components)

    @property
    def count(self) -> int:
        """How many there are, exactly if `complete`."""
        return prod(len(part.assignments) for part in self.components)

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return self.count > 0

    def __iter__(self) -> Iterator[Assignment]:
        for choice in product(*(part.assignments for part in self.components)):
            values = list(self.settled)
            for part, assignment in zip(self.components, choice, strict=True):
                for index, value in zip(part.indices, assignment, strict=True):
                    values[index] = value
            yield tuple(bool(value) for value in values)

    def __contains__(self, values: object) -> bool:
        if not isinstance(values, Sequence) or len(values) != len(self.settled):
            return False
        return not violated(self.situation, values)

    def first(self, count: int) -> list[Assignment]:
        """Up to `count` of them."""
        return list(islice(self, count))


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The decisions of a board with orders: their values after the backup rules, and how these came about."""

    situation: Situation
    values: Assignment
    rulings: tuple[Ruling, ...]
    resolutions: Resolutions

    @property
    def overridden(self) -> frozenset[int]:
        """The decisions that a ruling settled in place of their equations."""
        return frozenset(index for ruling in self.rulings for index in ruling.settled)
