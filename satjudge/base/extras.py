"""Names what has to be installed where a package is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Self

_OTHERWISE = {"dask": "distributed", "pysat": "python-sat", "resvg_py": "resvg-py", "ttf_opensans": "ttf-opensans"}
"""What installs packages that are imported by another name."""


def install_line(*packages: str) -> str:
    """Return the command that installs these packages, which is the same wherever satjudge came from."""
    return " ".join(("pip install", *(_OTHERWISE.get(name, name) for name in packages)))


class MissingPackageError(ModuleNotFoundError):
    """An error for a package that something needs, with the command that installs it."""

    def __init__(self, purpose: str, packages: list[str]) -> None:
        self._made_of = purpose, packages
        named, which = (f"the package {packages[0]}", "is") if len(packages) == 1 else (" and ".join(packages), "are")
        told = f"{purpose} needs {named}, which {which} not installed ({install_line(*packages)})"
        super().__init__(told, name=packages[0])

    def __reduce__(self) -> tuple[type[Self], tuple[str, list[str]]]:
        """A process tells another one of it."""
        return type(self), self._made_of


@contextmanager
def packages(purpose: str, *names: str) -> Iterator[None]:
    """Import what needs some packages, all of which are named if one is missing.

    Raises `MissingPackageError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in names:
            raise
        raise MissingPackageError(purpose, [name for name in names if find_spec(name) is None] or [missing]) from None
