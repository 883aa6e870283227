"""Writes the findings of `search`, `prove`, `lines` and `guarantee` as lines and tables, from their documents alone.

Positions in a document are judged again for their tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import UNSET

from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.explain.compare import compare
from satjudge.explain.phases import explanations
from satjudge.judging.judge import judge
from satjudge.judging.position import Position
from satjudge.notation.documents import Rules
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import find_unit_text
from satjudge.search.documents.proofs import (
    GuaranteeCase,
    LinesDocument,
    PositionDocument,
    ProveCase,
    format_list,
)
from satjudge.search.documents.search import Formulas, SearchDocument
from satjudge.search.goals.judged_position import Judged
from satjudge.search.search import Round
from satjudge.search.second_opinion import SOLVER, Proof, SecondOpinion
from satjudge.show.findings import iter_explanation_lines
from satjudge.show.layout import Part, StyledText
from satjudge.show.text import iter_core_text, make_comparison_table, make_heading, make_outcome_table, make_resolutions_table
from satjudge.world.board import Board, by_power
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Hold
from satjudge.world.rules import Rulebook

RESOLUTIONS_SHOWN = 8
"""The maximum number of resolutions that are shown for a board to which the rulebook has no answer."""
POSITIONS_SHOWN = 20
"""The maximum number of positions that are shown of those that a line can reach."""
REPLIES_SHOWN = 20
"""The maximum number of replies that are shown; if there are more, only the last few are shown."""
LAST = 5
STEPS_SHOWN = 10
"""The maximum number of positions after the first season that are shown; if there are more, only their number is shown."""


def _load_stated_rulebook(rules: Rules) -> Rulebook:
    """Return the rulebook of a document, with the document's name and title for it."""
    return replace(rules.rulebook(), name=rules.name, title=rules.title)


# ---- search ----


def iter_search_text(search: SearchDocument, game_map: Map) -> Iterator[Part]:
    """Yield a search's goal, result, restrictions and use of the solver, then verdicts and reasons for each position found."""
    yield f"{search.goal}  [{search.rulebook.name}]"
    yield search.headline
    yield from search.remarks
    yield f"Searched: {'; '.join(search.restrictions)}."
    yield _format_solver_use(search.rounds, search.seconds)
    yield from iter_second_opinion_lines(search.second_opinions, search.proofs)
    for answer in search.answers:
        judged = answer.judge_position(_load_stated_rulebook(search.rulebook), game_map)
        yield ""
        yield from _iter_answer(judged)
        if answer.goal_rulebooks:
            yield ""
            yield make_comparison_table(
                compare(Position(judged.proposal.board, judged.proposal.orders), answer.goal_rulebooks), game_map
            )


def _format_solver_use(rounds: Sequence[Round], seconds: float) -> str:
    """Return a sentence on a search's rounds: the number of questions to the solver, the refused proposals, and the time."""
    if not rounds:
        return f"Solved without a solver, {seconds:.1f} s."
    asked = f"{number_of(len(rounds), 'question')} of up to {number_of(max(part.variables for part in rounds), 'variable')}"
    return f"{asked}, {number_of(sum(part.refused for part in rounds), 'proposal')} refused, {seconds:.1f} s."


def iter_second_opinion_lines(opinions: Iterable[SecondOpinion], proofs: Iterable[Proof]) -> Iterator[str]:
    """Yield a line on whether a second solver agrees on each question that it was asked, and a line on each proof file."""
    for opinion in opinions:
        word = "agrees" if opinion.agrees else "DISAGREES"
        yield f"Second opinion: {SOLVER} {word} on “{opinion.question}” ({number_of(opinion.clauses, 'clause')})."
    for proof in proofs:
        yield f"Proof: {proof.proof}, {proof.bytes:,} bytes, sha256 {proof.sha256}, of {proof.formula}."


def iter_formula_lines(written: Formulas) -> Iterator[str]:
    """Yield lines on the formula files that were written for other solvers: names, sizes, and what a solution means."""
    yield f"{written.goal}  [{written.rulebook.name}]"
    yield f"Restrictions: {'; '.join(written.restrictions)}."
    for one in written.formulas:
        size = f"{number_of(one.variables, 'variable')}, {number_of(one.clauses, 'clause')}, {number_of(one.counts, 'count')}"
        yield f"{one.file}: {one.question}, {size}."
    yield "If a formula has no solution, no position of this kind reaches the goal. A solution still has to be judged."


def _iter_answer(judged: Judged) -> Iterator[Part]:
    """Yield a found position's verdicts, cores and explanations; without an outcome, its resolutions and unresolved cores."""
    board = judged.proposal.board
    if judged.outcome is None:
        yield make_resolutions_table(judged.resolutions, None, RESOLUTIONS_SHOWN)
        holding = [unit for unit in board.units if isinstance(judged.proposal.by_province[unit.province], Hold)]
        if holding:
            yield f"Holding: {', '.join(f'{unit} ({board.map.name_of(unit.power)})' for unit in holding)}."
        yield from map(StyledText, iter_core_text(judged.unsettled_cores))
        yield f"Unresolved: {judged.error}"
        return
    yield make_outcome_table(judged.outcome)
    yield from map(StyledText, iter_core_text(judged.cores))
    yield from map(StyledText, _drop_repeats(iter_explanation_lines(explanations(judged.outcome), board.map)))


_OF_A_CORE = re.compile(r": (?P<said>its core \((?P<orders>[^()]*)\) has (?:no resolution|\d+ resolutions(?:: [\w ,]+\w)?))")
"""An explanation of a core: its orders, the number of resolutions, and the order's value in each."""
_BY_A_RULE = re.compile(r" by the rule for [^:;]+$")


def _drop_repeats(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of explanations without statements about a core that an earlier line contains."""
    known_texts: set[str] = set()
    for line in lines:
        found = _OF_A_CORE.search(line)
        if found is None:
            yield line
            continue
        before, statement, orders = line[: found.start()], found["said"], found["orders"]
        if statement in known_texts and _BY_A_RULE.search(before):
            yield before + line[found.end() :]
        else:
            yield line.replace(f"its core ({orders})", "its core") if orders in known_texts else line
        known_texts |= {statement, orders}


# ---- prove ----


def iter_line_text(sheet: Sheet, case: ProveCase, seconds: float) -> Iterator[Part]:
    """Yield whether the defensive line (units and orders) on a sheet holds, remarks, any attack that breaks it, and time."""
    yield make_heading(sheet, case.rulebook)
    yield from case.question
    size = case.size
    yield (
        f"{case.headline} {'Found' if case.attack else 'Proved'}: {number_of(size.questions, 'question')} with {size.orders:,} "
        f"possible enemy orders, {number_of(size.variables, 'variable')} and {number_of(size.clauses, 'clause')}."
    )
    yield from _iter_position_lines(case.positions or ())
    yield from _iter_line_remarks(case)
    yield from (f"Note: {remark}." for remark in case.remarks)
    if case.stated and not case.as_expected:
        yield f"The sheet expects another finding: {case.stated}."
    if case.attack:
        yield "The attack, judged:"
        attacked = Position.of(case.all_orders, map=sheet.map, turn=sheet.board.turn)
        yield make_outcome_table(attacked.judge(_load_stated_rulebook(case.rulebook)))
    yield from (f"{seconds:.2f} s", "")


def iter_variants_text(sheet: Sheet, cases: Sequence[ProveCase]) -> Iterator[Part]:
    """Yield one text line on how many, and which, of a sheet's variants of a defensive line hold."""
    holding = [case.id for case in cases if not case.attack]
    named = f": {format_list(holding)}" if 0 < len(holding) < len(cases) else ""
    yield from (StyledText(f"{sheet.heading}: {len(holding)} of {len(cases)} variants hold{named}.", style="bold"), "")


def _iter_position_lines(positions: Sequence[PositionDocument]) -> Iterator[str]:
    """Yield a text line for each position that a defensive line with moving units may reach."""
    for one in positions[:POSITIONS_SHOWN]:
        texts = [*([one.season.title()] if one.season else []), "; ".join(one.orders)]
        after = f"  (after {'; '.join(one.after)})" if one.after else ""
        yield f"  {one.name}. {': '.join(texts)}{after}"
    if len(positions) > POSITIONS_SHOWN:
        yield f"  (the first {POSITIONS_SHOWN} of {len(positions)}; --json lists all)"


def _iter_line_remarks(case: ProveCase) -> Iterator[str]:
    """Yield sentences on the units that a defensive line does not need, and on changes that would make it hold."""
    own = {find_unit_text(order): order for order in case.line}
    if case.redundant is not UNSET:
        yield f"Redundant, each by itself: {format_list(case.redundant)}."
    if case.smallest is not UNSET:
        removed = own.keys() - map(find_unit_text, case.smallest)
        units = number_of(len(case.smallest), "unit")
        yield f"Smallest part that holds: {units}; without {format_list(unit for unit in own if unit in removed)}."
    if case.repaired is None:
        yield "No additional units, behind the line or next to it, can make it hold."
    elif case.repaired:
        added = [order for order in case.repaired if find_unit_text(order) not in own]
        changed = [order for order in case.repaired if find_unit_text(order) in own and order not in case.line]
        if added or not changed:
            yield f"Fewest additional units that make it hold: {len(added)}: {'; '.join(added)}."
        if changed:
            too = "Fewest orders changed as well" if added else "Fewest orders changed that make it hold"
            before = (own[find_unit_text(order)].removeprefix(f"{find_unit_text(order)} ") for order in changed)
            exchanges = (f"{order}, not {other}" for order, other in zip(changed, before, strict=True))
            yield f"{too}: {len(changed)}: {'; '.join(exchanges)}."


# ---- lines ----


def iter_found_lines(document: LinesDocument) -> Iterator[Part]:
    """Yield the fewest units that can protect the goal, each defensive line that was found, and the time taken."""
    yield StyledText(f"{document.goal}  [{document.map}]", style="bold")
    yield from document.restriction_texts
    yield document.headline
    for number, line in enumerate(document.lines, start=1):
        numbered = f"{number}. " if len(document.lines) > 1 else ""
        yield f"{numbered}{'; '.join(line.orders)}"
        yield from (f"{' ' * len(numbered)}  {text}" for text in line.description)
    yield from iter_second_opinion_lines(document.second_opinions, document.proofs)
    yield f"{document.seconds:.2f} s"


# ---- guarantee ----


def iter_wish_text(heading: str, case: GuaranteeCase, board: Board, seconds: float) -> Iterator[Part]:
    """Yield whether a wish can be guaranteed on a board, the orders that do it or the replies against it, and the time."""
    ahead = f" when {number_of(case.seasons, 'season is', 'seasons are')} over" if case.seasons else ""
    name, want = _format_wishers(case, board.map), "want" if case.allies else "wants"
    yield StyledText(f"{heading}: {name} {want}: {case.wish}{ahead}  [{case.rulebook.name}]", style="bold")
    if case.assumed:
        when = ", in every season" if (case.seasons or 1) > 1 else ""
        yield f"Assumed about the orders of others{when}: {case.assumed}. Otherwise they may order anything."
    if case.kept:
        yield f"Kept: {'; '.join(case.kept)}."
    yield format_wish_headline(case, board)
    yield from (f"  {order}" for order in case.orders or ())
    if case.orders is None:
        yield from iter_reply_lines(case, board)
    elif case.defeats:
        replies = number_of(len(case.defeats), "reply", "replies")
        yield f"Other orders of {name} were tried before, and were defeated by {replies} of the others."
    yield from (*_iter_later_lines(case, board.map), *_iter_odds_lines(case, name))
    yield from (*(f"Note: {remark}." for remark in case.remarks), f"{seconds:.2f} s", "")


def format_wish_headline(case: GuaranteeCase, board: Board) -> str:
    """Return a sentence on whether the wish of a case is guaranteed, refuted or undecided."""
    count, others = len(case.defeats), {unit.power for unit in board.units} - {case.power, *case.allies}
    replies = number_of(count, "reply", "replies")
    if case.orders is not None:
        return f"Guaranteed by these orders, whatever {'else ' if case.assumed else ''}the others order:"
    if case.finding == "undecided":
        return f"Undecided after {replies}: time is up."
    reply_text = "this one reply" if count == 1 else f"one of these {replies}"
    first = " in the first season" if (case.seasons or 1) > 1 else ""
    together = ", in which all others act together" if len(others) > 1 else ""
    return f"Refuted: all legal orders of {_format_wishers(case, board.map)}{first} fail against {reply_text}{together}:"


def _format_wishers(case: GuaranteeCase, game_map: Map) -> str:
    return " and ".join(map(game_map.name_of, (case.power, *case.allies)))


def _iter_later_lines(case: GuaranteeCase, game_map: Map) -> Iterator[str]:
    """Yield orders for the positions after the first season, or a line of play that loses; nothing for a single season."""
    if case.positions is None:
        return

    def format_powers(units: Mapping[Power, Sequence[str]]) -> str:
        return "; ".join(f"{game_map.name_of(power)} {', '.join(texts)}" for power, texts in units.items())

    if case.plan:
        many = len(case.plan) > STEPS_SHOWN
        coming = number_of(len(case.plan), "position")
        yield f"Then, in the {coming} that may follow{', orders were found as well (--json).' if many else ':'}"
    plan = case.plan if case.plan and len(case.plan) <= STEPS_SHOWN else ()
    later, end = case.line_of_play[1:-1], case.line_of_play[-1:]
    if later:
        wishers = _format_wishers(case, game_map)
        yield f"The positions after that are lost as well, whatever {wishers} may order. One line of play to the end:"
    for step in (*plan, *later):
        lost = f"; dislodged: {format_powers(step.dislodged)}" if step.dislodged else ""
        orders = format_powers(step.orders) if end else "; ".join(chain(*step.orders.values()))
        yield f"  {step.phase}, {format_powers(step.units)}{lost} => {orders or 'nothing'}"
    if later:
        yield f"  at the end, {format_powers(end[0].units) or 'nobody'}"
    yield f"{number_of(case.positions, 'position was', 'positions were')} solved."


def _iter_odds_lines(case: GuaranteeCase, name: str) -> Iterator[str]:
    """Yield the probability that a wish comes true, and the random orders of each side; nothing if it was not computed."""
    if case.odds is None:
        return
    yield f"With the best odds on both sides, the probability is {case.odds.probability}."
    for drawing, side in ((name, case.odds.own), ("the others", case.odds.others)):
        yield f"Odds of {drawing}:"
        for drawn in side:
            orders = "; ".join(order for given in drawn.orders.values() for order in given) or "nothing to order"
            yield f"  {drawn.probability:>6}  {orders}"


def iter_reply_lines(case: GuaranteeCase, board: Board) -> Iterator[Part]:
    """Yield the replies that defeat the power's orders (only the last few of many), and an example of defeated orders."""
    count = len(case.defeats)
    shown = count if count <= REPLIES_SHOWN else LAST
    if shown < count:
        yield f"  (the last {shown} of {count}; --json lists all)"
    for number, defeat in list(enumerate(case.defeats, 1))[count - shown :]:
        moving = (order for order in chain(*defeat.reply.values()) if order != f"{find_unit_text(order)} H")
        yield f"  {number}. {'; '.join(moving) or 'all hold'}"
    if case.example is not None and (example := case.defeats[case.example]).results != "unresolved":
        yield f"For example, the orders that reply {case.example + 1} defeats:" if count > 1 else "For example:"
        yield make_outcome_table(
            judge(board, example.all_orders(by_power(board.units)), rulebook=_load_stated_rulebook(case.rulebook))
        )
