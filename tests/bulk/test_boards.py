"""Random positions: legal, the same every time, and of the kind that they are asked for."""

from __future__ import annotations

import hashlib
from itertools import product
from random import Random

import pytest

from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision
from satjudge.judging.judge import judge
from satjudge.judging.legality import make_docket
from satjudge.judging.solve.result import Adjudication
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

BOARDS = 150


def adjudicated(flavour: Flavour, count: int = BOARDS) -> list[Adjudication]:
    return [judge(*random_board(Random(seed), flavour)).adjudication for seed in range(count)]


@pytest.mark.parametrize("flavour", Flavour)
def test_positions_are_possible_and_orders_legal(flavour: Flavour) -> None:
    for seed in range(BOARDS):
        board, orders = random_board(Random(seed), flavour)
        assert board.problems() == []
        docket = make_docket(board, orders, load_rulebook())
        assert [entry.reason for entries in docket.entries.values() for entry in entries if entry.reason] == []


@pytest.mark.parametrize("flavour", Flavour)
@pytest.mark.parametrize("units", [(1, 1), (5, 5), (12, 20), (75, 75)])
def test_number_of_units_and_powers(flavour: Flavour, units: tuple[int, int]) -> None:
    for seed in range(10):
        board, _ = random_board(Random(seed), flavour, units, 3)
        assert units[0] <= len(board.units) <= units[1]
        assert {unit.power for unit in board.units} <= set(load_map().powers[:3])


def test_dense_positions_are_dense() -> None:
    sizes = {len(random_board(Random(seed), Flavour.DENSE)[0].units) for seed in range(100)}
    assert sizes == set(range(28, 35))


@pytest.mark.parametrize("flavour", Flavour)
def test_positions_stay_within_their_provinces(flavour: Flavour) -> None:
    within = frozenset({"BLA", "SEV", "RUM", "BUL", "CON", "ANK", "ARM", "SMY", "AEG", "GRE"})
    for seed in range(40):
        board, orders = random_board(Random(seed), flavour, (1, 34), within=within)
        assert len(board.units) <= len(within)
        assert within.issuperset(board.unit_at)
        for decision in judge(board, orders).adjudication.situation.decisions:
            assert not isinstance(decision, MoveDecision) or decision.destination.province in within


def test_illegal_orders_are_among_them_if_wanted() -> None:
    legal = illegal = 0
    for seed in range(BOARDS):
        board, orders = random_board(Random(seed), Flavour.GENERAL, illegal=0.3)
        for entries in make_docket(board, orders, load_rulebook()).entries.values():
            illegal += sum(entry.reason is not None for entry in entries)
            legal += sum(entry.reason is None for entry in entries)
    assert 0.15 < illegal / (illegal + legal) < 0.35


def test_via_is_as_frequent_as_wanted() -> None:
    for via in (0.0, 1.0):
        for seed in range(40):
            board, orders = random_board(Random(seed), Flavour.CONVOYS, via=via)
            for decision in judge(board, orders).adjudication.situation.moves:
                if decision.order.via_convoy or not decision.by_land:
                    assert decision.order.via_convoy == bool(via)


def test_same_seed_gives_same_positions_everywhere() -> None:
    """Nothing hangs on the order of a set, which differs from process to process (`house/test_same_everywhere.py`)."""
    drawn = hashlib.sha256()
    for flavour, seed in product(Flavour, range(20)):
        board, orders = random_board(Random(seed), flavour, illegal=0.1)
        drawn.update(
            repr([*map(str, board.units), *(f"{power}: {given}" for power in orders for given in orders[power])]).encode()
        )
    assert drawn.hexdigest() == "097db65c3b00a2bd9d7bc4e0d6a537c8177e1944b6dfaf3f7431b79c7ff77024"


def test_different_seeds_give_different_positions() -> None:
    assert len({random_board(Random(seed), Flavour.GENERAL)[0].units for seed in range(50)}) == 50


@pytest.mark.parametrize(
    ("flavour", "share"),
    [(Flavour.CONVOYS, 0.4), (Flavour.CIRCLES, 0.4), (Flavour.DENSE, 0.005), (Flavour.GENERAL, 0.005)],
)
def test_a_good_share_has_no_resolution_or_several(flavour: Flavour, share: float) -> None:
    counts = [adjudication.resolutions.count for adjudication in adjudicated(flavour)]
    assert sum(count != 1 for count in counts) >= share * BOARDS


def test_convoys_hold_paradoxes_of_both_kinds_and_of_several_shapes() -> None:
    rulings = [ruling for adjudication in adjudicated(Flavour.CONVOYS, 4 * BOARDS) for ruling in adjudication.rulings]
    paradoxes = [ruling for ruling in rulings if ruling.rule == "szykman"]
    assert {ruling.resolutions for ruling in paradoxes} == {0, 2}
    assert max(sum(isinstance(decision, ConvoyDecision) for decision in ruling.core) for ruling in paradoxes) >= 2
    shapes = {tuple(sorted(type(decision).__name__ for decision in ruling.core)) for ruling in paradoxes}
    assert len(shapes) >= 3
