"""Finds verdicts of an engine that differ from satjudge's only in words, so that a dialect can translate them."""

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

VerdictOfKind = tuple[str, str]
"""A verdict of satjudge and the kind of its order; all supports are one kind."""


@dataclass(frozen=True)
class Wording:
    """An engine's own word for one of satjudge's verdicts."""

    ours: str
    theirs: str
    answers: list[EngineAnswer] = field(default_factory=list)
    """The answers, inside or outside the kit, that contain this word."""

    @property
    def name(self) -> str:
        """A name made of the engine's word and satjudge's: `void for illegal`."""
        return f"{self.theirs} for {self.ours}"

    @property
    def says(self) -> str:
        """A description of the wording, with the dialect entry that translates it if there is one."""
        entry = _format_dialect_entry(self.ours, self.theirs)
        can = f"a dialect can translate it{f': {entry}' if entry else ''}, see {DOCUMENTED}"
        return f"your `{self.theirs}` is satjudge's `{self.ours}` in {number_of(len(self.answers), 'answer')} ({can})"


def list_wordings(evidence: Evidence, best: Hypothesis, unexplained: Sequence[EngineAnswer]) -> list[Wording]:
    """List the engine's words in unexplained answers that differ from a hypothesis's words, the most frequent first.

    An answer counts only if its units and dislodged units are as predicted. A verdict that the engine gives correctly to orders
    of this kind elsewhere is not just another word, because it means something else there.
    """
    predictions = {id(engine_answer): answer for engine_answer, answer in _pair_answers(evidence, best) if answer}
    known = {
        one
        for engine_answer, answer in _pair_answers(evidence, best)
        if answer
        for one in _list_agreed_verdicts(engine_answer, answer, evidence.words)
    }
    found: list[tuple[tuple[str, str], EngineAnswer]] = []
    for engine_answer in unexplained:
        differences = _differences(engine_answer, predictions.get(id(engine_answer)), evidence.words)
        if differences and all(
            is_only_wording(one, engine_answer.depth, evidence.words) and _get_verdict_kind(engine_answer, one) not in known
            for one in differences
        ):
            found += [(pair, engine_answer) for pair in dict.fromkeys((one.ours, one.theirs) for one in differences)]
    wordings = [Wording(ours, theirs, engine_answer) for (ours, theirs), engine_answer in group_pairs(found).items()]
    return sorted(wordings, key=lambda one: (-len(one.answers), one.name))


def describe_word_differences(
    evidence: Evidence, reduced_hypothesis: Hypothesis, part: str, explained_answers: Sequence[EngineAnswer]
) -> str:
    """Describe how a part of a hypothesis changes only words in answers that need it; "" if it changes the fate of any unit.

    `explained_answers` are those that `reduced_hypothesis`, the hypothesis without the part, does not explain.
    """
    ours = {id(engine_answer): answer for engine_answer, answer in _pair_answers(evidence, reduced_hypothesis)}
    found = [_differences(engine_answer, ours.get(id(engine_answer)), evidence.words) for engine_answer in explained_answers]
    if not all(
        differences and all(is_only_wording(one, engine_answer.depth, evidence.words) for one in differences)
        for engine_answer, differences in zip(explained_answers, found, strict=True)
    ):
        return ""
    return format_word_differences(chain.from_iterable(found), part) if found else ""


def list_reworded_answers(evidence: Evidence, best: Hypothesis, answers: Sequence[EngineAnswer]) -> list[EngineAnswer]:
    """List the answers in which faults change units as the best hypothesis predicts, but orders get other verdicts.

    If the hypothesis's faults change no unit in an answer, the engine's words may be a separate mistake, so the answer is not
    listed.
    """
    positions = [one.position for one in answers]
    plain = Hypothesis(best.rules, best.settings).list_answers(positions)
    found = []
    for engine_answer, prediction, plain_answer in zip(answers, best.list_answers(positions), plain, strict=True):
        words, moved = (_differences(engine_answer, one, evidence.words) for one in (prediction, plain_answer))
        alike = words and all(is_only_wording(one, engine_answer.depth, evidence.words) for one in words)
        if alike and not all(is_only_wording(one, engine_answer.depth, evidence.words) for one in moved):
            found.append(engine_answer)
    return found


def _pair_answers(evidence: Evidence, best: Hypothesis) -> Iterator[tuple[EngineAnswer, Answer | None]]:
    """Yield every answer of the evidence with the answer that the hypothesis predicts, or None if it predicts none."""
    ours = predict_answers(best, evidence.positions) or {}
    yield from ((engine_answer, ours.get(key)) for engine_answer, key in zip(evidence.answers, evidence.keys, strict=True))


def _list_agreed_verdicts(answer: EngineAnswer, prediction: Answer, words: Meanings) -> Iterator[VerdictOfKind]:
    """Yield each verdict on which the engine and a hypothesis agree, with the kind of its order."""
    if answer.theirs is None or not answer.depth.compares_results:
        return
    for power, given in answer.position.orders.items():
        for number, order in enumerate(given):
            ours, theirs = prediction.verdicts[power][number], answer.theirs.verdicts[power][number]
            if theirs and can_agree(ours, theirs, words, reports_fate=isinstance(order, MovementOrder)):
                yield ours, _kind(order)


def _differences(answer: EngineAnswer, prediction: Answer | None, words: Meanings) -> list[Difference]:
    if answer.theirs is None or prediction is None:
        return []
    return compare_answers(prediction, answer.theirs, answer.position.orders, answer.depth, words)


def _get_verdict_kind(answer: EngineAnswer, difference: Difference) -> VerdictOfKind:
    assert difference.number is not None
    return difference.ours, _kind(answer.position.orders[difference.power][difference.number])


def _kind(order: PhaseOrder) -> str:
    return "support" if isinstance(order, SupportHold | SupportMove) else type(order).__name__


def _format_dialect_entry(ours: str, theirs: str) -> str:
    """Return the dialect entry that translates the engine's word `theirs` to `ours`; "" if no single entry can."""
    first = theirs.partition(",")[0].partition(":")[0].strip().casefold()
    own = [first] if first in frozenset(OrderResult) else []
    json = JSONEncoder(ensure_ascii=False).encode
    for meaning in (str(Verdict.read(ours).order or OrderResult.STANDS), ours):
        means = list(dict.fromkeys([*own, meaning]))
        words: Mapping[str, frozenset[str]] = {first: frozenset(means)}
        if can_agree(ours, theirs, words):
            return f"{json(first)} = {json(means)}"
    return ""
