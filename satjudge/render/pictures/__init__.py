"""Draws positions, orders and what became of them on the map, as SVG."""

from satjudge.render.pictures.composition import Look, Picture, picture
from satjudge.render.pictures.scene import Scene, position, scene_of

__all__ = ["Look", "Picture", "Scene", "picture", "position", "scene_of"]
