"""Holds what knows nothing of the game: errors, words, files, locks and processes.

It also holds what the front door hands in.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "children",
    "counts",
    "errors",
    "extras",
    "handed_in",
    "lazy",
    "locking",
    "processes",
    "progress",
    "python_source",
    "replacing",
    "resources",
    "shapes",
    "showing",
    "startup",
    "systems",
    "version",
    "words",
]
