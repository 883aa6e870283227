"""Asks about positions whose orders are unknown: `search`, `prove`, `lines`, `guarantee`, odds.

`unknown` states orders as unknowns of the equations, `goals` states what is looked for.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "ahead",
    "alternatives",
    "cubes",
    "documents",
    "enumeration",
    "formulas",
    "goals",
    "guarantee",
    "line_search",
    "lines",
    "odds",
    "prove",
    "search",
    "second_opinion",
    "task",
    "unknown",
]
