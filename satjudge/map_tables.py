"""The tables of a map's TOML file, and how one file amends the map of another (docs/maps.md).

A file that says `based_on = "standard"` holds only what is different there:

- `remove = ["SPA"]` takes provinces away, and with them every mention of them in the lists of the others;
- `forget = ["unit"]` takes a key from every province of the base, or within one province's table from that one;
- any other key stands for the base's; tables are amended key by key;
- `add_KEY = […]` and `remove_KEY = […]` change a list instead of replacing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from satjudge.errors import InputError

Tables: TypeAlias = Mapping[str, Any]
"""What `tomllib` makes of a map's file."""

_ADD, _REMOVE = "add_", "remove_"
_DEEPEST = 16


def complete(tables: Tables, load: Callable[[str], Tables], depth: int = 0) -> dict[str, Any]:
    """The tables of a map that needs no other: those of its base, which `load` gives by name, with what it changes.

    Raises `InputError` where an amendment does not fit its base.
    """
    if "based_on" not in tables:
        return dict(tables)
    if depth == _DEEPEST:
        raise InputError(f"the map {tables.get('name')} is based on maps that are based on each other")
    base = complete(load(tables["based_on"]), load, depth + 1)
    gone = frozenset(tables.get("remove", ()))
    if unknown := sorted(gone - base["province"].keys()):
        raise InputError(f"remove: {', '.join(unknown)} is no province of the map {base['name']}")
    forgotten = frozenset(tables.get("forget", ()))
    kept = {
        code: {key: value for key, value in entry.items() if key not in forgotten}
        for code, entry in _without(gone, base["province"]).items()
    }
    changes = {key: value for key, value in tables.items() if key not in ("based_on", "remove", "forget")}
    amended = _amended({**_without(gone, base), "province": kept}, changes, "")
    amended["power"] = {power: entry for power, entry in amended["power"].items() if power in amended["powers"]}
    return amended


def _without(gone: frozenset[str], table: Tables) -> dict[str, Any]:
    """The same table without any mention of these provinces."""
    kept: dict[str, Any] = {}
    for key, value in table.items():
        if key in gone:
            continue
        if isinstance(value, Mapping):
            kept[key] = _without(gone, value)
        elif isinstance(value, list):
            kept[key] = [entry for entry in value if not (isinstance(entry, str) and entry.partition("/")[0] in gone)]
        else:
            kept[key] = value
    return kept


def _amended(base: Tables, changes: Tables, place: str) -> dict[str, Any]:
    """A table with changes to it. `place` tells where in the file it stands, with a full stop behind it."""
    amended = {key: value for key, value in base.items() if key not in changes.get("forget", ())}
    for key, value in changes.items():
        if key == "forget":
            continue
        if key.startswith(_ADD):
            named = key.removeprefix(_ADD)
            amended[named] = list(dict.fromkeys((*_listed(amended, named, f"{place}{key}"), *value)))
        elif key.startswith(_REMOVE):
            named = key.removeprefix(_REMOVE)
            amended[named] = _taken(value, _listed(amended, named, f"{place}{key}"), f"{place}{key}")
        elif isinstance(value, Mapping) and isinstance(amended.get(key), Mapping):
            amended[key] = _amended(amended[key], value, f"{place}{key}.")
        else:
            amended[key] = value
    return amended


def _listed(table: Tables, key: str, place: str) -> list[str]:
    """The list that is to be changed: none is an empty one."""
    listed = table.get(key, [])
    if not isinstance(listed, list):
        raise InputError(f"{place}: there is no list to change, {key} is {listed!r}")
    return listed


def _taken(gone: Iterable[str], listed: list[str], place: str) -> list[str]:
    if missing := [entry for entry in gone if entry not in listed]:
        raise InputError(f"{place}: {', '.join(missing)} is not in the list")
    return [entry for entry in listed if entry not in gone]
