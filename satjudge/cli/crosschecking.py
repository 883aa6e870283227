"""The command `crosscheck`: satjudge against another engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from satjudge.cli import EXIT_INTERNAL
from satjudge.cli.common import (
    EXIT_NOTHING_RAN,
    MOST,
    MOST_JOBS,
    Seconds,
    check_writable,
    engine_option,
    json_option,
    rules_options,
    show,
    tell,
    write_file,
    write_files,
    write_json,
)
from satjudge.cli.laboratory import units_range
from satjudge.cli.progress import processors, progress
from satjudge.errors import NotFoundError, OracleLostError, RequestError
from satjudge.solve import Engine
from satjudge.words import number_of

if TYPE_CHECKING:
    from satjudge.crosscheck.campaign import Campaign, Tally
    from satjudge.crosscheck.findings import Findings
    from satjudge.crosscheck.positions import Source
    from satjudge.crosscheck.registry import NamedOracle
    from satjudge.research.boards import Flavour
    from satjudge.running.executors import Pool

_CHUNK = 100
"""Boards that are judged, and kept in a checkpoint, at a time."""


@click.command(
    epilog="Examples:  satjudge crosscheck --against kruijswijk-partial --fuzz 5000  ·  "
    'satjudge crosscheck --against "./my-engine --batch" --fuzz 20000 --save found --report found.html  ·  '
    'satjudge crosscheck --against "./my-engine --batch" found/4u-2M1S1C-f784101c.txt  ·  '
    "satjudge crosscheck --against my_engine:judge datc:all"
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--against", metavar="NAME|CMD", help="An oracle (see --list), a program with its arguments, or module:function.")
@click.option("--list", "list_them", is_flag=True, help="List the oracles that come with satjudge, and the dialects.")
@click.option("--fuzz", type=click.IntRange(1, MOST), metavar="N", help="Compare N random boards.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="What they are drawn from.")
@click.option("--only", type=click.IntRange(min=0), metavar="NUMBER", help="Compare just this board of the seed.")
@click.option(
    "--flavour", metavar="NAME,...", help="What they are full of: general, circles, convoys, dense; one named twice comes twice"
    " as often. [default: six convoys, two circles, one general, one dense]",
)  # fmt: skip
@click.option(
    "--units", callback=units_range, metavar="A..B",
    help="How many units a board has. [default: a mix of 4..9, 4..14, 10..22 and 16..34]",
)  # fmt: skip
@click.option(
    "--depth", type=click.Choice(["positions", "dislodgements", "verdicts"]),
    help="How much is compared. [default: all that the engine tells]",
)  # fmt: skip
@click.option("--dialect", default="satjudge", show_default=True, metavar="NAME|FILE.toml", help="How the engine writes.")
@click.option(
    "--known", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.toml", help="More differences that are explained."
)
@rules_options
@engine_option(Engine.FULL)
@click.option("--timeout", type=Seconds(min=0.01), default=10.0, show_default=True, help="Seconds for an answer.")
@click.option(
    "--restarts", type=click.IntRange(min=1), default=100, show_default=True,
    help="Give up on a program that fails so often in a row.",
)  # fmt: skip
@click.option("--shrink", type=click.IntRange(0, MOST), default=1000, show_default=True, help="Shrink at most so many boards.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), metavar="J", help="Processes. [default: one per processor]")
@click.option("--scheduler", metavar="ADDRESS", help="Work on the cluster of this `distributed` scheduler instead.")
@click.option(
    "--checkpoint", type=click.Path(dir_okay=False, path_type=Path),
    help="Keep finished work in this file (JSON Lines); a run that was interrupted goes on from there.",
)  # fmt: skip
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Write each finding there as a case that reruns.",
)  # fmt: skip
@click.option(
    "--report", "reports", multiple=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write a report to this .md or .html file.",
)  # fmt: skip
@json_option
def crosscheck(
    files: tuple[str, ...],
    against: str | None,
    list_them: bool,
    fuzz: int | None,
    seed: int,
    only: int | None,
    flavour: str | None,
    units: tuple[int, int] | None,
    depth: str | None,
    dialect: str,
    known: Path | None,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
    timeout: float,
    restarts: int,
    shrink: int,
    jobs: int | None,
    scheduler: str | None,
    checkpoint: Path | None,
    save: Path | None,
    reports: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Compare another engine with satjudge; shrink findings.

    The positions are those of FILEs (order sheets, saved games, batch lines, jDip's cases; datc:6.F.14, datc:6.F, datc:all), or
    with --fuzz random boards. A program answers batch lines on its standard streams (docs/crosscheck.md). Each finding is
    shrunk until nothing more can go, and counted once by shape; the exit status is 1 if one is not explained, or if the engine
    fails too often. Board N of a seed is always the same, and so is the result, whatever the jobs and however often the run was
    interrupted.
    """
    from satjudge.crosscheck.campaign import campaign_against
    from satjudge.crosscheck.comparison import Depth
    from satjudge.crosscheck.line_process import end_all
    from satjudge.running.executors import worker_pool

    if list_them:
        return _list()
    if against is None:
        raise click.UsageError("name the other engine with --against; --list tells those that come with satjudge")
    _check_reports(reports)
    source = _source(files, fuzz, seed, only, flavour, units)
    if not source.positions:
        tell("satjudge: nothing ran: there is no movement phase in these files", err=True)
        return EXIT_NOTHING_RAN
    check_writable(save, (*reports, *filter(None, [checkpoint])))
    campaign = campaign_against(
        against, source, rules=rules, settings=settings, depth=Depth(depth) if depth else None, engine=Engine(engine),
        dialect=dialect, timeout=timeout, restarts=restarts, known=known,
    )  # fmt: skip
    with worker_pool(min(jobs or processors(), source.positions), scheduler, end_all) as chosen:
        tally, lost = _counted(campaign, chosen, checkpoint)
        if lost and not tally.boards:
            raise RequestError(f"{against}: {lost}", suggestion="nothing was compared")
        found = _shrunk(campaign, tally, chosen, shrink)
    return _told(campaign, tally, found, lost, save, reports, as_json)


def _list() -> int:
    """Tell what can be named."""
    from satjudge.crosscheck.registry import ORACLES
    from satjudge.formats.dialects import load_dialects

    show("Oracles (--against NAME)")
    for oracle in ORACLES.values():
        show(f"  {oracle.name:20} {oracle.about}, under {oracle.rules}{_missing(oracle)}")
    show("Dialects (--dialect NAME)")
    for dialect in load_dialects().values():
        show(f"  {dialect.name:20} {dialect.about}")
    return 0


def _missing(oracle: NamedOracle) -> str:
    """What must be installed for it, if anything."""
    try:
        oracle.load()
    except NotFoundError as error:
        return f" – {error}"
    return ""


# ---- the positions ----


def _source(
    files: tuple[str, ...],
    fuzz: int | None,
    seed: int,
    only: int | None,
    flavour: str | None,
    units: tuple[int, int] | None,
) -> Source:
    """What is compared. Raises `InputError` for files that cannot be read."""
    from satjudge.crosscheck.positions import Fuzz
    from satjudge.research.boards import MIX

    if bool(files) == (fuzz is not None or only is not None):
        raise click.UsageError("name files, or ask for random boards with --fuzz N (one again: --only NUMBER)")
    if files:
        return _listed(files)
    return Fuzz(seed, fuzz or 1 if only is None else 1, _flavours(flavour) if flavour else MIX, units, only or 0)


def _listed(files: tuple[str, ...]) -> Source:
    """The positions in files; what cannot be compared is counted."""
    from satjudge.cli.position_files import positions_in
    from satjudge.crosscheck.positions import listed

    found = [(position, name) for name in files for position in positions_in(name)]
    if passed := sum(position is None for position, _ in found):
        tell(f"{number_of(passed, 'phase')} passed over: only movement is compared", err=True)
    taken = [(position, name) for position, name in found if position is not None]
    return listed((position for position, _ in taken), (name for _, name in taken))


def _flavours(names: str) -> tuple[Flavour, ...]:
    from satjudge.research.boards import Flavour

    try:
        return tuple(Flavour(name.strip().lower()) for name in names.split(","))
    except ValueError as error:
        raise click.UsageError(f"--flavour: {error}; there are {', '.join(Flavour)}") from None


# ---- the campaign ----


def _counted(campaign: Campaign, chosen: Pool, checkpoint: Path | None) -> tuple[Tally, str]:
    """Compare all positions, with a progress bar; and why that ended before, if the other engine was lost."""
    from satjudge.crosscheck.campaign import Tally
    from satjudge.running.counts import run_count

    boards = campaign.source.positions
    tally, lost, before = Tally(), "", 0
    began = perf_counter()
    with progress(boards) as advance:

        def start(done: int, damaged: int) -> None:
            nonlocal before
            before = done
            if damaged:
                tell(f"{checkpoint}: {damaged} damaged lines do not count; their boards are compared again", err=True)
            if done:
                tell(f"{checkpoint}: {done:,} of {boards:,} boards are compared already", err=True)
            advance(done)

        try:
            run_count(
                campaign.count, boards, chosen.executor, ahead=chosen.ahead, state=checkpoint, into=tally,
                chunk=max(1, min(_CHUNK, boards // (2 * chosen.ahead))), on_start=start, on_progress=advance,
            )  # fmt: skip
        except OracleLostError as error:
            tally.add(error.counted)
            lost = f"The engine was lost at {error.position or 'a position'}: {error.message}"
        except Exception:
            if not (lost := chosen.lost()):
                raise
    if lost:
        lost = f"{lost}; {tally.boards:,} of {boards:,} boards were compared."
    seconds, done = perf_counter() - began, tally.boards - before
    tell(f"{number_of(done, 'board')} in {seconds:.1f} s ({done / seconds:,.0f} a second)", err=True)
    return tally, lost


def _shrunk(campaign: Campaign, tally: Tally, chosen: Pool, most: int) -> Findings:
    """Shrink what differs, with a progress bar; in this process if the others were lost."""
    from satjudge.crosscheck.findings import findings, to_shrink
    from satjudge.running.executors import HERE

    chosen = HERE if chosen.lost() else chosen
    try:
        with progress(len(to_shrink(tally, most)), "boards shrunk") as advance:
            return findings(campaign, tally, chosen.executor, most=most, ahead=chosen.ahead, on_progress=advance)
    except Exception:
        if not chosen.lost():
            raise
    return _shrunk(campaign, tally, HERE, most)


# ---- what is told ----


def _check_reports(reports: tuple[Path, ...]) -> None:
    for path in reports:
        if path.suffix not in (".md", ".html"):
            raise click.UsageError(f"--report {path}: name a file that ends in .md or .html")


def _told(
    campaign: Campaign,
    tally: Tally,
    found: Findings,
    lost: str,
    directory: Path | None,
    reports: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Tell what was found in every way that is asked for, and return the exit code."""
    from satjudge.crosscheck.report import crosscheck_document
    from satjudge.render.campaigns import crosscheck_text, markdown
    from satjudge.render.report import run_page_of

    document = crosscheck_document(campaign, tally, found, directory, lost)

    def write_report(path: Path) -> None:
        write_file(path, (markdown(document) if path.suffix == ".md" else run_page_of(document)).encode())

    telling: list[Callable[[], object]] = [partial(write_report, path) for path in reports]
    if directory:
        telling.insert(0, partial(_save, campaign, found, directory))
    telling.append(lambda: write_json(document) if as_json else show(*crosscheck_text(document)))
    _each(*telling)
    if document.failed:
        for failure in document.failures:
            tell(f"satjudge: internal error: {failure.message} ({failure.again})", err=True)
        return EXIT_INTERNAL
    if document.differing or lost:
        return 1
    if document.too_large == document.boards:
        tell(f"satjudge: nothing was compared: all boards are too large for --engine {document.engine}", err=True)
        return EXIT_NOTHING_RAN
    return 0


def _each(*tasks: Callable[[], object]) -> None:
    """Do all of them, even if one fails: what took long to find is told in every way that can be. Raises the first error."""
    errors: list[Exception] = []
    for task in tasks:
        try:
            task()
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]


def _save(campaign: Campaign, found: Findings, directory: Path) -> None:
    from satjudge.crosscheck.report import case_files

    written = write_files(directory, ((case.name, case.text) for case in case_files(campaign, found, directory)))
    tell(f"wrote {number_of(written, 'case')} to {directory}", err=True)
