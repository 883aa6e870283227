"""Lets values show themselves: `print` shows the table, a notebook the picture and the table.

The renderer is handed in by the front door, and imported only when something is shown.
"""

from __future__ import annotations

from satjudge.base.handed_in import load_hook


class Displayable:
    """A value that has a table, and perhaps a picture (`satjudge.show.notebooks`)."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table that `print` shows."""
        return str(load_hook("as_text")(self))

    def _repr_html_(self) -> str:
        """The picture and the table that notebooks show."""
        return str(load_hook("as_html")(self))
