"""Raises clear errors for parts of a package that its drop-in lacks."""

from __future__ import annotations

from typing import NoReturn

PAGE = "docs/guides/drop-in.md lists what is there"


class MissingError(AttributeError, NotImplementedError):
    """An error for an attribute of the package that its drop-in does not have."""


def refuse_attribute(class_name: str, name: str) -> NoReturn:
    """Raise `MissingError` for a missing attribute of a class, but a plain `AttributeError` if its name begins with `__`."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise MissingError(f"satjudge's drop-in for `diplomacy` has no {class_name}.{name}: {PAGE}", name=name)


class StrictClass(type):
    """The metaclass of classes that raise `MissingError` for class attributes that they lack."""

    def __getattr__(cls, name: str) -> NoReturn:
        refuse_attribute(cls.__name__, name)


class StrictAttributes(metaclass=StrictClass):
    """A base class of the drop-in's classes, which raise `MissingError` for attributes that they lack."""

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(type(self).__name__, name)
