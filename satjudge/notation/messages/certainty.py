"""Refuses uncertain orders in a text: options, contradictions, and orders that the text withdraws."""

from __future__ import annotations

import re
from collections.abc import Sequence

from satjudge.base.errors import NotationError, SheetError
from satjudge.notation.messages.phase_orders import (
    LONGEST_SHOWN,
    ONE_THAT_COUNTS,
    EarlyOrder,
    PhaseOrdersReader,
    find_move_before,
    ordered_unit,
)
from satjudge.notation.rewording import find_vocabulary, make_key, ordered_words
from satjudge.notation.sheets import SheetOrder
from satjudge.notation.text_around_orders import (
    count_pointed,
    find_power_heading,
    has_no_place,
    has_order,
    has_phrase,
    is_greeting_of_other,
    is_harmless,
    is_mail_header,
    is_phrase,
    is_uncertain,
    may_speak_of_orders,
    read_named_season,
    read_season_heading,
)
from satjudge.world.board import group_pairs
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import Build, Move, Order

_AMENDMENTS = ("amendments", "retractions", "replacements")
_FEW_WORDS = 6
"""The largest number of words of a line that corrects the order above it without naming its unit."""
_NEAR_YEARS = 5
"""The largest number of years between the present and a year that a short line names for orders."""
_LETTERS = 4
"""The number of first letters that the names of a place in several languages share."""
_UNIT_WITHOUT_PLACE = re.compile(r"\b(?:army|fleet)\b(?! place)")
_THE_UNIT = re.compile(r"(?<!\ban )(?<!\ba )\b(?:army|fleet|armee|flotte|armée|armata|flotta)\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\W*(?:subject|betreff|objet|oggetto)\b", re.IGNORECASE)
_POSTSCRIPT = re.compile(r"\W*(?:p\W{0,2}s|n\W{0,2}b)\b", re.IGNORECASE)
_DOUBTFUL_SIGNS = re.compile("[?❌❓✗✘👎\U0001f645\U0001f6ab⛔\U0001f914\U0001f921\U0001f925\U0001f937]|¯\\\\_")
"""Signs that mean no or maybe on a line of their own."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CLAUSE = re.compile(r"(?<=[.!?,;)])\s+|(?<!\s)\s+-+\s+")


class CertaintyCheck:
    """A check of all orders in a text, which refuses each order that another part of the text makes uncertain."""

    def __init__(self, reader: PhaseOrdersReader) -> None:
        self.reader = reader
        self.sheet = reader.sheet
        self.map = reader.game_map
        self.lines = reader.all_lines

    def drop_uncertain(self) -> None:
        """Move every uncertain order, also those for later phases, from the stored orders to the refusals, with the reason."""
        self._drop_continued()
        self._drop_retracted()
        if self.reader.is_message:
            self._drop_adopted()
            self._drop_options()
            self._drop_contradictions()
        self._drop_corrected()
        self._drop_denied()
        self._drop_remarked()
        if self.reader.is_message:
            self._refuse_quotation()

    def _drop_adopted(self) -> None:
        """Refuse each adopted order of a quotation whose unit has an order or a refused line in the writer's own text."""
        adopted = self.reader.adopted_lines
        for entry in [entry for entry in self.sheet.orders if entry.line in adopted]:
            unit = ordered_unit(entry.order)
            others = [one for one in self.sheet.orders if one.power == entry.power and one.line not in adopted]
            provinces = {one.province for other in others if (one := ordered_unit(other.order))}
            provinces |= self.reader.unclear_places.get(entry.power, set())
            if unit and unit.province in provinces:
                self.sheet.orders.remove(entry)
                self.reader.number = entry.line
                problem = f"{entry.order} is quoted, but the letter says something else about {unit.province}"
                self.reader.refuse(NotationError(problem), entry.order)

    def _drop_options(self) -> None:
        """If a message offers alternative sets of orders, refuse every order that is not in all sets."""
        options = dict.fromkeys(part for part in self.reader.parts.values() if part.kind == "options")
        ordered = {part: [one for one in self.sheet.orders if part.begin <= one.line < part.end] for part in options}
        for part, entries in ordered.items():
            for entry in entries:
                others = (beside for other, beside in ordered.items() if other != part)
                if not all(any(entry.order == one.order for one in beside) for beside in others):
                    problem = f"{entry.order} is only below {part.heading!r}"
                    self.reader.drop_order(entry, NotationError(problem, suggestion=ONE_THAT_COUNTS))

    def _drop_contradictions(self) -> None:
        """Refuse all orders to a unit that has several different ones, unless a line between them announces a correction."""
        ordered = ((entry, ordered_unit(entry.order)) for entry in self.sheet.orders)
        for entries in group_pairs(((entry.power, unit.province), entry) for entry, unit in ordered if unit).values():
            first, last = entries[0], entries[-1]
            if len({order_key(entry.order) for entry in entries}) > 1 and not self._is_amended(first.line, last.line):
                other = next(entry for entry in entries if order_key(entry.order) != order_key(last.order))
                for entry in entries:
                    against = other if entry.order == last.order else last
                    what_for = "place" if isinstance(entry.order, Build) else "unit"
                    problem = f"{entry.order} is not certain: {against.order} in line {against.line} is for the same {what_for}"
                    self.reader.drop_order(entry, NotationError(problem, suggestion=ONE_THAT_COUNTS))

    def _drop_corrected(self) -> None:
        """Refuse orders that unreadable lines may correct: those to their units, moves to their places, or all of a power's."""
        for error, power, places, text in self.reader.unread_lines:
            line = error.line or 0
            ordered = [entry for entry in self.sheet.orders if entry.power == power]
            words = ordered_words(text, self.map)
            if has_order(text, self.map) and words[0].kind in ("army", "fleet", "place"):  # the text orders this unit
                places = {next(word.text for word in words if word.kind == "place")}
            spoken_of: list[SheetOrder | EarlyOrder] = []
            spoken_of += [entry for entry in ordered if (unit := ordered_unit(entry.order)) and unit.province in places]
            if not spoken_of and has_no_place(text, self.map):
                spoken_of = [entry for entry in ordered if entry in self._find_resembled(text)]
            units = _THE_UNIT.findall(text) if _UNIT_WITHOUT_PLACE.search(" ".join(word.kind for word in words)) else []
            raw = " ".join([*(word.text for word in words if word.kind in ("raw", "army", "fleet")), *units])
            standing = self.reader.standing.get(power, set())
            own = places & standing
            points = 0 < count_pointed(text) <= len(ordered)
            speaks = may_speak_of_orders(text if has_no_place(text, self.map) else raw)
            if own and len(words) == 1 + (words[0].kind in ("army", "fleet")):
                continue  # a unit without an order
            if spoken_of and text.rstrip().endswith("?") and not speaks:
                counts = " and ".join(f"{entry.order} of line {entry.line}" for entry in spoken_of)
                error.suggestion = "; ".join(filter(None, (error.suggestion, f"{counts} stays")))
                continue
            if not spoken_of and (points or (speaks and not (own or self._is_introduction(text)))):
                elsewhere = points or not self.reader.find_named_places(self.lines[line - 1]) & standing
                spoken_of = [entry for entry in ordered if elsewhere or entry.line == line]
            elif not spoken_of and (speaks or not own) and self._names_another_place(text):
                moves = ((entry, entry.order) for entry in ordered)
                entries = [entry for entry, one in moves if isinstance(one, Move) and province_of(one.destination) in places]
                spoken_of = [*entries] or self._find_order_above(line)
            self._refuse_doubtful(spoken_of, f"line {line} may correct it")

    def _drop_denied(self) -> None:
        """Refuse all orders if a line is only a sign for no or maybe (`👎`) or the signature has a postscript or withdrawal."""
        for number, line in enumerate(self.lines, start=1):
            signs = not re.search(r"[^\W_ツ]", line) and _DOUBTFUL_SIGNS.search(line)
            added = number in self.reader.signature_lines and (
                _POSTSCRIPT.match(line) or any(has_phrase(name, line) for name in ("retractions", "replacements", "not_meant"))
            )
            if signs or added:
                self._refuse_doubtful(self._list_orders(), f"line {number}, {line.strip()[:LONGEST_SHOWN]!r}, may refer to it")

    def _drop_remarked(self) -> None:
        """Refuse orders that a remark beside them, a heading above them, or a sentence elsewhere in the text may change."""
        for line, words in list(self.sheet.passed_over):
            if line in self.reader.set_aside or line in self.reader.parts or line <= self.reader.last_replacing_line:
                continue
            if self._is_amendment(line):
                continue
            quoted, headed = repr(words[:LONGEST_SHOWN]), words.rstrip(" *_").endswith((":", "|")) or self._is_lead(line, words)
            listed = {line, self._find_line_below(line)} & self.reader.listed_lines  # `My armies: A Rom` removes none
            owned = listed and has_phrase("owned", words)
            introduces = headed and self._is_introduction(words) and not owned
            if remark := self.reader.remarks.get((line, words)):
                on_line = self._list_orders(line, line + 1)
                beside = f"{remark.beside} {on_line[0].order if len(on_line) == 1 else ''}"
                known = introduces or (not owned and is_harmless(words, self.map, self._speaker, beside))
                if not (known or self._is_name(line, words)):
                    self.sheet.passed_over.remove((line, words))
                    self._refuse_doubtful(remark.entries or on_line, f"the remark {quoted} in line {line} is unclear")
            elif headed or is_phrase("answered", words.strip("-_=*<>: \t")):
                end = self._find_next_heading(line) if headed else None
                if not (introduces or is_mail_header(words)):
                    self._refuse_doubtful(self._list_orders(line, end), f"the heading {quoted} in line {line} is unclear")
            elif self.reader.skips_talk and not all(self._is_unrelated(sentence) for sentence in _SENTENCE.split(words)):
                self._refuse_doubtful(self._list_orders(), f"{quoted} in line {line} may refer to it")
                for _, text in self.reader.all_hold.values():
                    self.reader.refuse(NotationError(f"{text!r} is not certain: {quoted} may refer to it"))
                self.reader.all_hold.clear()
            elif self.reader.skips_talk and has_no_place(words, self.map) and (resembled := self._find_resembled(words)):
                self._refuse_doubtful(resembled, f"{quoted} in line {line} may refer to it")

    def _is_lead(self, line: int, line_text: str) -> bool:
        """Return whether a line leads to the orders below: another power's name begins it, or units without verbs follow."""
        first = find_vocabulary(self.map).powers.get((make_key(line_text).split() or [""])[0])
        below = self._find_line_below(line)
        wished = first not in (None, self._speaker) and line_text[-1:].isalnum() and bool(self._list_orders(below, below + 1))
        return wished or below in self.reader.listed_lines

    def _find_line_below(self, line: int) -> int:
        """Return the number of the next line below a line that is not empty, or 0 if there is none."""
        return next((number for number, text in enumerate(self.lines[line:], line + 1) if text.strip()), 0)

    def _names_another_place(self, text: str) -> bool:
        """Return whether a short text names a place but no unit, like `rather ENG`, which may correct `F Bre - MAO` above."""
        words = ordered_words(text, self.map)
        ordered = any(word.kind in ("army", "fleet") for word in words) or has_order(text, self.map)
        return len(words) <= _FEW_WORDS and not (ordered or has_no_place(text, self.map))

    def _find_order_above(self, line: int) -> list[SheetOrder | EarlyOrder]:
        """List the orders of the last line above `line` that has any; return none if an empty line is between them."""
        above = max((entry.line for entry in self._list_orders(end=line)), default=0)
        return self._list_orders(above, above + 1) if all(map(str.strip, self.lines[above : line - 1])) else []

    def _drop_continued(self) -> None:
        """Refuse an order that seems to continue a move, and that move: `A Par - Bur` and `Bur - Pic`."""
        for entry in list(self.sheet.orders):
            unit = ordered_unit(entry.order)
            own = [one for one in self.sheet.orders if one.power == entry.power]
            move = find_move_before(entry.order, [one.order for one in own], self.reader.standing.get(entry.power, ()))
            if move and unit and (self.reader.is_message or unit.kind is None):
                before = [one for one in own if one.order == move]
                self._refuse_doubtful([entry, *before], f"{entry.order} in line {entry.line} may continue it")

    def _find_resembled(self, sentence: str) -> list[SheetOrder | EarlyOrder]:
        """List the orders to units in provinces whose names begin like a word of a sentence: `Marsella` for Marseilles."""
        powers = find_vocabulary(self.map).powers
        begun = {word[:_LETTERS] for word in make_key(sentence).split() if len(word) > _LETTERS + 1 and word not in powers}
        units = ((entry, ordered_unit(entry.order)) for entry in self._list_orders())
        return [entry for entry, unit in units if unit and make_key(self.map.provinces[unit.province].name)[:_LETTERS] in begun]

    @property
    def _speaker(self) -> Power | None:
        return self.reader.only_power or next((entry.power for entry in self._list_orders()), self.reader.power)

    def _is_name(self, line: int, skipped_text: str) -> bool:
        """Return whether a skipped text is a name after a polite phrase on the same line: `A Par - Bur, thanks, James`."""
        above = [text for number, text in self.reader.remarks if number == line]
        before = above[: above.index(skipped_text)][-1:]
        return bool(before) and is_harmless(f"{before[0]} {skipped_text}", self.map, self._speaker)

    def _is_unrelated(self, sentence: str) -> bool:
        """Return whether a sentence cannot change an order, greets no other power and names no other year above orders."""
        known = not may_speak_of_orders(sentence) or is_harmless(sentence, self.map, self._speaker)
        if is_mail_header(sentence):  # a question in a subject asks about something else
            known = not (_SUBJECT.match(sentence) and is_uncertain(sentence.replace("?", " ")))
        return known and not (is_greeting_of_other(sentence, self.map, self._speaker) or self._names_other_year(sentence))

    def _names_other_year(self, text: str) -> bool:
        """Return whether a text of a few words names a year near the present one, without a season: `1902:`, above orders."""
        season, now = read_named_season(text), self.reader.now
        bare = not (season.season or season.phase) and len(text.split()) <= _FEW_WORDS
        return bool(bare and now and season.year and 0 < abs(season.year - now.year) <= _NEAR_YEARS)

    def _is_introduction(self, line_text: str) -> bool:
        """Return whether a line with a colon only announces orders: `So here are my orders:`."""
        *_, last = [piece for piece in _CLAUSE.split(line_text) if any(map(str.isalnum, piece))] or [""]
        known = is_harmless(last, self.map, self._speaker) or find_power_heading(last, self.map) is not None
        known = known and not self._names_other_year(last)
        return known and all(self._is_unrelated(piece) for piece in _SENTENCE.split(line_text[: line_text.rindex(last)]))

    def _find_next_heading(self, line: int) -> int:
        """Return the number of the next line that names a power or phase or announces orders; one past the end if none does."""
        for number, text in enumerate(self.lines[line:], start=line + 1):
            content = text.strip()
            if find_power_heading(content, self.map) or read_season_heading(content)[0]:
                return number
            if content.endswith(":") and self._is_introduction(content):
                return number
        return len(self.lines) + 1

    def _list_orders(self, begin: int = 0, end: int | None = None) -> list[SheetOrder | EarlyOrder]:
        entries: list[SheetOrder | EarlyOrder] = [*self.sheet.orders, *self.reader.early_orders]
        return [entry for entry in entries if begin <= entry.line < (end or len(self.lines) + 1)]

    def _refuse_doubtful(self, entries: Sequence[SheetOrder | EarlyOrder], reason: str) -> None:
        """Refuse these orders, and all other orders to the same units in the same phases, for this reason."""
        subjects = {_subject_of(entry) for entry in entries} - {None}
        for entry in [entry for entry in self._list_orders() if entry in entries or _subject_of(entry) in subjects]:
            error = NotationError(f"{entry.order} is not certain: {reason}", suggestion="send what counts by itself")
            self.reader.drop_order(entry, error)

    def _is_amendment(self, line: int) -> bool:
        """Return whether a line announces a correction and is between two orders to the same unit."""
        if not any(has_phrase(name, self.lines[line - 1]) for name in _AMENDMENTS):
            return False
        lines = group_pairs(((entry.power, ordered_unit(entry.order)), entry.line) for entry in self.sheet.orders)
        return any(min(numbers) < line <= max(numbers) for numbers in lines.values())

    def _is_amended(self, first: int, last: int) -> bool:
        """Return whether a line after the line `first`, up to and including `last`, announces a correction."""
        lines = [line for number, line in self.reader.own_lines.items() if min(first + 1, last) <= number <= last]
        return any(has_phrase(name, line) for line in lines for name in _AMENDMENTS)

    def _drop_retracted(self) -> None:
        for one in self.reader.retractions:
            for entry in self._list_orders():
                unit = ordered_unit(entry.order)
                if entry.power == one.power and (entry.line in one.lines or (unit and unit.province in one.places)):
                    why = f"it {one.why}" if one.why else f"line {one.line} takes something back"
                    self.reader.drop_order(entry, NotationError(f"{entry.order} is not certain: {why}"))

    def _refuse_quotation(self) -> None:
        """Record an error if a message has a quotation with orders, but no orders of its own."""
        quotation = self.reader.quotation
        if quotation and not (self.sheet.orders or self.reader.early_orders or self.reader.all_hold):
            last = quotation.end - 1
            lines = f"lines {quotation.begin} to {last}" if last > quotation.begin else "this line"
            hint = "write them without quotation marks, or write above the quotation: as quoted"
            self.reader.number = quotation.begin
            self.reader.refuse(SheetError(f"{lines}: orders that are only quoted do not count", suggestion=hint))


def order_key(order: Order) -> str:
    """Return an order as text without unit kinds and VIA, for comparing orders; a build keeps its unit's kind."""
    if isinstance(order, Build):
        return str(order)
    return re.sub(r"\b[AF] | VIA$", "", str(order))


def _subject_of(entry: SheetOrder | EarlyOrder) -> tuple[str, Power, ProvinceCode] | None:
    """Return the phase ("" for the current one), power and province of an order's unit; None if the order names no unit."""
    unit = ordered_unit(entry.order)
    return (entry.phase if isinstance(entry, EarlyOrder) else "", entry.power, unit.province) if unit else None
