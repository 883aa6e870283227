"""Plays a game from its first phase to its end, and keeps it in a file.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "documents",
    "game",
    "readings",
    "stored_game",
]
