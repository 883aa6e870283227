"""Writes the questions of a search for other solvers (`satjudge.judging.solve.other_solvers`), one file for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from satjudge.base.errors import InputError
from satjudge.judging.solve.other_solvers import WRITERS
from satjudge.search.search import Search


class WrittenFormula(msgspec.Struct, frozen=True):
    """A question that was written to a file, with its size."""

    file: str
    question: str
    variables: int
    clauses: int
    counts: int


def check_ending(path: Path) -> None:
    """Raise `InputError` for a file name whose ending is of no format for formulas."""
    if path.suffix.removeprefix(".") not in WRITERS:
        *most, last = WRITERS
        raise InputError(f"{path}: formulas are written as {', '.join(most)} or {last}", suggestion=f"write {path.stem}.cnf")


def write_formulas(search: Search, path: Path) -> Iterator[WrittenFormula]:
    """Write every question of a search: to the file, if there is one question only, else to PATH-1 and so on.

    Raises `InputError` for an ending that is not known, `OutOfTime` when the time is up.
    """
    check_ending(path)
    found = list(search.questions())
    for number, (asked, question) in enumerate(found, 1):
        file = path if len(found) == 1 else path.with_stem(f"{path.stem}-{number}")
        formula = question.formula
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{line}\n" for line in WRITERS[path.suffix.removeprefix(".")](formula))
        yield WrittenFormula(str(file), str(asked), formula.size, len(formula.clauses), len(formula.counts))
