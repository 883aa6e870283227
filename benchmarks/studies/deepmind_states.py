"""Plays random games by DeepMind's protocol and by DiploBench's state over the package `diplomacy`, and counts differences.

    git clone https://github.com/delaschwein/diplobench
    python benchmarks/studies/deepmind_states.py diplobench/welfare_diplomacy_baselines --games 100

It needs `pip install diplomacy immutabledict typing_extensions`. A game whose positions differ is left there, and counted by
the setting of the rulebook by which both come to the same position; its last orders are printed with `--show`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from satjudge.compat.positions import choose_rulebook
from satjudge.env.deepmind import DiplomacyState
from satjudge.game.stored_game import find_next_board
from satjudge.judging.judge import judge_phase
from satjudge.world.board import Board
from satjudge.world.rules import Rulebook

NOTHING = "nothing in the rulebook"
COLUMNS = {
    "units": slice(0, 11), "buildable": slice(11, 12), "removable": slice(12, 13), "dislodged": slice(13, 24),
    "area types": slice(24, 27), "owners": slice(27, 35),
}  # fmt: skip
"""The features of a board."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("diplobench", type=Path, help="the folder welfare_diplomacy_baselines of DiploBench")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--last-year", type=int, default=1907)
    parser.add_argument("--rules", help="the rulebook; else that of the drop-in")
    parser.add_argument(
        "--show", type=int, default=0, help="how many games are shown whose positions differ by nothing in the rulebook"
    )
    asked = parser.parse_args()
    sys.path.insert(0, str(asked.diplobench))
    found: Counter[str] = Counter()
    for seed in range(asked.first, asked.first + asked.games):
        play(seed, asked, found)
        if sys.stderr.isatty():
            print(f"\r{seed + 1 - asked.first} of {asked.games} games", end="", file=sys.stderr)
    print(*(f"{count:8,} {what}" for what, count in sorted(found.items())), sep="\n")


def play(seed: int, asked: argparse.Namespace, found: Counter[str]) -> None:
    """Play one game in both, by actions that are legal in both."""
    from diplomacy import Game
    from environment import observation_utils  # type: ignore[import-not-found]
    from environment.diplomacy_state import WelfareDiplomacyState  # type: ignore[import-not-found]

    random = Random(seed)
    theirs = WelfareDiplomacyState(Game())
    ours = DiplomacyState(choose_rulebook(asked.rules), last_year=asked.last_year, utils=observation_utils)
    before = ours.games.board(0)
    while not ours.is_terminal() and not theirs.is_terminal():
        found["phases"] += 1
        one, other = ours.observation(), theirs.observation()
        if one.season != other.season or (one.board != other.board)[:, COLUMNS["units"]].any():
            cause = cause_of(before, ours, theirs)
            found[f"games left as positions differ by {cause}"] += 1
            if cause == NOTHING and found[f"games left as positions differ by {cause}"] <= asked.show:
                tell(seed, ours, theirs)
            return
        compare(one, other, found)
        both = zip(ours.legal_actions(), theirs.legal_actions(), strict=True)
        lists = [(set(map(int, mine)), set(map(int, yours))) for mine, yours in both]
        for mine, yours in lists:
            found.update(f"legal here alone: kind {action & 255}" for action in mine - yours)
            found.update(f"legal there alone: kind {action & 255}" for action in yours - mine)
        numbers = [int(due) for due in other.build_numbers]
        actions = [chosen(sorted(mine & yours), due, random) for (mine, yours), due in zip(lists, numbers, strict=True)]
        before = ours.games.board(0)
        ours.step(actions)
        theirs.step(actions)
    found["games to their end"] += 1


def cause_of(before: Board, ours: DiplomacyState, theirs: Any) -> str:  # noqa: ANN401  # DiploBench's state
    """Name the setting of the drop-in's rulebook by which a phase ends as in the package; `NOTHING` if none does."""
    rules, nearest = ours.games.rulebook, choose_rulebook(None).settings()
    orders = theirs.game.order_history.last_value()
    for issue, choice in rules.settings().items():
        if choice != nearest[issue]:
            setting = f"{issue}={nearest[issue]}"
            if stands(before, orders, rules.with_settings([setting])) == units_of(theirs):
                return setting
    return NOTHING


def stands(before: Board, orders: Any, rules: Rulebook) -> tuple[set[str], set[str]]:  # noqa: ANN401  # the package's orders
    """Judge a phase by a rulebook; return the units that stand afterwards, and those that are dislodged."""
    after = find_next_board(judge_phase(before, orders, rulebook=rules, lenient=True))
    return set(map(str, after.units)), {str(lost.unit) for lost in after.dislodged}


def units_of(theirs: Any) -> tuple[set[str], set[str]]:  # noqa: ANN401  # DiploBench's state
    """Return the units that stand in the package's game, and those that are dislodged."""
    units = [unit for of in theirs.game.get_units().values() for unit in of]
    return {unit for unit in units if unit[0] != "*"}, {unit[1:] for unit in units if unit[0] == "*"}


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


def tell(seed: int, ours: DiplomacyState, theirs: Any) -> None:  # noqa: ANN401  # DiploBench's state
    """Show the orders after which positions differ, and the units that stand otherwise."""
    phase, orders = theirs.game.order_history.last_key(), theirs.game.order_history.last_value()
    print(f"game {seed}, {phase}")
    for power, given in orders.items():
        print(f"  {power}: {', '.join(given)}")
    here, (there, _) = {str(unit) for unit in ours.games.board(0).units}, units_of(theirs)
    print(f"  here alone: {sorted(here - there)}; there alone: {sorted(there - here)}", flush=True)


if __name__ == "__main__":
    main()
