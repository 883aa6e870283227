"""Has the commands that count findings on many boards: `census` of random ones, `crosscheck` against another engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from satjudge.apps.cli import EXIT_INTERNAL, EXIT_NOTHING_RAN, options
from satjudge.apps.cli.options import FILE_PATH, MOST, RulesOptions, Seconds, argument, command, flag, option, read_cases
from satjudge.apps.cli.output import (
    announce_file,
    check_writable,
    file_errors,
    progress,
    show,
    status,
    tell,
    write_file,
    write_files,
    write_json,
)
from satjudge.base.errors import NotFoundError, OracleLostError, RequestError, UnresolvedError, was_interrupted
from satjudge.base.systems import words_of
from satjudge.base.words import number_of
from satjudge.judging.solve import Engine
from satjudge.world.board import Phase
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES, load_preset

if TYPE_CHECKING:
    from satjudge.base.processes import Pool
    from satjudge.bulk.boards import Flavour
    from satjudge.bulk.census import Plan
    from satjudge.bulk.tallies import Tally
    from satjudge.engines.campaign import Campaign
    from satjudge.engines.campaign import Tally as Differences
    from satjudge.engines.families import Family
    from satjudge.engines.findings import Findings
    from satjudge.engines.positions import AskedPosition, Source
    from satjudge.engines.registry import NamedOracle
    from satjudge.notation.sheets import Sheet
    from satjudge.world.board import Board


@contextmanager
def _watch_progress(
    boards: int, checkpoint: Path | None, done: str, jobs: str = ""
) -> Iterator[tuple[Callable[[int, int], None], Callable[[int], None]]]:
    """Show the progress of a count: boards in a checkpoint, boards `done` so far, and the speed.

    Gives what `run_count` calls at the start, with the numbers of boards and of damaged lines, and for every chunk.
    """
    counted = 0
    began = perf_counter()
    with progress(boards) as advance:

        def start(before: int, damaged: int) -> None:
            if damaged:
                lines = number_of(damaged, "damaged line does", "damaged lines do")
                tell(f"{checkpoint}: {lines} not count; their boards are {done} again", err=True)
            if before:
                tell(f"{checkpoint}: {before:,} of {number_of(boards, 'board')} are {done} already", err=True)
            advance(before)

        def go_on(number: int) -> None:
            nonlocal counted
            counted += number
            advance(number)

        yield start, go_on
    seconds = perf_counter() - began
    tell(f"{number_of(counted, 'board')} in {seconds:.1f} s ({counted / seconds:,.0f} a second{jobs})", err=True)


# ---- census ----


@command(
    epilog="Examples:  satjudge census --boards 5000 --seed 7  ·  satjudge census --boards 200000 --state census.jsonl"
    " --save shapes --plot census.svg  ·  satjudge census --units 4..8 --power-count 2 --dense-convoys --json"
)
def census(
    boards: int = option("How many boards.", type=click.IntRange(1, MOST), default=1000, metavar="N"),
    seed: int = options.seed,
    units: tuple[int, int] | None = options.units,
    power_count: int | None = option(
        "At most so many powers. [default: all of the map]", type=click.IntRange(min=1), metavar="K"
    ),
    dense_convoys: bool = flag("Tangles of convoys only, instead of a mix of all kinds of boards."),
    compare_every: int = option(
        "All rulebooks judge every Nth board, and its cyclic dependencies are looked at (claim c); 0 for none.",
        type=click.IntRange(min=0), default=10, metavar="N"
    ),
    game_map: Map | None = options.on_map("The map of the boards"),
    rules: RulesOptions = options.rules,
    jobs: int = options.jobs(),
    state: Path | None = options.checkpoint,
    save: Path | None = options.save(
        "Write the smallest example of each shape there, and any counterexample to a claim, as cases for `satjudge check`."
    ),
    plot: Path | None = option("Write bar charts to this .svg, .png or .pdf.", type=FILE_PATH),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Judge random boards and count what they hold.

    Counted are kinds and shapes of cores, numbers of resolutions, and boards on which rulebooks part.

    Kruijswijk's claims about cores are tested on every board, that about cyclic dependencies where rulebooks are compared; the
    exit status is 1 if one does not hold. Board N of a seed is always the same, and so is the result, whatever the jobs and
    however often the run was interrupted.
    """
    from satjudge.bulk.census import Plan
    from satjudge.bulk.documents.census import cases, census_document
    from satjudge.show.research import census_tables, check_plot, plot_census

    played_on = game_map or load_map()
    if power_count is not None and power_count > len(played_on.powers):
        raise click.BadParameter(f"{power_count}: the map has {len(played_on.powers)} powers", param_hint="--power-count")
    plan = Plan(
        seed, units, power_count or len(played_on.powers), dense_convoys, rules.name or DEFAULT_RULES, rules.settings,
        compare_every, played_on,
    )  # fmt: skip
    _ = plan.rulebook  # a mistake in --rules is told before anything is done
    if plot:
        check_plot(plot)
    if save:
        _make(save, plan)
    tally = _census(plan, boards, jobs, state)
    document = census_document(plan, tally)
    if save:
        written = write_files(save, ((f"{name}.txt", text) for name, text in cases(document)))
        tell(f"wrote {number_of(written, 'case')} to {save}", err=True)
    if plot:
        with announce_file(plot):
            plot_census(document, plot)
    if as_json:
        write_json(document)
    else:
        for part in census_tables(document):
            show(part, "")
    return 0 if tally.holds else 1


def _make(directory: Path, plan: Plan) -> None:
    """Make a directory; one that holds the cases of another seed or map would mix two censuses."""
    with file_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for file in directory.glob("*.txt"):
            if f"source: {plan.source} " not in file.read_text(encoding="utf-8"):
                raise click.UsageError(f"--save {directory}: {file.name} is of another census; name an empty directory")


def _census(plan: Plan, boards: int, jobs: int, state: Path | None) -> Tally:
    from satjudge.bulk.census import chunk_size, run_census

    chunk = chunk_size(plan, boards, jobs)
    with _watch_progress(boards, state, "counted", f", jobs: {jobs}") as (start, go_on):
        return run_census(plan, boards, jobs=jobs, state=state, chunk=chunk, on_start=start, on_progress=go_on)


# ---- crosscheck ----


def _flavours(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[Flavour, ...]:
    from satjudge.bulk.boards import MIX, Flavour

    try:
        return tuple(Flavour(name.strip().lower()) for name in names.split(",")) if names else MIX
    except ValueError as error:
        raise click.BadParameter(f"{error}; there are {', '.join(Flavour)}", context, parameter) from None


def _phases(context: click.Context, parameter: click.Parameter, names: str | None) -> tuple[Phase, ...]:
    try:
        return tuple(Phase(name.strip().lower()) for name in names.split(",")) if names else (Phase.MOVEMENT,)
    except ValueError as error:
        raise click.BadParameter(f"{error}; there are {', '.join(Phase)}", context, parameter) from None


@command(
    epilog="Examples:  satjudge crosscheck --against kruijswijk-partial --fuzz 5000  ·  "
    'satjudge crosscheck --against "./my-engine --batch" --fuzz 20000 --save found --report found.html  ·  '
    'satjudge crosscheck --against "./my-engine --batch" found/4u-2M1S1C-f784101c.txt  ·  '
    "satjudge crosscheck --against my_engine:judge datc:all  ·  "
    "satjudge crosscheck --reduce crash.jsonl --test \"sh -c '! ./my-engine'\""
)
def crosscheck(
    files: tuple[str, ...] = argument(nargs=-1, metavar="[FILE]..."),
    against: str | None = option(
        "An oracle (see --list), a rulebook, a program with its arguments, or module:function.", metavar="NAME|CMD"
    ),
    list_them: bool = flag("List the oracles that come with satjudge, and the dialects.", "--list"),
    reduce: str | None = option("Shrink the position in this file as long as --test exits with 0.", metavar="FILE"),
    test: str | None = option(
        "A program that reads a position as a batch line, and exits with 0 while the position still fails.", metavar="CMD"
    ),
    fuzz: int | None = option("Compare N random boards.", type=click.IntRange(1, MOST), metavar="N"),
    seed: int = options.seed,
    only: int | None = option("Compare just this board of the seed.", type=click.IntRange(min=0), metavar="NUMBER"),
    flavours: tuple[Flavour, ...] = option(
        "What they are full of: general, circles, convoys, dense, variant (what the map has of its own); one named twice comes"
        " twice as often. [default: six convoys, two circles, one general, one dense]",
        "--flavour", metavar="NAME,...", callback=_flavours,
    ),
    phases: tuple[Phase, ...] = option(
        "Of which phases they are: movement, retreat, adjustment. [default: movement]",
        "--phase", metavar="NAME,...", callback=_phases,
    ),
    units: tuple[int, int] | None = options.units,
    depth: str | None = option(
        "How much is compared. [default: all that the engine tells]",
        type=click.Choice(["positions", "dislodgements", "results", "verdicts"])
    ),
    dialect: str = option("How the engine writes.", default="satjudge", metavar="NAME|FILE.toml"),
    legal_only: bool = flag("Leave illegal orders out, for an engine that takes no such orders."),
    known: tuple[str, ...] = option(
        "More differences that are explained; or what the engine is known to do: 4.A.2=all-hold, 'rulebook 1982', "
        "'DEFEND without supports'.", metavar="FILE.toml|WHAT", multiple=True,
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    limits: dict[str, Any] = options.limits(restarts=100),
    shrink: int = option("Shrink at most so many boards.", type=click.IntRange(0, MOST), default=1000),
    shrink_time: float = option("Begin to shrink no board after that.", type=Seconds(min=0.01), default=600.0),
    diagnosis: bool | None = option(
        "Say which mistakes explain the findings. [default: of more than one position]",
        "--diagnosis/--no-diagnosis", default=None,
    ),
    jobs: int = options.jobs(),
    scheduler: str | None = option("Work on the cluster of this `distributed` scheduler instead.", metavar="ADDRESS"),
    checkpoint: Path | None = options.checkpoint,
    save: Path | None = options.save("Write each finding there as a case that reruns."),
    reports: tuple[Path, ...] = option(
        "Write a report to this .md or .html file.", "--report", type=FILE_PATH, metavar="FILE", multiple=True
    ),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Compare another engine with satjudge; shrink findings.

    The positions are those of FILEs (order sheets, games, batch lines, jDip's cases; datc:6.F.14, datc:6.F, catalogue:all), or
    with --fuzz random boards. A program answers batch lines on its standard streams (docs/guides/crosscheck.md). Each finding
    is shrunk until nothing more can go, and counted once by shape; the exit status is 1 if one is not explained, or if the
    engine fails too often. Board N of a seed is always the same, and so is the result, whatever the jobs and however often the
    run was interrupted.

    With --reduce the position is anybody's, and the program of --test says whether it is still of interest, as C-Reduce's test
    does: it gets the position on its standard input as a batch line. The smallest position is written as an order sheet, with
    --json as a batch line; Ctrl-C writes the smallest so far.
    """
    from satjudge.base.processes import worker_pool
    from satjudge.engines.campaign import Tally, campaign_against
    from satjudge.engines.comparison import Depth
    from satjudge.engines.positions import Fuzz
    from satjudge.engines.report import progress_lines

    if list_them:
        return _list()
    if reduce is not None or test is not None:
        return _reduce_file(reduce, test, game_map, limits["timeout"], as_json, others=bool(files or against or fuzz))
    if against is None:
        raise click.UsageError("name the other engine with --against; --list tells those that come with satjudge")
    for path in reports:
        if path.suffix not in (".md", ".html"):
            raise click.UsageError(f"--report {path}: name a file that ends in .md or .html")
    if bool(files) == (fuzz is not None or only is not None):
        raise click.UsageError("name files, or ask for random boards with --fuzz N (one again: --only NUMBER)")
    boards = fuzz or 1 if only is None else 1
    given = options.map_given()
    if files:
        source: Source = _read_source(files, game_map, given, against)
    else:
        source = Fuzz(seed, boards, flavours, units, phases, only or 0, game_map or load_map(), given)
    if not source.positions:
        tell("satjudge: nothing ran: there is no phase in these files that can be compared", err=True)
        return EXIT_NOTHING_RAN
    check_writable(save, (*reports, *filter(None, [checkpoint])))
    campaign = campaign_against(
        against, source, rules=rules.name, settings=rules.settings, depth=Depth(depth) if depth else None, engine=engine,
        dialect=dialect, known=known, legal_only=legal_only, **limits,
    )  # fmt: skip
    tally = Tally()
    try:
        with worker_pool(min(jobs, source.positions), scheduler) as chosen:
            lost = _run_comparison(campaign, chosen, checkpoint, tally)
            if lost and not tally.boards:
                raise RequestError(f"{against}: {lost}", suggestion="nothing was compared")
            found = _shrink_findings(campaign, tally, chosen, shrink, shrink_time)
            wanted = source.positions > 1 if diagnosis is None else diagnosis  # it asks the kit, which takes minutes
            families = _families(campaign, tally, found, wanted)
    except BaseException as error:
        if was_interrupted(error):
            for line in progress_lines(campaign, tally):
                tell(line, err=True)
        raise
    return _report_findings(campaign, tally, found, families, lost, save, reports, as_json)


def _list() -> int:
    """List the oracles and dialects that can be named."""
    from satjudge.engines.registry import ORACLES
    from satjudge.files.dialects import load_dialects
    from satjudge.show.engines import engines_lines

    oracles = [(oracle.name, oracle.about, oracle.rules, _missing(oracle)) for oracle in ORACLES.values()]
    show(*engines_lines(oracles, [(dialect.name, dialect.about) for dialect in load_dialects().values()]))
    return 0


def _reduce_file(
    file: str | None, test: str | None, game_map: Map | None, seconds: float, as_json: bool, *, others: bool
) -> int:  # fmt: skip
    """Shrink the one position of a file by a test of the user's, and write the smallest, also if interrupted."""
    from satjudge.engines.findings import size_of
    from satjudge.engines.shrinking import FailureTest, reduce_position, reduced_text

    if file is None or not test or others:
        raise click.UsageError("--reduce FILE goes with --test CMD, and with no other engine or position")
    smallest, asked = _only_position(file, game_map), 0
    before = number_of(size_of(smallest), "unit")

    def format_progress() -> str:
        return f"{size_of(smallest)} of {before} left after {number_of(asked, 'question')}"

    def write() -> None:
        tell((smallest.line.decode() if as_json else reduced_text(smallest)).rstrip("\n"))
        tell(format_progress(), err=True)

    with status(f"asking about {before}") as change:

        def on_progress(position: AskedPosition, tries: int) -> None:
            nonlocal smallest, asked
            smallest, asked = position, tries
            change(format_progress())

        try:
            smallest = reduce_position(smallest, FailureTest(words_of(test), seconds), on_progress=on_progress)
        except BaseException as error:
            if was_interrupted(error):
                write()
            raise
    write()
    return 0


def _only_position(file: str, game_map: Map | None) -> AskedPosition:
    """Read the one position in a file. Raises `InputError`."""
    found = [position for position in _positions(file, game_map) if position is not None]
    if len(found) != 1:
        raise RequestError(
            f"{file}: it has {number_of(len(found), 'position')} that can be reduced",
            suggestion="give a file with one: a batch line, an order sheet, or a shipped case such as datc:6.F.14",
        )
    return found[0]


def _missing(oracle: NamedOracle) -> str:
    """Write why an oracle cannot be asked, if it cannot."""
    try:
        oracle.load()
    except NotFoundError as error:
        return str(error)
    return ""


def _read_source(files: tuple[str, ...], game_map: Map | None, given: str, against: str) -> Source:
    """Read the positions in files, and tell how many phases cannot be compared.

    Raises `InputError`.
    """
    from satjudge.engines.positions import listed_positions
    from satjudge.engines.registry import phases_of

    found = [(position, name) for name in files for position in _positions(name, game_map)]
    whole = [(position, name) for position, name in found if position is not None]
    taken = [(position, name) for position, name in whole if position.board.phase in phases_of(against)]
    if odd := len(found) - len(whole):
        tell(f"{number_of(odd, 'phase')} passed over: they have orders that are not of their phase", err=True)
    if later := len(whole) - len(taken):
        tell(f"{number_of(later, 'phase')} passed over: {against} judges movement only", err=True)
    return listed_positions((position for position, _ in taken), (name for _, name in taken), given)


def _positions(name: str, game_map: Map | None) -> Iterator[AskedPosition | None]:
    """Read the phases in a file, or among the shipped cases; None for one with orders of another phase.

    Raises `InputError`.
    """
    from satjudge.engines.positions import position_of

    for sheet in read_cases(name, game_map=game_map):
        identity = sheet.identity or sheet.source_file
        yield position_of(sheet.board, sheet.orders_by_power(), identity)
        if sheet.has_retreats and (board := _retreat_board(sheet)):
            yield position_of(board, sheet.retreats_by_power(), f"{identity}/retreats")


def _retreat_board(sheet: Sheet) -> Board | None:
    """Find the board of the retreat phase behind a sheet's moves; None where its rulebook has no answer to them."""
    from satjudge.judging.judge import judge

    try:
        return judge(sheet.board, sheet.orders_by_power(), rulebook=load_preset(sheet.rules)).retreat_board
    except UnresolvedError:
        return None


def _run_comparison(campaign: Campaign, chosen: Pool, checkpoint: Path | None, tally: Differences) -> str:
    """Compare all positions, count them in the tally, and return a message if the other engine was lost."""
    from satjudge.base.counts import run_count
    from satjudge.engines.campaign import CHUNK

    boards = campaign.source.positions
    lost = ""
    with _watch_progress(boards, checkpoint, "compared") as (start, go_on):
        try:
            run_count(
                campaign.count, boards, chosen.executor, ahead=chosen.ahead, state=checkpoint, into=tally,
                chunk=max(1, min(CHUNK, boards // (2 * chosen.ahead))), on_start=start, on_progress=go_on,
            )  # fmt: skip
        except OracleLostError as error:
            tally.add(error.counted)
            go_on(error.counted.boards)
            lost = f"The engine was lost at {error.position or 'a position'}: {error.message}"
        except Exception:
            if not (lost := chosen.lost()):
                raise
    return f"{lost}; {tally.boards:,} of {number_of(boards, 'board')} were compared." if lost else ""


def _shrink_findings(campaign: Campaign, tally: Differences, chosen: Pool, most: int, seconds: float) -> Findings:
    """Shrink the positions that differ, with a progress bar; in this process if the others were lost."""
    from satjudge.base.processes import HERE
    from satjudge.engines.findings import findings, to_shrink

    chosen = HERE if chosen.lost() else chosen
    try:
        with progress(len(to_shrink(tally, most)), "boards shrunk") as advance:
            return findings(
                campaign, tally, chosen.executor, most=most, seconds=seconds, ahead=chosen.ahead, on_progress=advance
            )
    except Exception:
        if not chosen.lost():
            raise
    return _shrink_findings(campaign, tally, HERE, most, seconds)


def _families(campaign: Campaign, tally: Differences, found: Findings, diagnosis: bool) -> Sequence[Family]:
    """Group the findings by cause, with hypotheses about the engine if there is to be a diagnosis."""
    from satjudge.engines.families import TRIES, families

    if not found.unexplained or not diagnosis:
        return families(campaign, tally, found.unexplained)
    try:
        with status("looking for causes"):
            return families(campaign, tally, found.unexplained, TRIES)
    except Exception as error:  # the findings are told all the same
        tell(f"no causes: looking for them failed ({type(error).__name__}: {error}); findings are grouped by kind", err=True)
        return families(campaign, tally, found.unexplained)


def _report_findings(
    campaign: Campaign,
    tally: Differences,
    found: Findings,
    families: Sequence[Family],
    lost: str,
    directory: Path | None,
    reports: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Write the findings in each requested format, and return the exit code."""
    from satjudge.engines.conformance.fault_descriptions import part_in_words
    from satjudge.engines.report import crosscheck_document
    from satjudge.show.engines import crosscheck_text, markdown
    from satjudge.show.report import run_page_of

    document = crosscheck_document(campaign, tally, found, directory, lost, families, part_in_words)

    def write_report(path: Path) -> None:
        write_file(path, (markdown(document) if path.suffix == ".md" else run_page_of(document)).encode())

    with ExitStack() as telling:  # from the last to the first, and all of them even if one fails: it took long to find
        telling.callback(lambda: write_json(document) if as_json else show(*crosscheck_text(document)))
        for path in reversed(reports):
            telling.callback(write_report, path)
        if directory:
            telling.callback(_save, campaign, found, directory)
    if document.failed:
        for failure in document.failures:
            tell(f"satjudge: internal error: {failure.message} ({failure.again})", err=True)
        return EXIT_INTERNAL
    if document.differing or lost:
        return 1
    if document.skipped == document.boards:
        tell(f"satjudge: nothing was compared: {document.against} skips all boards", err=True)
        return EXIT_NOTHING_RAN
    if document.too_large == document.boards:
        tell(f"satjudge: nothing was compared: all boards are too large for --engine {document.engine}", err=True)
        return EXIT_NOTHING_RAN
    return 0


def _save(campaign: Campaign, found: Findings, directory: Path) -> None:
    from satjudge.engines.report import case_files

    written = write_files(directory, ((case.name, case.text) for case in case_files(campaign, found, directory)))
    tell(f"wrote {number_of(written, 'case')} to {directory}", err=True)
