"""Lists the obstacles to a release: `python release/ready.py v0.1.0`. The exit code is 1 if anything does."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PLACEHOLDER = re.compile(r"\bexample\.(?:org|com|net)\b")
"""The names that RFC 2606 keeps free: nobody is there."""
FOR_A_CLONE = re.compile(r"(?<!/)pip install (?:--\S+ )*['\"]?\.(?:/satjudge)?(?=[\s'\"\[`]|$)|\bno package index yet\b")
"""What pages say of installing while satjudge is on no package index."""
FROM_THE_INDEX = re.compile(r"pip install (?:--\S+ )*['\"]?satjudge\b")
"""What they say once it is there."""


def install_lines(root: Path, pattern: re.Pattern[str]) -> Iterator[str]:
    """The lines of README and of the documentation that a pattern is found in, each with its place."""
    for page in (root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "adapters").rglob("*.md"))):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            if pattern.search(line):
                yield f"{page.relative_to(root).as_posix()}:{number}: {line.strip()}"


def hindrances(root: Path, tag: str) -> Iterator[str]:
    """List everything that the release with this tag still needs."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    hatch = project["tool"]["hatch"]
    stated, repository = hatch["version"]["path"], hatch["metadata"]["hooks"]["custom"]["repository"]
    package, citation, changes = (
        (root / name).read_text(encoding="utf-8") for name in (stated, "CITATION.cff", "CHANGELOG.md")
    )
    version, cited = _first(r'^__version__ = "(.+)"$', package), _first(r"^version: (.+)$", citation)
    if tag != f"v{version}":
        yield f"the tag is {tag}, the version {version} ({stated})"
    if cited != version:
        yield f"CITATION.cff cites version {cited}, not {version}"
    newest = _first(r"^## (.+)$", changes)
    date = _first(r"\((\d{4}-\d\d-\d\d)\)$", newest)
    if not newest.startswith(f"{version} (") or not date:
        yield f"CHANGELOG.md begins with {newest!r}, not with '{version} (YEAR-MONTH-DAY)'"
    if date and _first(r"^date-released: ['\"]?([\d-]+)", citation) != date:
        yield f"CITATION.cff needs `date-released: {date}`, as CHANGELOG.md has it"
    if PLACEHOLDER.search(repository):
        yield f"the address of the repository is a placeholder: {repository} (pyproject.toml)"
    elif _first(r"^repository-code: ['\"]?(.+?)['\"]?$", citation) != repository:
        yield f"CITATION.cff needs `repository-code: {repository}`, as pyproject.toml has it"
    if lines := list(install_lines(root, FOR_A_CLONE)):
        yield "\n  ".join(("these lines are for a clone, not for who installs by `pip install satjudge`:", *lines))
    for author in project["project"]["authors"]:
        if PLACEHOLDER.search(author["email"]):
            yield f"the address of the authors is a placeholder: {author['email']} (pyproject.toml)"


def _first(pattern: str, text: str) -> str:
    """What the group of a pattern matches where it matches first; nothing if it does not."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


if __name__ == "__main__":
    found = list(hindrances(Path(__file__).resolve().parents[1], *sys.argv[1:]))
    sys.exit("\n".join(["not ready:", *(f"- {one}" for one in found)]) if found else 0)
