"""The shares that docs/guides/random-positions.md tells of each way to draw positions are those of positions drawn now."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import numpy
import pytest

import satjudge
from satjudge.bulk.games import Games
from satjudge.bulk.judge import RESULTS, Judge, Outcomes
from satjudge.bulk.kernel.memory import NONE, Flags, LongNumbers
from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.world.verdicts import OrderResult

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "random-positions.md"
CUT, GIVEN, INVALID = (RESULTS.index(one) for one in (OrderResult.CUT, OrderResult.GIVEN, OrderResult.INVALID))
GAMES = 1000
Shares = tuple[float, float, float]


class Counts:
    """Counts of verdicts and of boards without one resolution."""

    def __init__(self) -> None:
        self.results: LongNumbers = numpy.zeros(len(RESULTS), numpy.int64)
        self.boards = self.open = 0

    def add(self, found: Outcomes) -> None:
        """Add the outcomes of some boards."""
        self.results += numpy.bincount(found.results[found.results != NONE], minlength=len(RESULTS))
        self.boards += len(found.resolutions)
        self.open += int((found.resolutions != 1).sum())

    def shares(self) -> Shares:
        """Return the percentages of supports cut, of orders invalid, and of boards without one resolution."""
        cut, given = self.results[CUT], self.results[GIVEN]
        return 100 * cut / (cut + given), 100 * self.results[INVALID] / self.results.sum(), 100 * self.open / self.boards


def of_games(last_year: int, phases: int) -> Shares:
    """Play random games, and return the shares of their first movement phases."""
    games, counts = Games(GAMES, seed=1, last_year=last_year), Counts()
    for _ in range(phases):
        moving: Flags = ~games.over & (games.phase == 0)
        orders = games.draw()
        if moving.any():
            width = games.units.shape[1]
            counts.add(games.judge.judge(games.units[moving], games.powers[moving], orders[moving, :width]))
        games.step(orders)
    return counts.shares()


def of_boards(flavours: tuple[Flavour, ...]) -> Shares:
    """Draw boards as the page does, and return their shares."""
    vocabulary, counts = Vocabulary(), Counts()
    units, powers, orders = numpy.full((3, GAMES, 34), NONE, numpy.int32)
    for number in range(GAMES):
        random = Random(f"1:{number}")
        board, given = random_board(random, random.choice(flavours), random.choice(SIZES))
        of = {order.unit.province: order for of_power in given.values() for order in of_power}
        for column, unit in enumerate(board.units):
            units[number, column] = vocabulary.unit_numbers[unit.named]
            powers[number, column] = vocabulary.powers.index(unit.power)
            if unit.province in of:
                orders[number, column] = vocabulary.order_numbers[of[unit.province]]
    counts.add(Judge(vocabulary).judge(units, powers, orders))
    return counts.shares()


WAYS = {
    "random games, the first turn": lambda: of_games(1901, 1),
    "random games to 1905": lambda: of_games(1905, 40),
    "`Flavour.GENERAL`": lambda: of_boards((Flavour.GENERAL,)),
    "`MIX`": lambda: of_boards(MIX),
}


def told() -> dict[str, list[float]]:
    """Read the table of the page."""
    rows = re.findall(r"^\| ([^|]+?)(?:, as in [^|]+)? \|((?: [\d.]+ % \|){3})", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [float(share) for share in re.findall(r"[\d.]+", shares)] for name, shares in rows}


def test_each_way_to_draw_positions_is_told() -> None:
    assert told().keys() == WAYS.keys()


@pytest.mark.parametrize("way", WAYS)
def test_shares_are_those_of_the_page(way: str) -> None:
    """Within what another seed changes: a fifth, and one board in a thousand."""
    assert WAYS[way]() == pytest.approx(told()[way], rel=0.2, abs=0.15)


def test_random_boards_are_offered_with_arrays() -> None:
    assert satjudge.bulk.random_board is random_board
