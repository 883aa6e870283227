"""Shrinks anybody's position to the smallest one on which a program of theirs still says that it fails.

The program is asked as C-Reduce asks its test of interest: it exits with 0 if what it was given is still of interest, and with
anything else if not.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from satjudge.base.children import Child
from satjudge.base.errors import RequestError, SheetError
from satjudge.base.systems import command_of
from satjudge.engines.positions import AskedPosition
from satjudge.engines.shrinking import MOST_TRIES, shrink
from satjudge.notation.write import sheet_text

Progress = Callable[[AskedPosition, int], None]
"""A function that is told the smallest position so far, after so many questions."""


@dataclass(frozen=True)
class FailureTest:
    """A program that reads a position as a batch line, and exits with 0 while it still fails."""

    command: Sequence[str]
    seconds: float = inf
    """The time for an answer: a program that takes longer does not exit with 0."""

    def __call__(self, position: AskedPosition) -> bool:
        """Tell whether the position still fails.

        Raises `RequestError` if the program cannot be started.
        """
        return self.status(position) == 0

    def status(self, position: AskedPosition) -> int | None:
        """Return the exit status of the program; None where it took too long.

        Raises `RequestError`.
        """
        nowhere = subprocess.DEVNULL
        try:
            child = Child(self.command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)
        except OSError as error:
            raise RequestError(f"--test {command_of(self.command)}: it cannot be started: {error.strerror}") from None
        try:
            child.communicate(position.line + b"\n", None if self.seconds == inf else self.seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            child.end()
        return child.returncode


def reduce_position(
    position: AskedPosition, test: FailureTest, most: int = MOST_TRIES, on_progress: Progress = lambda smallest, tries: None
) -> AskedPosition:
    """Shrink a position to the smallest one on which a test still exits with 0, with so many questions at most.

    Raises `RequestError` where it does not do so on the position as it is, or does not do so again on the smallest one.
    """
    if (status := test.status(position)) != 0:
        raise RequestError(
            f"{position.name or 'the position'}: the test {_told(status)} on the position as it is",
            suggestion="it must exit with 0 while the position still fails; it reads the position as a batch line",
        )
    smallest, tries = position, 0

    def keeps(candidate: AskedPosition) -> bool:
        nonlocal tries, smallest
        tries += 1
        if kept := test(candidate):
            smallest = candidate
        on_progress(smallest, tries)
        return kept

    shrink(position, keeps, most)
    if (status := test.status(smallest)) != 0:
        raise RequestError(
            f"{position.name or 'the position'}: asked again about the smallest position, the test {_told(status)}:"
            f" {smallest.line.decode()}",
            suggestion="a test must say the same each time",
        )
    return smallest


def _told(status: int | None) -> str:
    return "takes too long" if status is None else f"exits with {status}"


def reduced_text(position: AskedPosition) -> str:
    """Write a position as an order sheet, or as a batch line where a sheet cannot say it."""
    try:
        return sheet_text(position.board, position.orders, identity=position.name)
    except SheetError:
        return position.line.decode() + "\n"
