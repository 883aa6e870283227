"""Lays out texts and tables in columns: in plain text for pipes and files, and with rich, in colour, for a terminal.

Loading rich takes longer than judging a board, so this module lays out output to a pipe or file, with rich's line breaks. Text
with characters that are not one column wide is always laid out by rich.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import rich.console
    import rich.table
    import rich.text

GAP = 2
"""The blanks between two columns."""
_UNUSUAL = re.compile(
    "[^\n -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0373\u0386-\u03ce\u0400-\u0482\u2010-\u2027\u2190-\u21ff\u2500-\u257f]"
)
"""Characters that may be zero or two columns wide, or that control a terminal."""
_WORD = re.compile(r"(?:^\s+)?\S+\s*")


class StyledText:
    """A text whose parts can each have a style, in rich's notation (`bold red`)."""

    def __init__(self, text: str = "", style: str = "", *, whole: bool = False) -> None:
        self.parts = [(text, style)] if text else []
        self.whole = whole
        """True if the lines are not broken, so that they can be copied."""

    @property
    def plain_text(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.parts)

    @property
    def is_bold(self) -> bool:
        """True if any part of the text is bold."""
        return any("bold" in style for _, style in self.parts)

    def add_part(self, text: str, style: str = "") -> StyledText:
        """Add a part with a style to the end of this text, and return this text."""
        self.parts.append((text, style))
        return self

    def join(self, texts: Iterable[StyledText]) -> StyledText:
        """Return a new text that joins the given ones, with this text as the separator (as `str.join` does)."""
        joined = StyledText()
        for number, text in enumerate(texts):
            joined.parts += (self.parts if number else []) + text.parts
        return joined

    def __rich__(self) -> rich.text.Text:
        from rich.text import Text as RichText

        return RichText.assemble(*self.parts, no_wrap=self.whole or None)


Cell: TypeAlias = str | StyledText


@dataclass
class Column:
    """A column of a table: its heading, whether its lines should not be broken, and whether it is right-aligned."""

    heading: str
    whole: bool = False
    right: bool = False
    total: str = ""
    """The text below the column of a table with lines."""


@dataclass
class Listing:
    """A table, with or without lines between its cells."""

    columns: Sequence[Column]
    title: str | None = None
    rows: list[Sequence[Cell]] = field(default_factory=list)
    show_header: bool = True
    lined: bool = False
    caption: str = ""
    """The text below a table with lines."""

    @property
    def totals(self) -> list[str]:
        """The totals below the columns, in order; an empty list if all of them are empty."""
        totals = [column.total for column in self.columns]
        return totals if any(totals) else []

    def add_row(self, *cells: Cell) -> None:
        """Add a row with these cells; if there are fewer than columns, the last ones are empty."""
        self.rows.append((*cells, *[""] * (len(self.columns) - len(cells))))

    def __rich__(self) -> rich.table.Table:
        from rich.table import Table

        if self.lined:
            table = Table(title=self.title, caption=self.caption, title_justify="left", show_footer=bool(self.totals))
        else:
            table = Table(
                title=self.title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, GAP, 0, 0)
            )
        table.show_header = self.show_header
        for column in self.columns:
            side: Literal["left", "right"] = "right" if column.right else "left"
            table.add_column(
                column.heading, column.total, overflow="fold", header_style="bold", no_wrap=column.whole, justify=side
            )
        for row in self.rows:
            table.add_row(*row)
        return table


class Group:
    """Parts placed below each other."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts

    def __rich__(self) -> rich.console.Group:
        from rich.console import Group as RichGroup

        return RichGroup(*self.parts)


Part: TypeAlias = str | StyledText | Listing | Group
"""Anything that can be laid out."""


def format_lines(part: Part, width: int) -> list[str] | None:
    """Lay out a part as lines of at most `width` columns, if breakable, without trailing blanks; None if only rich can."""
    if any(map(_UNUSUAL.search, _iter_texts(part))):
        return None
    return [line.rstrip() for line in _iter_lines(part, width)]


def _iter_texts(part: Part) -> Iterator[str]:
    """Yield all texts in a part (titles, headings, cells …) without styles."""
    if isinstance(part, Group):
        for inside in part.parts:
            yield from _iter_texts(inside)
    elif isinstance(part, Listing):
        yield part.title or ""
        yield part.caption
        yield from (text for column in part.columns for text in (column.heading, column.total))
        yield from (_strip_styles(cell) for row in part.rows for cell in row)
    else:
        yield _strip_styles(part)


def _strip_styles(cell: Cell) -> str:
    return cell if isinstance(cell, str) else cell.plain_text


def _iter_lines(part: Part, width: int) -> Iterator[str]:
    if isinstance(part, Group):
        for inside in part.parts:
            yield from _iter_lines(inside, width)
    elif isinstance(part, Listing):
        yield from (line[:width] for line in _iter_table_lines(part, width))
    else:
        yield from (
            _strip_styles(part).split("\n")
            if isinstance(part, StyledText) and part.whole
            else _wrap_text(_strip_styles(part), width)
        )


def _wrap_text(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text, broken at `width` columns, also in long words; spaces at a break stay, even beyond it."""
    for line in text.split("\n"):
        ends = [*_iter_breaks(line, max(1, width)), len(line)]
        for begin, end in zip([0, *ends], ends, strict=False):
            yield line[begin:end]


def _iter_breaks(line: str, width: int) -> Iterator[int]:
    """Yield the positions at which to break a line: no piece, without its last blanks, is wider than `width` columns."""
    width_used = 0
    for word in _WORD.finditer(line):
        begin, whole, long = word.start(), len(word[0]), len(word[0].rstrip())
        if long <= width - width_used:
            width_used += whole
        elif long > width:
            yield from (place for place in range(begin, begin + whole, width) if place)
            width_used = (whole - 1) % width + 1
        elif width_used and begin:
            yield begin
            width_used = whole


def _iter_table_lines(table: Listing, width: int) -> Iterator[str]:
    rows = [[_strip_styles(cell) for cell in row] for row in table.rows]
    rows = [*([[column.heading for column in table.columns]] if table.show_header else []), *rows]
    rows += [table.totals] if table.lined and table.totals else []
    count = len(table.columns)
    gaps = [GAP] * count if table.lined else [*[GAP] * (count - 1), 0]
    lines = count + 1 if table.lined else 0
    widths = _choose_widths(table.columns, rows, width - lines, gaps)
    whole = sum(widths) + lines
    parts = [_make_row(table, row, widths, gaps, at_bottom=table.show_header and not number) for number, row in enumerate(rows)]
    if table.title:
        yield from _wrap_text(table.title, whole or width)
    yield from _iter_bordered_lines(table, parts, widths) if table.lined else map("".join, chain.from_iterable(parts))
    if table.caption:
        yield from (" " * ((whole - len(line)) // 2) + line for line in map(str.rstrip, _wrap_text(table.caption, whole)))


def _make_row(
    table: Listing, row: Sequence[str], widths: Sequence[int], gaps: Sequence[int], *, at_bottom: bool
) -> list[tuple[str, ...]]:
    """Return the lines of a table row, each a tuple of padded cell texts; with `at_bottom`, shorter cells end on the last."""
    cells = [[*_iter_cell_lines(*one)] for one in zip(row, table.columns, widths, gaps, strict=True)]
    height = max(map(len, cells))
    blank = [[" " * width] * (height - len(cell)) for cell, width in zip(cells, widths, strict=True)]
    full = [[*empty, *cell] if at_bottom else [*cell, *empty] for cell, empty in zip(cells, blank, strict=True)]
    return list(zip(*full, strict=True))


def _iter_bordered_lines(table: Listing, rows: Sequence[list[tuple[str, ...]]], widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a table with borders around its cells and heavier ones around its headings."""

    def format_rule(left: str, line: str, middle: str, right: str) -> str:
        return left + middle.join(line * width for width in widths) + right

    yield format_rule(*("┏━┳┓" if table.show_header else "┌─┬┐"))
    for number, row in enumerate(rows):
        is_heading = table.show_header and not number
        if table.totals and number == len(rows) - 1:
            yield format_rule(*"├─┼┤")
        upright = "┃" if is_heading else "│"
        for cells in row:  # the gap is on both sides of the text
            yield upright + upright.join(f" {cell[:-1]}" if cell else "" for cell in cells) + upright
        if is_heading:
            yield format_rule(*"┡━╇┩")
    yield format_rule(*"└─┴┘")


def _iter_cell_lines(text: str, column: Column, width: int, gap: int) -> Iterator[str]:
    """Yield the lines of a cell, each padded to `width`, which includes the `gap` to the right."""
    room = width - gap
    if room < 1:
        yield " " * width
        return
    for line in text.split("\n") if column.whole else _wrap_text(text, room):
        cell = line.rstrip()[:room].rjust(room) if column.right else line[:room].ljust(room)
        yield cell + " " * gap


# ---- the widths of columns ----


def _choose_widths(columns: Sequence[Column], rows: Sequence[Sequence[str]], max_width: int, gaps: Sequence[int]) -> list[int]:
    """Return each column's width, with the gap to its right: as needed, or less if the table would exceed `max_width`."""
    needed = [max((_measure_longest(row[place]) for row in rows), default=max_width) for place in range(len(columns))]
    widths = [width + gap or 1 for width, gap in zip(needed, gaps, strict=True)]
    widths = _narrow_columns([min(width, max_width) for width in widths], [not column.whole for column in columns], max_width)
    if (excess := sum(widths) - max_width) > 0:  # also those that should be whole
        widths = _reduce_widths(widths, excess, widths)
    return widths


def _measure_longest(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


def _narrow_columns(widths: list[int], may_shrink: Sequence[bool], max_width: int) -> list[int]:
    """Narrow the widest of the columns that may shrink until the table fits into `max_width`, if it can; return the widths."""
    while (excess := sum(widths) - max_width) > 0:
        sizes = sorted({width for width, may in zip(widths, may_shrink, strict=True) if may}, reverse=True)
        widest, following = (*sizes, 0, 0)[:2]
        if not widest:
            break
        limit = min(excess, widest - following)
        limits = [limit if may and width == widest else 0 for width, may in zip(widths, may_shrink, strict=True)]
        widths = _reduce_widths(widths, excess, limits)
    return widths


def _reduce_widths(widths: Sequence[int], excess: int, limits: Sequence[int]) -> list[int]:
    """Return the widths reduced by `excess` in total, in equal shares, but each by at most its limit."""
    sharing, reduced = sum(map(bool, limits)), []
    for width, limit in zip(widths, limits, strict=True):
        share = min(limit, round(excess / sharing)) if limit else 0
        reduced.append(width - share)
        excess, sharing = excess - share, sharing - bool(limit)
    return reduced


# ---- Markdown, in which foreign text is escaped and stays on its line ----


def iter_markdown_rows(
    heading: Sequence[str], content: Iterable[Sequence[str]], numbers: Collection[int] = ()
) -> Iterator[str]:
    """Yield the lines of a Markdown table; `numbers` are the indexes of the columns that are right-aligned."""
    ruler = ["--:" if column in numbers else "---" for column in range(len(heading))]
    for cells in (heading, ruler, *content):
        yield f"| {' | '.join(cell if cells is ruler else escape_text(cell) for cell in cells)} |"


def escape_text(text: str) -> str:
    """Return a text on one line, with all characters escaped that have a meaning in Markdown or HTML."""
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", escape(" ".join(text.split()), quote=False))


def format_code_span(text: str) -> str:
    """Write a text as inline code in Markdown, even if it contains backticks."""
    ticks = "`" * (1 + count_longest_ticks(text))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"`{text}`"


def count_longest_ticks(text: str) -> int:
    """Return the length of the longest run of backticks in a text."""
    return max(map(len, re.findall("`+", text)), default=0)
