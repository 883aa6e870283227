"""Draws pictures on a page that borrow their maps from one place, so that each map is there once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from satjudge.show.pictures import Look, Scene, position
from satjudge.show.pictures.composition import OnPage, document, map_alone
from satjudge.show.report.html import figure
from satjudge.world.board import Board

_LOOK = Look(width=700, legend=False)


class SharedMaps:
    """The pictures of a page and the maps that they borrow, which may stand anywhere on the page."""

    def __init__(self) -> None:
        self._boards: dict[str, Board] = {}
        self._drawn = 0

    def figures(self, scenes: Iterable[Scene]) -> Iterator[Element]:
        """Draw a picture of each scene."""
        for scene in scenes:
            board = scene.board
            self._boards.setdefault(board.map.exact_name, board)
            self._drawn += 1
            page = OnPage(f"case-{self._drawn}", self._name(board.map.exact_name))
            yield figure(document([scene], look=_LOOK, page=page))

    def maps(self) -> Iterator[Element]:
        """Draw the maps that all pictures so far borrow."""
        for name, board in self._boards.items():
            yield map_alone([position(board)], self._name(name), Look(whole=True))

    def _name(self, of: str) -> str:
        """Name a map on the page."""
        return f"map-{[*self._boards].index(of) + 1}"
