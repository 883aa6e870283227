"""What the tutorials, some guides and the recipes of CONTRIBUTING.md show is what happens, in the order of the page.

A fence with a title is a file of that name. A line `$ …` in a `console` fence is a command, followed by what it prints; a line
`…` stands for what is left out. `python tests/house/test_tutorials.py` fills in what commands print, but where there is such a
line.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
RECIPES = ROOT / "CONTRIBUTING.md"
GUIDES = [ROOT / "docs" / "guides" / f"{name}.md" for name in (
    "maps", "search", "prove", "certificates", "why", "old-rulebooks", "../reference/batch",
)]  # fmt: skip
PAGES = [*TUTORIALS, RECIPES, *GUIDES, ROOT / "docs" / "index.md"]
FENCE = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def executed(command: str, folder: Path) -> str:
    """What a shell prints, where `satjudge` and `python3` are those that run this test."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": ""}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, text=True, encoding="utf-8", check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
    )  # fmt: skip
    return tidy(done.stdout)


def tidy(output: str) -> str:
    """Without blanks and empty lines at the end, and without what tells of progress and seconds."""
    progress = re.compile(r"[\d.]+ s|.*boards? in .* s \(.*|\d+ of \d+ boards( shrunk)?")
    return "\n".join(line.rstrip() for line in output.splitlines() if not progress.fullmatch(line.rstrip())).strip()


def followed(text: str, folder: Path, shows: Callable[[str, str, str], str]) -> str:
    """A page whose files were written and whose commands were run, in order.

    What stands below a command is what `shows` makes of it, of what the page says that it prints, and of what it printed.
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


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_tutorial_works_as_it_is_written(page: Path, tmp_path: Path) -> None:
    tried = []

    def compare(command: str, expected: str, shown: str) -> str:
        parts = [re.escape(part.strip("\n")) for part in re.split(r"^…$", expected, flags=re.MULTILINE)]
        assert re.fullmatch(r"(?s:.*)".join(parts), shown), f"{command}\n{shown}"
        tried.append(command)
        return shown

    followed(page.read_text(encoding="utf-8"), tmp_path, compare)
    assert len(tried) >= 5


@pytest.mark.skipif(not shutil.which("node"), reason="node is not here")
def test_the_engine_in_javascript_knows_every_border(tmp_path: Path) -> None:
    """It is not among what the tutorial runs, since not every machine has node."""
    page = (ROOT / "docs" / "tutorials" / "engine-author.md").read_text(encoding="utf-8")
    (code,) = (found["text"] for found in FENCE.finditer(page) if found["file"] == "engine.mjs")
    (tmp_path / "engine.mjs").write_text(code, encoding="utf-8")
    made, asked = next(found["text"] for found in FENCE.finditer(page) if "node engine.mjs" in found["text"]).splitlines()
    executed(made, tmp_path)
    document = json.loads(executed(f"{asked} --json 2> told", tmp_path))
    assert {part["part"]: part["agreed"] for part in document["parts"]}["map"] == 7106


def test_there_is_a_tutorial_for_each_kind_of_reader() -> None:
    assert [page.stem for page in TUTORIALS] == ["engine-author", "game-master", "player", "researcher", "rules"]


def test_the_picture_of_the_rules_is_of_the_sheet_on_their_page() -> None:
    page = (ROOT / "docs" / "tutorials" / "rules.md").read_text(encoding="utf-8")
    sheet = next(fence["text"] for fence in FENCE.finditer(page) if fence["file"] == "rules.txt")
    assert sheet == (ROOT / "docs" / "pictures" / "rules.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [RECIPES, ROOT / "ARCHITECTURE.md"], ids=["recipes", "architecture"])
def test_files_that_are_named_are_there(page: Path) -> None:
    """A file that moved takes its name along; NAME is that of something new."""
    path = r"`((?:satjudge|models|tests|docs|datc_cases)/[\w./*-]*|[\w-]+\.(?:md|toml|yml))`"
    named = re.findall(path, page.read_text("utf-8"))
    assert len(named) > 20
    assert [name for name in named if "NAME" not in name and not (ROOT / name).exists()] == []


if __name__ == "__main__":
    import tempfile

    def fill_in(_: str, expected: str, shown: str) -> str:
        """What a command prints, if the page does not leave a part of it out."""
        return expected if "…" in expected.split("\n") else shown

    for page in PAGES:
        with tempfile.TemporaryDirectory() as directory:
            page.write_text(followed(page.read_text(encoding="utf-8"), Path(directory), fill_in), encoding="utf-8")
