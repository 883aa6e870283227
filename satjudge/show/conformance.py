"""Writes the results of an engine on the kit as tables for the terminal, and a finding as text for the reports of tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from satjudge.base.words import number_of
from satjudge.engines.documents.conformance import (
    WORDS,
    Conformance,
    Diagnosis,
    Otherwise,
    PartAsked,
    Shown,
    TopicScore,
    told_share,
)
from satjudge.show.layout import Column, Listing, Part, Text

_SHOWN = 10
"""The number of findings of a part that are shown."""
_LACKED = ("convoys", "retreats", "adjustments", "variants")
"""The topics that some engines have nothing of."""
_MANY = 10
"""The number of answers from which on it is no accident that none is right."""


def conformance_text(found: Conformance) -> Iterator[Part]:
    """Write the results of an engine on the kit: the diagnosis, the numbers of each part, and its first findings."""
    yield from (Text(f"{_lacking(topic)}\n") for topic in found.topics if _may_lack(topic))
    if found.diagnosis:
        findings = {one.question: one for part in found.parts for one in part.findings}
        yield from (*_diagnosis(found.diagnosis, findings), "")
    title = f"satjudge conformance against {found.against}, rulebook {found.rulebook.name}"
    headings = ("asked", "agree", "explained", "no answer by the rulebook", "skipped", "not asked", "expected", "differ")
    numbers = Listing([Column("Part"), *(Column(heading, right=True) for heading in headings)], title, lined=True)
    for name, *row in found.rows:
        numbers.add_row(name, *(f"{number:,}" for number in row))
    yield numbers
    if found.score is not None:
        skipped = sum(part.skipped for part in found.parts)
        neither = f" {number_of(skipped, 'skipped question')} are counted neither as right nor as wrong." if skipped > 1 else ""
        yield from ("", _scores(found.topics), f"Score, the mean of the topics: {told_share(found.score)}.{neither}")
    if found.digest:
        theirs = found.their_digest or "none, as it does not answer all of them"
        yield f"Digest of the boards: {found.digest}; the engine's: {theirs}."
    for part in found.parts:
        if part.findings:
            yield from ("", _findings(part))
    for one in found.contradicting:
        yield from ("", f"{one.question}, {one.how}: {one.said}")
    yield from ("", found.summary)


def _may_lack(topic: TopicScore) -> bool:
    """Tell whether an engine may know nothing of a topic."""
    return topic.topic in _LACKED and not topic.right and topic.compared >= _MANY


def _lacking(topic: TopicScore) -> str:
    """Write what an engine does that knows nothing of a topic; else that hides what it does wrong."""
    what = topic.topic
    return (
        f"None of {topic.compared:,} answers about {what} is right. An engine that has no {what} says so in place of an "
        f'answer, by {{"skip": "no {what}"}}. What else it does wrong is then told better.'
    )


def _diagnosis(found: Diagnosis, findings: Mapping[str, Otherwise]) -> Iterator[Part]:
    """Write a diagnosis: the rulebook that is played, each cause with the smallest question that shows it, and what is left.

    `findings` has what differs on each question, with satjudge's reasons.
    """
    wrong = len(found.mistakes)
    if not wrong and not found.unexplained:
        words = ", in words of its own" if any(cause.kind == WORDS for cause in found.causes) else ""
        yield Text(f"The engine agrees with {found.plays}{words}{found.as_far}.")
    else:
        known = f", with {number_of(wrong, 'mistake')}" if wrong else "" if found.cut_short else ", as far as a cause is known"
        left = f"; nothing explains {number_of(len(found.unexplained), 'answer')}" if found.unexplained else ""
        yield Text(f"The engine {found.verb} {found.plays}{known}{found.tried}{left}.")
    yield from filter(None, [found.counted, found.doubted])
    for cause in found.causes:
        or_one = f" Or, which the answers do not tell from it: {cause.instead[0]}." if len(cause.instead) == 1 else ""
        yield Text(f"\n{cause.says}. {cause.counted(found.differing)}{or_one}".rstrip())
        if len(cause.instead) > 1:
            yield Text("Or one of these, which the answers do not tell from it:")
            yield from (Text(f"  - {other}") for other in cause.instead[:_SHOWN])
            yield from (Text(f"  - and {more:,} more") for more in [len(cause.instead) - _SHOWN] if more > 0)
        yield from (Text(_board(one)) for one in cause.evidence)
    if found.near:
        yield Text("\nNothing explains all of the answers that are left. It may do so in some cases only:")
        yield from (Text(f"  {one.told}") for one in found.near)
    for one in found.unexplained[:_SHOWN]:
        because = "".join(f"\n  because {reason}" for reason in _reasons(one, findings.get(one.question)))
        title = "right, though the diagnosis says otherwise" if one.is_right else "unexplained"
        yield Text(f"\n{title}\n{_board(one)}{because}")
    if (more := len(found.unexplained) - _SHOWN) > 0:
        yield Text(f"and {more:,} more; --json tells them all")
    if found.cut_short:
        yield Text("\nNo more hypotheses were tried than --tries allows.")


def _reasons(shown: Shown, found: Otherwise | None) -> list[str]:
    """List satjudge's reasons for what differs, unless the board that is shown is a part of the one that was asked."""
    if found is None or msgspec.json.decode(found.line, type=_Line).orders != shown.orders:
        return []
    return found.reasons


def _board(shown: Shown) -> str:
    """Write a question with the expected answer and that of the engine, an order on each line."""
    lines = [f"  {shown.question}, {shown.phase} phase"]
    for power in dict.fromkeys((*shown.units, *shown.dislodged, *shown.centers, *shown.orders, *shown.said, *shown.expected)):
        units, lost, centers = shown.units.get(power, []), shown.dislodged.get(power, {}), shown.centers.get(power, [])
        lines.append(f"  {power}: {', '.join(units) or 'no units'}")
        lines += [f"    {unit} is dislodged, may retreat to {', '.join(to) or 'nowhere'}" for unit, to in lost.items()]
        lines += [f"    owns {', '.join(centers)}: {_to_adjust(len(centers) - len(units))}"] if shown.centers else []
        said, orders, ours = (told.get(power, []) for told in (shown.said, shown.orders, shown.expected))
        if orders and not shown.of_units and len(said) == len(orders):
            expected = ours if len(ours) == len(orders) else said
            lines += [_verdict(*told) for told in zip(orders, expected, said, strict=True)]
        else:
            lines += [f"    {order}" for order in orders]
            lines += [f"    afterwards by satjudge: {', '.join(ours) or 'nothing'}"] if ours and ours != said else []
            lines += [f"    afterwards by the engine: {', '.join(said) or 'nothing'}"] if ours or said else []
    lines += [f"  satjudge / the engine: {told}" for told in shown.differs]
    return "\n".join(lines)


def _to_adjust(balance: int) -> str:
    """Write how many units a power may build or must remove."""
    if not balance:
        return "nothing to build or remove"
    return f"may build {balance}" if balance > 0 else f"must remove {-balance}"


def _verdict(order: str, expected: str, said: str) -> str:
    """Write an order with its verdict, or with both verdicts where they differ."""
    return f"    {order:30} | {said}" if said == expected else f"    {order:30} | satjudge: {expected}; the engine: {said}"


def _scores(topics: Iterable[TopicScore]) -> Listing:
    columns = [Column("Topic"), *(Column(heading, right=True) for heading in ("right", "of", ""))]
    table = Listing(columns, "Scores", lined=True)
    for topic in topics:
        table.add_row(topic.topic, f"{topic.right:,}", f"{topic.compared:,}", told_share(topic.share))
    return table


def _findings(part: PartAsked) -> Listing:
    rest = len(part.findings) - _SHOWN
    more = f"the first {_SHOWN} of {len(part.findings):,}; --json tells them all" if rest > 0 else ""
    columns = [Column("Question", whole=True), *map(Column, ("", "satjudge", "the other"))]
    table = Listing(columns, f"Part {part.part}", lined=True, caption=more)
    for finding in part.findings[:_SHOWN]:
        first = finding.differences[0]
        table.add_row(finding.question, first.whose, first.ours, first.theirs)
    return table


# ---- a finding as plain text ----


class _Expected(msgspec.Struct):
    """The part of satjudge's answer that is read here."""

    results: dict[str, list[str]] = {}


class _Line(msgspec.Struct):
    """The part of a question that is read here."""

    phase: str
    rules: str
    units: dict[str, list[str]]
    orders: dict[str, list[str]] = {}
    dislodged: dict[str, dict[str, list[str]]] = {}
    centers: dict[str, list[str]] = {}
    expected: _Expected = msgspec.field(default_factory=_Expected)
    expected_settings: list[str] = []


def finding_text(found: Otherwise) -> str:
    """Write a finding as text: the board, the orders with expected verdicts, the engine's other verdicts, and the rule.

    If nothing differs, the first line says so.
    """
    line = msgspec.json.decode(found.line, type=_Line)
    rules = " ".join((line.rules, *line.expected_settings))
    where = f"{found.question}: part {found.part}, topic {found.topic}, {line.phase} phase, rulebook {rules}"
    lines = [headline(found), "", where, ""]
    lines += [f"  {power}: {', '.join(units)}" for power, units in line.units.items()]
    lines += [
        f"  {power} lost {unit}, which may retreat to {', '.join(places) or 'nowhere'}"
        for power, units in line.dislodged.items()
        for unit, places in units.items()
    ]
    lines += [f"  {power} owns {', '.join(centers)}" for power, centers in line.centers.items()]
    lines += ["", *_columns([VERDICTS, *verdicts(found)])]
    if found.reasons and found.differences:
        lines += ["", *(f"because {reason}" for reason in found.reasons)]
    return "\n".join((*lines, "", found.again))


def headline(found: Otherwise) -> str:
    """Write the first difference of a finding in a line."""
    if not found.differences:
        return f"{found.question}: {found.reasons[0] if found.reasons else 'right'}"
    first = found.differences[0]
    return f"{first.whose}: expected {first.ours or 'nothing'}, got {first.theirs or 'nothing'}"


VERDICTS = ("", "order", "expected", "got")
"""The headings of the rows of `verdicts`."""


def verdicts(found: Otherwise) -> Iterator[tuple[str, ...]]:
    """List each order of a finding with power, expected verdict and the engine's other verdict; then units that differ."""
    line = msgspec.json.decode(found.line, type=_Line)
    theirs = {(one.power, one.number): one.theirs or "nothing" for one in found.differences if one.number is not None}
    for power, orders in line.orders.items():
        words = line.expected.results.get(power, [""] * len(orders))
        for number, (order, word) in enumerate(zip(orders, words, strict=True)):
            yield power, order, word, theirs.get((power, number), "")
    yield from ((one.power, one.subject, one.ours, one.theirs) for one in found.differences if one.number is None)


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Write rows of text with their columns below each other."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
