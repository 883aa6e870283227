"""Compares engines, oracles and the second encoder on random boards of random maps with many convoying fleets.

    python benchmarks/studies/crowded.py --boards 100000 --seed 1 --state crowded.jsonl --json docs/papers/speed/crowded.json
    python benchmarks/studies/crowded.py --boards 2000 --seed 2 --few-fleets

Each must find the same set of resolutions. Every board is judged under the rulebook by default, which is that of the
oracle asp, or under a random one, which the second encoder reads as well. Where up to 15 fleets stand in waters every
oracle that knows the map judges as well, and must come to the outcome of its rulebook. Board N of a seed is the same
for any number of boards. A run that was interrupted goes on where it stopped, with the same `--state`. Exit status 1
after a difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from asp import TurnProgram
from campaign import whole_number
from helpers.crowded_waters import any_rulebook, crowded_board
from helpers.second_encoder_boards import encoded

from satjudge.base.errors import RulebookError
from satjudge.base.processes import processes
from satjudge.bulk.chunked_runs import Count, run_count
from satjudge.bulk.tallies import add_by_name
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.comparison import compare_answers as compare_answers
from satjudge.engines.connections.registry import ORACLES, NamedOracle
from satjudge.files.dialects import OURS, load_dialect
from satjudge.judging.judge import judge, resolutions
from satjudge.judging.solve import Engine
from satjudge.oracles.datc_turn import Turn
from satjudge.world.board import Board
from satjudge.world.geography import Power, ProvinceCode, UnitKind
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import LandFallback, SuperfluousConvoy
from satjudge.world.verdicts import OrderResult

CHUNK = 100
MOST_SEAS = 60
"""Of these about forty have fleets that convoy."""
SHOWN = 5
SHARED = 50
"""The number of boards in a row that alternate between the default rulebook and the same random one."""
FEW_DECISIONS, SOME_DECISIONS = 7, 10
"""So many decisions are assigned by brute force; the second number on every eighth board, as it takes most of the time."""
FEW_SEAS = 9
"""With more seas the second encoder, which lists roundabout routes and those of all waters, is not asked for these."""
FEW_FLEETS = 15
"""With more fleets that could convoy the oracles, which list routes, are not asked for an outcome."""
FEW_WAYS = 2_000
"""Nor where more ways through fleets begin at an army's coast, roundabout ones too: they look at all."""
FEW_ROUTES = 2_000
"""The second encoder writes no more routes of a move."""

Orders: TypeAlias = Mapping[Power, Sequence[MovementOrder]]
Found: TypeAlias = set[frozenset[tuple[ProvinceCode, bool]]]
"""Resolutions: how each order ended, by the province of its unit."""


@dataclass
class Compared:
    """What came of some boards."""

    boards: int = 0
    judged: dict[str, int] = field(default_factory=dict)
    """How many boards each judge was asked about."""
    fleets: dict[str, int] = field(default_factory=dict)
    """The number of boards with up to each number of convoying fleets."""
    counts: dict[str, int] = field(default_factory=dict)
    """The number of boards with each number of resolutions."""
    different: list[str] = field(default_factory=list)

    def add(self, other: Compared) -> None:
        """Count the other's boards too."""
        add_by_name(vars(self), vars(other))


def drawn(seed: int, index: int, *, few: bool = False) -> tuple[Board, Orders, Rulebook]:
    """Board `index` of a seed, with few fleets only or with any number; every other one under the rulebook by default."""
    random = Random(f"{seed}:crowded {index}")
    seas = random.randint(*random.choice(((3, 14), (15, 35), (35, MOST_SEAS)))) if not few else random.randint(3, FEW_FLEETS)
    board, orders = crowded_board(random, seas, random.randint(3, 7))
    return board, orders, _rulebook(seed, index // SHARED) if index % 2 else load_rulebook()


@lru_cache(maxsize=2)
def _rulebook(seed: int, number: int) -> Rulebook:
    """Draw a rulebook that several boards share, as its equations are compiled for each that is new."""
    return any_rulebook(Random(f"{seed}:rulebook {number}"))


def found_by(board: Board, orders: Orders, rules: Rulebook, engine: Engine) -> Found:
    """The resolutions that an engine finds."""
    found = resolutions(board, orders, rulebook=rules, engine=engine)
    decisions = found.situation.order_decisions
    return {frozenset((decision.province, values[decision.index]) for decision in decisions) for values in found}


def found_by_logic(board: Board, orders: Orders) -> Found:
    """The resolutions that the oracle finds; orders that match nothing have no decision there, and fail."""
    return {frozenset(one.items()) for one in TurnProgram(Turn(board, orders)).list_resolutions({})}


def few_ways(board: Board) -> bool:
    """Whether the ways of all armies through fleets can be listed, also those that end nowhere."""
    armies = (unit.province for unit in board.units if unit.kind is UnitKind.ARMY)
    return all(len([*islice(_ways(board, army), FEW_WAYS + 1)]) <= FEW_WAYS for army in armies)


def _ways(board: Board, coast: ProvinceCode) -> Iterator[tuple[ProvinceCode, ...]]:
    """The ways through fleets from a coast that pass none of them twice."""
    ways: list[tuple[ProvinceCode, ...]] = [(sea,) for sea in board.map.shores.get(coast, ()) if sea in board.convoyers]
    while ways:
        way = ways.pop()
        yield way
        ways += [(*way, sea) for sea in board.map.fleet[way[-1]] if sea in board.convoyers and sea not in way]


def differing(oracle: NamedOracle, board: Board, orders: Orders) -> list[str]:
    """What is otherwise in an oracle's outcome than in that of the rulebook it plays by.

    Not what is known of the guide: in Step 1 it finds a support legal by the only fleet that could convoy the army, which
    then merely finds no move; DATC 3.2 calls it illegal (6.D.31; models/crosscheck/explained.toml).
    """
    ours = answer_from_outcome(judge(board, orders, rulebook=oracle.rules))
    found = compare_answers(ours, oracle.load()(board, orders), orders, oracle.depth, load_dialect(OURS).words)
    known = [
        oracle.name == "guide-1998" and one.order_result is OrderResult.ILLEGAL and one.theirs.startswith("invalid")
        for one in found
    ]
    return [f"{oracle.name}, {one}" for one, is_known in zip(found, known, strict=True) if not is_known]


def check(seed: int, index: int, found: Compared, *, few: bool = False) -> None:
    """Have one board judged by all that can."""
    board, orders, rules = drawn(seed, index, few=few)
    situation = resolutions(board, orders, rulebook=rules).situation
    fleets = sum(bool(place.convoys) for place in situation.places.values())
    usual = found_by(board, orders, rules, Engine.STAGED)
    others = {"full": partial(found_by, board, orders, rules, Engine.FULL)}
    if len(situation.decisions) <= (FEW_DECISIONS if index % 8 else SOME_DECISIONS):
        others["brute"] = partial(found_by, board, orders, rules, Engine.BRUTE)
    if index % 2 == 0:
        others["asp"] = partial(found_by_logic, board, orders)
    seas = len(board.map.convoying)
    lists_all = rules.superfluous_convoy is SuperfluousConvoy.LEGAL or rules.land_fallback is LandFallback.IMPOSSIBLE
    most = max((move.count_routes(FEW_ROUTES) for move in situation.moves), default=0)
    if (seas <= FEW_SEAS or not lists_all) and most <= FEW_ROUTES:
        others["second encoder"] = partial(encoded, (board, orders), rules)
    found.boards += 1
    found.fleets = dict(Counter(found.fleets) + Counter([f"up to {-(-fleets // 10) * 10}"]))
    found.counts = dict(Counter(found.counts) + Counter([str(min(len(usual), 3)) + ("" if len(usual) < 3 else " and more")]))
    asked = Counter(found.judged) + Counter(["staged"])
    for name, answer in others.items():
        try:
            theirs = answer()
        except RulebookError:  # the second encoder does not state every rulebook
            continue
        asked[name] += 1
        ours = usual
        if name == "asp":  # which has no decision for what matches nothing
            decided = {province for one in theirs for province, _ in one}
            ours = {frozenset(pair for pair in one if pair[0] in decided) for one in usual}
        if theirs != ours:
            found.different.append(f"board {index} of seed {seed}, {rules.name}: staged {ours}\n{name} {theirs}")
    for oracle in ORACLES.values() if len(board.convoyers) <= FEW_FLEETS and few_ways(board) else ():
        if oracle.maps.includes(board.map):
            asked[f"{oracle.name}, outcome"] += 1
            found.different += [f"board {index} of seed {seed}: {told}" for told in differing(oracle, board, orders)]
    found.judged = dict(asked)


def compare(seed: int, few: bool, boards: range) -> Compared:
    """Have these boards judged."""
    found = Compared()
    for index in boards:
        check(seed, index, found, few=few)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="crowded waters, judged by all engines and by others")
    parser.add_argument("--boards", type=whole_number, default=1_000, metavar="N", help="how many (1,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--few-fleets", action="store_true", help="boards of 3 to 15 seas only, which every oracle judges")
    parser.add_argument("--jobs", type=whole_number, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    drawn_from = {"seed": chosen.seed} | ({"few": True} if chosen.few_fleets else {})
    count = Count("crowded", drawn_from, Compared, partial(compare, chosen.seed, chosen.few_fleets))
    total = Compared()

    def progress(boards: int) -> None:
        if total.boards % max(CHUNK, chosen.boards // 50) < boards:
            print(f"{total.boards:,} boards, {len(total.different)} differences", file=sys.stderr, flush=True)

    with processes(chosen.jobs) as executor:
        run_count(
            count, chosen.boards, executor, pending=2 * chosen.jobs, state_path=chosen.state, chunk=CHUNK, into=total,
            on_progress=progress,
        )  # fmt: skip
    for difference in total.different[:SHOWN]:
        print(difference)
    told = {**vars(total), "seed": chosen.seed, "different": len(total.different)}
    if chosen.json:
        chosen.json.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps(told, sort_keys=True))
    return int(bool(total.different))


if __name__ == "__main__":
    sys.exit(main())
