"""Starts satjudge for people: the commands, the page to play with, the plugin of pytest.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "cli",
    "explore",
    "pytest_satjudge",
]
