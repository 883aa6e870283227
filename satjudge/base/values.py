"""Copies values with some fields changed, and shows values as a table, as a picture in a notebook, or as a one-line `repr`.

Classes with thousands of instances are msgspec structs, because msgspec is written in C; the others are dataclasses.
"""

from __future__ import annotations

import dataclasses
import reprlib
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

from satjudge.base.imports import load_hook

T = TypeVar("T")
LONGEST = 280
"""The maximum length of a `repr` in characters."""


def replace(value: T, /, **changes: Any) -> T:  # noqa: ANN401  # whatever its fields hold
    """Return a copy of a struct or dataclass with these fields changed; raises `TypeError` for an unknown field."""
    if isinstance(value, Struct):
        return cast(T, structs.replace(value, **changes))
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]


class Displayable:
    """A value that has a table, and perhaps a picture (`satjudge.show.notebooks`)."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the table that `print` shows."""
        return str(load_hook("as_text")(self))

    def _repr_html_(self) -> str:
        """Return the HTML that notebooks show: a picture, if one can be drawn, and a table."""
        return str(load_hook("as_html")(self))


def one_line(kind: str, *facts: str) -> str:
    """Return `<kind: fact; fact>` on one line, cut in the middle if too long, for the `repr` of a value with many fields.

    In a long line, text before the last 80 characters is cut, because the end often matters most.
    """
    text = " ".join("; ".join(fact for fact in facts if fact).splitlines())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 81]}…{text[-80:]}"
    return f"<{kind}: {text}>"


def brief(value: object) -> str:
    """Return `<Class: field value; …>` with each value shortened, as the `repr` of a class with large fields."""
    names = (
        *getattr(value, "__dataclass_fields__", ()),
        *getattr(value, "__struct_fields__", ()),
        *getattr(value, "_fields", ()),
    )
    return one_line(type(value).__name__, *(f"{name} {_SHORT.repr(getattr(value, name))}" for name in names))


_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxother, _SHORT.maxstring = 2, 60, 60
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = 3
