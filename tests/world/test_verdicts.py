"""Verdicts as values, and the words for them."""

from __future__ import annotations

from itertools import product

import pytest

from satjudge.judging.judge import judge_phase
from satjudge.notation.bundled_cases import read_collection
from satjudge.world.verdicts import Fate, NoVerdict, OrderResult, Verdict


def test_every_verdict_is_read_from_its_own_words() -> None:
    for order, unit in product((None, *OrderResult), (None, *Fate)):
        if order is not None or unit is not None:
            verdict = Verdict.from_result(order, unit)
            assert Verdict.read(str(verdict)) is verdict


def test_a_dislodged_hold_is_dislodged_alone() -> None:
    """DATC 4.E.2."""
    assert Verdict.from_result(OrderResult.STANDS, Fate.DISLODGED) == Verdict(None, Fate.DISLODGED)
    assert str(Verdict.from_result(OrderResult.STANDS, Fate.DESTROYED)) == "destroyed"


@pytest.mark.parametrize("text", ["", "stands, dislodged", "fails, cut", "fails, dislodged, destroyed", "Fails", "cut,lost"])
def test_other_words_are_none(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # that it is none is all that there is to say
        Verdict.read(text)


@pytest.mark.parametrize("told", NoVerdict)
def test_what_is_told_in_place_of_a_verdict_is_none(told: NoVerdict) -> None:
    assert (told.order, told.unit, told.words, told.word) == (None, None, (told,), told)
    with pytest.raises(ValueError, match=told):
        Verdict.read(told)


def test_the_views_of_an_outcome_tell_the_same() -> None:
    for sheet in read_collection("datc-3.2"):
        outcome = judge_phase(sheet.board, sheet.orders_by_power())
        for power, judged in outcome.judged.items():
            assert outcome.orders[power] == [entry.order for entry in judged] == sheet.orders_by_power()[power]
            assert outcome.results[power] == [str(entry.verdict) for entry in judged]
            assert all((entry.reason is None) == (entry.verdict.order is not OrderResult.ILLEGAL) for entry in judged)
            assert all(entry.province in (None, entry.order.unit.province) for entry in judged if hasattr(entry.order, "unit"))
