"""Reads orders, units, places and powers from text, in the compact and the prose notation.

    order   = unit ( hold | move | support | convoy | retreat | disband | build ) | verb-first | decline
    unit    = [nationality] ["A" | "F"] [nationality] province [coast]
    move    = "-" [ railroad "-" ] location { "-" location } [ "via convoy" ]
    permit  = canal unit "-" location

Unreadable text raises `NotationError` with the column and, where one is near, a suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import NoReturn, TypeAlias, TypeVar

from satjudge.base.errors import NotationError
from satjudge.notation.rewording import TracedText, find_all_words, find_vocabulary, make_key, ordered_words, reword
from satjudge.notation.suggestions import find_nearest, find_reach, suggest_word
from satjudge.notation.text_around_orders import (
    LIST_MARK,
    begins_with_talk,
    find_end_of_order,
    is_harmless,
    is_phrase,
    is_uncertain,
)
from satjudge.world.board import Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, fold, load_map, normal
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)

T = TypeVar("T")
LONGEST_ORDER = 300
"""The largest number of characters of an order; a longer text is refused before it is read."""
LONGEST_LINE = 4_000
"""The largest number of characters of a line of orders; a longer line is refused before it is read."""
_CACHED_ORDERS = 200_000
_CACHED_UNITS = 20_000

# These patterns match folded text (`satjudge.world.geography.fold`).
_END_OF_WORD = r"(?![^\W_])"
_MOVES = r"\b(?:(?:m|moves?|moving|attacks?)(?:\s+(?:to|into|on))?|to|into)\b"
_TO = re.compile(rf"\s*(?:[-–—−=]*>|→|⟶|[-–—−]+|{_MOVES})\s*")
_KIND = re.compile(r"(?:(army|a)|fleet|f)(?:\.\s*|\s+(?:(?:in|at)\s+)?|$)")
_COAST_NAME = r"(?:([nsew])\.?\s?c\.?|(north|south|east|west)\.?\s*(?:coast|cst)\.?)"
_COAST = re.compile(rf"(?:\s*/\s*|\s*\(\s*|\s+|-){_COAST_NAME}{_END_OF_WORD}(?:\s*\))?")
_VIA = re.compile(r"\s*\(?\b(?:via|by)(?:\s+(?:a\s+)?convoy)?\b\)?")
_VERBS = {
    "hold": r"(?:holds?|stands?|h)",
    "support": r"(?:supports?|supp?|s)",
    "convoy": r"(?:convoys?|c)",
    "retreat": r"(?:retreats?(?:\s+to)?|r)",
    "disband": r"(?:disbands?|disbanded|removes?|removed|d)",
    "build": r"(?:builds?|built|b)",
    "transform": r"(?:transforms?(?:\s+(?:in)?to)?|becomes?|t)",
}
_NAMED_VERBS = "|".join(f"(?P<{name}>{words})" for name, words in _VERBS.items())
_VERB = re.compile(rf"\s*(?:{_NAMED_VERBS})\.?{_END_OF_WORD}\s*")
_WORD = re.compile(r"[^\s._-]+")
_VERB_FIRST = re.compile(r"(?:(?P<build>build)|(?P<disband>disband|remove))\s+")
_IN_PLACE = re.compile(r"\s+(?:to\s+)?(?:holds?|h)\b")
_BLANKS = re.compile(r"[\s:]*")
_WAIVE = re.compile(r"waive(?=\s*(?:;|$))")
_APART = re.compile(r"\s*;[;\s]*")
_BEGINNING = re.compile(r"\s*(?=(?:[af]\s|build\b|disband\b|waive\b))")
"""The separator of orders in the compact notation, and the beginning of the next order."""
_LETTERS = re.compile(r"\s*([^\W\d_]{4,})(?![^\W\d_]|\s+by\b)")
_SHORTEST_TAIL = 3
"""The smallest number of letters of a word that may be the misspelt end of a province's name."""
_MISSPELT_FIRST = re.compile(r"[^\W\d_]{3,}\s+[af]\s")
"""A word before a unit that is not a kind of unit."""
_DECLINE = re.compile(r"(?:waived?|declined?|pass)(?:\s+(?:a\s+)?build)?[\s.;,]*$")


class _Lexicon:
    """The words of one map as regular expressions, which match the longest spelling that fits."""

    def __init__(self, game_map: Map) -> None:
        self.provinces = _SpellingPattern(game_map.names)
        self.powers = re.compile(r"(?:the\s+)?" + _make_pattern(game_map.power_aliases).pattern + r"(?:['’]s)?\s*")
        railroads = _make_pattern(normal(railroad.name) for railroad in game_map.railroads)
        self.railroads = re.compile(rf"\s*{railroads.pattern}\s*")
        self.canals = _make_pattern(normal(canal.name) for canal in game_map.canals)
        self.orders: dict[Phase, dict[str, Order]] = {phase: {} for phase in Phase}
        """The orders read so far, by text, since most texts recur often."""
        self.units: dict[tuple[str, Power], Unit] = {}


class _SpellingPattern:
    """A pattern of many spellings, which is compiled for one first letter at a time, when a text needs it.

    Compiling hundreds of spellings at once takes long.
    """

    def __init__(self, spellings: Iterable[str]) -> None:
        self._spellings = list(spellings)
        self._by_letter: dict[str, re.Pattern[str]] = {}

    def match(self, text: str, position: int) -> re.Match[str] | None:
        """Match the longest known spelling at a position, as group 1; return None if there is none."""
        letter = text[position : position + 1]
        if not letter:
            return None
        pattern = self._by_letter.get(letter)
        if pattern is None:
            pattern = self._by_letter[letter] = _make_pattern(one for one in self._spellings if one.startswith(letter))
        return pattern.match(text, position)


def _make_pattern(spellings: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted(spellings, key=len, reverse=True)
    if not ordered:
        return re.compile(r"(?!)")  # matches nothing
    words = "|".join(r"[\s._-]+".join(re.escape(word) for word in spelling.split()) for spelling in ordered)
    return re.compile(rf"({words})\.?{_END_OF_WORD}")


def _find_lexicon(game_map: Map) -> _Lexicon:
    lexicon: _Lexicon | None = game_map.cache.get(_Lexicon)
    if lexicon is None:
        lexicon = game_map.cache[_Lexicon] = _Lexicon(game_map)
    return lexicon


class _Reader:
    """Reads one text from left to right; `position` is the start of the unread part."""

    def __init__(
        self,
        text: str,
        game_map: Map,
        own_places: Collection[ProvinceCode] = (),
        made_of: tuple[str, TracedText] | None = None,
        quick: bool = False,
    ) -> None:
        if len(text) > LONGEST_ORDER and made_of is None:
            raise NotationError(f"a text of {len(text):,} characters is not an order: {text[:40]!r}…", column=1)
        self.text = text
        self.made_of = made_of
        """The original text, to which errors refer, and the rewording that is read."""
        self.quick = quick
        """Whether errors may omit suggestions."""
        self.folded = fold(text)
        """The text in lower case, with the same length, for matching."""
        self.map = game_map
        self.lexicon = _find_lexicon(game_map)
        self.position = len(text) - len(text.lstrip())
        self.railroad = ""
        """The railroad that the path names, or ""."""
        self.own_places = own_places
        """The provinces of units that the text may mean."""
        self.units: list[Named] = []
        """The units that were read."""
        self.moving = False
        """Whether the destination of the last of these units comes next."""
        self.place = (0, 0)
        """The start and end of the last province's name in the text."""

    def take(self, pattern: re.Pattern[str] | _SpellingPattern) -> re.Match[str] | None:
        """Match a pattern at the position and move past the match; return None, without moving, if it does not match."""
        match = pattern.match(self.folded, self.position)
        if match:
            self.position = match.end()
        return match

    def is_done(self) -> bool:
        return not self.text[self.position :].strip(" \t\r\n.;,")

    def suggest_verb(self) -> str | None:
        """Return a hint such as `did you mean supports?` if the next word is a misspelt verb, else None."""
        word = None if self.quick else _LETTERS.match(self.text, self.position)
        known = word is not None and make_key(word[1]) in find_all_words()
        return None if word is None or known else suggest_word(word[1], find_vocabulary(self.map).verbs)

    def fail_behind(self, expected: str, default_hint: str | None = None) -> NoReturn:
        """Raise the error for a word that cannot follow here, with a hint: a verb, a longer name, or `default_hint`."""
        hint, whole = self.suggest_verb(), self._suggest_longer_name()
        if hint or whole is None:
            self.fail(expected, hint or default_hint or self.suggest_separate_order())
        self.fail(expected, *whole)

    def suggest_separate_order(self, start: int | None = None) -> str | None:
        """Return a hint to write an order by itself if the text from `start` has only unknown words (`, thanks`), else None."""
        rest = self.text[self.position if start is None else start :]
        kinds = {word.kind for word in ordered_words(rest, self.map)} if not self.quick else set()
        return "if the order counts, write it by itself" if "raw" in kinds and kinds <= {"raw", "sep"} else None

    def _suggest_longer_name(self) -> tuple[str, tuple[str, ...]] | None:
        """Return a hint such as `did you mean Ionian Sea?` for `Ionian Seea`, with the corrected texts; None if none fits."""
        begin, end = self.place
        word = _WORD.match(self.folded, len(self.folded) - len(self.folded[end:].lstrip()))
        if self.quick or word is None or self.folded[end : self.position].strip() or not word[0].isalpha():
            return None
        read = normal(self.text[begin:end])
        tails = {name[len(read) + 1 :]: code for name, code in self.map.names.items() if name.startswith(f"{read} ")}
        codes = find_nearest(word[0], tails)
        if not codes or len(word[0]) < _SHORTEST_TAIL:
            return None
        readings = tuple(f"{self.text[:begin]}{code}{self.text[word.end() :]}" for code in codes)
        return self._format_question(codes), readings

    def _format_question(self, codes: Iterable[ProvinceCode]) -> str:
        return f"did you mean {' or '.join(f'{self.map.provinces[code].name} ({code})' for code in codes)}?"

    def fail(self, expected: str, suggestion: str | None = None, readings: tuple[str, ...] = ()) -> NoReturn:
        text, place = self.text, self.position + len(self.text[self.position :]) - len(self.text[self.position :].lstrip())
        if self.made_of is not None:
            text, place = self.made_of[0], self.made_of[1].origin[place]
        rest = text[place:].strip()
        found = f"found {rest!r}" if rest else "the text ends"
        within = "" if rest == text.strip() else f" in {text.strip()!r}"
        message = f"expected {expected}, {found}{within}" if text.strip() else "empty order"
        raise NotationError(message, column=place + 1, suggestion=suggestion, readings=readings)

    def read_nationality(self) -> Power | None:
        match = self.take(self.lexicon.powers)
        return self.map.power_aliases[normal(match[1])] if match else None

    def read_location(self) -> Location:
        match = self.take(self.lexicon.provinces)
        if not match:
            self._fail_at_place()
        self.place = match.span(1)
        code = self.map.names[normal(match[1])]
        coast = self.take(_COAST)
        return f"{code}/{(coast[1] or coast[2][0]).upper()}C" if coast else code

    def _fail_at_place(self) -> NoReturn:
        """Raise the error for a text at the position that is no known place, with suggestions of similar names."""
        if self.quick:
            self.fail("a province")
        if begins_with_talk(self.text[self.position :]):
            every = is_phrase("all_hold", self.text)
            self.fail("a province", "write it for each unit: A PAR H" if every else None)
        if not self.units and _MISSPELT_FIRST.match(self.folded, self.position) and (hint := self.suggest_verb()):
            self.fail("a province", hint)
        rest = normal(re.split(r"(?<!\s)\s+-\s*|->|→|/|\(", self.text[self.position :].strip(), maxsplit=1)[0])
        preferred = find_reach(self.units, self.map) if self.moving else [self.own_places]
        languages = [self.map.names, *([] if self.made_of is None else [find_vocabulary(self.map).places])]
        words, readings = rest.split(), tuple[str, ...]()
        if not self._may_name_place(rest):
            self.fail("a province")
        if self.text[self.place[1] : self.position] == "-":  # `Mid-Atlantc`, which begins with the place `Mid`
            joined = normal(self.text[self.place[0] :].split()[0])
            if codes := find_nearest(joined, self.map.names, *preferred):
                self.fail("a province", self._format_question(codes))
        for guess, names in product(dict.fromkeys((rest, " ".join(words[:2]), "".join(words[:1]))), languages):
            guess = guess if names is self.map.names else make_key(guess)
            codes = find_nearest(guess, names, *preferred)
            if not self.moving and self.own_places:
                own = find_nearest(guess, {name: code for name, code in names.items() if code in self.own_places})
                codes = [*own, *(code for code in codes if code not in own)]
            if not readings:
                candidates = dict.fromkeys((*codes, *find_nearest(guess, names, max_names=_MOST_READINGS)))
                readings = self._insert_names(guess, candidates)
            if codes:
                self.fail("a province", self._format_question(codes), readings)
        self.fail("a province", None, readings)

    def _may_name_place(self, text: str) -> bool:
        """Return whether the text at the position may be a misspelt place name, by its first word and the words around it."""
        word, behind = make_key(text.split(" ")[0]), self.text[self.position :]
        if not behind.lstrip()[:1].isalnum():  # an arrow
            return False
        first = text.split(" ")[0].casefold() + " "  # `English` of `English Chanel`
        if " " in text and any(province.name.casefold().startswith(first) for province in self.map.provinces.values()):
            return True
        if len(word) <= 1 or word in find_all_words() or word in find_vocabulary(self.map).powers:
            return self.moving and text.isalpha() and len(word) == 1
        kinds = {one.kind for one in ordered_words(behind, self.map)[1:3]}
        return bool(self.folded[: self.position].strip()) or " " not in text or not kinds.isdisjoint((*_VERBS, "to"))

    def _insert_names(self, guess: str, codes: Collection[ProvinceCode]) -> tuple[str, ...]:
        """Return, for each code, the order's text with that code in place of the misspelt name `guess` at the position."""
        if not codes:
            return ()
        *_, last = islice(_WORD.finditer(self.text, self.position), len(guess.split()))
        return tuple(f"{self.text[: self.position]} {code}{self.text[last.end() :]}" for code in codes)

    def read_unit(self) -> Named:
        """Read and return the unit at the position; a power's name may precede its kind, or be between kind and place."""
        begun = self.position
        kind_first = self.take(_KIND) and self.lexicon.provinces.match(self.folded, self.position)
        self.position = begun
        place_first = self.lexicon.provinces.match(self.folded, self.position)
        power = None if kind_first or place_first else self.read_nationality()
        kind = self.take(_KIND)
        if kind and power is None and not self.lexicon.provinces.match(self.folded, self.position):
            power = self.read_nationality()
        named_kind = None if not kind else UnitKind.ARMY if kind[1] else UnitKind.FLEET
        self.units.append(unit_name := Named(named_kind, self.read_location(), power))
        return unit_name

    def read_path(self, unit: Named, *, allow_convoy: bool = True) -> list[Location]:
        """Read the places to which a unit goes (`- A - B`), none without an arrow, several only for an army if allowed.

        A path has several locations only if an army could be convoyed along it (DATC 4.A.6).
        """
        locations: list[Location] = []
        behind_first = 0
        while self.take(_TO) or self.railroad:
            self.moving = True
            if match := self.take(self.lexicon.railroads):
                self.railroad = match[1].upper()
                self.take(_TO)
            locations.append(self.read_location())
            behind_first = behind_first or self.position
            if self.railroad:
                break
        if len(locations) > 1 and (problem := self._find_problem(unit, locations, allow_convoy)):
            self.position = behind_first
            self.fail("the end of the order", problem)
        return locations

    def _find_problem(self, unit: Named, places: Sequence[Location], allow_convoy: bool) -> str:
        if self.railroad or not allow_convoy or unit.kind is UnitKind.FLEET:
            return f"a unit goes to one place: {unit} - {places[0]} or {unit} - {places[-1]}"
        gap = self.map.gap_in_path(unit.location, places[:-1], places[-1])
        first = f"{unit} - {places[0]} or " * (places[0] in self.map.exits(UnitKind.ARMY, unit.location))
        return gap and f"{gap}: write {first}{unit} - {places[-1]}"


def parse_order(
    text: str, game_map: Map | None = None, phase: Phase = Phase.MOVEMENT, *, own_places: Collection[ProvinceCode] = ()
) -> Order:
    """Return the order that a text states in any notation, or raise `NotationError`, whose hints prefer units in `own_places`.

    Orders that the phase does not allow (`A PAR D` in a movement phase) are read, too, since they are illegal but readable.
    Raises `NotationError` for unreadable text; its suggestions begin with units in the provinces in `own_places`.
    """
    game_map = game_map or load_map()
    order = find_known_order(text, game_map, phase)
    return order or _cache_order(text, game_map, phase, _parse_at_length(text, game_map, phase, own_places))


def find_known_order(text: str, game_map: Map, phase: Phase) -> Order | None:
    """Return the order for a text that was read before or is in the compact notation; None for any other text."""
    order = known_orders(game_map, phase).get(text)
    if order is None and (order := _parse_compact_order(text, game_map, phase)) is not None:
        _cache_order(text, game_map, phase, order)
    return order


def _cache_order(text: str, game_map: Map, phase: Phase, order: Order) -> Order:
    known = known_orders(game_map, phase)
    if len(known) >= _CACHED_ORDERS:
        known.clear()
    known[text] = order
    return order


def _parse_at_length(text: str, game_map: Map, phase: Phase, own_places: Collection[ProvinceCode]) -> Order:
    attempts = [_attempt_plain(text, game_map, phase, own_places)]
    if len(text) <= LONGEST_ORDER:
        attempts += (_attempt_reworded(text, 0, game_map, phase, own_places, 1, judged=judged) for judged in (False, True))
    (order,) = _try_attempts(attempts)
    return order


Attempt: TypeAlias = Callable[[bool], list[Order]]
"""A function that reads a text in some way; called with True, it is quick, and its `NotationError` suggests nothing."""


def _try_attempts(attempts: Iterable[Attempt], quick: bool = False) -> list[Order]:
    """Return the result of the first attempt that succeeds, or raise the `NotationError` of the attempt that read farthest."""
    farthest: tuple[int, Attempt | None] = (-1, None)
    for attempt in attempts:
        try:
            return attempt(True)
        except NotationError as error:
            if (error.column or 0) > farthest[0]:
                farthest = (error.column or 0, attempt)
    assert farthest[1] is not None
    return farthest[1](quick)


def _attempt_plain(text: str, game_map: Map, phase: Phase, own_places: Collection[ProvinceCode]) -> Attempt:
    """Return a function that reads the text as one order in the compact or the prose notation."""
    return lambda quick: [_read_order(_Reader(text, game_map, own_places, quick=quick), phase)]


def _attempt_reworded(
    text: str, start: int, game_map: Map, phase: Phase, places: Collection[ProvinceCode], limit: int, *, judged: bool = False
) -> Attempt:
    """Return a function that reads up to `limit` orders from a text's rewording; if `judged`, without the result at its end."""

    def read(quick: bool) -> list[Order]:
        end = find_end_of_order(text, game_map) if judged else len(text)
        if not end or end <= start:
            raise NotationError("the text does not state the result of an order")
        words = reword(text[start:end], game_map, phase is Phase.ADJUSTMENT)
        try:
            return _read_several(_Reader(words.text, game_map, places, (text[start:], words), quick), phase, limit)
        except NotationError as error:
            error.add_place(offset=start)
            raise

    return read


def _read_several(reader: _Reader, phase: Phase, max_orders: int) -> list[Order]:
    """Read and return one to `max_orders` orders; each after the first follows a separator, or begins with a unit or a verb."""
    found: list[Order] = []
    while True:
        begun = reader.position
        try:
            found.append(_read_one(reader, phase))
        except NotationError as error:
            if found and not error.suggestion and not error.readings and (hint := reader.suggest_separate_order(begun)):
                error.suggestion = hint
            raise
        apart = reader.take(_APART)
        if reader.is_done():
            return found
        if len(found) == max_orders or not (apart or reader.take(_BEGINNING)):
            reader.fail_behind("the end of the order")
        reader.railroad = ""
        reader.units, reader.moving = [], False


def parse_orders(
    text: str, game_map: Map, phase: Phase = Phase.MOVEMENT, *, own_places: Collection[ProvinceCode] = (), quick: bool = False
) -> list[Order]:
    """Return a line's orders, perhaps after a list mark (`1) A Par H; F Bre H`), or raise errors, without hints if `quick`.

    Raises `NotationError` as `parse_order` does. If `quick`, that error has no suggestions, which take most of the time for a
    line that is not an order.
    """
    known = find_known_order(text, game_map, phase)
    if known is not None:
        return [known]
    if text.lstrip().startswith(">"):
        raise NotationError(f"{text[:LONGEST_ORDER]!r} is a quotation, not an order", suggestion="write it without the sign >")
    attempts: list[Attempt] = [lambda quick: [_cache_order(text, game_map, phase, *plainly(quick))]]
    plainly = _attempt_plain(text, game_map, phase, own_places)
    if len(text) <= LONGEST_LINE:
        mark = LIST_MARK.match(text)
        begins = (0, mark.end()) if mark else (0,)
        ways = product((False, True), begins)
        most = LONGEST_LINE
        attempts += (_attempt_reworded(text, begin, game_map, phase, own_places, most, judged=judged) for judged, begin in ways)
    return _try_attempts(attempts, quick)


_MOST_READINGS = 40
_MOST_GUESSES = 3
"""The largest number of names in a line that are guessed."""


def list_readings(
    text: str, game_map: Map, phase: Phase = Phase.MOVEMENT, *, guesses: int = _MOST_GUESSES
) -> list[list[Order]]:
    """List the readings of a line as orders: one if readable, else one for each guess at `guesses` or fewer misspelt names."""
    try:
        return [parse_orders(text, game_map, phase)]
    except NotationError as error:
        texts = error.readings if guesses else ()
    found: list[list[Order]] = []
    for reading in texts:
        found += (orders for orders in list_readings(reading, game_map, phase, guesses=guesses - 1) if orders not in found)
    return found[:_MOST_READINGS]


_LIKE = 0.7
"""The required similarity of a word to a power's name; `frnace` and `france` have 0.83."""
_MOST_PIECES = 40
"""The largest number of orders on a line that errors list one by one."""


def parse_orders_leniently(
    text: str, game_map: Map, phase: Phase = Phase.MOVEMENT, *, own_places: Collection[ProvinceCode] = ()
) -> list[Order]:
    """Return the orders in a line; an unreadable part between commas, or else the line, becomes one `Unreadable`."""
    try:
        return parse_orders(text, game_map, phase, own_places=own_places)
    except NotationError as error:
        mark = LIST_MARK.match(text)
        text = text[mark.end() :] if mark else text
        pieces = [piece for piece in re.split(r"[;,]", text) if piece.strip()] if len(text) <= LONGEST_LINE else [text]
        if not 1 < len(pieces) <= _MOST_PIECES or not all(_is_separate_order(piece, game_map) for piece in pieces):
            return [_make_unreadable(text[:LONGEST_ORDER], str(error), game_map)]
    return [order for piece in pieces for order in parse_orders_leniently(piece, game_map, phase, own_places=own_places)]


def _is_separate_order(piece: str, game_map: Map) -> bool:
    """Return whether a part of a line is an order by itself, readable or not, or a remark that changes no order."""
    kinds = [word.kind for word in ordered_words(piece, game_map)]
    ordered = kinds[:1] != ["place"] or len(kinds) > 1
    begun = ordered and kinds[0] in ("army", "fleet", "place", "power", "build", "disband", "waive") if kinds else False
    return (begun or is_harmless(piece, game_map, None)) and not is_uncertain(piece)


def parse_order_leniently(
    text: str, game_map: Map, phase: Phase = Phase.MOVEMENT, *, own_places: Collection[ProvinceCode] = ()
) -> Order:
    """Return the order that a text states; an unreadable text becomes an `Unreadable`, which is illegal (DATC 4.E.1)."""
    try:
        return parse_order(text, game_map, phase, own_places=own_places)
    except NotationError as error:
        return _make_unreadable(text[:LONGEST_ORDER], str(error), game_map)


def _make_unreadable(text: str, problem: str, game_map: Map) -> Unreadable:
    for written in (text, reword(text, game_map).text):
        reader = _Reader(written[:LONGEST_ORDER], game_map, quick=True)
        with suppress(NotationError):
            unit = reader.read_unit()
            return Unreadable(text.strip(), problem, unit, reader.take(_TO) is not None)
    return Unreadable(text.strip(), problem)


def known_orders(game_map: Map, phase: Phase) -> dict[str, Order]:
    """Return the cache of orders by text for a map and a kind of phase; the caller may add to it."""
    return _find_lexicon(game_map).orders[phase]


_PLACE = r"([A-Z0-9_]+(?:/[NSEW]C)?)"
_KINDS = {str(kind): kind for kind in UnitKind}
_TO_PLACE = f"- {_PLACE}"
_PLAIN_ORDER = re.compile(
    rf"(A|F) {_PLACE} (?:{_TO_PLACE}( VIA)?|(H)|S (A|F) {_PLACE}(?: {_TO_PLACE})?|C (A|F) {_PLACE} {_TO_PLACE})"
)


def _parse_compact_order(text: str, game_map: Map, phase: Phase) -> MovementOrder | None:
    """Return the movement order in a text that is exactly in the compact notation; None for any other text."""
    match = _PLAIN_ORDER.fullmatch(text) if phase is Phase.MOVEMENT else None
    if match is None:
        return None
    kind, place, destination, via, hold, supported_kind, supported, target, convoyed_kind, convoyed, landing = match.groups()
    if not game_map.locations.issuperset(filter(None, (place, destination, supported, target, convoyed, landing))):
        return None
    unit = Named(_KINDS[kind], place)
    if destination:
        return Move(unit, destination, via is not None)
    if hold:
        return Hold(unit)
    if convoyed:
        return Convoy(unit, Named(_KINDS[convoyed_kind], convoyed), landing)
    other = Named(_KINDS[supported_kind], supported)
    return SupportMove(unit, other, target) if target else SupportHold(unit, other)


def _read_order(reader: _Reader, phase: Phase) -> Order:
    if reader.take(_DECLINE):
        return Decline()
    order = _read_one(reader, phase)
    if not reader.is_done():
        routed = isinstance(order, Move) and order.via_convoy
        reader.fail_behind("the end of the order", "write a route's seas in between: A LON - NTH - NWY" if routed else None)
    return order


def _read_one(reader: _Reader, phase: Phase) -> Order:
    if reader.take(_WAIVE):
        return Decline()
    order = _read_permission(reader) or _read_verb_first(reader, phase) or _read_unit_first(reader, phase)
    reader.take(_VIA)  # VIA has no meaning except in moves and retreats
    return order


def _read_permission(reader: _Reader) -> Order | None:
    match = reader.take(reader.lexicon.canals)
    if not match:
        return None
    reader.take(_BLANKS)
    unit = reader.read_unit()
    path = reader.read_path(unit)
    if not path:
        reader.fail("where the fleet may go", f"for example {match[1].upper()} F MED - RED")
    return Permission(match[1].upper(), unit, path[-1])


def _read_verb_first(reader: _Reader, phase: Phase) -> Order | None:
    match = reader.take(_VERB_FIRST)
    if not match:
        return None
    unit = reader.read_unit()
    return Build(unit) if match["build"] else _make_removal(unit, phase)


def _make_removal(unit: Named, phase: Phase) -> Order:
    return Remove(unit) if phase is Phase.ADJUSTMENT else Disband(unit)


def _read_unit_first(reader: _Reader, phase: Phase) -> Order:
    unit = reader.read_unit()
    if match := reader.take(reader.lexicon.railroads):  # `A Moscow TSR Vladivostok` (DATC 2.4, 7.B.32)
        reader.railroad = match[1].upper()
    path = reader.read_path(unit, allow_convoy=phase is not Phase.RETREAT)
    if path:
        via = reader.take(_VIA) is not None
        if phase is Phase.RETREAT:
            return Retreat(unit, path[-1], via, reader.railroad)
        return Move(unit, path[-1], via, tuple(path[:-1]), reader.railroad)
    verb = reader.take(_VERB)
    match verb.lastgroup if verb else None:
        case "hold":
            return Hold(unit)
        case "support":
            return _read_support(reader, unit)
        case "convoy":
            return _read_convoy(reader, unit)
        case "retreat":
            reader.moving = True
            reader.take(_TO)
            if match := reader.take(reader.lexicon.railroads):
                reader.railroad = match[1].upper()
                reader.take(_TO)
            return Retreat(unit, reader.read_location(), reader.take(_VIA) is not None, reader.railroad)
        case "disband":
            return _make_removal(unit, phase)
        case "build":
            return Build(unit)
        case "transform":
            return Hold(unit, reader.read_unit())
    reader.take(_BLANKS)
    if reader.lexicon.provinces.match(reader.folded, reader.position):
        reader.fail(f"what {unit} is to do", "a unit is in one province: omit the other")
    reader.fail_behind(f"what {unit} is to do", None if reader.quick else _format_example(unit, phase, reader.map))


def _format_example(unit: Named, phase: Phase, game_map: Map) -> str:
    """Return a hint with examples of orders to a unit in a phase of this kind."""
    if phase is Phase.ADJUSTMENT:
        return f"for example {unit} B or {unit} D"
    near = min(find_reach([unit], game_map)[0], default=None)
    if phase is Phase.RETREAT:
        return f"for example {f'{unit} R {near} or ' * bool(near)}{unit} D"
    return f"for example {unit} H{f' or {unit} - {near}' * bool(near)}"


def _read_support(reader: _Reader, unit: Named) -> Order:
    supported = reader.read_unit()
    if reader.take(_IN_PLACE):
        return SupportHold(unit, supported)
    path = reader.read_path(supported)
    return SupportMove(unit, supported, path[-1]) if path else SupportHold(unit, supported)


def _read_convoy(reader: _Reader, unit: Named) -> Order:
    convoyed = reader.read_unit()
    path = reader.read_path(convoyed)
    if not path:
        reader.fail("the destination of the convoyed army", f"for example {unit} C {convoyed} - BEL")
    return Convoy(unit, convoyed, path[-1], tuple(path[:-1]))


def parse_location(text: str, game_map: Map) -> Location:
    """Return the location that a text names in any spelling or language, or raise `NotationError`."""

    def read(reader: _Reader) -> Location:
        location = reader.read_location()
        if not reader.is_done():
            reader.fail("the end of the location")
        return location

    return _read_in_any_language(text, game_map, read)


def _read_in_any_language(text: str, game_map: Map, read: Callable[[_Reader], T]) -> T:
    """Return what `read` finds in a text, or else in its rewording; if both fail, raise the `NotationError` for the text."""
    with suppress(NotationError):
        return read(_Reader(text, game_map, quick=True))
    if len(text) <= LONGEST_ORDER:
        words = reword(text, game_map)
        with suppress(NotationError):
            return read(_Reader(words.text, game_map, made_of=(text, words), quick=True))
    return read(_Reader(text, game_map))  # for the error


def parse_unit(text: str, power: Power, game_map: Map | None = None) -> Unit:
    """Return the unit of a power that a text names, such as `"F SPA/SC"`, on the standard map or another.

    `power` may be any of a power's names, or a power that is not on the map.

    Raises `NotationError`.
    """
    game_map = game_map or load_map()
    units = _find_lexicon(game_map).units
    unit = units.get((text, power))
    if unit is None:
        if len(units) >= _CACHED_UNITS:  # powers may have any name
            units.clear()
        unit = units[text, power] = _read_unit(text, power, game_map)
    return unit


def _read_unit(text: str, power: Power, game_map: Map) -> Unit:
    def read(reader: _Reader) -> Named:
        unit_name = reader.read_unit()
        if not reader.is_done():
            reader.fail("the end of the unit")
        return unit_name

    named = _read_in_any_language(text, game_map, read)
    if named.kind is None:
        raise NotationError(f"is {text.strip()!r} an army or a fleet? Write A {named.location} or F {named.location}", column=1)
    return Unit(find_power(power, game_map) or power, named.kind, named.location)


def find_power(text: str, game_map: Map) -> Power | None:
    """Return the power that a text names in any spelling or language; None if the map has no such power."""
    spelling = normal(text[:LONGEST_ORDER])
    return game_map.power_aliases.get(spelling) or find_vocabulary(game_map).powers.get(make_key(spelling))


def parse_power(text: str, game_map: Map, *, column: int | None = 1) -> Power:
    """Return the power that a text names in any spelling or language, or raise `NotationError` with this column."""
    power = find_power(text, game_map)
    if power is None:
        from difflib import get_close_matches

        spelling = normal(text[:LONGEST_ORDER])
        close = get_close_matches(spelling, game_map.power_aliases, 1, _LIKE)
        names = close or sorted(game_map.power_names.values())
        hint = f"did you mean {game_map.power_names[game_map.power_aliases[close[0]]]}?" if close else ", ".join(names)
        raise NotationError(f"there is no power {text.strip()[:60]!r}", column=column, suggestion=hint)
    return power
