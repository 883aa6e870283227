"""Large campaigns: compiled code draws and judges the boards, and what comes of it is the same."""

from __future__ import annotations

import pytest

from satjudge.bulk.boards import Flavour
from satjudge.engines import campaign as campaigns
from satjudge.engines import in_bulk
from satjudge.engines.campaign import Campaign, PreparedBoard, Tally, campaign_against, tally_board, tally_boards
from satjudge.engines.comparison import answer_of
from satjudge.engines.positions import Fuzz
from satjudge.judging.judge import judge_phase
from satjudge.judging.solve import Engine

SOURCES = [Fuzz(1, 1_000_000), Fuzz(2, 1_000_000, (Flavour.CONVOYS,), (4, 6), first=5)]


def campaign(against: str, source: Fuzz = SOURCES[0], rules: str | None = None) -> Campaign:
    return campaign_against(against, source, engine=Engine.STAGED, rules=rules)


def one_by_one(chosen: Campaign, boards: range) -> Tally:
    tally = Tally()
    for number in boards:
        tally.add(tally_board(chosen, number))
    return tally


def same_answers(source: Fuzz, rules: str, count: int) -> tuple[int, int]:
    """On how many boards compiled code says what the plain path says of the board that the source draws, of how many."""
    chosen = campaign("kruijswijk-partial", source, rules)
    preparing = in_bulk.board_preparer(chosen)
    assert preparing is not None
    answered = 0
    for number, prepared in preparing.prepared(range(count)):  # type: ignore[misc]  # no board is counted already
        position = source.draw(number)
        assert isinstance(prepared, PreparedBoard)
        if prepared.position is not None:
            assert prepared.position.line == position.line
            assert prepared.position.board == position.board
            assert prepared.position.orders == position.orders
        if prepared.ours is not None:
            assert prepared.ours == answer_of(judge_phase(position.board, position.orders, rulebook=chosen.rulebook))
            answered += 1
    return answered, count


def test_only_large_campaigns_of_random_movement_phases_are_done_in_bulk() -> None:
    assert campaign("kruijswijk-partial").in_bulk
    assert not campaign("kruijswijk-partial", Fuzz(1, campaigns.IN_BULK - 1)).in_bulk
    assert not campaign_against("kruijswijk-partial", SOURCES[0], engine=Engine.FULL).in_bulk
    assert not campaign_against("kruijswijk-partial", SOURCES[0], engine=Engine.STAGED, legal_only=True).in_bulk


def test_answers_are_those_of_the_plain_path() -> None:
    """Of boards of one flavour, which the plain code draws: to compile what draws takes half a minute."""
    answered, count = same_answers(SOURCES[1], "datc-3", 40)
    assert answered > count / 2


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=["all flavours", "convoys"])
def test_many_answers_are_those_of_the_plain_path(source: Fuzz) -> None:
    answered, count = same_answers(source, "datc-3", 1_200)
    assert answered > count / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("against", "rules"),
    [("guide-1998", None), ("datc-2", "datc-3"), ("1971", "datc-3"), ("helpers.broken_engine:self_dislodgement", None)],
)
def test_boards_are_counted_as_they_are_one_by_one(against: str, rules: str | None) -> None:
    chosen = campaign(against, rules=rules)
    counted = tally_boards(chosen, range(40, 400))
    assert counted == one_by_one(chosen, range(40, 400))
    assert counted.differing or against == "guide-1998"
    assert counted.unresolved or against != "1971"


def test_a_rulebook_is_an_engine() -> None:
    """Against its own rulebook satjudge agrees with itself; where rulebooks part is told board by board."""
    few = Fuzz(1, 60)
    assert tally_boards(campaign("datc-3", few), range(60)).agreed == 60
    tally = tally_boards(campaign("1982", few), range(60))
    assert tally.agreed + len(tally.differing) == 60
    assert "Move: fails / succeeds" in {kind for one in tally.differing for kind in one.kinds}
