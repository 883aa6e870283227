"""Goals of a search, read from text.

    goal  = goal "or" goal | goal "and" goal | "not" goal | "(" goal ")" | atom
    atom  = several-resolutions | no-resolution | paradox | core:SHAPE | differs:RULEBOOK,RULEBOOK
          | differs-legal:RULEBOOK,RULEBOOK | dislodged:PROVINCE | occupied:PROVINCE[=POWER] | verdict:"ORDER"=VERDICT

"and" binds tighter than "or". Quotation marks may be single, and there may be blanks around an equals sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from satjudge.errors import InputError, NotationError
from satjudge.geography import Location, Map, UnitKind, province_of
from satjudge.notation import parse_order
from satjudge.notation.parse import parse_location, parse_power
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.research.search.goals import (
    FATES,
    Both,
    CoreShape,
    Differs,
    Dislodged,
    Either,
    Goal,
    NoResolution,
    Not,
    Occupied,
    Paradox,
    Several,
    Verdict,
)
from satjudge.rules import load_rulebook

SIMPLE: dict[str, Goal] = {
    "several-resolutions": Several(),
    "no-resolution": NoResolution(),
    "paradox": Paradox(),
}
VERDICTS: dict[type[MovementOrder], tuple[str, ...]] = {
    Hold: ("stands",),
    Move: ("succeeds", "fails", "invalid"),
    SupportHold: ("given", "cut", "invalid"),
    SupportMove: ("given", "cut", "invalid"),
    Convoy: ("available", "disrupted", "invalid"),
}
"""What may become of a legal order."""

DEEPEST = 50
"""Parentheses and `not` within each other."""
_QUOTED = r""""[^"]*"|'[^']*'"""
_TOKEN = re.compile(rf"""\s*(?:(?P<bracket>[()])|(?P<word>(?:[^\s()"'=]|{_QUOTED}|(?:(?<!\s)\s+)?=\s*)+))""")
_QUOTED_OR_EQUALS = re.compile(rf"({_QUOTED})|(?<!\s)\s*=\s*")
_SHAPE = re.compile(r"(?:\d+[CMS])+-\d+r-[0-9a-f]{8}")


def parse_goal(text: str, game_map: Map) -> Goal:
    """Read a goal. Raises `InputError` with the column of what cannot be read."""
    return GoalReader(text, game_map).whole()


class GoalReader:
    """Tokens with the columns at which they stand, and the goals made of them."""

    def __init__(self, text: str, game_map: Map) -> None:
        self.map = game_map
        self.text = text
        self.depth = 0
        self.tokens: list[tuple[str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError("a quotation mark is not closed", source=f"goal {text!r}", column=position + 1)
            kind = match.lastgroup or ""
            self.tokens.append((match[kind], match.start(kind) + 1))
            position = match.end()

    def error(self, expected: str) -> InputError:
        """What should stand where the next token does."""
        found, column = self.tokens[0] if self.tokens else ("the end", len(self.text) + 1)
        return self.complaint(f"expected {expected}, found {found}", column)

    def complaint(self, message: str, column: int, suggestion: str | None = None) -> InputError:
        """An error about some place in the goal."""
        known = f"goals are {', '.join(self.forms().values())}"
        return InputError(message, source=f"goal {self.text!r}", column=column, suggestion=suggestion or known)

    def forms(self) -> dict[str, str]:
        """The goals without parts that there are, and how each is written."""
        return {name: name for name in SIMPLE} | _FORMS

    def nearest(self, name: str, argument: str) -> str | None:
        """The goal that was perhaps meant."""
        forms = self.forms()
        close = get_close_matches(name, forms, 1)
        if not close:
            return None
        return f"did you mean {f'{close[0]}:{argument}' if argument and ':' in forms[close[0]] else forms[close[0]]}?"

    def take(self, word: str) -> bool:
        """Whether the next token is this word; it is then gone."""
        if self.tokens and self.tokens[0][0].casefold() == word:
            del self.tokens[0]
            return True
        return False

    def whole(self) -> Goal:
        """The goal, with nothing behind it."""
        goal = self.either()
        if self.tokens:
            raise self.error("an `and` or an `or`")
        return goal

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
            return Not(self.deeper(self.single))
        if self.take("("):
            goal = self.deeper(self.either)
            if not self.take(")"):
                raise self.error("a closing parenthesis")
            return goal
        if not self.tokens or self.tokens[0][0].casefold() in (")", "and", "or"):
            raise self.error("a goal")
        return self.atom(*self.tokens.pop(0))

    def deeper(self, read: Callable[[], Goal]) -> Goal:
        """A goal within a `not` or parentheses."""
        if self.depth == DEEPEST:
            column = self.tokens[0][1] if self.tokens else len(self.text) + 1
            raise self.complaint(f"more than {DEEPEST} parentheses or `not` are open", column, "write it with fewer of them")
        self.depth += 1
        goal = read()
        self.depth -= 1
        return goal

    def atom(self, word: str, column: int) -> Goal:
        """A goal without parts."""
        name, colon, argument = _plain(word).partition(":")
        if not colon and name.casefold() in SIMPLE:
            return SIMPLE[name.casefold()]
        read = _WITH_ARGUMENT.get(name.casefold())
        if read is None or not argument:
            raise self.complaint(f"there is no goal {word!r}", column, self.nearest(name.casefold(), argument))
        try:
            return read(argument, self.map)
        except InputError as error:
            error.column = None
            raise error.at(source=f"goal {self.text!r}, {word}") from None


def _plain(word: str) -> str:
    """A word with double quotation marks, and no blanks around an equals sign."""
    return _QUOTED_OR_EQUALS.sub(lambda found: f'"{found[1][1:-1]}"' if found[1] else "=", word)


def _core(argument: str, game_map: Map) -> Goal:
    if not _SHAPE.fullmatch(argument):
        raise InputError(f"{argument!r} is no shape of a core", suggestion="shapes are named like 1C1M1S-2r-21451013")
    return CoreShape(argument)


def _differs(argument: str, game_map: Map) -> Differs:
    one, comma, other = argument.partition(",")
    if not comma:
        raise InputError("two rulebooks are needed", suggestion="write differs:1982,datc-3")
    return Differs(load_rulebook(one), load_rulebook(other), names=(one, other))


def _differs_legal(argument: str, game_map: Map) -> Goal:
    return replace(_differs(argument, game_map), legal=True)


def existing(location: Location, game_map: Map) -> Location:
    """The location, if it is on the map. Raises `InputError` for a coast that there is not."""
    if location not in game_map.locations:
        province = province_of(location)
        coasts = sorted(one for one in game_map.locations if province_of(one) == province and one != province)
        raise InputError(f"there is no {location}", suggestion=f"write {' or '.join((province, *coasts))}", column=1)
    return location


def _dislodged(argument: str, game_map: Map) -> Goal:
    return Dislodged(existing(parse_location(argument, game_map), game_map))


def _occupied(argument: str, game_map: Map) -> Goal:
    place, equals, power = argument.partition("=")
    return Occupied(existing(parse_location(place, game_map), game_map), parse_power(power, game_map) if equals else None)


def _verdict(argument: str, game_map: Map) -> Goal:
    match = re.fullmatch(r'"([^"]*)"=(.+)', argument)
    if match is None:
        raise InputError("an order and its verdict are needed", suggestion='write verdict:"F WAL - ENG"=succeeds')
    order = parse_order(match[1], game_map)
    words = [word.strip() for word in match[2].strip('"').split(",")]
    known = VERDICTS.get(type(order), ()) if isinstance(order, MovementOrder) else ()
    if not isinstance(order, MovementOrder) or not _is_verdict(words, known):
        raise NotationError(f"{match[2]} is no verdict of {order}", suggestion=f"verdicts are {', '.join((*known, *FATES))}")
    return Verdict(_in_short(order, game_map), ", ".join(words))


def _is_verdict(words: Sequence[str], known: Sequence[str]) -> bool:
    """A verdict that orders of this kind have, a fate, or both."""
    fates = words[1:] if words[0] in known else words
    return len(fates) <= 1 and all(fate in FATES for fate in fates) and not (words[0] == "stands" and fates)


def _in_short(order: MovementOrder, game_map: Map) -> MovementOrder:
    """An order without a `via convoy` that says nothing: an army that cannot go by land is convoyed anyway."""
    if isinstance(order, Move) and order.via_convoy:
        by_land = order.destination in game_map.exits(UnitKind.ARMY, order.unit.location)
        return replace(order, via_convoy=by_land and order.unit.kind is not UnitKind.FLEET)
    return order


_WITH_ARGUMENT: dict[str, Callable[[str, Map], Goal]] = {
    "core": _core,
    "differs": _differs,
    "differs-legal": _differs_legal,
    "dislodged": _dislodged,
    "occupied": _occupied,
    "verdict": _verdict,
}
_FORMS = {
    "core": "core:SHAPE",
    "differs": "differs:RULEBOOK,RULEBOOK",
    "differs-legal": "differs-legal:RULEBOOK,RULEBOOK",
    "dislodged": "dislodged:PROVINCE",
    "occupied": "occupied:PROVINCE=POWER",
    "verdict": 'verdict:"ORDER"=VERDICT',
}
"""How these are written."""
