"""Decides which of the orders for a board count, and why the others do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from satjudge.base.values import brief, one_line, replace
from satjudge.base.words import number_of
from satjudge.judging.legality.order_legality import (
    ConvoyQuestion,
    Entry,
    IllegalOrder,
    TrackedPosition,
    find_legal_form,
    judge_order,
)
from satjudge.world.board import Board
from satjudge.world.geography import Map, Neutral, Power, ProvinceCode
from satjudge.world.orders import Convoy, Decline, Hold, Move, MovementOrder, Named, Order, Permission, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import DisorderSupport, IllegalOrders, ImplicitOrders, SeveralOrders

NONE = -1
LAST_COUNTS, NONE_COUNTS = 1, 2
"""The numbers of the rules for several orders to one unit by which the last order, or none, counts."""


class Docket(Struct, frozen=True):
    """All orders given, and for each unit with a legal order that order in full (true kind, location and coast)."""

    entries: Mapping[Power, Sequence[Entry]]
    orders: Mapping[ProvinceCode, MovementOrder]
    unsupportable: frozenset[ProvinceCode] = frozenset()
    """The provinces of units that cannot be given hold support (4.D.9, 4.E.1)."""
    permissions: Mapping[str, Permission] = {}
    """The permission to a fleet by the holder of each canal, by the canal's name (DATC 2.4, 7.C)."""

    def __repr__(self) -> str:
        given = number_of(sum(map(len, self.entries.values())), "order")
        return one_line("Docket", given, f"{len(self.orders)} count")


def make_docket(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> Docket:
    """Judge each given order, choose one for each unit, add orders of neutral units and implied ones, and return a docket."""
    position, cache = TrackedPosition(board, rulebook), find_cache(board.open_map, rulebook)
    entries: dict[Power, Sequence[Entry]] = {}
    legal: dict[ProvinceCode, MovementOrder] = {}
    for power, given in orders.items():
        entries[power] = found = judge_orders(position, cache, power, given)
        counting = {entry.province: entry.legal for entry in found if entry.legal and entry.province}
        if len(counting) < len(found):  # some are illegal, or a unit has several
            entries[power] = kept = _keep_one_order_each(found, rulebook.several_orders)
            counting = {entry.province: entry.legal for entry in kept if entry.legal and entry.province}
        legal |= counting
    if board.map.neutral is not None:
        legal |= _order_neutral_units(position, board.map.neutral)
    if board.map.railroads:
        _reject_shared_railroads(entries, legal)
    if rulebook.implicit_orders is ImplicitOrders.ALLOWED:
        ordered = {entry.province for given in entries.values() for entry in given if entry.explicit}
        legal |= _find_implicit_orders(position, legal, ordered)
    permissions = _settle_permissions(entries) if board.map.canals else {}
    return Docket(entries, legal, _find_unsupportable(board, entries, legal, rulebook), permissions)


def judge_orders_alone(board: Board, power: Power, orders: Iterable[Order], rulebook: Rulebook) -> list[Entry]:
    """Return an entry for each of a power's orders, judged as if it were the power's only order."""
    position, cache = TrackedPosition(board, rulebook), find_cache(board.open_map, rulebook)
    return judge_orders(position, cache, power, orders)


def iter_legal_forms(board: Board, power: Power, orders: Iterable[Order], rulebook: Rulebook) -> Iterator[Order]:
    """Yield those orders of a power that are legal by themselves, in full and without repetition.

    Judgements on convoys are not cached: there may be a million, and each depends on the positions of all fleets.
    """
    position, cache = TrackedPosition(board, rulebook), find_cache(board.open_map, rulebook)
    known: set[Order] = set()
    for order in orders:
        convoy = isinstance(order, Convoy)
        entry = judge_order(position, power, order) if convoy else judge_orders(position, cache, power, (order,))[0]
        legal = entry.legal or entry.order
        if entry.reason is None and legal not in known:
            known.add(legal)
            yield legal


def _order_neutral_units(position: TrackedPosition, neutral: Neutral) -> dict[ProvinceCode, MovementOrder]:
    """Return the orders of neutral units, by province: hold, or support another one to hold if the map says so."""
    units = {unit.province: unit for unit in position.board.units if unit.power == neutral.power}
    found: dict[ProvinceCode, MovementOrder] = {province: Hold(unit.named) for province, unit in units.items()}
    for province, other in neutral.supports.items():
        if province in units and other in units:
            support = SupportHold(units[province].named, units[other].named)
            with suppress(IllegalOrder):
                found[province] = find_legal_form(position, units[province], support)
    return found


def _reject_shared_railroads(entries: dict[Power, Sequence[Entry]], legal: dict[ProvinceCode, MovementOrder]) -> None:
    """If several units use one railroad, reject their moves in `entries` and drop them from `legal` (DATC 2.4, 7.B.33)."""
    trains = Counter(order.railroad for order in legal.values() if isinstance(order, Move))
    for power, given in entries.items():
        rejected = []
        for entry in given:
            order = entry.legal
            if isinstance(order, Move) and order.railroad and trains[order.railroad] > 1:
                legal.pop(entry.province or "", None)
                entry = entry.reject(f"only one unit can use the {order.railroad} in a turn (DATC 2.4, 7.B.33)")
            rejected.append(entry)
        entries[power] = rejected


def _settle_permissions(entries: dict[Power, Sequence[Entry]]) -> dict[str, Permission]:
    """Return the permission for each canal; if there are several for one canal, reject all of them in `entries` (7.C.5)."""
    found: dict[str, Permission] = {}
    for power, given in entries.items():
        legal = [entry.order for entry in given if isinstance(entry.order, Permission) and entry.reason is None]
        several = {canal for canal, count in Counter(order.canal for order in {*legal}).items() if count > 1}
        found |= {order.canal: order for order in legal if order.canal not in several}
        reason = "several fleets are permitted to pass the {}, but only one may be (DATC 2.4, 7.C.5)"
        entries[power] = [
            replace(entry, reason=reason.format(entry.order.canal))
            if isinstance(entry.order, Permission) and entry.order.canal in several
            else entry
            for entry in given
        ]
    return found


def _keep_one_order_each(entries: list[Entry], rule: SeveralOrders) -> list[Entry]:
    """Return the entries, rejecting legal orders that do not count because their unit has several, as `rule` says (4.D.3).

    An illegal move that counts as a hold may be the order that counts.
    """
    if len({entry.province for entry in entries}) == len(entries):  # each unit has only one order
        return entries
    numbers: dict[object, int] = {}
    forms = [
        numbers.setdefault((entry.legal is None, entry.legal or entry.order), len(numbers)) if _can_count(entry) else NONE
        for entry in entries
    ]
    kept: list[Entry] = []
    counts = find_counting_orders([entry.province for entry in entries], forms, rule)
    for number, entry in enumerate(entries):
        if entry.province is None or entry.legal is None:
            kept.append(entry)
            continue
        counting = counts[entry.province]
        if counting == NONE:
            kept.append(entry.reject(f"there are several orders for the unit in {entry.province} (4.D.3)"))
        elif forms[counting] != forms[number]:
            kept.append(entry.reject(f"the order that counts is {entries[counting].order} (4.D.3)"))
        else:
            kept.append(entry)
    return kept


def find_counting_orders(
    units: Sequence[ProvinceCode | None], forms: Sequence[int], rule: SeveralOrders
) -> dict[ProvinceCode | None, int]:
    """Map each unit's province to the index of its order that counts by `rule`, or to -1; equal `forms` mean equivalent orders.

    `units` has the province of each order's unit. `forms` has a number for each order, equal for equivalent orders, or -1 for
    an order that cannot count.
    """
    orders_of: dict[ProvinceCode | None, list[int]] = {}
    for number, unit in enumerate(units):
        orders_of.setdefault(unit, []).append(number)
    found: dict[ProvinceCode | None, int] = {}
    for unit, own in orders_of.items():
        number = choose_order([0] * len(own), [forms[index] for index in own], 0, len(own), [*SeveralOrders].index(rule))
        found[unit] = NONE if number == NONE else own[number]
    return found


def choose_order(places: Sequence[int], forms: Sequence[int], place: int, count: int, several: int) -> int:
    """Return the index of the order for `place` that counts by rule `several`, or -1; `forms` are equal for equivalent orders.

    The code keeps to the subset of Python that `satjudge.bulk.kernel` compiles. The first `count` items of `places` and `forms`
    have the place of each order's unit, and a number that is equal for equivalent orders, or -1 for one that cannot count. If
    the rule says that none of several orders counts, equivalent orders still do.
    """
    found = NONE
    for number in range(count):
        if places[number] == place and forms[number] != NONE:
            if found != NONE and several == NONE_COUNTS and forms[number] != forms[found]:
                return NONE
            if found == NONE or several == LAST_COUNTS:
                found = number
    return found


def _can_count(entry: Entry) -> bool:
    return entry.legal is not None or entry.counts_as_move


def _find_implicit_orders(
    position: TrackedPosition, legal: Mapping[ProvinceCode, MovementOrder], ordered: Collection[ProvinceCode | None]
) -> dict[ProvinceCode, MovementOrder]:
    """Return, by province, moves for units without orders that their own power supports or convoys (4.E.3 a)."""
    found: dict[ProvinceCode, MovementOrder] = {}
    for province, order in legal.items():
        if not isinstance(order, SupportMove | Convoy):
            continue
        named = order.supported if isinstance(order, SupportMove) else order.convoyed
        unit = position.board.unit_at[named.province]
        if unit.power == position.board.unit_at[province].power and unit.province not in {*ordered, *found}:
            implied = Move(Named(unit.kind, unit.location), order.destination, via_convoy=isinstance(order, Convoy))
            try:
                found[unit.province] = find_legal_form(position, unit, implied)
            except IllegalOrder:
                continue
    return found


def _find_unsupportable(
    board: Board,
    entries: Mapping[Power, Sequence[Entry]],
    legal: Mapping[ProvinceCode, MovementOrder],
    rulebook: Rulebook,
) -> frozenset[ProvinceCode]:
    """Return provinces whose units get no hold support: by option, after illegal moves or without orders (4.D.9, 4.E.1)."""
    found: set[ProvinceCode | None] = set()
    if rulebook.illegal_orders is not IllegalOrders.IGNORED:
        found |= {entry.province for given in entries.values() for entry in given if entry.counts_as_move}
    if rulebook.disorder_support is DisorderSupport.REFUSED:
        found |= {unit.province for unit in board.units if not entries.get(unit.power)}
    return frozenset(province for province in found if province is not None and province not in legal)


# ---- the cache of judgements, each of which holds for all boards on which nothing else matters ----

_CACHED_ORDERS = 50_000
_CACHED_ENTRIES = 100_000
"""The maximum number of entries for all rulebooks together. Powers may have any name, and each name adds entries."""
_CACHED_RULEBOOKS = 64


class CachedOrder(Struct, frozen=True, gc=False):
    """An order, with its judgements on earlier boards."""

    order: Order
    province: ProvinceCode
    helped: ProvinceCode
    """The province of the unit to be supported or convoyed; "" if there is none."""
    entries: dict[tuple[object, ...], Entry] = {}
    """The judgements by the power that gives the order, its unit, and the unit to be helped; if these lead to a question
    about the board, also by its answer."""
    questions: dict[tuple[object, ...], ConvoyQuestion] = {}

    __repr__ = brief


class LegalityCache:
    """The judgements on orders under one rulebook on one map."""

    def __init__(self, caches: MapCaches | None = None) -> None:
        self.caches = caches or MapCaches()
        """All caches of the map, including this one."""
        self.by_value: dict[Order, CachedOrder] = {}
        self.by_identity: dict[int, CachedOrder] = {}
        """The same by the identity of orders: hashing is slow, and the parser returns the same object for the same text. As
        the orders are stored, no identity is reused."""

    def find_order(self, order: Order) -> CachedOrder:
        """Return the cache's record of an order, adding an empty one if there is none."""
        known = self.by_value.get(order)
        if known is None:
            if len(self.by_value) >= _CACHED_ORDERS:
                self.by_value.clear()
                self.by_identity.clear()
            known = self.by_value[order] = self.by_identity[id(order)] = CachedOrder(order, *_find_named_provinces(order))
        return known


class MapCaches:
    """The caches of one map by rulebook, with the total number of entries; if there are too many, all are dropped."""

    def __init__(self) -> None:
        self.by_rulebook: dict[Rulebook, LegalityCache] = {}
        self.entries = 0

    def count_entry(self) -> None:
        """Count one more entry, and drop all entries if there are too many."""
        self.entries += 1
        if self.entries > _CACHED_ENTRIES:
            self.clear()

    def clear(self) -> None:
        """Drop all entries."""
        self.by_rulebook.clear()
        self.entries = 0


def find_cache(game_map: Map, rulebook: Rulebook) -> LegalityCache:
    """Return the cache of judgements under this rulebook on this map, which serves all boards."""
    caches: MapCaches = game_map.cache.setdefault(MapCaches, MapCaches())
    cache = caches.by_rulebook.get(rulebook)
    if cache is None:
        if len(caches.by_rulebook) >= _CACHED_RULEBOOKS:
            caches.clear()
        cache = caches.by_rulebook[rulebook] = LegalityCache(caches)
    return cache


def judge_orders(position: TrackedPosition, cache: LegalityCache, power: Power, orders: Iterable[Order]) -> list[Entry]:
    """Return an entry for each order of a power, judged by itself.

    Entries are cached, if possible, for all boards on which the units involved are the same.
    """
    unit_in, found = position.board.unit_at.get, []
    for order in orders:
        known = cache.by_identity.get(id(order)) or cache.find_order(order)
        key = (power, unit_in(known.province), unit_in(known.helped))
        found.append(known.entries.get(key) or _judge_uncached(position, cache, power, known, key))
    return found


def _judge_uncached(
    position: TrackedPosition, cache: LegalityCache, power: Power, record: CachedOrder, key: tuple[object, ...]
) -> Entry:
    """Return the entry for an order that `record` lacks or that depends on a question about the board; add it if possible."""
    question = record.questions.get(key)
    if question and (found := record.entries.get((*key, question.answer(position.board, position.rules)))):
        return found
    position.clear()
    entry = judge_order(position, power, record.order)
    if not position.depends_on_more:
        if position.asked:
            record.questions[key] = position.asked
            key = (*key, position.answer)
        record.entries[key] = entry
        cache.caches.count_entry()
    return entry


def _find_named_provinces(order: Order) -> tuple[ProvinceCode, ProvinceCode]:
    """Return the province of the ordered unit and that of the unit to be supported or convoyed, each "" if there is none."""
    match order:
        case SupportHold() | SupportMove():
            return order.unit.province, order.supported.province
        case Convoy():
            return order.unit.province, order.convoyed.province
        case Decline() | Permission():
            return "", ""
        case _:
            return order.unit.province, ""
