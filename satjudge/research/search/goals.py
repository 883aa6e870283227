"""What a search looks for: goals, read from text.

    goal  = goal "or" goal | goal "and" goal | "not" goal | "(" goal ")" | atom          ("and" binds tighter than "or")
    atom  = several-resolutions | no-resolution | paradox | core:SHAPE | differs:RULEBOOK,RULEBOOK
          | dislodged:PROVINCE | occupied:PROVINCE[=POWER] | verdict:"ORDER"=VERDICT

The first five speak of the board and its orders, the others of the outcome after the backup rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from satjudge.errors import InputError, NotationError
from satjudge.geography import Map, Power, ProvinceCode, province_of
from satjudge.notation import parse_order
from satjudge.notation.parse import parse_location, parse_power
from satjudge.orders import MovementOrder
from satjudge.rules import Rulebook, load_rulebook


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
    """A core has this shape (`satjudge.research.cores`)."""

    shape: str

    def __str__(self) -> str:
        return f"core:{self.shape}"


@dataclass(frozen=True)
class Differs:
    """Two rulebooks, under both of which all orders are legal, leave different positions, dislodged units included."""

    one: Rulebook
    other: Rulebook

    def __str__(self) -> str:
        return f"differs:{self.one.name},{self.other.name}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """The unit in the province is dislodged."""

    province: ProvinceCode

    def __str__(self) -> str:
        return f"dislodged:{self.province}"


@dataclass(frozen=True, slots=True)
class Occupied:
    """A unit, of that power if one is named, stands in the province after the moves."""

    province: ProvinceCode
    power: Power | None = None

    def __str__(self) -> str:
        return f"occupied:{self.province}" + (f"={self.power}" if self.power else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The order is given, and this becomes of it: `succeeds`, or `given, dislodged`."""

    order: MovementOrder
    verdict: str

    def __str__(self) -> str:
        return f'verdict:"{self.order}"={self.verdict}'


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


Structural: TypeAlias = Several | NoResolution | DifferingConvoys | CoreShape | Differs
OfOutcome: TypeAlias = Dislodged | Occupied | Verdict
Atom: TypeAlias = Structural | Paradox | OfOutcome
Goal: TypeAlias = Atom | Not | Both | Either

SIMPLE: dict[str, Goal] = {
    "several-resolutions": Several(),
    "no-resolution": NoResolution(),
    "paradox": Paradox(),
}
VERDICTS = ("stands", "succeeds", "fails", "invalid", "given", "cut", "available", "disrupted")
FATES = ("dislodged", "destroyed")

_TOKEN = re.compile(r"""\s*(?:(?P<bracket>[()])|(?P<word>(?:[^\s()"]|"[^"]*")+))""")
_SHAPE = re.compile(r"(?:\d+[CMS])+-\d+r-[0-9a-f]{8}")


def parse_goal(text: str, game_map: Map) -> Goal:
    """Read a goal. Raises `InputError` with the column of what cannot be read."""
    reader = _Reader(text, game_map)
    goal = reader.either()
    if reader.tokens:
        raise reader.error("an `and` or an `or`")
    return goal


class _Reader:
    """Tokens with the columns at which they stand, and the goals made of them."""

    def __init__(self, text: str, game_map: Map) -> None:
        self.map = game_map
        self.length = len(text)
        self.tokens: list[tuple[str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError("a quotation mark is not closed", source=f"goal {text!r}", column=position + 1)
            kind = match.lastgroup or ""
            self.tokens.append((match[kind], match.start(kind) + 1))
            position = match.end()
        self.text = text

    def error(self, expected: str) -> InputError:
        """What should stand where the next token does."""
        found, column = self.tokens[0] if self.tokens else ("the end", self.length + 1)
        return self.complaint(f"expected {expected}, found {found}", column)

    def complaint(self, message: str, column: int) -> InputError:
        """An error about some place in the goal."""
        atoms = ", ".join((*SIMPLE, *_WITH_ARGUMENT))
        return InputError(message, source=f"goal {self.text!r}", column=column, suggestion=f"goals are {atoms}")

    def take(self, word: str) -> bool:
        """Whether the next token is this word; it is then gone."""
        if self.tokens and self.tokens[0][0].casefold() == word:
            del self.tokens[0]
            return True
        return False

    def either(self) -> Goal:
        """Goals with `or` between them."""
        goal = self.both()
        while self.take("or"):
            goal = Either(goal, self.both())
        return goal

    def both(self) -> Goal:
        """Goals with `and` between them."""
        goal = self.single()
        while self.take("and"):
            goal = Both(goal, self.single())
        return goal

    def single(self) -> Goal:
        """One goal: negated, in parentheses, or an atom."""
        if self.take("not"):
            return Not(self.single())
        if self.take("("):
            goal = self.either()
            if not self.take(")"):
                raise self.error("a closing parenthesis")
            return goal
        if not self.tokens or self.tokens[0][0] == ")":
            raise self.error("a goal")
        return self.atom(*self.tokens.pop(0))

    def atom(self, word: str, column: int) -> Goal:
        """A goal without parts."""
        name, colon, argument = word.partition(":")
        if not colon and name.casefold() in SIMPLE:
            return SIMPLE[name.casefold()]
        read = _WITH_ARGUMENT.get(name.casefold())
        if read is None or not argument:
            raise self.complaint(f"there is no goal {word!r}", column)
        try:
            return read(argument, self.map)
        except InputError as error:
            error.column = None
            raise error.at(source=f"goal {self.text!r}, {word}") from None


def _core(argument: str, game_map: Map) -> Goal:
    if not _SHAPE.fullmatch(argument):
        raise InputError(f"{argument!r} is no shape of a core", suggestion="shapes are named like 1C1M1S-2r-21451013")
    return CoreShape(argument)


def _differs(argument: str, game_map: Map) -> Goal:
    one, comma, other = argument.partition(",")
    if not comma:
        raise InputError("two rulebooks are needed", suggestion="write differs:1982,datc-3")
    return Differs(load_rulebook(one), load_rulebook(other))


def _dislodged(argument: str, game_map: Map) -> Goal:
    return Dislodged(province_of(parse_location(argument, game_map)))


def _occupied(argument: str, game_map: Map) -> Goal:
    place, equals, power = argument.partition("=")
    province = province_of(parse_location(place, game_map))
    return Occupied(province, parse_power(power, game_map) if equals else None)


def _verdict(argument: str, game_map: Map) -> Goal:
    match = re.fullmatch(r'"([^"]*)"=(.+)', argument)
    if match is None:
        raise InputError("an order and its verdict are needed", suggestion='write verdict:"F WAL - ENG"=succeeds')
    order = parse_order(match[1], game_map)
    words = [word.strip() for word in match[2].strip('"').split(",")]
    if not isinstance(order, MovementOrder) or not _is_verdict(words):
        raise NotationError(f"{match[2]} is no verdict of {order}", suggestion=f"verdicts are {', '.join((*VERDICTS, *FATES))}")
    return Verdict(order, ", ".join(words))


def _is_verdict(words: list[str]) -> bool:
    fates = words[1:] if words[0] in VERDICTS else words
    return len(fates) <= 1 and all(fate in FATES for fate in fates)


_WITH_ARGUMENT: dict[str, Callable[[str, Map], Goal]] = {
    "core": _core,
    "differs": _differs,
    "dislodged": _dislodged,
    "occupied": _occupied,
    "verdict": _verdict,
}


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
