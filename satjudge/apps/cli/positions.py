"""Has the commands about one position: `judge`, `equations`, `compare`, `resolutions`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    MOST,
    RulesOptions,
    Seconds,
    argument,
    check_movement,
    command,
    flag,
    named_rulebooks,
    option,
    read_cases,
)
from satjudge.apps.cli.output import announce_file, show, tell, write_file, write_json
from satjudge.base.errors import InputError, join_errors
from satjudge.base.words import number_of
from satjudge.judging.judge import Judgement, judge_case, situation_of
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Limits
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Phase
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.world.rules import Rulebook


@command(epilog="Examples:  satjudge judge datc:6.F.14  ·  satjudge judge --json sheet.txt  ·  satjudge judge - < sheet.txt")
def judge(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    lenient: bool = flag("Orders that cannot be read are illegal, with the reason, and no error."),
    strict: bool = flag("No order makes a unit: those that FILE lists are all there are."),
    details: bool = options.details,
    report: Path | None = option(
        "Write what it takes to report a verdict as wrong: board, orders, rulebook, version and answer (SECURITY.md).",
        type=FILE_PATH,
    ),
    as_json: bool = options.json,
) -> int:
    """Judge the orders in FILE, with the reasons.

    It says the verdict on each order, who bounced with whom, dislodgements, retreats, what became of paradoxes, and the
    position afterwards.
    The exit code is 1 if the rulebook, or the engine, has no answer to a case; the others are judged all the same.
    """
    sheets = read_cases(file, identity, game_map, lenient=lenient)
    if strict:
        _take_as_complete(sheets, lenient)
    if report and len({sheet.map.name for sheet in sheets}) > 1:
        raise click.UsageError(f"--report is about one map, but the cases of {file} are on several: choose one with --case ID")
    judged = []
    for sheet in sheets:
        judged.append(judge_case(sheet, rules.rulebook(sheet.rules), engine))
        if not as_json:
            from satjudge.show.text import judged_text

            show(*judged_text(judged[-1], details=details))
    if as_json:
        from satjudge.explain.documents import Judged, judged_case

        write_json(Judged(engine, [*map(judged_case, judged)]))
    if report:
        _write_report(judged, engine, report)
    return 1 if any(one.error for one in judged) else 0


def _take_as_complete(sheets: Iterable[Sheet], lenient: bool) -> None:
    """Let no order make a unit.

    Raises `InputError` for orders to units that are not there, unless they are to be illegal.
    """
    errors: list[InputError] = []
    for sheet in sheets:
        sheet.position = sheet.position or "complete"
        errors += [] if lenient else sheet.unlisted()
    if errors:
        raise join_errors(errors)


def _write_report(judged: Sequence[Judgement], engine: Engine, file: Path) -> None:
    """Write a report on the cases."""
    from msgspec.json import encode
    from msgspec.json import format as laid_out

    from satjudge.files.documents.cases import report_of, reported_phases

    phases = chain.from_iterable(map(reported_phases, judged))
    document = encode(report_of(phases, judged[0].sheet.map, engine))
    write_file(file, laid_out(document, indent=2) + b"\n")


@command(epilog="Examples:  satjudge equations datc:6.F.14  ·  satjudge equations sheet.txt --proto model.pbtxt")
def equations(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    proto: Path | None = option("Write the CP-SAT model there (text, or .pb binary).", type=FILE_PATH),
) -> None:
    """Print the equations that FILE poses.

    They are those of every decision, path and strength, with all that is constant folded away.
    """
    from satjudge.show.text import equations_lines

    sheets = read_cases(file, identity, game_map)
    if proto and len(sheets) > 1:
        raise click.UsageError(f"--proto writes one model, but {file} holds {len(sheets)} cases: choose one with --case ID")
    for sheet in sheets:
        check_movement(sheet)
        rulebook = rules.rulebook(sheet.rules)
        situation = situation_of(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
        if proto:
            from satjudge.judging.solve.cpsat_model import Model

            with announce_file(proto):
                Model(situation, [None] * len(situation.decisions)).with_names().posted().write(proto)
        for line in equations_lines(sheet, rulebook, situation):
            tell(line)


_PHASE_OF_GAME = re.compile(r"[SFW][0-9]+[MRA]")


@command(epilog="Examples:  satjudge compare datc:6.F.17 --rules all  ·  satjudge compare sheet.txt --rules 1982,2025ee")
def compare(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    names: str = option("Rulebooks, or `all` presets.", "--rules", default="all", metavar="A,B,..."),
    settings: tuple[str, ...] = option(
        "Settle one issue otherwise in all of them.", "--set", metavar="ISSUE=VALUE", multiple=True
    ),
    engine: Engine = options.engine(Engine.STAGED),
    as_json: bool = options.json,
) -> None:
    """Judge FILE under several rulebooks side by side.

    Rulebooks that say the same share a column. What differs from the first column is marked, and the issue behind it is named.
    Of a game those phases are shown in which rulebooks differ.
    """
    from satjudge.explain.compare import compare as compare_rulebooks
    from satjudge.judging.position import position_in
    from satjudge.notation.documents import Cases
    from satjudge.show.text import comparison_table, format_differing_phases, heading_of

    cases = []
    sheets = read_cases(file, identity, game_map)
    of_game = len(sheets) > 1 and all(_PHASE_OF_GAME.fullmatch(sheet.identity) for sheet in sheets)
    for sheet in sheets:
        rulebooks = named_rulebooks(names, settings)
        case = compare_rulebooks(position_in(sheet), rulebooks, retreats=sheet.retreats_by_power(), engine=engine)
        case.title = sheet.title
        cases.append(case)
        if not as_json and not (of_game and case.agrees and not case.applied):
            show(heading_of(sheet), comparison_table(case, sheet.map), "")
    if not as_json and of_game:
        tell(format_differing_phases(cases, [sheet.identity for sheet in sheets]))
    if as_json:
        write_json(Cases(cases))


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
    shown: int = option("How many a table shows.", "--show", type=click.IntRange(0, MOST), default=8),
    limit: int = option("How many to look for.", type=click.IntRange(1, MOST), default=Limits().count),
    timeout: float | None = option("How many seconds to look for them.", type=Seconds(min=0, min_open=True)),
    jsonl: bool = flag("Write each resolution as a line, with every decision and strength."),
    graph: Path | None = option(
        "Write the dependency graph there (.graphml, .dot, .json), or the first core drawn as a circle (.svg).", type=FILE_PATH
    ),
    certificate: Path | None = option(
        "Write a certificate that there are no others to the file PATH; of several cases one each, to the folder PATH.",
        type=click.Path(path_type=Path), metavar="PATH"
    ),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Show every consistent resolution of FILE, side by side.

    Below them stand the cores, each as a cycle of orders, and what the backup rules made of them. --limit and --timeout
    may leave the answer partial; it says so then. The exit code is 1 if a core stays unresolved. What --certificate writes
    `satjudge verify` checks.
    """
    from satjudge.explain.documents import resolution_lines, resolved_case
    from satjudge.notation.documents import Cases
    from satjudge.show.text import resolved_text

    limits = Limits(limit, timeout)
    sheets = _movement_cases(file, identity, game_map)
    found = [judge_case(sheet, rules.rulebook(sheet.rules), engine, limits) for sheet in sheets]
    if graph:
        _write_graph(found[0], graph)
    if certificate:
        _write_certificates(found, certificate)
    if jsonl:
        for case in found:
            for line in resolution_lines(case):
                write_json(line, one_line=True)
            least = "" if case.resolutions.complete else "at least "
            tell(f"{case.sheet.heading}: {least}{number_of(case.resolutions.count, 'consistent resolution')}", err=True)
    elif as_json:
        write_json(Cases([*map(resolved_case, found)]))
    else:
        for case in found:
            show(*resolved_text(case, shown))
    return 1 if any(case.unresolved for case in found) else 0


def _movement_cases(file: str, identity: str | None, game_map: Map | None) -> list[Sheet]:
    """Read the cases of FILE that have resolutions; others are passed over with a word, unless there is nothing else."""
    sheets = read_cases(file, identity, game_map)
    moving = [sheet for sheet in sheets if sheet.phase is Phase.MOVEMENT]
    if not moving:
        check_movement(sheets[0])
    for sheet in sheets:
        if sheet.phase is not Phase.MOVEMENT:
            tell(f"{sheet.heading}: passed over, only movement phases have resolutions", err=True)
    return moving


def _write_certificates(cases: Sequence[Judgement], path: Path) -> None:
    """Write a certificate for each case: one to the file, several to a folder, named as the cases are.

    A case that cannot be certified is passed over with a word, unless there is no other. Raises `InputError` then.
    """
    from satjudge.notation.write import file_name
    from satjudge.proofs.certificates.resolutions import certify
    from satjudge.proofs.verify.certificate import write

    if len(cases) > 1:
        path.mkdir(exist_ok=True)
    for number, case in enumerate(cases, 1):
        file = path / f"{file_name(case.sheet.identity or str(number))}.zip" if len(cases) > 1 else path
        try:
            made = certify(case)
        except InputError as error:
            if len(cases) == 1:
                raise
            tell(f"{case.sheet.heading}: passed over, {error}", err=True)
            continue
        with announce_file(file):
            write(*made, file)


def position_file(file: Path, rulebook: str | None = None) -> Path:
    """Name the certificate of a position beside another one: `FILE-position.zip`, or `FILE-position-1982.zip`."""
    return file.with_name("-".join(filter(None, (file.stem, "position", rulebook))) + ".zip")


def write_position(text: str, game_map: Map, rulebook: Rulebook, file: Path) -> None:
    """Write a certificate of the resolutions of the position on a sheet.

    Raises `InputError` for what the second encoder does not encode.
    """
    from satjudge.proofs.certificates.resolutions import certify
    from satjudge.proofs.verify.certificate import write

    (sheet,) = read_sheets(text, game_map=game_map)
    made = certify(judge_case(sheet, rulebook))
    with announce_file(file):
        write(*made, file)


def _write_graph(case: Judgement, path: Path) -> None:
    """Write the dependency graph of a case, or draw its first core.

    Raises `click.UsageError` where that cannot be.
    """
    from satjudge.explain.cores import classify_case, dependency_graph
    from satjudge.show.graphs import cycle_svg, to_dot, to_graphml, to_json

    writers = {".graphml": to_graphml, ".dot": to_dot, ".json": to_json}
    if path.suffix not in {*writers, ".svg"}:
        raise click.UsageError(f"--graph writes {', '.join(writers)} or .svg, not {path.suffix or path.name}")
    if case.unresolved:
        raise click.UsageError("a graph needs a rulebook that has an answer; try --set 4.A.2=szykman")
    if path.suffix != ".svg":
        text = writers[path.suffix](dependency_graph(case.moves().adjudication))
    elif cores := classify_case(case):
        text = cycle_svg(cores[0])
    else:
        raise click.UsageError("there is no core to draw: every order is settled by partial information")
    write_file(path, text.encode())
