"""The command `reduce`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.crosscheck import read_positions
from satjudge.apps.cli.options import Seconds, argument, command, option
from satjudge.apps.cli.output import show_status, write_text
from satjudge.base.errors import RequestError, was_interrupted
from satjudge.base.platforms import words_of
from satjudge.base.words import number_of
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.engines.positions import AskedPosition


@command(epilog="Examples:  satjudge reduce crash.jsonl --test \"sh -c '! ./my-engine'\"")
def reduce(
    file: str = argument(),
    test: str = option(
        "Program that reads a batch line, and exits with 0 if the failure still occurs.", metavar="CMD", required=True
    ),
    timeout: float = option("Time limit for each test, in seconds.", type=Seconds(min=0.01), default=10.0),
    game_map: Map | None = options.game_map,
    as_json: bool = options.json,
) -> int:
    """Shrink a position on which your program fails.

    Units, orders and powers are removed from the position in FILE as long as the --test program still exits with 0. The
    smallest position is written as an order sheet, or with --json as a batch line. If you press Ctrl-C, you get the smallest
    position so far.
    """
    from satjudge.engines.findings import count_units
    from satjudge.engines.shrinking import FailureTest, format_reduced, reduce_position

    if not words_of(test):
        raise click.UsageError("--test needs a program")
    smallest, asked = _read_only_position(file, game_map), 0
    before = number_of(count_units(smallest), "unit")

    def format_progress() -> str:
        return f"{count_units(smallest)} of {before} left after {number_of(asked, 'question')}"

    def write() -> None:
        write_text((smallest.line.decode() if as_json else format_reduced(smallest)).rstrip("\n"))
        write_text(format_progress(), err=True)

    with show_status(f"testing {before}") as change:

        def on_progress(position: AskedPosition, tries: int) -> None:
            nonlocal smallest, asked
            smallest, asked = position, tries
            change(format_progress())

        try:
            smallest = reduce_position(smallest, FailureTest(words_of(test), timeout), on_progress=on_progress)
        except BaseException as error:
            if was_interrupted(error):
                write()
            raise
    write()
    return 0


def _read_only_position(file: str, game_map: Map | None) -> AskedPosition:
    """Return the only position in a file; raise `InputError` unless there is exactly one."""
    found = [position for position in read_positions(file, game_map) if position is not None]
    if len(found) != 1:
        raise RequestError(
            f"{file} has {number_of(len(found), 'position')} that can be reduced",
            suggestion="use a file with one: a batch line, an order sheet, or a shipped case such as datc:6.F.14",
        )
    return found[0]
