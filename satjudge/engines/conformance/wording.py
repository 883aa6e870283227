"""Finds verdicts of an engine that differ only in words from satjudge's: all units fare alike, and a dialect can translate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from json import JSONEncoder

from satjudge.base.words import number_of
from satjudge.engines.comparison import Difference, can_agree, compare_answers, format_word_differences, is_only_wording
from satjudge.engines.conformance.evidence import EngineAnswer, Evidence
from satjudge.engines.conformance.hypotheses import Hypothesis, predict_answers
from satjudge.engines.positions import PhaseOrder
from satjudge.files.dialects import Meanings
from satjudge.oracles.oracle import Answer
from satjudge.world.board import group_pairs
from satjudge.world.orders import MovementOrder, SupportHold, SupportMove
from satjudge.world.verdicts import OrderResult, Verdict

DOCUMENTED = "docs/reference/asked-engines.md#dialects"
"""The page that describes dialects."""

Called = tuple[str, str]
"""A verdict of satjudge, and the kind of its order; supports are of one kind."""


@dataclass(frozen=True)
class Wording:
    """An engine's own word for one of satjudge's verdicts."""

    ours: str
    theirs: str
    heard: list[EngineAnswer] = field(default_factory=list)
    """The answers, in the kit or outside, that have this word."""

    @property
    def name(self) -> str:
        """The engine's word and satjudge's: `void for illegal`."""
        return f"{self.theirs} for {self.ours}"

    @property
    def says(self) -> str:
        """The wording in a sentence, with the line of a dialect that translates it."""
        entry = _format_dialect_entry(self.ours, self.theirs)
        can = f"a dialect can say so{f', with {entry}' if entry else ''}: {DOCUMENTED}"
        return f"your `{self.theirs}` is satjudge's `{self.ours}` in {number_of(len(self.heard), 'answer')} ({can})"


def list_wordings(evidence: Evidence, best: Hypothesis, unexplained: Sequence[EngineAnswer]) -> list[Wording]:
    """List the engine's words that differ from a hypothesis's in the unexplained answers, most frequent first.

    An answer counts only if the units and the dislodged ones are the same. A verdict that the engine gives correctly to such
    orders elsewhere is not just another word, because there it means something else.
    """
    said = {id(heard): answer for heard, answer in _pair_answers(evidence, best) if answer}
    known = {
        one
        for heard, answer in _pair_answers(evidence, best)
        if answer
        for one in _list_agreed_verdicts(heard, answer, evidence.words)
    }
    found: list[tuple[tuple[str, str], EngineAnswer]] = []
    for heard in unexplained:
        differences = _differences(heard, said.get(id(heard)), evidence.words)
        if differences and all(
            is_only_wording(one, heard.depth, evidence.words) and _get_verdict_kind(heard, one) not in known
            for one in differences
        ):
            found += [(pair, heard) for pair in dict.fromkeys((one.ours, one.theirs) for one in differences)]
    told = [Wording(ours, theirs, heard) for (ours, theirs), heard in group_pairs(found).items()]
    return sorted(told, key=lambda one: (-len(one.heard), one.name))


def describe_word_differences(
    evidence: Evidence, reduced_hypothesis: Hypothesis, part: str, explained_answers: Sequence[EngineAnswer]
) -> str:
    """Return a phrase on how a part of a hypothesis shows only in words; "" if a unit fares differently in any answer.

    `explained_answers` are those that differ from the answers of the hypothesis without the part, `reduced_hypothesis`.
    """
    said = {id(heard): answer for heard, answer in _pair_answers(evidence, reduced_hypothesis)}
    found = [_differences(heard, said.get(id(heard)), evidence.words) for heard in explained_answers]
    if not all(
        differences and all(is_only_wording(one, heard.depth, evidence.words) for one in differences)
        for heard, differences in zip(explained_answers, found, strict=True)
    ):
        return ""
    return format_word_differences(chain.from_iterable(found), part) if found else ""


def list_reworded_answers(evidence: Evidence, best: Hypothesis, answers: Sequence[EngineAnswer]) -> list[EngineAnswer]:
    """List the answers in which units end up as the hypothesis predicts, but orders get other verdicts.

    If the mistakes move no unit, such words may be a separate mistake, so they are not listed.
    """
    positions = [one.position for one in answers]
    plain = Hypothesis(best.rules, best.settings).list_answers(positions)
    found = []
    for heard, said, without in zip(answers, best.list_answers(positions), plain, strict=True):
        words, moved = (_differences(heard, one, evidence.words) for one in (said, without))
        alike = words and all(is_only_wording(one, heard.depth, evidence.words) for one in words)
        if alike and not all(is_only_wording(one, heard.depth, evidence.words) for one in moved):
            found.append(heard)
    return found


def _pair_answers(evidence: Evidence, best: Hypothesis) -> Iterator[tuple[EngineAnswer, Answer | None]]:
    """Yield every answer of the evidence with the hypothesis's answer to that question, None if it has none."""
    said = predict_answers(best, evidence.positions) or {}
    yield from ((heard, said.get(key)) for heard, key in zip(evidence.heard, evidence.keys, strict=True))


def _list_agreed_verdicts(heard: EngineAnswer, prediction: Answer, words: Meanings) -> Iterator[Called]:
    """Yield each verdict that the engine and a hypothesis share, with the kind of its order."""
    if heard.theirs is None or not heard.depth.compares_results:
        return
    for power, given in heard.position.orders.items():
        for number, order in enumerate(given):
            ours, theirs = prediction.verdicts[power][number], heard.theirs.verdicts[power][number]
            if theirs and can_agree(ours, theirs, words, fate_told=isinstance(order, MovementOrder)):
                yield ours, _kind(order)


def _differences(heard: EngineAnswer, prediction: Answer | None, words: Meanings) -> list[Difference]:
    if heard.theirs is None or prediction is None:
        return []
    return compare_answers(prediction, heard.theirs, heard.position.orders, heard.depth, words)


def _get_verdict_kind(heard: EngineAnswer, difference: Difference) -> Called:
    assert difference.number is not None
    return difference.ours, _kind(heard.position.orders[difference.power][difference.number])


def _kind(order: PhaseOrder) -> str:
    return "support" if isinstance(order, SupportHold | SupportMove) else type(order).__name__


def _format_dialect_entry(ours: str, theirs: str) -> str:
    """Return the dialect's line that translates the engine's word `theirs` to `ours`; "" if no single line can."""
    first = theirs.partition(",")[0].partition(":")[0].strip().casefold()
    own = [first] if first in frozenset(OrderResult) else []
    json = JSONEncoder(ensure_ascii=False).encode
    for meaning in (str(Verdict.read(ours).order or OrderResult.STANDS), ours):
        means = list(dict.fromkeys([*own, meaning]))
        words: Mapping[str, frozenset[str]] = {first: frozenset(means)}
        if can_agree(ours, theirs, words):
            return f"{json(first)} = {json(means)}"
    return ""
