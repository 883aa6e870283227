"""The goals that `satjudge search` knows by name, one line each in `GOALS`, and how a goal is read from text.

    goal  = goal "or" goal | goal "and" goal | "not" goal | "(" goal ")" | atom
    atom  = several-resolutions | dislodged:PROVINCE | … : the names in `GOALS`, each read by its class

"and" binds tighter than "or". Quotation marks may be single, and there may be blanks around an equals sign.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module

from satjudge.errors import InputError, NotFoundError
from satjudge.geography import Map
from satjudge.goals.core_shape import CoreShape
from satjudge.goals.differing import Differs, DiffersLegal
from satjudge.goals.goal import Both, Either, Goal, Not
from satjudge.goals.outcomes import Dislodged, Occupied, Verdict
from satjudge.goals.resolutions import NoResolution, Paradox, Several

DEEPEST = 50
"""Parentheses and `not` within each other."""
_QUOTED = r""""[^"]*"|'[^']*'"""
_TOKEN = re.compile(rf"""\s*(?:(?P<bracket>[()])|(?P<word>(?:[^\s()"'=]|{_QUOTED}|(?:(?<!\s)\s+)?=\s*)+))""")
_QUOTED_OR_EQUALS = re.compile(rf"({_QUOTED})|(?<!\s)\s*=\s*")


class GoalReader:
    """Tokens with the columns at which they stand, and the goals made of them."""

    def __init__(self, text: str, game_map: Map, goals: Mapping[str, type[Goal]], *, own: bool = False) -> None:
        self.map = game_map
        self.text = text
        self.goals = goals
        """The goals without parts that may be named, by the word that they begin with."""
        self.with_own = own
        """Whether goals of the user's own may be named, `module:Class` or `module:Class=ARGUMENT`."""
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
        return {name: goal.form or name for name, goal in self.goals.items()}

    def take(self, word: str) -> bool:
        """Whether the next token is this word; it is then gone."""
        if self.tokens and self.tokens[0][0].casefold() == word:
            del self.tokens[0]
            return True
        return False

    def whole(self) -> Goal:
        """Read the whole text as one goal."""
        goal = self.either()
        if self.tokens:
            raise self.error("an `and` or an `or`")
        return goal

    def either(self) -> Goal:
        """Read goals with `or` between them."""
        goal = self.both()
        while self.take("or"):
            goal = Either(goal, self.both())
        return goal

    def both(self) -> Goal:
        """Read goals with `and` between them."""
        goal = self.single()
        while self.take("and"):
            goal = Both(goal, self.single())
        return goal

    def single(self) -> Goal:
        """Read one goal: negated, in parentheses, or without parts."""
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
        """Read a goal without parts."""
        plain = _QUOTED_OR_EQUALS.sub(lambda found: f'"{found[1][1:-1]}"' if found[1] else "=", word)
        name, colon, argument = plain.partition(":")
        class_name, _, rest = argument.partition("=")
        may_be_own = self.with_own and name not in self.goals and class_name.isidentifier()
        goal, told = (own_goal(name, class_name) if may_be_own else None), rest
        if goal is None:
            goal, told = self.goals.get(name.casefold()), argument
            if goal is not None and (bool(told) != bool(goal.form) or bool(told) != bool(colon)):
                goal = None  # it is written otherwise
        if goal is None:
            forms = self.forms()
            close = [forms[found] for found in get_close_matches(name.casefold(), forms, 1)]
            near = (f"{form.partition(':')[0]}:{argument}" if argument and ":" in form else form for form in close)
            raise self.complaint(f"there is no goal {word!r}", column, next((f"did you mean {form}?" for form in near), None))
        try:
            return goal.read(told, self.map)
        except InputError as error:
            error.column = None
            raise error.at(source=f"goal {self.text!r}, {word}") from None


GOALS: tuple[type[Goal], ...] = (
    Several,
    NoResolution,
    Paradox,
    CoreShape,
    Differs,
    DiffersLegal,
    Dislodged,
    Occupied,
    Verdict,
)


def parse_goal(text: str, game_map: Map, *, own: bool = False) -> Goal:
    """Read a goal. Raises `InputError` with the column of what cannot be read.

    `own`: a goal may also be a class of the user's own, written `module:Class` or `module:Class=ARGUMENT`. Its module is run.
    """
    return GoalReader(text, game_map, {goal.name: goal for goal in GOALS}, own=own).whole()


def own_goal(module: str, name: str) -> type[Goal] | None:
    """A goal of the user's own; None if there is no such module. Modules of the working directory are found as well.

    Raises `NotFoundError` if there is no such class in it.
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name, None)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        return None
    if not isinstance(found, type) or not issubclass(found, Goal):
        hint = "goals are subclasses of satjudge.goals.Goal (docs/goals.md)"
        raise NotFoundError(f"there is no goal {name} in {module}", suggestion=hint)
    return found
