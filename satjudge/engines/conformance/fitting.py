"""Finds the hypotheses that leave the fewest of an engine's answers unexplained."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from satjudge.base.errors import RulebookError
from satjudge.base.resources import data_directory
from satjudge.engines.comparison import Depth, Difference, can_mean, compare_answers, has_same_fate
from satjudge.engines.conformance.engine_answers import MORE, EngineAnswer
from satjudge.engines.conformance.faults import is_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, iter_further_parts, list_changed_positions, predict_answers
from satjudge.engines.conformance.signatures import count_changed, get_table_keys, make_key
from satjudge.engines.conformance.switchable_judge import get_switchable_judge
from satjudge.engines.positions import AskedPosition
from satjudge.files.dialects import Meanings
from satjudge.oracles.oracle import Answer
from satjudge.world.orders import Convoy, SupportHold, SupportMove
from satjudge.world.verdicts import OrderResult

NO_ANSWER = 0.25
"""The cost of a question that a rulebook has no answer to; a wrong answer costs 1."""
OTHER_RULEBOOK = 0.5
"""The cost of another rulebook than the one asked for: more than one setting of that one, less than two."""
MOST_EXPANDED = 4
"""Most hypotheses to which every further part is tried."""
NOT_COUNTED = (OrderResult.ILLEGAL, OrderResult.INVALID)
"""The verdicts on orders that do not count."""
FEW_LEFT = 3
"""Most unexplained answers for which no part is tried with worse hypotheses, once none improves the best one."""
MOST_TRIED_ON = 16
"""Most questions on which a part is tried first; one that explains none of these is passed over."""
MOST_PAIRS = 8
"""Most pairs of parts that are tried together, of those that look best each by itself."""
CLOSE = 0.25
"""The weight by which the parts of a rival may exceed those of the best hypothesis."""
WORSE = 3.0
"""The cost by which a hypothesis may exceed the best one if further parts are to be tried with it."""
NEAR_TRIED, NEAR_TOLD, NEAR_RATIO = 10, 2, 4
"""Limits of near misses: answers on which one is tried, misses that are told, and answers contradicted for one explained."""
MOST_PARTS = 30
"""Most parts that are tried with a hypothesis, of those that the table of signatures is for."""


TRIES = 1000
"""Most hypotheses that are tried for an engine by default."""


WHOLE = 3
"""The tries that weighing a hypothesis on all answers counts for, since it takes as long."""


@dataclass
class Budget:
    """The number of hypotheses that may still be tried."""

    left: int = TRIES
    whole: int = 0
    """What it was at first."""

    def __post_init__(self) -> None:
        self.whole = self.whole or self.left

    def at_least(self, share: int) -> Budget:
        """Return the remaining budget, or an equal share of the whole budget if that is larger."""
        return Budget(max(self.left, self.whole // share), self.whole)


class Evidence:
    """The answers that are to be explained, with the hypotheses that have been weighed by them.

    At most so many hypotheses are tried as the `budget` has left, so that the result is the same on every machine.
    """

    def __init__(self, rules: Hypothesis, words: Meanings, budget: Budget | None = None) -> None:
        self.told_to_play = rules
        self.budget = budget or Budget()
        self.words = words
        self.by_effect = False
        """Whether answers agree that say otherwise only which supports and convoys count, and come to the same."""
        self.by_units = False
        """Whether verdicts are no matter, only where units are, which are dislodged, and where these may retreat."""
        self.heard: list[EngineAnswer] = []
        self.keys: list[str] = []
        self.positions: dict[str, AskedPosition] = {}
        self._fits: dict[Hypothesis, tuple[frozenset[int], int, int]] = {}
        self._tried: set[object] = set()

    def is_exhausted(self) -> bool:
        """Return whether no more hypotheses may be tried."""
        return self.budget.left <= 0

    def count_trial(self, tried: object = None) -> None:
        """Count one tried hypothesis; a named one is counted only once, as its answers are cached."""
        if tried is None or tried not in self._tried:
            self._tried.add(tried)
            self.budget.left -= 1

    def add_answers(self, heard: Iterable[EngineAnswer]) -> None:
        """Add answers to the evidence."""
        more = list(heard)
        self.heard += more
        self.keys += [make_key(one.position) for one in more]
        self.positions |= {make_key(one.position): one.position for one in more}

    def agrees(self, heard: EngineAnswer, said: Answer | None) -> bool:
        """Return whether the answer of a hypothesis can mean the same as the engine's."""
        if heard.theirs is None or said is None:
            return False
        differences = self._differences(heard, said)
        return not differences or (self.by_effect and all(self._is_only_naming(heard, one) for one in differences))

    def _differences(self, heard: EngineAnswer, said: Answer) -> list[Difference]:
        assert heard.theirs is not None
        depth = min(heard.depth, Depth.DISLODGEMENTS, key=lambda one: one.compares_results) if self.by_units else heard.depth
        return compare_answers(said, heard.theirs, heard.position.orders, depth, self.words)

    def _is_only_naming(self, heard: EngineAnswer, difference: Difference) -> bool:
        """Return whether a difference is about a support or convoy that does not count by one of two answers."""
        order = heard.position.orders_by_number.get((difference.power, difference.number or 0))
        if difference.number is None or not isinstance(order, SupportHold | SupportMove | Convoy):
            return False
        counts = difference.order_result not in NOT_COUNTED, not can_mean(difference.theirs, NOT_COUNTED, self.words)
        return counts[0] != counts[1] and has_same_fate(difference.ours, difference.theirs, self.words)

    def list_naming_differences(self, hypothesis: Hypothesis) -> list[tuple[EngineAnswer, Difference]]:
        """List the differences between the engine and a hypothesis in the words for orders that do not count."""
        said = predict_answers(hypothesis, self.positions) or {}
        given = [(one, said.get(key)) for one, key in zip(self.heard, self.keys, strict=True)]
        told = [(one, self._differences(one, answer)) for one, answer in given if answer and self.agrees(one, answer)]
        return [(one, differences[0]) for one, differences in told if differences]

    def copy_by_effect(self) -> Evidence:
        """Copy the evidence so that words for orders that do not count are ignored, and weigh the best hypotheses."""
        other = Evidence(self.told_to_play, self.words, self.budget)
        other.by_effect = True
        other.add_answers(self.heard)
        for hypothesis in self.list_cheapest(WORSE):
            other.weigh(hypothesis)
        return other

    def copy_by_units(self) -> Evidence:
        """Copy the evidence so that only units are compared, not verdicts.

        A third of all hypotheses may be tried with it, if no more are left.
        """
        other = Evidence(self.told_to_play, self.words, self.budget.at_least(3))
        other.by_units = True
        other.add_answers(self.heard)
        return other

    def weigh(self, hypothesis: Hypothesis) -> tuple[frozenset[int], int] | None:
        """Weigh a hypothesis: return the numbers of the answers it does not explain, and how many its rulebook leaves open.

        None if its parts exclude each other. Where faults leave no answer, though their rulebook has one, nothing is explained.
        """
        kept = self._fits.get(hypothesis)
        if kept is None or kept[2] != len(self.heard):
            self.budget.left -= WHOLE
            said = predict_answers(hypothesis, self.positions)
            plain = predict_answers(Hypothesis(hypothesis.rules, hypothesis.settings), self.positions)
            if said is None or plain is None:
                return None
            open_ones = {number for number, key in enumerate(self.keys) if said[key] is None and plain[key] is None}
            misfits = frozenset(
                number
                for number, (heard, key) in enumerate(zip(self.heard, self.keys, strict=True))
                if number not in open_ones and not self.agrees(heard, said[key])
            )
            kept = self._fits[hypothesis] = misfits, len(open_ones), len(self.heard)
        return kept[0], kept[1]

    def list_misfits(self, hypothesis: Hypothesis) -> frozenset[int]:
        """Return the numbers of the answers that a hypothesis does not explain; all if its parts exclude each other."""
        fit = self.weigh(hypothesis)
        return frozenset(range(len(self.heard))) if fit is None else fit[0]

    def cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis: a price for each unexplained answer and for each of its parts."""
        return float("inf") if self.weigh(hypothesis) is None else self._known_cost(hypothesis)

    @property
    def best(self) -> Hypothesis:
        """The hypothesis of least cost among those that have been weighed."""
        return self.list_cheapest(0)[0]

    def best_under(self, rules: Hypothesis) -> Hypothesis:
        """Return the cheapest weighed hypothesis with the same rulebook and settings as a given one."""
        alike = [one for one in self._fits if (one.rules, one.settings) == (rules.rules, rules.settings)]
        return self._list_cheapest(0, alike)[0]

    def list_cheapest(self, worse: float) -> list[Hypothesis]:
        """List the weighed hypotheses that cost at most `worse` more than the best one, the best first.

        Of equals the one that was weighed first comes first.
        """
        return self._list_cheapest(worse, self._fits)

    def _list_cheapest(self, worse: float, several: Iterable[Hypothesis]) -> list[Hypothesis]:
        """List the hypotheses, of several, that cost at most `worse` more than the best of them."""
        known = sorted(several, key=self._known_cost)
        limit, found = float("inf"), []
        for hypothesis in known:
            if self._known_cost(hypothesis) > limit:
                break
            cost = self.cost(hypothesis)
            found.append((cost, hypothesis))
            limit = min(limit, cost + worse)
        return [hypothesis for cost, hypothesis in sorted(found, key=lambda one: one[0]) if cost <= limit]

    def _known_cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis on the answers that were there when it was last weighed."""
        misfits, unanswered, _ = self._fits[hypothesis]
        unsaid = 0.0 if hypothesis.rules == self.told_to_play.rules else OTHER_RULEBOOK
        return len(misfits) + NO_ANSWER * unanswered + hypothesis.weight + unsaid


def list_rulebook_hypotheses() -> list[Hypothesis]:
    """List a hypothesis for each rulebook that comes with satjudge."""
    return [Hypothesis(path.stem) for path in sorted((data_directory() / "models" / "rulebooks").glob("*.toml"))]


def search_hypotheses(evidence: Evidence) -> Hypothesis:
    """Search for the best hypothesis: add settings and faults to the best rulebooks as long as more is explained."""
    starts = sorted({evidence.told_to_play, min(list_rulebook_hypotheses(), key=evidence.cost)}, key=evidence.cost)
    expanded: set[Hypothesis] = set()
    for start in starts:
        if evidence.list_misfits(evidence.best) and not evidence.is_exhausted():
            expanded.add(start)
            _weigh_extensions(evidence, start)
    while (left := evidence.list_misfits(evidence.best)) and len(expanded) < MOST_EXPANDED:
        if evidence.is_exhausted() or (evidence.best in expanded and len(left) <= FEW_LEFT):
            break
        promising = [one for one in evidence.list_cheapest(WORSE) if one not in expanded]
        if not promising:
            break
        expanded.add(promising[0])
        _weigh_extensions(evidence, promising[0])
    return minimize_hypothesis(evidence, evidence.best)


def _weigh_extensions(evidence: Evidence, state: Hypothesis) -> None:
    """Weigh a hypothesis with each further part that explains something, and with the best pairs of these."""
    left = evidence.list_misfits(state)
    tried_on = sorted(left, key=lambda number: evidence.heard[number].size)[:MOST_TRIED_ON]
    asked = [evidence.heard[number].position for number in tried_on]
    fitting: dict[str, frozenset[int]] = {}
    enough: int | None = None
    for part, likely in _rank_parts(evidence, state, left):
        if evidence.is_exhausted() or (enough is not None and likely > enough):
            break
        child = (
            _add_part(state, part)
            if state.settings or not is_fault(part) or list_changed_positions(state.rules, part, asked)
            else None
        )
        if child is not None and _explains_any(evidence, child, tried_on) and evidence.weigh(child) is not None:
            fitting[part] = evidence.list_misfits(child)
            enough = enough if fitting[part] else likely
    if not fitting or not min(fitting.values(), key=len):
        return
    pairs = sorted(combinations(fitting, 2), key=lambda pair: _estimate_unexplained(left, fitting[pair[0]], fitting[pair[1]]))
    for first, second in pairs[:MOST_PAIRS]:
        child = _add_part(state, first)
        both = child and _add_part(child, second)
        if both is not None and not evidence.is_exhausted():
            evidence.weigh(both)


def _rank_parts(evidence: Evidence, state: Hypothesis, left: Collection[int]) -> Iterator[tuple[str, int]]:
    """Yield the parts that could explain remaining answers, each with its rank by the table, the likeliest first.

    Where a hypothesis has settings already, a fault may tell something only together with these, which the table does not know.
    """
    keys = {evidence.keys[number] for number in left} & get_table_keys()
    if not keys:  # only questions that were asked besides: what explains them explains some of the others as well
        keys = {evidence.keys[number] for number in evidence.list_misfits(Hypothesis(state.rules))} & get_table_keys()
    incomplete = any(
        evidence.keys[number] not in get_table_keys() and evidence.heard[number].part not in (MORE, "boards") for number in left
    )
    with_settings = bool(state.settings) and state == evidence.best
    ranked: list[tuple[int, str]] = []
    for part in iter_further_parts(state):
        if is_fault(part) and get_switchable_judge().can_switch_on(
            (part,)
        ):  # `separating` looks for these, in whatever circumstances
            continue
        tells = count_changed(state.rules, part, keys)
        if tells is None or (not tells[0] and incomplete) or (with_settings and tells == (0, 0) and is_fault(part)):
            ranked.append((0, part))
        elif tells[0]:
            ranked.append((tells[1] - tells[0], part))
    known = [one for one in sorted(ranked) if one[0]][:MOST_PARTS]
    yield from ((part, likely) for likely, part in sorted([*known, *(one for one in ranked if not one[0])]))


def _add_part(state: Hypothesis, part: str) -> Hypothesis | None:
    try:
        return state.with_part(part)
    except RulebookError:
        return None


def list_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> list[int]:
    """List the numbers of those of some answers that a hypothesis explains."""
    return list(_iter_explained_numbers(evidence, hypothesis, numbers))


def _iter_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> Iterator[int]:
    """Yield the numbers, of some answers, that a hypothesis explains, testing each only when it is asked for."""
    evidence.count_trial()
    for number in numbers:
        key = evidence.keys[number]
        said = predict_answers(hypothesis, {key: evidence.positions[key]})
        if said is None:
            return
        if evidence.agrees(evidence.heard[number], said[key]):
            yield number


def _explains_any(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> bool:
    """Return whether a hypothesis explains at least one of some answers."""
    return next(_iter_explained_numbers(evidence, hypothesis, numbers), None) is not None


def _estimate_unexplained(left: frozenset[int], first: frozenset[int], second: frozenset[int]) -> int:
    """Estimate how many answers two parts leave together: explained by neither, or contradicted by either."""
    unexplained = left & first & second
    contradicted = (first - left) | (second - left)
    return len(unexplained) + len(contradicted)


def minimize_hypothesis(evidence: Evidence, hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis without its parts that explain nothing."""
    for part in hypothesis.parts:
        smaller = hypothesis.without_part(part)
        if evidence.cost(smaller) <= evidence.cost(hypothesis):
            return minimize_hypothesis(evidence, smaller)
    return hypothesis


@dataclass(frozen=True, slots=True)
class NearFault:
    """A fault that explains some unexplained answers and contradicts others; both are numbers of answers."""

    fault: str
    explains: frozenset[int]
    contradicts: frozenset[int]


def list_near_misses(evidence: Evidence, best: Hypothesis, left: frozenset[int]) -> list[NearFault]:
    """List the faults that explain most of the remaining answers, though the engine cannot have exactly these faults.

    The engine may make such a mistake in some cases only. Faults that contradict many more answers than they explain are not
    listed.
    """
    known = evidence.list_misfits(best)
    tried = sorted(left, key=lambda number: evidence.heard[number].size)[:NEAR_TRIED]
    found = []
    for fault in iter_further_parts(best):
        if evidence.is_exhausted():
            break
        near = is_fault(fault) and list_changed_positions(
            best.rules, fault, [evidence.heard[number].position for number in tried]
        )
        child = _add_part(best, fault) if near else None
        if child is None or not tried or not _explains_any(evidence, child, tried):
            continue
        misfits = evidence.list_misfits(child)
        miss = NearFault(fault, left - misfits, misfits - known)
        if miss.explains and 0 < len(miss.contradicts) <= NEAR_RATIO * len(miss.explains):
            found.append(miss)
    return sorted(found, key=lambda miss: (-len(miss.explains), len(miss.contradicts), miss.fault))[:NEAR_TOLD]


def prefer_settings(evidence: Evidence, best: Hypothesis) -> tuple[Evidence, Hypothesis]:
    """Replace faults by settings with the same effect, and return them with the evidence by effect.

    Under a setting other supports and convoys may not count, and an engine that plays by it may use other words for them. So
    the setting leaves more unexplained than a fault does, though every unit fares by the setting.
    """
    for fault in best.faults:
        lenient = evidence.copy_by_effect()
        left, rest = lenient.list_misfits(best), best.without_part(fault)
        shown = lenient.list_misfits(rest) - left
        keys = {evidence.keys[number] for number in shown}
        for part in iter_further_parts(rest) if shown else ():
            tells = count_changed(rest.rules, part, keys)
            if is_fault(part) or (tells is not None and not tells[0]):
                continue
            other = _add_part(rest, part)
            if other is None or not _explains_any(lenient, other, sorted(shown)[:1]) or evidence.is_exhausted():
                continue
            if lenient.list_misfits(other) <= left and minimize_hypothesis(lenient, other) == other:
                return lenient, other
    return evidence, best


def list_rivals(evidence: Evidence, best: Hypothesis) -> list[Hypothesis]:
    """List the hypotheses that explain as much as the best one and have hardly more parts."""
    for start in list_rulebook_hypotheses():
        _weigh_under(evidence, best, start.rules)
    left = evidence.list_misfits(best)
    return [
        one
        for one in evidence.list_cheapest(CLOSE + 0.1)
        if one != best
        and evidence.list_misfits(one) <= left
        and one.weight <= best.weight + CLOSE
        and _is_minimal(evidence, one)
    ]


def list_replacements(best: Hypothesis, other: Hypothesis, part: str) -> Sequence[str]:
    """List the parts that another hypothesis has in place of one part, if that is their only difference."""
    if other.rules != best.rules or part in other.parts or set(best.parts) - {part} - set(other.parts):
        return []
    return [one for one in other.parts if one not in best.parts]


def _weigh_under(evidence: Evidence, best: Hypothesis, rules: str) -> None:
    """Weigh the settings and faults of a hypothesis under another rulebook."""
    try:
        other = Hypothesis.from_settings(rules, best.settings)
    except RulebookError:
        return
    evidence.weigh(Hypothesis(rules, other.settings, best.faults))


def _is_minimal(evidence: Evidence, hypothesis: Hypothesis) -> bool:
    left = len(evidence.list_misfits(hypothesis))
    return all(len(evidence.list_misfits(hypothesis.without_part(part))) > left for part in hypothesis.parts)


Ask = Callable[[AskedPosition], EngineAnswer | None]
"""Asks the engine about a position; None if it does not answer such positions."""


def split_hypotheses(
    evidence: Evidence, best: Hypothesis, others: Sequence[Hypothesis], pool: Iterator[list[AskedPosition]], ask: Ask
) -> None:
    """Ask the engine about positions on which hypotheses differ, beginning with the position that tells most of them apart."""
    for positions in pool:
        if evidence.is_exhausted():
            return
        standing = [one for one in others if evidence.list_misfits(one) <= evidence.list_misfits(best)]
        if not standing:
            return
        answers = [one.list_answers(positions) for one in (best, *standing)]
        for _ in range(3):
            number = _find_splitting_position(answers, positions)
            if number is None:
                break
            heard = ask(positions[number])
            if heard is not None:
                evidence.add_answers([heard])
                answers = [one for one in answers if heard.theirs is None or evidence.agrees(heard, one[number])] or answers
            for one in answers:
                one[number] = None


def _find_splitting_position(answers: Sequence[Sequence[Answer | None]], positions: Sequence[AskedPosition]) -> int | None:
    """Return the number of the smallest position on which most hypotheses differ; None if they never differ."""
    different = {
        number: sum(one != other for one, other in combinations([said[number] for said in answers], 2))
        for number in range(len(positions))
        if all(said[number] is not None for said in answers)
    }
    best = max(different, key=lambda number: (different[number], -len(positions[number].board.units)), default=None)
    return best if best is not None and different[best] else None
