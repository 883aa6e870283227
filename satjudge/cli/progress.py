"""What a command that takes its time shows meanwhile, and how many processes share the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from satjudge.cli.output import tell


def processors() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def progress(total: int, what: str = "boards") -> Iterator[Callable[[int], None]]:
    """Something to tell how many more are done: a bar or, where nobody looks on, a line now and then."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda count: bar.advance(task, count)
        return
    done = told = 0

    def advance(count: int) -> None:
        nonlocal done, told
        done += count
        if 10 * done // total > 10 * told // total and count:
            tell(f"{done:,} of {total:,} {what}", err=True)
            told = done

    yield advance
