"""Reads, checks and writes maps in satjudge's own format, TOML (docs/reference/map-files.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import chain
from json import dumps
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal, get_args

import msgspec

from satjudge.base.errors import MapError, locate_errors
from satjudge.base.resources import read_toml
from satjudge.world.geography import shipped_tables
from satjudge.world.map_tables import Tables, complete

_Pair = Annotated[list[str], msgspec.Meta(min_length=2, max_length=2)]
_Line = Annotated[list[str], msgspec.Meta(min_length=2)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=9999)]
_Year = Annotated[int, msgspec.Meta(ge=-9999, le=9999)]
_Number = Annotated[float, msgspec.Meta(gt=-1e7, lt=1e7)]
_Colour = Annotated[str, msgspec.Meta(pattern=r"\A#[0-9a-f]{6}\Z")]
_PLACE = r"-?\d{1,7}(?:\.\d{1,4})?,-?\d{1,7}(?:\.\d{1,4})?"
_Outline = Annotated[str, msgspec.Meta(pattern=rf"\A{_PLACE}(?: {_PLACE}){{2,}}(?:; {_PLACE}(?: {_PLACE}){{2,}})*\Z")]
"""Closed lines of at least three points."""


_Kind = Literal["inland", "coast", "sea"]
_Unit = Literal["A", "F"]
_Coast = Literal["nc", "sc", "ec", "wc"]
_Season = Literal["spring", "fall"]
_CHOICES = {"kind": _Kind, "unit": _Unit, "coasts": _Coast, "closed": _Season}
"""The only values that each field, or the only keys that each table, may have."""


class _Province(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: _Kind
    aliases: list[str] = []
    center: bool = False
    home: str | None = None
    country: str | None = None
    owner: str | None = None
    unit: _Unit | None = None
    unit_coast: str | None = None
    unit_power: str | None = None
    army: list[str] | None = None
    fleet: list[str] | None = None
    coasts: dict[_Coast, list[str]] = {}
    convoys: bool = False
    builders: list[str] = []
    builds_instead: list[str] = []
    difficult: list[str] = []
    half_strength: list[str] = []
    not_counted: list[str] = []


class _Power(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    adjective: str
    aliases: list[str] = []
    color: _Colour | None = None
    victory: _Count | None = None
    victory_needs: list[str] = []
    victory_needs_one: list[str] = []
    partisans: str | None = None


class _Neutral(msgspec.Struct, forbid_unknown_fields=True):
    power: str
    supports: dict[str, str] = {}
    rebuilds: bool = False


class _Years(msgspec.Struct, forbid_unknown_fields=True):
    first: _Year
    step: _Count = 1
    fall: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0


class _Lead(msgspec.Struct, forbid_unknown_fields=True):
    first: _Count
    less_each_year: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0


class _LastYear(msgspec.Struct, forbid_unknown_fields=True):
    year: _Year
    draw: bool = False


class _Railroad(msgspec.Struct, forbid_unknown_fields=True):
    power: str
    line: _Line


class _Canal(msgspec.Struct, forbid_unknown_fields=True):
    keeper: str
    between: _Pair


class _Geometry(msgspec.Struct, forbid_unknown_fields=True):
    size: tuple[_Number, _Number]
    origin: tuple[_Number, _Number] = (0, 0)
    units: dict[str, tuple[_Number, _Number]] = {}
    dislodged: dict[str, tuple[_Number, _Number]] = {}
    centers: dict[str, tuple[_Number, _Number]] = {}
    labels: dict[str, tuple[_Number, _Number]] = {}
    outlines: dict[str, _Outline] = {}


class _MapHeader(msgspec.Struct, forbid_unknown_fields=True):
    """The top-level keys of a map file; the entries of its tables are checked separately."""

    name: str
    title: str
    powers: list[str]
    power: dict[str, Any]
    province: dict[str, Any]
    first_year: _Count = 1901
    victory: _Count | None = None
    builds_anywhere: bool = False
    builds_in_any_home: bool = False
    builds_need_home: bool = False
    first_builds: _Count | None = None
    neutral: _Neutral | None = None
    no_retreats: bool = False
    transforms: bool = False
    victory_needs: list[str] = []
    victory_lead: _Lead | None = None
    last_year: _LastYear | None = None
    years: _Years | None = None
    closed: dict[_Season, list[str]] = {}
    railroad: dict[str, Any] = {}
    canal: dict[str, Any] = {}
    names: dict[str, dict[str, str]] = {}
    spellings: dict[str, dict[str, list[str]]] = {}
    abbreviations: dict[str, dict[str, list[str]]] = {}
    groups: dict[str, list[str]] = {}
    lacks: list[str] = []
    geometry: _Geometry | None = None


_ENTRIES: dict[str, type[msgspec.Struct]] = {"power": _Power, "province": _Province, "railroad": _Railroad, "canal": _Canal}
"""The type of each table's entries."""


def read(path: Path) -> Tables:
    """Return the tables of a map file, with missing values filled in from the map that it is based on.

    Raises `MapError`, with the position in the file, if the file is not valid.
    """
    with locate_errors(str(path)):
        return check_tables(read_toml(path, MapError))


def check_tables(stated: Tables) -> Tables:
    """Return the tables of a map, completed from the map that they are based on, and check their types.

    Raises `MapError`.
    """
    tables = _drop_nulls(complete(stated, shipped_tables))
    _check(tables)
    return tables


def _drop_nulls(tables: Tables) -> Tables:
    """Return a copy of tables without null values, which JSON may contain for missing keys."""

    def there(table: Tables) -> dict[str, Any]:
        return {key: value for key, value in table.items() if value is not None}

    return {
        key: {name: there(entry) if isinstance(entry, Mapping) else entry for name, entry in value.items()}
        if isinstance(value, Mapping) and key in _ENTRIES
        else value
        for key, value in there(tables).items()
    }


def _check(tables: Tables) -> None:
    """Raise `MapError` for a value of the wrong type, an unknown key, or a power without a table."""
    _convert(tables, _MapHeader, "")
    for table, kind in _ENTRIES.items():
        for name, entry in tables.get(table, {}).items():
            _convert(entry, kind, f"{table}.{name}")
    if missing := [power for power in tables["powers"] if power not in tables["power"]]:
        raise MapError(f"there is no table [power.{_key(missing[0])}] for a name in `powers`")


def _convert(value: object, kind: type[msgspec.Struct], place: str) -> None:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        problem, _, at = str(error).partition(" - at `")  # … - at `$.kind`, … - at `key` in `$.closed`
        where = f"{place}{at.rpartition('$')[2].rstrip('`')}".lstrip(".")
        raise MapError(f"{where}: {problem}" if where else problem, suggestion=_suggest_remedy(problem, where, kind)) from None


def _suggest_remedy(complaint: str, place: str, kind: type[msgspec.Struct]) -> str:
    """Return a hint on msgspec's complaint about a key of a `kind`: the possible values, a similar key, or the page to read."""
    last = place.removesuffix("[...]").rpartition(".")[2]
    if complaint.startswith("Invalid enum value") and last in _CHOICES:
        return f"write {' or '.join(get_args(_CHOICES[last]))}"
    if unknown := re.search(r"unknown field `(.*)`", complaint):
        fields = (_Geometry if place == "geometry" else kind).__struct_fields__
        if close := get_close_matches(unknown[1].casefold()[:60], fields, 1):
            return f"did you mean `{close[0]}`?"
    return "see docs/reference/map-files.md"


# ---------------------------------------------------------------- writing

_LONGEST_LINE = 120


def map_text(tables: Tables) -> str:
    """Write a map's tables as the text of a TOML map file, in their order."""
    tops = {key: value for key, value in tables.items() if not isinstance(value, Mapping)}
    sections = [_section((), tops)]
    for key, value in tables.items():
        if isinstance(value, Mapping):
            several = all(isinstance(entry, Mapping) for entry in value.values()) and value
            if several and key not in ("names", "spellings", "abbreviations", "geometry"):
                sections += chain.from_iterable(_iter_sections((key, name), entry) for name, entry in value.items())
            else:
                sections += _iter_sections((key,), value)
    return "\n".join(section for section in sections if section)


def _iter_sections(table_path: tuple[str, ...], table: Tables) -> Iterator[str]:
    """Yield the text of a table's own keys under the heading `[table_path]`, then the text of each table in it."""
    yield _section(table_path, {key: value for key, value in table.items() if not isinstance(value, Mapping)})
    for key, value in table.items():
        if isinstance(value, Mapping) and value:
            yield _section((*table_path, key), value)


def _section(path: tuple[str, ...], table: Tables) -> str:
    lines = [f"{_key(key)} = {_value(value)}\n" for key, value in table.items() if value is not None]
    return (f"[{'.'.join(map(_key, path))}]\n" if path and lines else "") + "".join(lines)


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _format_string(name)


def _value(value: object) -> str:
    if isinstance(value, str):
        return _format_long_string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        entries = [_value(entry) for entry in value]
        line = f"[{', '.join(entries)}]"
        return line if len(line) < _LONGEST_LINE else "[\n" + "".join(f"    {entry},\n" for entry in entries) + "]"
    return str(value)


def _format_long_string(text: str) -> str:
    """Write a text as a TOML string; break a long one into lines, since a line may have few dots (`resources.MOST_DOTS`)."""
    whole = _format_string(text)
    lines = wrap(whole[1:-1], _LONGEST_LINE, break_long_words=False, break_on_hyphens=False)
    if len(whole) <= _LONGEST_LINE or " ".join(lines) != whole[1:-1]:
        return whole
    return '"""\n' + " \\\n".join(lines) + '"""'  # TOML joins a line that ends with a backslash to the next one


def _format_string(text: str) -> str:
    """Write a text as a TOML string on one line, with the escapes of JSON and one for the character DEL."""
    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
