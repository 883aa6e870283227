"""What orders came to on earlier boards: an order is judged once for all boards on which nothing else has a say."""

from __future__ import annotations

from dataclasses import dataclass, field

from satjudge.geography import Map, Power, ProvinceCode
from satjudge.legality.bench import Bench, Question
from satjudge.legality.single import Entry, judged
from satjudge.orders import Convoy, Decline, Order, SupportHold, SupportMove
from satjudge.rules import Rulebook

_CACHED_ORDERS = 50_000
_CACHED_ENTRIES = 100_000
"""Under all rulebooks together. Powers may have any name, and every name makes new entries."""
_CACHED_RULEBOOKS = 64


@dataclass(frozen=True, slots=True)
class Remembered:
    """What an order came to on earlier boards."""

    order: Order
    province: ProvinceCode
    helped: ProvinceCode
    """Where the unit stands that is to be supported or convoyed; empty where there is none."""
    entries: dict[tuple[object, ...], Entry | Question] = field(default_factory=dict)
    """By the power that gives it, its unit, and the kind and place of the unit that is to be helped; and where that leads
    to a question, by its answer as well."""


class Memory:
    """What orders came to under one rulebook on one map."""

    def __init__(self, memories: Memories | None = None) -> None:
        self.memories = memories or Memories()
        """All of that map, this one among them."""
        self.by_value: dict[Order, Remembered] = {}
        self.by_identity: dict[int, Remembered] = {}
        """The same: the reader gives one text the same order every time, and a hash takes long."""

    def of(self, order: Order) -> Remembered:
        """What is remembered of an order: at first, nothing."""
        known = self.by_identity.get(id(order))
        if known is not None and known.order is order:
            return known
        known = self.by_value.get(order)
        if known is None:
            if len(self.by_value) >= _CACHED_ORDERS:
                self.by_value.clear()
                self.by_identity.clear()
            known = self.by_value[order] = self.by_identity[id(order)] = Remembered(order, *_units_named(order))
        return known


class Memories:
    """What is known on one map: by rulebook, and how many entries that is. When it is too much, all is forgotten."""

    def __init__(self) -> None:
        self.by_rulebook: dict[Rulebook, Memory] = {}
        self.entries = 0

    def count_entry(self) -> None:
        """Take note of one entry more."""
        self.entries += 1
        if self.entries > _CACHED_ENTRIES:
            self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.by_rulebook.clear()
        self.entries = 0


def memory_of(game_map: Map, rulebook: Rulebook) -> Memory:
    """What is known under this rulebook on this map, whatever the board."""
    memories: Memories = game_map.cache.setdefault(Memories, Memories())
    memory = memories.by_rulebook.get(rulebook)
    if memory is None:
        if len(memories.by_rulebook) >= _CACHED_RULEBOOKS:
            memories.forget()
        memory = memories.by_rulebook[rulebook] = Memory(memories)
    return memory


def enter(bench: Bench, memory: Memory, power: Power, order: Order) -> Entry:
    """What one order is worth by itself. It is judged once for all boards where nothing else has a say."""
    known = memory.of(order)
    units = bench.board.unit_at
    unit, helped = units.get(known.province), units.get(known.helped)
    key: tuple[object, ...] = (power, unit.power, unit.kind, unit.location) if unit else (power,)
    if helped:
        key = (*key, helped.kind, helped.location)
    found = known.entries.get(key)
    if isinstance(found, Question):
        found = known.entries.get((*key, found.answer(bench.board, bench.rules)))
    if isinstance(found, Entry):
        return found
    bench.clear()
    entry = judged(bench, power, order)
    if not bench.looked_around:
        _remember(bench, known, key, entry)
        memory.memories.count_entry()
    return entry


def _remember(bench: Bench, known: Remembered, key: tuple[object, ...], entry: Entry) -> None:
    """Keep what an order came to, as that is as good on other boards."""
    if bench.asked:
        known.entries[key] = bench.asked
        key = (*key, bench.answer)
    known.entries[key] = entry


def _units_named(order: Order) -> tuple[ProvinceCode, ProvinceCode]:
    """Where the ordered unit stands, and the one that is to be supported or convoyed."""
    match order:
        case SupportHold() | SupportMove():
            return order.unit.province, order.supported.province
        case Convoy():
            return order.unit.province, order.convoyed.province
        case Decline():
            return "", ""
        case _:
            return order.unit.province, ""
