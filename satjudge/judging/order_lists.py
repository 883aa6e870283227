"""Keeps the legal orders of each unit, by itself and beside each other unit, from board to board.

What a unit can do by itself, and for one other unit, hangs on where the two stand, on whether one power owns both, and on the
coasts to which fleets could carry an army. So the orders of a board are put together from lists that earlier boards have
asked for, and legality is asked about what is new. A list is kept only if legality read nothing else (`TrackedPosition`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import compress

from msgspec import Struct

from satjudge.base.lazy import cached_property
from satjudge.base.words import brief
from satjudge.judging.legality import coasts_around, coasts_through, is_connected, legal_alone
from satjudge.judging.legality.single import judged
from satjudge.judging.legality.tracked_reads import ConvoyQuestion, TrackedPosition
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import SuperfluousConvoy

MOST_LISTS = 200_000
"""The largest number of lists that are kept of a map; when there are more, all are forgotten."""
Coasts = tuple[ProvinceCode, ...]


class Listed(Struct, frozen=True, gc=False):
    """Legal orders in the form in which they count, each once, with their texts."""

    orders: tuple[Order, ...]
    texts: tuple[str, ...]

    __repr__ = brief


NOTHING = Listed((), ())


class Beside(Struct, frozen=True, gc=False):
    """What a unit can do for one other unit, whatever fleets there are."""

    hold: Listed | None
    """The support to hold; None where it is asked for on each board."""
    moves: Listed | None
    """The supports to move but by convoy; None where they are asked for on each board."""
    overseas: bool
    """Whether this unit reaches coasts to which the other one could go by convoy alone."""

    __repr__ = brief


def transformations(game_map: Map, unit: Named) -> Iterator[Hold]:
    """Propose the orders to a unit to become the other kind, where a map has that."""
    province = game_map.provinces[province_of(unit.location)]
    if game_map.may_transform(province.code):
        to_fleet = unit.kind is UnitKind.ARMY
        places = province.locations if to_fleet else (province.code,)
        yield from (Hold(unit, Named(UnitKind.FLEET if to_fleet else UnitKind.ARMY, place)) for place in places)


class Spot:
    """A kind of unit at a location, with what is kept of it."""

    def __init__(self, number: int, game_map: Map, unit: Unit) -> None:
        self.number, self.named, self.text, self.province = number, unit.named, str(unit), unit.province
        exits = game_map.exits(unit.kind, unit.location)
        self.reach = frozenset(map(province_of, exits))
        by_canal = (place for canal in game_map.canals if unit.location in canal.seas for place in canal.seas)
        by_rail = (place for line in game_map.railroads if unit.province in line.line for place in line.line)
        self.is_army = unit.kind is UnitKind.ARMY
        reached = {*exits, *(by_rail if self.is_army else by_canal)}
        self.direct = {*reached, *map(province_of, reached)} - {unit.location, unit.province}
        """Where the unit may be ordered or helped to go but by convoy."""
        self.alone: dict[tuple[str, Coasts], Listed | None] = {}
        """What it can do by itself, by its power, if that matters, and the coasts to which fleets could carry it."""
        self.beside: dict[int, Beside | None] = {}
        """What it can do for each other unit, by twice the number of that spot, and one more if both are of one power."""
        self.overseas: dict[tuple[int, Coasts], Listed | None] = {}
        """The supports to move of each other unit, by the same number and the coasts to which fleets could carry that one."""
        self.convoys: dict[tuple[int, Coasts], Listed | None] = {}
        """The convoys of each other unit, by the same number and the coasts to which a route leads through this one."""

    def destinations(self, coasts: Iterable[ProvinceCode]) -> list[Location]:
        """List where the unit may be ordered or helped to go, by whatever way."""
        return sorted({*self.direct, *coasts} - {self.named.location, self.province})


class OrderLists:
    """The lists that are kept of one map under one rulebook."""

    def __init__(self, game_map: Map, rules: Rulebook) -> None:
        self.map, self.rules = game_map, rules
        self.roundabout = rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        self.forget()

    def forget(self) -> None:
        """Forget all lists."""
        self.spots: dict[Unit, Spot] = {}
        self._by_place: dict[Named, Spot] = {}
        self.count = 0

    def spot(self, unit: Unit) -> Spot:
        """Return the spot of a unit, the same for all powers."""
        found = self._by_place.get(unit.named)
        if found is None:
            found = self._by_place[unit.named] = Spot(len(self._by_place), self.map, unit)
        self.count += 1
        self.spots[unit] = found
        return found


def lists_of(game_map: Map, rules: Rulebook) -> OrderLists:
    """Return what is kept of a map, as it is in a season, under a rulebook."""
    kept: dict[Rulebook, OrderLists] = game_map.cache.setdefault(OrderLists, {})
    found = kept.get(rules)
    if found is None:
        if sum(lists.count for lists in kept.values()) > MOST_LISTS:
            kept.clear()
        found = kept[rules] = OrderLists(game_map, rules)
    elif found.count > MOST_LISTS:
        found.forget()
    return found


class BoardOrders:
    """The legal orders of each unit of a movement phase."""

    def __init__(self, board: Board, rules: Rulebook) -> None:
        self.board, self.rules, self.map = board, rules, board.open_map
        self.fleets = board.convoyers
        self._lists = lists = lists_of(self.map, rules)
        known = lists.spots.get
        self._spots = [known(unit) or lists.spot(unit) for unit in board.units]
        self._keys: dict[str, list[int]] = {}
        """The keys of all units beside one of a power (`Spot.beside`)."""

    def by_unit(self) -> Iterator[tuple[Unit, str, list[Order]]]:
        """Yield each unit with its text and its legal orders."""
        for at, (unit, spot) in enumerate(zip(self.board.units, self._spots, strict=True)):
            yield unit, spot.text, [order for listed in self._lists_of(at) for order in listed.orders]

    def texts(self, at: int) -> list[str]:
        """List the legal orders of a unit, given by its place among the units, as texts."""
        return [text for listed in self._lists_of(at) for text in listed.texts]

    @cached_property
    def _coasts(self) -> list[Coasts]:
        """The coasts to which fleets could carry each unit; none for a fleet."""
        if not self.fleets:
            return [()] * len(self._spots)
        return [tuple(coasts_around(self.map, spot.province, self.fleets)) if spot.is_army else () for spot in self._spots]

    @cached_property
    def _carried(self) -> list[int]:
        """The places among the units of those that fleets could carry."""
        return [at for at, coasts in enumerate(self._coasts) if coasts]

    def _lists_of(self, at: int) -> list[Listed]:
        """The lists that hold the orders of a unit, in their order: by itself, supports to hold, to move, convoys."""
        unit, spot = self.board.units[at], self._spots[at]
        if unit.power == self.map.nobody:  # nobody orders it, so what is kept of its spot is not for it
            return [self._asked(unit, [Hold(spot.named)], set(), new=False)[0]]
        holds, moves = [self._alone(unit, spot, self._coasts[at])], list[Listed]()
        known, coasts = spot.beside, self._coasts
        for other, key in enumerate(self._keys_beside(unit)):
            try:
                beside = known[key]
            except KeyError:
                beside = self._beside(at, other, key)
            if beside is None:
                continue
            if (hold := beside.hold) is not NOTHING:
                holds.append(self._hold(at, other) if hold is None else hold)
            if (listed := beside.moves) is None or (coasts[other] and beside.overseas):
                listed = self._moves(at, other, key, listed)
            if listed is not NOTHING:
                moves.append(listed)
        if not spot.is_army and spot.province in self.fleets:
            moves += [self._convoys(at, other) for other in self._carried]
        return holds + moves

    def _keys_beside(self, unit: Unit) -> list[int]:
        keys = self._keys.get(unit.power)
        if keys is None:
            both = zip(self._spots, self.board.units, strict=True)
            keys = self._keys[unit.power] = [2 * spot.number + (other.power == unit.power) for spot, other in both]
        return keys

    # What the lists are of.

    def _alone(self, unit: Unit, spot: Spot, coasts: Coasts) -> Listed:
        """The orders that speak of no other unit."""
        key = (unit.power if self.map.railroads else "", coasts)
        found = spot.alone.get(key)
        if found is None:
            questions = {ConvoyQuestion(spot.province, coast) for coast in coasts}
            found, kept = self._asked(unit, list(self._orders_alone(spot, coasts)), questions, new=key not in spot.alone)
            spot.alone[key] = kept
        return found

    def _orders_alone(self, spot: Spot, coasts: Coasts) -> Iterator[MovementOrder]:
        yield Hold(spot.named)
        yield from transformations(self.map, spot.named)
        yield from (Move(spot.named, place) for place in spot.destinations(coasts))
        yield from (Move(spot.named, coast, via_convoy=True) for coast in coasts)
        for line in self.map.railroads:
            if spot.is_army and spot.province in line.line:
                yield from (Move(spot.named, place, railroad=line.name) for place in line.line)

    def _beside(self, at: int, other: int, key: int) -> Beside | None:
        """Ask what a unit can do for another one, whatever fleets there are; None if that is nothing."""
        me, it, unit = self._spots[at], self._spots[other], self.board.units[at]
        if me is it:
            me.beside[key] = None
            return None
        moves = self._supports(me, it, ())
        overseas = it.is_army and not me.reach <= it.direct | {it.province}
        found = None
        if it.province in me.reach or moves or overseas:
            hold = [SupportHold(me.named, it.named)] if it.province in me.reach else []
            lists = (self._asked(unit, orders, set(), new=True)[1] for orders in (hold, moves))
            found = Beside(next(lists), next(lists), overseas)
        me.beside[key] = found
        return found

    def _hold(self, at: int, other: int) -> Listed:
        """The support of a unit to another one in place, asked anew."""
        proposed = [SupportHold(self._spots[at].named, self._spots[other].named)]
        return self._asked(self.board.units[at], proposed, set(), new=False)[0]

    def _supports(self, me: Spot, it: Spot, coasts: Coasts) -> list[SupportMove]:
        """The supports to another unit's moves that may be legal, if fleets can carry it to these coasts."""
        return [SupportMove(me.named, it.named, place) for place in it.destinations(coasts) if province_of(place) in me.reach]

    def _moves(self, at: int, other: int, key: int, direct: Listed | None) -> Listed:
        """The supports of a unit to another one's moves, some by convoy."""
        me, it = self._spots[at], self._spots[other]
        reached = [coast for coast in self._coasts[other] if coast in me.reach and coast not in it.direct]
        by_others = (is_connected(self.map, it.province, coast, self.fleets, me.province) for coast in reached)
        coasts = tuple(compress(reached, by_others))
        if not coasts and direct is not None:
            return direct
        found = me.overseas.get((key, coasts))
        if found is None:
            questions = {ConvoyQuestion(it.province, coast, without=me.province) for coast in coasts}
            orders, new = self._supports(me, it, coasts), (key, coasts) not in me.overseas
            found, me.overseas[key, coasts] = self._asked(self.board.units[at], orders, questions, new=new)
        return found

    def _convoys(self, at: int, other: int) -> Listed:
        """The convoys of an army by a fleet."""
        me, it, unit = self._spots[at], self._spots[other], self.board.units[at]
        coasts = coasts_through(self.map, it.province, self.fleets, me.province, roundabout=self._lists.roundabout)
        if not coasts:
            return NOTHING
        key = (self._keys_beside(unit)[other], coasts)
        found = me.convoys.get(key)
        if found is None:
            questions = {ConvoyQuestion(it.province, coast, through=me.province) for coast in coasts}
            orders = [Convoy(me.named, it.named, coast) for coast in coasts]
            found, me.convoys[key] = self._asked(unit, orders, questions, new=key not in me.convoys)
        return found

    def _asked(
        self, unit: Unit, proposed: Sequence[MovementOrder], implied: Set[ConvoyQuestion], *, new: bool
    ) -> tuple[Listed, Listed | None]:
        """Ask which orders are legal, and return them as they are on this board, and if they may be kept once more.

        They may if legality read no more of the board than the questions that are answered yes wherever the list is looked up.
        """
        if not new:  # it read more when it was asked before
            entries = legal_alone(self.board, unit.power, proposed, self.rules)
            return _listed(entry.legal or entry.order for entry in entries if entry.reason is None), None
        position, legal, whole = TrackedPosition(self.board, self.rules), list[Order](), True
        for order in proposed:
            position.clear()
            entry = judged(position, unit.power, order)
            whole &= not position.depends_on_more
            whole &= position.asked is None or (position.answer and position.asked in implied)
            if entry.reason is None:
                legal.append(entry.legal or entry.order)
        self._lists.count += 1
        listed = _listed(legal)
        return listed, listed if whole else None


def _listed(orders: Iterable[Order]) -> Listed:
    each = tuple(dict.fromkeys(orders))
    return Listed(each, tuple(map(str, each))) if each else NOTHING
