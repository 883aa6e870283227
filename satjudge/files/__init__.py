"""Reads and writes files from other programs and from people: games, single phases, batch lines, maps, emails.

`detect` finds the kind of a file, and `cases` reads any kind as cases. A new format needs a module here, an entry in `detect`,
and an entry in `game_readers` (if its files hold games) or `cases`.

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
