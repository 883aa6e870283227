"""Groups findings into families by their cause, so that each cause is reported only once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from satjudge.base.errors import RulebookError
from satjudge.engines.campaign import Campaign, Tally
from satjudge.engines.comparison import format_word_differences, is_only_wording, is_visible_on_board
from satjudge.engines.conformance.diagnosis import (
    ask_about_moves,
    describe_borders,
    find_best_hypothesis,
    find_wrong_borders,
    list_needed_moves,
)
from satjudge.engines.conformance.evidence import (
    Budget,
    EngineAnswer,
    Evidence,
    RecordingCampaign,
    list_explained_numbers,
    list_replacements,
    list_rivals,
    make_recording_campaign,
)
from satjudge.engines.conformance.fault_search import clear_answer_caches
from satjudge.engines.conformance.faults import describe_part
from satjudge.engines.conformance.hypotheses import TOGETHER, Hypothesis, join_hypotheses
from satjudge.engines.conformance.wording import describe_word_differences
from satjudge.engines.equation_check import BORDER_MISSING
from satjudge.engines.findings import Finding
from satjudge.engines.kit.parts import BOARDS, list_evidence_positions
from satjudge.engines.positions import AskedPosition, format_lone_move
from satjudge.search.open_orders.proposal import find_minimal_subset
from satjudge.world.board import Phase, group_pairs

# ---- the families ----
#
# The cause of a finding is the first of these that applies:
#
# 1. how the engine answers (it fails, contradicts itself or is too slow), or a border missing from its map: a unit
#    alone on the board does not move over it either;
# 2. those parts of the *hypothesis* that best explains the engine (`satjudge.engines.conformance.diagnosis`) which an answer
#    needs: another rulebook, settings or faults. The engine is asked the kit's questions first, so that its answers are
#    evidence too, as are boards on which it agrees with satjudge;
# 3. the result of `satjudge.engines.equation_check`: an equation that the answer breaks, a rule of legality, or a
#    border;
# 4. the kinds of the differences.

TRIES = 500
"""The limit on hypotheses for the findings of an engine, lower than for a diagnosis because boards take longer."""
LOOKED_AT = 200
"""The number of a campaign's boards on which hypotheses are checked."""
MOST_FAILED = 5
"""The number of unanswered questions after which the engine is not asked any more."""


@dataclass(frozen=True)
class Family:
    """Findings that have the same cause."""

    cause: str
    findings: tuple[Finding, ...]
    """The findings, the smallest first."""
    by_hypothesis: bool = False
    """Whether the cause is a hypothesis that predicts every answer exactly."""
    or_else: tuple[str, ...] = ()
    """Other hypotheses that predict every answer exactly."""
    says: str = ""
    """A description of the cause, such as the engine's missing borders; empty if the cause explains itself."""

    @property
    def boards(self) -> list[int]:
        """The numbers of all boards of the family, sorted."""
        return sorted(board for finding in self.findings for board in finding.board_numbers)


def group_findings(
    campaign: Campaign, tally: Tally, all_findings: Sequence[Finding], hypothesis_limit: int = 0
) -> tuple[Family, ...]:
    """Group findings by cause, the largest family first; unless `hypothesis_limit` is 0, ask kit questions for hypotheses."""
    asked = [finding for finding in all_findings if finding.theirs is not None]
    unasked = [finding for finding in all_findings if finding.theirs is None]  # failures to answer, and contradictions
    by_conduct = [
        Family(cause, tuple(same))
        for cause, same in group_pairs((finding.differences[-1].kind, finding) for finding in unasked).items()
    ]
    missing = _find_missing_borders(campaign, asked)
    if bordering := [finding for finding in asked if missing[finding.shape]]:
        says = f"{BORDER_MISSING}: {describe_borders(list(chain.from_iterable(missing.values())))}"
        by_conduct.append(Family(BORDER_MISSING, tuple(bordering), says=says))
        asked = [finding for finding in asked if finding not in bordering]
    supposed = [*_group_by_hypothesis(campaign, tally, asked, hypothesis_limit)] if asked and hypothesis_limit else []
    explained = {finding.shape for family in supposed for finding in family.findings}
    by_cause = {finding.shape: finding.causes or (finding.title,) for finding in asked if finding.shape not in explained}
    others = [
        Family(cause, tuple(finding for finding in asked if finding.shape in shapes))
        for cause, shapes in choose_covering_causes(by_cause).items()
    ]
    marked_families = (_mark_word_family(campaign, tally, family) for family in others)
    return tuple(sorted((*by_conduct, *supposed, *marked_families), key=lambda family: (-len(family.boards), family.cause)))


def _find_missing_borders(campaign: Campaign, findings: Sequence[Finding]) -> dict[str, list[str]]:
    """Ask about lone moves that findings need; map each finding's shape to the moves that fail for lack of a border."""
    listening = make_recording_campaign(campaign)
    needed = {one.shape: list(list_needed_moves(one.position, one.differences, one.theirs)) for one in findings}
    moves = {move.line: move for ways in chain.from_iterable(needed.values()) for move in ways}
    wrong = find_wrong_borders(campaign, ask_about_moves(listening, moves.values()))
    lacked = {one.position.line for kind, one in wrong.values() if kind == "missing"}
    missing = {
        shape: [move for ways in several if ways and all(way.line in lacked for way in ways) for move in ways]
        for shape, several in needed.items()
    }
    alone = {one.shape: [one.position] for one in findings if BORDER_MISSING in one.causes}
    return {shape: list(dict.fromkeys(map(format_lone_move, moves))) for shape, moves in {**missing, **alone}.items()}


def _mark_word_family(campaign: Campaign, tally: Tally, family: Family) -> Family:
    """Return the family with a description of its words if no difference on any of its boards is about units."""
    differences = [*chain.from_iterable(finding.differences for finding in family.findings)]
    kinds = chain.from_iterable(one.kinds for one in tally.differing if one.board in family.boards)
    alone = all(is_only_wording(one, campaign.depth, campaign.contact.words) for one in differences)
    if alone and not any(map(is_visible_on_board, kinds)):
        return replace(family, says=format_word_differences(differences, family.cause))
    return family


def choose_covering_causes(causes_by_shape: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Choose few causes that together cover all findings; map each to the shapes of the findings that it covers.

    `causes_by_shape` maps each finding's shape to all its possible causes. The cause of most findings comes first.
    """
    left, chosen = dict(causes_by_shape), dict[str, list[str]]()
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


def _group_by_hypothesis(campaign: Campaign, tally: Tally, findings: Sequence[Finding], limit: int) -> Iterator[Family]:
    """Try at most `limit` hypotheses; yield families of findings that need the same parts of the best one as an explanation."""
    clear_answer_caches()
    usual, listening = Hypothesis.from_rulebook(campaign.rulebook), make_recording_campaign(campaign)
    known = join_hypotheses((usual, *(one.hypothesis for one in campaign.known))) or usual
    evidence = Evidence(known, campaign.contact.words, Budget(limit))
    evidence.add_answers(EngineAnswer(BOARDS, finding.position, campaign.depth, finding.theirs) for finding in findings)
    evidence.add_answers(
        _ask_positions(listening, _list_kit_positions(campaign, {finding.position.board.phase for finding in findings}))
    )
    best = find_best_hypothesis(
        evidence, [*_ask_positions(listening, _draw_agreeing_boards(campaign, tally))], listening.ask_position
    )
    others, left = list_rivals(evidence, best), evidence.list_misfits(best)
    parts = {number: _list_needed_parts(evidence, number, usual, best) for number in range(len(findings)) if number not in left}
    shown = set(chain.from_iterable(parts.values()))  # a part that no finding needs must not hide contradictions
    shown_parts = remove_parts(usual, best, [part for part in best.list_extra_parts(usual) if part not in shown])
    contradicted = evidence.list_misfits(shown_parts)
    for needed, numbers in group_pairs((needed, number) for number, needed in parts.items() if needed).items():
        instead = {new for one in others if len(needed) == 1 for new in list_replacements(best, one, needed[0])}
        is_partial = any(contradicted - evidence.list_misfits(remove_parts(usual, shown_parts, [part])) for part in needed)
        says = f"in some cases, {TOGETHER.join(map(describe_part, needed))}" if is_partial else ""
        family = Family(TOGETHER.join(needed), tuple(findings[at] for at in numbers), True, tuple(sorted(instead)), says)
        yield _mark_word_family(campaign, tally, family) if _is_only_wording(evidence, usual, best, needed) else family


def remove_parts(usual_hypothesis: Hypothesis, best: Hypothesis, parts: Collection[str]) -> Hypothesis:
    """Return the best hypothesis without some parts (or its rulebook); the usual one if the other parts are incompatible."""
    with suppress(RulebookError):
        return usual_hypothesis.with_parts(part for part in best.list_extra_parts(usual_hypothesis) if part not in parts)
    return usual_hypothesis


def _is_only_wording(evidence: Evidence, usual_hypothesis: Hypothesis, best: Hypothesis, needed: Sequence[str]) -> bool:
    """Return whether the `needed` parts of the best hypothesis only change words in the answers that they explain."""
    reduced = remove_parts(usual_hypothesis, best, needed)
    explained = [evidence.answers[number] for number in sorted(evidence.list_misfits(reduced) - evidence.list_misfits(best))]
    return bool(describe_word_differences(evidence, reduced, needed[0], explained))


def _list_needed_parts(evidence: Evidence, number: int, usual_hypothesis: Hypothesis, best: Hypothesis) -> tuple[str, ...]:
    """Return a minimal set of the best hypothesis's extra parts that explains the answer with this index."""

    def explain(parts: Sequence[str]) -> bool:
        with suppress(RulebookError):
            return bool(list_explained_numbers(evidence, usual_hypothesis.with_parts(parts), [number]))
        return False

    return tuple(find_minimal_subset(best.list_extra_parts(usual_hypothesis), explain))


def _list_kit_positions(campaign: Campaign, phases: Collection[Phase]) -> list[AskedPosition]:
    """List the kit's questions that are evidence, of some phases; [] unless the campaign has the standard map."""
    if not any(game_map.is_standard for game_map in campaign.source.maps):
        return []
    return [campaign.drop_illegal_orders(position) for position in list_evidence_positions() if position.board.phase in phases]


def _draw_agreeing_boards(campaign: Campaign, tally: Tally) -> Iterator[AskedPosition]:
    """Yield the first boards of the campaign, without those on which the engines differ for no known reason."""
    differing = {one.board for one in tally.differing}
    numbers = (number for number in range(min(tally.boards, LOOKED_AT)) if number not in differing)
    return (campaign.drop_illegal_orders(campaign.source.get_position(number)) for number in numbers)


def _ask_positions(campaign: RecordingCampaign, positions: Iterable[AskedPosition]) -> Iterator[EngineAnswer]:
    """Ask the engine about positions and yield its answers; stop if it fails too often."""
    failed = 0
    for position in positions:
        answer = campaign.ask_position(position)
        if answer is not None and answer.theirs is not None:
            yield answer
        failed += answer is not None and answer.theirs is None
        if failed >= MOST_FAILED:
            break
