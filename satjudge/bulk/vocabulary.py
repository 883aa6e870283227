"""Numbers all units, locations and orders that are possible on a map.

>>> vocabulary = Vocabulary("standard")
>>> vocabulary.orders[vocabulary.order("A PAR - BUR")]
Move(unit=Named(kind=UnitKind.ARMY, location='PAR', power=None), destination='BUR', via_convoy=False, route=(), railroad='')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import NamedTuple

import numpy

from satjudge.base.errors import BoardError, InputError, NotationError
from satjudge.base.values import one_line
from satjudge.base.words import number_of
from satjudge.bulk.kernel.memory import NONE, Numbers
from satjudge.files.maps import read_map
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board, Phase, Season, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import AttackOrigin, ConvoyPaths, ImplicitOrders, LandFallback

MOST_ORDERS = 1_000_000
"""The largest number of orders of a map; the largest map that comes with satjudge, Colonial, has a tenth of it."""


KINDS: tuple[type[Order], ...] = (Hold, Move, SupportHold, SupportMove, Convoy, Disband, Retreat, Remove, Build, Decline)
"""The kinds of orders by the numbers in `OrderColumns.kind`."""


class OrderColumns(NamedTuple):
    """The parts of orders: arrays by the number of the order, with -1 for none."""

    unit: Numbers
    kind: Numbers
    target: Numbers
    """The number of the destination of a move, retreat, convoy or supported move, or of a supported unit's location."""
    province: Numbers
    """The number of the province of the ordered unit, or of the centre to build in."""


class Vocabulary:
    """The numbers of all units, locations and orders of a map, which depend neither on rulebooks nor on positions.

    Orders are in full form, with kinds and coasts; those of one unit follow each other. A fleet's move, or its support, also
    occurs without a coast, since some rulebooks allow that (DATC 4.B). `satjudge.batch` also reads longer orders (with a power
    or a convoy path) and shorter ones. Orders by railroad or through a canal have no numbers. Pass a map, or its name or file;
    an unknown name raises `InputError`.
    """

    def __init__(self, game_map: Map | str | Path | None = None) -> None:
        self.map = game_map if isinstance(game_map, Map) else read_map(game_map or "standard")
        if rules := self.map.beyond_tables:
            raise InputError(
                f"the map {self.map.name} has {rules}, which arrays do not support", suggestion="judge boards one by one"
            )
        self.powers: tuple[Power, ...] = tuple(self.map.powers)
        self.provinces: tuple[ProvinceCode, ...] = tuple(sorted(self.map.provinces))
        self.centers: tuple[ProvinceCode, ...] = tuple(sorted(self.map.centers))
        """The supply centres, in the same sequence as the columns of owners."""
        coasts = (place for province in self.map.provinces.values() for place in province.locations)
        self.locations: tuple[Location, ...] = (*self.provinces, *sorted(set(coasts) - set(self.provinces)))
        """The locations: provinces first, with the same numbers, then the coasts of provinces that have several."""
        spots = (Named(kind, place) for kind in UnitKind for place in self.locations)
        self.units: tuple[Named, ...] = tuple(spot for spot in spots if not self.map.problem_with(*_place(spot)))
        """Every possible unit without its power: a kind, and a location in which such a unit can be."""
        self.unit_numbers: Mapping[Named, int] = {unit: number for number, unit in enumerate(self.units)}
        self.location_numbers: Mapping[Location, int] = {place: number for number, place in enumerate(self.locations)}
        self._refuse_too_many()
        movement = tuple(self._list_movement_orders())
        counts = Counter(self.unit_numbers[order.unit] for order in movement)
        self.first_order: tuple[int, ...] = (0, *accumulate(counts[number] for number in range(len(self.units))))
        """The index of each unit's first order of a movement phase, and then the index of the first order of other phases."""
        self.orders: tuple[Order, ...] = (*movement, *self._list_retreats(), *self._list_adjustments())
        self.order_numbers: Mapping[Order, int] = {order: number for number, order in enumerate(self.orders)}

    def __repr__(self) -> str:
        return one_line("Vocabulary", self.map.name, number_of(len(self.orders), "order"), number_of(len(self.units), "unit"))

    def __len__(self) -> int:
        return len(self.orders)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every order, such as `A PAR - BUR`, by number."""
        return tuple(map(str, self.orders))

    @cached_property
    def columns(self) -> OrderColumns:
        """The parts of every order, such as kind and destination, as arrays by the order's number."""
        units, places, of_units = self.unit_numbers, self.location_numbers, []
        for order in self.orders:
            if isinstance(order, Decline):
                of_units.append((NONE, KINDS.index(Decline), NONE, NONE))
                continue
            target = getattr(order, "destination", None) or getattr(getattr(order, "supported", None), "location", None)
            kind, place = KINDS.index(type(order)), places[order.unit.province]
            of_units.append((units[order.unit], kind, places[target] if target else NONE, place))
        return OrderColumns(*numpy.ascontiguousarray(numpy.array(of_units, numpy.int32).T))

    def order(self, order: Order | str, phase: Phase = Phase.MOVEMENT) -> int:
        """Return the number of an order, a value or a text of `phase` in either notation; raise `NotationError` if none."""
        value = parse_order(order, self.map, phase) if isinstance(order, str) else order
        try:
            return self.order_numbers[value]
        except KeyError:
            own = "; arrays have no orders by railroad or through a canal, which satjudge.judge knows"
            where = f"the map {self.map.name}{own if self.map.railroads or self.map.canals else ''}"
            raise NotationError(
                f"{order} is not in the vocabulary of {where}",
                suggestion="write kinds and coasts in full; a move that is impossible by land and by convoy has no number",
            ) from None

    def unit(self, text: str) -> int:
        """Return the number of a unit, given as `A PAR` or `F SPA/SC`; raise `NotationError` for an impossible unit."""
        kind, _, location = text.strip().upper().partition(" ")
        if kind in tuple(UnitKind) and (number := self.unit_numbers.get(Named(UnitKind(kind), location))) is not None:
            return number
        raise NotationError(f"{text!r} is not a unit on the map {self.map.name}", suggestion="write A PAR or F SPA/SC")

    def in_season(self, season: str | None) -> Vocabulary:
        """Return a vocabulary of the map in a season (DATC 2.4, 8), with the same numbers; raise `BoardError` for a wrong one.

        Raises `BoardError` for an unknown season, or for None on a map that shuts provinces in a season.
        """
        closed_text = " and ".join(f"{', '.join(sorted(shut))} in {when}" for when, shut in self.map.closed.items())
        if season is None and closed_text:
            raise BoardError(
                [f"the map {self.map.name} closes provinces in some seasons ({closed_text}): pass season='spring' or 'fall'"]
            )
        if season not in (None, *Season):
            raise BoardError([f"there is no season {season!r}: pass 'spring' or 'fall'"])
        found = copy(self)
        found.map = self.map.in_season(season) if season else self.map
        return found

    def power(self, number: int) -> Power:
        """Return the power with a number; numbers beyond the map's powers have names such as `power 9`."""
        return self.powers[number] if number < len(self.powers) else f"power {number}"

    def unit_of_power(self, unit: int, power: int) -> Unit:
        """Return a unit of a power, given the numbers of both."""
        return Unit(self.power(power), *_place(self.units[unit]))

    def arrays_of(self, boards: Sequence[Board]) -> tuple[Numbers, Numbers, Numbers]:
        """Return positions as arrays: units and powers (boards × units) and owners (boards × centres), -1 for none.

        The number of columns for units is that of the map's supply centres, or larger if a board has more units. Raises
        `BoardError` for a unit or a power that is not on the map.
        """
        columns = max((len(board.units) for board in boards), default=0)
        units, powers = (numpy.full((len(boards), max(columns, len(self.centers))), NONE, numpy.int32) for _ in range(2))
        owners = numpy.full((len(boards), len(self.centers)), NONE, numpy.int32)
        centers, number = ({name: at for at, name in enumerate(names)} for names in (self.centers, self.powers))
        for at, board in enumerate(boards):
            try:
                for column, unit in enumerate(board.units):
                    units[at, column], powers[at, column] = self.unit_numbers[unit.named], number[unit.power]
                for center, power in board.centers.items():
                    owners[at, centers[center]] = number[power]
            except KeyError as error:
                raise BoardError([f"board {at}: there is no {error.args[0]} on the map {self.map.name}"]) from None
        return units, powers, owners

    def _refuse_too_many(self) -> None:
        """Raise `InputError` for a map whose units have too many orders to number; nearly all of these are convoys."""
        touching, fleets = Counter(chain.from_iterable(self._waters_at.values())), Counter(self._water_numbers.values())
        convoys = sum(fleets[water] * coasts * (coasts - 1) for water, coasts in touching.items())
        if convoys > MOST_ORDERS:
            raise InputError(
                f"the map {self.map.name} is too large for arrays: {convoys:,} convoys would need numbers",
                suggestion='judge boards one by one with satjudge.judge; board.unit_orders("F ENG") lists the orders of a unit',
            )

    # All orders that a unit could have, whatever other units are on the board.

    def _list_movement_orders(self) -> Iterator[MovementOrder]:
        destinations = {unit: self._list_destinations(unit) for unit in self.units}
        for me in self.units:
            reach = {province_of(place) for place in self.map.exits(*_place(me))} - {me.province}
            others = [unit for unit in self.units if unit.province != me.province]
            yield Hold(me)
            yield from (Move(me, place) for place in destinations[me])
            yield from (Move(me, coast, via_convoy=True) for coast in self._list_convoy_destinations(me))
            yield from (SupportHold(me, other) for other in others if other.province in reach)
            for other in others:
                yield from (SupportMove(me, other, to) for to in destinations[other] if province_of(to) in reach)
            if me.kind is UnitKind.FLEET and me.province in self.map.convoying:
                for other in others:
                    ways = self._waters_at[other.province] & {self._water_numbers[me.province]}
                    coasts = (
                        coast
                        for coast in self._list_convoy_destinations(other)
                        if ways & self._waters_at[coast] and coast != me.province
                    )
                    yield from (Convoy(me, other, coast) for coast in coasts)

    def _list_destinations(self, unit: Named) -> list[Location]:
        """Return the locations to which a unit may be ordered or helped, and those locations without their coasts."""
        reached = {*self.map.exits(*_place(unit)), *self._list_convoy_destinations(unit)}
        return sorted({*reached, *map(province_of, reached)} - {unit.location, unit.province})

    def _list_convoy_destinations(self, unit: Named) -> list[ProvinceCode]:
        """Return the coasts that an army can reach over the waters at its province; an empty list for a fleet."""
        if unit.kind is not UnitKind.ARMY:
            return []
        mine = self._waters_at[unit.location]
        return [coast for coast in self.provinces if coast != unit.province and mine & self._waters_at[coast]]

    @cached_property
    def _water_numbers(self) -> dict[ProvinceCode, int]:
        """The connected water, by number, of each province in which fleets convoy."""
        found: dict[ProvinceCode, int] = {}
        for start in sorted(self.map.convoying):
            ahead = [start]
            while ahead:
                province = ahead.pop()
                if province not in found:
                    found[province] = len(found) if province == start else found[start]
                    places = self.map.provinces[province].locations
                    ways = (province_of(neighbour) for place in places for neighbour in self.map.fleet.get(place, ()))
                    ahead += [code for code in ways if code in self.map.convoying]
        return found

    @cached_property
    def _waters_at(self) -> dict[ProvinceCode, set[int]]:
        """The connected waters, by number, at each province where armies can be convoyed or land; an empty set for others."""
        coasts = (code for code in self.provinces if self.map.provinces[code].terrain is Terrain.COAST)
        touched = {code: {self._water_numbers[sea] for sea in self.map.shores.get(code, ())} for code in coasts}
        return {code: touched.get(code, set()) for code in self.provinces}

    def _list_retreats(self) -> Iterator[Order]:
        for unit in self.units:
            yield Disband(unit)
            reached = set(self.map.exits(*_place(unit)))
            yield from (Retreat(unit, place) for place in sorted({*reached, *map(province_of, reached)} - {unit.province}))

    def _list_adjustments(self) -> Iterator[Order]:
        yield from map(Remove, self.units)
        yield from map(Build, self._buildable_units)
        yield Decline()

    @property
    def _buildable_units(self) -> Iterable[Named]:
        return (unit for unit in self.units if unit.province in self.map.centers)


def _place(unit: Named) -> tuple[UnitKind, Location]:
    assert unit.kind
    return unit.kind, unit.location


# ---- maps that are too large for compiled code, and rules that arrays cannot express ----

MOST_PROVINCES, MOST_WATERS, MOST_MAP_UNITS, MOST_KEYED_ORDERS = 128, 62, 510, 1 << 24
"""The largest numbers for which the keys and sets of `satjudge.bulk.kernel.judging` have room."""


def explain_size(vocabulary: Vocabulary) -> str | None:
    """Return, in words, which limits of the compiled code a map exceeds; None if it exceeds none."""
    counted = {
        "provinces": (len(vocabulary.provinces), MOST_PROVINCES),
        "provinces in which fleets convoy": (len(vocabulary.map.convoying), MOST_WATERS),
        "possible units": (len(vocabulary.units), MOST_MAP_UNITS),
        "orders": (len(vocabulary), MOST_KEYED_ORDERS),
    }
    found = [f"{count:,} {item_name}, more than {most:,}" for item_name, (count, most) in counted.items() if count > most]
    return f"it has {' and '.join(found)}" if found else None


def find_uncompiled_rule(rulebook: Rulebook) -> str | None:
    """Return, in words, a rule of a rulebook that arrays cannot express; None if they can express all."""
    rules = {
        "the arrays have no trains (DATC 2.4, 7.B)": rulebook.railroads,
        "the arrays have no canals (DATC 2.4, 7.C)": rulebook.canals,
        "the arrays have no difficult borders (DATC 2.4, 10)": rulebook.difficult_borders,
        "the arrays have no borders at half strength (vDiplomacy)": rulebook.half_strength,
        "no orders are added to those given (4.E.3)": rulebook.implicit_orders is not ImplicitOrders.IGNORED,
        "the arrays have no convoy paths (4.A.6)": rulebook.convoy_paths is not ConvoyPaths.IGNORED,
        "the arrays have convoys of ordered fleets alone (4.A.3)": rulebook.land_fallback is LandFallback.IMPOSSIBLE,
        "nobody meets at sea (4.A.4)": rulebook.head_to_head_origin is not AttackOrigin.START,
    }
    return next((rule for rule, has_rule in rules.items() if has_rule), None)
