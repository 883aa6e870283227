"""The command `resolutions`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    MOST,
    PATH,
    RulesOptions,
    Seconds,
    argument,
    check_movement,
    command,
    flag,
    option,
    read_cases,
    select_movement,
)
from satjudge.apps.cli.output import show, write_certificate, write_file, write_json, write_text
from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.judging.judge import Judgement, judge_case
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Limits
from satjudge.notation.sheet_reader import read_sheets
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.world.rules import Rulebook


@command(
    epilog="Examples:  satjudge resolutions datc:6.F.16  ·  satjudge resolutions sheet.txt --jsonl | jq .decisions  ·  "
    "satjudge resolutions datc:6.F.28 --graph core.svg"
)
def resolutions(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    shown: int = option("Maximum number of resolutions in the table.", "--show", type=click.IntRange(0, MOST), default=8),
    limit: int = option("Maximum number of resolutions to find.", type=click.IntRange(1, MOST), default=Limits().count),
    timeout: float | None = option("Time limit in seconds.", type=Seconds(min=0, min_open=True)),
    jsonl: bool = flag("Write one line of JSON per resolution, with all decisions and strengths."),
    graph: Path | None = option(
        "Write the dependency graph (.graphml, .dot or .json), or a picture of the first core (.svg).", type=FILE_PATH
    ),
    certificate: Path | None = option(
        "Write a certificate, for `satjudge verify`, that there are no other resolutions; for several cases, name a folder.",
        type=PATH, metavar="PATH"
    ),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Show all consistent resolutions of FILE side by side.

    Below the table, satjudge shows each core as a cycle of orders and explains how the backup rules settled it. If --limit or
    --timeout stopped the search early, a note states this. The exit status is 1 if a core remains unresolved.
    """
    from satjudge.explain.documents import iter_resolution_lines, make_resolved_case
    from satjudge.notation.documents import Cases
    from satjudge.show.text import iter_resolved_text

    limits = Limits(limit, timeout)
    sheets = select_movement(read_cases(file, identity, game_map), "only movement phases have resolutions")
    check_movement(sheets[0])
    found = [judge_case(sheet, rules.load_rulebook(sheet.rules), engine, limits) for sheet in sheets]
    if graph:
        _write_graph(found[0], graph)
    if certificate:
        _write_certificates(found, certificate)
    if jsonl:
        for case in found:
            for line in iter_resolution_lines(case):
                write_json(line, one_line=True)
            least = "" if case.resolutions.complete else "at least "
            write_text(f"{case.sheet.heading}: {least}{number_of(case.resolutions.count, 'consistent resolution')}", err=True)
    elif as_json:
        write_json(Cases([*map(make_resolved_case, found)]))
    else:
        for case in found:
            show(*iter_resolved_text(case, shown))
    return 1 if any(case.unresolved_error for case in found) else 0


def _write_certificates(cases: Sequence[Judgement], path: Path) -> None:
    """Write a certificate for each case that can have one: to the file `path` or, for several cases, to files in that folder.

    A case that cannot be certified is skipped with a note; if it is the only one, raises `InputError`.
    """
    from satjudge.notation.write import make_file_name
    from satjudge.proofs.certificates.claims import certify_resolutions

    if len(cases) > 1:
        path.mkdir(exist_ok=True)
    for number, case in enumerate(cases, 1):
        file = path / f"{make_file_name(case.sheet.identity or str(number))}.zip" if len(cases) > 1 else path
        try:
            certificate = certify_resolutions(case)
        except InputError as error:
            if len(cases) == 1:
                raise
            write_text(f"{case.sheet.heading}: skipped, {error}", err=True)
            continue
        write_certificate(certificate, file)


def name_position_file(file: Path, rulebook: str | None = None) -> Path:
    """Return the path of a position's certificate beside `file`: `FILE-position.zip` or, for rulebook 1982, `…-1982.zip`."""
    return file.with_name("-".join(filter(None, (file.stem, "position", rulebook))) + ".zip")


def write_position(sheet_text: str, game_map: Map, rulebook: Rulebook, file: Path) -> None:
    """Write to `file` a certificate of the resolutions of the position on an order sheet.

    Raises `InputError` if the second encoder does not support the position.
    """
    from satjudge.proofs.certificates.claims import certify_resolutions

    (sheet,) = read_sheets(sheet_text, game_map=game_map)
    certificate = certify_resolutions(judge_case(sheet, rulebook))
    write_certificate(certificate, file)


def _write_graph(case: Judgement, path: Path) -> None:
    """Write the dependency graph of a case to a file, or draw its first core in an `.svg`.

    Raises `click.UsageError` for another suffix, a case without an answer, or one without a core to draw.
    """
    from satjudge.explain.cores import classify_case, make_dependency_graph
    from satjudge.show.graphs import draw_cycle, to_dot, to_graphml, to_json

    writers = {".graphml": to_graphml, ".dot": to_dot, ".json": to_json}
    if path.suffix not in {*writers, ".svg"}:
        raise click.UsageError(f"--graph writes {', '.join(writers)} or .svg, not {path.suffix or path.name}")
    if case.unresolved_error:
        raise click.UsageError("--graph needs a rulebook that has an answer; try --set 4.A.2=szykman")
    if path.suffix != ".svg":
        text = writers[path.suffix](make_dependency_graph(case.require_movement().adjudication))
    elif cores := classify_case(case):
        text = draw_cycle(cores[0])
    else:
        raise click.UsageError("there is no core to draw: every order can be settled one by one")
    write_file(path, text.encode())
