"""Judges phases by algorithms that share no rule with satjudge.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "guide_1998",
    "kruijswijk_guess",
    "kruijswijk_variants",
    "oracle",
]
