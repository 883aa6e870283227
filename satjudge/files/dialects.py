"""Translates between satjudge and other engines: spellings of provinces, powers and orders, and meanings of verdicts.

The shipped dialects are in `models/crosscheck/dialects.toml`. Engines' answers are read tolerantly in any dialect (the map
knows most abbreviations), so a dialect mostly defines how to write to an engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from satjudge.base.errors import NotFoundError, RequestError
from satjudge.base.resources import data_file, read_toml
from satjudge.notation.sheet_reader import VERDICTS
from satjudge.world.geography import Map, Power, normal
from satjudge.world.verdicts import Verdict

OURS = "satjudge"
_LOCATION = re.compile(r"\b([A-Z0-9]{2,})(?:/([NSEW]C))?(?![\w/])")

Meanings = Mapping[str, frozenset[str]]
"""The DATC verdicts that each of the engine's words can mean: on the order, on the unit, or on both."""


@dataclass(frozen=True, eq=False)
class Dialect:
    """The way in which another engine writes powers, places, orders and verdicts."""

    name: str
    about: str
    provinces: Mapping[str, str] = field(default_factory=dict)
    """The engine's codes for provinces by satjudge's codes, where they differ."""
    coast: str = "/"
    """The text between a province and its coast."""
    lower: bool = False
    """True if locations are written in lower case."""
    title: bool = False
    """True if powers are written as `France`, not `FRANCE`."""
    via: str = "VIA"
    words: Meanings = field(default_factory=dict)

    def format_notation(self, text: str, game_map: Map) -> str:
        """Translate a unit, a location or an order from satjudge's compact notation into the engine's spelling."""

        def location(match: re.Match[str]) -> str:
            code, coast = match.groups()
            if code not in game_map.provinces:  # VIA
                return match[0]
            place = self.provinces.get(code, code) + (f"{self.coast}{coast}" if coast else "")
            return place.lower() if self.lower else place

        text = _LOCATION.sub(location, text)
        return f"{text.removesuffix(' VIA')} {self.via}".rstrip() if text.endswith(" VIA") else text

    def parse_notation(self, text: str, game_map: Map) -> str:
        """Translate a unit, location or order from the engine's spelling into a text that satjudge's parsers can read."""

        def code(match: re.Match[str]) -> str:
            ours = self._codes.get(match[0].upper(), "")
            return ours if ours in game_map.provinces else match[0]

        if self.coast not in ("/", "-"):  # satjudge's parsers read both of these
            text = re.sub(rf"(?<=\w){re.escape(self.coast)}(?=[nsew]c\b)", "/", text, flags=re.IGNORECASE)
        return re.sub(r"\b\w{2,}\b", code, text)

    @cached_property
    def _codes(self) -> dict[str, str]:
        return {theirs: ours for ours, theirs in self.provinces.items()}

    def format_power(self, power: Power, game_map: Map) -> str:
        """Write a power as the engine does: with its name (`France`) or in capitals (`FRANCE`)."""
        return game_map.name_of(power) if self.title else power

    def parse_power(self, name: str, game_map: Map) -> Power:
        """Return the power with this name in the engine; return a name that the map does not know unchanged."""
        return game_map.power_aliases.get(normal(name), name)


def load_dialect(name: str, maps: Iterable[Map] = ()) -> Dialect:
    """Return the shipped dialect of that name, or the first in the `.toml` file of that name, checked against any `maps`.

    Raises `RequestError` for a province in the file that is on none of the `maps`, if there are any, and `NotFoundError` for
    an unknown name.
    """
    if name.endswith(".toml"):
        return next(iter(_read(Path(name), maps).values()))
    dialects = load_dialects()
    if name not in dialects:
        hint = f"choose from {', '.join(dialects)}, or name a .toml file"
        raise NotFoundError(f"there is no dialect {name!r}", suggestion=hint)
    return dialects[name]


@cache
def load_dialects() -> Mapping[str, Dialect]:
    """Return satjudge's own dialect and all shipped ones, by name."""
    plain = Dialect(OURS, "the notation and the words of docs/reference/batch.md")
    return {OURS: plain, **_read(data_file("models", "crosscheck", "dialects.toml"))}


def _read(path: Path, maps: Iterable[Map] = ()) -> dict[str, Dialect]:
    tables = read_tables(path)
    found = {}
    for name, entry in tables.items():
        try:
            words = {word.casefold(): frozenset(meanings) for word, meanings in entry.pop("words", {}).items()}
            found[name] = Dialect(name, words=words, **{"about": "", **entry})
        except (TypeError, AttributeError):
            known = ", ".join(Dialect.__dataclass_fields__)
            raise RequestError(f"[{name}] is not a dialect", source=str(path), suggestion=f"its keys can be {known}") from None
        _check_words(found[name], path, maps)
    if not found:
        raise RequestError("the file contains no dialect", source=str(path))
    return found


def _check_words(dialect: Dialect, path: Path, maps: Iterable[Map]) -> None:
    """Raise `RequestError` for an unknown verdict or, unless `maps` is empty, for a province that is on none of the maps."""
    provinces = {code for game_map in maps for code in game_map.provinces}
    if provinces and (strange := [code for code in dialect.provinces if code not in provinces]):
        message = f"[{dialect.name}.provinces]: no map has the province {strange[0]!r}"
        raise RequestError(message, source=str(path), suggestion='our code = "THEIRS", as in LYO = "GOL"')
    for word, meanings in dialect.words.items():
        if strange := sorted(meaning for meaning in meanings if not _is_verdict(meaning)):
            message = f"[{dialect.name}.words]: {word!r} cannot mean {strange[0]!r}"
            hint = f"verdicts are {', '.join(sorted(VERDICTS))}, and both together, as in 'fails, dislodged'"
            raise RequestError(message, source=str(path), suggestion=hint)


def _is_verdict(text: str) -> bool:
    try:
        Verdict.read(text)
    except ValueError:
        return False
    return True


def read_tables(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file as a dict; raise `NotFoundError`, or `RequestError` if it is not TOML."""
    try:
        return read_toml(path, lambda message: RequestError(f"not a TOML file: {message}", source=str(path)))
    except NotFoundError as error:
        raise NotFoundError(f"cannot read {path}: {error.message}") from None
