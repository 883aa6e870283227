"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from satjudge.cli import run
from satjudge.notation.sheets import read_sheets

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
CONSOLES = re.findall(r"```console\n\$ (.*)\n((?s:.*?))```", TEXT)


@pytest.mark.parametrize(("command", "output"), CONSOLES, ids=[command for command, _ in CONSOLES])
def test_commands_print_what_is_shown(command: str, output: str, capsys: pytest.CaptureFixture[str]) -> None:
    program, *arguments = shlex.split(command)
    assert program == "satjudge"
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert shown.rstrip() == output.rstrip()


def test_python_examples() -> None:
    failures, tried = doctest.testfile(str(README), module_relative=False)
    assert tried > 5
    assert failures == 0


def test_package_docstring() -> None:
    import satjudge

    failures, tried = doctest.testmod(satjudge)
    assert tried == 3
    assert failures == 0


def test_sheet_example_is_readable() -> None:
    (example,) = re.findall(r"```\n(England owns(?s:.*?))```", TEXT)
    (sheet,) = read_sheets(example)
    assert len(sheet.board.units) == 4


def test_every_command_is_listed() -> None:
    from satjudge.cli import cli

    assert set(re.findall(r"^\| `satjudge (\w+)", TEXT, re.MULTILINE)) == set(cli.commands)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(((?!http)[^)]+)\)", TEXT):
        assert (README.parent / target.partition("#")[0]).exists(), target
