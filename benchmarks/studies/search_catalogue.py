"""Finds the smallest board with each shape of core, for datc_cases/catalogue and docs/papers/catalogue.md.

The catalogue keeps the shapes that it has: those of the first census, of 200,000 boards, and of the DATC. The census and the
DATC have an example of each. What the core does without is taken away from it; if more is left than the core must have by
counting (satjudge.search.goals.cores), other examples are looked for on random boards.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click
from core_units import count_core_units

from satjudge.base.errors import UnresolvedError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import ClassifiedCore, classify_cores
from satjudge.judging.equations.situation import ConvoyDecision
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve.result import CoreKind
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import sheet_text
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder

TRIES = 30
"""The number of sequences in which units are removed: earlier removals decide later ones."""
FLAVOURS = (Flavour.CIRCLES, Flavour.CONVOYS, Flavour.CONVOYS)
MADE = """\
case made-1: ring of 4 with two convoys
England:
  A London - Belgium
  F North Sea Convoys A London - Belgium
  A Wales - London
France:
  A Belgium - Picardy
  A Picardy - Wales
  F English Channel Convoys A Picardy - Wales

case made-2: exclusive convoys over one fleet each
Austria:
  A Tuscany - Tunis
  F Tyrrhenian Sea Convoys A Tuscany - Tunis
England:
  F Western Mediterranean - Tyrrhenian Sea
  F Gulf of Lyon Supports F Western Mediterranean - Tyrrhenian Sea
France:
  A Albania - Naples
  F Ionian Sea Convoys A Albania - Naples
  F Greece - Ionian Sea
Germany:
  F Tunis Supports F Greece - Ionian Sea
  F Apulia - Ionian Sea
  F Adriatic Sea Supports F Apulia - Ionian Sea
Italy:
  F Rome Supports A Albania - Naples
Russia:
  F Naples Supports F Tyrrhenian Sea
"""
"""Examples of shapes whose other examples have convoys over several fleets where one will do."""


@dataclass(frozen=True)
class Entry:
    """A shape with the smallest board that was found for it, a part of some `source`. `at_least`: by counting."""

    shape: str
    outcome: Outcome
    orders: Mapping[Power, Sequence[MovementOrder]]
    at_least: int
    source: str

    @property
    def units(self) -> int:
        """How many units the board has."""
        return len(self.outcome.board.units)

    @property
    def core(self) -> ClassifiedCore:
        """The core that it is about."""
        return next(core for core in classify_cores(self.outcome.adjudication) if core.shape == self.shape)

    @property
    def proof(self) -> str:
        """The proof for the number of units."""
        if self.units == self.at_least:
            return "no smaller board exists"
        alone = self.units == drawn(self.shape)
        return "no smaller board exists on the standard map" if alone else f"open: at least {self.at_least}"


def drawn(shape: str) -> int | None:
    """The fewest units of a board with the core on the standard map, if benchmarks/studies/core_list.py has drawn one."""
    listed = map(json.loads, Path(__file__).with_name("core_list.jsonl").read_text(encoding="utf-8").splitlines())
    return next((line["at_least"] for line in listed if line["shape"] == shape), None)


@click.command()
@click.option("--boards", type=int, default=200_000, show_default=True, help="So many random boards are looked at.")
@click.option("--cases", type=click.Path(path_type=Path), default=Path("datc_cases/catalogue"), show_default=True)
@click.option("--page", type=click.Path(path_type=Path), default=Path("docs/papers/catalogue.md"), show_default=True)
def main(boards: int, cases: Path, page: Path) -> None:
    """Find the smallest board of each shape, and write the results."""
    found = examples()
    for seed in range(boards):
        wanted = {shape for shape, entry in found.items() if entry.units > entry.at_least}
        if not wanted:
            break
        board, orders = random_board(Random(seed), FLAVOURS[seed % len(FLAVOURS)], (8, 22), via=0.5 + 0.4 * (seed % 3 == 0))
        for core in cores_of(board, orders):
            if core.shape in wanted:
                entry = shrunk(board, orders, core, f"the random board {seed}")
                found[core.shape] = min(found[core.shape], entry, key=lambda entry: entry.units)
    write(found.values(), cases, page)


def examples() -> dict[str, Entry]:
    """Reduce a case for every shape of the catalogue."""
    listed = {sheet.identity.removeprefix("catalogue-") for sheet in read_collection("catalogue")}
    found: dict[str, Entry] = {}
    made = read_sheets(MADE, source="MADE")
    for sheet in (*made, *read_collection("census"), *read_collection("datc-3.2")):
        source = "a case made for this" if sheet in made else f"the case {sheet.identity}"
        orders = movement_orders(sheet)
        for core in cores_of(sheet.board, orders):
            if core.shape in listed and core.shape not in found:
                found[core.shape] = shrunk(sheet.board, orders, core, source)
    return found


def movement_orders(sheet: Sheet) -> dict[Power, list[MovementOrder]]:
    """Return the orders before any retreats and builds."""
    given = sheet.orders_by_power().items()
    return {power: [order for order in orders if isinstance(order, MovementOrder)] for power, orders in given}


def cores_of(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> list[ClassifiedCore]:
    """The cores of a board under datc-3; none where that has no answer."""
    try:
        return classify_cores(judge(board, orders).adjudication)
    except UnresolvedError:
        return []


# Taking away.


def shrunk(board: Board, orders: Mapping[Power, Sequence[MovementOrder]], core: ClassifiedCore, source: str) -> Entry:
    """The fewest units of a board that were found to have its core."""
    least, best, random = count_core_units(core), board.units, Random(0)
    for _ in range(TRIES):
        if len(best) > least:
            best = min(best, needed(board.units, orders, core.shape, random), key=len)
    kept = orders_of(best, orders)
    return Entry(core.shape, judge(Board(best), kept), kept, least, source)


def needed(
    units: Sequence[Unit], orders: Mapping[Power, Sequence[MovementOrder]], shape: str, random: Random
) -> tuple[Unit, ...]:
    """Units none of which can go, the others taken away one by one in some order."""
    left = tuple(units)
    for unit in random.sample(units, len(units)):
        fewer = tuple(other for other in left if other != unit)
        if any(core.shape == shape for core in cores_of(Board(fewer), orders_of(fewer, orders))):
            left = fewer
    return left


def orders_of(units: Sequence[Unit], orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[Power, list[MovementOrder]]:
    """The orders that are for some units."""
    standing = {unit.province for unit in units}
    kept = {power: [order for order in given if order.unit.province in standing] for power, given in orders.items()}
    return {power: given for power, given in kept.items() if given}


# Writing.


def write(found: Iterable[Entry], cases: Path, page: Path) -> None:
    """The cases, one to a file, and the page that lists them."""
    entries = sorted(found, key=lambda entry: (entry.units, entry.shape))
    cases.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        (cases / f"{entry.shape}.txt").write_text(case_of(entry), encoding="utf-8")
    page.write_text("\n".join(page_of(entries)) + "\n", encoding="utf-8")


def case_of(entry: Entry) -> str:
    """The board as a case."""
    return sheet_text(
        entry.outcome.board,
        entry.orders,
        identity=f"catalogue-{entry.shape}",
        title=entry.core.name,
        notes={
            "source": [f"a part of {entry.source} (benchmarks/studies/search_catalogue.py)"],
            "note": [f"{entry.units} units; {entry.proof}", f"core: {'; '.join(map(str, entry.core.core.decisions))}"],
        },
        expected=entry.outcome.results,
    )


def page_of(entries: Sequence[Entry]) -> Iterator[str]:
    """The page in Markdown."""
    yield INTRODUCTION
    yield "| units | shape | name | proof |"
    yield "|---|---|---|---|"
    for entry in entries:
        file = f"[`{entry.shape}`](../../datc_cases/catalogue/{entry.shape}.txt)"
        yield f"| {entry.units} | {file} | {entry.core.name} | {entry.proof} |"
    yield COUNTING
    for entry in entries:
        yield from section_of(entry)


def section_of(entry: Entry) -> Iterator[str]:
    """The section of the page on one board: what happens, the command that shows it, the picture and the orders."""
    yield f"\n## {entry.core.name}, {entry.units} units\n"
    yield f"{' '.join(told(entry))}\n"
    yield f"```sh\nsatjudge judge catalogue:{entry.shape}\n```\n"
    yield f"![{entry.core.name}](../pictures/catalogue-{entry.shape}.svg)\n\n```"
    for power, orders in entry.orders.items():
        yield from (f"{power.capitalize():8} {order}" for order in orders)
    yield "```"


def told(entry: Entry) -> Iterator[str]:
    """What happens on a board, in sentences that are made from its core and from what becomes of it."""
    core = entry.core
    ruled = [entry.outcome.adjudication.values[decision.index] for decision in core.core.decisions]
    if core.kind is CoreKind.CIRCULAR_MOVEMENT:
        assert all(ruled)
        by_convoy = core.name.partition(", ")[2]
        yield f"{len(ruled)} units move in a circle{f', {by_convoy}' * bool(by_convoy)}. All moves succeed."
        return
    results = core.core.resolutions
    consistent = "with two resolutions" if results else "without a resolution"
    yield f"{len(ruled)} orders form a paradox {consistent}."
    places = [number for number, decision in enumerate(core.core.decisions) if isinstance(decision, ConvoyDecision)]
    if results:
        yield _convoys_told([sum(result[place] for place in places) for result in results], len(places))
    assert not any(ruled[place] for place in places)
    which = {1: "the convoy", 2: "both convoys"}.get(len(places), f"all {len(places)} convoys")
    yield f"Szykman's rule disrupts {which}."


def _convoys_told(holding: Sequence[int], convoys: int) -> str:
    """How many of the convoys hold in each of two results."""
    most, least = max(holding), min(holding)
    if (convoys, most, least) == (1, 1, 0):
        return "The convoy succeeds in one of them and is disrupted in the other."
    if (convoys, most, least) == (2, 1, 1):
        return "In each of them, one convoy succeeds and the other is disrupted."
    assert (most, least) == (convoys, 0)
    every = "both" if convoys == 2 else f"all {convoys}"
    return f"{every.capitalize()} convoys succeed in one of them and are disrupted in the other."


INTRODUCTION = """\
# A catalogue of cores

*Computed 22 November 2026, with satjudge before 1.0, under `datc-3`.*

**Abstract.** A core is a set of orders that depend on each other in a circle. Every core is a paradox or a circular
movement. This page shows the smallest board for each of 38 shapes of cores. For 37 shapes, we prove by counting units
that no map has a smaller board. For the core of DATC 6.F.28, a search proves that the standard map has none.

These shapes occur in the DATC, or in our first [census](census.md) of 200,000 boards. A larger census found rarer shapes,
and [the list of cores](cores.md) contains all possible ones. The name of a shape states the numbers of convoys (C), moves
(M), supports (S) and resolutions (r). It
ends in a fingerprint of the dependencies. For example, `1C1M1S-2r-21451013` has
one convoy, one move, one support and two resolutions.

In a *circular movement*, each unit moves to the province that the next one leaves. In a *paradox*, the convoys, moves and
supports depend on each other in a circle.

You can use every board as a case:

```sh
satjudge resolutions catalogue:1C1M1S-2r-21451013     # its resolutions
satjudge explain catalogue:1C1M1S-2r-21451013         # the reasons
```
"""

COUNTING = """
## Why no smaller board exists

We count the units that a core needs. This number depends only on the graph of the core, so it is valid for every core of
this shape on every map (`satjudge/search/goals/cores.py`). Each decision of a core is the order of a different unit. In
a circular movement, each convoyed move also needs a fleet.

In a core with a convoy, every move goes to a unit that supports or convoys. For some values of the other decisions, the
move dislodges that unit ([why](../background/search.md#what-is-true-of-every-board)). The unit holds with a strength of
at least 1. It follows that:

- Each move has a support, by a unit in the core or by another unit.
- Each convoyed move has a fleet, which is in the core or is another unit.
- Each convoy has an army. If the army is not in the core, it is another unit, one for each destination of such armies.
- A support may work against all moves of the core into the sea of a convoy. It then supports a move by another unit.

All these orders are different, so the units are different too. For example, the core of the simple paradox contains a
convoy, a move and a support. The convoyed army is the fourth unit. If the army also dislodges a unit (*army
dislodging*), its move is part of the core, and a fifth unit supports it.

For the core of DATC 6.F.28, counting proves only that it needs at least 24 units. A formula shows that the standard map
has no board with fewer than 26 units ([how](cores.md#all-cores-of-the-standard-map)), but this proof has no certificate. The
proofs for all other shapes have [certificates](../background/certificates.md#cores). For small boards, the tests also
run `satjudge search`, which finds no smaller one.

## Reproduce it

`python benchmarks/studies/search_catalogue.py` writes the cases and this page. It takes an example of each core and
removes all units that the core does not need. If counting allows a smaller board, it tries examples from random boards."""


if __name__ == "__main__":
    main()
