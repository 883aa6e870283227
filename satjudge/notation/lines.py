"""Recognises what people write around orders: headings of powers and seasons, list marks, heads and ends of letters.

Only what has a shape of a fixed list is passed over (`models/notation/words.toml`), and never where an order is in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from satjudge.notation.rewording import (
    Words,
    cleaned,
    is_result,
    key_of,
    keys_in,
    meaning_of,
    ordered_words,
    plain,
    table,
    vocabulary,
)
from satjudge.world.board import Phase
from satjudge.world.geography import Map, Power

LIST_MARK = re.compile(r"\s*(?:[-*•·◦▪–—+o]\s+|[(]?[0-9]{1,2}[.)]\s*|[(]?[a-z][)]\s*)")
"""The mark of a list before an order: `- `, `* `, `1.`, `a)`."""
MARKDOWN_HEADING = re.compile(r"\s*#{2,6}\s*([^#]*)#*\s*")
_DECORATION = frozenset(">*_#~`\"'+.!,")
_SEASON_CODE = re.compile(r"([sfwa])([0-9]{2}|[0-9]{4})([mrab]?)")
"""`S1901M`, `f01`."""
_OF_CODES = {"s": "spring", "f": "fall", "a": "fall", "w": "winter"}
_PHASES_OF_CODES = {"m": Phase.MOVEMENT, "r": Phase.RETREAT, "a": Phase.ADJUSTMENT, "b": Phase.ADJUSTMENT}
_RULES = frozenset(" \t-=*_~.>#+|·•─<")
"""What lines across a page are drawn with."""
_MOST_WORDS = 4
_LONGEST_HEADING = 120
_BRACKETED = re.compile(r"\s*\(([^()]*)\)\s*")
_ADDRESS = 5
"""Words in a line that greets somebody, or that somebody signs with."""
_PIECE = re.compile(r"[^\W_]+|[^\s]")


class Heading(NamedTuple):
    """A heading with a power's name, and the column where the power's first order begins in its line."""

    power: Power
    rest: int


def heading_in(line: str, game_map: Map) -> Heading | None:
    """Find the power whose name is a line, with marks and words around it: `**France**`, `Orders for France (Bob):`, `Fra: …`.

    Of one letter it is a heading only where it stands alone or a unit follows (`F: A Par - Bur`), since `F: Bre - MAO` is none.
    """
    traced = cleaned(line)
    text = plain(traced.text)
    signon = re.match(r"\s*signon\s+([a-z])", text)
    if signon:
        power = _initials(game_map).get(signon[1])
        return Heading(power, len(line)) if power else None
    if (bracketed := _BRACKETED.fullmatch(text)) and line.lstrip().startswith("["):  # a name in round ones is a signature
        inner = heading_in(bracketed[1], game_map)
        return Heading(inner.power, len(line)) if inner and inner.rest == len(bracketed[1]) else None
    found = _HeadingReader(text, game_map).read()
    return Heading(found.power, traced.origin[found.rest]) if found else None


class _HeadingReader:
    def __init__(self, text: str, game_map: Map) -> None:
        self.text = text
        self.map = game_map
        self.powers = vocabulary(game_map).powers
        self.words = keys_in("headings", "phases", "seasons")
        self.pieces = list(_PIECE.finditer(text[:_LONGEST_HEADING]))
        self.power: Power | None = None
        self.short = False

    def read(self) -> Heading | None:
        at = 0
        while at < len(self.pieces):
            piece = self.pieces[at][0]
            if piece == ":" and self.power:
                return self._with(self.pieces[at].end())
            if piece[0].isalnum():
                after = self._word(at)
                if after is None:
                    return None
                at = after
            elif piece == "(":
                at = next(
                    (index + 1 for index in range(at, len(self.pieces)) if self.pieces[index][0] == ")"), len(self.pieces)
                )
            elif piece in "-–—=" and self.power and self._orders_follow(self.pieces[at].end()):
                return self._with(self.pieces[at].end())
            elif piece in _DECORATION or piece in ":-–—=[]|":
                at += 1
            else:
                return None
        alone = self.power and not self.short and len(self.text) <= _LONGEST_HEADING
        return Heading(self.power, len(self.text)) if self.power and alone else None

    def _word(self, at: int) -> int | None:
        """Past a word that may stand in a heading; None for one that may not."""
        for end in range(min(at + _MOST_WORDS, len(self.pieces)), at, -1):
            key = key_of(self.text[self.pieces[at].start() : self.pieces[end - 1].end()])
            power = self.powers.get(key) if self.pieces[end - 1][0][0].isalnum() else None
            if power and self.power in (None, power):
                self.power = power
                return end
        word = self.pieces[at][0]
        if word in self.words or word.isdigit() or word == "s" or _SEASON_CODE.fullmatch(word):
            return at + 1
        initial = _initials(self.map).get(word)
        if initial and self.power is None and at + 1 < len(self.pieces) and self.pieces[at + 1][0] == ":":
            self.power, self.short = initial, True
            return at + 1
        return None

    def _with(self, end: int) -> Heading | None:
        """The heading that ends there, with what follows it."""
        rest = end
        while rest < len(self.text) and (self.text[rest].isspace() or self.text[rest] in '*_:`"'):
            rest += 1
        if self.power is None or (self.short and rest < len(self.text) and not self._unit_follows(rest)):
            return None
        return Heading(self.power, rest)

    def _orders_follow(self, start: int) -> bool:
        """Whether the rest begins with a unit, or says that there are no orders."""
        return no_orders(self.text[start:]) or self._unit_follows(start)

    def _unit_follows(self, start: int) -> bool:
        """Whether the first word of the rest is a kind of unit, or a verb before one."""
        words = ordered_words(self.text[start:], self.map)
        return bool(words) and words[0].kind in ("army", "fleet", "build", "disband", "waive", "power")


def _initials(game_map: Map) -> dict[str, Power]:
    """The powers by their first letters, where only one begins so."""
    found: dict[str, list[Power]] = {}
    for power in game_map.powers:
        found.setdefault(key_of(game_map.name_of(power))[:1], []).append(power)
    return {letter: powers[0] for letter, powers in found.items() if len(powers) == 1}


class NamedSeason(NamedTuple):
    """The season, year and phase that a heading names."""

    season: str = ""
    phase: Phase | None = None
    year: int | None = None


def season_named_in(heading: str) -> NamedSeason:
    """Read the season, year and phase that a heading names, whatever else is in it."""
    said = NamedSeason()
    for word in key_of(cleaned(heading).text).split():
        if code := _SEASON_CODE.fullmatch(word):
            said = NamedSeason(_OF_CODES[code[1]], _PHASES_OF_CODES.get(code[3]) or said.phase, _year(code[2]))
        elif season := meaning_of("seasons").get(word):
            said = said._replace(season=season)
        elif phase := meaning_of("phases").get(word):
            said = said._replace(phase=Phase(phase))
        elif word.isdecimal() and len(word) == 4:
            said = said._replace(year=int(word))
    phase_of_season = {"winter": Phase.ADJUSTMENT, "summer": Phase.RETREAT}.get(said.season)
    return said._replace(phase=said.phase or phase_of_season)


def _year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 1900 + int(digits)


def season_in(line: str) -> tuple[bool, Phase | None]:
    """Tell whether a line is a heading that names a season, `Fall 1902 Retreats`, and the phase that it names."""
    said = season_named_in(line[:_LONGEST_HEADING])
    words = key_of(cleaned(line).text[:_LONGEST_HEADING]).split()
    known = keys_in("headings", "seasons", "phases")
    if not all(word.isdigit() or word in known or _SEASON_CODE.fullmatch(word) for word in words):
        return False, None
    return bool(said.season or said.phase) and len(line) <= _LONGEST_HEADING, said.phase


def is_known_in_headings(word: str) -> bool:
    """Tell whether a word may stand in any heading: it names no game."""
    key = key_of(word)
    return (
        key.isdigit()
        or key in keys_in("headings", "seasons", "phases", "openings", "passing")
        or bool(_SEASON_CODE.fullmatch(key))
    )


def is_head_of_table(cell: str) -> bool:
    """Tell whether the first cell of a table's row is one of its head, or of the line below that."""
    return key_of(cell) in ("power", "country", "nation", "player") or (bool(cell) and set(cell) <= set("-: "))


def says_nothing(line: str, *, behind_closing: bool = False) -> bool:
    """Tell whether a line has a shape that is passed over, even if an order is in it (`holds_order`)."""
    key = key_of(cleaned(line).text)
    words = key.split()
    if not words:
        return set(cleaned(line).text) <= _RULES
    if key in keys_in("talk", "closings", "no_orders", "judge_commands"):
        return True
    if is_mail_head(line) or words[0] == "signon" or key.startswith("sent from my "):
        return True
    short = 0 < len(words) <= _ADDRESS and all(word.isalpha() for word in words)
    begins = {words[0], " ".join(words[:2])}
    return short and (behind_closing or not begins.isdisjoint(keys_in("greetings", "closings")))


def is_mail_head(line: str) -> bool:
    """Tell whether a line stands in the head of a letter: `Subject: …`."""
    head, colon, _ = cleaned(line).text.lstrip("> \t").partition(":")
    return bool(colon) and key_of(head) in keys_in("mail_heads")


def closes(line: str) -> bool:
    """Tell whether a letter ends at this line, so that a name may follow."""
    return key_of(line) in keys_in("closings") or begins_signature(line)


def unquoted(line: str) -> str:
    """Remove the sign of a quotation from a line."""
    return line.lstrip("> \t\u00a0") if line.lstrip().startswith(">") else line


def quotes_beside_orders(lines: Sequence[str], game_map: Map) -> bool:
    """Tell whether a text has a quotation and orders, or headings of orders, of its own: then these count."""
    own = [line for line in lines if line == unquoted(line)]
    return len(own) < len(lines) and any(heading_in(line, game_map) or holds_order(line, game_map) for line in own)


def begins_signature(line: str) -> bool:
    """Tell whether a line begins the signature of a letter, as mail programs mark it: `-- `."""
    return line.strip() == "--"


def no_orders(text: str) -> bool:
    """Tell whether a line says that a power has given no orders."""
    return key_of(text) in keys_in("no_orders")


def holds_order(line: str, game_map: Map) -> bool:
    """Tell whether a line names a unit, or two places with an arrow between, so that it is not passed over."""
    words = ordered_words(line, game_map)
    return any(_unit_or_move(words, at) for at in range(len(words)))


def _unit_or_move(words: Words, at: int) -> bool:
    kinds = [word.kind for word in words[at : at + 3]]
    return kinds[:2] in (["army", "place"], ["fleet", "place"]) or kinds == ["place", "to", "place"]


def names_nothing(text: str, game_map: Map) -> bool:
    """Tell whether a text names no unit and no place, nor looks like an order that misspells them."""
    text = _OVERLAYS.sub("", text)
    words = ordered_words(text, game_map)
    return not any(_named(words, at, text, game_map) for at in range(len(words)))


def _named(words: Words, at: int, text: str, game_map: Map) -> bool:
    """Whether a unit or a place is named there; `war` by itself, in small letters, is a word."""
    word, near = words[at], [beside.kind for beside in (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])]
    if word.kind == "place":
        written = _PIECE.match(text, word.start)
        if [beside.kind for beside in words[at + 1 : at + 3]] == ["raw", "place"] and words[at + 1].text in _BETWEEN_PLACES:
            return True
        code = written is not None and len(written[0]) <= _LETTERS_OF_CODES and not written[0].isupper()
        own = written is not None and not written[0].islower() and key_of(written[0]) in game_map.names  # `Dan` is a name
        return not code or own or any(kind in ("place", "fleet", *_DONE) for kind in near)
    if word.kind == "waive":
        return True
    misspelt = [one.kind for one in words[at + 1 : at + 3]]
    return word.kind in ("army", "fleet") and misspelt[:1] == ["raw"] and misspelt[1:2] != ["raw"] and misspelt[1:] != []


_LETTERS_OF_CODES = 3
_OVERLAYS = re.compile("[\u0334-\u0338]")
"""Signs that strike letters out."""
_BETWEEN_PLACES = "/|\\"
"""Signs that stand for an arrow perhaps: `par/bur` is asked about."""
_DONE = ("to", "hold", "support", "convoy", "retreat", "disband", "build")


@cache
def _phrases(*tables: str) -> re.Pattern[str]:
    """Finds what stands in some tables as words of a plain text, the longest first."""
    words = sorted({word for name in tables for words in table(name).values() for word in words}, key=len, reverse=True)
    spelt = "|".join(r"[\W_]+".join(map(re.escape, key_of(word).split())) for word in words)
    return re.compile(rf"(?<![^\W_])(?:{spelt})(?![^\W_])")


def place_of(name: str, text: str) -> int | None:
    """Find where a text has the first word of a table, or None. `Everything else holds` says no condition."""
    searched = plain(text)
    if name in _LEFT_OPEN:
        searched = _phrases("certain").sub(lambda phrase: " " * len(phrase[0]), searched)
    found = _phrases(name).search(searched)
    return found.start() if found else None


def says(name: str, text: str) -> bool:
    """Tell whether a text has a word of a table."""
    return place_of(name, text) is not None


def takes_back(remark: str) -> bool:
    """Tell whether a remark beside an order takes it back, and says little else."""
    return says("retractions", remark) and len(key_of(remark).split()) <= _FEW_WORDS


def leaves_open(remark: str) -> bool:
    """Tell whether a remark beside an order takes it back, denies it, makes it depend on something or asks about it."""
    return "?" in remark or any(says(name, remark) for name in _LEFT_OPEN)


_LEFT_OPEN = ("conditions", "denials", "retractions", "alternatives", "doubts", "not_meant", "planned")


def is_harmless(remark: str, game_map: Map, power: Power | None, beside: str = "") -> bool:
    """Tell whether all words of a remark are known to leave orders as they are, or stand in the order beside it, too."""
    said, ordered = (
        {(word.kind, word.text) for word in ordered_words(text, game_map) if word.kind != "sep"} for text in (remark, beside)
    )
    others = {place for place in said if place[0] == "place"} - ordered
    denied = re.match(r"\W*(?:not|nicht|pas|non)\W+(\w+)", plain(remark))  # `NTH - Edi (not Lon, I changed my mind)`
    elsewhere = denied and len(others) == 1 and ("place", vocabulary(game_map).places.get(denied[1])) in others
    if beside and (said <= ordered or elsewhere):
        return "?" not in remark
    if beside and (leaves_open(remark) or season_named_in(remark) != NamedSeason()):
        return False
    tables = _BESIDE_ORDERS if beside else (*_IN_HEADINGS, "current", "former") if says("current", remark) else _IN_HEADINGS
    powers, places = vocabulary(game_map).powers, vocabulary(game_map).places
    agreed = opens_with("agreements", remark.lstrip(" (-"))
    unknown = [
        word
        for word in _phrases(*tables).sub(" ", _words_of(remark)).split()
        if not (word.isdigit() or (_SEASON_CODE.fullmatch(word) and not beside))
        and not (agreed and word in powers)
        and powers.get(word) != (power or "")
        and ("place", places.get(word)) not in ordered
    ]
    named = (
        len(unknown) == 1
        and unknown[0] not in powers
        and any(opens_with(name, remark.lstrip(" (-")) for name in _POLITE)
        and not leaves_open(remark)
    )
    return not (unknown or (beside and "?" in remark)) or named


def _words_of(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"https?://\S+", "", plain(text))))


def greets_power(text: str, game_map: Map, speaker: Power | None) -> bool:
    """Tell whether a line greets a power that is not the one who speaks: `Dear France,`."""
    known = vocabulary(game_map).powers
    words = key_of(text).split()
    named = {known[word] for word in words[1:3] if word in known}
    return bool(words) and words[0] in keys_in("greetings") and bool(named - {speaker})


def may_speak_of_orders(text: str) -> bool:
    """Tell whether a sentence may say something of the orders around it."""
    heard = re.sub(r"\b\w\b", " ", _phrases("unrelated").sub(" ", _words_of(text)))
    words = len(_words_of(text).split())
    asked = text.rstrip().endswith("?")
    tables = [*_LEFT_OPEN[asked:], "hold"] if words <= _MOST_WORDS_OF_A_REMARK else []
    open_ = [name for name in tables if (name != "denials" or words <= _MOST_DENIED) and says(name, heard)]
    return (
        says("referring", heard)
        or (words <= _MOST_DENIED and bool(_YEAR.search(heard)))
        or (bool(open_) and not says("to_the_reader", text))
    )


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


def is_one_of(name: str, text: str) -> bool:
    """Tell whether a text is a phrase of a table and nothing else."""
    return key_of(text) in keys_in(name)


def opening_of(text: str) -> int:
    """Count the characters of the words without content with which a text begins."""
    at, folded = 0, plain(text)
    while found := _phrases("openings", "headings", "seasons").match(folded, at) or _YEAR.match(folded, at):
        at = found.end()
        while at < len(folded) and not folded[at].isalnum():
            at += 1
    return at


_YEAR = re.compile(r"[0-9]{4}(?![0-9])")


def end_of_correction(text: str) -> int:
    """Count the characters of words that correct what was said before, with which a text begins: `Sorry, I meant `."""
    at, folded, corrects = 0, plain(text), False
    while found := _phrases("corrections", "refusals", "openings").match(folded, at):
        end = found.end()
        while end < len(folded) and not folded[end].isalnum():
            end += 1
        if is_one_of("refusals", found[0]) and not re.match(r"\s*[,:;.!-]", folded[found.end() :]):
            break
        corrects = corrects or is_one_of("refusals", found[0]) or is_one_of("corrections", found[0])
        at = end
    return at if corrects else 0


def end_without(name: str, text: str) -> int:
    """Find the end of a text without the words of a table, and without signs, at its end."""
    folded = plain(text)
    end = len(folded.rstrip(" .!,;:)"))
    last = [found for found in _phrases(name).finditer(folded, 0, end) if found.end() == end]
    return last[0].start() if last else end


def end_of_words(name: str, text: str) -> int:
    """Find where the first of the words of a table that end a text begins: behind it stand such words and one name at most."""
    folded = plain(text)
    end = len(folded)
    for found in reversed([*_phrases(name).finditer(folded)]):
        behind = re.findall(r"[^\W_]+", folded[found.end() : end])
        if len(behind) > _MOST_NAMES:
            break
        end = found.start()
    return end


def end_of_order(text: str, game_map: Map, *tables: str) -> int | None:
    """Find where an order ends behind which a text only says what became of it: `A Par - Bur, bounced`; else None."""
    for found in [*_phrases("results", *tables).finditer(plain(text))][-_MOST_RESULTS:]:
        end = len(text[: found.start()].rstrip(_BEFORE_RESULTS))
        if end and is_result(text[found.start() :], game_map, *tables):
            return end
    return None


_MOST_RESULTS = 12
"""Words of results at the end of a line at which its last order may end."""
_BEFORE_RESULTS = " \t,;:.!([{*_|=<>-–—→"


def opens_with(name: str, text: str) -> bool:
    """Tell whether a text begins with a word of a table."""
    return _phrases(name).match(plain(text).lstrip()) is not None


def says_to_go_on(line: str, game_map: Map) -> bool:
    """Tell whether a line ends in a word behind which a place or a unit must stand: `F Kiel to`."""
    words = ordered_words(line, game_map)
    closed = line.endswith((".", "!", "?", ":")) or (line.endswith(">") and not line.endswith(("->", "=>")))  # an address
    return (
        bool(words) and not closed and words[-1].kind in ("to", "support", "convoy", "through", "of", "from", "army", "fleet")
    )


def opening_with(name: str, text: str) -> int:
    """Count the characters of a word of a table with which a text begins, with a name behind it: `hi dave `."""
    found = _phrases(name).match(plain(text))
    named = re.compile(r"[\W_]+[^\W\d_]{2,20}(?=\s)").match(text, found.end()) if found else None
    return named.end() if named else found.end() if found else 0


_MOST_NAMES = 1


def without(tables: Sequence[str], text: str) -> str:
    """Remove the words of some tables from a text."""
    kept = plain(text)
    for name in tables:
        kept = _phrases(name).sub(lambda found: " " * len(found[0]), kept)
    return " ".join(
        re.sub(r"\s+", " ", "".join(new if new == " " else old for new, old in zip(kept, text, strict=True))).split()
    )


class ListEnd(NamedTuple):
    """The end of a printed list, and the number of entries printed behind it: `A Rum, A Sev. (2)`."""

    end: int
    number: int | None = None
    column: int = 0
    """The column of the number, from 1."""


def end_of_list(text: str) -> ListEnd:
    """Find the end of a list, without the full stop and the number that books print behind it."""
    end = _bare(text, len(text))
    begin = text.rfind("(", 0, end)
    number = _COUNTED.fullmatch(text, begin, end) if begin >= 0 else None
    return ListEnd(_bare(text, begin), int(number[1]), number.start(1) + 1) if number else ListEnd(end)


_COUNTED = re.compile(r"\(\s*(\d{1,4})\s*\)")


def _bare(text: str, end: int) -> int:
    """Where the text up to there ends without blanks and full stops."""
    while end and (text[end - 1].isspace() or text[end - 1] == "."):
        end -= 1
    return end
