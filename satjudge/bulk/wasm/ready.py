"""Finds the kernel and the table file that come with satjudge for a map and a rulebook, without numpy and at once."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import msgspec

from satjudge.base.errors import NotFoundError, SatjudgeError
from satjudge.base.resources import data_file
from satjudge.bulk.wasm.digests import asked_of, is_checkout, written_from
from satjudge.bulk.wasm.tables import ENDING, Tables, read_table_file
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import Rulebook, load_preset, preset_names

CODE, MANIFEST = "kernel.wasm", "kernel.json"
STANDARD = "standard"
"""The map of which table files come with satjudge."""
OF_THE_PACKAGE = "datc-2 with 4.E.1.convoy=illegal"
"""The rulebook nearest to the package `diplomacy`, which has a table file besides the presets (`satjudge.compat.diplomacy`)."""


def rulebooks() -> list[str]:
    """List the rulebooks of which table files come with satjudge."""
    return [*preset_names(), OF_THE_PACKAGE]


def has_tables(game_map: Map, rulebook: Rulebook) -> bool:
    """Tell whether a table file of a map under a rulebook comes with satjudge."""
    return game_map is load_map() and rulebook.name in rulebooks() and rulebook == load_preset(rulebook.name)


def table_file(rulebook: str) -> str:
    """Return the name of the table file of a rulebook."""
    return f"{STANDARD}.{rulebook.replace(' ', '-').replace('=', '-')}{ENDING}"


class Manifest(msgspec.Struct, frozen=True):
    """What the compiled kernel was made from and by, and which functions are in it."""

    printed: str
    """The digest of the C."""
    compiled: str
    """The digest of the WebAssembly."""
    compiler: str
    """The first line of what the compiler says of its version."""
    written_from: int
    """`digests.written_from` of the files that were printed."""
    entries: dict[str, dict[str, str]]
    presets: dict[str, str]


class Ready(msgspec.Struct, frozen=True):
    """A kernel with a table file for it."""

    code: bytes
    tables: Tables


def ready(game_map: Map, rulebook: Rulebook) -> Ready | None:
    """Find what comes with satjudge for a map under a rulebook; None where nothing does, or where sources have changed."""
    return _ready(rulebook.name) if has_tables(game_map, rulebook) else None


@lru_cache(maxsize=9)
def _ready(rulebook: str) -> Ready | None:
    try:
        manifest = msgspec.json.decode(data_file("models", "kernel", MANIFEST).read_bytes(), type=Manifest)
        code = data_file("models", "kernel", CODE).read_bytes()
        tables = read_table_file(data_file("models", "kernel", table_file(rulebook)))
    except (OSError, NotFoundError, SatjudgeError, msgspec.DecodeError):
        return None
    fits = hashlib.sha256(code).hexdigest() == manifest.compiled and tables.header.kernel == manifest.printed
    if is_checkout() and fits:
        fits = manifest.written_from == written_from() and tables.header.sources == asked_of()
    return Ready(code, tables) if fits else None
