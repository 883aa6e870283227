"""Drafts positions: places units and gives them orders one by one, so that every order is legal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from satjudge.judging.legality import Route, is_connected
from satjudge.world.board import Board, Season, Turn, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, Permission, SupportHold, SupportMove

T = TypeVar("T")
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
LONGEST_ROUTE = 4


class Step(NamedTuple):
    """A direct move that a unit could make."""

    kind: UnitKind
    origin: Location
    destination: Location
    here: ProvinceCode
    """The province of the origin."""
    there: ProvinceCode
    """The province of the destination."""


class Atlas:
    """The facts about a map, or a part of it, that drafting needs, with every collection in a fixed order."""

    def __init__(self, game_map: Map, within: frozenset[ProvinceCode]) -> None:
        self.map = game_map
        self.provinces = tuple(sorted(within))
        self.spots: dict[ProvinceCode, tuple[tuple[UnitKind, Location], ...]] = {}
        """The kinds and locations of possible units, by province."""
        self.steps_from: dict[tuple[UnitKind, Location], tuple[Step, ...]] = {}
        self.steps_into: dict[ProvinceCode, tuple[Step, ...]] = dict.fromkeys(self.provinces, ())
        self.steps_between: dict[tuple[ProvinceCode, ProvinceCode], tuple[Step, ...]] = {}
        for code in self.provinces:
            province = game_map.provinces[code]
            armies = [] if province.terrain is Terrain.SEA else [(ARMY, code)]
            fleets = [] if province.terrain is Terrain.INLAND else [(FLEET, place) for place in province.locations]
            self.spots[code] = (*armies, *fleets)
            for kind, origin in self.spots[code]:
                self._add_steps(kind, origin)
        self.near = {code: _select_provinces(game_map.neighbours[code], within) for code in self.provinces}
        self.seas = _select_provinces(game_map.convoying, within)
        """The provinces where fleets convoy: the seas, and the coasts that convoy on this map."""
        self.seas_near = {sea: _select_provinces(game_map.fleet[sea] & game_map.convoying, within) for sea in self.seas}
        self.shores = {code: _select_provinces(game_map.shores.get(code, ()), within) for code in self.provinces}
        self.coasts: dict[ProvinceCode, tuple[ProvinceCode, ...]] = {
            sea: tuple(
                code
                for code in self.provinces
                if game_map.provinces[code].terrain is Terrain.COAST and sea in self.shores[code]
            )
            for sea in self.seas
        }
        self.distance = {code: self._distances(code) for code in self.provinces}
        self.crossings = tuple(
            Step(ARMY, code, neighbour, code, neighbour)
            for code in self.provinces
            for neighbour in _select_provinces(game_map.difficult.get(code, ()), within)
            if neighbour in game_map.army.get(code, ())
        )
        """The moves over difficult borders (DATC 2.4, 10)."""
        self.halved = tuple(
            step
            for code in self.provinces
            for neighbour in _select_provinces(game_map.half_strength.get(code, ()), within)
            for step in self.steps_between.get((code, neighbour), ())
        )
        """The moves over borders at half strength (vDiplomacy's *1900*)."""
        self.railroads = tuple(line for line in game_map.railroads if within.issuperset(line.line))
        self.canals = tuple(canal for canal in game_map.canals if within.issuperset((canal.keeper, *canal.seas)))
        self.convoying_coasts = tuple(code for code in self.seas if code not in game_map.seas)
        self.shut = _select_provinces(frozenset(code for codes in game_map.closed.values() for code in codes), within)
        """The provinces that are shut in some season (DATC 2.4, 8)."""

    def _add_steps(self, kind: UnitKind, origin: Location) -> None:
        province = province_of(origin)
        exits = sorted(place for place in self.map.exits(kind, origin) if province_of(place) in self.steps_into)
        steps = tuple(Step(kind, origin, place, province, province_of(place)) for place in exits)
        self.steps_from[kind, origin] = steps
        for step in steps:
            self.steps_into[step.there] = (*self.steps_into[step.there], step)
            self.steps_between[province, step.there] = (*self.steps_between.get((province, step.there), ()), step)

    def _distances(self, goal: ProvinceCode) -> dict[ProvinceCode, int]:
        found = {goal: 0}
        queue = [goal]
        for code in queue:
            for other in self.near[code]:
                if other not in found:
                    found[other] = found[code] + 1
                    queue.append(other)
        return found


def _select_provinces(codes: Iterable[ProvinceCode], within: frozenset[ProvinceCode]) -> tuple[ProvinceCode, ...]:
    return tuple(sorted(code for code in codes if code in within))


def load_atlas(game_map: Map, within: frozenset[ProvinceCode] | None) -> Atlas:
    """Return the atlas of some provinces of a map, or of all for None; it is cached with the map."""
    cache: dict[frozenset[ProvinceCode] | None, Atlas] = game_map.cache.setdefault(load_atlas, {})
    if within not in cache:
        cache[within] = Atlas(game_map, frozenset(game_map.provinces) if within is None else within)
    return cache[within]


class Crossing(NamedTuple):
    """An army, the fleets on a route, and the coasts to which they can bring it."""

    army: Unit
    fleets: Sequence[Unit]
    landings: Sequence[ProvinceCode]


class Draft:
    """A position under construction; nothing is ever removed, so a legal order remains legal."""

    def __init__(self, random: Random, atlas: Atlas, size: int, via: float) -> None:
        self.random = random
        self.atlas = atlas
        self.size = min(size, len(atlas.provinces))
        self.via = via
        self.powers: Sequence[Power] = atlas.map.powers
        self.units: dict[ProvinceCode, Unit] = {}
        self.orders: dict[ProvinceCode, MovementOrder] = {}
        self.attacks: dict[ProvinceCode, list[Move]] = {}
        """The moves that are ordered into a province, by province."""
        self.permissions: list[tuple[Power, Permission]] = []
        """The permissions to pass a canal, most of them by the power that holds it."""
        self.centers: dict[ProvinceCode, Power] = {}
        """The owners of supply centres that matter and differ from the start of a game."""
        self.season: Season | None = None
        self.map = atlas.map
        """The map, of which the atlas may show only one season."""
        self._places: list[ProvinceCode] = []
        """The provinces with units, in the sequence in which these were placed."""

    def choose(self, among: Sequence[T]) -> T:
        """Draw one item of a sequence as `Random.choice` does, but twice as fast, since drawing takes most of the time."""
        count = len(among)
        bits, draw = count.bit_length(), self.random.getrandbits
        drawn = draw(bits)
        while drawn >= count > 0:
            drawn = draw(bits)
        return among[drawn]

    @property
    def units_left(self) -> int:
        """The number of units that may still be put on the board."""
        return self.size - len(self.units)

    def draw_chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.random.random() < probability

    def draw_power(self, unlike: Power | None = None) -> Power:
        """Draw a power, usually another one than `unlike`."""
        power = self.choose(self.powers)
        return self.choose(self.powers) if power == unlike else power

    def put_unit(self, kind: UnitKind, location: Location, power: Power) -> Unit:
        """Put a new unit on the board, and return it."""
        province = province_of(location)
        unit = self.units[province] = Unit(power, kind, location)
        self._places.append(province)
        return unit

    def give_order(self, order: MovementOrder) -> None:
        """Record the order of a unit that has none yet."""
        assert order.unit.province not in self.orders, order
        self.orders[order.unit.province] = order
        if isinstance(order, Move):
            self.attacks.setdefault(province_of(order.destination), []).append(order)

    def steps_by_new_units(self, target: ProvinceCode) -> list[Step]:
        """List the direct moves into a province that a new unit, or one without an order, could make."""
        units, orders, room = self.units, self.orders, self.units_left > 0
        found = []
        for step in self.atlas.steps_into[target]:  # the same test as in `can_find_unit_for`
            province = step.here
            unit = units.get(province)
            if room if unit is None else province not in orders and unit.kind is step.kind and unit.location == step.origin:
                found.append(step)
        return found

    def helpers_by_new_units(self, target: ProvinceCode) -> list[Step]:
        """List the steps into a province, except over difficult borders, from which new or unordered units could support."""
        return [step for step in self.steps_by_new_units(target) if self._can_help(step)]

    def _can_help(self, step: Step) -> bool:
        game_map = self.atlas.map
        return not game_map.has_rules or not game_map.hinders(step.kind, step.origin, step.destination)

    def can_find_unit_for(self, step: Step) -> bool:
        """Return whether a unit without an order is, or can be put, at the origin of a step."""
        province = step.here
        unit = self.units.get(province)
        if unit is None:
            return self.units_left > 0
        return province not in self.orders and unit.kind is step.kind and unit.location == step.origin

    def find_unit_for(self, step: Step, power: Power) -> Unit:
        """Return the unit at the origin of a step, or put a new unit of the power there and return it."""
        return self.units.get(step.here) or self.put_unit(step.kind, step.origin, power)

    @property
    def fleets(self) -> list[ProvinceCode]:
        """The provinces with fleets that can convoy, sorted."""
        return [sea for sea in self.atlas.seas if sea in self.units and self.units[sea].kind is FLEET]

    # Convoys.

    def draw_route(self, origin: ProvinceCode, seas: Iterable[ProvinceCode], max_seas: int) -> Route:
        """Draw a route from `origin` over up to `max_seas` of these seas, without possible shortcuts; () if there is none."""
        usable = dict.fromkeys(sea for sea in seas if sea != origin)
        onward = [sea for sea in self.atlas.shores[origin] if sea in usable]
        route: Route = ()
        while onward and len(route) < max_seas:
            for sea in onward:
                del usable[sea]
            route = (*route, self.choose(onward))
            onward = [sea for sea in self.atlas.seas_near[route[-1]] if sea in usable]
        return route

    def list_landings(self, origin: ProvinceCode, route: Route) -> list[ProvinceCode]:
        """Return the coasts where the army of a route can land, except those that a shorter part of the route reaches."""
        nearer = {*route, *(coast for sea in route[:-1] for coast in self.atlas.coasts[sea])}
        return [coast for coast in self.atlas.coasts[route[-1]] if coast != origin and coast not in nearer]

    def order_convoy(self, army: Unit, destination: ProvinceCode, fleets: Sequence[Unit]) -> Move:
        """Order an army to move to a destination, perhaps `VIA`, and these fleets to convoy it, and return the move."""
        move = Move(army.named, destination, self.draw_chance(self.via))
        self.give_order(move)
        for fleet in fleets:
            self.give_order(Convoy(fleet.named, army.named, destination))
        return move

    def put_convoy(self, seas: Sequence[ProvinceCode]) -> Crossing | None:
        """Put, without orders, a new army on a coast of one of these seas, and new fleets for a route; None if impossible."""
        units, coasts = self.units, self.atlas.coasts
        origins = [coast for sea in seas if sea not in units for coast in coasts[sea] if coast not in units]
        if not origins:
            return None
        origin = self.choose(origins)
        longest = 1 + self.draw_chance(0.35) + self.draw_chance(0.2)
        free = [sea for sea in self.atlas.seas if sea not in units]
        route = self.draw_route(origin, free, min(longest, self.units_left - 1))
        landings = self.list_landings(origin, route) if route else []
        if not landings:
            return None
        army = self.put_unit(ARMY, origin, self.draw_power())
        fleets = [self.put_unit(FLEET, sea, army.power if self.draw_chance(0.6) else self.draw_power()) for sea in route]
        return Crossing(army, fleets, landings)

    def order_landing(self, crossing: Crossing, landing: ProvinceCode) -> Move:
        """Order the army of a crossing to land, perhaps with a second route over one more fleet, and return the move."""
        army, fleets, _ = crossing
        move = self.order_convoy(army, landing, fleets)
        straits = [sea for sea in self.atlas.shores[landing] if sea in self.atlas.shores[army.province]]
        strait = self.choose(straits) if straits and self.units_left > 0 and self.draw_chance(0.25) else None
        if strait is not None and strait not in self.units:
            fleet = self.put_unit(FLEET, strait, army.power if self.draw_chance(0.6) else self.draw_power())
            self.give_order(Convoy(fleet.named, army.named, landing))
        return move

    # Attacks and supports.

    def order_attack(self, target: ProvinceCode, avoid: ProvinceCode | None = None) -> Move | None:
        """Order an unordered or a new unit, not in `avoid`, to attack a province's unit; return the move, or None."""
        return self.order_move_into(target, avoid, unlike=self.units[target].power)

    def order_support(self, move: Move, avoid: ProvinceCode | None = None) -> None:
        """Order an unordered or a new unit, but not one in `avoid`, to support a move; do nothing if none can."""
        barred = (move.unit.province, avoid)
        steps = self.helpers_by_new_units(province_of(move.destination))
        steps = [step for step in steps if step.here not in barred]
        if steps:
            step = self.choose(steps)
            mover = self.units[move.unit.province]
            self.try_support_move(self.find_unit_for(step, mover.power if self.draw_chance(0.5) else self.draw_power()), move)

    def try_support_move(self, unit: Unit, move: Move) -> bool:
        """Order a unit in reach to support a move, and return True; False if it is a fleet whose convoy the move needs."""
        destination = province_of(move.destination)
        if not self._is_possible_without(unit, move):
            return False
        wording = move.destination if self.draw_chance(0.5) else destination  # a coast may be omitted
        self.give_order(SupportMove(unit.named, move.unit, wording))
        return True

    def _is_possible_without(self, fleet: Unit, move: Move) -> bool:
        """Return whether a move is possible without a fleet; a fleet cannot support a move that needs it (DATC 6.D.31)."""
        origin, destination = move.unit.province, province_of(move.destination)
        game_map = self.atlas.map
        convoyer = fleet.kind is FLEET and fleet.province in game_map.convoying
        if move.unit.kind is FLEET or move.railroad or not convoyer or destination in game_map.army[origin]:
            return True
        others = frozenset(sea for sea in self.fleets if sea != fleet.province)
        return is_connected(game_map, origin, destination, others)

    def order_move_into(
        self, target: ProvinceCode, avoid: ProvinceCode | None = None, unlike: Power | None = None
    ) -> Move | None:
        """Order an unordered or new unit, not in `avoid`, rarely of `unlike`, to move to a province; return it, or None."""
        steps = [step for step in self.steps_by_new_units(target) if step.here != avoid]
        if not steps:
            return None
        step = self.choose(steps)
        move = Move(self.find_unit_for(step, self.draw_power(unlike)).named, step.destination)
        self.give_order(move)
        return move

    def find_or_put_unit(self, target: ProvinceCode, power: Power | None = None, kind: UnitKind | None = None) -> Unit | None:
        """Return a province's unit, of any kind, or put one of this power and kind there (None: any); None without room."""
        spots = [spot for spot in self.atlas.spots[target] if kind in (None, spot[0])]
        if target in self.units or not spots or self.units_left <= 0:
            return self.units.get(target)
        return self.put_unit(*self.choose(spots), power or self.draw_power())

    def draw_path(self, origin: ProvinceCode, goal: ProvinceCode, max_length: int, *, min_length: int) -> list[ProvinceCode]:
        """Draw a path of `min_length` to `max_length` steps over empty provinces to the goal, perhaps occupied; or []."""
        path = [origin]
        if origin in self.units or max_length < min_length:
            return []
        distance = self.atlas.distance[goal]
        while path[-1] != goal or len(path) == 1:
            left = max_length - len(path)
            onward = [
                code
                for code in self.atlas.near[path[-1]]
                if (code == goal and len(path) >= min_length)
                or (code not in self.units and code not in path and distance.get(code, left + 1) <= left)
            ]
            if not onward:
                return []
            path.append(self.choose(onward))
        return path

    # The other orders.

    def fill_up(self) -> None:
        """Put units on the board, usually next to others, until there are as many as intended."""
        atlas, units, places = self.atlas, self.units, self._places
        while len(units) < self.size:
            around: Sequence[ProvinceCode] = atlas.provinces
            if units and self.draw_chance(0.9):
                around = atlas.near[self.choose(places)]
            free = [code for code in around if code not in units]
            code = self.choose(free or [code for code in atlas.provinces if code not in units])
            kind, location = self.choose(atlas.spots[code])
            self.put_unit(kind, location, self.draw_power())

    def order_other_units(self) -> None:
        """Give orders to most units that have none: convoys first, then moves, then supports and holds."""
        waiting = [unit for province, unit in self.units.items() if province not in self.orders]
        for unit in waiting:
            if unit.kind is ARMY and self.atlas.shores[unit.province] and self.draw_chance(0.35):
                self._try_convoy(unit)
        for unit in waiting:
            steps = self.atlas.steps_from[unit.kind, unit.location]
            if unit.province not in self.orders and self.draw_chance(0.5) and steps:
                self.give_order(Move(unit.named, self.choose(steps).destination))
        for unit in waiting:
            supports = unit.province in self.orders or (self.draw_chance(0.85) and self._try_support(unit))
            if not supports and self.draw_chance(0.8):
                self.give_order(Hold(unit.named))

    def _try_convoy(self, army: Unit) -> None:
        fleets = self.fleets
        route = self.draw_route(army.province, fleets, self.random.randint(1, LONGEST_ROUTE)) if fleets else ()
        landings = self.list_landings(army.province, route) if route else []
        if landings:
            destination = self.choose(landings)
            waiting = [self.units[sea] for sea in route if sea not in self.orders and self.draw_chance(0.95)]
            if self.draw_chance(0.9):
                self.order_convoy(army, destination, waiting)
            else:  # the fleets wait for an army that does something else
                for fleet in waiting:
                    self.give_order(Convoy(fleet.named, army.named, destination))

    def _try_support(self, unit: Unit) -> bool:
        """Order a unit to support a move in reach, ordered or not, or another unit, if any; return whether it got an order."""
        steps = [step for step in self.atlas.steps_from[unit.kind, unit.location] if self._can_help(step)]
        targets = list(dict.fromkeys(step.there for step in steps))
        moves = [move for target in targets for move in self.attacks.get(target, ())]
        neighbours = [self.units[target] for target in targets if target in self.units]
        standing = [other for other in neighbours if not isinstance(self.orders.get(other.province), Move)]
        if moves and self.draw_chance(0.7) and self.try_support_move(unit, self.choose(moves)):
            return True
        if (standing and self.draw_chance(0.9)) or (neighbours and self.draw_chance(0.3)):
            self.give_order(SupportHold(unit.named, self.choose(standing or neighbours).named))
            return True
        return bool(targets) and self._support_absent_move(unit, self.choose(targets))

    def _support_absent_move(self, unit: Unit, target: ProvinceCode) -> bool:
        """Order a unit to support a move that another unit could make, whether ordered or not; return whether it did."""
        possible = [
            step
            for step in self.atlas.steps_into[target]
            if (other := self.units.get(step.here)) is not None
            and other is not unit
            and other.kind is step.kind
            and other.location == step.origin
        ]
        if not possible:
            return False
        step = self.choose(possible)
        return self.try_support_move(unit, Move(Named(step.kind, step.origin), step.destination))

    def finish(self, illegal: float) -> tuple[Board, dict[Power, list[MovementOrder]]]:
        """Return the board and the orders by power, each replaced by a mostly illegal one with probability `illegal`."""
        powers = self.atlas.map.powers
        units = sorted(self.units.values(), key=lambda unit: powers.index(unit.power))
        orders: dict[Power, list[MovementOrder]] = {}
        for unit in units:
            order = self.orders.get(unit.province)
            if order is not None and illegal and self.draw_chance(illegal):
                power = self.draw_power() if self.draw_chance(0.1) else unit.power
                orders.setdefault(power, []).append(self._scramble_order(unit))
            elif order is not None:
                orders.setdefault(unit.power, []).append(order)
        turn = None if self.season is None else Turn(self.map.first_year, self.season)
        return Board(tuple(units), centers=self.centers, map=self.map, turn=turn), orders

    def _scramble_order(self, unit: Unit) -> MovementOrder:
        """Draw an order for a unit that is readable but usually illegal; sometimes only its wording is unusual."""
        choice = self.choose
        everywhere = self.atlas.provinces
        unit_so_named = Named(choice((unit.kind, ARMY, FLEET, None)), choice((unit.location, unit.province)))
        somewhere = choice(choice((self.atlas.near[unit.province] or everywhere, everywhere)))
        another = choice(list(self.units.values()))
        other = Named(choice((another.kind, ARMY, FLEET, None)), choice((another.province, choice(everywhere))))
        destination = choice((somewhere, choice(self.atlas.map.provinces[somewhere].locations)))
        orders: tuple[MovementOrder, ...] = (
            Move(unit_so_named, destination, self.draw_chance(0.5)),
            SupportHold(unit_so_named, other),
            SupportMove(unit_so_named, other, destination),
            Convoy(unit_so_named, other, somewhere),
            *(Move(unit_so_named, choice((*line.line, somewhere)), railroad=line.name) for line in self.atlas.railroads),
        )
        return choice(orders)
