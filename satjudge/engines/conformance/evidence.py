"""Keeps an engine's answers to the kit, for the diagnosis."""

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
"""The part of questions outside all parts of the kit."""


@dataclass(frozen=True, eq=False)
class EngineAnswer:
    """An engine's answer to a question."""

    part: str
    position: AskedPosition
    depth: Depth
    theirs: Answer | None
    """The answer; None if the engine gave none."""
    failure: str = ""
    """The kind of failure if there is no answer, such as `raised ZeroDivisionError`."""
    told: str = ""
    """The failure in words."""

    @property
    def size(self) -> tuple[int, int, str]:
        """The sort key by size of the question: its units first; smaller questions are better evidence."""
        return len(self.position.board.units), len(self.position.line), self.position.name


@dataclass(frozen=True, repr=False)
class RecordingCampaign(Campaign):
    """A campaign that keeps the engine's first answer to each position, by the position's name."""

    said: dict[str, EngineAnswer] = field(default_factory=dict, compare=False)

    def _ask_oracle(self, position: AskedPosition) -> Answer:
        try:
            answer = super()._ask_oracle(position)
        except (OracleLostError, OracleSkipError):
            raise
        except OracleError as error:
            self.said.setdefault(position.name, EngineAnswer("", position, self.depth, None, error.kind, str(error)))
            raise
        self.said.setdefault(position.name, EngineAnswer("", position, self.depth, answer))
        return answer

    def list_answers(self, parts: Mapping[str, Sequence[bytes]]) -> list[EngineAnswer]:
        """List the recorded answers to the questions of some parts, given as batch lines; unasked questions are left out."""
        found = []
        for part, lines in parts.items():
            for line in lines:
                if one := self.said.get(read_name(line)):
                    found.append(replace(one, part=part))
        return found

    def ask_position(self, position: AskedPosition) -> EngineAnswer | None:
        """Ask about a further position; None if the engine skips it, leaves it unresolved or is lost, but not for an error."""
        position = self.drop_illegal_orders(position)
        try:
            return EngineAnswer(MORE, position, self.depth, self.ask_oracle(position))
        except (OracleLostError, OracleSkipError, UnresolvedError):
            return None
        except OracleError as error:
            return EngineAnswer(MORE, position, self.depth, None, error.kind, str(error))


def make_recording_campaign(campaign: Campaign) -> RecordingCampaign:
    """Return a copy of a campaign that records the engine's answers."""
    return RecordingCampaign(**{entry.name: getattr(campaign, entry.name) for entry in fields(campaign)})


# ---- Finds the hypotheses that leave the fewest of an engine's answers unexplained ----

NO_ANSWER = 0.25
"""The cost of a question that a rulebook leaves unanswered; a wrong answer costs 1."""
OTHER_RULEBOOK = 0.5
"""The cost of another rulebook than the requested one: between one and two of its settings."""
NOT_COUNTED = (OrderResult.ILLEGAL, OrderResult.INVALID)
"""The verdicts on orders that do not count."""
CLOSE = 0.25
"""The largest weight by which a rival's parts may exceed those of the best hypothesis."""
WORSE = 3.0
"""The largest cost above the best hypothesis at which further parts are still tried."""

TRIED_ON = 40
"""The number of smallest unexplained answers of which a setting or fault must explain one to be considered."""
TRIES = 1000
"""The default limit on hypotheses for an engine."""


TRY = 150
"""The questions that may be judged for each hypothesis: a quarter of those of the kit."""


class Budget:
    """The remaining work, counted in questions judged, so that the result is the same on every machine."""

    def __init__(self, tries: float = TRIES) -> None:
        self.tries = tries
        self._until = WORK.done + tries * TRY

    @property
    def is_exhausted(self) -> bool:
        """Return whether no work is left."""
        return WORK.done >= self._until

    def at_least(self, share: int) -> Budget:
        """Return a budget of the tries that remain, or of the whole number divided by `share` if that is more."""
        return Budget(max((self._until - WORK.done) / TRY, self.tries / share))


class Evidence:
    """The answers to explain, with the hypotheses weighed against them.

    The `budget` limits the number of tries.
    """

    def __init__(self, rules: Hypothesis, words: Meanings, budget: Budget | None = None, watch: Watch | None = None) -> None:
        self.told_to_play = rules
        self.watch = watch
        self.budget = budget or Budget()
        self.words = words
        self.by_effect = False
        """Whether answers agree that differ only in which supports and convoys count, with the same effect."""
        self.by_units = False
        """Whether to ignore verdicts, and compare only units, dislodged units and their retreats."""
        self.heard: list[EngineAnswer] = []
        self.keys: list[str] = []
        self.positions: dict[str, AskedPosition] = {}
        self._fits: dict[Hypothesis, tuple[frozenset[int], int, int]] = {}

    def report(self, doing: str, best: Hypothesis | None = None) -> None:
        """Call the observer, if there is one, with what is being done and perhaps the best hypothesis so far."""
        if self.watch:
            self.watch(doing, self, best)

    def is_exhausted(self) -> bool:
        """Return whether the budget is used up, so that no more hypotheses may be tried."""
        return self.budget.is_exhausted

    def add_answers(self, heard: Iterable[EngineAnswer]) -> None:
        """Add answers of the engine to the evidence; hypotheses are weighed again on the next request."""
        more = list(heard)
        self.heard += more
        self.keys += [one.position.key for one in more]
        self.positions |= {one.position.key: one.position for one in more}

    def agrees(self, heard: EngineAnswer, prediction: Answer | None) -> bool:
        """Return whether the engine's answer can mean what a hypothesis predicts; false if either is missing."""
        if heard.theirs is None or prediction is None:
            return False
        differences = self._differences(heard, prediction)
        return not differences or (self.by_effect and all(self._is_only_naming(heard, one) for one in differences))

    def _differences(self, heard: EngineAnswer, prediction: Answer) -> list[Difference]:
        assert heard.theirs is not None
        depth = min(heard.depth, Depth.DISLODGEMENTS, key=lambda one: one.compares_results) if self.by_units else heard.depth
        return compare_answers(prediction, heard.theirs, heard.position.orders, depth, self.words)

    def _is_only_naming(self, heard: EngineAnswer, difference: Difference) -> bool:
        """Return whether engines differ only on whether a support or convoy counts, while its unit has the same fate."""
        order = heard.position.orders_by_number.get((difference.power, difference.number or 0))
        if difference.number is None or not isinstance(order, SupportHold | SupportMove | Convoy):
            return False
        counts = difference.order_result not in NOT_COUNTED, not can_mean(difference.theirs, NOT_COUNTED, self.words)
        return counts[0] != counts[1] and has_same_fate(difference.ours, difference.theirs, self.words)

    def list_naming_differences(self, hypothesis: Hypothesis) -> list[tuple[EngineAnswer, Difference]]:
        """List, with the engine's answers, its differences from a hypothesis only in words for supports and convoys."""
        said = predict_answers(hypothesis, self.positions) or {}
        given = [(one, said.get(key)) for one, key in zip(self.heard, self.keys, strict=True)]
        told = [(one, self._differences(one, answer)) for one, answer in given if answer and self.agrees(one, answer)]
        return [(one, differences[0]) for one, differences in told if differences]

    def copy_by_effect(self) -> Evidence:
        """Copy the evidence to ignore words for supports and convoys that do not count; weigh the best hypotheses anew."""
        other = Evidence(self.told_to_play, self.words, self.budget, self.watch)
        other.by_effect = True
        other.add_answers(self.heard)
        for hypothesis in self.list_cheapest(WORSE):
            other.weigh(hypothesis)
        return other

    def copy_by_units(self) -> Evidence:
        """Copy the evidence so that only the places of units are compared, not verdicts.

        Its budget is at least a third of the whole.
        """
        other = Evidence(self.told_to_play, self.words, self.budget.at_least(3), self.watch)
        other.by_units = True
        other.add_answers(self.heard)
        return other

    def weigh(self, hypothesis: Hypothesis) -> tuple[frozenset[int], int] | None:
        """Return the numbers of the answers that a hypothesis does not explain, and how many answers its rulebook leaves open.

        Returns None if its parts exclude each other. If faults leave no answer although their rulebook has one, nothing is
        explained.
        """
        kept = self._fits.get(hypothesis)
        if kept is None or kept[2] != len(self.heard):
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
        """Return the numbers of the answers that a hypothesis does not explain; all if its parts are incompatible."""
        fit = self.weigh(hypothesis)
        return frozenset(range(len(self.heard))) if fit is None else fit[0]

    def cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis: a price for each unexplained answer and each part; inf if its parts clash."""
        return float("inf") if self.weigh(hypothesis) is None else self._known_cost(hypothesis)

    @property
    def best(self) -> Hypothesis:
        """The cheapest of all hypotheses weighed so far."""
        return self.list_cheapest(0)[0]

    def best_under(self, rules: Hypothesis) -> Hypothesis:
        """Return the cheapest weighed hypothesis with the same rulebook and settings as a given one."""
        alike = [one for one in self._fits if (one.rules, one.settings) == (rules.rules, rules.settings)]
        return self._list_cheapest(0, alike)[0]

    def list_cheapest(self, worse: float) -> list[Hypothesis]:
        """List the weighed hypotheses that cost at most `worse` more than the best one, the best first.

        Ties are in the order of weighing.
        """
        return self._list_cheapest(worse, self._fits)

    def _list_cheapest(self, worse: float, hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
        """List those of the given hypotheses that cost at most `worse` more than the best of them, the best first."""
        known = sorted(hypotheses, key=self._known_cost)
        limit, found = float("inf"), []
        for hypothesis in known:
            if self._known_cost(hypothesis) > limit:
                break
            cost = self.cost(hypothesis)
            found.append((cost, hypothesis))
            limit = min(limit, cost + worse)
        return [hypothesis for cost, hypothesis in sorted(found, key=lambda one: one[0]) if cost <= limit]

    def _known_cost(self, hypothesis: Hypothesis) -> float:
        """Return the cost of a hypothesis as of the last time that it was weighed."""
        misfits, unanswered, _ = self._fits[hypothesis]
        unsaid = 0.0 if hypothesis.rules == self.told_to_play.rules else OTHER_RULEBOOK
        return len(misfits) + NO_ANSWER * unanswered + hypothesis.weight + unsaid


Watch = Callable[[str, Evidence, Hypothesis | None], None]
"""A function that receives progress messages, and each new best hypothesis."""


def list_rulebook_hypotheses() -> list[Hypothesis]:
    """Return a hypothesis without faults for each rulebook that comes with satjudge."""
    return [Hypothesis(path.stem) for path in sorted((data_directory() / "models" / "rulebooks").glob("*.toml"))]


def extend_hypothesis(evidence: Evidence, start: Hypothesis) -> Hypothesis:
    """Add settings and faults to a hypothesis one by one, each time the one that leaves fewest answers unexplained."""
    best, left = start, evidence.list_misfits(start)
    while left and not evidence.is_exhausted():
        before = best
        parts = list(iter_further_parts(best))
        evidence.report(f"trying {len(parts)} settings and mistakes beside {best} on {number_of(len(left), 'answer')}")
        tried_on = sorted(left, key=lambda number: evidence.heard[number].size)[:TRIED_ON]
        most = {part: float(number) for part in parts if (number := _count_explained(evidence, best, part, tried_on))}
        if len(left) > TRIED_ON:
            most = {part: _count_explained(evidence, best, part, left) for part in most}
        while left and not evidence.is_exhausted() and (found := _find_best_part(evidence, best, left, most)):
            best, left = found, evidence.list_misfits(found)
            evidence.report(f"looking for what explains {number_of(len(left), 'answer')} more", best)
        if best == before:
            break
    return best


def _find_best_part(evidence: Evidence, state: Hypothesis, left: frozenset[int], most: dict[str, float]) -> Hypothesis | None:
    """Return the hypothesis with one more part, that which explains most of the answers `left`; None if no part pays.

    `most` holds how many answers each part explained when last counted, and is updated; the counts usually fall as parts are
    added.
    """
    found, gain = None, 0.0
    right = list_explained_numbers(evidence, state, set(range(len(evidence.heard))) - left)
    right.sort(key=lambda number: evidence.heard[number].size)
    for part in sorted(most, key=lambda one: -most[one]):
        weight = 0.5 if is_fault(part) else 0.3
        if most[part] - weight <= gain:
            break
        child = _add_part(state, part)
        explained = len(list_explained_numbers(evidence, child, left)) if child else 0
        allowed = explained - weight - gain
        contradicted = 0
        for number in right if allowed > 0 else ():
            contradicted += not _explains_any(evidence, child or state, [number])
            if contradicted >= allowed:
                break
        most[part] = explained - contradicted
        if most[part] - weight > gain:
            found, gain = child, most[part] - weight
    return found


def _count_explained(evidence: Evidence, state: Hypothesis, part: str, numbers: Iterable[int]) -> int:
    """Count those of the answers, by number, that a hypothesis explains with `part` added."""
    child = None if evidence.is_exhausted() else _add_part(state, part)
    return len(list_explained_numbers(evidence, child, numbers)) if child else 0


def _add_part(state: Hypothesis, part: str) -> Hypothesis | None:
    try:
        return state.with_part(part)
    except RulebookError:
        return None


def list_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> list[int]:
    """List those of the answers' numbers that a hypothesis explains."""
    return list(_iter_explained_numbers(evidence, hypothesis, numbers))


def _iter_explained_numbers(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> Iterator[int]:
    """Yield those of the answers' numbers that a hypothesis explains, testing each only on demand."""
    for number in numbers:
        key = evidence.keys[number]
        said = predict_answers(hypothesis, {key: evidence.positions[key]})
        if said is None:
            return
        if evidence.agrees(evidence.heard[number], said[key]):
            yield number


def _explains_any(evidence: Evidence, hypothesis: Hypothesis, numbers: Iterable[int]) -> bool:
    """Return whether a hypothesis explains at least one of the answers with these numbers."""
    return next(_iter_explained_numbers(evidence, hypothesis, numbers), None) is not None


def minimize_hypothesis(evidence: Evidence, hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis without the parts whose removal does not raise its cost."""
    for part in hypothesis.parts:
        smaller = hypothesis.without_part(part)
        if evidence.cost(smaller) <= evidence.cost(hypothesis):
            return minimize_hypothesis(evidence, smaller)
    return hypothesis


def prefer_settings(evidence: Evidence, best: Hypothesis) -> tuple[Evidence, Hypothesis]:
    """Replace a fault with a setting that has the same effect on units; return the evidence to use, and the hypothesis.

    A setting may change which supports and convoys count, and an engine that plays by it may use other words for them. So the
    setting leaves more unexplained than a fault does, though every unit fares by the setting.
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
    """List other hypotheses that explain every answer that the best one does, and are hardly more complex."""
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
    """List the parts that another hypothesis has in place of `part`; empty if the two differ in anything else."""
    if other.rules != best.rules or part in other.parts or set(best.parts) - {part} - set(other.parts):
        return []
    return [one for one in other.parts if one not in best.parts]


def _weigh_under(evidence: Evidence, best: Hypothesis, rules: str) -> None:
    """Weigh the settings and faults of a hypothesis under another rulebook, so that the evidence knows its cost."""
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
