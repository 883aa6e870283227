"""Reads and writes the files of other programs and of people: games, single phases, batch lines, maps, mails.

`detect` tells what a file holds, `cases` reads any of them as cases. A new format is a module here, an entry in `detect`, and
one in `games` if it holds games, else in `cases`.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_lazy_getattr as _lazily

if TYPE_CHECKING:
    from satjudge.files import games as games
    from satjudge.files import json_cases as json_cases
    from satjudge.files import saved_games as saved_games
else:  # most runs need few of these modules, and they take long to import
    __getattr__ = _lazily(__name__)

__all__ = [
    "batch_lines",
    "cases",
    "detect",
    "dialects",
    "documents",
    "games",
    "godip",
    "jdip",
    "json_cases",
    "mail",
    "maps",
    "njudge",
    "saved_games",
]
