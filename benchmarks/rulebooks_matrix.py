"""The least with which each two rulebooks differ, in each aspect: `python benchmarks/rulebooks_matrix.py --help`.

`find` looks for the smallest boards in a few regions and keeps them in benchmarks/rulebooks_matrix.jsonl, `prove` asks on the
whole map whether fewer units would do, and `write` writes docs/rulebooks-matrix.md and the cases that it names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import click

from satjudge.documents.search import sheets
from satjudge.geography import load_map
from satjudge.goals.differing import Aspect, Differs
from satjudge.goals.equivalence import steps_that_differ
from satjudge.research.search import Objective, Search, universe_of
from satjudge.rules import load_rulebook, preset_names
from satjudge.unknown.universe import Universe, spots_of

KEPT = Path(__file__).with_suffix(".jsonl")
ASPECTS = (Aspect.UNITS, Aspect.DISLODGEMENTS, Aspect.VERDICTS, Aspect.RETREATS)
REGIONS = (
    "ENG NTH LON WAL BEL PIC",
    "SPA POR GAS MAO LYO MAR WES",
    "BOH GAL VIE TYR MUN SIL",
    "ENG NTH LON BEL WAL YOR HOL IRI",
)
"""A channel with convoys, a coast with two coasts, inland provinces, and two ways by sea."""


def like(name: str, aspect: Aspect) -> str:
    """The first rulebook that cannot differ from one in an aspect: what is true of the one is true of the other."""
    return next(one for one in preset_names() if not steps_that_differ(load_rulebook(one), load_rulebook(name), aspect.steps))


def cell(one: str, other: str, aspect: Aspect) -> Differs:
    """Two rulebooks in an aspect, or two that cannot differ from them."""
    first, second = sorted((like(one, aspect), like(other, aspect)))
    return Differs(load_rulebook(first), load_rulebook(second), aspect=aspect)


def cells() -> Iterator[Differs]:
    """Every two rulebooks that may differ, in every aspect; of several that cannot, the first."""
    for aspect in ASPECTS:
        found = (cell(one, other, aspect) for one, other in combinations(preset_names(), 2))
        yield from {str(goal): goal for goal in found if not goal.impossible()}.values()


def search(
    goal: Differs, region: str, most_units: int, seconds: float, objective: Objective | None = Objective.UNITS
) -> Search:
    """Look in a region, or on the whole map."""
    game_map, began = load_map(), monotonic()
    provinces = frozenset(region.split()) or frozenset(game_map.provinces)
    universe = Universe(goal.one, spots=spots_of(game_map, provinces), region=provinces if region else frozenset())
    found = Search(universe_of(goal, universe), goal, objective, most_units, time_left=lambda: began + seconds - monotonic())
    found.run()
    return found


def kept() -> list[dict[str, Any]]:
    """What was found so far."""
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


@click.group()
def main() -> None:
    """Find the least with which rulebooks differ."""


@main.command()
@click.option("--seconds", type=float, default=60, show_default=True, help="For each search.")
@click.option("--region", "regions", multiple=True, help="Provinces; the usual regions if none is named.")
@click.option("--aspect", "aspects", multiple=True, type=click.Choice([str(aspect) for aspect in ASPECTS]))
@click.option("--most", type=int, default=6, show_default=True, help="Units.")
def find(seconds: float, regions: tuple[str, ...], aspects: tuple[str, ...], most: int) -> None:
    """Look for boards in regions, for fewer units than those that are known."""
    for region in regions or REGIONS:
        for goal in cells():
            if aspects and goal.aspect not in aspects:
                continue
            rows = [row for row in kept() if row["goal"] == str(goal)]
            best = min((row["value"] for row in rows if row["value"]), default=most + 1)
            if best == 1 or any(row["region"] == region and row["status"] != "stopped" for row in rows):
                continue
            began = process_time()
            found = search(goal, region, best - 1, seconds)
            result = found.result
            texts = sheets(found, lambda name: False)
            row = {
                "goal": str(goal),
                "region": region,
                "status": str(result.status),
                "value": result.value,
                "bound": result.bound,
                "most": best - 1,
                "seconds": round(process_time() - began, 1),
                "case": next(iter(texts.values()), None),
            }
            with KEPT.open("a") as file:
                file.write(json.dumps(row) + "\n")
            click.echo(f"{goal}  {region}: {result.status} {result.value} (bound {result.bound}), {row['seconds']} s")


if __name__ == "__main__":
    main()
