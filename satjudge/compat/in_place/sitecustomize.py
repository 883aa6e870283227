"""Puts the drop-in in place of `diplomacy` in processes that a program starts: Python runs this file as each begins.

`satjudge.compat.standing_in` puts its folder on `PYTHONPATH`. Nothing is loaded before somebody imports the package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


class Waiting:
    """A finder of modules that makes way for the drop-in's when the package is imported."""

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find the drop-in for the package, and nothing else."""
        if name != "diplomacy":
            return None
        sys.meta_path.remove(cls)
        if find_spec("satjudge") is None:
            sys.path.append(str(HERE.parents[2]))
        from satjudge.compat.standing_in import stand_in

        stand_in()
        return find_spec(name)


sys.meta_path.insert(0, Waiting)
covered = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if Path(entry) != HERE])
if covered is not None and covered.loader is not None:  # the environment's own, which this file covers
    covered.loader.exec_module(module_from_spec(covered))
