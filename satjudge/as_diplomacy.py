"""Runs a program that imports the package `diplomacy` with satjudge's drop-in in its place.

    python -m satjudge.as_diplomacy game.py --rounds 3
    python -m satjudge.as_diplomacy -m pytest tests

Nothing of the program is edited, and the package need not be installed. What the drop-in lacks is refused by name.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from satjudge.compat.standing_in import stand_in


def main(arguments: list[str]) -> None:
    """Run a program by its path, or a module behind `-m`, with the arguments that follow."""
    if arguments[:1] in ([], ["-h"], ["--help"]):
        raise SystemExit(__doc__ if arguments else f"a program is missing\n\n{__doc__}")
    stand_in()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            raise SystemExit("a module is missing behind -m, as in `python -m satjudge.as_diplomacy -m pytest tests`")
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        if not Path(arguments[0]).exists():
            raise SystemExit(f"there is no program {arguments[0]}")
        sys.argv = arguments
        sys.path[0] = str(Path(arguments[0]).resolve().parent)
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
