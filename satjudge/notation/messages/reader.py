"""Reads the orders for a phase of a game, as game masters collect them and as players send them.

Orders for the phase are accepted. People also write orders for later phases, retreats in case a unit is dislodged, wishes for
builds, and many other things. Each of these lines is kept for its phase, skipped or refused, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import NamedTuple

from satjudge.base.errors import InputError, NotationError, RefusedOrderError, SheetError, join_errors
from satjudge.notation.messages.certainty import CertaintyCheck, order_key
from satjudge.notation.messages.phase_orders import BESIDE_NOW, LONGEST_SHOWN, EarlyOrder, PhaseOrdersReader, ordered_unit
from satjudge.notation.messages.quotations import (
    Part,
    clean_line,
    find_adoption,
    find_other_games,
    find_parts,
    find_quotations,
    find_quoted_orders,
    format_remark,
    list_own_lines,
)
from satjudge.notation.messages.sentences import HEAD_OF_LINE, SENTENCES, SentenceReader
from satjudge.notation.parse import parse_power
from satjudge.notation.phase_names import find_named_phase
from satjudge.notation.rewording import ordered_words
from satjudge.notation.sheet_reader import (
    Settle,
    empty_text_error,
    has_one_power,
    restore_printed,
    shift_columns,
)
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.notation.text_around_orders import (
    NamedSeason,
    begins_with_phrase,
    has_order,
    has_phrase,
    is_closing,
    is_filler,
    is_phrase,
    is_unfinished,
    read_named_season,
    read_season_heading,
    remove_phrases,
    unquote,
)
from satjudge.world.board import Board, Phase, group_pairs
from satjudge.world.geography import Power
from satjudge.world.orders import Hold, Order

_WRAPPED_AT = (60, 90)
"""The smallest and largest number of characters of a line that a mail program has wrapped."""
_SHOWN, _MOST_SHOWN = 40, 6
"""The largest numbers of characters of a skipped line, and of skipped lines, that an error shows."""
_LONGEST_LETTER = 1_000
"""The largest number of lines of a message without quotations; skipping a line takes about two milliseconds."""
_FEWEST_BARS = 2
_LONGEST_SIGNATURE = 8
"""The largest number of lines of a signature."""
_SHORTEST_VERB = 3
_BARS = re.compile(r"(?<!\S)\|(?!\S)")


class MessageOrders(NamedTuple):
    """The orders in a text by power, those for later phases by phase, and remarks on the rest of the text."""

    orders: dict[Power, list[Order]]
    early: dict[str, dict[Power, list[Order]]]
    refused: list[RefusedOrderError]
    """The errors of the refused orders."""
    ignored: list[str]
    """The skipped lines and parts of lines."""
    remarks: list[str]
    """A sentence, with its place, about each text that was not a plain order, in the sequence of the text."""
    adding: bool = False
    """True if the text says that earlier orders still count, for units that it does not name."""


class _GameReader(PhaseOrdersReader):
    """Reads the orders for a phase of a game line by line: headings, tables, the parts of a message and its signature.

    All other lines are handled in `sentences`. At the end, `CertaintyCheck` refuses orders that other lines make uncertain.
    """

    def __init__(
        self, board: Board, source: str, only_power: Power | None = None, *, lenient: bool = False, is_message: bool = False
    ) -> None:
        super().__init__(board, source, only_power, lenient=lenient, is_message=is_message)
        self.sentences = SentenceReader(self)

    def read(self, text: str) -> list[Sheet]:
        self.written_lines = text.splitlines()
        text = restore_printed(text)  # before lines are joined
        self.skips_talk = self.is_message or (self.skips_talk and has_one_power(text.splitlines(), self.map))
        if self.is_message:
            lines = [clean_line(line) for line in self.remove_emoji(text.splitlines())]
            if self.only_power:  # in a game master's sheet `#` begins a comment
                lines = [format_remark(line, self.map) for line in lines]
            text = self._join_wrapped_lines("\n".join(lines))
        return super().read(text)

    def _find_quoted_lines(self, lines: Sequence[str]) -> Collection[int]:
        """Return the numbers of the quoted lines to skip (none if the message adopts them), and record quotations and parts."""
        if not self.is_message:
            return super()._find_quoted_lines(lines)
        quotations = find_quotations(lines, self.game_map)
        own = list_own_lines(quotations, lines)
        self.quotation = find_quoted_orders(lines, quotations, self.game_map)
        quoted = {number for quotation in quotations for number in range(quotation.begin, quotation.end)}
        if self.quotation and (adoption := find_adoption(own)):
            self.start_case()
            self.sheet.read_as.append((self.quotation.begin, adoption, "the orders that are quoted"))
            self.quotation, self.adopted_lines, quoted = None, quoted, set()
        self.own_lines = {
            number: line for number, line in enumerate(lines, start=1) if number not in quoted | {*self.adopted_lines}
        }
        own_texts = [self.own_lines.get(number, "") for number in range(1, len(lines) + 1)]
        others = find_other_games(own_texts, self.game_map, self.only_power, self._is_current)
        for part in (*find_parts(own_texts, self.game_map), *others):
            self.parts.update(dict.fromkeys(range(part.begin, part.end), part))
        return quoted

    def _is_current(self, season: NamedSeason) -> bool:
        """Return whether the season in a heading is that of the current phase; also true for a heading that names none."""
        return season == NamedSeason() or self.now is None or find_named_phase(season, self.now, self.game_map) == self.now

    def _join_wrapped_lines(self, text: str) -> str:
        """Return the text with each wrapped sentence joined in its first line, and empty lines in place of the others."""
        lines = text.splitlines()
        for at in range(len(lines) - 2, -1, -1):
            line, below = lines[at].rstrip(), lines[at + 1]
            if line[:1].isalnum() and below[:1].isalnum() and len(line) <= _WRAPPED_AT[1] and self._is_wrapped(line, below):
                lines[at : at + 2] = [f"{line} {below}", ""]
        return "\n".join(lines)

    def _is_wrapped(self, line: str, next_line: str) -> bool:
        """Return whether a line's sentence goes on in `next_line`: the line ends inside an order or is as long as in mail."""
        if is_unfinished(line, self.game_map):
            joint = [*ordered_words(line, self.game_map)[-1:], *ordered_words(next_line, self.game_map)[:1]]
            has_kinds = all(word.kind in ("army", "fleet") for word in joint)  # `Plan A`, above an order
            return not (has_kinds or self.is_all_orders(line))
        long = len(line) >= _WRAPPED_AT[0] and line[-1].isalnum()
        return long and not self.is_all_orders(line) and not self.is_all_orders(next_line)

    def _settle_doubtful_lines(self) -> None:
        super()._settle_doubtful_lines()
        for doubt in self.doubtful if self.is_message else ():
            if doubt.error in self.errors:
                self.errors.remove(doubt.error)
                self.power, self.number = doubt.power, doubt.line
                self.refuse_order_text(doubt.text, doubt.error)
        if self.sheets:
            CertaintyCheck(self).drop_uncertain()
        for power, (line, text) in self.all_hold.items():
            units = [ordered_unit(entry.order) for entry in self.sheet.orders if entry.power == power]
            ordered = {unit.province for unit in units if unit} | self.unclear_places.get(power, set())
            held = [Hold(unit.named) for unit in self.board.units if unit.power == power and unit.province not in ordered]
            self.sheet.orders += (SheetOrder(power, order, None, None, line) for order in held)
            self.sheet.read_as.append((line, text, "; ".join(map(str, held)) or "no order"))

    def _check_complete(self, sheet: Sheet) -> None:
        if not (sheet.orders or self.early_orders):
            if sheet.refused:
                raise join_errors([*sheet.refused, *self._list_unknown_lines(sheet)])
            if self.is_message:
                problem = f"there is no order in this message{self._format_ignored(sheet.passed_over)}"
                raise SheetError(problem, source=self.source, suggestion="write each on a line of its own: A PAR - BUR")
            sheet.retreats_line = None
            super()._check_complete(sheet)
            raise empty_text_error("this text").add_place(source=self.source)

    def _list_unknown_lines(self, sheet: Sheet) -> list[InputError]:
        """Return one error in a list about a message's skipped lines of unknown form, if each refusal has a column; else []."""
        lines = [(number, line) for number, line in sheet.passed_over if number in self.own_lines and not is_filler(line)]
        unread = self.is_message and all(error.column for error in sheet.refused)
        problem = f"there is no order in these lines{self._format_ignored(lines)}"
        return [SheetError(problem, source=self.source)] if lines and unread else []

    def _format_ignored(self, lines: Sequence[tuple[int, str]]) -> str:
        line_texts = "; ".join(f"line {number} {line[:_SHOWN]!r}" for number, line in lines[:_MOST_SHOWN])
        return f": {line_texts}{'; …' if len(lines) > _MOST_SHOWN else ''}" if lines else ""

    def _refuse_long_line(self, line: str) -> None:
        if not self.is_message:
            super()._refuse_long_line(line)
        self.ensure_case()
        self.refuse(SheetError(f"a line of {len(line):,} characters is too long: {line[:40]!r}…"))

    def _strip_comment(self, line: str) -> str:
        return line.strip() if self.is_message and self.only_power else super()._strip_comment(line)

    def _read_line(self, content: str) -> None:
        if not self.is_message:
            super()._read_line(content)
            return
        self.ensure_case()
        pieces = _BARS.split(unquote(content))
        if content.startswith("|"):
            if not (row := self.read_table_row(content)):
                self.ignore(content)
                return
            content = row
        elif len(pieces) > _FEWEST_BARS or all(map(self.is_all_orders, pieces)):  # a table row
            content = ";".join(pieces)
        if begins_with_phrase("press", content) and ":" in content:
            self.set_aside.add(self.number)
            self.ignore(content)
            return
        if (part := self.parts.get(self.number)) and (part.kind != "options" or self.number == part.begin):
            self._read_in_part(content, part)
            return
        if match := HEAD_OF_LINE.match(f"{content} "):
            self._read_headed_line(content, match[1], match.end())
        elif content.endswith(":"):
            self._read_headed_line(content, content[:-1], len(content))
        else:
            self._read_order_line(content)

    def _read_in_part(self, content: str, part: Part) -> None:
        """Skip a line of a part that is not for now, or refuse its order; read the rest of a heading of alternatives."""
        if part.kind == "options":
            _, _, content = content.partition(":")
            self.ignore(part.heading)
            if content.strip():
                self.sentences.take(content.strip(), alone=False)
        elif not (has_order(content, self.game_map) or self.is_all_orders(content)):
            self.ignore(content)
        else:
            if has_phrase("retractions", part.heading):
                order_keys = set(map(order_key, self.parse_for_phase(content.removeprefix(part.heading), self.phase_kind)))
                self.retract([entry.line for entry in self.sheet.orders if order_key(entry.order) in order_keys])
            problem = f"{content[:LONGEST_SHOWN]!r} is {'below' if self.number > part.begin else 'after'} {part.heading!r}"
            self.refuse(NotationError(problem, suggestion=BESIDE_NOW[part.kind]), content)

    def _read_headed_line(self, content: str, name: str, start: int) -> None:
        power = None
        with suppress(NotationError):
            power = parse_power(name, self.game_map)
        if power:
            text = content[start:]  # after another power's name, perhaps a message to that power
            silent = text.strip() and not has_order(text, self.game_map) and not self.is_all_orders(text)
            if self.is_message and self.only_power not in (None, power) and silent:
                self.set_aside.add(self.number)
                self.ignore(content)
                return
            super()._read_headed_line(content, name, start)
            return
        if self.take_heading_or_filler(content) or self._take_behind_season(content, name, start):
            return
        if not (self.is_message and len(SENTENCES.split(content)) > 1) and self.sentences.take_statement(content):
            return
        if self.is_message and not content[start:].strip() and self._take_season_in_talk(content, name):
            return
        with suppress(NotationError):
            orders = self.parse_orders_at_hand(content)
            self.take_orders(orders)
            return
        if self.is_message and not self.is_misspelt_power(name):
            self.sentences.take(content, alone=False)
        elif self.sentences.is_talk(content) and not (has_phrase("not_meant", name) or has_phrase("retractions", name)):
            self.ignore(content)
        else:
            self.heading_power = self.power
            try:
                super()._read_headed_line(content, name, start)
            except NotationError as error:
                self.heading_error = error
                self.keep_unread(error, content[start:], self.heading_power)
                raise

    def _take_behind_season(self, content: str, name: str, start: int) -> bool:
        """Store the orders from the column `start` after a season or phase (`Builds: F Kie`); return whether `name` is one."""
        is_season, _ = read_season_heading(name)
        if not is_season or self.now is None:
            return False
        before, self.target_phase = self.target_phase, find_named_phase(read_named_season(name), self.now, self.game_map)
        self.list_verb = _find_verb(name) or self.list_verb
        try:
            with suppress(NotationError):
                self.take_orders(self.parse_orders_at_hand(content))
                return True
            with shift_columns(start):
                self._read_order_line(content[start:], alone=False, column=start)
        finally:
            self.target_phase = before
        return True

    def _take_season_in_talk(self, content: str, name: str) -> bool:
        """Enter the phase of a heading with filler words around a season (`Then in spring:`); return whether it is one."""
        bare = remove_phrases(("openings",), name)
        in_season, phase = read_season_heading(bare)
        if in_season:
            self._read_season(bare, phase)
            self.ignore(content)
        return in_season

    def _read_season(self, heading: str, phase: Phase | None) -> None:
        if self.now is None and phase not in (None, self.board.phase):
            raise SheetError(f"these orders are for a {phase} phase, but the position is in a {self.board.phase} one", column=1)
        self._enter_phase(heading)
        self.target_ends_with_power = self.power is not None

    def _enter_phase(self, heading: str) -> None:
        """Read the following orders for the phase that a heading names, and store whether it says to build or remove."""
        if self.now is not None:
            self.target_phase = find_named_phase(read_named_season(heading), self.now, self.game_map)
            self.target_has_orders = False
        self.list_verb = _find_verb(heading)

    def _begin_retreats(self) -> None:
        if self.only_power is None and self.power is None:
            self.has_no_power = False
        self._enter_phase("retreats")
        self.target_ends_with_power = self.power is not None

    def _begin_power(self, power: Power, heading: str) -> None:
        other = power != self.power
        super()._begin_power(power, heading)
        if not self.is_at_hand and not self.target_has_orders:
            self.target_ends_with_power = False  # headings of powers follow below the phase's heading
        elif other and self.target_ends_with_power:
            self.target_phase, self.list_verb = self.now, ""
        named_season = read_named_season(heading)
        if named_season.season or named_season.phase:
            self._enter_phase(heading)
            self.target_ends_with_power = True

    def _read_order_line(self, content: str, *, alone: bool = True, column: int = 0) -> None:
        if "|" in content and not self.is_message:
            super()._read_order_line(content, alone=alone, column=column)
            return
        if self.power is None and not self.has_no_power:
            if self.take_heading_or_filler(content) or self.sentences.skip_talk(content):
                return
            self._fail_without_power(content)
        if alone and self._is_below_closing() and not self.is_all_orders(content):
            self._take_signature_line(content)
            return
        if alone and self.phase_kind is Phase.ADJUSTMENT and len(content.split()) == 1 and (verb := _find_verb(content)):
            self.list_verb = verb
            self.ignore(content)
            return
        self.sentences.take(content.strip(), alone=alone)

    def _is_below_closing(self) -> bool:
        """Return whether, in a message, a closing formula is a few lines above the current line, with no empty line between."""
        above = (self.own_lines.get(self.number - lines, "") for lines in range(1, _LONGEST_SIGNATURE))
        return self.is_message and any(map(is_closing, takewhile(str.strip, above)))

    def _take_signature_line(self, content: str) -> None:
        """Skip a line of a message's signature; if the line contains an order, refuse the order."""
        if has_order(content, self.game_map):
            hint = "write the order by itself, above the end of the message"
            self.refuse(NotationError(f"{content[:LONGEST_SHOWN]!r} is part of the signature", suggestion=hint), content)
        else:
            self.ignore(content)


def _find_verb(heading: str) -> str:
    """Return `Build` or `Remove` if a word of a heading means that verb; "" if no word does."""
    for verb, name in (("Remove", "disband"), ("Build", "build")):
        if any(len(word) > _SHORTEST_VERB and is_phrase(name, word) for word in heading.split()):
            return verb
    return ""


def read_phase_orders(
    text: str,
    board: Board,
    *,
    only_power: Power | None = None,
    source: str = "sheet",
    lenient: bool = False,
    letter: bool = False,
    settle: Settle | None = None,
    retreats_behind_arrow: bool = False,
) -> MessageOrders:
    """Read the orders in a text, or in a player's `letter`, power by power, for a phase of a game with a known position.

    Orders belong to the power named above them, or else to `only_power`. Orders for a later phase are returned separately.
    `settle` chooses among the readings of ambiguous lines. In a player's `letter`, lines that are not orders are skipped, and
    unreadable orders are refused one by one. `remarks` reports all this with the places. With `retreats_behind_arrow`, `> Gas,
    Pic` after an order means retreats.

    Raises a `SheetError` that lists all unreadable lines with their places; if `lenient`, unreadable orders become
    `Unreadable`.
    """
    if letter and sum(line.strip() != "" and unquote(line) == line for line in text.splitlines()) > _LONGEST_LETTER:
        hint = "send only the orders"
        raise SheetError(f"the message has more than {_LONGEST_LETTER:,} lines", source=source, suggestion=hint)
    reader = _GameReader(board, source, only_power, lenient=lenient, is_message=letter)
    reader.skips_talk, reader.settle, reader.retreats_behind_arrow = True, settle, retreats_behind_arrow
    sheets = reader.read(text)
    if len(sheets) > 1:
        raise SheetError("a second case begins here, but orders for a game are one case", source=source, line=sheets[1].line)
    (sheet,) = sheets
    emptied = [] if letter else [power for power in sheet.heading_lines if power not in reader.active_powers]
    found: dict[Power, list[Order]] = {power: [] for power in sheet.heading_lines if power in emptied}
    for entry in sheet.orders:
        found.setdefault(entry.power, []).append(entry.order)
    early: dict[str, dict[Power, list[Order]]] = {}
    for early_order in reader.early_orders:
        early.setdefault(early_order.phase, {}).setdefault(early_order.power, []).append(early_order.order)
    return MessageOrders(
        found,
        early,
        sheet.refused,
        [text for _, text in sorted(sheet.passed_over, key=lambda line: line[0])],
        [remark for _, remark in sorted(_list_remarks(sheet, reader.early_orders), key=lambda line: line[0])],
        reader.adding,
    )


def _list_remarks(sheet: Sheet, early: Iterable[EarlyOrder]) -> Iterator[tuple[int, str]]:
    """Yield the remarks on a text, each with its line: other readings, skipped lines, orders kept for later, refusals."""
    place = sheet.source_file
    yield from ((line, f"{place}:{line}: {was!r} is read as {meaning}") for line, was, meaning in sheet.read_as)
    yield from ((line, f"{place}:{line}: passed over: {was!r}") for line, was in sheet.passed_over)
    yield from ((entry.line, f"{place}:{entry.line}: kept for {entry.phase}: {entry.order} ({entry.power})") for entry in early)
    yield from ((error.line or 0, f"refused: {error}") for error in sheet.refused)


class PartialOrders(NamedTuple):
    """The orders in a text, the line in which each power's orders begin, and the errors."""

    orders: list[SheetOrder]
    headings: Mapping[Power, int]
    errors: list[InputError]

    @property
    def by_power(self) -> dict[Power, list[Order]]:
        """The orders of each power, in the order of the text."""
        return group_pairs((entry.power, entry.order) for entry in self.orders)


def read_partial_orders(text: str, board: Board, *, source: str = "sheet") -> PartialOrders:
    """Return the orders in a text for this board's phase together with all errors, raising none of them."""
    reader = _GameReader(board, source)
    try:
        sheets = reader.read(text)
    except InputError as error:
        sheets = reader.sheets or [Sheet(source)]
        if not (reader.errors or sheets[0].refused) and sheets[0].orders:
            reader.errors.append(error)
    if not reader.errors and len(sheets) > 1:
        problem = "a second case begins here, but orders for a game are one case"
        reader.errors.append(SheetError(problem, source=source, line=sheets[1].line))
    reader.errors += sheets[0].refused
    reader.errors += (_later_phase_error(early, source) for early in reader.early_orders)
    orders = [entry for entry in sheets[0].orders if entry.power]  # for orders without a power, the heading has an error
    return PartialOrders(orders, sheets[0].heading_lines, reader.errors)


def _later_phase_error(early: EarlyOrder, source: str) -> InputError:
    return NotationError(f"{early.order} is for {early.phase}, which comes later").add_place(source=source, line=early.line)
