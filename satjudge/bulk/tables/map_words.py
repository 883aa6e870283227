"""Gives hosts of the kernel a map's opening position, the names of its powers and provinces, and the spellings of orders.

The kernel itself does not need them. A host shows them to players, and uses them to convert input to the kernel's notation
(docs/guides/kernel.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from satjudge.notation.rewording import find_table, make_key
from satjudge.world.board import by_power, group_pairs, starting_board
from satjudge.world.geography import Map, Power, Province, ProvinceCode, Terrain

LANGUAGE = "english"
_SIGNS = {
    "A": ("army",), "F": ("fleet",), "H": ("hold",), "S": ("support",), "C": ("convoy",), "R": ("retreat",), "D": ("disband",),
    "B": ("build",), "WAIVE": ("waive",), "-": ("to", "move"), "VIA": ("via", "through"), "": ("passing", "from"),
}  # fmt: skip
"""The signs that the kernel reads, with the tables of words that mean each; words under "" mean nothing."""


class StartPosition(msgspec.Struct, frozen=True):
    """The position at the beginning of a game, in the form of a batch line."""

    phase: str
    units: dict[Power, list[str]]
    centers: dict[Power, list[ProvinceCode]]


class ProvinceWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """A province: its names, kind, coasts and owner at the beginning."""

    name: str
    kind: Terrain
    coasts: tuple[str, ...] = ()
    center: bool = False
    home: Power | None = None
    called: tuple[str, ...] = ()
    """Other names, in lower case."""


class MapVocabulary(msgspec.Struct, frozen=True):
    """The names and words of a map, for programs that show it and read what people type."""

    start: StartPosition
    powers: Mapping[Power, str]
    """The name of each power."""
    provinces: dict[ProvinceCode, ProvinceWords]
    words: dict[str, list[str]]
    """The spellings of each sign of the kernel's notation: `"H": ["hold"]`; words without a meaning are under `""`."""
    coasts: dict[str, list[str]]
    """The spellings of each coast."""


def describe_vocabulary(game_map: Map) -> MapVocabulary:
    """Return the names and words of a map, for programs that show the map and read orders."""
    board = starting_board(game_map)
    owned = group_pairs((power, code) for code, power in sorted(board.centers.items()))
    centers = {power: owned[power] for power in game_map.powers if power in owned}
    return MapVocabulary(
        StartPosition(board.phase_name, by_power(board.units), centers),
        {power: game_map.name_of(power) for power in game_map.powers},
        {code: _describe_province(province) for code, province in game_map.provinces.items()},
        {sign: _make_keys(word for name in tables for word in find_table(name)[LANGUAGE]) for sign, tables in _SIGNS.items()},
        {coast: [key for key in _make_keys(words) if key.isascii()] for coast, words in find_table("coasts").items()},
    )


def _describe_province(province: Province) -> ProvinceWords:
    names = _make_keys((province.name, *province.aliases))
    coasts = province.coasts
    return ProvinceWords(province.name, province.terrain, coasts, province.center, province.home, tuple(names))


def _make_keys(words: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(map(make_key, words))]


def encode_vocabulary(game_map: Map) -> bytes:
    """Return the names and words of a map as JSON."""
    return msgspec.json.encode(describe_vocabulary(game_map))
