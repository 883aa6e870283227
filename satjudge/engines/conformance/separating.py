"""Finds the circumstances in which an engine makes a mistake, where a fault explains some answers and contradicts others.

A fault that holds everywhere is doubted first: `doubts` are positions on which it would show although a circumstance that all
its evidence has in common is missing. Where the engine is right on some of these, `conditions` tries the circumstances that
tell the answers explained from those contradicted, singly and two or three together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from satjudge.engines.comparison import Depth, compare
from satjudge.engines.conformance.conditions import Condition, fault_if, split_fault
from satjudge.engines.conformance.faults import FAULTS
from satjudge.engines.conformance.fitting import Evidence, explained_by, minimal_hypothesis
from satjudge.engines.conformance.hypotheses import Hypothesis, changed_by
from satjudge.engines.conformance.switched import switched_judge
from satjudge.engines.positions import AskedPosition
from satjudge.oracles.oracle import Answer

SAMPLE = 10
"""Answers explained, and as many contradicted, on which circumstances are tried first."""
FIRST = 5
"""The smallest answers left, of which a fault must explain one to be suspected."""
PAIRED = 14
"""Circumstances that are tried two at a time, of those that look best each by itself."""
WEIGHED = 3
"""Conditions of a fault that are weighed on all evidence."""
SUSPECTED = 8
"""Faults for which conditions are looked for at a time."""
DOUBTED = 12
"""Positions with which one fault is doubted at a time."""
_NOWHERE = ("nowhere",)
"""A circumstance that is never true."""
_SIMPLER = ("convoyed", "unit in place", "supports a move", "own", "an army", "a fleet", "several coasts", "routes")


class Conditional:
    """A hypothesis with one more fault, whose condition can be exchanged.

    Raises `ValueError` for a fault that cannot be conditional, or not beside the others.
    """

    def __init__(self, state: Hypothesis, fault: str) -> None:
        self.state, self.fault, self.rulebook = state, fault, state.rulebook
        self.judge = switched_judge()
        if not self.judge.has((*state.faults, fault)):
            raise ValueError(f"{fault} cannot be conditional beside {', '.join(state.faults)}")

    def answer(self, position: AskedPosition, condition: Condition) -> Answer | None:
        """Answer a position as with the fault under a condition."""
        with self.judge.lock:
            self.judge.switch_on((*self.state.faults, fault_if(self.fault, condition)))
            return self.judge.answer(position, self.rulebook)

    def uses(self, position: AskedPosition) -> frozenset[frozenset[str]]:
        """Return what is true at each use of the rule while a position is judged without the fault."""
        with self.judge.lock:
            self.answer(position, _NOWHERE)
            return self.judge.uses(self.fault)


@dataclass
class _Case:
    """An answer of the engine, with the uses of a rule while its question is judged."""

    number: int
    uses: frozenset[frozenset[str]]


def with_conditions(evidence: Evidence, best: Hypothesis) -> Hypothesis:
    """Weigh faults with conditions, beside the best hypothesis and in place of its faults, and return the best one then."""
    for _ in range(3):
        if not evidence.misfits(best) or evidence.is_over():
            break
        before = evidence.cost(best)
        for state, fault in _suspects(evidence, best):
            for condition in conditions(evidence, state, fault):
                evidence.fit(state.with_part(fault_if(fault, condition)))
            if not evidence.misfits(evidence.best):
                break
        best = minimal_hypothesis(evidence, evidence.best)
        if evidence.cost(best) >= before:
            break
    return best


def _suspects(evidence: Evidence, best: Hypothesis) -> list[tuple[Hypothesis, str]]:
    """List the faults that explain some answers left by a hypothesis, those that contradict fewest first among equals."""
    found: list[tuple[int, int, int, Hypothesis, str]] = []
    plain = Hypothesis(best.rules, best.settings)
    states = dict.fromkeys((best, *(best.without_part(one) for one in best.faults), plain, evidence.told_to_play))
    for state in states:
        left = evidence.misfits(state)
        tried = sorted(left, key=lambda number: evidence.heard[number].size)[:FIRST]
        for fault in _near_faults(evidence, state, tried):
            if evidence.is_over():
                break
            explained = explained_by(evidence, state.with_part(fault), tried)
            if explained:
                wrong = len(_always(evidence, state, fault) - left)
                found.append((-len(explained), len(state.faults), wrong, state, fault))
    return [one[3:] for one in sorted(found, key=lambda one: (*one[:3], str(one[3]), one[4]))[:SUSPECTED]]


def _near_faults(evidence: Evidence, state: Hypothesis, tried: Sequence[int]) -> Iterator[str]:
    """Yield the faults that change the answer to some of the questions tried, by themselves."""
    positions = [_at(evidence, number) for number in tried]
    yield from (fault for fault in FAULTS if fault not in state.faults and changed_by(state.rules, fault, positions))


def _at(evidence: Evidence, number: int) -> AskedPosition:
    return evidence.heard[number].position


def _agrees(evidence: Evidence, number: int, said: Answer | None) -> bool:
    return evidence.agrees(evidence.heard[number], said)


def conditions(evidence: Evidence, state: Hypothesis, fault: str) -> list[Condition]:
    """List the conditions under which a fault explains answers and contradicts least, the best first."""
    try:
        judge = Conditional(state, fault)
    except ValueError:  # it cannot be conditional, or not beside the others
        return []
    left = evidence.misfits(state)
    ordered = sorted(range(len(evidence.heard)), key=lambda number: evidence.heard[number].size)
    always = _always(evidence, state, fault)
    explained = [number for number in ordered if number in left and number not in always][:SAMPLE]
    contradicted = [number for number in ordered if number not in left and number in always][:SAMPLE]
    if not explained or not contradicted:
        return []
    good = [_Case(number, judge.uses(_at(evidence, number))) for number in explained]
    bad = [_Case(number, judge.uses(_at(evidence, number))) for number in contradicted]
    return _Separation(evidence, judge, good, bad).best()


def _always(evidence: Evidence, state: Hypothesis, fault: str) -> frozenset[int]:
    """Return the numbers of the answers that are not explained if the fault holds everywhere."""
    try:
        return evidence.misfits(state.with_part(fault))
    except ValueError:
        return frozenset(range(len(evidence.heard)))


class _Separation:
    """A search for circumstances that tell answers which a fault explains from those that it contradicts."""

    def __init__(self, evidence: Evidence, judge: Conditional, good: Sequence[_Case], bad: Sequence[_Case]) -> None:
        self.evidence, self.judge, self.good, self.bad = evidence, judge, good, bad
        self.worth: dict[Condition, tuple[int, int]] = {}
        self.alike: dict[object, tuple[int, int]] = {}

    def best(self) -> list[Condition]:
        """List the best conditions, with the fewest circumstances among equals."""
        target = self.good[0]
        singles = sorted({one for use in target.uses for one in use}, key=_preference)
        for single in singles:
            self.weigh((single,))
        if not self._separates():
            promising = sorted((one for one in self.worth if self.worth[one][0]), key=self._rank)[:PAIRED]
            for one, other in combinations(promising, 2):
                self.weigh(tuple(sorted({*one, *other})))
            if not self._separates():
                for pair in sorted((one for one in self.worth if self.worth[one][0]), key=self._rank)[:3]:
                    for (single,) in (one for one in promising if len(one) == 1):
                        self.weigh(tuple(sorted({*pair, single})))
        kept = [one for one in self.worth if self.worth[one][0]]
        return sorted(kept, key=self._rank)[:WEIGHED]

    def _separates(self) -> bool:
        return any(worth == (len(self.good), len(self.bad)) for worth in self.worth.values())

    def _rank(self, condition: Condition) -> tuple[object, ...]:
        good, bad = self.worth[condition]
        return -(good / len(self.good) + bad / len(self.bad)), len(condition), [_preference(one) for one in condition]

    def weigh(self, condition: Condition) -> None:
        """Count the answers that the fault explains under a condition, and those that it contradicts no more."""
        applies = tuple(frozenset(use for use in case.uses if use.issuperset(condition)) for case in (*self.good, *self.bad))
        if applies not in self.alike:
            if not any(applies[: len(self.good)]) or self.evidence.is_over():
                return
            self.evidence.spend()
            self.alike[applies] = self._count(self.good, condition), self._count(self.bad, condition)
        self.worth[condition] = self.alike[applies]

    def _count(self, cases: Sequence[_Case], condition: Condition) -> int:
        answers = ((case.number, self.judge.answer(_at(self.evidence, case.number), condition)) for case in cases)
        return sum(_agrees(self.evidence, number, said) for number, said in answers)


def _preference(circumstance: str) -> tuple[int, int, str]:
    """Rank a circumstance among others that tell as much: authors think of some rather than of others."""
    first = next((number for number, word in enumerate(_SIMPLER) if word in circumstance), len(_SIMPLER))
    return first, len(circumstance), circumstance


def doubts(
    evidence: Evidence, best: Hypothesis, pool: Sequence[AskedPosition], usual: Sequence[Answer | None]
) -> list[AskedPosition]:
    """Choose positions on which a fault of a hypothesis shows, though a circumstance of all its evidence is missing.

    `usual` are the answers to the pool by the rulebook alone. Where the fault has a condition, positions come besides in which
    a circumstance is true that is not among it, though all evidence has it.
    """
    chosen: dict[str, AskedPosition] = {}
    for fault in best.faults:
        state = best.without_part(fault)
        base, condition = split_fault(fault)
        try:
            judge = Conditional(state, base)
        except ValueError:
            continue
        shown = sorted(evidence.misfits(state) - evidence.misfits(best), key=lambda number: evidence.heard[number].size)
        common = _common(judge, [_at(evidence, number) for number in shown[:SAMPLE]], condition)
        chosen |= {one.name: one for one in _missing(judge, condition, common, pool, usual)}
    return list(chosen.values())


def _common(judge: Conditional, positions: Sequence[AskedPosition], condition: Condition) -> set[str]:
    """Return the circumstances that could be part of the condition: each position has a use in which they are true."""
    common: set[str] | None = None
    for position in positions:
        there = {one for use in judge.uses(position) if use.issuperset(condition) for one in use}
        common = there if common is None else common & there
    return (common or set()) - set(condition)


def _missing(
    judge: Conditional, condition: Condition, common: set[str], pool: Sequence[AskedPosition], usual: Sequence[Answer | None]
) -> Iterator[AskedPosition]:
    """Yield positions on which the fault shows without some of the circumstances, those of most circumstances first."""
    showing: list[tuple[set[str], AskedPosition]] = []
    for position, plain in zip(pool, usual, strict=True):
        if len(showing) >= 10 * DOUBTED:
            break
        said = judge.answer(position, condition)
        if said is not None and plain is not None and compare(plain, said, position.orders, Depth.VERDICTS, {}):
            there = {one for use in judge.uses(position) if use.issuperset(condition) for one in use}
            showing.append((common - there, position))
    waiting = set(common)
    for _ in range(DOUBTED):
        if not showing:
            break
        new, position = max(showing, key=lambda one: len(one[0] & waiting))
        if not new & waiting:
            break
        waiting -= new
        yield position


def alternatives(evidence: Evidence, best: Hypothesis) -> list[Hypothesis]:
    """List hypotheses with other conditions of the same faults that explain as much, to be told from the best one."""
    found: Counter[Hypothesis] = Counter()
    for fault in best.faults:
        base, condition = split_fault(fault)
        if condition:
            state = best.without_part(fault)
            for other in conditions(evidence, state, base):
                one = state.with_part(fault_if(base, other))
                if one != best and evidence.misfits(one) <= evidence.misfits(best):
                    found[one] += 1
    return list(found)
