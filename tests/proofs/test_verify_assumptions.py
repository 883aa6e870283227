"""What certificates of positions rest on: which orders count. Oracles that share no line with satjudge say the same.

They part in one kind of orders, which have no effect either way: supports under `guide-1998` of an army that only the fleet
which supports it could convoy (DATC 6.D.31). The guide's chapter IX calls what supports a legal move legal.

What certificates of lines rest on is tried in `test_verify_lines.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board, random_phase
from satjudge.judging.legality import make_docket
from satjudge.proofs.verify.resolutions import ORACLES
from satjudge.world.board import Board
from satjudge.world.geography import Map, load_map
from satjudge.world.orders import Order
from satjudge.world.rules import load_rulebook

STANDARD = load_map()
VARIANTS = ("colonial", "loeb9", "standard-9-both", "loeb9-10d")
BOARDS = [
    ("datc-3", STANDARD),
    ("guide-1998", STANDARD),
    *(("datc-2", load_map(name)) for name in VARIANTS),
    ("datc-3", STANDARD),
]


def check_a_random_board(seed: int) -> Counter[str]:
    """How many of its orders are illegal, and how many count. An oracle finds the same ones illegal."""
    name, game_map = BOARDS[seed % len(BOARDS)]
    random = Random(f"legality {seed}")
    board, orders = _position(random, game_map)
    oracle, _ = ORACLES[name]
    docket = make_docket(board, orders, load_rulebook(name))
    said = oracle(board, orders).verdicts
    for power, entries in docket.entries.items():
        for entry, word in zip(entries, said[power], strict=True):
            agreed = word.startswith("illegal") == (entry.reason is not None)
            assert agreed or (name == "guide-1998" and "6.D.31" in (entry.reason or "")), (seed, str(entry.order), entry.reason)
    found = [entry.reason is None for entries in docket.entries.values() for entry in entries]
    return Counter(counts=sum(found), illegal=len(found) - sum(found))


def _position(random: Random, game_map: Map) -> tuple[Board, Mapping[str, Sequence[Order]]]:
    illegal = random.choice((0.2, 0.5, 0.8))
    if game_map.own_rules:
        flavour = random.choice((Flavour.VARIANT, Flavour.CONVOYS, Flavour.GENERAL))
        return random_phase(random, flavour, random.choice(SIZES), illegal=illegal, game_map=game_map)
    board, orders = random_board(random, random.choice(MIX), random.choice(SIZES), illegal=illegal)
    return board, {power: [*given] for power, given in orders.items()}


def test_oracles_find_the_same_orders_illegal() -> None:
    found = sum(map(check_a_random_board, range(70)), Counter[str]())
    assert min(found["counts"], found["illegal"]) > 100


@pytest.mark.campaign
def test_oracles_find_the_same_orders_illegal_on_ten_thousand_boards() -> None:
    found = sum(map(check_a_random_board, range(10_000)), Counter[str]())
    assert min(found["counts"], found["illegal"]) > 20_000
