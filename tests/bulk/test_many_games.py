"""Many games at once follow `Game` phase by phase, whatever is ordered."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from helpers.games_beside import compared

from satjudge.base.errors import BoardError, InputError, NotationError
from satjudge.base.values import replace
from satjudge.bulk.games import Games
from satjudge.bulk.kernel.memory import ENDED, FALL, IN_DRAW, IN_VICTORY, NONE, OF_ADJUSTMENT, PHASE
from satjudge.world.geography import LastYear, load_map


@pytest.mark.parametrize(("count", "last_year"), [(4, 1903), pytest.param(40, 1908, marks=pytest.mark.slow)])
@pytest.mark.parametrize("draws", ["drawn", "fierce"])
def test_games_are_those_of_the_plain_path(draws: str, count: int, last_year: int) -> None:
    games = Games(count, seed=3, last_year=last_year)
    assert compared(games, draws) == {0, 1, 2} or draws == "drawn"


def test_every_order_is_drawn_as_often_as_any_other() -> None:
    games = Games(4000, seed=5)
    slots = games.legal()
    drawn = games.draw()
    for slot in range(22):  # of the first game: all begin alike
        own = set(slots.orders[slots.first[slot] : slots.first[slot + 1]].tolist())
        counted = Counter(drawn[:, slots.column[slot]].tolist())
        assert counted.keys() <= own
        expected = len(games) / len(own)
        assert sum((counted[one] - expected) ** 2 / expected for one in own) < len(own) + 4 * (2 * len(own)) ** 0.5
    assert (drawn == Games(len(games), seed=5).draw()).all()
    assert (drawn != Games(len(games), seed=6).draw()).any()


def test_adjustments_are_drawn_evenly() -> None:
    """Of three places where two units may be built each pair is as likely, and so is each kind of unit."""
    games, france = Games(6000), 2
    games.units[:], games.powers[:], games.moments[:, [PHASE, FALL]], games.due[:, france] = NONE, NONE, (OF_ADJUSTMENT, 1), 2
    counted = Counter(tuple(sorted(number for number in row if number != NONE)) for row in games.draw().tolist())
    assert len(counted) == 2 * 2 + 2 + 2  # Brest and Marseilles take fleets, Paris does not
    for orders, count in counted.items():
        kinds = 2 ** sum("PAR" not in games.vocabulary.texts[order] for order in orders)
        assert abs(count - 2000 / kinds) < 5 * (2000 / kinds) ** 0.5


def test_games_end() -> None:
    games, france = Games(3, victory=5, last_year=1901), 2
    games.owners[0, [games.vocabulary.location_numbers[code] for code in ("BEL", "HOL")]] = france
    while games.name_of(0) != "F1901M" or (games.phase != 0).any():
        games.step(numpy.full((3, games.columns), NONE, numpy.int32))
    games.end([2])
    games.step(numpy.full((3, games.columns), NONE, numpy.int32))
    assert games.over.tolist() == [True, True, True]
    assert games.moments[:, ENDED].tolist() == [IN_VICTORY, IN_DRAW, IN_DRAW]
    assert games.winner.tolist() == [france, NONE, NONE]
    assert games.scores[0, france] == 5
    games.reset([1])
    assert games.over.tolist() == [True, False, True]
    assert games.name_of(1) == "S1901M"


def test_what_cannot_be_is_refused() -> None:
    games = Games(2)
    before = games.units.copy()
    with pytest.raises(BoardError, match=r"orders must be an array of games × columns, \(2, 68\), not \(2, 22\)"):
        games.step(numpy.zeros((2, 22), numpy.int32))
    orders = numpy.full((2, games.columns), NONE, numpy.int32)
    orders[1, 3] = len(games.vocabulary)
    with pytest.raises(BoardError, match=f"game 1, column 3: there is no order {len(games.vocabulary)}"):
        games.step(orders)
    orders[1, 3] = games.draw()[1, 4]
    with pytest.raises(NotationError, match=r"board 1, column 3: .* is not an order for"):
        games.step(orders)
    assert (games.units == before).all()


def test_maps_with_other_ends_are_refused() -> None:
    game_map = replace(load_map(), last_year=LastYear(1910, draw=True))
    with pytest.raises(InputError, match="the map standard has a last year"):
        Games(1, game_map)


@pytest.mark.parametrize(
    ("map_name", "rules", "count", "last_year"),
    [
        pytest.param("standard", "1971", 6, 1904, marks=pytest.mark.slow),
        pytest.param("standard", "1982", 6, 1904, marks=pytest.mark.slow),
        pytest.param("standard", "guide-1998", 6, 1904, marks=pytest.mark.slow),
        pytest.param("standard", "datc-3 with 4.D.8=convoy-own-fleets", 6, 1904, marks=pytest.mark.slow),
        pytest.param("standard", "2023 with 4.D.4=all-illegal", 6, 1904, marks=pytest.mark.slow),
        pytest.param("standard", "datc-3 with 4.A.2=none", 6, 1903, marks=pytest.mark.slow),
        pytest.param("1898", "datc-3", 6, 1905, marks=pytest.mark.slow),
        ("standard", "datc-3 with 4.D.7=refused", 3, 1902),
        ("chaos", "datc-3", 2, 1901),
    ],
)
def test_games_by_other_rules_and_on_other_maps(map_name: str, rules: str, count: int, last_year: int) -> None:
    for draws in ("drawn", "fierce"):
        assert {0, 2} <= compared(Games(count, map_name, rules, seed=3, last_year=last_year), draws)


@pytest.mark.slow
def test_games_where_the_plain_path_lists_and_judges() -> None:
    game_map = replace(load_map("loeb9"), name="open", closed={}, cache={})
    assert {0, 2} <= compared(Games(2, game_map, seed=3, last_year=game_map.first_year + 1), "fierce")
