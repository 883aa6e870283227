"""Completes the tables of a map's TOML file if the file is based on another map (docs/reference/map-files.md).

A file with `based_on = "standard"` has only the differences from the standard map:

- `remove = ["SPA"]` removes provinces, and every mention of them in the lists of the others;
- `forget = ["unit"]` removes a key from every province of the base map or, in the table of a province, only from that one;
- any other key replaces the base's; tables are amended key by key;
- `add_KEY = […]` and `remove_KEY = […]` change a list instead of replacing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from satjudge.base.errors import InputError

Tables: TypeAlias = Mapping[str, Any]
"""The tables of a map's file, as `tomllib` reads them."""

_ADD, _REMOVE = "add_", "remove_"
_DEEPEST = 16


def complete(tables: Tables, load: Callable[[str], Tables], depth: int = 0) -> dict[str, Any]:
    """Return a map's tables, amended from its base map if it has one; `load` returns the tables of a base map by name.

    `depth` counts the maps that are based on this one. Raises `InputError` if a change does not fit the base map.
    """
    if "based_on" not in tables:
        return dict(tables)
    if depth == _DEEPEST:
        raise InputError(f"the map {tables.get('name')} is based on maps that are based on each other")
    base = complete(load(_read_base_name(tables)), load, depth + 1)
    removed = frozenset(_read_names(tables.get("remove", []), "remove"))
    if unknown := sorted(removed - base["province"].keys()):
        raise InputError(f"remove: the map {base['name']} has no province {', '.join(unknown)}")
    forgotten = frozenset(_read_names(tables.get("forget", []), "forget"))
    kept = {
        code: {key: value for key, value in entry.items() if key not in forgotten}
        for code, entry in _drop_mentions(removed, base["province"]).items()
    }
    changes = {key: value for key, value in tables.items() if key not in ("based_on", "remove", "forget")}
    amended = _amend_table({**_drop_mentions(removed, base), "province": kept}, changes, "")
    if isinstance(amended["power"], Mapping) and isinstance(amended["powers"], list):
        amended["power"] = {power: entry for power, entry in amended["power"].items() if power in amended["powers"]}
    return amended


def _read_base_name(tables: Tables) -> str:
    base = tables["based_on"]
    if not isinstance(base, str):
        raise InputError(f"based_on: write the name of a map, not {base!r}")
    return base


def _read_names(value: object, place: str) -> list[str]:
    """Return `value` if it is a list of texts, or raise an `InputError` that names its `place` in the file."""
    if not (isinstance(value, list) and all(isinstance(entry, str) for entry in value)):
        raise InputError(f'{place}: write a list of names, ["…", "…"]')
    return value


def _drop_mentions(removed: frozenset[str], table: Tables) -> dict[str, Any]:
    """Return a copy of a table without its keys and list entries for the `removed` provinces and their coasts."""
    kept: dict[str, Any] = {}
    for key, value in table.items():
        if key.partition("/")[0] in removed:
            continue
        if isinstance(value, Mapping):
            kept[key] = _drop_mentions(removed, value)
        elif isinstance(value, list):
            kept[key] = [entry for entry in value if not (isinstance(entry, str) and entry.partition("/")[0] in removed)]
        else:
            kept[key] = value
    return kept


def _amend_table(base: Tables, changes: Tables, place: str) -> dict[str, Any]:
    """Return the `base` table amended by `changes`; `place` is its path in the file, for errors, and ends with a full stop."""
    forgotten = _read_names(changes.get("forget", []), f"{place}forget")
    amended = {key: value for key, value in base.items() if key not in forgotten}
    for key, value in changes.items():
        if key == "forget":
            continue
        if key.startswith(_ADD):
            target, path = key.removeprefix(_ADD), f"{place}{key}"
            amended[target] = list(dict.fromkeys((*_read_list(amended, target, path), *_read_names(value, path))))
        elif key.startswith(_REMOVE):
            target, path = key.removeprefix(_REMOVE), f"{place}{key}"
            amended[target] = _remove_entries(_read_names(value, path), _read_list(amended, target, path), path)
        elif isinstance(value, Mapping) and isinstance(amended.get(key), Mapping):
            amended[key] = _amend_table(amended[key], value, f"{place}{key}.")
        else:
            amended[key] = value
    return amended


def _read_list(table: Tables, key: str, place: str) -> list[str]:
    """Return the list under a key of a table, [] without one, or raise an `InputError` that names the `place` in the file."""
    entries = table.get(key, [])
    if not isinstance(entries, list):
        raise InputError(f"{place}: {key} must be a list, not {entries!r}")
    return entries


def _remove_entries(removed: Iterable[str], entries: list[str], place: str) -> list[str]:
    if missing := [entry for entry in removed if entry not in entries]:
        raise InputError(f"{place}: the list does not contain {', '.join(missing)}")
    return [entry for entry in entries if entry not in removed]
