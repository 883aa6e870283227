"""Writes positions as the arrays that satjudge's judge of arrays takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from phases import Case

from satjudge.bulk.judge import Judge
from satjudge.bulk.kernel.memory import Numbers
from satjudge.notation.parse import parse_order
from satjudge.world.orders import MovementOrder


def as_arrays(judge: Judge, cases: Sequence[Case]) -> tuple[Numbers, Numbers, Numbers]:
    """The units, their powers and orders by number: boards × units, -1 for none."""
    vocabulary = judge.vocabulary
    shape = len(cases), max(case.size for case in cases)
    units, powers, orders = (numpy.full(shape, -1, numpy.int32) for _ in range(3))
    for board, case in enumerate(cases):
        column_of = {}
        for column, unit in enumerate(case.board.units):
            column_of[unit.province] = column
            units[board, column] = vocabulary.unit_numbers[unit.named]
            powers[board, column] = vocabulary.powers.index(unit.power)
        for text in (text for given in case.orders.values() for text in given):
            order = parse_order(text, vocabulary.map)
            if isinstance(order, MovementOrder) and order.unit.province in column_of:
                orders[board, column_of[order.unit.province]] = judge.facts.number_order(order)
    return units, powers, orders
