"""The text of a file as people send it: in whatever encoding, or as a whole mail with its head."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import NamedTuple

from satjudge.errors import SheetError

_HEAD = re.compile(rb"(?:From [^\n]*\n)?(?:[!-9;-~]+:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\r?\n)")
"""The head of a mail, up to the empty line below it."""
_BY_PROGRAMS = re.compile(
    rb"^(?:mime-version|content-type|content-transfer-encoding|message-id|received|return-path|delivered-to|dkim-signature):",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of a head that nobody writes by hand; one that has none is read as it stands, with the orders below it."""
_LONGEST_HEAD = 100_000


class Letter(NamedTuple):
    """The text of a file, and what is to be said of how it was read."""

    text: str
    told: Sequence[str]
    is_mail: bool = False
    """Whether it is a mail, with a head."""


def letter_in(data: bytes, source: str) -> Letter:
    """The text of a file: in UTF-8, else in Windows-1252, which any bytes can be; of a mail its plain text, decoded.

    Raises `SheetError` for what is no text, and for a mail that has no part in plain text.
    """
    head = _HEAD.match(data[:_LONGEST_HEAD])
    if head and _BY_PROGRAMS.search(head[0]):
        return _mail(data, source)
    text, encoding = _decoded(data, source, ("utf-8-sig",))
    return Letter(text, [] if encoding == "utf-8-sig" else [f"{source}: not in UTF-8: read as {encoding}"])


def _mail(data: bytes, source: str) -> Letter:
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    payload = body.get_payload(decode=True) if body else None
    if body is None or not isinstance(payload, bytes):
        raise SheetError("this mail has no part in plain text", source=source, suggestion="save its text as a file")
    charset = body.get_content_charset() or "utf-8"
    text, encoding = _decoded(payload, source, (charset, "utf-8"))
    return Letter(text, [f"{source}: a mail: lines are those of its plain text ({encoding})"], is_mail=True)


def _decoded(data: bytes, source: str, encodings: Sequence[str]) -> tuple[str, str]:
    """The text, and the first of the encodings that fits, or else Windows-1252."""
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
