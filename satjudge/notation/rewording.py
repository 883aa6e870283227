"""Rewrites orders as people write them into the compact notation, word by word; each word keeps its place in the original.

The reader of orders (`satjudge.notation.parse`) uses this only for texts that it cannot read itself. The words are in
`models/notation/words.toml`, and the names are in the map. Unknown words are left unchanged, so that the reader reports them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from msgspec import Struct

from satjudge.base.errors import NotFoundError
from satjudge.base.resources import data_file, read_toml
from satjudge.base.values import replace
from satjudge.world.geography import Map, fold

_MOST_WORDS = 6
"""The largest number of words of a name."""
_ABBREVIATED = 3
"""The number of letters of an abbreviation."""
_SHORTEST_BEGINNING = 4
"""The smallest number of letters of a shortened name."""
_LONGEST_ASIDE = 100
"""The largest number of characters in brackets that are examined."""
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−=→⟶⇒⟹➔➜➝➞➡►▶›»", "-"),
        **dict.fromkeys("’‘`´′", "'"),
        **dict.fromkeys("“”„«″", '"'),
        **dict.fromkeys("[{", "("),
        **dict.fromkeys("]}", ")"),
    }
)
"""Signs that mean the same as a simpler sign, with that sign."""
_OVERLAY = 1
"""The combining class of signs that cross out letters."""
_UNSEEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f")
_PIECE = re.compile(r"[^\W_]+|[->]+|[^\s]")
_ENTITY = re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_BETWEEN = re.compile(r"[ .']*|-|_")
"""The characters that are allowed between the words of a name."""
_IGNORED = frozenset(".:!\"'*()_")
_BESIDE_RESULTS = frozenset(",;:.!()*'\"/+&_")
_SEPARATORS = {",": "sep", ";": "sep", "&": "and"}


_ENDS_ORDERS = "place|coast|hold|disband|via|waive"
_BEGINS_ORDERS = "army|fleet|power|hold|build|disband|retreat|move|waive|plus"
"""The kinds of words between which a full stop divides two orders, instead of ending an abbreviation."""


class TracedText(Struct, frozen=True):
    """A text made from another one; `origin` has each character's position in the original, and the original's length."""

    text: str
    origin: tuple[int, ...]

    def part(self, start: int, end: int) -> TracedText:
        """Return the part of the text from `start` to `end` - 1, with the origins of its characters."""
        return TracedText(self.text[start:end], self.origin[start : end + 1])


def clean_text(text: str) -> TracedText:
    """Return a text with plain characters for HTML entities and typographic signs, no invisible ones, and their origins."""
    if "&" in text:
        from html import unescape
    letters: list[str] = []
    origin: list[int] = []
    position = 0
    while position < len(text):
        entity = _ENTITY.match(text, position) if text[position] == "&" else None
        shown = unescape(entity[0]) if entity else text[position]
        for letter in shown.translate(_SIGNS):
            if letter not in _UNSEEN and unicodedata.combining(letter) in (0, _OVERLAY):
                letters.append(" " if letter.isspace() else letter)
                origin.append(position)
        position = entity.end() if entity else position + 1
    return TracedText("".join(letters), (*origin, len(text)))


def fold_accents(text: str) -> str:
    """Return a text in lower case without accents, with the same length."""
    folded = fold(text)
    return folded if folded.isascii() else "".join(unicodedata.normalize("NFD", letter)[0] for letter in folded)


def make_key(name: str) -> str:
    """Return the key by which a name is looked up: its words, folded, with single blanks between them."""
    return " ".join(re.findall(r"[^\W_]+", fold_accents(name)))


class Word(Struct, frozen=True):
    """A word of an order, with its meaning, its form in the compact notation and its place in the text."""

    kind: str
    """The kind of word: `place`, `power`, `coast`, `sep`, `raw`, or a heading of words.toml."""
    text: str
    start: int
    also: frozenset[tuple[str, str]] = frozenset()
    """Other kinds and forms that the word could have."""
    set_apart: bool = False
    """True if a bracket, a quotation mark or the like precedes the word, so that no arrow was merely omitted before it."""


Meanings = Mapping[str, Sequence[tuple[str, str]]]
_WRITTEN = {"army": "A", "fleet": "F", "hold": "H", "support": "S", "convoy": "C", "retreat": "R", "disband": "D", "build": "B"}
_WRITTEN |= {"waive": "WAIVE", "to": "-", "via": "VIA"}
_OF_ORDERS = (*_WRITTEN, "move", "from", "through", "of", "and", "passing", "support_hold", "convoy_move")
"""The tables with the words of orders."""
_VERBS = ("hold", "support", "convoy", "retreat", "disband", "build", "waive", "move")
_SHORTEST_VERB = 3
"""The smallest number of letters of a verb that is not an abbreviation."""
_KINDS = ("army", "fleet")


@cache
def _load_words() -> dict[str, dict[str, list[str]]]:
    path = data_file("models", "notation", "words.toml")
    return read_toml(path, NotFoundError)


def find_table(name: str) -> Mapping[str, Sequence[str]]:
    """Return the table of words.toml with this name: lists of words, by language or by meaning."""
    return _load_words()[name]


@cache
def find_meanings(name: str) -> Mapping[str, str]:
    """Return the meaning of each word of a table of words.toml, by the word's key."""
    return {make_key(word): meaning for meaning, words in find_table(name).items() for word in words}


@cache
def find_keys(*tables: str) -> frozenset[str]:
    """Return the keys of all phrases in the tables of words.toml with these names."""
    return frozenset(make_key(word) for name in tables for words in find_table(name).values() for word in words)


@cache
def find_all_words() -> frozenset[str]:
    """Return every single word of all phrases in words.toml; none of them is a misspelt name."""
    return frozenset(word for key in find_keys(*_load_words()) for word in key.split())


def _iter_german_spellings(name: str) -> Iterator[str]:
    """Yield a name, then spellings with `ss` for ß, and with two or one letters (`ae`, `a`) for umlauts."""
    yield name
    letters = fold(name)
    yield letters.replace("ß", "ss")
    for umlaut, letter in zip("äöü", "aou", strict=True):
        letters = letters.replace(umlaut, f"{letter}e")
    yield letters.replace("ß", "ss")


def collect_places(game_map: Map) -> dict[str, str]:
    """Return the province code for the key of each province name in any language; the map's own names take precedence."""
    found = {make_key(name): code for name, code in game_map.names.items()}
    other = [(code, name) for names in game_map.foreign_names.values() for code, name in names.items()]
    for language, spelt in chain(game_map.spellings.items(), game_map.abbreviations.items()):
        if language != "powers":
            other += [(code, name) for code, names in spelt.items() for name in names]
    for code, name in other:
        if code in game_map.provinces:
            for written in _iter_german_spellings(name):
                found.setdefault(make_key(written), code)
    return found


def collect_powers(game_map: Map) -> dict[str, str]:
    """Return the power for the key of each power name in any language, and for unambiguous beginnings of three letters."""
    found = {make_key(name): power for name, power in game_map.power_aliases.items()}
    for power, names in game_map.spellings.get("powers", {}).items():
        if power in game_map.power_names:
            found.update((make_key(written), power) for name in names for written in _iter_german_spellings(name))
    begun: dict[str, set[str]] = {}
    for power in game_map.powers:
        begun.setdefault(make_key(game_map.name_of(power))[:3], set()).add(power)
    for beginning, powers in begun.items():
        if len(powers) == 1:
            found.setdefault(beginning, min(powers))
    return found


def _collect_accented(game_map: Map) -> frozenset[str]:
    """Return the keys of names with an accent in some spelling, and of their first three letters: `Mün`, `Séb`."""
    foreign = (name for names in game_map.foreign_names.values() for name in names.values())
    spelt = (name for table in game_map.spellings.values() for names in table.values() for name in names)
    own = (*game_map.names, *game_map.power_aliases)
    written = [part for name in chain(own, foreign, spelt) for part in (name, name[:_ABBREVIATED])]
    return frozenset(make_key(part) for part in written if not fold(part).isascii())


class _Vocabulary:
    """The meanings of words on one map."""

    def __init__(self, game_map: Map) -> None:
        self.places = collect_places(game_map)
        self.powers = collect_powers(game_map)
        self.accented = _collect_accented(game_map)
        self.full = {make_key(province.name): province.code for province in game_map.provinces.values()}
        self.coasted = {code for code, province in game_map.provinces.items() if province.coasts}
        self.convoying = game_map.convoying
        self.coast_signs = _collect_spellings("coast_signs")
        self.coasts = _collect_spellings("coasts")
        self.results = find_keys("results")
        self.beside_results = find_keys("beside_results")
        self.meanings: dict[str, list[tuple[str, str]]] = {}
        for names, kind in ((self.places, "place"), (self.powers, "power")):
            for key, value in names.items():
                self.meanings.setdefault(key, []).append((kind, value))
        for kind in _OF_ORDERS:
            for word in chain.from_iterable(find_table(kind).values()):
                self.meanings.setdefault(make_key(word), []).append((kind, _WRITTEN.get(kind, word)))
        self.verbs = sorted(key for key, meant in self.meanings.items() if len(key) > _SHORTEST_VERB and meant[0][0] in _VERBS)
        """The verbs that may be meant by a misspelt word."""
        for way in (*(canal.name for canal in game_map.canals), *(railroad.name for railroad in game_map.railroads)):
            self.meanings.setdefault(make_key(way), []).insert(0, ("raw", way))

    def find_beginning(self, key: str) -> str | None:
        """Return the code of the only province whose full name begins with a key; None for a short key, none or several."""
        if len(key) < _SHORTEST_BEGINNING:
            return None
        begun = {code for name, code in self.full.items() if name.startswith(key)}
        return begun.pop() if len(begun) == 1 else None


def _collect_spellings(name: str) -> dict[str, str]:
    return {make_key(word): coast for coast, words in find_table(name).items() for word in words}


def find_vocabulary(game_map: Map) -> _Vocabulary:
    """Return the meanings of words on a map, cached with the map."""
    found: _Vocabulary | None = game_map.cache.get(_Vocabulary)
    if found is None:
        found = game_map.cache[_Vocabulary] = _Vocabulary(game_map)
    return found


class _Scanner:
    """Goes through a text from left to right, and takes the longest known name at each point."""

    def __init__(self, traced: TracedText, game_map: Map) -> None:
        self.text = fold_accents(traced.text)
        self.shown = traced.text
        self.map = game_map
        self.known = find_vocabulary(game_map)
        self.pieces = list(_PIECE.finditer(self.text))
        self.at = 0
        self.found: list[Word] = []
        self.set_apart = False
        """Whether the next word is set apart."""
        self.stops: list[tuple[int, int]] = []
        """The number of words before each exclamation mark or full stop that a blank follows, and its position."""

    def scan(self) -> list[Word]:
        while self.at < len(self.pieces):
            if not (self._take_coast() or self._take_aside() or self._take_result() or self._take_sign() or self._take_known()):
                self._take_unknown()
        for index, start in reversed(self.stops):
            if _are_kinds(self.found, index - 1, _ENDS_ORDERS) and _are_kinds(self.found, index, _BEGINS_ORDERS):
                self.found.insert(index, Word("sep", ";", start))
            elif self.text[start] == "!" and index < len(self.found) and self.found[index].kind not in ("sep", "and"):
                self.found.insert(index, Word("raw", "!", start))  # some people write it for `not`
        return self.found

    def _add_word(self, kind: str, text: str, pieces: int = 1, also: frozenset[tuple[str, str]] = frozenset()) -> bool:
        self.found.append(Word(kind, text, self.pieces[self.at].start(), also, self.set_apart))
        self.at += pieces
        self.set_apart = False
        return True

    def _iter_spans(self, first_piece: int) -> Iterator[tuple[str, int]]:
        """Yield the keys of one or more words from `first_piece` on, the longest first, each with the index after its words."""
        keys: list[tuple[str, int]] = []
        key, end = "", -1
        for index in range(first_piece, min(first_piece + 2 * _MOST_WORDS, len(self.pieces))):
            piece = self.pieces[index]
            if piece[0][0].isalnum():
                if end >= 0 and not _BETWEEN.fullmatch(self.text, end, piece.start()):
                    break
                key, end = f"{key} {piece[0]}" if key else piece[0], piece.end()
                keys.append((key, index + 1))
            elif piece[0] not in (".", "'", "-", "_") or end < 0:
                break
        yield from reversed(keys[:_MOST_WORDS])

    def _take_coast(self) -> bool:
        """Add a coast beside a province (`(sc)`, `/sc`, `south coast`, `north coast of`); return whether a coast is next."""
        behind = bool(self.found) and self.found[-1].kind == "place"
        begin = self.at
        if behind and self.pieces[begin][0] in ("(", "/", "-", ",", "."):
            begin += 1
        marked = begin > self.at and self.pieces[self.at][0] in ("(", "/")
        if begin >= len(self.pieces):
            return False
        coasted = behind and self.found[-1].text in self.known.coasted
        for key, end in self._iter_spans(begin):
            coast = self.known.coasts.get(key) or (self.known.coast_signs.get(key) if marked else None)
            sure = coasted or (behind and key in ("nc", "sc", "ec", "wc")) or (not behind and key.endswith((" coast", " cst")))
            if coast and sure:
                closed = marked and end < len(self.pieces) and self.pieces[end][0] == ")"
                return self._add_word("coast", f"/{coast}", end - self.at + closed)
        return False

    def _take_aside(self) -> bool:
        """Skip a judge's result of an order in brackets (`(*bounce*)`); return whether such brackets are next."""
        if self.pieces[self.at][0] != "(":
            return False
        start = self.pieces[self.at].end()
        closing = self.text.find(")", start, start + _LONGEST_ASIDE)
        if closing < 0 or not is_result(self.shown[start - 1 : closing], self.map):
            return False
        while self.at < len(self.pieces) and self.pieces[self.at].start() <= closing:
            self.at += 1
        return True

    def _take_result(self) -> bool:
        """Skip a word for a result after an order (`A Par - Bur failed, A Mar H`); return whether such a word is next."""
        if not _are_kinds(self.found, len(self.found) - 1, _ENDS_ORDERS):
            return False
        for key, end in self._iter_spans(self.at):
            if key in self.known.results and key not in self.known.meanings:
                if end < len(self.pieces) and self.pieces[end][0] not in (",", ";", ".", "*", ")"):
                    return False
                self.at = end
                return True
        return False

    def are_results(self, *tables: str) -> bool:
        """Return whether the rest of the text consists of results of orders, such as `bounced with A War, 2-1`.

        Words in these tables count as results, and so do words of rulings between asterisks: `*void*`.
        """
        results = find_keys("results", *tables, *["rulings"] * self.text.lstrip().startswith("*"))
        led, begun, before, depth = False, False, "", 0
        while self.at < len(self.pieces):
            for key, end in self._iter_spans(self.at):
                kind = self.known.meanings.get(key, [("", "")])[0][0]
                if key in results:
                    begun, led = True, False
                elif begun and key in self.known.beside_results:
                    led = True
                elif not (key.isdecimal() or (led and kind in ("place", "power", *_KINDS))):
                    continue
                self.at, before = end, "number" if key.isdecimal() else kind
                break
            else:
                sign = self.pieces[self.at][0]
                between = before == "number" or (before == "place" and led and depth > 0)  # `2-1`, `(by A Bul - Ser)`
                if sign not in _BESIDE_RESULTS and not (between and sign[0] in "->"):
                    return False
                depth += (sign == "(") - (sign == ")")
                self.at += 1
        return begun

    def _take_sign(self) -> bool:
        piece = self.pieces[self.at]
        sign, before, behind = piece[0], self.text[: piece.start()], self.text[piece.end() :]
        if sign[0] in "->":
            return self._add_word("to", "-")
        unknown = sign == "?" and (not self.found or self.found[-1].kind == "sep")
        if unknown and any(key in self.known.places for key, _ in self._iter_spans(self.at + 1)):  # a unit of unknown kind
            self.at += 1
            return True
        if sign in _IGNORED and not self._has_meaning(sign, before, behind):
            if sign == "!" or (sign == "." and self.found and behind[:1].isspace()):
                self.stops.append((len(self.found), piece.start()))
            self.set_apart = self.set_apart or sign in "\"'*(_" or (sign == "." and before[-1:].isspace())
            self.at += 1
            return True
        if sign in _SEPARATORS and (self.found or sign != ";"):  # elsewhere, `;` begins a comment
            return self._add_word(_SEPARATORS[sign], ";")
        if sign[0].isalnum():
            return False
        return self._add_word("plus" if sign == "+" else "raw", self.shown[piece.start() : piece.end()])

    def _has_meaning(self, sign: str, before: str, behind: str) -> bool:
        """Return whether an ignorable sign, by the text before and behind it, is a footnote's mark or an empty box to tick."""
        if sign == "*":
            listed = self.text.lstrip().startswith("* ")
            return bool(before.strip()) and (self.text.count("*") - listed) % 2 == 1
        return sign == "(" and behind.lstrip().startswith(")")

    def _take_known(self) -> bool:
        for key, end in self._iter_spans(self.at):
            meanings = self.known.meanings.get(key)
            if meanings and self._has_known_accents(end, key, meanings[0][0]):
                kind, text = meanings[0]
                if kind == "place" and key.endswith(" s") and self._is_support(key, text, end):
                    self.found.append(Word("place", text, self.pieces[self.at].start()))
                    self.at = end - 1
                    return self._add_word("support", "S")
                if end < len(self.pieces) and kind == "power" and self.text[self.pieces[end - 1].end() :].startswith("'s "):
                    end += 2
                return self._add_word(kind, text, end - self.at, frozenset(meanings[1:]))
        return False

    def _is_support(self, key: str, place: str, end: int) -> bool:
        """Return whether the final `s` of a place name that ends before `end` is a support: `F Adriatic S A Tyr - Tri`."""
        before = self.found[:-1] if _are_kinds(self.found, len(self.found) - 1, "fleet") else self.found
        if before and before[-1].kind not in ("sep", "and", "power"):
            return False
        behind = next(self._iter_spans(end), ("", end))[0].split()
        if not behind:
            return False
        ahead = [self.known.meanings.get(" ".join(behind[:count]), [("", "")])[0][0] for count in range(1, len(behind) + 1)]
        if "place" in ahead and self.known.places.get(key.removesuffix(" s")) == place:
            return True
        begun = self.known.meanings.get(behind[0], [("", "")])[0][0]
        return begun in _KINDS and len(behind) > 1

    def _has_known_accents(self, end_piece: int, key: str, kind: str) -> bool:
        """Return whether a name that ends before `end_piece` has no accents, or has accents of a known spelling."""
        written = fold(self.shown[self.pieces[self.at].start() : self.pieces[end_piece - 1].end()])
        return kind not in ("place", "power") or written.isascii() or key in self.known.accented

    def _take_joined(self) -> bool:
        """Add the two words of `APar` (a unit's letter and place) or `STPNC` (place and coast); return whether one is next."""
        word, piece = self.pieces[self.at][0], self.pieces[self.at]
        places = self.known.places
        if word[:-2] in places and word[-2:] in ("nc", "sc", "ec", "wc") and places[word[:-2]] in self.known.coasted:
            self.found.append(Word("place", places[word[:-2]], piece.start()))
            return self._add_word("coast", f"/{word[-2:].upper()}")
        if word[0] in "af" and word[1:] in places and self.shown[piece.start() + 1].isupper():
            self.found.append(Word("army" if word[0] == "a" else "fleet", word[0].upper(), piece.start()))
            self.found.append(Word("place", places[word[1:]], piece.start() + 1))
            self.at += 1
            return True
        return False

    def _take_unknown(self) -> bool:
        if self._take_joined():
            return True
        piece = self.pieces[self.at]
        code = self.known.find_beginning(piece[0])
        return self._add_word("place", code) if code else self._add_word("raw", self.shown[piece.start() : piece.end()])


# The functions below put the words of an order into the sequence of the compact notation.

Words = list[Word]


def _are_kinds(words: Words, start: int, *kinds: str) -> bool:
    """Return whether the words from `start` on have these kinds in turn; `|` separates alternatives for one word."""
    found = words[start : start + len(kinds)]
    return len(found) == len(kinds) and all(word.kind in kind.split("|") for word, kind in zip(found, kinds, strict=True))


def _end_of_unit(words: Words, start: int) -> int:
    """Return the index after the unit that begins at the word `start`; -1 if no unit begins there."""
    at = start
    while at < min(len(words), start + 3) and words[at].kind in ("power", *_KINDS):
        at += 1
    if not _are_kinds(words, at, "place"):
        return -1
    return at + 2 if _are_kinds(words, at + 1, "coast") else at + 1


_BEFORE_UNITS = ("sep", "and", "support", "convoy", "build", "disband", "hold", "move", "plus", "from", "via")


def _may_begin_unit(words: Words, index: int) -> bool:
    return index == 0 or words[index - 1].kind in _BEFORE_UNITS


def _restore_powers(words: Words) -> Words:
    """Turn a short power name before a unit into the power (`Eng F Lon`), but not in `F Eng`, the sea; return the words."""
    for at, word in enumerate(words):
        other = next((text for kind, text in word.also if kind == "power"), None)
        if other and _may_begin_unit(words, at) and _are_kinds(words, at + 1, "army|fleet", "place"):
            words[at] = replace(word, kind="power", text=other)
    return words


def _drop_fillers(words: Words) -> Words:
    """Return the words without articles and similar words; `A from Lon to Kie` becomes `A Lon to Kie`."""
    kept = [word for word in words if word.kind != "passing"]
    return [
        word
        for at, word in enumerate(kept)
        if not (word.kind == "from" and at and kept[at - 1].kind in _KINDS)
        and not (word.kind == "army" and _are_kinds(kept, at + 1, "army|fleet"))  # the article in `builds a fleet`
    ]


def _move_coasts_behind(words: Words) -> Words:
    """Move each coast behind its province, and return the words: `north coast of Spain` becomes `Spain north coast`."""
    at = 0
    while at < len(words):
        if words[at].kind == "coast" and not (at and words[at - 1].kind == "place"):
            place = at + 2 if _are_kinds(words, at + 1, "of|from") else at + 1
            if _are_kinds(words, place, "place"):
                words[at : place + 1] = [words[place], words[at]]
        at += 1
    return words


def _read_con_as_convoy(words: Words, vocabulary: _Vocabulary) -> Words:
    """Turn `Con` behind a fleet at sea into a verb, as in `F Nth Con A Lon - Bel`, and return the words."""
    for at, word in enumerate(words):
        behind_fleet = at > 1 and words[at - 1].text in vocabulary.convoying and words[at - 2].kind == "fleet"
        if word.text == "CON" and behind_fleet and _end_of_unit(words, at + 1) > 0:
            words[at] = Word("convoy", "C", word.start)
    return words


def _move_verbs_behind(words: Words) -> Words:
    """Move leading verbs behind their units, as in `Hold A Par`, `Move A Par to Bur` and `+ A Par`, and return the words."""
    at = 0
    while at < len(words):  # the list becomes shorter
        end = _end_of_unit(words, at + 1) if at == 0 or words[at - 1].kind == "sep" else -1
        if end < 0:
            pass
        elif words[at].kind in ("hold", "retreat", "move"):
            behind = end + 1 if words[at].kind == "retreat" and _are_kinds(words, end, "to") else end
            verb = [] if words[at].kind == "move" else [words[at]]
            words[at:behind] = [*words[at + 1 : end], *verb]
        elif words[at].kind in ("build", "plus"):
            words[at] = replace(words[at], kind="build", text="Build")
        elif words[at].kind == "disband":
            words[at] = replace(words[at], text="Disband")
        at += 1
    return words


def _move_kinds_before(words: Words) -> Words:
    """Move each unit's kind before its place, as in `London (F) - North Sea`, and return the words."""
    for at in range(1, len(words)):
        place = at - 1 - (words[at - 1].kind == "coast")
        behind = (
            words[at].kind in _KINDS and _are_kinds(words, place, "place") and not _are_kinds(words, at + 1, "place|power|raw")
        )
        if behind and _may_begin_unit(words, place):
            words.insert(place, words.pop(at))
    return words


def _merge_arrows(words: Words) -> Words:
    """Return the words with one arrow for `moves to`, or for `move` in `move Bur`, and none before verbs: `- off the board`."""
    kept: Words = []
    for at, word in enumerate(words):
        needless = (kept and kept[-1].kind in ("to", "retreat")) or _are_kinds(words, at + 1, "disband|hold|retreat")
        if word.kind == "move" and _are_kinds(words, at + 1, "place|raw"):
            kept.append(replace(word, kind="to", text="-"))
        elif not ((word.kind == "to" and needless) or (word.kind == "move" and _are_kinds(words, at + 1, "to|from"))):
            kept.append(word)
    return kept


def _move_origin_first(words: Words) -> Words:
    """Move the helped unit first in `support move to Burgundy from Paris` or `convoy to Bel from Lon`; return the words."""
    for at in [index for index, word in enumerate(words) if word.kind in ("support", "convoy", "support_hold")][::-1]:
        if words[at].kind == "support_hold":
            if _are_kinds(words, at + 1, "to"):
                del words[at + 1]
            end = _end_of_unit(words, at + 1)
            held = end > 0 and not _are_kinds(words, end, "to")  # a unit that holds goes nowhere
            words[at] = replace(words[at], kind="support", text="S") if held else replace(words[at], kind="raw")
            continue
        begin = at + 2 if _are_kinds(words, at + 1, "to") else at + 1
        end = _end_of_unit(words, begin)
        source = _end_of_unit(words, end + 1) if end > 0 and _are_kinds(words, end, "from") else -1
        if source > 0:
            arrow = Word("to", "-", words[end].start)
            words[at + 1 : source] = [*words[end + 1 : source], arrow, *words[begin:end]]
    return words


def _leads_on(words: Words, index: int, vocabulary: _Vocabulary) -> bool:
    """Return whether the word at `index` is a land province that is followed by an arrow and another place."""
    behind = index + 2 if _are_kinds(words, index + 1, "coast") else index + 1
    return _are_kinds(words, behind, "to", "place") and words[index].text not in vocabulary.convoying


def _add_arrows(words: Words, vocabulary: _Vocabulary) -> Words:
    """Return the words with the missing arrow in `a par bur`, but none in `a con bul - smy`: no convoy passes land."""
    found: Words = []
    at = 0
    while at < len(words):
        end = _end_of_unit(words, at) if at == 0 or words[at - 1].kind not in ("to", "via", "retreat", *_KINDS, "power") else -1
        helped = at > 0 and words[at - 1].kind in ("support", "convoy")
        moved = end > 0 and (helped or any(word.kind in _KINDS for word in words[at:end]))
        if moved and _are_kinds(words, end, "place") and not words[end].set_apart and not _leads_on(words, end, vocabulary):
            found += [*words[at:end], Word("to", "-", words[end].start), words[end]]
            at = end + 1
        else:
            found.append(words[at])
            at += 1
    return found


def _expand_convoys(words: Words, vocabulary: _Vocabulary) -> Words:
    """Write paths for `A Lon - Bel via Nth` and `A Lon via Nth to Bel`, VIA for `via` without a sea; return the words."""
    while (at := next((index for index, word in enumerate(words) if word.kind == "through"), -1)) >= 0:
        end, seas = at + 1, Words()
        while True:
            sea = end + _are_kinds(words, end, "to|and|sep")
            if not (_are_kinds(words, sea, "place") and words[sea].text in vocabulary.convoying):
                break
            seas += [words[sea], Word("to", "-", words[sea].start)]
            end = sea + 1
        begin = next((index + 1 for index in range(at - 1, -1, -1) if words[index].kind == "sep"), 0)
        arrow = next((index for index in range(at - 1, begin - 1, -1) if words[index].kind == "to"), -1)
        if not seas:
            words[at : end + _are_kinds(words, end, "convoy")] = [Word("via", "VIA", words[at].start)]
        elif _are_kinds(words, end, "to") and arrow < 0:
            landing = end + 1 + _are_kinds(words, end + 1, "place") + _are_kinds(words, end + 1, "place", "coast")
            words[landing:landing] = _make_via(words[begin:at], words[end + 1 : landing], vocabulary)
            words[at:end] = [Word("to", "-", words[at].start), *seas[:-1]]
        elif arrow >= 0:
            landed = words[arrow + 1 : at]
            words[arrow + 1 : end] = [*seas, *landed, *_make_via(words[begin:arrow], landed, vocabulary)]
        else:
            words[begin:end] = [Word("raw", "via", words[at].start)]
    return words


def _make_via(unit: Words, landing: Words, vocabulary: _Vocabulary) -> Words:
    """Return a list with the word VIA if an army's order says that it goes via a sea (DATC 4.A.3), else an empty list."""
    sails = any(word.kind == "fleet" for word in unit) or not landing or landing[0].text in vocabulary.convoying
    return [] if sails else [Word("via", "VIA", landing[-1].start)]


def _divide_orders(words: Words) -> Words:
    """Return the words with separators for `and` between orders, and without separators inside orders."""
    found: Words = []
    for at, word in enumerate(words):
        if word.kind == "and":
            word = replace(word, kind="sep", text=";")
        within = _are_kinds(words, at + 1, "via|to|support|convoy|hold") and not _are_kinds(words, at + 1, "hold", "army|fleet")
        if word.kind == "sep" and (not found or found[-1].kind == "sep" or within):
            continue
        found.append(word)
    return found


def _share_verbs(words: Words) -> Words:
    """Repeat a shared hold or support for each of its units, as in `A Trl, A Tri & F Adr S Ven`, and return the words."""
    at = 0
    while at < len(words):
        units, end = _list_units(words, at)
        if len(units) > 1 and words[units[-1].start - 1].kind == "and" and _are_kinds(words, end, "support|hold"):
            tail = next((index for index in range(end, len(words)) if words[index].kind in ("sep", "and")), len(words))
            reworded: Words = []
            for unit in units:
                reworded += [*words[unit], *words[end:tail], Word("sep", ";", words[unit.stop - 1].start)]
            words[at:tail] = reworded[:-1]
            at += len(reworded)
        else:
            at = next((index + 1 for index in range(at, len(words)) if words[index].kind in ("sep", "and")), len(words))
    return words


def _list_units(words: Words, start: int) -> tuple[list[slice], int]:
    """Return slices of the units listed from the index `start`, with commas between, and the index after the last one."""
    units: list[slice] = []
    end = start
    while (behind := _end_of_unit(words, start)) > 0 and any(word.kind in _KINDS for word in words[start:behind]):
        units.append(slice(start, behind))
        start = end = behind
        while _are_kinds(words, start, "sep|and"):
            start += 1
        if start == end:
            break
    return units, end


def _repeat_verbs(words: Words) -> Words:
    """Repeat `build` or `disband` for each of the units after it, as in `Build A Par, F Bre`, and return the words."""
    at = 0
    while at < len(words):
        end = _end_of_unit(words, at + 1)
        following = end + _are_kinds(words, end, "sep")
        begun = following > end or _are_kinds(
            words, end, "army|fleet|power"
        )  # otherwise it may be another place for the first unit
        behind = _end_of_unit(words, following) if end > 0 and begun else -1
        if words[at].kind in ("build", "disband") and behind > 0 and not _are_kinds(words, behind, _NO_LIST):
            words.insert(following, replace(words[at], start=words[following].start))
            at = following
        else:
            at += 1
    return words


_NO_LIST = "to|hold|support|convoy|retreat|disband|build|from|raw|place"


def _read_signs(words: Words, reads_builds: bool) -> Words:
    """Return the words with builds for the signs of `+ A Ber + A Mun` and, if `reads_builds`, removals for `- A Smy`."""
    if not _are_kinds(words, 0, "plus|to" if reads_builds else "plus"):
        return words
    found: Words = []
    for at, word in enumerate(words):
        end = _end_of_unit(words, at + 1) if word.kind in ("plus", "to") and _are_kinds(words, at + 1, "army|fleet") else -1
        listed = end > 0 and (not _are_kinds(words, end, _NO_LIST) or _are_kinds(words, end, "to", "army|fleet", "place"))
        if listed and found and found[-1].kind != "sep":
            found.append(Word("sep", ";", word.start))
        found.append(Word("disband", "Disband", word.start) if listed and word.kind == "to" else word)
    return found


_NUMBERS = {"one": 1, "two": 2, "three": 3}
_MOST_WAIVED = 34


def _repeat_waivers(words: Words) -> Words:
    """Simplify waivers, and return the words: `Waive 2` becomes `waive; waive`, `Russia waives its build` becomes `waive`."""
    for at in [index for index, word in enumerate(words) if word.kind == "waive"][::-1]:
        behind = at + 1 + _are_kinds(words, at + 1, "passing")
        if _are_kinds(words, behind, "build"):
            del words[at + 1 : behind + 1]
        if at and words[at - 1].kind == "power":
            del words[at - 1]
    at = 0
    while at < len(words):
        if _are_kinds(words, at, "waive", "raw"):
            count_word = words[at + 1].text.lower()
            number = int(count_word) if count_word.isdecimal() and len(count_word) <= 2 else _NUMBERS.get(count_word, 0)
            if 1 <= number <= _MOST_WAIVED:
                one = [words[at], Word("sep", ";", words[at].start)]
                end = at + 2 + _are_kinds(words, at + 2, "build")
                words[at:end] = (one * number)[:-1]
                at += 2 * number - 2
        at += 1
    return words


def _read_convoyed_moves(words: Words, vocabulary: _Vocabulary) -> Words:
    """Replace `(convoy)` after a move, and `convoy` in `Wal convoy to Pic` if Wal is land, by VIA; return the words."""
    for at in [index for index, word in enumerate(words) if word.kind in ("convoy_move", "convoy")][::-1]:
        goal = at + 1 + _are_kinds(words, at + 1, "to")
        end = goal + 1 + _are_kinds(words, goal + 1, "coast")
        bare = goal > at + 1 or words[at].kind == "convoy_move"
        unit = next((index for index in range(at) if _end_of_unit(words, index) == at), -1)
        sails = unit < 0 or any(word.kind == "fleet" or word.text in vocabulary.convoying for word in words[unit:at])
        if bare and not sails and _are_kinds(words, goal, "place") and not _are_kinds(words, end, "from|to"):
            words[at:end] = [Word("to", "-", words[at].start), *words[goal:end], Word("via", "VIA", words[goal].start)]
    moved = False
    for at, word in enumerate(words):
        moved = (moved or word.kind == "to") and word.kind != "sep"
        last = at + 1 == len(words) or words[at + 1].kind == "sep"
        if word.kind == "convoy" and moved and last and words[at - 1].kind in ("place", "coast"):
            words[at] = Word("via", "VIA", word.start)
    return words


def _order_words(words: Words, vocabulary: _Vocabulary, builds: bool) -> Words:
    words = _repeat_waivers(_read_convoyed_moves(_read_signs(words, builds), vocabulary))
    words = _move_kinds_before(_move_coasts_behind(_restore_powers(_drop_fillers(words))))
    words = _move_verbs_behind(_divide_orders(_share_verbs(_read_con_as_convoy(words, vocabulary))))
    return _expand_convoys(_add_arrows(_move_origin_first(_merge_arrows(_repeat_verbs(words))), vocabulary), vocabulary)


def is_result(text: str, game_map: Map, *more_tables: str) -> bool:
    """Return whether a text is only an order's result (`bounced with A War`), in words of results or of these tables."""
    return _Scanner(clean_text(text), game_map).are_results(*more_tables)


def ordered_words(text: str, game_map: Map, builds: bool = False) -> Words:
    """Return a text's words with their kinds, in the order of the compact notation; if `builds`, `-` may mean a removal."""
    return _order_words(_Scanner(clean_text(text), game_map).scan(), find_vocabulary(game_map), builds)


def reword(text: str, game_map: Map, builds: bool = False) -> TracedText:
    """Return a text in the compact notation, as far as its words are known; if `builds`, `- A Smy` is a removal."""
    traced = clean_text(text)
    words = _order_words(_Scanner(traced, game_map).scan(), find_vocabulary(game_map), builds)
    letters: list[str] = []
    origin: list[int] = []
    for word in words:
        if letters and word.kind != "coast":
            letters.append(" ")
            origin.append(traced.origin[word.start])
        letters += word.text
        origin += [traced.origin[word.start]] * len(word.text)
    return TracedText("".join(letters), (*origin, len(text)))
