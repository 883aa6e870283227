"""The question whether enemies can enter one province of a line, as a formula.

    siege = Siege(line, "ION")
    siege.attack(most=19)        # an attack that the judge has confirmed, or None: there is none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from satjudge.board import Board
from satjudge.equations.situation import Situation, SupportDecision, situate_candidates
from satjudge.geography import ProvinceCode
from satjudge.orders import Hold
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.line import Line
from satjudge.research.prove.threats import Candidate, threats
from satjudge.research.search.copies import Copy
from satjudge.research.search.proposals import in_full
from satjudge.solve.clauses import FALSE, TRUE, Formula, Literal
from satjudge.solve.cpsat import Solver


@dataclass(frozen=True)
class Setting:
    """Orders of a line and of its enemies, of which some are given and some unknown: what a `Copy` reads.

    `ours` says where units of the line stand or may stand; all other units are foreign to these and to each other.
    """

    formula: Formula
    situation: Situation
    guards: Sequence[Literal]
    occupied: Mapping[ProvinceCode, Literal]
    ours: frozenset[ProvinceCode]
    most_units: None = None
    unsupportable: Mapping[ProvinceCode, Literal] = field(default_factory=dict)

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Units of one power stand at both."""
        if one == other or {one, other} <= self.ours:
            return self.formula.all_of(self.occupied.get(province, FALSE) for province in (one, other))
        return FALSE


def setting(
    line: Line,
    orders: Sequence[tuple[Candidate, Literal]],
    formula: Formula,
    more: Mapping[ProvinceCode, Literal],
) -> Setting:
    """The line with its orders and with others, each with the literal that says that it is given.

    `more` says where units stand that may be added to the line.
    """
    ours = [((unit, line.orders[unit.province]), TRUE) for unit in line.board.units]
    deciding = [(candidate, guard) for candidate, guard in (*ours, *orders) if not isinstance(candidate[1], Hold)]
    situation = situate_candidates(line.board, [candidate for candidate, _ in deciding], line.rulebook)
    occupied = dict.fromkeys(line.board.unit_at, TRUE) | dict(more)
    return Setting(formula, situation, [guard for _, guard in deciding], occupied, frozenset(occupied))


class Siege:
    """The formula whose assignments are the attacks that bring an enemy into one province."""

    def __init__(self, line: Line, target: ProvinceCode) -> None:
        self.line = line
        self.target = target
        self.formula = Formula()
        self.candidates = threats(line, target)
        self.unknown = [self.formula.new(str(order)) for _, order in self.candidates]
        self.setting = setting(line, list(zip(self.candidates, self.unknown, strict=True)), self.formula, {})
        self.copy = Copy(self.setting).posted()
        self._constrain()

    def _constrain(self) -> None:
        """One order for the one unit of a province; no support without its move; and some move into the target succeeds."""
        by_province: dict[ProvinceCode, list[Literal]] = {}
        for (unit, _), guard in zip(self.candidates, self.unknown, strict=True):
            by_province.setdefault(unit.province, []).append(guard)
        for literals in by_province.values():
            self.formula.require_one_at_most(literals)
        for decision in self.setting.situation.decisions:
            guard = self.setting.guards[decision.index]
            if isinstance(decision, SupportDecision) and not decision.supports_hold:
                self.formula.require(-guard, *(self.setting.guards[move.index] for move in decision.matches))
        self.formula.require(self.copy.entered(self.target))

    def attack(self, most: int, *, cheapest: bool = False) -> Attack | None:
        """An attack with at most so many enemies, or with as few as can be; None if there is none."""
        proposals = self._proposals(most, self.unknown if cheapest else ())
        return next((attack for attack in proposals if attack.entered), None)

    def _proposals(self, most: int, minimise: Sequence[Literal]) -> Iterator[Attack]:
        """What the solver proposes; each is forbidden afterwards, in case that the judge did not confirm it."""
        solver = Solver(self.formula, workers=1)
        while (answer := solver.decide(at_most=(self.unknown, most), minimise=minimise)).values is not None:
            chosen = [guard for guard in self.unknown if answer.holds(guard)]
            yield self._decoded(frozenset(chosen))
            self.formula.require(*(-guard for guard in chosen))
        if not answer.exhausted:
            raise RuntimeError(f"the solver gave up on {self.target}")

    def _decoded(self, chosen: frozenset[Literal]) -> Attack:
        given = [entry for entry, guard in zip(self.candidates, self.unknown, strict=True) if guard in chosen]
        board = Board((*self.line.board.units, *(unit for unit, _ in given)), map=self.line.board.map)
        return Attack(self.line, {unit: in_full(order, board, self.line.rulebook) for unit, order in given})
