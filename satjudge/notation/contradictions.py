"""Refuses the orders of a text that are not certain: options, contradictions, and what is taken back."""

from __future__ import annotations

import re

from satjudge.base.errors import InputError, NotationError, SheetError
from satjudge.notation.lines import says
from satjudge.notation.orders_by_phase import OrdersByPhase, unit_of
from satjudge.notation.rewording import key_of, ordered_words
from satjudge.notation.sheets import SheetOrder
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import Build, Hold, Order

MOST_PIECES = 60
ONE_THAT_COUNTS = "send the one that counts"


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
            self._drop_corrected()
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
        """No order is certain of whose unit a later line speaks that corrects it and cannot be read; another line is told."""
        for error, power, places in self.unread:
            line = error.line or 0
            before = [entry for entry in self.sheet.orders if entry.power == power and entry.line <= line]
            spoken_of = [entry for entry in before if (unit := unit_of(entry.order)) and unit.province in places]
            corrects = any(says(name, self.own.get(line, "")) for name in ("corrections", "corrected"))
            for entry in spoken_of:
                if corrects:
                    what = f"{entry.order} is not certain: line {line} corrects it perhaps"
                    self._drop(entry, NotationError(what, suggestion=ONE_THAT_COUNTS))
            if spoken_of and not corrects:
                counts = " and ".join(f"{entry.order} of line {entry.line}" for entry in spoken_of)
                error.suggestion = "; ".join(filter(None, (error.suggestion, f"{counts} stays")))

    def _amended(self, first: int, last: int) -> bool:
        """Whether a line from one order to another says that something is corrected."""
        lines = [line for number, line in self.own.items() if min(first + 1, last) <= number <= last]
        return any(says(name, line) for line in lines for name in ("amendments", "retractions", "replacements"))

    def _drop(self, entry: SheetOrder, error: InputError) -> None:
        """Refuse an order that was read: nobody knows what its unit is to do."""
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
        now = self.number
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
        self.unread.append((error, self.power or "", self._units_named(text)))
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
