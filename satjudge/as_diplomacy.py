"""Runs a program that imports the package `diplomacy` with satjudge's drop-in in its place.

    python -m satjudge.as_diplomacy game.py --rounds 3
    python -m satjudge.as_diplomacy -m pytest tests

The program is not edited, and the package need not be installed. Processes that the program starts use the drop-in, too. If the
drop-in lacks something, the error names it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

from satjudge.base.platforms import is_windows

IMPORT_HOOK = str(Path(__file__).with_name("compat") / "import_hook")
"""The folder of `sitecustomize.py`, which Python runs at the start of each process, and which installs the drop-in."""


def main(arguments: list[str]) -> None:
    """Replace this process by a new Python that runs a program (a path, or a module after `-m`) and uses the drop-in."""
    if arguments[:1] in ([], ["-h"], ["--help"]):
        raise SystemExit(__doc__ if arguments else f"a program is missing\n\n{__doc__}")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (IMPORT_HOOK, os.environ.get("PYTHONPATH"))))
    options = takewhile(lambda one: not one.startswith("-m"), sys.orig_argv[1:])
    command = [sys.executable, *options, *arguments]
    if is_windows():  # there another process would not take this one's place
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main(sys.argv[1:])
