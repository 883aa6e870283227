"""Draws positions, orders and what became of them on the map, as SVG."""

from satjudge.show.pictures.composition import Look, Picture, picture
from satjudge.show.pictures.scene import Scene, position, scene_of

__all__ = ["Look", "Picture", "Scene", "picture", "position", "scene_of"]
