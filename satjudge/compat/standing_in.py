"""Puts drop-ins in place of packages, so that programs that import these run unchanged."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

PACKAGE = "diplomacy"
DROP_IN = "satjudge.compat.diplomacy"
IN_PLACE = Path(__file__).with_name("in_place")


class StandIn(MetaPathFinder, Loader):
    """A finder of modules that gives the drop-in's for those of the package, and refuses by name what it lacks."""

    def __init__(self) -> None:
        self.own: dict[str, ModuleSpec | None] = {}
        """The modules' own specifications, by the names in the package."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find the drop-in's module for one of the package.

        Raises `ModuleNotFoundError` for one that it lacks.
        """
        package, *inside = fullname.split(".")
        if package != PACKAGE:
            return None
        if inside[:1] == ["tests"]:  # the package's own, which can so be run in place
            real = PathFinder.find_spec(PACKAGE)
            return PathFinder.find_spec(fullname, path if inside[1:] or real is None else real.submodule_search_locations)
        ours = DROP_IN + fullname.removeprefix(PACKAGE)
        if find_spec(ours) is None:
            told = f"satjudge's drop-in for `{PACKAGE}` has no module {fullname}: docs/guides/drop-in.md lists what is there"
            raise ModuleNotFoundError(told, name=fullname)
        return ModuleSpec(fullname, self, is_package=hasattr(import_module(ours), "__path__"))

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the drop-in's module itself, so that its classes are the same under both names."""
        module = import_module(DROP_IN + spec.name.removeprefix(PACKAGE))
        self.own[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module, which was executed under its own name, its own specification back."""
        if module.__spec__ is not None:
            module.__spec__ = self.own[module.__spec__.name]


def stand_in() -> None:
    """Put the drop-in in place of the package, for this process and those that it starts.

    Raises `ImportError` if the package was imported before.
    """
    stand_in_below()
    if any(isinstance(finder, StandIn) for finder in sys.meta_path):
        return
    if PACKAGE in sys.modules:
        raise ImportError(
            f"{PACKAGE} is imported already: call stand_in before, or run `python -m satjudge.as_diplomacy PROGRAM`"
        )
    sys.meta_path.insert(0, StandIn())


def stand_in_below() -> None:
    """Put the drop-in in place of the package for the processes that this one starts."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(IN_PLACE) not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(IN_PLACE), *filter(None, paths)])
