"""Writes certificates of satjudge's claims, and verifies them by code that knows nothing of the rest.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "certificates",
    "documents",
    "verify",
]
