"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.notation.sheet_reader import read_sheets

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")
DOCUMENTS = [README, README.with_name("CHANGELOG.md"), *sorted((README.parent / "docs").rglob("*.md"))]
SNIPPETS = {
    # Snippets of these pages use what those before them made: each page is read from the top.
    path.name: ["\n".join(snippets)] if path.name in ("bots.md", "own-goals.md", "notebooks.md", "why.md") else snippets
    for path in DOCUMENTS
    if (snippets := re.findall(r"```python\n((?s:.*?))```", path.read_text("utf-8")))
    if path.name != "arrays.md"  # tests/bulk/test_bulk_arrays.py has those: at the first time they compile
}
NAMES = sorted(
    {
        name
        for path in DOCUMENTS
        if path.name != "CHANGELOG.md"  # which names what is gone
        for name in re.findall(r"`(satjudge(?:\.\w+)+)(?:`|\()", path.read_text("utf-8"))
    }
)
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


def fresh(program: str, folder: Path | None = None) -> str:
    """What a program prints in a process that has imported nothing yet."""
    ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("document", SNIPPETS)
def test_snippets_run_as_they_are_written(document: str, tmp_path: Path) -> None:
    """Those of a page in one process, each without the names of the others: they import all that they use."""
    assert len(SNIPPETS) >= 3
    fresh(
        f"""import doctest, sys
for snippet in {SNIPPETS[document]}:
    if ">>>" in snippet:
        test = doctest.DocTestParser().get_doctest(snippet, {{}}, {document!r}, None, 0)
        sys.exit(1) if doctest.DocTestRunner().run(test).failed else None
    else:
        exec(snippet, {{"__name__": "__main__"}})""",
        tmp_path,
    )


def test_the_bot_of_the_readme_declines_no_build(tmp_path: Path) -> None:
    (bot,) = [snippet for snippet in SNIPPETS["README.md"] if "def choose" in snippet]
    kept = f"{bot}\nprint([str(order) for phase in game.history for given in phase.outcome.orders.values() for order in given])"
    orders = fresh(kept, tmp_path)
    assert " B'" in orders
    assert "WAIVE" not in orders


def test_names_in_the_documents_need_no_import_but_that_of_the_package() -> None:
    assert "satjudge.batch.judge_many" in NAMES
    fresh(f"""import os, satjudge
for name in {NAMES}:
    if not (child := os.fork()):  # as fresh as a new process, without importing the package anew
        eval(name)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name""")


def test_package_docstring() -> None:
    import satjudge

    failures, tried = doctest.testmod(satjudge)
    assert tried == 2
    assert failures == 0


def test_sheet_example_is_readable() -> None:
    (example,) = re.findall(r"```\n(England owns(?s:.*?))```", TEXT)
    (sheet,) = read_sheets(example)
    assert len(sheet.board.units) == 4


def test_every_command_is_listed() -> None:
    from satjudge.apps.cli import cli

    page = README.parent / "docs" / "reference" / "command-line.md"
    assert set(re.findall(r"^\| `satjudge (\w+)", page.read_text("utf-8"), re.MULTILINE)) == set(cli.commands)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(((?!http)[^)]+)\)", TEXT):
        assert (README.parent / target.partition("#")[0]).exists(), target


def test_the_targets_of_make_that_are_named_are_in_the_makefile() -> None:
    """But for those in the changelog, which may be gone since."""
    root = README.parent
    targets = set(re.findall(r"^([a-z][\w-]*):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    documents = {*root.glob("*.md"), *DOCUMENTS, *(root / "tests").rglob("*.md"), root / "pyproject.toml", root / ".ci" / "run"}
    named = {
        (path.name, name)
        for path in documents
        for name in re.findall(r"`make ([a-z][\w-]*)", path.read_text(encoding="utf-8"))
        if path.name != "CHANGELOG.md"
    }
    assert {one for one in named if one[1] not in targets} == set()
    assert len({name for _, name in named}) > 10
