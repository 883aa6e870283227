"""Finds the fewest units with which each two rulebooks differ, in each aspect, for docs/papers/rulebooks-matrix.md.

`find` looks for the smallest boards in a region, `thin` among the shipped cases; `alone` judges every unit that stands alone,
and `bound` asks on the whole map whether few units would do. All keep what they find in
benchmarks/studies/rulebooks_matrix.jsonl.
`write` writes docs/papers/rulebooks-matrix.md from it, and the boards as cases into datc_cases/differences.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from helpers import brute_search

from satjudge.base.words import number_of
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Expectations
from satjudge.notation.write import make_order_lines, sheet_text
from satjudge.search.documents.search import format_sheets, make_search_document
from satjudge.search.goals.differences import Aspect, RulebookDifference, has_difference, list_differing_steps
from satjudge.search.goals.judged_position import Judged, find_illegal_orders
from satjudge.search.open_orders.proposal import Proposal, make_hold
from satjudge.search.open_orders.universe import Universe, meaning_key, spots_of
from satjudge.search.search import Objective, Search, Status, add_goal_rulebooks, thin_answer
from satjudge.world.board import Phase, group_pairs
from satjudge.world.geography import load_map
from satjudge.world.orders import Hold, MovementOrder
from satjudge.world.rules import DEFAULT_RULES, load_rulebook, preset_names

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_suffix(".jsonl")
PAGE = ROOT / "docs" / "papers" / "rulebooks-matrix.md"
CASES = ROOT / "datc_cases" / "differences" / "boards.txt"
ASPECTS = (Aspect.UNITS, Aspect.DISLODGEMENTS, Aspect.VERDICTS, Aspect.RETREATS)
REGION = "ENG NTH LON WAL BEL PIC"
COUNTED = {Aspect.UNITS: 1, Aspect.DISLODGEMENTS: 3, Aspect.VERDICTS: 1, Aspect.RETREATS: 4}
"""The fewest units for any rulebooks: the page explains why."""
WHOLE = ""
"""The region that is the whole map."""
Row = dict[str, Any]


@cache
def like(name: str, aspect: Aspect) -> str:
    """Return the first rulebook that cannot differ from one in an aspect, so that results for one apply to the other."""
    return next(
        one for one in preset_names() if not list_differing_steps(load_rulebook(one), load_rulebook(name), aspect.steps)
    )


@cache
def cell(one: str, other: str, aspect: Aspect) -> RulebookDifference:
    """Two rulebooks in an aspect, or two that cannot differ from them."""
    first, second = sorted((like(one, aspect), like(other, aspect)))
    return RulebookDifference(load_rulebook(first), load_rulebook(second), aspect=aspect)


@cache
def cells() -> tuple[RulebookDifference, ...]:
    """Every two rulebooks that may differ, in every aspect; of several that cannot, the first."""
    every = (cell(one, other, aspect) for aspect in ASPECTS for one, other in combinations(preset_names(), 2))
    return tuple({str(goal): goal for goal in every if not goal.find_general_refutation()}.values())


def search(goal: RulebookDifference, region: str, most_units: int, seconds: float) -> Search:
    """Look in a region, or on the whole map."""
    game_map, began = load_map(), monotonic()
    named = frozenset(region.split())
    spots = spots_of(game_map, named or game_map.provinces)
    universe = add_goal_rulebooks(goal, Universe(goal.one, spots=spots, region=named))
    least, time_left = min(COUNTED[goal.aspect], most_units), lambda: began + seconds - monotonic()
    found = Search(universe, goal, Objective.UNITS, most_units, at_least=least, time_left=time_left)
    found.run()
    return found


# Stored results.


def kept() -> list[Row]:
    """Read the stored results."""
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def keep(**row: object) -> None:
    """Store a result."""
    with KEPT.open("a") as file:
        file.write(json.dumps(row) + "\n")


def boards(rows: Iterable[Row]) -> list[str]:
    """Every board that was found, small ones first."""
    found = {row["case"]: row["value"] for row in rows if row["case"]}
    return sorted(found, key=lambda case: (found[case], case))


def chosen(rows: Iterable[Row]) -> dict[str, str]:
    """A smallest board for each cell that has one: as few boards in all as comes of taking first what serves most cells."""
    answers = {case: [str(goal) for goal in cells() if is_answer(goal, case)] for case in boards(rows)}
    size = {case: len(proposal(case).board.units) for case in answers}
    least = {goal: min(size[case] for case in answers if goal in answers[case]) for goals in answers.values() for goal in goals}
    found: dict[str, str] = {}
    while len(found) < len(least):
        left = {case: [g for g in goals if g not in found and least[g] == size[case]] for case, goals in answers.items()}
        case = max(left, key=lambda case: (len(left[case]), case))
        found |= dict.fromkeys(left[case], case)
    return found


@cache
def proposal(case: str) -> Proposal:
    """The board and the orders of a case."""
    (sheet,) = read_sheets(case)
    given = (order for orders in sheet.orders_by_power().values() for order in orders if isinstance(order, MovementOrder))
    orders = {unit.province: make_hold(unit) for unit in sheet.board.units} | {order.unit.province: order for order in given}
    chosen = {place: meaning_key(order) for place, order in orders.items() if not isinstance(order, Hold)}
    return Proposal(sheet.board, orders, chosen)


@cache
def judged(case: str, name: str) -> Judged:
    """The board as a rulebook judges it."""
    return Judged(proposal(case), load_rulebook(name))


def is_answer(goal: RulebookDifference, case: str) -> bool:
    """Whether the rulebooks of a cell differ on the board of a case, and each order is legal under one of them."""
    one, other = (judged(case, book.name).outcome for book in goal.list_compared_rulebooks())
    differing = one is not None and other is not None and has_difference(goal.aspect, one, other)
    return differing and not illegal(case, goal.one.name) & illegal(case, goal.other.name)


@cache
def illegal(case: str, name: str) -> frozenset[MovementOrder]:
    """The orders of the board that are illegal under a rulebook."""
    return frozenset(find_illegal_orders(proposal(case), load_rulebook(name)))


def bound(goal: RulebookDifference, rows: Iterable[Row]) -> int:
    """With how many units rulebooks differ at least in an aspect.

    By counting; by what was asked on the whole map; where positions or dislodgements differ, so do verdicts, and verdicts alone
    only where one has a unit destroyed that may retreat under the other.
    """
    if goal.aspect is Aspect.VERDICTS and not list_differing_steps(goal.one, goal.other, Aspect.POSITION.steps):
        return COUNTED[Aspect.RETREATS]
    asked = {str(goal)}
    if goal.aspect is not Aspect.RETREATS:
        asked.add(str(cell(goal.one.name, goal.other.name, Aspect.VERDICTS)))
    searched: Iterator[int] = (row["bound"] for row in rows if row["goal"] in asked and row["region"] == WHOLE)
    return max((COUNTED[goal.aspect], *searched))


# Commands.


@click.group()
def main() -> None:
    """Find the least with which rulebooks differ."""


@main.command()
@click.option("--seconds", type=float, default=60, show_default=True, help="For each search.")
@click.option("--region", default=REGION, show_default=True, help="Where units stand and move.")
@click.option("--most", type=int, default=6, show_default=True, help="Units.")
@click.argument("goals", nargs=-1)
def find(seconds: float, region: str, most: int, goals: tuple[str, ...]) -> None:
    """Look for boards with fewer units than those that are known: for all cells, or for some."""
    for goal in cells():
        if goals and str(goal) not in goals:
            continue
        rows = kept()
        sizes = (len(proposal(case).board.units) for case in boards(rows) if is_answer(goal, case))
        value = min(sizes, default=most + 1)
        searched = (row for row in rows if (row["goal"], row["region"]) == (str(goal), region) and "seconds" in row)
        if value > bound(goal, rows) and all(row["status"] == Status.STOPPED for row in searched):
            began = process_time()
            result = search(goal, region, value - 1, seconds)
            case = next(iter(format_sheets(make_search_document(result), result.universe.map).values()), None)
            took = round(process_time() - began, 1)
            keep(goal=str(goal), region=region, status=str(result.status), value=result.value, bound=result.bound, case=case, seconds=took)  # fmt: skip  # noqa: E501
            click.echo(f"{goal}: {result.status} {result.value} (bound {result.bound}), {took} s")


@main.command()
def thin() -> None:
    """Look among the shipped cases, without what a difference does without."""
    game_map = load_map()
    everything = Universe(load_rulebook(), spots=spots_of(game_map, game_map.provinces))
    sheets_read = [sheet for path in list_case_files() for sheet in load_sheets(path)]
    moves = (sheet for sheet in sheets_read if sheet.phase is Phase.MOVEMENT and sheet.map.is_standard)
    small = [sheet for sheet in moves if 0 < len(sheet.board.units) <= 7]
    texts = [sheet_text(sheet.board, sheet.orders_by_power(), identity="any", title="") for sheet in small]
    for goal in cells():
        sizes = (len(proposal(case).board.units) for case in boards(kept()) if is_answer(goal, case))
        value = min(sizes, default=8)
        for text in texts if value > bound(goal, kept()) else ():
            if is_answer(goal, text):
                found = thin_answer(goal, judged(text, goal.one.name), add_goal_rulebooks(goal, everything)).proposal
                if len(found.board.units) < value:
                    value = len(found.board.units)
                    case = sheet_text(found.board, found.orders, identity="any", title="")
                    keep(goal=str(goal), region="shipped", status="found", value=value, bound=0, case=case)
                    click.echo(f"{goal}: {value}")


@main.command("bound")
@click.option("--seconds", type=float, default=1800, show_default=True, help="For each search.")
@click.option("--most", type=int, default=2, show_default=True, help="Units.")
@click.argument("goals", nargs=-1)
def bound_(seconds: float, most: int, goals: tuple[str, ...]) -> None:
    """Ask on the whole map whether so few units would do."""
    for goal in cells():
        if str(goal) in goals and bound(goal, kept()) <= most:
            began = process_time()
            result = search(goal, WHOLE, most, seconds)
            took = round(process_time() - began, 1)
            keep(goal=str(goal), region=WHOLE, status=str(result.status), value=result.value, bound=result.bound, case=None, seconds=took)  # fmt: skip  # noqa: E501
            click.echo(f"{goal}: {result.status} {result.value} (bound {result.bound}), {took} s")


# The page.

INTRODUCTION = """\
# Where rulebooks differ

*Computed 22 November 2026, with satjudge before 1.0.*

**Abstract.** What is the smallest board that two rulebooks judge differently? We compare each pair of satjudge's
eight rulebooks in four aspects: the positions of units, dislodged units, the results of orders, and possible
retreats. For each pair and aspect, this page shows the smallest known board on the standard map. Seventeen boards are
enough for all pairs and aspects. In most cases, a search proves that fewer units are not enough.

The cells of the tables show how many units are needed:

- **=**: The two rulebooks have the same rules in this aspect, so they agree on every board of every map ([how we
  decide this](../reference/goals.md#rulebooks-that-differ)).
- **3**: The two rulebooks differ on a board with 3 units, but on no smaller board of the whole map.
- **≤5 (≥3; here ≥4)**: The two rulebooks differ on a board with 5 units, but on none with fewer than 3. We do not
  know whether they differ on a board with 3 or 4 units. In the [six provinces below](#how-it-was-found), they differ on
  no board with fewer than 4 units.
"""
TITLES = {
    Aspect.UNITS: ("Where units stand", "the cells compare the positions of units after the moves, without dislodged units"),
    Aspect.DISLODGEMENTS: ("Which units are dislodged", ""),
    Aspect.VERDICTS: (
        "Results of orders",
        "the cells compare the verdicts in words, such as `fails`, `cut, dislodged` or `illegal`",
    ),
    Aspect.RETREATS: (
        "Where units may retreat",
        "the cells compare the retreats of units that are dislodged under both rulebooks",
    ),
}


def cases(found: dict[str, str]) -> dict[str, str]:
    """The names of the cases that the boards become which were chosen."""
    texts = (case for case in boards(kept()) if case in found.values())
    return {text: f"difference-{number}" for number, text in enumerate(texts, 1)}


def case_text(identity: str, case: str) -> str:
    """A board with the verdicts of every rulebook; those that say the same have one block."""
    found = proposal(case)
    verdicts = {name: judged(case, name).results for name in preset_names()}
    expected = verdicts[DEFAULT_RULES]
    under = []
    for told, names in group_pairs((json.dumps(results), name) for name, results in verdicts.items()).items():
        if DEFAULT_RULES not in names:
            results = json.loads(told)
            same = make_order_lines(found.orders, expected)
            lines = [line for line in make_order_lines(found.orders, results) if line not in same] if results else []
            under.append(Expectations(tuple(names), (), unresolved=results is None, orders=lines))
    alike = group_pairs((json.dumps(told), name) for name, told in verdicts.items()).values()
    number = len(found.board.units)
    return sheet_text(
        found.board,
        found.orders,
        identity=identity,
        title=f"rulebooks part with {number_of(number, 'unit')}",
        notes={
            "source": ["benchmarks/studies/rulebooks_matrix.py"],
            "note": [f"rulebooks that say the same: {'; '.join(map(', '.join, alike))}"],
        },
        expected=expected,
        under=under,
    )


HOW = """\
## How it was found

Every unit has a complete order, which is legal under at least one of the two rulebooks. The searches therefore do not
cover incomplete or missing orders ([why](../reference/goals.md#rulebooks-that-differ)).

The boards come from the included cases, and from searches in the provinces REGION (`satjudge search
"differs:A,B=ASPECT" --region …`). From each board, we removed the units that the difference does not need. We tried
each board for all pairs and aspects.

Either a search or one of these arguments proves that fewer units are not enough:

- *One unit.* We judged every unit alone, with every order in every place, under all rulebooks. There are 846 such
  boards.
- *A dislodgement takes three units*: the attacker, its supporter, and the attacked unit. If rulebooks differ in the
  positions of units or in dislodged units, they also differ in a verdict.
- *Different retreats take four units.* Suppose that a board has only three units, and that a move with one support
  dislodges a unit under both rulebooks. The attacker came by land, because no unit convoys it. Under every rulebook,
  the dislodged unit can retreat neither to the attacker's province nor to the supporter's. All other provinces are
  empty. Only the dislodged unit itself could have contested one of them, but its move fails only against one of the
  other two units. The retreats are therefore the same. If the rulebooks agree on all moves, verdicts differ only if a
  unit is destroyed under one rulebook and may retreat under the other. This also takes four units. In the six
  provinces, certificates prove this result for every pair of rulebooks.

The first two tables have [certificates](../reference/certificates.md#what-is-claimed-and-what-has-a-certificate), for
the whole map and for these provinces. Certificates do not support the aspects of the last two tables. In these
tables, the numbers after *here* come from searches without certificates.

## Do it again

`python benchmarks/studies/rulebooks_matrix.py write` makes this page and the cases from stored results. To search
again, use `find`, `thin`, `bound` and `alone`.
"""


def page(rows: list[Row], found: dict[str, str]) -> Iterator[str]:
    """The page, line by line."""
    yield INTRODUCTION.replace("REGION", REGION)
    books, names = preset_names(), cases(found)
    for aspect in ASPECTS:
        title, meaning_ = TITLES[aspect]
        yield from (f"## {title}", "", *((f"{meaning_[0].upper()}{meaning_[1:]}.", "") if meaning_ else ()))
        yield from (f"| | {' | '.join(books[1:])} |", "|---|" + "---|" * (len(books) - 1))
        for one in books[:-1]:
            told = []
            for other in books[1:]:
                goal = cell(one, other, aspect)
                told.append("" if books.index(other) <= books.index(one) else _cell(goal, found.get(str(goal)), rows, names))
            yield f"| **{one}** | {' | '.join(told)} |"
        yield ""
    yield from ("## The boards", "", "[One file](../../datc_cases/differences/boards.txt) contains all boards. Below each board, you see the results of its", "orders under each rulebook. `satjudge compare difference:1` compares the rulebooks on the first board.", "")  # fmt: skip  # noqa: E501
    for text, name in names.items():
        board = proposal(text)
        yield from (f"### {name}", "", "```")
        for power, orders in board.orders.items():
            yield f"{board.board.map.name_of(power)}: {', '.join(map(str, orders))}"
        yield "```"
        yield ""
        verdicts = group_pairs((json.dumps(judged(text, book).results), book) for book in books)
        for said, alike in verdicts.items():
            results = json.loads(said)
            words = "no answer" if results is None else "; ".join(word for given in results.values() for word in given)
            yield f"- {', '.join(alike)}: {words}"
        yield ""
    yield from HOW.replace("REGION", REGION).rstrip().splitlines()


def _cell(goal: RulebookDifference, case: str | None, rows: list[Row], names: dict[str, str]) -> str:
    if goal.find_general_refutation():
        return "="
    least = bound(goal, rows)
    here = max((row["bound"] for row in rows if (row["goal"], row["region"]) == (str(goal), REGION)), default=0)
    if case is not None and len(proposal(case).board.units) == least:
        return f"[{least}](#{names[case]})"
    known = f"[≤{len(proposal(case).board.units)}](#{names[case]})" if case is not None else "none known"
    return f"{known} (≥{least}; here ≥{here})" if here > least else f"{known} (≥{least})"


@main.command()
def alone() -> None:
    """Judge every unit that stands alone on the map with every order, under all rulebooks: what it cannot do takes two."""
    game_map = load_map()
    first, *others = map(load_rulebook, preset_names())
    everything = Universe(first, spots=spots_of(game_map, game_map.provinces), beside=tuple(others))
    proposals = [found for found in brute_search.proposals(everything, 1) if found.board.units]
    outcomes = [{name: Judged(found, load_rulebook(name)).outcome for name in preset_names()} for found in proposals]
    click.echo(f"{len(proposals)} boards with orders")
    for goal in cells():
        if COUNTED[goal.aspect] == 1:
            one, other = (book.name for book in goal.list_compared_rulebooks())
            pairs = ((told[one], told[other]) for told in outcomes)
            if not any(has_difference(goal.aspect, a, b) for a, b in pairs if a and b):
                keep(goal=str(goal), region=WHOLE, status=str(Status.NONE), value=None, bound=2, case=None)


@main.command()
def write() -> None:
    """Write docs/papers/rulebooks-matrix.md and the cases."""
    rows = kept()
    found = chosen(rows)
    CASES.write_text("\n".join(case_text(name, text) for text, name in cases(found).items()))
    PAGE.write_text("\n".join(page(rows, found)).rstrip() + "\n")


if __name__ == "__main__":
    main()
