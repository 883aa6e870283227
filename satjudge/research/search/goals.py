"""What a search looks for. Goals are read from text by `satjudge.research.search.reading`.

The first six kinds of goals speak of a board with orders, three more of the outcome after the backup rules; the last three
join others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.geography import Location, Power, ProvinceCode, province_of
from satjudge.orders import MovementOrder
from satjudge.rules import Rulebook


@dataclass(frozen=True, slots=True)
class Several:
    """The board has at least two consistent resolutions."""

    def __str__(self) -> str:
        return "several-resolutions"


@dataclass(frozen=True, slots=True)
class NoResolution:
    """The board has no consistent resolution."""

    def __str__(self) -> str:
        return "no-resolution"


@dataclass(frozen=True, slots=True)
class DifferingConvoys:
    """The board has two consistent resolutions that differ about a convoy that some move is ordered to take."""

    def __str__(self) -> str:
        return "differing-convoys"


@dataclass(frozen=True, slots=True)
class Paradox:
    """The board has no consistent resolution, or two that differ about a convoy that some move is ordered to take."""

    def __str__(self) -> str:
        return "paradox"


@dataclass(frozen=True, slots=True)
class CoreShape:
    """A core has this shape (`satjudge.research.cores`), and all that the core leaves open is open on the board.

    Each of its resolutions is part of one of the board's; with none the board has none.
    """

    shape: str

    def __str__(self) -> str:
        return f"core:{self.shape}"


@dataclass(frozen=True)
class Differs:
    """Two rulebooks, under both of which all orders are legal, leave different positions, dislodged units included."""

    one: Rulebook
    other: Rulebook
    names: tuple[str, ...] = field(default=(), compare=False)
    """What they were called when they were asked for; a file of the user's own by its path."""

    def __str__(self) -> str:
        return f"differs:{self.one.name},{self.other.name}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """The unit in the province is dislodged; where a coast is named, a fleet on that coast."""

    place: Location

    def __str__(self) -> str:
        return f"dislodged:{self.place}"

    @property
    def province(self) -> ProvinceCode:
        """The province, whatever the coast."""
        return province_of(self.place)


@dataclass(frozen=True, slots=True)
class Occupied:
    """A unit, of that power if one is named, stands in the province after the moves; on that coast if one is named."""

    place: Location
    power: Power | None = None

    def __str__(self) -> str:
        return f"occupied:{self.place}" + (f"={self.power}" if self.power else "")

    @property
    def province(self) -> ProvinceCode:
        """The province, whatever the coast."""
        return province_of(self.place)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The order is given, and this becomes of it: `fails`, `dislodged`, or both, `fails, dislodged`."""

    order: MovementOrder
    verdict: str

    def __str__(self) -> str:
        verdict = f'"{self.verdict}"' if " " in self.verdict else self.verdict
        return f'verdict:"{self.order}"={verdict}'


@dataclass(frozen=True, slots=True)
class Not:
    """The goal does not hold."""

    goal: Goal

    def __str__(self) -> str:
        return f"not {self.goal}"


@dataclass(frozen=True, slots=True)
class Both:
    """Both goals hold."""

    one: Goal
    other: Goal

    def __str__(self) -> str:
        return f"({self.one} and {self.other})"


@dataclass(frozen=True, slots=True)
class Either:
    """One of the goals holds, or both."""

    one: Goal
    other: Goal

    def __str__(self) -> str:
        return f"({self.one} or {self.other})"


def fits(place: Location, location: Location) -> bool:
    """Whether what is at a location is at the place: on that coast if the place is one, else anywhere in the province."""
    return place in (location, province_of(location))


Structural: TypeAlias = Several | NoResolution | DifferingConvoys | CoreShape | Differs
OfOutcome: TypeAlias = Dislodged | Occupied | Verdict
Atom: TypeAlias = Structural | Paradox | OfOutcome
Goal: TypeAlias = Atom | Not | Both | Either

FATES = ("dislodged", "destroyed")
"""What may become of the unit, whatever becomes of its order."""


# The forms that a search needs.


def atoms(goal: Goal) -> Iterator[Atom]:
    """The goals without parts that it is made of."""
    match goal:
        case Both(one, other) | Either(one, other):
            yield from atoms(one)
            yield from atoms(other)
        case Not(inner):
            yield from atoms(inner)
        case _:
            yield goal


def powers_named(goal: Goal) -> frozenset[Power]:
    """The powers that it speaks of."""
    return frozenset(atom.power for atom in atoms(goal) if isinstance(atom, Occupied) and atom.power)


Case: TypeAlias = tuple["Atom | Not", ...]
"""Atoms and negated atoms that are all to hold."""


def cases(goal: Goal) -> Iterator[Case]:
    """The goal as a choice of cases: it holds if one of them does."""
    match goal:
        case Either(one, other):
            yield from cases(one)
            yield from cases(other)
        case Both(one, other):
            for first in cases(one):
                yield from (tuple(dict.fromkeys((*first, *second))) for second in cases(other))
        case Paradox():
            yield from ((DifferingConvoys(),), (NoResolution(),))
        case Not(Paradox()):
            yield Not(DifferingConvoys()), Not(NoResolution())
        case Not(Both(one, other)):
            yield from cases(Either(Not(one), Not(other)))
        case Not(Either(one, other)):
            yield from cases(Both(Not(one), Not(other)))
        case Not(Not(inner)):
            yield from cases(inner)
        case Not():
            yield (goal,)
        case _:
            yield (goal,)
