"""Finds the cases that come with satjudge, by collection, and by short names such as `datc:6.F.14`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import copy
from functools import lru_cache
from pathlib import Path

from satjudge.base.errors import NotFoundError
from satjudge.base.resources import data_directory
from satjudge.notation.sheet_reader import load_sheets
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map


def list_case_files() -> list[Path]:
    """Return the paths of all files of cases that come with satjudge, sorted."""
    return sorted((data_directory() / "datc_cases").glob("**/*.txt"))


def read_collection(collection: str = "datc-3.2", *, section: str | None = None, game_map: Map | None = None) -> list[Sheet]:
    """Return all shipped cases of a folder (or its file `section`), sorted by ID; `game_map` is for cases that name no map."""
    folder = data_directory() / "datc_cases" / collection
    if not folder.is_dir():
        known = sorted(path.name for path in folder.parent.iterdir() if path.is_dir())
        raise NotFoundError(f"there is no collection {collection!r}", suggestion=f"there are {', '.join(known)}")
    paths = [path for path in sorted(folder.glob("*.txt")) if section in (None, path.stem)]
    sheets = [copy(sheet) for path in paths for sheet in _read_cached(path, game_map)]
    return sorted(sheets, key=lambda sheet: _natural_key(sheet.identity))


@lru_cache(maxsize=128)
def _read_cached(path: Path, game_map: Map | None) -> list[Sheet]:
    """Return all cases of a file, from a cache: copy a case before you set its fields."""
    return load_sheets(path, game_map=game_map)


COLLECTIONS = {"datc": "datc-3.2", "line": "lines", "catalogue": "catalogue", "difference": "differences"}
"""The collections whose cases have short names such as `datc:6.F.14`, by the prefix before the colon."""
EDITIONS = ("3.2", "2.4")
"""The editions of the DATC; IDs of cases of later editions in this list begin with the edition: `2.4/7.B.12`."""
_FEW = 20
"""The largest number of cases that a message names."""
_FEW_TITLES = 6
"""The largest number of cases that a message names with their titles."""
_LIKE = 0.8
"""The required similarity of a word to a word of a title; `betrayl` and `betrayal` have 0.93."""
_MANY = 100
"""The number of cases in a collection that makes a list of a few cases useless."""


def find_collection(identity: str, prefix: str = "datc") -> str:
    """Return the folder in `datc_cases/` for the prefix of a short name; an ID may begin with another DATC edition."""
    edition = identity.partition("/")[0]
    return f"datc-{edition}" if prefix == "datc" and edition in EDITIONS[1:] else COLLECTIONS[prefix]


def find_bundled_case(identity: str, prefix: str = "datc", *, game_map: Map | None = None) -> Sheet:
    """Return the case with this ID (`6.F.14`) and prefix, on `game_map` if it names no map, or raise `NotFoundError`."""
    wanted, collection = identity.casefold().removeprefix(f"{prefix}-"), find_collection(identity, prefix)
    file = identity.upper().rpartition(".")[0].rpartition("/")[2]
    for section in (file, None):  # its own file first, since reading all files takes long
        found = read_collection(collection, section=section, game_map=game_map)
        sheets = {sheet.identity.casefold().removeprefix(f"{prefix}-"): sheet for sheet in found}
        if wanted in sheets:
            return sheets[wanted]
    hint = _find_in_other_edition(wanted) if collection == COLLECTIONS["datc"] else None
    raise NotFoundError(f"there is no case {identity!r}", suggestion=hint or _suggest_cases(wanted, sheets, prefix))


def _find_in_other_edition(identity: str) -> str | None:
    """Return a hint that an older edition of the DATC has a case or section with this ID, or None if none has."""
    for edition in EDITIONS[1:]:
        key = f"{edition}/{identity}".rstrip(".")
        if any(f"{sheet.identity.casefold()}.".startswith(f"{key}.") for sheet in read_collection(f"datc-{edition}")):
            return f"the DATC {edition} has datc:{key.upper()}"
    return None


def _suggest_cases(identity: str, sheets: Mapping[str, Sheet], prefix: str) -> str | None:
    """Return `did you mean …?` with cases of a similar ID or title; else a list of all cases if they are few, or None."""
    from difflib import get_close_matches

    close = get_close_matches(identity, sheets, 3)
    if not close and (titled := _find_titles(identity, sheets.values())):
        texts = [f"{prefix}:{sheet.identity.removeprefix('catalogue-')} ({sheet.title})" for sheet in titled]
        more = f" and {len(texts) - _FEW_TITLES} more" if len(texts) > _FEW_TITLES else ""
        return f"did you mean {', '.join(texts[:_FEW_TITLES])}{more}?"
    texts = [f"{prefix}:{sheets[key].identity.removeprefix('catalogue-')}" for key in close or sheets]
    names = ", ".join(texts[:_FEW]) + (f" and {len(texts) - _FEW} more" if len(texts) > _FEW else "")
    return f"did you mean {names}?" if close else f"there are {names}" if len(sheets) < _MANY else None


def _find_titles(text: str, sheets: Iterable[Sheet]) -> list[Sheet]:
    """List the cases whose titles contain every word of a text, or a nearly equal word."""
    from difflib import get_close_matches

    titles = [(sheet, re.findall(r"\w+", sheet.title.casefold())) for sheet in sheets]
    known = {word for _, words in titles for word in words}
    close_words = [[word] if word in known else get_close_matches(word, known, 1, _LIKE) for word in re.findall(r"\w+", text)]
    if not close_words or not all(close_words):
        return []
    return [sheet for sheet, words in titles if all(word in words for (word,) in close_words)]


def _natural_key(identity: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.findall(r"\d+|\D+", identity)]


def is_case_name(name: str) -> bool:
    """Return whether a name begins with a known prefix and a colon, such as `datc:6.F.14`; the case need not exist."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix.lower() in COLLECTIONS


def read_bundled_cases(name: str, game_map: Map | None = None, edition: str = EDITIONS[0]) -> list[Sheet]:
    """Return all cases that a short name selects, by default of this DATC `edition`; `game_map` is for cases that name none.

    A name selects one case (`datc:6.F.14`, `line:lipton-southern-3`), a section (`datc:6.F`), or a collection
    (`catalogue:all`). A name without a prefix is a DATC name, which may begin with the edition (2.4/7.B).
    """
    prefix, identity = (name.lower().partition(":")[0], name.partition(":")[2]) if is_case_name(name) else ("datc", name)
    if prefix == "datc" and edition != EDITIONS[0] and "/" not in identity:
        identity = f"{edition}/{identity}"
    wanted, collection = identity.lower().rstrip("."), find_collection(identity, prefix)
    if wanted.rpartition("/")[2] == "all":
        return list(read_collection(collection, game_map=game_map))
    if section := read_collection(collection, section=identity.upper().rpartition("/")[2].rstrip("."), game_map=game_map):
        return list(section)
    try:
        return [find_bundled_case(identity, prefix, game_map=game_map)]
    except NotFoundError:
        sheets = read_collection(collection, game_map=game_map)
        if found := [sheet for sheet in sheets if sheet.identity.lower().startswith(f"{wanted}.")]:
            return found
        raise
