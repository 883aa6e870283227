"""Finds the source of Python modules whatever their loader, and parses each text once.

pytest loads its plugins, such as satjudge, with a loader that rewrites `assert` and keeps no source.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import InspectLoader


def choose_source_loader(name: str, loader: Any, file: str | None) -> InspectLoader:  # noqa: ANN401  # loaders have no type of their own
    """Return the loader if it has `get_source`, else one that reads `file`; raises `ImportError` without a file."""
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
def parse_source(text: str) -> ast.Module:
    """Return the syntax tree of a Python source text; it is cached and shared, so copy it before you change it."""
    with PARSING:
        return ast.parse(text)
