"""Taking times: interleaved rounds of processor time, medians with their spread, figures with their targets."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median, quantiles
from typing import TypeVar

T = TypeVar("T")

Contestant = Callable[[T], Callable[[], object]]
"""Sets up one case, untimed, and returns the work to time."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    seed: int
    boards: int
    """Of each class that is drawn."""
    rounds: int
    processes: int
    """How often a command is started."""


QUICK = Effort(seed=1, boards=6, rounds=1, processes=1)
FULL = Effort(seed=1, boards=100, rounds=5, processes=7)


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some values, their quartiles and extremes, and how many there were."""

    median: float
    low: float
    high: float
    least: float
    most: float
    count: int

    def times(self, factor: float) -> Spread:
        """The same in another unit."""
        median, low, high, least, most = (value * factor for value in (self.median, self.low, self.high, self.least, self.most))
        return Spread(median, low, high, least, most, self.count)


def spread(values: Iterable[float]) -> Spread:
    """The spread of at least one value."""
    found = sorted(values)
    low, middle, high = quantiles(found, n=4, method="inclusive") if len(found) > 1 else found * 3
    return Spread(middle, low, high, found[0], found[-1], len(found))


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `target` is what the median (or, as said, the largest value) may at most or must at least be."""

    section: str
    name: str
    unit: str
    values: Spread
    target: float | None = None
    at_least: bool = False
    of_largest: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without one."""
        if self.target is None:
            return None
        value = self.values.most if self.of_largest else self.values.median
        return value >= self.target if self.at_least else value <= self.target

    @property
    def aim(self) -> str:
        """The target in words."""
        if self.target is None:
            return ""
        return f"{'≥' if self.at_least else '≤'} {self.target:g}{' (largest)' if self.of_largest else ''}"


def number(section: str, name: str, unit: str, value: float, note: str = "") -> Figure:
    """A figure that is counted, not measured."""
    return Figure(section, name, unit, spread([value]), note=note)


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the garbage collector, as `timeit` has it: it would slow an arbitrary contestant."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(work: Callable[[], object]) -> float:
    """The processor time that it takes once: what else runs on the machine matters little to that."""
    began = time.process_time()
    work()
    return time.process_time() - began


def repeated(contestant: Contestant[T], cases: Sequence[T], rounds: int) -> list[float]:
    """Return for each case the median time over some rounds, after one round to warm up."""
    return interleaved({"only": contestant}, cases, rounds)["only"]


def interleaved(
    contestants: Mapping[str, Contestant[T]],
    cases: Sequence[T],
    rounds: int,
    others: Iterable[Callable[[Sequence[T]], Mapping[str, Sequence[float]]]] = (),
) -> dict[str, list[float]]:
    """Return for each contestant the median time of each case over some rounds, after one round to warm up.

    In each round one contestant after the other goes through all cases, everything set up before, so that it works in caches
    of its own. Who begins changes with every round: a machine that slows down or speeds up meets all alike. `others` go through
    all cases in their own way, and tell the times of each, by what was timed.
    """
    passes: list[Callable[[Sequence[T]], Mapping[str, Sequence[float]]]] = [
        *(partial(_timed, name, contestant) for name, contestant in contestants.items()),
        *others,
    ]
    times: dict[str, list[list[float]]] = {}
    for turn in range(rounds + 1):
        begin = turn % len(passes)
        for go_through in passes[begin:] + passes[:begin]:
            for name, taken in go_through(cases).items():
                found = times.setdefault(name, [[] for _ in cases])
                for all_taken, one in zip(found, taken, strict=True):
                    all_taken += [one] if turn else []
    return {name: [median(found) for found in rows] for name, rows in times.items()}


def _timed(name: str, contestant: Contestant[T], cases: Sequence[T]) -> dict[str, list[float]]:
    works = [contestant(case) for case in cases]
    with no_collection():
        return {name: [seconds(work) for work in works]}


def in_turn(preparations: Mapping[str, Callable[[], Callable[[], object]]], rounds: int) -> dict[str, list[float]]:
    """Return the times of some works, one after the other in some rounds, after one to warm up; setup is not timed."""
    times: dict[str, list[float]] = {name: [] for name in preparations}
    for turn in range(rounds + 1):
        with no_collection():
            for name, prepare in preparations.items():
                taken = seconds(prepare())
                if turn:
                    times[name].append(taken)
    return times


def version_of(package: str) -> str | None:
    """The version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def run(*command: str) -> tuple[float, float]:
    """How long one waits for a command, and its processor time; its output is thrown away.

    Raises `CalledProcessError` if it fails.
    """
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used


def peak_megabytes(code: str) -> float:
    """The largest resident memory of a fresh interpreter that runs this."""
    tell = "import sys; print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{tell}"], capture_output=True, text=True, check=True)
    return int(done.stderr.split("VmHWM:")[1].split()[0]) / 1024
