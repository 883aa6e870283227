"""The question whether enemies can enter one province of a line, as a formula.

    siege = Siege(line, "ION")
    siege.attack(most=19)        # an attack that the judge has confirmed, or None: there is none

If any enemies with any orders can bring a unit into a protected province, then one enemy can whose fellows do nothing but
support that one move, or move to provinces whose units support against it; and none of them goes by convoy, as the last
fleet of its route could go there itself (the proof is in docs/prove.md). So no other orders are looked at, and nothing is
lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from satjudge.board import Board, Unit
from satjudge.equations.situation import SupportDecision
from satjudge.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.judge import judge
from satjudge.orders import Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.outcome import Outcome
from satjudge.research.prove.line import Line
from satjudge.solve.clauses import TRUE, Formula, Literal
from satjudge.solve.cpsat import Solver
from satjudge.unknown.encoding import Choice, Encoding, orders_on
from satjudge.unknown.places import Spot
from satjudge.unknown.proposal import in_full
from satjudge.unknown.refinement import minimal, refine

Candidate = tuple[Unit, MovementOrder]


@dataclass(frozen=True)
class Attack:
    """Enemies with their orders, and what the judge makes of them."""

    line: Line
    orders: Mapping[Unit, MovementOrder]

    @cached_property
    def board(self) -> Board:
        """The line and its enemies."""
        return replace(self.line.board, units=(*self.line.board.units, *self.orders))

    @cached_property
    def by_power(self) -> dict[Power, list[MovementOrder]]:
        """All orders, the line's first."""
        given: dict[Power, list[MovementOrder]] = {}
        for unit in self.board.units:
            order = self.orders.get(unit) or self.line.orders[unit.province]
            given.setdefault(unit.power, []).append(order)
        return given

    @cached_property
    def outcome(self) -> Outcome:
        """The judge's outcome."""
        return judge(self.board, self.by_power, rulebook=self.line.rulebook)

    @cached_property
    def entered(self) -> tuple[ProvinceCode, ...]:
        """The protected provinces that an enemy moves into."""
        arrived = (move for origin, move in self.outcome.moved.items() if origin not in self.line.protected)
        return tuple(sorted(move.destination.province for move in arrived if move.destination.province in self.line.protected))

    def against(self, line: Line) -> Attack:
        """The same attack on another line."""
        return Attack(line, self.orders)

    def trimmed(self) -> Attack:
        """This attack without the enemies that it can do without."""

        def by(units: Iterable[Unit]) -> Attack:
            return Attack(self.line, {unit: self.orders[unit] for unit in units})

        return by(minimal(self.orders, lambda units: bool(by(units).entered)))

    def reinforced(self, line: Line) -> Attack:
        """The same attack on as many units of a line as it can break, which has this one in it."""
        standing = self.line.board.unit_at.keys()

        def without(units: Iterable[Unit]) -> Attack:
            gone = {unit.province for unit in units}
            return self.against(line.keeping(line.board.unit_at.keys() - gone))

        missing = [unit for unit in line.board.units if unit.province not in standing]
        return without(minimal(missing, lambda units: bool(without(units).entered)))


def encoded(line: Line, orders: Iterable[Choice], formula: Formula, more: Mapping[Spot, Literal]) -> Encoding:
    """The resolution of a line with its orders and with others, each with the literal that says that it is given.

    `more` says which units stand that may be added to the line. Their powers and those of the line do not matter, as none of
    these units moves; all other units are foreign to them and to each other.
    """
    units = {Spot(unit.kind, unit.location): TRUE for unit in line.board.units} | dict(more)
    ours = [((unit, line.orders[unit.province]), TRUE) for unit in line.board.units]
    powers = {spot.province: line.board.units[0].power for spot in units} if line.board.units else {}
    return orders_on(line.board, (*ours, *orders), line.rulebook, formula, units=units, powers=powers).resolution()


class Siege:
    """The formula whose assignments are the attacks that bring an enemy into one province."""

    def __init__(self, line: Line, target: ProvinceCode) -> None:
        self.line = line
        self.target = target
        self.formula = Formula()
        self.candidates = threats(line, target)
        self.unknown = [self.formula.new(str(order)) for _, order in self.candidates]
        self.encoding = encoded(line, zip(self.candidates, self.unknown, strict=True), self.formula, {})
        self._constrain()

    def _constrain(self) -> None:
        """One order for the one unit of a province; no support without its move; and some move into the target succeeds."""
        by_province: dict[ProvinceCode, list[Literal]] = {}
        for (unit, _), guard in zip(self.candidates, self.unknown, strict=True):
            by_province.setdefault(unit.province, []).append(guard)
        for literals in by_province.values():
            self.formula.require_one_at_most(literals)
        guards = self.encoding.orders.guards
        for decision in self.encoding.orders.situation.decisions:
            if isinstance(decision, SupportDecision) and not decision.supports_hold:
                self.formula.require(-guards[decision.index], *(guards[move.index] for move in decision.matches))
        self.formula.require(self.encoding.entered(self.target))

    def attack(self, most: int, *, cheapest: bool = False) -> Attack | None:
        """An attack with at most so many enemies, or with as few as can be; None if there is none."""
        solver, minimise = Solver(self.formula, workers=1), self.unknown if cheapest else ()

        def propose() -> frozenset[Literal] | None:
            answer = solver.decide(at_most=(self.unknown, most), minimise=minimise)
            if answer.values is None and not answer.exhausted:
                raise RuntimeError(f"the solver gave up on {self.target}")
            return None if answer.values is None else frozenset(filter(answer.holds, self.unknown))

        def forbid(chosen: frozenset[Literal]) -> None:
            self.formula.require(*(-guard for guard in chosen))

        chosen = refine(propose, lambda chosen: None if self._attack(chosen).entered else chosen, forbid)
        return None if chosen is None else self._attack(chosen)

    def _attack(self, chosen: frozenset[Literal]) -> Attack:
        given = [entry for entry, guard in zip(self.candidates, self.unknown, strict=True) if guard in chosen]
        board = Board((*self.line.board.units, *(unit for unit, _ in given)), map=self.line.board.map)
        return Attack(self.line, {unit: in_full(order, board, self.line.rulebook) for unit, order in given})


# What enemies need to be able to order.


def enemy_power(line: Line) -> Power:
    """One power for all enemies: their orders do not touch each other, so it does not matter whose they are."""
    ours = {unit.power for unit in line.board.units}
    return next(power for power in line.board.map.powers if power not in ours)


def threats(line: Line, target: ProvinceCode) -> list[Candidate]:
    """Every order that may have a part in bringing an enemy into the target."""
    attackers = [*_entries(line, target)]
    if not attackers:
        return []
    cutters = (cut for province in _supporters(line, target) for cut in _entries(line, province))
    return [*dict.fromkeys((*attackers, *cutters)), *_supports(line, target, attackers)]


def _supporters(line: Line, target: ProvinceCode) -> list[ProvinceCode]:
    """Where units of the line stand that support the one in the target."""
    given = line.orders.items()
    return [place for place, order in given if isinstance(order, SupportHold) and order.supported.province == target]


def _entries(line: Line, target: ProvinceCode) -> Iterator[Candidate]:
    """Every move of an enemy to this province."""
    for kind, place in line.enemy_units:
        way = _way(line, kind, place, target)
        if way is not None:
            yield Unit(enemy_power(line), kind, place), Move(Named(kind, place), way)


def _way(line: Line, kind: UnitKind, place: Location, target: ProvinceCode) -> Location | None:
    """Where in the target a unit can go: on one coast, for it does not matter on which."""
    return min((way for way in line.board.map.exits(kind, place) if province_of(way) == target), default=None)


def _supports(line: Line, target: ProvinceCode, attackers: list[Candidate]) -> Iterator[Candidate]:
    """Every support for a move to the target; the unit that is supported is named by its province alone.

    Who can support a move could make it as well, so of units that help each other the first in the alphabet may do so.
    """
    origins = sorted({unit.province for unit, _ in attackers})
    for unit, _ in attackers:
        for origin in origins:
            if origin < unit.province:
                yield unit, SupportMove(Named(unit.kind, unit.location), Named(None, origin), target)
