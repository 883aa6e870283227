"""The equations as an answer-set program: the cases of the DATC, random boards, cores and numbers of resolutions."""

from __future__ import annotations

import pytest
from asp import TurnProgram, judge
from helpers.oracle_cases import DATC, Orders, assert_agrees, expected_verdicts, orders_of, position, random_boards, verdicts_of

from satjudge.bulk.random_boards.boards import Flavour
from satjudge.judging.judge import resolutions
from satjudge.notation.sheets import Sheet
from satjudge.oracles.datc_turn import Turn
from satjudge.world.board import Board

RING = ("Turkey: F ANK - CON", "Turkey: A CON - SMY", "Turkey: A SMY - ANK")
OTHER_RING = ("Austria: A VIE - BUD", "Austria: A BUD - GAL", "Russia: A GAL - VIE")
PARADOX = ("England: F LON S F WAL - ENG", "England: F WAL - ENG", "France: A BRE - LON", "France: F ENG C A BRE - LON")
BETRAYAL = (
    "Italy: A APU - GRE",
    "Italy: F ION C A APU - GRE",
    "Turkey: F GRE S F ION",
    "Austria: F AEG - ION",
    "Austria: F ALB S F AEG - ION",
)


def number_of_resolutions(board: Board, orders: Orders) -> int:
    """How many consistent resolutions there are, before any backup rule."""
    return len(TurnProgram(Turn(board, orders)).list_resolutions({}))


@pytest.mark.parametrize("sheet", DATC, ids=lambda sheet: sheet.identity)
def test_a_case_of_the_datc(sheet: Sheet) -> None:
    assert judge(sheet.board, orders_of(sheet)).verdicts == expected_verdicts(sheet)


def test_random_boards() -> None:
    assert_agrees(judge, random_boards(61, 80))
    assert_agrees(judge, random_boards(62, 30, illegal=0.3))


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (("France: A PAR - BUR",), 1),
        (("France: A PAR - BUR", "Germany: A MUN - BUR"), 1),
        (RING, 2),
        (("Russia: A CON - SMY", "Turkey: F ANK - CON", "Turkey: A SMY - ANK", "Turkey: A BUL S F ANK - CON"), 1),  # DATC 5.C
        (PARADOX, 2),
        (BETRAYAL, 0),
        ((*RING, *OTHER_RING, *PARADOX), 8),
    ],
)
def test_the_number_of_resolutions(lines: tuple[str, ...], count: int) -> None:
    assert number_of_resolutions(*position(*lines)) == count


def test_two_moves_of_a_ring_are_consistent_though_nothing_founds_them() -> None:
    """Derived instead of chosen, the moves of a ring could never succeed: an answer set has foundations."""
    program = TurnProgram(Turn(*position(*RING)))
    assert {tuple(values.values()) for values in program.list_resolutions({})} == {(True, True, True), (False, False, False)}


def test_two_fleets_do_not_vouch_for_each_other() -> None:
    """NWG and BAR touch each other and St Petersburg, but London only NTH, which does not convoy: there is no path."""
    lines = ("England: A LON - STP", "England: F NWG C A LON - STP", "England: F BAR C A LON - STP", "England: F NTH H")
    assert verdicts_of(judge, *lines) == ["invalid", "available", "available", "stands"]


def test_the_numbers_are_those_of_satjudge() -> None:
    for board, orders in random_boards(63, 80):
        assert number_of_resolutions(board, orders) == resolutions(board, orders).count


@pytest.mark.parametrize(
    ("lines", "ruling"),
    [
        ((*RING, "Austria: A BUL - SER", "Austria: A ALB - SER"), {"ANK": True, "CON": True, "SMY": True}),
        ((*PARADOX, "France: A PIC - BRE"), {"ENG": False}),
        (BETRAYAL, {"ION": False}),
    ],
)
def test_what_a_core_comes_to(lines: tuple[str, ...], ruling: dict[str, bool]) -> None:
    """DATC 5.B.9; whoever only waits for a core is not in it: BRE for LON, PIC for BRE."""
    assert TurnProgram(Turn(*position(*lines))).decide_core({}) == ruling


@pytest.mark.parametrize(
    ("lines", "core"),
    [
        (RING, ["ANK", "CON", "SMY"]),
        ((*PARADOX, "France: A PIC - BRE", "England: A YOR S F LON"), ["ENG", "LON", "WAL"]),
        ((*PARADOX, "Germany: F NTH S F BEL - ENG", "Germany: F BEL - ENG"), ["BEL", "ENG", "LON"]),  # 5.D: WAL fails anyhow
        ((*BETRAYAL, "Turkey: A BUL - GRE"), ["AEG", "GRE", "ION"]),
    ],
)
def test_a_core_is_what_depends_on_itself_and_on_nothing_else(lines: tuple[str, ...], core: list[str]) -> None:
    program = TurnProgram(Turn(*position(*lines)))
    assert program.find_core(program.settle_certain_decisions({})) == core


def test_the_betrayal_paradox_has_no_resolution() -> None:
    """DATC 6.F.18."""
    assert verdicts_of(judge, *BETRAYAL) == ["fails", "disrupted", "given", "fails", "given"]


def test_independent_cores_are_ruled_on_one_after_the_other() -> None:
    rings = ["succeeds"] * 6
    assert verdicts_of(judge, *RING, *OTHER_RING, *PARADOX) == [
        *rings,
        *("given", "succeeds", "fails", "disrupted, dislodged"),
    ]


def test_boards_of_rings_and_of_convoys() -> None:
    """Cores of every kind that random boards have."""
    for flavour, seed in ((Flavour.CIRCLES, 64), (Flavour.CONVOYS, 65)):
        assert_agrees(judge, random_boards(seed, 40, flavours=(flavour,)))
