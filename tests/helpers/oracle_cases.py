"""What the tests of the oracles share: the movement cases of the DATC, and random boards with what satjudge says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import cast

from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.notation.sheets import Sheet
from satjudge.oracles.oracle import Answer, Oracle
from satjudge.world.board import Board, Phase, by_power
from satjudge.world.geography import Power, load_map
from satjudge.world.orders import MovementOrder

Orders = Mapping[Power, Sequence[MovementOrder]]

DATC = [sheet for sheet in read_collection() if sheet.phase is Phase.MOVEMENT and sheet.rules == "datc-3"]
"""The movement cases of the DATC 3.2."""


def orders_of(sheet: Sheet) -> dict[Power, list[MovementOrder]]:
    return cast("dict[Power, list[MovementOrder]]", sheet.orders_by_power())


def expected_verdicts(sheet: Sheet) -> dict[Power, list[str | None]]:
    """The verdicts that the document gives (where it errs, the corrected ones)."""
    verdicts: dict[Power, list[str | None]] = {}
    for entry in sheet.orders:
        verdicts.setdefault(entry.power, []).append(entry.expected)
    return verdicts


def answer_of(outcome: Outcome) -> Answer:
    """What satjudge says, in the form of an oracle."""
    dislodged: dict[Power, dict[str, list[str]]] = {}
    for entry in outcome.dislodgements.values():
        dislodged.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    units = {power: sorted(texts) for power, texts in by_power(outcome.units).items()}
    return Answer(dict(outcome.results), dislodged, units)


def random_boards(
    seed: int, count: int, *, illegal: float = 0.0, flavours: Sequence[Flavour] = (*Flavour, Flavour.CONVOYS)
) -> Iterator[tuple[Board, Orders]]:
    """So many boards of a seed, the more often full of convoys."""
    random = Random(seed)
    for _ in range(count):
        yield random_board(random, random.choice(flavours), (4, 16), illegal=illegal)


def assert_agrees(oracle: Oracle, boards: Iterator[tuple[Board, Orders]]) -> None:
    """The oracle says of each board what satjudge says."""
    for board, orders in boards:
        ours = answer_of(judge(board, orders))
        assert oracle(board, orders) == ours, f"{by_power(board.units)} {_texts(orders)}"


def position(*lines: str) -> tuple[Board, Orders]:
    """A board and orders from `"England: F LON S F WAL - ENG"`; each unit stands where it is ordered from."""
    units, orders = [], dict[Power, list[MovementOrder]]()
    for line in lines:
        power, _, text = line.partition(": ")
        order = cast(MovementOrder, parse_order(text, load_map()))
        units.append(parse_unit(str(order.unit), power.upper(), load_map()))
        orders.setdefault(power.upper(), []).append(order)
    return Board(tuple(units)).ensure_possible(), orders


def verdicts_of(judged: Callable[[Board, Orders], Answer], *lines: str) -> list[str]:
    """What an oracle says of the orders, in their order."""
    answer = judged(*position(*lines))
    given = {power: iter(verdicts) for power, verdicts in answer.verdicts.items()}
    return [next(given[line.partition(":")[0].upper()]) for line in lines]


def _texts(orders: Orders) -> dict[Power, list[str]]:
    return {power: [str(order) for order in given] for power, given in orders.items()}
