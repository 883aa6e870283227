"""Reads and writes files from other programs and from people: games, single phases, batch lines, maps, emails.

`detect` finds the kind of a file, and `cases` reads any kind as cases. A new format is a module here, an entry in `detect`,
and one in `game_readers` if it holds games, else in `cases`.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "batch_lines",
    "cases",
    "detect",
    "dialects",
    "diplomacy_package",
    "documents",
    "game_readers",
    "godip",
    "jdip",
    "json_cases",
    "mail",
    "maps",
    "njudge",
]
