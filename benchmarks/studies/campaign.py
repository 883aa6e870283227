"""Compares all engines and an independent oracle on random boards, for RELEASE.md: they must agree on every one.

    python benchmarks/studies/campaign.py --boards 10000 --seed 1 --jobs 2
    python benchmarks/studies/campaign.py --seed 1 --only 4711        # one board again, with its orders

Board N of a seed is the same for any number of boards and jobs. Exit status 1 after a difference or a crash.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table

from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board
from satjudge.judging.backup import Ruling
from satjudge.judging.equations.logic import find_violated
from satjudge.judging.equations.situation import build_situation
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine, adjudicate
from satjudge.judging.solve.result import Adjudication
from satjudge.oracles import kruijswijk_partial
from satjudge.world.board import Board, by_power
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import load_rulebook

T = TypeVar("T")

BRUTE_DECISIONS = 12
LISTED_RESOLUTIONS = 4096
"""Sets of more resolutions are compared by their number only."""
EVERY_SO_MANY_ILLEGAL = 8
SHOWN = 20
CHUNK = 50

Orders = Mapping[Power, Sequence[MovementOrder]]
Shape = tuple[str, int, str]
"""Of a ruling: the rule, how many resolutions the core had, and what it consisted of."""


@dataclass(frozen=True)
class Checked:
    """What came of one board."""

    index: int
    flavour: Flavour
    text: str
    resolutions: int | None = None
    shapes: tuple[Shape, ...] = ()
    brute: bool = False
    """Whether it was small enough for brute force."""
    differences: tuple[str, ...] = ()
    crashes: tuple[str, ...] = ()


def drawn(seed: int, index: int) -> tuple[Flavour, Board, Orders]:
    """Board `index` of a seed; now and then one has illegal orders among the others."""
    random = Random(f"{seed}:{index}")
    flavour = random.choice(MIX)
    illegal = 0.0 if index % EVERY_SO_MANY_ILLEGAL else 0.15
    return flavour, *random_board(random, flavour, random.choice(SIZES), illegal=illegal)


def check_board(seed: int, index: int) -> Checked:
    """Judge one board in every way and compare."""
    flavour, board, orders = drawn(seed, index)
    text = as_text(board, orders)
    rulebook = load_rulebook()
    docket = make_docket(board.ensure_possible(), orders, rulebook)
    situation = build_situation(board, docket, rulebook)
    crashes: list[str] = []
    usual = attempt(crashes, "staged", lambda: adjudicate(situation, Engine.STAGED))
    if usual is None:
        return Checked(index, flavour, text, crashes=tuple(crashes))
    outcome = told(Outcome(board, docket, usual))
    differences = unsatisfied(usual)
    brute = len(situation.decisions) <= BRUTE_DECISIONS
    for engine in (Engine.FULL, *([Engine.BRUTE] if brute else [])):
        other = attempt(crashes, engine, partial(adjudicate, situation, engine))
        if other is not None:
            differences += different_adjudications(usual, other, engine)
            differences += different_outcomes(outcome, told(Outcome(board, docket, other)), engine)
    answer = attempt(crashes, "oracle", lambda: kruijswijk_partial.judge(board, orders))
    if answer is not None:
        theirs = {"results": answer.verdicts, "dislodged": answer.dislodged, "units": answer.units}
        differences += different_outcomes(outcome, theirs, "the oracle")
    shapes = tuple(map(shape_of, usual.rulings))
    return Checked(index, flavour, text, usual.resolutions.count, shapes, brute, tuple(differences), tuple(crashes))


def attempt(crashes: list[str], name: str, judge: Callable[[], T]) -> T | None:
    """What the judge says, or None and a note among the crashes."""
    try:
        return judge()
    except Exception:
        crashes.append(f"{name} crashed: {traceback.format_exc(limit=-4)}")
        return None


def as_text(board: Board, orders: Orders) -> str:
    """Everything that is needed to have the position again."""
    written = {power: [str(order) for order in given] for power, given in orders.items()}
    return f"units {by_power(board.units)}\norders {written}"


def told(outcome: Outcome) -> dict[str, object]:
    """Return an outcome in the oracle's form."""
    dislodged: dict[Power, dict[str, list[str]]] = {}
    for entry in outcome.dislodgements.values():
        dislodged.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    units = {power: sorted(units) for power, units in by_power(outcome.units).items()}
    return {"results": dict(outcome.results), "dislodged": dislodged, "units": units}


def unsatisfied(adjudication: Adjudication) -> list[str]:
    """The equations that a resolution or the ruled resolution does not satisfy, though it should."""
    situation = adjudication.situation
    found = find_violated(situation, adjudication.values, adjudication.overridden)
    for values in adjudication.resolutions.list_first(LISTED_RESOLUTIONS):
        found += find_violated(situation, values)
    return [f"the equation of {decision} does not hold" for decision in found]


def different_adjudications(one: Adjudication, other: Adjudication, name: str) -> list[str]:
    """Where another engine finds other resolutions, values or rulings than `staged`."""
    counts = one.resolutions.count, other.resolutions.count
    listed = max(counts) <= LISTED_RESOLUTIONS
    return [
        *different("number of resolutions", *counts, name),
        *different("completeness", one.resolutions.complete, other.resolutions.complete, name),
        *(different("resolutions", set(one.resolutions), set(other.resolutions), name) if listed else ()),
        *different("values", one.values, other.values, name),
        *different("rulings", rulings_of(one), rulings_of(other), name),
    ]


def different_outcomes(one: Mapping[str, object], other: Mapping[str, object], name: str) -> list[str]:
    """Find the places where another judge differs from `staged`."""
    return [line for what in one for line in different(what, one[what], other[what], name)]


def rulings_of(adjudication: Adjudication) -> set[tuple[str, frozenset[str], int, frozenset[int]]]:
    """Return the rulings in a fixed order."""
    return {
        (ruling.rule, frozenset(map(str, ruling.core)), ruling.resolutions, frozenset(ruling.settled))
        for ruling in adjudication.rulings
    }


def different(what: str, ours: object, theirs: object, name: str) -> list[str]:
    """A line about two things that are not the same, nothing about two that are."""
    return [] if ours == theirs else [f"{what}: staged says\n  {ours}\n{name} says\n  {theirs}"]


def shape_of(ruling: Ruling) -> Shape:
    """What kind of core was ruled on."""
    kinds = Counter(type(decision).__name__.removesuffix("Decision").lower() for decision in ruling.core)
    parts = (f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in sorted(kinds.items()))
    return ruling.rule, ruling.resolutions, ", ".join(parts)


def check_boards(seed: int, indices: Sequence[int], jobs: int) -> Iterator[Checked]:
    """Check boards in several processes; the results come in order."""
    check = partial(check_board, seed)
    if jobs == 1:
        yield from map(check, indices)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(check, indices, chunksize=CHUNK)


def watched(results: Iterable[Checked], count: int) -> Iterator[Checked]:
    """The results, with a progress bar, or a line now and then where there is no terminal."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(results, "boards", total=count, console=console)
        return
    step = max(1, count // 10)
    for number, result in enumerate(results, 1):
        yield result
        if number % step == 0:
            print(f"{number} of {count} boards", file=sys.stderr, flush=True)


def report(results: Sequence[Checked], console: Console) -> None:
    """Print the table, the kinds of cores, and all failures."""
    table = Table(title="boards by number of resolutions")
    columns: dict[str, Callable[[int], bool]] = {
        "0": lambda count: count == 0,
        "1": lambda count: count == 1,
        "2": lambda count: count == 2,
        "more": lambda count: count > 2,
    }
    for heading in ("flavour", "boards", *columns, "brute", "differ", "crashed"):
        table.add_column(heading, justify="left" if heading == "flavour" else "right")
    for name, flavours in (*((str(flavour), {flavour}) for flavour in Flavour), ("all", set(Flavour))):
        rows = [result for result in results if result.flavour in flavours]
        counts = [result.resolutions for result in rows if result.resolutions is not None]
        numbers = (
            len(rows),
            *(sum(map(fits, counts)) for fits in columns.values()),
            sum(result.brute for result in rows),
            sum(bool(result.differences) for result in rows),
            sum(bool(result.crashes) for result in rows),
        )
        table.add_row(name, *map(str, numbers), end_section=name == Flavour.DENSE)
    console.print(table)
    shapes = Table(title="rulings by kind of core")
    for heading in ("rule", "core", "resolutions of the core", "rulings"):
        shapes.add_column(heading, justify="left" if heading in ("rule", "core") else "right")
    found = Counter(shape for result in results for shape in result.shapes)
    for (rule, resolutions, core), count in sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0])):
        shapes.add_row(rule, core, str(resolutions), str(count))
    console.print(shapes)


def report_failures(seed: int, results: Sequence[Checked], console: Console) -> bool:
    """Print all failures, each with the means to run it again; return whether there are any."""
    failed = [result for result in results if result.differences or result.crashes]
    for result in failed[:SHOWN]:
        lines = (result.text, *result.differences, *result.crashes)
        console.print(f"\nboard {result.index} ({result.flavour}): --seed {seed} --only {result.index}", style="bold")
        console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
    if len(failed) > SHOWN:
        console.print(f"\nand {len(failed) - SHOWN} more: {' '.join(str(result.index) for result in failed[SHOWN:])}")
    return bool(failed)


def whole_number(text: str) -> int:
    """A number from 1 on."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign; the exit status."""
    parser = argparse.ArgumentParser(description="random boards, judged by every engine and the oracle")
    parser.add_argument("--boards", type=whole_number, default=1000, metavar="N", help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--only", type=int, metavar="INDEX", help="just this board of the seed, and print it")
    chosen = parser.parse_args(arguments)
    indices = range(chosen.boards) if chosen.only is None else [chosen.only]
    began = time.perf_counter()
    results = list(watched(check_boards(chosen.seed, indices, chosen.jobs), len(indices)))
    seconds = time.perf_counter() - began
    console = Console()
    report(results, console)
    failed = report_failures(chosen.seed, results, console)
    if chosen.only is not None and not failed:
        console.print(results[0].text, markup=False, highlight=False, soft_wrap=True)
    print(f"seed {chosen.seed}, {len(results)} boards in {seconds:.1f} s with {chosen.jobs} jobs", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
