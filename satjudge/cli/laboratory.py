"""Commands about positions at large: `census`."""

from __future__ import annotations

import re
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from satjudge.cli.common import MOST, MOST_JOBS, json_option, rules_options, show, tell, write_files, write_json
from satjudge.cli.progress import processors, progress
from satjudge.errors import reason_of
from satjudge.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from satjudge.research.census import Plan
    from satjudge.research.tallies import Tally

_PROVINCES = 75


def units_range(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """The two ends of `4..14`; one number is both."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-)(\d{1,3}))?", value.strip())
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= least <= most <= _PROVINCES:
        raise click.BadParameter(f"{value!r} is no range of units; write 4..14, from 1 to {_PROVINCES}", ctx, param)
    return least, most


@click.command(
    epilog="Examples:  satjudge census --boards 5000 --seed 7  ·  satjudge census --boards 200000 --state census.jsonl"
    " --save shapes --plot census.svg  ·  satjudge census --units 4..8 --power-count 2 --dense-convoys --json"
)
@click.option("--boards", type=click.IntRange(1, MOST), default=1000, show_default=True, metavar="N", help="How many boards.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="What they are drawn from.")
@click.option(
    "--units", callback=units_range, metavar="A..B",
    help="How many units a board has. [default: a mix of 4..9, 4..14, 10..22 and 16..34]",
)  # fmt: skip
@click.option(
    "--power-count", type=click.IntRange(1, 7), default=7, show_default=True, metavar="K", help="At most so many powers."
)
@click.option("--dense-convoys", is_flag=True, help="Tangles of convoys only, instead of a mix of all kinds of boards.")
@click.option(
    "--compare-every", type=click.IntRange(min=0), default=10, show_default=True, metavar="N",
    help="All rulebooks judge every Nth board; 0 for none.",
)  # fmt: skip
@rules_options
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), metavar="J", help="Processes. [default: one per processor]")
@click.option(
    "--state", type=click.Path(dir_okay=False, path_type=Path),
    help="Keep finished work in this file (JSON Lines); a run that was interrupted goes on from there.",
)  # fmt: skip
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Write the smallest example of each shape there, and any counterexample to a claim, as cases for `satjudge check`.",
)  # fmt: skip
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Write bar charts to this .svg, .png or .pdf.")
@json_option
def census(
    boards: int,
    seed: int,
    units: tuple[int, int] | None,
    power_count: int,
    dense_convoys: bool,
    compare_every: int,
    rules: str | None,
    settings: tuple[str, ...],
    jobs: int | None,
    state: Path | None,
    save: Path | None,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Judge random boards and count what they hold.

    Counted are kinds and shapes of cores, numbers of resolutions, and boards on which rulebooks part.

    Kruijswijk's claims about cyclic dependencies are tested on every board; the exit status is 1 if one does not hold.
    Board N of a seed is always the same, and so is the result, whatever the jobs and however often the run was interrupted.
    """
    from satjudge.documents.census import census_document
    from satjudge.render.census import census_tables, check_plot, plot_census
    from satjudge.research.census import Plan, all_cases

    plan = Plan(seed, units, power_count, dense_convoys, rules or DEFAULT_RULES, settings, compare_every)
    _ = plan.rulebook  # a mistake in --rules is told before anything is done
    if plot:
        check_plot(plot)
    if save:
        _make(save, seed)
    tally = _watched(plan, boards, jobs or processors(), state)
    if save:
        written = write_files(save, ((f"{case.name}.txt", case.text) for case in all_cases(plan, tally)))
        tell(f"wrote {written} cases to {save}", err=True)
    document = census_document(plan, tally)
    if plot:
        try:
            plot_census(document, plot)
        except OSError as error:
            raise click.FileError(str(plot), reason_of(error)) from None
        tell(f"wrote {plot}", err=True)
    if as_json:
        write_json(document)
    else:
        for part in census_tables(document):
            show(part, "")
    return 0 if tally.holds else 1


def _make(directory: Path, seed: int) -> None:
    """Make the directory; one that holds the cases of another seed would mix two censuses."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for file in directory.glob("*.txt"):
            if f"satjudge census, seed {seed}, " not in file.read_text(encoding="utf-8"):
                raise click.UsageError(f"--save {directory}: {file.name} is of another census; name an empty directory")
    except OSError as error:
        raise click.FileError(str(directory), reason_of(error)) from None


def _watched(plan: Plan, boards: int, jobs: int, state: Path | None) -> Tally:
    """Run the census, with a progress bar or, where nobody looks on, a line now and then."""
    from satjudge.research.census import run_census
    from satjudge.running.counts import CHUNK

    before = 0
    began = perf_counter()
    chunk = max(1, min(CHUNK, boards // (4 * jobs)))

    with progress(boards) as advance:

        def start(done: int, damaged: int) -> None:
            nonlocal before
            before = done
            if damaged:
                tell(f"{state}: {damaged} damaged lines do not count; their boards are counted again", err=True)
            if done:
                tell(f"{state}: {done:,} of {boards:,} boards are counted already", err=True)
            advance(done)

        tally = run_census(plan, boards, jobs=jobs, state=state, chunk=chunk, on_start=start, on_progress=advance)
    seconds = perf_counter() - began
    speed = (boards - before) / seconds
    tell(f"{boards - before:,} boards in {seconds:.1f} s ({speed:,.0f} a second, jobs: {jobs})", err=True)
    return tally
