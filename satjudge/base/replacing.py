"""Copies a value with some of its fields changed, as `copy.replace` of Python 3.13 does.

Values that are made by the thousand are structs of msgspec, which C makes; others are dataclasses.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

T = TypeVar("T")


def replace(value: T, /, **changes: Any) -> T:  # noqa: ANN401  # what its fields take
    """Copy a value with these fields changed, or raise `TypeError` for a field that the value does not have."""
    if isinstance(value, Struct):
        return cast(T, structs.replace(value, **changes))
    return dataclasses.replace(value, **changes)  # type: ignore[type-var]
