"""Outcomes, resolutions and checks as rich tables. Nothing here prints; the commands do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from satjudge.adjustments import AdjustmentOutcome
from satjudge.check import CheckedCase
from satjudge.equations.situation import Decision, MoveDecision, SupportDecision
from satjudge.geography import Map, Power
from satjudge.notation import prose_unit
from satjudge.orders import Order
from satjudge.outcome import Outcome
from satjudge.retreats import RetreatOutcome
from satjudge.solve.result import Adjudication

AnyOutcome = Outcome | RetreatOutcome | AdjustmentOutcome

_STYLES = {
    "succeeds": "green",
    "given": "green",
    "available": "green",
    "stands": "green",
    "illegal": "bright_black",
    "invalid": "yellow",
    "fails": "red",
    "cut": "red",
    "disrupted": "red",
    "dislodged": "bold red",
    "destroyed": "bold red",
}


def _table(*headings: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", header_style="bold")
    return table


def _verdict(verdict: str) -> Text:
    text = Text()
    for word in verdict.split(", "):
        text.append(", " if text else "").append(word, style=_STYLES.get(word, ""))
    return text


def power_name(power: Power, game_map: Map) -> str:
    """A power as a heading: `England`."""
    return game_map.power_names.get(power, power)


def outcome_table(outcome: AnyOutcome, orders: Mapping[Power, Sequence[Order]]) -> RenderableType:
    """Every order with its verdict and, where there is one, the reason or consequence."""
    table = _table("Power", "Order", "Verdict", "Remarks")
    game_map = outcome.board.map
    for power, given in orders.items():
        for position, order in enumerate(given):
            label = power_name(power, game_map) if not position else ""
            verdict = outcome.results[power][position]
            table.add_row(label, str(order), _verdict(verdict), _remark(outcome, power, position))
    parts: list[RenderableType] = [table]
    parts += [Text(line) for line in _footnotes(outcome)]
    return Group(*parts)


def _remark(outcome: AnyOutcome, power: Power, position: int) -> str:
    if not isinstance(outcome, Outcome):
        return outcome.reasons[power][position] or ""
    entry = outcome.docket.entries[power][position]
    if entry.reason is not None:
        return entry.reason
    dislodgement = outcome.dislodgements.get(entry.province or "")
    if dislodgement is None:
        return ""
    retreats = f"may retreat to {', '.join(dislodgement.retreats)}" if dislodgement.retreats else "no retreat"
    return f"by {dislodgement.attacker}; {retreats}"


def _footnotes(outcome: AnyOutcome) -> Iterator[str]:
    if isinstance(outcome, AdjustmentOutcome):
        for power, units in outcome.automatic.items():
            removed = ", ".join(str(unit) for unit in units)
            yield f"{power_name(power, outcome.board.map)} in civil disorder loses {removed} (DATC 4.D.8)."
    if not isinstance(outcome, Outcome):
        return
    ordered = {entry.province for entries in outcome.docket.entries.values() for entry in entries}
    for province, lost in outcome.dislodgements.items():
        if province not in ordered:
            retreats = ", ".join(lost.retreats) or "nowhere"
            unit = prose_unit(lost.unit, outcome.board.map)
            yield f"{unit} (no order) is {lost.fate} by {lost.attacker}; it may retreat to {retreats}."
    if outcome.contested:
        yield f"Contested: {', '.join(sorted(outcome.contested))}."
    yield from _rulings(outcome.adjudication)


def _rulings(adjudication: Adjudication) -> Iterator[str]:
    if adjudication.rulings or adjudication.resolutions.count != 1:
        yield f"Consistent resolutions: {count_text(adjudication)}."
    for ruling in adjudication.rulings:
        core = "; ".join(str(decision) for decision in ruling.core)
        yield f"Backup rule {ruling.rule} on a core with {ruling.resolutions} resolutions: {core}."


def count_text(adjudication: Adjudication) -> str:
    """How many resolutions, and whether that is all."""
    found = adjudication.resolutions
    return f"{found.count:,}" if found.complete else f"at least {found.count:,} (the search was stopped)"


def value_word(decision: Decision, value: bool) -> str:
    """The DATC's word for a decision that holds or does not."""
    if isinstance(decision, MoveDecision):
        return "succeeds" if value else "fails"
    if isinstance(decision, SupportDecision):
        return "given" if value else "cut"
    return "available" if value else "disrupted"


def resolutions_table(outcome: Outcome, shown: int) -> RenderableType:
    """The consistent resolutions side by side, the cores marked, and what the backup rules made of them."""
    adjudication = outcome.adjudication
    columns = list(islice(adjudication.resolutions, shown))
    core_of = {
        decision.index: number for number, ruling in enumerate(adjudication.rulings, 1) for decision in ruling.core
    }
    headings = ["Core"] if core_of else []
    headings += ["Power", "Order", *(f"#{number}" for number in range(1, len(columns) + 1)), "Ruled"]
    table = _table(*headings)
    for decision in adjudication.situation.decisions:
        index = decision.index
        ruled = _verdict(value_word(decision, adjudication.values[index]))
        if index in adjudication.overridden:
            ruled.append(" (ruled)", style="bold")
        row: list[RenderableType] = [str(core_of.get(index, ""))] if core_of else []
        row += [power_name(decision.power, outcome.board.map), str(decision)]
        row += [_verdict(value_word(decision, values[index])) for values in columns]
        table.add_row(*row, ruled)
    notes = [f"Consistent resolutions: {count_text(adjudication)}."]
    if len(columns) < adjudication.resolutions.count:
        notes.append(f"The first {len(columns)} are shown; --limit shows more, --jsonl lists all.")
    notes += [line for line in _rulings(adjudication) if line.startswith("Backup")]
    return Group(table, *(Text(note) for note in notes))


def cases_table(cases: Iterable[CheckedCase]) -> RenderableType:
    """The expectations that do not hold."""
    table = _table("Case", "Power", "Order", "Expected", "Found", "Line")
    for case in cases:
        name = case.sheet.identity or case.sheet.source_file
        for entry in case.differences:
            power = power_name(entry.power, case.sheet.map)
            expected, found = _verdict(entry.expected), _verdict(entry.found)
            table.add_row(name, power, entry.order, expected, found, str(entry.line))
    return table


def errata_table(cases: Iterable[CheckedCase]) -> RenderableType:
    """Where the source prints a label that its own rules or map contradict."""
    table = _table("Case", "Order", "Printed", "Correct", title="Errata of the source")
    for case in cases:
        rows: list[tuple[RenderableType, ...]]
        rows = [(str(line.order), line.printed or "", line.expected or "") for line in case.errata]
        rows += [(Text(reason, style="italic"),) for reason in case.sheet.notes.get("erratum", ())]
        for number, row in enumerate(rows):
            table.add_row("" if number else case.sheet.identity, *row)
    return table
