"""Refuses the orders of a text that are not certain: options, contradictions, and what is taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satjudge.base.errors import InputError, NotationError, SheetError
from satjudge.notation.lines import (
    greets_power,
    heading_in,
    holds_order,
    is_harmless,
    is_mail_head,
    is_one_of,
    may_speak_of_orders,
    names_nothing,
    says,
    season_in,
)
from satjudge.notation.orders_by_phase import LONGEST_SHOWN, EarlyOrder, OrdersByPhase, unit_of
from satjudge.notation.rewording import key_of, ordered_words
from satjudge.notation.sheets import SheetOrder
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import Build, Hold, Named, Order

MOST_PIECES = 60
ONE_THAT_COUNTS = "send the one that counts"
_AMENDMENTS = ("amendments", "retractions", "replacements")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CLAUSE = re.compile(r"(?<=[.!?,;)])\s+|(?<!\s)\s+-+\s+")


class CertainOrders(OrdersByPhase):
    """A reader that keeps only the orders of which a text says nothing else."""

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
        if self.sheets:
            self._drop_corrected()
            self._drop_remarked()
        if self.letter and self.sheets:
            self._tell_of_quotation()
        for power, (line, said) in self.all_hold.items():
            units = [unit_of(entry.order) for entry in self.sheet.orders if entry.power == power]
            ordered = {unit.province for unit in units if unit}
            ordered |= self.unclear.get(power, set())
            held = [Hold(unit.named) for unit in self.board.units if unit.power == power and unit.province not in ordered]
            self.sheet.orders += (SheetOrder(power, order, None, None, line) for order in held)
            self.sheet.read_as.append((line, said, "; ".join(map(str, held)) or "no order"))

    def _drop_adopted(self) -> None:
        """Of quoted orders that the letter adopts only those count to units of which nothing else is said."""
        for entry in [entry for entry in self.sheet.orders if entry.line in self.adopted]:
            unit = unit_of(entry.order)
            own = [unit_of(one.order) for one in self.sheet.orders if one.line not in self.adopted and one.power == entry.power]
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
                    self._drop(entry, NotationError(what, suggestion=ONE_THAT_COUNTS))

    def _drop_contradicted(self) -> None:
        """Of several orders to a unit none is certain, unless something is said of a correction before the last."""
        by_unit: dict[tuple[Power, ProvinceCode], list[SheetOrder]] = {}
        for entry in self.sheet.orders:
            if unit := unit_of(entry.order):
                by_unit.setdefault((entry.power, unit.province), []).append(entry)
        for entries in by_unit.values():
            first, last = entries[0], entries[-1]
            if len({_bare(entry.order) for entry in entries}) > 1 and not self._amended(first.line, last.line):
                other = next(entry for entry in entries if _bare(entry.order) != _bare(last.order))
                for entry in entries:
                    against = other if entry.order == last.order else last
                    what_for = "place" if isinstance(entry.order, Build) else "unit"
                    what = f"{entry.order} is not certain: {against.order} in line {against.line} is for the same {what_for}"
                    self._drop(entry, NotationError(what, suggestion=ONE_THAT_COUNTS))

    def _drop_corrected(self) -> None:
        """No order is certain of whose unit a line speaks that cannot be read, nor any if it may speak of another one."""
        for error, power, places, text in self.unread:
            line = error.line or 0
            ordered = [entry for entry in self.sheet.orders if entry.power == power]
            words = ordered_words(text, self.game_map)
            if holds_order(text, self.game_map) and words[0].kind in ("army", "fleet", "place"):  # it orders this unit
                places = {next(word.text for word in words if word.kind == "place")}
            spoken_of = [entry for entry in ordered if (unit := unit_of(entry.order)) and unit.province in places]
            raw = " ".join(word.text for word in words if word.kind in ("raw", "army", "fleet"))
            names_one = holds_order(text, self.game_map) or places & self.standing.get(power, set())
            speaks = may_speak_of_orders(text if names_nothing(text, self.game_map) else raw)
            if len(words) == 1 + (words[:1] != [] and words[0].kind in ("army", "fleet")) and words[-1].kind == "place":
                continue  # a unit without an order
            if spoken_of and text.rstrip().endswith("?") and not speaks:
                counts = " and ".join(f"{entry.order} of line {entry.line}" for entry in spoken_of)
                error.suggestion = "; ".join(filter(None, (error.suggestion, f"{counts} stays")))
            elif spoken_of:
                self._doubt(spoken_of, f"line {line} corrects it perhaps")
            elif speaks and not (names_one or self._is_introduction(text)):
                if holds_order(self.all_lines[line - 1], self.game_map):
                    ordered = [entry for entry in ordered if entry.line == line]
                self._doubt(ordered, f"line {line} corrects it perhaps")

    def _drop_remarked(self) -> None:
        """No order is certain beside words, or below a heading, or in a text with a sentence, that may change what it says."""
        for line, said in list(self.sheet.passed_over):
            if line in self.set_aside or line in self.parts or line <= self.replaced or self._is_amendment(line):
                continue
            shown, headed = repr(said[:LONGEST_SHOWN]), said.rstrip(" *_").endswith(":")
            introduces = headed and self._is_introduction(said)
            if remark := self.remarks.get((line, said)):
                on_line = self._orders_from(line, line + 1)
                beside = f"{remark.beside} {on_line[0].order if len(on_line) == 1 else ''}"
                known = introduces or is_harmless(said, self.game_map, self._speaker, beside)
                if not (known or self._is_name(line, said)):
                    self.sheet.passed_over.remove((line, said))
                    self._doubt(remark.entries or on_line, f"the remark {shown} beside it is not understood")
            elif headed or is_one_of("answered", said.strip("-_=*<>: \t")):
                end = self._next_heading(line) if headed else None
                if not (introduces or is_mail_head(said)):
                    self._doubt(self._orders_from(line, end), f"the heading {shown} in line {line} is not understood")
            elif self.talk and not all(self._is_unrelated(sentence) for sentence in _SENTENCE.split(said)):
                self._doubt(self._orders_from(), f"{shown} in line {line} may speak of it")
                for power in self.all_hold:
                    self._refuse(NotationError(f"{self.all_hold[power][1]!r} is not certain: {shown} may speak of it"))
                self.all_hold.clear()

    @property
    def _speaker(self) -> Power | None:
        return self.whose or next((entry.power for entry in self._orders_from()), self.power)

    def _is_name(self, line: int, said: str) -> bool:
        """Whether a name stands behind words of politeness on a line: `A Par - Bur, thanks, James`."""
        above = [text for number, text in self.remarks if number == line]
        before = above[: above.index(said)][-1:]
        return bool(before) and is_harmless(f"{before[0]} {said}", self.game_map, self._speaker)

    def _is_unrelated(self, said: str) -> bool:
        """Whether a sentence leaves all orders as they are."""
        known = not may_speak_of_orders(said) or is_mail_head(said) or is_harmless(said, self.game_map, self._speaker)
        return known and not greets_power(said, self.game_map, self._speaker)

    def _is_introduction(self, said: str) -> bool:
        """Whether the last words of a line with a colon only say that orders follow, and what is before says nothing."""
        *_, last = [piece for piece in _CLAUSE.split(said) if any(map(str.isalnum, piece))] or [""]
        known = is_harmless(last, self.game_map, self._speaker) or heading_in(last, self.game_map) is not None
        return known and all(self._is_unrelated(piece) for piece in _SENTENCE.split(said[: said.rindex(last)]))

    def _next_heading(self, line: int) -> int:
        """The number of the next line that says whose orders follow, or of when; or the one behind the last."""
        for number, text in enumerate(self.all_lines[line:], start=line + 1):
            content = text.strip()
            if (
                heading_in(content, self.game_map)
                or season_in(content)[0]
                or (content.endswith(":") and self._is_introduction(content))
            ):
                return number
        return len(self.all_lines) + 1

    def _orders_from(self, begin: int = 0, end: int | None = None) -> list[SheetOrder | EarlyOrder]:
        entries: list[SheetOrder | EarlyOrder] = [*self.sheet.orders, *self.early]
        return [entry for entry in entries if begin <= entry.line < (end or len(self.all_lines) + 1)]

    def _doubt(self, entries: Sequence[SheetOrder | EarlyOrder], why: str) -> None:
        """Refuse orders that a text does not say for certain."""
        for entry in [entry for entry in entries if entry in self._orders_from()]:
            self._drop(entry, NotationError(f"{entry.order} is not certain: {why}", suggestion="send what counts by itself"))

    def _is_amendment(self, line: int) -> bool:
        """Whether a line stands between two orders to one unit, of which the second takes the place of the first."""
        if not any(says(name, self.all_lines[line - 1]) for name in _AMENDMENTS):
            return False
        lines: dict[tuple[Power, Named | None], list[int]] = {}
        for entry in self.sheet.orders:
            lines.setdefault((entry.power, unit_of(entry.order)), []).append(entry.line)
        return any(min(numbers) < line <= max(numbers) for numbers in lines.values())

    def _amended(self, first: int, last: int) -> bool:
        """Whether a line from one order to another says that something is corrected."""
        lines = [line for number, line in self.own.items() if min(first + 1, last) <= number <= last]
        return any(says(name, line) for line in lines for name in _AMENDMENTS)

    def _drop(self, entry: SheetOrder | EarlyOrder, error: InputError) -> None:
        """Refuse an order that was read: nobody knows what its unit is to do."""
        if isinstance(entry, EarlyOrder):
            self.early.remove(entry)
        else:
            self.sheet.orders.remove(entry)
        self.power, self.number = entry.power, entry.line
        if unit := unit_of(entry.order):
            self.unclear.setdefault(entry.power, set()).add(unit.province)
        self._refuse(error)

    def _drop_retracted(self) -> None:
        for one in self.retracted:
            for entry in list(self.sheet.orders):
                unit = unit_of(entry.order)
                if entry.power == one.power and (entry.line in one.lines or (unit and unit.province in one.places)):
                    self._drop(entry, NotationError(f"{entry.order} is not certain: line {one.line} takes something back"))

    def _replace_all(self) -> None:
        """`Scrap that, instead: …`: what the text ordered before does not count."""
        now = self.replaced = self.number
        for entry in [entry for entry in self.sheet.orders if entry.power == self.power]:
            self.sheet.orders.remove(entry)
            self.number = entry.line
            self._refuse(NotationError(f"{entry.order} is taken back in line {now}"))
        self.number = now

    def _tell_of_quotation(self) -> None:
        """A letter in which only quotations have orders says none."""
        if self.quotation and not (self.sheet.orders or self.early or self.all_hold):
            last = self.quotation.end - 1
            lines = f"lines {self.quotation.begin} to {last}" if last > self.quotation.begin else "this line"
            hint = "write them without the marks of a quotation, or above it: as quoted"
            self.number = self.quotation.begin
            self._refuse(SheetError(f"{lines}: orders that are only quoted are not taken", suggestion=hint))

    def _refuse_order(self, text: str, error: NotationError) -> None:
        """Refuse what is no order; if it takes orders back, those to the units that it names are not certain either."""
        if self.letter and error.suggestion and "did you mean" in error.suggestion and (order := self._order_at_end(text)):
            error.suggestion = f"to order {order} write it by itself"
        self._refuse(error)
        places = {word.text for word in ordered_words(text, self.game_map) if word.kind == "place"}
        self.unclear.setdefault(self.power or "", set()).update(places)
        self.unread.append((error, self.power or "", self._units_named(text), text))
        if says("retractions", text) or key_of(text).startswith("no "):
            self._retract({self.number}, self._units_named(text))

    def _order_at_end(self, text: str) -> Order | None:
        """The order to a unit of the power's own with which a text ends, `change my order for Tunis to A Tun - NAf`."""
        own = self.standing.get(self.power or "", ())
        words = [found.start() for found in re.finditer(r"\S+", text)]
        for begin in words[1:][:MOST_PIECES]:
            if text[begin : begin + 2].strip().lower() in ("a", "f", "ar", "fl"):
                orders = self._read_for(text[begin:], self._phase)
                if len(orders) == 1 and (unit := unit_of(orders[0])) and unit.province in own:
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


def _bare(order: Order) -> str:
    """An order without the kinds of units, and without VIA; of a build the kind is what it says."""
    if isinstance(order, Build):
        return str(order)
    return re.sub(r"\b[AF] | VIA$", "", str(order))
