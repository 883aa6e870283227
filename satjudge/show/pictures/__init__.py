"""Draws positions, orders and their results on the map, as SVG."""

from satjudge.show.pictures.composition import LARGEST_MARKS, SMALLEST_MARKS, Look, Picture, picture
from satjudge.show.pictures.drawing import Labels, Pieces
from satjudge.show.pictures.scene import Scene, position, scene_of

__all__ = [
    "LARGEST_MARKS",
    "SMALLEST_MARKS",
    "Labels",
    "Look",
    "Picture",
    "Pieces",
    "Scene",
    "picture",
    "position",
    "scene_of",
]  # fmt: skip
