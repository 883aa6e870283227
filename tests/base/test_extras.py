"""Where a package is missing, the message has a command that installs it, also for who has satjudge from a clone."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest
from helpers.sources import ROOT, sources, text_of

from satjudge.apps.cli import _OPTIONAL
from satjudge.base.imports import MissingPackageError, install_line, require_packages

SERVER = ["starlette", "uvicorn"]
WITHOUT = """
import sys
for name in {names!r}: sys.modules[name] = None
{script}
"""


def test_the_message_has_the_command_that_installs() -> None:
    message = r"this needs the package nowhere, which is not installed \(pip install nowhere\)"
    with pytest.raises(MissingPackageError, match=message), require_packages("this", "nowhere"):
        import nowhere  # type: ignore[import-not-found]  # noqa: F401
    assert install_line("pysat", "numpy", "resvg_py") == "pip install python-sat numpy resvg-py"


def test_what_a_message_installs_is_what_the_extras_bring() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    brought = {re.split("[>=;]", one)[0] for name, listed in extras.items() if name not in ("dev", "docs") for one in listed}
    assert {install_line(name).split()[-1] for name in _OPTIONAL} <= brought
    lines = [line for path in sources() for line in re.findall(r"pip install ([^\n\"\\`(){},]+)", text_of(path))]
    assert {one for line in lines for one in line.split() if one[0] not in "-'"} <= brought | {"ortools", "networkx"}


@pytest.mark.parametrize(
    ("missing", "script", "named"),
    [
        (
            SERVER,
            "from satjudge.apps.cli import run; sys.exit(run(['serve']))",
            "starlette and uvicorn, which are not installed (pip install 'satjudge[serve]')",
        ),
        (SERVER, "from satjudge.apps.cli import run; sys.exit(run(['explore']))", "(pip install 'satjudge[explore]')"),
        (["numpy"], "import satjudge.env.deepmind", "satjudge.env needs the package numpy, which is not installed (pip"),
        (["numpy", "wasmtime"], "from satjudge.bulk import Games", "numpy and wasmtime, which are not installed (pip"),
        (["pettingzoo"], "import satjudge.env.parallel", "pettingzoo, which is not installed (pip install pettingzoo)"),
    ],
)
def test_all_that_is_missing_for_what_was_asked_for_is_named(missing: list[str], script: str, named: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(names=missing, script=script)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode
    assert named in ended.stderr
