"""Finds by questions which mistake an engine makes, and in which circumstances: a game of twenty questions.

A *suspect* is a hypothesis with one more fault, in unknown circumstances. A question uses the fault's rule a few times, and the
answer depends on which of these uses are mistaken. So a suspect judges each question once for each set of uses, and thousands
of conditions are weighed by looking up the uses that they apply to. Questions then distinguish the conditions that contradict
least; each is chosen so that their answers differ most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, islice
from typing import Protocol, TypeVar

from satjudge.base.words import number_of
from satjudge.engines.conformance.edits import ExclusiveFaultsError
from satjudge.engines.conformance.evidence import Ask, EngineAnswer, Evidence, minimize_hypothesis
from satjudge.engines.conformance.faults import FAULTS, asks_conditions, name_conditional_fault, split_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, forget_answers, list_changed_positions
from satjudge.engines.conformance.switchable_judge import (
    ALWAYS,
    NEVER,
    get_switchable_judge,
    list_circumstances,
    make_mask,
)
from satjudge.engines.positions import AskedPosition
from satjudge.oracles.oracle import Answer

FIRST = 8
"""The number of smallest unexplained answers of which a fault must explain one to be suspected."""
LISTED, FURTHER = 40, 24
"""The number of faults that explain most of the smallest answers, and the number of further answers that compare them."""
SUSPECTED = 20
"""The number of faults for which conditions are sought at a time."""
MOST_USES = 6
"""The most uses of a rule in a question of which single ones, and all but one, are tried."""
EXPLAINED, CONTRADICTED = 30, 60
"""The number of smallest unexplained answers, and of contradicted ones, that weigh conditions."""
LIKELY = 200
"""The number of most promising pairs of circumstances that are weighed."""
REFUTED = 4
"""The most new searches for conditions after further answers contradict all that were found."""
APART = 160
"""The most conditions that questions distinguish."""
ASKED = 24
"""The most questions at a time that distinguish them."""
ROUNDS, FURTHER_ROUNDS = 4, 8
"""The most searches for suspects, and the most extra ones with several mistakes."""
SEVERAL = 3
"""The number of mistakes from which on new ones are only added, and replace none."""
CONFIRMING = 10
"""The number of positions that confirm a fault: with its condition true, and with it false."""
_SIMPLER = (
    "goes to the destination",
    "is an army",
    "is a fleet",
    "convoyed",
    "of the power",
    "own",
    "foreign",
    "moves",
    "supports",
    "somebody",
    "routes",
)


NEAR = 4
"""The number of smallest answers that a fault explains, near which positions are sought."""
SHOWING = 150
"""The number of positions that show each suspect, from which the most informative are chosen."""
WEIGHED = 3
"""The number of remaining conditions that are weighed on all evidence."""

KEPT = 200
"""The number of suspects whose answers are cached."""

Nearby = Callable[[Sequence[AskedPosition]], Iterable[AskedPosition]]
"""A function that yields positions near some."""


class Suspect:
    """A hypothesis with one more fault, in unknown circumstances.

    Raises `ExclusiveFaultsError` for a fault that cannot be conditional, or combined with the others.
    """

    def __init__(self, state: Hypothesis, fault: str) -> None:
        self.state, self.fault, self.rulebook = state, fault, state.rulebook
        self._judge = get_switchable_judge()
        self._names = (*state.faults, fault)
        if not self._judge.can_switch_on(self._names):
            raise ExclusiveFaultsError(f"{fault} cannot be conditional together with {', '.join(state.faults)}")
        self._uses: dict[str, tuple[int, ...]] = {}
        self._said: dict[tuple[str, tuple[int, ...]], Answer | None] = {}
        self._shows: dict[str, bool] = {}

    def make_hypothesis(self, condition: int) -> Hypothesis:
        """Return the hypothesis with the fault limited to a condition, given as bits of circumstances."""
        return self.state.with_part(name_conditional_fault(self.fault, list_circumstances(condition)))

    def list_uses(self, position: AskedPosition) -> tuple[int, ...]:
        """Return, as bits, the circumstances at each use of the rule while a position is judged, with the fault or without."""
        key = position.key
        if key not in self._uses:
            (without,) = self.state.list_answers([position])
            _, found = self._judge_with_uses(position, NEVER)
            always, more = self._judge_with_uses(position, ALWAYS) if found else (without, frozenset())
            self._uses[key] = tuple(sorted(found | more))
            self._said[key, ()] = without
            self._said[key, self._uses[key]] = without if always == without else always
        return self._uses[key]

    def find_applied_uses(self, position: AskedPosition, condition: int) -> tuple[int, ...]:
        """Return those uses of the rule (as circumstances) at which the fault applies under a condition."""
        return tuple([use for use in self.list_uses(position) if use & condition == condition])

    def answer_position(self, position: AskedPosition, condition: int) -> Answer | None:
        """Return the answer to a position if the fault applies under a condition; None if there is no answer."""
        key = position.key, self.find_applied_uses(position, condition)
        if key not in self._said:
            self._said[key], _ = self._judge_with_uses(position, condition)
        return self._said[key]

    def is_shown_by(self, position: AskedPosition) -> bool:
        """Return whether the fault, always applied, changes the answer to a position.

        Judging without a condition is much faster for orders, whose legality is then cached.
        """
        key = position.key
        if key not in self._shows:
            (without,) = self.state.list_answers([position])
            with self._judge.lock:
                self._judge.switch_on(self._names)
                self._shows[key] = self._judge.answer_position(position, self.rulebook) != without
        return self._shows[key]

    @classmethod
    @lru_cache(maxsize=KEPT)
    def from_fault(cls, state: Hypothesis, fault: str) -> Suspect:
        """Return the suspect for a hypothesis and a fault; the same object each time, so that it keeps cached answers.

        Raises `ExclusiveFaultsError` like the class.
        """
        return cls(state, fault)

    def _judge_with_uses(self, position: AskedPosition, condition: int) -> tuple[Answer | None, frozenset[int]]:
        with self._judge.lock:
            self._judge.switch_on(self._names, condition)
            return self._judge.answer_position(position, self.rulebook), self._judge.get_uses(self.fault)


def start_afresh() -> None:
    """Clear all caches of answers, so that the counted work does not depend on earlier diagnoses."""
    forget_answers()
    Suspect.from_fault.cache_clear()


@dataclass
class _Weighing:
    """A suspect with the evidence by which its conditions are weighed."""

    evidence: Evidence
    suspect: Suspect
    worth: dict[int, int] = field(default_factory=dict)
    """The number of answers that each condition leaves unexplained."""
    _agreed: dict[tuple[int, tuple[int, ...]], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        left = self.evidence.list_misfits(self.suspect.state)
        ordered = sorted(range(len(self.evidence.heard)), key=lambda number: self.evidence.heard[number].size)
        contradicted = [
            number for number in ordered if number not in left and self.suspect.is_shown_by(self.get_position(number))
        ]
        shown = [number for number in ordered if number in left and self.suspect.is_shown_by(self.get_position(number))]
        self.left = shown[:EXPLAINED]
        contradicted = [number for number in contradicted if not self.agrees(number, ALWAYS)]
        self.contradicted, self.further = contradicted[:CONTRADICTED], contradicted[CONTRADICTED:]
        self.others = len(left) - len(self.left)

    def get_position(self, number: int) -> AskedPosition:
        """Return the position of an answer by its number in the evidence."""
        return self.evidence.heard[number].position

    def agrees(self, number: int, condition: int) -> bool:
        """Return whether the suspect explains an answer, by number, if its fault applies under a condition."""
        applied = self.suspect.find_applied_uses(self.get_position(number), condition)
        key = number, applied
        if key not in self._agreed:
            said = self.suspect.answer_position(self.get_position(number), condition)
            self._agreed[key] = self.evidence.agrees(self.evidence.heard[number], said)
        return self._agreed[key]

    def list_targets(self) -> list[int]:
        """List the numbers of the answers that the fault explains if it applies at the right uses of its rule."""
        return [number for number in self.left if self._find_explaining_uses(number)]

    def _find_explaining_uses(self, number: int) -> int:
        """Return the bits of all circumstances at the uses of the rule that explain an answer; 0 if no use does."""
        uses = self.suspect.list_uses(self.get_position(number))
        if self.agrees(number, ALWAYS):
            return _join_masks(uses)
        if len(uses) > MOST_USES:
            return 0
        return _join_masks(use for use in uses if self.agrees(number, use))

    def count_misfits(self, condition: int) -> int:
        """Count the answers that are unexplained or wrongly predicted if the fault applies under a condition."""
        if condition not in self.worth:
            self.worth[condition] = (
                self.others
                + sum(not self.agrees(number, condition) for number in self.left)
                + sum(not self.agrees(number, condition) for number in self.contradicted)
            )
        return self.worth[condition]

    def count_explained(self, condition: int) -> int:
        """Count the answers that the fault newly explains under a condition."""
        return sum(self.agrees(number, condition) for number in self.left)

    def list_best(self) -> list[int]:
        """List the conditions with the fewest unexplained or wrongly predicted answers, the simplest first.

        Some of the contradicted answers select them. Those that contradict further answers are dropped, unless none would be
        left.
        """
        kept = self._list_best_so_far()
        for _ in range(REFUTED):
            refuting = {condition: self._find_refuting_answer(condition) for condition in kept[:APART]}
            if standing := [condition for condition, number in refuting.items() if number is None]:
                return standing
            more = set(refuting.values())
            if not more:
                break
            self.contradicted += [number for number in self.further if number in more]
            self.further = [number for number in self.further if number not in more]
            self.worth.clear()
            kept = self._list_best_so_far()
        return kept

    def _find_refuting_answer(self, condition: int) -> int | None:
        """Find an answer that a condition predicts wrongly, among those set aside; None if there is none."""
        return next((number for number in self.further if not self.agrees(number, condition)), None)

    def _list_best_so_far(self) -> list[int]:
        targets = self.list_targets()
        if not targets:
            return []
        self.count_misfits(ALWAYS)
        true = _join_masks(self._find_explaining_uses(number) for number in targets[:3])
        singles = [one for one in _iter_bits(true & ~ALWAYS) if self.count_explained(one)]
        for one in singles:
            self.count_misfits(one)
        for condition in self._choose_likely(combinations(singles, 2)):
            self.count_misfits(condition)
        if min(self.worth.values()) > self.others:  # a condition that explains nothing alone may do so with another one
            for condition in self._choose_likely(combinations(_iter_bits(true & ~ALWAYS), 2)):
                self.count_misfits(condition)
        least = min(self.worth.values())
        kept = [one for one in self.worth if self.worth[one] == least and self.count_explained(one)]
        return sorted(kept, key=self._rank)

    def _choose_likely(self, pairs: Iterable[tuple[int, int]]) -> list[int]:
        """Join each pair of conditions; return those unions that apply at most explaining uses and few contradicting ones.

        The estimate judges nothing, so it covers all pairs: two circumstances that each contradict much may contradict nothing
        together.
        """
        explaining = [use for number in self.left for use in self._explaining_uses(number)]
        contradicting = [use for number in self.contradicted for use in self._contradicting_uses(number)]
        contradicting += [
            use for number in self.left for use in self.suspect.list_uses(self.get_position(number)) if use not in explaining
        ]
        found: dict[int, tuple[int, int]] = {}

        def where(condition: int) -> tuple[int, int]:
            if condition not in found:
                found[condition] = _mark_uses(explaining, condition), _mark_uses(contradicting, condition)
            return found[condition]

        scored: dict[int, int] = {}
        for one, other in pairs:
            (good, bad), (also_good, also_bad) = where(one), where(other)
            if good & also_good:
                scored.setdefault(one | other, (bad & also_bad).bit_count() - (good & also_good).bit_count())
        return sorted(scored, key=lambda condition: scored[condition])[:LIKELY]

    def _explaining_uses(self, number: int) -> list[int]:
        uses = self.suspect.list_uses(self.get_position(number))
        alone = [use for use in uses if self.agrees(number, use)] if 1 < len(uses) <= MOST_USES else []
        return alone or [use for use in uses if self.agrees(number, ALWAYS)]

    def _contradicting_uses(self, number: int) -> list[int]:
        uses = self.suspect.list_uses(self.get_position(number))
        alone = [use for use in uses if not self.agrees(number, use)] if 1 < len(uses) <= MOST_USES else []
        return alone or list(uses)

    def _rank(self, condition: int) -> tuple[object, ...]:
        return self.worth[condition], *_simplicity_key(condition)


def _mark_uses(uses: Sequence[int], condition: int) -> int:
    """Return a number whose bit N says whether the condition is true at use N."""
    return sum(1 << number for number, use in enumerate(uses) if use & condition == condition)


def _join_masks(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _iter_bits(mask: int) -> Iterator[int]:
    """Yield each set bit of a number as a number of its own, such as 4 and 1 for 5."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _simplicity_key(condition: int) -> tuple[int, list[tuple[int, int, str]]]:
    words = list_circumstances(condition)
    return len(words), sorted(map(_rank_circumstance, words), reverse=True)


@lru_cache(maxsize=10_000)
def _rank_circumstance(circumstance: str) -> tuple[int, int, str]:
    """Return a sort key for a circumstance: likelier mistakes and shorter names come first."""
    first = next((number for number, word in enumerate(_SIMPLER) if word in circumstance), len(_SIMPLER))
    return first, len(circumstance), circumstance


@dataclass(frozen=True)
class Candidate:
    """A suspect under one condition."""

    suspect: Suspect
    condition: int

    @property
    def hypothesis(self) -> Hypothesis:
        """The hypothesis that includes the fault under this condition."""
        return self.suspect.make_hypothesis(self.condition)

    @property
    def likelihood(self) -> float:
        """The prior likelihood of the candidate, from 0 to 1: lower for each circumstance in its condition."""
        return 0.5 ** (2 * len(list_circumstances(self.condition)))

    def answer_position(self, position: AskedPosition) -> Answer | None:
        """Return the answer to a position with the fault under the condition; None if there is no answer."""
        return self.suspect.answer_position(position, self.condition)

    def find_telling(self, positions: Sequence[AskedPosition]) -> Iterable[AskedPosition]:
        """Return the first positions whose answer the fault, always applied, would change."""
        return islice((at for at in positions if self.suspect.is_shown_by(at)), SHOWING)


class Rival(Protocol):
    """One of several explanations of an engine's answers: a candidate, or a whole hypothesis."""

    @property
    def likelihood(self) -> float:
        """The prior likelihood of the explanation, before any question is asked."""
        ...

    def answer_position(self, position: AskedPosition) -> Answer | None:
        """Return the answer to a position that the explanation predicts; None if it predicts none."""
        ...

    def find_telling(self, positions: Sequence[AskedPosition]) -> Iterable[AskedPosition]:
        """Return the positions on which the explanation may differ from others."""
        ...


OneOf = TypeVar("OneOf", bound=Rival)


# ---- who is suspected ----


def list_suspects(evidence: Evidence, state: Hypothesis) -> list[Suspect]:
    """List suspects: faults that, somewhere, explain answers left by a hypothesis; those that explain most come first."""
    left = evidence.list_misfits(state)
    ordered = sorted(left, key=lambda number: evidence.heard[number].size)
    tried, further = ordered[:FIRST], ordered[FIRST : FIRST + FURTHER]
    positions = [evidence.heard[number].position for number in tried]
    found: list[tuple[int, Suspect]] = []
    for fault in FAULTS:
        if fault in state.faults or not (asks_conditions(fault) or list_changed_positions(state.rules, fault, positions)):
            continue
        if evidence.is_exhausted():
            break
        try:
            suspect = Suspect.from_fault(state, fault)
        except ExclusiveFaultsError:  # it cannot be conditional, or combined with the others
            continue
        explained = sum(_could_explain(evidence, suspect, number) for number in tried)
        if explained:
            found.append((-explained, suspect))
    listed = sorted(found, key=lambda one: one[0])[:LISTED]
    if len(listed) > SUSPECTED:
        more = {suspect: sum(_could_explain(evidence, suspect, number) for number in further) for _, suspect in listed}
        listed.sort(key=lambda one: one[0] - more[one[1]])
    return [suspect for _, suspect in listed[:SUSPECTED]]


def _could_explain(evidence: Evidence, suspect: Suspect, number: int) -> bool:
    """Return whether a fault explains an answer by number if applied at all uses of its rule, at one, or at all but one."""
    heard = evidence.heard[number]
    uses = suspect.list_uses(heard.position)
    if evidence.agrees(heard, suspect.answer_position(heard.position, ALWAYS)):
        return True
    return 1 < len(uses) <= MOST_USES and any(
        evidence.agrees(heard, suspect.answer_position(heard.position, use)) for use in uses
    )


def list_candidates(evidence: Evidence, states: Iterable[Hypothesis]) -> list[Candidate]:
    """List the faults with conditions that, added to one of the hypotheses, leave and contradict fewest answers."""
    found: list[tuple[float, Candidate]] = []
    for state in dict.fromkeys(states):
        if evidence.is_exhausted() or not evidence.list_misfits(state):
            continue
        for suspect in list_suspects(evidence, state):
            weighing = _Weighing(evidence, suspect)
            best = weighing.list_best()
            found += [(weighing.worth[one] + 0.5 * len(state.faults), Candidate(suspect, one)) for one in best[:APART]]
        if found and min(cost for cost, _ in found) <= 0.5 * len(state.faults):
            break
    least = min((cost for cost, _ in found), default=0)
    kept = [one for cost, one in found if cost == least]
    return sorted(kept, key=lambda one: _simplicity_key(one.condition))[:APART]


# ---- questions that distinguish them ----


def split_rivals(evidence: Evidence, several: Sequence[OneOf], pool: Sequence[AskedPosition], ask: Ask) -> list[OneOf]:
    """Ask the engine about positions on which rival explanations differ most; return the rivals that agree with it."""
    standing = list(several)
    shown = _TellingPositions(standing, pool, evidence.by_units)
    for _ in range(ASKED):
        position = shown.choose_position(standing)
        if position is None:
            break
        heard = ask(position)
        shown.remove_position(position)
        if heard is None or heard.theirs is None:
            continue
        evidence.add_answers([heard])
        agreeing = [one for one in standing if _fits_answer(evidence, one, heard)]
        standing = agreeing or standing  # an answer that none explains belongs to another mistake
    return standing


class _TellingPositions:
    """Positions that may distinguish explanations, with a number for the answer of each there."""

    def __init__(self, several: Sequence[Rival], pool: Sequence[AskedPosition], by_units: bool) -> None:
        found = {at.key: at for one in several for at in one.find_telling(pool)}
        self.positions = list(found.values())
        self.asked: set[int] = set()
        said: list[list[object]] = [[] for _ in self.positions]
        at = list(zip(self.positions, said, strict=True))
        self.numbers = {
            id(one): [self._number_answer(one, position, known, by_units) for position, known in at] for one in several
        }

    def remove_position(self, position: AskedPosition) -> None:
        """Mark a position as asked, so that it is not chosen again."""
        self.asked.add(self.positions.index(position))

    def choose_position(self, standing: Sequence[Rival]) -> AskedPosition | None:
        """Return the position, not asked yet, on which rivals differ most, preferring small ones; None if they never differ."""
        rows = list({tuple(self.numbers[id(one)]): one for one in reversed(standing)}.items())
        best: tuple[float, int] | None = None
        chosen = None
        for number, position in enumerate(self.positions if len(rows) > 1 else ()):
            weights: dict[int, float] = {}
            for row, one in rows:
                weights[row[number]] = weights.get(row[number], 0.0) + one.likelihood
            if len(weights) == 1 or number in self.asked:
                continue
            rank = -sum(weight * weight for weight in weights.values()), -len(position.board.units)
            if best is None or rank > best:
                best, chosen = rank, position
        return chosen

    def _number_answer(self, one: Rival, position: AskedPosition, said: list[object], by_units: bool) -> int:
        """Return the index in `said` of a rival's answer to a position, appending a new answer."""
        answer = one.answer_position(position)
        seen: object = (answer.units, answer.dislodged) if answer and by_units else answer
        if seen not in said:
            said.append(seen)
        return said.index(seen)


def search_faults(evidence: Evidence, best: Hypothesis, pool: Sequence[AskedPosition], near: Nearby, ask: Ask) -> Hypothesis:
    """Find an engine's faults with their conditions, adding them to a hypothesis; ask the engine to confirm them."""
    asking = _FaultSearch(evidence, Hypothesis(best.rules, best.settings), pool, near, ask)
    for number in range(ROUNDS + FURTHER_ROUNDS):
        if evidence.is_exhausted() or (number >= ROUNDS and len(best.faults) < SEVERAL):
            break
        before, left = len(evidence.heard), evidence.list_misfits(best)
        known = f" beside {number_of(len(best.faults), 'mistake')}" if best.faults else ""
        evidence.report(f"looking for mistakes with circumstances{known}: {number_of(len(left), 'answer')} left")
        states = [asking.plain, *(best.without_part(one) for one in best.faults), *([best] if left else [])]
        found = asking.narrow_faults([best] if left and len(best.faults) >= SEVERAL else states)
        if found is None:
            break
        best, wide = found
        evidence.report("checking what was found by further questions", best)
        agreed = _confirm_faults(evidence, best, wide, ask)
        if (agreed and not evidence.list_misfits(best)) or len(evidence.heard) == before:
            break
    return best


def refine_fault(evidence: Evidence, best: Hypothesis, fault: str, pool: Sequence[AskedPosition], ask: Ask) -> Hypothesis:
    """Search again for a fault of a hypothesis and its condition on a pool of boards; return the better hypothesis.

    A result is taken only if it costs no more than the present hypothesis.
    """
    asking = _FaultSearch(evidence, Hypothesis(best.rules, best.settings), pool, lambda _: (), ask)
    beside = best.without_part(fault)
    for _ in range(REFUTED):
        if evidence.is_exhausted():
            break
        found = asking.narrow_faults([beside])
        if found and evidence.cost(found[0]) <= evidence.cost(best):
            best = found[0]
        if not evidence.list_misfits(best):
            break
    return best


@dataclass(frozen=True)
class _FaultSearch:
    """The search for faults under one rulebook with its settings, by questions."""

    evidence: Evidence
    plain: Hypothesis
    pool: Sequence[AskedPosition]
    near: Nearby
    ask: Ask

    def narrow_faults(self, states: Sequence[Hypothesis]) -> tuple[Hypothesis, Sequence[AskedPosition]] | None:
        """Ask questions that distinguish the likeliest faults, each added to one of the given hypotheses.

        Returns the best resulting hypothesis and positions that may confirm it, or None if no fault explains anything.
        """
        several = list_candidates(self.evidence, states)
        if not several:
            return None
        shown = [self.evidence.heard[number].position for number in _list_explained_numbers(self.evidence, several[0])]
        wide = [one for one in (*self.near(shown[:NEAR]), *self.pool) if one.key not in self.evidence.positions]
        for one in split_rivals(self.evidence, several, wide, self.ask)[:WEIGHED]:
            self.evidence.weigh(one.hypothesis)
        return minimize_hypothesis(self.evidence, self.evidence.best_under(self.plain)), wide


def _list_explained_numbers(evidence: Evidence, one: Candidate) -> list[int]:
    """List the numbers of answers that a candidate explains but its hypothesis without the fault does not."""
    left = evidence.list_misfits(one.suspect.state)
    ordered = sorted(left, key=lambda number: evidence.heard[number].size)
    return [number for number in ordered[:EXPLAINED] if _fits_answer(evidence, one, evidence.heard[number])]


def _fits_answer(evidence: Evidence, one: Rival, heard: EngineAnswer) -> bool:
    return evidence.agrees(heard, one.answer_position(heard.position))


def _confirm_faults(evidence: Evidence, best: Hypothesis, pool: Sequence[AskedPosition], ask: Ask) -> bool:
    """Ask about positions that would show each fault, whether its condition holds or not; add the answers to the evidence.

    Returns whether the hypothesis gives all these answers.
    """
    right = True
    for fault in best.faults:
        base, words = split_fault(fault)
        try:
            one = Candidate(Suspect.from_fault(best.without_part(fault), base), make_mask(words) or ALWAYS)
        except ExclusiveFaultsError:
            continue
        showing = [at for at in pool if at.key not in evidence.positions and one.suspect.is_shown_by(at)]
        applies = [
            at for at in showing if one.suspect.answer_position(at, one.condition) != one.suspect.answer_position(at, NEVER)
        ]
        spared = [at for at in showing if at not in applies]
        for position in (*sample_evenly(applies, CONFIRMING), *sample_evenly(spared, CONFIRMING)):
            heard = ask(position)
            if heard is not None and heard.theirs is not None:
                evidence.add_answers([heard])
                right &= _fits_answer(evidence, one, heard)
    return right


def sample_evenly(positions: Sequence[AskedPosition], most: int) -> Sequence[AskedPosition]:
    """Return at most `most` of the positions, spread evenly from first to last."""
    return positions[:: max(1, len(positions) // most)][:most]
