"""Judges movement phases by algorithms that share no rules with satjudge.

Other rooms import only the modules in `__all__`.
"""

__all__ = [
    "guide_1998",
    "kruijswijk_guess",
    "kruijswijk_variants",
    "oracle",
]
