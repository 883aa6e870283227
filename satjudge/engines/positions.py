"""Defines the positions that a campaign compares, of any phase: random boards, or positions listed in files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, TypeAlias

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.values import brief
from satjudge.base.values import replace as changed
from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board
from satjudge.files.batch_lines import Request, RequestReader, make_position_fields, read_request
from satjudge.judging.position import Position
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit, by_power, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    RetreatOrder,
    SupportHold,
    SupportMove,
    Unreadable,
)
from satjudge.world.seasons import build_sites, surplus

PhaseOrder: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder
"""Any order about which engines are asked."""
_ORDERS_OF: Mapping[Phase, Any] = {
    Phase.MOVEMENT: MovementOrder,
    Phase.RETREAT: RetreatOrder,
    Phase.ADJUSTMENT: AdjustmentOrder,
}
OrderNumber = tuple[Power, int]
"""The key of an order in a position: its power, and its index among that power's orders."""
EVERY_SO_MANY_ILLEGAL = 8
ILLEGAL = 0.15
"""The share of illegal orders on the boards that have any."""


@dataclass(frozen=True, eq=False, repr=False)
class AskedPosition(Position):
    """A position about which engines are asked; it may be impossible, and all its orders belong to its phase."""

    orders: Mapping[Power, Sequence[PhaseOrder]]

    @cached_property
    def orders_by_number(self) -> dict[OrderNumber, PhaseOrder]:
        """All orders, by power and index among the power's orders."""
        return {(power, number): order for power, given in self.orders.items() for number, order in enumerate(given)}

    @cached_property
    def movement_orders(self) -> dict[OrderNumber, MovementOrder]:
        """The movement orders, by power and index among the power's orders."""
        return {number: order for number, order in self.orders_by_number.items() if isinstance(order, MovementOrder)}

    def transform_orders(self, change: Callable[[OrderNumber, MovementOrder], MovementOrder]) -> dict[Power, list[PhaseOrder]]:
        """Return the orders by power, with each movement order replaced by `change(number, order)`."""

        def made_of(number: OrderNumber, order: PhaseOrder) -> PhaseOrder:
            return change(number, order) if isinstance(order, MovementOrder) else order

        return {
            power: [made_of((power, number), order) for number, order in enumerate(given)]
            for power, given in self.orders.items()
        }

    @cached_property
    def line(self) -> bytes:
        """The position as a batch line, in which form it is stored, sent and compared."""
        written = {power: [str(order) for order in given] for power, given in self.orders.items()}
        line: dict[str, object] = {
            "id": self.name,
            **({} if self.board.phase is Phase.MOVEMENT else {"phase": self.board.phase}),
            **make_position_fields(self.board),
            "units": by_power(self.board.units),
            "orders": written,
        }
        return msgspec.json.encode(line)

    @cached_property
    def key(self) -> str:
        """A hash of the position's content without its name, in 12 hexadecimal digits."""
        nameless = replace(self, name="").line
        return hashlib.sha256(nameless + repr(self.board.dislodged).encode()).hexdigest()[:12]


def format_lone_move(position: AskedPosition) -> str:
    """Return the move in a position of one unit that moves without a convoy: `A PAR - BUR`; "" for other positions."""
    orders = list(position.orders_by_number.values())
    if position.board.phase is Phase.MOVEMENT and len(position.board.units) == 1 and len(orders) == 1:
        unit, order = position.board.units[0], orders[0]
        if isinstance(order, Move) and order.unit.province == unit.province and not order.via_convoy:
            return f"{unit} - {order.destination}"
    return ""


def parse_position(line: bytes, game_map: Map | None = None) -> AskedPosition:
    """Parse the position in a batch line, on `game_map` if the line names no map.

    Raises `InputError`.
    """
    reader = RequestReader(read_request(line, Request), game_map)
    position = make_position(reader.board(), reader.orders(), str(reader.request.id or ""))
    if position is None:
        raise RequestError("orders of another phase, and permissions to pass canals, cannot be compared")
    return position


def make_position(board: Board, orders: Mapping[Power, Iterable[Order]], name: str) -> AskedPosition | None:
    """Make a position about which engines can be asked; None if an order is a permission, unreadable, or of another phase."""
    given: dict[Power, list[PhaseOrder]] = {}
    for power, orders_of in orders.items():
        given[power] = []
        for order in orders_of:
            if isinstance(order, Permission | Unreadable) or not isinstance(order, _ORDERS_OF[board.phase]):
                return None
            given[power].append(order)
    return AskedPosition(board, given, name)


@dataclass(frozen=True)
class Fuzz:
    """A source of random boards, by seed and number.

    Board N of a seed is always the same. Some boards also have illegal orders.
    """

    seed: int = 1
    positions: int = 1000
    flavours: tuple[Flavour, ...] = MIX
    """The flavours of boards to choose from; a flavour that occurs twice is chosen twice as often."""
    units: tuple[int, int] | None = None
    """The smallest and largest number of units on a board; None for a mix of sizes."""
    phases: tuple[Phase, ...] = (Phase.MOVEMENT,)
    """The phases of boards to choose from."""
    first: int = 0
    """The seed's number of the board that is position 0 of this source."""
    map: Map = field(default_factory=load_map)
    map_given: str = ""
    """The argument of `--map`."""

    __repr__ = brief

    def get_position(self, number: int) -> AskedPosition:
        """Draw the board with this number in the source, whose first board has the number 0."""
        number += self.first
        random, name = Random(f"{self.seed}:{number}"), f"seed {self.seed}, board {number}"
        phase = random.choice(self.phases) if len(self.phases) > 1 else self.phases[0]
        if phase is not Phase.MOVEMENT:
            return AskedPosition(*draw_later_phase(random, phase, self.map), name)
        flavour = random.choice(self.flavours)
        illegal = 0.0 if number % EVERY_SO_MANY_ILLEGAL else ILLEGAL
        units = self.units or random.choice(SIZES)
        sample = random_board(random, flavour, units, len(self.map.powers), illegal=illegal, game_map=self.map)
        return AskedPosition(*sample, name)

    @property
    def maps(self) -> frozenset[Map]:
        """The maps of the boards."""
        return frozenset({self.map})

    def list_arguments(self, number: int) -> list[str]:
        """Return the arguments of `satjudge crosscheck` that draw only the board with this number."""
        return ["--seed", str(self.seed), "--only", str(self.first + number), *self.options]

    @property
    def options(self) -> list[str]:
        """The command-line options for properties of the boards that differ from the defaults."""
        flavours = [] if self.flavours == MIX else ["--flavour", ",".join(self.flavours)]
        units = ["--units", f"{self.units[0]}..{self.units[1]}"] if self.units else []
        phases = [] if self.phases == (Phase.MOVEMENT,) else ["--phase", ",".join(self.phases)]
        return [*flavours, *units, *phases, *_list_map_options(self.map_given)]

    def list_parameters(self) -> dict[str, object]:
        """Return the parameters that define the boards (not how many there are), by name, as plain data."""
        parameters = {"seed": self.seed, "flavours": list(self.flavours), "units": list(self.units) if self.units else None}
        parameters |= {"phases": list(self.phases)} if self.phases != (Phase.MOVEMENT,) else {}
        parameters |= {"first": self.first} if self.first else {}
        return parameters if self.map.is_standard else {**parameters, "map": self.map.exact_name}


@dataclass(frozen=True)
class ListedPositions:
    """A source of positions that were read from files."""

    lines: tuple[bytes, ...]
    files: tuple[str, ...] = ()
    """The file from which each position was read, as given by the user."""
    on: tuple[Map, ...] = ()
    """The map of each position; empty if all are on the standard map."""
    map_given: str = ""
    """The argument of `--map`."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.lines)

    def get_position(self, number: int) -> AskedPosition:
        """Parse the position with this number, counted from 0."""
        return parse_position(self.lines[number], self.on[number] if self.on else None)

    @property
    def maps(self) -> frozenset[Map]:
        """The maps of the positions."""
        return frozenset(self.on or {load_map()})

    def list_arguments(self, number: int) -> list[str]:
        """Return the arguments of `satjudge crosscheck` that compare a position: its file and options; [] without a file."""
        return [self.files[number], *self.options] if self.files else []

    @property
    def options(self) -> list[str]:
        """The command-line options that are needed, in addition to the files, to compare the same positions again."""
        return _list_map_options(self.map_given)

    def list_parameters(self) -> dict[str, object]:
        """Return `{"positions": …}` with a checksum over all positions and maps."""
        own = sorted(game_map.exact_name.encode() for game_map in self.maps if game_map.exact_name != game_map.name)
        return {"positions": hashlib.sha256(b"\n".join((*self.lines, *own))).hexdigest()[:16]}


def _list_map_options(map_name: str) -> list[str]:
    return ["--map", map_name] if map_name else []


Source: TypeAlias = Fuzz | ListedPositions
"""A source of positions by number, which also lists its parameters and the arguments that select a position."""


def list_positions(positions: Iterable[AskedPosition], files: Iterable[str] = (), map_given: str = "") -> ListedPositions:
    """Make a source of these positions; `files` has the file of each, and `map_given` is the argument of `--map`."""
    position_list = tuple(positions)
    lines, maps = tuple(position.line for position in position_list), tuple(position.board.map for position in position_list)
    return ListedPositions(lines, tuple(files), maps, map_given)


# ---- random retreat and adjustment phases, in which units get in each other's way ----
#
# No movement phase precedes these phases: engines may be asked about any position, not only about those that follow an
# adjudicated movement phase.

LaterOrders = dict[Power, list[RetreatOrder | AdjustmentOrder]]
_NEAR = 2
"""The largest distance of dislodged units from a randomly chosen province."""
_LOST = (1, 6)
"""The smallest and largest number of dislodged units."""
_SHUT = 0.2
"""The share of unoccupied neighbours to which a dislodged unit may not retreat, as if because of its attacker or a standoff."""
_ILLEGAL = 0.1
_LEFT_OUT = 0.15
"""The share of due orders that are not given."""
_MOST_TOO_MANY = 3
"""The largest number of units that a power has too many or too few."""


def draw_later_phase(random: Random, phase: Phase, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw a random retreat or adjustment phase and return its board and orders."""
    return _draw_retreat_phase(random, game_map) if phase is Phase.RETREAT else _draw_adjustment_phase(random, game_map)


# ---- retreats ----


def _draw_retreat_phase(random: Random, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw a board with dislodged units close to each other, so that retreats may collide, and orders for them."""
    nearby = {random.choice(sorted(game_map.neighbours))}
    for _ in range(_NEAR):
        nearby |= {other for code in nearby for other in game_map.neighbours[code]}
    places = random.sample(sorted(nearby), min(len(nearby), random.randint(*_LOST)))
    beaten = [_draw_unit(random, game_map, code) for code in places]
    others = [code for code in sorted(nearby) if code not in places and random.random() < _SHUT]
    winners = [_draw_unit(random, game_map, code, unlike=unit.power) for code, unit in zip(places, beaten, strict=True)]
    standing = (*winners, *(_draw_unit(random, game_map, code) for code in others))
    occupied = {unit.province for unit in standing}
    dislodged = []
    for unit in beaten:
        free = [place for place in sorted(game_map.exits(unit.kind, unit.location)) if province_of(place) not in occupied]
        shut = {province_of(place) for place in free if random.random() < _SHUT}
        dislodged.append(DislodgedUnit(unit, tuple(place for place in free if province_of(place) not in shut)))
    board = Board(standing, tuple(dislodged), phase=Phase.RETREAT, map=game_map)
    return board, group_pairs((lost.unit.power, order) for lost in dislodged for order in _draw_retreat(random, board, lost))


def _draw_retreat(random: Random, board: Board, dislodged_unit: DislodgedUnit) -> Iterator[RetreatOrder]:
    """Yield a random order for a dislodged unit, usually a retreat to where other units may retreat as well, or none."""
    chance = random.random()
    if chance < _LEFT_OUT:
        return
    unit_name = dislodged_unit.unit.named
    anywhere = sorted(board.map.exits(dislodged_unit.unit.kind, dislodged_unit.unit.location))
    if chance > 1 - _ILLEGAL and anywhere:
        yield Retreat(unit_name, random.choice(anywhere))
    elif not dislodged_unit.retreats or chance > 1 - 2 * _ILLEGAL:
        yield Disband(unit_name)
    else:
        others = {province_of(place) for other in board.dislodged if other is not dislodged_unit for place in other.retreats}
        wanted = [place for place in dislodged_unit.retreats if province_of(place) in others]
        yield Retreat(unit_name, random.choice(wanted or dislodged_unit.retreats))


# ---- adjustments ----


def _draw_adjustment_phase(random: Random, game_map: Map) -> tuple[Board, LaterOrders]:
    """Draw a board whose powers have too many or too few units, and builds or removals, which are sometimes wrong."""
    powers = random.sample(game_map.powers, random.randint(1, len(game_map.powers)))
    centers = {code: random.choice((game_map.provinces[code].home or "", *powers)) for code in sorted(game_map.centers)}
    owned = {code: power for code, power in centers.items() if power in powers}
    free = sorted(game_map.provinces)
    random.shuffle(free)
    units: list[Unit] = []
    for power in powers:
        due = sum(owner == power for owner in owned.values())
        for _ in range(max(0, due + random.randint(-_MOST_TOO_MANY, _MOST_TOO_MANY))):
            if free:
                units.append(_draw_unit(random, game_map, free.pop(), power))
    board = Board(tuple(units), centers=owned, phase=Phase.ADJUSTMENT, map=game_map)
    return board, group_pairs((power, order) for power in powers for order in _draw_adjustments(random, board, power))


def _draw_adjustments(random: Random, board: Board, power: Power) -> Iterator[AdjustmentOrder]:
    """Yield random builds, waives or removals for a power, usually as many as are due; some are illegal or missing."""
    due = surplus(board, power)
    own = [unit for unit in board.units if unit.power == power]
    sites = build_sites(board, power)
    random.shuffle(own)
    random.shuffle(sites)
    for _ in range(abs(due) + (random.random() < _ILLEGAL)):
        chance = random.random()
        if chance < _LEFT_OUT:
            continue
        wrong = chance > 1 - _ILLEGAL
        if due < 0 and own:
            yield Remove((random.choice(board.units) if wrong else own.pop()).named)
        elif wrong:
            yield Build(_draw_spot(random, board.map, random.choice(sorted(board.map.centers))))
        elif sites:
            yield Build(_draw_spot(random, board.map, sites.pop()))
        else:
            yield Decline()


# ---- units ----


def _list_spots(game_map: Map, code: ProvinceCode) -> list[tuple[UnitKind, Location]]:
    """List every unit kind and location that a unit in this province can have."""
    places = dict.fromkeys((code, *game_map.provinces[code].locations))
    return [(kind, place) for kind in UnitKind for place in places if game_map.problem_with(kind, place) is None]


def _draw_spot(random: Random, game_map: Map, code: ProvinceCode) -> Named:
    return Named(*random.choice(_list_spots(game_map, code)))


def _draw_unit(random: Random, game_map: Map, code: ProvinceCode, power: Power = "", *, unlike: Power = "") -> Unit:
    others = [one for one in game_map.powers if one != unlike]
    spot = random.choice(_list_spots(game_map, code))
    return Unit(power or random.choice(others), *spot)


# ---- orders that are nearly right: another coast or letter, a support or convoy to a neighbour, a second order ----
#
# Random boards have legal orders, and illegal ones that make no sense. People and programs make small mistakes, which
# engines treat differently.

_MOST = 3
"""The largest number of slips on a board."""
_SECOND = 0.15
"""The share of slips that give a unit a second order, or an order by another power."""


def add_slips(position: AskedPosition) -> AskedPosition:
    """Return the position with a few small mistakes (slips) in its orders, always the same ones."""
    random = Random(f"0:{position.key}")
    orders: dict[Power, list[PhaseOrder]] = {power: list(given) for power, given in position.orders.items()}
    for _ in range(random.randint(1, _MOST)):
        given = [(power, number) for power, several in orders.items() for number in range(len(several))]
        if not given:
            break
        power, number = random.choice(given)
        order = orders[power][number]
        slip = random.choice([*_iter_slips(random, position.board, order), *_join_convoys(position, order), order])
        if random.random() < _SECOND:
            chosen_power = random.choice([power, power, *orders])
            orders[chosen_power].insert(random.randint(0, len(orders[chosen_power])), slip)
        else:
            orders[power][number] = slip
    return replace(position, orders=orders, name=f"{position.name}, with slips")


def _iter_slips(random: Random, board: Board, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of any phase
    """Yield orders that a player might give by mistake instead of this one."""
    if isinstance(order, Decline):
        return
    game_map = board.map
    yield changed(order, unit=_misname_unit(random, game_map, order.unit))
    if isinstance(order, Build):
        yield from _iter_other_builds(random, board, order)
    elif isinstance(order, Remove):
        yield Remove(random.choice(board.units).named)
    elif isinstance(order, Retreat | Disband):
        yield from _iter_other_retreats(random, board, order)
    else:
        yield from _iter_other_movements(random, board, order)


def _misname_unit(random: Random, game_map: Map, unit: Named) -> Named:
    """Return a unit's name with a random mistake: the other kind, no kind, or another coast."""
    province = province_of(unit.location)
    coasts = [place for place in (province, *game_map.provinces[province].locations) if place != unit.location]
    if coasts and random.random() < 0.5:
        return changed(unit, location=random.choice(coasts))
    return changed(unit, kind=random.choice([None, *(kind for kind in UnitKind if kind is not unit.kind)]))


def _iter_other_builds(random: Random, board: Board, order: Build) -> Iterator[PhaseOrder]:
    kind, place = order.unit.kind, order.unit.location
    yield Decline()
    yield changed(order, unit=Named(UnitKind.ARMY if kind is UnitKind.FLEET else UnitKind.FLEET, place))
    yield changed(order, unit=Named(kind, random.choice(sorted(board.map.centers))))
    if board.units:
        yield changed(order, unit=Named(kind, random.choice(board.units).location))
    yield changed(order, unit=Named(None, province_of(place)))


def _iter_other_retreats(random: Random, board: Board, order: Retreat | Disband) -> Iterator[PhaseOrder]:
    lost = next((one for one in board.dislodged if one.unit.province == province_of(order.unit.location)), None)
    yield Disband(order.unit)
    if lost is None:
        return
    exits = sorted(board.map.exits(lost.unit.kind, lost.unit.location))
    for place in (*lost.retreats[:1], *random.sample(exits, min(2, len(exits)))):
        yield Retreat(order.unit, place)
        yield Retreat(order.unit, province_of(place))
        yield Retreat(order.unit, random.choice(_list_names(board.map, place)))


def _iter_other_movements(random: Random, board: Board, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of a movement phase
    game_map = board.map
    yield Hold(order.unit)
    destination: Location | None = getattr(order, "destination", None)
    if destination is not None:
        near = sorted(game_map.neighbours[province_of(destination)] - {province_of(order.unit.location)})
        yield changed(order, destination=random.choice(near))
        yield changed(order, destination=random.choice(_list_names(game_map, destination)))
    if isinstance(order, Move):
        yield changed(order, via_convoy=not order.via_convoy)
    helped = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    if helped is not None:
        field_name = "supported" if isinstance(order, SupportHold | SupportMove) else "convoyed"
        yield changed(order, **{field_name: _misname_unit(random, game_map, helped)})
        yield changed(order, **{field_name: random.choice(board.units).named})
    if isinstance(order, SupportMove):
        yield SupportHold(order.unit, order.supported)
    if isinstance(order, SupportHold):
        near = sorted(game_map.neighbours[province_of(order.supported.location)] - {province_of(order.unit.location)})
        yield SupportMove(order.unit, order.supported, random.choice(near))
    if isinstance(order, Convoy):
        yield SupportMove(order.unit, order.convoyed, order.destination)


def _join_convoys(position: AskedPosition, order: Any) -> Iterator[PhaseOrder]:  # noqa: ANN401  # of any phase
    """Yield convoy orders by which the fleet of an order would join the convoys of neighbouring fleets."""
    board = position.board
    unit = None if isinstance(order, Decline | Build) else board.unit_at.get(province_of(order.unit.location))
    if board.phase is not Phase.MOVEMENT or unit is None or unit.province not in board.map.seas:
        return
    for other in position.movement_orders.values():
        if isinstance(other, Convoy) and province_of(other.unit.location) in board.map.neighbours[unit.province]:
            yield Convoy(order.unit, other.convoyed, other.destination)


def _list_names(game_map: Map, place: Location) -> Sequence[Location]:
    """List all ways to name a place's province: its code alone, and with each of its coasts."""
    province = province_of(place)
    return [province, *game_map.provinces[province].locations]
