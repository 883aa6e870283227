"""Answers many requests at once, as the batch format writes answers.

Movement boards under the rulebook of the compiled equations are judged over arrays, a whole batch at a time. Whatever is out
of the ordinary is left to the plain path: a mistake in the request, and a board that partial information does not settle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeAlias

import numpy

from satjudge.bulk.arrays import (
    DISLODGED,
    FIRST_DISLODGED,
    FIRST_ORDER,
    FIRST_UNIT,
    NONE,
    ODD,
    ORDER_POWER,
    ORDER_TEXT,
    ROWS,
    SETTLED,
    STATE_AFTER,
    UNIT_POWER,
    UNIT_STATE,
    VERDICT,
    Flags,
    Numbers,
)
from satjudge.bulk.boards import VERDICTS, settle_boards, situate_boards, tell_boards
from satjudge.bulk.tables import UNREADABLE, Tables
from satjudge.formats.batch_lines import LONGEST_NAME, Request
from satjudge.geography import Power, normal

_KEPT_NAMES = 10_000

Answer: TypeAlias = dict[str, Any]


class Powers(NamedTuple):
    """The powers of a request by number, in its order."""

    of_units: tuple[int, ...]
    of_orders: tuple[int, ...]


Texts: TypeAlias = tuple[Numbers, Numbers, Numbers]
"""Texts of many requests end to end: where each request begins, the number of each text, and its power's."""
Dislodged: TypeAlias = tuple[int, str, list[str]]
"""A dislodged unit: its number in the batch, its text, and its retreats."""


class Batch(NamedTuple):
    """Boards with orders as numbers."""

    odd: Flags
    """By board: whether it is left to the plain path."""
    units: Texts
    orders: Texts


class Answerer:
    """Answers requests for one map and rulebook; it learns texts and names as it goes."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget the names of powers."""
        self.numbers: dict[Power, int] = {}
        self.powers: dict[tuple[tuple[str, ...], tuple[str, ...]], Powers | None] = {}

    def answers(self, requests: Sequence[Request]) -> Iterator[Answer | None]:
        """The answers in order; None for a request that is left to the plain path."""
        if self.tables.too_large:
            self.tables.begin_anew()
        if max(len(self.numbers), len(self.powers)) > _KEPT_NAMES:
            self.begin_anew()
        return self._written(requests, *judged(self.tables, self._batch(requests)))

    def _batch(self, requests: Sequence[Request]) -> Batch:
        powers = [self._powers(request) for request in requests]
        odd = numpy.array([found is None for found in powers], numpy.bool_)
        both = list(zip(requests, powers, strict=True))
        units = _laid_out(((asked.units, found.of_units) if found else _NOTHING for asked, found in both), self.tables.units)
        orders = _laid_out(((asked.orders, found.of_orders) if found else _NOTHING for asked, found in both), self.tables.texts)
        for first, numbers, _ in (units, orders):
            odd[numpy.searchsorted(first, numpy.flatnonzero(numbers == UNREADABLE), side="right") - 1] = True
        return Batch(odd, units, orders)

    def _powers(self, request: Request) -> Powers | None:
        """The powers of a request; None where something is wrong with their names."""
        key = (tuple(request.units), tuple(request.orders))
        try:
            return self.powers[key]
        except KeyError:
            found = self.powers[key] = self._read_powers(*key)
            return found

    def _read_powers(self, of_units: tuple[str, ...], of_orders: tuple[str, ...]) -> Powers | None:
        aliases = self.tables.map.power_aliases
        names = {*of_units, *of_orders}
        if any(len(name) > LONGEST_NAME or not name.strip() for name in names):
            return None
        meant = {name: aliases.get(normal(name), name) for name in names}
        if len(set(meant.values())) < len(names):  # two spellings of one power
            return None
        number = {name: self.numbers.setdefault(power, len(self.numbers)) for name, power in meant.items()}
        return Powers(tuple(number[name] for name in of_units), tuple(number[name] for name in of_orders))

    def _written(self, requests: Sequence[Request], at: Numbers, retreats: Numbers) -> Iterator[Answer | None]:
        first_order, first_unit, first_dislodged, settled = (
            at[row, : len(requests) + 1].tolist() for row in (FIRST_ORDER, FIRST_UNIT, FIRST_DISLODGED, SETTLED)
        )
        verdicts = list(map(VERDICTS.__getitem__, at[VERDICT, : first_order[-1]].tolist()))
        after = list(map([*self.tables.unit_texts, ""].__getitem__, at[STATE_AFTER, : first_unit[-1]].tolist()))
        dislodged = self._dislodged(at, retreats, first_dislodged[-1])
        for board, request in enumerate(requests):
            if settled[board] != 1:
                yield None
                continue
            units = _shared_out(request.units, after, first_unit[board])
            driven_out = dislodged[first_dislodged[board] : first_dislodged[board + 1]]
            if driven_out:
                units = {name: left for name, texts in units.items() if (left := [text for text in texts if text])}
            yield {
                "id": request.id,
                "results": _shared_out(request.orders, verdicts, first_order[board]),
                "dislodged": _by_power(request, driven_out, first_unit[board]) if driven_out else {},
                "units": units,
                "resolutions": 1,
                "complete": True,
                "rulings": [],
            }

    def _dislodged(self, at: Numbers, retreats: Numbers, count: int) -> list[Dislodged]:
        """Every dislodged unit of a batch."""
        units = at[DISLODGED, :count]
        texts = (self.tables.unit_texts[state] for state in at[UNIT_STATE, units].tolist())
        locations = iter(retreats.tolist())
        ends = (list(map(self.tables.locations.__getitem__, iter(locations.__next__, NONE))) for _ in range(count))
        return list(zip(units.tolist(), texts, ends, strict=True))


def _by_power(request: Request, dislodged: Iterable[Dislodged], first_unit: int) -> dict[str, dict[str, list[str]]]:
    """The dislodged units of a board with their retreats, by the names of their powers."""
    names = [name for name, texts in request.units.items() for _ in texts]
    found: dict[str, dict[str, list[str]]] = {}
    for unit, text, retreats in dislodged:
        found.setdefault(names[unit - first_unit], {})[text] = retreats
    return found


_NOTHING: tuple[dict[str, list[str]], tuple[int, ...]] = ({}, ())


def _laid_out(requested: Iterable[tuple[Mapping[str, list[str]], tuple[int, ...]]], numbers: Mapping[str, int]) -> Texts:
    """The texts of many requests, with the numbers of each request's powers."""
    given = list(requested)
    lists = [texts for by_power, _ in given for texts in by_power.values()]
    lengths = list(map(len, lists))
    powers = numpy.fromiter(chain.from_iterable(powers for _, powers in given), numpy.int32)
    read = numpy.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), numpy.int32, sum(lengths))
    ends = [0, *accumulate(lengths)]
    first = numpy.fromiter((ends[end] for end in accumulate((len(powers) for _, powers in given), initial=0)), numpy.int32)
    return first, read, numpy.repeat(powers, lengths).astype(numpy.int32)


def _shared_out(given: Mapping[str, list[str]], values: list[str], start: int) -> dict[str, list[str]]:
    """A value for each text of a request, by the names of the powers; powers without texts are left out."""
    found = {}
    for name, texts in given.items():
        if texts:
            found[name] = values[start : start + len(texts)]
            start += len(texts)
    return found


def judged(tables: Tables, batch: Batch) -> tuple[Numbers, Numbers]:
    """The matrix of a batch (`satjudge.bulk.arrays`) filled to the end, and the retreats of the units in its row DISLODGED.

    Forms of orders that are new are learnt on the way.
    """
    at = _situated(tables, batch)
    boards, width = len(batch.odd), at.shape[1]
    highest, lowest = numpy.ones(width, numpy.bool_), numpy.zeros(width, numpy.bool_)
    settle_boards(at, highest, lowest, boards)
    retreats = numpy.full(len(batch.units[1]) * (tables.most_exits + 1), NONE, numpy.int32)
    tell_boards(tables.known, at, lowest, retreats, boards, len(tables.provinces), len(tables.locations))
    return at, retreats


def _situated(tables: Tables, batch: Batch) -> Numbers:
    boards, orders = len(batch.odd), len(batch.orders[1])
    places = boards * len(tables.provinces)
    width = max(places, orders * tables.most_routes) + 1
    while True:
        at = numpy.full((ROWS, width), NONE, numpy.int32)
        rows = (ODD, FIRST_UNIT, UNIT_STATE, UNIT_POWER, FIRST_ORDER, ORDER_TEXT, ORDER_POWER)
        for row, values in zip(rows, (batch.odd, *batch.units, *batch.orders), strict=True):
            at[row, : len(values)] = values
        missing = numpy.full(orders, NONE, numpy.int64)
        situate_boards(
            tables.known, tables.forms, tables.form_rows, tables.text_rows, at, missing,
            boards, len(tables.provinces), tables.states_and_none,
        )  # fmt: skip
        unknown = missing[missing != NONE]
        if not len(unknown):
            return at
        tables.learn(numpy.unique(unknown).tolist())
