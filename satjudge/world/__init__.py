"""Defines the elements of the game: map, board, units, orders, powers, rulebooks, verdicts, seasons.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "board",
    "geography",
    "map_tables",
    "orders",
    "rules",
    "seasons",
    "verdicts",
]
