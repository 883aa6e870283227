"""Holds a few cases that show what the page can do, each with a small picture."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec

from satjudge.apps.explore.gallery import open_case
from satjudge.apps.explore.questions import Draw
from satjudge.base.errors import NotFoundError

FOLDER: Final = "examples"
"""The folder of the pictures, next to the page."""
WIDTH = 360
"""The width of a picture in pixels, twice the width at which it is shown."""


class Example(msgspec.Struct, frozen=True):
    """A case of the gallery, with a sentence on what it shows."""

    file: str
    identity: str
    title: str
    says: str
    picture: str
    """The address of the picture, relative to the page."""


def _make_example(file: str, identity: str, title: str, description: str) -> Example:
    return Example(file, identity, title, description, f"{FOLDER}/{identity.replace('/', '-')}.svg")


EXAMPLES = (
    _make_example("datc-3.2/6.F", "6.F.14", "A convoy paradox", "Two outcomes fit the rules. Flip between them."),
    _make_example("datc-3.2/6.C", "6.C.1", "Three in a circle", "Each can move because the next one does."),
    _make_example("datc-3.2/6.G", "6.G.1", "An exchange by convoy", "Two neighbours change places."),
    _make_example("rulebook-1982/sample-game", "1982/F1901", "Seven powers", "A turn of the sample game of 1982."),
)


@cache
def draw_example(name: str) -> bytes:
    """Return the picture of the example with the picture address `name` as an SVG document, or raise `NotFoundError`."""
    for example in EXAMPLES:
        if example.picture == name:
            first = open_case(example.file, example.identity)[0]
            drawing = Draw(position=first.position, sheet=first.sheet, rules=first.rules, width=WIDTH, marks=1.5, pieces="wood")
            return drawing.draw_crop().encode()
    raise NotFoundError(f"there is no example at {name!r:.60}")
