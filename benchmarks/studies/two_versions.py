"""Compares two checkouts of satjudge on generated boards of the standard map, byte for byte, by the plain path.

    python benchmarks/studies/two_versions.py ../older --boards 1000000 --state two_versions.jsonl

The boards are those of `drawn_lines.py`, and rulebooks take turns. A run that was interrupted goes on where it stopped, with
the same `--state`. Exit status 1 after a difference.
"""

from __future__ import annotations

import argparse
import atexit
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

import msgspec
from campaign import whole_number
from drawn_lines import RULES, requests

from satjudge.base.counts import Count, run_count
from satjudge.base.processes import processes
from satjudge.bulk.tallies import add_by_name

CHUNK = 500
SHOWN = 5
HERE = Path(__file__).resolve().parents[2]
ANSWERING = """
import sys
sys.path.insert(0, sys.argv[1])
import msgspec, satjudge
assert satjudge.__file__.startswith(sys.argv[1]), satjudge.__file__
from satjudge.bulk.batch import Request, answer
read = msgspec.json.Decoder(Request).decode
for number in sys.stdin.buffer:
    asked = [read(sys.stdin.buffer.readline()) for _ in range(int(number))]
    for request in asked:
        sys.stdout.buffer.write(msgspec.json.encode(answer(request)) + b"\\n")
    sys.stdout.buffer.flush()
"""


@dataclass
class Compared:
    """What came of some boards."""

    boards: int = 0
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


@lru_cache
def child(checkout: str) -> subprocess.Popen[bytes]:
    """A process that answers by the code of a checkout."""
    command = [sys.executable, "-c", ANSWERING, checkout]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(started.kill)
    return started


def answers(checkout: str, lines: Sequence[bytes]) -> list[bytes]:
    """What a checkout answers to these requests."""
    asked = child(checkout)
    assert asked.stdin is not None
    assert asked.stdout is not None
    asked.stdin.write(b"%d\n" % len(lines) + b"\n".join(lines) + b"\n")
    asked.stdin.flush()
    return [asked.stdout.readline() for _ in lines]


def compare(seed: int, other: str, boards: range) -> Compared:
    """Answer these boards by both checkouts."""
    asked = [request for _, request in requests(seed, (boards.start, boards.stop))]
    ruled = [msgspec.structs.replace(one, rules=RULES[number % len(RULES)]) for number, one in enumerate(asked)]
    lines = [msgspec.json.encode(one) for one in ruled]
    found = Compared(len(boards))
    for line, ours, theirs in zip(lines, answers(str(HERE), lines), answers(other, lines), strict=True):
        if ours != theirs or not ours:
            found.different.append(f"{line.decode()}\nhere  {ours.decode()}there {theirs.decode()}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="this checkout against another one")
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("--boards", type=whole_number, default=10_000, metavar="N", help="how many (10,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    chosen = parser.parse_args(arguments)
    other = str(chosen.other.resolve())
    count = Count("two versions", {"seed": chosen.seed, "other": other}, Compared, partial(compare, chosen.seed, other))
    total = Compared()

    def progress(boards: int) -> None:
        if total.boards % max(CHUNK, chosen.boards // 50) < boards:
            print(f"{total.boards:,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)

    with processes(1) as executor:
        run_count(
            count, chosen.boards, executor, ahead=2, state=chosen.state, chunk=CHUNK, into=total, on_progress=progress
        )  # fmt: skip
    for difference in total.different[:SHOWN]:
        print(difference)
    print(f"seed {chosen.seed}: {len(total.different):,} differences on {total.boards:,} boards")
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
