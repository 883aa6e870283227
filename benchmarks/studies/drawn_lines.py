"""Draws batch lines for other studies: boards of all flavours and sizes, and variants of each with other orders.

One board in ten is drawn at random, some with illegal orders; the nine after it have the same units, and orders that other
boards give to such units in place of some of theirs, legal here or not.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from phases import GAME_SIZE

from satjudge.bulk.batch import Request
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.world.board import by_power

FAMILY = 10
"""A board that is drawn, and its variants."""
REPLACED = 0.2
SIZES = ((4, 14), (10, 22), (16, 34), GAME_SIZE)
RULES = ("datc-3", "1971", "1982", "2023")


def requests(seed: int, chunk: tuple[int, int]) -> list[tuple[str, Request]]:
    """These boards of a seed as requests, with their flavours."""
    first, behind = chunk
    drawn = [_drawn(seed, index) for index in range(first, behind, FAMILY)]
    known: dict[str, list[str]] = {}
    for _, request in drawn:
        for text in (text for given in request.orders.values() for text in given):
            known.setdefault(_unit(text), []).append(text)
    found = []
    for index in range(first, behind):
        flavour, request = drawn[(index - first) // FAMILY]
        orders = request.orders
        if (index - first) % FAMILY:
            random = Random(f"{seed}:variant {index}")
            orders = {power: [_other(text, known, random) for text in given] for power, given in orders.items()}
        found.append((flavour, Request(units=request.units, orders=orders, id=index)))
    return found


def _drawn(seed: int, index: int) -> tuple[str, Request]:
    random = Random(f"{seed}:differential {index}")
    flavour = random.choice(list(Flavour))
    board, orders = random_board(random, flavour, random.choice(SIZES), illegal=random.choice((0.0, 0.0, 0.15)))
    texts = {power: [str(order) for order in given] for power, given in orders.items()}
    return str(flavour), Request(units=by_power(board.units), orders=texts)


def _unit(text: str) -> str:
    return " ".join(text.split()[:2])


def _other(text: str, known: Mapping[str, Sequence[str]], random: Random) -> str:
    """The order itself, or now and then another one to such a unit."""
    return random.choice(known[_unit(text)]) if random.random() < REPLACED else text
