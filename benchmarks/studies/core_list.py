"""Lists every core of the standard map up to a length, with its smallest board, for docs/papers/cores.md.

For each word of docs/papers/cores.md, a board is drawn along the ring
(satjudge.search.goals.core_drawing): first with routes of one fleet, which is the least possible, then with more fleets
beside, one by one, so that the first board is the smallest. The file core_list.jsonl here has a line for each core.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from satjudge.explain.cores import ClassifiedCore, classify_cores
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.write import sheet_text
from satjudge.search.goals.core_drawing import draw_smallest_board
from satjudge.search.goals.cores import Paradox, Ring, iter_paradoxes, iter_rings
from satjudge.search.open_orders.proposal import Proposal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.world.board import Board
from satjudge.world.geography import Power, load_map
from satjudge.world.orders import Order
from satjudge.world.rules import load_rulebook

KEPT = Path(__file__).parent / "core_list.jsonl"
CASES = Path(__file__).parents[2] / "datc_cases" / "cores" / "second-order.txt"
LONGEST_ROUTE = 9
"""No proper route of the standard map has more fleets."""


@click.command()
@click.option("--order", type=int, default=3, show_default=True, help="Paradoxes of up to so many convoys.")
@click.option("--length", type=int, default=7, show_default=True, help="Circular movement of up to so many moves.")
@click.option("--timeout", type=float, default=120, show_default=True, help="Seconds for one drawing.")
@click.option("--core", "words", multiple=True, help="This paradox only, as it is written: aHr.")
@click.option("--cases", is_flag=True, help="Write those of order two that the catalogue has not as cases, and draw nothing.")
@click.option("--kept", type=click.Path(path_type=Path), default=KEPT, show_default=True)
def main(order: int, length: int, timeout: float, words: Sequence[str], cases: bool, kept: Path) -> None:
    """Draw the cores that are not in the list yet."""
    if cases:
        CASES.write_text("\n".join(second_order(kept)), encoding="utf-8")
        return
    known = {line["core"] for line in lines(kept)}
    universe = whole_map()
    with kept.open("a", encoding="utf-8") as file:
        for core in map(Paradox.read, words) if words else cores_up_to(order, length):
            if str(core) not in known:
                began = time.monotonic()
                line = drawn(core, universe, timeout)
                line["seconds"] = round(time.monotonic() - began, 1)
                file.write(json.dumps(line) + "\n")
                file.flush()
                click.echo(f"{core} {line['shape']}: at least {line['at_least']}, found {line['units']}; {line['seconds']} s")


def cores_up_to(order: int, length: int) -> Iterator[Paradox | Ring]:
    """Words, the short ones first."""
    for convoys in range(1, order + 1):
        yield from iter_paradoxes(convoys)
    for moves in range(2, length + 1):
        yield from iter_rings(moves)


def lines(kept: Path = KEPT) -> list[dict[str, Any]]:
    """Read the stored rows."""
    return [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()] if kept.exists() else []


def whole_map(longest_route: int = LONGEST_ROUTE) -> Universe:
    """Any units anywhere on the standard map."""
    game_map = load_map()
    return Universe(load_rulebook(), spots=spots_of(game_map, game_map.provinces), longest_route=longest_route)


def drawn(core: Paradox | Ring, universe: Universe, timeout: float) -> dict[str, Any]:
    """The smallest board of a core. `units` is None if there is none, or none was found in time; `at_least`: by proof."""
    end = time.monotonic() + timeout
    found = draw_smallest_board(universe, core, lambda: max(0.01, end - time.monotonic()))
    line: dict[str, Any] = {"core": str(core), "shape": core.shape, "counted": core.least_units, "at_least": found.at_least}
    if found.proposal is None:
        return line | {"units": None}
    core_of(found.proposal.board, found.proposal.orders, core.shape)
    return line | {"units": len(found.proposal.board.units), "orders": in_words(found.proposal)}


def in_words(proposal: Proposal) -> dict[Power, list[str]]:
    """The orders of each power."""
    return {power: [str(order) for order in orders] for power, orders in proposal.orders.items()}


def core_of(board: Board, orders: Mapping[Power, Sequence[Order]], shape: str) -> tuple[Outcome, ClassifiedCore]:
    """The outcome and the only core, which has that shape; all that was drawn is in it or helps it."""
    outcome = judge(board, orders)
    (core,) = classify_cores(outcome.adjudication)
    assert core.shape == shape, (core.shape, shape)
    return outcome, core


def second_order(kept: Path = KEPT) -> Iterator[str]:
    """The cores of order two that neither the census nor the DATC has met, as cases."""
    met = {sheet.identity.removeprefix("catalogue-") for sheet in read_collection("catalogue")}
    yield "# Cores of order two that no random board had: python benchmarks/studies/core_list.py --cases\n"
    for line in lines(kept):
        if line["core"].isalpha() and line["shape"].startswith("2C") and line["shape"] not in met:
            (sheet,) = read_sheets(sheet_of(line), source=line["core"])
            orders = sheet.orders_by_power()
            outcome, core = core_of(sheet.board, orders, line["shape"])
            notes = {
                "source": ["drawn along the ring (benchmarks/studies/core_list.py)"],
                "note": [f"the word {line['core']}; {line['units']} units: no smaller board exists"],
            }
            yield sheet_text(
                sheet.board, orders, identity=f"cores.{line['shape']}", title=core.name, notes=notes, expected=outcome.results
            )


def sheet_of(line: Mapping[str, Any]) -> str:
    """A board of the list as an order sheet."""
    return "\n".join("\n".join((f"{power.title()}:", *given)) for power, given in line["orders"].items())


if __name__ == "__main__":
    main()
