"""Reads and writes orders and order sheets.

`parse` reads orders, `write` writes them, `sheets` and `sheet_reader` do the same for whole sheets.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "documents",
    "game_reader",
    "lines",
    "map_in_words",
    "moments",
    "parse",
    "sheet_reader",
    "sheets",
    "shipped",
    "write",
]
