"""The commands `judge` and `equations`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    RulesOptions,
    argument,
    check_movement,
    command,
    flag,
    option,
    read_cases,
)
from satjudge.apps.cli.output import announce_file, show, write_file, write_json, write_text
from satjudge.base.errors import InputError, join_errors
from satjudge.judging.judge import Judgement, judge_case, read_situation
from satjudge.judging.solve import Engine
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map

if TYPE_CHECKING:
    pass


@command(epilog="Examples:  satjudge judge datc:6.F.14  ·  satjudge judge --json sheet.txt  ·  satjudge judge - < sheet.txt")
def judge(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    lenient: bool = flag("Treat unreadable orders as illegal orders."),
    strict: bool = flag("Report an error if an order names a unit that FILE does not list."),
    details: bool = options.details,
    report: Path | None = option("Write a file with everything that a bug report needs (SECURITY.md).", type=FILE_PATH),
    as_json: bool = options.json,
) -> int:
    """Judge the orders in FILE and give the reason for each verdict.

    The output also lists dislodged units with their possible retreats, explains how paradoxes were settled, and shows the
    resulting position. If FILE contains several cases, satjudge judges all of them. The exit status is 1 if the rulebook or
    the solver has no answer for one of them.
    """
    sheets = read_cases(file, identity, game_map, lenient=lenient)
    if strict:
        _require_listed_units(sheets, lenient)
    if report and len({sheet.map.name for sheet in sheets}) > 1:
        raise click.UsageError(f"--report covers one map, but the cases of {file} are on several: choose one with --case ID")
    judged = []
    for sheet in sheets:
        judged.append(judge_case(sheet, rules.load_rulebook(sheet.rules), engine))
        if not as_json:
            from satjudge.show.text import iter_judged_text

            show(*iter_judged_text(judged[-1], details=details))
    if as_json:
        from satjudge.explain.documents import Judged, make_judged_case

        write_json(Judged(engine, [*map(make_judged_case, judged)]))
    if report:
        _write_report(judged, engine, report)
    return 1 if any(one.error for one in judged) else 0


def _require_listed_units(sheets: Iterable[Sheet], lenient: bool) -> None:
    """Mark the unit lists of sheets as complete; raise `InputError` for orders to unlisted units, unless `lenient` is set."""
    errors: list[InputError] = []
    for sheet in sheets:
        sheet.position = sheet.position or "complete"
        errors += [] if lenient else sheet.find_missing_units()
    if errors:
        raise join_errors(errors)


def _write_report(cases: Sequence[Judgement], engine: Engine, file: Path) -> None:
    """Write a JSON file with all that a bug report on these cases needs."""
    from msgspec.json import encode
    from msgspec.json import format as laid_out

    from satjudge.files.documents import make_report, reported_phases

    phases = chain.from_iterable(map(reported_phases, cases))
    document = encode(make_report(phases, cases[0].sheet.map, engine))
    write_file(file, laid_out(document, indent=2) + b"\n")


@command(epilog="Examples:  satjudge equations datc:6.F.14  ·  satjudge equations sheet.txt --proto model.pbtxt")
def equations(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    proto: Path | None = option(
        "Also write the CP-SAT model to this file: as text if the name ends in txt, otherwise binary.", type=FILE_PATH
    ),
) -> None:
    """Print the equations of the position in FILE.

    Each decision, path and strength has one equation. Constants are already simplified away.
    """
    from satjudge.show.text import iter_equation_lines

    sheets = read_cases(file, identity, game_map)
    if proto and len(sheets) > 1:
        raise click.UsageError(f"--proto writes one model, but {file} contains {len(sheets)} cases: choose one with --case ID")
    for sheet in sheets:
        check_movement(sheet)
        rulebook = rules.load_rulebook(sheet.rules)
        situation = read_situation(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
        if proto:
            from satjudge.judging.solve.cpsat_model import Model

            with announce_file(proto):
                Model(situation, [None] * len(situation.decisions)).with_names().with_equations().write(proto)
        for line in iter_equation_lines(sheet, rulebook, situation):
            write_text(line)
