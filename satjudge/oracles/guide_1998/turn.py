"""Reads the orders of a movement phase by the rules of the 1998 guide, and records the status of each order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum, auto
from functools import lru_cache

from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove


class Status(Enum):
    """The status of an order at a step."""

    IN_FORCE = auto()
    ILLEGAL = auto()
    INCONSISTENT = auto()
    """Cancelled in Step 1 or 3 because the other unit has another order, or no complete chain of fleets convoys the move."""
    CANCELLED = auto()
    CUT = auto()
    CONFOUNDED = auto()
    """Cancelled because a circle of subversion goes through this convoy order (Steps 12 and 13)."""
    ADVANCED = auto()


@dataclass(eq=False, slots=True)
class GuideOrder:
    """An order to a unit."""

    unit: Unit
    status: Status = field(default=Status.IN_FORCE, init=False)

    @property
    def space(self) -> ProvinceCode:
        """The unit's space before the moves."""
        return self.unit.province

    @property
    def power(self) -> Power:
        """The power that owns the unit."""
        return self.unit.power

    @property
    def is_in_force(self) -> bool:
        """True if the order has neither been cancelled nor carried out."""
        return self.status is Status.IN_FORCE

    def comparison_key(self) -> tuple[object, ...]:
        """Return the type and content of the order without its status; two orders with equal keys are the same order."""
        return (type(self), *(getattr(self, entry.name) for entry in fields(self) if entry.init))


class GuideHold(GuideOrder):
    """An order to hold."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class GuideMove(GuideOrder):
    """An order to move, directly or by convoy.

    "Move" and "attack" mean the same (VII).
    """

    destination: Location
    by_convoy: bool

    @property
    def target(self) -> ProvinceCode:
        """The attacked space."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class GuideSupport(GuideOrder):
    """An order to support a unit, to hold if the target is that unit's space, else to move."""

    supported: ProvinceCode
    target: ProvinceCode

    @property
    def is_to_hold(self) -> bool:
        """True if the order is a support to hold."""
        return self.supported == self.target


@dataclass(eq=False, slots=True)
class GuideConvoy(GuideOrder):
    """An order to a fleet to convoy an army."""

    army: ProvinceCode
    target: ProvinceCode


class Prospect(Enum):
    """The guide's terms for a convoy in Step 10."""

    FUTILE = auto()
    INDOMITABLE = auto()
    CONFUSED = auto()


@dataclass(eq=False, slots=True)
class ConvoyEntry:
    """One line of the GM's convoy list (Step 2)."""

    move: GuideMove
    fleets: list[GuideConvoy]
    prospect: Prospect | None = None
    subverted_by: dict[ConvoyEntry, GuideSupport] = field(default_factory=dict)
    """The convoys that subvert this one, each with the vulnerable support that it attacks."""


@dataclass(eq=False, slots=True)
class Battle:
    """A head-to-head battle (Step 15)."""

    stronger: GuideMove
    weaker: GuideMove
    balanced: bool


@dataclass(eq=False)
class Turn:
    """The orders of one movement phase, one for every unit on the board, and the GM's lists."""

    board: Board
    order_at: dict[ProvinceCode, GuideOrder]
    convoys: dict[ProvinceCode, ConvoyEntry] = field(default_factory=dict)
    """The GM's convoy list, by the convoyed army's space."""
    dislodged: dict[ProvinceCode, GuideMove] = field(default_factory=dict)
    """The attacks that dislodged units, by the dislodged unit's space."""
    standoffs: set[ProvinceCode] = field(default_factory=set)
    """The recorded sites of standoffs."""

    @property
    def supports(self) -> list[GuideSupport]:
        """The supports in force."""
        return [order for order in self.order_at.values() if isinstance(order, GuideSupport) and order.is_in_force]

    @property
    def attacks(self) -> list[GuideMove]:
        """The attacks that are not yet resolved or cancelled."""
        return [order for order in self.order_at.values() if isinstance(order, GuideMove) and order.is_in_force]

    def list_attacks_on(self, space: ProvinceCode) -> list[GuideMove]:
        """List the unresolved attacks on a space."""
        return [attack for attack in self.attacks if attack.target == space]

    def find_occupant(self, space: ProvinceCode) -> GuideOrder | None:
        """Return the order of a space's original unit, or None if there is none, or it has advanced or was dislodged."""
        order = self.order_at.get(space)
        return None if order is None or order.status is Status.ADVANCED or space in self.dislodged else order

    def count_attack_strength(
        self, attack: GuideMove, against: Power | None = None, cut_support: GuideSupport | None = None
    ) -> int:
        """Return one plus the number of supports in force for an attack, ignoring `cut_support` and the power `against`."""
        return 1 + sum(
            support.supported == attack.space
            and support.target == attack.target
            and support.power != against
            and support is not cut_support
            for support in self.supports
        )

    def count_defence_strength(self, defender: GuideOrder, cut_support: GuideSupport | None = None) -> int:
        """Return one plus the number of supports in force for a unit to hold, ignoring `cut_support`.

        A unit that is ordered to move holds without support.
        """
        if isinstance(defender, GuideMove):
            return 1
        return 1 + sum(
            support.is_to_hold and support.target == defender.space and support is not cut_support for support in self.supports
        )

    def find_strongest(self, space: ProvinceCode, cut_support: GuideSupport | None = None) -> GuideMove | None:
        """Return the strongest attack on a space (Step 19) if `cut_support` is cut; None if there is none or a tie."""
        strength = {
            attack: self.count_attack_strength(attack, cut_support=cut_support) for attack in self.list_attacks_on(space)
        }
        best = [attack for attack in strength if strength[attack] == max(strength.values())]
        return best[0] if len(best) == 1 else None

    def find_winner(self, space: ProvinceCode, cut_support: GuideSupport | None = None) -> GuideMove | None:
        """Return the attack that would advance into a space by Step 19 if `cut_support` were cut, or None."""
        attack, defender = self.find_strongest(space, cut_support), self.find_occupant(space)
        if attack is None or defender is None:
            return attack
        if attack.power == defender.power:
            return None  # "No attacker may dislodge a countryman."
        strength = self.count_attack_strength(attack, against=defender.power, cut_support=cut_support)
        return attack if strength > self.count_defence_strength(defender, cut_support) else None

    def resolve_attacks(self, space: ProvinceCode) -> None:
        """Resolve all attacks on a space "per the standard instructions given in Step 19": advance, dislodge or cancel."""
        winner, defender = self.find_winner(space), self.find_occupant(space)
        self.cancel(attack for attack in self.list_attacks_on(space) if attack is not winner)
        if winner is None:
            if defender is None:
                self.standoffs.add(space)
            return
        winner.status = Status.ADVANCED
        if defender is not None:
            self.dislodged[space] = winner
            if isinstance(defender, GuideSupport) and defender.is_in_force:
                defender.status = Status.CUT  # "No dislodged unit can ever give support"

    def stand_off(self, space: ProvinceCode) -> None:
        """Cancel all attacks on a space, whose unit stays."""
        self.cancel(self.list_attacks_on(space))

    @staticmethod
    def cancel(orders: Iterable[GuideOrder], status: Status = Status.CANCELLED) -> None:
        """Set the status of orders that are no longer in force; their units count "strictly as a holding unit" (Step 3)."""
        for order in orders:
            order.status = status


# ---- which orders are legal (chapters VI, VII, IX and XII) ----


@dataclass(frozen=True, slots=True)
class Entry:
    """A given order: its unit, or None if the power has none there, and the order if it is legal."""

    unit: Unit | None
    moves: bool
    order: GuideOrder | None


def read_orders(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[Power, list[Entry]]:
    """Return each power's orders as entries, in the given sequence."""
    return {power: [_read_order(board, power, order) for order in entries] for power, entries in orders.items()}


def _read_order(board: Board, power: Power, order: MovementOrder) -> Entry:
    """Return the entry of an order, whose space alone identifies the unit."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None or unit.power != power:
        return Entry(None, False, None)
    return Entry(unit, isinstance(order, Move), _make_legal_order(board, unit, order))


def _make_legal_order(board: Board, unit: Unit, order: MovementOrder) -> GuideOrder | None:
    """Return the order if it is legal regardless of other units' orders (Step 1), else None."""
    match order:
        case Hold():
            return GuideHold(unit)
        case Move():
            return _make_legal_move(board, unit, order)
        case SupportHold():
            return _make_legal_support(board, unit, order.supported.province, order.supported.province)
        case SupportMove():
            if _could_move(board, order.supported.province, province_of(order.destination)):
                return _make_legal_support(board, unit, order.supported.province, province_of(order.destination))
        case Convoy():
            return _make_legal_convoy(board, unit, order.convoyed.province, province_of(order.destination))
    return None


def _make_legal_move(board: Board, unit: Unit, order: Move) -> GuideMove | None:
    """Return a move, directly or by a stated or necessary convoy, if it is legal (VII, XII), else None."""
    says_so = order.via_convoy or bool(order.route)
    if unit.kind is UnitKind.FLEET:
        location = _find_fleet_target(board.map, unit.location, order.destination)
        return None if says_so or location is None else GuideMove(unit, location, by_convoy=False)
    target = province_of(order.destination)  # coasts do not matter to armies (VI)
    if target in board.map.exits(unit.kind, unit.location) and not says_so:
        return GuideMove(unit, target, by_convoy=False)
    return GuideMove(unit, target, by_convoy=True) if find_convoy_waters(board, unit.province, target) else None


def _find_fleet_target(game_map: Map, origin: Location, destination: Location) -> Location | None:
    """Return the location to which a fleet would move; None if it cannot, or does not choose one of two coasts (VI, VII)."""
    province = province_of(destination)
    reachable = game_map.fleet_reach.get(origin, {}).get(province, ())
    if coast_of(destination) and game_map.provinces[province].coasts:
        return destination if destination in reachable else None
    return reachable[0] if len(reachable) == 1 else None


def _make_legal_support(board: Board, unit: Unit, supported: ProvinceCode, target: ProvinceCode) -> GuideSupport | None:
    """Return a support if it is legal (IX), so that its unit could move directly to the target, on any coast; else None."""
    reach = {province_of(location) for location in board.map.exits(unit.kind, unit.location)}
    possible = target in reach and supported in board.unit_at and supported != unit.province
    return GuideSupport(unit, supported, target) if possible else None


def _could_move(board: Board, origin: ProvinceCode, target: ProvinceCode) -> bool:
    """Return whether the unit in `origin` could move to a target, directly or by convoy, on any coast."""
    unit = board.unit_at.get(origin)
    if unit is None or target == origin:
        return False
    direct = any(province_of(location) == target for location in board.map.exits(unit.kind, unit.location))
    return direct or (unit.kind is UnitKind.ARMY and bool(find_convoy_waters(board, origin, target)))


def _make_legal_convoy(board: Board, unit: Unit, army: ProvinceCode, target: ProvinceCode) -> GuideConvoy | None:
    """Return a convoy if it is legal (XII), so that its fleet is in a body of water on a possible route; else None."""
    convoyed = board.unit_at.get(army)
    if convoyed is None or convoyed.kind is not UnitKind.ARMY:
        return None
    return GuideConvoy(unit, army, target) if unit.province in find_convoy_waters(board, army, target) else None


def find_convoy_waters(board: Board, army: ProvinceCode, target: ProvinceCode) -> frozenset[ProvinceCode]:
    """Return the waters whose fleets could take part in convoying an army to a target, whatever their orders (XII)."""
    return find_route_waters(board.map, army, target, board.convoyers)


@lru_cache(maxsize=100_000)
def find_route_waters(
    game_map: Map, start: ProvinceCode, target: ProvinceCode, waters: frozenset[ProvinceCode]
) -> frozenset[ProvinceCode]:
    """Return those waters that are on an unbroken route from `start` to `target` without repetitions (Step 1, XII)."""
    if start == target or target in game_map.seas:
        return frozenset()
    shore = game_map.shores.get(target, frozenset())
    found: set[ProvinceCode] = set()

    def sail(route: tuple[ProvinceCode, ...]) -> None:
        if route[-1] in shore:
            found.update(route)
        for water in game_map.fleet[route[-1]] & waters:
            if water not in route:
                sail((*route, water))

    for water in game_map.shores.get(start, frozenset()) & waters:
        sail((water,))
    return frozenset(found)


def build_turn(board: Board, entries_by_power: Mapping[Power, Sequence[Entry]]) -> Turn:
    """Return the turn in which each unit follows its first legal order, or holds; an illegal move counts as a first order.

    An illegal move “is as a hold order” (VII); other illegal orders do not count. The guide does not say which of several
    orders counts: we take the first, as DATC 3.2 prefers (4.D.3, with 4.E.1 for legality).
    """
    order_at: dict[ProvinceCode, GuideOrder] = {}
    for entry in (entry for power_entries in entries_by_power.values() for entry in power_entries):
        if entry.order is not None:
            order_at.setdefault(entry.order.space, entry.order)
        elif entry.unit is not None and entry.moves and entry.unit.province not in order_at:
            illegal = GuideMove(entry.unit, entry.unit.location, by_convoy=False)
            illegal.status = Status.ILLEGAL
            order_at[entry.unit.province] = illegal
    for unit in board.units:
        order_at.setdefault(unit.province, GuideHold(unit))
    return Turn(board, order_at)
