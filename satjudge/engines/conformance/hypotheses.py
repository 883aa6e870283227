"""Defines hypotheses about an engine (a rulebook with settings and faults), and computes their answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache, reduce
from typing import Protocol

from satjudge.base.errors import RequestError, RulebookError
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.edits import ExclusiveFaultsError
from satjudge.engines.conformance.faults import FAULTS, is_fault, split_fault
from satjudge.engines.conformance.switchable_judge import WORK, FaultyJudge, get_switchable_judge, make_faulty_judge
from satjudge.engines.positions import AskedPosition
from satjudge.judging.judge import AnyOutcome, GivenOrders, judge_phase
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.rules import Rulebook, load_rulebook, nearest_preset, options, preset_names

TOGETHER = " + "
"""The separator of a hypothesis's parts, and of known differences that together explain a board."""
RULEBOOK = "rulebook "
"""The prefix of a part that is a rulebook: `rulebook 1982`."""


class JudgeFunction(Protocol):
    """A function that judges a phase: satjudge's own or that of a changed copy."""

    def __call__(self, board: Board, orders: GivenOrders, *, rulebook: Rulebook) -> AnyOutcome:
        """Judge the phase of a board with its orders, and return the outcome."""
        ...


def answer_position(position: AskedPosition, rulebook: Rulebook, judging: JudgeFunction = judge_phase) -> Answer | None:
    """Judge a position under a rulebook and return the answer; None if judging fails, as for a core left open."""
    try:
        return answer_from_outcome(judging(position.board, position.orders, rulebook=rulebook))
    except Exception:  # a changed clause can cause any error
        return None


@lru_cache(maxsize=100)
def _cached_judge(faults: tuple[str, ...]) -> FaultyJudge:
    """Return a judge with these faults, cached because making it takes longer than judging."""
    return make_faulty_judge(faults)


@dataclass(frozen=True, order=True)
class Hypothesis:
    """An assumption about an engine: a rulebook, settings that replace its options, and faults."""

    rules: str
    settings: tuple[str, ...] = ()
    """Options that replace the rulebook's, such as `4.A.2=all-hold`, sorted."""
    faults: tuple[str, ...] = ()
    """The names of faults (`satjudge.engines.conformance.faults`), sorted."""

    @classmethod
    def from_settings(cls, rules: str, settings: Iterable[str] = ()) -> Hypothesis:
        """Make a hypothesis without faults from a rulebook's name and the settings (`ISSUE=VALUE`) that change it.

        Raises `RulebookError`.
        """
        rulebook = load_rulebook(rules)
        usual, chosen = rulebook.settings(), rulebook.with_settings(settings).settings()
        return cls(rules, tuple(sorted(f"{issue}={value}" for issue, value in chosen.items() if usual[issue] != value)))

    @classmethod
    def from_rulebook(cls, rulebook: Rulebook) -> Hypothesis:
        """Make a hypothesis from a rulebook: the nearest preset with the settings that differ from it."""
        return cls.from_settings(*nearest_preset(rulebook))

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings.

        Raises `RulebookError` for choices that exclude each other.
        """
        return load_rulebook(self.rules).with_settings(self.settings)

    @property
    def parts(self) -> tuple[str, ...]:
        """The settings (`ISSUE=VALUE`) and the names of the faults that the hypothesis adds to its rulebook."""
        return (*self.settings, *self.faults)

    @property
    def weight(self) -> float:
        """The total weight of the parts, which is lower for simpler hypotheses.

        A setting weighs less than a fault, and each circumstance of a fault adds to its weight.
        """
        circumstances = sum(len(split_fault(fault)[1]) for fault in self.faults)
        return 0.3 * len(self.settings) + 0.5 * len(self.faults) + 0.15 * circumstances

    def with_part(self, part: str) -> Hypothesis:
        """Return the hypothesis with one more setting or fault, or with another rulebook in place of its own and its settings.

        A setting replaces another setting of the same issue. A rulebook replaces the present rulebook and its settings.
        """
        if part.startswith(RULEBOOK):
            return Hypothesis(part.removeprefix(RULEBOOK), faults=self.faults)
        if is_fault(part):
            return replace(self, faults=tuple(sorted({*self.faults, part})))
        return replace(Hypothesis.from_settings(self.rules, (*self.settings, part)), faults=self.faults)

    def without_part(self, part: str) -> Hypothesis:
        """Return the hypothesis without one of its parts."""
        return replace(
            self,
            settings=tuple(one for one in self.settings if one != part),
            faults=tuple(one for one in self.faults if one != part),
        )

    def with_parts(self, parts: Iterable[str]) -> Hypothesis:
        """Return the hypothesis with further parts, which are added in this order, but rulebooks first.

        Raises `RulebookError` for choices that exclude each other.
        """
        return reduce(Hypothesis.with_part, sorted(parts, key=lambda part: not part.startswith(RULEBOOK)), self)

    def list_extra_parts(self, other: Hypothesis) -> tuple[str, ...]:
        """List this hypothesis's parts that `other` lacks, or its rulebook and all its parts if the rulebooks differ."""
        if self.rules != other.rules:
            return (f"{RULEBOOK}{self.rules}", *self.parts)
        return tuple(part for part in self.parts if part not in other.parts)

    def __str__(self) -> str:
        return ", ".join((self.rules, *self.settings, *self.faults))

    def join_with(self, other: Hypothesis) -> Hypothesis | None:
        """Return a hypothesis with the parts of both; None if their rulebooks differ or their settings exclude each other."""
        if other.rules != self.rules:
            return None
        with suppress(RulebookError):
            both = Hypothesis.from_settings(self.rules, (*self.settings, *other.settings))
            return replace(both, faults=tuple(sorted({*self.faults, *other.faults})))
        return None

    likelihood = 1.0
    """The prior likelihood, which is the same for all hypotheses."""

    def answer_position(self, position: AskedPosition) -> Answer | None:
        """Return the predicted answer to a position; None if the hypothesis predicts none."""
        return self.list_answers([position])[0]

    def find_telling_positions(self, positions: Sequence[AskedPosition]) -> Iterable[AskedPosition]:
        """Return the positions on which the hypothesis may predict another answer than its rivals: all of them."""
        return positions

    def list_answers(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        """Return the predicted answer to each position, or None where there is none; all None if faults are incompatible."""
        try:
            return self.list_compatible_answers(positions)
        except ExclusiveFaultsError:
            return [None] * len(positions)

    def list_compatible_answers(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        """Return the predicted answer to each position, or None where there is none; raise an error for incompatible parts.

        Answers are cached until `forget_answers` is called. Raises `RulebookError` for settings and `ExclusiveFaultsError` for
        faults that exclude each other.
        """
        known = _ANSWERS.setdefault(self, {})
        asked = list({position.key: position for position in positions if position.key not in known}.values())
        if asked:
            known.update(zip([one.key for one in asked], self._compute_answers(asked), strict=True))
        return [known[position.key] for position in positions]

    def _compute_answers(self, positions: Sequence[AskedPosition]) -> list[Answer | None]:
        rulebook, switched = self.rulebook, get_switchable_judge() if self.faults else None
        if switched and switched.can_switch_on(self.faults):
            with switched.lock:
                switched.switch_on(self.faults)
                return [switched.answer_position(position, rulebook) for position in positions]
        WORK.done += len(positions)
        with _cached_judge(self.faults) as judge:
            return [answer_position(position, rulebook, judge.judge) for position in positions]


def join_hypotheses(hypotheses: Iterable[Hypothesis | None]) -> Hypothesis | None:
    """Return a hypothesis with the parts of all that are not None; None if there are none or if they are incompatible."""
    several = [one for one in hypotheses if one is not None]
    whole = several[0] if several else None
    for one in several[1:]:
        whole = whole.join_with(one) if whole else None
    return whole


# ---- the parts of hypotheses, and their names ----

_IS_A_MAP = re.compile("(borders?|coasts?)( are)? (missing|extra|wrong|there)", re.IGNORECASE)
"""The terms for mistakes in an engine's map in diagnoses and families."""
_OF_MAPS = (
    "leave it out: crosscheck asks about single borders itself, and groups all boards that need a missing border in one"
    " family; use ISSUE=VALUE, a rulebook, the name of a fault in satjudge, or a file that ends in .toml"
)


def parse_hypothesis(text: str, rulebook: Rulebook) -> Hypothesis:
    """Parse parts joined by `+` (`ISSUE=VALUE`, `rulebook 1982` or a fault) into a hypothesis that adds them to a rulebook.

    Raises `RequestError`.
    """
    base = Hypothesis.from_rulebook(rulebook)
    names = {name.casefold(): name for name in (*(f"{RULEBOOK}{name}" for name in preset_names()), *iter_further_parts(base))}
    given = [part.strip() for part in text.split(TOGETHER)]
    parts = [_parse_part(part, names) for part in given]
    about = [part.partition("=")[0] if not part.startswith(RULEBOOK) else RULEBOOK for part in parts if not is_fault(part)]
    with suppress(RulebookError):
        if len(set(about)) == len(about):
            return base.with_parts(parts)
    raise RequestError(f"{text!r}: these parts cannot be combined")


def _parse_part(text: str, names: Mapping[str, str]) -> str:
    """Return the exact name of the part that a text means; case does not matter, and `rulebook` may be omitted."""
    found = names.get(text.casefold()) or names.get(f"{RULEBOOK}{text}".casefold())
    if found is not None or is_fault(text):  # with a condition
        return found or text
    if _IS_A_MAP.match(text):
        raise RequestError(f"{text!r} is about the engine's map, so it is not a hypothesis", suggestion=_OF_MAPS)
    near = get_close_matches(text, names.values(), 3, 0.4)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else ""
    about = "use ISSUE=VALUE, a rulebook, the name of a fault in satjudge, or a file that ends in .toml"
    raise RequestError(f"there is no hypothesis {text!r}", suggestion=hint or about)


def iter_further_parts(hypothesis: Hypothesis) -> Iterator[str]:
    """Yield the name of every setting and fault that could be added to a hypothesis because it does not have it yet."""
    settled = hypothesis.rulebook.settings()
    for option in options():
        yield from (f"{option.issue}={value}" for value in option.values if value != settled[option.issue])
    yield from (name for name in FAULTS if name not in hypothesis.faults)


def list_changed_positions(rules: str, part: str, positions: Sequence[AskedPosition]) -> list[AskedPosition]:
    """List the positions whose answer under the rulebook `rules` changes if a setting or an unconditional fault is added."""
    plain = Hypothesis(rules)
    try:
        faulty = plain.with_part(split_fault(part)[0]).list_answers(positions)
    except RulebookError:
        return []
    return [at for at, one, usual in zip(positions, faulty, plain.list_answers(positions), strict=True) if one != usual]


def predict_answers(hypothesis: Hypothesis, positions: Mapping[str, AskedPosition]) -> Mapping[str, Answer | None] | None:
    """Return a hypothesis's answers to positions, by the same keys; None if its parts exclude each other."""
    try:
        return dict(zip(positions, hypothesis.list_compatible_answers(list(positions.values())), strict=True))
    except (RulebookError, ExclusiveFaultsError):
        return None


_ANSWERS: dict[Hypothesis, dict[str, Answer | None]] = {}
"""The cached answers of each hypothesis, by the key of the position."""


def forget_answers() -> None:
    """Clear the cache of hypotheses' answers, so that the amount of counted work does not depend on earlier calls."""
    _ANSWERS.clear()
