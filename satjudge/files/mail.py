"""Reads the text of a file as people send it: in any encoding, or as a whole email with its headers."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from typing import NamedTuple, cast

from satjudge.base.errors import SheetError

_HEAD = re.compile(rb"(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\r?\n)")
"""The headers of an email, up to the empty line below them."""
_BY_PROGRAMS = re.compile(
    rb"^(?:mime-version|content-type|content-transfer-encoding|message-id|received|return-path|delivered-to|dkim-signature):",
    re.IGNORECASE | re.MULTILINE,
)
"""Headers that nobody writes by hand. A text without any of them is not an email with headers, and is read as a whole."""
_LONGEST_HEAD = 100_000
_LIMITS = (
    (re.compile(rb"\n"), 200_000, "lines"),  # a picture of ten megabytes has 130,000
    (re.compile(rb"^--", re.MULTILINE), 1_000, "lines that begin with --, as its parts do"),
    (re.compile(rb"\b(?:multipart|message)/", re.IGNORECASE), 20, "nested parts"),
)
"""The maximum number of each in an email, because the standard library's time grows with the square of it."""
_CONTENT_TYPE = re.compile(rb"^content-type:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_LONGEST_CONTENT_TYPE = 2_000
_CHARSETS = re.compile(
    r"utf-?8|(?:us-)?ascii|iso-?8859-[0-9]{1,2}|(?:windows-|cp)125[0-8]|koi8-[ru]|macintosh"
    r"|big5|gb2312|gbk|gb18030|euc-(?:jp|kr)|iso-2022-jp|shift_jis"
)
"""The supported encodings, by their names in emails. Python knows others that emails do not use."""


class Letter(NamedTuple):
    """The text of a file, with remarks on how it was read."""

    text: str
    remarks: Sequence[str]
    is_mail: bool = False
    """True if the file is an email with headers."""


def read_letter(data: bytes, source: str) -> Letter:
    """Return the text of a file (UTF-8 or 16, else Windows-1252), or of an email's first plain-text part, and remarks on it.

    Raises `SheetError` for a binary file, and for an email without a plain-text part.
    """
    head = _HEAD.match(data[:_LONGEST_HEAD])
    if head and _BY_PROGRAMS.search(head[0]):
        return _mail(data, source)
    text, encoding = _decode_text(data, source, ("utf-8-sig",))
    return Letter(text, [] if encoding == "utf-8-sig" else [f"{source}: not in UTF-8: read as {encoding}"])


def _mail(data: bytes, source: str) -> Letter:
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    _check_size(data, source)
    plain = next(_plain_parts(message_from_bytes(data)), None)
    payload = None if plain is None else plain.get_payload(decode=True)
    if plain is None or not isinstance(payload, bytes):
        raise SheetError("this email contains no plain text", source=source, suggestion="save its text as a file")
    charset = plain.get_content_charset() or "utf-8"
    known = (charset,) if _CHARSETS.fullmatch(charset) else ()
    text, encoding = _decode_text(payload, source, (*known, "utf-8"))
    unknown = "" if known else f", since {charset!r:.40} is not an encoding of emails"
    return Letter(text, [f"{source}: an email: lines are those of its plain text ({encoding}{unknown})"], is_mail=True)


def _check_size(data: bytes, source: str) -> None:
    """Raise `SheetError` if an email has more lines or parts, or a longer Content-Type, than a player's email could have."""
    for pattern, most, things in _LIMITS:
        if sum(1 for _ in zip(pattern.finditer(data), range(most + 1), strict=False)) > most:
            raise SheetError(f"this email has more than {most:,} {things}", source=source, suggestion="save its text as a file")
    if any(len(found[0]) > _LONGEST_CONTENT_TYPE for found in _CONTENT_TYPE.finditer(data)):
        problem = f"this email has a Content-Type of more than {_LONGEST_CONTENT_TYPE:,} characters"
        raise SheetError(problem, source=source, suggestion="save its text as a file")


def _plain_parts(part: Message) -> Iterator[Message]:
    """Yield the plain-text parts of an email, except attachments."""
    if part.get_content_disposition() == "attachment":
        return
    if part.get_content_type() == "text/plain" and not part.is_multipart():
        yield part
    elif part.get_content_maintype() == "multipart" and part.is_multipart():
        for inner in cast("list[Message]", part.get_payload()):
            yield from _plain_parts(inner)


def _decode_text(data: bytes, source: str, encodings: Sequence[str]) -> tuple[str, str]:
    """Return a text and its encoding: UTF-16 if so marked, else the first that fits, or Windows-1252; refuse binary data."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        encodings = ("utf-16",)
    elif b"\0" in data:
        raise SheetError("not a text file", source=source, suggestion="save the orders as text")
    for encoding in encodings:
        try:
            return data.decode(encoding), encoding
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", errors="replace"), "Windows-1252"
