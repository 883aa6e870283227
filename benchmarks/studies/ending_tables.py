"""Solves tables of small endings for docs/papers/endings.md: every placement of some armies, and the odds of a wish.

    python benchmarks/studies/ending_tables.py --write       # solves all tables (some minutes)
    python benchmarks/studies/ending_tables.py               # a summary of the file
    python benchmarks/studies/ending_tables.py --again 20    # so many of its placements, solved again by themselves, and
    compared

Both sides stay in the region, also when they retreat, and both draw lots as well as can be: a probability is the value of the
game (`satjudge.search.guarantees.odds`). A probability of 1 is a guarantee.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table as Rows

from satjudge import Board, Unit, load_map, load_rulebook
from satjudge.search.goals.wishes import WishReader
from satjudge.search.guarantees.lookahead import PositionAhead, Wish
from satjudge.search.guarantees.odds import Odds
from satjudge.world.geography import UnitKind

RULES = load_rulebook("datc-3")
DATA = Path(__file__).with_suffix(".jsonl")
OURS, THEIRS = "AUSTRIA", "RUSSIA"


@dataclass(frozen=True)
class Ending:
    """The armies of both sides in a region, Austria's goal, and the number of seasons."""

    name: str
    region: str
    ours: int
    theirs: int
    wish: str
    seasons: int

    def placements(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Where the armies may stand, ours and theirs."""
        region = sorted(self.region.split())
        for ours in combinations(region, self.ours):
            for theirs in combinations([place for place in region if place not in ours], self.theirs):
                yield ours, theirs

    def board(self, ours: tuple[str, ...], theirs: tuple[str, ...]) -> Board:
        """The board of a placement."""
        stand = ((OURS, ours), (THEIRS, theirs))
        units = tuple(Unit(power, UnitKind.ARMY, place) for power, places in stand for place in places)
        return Board(units, map=load_map().restrict_to_region(frozenset(self.region.split())))

    def odds(self) -> Odds:
        """The game, with nothing solved yet."""
        goal = WishReader(self.wish, self.board(*next(self.placements())), OURS, seasons=True).parse_text()
        return Odds(Wish((OURS,), goal, RULES))


HUNT = f"not some(occupied:PROVINCE={THEIRS})"
"""The prey is gone when the seasons are over."""
GUARD = f"not occupied:BUD={THEIRS} and not occupied:VIE={THEIRS}"
"""Two gates: Budapest and Vienna."""
ENDINGS = (
    Ending("race", "BUD GAL RUM SER VIE", 1, 1, "take RUM or take SER", 3),
    Ending("one guard, two gates", "BOH BUD GAL RUM VIE", 1, 1, GUARD, 3),
    Ending("two guards, two gates", "BOH BUD GAL RUM VIE", 2, 2, GUARD, 2),
    Ending("hunt in the Balkans", "BUL CON GRE RUM SER", 2, 1, HUNT, 5),
    Ending("hunt in Iberia", "GAS MAR POR SPA", 2, 1, HUNT, 5),
    Ending("hunt in Scandinavia", "DEN FIN NWY STP SWE", 2, 1, HUNT, 5),
    Ending("hunt in Italy", "APU NAP ROM TUS VEN", 2, 1, HUNT, 5),
    Ending("three hunters", "APU NAP ROM TUS VEN", 3, 1, HUNT, 3),
)


def solved(ending: Ending) -> Iterator[dict[str, Any]]:
    """Every placement with its odds, for one season and more. Positions that are met again are not solved again."""
    odds = ending.odds()
    for ours, theirs in track(list(ending.placements()), ending.name, console=Console(stderr=True)):
        values = [odds.solve(PositionAhead(ending.board(ours, theirs), left)).value for left in range(1, ending.seasons + 1)]
        yield {"ending": ending.name, OURS: ours, THEIRS: theirs, "probability": list(map(str, values))}


def rows() -> list[dict[str, Any]]:
    """What the file says."""
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def again(row: dict[str, Any]) -> list[str]:
    """Solve one placement, and return its probabilities."""
    ending = next(ending for ending in ENDINGS if ending.name == row["ending"])
    odds, board = ending.odds(), ending.board(tuple(row[OURS]), tuple(row[THEIRS]))
    return [str(odds.solve(PositionAhead(board, left)).value) for left in range(1, ending.seasons + 1)]


def summary() -> Rows:
    """Of each table, how many placements have which odds in the end."""
    told = Rows("Ending", "Region", "Armies", "Wish", "Seasons", "Placements", "Won for sure", "Lost for sure", "Other odds")
    for ending in ENDINGS:
        found = Counter(row["probability"][-1] for row in rows() if row["ending"] == ending.name)
        other = ", ".join(f"{value}: {count}" for value, count in sorted(found.items()) if value not in ("0", "1"))
        armies = f"{ending.ours} against {ending.theirs}"
        counts = (found.total(), found["1"], found["0"])
        told.add_row(ending.name, ending.region, armies, ending.wish, str(ending.seasons), *map(str, counts), other)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--again", type=int, default=0, metavar="N")
    arguments = parser.parse_args()
    if arguments.write:
        lines = [json.dumps(row) for ending in ENDINGS for row in solved(ending)]
        DATA.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if arguments.again:
        some = Random("tables").sample(rows(), arguments.again)
        changed = [row for row in some if again(row) != row["probability"]]
        print(*changed, sep="\n")
        sys.exit(1 if changed else 0)
    Console(width=170).print(summary())


if __name__ == "__main__":
    main()
