"""Reads players' sentences: orders with other words around them, unusual wordings, and statements about orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from satjudge.base.errors import MOST_TOLD, NotationError
from satjudge.notation.messages.phase_orders import (
    BESIDE_NOW,
    LONGEST_SHOWN,
    MOST_PIECES,
    ONE_THAT_COUNTS,
    PhaseOrdersReader,
    Remark,
    ordered_unit,
)
from satjudge.notation.messages.quotations import remove_politeness
from satjudge.notation.parse import LONGEST_ORDER, parse_orders, parse_orders_leniently
from satjudge.notation.phase_names import choose_retreats, find_named_phase
from satjudge.notation.rewording import find_vocabulary, make_key, ordered_words
from satjudge.notation.text_around_orders import (
    NamedSeason,
    begins_with_phrase,
    find_end_without,
    find_phrase,
    has_no_place,
    has_order,
    has_phrase,
    is_phrase,
    is_uncertain,
    may_speak_of_orders,
    measure_correction,
    measure_opening,
    read_named_season,
    remove_phrases,
)
from satjudge.world.board import Phase
from satjudge.world.geography import Map
from satjudge.world.orders import Build, Hold, Move, Named, Order, SupportHold, SupportMove

_ASIDE = re.compile(r"(?<!\s)\s*\(([^()]{4,300})\)")
_IN_WINTER = re.compile(r"(?<!\s)\s+(?:in\s+)?(?:the\s+|this\s+)?winter\s*[.!]*$", re.IGNORECASE)
SENTENCES = re.compile(
    r"(?<=[^\W\d_A-Z]{2}[.!?])\s+(?!\d)|(?<=[^\s.]{3}[.!?])\s+(?!\d)|(?<=\s[HhDdBb][.!?])\s+|(?<=[)\"'!?][.!?])\s+"
)
_NUMBERED = re.compile(r"(?:^|(?<=\s))[(]?[0-9]{1,2}[.)]\s*(?=[^\W\d])")
_PIECES = re.compile(r"[,;]")
HEAD_OF_LINE = re.compile(r"([^:]{1,60}):\s*(?=\S)")
_BESIDE_ORDERS = "if it is not an order, remove the line; in a text with the orders of one power, such lines are ignored"
_SHOULD = re.compile(r"(?<=[\w,])\s+should\b", re.IGNORECASE)
"""`should` within a sentence; at the beginning of a sentence it states a condition."""
_ARROW = re.compile(r"(?<![-–—=>\s])\s*>(?!>)")
_NOT_POSSIBLE = r"if\s+\w+\s+(?:is|are)\s+(?:not\s+\w+|impossible|occupied|blocked|taken)(?:,?\s*then)?"
_OR = rf"or|oder|ou|o|else|then|otherwise|if not|failing that|{_NOT_POSSIBLE}|sonst|dann|sinon|puis|altrimenti|poi"
_PREFERENCES = re.compile(rf"(?:(?<!\s)\s+)?(?:[,;>|]|/(?!\s*[nsew]c?\b)|\b\d[.)]|\b(?:{_OR})\b)\s*", re.IGNORECASE)


class SentenceReader:
    """A reader of texts that contain more than orders, or orders in unusual words."""

    def __init__(self, reader: PhaseOrdersReader) -> None:
        self.reader = reader

    @property
    def map(self) -> Map:
        """The map of the current case."""
        return self.reader.game_map

    def take(self, text: str, *, alone: bool = True) -> None:
        """Store the orders in a line (`alone`) or in a part; without orders, skip it, set it aside for later, or refuse it."""
        if self.reader.retreats_behind_arrow and ">" in text and self._take_retreats_behind_order(text):
            return
        try:
            orders = self.reader.parse_orders_at_hand(text)
        except NotationError:
            if alone and self.reader.take_heading_or_filler(text):
                return
            ways = (
                self._take_sentences,
                self.take_statement,
                self.reader.take_unordered_unit,
                self._take_correction,
                self._take_behind_colon,
                self._take_within_talk,
                self._take_support_of_last,
                self._take_reworded,
                self._take_pieces,
                self.skip_talk,
            )
            if not any(way(text) for way in ways):
                self._defer_or_refuse(text)
        else:
            remarks = " ".join(aside[1] for aside in _ASIDE.finditer(text))  # such as `(void)`, a result that a judge wrote
            if self.reader.is_message and (has_phrase("retractions", text) or has_phrase("denials", remarks)):
                problem = f"{text[:LONGEST_SHOWN]!r} takes something back"
                self.reader.refuse_order_text(text, NotationError(problem, suggestion=ONE_THAT_COUNTS))
            else:
                self.reader.take_orders(orders)

    def _defer_or_refuse(self, text: str) -> None:
        """Set a line aside if other orders may settle it; otherwise refuse it, store it as unreadable, or raise its error."""
        reader, power = self.reader, self.reader.power or ""
        kind, standing = reader.phase_kind, reader.standing.get(power, ())
        if begins_with_phrase("alternatives", text):
            reader.retract(reader.lines_above[-1:], reason=f"may be another one, as line {reader.number} says")
        try:
            parse_orders(text, self.map, kind, own_places=standing, quick=len(reader.sheet.refused) >= MOST_TOLD)
        except NotationError as error:
            is_refused = reader.is_message and not reader.is_misspelt_power(text)
            error.column = reader.find_column(text, error.column) if is_refused else error.column
            if reader.is_at_hand and reader.keep_if_doubtful(text, error):
                return
            if reader.lenient:
                reader.take_orders(parse_orders_leniently(text, self.map, kind, own_places=standing))
            elif is_refused:
                error.add_place(offset=reader.indent)
                reader.refuse_order_text(text, error)
            else:
                beside = _BESIDE_ORDERS if has_no_place(text, self.map) else None
                reader.keep_unread(error, text, power)
                error.suggestion = reader.suggest_phase(text) or error.suggestion or beside
                raise

    def _take_sentences(self, text: str) -> bool:
        """Read each sentence of a player's line separately, without bracketed remarks; return whether the line is divisible."""
        if not self.reader.is_message:
            return False
        if has_no_place(text, self.map) and not any(is_phrase("all_hold", piece.strip()) for piece in SENTENCES.split(text)):
            return False
        rest = _ASIDE.sub(self._ignore_aside, text)
        pieces = [piece.strip() for piece in SENTENCES.split(rest) if piece.strip()]
        if (len(pieces) < 2 and rest == text) or len(pieces) > MOST_PIECES:
            return False
        for piece in pieces:
            self.take(piece, alone=False)
        return True

    def _ignore_aside(self, aside: re.Match[str]) -> str:
        """Record a remark in brackets as skipped and return ""; return a coast or a retreat in brackets unchanged."""
        if make_key(aside[1]) in find_vocabulary(self.map).coasts or has_phrase("retreat", aside[1]):
            return aside[0]
        self.reader.ignore(aside[0])
        *_, beside = SENTENCES.split(aside.string[: aside.start()])
        if _ASIDE.sub("", aside.string).strip(" .!"):
            self.reader.remarks[self.reader.number, aside[0].strip()] = Remark(beside)
        return ""

    def _take_reworded(self, text: str) -> bool:
        """Store orders beside polite words, a comment or the order they replace, or in a list; return whether it has any."""
        if not self.reader.is_message or len(text) > LONGEST_ORDER:
            return False
        cells = [cell.strip() for cell in text.split(";")] if "|" in self.reader.own_lines.get(self.reader.number, "") else []
        list_text = "; ".join(one for one in _NUMBERED.split(text) if one.strip(" ,;"))
        return self._take_first_form(text, text, " ".join(cells), self._find_replacing_order(text), list_text)

    def _take_first_form(self, text: str, *forms: str) -> bool:
        """Store the orders of the first of these forms that has only orders and polite words; return whether there is one."""
        for form in forms:
            for bare in (form, remove_politeness(form) if len(form) <= LONGEST_ORDER else ""):
                if bare and bare != text:
                    with suppress(NotationError):
                        self.reader.take_orders_as(text, self.reader.parse_orders_at_hand(bare))
                        for words in form.split(bare, 1):
                            self.reader.ignore(words.strip(" ,;.-–—"))
                        return True
        return False

    def _find_replacing_order(self, text: str) -> str:
        """Return the first order of a text like `A Ven H instead of A Ven - Tyr`; "" for any other text."""
        begin = find_phrase("in_place_of", text)
        before, after = text[: begin or 0], remove_phrases(("in_place_of",), text[begin or 0 :])
        unit = self.reader.find_last_unit(before) if before else None
        is_same = unit and (other := self.reader.find_last_unit(after)) and other.province == unit.province
        return before.strip(" ,;") if is_same else ""

    def _take_pieces(self, text: str) -> bool:
        """Read each text between the commas of a player's line separately; return whether the line may be divided like this."""
        pieces = [piece.strip() for piece in _PIECES.split(text) if piece.strip()]
        if not self.reader.is_message or not 1 < len(pieces) <= MOST_PIECES or has_no_place(text, self.map):
            return False
        if has_phrase("guesses", text) or is_uncertain(text) or any(self._continues_order(piece) for piece in pieces[1:]):
            return False
        is_list = self._is_unit(pieces[0]) and not all(has_no_place(piece, self.map) for piece in pieces[1:])
        if is_list or any(self._has_unknown_lead(piece) for piece in pieces[:-1]):
            return False
        passed_count, given = len(self.reader.sheet.passed_over), len(self.reader.sheet.orders)
        for piece in pieces:
            self.take(piece, alone=False)
        for remark in self.reader.sheet.passed_over[passed_count:] if len(self.reader.sheet.orders) > given else ():
            self.reader.remarks.setdefault(remark, Remark(text.replace(remark[1], " "), self.reader.sheet.orders[given:]))
        return True

    def _continues_order(self, piece: str) -> bool:
        """Return whether a part of a line continues the order before it: it names no unit that acts, or only a unit."""
        kinds = {word.kind for word in ordered_words(piece, self.map)}
        if self._is_unit(piece):
            return True
        return "place" in kinds and kinds.isdisjoint(("army", "fleet", "support")) and not self.reader.is_all_orders(piece)

    def _is_unit(self, piece: str) -> bool:
        """Return whether a part of a line names a unit and nothing else."""
        return {word.kind for word in ordered_words(piece, self.map)} <= {"army", "fleet", "place", "coast"}

    def _has_unknown_lead(self, piece: str) -> bool:
        """Return whether an order in a text follows words that are not an order: `I considered A Par - Bur`."""
        units = [word.start for word in ordered_words(piece, self.map) if word.kind in ("army", "fleet")]
        leads = (begin for begin in units if piece[:begin].rstrip()[-1:].isalpha())
        return not self.reader.is_all_orders(piece) and any(self.reader.is_all_orders(piece[begin:]) for begin in leads)

    def _take_within_talk(self, text: str) -> bool:
        """Store an order within filler words (`I would like to build A Mun`), or Winter's builds; return whether it did."""
        if not self.reader.is_message or self._take_winter_builds(text):
            return self.reader.is_message
        begin = measure_opening(text)
        named_season = read_named_season(text[:begin])
        now, target = self.reader.now, self.reader.target_phase
        later = named_season != NamedSeason() and (now is None or find_named_phase(named_season, now, self.map) != target)
        if is_uncertain(text[:begin]) or later:
            return False
        return self._take_first_form(text, text[begin:], remove_phrases(("besides",), text[begin:]))

    def _take_correction(self, text: str) -> bool:
        """Store an order after words of correction (`Sorry, I meant A Par - Pic`); return whether there was one."""
        begin = measure_correction(text) if self.reader.is_message else 0
        if begins_with_phrase("refusals", text) and not self._corrects_orders(text[begin:]):  # `No. A Par - Bur`
            return False
        return begin > 0 and self._take_first_form(text, text[begin:], remove_phrases(("besides",), text[begin:]))

    def _take_winter_builds(self, text: str) -> bool:
        """Store builds among moves for the Winter that their text names (`Build A Kiel in winter`); return whether it did."""
        winter_match = _IN_WINTER.search(text)
        now = self.reader.now
        if winter_match is None or now is None or not self.reader.is_at_hand:
            return False
        if (later := self.reader.find_later_phase(Phase.ADJUSTMENT)) <= now:
            return False
        orders = self.reader.parse_for_phase(text[: winter_match.start()], later.phase)
        if not orders or not all(isinstance(order, Build) for order in orders):
            return False
        self.reader.keep_orders(orders, later, text)
        return True

    def _take_behind_colon(self, text: str) -> bool:
        """Read the text after talk and a colon (`So, instead:`), perhaps instead of all orders above; return whether it did."""
        head = HEAD_OF_LINE.match(text)
        if not self.reader.is_message or head is None or not has_no_place(head[1], self.map):
            return False
        if is_phrase("replacements", (make_key(head[1]).split() or [""])[-1]):
            if has_phrase("retractions", head[1]) or not self._corrects_orders(text[head.end() :]):
                self.reader.replace_all()
        elif is_uncertain(head[1]) or is_phrase("earlier", head[1]):
            return False
        if not self.take_statement(text[head.end() :]):
            if has_no_place(text, self.map):
                return False
            self.take(text[head.end() :], alone=False)
        self.reader.ignore(head[0])
        self.reader.remarks[self.reader.number, head[0].strip()] = Remark(text[head.end() :])
        return True

    def _corrects_orders(self, text: str) -> bool:
        """Return whether all orders in a text are to units that have orders already, or to other powers' units."""
        orders, power = self.reader.parse_for_phase(text, self.reader.phase_kind), self.reader.power or ""
        ordered = {
            unit.province for one in self.reader.sheet.orders if one.power == power and (unit := ordered_unit(one.order))
        }
        units = {unit.province for one in orders if (unit := ordered_unit(one))}
        return bool(units) and units.isdisjoint(self.reader.standing.get(power, set()) - ordered)

    def _take_support_of_last(self, text: str) -> bool:
        """Store a support that refers to the order before it (`A War S same`); return whether the text is such a support."""
        before = self.reader.sheet.orders[-1] if self.reader.sheet.orders else None
        if before is None or self.reader.power != before.power or not self.reader.is_at_hand:
            return False
        if before.line + 1 < self.reader.number:
            return False
        last = before.order
        if not isinstance(last, Move | Hold):
            return False
        helped = f"{last.unit} - {last.destination}" if isinstance(last, Move) else str(last.unit)
        bare = text[: find_end_without("these", text)]
        read = partial(self.reader.parse_for_phase, phase=Phase.MOVEMENT)
        orders = read(f"{bare} {helped}") or read(f"{bare} S {helped}")
        if len(orders) != 1 or not isinstance(orders[0], SupportMove | SupportHold) or not has_phrase("support", text):
            return False
        self.reader.take_orders_as(text, orders)
        return True

    def skip_talk(self, text: str) -> bool:
        """Record a text as skipped if `is_talk` is true for it; return whether it is."""
        if talk := self.is_talk(text):
            self.reader.ignore(text)
            above = [entry for entry in self.reader.sheet.orders if entry.line == self.reader.number - 1]
            if above and text.startswith(("(", "[", "...", "…")):  # it is a remark on the order above
                self.reader.remarks[self.reader.number, text.strip()] = Remark(" ".join(str(one.order) for one in above), above)
        return talk

    def is_talk(self, text: str) -> bool:
        """Return whether to skip a text: this reader skips talk, and the text names no unit, place or misspelt power."""
        return self.reader.skips_talk and has_no_place(text, self.map) and not self.reader.is_misspelt_power(text)

    def take_statement(self, text: str) -> bool:
        """Handle a statement about orders (`all hold`, `same as last turn`, `if dislodged …`); return whether it is one."""
        if self.reader.power is None or len(text) > LONGEST_ORDER:
            return False
        at_hand = self.reader.is_at_hand and self.reader.board.phase is Phase.MOVEMENT
        if self._take_retreat_list(text) or (at_hand and self._take_retreats_behind_order(text)):
            return True
        if is_phrase("all_hold", text) and at_hand:
            self.reader.all_hold[self.reader.power] = (self.reader.number, text)
        elif at_hand and (but := self._find_exceptions(text)):
            self.reader.all_hold[self.reader.power] = (self.reader.number, text)
            self.reader.take_orders(but)
        elif self.reader.is_message and has_phrase("stays", text) and has_no_place(text, self.map) and self.reader.is_at_hand:
            self.reader.adding = True
            self.reader.sheet.read_as.append((self.reader.number, text.strip(), "--add: the orders to other units still count"))
        elif self.reader.is_message and has_phrase("planned", text) and not has_no_place(text, self.map):
            error = NotationError(f"{text[:LONGEST_SHOWN]!r} is for a later turn", suggestion=BESIDE_NOW["planned"])
            self.reader.refuse(error, text)
        elif has_phrase("repeats", text) and has_no_place(text, self.map):
            hint = "write the orders"
            self.reader.refuse(NotationError(f"{text!r} is not an order by itself", suggestion=hint))
        elif (begin := find_phrase("conditions", text)) is not None and (
            has_phrase("dislodgement", text) or not has_no_place(text, self.map) or text.endswith(",")
        ):
            if text.endswith((":", ",")) and not remove_phrases(("openings",), text[:begin]).strip(" ,;-(–"):
                self.reader.retract(self.reader.find_paragraph(), reason="depends on the condition above it")
            self._take_conditional(text, text[:begin].strip(" ,;-(–"), text[begin:].strip(" )."))
        else:
            return False
        return True

    def _find_exceptions(self, text: str) -> list[Order]:
        """Return the orders after `All hold except` in a text; an empty list for any other text."""
        begin = find_phrase("but_for", text)
        if not begin or not is_phrase("all_hold", text[:begin]):
            return []
        return self.reader.parse_for_phase(remove_phrases(("but_for",), text[begin:]), Phase.MOVEMENT)

    def _take_conditional(self, text: str, head: str, tail: str) -> None:
        """Store conditional retreats or builds (the order `head` with the condition `tail`); refuse other such orders."""
        if self.reader.now is None or not self.reader.is_at_hand:
            self.reader.refuse(_make_uncertain_error(text), text)
            return
        head = head if remove_phrases(("openings",), head) else ""
        if has_phrase("dislodgement", tail) and self.reader.board.phase is Phase.MOVEMENT:
            # `A Par - Bur, retreat Gas or Pic if dislodged`
            if not remove_phrases(("dislodgement", "fillers"), tail).strip(" ,;:-"):
                begin = find_phrase("retreat", head) or head.rfind(",") + 1
                head, tail = head[:begin].rstrip(" ,;(-–"), f"{head[begin:]}, {tail}"
            unit = self.reader.find_last_unit(head) if head else self.reader.last_unit and self.reader.last_unit[1]
            if orders := self._parse_retreats(tail, unit):
                self.reader.keep_orders(orders, self.reader.find_later_phase(Phase.RETREAT), tail if head else text)
                if head:  # the head is read by itself
                    self.take(head, alone=False)
                return
        elif not head and (later := self.reader.find_later_phase(Phase.ADJUSTMENT)) > self.reader.now:
            words = [match.start() for match in re.finditer(r"\S+", tail)]
            for begin in words[1:20]:
                orders = self.reader.parse_for_phase(tail[begin:].replace(",", " "), later.phase)
                if orders and all(isinstance(order, Build) for order in orders):
                    if {word.kind for word in ordered_words(tail[:begin], self.map)}.isdisjoint(("power", "place")):
                        self.reader.keep_orders(orders, later, text)
                    else:  # `If Germany agrees, build A Par`
                        self.reader.refuse(_make_uncertain_error(text), text)
                    return
        why = f"depends on the condition in line {self.reader.number}"
        above = [line for line in self.reader.lines_above[-1:] if line + 1 >= self.reader.number]
        if not head and (begins_with_phrase("attached", tail) or not has_order(tail, self.map)):
            self.reader.retract(above, reason=why)
        elif not has_phrase("dislodgement", tail):
            self.reader.retract((), self.reader.find_named_places(head or tail.rpartition(",")[2]), why)
        orders = self.reader.parse_for_phase(head or text[: text.find(",")], self.reader.phase_kind)
        error = self.reader.refuse(_make_uncertain_error(text, orders), orders[0] if len(orders) == 1 else head or text)
        says = tail if re.match(r"should (?:say|read|be|have)\b", tail, re.IGNORECASE) else head  # `that should say Picardy`
        speaks = may_speak_of_orders(head) or not has_no_place(says, self.map)
        if head and speaks and not (orders or has_phrase("dislodgement", tail)):
            self.reader.keep_unread(error, head, self.reader.power)

    def _take_retreat_list(self, text: str) -> bool:
        """In a retreat phase, store the first possible retreat (else the first) of `A Par R Gas, Pic`; return if it has any."""
        among_retreats = self.reader.phase_kind is Phase.RETREAT and self.reader.target_phase
        found = self._parse_retreats(text, None) if among_retreats else []
        if len(found) > 1 and self.reader.is_at_hand:
            found = choose_retreats(found, self.reader.board)
        if found:
            self.reader.take_orders_as(text, found)
        return bool(found)

    def _take_retreats_behind_order(self, text: str) -> bool:
        """Store an order and retreats after it (`A Par - Bur (r Gas)`, after `>` if agreed); return whether it has any."""
        arrow = _ARROW.search(text)
        for at, agreed in ((find_phrase("retreat", text), True), (arrow and arrow.start(), self.reader.retreats_behind_arrow)):
            head = text[:at].rstrip(" ,;:(/[-–") if self.reader.now else ""
            orders = self.reader.parse_for_phase(head, Phase.MOVEMENT) if at else []
            if orders and (found := self._parse_retreats(text[at:], ordered_unit(orders[-1]))):
                self.reader.take_orders(orders)
                rest = text[at:].strip()
                if agreed:
                    self.reader.keep_orders(found, self.reader.find_later_phase(Phase.RETREAT), rest)
                else:
                    hint = f"write (retreat {rest.strip(' >')}) if they are retreats"
                    self.reader.refuse(NotationError(f"{rest!r} is not part of a path", suggestion=hint))
                return True
        return False

    def _parse_retreats(self, text: str, unit: Named | None) -> list[Order]:
        """Return the retreats of a unit in order of preference; an empty list if the text contains anything else."""
        found: list[Order] = []
        for part in _PREFERENCES.split(text):
            place = remove_phrases(("dislodgement", "fillers"), part).strip(" ():.!-")
            if not place:
                continue
            forms = (place, f"{unit} {place}", f"{unit} R {place}") if unit else (place,)
            orders = next((orders for form in forms if (orders := self.reader.parse_for_phase(form, Phase.RETREAT))), [])
            if not orders and not found and (last_unit := self.reader.find_last_unit(place)):
                unit = last_unit
            elif not orders:
                return []
            found += orders
            unit = ordered_unit(orders[-1]) if orders else unit
        return found


def _make_uncertain_error(text: str, orders: Sequence[Order] = ()) -> NotationError:
    """Return the error for a text whose orders are not certain: a question, condition, withdrawal or correction."""
    is_kept = has_phrase("dislodgement", text) or has_phrase("phases", text)
    headings = "leave out the condition, and write builds below `Builds:` and retreats below `Retreats:`"
    later = headings if is_kept else "send what counts by itself"
    certain = f"write {'; '.join(map(str, orders))} by itself" if orders else later
    hint = f"an order must be certain: {certain}"
    if text.rstrip(" )").endswith("?"):
        reason, hint = "asks a question", hint if orders else "an order must be certain"
    elif has_phrase("conditions", _SHOULD.sub(" ", text)):
        reason = "depends on a condition"
    else:  # `it should read A Par - Pic`
        reason, hint = "takes something back" if has_phrase("retractions", text) else "corrects something", ONE_THAT_COUNTS
    return NotationError(f"{text[:LONGEST_SHOWN]!r} {reason}", suggestion=hint)
