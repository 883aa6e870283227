"""Finds what has the source of a module, whoever loaded the module.

pytest loads the packages of its plugins, of which satjudge is one, by a loader that rewrites `assert` and keeps no source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import InspectLoader


def with_source(name: str, loader: Any, file: str | None) -> InspectLoader:  # noqa: ANN401  # loaders have no type of their own
    """Return the loader of a module if it has sources, else one that reads the file, or raise `ImportError`."""
    if hasattr(loader, "get_source"):
        found: InspectLoader = loader
        return found
    if file is None:
        raise ImportError(f"{name} has no source")
    from importlib.machinery import SourceFileLoader

    return SourceFileLoader(name, file)
