"""Caches judgements on the legality of orders, for all boards on which nothing else has a say."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from satjudge.base.words import brief
from satjudge.judging.legality.single import Entry, judged
from satjudge.judging.legality.tracked_reads import ConvoyQuestion, TrackedPosition
from satjudge.world.geography import Map, Power, ProvinceCode
from satjudge.world.orders import Convoy, Decline, Order, Permission, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

_CACHED_ORDERS = 50_000
_CACHED_ENTRIES = 100_000
"""Under all rulebooks together. Powers may have any name, and every name makes new entries."""
_CACHED_RULEBOOKS = 64


class CachedOrder(Struct, frozen=True, gc=False):
    """The judgements on an order on earlier boards."""

    order: Order
    province: ProvinceCode
    helped: ProvinceCode
    """The province of the unit that is to be supported or convoyed; empty where there is none."""
    entries: dict[tuple[object, ...], Entry] = {}
    """The judgements by the power that gives the order, its unit, and the unit that is to be helped; and where that leads
    to a question, by its answer as well."""
    questions: dict[tuple[object, ...], ConvoyQuestion] = {}

    __repr__ = brief


class LegalityCache:
    """The judgements on orders under one rulebook on one map."""

    def __init__(self, caches: MapCaches | None = None) -> None:
        self.caches = caches or MapCaches()
        """All of that map, this one among them."""
        self.by_value: dict[Order, CachedOrder] = {}
        self.by_identity: dict[int, CachedOrder] = {}
        """The same: the reader gives one text the same order every time, and a hash takes long. None of these identities can
        come again, as the orders are kept with them."""

    def of(self, order: Order) -> CachedOrder:
        """Return the cache entry of an order, empty at first."""
        known = self.by_value.get(order)
        if known is None:
            if len(self.by_value) >= _CACHED_ORDERS:
                self.by_value.clear()
                self.by_identity.clear()
            known = self.by_value[order] = self.by_identity[id(order)] = CachedOrder(order, *_units_named(order))
        return known


class MapCaches:
    """The caches of one map by rulebook, with the number of entries.

    When there are too many, all are forgotten.
    """

    def __init__(self) -> None:
        self.by_rulebook: dict[Rulebook, LegalityCache] = {}
        self.entries = 0

    def count_entry(self) -> None:
        """Count one more entry."""
        self.entries += 1
        if self.entries > _CACHED_ENTRIES:
            self.forget()

    def forget(self) -> None:
        """Forget all entries."""
        self.by_rulebook.clear()
        self.entries = 0


def cache_of(game_map: Map, rulebook: Rulebook) -> LegalityCache:
    """Return the cache for this rulebook on this map, whatever the board."""
    caches: MapCaches = game_map.cache.setdefault(MapCaches, MapCaches())
    cache = caches.by_rulebook.get(rulebook)
    if cache is None:
        if len(caches.by_rulebook) >= _CACHED_RULEBOOKS:
            caches.forget()
        cache = caches.by_rulebook[rulebook] = LegalityCache(caches)
    return cache


def entries_of(position: TrackedPosition, cache: LegalityCache, power: Power, orders: Iterable[Order]) -> list[Entry]:
    """Judge each order of a power by itself.

    It is judged once for all boards where nothing else has a say.
    """
    unit_in, found = position.board.unit_at.get, []
    for order in orders:
        known = cache.by_identity.get(id(order)) or cache.of(order)
        key = (power, unit_in(known.province), unit_in(known.helped))
        found.append(known.entries.get(key) or _looked_at(position, cache, power, known, key))
    return found


def _looked_at(
    position: TrackedPosition, cache: LegalityCache, power: Power, known: CachedOrder, key: tuple[object, ...]
) -> Entry:
    """What an order comes to that hangs on a question, or that is new."""
    question = known.questions.get(key)
    if question and (found := known.entries.get((*key, question.answer(position.board, position.rules)))):
        return found
    position.clear()
    entry = judged(position, power, known.order)
    if not position.depends_on_more:
        if position.asked:
            known.questions[key] = position.asked
            key = (*key, position.answer)
        known.entries[key] = entry
        cache.caches.count_entry()
    return entry


def _units_named(order: Order) -> tuple[ProvinceCode, ProvinceCode]:
    """Where the ordered unit stands, and the one that is to be supported or convoyed."""
    match order:
        case SupportHold() | SupportMove():
            return order.unit.province, order.supported.province
        case Convoy():
            return order.unit.province, order.convoyed.province
        case Decline() | Permission():
            return "", ""
        case _:
            return order.unit.province, ""
