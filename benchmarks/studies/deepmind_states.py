"""Plays random games by DeepMind's protocol beside DiploBench's state over the package `diplomacy`, and counts what differs.

    git clone https://github.com/delaschwein/diplobench
    python benchmarks/studies/deepmind_states.py diplobench/welfare_diplomacy_baselines --games 100

It needs `pip install diplomacy immutabledict typing_extensions`. A game whose positions differ is left there; its last actions
are printed with `--show`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from satjudge.env.deepmind import DiplomacyState

COLUMNS = {
    "units": slice(0, 11), "buildable": slice(11, 12), "removable": slice(12, 13), "dislodged": slice(13, 24),
    "area types": slice(24, 27), "owners": slice(27, 35),
}  # fmt: skip
"""The features of a board."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("diplobench", type=Path, help="the folder welfare_diplomacy_baselines of DiploBench")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--last-year", type=int, default=1907)
    parser.add_argument("--rules", help="the rulebook; else that of the drop-in")
    parser.add_argument("--show", type=int, default=0, help="how many games whose positions differ are shown")
    asked = parser.parse_args()
    sys.path.insert(0, str(asked.diplobench))
    found: Counter[str] = Counter()
    for seed in range(asked.games):
        play(seed, asked, found)
        if sys.stderr.isatty():
            print(f"\r{seed + 1} of {asked.games} games", end="", file=sys.stderr)
    print(*(f"{count:8,} {what}" for what, count in sorted(found.items())), sep="\n")


def play(seed: int, asked: argparse.Namespace, found: Counter[str]) -> None:
    """Play one game in both, by actions that are legal in both."""
    from diplomacy import Game
    from environment import observation_utils  # type: ignore[import-not-found]
    from environment.diplomacy_state import WelfareDiplomacyState  # type: ignore[import-not-found]

    from satjudge.compat.positions import rules_of

    random = Random(seed)
    theirs = WelfareDiplomacyState(Game())
    ours = DiplomacyState(rules_of(asked.rules), last_year=asked.last_year, utils=observation_utils)
    actions: list[list[int]] = []
    while not ours.is_terminal() and not theirs.is_terminal():
        found["phases"] += 1
        one, other = ours.observation(), theirs.observation()
        if one.season != other.season or (one.board != other.board)[:, COLUMNS["units"]].any():
            found["games left as positions differ"] += 1
            if found["games left as positions differ"] <= asked.show:
                tell(actions, ours, theirs)
            return
        compare(one, other, found)
        both = zip(ours.legal_actions(), theirs.legal_actions(), strict=True)
        lists = [(set(map(int, mine)), set(map(int, yours))) for mine, yours in both]
        for mine, yours in lists:
            found.update(f"legal here alone: kind {action & 255}" for action in mine - yours)
            found.update(f"legal there alone: kind {action & 255}" for action in yours - mine)
        numbers = [int(due) for due in other.build_numbers]
        actions = [chosen(sorted(mine & yours), due, random) for (mine, yours), due in zip(lists, numbers, strict=True)]
        ours.step(actions)
        theirs.step(actions)
    found["games to their end"] += 1


def compare(one: Any, other: Any, found: Counter[str]) -> None:  # noqa: ANN401  # DeepMind's tuples
    """Count the parts of two observations that differ."""
    for what, columns in COLUMNS.items():
        found[f"boards with other {what}"] += int((one.board[:, columns] != other.board[:, columns]).any())
    found["other build numbers"] += int(list(one.build_numbers) != list(other.build_numbers))
    found["other last actions"] += int(sorted(one.last_actions) != sorted(map(int, other.last_actions)))


def chosen(legal: list[int], due: int, random: Random) -> list[int]:
    """Choose an action of each unit; as many builds or removals as are due."""
    by_place: dict[int, list[int]] = {}
    for action in legal:
        if action & 255 != 13:
            by_place.setdefault(action >> 9 & 127, []).append(action)
    places = sorted(by_place)
    if any(action & 255 in (10, 11, 12, 13) for action in legal):
        places = random.sample(places, min(abs(due), len(places)))
    return [random.choice(by_place[place]) for place in places]


def tell(actions: list[list[int]], ours: DiplomacyState, theirs: Any) -> None:  # noqa: ANN401  # DiploBench's state
    """Show the actions after which positions differ, and both positions."""
    names = ours.numbering.provinces
    for of in actions:
        print(*(":".join([str(action & 255), *(names[action >> first & 127] for first in (9, 17, 25))]) for action in of))
    print(ours.games.name_of(0), sorted(map(str, ours.games.board(0).units)))
    print(theirs.game.get_current_phase(), sorted(unit for units in theirs.game.get_units().values() for unit in units))


if __name__ == "__main__":
    main()
