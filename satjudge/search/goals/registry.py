"""Parses goals from text; `GOALS` and `QUANTITIES` list the goals and quantities that `satjudge search` knows by name.

    goal        = goal "or" goal | goal "and" goal | "not" goal | "(" goal ")" | atom
                | ("some" | "every") list | quantity relation quantity | "without:" PROVINCE "(" goal ")"
    atom        = several-resolutions | dislodged:PROVINCE | … : the names in `GOALS`, each read by its class
    quantity    = "count" list | NUMBER | hold:PROVINCE | … : the names in `QUANTITIES`
    relation    = ">=" | ">" | "<=" | "<" | "=" | "!="
    list        = [NAME] "(" goal {"," goal} ")"

"and" binds tighter than "or". Single quotation marks and spaces around an equals sign are allowed. In a list, the words UNIT,
PROVINCE and POWER (also UNIT2 and so on) stand for any name: the goal is repeated for each name. A word before the parenthesis
selects the word to be replaced. By default, the word that occurs in the list's goals outside nested lists is replaced.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Protocol, TypeAlias, TypeVar

from satjudge.base.errors import InputError, NotFoundError, locate_errors
from satjudge.search.goals.cores import CoreOrder, CoreResolutions, CoreShape
from satjudge.search.goals.counts import QUANTIFIERS, Count, GoalList, Instance
from satjudge.search.goals.differences import LegalRulebookDifference, RulebookDifference
from satjudge.search.goals.goal import Both, Either, Goal, Not
from satjudge.search.goals.outcomes import (
    DislodgedGoal,
    OccupiedGoal,
    OrderVerdictGoal,
    StandingUnitGoal,
    VerdictGoal,
    read_place,
)
from satjudge.search.goals.quantities import (
    RELATIONS,
    AttackStrength,
    BeleagueredGoal,
    DefendStrength,
    HoldStrength,
    Number,
    PreventStrength,
    Quantity,
    QuantityComparison,
)
from satjudge.search.goals.resolutions import NoResolution, ParadoxGoal, ResolutionCount, SeveralResolutions
from satjudge.search.goals.unit_removal import ChangedVerdicts, WithoutUnitGoal
from satjudge.world.geography import Map

DEEPEST = 50
"""The largest nesting depth of parentheses and `not`."""
_QUOTED = r""""[^"]*"|'[^']*'"""
_COMMA = r",(?=\s|[\w-]+:|[\w-]*\()"
"""A comma between goals, as opposed to one within a goal, such as between compared rulebooks."""
_TOKEN = re.compile(
    rf"""\s*(?:(?P<bracket>[()])|(?P<comma>{_COMMA})|(?P<relation>[<>]=?|!=)"""
    rf"""|(?P<word>(?:(?!{_COMMA}|!=)[^\s()<>"'=]|{_QUOTED}|(?:(?<!\s)\s+)?=\s*)+))"""
)
_ANY_NAME = re.compile(r"\b(UNIT|PROVINCE|POWER)\d*\b")
"""The words that stand for any name."""
_LISTS = {"some", "every", "count"}
"""The words that introduce a list of goals."""
_QUOTED_OR_EQUALS = re.compile(rf"({_QUOTED})|(?<!\s)\s*=\s*")

COUNTED = "goals about the outcome (dislodged, occupied, verdict, order, unit) can be counted"
_Token: TypeAlias = tuple[str, int]
"""A word and its column."""
R = TypeVar("R", covariant=True)


class _Readable(Protocol[R]):
    def read(self, argument: str, game_map: Map, /) -> R: ...


class GoalReader:
    """Parses a goal from the tokens of a text; errors name the column of the mistake."""

    def __init__(self, text: str, game_map: Map, goals: Mapping[str, type[Goal]], *, own: bool = False) -> None:
        self.map = game_map
        self.text = text
        self.goals = goals
        """The elementary goals that are allowed, by their first word."""
        self.with_own = own
        """Whether user-defined goals are allowed: `module:Class` or `module:Class=ARGUMENT`."""
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

    def make_expected_error(self, expected: str) -> InputError:
        """Return an error which says what was expected in place of the next token."""
        found, column = self.tokens[0] if self.tokens else ("the end", len(self.text) + 1)
        return self.make_error(f"expected {expected}, found {found}", column)

    def make_error(self, message: str, column: int, suggestion: str | None = None) -> InputError:
        """Return an error with this message about a column of the text; the known goals are the default suggestion."""
        known = f"known goals: {', '.join(self.list_forms().values())}"
        return InputError(message, source=f"goal {self.text!r}", column=column, suggestion=suggestion or known)

    def list_forms(self) -> dict[str, str]:
        """Return the notation of each known goal, such as `dislodged:PROVINCE` or `resolutions >= 2`, by its first word."""
        classes: dict[str, type[Goal] | type[Quantity]] = {**self.goals, **self.quantified}
        forms = {name: goal.form or name for name, goal in (classes | {WithoutUnitGoal.name: WithoutUnitGoal}).items()}
        return forms | {name: f"{one.form or name} >= 2" for name, one in self.quantities.items()}

    def accept_word(self, word: str) -> bool:
        """Remove the next token if it is `word`, in any case, and return whether it is."""
        if self.tokens and self.tokens[0][0].casefold() == word:
            del self.tokens[0]
            return True
        return False

    def parse_text(self) -> Goal:
        """Parse the whole text as one goal."""
        goal = self.parse_disjunction()
        if self.tokens:
            raise self.make_expected_error("an `and` or an `or`")
        return goal

    def parse_disjunction(self) -> Goal:
        """Parse goals joined by `or` from the next tokens."""
        goal = self.parse_conjunction()
        while self.accept_word("or"):
            goal = Either(goal, self.parse_conjunction())
        return goal

    def parse_conjunction(self) -> Goal:
        """Parse goals joined by `and` from the next tokens."""
        goal = self.parse_single_goal()
        while self.accept_word("and"):
            goal = Both(goal, self.parse_single_goal())
        return goal

    def parse_single_goal(self) -> Goal:
        """Parse one goal from the next tokens: negated, in parentheses, a list, a comparison, or elementary."""
        if self.accept_word("not"):
            return Not(self.parse_nested(self.parse_single_goal))
        if self.accept_word("("):
            goal = self.parse_nested(self.parse_disjunction)
            if not self.accept_word(")"):
                raise self.make_expected_error("a closing parenthesis")
            return goal
        if not self.tokens or self.tokens[0][0].casefold() in (")", ",", "and", "or", *RELATIONS):
            raise self.make_expected_error("a goal")
        word, column = self.tokens[0]
        quantified = self.quantified.get(word.casefold())
        if quantified and self._opens_list(1):
            del self.tokens[0]
            return quantified(self.parse_goal_list(column))
        if self._is_quantity(word):
            return self.parse_comparison()
        if word.casefold().startswith(f"{WithoutUnitGoal.name}:") and self._opens_list(1):
            return self.parse_without_unit()
        return self.parse_atom(*self.tokens.pop(0))

    def _opens_list(self, index: int) -> bool:
        """Return whether a list begins at this index of the tokens: with `(`, or with a word such as UNIT before `(`."""
        words = [word for word, _ in self.tokens[index : index + 2]]
        return words[:1] == ["("] or (len(words) > 1 and _ANY_NAME.fullmatch(words[0]) is not None and words[1] == "(")

    def parse_without_unit(self) -> Goal:
        """Parse `without:PROVINCE` and a goal in parentheses, which is about the outcome without the unit there."""
        word, column = self.tokens.pop(0)
        with locate_errors(f"goal {self.text!r}", offset=column - 1):
            place = read_place(word.partition(":")[2], self.map)
        goal = self.parse_single_goal()
        if not goal.is_about_outcome:
            raise self.make_error(f"{goal} is not about the outcome", column, COUNTED)
        return WithoutUnitGoal(place, goal)

    # Quantities and counts

    def _is_quantity(self, word: str) -> bool:
        head = word.partition("=")[0].strip()
        return head.isdecimal() or head.partition(":")[0].casefold() in self.quantities

    def parse_comparison(self) -> Goal:
        """Parse two quantities with a relation such as `>=` from the next tokens; return the goal that compares them."""
        one, column = self.parse_quantity(), self.tokens[0][1] if self.tokens else len(self.text) + 1
        word = self.tokens[0][0] if self.tokens else ""
        relation, rest = ("=", word[1:].strip()) if word.startswith("=") else (word, "")
        if relation not in RELATIONS:
            raise self.make_expected_error(f"one of {' '.join(RELATIONS)}")
        del self.tokens[0]
        if rest:
            self.tokens.insert(0, (rest, column + word.index(rest)))
        other = self.parse_quantity()
        if isinstance(one, Number):  # the quantity first
            one, relation, other = other, relation.translate(str.maketrans("<>", "><")), one
        if not (one.of_outcome and other.of_outcome) and not isinstance(other, Number):
            bad = other if one.of_outcome else one
            raise self.make_error(f"{bad} can only be compared with a number", column, f"write {type(bad).form or bad} = 2")
        if isinstance(one, Number):
            raise self.make_error("a number cannot be compared with a number", column)
        return QuantityComparison(one, relation, other)

    def parse_quantity(self) -> Quantity:
        """Parse a quantity; an equals sign in the same word, with what follows, becomes the next token."""
        if not self.tokens or not self._is_quantity(self.tokens[0][0]):
            raise self.make_expected_error("a quantity")
        word, column = self.tokens.pop(0)
        word, equals, rest = _normalise_word(word).partition("=")
        if equals:
            self.tokens.insert(0, (f"={rest}", column + len(word)))
        name, colon, argument = word.partition(":")
        if name.isdecimal():
            return Number(int(name))
        quantity = self.quantities[name.casefold()]
        if quantity is Count:
            if not self._opens_list(0):
                raise self.make_expected_error("a list of goals in parentheses")
            return Count(self.parse_goal_list(column))
        if bool(argument) != (":" in quantity.form) or bool(argument) != bool(colon):
            raise self.make_error(f"{word!r} is not a quantity", column, f"write {quantity.form or quantity.name}")
        return self._read_argument(quantity, argument, word)

    def parse_goal_list(self, column: int) -> GoalList:
        """Parse a list of goals from the next tokens; repeat a goal with UNIT, PROVINCE or POWER for each name of the map."""
        list_name = self.tokens.pop(0)[0] if self.tokens[0][0] != "(" else ""
        end, begin = self._find_closing(), self.tokens[0][1]
        inner, rest = self.tokens[1:end], self.tokens[end + 1 :]
        instances: list[Instance] = []
        for tokens in self._split_list(inner, column):
            outer = tokens if list_name else _list_outer_tokens(tokens)
            names = {name[0]: name[1] for word, _ in outer for name in _ANY_NAME.finditer(word) if list_name in ("", name[0])}
            if len(names) > 1:
                hint = f"nest one list in another, and name the word of each: some {next(iter(names))} (…)"
                raise self.make_error(f"{' and '.join(names)} in one list", tokens[0][1], hint)
            for any_name, kind in names.items() or [("", "")]:
                values = _list_names(kind, self.map)
                for value in values:
                    self.tokens = (
                        [(re.sub(rf"\b{any_name}\b", value, word), at) for word, at in tokens] if kind else list(tokens)
                    )
                    instances.append(Instance(self._parse_list_item(), value if kind == "UNIT" else None))
        self.tokens = rest
        last = inner[-1] if inner else ("", begin)
        text = " ".join(self.text[begin : last[1] - 1 + len(last[0])].split())
        return GoalList(f"{list_name and f' {list_name} '}({text})", tuple(instances))

    def _parse_list_item(self) -> Goal:
        goal = self.parse_nested(self.parse_disjunction)
        if self.tokens:
            raise self.make_expected_error("a comma, an `and` or an `or`")
        if not goal.is_about_outcome:
            raise self.make_error(f"{goal} is not about the outcome, so it cannot be counted", 1, COUNTED)
        return goal

    def _find_closing(self) -> int:
        """Return the index of the token that closes the parenthesis at index 0; raise `InputError` if none does."""
        depth = 0
        for index, (word, _) in enumerate(self.tokens):
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return index
        self.tokens.clear()
        raise self.make_expected_error("a closing parenthesis")

    def _split_list(self, tokens: list[_Token], column: int) -> list[list[_Token]]:
        """Split the tokens of a list at its own commas, into those of each goal; raise `InputError` if a goal is missing."""
        parts: list[list[_Token]] = [[]]
        depth = 0
        for token in tokens:
            depth += (token[0] == "(") - (token[0] == ")")
            if token[0] == "," and depth == 0:
                parts.append([])
            else:
                parts[-1].append(token)
        if not all(parts):
            raise self.make_error("a goal is missing in a list", column)
        return parts

    def parse_nested(self, parse: Callable[[], Goal]) -> Goal:
        """Parse a goal inside `not` or parentheses with `parse`; raise `InputError` if it is nested too deeply."""
        if self.depth == DEEPEST:
            column = self.tokens[0][1] if self.tokens else len(self.text) + 1
            raise self.make_error(
                f"more than {DEEPEST} parentheses or `not` are open", column, "rewrite the goal with fewer of them"
            )
        self.depth += 1
        goal = parse()
        self.depth -= 1
        return goal

    def parse_atom(self, word: str, column: int) -> Goal:
        """Parse an elementary goal, or a user's own if these are allowed, from its word, at a column of the text."""
        plain = _normalise_word(word)
        name, colon, argument = plain.partition(":")
        class_name, _, rest = argument.partition("=")
        may_be_own = self.with_own and name not in self.goals and class_name.isidentifier()
        goal, argument_text = (import_goal_class(name, class_name) if may_be_own else None), rest
        if goal is None:
            goal, argument_text = self.goals.get(name.casefold()), argument
            if goal is not None and (bool(argument_text) != bool(goal.form) or bool(argument_text) != bool(colon)):
                goal = None  # it has another notation
        if goal is None:
            forms, written = self.list_forms(), name.casefold()
            likely = [
                known for known in forms if written == known or not written.startswith(known)
            ]  # `everything` is not a misspelt `every`
            close = [forms[found] for found in get_close_matches(written, likely, 1)]
            near = (f"{form.partition(':')[0]}:{argument}" if argument and ":" in form else form for form in close)
            advice = next((f"did you mean {form}?" for form in near), None)
            if may_be_own and not advice and class_name[:1].isupper():
                hint = f"write the class {class_name} in {name}.py (docs/guides/own-goals.md)"
                raise self.make_error(f"there is no module {name}", column, hint)
            raise self.make_error(f"there is no goal {word!r}", column, advice)
        return self._read_argument(goal, argument_text, word)

    def _read_argument(self, goal_class: _Readable[R], argument: str, word: str) -> R:
        """Return the goal or quantity that the class makes from an argument; raise `InputError` that names the word."""
        try:
            return goal_class.read(argument, self.map)
        except InputError as error:
            error.column = None
            raise error.add_place(source=f"goal {self.text!r}, {word}") from None


def _normalise_word(word: str) -> str:
    """Return the word with double quotation marks in place of single ones, and without blanks around equals signs."""
    return _QUOTED_OR_EQUALS.sub(lambda found: f'"{found[1][1:-1]}"' if found[1] else "=", word)


def _list_outer_tokens(tokens: list[_Token]) -> list[_Token]:
    """Return the tokens outside lists after `some`, `every` and `count`, without a word such as UNIT before a list."""
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


def _list_names(kind: str, game_map: Map) -> tuple[str, ...]:
    """Return the names that may replace a word: provinces for UNIT or PROVINCE, powers for POWER, else a single empty name."""
    match kind:
        case "POWER":
            return game_map.powers
        case "UNIT" | "PROVINCE":
            return tuple(sorted(game_map.provinces))
    return ("",)


GOALS: tuple[type[Goal], ...] = (
    SeveralResolutions,
    NoResolution,
    ParadoxGoal,
    CoreShape,
    RulebookDifference,
    LegalRulebookDifference,
    DislodgedGoal,
    OccupiedGoal,
    VerdictGoal,
    OrderVerdictGoal,
    StandingUnitGoal,
    BeleagueredGoal,
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
    ChangedVerdicts,
)


def parse_goal(text: str, game_map: Map, *, own: bool = False) -> Goal:
    """Parse a goal such as `dislodged:MUN and not paradox`; `own` also allows a user's goals, and imports their modules.

    Raises `InputError` with the column of the mistake. `own` allows user-defined goals, written `module:Class` or
    `module:Class=ARGUMENT`. Reading them runs their module.
    """
    return GoalReader(text, game_map, {goal.name: goal for goal in GOALS}, own=own).parse_text()


def import_goal_class(module: str, name: str) -> type[Goal] | None:
    """Import goal class `name` from a user's module, with the working directory put on the path; None if there is no module.

    Modules in the working directory are found as well. Raises `NotFoundError` if the module has no such class.
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
        hint = "docs/reference/goals.md explains which methods a goal needs"
        raise NotFoundError(f"the goal {name} in {module} has no {', '.join(missing)}", suggestion=hint)
    return found
