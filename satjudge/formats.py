"""Reads and writes files from other programs: `satjudge.formats.load_games("games.jsonl")`."""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_deprecated_getattr as _formerly
from satjudge.files import __all__ as _modules
from satjudge.files.detect import Kind, detect
from satjudge.files.diplomacy_package import PlayedPhase, SavedGame, load_games, read_games, saved_game
from satjudge.files.documents import described_map

if not TYPE_CHECKING:
    _RENAMED = {"games": "satjudge.files.game_readers", "saved_games": "satjudge.files.diplomacy_package"}
    __getattr__ = _formerly(__name__, **({name: f"satjudge.files.{name}" for name in _modules} | _RENAMED))

__all__ = ["Kind", "PlayedPhase", "SavedGame", "described_map", "detect", "load_games", "read_games", "saved_game"]
