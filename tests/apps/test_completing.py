"""What shells complete and `--help` lists: the sketches of the commands, read without importing one."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from satjudge.apps.cli import GROUPS, cli, run
from satjudge.apps.cli.sketches import KEPT, as_json

MAIN = "import sys; sys.argv[0] = 'satjudge'; from satjudge.apps.cli import main; main()"


def completed(line: str, *, run_before: str = "") -> list[str]:
    """What bash is offered for the last word of a line, which may be empty."""
    words = {"_SATJUDGE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    ran = subprocess.run(
        [sys.executable, "-c", run_before + MAIN], env={**os.environ, **words}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return [offer for offer in ran.stdout.splitlines() if offer]


def test_the_sketches_are_up_to_date() -> None:
    """`make generated` writes them anew."""
    assert KEPT.read_text(encoding="utf-8") == as_json(cli.commands)


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


def test_completing_imports_no_command_and_nothing_that_judges() -> None:
    """Time is made of imports: 50 ms of the processor where Python alone takes 10."""
    at_exit = "import atexit, sys; atexit.register(lambda: print('LOADED', *sys.modules)); "
    loaded = completed("satjudge judge --eng", run_before=at_exit)[-1].split()
    ours = {name for name in loaded if name.startswith("satjudge.")}
    assert "satjudge.apps.cli.sketches" in ours
    unwanted = {
        "satjudge.apps.cli.positions",
        "satjudge.apps.cli.options",
        "satjudge.judging.judge",
        "satjudge.world.geography",
        "rich",
        "msgspec",
    }
    assert unwanted.intersection(loaded) == set()
    assert len(ours) <= 12


def test_help_lists_every_command_in_one_of_three_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    help_page = capsys.readouterr().out
    assert re.findall(r"^(\w[\w ]+):$", help_page, re.MULTILINE) == ["Options", "Play and judge", "Check engines", "Research"]
    listed = re.findall(r"^  ([a-z]+) {2,}\S", help_page.partition("Play and judge:")[2], re.MULTILINE)
    assert listed[:5] == ["judge", "game", "explore", "explain", "maps"]
    assert listed == list(cli.commands) == [name for names in GROUPS.values() for name in names]


if __name__ == "__main__":  # make generated
    KEPT.write_text(as_json(cli.commands), encoding="utf-8")
