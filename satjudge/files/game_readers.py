"""Finds the games in a file of any program: whole games, or single phases of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from satjudge.files import daide, diplomacy_package, godip, njudge, webdiplomacy
from satjudge.files.detect import Kind
from satjudge.files.diplomacy_package import Row, SavedGame

GameReaders: TypeAlias = Callable[[bytes, str], Iterator[Callable[[], SavedGame]]]
"""A function that takes the content and the name of a file, and returns an iterator of functions that each read one of its
games. All raise `InputError`."""
RowReaders: TypeAlias = Callable[[bytes, str], Iterator[Callable[[], Row]]]
"""A function like `GameReaders`, but for single phases."""

GAMES: Mapping[Kind, GameReaders] = {
    Kind.GAME: diplomacy_package.game_readers,
    Kind.DAIDE: daide.game_readers,
    Kind.NJUDGE: njudge.game_readers,
    Kind.GODIP: godip.game_readers,
}
ROWS: Mapping[Kind, RowReaders] = {Kind.ROWS: diplomacy_package.row_readers, Kind.WEBDIPLOMACY: webdiplomacy.row_readers}
