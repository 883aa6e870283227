"""Reads and writes the files of other programs: `satjudge.formats.load_games("games.jsonl")`."""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_deprecated_getattr as _formerly
from satjudge.files import __all__ as _modules
from satjudge.files.detect import Kind, detect
from satjudge.files.documents import described_map
from satjudge.files.saved_games import PlayedPhase, SavedGame, load_games, read_games, saved_game

if not TYPE_CHECKING:
    __getattr__ = _formerly(__name__, **{name: f"satjudge.files.{name}" for name in _modules})

__all__ = ["Kind", "PlayedPhase", "SavedGame", "described_map", "detect", "load_games", "read_games", "saved_game"]
