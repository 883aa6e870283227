"""The command `crosscheck`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from satjudge.apps.cli import EXIT_INTERNAL, EXIT_NOTHING_RAN, options
from satjudge.apps.cli.options import FILE_PATH, MOST, RulesOptions, Workers, argument, command, flag, option, read_cases
from satjudge.apps.cli.output import (
    check_writable,
    show,
    show_progress,
    show_status,
    watch_progress,
    write_file,
    write_files,
    write_json,
    write_text,
)
from satjudge.base.errors import OracleLostError, RequestError, UnresolvedError, was_interrupted
from satjudge.base.words import number_of
from satjudge.judging.solve import Engine
from satjudge.world.board import Phase
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import load_preset

if TYPE_CHECKING:
    from satjudge.base.processes import Pool
    from satjudge.bulk.random_boards.boards import Flavour
    from satjudge.engines.campaign import Campaign
    from satjudge.engines.campaign import Tally as Differences
    from satjudge.engines.families import Family
    from satjudge.engines.findings import Findings
    from satjudge.engines.positions import AskedPosition, Source
    from satjudge.notation.sheets import Sheet
    from satjudge.world.board import Board


Member = TypeVar("Member", bound=StrEnum)
_SECONDS = 600.0
"""The time in seconds after which no further finding is shrunk."""


def _parse_flavours(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[Flavour, ...]:
    from satjudge.bulk.random_boards.boards import MIX, Flavour

    return _parse_members(names, Flavour, "flavour") if names else MIX


def _parse_phases(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[Phase, ...]:
    return _parse_members(names, Phase, "phase") if names else (Phase.MOVEMENT,)


def _parse_members(names: str, kind: type[Member], noun: str) -> tuple[Member, ...]:
    """Return the members of an enumeration in a comma-separated list; raise `click.BadParameter` with the nearest name."""
    chosen = [name.strip().lower() for name in names.split(",")]
    for name in chosen:
        if name not in [*kind]:
            close = get_close_matches(name, kind, 1)
            hint = f"did you mean {close[0]}?" if close else f"choose from {', '.join(kind)}"
            raise click.BadParameter(f"there is no {noun} {name!r} ({hint})")
    return tuple(map(kind, chosen))


@command(
    epilog="Examples:  satjudge crosscheck --against kruijswijk-partial --fuzz 5000  ·  "
    'satjudge crosscheck --against "./my-engine --batch" --fuzz 20000 --save found --report found.html  ·  '
    "satjudge crosscheck --against my_engine:judge datc:all found/*.txt"
)
def crosscheck(
    files: tuple[str, ...] = argument(nargs=-1, metavar="[FILE]..."),
    against: str | None = option("Oracle, rulebook, program or module:function.", metavar="NAME|CMD"),
    dialect: str = option("Notation of the engine.", default="satjudge", metavar="NAME|FILE"),
    depth: str | None = option(
        "Compare only positions, dislodgements, results or verdicts. [default: all]",
        type=click.Choice(["positions", "dislodgements", "results", "verdicts"]), metavar="WHAT"
    ),
    legal_only: bool = flag("Leave out illegal orders."),
    limits: dict[str, Any] = options.limits(startup=None, memory=None, restarts=100, shrink=1000),
    fuzz: int | None = option("Compare N random boards instead of FILEs.", type=click.IntRange(1, MOST)),
    seed: int = options.seed,
    only: int | None = option("Compare only the random board with this number.", type=click.IntRange(min=0), metavar="NUMBER"),
    flavours: tuple[Flavour, ...] = option(
        "Kinds of boards: general, circles, convoys, dense, variant.",
        "--flavour", metavar="NAME,...", callback=_parse_flavours,
    ),
    phases: tuple[Phase, ...] = option(
        "Phases: movement (default), retreat, adjustment.",
        "--phase", metavar="NAME,...", callback=_parse_phases,
    ),
    units: tuple[int, int] | None = options.units,
    game_map: Map | None = options.on_map("Map, if the input names none. [default: standard]"),
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    known: tuple[str, ...] = option("Accept a known difference, or a file of them.", metavar="FILE.toml|WHAT", multiple=True),
    diagnosis: bool | None = option(
        "Look for causes of differences. [default: on for several boards]",
        "--diagnosis/--no-diagnosis", default=None,
    ),
    workers: Workers = options.workers("Number of processes, or a scheduler's tcp:// address. [default: one per processor]"),
    checkpoint: Path | None = options.checkpoint,
    save: Path | None = options.save("Save each difference as a case in this directory."),
    reports: tuple[Path, ...] = option(
        "Write a report (.md or .html).", "--report", type=FILE_PATH, metavar="FILE", multiple=True
    ),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find small positions on which an engine differs from satjudge.

    Name FILEs (order sheets, games, batch lines, or cases such as datc:6.F), or use --fuzz for random boards. satjudge
    shrinks each of them. The exit status is 1 if --known does not cover a difference. See docs/guides/crosscheck.md, and
    docs/reference/asked-engines.md for the oracles.
    """
    from satjudge.base.processes import worker_pool
    from satjudge.engines.campaign import Tally, make_campaign
    from satjudge.engines.comparison import Depth
    from satjudge.engines.positions import Fuzz
    from satjudge.engines.report import iter_progress_lines

    if against is None:
        raise click.UsageError("name the other engine with --against; docs/reference/asked-engines.md lists satjudge's oracles")
    for path in reports:
        if path.suffix not in (".md", ".html"):
            raise click.UsageError(f"--report {path}: name a file that ends in .md or .html")
    if bool(files) == (fuzz is not None or only is not None):
        raise click.UsageError("name files, or ask for random boards with --fuzz N (or one of them with --only NUMBER)")
    boards = fuzz or 1 if only is None else 1
    given = options.get_map_option()
    if files:
        source: Source = _read_source(files, game_map, given, against)
    else:
        source = Fuzz(seed, boards, flavours, units, phases, only or 0, game_map or load_map(), given)
    if not source.positions:
        write_text("satjudge: nothing ran: these files have no phase that can be compared", err=True)
        return EXIT_NOTHING_RAN
    check_writable(save, (*reports, *filter(None, [checkpoint])))
    campaign = make_campaign(
        against, source, rules=rules.name, settings=rules.settings, depth=Depth(depth) if depth else None, engine=engine,
        dialect=dialect, known=known, legal_only=legal_only, timeout=limits["timeout"], startup_timeout=limits["startup"],
        memory=limits["memory"], restarts=limits["restarts"],
    )  # fmt: skip
    tally = Tally()
    try:
        with worker_pool(min(workers.jobs, source.positions), workers.scheduler) as chosen:
            lost = _run_comparison(campaign, chosen, checkpoint, tally)
            if lost and not tally.boards:
                raise RequestError(f"{against}: {lost}", suggestion="nothing was compared")
            found = _shrink_findings(campaign, tally, chosen, limits["shrink"])
            wanted = source.positions > 1 if diagnosis is None else diagnosis  # a diagnosis asks the kit, which takes minutes
            families = _group_families(campaign, tally, found, wanted)
    except BaseException as error:
        if was_interrupted(error):
            for line in iter_progress_lines(campaign, tally):
                write_text(line, err=True)
        raise
    return _report_findings(campaign, tally, found, families, lost, save, reports, as_json)


def _read_source(files: tuple[str, ...], game_map: Map | None, map_option: str, against: str) -> Source:
    """Return those positions in files that `against` can judge, and report how many are skipped; raise `InputError`."""
    from satjudge.engines.connections.registry import get_phases
    from satjudge.engines.positions import list_positions

    found = [(position, name) for name in files for position in read_positions(name, game_map)]
    whole = [(position, name) for position, name in found if position is not None]
    comparable = [(position, name) for position, name in whole if position.board.phase in get_phases(against)]
    if odd := len(found) - len(whole):
        write_text(f"{number_of(odd, 'phase')} skipped: their orders belong to another phase", err=True)
    if later := len(whole) - len(comparable):
        write_text(f"{number_of(later, 'phase')} skipped: {against} judges movement only", err=True)
    return list_positions((position for position, _ in comparable), (name for _, name in comparable), map_option)


def read_positions(file: str, game_map: Map | None) -> Iterator[AskedPosition | None]:
    """Yield each position, also of retreats, in a file or in shipped cases it names; None if its orders are for another phase.

    Raises `InputError`.
    """
    from satjudge.engines.positions import make_position

    for sheet in read_cases(file, game_map=game_map):
        identity = sheet.identity or sheet.source_file
        yield make_position(sheet.board, sheet.orders_by_power(), identity)
        if sheet.has_retreats and (board := _make_retreat_board(sheet)):
            yield make_position(board, sheet.retreats_by_power(), f"{identity}/retreats")


def _make_retreat_board(sheet: Sheet) -> Board | None:
    """Return the board of the retreat phase after a sheet's moves; None if the rulebook cannot resolve the moves."""
    from satjudge.judging.judge import judge

    try:
        return judge(sheet.board, sheet.orders_by_power(), rulebook=load_preset(sheet.rules)).retreat_board
    except UnresolvedError:
        return None


def _run_comparison(campaign: Campaign, pool: Pool, checkpoint: Path | None, tally: Differences) -> str:
    """Compare all positions, count them in `tally`, and return a message if the engine or a process was lost, else ""."""
    from satjudge.bulk.chunked_runs import run_count
    from satjudge.engines.campaign import CHUNK

    boards = campaign.source.positions
    lost = ""
    with watch_progress(boards, checkpoint, "compared") as (start, go_on):
        try:
            run_count(
                campaign.count, boards, pool.executor, pending=pool.max_pending, state_path=checkpoint, into=tally,
                chunk=max(1, min(CHUNK, boards // (2 * pool.max_pending))), on_start=start, on_progress=go_on,
            )  # fmt: skip
        except OracleLostError as error:
            tally.add(error.counted)
            go_on(error.counted.boards)
            lost = f"The engine was lost at {error.position or 'a position'}: {error.message}"
        except Exception:
            if not (lost := pool.describe_loss()):
                raise
    return f"{lost}; {tally.boards:,} of {number_of(boards, 'board')} were compared." if lost else ""


def _shrink_findings(campaign: Campaign, tally: Differences, pool: Pool, max_positions: int) -> Findings:
    """Shrink the positions that differ (at most `max_positions` unexplained ones) in `pool` or, if it is lost, right here."""
    from satjudge.base.processes import HERE
    from satjudge.engines.findings import collect_findings, list_tasks

    pool = HERE if pool.describe_loss() else pool
    try:
        with show_progress(len(list_tasks(tally, max_positions)), "boards shrunk") as advance:
            limits: dict[str, Any] = {"limit": max_positions, "seconds": _SECONDS}
            return collect_findings(campaign, tally, pool.executor, tasks_ahead=pool.max_pending, on_progress=advance, **limits)
    except Exception:
        if not pool.describe_loss():
            raise
    return _shrink_findings(campaign, tally, HERE, max_positions)


def _group_families(campaign: Campaign, tally: Differences, findings: Findings, diagnosis: bool) -> Sequence[Family]:
    """Return the unexplained findings grouped by cause; with `diagnosis`, first search for the engine's mistakes as causes."""
    from satjudge.engines.families import TRIES, group_findings

    if not findings.unexplained or not diagnosis:
        return group_findings(campaign, tally, findings.unexplained)
    try:
        with show_status("looking for causes"):
            return group_findings(campaign, tally, findings.unexplained, TRIES)
    except Exception as error:  # the findings are shown anyway
        write_text(f"no causes: the search failed ({type(error).__name__}: {error}); findings are grouped by kind", err=True)
        return group_findings(campaign, tally, findings.unexplained)


def _report_findings(
    campaign: Campaign,
    tally: Differences,
    findings: Findings,
    families: Sequence[Family],
    loss_message: str,
    directory: Path | None,
    reports: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Show the findings, write them as `reports` and as cases in `directory`, and return the exit code."""
    from satjudge.engines.conformance.faults import describe_part
    from satjudge.engines.report import make_crosscheck_document
    from satjudge.show.engines import format_markdown, iter_crosscheck_text
    from satjudge.show.report import format_run_page

    document = make_crosscheck_document(campaign, tally, findings, directory, loss_message, families, describe_part)

    def write_report(path: Path) -> None:
        write_file(path, (format_markdown(document) if path.suffix == ".md" else format_run_page(document)).encode())

    with ExitStack() as telling:  # the last one runs first, and all run even if one fails
        telling.callback(lambda: write_json(document) if as_json else show(*iter_crosscheck_text(document)))
        for path in reversed(reports):
            telling.callback(write_report, path)
        if directory:
            telling.callback(_save_findings, campaign, findings, directory)
    if document.failed:
        for failure in document.failures:
            write_text(f"satjudge: internal error: {failure.message} ({failure.again})", err=True)
        return EXIT_INTERNAL
    if document.differing or loss_message:
        return 1
    if document.skipped == document.boards:
        write_text(f"satjudge: nothing was compared: {document.against} skips every board", err=True)
        return EXIT_NOTHING_RAN
    if document.too_large == document.boards:
        write_text(f"satjudge: nothing was compared: every board is too large for --engine {document.engine}", err=True)
        return EXIT_NOTHING_RAN
    return 0


def _save_findings(campaign: Campaign, findings: Findings, directory: Path) -> None:
    from satjudge.engines.report import iter_case_files

    written = write_files(directory, ((case.name, case.text) for case in iter_case_files(campaign, findings, directory)))
    write_text(f"wrote {number_of(written, 'case')} to {directory}", err=True)
