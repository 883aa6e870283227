"""The compiled path against the plain one: every answer to a generated board must be the same, byte for byte.

    python benchmarks/differential.py --boards 1300000 --seed 1 --jobs 2 --json docs/speed/differential.json

One board in ten is drawn at random, of all flavours and sizes, some with illegal orders; the nine after it have the same units,
and orders that other boards give to such units in place of some of theirs, legal here or not. Boards that the compiled path
leaves to the plain one are counted by flavour. Exit status 1 after a difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from campaign import whole_number
from phases import GAME_SIZE
from rich.console import Console
from rich.table import Table

from satjudge.batch import Request, answer
from satjudge.board import by_power
from satjudge.bulk import answerer
from satjudge.research.boards import Flavour, random_board
from satjudge.running.counts import left_over
from satjudge.running.processes import as_completed, processes

CHUNK = 500
FAMILY = 10
"""A board that is drawn, and its variants."""
REPLACED = 0.2
SIZES = ((4, 14), (10, 22), (16, 34), GAME_SIZE)
SHOWN = 5


@dataclass
class Compared:
    """What came of some boards."""

    boards: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    """Left to the plain path, by flavour."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's boards too."""
        self.boards += other.boards
        self.left += other.left
        self.different += other.different


def requests(seed: int, chunk: tuple[int, int]) -> list[tuple[str, Request]]:
    """These boards of a seed as requests, with their flavours."""
    first, behind = chunk
    drawn = [_drawn(seed, index) for index in range(first, behind, FAMILY)]
    known: dict[str, list[str]] = {}
    for _, request in drawn:
        for text in (text for given in request.orders.values() for text in given):
            known.setdefault(_unit(text), []).append(text)
    found = []
    for index in range(first, behind):
        flavour, request = drawn[(index - first) // FAMILY]
        orders = request.orders
        if (index - first) % FAMILY:
            random = Random(f"{seed}:variant {index}")
            orders = {power: [_other(text, known, random) for text in given] for power, given in orders.items()}
        found.append((flavour, Request(units=request.units, orders=orders, id=index)))
    return found


def _drawn(seed: int, index: int) -> tuple[str, Request]:
    random = Random(f"{seed}:differential {index}")
    flavour = random.choice(list(Flavour))
    board, orders = random_board(random, flavour, random.choice(SIZES), illegal=random.choice((0.0, 0.0, 0.15)))
    texts = {power: [str(order) for order in given] for power, given in orders.items()}
    return str(flavour), Request(units=by_power(board.units), orders=texts)


def _unit(text: str) -> str:
    return " ".join(text.split()[:2])


def _other(text: str, known: Mapping[str, Sequence[str]], random: Random) -> str:
    """The order itself, or now and then another one to such a unit."""
    return random.choice(known[_unit(text)]) if random.random() < REPLACED else text


def compare(seed: int, chunk: tuple[int, int]) -> Compared:
    """Answer these boards in both ways."""
    compiled = answerer()
    if compiled is None:
        raise SystemExit("numba is not installed: pip install 'satjudge[bulk]'")
    asked_for = requests(seed, chunk)
    found = Compared(boards=Counter(flavour for flavour, _ in asked_for))
    answers = compiled.answers([asked for _, asked in asked_for])
    for (flavour, asked), ours in zip(asked_for, answers, strict=True):
        if ours is None:
            found.left[flavour] += 1
        elif msgspec.json.encode(ours) != msgspec.json.encode(plain := answer(asked)):
            found.different.append(f"board {asked.id}: {asked}\ncompiled {ours}\nplain    {plain}")
    return found


def report(found: Compared, console: Console) -> None:
    """The table, and differences."""
    table = Table(title="boards by flavour")
    for heading in ("flavour", "boards", "left to the plain path", "share"):
        table.add_column(heading, justify="left" if heading == "flavour" else "right")
    for flavour, count in (*sorted(found.boards.items()), ("all", found.boards.total())):
        left = found.left.total() if flavour == "all" else found.left[flavour]
        table.add_row(flavour, f"{count:,}", f"{left:,}", f"{left / count:.1%}")
    console.print(table)
    for difference in found.different[:SHOWN]:
        console.print(difference, markup=False, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="the compiled path against the plain one")
    parser.add_argument("--boards", type=whole_number, default=10_000, metavar="N", help="how many (10,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    chunks = list(left_over(chosen.boards, (), CHUNK))
    total = Compared()
    with processes(chosen.jobs) as executor:
        results = as_completed(partial(compare, chosen.seed), chunks, executor, 2 * chosen.jobs)
        for number, found in enumerate(results, start=1):
            total.add(found)
            if number % max(1, len(chunks) // 20) == 0:
                print(f"{total.boards.total():,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)
    report(total, Console())
    compared = total.boards.total() - total.left.total()
    if chosen.json:
        told = {"seed": chosen.seed, "boards": total.boards, "left": total.left, "differences": len(total.different)}
        chosen.json.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"seed {chosen.seed}: {len(total.different):,} differences on {compared:,} boards that the compiled path answered")
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
