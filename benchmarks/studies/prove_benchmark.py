"""Measures `prove` on the published lines, and compares `prove` and `guarantee` with brute force.

For docs/papers/published-lines.md.

    python benchmarks/studies/prove_benchmark.py                       # published lines, and the opening for `guarantee`
    python benchmarks/studies/prove_benchmark.py --lines 500           # random small lines against every placement and order
    python benchmarks/studies/prove_benchmark.py --wishes 300          # random wishes on small boards against exhaustive play

A disagreement is printed with its seed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TypeVar

from rich.console import Console
from rich.progress import track
from rich.table import Table as Rows

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from helpers.playing_out import breaking_attack, guaranteeing_orders, random_line, random_wish

from satjudge import load_rulebook, starting_board
from satjudge.notation.bundled_cases import read_collection
from satjudge.search.goals.wishes import parse_wish
from satjudge.search.guarantees.one_season import WishTable, find_guarantee
from satjudge.search.lines.line import Line, list_all_units, read_line
from satjudge.search.lines.prove import examine_line, examine_without_each, find_smallest_part, repair_line

RULES = load_rulebook("datc-3")
RULEBOOKS = (
    RULES,
    RULES.with_settings(("4.A.2=all-hold",)),
    load_rulebook("guide-1998"),
    load_rulebook("1971").with_settings(("4.A.2.fallback=szykman",)),
    load_rulebook("2000").with_settings(("4.A.2.fallback=all-hold",)),
)
"""Wishes are played out under one after the other."""
OPENING = (("AUSTRIA", "take SER and keep TRI"), ("FRANCE", "take BUR"), ("RUSSIA", "take GAL"), ("ENGLAND", "take NTH"))

T = TypeVar("T")


def timed(question: Callable[[], T]) -> tuple[T, float]:
    began = perf_counter()
    return question(), perf_counter() - began


def published() -> Rows:
    """Each published line: what it is, the size of the questions, and the seconds that answers take."""
    rows = Rows("Line", "Units", "Enemies", "Finding", "Orders", "Variables", "Clauses", "Seconds", "More", "Seconds")
    for sheet in read_collection("lines"):
        if not sheet.notes.get("finding"):
            continue
        line = read_line(sheet, RULES)
        found, seconds = timed(lambda line=line: examine_line(line, cheapest=True))  # type: ignore[misc]
        if found.holds:
            spare, more = timed(lambda line=line: ([*examine_without_each(line)], find_smallest_part(line)))  # type: ignore[misc]
            told = f"redundant: {sum(rest.holds for _, rest in spare[0])}"
        else:
            mended, more = timed(lambda line=line: repair_line(line))  # type: ignore[misc]
            told = f"repaired by {len(mended.board.units) - len(line.board.units)}" if mended else "no repair"
        finding = "holds" if found.attack is None else f"breaks ({len(found.attack.orders)})"
        size = found.size
        counts = (len(line.board.units), line.enemies, finding, size.orders, size.variables, size.clauses)
        rows.add_row(sheet.identity, *map(str, counts), f"{seconds:.2f}", told, f"{more:.2f}")
    return rows


def opening() -> Rows:
    """Wishes in Spring 1901: 22 units with 216 legal moves, supports and convoys."""
    rows = Rows("Power", "Wish", "Finding", "Replies", "Seconds")
    board = starting_board()
    for power, wish in OPENING:
        table = WishTable(board, power, parse_wish(wish, board, power), RULES)
        found, seconds = timed(lambda table=table: find_guarantee(table))  # type: ignore[misc]
        told = "refuted" if found.orders is None else "; ".join(map(str, found.orders.values()))
        rows.add_row(power, wish, told, str(len(found.defeats)), f"{seconds:.2f}")
    return rows


def compare_lines(count: int, seed: int) -> int:
    """Random lines on made-up maps: the same answer, and the same minimum, as every placement and every order.

    Most of them are against few fleets, or against some units only, as where powers are out.
    """
    wrong = breaking = 0
    for number in track(range(seed, seed + count), "lines", console=Console(stderr=True)):
        random = Random(f"campaign line {number}")
        board, orders, behind = random_line(random)
        by_province = {unit.province: order for unit, order in orders.items()}
        line = Line(board, by_province, RULES, behind, (), enemies=random.choice((2, 2, 3)))
        fleets = random.choice((None, None, None, 0, 1))
        some = frozenset(unit for unit in list_all_units(board.map) if random.random() < 0.8) if random.random() < 0.5 else None
        line = replace(line, fleets=fleets, possible=some)
        found = examine_line(line, cheapest=True)
        brute = breaking_attack(board, orders, line.protected_provinces, line.enemies, fleets=fleets, possible=some)
        fewest = None if brute is None else len(brute.board.units) - len(board.units)
        claimed = None if found.attack is None else len(found.attack.orders)
        breaking += brute is not None
        if fewest != claimed:
            wrong += 1
            print(f"line {number}: brute force {fewest}, prove {claimed}")
    print(f"{count} lines, of which {breaking} break; {wrong} disagreements")
    return wrong


def compare_wishes(count: int, seed: int, most: int) -> int:
    """Random wishes on small boards: guaranteed just where some orders are, of all orders against all replies."""
    wrong = guaranteed = 0
    for number in track(range(seed, seed + count), "wishes", console=Console(stderr=True)):
        board, power, wish, meaning = random_wish(Random(f"campaign wish {number}"), most)
        rulebook = RULEBOOKS[number % len(RULEBOOKS)]
        found = find_guarantee(WishTable(board, power, parse_wish(wish, board, power), rulebook))
        possible = next(guaranteeing_orders(board, power, meaning, rulebook), None) is not None
        guaranteed += possible
        if possible != (found.orders is not None):
            wrong += 1
            print(f"wish {number}: exhaustive play {possible}, guarantee {not possible}: {power} {wish}")
    print(f"{count} wishes, of which {guaranteed} can be guaranteed; {wrong} disagreements")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=0, metavar="N")
    parser.add_argument("--wishes", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=5000, help="order sets of a board on which wishes are played out")
    arguments = parser.parse_args()
    if not arguments.lines and not arguments.wishes:
        Console(width=150).print(published(), opening())
    wrong = compare_lines(arguments.lines, arguments.seed) if arguments.lines else 0
    wrong += compare_wishes(arguments.wishes, arguments.seed, arguments.most) if arguments.wishes else 0
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
