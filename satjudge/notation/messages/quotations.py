"""Finds the lines of a player's message whose orders do not count now: quoted, past, for another game, reported, or options.

Mail programs mark a quotation with `>`, with a line that names its author, or with the headers of the quoted email. Players
introduce the other parts with a line of their own. The words of these lines are in `models/notation/words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import unescape
from typing import NamedTuple

from satjudge.notation.rewording import find_vocabulary, make_key
from satjudge.notation.text_around_orders import (
    NamedSeason,
    find_closing_phrase,
    find_power_heading,
    has_no_place,
    has_order,
    has_phrase,
    is_heading_word,
    is_phrase,
    is_uncertain,
    measure_greeting,
    read_named_season,
    unquote,
)
from satjudge.world.geography import Map, Power

_HEAD = re.compile(r"\W{0,3}([^\W\d_][^:]{0,30})\W?:")
"""A header line of an email: `From: Bob`, `*Von:* Bob`."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DATED = re.compile(r"[0-9]{4}|[0-9]:[0-9]{2}|@")
"""A date or an address, as in the first line of an attribution that a mail program has wrapped."""
_ACROSS = re.compile(r"[-_=*\s]{5,}")
_FEWEST_HEADS, _MOST_HEADS = 2, 12
"""The smallest and largest number of header lines. `To:` does not count, because units go to places."""
_LONGEST_ATTRIBUTION = 300
_WORDS_BEHIND = 8
"""The largest number of words of a name and an address after `schrieb`."""


class Quotation(NamedTuple):
    """The quoted lines of a message, and whether they are a forwarded email."""

    begin: int
    end: int
    forwarded: bool = False

    def __contains__(self, line: object) -> bool:
        return isinstance(line, int) and self.begin <= line < self.end


def find_quotations(lines: Sequence[str], game_map: Map) -> list[Quotation]:
    """List the quotations in a message, each by its first line and the line after its last, counted from 1.

    Everything below an attribution, or below the headers of another email, is quoted; but if lines with `>` follow, only these
    lines and the attribution are. The message's own headers are not a quotation, nor is a forwarded email without an order
    above it.
    """
    found = _find_marked(lines)
    if not (found and found[-1].forwarded):
        return found
    *before, sent_on = found
    own = list_own_lines(found, lines)
    if not all(has_no_place(line, game_map) for line in own):
        return found
    begin = sent_on.begin
    return [*before, *(Quotation(one.begin + begin, one.end + begin) for one in find_quotations(lines[begin:], game_map))]


def _find_marked(lines: Sequence[str]) -> list[Quotation]:
    """List the quotations that mail programs mark: lines with `>`, and lines below an attribution or an email's headers."""
    found: list[Quotation] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _is_marked(lines[end]):
            end += 1
        if end > at:
            found.append(Quotation(at + 1, end + 1))
        elif begun := _find_start(lines, at):
            end = at + begun.lines
            if _is_marked(next((line for line in lines[end:] if line.strip()), "")):
                found.append(Quotation(at + 1, end + 1))
            elif begun.forwarded or any(line.strip() for line in lines[:at]):
                return [*found, Quotation(at + 1, len(lines) + 1, begun.forwarded)]
        at = max(end, at + 1)
    return found


def _is_marked(line: str) -> bool:
    return unquote(line) != line


class _QuotationStart(NamedTuple):
    """The lines that begin a quotation, and whether they forward an email."""

    lines: int
    forwarded: bool = False


def _find_start(lines: Sequence[str], index: int) -> _QuotationStart | None:
    line = lines[index].strip()
    if not line or len(line) > _LONGEST_ATTRIBUTION:
        return None
    for name in ("forwarded", "answered"):
        if is_phrase(name, line.strip("-_=*<>: \t")):
            return _QuotationStart(1, name == "forwarded")
    if _is_attribution(line):
        return _QuotationStart(1)
    if index + 1 < len(lines) and line[-1] != ":" and _DATED.search(line) and _is_attribution(lines[index + 1].strip()):
        return _QuotationStart(2)
    begin = index + bool(_ACROSS.fullmatch(line))
    heads = [_read_mail_header(below) for below in lines[begin : begin + _MOST_HEADS]]
    count = next((number for number, head in enumerate(heads) if not head), len(heads))
    return _QuotationStart(begin - index + count) if len({*heads[:count]} - {"to"}) >= _FEWEST_HEADS else None


def _read_mail_header(line: str) -> str:
    """Return the name of the email header on a line, such as `from`; "" for any other line."""
    head = _HEAD.match(line.strip())
    return make_key(head[1]) if head and is_phrase("mail_heads", head[1]) else ""


def _is_attribution(line: str) -> bool:
    """Return whether a line introduces a quotation: `On Monday Bob wrote:`, `Am Montag schrieb Bob <bob@example.org>:`."""
    if not line.endswith(":") or len(line) > _LONGEST_ATTRIBUTION:
        return False
    last = " ".join(make_key(line).split()[-_WORDS_BEHIND:])
    return has_phrase("wrote", last)


def list_own_lines(quotations: Sequence[Quotation], lines: Sequence[str]) -> list[str]:
    """List the lines of a message that are in none of these quotations, in order."""
    return [line for number, line in enumerate(lines, start=1) if not any(number in quotation for quotation in quotations)]


def find_adoption(lines: Sequence[str]) -> str:
    """Return the first sentence that adopts quoted orders as the writer's own (`Yes, as below please.`), or ""."""
    sentences = (sentence.strip() for line in lines for sentence in _SENTENCE.split(line))
    unsure = ("denials", "retractions", "conditions")
    return next(
        (
            one
            for one in sentences
            if has_phrase("as_quoted", one) and "?" not in one and not any(has_phrase(name, one) for name in unsure)
        ),
        "",
    )


def find_quoted_orders(lines: Sequence[str], quotations: Sequence[Quotation], game_map: Map) -> Quotation | None:
    """Return the first quotation that contains an order, or None."""
    for quotation in quotations:
        if any(has_order(unquote(line), game_map) for line in lines[quotation.begin - 1 : quotation.end - 1]):
            return quotation
    return None


class Part(NamedTuple):
    """A part of a message that an introductory line describes, with the numbers of its lines from 1."""

    kind: str
    """The table of words that describes the part: `former`, `planned`, `reported`, `options` or `games`."""
    begin: int
    end: int
    heading: str


_OPTION = re.compile(r"(.*\b)(?:[0-9]|[a-d]|[iv]{1,3}|one|two|three)")
_LONGEST_LEAD = 10
"""The largest number of words of an introductory line without a colon."""


def find_parts(lines: Sequence[str], game_map: Map) -> list[Part]:
    """List the parts of a message whose orders are not for now: past orders, plans, others' orders, several alternatives.

    Each part ends at the next heading, or at an empty line.
    """
    found: list[Part] = []
    for at, line in enumerate(lines):
        text = line.strip()
        heading, colon, rest = (text[:-1], ":", "") if text.endswith(":") else text.partition(":")
        kind = _find_kind(heading, game_map) if colon else _find_kind_of_lead(line, lines[at + 1 : at + 2], game_map)
        if kind:
            end = at + 1
            while not rest.strip() and end < len(lines) and not _is_end_of_part(lines, at, end, game_map):
                end += 1
            found.append(Part(kind, at + 1, end + 1, f"{heading}{colon}"))
    several = sum(part.kind == "options" for part in found) > 1
    return [part for part in found if several or part.kind != "options"]


def _find_kind(heading: str, game_map: Map) -> str:
    heading = _SENTENCE.split(heading)[-1]
    if not heading.strip() or not has_no_place(heading, game_map) or is_phrase("mail_heads", heading):
        return ""
    option = _OPTION.fullmatch(make_key(heading))
    if option and is_phrase("options", option[1]):
        return "options"
    hanging = has_phrase("conditions", heading) and not has_phrase("dislodgement", heading)
    not_meant = (hanging or has_phrase("not_meant", heading)) and not has_phrase("to_the_reader", heading)
    over = has_phrase("former", heading) or has_phrase("retractions", heading)
    if not_meant or (over and not has_phrase("current", heading)):
        return "former"
    return next((kind for kind in ("planned", "reported") if has_phrase(kind, heading)), "")


def _find_kind_of_lead(line: str, below: Sequence[str], game_map: Map) -> str:
    """Return the kind (`Part.kind`) of the orders below an introductory line, such as `Old orders`; "" for any other line."""
    words = make_key(line).split()
    if not words or len(words) > _LONGEST_LEAD or line.strip()[-1] in ".!?,;" or not has_no_place(line, game_map):
        return ""
    if not any(has_order(one, game_map) for one in below):
        return ""
    if has_phrase("reported", line):
        return "reported"
    bare = " ".join(words[:-1] if len(words) > 1 and is_heading_word(words[-1]) else words)
    kinds = {"former": "former", "planned": "planned", "not_meant": "former"}
    return next((kind for name, kind in kinds.items() if is_phrase(name, bare)), "")


def _is_end_of_part(lines: Sequence[str], heading_index: int, end: int, game_map: Map) -> bool:
    line = lines[end].strip()
    if not line:
        return any(one.strip() for one in lines[heading_index + 1 : end])
    return line.endswith(":") or find_power_heading(line, game_map) is not None


def find_other_games(
    lines: Sequence[str], game_map: Map, only_power: Power | None, is_current: Callable[[NamedSeason], bool]
) -> list[Part]:
    """List the parts of a message that are for other games; none unless the message's headings name several games.

    A heading with another power or season is for another game. If headings of several games fit, all their parts are listed.
    """
    found: list[tuple[Part, str]] = []
    for number, line in enumerate(lines, start=1):
        heading = line.strip()
        if not heading.endswith(":") or not (name := _find_game_name(heading, game_map)):
            continue
        if found:
            found[-1] = (found[-1][0]._replace(end=number), found[-1][1])
        found.append((Part("games", number, len(lines) + 1, heading), name))
    if len({name for _, name in found}) < 2:
        return []
    own = [(part, name) for part, name in found if _is_for_power(only_power, part.heading, game_map)]
    fitting = {name for part, name in own if is_current(read_named_season(part.heading))}
    return [part for part, name in found if len(fitting) > 1 or name not in fitting]


def _find_game_name(heading: str, game_map: Map) -> str:
    """Return the capitalized words, in lower case, with which a heading names its game; "" if it names none."""
    if not (has_phrase("games", heading) or read_named_season(heading) != NamedSeason()) or not has_no_place(heading, game_map):
        return ""
    bare = re.sub(r"\([^()]*\)", "", heading)
    known = find_vocabulary(game_map).powers
    words = (word for word in re.findall(r"[^\W_]+", bare) if not is_heading_word(word) and make_key(word) not in known)
    return " ".join(word.lower() for word in words if word[0].isupper() and not is_phrase("games", word))


def _is_for_power(only_power: Power | None, heading: str, game_map: Map) -> bool:
    """Return whether a heading names `only_power`, or no power; True if `only_power` is None."""
    known = find_vocabulary(game_map).powers
    powers = {known[word] for word in make_key(heading).split() if word in known}
    return not powers or only_power is None or only_power in powers


# ---- Remains of programs and phones in lines ----

_ENTITY = re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_BREAKS = re.compile(r"<(?:br|/?(?:p|div|li|ul|ol|tr|table|tbody|h[1-6]|html|body))(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:span|b|i|u|em|strong|font|a|td|th|center|small|big|wbr|o:p|pre|code|meta|head)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)
"""HTML tags that do not change the meaning. Tags for deleted or quoted text are kept, so that lines with them are refused."""
_TIME = re.compile(r"\s*(?:[\[(]\d{1,2}[:.]\d{2}(?:[:.]\d{2})?[\])]\s*|\d{1,2}:\d{2}(?::\d{2})?\s+(?=[AF]\s))")
_EMOJI = re.compile(
    "(?![\U0001f44e\U0001f519\U0001f5d1\U0001f645\U0001f6ab\U0001f6d1\U0001f6ae-\U0001f6b3\U0001f914\U0001f937])"
    "[\U0001f000-\U0001f5fe\U0001f600-\U0001faff\u2600-\u26d3\u26d5-\u2713\u2719-\u274b\u2764]"
)
"""All emoji except arrows and those that mean no or maybe, such as crosses, stop signs and shrugs."""
_EMOTICON = re.compile(r"(?<!\S)(?:[:;=]['’]?-?[)(DPp]+|\^_?\^|<3|[xX]D)(?=[\W_]*$)")
_COMMENT = re.compile(r"(?:^|\s)//.*")
_REMARK = re.compile(r"(?<![^\s>])#+(?!\s*\d)")
_QUOTED_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2})+|=$")


def remove_emoji(line: str) -> str:
    """Replace emoji that change no order, and a smiley at the end, by blanks; a bracket that closes another is no smiley."""
    closed = line.count("(") == line.count(")") > 0
    text = _EMOJI.sub(" ", line)
    return text if closed else _EMOTICON.sub(lambda sign: " " * len(sign[0]), text)


def clean_line(line: str) -> str:
    """Return a line decoded from mail and HTML, without tags and a time stamp, and with semicolons for line breaks in HTML."""
    if "=" in line:
        line = _decode_quoted_printable(line)
    if "&" in line:
        line = _ENTITY.sub(lambda entity: unescape(entity[0]), line)
    if "<" in line:
        line = _TAGS.sub(" ", _BREAKS.sub(" ; ", line)).strip(" ;") if _BREAKS.search(line) or _TAGS.search(line) else line
    time = _TIME.match(line)
    return line[time.end() :] if time else line


def format_remark(line: str, game_map: Map) -> str:
    """Return a line with text after `#` in parentheses or, if it begins with `#`, without it, an order there marked by `//`.

    If a line begins with `#`, keep the rest, but mark an order there as a comment: `// A Par - Bur`.
    """
    sign = _REMARK.search(line)
    if sign is None:
        return line
    before, behind = line[: sign.start()], line[sign.end() :].strip(" #")
    if not before.strip("> "):
        return f"{before}{'// ' if has_order(behind, game_map) else ''}{behind}"
    return f"{before}({re.sub('[()]', ' ', behind)})" if behind else before


def _decode_quoted_printable(line: str) -> str:
    """Return a line decoded from quoted-printable, such as `A Par =E2=80=93 Bur=20`; any other line unchanged."""
    try:
        return _QUOTED_PRINTABLE.sub(lambda found: bytes.fromhex(found[0].replace("=", "")).decode(), line)
    except UnicodeDecodeError:
        return line


def remove_politeness(text: str) -> str:
    """Return an order's text without a `//` comment and polite words at both ends, unless they make it uncertain.

    A comment about orders is kept.
    """
    comment = _COMMENT.search(text)
    bare = text[: comment.start()] if comment and not is_uncertain(comment[0]) else text
    begin, end = measure_greeting("greetings", bare), find_closing_phrase("polite", bare)
    return bare.strip() if is_uncertain(bare[:begin]) or is_uncertain(bare[end:]) else bare[begin:end].rstrip(" ,;-–—").strip()
