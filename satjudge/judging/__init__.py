"""Judges a phase: legality, equations, resolutions, backup rules, outcome, retreats and adjustments.

`judge` is the whole way of an order; `check` compares an outcome with what a sheet expects.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "adjustments",
    "as_meant",
    "at_once",
    "backup",
    "check",
    "equations",
    "judge",
    "legal_orders",
    "legality",
    "missing_orders",
    "outcome",
    "position",
    "retreats",
    "solve",
]
