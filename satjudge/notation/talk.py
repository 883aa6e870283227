"""Reads orders in the sentences of a player: beside politeness, comments, lists and brackets."""

from __future__ import annotations

import re
from contextlib import suppress

from satjudge.base.errors import MOST_TOLD, NotationError
from satjudge.notation.contradictions import MOST_PIECES, ONE_THAT_COUNTS
from satjudge.notation.leftovers import without_politeness
from satjudge.notation.lines import (
    NamedSeason,
    end_of_correction,
    end_without,
    is_one_of,
    leaves_open,
    names_nothing,
    opening_of,
    opens_with,
    place_of,
    says,
    season_named_in,
    without,
)
from satjudge.notation.moments import moment_named
from satjudge.notation.orders_by_phase import LONGEST_SHOWN, Remark
from satjudge.notation.parse import LONGEST_ORDER, parse_orders, told_orders
from satjudge.notation.rewording import key_of, ordered_words, vocabulary
from satjudge.notation.statements import Statements
from satjudge.world.board import Phase
from satjudge.world.orders import Build, Hold, Move, SupportHold, SupportMove

_ASIDE = re.compile(r"(?<!\s)\s*\(([^()]{4,300})\)")
_IN_WINTER = re.compile(r"(?<!\s)\s+(?:in\s+)?(?:the\s+|this\s+)?winter\s*[.!]*$", re.IGNORECASE)
SENTENCES = re.compile(
    r"(?<=[^\W\d_A-Z]{2}[.!?])\s+(?!\d)|(?<=[^\s.]{3}[.!?])\s+(?!\d)|(?<=\s[HhDdBb][.!?])\s+|(?<=[)\"'!?][.!?])\s+"
)
_NUMBERED = re.compile(r"(?:^|(?<=\s))[(]?[0-9]{1,2}[.)]\s*(?=[^\W\d])")
_PIECES = re.compile(r"[,;]")
HEAD_OF_LINE = re.compile(r"([^:]{1,60}):\s*(?=\S)")

_BESIDE_ORDERS = "if it is no order take the line out; among the orders of one power such lines are passed over"


class OrdersInTalk(Statements):
    """A reader of lines that hold more than orders, or orders in other words."""

    def _take(self, text: str, *, alone: bool = True) -> None:
        """A line, or a piece of one: its orders, or what it says else."""
        if self.retreats_behind_arrow and ">" in text and self._retreats_behind(text):
            return
        try:
            orders = self._parsed(text)
        except NotationError:
            if (alone and self._beside_orders(text)) or self._in_sentences(text) or self._statement(text):
                return
            if self._unordered(text) or self._correction(text) or self._behind_talk(text) or self._around_talk(text):
                return
            if self._supports_these(text) or self._in_other_words(text) or self._in_pieces(text):
                return
            if not self._talked(text):
                self._take_no_order(text)
        else:
            remarks = " ".join(aside[1] for aside in _ASIDE.finditer(text))  # `(void)`, which judges write for a result
            if self.letter and (says("retractions", text) or says("denials", remarks)):
                what = f"{text[:LONGEST_SHOWN]!r} takes something back"
                self._refuse_order(text, NotationError(what, suggestion=ONE_THAT_COUNTS))
            else:
                self._give(orders)

    def _take_no_order(self, text: str) -> None:
        """Keep a line that may be settled, or refuse it with what was perhaps meant; of many such lines only with the first."""
        standing = self.standing.get(self.power or "", ())
        if opens_with("alternatives", text):
            self._retract(self._lines_above[-1:])
        try:
            parse_orders(text, self.game_map, self._phase, standing=standing, quick=len(self.sheet.refused) >= MOST_TOLD)
        except NotationError as error:
            if self.moment == self.now and self._doubted(text, error):
                return
            if self.lenient:
                self._give(told_orders(text, self.game_map, self._phase, standing=standing))
            elif self.letter and not self._is_a_misspelt_power(text):
                self._refuse_order(text, error)
            else:
                beside = _BESIDE_ORDERS if names_nothing(text, self.game_map) else None
                self.unread.append((error, self.power or "", self._units_named(text), text))
                error.suggestion = self._phase_meant(text) or error.suggestion or beside
                raise

    def _in_sentences(self, text: str) -> bool:
        """Read each sentence of a player's line by itself, without what stands in brackets beside it."""
        if not self.letter:
            return False
        kept = _ASIDE.sub(self._pass_aside, text)
        pieces = [piece.strip() for piece in SENTENCES.split(kept) if piece.strip()]
        silent = names_nothing(text, self.game_map) and not any(is_one_of("all_hold", piece) for piece in pieces)
        if (len(pieces) < 2 and kept == text) or len(pieces) > MOST_PIECES or silent:
            return False
        for piece in pieces:
            self._take(piece, alone=False)
        return True

    def _pass_aside(self, aside: re.Match[str]) -> str:
        """Pass over what stands in brackets, but a coast and a retreat; whether an order hangs on it is seen later."""
        if key_of(aside[1]) in vocabulary(self.game_map).coasts or says("retreat", aside[1]):
            return aside[0]
        self._pass(aside[0])
        *_, beside = SENTENCES.split(aside.string[: aside.start()])
        if _ASIDE.sub("", aside.string).strip(" .!"):
            self.remarks[self.number, aside[0].strip()] = Remark(beside)
        return ""

    def _in_other_words(self, text: str) -> bool:
        """Orders beside words of politeness, a comment or what they replace, in a list on one line, or in a table."""
        if not self.letter or len(text) > LONGEST_ORDER:
            return False
        cells = [cell.strip() for cell in text.split(";")] if "|" in self.own.get(self.number, "") else []
        listed = "; ".join(one for one in _NUMBERED.split(text) if one.strip(" ,;"))
        return self._taken_as(text, without_politeness(text), " ".join(cells), self._in_place_of(text), listed)

    def _taken_as(self, text: str, *forms: str) -> bool:
        """Take the first form of a text that is all orders."""
        for written in forms:
            if written and written != text:
                with suppress(NotationError):
                    self._give_as(text, self._parsed(written))
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
        if not self.letter or not 1 < len(pieces) <= MOST_PIECES or names_nothing(text, self.game_map):
            return False
        if says("guesses", text) or leaves_open(text) or any(self._goes_on(piece) for piece in pieces[1:]):
            return False
        if any(self._is_led(piece) for piece in pieces[:-1]):
            return False
        told, given = len(self.sheet.passed_over), len(self.sheet.orders)
        for piece in pieces:
            self._take(piece, alone=False)
        for remark in self.sheet.passed_over[told:] if len(self.sheet.orders) > given else ():
            self.remarks.setdefault(remark, Remark(text.replace(remark[1], " "), self.sheet.orders[given:]))
        return True

    def _goes_on(self, piece: str) -> bool:
        """Whether a piece of a line names a place, and no unit that does anything: then what stands before it goes on there."""
        kinds = {word.kind for word in ordered_words(piece, self.game_map)}
        return "place" in kinds and kinds.isdisjoint(("army", "fleet", "support")) and not self._is_whole(piece)

    def _is_led(self, piece: str) -> bool:
        """Whether unknown words stand before an order, which may be meant of all behind it, too: `I considered A Par - Bur`."""
        units = [word.start for word in ordered_words(piece, self.game_map) if word.kind in ("army", "fleet")]
        leads = (begin for begin in units if piece[:begin].rstrip()[-1:].isalpha())
        return not self._is_whole(piece) and any(self._is_whole(piece[begin:]) for begin in leads)

    def _around_talk(self, text: str) -> bool:
        """`I would like to build an army in Munich`, `Mun supports Ber this time`: an order beside words that say nothing."""
        if not self.letter or self._builds_in_winter(text):
            return self.letter
        begin = opening_of(text)
        said = season_named_in(text[:begin])
        later = said != NamedSeason() and (self.now is None or moment_named(said, self.now, self.game_map) != self.moment)
        if leaves_open(text[:begin]) or later:
            return False
        return self._taken_as(text, text[begin:], without(("besides",), text[begin:]))

    def _correction(self, text: str) -> bool:
        """`Sorry, I meant A Par - Pic`: an order behind words of correction takes the place of one to the same unit."""
        begin = end_of_correction(text) if self.letter else 0
        return begin > 0 and self._taken_as(text, text[begin:], without(("besides",), text[begin:]))

    def _builds_in_winter(self, text: str) -> bool:
        """`Build A Kiel in winter`, among moves: an order for that Winter."""
        said = _IN_WINTER.search(text)
        if said is None or self.now is None or self.moment != self.now or (later := self._later(Phase.ADJUSTMENT)) <= self.now:
            return False
        orders = self._read_for(text[: said.start()], later.phase)
        if not orders or not all(isinstance(order, Build) for order in orders):
            return False
        self._keep_all(orders, later, text)
        return True

    def _behind_talk(self, text: str) -> bool:
        """`So here we go: A Par - Bur`: an order behind a colon."""
        head = HEAD_OF_LINE.match(text)
        if not self.letter or head is None or not names_nothing(head[1], self.game_map):
            return False
        if is_one_of("replacements", (key_of(head[1]).split() or [""])[-1]):
            self._replace_all()
        elif leaves_open(head[1]) or is_one_of("earlier", head[1]):
            return False
        if not self._statement(text[head.end() :]):
            if names_nothing(text, self.game_map):
                return False
            self._take(text[head.end() :], alone=False)
        self._pass(head[0])
        self.remarks[self.number, head[0].strip()] = Remark(text[head.end() :])
        return True

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
        self._give_as(text, orders)
        return True

    def _talked(self, text: str) -> bool:
        """Pass over what names no unit and no place, where a player may write so, unless an order above hangs on it."""
        talk = self._is_talk(text)
        if talk:
            self._pass(text)
        return talk

    def _is_talk(self, text: str) -> bool:
        """Whether a text names no unit, place or power, where such texts are passed over."""
        return self.talk and names_nothing(text, self.game_map) and not self._is_a_misspelt_power(text)
