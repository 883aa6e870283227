"""Lists the goals that `satjudge search` knows by name, in `GOALS` and `QUANTITIES`, and reads goals from text.

    goal        = goal "or" goal | goal "and" goal | "not" goal | "(" goal ")" | atom
                | ("some" | "every") list | quantity relation quantity | "without:" PROVINCE "(" goal ")"
    atom        = several-resolutions | dislodged:PROVINCE | … : the names in `GOALS`, each read by its class
    quantity    = "count" list | NUMBER | hold:PROVINCE | … : the names in `QUANTITIES`
    relation    = ">=" | ">" | "<=" | "<" | "=" | "!="
    list        = [NAME] "(" goal {"," goal} ")"

"and" binds tighter than "or". Quotation marks may be single, and there may be blanks around an equals sign. In a list UNIT,
PROVINCE and POWER, UNIT2 and so on, stand for any name: a goal that speaks of one is as many goals as there are names. Which of
them a list goes through is what stands before its parenthesis, or else what its goals speak of outside of lists within.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, TypeAlias, TypeVar

from satjudge.base.errors import InputError, NotFoundError, located
from satjudge.search.goals.cores import CoreOrder, CoreResolutions, CoreShape
from satjudge.search.goals.counts import QUANTIFIERS, Count, Instance, Listed
from satjudge.search.goals.differences import Differs, DiffersLegal
from satjudge.search.goals.goal import Both, Either, Goal, Not
from satjudge.search.goals.outcomes import Dislodged, Fares, Occupied, Stands, Verdict, read_place
from satjudge.search.goals.quantities import (
    RELATIONS,
    AttackStrength,
    Beleaguered,
    Compared,
    DefendStrength,
    HoldStrength,
    Number,
    PreventStrength,
    Quantity,
)
from satjudge.search.goals.resolutions import NoResolution, Paradox, ResolutionCount, Several
from satjudge.search.goals.unit_removal import Changes, Without
from satjudge.world.geography import Map

DEEPEST = 50
"""The largest depth of parentheses and `not` within each other."""
_QUOTED = r""""[^"]*"|'[^']*'"""
_COMMA = r",(?=\s|[\w-]+:|[\w-]*\()"
"""A comma between goals; there are others in rulebooks that are compared."""
_TOKEN = re.compile(
    rf"""\s*(?:(?P<bracket>[()])|(?P<comma>{_COMMA})|(?P<relation>[<>]=?|!=)"""
    rf"""|(?P<word>(?:(?!{_COMMA}|!=)[^\s()<>"'=]|{_QUOTED}|(?:(?<!\s)\s+)?=\s*)+))"""
)
_ANY_NAME = re.compile(r"\b(UNIT|PROVINCE|POWER)\d*\b")
"""The words that stand for any name."""
_LISTS = {"some", "every", "count"}
"""The words that a list of goals stands behind."""
_QUOTED_OR_EQUALS = re.compile(rf"({_QUOTED})|(?<!\s)\s*=\s*")

COUNTED = "goals about the outcome (dislodged, occupied, verdict, order, unit) can be counted"
_Token: TypeAlias = tuple[str, int]
"""A word, and the column at which it stands."""
R = TypeVar("R", covariant=True)


class _Readable(Protocol[R]):
    def read(self, argument: str, game_map: Map, /) -> R: ...


class GoalReader:
    """Reads a goal from the tokens of a text, with the columns of mistakes."""

    def __init__(self, text: str, game_map: Map, goals: Mapping[str, type[Goal]], *, own: bool = False) -> None:
        self.map = game_map
        self.text = text
        self.goals = goals
        """The goals without parts that may be named, by the word that they begin with."""
        self.with_own = own
        """Whether goals of the user's own may be named, `module:Class` or `module:Class=ARGUMENT`."""
        self.quantities: dict[str, type[Quantity]] = {quantity.name: quantity for quantity in QUANTITIES}
        self.quantified = {quantified.name: quantified for quantified in QUANTIFIERS}
        self.depth = 0
        self.tokens: list[_Token] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                raise InputError("a quotation mark is not closed", source=f"goal {text!r}", column=position + 1)
            kind = match.lastgroup or ""
            self.tokens.append((match[kind], match.start(kind) + 1))
            position = match.end()

    def error(self, expected: str) -> InputError:
        """Make the error that something else was expected where the next token stands."""
        found, column = self.tokens[0] if self.tokens else ("the end", len(self.text) + 1)
        return self.complaint(f"expected {expected}, found {found}", column)

    def complaint(self, message: str, column: int, suggestion: str | None = None) -> InputError:
        """Make an error about some place in the goal."""
        known = f"goals are {', '.join(self.forms().values())}"
        return InputError(message, source=f"goal {self.text!r}", column=column, suggestion=suggestion or known)

    def forms(self) -> dict[str, str]:
        """Return the goals without parts, with how each is written."""
        named: dict[str, type[Goal] | type[Quantity]] = {**self.goals, **self.quantified}
        forms = {name: goal.form or name for name, goal in (named | {Without.name: Without}).items()}
        return forms | {name: f"{one.form or name} >= 2" for name, one in self.quantities.items()}

    def take(self, word: str) -> bool:
        """Take the next token if it is this word, and tell whether it was."""
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
        if not self.tokens or self.tokens[0][0].casefold() in (")", ",", "and", "or", *RELATIONS):
            raise self.error("a goal")
        word, column = self.tokens[0]
        quantified = self.quantified.get(word.casefold())
        if quantified and self._opens_list(1):
            del self.tokens[0]
            return quantified(self.listed(column))
        if self._is_quantity(word):
            return self.compared()
        if word.casefold().startswith(f"{Without.name}:") and self._opens_list(1):
            return self.without()
        return self.atom(*self.tokens.pop(0))

    def _opens_list(self, ahead: int) -> bool:
        """Tell whether so many tokens ahead a list begins: with a parenthesis, or a name and a parenthesis."""
        words = [word for word, _ in self.tokens[ahead : ahead + 2]]
        return words[:1] == ["("] or (len(words) > 1 and _ANY_NAME.fullmatch(words[0]) is not None and words[1] == "(")

    def without(self) -> Goal:
        """Read a goal about the board without a unit, in parentheses after the province."""
        word, column = self.tokens.pop(0)
        with located(f"goal {self.text!r}", offset=column - 1):
            place = read_place(word.partition(":")[2], self.map)
        goal = self.single()
        if not goal.of_outcome:
            raise self.complaint(f"{goal} does not speak of the outcome", column, COUNTED)
        return Without(place, goal)

    # Quantities, and what is counted.

    def _is_quantity(self, word: str) -> bool:
        head = word.partition("=")[0].strip()
        return head.isdecimal() or head.partition(":")[0].casefold() in self.quantities

    def compared(self) -> Goal:
        """Read two quantities, and the relation between them."""
        one, column = self.quantity(), self.tokens[0][1] if self.tokens else len(self.text) + 1
        word = self.tokens[0][0] if self.tokens else ""
        relation, rest = ("=", word[1:].strip()) if word.startswith("=") else (word, "")
        if relation not in RELATIONS:
            raise self.error(f"one of {' '.join(RELATIONS)}")
        del self.tokens[0]
        if rest:
            self.tokens.insert(0, (rest, column + word.index(rest)))
        other = self.quantity()
        if isinstance(one, Number):  # the quantity first
            one, relation, other = other, relation.translate(str.maketrans("<>", "><")), one
        if not (one.of_outcome and other.of_outcome) and not isinstance(other, Number):
            told = other if one.of_outcome else one
            raise self.complaint(f"{told} is compared with a number only", column, f"write {type(told).form or told} = 2")
        if isinstance(one, Number):
            raise self.complaint("two numbers are compared", column)
        return Compared(one, relation, other)

    def quantity(self) -> Quantity:
        """Read a quantity, and leave the words after an equals sign."""
        if not self.tokens or not self._is_quantity(self.tokens[0][0]):
            raise self.error("a quantity")
        word, column = self.tokens.pop(0)
        word, equals, rest = _plain(word).partition("=")
        if equals:
            self.tokens.insert(0, (f"={rest}", column + len(word)))
        name, colon, argument = word.partition(":")
        if name.isdecimal():
            return Number(int(name))
        quantity = self.quantities[name.casefold()]
        if quantity is Count:
            if not self._opens_list(0):
                raise self.error("a list of goals in parentheses")
            return Count(self.listed(column))
        if bool(argument) != (":" in quantity.form) or bool(argument) != bool(colon):
            raise self.complaint(f"{word!r} is no quantity", column, f"write {quantity.form or quantity.name}")
        return self._read(quantity, argument, word)

    def listed(self, column: int) -> Listed:
        """Read goals in parentheses: one for each name, of each that speaks of UNIT, PROVINCE or POWER."""
        named = self.tokens.pop(0)[0] if self.tokens[0][0] != "(" else ""
        end, begin = self._closing(), self.tokens[0][1]
        inner, rest = self.tokens[1:end], self.tokens[end + 1 :]
        instances: list[Instance] = []
        for tokens in self._split(inner, column):
            spoken = tokens if named else _outside_lists(tokens)
            names = {name[0]: name[1] for word, _ in spoken for name in _ANY_NAME.finditer(word) if named in ("", name[0])}
            if len(names) > 1:
                hint = f"say which list goes through which, one within another: some {next(iter(names))} (…)"
                raise self.complaint(f"{' and '.join(names)} in one list", tokens[0][1], hint)
            for any_name, kind in names.items() or [("", "")]:
                values = _names(kind, self.map)
                for value in values:
                    self.tokens = (
                        [(re.sub(rf"\b{any_name}\b", value, word), at) for word, at in tokens] if kind else list(tokens)
                    )
                    instances.append(Instance(self._one_of_list(), value if kind == "UNIT" else None))
        self.tokens = rest
        last = inner[-1] if inner else ("", begin)
        text = " ".join(self.text[begin : last[1] - 1 + len(last[0])].split())
        return Listed(f"{named and f' {named} '}({text})", tuple(instances))

    def _one_of_list(self) -> Goal:
        goal = self.deeper(self.either)
        if self.tokens:
            raise self.error("a comma, an `and` or an `or`")
        if not goal.of_outcome:
            raise self.complaint(f"{goal} does not speak of the outcome: it cannot be counted", 1, COUNTED)
        return goal

    def _closing(self) -> int:
        """Find where the parenthesis that comes next is closed. Raises `InputError`."""
        depth = 0
        for index, (word, _) in enumerate(self.tokens):
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return index
        self.tokens.clear()
        raise self.error("a closing parenthesis")

    def _split(self, tokens: list[_Token], column: int) -> list[list[_Token]]:
        """Divide the tokens of a list into its goals. Raises `InputError` for an empty one."""
        parts: list[list[_Token]] = [[]]
        depth = 0
        for token in tokens:
            depth += (token[0] == "(") - (token[0] == ")")
            if token[0] == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        if not all(parts):
            raise self.complaint("a goal is missing in a list", column)
        return parts

    def deeper(self, read: Callable[[], Goal]) -> Goal:
        """Read a goal within a `not` or parentheses."""
        if self.depth == DEEPEST:
            column = self.tokens[0][1] if self.tokens else len(self.text) + 1
            raise self.complaint(f"more than {DEEPEST} parentheses or `not` are open", column, "write it with fewer of them")
        self.depth += 1
        goal = read()
        self.depth -= 1
        return goal

    def atom(self, word: str, column: int) -> Goal:
        """Read a goal without parts."""
        plain = _plain(word)
        name, colon, argument = plain.partition(":")
        class_name, _, rest = argument.partition("=")
        may_be_own = self.with_own and name not in self.goals and class_name.isidentifier()
        goal, told = (own_goal(name, class_name) if may_be_own else None), rest
        if goal is None:
            goal, told = self.goals.get(name.casefold()), argument
            if goal is not None and (bool(told) != bool(goal.form) or bool(told) != bool(colon)):
                goal = None  # it is written otherwise
        if goal is None:
            forms, written = self.forms(), name.casefold()
            likely = [known for known in forms if written == known or not written.startswith(known)]  # everything is not every
            close = [forms[found] for found in get_close_matches(written, likely, 1)]
            near = (f"{form.partition(':')[0]}:{argument}" if argument and ":" in form else form for form in close)
            meant = next((f"did you mean {form}?" for form in near), None)
            if may_be_own and not meant and class_name[:1].isupper():
                hint = f"write the class {class_name} in {name}.py (docs/guides/own-goals.md)"
                raise self.complaint(f"there is no module {name} here", column, hint)
            raise self.complaint(f"there is no goal {word!r}", column, meant)
        return self._read(goal, told, word)

    def _read(self, what: _Readable[R], argument: str, word: str) -> R:
        """Read an argument by a class. Raises `InputError` that names the word."""
        try:
            return what.read(argument, self.map)
        except InputError as error:
            error.column = None
            raise error.at(source=f"goal {self.text!r}, {word}") from None


def _plain(word: str) -> str:
    """Return the word with double quotation marks, and without blanks around equals signs."""
    return _QUOTED_OR_EQUALS.sub(lambda found: f'"{found[1][1:-1]}"' if found[1] else "=", word)


def _outside_lists(tokens: list[_Token]) -> list[_Token]:
    """List the tokens that stand in no list within."""
    found: list[_Token] = []
    depth, is_list = 0, False
    for token in tokens:
        word = token[0].casefold()
        if depth or (is_list and word == "("):
            depth += (word == "(") - (word == ")")
        elif not (is_list and _ANY_NAME.fullmatch(token[0])):
            found.append(token)
            is_list = word in _LISTS
    return found


def _names(kind: str, game_map: Map) -> tuple[str, ...]:
    """List the names that may stand for UNIT, PROVINCE or POWER; one that changes nothing if there is no such word."""
    match kind:
        case "POWER":
            return game_map.powers
        case "UNIT" | "PROVINCE":
            return tuple(sorted(game_map.provinces))
    return ("",)


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
    Fares,
    Stands,
    Beleaguered,
)

QUANTITIES: tuple[type[Quantity], ...] = (
    Count,
    HoldStrength,
    AttackStrength,
    PreventStrength,
    DefendStrength,
    ResolutionCount,
    CoreResolutions,
    CoreOrder,
    Changes,
)


def parse_goal(text: str, game_map: Map, *, own: bool = False) -> Goal:
    """Read a goal.

    Raises `InputError` with the column of what cannot be read.

    `own`: a goal may also be a class of the user's own, written `module:Class` or `module:Class=ARGUMENT`. Its module is run.
    """
    return GoalReader(text, game_map, {goal.name: goal for goal in GOALS}, own=own).whole()


def own_goal(module: str, name: str) -> type[Goal] | None:
    """Import a goal of the user's own; None if there is no such module.

    Modules of the working directory are found as well.

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
        hint = "goals are subclasses of satjudge.search.goals.Goal (docs/reference/goals.md)"
        raise NotFoundError(f"there is no goal {name} in {module}", suggestion=hint)
    if missing := sorted(found.__abstractmethods__):
        hint = "docs/reference/goals.md says what a goal needs"
        raise NotFoundError(f"the goal {name} in {module} has no {', '.join(missing)}", suggestion=hint)
    return found
