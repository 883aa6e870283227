"""What a search looks for. Goals are read from text by `satjudge.research.search.reading`.

The first six kinds of goals speak of a board with orders, three more of the outcome after the backup rules; the last three
join others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.errors import InputError
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
    """Two rulebooks leave different positions, dislodged units included.

    Each decides by itself which orders are legal, and what becomes of those that are not. `legal`: all orders are legal
    under both.
    """

    one: Rulebook
    other: Rulebook
    legal: bool = False
    names: tuple[str, ...] = field(default=(), compare=False)
    """What they were called when they were asked for; a file of the user's own by its path."""

    def __str__(self) -> str:
        return f"differs{'-legal' * self.legal}:{self.one.name},{self.other.name}"


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


def rulebooks_in(goal: Goal, rulebook: Rulebook) -> tuple[Rulebook, ...]:
    """The rulebooks that it speaks of: those that it compares, and `rulebook` before them if it asks for anything else."""
    found: dict[Rulebook, None] = {}
    for atom in sorted(atoms(goal), key=lambda atom: isinstance(atom, Differs)):
        found |= dict.fromkeys((atom.one, atom.other) if isinstance(atom, Differs) else (rulebook,))
    return tuple(found)


def powers_named(goal: Goal) -> frozenset[Power]:
    """The powers that it speaks of."""
    return frozenset(atom.power for atom in atoms(goal) if isinstance(atom, Occupied) and atom.power)


Part: TypeAlias = "Atom | Not | Both | Either"
Case: TypeAlias = tuple[Part, ...]
"""Goals that are all to hold: atoms, negated atoms, and choices that speak of nothing but the outcome."""

MOST_CASES = 256
"""Each is a question to the solver, or two."""


def cases(goal: Goal) -> tuple[Case, ...]:
    """The goal as a choice of cases: it holds if one of them does.

    What speaks of the outcome alone is one part of a case, as it can be asked as it stands. Of two cases one of which says
    all that the other does, and more, only the other is left. Raises `InputError` for more cases than can be asked.
    """
    return tuple(tuple(case) for case in _cases(_plain(goal)))


def _plain(goal: Goal) -> Goal:
    """The same with `not` before atoms only, and no `paradox`, which is a choice."""
    match goal:
        case Both(one, other):
            return Both(_plain(one), _plain(other))
        case Either(one, other):
            return Either(_plain(one), _plain(other))
        case Paradox():
            return Either(DifferingConvoys(), NoResolution())
        case Not(Not(inner)):
            return _plain(inner)
        case Not(Paradox()):
            return Both(Not(DifferingConvoys()), Not(NoResolution()))
        case Not(Both(one, other)):
            return Either(_plain(Not(one)), _plain(Not(other)))
        case Not(Either(one, other)):
            return Both(_plain(Not(one)), _plain(Not(other)))
    return goal


_Parts: TypeAlias = dict[Part, None]
"""The parts of a case, in order."""


def _cases(goal: Goal) -> list[_Parts]:
    match goal:
        case Both(one, other):
            firsts, seconds = _cases(one), _cases(other)
            return _least([first | second for first in firsts for second in seconds])
        case Either(one, other) if not all(isinstance(atom, OfOutcome) for atom in atoms(goal)):
            return _least([*_cases(one), *_cases(other)])
    return [{goal: None}]


def _least(found: list[_Parts]) -> list[_Parts]:
    """The cases that do not say all that another one does. Raises `InputError` if too many are left."""
    left: list[_Parts] = []
    for case in sorted(found, key=len):
        if len(left) <= MOST_CASES and not any(other.keys() <= case.keys() for other in left):
            left.append(case)
    if len(left) > MOST_CASES:
        raise InputError(
            f"the goal is a choice of more than {MOST_CASES} cases",
            suggestion="ask for a part of it; goals about the outcome (dislodged, occupied, verdict) may be joined at will",
        )
    return [case for case in found if any(case is other for other in left)]
