"""Refuses, by name, parts of a package that its drop-in lacks."""

from __future__ import annotations

from typing import NoReturn

PAGE = "docs/guides/drop-in.md lists what is there"


class MissingError(AttributeError, NotImplementedError):
    """An error for an attribute of the package that its drop-in does not have."""


def refuse_attribute(class_name: str, name: str) -> NoReturn:
    """Raise `MissingError` for an attribute of a class, or a plain `AttributeError` for a name that Python itself looks up."""
    if name.startswith("__"):
        raise AttributeError(name)
    raise MissingError(f"satjudge's drop-in for `diplomacy` has no {class_name}.{name}: {PAGE}", name=name)


class StrictClass(type):
    """The metaclass of classes that refuse their missing attributes by name."""

    def __getattr__(cls, name: str) -> NoReturn:
        refuse_attribute(cls.__name__, name)


class StrictAttributes(metaclass=StrictClass):
    """A class of the drop-in, which refuses attributes that it lacks by name, with a way out."""

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(type(self).__name__, name)
