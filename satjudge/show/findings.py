"""Writes the findings of `explain`, `search`, `prove`, `lines` and `guarantee` as lines and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from satjudge.base.words import number_of
from satjudge.explain.changes import Change, LostUnit, OwnedUnit, Pivot
from satjudge.explain.compare import compare
from satjudge.explain.contradictions import Contradiction, WhyNot
from satjudge.explain.explanation import Explanation, Reason
from satjudge.explain.phases import explanations
from satjudge.judging.position import Position
from satjudge.show.layout import Part, Text
from satjudge.show.text import comparison_table, cores_text, heading_of, outcome_table, resolutions_table
from satjudge.world.geography import Map, Power, UnitKind
from satjudge.world.orders import Hold, MovementOrder

if TYPE_CHECKING:  # `explain` needs none of these, and they take long to import
    from satjudge.notation.sheets import Sheet
    from satjudge.search.documents.proofs import FoundLine, GuaranteeCase, LinesDocument, Report
    from satjudge.search.documents.search import Formulas, SearchDocument
    from satjudge.search.goals.judged import Judged
    from satjudge.search.guarantee import Finding
    from satjudge.search.lines import Line
    from satjudge.search.moving import MovingFinding
    from satjudge.search.search import Round
    from satjudge.search.second_opinion import Proof, SecondOpinion

RESOLUTIONS_SHOWN = 8
"""The most resolutions that are shown of a board that the rulebook has no answer to."""
POSITIONS_SHOWN = 20
"""The most positions that are shown of those that a line comes to."""
REPLIES_SHOWN = 20
"""The most replies that are shown; if there are more, only the last few are."""
LAST = 5
STEPS_SHOWN = 10
"""The most positions after the first season that are shown; if there are more, their number is."""


# ---- explain ----


def explanation_lines(found: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Write explanations power by power, a line for each reason, with what a reason takes for granted indented below it."""
    power = None
    for entry in found:
        if entry.power != power:
            power = entry.power
            yield f"{game_map.name_of(power)}:"
        yield f"  {entry.order}  {entry.head}"
        yield from [line for reason in entry.reasons for line in _reason_lines(reason, 2)][1:]


def why_lines(orders: Sequence[Explanation], retreats: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Write explanations of the orders of a phase, and below them those of the retreats that follow."""
    yield from explanation_lines(orders, game_map)
    if retreats:
        yield "Retreats"
        yield from explanation_lines(retreats, game_map)


def _reason_lines(reason: Reason, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{reason}"
    for below in reason.because:
        yield from _reason_lines(below, depth + 1)


def why_not_lines(answers: Iterable[WhyNot], cores: Iterable[Contradiction]) -> Iterator[str]:
    """Write whether orders could have had their way, and why cores have no resolution, step by step."""
    for answer in answers:
        yield from (answer.wish, *(f"  {step}" for step in answer.steps))
    for core in cores:
        yield from (f"The core {'; '.join(core.core)} has no resolution", *(f"  {step}" for step in core.steps))


def change_lines(change: Change, game_map: Map) -> Iterator[str]:
    """Write the verdicts, units and dislodgements that other orders change, and the explanation of an order asked about."""
    if not change.verdicts:
        yield "Nothing changes."
    for entry in change.verdicts:
        before, after = entry.before or "not ordered", entry.after or "left out"
        yield f"  {game_map.name_of(entry.power)}  {entry.order}: {before} -> {after}"
    yield from _outcome_lines(change, game_map)
    if change.order:
        yield from ("Then", *explanation_lines([change.order], game_map))


def _outcome_lines(change: Change, game_map: Map) -> Iterator[str]:
    lost = change.dislodgements
    lost_before, lost_after = ({_owned(entry, game_map) for entry in side} for side in (lost.before, lost.after))
    yield from (f"  no longer there: {_owned(unit, game_map)}" for unit in change.positions.before)
    yield from (f"  now there: {_owned(unit, game_map)}" for unit in change.positions.after)
    yield from (f"  no longer: {_fate(entry, game_map)}" for entry in lost.before if _owned(entry, game_map) not in lost_after)
    for entry in lost.after:
        yield f"  {'still' if _owned(entry, game_map) in lost_before else 'now'}: {_fate(entry, game_map)}"


def _owned(entry: OwnedUnit, game_map: Map) -> str:
    return f"{entry.unit} of {game_map.name_of(entry.power)}"


def _fate(entry: LostUnit, game_map: Map) -> str:
    fate = f"dislodged (may retreat to {', '.join(entry.retreats)})" if entry.retreats else "destroyed"
    return f"{_owned(entry, game_map)} {fate}"


def pivotal_lines(found: Iterable[Pivot], game_map: Map) -> Iterator[str]:
    """Write the orders on which the outcome hangs, each with the changes that leaving it out makes."""
    pivots = list(found)
    for pivot in pivots:
        yield f"Without {pivot.order} of {game_map.name_of(pivot.power)}"
        yield from _outcome_lines(pivot.change, game_map) if pivot.change else ["  the rulebook has no answer"]
    if not pivots:
        yield "No order is pivotal."


# ---- search ----


def search_lines(found: SearchDocument, game_map: Map) -> Iterator[Part]:
    """Write how a search ended, under what restrictions, and each answer."""
    yield f"{found.goal}  [{found.rulebook.name}]"
    yield found.headline
    yield from found.remarks
    yield f"Searched: {'; '.join(found.restrictions)}."
    yield _asked(found.rounds, found.seconds)
    yield from proved_anew_lines(found.second_opinions, found.proofs)
    for answer in found.answers:
        judged = answer.judged(found.rulebook.rulebook(), game_map)
        yield ""
        yield from _answer(judged)
        if answer.compared:
            yield ""
            yield comparison_table(compare(Position(judged.proposal.board, judged.proposal.orders), answer.compared), game_map)


def _asked(rounds: Sequence[Round], seconds: float) -> str:
    """Write how many questions the solver was asked, if any: some goals are answered without it."""
    if not rounds:
        return f"No solver was asked, {seconds:.1f} s."
    asked = f"{number_of(len(rounds), 'question')} of up to {number_of(max(part.variables for part in rounds), 'variable')}"
    return f"{asked}, {number_of(sum(part.refused for part in rounds), 'proposal')} refused, {seconds:.1f} s."


def proved_anew_lines(opinions: Iterable[SecondOpinion], proofs: Iterable[Proof]) -> Iterator[str]:
    """Write whether the second solver agrees on the questions on which a proof rests, and where its proofs are."""
    from satjudge.search.second_opinion import SOLVER

    for opinion in opinions:
        word = "agrees" if opinion.agrees else "DISAGREES"
        yield f"Second opinion: {SOLVER} {word} on “{opinion.question}” ({number_of(opinion.clauses, 'clause')})."
    for proof in proofs:
        yield f"Proof: {proof.proof}, {proof.bytes:,} bytes, sha256 {proof.sha256}, of {proof.formula}."


def formula_lines(written: Formulas) -> Iterator[str]:
    """Write the names and sizes of the formulas that were written for other solvers."""
    yield f"{written.goal}  [{written.rulebook.name}]"
    yield f"Restrictions: {'; '.join(written.restrictions)}."
    for one in written.formulas:
        size = f"{number_of(one.variables, 'variable')}, {number_of(one.clauses, 'clause')}, {number_of(one.counts, 'count')}"
        yield f"{one.file}: {one.question}, {size}."
    yield "What meets none of these does not have the goal; what does is a proposal, to be judged."


def _answer(judged: Judged) -> Iterator[Part]:
    """Write a position with its verdicts, its cores, and the reasons; with its resolutions where the rulebook has no answer."""
    board = judged.proposal.board
    if judged.outcome is None:
        yield resolutions_table(judged.resolutions, None, RESOLUTIONS_SHOWN)
        holding = [unit for unit in board.units if isinstance(judged.proposal.by_province[unit.province], Hold)]
        if holding:
            yield f"Holding: {', '.join(f'{unit} ({board.map.name_of(unit.power)})' for unit in holding)}."
        yield from map(Text, cores_text(judged.unsettled))
        yield f"Unresolved: {judged.error}"
        return
    yield outcome_table(judged.outcome)
    yield from map(Text, cores_text(judged.cores))
    yield from map(Text, explanation_lines(explanations(judged.outcome), board.map))


# ---- prove ----


def line_text(report: Report, seconds: float) -> Iterator[Part]:
    """Write whether a line holds, under the heading of its sheet, and how long the proof took."""
    yield from (heading_of(report.sheet, report.line.rulebook), *_line_lines(report), f"{seconds:.2f} s", "")


def variants_text(sheet: Sheet, reports: Sequence[Report]) -> Iterator[Part]:
    """Write which of the lines hold that a sheet describes at once."""
    holding = [report.name for report in reports if report.finding.holds]
    named = f": {_listed(holding)}" if 0 < len(holding) < len(reports) else ""
    yield from (Text(f"{sheet.heading}: of {len(reports)} variants {len(holding)} hold{named}.", style="bold"), "")


def _line_lines(report: Report) -> Iterator[Part]:
    """Write whether a line holds, in sentences, and below them the attack that breaks it, as a table."""
    line = report.line
    yield from _question(line)
    size = report.finding.size
    asked = (
        f"{number_of(size.questions, 'question')} with {size.orders:,} possible orders of enemies, "
        f"{number_of(size.variables, 'variable')} and {number_of(size.clauses, 'clause')}"
    )
    if report.moving is not None:
        yield from _moving_lines(report.moving, asked)
    elif report.attack is None:
        yield f"Holds, now and in every turn with these orders: no such enemies can enter. Proved: {asked}."
    else:
        enemies = number_of(len(report.attack.orders), "enemy", "enemies")
        yield f"Breaks: an attack of {enemies} enters {_listed(report.attack.entered)}. Found: {asked}."
    yield from _more(report)
    yield from (f"Note: {remark}." for remark in (*line.remarks, *report.moot))
    if report.stated and not report.expected:
        yield f"The sheet states otherwise: finding: {report.stated}."
    if report.attack is not None:
        yield "The attack, judged:"
        yield outcome_table(report.attack.outcome)


def _moving_lines(found: MovingFinding, asked: str) -> Iterator[str]:
    """Write whether a line that moves holds, and the positions that it may come to."""
    from satjudge.search.moving import season_of

    if found.attack is None:
        many = len(found.positions)
        whither = f"from each of {many} positions it comes to one of these" if many > 1 else "it is in the same position again"
        yield f"Holds, now and in every turn: {whither}, whatever such enemies order. Proved: {asked}."
    elif found.attacked is not None:
        enemies = number_of(len(found.attack.orders), "enemy", "enemies")
        yield f"Breaks: in position {found.attacked.name}, with {enemies}, {found.becomes}. Found: {asked}."
    for one in found.positions[:POSITIONS_SHOWN]:
        season = season_of(one.line)
        told = [*([season.title()] if season else []), "; ".join(map(str, one.line.orders.values()))]
        after = f"  (after {'; '.join(map(str, one.after))})" if one.after else ""
        yield f"  {one.name}. {': '.join(told)}{after}"
    if len(found.positions) > POSITIONS_SHOWN:
        yield f"  (the first {POSITIONS_SHOWN} of {len(found.positions)}; --json tells all)"


def _question(line: Line) -> Iterator[str]:
    """Write which provinces a line protects, and against which enemies."""
    units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "province")
    one = len(line.board.units) == 1
    protect, them = ("protects", "it") if one else ("protect", "them")
    goes = f"; {'it moves' if one else 'they move'} to {_listed(sorted(line.reached))}"
    moved_to = f"{goes}, which {'are' if len(line.reached) > 1 else 'is'} protected as well" if line.reached else ""
    yield f"{units} {protect} {provinces}{moved_to}; behind {them}: {_listed(sorted(line.behind - line.reached))}."
    if line.outposts:
        yield f"It may lose {_listed(sorted(line.outposts))}, and what stands there."
    if line.centers is not None:
        yield f"The line owns {number_of(len(line.centers), 'centre')}: {_listed(sorted(line.centers))}."
    fleets = "armies or fleets" if line.fleets is None else f"armies or at most {number_of(line.fleets, 'fleet')}"
    without = f", without {_listed(line.missing)}" if line.missing else ""
    yield (
        f"Enemies: at most {number_of(line.enemies, 'unit')}, {fleets}, anywhere else{without}; {_limit(line)}. "
        "None stands behind the line or is built there."
    )
    if line.out is not None:
        out = _listed(map(line.board.map.name_of, line.out)).replace("none", "nobody")
        yield f"Out of the game: {out}. The others build at home, so {_that_can_come(line)}."


def _that_can_come(line: Line) -> str:
    """Write which fleets there can be when some powers are out."""
    game_map = line.board.map
    fleets = {place for kind, place in line.enemy_units if kind is UnitKind.FLEET}
    seas = sorted(game_map.seas.intersection(fleets))
    return f"their fleets can be in {_listed(seas)} and the coasts there" if seas else "they can have no fleets at sea"


def _limit(line: Line) -> str:
    if line.limits:
        return "they are given, and may be wherever they can have moved"
    if line.enemies >= line.most:
        more = "no more" if line.enemies == line.most else f"no more than {line.most}"
        units = number_of(len(line.board.units), "unit")
        own = f"has {units}" if line.centers is None else f"owns {len(line.centers)}"
        return f"there can be {more}, as there are {len(line.board.map.centers)} supply centres and the line {own}"
    return "the proof is for no more than these"


def _more(report: Report) -> Iterator[str]:
    if report.spare is not None:
        yield f"Redundant, each by itself: {_listed(report.spare)}."
    if report.smallest is not None:
        gone = [unit for unit in report.line.board.units if unit not in report.smallest.board.units]
        units = number_of(len(report.smallest.board.units), "unit")
        yield f"Smallest part that holds: {units}; without {_listed(gone)}."
    if report.repaired is False:
        yield "No units more, behind the line or next to it, can make it hold."
    elif report.repaired:
        own = report.line.orders
        added = [order for place, order in report.repaired.orders.items() if place not in own]
        changed = [order for place, order in report.repaired.orders.items() if place in own and order != own[place]]
        if added or not changed:
            yield f"Fewest units more that make it hold: {len(added)}: {'; '.join(map(str, added))}."
        if changed:
            too = "Fewest orders changed as well" if added else "Fewest orders changed that make it hold"
            yield f"{too}: {len(changed)}: {'; '.join(f'{order}, not {_rest(own[order.unit.province])}' for order in changed)}."


def _rest(order: MovementOrder) -> str:
    """Write the order of a unit, without the unit."""
    return str(order).removeprefix(f"{order.unit} ")


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things)) or "none"


# ---- lines ----


def found_lines(document: LinesDocument) -> Iterator[Part]:
    """Write how few units protect what was asked for, and each line that was found."""
    yield Text(f"{document.goal}  [{document.map}]", style="bold")
    yield from (f"Only {restriction}." for restriction in document.restrictions)
    yield _found(document)
    for number, line in enumerate(document.lines, start=1):
        yield from _found_line(line, f"{number}. " if len(document.lines) > 1 else "")
    yield from proved_anew_lines(document.second_opinions, document.proofs)
    yield f"{document.seconds:.2f} s"


def _found(document: LinesDocument) -> str:
    if document.units is None:
        if document.proved:
            return "No line that stands still protects this, whatever its units. Proved."
        return "Undecided: time was up before a line was found."
    units = number_of(document.units, "unit")
    if not document.proved:
        bound = f"no line that stands still has fewer than {document.bound}"
        return f"{units} hold; {bound}: time was up before more was proved."
    fewest = f"{units}, proved: no line that stands still has fewer"
    if document.complete:
        places = "these provinces" if len(document.lines) == 1 else f"these {len(document.lines)} sets of provinces"
        return f"{fewest}, and none with so few stands elsewhere than in {places}."
    return f"{fewest}. There may be as small ones in other provinces (--all)."


def _found_line(line: FoundLine, number: str) -> Iterator[str]:
    yield f"{number}{'; '.join(line.orders)}"
    indent = " " * len(number)
    yield f"{indent}  protects {number_of(len(line.centers), 'supply centre')}: {' '.join(line.centers) or 'none'}"
    yield f"{indent}  behind it: {' '.join(line.behind) or 'nothing'}"


# ---- guarantee ----


def wish_text(heading: str, case: GuaranteeCase, finding: Finding, seconds: float) -> Iterator[Part]:
    """Write whether a wish can be guaranteed, by which orders or against which replies, and how long it took to find."""
    table = finding.table
    ahead = f" when {number_of(case.seasons, 'season is', 'seasons are')} over" if case.seasons else ""
    want = "want" if table.allies else "wants"
    yield Text(f"{heading}: {_wishers(finding)} {want}: {case.wish}{ahead}  [{table.rulebook.name}]", style="bold")
    if case.assumed:
        when = ", in every season" if (case.seasons or 1) > 1 else ""
        yield f"Assumed of the orders of others{when}: {case.assumed}. All else they may order."
    if case.kept:
        yield f"Kept: {'; '.join(case.kept)}."
    yield from (*_wish_lines(case, finding), *_later_lines(case, table.board.map), *_odds_lines(case, _wishers(finding)))
    yield from (*(f"Note: {remark}." for remark in case.remarks), f"{seconds:.2f} s", "")


def _wishers(finding: Finding) -> str:
    return " and ".join(finding.table.board.map.name_of(power) for power in finding.table.powers)


def _later_lines(case: GuaranteeCase, game_map: Map) -> Iterator[str]:
    """Write orders for the positions that may come after the first season, or one line of play in which all is lost."""
    if case.positions is None:
        return

    def listed(units: Mapping[Power, Sequence[str]]) -> str:
        return "; ".join(f"{game_map.name_of(power)} {', '.join(texts)}" for power, texts in units.items())

    if case.plan:
        many = len(case.plan) > STEPS_SHOWN
        coming = number_of(len(case.plan), "position")
        yield f"Then, in the {coming} that may come{', orders are found too (--json).' if many else ':'}"
    plan = case.plan if case.plan and len(case.plan) <= STEPS_SHOWN else ()
    later, end = case.line_of_play[1:-1], case.line_of_play[-1:]
    if later:
        whose = " and ".join(map(game_map.name_of, (case.power, *case.allies)))
        yield f"What follows is lost as well, whatever {whose} may order then. One line of play to the end:"
    for step in (*plan, *later):
        lost = f"; dislodged: {listed(step.dislodged)}" if step.dislodged else ""
        orders = listed(step.orders) if end else "; ".join(chain(*step.orders.values()))
        yield f"  {step.phase}, {listed(step.units)}{lost} => {orders or 'nothing'}"
    if later:
        yield f"  at the end, {listed(end[0].units) or 'nobody'}"
    yield f"{number_of(case.positions, 'position was', 'positions were')} solved."


def _odds_lines(case: GuaranteeCase, name: str) -> Iterator[str]:
    """Write with what probability a wish comes true, and the lots that both sides draw."""
    if case.odds is None:
        return
    yield f"It comes true with probability {case.odds.probability} if both sides draw lots well."
    for drawing, side in ((name, case.odds.own), ("the others", case.odds.others)):
        yield f"Lots of {drawing}:"
        for drawn in side:
            orders = "; ".join(order for given in drawn.orders.values() for order in given) or "nothing to order"
            yield f"  {drawn.probability:>6}  {orders}"


def _wish_lines(case: GuaranteeCase, finding: Finding) -> Iterator[Part]:
    """Write the orders that guarantee a wish, or the replies that refute it."""
    name = _wishers(finding)
    replies = number_of(len(finding.defeats), "reply", "replies")
    if finding.orders is not None:
        yield f"Guaranteed, whatever {'else ' if case.assumed else ''}the others may order, by these orders:"
        yield from (f"  {order}" for order in finding.orders.values())
        if finding.defeats:
            yield f"Other orders of {name} were tried before, and defeated by {replies} of the others."
    elif finding.undecided:
        yield f"Undecided after {replies}: time is up."
        yield from reply_lines(finding)
    else:
        which = "this one reply" if len(finding.defeats) == 1 else f"one of these {replies}"
        first = " in the first season" if (case.seasons or 1) > 1 else ""
        together = ", in which all others act together" if len({unit.power for unit in finding.table.others}) > 1 else ""
        yield f"Refuted: all legal orders of {name}{first} fail against {which}{together}:"
        yield from reply_lines(finding)


def reply_lines(finding: Finding) -> Iterator[Part]:
    """Write the replies that defeat orders of the power, and for example the orders that one reply defeated."""
    count = len(finding.defeats)
    shown = count if count <= REPLIES_SHOWN else LAST
    if shown < count:
        yield f"  (the last {shown} of {count}; --json tells all)"
    for number, defeat in list(enumerate(finding.defeats, 1))[count - shown :]:
        moving = (str(order) for order in defeat.reply.values() if not isinstance(order, Hold))
        yield f"  {number}. {'; '.join(moving) or 'all hold'}"
    if finding.defeats and (outcome := finding.defeats[finding.example].outcome):
        yield f"For example, the orders that reply {finding.example + 1} was found for:" if count > 1 else "For example:"
        yield outcome_table(outcome)
