"""Formats counts, quotations and lists of names, and makes text safe to show.

Some of the text that satjudge prints comes from elsewhere: titles of sheets, rulebook names, answers from engines, file names.
Safe text has no control characters that a terminal would obey, and no characters that it cannot display.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Sequence

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters except tab and line feed, characters that reverse the direction of text, and halves of characters."""
_NO_QUOTES = str.maketrans(dict.fromkeys("“”„‟″", "'"))
_NOT_ASCII = re.compile("[^\x00-\x7e]")
_IN_ASCII = str.maketrans(
    {
        **dict.fromkeys("–—−‐‑‒―─━═", "-"),
        **dict.fromkeys("│┃║", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛┣┫┳┻╋┡┩╇╔╗╚╝╠╣╦╩╬", "+"),
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("“”„″", '"'),
        "→": "->",
        "⟶": "->",
        "←": "<-",
        "↔": "<->",
        "…": "...",
        "·": "*",
        "•": "*",
        "×": "x",
        "≥": ">=",
        "≤": "<=",
        "≠": "!=",
        "¬": "not ",
        "∧": " and ",
        "∨": " or ",
        "▸": ">",
        "▾": "v",
        "\xa0": " ",
    }
)
"""The ASCII forms of the symbols that satjudge itself writes."""


def number_of(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 board`, `1,200 boards`, or `2 enemies` if `plural` is `enemies`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


EACH_BY_ITSELF = 7
"""The maximum number of powers for which the same sentence is repeated: as many as the standard map has."""


def join_first_names(names: Sequence[str], limit: int = 3) -> str:
    """Return the first `limit` names joined by commas, followed by `, and 4 more` if four are left out."""
    more = f", and {len(names) - limit} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"


def quote_text(text: str, max_length: int | None = None) -> str:
    """Return a text on one line in quotation marks, with `'` for those inside, cut off after `max_length` characters."""
    line = " ".join(text.split()).translate(_NO_QUOTES)
    return f"“{line}”" if max_length is None or len(line) <= max_length else f"“{line[:max_length]}…”"


def escape_controls(text: str) -> str:
    r"""Return a text with control characters (except tab and line feed) and those that turn text round as escapes: `\x1b`."""
    return _COMMANDS.sub(lambda found: _escape_character(found[0]), text)


def escape_json(json: str, encoding: str = "utf-8") -> str:
    r"""Return JSON with escapes such as `\u009b` for control characters and, unless `encoding` is a UTF, all outside ASCII."""
    pattern = _COMMANDS if _is_unicode(encoding) else _NOT_ASCII
    return pattern.sub(lambda found: _json_escape(found[0]), json) if not json.isascii() or "\x7f" in json else json


def _escape_character(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode() if ord(character) > 0x7F else f"\\x{ord(character):02x}"


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index]:02x}{units[index + 1]:02x}" for index in range(0, len(units), 2))


def _is_unicode(encoding: str) -> bool:
    return codecs.lookup(encoding).name.startswith("utf-")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """As a codec error handler, return ASCII forms of the characters that cannot be encoded, and the position after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_format_ascii(character) for character in error.object[error.start : error.end]), error.end


def _format_ascii(character: str) -> str:
    r"""Return a character in ASCII, or as an escape such as `\x9b` if it has no ASCII form."""
    plain = character.translate(_IN_ASCII)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return plain or _escape_character(character)


ERRORS = "satjudge.base.words"
"""The name of the error handler for streams that writes in ASCII what their encoding lacks."""
codecs.register_error(ERRORS, _replace_unencodable)
