"""Shows results to people, as tables, pages and pictures.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "engines",
    "findings",
    "game_reports",
    "games",
    "graphs",
    "layout",
    "maps",
    "notebooks",
    "pictures",
    "rendering",
    "report",
    "research",
    "searches",
    "text",
]
