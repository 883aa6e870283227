"""Diagnoses which mistakes explain an engine's answers to the kit.

Some mistakes are visible in the answers: wrong borders and coasts, missing answers, or answers that depend on how a position
is written. Hypotheses explain the rest (`satjudge.engines.conformance.evidence`). Answers that no hypothesis explains are
always listed as unexplained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

from satjudge.base.errors import OracleLostError
from satjudge.base.values import replace
from satjudge.base.words import join_first_names, number_of
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.engines.campaign import VARYING, Campaign
from satjudge.engines.comparison import RETREATS, Depth, Difference, answer_from_outcome, compare_answers
from satjudge.engines.conformance.evidence import (
    MORE,
    TRIES,
    Ask,
    Budget,
    EngineAnswer,
    Evidence,
    RecordingCampaign,
    extend_hypothesis,
    list_replacements,
    list_rivals,
    list_rulebook_hypotheses,
    minimize_hypothesis,
    prefer_settings,
)
from satjudge.engines.conformance.fault_search import (
    clear_answer_caches,
    list_candidates,
    refine_fault,
    sample_evenly,
    search_faults,
    split_rivals,
)
from satjudge.engines.conformance.faults import describe_part, is_conditional, split_fault
from satjudge.engines.conformance.hypotheses import Hypothesis, answer_position
from satjudge.engines.conformance.wording import describe_word_differences, list_reworded_answers, list_wordings
from satjudge.engines.connections.process_oracle import REFUSED
from satjudge.engines.connections.registry import get_phases
from satjudge.engines.documents.conformance import WORDS, Cause, Conformance, Contradiction, Diagnosis, Shown
from satjudge.engines.kit.parts import BOARDS
from satjudge.engines.positions import AskedPosition, Fuzz, add_slips
from satjudge.engines.shrinking import shrink_position
from satjudge.explain.documents import list_retreats
from satjudge.judging.judge import judge_parsed_orders
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase, Unit, by_power, group_pairs
from satjudge.world.geography import Location, ProvinceCode, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Retreat, SupportHold, SupportMove

MAP = "map"
IN_SOME_CASES = "in some cases, "
"""The beginning of the description of a cause that contradicts some answers."""
MANY = 30
"""With this many wrong answers an engine is assumed to make several mistakes, and simple mistakes are tried first."""
FEW, FEW_SUSPECTED = 0.3, 0.5
"""The largest share of lone-unit moves, or of suspected ones, that may count as wrong borders, not as another fault."""
MOST_TOLD = 6
"""The largest number of borders named in a sentence."""
MOST_SUSPECTED = 12
"""The number of smallest differing questions whose borders are tested if the kit's questions about the map were not asked."""
MOST_ASKED_OTHERWISE = 60
MOST_BOARDS = 6
"""The largest number of wrongly answered boards that are added to the evidence at a time."""
SHRUNK, SHRINKING = 2, 80
"""The largest number of boards that are shrunk at a time, and of questions asked for each."""
LOOKED_AT = 2000
"""The number of boards outside the kit that confirm a result.

If every answer to the kit is right, all 6,400 such boards are asked before the diagnosis reports agreement.
"""
NEAR = 3
"""The number of questions per part of a hypothesis whose positions are varied to find further positions."""
DRAWN, BATCHES = 120, 3
RARE = 1500
"""The number of boards of a phase that are searched for ones on which the remaining conditions differ."""
MOVED = 4
"""The number of further positions that test whether a part that changes only words also moves units."""
CALLED = 12
"""The number of further positions asked if an engine's mistake seems to be only in its words."""
MOST_PIECES, FEW_ANSWERS = 2, 3
"""The most mistakes with conditions, and the fewest answers for each, that are reported without a doubt."""
_SEED = 18


def diagnose_engine(
    campaign: RecordingCampaign,
    answers: Sequence[EngineAnswer],
    result: Conformance,
    hypothesis_limit: int = TRIES,
    watch: Callable[[str, Diagnosis | None], None] | None = None,
) -> Diagnosis:
    """Diagnose the causes of an engine's wrong answers to the kit, and ask it further questions where needed.

    `answers` are all answers to the kit, and `result` is the document about them. The diagnosis ends early after
    `hypothesis_limit` hypotheses, and is then marked as cut short. `watch` is called with the current activity and with each
    better diagnosis.
    """
    clear_answer_caches()
    expected = Hypothesis.from_settings(campaign.rules, campaign.settings)
    maker = _CauseMaker(campaign, {(part.part, one.question) for part in result.parts for one in part.findings})
    audit, rest = [one for one in answers if one.part == MAP], [one for one in answers if one.part != MAP]
    share = FEW if audit else FEW_SUSPECTED
    audit = audit or _audit_map(campaign, rest)
    borders = find_wrong_borders(campaign, audit, share)
    causes = [*_iter_failure_causes(maker, answers)]
    causes += _iter_map_causes(maker, borders)
    usable = [one for one in rest if one.theirs is not None and not _can_affect(one.position, borders)]
    if audit and not borders:
        usable += _list_differing(campaign, audit)[:MOST_ASKED_OTHERWISE]
    differing = _list_differing(campaign, usable)
    varying = _find_contradictions(campaign, differing, result.contradicting)
    usable = [one for one in usable if one not in varying]

    def look_on(doing: str, evidence: Evidence, best: Hypothesis | None) -> None:
        if watch:
            watch(doing, _make_diagnosis(maker, evidence, best, causes, len(answers)) if best else None)

    evidence = Evidence(expected, campaign.contact.words, Budget(hypothesis_limit), look_on)
    boards = [one for one in usable if one.part == BOARDS]
    evidence.add_answers(one for one in usable if one.part != BOARDS)
    evidence.add_answers(
        sorted((one for one in differing if one.part == BOARDS and one not in varying), key=_size_key)[:MOST_BOARDS]
    )
    evidence.add_answers(_shrink_unexplained_boards(evidence, expected, boards, campaign.ask_position))
    best = find_best_hypothesis(evidence, boards, campaign.ask_position)
    evidence, best = _search_by_units(evidence, best, campaign.ask_position)
    further: list[EngineAnswer] = []
    if boards and not varying and not causes:
        evidence.report("asking about boards outside the kit", best)
        further = _ask_further_boards(campaign, LOOKED_AT if differing else None)
    evidence.report("comparing circumstances on crowded boards", best)
    best = _recheck_conditions(evidence, best, campaign.ask_position)
    causes += _iter_variance_causes(maker, varying, result.contradicting)
    evidence.report("distinguishing causes that explain the same answers", best)
    evidence, best = prefer_settings(evidence, best)
    others = list_rivals(evidence, best)
    if apart := [one for one in others if one.parts != best.parts]:
        split_rivals(
            evidence, [best, *apart], [*chain.from_iterable(_draw_further_positions(evidence, best))], campaign.ask_position
        )
    best = minimize_hypothesis(evidence, evidence.best)
    others = list_rivals(evidence, best)
    _ask_for_unit_evidence(evidence, best, campaign.ask_position)
    parts = sorted(_iter_part_causes(maker, evidence, best, others), key=_doubt_key)
    causes += parts
    causes += _iter_naming_causes(maker, evidence, best)
    unfit = evidence.list_misfits(best)
    words = list_wordings(evidence, best, [evidence.answers[number] for number in sorted(unfit)])
    causes += [maker.make_cause(WORDS, one.name, one.says, one.answers) for one in words]
    unexplained = frozenset(number for number in unfit if not any(evidence.answers[number] in one.answers for one in words))
    left = [evidence.answers[number] for number in sorted(unexplained)]
    left += _list_refuting_boards(evidence, best, [*boards, *further], None)
    reworded_answers = list_reworded_answers(evidence, best, left)
    left = [one for one in left if one not in reworded_answers]
    if reworded_answers:
        text = "where it makes such a mistake, its verdicts differ from satjudge's, but the units end up the same"
        causes.append(maker.make_cause(WORDS, f"orders concerned by {', '.join(best.faults)}", text, reworded_answers))
    left += _list_unexplained_moves(campaign, audit, borders, best, evidence)
    causes = [*_iter_rulebook_causes(maker, evidence, best), *causes]
    return Diagnosis(
        rules=best.rules,
        settings=[one for one in best.settings if one not in (cause.name for cause in parts if cause.kind == WORDS)],
        also=sorted(
            {one.rules for one in others if one.faults == best.faults and one.rules != best.rules and not one.settings}
        ),
        causes=causes,
        unexplained=[_describe_answer(campaign, one) for one in sorted(left, key=lambda one: one.size)],
        answers=len(answers),
        differing=len(maker.differing),
        set_aside=maker.count_kit_answers(one for one in rest if one.theirs is not None and _can_affect(one.position, borders)),
        left=maker.count_kit_answers(left),
        cut_short=evidence.is_exhausted() and bool(left),
        tries=hypothesis_limit,
        boards=len(boards),
        further=len(further),
        besides=0
        if differing
        else sum(
            campaign.format_explanation(campaign.compare(one.position)) is None for one in _list_differing(campaign, further)
        ),
        nearest=2 * len(unfit) > len(evidence.answers),
        doubt=describe_doubt(causes),
    )


def _make_diagnosis(
    maker: _CauseMaker, evidence: Evidence, best: Hypothesis, causes: Sequence[Cause], answers: int
) -> Diagnosis:
    """Return the preliminary diagnosis by the best hypothesis so far, as unfinished; `answers` is the number of kit answers."""
    parts = sorted(_iter_part_causes(maker, evidence, best, ()), key=_doubt_key)
    left = [evidence.answers[number] for number in sorted(evidence.list_misfits(best))]
    return Diagnosis(
        rules=best.rules,
        settings=list(best.settings),
        also=[],
        causes=[*_iter_rulebook_causes(maker, evidence, best), *causes, *parts],
        unexplained=[],
        answers=answers,
        differing=len(maker.differing),
        left=maker.count_kit_answers(left),
        unfinished=True,
    )


def describe_doubt(causes: Sequence[Cause]) -> str:
    """Return the reason to doubt that causes which fit the answers are the engine's real rules; "" if there is none.

    If no hypothesis contains the real rule, several parts may imitate it. Few answers cannot distinguish many rules.
    """
    conditional_causes = [one for one in causes if one.kind in ("fault", WORDS) and is_conditional(one.name)]
    pieces = [split_fault(one.name) for one in conditional_causes]
    if len({base for base, _ in pieces}) < len(pieces):
        return "one mistake is reported with two conditions"
    if len(pieces) > MOST_PIECES:
        return f"{number_of(len(pieces), 'mistake')} are reported, each with a condition"
    if any(one.explains + one.besides < FEW_ANSWERS for one in conditional_causes):
        return f"a condition rests on fewer than {FEW_ANSWERS} answers"
    return ""


def find_best_hypothesis(evidence: Evidence, boards: Sequence[EngineAnswer], ask: Ask) -> Hypothesis:
    """Find the hypothesis that explains the evidence best; test it on `boards`, and add answers to further questions."""
    if in_words := _find_word_fault(evidence, ask):
        return in_words
    best = _find_cause_hypothesis(evidence, ask)
    if not evidence.is_exhausted() and (more := _list_refuting_boards(evidence, best, boards)):
        evidence.add_answers(more)
        evidence.add_answers(_shrink_unexplained_boards(evidence, best, boards, ask))
        best = _find_cause_hypothesis(evidence, ask, best)
    return best


def _ask_further_boards(campaign: RecordingCampaign, number: int | None) -> list[EngineAnswer]:
    """Ask the engine about boards outside the kit (`number` of them, or all if None), and list its answers."""
    phases = get_phases(campaign.contact.against)
    several = [one for one in (*_draw_pool(), *_draw_pool_with_slips()) if one.board.phase in phases]
    answers = map(campaign.ask_position, several if number is None else sample_evenly(several, number))
    return [one for one in answers if one is not None and one.theirs is not None]


def _find_word_fault(evidence: Evidence, ask: Ask) -> Hypothesis | None:
    """Find a fault that explains an engine's verdicts although its units follow the rules, and ask to confirm it; else None."""
    expected = evidence.expected
    if not evidence.list_misfits(expected) or evidence.copy_by_units().list_misfits(expected):
        return None
    found = next((one.hypothesis for one in list_candidates(evidence, [expected])), None)
    if found is None or evidence.list_misfits(found):
        return None
    shown = [
        one
        for batch in _draw_further_positions(evidence, found)
        for one in _choose_telling_positions(evidence, found, expected, batch, Depth.VERDICTS)
    ]
    moving = list(_choose_telling_positions(evidence, found, expected, shown, Depth.DISLODGEMENTS))
    as_told, in_words = (
        [one for one in map(ask, several) if one is not None and one.theirs is not None]
        for several in (moving[:MOVED], sample_evenly([one for one in shown if one not in moving], CALLED))
    )
    own_evidence = Evidence(expected, evidence.words, evidence.budget)
    own_evidence.add_answers(as_told)
    if not as_told or own_evidence.copy_by_units().list_misfits(expected):
        return None
    evidence.add_answers(in_words)
    return None if evidence.list_misfits(found) else found


@dataclass(frozen=True)
class _CauseMaker:
    """Makes causes, each with the number of wrong answers to the kit that it explains."""

    campaign: Campaign
    differing: Set[tuple[str, str]]
    """The wrongly answered questions, each by its part and name."""

    def count_kit_answers(self, answers: Iterable[EngineAnswer]) -> int:
        """Count the answers that belong to the kit and differ from satjudge's."""
        return len(self.differing & {(one.part, one.position.name) for one in answers})

    def make_cause(
        self,
        kind: str,
        name: str,
        description: str,
        explained_answers: Sequence[EngineAnswer],
        alternatives: Sequence[str] = (),
    ) -> Cause:
        """Make a cause whose evidence is the smallest of the answers that it explains; `alternatives` name other causes."""
        examples = [_describe_answer(self.campaign, one) for one in sorted(explained_answers, key=_size_key)[:1]]
        besides = sum(one.part == MORE for one in explained_answers)
        return Cause(kind, name, description, self.count_kit_answers(explained_answers), examples, list(alternatives), besides)


# ---- causes that are visible in the answers ----


def _list_differing(campaign: Campaign, answers: Iterable[EngineAnswer]) -> list[EngineAnswer]:
    """List the answers that are errors, or that differ from the answers of the rulebook that the engine should follow."""
    several = list(answers)
    ours = Hypothesis.from_settings(campaign.rules, campaign.settings).list_answers([one.position for one in several])
    return [one for one, mine in zip(several, ours, strict=True) if one.theirs is None or _is_wrong(campaign, one, mine)]


def _is_wrong(campaign: Campaign, answer: EngineAnswer, ours: Answer | None) -> bool:
    """Return whether the engine's answer differs from `ours`; False if `ours` is None (the rulebook has no answer)."""
    assert answer.theirs is not None
    return ours is not None and bool(
        compare_answers(ours, answer.theirs, answer.position.orders, answer.depth, campaign.contact.words)
    )


def _iter_failure_causes(maker: _CauseMaker, answers: Iterable[EngineAnswer]) -> Iterator[Cause]:
    """Yield a cause for each kind of failure by which the engine left questions unanswered."""
    for kind, questions in group_pairs((one.failure, one) for one in answers if one.theirs is None).items():
        smallest = min(questions, key=_size_key).failure_text.removeprefix(f"{REFUSED}: ")
        text = f"gives no answer to {number_of(len(questions), 'question')} ({smallest})"
        yield maker.make_cause("failure", kind, text, questions)


def _audit_map(campaign: RecordingCampaign, answers: Iterable[EngineAnswer]) -> list[EngineAnswer]:
    """Ask about lone moves, both ways, over borders in the smallest wrong answers on the standard map; return the answers.

    These questions are needed if the kit's questions about the map were not asked. Otherwise, a missing border, which no fault
    explains, would cost a minute of useless search.
    """
    moves: dict[bytes, AskedPosition] = {}
    suspected = sorted((one for one in answers if one.theirs is not None), key=_size_key)
    for one in _list_differing(campaign, suspected)[:MOST_SUSPECTED]:
        board, ours = one.position.board, answer_position(one.position, campaign.rulebook)
        if board.map.is_standard and ours is not None and one.theirs is not None:
            differences = compare_answers(ours, one.theirs, one.position.orders, one.depth, campaign.contact.words)
            for move in chain.from_iterable(list_needed_moves(one.position, differences, one.theirs)):
                (unit,), (order,) = move.board.units, move.movement_orders.values()
                assert isinstance(order, Move)
                back = _make_lone_move(board, replace(unit, location=order.destination), unit.location)
                moves |= {move.line: move, back.line: back}
    return ask_about_moves(campaign, moves.values())


def ask_about_moves(campaign: RecordingCampaign, moves: Iterable[AskedPosition]) -> list[EngineAnswer]:
    """Ask the engine about positions with a single unit that moves, and return its answers as answers of the part `map`."""
    answers = (campaign.ask_position(move) for move in moves)
    return [replace(one, part=MAP, depth=Depth.POSITIONS) for one in answers if one]


def list_needed_moves(
    position: AskedPosition, differences: Iterable[Difference], theirs: Answer | None
) -> Iterator[list[AskedPosition]]:
    """Yield, for each differing order or retreat, positions of a lone move, of which one must succeed for satjudge's answer."""
    board = position.board
    units = {unit.named: unit for unit in (*board.units, *(lost.unit for lost in board.dislodged))}
    for found in differences:
        order = position.orders_by_number.get((found.power, found.number)) if found.number is not None else None
        if isinstance(order, Move | Retreat | SupportHold | SupportMove) and order.unit in units:
            target = order.supported.province if isinstance(order, SupportHold) else order.destination
            yield [_make_lone_move(board, units[order.unit], way) for way in _list_ways(board, units[order.unit], target)]
        elif found.kind == RETREATS and theirs is not None:
            places = theirs.dislodged.get(found.power, {}).get(found.subject, [])
            lost = next(unit for unit in units.values() if (unit.power, str(unit)) == (found.power, found.subject))
            exits = board.map.exits(lost.kind, lost.location)
            yield from ([_make_lone_move(board, lost, place)] for place in sorted(exits) if place not in places)


def _list_ways(board: Board, unit: Unit, destination: Location) -> list[Location]:
    """List where a unit can move directly: to `destination` itself, or else to each reachable coast of its province."""
    exits = sorted(board.map.exits(unit.kind, unit.location))
    return [destination] if destination in exits else [way for way in exits if province_of(way) == province_of(destination)]


def _make_lone_move(board: Board, unit: Unit, destination: Location) -> AskedPosition:
    """Make a position in which a unit moves and no other unit exists."""
    return AskedPosition(Board((unit,), map=board.map), {unit.power: [Move(unit.named, destination)]})


def describe_borders(moves: Iterable[str]) -> str:
    """Return a list of the borders that moves cross, in words: `A PIC - BEL and back`; only the first few are named."""
    known = dict.fromkeys(moves)
    backwards = {move: f"{move[:2]}{' - '.join(reversed(move[2:].split(' - ')))}" for move in known}
    both = {move for move in known if backwards[move] in known}
    texts = sorted(f"{move} and back" if move in both else move for move in known if move not in both or move < backwards[move])
    return join_first_names(texts, MOST_TOLD)


Borders = dict[tuple[str, str, str], tuple[str, EngineAnswer]]
"""Wrong borders by unit kind, origin and destination: the mistake and the answer that shows it."""


def find_wrong_borders(campaign: Campaign, map_answers: Iterable[EngineAnswer], max_share: float = 1) -> Borders:
    """Find the lone moves with wrong results in answers about the map; {} if their share of the legal moves exceeds a limit."""
    found: Borders = {}
    possible = 0
    for one in map_answers:
        (unit,) = one.position.board.units
        (order,) = one.position.movement_orders.values()
        assert isinstance(order, Move)
        ours = answer_from_outcome(judge_parsed_orders(one.position.board, one.position.orders, campaign.rulebook))
        moves = str(unit) not in ours.units[unit.power]
        possible += moves
        if one.theirs is not None and (theirs := one.theirs.units) != ours.units:
            stays = theirs.get(unit.power) == [str(unit)]
            if _goes_to_another_coast(unit, order, theirs.get(unit.power, [])):  # a rule for coasts (4.B.3), not a border
                continue
            where = ", ".join(theirs.get(unit.power, [])) or "nowhere"
            arrives = [province_of(one[2:]) for one in theirs.get(unit.power, [])] == [province_of(order.destination)]
            wrong = "missing" if moves and stays else "extra" if arrives and not moves else f"ends in {where}"
            found[str(unit.kind), unit.location, order.destination] = wrong, one
    return found if len(found) <= max(max_share * possible, 2) else {}


def _goes_to_another_coast(unit: Unit, order: Move, arrived: Sequence[str]) -> bool:
    """Return whether a fleet arrived on another coast of its destination than the one that was ordered."""
    ends = [one[2:] for one in arrived]
    return (
        "/" in order.destination
        and ends != [order.destination]
        and [*map(province_of, ends)] == [province_of(order.destination)]
    )


def _iter_map_causes(maker: _CauseMaker, borders: Borders) -> Iterator[Cause]:
    """Yield a cause for each kind of mistake in the engine's map, listing the borders concerned."""
    by_kind: dict[tuple[str, str], list[tuple[str, EngineAnswer]]] = {}
    for (kind, origin, destination), (wrong, one) in borders.items():
        coasts = "/" in origin + destination or any(
            len(list_coasts(one, place)) > 1 and kind == "F" for place in (origin, destination)
        )
        alone = wrong in ("missing", "extra")
        name = "coasts" if coasts or not alone else "borders"
        text = f"{kind} {origin} - {destination}{'' if alone else f' {wrong}'}"
        by_kind.setdefault((name, wrong if alone else "wrong"), []).append((text, one))
    for (name, wrong), entries in by_kind.items():
        description = f"{name} {wrong}: {describe_borders(text for text, _ in entries)}"
        yield maker.make_cause(name.removesuffix("s"), f"{name} {wrong}", description, [one for _, one in entries])


def list_coasts(answer: EngineAnswer, place: str) -> Sequence[str]:
    """Return the sorted coasts of a place's province, on the map of the question; [] if it has none."""
    province = answer.position.board.map.provinces.get(province_of(place))
    return sorted(province.coasts) if province else []


def _can_affect(position: AskedPosition, borders: Borders) -> bool:
    """Return whether the wrong borders could change the outcome of a position.

    The borders can matter if the position names both provinces of one, if a unit in one of them is attacked and might retreat
    over the border, or if distances matter, as in civil disorder (4.D.8).
    """
    if not borders or position.board.phase is Phase.ADJUSTMENT:
        return bool(borders)
    provinces = _list_provinces(position)
    attacked = {province_of(order.destination) for order in position.movement_orders.values() if isinstance(order, Move)}
    attacked_units = {(str(unit.kind), unit.province) for unit in position.board.units if unit.province in attacked}
    return any(
        {province_of(origin), province_of(destination)} <= provinces or (kind, province_of(origin)) in attacked_units
        for kind, origin, destination in borders
    )


def _list_provinces(position: AskedPosition) -> set[ProvinceCode]:
    """Return the provinces of a position's units, those that its orders name, and those of possible retreats."""
    board = position.board
    units = [*board.units, *(lost.unit for lost in board.dislodged)]
    provinces = {unit.province for unit in units}
    for order in position.orders_by_number.values():
        for part in ("unit", "supported", "convoyed"):
            if (one := getattr(order, part, None)) is not None:
                provinces.add(one.province)
        if (destination := getattr(order, "destination", None)) is not None:
            provinces.add(province_of(destination))
    for lost in board.dislodged:
        provinces |= {province_of(place) for place in lost.retreats}
    return provinces


def _find_contradictions(
    campaign: Campaign, differing: Sequence[EngineAnswer], known_contradictions: Sequence[Contradiction]
) -> dict[EngineAnswer, str]:
    """Ask differing questions again, smallest first, also rearranged; map each answer that changes to the way of asking."""
    found: dict[EngineAnswer, str] = {}
    ordered = sorted(differing, key=lambda one: one.size)
    for number, one in enumerate(ordered[:MOST_ASKED_OTHERWISE] if not known_contradictions else ordered):
        if number >= 20 and not found and not known_contradictions:
            break
        try:
            varying = campaign.find_contradiction(one.position)
        except OracleLostError:
            break
        if varying:
            found[one] = varying.kind.removeprefix(VARYING)
    return found


VARIANCE = {
    "asked again": "answers are not always the same: asked again, it gives another answer",
    "orders listed otherwise": "answers depend on the order in which orders are listed",
    "powers listed otherwise": "answers depend on the order in which powers are listed",
    "powers renamed": "answers depend on what powers are called",
}


def _iter_variance_causes(
    maker: _CauseMaker, varying_answers: Mapping[EngineAnswer, str], known_contradictions: Sequence[Contradiction]
) -> Iterator[Cause]:
    ways = dict.fromkeys([*(one.how for one in known_contradictions), *varying_answers.values()])
    if "asked again" in ways:  # then everything else varies as well
        ways = {"asked again": None}
    for how in ways:
        questions = [one for one, kind in varying_answers.items() if kind == how or len(ways) == 1]
        yield maker.make_cause("variance", how, VARIANCE.get(how, how), questions)


# ---- causes that hypotheses explain ----


def _find_cause_hypothesis(evidence: Evidence, ask: Ask, best: Hypothesis | None = None) -> Hypothesis:
    """Search for the best hypothesis, from `best` (or the expected one) on; if needed, also under the nearest rulebook."""
    expected = evidence.expected
    if len(evidence.list_misfits(best or expected)) < MANY:
        best = _search_faults(evidence, best or expected, ask)
    if evidence.list_misfits(best or expected):
        best = _search_faults(evidence, _find_parts(evidence, expected), ask)
    return best or expected


def _find_parts(evidence: Evidence, expected: Hypothesis) -> Hypothesis:
    """Find the settings and unconditional faults that explain most answers, under the expected or the nearest rulebook."""
    nearest = min(list_rulebook_hypotheses(), key=evidence.cost)
    for start in sorted({expected, nearest}, key=evidence.cost):
        if evidence.list_misfits(evidence.best):  # includes hypotheses found from the other start
            extend_hypothesis(evidence, start)
    return minimize_hypothesis(evidence, evidence.best)


def _search_faults(evidence: Evidence, best: Hypothesis, ask: Ask) -> Hypothesis:
    """Find faults and their conditions by asking the engine about fixed boards and about variations of its wrong answers."""
    if not evidence.list_misfits(Hypothesis(best.rules, best.settings)):
        return best
    pool = [*_draw_pool(), *_draw_pool_with_slips()]
    return search_faults(
        evidence, best, pool, lambda shown: (near for one in shown for near in iter_nearby_positions(one)), ask
    )


def _search_by_units(evidence: Evidence, best: Hypothesis, ask: Ask) -> tuple[Evidence, Hypothesis]:
    """If answers stay unexplained, search again ignoring verdicts; return the better hypothesis after the evidence for it.

    An engine with a mistake may use other words for the affected orders than satjudge with the same mistake. The evidence that
    compares only units is used if it leaves fewer answers unexplained.
    """
    if not any(one.depth.compares_results for one in evidence.answers):  # only units are compared anyway
        return evidence, best
    other = evidence.copy_by_units()
    if not evidence.list_misfits(best) or not other.list_misfits(best) or other.is_exhausted():
        return evidence, best
    other.weigh(evidence.expected)
    found = _find_cause_hypothesis(other, ask)
    worth = len(other.list_misfits(found)) < len(other.list_misfits(best)) and found.faults
    return (other, found) if worth else (evidence, best)


def _list_refuting_boards(
    evidence: Evidence, best: Hypothesis, boards: Sequence[EngineAnswer], limit: int | None = MOST_BOARDS
) -> list[EngineAnswer]:
    """List the smallest `boards`, at most `limit`, that are not evidence yet and on which hypothesis and engine disagree."""
    new = [one for one in boards if one.position.key not in evidence.positions]
    answers = best.list_answers([one.position for one in new])
    wrong = (one for one, answer in zip(new, answers, strict=True) if answer is not None and not evidence.agrees(one, answer))
    return sorted(wrong, key=_size_key)[:limit]


def _shrink_unexplained_boards(
    evidence: Evidence, best: Hypothesis, boards: Sequence[EngineAnswer], ask: Ask
) -> list[EngineAnswer]:
    """Shrink the smallest boards that a hypothesis does not explain; return the engine's answers to the shrunk boards."""
    wrong = [one for one in boards if not _explains_answer(evidence, best, one)]
    found: dict[str, EngineAnswer] = {}
    for one in sorted(wrong, key=_size_key)[:SHRUNK]:
        heard: dict[bytes, EngineAnswer] = {}

        def keeps(candidate: AskedPosition, heard: dict[bytes, EngineAnswer] = heard) -> bool:
            answer = ask(candidate)
            if answer is None or answer.theirs is None or _explains_answer(evidence, best, answer):
                return False
            heard[candidate.line] = answer
            return True

        smallest = shrink_position(one.position, keeps, SHRINKING)
        if smallest.line in heard:
            named = replace(smallest, name=f"{smallest.name}, shrunk")
            found.setdefault(smallest.key, replace(heard[smallest.line], position=named))
    return [one for key, one in found.items() if key not in evidence.positions]


def _explains_answer(evidence: Evidence, hypothesis: Hypothesis, answer: EngineAnswer) -> bool:
    """Return whether a hypothesis predicts the engine's answer, or its rulebook leaves the position open."""
    (prediction,) = hypothesis.list_answers([answer.position])
    return prediction is None or evidence.agrees(answer, prediction)


def _recheck_conditions(evidence: Evidence, best: Hypothesis, ask: Ask) -> Hypothesis:
    """Search again for the condition of each fault on boards where similar conditions differ; return the better hypothesis."""
    for fault in best.faults:
        shown = evidence.list_misfits(best.without_part(fault)) - evidence.list_misfits(best)
        phases = {evidence.answers[number].position.board.phase for number in shown}
        pool = [board for phase in sorted(phases) for board in _draw_rare_boards(phase)]
        best = refine_fault(evidence, best, fault, pool, ask)
    return best


@cache
def _draw_rare_boards(phase: Phase) -> list[AskedPosition]:
    """Return crowded random boards of a phase, always the same ones; every third has slightly wrong orders."""
    source = Fuzz(_SEED + 20, RARE, (Flavour.DENSE, Flavour.CONVOYS, Flavour.GENERAL), phases=(phase,))
    positions = [source.get_position(number) for number in range(RARE)]
    return [add_slips(one) if number % 3 == 2 else one for number, one in enumerate(positions)]


@cache
def _draw_pool() -> list[AskedPosition]:
    """Return the small random boards of all phases that serve to search for faults, always the same ones."""
    several = (
        Fuzz(_SEED + 10, 1200, (Flavour.CONVOYS, Flavour.GENERAL, Flavour.CIRCLES), units=(3, 6)),
        Fuzz(_SEED + 11, 1200, (Flavour.CONVOYS, Flavour.GENERAL, Flavour.CIRCLES), units=(6, 12)),
        Fuzz(_SEED + 12, 800, phases=(Phase.RETREAT, Phase.ADJUSTMENT)),
    )
    return [source.get_position(number) for source in several for number in range(source.positions)]


@cache
def _draw_pool_with_slips() -> list[AskedPosition]:
    """Return the boards of the pool again, with some of their orders made slightly wrong."""
    return [add_slips(one) for one in _draw_pool()]


def _draw_further_positions(evidence: Evidence, best: Hypothesis) -> Iterator[list[AskedPosition]]:
    """Yield batches of positions outside the kit: variations of the smallest positions that show each part, then random ones.

    The positions are always the same.
    """
    left = evidence.list_misfits(best)
    showing = [
        sorted((evidence.answers[n] for n in evidence.list_misfits(best.without_part(p)) - left), key=_size_key)
        for p in best.parts
    ]
    yield [near for found in showing for one in found[:NEAR] for near in iter_nearby_positions(one.position)]
    for batch in range(BATCHES):
        source = Fuzz(_SEED + batch, DRAWN, (Flavour.CONVOYS, Flavour.GENERAL, Flavour.CIRCLES), units=(3, 8))
        yield [source.get_position(number) for number in range(DRAWN)]


def _ask_for_unit_evidence(evidence: Evidence, best: Hypothesis, ask: Ask) -> None:
    """For parts that only change words, ask about positions where they would move a unit; add the answers if all agree.

    The answers are evidence for the part if all agree with it. Otherwise the engine does not follow the part, and the diagnosis
    reports only the words.
    """
    for part in best.parts:
        reduced = best.without_part(part)
        if evidence.is_exhausted() or not describe_word_differences(
            evidence, reduced, part, _list_explained_answers(evidence, best, part)
        ):
            continue
        found = chain.from_iterable(
            _choose_telling_positions(evidence, best, reduced, batch, Depth.DISLODGEMENTS)
            for batch in _draw_further_positions(evidence, best)
        )
        answers = [one for one in map(ask, islice(found, MOVED)) if one is not None]
        if all(map(evidence.agrees, answers, best.list_answers([one.position for one in answers]))):
            evidence.add_answers(answers)


def _choose_telling_positions(
    evidence: Evidence, first: Hypothesis, second: Hypothesis, positions: Sequence[AskedPosition], depth: Depth
) -> Iterator[AskedPosition]:
    """Yield the positions on which the answers of two hypotheses differ at this depth of comparison."""
    for position, ours, theirs in zip(positions, first.list_answers(positions), second.list_answers(positions), strict=True):
        if ours is not None and theirs is not None and compare_answers(ours, theirs, position.orders, depth, evidence.words):
            yield position


def _list_explained_answers(evidence: Evidence, best: Hypothesis, part: str) -> list[EngineAnswer]:
    """List the answers that a hypothesis explains only because of one of its parts."""
    return [
        evidence.answers[number]
        for number in sorted(evidence.list_misfits(best.without_part(part)) - evidence.list_misfits(best))
    ]


def _size_key(answer: EngineAnswer) -> tuple[int, int, str]:
    return answer.size


def iter_nearby_positions(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield variations of a movement position, each with one unit of another power, with a hold order, or removed."""
    board, powers = position.board, position.board.map.powers
    present_powers = list(dict.fromkeys(unit.power for unit in board.units))
    new = [power for power in powers if power not in present_powers][:1]
    for unit in board.units if board.phase is Phase.MOVEMENT else ():
        own = [
            o for o in position.orders.get(unit.power, ()) if isinstance(o, MovementOrder) and o.unit.province == unit.province
        ]
        rest = {power: [o for o in given if o not in own or power != unit.power] for power, given in position.orders.items()}
        others = tuple(one for one in board.units if one is not unit)
        for power in (*present_powers, *new):
            if power != unit.power:
                orders = {**rest, power: [*rest.get(power, ()), *own]}
                moved = tuple(replace(one, power=power) if one is unit else one for one in board.units)
                yield AskedPosition(replace(board, units=moved), orders, f"{position.name}, {unit} of {power}")
        yield AskedPosition(
            board, {**rest, unit.power: [*rest.get(unit.power, ()), Hold(unit.named)]}, f"{position.name}, {unit} holds"
        )
        there_is = {  # engines disagree about orders without a unit, so these go as well
            power: [o for o in given if not (isinstance(o, MovementOrder) and o.unit.province == unit.province)]
            for power, given in rest.items()
        }
        yield AskedPosition(replace(board, units=others), there_is, f"{position.name}, without {unit}")


def _doubt_key(cause: Cause) -> tuple[bool, int]:
    """Return a sort key that puts certain causes first, and then those that explain most answers."""
    return cause.says.startswith(IN_SOME_CASES), -cause.explains - cause.besides


def _iter_part_causes(
    maker: _CauseMaker, evidence: Evidence, best: Hypothesis, others: Sequence[Hypothesis]
) -> Iterator[Cause]:
    """Yield a cause for each fault and each unexpected setting of the best hypothesis; `others` supply alternatives to it.

    A part that only changes words is reported as a matter of words, never as a rule that the engine follows.
    """
    for part in (one for one in best.parts if one not in evidence.expected.settings):
        explained = _list_explained_answers(evidence, best, part)
        instead = sorted({new for one in others for new in list_replacements(best, one, part)})
        contradicted = evidence.list_misfits(best) - evidence.list_misfits(best.without_part(part))
        says = f"{IN_SOME_CASES}{describe_part(part)}" if contradicted else describe_part(part)
        if text := describe_word_differences(evidence, best.without_part(part), part, explained):
            yield maker.make_cause(WORDS, part, text, explained, instead)
        else:
            yield maker.make_cause("fault" if part in best.faults else "setting", part, says, explained, instead)


def _iter_rulebook_causes(maker: _CauseMaker, evidence: Evidence, best: Hypothesis) -> Iterator[Cause]:
    """Yield the cause that the engine follows another rulebook than it should, if the best hypothesis has another one."""
    expected = evidence.expected
    as_asked = replace(best, rules=expected.rules)
    if best.rules == expected.rules or evidence.weigh(as_asked) is None:
        return
    telling = [evidence.answers[number] for number in sorted(evidence.list_misfits(as_asked) - evidence.list_misfits(best))]
    if telling:
        yield maker.make_cause("setting", best.rules, f"It plays by {best.rules}, not by {expected.rules}", telling)


def _iter_naming_causes(maker: _CauseMaker, evidence: Evidence, best: Hypothesis) -> Iterator[Cause]:
    """Yield the cause, if any, that the engine's verdicts on orders that do not count differ from those of its settings."""
    if naming_differences := sorted(evidence.list_naming_differences(best), key=lambda one: one[0].size):
        answer, first = naming_differences[0]
        example = f"{first.subject} is {first.theirs}, not {first.ours}, in {answer.position.name}"
        text = f"under its settings, orders that do not count get other verdicts ({example}), but the units end up the same"
        cause = maker.make_cause(WORDS, "orders that do not count", text, [one for one, _ in naming_differences])
        cause.evidence = []  # usually the author asked for this setting
        yield cause


def _list_unexplained_moves(
    campaign: Campaign, map_answers: Sequence[EngineAnswer], borders: Borders, best: Hypothesis, evidence: Evidence
) -> list[EngineAnswer]:
    """List the wrong answers about lone moves that the best hypothesis does not explain; [] if `borders` explain them."""
    if borders or not map_answers:
        return []
    known = {id(one) for one in evidence.answers}
    differing = [one for one in _list_differing(campaign, map_answers) if one.theirs is not None and id(one) not in known]
    predictions = best.list_answers([one.position for one in differing])
    return [one for one, answer in zip(differing, predictions, strict=True) if not evidence.agrees(one, answer)]


def _describe_answer(campaign: Campaign, answer: EngineAnswer) -> Shown:
    """Describe a question with satjudge's answer and the engine's as a document."""
    position, board = answer.position, answer.position.board
    orders = {power: [str(order) for order in given] for power, given in position.orders.items() if given}
    example = Shown(position.name, str(board.phase), by_power(board.units), orders, _list_verdicts_or_units(answer.theirs))
    if board.phase is Phase.RETREAT:
        example.dislodged = list_retreats(board.dislodged)
    if board.phase is Phase.ADJUSTMENT:
        example.centers = group_pairs((owner, center) for center, owner in sorted(board.centers.items()))
    example.of_units = answer.theirs is not None and not answer.theirs.verdicts
    if answer.theirs is not None and (ours := answer_position(position, campaign.rulebook)) is not None:
        our_texts = _list_verdicts_or_units(ours) if answer.theirs.verdicts else dict(ours.units)
        differences = compare_answers(ours, answer.theirs, position.orders, answer.depth, campaign.contact.words)
        besides = [one for one in differences if one.number is None]
        example.expected, example.differs = (
            our_texts,
            [f"{one.subject_with_power}: {one.ours or 'nothing'} / {one.theirs or 'nothing'}" for one in besides],
        )
    return example


def _list_verdicts_or_units(answer: Answer | None) -> dict[str, list[str]]:
    """Return an answer's verdicts by power, or its units by power if it has no verdicts; {} for no answer."""
    return {} if answer is None else {**(answer.verdicts or answer.units)}
