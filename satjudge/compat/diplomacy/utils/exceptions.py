"""Defines the package's exceptions under their names; each is also a satjudge `InputError`."""

from __future__ import annotations

from satjudge.base.errors import RequestError


class DiplomacyException(RequestError):  # noqa: N818  # the package's name
    """An error in how a program uses the drop-in."""


class MapPowerException(DiplomacyException):
    """An error for a power that is not in the game."""


class GamePhaseException(DiplomacyException):
    """An error for an action that is not possible in the current phase."""


class GameFinishedException(DiplomacyException):
    """An error for an action that is impossible once the game is over."""
