"""Writes outcomes, resolutions, checks and rulebooks as tables for the commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from satjudge.base.words import number_of
from satjudge.explain.words.verdict_text import (
    NOT_ORDERED,
    OrderSummary,
    format_count,
    format_owned_unit,
    iter_footnotes,
    iter_order_summaries,
)
from satjudge.judging.equations.situation import Situation
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve.result import Adjudication, Resolutions
from satjudge.notation.documents import Rules
from satjudge.notation.sheets import Sheet
from satjudge.show.layout import Cell, Column, Group, Listing, Part, StyledText, format_lines
from satjudge.world.board import Board, by_power, group_pairs
from satjudge.world.geography import Map, Power
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    from satjudge.explain.compare import ComparedCase
    from satjudge.explain.cores import ClassifiedCore
    from satjudge.files.documents import DescribedRules, Rulebooks
    from satjudge.judging.check import CheckedCase
    from satjudge.judging.judge import Judgement
    from satjudge.judging.position import Position

_WORDS = {
    "green": ("succeeds", "given", "available", "granted", "stands"),
    "bright_black": ("illegal",),
    "yellow": ("invalid", NOT_ORDERED),
    "red": ("fails", "cut", "disrupted"),
    "bold red": ("dislodged", "destroyed"),
}
_STYLES = {word: style for style, words in _WORDS.items() for word in words}


def make_listing(
    *headings: str, rows: Iterable[Iterable[Cell]] = (), title: str | None = None, numbers: Sequence[str] = ()
) -> Listing:
    """Make a table without lines between its cells; columns whose headings are in `numbers` are right-aligned."""
    whole = ("Power", "Order", "Case", "")
    table = Listing([Column(heading, heading in whole, heading in numbers) for heading in headings], title)
    for row in rows:
        table.add_row(*row)
    return table


def _make_verdict(verdict_text: str, words: str = "") -> StyledText:
    """Return a verdict with each word in its colour; if `words` is given, return that in the colour of the verdict's first."""
    several = verdict_text.split(", ")
    if words:
        return StyledText("").add_part(words, style=_STYLES.get(several[0], ""))
    return StyledText(", ").join(StyledText(word, style=_STYLES.get(word, "")) for word in several)


def make_heading(sheet: Sheet, rulebook: Rulebook | Rules | None = None) -> StyledText:
    """Return the heading of a case in bold, with the name of the rulebook, if any."""
    return StyledText(f"{sheet.heading}  [{rulebook.name}]" if rulebook else sheet.heading, style="bold")


def format_plain(table: Part, width: int = 120) -> str:
    """Return a table or text without colours, at most `width` columns wide."""
    if (lines := format_lines(table, width)) is not None:
        return "\n".join(lines)
    from rich.console import Console

    console = Console(width=width, no_color=True, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


# ---- positions and outcomes ----


def iter_judged_text(judged: Judgement, *, details: bool = False) -> Iterator[Part]:
    """Yield tables of a case's results and of its retreats, and which retreats need orders; or why there is no answer.

    Remarks are in the words of players or, with `details`, in those of the rules.
    """
    table = make_detailed_table if details else make_spoken_table
    outcome = judged.outcome
    yield make_heading(judged.sheet, judged.rulebook)
    if outcome is None:
        yield from (StyledText(f"{'Unresolved' if judged.unresolved_error else 'Unanswered'}: {judged.error}"), "")
        return
    yield table(outcome)
    if placed := [format_owned_unit(unit, outcome.board.map) for unit in judged.sheet.units_from_orders]:
        yield StyledText(f"Units that only orders mention: {', '.join(placed)}. With --strict, such orders are errors.")
    if judged.retreats:
        yield from (StyledText("Retreats", style="bold"), table(judged.retreats))
    elif isinstance(outcome, Outcome):
        waiting = [format_owned_unit(lost.unit, outcome.board.map) for lost in outcome.dislodgements.values() if lost.retreats]
        if waiting:
            yield StyledText(f"Add retreats for these units in a section `retreats` below the orders: {', '.join(waiting)}.")
    yield ""


def iter_equation_lines(sheet: Sheet, rulebook: Rulebook, situation: Situation) -> Iterator[str]:
    """Yield a heading and the equations of a case (its `situation` under the rulebook) as lines of plain text."""
    from satjudge.judging.equations.printing import format_equations  # for this alone

    yield f"# {sheet.heading} [{rulebook.name}]"
    yield from format_equations(situation)


def make_position_table(board: Board) -> Part:
    """Make a table of each power's units and supply centres; below it are the dislodged units with their retreats."""
    table = make_listing("Power", "Units", "Centres")
    standing = by_power(board.units)
    for power in dict.fromkeys((*sorted(standing), *sorted(set(board.centers.values())))):
        owned = sorted(code for code, owner in board.centers.items() if owner == power)
        table.add_row(board.map.name_of(power), ", ".join(standing.get(power, ["none"])), " ".join(owned))
    retreats = [
        f"{format_owned_unit(lost.unit, board.map)} is dislodged; it may retreat to {', '.join(lost.retreats) or 'nowhere'}."
        for lost in board.dislodged
    ]
    heading = f"{str(board.phase).capitalize()} phase, {number_of(len(board.units), 'unit')}"
    return Group(StyledText(heading), table, *(StyledText(line) for line in retreats))


def make_orders_table(position: Position) -> Part:
    """Make a table of each power's orders, as they were written."""
    table = make_listing("Power", "Order")
    for power, orders in position.texts.items():
        for number, order in enumerate(orders):
            table.add_row("" if number else position.board.map.name_of(power), order)
    return table


def make_outcome_table(outcome: AnyOutcome) -> Part:
    """Make a table of an outcome's orders with verdicts and remarks; below it is the position after the phase."""
    rows = ((row.power, row.order, _make_verdict(row.verdict), StyledText(row.remark)) for row in iter_order_summaries(outcome))
    return _format_order_table(outcome, ["Verdict", "Remarks"], rows, iter_footnotes(outcome))


def make_detailed_table(outcome: AnyOutcome) -> Part:
    """Make a table like `make_outcome_table`, with the rules' reasons (such as strengths) why orders failed or were cut."""
    from satjudge.explain.phases import map_short_reasons  # explanations take a moment to import

    reasons = map_short_reasons(outcome) if isinstance(outcome, Outcome) else {}
    rows = (
        (
            summary.power,
            summary.order,
            _make_verdict(summary.verdict),
            StyledText(_join_reason(reasons.get((summary.power, summary.order), ""), summary)),
        )
        for summary in iter_order_summaries(outcome)
    )
    return _format_order_table(
        outcome, ["Verdict", "Remarks"], rows, [*iter_footnotes(outcome), f"Judged by: {outcome.engine}."]
    )


def _join_reason(reason: str, entry: OrderSummary) -> str:
    """Return the reason for an order's verdict, followed by the entry's remark, such as what dislodged its unit."""
    reason = reason.removeprefix(f"{entry.verdict.partition(', ')[0]} ")
    if not reason or not entry.remark:
        return reason or entry.remark
    return f"{reason}; {entry.verdict.rpartition(', ')[2]} {entry.remark}"


def make_spoken_table(outcome: AnyOutcome, *, verdicts: bool = True) -> Part:
    """Make a table of orders with results in players' words, and with verdicts if wanted; below it is the next position."""
    from satjudge.explain.words.player_text import iter_remarks, spoken_words  # explanations take a moment to import

    orders = spoken_words(outcome)
    if verdicts:
        rows = [(one.power, one.order, _make_verdict(one.verdict), StyledText(one.beside_verdict)) for one in orders]
        return _format_order_table(outcome, ["Verdict", "Remarks"], rows, iter_remarks(outcome))
    words = [(one.power, one.order, _make_verdict(one.verdict, one.head).add_part(one.rest, style="none")) for one in orders]
    return _format_order_table(outcome, ["Result"], words, iter_remarks(outcome))


def _format_order_table(
    outcome: AnyOutcome, headings: Sequence[str], rows: Iterable[tuple[str, str, *tuple[StyledText, ...]]], notes: Iterable[str]
) -> Part:
    """Make a table from rows of power, order and further cells; below it are notes and the position after the phase."""
    table = make_listing("Power", "Order", *headings)
    label = ""
    for power, order, *cells in rows:
        name = outcome.board.map.name_of(power)
        table.add_row(name if name != label else "", order, *cells)
        label = name
    silent = "No orders: all units hold." if isinstance(outcome, Outcome) else "No orders."
    parts: list[Part] = [table if table.rows else StyledText(silent)]
    parts += [StyledText(line) for line in notes]
    return Group(*parts, _format_next_units(outcome))


def _format_next_units(outcome: AnyOutcome) -> Part:
    """Make a table of each power's units after the phase, including powers that have just lost their last unit."""
    table = make_listing("", "Power", "Units")
    table.show_header = False
    board, standing = outcome.board, by_power(outcome.units)
    before = {unit.power for unit in (*board.units, *(lost.unit for lost in board.dislodged))}
    for power in sorted({*before, *standing}):
        label = "" if table.rows else "Afterwards"
        table.add_row(label, board.map.name_of(power), ", ".join(standing.get(power) or [_format_no_units(outcome, power)]))
    return table


def _format_no_units(outcome: AnyOutcome, power: Power) -> str:
    """Return `none` for a power without units, followed by any of its units that must still retreat."""
    lost = outcome.dislodgements.values() if isinstance(outcome, Outcome) else ()
    waiting = [str(one.unit) for one in lost if one.unit.power == power and one.retreats]
    return f"none; to retreat: {', '.join(waiting)}" if waiting else "none"


# ---- resolutions ----


def iter_resolved_text(case: Judgement, most_shown: int) -> Iterator[Part]:
    """Yield a table of a case's first `most_shown` consistent resolutions, then lines on its cores."""
    from satjudge.explain.cores import classify_case

    yield from (
        make_heading(case.sheet, case.rulebook),
        make_resolutions_table(case.resolutions, case.adjudication, most_shown),
    )
    yield from (StyledText(line) for line in iter_core_text(classify_case(case)))
    if case.unresolved_error:
        yield f"Unresolved: {case.unresolved_error}"
    yield ""


def make_resolutions_table(resolutions: Resolutions, adjudication: Adjudication | None, most_shown: int) -> Part:
    """Make a table of the first `most_shown` resolutions side by side, with the rulebook's ruling, if any, and core numbers."""
    from satjudge.explain.explanation import choose_value_word  # only here and for invalid orders are explanations needed

    columns = resolutions.list_first(most_shown)
    rulings = adjudication.rulings if adjudication else ()
    core_of = {decision.index: number for number, ruling in enumerate(rulings, 1) for decision in ruling.core}
    headings = ["Core"] if core_of else []
    headings += ["Power", "Order", *(f"#{number}" for number in range(1, len(columns) + 1))]
    table = make_listing(*headings, *(["Ruled"] if adjudication else []))
    game_map = resolutions.situation.board.map
    for decision in resolutions.situation.decisions:
        index = decision.index
        row: list[Cell] = [str(core_of.get(index, ""))] if core_of else []
        row += [game_map.name_of(decision.power), str(decision)]
        row += [_make_verdict(choose_value_word(decision, values[index])) for values in columns]
        if adjudication:
            ruled = _make_verdict(choose_value_word(decision, adjudication.values[index]))
            row.append(ruled.add_part(" (ruled)", style="bold") if index in adjudication.overridden else ruled)
        table.add_row(*row)
    notes = [f"Consistent resolutions: {format_count(resolutions)}."]
    if len(columns) < resolutions.count:
        notes.append(f"The first {len(columns)} are shown; --show shows more, --jsonl lists all.")
    return Group(table, *(StyledText(note) for note in notes))


def iter_core_text(cores: Iterable[ClassifiedCore]) -> Iterator[str]:
    """Yield lines on each core: its name, its number of resolutions, the rule that settled it, and its cycle of orders."""
    from satjudge.explain.cores import describe_cycle

    for number, core in enumerate(cores, start=1):
        ruling, count = core.core.ruling, len(core.core.resolutions)
        alone = "settled by its one resolution" if count == 1 else "no rule settles it"
        rule = f"settled by backup rule {ruling.rule}" if ruling else alone
        yield f"Core {number}: {core.name}, {count} resolutions, {rule} (shape {core.shape})"
        for position, line in enumerate(ring := describe_cycle(core)):
            corner = "┌" if not position else "└" if position == len(ring) - 1 else "│"
            yield f"  {corner} {line}"


# ---- checks ----


def iter_checked_text(
    title: str,
    groups: Mapping[str, Sequence[tuple[Sheet, CheckedCase]]],
    deviations: Sequence[tuple[Sheet, CheckedCase]] | None,
) -> Iterator[Part]:
    """Yield the results of checking groups of sheets: errata, failed expectations, deviations, and how many cases passed."""
    cases = [pair for group in groups.values() for pair in group]
    mistaken = {id(sheet): case for sheet, case in reversed(cases) if case.erratum}
    if mistaken:
        yield from (make_errata_table(reversed(mistaken.values())), "")
    if failed := [(sheet, case) for sheet, case in cases if case.checked and not case.passed]:
        yield from (make_cases_table(failed), "")
    deviating = [(sheet, case) for sheet, case in deviations or () if not case.passed]
    if deviating:
        yield from (make_cases_table(deviating, title="Deviations from the preferences of the document's author"), "")
    for group_name, group in groups.items():
        ran = [case for _, case in group if case.checked]
        passed = sum(case.passed for case in ran)
        yield f"{title}{group_name}: {passed}/{len(ran)} passed, {sum(case.checked for case in ran)} verdicts compared"
    if deviations is not None:
        yield f"{title}: {len(deviating)} of {len(deviations)} other cases deviate"


def make_cases_table(cases: Iterable[tuple[Sheet, CheckedCase]], title: str | None = None) -> Part:
    """Make a table of the failed expectations of cases, each with its line in the file."""
    table = make_listing("Case", "Rulebook", "Power", "Order", "Expected", "Found", "Line", title=title)
    for sheet, case in cases:
        for entry in case.differences:
            power = sheet.map.name_of(entry.power)
            verdicts = _make_verdict(entry.expected), _make_verdict(entry.found)
            table.add_row(case.id or case.file, case.rulebook.name, power, entry.order, *verdicts, str(entry.line))
    return table


def make_errata_table(cases: Iterable[CheckedCase]) -> Part:
    """Make a table of the verdicts that a case's source prints although its own rules or map contradict them."""
    table = make_listing("Case", "Order", "Printed", "Correct", "Why", title="Errata of the source")
    for case in cases:
        reasons = " ".join(case.erratum)
        for line in case.errata:
            table.add_row(case.id or "", line.order, line.printed or "", line.correct or "", reasons)
            reasons = ""
        if reasons:
            table.add_row(case.id or "", "", "", "", reasons)
    return table


# ---- rulebooks ----


def make_comparison_table(comparison: ComparedCase, game_map: Map | None) -> Part:
    """Make a table of verdicts with a column for each group of rulebooks that agree; mark differences from the first."""
    table = make_listing("Power", "Order", *comparison.names)
    first, *_ = comparison.columns.values()
    for number, order in enumerate(comparison.orders):
        verdicts = (column[number] for column in comparison.groups)
        marked = (_make_verdict(one).add_part(" *" if one != first[number] else "", style="bold") for one in verdicts)
        table.add_row(game_map.name_of(order.power) if game_map else order.power, order.order, *marked)
    return Group(table, *(StyledText(note) for note in _iter_comparison_notes(comparison)))


def format_differing_phases(cases: Sequence[ComparedCase], names: Sequence[str]) -> str:
    """Return a sentence that names the phases of a game, of these `names`, in which rulebooks differ, or says that none do."""
    books = ", ".join(dict.fromkeys(book for case in cases for book in case.rulebooks))
    differing = [name for case, name in zip(cases, names, strict=True) if not case.agrees]
    if not differing:
        return f"{books}: no difference in verdicts in any phase, {names[0]} to {names[-1]}."
    return f"{books}: differences in {len(differing)} of {len(cases)} phases: {', '.join(differing)}."


def _iter_comparison_notes(comparison: ComparedCase) -> Iterator[str]:
    """Yield notes on which choices make rulebooks differ, and on which orders; or that they do not differ."""
    if comparison.agrees:
        names = ", ".join(comparison.rulebooks)
        yield f"{names}: no difference in verdicts." if len(comparison.rulebooks) > 1 else f"The only rulebook is {names}."
        if comparison.applied:
            alike = group_pairs((tuple(choices), name) for name, choices in comparison.applied.items())
            by = (f"{', '.join(same)} by {' and '.join(choices) or 'none of these'}" for choices, same in alike.items())
            yield f"The reasons differ: {'; '.join(by)}."
        return
    yield f"* differs from {next(iter(comparison.rulebooks))}."
    yield from (f"{why} – {', '.join(dict.fromkeys(orders))}" for why, orders in comparison.reasons.items())


def make_rulebooks_table(rulebooks: Rulebooks) -> Part:
    """Make a table of the rulebooks, and a table of the values of each option with the rulebooks that choose them."""
    names = make_listing("Rulebook", "Title", rows=((book.name, book.title) for book in rulebooks.rulebooks))
    table = make_listing("Issue", "Value", "Chosen by", "Meaning")
    for option in rulebooks.options:
        table.add_row(option.issue, StyledText(option.question, style="italic"))
        for value, meaning in option.values.items():
            table.add_row("", value, _name_rulebooks(option.issue, value, rulebooks), meaning)
    return Group(names, StyledText(""), table)


def _name_rulebooks(issue: str, value: str, rulebooks: Rulebooks) -> str:
    """Return the names of the rulebooks that choose a value of the option for an issue; `all` if all of them do."""
    choosing = [book.name for book in rulebooks.rulebooks if book.settings[issue] == value]
    return "all" if len(choosing) == len(rulebooks.rulebooks) else ", ".join(choosing)


def make_differences_table(rulebooks: Rulebooks) -> Part:
    """Make a table of the options in which rulebooks differ, with the chosen values and meanings; or a line if none does."""
    table = make_listing("Issue", "Chosen by", "Value", "Meaning")
    for option in rulebooks.differing:
        table.add_row(option.issue, "", "", StyledText(option.question, style="italic"))
        for value in dict.fromkeys(book.settings[option.issue] for book in rulebooks.rulebooks):
            table.add_row("", _name_rulebooks(option.issue, value, rulebooks), value, option.values[value])
    return table if table.rows else StyledText("The rulebooks do not differ in any option.")


def make_sources_table(book: DescribedRules) -> Part:
    """Make a table of a rulebook's choice for each issue, with the source of the choice."""
    rows = ((issue, value, book.sources.get(issue, "")) for issue, value in book.settings.items())
    return make_listing("Issue", "Value", "Source", rows=rows, title=f"{book.name}: {book.title}")
