"""Draws boards, positions, outcomes and games as pictures: `satjudge.render.svg(outcome)`."""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_deprecated_getattr as _formerly
from satjudge.show.rendering import common_crop, svg, to_png

if not TYPE_CHECKING:
    __getattr__ = _formerly(__name__, png="satjudge.show.rendering")

__all__ = ["common_crop", "svg", "to_png"]
