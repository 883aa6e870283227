"""Measures how long searches take, for docs/papers/searches.md.

`whole` puts the questions of issue 5 about the whole standard map, `trials` compares random small searches with brute
force, `regions` measures a few searches of growing size. Times are those of this machine, as busy as it is.
"""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

import click
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from helpers import brute_search as brute
from helpers.search_trials import Trial, counting_trial, random_trial

from satjudge.search import search as searching
from satjudge.search.formulas.cadical import Cadical, choose_solver
from satjudge.search.formulas.clauses import TRUE
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.registry import parse_goal
from satjudge.search.lines.line_search import LineConditions, find_smallest_lines
from satjudge.search.open_orders import question as asking
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search
from satjudge.search.second_opinion import iter_second_opinions
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

WHOLE = (
    "paradox and several-resolutions",
    "no-resolution",
    "differs:1982,datc-3",
    "differs-legal:1982,datc-3",
    "differs-legal:2000,datc-3",
)
REGIONS = {
    "Channel, 5 provinces": "BRE ENG LON PIC WAL",
    "Channel, 8 provinces": "BRE ENG LON PIC WAL NTH BEL YOR",
    "Aegean, 8 provinces": "AEG CON SMY GRE BUL ION EAS SYR",
    "north-west, 16 provinces": "BRE ENG LON PIC WAL NTH BEL YOR EDI LVP CLY NWG NAO IRI MAO HOL",
}


@click.group()
def main() -> None:
    """Measure searches over unknown orders."""


@main.command()
@click.argument("goals", nargs=-1)
@click.option("--timeout", type=float, default=1800, show_default=True, help="Seconds for each goal.")
@click.option("--second-opinion", is_flag=True, help="Ask the other solver as well.")
def whole(goals: tuple[str, ...], timeout: float, second_opinion: bool) -> None:
    """Goals on the whole map: free units, orders and powers, convoys over at most three fleets."""
    game_map = load_map()
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(game_map, game_map.provinces))
    for goal in goals or WHOLE:
        _tell(goal, *_timed(universe, goal, timeout), second_opinion=second_opinion)


@main.command()
@click.option("--timeout", type=float, default=300, show_default=True, help="Seconds for each goal.")
def regions(timeout: float) -> None:
    """The same goals where only a part of the map is used."""
    for name, provinces in REGIONS.items():
        within = frozenset(provinces.split())
        universe = Universe(load_rulebook("datc-3"), spots=spots_of(load_map(), within), region=within)
        for goal in WHOLE:
            _tell(f"{name}: {goal}", *_timed(universe, goal, timeout), second_opinion=False)


def _timed(universe: Universe, goal: str, timeout: float) -> tuple[Search, float, float]:
    began, worked = perf_counter(), process_time()
    search = Search(
        universe,
        parse_goal(goal, universe.map),
        Objective.UNITS,
        most_units=8,
        time_left=lambda: timeout - (perf_counter() - began),
        tell=lambda told: click.echo(f"  {perf_counter() - began:7.1f} s  {told}", err=True),
    )
    return search.run(), perf_counter() - began, process_time() - worked


def _tell(goal: str, result: Search, seconds: float, work: float, *, second_opinion: bool) -> None:
    """One line of JSON."""
    largest = max(result.rounds, key=lambda part: part.variables)
    found: dict[str, Any] = {
        "goal": goal,
        "status": str(result.status),
        "value": result.value,
        "bound": result.bound,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(work, 1),
        "questions": len(result.rounds),
        "largest": {"variables": largest.variables, "clauses": largest.clauses},
        "refused": sum(part.refused for part in result.rounds),
        "orders": [str(order) for given in result.answers[0].proposal.orders.values() for order in given]
        if result.answers
        else None,
    }
    if second_opinion:
        began = os.times().children_user
        found["second_opinion"] = [opinion.agrees for opinion, _ in iter_second_opinions(result)]
        found["second_cpu_seconds"] = round(os.times().children_user - began, 1)
    click.echo(json.dumps(found))


def _cpu() -> float:
    """Seconds of processor time, of this process and of those that have ended."""
    return sum(os.times()[:4])


def _search(goal: str, way: str) -> str:
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(load_map(), load_map().provinces))
    solver = Solver if way == "before" else choose_solver
    result = Search(universe, parse_goal(goal, universe.map), Objective.UNITS, most_units=8, solver=solver).run()
    return f"{result.value} units, {result.status}"


def _lines(centers: int, way: str) -> str:
    wanted, rulebook = LineConditions(load_map(), least=centers, most=centers), load_rulebook("datc-3")
    found = (
        find_smallest_lines(wanted, rulebook)
        if way == "before"
        else find_smallest_lines(wanted, rulebook, choose_solver=Cadical)
    )
    return f"{found.units} units, {'proved minimal' if found.proved else 'not proved'}"


QUESTIONS: dict[str, Callable[[str], str]] = {
    "paradox and several-resolutions": partial(_search, "paradox and several-resolutions"),
    "no-resolution": partial(_search, "no-resolution"),
    "differs-legal:1982,datc-3": partial(_search, "differs-legal:1982,datc-3"),
    "lines centers=18": partial(_lines, 18),
}


@main.command()
@click.argument("questions", nargs=-1, type=click.Choice(list(QUESTIONS)))
def ways(questions: tuple[str, ...]) -> None:
    """Questions as they were asked before, and as they are now, one after the other: CP-SAT alone, with nothing said of convoys
    that depend on themselves and units counted once, against CaDiCaL with all that.
    """
    for question in questions or QUESTIONS:
        told: dict[str, Any] = {"question": question}
        for way in ("before", "now"):
            with pytest.MonkeyPatch.context() as patch:
                if way == "before":
                    patch.setattr(asking, "convoy_on_itself", lambda orders, against: TRUE)
                    patch.setattr(searching, "_iter_order_counts", lambda orders, most: ())
                gc.collect()
                began, worked = perf_counter(), _cpu()
                told[way] = {"answer": QUESTIONS[question](way)}
                gc.collect()  # whose solvers end
                told[way] |= {"seconds": round(perf_counter() - began, 1), "cpu_seconds": round(_cpu() - worked, 1)}
        told["times_as_fast"] = round(told["before"]["cpu_seconds"] / told["now"]["cpu_seconds"], 1)
        click.echo(json.dumps(told))


@main.command()
@click.option("--count", type=int, default=500, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="The first of so many seeds.")
@click.option("--about", default="", metavar="GOAL", help="Only those of the seeds whose goal has this in it, such as differs.")
@click.option("--counting", is_flag=True, help="Goals that count, compare, or ask what would be without a unit.")
def trials(count: int, seed: int, about: str, counting: bool) -> None:
    """Random small searches: every answer is judged once more, existence and minimum are held to brute force."""
    tally: Counter[str] = Counter()
    began = process_time()
    for number, disagreement in enumerate(_disagreements(range(seed, seed + count), about, tally, counting=counting), 1):
        click.echo(f"disagreement {number}: {disagreement}")
    seconds = round(process_time() - began, 1)
    click.echo(json.dumps({"seeds": [seed, seed + count - 1], **dict(sorted(tally.items())), "cpu_seconds": seconds}))
    sys.exit(1 if tally["disagreements"] else 0)


def _disagreements(seeds: range, about: str, tally: Counter[str], *, counting: bool) -> Iterator[str]:
    for seed in seeds:
        trial = (counting_trial if counting else random_trial)(Random(seed))
        if about not in str(trial.goal):
            continue
        tally["trials"] += 1
        result = Search(trial.universe, trial.goal, trial.objective, trial.most_units, workers=1).run()
        least = brute.least(trial.universe, trial.goal, trial.objective, trial.most_units)
        tally.update(_kinds(trial))
        tally[str(result.status)] += 1
        tally["refused proposals"] += sum(part.refused for part in result.rounds)
        for judged in result.answers:
            again = Judged(judged.proposal, judged.rulebook)
            tally["answers confirmed"] += trial.goal.holds(again)
            tally[f"answers with {('no', 'one', 'several')[min(again.resolutions.count, 2)]} resolution"] += 1
            tally["disagreements"] += not trial.goal.holds(again)
        if result.value != least:
            tally["disagreements"] += 1
            yield f"seed {seed}, {trial.goal}: search {result.value}, brute force {least}"


def _kinds(trial: Trial) -> Iterator[str]:
    """What sort of search it is, for the tally."""
    universe = trial.universe
    yield f"fewest {trial.objective}"
    yield "units given" if not universe.spots else "units free" if not universe.units else "units given and free"
    if universe.orders:
        yield "orders given"
    yield from {f"goal {re.split('[:( ]', str(atom))[0]}" for atom in trial.goal.iter_atoms()}
    yield from {f"goal {word}" for word in ("not", "and", "or") if f" {word} " in f" {trial.goal} ".replace("(", " ")}


if __name__ == "__main__":
    main()
