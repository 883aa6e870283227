"""Running a census: over processes, in chunks, and with a state file that an interrupted run goes on from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from pathlib import Path

from satjudge.research.census import Plan, Tally, tally_boards
from satjudge.running.counts import CHUNK, Count, run_count
from satjudge.running.processes import processes


def census_of(plan: Plan) -> Count[Tally]:
    """The plan as work that can be done in chunks."""
    return Count("census", plan.described(), Tally, partial(tally_boards, plan))


def run_census(
    plan: Plan,
    boards: int,
    *,
    jobs: int = 1,
    state: Path | None = None,
    chunk: int = CHUNK,
    on_start: Callable[[int, int], None] = lambda done, damaged: None,
    on_progress: Callable[[int], None] = lambda boards: None,
) -> Tally:
    """A census of the boards 0 to `boards` - 1 in so many processes; for the rest see `run_count`."""
    with processes(min(jobs, ceil(boards / chunk))) as executor:
        return run_count(
            census_of(plan), boards, executor, ahead=2 * jobs, state=state, chunk=chunk,
            on_start=on_start, on_progress=on_progress,
        )  # fmt: skip
