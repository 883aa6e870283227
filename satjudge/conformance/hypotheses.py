"""What an engine may play: a rulebook with settings, and faults; and the answers that it would then give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from satjudge.conformance.faults import FAULTS, faulty
from satjudge.crosscheck.comparison import answer_of
from satjudge.crosscheck.oracle import Answer
from satjudge.crosscheck.positions import Position
from satjudge.errors import RulebookError
from satjudge.judge import judge_read
from satjudge.rules import Rulebook, load_rulebook, options


@dataclass(frozen=True, order=True)
class Hypothesis:
    """A rulebook with issues settled otherwise, and what is done wrong besides."""

    rules: str
    settings: tuple[str, ...] = ()
    """`4.A.2=all-hold`, sorted; each differs from what the rulebook says."""
    faults: tuple[str, ...] = ()
    """By their names (`satjudge.conformance.faults`), sorted."""

    @classmethod
    def of(cls, rules: str, settings: Iterable[str] = ()) -> Hypothesis:
        """A rulebook with the settings that change it. Raises `RulebookError`."""
        rulebook = load_rulebook(rules)
        usual, chosen = rulebook.settings(), rulebook.with_settings(settings).settings()
        return cls(rules, tuple(sorted(f"{issue}={value}" for issue, value in chosen.items() if usual[issue] != value)))

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings. Raises `RulebookError` for choices that do not go together."""
        return load_rulebook(self.rules).with_settings(self.settings)

    @property
    def parts(self) -> tuple[str, ...]:
        """What is assumed beside the rulebook."""
        return (*self.settings, *self.faults)

    @property
    def weight(self) -> float:
        """How much it assumes. A setting is likelier than a fault, and two of either less likely than one."""
        return 0.3 * len(self.settings) + 0.5 * len(self.faults)

    def with_part(self, part: str) -> Hypothesis:
        """The hypothesis that assumes this as well; a setting replaces another value of its issue."""
        if part in FAULTS:
            return replace(self, faults=tuple(sorted({*self.faults, part})))
        return replace(Hypothesis.of(self.rules, (*self.settings, part)), faults=self.faults)

    def without_part(self, part: str) -> Hypothesis:
        """The hypothesis that does not assume this."""
        return replace(
            self,
            settings=tuple(one for one in self.settings if one != part),
            faults=tuple(one for one in self.faults if one != part),
        )

    def __str__(self) -> str:
        return ", ".join((self.rules, *self.settings, *self.faults))

    def answers(self, positions: Sequence[Position]) -> list[Answer | None]:
        """What it says to each of these; None where it has no answer."""
        rulebook = self.rulebook
        with faulty(self.faults):
            return [_answer(position, rulebook) for position in positions]


def _answer(position: Position, rulebook: Rulebook) -> Answer | None:
    try:
        return answer_of(judge_read(position.board, position.orders, rulebook))
    except Exception:  # a core without an answer, or whatever comes of a fault
        return None


def parts_beside(hypothesis: Hypothesis) -> Iterator[str]:
    """Every setting and every fault that it could assume as well."""
    settled = hypothesis.rulebook.settings()
    for option in options():
        yield from (f"{option.issue}={value}" for value in option.values if value != settled[option.issue])
    yield from (name for name in FAULTS if name not in hypothesis.faults)


def predicted(hypothesis: Hypothesis, positions: Mapping[str, Position]) -> Mapping[str, Answer | None] | None:
    """What it says to these positions, by their keys, among others; None if its parts exclude each other.

    Each is worked out once in a process.
    """
    known = _SAID.setdefault(hypothesis, {})
    asked = {key: position for key, position in positions.items() if known is not None and key not in known}
    if known is None or not asked:
        return known
    try:
        known.update(zip(asked, hypothesis.answers(list(asked.values())), strict=True))
    except (RulebookError, ValueError):
        _SAID[hypothesis] = None
    return _SAID[hypothesis]


_SAID: dict[Hypothesis, dict[str, Answer | None] | None] = {}
