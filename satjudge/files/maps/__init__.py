"""Reads maps in every format: satjudge's own TOML, `.map` files of DPjudge and the package `diplomacy`, packages of jDip, ….

`read_map` detects the format of a file, folder or zip archive. Each format is a module that makes the tables of a map's TOML
file (`satjudge.world.map_tables`), so any map can be written as one.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec

from satjudge.base.errors import MapError, NotFoundError, SatjudgeError, locate_errors
from satjudge.base.resources import parse_toml, read_file
from satjudge.files.maps import diplicity, dpjudge, godip, jdip, toml, webdiplomacy
from satjudge.files.maps.checks import refuse_unusable
from satjudge.files.maps.packages import open_package
from satjudge.world.geography import Map, load_map, map_from, shipped_tables
from satjudge.world.geography import shipped_maps as shipped_maps
from satjudge.world.map_tables import Tables, complete

_MAINS = (jdip.MAIN, webdiplomacy.MAIN)
_SUFFIXES = (".toml", ".map", ".zip", ".go")
_BEGINNING = 100_000
"""The number of bytes that are examined."""
_DEEPEST = 8
"""The maximum depth of folders that are searched."""
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19]")
"""Bytes that occur in pictures and programs, but not in text."""
_TOML = re.compile(rb"^(?:\[[\w.\"-]+\]|[\w.-]+[ \t]*=[ \t]*[\"'\[{\d])", re.MULTILINE)
"""Text that occurs only in TOML: tables, and keys with values in quotes or brackets, or numbers."""


def read_map(path_or_name: str | Path) -> Map:
    """Return the shipped map of that name, or read a map from a file, folder or zip archive.

    For a jDip package with several variants, add # and the name of one: `milan#Crowded Milan`. Reading the same content again
    gives the same object. Raises `InputError`, which names the place and any rule that satjudge does not support.
    """
    name = str(path_or_name)
    if not isinstance(path_or_name, Path) and name in shipped_maps():
        return load_map(name)
    return refuse_unusable(read_unchecked(Path(name)), name)


def read_unchecked(path_or_name: str | Path) -> Map:
    """Read a map as `read_map` does, but without checking it: it may refer to provinces or powers that do not exist."""
    return _intern_map(msgspec.json.encode(read_tables(path_or_name)))


def make_map(tables: Tables, source: str) -> Map:
    """Make a map from the tables of a map file, found in `source` (such as a saved game), or raise `InputError`."""
    with locate_errors(source):
        encoded = msgspec.json.encode(toml.check_tables(tables))
    return refuse_unusable(_intern_map(encoded), source)


def parse_map(data: bytes, source: str) -> Map:
    """Make a map from the content of a TOML file, which messages call `source`, or raise `InputError`."""
    with locate_errors(source):
        tables = parse_toml(data, MapError)
    return make_map(tables, source)


@lru_cache(maxsize=64)
def _intern_map(encoded: bytes) -> Map:
    """Return the map for tables encoded as JSON: the same object each time, so that boards on it can be compared."""
    return map_from(msgspec.json.decode(encoded))


def read_tables(path_or_name: str | Path) -> Tables:
    """Return the tables of a shipped map or of a map file in any format, completed from the map that it is based on.

    Raises `InputError`.
    """
    name = str(path_or_name)
    if not isinstance(path_or_name, Path) and name in shipped_maps():
        return complete(shipped_tables(name), shipped_tables)
    path, _, variant = name.partition("#")
    if not os.path.exists(path):  # `Path.exists` raises for a name that is too long
        hint = f"maps that come with satjudge are {', '.join(shipped_maps())}"
        raise NotFoundError(f"there is no map or file {path!r:.200}", suggestion=hint)
    return _tables(Path(path), variant)


def list_map_candidates(folder: Path) -> list[str]:
    """List names, for `read_map`, of files and packages at any depth in a folder that may be maps; [] if it is a package.

    Links, hidden folders and folders within packages are left out.
    """
    if not folder.is_dir() or _is_single_package(folder):
        return []
    return [name for path in _iter_map_paths(folder, _DEEPEST) for name in _list_variants(path)]


def _iter_map_paths(folder: Path, deepest: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and _is_single_package(path):
            yield path
        elif path.is_file():
            yield from [path] if _may_be_map(path) else []
        elif deepest and path in _folders_in(folder):
            yield from _iter_map_paths(path, deepest - 1)


def _is_single_package(folder: Path) -> bool:
    """Return whether a folder is itself a map package and contains no other package."""
    return _is_package(folder) and not any(map(_is_package, _folders_in(folder)))


def _folders_in(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink() and not path.name.startswith(".")]


def _may_be_map(path: Path) -> bool:
    """Return whether a file may be a map, judging by its suffix or its first bytes."""
    suffix = path.suffix.casefold()
    if suffix == ".zip":
        return _may_be_package(path)
    if suffix not in (".json", ".go"):
        return suffix in _SUFFIXES
    with path.open("rb") as file:
        begun = file.read(_BEGINNING)
    return diplicity.NATIONS in begun if suffix == ".json" else godip.defines_variant(begun.decode("utf-8", errors="replace"))


def _may_be_package(path: Path) -> bool:
    """Return whether a zip archive may contain a map package; True for a damaged one, so that `read_map` reports the error."""
    try:
        return any(open_package(path, main) is not None for main in _MAINS)
    except SatjudgeError:
        return True


def _list_variants(path: Path) -> list[str]:
    """List the names by which `read_map` reads a file or package: its path, or `path#variant` for each of several variants."""
    try:
        found = open_package(path, jdip.MAIN)
        several = jdip.list_variants(found) if found is not None else []
    except SatjudgeError:  # `read_map` reports it
        several = []
    return [f"{path}#{variant}" for variant in several] if len(several) > 1 else [str(path)]


def list_gaps(tables: Tables) -> list[str]:
    """List what is missing from a map's tables: what its reader recorded, and other things that games or pictures need."""
    provinces, geometry = tables["province"].values(), tables.get("geometry") or {}
    parts = {
        "supply centres": any(one.get("center") for one in provinces),
        "home centres": any(one.get("home") for one in provinces),
        "units at the start": any(one.get("unit") for one in provinces),
        "number of centres that win": tables.get("victory"),
        "colours of powers": any(one.get("color") for one in tables["power"].values()),
        "places of units": geometry.get("units"),
        "outlines": geometry.get("outlines"),
    }
    return [*tables.get("lacks", ()), *(f"no {part_name}" for part_name, found in parts.items() if not found)]


def _is_package(folder: Path) -> bool:
    return any((folder / main).is_file() for main in _MAINS)


def list_other_variants(path_or_name: str | Path, default_tables: Tables) -> list[str]:
    """List the other variants of a jDip package whose default variant has these tables; empty if the name chose a variant."""
    path, _, variant = str(path_or_name).partition("#")
    found = open_package(Path(path), jdip.MAIN) if not variant and Path(path).exists() else None
    return [name for name in jdip.list_variants(found) if name != default_tables["title"]] if found else []


def _tables(path: Path, variant: str) -> Tables:
    if (found := open_package(path, jdip.MAIN)) is not None:
        return _check_tables(jdip.read(found, variant), path)
    if variant:
        raise MapError(f"{path} contains one map: leave out #{variant}")
    if (found := open_package(path, webdiplomacy.MAIN)) is not None:
        return _check_tables(webdiplomacy.read(found), path)
    if path.is_dir():
        raise MapError(
            f"the folder {path} contains no map: there is no {jdip.MAIN} (jDip) and no {webdiplomacy.MAIN} (webDiplomacy)"
        )
    if zipfile.is_zipfile(path):
        raise MapError(
            f"the archive {path} contains no map: there is no {jdip.MAIN} (jDip) and no {webdiplomacy.MAIN} (webDiplomacy)"
        )
    begun = read_file(path)[:_BEGINNING].lstrip()
    if begun.startswith(b"<"):
        raise MapError(f"{path} is XML, but not called {jdip.MAIN}: name the folder or the archive that contains that file")
    if _NO_TEXT.search(begun):
        raise MapError("this is not a text file", source=str(path), suggestion="satjudge cannot read a picture of a map")
    if begun.startswith(b"{") and diplicity.NATIONS in begun:
        return _check_tables(diplicity.read(path), path)
    if path.suffix.casefold() == ".go" and godip.is_variant(begun.decode("utf-8", errors="replace")):
        return _check_tables(godip.read(path), path)
    toml_itself = path.suffix.casefold() == ".toml" or _TOML.search(begun)
    return toml.read(path) if toml_itself else _check_tables(dpjudge.read(path), path)


def _check_tables(tables: Tables, path: Path) -> Tables:
    """Return tables from a reader, completed and checked like those of a TOML file; raise `MapError` with the path."""
    with locate_errors(str(path)):
        return toml.check_tables(tables)
