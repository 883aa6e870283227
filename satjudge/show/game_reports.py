"""Writes the report on a phase that a game master sends out: text for an email, Markdown for a forum, or an HTML page.

All formats contain the same parts. Orders are described in players' words (`for_players`) or in the words of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from satjudge.base.errors import RequestError
from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.explain.words.player_text import Said, strip_rule_numbers
from satjudge.explain.words.verdict_text import HOLDS, NOT_ORDERED
from satjudge.game.documents import GameReport, make_game_report
from satjudge.game.game import Game
from satjudge.show.layout import escape_text, format_code_span, iter_markdown_rows
from satjudge.world.geography import format_year

WIDTH = 76
"""The width of an email in columns, which leaves room for `> ` in replies."""
_WIDEST = 40
"""The length of the longest order that has its verdict beside it."""


@dataclass(frozen=True)
class Part:
    """A part of a report: lines of text, orders by power, lines by power, or a table."""

    title: str
    lines: Sequence[str] = ()
    orders: dict[str, list[Said]] = field(default_factory=dict)
    """The orders with their descriptions, by the names of the powers."""
    listed: dict[str, Sequence[str]] = field(default_factory=dict)
    """The lines about each power, by its name."""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    """The rows of a table: a name, then for each power a number with its change: `6 (+3)`."""


def format_report(game: Game, format: str = "text", phase: str | None = None, *, deadline: str | None = None) -> str:  # noqa: A002
    """Write the report on a phase of a game (by default the last played) as `text`, `markdown` or `html`, in players' words.

    Raises `RequestError` for another format, and the errors of `game_report`.
    """
    if format not in (formats := ("text", "markdown", "html")):
        raise RequestError(f"a report cannot have the format {format!r:.40}", suggestion=f"choose from {', '.join(formats)}")
    if format == "html":
        from satjudge.show.report import GamePage

        return GamePage(game, phase, deadline).format_page()
    report = make_game_report(game, phase, deadline=deadline)
    return (format_markdown if format == "markdown" else format_text)(report, for_players=True)


def format_title(report: GameReport) -> str:
    """Return the title of a report, or subject of an email: the game and the phase."""
    return f"{report.game}: {report.heading}"


def iter_parts(report: GameReport, *, for_players: bool = False) -> Iterator[Part]:
    """Yield the parts of a report in order; describe orders in the words of players (`for_players`) or of the rules."""
    plain = strip_rule_numbers if for_players else str
    yield Part("What comes next", list(_iter_next_steps(report)))
    if report.phase:
        results = {power: given if for_players else [*_iter_by_rules(given)] for power, given in report.results.items()}
        orders = {report.names[power]: given for power, given in results.items() if given}
        yield Part("Results", () if orders else ["No orders were given."], orders)
    if report.missing:
        yield Part("Missing orders", [*map(plain, report.missing)])
    if remarks := [*map(plain, [*report.rulings, *report.notes])]:
        yield Part("Remarks", remarks)
    yield Part(
        "Supply centres", columns=["Year", *map(report.names.__getitem__, report.counts)], rows=list(_iter_chart_rows(report))
    )
    yield Part("The position now", listed=dict(_iter_position(report)))
    if report.codes:
        yield Part("What the codes mean", [", ".join(f"{code} {name}" for code, name in report.codes.items())])


def _iter_by_rules(entries: Iterable[Said]) -> Iterator[Said]:
    """Yield orders described in the words of the rules; leave out units without orders, as another part lists those."""
    for entry in entries:
        if entry.verdict != NOT_ORDERED or entry.remark != HOLDS:
            between = "" if not entry.remark else " " if entry.remark.startswith("by ") else ": "
            yield replace(entry, head=entry.verdict, rest=f"{between}{entry.remark}")


def _iter_next_steps(report: GameReport) -> Iterator[str]:
    """Yield lines on the next phase, its deadline, and each retreat, build and removal due; or only how the game ended."""
    if report.ended:
        yield f"The game is over: {report.ended}."
        return
    yield f"Next: {report.next_heading}." + (f" Orders are due {report.deadline}." if report.deadline else "")
    for power, units in report.retreats.items():
        for unit, places in units.items():
            way = f"may retreat to {_join_alternatives(places)}, or disband" if places else "has no retreat, and is disbanded"
            yield f"{report.names[power]}: {unit} is dislodged. It {way}."
    for power, due in report.due.items():
        where = f", in {_join_alternatives(report.sites[power])}" if due > 0 else ""
        yield f"{report.names[power]} {'may build' if due > 0 else 'must remove'} {number_of(abs(due), 'unit')}{where}."


def _join_alternatives(places: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(places[:-1]), *places[-1:]) if part)


def _iter_position(report: GameReport) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the name of each power that has units or centres, with a line on its units and one on its centres."""
    for power, count in report.counts.items():
        units, centers = report.units.get(power, []), report.centers.get(power, [])
        retreating = [f"{unit} (to retreat)" for unit in report.retreats.get(power, ())]
        if units or centers or retreating:
            standing = ", ".join([*units, *retreating]) or "no units"
            owned = f"{number_of(count, 'centre')}{': ' if centers else ''}{', '.join(centers)}"
            yield report.names[power], (standing, owned)


def _iter_chart_rows(report: GameReport) -> Iterator[list[str]]:
    for year in report.chart:
        changes = (f" ({change:+})" if change else "" for change in year.changes.values())
        yield [
            format_year(year.year),
            *(f"{count}{change}" for count, change in zip(year.counts.values(), changes, strict=True)),
        ]


def format_foot(report: GameReport) -> str:
    """Return the last line of a report: the version of satjudge and the rulebook."""
    return f"Judged by satjudge {report.satjudge}, rulebook {report.rulebook.name}."


# ---- text ----


def format_text(report: GameReport, *, for_players: bool = False) -> str:
    """Write a report as an email: plain text, at most `WIDTH` columns wide; with `for_players`, in players' words."""
    lines = [*_wrap_line(format_title(report)), "=" * min(WIDTH, len(format_title(report)))]
    for part in iter_parts(report, for_players=for_players):
        lines += ["", part.title, "-" * len(part.title), *_iter_text_lines(part)]
    return "\n".join([*lines, "", *_wrap_line(format_foot(report))]) + "\n"


_TOGETHER = re.compile(r"(?<=\b[AF]) (?=[A-Z]{3}\b)|(?<=[A-Z]) - |(?<=\d) (?=[a-z])")
"""Blanks at which no line is broken: within a unit, a move, or a number with its noun."""


def insert_hard_spaces(line: str) -> str:
    """Replace the blanks inside each unit, move and number of things in a line by non-breaking spaces."""
    return _TOGETHER.sub(lambda blank: blank[0].replace(" ", "\xa0"), line)


def _wrap_line(line: str, indent: str = "", first: str | None = None) -> list[str]:
    start = indent if first is None else first
    lines = wrap(insert_hard_spaces(line), WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


def _iter_text_lines(part: Part) -> Iterator[str]:
    for line in part.lines:
        yield from _wrap_line(line, "  ", "* ")
    orders = [entry.order for given in part.orders.values() for entry in given]
    widest = min(max(map(len, orders), default=0), _WIDEST)
    for number, (power, given) in enumerate(part.orders.items()):
        yield from [""] * bool(number) + [power]
        for entry in given:
            yield from _format_hanging_entry(entry.order, entry.words, widest)
    widest = max(map(len, part.listed), default=0)
    for name, lines in part.listed.items():
        for number, line in enumerate(lines):
            yield from _format_hanging_entry("" if number else name, line, widest)
    yield from _iter_columns(part)


def _format_hanging_entry(name: str, text_beside: str, width: int) -> list[str]:
    """Return the lines of a name with a text beside it, wrapped; the text is below a name that is longer than `width`."""
    indent = " " * (width + 4)
    above = _wrap_line(name, "      ", "  ") if len(name) > width else []
    return above + _wrap_line(text_beside, indent, indent if above else f"  {name:{width}}  ")


def _iter_columns(part: Part) -> Iterator[str]:
    """Yield a part's table as lines with right-aligned numbers; if it is wider than `WIDTH`, the other columns follow below."""
    widths = [max(map(len, column)) for column in zip(part.columns, *part.rows, strict=True)]
    columns: list[int] = []
    for column in range(1, len(widths)):
        if columns and sum(widths[one] + 2 for one in (0, *columns, column)) > WIDTH:
            yield from (*_iter_rows(part, widths, columns), "")
            columns = []
        columns.append(column)
    yield from _iter_rows(part, widths, columns) if columns else ()


def _iter_rows(part: Part, widths: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
    for row in (part.columns, *part.rows):
        yield "  ".join((f"{row[0]:{widths[0]}}", *(f"{row[column]:>{widths[column]}}" for column in columns))).rstrip()


# ---- Markdown ----


def format_markdown(report: GameReport, *, for_players: bool = False) -> str:
    """Write a report as Markdown for a forum; with `for_players`, in players' words."""
    lines = [f"# {escape_text(format_title(report))}"]
    for part in iter_parts(report, for_players=for_players):
        lines += ["", f"## {part.title}", "", *_iter_markdown(part)]
    return "\n".join([*lines, "", escape_text(format_foot(report))]) + "\n"


def _iter_markdown(part: Part) -> Iterator[str]:
    yield from (f"- {escape_text(line)}" for line in part.lines)
    for number, (power, given) in enumerate(part.orders.items()):
        yield from [""] * bool(number) + [f"### {escape_text(power)}", ""]
        for row in given:
            yield f"- {format_code_span(row.order)}: **{row.head}**{' ' * row.rest.startswith(' ')}{escape_text(row.rest)}"
    yield from (f"- **{escape_text(name)}**: {escape_text('; '.join(texts))}" for name, texts in part.listed.items())
    if part.columns:
        yield from iter_markdown_rows(part.columns, part.rows, range(1, len(part.columns)))
