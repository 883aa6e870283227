"""Puts findings into families by their cause, so that an author reads of each cause once.

A cause is, as far as one is found:

1. how the engine answers at all (it raises, contradicts itself, is too slow), or a border that its map does not have: a unit
   that is alone does not go there either;
2. a *hypothesis* (`satjudge.engines.conformance.hypotheses`) that gives every answer exactly: another rulebook, or a broken
   clause. The fewest that account for most findings are taken. What such an engine would do must not be refuted: the engine
   is asked the questions of the kit that tell the hypothesis, then boards on which it agrees with satjudge;
3. what the answers are by the equations (`satjudge.engines.standing`): an equation that they break, a rule of legality, a
   border;
4. else the kinds of the differences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from satjudge.engines.borders import Borders, borders_in_words
from satjudge.engines.campaign import TOGETHER, Campaign, Tally
from satjudge.engines.comparison import ComparedPosition, compare, of_words_alone, shows_on_the_board, told_as_words
from satjudge.engines.conformance.hypotheses import Hypothesis, answer_by, joined_hypothesis
from satjudge.engines.conformance.kit import PARTS, all_kept_questions
from satjudge.engines.conformance.sentences import part_in_words
from satjudge.engines.findings import Finding
from satjudge.engines.positions import AskedPosition, position_of
from satjudge.engines.registry import phases_of
from satjudge.engines.standing import BACKUP_RULES, BORDER_MISSING, ToldValues, standing
from satjudge.oracles.oracle import Answer
from satjudge.world.board import grouped

LOOKED_AT = 200
"""Boards of a campaign on which a hypothesis is tested."""
ASKED = 6
"""Most agreeing boards, of those where a hypothesis predicts a difference, that count for or against the hypothesis."""
KIT_ASKED = 20
"""Most questions of the kit that count so. A hypothesis is refuted if the engine agrees with satjudge on half of either."""

WEAK = 2
"""Boards that a single finding needs to be put down to a hypothesis rather than to a cause shared with other findings."""
NONE: Mapping[str, Hypothesis] = {}


Progress = Callable[[int], None]


def _nobody(number: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class Family:
    """Findings that have the same cause."""

    cause: str
    findings: tuple[Finding, ...]
    """The smallest first."""
    by_hypothesis: bool = False
    """Whether the cause is a hypothesis that gives every answer exactly."""
    or_else: tuple[str, ...] = ()
    """Other hypotheses that give every answer exactly."""
    says: str = ""
    """The cause in words, with what is particular to this engine, such as its missing borders; empty if the name says all."""

    @property
    def boards(self) -> list[int]:
        """The numbers of all boards of the family, sorted."""
        return sorted(board for finding in self.findings for board in finding.of)


def families(
    campaign: Campaign,
    tally: Tally,
    found: Sequence[Finding],
    hypotheses: Mapping[str, Hypothesis] = NONE,
    on_progress: Progress = _nobody,
) -> tuple[Family, ...]:
    """Put every finding into one family, and list the families, the largest first.

    `on_progress` is told of each hypothesis that was tried.
    """
    asked = [finding for finding in found if finding.theirs is not None]
    unasked = [finding for finding in found if finding.theirs is None]
    by_conduct = [
        Family(cause, tuple(same)) for cause, same in grouped((_conduct(finding), finding) for finding in unasked).items()
    ]
    borders = Borders(campaign)
    missing = {finding.shape: borders.missing_in(finding) for finding in asked}
    if bordering := [finding for finding in asked if missing[finding.shape]]:
        says = f"{BORDER_MISSING}: {borders_in_words(list(chain.from_iterable(missing.values())))}"
        by_conduct.append(Family(BORDER_MISSING, tuple(bordering), says=says))
        asked = [finding for finding in asked if finding not in bordering]
    supposed = _by_hypotheses(campaign, tally, asked, hypotheses, on_progress)
    explained = {finding.shape for family in supposed for finding in family.findings}
    by_cause = {finding.shape: finding.causes or (_kinds(finding),) for finding in asked if finding.shape not in explained}
    others = [
        Family(cause, tuple(finding for finding in asked if finding.shape in shapes))
        for cause, shapes in covering_causes(by_cause).items()
    ]
    told = (_in_words_if_no_more(campaign, tally, family) for family in (*supposed, *others))
    return tuple(sorted((*by_conduct, *told), key=lambda family: (-len(family.boards), family.cause)))


def _in_words_if_no_more(campaign: Campaign, tally: Tally, family: Family) -> Family:
    """Mark a family as differences in words alone, if no unit fares otherwise in its findings or on their boards."""
    differences = [*chain.from_iterable(finding.differences for finding in family.findings)]
    kinds = chain.from_iterable(one.kinds for one in tally.differing if one.board in family.boards)
    alone = all(of_words_alone(one, campaign.depth, campaign.contact.words) for one in differences)
    if alone and not any(map(shows_on_the_board, kinds)):
        return replace(family, says=told_as_words(differences, family.cause))
    return family


def _conduct(finding: Finding) -> str:
    """Say how the engine answered a position, where it gave no answer or contradicts itself."""
    return finding.differences[-1].kind


def _kinds(finding: Finding) -> str:
    kinds = dict.fromkeys(found.kind for found in finding.differences if found.number is not None)
    return "; ".join(sorted(kinds or {found.kind for found in finding.differences}))


def covering_causes(by_cause: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Choose few causes that cover all findings, and list the findings of each cause.

    `by_cause` has all causes that each finding can have. The cause of most findings comes first, among equals the one that is
    named earlier.
    """
    left, chosen = dict(by_cause), dict[str, list[str]]()
    while left:
        counted: dict[str, int] = {}
        for causes in left.values():
            for cause in causes:
                counted[cause] = counted.get(cause, 0) + 1
        best = max(counted, key=lambda cause: counted[cause])
        chosen[best] = [shape for shape, causes in left.items() if best in causes]
        left = {shape: causes for shape, causes in left.items() if best not in causes}
    return chosen


# ---- hypotheses ----


def _by_hypotheses(
    campaign: Campaign, tally: Tally, found: Sequence[Finding], hypotheses: Mapping[str, Hypothesis], on_progress: Progress
) -> list[Family]:
    """Make the families of the findings whose answers a hypothesis gives exactly, the most telling hypotheses first."""
    gives = _all_given(campaign, found, hypotheses, on_progress)
    evidence = _Evidence(campaign, tally)
    chosen, left, refuted = list[Family](), set(range(len(found))), set[str]()

    def stands(name: str) -> bool:
        if name not in refuted and evidence.refutes(hypotheses[name]):
            refuted.add(name)
        return name not in refuted

    while left:
        telling = (name for name in gives if gives[name] & left and not _outdone(found, gives[name] & left, left))
        ranked = sorted(telling, key=lambda name: -len(gives[name] & left))
        best = next(filter(stands, ranked), None)
        if best is None:
            break
        taken = gives[best] & left
        also = [name for name in ranked if name != best and gives[name] >= taken and stands(name)]
        family = tuple(found[number] for number in sorted(taken))
        partly = f"in some cases, {part_in_words(best)}" if evidence.contradicts(hypotheses[best]) else ""
        chosen.append(Family(best, family, by_hypothesis=True, or_else=tuple(also), says=partly))
        left -= taken
    return [*chosen, *_by_several(campaign, [found[number] for number in sorted(left)], chosen, hypotheses)]


def _by_several(
    campaign: Campaign, rest: Sequence[Finding], chosen: Sequence[Family], hypotheses: Mapping[str, Hypothesis]
) -> list[Family]:
    """Make the family of findings that all chosen hypotheses give together with the known differences, if there are any."""
    supposed = {known.name: known.hypothesis for known in campaign.known} | {one.cause: hypotheses[one.cause] for one in chosen}
    several = sum(one is not None for one in supposed.values()) > 1
    whole = joined_hypothesis(supposed.values()) if several else None
    given = sorted(_all_given(campaign, rest, {"": whole}).get("", ())) if whole else []
    names = TOGETHER.join(name for name, one in supposed.items() if one)
    return [Family(names, tuple(rest[number] for number in given), by_hypothesis=True)] if given else []


def _outdone(found: Sequence[Finding], given: set[int], left: set[int]) -> bool:
    """Tell whether findings that a hypothesis does not give share a more telling cause with those that it gives.

    More telling is a backup rule of the engine's own; or any cause, if the hypothesis gives but one finding of few boards.
    """
    shared = set.intersection(*(set(found[number].causes) for number in given))
    weak = len(given) == 1 and sum(found[number].boards for number in given) < WEAK
    telling = shared if weak else shared & BACKUP_RULES
    return any(cause in found[number].causes for cause in telling for number in left - given)


def _all_given(
    campaign: Campaign, found: Sequence[Finding], hypotheses: Mapping[str, Hypothesis], on_progress: Progress = _nobody
) -> dict[str, set[int]]:
    """Find for each hypothesis the numbers of the findings whose answers the hypothesis gives, in all that is compared."""
    positions = [finding.position for finding in found]
    told = [_told(campaign, finding) for finding in found]
    gives: dict[str, set[int]] = {}
    for name, supposed in hypotheses.items() if found else ():
        possible = [number for number, could in enumerate(supposed.could_give(told)) if could]
        answers = supposed.answers([positions[number] for number in possible]) if possible else []
        gives[name] = {
            number
            for number, answer in zip(possible, answers, strict=True)
            if answer is not None and _same(campaign, found[number], answer)
        }
        on_progress(1)
    return gives


def _told(campaign: Campaign, finding: Finding) -> ToldValues | None:
    """Return the other engine's answer to a finding as values of decisions; None where no values can tell it."""
    compared = ComparedPosition(finding.position, finding.differences, None, finding.theirs)
    try:
        return standing(compared, campaign.rulebook, campaign.depth, campaign.contact.words).told
    except Exception:  # it is not looked at so
        return None


def _same(campaign: Campaign, finding: Finding, answer: Answer) -> bool:
    """Tell whether an answer is the one that the other engine gave."""
    assert finding.theirs is not None
    return not compare(answer, finding.theirs, finding.position.orders, campaign.depth, campaign.contact.words)


class _Evidence:
    """Positions on which an engine can contradict a hypothesis: it answers as satjudge, and not as the hypothesis would.

    They are questions of the kit, and boards of the campaign on which the two engines agree, if there are any.
    """

    def __init__(self, campaign: Campaign, tally: Tally) -> None:
        self.campaign = campaign
        differing = {one.board for one in tally.differing}
        numbers = (number for number in range(min(tally.boards, LOOKED_AT)) if number not in differing)
        self.kit = _answered(campaign, _kit_positions(campaign))
        self.boards = _answered(campaign, [campaign.source.draw(number) for number in numbers])
        self.compared: dict[bytes, ComparedPosition | None] = {}

    def refutes(self, supposed: Hypothesis) -> bool:
        """Tell whether the engine contradicts a hypothesis on at least half of the positions that tell the hypothesis."""
        looked = (self._contradictions(supposed, *pool) for pool in ((self.kit, KIT_ASKED), (self.boards, ASKED)))
        return any(seen and 2 * sum(seen) >= len(seen) for seen in looked)

    def contradicts(self, supposed: Hypothesis) -> bool:
        """Tell whether the engine contradicts a hypothesis on some question of the kit, so that it is no rule of the engine."""
        return any(self._contradictions(supposed, self.kit, KIT_ASKED))

    def _contradictions(self, supposed: Hypothesis, positions: Mapping[AskedPosition, Answer], most: int) -> list[bool]:
        """Tell of the first positions where a hypothesis predicts a difference whether the engine contradicts it there."""
        seen: list[bool] = []
        for (position, ours), answer in zip(positions.items(), supposed.answers([*positions]), strict=True):
            if answer is None or not compare(ours, answer, position.orders, self.campaign.depth, {}):
                continue
            if (contradicted := self._contradicted(position, answer)) is not None:
                seen.append(contradicted)
            if len(seen) == most:
                break
        return seen

    def _contradicted(self, position: AskedPosition, supposed: Answer) -> bool | None:
        """Tell whether the engine answers as satjudge, and not also as supposed; None where nothing can be told."""
        if position.line not in self.compared:
            try:
                self.compared[position.line] = self.campaign.compare(position)
            except Exception:  # the engine skips the position, or fails
                self.compared[position.line] = None
        compared = self.compared[position.line]
        if compared is None:
            return None
        if compared.differences or compared.theirs is None:
            return False
        words = self.campaign.contact.words
        return bool(compare(supposed, compared.theirs, position.orders, self.campaign.depth, words))


def _kit_positions(campaign: Campaign) -> list[AskedPosition]:
    """List the questions of the kit that tell broken rules, and the DATC, if the engine is asked about that map and phase."""
    if not any(game_map.is_standard for game_map in campaign.source.maps):
        return []
    phases = phases_of(campaign.contact.against)
    asked = (
        question
        for question in chain(all_kept_questions(), PARTS["datc"].make())
        if question.usual and question.board.phase in phases
    )
    found = (position_of(question.board, question.orders, question.name) for question in asked)
    return [position for position in found if position is not None]


def _answered(campaign: Campaign, positions: Iterable[AskedPosition]) -> dict[AskedPosition, Answer]:
    """List positions as they are asked, with satjudge's answers, without those that the rulebook leaves open."""
    answers = ((position, answer_by(position, campaign.rulebook)) for position in map(campaign.as_asked, positions))
    return {position: answer for position, answer in answers if answer is not None}
