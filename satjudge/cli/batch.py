"""The command `batch`: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from typing import BinaryIO

import click

from satjudge.batch import LONGEST_LINE, Settings, answer_line, is_error
from satjudge.cli.common import EXIT_NOTHING_RAN, engine_option, rules_options
from satjudge.errors import NotFoundError
from satjudge.rules import DEFAULT_RULES
from satjudge.solve import Engine

_AT_ONCE = LONGEST_LINE + len(BOM_UTF8) + len(b"\r\n")
"""Bytes that are read at most before a line is known to be too long."""


@click.command(epilog="Examples:  satjudge batch rows.jsonl > answers.jsonl  ·  satjudge export | satjudge batch -")
@click.argument("file", default="-")
@rules_options
@engine_option(Engine.STAGED)
def batch(file: str, rules: str | None, settings: tuple[str, ...], engine: str) -> int:
    """Judge positions from JSON Lines, one answer per line.

    The answers come in input order (format: docs/batch.md). A line that cannot be judged yields an `error` and the run
    goes on; the exit status is then 1.
    """
    chosen = Settings(rules or DEFAULT_RULES, settings, Engine(engine))
    chosen.rulebook(None)  # a mistake in --rules or --set is worth one message, not one per line
    if file == "-":
        return _run(sys.stdin.buffer, chosen)
    try:
        rows = open(file, "rb")  # noqa: SIM115  # closed below, where an error is not one of opening it
    except OSError as error:
        raise NotFoundError(f"cannot read {file}: {error.strerror}") from None
    with rows:
        return _run(rows, chosen)


def _run(rows: BinaryIO, settings: Settings) -> int:
    lines = errors = 0
    output = sys.stdout.buffer
    while line := rows.readline(_AT_ONCE):
        if not lines and not (line := line.removeprefix(BOM_UTF8)):
            break
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip_rest(rows)
        answer = answer_line(line.removesuffix(b"\n").removesuffix(b"\r"), settings)
        output.write(answer + b"\n")
        output.flush()
        lines += 1
        errors += is_error(answer)
    if not lines:
        click.echo("satjudge: nothing ran: the input is empty; write one JSON object per line", err=True)
        return EXIT_NOTHING_RAN
    return 1 if errors else 0


def _skip_rest(rows: BinaryIO) -> None:
    """Pass over what is left of a line that is too long, without keeping it."""
    while (more := rows.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
        pass


COMMANDS = (batch,)
