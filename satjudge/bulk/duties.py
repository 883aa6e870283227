"""Keeps what the plain path says of single orders of retreat and adjustment phases, as the kernel looks it up."""

from __future__ import annotations

from collections.abc import Iterable

import numpy

from satjudge.bulk.arrays import *
from satjudge.bulk.known import HashTable
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.judging.adjustments import alphabet_of, judge_adjustments, steps_from_home, why_not_adjusted
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Build, Decline, Disband, Order, Remove, Retreat
from satjudge.world.rules import Rulebook, load_preset, preset_names
from satjudge.world.rules.rulebook import CivilDisorder, Declining, Mistake, SeveralOrders, TooMany, TooManyRemovals
from satjudge.world.verdicts import OrderResult

OURS = "ours"
BY_FLEETS = (CivilDisorder.OWN_FLEETS, CivilDisorder.ANY_FLEETS)
"""Rules by which the fleets on the board decide how far a unit is from home, which no table holds."""


class Duties:
    """The orders of later phases on a map under a rulebook, each with a number."""

    def __init__(self, vocabulary: Vocabulary, rulebook: Rulebook) -> None:
        self.vocabulary, self.map, self.rulebook = vocabulary, vocabulary.map, rulebook
        self.place_of = {code: number for number, code in enumerate(vocabulary.provinces)}
        self.numbers: dict[tuple[Phase, Order], int] = {}
        self.orders: list[Order] = []
        self.rows: list[tuple[int, int, int]] = []
        self.comings = HashTable(3)

    def number(self, order: Order, phase: Phase) -> int:
        """Return the number of an order in a phase."""
        if (phase, order) not in self.numbers:
            self.numbers[phase, order] = len(self.orders)
            self.orders.append(order)
            self.rows.append(self._row(order, phase))
        return self.numbers[phase, order]

    @property
    def array(self) -> Numbers:
        """The kind, the place and the unit that is built of each order."""
        return numpy.array([*self.rows, (NO_DUTY, NONE, NONE)], numpy.int32)

    def _row(self, order: Order, phase: Phase) -> tuple[int, int, int]:
        if phase is Phase.RETREAT and isinstance(order, Retreat | Disband):
            return RETREATS, self.place_of[order.unit.province], NONE
        if phase is Phase.ADJUSTMENT and isinstance(order, Remove):
            return REMOVE, self.place_of[order.unit.province], NONE
        if phase is Phase.ADJUSTMENT and isinstance(order, Build):
            return BUILD, self.place_of[order.unit.province], self._built(order)
        return (DECLINE if phase is Phase.ADJUSTMENT and isinstance(order, Decline) else NO_DUTY), NONE, NONE

    def _built(self, order: Build) -> int:
        """Find the unit that an order builds where everything else allows it; -1 for none."""
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
        """Learn what an order comes to for a unit."""
        number, unit = divmod(key, 512)
        order = self.orders[number]
        owned = Unit(OURS, UnitKind(self.vocabulary.units[unit].kind or ""), self.vocabulary.units[unit].location)
        self.comings.put(key, *(self._retreat if self.rows[number][0] == RETREATS else self._removal)(order, owned))

    def _retreat(self, order: Order, unit: Unit) -> tuple[int, int, int]:
        """Find where a unit goes that may retreat wherever it could, what it is then, and whether it yields to others."""
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

    def _removal(self, order: Order, unit: Unit) -> tuple[int, int, int]:
        """Find whether an order removes a unit of its power, which has too many."""
        board = Board((unit,), phase=Phase.ADJUSTMENT, map=self.map)
        return int(why_not_adjusted(board, OURS, order, self.rulebook) is None), NONE, NONE

    # What is a function of map and rulebook.

    def choices(self) -> Numbers:
        """List the choices of the rulebook that the kernel reads as numbers."""
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

    def of_powers(self) -> Numbers:
        """Tell what each place is to each power; the last row is of powers that the map does not know."""
        return numpy.array([self._places_of(power) for power in (*self.vocabulary.powers, OURS)], numpy.int32)

    def _places_of(self, power: str) -> list[int]:
        homes = self.map.build_centers(power)
        return [
            (HOME if code in homes else 0)
            | (MATTERS if power not in self.map.provinces[code].not_counted else 0)
            | (IS_CENTER if code in self.map.centers else 0)
            for code in self.vocabulary.provinces
        ]

    def away(self) -> Numbers:
        """Count the steps from home, or from each place where owned centres count, to each unit; last, which are fleets.

        Where the fleets on the board decide, or nobody has a home, nothing is known, and the array is empty.
        """
        units, rules = self.vocabulary.units, self.rulebook
        if rules.civil_disorder in BY_FLEETS or (self.map.builds_anywhere and not self.choices()[FROM_CENTERS]):
            return numpy.zeros((0, len(units)), numpy.int32)
        from_centers = rules.civil_disorder is CivilDisorder.OWNED_CENTERS
        sources: Iterable[str] = self.vocabulary.provinces if from_centers else (*self.vocabulary.powers, OURS)
        rows = []
        for source in sources:
            power, owned = (OURS, {source: OURS}) if from_centers else (source, {})
            steps = steps_from_home(Board((), centers=owned, phase=Phase.ADJUSTMENT, map=self.map), power, rules)
            rows.append([min(FAR, steps(Unit(power, unit.kind, unit.location))) for unit in units if unit.kind])
        rows.append([unit.kind is UnitKind.FLEET for unit in units])
        return numpy.array(rows, numpy.int32)

    def alphabet(self) -> Numbers:
        """Number the places in the order of their names."""
        names = [alphabet_of(self.map, code, self.rulebook) for code in self.vocabulary.provinces]
        numbers = {name: number for number, name in enumerate(sorted(set(names)))}
        return numpy.array([numbers[name] for name in names], numpy.int32)
