"""Finds the data that come with satjudge: `models/` and `datc_cases/`.

In a checkout and in an editable install they stand beside the package, in a wheel inside it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from satjudge.errors import NotFoundError

_PACKAGE = Path(__file__).resolve().parent


@cache
def data_directory() -> Path:
    """The directory that holds `models/` and `datc_cases/`.

    Raises `NotFoundError` where the installation is incomplete.
    """
    for candidate in (_PACKAGE / "_data", _PACKAGE.parent):
        if (candidate / "models" / "maps").is_dir():
            return candidate
    raise NotFoundError(f"the data of satjudge (models/, datc_cases/) are missing beside {_PACKAGE}; install it again")


def data_file(*parts: str) -> Path:
    """The path of one data file, for instance `data_file("models", "maps", "standard.toml")`."""
    path = data_directory().joinpath(*parts)
    if not path.is_file():
        siblings = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda entry: entry.stem) if path.parent.is_dir() else []
        hint = f"there are {', '.join(entry.name for entry in siblings)}" if siblings else None
        raise NotFoundError(f"there is no file {'/'.join(parts)}", suggestion=hint)
    return path
