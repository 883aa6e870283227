"""Reads Python as a syntax tree, once for each text."""

from __future__ import annotations

import ast
from functools import lru_cache
from threading import Lock

PARSING = Lock()
"""The lock of the parser: Python 3.11 raises a `SystemError` where two threads parse at the same time
(python/cpython#106905)."""


@lru_cache(maxsize=256)
def parsed_source(text: str) -> ast.Module:
    """Parse a text into a syntax tree.

    It is the same one each time: who changes it makes a copy.
    """
    with PARSING:
        return ast.parse(text)
