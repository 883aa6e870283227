"""Reads what a text says of orders without being one: conditions, plans, and units that all hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satjudge.base.errors import NotationError
from satjudge.notation.contradictions import CertainOrders
from satjudge.notation.lines import is_one_of, names_nothing, place_of, says, without
from satjudge.notation.orders_by_phase import BESIDE_NOW, LONGEST_SHOWN, Retraction
from satjudge.notation.parse import LONGEST_ORDER
from satjudge.world.board import Phase
from satjudge.world.orders import Build, Order


class Statements(CertainOrders):
    """A reader of sentences about orders: retreats and builds on a condition are kept for their phase."""

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
                    self._keep_all(orders, later, tail if head.strip() else text)  # what stands before is read by itself
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
        ordered = self._units_named(head or tail.rpartition(",")[2])
        self.retracted.append(Retraction(self.number, self.power or "", frozenset(), ordered))
        self._refuse(_hanging(text, self._read_for(head or text[: text.find(",")], self._phase)))


def _hanging(text: str, orders: Sequence[Order] = ()) -> NotationError:
    what = f"{text[:LONGEST_SHOWN]!r} hangs on a condition"
    certain = f": write {'; '.join(map(str, orders))} by itself" if orders else "; retreats and builds are kept for their phase"
    return NotationError(what, suggestion=f"orders are for certain{certain}")
