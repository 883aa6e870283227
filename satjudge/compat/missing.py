"""Refuses what a package has and its drop-in has not, by name."""

from __future__ import annotations

from typing import NoReturn

PAGE = "docs/drop-in.md lists what is there"


class MissingError(AttributeError, NotImplementedError):
    """An error for an attribute of the package that its drop-in does not have."""


class Drop:
    """A class of a drop-in: an attribute that is not there is refused with its name and a way out."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise MissingError(
            f"satjudge's drop-in for `diplomacy` has no {type(self).__name__}.{name}: {PAGE}", name=name, obj=self
        )
