"""Finds out by questions which mistakes an engine makes, and in which circumstances.

A *suspect* is a hypothesis with one more fault, in unknown circumstances. A question uses the fault's rule a few times, and the
answer depends on the uses in which the fault applies. A suspect therefore judges each question once for each set of uses, and
thousands of conditions are weighed by looking up the uses to which they apply. Questions then distinguish the conditions that
contradict the fewest answers. Each question is chosen so that the predicted answers differ most.
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
"""A fault is suspected only if it explains one of this many smallest unexplained answers."""
LISTED, FURTHER = 40, 24
"""The number of faults that are compared on further answers, and the number of these answers."""
SUSPECTED = 20
"""The number of faults whose conditions are searched for at a time."""
MOST_USES = 6
"""The largest number of uses of a rule in a question for which applying the fault at single uses is tried."""
EXPLAINED, CONTRADICTED = 30, 60
"""The number of smallest unexplained answers, and of contradicted ones, on which conditions are weighed."""
LIKELY = 200
"""The number of promising pairs of circumstances that are weighed."""
REFUTED = 4
"""The largest number of new searches for conditions after further answers have contradicted all conditions found."""
APART = 160
"""The largest number of conditions that questions distinguish."""
ASKED = 24
"""The largest number of questions asked at a time to distinguish conditions."""
ROUNDS, FURTHER_ROUNDS = 4, 8
"""The largest number of searches for suspects, and of extra searches if there are several mistakes."""
SEVERAL = 3
"""With this many mistakes, new ones are only added and no longer replace others."""
CONFIRMING = 10
"""The number of positions with a true condition, and of ones with a false condition, that confirm a fault."""
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
"""The number of smallest answers explained by a fault whose positions are varied."""
SHOWING = 150
"""The number of positions that show each suspect from which the most informative ones are chosen."""
WEIGHED = 3
"""The number of remaining conditions that are weighed on all the evidence."""

KEPT = 200
"""The number of suspects whose answers are cached."""

Nearby = Callable[[Sequence[AskedPosition]], Iterable[AskedPosition]]
"""A function that yields variations of some positions."""


class Suspect:
    """A hypothesis with one more fault, in unknown circumstances.

    Raises `ExclusiveFaultsError` for a fault that cannot be conditional or cannot be combined with the hypothesis's faults.
    """

    def __init__(self, hypothesis: Hypothesis, fault: str) -> None:
        self.base, self.fault, self.rulebook = hypothesis, fault, hypothesis.rulebook
        self._judge = get_switchable_judge()
        self._names = (*hypothesis.faults, fault)
        if not self._judge.can_switch_on(self._names):
            raise ExclusiveFaultsError(f"{fault} cannot be conditional together with {', '.join(hypothesis.faults)}")
        self._uses: dict[str, tuple[int, ...]] = {}
        self._said: dict[tuple[str, tuple[int, ...]], Answer | None] = {}
        self._shows: dict[str, bool] = {}

    def make_hypothesis(self, condition: int) -> Hypothesis:
        """Return the hypothesis with the fault limited to a condition, which is a bit mask of circumstances."""
        return self.base.with_part(name_conditional_fault(self.fault, list_circumstances(condition)))

    def list_uses(self, position: AskedPosition) -> tuple[int, ...]:
        """Return the circumstances, as bit masks, at each use of the fault's rule while a position is judged, sorted."""
        key = position.key
        if key not in self._uses:
            (usual_answer,) = self.base.list_answers([position])
            _, found = self._judge_with_uses(position, NEVER)
            always, more = self._judge_with_uses(position, ALWAYS) if found else (usual_answer, frozenset())
            self._uses[key] = tuple(sorted(found | more))
            self._said[key, ()] = usual_answer
            self._said[key, self._uses[key]] = usual_answer if always == usual_answer else always
        return self._uses[key]

    def find_applied_uses(self, position: AskedPosition, condition: int) -> tuple[int, ...]:
        """Return the uses of the rule (as bit masks of circumstances) at which the fault applies under a condition."""
        return tuple([use for use in self.list_uses(position) if use & condition == condition])

    def answer_position(self, position: AskedPosition, condition: int) -> Answer | None:
        """Return the predicted answer to a position if the fault applies under a condition; None if there is no answer."""
        key = position.key, self.find_applied_uses(position, condition)
        if key not in self._said:
            self._said[key], _ = self._judge_with_uses(position, condition)
        return self._said[key]

    def is_shown_by(self, position: AskedPosition) -> bool:
        """Return whether the fault changes the answer to a position if it applies without a condition.

        Judging without a condition is much faster, because the legality of orders is then cached.
        """
        key = position.key
        if key not in self._shows:
            (usual_answer,) = self.base.list_answers([position])
            with self._judge.lock:
                self._judge.switch_on(self._names)
                self._shows[key] = self._judge.answer_position(position, self.rulebook) != usual_answer
        return self._shows[key]

    @classmethod
    @lru_cache(maxsize=KEPT)
    def from_fault(cls, hypothesis: Hypothesis, fault: str) -> Suspect:
        """Return the suspect for a hypothesis and a fault: the same object each time, which caches its answers.

        Raises `ExclusiveFaultsError` like the class.
        """
        return cls(hypothesis, fault)

    def _judge_with_uses(self, position: AskedPosition, condition: int) -> tuple[Answer | None, frozenset[int]]:
        with self._judge.lock:
            self._judge.switch_on(self._names, condition)
            return self._judge.answer_position(position, self.rulebook), self._judge.get_uses(self.fault)


def clear_answer_caches() -> None:
    """Clear all caches of predicted answers, so that the work counted for a diagnosis does not depend on earlier ones."""
    forget_answers()
    Suspect.from_fault.cache_clear()


@dataclass
class _Weighing:
    """A suspect with the evidence on which its conditions are weighed."""

    evidence: Evidence
    suspect: Suspect
    worth: dict[int, int] = field(default_factory=dict)
    """The number of answers that each condition leaves unexplained or predicts wrongly."""
    _agreed: dict[tuple[int, tuple[int, ...]], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        left = self.evidence.list_misfits(self.suspect.base)
        ordered = sorted(range(len(self.evidence.answers)), key=lambda number: self.evidence.answers[number].size)
        contradicted = [
            number for number in ordered if number not in left and self.suspect.is_shown_by(self.get_position(number))
        ]
        shown = [number for number in ordered if number in left and self.suspect.is_shown_by(self.get_position(number))]
        self.left = shown[:EXPLAINED]
        contradicted = [number for number in contradicted if not self.agrees(number, ALWAYS)]
        self.contradicted, self.further = contradicted[:CONTRADICTED], contradicted[CONTRADICTED:]
        self.others = len(left) - len(self.left)

    def get_position(self, number: int) -> AskedPosition:
        """Return the position of the answer with an index in the evidence."""
        return self.evidence.answers[number].position

    def agrees(self, number: int, condition: int) -> bool:
        """Return whether the suspect explains answer `number` if its fault applies under all circumstances of this bit mask."""
        applied = self.suspect.find_applied_uses(self.get_position(number), condition)
        key = number, applied
        if key not in self._agreed:
            prediction = self.suspect.answer_position(self.get_position(number), condition)
            self._agreed[key] = self.evidence.agrees(self.evidence.answers[number], prediction)
        return self._agreed[key]

    def list_targets(self) -> list[int]:
        """List the indices of weighed unexplained answers that the fault explains if applied at the right uses of its rule."""
        return [number for number in self.left if self._find_explaining_uses(number)]

    def _find_explaining_uses(self, number: int) -> int:
        """Return a mask of all circumstances at the uses of the rule where the fault explains an answer; 0 if none is found."""
        uses = self.suspect.list_uses(self.get_position(number))
        if self.agrees(number, ALWAYS):
            return _join_masks(uses)
        if len(uses) > MOST_USES:
            return 0
        return _join_masks(use for use in uses if self.agrees(number, use))

    def count_misfits(self, condition: int) -> int:
        """Return how many weighed answers are unexplained or wrongly predicted if the fault applies under a condition."""
        if condition not in self.worth:
            self.worth[condition] = (
                self.others
                + sum(not self.agrees(number, condition) for number in self.left)
                + sum(not self.agrees(number, condition) for number in self.contradicted)
            )
        return self.worth[condition]

    def count_explained(self, condition: int) -> int:
        """Return how many of the smallest unexplained answers the fault explains if it applies under a condition."""
        return sum(self.agrees(number, condition) for number in self.left)

    def list_best(self) -> list[int]:
        """List the conditions that leave fewest answers unexplained or wrongly predicted, the simplest first.

        The conditions are selected on some of the contradicted answers. Conditions that contradict further answers are then
        dropped, unless none would remain.
        """
        best = self._list_best_so_far()
        for _ in range(REFUTED):
            refuting = {condition: self._find_refuting_answer(condition) for condition in best[:APART]}
            if standing := [condition for condition, number in refuting.items() if number is None]:
                return standing
            more = set(refuting.values())
            if not more:
                break
            self.contradicted += [number for number in self.further if number in more]
            self.further = [number for number in self.further if number not in more]
            self.worth.clear()
            best = self._list_best_so_far()
        return best

    def _find_refuting_answer(self, condition: int) -> int | None:
        """Return the index of an answer, not yet used to select conditions, that a condition predicts wrongly, or None."""
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
        if min(self.worth.values()) > self.others:  # two conditions may explain together what neither does alone
            for condition in self._choose_likely(combinations(_iter_bits(true & ~ALWAYS), 2)):
                self.count_misfits(condition)
        least = min(self.worth.values())
        best = [one for one in self.worth if self.worth[one] == least and self.count_explained(one)]
        return sorted(best, key=self._rank)

    def _choose_likely(self, pairs: Iterable[tuple[int, int]]) -> list[int]:
        """Return the joined pairs of conditions that apply at most uses that explain answers, and at few that contradict them.

        The estimate needs no judging, so it can cover all pairs: two circumstances that each contradict many answers may
        contradict none together.
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
    """Return a number whose bit N is set if the condition is true at use N."""
    return sum(1 << number for number, use in enumerate(uses) if use & condition == condition)


def _join_masks(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _iter_bits(mask: int) -> Iterator[int]:
    """Yield each set bit of a number as a separate number, such as 1 and 4 for 5."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def _simplicity_key(condition: int) -> tuple[int, list[tuple[int, int, str]]]:
    words = list_circumstances(condition)
    return len(words), sorted(map(_rank_circumstance, words), reverse=True)


@lru_cache(maxsize=10_000)
def _rank_circumstance(circumstance: str) -> tuple[int, int, str]:
    """Return a sort key for a circumstance that puts likely kinds of mistakes first, then short names."""
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
        """The prior likelihood of the candidate, from 0 to 1, which falls with each circumstance in its condition."""
        return 0.5 ** (2 * len(list_circumstances(self.condition)))

    def answer_position(self, position: AskedPosition) -> Answer | None:
        """Return the predicted answer to a position, with the fault under the condition; None if there is no answer."""
        return self.suspect.answer_position(position, self.condition)

    def find_telling_positions(self, positions: Sequence[AskedPosition]) -> Iterable[AskedPosition]:
        """Return the first positions whose answer the fault would change if it applied without a condition."""
        return islice((at for at in positions if self.suspect.is_shown_by(at)), SHOWING)


class Rival(Protocol):
    """One of several explanations of an engine's answers: a candidate or a hypothesis."""

    @property
    def likelihood(self) -> float:
        """The prior likelihood of the explanation, before any question is asked."""
        ...

    def answer_position(self, position: AskedPosition) -> Answer | None:
        """Return the predicted answer to a position; None if the explanation predicts none."""
        ...

    def find_telling_positions(self, positions: Sequence[AskedPosition]) -> Iterable[AskedPosition]:
        """Return the positions on which the explanation may predict another answer than its rivals."""
        ...


OneOf = TypeVar("OneOf", bound=Rival)


# ---- who is suspected ----


def list_suspects(evidence: Evidence, base: Hypothesis) -> list[Suspect]:
    """List suspects, with faults that can explain answers which a hypothesis leaves unexplained, the best first."""
    left = evidence.list_misfits(base)
    ordered = sorted(left, key=lambda number: evidence.answers[number].size)
    first_numbers, further = ordered[:FIRST], ordered[FIRST : FIRST + FURTHER]
    positions = [evidence.answers[number].position for number in first_numbers]
    found: list[tuple[int, Suspect]] = []
    for fault in FAULTS:
        if fault in base.faults or not (asks_conditions(fault) or list_changed_positions(base.rules, fault, positions)):
            continue
        if evidence.is_exhausted():
            break
        try:
            suspect = Suspect.from_fault(base, fault)
        except ExclusiveFaultsError:  # it cannot be conditional, or combined with the others
            continue
        explained = sum(_could_explain(evidence, suspect, number) for number in first_numbers)
        if explained:
            found.append((-explained, suspect))
    ranked = sorted(found, key=lambda one: one[0])[:LISTED]
    if len(ranked) > SUSPECTED:
        more = {suspect: sum(_could_explain(evidence, suspect, number) for number in further) for _, suspect in ranked}
        ranked.sort(key=lambda one: one[0] - more[one[1]])
    return [suspect for _, suspect in ranked[:SUSPECTED]]


def _could_explain(evidence: Evidence, suspect: Suspect, number: int) -> bool:
    """Return whether a fault explains the answer with index `number` if it applies at all uses of its rule or at one use."""
    answer = evidence.answers[number]
    uses = suspect.list_uses(answer.position)
    if evidence.agrees(answer, suspect.answer_position(answer.position, ALWAYS)):
        return True
    return 1 < len(uses) <= MOST_USES and any(
        evidence.agrees(answer, suspect.answer_position(answer.position, use)) for use in uses
    )


def list_candidates(evidence: Evidence, hypotheses: Iterable[Hypothesis]) -> list[Candidate]:
    """List candidates, each adding a conditional fault to one of the hypotheses, that leave fewest answers wrong."""
    found: list[tuple[float, Candidate]] = []
    for state in dict.fromkeys(hypotheses):
        if evidence.is_exhausted() or not evidence.list_misfits(state):
            continue
        for suspect in list_suspects(evidence, state):
            weighing = _Weighing(evidence, suspect)
            best = weighing.list_best()
            found += [(weighing.worth[one] + 0.5 * len(state.faults), Candidate(suspect, one)) for one in best[:APART]]
        if found and min(cost for cost, _ in found) <= 0.5 * len(state.faults):
            break
    least = min((cost for cost, _ in found), default=0)
    cheapest = [one for cost, one in found if cost == least]
    return sorted(cheapest, key=lambda one: _simplicity_key(one.condition))[:APART]


# ---- questions that distinguish them ----


def split_rivals(evidence: Evidence, rivals: Sequence[OneOf], pool: Sequence[AskedPosition], ask: Ask) -> list[OneOf]:
    """Ask where in `pool` rivals differ most, and add the answers to the evidence; return the rivals that fit (all if none)."""
    standing = list(rivals)
    telling = _TellingPositions(standing, pool, evidence.by_units)
    for _ in range(ASKED):
        position = telling.choose_position(standing)
        if position is None:
            break
        answer = ask(position)
        telling.remove_position(position)
        if answer is None or answer.theirs is None:
            continue
        evidence.add_answers([answer])
        agreeing = [one for one in standing if _fits_answer(evidence, one, answer)]
        standing = agreeing or standing  # if no rival explains an answer, it results from another mistake
    return standing


class _TellingPositions:
    """Positions that may distinguish rivals, with a number for each rival's answer to each of them."""

    def __init__(self, rivals: Sequence[Rival], pool: Sequence[AskedPosition], by_units: bool) -> None:
        found = {at.key: at for one in rivals for at in one.find_telling_positions(pool)}
        self.positions = list(found.values())
        self.asked: set[int] = set()
        answers: list[list[object]] = [[] for _ in self.positions]
        at = list(zip(self.positions, answers, strict=True))
        self.numbers = {
            id(one): [self._number_answer(one, position, known, by_units) for position, known in at] for one in rivals
        }

    def remove_position(self, position: AskedPosition) -> None:
        """Mark a position as asked, so that it is not chosen again."""
        self.asked.add(self.positions.index(position))

    def choose_position(self, rivals: Sequence[Rival]) -> AskedPosition | None:
        """Return the unasked position on which rivals differ most, a small one if possible; None if they differ on none."""
        rows = list({tuple(self.numbers[id(one)]): one for one in reversed(rivals)}.items())
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

    def _number_answer(self, rival: Rival, position: AskedPosition, known_answers: list[object], by_units: bool) -> int:
        """Return the index of a rival's answer to a position in `known_answers`, adding it if it is new."""
        answer = rival.answer_position(position)
        seen: object = (answer.units, answer.dislodged) if answer and by_units else answer
        if seen not in known_answers:
            known_answers.append(seen)
        return known_answers.index(seen)


def search_faults(evidence: Evidence, best: Hypothesis, pool: Sequence[AskedPosition], vary: Nearby, ask: Ask) -> Hypothesis:
    """Find an engine's conditional faults, with questions to the engine, and return the hypothesis that includes them."""
    asking = _FaultSearch(evidence, Hypothesis(best.rules, best.settings), pool, vary, ask)
    for number in range(ROUNDS + FURTHER_ROUNDS):
        if evidence.is_exhausted() or (number >= ROUNDS and len(best.faults) < SEVERAL):
            break
        before, left = len(evidence.answers), evidence.list_misfits(best)
        known = f" in addition to {number_of(len(best.faults), 'mistake')}" if best.faults else ""
        evidence.report(f"looking for conditional mistakes{known}: {number_of(len(left), 'answer')} left")
        states = [asking.plain, *(best.without_part(one) for one in best.faults), *([best] if left else [])]
        found = asking.narrow_faults([best] if left and len(best.faults) >= SEVERAL else states)
        if found is None:
            break
        best, wide = found
        evidence.report("confirming mistakes by further questions", best)
        agreed = _confirm_faults(evidence, best, wide, ask)
        if (agreed and not evidence.list_misfits(best)) or len(evidence.answers) == before:
            break
    return best


def refine_fault(evidence: Evidence, best: Hypothesis, fault: str, pool: Sequence[AskedPosition], ask: Ask) -> Hypothesis:
    """Search again for one fault of a hypothesis and its condition on a pool of boards; return the better hypothesis.

    The result replaces the present hypothesis only if it does not cost more.
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
    """A search for faults under one rulebook and its settings, by asking the engine."""

    evidence: Evidence
    plain: Hypothesis
    pool: Sequence[AskedPosition]
    vary: Nearby
    ask: Ask

    def narrow_faults(self, hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, Sequence[AskedPosition]] | None:
        """Ask questions to tell the likeliest faults apart; return the best hypothesis and positions to test it, or None.

        Each fault is added to one of the hypotheses. Returns None if no fault explains any answer.
        """
        several = list_candidates(self.evidence, hypotheses)
        if not several:
            return None
        shown = [self.evidence.answers[number].position for number in _list_explained_numbers(self.evidence, several[0])]
        wide = [one for one in (*self.vary(shown[:NEAR]), *self.pool) if one.key not in self.evidence.positions]
        for one in split_rivals(self.evidence, several, wide, self.ask)[:WEIGHED]:
            self.evidence.weigh(one.hypothesis)
        return minimize_hypothesis(self.evidence, self.evidence.best_under(self.plain)), wide


def _list_explained_numbers(evidence: Evidence, candidate: Candidate) -> list[int]:
    """List the indices of answers that a candidate explains only because of its fault."""
    left = evidence.list_misfits(candidate.suspect.base)
    ordered = sorted(left, key=lambda number: evidence.answers[number].size)
    return [number for number in ordered[:EXPLAINED] if _fits_answer(evidence, candidate, evidence.answers[number])]


def _fits_answer(evidence: Evidence, rival: Rival, answer: EngineAnswer) -> bool:
    return evidence.agrees(answer, rival.answer_position(answer.position))


def _confirm_faults(evidence: Evidence, best: Hypothesis, pool: Sequence[AskedPosition], ask: Ask) -> bool:
    """Test each fault with its condition true and false: ask, add the answers to the evidence, return whether all are right."""
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
            answer = ask(position)
            if answer is not None and answer.theirs is not None:
                evidence.add_answers([answer])
                right &= _fits_answer(evidence, one, answer)
    return right


def sample_evenly(positions: Sequence[AskedPosition], limit: int) -> Sequence[AskedPosition]:
    """Return at most `limit` of the positions, at regular intervals from the first on."""
    return positions[:: max(1, len(positions) // limit)][:limit]
