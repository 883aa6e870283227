"""Files of other programs, and what a file is: games, single phases, batch lines, jDip's cases, engines' dialects.

`detect` tells what a file holds, `cases` reads any of them as cases. A new format is a module here, an entry in `detect`, and
one in `games` if it holds games, else in `cases`.
"""

from typing import TYPE_CHECKING

from satjudge.lazy import submodules as _submodules

if TYPE_CHECKING:
    from satjudge.formats import games as games
    from satjudge.formats import jdip as jdip
    from satjudge.formats import saved_games as saved_games
else:  # most runs need none of these, and they take long to import
    __getattr__ = _submodules("satjudge.formats", "games", "jdip", "saved_games")
