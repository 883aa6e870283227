"""Plays by the protocol of DeepMind's `diplomacy`, with the areas, actions and observations that its agents and networks use.

    >>> state = DiplomacyState()
    >>> [len(actions) for actions in state.legal_actions()]
    [34, 29, 30, 38, 38, 42, 27]
    >>> state.step([actions[:1] for actions in state.legal_actions()])
    >>> state.observation().season.name
    'AUTUMN_MOVES'

The numbers are derived from the map: provinces are in four groups, each sorted by name, and actions are sorted by their bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from threading import local
from typing import Any, NamedTuple

from satjudge.base.imports import require_packages
from satjudge.judging.legality.waters import has_path, is_on_simple_route, number_waters
from satjudge.world.geography import Location, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import Rulebook

with require_packages("satjudge.env", "numpy", "wasmtime"):
    import numpy
    from numpy.typing import NDArray

    from satjudge.bulk.games import Games
    from satjudge.bulk.kernel.memory import FALL, NONE, OF_ADJUSTMENT, LongNumbers, Numbers
    from satjudge.bulk.vocabulary import Vocabulary

HOLD, MOVE_TO, SUPPORT_HOLD, SUPPORT_MOVE_TO, CONVOY, CONVOY_TO = 3, 4, 5, 6, 2, 1
DISBAND, RETREAT_TO, BUILD_ARMY, BUILD_FLEET, REMOVE, WAIVE = 8, 9, 10, 11, 12, 13
"""The kinds of actions, in bits 0 to 7."""
_TAGS = {"ENG": "ECH", "BOT": "GOB", "LYO": "GOL"}
"""The provinces of the standard map whose names, and thus order, differ in DeepMind's code."""
_GROUPS = {Terrain.INLAND: 0, Terrain.SEA: 1, Terrain.COAST: 2}


class Season(Enum):
    """The seasons of observations."""

    SPRING_MOVES = 0
    SPRING_RETREATS = 1
    AUTUMN_MOVES = 2
    AUTUMN_RETREATS = 3
    BUILDS = 4

    def is_moves(self) -> bool:
        """Return whether this is a season in which units move."""
        return self in (Season.SPRING_MOVES, Season.AUTUMN_MOVES)

    def is_retreats(self) -> bool:
        """Return whether this is a season in which dislodged units retreat."""
        return self in (Season.SPRING_RETREATS, Season.AUTUMN_RETREATS)

    def is_builds(self) -> bool:
        """Return whether this is the season in which units are built and removed."""
        return self is Season.BUILDS


class Observation(NamedTuple):
    """The observation that agents get."""

    season: Any
    """A `Season` of this module, or of the module passed as `utils`."""
    board: NDArray[numpy.uint8]
    """Areas × features (`Numbering.encode_boards`)."""
    build_numbers: Numbers
    """The number of units that each power may build, or must remove if negative. After removals, they keep
    their values until the next builds."""
    last_actions: list[int]
    """The actions of all powers in the previous phase."""


class Numbering:
    """Numbers the areas and actions of a map as DeepMind does."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary, self.map = vocabulary, vocabulary.map
        self.provinces: tuple[ProvinceCode, ...] = tuple(sorted(vocabulary.provinces, key=self._rank_key))
        """The provinces by number: inland, seas, coasts, provinces with several coasts; in each group, centres come last."""
        self.numbers = {code: number for number, code in enumerate(self.provinces)}
        self.areas: tuple[Location, ...] = tuple(place for code in self.provinces for place in self._list_areas(code))
        """The areas by number: each province, followed by its coasts if it has several."""
        self.area_numbers = {place: number for number, place in enumerate(self.areas)}

    def _rank_key(self, code: ProvinceCode) -> tuple[bool, int, bool, str]:
        province = self.map.provinces[code]
        return len(self._list_areas(code)) > 1, _GROUPS[province.terrain], code in self.map.centers, _TAGS.get(code, code)

    def _list_areas(self, code: ProvinceCode) -> list[Location]:
        return [code, *sorted(set(self.map.provinces[code].locations) - {code})]

    def _get_coast_flag(self, place: Location) -> int:
        """Return 0 for a province's first or only coast and 1 for its second, as areas and actions number coasts."""
        coasts = self._list_areas(province_of(place))[1:]
        return coasts.index(place) if place in coasts else 0

    # ---- actions ----

    def encode_order(self, order: Order) -> int:
        """Return bits 0 to 31 of an order's action: kind, province and coast, target and its coast, third province.

        Raises `ValueError` for an order without an action.
        """
        if isinstance(order, Decline):
            return WAIVE
        kind, target, third = _split_order(order)
        own = order.unit
        found = kind | self.numbers[own.province] << 9
        if kind == BUILD_FLEET:
            found |= self._get_coast_flag(own.location) << 8
        if target is not None:
            found |= self.numbers[province_of(target)] << 17
            if kind in (MOVE_TO, RETREAT_TO):
                found |= self._get_coast_flag(target) << 16
        return found | (self.numbers[third] << 25 if third is not None else 0)

    @cached_property
    def actions(self) -> LongNumbers:
        """All possible actions, sorted by number; bits 48 to 63 of each action are its number."""
        bits = sorted({self.encode_order(order) for order in self.vocabulary.orders if self._is_possible(order)})
        return numpy.array(bits, numpy.int64) | numpy.arange(len(bits), dtype=numpy.int64) << 48

    @cached_property
    def actions_by_order(self) -> LongNumbers:
        """The action for each order of the vocabulary, by the order's number; -1 if no action means the order."""
        numbered = {int(action) & 0xFFFFFFFF: int(action) for action in self.actions}
        return numpy.array([numbered.get(self.encode_order(order), NONE) for order in self.vocabulary.orders], numpy.int64)

    def _is_possible(self, order: Order) -> bool:
        """Return whether DeepMind's actions include an order: a convoyed move needs VIA, a convoy a possible route.

        A supported move must be possible without the supporting fleet.
        """
        match order:
            case Move():
                return order.via_convoy or self._is_next_to(order.unit.kind, order.unit.location, order.destination)
            case Retreat():
                return self._is_next_to(order.unit.kind, order.unit.location, order.destination)
            case SupportMove(unit, helped, destination):
                goal = province_of(destination)
                by_land = helped.kind is UnitKind.FLEET or goal in self.map.army.get(helped.location, ())
                return by_land or self._is_connected(helped.province, goal, unit.province)
            case Convoy(unit, army, destination):
                return self._is_on_route(army.province, destination, unit.province)
            case Build():
                return self.map.provinces[order.unit.province].home is not None
        return True

    def _is_next_to(self, kind: UnitKind | None, origin: Location, destination: Location) -> bool:
        return kind is not None and destination in self.map.exits(kind, origin)

    def _is_connected(self, origin: ProvinceCode, destination: ProvinceCode, excluded: ProvinceCode) -> bool:
        waters = number_waters(self.map)
        free = (1 << len(waters.codes)) - 1 & ~(1 << waters.number[excluded] if excluded in waters.number else 0)
        return has_path(waters.near, waters.shores.get(origin, 0), waters.shores.get(destination, 0), free)

    def _is_on_route(self, origin: ProvinceCode, destination: ProvinceCode, fleet: ProvinceCode) -> bool:
        waters = number_waters(self.map)
        whole, through = (1 << len(waters.codes)) - 1, waters.number[fleet]
        return is_on_simple_route(waters.near, waters.shores.get(origin, 0), waters.shores.get(destination, 0), whole, through)

    # ---- observations ----

    def encode_boards(self, games: Games) -> NDArray[numpy.uint8]:
        """Return the positions of many games as an array of games × areas × features.

        The features: army, fleet, no unit; the unit's power or none; a unit can be built; the unit can be removed; dislodged
        army, fleet, none; its power or none; land, sea, one of several coasts; the owner of the supply centre or nobody.
        """
        count, powers = len(games), len(self.vocabulary.powers)
        owner, build = 3, 4 + powers
        lost, lost_owner = build + 2, build + 5
        kind, center = lost_owner + powers + 1, lost_owner + powers + 4
        found = numpy.zeros((count, len(self.areas), center + powers + 1), numpy.uint8)
        found[:, :, [owner - 1, owner + powers, lost + 2, lost_owner + powers]] = 1
        for units, unit_powers, first, of_power in (
            (games.units, games.powers, 0, owner),
            (games.lost_units, games.lost_powers, lost, lost_owner),
        ):
            rows, columns = numpy.nonzero(units != NONE)
            numbers, powers_there = units[rows, columns], unit_powers[rows, columns]
            for area in self._areas_of_units[numbers].T:
                found[rows, area, first + self._is_fleet[numbers]] = 1
                found[rows, area, first + 2] = 0
                found[rows, area, of_power + powers_there] = 1
                found[rows, area, of_power + powers] = 0
        found[:, :, kind : kind + 3] = self._terrain
        owners = games.owners[:, self._province_of_area]
        is_center = self._is_center[None, :]
        for power in range(powers):
            found[:, :, center + power] = is_center & (owners == power)
        found[:, :, center + powers] = is_center & (owners == NONE)
        self._mark_adjustments(games, found, build)
        return found

    def _mark_adjustments(self, games: Games, features: NDArray[numpy.uint8], build_index: int) -> None:
        """Set the features for possible builds and for units that can be removed in `features`, games × areas × features."""
        for game in numpy.flatnonzero(games.due.any(axis=1)).tolist():
            slots = games.legal()
            for slot in numpy.flatnonzero(slots.game == game).tolist():
                order = self.vocabulary.orders[slots.orders[slots.first[slot]]]
                if isinstance(order, Build):
                    places = self._list_areas(order.unit.province)
                    features[game, [self.area_numbers[place] for place in places], build_index] = 1
                elif isinstance(order, Remove):
                    features[game, self.area_numbers[order.unit.location], build_index + 1] = 1

    @cached_property
    def _areas_of_units(self) -> Numbers:
        """The areas of each unit of the vocabulary, units × 2: of its location and of its province, which may be the same."""
        numbers = [(self.area_numbers[unit.location], self.area_numbers[unit.province]) for unit in self.vocabulary.units]
        return numpy.array(numbers, numpy.int32)

    @cached_property
    def _is_fleet(self) -> Numbers:
        return numpy.array([unit.kind is UnitKind.FLEET for unit in self.vocabulary.units], numpy.int32)

    @cached_property
    def _province_of_area(self) -> list[int]:
        return [self.vocabulary.location_numbers[province_of(place)] for place in self.areas]

    @cached_property
    def _is_center(self) -> NDArray[numpy.bool_]:
        return numpy.array([province_of(place) in self.map.centers for place in self.areas])

    @cached_property
    def _terrain(self) -> NDArray[numpy.uint8]:
        seas = {code for code, province in self.map.provinces.items() if province.terrain is Terrain.SEA}
        kinds = [1 if place in seas else 0 if place in self.numbers else 2 for place in self.areas]
        return numpy.eye(3, dtype=numpy.uint8)[kinds]


def _split_order(order: Order) -> tuple[int, Location | None, ProvinceCode | None]:
    """Return DeepMind's number for an order's kind, its target and the helped unit's province, or None; raise `ValueError`."""
    match order:
        case Hold():
            return HOLD, None, None
        case Move(destination=destination, via_convoy=via):
            return (CONVOY_TO if via else MOVE_TO), destination, None
        case SupportHold(supported=other):
            return SUPPORT_HOLD, other.province, None
        case SupportMove(supported=other, destination=destination):
            return SUPPORT_MOVE_TO, destination, other.province
        case Convoy(convoyed=other, destination=destination):
            return CONVOY, destination, other.province
        case Disband():
            return DISBAND, None, None
        case Retreat(destination=destination):
            return RETREAT_TO, destination, None
        case Build(unit=unit):
            return (BUILD_FLEET if unit.kind is UnitKind.FLEET else BUILD_ARMY), None, None
        case Remove():
            return REMOVE, None, None
    raise ValueError(f"there is no action for {order}")


def begin_game(
    map_name: str, rulebook: Rulebook | str | None, *, last_year: int | None = None, victory: int | None = None
) -> tuple[Games, Numbering]:
    """Return a batch of one new game and its numbering, copied from those that this thread caches for the map.

    Raises the errors of `Games`.
    """
    key = map_name, rulebook, victory
    found = _KEPT.like.get(key)
    if found is None:
        if len(_KEPT.like) >= MOST_KEPT:
            _KEPT.like.clear()
        games = Games(1, map_name, rulebook, victory=victory)
        found = _KEPT.like[key] = games, Numbering(games.vocabulary)
    games, numbering = found
    return games.others(last_year=last_year), numbering


class _GameCache(local):
    """A cache per thread of games and numberings, by map, rulebook and winning number of centres."""

    def __init__(self) -> None:
        self.like: dict[tuple[str, Rulebook | str | None, int | None], tuple[Games, Numbering]] = {}


_KEPT = _GameCache()
MOST_KEPT = 8


class DiplomacyState:
    """A game with DeepMind's protocol `DiplomacyState`, on the standard map.

    Pass DeepMind's module `observation_utils` as `utils` to get observations of its classes.
    """

    def __init__(self, rulebook: Rulebook | str | None = None, *, last_year: int | None = None, utils: Any = None) -> None:  # noqa: ANN401
        self.games, self.numbering = begin_game("standard", rulebook, last_year=last_year)
        self._seasons: Any = utils.Season if utils else Season
        self._observed: Any = utils.Observation if utils else Observation
        self._last_actions: list[int] = []
        self._build_numbers = numpy.zeros(len(self.games.vocabulary.powers), numpy.int32)

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return bool(self.games.over[0])

    def observation(self) -> Observation:
        """Return the observation of all agents."""
        phase, fall = int(self.games.phase[0]), int(self.games.moments[0, FALL])
        adjusting = phase == OF_ADJUSTMENT
        season = self._seasons(4 if adjusting else 2 * fall + phase)
        numbers = self.games.due[0] if adjusting else numpy.minimum(self._build_numbers, 0)
        return self._observed(  # type: ignore[no-any-return]
            season, self.numbering.encode_boards(self.games)[0], numbers.copy(), list(self._last_actions)
        )

    def legal_actions(self) -> list[list[int]]:
        """List each power's legal actions, the powers in alphabetical order; those that may build may also waive a build."""
        found: list[set[int]] = [set() for _ in self.games.vocabulary.powers]
        for power, _, orders in self._list_slots():
            found[power].update(orders)
        for power, due in enumerate(self.games.due[0].tolist()):
            if due > 0:
                found[power].add(int(self._waive))
        return [sorted(actions) for actions in found]

    @cached_property
    def _waive(self) -> int:
        return int(self.numbering.actions_by_order[self.games.vocabulary.order_numbers[Decline()]])

    def _list_slots(self) -> list[tuple[int, int, dict[int, int]]]:
        """List, for each unit or site that needs orders, its power, its column, and its order numbers by legal action."""
        slots, action_of = self.games.legal(), self.numbering.actions_by_order
        found = []
        for slot in range(len(slots.game)):
            orders = slots.orders[slots.first[slot] : slots.first[slot + 1]].tolist()
            by_action = {int(action_of[order]): order for order in reversed(orders) if action_of[order] != NONE}
            found.append((int(slots.power[slot]), int(slots.column[slot]), by_action))
        return found

    def returns(self) -> NDArray[numpy.float64]:
        """Return each power's reward: 1 for the winner, equal shares of a draw for owners of centres, else 0."""
        return self.games.returns[0]  # type: ignore[no-any-return]

    def step(self, actions_per_player: Sequence[Sequence[int]]) -> None:
        """Carry out each power's actions and advance to the next phase; illegal actions are ignored."""
        order_array = numpy.full((1, self.games.columns), NONE, numpy.int32)
        for power, column, orders in self._list_slots():
            for action in actions_per_player[power]:
                if int(action) in orders:
                    order_array[0, column] = orders[int(action)]
        if self.games.phase[0] == OF_ADJUSTMENT:
            self._build_numbers = self.games.due[0].copy()
        self._last_actions = [int(action) for actions in actions_per_player for action in actions]
        self.games.step(order_array)
