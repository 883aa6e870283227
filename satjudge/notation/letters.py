"""Tells which lines of a player's letter are no orders of now: quoted, of another time or game, reported, or options.

Mail programs mark a quotation by `>`, by a line that says who wrote it, or by the head of the letter that is answered. Players
write a line above what they mean otherwise. The words for all that are in `models/notation/words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from satjudge.notation.lines import (
    NamedSeason,
    heading_in,
    holds_order,
    is_known_in_headings,
    is_one_of,
    names_nothing,
    says,
    season_named_in,
    unquoted,
)
from satjudge.notation.rewording import key_of, vocabulary
from satjudge.world.geography import Map, Power

_HEAD = re.compile(r"\W{0,3}([^\W\d_][^:]{0,30})\W?:")
"""A line in the head of a letter, `From: Bob`, `*Von:* Bob`."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ACROSS = re.compile(r"[-_=*\s]{5,}")
_FEWEST_HEADS, _MOST_HEADS = 2, 12
"""Lines; who it is to is none, for units go from somewhere to somewhere."""
_LONGEST_ATTRIBUTION = 300
_WORDS_BEHIND = 8
"""Words of a name and an address behind `schrieb`."""


class Quotation(NamedTuple):
    """Lines of a letter that are quoted, and whether they are a letter that is sent on."""

    begin: int
    end: int
    forwarded: bool = False

    def __contains__(self, line: object) -> bool:
        return isinstance(line, int) and self.begin <= line < self.end


def quotations_in(lines: Sequence[str], game_map: Map) -> list[Quotation]:
    """Find what is quoted in a letter, by the numbers of its lines from 1.

    Below a line that says who wrote what follows, or the head of another letter, all is quoted; above quoted lines with `>`
    such a line is quoted itself, and nothing else is. A letter's own head is no quotation, nor is one that is sent on without
    an order above it.
    """
    found = _marked(lines)
    if not (found and found[-1].forwarded):
        return found
    *before, sent_on = found
    own = lines_outside(found, lines)
    if not all(names_nothing(line, game_map) for line in own):
        return found
    begin = sent_on.begin
    return [*before, *(Quotation(one.begin + begin, one.end + begin) for one in quotations_in(lines[begin:], game_map))]


def _marked(lines: Sequence[str]) -> list[Quotation]:
    """What mail programs mark as quoted or sent on."""
    found: list[Quotation] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _is_marked(lines[end]):
            end += 1
        if end > at:
            found.append(Quotation(at + 1, end + 1))
        elif begun := _begins_at(lines, at):
            end = at + begun.lines
            if _is_marked(next((line for line in lines[end:] if line.strip()), "")):
                found.append(Quotation(at + 1, end + 1))
            elif begun.forwarded or any(line.strip() for line in lines[:at]):
                return [*found, Quotation(at + 1, len(lines) + 1, begun.forwarded)]
        at = max(end, at + 1)
    return found


def _is_marked(line: str) -> bool:
    return unquoted(line) != line


class _Begun(NamedTuple):
    """What says that a quotation begins: how many lines it has, and whether they send a letter on."""

    lines: int
    forwarded: bool = False


def _begins_at(lines: Sequence[str], at: int) -> _Begun | None:
    line = lines[at].strip()
    if not line or len(line) > _LONGEST_ATTRIBUTION:
        return None
    for name in ("forwarded", "answered"):
        if is_one_of(name, line.strip("-_=*<>: \t")):
            return _Begun(1, name == "forwarded")
    if _attributes(line):
        return _Begun(1)
    if at + 1 < len(lines) and line[-1] != ":" and _begins_attribution(line) and _attributes(lines[at + 1].strip()):
        return _Begun(2)
    begin = at + bool(_ACROSS.fullmatch(line))
    heads = [_head(below) for below in lines[begin : begin + _MOST_HEADS]]
    count = next((number for number, head in enumerate(heads) if not head), len(heads))
    return _Begun(begin - at + count) if len({*heads[:count]} - {"to"}) >= _FEWEST_HEADS else None


def _head(line: str) -> str:
    """The name of a line in the head of a letter; "" for any other line."""
    head = _HEAD.match(line.strip())
    return key_of(head[1]) if head and is_one_of("mail_heads", head[1]) else ""


def _attributes(line: str) -> bool:
    """Whether a line says who wrote what follows: `On Monday Bob wrote:`, `Am Montag schrieb Bob <bob@example.org>:`."""
    if not line.endswith(":") or len(line) > _LONGEST_ATTRIBUTION:
        return False
    last = " ".join(key_of(line).split()[-_WORDS_BEHIND:])
    return says("wrote", last)


def _begins_attribution(line: str) -> bool:
    """Whether a line may begin such a one that a mail program has broken: it has a date or an address."""
    return bool(re.search(r"[0-9]{4}|[0-9]:[0-9]{2}|@", line))


def lines_outside(quotations: Sequence[Quotation], lines: Sequence[str]) -> list[str]:
    """List the lines of a letter that are not quoted."""
    return [line for number, line in enumerate(lines, start=1) if not any(number in quotation for quotation in quotations)]


def asks_for_quoted(lines: Sequence[str]) -> str:
    """Find the sentence that says that quoted orders are the writer's, `Yes, as below please.`; "" if there is none."""
    sentences = (sentence.strip() for line in lines for sentence in _SENTENCE.split(line))
    unsure = ("denials", "retractions", "conditions")
    return next(
        (one for one in sentences if says("as_quoted", one) and "?" not in one and not any(says(name, one) for name in unsure)),
        "",
    )


def orders_quoted(lines: Sequence[str], quotations: Sequence[Quotation], game_map: Map) -> Quotation | None:
    """Find the first quotation in which there are orders."""
    for quotation in quotations:
        if any(holds_order(unquoted(line), game_map) for line in lines[quotation.begin - 1 : quotation.end - 1]):
            return quotation
    return None


class Part(NamedTuple):
    """Lines of a letter below a line that says what they are, with the numbers of these lines from 1."""

    kind: str
    """The table of words that says so: `former`, `planned`, `reported`, `options`, `games`."""
    begin: int
    end: int
    heading: str


_OPTION = re.compile(r"(.*\b)(?:[0-9]|[a-d]|[iv]{1,3}|one|two|three)")
_LONGEST_LEAD = 10
"""Words of a line without a colon that says what stands below it."""


def parts_of(lines: Sequence[str], game_map: Map) -> list[Part]:
    """Find the parts of a letter that are orders of another time, plans, told of others, or options.

    Each ends at the next heading, or at an empty line.
    """
    found: list[Part] = []
    for at, line in enumerate(lines):
        text = line.strip()
        heading, colon, rest = (text[:-1], ":", "") if text.endswith(":") else text.partition(":")
        kind = _kind_of(heading, game_map) if colon else _kind_of_lead(line, lines[at + 1 : at + 2], game_map)
        if kind:
            end = at + 1
            while not rest.strip() and end < len(lines) and not _ends_part(lines, at, end, game_map):
                end += 1
            found.append(Part(kind, at + 1, end + 1, f"{heading}{colon}"))
    several = sum(part.kind == "options" for part in found) > 1
    return [part for part in found if several or part.kind != "options"]


def _kind_of(heading: str, game_map: Map) -> str:
    heading = _SENTENCE.split(heading)[-1]
    if not heading.strip() or not names_nothing(heading, game_map) or is_one_of("mail_heads", heading):
        return ""
    option = _OPTION.fullmatch(key_of(heading))
    if option and is_one_of("options", option[1]):
        return "options"
    hanging = says("conditions", heading) and not says("dislodgement", heading)
    not_meant = (hanging or says("not_meant", heading)) and not says("to_the_reader", heading)
    if not_meant or ((says("former", heading) or says("retractions", heading)) and not says("current", heading)):
        return "former"
    return next((kind for kind in ("planned", "reported") if says(kind, heading)), "")


def _kind_of_lead(line: str, below: Sequence[str], game_map: Map) -> str:
    """What a line without a colon says of the orders right below it: `Italy wanted me to play`, `Old orders`."""
    words = key_of(line).split()
    if not words or len(words) > _LONGEST_LEAD or line.strip()[-1] in ".!?,;" or not names_nothing(line, game_map):
        return ""
    if not any(holds_order(one, game_map) for one in below):
        return ""
    if says("reported", line):
        return "reported"
    bare = " ".join(words[:-1] if len(words) > 1 and is_known_in_headings(words[-1]) else words)
    kinds = {"former": "former", "planned": "planned", "not_meant": "former"}
    return next((kind for name, kind in kinds.items() if is_one_of(name, bare)), "")


def _ends_part(lines: Sequence[str], at: int, end: int, game_map: Map) -> bool:
    line = lines[end].strip()
    if not line:
        return any(one.strip() for one in lines[at + 1 : end])
    return line.endswith(":") or heading_in(line, game_map) is not None


def games_in(lines: Sequence[str], game_map: Map, whose: Power | None, is_now: Callable[[NamedSeason], bool]) -> list[Part]:
    """Find the parts of a letter that are for other games than the one at hand, where headings name several games.

    A heading with another power or another season is another game's; if more than one is left nobody knows which is meant.
    """
    found: list[tuple[Part, str]] = []
    for number, line in enumerate(lines, start=1):
        heading = line.strip()
        if not heading.endswith(":") or not (name := _name_of_game(heading, game_map)):
            continue
        if found:
            found[-1] = (found[-1][0]._replace(end=number), found[-1][1])
        found.append((Part("games", number, len(lines) + 1, heading), name))
    if len({name for _, name in found}) < 2:
        return []
    fitting = {name for part, name in found if _is_for(whose, part.heading, game_map) and is_now(season_named_in(part.heading))}
    return [part for part, name in found if len(fitting) > 1 or name not in fitting]


def _name_of_game(heading: str, game_map: Map) -> str:
    """The words of a heading with a season, or with the word game, that no such heading has else."""
    if not (says("games", heading) or season_named_in(heading) != NamedSeason()) or not names_nothing(heading, game_map):
        return ""
    bare = re.sub(r"\([^()]*\)", "", heading)
    known = vocabulary(game_map).powers
    words = (word for word in re.findall(r"[^\W_]+", bare) if not is_known_in_headings(word) and key_of(word) not in known)
    return " ".join(word.lower() for word in words if word[0].isupper() and not is_one_of("games", word))


def _is_for(whose: Power | None, heading: str, game_map: Map) -> bool:
    """Whether a heading names no other power."""
    known = vocabulary(game_map).powers
    named = {known[word] for word in key_of(heading).split() if word in known}
    return not named or whose is None or whose in named
