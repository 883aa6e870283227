"""Judges a phase: legality, equations, resolutions, backup rules, outcome, retreats and adjustments.

`judge` takes an order through all these steps; `check` compares an outcome with what a sheet expects.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "adjustments",
    "backup",
    "check",
    "equations",
    "fast_path",
    "judge",
    "legal_orders",
    "legality",
    "order_review",
    "outcome",
    "position",
    "retreats",
    "solve",
]
