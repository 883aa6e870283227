"""Gives the kernel mutated batch lines, which it answers as the plain path does or leaves, and mutated tables.

    python benchmarks/studies/mutated_lines.py --lines 10000000 --jobs 2 --state mutated.jsonl --json mutated.json

Each line is one of a generated board, of the retreats that follow or of an adjustment phase with its units, with some bytes
taken out, doubled or replaced. Of what the kernel answers one line in twenty (`--compared`) is compared with the plain
path's answer; of all others, and of answers about games, that it is JSON. Of every thousand lines some are read with tables
of which a number was changed, in an instance that is thrown away: it may answer anything, or stop at an index out of bounds,
and must come to an end. A run that was interrupted goes on where it stopped, with the same `--state`. Exit status 1 after a
difference or a trap.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from math import ceil
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from campaign import whole_number
from drawn_lines import requests

from satjudge.base.processes import processes
from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.chunked_runs import Count, run_count
from satjudge.bulk.tallies import add_by_name
from satjudge.bulk.wasm.lines import LineAnswerer, LineQuestion
from satjudge.bulk.wasm.loading import make_supply
from satjudge.bulk.wasm.sandbox import SandboxError
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset

CHUNK = 20_000
FAMILY = 50
"""Lines that come of one board."""
TABLES = 20
"""The number of lines of a chunk that are read with changed tables."""
SHOWN = 5
PIECES = (
    b"",
    b'"',
    b",",
    b"[",
    b"]",
    b"{",
    b"}",
    b":",
    b" ",
    b"S",
    b"C",
    b"VIA",
    b"\\",
    b"\0",
    b"\xff",
    b"-1",
    b"1e9",
    b"null",
)


@dataclass
class Read:
    """What came of some lines."""

    boards: int = 0
    """Lines."""
    answered: int = 0
    compared: int = 0
    tables: int = 0
    stopped: int = 0
    """Changed tables at which the instance stopped."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Read) -> None:
        """Count the other's lines too."""
        add_by_name(vars(self), vars(other))


@cache
def answerer(rules: str) -> LineAnswerer:
    """Make what answers lines by the kernel."""
    supply = make_supply(load_map(), load_preset(rules))
    if supply is None:
        raise SystemExit("the kernel cannot be run")
    return LineAnswerer(supply)


def further(random: Random, line: bytes, settings: Settings) -> Iterator[bytes]:
    """Write the lines of later phases that go with the units that a line leaves."""
    after = msgspec.json.decode(answer_line(line, settings))
    if "units" not in after:
        return
    if lost := after["dislodged"]:
        orders = {power: [f"{unit} R {random.choice([*to, 'PAR'])}" for unit, to in of.items()] for power, of in lost.items()}
        yield msgspec.json.encode({"phase": "retreat", "units": after["units"], "dislodged": lost, "orders": orders})
    centers = random.sample(sorted(load_map().centers), 34)
    powers = list(after["units"])
    owned = {power: centers[number * 5 : number * 5 + 5] for number, power in enumerate(powers[:6])}
    orders = {power: [f"A {owned[power][0]} B", f"{after['units'][power][0]} D", "WAIVE"] for power in owned}
    yield msgspec.json.encode({"phase": "adjustment", "units": after["units"], "centers": owned, "orders": orders})


def mutated(random: Random, line: bytes) -> bytes:
    """Take out, double or replace some bytes."""
    text = bytearray(line)
    for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
        place, length = random.randrange(len(text) + 1), random.choice((0, 1, 1, 2, 5))
        piece = random.choice((*PIECES, bytes([random.randrange(256)]), bytes(text[place : place + 9])))
        text[place : place + length] = piece
    return bytes(text)


def read(seed: int, rules: str, compared: int, lines: range) -> Read:
    """Have these lines answered."""
    boards = [
        request for _, request in requests(seed, (lines.start // FAMILY, max(lines.start // FAMILY + 1, lines.stop // FAMILY)))
    ]
    texts = [msgspec.json.encode({"id": one.id, "units": one.units, "orders": one.orders}) for one in boards]
    ours, found, settings = answerer(rules), Read(len(lines)), Settings(rules=rules)
    texts += [text for number, line in enumerate(texts) for text in further(Random(f"{seed}:further {number}"), line, settings)]
    for number in lines:
        random = Random(f"{seed}:mutated {number}")
        line = mutated(random, random.choice(texts))
        try:
            said = ours.answer(line)
            other = ours.answer(line, random.choice([*LineQuestion][1:]))
        except SandboxError as error:
            found.different.append(f"line {number} stopped it: {line!r}: {error}")
            continue
        if other is not None:
            msgspec.json.decode(other)
        if said is None:
            continue
        found.answered += 1
        if random.random() * compared < 1:
            found.compared += 1
            if said != (plain := answer_line(line, settings)):
                found.different.append(f"line {number}: {line!r}\nkernel {said!r}\nplain  {plain!r}")
        else:
            msgspec.json.decode(said)
    for number in range(TABLES):
        change_tables(Random(f"{seed}:tables {lines.start} {number}"), ours, texts, found)
    return found


def change_tables(random: Random, ours: LineAnswerer, texts: Sequence[bytes], found: Read) -> None:
    """Change some bytes in the memory of an instance behind the lines that it reads, and have lines read."""
    ours.answer(texts[0])
    memory = ours.host.memory
    for _ in range(random.choice((1, 10, 1000))):
        memory[random.randrange(ours.host.base, len(memory))] = random.randrange(256)
    found.tables += 1
    try:
        for _ in range(5):
            line = random.choice(texts)
            ours.host.view_array("line")[: len(line)] = line
            ours._calls[random.choice([*LineQuestion])](len(line))
    except SandboxError:
        found.stopped += 1
    ours.begin_instance()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="mutated lines and tables for the kernel")
    parser.add_argument("--lines", type=whole_number, default=100_000, metavar="N", help="how many (100,000)")
    parser.add_argument("--compared", type=whole_number, default=20, metavar="N", help="compare one of N answers (20)")
    parser.add_argument("--rules", default="datc-3", metavar="NAME", help="the rulebook (datc-3)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    described = {"seed": chosen.seed, "compared": chosen.compared, "rules": load_preset(chosen.rules).settings()}
    count = Count("mutated", described, Read, partial(read, chosen.seed, chosen.rules, chosen.compared))
    total = Read()

    def progress(lines: int) -> None:
        if total.boards % max(CHUNK, chosen.lines // 100) < lines:
            print(f"{total.boards:,} lines, {len(total.different)} differences", file=sys.stderr, flush=True)

    with processes(min(chosen.jobs, ceil(chosen.lines / CHUNK))) as executor:
        run_count(
            count, chosen.lines, executor, pending=2 * chosen.jobs, state_path=chosen.state, chunk=CHUNK, into=total,
            on_progress=progress,
        )  # fmt: skip
    for difference in total.different[:SHOWN]:
        print(difference)
    told = {**vars(total), "seed": chosen.seed, "different": len(total.different)}
    if chosen.json:
        chosen.json.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps(told, sort_keys=True))
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
