"""Counts the boards of a census many at a time: judged over arrays, with each kind of core examined once.

Compiled code judges boards, and gives each core a signature: cores with one signature have the same equations among
the same kinds of orders that meet in the same places, so that one of them, classified by the plain path, stands for all. The
plain path counts the boards that compiled code leaves, so that the result is that of `census.tally_board`, board by board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy
from numpy.typing import NDArray

from satjudge.bulk import census
from satjudge.bulk.arrays import NONE, SETTLED, WITH_CORES, LongNumbers, Numbers
from satjudge.bulk.available import tell_failure
from satjudge.bulk.boards import Flavour
from satjudge.bulk.judge import Judge, Outcomes, RowPosition
from satjudge.bulk.tallies import (
    BoardTally,
    ClaimTally,
    Example,
    Graph,
    NameTally,
    ShapeTally,
    Tally,
    add_by_name,
    claims_on_core,
    graph_of,
)
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.explain.cores import classify
from satjudge.judging.equations.situation import situate
from satjudge.judging.legality import sort_out
from satjudge.world.board import Unit
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook, load_rulebook

BLOCK = 4_000
"""The number of boards that are in memory at a time."""

FLAVOURS = tuple(Flavour)

Signature = tuple[int, int]


@dataclass(frozen=True)
class CoreClass:
    """The properties that all cores with one signature share."""

    kind: str
    name: str
    order: int
    shape: str
    graph: Graph
    claims: tuple[str, ...]
    """The names of the claims that were tested on the class and that hold."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Random boards as `satjudge.bulk.judge.Judge` takes them: boards × units, by the numbers of the vocabulary."""

    units: Numbers
    powers: Numbers
    orders: Numbers
    flavours: Numbers
    """The flavour of each board, as an index in `FLAVOURS`."""


def has_plain_rules(game_map: Map) -> bool:
    """Tell whether a map has no rules of its own: no railroads, canals, difficult borders, closed seasons, convoying coasts."""
    return not (game_map.railroads or game_map.canals or game_map.difficult or game_map.closed) and (
        game_map.convoying == game_map.seas
    )


@lru_cache(maxsize=1)
def counter(plan: census.Plan) -> Counter | None:
    """Make a counter of the boards of a plan; None where there is no compiled path for it."""
    if not has_plain_rules(plan.map):
        return None
    try:
        found = Counter(plan)
    except Exception as error:
        tell_failure(error)
        return None
    return None if found.judge.obstacle else found


class Counter:
    """Counts the boards of a census plan."""

    def __init__(self, plan: census.Plan) -> None:
        self.plan = plan
        self.vocabulary = Vocabulary(plan.map)
        self.judge = Judge(self.vocabulary, plan.rulebook)
        self.classes: dict[Signature, CoreClass | None] = {}
        """None for cores that only the plain path counts: against which a claim speaks."""
        self.judges: dict[Rulebook, Judge] = {plan.rulebook: self.judge}
        self._units: dict[Unit, tuple[int, int]] = {}

    def tally(self, indices: Sequence[int]) -> Tally:
        """Count paradox cores, resolutions and differences between rulebooks on the boards with some numbers."""
        tally = Tally()
        for begin in range(0, len(indices), BLOCK):
            tally.add(self._tally(indices[begin : begin + BLOCK]))
        return tally

    def _tally(self, indices: Sequence[int]) -> Tally:
        drawn = self._drawn(indices)
        found = self.judge.judge_compiled(drawn.units, drawn.powers, drawn.orders)
        block = _Block(numpy.array(indices), (drawn.units != NONE).sum(axis=1))
        classes = self._classes(block, drawn, found)
        plainly = (found.status != SETTLED) & (found.status != WITH_CORES)
        plainly[[board for board, core in zip(found.cores[:, 0], classes, strict=True) if core is None]] = True
        tally = Tally(boards=int((~plainly).sum()), resolutions=_resolutions(drawn, found, ~plainly))
        kept = ~plainly[found.cores[:, 0]]
        counted = [core for core, keep in zip(classes, kept, strict=True) if core and keep]
        _count_cores(tally, block, found.cores[kept], counted)
        compared = numpy.array([self.plan.compares(index) for index in indices]) & ~plainly
        self._compare(tally, block, drawn, compared)
        for board in numpy.flatnonzero(compared).tolist():
            self._count_dependencies(tally, drawn, board, block.example(board))
        for board in numpy.flatnonzero(plainly).tolist():
            tally.add(census.tally_board(self.plan, indices[board]))
        return tally

    def _drawn(self, indices: Sequence[int]) -> Drawn:
        """Draw boards of the plan, and lay them out as arrays."""
        boards = [self.plan.draw(index) for index in indices]
        most, numbers, known = max(len(board.units) for _, board, _ in boards), self._units, self.vocabulary.order_numbers
        rows: list[list[int]] = []
        for _, board, given in boards:
            ordered = {order.unit.province: known[order] for some in given.values() for order in some}
            rest = [NONE] * (most - len(board.units))
            of_units = [numbers.get(unit) or self._numbered(unit) for unit in board.units]
            rows.append([number for number, _ in of_units] + rest)
            rows.append([power for _, power in of_units] + rest)
            rows.append([ordered.get(unit.province, NONE) for unit in board.units] + rest)
        arrays = numpy.array(rows, numpy.int32).reshape(len(boards), 3, most)
        units, powers, orders = (numpy.ascontiguousarray(arrays[:, part]) for part in range(3))
        flavours = numpy.array([FLAVOURS.index(flavour) for flavour, _, _ in boards], numpy.int32)
        return Drawn(units, powers, orders, flavours)

    def _numbered(self, unit: Unit) -> tuple[int, int]:
        """Return the numbers of a unit and of its power."""
        found = self.vocabulary.unit_numbers[unit.named], self.vocabulary.powers.index(unit.power)
        self._units[unit] = found
        return found

    # Cores.

    def _classes(self, block: _Block, drawn: Drawn, found: Outcomes) -> list[CoreClass | None]:
        """Find the class of each core."""
        signatures: list[Signature] = [(first, second) for first, second in found.cores[:, 4:6].tolist()]
        for number, signature in enumerate(signatures):
            if signature not in self.classes:
                board, columns = found.cores[number, 0], int(found.cores[number, 3])
                units = [unit for column, unit in enumerate(drawn.units[board].tolist()) if columns >> column & 1]
                provinces = {self.vocabulary.units[unit].province for unit in units}
                self.classes[signature] = self._class(int(block.indices[board]), provinces)
        return [self.classes[signature] for signature in signatures]

    def _class(self, index: int, provinces: set[str]) -> CoreClass | None:
        """Classify the core of some units by the plain path; None if a claim fails on it, or if there is no such core."""
        _, adjudication, _ = census.judge_board(*self.plan.draw(index)[1:], self.plan.rulebook)
        for core in classify(adjudication) if adjudication else ():
            if {decision.province for decision in core.core.decisions} == provinces:
                claims = dict(claims_on_core(core.core))
                if all(claims.values()):
                    return CoreClass(str(core.kind), core.name, core.order, core.shape, graph_of(core), tuple(claims))
        return None

    def _count_dependencies(self, tally: Tally, drawn: Drawn, board: int, example: Example) -> None:
        position = RowPosition.of(self.vocabulary, drawn.units[board], drawn.powers[board], drawn.orders[board])
        docket = sort_out(position.board, position.orders, self.plan.rulebook)
        situation = situate(position.board, docket, self.plan.rulebook)
        census.count_dependencies(tally, situation, None, example)

    # Rulebooks.

    def _compare(self, tally: Tally, block: _Block, drawn: Drawn, compared: NDArray[numpy.bool_]) -> None:
        """Judge boards by all preset rulebooks, as `census.tally_board` does."""
        boards = numpy.flatnonzero(compared)
        tally.compared = len(boards)
        if not len(boards):
            return
        after: dict[str, Numbers] = {}
        for name in census.presets():
            rulebook = load_rulebook(name)
            judge = self.judges.get(rulebook) or self.judges.setdefault(rulebook, Judge(self.vocabulary, rulebook))
            found = judge.judge(drawn.units[boards], drawn.powers[boards], drawn.orders[boards])
            found.units[found.unresolved] = NONE - 1
            if count := int(found.unresolved.sum()):
                tally.unresolved_by[name] = count
            after[name] = found.units
        for one, other in combinations(after, 2):
            if len(differing := boards[(after[one] != after[other]).any(axis=1)]):
                tally.differing[f"{one},{other}"] = BoardTally(len(differing), min(map(block.example, differing)))


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of boards, by their numbers in the census and their numbers of units."""

    indices: LongNumbers
    sizes: LongNumbers

    def example(self, board: int) -> Example:
        """Return a board of the block as an example."""
        return Example(int(self.sizes[board]), int(self.indices[board]))


def _resolutions(drawn: Drawn, found: Outcomes, counted: NDArray[numpy.bool_]) -> dict[str, dict[str, int]]:
    """Count boards by flavour and by the number of resolutions."""
    pairs, counts = numpy.unique(
        numpy.stack((drawn.flavours[counted], found.resolutions[counted]), axis=1), axis=0, return_counts=True
    )
    by_flavour: dict[str, dict[str, int]] = {}
    for (flavour, number), count in zip(pairs.tolist(), counts.tolist(), strict=True):
        by_flavour.setdefault(FLAVOURS[flavour], {})[str(number)] = count
    return by_flavour


def _count_cores(tally: Tally, block: _Block, cores: LongNumbers, classes: Sequence[CoreClass]) -> None:
    """Count cores by name and shape, with the smallest examples and with the claims that hold."""
    tally.boards_with_cores = len(numpy.unique(cores[:, 0]))
    of_class: dict[CoreClass, list[int]] = {}
    for number, core in enumerate(classes):
        of_class.setdefault(core, []).append(number)
    on: dict[str, set[int]] = {}
    smallest: dict[CoreClass, tuple[int, ...]] = {}
    for core, numbers in of_class.items():
        boards, turns, columns = (cores[numbers, part] for part in (0, 2, 3))
        keys = numpy.stack((columns & -columns, turns, boards, block.sizes[boards]))  # the last counts most
        first = numpy.lexsort(keys)[0]
        smallest[core] = tuple(keys[::-1, first].tolist())
        on.setdefault(core.name, set()).update(boards.tolist())
        tested = {claim: ClaimTally(tested=len(numbers)) for claim in core.claims}
        named = NameTally(core.kind, core.order, len(numbers), 0, block.example(boards[first]))
        add_by_name(vars(tally), {"claims": tested, "names": {core.name: named}})
    for name, found_on in on.items():
        tally.names[name].boards = len(found_on)
    for core in sorted(of_class, key=smallest.__getitem__):  # of two on one board the one that is settled first
        count, example = len(of_class[core]), block.example(smallest[core][1])
        shaped = ShapeTally(core.kind, {core.name: count}, count, example, core.graph)
        tally.add(Tally(shapes={core.shape: shaped}, claims={}))  # which also compares the graphs
