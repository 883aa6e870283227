"""Hypotheses for what `satjudge crosscheck` finds: other rulebooks, issues settled otherwise, and rules that are broken."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache

from satjudge.backup import overridable
from satjudge.conformance.faults import FAULTS, changed_sources, faulty
from satjudge.conformance.mutations import ROOM_OF, ROOMS
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Position
from satjudge.crosscheck.standing import Told
from satjudge.crosscheck.supposed import Hypothesis, answer_by
from satjudge.equations import statement
from satjudge.equations.evaluate import violated
from satjudge.errors import RequestError, RulebookError
from satjudge.rules import Rulebook, load_preset, options, preset_names

_LATER = {"retreats", "adjustments"}
RULEBOOK = "rulebook "
"""How a rulebook is named among hypotheses: `rulebook 1982`."""


@dataclass(frozen=True)
class Supposed:
    """The engine plays a rulebook, perhaps with issues settled otherwise, and with some rules broken."""

    rules: Rulebook
    settings: tuple[str, ...] = ()
    """Issues settled otherwise, `4.A.2=all-hold`."""
    faults: tuple[str, ...] = ()
    """Rules that are broken, by name (`satjudge.conformance.faults`)."""

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings. Raises `RulebookError` for choices that do not go together."""
        return self.rules.with_settings(self.settings)

    def joined(self, other: Hypothesis) -> Supposed | None:
        """What both suppose; None if the two do not go together."""
        if not isinstance(other, Supposed) or other.rules != self.rules:
            return None
        both = replace(self, settings=(*self.settings, *other.settings), faults=(*self.faults, *other.faults))
        with suppress(RulebookError):
            return both if both.rulebook else None
        return None

    def could_give(self, told: Sequence[Told | None]) -> list[bool]:
        """Whether each answer satisfies the broken equations, but for what a backup rule may have settled."""
        rooms = set(map(_room, self.faults))
        if rooms and rooms <= _LATER:  # what is told is a movement phase
            return [one is None for one in told]
        if rooms == {"dislodgements"}:
            return [one is None or _satisfies(one, self.rules) for one in told]
        if rooms != {"equations"} or self.settings:
            return [True] * len(told)
        try:
            with _interpreted(self.faults):
                return [one is None or _satisfies(one, self.rules) for one in told]
        except ValueError:  # faults that do not go together
            return [False] * len(told)

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What satjudge says with these faults."""
        rulebook = self.rulebook
        elsewhere = not all(position.board.map.is_standard for position in positions)
        if elsewhere and "legality" in map(_room, self.faults):  # maps of one's own remember what is legal
            return [None] * len(positions)
        if not self.faults:
            return [answer_by(position, rulebook) for position in positions]
        try:
            with faulty(self.faults):
                return [answer_by(position, rulebook) for position in positions]
        except ValueError:  # faults that do not go together
            return [None] * len(positions)


def _room(fault: str) -> str:
    """What a fault breaks."""
    return ROOM_OF.get(fault, "equations")


def _satisfies(told: Told, rulebook: Rulebook) -> bool:
    """Whether the values satisfy the equations of this process, but for orders that a backup rule may have let fail."""
    wrong = (one for one in violated(told.situation, told.values) if one.index in told.known)
    return all(isinstance(one, overridable(rulebook)) and not told.values[one.index] for one in wrong)


@contextmanager
def _interpreted(names: tuple[str, ...]) -> Iterator[None]:
    """Read the equations with these clauses broken where they are interpreted; nothing is compiled from them."""
    functions = _broken_functions(names)
    kept = {function: getattr(statement, function) for function in functions}
    vars(statement).update(functions)
    try:
        yield
    finally:
        vars(statement).update(kept)


@cache
def _broken_functions(names: tuple[str, ...]) -> Mapping[str, types.FunctionType]:
    mutant = types.ModuleType("mutant")
    exec(compile(changed_sources(names)[statement], "mutant", "exec"), mutant.__dict__)
    return {name: value for name, value in vars(mutant).items() if getattr(value, "__module__", "") == "mutant"}


# ---- which there are ----


def hypotheses(rulebook: Rulebook) -> dict[str, Hypothesis]:
    """All that is supposed of an engine that is compared under a rulebook, by name.

    That is every issue settled otherwise, every other rulebook, and every rule broken that a position can tell.
    """
    chosen = rulebook.settings()
    found: dict[str, Hypothesis] = {}
    for option in options():
        for value in option.values:
            if value != chosen[option.issue]:
                with suppress(RulebookError):  # choices that do not go together
                    supposed = Supposed(rulebook, (f"{option.issue}={value}",))
                    found |= {supposed.settings[0]: supposed} if supposed.rulebook else {}
    for name in preset_names():
        if (other := load_preset(name)).settings() != chosen:
            found[f"{RULEBOOK}{name}"] = Supposed(other)
    untold = {name for room in ROOMS.values() for name in room.survivors}
    return found | {name: Supposed(rulebook, (), (name,)) for name in FAULTS if name not in untold}


def named(text: str, rulebook: Rulebook) -> Hypothesis:
    """The hypothesis that a text names: one of `hypotheses`, or several of them joined by `+`. Raises `RequestError`."""
    known = {name.casefold(): one for name, one in hypotheses(rulebook).items()}
    whole: Hypothesis | None = None
    for part in (part.strip() for part in text.split(" + ")):
        one = known.get(part.casefold()) or known.get(f"{RULEBOOK}{part}".casefold())
        if one is None:
            near = get_close_matches(part, hypotheses(rulebook), 3, 0.4)
            hint = f"do you mean {' or '.join(map(repr, near))}?" if near else ""
            about = "name ISSUE=VALUE, a rulebook, a fault as satjudge names it, or a file that ends in .toml"
            raise RequestError(f"there is no hypothesis {part!r}", suggestion=hint or about)
        whole = one if whole is None else whole.joined(one)
        if whole is None:
            raise RequestError(f"{text!r}: these do not go together")
    assert whole is not None
    return whole
