"""Copies values with some fields changed, and shows them: as a table, as a picture in a notebook, on one line by `repr`.

Values made by the thousand are structs of msgspec, which is written in C; others are dataclasses.
"""

from __future__ import annotations

import dataclasses
import reprlib
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

from satjudge.base.imports import load_hook

T = TypeVar("T")
LONGEST = 280
"""The most characters that `repr` shows of a value."""


def replace(value: T, /, **changes: Any) -> T:  # noqa: ANN401  # what its fields take
    """Copy a value with these fields changed, or raise `TypeError` for a field that it does not have."""
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
        """Return the HTML that notebooks show: a picture and a table."""
        return str(load_hook("as_html")(self))


def one_line(kind: str, *facts: str) -> str:
    """Return `<kind: facts>` on one line, for the `repr` of a value with many fields: `<Resolutions: 2; datc-3>`.

    A long line is shortened before its end, which often matters most.
    """
    told = " ".join("; ".join(fact for fact in facts if fact).splitlines())
    if len(told) > LONGEST:
        told = f"{told[: LONGEST - 81]}…{told[-80:]}"
    return f"<{kind}: {told}>"


def brief(value: object) -> str:
    """Return `<Class: field value; …>` with each value cut short, as the `repr` of a class with large fields."""
    names = (
        *getattr(value, "__dataclass_fields__", ()),
        *getattr(value, "__struct_fields__", ()),
        *getattr(value, "_fields", ()),
    )
    return one_line(type(value).__name__, *(f"{name} {_SHORT.repr(getattr(value, name))}" for name in names))


_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxother, _SHORT.maxstring = 2, 60, 60
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = 3
