"""Judges a million generated boards through `satjudge batch` for docs/papers/speed.md: throughput, and memory over time.

    python benchmarks/studies/million.py --boards 1000000 --jobs 2 --json found.json

Drawing a board at random takes longer than judging it, so some thousand are drawn once. Each line is one of these with four
orders replaced by others that some board gives to such a unit, legal here or not: of a million hardly two are the same.
Exit status 1 if an answer is missing or out of order, or the memory grew by more than a tenth after the first quarter.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from phases import GAME_SIZE, drawn

from satjudge.bulk.random_boards.boards import Flavour

DRAWN = 3_000
REPLACED = 4
SAMPLE_SECONDS = 0.25
LARGEST_GROWTH = 1.1


def lines(seed: int, count: int) -> Iterator[bytes]:
    """Yield boards as lines of the batch format, numbered from 0."""
    random = Random(seed)
    cases = [drawn(seed, index, Flavour.GENERAL, GAME_SIZE) for index in range(DRAWN)]
    positions = [(case.units, case.orders) for case in cases]
    known: dict[str, list[str]] = {}
    for _, orders in positions:
        for text in (text for given in orders.values() for text in given):
            known.setdefault(" ".join(text.split()[:2]), []).append(text)
    for index in range(count):
        units, orders = positions[int(random.random() * DRAWN)]
        changed = {power: list(given) for power, given in orders.items()}
        powers = list(changed)
        for _ in range(REPLACED):
            given = changed[powers[int(random.random() * len(powers))]]
            at = int(random.random() * len(given))
            others = known[" ".join(given[at].split()[:2])]
            given[at] = others[int(random.random() * len(others))]
        yield msgspec.json.encode({"id": index, "units": units, "orders": changed}) + b"\n"


@dataclass(frozen=True, slots=True)
class Sample:
    """How a run stood at some time."""

    seconds: float
    answers: int
    megabytes: tuple[float, ...]
    """Of the command's own process, then of those that it started, oldest first."""


@dataclass
class Watched:
    """The observations of a run."""

    answers: int = 0
    errors: int = 0
    in_order: bool = True
    samples: list[Sample] = field(default_factory=list)
    processor_seconds: float = 0.0
    """What all processes of the command took of the processor together."""

    def read(self, stream: Iterator[bytes]) -> None:
        """Count the answers as they come."""
        for line in stream:
            self.in_order &= line.startswith(b'{"id":%d,' % self.answers)
            self.errors += b'"error":' in line
            self.answers += 1

    def sample(self, pid: int, began: float, over: threading.Event) -> None:
        """Look at the memory now and then until it is over."""
        while not over.wait(SAMPLE_SECONDS):
            self.samples.append(Sample(time.perf_counter() - began, self.answers, megabytes(pid)))

    def at_tenths(self) -> list[Sample]:
        """For each tenth of the answers the sample with the most memory."""
        last = max(1, self.answers)
        tenths: dict[int, list[Sample]] = {}
        for sample in self.samples:
            tenths.setdefault(max(1, ceil(10 * sample.answers / last)), []).append(sample)
        return [max(found, key=lambda sample: sum(sample.megabytes)) for _, found in sorted(tenths.items())]


def megabytes(pid: int) -> tuple[float, ...]:
    """The resident memory of a process, and of all that it started."""
    found = []
    waiting = [pid]
    while waiting:
        one = waiting.pop(0)
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii")
            children = [path.read_text(encoding="ascii") for path in Path(f"/proc/{one}/task").glob("*/children")]
        except OSError:  # it is gone
            continue
        found += [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")]
        waiting += sorted(int(child) for some in children for child in some.split())
    return tuple(found)


def run(seed: int, boards: int, jobs: int) -> tuple[Watched, float]:
    """Send the boards through the command, and return the observations and the seconds."""
    command = [sys.executable, "-m", "satjudge", "batch", "--jobs", str(jobs), "-"]
    generated = lines(seed, boards)
    first = next(generated)
    watched, over, began = Watched(), threading.Event(), time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        reader = threading.Thread(target=watched.read, args=(iter(process.stdout),))
        sampler = threading.Thread(target=watched.sample, args=(process.pid, began, over))
        for thread in (reader, sampler):
            thread.start()
        process.stdin.write(first)
        process.stdin.writelines(generated)
        process.stdin.close()
        reader.join()
        taken = time.perf_counter() - began
        over.set()
        sampler.join()
    watched.processor_seconds = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    return watched, taken


def growth(watched: Watched) -> float:
    """The largest memory in the last quarter of the answers over the largest in the second; 1 is flat."""
    quarters = [
        max((sum(one.megabytes) for one in watched.samples if low < one.answers / watched.answers <= high), default=0.0)
        for low, high in ((0.25, 0.5), (0.75, 1.0))
    ]
    return quarters[1] / quarters[0] if quarters[0] else 1.0


def in_words(megabytes: Sequence[float]) -> str:
    """The memory of the processes of a run."""
    own, *others = (f"{each:.0f}" for each in megabytes)
    return f"{own} MB" + (f", and {' + '.join(others)} MB in the processes that it started" if others else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="a million boards through satjudge batch")
    parser.add_argument("--boards", type=int, default=1_000_000, metavar="N", help="how many (1,000,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (one for each core)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and the memory over time")
    chosen = parser.parse_args(arguments)
    watched, taken = run(chosen.seed, chosen.boards, chosen.jobs)
    peak = max((sum(sample.megabytes) for sample in watched.samples), default=0.0)
    whole = watched.answers == chosen.boards and watched.in_order
    grown = growth(watched)
    print(
        f"{watched.answers:,} answers ({watched.errors:,} errors) in {taken:.1f} s with {chosen.jobs} jobs:"
        f" {watched.answers / taken:,.0f} a second, boards made on the same machine meanwhile;"
        f" {watched.processor_seconds / watched.answers * 1e6:.0f} µs of the processor for each;"
        f" {'all in order' if whole else 'ANSWERS MISSING OR OUT OF ORDER'};"
        f" peak memory of all processes {peak:.0f} MB, last quarter / second quarter {grown:.2f}"
    )
    for sample in watched.at_tenths():
        print(f"{sample.answers:>11,} answers after {sample.seconds:6.1f} s: {in_words(sample.megabytes)}")
    if chosen.json:
        found = {
            "boards": chosen.boards, "seed": chosen.seed, "jobs": chosen.jobs, "errors": watched.errors, "in_order": whole,
            "seconds": taken, "processor_seconds": watched.processor_seconds, "peak_megabytes": peak, "growth": grown,
            "memory": [asdict(sample) for sample in watched.at_tenths()],
        }  # fmt: skip
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return int(not whole or grown > LARGEST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
