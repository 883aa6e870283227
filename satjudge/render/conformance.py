"""Writes how an engine does on the kit, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from satjudge.documents.conformance import Conformance, Diagnosis, PartAsked, Shown
from satjudge.words import number_of

_SHOWN = 10
"""Findings of a part that are shown."""


def conformance_text(found: Conformance) -> Iterator[RenderableType]:
    """The diagnosis, the numbers of each part, and the first findings of each."""
    if found.diagnosis:
        yield from (*_diagnosis(found.diagnosis), "")
    title = f"satjudge conformance against {found.against}, rulebook {found.rulebook.name}"
    numbers = Table(title=title, title_justify="left")
    numbers.add_column("Part")
    for heading in ("asked", "agree", "explained", "no answer by the rulebook", "skipped", "not asked", "differ"):
        numbers.add_column(heading, justify="right")
    for name, *row in found.rows:
        numbers.add_row(name, *(f"{number:,}" for number in row))
    yield numbers
    for part in found.parts:
        if part.findings:
            yield from ("", _findings(part))
    for one in found.contradicting:
        yield from ("", f"{one.question}, {one.how}: {one.said}")
    yield from ("", found.summary)


def _diagnosis(found: Diagnosis) -> Iterator[RenderableType]:
    """What explains the answers: the rulebook, each cause with the smallest question that shows it, and what is left."""
    wrong = sum(cause.kind != "setting" for cause in found.causes)
    if not wrong and not found.unexplained:
        yield Text(f"The engine agrees with {found.plays}.")
    else:
        rest = f", {number_of(len(found.unexplained), 'answer')} unexplained" if found.unexplained else ""
        yield Text(f"The engine plays {found.plays}, with {number_of(wrong, 'mistake')}{rest}.")
    for cause in found.causes:
        instead = f" Or: {'; '.join(cause.instead)}." if cause.instead else ""
        shown = number_of(cause.explains, "answer")
        yield Text(f"\n{cause.says}. It explains {shown}.{instead}")
        yield from (Text(_board(one)) for one in cause.evidence)
    for one in found.unexplained[:_SHOWN]:
        yield Text(f"\nunexplained\n{_board(one)}")
    if (more := len(found.unexplained) - _SHOWN) > 0:
        yield Text(f"and {more:,} more; --json tells them all")


def _board(shown: Shown) -> str:
    """A question with what the engine said, an order on each line."""
    lines = [f"  {shown.question}"]
    for power in dict.fromkeys((*shown.units, *shown.orders, *shown.said)):
        lines.append(f"  {power}: {', '.join(shown.units.get(power, ['no units']))}")
        said = shown.said.get(power, [])
        orders = shown.orders.get(power, [])
        if len(said) == len(orders):
            lines += [f"    {order:30} | the engine: {word}" for order, word in zip(orders, said, strict=True)]
        else:
            lines += [f"    {order}" for order in orders] + [f"    the engine: {', '.join(said)}"]
    return "\n".join(lines)


def _findings(part: PartAsked) -> Table:
    rest = len(part.findings) - _SHOWN
    more = f"the first {_SHOWN} of {len(part.findings):,}; --json tells them all" if rest > 0 else ""
    table = Table("Question", "", "satjudge", "the other", title=f"Part {part.part}", caption=more, title_justify="left")
    for finding in part.findings[:_SHOWN]:
        first = finding.differences[0]
        table.add_row(Text(finding.question, no_wrap=True), first.whose, first.ours, first.theirs)
    return table
