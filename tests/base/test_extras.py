"""Where a package is missing, the message names the extra of satjudge that brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from satjudge.base.extras import MissingPackageError, extra

WITHOUT = """
import sys
for name in {names!r}: sys.modules[name] = None
{script}
"""


def test_the_message_has_the_command_that_installs() -> None:
    with (
        pytest.raises(MissingPackageError, match=r"this needs the package nowhere, .*pip install 'satjudge\[serve\]'"),
        extra("serve", "this"),
    ):
        import nowhere  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize(
    ("missing", "script", "named"),
    [
        (["starlette"], "from satjudge.apps.cli import run; sys.exit(run(['serve']))", "satjudge[serve]"),
        (["starlette"], "from satjudge.apps.cli import run; sys.exit(run(['explore']))", "satjudge[explore]"),
        (["numpy"], "import satjudge.env.deepmind", "satjudge.env needs the package numpy, which is not installed (pip"),
        (["numpy", "wasmtime"], "from satjudge.bulk import Games", "numpy and wasmtime, which are not installed (pip"),
        (["pettingzoo"], "import satjudge.env.parallel", "satjudge[pettingzoo]"),
    ],
)
def test_the_extra_is_the_one_of_what_was_asked_for(missing: list[str], script: str, named: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(names=missing, script=script)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode
    assert named in ended.stderr
