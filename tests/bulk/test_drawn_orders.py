"""Orders are drawn among the legal ones of each unit, evenly."""

from __future__ import annotations

from collections import Counter

import numpy
import pytest
from test_bulk_arrays import FLAVOURS, drawn

from satjudge.base.errors import BoardError
from satjudge.bulk.judge import Judge
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm import sandbox


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


@pytest.fixture(params=["comes compiled", "plainly"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "plainly":
        monkeypatch.setattr(sandbox, "is_installed", lambda: False)
    elif not sandbox.is_installed():
        pytest.skip("wasmtime is not installed (extra `fast`)")
    return str(request.param)


@pytest.mark.parametrize("rules", ["datc-3", "1982", "guide-1998"])
def test_orders_that_are_drawn_are_legal(rules: str, vocabulary: Vocabulary, compiler: str) -> None:
    judging = Judge(vocabulary, rules)
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
    assert (compiler == "plainly") == (not judging.kernels)


@pytest.mark.usefixtures("compiler")
def test_two_units_in_one_province_are_told(vocabulary: Vocabulary) -> None:
    with pytest.raises(BoardError, match="stands in the province of another unit"):
        Judge(vocabulary).draw_orders([[vocabulary.unit("A SPA"), vocabulary.unit("F SPA/NC")]], [[0, 0]], seed=1)


@pytest.mark.skipif(not sandbox.is_installed(), reason="wasmtime is not installed (extra `fast`)")
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
