"""Refuses what a package has and its drop-in has not, by name."""

from __future__ import annotations

from typing import NoReturn

PAGE = "docs/guides/drop-in.md lists what is there"


class MissingError(AttributeError, NotImplementedError):
    """An error for an attribute of the package that its drop-in does not have."""


def refuse(of: str, name: str) -> NoReturn:
    """Raise `MissingError` for an attribute of a class, or a plain `AttributeError` for what Python itself looks for."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise MissingError(f"satjudge's drop-in for `diplomacy` has no {of}.{name}: {PAGE}", name=name)


class Named(type):
    """A class of classes that refuse their missing attributes by name."""

    def __getattr__(cls, name: str) -> NoReturn:
        refuse(cls.__name__, name)


class Drop(metaclass=Named):
    """A class of a drop-in: an attribute that is not there is refused with its name and a way out."""

    def __getattr__(self, name: str) -> NoReturn:
        refuse(type(self).__name__, name)
