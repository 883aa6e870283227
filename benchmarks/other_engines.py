"""Compares other engines with satjudge: programs built from `adapters/`, which time themselves.

An environment variable names each program; without it the engine is left out. With `--time` a program reads all lines, answers
them once to warm up and once more, and tells the processor time of each answer by its own clock: from line to line, and what
its engine alone took, from the engine's own values on.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from phases import Case

LINE_TO_LINE, JUDGING = "line to line", "judging"


@dataclass(frozen=True)
class Program:
    """An engine, and how it is started."""

    name: str
    variable: str
    arguments: tuple[str, ...] = ()

    @property
    def path(self) -> str | None:
        """Where it is; None where nobody says."""
        return os.environ.get(self.variable) or None

    def answers(self, cases: Sequence[Case]) -> list[dict[str, Any]]:
        """What it says to each position, with the seconds that it took. Raises `CalledProcessError` if it fails."""
        lines = [{"id": index, "units": case.units, "orders": case.orders} for index, case in enumerate(cases)]
        asked = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        assert self.path is not None
        done = subprocess.run([self.path, *self.arguments, "--time"], input=asked, stdout=subprocess.PIPE, check=True)
        return [msgspec.json.decode(line) for line in done.stdout.splitlines()]

    def takes(self, cases: Sequence[Case]) -> list[bool]:
        """Which positions it judges."""
        return ["seconds" in answer for answer in self.answers(cases)]

    def seconds(self, cases: Sequence[Case]) -> Mapping[str, Sequence[float]]:
        """How long it took with each position, all of which it judges: from line to line, and for judging alone."""
        taken = [answer["seconds"] for answer in self.answers(cases)]
        return {f"{self.name}, {what}": [each[what] for each in taken] for what in (LINE_TO_LINE, JUDGING)}


PROGRAMS = (
    Program("dipcc (C++)", "SATJUDGE_DIPCC"),
    Program("diplomacy (Rust)", "SATJUDGE_DIPLOMACY_RS", ("2023",)),
)


def found() -> Iterator[Program]:
    """The programs that somebody names."""
    return (program for program in PROGRAMS if program.path)


def missing() -> str:
    """Which engines are left out, in a line; empty if none is."""
    names = [f"{program.name} ({program.variable} names no program)" for program in PROGRAMS if not program.path]
    return f"left out: {', '.join(names)}" if names else ""
