"""A second adjudicator for the movement phase, by another algorithm, to check the answers of satjudge against.

Source: Lucas B. Kruijswijk, DATC 3.2: chapter 5, with the preferences of chapter 4. Where the lists of 5.B are lost in
our copy, DATC 2.4 has them in full. It shares with satjudge the map, the board and the orders as they were given, and
nothing else: not what is legal, and not one equation.

How it goes (DATC 5.E, the partial information algorithm):

1. Orders are read (DATC 4.B to 4.E). A unit follows its first legal order and holds if it has none.
2. Moves, supports and convoys succeed or fail. `_adjudicate(order, optimistic)` holds the equations of DATC 5.B.
   Optimistic, it takes whatever is still uncertain to be as the order would have it; pessimistic, the opposite.
3. `_resolve(order, optimistic)` tries both. If they agree, the order is resolved for good, perhaps on partial
   information. If not, the recursion has come back to an order that is being visited. The orders on the way are kept in
   `cycle`, and `recursion_hits` counts the visited orders that were hit. The order at which the last of these hits is
   taken back is the ancestor of the whole cycle. There the backup rule decides: the moves of a circular movement all
   succeed, the convoys of a paradox all fail (the Szykman rule). Then that order is resolved anew.

Each call of `_resolve` either resolves its order or leaves it in the cycle, and there it is not adjudicated again until
some order is resolved. So the work is bounded by the square of the number of orders, however they depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeAlias

from satjudge.board import Board, Unit, by_power
from satjudge.crosscheck.oracle import Answer
from satjudge.geography import Location, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove


class UnknownCycleError(Exception):
    """A cycle that is neither a circular movement nor a convoy paradox; the standard rules have none (DATC 5.B.9)."""


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the partial information algorithm."""
    given = {power: [_read(board, power, order) for order in entries] for power, entries in orders.items()}
    adjudication = _Adjudication(board, _followed(board, given))
    adjudication.resolve_all()
    return _Outcome(board, adjudication).answer(given)


# ---------------------------------------------------------------- orders


@dataclass(eq=False, slots=True)
class _Order:
    """A legal order to a unit, and what is known of its resolution."""

    unit: Unit
    resolved: bool = field(default=False, init=False)
    resolution: bool = field(default=False, init=False)
    visited: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class _Hold(_Order):
    """The unit stays where it is."""


@dataclass(eq=False, slots=True)
class _Move(_Order):
    """The unit moves to a location, directly or with a convoy."""

    destination: Location
    via_convoy: bool
    convoyed: bool = field(default=False, init=False)
    chains: list[list[_Convoy]] = field(default_factory=list, init=False)
    """The proper routes on which every fleet was ordered to convoy it."""
    supports: list[_Support] = field(default_factory=list, init=False)

    @property
    def province(self) -> ProvinceCode:
        """The province it moves to."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class _Support(_Order):
    """The unit supports another one, to hold or to move."""

    supported: Unit
    province: ProvinceCode
    """The province in which the support counts: the destination of a move, the place of a unit that holds."""
    destinations: tuple[Location, ...] = ()
    """Which moves it supports: without a coast those to either (DATC 4.B.4). None if it supports a unit to hold."""
    matched: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class _Convoy(_Order):
    """The fleet convoys an army."""

    army: Unit
    province: ProvinceCode
    """Where the army goes."""
    matched: bool = field(default=False, init=False)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An order as it was given: the unit, if the power owns it, and the order, if it is legal."""

    unit: Unit | None
    order: _Order | None


_Given: TypeAlias = Mapping[Power, Sequence[_Entry]]


def _read(board: Board, power: Power, order: MovementOrder) -> _Entry:
    """What the order of a power comes to. Stated kind, coast and power of a unit are forgiven (DATC 4.B.5, 4.C)."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None or unit.power != power:  # DATC 6.A.6
        return _Entry(None, None)
    return _Entry(unit, _legal_order(board, unit, order))


def _legal_order(board: Board, unit: Unit, order: MovementOrder) -> _Order | None:
    """The order to the unit, or None if it is illegal (DATC 4.E.1)."""
    match order:
        case Hold():
            return _Hold(unit)
        case Move():
            return _legal_move(board, unit, order)
        case SupportHold():
            supported = board.unit_at.get(order.supported.province)
            return _legal_support(board, unit, supported, order.supported.province)
        case SupportMove():
            supported = board.unit_at.get(order.supported.province)
            return _legal_support(board, unit, supported, province_of(order.destination), order.destination)
        case Convoy():
            return _legal_convoy(board, unit, order)


def _legal_move(board: Board, unit: Unit, order: Move) -> _Move | None:
    destinations = _destinations(board, unit, order.destination)
    if len(destinations) != 1:  # DATC 4.B.1: which of two coasts is not said
        return None
    via_convoy = order.via_convoy and unit.kind is UnitKind.ARMY  # DATC 4.B.6: on a fleet it means nothing
    if via_convoy and not _has_route(board, board.fleets_at_sea, unit.province, destinations[0]):
        return None
    return _Move(unit, destinations[0], via_convoy)


def _legal_support(
    board: Board, unit: Unit, supported: Unit | None, province: ProvinceCode, destination: Location | None = None
) -> _Support | None:
    """A support in a province that its unit could move to, for a unit that could hold or move there."""
    if supported is None or supported is unit or province not in _direct_provinces(board, unit):
        return None
    if destination is None:
        return _Support(unit, supported, province)
    # DATC 6.D.31: a fleet cannot support an army and convoy it as well.
    destinations = _destinations(board, supported, destination, without=unit.province)
    return _Support(unit, supported, province, destinations) if destinations else None


def _legal_convoy(board: Board, unit: Unit, order: Convoy) -> _Convoy | None:
    """A convoy by a fleet on some proper route of the fleets on the board, whether these were ordered so or not."""
    army, province = board.unit_at.get(order.convoyed.province), province_of(order.destination)
    if army is None or army.kind is not UnitKind.ARMY:  # DATC 6.A.7
        return None
    routes = _proper_routes(board, board.fleets_at_sea, army.province, province)
    return _Convoy(unit, army, province) if any(unit.province in route for route in routes) else None


def _direct_provinces(board: Board, unit: Unit) -> Set[ProvinceCode]:
    """The provinces that the unit can move to without a convoy."""
    return {province_of(location) for location in board.map.exits(unit.kind, unit.location)}


def _destinations(
    board: Board, unit: Unit, destination: Location, without: ProvinceCode | None = None
) -> tuple[Location, ...]:
    """The locations that the unit may be meant to move to, if need be by convoy without the fleet in one province."""
    province = board.map.provinces.get(province_of(destination))
    if province is None:
        return ()
    if unit.kind is UnitKind.ARMY:  # DATC 4.B.6: coasts do not matter to armies
        possible = province.code in _direct_provinces(board, unit) or _has_route(
            board, board.fleets_at_sea - {without}, unit.province, province.code
        )
        return (province.code,) if possible else ()
    if coast_of(destination) in province.coasts:  # DATC 4.B.3: a coast that is named is meant
        return tuple({destination} & board.map.exits(unit.kind, unit.location))
    return board.map.fleet_reach.get(unit.location, {}).get(province.code, ())  # DATC 4.B.2


def _proper_routes(
    board: Board, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode
) -> Iterator[tuple[ProvinceCode, ...]]:
    """The routes of an army by sea that never jump to a province within reach of an earlier one (DATC 4.E.1)."""
    province = board.map.provinces.get(destination)
    if province is None or province.terrain is Terrain.SEA or origin == destination:
        return
    shores = board.map.shores

    def extended(route: tuple[ProvinceCode, ...], reached: Set[ProvinceCode]) -> Iterator[tuple[ProvinceCode, ...]]:
        if route and route[-1] in shores.get(destination, ()):
            yield route
            return
        within_reach = shores.get(route[-1] if route else origin, frozenset()) & fleets
        for sea in sorted(within_reach - reached):
            yield from extended((*route, sea), reached | within_reach)

    yield from extended((), frozenset())


def _has_route(board: Board, fleets: Set[ProvinceCode], origin: ProvinceCode, destination: ProvinceCode) -> bool:
    return any(True for _ in _proper_routes(board, fleets, origin, destination))


def _followed(board: Board, given: _Given) -> list[_Order]:
    """What every unit does: its first legal order (DATC 4.D.3), or hold."""
    first: dict[ProvinceCode, _Order] = {}
    for entries in given.values():
        for entry in entries:
            if entry.order is not None:
                first.setdefault(entry.order.unit.province, entry.order)
    return [first.get(unit.province) or _Hold(unit) for unit in board.units]


# ---------------------------------------------------------------- adjudication


class _Adjudication:
    """The orders that are followed, the equations that relate them, and the algorithm that resolves them."""

    def __init__(self, board: Board, orders: Sequence[_Order]) -> None:
        self.board = board
        self.orders = orders
        self.order_at = {order.unit.province: order for order in orders}
        self.moves_to: dict[ProvinceCode, list[_Move]] = {}
        self.hold_supports: dict[ProvinceCode, list[_Support]] = {}
        self.cycle: list[_Order] = []
        self.recursion_hits = 0
        for order in orders:
            if isinstance(order, _Move):
                self._prepare_move(order)
        for order in orders:
            if isinstance(order, _Support):
                self._match_support(order)

    def _prepare_move(self, move: _Move) -> None:
        self.moves_to.setdefault(move.province, []).append(move)
        convoys = {
            order.unit.province: order
            for order in self.orders
            if isinstance(order, _Convoy) and order.army is move.unit and order.province == move.province
        }
        for convoy in convoys.values():
            convoy.matched = True
        # DATC 4.A.3: "via convoy", or a fleet of the same power, even off the route that is taken (6.G.6).
        intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())
        move.convoyed = intended or move.province not in _direct_provinces(self.board, move.unit)
        if move.convoyed:
            routes = _proper_routes(self.board, convoys.keys(), move.unit.province, move.province)
            move.chains = [[convoys[sea] for sea in route] for route in routes]

    def _match_support(self, support: _Support) -> None:
        """Whether the supported unit was ordered so. Ordered to move it cannot be supported to hold (DATC 6.D.8)."""
        order = self.order_at[support.supported.province]
        if isinstance(order, _Move):
            support.matched = order.destination in support.destinations  # DATC 4.B.4
            supports = order.supports
        else:
            support.matched = not support.destinations
            supports = self.hold_supports.setdefault(support.supported.province, [])
        if support.matched:
            supports.append(support)

    # -------- the algorithm of DATC 5.E

    def resolve_all(self) -> None:
        """Resolve every order that can succeed or fail."""
        for order in self.orders:
            if isinstance(order, _Move) or (isinstance(order, _Support | _Convoy) and order.matched):
                self._resolve(order, optimistic=True)

    def _resolve(self, order: _Order, optimistic: bool) -> bool:
        """Whether the order succeeds; while that is uncertain, yes if optimistic and no if pessimistic."""
        if order.resolved:
            return order.resolution
        if order in self.cycle:  # already known to be in a cycle that cannot be resolved yet
            return optimistic
        if order.visited:  # a cyclic dependency
            self.cycle.append(order)
            self.recursion_hits += 1
            return optimistic

        order.visited = True
        old_cycle_length, old_recursion_hits = len(self.cycle), self.recursion_hits
        at_best = self._adjudicate(order, optimistic=True)
        at_worst = at_best and self._adjudicate(order, optimistic=False)
        order.visited = False

        if at_best == at_worst:
            # One resolution, whatever the cycles below may come to.
            del self.cycle[old_cycle_length:]
            self.recursion_hits = old_recursion_hits
            _settle(order, at_best)
            return at_best
        if order in self.cycle:
            self.recursion_hits -= 1
            if self.recursion_hits == old_recursion_hits:
                # This order is the ancestor of the whole cycle.
                cycle = self.cycle[old_cycle_length:]
                del self.cycle[old_cycle_length:]
                _backup_rule(cycle)
                return self._resolve(order, optimistic)
        else:
            self.cycle.append(order)
        return optimistic

    # -------- the equations of DATC 5.B

    def _adjudicate(self, order: _Order, optimistic: bool) -> bool:
        match order:
            case _Move():
                return self._move(order, optimistic)
            case _Support():
                return self._support(order, optimistic)
            case _Convoy():
                return self._convoy(order, optimistic)
            case _:
                raise TypeError(f"{order} neither succeeds nor fails")

    def _move(self, move: _Move, optimistic: bool) -> bool:
        """DATC 5.B.1: stronger than what defends the destination and than every other unit that moves there."""
        attack = self._attack_strength(move, optimistic)
        opposing = self._head_to_head(move)
        if opposing:
            resistance = self._defend_strength(opposing, not optimistic)
        else:
            resistance = self._hold_strength(move.province, not optimistic)
        return attack > resistance and all(
            attack > self._prevent_strength(rival, not optimistic)
            for rival in self.moves_to[move.province]
            if rival is not move
        )

    def _support(self, support: _Support, optimistic: bool) -> bool:
        """DATC 5.B.2: given if nothing that moves to its province cuts it."""
        attacks = self.moves_to.get(support.unit.province, ())
        return not any(self._cuts(attack, support, not optimistic) for attack in attacks)

    def _cuts(self, move: _Move, support: _Support, optimistic: bool) -> bool:
        """Whether a move to the province of the supporting unit cuts the support."""
        if move.unit.province == support.province:
            # An attack from where the support is directed must dislodge (DATC 6.D.17), convoyed or not (4.A.4, 6.G.13).
            return self._resolve(move, optimistic)
        return move.unit.power != support.unit.power and self._path(move, optimistic)

    def _convoy(self, convoy: _Convoy, optimistic: bool) -> bool:
        """DATC 5.B.3: available if the fleet is not dislodged."""
        return not any(self._resolve(move, not optimistic) for move in self.moves_to.get(convoy.unit.province, ()))

    def _path(self, move: _Move, optimistic: bool) -> bool:
        """DATC 5.B.4: there without a convoy, or by a chain of convoys that are all available (4.A.1)."""
        return not move.convoyed or any(
            all(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains
        )

    def _hold_strength(self, province: ProvinceCode, optimistic: bool) -> int:
        """DATC 5.B.5. The greatest it can be if optimistic, the least if not; so are all the strengths."""
        order = self.order_at.get(province)
        if order is None:
            return 0
        if isinstance(order, _Move):
            return 0 if self._resolve(order, not optimistic) else 1
        return 1 + len(self._given(self.hold_supports.get(province, ()), optimistic))

    def _prevent_strength(self, move: _Move, optimistic: bool) -> int:
        """DATC 5.B.6: none without a path, nor for the loser of a head-to-head battle (4.A.7 b)."""
        if not self._path(move, optimistic):
            return 0
        opposing = self._head_to_head(move)
        if opposing and self._resolve(opposing, not optimistic):
            return 0
        return 1 + len(self._given(move.supports, optimistic))

    def _defend_strength(self, move: _Move, optimistic: bool) -> int:
        """DATC 5.B.7."""
        return 1 + len(self._given(move.supports, optimistic))

    def _attack_strength(self, move: _Move, optimistic: bool) -> int:
        """DATC 5.B.8: no power dislodges its own unit, nor helps others to."""
        if not self._path(move, optimistic):
            return 0
        attacked = self.order_at.get(move.province)
        supports = self._given(move.supports, optimistic)
        if attacked is None or self._moves_out_of_the_way(attacked, move, optimistic):
            return 1 + len(supports)
        if attacked.unit.power == move.unit.power:
            return 0
        return 1 + sum(support.unit.power != attacked.unit.power for support in supports)

    def _moves_out_of_the_way(self, attacked: _Order, move: _Move, optimistic: bool) -> bool:
        return isinstance(attacked, _Move) and not self._head_to_head(move) and self._resolve(attacked, optimistic)

    def _head_to_head(self, move: _Move) -> _Move | None:
        """The move in the opposite direction, if neither is convoyed."""
        opposing = self.order_at.get(move.province)
        if not isinstance(opposing, _Move) or opposing.province != move.unit.province:
            return None
        return None if move.convoyed or opposing.convoyed else opposing

    def _given(self, supports: Sequence[_Support], optimistic: bool) -> list[_Support]:
        return [support for support in supports if self._resolve(support, optimistic)]

    # -------- what is known when all is resolved

    def attacker_of(self, unit: Unit) -> _Move | None:
        """The move that dislodges the unit."""
        order = self.order_at[unit.province]
        if isinstance(order, _Move) and order.resolution:
            return None
        return next((move for move in self.moves_to.get(unit.province, ()) if move.resolution), None)

    def contested(self) -> Set[ProvinceCode]:
        """The provinces with a standoff: a move there failed but could have prevented others (DATC 6.F.7, 6.H.9)."""
        return {
            province
            for province, moves in self.moves_to.items()
            if any(not move.resolution and self._prevent_strength(move, optimistic=True) > 0 for move in moves)
        }


def _settle(order: _Order, resolution: bool) -> None:
    order.resolved, order.resolution = True, resolution


def _backup_rule(cycle: Sequence[_Order]) -> None:
    """DATC 5.B.9: the convoys of a paradox fail (Szykman, 4.A.2), the moves of a circular movement succeed."""
    convoys = [order for order in cycle if isinstance(order, _Convoy)]
    moves = [order for order in cycle if isinstance(order, _Move)]
    if convoys:
        for convoy in convoys:
            _settle(convoy, False)
    elif len(moves) == len(cycle) and {move.province for move in moves} == {move.unit.province for move in moves}:
        for move in moves:
            _settle(move, True)
    else:
        raise UnknownCycleError(", ".join(f"{type(order).__name__} of {order.unit}" for order in cycle))


# ---------------------------------------------------------------- outcome


class _Outcome:
    """The answer to the orders, once they are resolved."""

    def __init__(self, board: Board, adjudication: _Adjudication) -> None:
        self.board = board
        self.order_at = adjudication.order_at
        self.attackers = {unit: move for unit in board.units if (move := adjudication.attacker_of(unit))}
        self.units = [self._moved(unit) for unit in board.units if unit not in self.attackers]
        closed = {unit.province for unit in self.units} | adjudication.contested()
        self.retreats = {unit: self._retreats(unit, closed) for unit in self.attackers}

    def _moved(self, unit: Unit) -> Unit:
        order = self.order_at[unit.province]
        if isinstance(order, _Move) and order.resolution:
            return Unit(unit.power, unit.kind, order.destination)
        return unit

    def _retreats(self, unit: Unit, closed: Set[ProvinceCode]) -> list[Location]:
        attacker = self.attackers[unit]
        # DATC 4.A.5: a convoyed attacker did not come over the border.
        barred = closed if attacker.convoyed else closed | {attacker.unit.province}
        exits = self.board.map.exits(unit.kind, unit.location)
        return sorted(location for location in exits if province_of(location) not in barred)

    def answer(self, given: _Given) -> Answer:
        """The answer in the form that is compared."""
        legal = {entry.order.unit for entries in given.values() for entry in entries if entry.order}
        dislodged: dict[Power, dict[str, list[Location]]] = {}
        for unit, retreats in self.retreats.items():
            dislodged.setdefault(unit.power, {})[str(unit)] = retreats
        return Answer(
            verdicts={power: [self._verdict(entry, legal) for entry in entries] for power, entries in given.items()},
            dislodged=dislodged,
            units={power: sorted(units) for power, units in by_power(self.units).items()},
        )

    def _verdict(self, entry: _Entry, legal: Set[Unit]) -> str:
        """The words for one order (DATC 4.E.2)."""
        unit, order = entry.unit, entry.order
        if unit is None:
            return "illegal"
        if order is None or order is not self.order_at[unit.province]:  # illegal, or not the first (DATC 4.D.3)
            return "illegal" if unit in legal else self._tagged("illegal", unit)
        if isinstance(order, _Hold):
            return self._tag(unit) or "stands"
        return self._tagged(_resolution(order), unit)

    def _tagged(self, word: str, unit: Unit) -> str:
        tag = self._tag(unit)
        return f"{word}, {tag}" if tag else word

    def _tag(self, unit: Unit) -> str | None:
        if unit not in self.attackers:
            return None
        return "dislodged" if self.retreats[unit] else "destroyed"


def _resolution(order: _Order) -> str:
    """The word for a move, support or convoy, without what happens to the unit."""
    match order:
        case _Move():
            failed = "invalid" if order.convoyed and not order.chains else "fails"
            return "succeeds" if order.resolution else failed
        case _Support(matched=True):
            return "given" if order.resolution else "cut"
        case _Convoy(matched=True):
            return "available" if order.resolution else "disrupted"
        case _:
            return "invalid"
