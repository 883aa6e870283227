"""Reads the orders for a phase of a game, as game masters collect them and as players send them.

What is an order for the phase is taken. Beside it people write when orders are for, what is to happen to a dislodged unit, what
they want to build, and anything else. Each such line is kept for its phase, passed over or refused by itself, and told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from satjudge.base.errors import InputError, NotationError, SheetError, together
from satjudge.notation.leftovers import tidied, without_politeness
from satjudge.notation.letters import (
    Part,
    Quotation,
    asks_for_quoted,
    games_in,
    lines_outside,
    orders_quoted,
    parts_of,
    quotations_in,
)
from satjudge.notation.lines import (
    LIST_MARK,
    NamedSeason,
    closes,
    end_without,
    heading_in,
    holds_order,
    is_head_of_table,
    is_one_of,
    names_nothing,
    opening_of,
    opens_with,
    place_of,
    says,
    says_nothing,
    says_to_go_on,
    season_in,
    season_named_in,
    unquoted,
    without,
)
from satjudge.notation.moments import Moment, belongs_to, moment_named, moment_of, of_another_phase, phase_of
from satjudge.notation.parse import LONGEST_ORDER, parse_orders, parse_power, told_orders
from satjudge.notation.rewording import key_of, ordered_words, vocabulary
from satjudge.notation.sheet_reader import Settle, SheetReader, check_whole, nothing_in, shifted
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.notation.suggestions import word_meant
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, normal
from satjudge.world.orders import (
    Build,
    Decline,
    Hold,
    Move,
    Named,
    Order,
    Permission,
    Remove,
    SupportHold,
    SupportMove,
    Unreadable,
)
from satjudge.world.seasons import adjustments_due

_ASIDE = re.compile(r"(?<!\s)\s*\(([^()]{4,300})\)")
_ALTERNATIVE = re.compile(r"\b(?:or|oder|ou|o)\b", re.IGNORECASE)
_WRAPPED_AT = (60, 90)
"""Characters of a line that a mail program has broken."""
_SENTENCES = re.compile(
    r"(?<=[^\W\d_A-Z]{2}[.!?])\s+(?!\d)|(?<=[^\s.]{3}[.!?])\s+(?!\d)|(?<=\s[HhDdBb][.!?])\s+|(?<=[)\"'!?][.!?])\s+"
)
_NUMBERED = re.compile(r"(?:^|(?<=\s))[(]?[0-9]{1,2}[.)]\s*(?=[^\W\d])")
_PIECES = re.compile(r"[,;]")
_MOST_PIECES = 60
_HEAD_OF_LINE = re.compile(r"([^:]{1,60}):\s*(?=\S)")
_LONGEST_SHOWN = 200
_FEWEST_CELLS = 3
_SHOWN, _MOST_SHOWN = 40, 6
"""Characters of a line, and lines that were passed over."""
_LONGEST_SIGNATURE = 8
"""Lines."""
_SHORTEST_VERB = 3
_LONGEST_LETTER = 1_000
"""Lines of a player's own: each that is no order is compared with every name, which takes two milliseconds."""


class EarlyOrder(NamedTuple):
    """An order for a later phase."""

    phase: str
    """The name of that phase, `W1901A`."""
    power: Power
    order: Order
    line: int


class OrdersIn(NamedTuple):
    """The orders in a text by power, those for later phases by phase, and remarks on the rest of the text."""

    orders: dict[Power, list[Order]]
    early: dict[str, dict[Power, list[Order]]]
    refused: list[InputError]
    """The orders that are refused by themselves."""
    told: list[str]
    adding: bool = False
    """Whether the text says that the orders given before stay, to units that it does not name."""


class _GameReader(SheetReader):
    """Reads the orders for a phase of a game line by line."""

    def __init__(
        self, board: Board, source: str, whose: Power | None = None, *, lenient: bool = False, letter: bool = False
    ) -> None:
        standing: dict[Power, set[ProvinceCode]] = {}
        for unit in [lost.unit for lost in board.dislodged] if board.phase is Phase.RETREAT else board.units:
            standing.setdefault(unit.power, set()).add(unit.province)
        super().__init__(source, board.map, lenient, board.phase, whose, standing)
        self.board = board
        self.letter = letter
        """Whether the text is a player's: what is no order is passed over, what cannot be read is refused by itself."""
        self.talk = letter
        """Whether what names no unit and no place is passed over."""
        self.now = moment_of(board.turn, board.phase) if board.turn else None
        self.moment = self.now
        """The phase that the orders are for."""
        self.scoped = False
        """Whether that was said below a power's name, so that it ends at the next."""
        self.begun = False
        """Whether an order followed since it was said."""
        self.listed = ""
        """What is done with units that are only listed, as a heading says: `Build` or `Remove`."""
        self.early: list[EarlyOrder] = []
        self.all_hold: dict[Power, tuple[int, str]] = {}
        """The powers whose other units all hold, with the line that says so."""
        self.spoken: set[Power] = set()
        """The powers of which something was kept for later or refused."""
        self.unclear: dict[Power, set[ProvinceCode]] = {}
        """The places that lines name which are refused: nobody knows what the units there are to do."""
        self.retracted: list[tuple[int, Power, set[ProvinceCode]]] = []
        """The lines that take something back, with the places that they name."""
        self.last: tuple[int, Named] | None = None
        """The unit that was ordered last, and in which line."""
        self.quotation: Quotation | None = None
        """The first part of a letter that quotes orders, which do not count."""
        self.adopted: Collection[int] = ()
        """The lines of a quotation whose orders count, as the letter says: to units of which its own text says nothing."""
        self.adding = False
        """Whether the letter says that the orders given before stay."""
        self.parts: dict[int, Part] = {}
        """The parts of a letter that are no orders of now, by the numbers of their lines."""
        self.own: dict[int, str] = {}
        """The lines of a letter that are not quoted, by their numbers."""

    # ---- from beginning to end ----

    def read(self, text: str) -> list[Sheet]:
        self.talk = self.letter or (self.talk and self._of_one_power(text))
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
        return said == NamedSeason() or self.now is None or moment_named(said, self.now) == self.now

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

    def _is_whole(self, line: str) -> bool:
        """Whether a line is all orders."""
        with suppress(NotationError):
            return bool(parse_orders(line, self.map, self.board.phase))
        return False

    def _of_one_power(self, text: str) -> bool:
        """Whether the headings in a text name one power only: then it comes from that power."""
        found = (heading_in(line, self.map) for line in text.splitlines() if len(line) <= LONGEST_ORDER)
        return len({heading.power for heading in found if heading}) == 1

    def _settle_doubtful(self) -> None:
        super()._settle_doubtful()
        for doubt in self.doubtful if self.letter else ():
            if doubt.error in self.errors:
                self.errors.remove(doubt.error)
                self.power, self.number = doubt.power, doubt.line
                self._refuse_order(doubt.text, doubt.error)
        self._drop_retracted()
        if self.letter and self.sheets:
            self._drop_adopted()
            self._drop_options()
            self._drop_contradicted()
            self._tell_of_quotation()
        for power, (line, said) in self.all_hold.items():
            units = [_unit_of(entry.order) for entry in self.sheet.orders if entry.power == power]
            ordered = {unit.province for unit in units if unit}
            ordered |= self.unclear.get(power, set())
            held = [Hold(unit.named) for unit in self.board.units if unit.power == power and unit.province not in ordered]
            self.sheet.orders += (SheetOrder(power, order, None, None, line) for order in held)
            self.sheet.read_as.append((line, said, "; ".join(map(str, held)) or "no order"))

    def _drop_adopted(self) -> None:
        """Of quoted orders that the letter adopts only those count to units of which nothing else is said."""
        for entry in [entry for entry in self.sheet.orders if entry.line in self.adopted]:
            unit = _unit_of(entry.order)
            own = [
                _unit_of(one.order) for one in self.sheet.orders if one.line not in self.adopted and one.power == entry.power
            ]
            said = {one.province for one in own if one} | self.unclear.get(entry.power, set())
            if unit and unit.province in said:
                self.sheet.orders.remove(entry)
                self.number = entry.line
                self._refuse(NotationError(f"{entry.order} is quoted, and the letter says something else of {unit.province}"))

    def _drop_options(self) -> None:
        """Of several options only what all of them have is certain."""
        options = {part for part in self.parts.values() if part.kind == "options"}
        ordered = {part: [one for one in self.sheet.orders if part.begin <= one.line < part.end] for part in options}
        for part, entries in ordered.items():
            for entry in entries:
                others = (beside for other, beside in ordered.items() if other != part)
                if not all(any(entry.order == one.order for one in beside) for beside in others):
                    what = f"{entry.order} stands below {part.heading!r} only"
                    self._drop(entry, NotationError(what, suggestion="send the one that counts"))

    def _drop_contradicted(self) -> None:
        """Of several orders to a unit none is certain, unless something is said of a correction before the last."""
        by_unit: dict[tuple[Power, ProvinceCode], list[SheetOrder]] = {}
        for entry in self.sheet.orders:
            if unit := _unit_of(entry.order):
                by_unit.setdefault((entry.power, unit.province), []).append(entry)
        for entries in by_unit.values():
            first, last = entries[0], entries[-1]
            if len({_bare(entry.order) for entry in entries}) > 1 and not self._amended(first.line, last.line):
                other = next(entry for entry in entries if _bare(entry.order) != _bare(last.order))
                for entry in entries:
                    against = other if entry.order == last.order else last
                    what = f"{entry.order} is not certain: {against.order} in line {against.line} is for the same unit"
                    self._drop(entry, NotationError(what, suggestion="send the one that counts"))

    def _amended(self, first: int, last: int) -> bool:
        """Whether a line from one order to another says that something is corrected."""
        lines = [line for number, line in self.own.items() if min(first + 1, last) <= number <= last]
        return any(says(name, line) for line in lines for name in ("amendments", "retractions", "replacements"))

    def _drop(self, entry: SheetOrder, error: InputError) -> None:
        """Refuse an order that was read: nobody knows what its unit is to do."""
        self.sheet.orders.remove(entry)
        self.power, self.number = entry.power, entry.line
        if unit := _unit_of(entry.order):
            self.unclear.setdefault(entry.power, set()).add(unit.province)
        self._refuse(error)

    def _tell_of_quotation(self) -> None:
        """A letter in which only quotations have orders says none."""
        if self.quotation and not (self.sheet.orders or self.early or self.all_hold):
            last = self.quotation.end - 1
            lines = f"lines {self.quotation.begin} to {last}" if last > self.quotation.begin else "this line"
            hint = "write them without the marks of a quotation, or above it: as quoted"
            self.number = self.quotation.begin
            self._refuse(SheetError(f"{lines}: orders that are only quoted are not taken", suggestion=hint))

    def _check_whole(self, sheet: Sheet) -> None:
        if not (sheet.orders or self.early):
            if sheet.refused:
                raise together([*sheet.refused, *self._unknown(sheet)])
            if self.letter:
                what = f"there is no order in this mail{self._passed(sheet.passed_over)}"
                raise SheetError(what, source=self.source, suggestion="write each on a line of its own: A PAR - BUR")
            sheet.retreats_line = None
            check_whole(sheet)
            raise nothing_in("this text").at(source=self.source)

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

    def _start_if_needed(self) -> None:
        if not self.sheets:
            self._start()

    def _refuse(self, error: InputError) -> None:
        """Keep an error to be told: it takes nothing else with it."""
        self.spoken.add(self.power or "")
        self.sheet.refused.append(error.at(source=self.source, line=self.number))

    def _pass(self, text: str) -> None:
        if any(map(str.isalnum, text)):
            self.sheet.passed_over.append((self.number, text.strip()))

    # ---- what stands around orders ----

    def _line(self, content: str) -> None:
        if not self.letter:
            rewritten = self._row(content)
            if rewritten:
                super()._line(rewritten)
            else:
                self._start_if_needed()
                self._pass(content)
            return
        self._start_if_needed()
        content = unquoted(content).replace("|", ";")  # of a table
        if opens_with("press", content) and ":" in content:
            self._pass(content)
            return
        if (part := self.parts.get(self.number)) and (part.kind != "options" or self.number == part.begin):
            self._beside_now(content, part)
            return
        if match := _HEAD_OF_LINE.match(f"{content} "):
            self._headed(content, match[1], match.end())
        elif content.endswith(":"):
            self._headed(content, content[:-1], len(content))
        else:
            self._order(content)

    def _row(self, content: str) -> str:
        """The row of a table with a power in its first cell as a line of orders; "" for its head, any other line as it is.

        The cells of a row with commas make one order: `Austria,Remove,F,GRE`.
        """
        marked = content.startswith("|")
        cells = [cell.strip() for cell in content.strip("|").split("|" if marked else ",")]
        if not marked and (len(cells) < _FEWEST_CELLS or ":" in content):
            return content
        if is_head_of_table(cells[0]) and names_nothing(content, self.game_map):
            return ""
        with suppress(NotationError):
            power = parse_power(cells[0], self.game_map)
            orders = "; ".join(filter(None, cells[1:])) if marked else " ".join(cells[1:])
            if marked or self._is_whole(orders):
                return f"{self.game_map.name_of(power)}: {orders}"
        return content

    def _beside_now(self, content: str, part: Part) -> None:
        """A line of a part that is no order of now: one that says nothing is passed over, an order is refused."""
        if part.kind == "options":
            _, _, content = content.partition(":")
            self._pass(part.heading)
            if content.strip():
                self._take(content.strip(), alone=False)
        elif not (holds_order(content, self.game_map) or self._is_whole(content)):
            self._pass(content)
        else:
            what = f"{content[:_LONGEST_SHOWN]!r} stands {'below' if self.number > part.begin else 'behind'} {part.heading!r}"
            self._refuse(NotationError(what, suggestion=_BESIDE_NOW[part.kind]))

    def _headed(self, content: str, name: str, rest: int) -> None:
        power = None
        with suppress(NotationError):
            power = parse_power(name, self.game_map)
        if power:
            if self.letter and self.whose not in (None, power) and self._is_addressed(content[rest:]):
                self._pass(content)
                return
            super()._headed(content, name, rest)
            return
        if self._beside_orders(content) or self._moment_before(content, name, rest):
            return
        if not (self.letter and len(_SENTENCES.split(content)) > 1) and self._statement(content):
            return
        if self.letter and not content[rest:].strip() and self._season_told(content, name):
            return
        with suppress(NotationError):
            orders = self._parsed(content)
            self._give(orders)
            return
        if self.letter and not self._is_a_misspelt_power(name):
            self._take(content, alone=False)
        elif self.talk and names_nothing(content, self.game_map) and not self._is_a_misspelt_power(name):
            self._pass(content)
        else:
            super()._headed(content, name, rest)

    def _is_addressed(self, text: str) -> bool:
        """Whether a text behind another power's name is a message to that power, and no order of it."""
        return bool(text.strip()) and not holds_order(text, self.game_map) and not self._is_whole(text)

    def _is_a_misspelt_power(self, name: str) -> bool:
        """Whether a line that is passed over would give one power's orders to another."""
        return self.whose is None and word_meant(normal(name), self.game_map.power_aliases) is not None

    def _moment_before(self, content: str, name: str, rest: int) -> bool:
        """`Builds: F Kie`: what follows on the line is for that phase."""
        said, _ = season_in(name)
        if not said or self.now is None:
            return False
        before, self.moment = self.moment, moment_named(season_named_in(name), self.now)
        self.listed = _done_to_units(name) or self.listed
        try:
            with suppress(NotationError):
                self._give(self._parsed(content))
                return True
            with shifted(rest):
                self._order(content[rest:], alone=False, begin=rest)
        finally:
            self.moment = before
        return True

    def _season_told(self, content: str, name: str) -> bool:
        """`Then in spring:`, a heading with words that say nothing."""
        bare = without(("openings",), name)
        in_season, phase = season_in(bare)
        if in_season:
            self._season(bare, phase)
            self._pass(content)
        return in_season

    def _behind_talk(self, text: str) -> bool:
        """`So here we go: A Par - Bur`: an order behind a colon."""
        head = _HEAD_OF_LINE.match(text)
        if not self.letter or head is None or not names_nothing(head[1], self.game_map):
            return False
        if is_one_of("replacements", (key_of(head[1]).split() or [""])[-1]):
            self._replace_all()
        elif any(says(words, head[1]) for words in ("denials", "retractions", "conditions")):
            return False
        if not self._statement(text[head.end() :]):
            if names_nothing(text, self.game_map):
                return False
            self._take(text[head.end() :], alone=False)
        self._pass(head[0])
        return True

    def _season(self, heading: str, phase: Phase | None) -> None:
        if self.now is None and phase not in (None, self.board.phase):
            raise SheetError(f"these are for a phase of {phase}; the position is one of {self.board.phase}", column=1)
        self._enter(heading)
        self.scoped = self.power is not None

    def _enter(self, heading: str) -> None:
        """The orders below a heading are for the phase that it names."""
        if self.now is not None:
            self.moment, self.begun = moment_named(season_named_in(heading), self.now), False
        self.listed = _done_to_units(heading)

    def _begin_retreats(self) -> None:
        if self.whose is None and self.power is None:
            self.nobody = False
        self._enter("retreats")
        self.scoped = self.power is not None

    def _begin(self, power: Power, heading: str) -> None:
        other = power != self.power
        super()._begin(power, heading)
        if self.moment != self.now and not self.begun:
            self.scoped = False  # powers follow below the phase's heading
        elif other and self.scoped:
            self.moment, self.listed = self.now, ""
        said = season_named_in(heading)
        if said.season or said.phase:
            self._enter(heading)
            self.scoped = True

    @property
    def _phase(self) -> Phase:
        return self.moment.phase if self.moment else self.board.phase

    # ---- orders ----

    def _order(self, content: str, *, alone: bool = True, begin: int = 0) -> None:
        if "|" in content:
            super()._order(content, alone=alone, begin=begin)
            return
        if self.power is None and not self.nobody:
            if self._beside_orders(content) or self._talked(content):
                return
            self._tell_nobodys(content)
        if alone and self._is_signature() and not self._is_whole(content):
            self._below_closing(content)
            return
        self._take(content.strip(), alone=alone)

    def _is_signature(self) -> bool:
        """Whether no empty line stands between a letter's closing formula and the line at hand."""
        above = self.number - 1
        while self.own.get(above, "").strip() and not closes(self.own[above]):
            above -= 1
        return self.letter and self.number - above < _LONGEST_SIGNATURE and closes(self.own.get(above, ""))

    def _below_closing(self, content: str) -> None:
        """A name or an address at a letter's end, which is never read piece by piece."""
        if holds_order(content, self.game_map):
            hint = "write an order by itself, above the end of the letter"
            self._refuse(NotationError(f"{content[:_LONGEST_SHOWN]!r} stands in the signature", suggestion=hint))
        else:
            self._pass(content)

    def _take(self, text: str, *, alone: bool = True) -> None:
        """A line, or a piece of one: its orders, or what it says else."""
        try:
            orders = self._parsed(text)
        except NotationError as error:
            if (alone and self._beside_orders(text)) or self._in_sentences(text) or self._statement(text):
                return
            if self._behind_talk(text) or self._around_talk(text) or self._supports_these(text) or self._in_other_words(text):
                return
            if self._in_pieces(text):
                return
            if self._talked(text) or (self.moment == self.now and self._doubted(text, error)):
                return
            if self.lenient:
                standing = self.standing.get(self.power or "", ())
                self._give(told_orders(text, self.game_map, self._phase, standing=standing))
            elif self.letter and not self._is_a_misspelt_power(text):
                self._refuse_order(text, error)
            else:
                error.suggestion = self._phase_meant(text) or error.suggestion
                raise
        else:
            self._give(orders)

    def _refuse_order(self, text: str, error: NotationError) -> None:
        """Refuse what is no order; if it takes orders back, those to the units that it names are not certain either."""
        if self.letter and error.suggestion and "did you mean" in error.suggestion and (order := self._order_at_end(text)):
            error.suggestion = f"to order {order} write it by itself"
        self._refuse(error)
        places = {word.text for word in ordered_words(text, self.game_map) if word.kind == "place"}
        self.unclear.setdefault(self.power or "", set()).update(places)
        if says("retractions", text) or key_of(text).startswith("no "):
            self.retracted.append((self.number, self.power or "", self._units_named(text)))

    def _order_at_end(self, text: str) -> Order | None:
        """The order to a unit of the power's own with which a text ends, `change my order for Tunis to A Tun - NAf`."""
        own = self.standing.get(self.power or "", ())
        words = [found.start() for found in re.finditer(r"\S+", text)]
        for begin in words[1:][:_MOST_PIECES]:
            if text[begin : begin + 2].strip().lower() in ("a", "f", "ar", "fl"):
                orders = self._read_for(text[begin:], self._phase)
                if len(orders) == 1 and (unit := _unit_of(orders[0])) and unit.province in own:
                    return orders[0]
        return None

    def _units_named(self, text: str) -> set[ProvinceCode]:
        """The places in a text that are not those where a unit goes, or whose unit is helped."""
        words = [word for word in ordered_words(text, self.game_map) if word.kind not in ("army", "fleet", "power")]
        beside = ("to", "through", "support", "convoy", "retreat", "from")
        return {
            word.text
            for before, word in zip((None, *words), words, strict=False)
            if word.kind == "place" and not (before and before.kind in beside)
        }

    def _replace_all(self) -> None:
        """`Scrap that, instead: …`: what the text ordered before does not count."""
        now = self.number
        for entry in [entry for entry in self.sheet.orders if entry.power == self.power]:
            self.sheet.orders.remove(entry)
            self.number = entry.line
            self._refuse(NotationError(f"{entry.order} is taken back in line {now}"))
        self.number = now

    def _drop_retracted(self) -> None:
        for line, power, places in self.retracted:
            for entry in list(self.sheet.orders):
                unit = _unit_of(entry.order)
                if entry.power == power and (entry.line == line or (unit and unit.province in places)):
                    self.unclear.setdefault(power, set()).update([unit.province] if unit else [])
                    self.sheet.orders.remove(entry)
                    self.number = entry.line
                    self._refuse(NotationError(f"{entry.order} is not certain: line {line} takes something back"))

    def _in_sentences(self, text: str) -> bool:
        """Read each sentence of a player's line by itself, without what stands in brackets beside it."""
        if not self.letter:
            return False
        kept = _ASIDE.sub(self._pass_aside, text)
        pieces = [piece.strip() for piece in _SENTENCES.split(kept) if piece.strip()]
        if (len(pieces) < 2 and kept == text) or len(pieces) > _MOST_PIECES or names_nothing(text, self.game_map):
            return False
        for piece in pieces:
            self._take(piece, alone=False)
        return True

    def _pass_aside(self, aside: re.Match[str]) -> str:
        """Pass over what stands in brackets, unless an order hangs on it."""
        coast = key_of(aside[1]) in vocabulary(self.game_map).coasts
        if coast or says("conditions", aside[1]) or _ALTERNATIVE.search(aside[1]):
            return aside[0]
        self._pass(aside[0])
        return ""

    def _in_other_words(self, text: str) -> bool:
        """Orders beside words of politeness, a comment or what they replace, in a list on one line, or in a table."""
        if not self.letter or len(text) > LONGEST_ORDER:
            return False
        cells = [cell.strip() for cell in text.split(";")] if ";" in text else []
        listed = _NUMBERED.split(text)
        replaced = self._in_place_of(text)
        for written in (
            without_politeness(text),
            " ".join(cells),
            replaced,
            "; ".join(one for one in listed if one.strip(" ,;")),
        ):
            if written and written != text:
                with suppress(NotationError):
                    orders = self._parsed(written)
                    self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
                    self._give(orders)
                    return True
        return False

    def _in_place_of(self, text: str) -> str:
        """The first order of `A Ven H instead of A Ven - Tyr`; "" for any other text."""
        begin = place_of("in_place_of", text)
        before, after = text[: begin or 0], without(("in_place_of",), text[begin or 0 :])
        unit = self._last_of(before) if before else None
        same = unit and (other := self._last_of(after)) and other.province == unit.province
        return before.strip(" ,;") if same else ""

    def _in_pieces(self, text: str) -> bool:
        """Read what stands between commas each by itself."""
        pieces = [piece.strip() for piece in _PIECES.split(text) if piece.strip()]
        if not self.letter or not 1 < len(pieces) <= _MOST_PIECES or names_nothing(text, self.game_map):
            return False
        if any(says(name, text) for name in ("denials", "retractions", "guesses")):
            return False
        for piece in pieces:
            self._take(piece, alone=False)
        return True

    def _around_talk(self, text: str) -> bool:
        """`I would like to build an army in Munich`, `Mun supports Ber this time`: an order beside words that say nothing."""
        begin = opening_of(text) if self.letter else 0
        said = season_named_in(text[:begin])
        if said != NamedSeason() and (self.now is None or moment_named(said, self.now) != self.moment):
            return False
        for written in (text[begin:], without(("besides",), text[begin:])) if self.letter else ():
            if written and written != text:
                with suppress(NotationError):
                    orders = self._parsed(written)
                    self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
                    self._give(orders)
                    return True
        return False

    def _supports_these(self, text: str) -> bool:
        """`A War S same`, `Burgundy supports this attack`: the order before is meant, which is told."""
        before = self.sheet.orders[-1] if self.sheet.orders else None
        if before is None or self.power != before.power or self.moment != self.now or before.line + 1 < self.number:
            return False
        last = before.order
        if not isinstance(last, Move | Hold):
            return False
        helped = f"{last.unit} - {last.destination}" if isinstance(last, Move) else str(last.unit)
        bare = text[: end_without("these", text)]
        orders = self._read_for(f"{bare} {helped}", Phase.MOVEMENT) or self._read_for(f"{bare} S {helped}", Phase.MOVEMENT)
        if len(orders) != 1 or not isinstance(orders[0], SupportMove | SupportHold) or not says("support", text):
            return False
        self.sheet.read_as.append((self.number, text, str(orders[0])))
        self._give(orders)
        return True

    def _talked(self, text: str) -> bool:
        """Pass over what names no unit and no place, where a player may write so."""
        talk = self.talk and names_nothing(text, self.game_map) and not self._is_a_misspelt_power(text)
        if talk:
            self._pass(text)
        return talk

    def _parsed(self, text: str) -> list[Order]:
        """The orders of a text; where units are built or removed a list of them. Raises `NotationError`."""
        standing = self.standing.get(self.power or "", ())
        try:
            return parse_orders(text, self.game_map, self._phase, standing=standing)
        except NotationError:
            with suppress(NotationError):
                if verb := self._done_to_listed():
                    return self._units_listed(text, verb)
            raise

    def _done_to_listed(self) -> str:
        """Whether units that are only listed are built or removed."""
        if self._phase is not Phase.ADJUSTMENT or self.listed or self.moment != self.now:
            return self.listed if self._phase is Phase.ADJUSTMENT else ""
        due = adjustments_due(self.board).get(self.power or "", 0)
        return "Build" if due > 0 else "Remove" if due < 0 else ""

    def _units_listed(self, text: str, verb: str) -> list[Order]:
        mark = LIST_MARK.match(text)
        orders = parse_orders(f"{verb} {text[mark.end() :] if mark else text}", self.game_map, Phase.ADJUSTMENT)
        kind = Build if verb == "Build" else Remove
        if not all(isinstance(order, kind) and order.unit.kind for order in orders):
            raise NotationError(f"these are no units: {text!r}")
        self.sheet.read_as.append((self.number, text.strip(), "; ".join(map(str, orders))))
        return orders

    def _give(self, orders: Iterable[Order]) -> None:
        """Take orders for the phase that they are for; those of another phase are refused."""
        for order in orders:
            if self.power is None or self.nobody:
                continue  # the heading was told
            if self.moment != self.now and not belongs_to(order, self._phase) and belongs_to(order, self.board.phase):
                self.moment, self.listed = self.now, ""  # those of the later phase have ended
            if unit := _unit_of(order):
                self.last = (self.number, unit)
            if self.moment == self.now and belongs_to(order, self.board.phase):
                self.sheet.orders.append(SheetOrder(self.power, order, None, None, self.number))
            elif (
                self.moment is None
                or isinstance(order, Unreadable)
                or self.now is None
                or self.moment == self.now
                or not belongs_to(order, self._phase)
            ):
                self._refuse(self._foreign(order))
            elif self.moment < self.now:
                self._refuse(NotationError(f"{order} is for {self.moment.name}, which is over"))
            else:
                self._keep(order, self.moment)

    def _foreign(self, order: Order) -> NotationError:
        error = of_another_phase(order, self._phase)
        headings = {Phase.RETREAT: "retreats", Phase.ADJUSTMENT: "Builds:" if isinstance(order, Build) else "Winter:"}
        if self.now and (heading := headings.get(phase_of(order))):
            later = moment_named(season_named_in(heading), self.now)
            if later > self.now:
                error.suggestion = f"below a line `{heading}` it is kept for {later.name}"
        return error

    def _keep(self, order: Order, moment: Moment) -> None:
        self.begun = True
        self.spoken.add(self.power or "")
        self.early.append(EarlyOrder(moment.name, self.power or "", order, self.number))

    # ---- what is said of orders ----

    def _statement(self, text: str) -> bool:
        """Take in a sentence about orders that is none: `all hold`, `same as last turn`, `if dislodged retreat to Gas`."""
        if self.power is None or len(text) > LONGEST_ORDER:
            return False
        at_hand = self.moment == self.now and self.board.phase is Phase.MOVEMENT
        if is_one_of("all_hold", text) and at_hand:
            self.all_hold[self.power] = (self.number, text)
        elif at_hand and (but := self._all_hold_but(text)):
            self.all_hold[self.power] = (self.number, text)
            self._give(but)
        elif self.letter and says("stays", text) and names_nothing(text, self.game_map) and self.moment == self.now:
            self.adding = True
            self.sheet.read_as.append((self.number, text.strip(), "--add: the orders to other units stay"))
        elif self.letter and says("planned", text) and not names_nothing(text, self.game_map):
            self._refuse(NotationError(f"{text[:_LONGEST_SHOWN]!r} is for later", suggestion=_BESIDE_NOW["planned"]))
        elif says("repeats", text) and names_nothing(text, self.game_map):
            hint = "write the orders"
            self._refuse(NotationError(f"{text!r} says no order by itself", suggestion=hint))
        elif (begin := place_of("conditions", text)) is not None and (
            says("dislodgement", text) or not names_nothing(text, self.game_map)
        ):
            self._conditional(text, text[:begin].strip(" ,;-(–"), text[begin:].strip(" )."))
        else:
            return False
        return True

    def _all_hold_but(self, text: str) -> list[Order]:
        """The orders behind `All hold except`; none for any other text."""
        begin = place_of("but_for", text)
        if not begin or not is_one_of("all_hold", text[:begin]):
            return []
        return self._read_for(without(("but_for",), text[begin:]), Phase.MOVEMENT)

    def _conditional(self, text: str, head: str, tail: str) -> None:
        """Orders that hang on a condition: a retreat or a build is kept for its phase, anything else is refused."""
        if self.now is None or self.moment != self.now:
            self._refuse(_hanging(text))
            return
        first = len(re.split(r"\W", tail, maxsplit=1)[0])
        if (second := place_of("conditions", tail[first:])) is not None and says("dislodgement", tail[: first + second]):
            self._refuse(_hanging(tail[first + second :]))
            tail = tail[: first + second].strip(" ,;")
        if says("dislodgement", tail) and self.board.phase is Phase.MOVEMENT:
            clause = without(("dislodgement", "fillers"), tail).strip(" ,;:-")
            if not clause:
                head, _, clause = head.rpartition(",") if "," in head else ("", "", head)
            later = self._later(Phase.RETREAT)
            units = [unit for unit in (self._last_of(head), self.last[1] if self.last and not head else None) if unit]
            clause = clause.replace(",", " ")
            for written in (clause, *(f"{unit} {clause}" for unit in units), *(f"{unit} R {clause}" for unit in units)):
                if orders := self._read_for(written, later.phase):
                    self._keep_all(orders, later, text)
                    if head.strip():
                        self._take(head.strip(), alone=False)
                    return
        elif not head and (later := self._later(Phase.ADJUSTMENT)) > self.now:
            words = [match.start() for match in re.finditer(r"\S+", tail)]
            for begin in words[1:20]:
                orders = self._read_for(tail[begin:].replace(",", " "), later.phase)
                if orders and all(isinstance(order, Build) for order in orders):
                    self._keep_all(orders, later, text)
                    return
        self._refuse(_hanging(text, self._read_for(head or text[: text.find(",")], self._phase)))

    def _keep_all(self, orders: Iterable[Order], moment: Moment, text: str) -> None:
        orders = list(orders)
        self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
        for order in orders:
            self._keep(order, moment)

    def _later(self, phase: Phase) -> Moment:
        assert self.now is not None
        return moment_named(season_named_in(str(phase)), self.now)

    def _last_of(self, text: str) -> Named | None:
        """The unit that is ordered last in a text, or that it is."""
        for written in (text, f"{text} H"):
            with suppress(NotationError):
                return _unit_of(parse_orders(written, self.game_map, Phase.MOVEMENT)[-1])
        return None

    def _read_for(self, text: str, phase: Phase) -> list[Order]:
        """The orders of a text for such a phase; none if it says anything else."""
        with suppress(NotationError):
            orders = parse_orders(text, self.game_map, phase)
            return orders if all(belongs_to(order, phase) for order in orders) else []
        return []


def _hanging(text: str, orders: Sequence[Order] = ()) -> NotationError:
    what = f"{text[:_LONGEST_SHOWN]!r} hangs on a condition"
    certain = f": write {'; '.join(map(str, orders))} by itself" if orders else "; retreats and builds are kept for their phase"
    return NotationError(what, suggestion=f"orders are for certain{certain}")


_BESIDE_NOW = {
    "former": "write orders of now by themselves",
    "planned": "name its phase, and it is kept for it: Spring 1902: …",
    "reported": "write orders of now by themselves",
    "games": "send the orders for each game by themselves",
}


def _bare(order: Order) -> str:
    """An order without the kinds of units, and without VIA."""
    return re.sub(r"\b[AF] | VIA$", "", str(order))


def _unit_of(order: Order) -> Named | None:
    """The unit that is ordered."""
    named = None if isinstance(order, Decline | Permission) else order.unit
    return named if named and named.location else None


def _done_to_units(heading: str) -> str:
    """Whether a heading says that the units below it are built, or removed."""
    for verb, name in (("Remove", "disband"), ("Build", "build")):
        if any(len(word) > _SHORTEST_VERB and is_one_of(name, word) for word in heading.split()):
            return verb
    return ""


def read_orders_in(
    text: str,
    board: Board,
    *,
    whose: Power | None = None,
    source: str = "sheet",
    lenient: bool = False,
    letter: bool = False,
    settle: Settle | None = None,
) -> OrdersIn:
    """Read the orders in a text, power by power, for a phase of a game whose position is known.

    They are those of the powers above them, or else of the power `whose` they are said to be. Orders for a later phase are kept
    apart where the text says so. Lines that cannot be read may be settled by what is possible (`settle`). Of a player's
    `letter` what is no order is passed over, and each order that cannot be read is refused by itself. Whatever was so done is
    told, with its place.

    Raises `SheetError` that tells all lines that cannot be read, each with its place; if it is `lenient` such orders are
    `Unreadable`.
    """
    if letter and sum(line.strip() != "" and unquoted(line) == line for line in text.splitlines()) > _LONGEST_LETTER:
        hint = "send the orders by themselves"
        raise SheetError(f"more than {_LONGEST_LETTER:,} lines are no player's orders", source=source, suggestion=hint)
    reader = _GameReader(board, source, whose, lenient=lenient, letter=letter)
    reader.talk, reader.settle = True, settle
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
    return NotationError(f"{kept.order} is for {kept.phase}, which comes later").at(source=source, line=kept.line)
