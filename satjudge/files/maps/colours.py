"""Reads the colours of powers as the pictures of other programs state them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from satjudge.base.errors import MapError
from satjudge.base.resources import data_file, read_toml
from satjudge.world.geography import fold

_HEXADECIMAL = re.compile(r"#(?P<short>[0-9a-f]{3})(?![0-9a-f])|#(?P<full>[0-9a-f]{6})(?![0-9a-f])")
_RULE = re.compile(r"\.(?P<name>\w+)\s*\{(?P<body>[^{}]*)\}")
_FILL = re.compile(r"(?<![\w-])fill\s*:\s*(?P<colour>#?\w+)")


def colour_of(parts: Sequence[object]) -> str | None:
    """Write the colour of red, green and blue from 0 to 255 as `#d55e00`; None for anything else."""
    numbers = [part for part in parts if isinstance(part, int) and 0 <= part <= 255]
    return "#" + "".join(f"{number:02x}" for number in numbers) if len(numbers) == len(parts) == 3 else None


def named_colour(text: str) -> str | None:
    """Write a colour of a style sheet as `#d55e00`; None for what is no colour there."""
    written = fold(text.strip())
    if found := _HEXADECIMAL.fullmatch(written):
        return f"#{found['full'] or ''.join(2 * digit for digit in found['short'])}"
    return _names().get(written)


def fills(style_sheet: str) -> dict[str, str]:
    """List the colours with which the classes of a style sheet fill, by their names in small letters."""
    found = {}
    for rule in _RULE.finditer(style_sheet):
        fill = _FILL.search(rule["body"])
        if fill and (colour := named_colour(fill["colour"])):
            found[fold(rule["name"])] = colour
    return found


@cache
def _names() -> Mapping[str, str]:
    """The colours that have names."""
    return read_toml(data_file("models", "colours.toml"), MapError)
