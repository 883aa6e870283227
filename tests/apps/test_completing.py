"""What shells complete and `--help` lists."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from satjudge.apps.cli import GROUPS, cli, run

MAIN = "import sys; sys.argv[0] = 'satjudge'; from satjudge.apps.cli import main; main()"


def completed(line: str, *, run_before: str = "") -> list[str]:
    """What bash is offered for the last word of a line, which may be empty."""
    words = {"_SATJUDGE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    ran = subprocess.run(
        [sys.executable, "-c", run_before + MAIN], env={**os.environ, **words}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return [offer for offer in ran.stdout.splitlines() if offer]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("satjudge j", ["plain,judge"]),
        ("satjudge judge --eng", ["plain,--engine"]),
        ("satjudge judge --engine f", ["plain,full"]),
        ("satjudge judge sheet.txt --js", ["plain,--json"]),
        ("satjudge judge --json --js", []),  # once is enough
        ("satjudge judge --set 4.A.2=none --se", ["plain,--set"]),  # this may come again
        ("satjudge check one.txt ", ["file,"]),
        ("satjudge verify --write-formulas ", ["dir,"]),
        ("satjudge game un", ["plain,undo"]),
        ("satjudge game order g.json --cl", ["plain,--clear"]),
        ("satjudge nonsense --js", []),
    ],
)
def test_what_is_offered(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


@pytest.mark.parametrize(("line", "command"), [("satjudge ju", None), ("satjudge maps ch", "maps")])
def test_completing_imports_only_the_command_that_is_completed(line: str, command: str | None) -> None:
    """Time is made of imports."""
    at_exit = "import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules)); "
    loaded = completed(line, run_before=at_exit)[-1].split()
    assert {name for name in cli.commands if f"satjudge.apps.cli.{name}" in loaded} == ({command} if command else set())
    assert command or len({name for name in loaded if name.startswith("satjudge.")}) <= 12


def test_help_lists_every_command_in_one_of_three_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    help_page = capsys.readouterr().out
    assert re.findall(r"^(\w[\w ]+):$", help_page, re.MULTILINE) == [
        "Options",
        "Play and judge",
        "Check engines",
        "Research",
        "Examples",
    ]
    listed = re.findall(r"^  ([a-z]+) {2,}\S", help_page.partition("Play and judge:")[2], re.MULTILINE)
    assert listed[:5] == ["judge", "game", "explore", "explain", "maps"]
    assert listed == list(cli.commands) == [name for names in GROUPS.values() for name in names]
