"""Puts the drop-in in place of the package `diplomacy`, for programs and processes with this folder on `PYTHONPATH`.

Python runs this file at the start of each process (`site`). It loads nothing of satjudge until a program imports the package.
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


class StandIn(MetaPathFinder, Loader):
    """A finder of modules that returns the drop-in's for those of the package, and refuses missing ones by name."""

    def __init__(self) -> None:
        self.own: dict[str, ModuleSpec | None] = {}
        """The modules' own specifications, by the names in the package."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the specification of the drop-in's module for one of the package, or of the package's own tests; else None.

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
            told = f"satjudge's drop-in for `{PACKAGE}` has no module {fullname}: docs/guides/drop-in.md lists what is there"
            raise ModuleNotFoundError(told, name=fullname)
        return ModuleSpec(fullname, self, is_package=hasattr(import_module(ours), "__path__"))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Import and return the drop-in's module itself, so that its classes are the same under both names."""
        module = import_module(DROP_IN + spec.name.removeprefix(PACKAGE))
        self.own[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the specification that the module has under its own name; it was executed before."""
        if module.__spec__ is not None:
            module.__spec__ = self.own[module.__spec__.name]


sys.meta_path.insert(0, StandIn())
covered = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if Path(entry) != HERE])
if covered is not None and covered.loader is not None:  # the environment's own, which this file covers
    covered.loader.exec_module(module_from_spec(covered))
