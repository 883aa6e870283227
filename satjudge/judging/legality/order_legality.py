"""Judges the legality of one order by itself: finds its full, legal form, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from satjudge.base.values import brief, replace
from satjudge.judging.legality.routes import Route, is_connected, is_on_route, list_routes
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.world.orders import (
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Permission,
    Retreat,
    SupportHold,
    SupportMove,
    Unreadable,
)
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    CoastOmitted,
    ConvoyPaths,
    IllegalOrders,
    ImpossibleCoast,
    LandFallback,
    Mistake,
    OnlyCoastOmitted,
    SuperfluousConvoy,
    SupportCoast,
)

# ---- what a judgement depends on: an order for which this is the same has the same judgement ----


class ConvoyQuestion(Struct, frozen=True, gc=False):
    """A question about a whole board: whether fleets could carry an army `without` one of them, or `through` one of them."""

    origin: ProvinceCode
    destination: ProvinceCode
    without: ProvinceCode | None = None
    through: ProvinceCode | None = None

    def answer(self, board: Board, rules: Rulebook) -> bool:
        """Return the answer to the question on this board, under these rules."""
        there = board.open_map
        fleets = board.convoyers
        if self.through is None:
            return is_connected(there, self.origin, self.destination, fleets, self.without)
        roundabout = rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        return is_on_route(there, self.origin, self.destination, fleets, self.through, roundabout=roundabout)

    def list_routes(self, game_map: Map) -> tuple[Route, ...]:
        """Return the proper routes on a map each of which makes the answer yes if there are fleets in all its provinces."""
        routes = list_routes(game_map, self.origin, self.destination, game_map.convoying)
        return tuple(route for route in routes if self.without not in route and self.through in (None, *route))


class TrackedPosition(Struct):
    """A board and a rulebook, with a record of what the judgement of the current order depends on."""

    board: Board
    rules: Rulebook
    asked: ConvoyQuestion | None = None
    answer: bool = False
    depends_on_more: bool = False
    """True if the judgement depends on more than the power, its unit, the unit to be helped, and the answer."""

    @property
    def map(self) -> Map:
        """The map of the board, without provinces that are closed in its season."""
        return self.board.open_map

    def clear(self) -> None:
        """Clear the record, before another order is judged."""
        self.asked, self.depends_on_more = None, False

    def ask(self, question: ConvoyQuestion) -> bool:
        """Return the answer to a question about the whole board, and record the question and its answer."""
        self.asked, self.answer = question, question.answer(self.board, self.rules)
        return self.answer


# ---- how orders name units and coasts: errors that the rulebook forgives, and gaps that it fills (DATC 4.B, 4.C) ----


class IllegalOrder(Exception):  # noqa: N818  # illegal orders are no errors
    """An error for an order that can be read but is impossible on this board.

    Its text is the reason. It is always caught inside the package.
    """


def check_name(game_map: Map, rules: Rulebook, named: Named, unit: Unit) -> None:
    """Raise `IllegalOrder` if `named` differs from the unit in a way that the rulebook does not forgive (4.B.5, 4.B.6, 4.C)."""
    if named.kind is None and rules.missing_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"is the unit in {named.location} an army or a fleet? (4.C.1)")
    if named.kind not in (None, unit.kind) and rules.wrong_kind is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.C.2)")
    check_coast(game_map, rules, unit.kind, named.location)
    known = coast_of(named.location) in game_map.provinces[unit.province].coasts
    if known and unit.kind is UnitKind.FLEET and named.location != unit.location and rules.wrong_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{named} is really {unit} (4.B.5)")


def check_coast(game_map: Map, rules: Rulebook, kind: UnitKind, location: Location) -> None:
    """Raise `IllegalOrder` if a unit of this kind cannot be on the named coast, unless the rulebook forgives it (4.B.6)."""
    unknown = coast_of(location) and (
        kind is UnitKind.ARMY or coast_of(location) not in game_map.provinces[province_of(location)].coasts
    )
    if unknown and rules.unknown_coast is Mistake.ILLEGAL:
        raise IllegalOrder(f"{location} names a coast that does not exist for this unit (4.B.6)")


def find_fleet_destination(game_map: Map, origin: Location, destination: Location, rules: Rulebook) -> Location:
    """Return where a fleet ordered to `destination` moves, with the coast that the rulebook fills in or changes, or raise.

    The rulebook may also change the coast. Raises `IllegalOrder` if no coast is possible, if two are and none is named (4.B.1),
    or if the named coast is impossible (4.B.3).
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
        raise _missing_coast(destination, reachable, "4.B.1")
    if province.coasts and rules.only_coast_omitted is not OnlyCoastOmitted.POSSIBLE:
        default = rules.only_coast_omitted is OnlyCoastOmitted.DEFAULT
        if not default or province.default_location not in reachable:
            raise _missing_coast(destination, reachable, "4.B.2")
    return reachable[0]


def find_supported_destination(position: TrackedPosition, helper: Unit, supported: Unit, destination: Location) -> Location:
    """Return where a fleet is supported to: the named coast, the default one if rules say so, or the province; or raise."""
    province = position.map.provinces[province_of(destination)]
    reachable = position.map.fleet_reach[supported.location].get(province.code, ())
    choice = position.rules.support_coast
    named = destination if coast_of(destination) in province.coasts and choice is not SupportCoast.IGNORED else province.code
    if not reachable or (named != province.code and named not in reachable):
        raise IllegalOrder(f"{supported} cannot move to {named} (6.D.22, 6.D.23)")
    if named != province.code or not province.coasts:
        return named
    both = len(reachable) > 1
    position.depends_on_more |= choice is SupportCoast.OWN  # on the power of the unit
    if choice is SupportCoast.DEFAULT:
        if province.default_location not in reachable:
            raise IllegalOrder(f"{supported} cannot move to {province.default_location} (4.B.4)")
        return province.default_location
    if (
        choice is SupportCoast.MANDATORY
        or (choice is SupportCoast.MANDATORY_IF_TWO and both)
        or (choice is SupportCoast.OWN and both and helper.power != supported.power)
    ):
        raise _missing_coast(destination, reachable, "4.B.4")
    return named


def _missing_coast(named: Location, reachable: Sequence[Location], issue: str) -> IllegalOrder:
    """Return the error for a location without a coast that must have one, or with an unknown coast; `issue` is cited."""
    wrong = f"there is no {named}, and " if coast_of(named) else ""
    return IllegalOrder(f"{wrong}the coast must be named: {' or '.join(reachable)} ({issue})")


# ---- one order ----


class Entry(Struct, frozen=True, gc=False):
    """One order as it was given, with its judgement.

    `reason` is why the order is illegal or does not count; None for an order that counts.
    """

    power: Power
    order: Order
    reason: str | None
    province: ProvinceCode | None
    """The province of the ordered unit; None if the power has no unit there."""
    legal: MovementOrder | None = None
    """The order in full, if it is legal by itself."""
    legal_alone: bool = False
    """True if the order is legal by itself but does not count, because its unit has several orders (4.D.3)."""
    counts_as_move: bool = False
    """True if the order is illegal but makes its unit hold in such a way that it cannot be supported (4.E.1)."""

    __repr__ = brief

    @property
    def explicit(self) -> bool:
        """True if this order was given to a unit of the power and is legal by itself or counts as a move (4.E.3)."""
        return self.legal is not None or self.counts_as_move or self.legal_alone

    def reject(self, reason: str) -> Entry:
        """Return a copy of the entry that does not count, for this reason."""
        return replace(self, reason=reason, legal=None, legal_alone=True)


def judge_order(position: TrackedPosition, power: Power, order: Order) -> Entry:
    """Judge an order by itself, and return its entry, with its legal form or the reason why it is illegal."""
    unit: Unit | None = None
    named_badly = False
    try:
        if isinstance(order, Unreadable):
            there = position.board.unit_at.get(order.unit.province)
            unit = there if there and there.power == power else None
            raise IllegalOrder(order.problem)
        if isinstance(order, Permission):
            _check_permission(position, power, order)
            return Entry(power, order, None, None)
        if not isinstance(order, MovementOrder):
            raise IllegalOrder(_explain_other_phase(order))
        unit = _find_ordered_unit(position, power, order)
        named_badly = True
        check_name(position.map, position.rules, order.unit, unit)
        named_badly = False
        return Entry(power, order, None, unit.province, find_legal_form(position, unit, order))
    except IllegalOrder as illegal:
        province = unit.province if unit else None
        # DATC 2.4, 4.C.1 a: if a badly named unit makes an order illegal, “the unit can receive hold support”.
        counts = unit is not None and not named_badly and _counts_as_move(position, unit, order)
        return Entry(power, order, str(illegal), province, counts_as_move=counts)


def _check_permission(position: TrackedPosition, power: Power, order: Permission) -> None:
    """Raise `IllegalOrder` unless the power holds the canal, and the permitted fleet is at its end (DATC 2.4, 7.C)."""
    position.depends_on_more = True  # on the holder of the canal
    canal = next(canal for canal in position.map.canals if canal.name == order.canal)
    keeper = position.board.unit_at.get(canal.keeper)
    if keeper is None or keeper.power != power:
        raise IllegalOrder(f"{position.map.name_of(power)} has no unit in {canal.keeper} that could permit it (DATC 2.4, 7.C)")
    ship = position.board.unit_at.get(order.unit.province)
    if ship is None or ship.kind is not UnitKind.FLEET:
        raise IllegalOrder(f"there is no fleet in {order.unit.province} to pass the {canal.name} (DATC 2.4, 7.C)")
    if position.map.canal_between(ship.location, order.destination) is not canal:
        raise IllegalOrder(f"the {canal.name} leads from {' to '.join(canal.seas)} and back (DATC 2.4, 7.C)")


def find_legal_form(position: TrackedPosition, unit: Unit, order: MovementOrder) -> MovementOrder:
    """Return an order in full, with the unit's true kind and location, or raise `IllegalOrder` if it is illegal by itself."""
    if not isinstance(order, Hold):
        _check_open(position, unit.province)
    return _LEGAL_FORM[type(order)](position, unit, order)


def _explain_other_phase(order: Order) -> str:
    """Return why an order of another phase is illegal in a movement phase, and where it should be written."""
    match order:
        case Retreat():
            return "units retreat in a retreat phase: on a sheet, below a line `retreats`"
        case Disband():
            return "units are disbanded in a retreat phase (on a sheet, below a line `retreats`) or with phase: adjustment"
        case _:
            return "builds and removals are ordered in an adjustment phase (phase: adjustment)"


def _counts_as_move(position: TrackedPosition, unit: Unit, order: Order) -> bool:
    """Return whether an illegal order still counts as an order to move, so that its unit cannot be supported (4.E.1)."""
    if isinstance(order, Unreadable):  # to a place that is not on the map: DATC 2.4, 4.E.1 a (guide, VII: Switzerland)
        return order.moves and position.rules.illegal_orders is IllegalOrders.HOLD
    if not isinstance(order, Move):
        return False
    if position.rules.illegal_orders is IllegalOrders.HOLD_IF_POSSIBLE:
        return _is_possible_elsewhere(position, unit, order)
    return position.rules.illegal_orders is IllegalOrders.HOLD


def _is_possible_elsewhere(position: TrackedPosition, unit: Unit, order: Move) -> bool:
    """Return whether a unit is an army whose move would be possible with fleets on every sea."""
    if unit.kind is UnitKind.FLEET or province_of(order.destination) == unit.province:
        return False
    return is_connected(position.map, unit.province, province_of(order.destination), position.map.convoying)


def _find_ordered_unit(position: TrackedPosition, power: Power, order: MovementOrder) -> Unit:
    """Return the power's unit that an order is for; raise `IllegalOrder` if it has none there, or a neutral one (6.A.6)."""
    unit = position.board.unit_at.get(order.unit.province)
    if unit is None:
        raise IllegalOrder(f"there is no unit in {order.unit.province}")
    if unit.power != power:
        raise IllegalOrder(f"{unit} belongs to {position.map.name_of(unit.power)} (6.A.6)")
    if unit.power == position.map.nobody and not (isinstance(order, Hold) and order.becomes is None):
        raise IllegalOrder(f"{unit} is neutral, so nobody may order it")
    return unit


def _check_open(position: TrackedPosition, province: ProvinceCode) -> None:
    """Raise `IllegalOrder` if a province is closed in the board's season (DATC 2.4, 8)."""
    turn = position.board.turn
    if turn and province in position.map.closed.get(turn.season, ()):
        raise IllegalOrder(f"{province} is closed in {turn.season} (DATC 2.4, 8)")


def _find_helped_unit(position: TrackedPosition, helper: Unit, named: Named, action: str) -> Unit:
    """Return the unit that `named` means, to be supported or convoyed; raise `IllegalOrder` for unforgiven errors."""
    if named.power is not None or position.rules.missing_nationality is Mistake.ILLEGAL:
        position.depends_on_more = True  # on the power of the unit
    unit = position.board.unit_at.get(named.province)
    if unit is None:
        raise IllegalOrder(f"there is no unit in {named.province} to {action}")
    check_name(position.map, position.rules, named, unit)
    foreign = unit.power != helper.power
    if named.power is None and foreign and position.rules.missing_nationality is Mistake.ILLEGAL:
        raise IllegalOrder(f"whose unit is in {named.province}? (4.C.5)")
    if named.power not in (None, unit.power) and position.rules.wrong_nationality is Mistake.ILLEGAL:
        raise IllegalOrder(f"{unit} belongs to {position.map.name_of(unit.power)} (4.C.6)")
    return unit


def _name_unit(unit: Unit) -> Named:
    return Named(unit.kind, unit.location)


def _legal_hold(position: TrackedPosition, unit: Unit, order: Hold) -> Hold:
    return Hold(_name_unit(unit), _legal_kind(position, unit, order.becomes) if order.becomes else None)


def _legal_kind(position: TrackedPosition, unit: Unit, becomes: Named) -> Named:
    """Return what a unit is ordered to become: the other kind in the same coastal centre; else raise `IllegalOrder`."""
    game_map, province = position.map, unit.province
    if not game_map.transforms:
        raise IllegalOrder("units cannot change their kind on this map")
    if not game_map.may_transform(province):
        raise IllegalOrder(
            f"a unit can only change its kind in a coastal centre, which {game_map.provinces[province].name} is not"
        )
    if province_of(becomes.location) != province or becomes.kind in (None, unit.kind):
        other = UnitKind.FLEET if unit.kind is UnitKind.ARMY else UnitKind.ARMY
        raise IllegalOrder(f"{unit} can only become {other} {province}")
    if problem := game_map.problem_with(becomes.kind or unit.kind, becomes.location):
        raise IllegalOrder(problem)
    return Named(becomes.kind, becomes.location)


def _legal_move(position: TrackedPosition, unit: Unit, order: Move) -> Move:
    _check_open(position, province_of(order.destination))
    check_coast(position.map, position.rules, unit.kind, order.destination)
    _check_path(position, unit, order)
    if order.railroad:
        return _legal_ride(position, unit, order)
    if unit.kind is UnitKind.FLEET:
        if position.map.canal_between(unit.location, order.destination):
            return Move(_name_unit(unit), order.destination)
        location = find_fleet_destination(position.map, unit.location, order.destination, position.rules)
        if order.via_convoy and position.rules.impossible_via is Mistake.ILLEGAL:
            raise IllegalOrder(f"{unit} cannot be convoyed: only armies are (4.E.1.via, 6.A.7)")
        return Move(_name_unit(unit), location)
    destination = province_of(order.destination)  # an army's coast is ignored (6.B.12)
    route = _legal_route(position, unit, order, destination)
    via = order.via_convoy or bool(route)
    must_convoy = via and position.rules.land_fallback is LandFallback.NEVER
    _check_army_move(position, unit, destination, must_convoy=must_convoy)
    return Move(_name_unit(unit), destination, via, route)


def _check_path(position: TrackedPosition, moving: Unit, order: Move | Convoy) -> None:
    """Raise `IllegalOrder` if an order names a path that no convoy could take, even if the rulebook ignores paths (4.A.6)."""
    if not order.route:
        return
    if moving.kind is UnitKind.FLEET or (isinstance(order, Move) and order.railroad):
        raise IllegalOrder(f"{moving} moves to one place; only a convoyed army passes through others (4.A.6)")
    if gap := position.map.gap_in_path(moving.location, order.route, order.destination):
        raise IllegalOrder(f"{gap} (4.A.6)")


def _legal_ride(position: TrackedPosition, unit: Unit, order: Move) -> Move:
    """Return a move by railroad in full, or raise `IllegalOrder` unless an army of the railroad's power goes along it."""
    line = next(line for line in position.map.railroads if line.name == order.railroad)
    destination = province_of(order.destination)
    if unit.kind is not UnitKind.ARMY:
        raise IllegalOrder(f"{unit} cannot go by railroad: only armies do (DATC 2.4, 7.B)")
    if unit.power != line.power:
        raise IllegalOrder(f"only {position.map.name_of(line.power)} may use the {line.name} (DATC 2.4, 7.B.34)")
    if destination == unit.province:
        raise IllegalOrder(f"{unit} is already in {destination} (6.A.4)")
    off = next((place for place in (unit.province, destination) if place not in line.line), None)
    if off:
        raise IllegalOrder(f"the {line.name} does not pass {off}: {' - '.join(line.line)} (DATC 2.4, 7.B)")
    return Move(_name_unit(unit), destination, railroad=line.name)


def _legal_route(position: TrackedPosition, unit: Unit, order: Move, destination: ProvinceCode) -> tuple[ProvinceCode, ...]:
    """Return the convoy path that the order names, () if none or ignored (4.A.6); raise `IllegalOrder` if it lacks a fleet."""
    if position.rules.convoy_paths is ConvoyPaths.IGNORED or not order.route:
        return ()
    position.depends_on_more = True  # on the fleets of the route
    route = tuple(province_of(location) for location in order.route)
    if not position.board.convoyers.issuperset(route):
        raise IllegalOrder(f"no army can be convoyed along {unit.province} - {' - '.join(route)} - {destination} (4.A.6)")
    return route


def _legal_support_hold(position: TrackedPosition, unit: Unit, order: SupportHold) -> SupportHold:
    _check_reach(position, unit, order.supported.province)
    return SupportHold(_name_unit(unit), _name_unit(_find_helped_unit(position, unit, order.supported, "support")))


def _legal_support_move(position: TrackedPosition, unit: Unit, order: SupportMove) -> SupportMove:
    supported = _find_helped_unit(position, unit, order.supported, "support")
    destination = province_of(order.destination)
    if supported.province == unit.province:
        raise IllegalOrder(f"{unit} cannot support its own move (4.E.1)")
    _check_reach(position, unit, destination)
    check_coast(position.map, position.rules, supported.kind, order.destination)
    army = supported.kind is UnitKind.ARMY
    lines = [line for line in position.map.railroads if army and {supported.province, destination} <= set(line.line)]
    position.depends_on_more |= bool(lines)  # on the power of that army (only armies go by railroad: DATC 2.4, 7.B)
    if any(line.power == supported.power for line in lines) and supported.province != destination:
        return SupportMove(_name_unit(unit), _name_unit(supported), destination)
    if position.map.canals and position.map.canal_between(supported.location, order.destination):
        return SupportMove(_name_unit(unit), _name_unit(supported), order.destination)
    if army:
        # A fleet cannot support a move that only it could make possible, by convoying (6.D.31).
        _check_army_move(position, supported, destination, without=unit.province)
        return SupportMove(_name_unit(unit), _name_unit(supported), destination)
    return SupportMove(
        _name_unit(unit), _name_unit(supported), find_supported_destination(position, unit, supported, order.destination)
    )


def _legal_convoy(position: TrackedPosition, unit: Unit, order: Convoy) -> Convoy:
    if unit.kind is not UnitKind.FLEET or unit.province not in position.map.convoying:
        raise IllegalOrder(f"only a fleet at sea can convoy, not {unit} (6.F.1)")
    army = _find_helped_unit(position, unit, order.convoyed, "convoy")
    if army.kind is not UnitKind.ARMY:
        raise IllegalOrder(f"{army} is not an army, and only armies are convoyed (6.A.7)")
    _check_path(position, army, order)
    check_coast(position.map, position.rules, army.kind, order.destination)
    destination = province_of(order.destination)
    if destination == unit.province:  # the fleet is on a coast
        raise IllegalOrder(f"{unit} does not convoy an army to its own province (DATC 2.4, 9.A)")
    if not position.ask(ConvoyQuestion(army.province, destination, through=unit.province)):
        raise IllegalOrder(f"{unit} is not on a proper route from {army.province} to {destination} (4.E.1, 6.G.19)")
    return Convoy(_name_unit(unit), _name_unit(army), destination)


def _check_reach(position: TrackedPosition, unit: Unit, province: ProvinceCode) -> None:
    """Raise `IllegalOrder` unless a unit can support into a province, where it must be able to go without a convoy (6.A.10)."""
    if province == unit.province:
        raise IllegalOrder(f"{unit} cannot support into its own province (6.A.8, 6.D.34)")
    _check_open(position, province)
    if unit.kind is UnitKind.ARMY and position.map.is_difficult(unit.province, province):
        raise IllegalOrder(f"no support is given over the difficult border from {unit.province} to {province} (DATC 2.4, 10.E)")
    if position.map.is_at_half(unit.province, province):
        raise IllegalOrder(f"no support is given over the border at half strength from {unit.province} to {province}")
    if unit.kind is UnitKind.ARMY:
        reachable = province in position.map.army[unit.province]
    else:
        reachable = province in position.map.fleet_reach[unit.location]
    if not reachable:
        raise IllegalOrder(f"{unit} cannot support into {province}: it could not move there (6.A.10)")


def _check_army_move(
    position: TrackedPosition,
    army: Unit,
    destination: ProvinceCode,
    *,
    without: ProvinceCode | None = None,
    must_convoy: bool = False,
) -> None:
    """Raise `IllegalOrder` unless an army can go by land (not if `must_convoy`) or by convoy without the fleet in `without`."""
    origin = army.province
    if destination in position.map.army[origin] and not must_convoy:
        return
    if destination == origin:
        raise IllegalOrder(f"{army} is already in {destination} (6.A.4)")
    _check_coasts(position, origin, destination)
    if position.ask(ConvoyQuestion(origin, destination, without=without)):
        return
    if without in position.board.convoyers:
        position.depends_on_more = True  # on the same question, with that fleet
        if ConvoyQuestion(origin, destination).answer(position.board, position.rules):
            alone = position.board.unit_at[without]
            raise IllegalOrder(f"only {alone} could convoy an army from {origin} to {destination}, but it supports (6.D.31)")
    raise IllegalOrder(f"there are no fleets that could convoy an army from {origin} to {destination} (4.E.1, 6.D.32)")


def _check_coasts(position: TrackedPosition, origin: ProvinceCode, destination: ProvinceCode) -> None:
    """Raise `IllegalOrder` if a convoy would start or end inland or at sea (6.A.1, 6.A.2)."""
    if position.map.provinces[destination].terrain is Terrain.SEA:
        raise IllegalOrder(f"an army cannot move from {origin} to {destination}, which is a sea (6.A.2)")
    inland = next((place for place in (destination, origin) if position.map.provinces[place].terrain is Terrain.INLAND), None)
    if inland is None:
        return
    if destination in position.map.army[origin]:  # possible by land, but it is ordered by convoy and cannot fall back
        raise IllegalOrder(f"no army can be convoyed from {origin} to {destination}: {inland} is inland (4.A.3.fallback)")
    raise IllegalOrder(f"an army cannot move from {origin} to {destination}: not adjacent, and {inland} is inland (6.A.1)")


_LEGAL_FORM: dict[type[MovementOrder], Callable[[TrackedPosition, Unit, Any], MovementOrder]] = {
    Hold: _legal_hold,
    Move: _legal_move,
    SupportHold: _legal_support_hold,
    SupportMove: _legal_support_move,
    Convoy: _legal_convoy,
}
