"""Asks about positions whose orders are unknown: `search`, `prove`, `lines`, `guarantee`, odds.

`open_orders` states orders as unknowns of the equations, and `goals` what is looked for. `lines` has stalemate lines, and
`guarantees` has orders that work whatever the others do. `formulas` holds clauses and solvers.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "cubes",
    "documents",
    "enumeration",
    "formulas",
    "goals",
    "guarantees",
    "lines",
    "open_orders",
    "search",
    "second_opinion",
    "task",
]
