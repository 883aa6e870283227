"""Shows results to people, as tables, pages and pictures.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "campaigns",
    "census",
    "conformance",
    "counts",
    "findings",
    "game_reports",
    "games",
    "graphs",
    "junit",
    "layout",
    "maps",
    "notebooks",
    "pictures",
    "png",
    "rendering",
    "report",
    "searches",
    "text",
    "verified",
]
