"""What games a file holds, whatever program wrote it: whole ones, or phases of them each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from satjudge.files import daide, saved_games, webdiplomacy
from satjudge.files.detect import Kind
from satjudge.files.saved_games import Row, SavedGame

GameReaders: TypeAlias = Callable[[bytes, str], Iterator[Callable[[], SavedGame]]]
"""From what a file holds, and how it is called, a function for each game that reads it. All raise `InputError`."""
RowReaders: TypeAlias = Callable[[bytes, str], Iterator[Callable[[], Row]]]
"""The same for phases that come each by itself."""

GAMES: Mapping[Kind, GameReaders] = {Kind.GAME: saved_games.game_readers, Kind.DAIDE: daide.game_readers}
ROWS: Mapping[Kind, RowReaders] = {Kind.ROWS: saved_games.row_readers, Kind.WEBDIPLOMACY: webdiplomacy.row_readers}
