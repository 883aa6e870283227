"""What values with a table show of themselves: `print` the table, a notebook the picture and the table.

The only thing that the core asks of the renderer, and only when it is called.
"""

from __future__ import annotations


class Shown:
    """A value that has a table, and perhaps a picture (`satjudge.render.notebooks`)."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table that `print` shows."""
        from satjudge.render.notebooks import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        """The picture and the table that notebooks show."""
        from satjudge.render.notebooks import as_html

        return as_html(self)
