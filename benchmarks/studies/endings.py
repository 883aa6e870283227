"""Compares `guarantee --seasons` with exhaustive play on random small endings, for docs/papers/endings.md.

    python benchmarks/studies/endings.py --count 1000 --write           # two seasons; writes benchmarks/studies/endings.jsonl
    python benchmarks/studies/endings.py --count 40 --seed 1000 --seasons 3
    python benchmarks/studies/endings.py --count 80 --seed 2000 --rulebooks
    python benchmarks/studies/endings.py --again                        # the endings of that file, solved again

Each line of the file is an ending, named by its seed: what is wished for, and whether it can be brought about: as `guarantee`
finds it (`won`), as it does with the solver alone (`proved`), and by exhaustive play (`played`), which knows nothing but the
judge (`tests/helpers/playing_out.py`); how many positions each met, and how long each took. A disagreement is printed, and the
exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from helpers.playing_out import Journeys, random_ending, sure_to_win

from satjudge import load_rulebook
from satjudge.search.goals.wishes import WishReader
from satjudge.search.guarantees.lookahead import Lookahead, PositionAhead, Wish
from satjudge.search.guarantees.playout import MOST_PAIRS
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Power
from satjudge.world.rules import Rulebook

T = TypeVar("T")
Drawn = tuple[Board, tuple[Power, ...], str, Callable[[Board, frozenset[Unit]], bool]]
"""A board, the powers that wish something, the wish, and what it means."""

RULES = load_rulebook("datc-3")
RULEBOOKS = (
    RULES.with_settings(("4.A.2=all-hold",)),
    load_rulebook("guide-1998"),
    load_rulebook("1971").with_settings(("4.A.2.fallback=szykman",)),
    load_rulebook("2000").with_settings(("4.A.2.fallback=all-hold",)),
)
DATA = Path(__file__).with_suffix(".jsonl")
MOST = 400
"""Order sets of the board with which an ending begins."""


def drawn(seed: int) -> Drawn:
    """The ending of that seed."""
    return random_ending(Random(f"ending {seed}"), MOST)


def solved(ending: Drawn, seasons: int, rulebook: Rulebook = RULES, most_pairs: int = MOST_PAIRS) -> tuple[bool, int]:
    """Whether an ending is won, and how many positions were solved: by play where there are no more pairs of orders."""
    board, powers, wish, _ = ending
    goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).parse_text()
    journey = Lookahead(Wish(powers, goal, rulebook), most_pairs=most_pairs)
    won = journey.solve(PositionAhead(board, seasons)).is_won
    return won, len(journey.solved)


def compared(seed: int, seasons: int, rulebook: Rulebook = RULES) -> dict[str, Any]:
    """An ending, solved both ways and played out."""
    board, powers, wish, meaning = ending = drawn(seed)
    known: Journeys = {}
    (won, positions), by_play = timed(lambda: solved(ending, seasons, rulebook))
    (proved, proved_positions), by_solver = timed(lambda: solved(ending, seasons, rulebook, most_pairs=0))
    truth, exhaustive = timed(lambda: sure_to_win(board, powers, meaning, seasons, rulebook, known=known))
    return {
        "seed": seed,
        "seasons": seasons,
        "units": len(board.units),
        "begins": board.turn.season if board.turn else None,
        "powers": powers,
        "wish": wish,
        "won": won,
        "proved": proved,
        "played": truth,
        "solved_positions": positions,
        "proved_positions": proved_positions,
        "played_positions": len(known),
        "played_phases": phases_of(known),
        "seconds": (by_play, by_solver, exhaustive),
    }


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of some work, and its seconds."""
    began = perf_counter()
    done = work()
    return done, round(perf_counter() - began, 3)


def phases_of(known: Journeys) -> dict[str, int]:
    """How many positions of each phase were played out."""
    return dict(Counter(str(field) for key in known for field in key if isinstance(field, Phase)))


def again() -> Iterator[str]:
    """Find the results that differ from the file."""
    for line in DATA.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if solved(drawn(row["seed"]), row["seasons"])[0] is not row["won"]:
            yield f"ending {row['seed']} is no longer {'won' if row['won'] else 'lost'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seasons", type=int, default=2)
    parser.add_argument("--rulebooks", action="store_true", help="by one rulebook after the other")
    parser.add_argument("--write", action="store_true", help="write what was found to benchmarks/studies/endings.jsonl")
    parser.add_argument("--again", action="store_true", help="only solve the endings of that file again")
    arguments = parser.parse_args()
    if arguments.again:
        changed = list(again())
        print(*changed, sep="\n")
        sys.exit(1 if changed else 0)
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    books = RULEBOOKS if arguments.rulebooks else (RULES,)
    rows = [
        compared(seed, arguments.seasons, books[seed % len(books)])
        for seed in track(seeds, "endings", console=Console(stderr=True))
    ]
    wrong = [row for row in rows if not row["won"] is row["proved"] is row["played"]]
    for row in wrong:
        told = f"exhaustive play {row['played']}, guarantee {row['won']}, solver {row['proved']}"
        print(f"ending {row['seed']}: {told}: {row['powers']} {row['wish']}")
    if arguments.write:
        DATA.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    won, positions = sum(row["won"] for row in rows), sum(row["played_positions"] for row in rows)
    phases: Counter[str] = Counter()
    for row in rows:
        phases.update(row["played_phases"])
    told = ", ".join(f"{count} of {phase}" for phase, count in sorted(phases.items()))
    for way, seconds in zip(
        ("play", "the solver", "exhaustive play"), zip(*(row["seconds"] for row in rows), strict=True), strict=True
    ):
        print(f"by {way}: median {median(seconds):.3f} s, longest {max(seconds):.2f} s, {sum(seconds):.0f} s together")
    print(f"{len(rows)} endings, of which {won} are won, {positions} positions played out ({told}); {len(wrong)} disagreements")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
