"""Imports when something is first used: names of packages, functions of higher rooms, and packages that may be missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property:  # noqa: N801  # stands in for the one above
        """The `cached_property` of Python 3.12, without the lock that 3.11 takes, which costs more than it saves."""

        def __init__(self, work_out) -> None:  # noqa: ANN001
            self.work_out = work_out
            self.__doc__ = work_out.__doc__

        def __set_name__(self, owner, name):  # noqa: ANN001, ANN204
            self.name = name

        def __get__(self, instance, owner=None):  # noqa: ANN001, ANN204
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.work_out(instance)
            return value


def make_lazy_getattr(
    package: str, names_by_module: Mapping[str, Iterable[str]] = {}, /, **places: str
) -> Callable[[str], Any]:
    """Return a `__getattr__` that imports a name of `package` from its entry in `names_by_module` or `places`, or a module.

    A place is `module`, or `module:name` for a name in a module. Names in the package's `__all__` that have no place are its
    modules. The imported value is stored in the package.
    """
    places |= {name: f"{module}:{name}" for module, names in names_by_module.items() for name in names}

    def find(name: str) -> Any:  # noqa: ANN401  # what is asked for
        place = places.get(name)
        if place is None and name in vars(sys.modules[package]).get("__all__", ()):
            place = f"{package}.{name}"
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, inside = place.partition(":")
        found: Any = import_module(module)
        found = getattr(found, inside) if inside else found
        setattr(sys.modules[package], name, found)  # so that Python no longer calls this function
        return found

    return find


def make_deprecated_getattr(
    package: str, names_by_module: Mapping[str, Iterable[str]] = {}, /, **places: str
) -> Callable[[str], Any]:
    """Return a `__getattr__` as `make_lazy_getattr` does that also warns that a name is deprecated if it is in `places`."""
    find = make_lazy_getattr(package, names_by_module, **places)

    def find_with_warning(name: str) -> Any:  # noqa: ANN401  # what is asked for
        if name in places:
            from warnings import warn

            warn(f"{package}.{name} will be removed in 1.2; use a name in {package}.__all__", DeprecationWarning, stacklevel=2)
        return find(name)

    return find_with_warning


# ---- Functions of higher rooms, which lower rooms call by name ----
#
# For example, `print(outcome)` shows a table, although no room below `show` imports the code for it.

_PLACES: dict[str, str] = {}
"""The place of each registered function, as `module:function`."""


def register_hooks(**places: str) -> None:
    """Register functions of higher rooms for lower rooms to call: each keyword is a name, its value `module:function`."""
    _PLACES.update(places)


def load_hook(name: str) -> Callable[..., Any]:
    """Import and return the function registered under this name, or raise `KeyError`."""
    module, _, function = _PLACES[name].partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


# ---- Packages that may be missing ----

_PIP_NAMES = {"dask": "distributed", "pysat": "python-sat", "prometheus_client": "prometheus-client"}
_PIP_NAMES |= {"resvg_py": "resvg-py", "ttf_opensans": "ttf-opensans"}
"""The name to install for each package whose import name differs."""


def install_line(*packages: str) -> str:
    """Return the `pip install` command for these packages, which are given by their import names."""
    return " ".join(("pip install", *(_PIP_NAMES.get(name, name) for name in packages)))


class MissingPackageError(ModuleNotFoundError):
    """An error for a package that something needs, with the command that installs it."""

    def __init__(self, purpose: str, packages: list[str], extra: str = "") -> None:
        self._arguments = purpose, packages, extra
        package_text, verb = (
            (f"the package {packages[0]}", "is")
            if len(packages) == 1
            else (f"{', '.join(packages[:-1])} and {packages[-1]}", "are")
        )
        install = f"pip install 'satjudge[{extra}]'" if extra else install_line(*packages)
        message = f"{purpose} needs {package_text}, which {verb} not installed ({install})"
        super().__init__(message, name=packages[0])

    def __reduce__(self) -> tuple[type[Self], tuple[str, list[str], str]]:
        """Pickle the error by its arguments, so that another process can raise it."""
        return type(self), self._arguments


@contextmanager
def require_packages(purpose: str, *names: str, extra: str = "") -> Iterator[None]:
    """Turn `ModuleNotFoundError` for these names into one that says that `purpose` needs the packages and how to install them.

    If they belong to an extra of satjudge, it names that extra. Raises `MissingPackageError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        from importlib.util import find_spec

        missing = (error.name or "").partition(".")[0]
        if missing not in names:
            raise
        raise MissingPackageError(purpose, [name for name in names if find_spec(name) is None] or [missing], extra) from None
