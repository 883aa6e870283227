"""Names what has to be installed where a package is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec


class MissingPackageError(ModuleNotFoundError):
    """An error for a package that something needs, with the command that installs it."""

    def __init__(self, purpose: str, packages: list[str], install: str = "") -> None:
        named, which = (f"the package {packages[0]}", "is") if len(packages) == 1 else (" and ".join(packages), "are")
        told = f"{purpose} needs {named}, which {which} not installed (pip install {install or ' '.join(packages)})"
        super().__init__(told, name=packages[0])


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """Import what an extra brings: `with extra("serve", "satjudge serve"): import starlette`.

    Raises `MissingPackageError` for a package that is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingPackageError(purpose, [error.name or ""], f"'satjudge[{name}]'") from None


@contextmanager
def packages(purpose: str, *names: str) -> Iterator[None]:
    """Import what needs some packages, all of which are named if one is missing.

    Raises `MissingPackageError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in names:
            raise
        raise MissingPackageError(purpose, [name for name in names if find_spec(name) is None] or [error.name]) from None
