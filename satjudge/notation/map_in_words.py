"""Tells hosts of the kernel of a map in words: how a game begins, what powers and provinces are called, how orders are typed.

The kernel needs none of that. A host shows it to people, and puts what they type in the words that the kernel knows
(docs/guides/kernel.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from satjudge.notation.rewording import key_of, table
from satjudge.world.board import by_power, group_pairs, starting_board
from satjudge.world.geography import Map, Power, Province, ProvinceCode, Terrain

LANGUAGE = "english"
_SIGNS = {
    "A": ("army",), "F": ("fleet",), "H": ("hold",), "S": ("support",), "C": ("convoy",), "R": ("retreat",), "D": ("disband",),
    "B": ("build",), "WAIVE": ("waive",), "-": ("to", "move"), "VIA": ("via", "through"), "": ("passing", "from"),
}  # fmt: skip
"""What the kernel reads, with the tables of words that mean it; those that mean nothing are left out."""


class Begun(msgspec.Struct, frozen=True):
    """The position in which a game begins, as a line has it."""

    phase: str
    units: dict[Power, list[str]]
    centers: dict[Power, list[ProvinceCode]]


class ProvinceTold(msgspec.Struct, frozen=True, omit_defaults=True):
    """A province."""

    name: str
    kind: Terrain
    coasts: tuple[str, ...] = ()
    center: bool = False
    home: Power | None = None
    called: tuple[str, ...] = ()
    """Further names, in small letters."""


class MapInWords(msgspec.Struct, frozen=True):
    """A map in words."""

    start: Begun
    powers: Mapping[Power, str]
    """The name of each power."""
    provinces: dict[ProvinceCode, ProvinceTold]
    words: dict[str, list[str]]
    """How the parts of orders are typed, by what the kernel reads: `"H": ["hold"]`; those of no meaning under `""`."""
    coasts: dict[str, list[str]]
    """How the coasts are typed."""


def map_in_words(game_map: Map) -> MapInWords:
    """Tell of a map in words."""
    board = starting_board(game_map)
    owned = group_pairs((power, code) for code, power in sorted(board.centers.items()))
    centers = {power: owned[power] for power in game_map.powers if power in owned}
    return MapInWords(
        Begun(board.phase_name, by_power(board.units), centers),
        {power: game_map.name_of(power) for power in game_map.powers},
        {code: _told(province) for code, province in game_map.provinces.items()},
        {sign: _keys(word for name in tables for word in table(name)[LANGUAGE]) for sign, tables in _SIGNS.items()},
        {coast: [key for key in _keys(words) if key.isascii()] for coast, words in table("coasts").items()},
    )


def _told(province: Province) -> ProvinceTold:
    names = _keys((province.name, *province.aliases))
    coasts = province.coasts
    return ProvinceTold(province.name, province.terrain, coasts, province.center, province.home, tuple(names))


def _keys(words: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(map(key_of, words))]


def written(game_map: Map) -> bytes:
    """Write a map in words as JSON."""
    return msgspec.json.encode(map_in_words(game_map))
