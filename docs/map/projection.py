"""The way from degrees to the page: a conic projection, seen through a lens and swollen where small provinces crowd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

Points: TypeAlias = NDArray[numpy.float64]
"""Points as an array of shape (n, 2), or one as an array of shape (2,): degrees east and north, kilometres or pixels."""
EARTH = 6371.0
"""The radius of the Earth in kilometres."""


@dataclass(frozen=True, slots=True)
class Swell:
    """A place, in kilometres from the view's centre, that is drawn larger by `gain`, ebbing away over `reach` km."""

    at: Points
    gain: float
    reach: float

    def __call__(self, points: Points) -> Points:
        """How far each point moves. A gain below 2.2 folds nothing: the field's slope never reaches -1."""
        away = points - self.at
        fading = numpy.exp(-(away**2).sum(axis=1) / (2 * self.reach**2))
        return numpy.asarray(self.gain * away * fading[:, None])


class View:
    """From degrees to pixels, y pointing down.

    Lambert's conformal conic projection gives kilometres; swells and a lens move them; the four edge points of the view
    then fix scale and origin.
    """

    def __init__(self, view: Mapping[str, Any], swells: Sequence[Mapping[str, Any]]) -> None:
        self._center = view["center"]
        first, second = numpy.radians(view["parallels"])
        self._cone = numpy.log(numpy.cos(first) / numpy.cos(second)) / numpy.log(_stretch(second) / _stretch(first))
        self._factor = numpy.cos(first) * _stretch(first) ** self._cone / self._cone
        self._lens = view["lens"]
        self._swells = [
            Swell(self._conic(numpy.array([swell["at"]], dtype=float))[0], swell["gain"], swell["reach"]) for swell in swells
        ]
        west, east, north, south = self._bent(numpy.array([view[edge] for edge in ("west", "east", "north", "south")]))
        self._corner = numpy.array([west[0], north[1]])
        self._scale = view["width"] / (east[0] - west[0])
        self.width: int = view["width"]
        self.height = round((south[1] - north[1]) * self._scale)

    def __call__(self, degrees: Points) -> Points:
        """Points of shape (n, 2) in longitude and latitude as pixels."""
        return numpy.asarray((self._bent(numpy.asarray(degrees, dtype=float)) - self._corner) * self._scale)

    def _bent(self, degrees: Points) -> Points:
        points = self._conic(degrees)
        points = points + sum((swell(points) for swell in self._swells), numpy.zeros_like(points))
        distance = numpy.hypot(*points.T)[:, None] / self._lens
        nearer = numpy.divide(numpy.arctan(distance), distance, where=distance > 0, out=numpy.ones_like(distance))
        return numpy.asarray(points * nearer)

    def _conic(self, degrees: Points) -> Points:
        """Kilometres from the centre, to the east and to the south (Snyder, Map Projections, USGS 1395, 15-1 to 15-4)."""
        longitude, latitude = numpy.radians(degrees).T
        center_longitude, center_latitude = numpy.radians(self._center)
        distance, center_distance = (EARTH * self._factor / _stretch(at) ** self._cone for at in (latitude, center_latitude))
        angle = self._cone * (longitude - center_longitude)
        return numpy.stack([distance * numpy.sin(angle), distance * numpy.cos(angle) - center_distance], axis=1)


def _stretch(latitude: Points) -> Points:
    return numpy.tan(numpy.pi / 4 + latitude / 2)
