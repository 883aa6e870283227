"""Names the extra of satjudge that brings a package, where the package is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtraError(ModuleNotFoundError):
    """An error for a package that an extra of satjudge brings, with the command that installs it."""


@contextmanager
def extra(name: str, purpose: str) -> Iterator[None]:
    """Import what an extra brings: `with extra("serve", "satjudge serve"): import starlette`.

    Raises `MissingExtraError` for a package that is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        told = f"{purpose} needs the package {error.name}, which is not installed (pip install 'satjudge[{name}]')"
        raise MissingExtraError(told, name=error.name) from None
