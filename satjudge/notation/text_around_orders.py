"""Recognises texts around orders: headings of powers and seasons, list marks, and the beginnings and ends of letters.

Text is skipped only if it matches one of a fixed list of forms (`models/notation/words.toml`) and contains no order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from satjudge.notation.rewording import (
    Words,
    clean_text,
    find_keys,
    find_meanings,
    find_table,
    find_vocabulary,
    fold_accents,
    is_result,
    make_key,
    ordered_words,
)
from satjudge.world.board import Phase
from satjudge.world.geography import Map, Power

LIST_MARK = re.compile(r"\s*(?:[-*•·◦▪–—+o]\s+|[(]?[0-9]{1,2}[.)]\s*|[(]?[a-z][)]\s*|#\s*[0-9]{1,2}[.):]?\s+)")
"""The mark of a list before an order: `- `, `* `, `1.`, `a)`, `#1 `."""
MARKDOWN_HEADING = re.compile(r"\s*#{2,6}\s*([^#]*)#*\s*")
_DECORATION = frozenset(">*_#~`\"'+.!,")
_SEASON_CODE = re.compile(r"([sfwa])([0-9]{2}|[0-9]{4})([mrab]?)")
"""A season code such as `S1901M` or `f01`."""
_OF_CODES = {"s": "spring", "f": "fall", "a": "fall", "w": "winter"}
_PHASES_OF_CODES = {"m": Phase.MOVEMENT, "r": Phase.RETREAT, "a": Phase.ADJUSTMENT, "b": Phase.ADJUSTMENT}
_RULES = frozenset(" \t-=*_~.>#+|·•─<")
"""The characters of lines that separate parts of a page."""
_MOST_WORDS = 4
_LONGEST_HEADING = 120
_BRACKETED = re.compile(r"\s*\(([^()]*)\)\s*")
_ADDRESS = 5
"""The largest number of words of a greeting or a signature."""
_PIECE = re.compile(r"[^\W_]+|[^\s]")


class Heading(NamedTuple):
    """A heading with a power's name, and the column at which the rest of its line begins."""

    power: Power
    rest: int


def find_power_heading(line: str, game_map: Map) -> Heading | None:
    """Return a heading's power and where its line continues (`**France**`, `Fra: …`), or None for any other line.

    A single letter is a heading only if it is alone or before a unit (`F: A Par - Bur`), since `F: Bre - MAO` is an order.
    """
    traced = clean_text(line)
    text = fold_accents(traced.text)
    signon = re.match(r"\s*signon\s+([a-z])", text)
    if signon:
        power = _find_initials(game_map).get(signon[1])
        return Heading(power, len(line)) if power else None
    if (bracketed := _BRACKETED.fullmatch(text)) and line.lstrip().startswith("["):  # a name in round brackets is a signature
        inner = find_power_heading(bracketed[1], game_map)
        return Heading(inner.power, len(line)) if inner and inner.rest == len(bracketed[1]) else None
    found = _HeadingReader(text, game_map).read()
    return Heading(found.power, traced.origin[found.rest]) if found else None


class _HeadingReader:
    def __init__(self, text: str, game_map: Map) -> None:
        self.text = text
        self.map = game_map
        self.powers = find_vocabulary(game_map).powers
        self.words = find_keys("headings", "phases", "seasons")
        self.pieces = list(_PIECE.finditer(text[:_LONGEST_HEADING]))
        self.power: Power | None = None
        self.short = False

    def read(self) -> Heading | None:
        at = 0
        while at < len(self.pieces):
            piece = self.pieces[at][0]
            if piece == ":" and self.power:
                return self._make_heading(self.pieces[at].end())
            if piece[0].isalnum():
                after = self._skip_word(at)
                if after is None:
                    return None
                at = after
            elif piece == "(":
                end = len(self.pieces)
                at = next((index + 1 for index in range(at, end) if self.pieces[index][0] == ")"), end)
            elif piece in "-–—=" and self.power and self._has_orders_behind(self.pieces[at].end()):
                return self._make_heading(self.pieces[at].end())
            elif piece in _DECORATION or piece in ":-–—=[]|":
                at += 1
            else:
                return None
        alone = self.power and not self.short and len(self.text) <= _LONGEST_HEADING
        return Heading(self.power, len(self.text)) if self.power and alone else None

    def _skip_word(self, index: int) -> int | None:
        """Return the index after the heading word or power name at `index`, and store the power; None for any other word."""
        for end in range(min(index + _MOST_WORDS, len(self.pieces)), index, -1):
            key = make_key(self.text[self.pieces[index].start() : self.pieces[end - 1].end()])
            power = self.powers.get(key) if self.pieces[end - 1][0][0].isalnum() else None
            if power and self.power in (None, power):
                self.power = power
                return end
        word = self.pieces[index][0]
        if word in self.words or word.isdigit() or word == "s" or _SEASON_CODE.fullmatch(word):
            return index + 1
        initial = _find_initials(self.map).get(word)
        if initial and self.power is None and index + 1 < len(self.pieces) and self.pieces[index + 1][0] == ":":
            self.power, self.short = initial, True
            return index + 1
        return None

    def _make_heading(self, end: int) -> Heading | None:
        """Return the heading that ends before the column `end`; None without a power, or for an initial not before a unit."""
        rest = end
        while rest < len(self.text) and (self.text[rest].isspace() or self.text[rest] in '*_:`"'):
            rest += 1
        if self.power is None or (self.short and rest < len(self.text) and not self._has_unit_behind(rest)):
            return None
        return Heading(self.power, rest)

    def _has_orders_behind(self, column: int) -> bool:
        """Return whether the text from `column` on begins with a unit, or is a phrase such as "no orders"."""
        return is_phrase("no_orders", self.text[column:]) or self._has_unit_behind(column)

    def _has_unit_behind(self, column: int) -> bool:
        """Return whether the text from `column` on begins with a kind of unit, a power, or a verb for builds or removals."""
        words = ordered_words(self.text[column:], self.map)
        return bool(words) and words[0].kind in ("army", "fleet", "build", "disband", "waive", "power")


def _find_initials(game_map: Map) -> dict[str, Power]:
    """Return the power for each initial letter, in lower case, that only one power's name has."""
    found: dict[str, list[Power]] = {}
    for power in game_map.powers:
        found.setdefault(make_key(game_map.name_of(power))[:1], []).append(power)
    return {letter: powers[0] for letter, powers in found.items() if len(powers) == 1}


class NamedSeason(NamedTuple):
    """The season, year and phase that a heading names."""

    season: str = ""
    phase: Phase | None = None
    year: int | None = None


def read_named_season(heading: str) -> NamedSeason:
    """Return the season, year and phase that a heading names or implies (`Winter`), with "" or None for missing ones."""
    found = NamedSeason()
    for word in make_key(clean_text(heading).text).split():
        if code := _SEASON_CODE.fullmatch(word):
            found = NamedSeason(
                _OF_CODES[code[1]], _PHASES_OF_CODES.get(code[3]) or found.phase, int(code[2]) + (len(code[2]) == 2) * 1900
            )
        elif season := find_meanings("seasons").get(word):
            found = found._replace(season=season)
        elif phase := find_meanings("phases").get(word):
            found = found._replace(phase=Phase(phase))
        elif word.isdecimal() and len(word) == 4:
            found = found._replace(year=int(word))
    phase_of_season = {"winter": Phase.ADJUSTMENT, "summer": Phase.RETREAT}.get(found.season)
    return found._replace(phase=found.phase or phase_of_season)


def read_season_heading(line: str) -> tuple[bool, Phase | None]:
    """Return whether a line is only a heading with a season or phase (`Fall 1902 Retreats`), and its phase or None."""
    named_season = read_named_season(line[:_LONGEST_HEADING])
    words = make_key(clean_text(line).text[:_LONGEST_HEADING]).split()
    known = find_keys("headings", "seasons", "phases")
    if not all(word.isdigit() or word in known or _SEASON_CODE.fullmatch(word) for word in words):
        return False, None
    return bool(named_season.season or named_season.phase) and len(line) <= _LONGEST_HEADING, named_season.phase


def is_heading_word(word: str) -> bool:
    """Return whether a word is a number, or one that headings usually have, such as a season; names of games are neither."""
    key = make_key(word)
    known = key in find_keys("headings", "seasons", "phases", "openings", "passing")
    return known or key.isdigit() or bool(_SEASON_CODE.fullmatch(key))


def is_table_head(cell: str) -> bool:
    """Return whether a cell is the first in a table's head (`Power`, `Country`), or in the line of dashes below it."""
    return make_key(cell) in ("power", "country", "nation", "player") or (bool(cell) and set(cell) <= set("-:| "))


def is_filler(line: str, *, follows_closing: bool = False) -> bool:
    """Return whether a line is a usual line without orders: a greeting, an email header or, if it `follows_closing`, a name."""
    key = make_key(clean_text(line).text)
    words = key.split()
    if not words:
        return set(clean_text(line).text) <= _RULES
    if key in find_keys("talk", "closings", "no_orders", "judge_commands"):
        return True
    if is_mail_header(line) or words[0] == "signon" or key.startswith("sent from my "):
        return True
    short = 0 < len(words) <= _ADDRESS and all(word.isalpha() for word in words)
    begins = {words[0], " ".join(words[:2])}
    return short and (follows_closing or not begins.isdisjoint(find_keys("greetings", "closings")))


def is_mail_header(line: str) -> bool:
    """Return whether a line begins with the name of an email header and a colon: `Subject: …`."""
    head, colon, _ = clean_text(line).text.lstrip("> \t").partition(":")
    return bool(colon) and make_key(head) in find_keys("mail_heads")


def is_closing(line: str) -> bool:
    """Return whether a line is the closing formula of a letter, or the mark `--` above a signature."""
    return make_key(line) in find_keys("closings") or line.strip() == "--"


def unquote(line: str) -> str:
    """Return a line without the quotation signs `>` at its beginning; any other line unchanged."""
    return line.lstrip("> \t\u00a0") if line.lstrip().startswith(">") else line


def has_quotation_beside_orders(lines: Sequence[str], game_map: Map) -> bool:
    """Return whether some lines are quoted with `>`, and some of the others are orders or headings of powers."""
    own = [line for line in lines if line == unquote(line)]
    return len(own) < len(lines) and any(find_power_heading(line, game_map) or has_order(line, game_map) for line in own)


def has_order(line: str, game_map: Map) -> bool:
    """Return whether a line names a kind of unit with a place, or two places with an arrow between."""
    kinds = " ".join(word.kind for word in ordered_words(line, game_map))
    return re.search(r"\b(?:army|fleet|place to) place\b", kinds) is not None


def has_no_place(text: str, game_map: Map) -> bool:
    """Return whether a text names no unit and no place, and does not look like a misspelt order."""
    text = _OVERLAYS.sub("", text)
    words = ordered_words(text, game_map)
    return not any(_is_unit_or_place(words, at, text, game_map) for at in range(len(words)))


def _is_unit_or_place(words: Words, index: int, text: str, game_map: Map) -> bool:
    """Return whether the word at `index` means a unit or place; `war` in lower case, for example, may be an ordinary word."""
    word, near = words[index], [beside.kind for beside in (*words[max(0, index - 1) : index], *words[index + 1 : index + 2])]
    if word.kind == "place":
        written = _PIECE.match(text, word.start)
        following = words[index + 1 : index + 3]
        if [beside.kind for beside in following] == ["raw", "place"] and following[0].text in _BETWEEN_PLACES:
            return True
        code = written is not None and len(written[0]) <= _LETTERS_OF_CODES and not written[0].isupper()
        own = written is not None and not written[0].islower() and make_key(written[0]) in game_map.names  # `Dan` is a name
        return not code or own or any(kind in ("place", "fleet", *_DONE) for kind in near)
    if word.kind == "waive":
        return True
    misspelt = [one.kind for one in words[index + 1 : index + 3]]
    return (
        word.kind in ("army", "fleet") and misspelt[:1] == ["raw"] and misspelt[1:] != [] and misspelt[1] not in ("raw", "of")
    )


_LETTERS_OF_CODES = 3
_OVERLAYS = re.compile("[\u0334-\u0338]")
"""Signs that cross out letters."""
_BETWEEN_PLACES = "/|\\"
"""Signs that may mean an arrow: `par/bur` is not read as a move, but reported as unclear."""
_DONE = ("to", "hold", "support", "convoy", "retreat", "disband", "build")


@cache
def _phrase_pattern(*tables: str) -> re.Pattern[str]:
    """Return a pattern that matches any phrase of these tables of words.toml in folded text, the longest first."""
    words = sorted({word for name in tables for words in find_table(name).values() for word in words}, key=len, reverse=True)
    spelt = "|".join(r"[\W_]+".join(map(re.escape, make_key(word).split())) for word in words)
    return re.compile(rf"(?<![^\W_])(?:{spelt})(?![^\W_])")


def find_phrase(table: str, text: str) -> int | None:
    """Return the start of a table's first phrase in a text, or None; for doubts, phrases of the table `certain` are skipped."""
    searched = fold_accents(text)
    if table in _LEFT_OPEN:
        searched = _phrase_pattern("certain").sub(lambda phrase: " " * len(phrase[0]), searched)
    found = _phrase_pattern(table).search(searched)
    return found.start() if found else None


def has_phrase(table: str, text: str) -> bool:
    """Return whether a text contains a phrase of the table of words.toml with this name."""
    return find_phrase(table, text) is not None


def count_pointed(text: str) -> int:
    """Return the smallest number of orders to which a text may refer: 2 for `the second one`, 0 if it refers to none."""
    found = _phrase_pattern("pointing").finditer(fold_accents(text))
    return min((int(find_meanings("pointing")[make_key(phrase[0])]) for phrase in found), default=0)


def is_retraction(remark: str) -> bool:
    """Return whether a remark on an order is short and withdraws it, or begins with a condition or alternative (`if`, `or`)."""
    short = has_phrase("retractions", remark) and len(make_key(remark).split()) <= _FEW_WORDS
    return short or any(begins_with_phrase(name, remark.lstrip(" #")) for name in ("conditions", "alternatives"))


def is_uncertain(remark: str) -> bool:
    """Return whether a remark has a `?`, or words that withdraw, deny, doubt or postpone an order, or make it conditional."""
    return "?" in remark or any(has_phrase(name, remark) for name in _LEFT_OPEN)


_LEFT_OPEN = ("conditions", "denials", "retractions", "alternatives", "doubts", "not_meant", "planned")


def is_harmless(remark: str, game_map: Map, power: Power | None, order: str = "") -> bool:
    """Return whether a remark has only words that change no order, the power's name, and words that are also in `order`."""
    mentioned, ordered = (
        {(word.kind, word.text) for word in ordered_words(text, game_map) if word.kind != "sep"} for text in (remark, order)
    )
    others = {place for place in mentioned if place[0] == "place"} - ordered
    denied = re.match(r"\W*(?:not|nicht|pas|non)\W+(\w+)", fold_accents(remark))  # `NTH - Edi (not Lon, I changed my mind)`
    elsewhere = denied and len(others) == 1 and ("place", find_vocabulary(game_map).places.get(denied[1])) in others
    if order and (mentioned <= ordered or elsewhere):
        return "?" not in remark
    if order and (is_uncertain(remark) or read_named_season(remark) != NamedSeason()):
        return False
    tables = (
        _BESIDE_ORDERS if order else (*_IN_HEADINGS, "current", "former") if has_phrase("current", remark) else _IN_HEADINGS
    )
    powers, places = find_vocabulary(game_map).powers, find_vocabulary(game_map).places
    agreed = begins_with_phrase("agreements", remark.lstrip(" (-"))
    unknown = [
        word
        for word in _phrase_pattern(*tables).sub(" ", _join_words(remark)).split()
        if not (word.isdigit() or (_SEASON_CODE.fullmatch(word) and not order))
        and not (agreed and word in powers)
        and powers.get(word) != (power or "")
        and ("place", places.get(word)) not in ordered
    ]
    named = (
        len(unknown) == 1
        and unknown[0] not in powers
        and any(begins_with_phrase(name, remark.lstrip(" (-")) for name in _POLITE)
        and not is_uncertain(remark)
    )
    return not (unknown or (order and "?" in remark)) or named


def _join_words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"https?://\S+", "", fold_accents(text))))


def is_greeting_of_other(text: str, game_map: Map, writer: Power | None) -> bool:
    """Return whether a text begins with a greeting of a power other than the writer's: `Dear France,`."""
    known = find_vocabulary(game_map).powers
    words = make_key(text).split()
    named = {known[word] for word in words[1:3] if word in known}
    return bool(words) and words[0] in find_keys("greetings") and bool(named - {writer})


def may_speak_of_orders(text: str) -> bool:
    """Return whether a sentence has words, such as `instead`, that may refer to orders elsewhere in the text."""
    clean_text = re.sub(r"\b\w\b", " ", _phrase_pattern("unrelated").sub(" ", _join_words(text)))
    words = len(_join_words(text).split())
    asked = text.rstrip().endswith("?")
    tables = [*_LEFT_OPEN[asked:], "hold"] if words <= _MOST_WORDS_OF_A_REMARK else []
    skipped = {
        *["denials"] * (words > _MOST_DENIED),
        *["alternatives"] * (asked and not begins_with_phrase("alternatives", text)),
    }
    open_ = {language for name in tables if name not in skipped for language in _find_languages(name, clean_text)}
    foreign = any(map(str.isalpha, clean_text)) and not re.search("[a-z]", clean_text)
    return (
        foreign
        or begins_with_phrase("alternatives", text)
        or has_phrase("referring", clean_text)
        or (words <= _MOST_DENIED and bool(_YEAR.search(clean_text)))
        or (bool(open_) and open_.isdisjoint(_find_languages("to_the_reader", text)))
    )


def _find_languages(table: str, text: str) -> set[str]:
    """Return the languages of a table of words.toml of which a text has words."""
    if not has_phrase(table, text):
        return set()
    joined = f" {_join_words(text)} "
    return {language for language, words in find_table(table).items() if any(f" {make_key(word)} " in joined for word in words)}


_TALK = (*_LEFT_OPEN, "referring", "corrections", "repeats", "all_hold", "stays", "greetings", "polite", "unordered")
_POLITE = ("polite", "greetings", "closings")
_MOST_DENIED = 5
_MOST_WORDS_OF_A_REMARK = 8
_FEW_WORDS = 4
_BESIDE_ORDERS = ("harmless", "agreements", "polite", "besides", "passing", "greetings", "closings", "talk", "results")
_IN_HEADINGS = (
    *_BESIDE_ORDERS,
    "unrelated",
    "headings",
    "seasons",
    "phases",
    "openings",
    "unordered",
    "no_orders",
    "introductions",
    "judge_commands",
    "replacements",
    "stays",
    "forwarded",
    "as_quoted",
    "repeats",
)


def is_phrase(table: str, text: str) -> bool:
    """Return whether a text is exactly one phrase of this table of words.toml, ignoring case and punctuation."""
    return make_key(text) in find_keys(table)


def measure_opening(text: str) -> int:
    """Return the number of characters of filler words, headings and seasons at the beginning of a text."""
    at, folded = 0, fold_accents(text)
    while found := _phrase_pattern("openings", "headings", "seasons").match(folded, at) or _YEAR.match(folded, at):
        at = found.end()
        while at < len(folded) and not folded[at].isalnum():
            at += 1
    return at


_YEAR = re.compile(r"[0-9]{4}(?![0-9])")


def measure_correction(text: str) -> int:
    """Return the number of characters of words of correction that begin a text (`Sorry, I meant `); 0 if there are none."""
    at, folded, corrects = 0, fold_accents(text), False
    while found := _phrase_pattern("corrections", "refusals", "openings").match(folded, at):
        end = found.end()
        while end < len(folded) and not folded[end].isalnum():
            end += 1
        if is_phrase("refusals", found[0]) and not re.match(r"\s*[,;.!-]", folded[found.end() :]):
            break
        corrects = corrects or is_phrase("refusals", found[0]) or is_phrase("corrections", found[0])
        at = end
    return at if corrects else 0


def find_end_without(table: str, text: str) -> int:
    """Return the end of a text without its trailing punctuation and without one phrase of a table before that."""
    folded = fold_accents(text)
    end = len(folded.rstrip(" .!,;:)"))
    last = [found for found in _phrase_pattern(table).finditer(folded, 0, end) if found.end() == end]
    return last[0].start() if last else end


def find_closing_phrase(table: str, text: str) -> int:
    """Return the start of the phrases of a table that close a text, each before at most one name; the text's length if none."""
    folded = fold_accents(text)
    end = len(folded)
    for found in reversed([*_phrase_pattern(table).finditer(folded)]):
        behind = re.findall(r"[^\W_]+", folded[found.end() : end])
        if len(behind) > _MOST_NAMES:
            break
        end = found.start()
    return end


def find_end_of_order(text: str, game_map: Map, *more_tables: str) -> int | None:
    """Return the end of an order if only its result follows (`A Par - Bur, bounced`), or None."""
    for found in [*_phrase_pattern("results", *more_tables).finditer(fold_accents(text))][-_MOST_RESULTS:]:
        end = len(text[: found.start()].rstrip(_BEFORE_RESULTS))
        if end and is_result(text[found.start() :], game_map, *more_tables):
            return end
    return None


_MOST_RESULTS = 12
"""The largest number of words of results after the last order of a line."""
_BEFORE_RESULTS = " \t,;:.!([{*_|=<>-–—→"


def begins_with_phrase(table: str, text: str) -> bool:
    """Return whether a text begins with a phrase of this table of words.toml."""
    return _phrase_pattern(table).match(fold_accents(text).lstrip()) is not None


def begins_with_talk(text: str) -> bool:
    """Return whether a text begins with words that people write beside orders: `or Bur`, `never mind`, `all units hold`."""
    return _phrase_pattern(*_TALK).match(fold_accents(text).lstrip()) is not None


def is_unfinished(line: str, game_map: Map) -> bool:
    """Return whether a line ends with a word after which a place or a unit must follow: `F Kiel to`."""
    words = ordered_words(line, game_map)
    closed = line.endswith((".", "!", "?", ":")) or (line.endswith(">") and not line.endswith(("->", "=>")))  # an address
    return not closed and bool(words) and words[-1].kind in _BEFORE_PLACES


_BEFORE_PLACES = ("to", "support", "convoy", "through", "of", "from", "army", "fleet")


def measure_greeting(table: str, text: str) -> int:
    """Return the length of a greeting of the table, with a name, at the beginning of a text (`hi dave `); 0 if none."""
    found = _phrase_pattern(table).match(fold_accents(text))
    named = re.compile(r"[\W_]+[^\W\d_]{2,20}(?=\s)").match(text, found.end()) if found else None
    return named.end() if named else found.end() if found else 0


_MOST_NAMES = 1


def remove_phrases(tables: Sequence[str], text: str) -> str:
    """Return a text without the phrases of these tables of words.toml, and with single blanks between its other words."""
    kept = fold_accents(text)
    for name in tables:
        kept = _phrase_pattern(name).sub(lambda found: " " * len(found[0]), kept)
    return " ".join("".join(new if new == " " else old for new, old in zip(kept, text, strict=True)).split())


class ListEnd(NamedTuple):
    """The end of a printed list, and the number of entries that is printed after it: `A Rum, A Sev. (2)`."""

    end: int
    number: int | None = None
    column: int = 0
    """The column of the number, from 1."""


def find_end_of_list(text: str) -> ListEnd:
    """Return the end of a printed list, without a full stop or the number in parentheses after it, and that number."""
    end = _trim_end(text, len(text))
    begin = text.rfind("(", 0, end)
    number = _COUNTED.fullmatch(text, begin, end) if begin >= 0 else None
    return ListEnd(_trim_end(text, begin), int(number[1]), number.start(1) + 1) if number else ListEnd(end)


_COUNTED = re.compile(r"\(\s*(\d{1,4})\s*\)")


def _trim_end(text: str, end: int) -> int:
    """Return the length of the text before `end` without the blanks and full stops at its end."""
    while end and (text[end - 1].isspace() or text[end - 1] == "."):
        end -= 1
    return end
