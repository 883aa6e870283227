"""Makes attributes that are computed, and names that are imported, only when they are asked for.

`cached_property` is that of Python 3.12: the one of 3.11 takes a lock, which costs more than what it guards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  # stands in for the one above
        """Worked out when it is first asked for, then an attribute like any other."""

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


def lazily(package: str, offered: Mapping[str, Iterable[str]] = {}, /, **places: str) -> Callable[[str], Any]:
    """Make the `__getattr__` of a package that imports each name from its place when the name is first asked for.

    `offered` lists names by the modules that they are in. A place is a module, or `module:name` for a name in it. Names of the
    package's `__all__` that have no place are its modules.
    """
    places |= {name: f"{module}:{name}" for module, names in offered.items() for name in names}

    def find(name: str) -> Any:  # noqa: ANN401  # what is asked for
        place = places.get(name)
        if place is None and name in vars(sys.modules[package]).get("__all__", ()):
            place = f"{package}.{name}"
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, inside = place.partition(":")
        found: Any = import_module(module)
        found = getattr(found, inside) if inside else found
        setattr(sys.modules[package], name, found)  # from now on it is found without this function
        return found

    return find


def formerly(package: str, **places: str) -> Callable[[str], Any]:
    """Make the `__getattr__` of a module that still finds modules which were names in it in version 1.0, and warns of each."""
    find = lazily(package, **places)

    def find_with_warning(name: str) -> Any:  # noqa: ANN401  # what is asked for
        if name in places:
            from warnings import warn

            warn(
                f"{package}.{name} ends with version 1.2: {package}.__all__ lists what stays", DeprecationWarning, stacklevel=2
            )
        return find(name)

    return find_with_warning


__all__ = ["cached_property", "formerly", "lazily"]
