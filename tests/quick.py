"""Runs, in about 20 seconds, the tests that your changes are most likely to break (`make quick`).

    python tests/quick.py [FILE...]                    files: what git calls changed, or else those of the last commit
    python tests/quick.py --seconds build/tests.xml    writes tests/seconds.txt, after pytest --junitxml build/tests.xml

For each changed module, tests run in this order while there is time: the test file named after it or its folder, those that
import it or are named after a module that does, the rest of its room, those that import its room. A data file counts as the
modules that name it or its folder. Changed test files run first, and all DATC cases last.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
SECONDS = ROOT / "tests" / "seconds.txt"
BUDGET = 24.0
"""Seconds of tests, on two cores."""
ALWAYS = "tests/notation/test_sheets.py"


def list_changed_files() -> list[str]:
    """List what git calls changed or new, or else the files of the last commit."""
    for command in (["status", "--porcelain", "-uall"], ["show", "--format=", "--name-status", "HEAD"]):
        lines = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        if files := [line.split()[-1] for line in lines]:
            return files
    return []


@cache
def list_imports(path: Path) -> set[str]:
    """List the modules that a file imports, and all names from them, with dots."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return found


@cache
def list_modules_with(text: str) -> list[str]:
    """List the modules of satjudge whose source contains a text."""
    files = sorted((ROOT / "satjudge").rglob("*.py"))
    return [file.relative_to(ROOT).as_posix() for file in files if text in file.read_text(encoding="utf-8")]


def list_readers(changed: str) -> list[str]:
    """List the modules that name a data file of `models/`, or else its folder."""
    path = Path(changed)
    if path.parts[0] != "models":
        return []
    return list_modules_with(f'"{path.name}"') or list_modules_with(f'"{path.parent.name}"')


def list_importers(changed: str) -> list[str]:
    """List the modules that import a changed module."""
    path = Path(changed)
    module = ".".join(path.with_suffix("").parts)
    if path.parts[0] != "satjudge" or path.suffix != ".py":
        return []
    return [file for file in list_modules_with(path.stem) if module in list_imports(ROOT / file)]


def rank(test: str, imports: set[str], changed: str) -> int:
    """Return how far a test file is from a changed file: 0 for itself, 5 if nothing connects them."""
    path, file = Path(changed), Path(test)
    if changed == test:
        return 0
    room = path.parts[1] if path.parts[0] in {"satjudge", "tests"} and len(path.parts) > 2 else ""
    if not room or path.suffix != ".py":
        text = (ROOT / test).read_text(encoding="utf-8")
        named = any(name in text for name in (path.name, f'"*{path.suffix}"'))
        return 1 if named else 3 if file.parts[1] in {room, "house"} else 5
    if room == "helpers":
        return 2 if f"helpers.{path.stem}" in imports else 5
    module = ".".join(path.with_suffix("").parts)
    names = {path.stem, *path.parts[2:-1]}
    if file.parts[1] == room and any(name in file.stem for name in names):
        return 1
    if module in imports:
        return 2
    return 3 if file.parts[1] == room else 4 if any(name.startswith(f"satjudge.{room}") for name in imports) else 5


def choose_tests(changed: list[str]) -> list[str]:
    """Choose the test files closest to the changed files that together take at most `BUDGET` seconds."""
    seconds = {
        name: float(taken) for taken, name in (line.split() for line in SECONDS.read_text(encoding="utf-8").splitlines())
    }
    changed = [*changed, *(module for file in changed for module in list_readers(file))]
    importers = [module for file in changed for module in list_importers(file)]
    ranked = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        test, imports = path.relative_to(ROOT).as_posix(), list_imports(path)
        distance = min(rank(test, imports, file) for file in changed)
        if distance > 2 and any(rank(test, imports, module) == 1 for module in importers):
            distance = 2
        ranked.append((distance, seconds.get(test, 0.5), test))
    chosen, left = [ALWAYS], BUDGET - seconds.get(ALWAYS, 0)
    for distance, taken, test in sorted(ranked):
        if test != ALWAYS and distance < 5 and (distance == 0 or taken <= left):
            chosen.insert(-1, test)
            left -= taken
    return chosen


def write_seconds(report: Path) -> None:
    """Write the seconds of each test file from a JUnit report of pytest."""
    total = defaultdict[str, float](float)
    for case in ElementTree.parse(report).iter("testcase"):
        total[case.attrib["classname"].partition(".Test")[0].replace(".", "/") + ".py"] += float(case.attrib["time"])
    SECONDS.write_text("".join(f"{taken:.1f} {name}\n" for name, taken in sorted(total.items())), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--seconds"]:
        write_seconds(Path(sys.argv[2]))
    elif changed := sys.argv[1:] or list_changed_files():
        print("changed:", *changed)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "--maxfail", "3"]
        sys.exit(subprocess.run([*command, *choose_tests(changed)], cwd=ROOT).returncode)
