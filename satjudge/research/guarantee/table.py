"""A board on which every unit may be given any legal order, as formulas with copies of the resolutions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satjudge.board import Board, Unit
from satjudge.equations import statement
from satjudge.equations.situation import (
    ConvoyDecision,
    Decision,
    MoveDecision,
    Place,
    Situation,
    SupportDecision,
    situate_candidates,
)
from satjudge.errors import InputError, UnresolvedError
from satjudge.geography import Power, ProvinceCode
from satjudge.judge import judge
from satjudge.legality import sort_out
from satjudge.orders import Hold, MovementOrder
from satjudge.outcome import Outcome
from satjudge.research.guarantee.cycles import require_cycles
from satjudge.research.guarantee.reading import own_units
from satjudge.research.guarantee.wish import is_met
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import Goal
from satjudge.research.search.proposals import holding, in_full
from satjudge.research.search.universe import Universe
from satjudge.rules import ParadoxFallback, ParadoxRule, Rulebook
from satjudge.solve.clauses import FALSE, TRUE, Clausal, Formula, Literal

OrderSet = Mapping[Unit, MovementOrder]
"""One order for each of some units."""


def by_power(*orders: OrderSet) -> dict[Power, list[MovementOrder]]:
    """All of these orders, power by power."""
    given: dict[Power, list[MovementOrder]] = {}
    for part in orders:
        for unit, order in part.items():
            given.setdefault(unit.power, []).append(order)
    return given


@dataclass(frozen=True)
class Table:
    """A board, the power that wants something, its wish, and the rulebook by which it is judged.

    Raises `InputError` for a power without units, and for a rulebook that has no answer to some convoy paradoxes: nothing
    could be guaranteed.
    """

    board: Board
    power: Power
    goal: Goal
    rulebook: Rulebook

    def __post_init__(self) -> None:
        rule, fallback = self.rulebook.paradox, self.rulebook.paradox_fallback
        incomplete = rule in (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
        if rule is ParadoxRule.NONE or (incomplete and fallback is ParadoxFallback.UNRESOLVED):
            hint = "add --set 4.A.2.fallback=szykman" if incomplete else "add --set 4.A.2=szykman"
            raise InputError(f"{self.rulebook.name} has no answer to some convoy paradoxes", suggestion=hint)
        _ = self.own

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """The units of the power, which has some."""
        return own_units(self.board, self.power)

    @cached_property
    def others(self) -> tuple[Unit, ...]:
        """All other units."""
        return tuple(unit for unit in self.board.units if unit.power != self.power)

    @cached_property
    def legal(self) -> dict[Unit, tuple[MovementOrder, ...]]:
        """Every legal order but holding, in full, of every unit."""
        longest = max(1, len(self.board.fleets_at_sea))
        universe = Universe(self.rulebook, self.board.units, longest_route=longest, map=self.board.map)
        found: dict[Unit, dict[MovementOrder, None]] = {unit: {} for unit in self.board.units}
        for candidate in universe.candidates:
            unit = self.board.unit_at[candidate.order.unit.province]
            order = in_full(candidate.order, self.board, self.rulebook)
            legal = sort_out(self.board, {unit.power: [order]}, self.rulebook).orders.get(unit.province)
            if legal is not None:
                found[unit].setdefault(legal)
        return {unit: tuple(orders) for unit, orders in found.items()}

    def outcome(self, *orders: OrderSet) -> Outcome | None:
        """What the judge says; None if the rulebook has no answer."""
        try:
            return judge(self.board, by_power(*orders), rulebook=self.rulebook)
        except UnresolvedError:
            return None

    def met(self, outcome: Outcome | None) -> bool:
        """Whether the wish came true; an outcome that nobody knows is not what was wished for."""
        return outcome is not None and is_met(self.goal, outcome)

    def overridden(self) -> tuple[type[Decision], ...]:
        """Decisions that backup rules may let fail whatever their equations say (DATC 4.A.2)."""
        rule, fallback = self.rulebook.paradox, self.rulebook.paradox_fallback
        moves = ParadoxRule.ALL_HOLD in (rule, fallback) or ParadoxRule.GUIDE in (rule, fallback)
        return (ConvoyDecision, MoveDecision) if moves else (ConvoyDecision,)


class Choices:
    """Some units with a literal for each of their legal orders. A unit with none of them holds."""

    def __init__(self, table: Table, units: Iterable[Unit], formula: Formula) -> None:
        self.literals = {(unit, order): formula.new(str(order)) for unit in units for order in table.legal[unit]}
        self.units = tuple(units)
        for unit in self.units:
            formula.require_one_at_most(literal for (other, _), literal in self.literals.items() if other == unit)

    def read(self, holds: Callable[[Literal], bool]) -> dict[Unit, MovementOrder]:
        """The orders in an assignment."""
        orders: dict[Unit, MovementOrder] = {unit: holding(unit) for unit in self.units}
        orders.update(key for key, literal in self.literals.items() if holds(literal))
        return orders

    def exactly(self, orders: OrderSet) -> list[Literal]:
        """Literals that hold all together just where these orders are given."""
        return [literal if orders[unit] == order else -literal for (unit, order), literal in self.literals.items()]


class Posed:
    """Given and unknown orders on a board, and a copy of their resolution: consistent, or with convoys that fail at will.

    `fails` are the literals of decisions that fail whatever their equations say; without them the copy is consistent.
    """

    def __init__(self, table: Table, formula: Formula, given: OrderSet, unknown: Sequence[Choices]) -> None:
        self.board = table.board
        self.formula = formula
        orders: list[tuple[tuple[Unit, MovementOrder], Literal]] = []
        orders += [((unit, order), TRUE) for unit, order in given.items() if not isinstance(order, Hold)]
        orders += [(key, literal) for choices in unknown for key, literal in choices.literals.items()]
        self.guards = [guard for _, guard in orders]
        self.situation: Situation = situate_candidates(table.board, [key for key, _ in orders], table.rulebook)
        self.occupied = dict.fromkeys(table.board.unit_at, TRUE)
        self.most_units = len(table.board.units)
        self.unsupportable: Mapping[ProvinceCode, Literal] = {}
        self.copy = Copy(self, may_fail=table.overridden()).posted()
        self.fails = list(self.copy.fails.values())
        self._limit_failures()
        self._rings: set[frozenset[int]] = set()

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """As the board says."""
        units = [self.board.unit_at.get(province) for province in (one, other)]
        return TRUE if units[0] and units[1] and units[0].power == units[1].power else FALSE

    def _limit_failures(self) -> None:
        """What no core can hold does not fail at will, nor do moves without a convoy (DATC 5.B.9, 4.A.2)."""
        require_cycles(self.formula, self.situation, self.guards, self.copy.fails)
        decisions = self.situation.decisions
        convoys = [fails for index, fails in self.copy.fails.items() if isinstance(decisions[index], ConvoyDecision)]
        for index, fails in self.copy.fails.items():
            if isinstance(decisions[index], MoveDecision):
                self.formula.require(-fails, *convoys)

    def learn_rings(self, outcome: Outcome) -> bool:
        """Demand of the copy what the judge ruled here: a circular movement that nothing else stops succeeds (DATC 6.C).

        False if there was nothing to learn.
        """
        index_of = {d.order: d.index for d in self.situation.moves}
        learned = False
        for core in outcome.adjudication.cores:
            ring = frozenset(index_of[d.order] for d in core.decisions if isinstance(d, MoveDecision))
            circular = core.ruling is not None and len(ring) == len(core.decisions)
            if circular and ring not in self._rings:
                self._rings.add(ring)
                self._close(ring)
                learned = True
        return learned

    def _close(self, ring: frozenset[int]) -> None:
        moves = [self.situation.decisions[index] for index in sorted(ring)]
        supposed = _Supposed(self.copy, ring)
        possible = self.formula.all_of(statement.decision(supposed, move) for move in moves)
        for move in moves:
            self.formula.require(-possible, self.copy.value(move))


class _Supposed(Clausal):
    """A resolution as it would be if some moves succeeded, all other decisions being as they are."""

    def __init__(self, copy: Copy, moves: frozenset[int]) -> None:
        super().__init__(copy.formula, copy.strongest)
        self.copy = copy
        self.moves = moves

    def chosen(self, decision: Decision) -> Literal:
        """As in the resolution."""
        return self.copy.chosen(decision)

    def occupied(self, place: Place) -> Literal:
        """As in the resolution."""
        return self.copy.occupied(place)

    def same_power(self, one: Place, other: Place) -> Literal:
        """As in the resolution."""
        return self.copy.same_power(one, other)

    def move(self, move: MoveDecision) -> Literal:
        """True for the moves supposed to succeed."""
        return TRUE if move.index in self.moves else self.copy.move(move)

    def support(self, support: SupportDecision) -> Literal:
        """As in the resolution."""
        return self.copy.support(support)

    def convoy(self, convoy: ConvoyDecision) -> Literal:
        """As in the resolution."""
        return self.copy.convoy(convoy)
