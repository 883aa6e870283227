"""Keeps the Python code's answers about a map's orders under a rulebook as arrays, so that each question is asked once.

`satjudge.judging.legality` finds out whether an order is legal on a board with only the units that it names, and
`satjudge.judging.equations.situation` finds the order's effects, and matching orders. Legality depends on the rest of a board
only by the fleets that could convoy an army (`ConvoyQuestion`), and the compiled code answers only this question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.reading import Tables
from satjudge.bulk.tables.writing import read_columns
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.loading import load_tables
from satjudge.judging.backup import list_rule_names
from satjudge.judging.equations.situation import (
    ConvoyDecision,
    MoveDecision,
    SupportDecision,
    build_candidate_situation,
)
from satjudge.judging.legality.order_legality import ConvoyQuestion, TrackedPosition, judge_order
from satjudge.judging.legality.waters import number_waters
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Terrain, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import OrderResult

OURS, THEIRS = "ours", "theirs"
RESULT_NUMBERS = {result: number for number, result in enumerate(OrderResult)}
_KINDS: dict[type[MovementOrder], int] = {Move: MOVE, SupportHold: SUPPORT, SupportMove: SUPPORT, Convoy: CONVOY, Hold: HOLD}
_KEPT = 400_000
"""The largest number of entries in a hash table."""


class HashTable:
    """A hash table from numbers to numbers in the form that the kernel reads, with a row for each slot."""

    def __init__(self, values: int) -> None:
        self.values = values
        self.clear()

    def clear(self) -> None:
        """Remove all entries."""
        self.count = 0
        self.array: LongNumbers = self._empty(1 << 10)

    def _empty(self, slots: int) -> LongNumbers:
        return numpy.full((slots, 1 + self.values), NONE, numpy.int64)

    def put(self, key: int, *values: int) -> None:
        """Enter a new key with its values; if the table is half full, enlarge it first."""
        self.count += 1
        if 2 * self.count > len(self.array):
            smaller = self.array
            self.array = self._empty(4 * len(smaller))
            for old, *entry in smaller[smaller[:, 0] != NONE].tolist():
                self._write(old, entry)
        self._write(key, values)

    def fill(self, keys: LongNumbers, *values: LongNumbers) -> None:
        """Enter keys into the empty table, with one array of as many values for each column of values."""
        self.count = len(keys)
        self.array = self._empty(1 << max(10, (2 * len(keys)).bit_length()))
        mask = len(self.array) - 1
        waiting = numpy.arange(len(keys))
        slots: LongNumbers = slot_of(keys, mask)  # type: ignore[arg-type, assignment]  # for all keys at once
        while len(waiting):
            free = self.array[slots, 0] == NONE
            self.array[slots[free], 0] = keys[waiting[free]]  # if several keys have the same slot, the last one stays
            entered = self.array[slots, 0] == keys[waiting]
            for row, numbers in enumerate(values, 1):
                self.array[slots[entered], row] = numbers[waiting[entered]]
            waiting, slots = waiting[~entered], (slots[~entered] + 1) & mask

    def __getitem__(self, key: int) -> int:
        """Return the first value of a key that must be in the table."""
        found = self.find(key)
        assert found is not None
        return found

    def find(self, key: int) -> int | None:
        """Return the first value of a key; None if the table does not contain it."""
        mask = len(self.array) - 1
        slot = slot_of(key, mask)
        while self.array[slot, 0] not in (key, NONE):
            slot = (slot + 1) & mask
        return int(self.array[slot, 1]) if self.array[slot, 0] == key else None

    def _write(self, key: int, values: Iterable[int]) -> None:
        mask = len(self.array) - 1
        slot = slot_of(key, mask)
        while self.array[slot, 0] != NONE:
            slot = (slot + 1) & mask
        self.array[slot] = key, *values


class _SupposedPosition(TrackedPosition):
    """A position in which questions about convoys have a given answer."""

    supposed: bool = True

    def ask(self, question: ConvoyQuestion) -> bool:
        self.asked, self.answer = question, self.supposed
        return self.supposed


class OrderFacts:
    """Those facts about the orders of one map under one rulebook that were requested so far."""

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary = vocabulary
        self.map = vocabulary.map
        self.rulebook = rulebook.with_map_rules(self.map)
        self.place_of = {code: number for number, code in enumerate(vocabulary.provinces)}
        self.spots = self._list_spots()
        self.of_units = self.spots[PLACE_OF_UNIT, : len(vocabulary.units)]
        self.rules = list_rule_names(self.rulebook)
        self.version = 0
        """A number that grows whenever a fact is learnt."""
        self.clear()

    def _list_spots(self) -> LongNumbers:
        """Return the matrix `spots` of facts about units and locations, with a row for each kind of fact."""
        units, locations = self.vocabulary.units, self.vocabulary.location_numbers
        exits = [sorted(self.map.exits(unit.kind, unit.location)) for unit in units if unit.kind]
        rows = [
            [self.place_of[unit.province] for unit in units],
            [self._fleet_bit(unit) for unit in units],
            list_starts(exits),
            [locations[place] for unit_exits in exits for place in unit_exits],
            [self.place_of[province_of(place)] for place in locations],
            *self._list_waters(),
        ]
        return make_matrix(rows)

    def _list_waters(self) -> list[list[int]]:
        """Return three lists of bits: the neighbours of each water, the waters at each coast, and each province's own water."""
        waters, provinces = number_waters(self.map), self.map.provinces
        coasts = {code for code in self.place_of if provinces[code].terrain is Terrain.COAST}
        return [
            list(waters.near),
            [waters.shores.get(code, 0) if code in coasts else 0 for code in self.place_of],
            [1 << waters.number[code] if code in waters.number else 0 for code in self.place_of],
        ]

    def _fleet_bit(self, unit: Named) -> int:
        number = number_waters(self.map).number.get(unit.province)
        return 0 if number is None or unit.kind is not UnitKind.FLEET else 1 << number

    def clear(self) -> None:
        """Forget all facts that were looked up, and begin again with those of the shipped tables, if there are any."""
        self.orders: list[Order] = list(self.vocabulary.orders)
        self.order_numbers = dict(self.vocabulary.order_numbers)
        self.entries = _empty_entries(len(self.orders))
        self.entries[:, LEGAL : LEGAL_OWN + 1] = UNASKED
        for number, order in enumerate(self.orders):
            self._enter_units(number, order)
        self.aliases, self.links = HashTable(3), HashTable(1)
        self.questions: dict[ConvoyQuestion, int] = {}
        if tables := load_tables(self.vocabulary.map, self.rulebook):
            fill_facts(self, tables)
        self.update_arrays()

    @property
    def too_large(self) -> bool:
        """True if the tables are so large that they should be cleared."""
        tables = (self.aliases, self.links)
        return max(len(self.orders) - len(self.vocabulary), *(table.count for table in tables)) > _KEPT

    def update_arrays(self) -> None:
        """Rebuild the array of convoy questions, and increase the version number."""
        self.version += 1
        question_places = [(one.origin, one.destination, one.without, one.through) for one in self.questions]
        places = [[self.place_of.get(code or "", NONE) for code in place_codes] for place_codes in question_places]
        self.question_rows = numpy.array([*places, [NONE] * 4], numpy.int32)

    def tables(self) -> dict[str, NDArray[Any]]:
        """Return all facts as arrays, by the names that the kernel has for them (`bulk.kernel.memory.ARRAYS`)."""
        return {
            "spots": self.spots, "entries": self.entries, "aliases": self.aliases.array, "links": self.links.array,
            "questions": self.question_rows,
        }  # fmt: skip

    def number_order(self, order: Order) -> int:
        """Return the number of an order, assigning one beyond the vocabulary to a new order."""
        number = self.order_numbers.get(order)
        if number is None:
            number = self.order_numbers[order] = len(self.orders)
            self.orders.append(order)
            if number >= len(self.entries):
                smaller, self.entries = self.entries, _empty_entries(2 * len(self.entries))
                self.entries[: len(smaller)] = smaller
            self._enter_units(number, order)
            self.version += 1
            self.entries[number, OWN_UNIT] = NONE  # its full form depends on the unit to which it is given
        return number

    def _enter_units(self, number: int, order: Order) -> None:
        """Enter the numbers of the units that an order names, and of their provinces, in the order's row."""
        if isinstance(order, MovementOrder):
            other, row = helped_unit(order), self.entries[number]
            row[OWN_PLACE], row[OWN_UNIT] = self.place_of[order.unit.province], self._number_unit(order.unit)
            if other:
                row[OTHER_PLACE], row[OTHER_UNIT] = self.place_of[other.province], self._number_unit(other)

    def _number_unit(self, unit: Named) -> int:
        return self.vocabulary.unit_numbers.get(unit, NONE)

    # Looking up facts.

    def learn(self, missing: LongNumbers) -> None:
        """Look up with the Python code all facts that the kernel requested; each row of `missing` is a fact's kind and key."""
        self.learn_missing(sorted(set(map(tuple, missing.tolist()))))
        self.update_arrays()

    def learn_missing(self, missing: Iterable[tuple[int, int]]) -> None:
        """Look up facts, given as pairs of kind and key, with the Python code, unless they are known already."""
        for kind, key in missing:
            if kind == ENTRIES:
                self.learn_entry(key)
            elif kind == ALIASES and self.aliases.find(key) is None:
                self.learn_alias(key)
            elif kind == LINKS and self.links.find(key) is None:
                self.learn_link(key)

    def learn_entry(self, order_number: int) -> None:
        """Find with the Python code when an order is legal for the units that it names, and its full form, and enter both."""
        row, order = self.entries[order_number], self.orders[order_number]
        unit, other = int(row[OWN_UNIT]), int(row[OTHER_UNIT])
        found = {False: self._judge_helping_order(order, unit, other, is_own=False)}
        found[True] = found[False] if other == NONE else self._judge_helping_order(order, unit, other, is_own=True)
        forms = {form for _, form, _ in found.values() if form != NONE}
        row[LEGAL], row[LEGAL_OWN] = (found[own][0] if len(forms) < 2 else PLAINLY for own in (False, True))
        row[IN_FULL] = forms.pop() if len(forms) == 1 else NONE
        row[COUNTS_AS_MOVE] = found[False][2]  # a move names no other unit

    def learn_alias(self, key: int) -> None:
        """Find and enter the meaning of an order for other units than it names; the key combines the order and these units."""
        rest, own = divmod(key, 2)
        rest, helped = divmod(rest, 512)
        number, unit = divmod(rest, 512)
        self.aliases.put(key, *self._judge_helping_order(self.orders[number], unit, helped - 1, is_own=bool(own)))

    def _judge_helping_order(self, order: Order, unit: int, helped: int, *, is_own: bool) -> tuple[int, int, bool]:
        """Return as numbers when `unit`'s order, helping `helped` (or -1), is legal, its full form, and if it counts as a move.

        If it is illegal, it matters whether it counts as a move (4.E.1). `is_own`: both units have the same power.
        """
        me = self._make_unit(unit, OURS)
        units = (me,) if helped == NONE else (me, self._make_unit(helped, OURS if is_own else THEIRS))
        board = Board(units, map=self.map)
        position = _SupposedPosition(board, self.rulebook)
        found = judge_order(position, OURS, order)
        if position.depends_on_more and self._names_more(order):
            return PLAINLY, NONE, False
        if found.legal is None:
            return NEVER, NONE, found.counts_as_move
        number = self.order_numbers.get(found.legal)
        if number is None:
            return PLAINLY, NONE, False
        self._enter_decision(number, board)
        if position.asked is None:
            return ALWAYS, number, False
        otherwise = judge_order(_SupposedPosition(board, self.rulebook, supposed=False), OURS, order)
        if otherwise.legal is not None:
            return (ALWAYS if otherwise.legal == found.legal else PLAINLY), number, False
        return self._number_question(position.asked), number, otherwise.counts_as_move

    def judge_impossible(self, order: Move, unit: int) -> int:
        """Return 1 if a move that is illegal with all fleets counts as a move (4.E.1), else 0; PLAINLY if it may be legal."""
        me = self._make_unit(unit, OURS)
        fleets = (Unit(THEIRS, UnitKind.FLEET, sea) for sea in sorted(self.map.convoying - {me.province}))
        found = judge_order(TrackedPosition(Board((me, *fleets), map=self.map), self.rulebook), OURS, order)
        return int(found.counts_as_move) if found.legal is None else PLAINLY

    def _names_more(self, order: Order) -> bool:
        """Return whether an order names a convoy's route, or the power of the unit that it helps."""
        other = helped_unit(order)
        return bool(getattr(order, "route", ())) or (other is not None and other.power is not None)

    def _number_question(self, question: ConvoyQuestion) -> int:
        number = self.questions.get(question)
        if number is None:
            number = self.questions[question] = len(self.questions)
        return number

    def _make_unit(self, unit: int, power: str) -> Unit:
        unit_name = self.vocabulary.units[unit]
        assert unit_name.kind
        return Unit(power, unit_name.kind, unit_name.location)

    def _enter_decision(self, order_number: int, board: Board) -> None:
        """Enter the facts that a decision about an order in full form needs, unless they are known."""
        row, order = self.entries[order_number], self.orders[order_number]
        if row[ORDER_KIND] != NONE:  # it is the full form of several orders
            return
        assert isinstance(order, MovementOrder)
        row[ORDER_KIND] = _KINDS[type(order)]
        if isinstance(order, Hold):
            return
        unit = board.units[0]
        (decision,) = build_candidate_situation(board, [(unit, order)], self.rulebook).decisions
        other = helped_unit(order)
        fleets = (unit.kind is UnitKind.FLEET) << 1 | (other is not None and other.kind is UnitKind.FLEET) << 2
        if isinstance(decision, MoveDecision):
            row[ORDER_TARGET] = self.place_of[decision.destination.province]
            row[ORDER_BY_LAND], row[ORDER_MIGHT] = decision.by_land, decision.might_be_convoyed
            row[ORDER_VIA] = decision.order.via_convoy
            row[UNIT_AFTER] = self.vocabulary.unit_numbers[Named(unit.kind, decision.order.destination)]
            fleets |= decision.difficult
        elif isinstance(decision, SupportDecision):
            row[ORDER_TARGET], row[ORDER_SUPPORTS_HOLD] = self.place_of[decision.directed_at.province], decision.supports_hold
        else:
            assert isinstance(order, Convoy)
            row[ORDER_TARGET] = self.place_of[order.destination]
        row[ORDER_FLAGS] = fleets

    def learn_link(self, key: int) -> None:
        """Find and enter whether a support or convoy matches a move, and whether the move might then go by convoy."""
        orders = [order for number in (key >> 24, key & 0xFFFFFF) if isinstance(order := self.orders[number], MovementOrder)]
        units = [self._make_unit(self._number_unit(order.unit), OURS) for order in orders]
        board = Board(tuple(units), map=self.map)
        helping, move = build_candidate_situation(board, zip(units, orders, strict=True), self.rulebook).decisions
        assert isinstance(helping, SupportDecision | ConvoyDecision)
        assert isinstance(move, MoveDecision)
        self.links.put(key, (move in helping.matches) | move.might_be_convoyed << 1)


def _empty_entries(count: int) -> Numbers:
    """Return rows of an array for facts that are not known yet; each row fills one line of the processor's cache."""
    room = numpy.full((count + 1) * COLUMNS, NONE, numpy.int32)
    first = -room.ctypes.data % (COLUMNS * room.itemsize) // room.itemsize
    return room[first : first + count * COLUMNS].reshape(count, COLUMNS)


def make_matrix(rows: Sequence[Sequence[int]]) -> LongNumbers:
    """Return a matrix with these lists as rows, padded with -1 to a common length."""
    found = numpy.full((len(rows), 1 + max(map(len, rows))), NONE, numpy.int64)
    for row, values in zip(found, rows, strict=True):
        row[: len(values)] = values
    return found


def list_starts(collections: Iterable[Sequence[object]]) -> list[int]:
    """Return the index at which each collection begins when all are concatenated, and then the total length."""
    found = [0]
    for collection in collections:
        found.append(found[-1] + len(collection))
    return found


def helped_unit(order: Order) -> Named | None:
    """Return the unit that an order supports or convoys; None for other orders."""
    if isinstance(order, SupportHold | SupportMove):
        return order.supported
    return order.convoyed if isinstance(order, Convoy) else None


# ---- all orders of a map ----
#
# `models/kernel` has table files for satjudge's rulebooks on the standard map. They contain when each order of the vocabulary
# is legal, its effects, and whether a support or convoy matches a move. Facts about orders to other units than they name are
# looked up when they are needed.


def learn_all(facts: OrderFacts) -> None:
    """Look up with the Python code all movement orders of the vocabulary, and all pairs of them that might match."""
    for number in range(facts.vocabulary.first_order[-1]):
        facts.learn_entry(number)
    for key in _list_pairs(facts):
        facts.learn_link(key)
    facts.update_arrays()


def _list_pairs(facts: OrderFacts) -> Iterator[int]:
    """Yield a key for each pair of a support or convoy and a move of the unit that it helps to the same province."""
    orders = facts.vocabulary.orders[: facts.vocabulary.first_order[-1]]
    full = {int(number) for number in facts.entries[: len(orders), IN_FULL] if number != NONE}
    moves: dict[tuple[Named, str], list[int]] = {}
    for number in sorted(full):
        if isinstance(order := orders[number], Move):
            moves.setdefault((order.unit, province_of(order.destination)), []).append(number)
    for number in sorted(full):
        order = orders[number]
        if isinstance(order, SupportMove | Convoy):
            helped = order.supported if isinstance(order, SupportMove) else order.convoyed
            yield from (number << 24 | move for move in moves.get((helped, province_of(order.destination)), ()))


def fill_facts(facts: OrderFacts, tables: Tables) -> None:
    """Fill an empty `OrderFacts` with the facts of a table file."""
    found, count = read_columns(tables), facts.vocabulary.first_order[-1]
    facts.entries[:count, LEGAL:] = found["entries"][:count, LEGAL:]
    codes = (*facts.vocabulary.provinces, None)  # the index -1 means no place
    for places in found["questions"][:-1].tolist():
        origin, destination, excluded, through = (codes[place] for place in places)
        facts.questions[ConvoyQuestion(origin or "", destination or "", excluded, through)] = len(facts.questions)
    facts.links.fill(*found["links"].reshape(2, -1))
