"""The guess algorithm: the cases of the DATC, random boards, and cycles that hang together."""

from __future__ import annotations

import pytest
from helpers.oracle_cases import DATC, assert_agrees, expected_verdicts, orders_of, position, random_boards, verdicts_of

from satjudge.notation.sheets import Sheet
from satjudge.oracles import kruijswijk_partial
from satjudge.oracles.kruijswijk_guess import judge


@pytest.mark.parametrize("sheet", DATC, ids=lambda sheet: sheet.identity)
def test_a_case_of_the_datc(sheet: Sheet) -> None:
    assert judge(sheet.board, orders_of(sheet)).verdicts == expected_verdicts(sheet)


@pytest.mark.slow
def test_random_boards() -> None:
    assert_agrees(judge, random_boards(52, 250))
    assert_agrees(judge, random_boards(53, 100, illegal=0.3))


PANDIN = (
    "Germany: F BEL - ENG",  # first, as DATC 5.F warns of starting with an order outside the key of the paradox
    "England: F WAL - ENG",
    "England: F LON S F WAL - ENG",
    "France: A BRE - LON",
    "France: F ENG C A BRE - LON",
    "Germany: F NTH S F BEL - ENG",
)


@pytest.mark.parametrize("first", range(len(PANDIN)))
def test_pandins_paradox_wherever_the_recursion_begins(first: int) -> None:
    """DATC 5.D, 6.F.16: there is not a single cycle, so it matters to the algorithm where it begins."""
    verdicts = dict(zip(PANDIN, ["fails", "fails", "given", "fails", "disrupted", "given"], strict=True))
    lines = (*PANDIN[first:], *PANDIN[:first])
    assert verdicts_of(judge, *lines) == [verdicts[line] for line in lines]


def test_a_ring_with_one_resolution_takes_it() -> None:
    """DATC 5.C: Constantinople is left whatever is guessed, because the attack on it is supported."""
    lines = (
        "Russia: A CON - SMY",
        "Turkey: F ANK - CON",
        "Turkey: A SMY - ANK",
        "Turkey: A BUL S F ANK - CON",
    )
    assert verdicts_of(judge, *lines) == ["succeeds", "succeeds", "succeeds", "given"]


def test_two_rings_and_a_paradox_in_one_turn() -> None:
    lines = (
        *("Turkey: F ANK - CON", "Turkey: A CON - SMY", "Turkey: A SMY - ANK"),
        *("Austria: A VIE - BUD", "Austria: A BUD - GAL", "Russia: A GAL - VIE"),
        *("England: F LON S F WAL - ENG", "England: F WAL - ENG", "France: A BRE - LON", "France: F ENG C A BRE - LON"),
    )
    assert verdicts_of(judge, *lines) == [*["succeeds"] * 6, "given", "succeeds", "fails", "disrupted, dislodged"]


RING = "KIE DEN SWE FIN NWY STP LVN MOS SEV UKR WAR PRU BER SIL BOH GAL VIE BUD RUM BUL GRE ALB SER TRI TYR MUN"


def test_a_long_ring_takes_no_longer_than_its_square() -> None:
    """Guesses are tried at the ancestor of a cycle only, so that thirty of them do not make two to the power of thirty."""
    ring = RING.split()
    moves = [f"Turkey: A {here} - {there}" for here, there in zip(ring, [*ring[1:], ring[0]], strict=True)]
    assert set(verdicts_of(judge, *moves)) == {"succeeds"}
    assert set(verdicts_of(judge, *moves, "France: A RUH - KIE")) == {"fails"}


def test_the_other_algorithm_of_the_document_says_the_same_with_illegal_orders() -> None:
    for board, orders in random_boards(54, 150, illegal=0.6):
        assert judge(board, orders) == kruijswijk_partial.judge(board, orders)


def test_positions_are_read_as_written() -> None:
    board, orders = position("France: F GAS - SPA")
    assert judge(board, orders).units == {"FRANCE": ["F SPA/NC"]}
