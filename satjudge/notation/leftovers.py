"""Removes from the lines of a player's letter what programs and phones leave in them: HTML, time stamps, emoji, politeness."""

from __future__ import annotations

import re
from html import unescape

from satjudge.notation.lines import end_of_words, leaves_open, opening_with

_ENTITY = re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_BREAKS = re.compile(r"<(?:br|/?(?:p|div|li|ul|ol|tr|table|tbody|h[1-6]|html|body))(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_TAGS = re.compile(
    r"</?(?:span|b|i|u|em|strong|font|a|td|th|center|small|big|wbr|o:p|pre|code|meta|head)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)
"""Tags of HTML that change no meaning. Those for what is struck out or quoted are left, and lines with them are refused."""
_TIME = re.compile(r"\s*[\[(]\d{1,2}[:.]\d{2}(?:[:.]\d{2})?[\])]\s*")
_EMOJI = re.compile(
    "(?![\U0001f44e\U0001f519\U0001f5d1\U0001f645\U0001f6ab\U0001f6d1\U0001f6ae-\U0001f6b3\U0001f914\U0001f937])"
    "[\U0001f000-\U0001f5fe\U0001f600-\U0001faff\u2600-\u26d3\u26d5-\u2713\u2719-\u274b\u2764]"
)
"""But signs that mean no or maybe, as crosses, stop signs and shrugs do, and arrows."""
_COMMENT = re.compile(r"(?:^|\s)//.*")
_QUOTED_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2})+|=$")


def tidied(line: str) -> str:
    """Remove HTML, a time stamp and emoji from a line; what HTML breaks into lines stands between semicolons then."""
    if "=" in line:
        line = _decoded(line)
    if "&" in line:
        line = _ENTITY.sub(lambda entity: unescape(entity[0]), line)
    if "<" in line:
        line = _TAGS.sub(" ", _BREAKS.sub(" ; ", line)).strip(" ;") if _BREAKS.search(line) or _TAGS.search(line) else line
    time = _TIME.match(line)
    return _EMOJI.sub(" ", line[time.end() :] if time else line)


def _decoded(line: str) -> str:
    """A line in quoted-printable, the encoding of mails, as what it means: `A Par =E2=80=93 Bur=20`; any other as it is."""
    try:
        return _QUOTED_PRINTABLE.sub(lambda found: bytes.fromhex(found[0].replace("=", "")).decode(), line)
    except UnicodeDecodeError:
        return line


def without_politeness(text: str) -> str:
    """Remove a comment behind `//`, and words of politeness and names at both ends, from a text with an order.

    A comment that says something of orders stays.
    """
    comment = _COMMENT.search(text)
    bare = text[: comment.start()] if comment and not leaves_open(comment[0]) else text
    begin, end = opening_with("greetings", bare), end_of_words("polite", bare)
    return bare.strip() if leaves_open(bare[:begin]) or leaves_open(bare[end:]) else bare[begin:end].rstrip(" ,;-–—").strip()
