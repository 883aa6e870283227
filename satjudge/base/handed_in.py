"""Finds the functions of higher rooms that the front door hands in, so that values of lower rooms can call them by name.

So `print(outcome)` shows a table, though no room below `show` knows of it. What is handed in is imported when it is first
called.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

_PLACES: dict[str, str] = {}
"""Where each function stands, as `module:function`."""


def register_hooks(**places: str) -> None:
    """Register functions of higher rooms by name, each as `module:function`, for lower rooms to call."""
    _PLACES.update(places)


def load_hook(name: str) -> Callable[..., Any]:
    """Import the function registered by this name, or raise `KeyError`."""
    module, _, function = _PLACES[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
