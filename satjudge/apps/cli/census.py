"""The commands `census` and `count`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    MOST,
    RulesOptions,
    argument,
    check_movement,
    command,
    flag,
    option,
    read_case,
)
from satjudge.apps.cli.output import (
    convert_file_errors,
    show,
    watch_progress,
    write_files,
    write_json,
    write_text,
)
from satjudge.base.words import number_of
from satjudge.notation.sheets import Sheet
from satjudge.world.board import starting_board
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from satjudge.bulk.census import Plan


@command(
    epilog="Examples:  satjudge census --boards 5000 --seed 7  ·  satjudge census --boards 200000 --state census.jsonl"
    " --save shapes  ·  satjudge census --units 4..8 --power-count 2 --dense-convoys --json"
)
def census(
    boards: int = option("Number of boards.", type=click.IntRange(1, MOST), default=1000),
    seed: int = options.seed,
    units: tuple[int, int] | None = options.units,
    power_count: int | None = option("Maximum number of powers. [default: all]", type=click.IntRange(min=1), metavar="K"),
    dense_convoys: bool = flag("Use only boards with many convoys, instead of all kinds."),
    compare_every: int = option(
        "Compare rulebooks on every Nth board; 0 never compares them.",
        type=click.IntRange(min=0), default=10
    ),
    game_map: Map | None = options.on_map("An included map or a map file. [default: standard]"),
    rules: RulesOptions = options.rules,
    jobs: int = options.jobs(),
    state: Path | None = options.checkpoint,
    save: Path | None = options.save("Write the smallest example of each shape to this directory, as a case."),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Count cores and resolutions on random boards.

    The output shows how often each kind and shape of core, each number of resolutions, and each difference between rulebooks
    occurs. satjudge also tests Kruijswijk's claims about cores on every board, except claim c (on cyclic dependencies),
    which it tests only on boards where it compares rulebooks. The exit status is 1 if a claim fails. Use --save to keep the
    counterexample.

    For a given seed, the results are always the same, whatever the number of processes and even after an interruption.
    """
    from satjudge.bulk.census import Plan, census_document, chunk_size, list_cases, run_census
    from satjudge.show.research import iter_census_tables

    played_on = game_map or load_map()
    if power_count is not None and power_count > len(played_on.powers):
        raise click.BadParameter(f"{power_count}: the map has {len(played_on.powers)} powers", param_hint="--power-count")
    plan = Plan(
        seed, units, power_count or len(played_on.powers), dense_convoys, rules.name or DEFAULT_RULES, rules.settings,
        compare_every, played_on,
    )  # fmt: skip
    _ = plan.rulebook  # a mistake in --rules is reported before any work
    if save:
        _make_directory(save, plan)
    chunk = chunk_size(plan, boards, jobs)
    with watch_progress(boards, state, "counted", f", jobs: {jobs}") as (start, go_on):
        tally = run_census(plan, boards, jobs=jobs, state_path=state, chunk=chunk, on_start=start, on_progress=go_on)
    document = census_document(plan, tally)
    if save:
        written = write_files(save, ((f"{name}.txt", text) for name, text in list_cases(document)))
        write_text(f"wrote {number_of(written, 'case')} to {save}", err=True)
    if as_json:
        write_json(document)
    else:
        for part in iter_census_tables(document):
            show(part, "")
    return 0 if tally.holds else 1


def _make_directory(directory: Path, plan: Plan) -> None:
    """Create a directory for cases if missing; raise `click.UsageError` if a `.txt` file in it is not a case of this plan."""
    with convert_file_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for file in directory.glob("*.txt"):
            if f"source: {plan.source} " not in file.read_text(encoding="utf-8"):
                raise click.UsageError(f"--save {directory}: {file.name} belongs to another census; name an empty directory")


@command(
    epilog="Examples:  satjudge count  ·  satjudge count --map loeb9 --second-opinion  ·  satjudge count datc:6.F.14 --json"
)
def count(
    file: str | None = argument(required=False),
    identity: str | None = options.case,
    second_opinion: bool = flag("Count the positions again in a second way, power by power, and compare."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:
    """Count legal order sets and the positions they lead to.

    Without FILE, satjudge counts for the opening position (Spring 1901). The orders in FILE are ignored. All numbers are
    exact. docs/background/counts.md explains what is counted.
    """
    from satjudge.bulk.position_counts import count_document
    from satjudge.show.research import iter_count_lines

    if file is None:
        if identity is not None:
            raise click.UsageError("--case chooses a case from a file, but no file is given")
        played_on = game_map or load_map()
        title = f"The beginning of a game on the map {played_on.name}"
        sheet = Sheet("", title=title, map=played_on, given=starting_board(played_on))
    else:
        sheet = read_case(file, identity, game_map)
        check_movement(sheet, "only orders of movement phases are counted")
    document = count_document(sheet, rules.load_rulebook(sheet.rules), second_opinion=second_opinion)
    if as_json:
        write_json(document)
    else:
        show(*iter_count_lines(document, sheet.board.map))
    return 0
