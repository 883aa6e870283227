"""Shrinks a position as far as possible while it keeps some property.

A step removes something from a position or simplifies it. It removes units with their orders, removes or simplifies an order,
or gives one or all of a power's units to another power. If no order becomes illegal, it also lets an army move by land,
shortens a convoy's route, replaces a fleet by an army or a province by a simpler one. Steps are tried greedily until none of
them keeps the property. Every step makes the position smaller by one of these criteria, compared in this order, so the process
ends.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from time import monotonic
from typing import TypeVar

from satjudge.base.errors import RequestError, SheetError
from satjudge.base.platforms import command_of
from satjudge.base.process_tree import Child
from satjudge.base.values import replace
from satjudge.engines.positions import AskedPosition, OrderNumber, PhaseOrder, format_lone_move
from satjudge.judging.legality import make_docket
from satjudge.notation.write import sheet_text
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, coast_of, province_of
from satjudge.world.orders import Convoy, Decline, Hold, Move, MovementOrder, Named, SupportHold, SupportMove, places_named
from satjudge.world.rules import load_rulebook

MOST_TRIES = 10_000
Step = Callable[[AskedPosition], Iterator[AskedPosition]]
U = TypeVar("U", Unit, Named)


def shrink_position(
    position: AskedPosition, has_property: Callable[[AskedPosition], bool], max_tries: int = MOST_TRIES, seconds: float = inf
) -> AskedPosition:
    """Shrink a position step by step as long as `has_property` is true of it, and return the smallest position found.

    At most `max_tries` positions are tried, for at most `seconds`.
    """
    refused: set[bytes] = set()
    tries, until = 0, monotonic() + seconds

    def is_accepted(candidate: AskedPosition) -> bool:
        nonlocal tries
        if candidate.line in refused or tries >= max_tries or monotonic() > until or candidate.board.problems():
            return False
        tries += 1
        refused.add(candidate.line)  # an accepted one does not occur again
        return has_property(candidate)

    changed = True
    while changed:
        changed = False
        for step in STEPS if position.board.phase is Phase.MOVEMENT else LATER_STEPS:
            while (smaller := next(filter(is_accepted, step(position)), None)) is not None:
                position, changed = smaller, True
    return position


def iter_fewer_units(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield smaller positions without some units and their orders: first without half of the units, then without fewer.

    At least one unit remains, but if there are dislodged units all others may be removed.
    """
    units, dislodged = position.board.units, position.board.dislodged
    size = len(units) * (2 if dislodged else 1)
    while size := size // 2:
        for start in range(0, len(units), size):
            removed = {unit.province for unit in units[start : start + size]}
            if dislodged or len(removed) < len(units):
                yield _remove_units(position, removed)


def _remove_units(position: AskedPosition, provinces: set[ProvinceCode]) -> AskedPosition:
    units = tuple(unit for unit in position.board.units if unit.province not in provinces)
    to_them = {number for number, order in position.orders_by_number.items() if _find_ordered_province(order) in provinces}
    of_them = set[OrderNumber]() if position.board.phase is Phase.RETREAT else to_them  # dislodged units have the orders there
    return _make_position(position, units, _remove_orders(position, of_them))


def _find_ordered_province(order: PhaseOrder) -> ProvinceCode | None:
    """Return the province of the unit to which an order was given, or of a build; None for a declined build."""
    return None if isinstance(order, Decline) else order.unit.province


def _remove_orders(position: AskedPosition, numbers: Collection[OrderNumber]) -> dict[Power, list[PhaseOrder]]:
    return {
        power: [order for number, order in enumerate(given) if (power, number) not in numbers]
        for power, given in position.orders.items()
    }


def iter_fewer_dislodged(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each dislodged unit, the position without it and its orders."""
    board = position.board
    for lost in board.dislodged:
        to_it = {
            number for number, order in position.orders_by_number.items() if _find_ordered_province(order) == lost.unit.province
        }
        rest = tuple(other for other in board.dislodged if other is not lost)
        yield _rebuild_position(position, replace(board, dislodged=rest), _remove_orders(position, to_it))


def iter_fewer_retreats(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each place to which a dislodged unit may retreat, the position without this retreat."""
    board = position.board
    for number, lost in enumerate(board.dislodged):
        for place in lost.retreats:
            fewer = replace(lost, retreats=tuple(other for other in lost.retreats if other != place))
            rest = (*board.dislodged[:number], fewer, *board.dislodged[number + 1 :])
            yield _rebuild_position(position, replace(board, dislodged=rest), position.orders)


def iter_fewer_centers(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each owned supply centre, the position in which nobody owns it."""
    board = position.board
    for code in board.centers:
        rest = {other: power for other, power in board.centers.items() if other != code}
        yield _rebuild_position(position, replace(board, centers=rest), position.orders)


def iter_fewer_orders(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each order, the position without it."""
    for number in position.orders_by_number:
        yield _make_position(position, position.board.units, _remove_orders(position, {number}))


def iter_simpler_orders(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield positions with one movement order simplified: a hold, a support to hold, or without a coast, `VIA` or a route."""
    for (power, number), order in position.movement_orders.items():
        given = position.orders[power]
        for simpler in _simplify_order(order, position.board):
            yield _replace_orders(position, power, [*given[:number], simpler, *given[number + 1 :]])


def _simplify_order(order: MovementOrder, board: Board) -> Iterator[MovementOrder]:
    if not isinstance(order, Hold):
        yield Hold(order.unit)
    if isinstance(order, SupportMove):
        yield SupportHold(order.unit, order.supported)
        if coast_of(order.destination):
            yield replace(order, destination=province_of(order.destination))
    if isinstance(order, Move) and order.via_convoy:
        yield replace(order, via_convoy=False)
    if isinstance(order, Move | Convoy) and order.route:
        yield replace(order, route=())
    yield from _simplify_names(order, board)


def _simplify_names(order: MovementOrder, board: Board) -> Iterator[MovementOrder]:
    """Yield the order with one of its units renamed as on the board, for each unit that is named differently."""
    for part in ("unit", "supported", "convoyed"):
        unit_name: Named | None = getattr(order, part, None)
        standing = board.unit_at.get(unit_name.province) if unit_name else None
        if standing is not None and unit_name != (plain := Named(standing.kind, standing.location)):
            yield replace(order, **{part: plain})


def iter_fewer_powers(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each pair of powers, the position in which the earlier power gets all units and orders of the later one."""
    powers = _list_powers(position)
    for later in range(len(powers) - 1, 0, -1):
        provinces = {unit.province for unit in _list_units(position, powers[later])}
        for earlier in range(later if provinces else 0):
            yield _transfer_units(position, powers[earlier], provinces)


def iter_plainer_owners(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield positions in which a unit belongs to another power, if that leaves fewer powers or simplifies their pattern.

    Powers are numbered as they first occur, and smaller numbers are simpler: `(0, 0, 1)` is simpler than `(0, 1, 0)`.
    """
    powers, now = _list_powers(position), _number_owners(position)
    for unit in position.board.units:
        for other in powers:
            if other != unit.power and _number_owners(given := _transfer_units(position, other, {unit.province})) < now:
                yield given


def _number_owners(position: AskedPosition) -> tuple[int, ...]:
    """Return a number for each unit's owner, in order of first occurrence: `(0, 0, 1)` if only the third unit is foreign."""
    numbered: dict[Power, int] = {}
    return tuple(numbered.setdefault(unit.power, len(numbered)) for unit in position.board.units)


def iter_land_moves(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each convoyed move, the position without its convoying fleets and without `VIA`."""
    for (power, number), move in position.movement_orders.items():
        if isinstance(move, Move) and (fleets := set(_find_convoying_fleets(position, move))):
            given = position.orders[power]
            plain = replace(move, via_convoy=False, route=())
            yield _remove_units(_replace_orders(position, power, [*given[:number], plain, *given[number + 1 :]]), fleets)


def _find_convoying_fleets(position: AskedPosition, move: Move) -> list[ProvinceCode]:
    """List the provinces of the fleets that are ordered to convoy this move."""
    convoys = (order for order in position.movement_orders.values() if isinstance(order, Convoy))
    way = move.unit.province, province_of(move.destination)
    return [one.unit.province for one in convoys if (one.convoyed.province, province_of(one.destination)) == way]


def iter_shorter_routes(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield positions with one fleet fewer in a convoy, and with the army's origin or destination closer.

    The closer province is adjacent to everything in the position to which the old one was adjacent.
    """
    game_map = position.board.map
    for move in [order for order in position.movement_orders.values() if isinstance(order, Move)]:
        fleets = _find_convoying_fleets(position, move)
        for fleet in fleets if len(fleets) > 1 else ():
            shorter = _remove_units(position, {fleet})
            occupied = _list_provinces(shorter)
            beside = game_map.neighbours[fleet] & {*fleets}
            for end in {move.unit.province: None, province_of(move.destination): None}:
                needed = game_map.neighbours[end] & occupied
                for code in sorted(game_map.provinces):
                    touched = game_map.neighbours[code]
                    if code not in occupied and not game_map.provinces[code].coasts and needed <= touched and beside & touched:
                        yield _replace_province(shorter, end, code)


def _list_powers(position: AskedPosition) -> list[Power]:
    """List the powers that have units or orders, in the sequence of the map's powers."""
    rank = {power: number for number, power in enumerate(position.board.map.powers)}
    powers = {*(unit.power for unit in position.board.units), *position.orders}
    return sorted(powers, key=lambda power: (rank.get(power, len(rank)), power))


def _list_units(position: AskedPosition, power: Power) -> list[Unit]:
    return [unit for unit in position.board.units if unit.power == power]


def _transfer_units(position: AskedPosition, heir: Power, provinces: set[ProvinceCode]) -> AskedPosition:
    """Return the position in which the power `heir` gets the units in some provinces, with their orders."""
    owners = {unit.power for unit in position.board.units if unit.province in provinces}
    units = tuple(replace(unit, power=heir) if unit.province in provinces else unit for unit in position.board.units)
    orders: dict[Power, list[PhaseOrder]] = {power: [] for power in (*position.orders, heir)}
    for power, given in position.orders.items():
        for order in given:
            orders[heir if power in owners and _find_ordered_province(order) in provinces else power].append(order)
    return _make_position(position, units, orders)


def keep_legality(step: Step) -> Step:
    """Return a shrinking step that leaves out a step's positions with more illegal orders than before."""

    def legal(position: AskedPosition) -> Iterator[AskedPosition]:
        most = _count_illegal_orders(position)
        return (
            candidate
            for candidate in step(position)
            if not candidate.board.problems() and _count_illegal_orders(candidate) <= most
        )

    return legal


def _count_illegal_orders(position: AskedPosition) -> int:
    """Return the number of orders that are illegal under the default rulebook."""
    entries = make_docket(position.board, position.orders, load_rulebook()).entries
    return sum(entry.reason is not None for given in entries.values() for entry in given)


def iter_plainer_units(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield, for each fleet in a coastal province, the position with an army instead; nothing for a lone move."""
    if format_lone_move(position):
        return
    provinces = position.board.map.provinces
    for unit in position.board.units:
        if unit.kind is UnitKind.FLEET and provinces[unit.province].terrain is not Terrain.SEA:
            yield _replace_province(position, unit.province, unit.province, as_army=True)


def iter_plainer_places(position: AskedPosition) -> Iterator[AskedPosition]:
    """Yield positions with one province replaced by a simpler unused one, if necessary with an army instead of a fleet.

    The simpler of two provinces is the one without separate coasts, else the one that is not a sea, else the one with fewer
    neighbours, else the one whose code comes first. It must be adjacent to everything in the position to which the replaced
    province is adjacent. The move of a lone unit, which is about a border, is left unchanged.
    """
    if format_lone_move(position):
        return
    game_map = position.board.map
    occupied = _list_provinces(position)
    order = sorted(game_map.provinces, key=lambda code: _plainness_key(code, game_map))
    for code in sorted(occupied, key=order.index, reverse=True):
        needed = game_map.neighbours[code] & occupied
        for plainer in islice(order, order.index(code)):
            if plainer not in occupied and not game_map.provinces[plainer].coasts and needed <= game_map.neighbours[plainer]:
                yield _replace_province(position, code, plainer)
                if game_map.provinces[code].terrain is not game_map.provinces[plainer].terrain:
                    yield _replace_province(position, code, plainer, as_army=True)


def _plainness_key(code: ProvinceCode, game_map: Map) -> tuple[bool, bool, int, ProvinceCode]:
    province = game_map.provinces[code]
    return bool(province.coasts), province.terrain is Terrain.SEA, len(game_map.neighbours[code]), code


def _list_provinces(position: AskedPosition) -> set[ProvinceCode]:
    """Return the provinces of all units and all those that orders name."""
    ordered = {province_of(place) for given in position.orders.values() for order in given for place in places_named(order)}
    return ordered | set(position.board.unit_at)


def _replace_province(position: AskedPosition, old: ProvinceCode, new: ProvinceCode, *, as_army: bool = False) -> AskedPosition:
    """Return the position with one province replaced by another everywhere, and its fleet by an army if `as_army`."""

    def place(location: Location) -> Location:
        return new if province_of(location) == old else location

    def replace_in_unit(unit: U) -> U:
        disembarked = as_army and unit.kind is UnitKind.FLEET and unit.province == old
        moved_unit = replace(unit, location=place(unit.location))
        return replace(moved_unit, kind=UnitKind.ARMY) if disembarked else moved_unit

    def replace_in_order(order: MovementOrder) -> MovementOrder:
        changes: dict[str, object] = {}
        for part in ("unit", "supported", "convoyed"):
            if (unit := getattr(order, part, None)) is not None:
                changes[part] = replace_in_unit(unit)
        if not isinstance(order, Hold | SupportHold):
            changes["destination"] = place(order.destination)
        if isinstance(order, Move | Convoy):
            changes["route"] = tuple(map(place, order.route))
        return replace(order, **changes)

    units = tuple(map(replace_in_unit, position.board.units))
    return _make_position(position, units, position.transform_orders(lambda _, order: replace_in_order(order)))


def _replace_orders(position: AskedPosition, power: Power, new_orders: Sequence[PhaseOrder]) -> AskedPosition:
    return _make_position(position, position.board.units, {**position.orders, power: new_orders})


def _make_position(
    position: AskedPosition, units: tuple[Unit, ...], orders: Mapping[Power, Sequence[PhaseOrder]]
) -> AskedPosition:
    return _rebuild_position(position, replace(position.board, units=units), orders)


def _rebuild_position(position: AskedPosition, board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> AskedPosition:
    return AskedPosition(board, {power: texts for power, texts in orders.items() if texts}, position.name)


STEPS: tuple[Step, ...] = (
    iter_fewer_units,
    iter_fewer_orders,
    iter_simpler_orders,
    keep_legality(iter_land_moves),
    keep_legality(iter_shorter_routes),
    iter_fewer_powers,
    iter_plainer_owners,
    keep_legality(iter_plainer_units),
    keep_legality(iter_plainer_places),
)
"""The steps tried in movement phases."""
LATER_STEPS: tuple[Step, ...] = (
    iter_fewer_units,
    iter_fewer_dislodged,
    iter_fewer_orders,
    iter_fewer_retreats,
    iter_fewer_centers,
)
"""The steps tried in retreat and adjustment phases."""


# ---- `satjudge reduce`: shrinks a user's position as long as the user's program still fails on it ----
#
# Like the interestingness test of C-Reduce, the test exits with 0 while the position still fails, and with any other
# status if it does not.

Progress = Callable[[AskedPosition, int], None]
"""A function that is called with the smallest position so far and the number of positions tried."""


@dataclass(frozen=True)
class FailureTest:
    """A program that reads a position as a batch line, and exits with 0 if the position still fails."""

    command: Sequence[str]
    seconds: float = inf
    """The time limit; a program that takes longer counts as not exiting with 0."""

    def __call__(self, position: AskedPosition) -> bool:
        """Return whether the program exits with 0, so that the position still fails.

        Raises `RequestError` if the program cannot be started.
        """
        return self.run(position) == 0

    def run(self, position: AskedPosition) -> int | None:
        """Run the program on a position; return its exit status, or None if it took too long.

        Raises `RequestError` if the program cannot be started.
        """
        nowhere = subprocess.DEVNULL
        try:
            child = Child(self.command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere)
        except OSError as error:
            raise RequestError(f"--test {command_of(self.command)}: it cannot be started: {error.strerror}") from None
        try:
            child.communicate(position.line + b"\n", None if self.seconds == inf else self.seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            child.end()
        return child.returncode


def reduce_position(
    position: AskedPosition, test: FailureTest, on_progress: Progress = lambda smallest, tries: None
) -> AskedPosition:
    """Shrink a position as long as the test program exits with 0, and return the smallest position found.

    Raises `RequestError` if the test does not exit with 0 on the given position, or on the smallest one when repeated.
    """
    if (status := test.run(position)) != 0:
        raise RequestError(
            f"{position.name or 'the position'}: the test {_format_status(status)} on the original position",
            suggestion="it must exit with 0 while the position still fails; it reads the position as a batch line",
        )
    smallest, tries = position, 0

    def keeps(candidate: AskedPosition) -> bool:
        nonlocal tries, smallest
        tries += 1
        if result := test(candidate):
            smallest = candidate
        on_progress(smallest, tries)
        return result

    shrink_position(position, keeps)
    if (status := test.run(smallest)) != 0:
        raise RequestError(
            f"{position.name or 'the position'}: repeated on the smallest position, the test {_format_status(status)}:"
            f" {smallest.line.decode()}",
            suggestion="a test must give the same result each time",
        )
    return smallest


def _format_status(status: int | None) -> str:
    return "takes too long" if status is None else f"exits with {status}"


def format_reduced(position: AskedPosition) -> str:
    """Format a position as an order sheet, or as a batch line if a sheet cannot express it."""
    try:
        return sheet_text(position.board, position.orders, identity=position.name)
    except SheetError:
        return position.line.decode() + "\n"
