"""Writes certificates of satjudge's claims, and verifies them with independent code.

Other rooms import only the modules in `__all__`.
"""

__all__ = [
    "certificates",
    "verify",
]
