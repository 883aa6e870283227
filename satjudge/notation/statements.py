"""Reads what a text says of orders without being one: conditions, plans, and units that all hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satjudge.base.errors import NotationError
from satjudge.notation.contradictions import CertainOrders
from satjudge.notation.lines import holds_order, is_one_of, names_nothing, opens_with, place_of, says, without
from satjudge.notation.moments import first_possible
from satjudge.notation.orders_by_phase import BESIDE_NOW, LONGEST_SHOWN, unit_of
from satjudge.notation.parse import LONGEST_ORDER
from satjudge.world.board import Phase
from satjudge.world.orders import Build, Named, Order


class Statements(CertainOrders):
    """A reader of sentences about orders: retreats and builds on a condition are kept for their phase."""

    def _statement(self, text: str) -> bool:
        """Take in a sentence about orders that is none: `all hold`, `same as last turn`, `if dislodged retreat to Gas`."""
        if self.power is None or len(text) > LONGEST_ORDER:
            return False
        at_hand = self.moment == self.now and self.board.phase is Phase.MOVEMENT
        if self._retreats_listed(text) or (at_hand and self._retreats_behind(text)):
            return True
        if is_one_of("all_hold", text) and at_hand:
            self.all_hold[self.power] = (self.number, text)
        elif at_hand and (but := self._all_hold_but(text)):
            self.all_hold[self.power] = (self.number, text)
            self._give(but)
        elif self.letter and says("stays", text) and names_nothing(text, self.game_map) and self.moment == self.now:
            self.adding = True
            self.sheet.read_as.append((self.number, text.strip(), "--add: the orders to other units stay"))
        elif self.letter and says("planned", text) and not names_nothing(text, self.game_map):
            self._refuse(NotationError(f"{text[:LONGEST_SHOWN]!r} is for later", suggestion=BESIDE_NOW["planned"]))
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
        head = head if without(("openings",), head) else ""
        if says("dislodgement", tail) and self.board.phase is Phase.MOVEMENT:
            if not without(("dislodgement", "fillers"), tail).strip(" ,;:-"):  # `A Par - Bur, retreat Gas or Pic if dislodged`
                begin = place_of("retreat", head) or head.rfind(",") + 1
                head, tail = head[:begin].rstrip(" ,;(-–"), f"{head[begin:]}, {tail}"
            unit = self._last_of(head) if head else self.last and self.last[1]
            if orders := self._retreats_by_preference(tail, unit):
                self._keep_all(orders, self._later(Phase.RETREAT), tail if head else text)
                if head:  # it is read by itself
                    self._take(head, alone=False)
                return
        elif not head and (later := self._later(Phase.ADJUSTMENT)) > self.now:
            words = [match.start() for match in re.finditer(r"\S+", tail)]
            for begin in words[1:20]:
                orders = self._read_for(tail[begin:].replace(",", " "), later.phase)
                if orders and all(isinstance(order, Build) for order in orders):
                    self._keep_all(orders, later, text)
                    return
        above = [line for line in self._lines_above[-1:] if line + 1 >= self.number]
        if not head and (opens_with("attached", tail) or not holds_order(tail, self.game_map)):
            self._retract(above)
        elif not says("dislodgement", tail):
            self._retract((), self._units_named(head or tail.rpartition(",")[2]))
        orders = self._read_for(head or text[: text.find(",")], self._phase)
        error = _hanging(text, orders)
        self._refuse(error)
        if not (orders or says("dislodgement", tail) or names_nothing(head, self.game_map)):
            self.unread.append((error, self.power or "", self._units_named(head), text))

    def _retreats_listed(self, text: str) -> bool:
        """Take in `A Par R Gas, Pic or disband` among retreats: in a retreat phase the first that is possible."""
        found = self._retreats_by_preference(text, None) if self._phase is Phase.RETREAT and self.moment else []
        if len(found) > 1 and self.moment == self.now:
            found = first_possible(found, self.board)
        if found:
            self._give_as(text, found)
        return bool(found)

    def _retreats_behind(self, text: str) -> bool:
        """Take in `A Par - Bur (retreat Gas, Pic, OTB)`, and `A Par - Bur > Gas, Pic` if that is agreed."""
        arrow = _ARROW.search(text)
        for at, agreed in ((place_of("retreat", text), True), (arrow and arrow.start(), self.retreats_behind_arrow)):
            orders = self._read_for(text[:at].rstrip(" ,;:(/[-–"), Phase.MOVEMENT) if at and self.now else []
            if orders and (found := self._retreats_by_preference(text[at:], unit_of(orders[-1]))):
                self._give(orders)
                rest = text[at:].strip()
                if agreed:
                    self._keep_all(found, self._later(Phase.RETREAT), rest)
                else:
                    hint = f"write (retreat {rest.strip(' >')}) if they are retreats"
                    self._refuse(NotationError(f"{rest!r} is no part of a path", suggestion=hint))
                return True
        return False

    def _retreats_by_preference(self, text: str, unit: Named | None) -> list[Order]:
        """The retreats of a unit in a text, in order of preference; none if it says anything else."""
        found: list[Order] = []
        for part in _PREFERENCES.split(text):
            place = without(("dislodgement", "fillers"), part).strip(" ():.!-")
            if not place:
                continue
            forms = (place, f"{unit} {place}", f"{unit} R {place}") if unit else (place,)
            orders = next((orders for form in forms if (orders := self._read_for(form, Phase.RETREAT))), [])
            if not orders and not found and (named := self._last_of(place)):
                unit = named
            elif not orders:
                return []
            found += orders
            unit = unit_of(orders[-1]) if orders else unit
        return found


_ARROW = re.compile(r"(?<![-–—=>\s])\s*>(?!>)")
_NOT_POSSIBLE = r"if\s+\w+\s+(?:is|are)\s+(?:not\s+\w+|impossible|occupied|blocked|taken)(?:,?\s*then)?"
_OR = rf"or|oder|ou|o|else|then|otherwise|if not|failing that|{_NOT_POSSIBLE}|sonst|dann|sinon|puis|altrimenti|poi"
_PREFERENCES = re.compile(rf"(?:(?<!\s)\s+)?(?:[,;>|]|/(?!\s*[nsew]c?\b)|\b\d[.)]|\b(?:{_OR})\b)\s*", re.IGNORECASE)


def _hanging(text: str, orders: Sequence[Order] = ()) -> NotationError:
    what = f"{text[:LONGEST_SHOWN]!r} hangs on a condition"
    certain = f": write {'; '.join(map(str, orders))} by itself" if orders else "; retreats and builds are kept for their phase"
    return NotationError(what, suggestion=f"orders are for certain{certain}")
