"""Writes the findings of `crosscheck`, `replay` and `conformance` as tables, Markdown or JUnit XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import shorten
from xml.etree.ElementTree import Element, SubElement, indent

import msgspec
from msgspec.structs import astuple

from satjudge.base.words import escape_controls, number_of
from satjudge.engines.documents.campaigns import Crosscheck, Family, Found, ReplayedGame, ReplayedPhase
from satjudge.engines.documents.conformance import (
    WORDS,
    Cause,
    Conformance,
    Diagnosis,
    Otherwise,
    PartAsked,
    Shown,
    TopicScore,
    format_share,
)
from satjudge.engines.kit.parts import read_name
from satjudge.engines.kit.run import EXPLAINED
from satjudge.show.layout import (
    Column,
    Listing,
    Part,
    StyledText,
    count_longest_ticks,
    escape_text,
    format_code_span,
    iter_markdown_rows,
)
from satjudge.show.pictures.composition import format_element
from satjudge.show.text import make_listing

_SHOWN_CAMPAIGN, _SETS_SHOWN, _SHAPES_SHOWN, _LONGEST_LIST = 20, 5, 5, 100


# ---- crosscheck, for the terminal ----


def iter_crosscheck_text(run: Crosscheck) -> Iterator[Part]:
    """Yield the report on a campaign against an engine, for the terminal: numbers, known differences, smallest findings."""
    numbers = Listing([Column(""), Column("")], run.title, show_header=False, lined=True)
    for row in run.numbers:
        numbers.add_row(*row)
    yield numbers
    known = Listing([*map(Column, ("Boards", "Known difference", "Why"))], "Known", lined=True)
    for one in run.explained:
        known.add_row(f"{one.boards:,}", one.explanation, one.because)
    together = list(run.explained_together.items())
    for names, boards in together[:_SETS_SHOWN]:
        known.add_row(f"{boards:,}", names, "together")
    if rest := together[_SETS_SHOWN:]:
        known.add_row(f"{sum(boards for _, boards in rest):,}", f"{len(rest)} other sets of these", "--report lists them")
    if known.rows:
        yield from ("", known)
    families = list(run.by_family)
    for number, (family, members) in enumerate(families[:_SHOWN_CAMPAIGN], 1):
        yield from _iter_family_text(number, family, members)
    if len(families) > _SHOWN_CAMPAIGN:
        yield from ("", f"and {len(families) - _SHOWN_CAMPAIGN} more families; use --save or --report for all of them")
    yield from ("", *filter(None, [run.hint]), run.summary)


def _iter_family_text(number: int, family: Family, members: Sequence[Found]) -> Iterator[Part]:
    """Yield the report on family `number` of findings: its smallest finding in full, and the shapes of the others."""
    smallest, *others = members
    yield from ("", f"{number}. {family.title}", f"{family.count_text}. {family.certainty}".strip())
    yield from _iter_finding_text(smallest)
    if others:
        more = f", and {len(others) - _SHAPES_SHOWN} more" if len(others) > _SHAPES_SHOWN else ""
        yield f"also: {', '.join(one.shape for one in others[:_SHAPES_SHOWN])}{more}"
    if family.boards:
        yield f"found on boards {shorten(family.board_ranges, _LONGEST_LIST, placeholder=' …')}"


def _iter_finding_text(finding: Found) -> Iterator[Part]:
    rows = Listing([*map(Column, ("", "satjudge", "the other"))], lined=True)
    for one in finding.differences:
        rows.add_row(one.subject_with_power, one.ours, one.theirs)
    command = StyledText(finding.command, whole=True)  # to be copied
    yield from (f"{finding.shape}: {finding.count_text}", *finding.sheet)
    yield rows
    if finding.resolution:
        yield f"The other answer is {finding.resolution}."
    yield from finding.reasons
    yield command


# ---- crosscheck, in Markdown ----


def format_markdown(run: Crosscheck) -> str:
    """Return the whole report on a campaign against an engine as Markdown."""
    return "\n".join(_iter_markdown(run)) + "\n"


def _iter_markdown(run: Crosscheck) -> Iterator[str]:
    yield from (f"# {escape_text(run.title)}", "", escape_text(run.summary), "")
    if run.hint:
        yield from (escape_text(run.hint), "")
    yield from ("| | |", "|---|---|")
    yield from (f"| {escape_text(name)} | {escape_text(value)} |" for name, value in run.numbers)
    yield from ("", f"satjudge {run.satjudge}")
    if run.failures:
        rows = ((one.again, one.message) for one in run.failures)
        yield from ("", "## satjudge itself failed", "", *iter_markdown_rows(("board", "how"), rows))
    if run.explained:
        yield from ("", "## Known differences")
    for known in run.explained:
        yield from ("", f"### {escape_text(known.explanation)}", "", *_iter_finding(known))
    if run.explained_together:
        together = ((name, f"{boards:,}") for name, boards in run.explained_together.items())
        yield from ("", "### Several together", "", *iter_markdown_rows(("", "boards"), together))
    if run.findings:
        yield from ("", "## Findings")
    for number, (family, members) in enumerate(run.by_family, 1):
        yield from (
            "",
            f"### {number}. {escape_text(family.title)}",
            "",
            escape_text(f"{family.count_text}. {family.certainty}".strip()),
        )
        if family.boards:
            yield from ("", f"Boards: {family.board_ranges}")
        for finding in members:
            yield from ("", f"#### {finding.shape}", "", *_iter_finding(finding))


def _iter_finding(finding: Found) -> Iterator[str]:
    fence = "`" * max(3, 1 + count_longest_ticks("\n".join(finding.sheet)))
    yield from (escape_text(finding.count_text), "", fence, *finding.sheet, fence, "")
    yield from iter_markdown_rows(
        ("", "satjudge", "the other"), ((one.subject_with_power, one.ours, one.theirs) for one in finding.differences)
    )
    if finding.resolution:
        yield from ("", f"The other answer is {finding.resolution}.")
    if finding.reasons:
        yield from ("", *(f"- {escape_text(reason)}" for reason in finding.reasons))
    yield from ("", format_code_span(finding.command))


# ---- replay ----


def iter_replay_text(replayed: Sequence[ReplayedGame], games: int, cases: int) -> Iterator[Part]:
    """Yield the phases that satjudge judges differently or not at all, then a line that counts phases, games and cases."""
    several = len({game.file for game in replayed}) > 1
    for game in replayed:
        if game.different:
            yield from _iter_phase_text(game.game, game.different, f"{game.file}, " if several else "")
        if game.unanswered:
            yield from (game.unanswered, "")
    same, unanswered = sum(game.same for game in replayed), sum(bool(game.unanswered) for game in replayed)
    different = sum(game.different is not None for game in replayed)
    numbers = {"game": games, "case": cases}
    kinds_text = " and ".join(number_of(number, kind) for kind, number in numbers.items() if number) or "no game"
    came = f"{same:,} the same, {different:,} {'differs' if different == 1 else 'differ'}"
    silent = f", {unanswered:,} without an answer in the rulebook" if unanswered else ""
    yield f"{number_of(same + different + unanswered, 'phase')} of {kinds_text}: {came}{silent}."


def _iter_phase_text(game: str, phase: ReplayedPhase, prefix: str) -> Iterator[Part]:
    """Yield a game's phase, after `prefix`, a table of its differences, a table of the orders concerned, and an empty line."""
    yield StyledText(f"{prefix}{game}: {phase.phase}", style="bold", whole=True)
    yield make_listing("What", "Power", "Only satjudge has", "Only the file has", rows=map(astuple, phase.differences))
    if phase.orders:
        yield make_listing("Power", "Order", "Verdict", "In the file", rows=map(astuple, phase.orders))
    yield ""


# ---- conformance: results on the kit as tables, and a finding as text for the reports of tests ----

_SHOWN = 10
"""The maximum number of findings that are shown for each part."""
_LACKED = ("convoys", "retreats", "adjustments", "variants")
"""The topics that some engines do not support at all."""
_MANY = 10
"""The number of wrong answers, with no right one, that cannot be chance."""


def iter_conformance_text(run: Conformance) -> Iterator[Part]:
    """Yield the report on an engine's results on the kit: diagnosis, counts, scores, and the first findings of each part."""
    yield from (StyledText(f"{_format_missing_topic(topic)}\n") for topic in run.topics if _can_lack(topic))
    if run.diagnosis:
        findings = {one.question: one for part in run.parts for one in part.findings}
        yield from (*_iter_diagnosis(run.diagnosis, findings), "")
    title = f"satjudge conformance against {run.against}, rulebook {run.rulebook.name}"
    headings = ("asked", "agree", "known", "no answer by the rulebook", "skipped", "not asked", "expected", "differ")
    numbers = Listing([Column("Part"), *(Column(heading, right=True) for heading in headings)], title, lined=True)
    for name, *row in run.rows:
        numbers.add_row(name, *(f"{number:,}" for number in row))
    yield numbers
    if run.score is not None:
        skipped = sum(part.skipped for part in run.parts)
        neither = f" {number_of(skipped, 'skipped question')} count as neither right nor wrong." if skipped > 1 else ""
        yield from (
            "",
            _make_score_table(run.topics),
            f"Score, the mean of the topics: {format_share(run.score)}.{neither}",
        )
    if run.digest:
        theirs = run.their_digest or "none, because it does not answer all of them"
        yield f"Digest of the boards: {run.digest}; the engine's: {theirs}."
    for part in run.parts:
        if part.findings:
            yield from ("", _make_finding_table(part))
    for one in run.contradicting:
        yield from ("", f"{one.question}, {one.how}: {one.said}")
    yield from ("", run.summary)


def _can_lack(topic: TopicScore) -> bool:
    """Return whether a topic is one that engines may lack (`_LACKED`), and all answers to it, `_MANY` or more, are wrong."""
    return topic.topic in _LACKED and not topic.right and topic.compared >= _MANY


def _format_missing_topic(topic: TopicScore) -> str:
    """Return a remark that no answer on a topic is right, and how an engine without this topic should answer."""
    name = topic.topic
    return (
        f"None of {topic.compared:,} answers about {name} is right. If your engine does not support {name}, let it answer "
        f'{{"skip": "no {name}"}}; satjudge then diagnoses its other mistakes better.'
    )


def _iter_diagnosis(diagnosis: Diagnosis, findings: Mapping[str, Otherwise]) -> Iterator[Part]:
    """Yield the diagnosis of an engine: its rulebook, each cause with the smallest questions that show it, unexplained answers.

    `findings` contains the differences on each question, by the question's name, with satjudge's reasons.
    """
    yield from (StyledText(f"Warning: {warning}.\n") for warning in [diagnosis.caveat] if warning)
    wrong = len(diagnosis.mistakes)
    if not wrong and not diagnosis.unexplained:
        words = ", in different words" if any(cause.kind == WORDS for cause in diagnosis.causes) else ""
        yield StyledText(f"The engine agrees with {diagnosis.plays}{words}{diagnosis.coverage_remark}.")
    else:
        known = (
            f", with {number_of(wrong, 'mistake')}" if wrong else "" if diagnosis.cut_short else ", as far as causes are known"
        )
        yield StyledText(f"The engine {diagnosis.verb} {diagnosis.plays}{known}.")
    yield from filter(None, [diagnosis.count_text, diagnosis.doubt_text])
    for cause in diagnosis.causes:
        yield from map(StyledText, iter_cause_lines(cause, diagnosis.differing))
    for one in diagnosis.unexplained[:_SHOWN]:
        because = "".join(f"\n  because {reason}" for reason in _list_reasons(one, findings.get(one.question)))
        title = "right, though the diagnosis says otherwise" if one.is_right else "unexplained"
        yield StyledText(f"\n{title}\n{_format_question(one)}{because}")
    if (more := len(diagnosis.unexplained) - _SHOWN) > 0:
        yield StyledText(f"and {more:,} more unexplained answers; --json shows them all")


def iter_cause_lines(cause: Cause, differing: int) -> Iterator[str]:
    """Yield lines on a cause: how many of `differing` answers it explains, rival causes, and questions that show it."""
    or_one = f" The answers do not distinguish this from: {cause.instead[0]}." if len(cause.instead) == 1 else ""
    yield f"\n{cause.says}. {cause.format_count(differing)}{or_one}".rstrip()
    if len(cause.instead) > 1:
        yield "Or one of these, which the answers cannot distinguish from it:"
        yield from (f"  - {other}" for other in cause.instead[:_SHOWN])
        yield from (f"  - and {more:,} more" for more in [len(cause.instead) - _SHOWN] if more > 0)
    yield from map(_format_question, cause.evidence)


def _list_reasons(example: Shown, finding: Otherwise | None) -> list[str]:
    """List satjudge's reasons for a finding; empty if it is None, or if the example shows only a part of its orders."""
    if finding is None or msgspec.json.decode(finding.line, type=_Line).orders != example.orders:
        return []
    return finding.reasons


def _format_question(example: Shown) -> str:
    """Write a question as lines: each power's units, centres and orders, with satjudge's and the engine's answers."""
    lines = [f"  {example.question}, {example.phase} phase"]
    for power in dict.fromkeys(
        (*example.units, *example.dislodged, *example.centers, *example.orders, *example.said, *example.expected)
    ):
        units, lost, centers = example.units.get(power, []), example.dislodged.get(power, {}), example.centers.get(power, [])
        lines.append(f"  {power}: {', '.join(units) or 'no units'}")
        lines += [f"    {unit} is dislodged and may retreat to {', '.join(to) or 'nowhere'}" for unit, to in lost.items()]
        lines += [f"    owns {', '.join(centers)}: {_format_balance(len(centers) - len(units))}"] if example.centers else []
        said, orders, ours = (told.get(power, []) for told in (example.said, example.orders, example.expected))
        if orders and not example.of_units and len(said) == len(orders):
            expected = ours if len(ours) == len(orders) else said
            lines += [_format_verdict(*told) for told in zip(orders, expected, said, strict=True)]
        else:
            lines += [f"    {order}" for order in orders]
            lines += [f"    afterwards, by satjudge: {', '.join(ours) or 'nothing'}"] if ours and ours != said else []
            lines += [f"    afterwards, by the engine: {', '.join(said) or 'nothing'}"] if ours or said else []
    lines += [f"  satjudge / the engine: {told}" for told in example.differs]
    return "\n".join(lines)


def _format_balance(balance: int) -> str:
    """Return in words how many units a power may build (if `balance` is positive) or must remove (if it is negative)."""
    if not balance:
        return "nothing to build or remove"
    return f"may build {balance}" if balance > 0 else f"must remove {-balance}"


def _format_verdict(order: str, expected: str, answer: str) -> str:
    """Write a line with an order and the answer, or, if that is not the expected verdict, with both."""
    return (
        f"    {order:30} | {answer}" if answer == expected else f"    {order:30} | satjudge: {expected}; the engine: {answer}"
    )


def _make_score_table(topics: Iterable[TopicScore]) -> Listing:
    columns = [Column("Topic"), *(Column(heading, right=True) for heading in ("right", "of", ""))]
    table = Listing(columns, "Scores", lined=True)
    for topic in topics:
        table.add_row(topic.topic, f"{topic.right:,}", f"{topic.compared:,}", format_share(topic.share))
    return table


def _make_finding_table(part: PartAsked) -> Listing:
    rest = len(part.findings) - _SHOWN
    more = f"the first {_SHOWN} of {len(part.findings):,}; --json shows them all" if rest > 0 else ""
    columns = [Column("Question", whole=True), *map(Column, ("", "satjudge", "the other"))]
    table = Listing(columns, f"Part {part.part}", lined=True, caption=more)
    for finding in part.findings[:_SHOWN]:
        first = finding.differences[0]
        table.add_row(finding.question, first.subject_with_power, first.ours, first.theirs)
    return table


# ---- a finding as plain text ----


class _ExpectedAnswer(msgspec.Struct):
    """The part of satjudge's answer that is used here."""

    results: dict[str, list[str]] = {}


class _Line(msgspec.Struct):
    """The part of a question that is used here."""

    phase: str
    rules: str
    units: dict[str, list[str]]
    orders: dict[str, list[str]] = {}
    dislodged: dict[str, dict[str, list[str]]] = {}
    centers: dict[str, list[str]] = {}
    expected: _ExpectedAnswer = msgspec.field(default_factory=_ExpectedAnswer)
    expected_settings: list[str] = []


def format_finding(finding: Otherwise) -> str:
    """Write a finding as text: its board, its orders with the expected and the engine's verdicts, and satjudge's reasons.

    The first line shows the first difference, or that there is none.
    """
    line = msgspec.json.decode(finding.line, type=_Line)
    rules = " ".join((line.rules, *line.expected_settings))
    where = f"{finding.question}: part {finding.part}, topic {finding.topic}, {line.phase} phase, rulebook {rules}"
    lines = [format_headline(finding), "", where, ""]
    lines += [f"  {power}: {', '.join(units)}" for power, units in line.units.items()]
    lines += [
        f"  {power} lost {unit}, which may retreat to {', '.join(places) or 'nowhere'}"
        for power, units in line.dislodged.items()
        for unit, places in units.items()
    ]
    lines += [f"  {power} owns {', '.join(centers)}" for power, centers in line.centers.items()]
    lines += ["", *_align_columns([VERDICTS, *iter_verdict_rows(finding)])]
    if finding.reasons and finding.differences:
        lines += ["", *(f"because {reason}" for reason in finding.reasons)]
    return "\n".join((*lines, "", finding.again))


def format_headline(finding: Otherwise) -> str:
    """Return a line with the first difference of a finding; if there is none, its first reason, or that the answer is right."""
    if not finding.differences:
        return f"{finding.question}: {finding.reasons[0] if finding.reasons else 'right'}"
    first = finding.differences[0]
    return f"{first.subject_with_power}: expected {first.ours or 'nothing'}, got {first.theirs or 'nothing'}"


VERDICTS = ("", "order", "expected", "got")
"""The headings of the rows of `iter_verdict_rows`."""


def iter_verdict_rows(finding: Otherwise) -> Iterator[tuple[str, ...]]:
    """Yield a row for each order, then each differing unit: power, order, expected verdict, engine's verdict ("" if equal)."""
    line = msgspec.json.decode(finding.line, type=_Line)
    theirs = {(one.power, one.number): one.theirs or "nothing" for one in finding.differences if one.number is not None}
    for power, orders in line.orders.items():
        words = line.expected.results.get(power, [""] * len(orders))
        for number, (order, word) in enumerate(zip(orders, words, strict=True)):
            yield power, order, word, theirs.get((power, number), "")
    yield from ((one.power, one.subject, one.ours, one.theirs) for one in finding.differences if one.number is None)


def _align_columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows of a table as indented lines, with the cells aligned in columns."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


# ---- conformance, as JUnit XML, which CI services show: parts are suites, questions are cases ----


def format_junit(run: Conformance, parts: Mapping[str, Sequence[bytes]]) -> str:
    """Write an engine's results on the kit as JUnit XML; `parts` has the questions, as batch lines, of each part by name.

    A question that was not compared is skipped, with the reason. If the engine contradicted itself or crashed, a separate case
    reports it.
    """
    suites = Element("testsuites", name=f"satjudge conformance against {run.against}, rulebook {run.rulebook.name}")
    if run.diagnosis:
        _add_element(_add_element(suites, "testsuite", name="diagnosis"), "system-out", f"The engine {run.diagnosis.says}.")
    for part in run.parts:
        _add_suite(suites, part, [*map(read_name, parts[part.part])], is_lost=bool(run.lost))
    conduct = {one.how: f"{one.question}, {one.how}: {one.said}" for one in run.contradicting}
    conduct |= {"lost": run.lost} if run.lost else {}
    for how, message in conduct.items():
        suite = _add_element(suites, "testsuite", name="conduct")
        case = _add_element(suite, "testcase", classname="satjudge.conduct", name=how)
        _add_element(case, "failure", message, type=how, message=message)
    for suite in suites:
        for tag, name in (("testcase", "tests"), ("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    for name in ("tests", "failures", "errors", "skipped"):
        suites.set(name, str(sum(int(suite.get(name, 0)) for suite in suites)))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + format_element(suites, "xml") + "\n"


def _add_suite(suites: Element, part: PartAsked, names: Sequence[str], *, is_lost: bool) -> None:
    """Add a part of the kit as a test suite with a case for each question (`names`); a lost engine never got the last ones."""
    suite = _add_element(suites, "testsuite", name=part.part)
    findings = {finding.question: finding for finding in part.findings}
    last = part.asked + part.not_asked if is_lost else len(names)
    for name in names[:last]:
        case = _add_element(suite, "testcase", classname=f"satjudge.{part.part}", name=name)
        if name in findings:
            _add_failure(case, findings[name])
        elif (why := part.others.get(name, "")).startswith(EXPLAINED):
            _add_element(case, "system-out", why)
        elif why:
            _add_element(case, "skipped", message=why)


def _add_failure(case: Element, finding: Otherwise) -> None:
    kind = finding.differences[0].kind
    _add_element(case, "failure", format_finding(finding), type=kind, message=format_headline(finding))


def _add_element(parent: Element, tag: str, content: str = "", **attributes: str) -> Element:
    """Add a child element with text and attributes, with control characters escaped, and return it."""
    element = SubElement(parent, tag, {name: escape_controls(text) for name, text in attributes.items()})
    element.text = escape_controls(content) or None
    return element
