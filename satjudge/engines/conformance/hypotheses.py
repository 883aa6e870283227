"""Defines hypotheses about an engine, and works out their answers: a rulebook with settings, and faults."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Protocol

from satjudge.base.errors import RequestError, RulebookError
from satjudge.engines.comparison import answer_of
from satjudge.engines.conformance.conditions import split_fault
from satjudge.engines.conformance.faults import FAULTS, faulty_judge, is_fault, room_of
from satjudge.engines.conformance.mutations import ROOMS, Mutant
from satjudge.engines.conformance.signatures import unchanged_keys
from satjudge.engines.conformance.switched import switched_judge
from satjudge.engines.positions import AskedPosition
from satjudge.engines.standing import ToldValues
from satjudge.judging.backup import overridable
from satjudge.judging.equations.situation import Decision
from satjudge.judging.equations.situation import situate as live_situate
from satjudge.judging.judge import AnyOutcome, GivenOrders, judge_phase
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.rules import Rulebook, load_preset, load_rulebook, nearest_preset, options, preset_names

RULEBOOK = "rulebook "
"""The beginning of the name of a hypothesis that is a rulebook: `rulebook 1982`."""


class JudgeFunction(Protocol):
    """A function that judges a phase: satjudge's, or that of a changed copy."""

    def __call__(self, board: Board, orders: GivenOrders, *, rulebook: Rulebook) -> AnyOutcome:
        """Judge whichever phase the board is in."""
        ...


def answer_by(position: AskedPosition, rulebook: Rulebook, judging: JudgeFunction = judge_phase) -> Answer | None:
    """Answer a position as satjudge does by a rulebook; None if it has no answer, as where the rulebook leaves a core open."""
    try:
        return answer_of(judging(position.board, position.orders, rulebook=rulebook))
    except Exception:  # a broken clause can break anything
        return None


@lru_cache(maxsize=100)
def _kept_judge(faults: tuple[str, ...]) -> Mutant:
    """Return a judge with some faults, which takes longer to make than to judge with."""
    return faulty_judge(faults)


@dataclass(frozen=True, order=True)
class Hypothesis:
    """A rulebook with issues settled otherwise, and the faults that an engine has besides."""

    rules: str
    settings: tuple[str, ...] = ()
    """Issues settled otherwise than by the rulebook, `4.A.2=all-hold`, sorted."""
    faults: tuple[str, ...] = ()
    """The names of faults (`satjudge.engines.conformance.faults`), sorted."""

    @classmethod
    def of(cls, rules: str, settings: Iterable[str] = ()) -> Hypothesis:
        """Make a hypothesis of a rulebook and of those settings that change it.

        Raises `RulebookError`.
        """
        rulebook = load_rulebook(rules)
        usual, chosen = rulebook.settings(), rulebook.with_settings(settings).settings()
        return cls(rules, tuple(sorted(f"{issue}={value}" for issue, value in chosen.items() if usual[issue] != value)))

    @classmethod
    def by(cls, rulebook: Rulebook) -> Hypothesis:
        """Make a hypothesis of the preset that a rulebook differs least from, with its other settings."""
        return cls.of(*nearest_preset(rulebook))

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings.

        Raises `RulebookError` for choices that exclude each other.
        """
        return load_rulebook(self.rules).with_settings(self.settings)

    @property
    def parts(self) -> tuple[str, ...]:
        """The settings and faults that are assumed beside the rulebook."""
        return (*self.settings, *self.faults)

    @property
    def weight(self) -> float:
        """The weight of all parts that are assumed.

        A setting is likelier than a fault, and two of either less likely than one.
        """
        circumstances = sum(len(split_fault(fault)[1]) for fault in self.faults)
        return 0.3 * len(self.settings) + 0.5 * len(self.faults) + 0.15 * circumstances

    def with_part(self, part: str) -> Hypothesis:
        """Return the hypothesis with one more part; a setting replaces another value of its issue."""
        if is_fault(part):
            return replace(self, faults=tuple(sorted({*self.faults, part})))
        return replace(Hypothesis.of(self.rules, (*self.settings, part)), faults=self.faults)

    def without_part(self, part: str) -> Hypothesis:
        """Return the hypothesis without one of its parts."""
        return replace(
            self,
            settings=tuple(one for one in self.settings if one != part),
            faults=tuple(one for one in self.faults if one != part),
        )

    def __str__(self) -> str:
        return ", ".join((self.rules, *self.settings, *self.faults))

    def joined(self, other: Hypothesis) -> Hypothesis | None:
        """Join two hypotheses into one; None if their rulebooks differ, or their choices exclude each other."""
        if other.rules != self.rules:
            return None
        with suppress(RulebookError):
            both = Hypothesis.of(self.rules, (*self.settings, *other.settings))
            return replace(both, faults=tuple(sorted({*self.faults, *other.faults})))
        return None

    def answers(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        """Answer each position; None where the hypothesis has no answer, and to all if its parts exclude each other."""
        try:
            return self.answers_given(positions)
        except ValueError:
            return [None] * len(positions)

    def answers_given(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        """Answer each position; None where the hypothesis has no answer.

        Each answer is worked out once in a process. Raises `RulebookError` for choices and `ValueError` for faults that
        exclude each other.
        """
        known = _ANSWERS.setdefault(self, {})
        asked = list({position.key: position for position in positions if position.key not in known}.values())
        if len(self.parts) == 1:
            base, _ = split_fault(self.parts[0])
            alike = [one for one in asked if one.key in unchanged_keys(self.rules, base)]
            known.update(zip([one.key for one in alike], Hypothesis(self.rules).answers_given(alike), strict=True))
            asked = [one for one in asked if one.key not in known]
        if asked:
            known.update(zip([one.key for one in asked], self._worked_out(asked), strict=True))
        return [known[position.key] for position in positions]

    def _worked_out(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        rulebook, switched = self.rulebook, switched_judge() if self.faults else None
        if switched and switched.has(self.faults):
            with switched.lock:
                switched.switch_on(self.faults)
                return [switched.answer(position, rulebook) for position in positions]
        with _kept_judge(self.faults) as judge:
            return [answer_by(position, rulebook, judge.judge) for position in positions]

    def could_give(self, told: Sequence[ToldValues | None]) -> list[bool]:
        """Tell of each answer whether it satisfies the broken equations, but for what a backup rule may have settled."""
        rooms, settings = set(map(room_of, self.faults)), self.rulebook.settings()
        if rooms and rooms <= _LATER:  # what is told is a movement phase
            return [one is None for one in told]
        if not rooms <= {"dislodgements", "equations"} or not rooms:
            return [True] * len(told)
        broken = tuple(fault for fault in self.faults if room_of(fault) == "equations")
        try:
            mutant = faulty_judge(broken)
        except ValueError:  # faults that do not go together
            return [False] * len(told)
        return [
            one is None or one.situation.rulebook.settings() != settings or _satisfies(one, _violated(mutant, one))
            for one in told
        ]


def joined_hypothesis(supposed: Iterable[Hypothesis | None]) -> Hypothesis | None:
    """Join several hypotheses into one; None if there are none, or if some exclude each other."""
    several = [one for one in supposed if one is not None]
    whole = several[0] if several else None
    for one in several[1:]:
        whole = whole.joined(one) if whole else None
    return whole


# ---- all hypotheses, and those that a text names ----

_IS_A_MAP = re.compile("(borders?|coasts?)( are)? (missing|extra|wrong|there)", re.IGNORECASE)
"""The words of diagnoses and families about an engine's map."""
_OF_MAPS = (
    "leave it out: crosscheck asks about single borders itself, and all that needs one that the engine lacks is one family;"
    " what can be known is ISSUE=VALUE, a rulebook, a fault as satjudge names it, or a file that ends in .toml"
)


def hypotheses(rulebook: Rulebook) -> dict[str, Hypothesis]:
    """List all hypotheses about an engine that is compared under a rulebook, by name.

    These are every issue settled otherwise, every other rulebook, and every broken rule that a position can tell.
    """
    chosen, told = rulebook.settings(), Hypothesis.by(rulebook)
    found: dict[str, Hypothesis] = {}
    for option in options():
        for value in option.values:
            if value != chosen[option.issue]:
                with suppress(RulebookError):  # choices that do not go together
                    found[f"{option.issue}={value}"] = told.with_part(f"{option.issue}={value}")
    for name in preset_names():
        if load_preset(name).settings() != chosen:
            found[f"{RULEBOOK}{name}"] = Hypothesis(name)
    untold = {name for room in ROOMS.values() for name in room.survivors}
    return found | {name: told.with_part(name) for name in FAULTS if name not in untold}


def named_hypothesis(text: str, rulebook: Rulebook) -> Hypothesis:
    """Find the hypothesis that a text names: one of `hypotheses`, or several joined by `+`.

    Raises `RequestError`.
    """
    known = {name.casefold(): one for name, one in hypotheses(rulebook).items()}
    whole: Hypothesis | None = None
    for part in (part.strip() for part in text.split(" + ")):
        one = known.get(part.casefold()) or known.get(f"{RULEBOOK}{part}".casefold())
        if one is None and is_fault(part):  # with a condition
            one = Hypothesis.by(rulebook).with_part(part)
        if one is None:
            if _IS_A_MAP.match(part):
                raise RequestError(f"{part!r} is about the engine's map, and no hypothesis", suggestion=_OF_MAPS)
            near = get_close_matches(part, hypotheses(rulebook), 3, 0.4)
            hint = f"do you mean {' or '.join(map(repr, near))}?" if near else ""
            about = "name ISSUE=VALUE, a rulebook, a fault as satjudge names it, or a file that ends in .toml"
            raise RequestError(f"there is no hypothesis {part!r}", suggestion=hint or about)
        whole = one if whole is None else whole.joined(one)
        if whole is None:
            raise RequestError(f"{text!r}: these do not go together")
    assert whole is not None
    return whole


# ---- what an answer tells of a hypothesis at a glance ----

_LATER = {"retreats", "adjustments"}


def _violated(mutant: Mutant, told: ToldValues) -> Iterator[Decision]:
    """Yield the decisions of a situation of which the values told break the mutant's equation.

    A mutant that changes what situations are made of has situations of its own, with the same decisions in the same order.
    """
    situate = mutant.module("satjudge.judging.equations.situation").situate
    own = told.situation if situate is live_situate else situate(told.situation.board, told.docket, told.situation.rulebook)
    for one in mutant.module("satjudge.judging.equations.evaluate").violated(own, told.values):
        yield told.situation.decisions[one.index]


def _satisfies(told: ToldValues, violated: Iterable[Decision]) -> bool:
    """Tell whether only equations are broken that nobody told of, or those of orders that a backup rule may have let fail."""
    wrong = (one for one in violated if one.index in told.known)
    return all(isinstance(one, overridable(told.situation.rulebook)) and not told.values[one.index] for one in wrong)


def parts_beside(hypothesis: Hypothesis) -> Iterator[str]:
    """Yield every setting and every fault that a hypothesis could assume as well."""
    settled = hypothesis.rulebook.settings()
    for option in options():
        yield from (f"{option.issue}={value}" for value in option.values if value != settled[option.issue])
    yield from (name for name in FAULTS if name not in hypothesis.faults)


def changed_by(rules: str, part: str, positions: Sequence[AskedPosition]) -> list[AskedPosition]:
    """List the positions to which a setting or a fault by itself, in whatever circumstances, changes a rulebook's answer."""
    plain = Hypothesis(rules)
    try:
        said = plain.with_part(split_fault(part)[0]).answers(positions)
    except RulebookError:
        return []
    return [at for at, one, usual in zip(positions, said, plain.answers(positions), strict=True) if one != usual]


def predicted_answers(hypothesis: Hypothesis, positions: Mapping[str, AskedPosition]) -> Mapping[str, Answer | None] | None:
    """Return the answers of a hypothesis to positions by key; None if its parts exclude each other."""
    try:
        return dict(zip(positions, hypothesis.answers_given(list(positions.values())), strict=True))
    except (RulebookError, ValueError):
        return None


_ANSWERS: dict[Hypothesis, dict[str, Answer | None]] = {}
"""The answers of hypotheses to positions, by their keys."""
