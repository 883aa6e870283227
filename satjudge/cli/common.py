"""What the commands share: options, reading FILE, and writing tables or JSON."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from satjudge.cli.output import show as show
from satjudge.cli.output import tell as tell
from satjudge.cli.output import write_json as write_json
from satjudge.cli.output import write_json_line as write_json_line
from satjudge.errors import NotFoundError, reason_of
from satjudge.formats.cases import Entry, entries_in, read_input
from satjudge.notation.sheets import COLLECTIONS, Sheet, shipped_sheet
from satjudge.notation.write import file_name
from satjudge.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook
from satjudge.solve import Engine

F = TypeVar("F", bound=Callable[..., Any])

EXIT_NOTHING_RAN = 5
MOST = 1_000_000_000
"""Boards, resolutions or answers that can be asked for."""
MOST_JOBS = 256
"""Processes that share the work."""
_LONGEST_TIMEOUT = 1e9
"""Seconds; some 30 years."""


class Seconds(click.FloatRange):
    """A time to wait: a number, and not one that never ends."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  # click's
        """The number. Raises `click.BadParameter`."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or number > _LONGEST_TIMEOUT:
            self.fail(f"{value} is no number of seconds; without the option there is no limit", param, ctx)
        return number


def rules_options(command: F) -> F:
    """`--rules` and `--set`."""
    settings = click.option(
        "--set", "settings", multiple=True, metavar="ISSUE=VALUE", help="Settle one issue otherwise, e.g. 4.A.2=all-hold."
    )
    rules = click.option(
        "--rules", default=None, metavar="NAME|FILE.toml", help=f"The rulebook to judge by. [default: {DEFAULT_RULES}]"
    )
    return rules(settings(command))


def engine_option(default: Engine) -> Callable[[F], F]:
    """`--engine`."""
    return click.option(
        "--engine",
        type=click.Choice([str(engine) for engine in Engine]),
        default=str(default),
        show_default=True,
        help="How to solve: by stages, all by the solver, or by brute force (few orders only).",
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
case_option = click.option(
    "--case", "identity", default=None, metavar="ID", help="Which case of FILE, if it has several; S1901M of a saved game."
)


def rulebook_from_options(rules: str | None, settings: tuple[str, ...], default: str = DEFAULT_RULES) -> Rulebook:
    """The rulebook that the options ask for, else the one of the name that the sheet says. Raises `RulebookError`."""
    return (load_rulebook(rules) if rules else load_preset(default)).with_settings(settings)


def read_cases(name: str, identity: str | None = None, *, lenient: bool = False) -> list[Sheet]:
    """The cases that FILE holds, or the one of that ID. Raises `InputError`; if it is `lenient` not for unreadable orders."""
    entries = case_entries(name, lenient=lenient)
    return [entry.read() for entry in (entries if identity is None else [_one(name, entries, identity)])]


def read_case(name: str, identity: str | None, data: bytes | None = None) -> Sheet:
    """The one case of FILE, or the one asked for; `data` is what the file holds, if it was read. Raises `InputError`."""
    return _one(name, case_entries(name, data), identity).read()


def is_shipped(name: str) -> bool:
    """Whether FILE is the short name of a shipped case, `datc:6.F.14`."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix.lower() in COLLECTIONS


def case_entries(name: str, data: bytes | None = None, *, lenient: bool = False) -> list[Entry]:
    """The cases of a file of any kind (`satjudge.formats`), of standard input (`-`), or the shipped one of that name.

    Raises `InputError`.
    """
    if is_shipped(name):
        prefix, _, shipped = name.partition(":")
        sheet = shipped_sheet(shipped, prefix.lower())
        return [Entry(sheet.identity, sheet.line, lambda: sheet)]
    try:
        data = read_input(name, sys.stdin.buffer) if data is None else data
    except NotFoundError as error:
        error.suggestion = error.suggestion or "shipped cases are named like datc:6.F.14"
        raise
    return entries_in(data, "standard input" if name == "-" else name, lenient=lenient)


def _one(file: str, entries: Sequence[Entry], identity: str | None) -> Entry:
    """The one case of FILE, or the one asked for. Raises `InputError`."""
    found = [entry for entry in entries if identity in (None, entry.identity)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(entry.name for entry in entries[:8]) + ", …" * (len(entries) > 8)
    if not found:
        alone = len(entries) == 1 and not entries[0].identity
        hint = "its only case has no ID: leave out --case" if alone else f"there are {known}"
        raise NotFoundError(f"there is no case {identity} in {file}", suggestion=hint)
    if identity is not None:
        raise NotFoundError(f"{len(found)} cases in {file} are called {identity}", suggestion="give each an ID of its own")
    raise click.UsageError(f"{file} holds {len(found)} cases: choose one with --case ID (there are {known})")


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and say so on standard error."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise click.FileError(str(path), reason_of(error)) from None
    tell(f"wrote {path}", err=True)


def write_files(directory: Path, texts: Iterable[tuple[str, str]], *, read: Iterable[str] = ()) -> int:
    """Write cases into a directory, each under its name (`case.txt`) as far as a file can have it; how many there are.

    Raises `click.UsageError` rather than write over a file that was read, and `click.FileError`.
    """
    files: dict[Path, str] = {}
    for name, text in texts:
        stem, _, suffix = name.rpartition(".")
        path = directory / f"{file_name(stem)}.{suffix}"
        while path in files:
            path = path.with_stem(f"{path.stem}-again")
        files[path] = text
    inputs = {Path(name).resolve() for name in read}
    if over := [path for path in files if path.resolve() in inputs]:
        raise click.UsageError(f"--save {directory} would write over {over[0]}, which was read: name another directory")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(error.filename or directory), reason_of(error)) from None
    return len(files)


def check_writable(directory: Path | None, files: Iterable[Path]) -> None:
    """See, before the work is done, whether a directory can be made or written to, and files in theirs.

    Raises `click.UsageError`.
    """
    for path in files:
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            why = "it cannot be written" if path.parent.is_dir() else f"there is no directory {path.parent}"
            raise click.UsageError(f"cannot write {path}: {why}")
    if directory is not None:
        there = next(place for place in (directory, *directory.parents, Path()) if place.exists())
        if not (there.is_dir() and os.access(there, os.W_OK)):
            raise click.UsageError(f"cannot write to {directory}: {there} is no directory that can be written to")
