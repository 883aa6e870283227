"""Which orders count: orders x board x rulebook -> what each unit is really ordered to do, and why the rest was rejected.

Legality is as strict as DATC 3.2 has it (4.E.1): an order is legal if it is possible on this board, whatever the other
orders are. An illegal order is ignored; the first legal order for a unit counts (4.D.3); a unit without one holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from satjudge.board import Board, Unit
from satjudge.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.orders import (
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.rules import (
    CoastOmitted,
    ConvoyPaths,
    DisorderSupport,
    IllegalOrders,
    ImplicitOrders,
    ImpossibleCoast,
    LandFallback,
    Mistake,
    OnlyCoastOmitted,
    Rulebook,
    SeveralOrders,
    SuperfluousConvoy,
    SupportCoast,
)

Route = tuple[ProvinceCode, ...]
"""The sea provinces that a convoyed army passes, in order."""

_CACHED_ROUTES = 100_000
_CACHED_ORDERS = 50_000
_CACHED_RULEBOOKS = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One order as it was handed in. `reason` says why it is illegal, and is None for the order that counts."""

    power: Power
    order: Order
    reason: str | None
    province: ProvinceCode | None
    """The province of the ordered unit, None if the power has no unit there."""
    legal: MovementOrder | None = None
    """The order in full, if it is legal by itself."""
    legal_alone: bool = False
    """Whether it is legal by itself but does not count, because there are several for the unit (4.D.3)."""
    counts_as_move: bool = False
    """Whether an illegal order is not ignored but makes its unit hold without being supportable (4.E.1)."""

    @property
    def explicit(self) -> bool:
        """Whether it is an order that the unit was given, though another one may count or it may merely hold (4.E.3)."""
        return self.legal is not None or self.counts_as_move or self.legal_alone

    def rejected(self, reason: str) -> Entry:
        """The same order, which does not count for that reason."""
        return replace(self, reason=reason, legal=None, legal_alone=True)


@dataclass(frozen=True, slots=True)
class Docket:
    """All orders handed in, and for each unit with a legal order that order in full (true kind, location and coast)."""

    entries: Mapping[Power, Sequence[Entry]]
    orders: Mapping[ProvinceCode, MovementOrder]
    unsupportable: frozenset[ProvinceCode] = frozenset()
    """Where a unit stands that cannot be supported in place, whoever would (4.D.9, 4.E.1)."""


class IllegalOrder(Exception):  # noqa: N818  # illegal orders are no errors
    """An order that can be read but is impossible here. Carries the reason, and never leaves the package."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What legality asks of the board at large: could fleets carry an army, `without` one of them, or `through` it?"""

    origin: ProvinceCode
    destination: ProvinceCode
    without: ProvinceCode | None = None
    through: ProvinceCode | None = None

    def answer(self, board: Board, rules: Rulebook) -> bool:
        """Yes or no, on this board."""
        fleets = board.fleets_at_sea
        if self.without in fleets:
            fleets -= {self.without}
        superfluous = self.through and rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        routes = (simple_routes if superfluous else convoy_routes)(board.map, self.origin, self.destination, fleets)
        if self.through is None:
            return bool(routes)
        return any(self.through in route for route in routes)


@dataclass(slots=True)
class _Bench:
    """Where legality is decided: the board and the rulebook, and what has been asked of them about the order at hand."""

    board: Board
    rules: Rulebook
    memory: _Memory
    """What is known under this rulebook on this map, whatever the board."""
    asked: _Question | None = None
    answer: bool = False
    looked_around: bool = False
    """Whether anything else had a say but the power, its unit, and the kind and place of the unit that is to be helped."""

    @property
    def map(self) -> Map:
        return self.board.map

    def clear(self) -> None:
        """Begin with another order, about which nothing has been asked."""
        self.asked, self.looked_around = None, False

    def ask(self, question: _Question) -> bool:
        """The answer to a question about the board at large, on record."""
        self.asked, self.answer = question, question.answer(self.board, self.rules)
        return self.answer


@dataclass(frozen=True, slots=True)
class _Remembered:
    """What an order came to on earlier boards."""

    order: Order
    province: ProvinceCode
    helped: ProvinceCode
    """Where the unit stands that is to be supported or convoyed; empty where there is none."""
    entries: dict[tuple[object, ...], Entry | _Question] = field(default_factory=dict)
    """By the power that gives it, its unit, and the kind and place of the unit that is to be helped; and where that leads
    to a question, by its answer as well."""


class _Memory:
    """What orders came to under one rulebook on one map."""

    def __init__(self) -> None:
        self.by_value: dict[Order, _Remembered] = {}
        self.by_identity: dict[int, _Remembered] = {}
        """The same: the reader gives one text the same order every time, and a hash takes long."""

    def of(self, order: Order) -> _Remembered:
        """What is remembered of an order: at first, nothing."""
        known = self.by_identity.get(id(order))
        if known is not None and known.order is order:
            return known
        known = self.by_value.get(order)
        if known is None:
            if len(self.by_value) >= _CACHED_ORDERS:
                self.by_value.clear()
                self.by_identity.clear()
            known = self.by_value[order] = self.by_identity[id(order)] = _Remembered(order, *_units_named(order))
        return known


def sort_out(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> Docket:
    """Decide which orders count, power by power in the order given."""
    bench = _Bench(board, rulebook, _memory(board.map, rulebook))
    entries: dict[Power, Sequence[Entry]] = {}
    legal: dict[ProvinceCode, MovementOrder] = {}
    for power, given in orders.items():
        found = [_enter(bench, power, order) for order in given]
        entries[power] = _one_for_each_unit(found, legal, rulebook.several_orders)
    if rulebook.implicit_orders is ImplicitOrders.ALLOWED:
        ordered = {entry.province for given in entries.values() for entry in given if entry.explicit}
        legal |= _implicit_orders(bench, legal, ordered)
    return Docket(entries, legal, _unsupportable(board, entries, legal, rulebook))


def _memory(game_map: Map, rulebook: Rulebook) -> _Memory:
    by_rulebook: dict[Rulebook, _Memory] = game_map.cache.setdefault(_Memory, {})
    memory = by_rulebook.get(rulebook)
    if memory is None:
        if len(by_rulebook) >= _CACHED_RULEBOOKS:
            by_rulebook.clear()
        memory = by_rulebook[rulebook] = _Memory()
    return memory


def _unsupportable(
    board: Board,
    entries: Mapping[Power, Sequence[Entry]],
    legal: Mapping[ProvinceCode, MovementOrder],
    rulebook: Rulebook,
) -> frozenset[ProvinceCode]:
    """Where units stand without an order, and not supportable for it (4.D.9, 4.E.1)."""
    found: set[ProvinceCode | None] = set()
    if rulebook.illegal_orders is not IllegalOrders.IGNORED:
        found |= {entry.province for given in entries.values() for entry in given if entry.counts_as_move}
    if rulebook.disorder_support is DisorderSupport.REFUSED:
        found |= {unit.province for unit in board.units if not entries.get(unit.power)}
    return frozenset(province for province in found if province is not None and province not in legal)


def _enter(bench: _Bench, power: Power, order: Order) -> Entry:
    """What one order is worth by itself. It is judged once for all boards where nothing else has a say."""
    known = bench.memory.of(order)
    units = bench.board.unit_at
    unit, helped = units.get(known.province), units.get(known.helped)
    key: tuple[object, ...] = (power, unit.power, unit.kind, unit.location) if unit else (power,)
    if helped:
        key = (*key, helped.kind, helped.location)
    found = known.entries.get(key)
    if isinstance(found, _Question):
        found = known.entries.get((*key, found.answer(bench.board, bench.rules)))
    return found if isinstance(found, Entry) else _remember(bench, power, order, known, key)


def _remember(bench: _Bench, power: Power, order: Order, known: _Remembered, key: tuple[object, ...]) -> Entry:
    """Judge an order, and keep what it came to if that is as good on other boards."""
    bench.clear()
    entry = _judged(bench, power, order)
    if not bench.looked_around:
        if bench.asked:
            known.entries[key] = bench.asked
            key = (*key, bench.answer)
        known.entries[key] = entry
    return entry


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


def _judged(bench: _Bench, power: Power, order: Order) -> Entry:
    """Its legal form, or the reason why it has none."""
    unit: Unit | None = None
    try:
        if not isinstance(order, MovementOrder):
            raise IllegalOrder(_other_phase(order))
        unit = _ordered_unit(bench, power, order)
        return Entry(power, order, None, unit.province, _LEGAL_FORM[type(order)](bench, unit, order))
    except IllegalOrder as illegal:
        province = unit.province if unit else None
        counts = unit is not None and _counts_as_move(bench, unit, order)
        return Entry(power, order, str(illegal), province, counts_as_move=counts)


def _other_phase(order: Order) -> str:
    """Why an order of another phase is illegal in a movement phase, and where it belongs."""
    match order:
        case Retreat():
            return "units retreat in a retreat phase: on a sheet, below a line `retreats`"
        case Disband():
            return "units are disbanded in a retreat phase (on a sheet, below a line `retreats`) or with phase: adjustment"
        case _:
            return "builds and removals are ordered in an adjustment phase (phase: adjustment)"


def _one_for_each_unit(
    entries: list[Entry], legal: dict[ProvinceCode, MovementOrder], several: SeveralOrders
) -> list[Entry]:
    """Keep one of several legal orders for a unit (4.D.3). An illegal move that counts as a hold takes its place."""
    if len({entry.province for entry in entries}) == len(entries):  # the usual case: there is nothing to choose
        legal |= {entry.province: entry.legal for entry in entries if entry.legal and entry.province}
        return entries
    chosen: dict[ProvinceCode, int] = {}
    refused: set[ProvinceCode] = set()
    numbered = list(enumerate(entries))
    for number, entry in reversed(numbered) if several is SeveralOrders.LAST else numbered:
        if entry.province is None or (entry.legal is None and not entry.counts_as_move):
            continue
        other = entries[chosen.setdefault(entry.province, number)]
        if several is SeveralOrders.NONE and (entry.legal or entry.order) != (other.legal or other.order):
            refused.add(entry.province)
    kept: list[Entry] = []
    for number, entry in numbered:
        if entry.province is None or entry.legal is None:
            kept.append(entry)
        elif entry.province in refused:
            kept.append(entry.rejected(f"there are several orders for the unit in {entry.province} (4.D.3)"))
        elif chosen[entry.province] == number:
            legal[entry.province] = entry.legal
            kept.append(entry)
        else:
            counting = entries[chosen[entry.province]].order
            kept.append(entry.rejected(f"the order that counts is {counting} (4.D.3)"))
    return kept


def _implicit_orders(
    bench: _Bench, legal: Mapping[ProvinceCode, MovementOrder], ordered: Collection[ProvinceCode | None]
) -> dict[ProvinceCode, MovementOrder]:
    """The moves of units without an order that the supports and convoys of their own power speak of (4.E.3 a)."""
    found: dict[ProvinceCode, MovementOrder] = {}
    for province, order in legal.items():
        if not isinstance(order, SupportMove | Convoy):
            continue
        named = order.supported if isinstance(order, SupportMove) else order.convoyed
        unit = bench.board.unit_at[named.province]
        if unit.power == bench.board.unit_at[province].power and unit.province not in {*ordered, *found}:
            implied = Move(_named(unit), order.destination, via_convoy=isinstance(order, Convoy))
            try:
                found[unit.province] = _legal_move(bench, unit, implied)
            except IllegalOrder:
                continue
    return found


def _counts_as_move(bench: _Bench, unit: Unit, order: Order) -> bool:
    """Whether an illegal order still is an order to move, so that its unit holds without being supportable (4.E.1)."""
    if not isinstance(order, Move) or province_of(order.destination) == unit.province:
        return False
    if bench.rules.illegal_orders is IllegalOrders.HOLD_IF_POSSIBLE:
        return _possible_elsewhere(bench, unit, order)
    return bench.rules.illegal_orders is IllegalOrders.HOLD


def _possible_elsewhere(bench: _Bench, unit: Unit, order: Move) -> bool:
    """Whether the move would be legal with other units on the board: an army then might find fleets on every sea."""
    if unit.kind is UnitKind.FLEET:
        return False
    return bool(convoy_routes(bench.map, unit.province, province_of(order.destination), bench.map.seas))


def _ordered_unit(bench: _Bench, power: Power, order: MovementOrder) -> Unit:
    """The unit that is ordered. Its owner must be right (6.A.6); kind and coast are forgiven, or not (4.B.5, 4.C.2)."""
    unit = bench.board.unit_at.get(order.unit.province)
    if unit is None:
        raise IllegalOrder(f"there is no unit in {order.unit.province}")
    if unit.power != power:
        raise IllegalOrder(f"{unit} belongs to {unit.power} (6.A.6)")
    check_name(bench.map, bench.rules, order.unit, unit)
    return unit


def check_name(game_map: Map, rules: Rulebook, named: Named, unit: Unit) -> None:
    """Raise `IllegalOrder` if the rulebook does not forgive how an order names a unit (4.B.5, 4.B.6, 4.C.1, 4.C.2)."""
    if named.kind is None and rules.missing_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"is the unit in {named.location} an army or a fleet? (4.C.1)")
    if named.kind not in (None, unit.kind) and rules.wrong_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.C.2)")
    check_coast(game_map, rules, unit.kind, named.location)
    known = coast_of(named.location) in game_map.provinces[unit.province].coasts
    if known and unit.kind is UnitKind.FLEET and named.location != unit.location and rules.wrong_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.B.5)")


def check_coast(game_map: Map, rules: Rulebook, kind: UnitKind, location: Location) -> None:
    """Raise `IllegalOrder` if the rulebook does not forgive a coast that does not exist, or an army's (4.B.6)."""
    unknown = coast_of(location) and (
        kind is UnitKind.ARMY or coast_of(location) not in game_map.provinces[province_of(location)].coasts
    )
    if unknown and rules.unknown_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{location} names a coast that there is not for this unit (4.B.6)")


def _named(unit: Unit) -> Named:
    return Named(unit.kind, unit.location)


def _legal_hold(bench: _Bench, unit: Unit, order: Hold) -> Hold:
    return Hold(_named(unit))


def _legal_move(bench: _Bench, unit: Unit, order: Move) -> Move:
    check_coast(bench.map, bench.rules, unit.kind, order.destination)
    if unit.kind is UnitKind.FLEET:
        return Move(_named(unit), fleet_destination(bench.map, unit.location, order.destination, bench.rules))
    destination = province_of(order.destination)  # coasts mean nothing to an army (6.B.12)
    route = _legal_route(bench, unit, order, destination)
    via = order.via_convoy or bool(route)
    must_convoy = via and bench.rules.land_fallback is LandFallback.NEVER
    _check_army_move(bench, unit, destination, must_convoy=must_convoy)
    return Move(_named(unit), destination, via, route)


def _legal_route(bench: _Bench, unit: Unit, order: Move, destination: ProvinceCode) -> tuple[ProvinceCode, ...]:
    """The convoy path that the order names, if the rulebook heeds it (4.A.6)."""
    if bench.rules.convoy_paths is ConvoyPaths.IGNORED or not order.route:
        return ()
    bench.looked_around = True  # at the fleets of the route
    route = tuple(province_of(location) for location in order.route)
    shores = bench.map.shores
    connected = (
        bench.board.fleets_at_sea.issuperset(route)
        and route[0] in shores.get(unit.province, ())
        and route[-1] in shores.get(destination, ())
        and all(second in bench.map.fleet[first] for first, second in pairwise(route))
    )
    if not connected:
        raise IllegalOrder(f"no army can be convoyed {unit.province} - {' - '.join(route)} - {destination} (4.A.6)")
    return route


def _check_army_move(
    bench: _Bench, army: Unit, destination: ProvinceCode, *, without: ProvinceCode | None = None, must_convoy: bool = False
) -> None:
    """Raise unless the army can move there by land or through fleets, ordered to convoy it or not, `without` that one."""
    origin = army.province
    if destination in bench.map.army[origin] and not must_convoy:
        return
    if destination == origin:
        raise IllegalOrder(f"{army} is in {destination} already (6.A.4)")
    if bench.map.provinces[destination].terrain is not Terrain.COAST:
        raise IllegalOrder(f"an army cannot move from {origin} to {destination} (6.A.1, 6.A.2)")
    if not bench.ask(_Question(origin, destination, without=without)):
        raise IllegalOrder(f"no fleets are there that could convoy an army from {origin} to {destination} (4.E.1, 6.D.32)")


def fleet_destination(game_map: Map, origin: Location, destination: Location, rules: Rulebook) -> Location:
    """The location that a fleet ordered to `destination` moves to, its coast filled in or changed as the rulebook has it.

    Raises (as illegal) where none is possible, two are (4.B.1), or the named coast is not (4.B.3).
    """
    province = game_map.provinces[province_of(destination)]
    reachable = game_map.fleet_reach[origin].get(province.code, ())
    if not reachable:
        raise IllegalOrder(f"a fleet cannot move from {origin} to {destination} (6.A.3, 6.A.9)")
    if coast_of(destination) in province.coasts:
        if destination in reachable:
            return destination
        if rules.impossible_coast is ImpossibleCoast.ILLEGAL:
            raise IllegalOrder(f"a fleet in {origin} can reach {' '.join(reachable)}, not {destination} (4.B.3)")
        return reachable[0]
    if len(reachable) > 1:
        if rules.coast_omitted is CoastOmitted.DEFAULT:
            return province.default_location
        raise IllegalOrder(f"the coast must be named: {' or '.join(reachable)} (4.B.1)")
    if province.coasts and rules.only_coast_omitted is not OnlyCoastOmitted.POSSIBLE:
        default = rules.only_coast_omitted is OnlyCoastOmitted.DEFAULT
        if not default or province.default_location not in reachable:
            raise IllegalOrder(f"the coast must be named: {reachable[0]} (4.B.2)")
    return reachable[0]


def _check_reach(bench: _Bench, unit: Unit, province: ProvinceCode) -> None:
    """Raise unless the unit could move directly into the province, on whatever coast (6.A.10, 6.B.4)."""
    if province == unit.province:
        raise IllegalOrder(f"{unit} cannot support into its own province (6.A.8, 6.D.34)")
    if unit.kind is UnitKind.ARMY:
        reachable = province in bench.map.army[unit.province]
    else:
        reachable = province in bench.map.fleet_reach[unit.location]
    if not reachable:
        raise IllegalOrder(f"{unit} cannot support into {province}: it could not move there (6.A.10)")


def _helped_unit(bench: _Bench, helper: Unit, named: Named, what: str) -> Unit:
    """The unit to be supported or convoyed; how it is named is forgiven, or not (4.B.5, 4.C.1 to 4.C.6)."""
    if named.power is not None or bench.rules.missing_nationality is Mistake.ILLEGAL:
        bench.looked_around = True  # at its power
    unit = bench.board.unit_at.get(named.province)
    if unit is None:
        raise IllegalOrder(f"there is no unit in {named.province} to {what}")
    check_name(bench.map, bench.rules, named, unit)
    foreign = unit.power != helper.power
    if named.power is None and foreign and bench.rules.missing_nationality is Mistake.ILLEGAL:
        raise IllegalOrder(f"whose unit is in {named.province}? (4.C.5)")
    if named.power not in (None, unit.power) and bench.rules.wrong_nationality is Mistake.ILLEGAL:
        raise IllegalOrder(f"{unit} belongs to {unit.power} (4.C.6)")
    return unit


def _legal_support_hold(bench: _Bench, unit: Unit, order: SupportHold) -> SupportHold:
    _check_reach(bench, unit, order.supported.province)
    return SupportHold(_named(unit), _named(_helped_unit(bench, unit, order.supported, "support")))


def _legal_support_move(bench: _Bench, unit: Unit, order: SupportMove) -> SupportMove:
    supported = _helped_unit(bench, unit, order.supported, "support")
    destination = province_of(order.destination)
    if supported.province == unit.province:
        raise IllegalOrder(f"{unit} cannot support its own move (4.E.1)")
    _check_reach(bench, unit, destination)
    check_coast(bench.map, bench.rules, supported.kind, order.destination)
    if supported.kind is UnitKind.ARMY:
        # A fleet cannot support the move that it alone could make possible as a convoyer (6.D.31).
        _check_army_move(bench, supported, destination, without=unit.province)
        return SupportMove(_named(unit), _named(supported), destination)
    return SupportMove(_named(unit), _named(supported), _supported_destination(bench, unit, supported, order.destination))


def _supported_destination(bench: _Bench, helper: Unit, supported: Unit, destination: Location) -> Location:
    """Where the supported fleet is to go: with a coast if the support names one, else to any it can reach (4.B.4)."""
    province = bench.map.provinces[province_of(destination)]
    reachable = bench.map.fleet_reach[supported.location].get(province.code, ())
    choice = bench.rules.support_coast
    named = destination if coast_of(destination) in province.coasts and choice is not SupportCoast.IGNORED else province.code
    if not reachable or (named != province.code and named not in reachable):
        raise IllegalOrder(f"{supported} cannot move to {named} (6.D.22, 6.D.23)")
    if named != province.code or not province.coasts:
        return named
    both = len(reachable) > 1
    bench.looked_around |= choice is SupportCoast.OWN  # at its power
    if choice is SupportCoast.DEFAULT:
        if province.default_location not in reachable:
            raise IllegalOrder(f"{supported} cannot move to {province.default_location} (4.B.4)")
        return province.default_location
    if (
        choice is SupportCoast.MANDATORY
        or (choice is SupportCoast.MANDATORY_IF_TWO and both)
        or (choice is SupportCoast.OWN and both and helper.power != supported.power)
    ):
        raise IllegalOrder(f"the coast must be named: {' or '.join(reachable)} (4.B.4)")
    return named


def _legal_convoy(bench: _Bench, unit: Unit, order: Convoy) -> Convoy:
    if unit.kind is not UnitKind.FLEET or unit.province not in bench.map.seas:
        raise IllegalOrder(f"only a fleet at sea can convoy, not {unit} (6.F.1)")
    army = _helped_unit(bench, unit, order.convoyed, "convoy")
    if army.kind is not UnitKind.ARMY:
        raise IllegalOrder(f"{army} is no army: only armies are convoyed (6.A.7)")
    check_coast(bench.map, bench.rules, army.kind, order.destination)
    destination = province_of(order.destination)
    if not bench.ask(_Question(army.province, destination, through=unit.province)):
        raise IllegalOrder(f"{unit} is on no proper route from {army.province} to {destination} (4.E.1, 6.G.19)")
    return Convoy(_named(unit), _named(army), destination)


_LEGAL_FORM: dict[type[MovementOrder], Callable[[_Bench, Unit, Any], MovementOrder]] = {
    Hold: _legal_hold,
    Move: _legal_move,
    SupportHold: _legal_support_hold,
    SupportMove: _legal_support_move,
    Convoy: _legal_convoy,
}


def convoy_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> tuple[Route, ...]:
    """All proper routes from one coastal province to another through these fleets, in a stable order.

    In a proper route no fleet can be left out: none touches an earlier one but its predecessor, only the first touches
    the origin and only the last the destination (DATC 4.E.1, 6.G.19). Any chain of fleets contains a proper route.
    """
    cache: dict[tuple[ProvinceCode, ProvinceCode, frozenset[ProvinceCode]], tuple[Route, ...]]
    cache = game_map.cache.setdefault(convoy_routes, {})
    key = (origin, destination, fleets)
    routes = cache.get(key)
    if routes is None:
        if len(cache) >= _CACHED_ROUTES:
            cache.clear()
        routes = cache[key] = tuple(sorted(_proper_routes(game_map, origin, destination, fleets)))
    return routes


def simple_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    """All routes that pass no fleet twice, proper or roundabout, lazily: there may be many."""
    goal = game_map.shores.get(destination, frozenset())
    if origin == destination or not convoy_routes(game_map, origin, destination, fleets):
        return
    unfinished: list[Route] = [(first,) for first in sorted(game_map.shores[origin] & fleets, reverse=True)]
    while unfinished:
        route = unfinished.pop()
        if route[-1] in goal:
            yield route
        onward = game_map.fleet[route[-1]] & fleets
        unfinished.extend((*route, sea) for sea in sorted(onward, reverse=True) if sea not in route)


def _proper_routes(
    game_map: Map, origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]
) -> Iterator[Route]:
    start = game_map.shores.get(origin, frozenset()) & fleets
    goal = game_map.shores.get(destination, frozenset())
    if origin == destination or game_map.provinces[destination].terrain is not Terrain.COAST:
        return
    unfinished: list[tuple[Route, frozenset[ProvinceCode]]] = [((first,), fleets - start) for first in start]
    while unfinished:
        route, free = unfinished.pop()
        if route[-1] in goal:
            yield route
            continue
        onward = game_map.fleet[route[-1]] & free
        unfinished.extend(((*route, sea), free - onward) for sea in onward)
