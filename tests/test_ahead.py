"""Guarantees over several seasons against exhaustive play."""

from __future__ import annotations

from random import Random

import pytest
from playing_out import phase_plays, random_ending, sure_to_win

from satjudge import load_rulebook
from satjudge.goals.wishes import WishReader
from satjudge.research.ahead import Journey, Position, Wish

RULES = load_rulebook("datc-3")


def follow(journey: Journey, position: Position) -> int:
    """Play the orders that were found against every reply, season after season; how many positions come about."""
    solved, board = journey.solve(position), position.board
    assert solved.orders is not None
    if position.over:
        return 1
    after = {}
    for reply in phase_plays(board, journey.wish.powers, own=False):
        following = position.after_orders({**solved.orders, **reply}, journey.wish)
        after[following.key] = following
    return 1 + sum(follow(journey, following) for following in after.values())


@pytest.mark.parametrize("seed", [0, 1, 8, 11, 17])
def test_the_same_answer_as_exhaustive_play(seed: int) -> None:
    board, powers, wish, meaning = random_ending(Random(f"ending {seed}"), most=150)
    goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).whole()
    journey = Journey(Wish(powers, goal, RULES))
    start = Position(board, 2)
    assert journey.solve(start).won == sure_to_win(board, powers, meaning, 2, known={})
    if journey.solve(start).won:
        assert follow(journey, start) > 1
