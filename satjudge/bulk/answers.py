"""Answers many requests at once, as the batch format writes answers, by reading texts into arrays.

Whatever is out of the ordinary is left to the plain path: a mistake in the request, several orders for a unit, and what the
compiled path leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeAlias

import numpy
from numpy.typing import NDArray

from satjudge.base.errors import NotationError
from satjudge.bulk.arrays import NONE, OWN_PLACE, SETTLED, WITH_CORES, Flags, Numbers
from satjudge.bulk.judge import FATES, RESULTS, Judge, Outcomes
from satjudge.files.batch_lines import LONGEST_NAME, Request
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.world.board import Phase
from satjudge.world.geography import Power, normal
from satjudge.world.rules.rulebook import DisorderRetreats
from satjudge.world.verdicts import OrderResult, Verdict

_KEPT_NAMES = 10_000
UNREADABLE = -1
VERDICTS = [str(Verdict.of(result, fate)) for result in RESULTS for fate in FATES]
"""The texts of verdicts, by the number of the result times the number of fates, plus the number of the fate."""

_NO_UNIT = VERDICTS.index(str(OrderResult.ILLEGAL))

Answer: TypeAlias = dict[str, Any]
Places: TypeAlias = NDArray[numpy.intp]


class Powers(NamedTuple):
    """The powers of a request by number, in the request's order."""

    of_units: tuple[int, ...]
    of_orders: tuple[int, ...]


class Texts(NamedTuple):
    """The texts of many requests end to end."""

    first: list[int]
    """The index at which each request begins, and last the index at which all end."""
    boards: Places
    numbers: Numbers
    powers: Numbers


class Batch(NamedTuple):
    """Requests as arrays, with the place of their orders in the arrays."""

    odd: Flags
    """Whether a board is left to the plain path, by board."""
    units: Texts
    orders: Texts
    columns: Places
    """The column of the unit that each order is given to; -1 if the power has no unit there."""
    arrays: tuple[Numbers, Numbers, Numbers]


class Numbered(dict[str, int]):
    """The numbers of texts, each read when it is first asked for; -1 for a text that cannot be read."""

    def __init__(self, read: Callable[[str], int]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, text: str) -> int:
        try:
            self[text] = number = self.read(text)
        except NotationError:
            return UNREADABLE
        return number


class Answerer:
    """Answers requests for one map and rulebook, and keeps the numbers of texts and names between calls."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.map = judge.vocabulary.map
        self.unit_texts = [*map(str, judge.vocabulary.units), ""]
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all texts and the names of powers."""
        self.units = Numbered(self._read_unit)
        self.orders = Numbered(self._read_order)
        self.numbers: dict[Power, int] = {}
        self.powers: dict[tuple[tuple[str, ...], tuple[str, ...]], Powers | None] = {}

    def _read_unit(self, text: str) -> int:
        """Return the number of a unit; -1 for a unit that cannot be."""
        return self.judge.vocabulary.unit_numbers.get(parse_unit(text, "", self.map).named, UNREADABLE)

    def _read_order(self, text: str) -> int:
        return self.judge.known.number(parse_order(text, self.map, Phase.MOVEMENT))

    def answers(self, requests: Sequence[Request]) -> Iterator[Answer | None]:
        """Answer requests in order, with None for a request that is left to the plain path."""
        if self.judge.known.too_large:
            self.judge.known.begin_anew()
            self.begin_anew()
        if max(len(self.numbers), len(self.powers)) > _KEPT_NAMES:
            self.begin_anew()
        batch = self._batch(requests)
        return self._written(requests, batch, self.judge.judge_compiled(*batch.arrays))

    def _batch(self, requests: Sequence[Request]) -> Batch:
        powers = [self._powers(request) for request in requests]
        odd = numpy.array([found is None for found in powers], numpy.bool_)
        both = list(zip(requests, powers, strict=True))
        units = _laid_out(((asked.units, found.of_units) if found else _NOTHING for asked, found in both), self.units)
        orders = _laid_out(((asked.orders, found.of_orders) if found else _NOTHING for asked, found in both), self.orders)
        for texts in (units, orders):
            odd[texts.boards[texts.numbers == UNREADABLE]] = True
        return self._seated(odd, units, orders)

    def _seated(self, odd: Flags, units: Texts, orders: Texts) -> Batch:
        """Give each unit a column, and each order that of its unit."""
        of_units, places = self.judge.known.of_units, len(self.judge.vocabulary.provinces)
        seats = numpy.arange(len(units.boards)) - numpy.array(units.first, numpy.intp)[units.boards]
        shape = len(odd), int(seats.max(initial=0)) + 1
        arrays = tuple(numpy.full(shape, NONE, numpy.int32) for _ in range(3))
        arrays[0][units.boards, seats], arrays[1][units.boards, seats] = units.numbers, units.powers
        column_at = numpy.full((len(odd), places + 1), NONE, numpy.intp)
        standing = of_units[units.numbers]
        column_at[units.boards, standing] = seats
        odd[units.boards[column_at[units.boards, standing] != seats]] = True  # two units in a province
        place = self.judge.known.entries[orders.numbers, OWN_PLACE]
        columns = column_at[orders.boards, place]  # of an order of another phase: the last, where nobody is
        columns[(columns != NONE) & (arrays[1][orders.boards, columns] != orders.powers)] = NONE
        own = columns != NONE
        odd[orders.boards[~own & self._nobodys_matter(place)]] = True
        seated, columns_seated, order = orders.boards[own], columns[own], numpy.flatnonzero(own)
        arrays[2][seated, columns_seated] = order
        odd[seated[arrays[2][seated, columns_seated] != order]] = True  # several orders for a unit
        arrays[2][seated, columns_seated] = orders.numbers[own]
        for array in arrays:
            array[odd] = NONE
        return Batch(odd, units, orders, columns, arrays)  # type: ignore[arg-type]  # three of them

    def _nobodys_matter(self, place: Numbers) -> Flags:
        """Tell which orders count though no unit of the power has them: those of other phases, and all in disorder (XIV.3)."""
        all_of_them = self.judge.rulebook.disorder_retreats is DisorderRetreats.REFUSED
        return numpy.ones_like(place, numpy.bool_) if all_of_them else place == NONE

    def _powers(self, request: Request) -> Powers | None:
        """Number the powers of a request; None where something is wrong with their names."""
        key = (tuple(request.units), tuple(request.orders))
        try:
            return self.powers[key]
        except KeyError:
            found = self.powers[key] = self._read_powers(*key)
            return found

    def _read_powers(self, of_units: tuple[str, ...], of_orders: tuple[str, ...]) -> Powers | None:
        aliases = self.map.power_aliases
        names = {*of_units, *of_orders}
        if any(len(name) > LONGEST_NAME or not name.strip() for name in names):
            return None
        meant = {name: aliases.get(normal(name), name) for name in names}
        if len(set(meant.values())) < len(names):  # two spellings of one power
            return None
        number = {name: self.numbers.setdefault(power, len(self.numbers)) for name, power in meant.items()}
        return Powers(tuple(number[name] for name in of_units), tuple(number[name] for name in of_orders))

    def _written(self, requests: Sequence[Request], batch: Batch, found: Outcomes) -> Iterator[Answer | None]:
        orders, units = batch.orders, batch.units
        results, fates = (array[orders.boards, batch.columns] for array in (found.results, found.fates))
        told = numpy.where(batch.columns == NONE, _NO_UNIT, len(FATES) * results.astype(numpy.int32) + fates)
        verdicts = list(map(VERDICTS.__getitem__, told.tolist()))
        seats = numpy.arange(len(units.boards)) - numpy.array(units.first, numpy.intp)[units.boards]
        after = list(map(self.unit_texts.__getitem__, found.units[units.boards, seats].tolist()))
        dislodged, rulings = self._dislodged(batch, found), self._rulings(batch, found)
        answered = (numpy.isin(found.status, (SETTLED, WITH_CORES)) & ~batch.odd).tolist()
        for board, request in enumerate(requests):
            if not answered[board]:
                yield None
                continue
            left = _shared_out(request.units, after, units.first[board])
            driven_out = dislodged.get(board)
            if driven_out:
                left = {name: texts for name, given in left.items() if (texts := [text for text in given if text])}
            yield {
                "id": request.id,
                "results": _shared_out(request.orders, verdicts, orders.first[board]),
                "dislodged": _by_power(request, driven_out) if driven_out else {},
                "units": left,
                "resolutions": int(found.resolutions[board]),
                "complete": True,
                "rulings": rulings.get(board, []),
            }

    def _dislodged(self, batch: Batch, found: Outcomes) -> dict[int, list[tuple[int, str, list[str]]]]:
        """List each board's dislodged units with column, text and retreats, in the order of the orders that dislodged them."""
        boards, columns = found.dislodged.T
        units = map(self.unit_texts.__getitem__, batch.arrays[0][boards, columns].tolist())
        locations = self.judge.vocabulary.locations
        rows, places = numpy.nonzero(found.retreats)
        retreats: list[list[str]] = [[] for _ in range(len(boards))]
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            retreats[row].append(locations[place])
        by_board: dict[int, list[tuple[int, str, list[str]]]] = {}
        for board, *lost in zip(boards.tolist(), columns.tolist(), units, map(sorted, retreats), strict=True):
            by_board.setdefault(board, []).append(tuple(lost))
        for board, several in by_board.items():
            if len(several) > 1:
                at = {column: number for number, column in enumerate(self._given(batch, board))}
                several.sort(key=lambda lost, at=at, of=found.attackers[board]: at[of[lost[0]]])  # type: ignore[misc]
        return by_board

    def _given(self, batch: Batch, board: int) -> list[int]:
        """List the columns of the ordered units, in the order of the orders."""
        return list(map(int, batch.columns[batch.orders.first[board] : batch.orders.first[board + 1]]))

    def _rulings(self, batch: Batch, found: Outcomes) -> dict[int, list[dict[str, Any]]]:
        """List the rulings of each board in the order in which they were made, with the orders of each core."""
        by_board: dict[int, list[tuple[int, list[int], str]]] = {}
        for board, rule, turn, bits in found.rulings.tolist():
            given = self._given(batch, board)
            core = [number for number, column in enumerate(given) if column != NONE and bits >> column & 1]
            by_board.setdefault(board, []).append((turn, core, found.rules[rule]))
        orders = self.judge.known.orders
        return {
            board: [
                {"rule": rule, "core": [str(orders[found.orders[board, given[number]]]) for number in core]}
                for given in [self._given(batch, board)]
                for _, core, rule in sorted(rulings)
            ]
            for board, rulings in by_board.items()
        }


def _by_power(request: Request, dislodged: Iterable[tuple[int, str, list[str]]]) -> dict[str, dict[str, list[str]]]:
    """Group the dislodged units of a board, with their retreats, by the names of their powers."""
    names = [name for name, texts in request.units.items() for _ in texts]
    found: dict[str, dict[str, list[str]]] = {}
    for column, text, retreats in dislodged:
        found.setdefault(names[column], {})[text] = retreats
    return found


_NOTHING: tuple[dict[str, list[str]], tuple[int, ...]] = ({}, ())


def _laid_out(requested: Iterable[tuple[Mapping[str, list[str]], tuple[int, ...]]], numbers: Mapping[str, int]) -> Texts:
    """Lay out the texts of many requests end to end, with the numbers of each request's powers."""
    given = list(requested)
    lists = [texts for by_power, _ in given for texts in by_power.values()]
    lengths = list(map(len, lists))
    powers = numpy.fromiter(chain.from_iterable(powers for _, powers in given), numpy.int32)
    read = numpy.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), numpy.int32, sum(lengths))
    ends = [0, *accumulate(lengths)]
    first = [ends[end] for end in accumulate((len(powers) for _, powers in given), initial=0)]
    boards = numpy.repeat(numpy.arange(len(given)), numpy.diff(first))
    return Texts(first, boards, read, numpy.repeat(powers, lengths))


def _shared_out(given: Mapping[str, list[str]], values: list[str], start: int) -> dict[str, list[str]]:
    """Group a list of values by power, one value for each text of a request; powers without texts are left out."""
    found = {}
    for name, texts in given.items():
        if texts:
            found[name] = values[start : start + len(texts)]
            start += len(texts)
    return found
