"""Holds code that knows nothing of the game: errors, words, files, locks and processes.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "errors",
    "graph_digests",
    "imports",
    "locking",
    "platforms",
    "process_tree",
    "processes",
    "python_source",
    "resources",
    "startup",
    "values",
    "version",
    "words",
]
