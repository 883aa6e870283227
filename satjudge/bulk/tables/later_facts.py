"""Has the Python code's facts about single orders of retreat and adjustment phases, in the form that the kernel looks up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.order_facts import HashTable, OrderFacts, helped_unit, list_starts, make_matrix
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.judging.adjustments import find_adjustment_problem, judge_adjustments, make_distance_measure, make_sort_key
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit
from satjudge.world.geography import Map, UnitKind, province_of
from satjudge.world.orders import Build, Convoy, Decline, Disband, Move, MovementOrder, Order, Remove, Retreat, SupportMove
from satjudge.world.rules import Rulebook, load_preset, preset_names
from satjudge.world.rules.rulebook import CivilDisorder, Declining, Mistake, SeveralOrders, TooMany, TooManyRemovals
from satjudge.world.verdicts import OrderResult

OURS = "ours"
BY_FLEETS = (CivilDisorder.OWN_FLEETS, CivilDisorder.ANY_FLEETS)
"""Rules under which a unit's distance from home depends on the fleets on the board, so that no table can have it."""


class LaterOrders:
    """The orders of retreat and adjustment phases on a map under a rulebook, each with a number."""

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.map, self.rulebook = vocabulary, vocabulary.map, rulebook
        self.place_of = {code: number for number, code in enumerate(vocabulary.provinces)}
        self.numbers: dict[tuple[Phase, Order], int] = {}
        self.orders: list[Order] = []
        self.rows: list[tuple[int, int, int]] = []
        self.comings = HashTable(3)

    def number_order(self, order: Order, phase: Phase) -> int:
        """Return the number of an order of a retreat or adjustment phase, assigning the next one to a new order."""
        if (phase, order) not in self.numbers:
            self.numbers[phase, order] = len(self.orders)
            self.orders.append(order)
            self.rows.append(self._describe(order, phase))
        return self.numbers[phase, order]

    @property
    def order_table(self) -> Numbers:
        """The numbered orders as a table: the kind, place and built unit of each; last, NO_DUTY for orders of other phases."""
        return numpy.array([*self.rows, (NO_DUTY, NONE, NONE)], numpy.int32)

    def _describe(self, order: Order, phase: Phase) -> tuple[int, int, int]:
        if phase is Phase.RETREAT and isinstance(order, Retreat | Disband):
            return RETREATS, self.place_of[order.unit.province], NONE
        if phase is Phase.ADJUSTMENT and isinstance(order, Remove):
            return REMOVE, self.place_of[order.unit.province], NONE
        if phase is Phase.ADJUSTMENT and isinstance(order, Build):
            return BUILD, self.place_of[order.unit.province], self._find_built_unit(order)
        return (DECLINE if phase is Phase.ADJUSTMENT and isinstance(order, Decline) else NO_DUTY), NONE, NONE

    def _find_built_unit(self, order: Build) -> int:
        """Return the number of the unit that an order would build if nothing prevented it; -1 if it builds none."""
        place = order.unit.province
        powers = [
            power
            for power in (*self.map.powers, OURS)
            if place in self.map.build_centers(power) and power not in self.map.provinces[place].not_counted
        ]
        if not powers:
            return NONE
        board = Board((), centers=dict.fromkeys(self.map.centers, powers[0]), phase=Phase.ADJUSTMENT, map=self.map)
        rules = (
            self.rulebook.with_settings(["4.D.7=allowed"]) if self.rulebook.declining is Declining.REFUSED else self.rulebook
        )
        built = judge_adjustments(board, {powers[0]: [order]}, rulebook=rules).units
        return self.vocabulary.unit_numbers[built[0].named] if built else NONE

    def learn(self, key: int) -> None:
        """Find what an order means for a unit (`key` combines their numbers), and enter it in the table `comings`."""
        number, unit = divmod(key, 512)
        order = self.orders[number]
        owned = Unit(OURS, UnitKind(self.vocabulary.units[unit].kind or ""), self.vocabulary.units[unit].location)
        self.comings.put(
            key, *(self._encode_retreat if self.rows[number][0] == RETREATS else self._encode_removal)(order, owned)
        )

    def _encode_retreat(self, order: Order, unit: Unit) -> tuple[int, int, int]:
        """Return as numbers a retreat's destination (or DISBANDED, or NO_FORM: illegal), its unit, and whether it yields."""
        lost = DislodgedUnit(unit, tuple(sorted(self.map.exits(unit.kind, unit.location))))
        board = Board((), (lost,), phase=Phase.RETREAT, map=self.map)
        found = judge_retreats(board, {OURS: [order]}, rulebook=self.rulebook)
        if found.judged[OURS][0].verdict.order is not OrderResult.SUCCEEDS:
            return NO_FORM, NONE, 0
        if not found.units:
            return DISBANDED, NONE, 0
        arrived = found.units[0]
        yields = unit.kind is UnitKind.ARMY and self.map.is_difficult(unit.province, arrived.location)
        return self.vocabulary.location_numbers[arrived.location], self.vocabulary.unit_numbers[arrived.named], int(yields)

    def _encode_removal(self, order: Order, unit: Unit) -> tuple[int, int, int]:
        """Return 1 if an order is a legal removal for a power that must remove units, else 0, and two unused numbers."""
        board = Board((unit,), phase=Phase.ADJUSTMENT, map=self.map)
        return int(find_adjustment_problem(board, OURS, order, self.rulebook) is None), NONE, NONE

    # Facts that depend only on the map and the rulebook.

    def list_choices(self) -> Numbers:
        """Return the choices of the rulebook and the map that the kernel needs, as an array by the number of the choice."""
        rules, found = self.rulebook, numpy.zeros(OF_CHOICES, numpy.int32)
        found[SEVERAL_ORDERS] = [*SeveralOrders].index(rules.several_orders)
        found[TOO_MANY_BUILDS] = [*TooMany].index(rules.too_many_builds)
        found[BUILDS_IN_ONE] = [*TooMany].index(rules.builds_in_one_province)
        found[TOO_MANY_REMOVALS] = [*TooManyRemovals].index(rules.too_many_removals)
        found[MAY_DECLINE] = rules.declining is Declining.ALLOWED
        found[FROM_CENTERS] = rules.civil_disorder is CivilDisorder.OWNED_CENTERS
        found[BUILDS_ANYWHERE] = self.map.builds_anywhere
        is_preset = rules.name in preset_names() and rules == load_preset(rules.name)
        naming = (rules.missing_kind, rules.wrong_kind, rules.wrong_coast, rules.missing_nationality)
        found[NAMES_IGNORED] = all(choice is Mistake.IGNORED for choice in naming)
        found[COASTS_IGNORED] = rules.unknown_coast is Mistake.IGNORED
        found[NAMED_RULES] = preset_names().index(rules.name) if is_preset else NONE
        return found

    def list_place_bits(self) -> Numbers:
        """Return the roles of places for powers (such as HOME) as bits, powers × places; the last row is for unknown powers."""
        return numpy.array([self._find_places(power) for power in (*self.vocabulary.powers, OURS)], numpy.int32)

    def _find_places(self, power: str) -> list[int]:
        homes = self.map.build_centers(power)
        return [
            (HOME if code in homes else 0)
            | (MATTERS if power not in self.map.provinces[code].not_counted else 0)
            | (IS_CENTER if code in self.map.centers else 0)
            for code in self.vocabulary.provinces
        ]

    def count_steps(self) -> Numbers:
        """Return the steps to each unit from each power's homes or any province, and a row that marks fleets; or no rows.

        The matrix has no rows if the steps depend on the fleets on the board, or if nobody has a home.
        """
        units, rules = self.vocabulary.units, self.rulebook
        if rules.civil_disorder in BY_FLEETS or (self.map.builds_anywhere and not self.list_choices()[FROM_CENTERS]):
            return numpy.zeros((0, len(units)), numpy.int32)
        from_centers = rules.civil_disorder is CivilDisorder.OWNED_CENTERS
        sources: Iterable[str] = self.vocabulary.provinces if from_centers else (*self.vocabulary.powers, OURS)
        rows = []
        for source in sources:
            power, owned = (OURS, {source: OURS}) if from_centers else (source, {})
            steps = make_distance_measure(Board((), centers=owned, phase=Phase.ADJUSTMENT, map=self.map), power, rules)
            rows.append([min(FAR, steps(Unit(power, unit.kind, unit.location))) for unit in units if unit.kind])
        rows.append([unit.kind is UnitKind.FLEET for unit in units])
        return numpy.array(rows, numpy.int32)

    def rank_places(self) -> Numbers:
        """Return each place's rank in the alphabetical sequence of the places' names."""
        names = [make_sort_key(self.map, code, self.rulebook) for code in self.vocabulary.provinces]
        numbers = {name: number for number, name in enumerate(sorted(set(names)))}
        return numpy.array([numbers[name] for name in names], numpy.int32)


# ---- tables for playing games ----


def make_game_tables(facts: OrderFacts, victory: int | None = None) -> dict[str, NDArray[Any]]:
    """Return all tables with which the kernel plays games, by name; `victory` replaces the map's number of centres to win."""
    duties = number_later_orders(facts)
    _learn_all(duties)
    return {**list_orders_by_unit(facts.vocabulary), **list_later_facts(duties, victory), "comings": duties.comings.array}


def find_phase(order: Order) -> Phase:
    """Return the phase, retreat or adjustment, to which an order of the vocabulary belongs."""
    return Phase.RETREAT if isinstance(order, Retreat | Disband) else Phase.ADJUSTMENT


def number_later_orders(facts: OrderFacts) -> LaterOrders:
    """Return the retreats, disbands, builds, removals and the waiver of the vocabulary, numbered in its sequence."""
    vocabulary = facts.vocabulary
    duties = LaterOrders(vocabulary, facts.rulebook)
    for order in vocabulary.orders[vocabulary.first_order[-1] :]:
        duties.number_order(order, find_phase(order))
    return duties


def list_orders_by_unit(vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    """Return the orders that are possible for each unit on a map, as arrays by the kernel's names for them."""
    first_help, helping = _list_helping_orders(vocabulary)
    return {"first_help": first_help, "helping": helping, "later_orders": _list_later_orders(vocabulary)}


def list_later_facts(later_orders: LaterOrders, victory: int | None = None) -> dict[str, NDArray[Any]]:
    """Return the facts about retreats, adjustments and victory under a rulebook, as arrays by the kernel's names."""
    return {
        "of_powers": _list_place_bits(later_orders), "away": later_orders.count_steps(), "alphabet": later_orders.rank_places(),
        "choices": later_orders.list_choices(), "duties": later_orders.order_table,
        "aims": _list_aims(later_orders.map, later_orders.vocabulary.first_order[-1], victory),
    }  # fmt: skip


def _learn_all(later_orders: LaterOrders) -> None:
    """Enter the meaning of each retreat and removal for every unit that may be in the province that it names."""
    standing: dict[int, list[int]] = {}
    for number, unit in enumerate(later_orders.vocabulary.units):
        standing.setdefault(later_orders.place_of[unit.province], []).append(number)
    for number, (kind, place, _) in enumerate(later_orders.rows):
        if kind in (RETREATS, REMOVE):
            for other_place in standing[place]:
                later_orders.learn(number * 512 + other_place)


def _list_helping_orders(vocabulary: Vocabulary) -> tuple[Numbers, Numbers]:
    """Return each unit's orders grouped by the unit that they help: first those that help none; supports before convoys.

    The first array has the start of each group. The second has the orders, and the destinations of armies that must go by sea.
    """
    numbers, count = vocabulary.unit_numbers, HELPS * (1 + len(vocabulary.units))
    found: list[list[int]] = [[] for _ in range(len(vocabulary.units) * count)]
    by_sea = numpy.full(vocabulary.first_order[-1], NONE)
    for number, order in enumerate(vocabulary.orders[: vocabulary.first_order[-1]]):
        assert isinstance(order, MovementOrder)
        other = helped_unit(order)
        helped = HELPS * (1 + numbers[other]) + CONVOYS * isinstance(order, Convoy) if other else 0
        found[numbers[order.unit] * count + helped].append(number)
        by_sea[number] = _find_sea_destination(vocabulary, order)
    every = numpy.array([number for numbers in found for number in numbers], numpy.int32)
    rows = numpy.arange(len(vocabulary.units))[:, None] * count + numpy.arange(count + 1)
    return numpy.array(list_starts(found), numpy.int32)[rows], numpy.stack((every, by_sea[every])).astype(numpy.int32)


def _find_sea_destination(vocabulary: Vocabulary, order: MovementOrder) -> int:
    """Return the province to which an order moves or helps an army by sea (`VIA`, convoy, no way by land); -1 for others."""
    if not isinstance(order, Move | SupportMove | Convoy):
        return NONE
    army, target = helped_unit(order) or order.unit, province_of(order.destination)
    by_land = army.kind is UnitKind.FLEET or target in vocabulary.map.army.get(army.location, ())
    stays = by_land and not isinstance(order, Convoy) and not (isinstance(order, Move) and order.via_convoy)
    return NONE if stays else vocabulary.location_numbers[target]


def _list_later_orders(vocabulary: Vocabulary) -> Numbers:
    """Return a matrix of order numbers: disbands by unit, retreats by exit, each place's first build, builds, and removals."""
    numbers, units = vocabulary.order_numbers, [unit for unit in vocabulary.units if unit.kind]
    exits = [(unit, place) for unit in units if unit.kind for place in sorted(vocabulary.map.exits(unit.kind, unit.location))]
    possible = [(unit.province, numbers[build]) for unit in units if (build := Build(unit)) in numbers]
    builds = [[number for province, number in possible if province == code] for code in vocabulary.provinces]
    rows = [
        [numbers[Disband(unit)] for unit in units],
        [numbers[Retreat(unit, place)] for unit, place in exits],
        list_starts(builds),
        [number for part in builds for number in part],
        [numbers[Remove(unit)] for unit in units],
    ]
    return make_matrix(rows).astype(numpy.int32)


def _list_place_bits(later_orders: LaterOrders) -> Numbers:
    """Return the roles of places for each power as bits, with NEEDED_TO_WIN for the places that a winner must own."""
    needed = [code in later_orders.map.victory_needs for code in later_orders.vocabulary.provinces]
    return later_orders.list_place_bits() | NEEDED_TO_WIN * numpy.array(needed, numpy.int32)


def _list_aims(game_map: Map, first_later_order: int, victory: int | None) -> Numbers:
    """Return the numbers that the kernel needs to play a game, such as how many centres win, from FIRST_DUTY to LEASTS on."""
    usual = game_map.victory or len(game_map.centers) // 2 + 1
    special: Mapping[str, int] = game_map.victories
    of_powers = (special.get(power, NONE) for power in game_map.powers)
    return numpy.array([first_later_order, victory or usual, usual, game_map.first_year, *of_powers], numpy.int32)
