"""Defines the errors that the package raises, under its names; each is an `InputError` of satjudge as well."""

from __future__ import annotations

from satjudge.base.errors import RequestError


class DiplomacyException(RequestError):  # noqa: N818  # the package's name
    """An error of a program that uses the drop-in."""


class MapPowerException(DiplomacyException):
    """An error for a power that is not in the game."""


class GamePhaseException(DiplomacyException):
    """An error for an action of another phase than the current one."""


class GameFinishedException(DiplomacyException):
    """An error for an action that is impossible once the game is over."""
