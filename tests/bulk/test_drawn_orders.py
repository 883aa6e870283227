"""Orders are drawn among the legal ones of each unit, evenly."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from test_bulk_arrays import FLAVOURS, drawn

from satjudge.base.errors import BoardError
from satjudge.bulk.judge import Judge
from satjudge.bulk.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


@pytest.mark.parametrize(
    ("rules", "plainly"), [("datc-3", False), ("1982", False), ("1982 with 4.A.7=never", False), ("guide-1998", True)]
)
def test_orders_that_are_drawn_are_legal(rules: str, plainly: bool, vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, rules, plainly=plainly)
    units, powers, _ = drawn(vocabulary, 3, FLAVOURS[0])
    orders = judging.draw_orders(units, powers, seed=5)
    legal = judging.legal_orders(units, powers)
    assert ((orders == -1) == (units == -1)).all()
    for board, column in numpy.argwhere(units != -1).tolist():
        number = orders[board, column]
        assert legal[board, number]
        assert vocabulary.first_order[units[board, column]] <= number < vocabulary.first_order[units[board, column] + 1]
    assert (orders == judging.draw_orders(units, powers, seed=5)).all()
    assert (orders != judging.draw_orders(units, powers, seed=6)).any()
    assert plainly == (not judging.kernels)


def test_two_units_in_one_province_are_told(vocabulary: Vocabulary) -> None:
    with pytest.raises(BoardError, match="is in the province of another unit"):
        Judge(vocabulary).draw_orders([[vocabulary.unit("A SPA"), vocabulary.unit("F SPA/NC")]], [[0, 0]], seed=1)


def test_each_legal_order_is_drawn_as_often_as_any_other(vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary)
    texts = ["A BRE", "F ENG", "A PIC"]
    boards = numpy.array([[vocabulary.unit(text) for text in texts]] * 20_000)
    orders = judging.draw_orders(boards, boards * 0, seed=1)
    legal = set(numpy.flatnonzero(judging.legal_orders(boards[:1], boards[:1] * 0)[0]).tolist())
    for column in range(3):
        first, last = vocabulary.first_order[boards[0, column] : boards[0, column] + 2]
        counted, own = Counter(orders[:, column].tolist()), {number for number in legal if first <= number < last}
        assert counted.keys() == own
        expected = 20_000 / len(own)
        assert sum((count - expected) ** 2 / expected for count in counted.values()) < len(own) + 4 * (2 * len(own)) ** 0.5
    together = Counter(map(tuple, orders[:, :2].tolist()))  # whatever the others' are
    assert len(together) == len(set(orders[:, 0].tolist())) * len(set(orders[:, 1].tolist()))
