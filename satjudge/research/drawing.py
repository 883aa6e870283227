"""Draws many boards at a time, over arrays (`array_drafts`): those that `random_board` draws, for the same seeds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy

from satjudge.bulk import Vocabulary, compiling
from satjudge.bulk.arrays import NONE, Numbers
from satjudge.bulk.known import starts
from satjudge.geography import Location, Map, UnitKind, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove
from satjudge.research import array_drafts
from satjudge.research.boards import Flavour
from satjudge.research.drafts import Atlas, Step, atlas

FLAVOURS = (Flavour.GENERAL, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.DENSE)
"""By their numbers in compiled code."""

Related: TypeAlias = Iterable[int | tuple[int, int]]


def can_draw(game_map: Map) -> bool:
    """Whether compiled code draws boards of a map: one that has nothing but provinces."""
    return not (game_map.railroads or game_map.canals or game_map.difficult or game_map.closed) and (
        game_map.convoying == game_map.seas
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    """Boards as `satjudge.bulk.Judge` takes them: boards × units, by the numbers of the vocabulary."""

    units: Numbers
    powers: Numbers
    orders: Numbers
    flavours: Numbers
    """By board, numbers in `FLAVOURS`."""


class Drawing:
    """Draws boards of a map. At the very first time numba compiles for some seconds."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        assert can_draw(vocabulary.map)
        self.vocabulary = vocabulary
        self.known = _known(vocabulary)
        self.order_numbers: dict[int, int] = {}
        """The numbers of orders by their parts, as far as they have come up."""
        provinces = len(vocabulary.provinces)
        self.scratch = numpy.full((array_drafts.ATTACKERS + provinces, 4 * provinces), NONE, numpy.int32)
        self.chance = numpy.zeros(array_drafts.STATE + 1, numpy.int64)
        with compiling.kept_whole():
            self.draw(["1"], (Flavour.GENERAL,), ((1, 1),), 1)

    def draw(
        self, seeds: Sequence[str], mix: Sequence[Flavour], sizes: Sequence[tuple[int, int]], powers: int
    ) -> Drawn:  # fmt: skip
        """A board for each seed: as `random_board` with `Random(seed)`, when flavour and size have been chosen there."""
        keys = [_key(seed) for seed in seeds]
        words: numpy.typing.NDArray[numpy.uint32] = numpy.zeros((len(keys), max(map(len, keys))), numpy.uint32)
        for row, key in zip(words, keys, strict=True):
            row[: len(key)] = key
        shape = len(keys), min(max(most for _, most in sizes), len(self.vocabulary.provinces))
        units, owners, orders, flavours = (
            numpy.full(each, NONE, numpy.int32) for each in (shape, shape, (*shape, 4), shape[:1])
        )
        mixed = numpy.array([[FLAVOURS.index(flavour) for flavour in mix]], numpy.int32)
        allowed = numpy.array(sizes, numpy.int32)
        array_drafts.draw_boards(
            self.known, self.scratch, self.chance, words, mixed, allowed, powers, units, owners, orders, flavours
        )  # fmt: skip
        return Drawn(units, owners, self._numbers(units, orders), flavours)

    def _numbers(self, units: Numbers, orders: Numbers) -> Numbers:
        """The numbers of orders in the vocabulary."""
        bases = (1, len(self.vocabulary.units) + 1, len(self.vocabulary.locations) + 1, len(self.vocabulary.units) + 1, 2)
        code = numpy.where(orders[..., 0] == NONE, 0, orders[..., 0].astype(numpy.int64) + 1)
        parts = (units, orders[..., 1], orders[..., 2], orders[..., 3] - 1)
        for part, base in zip(parts, bases[1:], strict=True):
            code = numpy.where(code == 0, 0, code * base + part + 1)
        found, where = numpy.unique(code, return_inverse=True)
        for number in (number for number in found.tolist() if number not in self.order_numbers):
            board, column = numpy.argwhere(code == number)[0]
            self.order_numbers[number] = self._number(units[board, column], orders[board, column])
        numbers = numpy.array([self.order_numbers[number] for number in found.tolist()], numpy.int32)
        return numbers[where].reshape(units.shape)

    def _number(self, unit: int, order: Numbers) -> int:
        kind, to, other, via = order.tolist()
        if kind == NONE:
            return NONE
        named, location = self.vocabulary.units, self.vocabulary.locations
        made: dict[int, Callable[[], MovementOrder]] = {
            array_drafts.HOLD: lambda: Hold(named[unit]),
            array_drafts.MOVE: lambda: Move(named[unit], location[to], bool(via)),
            array_drafts.SUPPORT_HOLD: lambda: SupportHold(named[unit], named[other]),
            array_drafts.SUPPORT_MOVE: lambda: SupportMove(named[unit], named[other], location[to]),
            array_drafts.CONVOY: lambda: Convoy(named[unit], named[other], location[to]),
        }
        return self.vocabulary.order_numbers[made[kind]()]


def _key(seed: str) -> list[int]:
    """The words from which `random.Random(seed)` begins, and before them how many they are."""
    text = seed.encode()
    data = (text + hashlib.sha512(text).digest())[::-1]
    words = numpy.frombuffer(data + bytes(-len(data) % 4), "<u4").tolist()
    return [len(words), *words]


def _known(vocabulary: Vocabulary) -> Numbers:
    """What an atlas says, as compiled code reads it (`array_drafts.Known`)."""
    relations = [[list(related) for related in relation] for relation in _relations(vocabulary, atlas(vocabulary.map, None))]
    first, begin, behind = [], list[int](), 0
    for relation in relations:
        first.append(len(begin))
        begin += [behind + start for start in starts(relation)]
        behind = begin[-1]
    pairs = [
        one if isinstance(one, tuple) else (one, NONE) for relation in relations for related in relation for one in related
    ]
    rows = [first, begin, *map(list, zip(*pairs, strict=True))]
    found = numpy.full((len(rows), max(map(len, rows))), NONE, numpy.int32)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def _relations(vocabulary: Vocabulary, known: Atlas) -> Iterator[Iterable[Related]]:
    """The relations of `array_drafts` in their order, each a list of lists."""
    every, units = known.provinces, [(unit.kind, unit.location) for unit in vocabulary.units if unit.kind]
    assert every == vocabulary.provinces
    unit_numbers = {unit: number for number, unit in enumerate(units)}
    places = vocabulary.location_numbers

    def numbers(locations: Iterable[Location]) -> list[int]:
        return [places[location] for location in locations]

    def steps(some: Iterable[Step]) -> list[tuple[int, int]]:
        return [(unit_numbers[step.kind, step.origin], places[step.destination]) for step in some]

    def flags(some: Iterable[Location]) -> list[int]:
        return [int(code in some) for code in every]

    yield ([unit_numbers[spot] for spot in known.spots[code]] for code in every)
    yield (steps(known.steps_from[unit]) for unit in units)
    yield (steps(known.steps_into[code]) for code in every)
    yield (steps(known.steps_between.get((here, there), ())) for here, there in product(every, repeat=2))
    yield (numbers(known.near[code]) for code in every)
    yield (numbers(known.seas_near.get(code, ())) for code in every)
    yield (numbers(known.shores[code]) for code in every)
    yield (numbers(known.coasts.get(code, ())) for code in every)
    yield (flags(known.near[code]) for code in every)
    yield (flags(known.shores[code]) for code in every)
    yield (flags(known.map.army.get(code, ())) for code in every)
    yield ([known.distance[code].get(other, NONE) for other in every] for code in every)
    yield [numbers(known.seas)]
    yield (numbers([province_of(location)]) for location in vocabulary.locations)
    yield (numbers([province_of(location)]) for _, location in units)
    yield ([int(kind is UnitKind.FLEET)] for kind, _ in units)
    yield ([int(code in known.seas)] for code in every)
    for kind in UnitKind:
        yield ([unit_numbers.get((kind, code), NONE)] for code in every)
