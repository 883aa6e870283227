"""A million generated boards through `satjudge batch`: throughput, and the memory of all its processes over time.

    python benchmarks/million.py --boards 1000000 --jobs 2 --json found.json

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
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import msgspec
from phases import GAME_SIZE, drawn

from satjudge.research.boards import Flavour

DRAWN = 3_000
REPLACED = 4
SAMPLE_SECONDS = 0.25
LARGEST_GROWTH = 1.1


def lines(seed: int, count: int) -> Iterator[bytes]:
    """So many boards as lines of the batch format, numbered from 0."""
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


@dataclass
class Watched:
    """What was seen of a run."""

    answers: int = 0
    errors: int = 0
    in_order: bool = True
    samples: list[tuple[float, int, float]] = field(default_factory=list)
    """Seconds since the start, answers so far, megabytes of all processes."""
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
            self.samples.append((time.perf_counter() - began, self.answers, megabytes(pid)))


def megabytes(pid: int) -> float:
    """The resident memory of a process and all that it started."""
    found = 0.0
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        try:
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii")
            children = [path.read_text(encoding="ascii") for path in Path(f"/proc/{one}/task").glob("*/children")]
        except OSError:  # it is gone
            continue
        found += next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)
        waiting += [int(child) for some in children for child in some.split()]
    return found


def run(seed: int, boards: int, jobs: int) -> tuple[Watched, float]:
    """Send the boards through the command; what was seen, and how many seconds it took."""
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
        max((memory for _, answers, memory in watched.samples if low < answers / watched.answers <= high), default=0.0)
        for low, high in ((0.25, 0.5), (0.75, 1.0))
    ]
    return quarters[1] / quarters[0] if quarters[0] else 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="a million boards through satjudge batch")
    parser.add_argument("--boards", type=int, default=1_000_000, metavar="N", help="how many (1,000,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (one for each core)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and the memory over time")
    chosen = parser.parse_args(arguments)
    watched, taken = run(chosen.seed, chosen.boards, chosen.jobs)
    peak = max((memory for _, _, memory in watched.samples), default=0.0)
    whole = watched.answers == chosen.boards and watched.in_order
    grown = growth(watched)
    print(
        f"{watched.answers:,} answers ({watched.errors:,} errors) in {taken:.1f} s with {chosen.jobs} jobs:"
        f" {watched.answers / taken:,.0f} a second, boards made on the same machine meanwhile;"
        f" {watched.processor_seconds / watched.answers * 1e6:.0f} µs of the processor for each;"
        f" {'all in order' if whole else 'ANSWERS MISSING OR OUT OF ORDER'};"
        f" peak memory of all processes {peak:.0f} MB, last quarter / second quarter {grown:.2f}"
    )
    if chosen.json:
        found = {"boards": chosen.boards, "seed": chosen.seed, "jobs": chosen.jobs, "seconds": taken}
        found |= {"processor_seconds": watched.processor_seconds, "peak_megabytes": peak}
        chosen.json.write_text(json.dumps({**found, "growth": grown, "memory": watched.samples}) + "\n", encoding="utf-8")
    return int(not whole or grown > LARGEST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
