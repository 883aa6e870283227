"""Defines the results of engines: all consistent resolutions of a board, and the one that is left after backup rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice, product
from math import prod

from msgspec import Struct

from satjudge.base.errors import UnresolvedError
from satjudge.base.values import Displayable, one_line, replace
from satjudge.base.words import number_of
from satjudge.judging.backup import CIRCULAR, Ruling, rule_on
from satjudge.judging.equations.logic import find_violated
from satjudge.judging.equations.situation import Decision, MoveDecision, Situation
from satjudge.world.rules import Rulebook

Assignment = tuple[bool, ...]
"""One value for each decision of a situation, by index."""


class Limits(Struct, frozen=True):
    """The maximum number of resolutions to look for, and the maximum time in seconds.

    A result that stops at a limit is marked as incomplete.
    """

    count: int = 100_000
    seconds: float | None = None


class CoreKind(StrEnum):
    """A kind of core."""

    CIRCULAR_MOVEMENT = "circular movement"
    NO_RESOLUTION = "paradox without a resolution"
    SEVERAL_RESOLUTIONS = "paradox with several resolutions"
    ONE_RESOLUTION = "cyclic dependency with one resolution"


class Core(Struct, frozen=True):
    """Decisions that depend on each other and on nothing else, with their joint resolutions and ruling.

    `resolutions` contains one tuple per resolution, with the values in the order of `decisions`. If there is exactly one
    resolution, there is no ruling.
    """

    decisions: tuple[Decision, ...]
    resolutions: tuple[Assignment, ...]
    ruling: Ruling | None

    def __repr__(self) -> str:
        decisions = ", ".join(map(str, self.decisions))
        return one_line("Core", self.kind, decisions, f"settled by {self.ruling.rule}" if self.ruling else "")

    @property
    def kind(self) -> CoreKind:
        """The kind of core (DATC 5.B.9): a circular movement, or with one, no or several resolutions."""
        if len(self.resolutions) == 1:
            return CoreKind.ONE_RESOLUTION
        ring = self.ruling is not None and self.ruling.rule == CIRCULAR  # which may include a train (DATC 2.4, 7.B.17)
        if ring or all(isinstance(decision, MoveDecision) for decision in self.decisions):
            return CoreKind.CIRCULAR_MOVEMENT
        return CoreKind.SEVERAL_RESOLUTIONS if self.resolutions else CoreKind.NO_RESOLUTION

    @property
    def settled_values(self) -> dict[int, bool]:
        """The values, by index of the decision, of the core's one resolution, or those that the ruling settled."""
        if self.ruling is not None:
            return self.ruling.settled
        return {decision.index: value for decision, value in zip(self.decisions, self.resolutions[0], strict=True)}


def settle_core(
    decisions: Sequence[Decision],
    resolutions: Sequence[Assignment],
    rulebook: Rulebook,
    values: Sequence[bool | None] = (),
) -> Core:
    """Return the core, with a backup rule's ruling unless it has exactly one resolution; an error gets it and `values`.

    Raises `UnresolvedError`, with the core and the values settled before it, if the rulebook has no rule for it.
    """
    core = Core(tuple(decisions), tuple(resolutions), None)
    if len(resolutions) == 1:
        return core
    try:
        return replace(core, ruling=rule_on(decisions, resolutions, rulebook))
    except UnresolvedError as error:
        error.core, error.values = core, tuple(values)
        raise


class Component(Struct, frozen=True):
    """Decisions that depend on each other, and every joint assignment of them that satisfies their equations."""

    indices: tuple[int, ...]
    assignments: Sequence[Assignment]
    complete: bool = True

    def __repr__(self) -> str:
        found = number_of(len(self.assignments), "assignment")
        return one_line("Component", number_of(len(self.indices), "decision"), found, "" if self.complete else "incomplete")

    def require_all(self) -> Sequence[Assignment]:
        """Return the assignments if the search was complete; else raise `UnresolvedError`, since backup rules need all."""
        if not self.complete:
            raise UnresolvedError(f"a core has more than {len(self.assignments):,} resolutions, and not all were found")
        return self.assignments


class Resolutions(Displayable, Struct, frozen=True, eq=False):
    """All consistent resolutions of a situation before any backup rule, as a lazy collection.

    Iterating is lazy and in a stable order. `count` multiplies the counts of independent components and does not list the
    resolutions. A resolution assigns a value to every decision. If `complete` is false, there may be others.
    """

    situation: Situation
    settled: Sequence[bool | None]
    """The value of each decision that is the same in all resolutions; None for decisions in a component."""
    components: Sequence[Component] = ()
    cores: tuple[Core, ...] = ()
    """The cores in the order in which they were settled; some arise only after others."""
    mentions: Mapping[int, set[int]] = {}
    """For each open decision, by index, those that its equation mentions; empty if the engine did not compute them."""

    def __repr__(self) -> str:
        decisions = number_of(len(self.situation.decisions), "decision")
        found = f"{self.count:,}" if self.complete else f"at least {self.count:,}"
        return one_line("Resolutions", found, decisions, self.situation.rulebook.name)

    @property
    def complete(self) -> bool:
        """True if no resolution was left out.

        This also holds if one component has no assignment at all, since there is then no resolution.
        """
        none = any(part.complete and not part.assignments for part in self.components)
        return none or all(part.complete for part in self.components)

    @property
    def count(self) -> int:
        """The number of resolutions found, which is exact if `complete`."""
        return prod(len(part.assignments) for part in self.components)

    def __len__(self) -> int:
        return self.count

    def __bool__(self) -> bool:
        return self.count > 0

    def __iter__(self) -> Iterator[Assignment]:
        return map(self._join_components, product(*(part.assignments for part in self.components)))

    def _join_components(self, choice: Sequence[Assignment]) -> Assignment:
        """Return the resolution that consists of the settled values and the chosen assignment of each component."""
        values = list(self.settled)
        for part, assignment in zip(self.components, choice, strict=True):
            for index, value in zip(part.indices, assignment, strict=True):
                values[index] = value
        return tuple(bool(value) for value in values)

    def pick(self, position: int) -> Assignment:
        """Return the resolution at a position in the order of iteration, counted from 0; raises `IndexError`.

        The resolutions before it are not computed.
        """
        if not 0 <= position < self.count:
            raise IndexError(position)
        choice: list[Assignment] = []
        for part in reversed(self.components):  # the last component changes fastest
            position, index = divmod(position, len(part.assignments))
            choice.insert(0, part.assignments[index])
        return self._join_components(choice)

    def __contains__(self, values: object) -> bool:
        if not isinstance(values, Sequence) or len(values) != len(self.settled):
            return False
        return not find_violated(self.situation, values)

    def find_with_value(self, index: int, *, value: bool) -> Assignment | None:
        """Return the first resolution in which the decision with this index has this value, or None."""
        narrowed = []
        for part in self.components:
            place = part.indices.index(index) if index in part.indices else None
            chosen = [found for found in part.assignments if place is None or found[place] is value]
            narrowed.append(replace(part, assignments=chosen))
        settled = self.settled[index]
        return None if settled is not None and settled is not value else next(iter(replace(self, components=narrowed)), None)

    def list_first(self, count: int) -> list[Assignment]:
        """Return the first `count` resolutions, or all if there are fewer."""
        return list(islice(self, count))


class Adjudication(Struct, frozen=True):
    """The decisions of a board with orders: their values after backup rules, and the cores that were settled."""

    situation: Situation
    values: Assignment
    cores: tuple[Core, ...]
    """The cores in the order in which they were settled."""
    resolutions: Resolutions

    def __repr__(self) -> str:
        decisions = number_of(len(self.values), "decision")
        ruled = ", ".join(f"backup rule {ruling.rule}" for ruling in self.rulings)
        return one_line("Adjudication", self.situation.rulebook.name, decisions, ruled)

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The backup rules that were applied."""
        return tuple(core.ruling for core in self.cores if core.ruling is not None)

    @property
    def overridden(self) -> frozenset[int]:
        """The indices of the decisions that a ruling settled in place of their equations."""
        return frozenset(index for ruling in self.rulings for index in ruling.settled)
