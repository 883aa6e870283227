"""Judges the boards of a large campaign many at a time, over arrays.

Boards that differ are judged one by one as well.

Compiled code says what satjudge says of the boards. Against another rulebook it says that of both sides. What it leaves is
judged as in small campaigns, so that the result is the same, board by board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import NONE, SETTLED, WITH_CORES, Flags, Numbers
from satjudge.bulk.available import tell_failure
from satjudge.bulk.judge import FATES, RESULTS, Judge, Outcomes
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.engines.campaign import Campaign, PreparedBoard, Tally, ToCount
from satjudge.engines.comparison import Depth
from satjudge.engines.positions import AskedPosition, Fuzz
from satjudge.oracles.oracle import Answer
from satjudge.world.geography import Location, Power
from satjudge.world.verdicts import Verdict

BLOCK = 1_000
"""Boards that are in memory at a time."""
VERDICTS = [str(Verdict.of(result, fate)) for result in RESULTS for fate in FATES]
"""The texts of verdicts, by the number of the result times the number of fates, plus the number of the fate."""


@lru_cache(maxsize=1)
def board_preparer(campaign: Campaign) -> BoardPreparer | None:
    """Return what draws and judges the boards of a campaign in bulk; None where compiled code cannot."""
    assert isinstance(campaign.source, Fuzz)
    try:
        found = BoardPreparer(campaign, campaign.source)
    except Exception as error:
        tell_failure(error)
        return None
    return None if found.ours.obstacle or (found.theirs and found.theirs.obstacle) else found


class BoardPreparer:
    """Draws and judges the boards of a campaign in blocks."""

    def __init__(self, campaign: Campaign, source: Fuzz) -> None:
        self.campaign = campaign
        self.source = source
        self.vocabulary = Vocabulary(source.map)
        self.unit_texts = [*map(str, self.vocabulary.units)]
        self.ours = Judge(self.vocabulary, campaign.rulebook)
        rulebook = campaign.contact.own_rulebook
        self.theirs = Judge(self.vocabulary, rulebook) if rulebook else None

    @property
    def judges(self) -> list[Judge]:
        """The judges by our rulebook and, if the other engine is satjudge too, by the other side's."""
        return [self.ours, *([self.theirs] if self.theirs else [])]

    def prepared(self, numbers: Iterable[int]) -> Iterator[ToCount]:
        """Yield the boards in order: single ones with the known answers, or tallies of boards that are counted already."""
        waiting = iter(numbers)
        while some := list(islice(waiting, BLOCK)):
            if any(judge.known.too_large for judge in self.judges):
                for judge in self.judges:
                    judge.known.begin_anew()
            block = self._block(some)
            yield from block.boards() if self.theirs is None else self._those_that_differ(block, self.theirs)

    def _those_that_differ(self, block: Block, judge: Judge) -> Iterator[ToCount]:
        """Yield the boards that differ under another rulebook, with both answers, and tallies of the boards between them."""
        theirs = block.by(judge)
        answered = block.found.answered & theirs.answered
        unresolved = block.found.outcomes.unresolved | theirs.outcomes.unresolved
        same = answered & block.found.same(theirs, self.campaign.depth)
        counted = Tally()
        for index, (agree, open_question) in enumerate(zip(same.tolist(), (unresolved & ~block.odd).tolist(), strict=True)):
            if agree or open_question:
                counted.boards += 1
                counted.agreed += agree
                counted.unresolved += not agree
                continue
            if counted.boards:
                yield counted
                counted = Tally()
            number, known = block.board(index)
            yield number, known._replace(theirs=theirs.answer(index))
        if counted.boards:
            yield counted

    def _block(self, numbers: Sequence[int]) -> Block:
        """Draw some boards and lay them out as arrays."""
        positions: dict[int, AskedPosition] = {}
        rows: dict[int, Row] = {}
        for index, number in enumerate(numbers):
            with suppress(Exception):  # it will come again, and be told
                positions[index] = self.source.draw(number)
                if row := self._row(positions[index]):
                    rows[index] = row
        arrays = numpy.full((3, len(numbers), max((len(row[0]) for row in rows.values()), default=1)), NONE, numpy.int32)
        for index, row in rows.items():
            arrays[:, index, : len(row[0])] = row
        odd = numpy.array([index not in rows for index in range(len(numbers))])
        return Block(self, numbers, positions, odd, *arrays)

    def _row(self, position: AskedPosition) -> Row | None:
        """Write a position as a row of each array; None where orders do not match the units of their powers one by one."""
        board, powers = position.board, self.vocabulary.powers
        units = [self.vocabulary.unit_numbers[unit.named] for unit in board.units]
        columns = {unit.province: column for column, unit in enumerate(board.units)}
        orders = [NONE] * len(units)
        for power, given in position.orders.items():
            before = NONE
            for order in given:
                column = columns.get(order.unit.province, NONE)  # type: ignore[union-attr]  # of a movement phase
                if column <= before or board.units[column].power != power:
                    return None
                (orders[column],) = {judge.known.number(order) for judge in self.judges}  # which ask for the same ones
                before = column
        return units, [powers.index(unit.power) for unit in board.units], orders


Row = tuple[list[int], list[int], list[int]]
"""The units of a board, their powers and their orders, by number."""


@dataclass
class Block:
    """Some boards of a campaign, as arrays of boards × units."""

    of: BoardPreparer
    numbers: Sequence[int]
    positions: Mapping[int, AskedPosition]
    """The positions that could be drawn, by index."""
    odd: Flags
    """Whether a board is in no array, by board."""
    units: Numbers
    powers: Numbers
    orders: Numbers

    @cached_property
    def found(self) -> BlockOutcomes:
        """The outcomes by our rulebook."""
        return self.by(self.of.ours)

    def by(self, judge: Judge) -> BlockOutcomes:
        """Judge the boards of the block by a rulebook."""
        return BlockOutcomes(self, judge.judge_compiled(self.units, self.powers, self.orders))

    def boards(self) -> Iterator[tuple[int, PreparedBoard]]:
        """List each board with the answer that is known."""
        return map(self.board, range(len(self.numbers)))

    def board(self, index: int) -> tuple[int, PreparedBoard]:
        """Return the number of a board with its position and our answer."""
        return self.numbers[index], PreparedBoard(self.positions.get(index), self.found.answer(index))

    def row(self, index: int) -> list[tuple[int, int, int]]:
        """List the units of a board, each with its power and order, by number."""
        rows = zip(*(array[index].tolist() for array in (self.units, self.powers, self.orders)), strict=True)
        return [row for row in rows if row[0] != NONE]


@dataclass
class BlockOutcomes:
    """The outcomes of a block of boards by one rulebook."""

    block: Block
    outcomes: Outcomes

    @cached_property
    def answered(self) -> Flags:
        """Flags of the boards that compiled code answered."""
        return numpy.isin(self.outcomes.status, (SETTLED, WITH_CORES)) & ~self.block.odd

    @cached_property
    def verdicts(self) -> NDArray[numpy.int32]:
        """The verdicts as numbers in `VERDICTS`, boards × units."""
        return len(FATES) * self.outcomes.results.astype(numpy.int32) + self.outcomes.fates

    @cached_property
    def retreats(self) -> dict[tuple[int, int], list[Location]]:
        """The places to which dislodged units may retreat, by board and column."""
        locations = self.block.of.vocabulary.locations
        found: dict[tuple[int, int], list[Location]] = {}
        for (board, column), row in zip(self.outcomes.dislodged.tolist(), self.outcomes.retreats, strict=True):
            found[board, column] = sorted(locations[place] for place in numpy.flatnonzero(row).tolist())
        return found

    def same(self, other: BlockOutcomes, depth: Depth) -> Flags:
        """Tell for each board whether two outcomes agree in all that is compared."""
        same = (self.outcomes.units == other.outcomes.units).all(axis=1)
        if depth.results:
            same &= (self.verdicts == other.verdicts).all(axis=1)
        if depth.retreats:
            for mine, theirs in ((self, other), (other, self)):
                for (board, column), places in mine.retreats.items():
                    same[board] &= theirs.retreats.get((board, column)) == places
        return same  # type: ignore[no-any-return]

    def answer(self, index: int) -> Answer | None:
        """Return the answer to one board; None where compiled code does not answer it."""
        if not self.answered[index]:
            return None
        vocabulary = self.block.of.vocabulary
        verdicts, dislodged, units = (
            dict[Power, list[str]](),
            dict[Power, dict[str, list[Location]]](),
            dict[Power, list[str]](),
        )
        after, said = self.outcomes.units[index].tolist(), self.verdicts[index].tolist()
        for column, (number, power, order) in enumerate(self.block.row(index)):
            name = vocabulary.powers[power]
            if order != NONE:
                verdicts.setdefault(name, []).append(VERDICTS[said[column]])
            if after[column] != NONE:
                units.setdefault(name, []).append(self.block.of.unit_texts[after[column]])
            else:
                lost = dislodged.setdefault(name, {})
                lost[self.block.of.unit_texts[number]] = self.retreats[index, column]
        return Answer(verdicts, dislodged, {name: sorted(texts) for name, texts in units.items()})
