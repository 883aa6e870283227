"""Finds what the front door hands in: functions of higher rooms that values of lower rooms call by name.

So `print(outcome)` shows a table, though no room below `show` knows of it. What is handed in is imported when it is first
called.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

_PLACES: dict[str, str] = {}
"""Where each function stands, as `module:function`."""


def hand_in(**places: str) -> None:
    """Let lower rooms call functions by these names, each told as `module:function`."""
    _PLACES.update(places)


def handed_in(name: str) -> Callable[..., Any]:
    """Import the function that was handed in by this name. Raises `KeyError` for a name that was not."""
    module, _, function = _PLACES[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
