"""Records an engine's answers to the kit, and weighs hypotheses that might explain them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from satjudge.base.errors import OracleError, OracleLostError, OracleSkipError, RulebookError, UnresolvedError
from satjudge.base.resources import data_directory
from satjudge.base.words import number_of
from satjudge.engines.campaign import Campaign
from satjudge.engines.comparison import Depth, Difference, can_mean, compare_answers, has_same_fate
from satjudge.engines.conformance.faults import is_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, iter_further_parts, predict_answers
from satjudge.engines.conformance.switchable_judge import WORK
from satjudge.engines.kit.parts import read_name
from satjudge.engines.positions import AskedPosition
from satjudge.files.dialects import Meanings
from satjudge.oracles.oracle import Answer
from satjudge.world.orders import Convoy, SupportHold, SupportMove
from satjudge.world.verdicts import OrderResult

MORE = "more"
"""The part name for questions outside the kit."""


@dataclass(frozen=True, eq=False)
class EngineAnswer:
    """An engine's answer to a question."""

    part: str
    position: AskedPosition
    depth: Depth
    theirs: Answer | None
    """The engine's answer; None if it gave none."""
    failure: str = ""
    """The kind of failure if there is no answer, such as `raised ZeroDivisionError`."""
    failure_text: str = ""
    """The description of the failure."""

    @property
    def size(self) -> tuple[int, int, str]:
        """The sort key of the question by its size: number of units, length of its batch line, name."""
        return len(self.position.board.units), len(self.position.line), self.position.name


@dataclass(frozen=True, repr=False)
class RecordingCampaign(Campaign):
    """A campaign that records the engine's first answer to each position, by the position's name."""

    recorded: dict[str, EngineAnswer] = field(default_factory=dict, compare=False)

    def _ask_oracle(self, position: AskedPosition) -> Answer:
        try:
            answer = super()._ask_oracle(position)
        except (OracleLostError, OracleSkipError):
            raise
        except OracleError as error:
            self.recorded.setdefault(position.name, EngineAnswer("", position, self.depth, None, error.kind, str(error)))
            raise
        self.recorded.setdefault(position.name, EngineAnswer("", position, self.depth, answer))
        return answer

    def list_answers(self, parts: Mapping[str, Sequence[bytes]]) -> list[EngineAnswer]:
        """List the recorded answers to questions, given as batch lines by part of the kit; unasked questions are left out."""
        found = []
        for part, lines in parts.items():
            for line in lines:
                if one := self.recorded.get(read_name(line)):
                    found.append(replace(one, part=part))
        return found

    def ask_position(self, position: AskedPosition) -> EngineAnswer | None:
        """Return the answer or failure on a position outside the kit; None if it is skipped or open, or the engine is lost."""
        position = self.drop_illegal_orders(position)
        try:
            return EngineAnswer(MORE, position, self.depth, self.ask_oracle(position))
        except (OracleLostError, OracleSkipError, UnresolvedError):
            return None
        except OracleError as error:
            return EngineAnswer(MORE, position, self.depth, None, error.kind, str(error))


def make_recording_campaign(campaign: Campaign) -> RecordingCampaign:
    """Return a copy of a campaign that also records the engine's answers."""
    return RecordingCampaign(**{entry.name: getattr(campaign, entry.name) for entry in fields(campaign)})


# ---- the search for hypotheses that leave the fewest answers unexplained ----

NO_ANSWER = 0.25
"""The cost of a question that a rulebook leaves unanswered; a wrong answer costs 1."""
OTHER_RULEBOOK = 0.5
"""The cost of a rulebook other than the requested one: more than that of one setting, less than that of two."""
NOT_COUNTED = (OrderResult.ILLEGAL, OrderResult.INVALID)
"""The verdicts on orders that do not count."""
CLOSE = 0.25
"""The largest amount by which a rival's weight may exceed that of the best hypothesis."""
WORSE = 3.0
"""The largest cost above that of the best hypothesis at which a hypothesis is still considered."""

TRIED_ON = 40
"""A setting or fault is considered only if it explains one of this many smallest unexplained answers."""
TRIES = 1000
"""The default limit on hypotheses tried for an engine."""


TRY = 150
"""The average number of questions that may be judged for each hypothesis: a quarter of the kit."""


class Budget:
    """The remaining work, counted in questions judged, so that the result is the same on every machine."""

    def __init__(self, hypothesis_limit: float = TRIES) -> None:
        self.tries = hypothesis_limit
        self._until = WORK.done + hypothesis_limit * TRY

    @property
    def is_exhausted(self) -> bool:
        """True if the whole budget is used up."""
        return WORK.done >= self._until

    def with_at_least(self, divisor: int) -> Budget:
        """Return a budget of the remaining tries, or of the original number divided by `divisor` if that is more."""
        return Budget(max((self._until - WORK.done) / TRY, self.tries / divisor))


class Evidence:
    """The answers to explain, and the hypotheses that were weighed against them.

    `expected` is the hypothesis that the engine follows the requested rulebook. The `budget` limits the number of tries.
    """

    def __init__(self, expected: Hypothesis, words: Meanings, budget: Budget | None = None, watch: Watch | None = None) -> None:
        self.expected = expected
        self.watch = watch
        self.budget = budget or Budget()
        self.words = words
        self.by_effect = False
        """Whether to ignore differences in which supports and convoys count, as long as they have the same effect."""
        self.by_units = False
        """Whether to ignore verdicts and compare only units, dislodged units and their retreats."""
        self.answers: list[EngineAnswer] = []
        self.keys: list[str] = []
        self.positions: dict[str, AskedPosition] = {}
        self._fits: dict[Hypothesis, tuple[frozenset[int], int, int]] = {}

    def report(self, activity: str, best: Hypothesis | None = None) -> None:
        """Call `watch`, if set, with the current activity as text, this evidence, and the best hypothesis so far, if known."""
        if self.watch:
            self.watch(activity, self, best)

    def is_exhausted(self) -> bool:
        """Return whether the budget is used up, so that no more hypotheses may be tried."""
        return self.budget.is_exhausted

    def add_answers(self, answers: Iterable[EngineAnswer]) -> None:
        """Add answers of the engine to the evidence; hypotheses are weighed again when their costs are next needed."""
        more = list(answers)
        self.answers += more
        self.keys += [one.position.key for one in more]
        self.positions |= {one.position.key: one.position for one in more}

    def agrees(self, answer: EngineAnswer, prediction: Answer | None) -> bool:
        """Return whether the engine's answer can mean the same as the predicted answer; False if either is missing."""
        if answer.theirs is None or prediction is None:
            return False
        differences = self._differences(answer, prediction)
        return not differences or (self.by_effect and all(self._is_only_naming(answer, one) for one in differences))

    def _differences(self, answer: EngineAnswer, prediction: Answer) -> list[Difference]:
        assert answer.theirs is not None
        depth = min(answer.depth, Depth.DISLODGEMENTS, key=lambda one: one.compares_results) if self.by_units else answer.depth
        return compare_answers(prediction, answer.theirs, answer.position.orders, depth, self.words)

    def _is_only_naming(self, answer: EngineAnswer, difference: Difference) -> bool:
        """Return whether a difference is only about whether a support or convoy counts, while its unit has the same fate."""
        order = answer.position.orders_by_number.get((difference.power, difference.number or 0))
        if difference.number is None or not isinstance(order, SupportHold | SupportMove | Convoy):
            return False
        counts = difference.order_result not in NOT_COUNTED, not can_mean(difference.theirs, NOT_COUNTED, self.words)
        return counts[0] != counts[1] and has_same_fate(difference.ours, difference.theirs, self.words)

    def list_naming_differences(self, hypothesis: Hypothesis) -> list[tuple[EngineAnswer, Difference]]:
        """List answers that differ from a hypothesis only in which supports or convoys count; [] unless `by_effect` is set."""
        predictions = predict_answers(hypothesis, self.positions) or {}
        given = [(one, predictions.get(key)) for one, key in zip(self.answers, self.keys, strict=True)]
        pairs = [(one, self._differences(one, answer)) for one, answer in given if answer and self.agrees(one, answer)]
        return [(one, differences[0]) for one, differences in pairs if differences]

    def copy_by_effect(self) -> Evidence:
        """Return a copy that ignores whether ineffective supports and convoys count, with the best hypotheses weighed again."""
        other = Evidence(self.expected, self.words, self.budget, self.watch)
        other.by_effect = True
        other.add_answers(self.answers)
        for hypothesis in self.list_cheapest(WORSE):
            other.weigh(hypothesis)
        return other

    def copy_by_units(self) -> Evidence:
        """Return a copy that ignores verdicts and compares only units, dislodged units and retreats.

        Its budget is at least a third of the original one.
        """
        other = Evidence(self.expected, self.words, self.budget.with_at_least(3), self.watch)
        other.by_units = True
        other.add_answers(self.answers)
        return other

    def weigh(self, hypothesis: Hypothesis) -> tuple[frozenset[int], int] | None:
        """Weigh a hypothesis: return the indices of unexplained answers and the number left open, or None if its parts clash.

        An answer counts as unexplained, not as open, if only the faults prevent a prediction.
        """
        cached = self._fits.get(hypothesis)
        if cached is None or cached[2] != len(self.answers):
            predictions = predict_answers(hypothesis, self.positions)
            plain = predict_answers(Hypothesis(hypothesis.rules, hypothesis.settings), self.positions)
            if predictions is None or plain is None:
                return None
            open_ones = {number for number, key in enumerate(self.keys) if predictions[key] is None and plain[key] is None}
            misfits = frozenset(
                number
                for number, (answer, key) in enumerate(zip(self.answers, self.keys, strict=True))
                if number not in open_ones and not self.agrees(answer, predictions[key])
            )
            cached = self._fits[hypothesis] = misfits, len(open_ones), len(self.answers)
        return cached[0], cached[1]

    def list_misfits(self, hypothesis: Hypothesis) -> frozenset[int]:
        """Return the indices of the answers that a hypothesis does not explain; all indices if its parts are incompatible."""
        fit = self.weigh(hypothesis)
        return frozenset(range(len(self.answers))) if fit is None else fit[0]

    def cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis, which rises with its parts and with unexplained answers; inf if its parts clash."""
        return float("inf") if self.weigh(hypothesis) is None else self._known_cost(hypothesis)

    @property
    def best(self) -> Hypothesis:
        """The hypothesis with the lowest cost of all weighed so far."""
        return self.list_cheapest(0)[0]

    def best_under(self, rules: Hypothesis) -> Hypothesis:
        """Return the weighed hypothesis with the lowest cost among those that have the rulebook and settings of `rules`."""
        alike = [one for one in self._fits if (one.rules, one.settings) == (rules.rules, rules.settings)]
        return self._list_cheapest(0, alike)[0]

    def list_cheapest(self, margin: float) -> list[Hypothesis]:
        """List the weighed hypotheses that cost at most `margin` more than the best one, the best first.

        Hypotheses with the same cost are in the order in which they were weighed.
        """
        return self._list_cheapest(margin, self._fits)

    def _list_cheapest(self, margin: float, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
        """List those of some weighed hypotheses that cost at most `margin` more than the best of them, the best first."""
        known = sorted(hypotheses, key=self._known_cost)
        limit, found = float("inf"), []
        for hypothesis in known:
            if self._known_cost(hypothesis) > limit:
                break
            cost = self.cost(hypothesis)
            found.append((cost, hypothesis))
            limit = min(limit, cost + margin)
        return [hypothesis for cost, hypothesis in sorted(found, key=lambda one: one[0]) if cost <= limit]

    def _known_cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis at the last time that it was weighed."""
        misfits, unanswered, _ = self._fits[hypothesis]
        unsaid = 0.0 if hypothesis.rules == self.expected.rules else OTHER_RULEBOOK
        return len(misfits) + NO_ANSWER * unanswered + hypothesis.weight + unsaid


Watch = Callable[[str, Evidence, Hypothesis | None], None]
"""A function that is called with the current activity, the evidence, and the best hypothesis so far or None."""


def list_rulebook_hypotheses() -> list[Hypothesis]:
    """Return a hypothesis without faults for each rulebook that comes with satjudge."""
    return [Hypothesis(path.stem) for path in sorted((data_directory() / "models" / "rulebooks").glob("*.toml"))]


def extend_hypothesis(evidence: Evidence, start: Hypothesis) -> Hypothesis:
    """Return the hypothesis extended by settings and faults, each time by the one that leaves fewest answers unexplained."""
    best, left = start, evidence.list_misfits(start)
    while left and not evidence.is_exhausted():
        before = best
        parts = list(iter_further_parts(best))
        others = f" in addition to {number_of(len(best.parts), 'other')}" if best.parts else ""
        evidence.report(f"trying {len(parts)} settings and mistakes{others} on {number_of(len(left), 'answer')}")
        tried_on = sorted(left, key=lambda number: evidence.answers[number].size)[:TRIED_ON]
        most = {part: float(number) for part in parts if (number := _count_explained(evidence, best, part, tried_on))}
        if len(left) > TRIED_ON:
            most = {part: _count_explained(evidence, best, part, left) for part in most}
        while left and not evidence.is_exhausted() and (found := _find_best_part(evidence, best, left, most)):
            best, left = found, evidence.list_misfits(found)
            evidence.report(f"looking for an explanation of {number_of(len(left), 'more answer')}", best)
        if best == before:
            break
    return best


def _find_best_part(
    evidence: Evidence, hypothesis: Hypothesis, unexplained: frozenset[int], gains: dict[str, float]
) -> Hypothesis | None:
    """Return the hypothesis with the part that explains most `unexplained` answers, None if none is worth it; update `gains`.

    `gains` maps each part to the number of answers that it explained when last counted, and is updated. These numbers usually
    fall as parts are added.
    """
    found, gain = None, 0.0
    right = list_explained_numbers(evidence, hypothesis, set(range(len(evidence.answers))) - unexplained)
    right.sort(key=lambda number: evidence.answers[number].size)
    for part in sorted(gains, key=lambda one: -gains[one]):
        weight = 0.5 if is_fault(part) else 0.3
        if gains[part] - weight <= gain:
            break
        child = _add_part(hypothesis, part)
        explained = len(list_explained_numbers(evidence, child, unexplained)) if child else 0
        allowed = explained - weight - gain
        contradicted = 0
        for number in right if allowed > 0 else ():
            contradicted += not _explains_any(evidence, child or hypothesis, [number])
            if contradicted >= allowed:
                break
        gains[part] = explained - contradicted
        if gains[part] - weight > gain:
            found, gain = child, gains[part] - weight
    return found


def _count_explained(evidence: Evidence, hypothesis: Hypothesis, part: str, numbers: Iterable[int]) -> int:
    """Count the answers, given by index, that a hypothesis explains with `part` added."""
    child = None if evidence.is_exhausted() else _add_part(hypothesis, part)
    return len(list_explained_numbers(evidence, child, numbers)) if child else 0


def _add_part(hypothesis: Hypothesis, part: str) -> Hypothesis | None:
    try:
        return hypothesis.with_part(part)
    except RulebookError:
        return None


def list_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> list[int]:
    """List the indices, among `numbers`, of answers that a hypothesis explains."""
    return list(_iter_explained_numbers(evidence, hypothesis, numbers))


def _iter_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> Iterator[int]:
    """Yield the indices, among `numbers`, of answers that a hypothesis explains, testing each only on demand."""
    for number in numbers:
        key = evidence.keys[number]
        predictions = predict_answers(hypothesis, {key: evidence.positions[key]})
        if predictions is None:
            return
        if evidence.agrees(evidence.answers[number], predictions[key]):
            yield number


def _explains_any(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> bool:
    """Return whether a hypothesis explains at least one of the answers, given by index."""
    return next(_iter_explained_numbers(evidence, hypothesis, numbers), None) is not None


def minimize_hypothesis(evidence: Evidence, hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis without those parts that can be removed without raising its cost."""
    for part in hypothesis.parts:
        smaller = hypothesis.without_part(part)
        if evidence.cost(smaller) <= evidence.cost(hypothesis):
            return minimize_hypothesis(evidence, smaller)
    return hypothesis


def prefer_settings(evidence: Evidence, best: Hypothesis) -> tuple[Evidence, Hypothesis]:
    """Replace one fault by a setting with the same effect on units, if any; return the evidence to use and the hypothesis.

    A setting may change which supports and convoys count, and an engine that follows it may use other words for them. The
    setting then leaves more answers unexplained than a fault does, although all units end up as the setting predicts.
    """
    for fault in best.faults:
        lenient = evidence.copy_by_effect()
        left, rest = lenient.list_misfits(best), best.without_part(fault)
        shown = lenient.list_misfits(rest) - left
        for part in iter_further_parts(rest) if shown else ():
            other = None if is_fault(part) else _add_part(rest, part)
            if other is None or not _explains_any(lenient, other, sorted(shown)[:1]) or evidence.is_exhausted():
                continue
            if lenient.list_misfits(other) <= left and minimize_hypothesis(lenient, other) == other:
                return lenient, other
    return evidence, best


def list_rivals(evidence: Evidence, best: Hypothesis) -> list[Hypothesis]:
    """List the other weighed hypotheses that explain all that the best does, are hardly more complex and have no spare part."""
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
    """List the parts that `other` has instead of the part of `best`; [] if the two hypotheses differ in anything else."""
    if other.rules != best.rules or part in other.parts or set(best.parts) - {part} - set(other.parts):
        return []
    return [one for one in other.parts if one not in best.parts]


def _weigh_under(evidence: Evidence, best: Hypothesis, rulebook_name: str) -> None:
    """Weigh a hypothesis with the settings and faults of the best one under another rulebook, and record its cost."""
    try:
        other = Hypothesis.from_settings(rulebook_name, best.settings)
    except RulebookError:
        return
    evidence.weigh(Hypothesis(rulebook_name, other.settings, best.faults))


def _is_minimal(evidence: Evidence, hypothesis: Hypothesis) -> bool:
    left = len(evidence.list_misfits(hypothesis))
    return all(len(evidence.list_misfits(hypothesis.without_part(part))) > left for part in hypothesis.parts)


Ask = Callable[[AskedPosition], EngineAnswer | None]
"""A function that asks the engine about a position; it returns None if the engine does not answer such positions."""
