"""Offers satjudge under the interfaces of other packages, so that programs written for these run on it unchanged.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "diplomacy",
]
