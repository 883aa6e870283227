"""Knows godip's variants whose board a program makes of the classical one, by a digest of their Go file (models/godip.toml).

The classical board itself is satjudge's standard map: its borders, centres and units are the same (tests/files).
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from satjudge.base.errors import MapError
from satjudge.base.resources import data_file, read_toml
from satjudge.world.geography import shipped_tables
from satjudge.world.map_tables import Tables, complete


def find_known_tables(text: str) -> Tables | None:
    """Find the tables of a variant that is known by its text without comments; None for any other."""
    known = _known().get(sha256("".join(text.split()).encode()).hexdigest())
    return complete(known, shipped_tables) if known is not None else None


@cache
def _known() -> dict[str, Tables]:
    return {one["sha256"]: one["map"] for one in read_toml(data_file("models", "godip.toml"), MapError)["variant"]}
