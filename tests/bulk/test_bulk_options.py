"""Every choice of every option: the kernel judges where it has the equations, and lists legal orders all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy
import pytest
from test_bulk_arrays import drawn, same

from satjudge.base.errors import RulebookError
from satjudge.bulk.judge import Judge, RowPosition
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.judging.legal_orders import legal_orders
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset, options

NOT_COMPILED = {
    *("4.A.3.fallback=impossible", "4.A.4.1=last-fleet", "4.A.6=allowed", "4.A.6=required"),
    "4.E.3=allowed",
}
"""What cannot be printed as C."""


def choices() -> Iterator[tuple[str, str]]:
    """Two rulebooks, and what can be chosen in each; not what does not go with its other choices."""
    for base in ("datc-3", "guide-1998"):
        for option in options():
            for value in option.values:
                with suppress(RulebookError):
                    load_preset(f"{base} with {option.issue}={value}")
                    yield base, f"{option.issue}={value}"


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary(load_map())


@pytest.mark.slow
@pytest.mark.parametrize(("base", "choice"), [*choices()])
def test_every_choice(base: str, choice: str, vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, f"{base} with {choice}")
    if choice in NOT_COMPILED:
        assert judging.obstacle
        return
    for flavour in (Flavour.GENERAL, Flavour.CONVOYS):
        boards = drawn(vocabulary, 12, flavour)
        found = judging.judge(*boards)
        same(judging, boards, found)
        assert (found.plainly | found.unresolved).all() if judging.obstacle else found.plainly.mean() < 0.2
    smallest = (boards[0] != -1).sum(axis=1).argsort()[:2]
    masked(judging, [rows[smallest] for rows in boards])


def masked(judging: Judge, boards: Sequence[Any]) -> None:
    """The mask of legal orders is what the plain path lists."""
    units, powers, orders = boards
    found = judging.legal_orders(units, powers)
    numbers = judging.vocabulary.order_numbers
    for board, legal in enumerate(found):
        position = RowPosition.from_rows(judging.vocabulary, units[board], powers[board], orders[board])
        of_units = chain.from_iterable(of.values() for of in legal_orders(position.board, judging.rulebook).values())
        listed = {numbers[order] for order in chain.from_iterable(of_units) if order in numbers}
        assert listed == set(numpy.flatnonzero(legal).tolist())


def test_convoys_are_listed_where_fleets_could_convoy(vocabulary: Vocabulary) -> None:
    """Under the rulebook of 1982 an army that asks for a convoy in vain goes by land, so that it may ask anywhere."""
    judging = Judge(vocabulary, "1982")
    units = numpy.array([[vocabulary.unit(text) for text in ("A BEL", other)] for other in ("F ENG", "F BRE")])
    at_sea, in_port = judging.legal_orders(units, units * 0)
    by_sea = {"A BEL - HOL VIA", "A BEL - PIC VIA", "A BEL - LON VIA"}
    for legal, listed in ((at_sea, {"A BEL - PIC VIA", "A BEL - LON VIA"}), (in_port, set())):
        assert {vocabulary.texts[order] for order in numpy.flatnonzero(legal)} & by_sea == listed
    masked(judging, (units, units * 0, units * 0 - 1))
