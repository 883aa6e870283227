"""What the tutorials show is what happens: their files are written, their commands run, in the order of the page.

A fence with a title is a file of that name. A line `$ …` in a `console` fence is a command, followed by what it prints; a line `…`
stands for what is left out. `python tests/test_tutorials.py` fills in what commands print (but where a line `…` is).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

TUTORIALS = sorted((Path(__file__).parents[1] / "docs" / "tutorials").glob("*.md"))
FENCE = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def executed(command: str, folder: Path) -> str:
    """What a shell prints, where `satjudge` and `python3` are those that run this test."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, text=True, encoding="utf-8", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
    )  # fmt: skip
    return tidy(done.stdout)


def tidy(output: str) -> str:
    """Without blanks and empty lines at the end, and without what tells of progress and seconds."""
    progress = re.compile(r"[\d.]+ s|.*boards? in .* s \(.*|\d+ of \d+ boards( shrunk)?")
    return "\n".join(line.rstrip() for line in output.splitlines() if not progress.fullmatch(line.rstrip())).strip()


def followed(text: str, folder: Path, shows: Callable[[str, str, str], str]) -> str:
    """A page whose files were written and whose commands were run, in order; what stands below each is what `shows` makes of it.

    It is given the command, what the page says that it prints, and what it printed.
    """

    def step(found: re.Match[str]) -> str:
        command = found["command"]
        output = shows(command, tidy(found["output"]), executed(command, folder))
        return f"$ {command}\n{output}\n" if output else f"$ {command}\n"

    def fence(found: re.Match[str]) -> str:
        if found["file"]:
            (folder / found["file"]).write_text(found["text"], encoding="utf-8")
        elif found["kind"] == "console":
            return f"```console\n{COMMAND.sub(step, found['text'])}```"
        return found[0]

    return FENCE.sub(fence, text)


@pytest.mark.parametrize("page", TUTORIALS, ids=[page.stem for page in TUTORIALS])
def test_a_tutorial_works_as_it_is_written(page: Path, tmp_path: Path) -> None:
    tried = []

    def compare(command: str, expected: str, shown: str) -> str:
        parts = [re.escape(part.strip("\n")) for part in re.split(r"^…$", expected, flags=re.MULTILINE)]
        assert re.fullmatch(r"(?s:.*)".join(parts), shown), f"{command}\n{shown}"
        tried.append(command)
        return shown

    followed(page.read_text(encoding="utf-8"), tmp_path, compare)
    assert len(tried) >= 6


def test_there_is_a_tutorial_for_each_kind_of_reader() -> None:
    assert [page.stem for page in TUTORIALS] == ["engine-author", "player", "researcher"]


if __name__ == "__main__":
    import tempfile

    def fill_in(_: str, expected: str, shown: str) -> str:
        """What a command prints, if the page does not leave a part of it out."""
        return expected if "…" in expected.split("\n") else shown

    for tutorial in TUTORIALS:
        with tempfile.TemporaryDirectory() as directory:
            tutorial.write_text(followed(tutorial.read_text(encoding="utf-8"), Path(directory), fill_in), encoding="utf-8")
