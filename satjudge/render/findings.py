"""What `search`, `prove` and `guarantee` found, for people: lines and tables to print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from satjudge.documents.guarantee import moving
from satjudge.documents.prove import Report
from satjudge.documents.search import compared_rulebooks, headline, remarks, restrictions
from satjudge.explain import explanations
from satjudge.goals.judged import Judged
from satjudge.orders import Hold
from satjudge.render.explained import explanation_lines
from satjudge.render.text import comparison_table, cores_text, headed, outcome_table, resolutions_table
from satjudge.research.compare import compare
from satjudge.research.guarantee import Finding
from satjudge.research.lines import Line
from satjudge.research.search import Result
from satjudge.research.second_opinion import SOLVER, Certificate, Opinion
from satjudge.unknown.universe import Universe
from satjudge.words import number_of

RESOLUTIONS_SHOWN = 8
"""Of a board that the rulebook has no answer to."""
REPLIES_SHOWN = 20
"""If there are more, only the last few are shown."""
LAST = 5


# Search.


def search_lines(
    result: Result,
    universe: Universe,
    most_units: int | None,
    seconds: float,
    opinions: Sequence[Opinion],
    written: Sequence[Certificate],
    counted: int,
    cut_short: bool = False,
) -> Iterator[RenderableType]:
    """How a search ended and under what restrictions; then each answer. Less than `counted` units were not asked for.

    If it was `cut_short` not all that was proved has a second opinion.
    """
    yield f"{result.goal}  [{universe.rulebook.name}]"
    yield headline(result)
    yield from remarks(result, universe, counted)
    yield f"Searched: {'; '.join(restrictions(result.goal, universe, most_units))}."
    refused = sum(part.refused for part in result.rounds)
    largest = max((part.variables for part in result.rounds), default=0)
    asked = f"{number_of(len(result.rounds), 'question')} of up to {number_of(largest, 'variable')}"
    yield f"{asked}, {number_of(refused, 'proposal')} refused, {seconds:.1f} s."
    for opinion in opinions:
        word = "agrees" if opinion.agrees else "DISAGREES"
        yield f"Second opinion: {SOLVER} {word} on “{opinion.question}” ({opinion.clauses:,} clauses)."
    for proof in written:
        yield f"Certificate: {proof.proof}, {proof.size:,} bytes, sha256 {proof.sha256}, of {proof.formula}."
    compared = list(compared_rulebooks(result.goal).values())
    for judged in result.answers:
        yield ""
        yield from _answer(judged)
        if compared:
            board = judged.proposal.board
            yield ""
            yield comparison_table(compare(board, judged.proposal.orders, compared), board.map)
    if cut_short:
        yield f"Second opinion: interrupted, {len(opinions)} of {number_of(len(result.refuted), 'question')} answered."


def _answer(judged: Judged) -> Iterator[RenderableType]:
    """The position with its verdicts, its cores, and the reasons; its resolutions where the rulebook has no answer."""
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


# Lines.


def line_text(report: Report, seconds: float) -> Iterator[RenderableType]:
    """What was found of a line, under its heading, and how long that took."""
    yield from (headed(report.sheet, report.line.rulebook), *_line_lines(report), f"{seconds:.2f} s", "")


def _line_lines(report: Report) -> Iterator[RenderableType]:
    """What was found of a line, in sentences; below them the attack that breaks it, as a table."""
    line = report.line
    yield from _question(line)
    size = report.finding.size
    asked = (
        f"{number_of(size.questions, 'question')} with {size.orders:,} possible orders of enemies, "
        f"{size.variables:,} variables and {size.clauses:,} clauses"
    )
    if report.attack is None:
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


def _question(line: Line) -> Iterator[str]:
    """What is protected, against whom."""
    units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "province")
    protect, them = ("protects", "it") if len(line.board.units) == 1 else ("protect", "them")
    yield f"{units} {protect} {provinces}; behind {them}: {_listed(sorted(line.behind))}."
    without = f", without {_listed(line.missing)}" if line.missing else ""
    yield (
        f"Enemies: at most {number_of(line.enemies, 'unit')}, armies or fleets, anywhere else{without}; {_limit(line)}. "
        "None stands behind the line or is built there."
    )


def _limit(line: Line) -> str:
    centers, units = len(line.board.map.centers), len(line.board.units)
    if line.enemies >= centers - units:
        more = "no more" if line.enemies == centers - units else f"no more than {centers - units}"
        return f"there can be {more}, as there are {centers} supply centres and the line has {number_of(units, 'unit')}"
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
    elif isinstance(report.repaired, Line):
        added = [order for place, order in report.repaired.orders.items() if place not in report.line.orders]
        yield f"Fewest units more that make it hold: {len(added)}: {'; '.join(map(str, added))}."


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things)) or "none"


# Wishes.


def wish_text(heading: str, wish: str, finding: Finding, remarks: Iterable[str], seconds: float) -> Iterator[RenderableType]:
    """What became of a wish on the sheet of that heading, what it may not have meant, and how long it took to find."""
    table = finding.table
    wanted = f"{heading}: {table.board.map.power_names[table.power]} wants: {wish}  [{table.rulebook.name}]"
    yield from (Text(wanted, style="bold"), *_wish_lines(finding))
    yield from (*(f"Note: {remark}." for remark in remarks), f"{seconds:.2f} s", "")


def _wish_lines(finding: Finding) -> Iterator[RenderableType]:
    """The orders that guarantee a wish, or the replies that refute it."""
    table = finding.table
    name = table.board.map.power_names[table.power]
    replies = f"{len(finding.defeats)} replies" if len(finding.defeats) != 1 else "1 reply"
    if finding.orders is not None:
        yield "Guaranteed, whatever legal orders the others give, by these orders:"
        yield from (f"  {order}" for order in finding.orders.values())
        if finding.defeats:
            yield f"Other orders of {name} were tried before, and defeated by {replies} of the others."
    elif finding.undecided:
        yield f"Undecided after {replies}: time is up."
        yield from reply_lines(finding)
    else:
        all_fail = "against this one reply" if len(finding.defeats) == 1 else f"against one of these {replies}"
        yield f"Refuted: all legal orders of {name} fail {all_fail}:"
        yield from reply_lines(finding)


def reply_lines(finding: Finding) -> Iterator[RenderableType]:
    """The replies that defeat orders of the power, and the orders that the last of them defeated."""
    count = len(finding.defeats)
    shown = count if count <= REPLIES_SHOWN else LAST
    if shown < count:
        yield f"  (the last {shown} of {count}; --json tells all)"
    for number, defeat in list(enumerate(finding.defeats, 1))[count - shown :]:
        yield f"  {number}. {'; '.join(map(str, moving(defeat.reply))) or 'all hold'}"
    last = finding.defeats[-1] if finding.defeats else None
    if last and last.outcome:
        yield "For example, the orders that the last of these replies was found for:" if count > 1 else "For example:"
        yield outcome_table(last.outcome)
