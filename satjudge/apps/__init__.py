"""The ways in which users run satjudge: the commands, the page of `satjudge explore`, services and the pytest plugin.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "cli",
    "explore",
    "pytest_satjudge",
]
