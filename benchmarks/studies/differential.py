"""Compares the compiled path with the plain one on generated boards, byte for byte, for docs/speed.md.

    python benchmarks/studies/differential.py --boards 1000000 --jobs 2 --state differential.jsonl --json
    docs/speed/differential.json

Each board is judged under four rulebooks. A run that was interrupted goes on where it stopped, with the same `--state`.

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
from math import ceil
from pathlib import Path
from random import Random

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from campaign import whole_number
from phases import GAME_SIZE
from rich.console import Console
from rich.table import Table

from satjudge.base.counts import Count, run_count
from satjudge.base.processes import processes
from satjudge.bulk.available import answerer
from satjudge.bulk.batch import Request, answer
from satjudge.bulk.boards import Flavour, random_board
from satjudge.bulk.tallies import add_by_name
from satjudge.world.board import by_power
from satjudge.world.rules import load_rulebook

CHUNK = 500
FAMILY = 10
"""A board that is drawn, and its variants."""
REPLACED = 0.2
SIZES = ((4, 14), (10, 22), (16, 34), GAME_SIZE)
SHOWN = 5
RULES = ("datc-3", "1971", "1982", "2023")


@dataclass
class Compared:
    """What came of some boards."""

    boards: int = 0
    drawn: dict[str, int] = field(default_factory=dict)
    """By flavour."""
    left: dict[str, dict[str, int]] = field(default_factory=dict)
    """Left to the plain path, by rulebook and flavour."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


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


def compare(seed: int, rules: Sequence[str], boards: range) -> Compared:
    """Answer these boards in both ways, under each of these rulebooks."""
    asked_for = requests(seed, (boards.start, boards.stop))
    found = Compared(len(boards), Counter(flavour for flavour, _ in asked_for))
    for name in rules:
        compiled = answerer(None, load_rulebook(name))
        if compiled is None:
            raise SystemExit(f"there is no compiled path for {name}: pip install 'satjudge[bulk]'")
        left = Counter[str]()
        answers = compiled.answers([asked for _, asked in asked_for])
        for (flavour, asked), ours in zip(asked_for, answers, strict=True):
            if ours is None:
                left[flavour] += 1
            elif msgspec.json.encode(ours) != msgspec.json.encode(plain := answer(msgspec.structs.replace(asked, rules=name))):
                found.different.append(f"board {asked.id}, {name}: {asked}\ncompiled {ours}\nplain    {plain}")
        found.left[name] = left
    return found


def report(found: Compared, console: Console) -> None:
    """The table, and differences."""
    table = Table(title="boards by flavour, and how many were left to the plain path")
    for heading in ("flavour", "boards", *found.left):
        table.add_column(heading, justify="left" if heading == "flavour" else "right")
    for flavour, count in sorted(found.drawn.items()):
        shares = (f"{left.get(flavour, 0) / count:.1%}" for left in found.left.values())
        table.add_row(flavour, f"{count:,}", *shares)
    console.print(table)
    for difference in found.different[:SHOWN]:
        console.print(difference, markup=False, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="the compiled path against the plain one")
    parser.add_argument("--boards", type=whole_number, default=10_000, metavar="N", help="how many (10,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--rules", default=",".join(RULES), metavar="NAME,…", help=f"rulebooks ({','.join(RULES)})")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    rules = chosen.rules.split(",")
    described = {"seed": chosen.seed, "rules": {name: load_rulebook(name).settings() for name in rules}}
    count = Count("differential", described, Compared, partial(compare, chosen.seed, rules))
    total = Compared()

    def progress(boards: int) -> None:
        if total.boards % max(CHUNK, chosen.boards // 20) < boards:
            print(f"{total.boards:,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)

    with processes(min(chosen.jobs, ceil(chosen.boards / CHUNK))) as executor:
        run_count(
            count, chosen.boards, executor, ahead=2 * chosen.jobs, state=chosen.state, chunk=CHUNK, into=total,
            on_progress=progress,
        )  # fmt: skip
    report(total, Console())
    left = sum(sum(some.values()) for some in total.left.values())
    compared = len(rules) * total.boards - left
    if chosen.json:
        told = {
            "seed": chosen.seed, "boards": total.drawn, "rules": rules, "left": total.left, "answers": compared,
            "differences": len(total.different),
        }  # fmt: skip
        chosen.json.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"seed {chosen.seed}: {len(total.different):,} differences in {compared:,} answers of the compiled path")
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
