"""Replaces the package `diplomacy` with the drop-in in every process that has this folder on `PYTHONPATH`.

Python runs this file when a process starts (see `site`). It imports satjudge only when a program imports the package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType

PACKAGE = "diplomacy"
DROP_IN = "satjudge.compat.diplomacy"
HERE = Path(__file__).parent


class DropInFinder(MetaPathFinder, Loader):
    """An import hook that returns the drop-in's modules for the package's, and an error for modules that it lacks."""

    def __init__(self) -> None:
        self.own: dict[str, ModuleSpec | None] = {}
        """The original specification of each drop-in module, by its name in the package."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the drop-in's specification for a module of the package, the real module's for the package's tests, else None.

        Raises `ModuleNotFoundError` for a module that the drop-in lacks.
        """
        package, *inside = fullname.split(".")
        if package != PACKAGE:
            return None
        if inside[:1] == ["tests"]:
            real = PathFinder.find_spec(PACKAGE)
            return PathFinder.find_spec(fullname, path if inside[1:] or real is None else real.submodule_search_locations)
        if find_spec("satjudge") is None:
            sys.path.append(str(HERE.parents[2]))
        ours = ".".join([DROP_IN, *inside])
        if find_spec(ours) is None:
            message = f"satjudge's drop-in for `{PACKAGE}` has no module {fullname}: docs/guides/drop-in.md lists what is there"
            raise ModuleNotFoundError(message, name=fullname)
        return ModuleSpec(fullname, self, is_package=hasattr(import_module(ours), "__path__"))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import and return the drop-in's module itself, so that its classes are identical under both names."""
        module = import_module(DROP_IN + spec.name.removeprefix(PACKAGE))
        self.own[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's original specification; the module itself has already been executed."""
        if module.__spec__ is not None:
            module.__spec__ = self.own[module.__spec__.name]


sys.meta_path.insert(0, DropInFinder())
covered = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if Path(entry) != HERE])
if covered is not None and covered.loader is not None:  # the environment's own, which this file covers
    covered.loader.exec_module(module_from_spec(covered))
