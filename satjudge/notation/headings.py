"""Reads what stands around orders: headings, tables, parts of a mail and its signature."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import takewhile

from satjudge.base.errors import NotationError, SheetError
from satjudge.notation.letters import Part
from satjudge.notation.lines import (
    closes,
    holds_order,
    is_head_of_table,
    is_one_of,
    names_nothing,
    opens_with,
    says,
    season_in,
    season_named_in,
    unquoted,
    without,
)
from satjudge.notation.moments import moment_named
from satjudge.notation.orders_by_phase import BESIDE_NOW, LONGEST_SHOWN
from satjudge.notation.parse import parse_power
from satjudge.notation.sheet_reader import shifted
from satjudge.notation.talk import HEAD_OF_LINE, SENTENCES, OrdersInTalk
from satjudge.world.board import Phase
from satjudge.world.geography import Power

_FEWEST_CELLS = 3
_LONGEST_SIGNATURE = 8
"""Lines."""
_SHORTEST_VERB = 3
_BARS = re.compile(r"(?<!\S)\|(?!\S)")


class OrdersBelowHeadings(OrdersInTalk):
    """A reader of lines that say whose the orders are, and for which phase."""

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
        content = _BARS.sub(";", unquoted(content)) if not content.startswith("|") else content.replace("|", ";")  # of a table
        if opens_with("press", content) and ":" in content:
            self.set_aside.add(self.number)
            self._pass(content)
            return
        if (part := self.parts.get(self.number)) and (part.kind != "options" or self.number == part.begin):
            self._beside_now(content, part)
            return
        if match := HEAD_OF_LINE.match(f"{content} "):
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
            what = f"{content[:LONGEST_SHOWN]!r} stands {'below' if self.number > part.begin else 'behind'} {part.heading!r}"
            self._refuse(NotationError(what, suggestion=BESIDE_NOW[part.kind]))

    def _headed(self, content: str, name: str, rest: int) -> None:
        power = None
        with suppress(NotationError):
            power = parse_power(name, self.game_map)
        if power:
            if self.letter and self.whose not in (None, power) and self._is_addressed(content[rest:]):
                self.set_aside.add(self.number)
                self._pass(content)
                return
            super()._headed(content, name, rest)
            return
        if self._beside_orders(content) or self._moment_before(content, name, rest):
            return
        if not (self.letter and len(SENTENCES.split(content)) > 1) and self._statement(content):
            return
        if self.letter and not content[rest:].strip() and self._season_told(content, name):
            return
        with suppress(NotationError):
            orders = self._parsed(content)
            self._give(orders)
            return
        if self.letter and not self._is_a_misspelt_power(name):
            self._take(content, alone=False)
        elif self._is_talk(content) and not (says("not_meant", name) or says("retractions", name)):
            self._pass(content)
        else:
            super()._headed(content, name, rest)

    def _is_addressed(self, text: str) -> bool:
        """Whether a text behind another power's name is a message to that power, and no order of it."""
        return bool(text.strip()) and not holds_order(text, self.game_map) and not self._is_whole(text)

    def _moment_before(self, content: str, name: str, rest: int) -> bool:
        """`Builds: F Kie`: what follows on the line is for that phase."""
        said, _ = season_in(name)
        if not said or self.now is None:
            return False
        before, self.moment = self.moment, moment_named(season_named_in(name), self.now, self.game_map)
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

    def _season(self, heading: str, phase: Phase | None) -> None:
        if self.now is None and phase not in (None, self.board.phase):
            raise SheetError(f"these are for a phase of {phase}; the position is one of {self.board.phase}", column=1)
        self._enter(heading)
        self.scoped = self.power is not None

    def _enter(self, heading: str) -> None:
        """The orders below a heading are for the phase that it names."""
        if self.now is not None:
            self.moment, self.begun = moment_named(season_named_in(heading), self.now, self.game_map), False
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
        above = [self.own.get(self.number - lines, "") for lines in range(1, _LONGEST_SIGNATURE)] if self.letter else []
        return any(map(closes, takewhile(str.strip, above)))

    def _below_closing(self, content: str) -> None:
        """A name or an address at a letter's end, which is never read piece by piece."""
        if holds_order(content, self.game_map):
            hint = "write an order by itself, above the end of the letter"
            self._refuse(NotationError(f"{content[:LONGEST_SHOWN]!r} stands in the signature", suggestion=hint))
        else:
            self._pass(content)


def _done_to_units(heading: str) -> str:
    """Whether a heading says that the units below it are built, or removed."""
    for verb, name in (("Remove", "disband"), ("Build", "build")):
        if any(len(word) > _SHORTEST_VERB and is_one_of(name, word) for word in heading.split()):
            return verb
    return ""
