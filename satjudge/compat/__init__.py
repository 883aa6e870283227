"""Offers satjudge through the interfaces of other packages, so that programs written for them run unchanged.

Other rooms use only the modules in `__all__`. All other modules are private to this room.
"""

__all__ = [
    "diplomacy",
]
