"""Reads order sheets, and orders for a known position, as people write them (format: docs/reference/order-sheets.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeAlias

from satjudge.base.errors import MOST_TOLD, InputError, NotationError, SheetError, join_errors
from satjudge.base.resources import read_file
from satjudge.notation.parse import (
    LONGEST_LINE,
    LONGEST_ORDER,
    list_readings,
    parse_location,
    parse_orders,
    parse_orders_leniently,
    parse_power,
    parse_unit,
)
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.notation.suggestions import suggest_word
from satjudge.notation.text_around_orders import (
    LIST_MARK,
    MARKDOWN_HEADING,
    find_end_of_list,
    find_end_of_order,
    find_power_heading,
    has_no_place,
    has_order,
    has_phrase,
    has_quotation_beside_orders,
    is_closing,
    is_filler,
    is_harmless,
    is_phrase,
    is_retraction,
    is_table_head,
    is_uncertain,
    read_named_season,
    read_season_heading,
    unquote,
)
from satjudge.world.board import Phase, Season, Unit, starting_board
from satjudge.world.geography import (
    Location,
    Map,
    Power,
    ProvinceCode,
    UnitKind,
    fold,
    format_year,
    load_map,
    map_called,
    normal,
    province_of,
)
from satjudge.world.orders import Hold, Order, SupportHold
from satjudge.world.verdicts import Fate, OrderResult, Verdict

_SIGNS_OF_PRINT = ("Power  ", ": results of ", "No orders")
"""Marks of results printed by satjudge."""
_SEASONS = {"spring": Season.SPRING, "summer": Season.SPRING, "fall": Season.FALL, "winter": Season.FALL}
_FEWEST_CELLS = 3
_ENDS_OF_SMILEYS = tuple(f"{eyes}{rest}" for eyes in (":", ";", "=", "-", "'", "^", "_", "<", "x", "X") for rest in ")(DPp^3")
_SENTENCE = 5
"""The smallest number of words of a line of talk; a shorter line may be a misspelt heading."""
VERDICTS = frozenset(map(str, (*OrderResult, *Fate)))
_LINE_NOTES = ("behind", "outside", "centers", "without", "out", "fleets", "enemies", "outposts", "then", "either", "finding")
"""The notes about a line of units for `satjudge prove` (satjudge/search/lines/line.py)."""
_NOTES = ("source", "note", "erratum", *_LINE_NOTES)
_RETREATS_HINT = "write the movement orders, and below them `retreats` with the retreat orders"
_CASE = re.compile(r"case\s+(?P<identity>[^\s:]+)\s*:\s*(?P<title>.*)", re.IGNORECASE)
_SETTINGS = ("map", "season", "victory", "counts", "winner")
_KEYS = "|".join((*_NOTES, *_SETTINGS, "afterwards", "phase", "position", "rules", "units"))
_PHASES = ("movement", "retreats", "retreat", "adjustments", "adjustment")
"""Words of headings that name a phase."""
_PROPERTY = re.compile(rf"(?P<key>{_KEYS})\s*:\s*(?P<value>.*)", re.IGNORECASE)
_OWNS = re.compile(r"(?P<power>.*\S)\s+owns\s+(?P<things>.+)", re.IGNORECASE)
_HEADING = re.compile(r"(?P<power>[^:|]+):\s*(?P<rest>.*)")
_UNDER = re.compile(r"under\s+(?P<whose>[^\s:][^:]*):\s*", re.IGNORECASE)
_WITH = re.compile(r"\swith\s", re.IGNORECASE)
_AUTOMATIC = re.compile(r"automatic(?:ally)?\s+(?:disbands?|removes?|removal)\s+(?P<unit>.+)", re.IGNORECASE)
_PRINTED = re.compile(r"\{\s*printed\s*:(?P<label>[^{}]*)\}", re.IGNORECASE)
_EITHER_UNIT = re.compile(
    r"\b(?:(?P<any>U)\s+(?P<where>\w+(?:/\w\w)?)|(?P<kind>[AFaf]|[Aa]rmy|[Ff]leet)\s+(?P<first>\w+)"
    r"(?P<others>\s*\(?(?:(?:\s*,)?\s*\bor\s+\w+)+\)?))"
)
"""Alternatives: `U Pie` is either kind of unit; `A Bud or Vie` and `A Bud (or Vie or Rum)` are in one of several places."""
_OR = re.compile(r"\bor\b")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_SUPPLY_CENTRE = re.compile(r"(?:SC|supply cent(?:er|re))\s+", re.IGNORECASE)


Settle: TypeAlias = Callable[[Power, list[Order], list[list[list[Order]]]], Sequence[Sequence[Sequence[Order]]]]
"""A function that chooses among the readings of each doubtful line of a power, given its certain orders
(`satjudge.judging.order_review`)."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A line that has several possible readings, or none."""

    power: Power
    line: int
    text: str
    readings: list[list[Order]]
    error: NotationError


class SheetReader:
    """A reader of the lines of one file; the meaning of a line depends on its case and section."""

    def __init__(
        self,
        source: str,
        game_map: Map,
        lenient: bool,
        phase: Phase = Phase.MOVEMENT,
        only_power: Power | None = None,
        standing: Mapping[Power, Collection[ProvinceCode]] | None = None,
    ) -> None:
        self.source = source
        self.phase = phase
        """The phase of cases that do not name one."""
        self.errors: list[InputError] = []
        """The errors to report after everything is read."""
        self.only_power = only_power
        """The only power whose orders the text may have, and the power of orders below no power's name; or None."""
        self.standing = {power: set(places) for power, places in (standing or {}).items()}
        """The places of each power's units, as far as they are known."""
        self.map = game_map
        self.lenient = lenient
        self.sheets: list[Sheet] = []
        self.lines: dict[str, int] = {}
        """The line at which each case begins, by ID."""
        self.number = 0
        self.indent = 0
        self.power: Power | None = None
        self.has_no_power = False
        """Whether an order without a power has been reported."""
        self.in_retreats = False
        self.block: Expectations | None = None
        self.in_game = standing is not None
        self.all_lines: list[str] = []
        self.emoji: dict[int, str] = {}
        self.set_aside: set[int] = set()
        """The lines of quotations, signatures and press, which do not affect orders."""
        self.settle: Settle | None = None
        self.doubtful: list[Doubtful] = []
        """The lines to settle after everything is read."""
        self.has_closed = False
        """Whether a letter has ended, so that a name may follow."""
        self.in_signature = False
        """Whether the current line is in a signature."""
        self.signature_lines: list[int] = []

    def read(self, text: str) -> list[Sheet]:
        """Return all cases of a text, or raise one `InputError` that lists everything unreadable."""
        self.all_lines = lines = self.remove_emoji(restore_printed(text).splitlines())
        quoted = self._find_quoted_lines([line[:LONGEST_LINE] for line in lines])
        if all(unquote(line) != line for number, line in enumerate(lines, start=1) if line.strip() and number not in quoted):
            lines = [unquote(line).rjust(len(line)) for line in lines]
        for self.number, line in enumerate(lines, start=1):
            try:
                if self.number in quoted or self._is_in_signature(unquote(line)):
                    self.set_aside.add(self.number)
                    self._skip_line(line)
                    continue
                if len(line) > LONGEST_LINE:
                    self._refuse_long_line(line)
                    continue
                content = self._strip_comment(line)
                self.indent = len(line) - len(line.lstrip())
                with shift_columns(self.indent):
                    if content:
                        self._read_line(content)
            except InputError as error:
                self.errors.append(error.add_place(source=self.source, line=self.number))
                if len(self.errors) >= MOST_TOLD:
                    break
        self._settle_doubtful_lines()
        for sheet in self.sheets:
            ordered = {entry.line for entry in sheet.orders}
            sheet.passed_over += [(number, signs) for number, signs in self.emoji.items() if number in ordered]
        strict = (sheet for sheet in self.sheets if sheet.position and not self.lenient)
        if errors := [*self.errors, *(error for sheet in strict for error in sheet.find_missing_units())]:
            raise join_errors(sorted(errors, key=lambda error: error.line or 0))
        if not self.sheets:
            raise empty_text_error("this sheet").add_place(source=self.source)
        for sheet in self.sheets:
            self._check_complete(sheet)
        return self.sheets

    def remove_emoji(self, lines: Sequence[str]) -> list[str]:
        """Return the lines without emoji that change no order; record emoji removed from lines with orders as skipped."""
        if all(line.isascii() and not line.rstrip(" .!").endswith(_ENDS_OF_SMILEYS) for line in lines):
            return list(lines)
        from satjudge.notation.messages.quotations import remove_emoji

        kept = [len(line) > LONGEST_LINE or line.lstrip().lower().startswith("case ") for line in lines]
        cleaned = [line if is_kept else remove_emoji(line) for line, is_kept in zip(lines, kept, strict=True)]
        for number, (line, text) in enumerate(zip(lines, cleaned, strict=True), start=1):
            if line != text:
                self.emoji[number] = "".join(sign for sign, left in zip(line, text, strict=True) if sign != left)
        return cleaned

    def _find_quoted_lines(self, lines: Sequence[str]) -> Collection[int]:
        """Return the numbers of quoted lines to skip: `X wrote:` and, in a game with orders on other lines, those with `>`."""
        answering = self.in_game and has_quotation_beside_orders(lines, self.game_map)
        marked = {number for number, line in enumerate(lines, start=1) if unquote(line) != line}
        quoted = {
            number for number in range(1, len(lines)) if number + 1 in marked and has_phrase("wrote", lines[number - 1])
        } - marked
        return quoted | (marked if answering else set())

    def _check_complete(self, sheet: Sheet) -> None:
        """Raise `SheetError` for a case without content, retreats without moves, or a printed verdict without its `erratum`."""
        content = (sheet.owned, sheet.centers, sheet.orders, sheet.refused, sheet.automatic, sheet.under, sheet.retreats_line)
        if not any(content):
            subject = f"case {sheet.identity}" if sheet.identity else "this sheet"
            raise empty_text_error(subject).add_place(source=sheet.source_file, line=sheet.line)
        if sheet.retreats_line and not sheet.orders:
            message = "there are no movement orders before these retreats"
            raise SheetError(message, source=sheet.source_file, line=sheet.retreats_line, suggestion=_RETREATS_HINT)
        lines = [*sheet.orders, *sheet.retreats, *(line for block in sheet.under for line in (*block.orders, *block.retreats))]
        printed = next((line for line in lines if line.printed is not None), None)
        if printed and not sheet.notes.get("erratum"):
            message = f"the verdict printed for {printed.order} is marked as wrong, but the reason is missing"
            hint = "add a line erratum: with the reason"
            raise SheetError(message, source=sheet.source_file, line=printed.line, suggestion=hint)

    def _refuse_long_line(self, line: str) -> None:
        raise SheetError(f"a line of {len(line):,} characters is too long", column=LONGEST_LINE + 1)

    def _settle_doubtful_lines(self) -> None:
        """Store the orders of ambiguous lines that other orders settle, and the rest as errors or, if lenient, `Unreadable`."""
        for power in dict.fromkeys(doubt.power for doubt in self.doubtful):
            doubts = [doubt for doubt in self.doubtful if doubt.power == power]
            certain = [entry.order for entry in self.sheet.orders if entry.power == power]
            assert self.settle is not None
            for doubt, left in zip(doubts, self.settle(power, certain, [doubt.readings for doubt in doubts]), strict=True):
                if len(left) == 1:
                    self.sheet.orders += (SheetOrder(power, order, None, None, doubt.line) for order in left[0])
                    self.sheet.read_as.append((doubt.line, doubt.text, "; ".join(map(str, left[0]))))
                elif self.lenient:
                    orders = parse_orders_leniently(doubt.text, self.game_map, self.phase_kind)
                    self.sheet.orders += (SheetOrder(power, order, None, None, doubt.line) for order in orders)
                else:
                    several = " or ".join("; ".join(map(str, line)) for line in left)
                    doubt.error.suggestion = f"it may be {several}" if several else doubt.error.suggestion
                    self.errors.append(doubt.error)

    @property
    def game_map(self) -> Map:
        """The map of the case that is being read, or else of the file."""
        return self.sheets[-1].map if self.sheets else self.map

    @property
    def sheet(self) -> Sheet:
        """The case that is being read: the last one begun."""
        return self.sheets[-1]

    def start_case(self, identity: str = "", title: str = "") -> None:
        """Begin a case, or raise `SheetError` if the text already has a case with this ID."""
        if identity in self.lines:
            hint = "give each case of a file a different ID"
            raise SheetError(f"there is already a case {identity}, in line {self.lines[identity]}", column=1, suggestion=hint)
        if identity:
            self.lines[identity] = self.number
        self.sheets.append(Sheet(self.source, identity, title, phase=self.phase, map=self.map, line=self.number))
        self.power, self.in_retreats, self.block = self.only_power, False, None
        self.has_no_power = False
        if len(self.sheets) > 1:
            self.standing = {}

    def _is_in_signature(self, line: str) -> bool:
        """Return, and record, whether a line is in a signature (only in games), which ends at a power's heading or a case."""
        if self.in_game and line.strip() == "--":  # the mark of mail programs; skipped lines are reported only in a game
            self.in_signature = True
        elif self.in_signature:
            content = self._strip_comment(line[: LONGEST_LINE + 1])
            heading = find_power_heading(content, self.game_map)
            self.in_signature = not (_CASE.fullmatch(content) or (heading and not content[heading.rest :].strip()))
        if self.in_signature:
            self.signature_lines.append(self.number)
        return self.in_signature

    def _skip_line(self, line: str) -> None:
        """Record a line as skipped, unless it is empty, in the current case or in a new one."""
        if not self.sheets:
            self.start_case()
        if line.strip():
            self.sheet.passed_over.append((self.number, line.strip()))

    def _strip_comment(self, line: str) -> str:
        """Return a line without its comment and outer blanks; a comment that may change an order is kept."""
        marked = MARKDOWN_HEADING.fullmatch(line) if line.lstrip().startswith("##") else None
        if marked and find_power_heading(marked[1], self.game_map):
            return marked[1].strip()
        numbered = LIST_MARK.match(line)
        comment = _COMMENT.search(line, numbered.end() if numbered and has_order(line, self.game_map) else 0)
        text = line[: comment.start()] if comment else line
        is_doubtful = is_uncertain if self.in_game else is_retraction
        return (line if comment and text.strip() and is_doubtful(comment[0]) else text).strip()

    def _read_line(self, content: str) -> None:
        if match := _CASE.fullmatch(content):
            self.start_case(match["identity"], match["title"])
            return
        if not self.sheets:
            self.start_case()
        if not (row := self.read_table_row(content)):
            self._skip_line(content)
            return
        content = row
        if match := _PROPERTY.fullmatch(content):
            self._read_property(fold(match["key"]), match["value"], match.start("value") + 1)
        elif match := _UNDER.fullmatch(content):
            self._begin_expectations(*_WITH.split(match["whose"], maxsplit=1))
        elif normal(content) in ("retreats", "retreats:", "retreat", "retreat:"):
            self._begin_retreats()
        elif (match := _OWNS.fullmatch(content)) and "|" not in content:
            power = parse_power(match["power"], self.game_map)
            with shift_columns(match.start("things")):
                self._read_possessions(power, match["things"])
        elif match := _HEADING.fullmatch(content):
            self._read_headed_line(content, match["power"], match.start("rest"))
        elif normal(content) == "same" and self.block:
            return
        elif normal(content) == "unresolved" and self.block:
            self.block.unresolved = True
        else:
            self._read_order_line(content)

    def _read_headed_line(self, content: str, name: str, start: int) -> None:
        """Read a line with a colon after `name`: a power's heading, perhaps with orders, an order, or an informal heading."""
        try:
            power = parse_power(name, self.game_map)
        except NotationError as error:
            if self.take_heading_or_filler(content):
                return
            ordered = has_order(name, self.game_map)  # the colon is inside an order, or after it
            with suppress(NotationError):
                ordered = bool(parse_orders(content, self.game_map, self.phase_kind))
            if ordered:
                self._read_order_line(content)
                return
            self.power, self.has_no_power = None, True
            meant = self._suggest_split_heading(name) or suggest_word(name.strip(), _KEYS.split("|"))
            error.suggestion = meant or error.suggestion
            raise
        self._begin_power(power, name)
        if content[start:]:
            self._read_behind_heading(content, start)

    def read_table_row(self, content: str) -> str:
        """Return a table row as a line of orders, a table's head as "", and any other line unchanged.

        The cells after a power are its orders: `| France | A Par - Bur |`. In a game, commas may separate the cells of one
        order: `Austria,Remove,F,GRE`.
        """
        marked = content.startswith("|")
        cells = [cell.strip() for cell in content.strip("|").split("|" if marked else ",")]
        if not marked and (not self.in_game or len(cells) < _FEWEST_CELLS or ":" in content):
            return content
        below = self.all_lines[self.number : self.number + 1]
        is_head = is_table_head(cells[0]) or (marked and all(map(is_table_head, below)))
        known = self.in_game or is_harmless(content, self.game_map, self.power)  # a game looks at heads later
        if is_head and known and has_no_place(content, self.game_map):
            return ""
        with suppress(NotationError):
            power = parse_power(cells[0], self.game_map)
            orders = "; ".join(filter(None, cells[1:])) if marked else " ".join(cells[1:])
            if marked or self.is_all_orders(orders):
                return f"{self.game_map.name_of(power)}: {orders}"
        if not marked:
            return content
        return ("; " if all(map(self.is_all_orders, cells)) else " ").join(cells).strip()

    def is_all_orders(self, line: str) -> bool:
        """Return whether a line consists of orders that the reader's phase can read, and nothing else."""
        with suppress(NotationError):
            return bool(parse_orders(line, self.game_map, self.phase, quick=True))
        return False

    def _suggest_split_heading(self, name: str) -> str | None:
        """Return a hint to write the powers of a heading (`Germany and Austria:`) separately; None if there is only one."""
        name_parts = re.split(r"\s*(?:,|&|\+|/|\band\b)\s*|\s+", name.strip())
        found = dict.fromkeys(self.game_map.power_aliases.get(normal(word)) for word in name_parts if word)
        powers = [self.game_map.name_of(power) for power in found if power]
        headings = " and ".join(f"{power}:" for power in powers)
        return f"write each above its own orders, {headings}" if len(powers) > 1 else None

    def _begin_power(self, power: Power, heading: str) -> None:
        """Assign the following lines to a power; raise `SheetError` if all orders must be another power's."""
        if self.only_power not in (None, power):
            self.power, self.has_no_power = None, True
            other, one = self.game_map.name_of(power), self.game_map.name_of(self.only_power or "")
            hint = f"no order in this text was accepted: send the orders of {one} by themselves"
            raise SheetError(f"this heading is for {other}, but the orders are for {one}", column=1, suggestion=hint)
        self.power, self.has_no_power = power, False
        if self.block is None:
            self.sheet.heading_lines.setdefault(power, self.number)

    def _read_behind_heading(self, content: str, column: int) -> None:
        """Read the rest of a line after a heading, from `column` on: orders, or a note that there are none."""
        if not any(map(str.isalnum, content[column:])):
            return
        if is_phrase("no_orders", content[column:]):
            self.sheet.passed_over.append((self.number, content[column:]))
        else:
            with shift_columns(column):
                self._read_order_line(content[column:], alone=False, column=column)

    def take_heading_or_filler(self, content: str) -> bool:
        """Handle a line that is an informal heading or contains nothing of use; return whether the line is one."""
        in_season, phase = read_season_heading(content)
        if in_season:
            self._read_season(content, phase)
        elif heading := find_power_heading(content, self.game_map):
            self._check_season(content[: heading.rest])
            self._begin_power(heading.power, content[: heading.rest])
            if content[heading.rest :].strip():
                self._read_behind_heading(content, heading.rest)
            return True
        elif not is_filler(content, follows_closing=self.has_closed) or has_order(content, self.game_map):
            return False
        self.has_closed = not in_season and (self.has_closed or is_closing(content))
        self.sheet.passed_over.append((self.number, content))
        return True

    @property
    def phase_kind(self) -> Phase:
        """The kind of phase for which the next orders are read."""
        return Phase.RETREAT if self.in_retreats else self.sheet.phase

    def _read_season(self, heading: str, phase: Phase | None) -> None:
        """Switch to the phase of a season heading (`Fall 1902 Retreats`) if it is not the present phase."""
        self._check_season(heading)
        if phase in (None, self.phase_kind):
            return
        if phase is Phase.RETREAT and self.sheet.orders:
            self._begin_retreats()
        else:
            self._read_property("phase", str(phase), 1)

    def _check_season(self, heading: str) -> None:
        """Store the turn that a heading names, or raise `SheetError` if it is not the sheet's; in a game, do nothing."""
        named_season, sheet = read_named_season(heading), self.sheet
        if self.in_game:
            return
        season, first = _SEASONS.get(named_season.season), sheet.map.first_year
        year = named_season.year and sheet.map.year_meant(named_season.year, fall=season is Season.FALL)
        before = (Season.SPRING, first) if sheet.position == "opening" else (sheet.season, sheet.year)
        if year and year < first:
            raise SheetError(f"{heading.strip()!r} is before the first year of the map, {format_year(first)}", column=1)
        if any(one and now and one != now for one, now in zip((season, year), before, strict=True)):
            hint = "write each phase in a separate file, or below a line such as case 2: Fall"
            raise SheetError(f"{heading.strip()!r} is a different turn from the one above", column=1, suggestion=hint)
        sheet.season, sheet.year = season or sheet.season, year or sheet.year

    def _read_property(self, key: str, value: str, column: int) -> None:
        if not value:
            raise SheetError(f"nothing follows {key}:", column=len(key) + 2)
        if self.block and key == "note":
            self.block.notes.append(value)
        elif key == "afterwards":
            self._read_final_units(value, column)
        elif key in _SETTINGS:
            self._read_setting(key, value, column)
        elif key in _NOTES:
            self.sheet.notes.setdefault(key, []).append(value)
            self.sheet.note_lines.setdefault(key, []).append((self.number, self.indent + column))
        elif key == "units":
            self._read_units(value, column)
        elif key == "rules":
            self.sheet.rules = value
        elif key == "position":
            self._read_position(value)
        elif value.lower() in (Phase.RETREAT, "retreats"):
            raise SheetError("a sheet cannot begin with a retreat phase", column=1, suggestion=_RETREATS_HINT)
        elif value.lower() not in (Phase.MOVEMENT, Phase.ADJUSTMENT):
            hint = suggest_word(value, (Phase.MOVEMENT, Phase.ADJUSTMENT)) or "phases: movement, adjustment"
            raise SheetError(f"there is no phase {value!r}", column=1, suggestion=hint)
        elif self.sheet.orders or self.in_retreats:
            raise SheetError("the phase must precede the orders", column=1, suggestion="write it above the orders")
        else:
            self.sheet.phase = Phase(value.lower())

    def _read_units(self, value: str, column: int) -> None:
        """Read the units of the power whose heading is above them: `units: A Sev, F Lyo. (2)`."""
        if self.power is None:
            raise SheetError("whose units are these?", column=1, suggestion="write above it the name of a power: England:")
        with shift_columns(column - 1):
            self._read_possessions(
                self.power, self._choose_first_alternatives(value[: find_end_of_list(value).end], column - 1)
            )

    def _choose_first_alternatives(self, text: str, column: int) -> str:
        """Return a text with the first unit for `A Bud or Vie` or `U Pie`, with a note in `either`; in a game, unchanged."""

        def one(match: re.Match[str]) -> str:
            if match["any"]:
                army = parse_location(match["where"], self.game_map)
                kind = "A" if self.game_map.problem_with(UnitKind.ARMY, province_of(army)) is None else "F"
                first = f"{kind}{match[0][1:]}"
            else:
                first = match[0][: match.end("first") - match.start()].ljust(len(match[0]))
            alternatives = " ".join(re.sub(r"[(),]", " ", match[0]).split())
            if alternatives not in self.sheet.notes.setdefault("either", []):
                self.sheet.notes["either"].append(alternatives)
                self.sheet.note_lines.setdefault("either", []).append((self.number, self.indent + column + match.start() + 1))
            return first

        return text if self.in_game else _EITHER_UNIT.sub(one, text)

    def _read_position(self, value: str) -> None:
        """Read a line `position:`: the units are complete as listed (`complete`), or are those of the `opening`."""
        sheet = self.sheet
        if fold(value) not in ("opening", "complete"):
            hint = suggest_word(value, ("opening", "complete")) or "positions: opening, complete"
            raise SheetError(f"there is no position {value!r}", column=1, suggestion=hint)
        sheet.position = fold(value)
        if sheet.position == "opening":
            if sheet.orders or sheet.owned or sheet.centers:
                raise SheetError("the opening must come first", column=1, suggestion="write it above units, centres and orders")
            board = starting_board(sheet.map)
            sheet.centers = dict(board.centers)
            sheet.owned_lines.update(dict.fromkeys(sheet.centers, self.number))
            for unit in board.units:
                self._add_unit(unit)

    def _add_unit(self, unit: Unit) -> None:
        self.sheet.owned.append(unit)
        self.sheet.owned_lines[unit] = self.number
        self.standing.setdefault(unit.power, set()).add(unit.province)

    def _read_setting(self, key: str, value: str, column: int) -> None:
        """Read a line about the game: its map, its season, how many centres win or count, and the winner."""
        sheet = self.sheet
        if key in sheet.setting_lines and key != "counts":
            raise SheetError(f"there is already a line {key}:, in line {sheet.setting_lines[key]}", column=1)
        with shift_columns(column - 1):
            match key:
                case "map":
                    if sheet.orders or sheet.owned or sheet.centers or self.in_retreats:
                        raise SheetError("the map must come first", column=1, suggestion="write it at the top of the case")
                    sheet.map = map_called(value, self.map)
                case "season":
                    name, _, year = value.partition(" ")
                    if fold(name) not in tuple(Season):
                        raise SheetError(f"there is no season {value!r}", column=1, suggestion=f"seasons: {', '.join(Season)}")
                    sheet.season = Season(fold(name))
                    sheet.year = _parse_number(year, "year") if year else None
                case "victory":
                    sheet.victory = _parse_number(value)
                case "counts":
                    named, _, number = value.rpartition(" ")
                    sheet.counts[parse_power(named, sheet.map)] = _parse_number(number)
                case "winner":
                    sheet.winner = "" if fold(value) == "nobody" else parse_power(value, sheet.map)
        sheet.setting_lines[key] = self.number

    def _read_final_units(self, value: str, column: int) -> None:
        """Read a line `afterwards:`: a power and the units that it is expected to have after the phase."""
        words = value.split(" ")
        for count in range(len(words), 0, -1):
            power = self.game_map.power_aliases.get(normal(" ".join(words[:count])))
            if power is None:
                continue
            target = (self.block or self.sheet).standing
            with shift_columns(column - 1 + len(" ".join(words[:count])) + 1):
                texts = re.finditer(r"[^\s,][^,]*", " ".join(words[count:]))
                named = [text[0].rstrip() for text in texts if fold(text[0].strip()) != "none"]
                target.setdefault(power, []).extend(parse_unit(text, power, self.game_map) for text in named)
            return
        hint = "write afterwards: England A London, F Wales"
        raise SheetError(f"whose units are {value[:60]!r}?", column=column, suggestion=hint)

    def _begin_retreats(self) -> None:
        if self.sheet.phase is not Phase.MOVEMENT:
            raise SheetError("retreats can only follow a movement phase", column=1)
        if self.block is None and self.sheet.retreats_line is None:
            self.sheet.retreats_line = self.number
        self.power, self.in_retreats = None, True

    def _begin_expectations(self, names: str, settings: str = "") -> None:
        self.block = Expectations(
            tuple(name.strip() for name in names.split(",")),
            tuple(setting.strip() for setting in settings.split(",") if setting.strip()),
            line=self.number,
        )
        self.sheet.under.append(self.block)
        self.power, self.in_retreats = None, False

    def _read_possessions(self, power: Power, things: str) -> None:
        for match in re.finditer(r"[^\s,][^,]*", things):
            thing = match[0].rstrip()
            center = _SUPPLY_CENTRE.match(thing)
            with shift_columns(match.start() + (center.end() if center else 0)):
                if center:
                    self._add_center(power, parse_location(thing[center.end() :], self.game_map))
                else:
                    self._add_unit(parse_unit(thing, power, self.game_map))

    def _add_center(self, power: Power, location: Location) -> None:
        province = province_of(location)
        other = self.sheet.centers.setdefault(province, power)
        if other != power:
            raise SheetError(f"{location} has two owners: {other} and {power}", column=1)
        self.sheet.owned_lines[province] = self.number

    def _read_order_line(self, content: str, *, alone: bool = True, column: int = 0) -> None:
        """Read the orders in a part of a line that begins at `column`; only a whole line (`alone`) may be a remark instead."""
        if self.power is None and not self.has_no_power:
            if self.take_heading_or_filler(content):
                return
            if self._is_talk_above_orders(content):
                self._skip_line(content)
                return
            self._fail_without_power(content)
        if match := _AUTOMATIC.fullmatch(content):
            self._read_automatic(match["unit"], match.start("unit"))
            return
        text, bar, label = content.partition("|")
        standing = self.standing.get(self.power or "", ())
        if not _OR.search(text):
            text = self._choose_first_alternatives(text, column)
        try:
            orders = self._parse_line(text, column, standing)
        except NotationError as error:
            if (alone and not bar and self.take_heading_or_filler(content)) or self._take_unit_list(text, column):
                return
            if self.keep_if_doubtful(text.strip(), error):
                return
            if not self.lenient:
                error.suggestion = self.suggest_phase(content) or error.suggestion
                raise
            orders = parse_orders_leniently(text.strip(), self.game_map, self.phase_kind, own_places=standing)
        expected, printed = _parse_verdicts(label, content.find("|") + 2) if bar else (None, None)
        if bar and len(orders) > 1:
            hint = "write each order on a line of its own"
            raise SheetError("one verdict cannot apply to several orders", column=content.find("|") + 2, suggestion=hint)
        target = self.block or self.sheet
        entries = [SheetOrder(self.power or "", order, expected, printed, self.number) for order in orders]
        (target.retreats if self.in_retreats else target.orders).extend(entries)

    def _parse_line(self, text: str, column: int, own_places: Collection[ProvinceCode]) -> list[Order]:
        """Return the orders of a line; else try the first of alternative units, only for holds and supports to hold."""
        try:
            return parse_orders(text.strip(), self.game_map, self.phase_kind, own_places=own_places)
        except NotationError:
            if self.lenient:
                raise
            with suppress(NotationError):
                orders = parse_orders(
                    self._choose_first_alternatives(text, column).strip(), self.game_map, self.phase_kind, quick=True
                )
                if all(isinstance(order, Hold | SupportHold) for order in orders):
                    return orders
            raise

    def _is_talk_above_orders(self, content: str) -> bool:
        """Return whether a line not in a game is a long sentence without unit or place, in a text with one power's headings."""
        words = fold(content).split()
        if self.in_game or len(words) < _SENTENCE or words[0] in ("case", *_KEYS.split("|")):
            return False
        return has_no_place(content, self.game_map) and has_one_power(self.all_lines, self.map)

    def keep_if_doubtful(self, text: str, error: NotationError) -> bool:
        """Set aside an unreadable line with `error.readings` if such lines are settled later; return whether it was."""
        if self.settle is None or self.power is None or not error.readings:
            return False
        readings = list_readings(text, self.game_map, self.phase_kind)
        self.doubtful.append(Doubtful(self.power, self.number, text, readings, error))
        error.add_place(source=self.source, line=self.number, offset=self.indent)
        return True

    def _fail_without_power(self, content: str) -> NoReturn:
        """Raise the error for an order that is below no power's name; the error is reported only once."""
        self.has_no_power = True
        first, *_ = content.split()
        if normal(first) in self.game_map.power_aliases:
            hint = f"write {first}: with a colon"
        elif fold(first) == "case":
            hint = f"a case has a name and a title: case 1: {content[len(first) :].strip()[:60]}"
        elif has_order(content, self.game_map) or not has_no_place(content, self.game_map):
            hint = "write England: above it"
        elif len(content.split()) >= _SENTENCE:
            hint = "leave out anything that is not an order, or write # before it"
        else:
            hint = f"write a title as `case 1: {content[:60]}`, a remark after #, and England: above orders"
        hint = self.suggest_phase(content) or hint
        raise SheetError(f"whose order is {content[:60]!r}?", column=1, suggestion=hint)

    def _take_unit_list(self, text: str, column: int) -> bool:
        """Read a line that lists units without orders, and place the units; return whether it is such a line."""
        if self.take_unordered_unit(text):
            return True
        listed = text[: find_end_of_list(text).end]
        if self.in_game or self.power is None or self.block or self.phase_kind is not Phase.MOVEMENT or "," not in listed:
            return False
        with suppress(NotationError):
            listed = self._choose_first_alternatives(listed, column)
            for unit in listed.split(","):
                parse_unit(unit.strip(), self.power, self.game_map)
            self._read_possessions(self.power, listed)
            return True
        return False

    def take_unordered_unit(self, text: str) -> bool:
        """Read a line `F Lon, no order received`: place the unit, or in a game skip the line; return whether it is one."""
        end = find_end_of_order(text, self.game_map, "unordered")
        if not end or not has_phrase("unordered", text[end:]):
            return False
        with suppress(NotationError):
            unit = parse_unit(text[:end], self.power or "", self.game_map)
            if self.in_game or self.phase_kind is not Phase.MOVEMENT:
                self.set_aside.add(self.number)
                self.sheet.passed_over.append((self.number, text))
            elif unit not in self.sheet.owned:
                self._add_unit(unit)
            return True
        return False

    def suggest_phase(self, content: str) -> str | None:
        """Return `did you mean …?` for a misspelt phase name in a line without an order, or None."""
        words = re.findall(r"[^\W\d_]{5,}", fold(content[:LONGEST_ORDER]))
        if has_order(content, self.game_map) or not {*words}.isdisjoint(_PHASES):
            return None
        return next((hint for word in words if (hint := suggest_word(word, _PHASES))), None)

    def _read_automatic(self, text: str, column: int) -> None:
        """Read the unit that a power is expected to lose by civil disorder; the unit's text begins at `column`."""
        if self.sheet.phase is not Phase.ADJUSTMENT:
            raise SheetError("automatic removals belong in an adjustment phase", column=1)
        with shift_columns(column):
            unit = parse_unit(text, self.power or "", self.game_map)
        target = self.block or self.sheet
        target.automatic.append(unit)
        target.automatic_lines[unit] = self.number


def restore_printed(text: str) -> str:
    """Return the orders in results that satjudge printed, as the text of a sheet; any other text unchanged."""
    if not any(sign in text for sign in _SIGNS_OF_PRINT):
        return text
    from satjudge.notation.printed_results import restore_orders

    return restore_orders(text)


def has_one_power(lines: Sequence[str], game_map: Map) -> bool:
    """Return whether the lines contain headings of powers, and all of these name the same power."""
    found = (find_power_heading(line, game_map) for line in lines if len(line) <= LONGEST_ORDER)
    return len({heading.power for heading in found if heading}) == 1


def _parse_number(text: str, meaning: str = "number of centres") -> int:
    """Return a number of up to four digits, or raise a `SheetError`, which says what the number means."""
    if not re.fullmatch(r"[0-9]{1,4}", text.strip()):
        raise SheetError(f"{text.strip()[:60]!r} is not a {meaning}", column=1)
    return int(text)


def empty_text_error(text_name: str) -> SheetError:
    """Return the error that a text, called "this sheet" for example, contains no orders."""
    return SheetError(f"there is nothing in {text_name}", suggestion="write a power and its orders: France: A PAR - BUR")


@contextmanager
def shift_columns(offset: int) -> Iterator[None]:
    """Add `offset` to the columns of errors raised in this context, for a text that begins at a later column."""
    try:
        yield
    except InputError as error:
        raise error.add_place(offset=offset) from None


def _parse_verdicts(label: str, column: int) -> tuple[str, str | None]:
    """Return the expected verdict, and a different verdict that the source prints, or None."""
    printed = _PRINTED.search(label)
    return (
        _parse_verdict(_PRINTED.sub("", label), column),
        _parse_verdict(printed["label"], column + printed.start()) if printed else None,
    )


def _parse_verdict(text: str, column: int) -> str:
    try:
        return str(Verdict.read(", ".join(word.strip().lower() for word in text.split(","))))
    except ValueError:
        hint = f"verdicts are {', '.join(sorted(VERDICTS))}"
        raise SheetError(f"{text.strip()!r} is not a verdict", column=column, suggestion=hint) from None


def read_sheets(text: str, *, source: str = "sheet", game_map: Map | None = None, lenient: bool = False) -> list[Sheet]:
    """Return all cases of a text (on `game_map` if they name none), or raise `InputError` with the place of what is unreadable.

    Cases that name no map are on `game_map`, by default the standard map. If `lenient`, unreadable orders become `Unreadable`
    and do not raise an error.
    """
    return SheetReader(source, game_map or load_map(), lenient).read(text)


def load_sheets(path: Path, *, game_map: Map | None = None, lenient: bool = False) -> list[Sheet]:
    """Return a file's cases (on `game_map` if they name none), or raise `NotFoundError`, or `InputError` with the place."""
    return decode_sheets(read_file(path), str(path), game_map=game_map, lenient=lenient)


def decode_sheets(data: bytes, source: str, *, game_map: Map | None = None, lenient: bool = False) -> list[Sheet]:
    """Return the cases of a file's content (on `game_map` if they name none), or raise `InputError` with the place."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        *above, line = (error.object[: error.start].decode() + "?").splitlines()
        problem, hint = f"not a text file in UTF-8: byte 0x{error.object[error.start]:02x}", "save the file as UTF-8"
        raise SheetError(problem, source=source, line=len(above) + 1, column=len(line), suggestion=hint) from None
    return read_sheets(text, source=source, game_map=game_map, lenient=lenient)
