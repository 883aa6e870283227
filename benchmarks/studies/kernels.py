"""Compares the kernel in its sandbox, numba, the plain path and the engine `full` on generated boards under all presets.

    python benchmarks/studies/kernels.py --boards 10000000 --jobs 2 --state kernels.jsonl --json docs/speed/kernels.json

Board N is judged under one rulebook, the presets in turn. The boards are those of `differential.py`, most of them with
planted convoys, paradoxes and circles. Kernel and numba must fill all arrays alike, cores with their signatures and rulings
included; the line that the kernel answers and what the arrays say must be the plain path's answer byte for byte. Every tenth
board, and every board that has not just one resolution, is also given to `full`, which must find the same set of
resolutions. What the kernel leaves to the plain path is counted. A run that was interrupted goes on where it stopped, with
the same `--state`. Exit status 1 after a difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from math import ceil
from pathlib import Path
from typing import Any

import msgspec
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from campaign import whole_number
from differential import requests

from satjudge.base.counts import Count, run_count
from satjudge.base.errors import SatjudgeError
from satjudge.base.processes import processes
from satjudge.bulk.answers import Answerer
from satjudge.bulk.batch import Request, Settings, answer
from satjudge.bulk.judge import Judge, Outcomes
from satjudge.bulk.known import Known
from satjudge.bulk.tallies import add_by_name
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.lines import LineAnswerer
from satjudge.bulk.wasm.shipped import kernel_for, lines_for
from satjudge.files.batch_lines import RequestReader
from satjudge.judging.judge import resolutions
from satjudge.judging.solve import Engine
from satjudge.world.rules import load_preset, preset_names

CHUNK = 800
SHOWN = 5
TENTH = 10
"""Of so many boards one is given to `full`, whatever its resolutions."""
ARRAYS = (
    "results", "fates", "attackers", "units", "orders", "contested", "dislodged", "retreats", "resolutions", "cores", "rulings",
    "status",
)  # fmt: skip
"""The arrays of `Outcomes` that kernel and numba have to fill alike."""


@dataclass
class Compared:
    """What came of some boards."""

    boards: int = 0
    drawn: dict[str, int] = field(default_factory=dict)
    """By flavour."""
    left: dict[str, int] = field(default_factory=dict)
    """Boards that the kernel leaves to the plain path, by rulebook."""
    cores: int = 0
    rulings: int = 0
    by_full: int = 0
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


@dataclass
class Judges:
    """The judges of one rulebook."""

    lines: LineAnswerer
    numba: Answerer
    kernel: Judge


@cache
def judges(name: str) -> Judges:
    """Make the judges under a preset."""
    rulebook, vocabulary = load_preset(name), _vocabulary()
    by_numba, by_kernel = Judge(vocabulary, rulebook), Judge(vocabulary, rulebook)
    by_kernel.known = by_numba.known  # which numbers orders that are not in the vocabulary
    by_kernel.kernel, lines = kernel_for(by_kernel.known), lines_for(Known(vocabulary, rulebook))
    if lines is None or by_kernel.kernel is None or by_numba.obstacle:
        raise SystemExit(f"{name}: pip install 'satjudge[bulk,fast]'")
    return Judges(lines, Answerer(by_numba), by_kernel)


@cache
def _vocabulary() -> Vocabulary:
    return Vocabulary()


def compare(seed: int, boards: range) -> Compared:
    """Have these boards judged by all."""
    asked = requests(seed, (boards.start, boards.stop))
    found = Compared(len(boards), Counter(flavour for flavour, _ in asked))
    names = preset_names()
    for number, name in enumerate(names):
        of_rulebook = [request for _, request in asked if request.id % len(names) == number]
        if of_rulebook:
            compare_under(name, of_rulebook, found)
    return found


def compare_under(name: str, requests: Sequence[Request], found: Compared) -> None:
    """Have requests judged under a rulebook."""
    all_of_them, settings = judges(name), Settings(rules=name)
    if all_of_them.numba.judge.known.too_large:
        all_of_them.numba.judge.known.begin_anew()
        all_of_them.numba.begin_anew()
    batch = all_of_them.numba._batch(requests)
    ours, theirs = (judge.judge_compiled(*batch.arrays) for judge in (all_of_them.numba.judge, all_of_them.kernel))
    found.different += (f"{name}, boards {requests[0].id} to {requests[-1].id}: {which}" for which in differences(ours, theirs))
    found.cores += len(ours.cores)
    by_arrays = all_of_them.numba._written(requests, batch, ours)
    for request, row in zip(requests, by_arrays, strict=True):
        plain = msgspec.json.encode(answer(request, settings))
        by_line = all_of_them.lines.answer(msgspec.json.encode(_asked(request)))
        for who, said in (("arrays", row and msgspec.json.encode(row)), ("line", by_line)):
            if said is not None and said != plain:
                found.different.append(f"{name}, {who}: {request}\n{said!r}\nplain {plain!r}")
        found.left = dict(Counter(found.left) + Counter([name] * (by_line is None)))
        told = msgspec.json.decode(plain)
        found.rulings += len(told.get("rulings", ()))
        if request.id % TENTH == 0 or told.get("resolutions") != 1:
            found.by_full += 1
            found.different += by_full(name, request)


def _asked(request: Request) -> dict[str, Any]:
    return {"id": request.id, "units": request.units, "orders": request.orders}


def differences(ours: Outcomes, theirs: Outcomes) -> Iterator[str]:
    """Name the arrays that differ; nothing is said of boards that were left."""
    for name in ARRAYS:
        one, other = getattr(ours, name), getattr(theirs, name)
        if not numpy.array_equal(one, other):
            yield f"kernel and numba differ in {name}"


def by_full(name: str, request: Request) -> Iterator[str]:
    """Compare the resolutions that `staged` and `full` find."""
    reader = RequestReader(request)
    try:
        board, orders = reader.board(), reader.told_orders()[0]
        sets: list[set[Any]] = []
        judge: Callable[..., Any] = partial(resolutions, board, orders, rulebook=name)
        for engine in (Engine.STAGED, Engine.FULL):
            found = judge(engine=engine)
            decisions = found.situation.order_decisions
            sets.append({frozenset((d.province, values[d.index]) for d in decisions) for values in found})
    except SatjudgeError:  # what cannot be judged at all is compared as an answer
        return
    if sets[0] != sets[1]:
        yield f"{name}, full: {request}\nstaged {sets[0]}\nfull {sets[1]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="the kernel, numba, the plain path and full under all presets")
    parser.add_argument("--boards", type=whole_number, default=8_000, metavar="N", help="how many (8,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    described = {"seed": chosen.seed, "presets": {name: load_preset(name).settings() for name in preset_names()}}
    count = Count("kernels", described, Compared, partial(compare, chosen.seed))
    total = Compared()

    def progress(boards: int) -> None:
        if total.boards % max(CHUNK, chosen.boards // 100) < boards:
            print(f"{total.boards:,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)

    with processes(min(chosen.jobs, ceil(chosen.boards / CHUNK))) as executor:
        run_count(
            count, chosen.boards, executor, ahead=2 * chosen.jobs, state=chosen.state, chunk=CHUNK, into=total,
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
