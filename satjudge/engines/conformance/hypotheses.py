"""Defines hypotheses about an engine, and works out their answers: a rulebook with settings, and faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from satjudge.base.errors import RulebookError
from satjudge.engines.conformance.faults import FAULTS, faulty_judge, room_of
from satjudge.engines.conformance.mutations import Mutant
from satjudge.engines.positions import AskedPosition
from satjudge.engines.standing import ToldValues
from satjudge.engines.supposed import answer_by
from satjudge.judging.backup import overridable
from satjudge.judging.equations.situation import Decision
from satjudge.judging.equations.situation import situate as live_situate
from satjudge.oracles.oracle import Answer
from satjudge.world.rules import Rulebook, load_rulebook, nearest_preset, options


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
        return 0.3 * len(self.settings) + 0.5 * len(self.faults)

    def with_part(self, part: str) -> Hypothesis:
        """Return the hypothesis with one more part; a setting replaces another value of its issue."""
        if part in FAULTS:
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

    def joined(self, other: object) -> Hypothesis | None:
        """Join two hypotheses into one; None if their rulebooks differ, or their choices exclude each other."""
        if not isinstance(other, Hypothesis) or other.rules != self.rules:
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

        Raises `RulebookError` for choices and `ValueError` for faults that exclude each other.
        """
        rulebook = self.rulebook
        with faulty_judge(self.faults) as judge:
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


def predicted_answers(hypothesis: Hypothesis, positions: Mapping[str, AskedPosition]) -> Mapping[str, Answer | None] | None:
    """Return the answers of a hypothesis to positions and to others, by key; None if its parts exclude each other.

    Each answer is worked out once in a process.
    """
    known = _SAID.setdefault(hypothesis, {})
    asked = {key: position for key, position in positions.items() if known is not None and key not in known}
    if known is None or not asked:
        return known
    try:
        known.update(zip(asked, hypothesis.answers_given(list(asked.values())), strict=True))
    except (RulebookError, ValueError):
        _SAID[hypothesis] = None
    return _SAID[hypothesis]


_SAID: dict[Hypothesis, dict[str, Answer | None] | None] = {}
