"""Reads the orders for a phase of a game, as game masters collect them and as players send them.

What is an order for the phase is taken. Beside it people write when orders are for, what is to happen to a dislodged unit, what
they want to build, and anything else. Each such line is kept for its phase, passed over or refused by itself, and told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from satjudge.base.errors import InputError, NotationError, SheetError, join_errors
from satjudge.notation.headings import OrdersBelowHeadings
from satjudge.notation.leftovers import tidied
from satjudge.notation.letters import asks_for_quoted, games_in, lines_outside, orders_quoted, parts_of, quotations_in
from satjudge.notation.lines import NamedSeason, says_nothing, says_to_go_on, unquoted
from satjudge.notation.moments import moment_named
from satjudge.notation.orders_by_phase import EarlyOrder
from satjudge.notation.sheet_reader import Settle, as_ordered, check_whole, is_of_one_power, nothing_in
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, group_pairs
from satjudge.world.geography import Power
from satjudge.world.orders import Order

_WRAPPED_AT = (60, 90)
"""Characters of a line that a mail program has broken."""
_SHOWN, _MOST_SHOWN = 40, 6
"""Characters of a line, and lines that were passed over."""
_LONGEST_LETTER = 1_000
"""Lines of a player's own: each that is no order takes about two milliseconds, and those that are refused more."""


class OrdersIn(NamedTuple):
    """The orders in a text by power, those for later phases by phase, and remarks on the rest of the text."""

    orders: dict[Power, list[Order]]
    early: dict[str, dict[Power, list[Order]]]
    refused: list[InputError]
    """The orders that are refused by themselves."""
    ignored: list[str]
    """The lines, and parts of lines, that are no orders."""
    remarks: list[str]
    """A sentence for all that was not simply taken, with its place, in the order of the text."""
    adding: bool = False
    """Whether the text says that the orders given before stay, to units that it does not name."""


class _GameReader(OrdersBelowHeadings):
    """Reads the orders for a phase of a game line by line."""

    def read(self, text: str) -> list[Sheet]:
        text = as_ordered(text)  # before lines are joined
        self.talk = self.letter or (self.talk and is_of_one_power(text.splitlines(), self.map))
        return super().read(self._unwrapped("\n".join(map(tidied, text.splitlines()))) if self.letter else text)

    def _quoted(self, lines: Sequence[str]) -> Collection[int]:
        """The lines of a letter that are quoted: never orders, unless the letter says so and has none of its own."""
        if not self.letter:
            return super()._quoted(lines)
        quotations = quotations_in(lines, self.game_map)
        own = lines_outside(quotations, lines)
        self.quotation = orders_quoted(lines, quotations, self.game_map)
        quoted = {number for quotation in quotations for number in range(quotation.begin, quotation.end)}
        if self.quotation and (said := asks_for_quoted(own)):
            self._start()
            self.sheet.read_as.append((self.quotation.begin, said, "the orders that are quoted"))
            self.quotation, self.adopted, quoted = None, quoted, set()
        self.own = {number: line for number, line in enumerate(lines, start=1) if number not in quoted | {*self.adopted}}
        kept = [self.own.get(number, "") for number in range(1, len(lines) + 1)]
        for part in (*parts_of(kept, self.game_map), *games_in(kept, self.game_map, self.whose, self._is_now)):
            self.parts.update(dict.fromkeys(range(part.begin, part.end), part))
        return quoted

    def _is_now(self, said: NamedSeason) -> bool:
        """Whether a heading names no other phase than the one at hand."""
        return said == NamedSeason() or self.now is None or moment_named(said, self.now, self.game_map) == self.now

    def _unwrapped(self, text: str) -> str:
        """A letter in which sentences that a mail program broke into lines stand in one; what is left of others is empty."""
        lines = text.splitlines()
        for at in range(len(lines) - 2, -1, -1):
            line, below = lines[at].rstrip(), lines[at + 1]
            if line[:1].isalnum() and below[:1].isalnum() and len(line) <= _WRAPPED_AT[1] and self._is_broken(line, below):
                lines[at : at + 2] = [f"{line} {below}", ""]
        return "\n".join(lines)

    def _is_broken(self, line: str, below: str) -> bool:
        """Whether a line goes on below: where it is of a mail program's length, or ends in a word before a place or a unit."""
        if says_to_go_on(line, self.game_map):
            return not self._is_whole(line)
        long = len(line) >= _WRAPPED_AT[0] and line[-1].isalnum()
        return long and not self._is_whole(line) and not self._is_whole(below)

    def _check_whole(self, sheet: Sheet) -> None:
        if not (sheet.orders or self.early):
            if sheet.refused:
                raise join_errors([*sheet.refused, *self._unknown(sheet)])
            if self.letter:
                what = f"there is no order in this mail{self._passed(sheet.passed_over)}"
                raise SheetError(what, source=self.source, suggestion="write each on a line of its own: A PAR - BUR")
            sheet.retreats_line = None
            check_whole(sheet)
            raise nothing_in("this text").add_place(source=self.source)

    def _unknown(self, sheet: Sheet) -> list[InputError]:
        """The error for lines of a letter that were passed over though no fixed form has them, where nothing else was read."""
        said = [(number, line) for number, line in sheet.passed_over if number in self.own and not says_nothing(line)]
        unread = self.letter and all(error.column for error in sheet.refused)
        return [SheetError(f"passed over{self._passed(said)}", source=self.source)] if said and unread else []

    def _passed(self, lines: Sequence[tuple[int, str]]) -> str:
        shown = "; ".join(f"line {number} {line[:_SHOWN]!r}" for number, line in lines[:_MOST_SHOWN])
        return f": {shown}{'; …' if len(lines) > _MOST_SHOWN else ''}" if lines else ""

    def _too_long(self, line: str) -> None:
        if not self.letter:
            super()._too_long(line)
        self._start_if_needed()
        self._refuse(SheetError(f"a line of {len(line):,} characters is too long: {line[:40]!r}…"))


def read_orders_in(
    text: str,
    board: Board,
    *,
    whose: Power | None = None,
    source: str = "sheet",
    lenient: bool = False,
    letter: bool = False,
    settle: Settle | None = None,
    retreats_behind_arrow: bool = False,
) -> OrdersIn:
    """Read the orders in a text, power by power, for a phase of a game whose position is known.

    They are those of the powers above them, or else of the power `whose` they are said to be. Orders for a later phase are kept
    apart where the text says so. Lines that cannot be read may be settled by what is possible (`settle`). Of a player's
    `letter` what is no order is passed over, and each order that cannot be read is refused by itself. Whatever was so done is
    told, with its place. Whether `> Gas, Pic` behind an order are retreats is agreed in a game (`retreats_behind_arrow`).

    Raises `SheetError` that tells all lines that cannot be read, each with its place; if it is `lenient` such orders are
    `Unreadable`.
    """
    if letter and sum(line.strip() != "" and unquoted(line) == line for line in text.splitlines()) > _LONGEST_LETTER:
        hint = "send the orders by themselves"
        raise SheetError(f"more than {_LONGEST_LETTER:,} lines are no player's orders", source=source, suggestion=hint)
    reader = _GameReader(board, source, whose, lenient=lenient, letter=letter)
    reader.talk, reader.settle, reader.retreats_behind_arrow = True, settle, retreats_behind_arrow
    sheets = reader.read(text)
    if len(sheets) > 1:
        raise SheetError("this is another case; orders for a game are one", source=source, line=sheets[1].line)
    (sheet,) = sheets
    emptied = [] if letter else [power for power in sheet.heading_lines if power not in reader.spoken]
    found: dict[Power, list[Order]] = {power: [] for power in sheet.heading_lines if power in emptied}
    for entry in sheet.orders:
        found.setdefault(entry.power, []).append(entry.order)
    early: dict[str, dict[Power, list[Order]]] = {}
    for kept in reader.early:
        early.setdefault(kept.phase, {}).setdefault(kept.power, []).append(kept.order)
    return OrdersIn(
        found,
        early,
        sheet.refused,
        [text for _, text in sorted(sheet.passed_over, key=lambda line: line[0])],
        [told for _, told in sorted(_told(sheet, reader.early), key=lambda line: line[0])],
        reader.adding,
    )


def _told(sheet: Sheet, early: Iterable[EarlyOrder]) -> Iterator[tuple[int, str]]:
    """What is to be told of a text, line by line."""
    place = sheet.source_file
    yield from ((line, f"{place}:{line}: {was!r} is read as {said}") for line, was, said in sheet.read_as)
    yield from ((line, f"{place}:{line}: passed over: {was!r}") for line, was in sheet.passed_over)
    yield from ((kept.line, f"{place}:{kept.line}: kept for {kept.phase}: {kept.order} ({kept.power})") for kept in early)
    yield from ((error.line or 0, f"refused: {error}") for error in sheet.refused)


class ToldOrders(NamedTuple):
    """The orders in a text, with the lines where each power's begin, and what cannot be read."""

    orders: list[SheetOrder]
    headings: Mapping[Power, int]
    errors: list[InputError]

    @property
    def by_power(self) -> dict[Power, list[Order]]:
        """The orders of each power."""
        return group_pairs((entry.power, entry.order) for entry in self.orders)


def told_orders_in(text: str, board: Board, *, source: str = "sheet") -> ToldOrders:
    """Read what a text says of orders for a phase of a game whose position is known, without raising errors."""
    reader = _GameReader(board, source)
    try:
        sheets = reader.read(text)
    except InputError as error:
        sheets = reader.sheets or [Sheet(source)]
        if not (reader.errors or sheets[0].refused) and sheets[0].orders:
            reader.errors.append(error)
    if not reader.errors and len(sheets) > 1:
        what = "this is another case; orders for a game are one"
        reader.errors.append(SheetError(what, source=source, line=sheets[1].line))
    reader.errors += sheets[0].refused
    reader.errors += (_of_later(kept, source) for kept in reader.early)
    orders = [entry for entry in sheets[0].orders if entry.power]  # of what stands below no power's name the heading is told
    return ToldOrders(orders, sheets[0].heading_lines, reader.errors)


def _of_later(kept: EarlyOrder, source: str) -> InputError:
    return NotationError(f"{kept.order} is for {kept.phase}, which comes later").add_place(source=source, line=kept.line)
