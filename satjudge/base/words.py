"""Puts things in words: numbers of things, quotations, and text that is safe to show.

Some of the text that satjudge prints comes from others: titles of sheets, rulebook names, answers of engines, file names. Safe
text has no control characters that a terminal would obey, and no characters that it cannot write.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Sequence

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that terminals obey or that reverse text: controls except tab and line feed, directions, halves of characters."""
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
"""The ASCII forms of the signs that satjudge itself writes."""


def number_of(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: `1 board`, `1,200 boards`, or `2 enemies` if `nouns` gives the plural."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


EACH_BY_ITSELF = 7
"""The most powers for which the same sentence is repeated: those of the standard map."""


def join_first_names(names: Sequence[str], most: int = 3) -> str:
    """Return the first `most` names joined by commas, and `and 4 more` if there are others."""
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def quote_text(text: str, most: int | None = None) -> str:
    """Return a text on one line in quotation marks, without others inside, cut off after `most` characters."""
    said = " ".join(text.split()).translate(_NO_QUOTES)
    return f"“{said}”" if most is None or len(said) <= most else f"“{said[:most]}…”"


def escape_controls(text: str) -> str:
    r"""Return a text with control characters as escapes such as `\x1b`; tabs and line feeds stay."""
    return _COMMANDS.sub(lambda found: _escape_character(found[0]), text)


def visible_json(json: str, encoding: str = "utf-8") -> str:
    r"""Return JSON with escapes such as `\u009b` for characters that the encoding lacks or a terminal would obey."""
    pattern = _COMMANDS if _is_unicode(encoding) else _NOT_ASCII
    return pattern.sub(lambda found: _json_escape(found[0]), json) if not json.isascii() or "\x7f" in json else json


def _escape_character(character: str) -> str:
    return character.encode("ascii", "backslashreplace").decode() if ord(character) > 0x7F else f"\\x{ord(character):02x}"


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _is_unicode(encoding: str) -> bool:
    return codecs.lookup(encoding).name.startswith("utf-")


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII forms of the characters that an encoding lacks, and the position after them (a codec error handler)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_format_ascii(character) for character in error.object[error.start : error.end]), error.end


def _format_ascii(character: str) -> str:
    """Return a character in ASCII, or as an escape such as `\x9b` if it has no ASCII form."""
    plain = character.translate(_IN_ASCII)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return plain or _escape_character(character)


ERRORS = "satjudge.base.words"
"""The name of the error handler for streams that writes in ASCII what an encoding lacks."""
codecs.register_error(ERRORS, _replace_unencodable)
