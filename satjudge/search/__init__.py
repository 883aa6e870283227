"""Asks about positions whose orders are unknown: `search`, `prove`, `lines`, `guarantee`, odds.

`open_orders` states orders as unknowns of the equations, and `goals` defines what to look for. `lines` handles stalemate lines;
`guarantees` finds orders that work against any orders of the others. `formulas` holds clauses and solvers.

Other rooms import only the modules in `__all__`.
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
