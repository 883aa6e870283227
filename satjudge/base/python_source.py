"""Finds the source of Python modules under any loader, and parses each text once.

pytest loads its plugins, such as satjudge, by a loader that rewrites `assert` and keeps no source.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import InspectLoader


def with_source(name: str, loader: Any, file: str | None) -> InspectLoader:  # noqa: ANN401  # loaders have no type of their own
    """Return the given loader if it has `get_source`, else one that reads the file, or raise `ImportError` without a file."""
    if hasattr(loader, "get_source"):
        found: InspectLoader = loader
        return found
    if file is None:
        raise ImportError(f"{name} has no source")
    from importlib.machinery import SourceFileLoader

    return SourceFileLoader(name, file)


PARSING = Lock()
"""The lock of the parser: Python 3.11 raises a `SystemError` if two threads parse at the same time (python/cpython#106905).
"""


@lru_cache(maxsize=256)
def parsed_source(text: str) -> ast.Module:
    """Return a text's syntax tree, which is cached and shared: copy it before you change it."""
    with PARSING:
        return ast.parse(text)
