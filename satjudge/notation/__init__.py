"""Reads and writes orders and order sheets.

`parse` reads orders, and `write` writes them; `sheets` and `sheet_reader` handle whole sheets, and `messages` the orders for a
game's phase.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "bundled_cases",
    "documents",
    "messages",
    "parse",
    "phase_names",
    "rewording",
    "sheet_reader",
    "sheets",
    "text_around_orders",
    "write",
]
