"""Chooses the boards of the kit's part `boards` (datc_cases/kit/boards.json) among random ones, so that all circumstances meet.

    python benchmarks/studies/conformance_boards.py [--pool 4000]

Of each board the uses of rules are listed, with what is true of them (satjudge/engines/conformance/switchable_judge.py).
Boards are taken one by one, each time that with most pairs of circumstances that were met on too few boards so far.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from itertools import combinations

import msgspec

from satjudge.base.resources import data_directory, write_atomically
from satjudge.engines.conformance.switchable_judge import list_circumstances, make_faulty_judge
from satjudge.engines.kit.parts import SLIPS, get_board_source
from satjudge.engines.positions import AskedPosition
from satjudge.world.rules import load_rulebook

FILE = data_directory() / "datc_cases" / "kit" / "boards.json"
NUMBERS = {"movement": 380, "retreat": 60, "adjustment": 60}
WITH_SLIPS = {"movement": 60, "retreat": 20, "adjustment": 20}
"""How many boards of each phase have slips in their orders: the last ones drawn."""
ENOUGH = 3
"""Boards on which each pair of circumstances is to be met."""
WATCHED = (
    *("SUPPORT never cut", "SUPPORT never given", "a move support for any order", "CONVOY never", "PATH never by convoy"),
    *("HOLD one too little", "ATTACK without PATH", "PREVENT nothing", "DEFEND without supports", "never head-to-head"),
    *("MOVE never", "circular movement fails, 6.C.1", "a convoy order matches no army", "a dislodged unit may retreat nowhere"),
    *("a retreat never succeeds", "a unit that may be built is not", "a unit that may be removed is not"),
)
"""A fault of each rule whose uses are watched; none of them applies."""
Pairs = frozenset[tuple[object, ...]]


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--pool", type=int, default=4000)
    pool = arguments.parse_args().pool
    judge = make_faulty_judge([f"{fault}, if nowhere" for fault in WATCHED])
    rulebook = load_rulebook()

    def pairs(position: AskedPosition) -> Pairs:
        try:
            judge.judge(position.board, position.orders, rulebook=rulebook)
        except Exception:  # the rulebook has no answer
            return frozenset()
        uses = {(rule, found) for rule, several in judge.circumstances.uses.items() for found in several}
        return frozenset((rule, *pair) for rule, found in uses for pair in combinations(list_circumstances(found), 2))

    chosen: dict[str, list[int]] = {}
    for phase, number in NUMBERS.items():
        source = get_board_source(phase)
        met = {index: pairs(source.get_position(index)) for index in range(pool if phase == "movement" else pool // 4)}
        chosen[phase] = sorted(cover(met, number))
        print(f"{phase}: {len(frozenset().union(*met.values()))} pairs, {len(chosen[phase])} of {len(met)} boards")
    chosen |= {SLIPS + phase: list(range(pool, pool + number)) for phase, number in WITH_SLIPS.items()}
    write_atomically(FILE, msgspec.json.encode(chosen) + b"\n")


def cover(met: dict[int, Pairs], number: int) -> list[int]:
    """Choose boards on which most pairs occur often enough; fill up with the first others."""
    counted: Counter[tuple[object, ...]] = Counter()
    gains, found = {index: len(pairs) for index, pairs in met.items()}, list[int]()
    while len(found) < number:
        index = max(gains, key=lambda one: (gains[one], -one))
        gain = sum(counted[pair] < ENOUGH for pair in met[index])
        if gain < gains[index]:  # it was worth so much before others were taken
            gains[index] = gain
            continue
        del gains[index]
        found.append(index)
        counted.update(met[index])
    return found


if __name__ == "__main__":
    main()
